"""Command points, Battle-shock, objective control and the score."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Objective
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.geometry import Pose
from sim.rules import EndStep
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.command_phase import controller
from sim.rulesets.wh40k10.resources import command_points
from tests.rulesets.wh40k10.stage import battle, now, played, squad

END = EndStep()
MARKER = Objective("A", (20.0, 10.0), 40 / 25.4 / 2)


def test_both_players_gain_a_point_in_each_command_phase() -> None:
    start = battle(now("command", "command"), squad("boyz", "red", "Boyz", (5, 5), 10), cp=0)
    after = played(start, (END, ()))
    assert (command_points(after, "red"), command_points(after, "blue")) == (1, 1)


def test_a_unit_below_half_strength_takes_a_test_and_is_shocked_until_its_next_command_phase() -> None:
    left = replace(squad("boyz", "red", "Boyz", (5, 5), 4), markers=(Marker("starting-strength", amount=10),))
    start = battle(now("command", "command"), left, squad("foe", "blue", "Boyz", (5, 30), 10))
    shocked = played(start, (END, (3, 3)))
    assert shocked.unit("boyz").marked("battle-shocked")
    held = played(start, (END, (3, 4)))
    assert not held.unit("boyz").marked("battle-shocked")
    game = Game(RULESET, shocked)
    for _ in range(14):
        game.play(END, ScriptedDice([]))
        assert game.battle.unit("boyz").marked("battle-shocked")
    game.play(END, ScriptedDice([]))
    assert (game.battle.clock.player, game.battle.clock.step) == ("red", "command")
    assert not game.battle.unit("boyz").marked("battle-shocked"), "over at the start of the phase"
    game.play(END, ScriptedDice([6, 6]))
    assert not game.battle.unit("boyz").marked("battle-shocked")


@pytest.mark.parametrize(("count", "tested"), [(5, False), (4, True)])
def test_half_of_the_starting_strength_is_not_below_half(count: int, tested: bool) -> None:
    left = replace(squad("boyz", "red", "Boyz", (5, 5), count), markers=(Marker("starting-strength", amount=10),))
    start = battle(now("command", "command"), left)
    after = played(start, (END, (1, 1) if tested else ()))
    assert after.unit("boyz").marked("battle-shocked") is tested


@pytest.mark.parametrize(("lost", "tested"), [(4, False), (5, True)])
def test_a_single_model_is_below_half_by_its_wounds(lost: int, tested: bool) -> None:
    start = battle(now("command", "command"), squad("dread", "red", "Deff Dread", (5, 5), wounds=lost))
    after = played(start, (END, (1, 1) if tested else ()))
    assert after.unit("dread").marked("battle-shocked") is tested


def control(*units: object) -> str:
    return controller(battle(now("command", "command"), *units, objectives=[MARKER]), MARKER)  # type: ignore[arg-type]


def test_the_higher_level_of_control_holds_a_marker_and_ties_are_contested() -> None:
    two = squad("boyz", "red", "Boyz", (20, 12.5), 2)
    assert control(two) == "red"
    assert control(two, squad("foe", "blue", "Boyz", (20, 7.5), 2)) == "contested"
    assert control(two, squad("foe", "blue", "Boyz", (20, 7.5), 3)) == "blue"
    assert control() == "contested"


def test_shocked_models_and_the_gunrig_count_for_nothing() -> None:
    shocked = replace(squad("boyz", "red", "Boyz", (20, 12.5), 5), markers=(Marker("battle-shocked"),))
    assert control(shocked, squad("foe", "blue", "Stormboyz", (20, 7.5), 1)) == "blue"
    assert control(squad("gun", "red", "Tidewall Gunrig", (20, 12))) == "contested"


def test_markers_held_score_from_round_two_at_the_end_of_the_command_phase() -> None:
    held = squad("boyz", "red", "Boyz", (20, 12.5), 2)
    for number, points in ((1, 0), (2, 5)):
        start = battle(now("command", "battle-shock", number=number), held, objectives=[MARKER])
        assert dict(played(start, (END, ())).score).get("red", 0) == points


def test_the_battle_ends_with_a_last_score_and_what_never_arrived_is_destroyed() -> None:
    last = now("fight", "remaining-combats", "blue", 5)
    late = squad("late", "red", "Stormboyz", (0, 0), 5, where="reserves")
    start = battle(last, squad("boyz", "red", "Boyz", (20, 12.5), 2), late, objectives=[MARKER])
    after: Battle = played(start, (END, ()))
    assert dict(after.score) == {"red": 5}
    assert not after.unit("late").models
    assert after.clock.phase == "over"
    assert RULESET.available(after) == ()
    assert Game(RULESET, after).judge(END).codes == ("battle-over",)


def test_height_counts_for_the_range_of_a_marker() -> None:
    unit = squad("boyz", "red", "Boyz", (20, 12.5), 1)
    for z, owner in ((5.0, "red"), (5.01, "contested")):
        model = replace(unit.models[0], pose=Pose(20, 12.5, 0, z))
        assert control(replace(unit, models=(model,))) == owner


def away(start: Battle, unit: str, dy: float) -> Battle:
    """The battle with a unit so far up the table."""
    moved = start.unit(unit)
    models = tuple(replace(m, pose=Pose(m.placed.pose.x, m.placed.pose.y + dy)) for m in moved.models)
    return start.with_unit(replace(moved, models=models))


def test_a_marker_is_kept_until_the_enemy_has_the_greater_level_of_control_at_the_end_of_a_phase() -> None:
    boyz = squad("boyz", "red", "Boyz", (20, 8), 10)
    foe = squad("foe", "blue", "Strike Team", (20, 40), 5)
    start = battle(now("command", "battle-shock"), boyz, foe, objectives=[MARKER])
    assert controller(away(start, "boyz", 20), MARKER) == "contested"
    kept = away(played(start, (END, ())), "boyz", 20)
    assert controller(kept, MARKER) == "red"
    taken = away(kept, "foe", -29)
    assert controller(taken, MARKER) == "blue"
    later = away(played(taken, (END, ()), (END, ())), "foe", 29)
    assert controller(later, MARKER) == "contested"
    again = away(played(kept, (END, ()), (END, ())), "foe", 5)
    assert controller(again, MARKER) == "red"


def test_who_has_not_the_ability_keeps_nothing() -> None:
    team = squad("team", "red", "Strike Team", (20, 8), 5)
    foe = squad("foe", "blue", "Strike Team", (20, 40), 5)
    start = battle(now("command", "battle-shock"), team, foe, objectives=[MARKER])
    assert controller(away(played(start, (END, ())), "team", 20), MARKER) == "contested"


def test_the_last_score_is_of_what_is_left_after_incoherent_models_are_removed() -> None:
    last = now("fight", "remaining-combats", "blue", 5)
    boyz = squad("boyz", "red", "Boyz", (20, 12.5), 2)
    apart = replace(boyz, models=(boyz.models[0], replace(boyz.models[1], pose=Pose(40, 30))))
    start = battle(last, apart, objectives=[MARKER])
    assert dict(played(start, (END, (), ["boyz-1"])).score) == {}
    assert dict(played(start, (END, (), ["boyz-2"])).score) == {"red": 5}


@pytest.mark.parametrize("first", ["red", "blue"])
def test_a_marker_that_is_won_back_is_kept_whoever_stands_first_in_the_file(first: str) -> None:
    """Red has kept it; blue holds it at the end of its Command phase and goes away."""
    old = replace(squad("old", "red", "Boyz", (50, 40), 2), markers=(Marker("kept:A", "red"),))
    new = squad("new", "blue", "Boyz", (20, 12.5), 2)
    units = (old, new) if first == "red" else (new, old)
    start = battle(now("command", "battle-shock", "blue"), *units, objectives=[MARKER])
    after = played(start, (END, ()))
    assert [u.id for u in after.units if u.marked("kept:A")] == ["new"]
    assert controller(away(after, "new", 20), MARKER) == "blue"
