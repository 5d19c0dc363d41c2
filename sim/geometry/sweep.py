"""Paths: how long is one, what does a base touch on the way, and how near does it come?

A path is a sequence of straight moves and pivots about the base's own centre. The swept gap of a straight leg is
exact in the same cases as the gap itself. A pivot is searched: a bound on how fast a gap can change with the angle
leaves only stretches worth refining, and those are refined to 1e-9".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry import kernels
from sim.geometry.distance import (
    _ellipse_segments,
    clearance,
    edges_of,
    is_convex,
    separation,
    separations,
)
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Point, Pose, Round, ShapeError
from sim.geometry.tolerance import EPS, Floats

PIVOT_STEP = math.radians(2.0)  # coarse look along a pivot; every stretch that could hold the least gap is refined
MOST_DIPS = 6  # stretches of one pivot that are refined for one obstacle, the most promising first
FAN = 17  # points of each narrower look


@dataclass(frozen=True, slots=True)
class Leg:
    """One straight move, or one pivot on the spot, from a pose to a pose."""

    start: Pose
    end: Pose

    @property
    def length(self) -> float:
        """Inches that the centre travels on the plan."""
        return math.dist(self.start.at, self.end.at)

    @property
    def rise(self) -> float:
        """Inches that the end lies higher than the start."""
        return self.end.z - self.start.z

    @property
    def turn(self) -> float:
        """Degrees turned on the spot, signed; 0 for a straight move."""
        return self.end.facing - self.start.facing


@dataclass(frozen=True)
class Path:
    """Where a base goes: a start and the poses after each leg; a leg either moves straight or pivots, never both."""

    start: Pose
    stops: tuple[Pose, ...]

    def __post_init__(self) -> None:
        for leg in self.legs:
            if leg.turn and leg.length:
                raise ShapeError(
                    f"path: a leg moves straight or pivots, not both: {leg.start.at} to {leg.end.at} with {leg.turn:g}°"
                )

    @classmethod
    def through(cls, start: Pose, waypoints: Sequence[Sequence[float]]) -> Path:
        """The path along waypoints ``[x, y]``, or ``[x, y, facing]`` where the base pivots after arriving.

        A fourth number is the height that it goes up or down to on the way there.
        """
        stops: list[Pose] = []
        here = start
        for waypoint in waypoints:
            if len(waypoint) not in (2, 3, 4):
                raise ShapeError(
                    f"path: a waypoint is [x, y], [x, y, facing] or [x, y, facing, z], got {list(waypoint)}"
                )
            there = Pose(waypoint[0], waypoint[1], here.facing, waypoint[3] if len(waypoint) == 4 else here.z)
            if there.at != here.at or there.z != here.z:
                stops.append(there)
                here = there
            if len(waypoint) > 2 and waypoint[2] != here.facing:
                here = Pose(here.x, here.y, waypoint[2], here.z)
                stops.append(here)
        return cls(start, tuple(stops))

    @property
    def end(self) -> Pose:
        """The pose at the end of the path."""
        return self.stops[-1] if self.stops else self.start

    @property
    def legs(self) -> Iterator[Leg]:
        """The legs in order."""
        here = self.start
        for stop in self.stops:
            yield Leg(here, stop)
            here = stop

    @property
    def length(self) -> float:
        """Inches moved along all straight legs, measured at the centre."""
        return math.fsum(leg.length for leg in self.legs)

    @property
    def flown(self) -> float:
        """Inches from stop to stop through the air."""
        return math.fsum(math.hypot(leg.length, leg.rise) for leg in self.legs)

    @property
    def is_level(self) -> bool:
        """Whether the path stays at one height."""
        return all(stop.z == self.start.z for stop in self.stops)

    @property
    def pivots(self) -> int:
        """How many legs turn on the spot."""
        return sum(1 for leg in self.legs if leg.turn)

    def at(self, share: float) -> Pose:
        """The pose after a share of the path from 0 to 1; a pivot counts as much as an inch per 90 degrees."""
        legs = list(self.legs)
        weights = [leg.length + abs(leg.turn) / 90 for leg in legs]
        left = min(max(share, 0.0), 1.0) * math.fsum(weights)
        for leg, weight in zip(legs, weights, strict=True):
            if left <= weight and weight > 0:
                t = left / weight
                a, b = leg.start, leg.end
                return Pose(
                    a.x + (b.x - a.x) * t,
                    a.y + (b.y - a.y) * t,
                    a.facing + (b.facing - a.facing) * t,
                    a.z + (b.z - a.z) * t,
                )
            left -= weight
        return self.end


@dataclass(frozen=True)
class Sweep:
    """A base that follows a path, with what it covers on the way."""

    base: Base
    path: Path

    @cached_property
    def storeys(self) -> tuple[tuple[Sweep, float, float], ...]:
        """The sweep in parts with the least and the greatest height on each: one for each leg where the path climbs.

        A base goes up before it goes across, and across before it goes down.
        """
        if self.path.is_level:
            return ((self, self.path.start.z, self.path.start.z),)
        return tuple(
            (Sweep(self.base, Path(leg.start, (leg.end,))), min(leg.start.z, leg.end.z), max(leg.start.z, leg.end.z))
            for leg in self.path.legs
        )

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The exact box around everything covered by the straight legs, and a safe one around the pivots."""
        boxes = [Placed(self.base, self.path.start).bounds]
        for leg in self.path.legs:
            there = Placed(self.base, leg.end)
            boxes.append(there.bounds)
            if leg.turn:
                r = there.radius
                x, y = leg.end.at
                boxes.append((x - r, y - r, x + r, y + r))
        columns = list(zip(*boxes, strict=True))
        return (min(columns[0]), min(columns[1]), max(columns[2]), max(columns[3]))

    def separations(self, obstacles: PlacedSet, enough: float = math.inf) -> Floats:
        """The least signed distance to each obstacle along the whole path, an array (n,) of inches.

        What keeps off by ``enough`` inches may be told to keep off farther than it does. Below 0 the base runs into
        the obstacle at some instant; how deep is only told for the poses at the stops and for round bases against
        round ones.
        """
        poses = (self.path.start, *self.path.stops)
        stops = PlacedSet.of(Placed(self.base, pose) for pose in poses)
        out: Floats = np.asarray(np.min(separations(stops, obstacles), axis=0))
        for leg in self.path.legs:
            if leg.turn and not isinstance(self.base, Round):
                found = _pivot_minima(
                    self.base,
                    leg,
                    lambda turned, which: separations(turned, obstacles if which is None else obstacles.take(which)),
                    enough=enough,
                )
            elif leg.length:
                found = _straight_separations(self.base, leg, obstacles)
            else:
                continue
            out = np.minimum(out, found)
        return out

    def clearance(self, shape: BaseGeometry) -> float:
        """The least gap in inches to a shapely geometry along the whole path, 0 when it is touched on the way."""
        least = min(clearance(Placed(self.base, pose), shape) for pose in (self.path.start, *self.path.stops))
        for leg in self.path.legs:
            if leg.turn and not isinstance(self.base, Round):
                least = min(least, _pivot_least(self.base, leg, lambda placed: clearance(placed, shape)))
            elif leg.length:
                least = min(least, _straight_clearance(self.base, leg, shape))
        return least

    def area(self, quad_segs: int = 32) -> BaseGeometry:
        """Everything covered on the way as a polygon, for drawing (its curves are inscribed)."""
        pieces: list[BaseGeometry] = []
        for leg in self.path.legs:
            if leg.turn and not isinstance(self.base, Round):
                steps = math.ceil(abs(leg.turn)) + 1
                facings = np.linspace(leg.start.facing, leg.end.facing, steps)
                turned = [Placed(self.base, Pose(leg.end.x, leg.end.y, f, leg.end.z)).polygon for f in facings]
                pieces.extend(turned)
            elif isinstance(self.base, Round):
                line = LineString([leg.start.at, leg.end.at])
                pieces.append(line.buffer(self.base.d / 2, quad_segs=quad_segs))
            else:
                pieces.append(_swept_polygon(Placed(self.base, leg.start).polygon, leg))
        if not pieces:
            return Placed(self.base, self.path.start).polygon
        return shapely.union_all(pieces)


