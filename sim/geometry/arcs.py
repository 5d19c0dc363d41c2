"""The exact region of legal centres of a base: its border as arcs, straight pieces and the rims of grown ovals.

Every constraint gives the curves on which a centre may begin or cease to be legal, and says of any point whether it
allows it. The curves are cut where they cross; a piece belongs to the border when exactly one of its sides is legal.
The area follows from the border by Green's theorem, the nearest legal centre is the nearest point of it, and polygons
are made of it for drawing only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import (
    Allows,
    Curves,
    Mover,
    border_of,
    closed_discs,
    in_discs,
    near_any,
    round_borders,
)
from sim.geometry.constraints import Constraint, KeepClear, StayInside, StayNear, asked_of_one
from sim.geometry.crossings import Closed
from sim.geometry.cutting import SHORTEST, TOUCH, cut
from sim.geometry.groups import KeepApart, KeepTogether
from sim.geometry.rims import (
    FULL,
    HIGH,
    LOW,
    curvature_radius,
    green,
    lines_along,
    nearest_on,
    normals,
    points_of,
)
from sim.geometry.sets import Objects
from sim.geometry.shapes import Base, Point
from sim.geometry.tolerance import Bools, Floats, Ints

LOOK_AT = (3 - math.sqrt(5)) / 2  # of a piece, where its sides are looked at: seldom just where something touches it
SIDE_STEP = 1e-7  # inches aside of a curve at which its two sides are looked at
CHORD_ERROR = 0.002  # inches that a drawn arc may differ from the true one
LOOKS, NARROW_LOOKS = 96, 1440  # directions in which a step is tried: at first, and in a narrow corner
NARROW_STEPS, FARTHEST_STEP = 8, 0.05  # how many steps, each four times as long, and the longest in inches
RIM_LOOKS = 65  # points of a rim among which a way may end
AROUND = 8  # points about one that are looked at
NEAREST = 8  # neighbours by which most circles of a crowd are found to be covered
APART = 100.0  # radians between the stretches of two circles on one line


@dataclass(frozen=True)
class ArcRegion:
    """A region by its border: arcs (n, 5) as x, y, radius, from, to; straight pieces (m, 4); rims (r, 11).

    The region lies to the left of every piece as it is walked; an arc or a rim is walked from its first angle to its
    second, whichever is greater.
    """

    arcs: Floats
    segments: Floats
    rims: Floats
    allows: Allows
    exact: bool = True  # False where a constraint is known by its polygons only

    @property
    def area(self) -> float:
        """Square inches, by Green's theorem over the border."""
        x, y, r, a, b = self.arcs.T
        round_part = r * (r * (b - a) + x * (np.sin(b) - np.sin(a)) - y * (np.cos(b) - np.cos(a)))
        x0, y0, x1, y1 = self.segments.T
        return float((np.sum(round_part) + np.sum(x0 * y1 - x1 * y0) + green(self.rims)) / 2)

    def contains(self, points: Floats) -> Bools:
        """Which points (n, 2) are legal centres."""
        return self.allows(np.asarray(points, dtype=np.float64))

    def nearest(self, point: Point) -> Point | None:
        """The legal centre nearest to a point: the point itself, or one on the border; None for an empty region."""
        if bool(self.contains(np.array([point]))[0]):
            return point
        found: list[tuple[float, Point]] = []
        if len(self.arcs):
            found.append(_nearest_on_arcs(self.arcs, point))
        if len(self.segments):
            found.append(_nearest_on_segments(self.segments, point))
        if len(self.rims):
            found.append(nearest_on(self.rims, point))
        return min(found)[1] if found else None

    def candidates(self, point: Point, steps: Sequence[float]) -> Floats:
        """Points of the border where a way from a point may best end, (n, 2).

        Of every piece the point nearest to it, its ends, and points some inches along from its ends.
        """
        found = [np.empty((0, 2))]
        x, y, r, a, b = self.arcs.T
        low, high = np.minimum(a, b), np.maximum(a, b)
        turn = (np.arctan2(point[1] - y, point[0] - x) - low) % FULL
        best = low + np.where(turn <= high - low, turn, 0.0)
        along = [best, *(low + s / r for s in steps), *(high - s / r for s in steps)]
        for angle in along:
            angle = np.clip(angle, low, high)
            found.append(np.column_stack((x + r * np.cos(angle), y + r * np.sin(angle))))
        start, step = self.segments[:, :2], self.segments[:, 2:] - self.segments[:, :2]
        length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-300)
        share = np.sum((np.array(point) - start) * step, axis=1) / length**2
        shares = (share, *(s / length for s in steps), *(1 - s / length for s in steps))
        found += [start + np.clip(t, 0.0, 1.0)[:, None] * step for t in shares]
        low, high = self.rims[:, LOW], self.rims[:, HIGH]
        found += [points_of(self.rims, low + t * (high - low)) for t in np.linspace(0.0, 1.0, RIM_LOOKS).tolist()]
        return np.vstack(found)

    def beside(self, point: Point, step: float, spare: float = 0.0) -> Point:
        """A legal centre a step from a point of the border, as near to where the border was met as can be; or itself.

        All within ``spare`` of it is legal too where that can be had. In a narrow corner of the region the step leads
        out across it: smaller ones are tried, and longer ones in more directions.
        """
        tries = [(step, LOOKS), (step / 4, LOOKS), (step / 16, LOOKS)]
        tries += [(step * 4**k, NARROW_LOOKS) for k in range(NARROW_STEPS) if step * 4**k < FARTHEST_STEP]
        for size, looks in tries:
            around = np.linspace(0.0, FULL, looks, endpoint=False)
            spots = np.column_stack((point[0] + size * np.cos(around), point[1] + size * np.sin(around)))
            deep = spots[self._holds(spots, spare)]
            if len(deep):
                x, y = deep.mean(axis=0)
                away = math.hypot(x - point[0], y - point[1])
                if away > 0 and bool(self._holds(np.array([(x, y)]), spare)[0]):
                    return (float(x), float(y))
                return (float(deep[0, 0]), float(deep[0, 1]))
        return self.beside(point, step) if spare else point

    def _holds(self, points: Floats, spare: float) -> Bools:
        """Which points are legal centres, and so all about them within a distance."""
        good = self.contains(points)
        for turn in np.linspace(0.0, FULL, AROUND, endpoint=False).tolist() if spare else ():
            left = np.flatnonzero(good)
            good[left] = self.contains(points[left] + spare * np.array([math.cos(turn), math.sin(turn)]))
        return good

    @cached_property
    def polygons(self) -> BaseGeometry:
        """The region as polygons for drawing, every corner on the true border."""
        lines = _chords(self.arcs) + [s.reshape(2, 2) for s in self.segments] + lines_along(self.rims, CHORD_ERROR)
        if not lines:
            return shapely.GeometryCollection()
        drawn = _snapped(lines)
        found = self._faces(_as_lines(drawn))
        spare = CHORD_ERROR * float(shapely.length(found)) + SIDE_STEP
        if abs(float(found.area) - self.area) > spare:  # borders that touch one another between their ends
            noded = self._faces(shapely.get_parts(shapely.node(shapely.multilinestrings(_as_lines(drawn)))))
            found = min(found, noded, key=lambda shape: abs(float(shape.area) - self.area))
        return found

    def _faces(self, lines: Objects) -> BaseGeometry:
        """What lines enclose, as far as its points are legal."""
        faces = shapely.get_parts(shapely.polygonize(lines))
        if not len(faces):
            return shapely.GeometryCollection()
        points = shapely.point_on_surface(faces)
        legal = self.contains(shapely.get_coordinates(points))
        beside = shapely.distance(points, shapely.boundary(faces)) < 2 * CHORD_ERROR
        for k in np.flatnonzero(~legal & beside):  # where a face is thin its point may lie beside the true border
            middle = shapely.get_coordinates(shapely.maximum_inscribed_circle(faces[k]))[:1]
            legal[k] = bool(self.contains(middle)[0])
        return shapely.multipolygons(faces[legal])


