"""Do verdict, region and numbers of a constraint agree with one another and with plain measuring?"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, box

from geometry.shapes_at_random import KINDS, Kind, base_of, crowd, placed
from geometry.test_sweep import random_path
from sim.geometry import (
    EPS,
    Base,
    Constraint,
    Hull,
    KeepApart,
    KeepClear,
    KeepTogether,
    Obstacles,
    Oval,
    Path,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    Rules,
    StayInside,
    StayNear,
    Sweep,
    beyond,
    gap,
    gaps,
    judge,
    legal_region,
    overlaps,
    separation,
    within,
    witness,
)

MANY = settings(derandomize=True, deadline=None, max_examples=100)
FEWER = settings(derandomize=True, deadline=None, max_examples=50)

SIZES = st.floats(0.3, 6)
PLACES = st.floats(-15, 15)
TURNS = st.floats(-360, 360)


def _star(reaches: list[float]) -> Hull:
    turns = np.linspace(0, 2 * math.pi, len(reaches), endpoint=False)
    return Hull(tuple((float(r * math.cos(t)), float(r * math.sin(t))) for r, t in zip(reaches, turns, strict=True)))


ROUNDS = st.builds(Round, SIZES)
OVALS = st.builds(Oval, SIZES, SIZES)
RECTS = st.builds(Rect, SIZES, SIZES)
HULLS = st.builds(_star, st.lists(st.floats(0.3, 4), min_size=4, max_size=8))
CONVEX_BASES = st.one_of(ROUNDS, OVALS, RECTS)
BASES = st.one_of(CONVEX_BASES, HULLS)
POSES = st.builds(Pose, PLACES, PLACES, TURNS)
PLACED = st.builds(Placed, BASES, POSES)
CONVEX_PLACED = st.builds(Placed, CONVEX_BASES, POSES)


def at(base: Base, x: float = 0.0, y: float = 0.0, facing: float = 0.0, z: float = 0.0) -> Placed:
    return Placed(base, Pose(x, y, facing, z))


def obstacles(*bases: Placed, tops: tuple[float, ...] | None = None) -> Obstacles:
    return Obstacles(PlacedSet.of(bases), tuple(f"o{i}" for i in range(len(bases))), tops)


# --- measuring does not care where the table stands ---------------------------------------------------------------


def _same(found: float, expected: float) -> bool:
    """Equal gaps; an overlap stays one (its depth with notches is told to a hundredth)."""
    if abs(expected) < 1e-6:
        return abs(found) < 1e-5
    if expected < 0:
        return found < 0 and abs(found - expected) < 2e-2 * abs(expected) + 1e-9
    return abs(found - expected) < 1e-9


@MANY
@given(PLACED, PLACED, PLACES, PLACES, TURNS)
def test_a_rigid_motion_leaves_the_gap_alone(a: Placed, b: Placed, dx: float, dy: float, turn: float) -> None:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def moved(p: Placed) -> Placed:
        x, y = p.pose.at
        return at(p.base, c * x - s * y + dx, s * x + c * y + dy, p.pose.facing + turn)

    assert _same(separation(moved(a), moved(b)), separation(a, b))


@MANY
@given(PLACED, PLACED)
def test_mirroring_leaves_the_gap_alone(a: Placed, b: Placed) -> None:
    def mirrored(p: Placed) -> Placed:
        base = p.base
        if isinstance(base, Hull):
            base = Hull(tuple((x, -y) for x, y in base.outline))
        return at(base, -p.pose.x, p.pose.y, 180 - p.pose.facing)

    assert _same(separation(mirrored(a), mirrored(b)), separation(a, b))


@MANY
@given(PLACED, PLACED)
def test_a_gap_is_the_same_from_either_side(a: Placed, b: Placed) -> None:
    assert _same(separation(a, b), separation(b, a))
    assert gap(a, b) == pytest.approx(gap(b, a), abs=1e-12)
    assert overlaps(a, b) == overlaps(b, a) or abs(separation(a, b)) < 1e-5


@MANY
@given(PLACED, PLACED, st.floats(0, 12))
def test_within_or_beyond_a_limit_but_never_both(a: Placed, b: Placed, limit: float) -> None:
    distance = gap(a, b)
    assert within(distance, limit) is not beyond(distance, limit)
    strict = KeepClear("c", "r", obstacles(b), limit)
    assert bool(list(strict.judge(PlacedSet((a,))))) is within(separation(a, b), limit)


@MANY
@given(PLACED, PLACED, PLACED)
def test_the_way_through_a_third_base_is_no_shorter(a: Placed, b: Placed, c: Placed) -> None:
    assert gap(a, c) <= gap(a, b) + gap(b, c) + 2 * b.radius + 1e-9


@MANY
@given(CONVEX_PLACED, CONVEX_PLACED, st.floats(0, 5), st.floats(0, 4), st.booleans())
def test_moving_an_obstacle_away_adds_no_breach(
    member: Placed, obstacle: Placed, step: float, distance: float, strict: bool
) -> None:
    start, end = witness(member, obstacle)
    length = math.dist(start, end)
    assume(length > 1e-3)
    k = step / length
    x, y = obstacle.pose.x + (end[0] - start[0]) * k, obstacle.pose.y + (end[1] - start[1]) * k
    away = at(obstacle.base, x, y, obstacle.pose.facing)
    assert gap(member, away) >= gap(member, obstacle) + step - 1e-6
    members = PlacedSet((member,))
    before = list(KeepClear("c", "r", obstacles(obstacle), distance, strict).judge(members))
    after = list(KeepClear("c", "r", obstacles(away), distance, strict).judge(members))
    assert len(after) <= len(before)


@MANY
@given(PLACED, st.lists(PLACED, min_size=1, max_size=5), st.floats(0, 4))
def test_taking_an_obstacle_off_adds_no_breach(member: Placed, others: list[Placed], distance: float) -> None:
    members = PlacedSet((member,))
    every = list(KeepClear("c", "r", obstacles(*others), distance).judge(members))
    fewer = list(KeepClear("c", "r", obstacles(*others[1:]), distance).judge(members))
    assert len(fewer) <= len(every)
    if every and fewer:
        assert every[0].measured <= fewer[0].measured + 1e-12


@MANY
@given(PLACED, st.lists(PLACED, min_size=1, max_size=4), st.floats(0, 4), st.floats(0, 4))
def test_asking_for_more_room_adds_breaches_only(
    member: Placed, others: list[Placed], one: float, other: float
) -> None:
    less, more = sorted((one, other))
    members = PlacedSet((member,))
    assert len(list(KeepClear("c", "r", obstacles(*others), less).judge(members))) <= len(
        list(KeepClear("c", "r", obstacles(*others), more).judge(members))
    )


# --- keep clear ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strict", [True, False])
def test_a_breach_names_the_nearest_obstacle_and_its_gap(kind: Kind, strict: bool) -> None:
    rng = np.random.default_rng([1, KINDS.index(kind)])
    members = crowd(kind, 12, rng, 14)
    others = obstacles(*(placed(k, rng, 14) for k in KINDS for _ in range(2)))
    constraint = KeepClear("too-near", "p. 9", others, 2.0, strict)
    found = {b.member: b for b in constraint.judge(members)}
    distances = gaps(members, others.bases)
    assert set(found) == set(np.flatnonzero(distances.min(axis=1) < 2.0))
    for i, breach in found.items():
        assert (breach.code, breach.rule, breach.required.value) == ("too-near", "p. 9", 2.0)
        assert breach.measured == pytest.approx(distances[i].min(), abs=1e-12)
        j = int(str(breach.other).removeprefix("o"))
        assert distances[i, j] == pytest.approx(distances[i].min(), abs=1e-12)
        assert breach.witness.line is not None
        assert math.dist(*breach.witness.line) == pytest.approx(breach.measured, abs=1e-9)
        assert breach.required.shortfall(breach.measured) >= 0


def test_exactly_on_the_limit() -> None:
    member, enemy = at(Round.mm(32)), at(Round.mm(32), 9 + 32 / 25.4)
    members = PlacedSet((member,))
    assert list(KeepClear("c", "r", obstacles(enemy), 9.0).judge(members)), 'exactly 9" is not more than 9"'
    assert not list(KeepClear("c", "r", obstacles(enemy), 9.0, strict=False).judge(members))
    for off, legal in ((-5e-7, True), (-2e-6, False)):
        hair = obstacles(at(Round.mm(32), 9 + 32 / 25.4 + off))
        assert (not list(KeepClear("c", "r", hair, 9.0, strict=False).judge(members))) is legal
    touching = obstacles(at(Round.mm(32), 32 / 25.4))
    assert not list(KeepClear("c", "r", touching, 0.0, strict=False).judge(members))
    assert list(KeepClear("c", "r", touching, 0.0).judge(members))
    overlapping = obstacles(at(Round.mm(32), 32 / 25.4 - 1e-5))
    (breach,) = KeepClear("c", "r", overlapping, 0.0, strict=False).judge(members)
    assert breach.measured == pytest.approx(-1e-5)


def test_height_and_tops() -> None:
    low, high = at(Round(1), 0, 0), at(Round(1), 0, 0, z=6)
    members = PlacedSet.of([low, high])
    near = obstacles(at(Round(1), 1.5, 0))
    assert [b.member for b in KeepClear("c", "r", near, 1.0, vertical=5.0).judge(members)] == [0]
    assert [b.member for b in KeepClear("c", "r", near, 1.0, vertical=6.0).judge(members)] == [0, 1]
    assert [b.member for b in KeepClear("c", "r", near, 1.0).judge(members)] == [0, 1]
    wall = Obstacles.of_outlines([("wall", ((0.2, -5), (1, -5), (1, 5), (0.2, 5)), 6.0)])
    assert [b.member for b in KeepClear("c", "r", wall, 0.0, strict=False).judge(members)] == [0]
    assert [b.other for b in KeepClear("c", "r", wall, 0.0, strict=False).judge(members)] == ["wall"]


def test_nothing_to_judge() -> None:
    nobody, somebody = PlacedSet(()), PlacedSet((at(Round(1)),))
    every: list[Constraint] = [
        KeepClear("c", "r", obstacles(), 9.0),
        KeepClear("c", "r", obstacles(at(Round(1), 50)), 9.0),
        StayInside("c", "r", "n", box(-9, -9, 9, 9)),
        StayNear("c", "r", (("t", Point(0, 0)),), 3.0),
        KeepTogether("c", "r", 2.0, 5.0, 1),
        KeepApart("c", "r"),
    ]
    assert list(judge(every, nobody)) == []
    assert list(judge(every, somebody)) == []
    assert list(KeepClear("c", "r", obstacles(at(Round(1))), 9.0).judge_paths([])) == []


def test_only_some_members() -> None:
    members = PlacedSet.of([at(Round(1), 0), at(Round(1), 1), at(Round(1), 2)])
    only = frozenset({0, 2})
    near = obstacles(at(Round(1), 1, 1.2))
    assert [b.member for b in KeepClear("c", "r", near, 3.0, only=only).judge(members)] == [0, 2]
    inside = StayInside("c", "r", "n", box(5, 5, 9, 9), only=only)
    assert [b.member for b in inside.judge(members)] == [0, 2]
    sweeps = [Sweep(p.base, Path.through(p.pose, [[p.pose.x, 0.5]])) for p in members]
    assert [b.member for b in KeepClear("c", "r", near, 3.0, only=only).judge_paths(sweeps)] == [0, 2]
    assert [b.member for b in inside.judge_paths(sweeps)] == [0, 2]


@pytest.mark.parametrize("moving", KINDS)
def test_a_path_breaks_what_some_pose_on_it_breaks(moving: Kind) -> None:
    """And the boxes that rule obstacles out beforehand rule out none that matters."""
    rng = np.random.default_rng([2, KINDS.index(moving)])
    others = obstacles(*(placed(kind, rng, 12) for kind in KINDS for _ in range(2)))
    verdicts = set()
    for _ in range(4):
        sweep = Sweep(base_of(moving, rng), random_path(rng))
        found = list(KeepClear("c", "r", others, 0.5).judge_paths([sweep]))
        least = np.maximum(sweep.separations(others.bases), 0.0)
        assert bool(found) == bool(np.any(least <= 0.5 + EPS))
        if found:
            assert found[0].measured == pytest.approx(least.min(), abs=1e-9)
        poses = PlacedSet.of(Placed(sweep.base, sweep.path.at(float(s))) for s in np.linspace(0, 1, 80))
        sampled = gaps(poses, others.bases).min()
        assert sampled >= least.min() - 1e-9
        if sampled < 0.5:
            assert found
        verdicts.add(bool(found))
    assert True in verdicts


# --- stay inside --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_wholly_on_the_table_by_its_bounds(kind: Kind) -> None:
    table = StayInside("off", "r", "table", box(0, 0, 60, 44))
    rng = np.random.default_rng([3, KINDS.index(kind)])
    for _ in range(60):
        base = base_of(kind, rng)
        here = at(base, *(float(v) for v in rng.uniform(-2, 62, 2)), float(rng.uniform(0, 360)))
        x0, y0, x1, y1 = here.bounds
        out = max(-x0, -y0, x1 - 60, y1 - 44)
        assert table.overhang(here) == pytest.approx(out, abs=1e-12)
        found = list(table.judge(PlacedSet((here,))))
        assert bool(found) == (out > EPS)
        if found:
            assert found[0].measured == pytest.approx(out, abs=1e-12)
            assert found[0].other == "table"


def test_touching_the_edge_is_on_the_table() -> None:
    table = StayInside("off", "r", "table", box(0, 0, 60, 44))
    for base in (Round(2), Oval(2, 1), Rect(2, 2)):
        assert not list(table.judge(PlacedSet((at(base, 1, 20),))))
        assert list(table.judge(PlacedSet((at(base, 1 - 1e-5, 20),))))


def test_discs_are_kept_out_of() -> None:
    zone = StayInside("c", "r", "zone", box(0, 0, 60, 44), discs=(((30.0, 22.0), 9.0),))
    for x, legal in ((30 - 9 - 1.0, True), (30 - 9 - 1.0 + 1e-5, False), (30.0, False), (50.0, True)):
        assert (not list(zone.judge(PlacedSet((at(Round(2), x, 22),))))) is legal


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("discs", [(), (((4.0, 3.0), 1.5), ((-6.0, -5.0), 2.0))])
def test_a_path_leaves_a_region_when_some_pose_does(
    kind: Kind, discs: tuple[tuple[tuple[float, float], float], ...]
) -> None:
    rng = np.random.default_rng([4, KINDS.index(kind)])
    zone = StayInside("c", "r", "zone", Polygon([(-11, -9), (12, -10), (9, 11), (-10, 9)]), discs)
    for _ in range(5):
        sweep = Sweep(base_of(kind, rng), random_path(rng))
        sampled = max(zone.overhang(Placed(sweep.base, sweep.path.at(float(s)))) for s in np.linspace(0, 1, 120))
        found = list(zone.judge_paths([sweep]))
        if sampled > EPS:
            assert found
            if not discs:
                assert sampled - 1e-9 <= found[0].measured <= sampled + 0.1
        elif sampled < -0.02:
            assert not found


def test_a_pivot_tells_how_far_the_corner_swings_out() -> None:
    zone = StayInside("c", "r", "zone", box(-3.05, -3.05, 3.05, 3.05))
    (breach,) = zone.judge_paths([Sweep(Rect(6, 2), Path(Pose(0, 0), (Pose(0, 0, 91),)))])
    assert breach.measured == pytest.approx(math.sqrt(10) - 3.05, abs=1e-9)


# --- stay near ----------------------------------------------------------------------------------------------------


def test_all_members_are_near_the_same_target() -> None:
    edges = (("left", box(-1, 0, 0, 44)), ("right", box(60, 0, 61, 44)))
    near = StayNear("c", "r", edges, 6.0)
    left, right, middle = at(Round(2), 5, 20), at(Round(2), 55, 20), at(Round(2), 5.001, 30)
    assert not list(near.judge(PlacedSet.of([left, at(Rect(6, 6), 3, 9)])))
    assert not list(near.judge(PlacedSet.of([right])))
    (breach,) = near.judge(PlacedSet.of([left, right, at(Round(1), 2, 2)]))
    assert (breach.member, breach.other) == (1, "left")
    assert breach.measured == pytest.approx(56.0)
    (breach,) = near.judge(PlacedSet.of([left, middle]))
    assert breach.measured == pytest.approx(6.001)


# --- region and verdict -------------------------------------------------------------------------------------------

TABLE = box(0, 0, 30, 22)


def _situation(rng: np.random.Generator) -> list[Constraint]:
    def anywhere(kind: Kind) -> Placed:
        return at(base_of(kind, rng), float(rng.uniform(4, 26)), float(rng.uniform(3, 19)), float(rng.uniform(0, 360)))

    enemies = obstacles(*(anywhere(kind) for kind in KINDS))
    wall = Obstacles.of_outlines([("wall", ((9, 9), (12, 9), (12, 10), (10, 10), (10, 13), (9, 13)), 5.0)])
    zone = Polygon([(1, 1), (29, 1), (29, 15), (20, 15), (20, 21), (1, 21)])
    return [
        StayInside("table", "r", "table", TABLE),
        StayInside("zone", "r", "zone", zone, discs=(((24.0, 6.0), 3.0),)),
        KeepClear("enemy", "r", enemies, float(rng.uniform(0.2, 2))),
        KeepClear("wall", "r", wall, 0.0, strict=False),
        StayNear("edge", "r", (("corner", Point(2, 2)), ("side", box(0, -1, 30, 0))), float(rng.uniform(12, 18))),
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mm", [25, 32, 60, 100])
def test_region_and_verdict_agree_for_round_bases(seed: int, mm: float) -> None:
    rng = np.random.default_rng([5, seed])
    constraints = _situation(rng)
    base = Round.mm(mm)
    _check_agreement(constraints, base, 0.0, rng, margin=0.002, points=150)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_region_and_verdict_agree_for_bases_with_a_facing(kind: Kind) -> None:
    rng = np.random.default_rng([6, KINDS.index(kind)])
    for _ in range(3):
        constraints = _situation(rng)[:-1]  # to be near is drawn for round bases
        _check_agreement(constraints, base_of(kind, rng), float(rng.uniform(0, 360)), rng, margin=0.005, points=60)


def _check_agreement(
    constraints: list[Constraint], base: Base, facing: float, rng: np.random.Generator, margin: float, points: int
) -> None:
    region = legal_region(constraints, base, facing, TABLE)
    border = region.boundary
    for x, y in rng.uniform((0, 0), (30, 22), (points, 2)):
        if region.is_empty or border.distance(Point(x, y)) <= margin:
            continue
        breaches = list(judge(constraints, PlacedSet((at(base, float(x), float(y), facing),))))
        assert region.contains(Point(x, y)) is (not breaches), (x, y, [b.code for b in breaches])


@pytest.mark.parametrize("seed", range(3))
def test_each_border_of_a_region_is_where_the_verdict_turns(seed: int) -> None:
    """A step of 0.002" over the border of the region changes the verdict."""
    rng = np.random.default_rng([7, seed])
    constraints, base = _situation(rng), Round.mm(32)
    region = legal_region(constraints, base, 0.0, TABLE)
    border = region.boundary
    for share in rng.uniform(0, 1, 120):
        on = border.interpolate(float(share), normalized=True)
        around = [
            Point(on.x + 0.004 * math.cos(t), on.y + 0.004 * math.sin(t)) for t in np.linspace(0, 2 * math.pi, 12)
        ]
        for point in around:
            if border.distance(point) > 0.002:
                fine = not list(judge(constraints, PlacedSet((at(base, point.x, point.y),))))
                assert fine is region.contains(point)


