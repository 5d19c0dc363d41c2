"""Do players only do what is legal, and the same for the same seed?"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from sim.battle import Battle, Clock
from sim.chance import SeededDice
from sim.engine import Game, judge
from sim.players import Player, RandomPlayer, ScriptedPlayer
from sim.rules import Command, Deploy, EndStep, NeedChoice, Violation
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
