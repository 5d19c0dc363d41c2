"""The curves that grown ovals leave: two ovals and a circle added up, told by the heading of their normals.

A rim is a row (n, 11): x, y of its centre; a, b and facing of a first and of a second oval; a radius; and from which
heading to which it runs, in radians. Its point at heading t is the centre plus, of each oval, the point that reaches
farthest along t, plus the radius along t. Negative axes take their oval away: that is the border of what an oval can
do within something rounder. Along a rim the tangent always lies across the heading, and how fast it is walked is the
radius of curvature, which is negative where an oval that is taken away is the blunter one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sim.geometry.shapes import Point
from sim.geometry.tolerance import Bools, Floats, Ints

FULL = 2 * math.pi
LOW, HIGH = 9, 10  # the columns of the headings
SEAM = (math.sqrt(5) - 1) / 2  # radians, where whole rims begin: not where straight pieces of a neat table lie
PANEL = math.pi / 12  # radians over which an area is summed in one go
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
LOOK = 33  # headings of a piece looked at before the nearest point is refined
BEST = 8  # pieces that are refined
HALVINGS = 60  # until two headings are one number
CUSP_LOOK = 129  # headings looked at for a change of curvature
NO_RIMS = np.empty((0, 11))
NO_OVAL = (0.0, 0.0, 0.0)

Axes = tuple[float, float, float]  # a, b and facing in radians


def full_rims(centres: Floats, first: Floats | Axes, second: Floats | Axes, radius: Floats | float) -> Floats:
    """Rims all the way round about centres (n, 2), for ovals (n, 3) or one for all, and radii (n,) or one for all."""
    count = len(centres)
    ovals = [np.broadcast_to(np.asarray(oval, dtype=np.float64), (count, 3)) for oval in (first, second)]
    rest = np.column_stack((np.broadcast_to(radius, count), np.full(count, SEAM), np.full(count, SEAM + FULL)))
    return np.hstack((np.asarray(centres, dtype=np.float64).reshape(-1, 2), *ovals, rest))


def beside(rings: Sequence[Floats], oval: Floats | Axes, radius: Floats | float) -> tuple[Floats, Floats]:
    """The border of solids grown by an oval and a radius: straight pieces (m, 4) and the rims about the corners.

    Rings run round their solid counter-clockwise, each corner once; one of two corners is a line, one of one a point.
    ``oval`` is one for all or one a ring (n, 3), and so is the radius. Notched corners leave no rim.
    """
    if not rings:
        return np.empty((0, 4)), NO_RIMS
    counts = np.array([len(ring) for ring in rings])
    ovals = np.repeat(np.broadcast_to(np.asarray(oval, dtype=np.float64), (len(rings), 3)), counts, axis=0)
    radii = np.repeat(np.broadcast_to(radius, len(rings)), counts)
    points = np.vstack(rings)
    ends = np.cumsum(counts)
    after, before = np.arange(1, len(points) + 1), np.arange(-1, len(points) - 1)
    after[ends - 1], before[ends - counts] = ends - counts, ends - 1
    step = points[after] - points
    length = np.hypot(step[:, 0], step[:, 1])
    normal = np.arctan2(-step[:, 0], step[:, 1])  # to the right of the way
    shift = _of_ovals(ovals, normal) + radii[:, None] * normals(normal)
    straight = np.hstack((points + shift, points[after] + shift))[length > 0]
    turn = (normal - normal[before]) % FULL
    turn[turn > FULL - 1e-12] = 0.0
    alone = np.repeat(counts == 1, counts)
    low = np.where(alone, SEAM, normal[before])
    high = low + np.where(alone, FULL, turn)
    kept = alone | ((turn > 0) & (turn <= math.pi + 1e-9))
    rims = np.column_stack((points, ovals, np.zeros((len(points), 3)), radii, low, high))[kept]
    return straight, rims


def counter_clockwise(ring: Floats) -> Floats:
    """The corners of an outline, each once, run round its inside counter-clockwise."""
    ring = without_repeat(ring)
    x, y = ring.T
    return ring if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) >= 0 else ring[::-1]


def without_repeat(outline: Floats) -> Floats:
    """An outline without its first corner once more at its end."""
    return outline[:-1] if len(outline) > 1 and np.array_equal(outline[0], outline[-1]) else outline


def points_of(rims: Floats, heading: Floats) -> Floats:
    """The point of each rim at a heading: an array (n, 2)."""
    found = rims[:, :2] + rims[:, 8:9] * normals(heading)
    for first in (2, 5):
        oval = rims[:, first : first + 3]
        if oval[:, 0].any():
            found = found + _of_ovals(oval, heading)
    return np.asarray(found)


def curvature_radius(rims: Floats, heading: Floats) -> Floats:
    """The radius of curvature of each rim at a heading, in inches: how far it is walked per radian."""
    out = rims[:, 8].copy()
    for first in (2, 5):
        a, b, facing = rims[:, first : first + 3].T
        if a.any():
            h = _reach(a, b, heading - facing)
            out += np.where(h != 0, (a * b) ** 2 / np.where(h != 0, h, 1.0) ** 3, 0.0)
    return out


def bluntest(rims: Floats) -> Floats:
    """A bound on the radius of curvature of each rim, without its sign."""
    out = np.abs(rims[:, 8])
    for first in (2, 5):
        a, b = np.abs(rims[:, first]), np.abs(rims[:, first + 1])
        wide, thin = np.maximum(a, b), np.minimum(a, b)
        out = out + np.where(thin > 0, wide * wide / np.where(thin > 0, thin, 1.0), 0.0)
    return out


def without_cusps(rims: Floats) -> Floats:
    """The rims in pieces that bend one way: cut where an oval taken away begins or ceases to be the blunter one."""
    doubtful = (rims[:, 2] < 0) | (rims[:, 5] < 0) | (rims[:, 8] < 0)
    if not doubtful.any():
        return rims
    pieces = [rims[~doubtful]]
    for rim in rims[doubtful]:
        heading = np.linspace(rim[LOW], rim[HIGH], CUSP_LOOK)
        many = np.tile(rim, (CUSP_LOOK, 1))
        value = curvature_radius(many, heading)
        at = np.flatnonzero(value[:-1] * value[1:] < 0)
        low, high = heading[at], heading[at + 1]
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            left = curvature_radius(many[at], low) * curvature_radius(many[at], middle) <= 0
            low, high = np.where(left, low, middle), np.where(left, middle, high)
        ends = np.concatenate(([rim[LOW]], (low + high) / 2, [rim[HIGH]]))
        parts = np.tile(rim, (len(ends) - 1, 1))
        parts[:, LOW], parts[:, HIGH] = ends[:-1], ends[1:]
        pieces.append(parts)
    return np.vstack(pieces)


def green(rims: Floats) -> float:
    """Twice the signed area between the rims and the origin, by Green's theorem: panels of a Gauss sum, to rounding."""
    if not len(rims):
        return 0.0
    turn = rims[:, HIGH] - rims[:, LOW]
    counts = np.maximum(1, np.ceil(np.abs(turn) / PANEL)).astype(np.intp)
    which, number = spread(counts)
    width = (turn / counts)[which]
    start = rims[which, LOW] + number * width
    rows = np.repeat(which, len(NODES))
    heading = (start[:, None] + width[:, None] * (NODES[None, :] + 1) / 2).ravel()
    weight = (width[:, None] * WEIGHTS[None, :] / 2).ravel()
    many = rims[rows]
    across = np.sum(points_of(many, heading) * normals(heading), axis=1)
    return float(np.sum(weight * across * curvature_radius(many, heading)))