def test_a_region_leaves_out_what_holds_for_some_members_only() -> None:
    some = frozenset({3})
    constraints: list[Constraint] = [
        KeepClear("c", "r", obstacles(at(Round(2), 5, 5)), 3.0, only=some),
        StayInside("c", "r", "n", box(0, 0, 2, 2), only=some),
        KeepTogether("c", "r", 2.0, 5.0, 1),
    ]
    assert legal_region(constraints, Round(1), 0.0, TABLE).equals(TABLE)


@pytest.mark.parametrize(("distance", "legal"), [(0.5, False), (4.0, True), (5.0, True), (1.9, False)])
def test_near_a_target_by_less_than_the_base_is_wide(distance: float, legal: bool) -> None:
    near = StayNear("c", "r", (("zone", box(4, 4, 9, 9)),), distance)
    here = at(Round(4), 4.05, 6.5)
    assert (not list(near.judge(PlacedSet((here,))))) is legal
    assert legal_region([near], Round(4), 0.0, TABLE).contains(Point(here.pose.at)) is legal


# --- keep together and apart --------------------------------------------------------------------------------------


def _flood(near: list[list[bool]]) -> list[set[int]]:
    """The groups by plain flood fill, largest first, the one with the first member before others as large."""
    groups: list[set[int]] = []
    for i in range(len(near)):
        if any(i in group for group in groups):
            continue
        group, grown = {i}, True
        while grown:
            more = {j for j in range(len(near)) if any(near[k][j] for k in group)} - group
            group |= more
            grown = bool(more)
        groups.append(group)
    return sorted(groups, key=lambda g: (-len(g), min(g)))


