"""How far is a base from ground out of which discs are cut? Exact along round borders as along straight ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import Border, Curves, Mover, about_points, held_by_discs, offset_edges
from sim.geometry.constraints import MOST_LINES, Breach, Ground, Limit, StayInside, Witness
from sim.geometry.distance import clearance, separation
from sim.geometry.growing import convex_parts, grown_pieces
from sim.geometry.rims import FULL, HIGH, LOW, NO_OVAL, beside, counter_clockwise, full_rims
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose, Round
from sim.geometry.tolerance import EPS, Bools, Floats, beyond

DRAWN = 90  # straight pieces of a quarter of a disc in pictures and regions
DRAWN_ERROR = 0.01  # inches; drawn polygons and their distances differ from the true ones by less
ON_DISC = 1e-9  # inches
UNSEEN = 2e-8  # inches; so near two borders are one to who looks at both sides of them
MANY = 4  # members from which on those that are surely off are found together
LOOK = 720  # points of the first look around an oval
BISECTIONS = 60  # halvings, until two angles are one number


@dataclass(frozen=True)
class CutGround:
    """A simple polygon less some discs."""

    outline: tuple[Point, ...]
    discs: tuple[tuple[Point, float], ...] = ()

    def separation(self, base: Placed) -> float:
        """The signed distance in inches from a base to what is left of the ground: 0 at a touch, negative over it.

        Over the ground it is minus the lesser of two depths: how deep the base lies in the outline, and how far it
        reaches out of the disc that holds it best; where discs overlap, minus how deep it lies over what is left.
        """
        whole = separation(base, self._whole)
        if whole < -EPS:
            depth = min(-whole, self._out_of_discs(base))
            if depth > EPS:
                return -depth
        if not self.discs:
            return max(whole, 0.0)
        return self._to_border(base)

    def shares_ground(self, base: Placed) -> bool:
        """Whether a base lies over some of the ground, without any tolerance."""
        if separation(base, self._whole) >= 0:
            return False
        return self._out_of_discs(base, slack=0.0) > 0

    def keeps(self, base: Placed, distance: float) -> bool:
        """Whether a base keeps at least a distance from what is left of the ground, without any tolerance."""
        if self.shares_ground(base):
            return False
        if distance <= 0:
            return True
        return self._to_border(base, slack=0.0) >= distance

    @cached_property
    def straight_parts(self) -> tuple[tuple[Point, Point], ...]:
        """The straight parts of the border, each with the ground to its left."""
        ring = [(float(x), float(y)) for x, y in counter_clockwise(np.array(self.outline))]
        parts = [part for edge in itertools.pairwise((*ring, ring[0])) for part in _outside(*edge, self.discs)]
        ends = [shapely.get_coordinates(part) for part in parts]
        return tuple(((float(a[0]), float(a[1])), (float(b[0]), float(b[1]))) for a, b in ends)

    @cached_property
    def ends_of_arcs(self) -> tuple[tuple[Point, int, tuple[float, float]], ...]:
        """Where an arc ends, at a straight part or another disc: the point, which disc, and two headings in radians.

        Between the headings nothing of the ground is nearer than the point.
        """
        found = list(self._ends_at_discs())
        for start, end in self.straight_parts:
            away = math.atan2(start[0] - end[0], end[1] - start[1])  # to the right of the way
            for point, ending in ((start, False), (end, True)):
                for k, (centre, radius) in enumerate(self.discs):
                    if abs(math.dist(point, centre) - radius) < ON_DISC:
                        inward = math.atan2(centre[1] - point[1], centre[0] - point[0])
                        low, high = (away, inward) if ending else (inward, away)
                        found.append((point, k, (low, low + (high - low) % (2 * math.pi))))
        return tuple(found)

    def _ends_at_discs(self) -> Iterator[tuple[Point, int, tuple[float, float]]]:
        for (i, first), (j, second) in itertools.combinations(enumerate(self.discs), 2):
            for point in _where_rims_cross(first, second):
                others = [disc for k, disc in enumerate(self.discs) if k not in (i, j)]
                if not self._on_ground(point, others, 0.0):
                    continue
                headings = [math.atan2(c[1] - point[1], c[0] - point[0]) for c, _ in (first, second)]
                turn = (headings[1] - headings[0]) % (2 * math.pi)
                low, wide = (headings[0], turn) if turn < math.pi else (headings[1], 2 * math.pi - turn)
                yield point, i, (low, low + wide)
                yield point, j, (low, low + wide)

    @cached_property
    def area(self) -> BaseGeometry:
        """The ground as polygons, for drawing and regions."""
        ground: BaseGeometry = Polygon(self.outline)
        for centre, radius in self.discs:
            ground = ground.difference(shapely.Point(centre).buffer(radius, quad_segs=DRAWN))
        return ground

    @cached_property
    def _whole(self) -> Placed:
        return Placed(Hull(self.outline), Pose(0.0, 0.0))

    @cached_property
    def _triangles(self) -> tuple[Placed, ...]:
        found = shapely.get_parts(shapely.constrained_delaunay_triangles(Polygon(self.outline)))
        return tuple(Placed(Hull(_ring(t)), Pose(0.0, 0.0)) for t in found)

    @cached_property
    def _straight(self) -> MultiLineString:
        """The border's straight parts that lie outside all discs."""
        return MultiLineString(self.straight_parts)

    @cached_property
    def _crossing(self) -> bool:
        """Whether some of the discs overlap one another over the outline."""
        return any(_where_rims_cross(first, second) for first, second in itertools.combinations(self.discs, 2))

    @cached_property
    def _left(self) -> tuple[Placed, ...]:
        """What is left of the ground, to the tolerance, in pieces without holes."""
        x0, y0, x1, y1 = Polygon(self.outline).bounds
        cuts = sorted({x0, x1, *(c[0] for c, _ in self.discs if x0 < c[0] < x1)})
        ground = Polygon(self.outline).difference(shapely.union_all([fine_disc(c, r, EPS / 2) for c, r in self.discs]))
        strips = [ground.intersection(shapely.box(a, y0, b, y1)) for a, b in itertools.pairwise(cuts)]
        parts = [part for strip in strips for part in shapely.get_parts(strip)]
        return tuple(Placed(Hull(_ring(p)), Pose(0.0, 0.0)) for p in parts if isinstance(p, Polygon) and p.area > EPS)

    def _out_of_discs(self, base: Placed, slack: float = EPS) -> float:
        """The greatest, over the pieces of the outline, of how far the base there reaches out of the best disc.

        Where discs overlap one another a base may lie in several together; it is then held against what is left.
        """
        worst = 0.0
        if self._crossing:
            return max((-separation(base, part) for part in self._left), default=0.0)
        for triangle in self._triangles:
            if separation(base, triangle) >= -slack:
                continue
            points = _extremes(base, triangle, [centre for centre, _ in self.discs], slack)
            reaches = [float(np.max(np.hypot(*(points - c).T))) - r for c, r in self.discs]
            worst = max(worst, min(reaches, default=math.inf))
        return worst

    def _to_border(self, base: Placed, slack: float = EPS) -> float:
        """The gap to the straight borders, to the round ones, and to the tips between two discs."""
        tips = shapely.MultiPoint([point for point, _, _ in self._ends_at_discs()])
        return min(clearance(base, self._straight), clearance(base, tips), self._to_arcs(base, slack))

    def _to_arcs(self, base: Placed, slack: float = EPS) -> float:
        """The gap to the round borders: from where the base's edge turns towards or away from a disc's centre."""
        least = math.inf
        for centre, radius in self.discs:
            for x, y in _turning_points(base, centre):
                distance = math.dist((x, y), centre)
                if distance <= 0:
                    continue
                k = radius / distance
                on = (centre[0] + (x - centre[0]) * k, centre[1] + (y - centre[1]) * k)
                if self._on_border(on, (centre, radius), slack):
                    least = min(least, clearance(base, shapely.Point(on)))
        return least

    def _on_border(self, point: Point, of: tuple[Point, float], slack: float) -> bool:
        return self._on_ground(point, [disc for disc in self.discs if disc != of], slack)

    def _on_ground(self, point: Point, discs: Sequence[tuple[Point, float]], slack: float) -> bool:
        """Whether a point lies on the outline's ground outside some discs."""
        if shapely.distance(self._whole.polygon, shapely.Point(point)) > slack:
            return False
        return all(math.dist(point, c) >= r - slack for c, r in discs)