def nearest_on(rims: Floats, point: Point) -> tuple[float, Point]:
    """How far the nearest point of any rim lies from a point, and that point."""
    share = np.linspace(0.0, 1.0, LOOK)
    heading = rims[:, LOW : LOW + 1] + share * (rims[:, HIGH] - rims[:, LOW])[:, None]
    rows = np.repeat(np.arange(len(rims)), LOOK)
    found = points_of(rims[rows], heading.ravel()) - np.array(point)
    far = np.hypot(found[:, 0], found[:, 1]).reshape(-1, LOOK)
    best = np.argsort(far.min(axis=1))[:BEST]
    at = np.argmin(far[best], axis=1)
    some = rims[best]
    low, high = heading[best, np.maximum(at - 1, 0)], heading[best, np.minimum(at + 1, LOOK - 1)]

    def slope(where: Floats) -> Floats:
        away = points_of(some, where) - np.array(point)
        return np.asarray(np.sum(away * tangents(where), axis=1) * curvature_radius(some, where) * np.sign(high - low))

    ends = (low.copy(), high.copy())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rising = slope(middle) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    every = np.vstack([points_of(some, where) for where in ((low + high) / 2, *ends)])
    distance = np.hypot(every[:, 0] - point[0], every[:, 1] - point[1])
    k = int(np.argmin(distance))
    return float(distance[k]), (float(every[k, 0]), float(every[k, 1]))