def _offset(leg: Leg) -> Point:
    return (leg.end.x - leg.start.x, leg.end.y - leg.start.y)


def _swept_polygon(polygon: Polygon, leg: Leg, backwards: bool = False) -> BaseGeometry:
    """What a polygon covers while it moves straight along a leg (or against it)."""
    dx, dy = _offset(leg)
    if backwards:
        dx, dy = -dx, -dy
    moved = shapely.transform(polygon, lambda p: p + np.array([dx, dy]))
    hull: BaseGeometry = shapely.convex_hull(shapely.union_all([polygon, moved]))
    if is_convex(polygon):
        return hull
    sides = []
    for ax, ay, bx, by in edges_of(polygon):
        quad = Polygon([(ax, ay), (bx, by), (bx + dx, by + dy), (ax + dx, ay + dy)])
        sides.append(quad if quad.is_valid and quad.area > 0 else shapely.convex_hull(quad))
    return shapely.union_all([polygon, moved, *sides])


def _straight_separations(base: Base, leg: Leg, obstacles: PlacedSet) -> Floats:
    """The least separation on a straight leg; overlaps on the way count as -1e-3 or by the exact depth of rounds."""
    start = Placed(base, leg.start)
    if isinstance(base, Round) and obstacles.is_round.all():
        distance, _, _ = kernels.point_segment(
            obstacles.x,
            obstacles.y,
            *(np.array(v) for v in (*leg.start.at, *leg.end.at)),
        )
        return np.asarray(distance - obstacles.a - base.d / 2)
    return np.array([_straight_separation(start, leg, other) for other in obstacles])


