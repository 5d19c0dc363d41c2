"""On which curves can the border of a constraint lie, and of which points does it approve?

Both are asked for the centre of a base that keeps its facing: a *mover*, a convex outline grown by a radius. A round
base is one point grown by its radius, a base with corners its outline grown by nothing. Ovals among the obstacles are
taken by fine chords from outside, so that no legal centre is promised where there is none. A kind of constraint that
is not known here may bring its own border; of others the carved polygons serve, and the border says that it is not
exact.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry.constraints import Constraint, KeepClear, StayInside, StayNear
from sim.geometry.cutting import FULL
from sim.geometry.growing import convex_parts, convex_pieces
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Pose, Round
from sim.geometry.tolerance import Bools, Floats

PAIRS_AT_A_TIME = 16_384  # pairs of points and discs that fit a small cache
FIRST_DISCS = 4  # every so many discs are asked in a go
OVAL_CHORDS = 360  # straight pieces for one oval obstacle

Allows = Callable[[Floats], Bools]


@dataclass(frozen=True)
class Mover:
    """A base at a facing, or a convex part of it, about its centre: corners (k, 2), all grown by a radius."""

    base: Base
    facing: float
    corners: Floats
    radius: float

    @classmethod
    def of(cls, base: Base, facing: float) -> tuple[Mover, ...]:
        """The movers of which a round base or one with corners is made; none for an oval."""
        if isinstance(base, Round):
            return (cls(base, facing, np.zeros((1, 2)), base.d / 2),)
        if not base.local_outline:
            return ()
        parts = convex_parts(base)
        return tuple(cls(base, facing, np.array(Placed(p, Pose(0.0, 0.0, facing)).corners), 0.0) for p in parts)

    @cached_property
    def outer(self) -> float:
        """The distance of the farthest point from the centre."""
        return float(np.hypot(*self.corners.T).max()) + self.radius

    @cached_property
    def inner(self) -> float:
        """The radius of a disc about the centre that lies wholly in the base."""
        if len(self.corners) < 2 or not shapely.contains_xy(shapely.Polygon(self.corners), 0.0, 0.0):
            return self.radius
        return self.radius + float(shapely.distance(shapely.LinearRing(self.corners), shapely.Point(0.0, 0.0)))

    def footprints(self, points: Floats) -> Floats:
        """The corners of the mover at every point, an array (n, k, 2)."""
        return np.asarray(points[:, None, :] + self.corners[None, :, :])

    def about(self, points: Floats) -> Floats:
        """Where the centre is while a corner lies on a point: outlines (n, k, 2)."""
        return np.asarray(points[:, None, :] - self.corners[None, :, :])


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

    def moved(self, dx: float, dy: float) -> Curves:
        """The same curves elsewhere."""
        step = np.array([dx, dy])
        circles = self.circles + np.array([dx, dy, 0.0])
        return Curves(circles, self.segments + np.tile(step, 2), self.joints + step)


@dataclass(frozen=True)
class Border:
    """Curves on which legality may turn, the word on points, and whether both are exact."""

    curves: Curves
    allows: Allows
    exact: bool = True


@runtime_checkable
class Bordered(Protocol):
    """A constraint that knows its own border."""

    def border(self, mover: Mover) -> Border | None:
        """The border for a mover, or None when only polygons are known."""
        ...


@runtime_checkable
class Wrapping(Protocol):
    """A constraint that, asked for a region, amounts to another one."""

    def bare(self) -> Constraint:
        """That other one."""
        ...


def border_of(constraint: Constraint, mover: Mover, table: BaseGeometry) -> Border:
    """The border of a constraint on single bases about a table."""
    match constraint:
        case KeepClear():
            return _clear_of(constraint, mover)
        case StayInside():
            return Border(_inside_curves(constraint, mover), _inside_test(constraint, mover))
        case StayNear():
            return near_any([(target, constraint.distance) for _, target in constraint.targets], mover)
        case _:
            pass
    own = constraint.border(mover) if isinstance(constraint, Bordered) else None
    return own if own is not None else _carved(constraint, mover, table)


def _carved(constraint: Constraint, mover: Mover, table: BaseGeometry) -> Border:
    """A border by the polygons that a constraint leaves of a table."""
    left = constraint.carve(table, mover.base, mover.facing)
    shapely.prepare(left)
    lines = [shapely.get_coordinates(line) for line in shapely.get_parts(shapely.boundary(left))]
    segments = [np.hstack((line[:-1], line[1:])) for line in lines]
    return Border(
        Curves.of((), segments),
        lambda points: np.asarray(shapely.intersects_xy(left, points[:, 0], points[:, 1])),
        False,
    )


def closed_discs(constraints: Sequence[Constraint], mover: Mover) -> Floats:
    """Discs (n, 3) in which no centre is legal: about every round or oval obstacle."""
    found = [np.empty((0, 3))]
    for constraint in constraints:
        if isinstance(constraint, KeepClear) and constraint.only is None:
            bases = constraint.obstacles.bases
            reach = np.minimum(bases.a, bases.b) + constraint.distance + mover.inner
            found.append(np.column_stack((bases.x, bases.y, reach))[~bases.is_polygon])
    return np.vstack(found)


def in_discs(starts: Floats, ends: Floats, discs: Floats) -> Bools:
    """Which pairs of points (n, 2) lie both within one and the same disc.

    Some discs from all over the table come first, since in a crowd they hold most points already; and so few points
    are looked at in a go that their numbers stay in a small cache.
    """
    out = np.zeros(len(starts), dtype=np.bool_)
    goes = FIRST_DISCS if len(discs) > PAIRS_AT_A_TIME // 256 else 1
    for start in range(goes):
        some = discs[start::goes]
        left = np.flatnonzero(~out)
        for part in np.array_split(left, 1 + len(left) * len(some) // PAIRS_AT_A_TIME):
            inside = _within(starts[part], some)
            if starts is not ends:
                inside &= _within(ends[part], some)
            out[part] = inside.any(axis=1)
    return out


def _within(points: Floats, discs: Floats) -> Bools:
    """Which points lie in which discs, an array (n, m)."""
    dx, dy = points[:, 0:1] - discs[:, 0], points[:, 1:2] - discs[:, 1]
    return np.asarray(dx * dx + dy * dy <= discs[:, 2] ** 2)


# ---- keeping clear


def _clear_of(constraint: KeepClear, mover: Mover) -> Border:
    """The border about obstacles, but for the circles and the discs of round ones where the mover is round.

    Those are ``closed_discs``, which are asked of all constraints at once.
    """
    bases = constraint.obstacles.bases
    reach = constraint.distance + mover.radius
    rims = _oval_rims(bases.take(~bases.is_round & ~bases.is_polygon), mover, constraint.distance)
    walls = [outline for placed in bases.take(bases.is_polygon) for outline in _shadows(placed, mover)]
    outlines, reaches = walls, [reach] * len(walls)
    if len(mover.corners) > 1:
        rounds = bases.take(bases.is_round)
        outlines = walls + list(mover.about(np.column_stack((rounds.x, rounds.y))))
        reaches = reaches + (rounds.a + reach).tolist()
    chords = np.concatenate((rims, np.roll(rims, -1, axis=1)), axis=2).reshape(-1, 4)
    curves = Curves.together([Curves.of((), [chords]), offset_edges(outlines, np.array(reaches))])
    return Border(curves, _clear_test(rims, outlines, np.array(reaches)))


def _shadows(wall: Placed, mover: Mover) -> Iterator[Floats]:
    """Where the centre may not be lest the mover, not grown, lies over a wall: outlines."""
    if len(mover.corners) == 1:
        yield np.array(wall.corners)
        return
    for piece in convex_pieces(wall):
        points = mover.about(np.array(piece.corners)).reshape(-1, 2)
        yield np.asarray(shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(points)))[:-1])


def _clear_test(oval_rims: Floats, outlines: Sequence[Floats], reaches: Floats) -> Allows:
    groups = []
    for reach in np.unique(reaches):
        shapes = shapely.multipolygons([shapely.polygons(outlines[int(k)]) for k in np.flatnonzero(reaches == reach)])
        groups.append((float(reach), shapes))
    rims = shapely.polygons(oval_rims)
    shapely.prepare([shapes for _, shapes in groups])
    shapely.prepare(rims)

    def allows(points: Floats) -> Bools:
        good = np.ones(len(points), dtype=np.bool_)
        for reach, shapes in groups:
            left = np.flatnonzero(good)
            if len(left):
                good[left] = ~shapely.dwithin(shapely.points(points[left]), shapes, reach)
        for rim in rims:
            left = np.flatnonzero(good)
            if not len(left):
                break
            good[left] = ~shapely.contains_xy(rim, points[left, 0], points[left, 1])
        return good

    return allows


# ---- staying inside, and near


def _rings(region: BaseGeometry) -> list[Floats]:
    rings = [ring for part in shapely.get_parts(region) for ring in (part.exterior, *part.interiors)]
    return [shapely.get_coordinates(ring)[:-1] for ring in rings]


def _inside_curves(constraint: StayInside, mover: Mover) -> Curves:
    rings = _rings(constraint.region)
    edges = [outline for ring in rings for outline in mover.about(ring).transpose(1, 0, 2)]
    found = [offset_edges(edges, np.full(len(edges), mover.radius))]
    if len(mover.corners) > 1 and rings:
        notches = list(mover.about(np.vstack(rings)))
        found.append(offset_edges(notches, np.zeros(len(notches))))
    if constraint.discs:
        around = list(mover.about(np.array([centre for centre, _ in constraint.discs])))
        found.append(offset_edges(around, np.array([r for _, r in constraint.discs]) + mover.radius))
    return Curves.together(found)


def _inside_test(constraint: StayInside, mover: Mover) -> Allows:
    region, rim, radius = constraint.region, shapely.boundary(constraint.region), mover.radius
    box = region.bounds if region.equals(shapely.box(*region.bounds)) else None
    low, high = mover.corners.min(axis=0) - radius, mover.corners.max(axis=0) + radius
    shape = shapely.Point if len(mover.corners) == 1 else shapely.Polygon
    discs = [(r + radius, shape(mover.about(np.array([c]))[0])) for c, r in constraint.discs]
    shapely.prepare([region, rim, *(disc for _, disc in discs)])

    def allows(points: Floats) -> Bools:
        x, y = points[:, 0], points[:, 1]
        if box is not None:
            good = (x + low[0] >= box[0]) & (x + high[0] <= box[2])
            good &= (y + low[1] >= box[1]) & (y + high[1] <= box[3])
        elif len(mover.corners) == 1:
            good = np.asarray(shapely.contains_xy(region, x, y))
            good &= np.asarray(shapely.distance(shapely.points(points), rim) >= radius)
        else:
            good = np.asarray(shapely.covers(region, shapely.polygons(mover.footprints(points))))
        for reach, disc in discs:
            left = np.flatnonzero(good)
            good[left] = shapely.distance(shapely.points(points[left]), disc) >= reach
        return np.asarray(good)

    return allows


def near_any(targets: Sequence[tuple[BaseGeometry, float]], mover: Mover) -> Border:
    """The border of standing wholly within a distance of any one of several convex targets."""
    curves = []
    for target, distance in targets:
        reach = distance - mover.radius
        if reach < 0:
            continue
        shifted = list(mover.about(shapely.get_coordinates(target)).transpose(1, 0, 2))
        closed = target.geom_type not in ("LineString", "Point")
        curves.append(offset_edges(shifted, np.full(len(shifted), reach), closed))

    def allows(points: Floats) -> Bools:
        spots = shapely.points(mover.footprints(points))
        good = np.zeros(len(points), dtype=np.bool_)
        for target, distance in targets:
            good |= np.all(shapely.distance(spots, target) <= distance - mover.radius, axis=1)
        return good

    return Border(Curves.together(curves), allows)


def enough_near(points: Floats, centre: Floats, distance: float, needed: int) -> Border:
    """The border of having at least some of a mover's points (k, 2), seen from its centre, near a centre."""
    circles = np.column_stack((centre - points, np.full(len(points), distance)))

    def allows(places: Floats) -> Bools:
        dx, dy = (places[:, None, axis] - circles[None, :, axis] for axis in (0, 1))
        return np.asarray(np.sum(dx * dx + dy * dy <= distance * distance, axis=1) >= needed)

    return Border(Curves.of([circles]), allows)


