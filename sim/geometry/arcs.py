"""The exact region of legal centres of a round base: its border as arcs and straight pieces.

Every constraint gives the curves on which a centre may begin or cease to be legal, and says of any point whether it
allows it. The curves are cut where they cross; a piece belongs to the border when exactly one of its sides is legal.
The area follows from the border by Green's theorem, the nearest legal centre is the nearest point of it, and polygons
are made of it for drawing only. Ovals among the obstacles are taken by fine chords; everything else is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from sim.geometry.constraints import (
    Constraint,
    KeepApart,
    KeepClear,
    KeepTogether,
    Obstacles,
    StayInside,
    StayNear,
)
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Point
from sim.geometry.tolerance import Bools, Floats

SIDE_STEP = 1e-7  # inches aside of a curve at which its two sides are looked at
TOUCH = 1e-9  # inches; curves that come no deeper into one another only touch
SHORTEST = 1e-9  # inches; shorter pieces are rounding
DISCS_AT_A_TIME = 12
OVAL_CHORDS = 360  # straight pieces for one oval obstacle
CHORD_ERROR = 0.002  # inches that a drawn arc may differ from the true one
FULL = 2 * math.pi
APART = 100.0  # radians between the stretches of two circles on one line

Allows = Callable[[Floats], Bools]


@dataclass(frozen=True)
class Curves:
    """Circles (n, 3) as x, y, radius, straight pieces (m, 4) as x, y, x, y, and where the two kinds pass over.

    ``joints`` (k, 2) are the points at which a straight piece ends on a circle without crossing it.
    """

    circles: Floats
    segments: Floats
    joints: Floats

    @classmethod
    def of(
        cls, circles: Sequence[Floats] = (), segments: Sequence[Floats] = (), joints: Sequence[Floats] = ()
    ) -> Curves:
        """Curves put together from several arrays."""
        none2, none3, none4 = np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 4))
        return cls(np.vstack([none3, *circles]), np.vstack([none4, *segments]), np.vstack([none2, *joints]))

    @classmethod
    def together(cls, every: Sequence[Curves]) -> Curves:
        """All curves of several."""
        return cls.of([c.circles for c in every], [c.segments for c in every], [c.joints for c in every])


@dataclass(frozen=True)
class ArcRegion:
    """A region whose border is known exactly: arcs (n, 5) as x, y, radius, from, to; straight pieces (m, 4).

    The region lies to the left of every piece as it is walked; an arc with from > to is walked clockwise.
    """

    arcs: Floats
    segments: Floats
    allows: Allows

    @property
    def area(self) -> float:
        """Square inches, by Green's theorem over the border."""
        x, y, r, a, b = self.arcs.T
        round_part = r * (r * (b - a) + x * (np.sin(b) - np.sin(a)) - y * (np.cos(b) - np.cos(a)))
        x0, y0, x1, y1 = self.segments.T
        return float((np.sum(round_part) + np.sum(x0 * y1 - x1 * y0)) / 2)

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
        return min(found)[1] if found else None

    def beside(self, point: Point, step: float) -> Point:
        """A legal centre a step from a point of the border, as near to where the border was met as can be; or itself.

        In a narrow corner of the region a step may be too far; smaller ones are tried.
        """
        for size in (step, step / 4, step / 16):
            around = np.linspace(0.0, FULL, 96, endpoint=False)
            spots = np.column_stack((point[0] + size * np.cos(around), point[1] + size * np.sin(around)))
            deep = spots[self.contains(spots)]
            if len(deep):
                x, y = deep.mean(axis=0)
                away = math.hypot(x - point[0], y - point[1])
                if away > 0 and bool(self.contains(np.array([(x, y)]))[0]):
                    return (float(x), float(y))
                return (float(deep[0, 0]), float(deep[0, 1]))
        return point

    @cached_property
    def polygons(self) -> BaseGeometry:
        """The region as polygons for drawing, every corner on the true border."""
        lines = [_chords(arc) for arc in self.arcs] + [s.reshape(2, 2) for s in self.segments]
        if not lines:
            return shapely.GeometryCollection()
        ends = _snapped(lines)
        faces = shapely.get_parts(shapely.polygonize([shapely.linestrings(line) for line in ends]))
        if not len(faces):
            return shapely.GeometryCollection()
        inner = shapely.get_coordinates(shapely.point_on_surface(faces))
        return shapely.multipolygons(faces[self.contains(inner)])


