"""What a wheel costs, who keeps his place in it, and what it may not be joined with."""

from __future__ import annotations

import math

import pytest

from sim.battle import Battle, Clock, Model, Terrain, Unit
from sim.battle.state import Ranked
from sim.engine import judge
from sim.geometry import Path, Placed, Point, Pose, Rect
from sim.geometry.blocks import arc, turned, wheel_corner
from sim.rules.proposing import block
from sim.rulesets.wap import RULESET
from sim.rulesets.wap.commands import March, NormalMove
from tests.rulesets.wap import table

CLOCK = Clock(2, "red", "movement", "remaining-moves")
BASE = Rect.mm(25, 25)
WIDTH = 5 * 25 / 25.4
Poses = tuple[Pose, ...]


def ranks(at: Point = (32.0, 20.0), movement: float = 4.0) -> Unit:
    """Five wide and four deep, looking up the table."""
    poses = block([BASE] * 20, 5, at, 90.0)
    models = tuple(Model(f"block-{k}", "block", BASE, pose) for k, pose in enumerate(poses, 1))
    return Unit("block", "red", models, name="block", formation=Ranked(5), profile=(("M", movement),))


def start_of(unit: Unit, *terrain: Terrain) -> Battle:
    return table.battle(CLOCK, unit, table.unit("far", "blue", (5, 5)), terrain=terrain)


def ways(unit: Unit, *stations: Poses) -> tuple[Path, ...]:
    return tuple(
        Path.through(m.placed.pose, [[s[k].x, s[k].y, s[k].facing] for s in stations])
        for k, m in enumerate(unit.models)
    )


def poses_of(unit: Unit) -> Poses:
    return tuple(m.placed.pose for m in unit.models)


def wheeled(unit: Unit, degrees: float) -> Poses:
    corner = wheel_corner([m.placed for m in unit.models], degrees)
    return turned(poses_of(unit), corner, degrees)


def forward(poses: Poses, inches: float, turn: float = 0.0) -> Poses:
    angle = math.radians(poses[0].facing + turn)
    dx, dy = inches * math.cos(angle), inches * math.sin(angle)
    return tuple(Pose(p.x + dx, p.y + dy, p.facing) for p in poses)


def codes(start: Battle, command: NormalMove | March) -> tuple[str, ...]:
    return tuple(sorted(set(judge(RULESET, start, command).codes)))


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("degrees", [15.0, 30.0, 45.0])
def test_a_wheel_costs_what_the_outer_corner_goes_round(degrees: float, side: float) -> None:
    unit = ranks()
    start, left = start_of(unit), 4.0 - WIDTH * math.radians(degrees)
    after = wheeled(unit, side * degrees)
    assert codes(start, NormalMove("block", ways(unit, after, forward(after, left)))) == ()
    assert codes(start, NormalMove("block", ways(unit, after, forward(after, left + 0.001)))) == ("too-far",)
    moved = table.played(start, NormalMove("block", ways(unit, after, forward(after, left))))
    assert {m.placed.pose.facing for m in moved.unit("block").models} == {90.0 + side * degrees}
    assert codes(start, March("block", ways(unit, after, forward(after, left + 4.0)))) == ()
    assert codes(start, March("block", ways(unit, after, forward(after, left + 4.001)))) == ("too-far",)