def offset_edges(outlines: Sequence[Floats], reaches: Floats, closed: bool = True) -> Curves:
    """The circles about the corners of outlines and the lines beside their edges, each at its distance.

    For a distance of 0 the edges themselves.
    """
    lines = [_open(np.asarray(outline, dtype=np.float64)) if closed else outline for outline in outlines]
    if not lines:
        return Curves.of()
    points = np.vstack(lines)
    counts = np.array([len(line) for line in lines])
    ends = np.cumsum(counts)
    after = np.arange(1, len(points) + 1)
    after[ends - 1] = ends - counts if closed else ends - 1
    starts, following, reach = points, points[after], np.repeat(reaches, counts)
    rounded = reach > 0
    circles = np.column_stack((points, reach))[rounded]
    steps = following - starts
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    kept = lengths > 0
    edges = np.hstack((starts, following))[kept & ~rounded]
    kept &= rounded
    starts, following, steps, lengths, reach = starts[kept], following[kept], steps[kept], lengths[kept], reach[kept]
    aside = np.column_stack((-steps[:, 1], steps[:, 0])) * (reach / lengths)[:, None]
    beside = np.vstack([np.hstack((starts + s * aside, following + s * aside)) for s in (1.0, -1.0)])
    return Curves.of([circles], [edges, beside], [beside.reshape(-1, 2)])


