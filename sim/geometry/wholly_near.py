"""Does a base stand wholly near another base? The farthest point of the one, measured to the edge of the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry import kernels
from sim.geometry.borders import Border, Mover, near_any
from sim.geometry.constraints import Breach, Constraint, Ground, Limit, Obstacles, StayInside, Witness
from sim.geometry.distance import farthest, is_convex
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Round
from sim.geometry.tolerance import Bools, Floats, beyond, within

MANY = 4  # members from which on those that are surely near are found together
LOOK = 1024  # points of the first look around an edge
FAN = 33  # points of each narrower look
MOST_PEAKS = 8  # peaks of the first look that are refined


def farthest_from(base: Placed, other: Placed) -> float:
    """How far the farthest point of a base lies from another base: at most x inches means *wholly within* x of it.

    Exact for bases with corners and for round ones beside a base without a notch; otherwise the edge of the base is
    searched and refined to 1e-9". A farthest point inside the base, as a notch of the other could make, is not found.
    """
    return _farthest(base, other)[0]


@dataclass(frozen=True)
class StayWithin:
    """Every member stands wholly within a distance of some one of the given bases, and of its height if asked."""

    code: str
    rule: str
    targets: Obstacles
    distance: float
    vertical: float | None = None

    @property
    def required(self) -> Limit:
        """The greatest distance of a farthest point."""
        return Limit("at_most", self.distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that is not wholly near any of the bases, measured to the one that suits best."""
        if not len(self.targets):
            return
        for i in np.flatnonzero(~self._surely_near(members)):
            breach = self._breach(int(i), members[int(i)])
            if breach is not None:
                yield breach

    def _surely_near(self, members: PlacedSet) -> Bools:
        """Which members are near by the disc that holds them alone."""
        out = np.zeros(len(members), dtype=np.bool_)
        if len(members) < MANY:
            return out
        centres = np.column_stack((members.x, members.y))
        radii = np.where(members.is_round, members.a, np.inf)
        for other in self.targets.bases:
            level = self.vertical is None or np.abs(members.z - other.pose.z) <= self.vertical
            out |= level & (_nearest(other, centres)[0] + radii <= self.distance)
        return out

    def _breach(self, i: int, member: Placed) -> Breach | None:
        best: Breach | None = None
        for name, other in zip(self.targets.names, self.targets.bases, strict=True):
            far, line = _farthest(member, other)
            apart = abs(member.pose.z - other.pose.z)
            if beyond(far, self.distance):
                found = Breach(self.code, self.rule, i, name, far, self.required, Witness(line=line))
            elif self.vertical is not None and beyond(apart, self.vertical):
                limit = Limit("at_most", self.vertical)
                found = Breach(self.code, self.rule, i, name, apart, limit, Witness(line=line))
            else:
                return None
            if best is None or found.measured < best.measured:
                best = found
        return best

    def for_one(self, z: float, member: int | None = None) -> Constraint | None:
        """What is asked of a member at a height, on the plan: of bases too high or too low none is near enough."""
        if self.vertical is None or not len(self.targets):
            return self
        level = within(np.abs(self.targets.bases.z - z), self.vertical)
        if not level.any():
            return StayInside(self.code, self.rule, ", ".join(self.targets.names), shapely.MultiPolygon())
        return replace(self, targets=self.targets.take(level), vertical=None)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where the base stands wholly near any one of the bases."""
        parts = [
            StayInside(self.code, self.rule, name, self._near(other)).allowed(base, facing)
            for name, other in zip(self.targets.names, self.targets.bases, strict=True)
        ]
        return region.intersection(shapely.union_all(parts)) if parts else region

    def border(self, mover: Mover) -> Border | None:
        """The border about bases without a notch; None when there are others, or none at all."""
        targets: list[tuple[BaseGeometry | Placed, float]] = []
        for other in self.targets.bases:
            if isinstance(other.base, Round):
                targets.append((shapely.Point(other.pose.at), other.base.d / 2 + self.distance))
            elif other.kind == "ellipse":
                targets.append((other, self.distance))
            elif is_convex(other.polygon):
                targets.append((other.polygon, self.distance))
            else:
                return None
        return near_any(targets, mover) if targets else None

    def ground(self) -> Iterator[Ground]:
        """The ground within the distance of the bases."""
        if len(self.targets):
            area = shapely.union_all([self._near(other) for other in self.targets.bases])
            yield Ground("reach", area, self.rule)

    def _near(self, other: Placed) -> BaseGeometry:
        if isinstance(other.base, Round):
            grown = shapely.Point(other.pose.at).buffer(other.base.d / 2 + self.distance, quad_segs=90)
        else:
            grown = other.polygon.buffer(self.distance, quad_segs=90)
        return grown


Line = tuple[tuple[float, float], tuple[float, float]]


def _farthest(base: Placed, other: Placed) -> tuple[float, Line]:
    tip = _tip(base, other)
    distance, near = _nearest(other, np.array([tip]))
    far = float(distance[0])
    if other.kind == "polygon" and is_convex(other.polygon):
        far = max(far, farthest(base, other.polygon))
    return far, ((float(near[0][0]), float(near[0][1])), tip)


def _tip(base: Placed, other: Placed) -> tuple[float, float]:
    """The point of a base's edge that lies farthest from another base."""
    if base.kind == "polygon" and (other.kind == "ellipse" or is_convex(other.polygon)):
        corners = np.array(base.corners)
        x, y = corners[int(np.argmax(_nearest(other, corners)[0]))]
        return float(x), float(y)
    if isinstance(base.base, Round) and (other.kind == "ellipse" or is_convex(other.polygon)):
        distance, near = _nearest(other, np.array([base.pose.at]))
        if distance[0] > 0:
            scale = base.base.d / 2 / float(distance[0])
            x, y = base.pose.at
            return x + (x - float(near[0][0])) * scale, y + (y - float(near[0][1])) * scale
    return _searched_tip(base, other)