def _as_lines(lines: Sequence[Floats]) -> Objects:
    owners = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    return np.asarray(shapely.linestrings(np.vstack(lines), indices=owners))


@dataclass(frozen=True)
class Member:
    """One convex part of a base that keeps its place in a formation: how it moves, and where from the first centre.

    ``z`` is its height, ``number`` which member of the formation it is; None for any member.
    """

    mover: Mover
    offset: Point = (0.0, 0.0)
    z: float = 0.0
    number: int | None = None


def exact_region(
    constraints: Sequence[Constraint],
    base: Base,
    facing: float,
    table: BaseGeometry,
    z: float = 0.0,
    member: int | None = None,
) -> ArcRegion:
    """The region of legal centres of a base at a height on a table.

    Constraints on the group are left out, and without a member those that hold for some members only.
    """
    members = [Member(mover, z=z, number=member) for mover in Mover.of(base, facing)]
    return region_of_members(constraints, members, table)


def region_of_members(constraints: Sequence[Constraint], members: Sequence[Member], table: BaseGeometry) -> ArcRegion:
    """Where the first centre may be so that every member of a formation that keeps its shape is legal."""
    single = [c for c in constraints if not isinstance(c, (KeepTogether, KeepApart))]
    asked = [_asked_of(single, member) for member in members]
    edge = StayInside("table", "table", "table", table)
    spread = len({member.offset for member in members}) > 1
    shared = [c for c in single if spread and isinstance(c, StayNear) and len(c.targets) > 1]
    closed = [_moved(closed_discs(some, m.mover), m.offset, -1) for some, m in zip(asked, members, strict=True)]
    discs = _largest(np.vstack(closed))
    curves: list[Curves] = []
    tests: list[tuple[Point, Allows]] = []
    exact = True
    for member, some in zip(members, asked, strict=True):
        mine = _moved(discs, member.offset, 1)
        for given in (edge, *some):
            constraint = _without_covered(given, mine, member.mover) if isinstance(given, KeepClear) else given
            if isinstance(constraint, KeepClear) and not len(constraint.obstacles):
                continue
            border = border_of(constraint, member.mover, table)
            exact &= border.exact
            curves.append(border.curves.moved(-member.offset[0], -member.offset[1]))
            if constraint not in shared:
                tests.append((member.offset, border.allows))
    tests += [((0.0, 0.0), _near_one_target(constraint, members)) for constraint in shared]

    def allows(points: Floats) -> Bools:
        good = ~in_discs(points, points, discs)
        for offset, test in tests:
            left = np.flatnonzero(good)
            if not len(left):
                break
            good[left] = test(points[left] + np.array(offset))
        return good

    every = Curves.together(curves)
    arcs = _whole(np.unique(every.circles, axis=0))
    rounds = [_moved(round_borders(some, m.mover), m.offset, -1) for some, m in zip(asked, members, strict=True)]
    borders = np.vstack([np.empty((0, 3)), *rounds])
    if len(borders):
        exposed = _exposed(discs)
        arcs = np.vstack((exposed[_among(exposed[:, :3], borders)], arcs))
    beyond = Closed(discs, _common_box(table, [member.offset for member in members]))
    found = cut(arcs, _not_covered(every.segments, discs), every.joints, np.unique(every.rims, axis=0), beyond)
    return _border(*found, allows, exact)


