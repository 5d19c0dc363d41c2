"""Do players only do what is legal, and the same for the same seed?"""

from __future__ import annotations

from msgspec.structs import replace

from sim.battle import Clock
from sim.chance import SeededDice
from sim.engine import Game, judge
from sim.players import Player, RandomPlayer, ScriptedPlayer
from sim.rules import Command, Deploy, EndStep, NeedChoice
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


def test_a_player_with_nothing_left_is_done() -> None:
    over = replace(skirmish(), clock=Clock(2, "red", "throws", "pebbles"), units=())
    assert RandomPlayer(1).next(RULESET, over) is None


def test_a_script_is_followed_and_then_done() -> None:
    player: Player = ScriptedPlayer([Recall("ants"), EndStep()])
    battle = skirmish()
    assert [player.next(RULESET, battle) for _ in range(3)] == [Recall("ants"), EndStep(), None]
    assert player.choose(battle, NeedChoice("red", "colour", ("green", "grey"))) == "green"
