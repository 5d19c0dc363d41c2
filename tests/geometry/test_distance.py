"""How far apart are two bases? 10,000 random pairs of each two kinds against the oracle, and the hard spots."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from shapely import LineString, MultiPolygon, Point, Polygon, box

from geometry.oracle import Floats, Polygons, bounds_of_gap, depth_of_convex, signed_to_rim
from geometry.shapes_at_random import CONVEX, KINDS, PAIRS, Kind, crowd, for_oracle, placed
from sim.geometry import (
    EPS,
    Base,
    Hull,
    Oval,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    ShapeError,
    clearance,
    farthest,
    gap,
    gaps,
    overhang,
    overlaps,
    separation,
    separations,
    witness,
)

ELLIPSE_ERROR = 1e-9  # inches; what is promised where an ellipse takes part
EXACT_ERROR = 1e-12  # of the largest coordinate; what rounding leaves

SQUARE = Rect(2, 2)
L_SHAPE = Hull(((0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)))
U_SHAPE = Hull(((0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)))
EACH_KIND: list[Base] = [Round(1.2), Oval(3, 1), Rect(2, 1), Hull(((0, 0), (2, 0), (1, 1.5))), L_SHAPE, U_SHAPE]


def at(base: Base, x: float = 0.0, y: float = 0.0, facing: float = 0.0) -> Placed:
    return Placed(base, Pose(x, y, facing))


# --- ten thousand pairs of every kind -----------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_ten_thousand_pairs(one: Kind, other: Kind) -> None:
    rng = np.random.default_rng([KINDS.index(one), KINDS.index(other)])
    left, right = crowd(one, 100, rng), crowd(other, 100, rng)
    rows, columns = (v.ravel() for v in np.indices((100, 100)))
    a, b = for_oracle(left.members).take(rows), for_oracle(right.members).take(columns)
    signed = signed_to_rim(a, b) if one == "round" else None  # type: ignore[arg-type]
    low, high = bounds_of_gap(a, b) if signed is None else (np.maximum(signed, 0.0),) * 2
    found = separations(left, right).ravel()
    tolerance = ELLIPSE_ERROR if "oval" in (one, other) else EXACT_ERROR * 20

    assert np.max(high - low) <= tolerance / 10, "the oracle itself is not sure"
    assert 0.02 < np.mean(high == 0) < 0.4, "both near and overlapping pairs are wanted"
    assert np.max(np.abs(np.maximum(found, 0.0) - high)) <= tolerance
    assert np.array_equal(gaps(left, right).ravel(), np.maximum(found, 0.0))
    assert np.array_equal(found < 0, high == 0), "an overlap is told from a gap by the sign"

    deep = np.flatnonzero(high == 0)
    if signed is not None:
        assert np.max(np.abs(found - signed)) <= tolerance
    if one in CONVEX and other in CONVEX:
        assert np.max(np.abs(-found[deep] - depth_of_convex(a.take(deep), b.take(deep)))) <= tolerance

    for i, j in rng.integers(0, 100, (40, 2)):
        assert separation(left[i], right[j]) == pytest.approx(found[100 * i + j], abs=1e-12)
        _check_witness(left[i], right[j])


def _check_witness(a: Placed, b: Placed) -> None:
    start, end = witness(a, b)
    length = math.dist(start, end)
    assert length == pytest.approx(gap(a, b), abs=1e-9)
    for point, base in ((start, a), (end, b)):
        depth = _inwards(base, point)
        assert depth >= -1e-8, "an end of the line lies off its base"
        if gap(a, b) > 0:
            assert depth <= 1e-8, "an end of the line lies within its base"


def _inwards(base: Placed, point: tuple[float, float]) -> float:
    """How far a point lies within a base: 0 on the edge, negative outside."""
    tiny = for_oracle([at(Round(1e-3), *point)])
    return float(-(signed_to_rim(tiny, for_oracle([base])) + 5e-4)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("shift", [0.0, 1e-6, 1e-3, 1.0])
def test_mixed_sets_agree_with_each_pair(shift: float) -> None:
    rng = np.random.default_rng(5)
    mixed = [placed(kind, rng, 6.0) for kind in KINDS for _ in range(4)]
    rng.shuffle(mixed)  # type: ignore[arg-type]
    left = PlacedSet.of(mixed)
    right = PlacedSet.of(Placed(p.base, Pose(p.pose.x + shift, p.pose.y, p.pose.facing)) for p in mixed[::-1])
    matrix = separations(left, right)
    assert matrix.shape == (20, 20)
    for (i, a), (j, b) in itertools.product(enumerate(left), enumerate(right)):
        assert matrix[i, j] == pytest.approx(separation(a, b), abs=1e-12)


def test_empty_sets_have_no_gaps() -> None:
    some = PlacedSet.of([at(SQUARE)])
    assert gaps(PlacedSet(()), some).shape == (0, 1)
    assert gaps(some, PlacedSet(())).shape == (1, 0)
    assert gaps(PlacedSet(()), PlacedSet(())).shape == (0, 0)


# --- touches of the distances that games name ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "centres", "expected"),
    [
        (25, 25, 9.98425, 9.0),
        (32, 32, 10.25984, 9.0),
        (40, 32, 10.41732, 9.0),
        (60, 25, 10.67323, 9.0),
        (32, 32, 2.25984, 1.0),
        (25, 25, 2.98425, 2.0),
        (32, 32, 3.25984, 2.0),
        (25, 40, 4.27953, 3.0),
        (32, 40, 4.41732, 3.0),
    ],
)
def test_known_distances(one: float, other: float, centres: float, expected: float) -> None:
    assert gap(at(Round.mm(one)), at(Round.mm(other), centres)) == pytest.approx(expected, abs=1e-5)
    exact = expected + (one + other) / 2 / 25.4
    for degrees in (0, 17, 90, 233):
        x, y = exact * math.cos(math.radians(degrees)), exact * math.sin(math.radians(degrees))
        assert abs(gap(at(Round.mm(one)), at(Round.mm(other), x, y)) - expected) < 1e-14


@pytest.mark.parametrize(
    ("mm", "radius"), [(20, 0.39370), (28.5, 0.56102), (32, 0.62992), (40, 0.78740), (90, 1.77165), (160, 3.14961)]
)
def test_radii_of_the_sizes_on_sale(mm: float, radius: float) -> None:
    assert at(Round.mm(mm)).radius == pytest.approx(radius, abs=5e-6)


@pytest.mark.parametrize("degrees", [0.0, 90.0, 45.0, 199.0])
def test_a_large_oval_nine_inches_along_and_across(degrees: float) -> None:
    oval = at(Oval.mm(120, 92), 30, 22, degrees)
    turn = math.radians(degrees)
    for distance, angle in ((12.34646, turn), (11.79528, turn + math.pi / 2)):
        other = at(Round.mm(50), 30 + distance * math.cos(angle), 22 + distance * math.sin(angle))
        assert gap(oval, other) == pytest.approx(9.0, abs=1e-5)


@pytest.mark.parametrize(("mm", "centre"), [(25, 5.50787), (32, 5.37008), (40, 5.21260), (50, 5.01575)])
def test_wholly_within_six_inches_of_an_edge(mm: float, centre: float) -> None:
    edge = LineString([(0, 0), (60, 0)])
    assert farthest(at(Round.mm(mm), 20, centre), edge) == pytest.approx(6.0, abs=1e-5)
    assert farthest(at(Round.mm(mm), 20, 6 - mm / 50.8), edge) == pytest.approx(6.0, abs=1e-14)


def _touching_pairs() -> list[tuple[str, Placed, Placed]]:
    return [
        ("rounds", at(Round(1)), at(Round(2), 1.5)),
        ("round on a side", at(Round(1)), at(Rect(2, 2), 1.5)),
        ("round on a corner", at(Round(1)), at(Rect(2, 2), 1 + 0.3, 1 + 0.4)),
        ("round on an oval's tip", at(Round(1)), at(Oval(4, 2), 2.5)),
        ("ovals across", at(Oval(4, 2)), at(Oval(4, 2), 0, 2)),
        ("ovals tip to side", at(Oval(4, 2)), at(Oval(4, 2), 3, 0, 90)),
        ("oval on a side", at(Oval(4, 2)), at(Rect(3, 2), 3)),
        ("oval's side on a corner", at(Oval(4, 2)), at(Hull(((0, 1), (1, 2), (-1, 2))))),
        ("sides", at(SQUARE), at(SQUARE, 2, 1)),
        ("corner on corner", at(SQUARE), at(SQUARE, 2, 2)),
        ("corner on side", at(SQUARE), at(SQUARE, 1 + math.sqrt(2), 0, 45)),
        ("in a notch", at(L_SHAPE), at(SQUARE, 2, 2)),
        ("round in a notch", at(L_SHAPE), at(Round(2), 2, 2)),
        ("oval in a notch", at(L_SHAPE), at(Oval(3, 2), 2.5, 2)),
        ("plug in a socket", at(U_SHAPE), at(SQUARE, 2, 2)),
        ("notches interlocked", at(L_SHAPE), at(L_SHAPE, 5, 5, 180)),
    ]


@pytest.mark.parametrize(("name", "a", "b"), _touching_pairs(), ids=[row[0] for row in _touching_pairs()])
@pytest.mark.parametrize("turn", [0.0, 31.0, 111.0])
def test_a_touch_is_no_gap_and_no_overlap(name: str, a: Placed, b: Placed, turn: float) -> None:
    a, b = (_turned(p, turn) for p in (a, b))
    assert abs(separation(a, b)) < 1e-9
    assert abs(separation(b, a)) < 1e-9
    assert not overlaps(a, b)
    start, end = witness(a, b)
    assert math.dist(start, end) < 1e-9
    assert abs(_inwards(a, start)) < 1e-6
    assert abs(_inwards(b, end)) < 1e-6


@pytest.mark.parametrize(("name", "a", "b"), _touching_pairs(), ids=[row[0] for row in _touching_pairs()])
@pytest.mark.parametrize("push", [2e-6, 1e-4, 1e-2])
def test_a_push_past_the_touch_is_seen(name: str, a: Placed, b: Placed, push: float) -> None:
    ways = [(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 16, endpoint=False)]
    found = [separation(_moved(a, push * c, push * s), b) for c, s in ways]
    assert min(found) < -EPS, "some push leads into the other base"
    assert min(found) > -2.5 * push
    assert max(found) < 2 * push
    assert ("plug" in name) or max(found) > 0, "some push leads away from it"


def _moved(p: Placed, dx: float, dy: float) -> Placed:
    return Placed(p.base, Pose(p.pose.x + dx, p.pose.y + dy, p.pose.facing))


def _turned(p: Placed, degrees: float) -> Placed:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = p.pose.at
    return Placed(p.base, Pose(c * x - s * y, s * x + c * y, p.pose.facing + degrees))


# --- nested, identical, overlapping -------------------------------------------------------------------------------


@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
@pytest.mark.parametrize("facing", [0.0, 30.0, 77.7])
def test_identical_bases_overlap_and_share_the_witness(base: Base, facing: float) -> None:
    one = at(base, 3, 4, facing)
    assert separation(one, one) < -0.1
    assert gap(one, one) == 0.0
    _check_witness(one, one)


@pytest.mark.parametrize("inner", EACH_KIND, ids=repr)
@pytest.mark.parametrize("outer", [Round(20), Oval(22, 16), Rect(18, 17), Hull(((-9, -9), (9, -9), (0, 14)))], ids=repr)
def test_a_base_within_another_overlaps_it(inner: Base, outer: Base) -> None:
    for x, y, facing in ((0, 0, 0), (0.4, -1.1, 33), (-1, 0.5, 200)):
        small, large = at(inner, x, y, facing), at(outer, 0, 0, 12)
        assert separation(small, large) < -0.9
        assert separation(small, large) == pytest.approx(separation(large, small), rel=1e-2)
        assert overlaps(small, large)
        _check_witness(small, large)
        _check_witness(large, small)


@pytest.mark.parametrize("small", EACH_KIND[:4], ids=repr)
def test_a_base_in_the_notch_of_a_hull_does_not_overlap_it(small: Base) -> None:
    room = Hull(((-9, -9), (9, -9), (9, 9), (4, 9), (4, -4), (-4, -4), (-4, 9), (-9, 9)))
    inside = at(small, 0, 0, 20)
    assert 2 < gap(inside, at(room)) < 4
    _check_witness(inside, at(room))


@pytest.mark.parametrize("other", [Rect(40, 40), Oval(40, 39)], ids=repr)
def test_a_corner_in_a_straight_side_changes_no_depth(other: Base) -> None:
    plain, cornered = (
        Hull(((-1, -1), (1, -1), (1, 1), (-1, 1))),
        Hull(((-1, -1), (0.1, -1), (1, -1), (1, 1), (-1, 1))),
    )
    for facing in (0.0, 11.0, 30.0, 47.0, 77.7, 123.4):
        expected = separation(at(plain, 0, 0, facing), at(other))
        assert separation(at(cornered, 0, 0, facing), at(other)) == pytest.approx(expected, abs=1e-9)


def test_a_repeated_or_closing_corner_changes_nothing() -> None:
    plain = Hull(((0, 0), (1, 0), (1, 1), (0, 1)))
    others = [at(Rect(0.5, 0.5), 0.5, 0.5), at(Oval(1, 0.5), 0.5, 0.5, 20), at(Round(1), 3, 0), at(Oval(1, 0.5), 3)]
    for outline in (((0, 0), (0, 0), (1, 0), (1, 1), (0, 1)), (*plain.outline, (0.0, 0.0))):
        for other in others:
            assert separation(at(Hull(outline)), other) == pytest.approx(separation(at(plain), other), abs=1e-12)


def test_a_depth_is_the_least_push_that_parts() -> None:
    assert separation(at(Round(2)), at(Round(2), 0.5)) == pytest.approx(-1.5)
    assert separation(at(Round(2)), at(Round(1))) == pytest.approx(-1.5)
    assert separation(at(Round(1)), at(Rect(4, 4), 0.5)) == pytest.approx(-2.0)
    assert separation(at(Rect(1, 1)), at(Rect(4, 4), 2)) == pytest.approx(-0.5)
    assert separation(at(Oval(4, 2)), at(Rect(2, 2), 2)) == pytest.approx(-1.0)
    assert separation(at(Oval(4, 2)), at(Oval(4, 2))) == pytest.approx(-2.0)


@pytest.mark.parametrize(
    ("dx", "dy", "one", "turn", "other", "turned"),
    [
        (-0.066172, -0.162329, (3.505155, 2.722545), 4.962954, (3.415433, 1.522584), 1.052575),
        (-0.371704, -0.266362, (3.893496, 1.521877), 0.548003, (2.030917, 1.020916), 3.984962),
        (-0.03666, -0.007893, (3.419723, 3.078345), 2.599548, (3.423128, 0.684962), 3.373118),
    ],
)
def test_two_ways_out_of_an_overlap_that_are_nearly_as_long(
    dx: float, dy: float, one: tuple[float, float], turn: float, other: tuple[float, float], turned: float
) -> None:
    """Found by search: the direction that looks best at first leads to the longer of two pushes."""
    a = at(Oval(2 * one[0], 2 * one[1]), 0, 0, math.degrees(turn))
    b = at(Oval(2 * other[0], 2 * other[1]), dx, dy, math.degrees(turned))
    expected = depth_of_convex(for_oracle([a]), for_oracle([b]), looks=3000)[0]
    assert separation(a, b) == pytest.approx(-expected, abs=1e-9)


@pytest.mark.parametrize("height", [0.0, 1e-15, 1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6, 1e-4])
def test_a_round_base_near_the_long_axis_within_an_oval(height: float) -> None:
    expected = -0.98425098 - 0.05
    assert separation(at(Round(0.1), 0.5, height), at(Oval(6, 2))) == pytest.approx(expected, abs=2e-8 + 1.1 * height)


def test_two_ovals_deep_in_each_other_whose_middle_line_ends_beside_one() -> None:
    """Found by search: the middle between the deepest points of the two lies 0.067" off the second."""
    a = at(Oval(2.820093, 2.754665), 6.426808, 3.913110, -73.684378)
    b = at(Oval(2.144331, 0.435205), 5.638316, 5.339091, 323.397708)
    assert separation(a, b) < -0.6
    for one, other in ((a, b), (b, a)):
        start, end = witness(one, other)
        assert start == end
        assert min(_inwards(one, start), _inwards(other, start)) > 0.05, "well within both"


