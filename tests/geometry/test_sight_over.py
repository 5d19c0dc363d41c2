"""Sight in three dimensions against an oracle that lays many lines between two bodies and looks along each of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon

from sim.geometry import Hull, Oval, Placed, PlacedSet, Pose, Round
from sim.geometry.shapes import ellipse_points
from sim.geometry.sight import Blockers
from sim.geometry.sight_over import Solids, Span, hidden_at_the_foot, sees_over, visible_over

Outline = tuple[tuple[float, float], ...]
WIDE = 0.12  # inches by which a view has to be wider than nothing for the oracle to insist on it
HIGH = 0.08  # the same in height
NECK = ((-1.0, -1.2), (1.4, -1.2), (1.4, -0.2), (0.2, -0.2), (0.2, 1.3), (-1.0, 1.3))


def block(x0: float, x1: float, y0: float, y1: float) -> Outline:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def solids(*pieces: tuple[Outline, float] | tuple[Outline, float, float]) -> Solids:
    outlines = tuple(piece[0] for piece in pieces)
    bottoms = [piece[2] if len(piece) > 2 else -math.inf for piece in pieces]
    names = tuple(f"p{k}" for k in range(len(pieces)))
    return Solids(Blockers(names, outlines), np.array([p[1] for p in pieces]), np.array(bottoms))


def rim(placed: Placed, count: int) -> NDArray[np.float64]:
    if placed.kind == "polygon":
        ring = placed.polygon.exterior
        shares = np.arange(count) * ring.length / count
        return np.vstack((np.array(placed.corners), shapely.get_coordinates(ring.interpolate(shares))))
    return np.asarray(ellipse_points(placed.pose, *placed.semi_axes, count=count))


def blocked(a: NDArray[np.float64], b: NDArray[np.float64], up: Span, pieces: Solids, wide: float, high: float) -> bool:
    """Whether a line that climbs meets a piece that is grown so much (or shrunk, where that is negative)."""
    line = LineString([a, b])
    for outline, top, bottom in zip(pieces.blockers.outlines, pieces.tops, pieces.bottoms, strict=True):
        shape = Polygon(outline).buffer(wide, join_style="mitre")
        inside = line.intersection(shape)
        for part in shapely.get_parts(inside):
            ends = [line.project(shapely.Point(p), normalized=True) for p in shapely.get_coordinates(part)]
            levels = [up[0] + (up[1] - up[0]) * share for share in ends]
            if levels and min(levels) < top + high and max(levels) > bottom - high:
                return True
    return False


def oracle_sees(one: Placed, other: Placed, eye: Span, aim: Span, pieces: Solids, count: int = 14) -> bool:
    """Whether some of many lines from rim to rim and height to height keeps well clear of all pieces."""
    levels = [(e, a) for e in eye for a in aim]
    for a, b in itertools.product(rim(one, count), rim(other, count)):
        if any(not blocked(a, b, up, pieces, WIDE, HIGH) for up in levels):
            return True
    return False


def body(rng: np.random.Generator, x: float) -> Placed:
    pose = Pose(x, float(rng.uniform(-2, 2)), float(rng.uniform(0, 360)))
    kind = int(rng.integers(4))
    return Placed((Round.mm(32), Round.mm(60), Oval.mm(105, 70), Hull(NECK))[kind], pose)


def scene(rng: np.random.Generator, floating: bool = False) -> tuple[Placed, Placed, Span, Span, Solids]:
    one, other = body(rng, 0.0), body(rng, float(rng.uniform(8, 14)))
    pieces: list[tuple[Outline, float] | tuple[Outline, float, float]] = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = float(rng.uniform(2.2, other.pose.x - 3.5)), float(rng.uniform(-5, 2))
        shape = block(x, x + float(rng.uniform(0.2, 1.5)), y, y + float(rng.uniform(1, 7)))
        top = float(rng.uniform(0.5, 5))
        pieces.append((shape, top, float(rng.uniform(0.3, 0.9)) * top) if floating else (shape, top))
    eye = float(rng.choice([0.0, 0.0, 3.0]))
    aim = float(rng.choice([0.0, 0.0, 3.0]))
    spans = (eye, eye + float(rng.uniform(0.8, 5))), (aim, aim + float(rng.uniform(0.8, 5)))
    return one, other, *spans, solids(*pieces)


@pytest.mark.parametrize("seed", range(60))
def test_sight_over_pieces_agrees_with_many_lines(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other, eye, aim, pieces = scene(rng)
    found = sees_over(one, other, eye, aim, pieces)
    if found is not None:
        a, b = (np.array(point) for point in found)
        assert not blocked(a, b, (eye[1], aim[1]), pieces, -1e-4, -1e-4)
        assert all(shapely.distance(p.polygon, shapely.Point(q)) < 1e-3 for p, q in ((one, a), (other, b)))
    else:
        assert not oracle_sees(one, other, eye, aim, pieces)
    table = visible_over(
        PlacedSet((one,)),
        PlacedSet((other,)),
        np.array([eye]),
        np.array([aim]),
        pieces,
        np.zeros((1, 1, 1), dtype=bool),
    )
    assert bool(table[0, 0]) == (found is not None)


@pytest.mark.parametrize("seed", range(25))
def test_what_floats_is_seen_beneath(seed: int) -> None:
    one, other, eye, aim, pieces = scene(np.random.default_rng(1000 + seed), floating=True)
    found = sees_over(one, other, eye, aim, pieces)
    if found is None:
        assert not oracle_sees(one, other, eye, aim, pieces)
    else:
        a, b = (np.array(point) for point in found)
        levels = [(e, t) for e in eye for t in aim]
        assert any(not blocked(a, b, up, pieces, -1e-4, -1e-4) for up in levels)


def outward(placed: Placed, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of a round or oval rim and what points outward there."""
    points = rim(placed, count)
    inner = np.asarray(ellipse_points(placed.pose, *(a - 1e-4 for a in placed.semi_axes), count=count))
    away = points - inner
    return points, away / np.linalg.norm(away, axis=1)[:, None]


