"""Is there a way, is it legal, is none shorter? Ways worked out by hand, the exact judge, a search over a grid."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import shapely

from geometry.shapes_at_random import Rng, placed
from sim.geometry import (
    Base,
    Hull,
    KeepClear,
    Obstacles,
    Oval,
    Path,
    Placed,
    PlacedSet,
    Point,
    Pose,
    Rect,
    Round,
    StayInside,
    Sweep,
    separations,
)
from sim.geometry.routes import Map

TABLE = shapely.box(0, 0, 20, 20)
EDGE = StayInside("off-table", "edge", "the table", TABLE)
COIN = Round(1.0)
NOTCHED = Hull(((-0.6, -0.5), (0.9, -0.5), (0.9, -0.1), (0.0, -0.1), (0.0, 0.7), (-0.6, 0.7)))
MOVERS: tuple[Base, ...] = (Round.mm(32), Oval.mm(60, 35), Rect(1.0, 2.0), NOTCHED)
TABLES = 45  # random ones for each of the movers
GRID = 0.25  # inches between the points of the slow search

Constraints = list[KeepClear | StayInside]


def clear_of(bases: Sequence[Placed], distance: float, strict: bool = True) -> KeepClear:
    names = tuple(f"base {k}" for k in range(len(bases)))
    return KeepClear("near", "clearance", Obstacles(PlacedSet.of(bases), names), distance, strict)


def walls(*boxes: tuple[float, float, float, float]) -> KeepClear:
    corners = [((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in boxes]
    return KeepClear("wall", "walls", Obstacles.of_outlines([("wall", c, 5.0) for c in corners]), 0.0, strict=False)


def length(start: Point, way: Sequence[Point]) -> float:
    return Path.through(Pose(*start), way).length


def legal(moving: Constraints, base: Base, facing: float, points: Sequence[Point]) -> bool:
    sweep = Sweep(base, Path.through(Pose(*points[0], facing), points[1:]))
    return not any(list(constraint.judge_paths([sweep])) for constraint in moving)


def test_nothing_in_the_way_is_a_straight_way() -> None:
    free = Map.of([EDGE], COIN, 0.0, TABLE)
    assert free.route((2, 3), (17, 11)) == ((17, 11),)
    assert free.distance((2, 3), (17, 11)) == 17
    assert free.route((2, 3), (2, 3)) == ((2, 3),)
    aside = Map.of([EDGE, walls((5, 12, 8, 15))], COIN, 0.0, TABLE)
    assert aside.route((2, 3), (17, 11)) == ((17, 11),)


def test_without_a_constraint_the_centre_stays_on_the_table() -> None:
    free = Map.of([], COIN, 0.0, TABLE)
    assert free.route((0, 0), (20, 20)) == ((20, 20),)
    assert free.route((1, 1), (21, 5)) is None
    assert free.route((-1, 1), (5, 5)) is None
    assert free.towards((1, 5), (21, 5), 30.0) == ((20, 5),)


def test_a_table_with_a_notch_is_walked_round() -> None:
    notched = shapely.Polygon([(0, 0), (20, 0), (20, 20), (11, 20), (11, 5), (9, 5), (9, 20), (0, 20)])
    inside = StayInside("off-table", "edge", "the table", notched)
    assert Map.of([], COIN, 0.0, notched).distance((5, 15), (15, 15)) == pytest.approx(
        2 * math.hypot(4, 10) + 2, abs=0.01
    )
    for base in MOVERS:
        way = Map.of([inside], base, 40.0, notched).route((5, 15), (15, 15))
        assert way is not None
        path = Path.through(Pose(5, 15, 40.0), way)
        out = [inside.overhang(Placed(base, path.at(float(share)))) for share in np.linspace(0, 1, 200)]
        assert -0.1 < max(out) < 0


@pytest.mark.parametrize("clearance", [0.0, 1.0])
def test_round_a_wall(clearance: float) -> None:
    wall = replace(walls((9.5, 1, 10.5, 13)), distance=clearance)
    r, off = 0.5 + clearance, math.hypot(4.5, 3)
    rise = math.atan2(3, 4.5) + math.asin(r / off)
    exact = 2 * (math.sqrt(off**2 - r**2) + r * rise) + 1
    start, goal = (5, 10), (15, 10)
    way = Map.of([EDGE, wall], COIN, 0.0, TABLE).route(start, goal)
    assert way is not None
    assert exact < length(start, way) < exact * 1.005


def test_round_a_pillar() -> None:
    pillar = clear_of([Placed(Round(2.0), Pose(10, 10))], 1.0)
    r = 2.5
    exact = 2 * (math.sqrt(49 - r**2) + r * math.asin(r / 7))
    assert exact < Map.of([pillar], COIN, 0.0, TABLE).distance((3, 10), (17, 10)) < exact * 1.005


@pytest.mark.parametrize("base", [Round(1.0), Oval(2.0, 1.0), Rect(1.0, 2.0)], ids=["round", "oval", "rect"])
def test_a_gate_that_fits_by_a_hair_is_used(base: Base) -> None:
    def past(gate: float) -> float:
        barrier = walls((9, 0, 11, 10 - gate / 2), (9, 10 + gate / 2, 11, 20))
        return Map.of([EDGE, barrier], base, 0.0, TABLE).distance((4, 10), (16, 10))

    assert past(1.05) == pytest.approx(12)
    assert past(0.95) == math.inf


@pytest.mark.parametrize("spare", [0.05, 0.0, -0.05])
def test_a_gate_between_two_bases(spare: float) -> None:
    apart = 3.0 + COIN.d + spare  # two clearances, two radii of the obstacles
    guards = clear_of([Placed(Round(1.0), Pose(10, 10 + side * apart / 2)) for side in (-1, 1)], 1.0, strict=False)
    found = Map.of([EDGE, guards], COIN, 0.0, TABLE).distance((4, 9.5), (16, 10.5))
    if spare > 0:
        assert found == pytest.approx(math.hypot(12, 1), abs=0.05)
    else:
        assert found > 13


def test_an_enclosed_start_has_no_way() -> None:
    pen = walls((6, 6, 14, 7), (6, 13, 14, 14), (6, 6, 7, 14), (13, 6, 14, 14))
    penned = Map.of([EDGE, pen], COIN, 0.0, TABLE)
    assert penned.route((10, 10), (2, 2)) is None
    assert penned.route((2, 2), (10, 10)) is None
    assert penned.distance((10, 10), (2, 2)) == math.inf
    assert penned.distance((10, 10), (8, 8)) == pytest.approx(math.hypot(2, 2))
    assert penned.towards((10, 10), (2, 10), 9.0) == (pytest.approx((7.5, 10), abs=0.01),)
    assert penned.within((10, 10), 30.0).area == pytest.approx(25, abs=0.1)


def test_no_ground_at_all() -> None:
    full = Map.of([walls((-1, -1, 21, 21))], COIN, 0.0, TABLE)
    assert full.ground.is_empty
    assert full.route((3, 3), (4, 4)) is None
    assert full.towards((3, 3), (4, 4), 1.0) is None
    assert full.within((3, 3), 5.0).is_empty


def test_a_base_in_touch_leaves_and_arrives() -> None:
    moving: Constraints = [EDGE, walls((8, 4, 12, 8)), clear_of([Placed(Round(1.0), Pose(4, 14))], 0.0, strict=False)]
    ground = Map.of(moving, COIN, 0.0, TABLE)
    touching = [(7.5, 6), (10, 8.5), (12.5, 4), (8 - math.sqrt(0.125), 4 - math.sqrt(0.125)), (5, 14), (0.5, 0.5)]
    for start, goal in itertools.permutations(touching, 2):
        way = ground.route(start, goal)
        assert way is not None
        assert way[-1] == goal
        assert legal(moving, COIN, 0.0, [start, *way])
        assert length(start, way) < math.dist(start, goal) * 1.5
    assert ground.route((7.5, 4), (7.5, 8)) == ((7.5, 8),), "slides along the wall"
    assert ground.route((7.5, 6), (2, 6)) == ((2, 6),), "no needless step"


def test_a_start_that_the_judge_forbids_has_no_way() -> None:
    moving = [EDGE, clear_of([Placed(Round(1.0), Pose(10, 10))], 1.0)]
    ground = Map.of(moving, COIN, 0.0, TABLE)
    assert ground.route((12, 10), (15, 10)) is None, "exactly 1 inch is not more than 1 inch"
    assert ground.towards((12, 10), (15, 10), 3.0) is None
    assert ground.within((12, 10), 3.0).is_empty
    assert ground.route((12.001, 10), (15, 10)) == ((15, 10),)


def test_constraints_on_some_hold_for_all_and_at_every_height() -> None:
    wall = walls((9.5, 1, 10.5, 13))
    way = Map.of([wall], COIN, 0.0, TABLE).route((5, 10), (15, 10))
    some = [replace(wall, only=frozenset({7})), replace(wall, vertical=2.0), replace(wall, distance=0.0, vertical=0.0)]
    low = replace(wall, obstacles=replace(wall.obstacles, tops=(0.0,)))
    for other in (*some, low):
        ground = Map.of([other], COIN, 0.0, TABLE)
        assert ground.route((5, 10), (15, 10)) == way
        assert ground.route((10, 10), (15, 10)) is None


def test_discs_of_a_region_are_gone_round() -> None:
    inside = replace(EDGE, discs=(((10.0, 10.0), 3.0),))
    way = Map.of([inside], COIN, 0.0, TABLE).route((3, 10), (17, 10))
    assert way is not None
    assert legal([inside], COIN, 0.0, [(3, 10), *way])
    exact = 2 * (math.sqrt(49 - 3.5**2) + 3.5 * math.asin(0.5))
    assert exact < length((3, 10), way) < exact * 1.005


@pytest.mark.parametrize("reach", [0.0, 0.5, 3.0, 6.0, 11.0])
def test_a_way_is_cut_to_the_reach(reach: float) -> None:
    ground = Map.of([EDGE, walls((9.5, 1, 10.5, 13))], COIN, 0.0, TABLE)
    start, goal = (5, 10), (15, 10)
    whole = ground.route(start, goal)
    assert whole is not None
    way = ground.towards(start, goal, reach)
    assert way is not None
    assert length(start, way) == pytest.approx(reach, abs=1e-6)
    assert way[:-1] == whole[: len(way) - 1]
    assert ground.towards(start, goal, 100.0) == whole


def test_towards_what_is_not_free_leads_beside_it() -> None:
    ground = Map.of([EDGE, walls((9, 5, 11, 13))], COIN, 0.0, TABLE)
    way = ground.towards((5, 10), (9.5, 10), 20.0)
    assert way == (pytest.approx((8.5, 10), abs=0.01),)
    assert ground.towards((5, 10), (9.5, 10), 2.0) == (pytest.approx((7, 10), abs=0.01),)


def random_table(base: Base, rng: Rng, size: Point, count: int) -> tuple[Constraints, float, shapely.Polygon]:
    """Obstacles of every kind on a table, some with a clearance, and a facing."""
    table = shapely.box(0, 0, *size)
    others = []
    for _ in range(count):
        kind = rng.choice(["round", "oval", "rect", "convex hull", "notched hull"])
        found = placed(kind, rng)
        x, y = rng.uniform((0, 0), size)
        others.append(Placed(found.base, Pose(float(x), float(y), found.pose.facing)))
    cut = count // 2
    near = clear_of(others[:cut], float(rng.choice([0.5, 1.0])))
    moving: Constraints = [replace(EDGE, region=table), near, clear_of(others[cut:], 0.0, strict=False)]
    return moving, float(rng.uniform(-180, 180)), table


def free_spots(ground: Map, rng: Rng, count: int) -> list[Point]:
    x0, y0, x1, y1 = ground.ground.bounds
    spots = rng.uniform((x0, y0), (x1, y1), (400, 2))
    free = spots[shapely.intersects_xy(ground.ground, *spots.T)]
    return [(float(x), float(y)) for x, y in free[:count]]


@pytest.mark.parametrize("which", range(len(MOVERS)))
def test_the_judge_accepts_every_way(which: int) -> None:
    base, rng = MOVERS[which], np.random.default_rng([71, which])
    found = bent = 0
    for _ in range(TABLES):
        moving, facing, table = random_table(base, rng, (24.0, 18.0), 9)
        ground = Map.of(moving, base, facing, table)
        for start, goal in itertools.pairwise(free_spots(ground, rng, 5)):
            way = ground.route(start, goal)
            if way is None:
                assert ground.route(goal, start) is None
                continue
            assert way[-1] == goal
            assert legal(moving, base, facing, [start, *way])
            assert ground.distance(goal, start) == pytest.approx(length(start, way), abs=1e-3)
            found += 1
            bent += len(way) > 1
    assert found > 60
    assert bent > 25


@pytest.mark.parametrize("which", range(len(MOVERS)))
def test_no_way_over_a_grid_is_shorter(which: int) -> None:
    base, rng = MOVERS[which], np.random.default_rng([72, which])
    compared = 0
    for _ in range(5):
        moving, facing, table = random_table(base, rng, (13.0, 10.0), 4)
        ground, lattice = Map.of(moving, base, facing, table), Lattice(moving, base, facing)
        spots = [(round(x / GRID) * GRID, round(y / GRID) * GRID) for x, y in free_spots(ground, rng, 6)]
        for start, goal in zip(spots[::2], spots[1::2], strict=False):
            found = ground.distance(start, goal)
            if found == math.inf:
                assert lattice.search(start, goal, 0.03) is None
                continue
            slow = lattice.way(start, goal)
            if slow is not None:
                compared += 1
                assert length(slow[0], slow[1:]) >= found * 0.997
                tight = pulled_tight(moving, base, facing, slow)
                assert length(tight[0], tight[1:]) >= found * 0.997
    assert compared > 7


class Lattice:
    """Ways over the points of a grid, eight steps from each, every step judged by exact clearances along it."""

    def __init__(self, moving: Constraints, base: Base, facing: float) -> None:
        self.moving, self.base, self.facing = moving, base, facing
        self.judged: dict[tuple[Point, Point], bool] = {}
        edge = next(c for c in moving if isinstance(c, StayInside))
        x1, y1 = edge.region.bounds[2:]
        self.columns, self.rows = (round(2 * v / GRID) + 1 for v in (x1, y1))  # half steps, for the middles
        poses = [Pose(i * GRID / 2, j * GRID / 2, facing) for i in range(self.columns) for j in range(self.rows)]
        every = PlacedSet.of(Placed(base, pose) for pose in poses)
        spare = np.array([-edge.overhang(one) for one in every])
        for clear in moving:
            for other in clear.obstacles.bases if isinstance(clear, KeepClear) else ():
                x0, y0, x1, y1 = other.bounds
                reach = math.hypot(x1 - x0, y1 - y0) / 2 + every[0].radius + clear.distance + 0.1
                near = np.flatnonzero(np.hypot(every.x - (x0 + x1) / 2, every.y - (y0 + y1) / 2) < reach)
                if len(near):
                    found = separations(every.take(near), PlacedSet((other,)))[:, 0] - clear.distance
                    spare[near] = np.minimum(spare[near], found)
        self.spare = spare.reshape(self.columns, self.rows)

    def way(self, start: Point, goal: Point) -> list[Point] | None:
        """The shortest way by A*, judged step by step; steps that the judge refuses are struck out."""
        for _ in range(12):
            way = self.search(start, goal, 0.01)  # less is most often refused
            if way is None:
                break
            fresh = [step for step in itertools.pairwise(way) if step not in self.judged]
            self.judged |= {step: legal(self.moving, self.base, self.facing, step) for step in fresh}
            if all(self.judged[step] for step in itertools.pairwise(way)):
                return way
        return None

    def search(self, start: Point, goal: Point, spare: float) -> list[Point] | None:
        came: dict[Point, Point] = {}
        good = self.spare > spare
        best = {start: 0.0}
        heap = [(math.dist(start, goal), start)]
        done: set[Point] = set()
        while heap:
            _, here = heapq.heappop(heap)
            if here == goal:
                way = [here]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if here in done:
                continue
            done.add(here)
            i, j = (round(2 * v / GRID) for v in here)
            for di, dj in itertools.product((-2, 0, 2), repeat=2):
                if not (0 <= i + di < self.columns and 0 <= j + dj < self.rows) or (di == dj == 0):
                    continue
                there = ((i + di) * GRID / 2, (j + dj) * GRID / 2)
                free = good[i, j] and good[i + di // 2, j + dj // 2] and good[i + di, j + dj]
                if not free or not self.judged.get((here, there), True):
                    continue
                walked = best[here] + math.dist(here, there)
                if walked < best.get(there, math.inf):
                    best[there], came[there] = walked, here
                    heapq.heappush(heap, (walked + math.dist(there, goal), there))
        return None


def pulled_tight(moving: Constraints, base: Base, facing: float, way: list[Point]) -> list[Point]:
    """The same way with every shortcut that the judge allows and that skips a half, a quarter … of what is left."""
    out, k = [way[0]], 0
    while k < len(way) - 1:
        jump = len(way) - 1 - k
        while jump > 1 and not legal(moving, base, facing, (way[k], way[k + jump])):
            jump = max(1, jump * 2 // 3)
        k += jump
        out.append(way[k])
    return out


@pytest.mark.parametrize("which", range(len(MOVERS)))
def test_what_is_within_reach(which: int) -> None:
    base, rng = MOVERS[which], np.random.default_rng([73, which])
    asked = 0
    for _ in range(8):
        moving, facing, table = random_table(base, rng, (24.0, 18.0), 9)
        ground = Map.of(moving, base, facing, table)
        for start in free_spots(ground, rng, 2):
            reach = float(rng.uniform(2, 12))
            area = ground.within(start, reach)
            assert area.is_valid
            assert area.difference(shapely.Point(start).buffer(reach, quad_segs=256)).area < 1e-3
            spots = np.array(free_spots(ground, rng, 80))
            inside = shapely.intersects_xy(area, *spots.T)
            lengths = np.array([ground.distance(start, (float(x), float(y))) for x, y in spots])
            assert np.all(lengths[inside] <= reach + 0.02)
            assert np.all(inside[lengths <= reach - 0.01])
            rim = [(float(x), float(y)) for x, y in shapely.get_coordinates(area)[::7]]
            assert all(ground.distance(start, spot) <= reach + 0.02 for spot in rim)
            asked += len(rim) + int(inside.sum())
    assert asked > 300


def test_reach_round_two_corners_of_a_wall() -> None:
    ground = Map.of([walls((10, -1, 10.5, 12))], Round(1e-3), 0.0, TABLE)
    area = ground.within((9.99, 8), 8.0)
    exact = math.pi * (8**2 / 2 + 4**2 / 4 + 3.5**2 / 4)
    assert exact - 0.5 < area.area < exact + 0.2
    for spot, there in [((12, 12.1), True), ((13.9, 12.1), True), ((14.1, 12.1), False), ((10.7, 8.7), True)]:
        assert shapely.intersects_xy(area, *spot) == there
    assert not shapely.intersects_xy(area, 10.7, 8.3)
