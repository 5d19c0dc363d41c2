"""What does a base touch on its way? Random paths against a search over poses, and paths worked out by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from shapely import LineString, MultiPolygon, Point, box

from geometry.oracle import Walk, bounds_of_swept_gap
from geometry.shapes_at_random import KINDS, Kind, base_of, for_oracle, placed
from sim.geometry import (
    EPS,
    Base,
    Hull,
    Oval,
    Path,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    ShapeError,
    Sweep,
    separation,
)

PATHS = 10  # of each pair of kinds, of one to three legs


def random_path(rng: np.random.Generator) -> Path:
    """One to three legs: straight moves of up to eight inches and pivots of up to half a turn either way."""
    pose = Pose(*(float(v) for v in rng.uniform(-7, 7, 2)), float(rng.uniform(-180, 180)))
    start, stops = pose, []
    for _ in range(int(rng.integers(1, 4))):
        if rng.random() < 0.5:
            pose = Pose(pose.x, pose.y, pose.facing + float(rng.uniform(-180, 180)))
        else:
            length, heading = rng.uniform(0.5, 8), rng.uniform(0, 2 * math.pi)
            pose = Pose(
                pose.x + float(length * math.cos(heading)), pose.y + float(length * math.sin(heading)), pose.facing
            )
        stops.append(pose)
    return Path(start, tuple(stops))


def walk_of(paths: list[Path]) -> Walk:
    legs = [(i, leg) for i, path in enumerate(paths) for leg in path.legs]

    def numbers(pose: Pose) -> tuple[float, float, float]:
        return pose.x, pose.y, math.radians(pose.facing)

    return Walk(
        np.array([i for i, _ in legs]),
        np.array([numbers(leg.start) for _, leg in legs]),
        np.array([numbers(leg.end) for _, leg in legs]),
    )


@pytest.mark.parametrize("still", KINDS)
@pytest.mark.parametrize("moving", KINDS)
def test_random_paths_against_a_search_over_poses(moving: Kind, still: Kind) -> None:
    rng = np.random.default_rng([3, KINDS.index(moving), KINDS.index(still)])
    bases = [base_of(moving, rng) for _ in range(PATHS)]
    paths = [random_path(rng) for _ in range(PATHS)]
    obstacles = [placed(still, rng, 5.0) for _ in range(PATHS)]
    low, high, overlapping = bounds_of_swept_gap(
        for_oracle([Placed(base, Pose(0, 0)) for base in bases]), walk_of(paths), for_oracle(obstacles)
    )
    found = np.array(
        [Sweep(b, p).separations(PlacedSet((o,)))[0] for b, p, o in zip(bases, paths, obstacles, strict=True)]
    )
    assert np.all(found <= high + 1e-9)
    assert np.all(np.maximum(found, 0.0) >= low - 1e-9)
    assert np.all(np.maximum(found, 0.0) >= high - 1e-8), "the search over poses ends this near to the least gap"
    assert np.all(found[overlapping >= 2] < -EPS), "runs through the obstacle for a while"
    assert np.all(high[found < -EPS] == 0)
    assert np.any(high > 0)


@pytest.mark.parametrize("moving", KINDS)
def test_many_obstacles_at_once_are_each_told_as_if_alone(moving: Kind) -> None:
    rng = np.random.default_rng([4, KINDS.index(moving)])
    obstacles = PlacedSet.of(placed(kind, rng, 8.0) for kind in KINDS for _ in range(2))
    for _ in range(2):
        sweep = Sweep(base_of(moving, rng), random_path(rng))
        together = sweep.separations(obstacles)
        assert together.shape == (10,)
        for value, obstacle in zip(together, obstacles, strict=True):
            alone = sweep.separations(PlacedSet((obstacle,)))[0]
            assert (value < -EPS) == (alone < -EPS)
            assert max(value, 0.0) == pytest.approx(max(alone, 0.0), abs=1e-9)


@pytest.mark.parametrize("moving", KINDS)
def test_clearance_of_a_path_is_its_swept_gap(moving: Kind) -> None:
    rng = np.random.default_rng([5, KINDS.index(moving)])
    for _ in range(5):
        sweep, wall = Sweep(base_of(moving, rng), random_path(rng)), placed("notched hull", rng, 8.0)
        swept = sweep.separations(PlacedSet((wall,)))[0]
        assert sweep.clearance(wall.polygon) == pytest.approx(max(swept, 0.0), abs=1e-9)


@pytest.mark.parametrize("moving", KINDS)
def test_a_way_back_is_as_near_as_the_way_there(moving: Kind) -> None:
    rng = np.random.default_rng([6, KINDS.index(moving)])
    obstacles = PlacedSet.of(placed(kind, rng, 8.0) for kind in KINDS)
    for _ in range(3):
        base, path = base_of(moving, rng), random_path(rng)
        poses = [path.start, *path.stops]
        back = Path(poses[-1], tuple(poses[-2::-1]))
        there_, back_ = Sweep(base, path).separations(obstacles), Sweep(base, back).separations(obstacles)
        assert np.maximum(there_, 0) == pytest.approx(np.maximum(back_, 0), abs=1e-9)
        assert np.array_equal(there_ < -EPS, back_ < -EPS)


# --- by hand ------------------------------------------------------------------------------------------------------

EACH_KIND: list[Base] = [Round(1), Oval(2, 1), Rect(1, 2), Hull(((-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)))]


@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
@pytest.mark.parametrize("other", EACH_KIND, ids=repr)
def test_jumping_over_a_base_is_running_into_it(base: Base, other: Base) -> None:
    sweep = Sweep(base, Path.through(Pose(0, 0), [[12, 0]]))
    found = sweep.separations(PlacedSet.of(Placed(other, Pose(6, y)) for y in (0.0, 0.4, 3.0)))
    assert found[0] < -EPS
    assert found[1] < -EPS
    assert found[2] == pytest.approx(3 - _half_height(base) - _half_height(other), abs=1e-12)


def _half_height(base: Base) -> float:
    return Placed(base, Pose(0, 0)).bounds[3]


@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
@pytest.mark.parametrize("other", EACH_KIND, ids=repr)
def test_sliding_along_a_base_touches_and_no_more(base: Base, other: Base) -> None:
    side = _half_height(base) + _half_height(other)
    sweep = Sweep(base, Path.through(Pose(0, 0), [[12, 0]]))
    touching, grazing, into = sweep.separations(
        PlacedSet.of(Placed(other, Pose(6, y)) for y in (side, side + 1e-7, side - 5e-6))
    )
    assert touching == pytest.approx(0.0, abs=1e-9)
    assert grazing == pytest.approx(1e-7, abs=1e-9)
    assert into < -EPS


def test_a_32_mm_base_walks_between_two_enemies_at_one_inch_or_not() -> None:
    """Enemies 4.51969" apart at their centres leave a gap of exactly 1" on either side."""
    base, path = Round.mm(32), Path.through(Pose(0, -5), [[0, 5]])
    half = (1 + 2 * base.d / 2 + 1 + 2 * base.d / 2) / 2
    assert 2 * half == pytest.approx(4.51969, abs=1e-5)
    enemies = PlacedSet.of(Placed(base, Pose(x, 0)) for x in (-half, half))
    assert Sweep(base, path).separations(enemies) == pytest.approx([1.0, 1.0], abs=1e-14)


def test_a_pivot_swings_the_corner_out() -> None:
    """A 2 × 6 rectangle reaches sqrt(10) from its centre half way, but 3 before and 1 after a quarter turn."""
    reach = math.sqrt(10)
    path = Path(Pose(0, 0, 0), (Pose(0, 0, 90),))
    wall = PlacedSet.of(Placed(Rect(40, 1), Pose(x + 0.5, 0)) for x in (reach + 0.25, reach, reach - 1e-4))
    found = Sweep(Rect(2, 6), path).separations(wall)
    assert found[0] == pytest.approx(0.25, abs=1e-9)
    assert found[1] == pytest.approx(0.0, abs=1e-9)
    assert found[2] < -EPS
    away = Sweep(Rect(2, 6), Path(Pose(0, 0, 90), (Pose(0, 0, 25),))).separations(wall)[0]
    turn = math.radians(25)  # the corner would reach farthest at 18.4
    assert away == pytest.approx(0.25 + reach - (3 * math.cos(turn) + math.sin(turn)), abs=1e-9)


def test_an_oval_pivots_past_a_point_within_its_length() -> None:
    post = PlacedSet.of([Placed(Round(0.2), Pose(0, 2.5))])
    oval = Oval(4, 2)
    assert Sweep(oval, Path(Pose(0, 0), (Pose(0, 0, 180),))).separations(post)[0] == pytest.approx(0.4, abs=1e-9)
    assert Sweep(oval, Path(Pose(0, 0), (Pose(0, 0, 30),))).separations(post)[0] == pytest.approx(
        separation(Placed(oval, Pose(0, 0, 30)), post[0]), abs=1e-9
    )
    inside = PlacedSet.of([Placed(Round(0.2), Pose(0, 1.5))])
    assert Sweep(oval, Path(Pose(0, 0), (Pose(0, 0, 180),))).separations(inside)[0] < -EPS


def test_a_thin_spike_is_seen_on_a_pivot() -> None:
    """A wheel with one tooth, narrower than any coarse step of a turn, that comes within 0.02" of a post."""
    turns = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    rim = [(float(3 * math.cos(t)), float(3 * math.sin(t))) for t in turns]
    tooth = [(3 * math.cos(t), 3 * math.sin(t)) for t in (0.015, 0.025)]
    rim = [rim[0], tooth[0], (3.04 * math.cos(0.02), 3.04 * math.sin(0.02)), tooth[1], *rim[1:]]
    post = PlacedSet.of([Placed(Round(0.2), Pose(0, 3.16))])
    found = Sweep(Hull(tuple(rim)), Path(Pose(0, 0), (Pose(0, 0, 170),))).separations(post)[0]
    assert found == pytest.approx(0.02, abs=1e-6)


