"""Which side is closest: hand-made rectangles, turned ones against a slow search, and ties."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.geometry import Oval, Placed, Pose, Rect, Round
from sim.geometry.sides import FACED, Side, closest_sides, compass, faced_boundary, sides_of

BLOCK = ((30.0, 20.0), (35.0, 20.0), (35.0, 24.0), (30.0, 24.0))
turns = st.floats(-720, 720)
spots = st.tuples(st.floats(-20, 20), st.floats(-20, 20))


def slow_distance(side: Side, point: tuple[float, float]) -> float:
    """The least of many distances along the side."""
    shares = [k / 20000 for k in range(20001)]
    (ax, ay), (bx, by) = side.start, side.end
    return min(math.dist(point, (ax + s * (bx - ax), ay + s * (by - ay))) for s in shares)


def test_a_side_knows_its_length_normal_and_nearest_point() -> None:
    south, east, north, west = sides_of(BLOCK)
    assert [side.name for side in (south, east, north, west)] == ["south", "east", "north", "west"]
    assert (south.length, east.length) == (5.0, 4.0)
    assert south.normal == (0.0, -1.0)
    assert east.heading == 0.0
    assert west.middle == (30.0, 22.0)
    assert west.nearest((31.0, 21.5)) == (30.0, 21.5)
    assert west.nearest((31.0, 99.0)) == (30.0, 24.0)
    assert west.distance((31.0, 21.5)) == west.distance((29.0, 21.5)) == 1.0


def test_an_outline_may_run_either_way() -> None:
    names = {side.name: side.middle for side in sides_of(BLOCK)}
    assert {side.name: side.middle for side in sides_of(BLOCK[::-1])} == names


def test_names_follow_the_first_corner() -> None:
    assert [s.name for s in sides_of(BLOCK, FACED)] == list(FACED)
    assert sides_of(BLOCK, FACED)[0].start == BLOCK[0]


def test_the_ground_beyond_a_side_begins_at_its_line() -> None:
    west = sides_of(BLOCK)[3]
    ground = west.beyond(10.0)
    assert ground.bounds == (20.0, 12.0, 30.0, 32.0)


def test_equally_near_sides_are_all_closest() -> None:
    sides = sides_of(BLOCK)
    assert [s.name for s in closest_sides(sides, (31.0, 21.0))] == ["south", "west"]
    assert [s.name for s in closest_sides(sides, (31.0, 21.0 + 1e-7))] == ["south", "west"]
    assert [s.name for s in closest_sides(sides, (31.0, 21.001))] == ["west"]


@pytest.mark.parametrize(("heading", "name"), [(0, "east"), (44, "east"), (46, "north"), (180, "west"), (269, "south")])
def test_headings_have_names(heading: float, name: str) -> None:
    assert compass(heading) == name


@settings(deadline=None, max_examples=60, derandomize=True)
@given(turns, spots, st.floats(0.3, 6), st.floats(0.3, 6))
def test_the_closest_side_of_a_turned_base_is_that_of_a_slow_search(
    facing: float, at: tuple[float, float], width: float, depth: float
) -> None:
    placed = Placed(Rect(width, depth), Pose(*at, facing))
    sides = sides_of(faced_boundary([placed], facing), FACED)
    assert [side.name for side in sides] == list(FACED)
    point = (at[0] + 0.17 * width, at[1] - 0.11 * depth)
    slow = {side.name: slow_distance(side, point) for side in sides}
    closest = closest_sides(sides, point)
    assert slow[closest[0].name] == pytest.approx(min(slow.values()), abs=1e-3)
    front = next(side for side in sides if side.name == "front")
    assert math.cos(math.radians(front.heading - facing)) == pytest.approx(1.0)


@pytest.mark.parametrize("base", [Round(2.0), Oval(4.0, 2.0), Rect(2.0, 4.0)])
def test_a_boundary_holds_bases_of_any_kind(base: Round | Oval | Rect) -> None:
    length = 2.0 if isinstance(base, Round) else 4.0
    corners = faced_boundary([Placed(base, Pose(5.0, 5.0, 90.0)), Placed(base, Pose(5.0, 5.0 + length, 90.0))], 90.0)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    assert (min(xs), max(xs)) == pytest.approx((4.0, 6.0))
    assert (min(ys), max(ys)) == pytest.approx((5.0 - length / 2, 5.0 + 1.5 * length))
