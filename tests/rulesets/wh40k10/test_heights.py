"""Distances that climb, and ways over what is high, as a battle plays them."""

from __future__ import annotations

import math
from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, judged, now, played, squad
from sim.battle import Battle, Floor, Terrain, Unit
from sim.engine import Game
from sim.geometry import Path, Pose, Round
from sim.rulesets.wh40k10 import RULESET, movement, planning, shooting
from sim.rulesets.wh40k10.commands import AttackWith, Charge, NormalMove, Shoot

MOVING = now("movement", "move-units")
R = 32 / 25.4


def box(name: str, x0: float, x1: float, height: float, kind: str = "container") -> Terrain:
    return Terrain(name, kind, ((x0, 4.0), (x1, 4.0), (x1, 16.0), (x0, 16.0)), height)


def tower(x0: float, x1: float, z: float) -> Terrain:
    outline = ((x0, 4.0), (x1, 4.0), (x1, 16.0), (x0, 16.0))
    return Terrain("tower", "ruin", outline, 12.0, (Floor(z, outline),))


def upstairs(unit: Unit, z: float) -> Unit:
    return replace(unit, models=tuple(replace(m, pose=changed(m.pose, z=z)) for m in unit.models if m.pose))


def shooting_up(apart: float, z: float) -> tuple[Battle, Shoot]:
    red = squad("r", "red", "Intercessor Squad", (10, 10), loadout=["bolt rifle"])
    blue = upstairs(squad("b", "blue", "Boyz", (10 + R + apart, 10)), z)
    start = battle(SHOOTING, red, blue, terrain=[tower(9 + apart, 14 + apart, z)])
    return start, Shoot("r", (AttackWith("r-1", "bolt rifle", "b"),))


def test_a_rifle_reaches_along_the_line_that_climbs() -> None:
    far = math.sqrt(24**2 - 8**2)
    start, shot = shooting_up(far - 1e-4, 8.0)
    after = Game(RULESET, start)
    assert after.judge(shot).legal
    beyond, shot = shooting_up(far + 0.01, 8.0)
    (wrong,) = judged(beyond, shot).violations
    assert (wrong.code, wrong.measured) == ("target-too-far", pytest.approx(math.hypot(far + 0.01, 8)))


def test_half_range_is_half_of_the_line_that_climbs() -> None:
    for apart, half in ((math.sqrt(144 - 36) - 1e-4, True), (math.sqrt(144 - 36) + 0.01, False)):
        start, shot = shooting_up(apart, 6.0)
        unit = start.unit("r")
        (found,) = shooting.shots_of(start, unit, shot.attacks)
        assert shooting.circumstances(start, unit, found).half_range is half


def test_a_charge_is_declared_along_the_line_that_climbs() -> None:
    for more, legal in ((-1e-4, True), (0.01, False)):
        apart = math.sqrt(144 - 25) + more
        red = squad("r", "red", "Boyz", (10, 10))
        blue = upstairs(squad("b", "blue", "Boyz", (10 + R + apart, 10)), 5.0)
        start = battle(CHARGE, red, blue, terrain=[tower(9 + apart, 14 + apart, 5.0)])
        assert judged(start, Charge("r", ("b",))).legal is legal


def flyer(move: float, *pieces: Terrain) -> Battle:
    red = squad("r", "red", "", (10, 10), base=Round.mm(32), keywords=["VEHICLE", "FLY"])
    red = replace(red, profile=(("M", move),))
    return battle(MOVING, red, squad("b", "blue", "Boyz", (50, 40)), terrain=pieces)


def test_what_flies_goes_over_and_arrives() -> None:
    path = Path.through(Pose(10, 10), [[20, 10]])
    start = flyer(14, box("block", 13, 15, 3.0))
    unit = start.unit("r")
    price = path.length + movement.climbing(start, unit, unit.models[0], path)
    rise, over = 13 - R / 2 - 10, 2 + R
    assert price == pytest.approx(math.hypot(rise, 3) + over + math.hypot(10 - rise - over, 3), abs=1e-5)


def test_the_planner_flies_no_farther_than_its_inches() -> None:
    start = flyer(10, box("block", 13, 15, 4.0))
    unit = start.unit("r")
    (path,) = next(planning.towards(start, unit, (24.0, 10.0), 10.0))
    assert path.length < 9.0
    assert path.length + movement.climbing(start, unit, unit.models[0], path) == pytest.approx(10.0, abs=0.01)


def test_a_tank_does_not_drive_through_what_has_no_height() -> None:
    red = squad("r", "red", "Trukk", (10, 10), base=Round.mm(60))
    start = battle(MOVING, red, squad("b", "blue", "Boyz", (50, 40)), terrain=[box("block", 13, 15, 0.0)])
    move = NormalMove("r", (Path.through(Pose(10, 10), [[18, 10]]),))
    assert [v.code for v in judged(start, move).violations] == ["crosses-terrain"]
    known = battle(MOVING, red, squad("b", "blue", "Boyz", (50, 40)), terrain=[box("block", 13, 15, 1.9)])
    after = played(known, (move, ()))
    assert after.unit("r").models[0].pose == Pose(18, 10)
