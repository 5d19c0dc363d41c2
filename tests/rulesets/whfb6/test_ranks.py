"""Units in ranks move to their front and wheel, and no other way."""

from __future__ import annotations

import math

import pytest

from sim.battle import Battle, Battlefield, Clock, Model, Ranked, Terrain, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, judge
from sim.geometry import Path, Point, Pose, Rect
from sim.geometry.blocks import turned, wheel_corner
from sim.rules.proposing import block
from sim.rulesets.whfb6 import RULESET
from sim.rulesets.whfb6.commands import Move

Poses = tuple[Pose, ...]


def ranks(at: Point = (36.0, 20.0), side: float = 25.0, movement: float = 4.0) -> Unit:
    """Five wide and four deep on square bases of some millimetres, looking up the table."""
    base = Rect.mm(side, side)
    models = tuple(Model(f"men-{k}", "men", base, pose) for k, pose in enumerate(block([base] * 20, 5, at, 90.0), 1))
    return Unit("men", "red", models, name="men", formation=Ranked(5), profile=(("M", movement),))


def table(unit: Unit, *terrain: Terrain) -> Battle:
    clock = Clock(2, "red", "movement", "remaining-moves")
    return Battle("whfb6", Battlefield(72.0, 48.0, terrain), clock, (unit,), ("red", "blue"))


def poses(unit: Unit) -> Poses:
    return tuple(m.placed.pose for m in unit.models)


def wheeled(unit: Unit, degrees: float) -> Poses:
    return turned(poses(unit), wheel_corner([m.placed for m in unit.models], degrees), degrees)


def shifted(start: Poses, ahead: float, aside: float = 0.0) -> Poses:
    angle = math.radians(start[0].facing)
    dx, dy = ahead * math.cos(angle) - aside * math.sin(angle), ahead * math.sin(angle) + aside * math.cos(angle)
    return tuple(Pose(p.x + dx, p.y + dy, p.facing) for p in start)


def move(unit: Unit, *stations: Poses) -> Move:
    ways = [[[s[k].x, s[k].y, s[k].facing] for s in stations] for k in range(len(unit.models))]
    return Move(unit.id, tuple(Path.through(pose, way) for pose, way in zip(poses(unit), ways, strict=True)))


def codes(unit: Unit, *stations: Poses, terrain: tuple[Terrain, ...] = ()) -> tuple[str, ...]:
    return tuple(sorted(set(judge(RULESET, table(unit, *terrain), move(unit, *stations)).codes)))


def test_a_block_goes_to_its_front_and_no_farther_than_its_move() -> None:
    unit = ranks()
    game = Game(RULESET, table(unit))
    game.play(move(unit, shifted(poses(unit), 4.0)), ScriptedDice(()))
    assert poses(game.battle.unit("men")) == shifted(poses(unit), 4.0)
    assert "not-eligible" in judge(RULESET, game.battle, move(game.battle.unit("men"))).codes
    assert codes(unit, shifted(poses(unit), 4.001)) == ("too-far",)
    assert codes(unit, shifted(poses(unit), -1.0)) == ("not-forward",)
    assert codes(unit, shifted(poses(unit), 0.0, 1.0)) == ("not-forward",)
    assert codes(unit, shifted(poses(unit), 1.0, 0.1)) == ("not-forward",)


@pytest.mark.parametrize(("degrees", "cost"), [(15.0, 1.288), (45.0, 3.865), (60.0, 5.154), (90.0, 7.730)])
def test_a_wheel_costs_the_arc_of_the_outer_front_corner(degrees: float, cost: float) -> None:
    for side in (1.0, -1.0):
        unit = ranks(movement=cost + 1.001)
        after = wheeled(unit, side * degrees)
        assert codes(unit, after, shifted(after, 1.0)) == ()
        assert codes(unit, after, shifted(after, 1.002)) == ("too-far",)


def test_the_largest_wheel_for_four_inches() -> None:
    unit = ranks(side=20.0)
    assert codes(unit, wheeled(unit, 58.212)) == ()
    assert codes(unit, wheeled(unit, 58.214)) == ("too-far",)


def test_the_side_of_a_block_that_wheels_meets_what_stands_beside_it() -> None:
    """Both ends are clear at 60 degrees, and the way is not: its right side meets the corner after 28.5 degrees."""
    rock = Terrain("rock", "impassable", ((36.0, 23.2), (36.8, 23.2), (36.8, 24.0), (36.0, 24.0)))
    unit = ranks((32.46063, 21.968504), movement=10.0)
    assert codes(unit, wheeled(unit, 28.4), terrain=(rock,)) == ()
    assert codes(unit, wheeled(unit, 28.6), terrain=(rock,)) == ("crosses-terrain",)
    assert codes(unit, wheeled(unit, 60.0), terrain=(rock,)) == ("crosses-terrain",)


def test_nobody_leaves_his_place() -> None:
    unit = ranks()
    start = poses(unit)
    ahead = shifted(start, 1.0)
    verdict = judge(RULESET, table(unit), move(unit, (*ahead[:-1], start[-1])))
    assert [v.subjects for v in verdict.violations if v.code == "formation-broken"] == [("men-20",)]
    wrong = wheel_corner([m.placed for m in unit.models], -20.0)
    assert "formation-broken" in codes(unit, turned(start, wrong, 20.0))
    assert "formation-broken" in codes(unit, tuple(Pose(p.x, p.y, p.facing + 20.0) for p in start))