def _near_one_target(constraint: StayNear, members: Sequence[Member]) -> Allows:
    """Whether all members together are near some one of several targets, by where the first centre is."""
    each = [
        [(m.offset, near_any([(target, constraint.distance)], m.mover).allows) for m in members]
        for _, target in constraint.targets
    ]

    def allows(points: Floats) -> Bools:
        good = np.zeros(len(points), dtype=np.bool_)
        for tests in each:
            left = np.flatnonzero(~good)
            for offset, test in tests:
                left = left[test(points[left] + np.array(offset))] if len(left) else left
            good[left] = True
        return good

    return allows


def _common_box(table: BaseGeometry, offsets: Sequence[Point]) -> Floats:
    """The box beyond which one of the members stands off the table."""
    bounds, steps = np.array(table.bounds), np.array(offsets)
    return np.concatenate((bounds[:2] - steps.min(axis=0), bounds[2:] - steps.max(axis=0)))


def _among(rows: Floats, known: Floats) -> Bools:
    """Which rows are also among some others, exactly."""
    kept = {tuple(row) for row in known.tolist()}
    return np.array([tuple(row) in kept for row in rows.tolist()], dtype=np.bool_)


def _moved(discs: Floats, offset: Point, sign: int) -> Floats:
    return np.asarray(discs + sign * np.array([*offset, 0.0]))


