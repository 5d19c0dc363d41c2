"""Does a run meet what it meets, at the inch that dense sampling finds, and with the part that touches?"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import shapely
from shapely import Polygon, affinity

from sim.geometry import EPS, Base, Hull, Oval, Placed, PlacedSet, Pose, Rect, Round, gaps, separation
from sim.geometry.contact import Contact, first_nearing, first_of, first_within, is_front, moved, part_at

WHEEL = Rect.mm(50, 100)
W, D = 25 / 25.4, 50 / 25.4  # half the width and half the depth
START = Placed(WHEEL, Pose(36, 24, 90))
FRONT = 24 + D
NOTCHED = Hull(((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (0.0, 0.0), (-2.0, 2.0)))
BASES: tuple[Base, ...] = (
    WHEEL,
    Rect.mm(20, 20),
    Round.mm(32),
    Round.mm(60),
    Oval.mm(105, 70),
    Oval.mm(60, 35),
    NOTCHED,
)
CONVEX = BASES[:-1]


def box(x0: float, y0: float, x1: float, y1: float) -> Placed:
    return Placed(Hull(((x0, y0), (x1, y0), (x1, y1), (x0, y1))), Pose(0, 0))


def found(contact: Contact | None) -> Contact:
    assert contact is not None
    return contact


# --- against dense sampling


def outline(placed: Placed, points: int = 720) -> Polygon:
    """The base as a fine polygon, made without the project's own outlines."""
    base, pose = placed.base, placed.pose
    if isinstance(base, (Round, Oval)):
        a, b = (base.d / 2, base.d / 2) if isinstance(base, Round) else (base.length / 2, base.width / 2)
        t = np.linspace(0, 2 * math.pi, points, endpoint=False)
        shape = Polygon(np.column_stack((a * np.cos(t), b * np.sin(t))))
    elif isinstance(base, Rect):
        shape = shapely.box(-base.depth / 2, -base.width / 2, base.depth / 2, base.width / 2)
    else:
        assert isinstance(base, Hull)
        shape = Polygon(base.outline)
    return affinity.translate(affinity.rotate(shape, pose.facing, origin=(0, 0)), pose.x, pose.y)


def sampled(base: Placed, heading: float, other: Placed, reach: float, most: float) -> float:
    """The first distance at which moved outlines are near enough: no step is longer than what is left between them."""
    mine, theirs = outline(base), outline(other)
    dx, dy = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    t = 0.0
    while t <= most:
        left = float(shapely.distance(affinity.translate(mine, dx * t, dy * t), theirs)) - reach
        if left <= 1e-10:
            return t
        t += max(left, 1e-9)
    return math.inf


@pytest.mark.parametrize("reach", [0.0, 1.0])
@pytest.mark.parametrize("moving", CONVEX, ids=repr)
def test_the_first_contact_is_where_dense_sampling_finds_it(moving: Base, reach: float) -> None:
    rng = random.Random(f"{moving!r} {reach}")
    met = 0
    for k in range(14):
        other = Placed(BASES[k % len(BASES)], Pose(rng.uniform(8, 14), rng.uniform(-2, 2), rng.uniform(0, 360)))
        base = Placed(moving, Pose(0.0, 0.0, rng.uniform(0, 360)))
        heading = rng.uniform(-20, 20)
        contact = first_within(base, heading, other, reach)
        right = sampled(base, heading, other, reach, 24.0)
        if contact is None or contact.distance > 24:
            assert right == math.inf
            continue
        met += 1
        # A grazing run meets a curve's inscribed outline a little late.
        curved = any(isinstance(p.base, (Round, Oval)) for p in (base, other))
        assert contact.distance == pytest.approx(right, abs=5e-3 if curved else 1e-6)
        there = moved(PlacedSet((base,)), heading, contact.distance)[0]
        assert separation(there, other) == pytest.approx(reach, abs=1e-6)
        assert math.dist(contact.own, contact.other) == pytest.approx(reach, abs=1e-5)
        before = moved(PlacedSet((base,)), heading, contact.distance - 1e-4)[0]
        assert separation(before, other) > reach
    assert met >= 4


