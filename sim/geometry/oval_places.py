"""At which places does an oval that keeps its facing come too near to something, lie inside it, or stay near to it?

An oval is (a, b, facing in radians), its places are centres (n, 2). Most places are settled by the disc that holds the
oval or by the one that it holds; the rest are measured exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry import kernels
from sim.geometry.distance import edges_of
from sim.geometry.rims import FULL, Axes
from sim.geometry.tolerance import Bools, Floats

LOOK = 64  # points of an oval's edge that are looked at first
FAN = 17  # points of each narrower look
PEAKS = 3  # farthest points of the first look that are refined

Distance = Callable[[Floats], Floats]  # of points (n, 2) from something, 0 or less inside


def nearer_than_ovals(oval: Axes, places: Floats, others: Floats, distance: float) -> Bools:
    """Where an oval lies nearer than a distance to one of some bases: rows (m, 5) of x, y, a, b, facing in radians."""
    a, b, facing = oval
    out = np.zeros(len(places), dtype=np.bool_)
    dx, dy = others[None, :, 0] - places[:, None, 0], others[None, :, 1] - places[:, None, 1]
    square = dx * dx + dy * dy
    wide, thin = np.maximum(others[:, 2], others[:, 3]), np.minimum(others[:, 2], others[:, 3])
    out |= np.any(square < (thin + b + distance) ** 2, axis=1)
    i, j = np.nonzero((square < (wide + a + distance) ** 2) & ~out[:, None])
    is_round = wide[j] == thin[j]
    for kind in (True, False):
        some = is_round == kind
        k, m = i[some], j[some]
        if not len(k):
            continue
        if kind:
            u, v = kernels.to_local(dx[k, m], dy[k, m], np.zeros(1), np.zeros(1), np.array([facing]))
            apart = kernels.point_ellipse(u, v, np.array([a]), np.array([b]))[0] - wide[m]
        else:
            mine = (np.array([value]) for value in oval)
            apart = kernels.ellipse_ellipse(dx[k, m], dy[k, m], *mine, *others[m, 2:].T)[0]
        out[k[apart < distance]] = True
    return out


def points_near_ovals(points: Floats, ovals: Floats, distance: float) -> Bools:
    """Where points lie nearer than a distance to one of some ovals: rows (m, 5) of x, y, a, b, facing."""
    dx, dy = points[:, None, 0] - ovals[None, :, 0], points[:, None, 1] - ovals[None, :, 1]
    square = dx * dx + dy * dy
    wide, thin = np.maximum(ovals[:, 2], ovals[:, 3]), np.minimum(ovals[:, 2], ovals[:, 3])
    out = np.asarray(np.any(square < (thin + distance) ** 2, axis=1))
    i, j = np.nonzero((square < (wide + distance) ** 2) & ~out[:, None])
    zero = np.zeros(1)
    u, v = kernels.to_local(dx[i, j], dy[i, j], zero, zero, ovals[j, 4])
    out[i[kernels.point_ellipse(u, v, ovals[j, 2], ovals[j, 3])[0] < distance]] = True
    return out


def nearer_than_polygon(oval: Axes, places: Floats, polygon: BaseGeometry, distance: float) -> Bools:
    """Where an oval lies nearer than a distance to a polygon; at a distance of 0 where it shares ground with it."""
    a, b, _ = oval
    spots = shapely.points(places)
    out = np.asarray(shapely.dwithin(spots, polygon, b + distance))
    left = np.flatnonzero(~out & shapely.dwithin(spots, polygon, a + distance))
    if not len(left):
        return out
    if distance == 0:
        squeezed = shapely.transform(polygon, lambda points: _squeezed(points, oval))
        apart = shapely.distance(shapely.points(_squeezed(places[left], oval)), squeezed)
        out[left] = apart < 1.0
        return out
    edges = edges_of(polygon)
    x, y = places[left, 0:1], places[left, 1:2]
    facing = np.array([[oval[2]]])
    start = kernels.to_local(edges[None, :, 0], edges[None, :, 1], x, y, facing)
    end = kernels.to_local(edges[None, :, 2], edges[None, :, 3], x, y, facing)
    apart = kernels.segment_ellipse(*start, *end, np.array([[a]]), np.array([[b]]))[0]
    out[left] = apart.min(axis=1) < distance
    return out


def lies_inside(oval: Axes, places: Floats, region: BaseGeometry) -> Bools:
    """Where an oval lies wholly inside a region with straight borders."""
    squeezed = shapely.transform(region, lambda points: _squeezed(points, oval))
    spots = shapely.points(_squeezed(places, oval))
    shapely.prepare(squeezed)
    inside = np.asarray(shapely.covers(squeezed, spots))
    return np.asarray(inside & (shapely.distance(spots, shapely.boundary(squeezed)) >= 1.0))


def lies_within(oval: Axes, places: Floats, distance: Distance, limit: float) -> Bools:
    """Where all of an oval lies within a limit of something without a notch."""
    step = FULL / LOOK
    heading: Floats = np.arange(LOOK, dtype=np.float64) * step
    found = _from(oval, places, np.broadcast_to(heading, (len(places), LOOK)), distance)
    most = found.max(axis=1)
    between = oval[0] * step * step / 8  # by how much a point between two looks may be farther than both
    out = np.asarray(most + between <= limit)
    left = np.flatnonzero(~out & (most <= limit))
    if not len(left):
        return out
    best = heading[np.argsort(found[left], axis=1)[:, -PEAKS:]]
    spots = np.repeat(places[left], PEAKS, axis=0)
    at, width = best.ravel(), step
    spread: Floats = np.linspace(-1.0, 1.0, FAN)
    while width > 1e-8:  # about its peak a distance is flat: this leaves less than 1e-15 of it
        fan: Floats = at[:, None] + width * spread[None, :]
        values = _from(oval, spots, fan, distance)
        at = fan[np.arange(len(at)), np.argmax(values, axis=1)]
        width /= 6
    peak = _from(oval, spots, at[:, None], distance).reshape(-1, PEAKS).max(axis=1)
    out[left] = peak <= limit
    return out


def distance_from_oval(at: tuple[float, float], oval: Axes) -> Distance:
    """How far points lie from an oval that stands somewhere; negative inside."""

    def distance(points: Floats) -> Floats:
        x, y, facing = np.array([at[0]]), np.array([at[1]]), np.array([oval[2]])
        u, v = kernels.to_local(points[:, 0], points[:, 1], x, y, facing)
        return kernels.point_ellipse(u, v, np.array([oval[0]]), np.array([oval[1]]))[0]

    return distance


def _from(oval: Axes, places: Floats, heading: Floats, distance: Distance) -> Floats:
    """How far points of an oval's edge lie from something: headings (n, k) at places (n, 2) give an array (n, k)."""
    a, b, facing = oval
    u, v = a * np.cos(heading), b * np.sin(heading)
    cos, sin = math.cos(facing), math.sin(facing)
    x, y = places[:, 0:1] + cos * u - sin * v, places[:, 1:2] + sin * u + cos * v
    return distance(np.column_stack((x.ravel(), y.ravel()))).reshape(heading.shape)


def _squeezed(points: Floats, oval: Axes) -> Floats:
    """Points in a frame in which the oval is a circle of radius 1."""
    a, b, facing = oval
    cos, sin = math.cos(facing), math.sin(facing)
    return np.column_stack(
        ((cos * points[:, 0] + sin * points[:, 1]) / a, (cos * points[:, 1] - sin * points[:, 0]) / b)
    )