def inside_of(code: str, rule: str, name: str, grounds: Sequence[CutGround]) -> StayInside:
    """To stay wholly within several grounds taken together; each disc is cut out of its own ground alone.

    A disc that reaches into another of the grounds becomes part of the outline, within the tolerance.
    """
    outlines = [Polygon(ground.outline) for ground in grounds]
    discs: list[tuple[Point, float]] = []
    rounds: list[tuple[Point, float]] = []
    for k, ground in enumerate(grounds):
        for centre, radius in ground.discs:
            at = shapely.Point(centre)
            if any(float(shapely.distance(at, o)) < radius for o in (*outlines[:k], *outlines[k + 1 :])):
                outlines[k] = outlines[k].difference(fine_disc(centre, radius, UNSEEN))
                rounds.append((centre, radius))
            else:
                discs.append((centre, radius))
    return StayInside(code, rule, name, shapely.union_all(outlines), tuple(discs), rounds=tuple(rounds))


def fine_disc(centre: Point, radius: float, error: float) -> Polygon:
    """A disc with so many corners that its border lies within so many inches of the true one."""
    count = math.ceil(math.pi / math.sqrt(4 * error / max(radius, error)))
    outer = radius * (3 - math.cos(math.pi / count)) / 2
    angles = np.linspace(0.0, FULL, max(count, 8), endpoint=False)
    return Polygon(np.column_stack((centre[0] + outer * np.cos(angles), centre[1] + outer * np.sin(angles))))