def _asked_of(constraints: Sequence[Constraint], member: Member) -> list[Constraint]:
    """What is asked of a member where it is held, less what has nothing to keep clear of."""
    asked = asked_of_one(constraints, member.z, member.number)
    return [c for c in asked if not (isinstance(c, KeepClear) and not len(c.obstacles))]


def _largest(discs: Floats) -> Floats:
    """The discs that lie within no other, the largest first."""
    at_one_spot = np.lexsort((-discs[:, 2], discs[:, 1], discs[:, 0]))
    widest = np.ones(len(discs), dtype=np.bool_)
    widest[1:] = np.any(np.diff(discs[at_one_spot, :2], axis=0), axis=1)
    discs = discs[at_one_spot[widest]]
    order = np.argsort(-discs[:, 2], kind="stable")
    x, y, r = discs[order].T
    dx, dy, spare = x[:, None] - x, y[:, None] - y, r[None, :] - r[:, None]
    within = (dx * dx + dy * dy <= spare * spare) & (spare >= 0)
    inside_earlier = np.any(np.tril(within, -1), axis=1)
    return np.asarray(discs[order][~inside_earlier])


def _without_covered(constraint: KeepClear, discs: Floats, mover: Mover) -> KeepClear:
    """The constraint less the obstacles that lie wholly within a disc where no centre is legal anyway.

    Of a round mover's round obstacles none is left: each of them is a disc.
    """
    every = constraint.obstacles
    kept = np.flatnonzero(~every.bases.is_round) if mover.is_round else np.arange(len(every))
    bases = every.bases.take(kept)
    if len(bases) and len(discs):
        x0, y0, x1, y1 = bases.bounds.T
        reach = constraint.distance + mover.outer
        outer = np.where(bases.is_polygon, np.hypot(x1 - x0, y1 - y0) / 2, np.maximum(bases.a, bases.b)) + reach
        dx, dy = (x0 + x1)[:, None] / 2 - discs[:, 0], (y0 + y1)[:, None] / 2 - discs[:, 1]
        spare = discs[:, 2] - 10 * SIDE_STEP - outer[:, None]
        kept = kept[~np.any((dx * dx + dy * dy < spare * spare) & (spare > 0), axis=1)]
    if len(kept) == len(every):
        return constraint
    return replace(constraint, obstacles=every.take(kept))


def _not_covered(segments: Floats, discs: Floats) -> Floats:
    """The straight pieces that do not lie wholly within one of the discs: only they can be part of a border."""
    shrunk = discs - np.array([0.0, 0.0, 10 * SIDE_STEP])
    covered = in_discs(segments[:, :2], segments[:, 2:], shrunk[shrunk[:, 2] > 0])
    return np.asarray(segments[~covered])


def _whole(circles: Floats) -> Floats:
    """Circles as arcs all the way round."""
    return np.hstack((circles, np.tile([0.0, FULL], (len(circles), 1))))


def _exposed(discs: Floats) -> Floats:
    """The arcs of the border of a union of discs, none of which lies within another: rows (n, 5)."""
    if not len(discs):
        return np.empty((0, 5))
    x, y, r = discs.T
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
    d = np.hypot(dx, dy)
    meet = (d < r[:, None] + r[None, :]) & (d > 0)
    left = np.arange(len(discs))
    if len(discs) > 2 * NEAREST:  # most circles of a crowd are covered by a few neighbours
        deep = np.argpartition(np.where(meet, d - r[None, :], np.inf), NEAREST, axis=1)[:, :NEAREST]
        i, j = np.repeat(left, NEAREST), deep.ravel()
        known = meet[i, j]
        left = np.unique(_gaps(discs, left, i[known], j[known], (dx, dy, d))[:, 0]).astype(np.intp)
    i, j = np.nonzero(meet[left])
    found = _gaps(discs, left, left[i], j, (dx, dy, d))
    return np.column_stack((discs[found[:, 0].astype(np.intp)], found[:, 1:]))