def test_forward_wheel_forward_wheel_each_about_its_own_corner() -> None:
    """2 ahead, 20 degrees left, 1 ahead, 35 degrees right and the rest of 8: where the front centre then is."""
    base = Rect.mm(20, 20)
    poses = block([base] * 20, 5, (36.0, 20.0), 90.0)
    models = tuple(Model(f"block-{k}", "block", base, pose) for k, pose in enumerate(poses, 1))
    unit = Unit("block", "red", models, name="block", formation=Ranked(5), profile=(("M", 4.0),))
    one = forward(poses, 2.0)
    two = turned(one, wheel_corner([Placed(base, p) for p in one], 20.0), 20.0)
    three = forward(two, 1.0)
    four = turned(three, wheel_corner([Placed(base, p) for p in three], -35.0), -35.0)
    rest = 8.0 - 3.0 - 100 / 25.4 * math.radians(55.0)
    assert rest == pytest.approx(1.221, abs=1e-3)
    five = forward(four, rest)
    middle = five[2]
    angle = math.radians(middle.facing)
    front = middle.x + 10 / 25.4 * math.cos(angle), middle.y + 10 / 25.4 * math.sin(angle)
    assert front == pytest.approx((35.804, 27.550), abs=1e-3)
    assert codes(start_of(unit), March("block", ways(unit, one, two, three, four, five))) == ()
    longer = forward(four, rest + 0.001)
    assert codes(start_of(unit), March("block", ways(unit, one, two, three, four, longer))) == ("too-far",)


def test_a_wheel_turns_about_a_front_corner_and_about_nothing_else() -> None:
    unit = ranks()
    start, poses = start_of(unit), poses_of(unit)
    wrong = wheel_corner([m.placed for m in unit.models], -20.0)
    centre = (32.0, 20.0)
    for about in (wrong, centre):
        assert "formation-broken" in codes(start, NormalMove("block", ways(unit, turned(poses, about, 20.0))))
    on_the_spot = tuple(Pose(p.x, p.y, p.facing + 20.0) for p in poses)
    assert "formation-broken" in codes(start, NormalMove("block", ways(unit, on_the_spot)))
    good = wheeled(unit, 20.0)
    one_off = (*good[:-1], Pose(good[-1].x + 0.001, good[-1].y, good[-1].facing))
    verdict = judge(RULESET, start, NormalMove("block", ways(unit, one_off)))
    assert [v.subjects for v in verdict.violations if v.code == "formation-broken"] == [("block-20",)]


def test_who_keeps_no_ranks_goes_and_turns_as_each_likes() -> None:
    loose = table.unit("loose", "red", (20, 20), (22, 20), (24, 20))
    stays, straight, turns = (m.placed.pose for m in loose.models)
    paths = (
        Path(stays, ()),
        Path.through(straight, [[22.0, 22.0]]),
        Path.through(turns, [[24.0, 20.0, 30.0], [25.0, 21.0], [25.0, 22.0, 60.0]]),
    )
    assert codes(start_of(loose), NormalMove("loose", paths)) == ()


def test_no_wheel_is_joined_with_a_move_to_the_side_or_back() -> None:
    unit = ranks()
    after = wheeled(unit, 15.0)
    for turn in (90.0, 180.0):
        paths = ways(unit, after, forward(after, 0.5, turn))
        assert codes(start_of(unit), NormalMove("block", paths)) == ("not-forward",)
        before = forward(poses_of(unit), 0.5, turn)
        corner = wheel_corner([Placed(BASE, p) for p in before], 15.0)
        paths = ways(unit, before, turned(before, corner, 15.0))
        assert codes(start_of(unit), NormalMove("block", paths)) == ("not-forward",)


def test_a_wheel_in_one_step_goes_round_all_the_same() -> None:
    """Its outer corner would meet a post that the straight line from its start to its end misses."""
    unit = ranks(movement=8.0)
    after = wheeled(unit, 60.0)
    corner = wheel_corner([m.placed for m in unit.models], 60.0)
    reach = WIDTH + 0.02
    x, y = (corner[0] + reach * math.cos(math.radians(30.0)), corner[1] + reach * math.sin(math.radians(30.0)))
    square = ((x - 0.1, y - 0.1), (x + 0.1, y - 0.1), (x + 0.1, y + 0.1), (x - 0.1, y + 0.1))
    start = start_of(unit, Terrain("post", "impassable", square))
    at_once = codes(start, NormalMove("block", ways(unit, after)))
    step_by_step = codes(start, NormalMove("block", ways(unit, *arc(poses_of(unit), corner, 60.0))))
    assert at_once == step_by_step
    assert "crosses-terrain" in at_once