def _open(outline: Floats) -> Floats:
    """An outline without its first corner once more at its end."""
    return outline[:-1] if len(outline) > 1 and np.array_equal(outline[0], outline[-1]) else outline


def _oval_rims(ovals: PlacedSet, mover: Mover, distance: float) -> Floats:
    """The curves beside ovals as corners (n, m, 2) of straight pieces that touch them from outside, so that no legal
    centre is promised where there is none. Along the edges of the mover they are exact.
    """
    normals = list(_normals(mover.corners))
    heading = np.sort(np.concatenate((np.linspace(0.0, FULL, OVAL_CHORDS, endpoint=False), normals)) % FULL)
    heading = heading[np.concatenate(([True], np.diff(heading) > 1e-6))]
    a, b, f = ovals.a[:, None], ovals.b[:, None], ovals.facing[:, None]
    x, y = np.cos(heading)[None, :], np.sin(heading)[None, :]
    own = np.max(-(mover.corners @ np.vstack((x, y))), axis=0)
    far = np.hypot(a * np.cos(heading - f), b * np.sin(heading - f)) + distance + mover.radius + own
    x_next, y_next, far_next = (np.roll(column, -1, axis=1) for column in (x, y, far))
    cross = x * y_next - y * x_next
    corner_x = (far * y_next - far_next * y) / cross + ovals.x[:, None]
    corner_y = (far_next * x - far * x_next) / cross + ovals.y[:, None]
    return np.stack((corner_x, corner_y), axis=-1)


def _normals(corners: Floats) -> Iterator[float]:
    """The headings across the edges of a convex outline, seen from an obstacle that it comes up to."""
    if len(corners) > 1:
        for (ax, ay), (bx, by) in itertools.pairwise((*corners, corners[0])):
            heading = float(np.arctan2(by - ay, bx - ax))
            yield heading + np.pi / 2
            yield heading - np.pi / 2
