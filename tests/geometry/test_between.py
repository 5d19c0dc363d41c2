"""Is everything that lies between a point and a boundary found, and nothing else?"""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon, box

from geometry.shapes_at_random import CONVEX, KINDS, placed
from sim.geometry import (
    Base,
    Hull,
    Obstacles,
    Oval,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    StayInside,
    legal_region,
    separation,
)
from sim.geometry.arcs import exact_region
from sim.geometry.between import NothingBetween

BLOCK = Placed(Rect(5.0, 2.0), Pose(20.0, 4.0, 90.0))
POINT = (20.0, 0.0)


def between(*bases: Placed, point: tuple[float, float] = POINT, touching: bool = False) -> NothingBetween:
    names = tuple(f"o{k}" for k in range(len(bases)))
    return NothingBetween("corridor-blocked", "Between", point, Obstacles(PlacedSet(bases), names), touching)


def hull(*corners: tuple[float, float]) -> Placed:
    return Placed(Hull(corners), Pose(0.0, 0.0))


def blocked(rule: NothingBetween, member: Placed = BLOCK) -> bool:
    return bool(list(rule.judge(PlacedSet((member,)))))


def test_a_corner_cut_off_is_between_though_the_middle_line_is_free() -> None:
    piece = hull((20.9, 0.2), (21.4, 0.2), (21.4, 1.5), (20.9, 1.5))
    (breach,) = between(piece).judge(PlacedSet((BLOCK,)))
    assert (breach.code, breach.member, breach.other) == ("corridor-blocked", 0, "o0")
    assert breach.measured > 0.01
    assert breach.witness.line is not None
    start, end = breach.witness.line
    assert start == POINT
    assert BLOCK.polygon.distance(Point(end)) < 1e-9
    assert shapely.LineString([start, end]).intersects(piece.polygon)
    assert len(breach.witness.outlines) == 2


@pytest.mark.parametrize(("touching", "is_blocked"), [(False, False), (True, True)])
def test_along_the_side_it_only_touches(touching: bool, is_blocked: bool) -> None:
    assert blocked(between(hull((20.5, 0.6), (23.5, 0.6), (21.6, 1.92)), touching=touching)) is is_blocked


def test_behind_or_beside_is_not_between() -> None:
    assert not blocked(between(hull((19, 5.5), (21, 5.5), (21, 7), (19, 7))))
    assert not blocked(between(hull((22.6, 1), (23.6, 1), (23.6, 2), (22.6, 2))))
    assert not blocked(between(hull((19, 4.5), (21, 4.5), (21, 7), (19, 7)))), "it overlaps from behind"


def test_every_obstacle_between_is_named() -> None:
    pieces = [hull((x, 1), (x + 0.3, 1), (x + 0.3, 2), (x, 2)) for x in (19.0, 20.0, 28.0)]
    found = list(between(*pieces).judge(PlacedSet((BLOCK, BLOCK))))
    assert [(b.member, b.other) for b in found] == [(0, "o0"), (0, "o1"), (1, "o0"), (1, "o1")]


@pytest.mark.parametrize("point", [(20.0, 3.0), (19.0, 4.0), (22.5, 3.0), (22.5, 4.0)])
def test_from_inside_or_on_the_boundary_nothing_can_be_between(point: tuple[float, float]) -> None:
    assert between(point=point).corridor(BLOCK) == ()
    assert not blocked(between(hull((19, 1), (21, 1), (21, 3.5), (19, 3.5)), point=point))


def test_a_point_off_a_corner_sees_two_edges() -> None:
    rule = between(point=(10.0, 0.0))
    triangles = rule.corridor(BLOCK)
    assert len(triangles) == 2
    whole = shapely.union_all([t.polygon for t in triangles])
    expected = shapely.convex_hull(shapely.union_all([BLOCK.polygon, Point(10, 0)])).difference(BLOCK.polygon)
    assert whole.symmetric_difference(expected).area < 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_as_hull_less_boundary(kind: str) -> None:
    """Against shapely's own hull and difference, for obstacles of every kind that clearly are or are not between."""
    rng = np.random.default_rng([11, len(kind)])
    compared = {True: 0, False: 0}
    for _ in range(400):
        member = Placed(Rect(float(rng.uniform(1, 7)), float(rng.uniform(1, 4))), Pose(*rng.uniform(-4, 4, 2), 40.0))
        obstacle = placed(kind, rng)  # type: ignore[arg-type]
        point = (float(rng.uniform(-9, 9)), float(rng.uniform(-9, 9)))
        corridor = shapely.convex_hull(shapely.union_all([member.polygon, Point(point)])).difference(member.polygon)
        shared = corridor.intersection(obstacle.polygon).area
        if 1e-9 < shared < 1e-3:
            continue
        told = blocked(between(obstacle, point=point), member)
        assert told is (shared >= 1e-3)
        compared[told] += 1
    assert min(compared.values()) > 20


