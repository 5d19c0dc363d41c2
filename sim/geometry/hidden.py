"""Which part of a base that faces an observer does no point of the observer see?

What is seen of a rim changes only where a line that two features hold ends on it; see ``sim.geometry.sight``. So the
rim is looked at between those places.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import shapely

from sim.geometry.bodies import TOUCH, Bodies, lane, unit
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Placed, Point
from sim.geometry.sight import Blockers, cut_off, held_by_two, in_the_way
from sim.geometry.tolerance import EPS, Bools, Floats, Ints
from sim.geometry.walls import ROWS, Walls

RIM_STEP = 1.0  # degrees; a rim is looked at at least this often, and between all its critical points
LEAST_ARC = 1e-7  # of a rim (radians, or parts of an edge); nothing narrower is looked for
FINER = (720, 64, 64, 64, 64)  # parts that a rim, and a stretch where it turns away, are cut into: to 5e-10 of a radian


def hidden_part(observer: Placed, target: Placed, blockers: Blockers, ignoring: Collection[int] = ()) -> Point | None:
    """A point of the target's edge that faces the observer and that no point of the observer sees, or None.

    An edge faces the observer where it would be seen without blockers, but past the target itself. Of what is hidden
    the middle of the longest stretch is given. The rim is looked at between all the points where lines through two
    features end on it, and every degree: nothing wider than ``LEAST_ARC`` is missed.
    """
    body, other = Bodies.of(PlacedSet((observer,))), Bodies.of(PlacedSet((target,)))
    walls = in_the_way(blockers, body, other, ignoring)
    if not len(walls):
        return None
    view = None if cut_off(body, other, walls) else _View.past(target, body, other, walls)
    points, normals, faces = _facing(target, body, other, view)
    hidden = np.zeros(len(points), dtype=np.bool_)
    hidden[faces] = True if view is None else ~view.reached(points[faces], normals[faces])
    if not hidden.any():
        return None
    x, y = middle_of_longest(points, hidden).tolist()
    return x, y


def facing_points(target: Placed, body: Bodies, other: Bodies, walls: Walls) -> tuple[Floats, Floats, Ints]:
    """Points (n, 2) around a target's edge, fine enough for what walls hide, their normals, and which face a base."""
    return _facing(target, body, other, _View.past(target, body, other, walls))


def _facing(target: Placed, body: Bodies, other: Bodies, view: _View | None) -> tuple[Floats, Floats, Ints]:
    """Points of a target's edge between all that is critical, their normals, and which face the observer."""
    rim = Rim.of(target)
    marks = [rim.turns(body)]
    if view is not None:
        marks.append(view.critical(rim))
    places = rim.places(np.concatenate(marks))
    points, normals = rim.points(places), rim.normals(places)
    faces = np.flatnonzero(_above(body, points, normals) > EPS)
    if len(other) > 1:
        own = _View.of(body, other, Walls.of((target.polygon,)))
        faces = faces[own.reached(points[faces], normals[faces])]
    return points, normals, faces