def exact_region(constraints: Sequence[Constraint], radius: float, table: BaseGeometry) -> ArcRegion | None:
    """The region of legal centres of a round base on a table; None when a constraint is of a kind not known here.

    Heights are taken as 0; constraints on some members only, or on the group, are left out.
    """
    edge = StayInside("table", "table", "table", table)
    curves: list[Curves] = []
    tests: list[Allows] = []
    discs = _largest(_discs(constraints, radius))
    for given in (edge, *constraints):
        constraint = _without_covered(given, discs, radius) if isinstance(given, KeepClear) else given
        match constraint:
            case KeepTogether() | KeepApart():
                continue
            case KeepClear(only=None) if len(constraint.obstacles):
                curves.append(_clear_curves(constraint, radius))
                tests.append(_clear_test(constraint, radius))
            case StayInside(only=None):
                curves.append(_inside_curves(constraint, radius))
                tests.append(_inside_test(constraint, radius))
            case StayNear():
                curves.append(_near_curves(constraint, radius))
                tests.append(_near_test(constraint, radius))
            case KeepClear() | StayInside():
                continue
            case _:
                return None

    def allows(points: Floats) -> Bools:
        good = np.ones(len(points), dtype=np.bool_)
        for test in tests:
            left = np.flatnonzero(good)
            if not len(left):
                break
            good[left] = test(points[left])
        return good

    every = Curves.together(curves)
    arcs = np.vstack((_exposed(discs), _whole(np.unique(every.circles, axis=0))))
    return _border(arcs, _not_covered(every.segments, discs), every.joints, allows)


def _discs(constraints: Sequence[Constraint], radius: float) -> Floats:
    """Discs (n, 3) in which no centre is legal: about every round or oval obstacle."""
    found = [np.empty((0, 3))]
    for constraint in constraints:
        if isinstance(constraint, KeepClear) and constraint.only is None:
            bases = constraint.obstacles.bases
            reach = np.minimum(bases.a, bases.b) + constraint.distance + radius
            found.append(np.column_stack((bases.x, bases.y, reach))[~bases.is_polygon])
    return np.vstack(found)


def _in_discs(starts: Floats, ends: Floats, discs: Floats) -> Bools:
    """Which pairs of points (n, 2) lie both within one and the same disc; looked at a few discs at a time."""
    covered = np.zeros(len(starts), dtype=np.bool_)
    square = discs[:, 2] * discs[:, 2]
    for k in range(0, len(discs), DISCS_AT_A_TIME):
        left = np.flatnonzero(~covered)
        if not len(left):
            break
        some = slice(k, k + DISCS_AT_A_TIME)
        inside = _within(starts[left], discs[some], square[some])
        if starts is not ends:
            inside &= _within(ends[left], discs[some], square[some])
        covered[left] = inside.any(axis=1)
    return covered


def _within(points: Floats, discs: Floats, square: Floats) -> Bools:
    dx, dy = points[:, 0:1] - discs[:, 0], points[:, 1:2] - discs[:, 1]
    return np.asarray(dx * dx + dy * dy <= square)


def _largest(discs: Floats) -> Floats:
    """The discs that lie within no other, the largest first."""
    order = np.argsort(-discs[:, 2], kind="stable")
    x, y, r = discs[order].T
    apart = np.hypot(x[:, None] - x, y[:, None] - y) + r[:, None] <= r[None, :]
    inside_earlier = np.any(np.tril(apart, -1), axis=1)
    return np.asarray(discs[order][~inside_earlier])


def _without_covered(constraint: KeepClear, discs: Floats, radius: float) -> KeepClear:
    """The constraint less the obstacles that lie wholly within a disc where no centre is legal anyway."""
    bases = constraint.obstacles.bases
    if constraint.only is not None or not len(bases) or not len(discs):
        return constraint
    x0, y0, x1, y1 = bases.bounds.T
    outer = np.hypot(x1 - x0, y1 - y0) / 2 + constraint.distance + radius
    outer = np.where(bases.is_polygon, outer, np.maximum(bases.a, bases.b) + constraint.distance + radius)
    apart = np.hypot((x0 + x1)[:, None] / 2 - discs[:, 0], (y0 + y1)[:, None] / 2 - discs[:, 1])
    free = ~np.any(apart + outer[:, None] < discs[:, 2] - 10 * SIDE_STEP, axis=1)
    if free.all():
        return constraint
    names = tuple(constraint.obstacles.names[int(k)] for k in np.flatnonzero(free))
    tops = constraint.obstacles.tops
    kept = None if tops is None else tuple(tops[int(k)] for k in np.flatnonzero(free))
    return replace(constraint, obstacles=Obstacles(bases.take(free), names, kept))


