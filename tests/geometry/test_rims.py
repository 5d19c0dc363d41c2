"""The rims of grown ovals: areas known by formula, crossings, cusps, and the region of an oval base."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from sim.geometry import Constraint, KeepClear, Obstacles, Oval, Placed, PlacedSet, Pose, Rect, Round, StayNear
from sim.geometry.arcs import ArcRegion, exact_region
from sim.geometry.rims import NO_OVAL, full_rims, green, lines_along, nearest_on, points_of, without_cusps
from sim.geometry.wholly_near import StayWithin

TABLE = shapely.box(0, 0, 60, 44)
A, B = 2.35, 1.8  # inches, the half axes of the oval whose centre is asked for
INNER = (60 - 2 * A) * (44 - 2 * B)


def clear(*placed: Placed, distance: float = 9.0) -> KeepClear:
    """Keep more than a distance from these bases."""
    return KeepClear("c", "r", Obstacles(PlacedSet.of(placed), tuple(map(str, range(len(placed))))), distance)


def region_of(*constraints: Constraint, facing: float = 0.0) -> ArcRegion:
    """The region of an oval base on the table."""
    return exact_region(constraints, Oval(2 * A, 2 * B), facing, TABLE)


def around(a: float, b: float) -> float:
    """The length of an ellipse's edge, by the arithmetic-geometric mean."""
    x, y, power, total = a, b, 0.5, (a * a + b * b) / 2
    squares = 0.0
    while abs(x - y) > 1e-16:
        x, y, gap = (x + y) / 2, math.sqrt(x * y), (x - y) / 2
        power *= 2
        squares += power * gap * gap
    return 2 * math.pi * (total - squares) / x if x else 0.0


def grown(a: float, b: float, radius: float) -> float:
    """The area of an ellipse grown by a radius."""
    return math.pi * a * b + around(a, b) * radius + math.pi * radius**2


def test_the_length_of_an_ellipse() -> None:
    t = np.linspace(0, 2 * np.pi, 200_001)
    points = np.column_stack((A * np.cos(t), B * np.sin(t)))
    assert around(A, B) == pytest.approx(float(np.hypot(*np.diff(points, axis=0).T).sum()), abs=1e-8)


def test_an_oval_alone_on_the_table() -> None:
    assert region_of().area == pytest.approx(INNER, abs=1e-9)


def test_an_oval_clear_of_a_disc() -> None:
    region = region_of(clear(Placed(Round(1.26), Pose(30, 22))))
    assert region.exact
    assert region.area == pytest.approx(INNER - grown(A, B, 9.63), abs=1e-8)


def test_an_oval_clear_of_one_of_its_kind() -> None:
    region = region_of(clear(Placed(Oval(2 * A, 2 * B), Pose(30, 22))), facing=0.0)
    assert region.area == pytest.approx(INNER - grown(2 * A, 2 * B, 9.0), abs=1e-8)


def test_a_disc_and_a_rectangle_clear_of_an_oval() -> None:
    foe = clear(Placed(Oval(2 * A, 2 * B), Pose(30, 22)), distance=1.0)
    region = exact_region([foe], Round(2.0), 0.0, TABLE)
    assert region.area == pytest.approx(58 * 42 - grown(A, B, 2.0), abs=1e-8)
    box = exact_region([foe], Rect(3.0, 5.0), 0.0, TABLE)
    taken = 15 + 2 * (5 * (B + 1) + 3 * (A + 1)) + grown(A, B, 1.0)
    assert box.area == pytest.approx(55 * 41 - taken, abs=1e-8)


@pytest.mark.parametrize("distance", [0.0, 1.0])
def test_an_oval_clear_of_a_wall(distance: float) -> None:
    wall = Placed(Rect(6.0, 4.0), Pose(30, 22, 0.0))
    region = region_of(clear(wall, distance=distance), facing=0.0)
    taken = 24 + 2 * (6 * (A + distance) + 4 * (B + distance)) + grown(A, B, distance)
    assert region.area == pytest.approx(INNER - taken, abs=1e-8)


def test_a_wall_with_a_notch() -> None:
    corner = shapely.Polygon([(20, 10), (40, 10), (40, 30), (38, 30), (38, 12), (20, 12)])
    from sim.geometry import Hull

    wall = Placed(Hull(tuple((float(x), float(y)) for x, y in shapely.get_coordinates(corner)[:-1])), Pose(0, 0))
    region = region_of(clear(wall, distance=0.0))
    fine = np.column_stack([axis * np.r_[f(np.linspace(0, 2 * np.pi, 4001))] for axis, f in ((A, np.cos), (B, np.sin))])
    taken = [
        shapely.convex_hull(shapely.multipoints((np.array(part)[:, None, :] + fine[None]).reshape(-1, 2)))
        for part in ([(20, 10), (40, 10), (40, 12), (20, 12)], [(38, 10), (40, 10), (40, 30), (38, 30)])
    ]
    assert region.area == pytest.approx(INNER - shapely.union_all(taken).area, abs=1e-4)