@pytest.mark.parametrize(("one", "other"), [*itertools.product(KINDS[:3], repeat=2)])
def test_bases_that_overlap_share_the_point_that_is_shown(one: Kind, other: Kind) -> None:
    rng = np.random.default_rng([17, KINDS.index(one), KINDS.index(other)])
    left, right = crowd(one, 40, rng, 2.5), crowd(other, 40, rng, 2.5)
    deep = np.argwhere(separations(left, right) < 0)
    assert len(deep) > 200
    lines = [witness(left[i], right[j]) for i, j in deep.tolist()]
    assert all(start == end for start, end in lines)
    tiny = for_oracle([at(Round(1e-3), *start) for start, _ in lines])
    for members, picks in ((left.members, deep[:, 0]), (right.members, deep[:, 1])):
        outwards = signed_to_rim(tiny, for_oracle(members).take(picks)) + 5e-4  # type: ignore[arg-type]
        worst = int(np.argmax(outwards))
        assert outwards[worst] <= 1e-6, (left[deep[worst, 0]], right[deep[worst, 1]])


# --- thin, tiny, far ----------------------------------------------------------------------------------------------


def test_needles_apart_by_a_hair() -> None:
    """Ellipses 170 × 1, set apart by a known gap along a common normal."""
    rng = np.random.default_rng(3)
    for axes in ((85.0, 0.5), (40.0, 3.0), (3.0, 0.5), (0.5, 0.5)):
        for k in range(150):
            f1, f2 = rng.uniform(0, 2 * math.pi, 2)
            heading = f1 + math.pi / 2 + rng.normal() * 0.5 / 85 if k % 2 else rng.uniform(0, 2 * math.pi)
            expected = 10 ** rng.uniform(-6, 1)
            step = _tip(85, 0.5, f1, heading) + _tip(*axes, f2, heading)
            step = step + expected * np.array([math.cos(heading), math.sin(heading)])
            one = at(Oval(170, 1), 0, 0, math.degrees(f1))
            other = at(Oval(2 * axes[0], 2 * axes[1]), float(step[0]), float(step[1]), math.degrees(f2))
            assert separation(one, other) == pytest.approx(expected, abs=1e-9)


