"""Is a line found whenever there is one, and is every line that is found clear?"""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import LineString, Polygon

from geometry.shapes_at_random import KINDS, Rng, placed
from sim.geometry import Base, Hull, Oval, Placed, PlacedSet, Pose, Rect, Round, Segment, ShapeError
from sim.geometry.hidden import hidden_part
from sim.geometry.sight import Blockers, blocking, sees, visible

Outline = tuple[tuple[float, float], ...]
NOTHING = Blockers((), ())
SIDE = 200  # points around each rim for the oracle
STAR = tuple(k * math.pi / 4 for k in range(8))


def blockers(*outlines: Outline) -> Blockers:
    return Blockers(tuple(f"b{k}" for k in range(len(outlines))), outlines)


def box(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def disc(x: float, y: float, d: float = 1.0) -> Placed:
    return Placed(Round(d), Pose(x, y))


def hull(*corners: tuple[float, float]) -> Placed:
    return Placed(Hull(corners), Pose(0.0, 0.0))


# An oracle: shapely, and points all around both rims. It shares nothing with what it checks.


def rim(member: Placed) -> np.ndarray:
    base, pose = member.base, member.pose
    if isinstance(base, (Round, Oval)):
        a, b = (base.d / 2, base.d / 2) if isinstance(base, Round) else (base.length / 2, base.width / 2)
        t, f = np.arange(SIDE) * 2 * math.pi / SIDE, math.radians(pose.facing)
        u, v = a * np.cos(t), b * np.sin(t)
        return np.column_stack((pose.x + math.cos(f) * u - math.sin(f) * v, pose.y + math.sin(f) * u + math.cos(f) * v))
    edge = Polygon(member.corners).exterior
    spots = [shapely.get_coordinates(edge.interpolate(k / SIDE, normalized=True))[0] for k in range(SIDE)]
    return np.array([*spots, *member.corners])


def oracle(a: Placed, b: Placed, outlines: list[Outline]) -> Segment | None:
    """A line between two of many points of the rims that keeps clear of the union of all outlines."""
    one, other = rim(a), rim(b)
    ends = np.stack((np.repeat(one, len(other), axis=0), np.tile(other, (len(one), 1))), axis=1)
    whole = shapely.union_all([Polygon(o) for o in outlines])
    shapely.prepare(whole)
    free = np.flatnonzero(~shapely.intersects(whole, shapely.linestrings(ends)))
    return None if not len(free) else tuple(map(tuple, ends[free[0]].tolist()))  # type: ignore[return-value]


def lies_in(point: tuple[float, float], member: Placed) -> bool:
    base, pose = member.base, member.pose
    if not isinstance(base, (Round, Oval)):
        return bool(Polygon(member.corners).distance(shapely.Point(point)) < 1e-8)
    a, b = (base.d / 2, base.d / 2) if isinstance(base, Round) else (base.length / 2, base.width / 2)
    f, dx, dy = math.radians(pose.facing), point[0] - pose.x, point[1] - pose.y
    u, v = math.cos(f) * dx + math.sin(f) * dy, math.cos(f) * dy - math.sin(f) * dx
    return math.hypot(u / a, v / b) < 1 + 1e-8


def assert_clear(line: Segment, a: Placed, b: Placed, outlines: list[Outline]) -> None:
    assert lies_in(line[0], a)
    assert lies_in(line[1], b)
    if not a.polygon.intersects(b.polygon):
        inside = [Polygon(o).buffer(-3e-6, join_style="mitre") for o in outlines]
        assert not any(LineString(line).intersects(polygon) for polygon in inside)


def sight(a: Placed, b: Placed, *outlines: Outline) -> bool:
    """What is seen, both ways and by each of the two questions, and the line checked."""
    scene = blockers(*outlines)
    line, back = sees(a, b, scene), sees(b, a, scene)
    assert (line is None) is (back is None)
    assert visible(PlacedSet((a,)), PlacedSet((b,)), scene).tolist() == [[line is not None]]
    if line is None:
        assert blocking(a, b, scene)
        return False
    assert_clear(line, a, b, list(outlines))
    return True


def test_nothing_in_the_way() -> None:
    line = sees(disc(0, 0), disc(10, 0), NOTHING)
    assert line is not None
    assert [*line[0], *line[1]] == pytest.approx([0.5, 0.0, 9.5, 0.0])
    assert blocking(disc(0, 0), disc(10, 0), NOTHING) == ()
    assert hidden_part(disc(0, 0), disc(10, 0), NOTHING) is None


@pytest.mark.parametrize(("slit", "seen"), [(0.01, True), (1e-4, True), (0.0, False), (1e-9, False), (-0.01, False)])
@pytest.mark.parametrize("at", [0.0, 0.31, -0.4999, 0.77])
def test_through_a_slit_between_two_walls(slit: float, seen: bool, at: float) -> None:
    walls = box(4, -30, 6, at - slit / 2), box(4, at + slit / 2, 6, 30)
    assert sight(disc(0, 0), disc(10, 0), *walls) is (seen and abs(at) < 0.5)


def test_a_slit_is_too_long_to_look_through_at_a_slant() -> None:
    """From (0, 0) with radius 1/2 to (10, 3) a slit of 2 inches and a width of w has to be 0.4 or so wide."""
    seen = [sight(disc(0, 0), disc(10, 3), box(4, -30, 6, 1.5 - w), box(4, 1.5 + w, 6, 30)) for w in (0.1, 0.15, 0.3)]
    assert seen[0] is False
    assert seen[2] is True


@pytest.mark.parametrize("turn", range(0, 360, 17))
def test_the_border_between_two_walls_is_closed_until_one_is_ignored(turn: int) -> None:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def turned(*points: tuple[float, float]) -> Outline:
        return tuple((30 + c * x - s * y, 22 + s * x + c * y) for x, y in points)

    scene = blockers(turned(*box(4, -30, 6, 0.2)), turned(*box(4, 0.2, 6, 30)))
    a, b = (Placed(Round(1.0), Pose(*turned((x, 0.0))[0])) for x in (0.0, 10.0))
    assert sees(a, b, scene) is None
    for k in range(2):
        line = sees(a, b, scene, {k})
        assert line is not None
        assert_clear(line, a, b, [scene.outlines[1 - k]])


def test_walls_that_meet_in_a_corner_alone_are_seen_past() -> None:
    assert sight(disc(0, 0), disc(10, 0), box(3, -30, 5, 0), box(5, 0, 7, 30))


@pytest.mark.parametrize(("top", "seen"), [(0.5, True), (0.5 + 1e-7, True), (0.5 + 1e-5, False)])
def test_along_a_wall(top: float, seen: bool) -> None:
    """The highest line of both discs runs along the wall."""
    assert sight(disc(0, 0), disc(10, 0), box(2, -30, 8, top)) is seen


def test_between_the_sides_of_a_lane_as_wide_as_a_base() -> None:
    a, b = Placed(Rect(1.0, 1.0), Pose(0, 0)), Placed(Rect(1.0, 1.0), Pose(10, 1.0))
    assert sight(a, b, box(1, -30, 9, 0.5), box(1, 0.5 + 1e-4, 9, 30)), "it runs along the wall from corner to corner"
    assert not sight(a, b, box(1, -30, 9, 0.5 + 1e-4), box(1, 0.5 + 2e-4, 9, 30))


@pytest.mark.parametrize(("more", "seen"), [(-0.001, True), (0.0, True), (0.001, False)])
@pytest.mark.parametrize("ends", [(0.5, 0.5), (0.5, 1.5), (1.0, 0.25)])
def test_hidden_behind_a_wall_that_is_just_wide_enough(ends: tuple[float, float], more: float, seen: bool) -> None:
    """The wall reaches up to the outer tangent on one side and far beyond the other."""
    (r, s), distance, x = ends, 10.0, 4.0
    slope = math.asin((s - r) / distance)
    end = x if slope > 0 else x + 0.1  # the upper tangent meets the top of the wall here first
    tangent = r / math.cos(slope) + end * math.tan(slope)
    wall = box(x, -20, x + 0.1, tangent + more)
    assert sight(disc(0, 0, 2 * r), disc(distance, 0, 2 * s), wall) is seen


@pytest.mark.parametrize(("more", "seen"), [(-0.001, True), (0.001, False)])
def test_two_walls_each_cut_off_one_half(more: float, seen: bool) -> None:
    """The only line left falls from the top of one wall to the bottom of the other, at rest on both corners."""
    low, high = box(2.9, -20, 3.0, 0.3 + more), box(7.0, -0.3, 7.1, 20)
    slope = -0.6 / 4.0
    start = 0.3 - 3.0 * slope  # where that line crosses x = 0; a line steeper still is out of reach below
    radius = start * math.cos(math.atan(slope))
    a, b = disc(0.0, 0.0, 2 * radius), disc(10.0, 0.0, 2.0)
    assert sight(a, b, low, high) is seen


def test_corners_peek_where_the_middle_is_hidden() -> None:
    a, b = Placed(Rect(2.0, 2.0), Pose(0, 0)), Placed(Rect(2.0, 2.0), Pose(12, 0))
    assert sight(a, b, box(5, -30, 7, 0.999))
    assert sight(a, b, box(5, -30, 7, 1.0))
    assert not sight(a, b, box(5, -30, 7, 1.001))
    turned = Placed(Rect(2.0, 2.0), Pose(12, 0, 45))
    assert sight(a, turned, box(9, -30, 10, 1 + 9 / 12 * (math.sqrt(2) - 1)))
    assert not sight(a, turned, box(9, -30, 10, 1.001 + 10 / 12 * (math.sqrt(2) - 1)))


@pytest.mark.parametrize(("facing", "reach"), [(0.0, 0.5), (90.0, 2.0), (30.0, math.sqrt(1.75))])
def test_an_oval_is_a_true_ellipse(facing: float, reach: float) -> None:
    """Two alike, one behind the other: the tangent runs at the greatest height of the ellipse."""
    a, b = (Placed(Oval(4.0, 1.0), Pose(x, 0.0, facing)) for x in (0.0, 12.0))
    height = math.hypot(2.0 * math.sin(math.radians(facing)), 0.5 * math.cos(math.radians(facing)))
    assert height == pytest.approx(reach) or facing == 30.0
    assert sight(a, b, box(5, -30, 6, height - 1e-5))
    assert not sight(a, b, box(5, -30, 6, height + 1e-5))


def test_a_hull_with_a_notch() -> None:
    """A fork with two prongs that look out on either side of a plate, and in at what stands between them."""
    fork = hull((0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (4, 3), (4, 4), (0, 4))
    assert sight(fork, disc(8, 2), box(4.5, 1, 5, 3)), "from the tips"
    assert not sight(fork, disc(8, 2), box(4.5, -9, 5, 13))
    assert sight(fork, disc(2.5, 2, 0.2), box(3, 1.5, 3.5, 2.5)), "inside the notch the walls are near"
    assert not sight(fork, disc(2.5, 2, 0.2), *ring(2.5, 2, 0.3, 0.4))


def ring(x: float, y: float, inner: float, outer: float) -> tuple[Outline, ...]:
    """Four walls around a point, corner over corner."""
    i, o = inner, outer
    return (
        box(x - o, y - o, x + o, y - i),
        box(x - o, y + i, x + o, y + o),
        box(x - o, y - o, x - i, y + o),
        box(x + i, y - o, x + o, y + o),
    )


def test_a_blocker_with_a_notch_is_seen_into() -> None:
    u: Outline = ((3, -4), (7, -4), (7, 4), (6.5, 4), (6.5, -3.5), (3.5, -3.5), (3.5, 4), (3, 4))
    assert not sight(disc(0, 0), disc(5, 0), u)
    assert sight(disc(5, 8), disc(5, 0), u)
    assert sight(disc(4.1, -1), disc(5.9, 0), u)
    assert not sight(disc(0, 0), disc(10, 0), u)


def test_out_of_a_blocker_only_when_it_is_ignored() -> None:
    scene = blockers(box(-2, -2, 2, 2), box(4, -5, 5, 5))
    a, b = disc(0, 0), disc(10, 0)
    assert sees(a, b, scene) is None
    assert sees(a, b, scene, [0]) is None
    assert sees(a, b, scene, [1]) is None
    assert sees(a, b, scene, [0, 1]) is not None
    assert sees(a, disc(4.5, 20), scene, [0]) is not None
    assert blocking(a, b, scene) == ("b0", "b1")
    assert blocking(b, a, scene) == ("b1", "b0")
    assert blocking(a, b, scene, [0]) == ("b1",)


def test_from_the_part_that_sticks_out_of_a_blocker() -> None:
    """The disc reaches out of the wall by a sliver, and a second wall leaves but its lines along the first."""
    assert sight(disc(0, 0), disc(10, 0), box(-2, -2, 0.49, 2))
    assert sight(disc(0, 0), disc(0, 10), box(-2, -2, 0.49, 2)), "around the corner"
    assert not sight(disc(0, 0), disc(-10, 0), box(-2, -2, 0.49, 2))
    # Up along x = 0.4 from where the wall crosses the rim at y = 0.3, under a roof that ends at x = 0.4.
    scene = box(-9, -2, 0.4, 2), box(0.401, 3, 20, 4)
    assert sight(disc(0, 0), disc(0.4, 10, 0.002), *scene)
    assert not sight(disc(0, 0), disc(0.39, 10, 0.002), *scene, box(0.4, 0.29, 20, 1))
    assert sight(disc(0, 0), disc(0.401, 10, 0.004), *scene, box(0.4005, 0.29, 20, 1))


@pytest.mark.parametrize(("degrees", "seen"), [(3.0, True), (0.01, True), (-0.01, False)])
@pytest.mark.parametrize("base", [Round(2.0), Oval(2.0, 2.001), Rect(2.0, 2.0)])
def test_out_of_a_strip_of_the_edge_that_two_walls_leave_free(degrees: float, base: Base, seen: bool) -> None:
    """The walls open like a funnel towards two windows: only lines through the ends of the strip are extreme."""
    end = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    if isinstance(base, Rect):
        end[0] = 1.0
    away = np.array([0.5, math.sqrt(0.75)])
    upper: Outline = (tuple(end - away / 2), tuple(end + 3 * away), (-3.0, 6.0), (-3.0, -3.0))
    lower: Outline = tuple((x, -y) for x, y in reversed(upper))
    windows = box(5, 1, 5.5, 30), box(5, -0.2, 5.5, 0.2), box(5, -30, 5.5, -1)
    observer = Placed(base, Pose(0.0, 0.0))
    assert sight(observer, disc(20, 0, 16.0), upper, lower, *windows) is seen
    assert sight(disc(20, 0, 16.0), observer, upper, lower, *windows) is seen


def test_bases_that_touch_or_overlap_see_each_other_whatever_covers_them() -> None:
    cover = blockers(box(-9, -9, 9, 9))
    for b in (disc(1.0, 0.0), disc(0.5, 0.0), disc(1.0 + 5e-7, 0.0), Placed(Rect(1, 1), Pose(1, 0))):
        line = sees(disc(0, 0), b, cover)
        assert line is not None
        assert math.dist(*line) < 1e-6
        assert visible(PlacedSet((disc(0, 0),)), PlacedSet((b,)), cover).all()
        assert blocking(disc(0, 0), b, cover) == ()
    assert sees(disc(0, 0), disc(1.001, 0.0), cover) is None


def test_bases_that_touch_a_wall() -> None:
    assert sight(disc(0, 0), disc(0, 10), box(0.5, -5, 1, 20))
    assert not sight(disc(0, 0), disc(3, 0), box(0.5, -5, 1, 20))
    assert not sight(disc(0, 0), disc(1.5, 0), box(0.5, -50, 1, 50)), "both touch it, from either side"
    assert sight(disc(0, 0), disc(0, 10, 2.0), box(0.5, -5, 1, 20)), "one stands in it"


def test_names_and_outlines_are_checked() -> None:
    with pytest.raises(ShapeError, match="expected a name for each of 1, got 2"):
        Blockers(("a", "b"), (box(0, 0, 1, 1),))
    with pytest.raises(ShapeError, match="bow: outline crosses itself"):
        Blockers(("bow",), (((0, 0), (1, 1), (1, 0), (0, 1.5)),))


def test_no_bases_no_answers() -> None:
    assert visible(PlacedSet(()), PlacedSet((disc(0, 0),)), blockers(box(0, 0, 1, 1))).shape == (0, 1)


# What no point of the observer sees.


def test_a_part_is_hidden_behind_a_wall() -> None:
    found = hidden_part(disc(0, 0), disc(10, 0), blockers(box(7, 0.2, 8, 5)))
    assert found is not None
    assert math.dist(found, (10, 0)) == pytest.approx(0.5)
    assert found[1] > 0.2
    assert hidden_part(disc(0, 0), disc(10, 0), blockers(box(7, 0.5, 8, 5))) is None


@pytest.mark.parametrize(("more", "hidden"), [(-1e-4, False), (0.0, False), (1e-4, True)])
@pytest.mark.parametrize("ends", [(0.5, 0.5), (0.5, 2.0), (2.0, 0.5)])
def test_the_edge_of_what_is_hidden_is_exact(ends: tuple[float, float], more: float, hidden: bool) -> None:
    """The wall reaches down to the outer tangent: the last point that faces the observer sees its highest alone."""
    (r, s), distance = ends, 10.0
    slope = math.asin((s - r) / distance)
    end = 4.1 if slope > 0 else 4.0
    tangent = r / math.cos(slope) + end * math.tan(slope)
    found = hidden_part(disc(0, 0, 2 * r), disc(distance, 0, 2 * s), blockers(box(4, tangent - more, 4.1, 20)))
    assert (found is not None) is hidden


def test_nothing_that_faces_the_observer_is_hidden_by_what_stands_behind() -> None:
    assert hidden_part(disc(0, 0), disc(10, 0), blockers(box(10.6, -5, 12, 5))) is None
    assert hidden_part(disc(0, 0), Placed(Rect(2, 2), Pose(10, 0)), blockers(box(11.5, -5, 12, 5))) is None


def test_a_hidden_part_of_a_base_that_stands_in_a_blocker() -> None:
    ruin = blockers(box(9.8, -3, 12, 3))
    assert hidden_part(disc(0, 0), disc(10, 0), ruin) is not None
    assert hidden_part(disc(0, 0), disc(10, 0), ruin, [0]) is None


def test_a_hidden_corner() -> None:
    target = Placed(Rect(4.0, 2.0), Pose(10, 0))
    found = hidden_part(disc(0, 0), target, blockers(box(8, 1.5, 8.5, 5)))
    assert found is not None
    assert found[0] == pytest.approx(9.0)
    assert 1.5 < found[1] <= 2.0
    assert hidden_part(disc(0, 0), target, blockers(box(8, 1.9, 8.5, 5))) is None, "from below it is seen"


def test_what_the_target_hides_itself_is_not_hidden() -> None:
    fork = hull((10, 0), (14, 0), (14, 1), (11, 1), (11, 3), (14, 3), (14, 4), (10, 4))
    assert hidden_part(disc(0, 2), fork, NOTHING) is None
    assert hidden_part(disc(20, 2), fork, NOTHING) is None
    assert hidden_part(disc(20, 2), fork, blockers(box(13, 1.5, 13.2, 2.5))) is not None


def test_all_of_it_hidden() -> None:
    found = hidden_part(disc(0, 0), disc(10, 0), blockers(box(4, -9, 5, 9)))
    assert found is not None
    assert math.dist(found, (9.5, 0.0)) < 0.02, "the middle of what faces the observer"


@pytest.mark.parametrize("seed", range(12))
def test_hidden_points_are_hidden_and_without_one_all_that_faces_is_seen(seed: int) -> None:
    """Against ``sees`` of a base as small as a point, and against single lines."""
    rng = np.random.default_rng([9, seed])
    outlines = walls(rng, 3, 5.0)
    a, b = disc(-9.0, float(rng.uniform(-3, 3)), 2.0), disc(9.0, float(rng.uniform(-3, 3)), 3.0)
    scene = blockers(*outlines)
    found = hidden_part(a, b, scene)
    whole = shapely.union_all([Polygon(o) for o in outlines])
    shapely.prepare(whole)
    if found is not None:
        ends = [(found, tuple(p)) for p in rim(a)]
        lines = shapely.linestrings(np.array(ends))
        outward = (np.array(found) - np.array(b.pose.at)) / 1.5
        front = (rim(a) - np.array(found)) @ outward > 1e-9
        assert front.any()
        assert shapely.intersects(whole, lines[front]).all()
        return
    for spot in rim(b):
        outward = (spot - np.array(b.pose.at)) / 1.5
        front = (rim(a) - spot) @ outward
        if front.max() > 1e-3:
            lines = shapely.linestrings(np.array([(spot, p) for p in rim(a)[front > 0]]))
            inside = whole.buffer(-1e-3)
            assert not shapely.intersects(inside, lines).all()


# Random tables.


def walls(rng: Rng, count: int, spread: float) -> list[Outline]:
    """Walls, L-shapes and stars, some of which overlap or share a border."""
    found: list[Outline] = []
    for k in range(count):
        long, wide, thick = rng.uniform(1.1, 6), rng.uniform(1.1, 6), rng.uniform(0.05, 1)
        shapes: list[list[tuple[float, float]]] = [
            [(0, 0), (long, 0), (long, thick), (0, thick)],
            [(0, 0), (long, 0), (long, thick), (thick, thick), (thick, wide), (0, wide)],
            [(0, 0), (long, 0), (long + thick, wide)],
            [(r * math.cos(t), r * math.sin(t)) for r, t in zip((long, wide / 4) * 4, STAR, strict=True)],
        ]
        local = shapes[int(rng.integers(4))]
        turn, (x, y) = rng.uniform(0, 2 * math.pi), rng.uniform(-spread, spread, 2)
        c, s = math.cos(turn), math.sin(turn)
        found.append(tuple((float(x + c * u - s * v), float(y + s * u + c * v)) for u, v in local))
        if k % 5 == 4:  # another that shares the first edge
            (ax, ay), (bx, by) = found[-1][:2]
            nx, ny = (by - ay) / 4, (ax - bx) / 4
            found.append(((bx, by), (ax, ay), (ax + nx, ay + ny), (bx + nx, by + ny)))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_whatever_the_oracle_sees_is_seen(seed: int) -> None:
    """Ten tables a seed; of every table the oracle looks at one pair of bases that is not seen."""
    looked_at = 0
    for turn in range(10):
        rng = np.random.default_rng([4, seed, turn])
        outlines = walls(rng, int(rng.integers(1, 12)), 7.0)
        scene = blockers(*outlines)
        members = [placed(KINDS[int(rng.integers(5))], rng, 10.0) for _ in range(12)]
        left, right = PlacedSet(tuple(members[:6])), PlacedSet(tuple(members[6:]))
        told = visible(left, right, scene)
        assert np.array_equal(told.T, visible(right, left, scene))
        hidden = np.argwhere(~told)
        for i, j in np.argwhere(told)[:6].tolist():
            line = sees(left[i], right[j], scene)
            assert line is not None
            assert_clear(line, left[i], right[j], outlines)
        for i, j in hidden[:3].tolist():
            assert sees(left[i], right[j], scene) is None
            assert blocking(left[i], right[j], scene)
        if len(hidden):
            i, j = hidden[int(rng.integers(len(hidden)))].tolist()
            assert oracle(left[i], right[j], outlines) is None, (seed, turn, i, j)
            looked_at += 1
    assert looked_at


@pytest.mark.parametrize("seed", range(6))
def test_ignoring_is_the_same_as_leaving_away(seed: int) -> None:
    rng = np.random.default_rng([6, seed])
    outlines = walls(rng, 7, 6.0)
    scene = blockers(*outlines)
    left, right = (PlacedSet.of(placed(KINDS[k], rng, 9.0) for k in range(5)) for _ in range(2))
    ignoring = rng.random((5, 5, len(outlines))) < 0.4
    told = visible(left, right, scene, ignoring)
    for i in range(5):
        for j in range(5):
            kept = blockers(*(o for k, o in enumerate(outlines) if not ignoring[i, j, k]))
            assert told[i, j] == (sees(left[i], right[j], kept) is not None)
            assert told[i, j] == (sees(left[i], right[j], scene, np.flatnonzero(ignoring[i, j]).tolist()) is not None)


@pytest.mark.parametrize("seed", range(12))
def test_what_lies_nowhere_near_changes_nothing(seed: int) -> None:
    """Nor does what is ignored: the same line is found, and the same point hidden."""
    rng = np.random.default_rng([8, seed])
    near, aside = walls(rng, 3, 4.0), walls(rng, 4, 3.0)
    far = [tuple((x + 40 * math.cos(k), y + 40 * math.sin(k)) for x, y in o) for k, o in enumerate(aside)]
    scene, fuller = blockers(*near), blockers(*far[:2], *near, *far[2:], *aside)
    ignoring = range(len(far) + len(near), len(fuller))
    for _ in range(6):
        a, b = (placed(KINDS[int(rng.integers(5))], rng, 7.0) for _ in range(2))
        assert sees(a, b, fuller, ignoring) == sees(a, b, scene)
        assert hidden_part(a, b, fuller, ignoring) == hidden_part(a, b, scene)
        told = visible(PlacedSet((a,)), PlacedSet((b,)), fuller, np.isin(np.arange(len(fuller)), ignoring)[None, None])
        assert told[0, 0] == (sees(a, b, scene) is not None)