@dataclass(frozen=True)
class Rim:
    """The edge of a base by one number: the angle round an ellipse (a turn is 2 pi), or corner number and fraction."""

    placed: Placed
    corners: Floats  # counter-clockwise, closed; none for an ellipse
    length: float

    @classmethod
    def of(cls, placed: Placed) -> Rim:
        """The edge of a placed base."""
        if placed.kind == "ellipse":
            return cls(placed, np.empty((0, 2)), 2 * math.pi)
        ring = shapely.get_coordinates(shapely.normalize(placed.polygon).exterior)
        if not shapely.is_ccw(shapely.LinearRing(ring)):
            ring = ring[::-1]
        return cls(placed, ring, float(len(ring) - 1))

    def places(self, critical: Floats) -> Floats:
        """The middles of all the stretches between critical places, cut so fine that none is longer than a degree."""
        count = 360.0 / RIM_STEP if not len(self.corners) else self.length * math.ceil(360.0 / RIM_STEP / self.length)
        even = np.arange(round(count)) * (self.length / round(count))
        marks = np.sort(np.concatenate((even, critical % self.length)))
        ends = np.append(marks[1:], self.length + marks[0])
        return np.asarray(((marks + ends) / 2)[ends - marks > LEAST_ARC])

    def points(self, places: Floats) -> Floats:
        """The points (n, 2) at places."""
        if len(self.corners):
            k, part = self._edge(places)
            return np.asarray(self.corners[k] + part[:, None] * (self.corners[k + 1] - self.corners[k]))
        a, b = self.placed.semi_axes
        return np.asarray(self.placed.pose.at) + self._turned(a * np.cos(places), b * np.sin(places))

    def normals(self, places: Floats) -> Floats:
        """The unit vectors (n, 2) that point outward at places."""
        if len(self.corners):
            k, _ = self._edge(places)
            step = self.corners[k + 1] - self.corners[k]
            return unit(np.column_stack((step[:, 1], -step[:, 0])))
        a, b = self.placed.semi_axes
        return unit(self._turned(b * np.cos(places), a * np.sin(places)))

    def turns(self, body: Bodies) -> Floats:
        """Where the edge of an ellipse turns away from a base; an edge with corners does so at them."""
        if len(self.corners):
            return np.arange(self.length)
        if len(body) == 1 and not body.sharp[0] and body.a[0] == body.b[0] and self._is_round:
            return self._turns_from_disc(body)
        low, high = np.zeros(1), np.full(1, self.length)
        for parts in FINER:
            ends = low[:, None] + (high - low)[:, None] * (np.arange(parts + 1) / parts)
            flat = ends.ravel()
            towards = (_above(body, self.points(flat), self.normals(flat)) > EPS).reshape(ends.shape)
            row, k = np.nonzero(towards[:, 1:] != towards[:, :-1])
            low, high = ends[row, k], ends[row, k + 1]
        return low

    def _turns_from_disc(self, disc: Bodies) -> Floats:
        """The same between two round bases: where tangents of both touch this one."""
        x, y = disc.x[0] - self.placed.pose.x, disc.y[0] - self.placed.pose.y
        rise, distance = self.placed.semi_axes[0] - disc.a[0] + EPS, math.hypot(x, y)
        if abs(rise) >= distance:
            return np.empty(0)
        middle, half = math.atan2(y, x) - math.radians(self.placed.pose.facing), math.acos(rise / distance)
        return np.array([middle - half, middle + half])

    def crossings(self, start: Floats, along: Floats) -> Floats:
        """The places where lines meet the edge."""
        if len(self.corners):
            away = self.corners[None] - start[:, None]
            side = along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0]
            line, k = np.nonzero((side[:, 1:] > 0) != (side[:, :-1] > 0))
            here, there = side[line, k], side[line, k + 1]
            return np.asarray(k + here / (here - there))
        body = Bodies.of(PlacedSet((self.placed,)))
        low, high, meets = body.clip(np.zeros(len(start), dtype=np.intp), start, along)
        away = np.concatenate([(start + t[:, None] * along)[meets] for t in (low, high)]) - self.placed.pose.at
        (a, b), (cos, sin) = self.placed.semi_axes, self._heading
        return np.arctan2((away @ (-sin, cos)) / b, (away @ (cos, sin)) / a)

    @property
    def _is_round(self) -> bool:
        a, b = self.placed.semi_axes
        return a == b

    @property
    def _heading(self) -> Point:
        angle = math.radians(self.placed.pose.facing)
        return math.cos(angle), math.sin(angle)

    def _turned(self, u: Floats, v: Floats) -> Floats:
        """Steps along and across the facing as steps on the table."""
        cos, sin = self._heading
        return np.column_stack((cos * u - sin * v, sin * u + cos * v))

    def _edge(self, places: Floats) -> tuple[Ints, Floats]:
        k = np.minimum(np.floor(places % self.length).astype(np.intp), len(self.corners) - 2)
        return k, places % self.length - k