def test_a_needle_pair_of_old() -> None:
    one = at(Oval(170, 1), 0, 0, math.degrees(1.726570044171483))
    other = at(Oval(170, 1), -10.844495266033421, 54.81039581683843, math.degrees(4.887672963665889))
    assert separation(one, other) == pytest.approx(0.000138963444, abs=1e-9)


def _tip(a: float, b: float, facing: float, heading: float) -> Floats:
    c, s = math.cos(heading - facing), math.sin(heading - facing)
    h = math.hypot(a * c, b * s)
    u, v = a * a * c / h, b * b * s / h
    return np.array([math.cos(facing) * u - math.sin(facing) * v, math.sin(facing) * u + math.cos(facing) * v])


@pytest.mark.parametrize("kind", KINDS)
def test_needles_against_everything(kind: Kind) -> None:
    rng = np.random.default_rng([8, KINDS.index(kind)])
    left = PlacedSet.of(
        at(Oval(170, 1), *(float(v) for v in rng.uniform(-60, 60, 2)), float(rng.uniform(0, 360))) for _ in range(30)
    )
    right = crowd(kind, 30, rng, 40.0)
    rows, columns = (v.ravel() for v in np.indices((30, 30)))
    low, high = bounds_of_gap(for_oracle(left.members).take(rows), for_oracle(right.members).take(columns), looks=900)
    sure = high - low < 1e-9
    assert sure.mean() > 0.98
    found = separations(left, right).ravel()
    assert np.max(np.abs(np.maximum(found, 0.0) - high)[sure]) < 1e-9
    assert np.array_equal((found < 0)[sure], (high == 0)[sure])