@pytest.mark.parametrize("seed", range(50))
def test_feet_that_are_hidden_agree_with_many_lines(seed: int) -> None:
    rng = np.random.default_rng(2000 + seed)
    one, other, eye, aim, pieces = scene(rng)
    other = Placed(Round.mm(float(rng.choice([32, 60]))), other.pose)
    found = hidden_at_the_foot(one, other, eye[1], aim[0], pieces)
    up = (aim[0], eye[1])
    if found is not None:
        foot = np.array(found)
        n = (foot - np.array(other.pose.at)) / np.linalg.norm(foot - np.array(other.pose.at))
        eyes = [p for p in rim(one, 120) if (p - foot) @ n > 0]
        assert all(blocked(foot, p, up, pieces, WIDE, HIGH) for p in eyes)
        return
    eyes = rim(one, 14)
    for q, n in zip(*outward(other, 48), strict=True):
        facing = [p for p in eyes if (p - q) @ n > 0.05]
        if facing and max((p - q) @ n for p in eyes) > 0.3:
            assert not all(blocked(q, p, up, pieces, -WIDE, -HIGH) for p in facing)


def test_a_tall_one_looks_down_behind_a_crate() -> None:
    monster, man = Placed(Round.mm(60), Pose(0, 0)), Placed(Round.mm(32), Pose(12, 0))
    near, far = solids((block(2, 3, -5, 5), 3.5)), solids((block(9, 10, -5, 5), 3.5))
    assert sees_over(monster, man, (0, 5), (0, 2), near) is not None
    assert sees_over(monster, man, (0, 5), (0, 2), far) is None
    assert sees_over(man, monster, (0, 2), (0, 5), near) is not None
    assert sees_over(man, monster, (0, 2), (0, 5), far) is None


def test_a_line_is_as_high_as_the_far_side_of_one_and_the_near_side_of_the_other_make_it() -> None:
    low, high = Placed(Round.mm(32), Pose(0, 0)), Placed(Round.mm(32), Pose(20, 0))
    r = 16 / 25.4
    level = (
        1.0 + 3.0 * (10 + r) / 20
    )  # where a wall of no great depth begins, from behind the low one to before the high
    for more, seen in ((-1e-3, True), (1e-3, False)):
        wall = solids((block(10, 10.5, -9, 9), level + more))
        assert (sees_over(low, high, (0, 1), (0, 4), wall) is not None) is seen


def test_who_is_no_higher_than_a_wall_does_not_see_over_it() -> None:
    one, other = Placed(Round.mm(32), Pose(0, 0)), Placed(Round.mm(32), Pose(10, 0))
    wall = solids((block(5, 5.5, -9, 9), 2.0))
    assert sees_over(one, other, (0, 2), (0, 2), wall) is None
    assert sees_over(one, other, (0, 2.001), (0, 2.001), wall) is not None


def test_two_pieces_of_unlike_height_leave_no_gap_where_they_meet() -> None:
    one, other = Placed(Round(0.01), Pose(0, 0)), Placed(Round(0.01), Pose(10, 0))
    both = solids((block(4, 6, -9, 0), 3.0), (block(4, 6, 0, 9), 4.0))
    assert sees_over(one, other, (0, 2), (0, 3.5), both) is None


def test_feet_on_a_roof_are_seen_from_above_and_not_from_below() -> None:
    roof = solids((block(8, 14, -4, 4), 3.0))
    up, down = Placed(Round.mm(32), Pose(11, 0)), Placed(Round.mm(32), Pose(0, 0))
    assert hidden_at_the_foot(down, up, 2.0, 3.0, roof) is not None
    assert hidden_at_the_foot(down, up, 3.5, 3.0, roof) is None
    edge = Placed(Round.mm(32), Pose(8 + 16 / 25.4, 0))
    assert sees_over(down, up, (0, 2), (3, 3.2), roof) is None
    assert sees_over(down, edge, (0, 2), (3, 5), roof) is not None