def _searched_tip(base: Placed, other: Placed) -> tuple[float, float]:
    width = 1.0 / LOOK
    shares = np.arange(LOOK) / LOOK
    found = _nearest(other, _edge(base, shares))[0]
    peaks = shares[(found >= np.roll(found, 1)) & (found >= np.roll(found, -1))]
    peaks = peaks[np.argsort(_nearest(other, _edge(base, peaks))[0])[-MOST_PEAKS:]]
    while width > 1e-12:
        fan = peaks[:, None] + np.linspace(-width, width, FAN)[None, :]
        values = _nearest(other, _edge(base, fan.ravel()))[0].reshape(fan.shape)
        peaks = fan[np.arange(len(peaks)), np.argmax(values, axis=1)]
        width /= 12
    points = _edge(base, peaks)
    x, y = points[int(np.argmax(_nearest(other, points)[0]))]
    return float(x), float(y)


def _edge(base: Placed, shares: Floats) -> Floats:
    """Points around the edge of a base by their share of the way from 0 to 1: an array (n, 2)."""
    shares = shares % 1.0
    if base.kind == "polygon":
        rim = shapely.LinearRing(base.corners)
        return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(rim, shares, normalized=True)))
    a, b = base.semi_axes
    t = 2 * np.pi * shares
    x, y = kernels.to_table(a * np.cos(t), b * np.sin(t), *_frame(base))
    return np.column_stack((x, y))


def _frame(base: Placed) -> tuple[Floats, Floats, Floats]:
    x, y = base.pose.at
    return np.array(x), np.array(y), np.array(math.radians(base.pose.facing))


def _nearest(other: Placed, points: Floats) -> tuple[Floats, Floats]:
    """How far points (n, 2) lie from a base, 0 inside it, and the points of the base that are nearest."""
    if other.kind == "polygon":
        found = shapely.points(points)
        lines = shapely.shortest_line(other.polygon, found)
        near = shapely.get_coordinates(lines).reshape(-1, 2, 2)[:, 0]
        return np.asarray(shapely.distance(found, other.polygon)), near
    a, b = other.semi_axes
    u, v = kernels.to_local(points[:, 0], points[:, 1], *_frame(other))
    if a == b:
        distance = np.hypot(u, v)
        scale = np.where(distance > a, a / np.maximum(distance, a), 1.0)
        qu, qv = u * scale, v * scale
        apart = np.maximum(distance - a, 0.0)
    else:
        signed, qu, qv = kernels.point_ellipse(u, v, np.array(a), np.array(b))
        apart = np.asarray(np.maximum(signed, 0.0))
        qu, qv = np.where(signed > 0, qu, u), np.where(signed > 0, qv, v)
    x, y = kernels.to_table(qu, qv, *_frame(other))
    return apart, np.column_stack((x, y))