@pytest.mark.parametrize("first", EACH_KIND, ids=repr)
@pytest.mark.parametrize("second", EACH_KIND, ids=repr)
def test_a_thousand_inches_apart(first: Base, second: Base) -> None:
    a, b = at(first, -300, 400, 10), at(second, 300, -400, 200)
    high = bounds_of_gap(for_oracle([a]), for_oracle([b]))[1]
    assert gap(a, b) == pytest.approx(float(high[0]), rel=1e-12)
    assert 990 < gap(a, b) < 1000
    _check_witness(a, b)


@pytest.mark.parametrize("scale", [1e-4, 1e-3, 1e3])
@pytest.mark.parametrize(("one", "other"), [(a, b) for a, b in PAIRS if "notched hull" not in (a, b)])
def test_scale_changes_gaps_in_proportion(one: Kind, other: Kind, scale: float) -> None:
    rng = np.random.default_rng([9, KINDS.index(one), KINDS.index(other)])
    left, right = crowd(one, 8, rng), crowd(other, 8, rng)
    scaled = separations(*(PlacedSet.of(_scaled(p, scale) for p in group) for group in (left, right)))
    assert scaled == pytest.approx(scale * separations(left, right), rel=1e-9, abs=1e-12 * scale)


def _scaled(p: Placed, k: float) -> Placed:
    pose = Pose(p.pose.x * k, p.pose.y * k, p.pose.facing)
    match p.base:
        case Round(d):
            return Placed(Round(d * k), pose)
        case Oval(length, width):
            return Placed(Oval(length * k, width * k), pose)
        case Rect(width, depth):
            return Placed(Rect(width * k, depth * k), pose)
        case Hull(outline):
            return Placed(Hull(tuple((x * k, y * k) for x, y in outline)), pose)


