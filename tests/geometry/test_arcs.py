"""The exact region of a round base: areas that are known by formula, borders, nearest points, and the judge's word."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry import (
    Base,
    Constraint,
    Hull,
    KeepClear,
    KeepTogether,
    Obstacles,
    Oval,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    StayInside,
    StayNear,
    judge,
    legal_region,
)
from sim.geometry.arcs import ArcRegion, exact_region
from sim.geometry.corners import CornersNear
from sim.geometry.formation import nearest_spot
from sim.geometry.wholly_near import StayWithin
from tests.thoroughly import some

TABLE = shapely.box(0, 0, 60, 44)
R = 0.7  # inches, the radius of the base whose centre is asked for
INNER = (60 - 2 * R) * (44 - 2 * R)


def clear(*placed: Placed, distance: float = 9.0) -> KeepClear:
    """Keep more than a distance from these bases."""
    return KeepClear("c", "r", Obstacles(PlacedSet.of(placed), tuple(map(str, range(len(placed))))), distance)


def disc(x: float, y: float, radius: float) -> Placed:
    """A round base."""
    return Placed(Round(2 * radius), Pose(x, y))


def exact(*constraints: Constraint, radius: float = R) -> ArcRegion:
    """The region of a round base on the table."""
    return exact_region(constraints, Round(2 * radius), 0.0, TABLE)


def lens(d: float, a: float, b: float) -> float:
    """What two discs of radius a and b share, their centres d apart."""
    x = (d * d + a * a - b * b) / (2 * d)
    y = d - x
    return (
        a * a * math.acos(x / a)
        - x * math.sqrt(a * a - x * x)
        + b * b * math.acos(y / b)
        - y * math.sqrt(b * b - y * y)
    )


def segment(radius: float, height: float) -> float:
    """The part of a disc beyond a straight line at a height from its centre."""
    return radius**2 * math.acos(height / radius) - height * math.sqrt(radius**2 - height**2)


def test_an_empty_table_is_shrunk_by_the_base() -> None:
    assert exact().area == pytest.approx(INNER, abs=1e-9)


def test_one_disc_in_the_middle() -> None:
    region = exact(clear(disc(30, 22, 0.5)))
    assert region.area == pytest.approx(INNER - math.pi * (9 + 0.5 + R) ** 2, abs=1e-8)


def test_two_discs_that_overlap() -> None:
    a, b = 9 + 0.5 + R, 9 + 1.0 + R
    region = exact(clear(disc(22, 22, 0.5), disc(34, 22, 1.0)))
    assert region.area == pytest.approx(INNER - math.pi * (a * a + b * b) + lens(12, a, b), abs=1e-8)


def test_a_disc_over_the_edge_of_the_table() -> None:
    reach = 9 + 0.5 + R
    region = exact(clear(disc(30, 5, 0.5)))
    cut = segment(reach, 5 - R)
    assert region.area == pytest.approx(INNER - (math.pi * reach * reach - cut), abs=1e-8)


def test_a_disc_inside_another_changes_nothing() -> None:
    alone = exact(clear(disc(30, 22, 3.0)))
    both = exact(clear(disc(30, 22, 3.0), disc(30.5, 22, 0.5)))
    assert both.area == pytest.approx(alone.area, abs=1e-9)


def test_a_wall_grown_by_the_base_has_round_corners() -> None:
    wall = Placed(Rect(4, 2), Pose(30, 22, 33))
    region = exact(KeepClear("c", "r", Obstacles(PlacedSet.of([wall]), ("w",)), 0.0, strict=False))
    grown = 4 * 2 + 2 * (4 + 2) * R + math.pi * R * R
    assert region.area == pytest.approx(INNER - grown, abs=1e-8)


def test_a_wall_with_a_notch() -> None:
    wall = Placed(Hull(((0, 0), (6, 0), (6, 6), (3, 6), (3, 3), (0, 3))), Pose(20, 15))
    region = exact(KeepClear("c", "r", Obstacles(PlacedSet.of([wall]), ("w",)), 0.0, strict=False))
    # Five outer corners are rounded; at the inner one the two strips share a square of R by R.
    grown = 27 + 24 * R - R * R + 5 * math.pi * R * R / 4
    assert region.area == pytest.approx(INNER - grown, abs=1e-8)


def test_a_zone_less_a_disc() -> None:
    zone = shapely.box(0, 22, 30, 44)
    region = exact(StayInside("c", "r", "zone", zone, (((30.0, 22.0), 9.0),)))
    width, height, reach = 30 - 2 * R, 22 - 2 * R, 9 + R
    # A quarter disc seen from a corner that lies R inside on both sides.
    x = math.sqrt(reach**2 - R**2)
    quarter = 0.5 * reach**2 * (math.acos(R / reach) - math.asin(R / reach)) - R * (x - R)
    assert region.area == pytest.approx(width * height - quarter, abs=1e-8)


def test_near_one_edge_or_another() -> None:
    left, right = shapely.LineString([(0, 0), (0, 44)]), shapely.LineString([(60, 0), (60, 44)])
    region = exact(StayNear("c", "r", (("left", left), ("right", right)), 6.0))
    assert region.area == pytest.approx(2 * (6 - 2 * R) * (44 - 2 * R), abs=1e-8)


def test_nowhere() -> None:
    region = exact(clear(*(disc(x, y, 1.0) for x in range(0, 61, 10) for y in range(0, 45, 11))))
    assert region.area == pytest.approx(0.0, abs=1e-9)
    assert region.nearest((30.0, 22.0)) is None
    assert region.polygons.is_empty


def test_the_nearest_point_is_on_the_border_and_no_other_is_nearer() -> None:
    region = exact(clear(disc(22, 22, 0.5), disc(34, 22, 1.0), disc(30, 8, 0.5)))
    rng = np.random.default_rng(5)
    grid = np.column_stack([v.ravel() for v in np.meshgrid(np.arange(0.05, 60, 0.1), np.arange(0.05, 44, 0.1))])
    legal = grid[region.contains(grid)]
    for point in rng.uniform((10, 5), (45, 35), (200, 2)):
        at = region.nearest((float(point[0]), float(point[1])))
        assert at is not None
        found = math.dist(at, point)
        assert found <= np.min(np.hypot(*(legal - point).T)) + 1e-9
        if found > 0:
            beside = region.beside(at, 1e-5)
            assert bool(region.contains(np.array([beside]))[0])
            assert math.dist(at, beside) <= 1e-5 + 1e-12


def table_of(rng: np.random.Generator) -> list[Constraint]:
    """Constraints of every kind on a crowded table."""
    bases = [Round(rng.uniform(0.8, 2.4)) for _ in range(12)]
    foes = [Placed(base, Pose(*(float(v) for v in rng.uniform((0, 0), (60, 30))))) for base in bases]
    foes.append(Placed(Oval(4.7, 3.6), Pose(40.0, 30.0, float(rng.uniform(0, 360)))))
    walls = [
        Placed(Rect(float(rng.uniform(0.2, 4)), 3.0), Pose(*(float(v) for v in rng.uniform((5, 25, 0), (55, 42, 360)))))
        for _ in range(8)
    ]
    return [
        clear(*foes, distance=float(rng.uniform(2, 9))),
        KeepClear("w", "r", Obstacles(PlacedSet.of(walls), tuple(f"w{k}" for k in range(8))), 0.0, strict=False),
        StayInside(
            "z", "r", "zone", shapely.Polygon([(0, 0), (60, 6), (57, 44), (20, 40), (0, 44)]), (((50.0, 12.0), 4.0),)
        ),
    ]


NOTCHED = Hull(((-1.5, -1.0), (1.5, -1.0), (1.5, 1.0), (0.5, 1.0), (0.5, 0.2), (-1.5, 0.2)))


@pytest.mark.parametrize(
    ("seed", "base"),
    [
        *((k, Round(2 * R)) for k in range(3)),
        (3, Rect(2.0, 3.5)),
        (4, NOTCHED),
        (5, Oval(4.7, 3.6)),
        (6, Oval(5.9, 1.6)),
    ],
    ids=str,
)
def test_region_and_verdict_agree_on_many_points(seed: int, base: Base) -> None:
    rng = np.random.default_rng(seed)
    constraints = table_of(rng)
    facing = float(rng.uniform(0, 360))
    region = exact_region(constraints, base, facing, TABLE)
    assert region.exact
    count = some(20_000 if isinstance(base, Oval) else 100_000)  # ovals are judged one by one
    points = rng.uniform((0, 0), (60, 44), (count, 2))
    said = region.contains(points)
    on_table = StayInside("t", "r", "table", TABLE)
    members = PlacedSet.of(Placed(base, Pose(float(x), float(y), facing)) for x, y in points)
    bad = {breach.member for breach in judge([constraints[0], constraints[1]], members)}
    by_judge = np.ones(len(points), dtype=bool)
    by_judge[list(bad)] = False
    for k in np.flatnonzero(by_judge):
        by_judge[k] = not any(judge([on_table, constraints[2]], PlacedSet((members[int(k)],))))
    differ = np.flatnonzero(said != by_judge)
    # Only the tolerance of the judge may tell them apart.
    for k in differ:
        point = (float(points[k, 0]), float(points[k, 1]))
        away = [disc_at(point, 1e-5, angle) for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False)]
        assert len(set(region.contains(np.array(away)).tolist())) == 2, f"disagreement far from any border at {point}"
    assert len(differ) < 3


def disc_at(point: tuple[float, float], radius: float, angle: float) -> tuple[float, float]:
    """A point beside a point."""
    return (point[0] + radius * math.cos(angle), point[1] + radius * math.sin(angle))


@pytest.mark.parametrize("seed", range(6))
def test_area_polygons_and_outlines_agree(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    constraints = table_of(rng)
    region = exact(*constraints)
    assert region.polygons.is_valid
    chords = 0.002 * float(shapely.length(region.polygons))
    assert region.polygons.area == pytest.approx(region.area, abs=chords)
    plain = legal_region(constraints, Round(2 * R), 0.0, TABLE)
    assert plain.area == pytest.approx(region.area, abs=0.5)
    assert region.polygons.symmetric_difference(plain).area < 0.6


def test_groups_and_single_members_are_left_out() -> None:
    group = KeepTogether("g", "r", 2.0, 5.0, 1)
    some = KeepClear("s", "r", Obstacles(PlacedSet.of([disc(30, 22, 1)]), ("x",)), 9.0, only=frozenset({1}))
    assert exact(group, some).area == pytest.approx(INNER, abs=1e-9)


def test_a_kind_of_constraint_without_a_border_is_taken_by_its_polygons() -> None:
    class West:
        code, rule = "o", "r"

        def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
            return region.intersection(shapely.box(-10, -10, 20, 60))

    region = exact(West())  # type: ignore[arg-type]
    assert not region.exact
    assert region.area == pytest.approx((20 - R) * (44 - 2 * R), abs=1e-9)
    assert region.nearest((30.0, 22.0)) == pytest.approx((20.0, 22.0), abs=1e-9)


def test_a_rectangle_about_a_disc() -> None:
    width, depth, reach = 2.0, 3.0, 9.5
    region = exact_region([clear(disc(30, 22, 0.5))], Rect(width, depth), 0.0, TABLE)
    taken = width * depth + 2 * (width + depth) * reach + math.pi * reach**2
    assert region.area == pytest.approx((60 - depth) * (44 - width) - taken, abs=1e-8)


def test_a_turned_rectangle_about_a_square() -> None:
    square = Placed(Rect(2.0, 2.0), Pose(30, 22))
    region = exact_region([clear(square, distance=1.0)], Rect(2.0, 2.0), 45.0, TABLE)
    octagon, around = 2 * 4 + 2 * 4 * math.sqrt(2), 16  # two squares of side 2, one turned by an eighth, added up
    diagonal = 2 * math.sqrt(2)
    taken = octagon + around * 1.0 + math.pi
    assert region.area == pytest.approx((60 - diagonal) * (44 - diagonal) - taken, abs=1e-8)


def test_three_of_four_corners_near_a_point() -> None:
    near = CornersNear("c", "r", (30.0, 22.0), 6.0, 3)
    region = exact_region([near], Rect(2.0, 2.0), 0.0, TABLE)
    assert region.exact
    rng = np.random.default_rng(1)
    points = rng.uniform((22, 14), (38, 30), (100_000, 2))
    corners = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    away = np.hypot(*(points[:, None, :] + corners - np.array([30.0, 22.0])).transpose(2, 0, 1))
    assert np.array_equal(region.contains(points), np.sum(away <= 6.0, axis=1) >= 3)
    share = np.mean(region.contains(points))
    assert region.area == pytest.approx(share * 256, abs=1.5)


@pytest.mark.parametrize("target", [Placed(Round(4.0), Pose(30, 22)), Placed(Rect(3, 6), Pose(30, 22, 20))], ids=str)
@pytest.mark.parametrize("base", [Round(1.26), Rect(1.0, 2.0)], ids=str)
def test_wholly_near_a_transport(target: Placed, base: Base) -> None:
    near = StayWithin("c", "r", Obstacles(PlacedSet((target,)), ("t",)), 3.0)
    region = exact_region([near], base, 30.0, TABLE)
    assert region.exact
    points = np.random.default_rng(2).uniform((22, 14), (38, 30), (2000, 2))
    members = PlacedSet.of(Placed(base, Pose(float(x), float(y), 30.0)) for x, y in points)
    bad = {breach.member for breach in near.judge(members)}
    assert set(np.flatnonzero(~region.contains(points)).tolist()) == bad
    plain = legal_region([near], base, 30.0, TABLE)
    assert plain.area == pytest.approx(region.area, abs=0.01)


FORMATIONS: list[list[Base]] = [
    [Round(2 * R)] * 5,
    [Round(1.0), Round(1.26), Round(1.57), Round(1.26), Round(1.0)],
    [Rect(0.98, 0.98)] * 5,
    [Round(1.26), Oval(2.36, 1.38), Round(1.26), Round(1.0), Round(1.26)],
    [NOTCHED, Round(1.0), Round(1.0), Round(1.0), Round(1.0)],
]


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_spot_of_a_formation_is_legal_and_not_farther_than_any_found_by_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    constraints = table_of(rng)[:2]
    on_table = StayInside("t", "r", "table", TABLE)
    constraints.append(on_table)
    start = tuple(Pose(25.0 + 2.6 * k, 20.0 + (k % 2), 15.0) for k in range(5))
    bases = FORMATIONS[seed]
    found = nearest_spot(constraints, bases, start, TABLE)
    assert found is not None

    def legal(dx: float, dy: float) -> bool:
        members = PlacedSet.of(Placed(b, Pose(p.x + dx, p.y + dy, p.facing)) for b, p in zip(bases, start, strict=True))
        return not any(judge(constraints, members))

    dx, dy = found[0].x - start[0].x, found[0].y - start[0].y
    assert legal(dx, dy)
    moved = math.hypot(dx, dy)
    for radius in np.arange(0.25, moved - 0.04, 0.25):
        for angle in np.linspace(0, 2 * np.pi, 72, endpoint=False):
            assert not legal(radius * math.cos(angle), radius * math.sin(angle)), "a nearer spot was legal"


def test_formations_that_cannot_be_answered() -> None:
    crowd = clear(*(disc(x, y, 0.1) for x in range(50) for y in range(40)), distance=0.1)
    assert nearest_spot([crowd], [Round(1.0)] * 2, (Pose(10, 10), Pose(13, 10)), TABLE) is None
    assert nearest_spot([], [Oval(99, 99)], (Pose(10, 10),), TABLE) is None
