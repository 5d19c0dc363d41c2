"""A group about its first member: what is measured, and the region of a further member against the verdict."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.geometry import Base, Limit, Oval, Placed, PlacedSet, Pose, Rect, Round, Witness
from sim.geometry.muster import FollowFirst, StandAt

SQUARE = Rect(0.8, 0.8)
TABLE = shapely.box(0, 0, 20, 20)


def group(*places: Placed) -> PlacedSet:
    return PlacedSet(tuple(places))


def test_the_first_member_stands_at_its_point_and_the_others_anywhere() -> None:
    rule = StandAt("off-marker", "Rule", "the marker", (10.0, 10.0))
    here, far = Placed(SQUARE, Pose(10, 10, 30)), Placed(SQUARE, Pose(13, 14))
    assert list(rule.judge(group(here, far))) == []
    assert list(rule.judge(PlacedSet(()))) == []
    (breach,) = rule.judge(group(far, here))
    assert (breach.code, breach.member, breach.other) == ("off-marker", 0, "the marker")
    assert breach.measured == pytest.approx(5.0)
    assert breach.required == Limit("at_most", 0.0)
    assert breach.witness == Witness(line=((10.0, 10.0), (13.0, 14.0)))
    assert rule.carve(TABLE, SQUARE, 0.0).equals(TABLE)
    assert list(rule.ground()) == []


def test_a_distance_from_the_point_counts_exactly() -> None:
    near, far = (StandAt("c", "r", "p", (0.0, 0.0), d) for d in (5.0, 4.99))
    members = group(Placed(SQUARE, Pose(3, 4)))
    assert list(near.judge(members)) == []
    assert len(list(far.judge(members))) == 1


def test_two_inches_run_from_base_to_base_or_to_the_far_side() -> None:
    first = Placed(SQUARE, Pose(5, 5))
    at, past = Placed(SQUARE, Pose(7.8, 5)), Placed(SQUARE, Pose(7.81, 5))
    near = FollowFirst("too-far", "Rule", 2.0)
    assert list(near.judge(group(first, at))) == []
    (breach,) = near.judge(group(first, at, past))
    assert (breach.member, breach.other) == (2, "#0")
    assert breach.measured == pytest.approx(2.01)
    wholly = FollowFirst("too-far", "Rule", 2.0, wholly=True)
    assert wholly.measured(at, first) == pytest.approx(2.8)
    assert list(wholly.judge(group(first, Placed(SQUARE, Pose(7.0, 5))))) == []
    disc = Placed(Round(1.0), Pose(5, 5))
    assert wholly.measured(Placed(Round(1.0), Pose(8, 5)), disc) == pytest.approx(3.0)


def test_without_a_first_member_nothing_is_carved_or_drawn() -> None:
    rule = FollowFirst("too-far", "Rule", 2.0)
    assert rule.carve(TABLE, SQUARE, 0.0).equals(TABLE)
    assert list(rule.ground()) == []


def test_the_reach_is_drawn_about_the_first() -> None:
    (ground,) = FollowFirst("too-far", "Rule", 2.0, first=Placed(Round(1.0), Pose(5, 5))).ground()
    assert ground.kind == "reach"
    assert ground.area.area == pytest.approx(math.pi * 2.5**2, rel=1e-3)


def test_the_region_of_squares_has_the_area_that_a_pencil_finds() -> None:
    first = Placed(SQUARE, Pose(10, 10))
    region = FollowFirst("too-far", "Rule", 2.0, first=first).carve(TABLE, SQUARE, 0.0)
    assert region.area == pytest.approx(4 * 1.6 * 2 + math.pi * 4, rel=1e-3)
    assert not region.contains(shapely.Point(10, 10))


bases = st.sampled_from([SQUARE, Rect(0.8, 2.0), Round(1.0), Oval(2.0, 1.2)])


@settings(deadline=None, max_examples=150, derandomize=True)
@given(bases, bases, st.floats(0, 360), st.floats(0, 360), st.floats(-4, 4), st.floats(-4, 4), st.booleans())
def test_region_and_verdict_agree(
    one: Base, two: Base, turn: float, facing: float, dx: float, dy: float, wholly: bool
) -> None:
    first = Placed(one, Pose(10, 10, turn))
    rule = FollowFirst("too-far", "Rule", 2.0, wholly, first)
    region = rule.carve(TABLE, two, facing)
    point = shapely.Point(10 + dx, 10 + dy)
    if not region.is_empty and region.boundary.distance(point) < 5e-3:
        return
    more = Placed(two, Pose(10 + dx, 10 + dy, facing))
    legal = not list(rule.judge(group(first, more))) and not first.polygon.intersects(more.polygon)
    assert region.contains(point) == legal