@dataclass(frozen=True)
class KeepOff:
    """Every member stays more than (or at least) a distance from ground out of which discs are cut.

    ``strict`` asks for more than ``distance``; a distance of 0 that is not strict allows a touch.
    """

    code: str
    rule: str
    name: str
    area: CutGround
    distance: float
    strict: bool = True

    @property
    def required(self) -> Limit:
        """The limit that every gap must keep."""
        return Limit("more_than" if self.strict else "at_least", self.distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that stands too near."""
        told = 0
        for i in np.flatnonzero(~self._surely_off(members)).tolist():
            member = members[i]
            apart = self.area.separation(member)
            fine = beyond(apart, self.distance) if self.strict else apart >= self.distance - EPS
            if not fine:
                measured = max(0.0, apart) if self.distance > 0 else apart
                shown = Witness(line=self._line(member)) if told < MOST_LINES else Witness()
                told += 1
                yield Breach(self.code, self.rule, i, self.name, measured, self.required, shown)

    def _surely_off(self, members: PlacedSet) -> Bools:
        """Which of many members the discs that hold them and the drawn ground alone show to be far enough off."""
        if len(members) < MANY:
            return np.zeros(len(members), dtype=np.bool_)
        drawn = self.area.area
        shapely.prepare(drawn)
        apart = shapely.distance(shapely.points(members.x, members.y), drawn)
        return np.asarray(apart >= [member.radius + self.distance + DRAWN_ERROR for member in members])

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region less the ground where the base would come too near."""
        triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(self.area.area))
        pieces = [Placed(Hull(_ring(triangle)), Pose(0, 0)) for triangle in triangles]
        parts = [a for part in convex_parts(base) for a in grown_pieces(pieces, (part, facing), self.distance)]
        return region.difference(shapely.union_all(parts))

    def border(self, mover: Mover) -> Border:
        """The border about straight edges, discs and the corners between them.

        Places that the border of the drawn polygons settles are not measured.
        """
        ground, distance, area = self.area, self.distance, self.area.area
        curves = _round_curves(ground, mover, distance) if mover.oval is None else _oval_curves(ground, mover, distance)
        outer = Placed(mover.base, Pose(0.0, 0.0)).radius  # of the whole base, of which the mover may be a part
        shapely.prepare(area)

        def allows(points: Floats) -> Bools:
            apart = shapely.distance(shapely.points(points), area)
            good = np.asarray(apart >= outer + distance + DRAWN_ERROR)
            for k in np.flatnonzero(~good & (apart > mover.inner + distance - DRAWN_ERROR)):
                base = Placed(mover.base, Pose(float(points[k, 0]), float(points[k, 1]), mover.facing))
                good[k] = ground.keeps(base, distance)
            return good

        return Border(curves, allows)

    def ground(self) -> Iterator[Ground]:
        """The ground itself with all that is too near to it."""
        area = self.area.area
        yield Ground("exclusion", area.buffer(self.distance, quad_segs=DRAWN) if self.distance else area, self.rule)

    def _line(self, member: Placed) -> tuple[Point, Point]:
        (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(member.polygon, self.area.area))
        return (float(ax), float(ay)), (float(bx), float(by))