def _not_covered(segments: Floats, discs: Floats) -> Floats:
    """The straight pieces that do not lie wholly within one of the discs: only they can be part of a border."""
    shrunk = discs - np.array([0.0, 0.0, 10 * SIDE_STEP])
    covered = _in_discs(segments[:, :2], segments[:, 2:], shrunk[shrunk[:, 2] > 0])
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
    i, j = np.nonzero((d < r[:, None] + r[None, :]) & (d > 0))
    d, heading = d[i, j], np.arctan2(dy[i, j], dx[i, j])
    half = np.arccos(np.clip((d * d + r[i] ** 2 - r[j] ** 2) / (2 * d * r[i]), -1, 1))
    start = (heading - half) % FULL
    count = len(discs)
    every = np.arange(count)
    # Each circle has a stretch of its own on one long line; covered intervals that wrap around are laid twice.
    who = np.concatenate((i, i, every, every))
    low = np.concatenate((start, start - FULL, np.full(count, -APART / 4), np.full(count, FULL)))
    high = np.concatenate((start + 2 * half, start + 2 * half - FULL, np.zeros(count), np.full(count, FULL)))
    order = np.lexsort((low, who))
    shift = who[order] * APART
    reached = np.maximum.accumulate(high[order] + shift)
    gaps = (low[order][1:] + shift[1:] > reached[:-1] + SHORTEST) & (who[order][1:] == who[order][:-1])
    k = np.flatnonzero(gaps)
    owner = who[order][k]
    return np.column_stack((discs[owner], reached[k] - shift[k], low[order][k + 1]))


def _border(arcs: Floats, segments: Floats, joints: Floats, allows: Allows) -> ArcRegion:
    arcs, segments = _cut(arcs, segments, joints)
    middle = (arcs[:, 3] + arcs[:, 4]) / 2
    outward = np.column_stack((np.cos(middle), np.sin(middle)))
    centre = arcs[:, :2]
    outer = allows(centre + outward * (arcs[:, 2:3] + SIDE_STEP))
    inner = allows(centre + outward * (arcs[:, 2:3] - SIDE_STEP))
    steps = segments[:, 2:] - segments[:, :2]
    lengths = np.hypot(steps[:, 0], steps[:, 1])[:, None]
    normal = np.column_stack((-steps[:, 1], steps[:, 0])) / np.where(lengths > 0, lengths, 1.0)
    halfway = (segments[:, :2] + segments[:, 2:]) / 2
    left, right = allows(halfway + normal * SIDE_STEP), allows(halfway - normal * SIDE_STEP)
    backwards = arcs[:, [0, 1, 2, 4, 3]]
    kept_arcs = np.vstack((arcs[inner & ~outer], backwards[outer & ~inner]))
    kept_segments = np.vstack((segments[left & ~right], segments[:, [2, 3, 0, 1]][right & ~left]))
    middles = (kept_arcs[:, 3] + kept_arcs[:, 4]) / 2
    tops = kept_arcs[:, :2] + kept_arcs[:, 2:3] * np.column_stack((np.cos(middles), np.sin(middles)))
    halves = (kept_segments[:, :2] + kept_segments[:, 2:]) / 2
    return ArcRegion(kept_arcs[_once(tops)], kept_segments[_once(halves)], allows)


def _once(middles: Floats) -> Bools:
    """Which pieces to keep so that pieces that lie on one another, found by their middles, count once."""
    spots = shapely.points(middles)
    i, j = shapely.STRtree(spots).query(spots, predicate="dwithin", distance=10 * TOUCH)
    kept = np.ones(len(middles), dtype=np.bool_)
    kept[j[i < j]] = False
    return kept


# ---- the curves and tests of each kind of constraint


def _clear_curves(constraint: KeepClear, radius: float) -> Curves:
    """All curves but the circles about round obstacles, which are among the discs."""
    bases = constraint.obstacles.bases
    reach = constraint.distance + radius
    rounds = bases.is_round
    ovals = [_oval_chords(PlacedSet((member,)), reach) for member in bases.take(~rounds & ~bases.is_polygon)]
    walls = [_offset_edges(np.array(member.corners), reach) for member in bases.take(bases.is_polygon)]
    return Curves.together([Curves.of((), ovals), *walls])