@dataclass(frozen=True)
class _View:
    """What holds the lines from single points of a target to an observer: the ``features`` (f, 2) between the two."""

    observer: Bodies
    target: Bodies
    walls: Walls
    features: Floats

    @classmethod
    def of(cls, observer: Bodies, target: Bodies, walls: Walls) -> _View:
        """The corners that lie between, the observer's own, and where outlines cross the edges of the two."""
        normals, offsets = lane(observer, target)
        inside = np.all(walls.corners @ normals.T <= offsets + EPS, axis=1)
        spots = [walls.corners[inside], observer.corners[observer.sharp].reshape(-1, 2)]
        for bodies in (observer, target):
            contacts, real = bodies.contacts(walls)
            spots.append(contacts[real])
        return cls(observer, target, walls, np.unique(np.vstack(spots), axis=0))

    @classmethod
    def past(cls, placed: Placed, observer: Bodies, target: Bodies, walls: Walls) -> _View:
        """The same past the target itself, which may hide itself when it has a notch."""
        return cls.of(observer, target, Walls.of((*walls.outlines, placed.polygon)) if len(target) > 1 else walls)

    def critical(self, rim: Rim) -> Floats:
        """The places on the target's rim where what is seen may change."""
        row, none = np.zeros(len(self.features), dtype=np.intp), np.zeros(1, dtype=np.intp)
        found = []
        for k in range(len(self.observer)):
            at = np.array([k], dtype=np.intp)
            _, start, along = held_by_two(self.observer, self.target, at, none, row, self.features)
            found.append(rim.crossings(start, along))
            centre = np.array([self.observer.x[k], self.observer.y[k]])
            found.append(rim.crossings(self.features, unit(centre - self.features)))
        return np.concatenate(found)

    def reached(self, points: Floats, normals: Floats) -> Bools:
        """Which points of the rim some point of the observer sees, looking past the target itself."""
        out = np.zeros(len(points), dtype=np.bool_)
        for start in range(0, len(points), ROWS):
            part = slice(start, start + ROWS)
            out[part] = self._reached(points[part], normals[part])
        return out

    def _reached(self, points: Floats, normals: Floats) -> Bools:
        out = np.zeros(len(points), dtype=np.bool_)
        along_rim = np.column_stack((-normals[:, 1], normals[:, 0]))
        centres = np.column_stack((self.observer.x, self.observer.y))
        for k in range(len(self.observer)):
            at = np.full(len(points), k, dtype=np.intp)
            ways = [unit(spot - points) for spot in centres]
            if not self.observer.sharp[k]:
                both = self.observer.tangents(at, points)
                ways += [both[:, 0], both[:, 1], -both[:, 0], -both[:, 1]]
            out |= self._looking(k, points, normals, np.stack(ways))
        rest = np.flatnonzero(~out)
        if not len(rest):
            return out
        points, normals, along_rim = points[rest], normals[rest], along_rim[rest]
        bound = np.concatenate((np.stack((along_rim, -along_rim)), unit(self.features[:, None] - points)))
        for k in range(len(self.observer)):
            out[rest] |= self._looking(k, points, normals, bound)
        return out

    def _looking(self, k: int, points: Floats, normals: Floats, ways: Floats) -> Bools:
        """Which points (n, 2) see a body of the observer along some of their ways (w, n, 2)."""
        out = np.zeros(len(points), dtype=np.bool_)
        outward = np.sum(ways * normals, axis=2) >= -TOUCH
        look, row = np.nonzero(outward)
        way, start = ways[look, row], points[row]
        low, high, meets = self.observer.clip(np.full(len(row), k, dtype=np.intp), start, way)
        keep = meets & (high >= -TOUCH)
        row, way, start, far = row[keep], way[keep], start[keep], np.maximum(low[keep], 0.0)
        lines = np.hstack((start, start + far[:, None] * way))
        out[row[self.walls.clear(lines, None)]] = True
        return out


def _above(body: Bodies, points: Floats, normals: Floats) -> Floats:
    """How far a base reaches beyond the lines along an edge at points, in inches."""
    return np.asarray(body.reach(normals) - np.sum(normals * points, axis=1))


def middle_of_longest(points: Floats, chosen: Bools) -> Floats:
    """Of points around a rim the one in the middle of the longest stretch of chosen ones."""
    begin = 0 if chosen.all() else int(np.argmin(chosen))
    order = np.roll(np.arange(len(points)), -begin)
    runs = np.split(order, np.flatnonzero(np.diff(chosen[order].astype(np.int8))) + 1)
    travels = []
    for run in (run for run in runs if chosen[run[0]]):
        steps = np.linalg.norm(np.diff(points[run], axis=0), axis=1)
        travels.append((float(np.sum(steps)), int(run[np.searchsorted(np.cumsum(steps), np.sum(steps) / 2)])))
    return np.asarray(points[max(travels)[1]])