def _ring(polygon: Polygon) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(polygon)[:-1])


def _where_rims_cross(first: tuple[Point, float], second: tuple[Point, float]) -> tuple[Point, ...]:
    """The two points in which the rims of two discs cross; none where they only touch."""
    ((ax, ay), r), ((bx, by), s) = first, second
    d = math.dist((ax, ay), (bx, by))
    if not abs(r - s) + ON_DISC < d < r + s - ON_DISC:
        return ()
    along = (d * d + r * r - s * s) / (2 * d)
    aside = math.sqrt(max(0.0, r * r - along * along))
    ux, uy = (bx - ax) / d, (by - ay) / d
    x, y = ax + along * ux, ay + along * uy
    return (x - aside * uy, y + aside * ux), (x + aside * uy, y - aside * ux)


def _outside(start: Point, end: Point, discs: tuple[tuple[Point, float], ...]) -> Iterator[LineString]:
    """The parts of a straight edge that lie outside all discs."""
    (ax, ay), (bx, by) = start, end
    cuts = {0.0, 1.0}
    for centre, radius in discs:
        cuts.update(t for t in _crossings(start, end, centre, radius) if 0 < t < 1)
    ordered = sorted(cuts)
    for low, high in itertools.pairwise(ordered):
        middle = (low + high) / 2
        x, y = ax + (bx - ax) * middle, ay + (by - ay) * middle
        if all(math.dist((x, y), c) >= r for c, r in discs):
            yield LineString(
                [(ax + (bx - ax) * low, ay + (by - ay) * low), (ax + (bx - ax) * high, ay + (by - ay) * high)]
            )


def _round_curves(ground: CutGround, mover: Mover, distance: float) -> Curves:
    """The curves on which a mover that is round or has corners comes to a distance of a ground."""
    reach = distance + mover.radius
    lines = [mover.about(np.array(part)).reshape(-1, 2) for part in ground.straight_parts]
    if len(mover.corners) > 1:
        lines = [shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(line))) for line in lines]
    aside = offset_edges(lines, np.full(len(lines), reach), closed=len(mover.corners) > 1)
    joints = []
    for point, _, (low, high) in ground.ends_of_arcs:
        for heading in (low, high):
            step = reach * np.array([math.cos(heading), math.sin(heading)])
            joints.append(mover.about(np.array([point]))[0] + step)
    discs = [(centre, radius - distance) for centre, radius in ground.discs]
    corners = np.array([point for point, _, _ in ground.ends_of_arcs]).reshape(-1, 2)
    about = about_points(corners, mover, distance)
    return Curves.together([aside, about, held_by_discs(discs, mover), Curves.of(joints=joints)])


def _oval_curves(ground: CutGround, mover: Mover, distance: float) -> Curves:
    """The curves on which an oval comes to a distance of a ground.

    A second rim on a curve, from where it passes over into another one, sees to it that it is cut there.
    """
    assert mover.oval is not None
    a, b, facing = mover.oval
    straight, about = beside([np.array(part) for part in ground.straight_parts], mover.oval, distance)
    rims = [about]
    for k, (centre, radius) in enumerate(ground.discs):
        held = full_rims(np.array([centre]), (-a, -b, facing), NO_OVAL, radius - distance)
        rims.append(held)
        for point, of, (low, high) in ground.ends_of_arcs:
            if of == k:
                part = held.copy()
                part[0, LOW] = math.atan2(point[1] - centre[1], point[0] - centre[0]) % FULL
                corner = full_rims(np.array([point]), mover.oval, NO_OVAL, distance)
                corner[0, LOW], corner[0, HIGH] = low, high
                rims += [part, corner]
    return Curves.of((), [straight], (), rims)


