"""Is the farthest point found, and do verdict and region agree about it?"""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon

from geometry.shapes_at_random import CONVEX, KINDS, Kind, base_of
from sim.geometry import Hull, Obstacles, Oval, Placed, PlacedSet, Pose, Round
from sim.geometry.shapes import ellipse_points
from sim.geometry.wholly_near import StayWithin, farthest_from

BOX = shapely.box(-30, -30, 30, 30)


def outline(placed: Placed, count: int = 3000) -> Polygon:
    """The footprint, curves as many straight pieces."""
    if placed.kind == "polygon":
        return placed.polygon
    return Polygon(ellipse_points(placed.pose, *placed.semi_axes, count=count))


def pair(one: Kind, other: Kind, seed: int) -> tuple[Placed, Placed]:
    """Two bases a few inches apart."""
    rng = np.random.default_rng(seed)
    angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(3, 9)
    pose = Pose(far * math.cos(angle), far * math.sin(angle), float(rng.uniform(0, 360)))
    return Placed(base_of(one, rng), Pose(0, 0, float(rng.uniform(0, 360)))), Placed(base_of(other, rng), pose)


def near(target: Placed, distance: float, vertical: float | None = None) -> StayWithin:
    return StayWithin("far", "Nearness", Obstacles(PlacedSet((target,)), ("boat",)), distance, vertical)


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_no_point_of_the_edge_lies_farther(one: Kind, other: Kind) -> None:
    for seed in range(3):
        base, target = pair(one, other, seed)
        rim = shapely.get_coordinates(shapely.segmentize(shapely.boundary(outline(base)), 0.01))
        walked = float(shapely.distance(shapely.points(rim), outline(target)).max())
        assert walked <= farthest_from(base, target) + 1e-5  # the drawn target is a hair small
        assert farthest_from(base, target) == pytest.approx(walked, abs=1e-4)


def test_round_beside_round_is_what_everybody_knows() -> None:
    base, target = Placed(Round(1.0), Pose(5, 0)), Placed(Round(2.0), Pose(0, 0))
    assert farthest_from(base, target) == pytest.approx(4.5, abs=1e-12)
    assert not list(near(target, 4.5).judge(PlacedSet((base,))))
    (breach,) = near(target, 4.499).judge(PlacedSet((base,)))
    assert breach.measured == pytest.approx(4.5, abs=1e-12)
    assert breach.other == "boat"
    assert breach.witness.line == (pytest.approx((1.0, 0.0)), pytest.approx((5.5, 0.0)))


def test_a_base_beneath_the_other_still_has_a_farthest_point() -> None:
    base = Placed(Round(4.0), Pose(0.2, 0))
    assert farthest_from(base, Placed(Round(2.0), Pose(0, 0))) == pytest.approx(1.2, abs=1e-9)


def test_heights_count_where_they_are_asked() -> None:
    base, target = Placed(Round(1.0), Pose(2, 0, 0, 5.5)), Placed(Oval(2.0, 1.0), Pose(0, 0))
    assert not list(near(target, 3.0).judge(PlacedSet((base,))))
    (breach,) = near(target, 3.0, vertical=5.0).judge(PlacedSet((base,)))
    assert (breach.measured, breach.required.value) == (5.5, 5.0)
    assert not list(near(target, 3.0, vertical=5.5).judge(PlacedSet((base,))))


def test_any_one_of_several_will_do() -> None:
    boats = PlacedSet((Placed(Round(1.0), Pose(-20, 0)), Placed(Round(1.0), Pose(0, 0))))
    rule = StayWithin("far", "Nearness", Obstacles(boats, ("a", "b")), 3.0)
    assert not list(rule.judge(PlacedSet((Placed(Round(1.0), Pose(2, 0)),))))
    (breach,) = rule.judge(PlacedSet((Placed(Round(1.0), Pose(5, 0)),)))
    assert breach.other == "b"
    assert not list(StayWithin("far", "Nearness", Obstacles(PlacedSet(()), ()), 3.0).judge(boats))


@pytest.mark.parametrize("kind", CONVEX)
def test_region_and_verdict_agree_off_the_border(kind: Kind) -> None:
    rng = np.random.default_rng(5)
    target = Placed(Hull(((-2, -1), (2, -1), (3, 0), (2, 1), (-2, 1))), Pose(1, 1, 30))
    rule = near(target, 6.0)
    base = base_of(kind, rng)
    region = rule.carve(BOX, base, 20.0)
    compared = set()
    for x, y in rng.uniform(-9, 9, (150, 2)):
        if shapely.distance(shapely.boundary(region), Point(x, y)) < 2e-3:
            continue
        legal = not list(rule.judge(PlacedSet((Placed(base, Pose(x, y, 20.0)),))))
        assert legal == region.covers(Point(x, y))
        compared.add(legal)
    assert False in compared
    (ground,) = rule.ground()
    assert ground.kind == "reach"