def test_several_bases_meet_when_the_first_of_them_does() -> None:
    rng = random.Random(5)
    for _ in range(20):
        members = PlacedSet.of(Placed(Rect.mm(20, 20), Pose(0, k * 0.9, 0)) for k in range(3))
        others = PlacedSet.of(
            Placed(rng.choice(CONVEX), Pose(rng.uniform(6, 12), rng.uniform(-3, 4), rng.uniform(0, 360)))
            for _ in range(4)
        )
        every = [first_within(a, 0.0, b, 0.5) for a in members for b in others]
        least = min((c.distance for c in every if c is not None), default=None)
        contact = first_of(members, 0.0, others, 0.5)
        assert (None if contact is None else contact.distance) == least


def test_a_rigid_motion_of_the_table_changes_nothing() -> None:
    rng = random.Random(6)
    for _ in range(40):
        base = Placed(rng.choice(CONVEX), Pose(1, 2, rng.uniform(0, 360)))
        other = Placed(rng.choice(BASES), Pose(rng.uniform(6, 9), rng.uniform(0, 4), rng.uniform(0, 360)))
        turn = rng.uniform(0, 360)
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

        def there(p: Placed, c: float = c, s: float = s, turn: float = turn) -> Placed:
            x, y = c * p.pose.x - s * p.pose.y + 30, s * p.pose.x + c * p.pose.y - 7
            return Placed(p.base, Pose(x, y, p.pose.facing + turn))

        one, two = first_within(base, 5.0, other), first_within(there(base), 5.0 + turn, there(other))
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            assert two.distance == pytest.approx(one.distance, abs=1e-6)


# --- by hand


def test_flush_and_square_on() -> None:
    contact = found(first_within(START, 90, box(34, FRONT + 7, 38, FRONT + 9)))
    assert contact.distance == pytest.approx(7.0, abs=1e-9)
    assert contact.own == pytest.approx((36.0, FRONT + 7))
    assert contact.part == "front"
    assert found(first_within(START, 90, box(34, FRONT + 7, 38, FRONT + 9), 1.0)).distance == pytest.approx(
        6.0, abs=1e-9
    )


def test_a_corner_of_the_other_meets_the_front_edge() -> None:
    tilted = Placed(Rect(2.0, 2.0), Pose(36.3, FRONT + 5 + math.sqrt(2), 45))
    contact = found(first_within(START, 90, tilted))
    assert contact.distance == pytest.approx(5.0, abs=1e-9)
    assert contact.own == pytest.approx((36.3, FRONT + 5))
    assert contact.part == "front"


def test_a_front_corner_meets_a_slanted_edge() -> None:
    falling = Placed(Hull(((0, 0), (6, -6), (6, 6))), Pose(36 + W + 1, FRONT + 5))
    assert first_within(START, 90, falling) is None, "it begins an inch to the right of the corner"
    rising = Placed(Hull(((-4, 2), (6, -8), (6, 6))), Pose(36 + W, FRONT + 5))
    met = found(first_within(START, 90, rising))
    assert met.part == "front-corner"
    assert met.distance == pytest.approx(5.0 - 2.0, abs=1e-9)  # on the line y = 2 - (x + 4) at x = 0: two inches lower


def test_within_an_inch_past_a_corner() -> None:
    aside = 0.4
    contact = found(first_within(START, 90, box(36 + W + aside, 32, 42, 34), 1.0))
    assert contact.distance == pytest.approx(32 - math.sqrt(1 - aside**2) - FRONT, abs=1e-9)
    assert first_within(START, 90, box(36 + W + aside, 32, 42, 34)) is None


@pytest.mark.parametrize(("aside", "stops"), [(1.0, True), (1.0 + 5e-7, True), (1.0 + 2e-6, False), (1.01, False)])
def test_exactly_an_inch_aside_counts_as_within(aside: float, stops: bool) -> None:
    contact = first_within(START, 90, box(36 + W + aside, 30, 42, 40), 1.0)
    assert (contact is not None) == stops
    if contact is not None:
        assert contact.distance == pytest.approx(30 - FRONT, abs=2e-3)