MEMBERS = st.lists(
    st.builds(
        Placed,
        st.one_of(ROUNDS, OVALS, RECTS),
        st.builds(Pose, st.floats(0, 14), st.floats(0, 8), TURNS, st.sampled_from([0.0, 3.0, 6.0, 8.0])),
    ),
    min_size=1,
    max_size=12,
)


@FEWER
@given(MEMBERS, st.floats(0, 3), st.integers(1, 3))
def test_coherency_against_a_flood_fill(bases: list[Placed], reach: float, needed: int) -> None:
    constraint, members = KeepTogether("c", "r", reach, 5.0, needed), PlacedSet.of(bases)
    count = len(bases)
    near = [
        [i != j and gap(a, b) <= reach + EPS and abs(a.pose.z - b.pose.z) <= 5 + EPS for j, b in enumerate(bases)]
        for i, a in enumerate(bases)
    ]
    groups = _flood(near)
    assert [set(g) for g in constraint.groups(members)] == groups
    lacking = {i for i in range(count) if sum(near[i]) < min(needed, count - 1)}
    apart = set(range(count)) - groups[0]
    found = list(constraint.judge(members))
    assert {b.member for b in found} == (lacking | apart if count > 1 else set())
    for breach in found:
        other = int(str(breach.other).removeprefix("#"))
        assert not near[breach.member][other]
        assert breach.measured == pytest.approx(gap(bases[breach.member], bases[other]), abs=1e-9)