def test_a_whole_turn_comes_back_but_touches_on_the_way() -> None:
    path = Path(Pose(0, 0, 0), (Pose(0, 0, 360),))
    post = PlacedSet.of([Placed(Round(0.2), Pose(0, 2.9))])
    assert Sweep(Rect(1, 6), path).separations(post)[0] < -EPS
    assert separation(Placed(Rect(1, 6), path.end), post[0]) > 2


def test_a_notch_passes_over_a_post_untouched() -> None:
    """A U moves so that a post slides up between its arms, and the other way round."""
    u = Hull(((-2, -2), (2, -2), (2, -1), (-1, -1), (-1, 1), (2, 1), (2, 2), (-2, 2)))
    post = Placed(Round(1), Pose(4, 0))
    into = Sweep(u, Path.through(Pose(0, 0), [[4, 0]]))
    assert into.separations(PlacedSet((post,)))[0] == pytest.approx(0.5, abs=1e-12)
    assert Sweep(u, Path.through(Pose(0, 0), [[4.6, 0]])).separations(PlacedSet((post,)))[0] < -EPS
    for mover in (Round(1), Oval(1, 0.6), Rect(1, 1)):
        back = Sweep(mover, Path.through(Pose(4, 0), [[0.2, 0]])).separations(PlacedSet((Placed(u, Pose(0, 0)),)))[0]
        assert back == pytest.approx(1 - _half_height(mover), abs=1e-9)