def test_what_is_behind_is_never_met() -> None:
    assert first_within(START, 90, box(34, 10, 38, 20)) is None
    assert first_within(START, 90, Placed(Round(1), Pose(36, 15))) is None
    assert first_within(START, 90, Placed(Oval(2, 1), Pose(36, 15))) is None


def test_what_is_near_already_is_met_at_once() -> None:
    assert found(first_within(START, 90, box(34, 20, 34.5, 30), 1.0)).distance == 0.0
    assert found(first_within(START, 90, box(34, FRONT, 38, FRONT + 2))).distance == 0.0


@pytest.mark.parametrize(
    ("base", "point", "part"),
    [
        (WHEEL, (0.3, D), "front"),
        (WHEEL, (W, D), "front-corner"),
        (WHEEL, (W, 0.2), "side"),
        (WHEEL, (-W, -D), "rear-corner"),
        (WHEEL, (0.0, -D), "rear"),
        (Oval(4, 2), (0.0, 2.0), "front"),
        (Oval(4, 2), (1.0, 0.0), "side"),
        (Oval(4, 2), (0.0, -2.0), "rear"),
        (Round(2), (0.0, 1.0), "front"),
        (Round(2), (1.0, 0.0), "side"),
    ],
)
def test_the_part_that_a_point_belongs_to(base: Base, point: tuple[float, float], part: str) -> None:
    placed = Placed(base, Pose(10, 20, 90))
    assert part_at(placed, (10 + point[0], 20 + point[1])) == part
    assert is_front(part_at(placed, (10 + point[0], 20 + point[1]))) == part.startswith("front")


def test_the_side_of_an_oval_can_be_touched_on_the_way() -> None:
    oval = Placed(Oval(4, 2), Pose(0, 0, 90))
    assert found(first_within(oval, 90, Placed(Round(1), Pose(1.45, 8)))).part == "side"
    assert found(first_within(oval, 90, Placed(Round(1), Pose(0.2, 8)))).part == "front"


# --- within the distance from the start


def row(*spots: tuple[float, float]) -> PlacedSet:
    return PlacedSet.of(Placed(Round(1), Pose(*spot)) for spot in spots)


def test_from_within_it_stops_only_where_the_gap_falls() -> None:
    me = PlacedSet((START,))
    beside = 36 + W + 0.8 + 0.5
    assert first_nearing(me, 90, row((beside, 24)), 1.0) is None, "alongside, then away"
    assert found(first_nearing(me, 90, row((36, FRONT + 1)), 1.0)).distance == 0.0, "straight at it"
    assert first_nearing(me, 90, row((36, 24 - D - 1)), 1.0) is None, "straight away from it"


def test_a_group_is_one_thing() -> None:
    me = PlacedSet((START,))
    beside = 36 + W + 0.8 + 0.5
    line = row(*[(beside, 24 + k) for k in range(12)])
    assert first_nearing(me, 90, line, 1.0) is None, "sliding along a line of models at the same gap"
    near = row((beside, 24), (beside - 0.3, 28))
    stop = found(first_nearing(me, 90, near, 1.0))
    there = moved(me, 90, stop.distance)
    assert stop.obstacle == 1
    assert float(gaps(there, near).min()) == pytest.approx(0.8, abs=1e-5), "the second comes nearer than the first"
    later = row((beside, 24), (36, 40))
    assert found(first_nearing(me, 90, later, 1.0)).distance == pytest.approx(40 - 0.5 - 1 - FRONT, abs=1e-6)


def test_from_outside_it_is_the_first_instant_within() -> None:
    rng = random.Random(9)
    for _ in range(20):
        others = PlacedSet.of(
            Placed(rng.choice(BASES), Pose(rng.uniform(30, 42), 36, rng.uniform(0, 360))) for _ in "ab"
        )
        assert first_nearing(PlacedSet((START,)), 90, others, 1.0) == first_of(PlacedSet((START,)), 90, others, 1.0)


def test_touching_by_less_than_the_tolerance_is_touching() -> None:
    edge = 36 + W
    assert first_within(START, 90, box(edge + EPS / 2, 32, 42, 34)) is not None
    assert first_within(START, 90, box(edge + 3 * EPS, 32, 42, 34)) is None