def _clear_test(constraint: KeepClear, radius: float) -> Allows:
    bases = constraint.obstacles.bases
    reach = constraint.distance + radius
    inner = _discs([constraint], radius)
    corners = bases.take(bases.is_polygon)
    ovals = bases.take(~bases.is_round & ~bases.is_polygon)
    walls = shapely.multipolygons([p.polygon for p in corners]) if len(corners) else None
    if walls is not None:
        shapely.prepare(walls)
    rims: list[BaseGeometry] = [shapely.polygons(_oval_chords(PlacedSet((oval,)), reach)[:, :2]) for oval in ovals]
    for rim in rims:
        shapely.prepare(rim)

    def allows(points: Floats) -> Bools:
        good = ~_in_discs(points, points, inner)
        left = np.flatnonzero(good)
        if len(left) and walls is not None:
            good[left] = ~shapely.dwithin(shapely.points(points[left]), walls, reach)
        for rim in rims:
            left = np.flatnonzero(good)
            if not len(left):
                break
            good[left] = ~shapely.contains_xy(rim, points[left, 0], points[left, 1])
        return good

    return allows


def _inside_curves(constraint: StayInside, radius: float) -> Curves:
    discs = np.array([[*centre, r + radius] for centre, r in constraint.discs]).reshape(-1, 3)
    parts = shapely.get_parts(constraint.region)
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    edges = [_offset_edges(shapely.get_coordinates(ring)[:-1], radius) for ring in rings]
    return Curves.together([Curves.of([discs]), *edges])


def _inside_test(constraint: StayInside, radius: float) -> Allows:
    region, rim = constraint.region, shapely.boundary(constraint.region)
    box = region.bounds if region.equals(shapely.box(*region.bounds)) else None
    discs = np.array([[*centre, r + radius] for centre, r in constraint.discs]).reshape(-1, 3)
    shapely.prepare(region)
    shapely.prepare(rim)

    def allows(points: Floats) -> Bools:
        x, y = points[:, 0], points[:, 1]
        if box is not None:
            low_x, low_y, high_x, high_y = box
            good = (x >= low_x + radius) & (x <= high_x - radius)
            good &= (y >= low_y + radius) & (y <= high_y - radius)
        else:
            spots = shapely.points(points)
            good = np.asarray(shapely.contains_xy(region, x, y))
            good &= np.asarray(shapely.distance(spots, rim) >= radius)
        for cx, cy, r in discs:
            good &= np.hypot(x - cx, y - cy) >= r
        return np.asarray(good)

    return allows


def _near_curves(constraint: StayNear, radius: float) -> Curves:
    reach = constraint.distance - radius
    if reach < 0:
        return Curves.of()
    grown = []
    for _, target in constraint.targets:
        points = shapely.get_coordinates(target)
        grown.append(_offset_edges(points, reach, closed=target.geom_type not in ("LineString", "Point")))
    return Curves.together(grown)


def _near_test(constraint: StayNear, radius: float) -> Allows:
    reach = constraint.distance - radius

    def allows(points: Floats) -> Bools:
        spots = shapely.points(points)
        found = [shapely.distance(spots, target) <= reach for _, target in constraint.targets]
        return np.asarray(np.any(found, axis=0))

    return allows


def _offset_edges(corners: Floats, reach: float, closed: bool = True) -> Curves:
    """The circles about the corners of an outline and the lines beside its edges, at a distance; for 0 the edges."""
    points = np.asarray(corners, dtype=np.float64)
    if closed and len(points) > 1 and np.array_equal(points[0], points[-1]):
        points = points[:-1]
    following = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points if closed else points[:-1]
    if reach <= 0:
        return Curves.of((), [np.hstack((starts, following))])
    steps = following - starts
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    kept = lengths > 0
    starts, following, steps, lengths = starts[kept], following[kept], steps[kept], lengths[kept]
    aside = np.column_stack((-steps[:, 1], steps[:, 0])) / lengths[:, None] * reach
    beside = [np.hstack((starts + s * aside, following + s * aside)) for s in (1.0, -1.0)]
    joints = [side[:, k : k + 2] for side in beside for k in (0, 2)]
    return Curves.of([np.column_stack((points, np.full(len(points), reach)))], beside, joints)