def test_a_needle_gap_on_a_straight_leg() -> None:
    """Ovals 170 × 1 one behind the other, moving along their length: the gap is that across."""
    sweep = Sweep(Oval(170, 1), Path.through(Pose(-300, 0), [[300, 0]]))
    found = sweep.separations(PlacedSet.of(Placed(Oval(170, 1), Pose(0, y)) for y in (1.001, 1.0, 0.9)))
    assert found[0] == pytest.approx(0.001, abs=1e-9)
    assert found[1] == pytest.approx(0.0, abs=1e-9)
    assert found[2] < -EPS


@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
def test_no_legs_mean_the_start_alone(base: Base) -> None:
    path = Path(Pose(1, 2, 30), ())
    other = Placed(Rect(2, 1), Pose(5, 2))
    assert path.length == 0
    assert path.end == path.start == path.at(0.7)
    assert Sweep(base, path).separations(PlacedSet((other,)))[0] == separation(Placed(base, path.start), other)
    assert Sweep(base, path).separations(PlacedSet(())).shape == (0,)
    assert Sweep(base, path).area().equals(Placed(base, path.start).polygon)
    still = Path(path.start, (path.start,))
    assert Sweep(base, still).separations(PlacedSet((other,)))[0] == separation(Placed(base, path.start), other)