@FEWER
@given(MEMBERS, st.floats(0, 3), st.integers(1, 3), st.randoms(use_true_random=False))
def test_the_order_of_members_changes_no_group(bases: list[Placed], reach: float, needed: int, random: object) -> None:
    constraint = KeepTogether("c", "r", reach, 5.0, needed)
    order = list(range(len(bases)))
    random.shuffle(order)  # type: ignore[attr-defined]
    groups = constraint.groups(PlacedSet.of(bases))
    shuffled = constraint.groups(PlacedSet.of(bases[i] for i in order))
    assert {frozenset(g) for g in groups} == {frozenset(order[k] for k in g) for g in shuffled}


def test_two_members_need_one_neighbour_at_most() -> None:
    pair = PlacedSet.of([at(Round(1)), at(Round(1), 3)])
    assert not list(KeepTogether("c", "r", 2.0, 5.0, 2).judge(pair))
    assert [b.member for b in KeepTogether("c", "r", 1.9, 5.0, 2).judge(pair)] == [0, 1]


def test_seven_in_a_row_at_two_inches() -> None:
    step = 2 + 32 / 25.4
    row = PlacedSet.of(at(Round.mm(32), step * i) for i in range(7))
    assert not list(KeepTogether("c", "r", 2.0, 5.0, 1).judge(row))
    assert [b.member for b in KeepTogether("c", "r", 2.0, 5.0, 2).judge(row)] == [0, 6]
    pulled = PlacedSet.of(at(Round.mm(32), step * i + (1e-5 if i == 6 else 0)) for i in range(7))
    assert [b.member for b in KeepTogether("c", "r", 2.0, 5.0, 1).judge(pulled)] == [6]
    halves = PlacedSet.of(at(Round.mm(32), step * i + (9 if i > 2 else 0)) for i in range(7))
    assert [b.member for b in KeepTogether("c", "r", 2.0, 5.0, 1).judge(halves)] == [0, 1, 2]