def _oval_chords(oval: PlacedSet, reach: float) -> Floats:
    """The curve beside an oval as straight pieces that touch it from outside, so that no legal centre is promised
    where there is none.
    """
    t = np.linspace(0.0, FULL, OVAL_CHORDS, endpoint=False)
    a, b, f = oval.a[0], oval.b[0], oval.facing[0]
    heading = np.arctan2(a * np.sin(t), b * np.cos(t)) + f
    normal = np.column_stack((np.cos(heading), np.sin(heading)))
    far = np.hypot(a * np.cos(heading - f), b * np.sin(heading - f)) + reach
    following, far_next = np.roll(normal, -1, axis=0), np.roll(far, -1)
    cross = normal[:, 0] * following[:, 1] - normal[:, 1] * following[:, 0]
    x = (far * following[:, 1] - far_next * normal[:, 1]) / cross + oval.x[0]
    y = (far_next * normal[:, 0] - far * following[:, 0]) / cross + oval.y[0]
    points = np.column_stack((x, y))
    return np.hstack((points, np.roll(points, -1, axis=0)))


# ---- cutting curves where they cross


def _cut(arcs: Floats, segments: Floats, joints: Floats) -> tuple[Floats, Floats]:
    """All curves in pieces that no other curve crosses: arcs (n, 5) counter-clockwise, straight pieces (m, 4)."""
    circles = arcs[:, :3]
    on_circles, on_segments = [np.empty((0, 2))], [np.empty((0, 2))]
    on_circles += [_circles_cross(circles), _joined(circles, joints)]
    by_circle, by_segment = _circles_segments_cross(circles, segments)
    on_circles.append(by_circle)
    on_segments += [by_segment, _segments_cross(segments)]
    return _arcs_between(arcs, np.vstack(on_circles)), _pieces_between(segments, np.vstack(on_segments))


def _circles_cross(circles: Floats) -> Floats:
    """Where circles cross: rows of (circle, angle), both circles of every crossing."""
    i, j = np.triu_indices(len(circles), 1)
    x, y, r = circles.T
    dx, dy = x[j] - x[i], y[j] - y[i]
    d = np.hypot(dx, dy)
    meet = (d < r[i] + r[j] - TOUCH) & (d > np.abs(r[i] - r[j]) + TOUCH)
    i, j, d, dx, dy = i[meet], j[meet], d[meet], dx[meet], dy[meet]
    heading = np.arctan2(dy, dx)
    at_i = np.arccos(np.clip((d * d + r[i] ** 2 - r[j] ** 2) / (2 * d * r[i]), -1, 1))
    at_j = np.arccos(np.clip((d * d + r[j] ** 2 - r[i] ** 2) / (2 * d * r[j]), -1, 1))
    rows = [(i, heading + at_i), (i, heading - at_i), (j, heading + np.pi + at_j), (j, heading + np.pi - at_j)]
    return np.vstack([np.column_stack((k, angle % FULL)) for k, angle in rows])


def _joined(circles: Floats, joints: Floats) -> Floats:
    """Where straight pieces pass over into circles: rows of (circle, angle)."""
    if not len(circles) or not len(joints):
        return np.empty((0, 2))
    dx, dy = joints[None, :, 0] - circles[:, None, 0], joints[None, :, 1] - circles[:, None, 1]
    c, k = np.nonzero(np.abs(np.hypot(dx, dy) - circles[:, 2:3]) < SHORTEST)
    return np.column_stack((c, np.arctan2(dy[c, k], dx[c, k]) % FULL))