def _crossings(start: Point, end: Point, centre: Point, radius: float) -> Iterator[float]:
    """The shares of the way along a line at which it crosses a circle."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    fx, fy = start[0] - centre[0], start[1] - centre[1]
    a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - radius * radius
    root = b * b - a * c
    if a > 0 and root >= 0:
        yield (-b - math.sqrt(root)) / a
        yield (-b + math.sqrt(root)) / a


def _extremes(base: Placed, triangle: Placed, centres: list[Point], slack: float) -> Floats:
    """Points of what a base and a triangle share, among which is the one farthest from each of the centres."""
    found = [corner for corner in triangle.corners if clearance(base, shapely.Point(corner)) <= slack]
    if base.kind == "polygon":
        shared = shapely.intersection(base.polygon, triangle.polygon)
        return np.asarray(shapely.get_coordinates(shared))
    corners = (*triangle.corners, triangle.corners[0])
    for start, end in itertools.pairwise(corners):
        found.extend(_edge_crossings(base, start, end))
    for centre in centres:
        found.extend(
            point
            for point in _turning_points(base, centre)
            if shapely.distance(triangle.polygon, shapely.Point(point)) <= slack
        )
    return np.array(found).reshape(-1, 2)


def _edge_crossings(oval: Placed, start: Point, end: Point) -> Iterator[Point]:
    """Where a straight edge crosses the edge of a round or oval base."""
    (ux, uy), (vx, vy) = _squeezed(oval, start), _squeezed(oval, end)
    for t in _crossings((ux, uy), (vx, vy), (0.0, 0.0), 1.0):
        if 0 <= t <= 1:
            yield start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t


def _squeezed(oval: Placed, point: Point) -> Point:
    """A point in the frame in which an oval is the unit circle."""
    a, b = oval.semi_axes
    angle = math.radians(oval.pose.facing)
    dx, dy = point[0] - oval.pose.x, point[1] - oval.pose.y
    return (
        (math.cos(angle) * dx + math.sin(angle) * dy) / a,
        (math.cos(angle) * dy - math.sin(angle) * dx) / b,
    )


def _turning_points(base: Placed, centre: Point) -> tuple[Point, ...]:
    """The points of a base's edge at which the distance from a centre is least or greatest, here or all around."""
    if base.kind == "polygon":
        return (*base.corners, *_feet(base, centre))
    if isinstance(base.base, Round):
        angle = math.atan2(base.pose.y - centre[1], base.pose.x - centre[0])
        r = base.base.d / 2
        dx, dy = r * math.cos(angle), r * math.sin(angle)
        return ((base.pose.x + dx, base.pose.y + dy), (base.pose.x - dx, base.pose.y - dy))
    return _oval_turning_points(base, centre)


def _feet(base: Placed, centre: Point) -> Iterator[Point]:
    corners = (*base.corners, base.corners[0])
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        dx, dy = bx - ax, by - ay
        t = ((centre[0] - ax) * dx + (centre[1] - ay) * dy) / (dx * dx + dy * dy)
        if 0 < t < 1:
            yield ax + dx * t, ay + dy * t


def _oval_turning_points(oval: Placed, centre: Point) -> tuple[Point, ...]:
    a, b = oval.semi_axes
    angle = math.radians(oval.pose.facing)
    dx, dy = centre[0] - oval.pose.x, centre[1] - oval.pose.y
    u, v = math.cos(angle) * dx + math.sin(angle) * dy, math.cos(angle) * dy - math.sin(angle) * dx

    def slope(t: Floats) -> Floats:  # half the derivative of the squared distance
        return np.asarray((b * b - a * a) * np.sin(t) * np.cos(t) + a * u * np.sin(t) - b * v * np.cos(t))

    t = np.linspace(0.0, 2 * np.pi, LOOK + 1)
    values = slope(t)
    at = np.flatnonzero(values[:-1] * values[1:] <= 0)
    low, high = t[at], t[at + 1]
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        left = slope(low) * slope(middle) <= 0
        low, high = np.where(left, low, middle), np.where(left, middle, high)
    x, y = a * np.cos(low), b * np.sin(low)
    xs = oval.pose.x + math.cos(angle) * x - math.sin(angle) * y
    ys = oval.pose.y + math.sin(angle) * x + math.cos(angle) * y
    return tuple((float(p), float(q)) for p, q in zip(xs, ys, strict=True))
