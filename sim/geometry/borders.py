"""On which curves can the border of a constraint lie, and of which points does it approve?

Both are asked for the centre of a base that keeps its facing: a *mover*. A round base is one point grown by its radius,
an oval one point grown by the oval, a base with corners its outline grown by nothing. A kind of constraint that is not
known here may bring its own border; of others the carved polygons serve, and the border says that it is not exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry import oval_places
from sim.geometry.constraints import Constraint, KeepClear, Obstacles, StayInside, StayNear
from sim.geometry.growing import convex_parts, convex_pieces
from sim.geometry.rims import NO_OVAL, NO_RIMS, Axes, beside, counter_clockwise, full_rims, without_repeat
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Point, Pose, Round
from sim.geometry.tolerance import Bools, Floats

ON_ROUND = 1e-7  # inches from a circle that a region follows
PAIRS_AT_A_TIME = 16_384  # pairs of points and discs that fit a small cache
FIRST_DISCS = 4  # every so many discs are asked in a go

Allows = Callable[[Floats], Bools]


@dataclass(frozen=True)
class Mover:
    """A base at a facing, or a convex part of it, about its centre: corners (k, 2), grown by a radius or by an oval."""

    base: Base
    facing: float
    corners: Floats
    radius: float
    oval: Axes | None = None

    @classmethod
    def of(cls, base: Base, facing: float) -> tuple[Mover, ...]:
        """The movers of which a base is made: one, or one for each convex part of a base with a notch."""
        if isinstance(base, Round):
            return (cls(base, facing, np.zeros((1, 2)), base.d / 2),)
        if not base.local_outline:
            return (cls(base, facing, np.zeros((1, 2)), 0.0, (*base.semi_axes, math.radians(facing))),)
        parts = convex_parts(base)
        return tuple(cls(base, facing, np.array(Placed(p, Pose(0.0, 0.0, facing)).corners), 0.0) for p in parts)

    @property
    def is_round(self) -> bool:
        """Whether the mover is a disc."""
        return len(self.corners) == 1 and self.oval is None

    @cached_property
    def outer(self) -> float:
        """The distance of the farthest point from the centre."""
        if self.oval is not None:
            return max(self.oval[:2])
        return float(np.hypot(*self.corners.T).max()) + self.radius

    @cached_property
    def whole(self) -> Floats:
        """The corners of the whole base, of which the mover may be a part, seen from its centre."""
        if len(self.corners) == 1:
            return self.corners
        return np.array(Placed(self.base, Pose(0.0, 0.0, self.facing)).corners)

    @cached_property
    def inner(self) -> float:
        """The radius of a disc about the centre that lies wholly in the base; less than 0 for a centre outside it.

        It is then minus the distance to the base, so that a disc larger by so much always meets the base.
        """
        if self.oval is not None:
            return min(self.oval[:2])
        if len(self.corners) < 2:
            return self.radius
        to_rim = float(shapely.distance(shapely.LinearRing(self.corners), shapely.Point(0.0, 0.0)))
        holds = bool(shapely.contains_xy(shapely.Polygon(self.corners), 0.0, 0.0))
        return self.radius + (to_rim if holds else -to_rim)

    def footprints(self, points: Floats) -> Floats:
        """The corners of the mover at every point, an array (n, k, 2)."""
        return np.asarray(points[:, None, :] + self.corners[None, :, :])

    def about(self, points: Floats) -> Floats:
        """Where the centre is while a corner lies on a point: outlines (n, k, 2)."""
        return np.asarray(points[:, None, :] - self.corners[None, :, :])


@dataclass(frozen=True)
class Curves:
    """Circles (n, 3) as x, y, radius, straight pieces (m, 4) as x, y, x, y, rims (r, 11), and where kinds pass over.

    ``joints`` (k, 2) are points at which one curve passes over into another one, besides the ends of straight pieces.
    """

    circles: Floats
    segments: Floats
    joints: Floats
    rims: Floats

    @classmethod
    def of(
        cls,
        circles: Sequence[Floats] = (),
        segments: Sequence[Floats] = (),
        joints: Sequence[Floats] = (),
        rims: Sequence[Floats] = (),
    ) -> Curves:
        """Curves put together from several arrays."""
        none2, none3, none4 = np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 4))
        return cls(
            np.vstack([none3, *circles]),
            np.vstack([none4, *segments]),
            np.vstack([none2, *joints]),
            np.vstack([NO_RIMS, *rims]),
        )

    @classmethod
    def together(cls, every: Sequence[Curves]) -> Curves:
        """All curves of several."""
        return cls.of(
            [c.circles for c in every],
            [c.segments for c in every],
            [c.joints for c in every],
            [c.rims for c in every],
        )

    def moved(self, dx: float, dy: float) -> Curves:
        """The same curves elsewhere."""
        step = np.array([dx, dy])
        rims = self.rims.copy()
        rims[:, :2] += step
        circles = self.circles + np.array([dx, dy, 0.0])
        return Curves(circles, self.segments + np.tile(step, 2), self.joints + step, rims)


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
            found.append(np.column_stack((bases.x, bases.y, reach))[~bases.is_polygon & (reach > 0)])
    return np.vstack(found)


def round_borders(constraints: Sequence[Constraint], mover: Mover) -> Floats:
    """Those of the closed discs (n, 3) whose edge is a border: about round obstacles, of a round mover."""
    found = [np.empty((0, 3))]
    for constraint in constraints if mover.is_round else ():
        if isinstance(constraint, KeepClear) and constraint.only is None:
            bases = constraint.obstacles.bases
            reach = np.minimum(bases.a, bases.b) + constraint.distance + mover.inner
            found.append(np.column_stack((bases.x, bases.y, reach))[bases.is_round])
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
    bases, distance = constraint.obstacles.bases, constraint.distance
    walls = bases.take(bases.is_polygon)
    if mover.oval is not None:
        curved = bases.take(~bases.is_polygon)
        curves = Curves.together([_about_ovals(curved, mover, distance), around(list(walls), mover, distance)])
        return Border(curves, _clear_for_oval(mover.oval, curved, walls, distance))
    ovals = bases.take(~bases.is_round & ~bases.is_polygon)
    outlines = [outline for placed in walls for outline in _shadows(placed, mover)]
    reaches = [distance + mover.radius] * len(outlines)
    if len(mover.corners) > 1:
        rounds = bases.take(bases.is_round)
        outlines += list(mover.about(np.column_stack((rounds.x, rounds.y))))
        reaches += (rounds.a + distance).tolist()
    curves = Curves.together([_about_ovals(ovals, mover, distance), offset_edges(outlines, np.array(reaches))])
    return Border(curves, _clear_test(ovals, mover, distance, (outlines, np.array(reaches))))


def around(walls: Sequence[Placed], mover: Mover, distance: float) -> Curves:
    """The curves on which a mover comes to a distance of bases with corners."""
    if mover.oval is not None:
        straight, rims = beside([counter_clockwise(np.array(wall.corners)) for wall in walls], mover.oval, distance)
        return Curves.of((), [straight], (), [rims])
    outlines = [outline for wall in walls for outline in _shadows(wall, mover)]
    return offset_edges(outlines, np.full(len(outlines), distance + mover.radius))


def about_points(points: Floats, mover: Mover, distance: float) -> Curves:
    """The curves on which a mover comes to a distance of single points (n, 2)."""
    if mover.oval is not None:
        return Curves.of(rims=[full_rims(points, mover.oval, NO_OVAL, distance)])
    outlines = list(mover.about(points))
    return offset_edges(outlines, np.full(len(outlines), distance + mover.radius))


def held_by_discs(discs: Sequence[tuple[tuple[float, float], float]], mover: Mover) -> Curves:
    """The curves on which a mover that lies in a disc comes to its edge."""
    found = []
    for centre, radius in discs:
        at = np.array([centre])
        if mover.oval is not None:
            a, b, facing = mover.oval
            found.append(Curves.of(rims=[full_rims(at, (-a, -b, facing), NO_OVAL, radius)]))
        elif radius > mover.radius:
            spots = mover.about(at)[0]
            found.append(Curves.of([np.column_stack((spots, np.full(len(spots), radius - mover.radius)))]))
    return Curves.together(found)


def _about_ovals(bases: PlacedSet, mover: Mover, distance: float) -> Curves:
    """The curves on which a mover comes to a distance of oval bases, and an oval mover to one of round ones."""
    if not len(bases):
        return Curves.of()
    centres = np.column_stack((bases.x, bases.y))
    axes = np.column_stack((bases.a, bases.b, bases.facing))
    if mover.oval is not None:
        axes[bases.is_round] = 0.0
        radii = np.where(bases.is_round, bases.a, 0.0) + distance
        return Curves.of(rims=[full_rims(centres, mover.oval, axes, radii)])
    if mover.is_round:
        return Curves.of(rims=[full_rims(centres, NO_OVAL, axes, distance + mover.radius)])
    straight, rims = beside([counter_clockwise(ring) for ring in mover.about(centres)], axes, distance)
    return Curves.of((), [straight], (), [rims])


def _clear_for_oval(oval: Axes, curved: PlacedSet, walls: PlacedSet, distance: float) -> Allows:
    rows = np.column_stack((curved.x, curved.y, curved.a, curved.b, curved.facing))
    ground = shapely.union_all(walls.polygons)
    shapely.prepare(ground)

    def allows(points: Floats) -> Bools:
        good = ~oval_places.nearer_than_ovals(oval, points, rows, distance)
        if len(walls):
            left = np.flatnonzero(good)
            good[left] = ~oval_places.nearer_than_polygon(oval, points[left], ground, distance)
        return np.asarray(good)

    return allows


def _shadows(wall: Placed, mover: Mover) -> Iterator[Floats]:
    """Where the centre may not be lest the mover, not grown, lies over a wall: outlines."""
    if len(mover.corners) == 1:
        yield np.array(wall.corners)
        return
    for piece in convex_pieces(wall):
        points = mover.about(np.array(piece.corners)).reshape(-1, 2)
        yield np.asarray(shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(points)))[:-1])


def _clear_test(ovals: PlacedSet, mover: Mover, distance: float, shadows: tuple[Sequence[Floats], Floats]) -> Allows:
    outlines, reaches = shadows
    groups = []
    for reach in np.unique(reaches):
        shapes = shapely.multipolygons([shapely.polygons(outlines[int(k)]) for k in np.flatnonzero(reaches == reach)])
        groups.append((float(reach), shapes))
    shapely.prepare([shapes for _, shapes in groups])
    rows = np.column_stack((ovals.x, ovals.y, ovals.a, ovals.b, ovals.facing))
    figure = None if mover.is_round else shapely.polygons(mover.corners)

    def allows(points: Floats) -> Bools:
        good = np.ones(len(points), dtype=np.bool_)
        for reach, shapes in groups:
            left = np.flatnonzero(good)
            if len(left):
                good[left] = ~shapely.dwithin(shapely.points(points[left]), shapes, reach)
        if figure is None and len(rows):
            left = np.flatnonzero(good)
            good[left] = ~oval_places.points_near_ovals(points[left], rows, distance + mover.radius)
        elif figure is not None:
            for x, y, *oval in rows.tolist():
                left = np.flatnonzero(good)
                good[left] = ~oval_places.nearer_than_polygon(
                    (oval[0], oval[1], oval[2]), np.array([x, y]) - points[left], figure, distance
                )
        return good

    return allows


def apart_from(placed: Placed, mover: Mover, distance: float) -> Border:
    """The border of keeping at least a distance from one base; it approves of what keeps it."""
    constraint = KeepClear("apart", "apart", Obstacles(PlacedSet((placed,)), ("it",)), distance, strict=False)
    known = _clear_of(constraint, mover)
    if not (mover.is_round and isinstance(placed.base, Round)):
        return known
    disc = np.array([[*placed.pose.at, placed.base.d / 2 + mover.radius + distance]])
    return Border(Curves.of([disc]), lambda points: ~in_discs(points, points, disc))


# ---- staying inside, and near


def _rings(region: BaseGeometry) -> list[Floats]:
    rings = [ring for part in shapely.get_parts(region) for ring in (part.exterior, *part.interiors)]
    return [shapely.get_coordinates(ring)[:-1] for ring in rings]


def _without_arcs(ring: Floats, rounds: Sequence[tuple[Point, float]]) -> Floats:
    """The corners of a ring less those along an arc, between two edges that follow the same circle."""
    kept = np.ones(len(ring), dtype=np.bool_)
    halfway = (ring + np.roll(ring, -1, axis=0)) / 2
    for centre, radius in rounds:
        on, along = (np.abs(np.hypot(*(at - np.array(centre)).T) - radius) <= ON_ROUND for at in (ring, halfway))
        follows = on & along & np.roll(on, -1)  # and no chord from one point of the circle to another
        kept &= ~(follows & np.roll(follows, 1))
    return np.asarray(ring[kept])


def _inside_curves(constraint: StayInside, mover: Mover) -> Curves:
    """The curves on which a mover inside a region comes to its edge; arcs are taken as such, whole circles."""
    rounds = [about_points(np.array([c]), mover, r) for c, r in (*constraint.discs, *constraint.rounds)]
    oriented = shapely.get_parts(shapely.orient_polygons(constraint.region))
    rings = [_without_arcs(ring, constraint.rounds) for part in oriented for ring in _rings(part)]
    if constraint.rounds and rings:
        rounds.append(about_points(np.vstack(rings), mover, 0.0))
    rings = [ring for ring in rings if len(ring) > 2]
    if mover.oval is not None:
        straight, rims = beside([ring[::-1] for ring in rings], mover.oval, 0.0)
        return Curves.together([Curves.of((), [straight], (), [rims]), *rounds])
    edges = [outline for ring in rings for outline in mover.about(ring).transpose(1, 0, 2)]
    found = [offset_edges(edges, np.full(len(edges), mover.radius))]
    if len(mover.corners) > 1 and rings:
        notches = list(mover.about(np.vstack(rings)))
        found.append(offset_edges(notches, np.zeros(len(notches))))
    return Curves.together([*found, *rounds])


def _inside_test(constraint: StayInside, mover: Mover) -> Allows:
    region, rim, radius = constraint.region, shapely.boundary(constraint.region), mover.radius
    box = region.bounds if region.equals(shapely.box(*region.bounds)) else None
    x0, y0, x1, y1 = Placed(mover.base, Pose(0.0, 0.0, mover.facing)).bounds
    shape = shapely.Point if len(mover.corners) == 1 else shapely.Polygon
    discs = [(r + radius, shape(mover.about(np.array([c]))[0])) for c, r in constraint.discs]
    rows = np.array([(*centre, r, r, 0.0) for centre, r in constraint.discs]).reshape(-1, 5)
    shapely.prepare([region, rim, *(disc for _, disc in discs)])

    def allows(points: Floats) -> Bools:
        x, y = points[:, 0], points[:, 1]
        if box is not None:
            good = (x + x0 >= box[0]) & (x + x1 <= box[2]) & (y + y0 >= box[1]) & (y + y1 <= box[3])
        elif mover.oval is not None:
            good = oval_places.lies_inside(mover.oval, points, region)
        elif len(mover.corners) == 1:
            good = np.asarray(shapely.contains_xy(region, x, y))
            good &= np.asarray(shapely.distance(shapely.points(points), rim) >= radius)
        else:
            good = np.asarray(shapely.covers(region, shapely.polygons(mover.footprints(points))))
        if mover.oval is not None and len(rows):
            left = np.flatnonzero(good)
            good[left] = ~oval_places.nearer_than_ovals(mover.oval, points[left], rows, 0.0)
            return np.asarray(good)
        for reach, disc in discs:
            left = np.flatnonzero(good)
            good[left] = shapely.distance(shapely.points(points[left]), disc) >= reach
        return np.asarray(good)

    return allows


def near_any(targets: Sequence[tuple[BaseGeometry | Placed, float]], mover: Mover) -> Border:
    """The border of standing wholly within a distance of any one of several targets without notches, or ovals.

    The whole base stands near one and the same target, so that one convex part of it cannot choose for itself.
    """
    curves = [_near_curves(target, distance, mover) for target, distance in targets]
    measures = [(_distance_from(target), distance) for target, distance in targets]
    whole = mover.whole

    def allows(points: Floats) -> Bools:
        good = np.zeros(len(points), dtype=np.bool_)
        for measure, distance in measures:
            left = np.flatnonzero(~good)
            if mover.oval is not None:
                good[left] = oval_places.lies_within(mover.oval, points[left], measure, distance)
            else:
                spots = points[left][:, None, :] + whole[None, :, :]
                far = measure(spots.reshape(-1, 2)).reshape(spots.shape[:2])
                good[left] = np.all(far <= distance - mover.radius, axis=1)
        return good

    return Border(Curves.together(curves), allows)


def _distance_from(target: BaseGeometry | Placed) -> oval_places.Distance:
    if isinstance(target, Placed):
        return oval_places.distance_from_oval(target.pose.at, (*target.semi_axes, math.radians(target.pose.facing)))
    return lambda points: np.asarray(shapely.distance(shapely.points(points), target))


def _near_curves(target: BaseGeometry | Placed, distance: float, mover: Mover) -> Curves:
    """The curves on which some point of a mover comes to a distance of a target while all of it is near."""
    away = None if mover.oval is None else (-mover.oval[0], -mover.oval[1], mover.oval[2])
    if isinstance(target, Placed):
        centre, axes = np.array([target.pose.at]), (*target.semi_axes, math.radians(target.pose.facing))
        spots, first = (mover.about(centre)[0], NO_OVAL) if away is None else (centre, away)
        return Curves.of(rims=[full_rims(spots, first, axes, distance - mover.radius)])
    ring = shapely.get_coordinates(target)
    if away is not None:
        straight, rims = beside([counter_clockwise(ring)], away, distance)
        return Curves.of((), [straight], (), [rims])
    reach = distance - mover.radius
    if reach < 0:
        return Curves.of()
    shifted = list(mover.about(ring).transpose(1, 0, 2))
    closed = target.geom_type not in ("LineString", "Point")
    return offset_edges(shifted, np.full(len(shifted), reach), closed)


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
    lines = [without_repeat(np.asarray(outline, dtype=np.float64)) if closed else outline for outline in outlines]
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
    return Curves.of([circles], [edges, beside])