def test_wholly_near_a_point_without_cusps() -> None:
    near = StayWithin("c", "r", Obstacles(PlacedSet.of([Placed(Round(2.0), Pose(30, 22))]), ("t",)), 8.0)
    region = region_of(near)
    assert region.exact
    assert region.area == pytest.approx(math.pi * 81 - around(A, B) * 9 + math.pi * A * B, abs=1e-8)


@pytest.mark.parametrize("reach", [2.4, 2.6, 3.0])
def test_wholly_near_a_point_where_the_oval_is_the_blunter_one(reach: float) -> None:
    near = StayNear("c", "r", (("p", shapely.Point(30, 22)),), reach)
    region = region_of(near)
    t = np.linspace(0, 2 * np.pi, 20_000, endpoint=False)
    edge = np.column_stack((A * np.cos(t), B * np.sin(t)))
    x, y = np.meshgrid(np.linspace(28, 32, 401), np.linspace(20, 24, 401))
    spots = np.column_stack((x.ravel(), y.ravel()))
    far = np.array([np.hypot(*(spot - (30, 22) + edge[::40]).T).max() for spot in spots])
    assert region.area == pytest.approx(np.mean(far <= reach) * 16, abs=0.02)
    assert region.polygons.is_valid
    assert region.polygons.area == pytest.approx(region.area, abs=0.02)


def test_an_oval_wholly_near_an_oval() -> None:
    target = Placed(Oval(8.0, 5.0), Pose(30, 22, 25.0))
    near = StayWithin("c", "r", Obstacles(PlacedSet.of([target]), ("t",)), 3.0)
    region = region_of(near, facing=70.0)
    assert region.exact
    points = np.random.default_rng(5).uniform((23, 15), (37, 29), (3000, 2))
    members = PlacedSet.of(Placed(Oval(2 * A, 2 * B), Pose(float(x), float(y), 70.0)) for x, y in points)
    bad = {breach.member for breach in near.judge(members)}
    assert set(np.flatnonzero(~region.contains(points)).tolist()) == bad
    assert region.area == pytest.approx(196 * (1 - len(bad) / 3000), abs=12)
    assert region.polygons.area == pytest.approx(region.area, abs=0.05)


@pytest.mark.parametrize("seed", range(8))
def test_areas_and_polygons_agree_on_crowded_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    foes = [
        Placed(base, Pose(*(float(v) for v in rng.uniform((0, 0, 0), (60, 30, 360)))))
        for base in [*(Round(1.26) for _ in range(8)), *(Oval(4.1, 2.8) for _ in range(6))]
    ]
    walls = [
        Placed(Rect(3.0, 0.4), Pose(*(float(v) for v in rng.uniform((5, 25, 0), (55, 42, 360))))) for _ in range(8)
    ]
    constraints = [clear(*foes, distance=float(rng.uniform(1, 6))), clear(*walls, distance=0.0)]
    region = region_of(*constraints, facing=float(rng.uniform(0, 360)))
    assert region.polygons.is_valid
    length = float(shapely.length(region.polygons))
    assert abs(region.polygons.area - region.area) < 0.002 * length + 1e-6
    inside = shapely.get_coordinates(shapely.buffer(region.polygons, -0.003))
    assert bool(region.contains(inside).all())
    outside = shapely.get_coordinates(shapely.buffer(region.polygons, 0.003))
    on_table = shapely.contains_xy(shapely.box(0, 0, 60, 44), outside[:, 0], outside[:, 1])
    assert not region.contains(outside[on_table]).any()


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_place_is_the_nearest_point_of_the_border(seed: int) -> None:
    rng = np.random.default_rng(seed)
    foes = [Placed(Oval(4.1, 2.8), Pose(*(float(v) for v in rng.uniform((0, 0, 0), (60, 44, 360))))) for _ in range(7)]
    region = region_of(clear(*foes, distance=5.0), facing=30.0)
    for point in rng.uniform((0, 0), (60, 44), (20, 2)):
        spot = (float(point[0]), float(point[1]))
        found = region.nearest(spot)
        assert found is not None
        fine = shapely.distance(region.polygons, shapely.Point(spot))
        assert math.dist(spot, found) == pytest.approx(fine, abs=0.0025)
        if found != spot:
            assert bool(region.contains(np.array([region.beside(found, 1e-5)]))[0])


def test_a_rim_in_pieces_has_the_area_of_the_whole() -> None:
    rim = full_rims(np.array([[30.0, 22.0]]), (-2.0, -1.0, 0.3), NO_OVAL, 3.0)
    pieces = without_cusps(rim)
    assert len(pieces) > 1
    assert green(pieces) == pytest.approx(green(rim), abs=1e-10)
    line = lines_along(rim, 0.002)[0]
    assert np.hypot(*(line[0] - line[-1])) < 1e-9


def test_the_nearest_point_of_a_rim() -> None:
    rim = full_rims(np.array([[1.0, 2.0]]), (3.0, 1.0, 0.5), (2.0, 1.5, 1.0), 4.0)
    heading = np.linspace(0, 2 * np.pi, 100_001)
    for point in ((9.0, 9.0), (1.0, 2.5), (-20.0, 3.0)):
        away = points_of(np.tile(rim, (len(heading), 1)), heading) - np.array(point)
        assert nearest_on(rim, point)[0] == pytest.approx(float(np.hypot(*away.T).min()), abs=1e-8)