def _straight_separation(start: Placed, leg: Leg, other: Placed) -> float:
    if isinstance(start.base, Round):
        line = LineString([leg.start.at, leg.end.at])
        if other.kind == "polygon":
            return float(shapely.distance(line, other.polygon)) - start.base.d / 2
        if shapely.intersects(line, shapely.Point(other.pose.at)):
            return -start.base.d / 2
        distance, crossed = _ellipse_segments(other, np.array([[*leg.start.at, *leg.end.at]]))
        return -start.base.d / 2 if crossed[0] else float(distance[0]) - start.base.d / 2
    if start.kind == "polygon":
        swept = _swept_polygon(start.polygon, leg)
        if other.kind == "polygon":
            return _apart(swept, other.polygon)
        return _ellipse_apart(other, swept)
    if other.kind == "polygon":
        return _ellipse_apart(start, _swept_polygon(other.polygon, leg, backwards=True))
    return _oval_passes(start, leg, other)


def _apart(a: BaseGeometry, b: BaseGeometry) -> float:
    distance = float(shapely.distance(a, b))
    if distance > 0:
        return distance
    shared = shapely.intersection(a, b)
    return -1e-3 if not shapely.is_empty(shapely.buffer(shared, -1e-6, quad_segs=2)) else 0.0


def _ellipse_apart(oval: Placed, shape: BaseGeometry) -> float:
    if isinstance(oval.base, Round):
        distance = float(shapely.distance(shapely.Point(oval.pose.at), shape))
        return distance - oval.base.d / 2
    if shapely.intersects(shape, shapely.Point(oval.pose.at)):
        return -1e-3
    distances, _ = _ellipse_segments(oval, edges_of(shape))
    least = float(np.min(distances))
    if least > 0:
        return least
    shrunk = Placed(oval.base, oval.pose)
    a, b = shrunk.semi_axes
    inner = PlacedSet.of([shrunk])
    segments = edges_of(shape)
    x, y, angle = inner.x, inner.y, inner.facing
    ax, ay = kernels.to_local(segments[:, 0], segments[:, 1], x, y, angle)
    bx, by = kernels.to_local(segments[:, 2], segments[:, 3], x, y, angle)
    deep = kernels.segment_meets_ellipse(ax, ay, bx, by, np.array([a - 1e-6]), np.array([b - 1e-6]))
    return -1e-3 if deep.any() else 0.0


