"""Do the corners of a boundary lie where a player would put a finger, and does the region agree with the verdict?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import Point, box

from sim.geometry import Base, Hull, Oval, Placed, PlacedSet, Pose, Rect, Round
from sim.geometry.corners import CornersNear, boundary_corners

SHORT = 6.0 * (1 - math.cos(math.pi / 360)) + 1e-6  # inches by which a drawn arc may be short


def near(point: tuple[float, float] = (0.0, 0.0), distance: float = 6.0, needed: int = 3) -> CornersNear:
    return CornersNear("corner-too-far", "Near", point, distance, needed)


def test_corners_run_clockwise_from_the_front_left() -> None:
    block = Placed(Rect(4.0, 2.0), Pose(10.0, 5.0, 90.0))
    expected = ((8.0, 6.0), (12.0, 6.0), (12.0, 4.0), (8.0, 4.0))
    assert np.allclose(boundary_corners(block), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("base", "half"),
    [(Round(2.0), (1.0, 1.0)), (Oval(4.0, 2.0), (2.0, 1.0)), (Hull(((-2, -1), (2, 0), (-2, 1))), (2.0, 1.0))],
)
def test_any_base_has_the_corners_of_the_rectangle_about_it(base: Base, half: tuple[float, float]) -> None:
    x, y = half
    assert boundary_corners(Placed(base, Pose(0.0, 0.0))) == ((x, y), (x, -y), (-x, -y), (-x, y))


def test_the_third_nearest_corner_decides() -> None:
    block = Placed(Rect(5.0, 2.0), Pose(1.5, 4.6, 90.0))
    found = near().distances(block)
    assert sorted(found) == pytest.approx([3.736, 5.381, 5.689, 6.882], abs=1e-3)
    assert near().near(block) == 3
    assert list(near().judge(PlacedSet((block,)))) == []
    (breach,) = near(needed=4).judge(PlacedSet((block,)))
    assert breach.measured == pytest.approx(max(found), abs=1e-12)
    assert breach.witness.line is not None
    assert math.dist(*breach.witness.line) == pytest.approx(breach.measured, abs=1e-12)


@pytest.mark.parametrize(("further", "legal"), [(0.0, True), (1e-7, True), (1e-5, False)])
def test_exactly_the_distance_is_near(further: float, legal: bool) -> None:
    block = Placed(Rect(7.2, 2.0), Pose(0.0, 3.8 + further, 90.0))
    assert (not list(near().judge(PlacedSet((block,))))) is legal


@pytest.mark.parametrize("needed", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_region_and_verdict_agree(needed: int, seed: int) -> None:
    rng = np.random.default_rng([3, seed])
    base = Rect(float(rng.uniform(1, 8)), float(rng.uniform(1, 4)))
    facing = float(rng.uniform(-360, 360))
    rule = near((1.0, 2.0), 6.0, needed)
    region = rule.carve(box(-20, -20, 20, 20), base, facing)
    compared = {True: 0, False: 0}
    for x, y in rng.uniform(-9, 11, (800, 2)):
        if not region.is_empty and region.boundary.distance(Point(x, y)) <= SHORT:
            continue
        fine = not list(rule.judge(PlacedSet((Placed(base, Pose(float(x), float(y), facing)),))))
        assert region.contains(Point(x, y)) is fine
        compared[fine] += 1
    assert compared[True]
    assert compared[False]


def test_no_room_when_three_corners_cannot_share_a_disc() -> None:
    """The smallest disc about three corners of a rectangle has half its diagonal as radius."""
    table = box(-20, -20, 20, 20)
    assert near().carve(table, Rect(12.0, 3.0), 30.0).is_empty
    assert not near().carve(table, Rect(11.0, 3.0), 30.0).is_empty


def test_the_ground_is_the_disc_about_the_point() -> None:
    (disc,) = near((3.0, 4.0)).ground()
    assert disc.kind == "reach"
    assert disc.area.bounds == pytest.approx((-3.0, -2.0, 9.0, 10.0))