@MANY
@given(st.lists(PLACED, min_size=1, max_size=8))
def test_members_apart_against_each_pair(bases: list[Placed]) -> None:
    found = {b.member: b for b in KeepApart("c", "r").judge(PlacedSet.of(bases))}
    clashing = {j for (i, a), (j, b) in itertools.combinations(enumerate(bases), 2) if separation(a, b) < -EPS}
    assert set(found) == clashing
    for i, breach in found.items():
        other = int(str(breach.other).removeprefix("#"))
        assert other < i
        assert separation(bases[i], bases[other]) == pytest.approx(breach.measured, rel=2e-2)


def test_touching_members_and_members_on_two_floors_are_apart() -> None:
    assert not list(KeepApart("c", "r").judge(PlacedSet.of([at(Round(1)), at(Round(1), 1)])))
    assert not list(KeepApart("c", "r").judge(PlacedSet.of([at(Round(1)), at(Round(1), 0.2, z=3)])))


# --- rules --------------------------------------------------------------------------------------------------------


def test_rules_tell_breaches_of_the_path_before_those_of_the_place() -> None:
    enemy = obstacles(at(Round(1), 5, 0))
    rules = Rules(
        standing=(StayInside("off", "r", "table", box(-9, -9, 9, 9)),),
        moving=(KeepClear("through", "r", enemy, 0.0, strict=False),),
    )
    sweep = Sweep(Round(1), Path.through(Pose(0, 0), [[10, 0]]))
    end = PlacedSet((Placed(Round(1), sweep.path.end),))
    assert [b.code for b in rules.breaches(end, [sweep])] == ["through", "off"]
    assert [b.code for b in rules.breaches(end)] == ["off"]