def lines_along(rims: Floats, error: float) -> list[Floats]:
    """Rims as lines (n, 2) whose corners lie on them and that differ from them by no more than an error."""
    if not len(rims):
        return []
    turn = rims[:, HIGH] - rims[:, LOW]
    step = np.sqrt(8 * error / np.maximum(bluntest(rims), error))
    counts = np.maximum(np.where(np.abs(turn) > math.pi, 8, 2), np.ceil(np.abs(turn) / step).astype(np.intp) + 1)
    which, number = spread(counts)
    heading = rims[which, LOW] + number / (counts[which] - 1) * turn[which]
    return np.split(points_of(rims[which], heading), np.cumsum(counts)[:-1])


def spread(counts: Ints) -> tuple[Ints, Ints]:
    """For each of some counts its place that many times over, and the number of each within its own."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - (np.cumsum(counts) - counts)[which]


def chords(rims: Floats, step: float) -> tuple[Ints, Floats, Floats]:
    """Rims in short stretches: of which rim, from which heading, to which."""
    turn = rims[:, HIGH] - rims[:, LOW]
    counts = np.maximum(1, np.ceil(turn / step)).astype(np.intp)
    which, number = spread(counts)
    width = (turn / counts)[which]
    low = rims[which, LOW] + number * width
    return which, low, low + width


def tangents(heading: Floats) -> Floats:
    """The unit vectors (n, 2) along a rim at its headings."""
    return np.column_stack((-np.sin(heading), np.cos(heading)))


def normals(heading: Floats) -> Floats:
    """The unit vectors (n, 2) across a rim at its headings."""
    return np.column_stack((np.cos(heading), np.sin(heading)))


def all_round(rims: Floats) -> Bools:
    """Which rims run all the way round, and so neither begin nor end."""
    return np.asarray(rims[:, HIGH] - rims[:, LOW] > FULL - 1e-12)


def _reach(a: Floats, b: Floats, angle: Floats) -> Floats:
    """How far ovals reach along their own angles; negative for those that are taken away."""
    return np.asarray(np.hypot(a * np.cos(angle), b * np.sin(angle)) * np.sign(a))


def _of_ovals(ovals: Floats, heading: Floats) -> Floats:
    """The points (n, 2) of ovals about the origin that reach farthest along headings."""
    a, b, facing = ovals.T
    c, s = np.cos(heading - facing), np.sin(heading - facing)
    h = np.hypot(a * c, b * s) * np.sign(a)
    safe = np.where(h != 0, h, 1.0)
    u, v = a * a * c / safe, b * b * s / safe
    cos, sin = np.cos(facing), np.sin(facing)
    return np.column_stack((cos * u - sin * v, sin * u + cos * v))