def _circles_segments_cross(circles: Floats, segments: Floats) -> tuple[Floats, Floats]:
    """Where circles and straight pieces cross: rows of (circle, angle) and rows of (piece, share of its length)."""
    if not len(circles) or not len(segments):
        return np.empty((0, 2)), np.empty((0, 2))
    x, y, r = (column[:, None] for column in circles.T)
    ax, ay, bx, by = segments.T
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    square = np.where(square > 0, square, 1.0)
    t = ((x - ax) * dx + (y - ay) * dy) / square
    off = (ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2
    half = np.sqrt(np.maximum(r * r - off, 0.0) / square)
    on_circles, on_segments = [], []
    for sign in (1.0, -1.0):
        share = t + sign * half
        c, s = np.nonzero((off < (r - TOUCH) ** 2) & (r > TOUCH) & (share > 0) & (share < 1))
        u = share[c, s]
        px, py = ax[s] + u * dx[s], ay[s] + u * dy[s]
        angle = np.arctan2(py - circles[c, 1], px - circles[c, 0]) % FULL
        on_circles.append(np.column_stack((c, angle)))
        on_segments.append(np.column_stack((s, u)))
    return np.vstack(on_circles), np.vstack(on_segments)


def _segments_cross(segments: Floats) -> Floats:
    """Where straight pieces cross: rows of (piece, share of its length)."""
    if len(segments) < 2:
        return np.empty((0, 2))
    lines = shapely.linestrings(segments.reshape(-1, 2, 2))
    i, j = shapely.STRtree(lines).query(lines)
    i, j = i[i != j], j[i != j]
    p, r = segments[i, :2], segments[i, 2:] - segments[i, :2]
    q, s = segments[j, :2], segments[j, 2:] - segments[j, :2]
    cross = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    askew = np.abs(cross) > 1e-15
    safe = np.where(askew, cross, 1.0)
    gap = q - p
    t = (gap[:, 0] * s[:, 1] - gap[:, 1] * s[:, 0]) / safe
    u = (gap[:, 0] * r[:, 1] - gap[:, 1] * r[:, 0]) / safe
    hit = askew & (t > 0) & (t < 1) & (u >= 0) & (u <= 1)
    along = _along(segments, i[~askew], j[~askew])
    return np.vstack((np.column_stack((i[hit], t[hit])), along))


def _along(segments: Floats, i: NDArray[np.intp], j: NDArray[np.intp]) -> Floats:
    """Where the ends of a piece lie on another one that runs the same way."""
    rows = [np.empty((0, 2))]
    step = segments[i, 2:] - segments[i, :2]
    square = np.maximum(np.sum(step * step, axis=1), 1e-300)
    for end in (segments[j, :2], segments[j, 2:]):
        t = np.sum((end - segments[i, :2]) * step, axis=1) / square
        on = (t > 0) & (t < 1)
        rows.append(np.column_stack((i[on], t[on])))
    return np.vstack(rows)


def _arcs_between(arcs: Floats, cuts: Floats) -> Floats:
    """The pieces of arcs between neighbouring cuts; a cut outside an arc does nothing."""
    count = len(arcs)
    which = cuts[:, 0].astype(np.intp)
    low, high = arcs[which, 3], arcs[which, 4]
    angle = low + (cuts[:, 1] - low) % FULL
    inside = angle < high
    ends = np.vstack([np.column_stack((np.arange(count), arcs[:, k])) for k in (3, 4)])
    every = np.vstack((ends, np.column_stack((which[inside], angle[inside]))))
    order = np.lexsort((every[:, 1], every[:, 0]))
    owner, at = every[order, 0].astype(np.intp), every[order, 1]
    same = owner[1:] == owner[:-1]
    rows = np.column_stack((arcs[owner[:-1][same], :3], at[:-1][same], at[1:][same]))
    return np.asarray(rows[(rows[:, 4] - rows[:, 3]) * rows[:, 2] > SHORTEST])


def _pieces_between(segments: Floats, cuts: Floats) -> Floats:
    """The straight pieces between neighbouring cuts."""
    count = len(segments)
    ends = np.vstack(
        (np.column_stack((np.arange(count), np.zeros(count))), np.column_stack((np.arange(count), np.ones(count))))
    )
    every = np.vstack((ends, cuts))
    order = np.lexsort((every[:, 1], every[:, 0]))
    which, share = every[order, 0].astype(np.intp), every[order, 1]
    same = which[1:] == which[:-1]
    k, a, b = which[:-1][same], share[:-1][same], share[1:][same]
    start, step = segments[k, :2], segments[k, 2:] - segments[k, :2]
    rows = np.hstack((start + a[:, None] * step, start + b[:, None] * step))
    kept = np.hypot(rows[:, 2] - rows[:, 0], rows[:, 3] - rows[:, 1]) > SHORTEST
    return np.unique(rows[kept], axis=0) if kept.any() else np.empty((0, 4))


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


def _chords(arc: Floats) -> Floats:
    x, y, r, a, b = (float(v) for v in arc)
    step = 2 * math.acos(max(0.0, 1 - CHORD_ERROR / r)) if r > CHORD_ERROR else FULL / 4
    count = max(2, math.ceil(abs(b - a) / step) + 1, 8 if abs(b - a) > math.pi else 2)
    t = np.linspace(a, b, count)
    return np.column_stack((x + r * np.cos(t), y + r * np.sin(t)))


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
        out.append(copy)
    return out