# --- clearance, farthest, overhang against other shapes -----------------------------------------------------------

REGIONS: dict[str, Polygon | MultiPolygon] = {
    "box": box(0, 0, 14, 10),
    "triangle": Polygon([(0, 0), (15, 1), (4, 12)]),
    "L": Polygon([(0, 0), (14, 0), (14, 5), (6, 5), (6, 12), (0, 12)]),
    "notch": Polygon([(0, 0), (14, 0), (14, 10), (8, 10), (7, 4), (6, 10), (0, 10)]),
    "hole": box(0, 0, 14, 10).difference(box(6.8, 4.8, 7.2, 5.2)),
    "two": MultiPolygon([box(0, 0, 6, 10), box(7, 0, 14, 10)]),
}


def _samples(base: Placed, grid: int = 81, rim: int = 720) -> Floats:
    """Points of a base: a lattice over it, its corners and its rim."""
    if isinstance(base.base, (Round, Oval)):
        shape = for_oracle([base])
        t = np.linspace(0, 2 * math.pi, rim, endpoint=False)[None]
        edge = shape.rim(t)[0]  # type: ignore[union-attr]
        radii = np.sqrt(np.linspace(0, 1, grid))
        centre = np.array(base.pose.at)
        return np.concatenate([centre + (edge[:: rim // 90] - centre) * r for r in radii] + [edge])
    shape = for_oracle([base])
    corners = shape.corners[0]  # type: ignore[union-attr]
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    lattice = np.stack(np.meshgrid(np.linspace(x0, x1, grid), np.linspace(y0, y1, grid)), axis=-1).reshape(-1, 2)
    inside = lattice[shape.holds(lattice[None])[0]]  # type: ignore[union-attr]
    along = np.linspace(0, 1, 60)[:, None, None]
    edges = (corners + along * (np.roll(corners, -1, axis=0) - corners)).reshape(-1, 2)
    return np.concatenate((inside, edges))


def _rims(region: Polygon | MultiPolygon) -> list[Floats]:
    parts = region.geoms if isinstance(region, MultiPolygon) else [region]
    return [np.array(ring.coords)[:-1] for part in parts for ring in (part.exterior, *part.interiors)]


def _outside(points: Floats, region: Polygon | MultiPolygon) -> tuple[Floats, Floats]:
    """How far points lie from a region, and from its border."""
    rings = [Polygons(ring[None]) for ring in _rims(region)]
    border = np.min([ring.rim_distance(points[None])[0] for ring in rings], axis=0)
    inside = np.sum([ring.holds(points[None])[0] for ring in rings], axis=0) % 2 == 1
    return np.where(inside, 0.0, border), border


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", REGIONS)
def test_overhang_against_samples(kind: Kind, name: str) -> None:
    """A base is inside exactly when no point of it is outside; inside, the margin is told; over a convex region the
    overhang is that of the farthest point."""
    region = REGIONS[name]
    rng = np.random.default_rng([21, KINDS.index(kind), len(name)])
    signs = set()
    for _ in range(60):
        base = placed(kind, rng, 1.0)
        pose = Pose(float(rng.uniform(-2, 16)), float(rng.uniform(-2, 12)), base.pose.facing)
        base = Placed(base.base, pose)
        outside, border = _outside(_samples(base), region)
        found, worst = overhang(base, region), float(outside.max())
        signs.add(found > EPS)
        if worst > 0:
            assert found > EPS, (base, worst)
            if name in ("box", "triangle"):
                assert worst - 1e-9 <= found <= worst + 0.01, base
        elif found > 0:
            assert found < 0.08, (base, found)  # between the samples
        else:
            assert border.min() - 0.05 <= -found <= border.min() + 1e-9
    assert signs == {True, False}


@pytest.mark.parametrize(
    "base",
    [Rect(2, 2), Round(2), Oval(3, 2), Hull(((-1, -1), (1, -1), (1, 1), (-1, 1))), Hull(((-2, -2), (2, -2), (0, 3)))],
    ids=repr,
)
def test_a_hole_under_a_base_is_an_overhang(base: Base) -> None:
    ground = box(0, 0, 20, 20).difference(box(9.9, 9.9, 10.1, 10.1))
    for facing in (0.0, 33.0):
        assert overhang(at(base, 10.2, 10.1, facing), ground) > 0.05
        assert overhang(at(base, 5, 5, facing), ground) < -1


def test_a_notch_across_a_base_is_an_overhang() -> None:
    ground = Polygon([(0, 0), (20, 0), (20, 20), (11, 20), (10, 5), (9, 20), (0, 20)])
    assert overhang(at(Rect(1, 6), 10, 10), ground) > 0.1
    assert overhang(at(Rect(1, 6), 10, 4), ground) < 0


def test_standing_exactly_on_the_border_is_inside() -> None:
    ground = box(0, 0, 10, 10)
    for base in (Round(2), Oval(2, 2), Oval(3, 2), Rect(2, 2)):
        turn = 90.0 if base == Oval(3, 2) else 0.0
        assert overhang(at(base, 1, 5, turn), ground) == pytest.approx(0.0, abs=1e-12)
        assert overhang(at(base, 0.75, 5, turn), ground) == pytest.approx(0.25, abs=1e-12)
        assert overhang(at(base, 1.5, 5, turn), ground) == pytest.approx(-0.5, abs=1e-12)


def test_an_oval_over_a_corner_hangs_out_by_its_tip() -> None:
    found = overhang(at(Oval(8, 0.1), 8, 8, 45), box(0, 0, 10, 10))
    assert found == pytest.approx(4 - 2 * math.sqrt(2), abs=1e-3)


def test_an_oval_with_its_centre_outside_hangs_out_by_its_farthest_point() -> None:
    base, ground = at(Oval(8, 1), 12, 11, 30), box(0, 0, 10, 10)
    assert overhang(base, ground) == pytest.approx(_outside(_samples(base, rim=7200), ground)[0].max(), abs=1e-5)


CONVEX_TARGETS = {
    "point": Point(3, 2),
    "edge": LineString([(0, 0), (20, 0)]),
    "zone": Polygon([(0, 0), (9, 1), (7, 8), (1, 6)]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CONVEX_TARGETS)
def test_farthest_point_from_a_convex_target(kind: Kind, name: str) -> None:
    target = CONVEX_TARGETS[name]
    rng = np.random.default_rng([31, KINDS.index(kind), len(name)])
    for _ in range(40):
        base = placed(kind, rng, 10.0)
        points = _samples(base, grid=5, rim=3600)
        expected = float(_away(points, target).max())
        assert expected - 1e-9 <= farthest(base, target) <= expected + 2e-5


def _away(points: Floats, target: Point | LineString | Polygon) -> Floats:
    corners = np.array(target.exterior.coords[:-1] if isinstance(target, Polygon) else target.coords)
    return Polygons(corners[None]).distance(points[None])[0]


@pytest.mark.parametrize(
    "target", [MultiPolygon([box(-6, -9, -5, 9), box(5, -9, 6, 9)]), REGIONS["L"], Polygon()], ids=str
)
@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
def test_farthest_point_from_a_target_with_a_notch_is_refused(base: Base, target: shapely.Geometry) -> None:
    """The farthest point might lie anywhere inside the base: 5 inches from both strips, for one."""
    with pytest.raises(ShapeError, match="expected a convex target"):
        farthest(at(base), target)


@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
def test_clearance_of_nothing_is_without_end(base: Base) -> None:
    assert clearance(at(base), Polygon()) == math.inf


@pytest.mark.parametrize("kind", KINDS)
def test_clearance_agrees_with_the_gap_to_the_same_hull(kind: Kind) -> None:
    rng = np.random.default_rng([41, KINDS.index(kind)])
    for _ in range(40):
        base, other = placed(kind, rng), placed("notched hull", rng)
        assert clearance(base, other.polygon) == pytest.approx(gap(base, other), abs=1e-9)


@pytest.mark.parametrize(
    "make",
    [lambda: Point(4, 1), lambda: LineString([(4, -9), (4, 9)]), lambda: shapely.union(Point(4, 0), box(8, 0, 9, 1))],
)
@pytest.mark.parametrize("base", EACH_KIND[:4], ids=repr)
def test_clearance_to_points_lines_and_mixtures(base: Base, make: Callable[[], shapely.Geometry]) -> None:
    here = at(base, 0, 0, 20)
    points = _samples(here, grid=3, rim=7200)
    expected = shapely.distance(shapely.points(points), make()).min()
    assert expected - 1e-4 <= clearance(here, make()) <= expected + 1e-12


@pytest.mark.parametrize("depth", [1e-7, 1e-5, 1e-4, 0.01])
def test_how_deep_an_oval_lies_in_a_notched_wall_is_known_however_little_it_is(depth: float) -> None:
    wall = at(Hull(((0, 0), (10, 0), (10, 10), (8, 10), (8, 2), (0, 2))))
    beside = at(Oval(4.7, 3.6), 4.0, -1.8 + depth)
    assert separation(beside, wall) == pytest.approx(-depth, abs=max(1e-9, depth / 50))
    in_notch = at(Oval(4.7, 3.6), 8.0 - 2.35 + depth, 6.0)
    assert separation(in_notch, wall) == pytest.approx(-depth, abs=max(1e-9, depth / 50))


@pytest.mark.parametrize("turn", [0.0, 17.0, 33.3, 178.955])
def test_an_oval_that_touches_the_middle_of_an_edge_has_no_gap_whatever_rounding_says(turn: float) -> None:
    rng = np.random.default_rng(int(turn))
    for _ in range(200):
        facing = float(rng.uniform(0, 360))
        angle = math.radians(turn)
        support = math.hypot(
            2.35 * math.cos(angle - math.radians(facing)), 1.8 * math.sin(angle - math.radians(facing))
        )
        away = support + 1.0
        wall = at(Rect(10.0, 2.0), away * math.cos(angle), away * math.sin(angle), turn)
        assert abs(separation(at(Oval(4.7, 3.6), 0.0, 0.0, facing), wall)) < 1e-9