def _gaps(discs: Floats, circles: Ints, i: Ints, j: Ints, apart: tuple[Floats, Floats, Floats]) -> Floats:
    """The stretches of the given circles that no disc of the pairs (circle i, disc j) covers: rows (circle, from, to).

    ``apart`` has the steps from each disc to each other one, and their lengths.
    """
    dx, dy, d = (column[i, j] for column in apart)
    r = discs[:, 2]
    heading = np.arctan2(dy, dx)
    half = np.arccos(np.clip((d * d + r[i] ** 2 - r[j] ** 2) / (2 * d * r[i]), -1, 1))
    start = (heading - half) % FULL
    count = len(circles)
    # Each circle has a stretch of its own on one long line; a covered interval that wraps around is laid twice.
    wraps = start + 2 * half > FULL
    who = np.concatenate((i, i[wraps], circles, circles))
    low = np.concatenate((start, start[wraps] - FULL, np.full(count, -APART / 4), np.full(count, FULL)))
    ends = start + 2 * half
    high = np.concatenate((ends, ends[wraps] - FULL, np.zeros(count), np.full(count, FULL)))
    order = np.argsort(low + who * APART)
    who, low = who[order], low[order]
    shift = who * APART
    reached = np.maximum.accumulate(high[order] + shift)
    k = np.flatnonzero((low[1:] + shift[1:] > reached[:-1] + SHORTEST) & (who[1:] == who[:-1]))
    return np.column_stack((who[k], reached[k] - shift[k], low[k + 1]))


def _border(arcs: Floats, segments: Floats, rims: Floats, allows: Allows, exact: bool) -> ArcRegion:
    """Which pieces between crossings have one legal side, walked so that it is to their left."""
    middle = arcs[:, 3] + LOOK_AT * (arcs[:, 4] - arcs[:, 3])
    outward = np.column_stack((np.cos(middle), np.sin(middle)))
    steps = segments[:, 2:] - segments[:, :2]
    lengths = np.hypot(steps[:, 0], steps[:, 1])[:, None]
    rightward = np.column_stack((steps[:, 1], -steps[:, 0])) / np.where(lengths > 0, lengths, 1.0)
    heading = rims[:, LOW] + LOOK_AT * (rims[:, HIGH] - rims[:, LOW])
    halfway = segments[:, :2] + LOOK_AT * (segments[:, 2:] - segments[:, :2])
    spots = np.vstack((arcs[:, :2] + arcs[:, 2:3] * outward, halfway, points_of(rims, heading)))
    aside = np.vstack((outward, rightward, normals(heading))) * SIDE_STEP
    sides = allows(np.vstack((spots + aside, spots - aside)))
    right, left = sides[: len(spots)], sides[len(spots) :]
    kept = np.flatnonzero(left != right)
    kept = kept[_once(spots[kept], _mirrored(arcs, segments, rims)[kept])]
    backwards = right.copy()
    backwards[len(arcs) + len(segments) :] ^= curvature_radius(rims, heading) < 0
    ends = len(arcs), len(arcs) + len(segments)
    of_arcs, of_segments, of_rims = np.split(kept, np.searchsorted(kept, ends))
    straight = segments[of_segments - ends[0]]
    return ArcRegion(
        _walked(arcs, of_arcs, backwards[of_arcs]),
        np.where(backwards[of_segments, None], straight[:, [2, 3, 0, 1]], straight),
        _walked(rims, of_rims - ends[1], backwards[of_rims]),
        allows,
        exact,
    )


def _walked(turns: Floats, rows: Ints, backwards: Bools) -> Floats:
    """Some arcs or rims, from their last angle to the one before where they are walked backwards."""
    out = turns[rows]
    out[backwards, -2:] = out[backwards, -1:-3:-1]
    return out


