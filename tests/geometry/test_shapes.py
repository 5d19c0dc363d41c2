"""Which bases and poses can stand on a table, and what do they look like there?"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest
import shapely

from geometry.oracle import Ellipses, outline_on_table
from geometry.shapes_at_random import KINDS, Kind, for_oracle, placed
from sim.geometry import Hull, Oval, Placed, PlacedSet, Point, Pose, Rect, Round, ShapeError, check_outline

BAD_NUMBERS = [math.nan, math.inf, -math.inf]
BAD_SIZES = [*BAD_NUMBERS, 0.0, -1.0, -0.0]


@pytest.mark.parametrize("bad", BAD_SIZES)
@pytest.mark.parametrize(
    "make",
    [
        lambda v: Round(v),
        lambda v: Round.mm(v),
        lambda v: Oval(v, 1),
        lambda v: Oval(1, v),
        lambda v: Oval.mm(v, 1),
        lambda v: Rect(v, 1),
        lambda v: Rect(1, v),
        lambda v: Rect.mm(1, v),
    ],
)
def test_a_base_without_size_is_refused(make: Callable[[float], object], bad: float) -> None:
    with pytest.raises(ShapeError, match=r"base: expected (a finite number|more than 0 inches), got "):
        make(bad)


@pytest.mark.parametrize("bad", BAD_NUMBERS)
@pytest.mark.parametrize("field", ["x", "y", "facing", "z"])
def test_a_pose_without_a_place_is_refused(field: str, bad: float) -> None:
    with pytest.raises(ShapeError, match=r"pose: expected a finite number, got "):
        Pose(**{"x": 0.0, "y": 0.0, field: bad})


@pytest.mark.parametrize(
    ("outline", "text"),
    [
        ((), "needs at least 3 corners, got 0"),
        (((0, 0), (1, 0)), "needs at least 3 corners, got 2"),
        (((0, 0), (1, 0), (0, 0)), "outline"),
        (((0, 0), (0, 0), (0, 0)), "outline"),
        (((0, 0), (1, 0), (2, 0)), "encloses no area"),
        (((0, 0), (1, 1), (1, 0), (0, 1)), r"crosses itself near \(0\.5, 0\.5\)"),
        (((0, 0), (4, 0), (4, 4), (2, -1), (0, 4)), "crosses itself near"),
        (((0, 0), (2, 0), (2, 2), (1, 0), (0, 2)), "outline"),  # touches its own side
        (((0, 0), (math.nan, 0), (0, 1)), "expected a finite number, got nan"),
        (((0, 0), (math.inf, 0), (0, 1)), "expected a finite number, got inf"),
        (((0, 0), (1e-6, 0), (0, 1e-6)), "encloses no area"),
    ],
)
def test_an_outline_that_is_no_polygon_is_refused(outline: tuple[Point, ...], text: str) -> None:
    with pytest.raises(ShapeError, match=text):
        Hull(outline)
    with pytest.raises(ShapeError, match=r"^ruins-3: "):
        check_outline("ruins-3", outline)


@pytest.mark.parametrize("outline", [((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0,), (1,), (2,))])
def test_corners_that_are_no_pairs_are_refused(outline: tuple[Point, ...]) -> None:
    with pytest.raises(ShapeError):
        Hull(outline)


def test_either_sense_and_a_closing_corner_are_fine() -> None:
    corners = ((0.0, 0.0), (2.0, 0.0), (1.0, 1.0))
    for outline in (corners, corners[::-1], (*corners, corners[0])):
        assert Placed(Hull(outline), Pose(0, 0)).polygon.area == pytest.approx(1.0)


def test_values_are_frozen_hashable_and_equal_by_content() -> None:
    for value in (Pose(1, 2), Round(1), Oval(2, 1), Rect(1, 2), Hull(((0, 0), (1, 0), (0, 1)))):
        assert value == dataclasses.replace(value)
        assert hash(value) == hash(dataclasses.replace(value))
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, 3)


def test_millimetres_are_inches_of_25_4() -> None:
    assert Round.mm(25.4) == Round(1.0)
    assert Oval.mm(254, 127) == Oval(10, 5)
    assert Rect.mm(50.8, 25.4) == Rect(2, 1)


def test_the_length_of_an_oval_lies_along_its_facing_and_the_width_of_a_rect_across() -> None:
    assert Placed(Oval(4, 2), Pose(1, 1, 0)).bounds == pytest.approx((-1, 0, 3, 2))
    assert Placed(Oval(4, 2), Pose(1, 1, 90)).bounds == pytest.approx((0, -1, 2, 3))
    assert Placed(Rect(4, 2), Pose(1, 1, 0)).bounds == pytest.approx((0, -1, 2, 3))
    assert Placed(Rect(4, 2), Pose(1, 1, 90)).bounds == pytest.approx((-1, 0, 3, 2))
    tip = Hull(((3, 0), (-1, 1), (-1, -1)))
    assert Placed(tip, Pose(1, 1, 90)).bounds == pytest.approx((0, 0, 2, 4))


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_radius_and_footprint_against_samples(kind: Kind) -> None:
    rng = np.random.default_rng([1, KINDS.index(kind)])
    for _ in range(60):
        base = placed(kind, rng)
        shape = for_oracle([base])
        if isinstance(shape, Ellipses):
            rim = shape.rim(np.linspace(0, 2 * math.pi, 4001)[None])[0]
            tolerance = 1e-5
        else:
            rim, tolerance = shape.corners[0], 1e-12
        bounds = np.concatenate((rim.min(axis=0), rim.max(axis=0)))
        assert base.bounds == pytest.approx(bounds, abs=tolerance)
        inside = np.array(base.bounds) - bounds
        assert np.all(inside[:2] <= 1e-12)
        assert np.all(inside[2:] >= -1e-12)
        reach = np.hypot(*(rim - base.pose.at).T).max()
        assert reach - 1e-12 <= base.radius <= reach + tolerance
        hull = shapely.Polygon(rim)
        assert base.polygon.symmetric_difference(hull).area < (2e-3 * hull.area if kind in ("round", "oval") else 1e-9)


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, -720.0, 33.3, 1e6])
def test_corners_are_turned_about_the_pose(degrees: float) -> None:
    outline = ((2.0, 0.0), (-1.0, 1.0), (-1.0, -1.0))
    base = Placed(Hull(outline), Pose(5, -3, degrees))
    assert np.array(base.corners) == pytest.approx(outline_on_table(outline, 5, -3, degrees), abs=1e-9)
    assert len(Placed(Rect(1, 2), Pose(0, 0, degrees)).corners) == 4
    assert Placed(Round(1), Pose(0, 0)).corners == ()


def test_a_set_keeps_order_and_columns() -> None:
    rng = np.random.default_rng(2)
    members = [placed(kind, rng) for kind in KINDS]
    group = PlacedSet.of(iter(members))
    assert len(group) == len(KINDS)
    assert list(group) == members
    assert group[3] is members[3]
    assert group.x.tolist() == [m.pose.x for m in members]
    assert group.y.tolist() == [m.pose.y for m in members]
    assert group.z.tolist() == [0.0] * len(KINDS)
    assert np.degrees(group.facing) == pytest.approx([m.pose.facing for m in members])
    assert group.is_round.tolist() == [True, False, False, False, False]
    assert group.is_polygon.tolist() == [False, False, True, True, True]
    assert group.bounds.tolist() == [list(m.bounds) for m in members]
    assert list(group.take(np.array([4, 0]))) == [members[4], members[0]]
    assert list(group.take(group.is_polygon)) == members[2:]


def test_an_empty_set_has_empty_columns() -> None:
    empty = PlacedSet.of(())
    assert len(empty) == 0
    assert empty.x.shape == empty.facing.shape == empty.is_round.shape == (0,)
    assert empty.bounds.shape == (0, 4)
    assert len(empty.polygons) == 0
