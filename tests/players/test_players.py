"""Do players only do what is legal, and the same for the same seed?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Clock
from sim.chance import SeededDice
from sim.engine import Game, judge
from sim.geometry import Placed, Pose
from sim.players import GreedyPlayer, Player, RandomPlayer, ScriptedPlayer, StallError, play_out
from sim.rules import Command, Deploy, EndStep, NeedChoice, Offer, Violation
from tests.toy import RULESET, Recall, skirmish, waiting


def commands_of(seed: int) -> list[Command]:
    game, player, dice = Game(RULESET, skirmish()), RandomPlayer(seed), SeededDice(seed)
    while (command := player.next(RULESET, game.battle)) is not None:
        assert judge(RULESET, game.battle, command).legal
        game.play(command, dice, player)
    assert judge(RULESET, game.battle, EndStep()).codes == ("battle-over",)
    return [entry.command for entry in game.entries]


def test_a_random_player_plays_to_the_end_with_legal_commands_alone() -> None:
    for seed in range(8):
        assert len(commands_of(seed)) >= 11  # every step of both rounds is ended


def test_the_same_seed_decides_the_same() -> None:
    assert commands_of(5) == commands_of(5)
    assert commands_of(5) != commands_of(6)


def test_a_random_player_does_everything_that_the_game_offers() -> None:
    kinds = {type(command).__name__ for seed in range(12) for command in commands_of(seed)}
    assert kinds == {"Drop", "Recall", "Walk", "Throw", "EndStep"}


def test_a_random_player_sets_up_an_army() -> None:
    set_up = set()
    for seed in range(6):
        game, player = Game(RULESET, waiting()), RandomPlayer(seed)
        while not isinstance(command := player.next(RULESET, game.battle), EndStep):
            assert isinstance(command, Deploy)
            game.play(command, SeededDice(0), player)
            set_up.add(command.unit)
    assert {skirmish().unit(unit).player for unit in set_up} == {"blue", "red"}


def test_a_random_player_takes_any_option() -> None:
    player = RandomPlayer(1)
    need = NeedChoice("red", "colour", ("green", "grey", "gold"))
    assert {player.choose(skirmish(), need) for _ in range(60)} == {"green", "grey", "gold"}


def test_what_a_player_found_no_way_to_do_it_leaves_alone_until_the_next_step() -> None:
    """Nobody finds room for a deployment where every spot is refused; it is asked about once in a step."""
    asked: list[Command] = []

    def refusing(battle: Battle, command: Command) -> Iterator[Violation]:
        asked.append(command)
        yield Violation("no", "No", "not there")

    plays = tuple(dataclasses.replace(p, judge=refusing) if p.command is Deploy else p for p in RULESET.plays)
    ruleset = dataclasses.replace(RULESET, plays=plays)
    start, player = waiting(), RandomPlayer(1)
    assert isinstance(player.next(ruleset, start), EndStep)
    once = len(asked)
    assert once > 0
    assert isinstance(player.next(ruleset, start), EndStep)
    assert len(asked) == once, "in the same step nothing is tried again"
    assert isinstance(player.next(ruleset, replace(start, clock=replace(start.clock, round=2))), EndStep)
    assert len(asked) > once, "in the next one it is"


def test_a_player_with_nothing_left_is_done() -> None:
    over = replace(skirmish(), clock=Clock(2, "red", "throws", "pebbles"), units=())
    assert RandomPlayer(1).next(RULESET, over) is None


def test_a_script_is_followed_and_then_done() -> None:
    player: Player = ScriptedPlayer([Recall("ants"), EndStep()])
    battle = skirmish()
    assert [player.next(RULESET, battle) for _ in range(3)] == [Recall("ants"), EndStep(), None]
    assert player.choose(battle, NeedChoice("red", "colour", ("green", "grey"))) == "green"


# --- the spots and ways that a random player tries where the game proposes nothing

QUADRANTS = {(across > 0, up > 0) for across in (-1, 1) for up in (-1, 1)}


def tried(seed: int, kind: str, unit: str, start: Battle) -> Command:
    return RandomPlayer(seed)._attempt(RULESET, start, Offer(kind, unit, ""))


def test_a_unit_that_is_set_up_by_chance_stands_in_a_block_from_a_spot_of_the_table() -> None:
    start = waiting()
    name = next(unit.id for unit in start.units if len(unit.models) > 2)
    field, count = start.battlefield, len(start.unit(name).models)
    pitch = 2 * max(Placed(m.base, Pose(0, 0)).radius for m in start.unit(name).models) + 0.2
    files = math.ceil(math.sqrt(count))
    corners = []
    for seed in range(40):
        spots = tried(seed, "deploy", name, start).models
        x, y = spots[0].at
        corners.append((x, y))
        for k, spot in enumerate(spots):
            assert spot.at == pytest.approx((x + k % files * pitch, y + k // files * pitch))
    assert all(0 <= x <= field.width and 0 <= y <= field.depth for x, y in corners)
    middle = (field.width / 2, field.depth / 2)
    assert {(x > middle[0], y > middle[1]) for x, y in corners} == QUADRANTS


@pytest.mark.parametrize(
    ("profile", "reach"), [({"M": 6.0}, 6.0), ({"Adv": 5.0}, 5.0), ({"M": 4.0, "Adv": 9.0}, 4.0), ({}, 0.0)]
)
def test_a_unit_that_moves_by_chance_goes_any_way_up_to_its_move(profile: dict[str, float], reach: float) -> None:
    start = skirmish()
    name = next(unit.id for unit in start.units if unit.on_table and len(unit.models) > 1)
    start = start.with_unit(replace(start.unit(name), profile=tuple(profile.items())))
    gone, ways = [], set()
    for seed in range(60):
        paths = tried(seed, "walk", name, start).paths
        steps = {(round(p.end.x - p.start.x, 9), round(p.end.y - p.start.y, 9)) for p in paths}
        assert len(steps) == 1, "all models by the same step"
        ((dx, dy),) = steps
        gone.append(math.hypot(dx, dy))
        ways.add((dx > 0, dy > 0))
    assert max(gone) <= reach + 1e-9
    if reach:
        assert min(gone) >= 0.2 * reach - 1e-9
        assert max(gone) > 0.9 * reach
        assert min(gone) < 0.3 * reach
        assert ways == QUADRANTS


@pytest.mark.parametrize(
    ("options", "picked"),
    [
        (("decline", "fire-overwatch: men", "tank-shock"), "fire-overwatch: men"),
        (("decline", "go-to-ground", "tank-shock"), "tank-shock"),
        (("decline", "go-to-ground"), "decline"),
        (("fire-overwatch", "decline"), "fire-overwatch"),
    ],
)
def test_a_greedy_player_answers_where_it_is_likely_to_pay(options: tuple[str, ...], picked: str) -> None:
    assert GreedyPlayer("red").choose(skirmish(), NeedChoice("red", "", options)) == picked


def test_a_battle_with_which_nobody_can_go_on_is_said_and_so_is_one_without_an_end() -> None:
    with pytest.raises(StallError, match="nobody can go on"):
        list(play_out(Game(RULESET, skirmish()), {}, SeededDice(0)))
    both = {"blue": RandomPlayer(1), "red": RandomPlayer(2)}
    game = Game(RULESET, skirmish())
    with pytest.raises(StallError, match="not over after 3 entries"):
        list(play_out(game, both, SeededDice(0), most=3))
    assert len(game.entries) == 3
    over = replace(skirmish(), clock=Clock(2, "red", "throws", "pebbles"), units=())
    assert list(play_out(Game(RULESET, over), both, SeededDice(0))) == []
