"""Does each player end setting up for himself alone, in every game, and hear what stays behind?"""

from __future__ import annotations

import pytest

from sim.app.games import rulesets
from sim.battle import Battle, Battlefield, Clock, Model, Unit, Zone
from sim.chance import ScriptedDice
from sim.engine import Game, judge
from sim.geometry import Pose, Rect
from sim.rules import Deploy, EndStep

GAMES = sorted(rulesets())
ZONES = (
    Zone("r", "red", ((0.0, 0.0), (60.0, 0.0), (60.0, 12.0), (0.0, 12.0))),
    Zone("b", "blue", ((0.0, 32.0), (60.0, 32.0), (60.0, 44.0), (0.0, 44.0))),
)


def waiting(name: str, player: str) -> Unit:
    models = (Model(f"{name}-1", name, Rect.mm(25, 25)),)
    return Unit(name, player, models, name=name.capitalize(), whereabouts="reserves", profile=(("M", 5.0),))


def begun(game: str, *units: Unit) -> Game:
    ruleset = rulesets()[game]
    first = ruleset.phases[0]
    clock = Clock(1, "red", first.name, first.steps[0])
    return Game(ruleset, Battle(game, Battlefield(60.0, 44.0, zones=ZONES), clock, units, ("red", "blue")))


def play(game: Game, *commands: Deploy | EndStep) -> Battle:
    for command in commands:
        game.play(command, ScriptedDice(()))
    return game.battle


@pytest.mark.parametrize("game", GAMES)
def test_each_player_ends_setting_up_for_himself(game: str) -> None:
    table = begun(game, waiting("a", "red"), waiting("b", "blue"), waiting("c", "blue"))
    step = table.battle.clock.step
    after = play(table, EndStep())
    assert (after.clock.step, after.clock.player) == (step, "blue"), "red alone is through"
    assert not judge(table.ruleset, after, Deploy("a", (Pose(10, 5),))).legal
    play(table, Deploy("b", (Pose(10, 40),)))
    assert (table.battle.clock.step, table.battle.clock.player) == (step, "blue"), "red is not asked again"
    after = play(table, Deploy("c", (Pose(20, 40),)), EndStep())
    assert after.clock.step != step
    assert not any(unit.marked("kept-back") for unit in after.units)
    assert after.unit("a").whereabouts == "reserves"


@pytest.mark.parametrize("game", GAMES)
def test_what_stays_behind_is_said_before_the_step_ends(game: str) -> None:
    table = begun(game, waiting("a", "red"), waiting("b", "blue"))
    (note,) = judge(table.ruleset, table.battle, EndStep(), readings=True).notes
    assert note.startswith("A ")
    placed = play(table, Deploy("a", (Pose(10, 5),)))
    assert placed.clock.player == "blue"
    (note,) = judge(table.ruleset, placed, EndStep(), readings=True).notes
    assert note.startswith("B ")
    done = play(table, Deploy("b", (Pose(10, 40),)))
    assert judge(table.ruleset, done, EndStep(), readings=True).notes == ()


@pytest.mark.parametrize("game", GAMES)
def test_the_turns_go_to_and_fro_while_both_have_units(game: str) -> None:
    table = begun(game, waiting("a", "red"), waiting("b", "blue"), waiting("c", "red"))
    seen = [table.battle.clock.player]
    commands = (Deploy("a", (Pose(10, 5),)), Deploy("b", (Pose(10, 40),)), Deploy("c", (Pose(20, 5),)))
    seen += [play(table, command).clock.player for command in commands]
    assert seen == ["red", "blue", "red", "red"]