def region_and_verdict(rule: NothingBetween, base: Base, facing: float, rng: np.random.Generator) -> dict[bool, int]:
    """Random centres, none of them where the base covers an obstacle's ground or near the border."""
    region = rule.carve(box(-15, -15, 15, 15), base, facing)
    counts = {True: 0, False: 0}
    for x, y in rng.uniform(-14, 14, (500, 2)):
        if not region.is_empty and region.boundary.distance(Point(x, y)) <= 2e-3:
            continue
        fine = not blocked(rule, Placed(base, Pose(float(x), float(y), facing)))
        assert region.contains(Point(x, y)) is fine, (x, y)
        counts[fine] += 1
    return counts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_region_and_verdict_agree_whatever_is_overlapped(kind: str, seed: int) -> None:
    rng = np.random.default_rng([5, len(kind), seed])
    obstacles = [placed(kind, rng, 6.0) for _ in range(3)]  # type: ignore[arg-type]
    point = (float(rng.uniform(-8, 8)), float(rng.uniform(-8, 8)))
    base = Rect(float(rng.uniform(1, 6)), float(rng.uniform(1, 4)))
    counts = region_and_verdict(between(*obstacles, point=point), base, float(rng.uniform(0, 360)), rng)
    assert counts[False]


def test_region_and_verdict_agree_for_a_round_base() -> None:
    rng = np.random.default_rng(8)
    obstacles = [placed(kind, rng, 6.0) for kind in CONVEX]
    assert min(region_and_verdict(between(*obstacles, point=(1.0, 8.0)), Round(2.4), 0.0, rng).values()) > 20


def test_from_under_an_obstacle_only_what_covers_the_point_is_free() -> None:
    rule = between(Placed(Round(3.0), Pose(0.0, 0.0)), point=(0.5, 0.0))
    region = rule.carve(box(-15, -15, 15, 15), Rect(4.0, 2.0), 0.0)
    assert region.symmetric_difference(box(-0.5, -2.0, 1.5, 2.0)).area < 1e-6


def test_the_shadow_is_of_the_obstacle_alone() -> None:
    obstacle = Placed(Oval(2.0, 1.0), Pose(0.0, 5.0))
    region = between(obstacle, point=(0.0, 0.0)).carve(box(-15, -15, 15, 15), Rect(1.0, 1.0), 90.0)
    assert region.contains(Point(0.0, 3.0))
    assert not region.contains(Point(0.0, 12.0))
    assert separation(obstacle, Placed(Rect(1.0, 1.0), Pose(0.0, 3.0))) > 0


def test_the_ground_is_the_corridor_of_the_figure() -> None:
    assert list(between().ground()) == []
    rule = NothingBetween("c", "r", POINT, between().obstacles, figure=BLOCK)
    (ground,) = rule.ground()
    assert ground.kind == "corridor"
    assert ground.area.symmetric_difference(Polygon([(20, 0), (22.5, 3), (17.5, 3)])).area < 1e-9
    assert math.isclose(ground.area.area, 7.5)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("base", [Rect(2.0, 5.0), Rect(4.0, 3.0)], ids=str)
def test_the_region_with_nothing_between_is_exact(base: Base, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds: tuple[Base, ...] = (Round(1.6), Oval(3.0, 1.4), Rect(2.0, 1.0))
    walls = PlacedSet.of(
        Placed(kind, Pose(*(float(v) for v in rng.uniform((12, 7, 0), (28, 23, 360))))) for kind in kinds
    )
    rule = NothingBetween("c", "r", (20.0, 15.0), Obstacles(walls, ("a", "b", "c")))
    table = shapely.box(0, 0, 40, 30)
    region = exact_region([rule], base, 35.0, table)
    assert region.exact
    points = rng.uniform((4, 4), (36, 26), (1500, 2))
    members = PlacedSet.of(Placed(base, Pose(float(x), float(y), 35.0)) for x, y in points)
    bad = {breach.member for breach in rule.judge(members)}
    assert set(np.flatnonzero(~region.contains(points)).tolist()) == bad
    edge = StayInside("t", "t", "table", table)
    plain = legal_region([edge, rule], base, 35.0, table)
    assert region.area == pytest.approx(plain.area, abs=0.02)
    assert region.polygons.area == pytest.approx(region.area, abs=0.15)
