"""Where do lines meet bases, and how far do bases reach? Convex bases and convex parts of hulls, as columns."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Point
from sim.geometry.tolerance import Bools, Floats, Ints
from sim.geometry.walls import Walls, convex_parts, padded

TOUCH = 1e-9  # inches; a line that misses a base by less still touches it
SIDES = np.radians([0, 70, 75, 80, 85, 90, 95, 100, 105, 110, 180, 250, 255, 260, 265, 270, 275, 280, 285, 290])
# Around a lane, from the way along it: two ends, and fans of sides, because one end may be wider than the other.


@dataclass(frozen=True)
class Bodies:
    """Convex bases, and convex parts of those with a notch, as columns of length n; ``owner`` is the base's position.

    ``corners`` (n, M, 2) is filled up with the last corner, and means nothing for round and oval bases.
    """

    owner: Ints
    x: Floats
    y: Floats
    cos: Floats
    sin: Floats
    a: Floats
    b: Floats
    corners: Floats
    sharp: Bools

    @classmethod
    def of(cls, group: PlacedSet) -> Bodies:
        """The columns of placed bases."""
        owner: list[int] = []
        rows: list[tuple[float, ...]] = []
        rings: list[Floats] = []
        for k, placed in enumerate(group):
            if placed.kind == "ellipse":
                owner.append(k)
                rows.append((*placed.pose.at, math.radians(placed.pose.facing), *placed.semi_axes))
                rings.append(np.array([placed.pose.at]))
                continue
            for part in convex_parts(placed.polygon):
                ring = shapely.get_coordinates(part)[:-1]
                x, y = np.mean(ring, axis=0).tolist()
                owner.append(k)
                rows.append((x, y, 0.0, 0.0, 0.0))
                rings.append(ring)
        x, y, angle, a, b = np.array(rows, dtype=np.float64).reshape(-1, 5).T
        corners = padded(rings)
        if corners.shape[1] == 1:
            corners = corners[:, :0]
        return cls(np.array(owner, dtype=np.intp), x, y, np.cos(angle), np.sin(angle), a, b, corners, a == 0)

    def __len__(self) -> int:
        return len(self.owner)

    def farthest(self, at: Ints, direction: Floats) -> Floats:
        """The point of each body that reaches farthest in a direction, (n, 2) for unit vectors (n, 2)."""
        cos, sin, a, b = self.cos[at], self.sin[at], self.a[at], self.b[at]
        u = cos * direction[:, 0] + sin * direction[:, 1]
        v = cos * direction[:, 1] - sin * direction[:, 0]
        h = np.hypot(a * u, b * v)
        h[h == 0] = 1.0
        u, v = a * a * u / h, b * b * v / h
        out = np.column_stack((self.x[at] + cos * u - sin * v, self.y[at] + sin * u + cos * v))
        sharp = np.flatnonzero(self.sharp[at])
        if len(sharp):
            rings = self.corners[at[sharp]]
            best = np.argmax(np.einsum("nmk,nk->nm", rings, direction[sharp]), axis=1)
            out[sharp] = rings[np.arange(len(sharp)), best]
        return out

    def reach(self, directions: Floats) -> Floats:
        """How far all bodies together reach in directions (d, 2) from the origin."""
        at = np.repeat(np.arange(len(self)), len(directions))
        ways = np.tile(directions, (len(self), 1))
        found = np.sum(self.farthest(at, ways) * ways, axis=1)
        return np.asarray(np.max(found.reshape(len(self), -1), axis=0))

    def clip(self, at: Ints, start: Floats, along: Floats) -> tuple[Floats, Floats, Bools]:
        """Where each line enters and leaves its body, in inches along it, and whether it meets it at all.

        A line without a direction meets nothing.
        """
        dx, dy = start[:, 0] - self.x[at], start[:, 1] - self.y[at]
        cos, sin = self.cos[at], self.sin[at]
        a, b = np.where(self.sharp[at], 1.0, self.a[at]), np.where(self.sharp[at], 1.0, self.b[at])
        pu, pv = (cos * dx + sin * dy) / a, (cos * dy - sin * dx) / b
        du, dv = (cos * along[:, 0] + sin * along[:, 1]) / a, (cos * along[:, 1] - sin * along[:, 0]) / b
        leads = (du != 0) | (dv != 0)
        square = np.where(leads, du * du + dv * dv, 1.0)
        off = (pu * dv - pv * du) ** 2 / square
        middle, half = -(pu * du + pv * dv) / square, np.sqrt(np.maximum(1.0 - off, 0.0) / square)
        low, high, meets = middle - half, middle + half, off <= (1.0 + TOUCH) ** 2
        sharp = np.flatnonzero(self.sharp[at])
        if len(sharp):
            low[sharp], high[sharp], meets[sharp] = _clip_corners(self.corners[at[sharp]], start[sharp], along[sharp])
        return low, high, meets & leads

    def tangents(self, at: Ints, points: Floats) -> Floats:
        """The directions of the two tangents from each point, (n, 2, 2); from inside, along the edge."""
        dx, dy = points[:, 0] - self.x[at], points[:, 1] - self.y[at]
        cos, sin, a, b = self.cos[at], self.sin[at], self.a[at], self.b[at]
        u, v = (cos * dx + sin * dy) / a, (cos * dy - sin * dx) / b
        spread = np.arccos(1.0 / np.maximum(np.hypot(u, v), 1.0))
        turn = np.arctan2(v, u)[:, None] + np.stack((spread, -spread), axis=1)
        u, v = -a[:, None] * np.sin(turn), b[:, None] * np.cos(turn)
        out = np.stack((cos[:, None] * u - sin[:, None] * v, sin[:, None] * u + cos[:, None] * v), axis=-1)
        return np.asarray(out / np.linalg.norm(out, axis=-1, keepdims=True))

    def contacts(self, walls: Walls) -> tuple[Floats, Bools]:
        """Where outlines cross or touch the edge of each body: points (n, most, 2) and which of them are."""
        found: list[list[Point]] = [[] for _ in range(len(self))]
        starts, ends = walls.edges[:, :2], walls.edges[:, 2:]
        steps = ends - starts
        lengths = np.hypot(steps[:, 0], steps[:, 1])
        steps = steps / lengths[:, None]
        body, edge = (v.ravel() for v in np.indices((len(self), len(lengths))))
        low, high, meets = self.clip(body, starts[edge], steps[edge])
        for t in (low, high):
            on = np.flatnonzero(meets & ~self.sharp[body] & (t >= -TOUCH) & (t <= lengths[edge] + TOUCH))
            spots = starts[edge[on]] + t[on, None] * steps[edge[on]]
            for k, (x, y) in zip(body[on].tolist(), spots.tolist(), strict=True):
                found[k].append((x, y))
        sharp = np.flatnonzero(self.sharp).tolist()
        tree = shapely.STRtree(walls.outlines if sharp else ())
        for k in sharp:
            edge_of_body = shapely.LinearRing(self.corners[k])
            for other in sorted(tree.query(edge_of_body, predicate="intersects").tolist()):
                shared = shapely.intersection(edge_of_body, walls.outlines[other].exterior)
                found[k] += [(x, y) for x, y in shapely.get_coordinates(shared).tolist()]
        most = max((len(spots) for spots in found), default=0)
        points, real = np.zeros((len(self), most, 2)), np.zeros((len(self), most), dtype=np.bool_)
        for k, met in enumerate(found):
            if met:
                points[k, : len(met)], real[k, : len(met)] = met, True
        return points, real


def unit(vectors: Floats) -> Floats:
    """Vectors (..., 2) at length 1; one of no length stays as it is."""
    length = np.hypot(vectors[..., 0], vectors[..., 1])
    return np.asarray(vectors / np.where(length > 0, length, 1.0)[..., None])


def heights(normals: Floats, offsets: Floats, points: Floats) -> Floats:
    """How far points (p, 2) lie beyond half planes (n, 2), an array (n, p)."""
    return np.asarray(normals @ points.T - offsets[:, None])


def lane(left: Bodies, right: Bodies) -> tuple[Floats, Floats]:
    """Half planes around all that lies between two groups of bodies: ``normals`` (h, 2) and ``offsets`` (h,)."""
    x, y = np.mean(right.x) - np.mean(left.x), np.mean(right.y) - np.mean(left.y)
    angles = math.atan2(y, x) + SIDES
    normals = np.column_stack((np.cos(angles), np.sin(angles)))
    return normals, np.maximum(left.reach(normals), right.reach(normals))


def _clip_corners(rings: Floats, start: Floats, along: Floats) -> tuple[Floats, Floats, Bools]:
    """Where lines enter and leave convex rings, and whether they meet them."""
    away = rings - start[:, None, :]
    side = along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0]
    at = along[:, None, 0] * away[..., 0] + along[:, None, 1] * away[..., 1]
    following, further = np.roll(side, -1, axis=1), np.roll(at, -1, axis=1)
    crossed = (side > 0) != (following > 0)
    part = side / np.where(crossed, side - following, 1.0)
    crossing = at + part * (further - at)
    touched = np.abs(side) <= TOUCH
    low = np.minimum(np.where(crossed, crossing, np.inf), np.where(touched, at, np.inf)).min(axis=1)
    high = np.maximum(np.where(crossed, crossing, -np.inf), np.where(touched, at, -np.inf)).max(axis=1)
    meets = np.asarray(low <= high)
    return np.where(meets, low, 0.0), np.where(meets, high, 0.0), meets
