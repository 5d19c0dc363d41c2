"""Is the distance to ground with discs cut out of it what walking along its border finds?"""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon

from geometry.shapes_at_random import CONVEX, Kind, base_of
from sim.geometry import Base, Oval, Placed, PlacedSet, Pose, Rect, Round
from sim.geometry.arcs import exact_region
from sim.geometry.cut_ground import CutGround, KeepOff
from sim.geometry.shapes import ellipse_points
from tests.thoroughly import some

OUTLINE = ((0.0, 0.0), (30.0, 0.0), (30.0, 22.0), (12.0, 22.0), (12.0, 12.0), (0.0, 12.0))
DISCS = (((30.0, 22.0), 9.0), ((6.0, 12.0), 3.0))
GROUND = CutGround(OUTLINE, DISCS)
BOX = shapely.box(-20, -20, 60, 60)


def walked() -> Polygon:
    """The ground with its arcs as very many straight pieces."""
    area = Polygon(OUTLINE)
    for centre, radius in DISCS:
        area = area.difference(Point(centre).buffer(radius, quad_segs=400))
    return area


@pytest.mark.parametrize("kind", CONVEX)
def test_gaps_and_overlaps_are_those_of_the_drawn_ground(kind: Kind) -> None:
    rng = np.random.default_rng(11)
    area, seen = walked(), set()
    for _ in range(60):
        x, y = rng.uniform(-3, 38), rng.uniform(-3, 30)
        placed = Placed(base_of(kind, rng), Pose(float(x), float(y), float(rng.uniform(0, 360))))
        rim = placed.polygon
        if placed.kind == "ellipse":
            rim = Polygon(ellipse_points(placed.pose, *placed.semi_axes, count=2000))
        apart, found = float(rim.distance(area)), GROUND.separation(placed)
        if apart > 1e-3:
            assert found == pytest.approx(apart, abs=1e-4)
        elif rim.intersection(area).area > 1e-2:
            assert found < 0
        seen.add(found < 0)
    assert seen == {True, False}


def test_in_the_middle_of_a_disc_the_border_is_a_radius_away() -> None:
    ground = CutGround(((0, 0), (40, 0), (40, 40), (0, 40)), (((20.0, 20.0), 6.0),))
    assert ground.separation(Placed(Round(2.0), Pose(20, 20))) == pytest.approx(5.0, abs=1e-9)
    assert ground.separation(Placed(Round(2.0), Pose(22, 20))) == pytest.approx(3.0, abs=1e-9)
    assert ground.separation(Placed(Round(2.0), Pose(25, 20))) == pytest.approx(0.0, abs=1e-9)
    assert ground.separation(Placed(Round(2.0), Pose(25.1, 20))) == pytest.approx(-0.1, abs=1e-9)
    assert not list(KeepOff("in", "Zone", "zone", ground, 0.0, strict=False).judge(at(25, 20)))
    (breach,) = KeepOff("in", "Zone", "zone", ground, 0.0, strict=False).judge(at(25.1, 20))
    assert breach.measured == pytest.approx(-0.1, abs=1e-9)


def at(x: float, y: float) -> PlacedSet:
    return PlacedSet((Placed(Round(2.0), Pose(x, y)),))


def test_without_discs_it_is_the_outline() -> None:
    ground = CutGround(((0, 0), (10, 0), (10, 10), (0, 10)))
    keep = KeepOff("near", "Zone", "zone", ground, 9.0)
    (breach,) = keep.judge(at(20, 5))
    assert breach.measured == pytest.approx(9.0, abs=1e-12)
    assert str(breach.required) == 'more than 9"'
    assert breach.witness.line is not None
    assert not list(keep.judge(at(20.001, 5)))
    (inside,) = keep.judge(at(5, 5))
    assert inside.measured == 0.0


@pytest.mark.parametrize("kind", CONVEX)
@pytest.mark.parametrize("distance", [0.0, 9.0])
def test_region_and_verdict_agree_off_the_border(kind: Kind, distance: float) -> None:
    rng = np.random.default_rng(4)
    keep = KeepOff("near", "Zone", "zone", GROUND, distance, strict=distance > 0)
    base = base_of(kind, rng)
    region = keep.carve(BOX, base, 35.0)
    compared = set()
    for x, y in rng.uniform(-15, 50, (120, 2)):
        if shapely.distance(shapely.boundary(region), Point(x, y)) < 5e-3:
            continue
        legal = not list(keep.judge(PlacedSet((Placed(base, Pose(float(x), float(y), 35.0)),))))
        assert legal == region.covers(Point(x, y))
        compared.add(legal)
    assert compared == {True, False}
    (ground,) = keep.ground()
    assert ground.kind == "exclusion"


@pytest.mark.parametrize("distance", [0.0, 1.0])
@pytest.mark.parametrize("base", [Round(2.4), Oval(3.4, 2.0), Rect(2.0, 3.0)], ids=str)
def test_region_and_verdict_agree(base: Base, distance: float) -> None:
    keep = KeepOff("in", "Zone", "zone", GROUND, distance, strict=distance > 0)
    table = shapely.box(-10, -10, 45, 40)
    region = exact_region([keep], base, 25.0, table)
    assert region.exact
    points = np.random.default_rng(3).uniform((-4, -4), (36, 30), (some(2000), 2))
    members = PlacedSet.of(Placed(base, Pose(float(x), float(y), 25.0)) for x, y in points)
    bad = {breach.member for breach in keep.judge(members)}
    differ = set(np.flatnonzero(~region.contains(points)).tolist()) ^ bad
    assert not differ
    inside = shapely.contains_xy(region.polygons, points[:, 0], points[:, 1])
    near = shapely.distance(shapely.points(points), shapely.boundary(region.polygons)) < 0.003
    assert not np.any((inside != region.contains(points)) & ~near)
    assert region.polygons.area == pytest.approx(region.area, abs=0.3)


def test_the_room_in_a_disc_is_known_by_its_area() -> None:
    ground = CutGround(((0, 0), (40, 0), (40, 40), (0, 40)), (((20.0, 20.0), 6.0),))
    keep = KeepOff("in", "Zone", "zone", ground, 1.0, strict=True)
    region = exact_region([keep], Round(2.0), 0.0, shapely.box(5, 5, 35, 35))
    assert region.area == pytest.approx(np.pi * 16, abs=1e-9)