def _oval_passes(start: Placed, leg: Leg, other: Placed) -> float:
    """Two ellipses, one of which moves straight: the segment of centre offsets against the sum of both."""
    moving, still = PlacedSet((start,)), PlacedSet((other,))
    dx, dy = leg.end.x - leg.start.x, leg.end.y - leg.start.y
    length = math.hypot(dx, dy)
    ax, ay = leg.start.x - other.pose.x, leg.start.y - other.pose.y
    ends = min(separation(start, other), separation(Placed(start.base, leg.end), other))
    nx, ny = -dy / length, dx / length
    offset = nx * ax + ny * ay
    if offset < 0:
        nx, ny, offset = -nx, -ny, -offset
    angle = np.array([math.atan2(ny, nx)])
    reach = math.fsum(float(kernels.support(angle, s.a, s.b, s.facing)[0]) for s in (moving, still))
    px, py = (
        math.fsum(float(v[0]) for v in axis)
        for axis in zip(*(kernels.support_point(angle, s.a, s.b, s.facing) for s in (moving, still)), strict=True)
    )
    t = ((px - ax) * dx + (py - ay) * dy) / (length * length)
    if 0 <= t <= 1 and offset >= reach:
        return min(ends, offset - reach)
    if offset >= reach or ends <= 0:
        return ends
    # The line of centres pierces the sum of both: the least separation lies between the ends, in one dip.
    facing = leg.start.facing

    def at(shares: Floats) -> Floats:
        poses = [Pose(leg.start.x + dx * k, leg.start.y + dy * k, facing) for k in shares]
        return separations(PlacedSet.of(Placed(start.base, pose) for pose in poses), still)[:, 0]

    return min(ends, _least(at, 0.0, 1.0))


def _straight_clearance(base: Base, leg: Leg, shape: BaseGeometry) -> float:
    start = Placed(base, leg.start)
    if isinstance(base, Round):
        line = LineString([leg.start.at, leg.end.at])
        return max(0.0, float(shapely.distance(line, shape)) - base.d / 2)
    if start.kind == "polygon":
        return float(shapely.distance(_swept_polygon(start.polygon, leg), shape))
    least = math.inf
    for part in shapely.get_parts(shapely.get_parts(shape)):
        if isinstance(part, Polygon):
            least = min(least, max(0.0, _ellipse_apart(start, _swept_polygon(part, leg, backwards=True))))
        else:
            for ax, ay, bx, by in edges_of(part):
                dx, dy = _offset(leg)
                ends = [(ax, ay), (bx, by), (ax - dx, ay - dy), (bx - dx, by - dy)]
                hull = shapely.convex_hull(shapely.multipoints(ends))
                least = min(least, max(0.0, clearance(start, hull)))
    return least


Measure = Callable[[PlacedSet, NDArray[np.intp] | None], Floats]


def _pivot_minima(base: Base, leg: Leg, measure: Measure, deep: bool = False, enough: float = math.inf) -> Floats:
    """The least values of several distances while a base turns on the spot: an array (m,).

    ``measure`` gives an array (n, k) for n turned bases and the k distances that are asked for by position (None: all
    m). No point of a base moves faster than its radius, so a stretch of angles can hold a least value only when the
    mean of its ends, less the radius times half the stretch, undercuts the best value seen; those stretches are
    refined. Values below 0 are refined only where ``deep`` asks how far below, and none that stay above ``enough``.
    """
    radius = Placed(base, leg.start).radius
    total = math.radians(leg.turn)
    count = max(3, math.ceil(abs(total) / PIVOT_STEP) + 1)

    def at(angles: Floats, which: NDArray[np.intp] | None) -> Floats:
        return measure(PlacedSet.turned(base, leg.start, leg.start.facing + np.degrees(angles)), which)

    angles = np.linspace(0.0, total, count)
    values = at(angles, None)
    out: Floats = np.min(values, axis=0)
    floor = (values[:-1] + values[1:]) / 2 - radius * abs(total) / (count - 1) / 2
    for j in range(values.shape[1]):
        one = np.array([j])
        for i in np.argsort(floor[:, j])[:MOST_DIPS]:
            if floor[i, j] >= min(out[j], enough) or (out[j] < -EPS and not deep):
                break
            low, high = float(angles[max(0, i - 1)]), float(angles[min(count - 1, i + 2)])
            out[j] = min(out[j], _least(lambda t, one=one: at(t, one)[:, 0], low, high))  # type: ignore[misc]
    return out


def _pivot_least(base: Base, leg: Leg, measure: Callable[[Placed], float]) -> float:
    """The least value of one distance while a base turns on the spot."""
    found = _pivot_minima(base, leg, lambda turned, _: np.array([[measure(p)] for p in turned]), deep=True)
    return float(found[0])


def _least(at: Callable[[Floats], Floats], low: float, high: float) -> float:
    """The least value of a function on an interval that holds one dip, found by ever narrower fans of points."""
    best = math.inf
    while abs(high - low) > 1e-9:
        points = np.linspace(low, high, FAN)
        values = at(points)
        k = int(np.argmin(values))
        best = min(best, float(values[k]))
        low, high = float(points[max(0, k - 1)]), float(points[min(FAN - 1, k + 1)])
    return best