@pytest.mark.parametrize("base", EACH_KIND, ids=repr)
def test_clearance_of_a_path_to_lines_points_and_pieces(base: Base) -> None:
    sweep = Sweep(base, Path.through(Pose(0, 0), [[10, 0]]))
    half = _half_height(base)
    assert sweep.clearance(LineString([(-5, 3), (20, 3)])) == pytest.approx(3 - half, abs=1e-9)
    assert sweep.clearance(Point(5, 2)) == pytest.approx(2 - half, abs=1e-9)
    assert sweep.clearance(MultiPolygon([box(4, 5, 6, 6), box(4, -4, 6, -3)])) == pytest.approx(3 - half, abs=1e-9)
    assert sweep.clearance(LineString([(5, -1), (5, 1)])) == 0.0


# --- paths --------------------------------------------------------------------------------------------------------


def test_waypoints_move_first_and_pivot_then() -> None:
    path = Path.through(Pose(0, 0, 10), [[3, 4], [3, 4, 90], [6, 8, 90], [6, 8, 45]])
    assert [(s.x, s.y, s.facing) for s in path.stops] == [(3, 4, 10), (3, 4, 90), (6, 8, 90), (6, 8, 45)]
    assert path.length == pytest.approx(10)
    assert path.pivots == 2
    assert path.end == Pose(6, 8, 45)
    assert Path.through(Pose(1, 1), [[1, 1], [1, 1, 0]]).stops == ()


@pytest.mark.parametrize("waypoint", [[1], [1, 2, 3, 4, 5], []])
def test_a_waypoint_of_another_length_is_refused(waypoint: list[float]) -> None:
    with pytest.raises(ShapeError, match="waypoint"):
        Path.through(Pose(0, 0), [waypoint])


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_waypoint_without_a_place_is_refused(bad: float) -> None:
    with pytest.raises(ShapeError, match="finite"):
        Path.through(Pose(0, 0), [[bad, 1]])


def test_a_leg_that_moves_and_pivots_is_refused() -> None:
    with pytest.raises(ShapeError, match="moves straight or pivots, not both"):
        Path(Pose(0, 0), (Pose(1, 0, 30),))


def test_shares_of_a_path_run_from_its_start_to_its_end() -> None:
    path = Path.through(Pose(0, 0), [[2, 0], [2, 0, 90], [2, 3]])
    assert path.at(0) == path.start
    assert path.at(1) == path.end
    assert path.at(-1) == path.start
    assert path.at(2) == path.end
    poses = [path.at(s) for s in np.linspace(0, 1, 61)]
    steps = [math.dist(a.at, b.at) + abs(a.facing - b.facing) / 90 for a, b in itertools.pairwise(poses)]
    assert sum(steps) == pytest.approx(path.length + 1)
    assert max(steps) < 0.11


@pytest.mark.parametrize("moving", KINDS)
def test_bounds_and_area_hold_the_base_everywhere_on_its_way(moving: Kind) -> None:
    rng = np.random.default_rng([7, KINDS.index(moving)])
    for _ in range(4):
        sweep = Sweep(base_of(moving, rng), random_path(rng))
        x0, y0, x1, y1 = sweep.bounds
        area = sweep.area()
        for share in np.linspace(0, 1, 25):
            here = Placed(sweep.base, sweep.path.at(float(share)))
            a, b, c, d = here.bounds
            assert x0 - 1e-9 <= a
            assert y0 - 1e-9 <= b
            assert c <= x1 + 1e-9
            assert d <= y1 + 1e-9
            assert here.polygon.difference(area.buffer(0.1)).area < 1e-9, "drawn to a tenth of an inch"