def _mirrored(arcs: Floats, segments: Floats, rims: Floats) -> Floats:
    """The points of pieces as far from their ends as where their sides are looked at is from their starts."""
    angle = arcs[:, 4] - LOOK_AT * (arcs[:, 4] - arcs[:, 3])
    round_part = arcs[:, :2] + arcs[:, 2:3] * np.column_stack((np.cos(angle), np.sin(angle)))
    straight = segments[:, 2:] - LOOK_AT * (segments[:, 2:] - segments[:, :2])
    heading = rims[:, HIGH] - LOOK_AT * (rims[:, HIGH] - rims[:, LOW])
    return np.vstack((round_part, straight, points_of(rims, heading)))


def _once(spots: Floats, mirrored: Floats) -> Bools:
    """Which pieces to keep so that pieces that lie on one another, whichever way they run, count once."""
    here, there = shapely.points(spots), shapely.points(mirrored)
    tree = shapely.STRtree(here)
    kept = np.ones(len(spots), dtype=np.bool_)
    for points in (here, there):
        i, j = tree.query(points, predicate="dwithin", distance=10 * TOUCH)
        kept[j[i < j]] = False
    return kept


# ---- the nearest point, and polygons for drawing


def _nearest_on_arcs(arcs: Floats, point: Point) -> tuple[float, Point]:
    x, y, r, a, b = arcs.T
    low, high = np.minimum(a, b), np.maximum(a, b)
    angle = np.arctan2(point[1] - y, point[0] - x)
    within = (angle - low) % FULL <= high - low
    start = np.hypot(x + r * np.cos(low) - point[0], y + r * np.sin(low) - point[1])
    end = np.hypot(x + r * np.cos(high) - point[0], y + r * np.sin(high) - point[1])
    angle = np.where(within, angle, np.where(start <= end, low, high))
    px, py = x + r * np.cos(angle), y + r * np.sin(angle)
    distance = np.hypot(px - point[0], py - point[1])
    k = int(np.argmin(distance))
    return float(distance[k]), (float(px[k]), float(py[k]))


def _nearest_on_segments(segments: Floats, point: Point) -> tuple[float, Point]:
    start, step = segments[:, :2], segments[:, 2:] - segments[:, :2]
    square = np.maximum(np.sum(step * step, axis=1), 1e-300)
    t = np.clip(np.sum((np.array(point) - start) * step, axis=1) / square, 0.0, 1.0)
    near = start + t[:, None] * step
    distance = np.hypot(near[:, 0] - point[0], near[:, 1] - point[1])
    k = int(np.argmin(distance))
    return float(distance[k]), (float(near[k, 0]), float(near[k, 1]))


def _chords(arcs: Floats) -> list[Floats]:
    """Arcs as lines (n, 2) whose corners lie on them."""
    if not len(arcs):
        return []
    x, y, r, a, b = arcs.T
    turn = np.abs(b - a)
    step = np.where(r > CHORD_ERROR, 2 * np.arccos(np.maximum(0.0, 1 - CHORD_ERROR / r)), FULL / 4)
    counts = np.maximum(np.where(turn > math.pi, 8, 2), np.ceil(turn / step).astype(np.intp) + 1)
    which = np.repeat(np.arange(len(arcs)), counts)
    firsts = np.cumsum(counts) - counts
    share = (np.arange(len(which)) - firsts[which]) / (counts[which] - 1)
    t = a[which] + share * (b - a)[which]
    points = np.column_stack((x[which] + r[which] * np.cos(t), y[which] + r[which] * np.sin(t)))
    return np.split(points, firsts[1:])


def _snapped(lines: Sequence[Floats]) -> list[Floats]:
    """The lines with ends that lie within rounding of one another made equal."""
    ends = np.array([line[k] for line in lines for k in (0, -1)])
    tree = shapely.STRtree(shapely.points(ends))
    i, j = tree.query(shapely.points(ends), predicate="dwithin", distance=1e-6)
    first = np.arange(len(ends))
    np.minimum.at(first, i, j)
    for _ in range(8):
        first = first[first]
    out = []
    for k, line in enumerate(lines):
        copy = line.copy()
        copy[0], copy[-1] = ends[first[2 * k]], ends[first[2 * k + 1]]
        if len(line) > 2 or np.any(copy[0] != copy[-1]):
            out.append(copy)
    return out
