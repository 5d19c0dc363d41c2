"""What do slow and simple methods say? Nothing here uses sim.geometry or shapely.

Every answer about two shapes is a certificate where it can be: a distance from above is that of two points which lie
on the shapes, one from below is the width of an empty strip between them. Ellipses are walked along their rim,
polygons corner by corner and edge by edge. All functions take n shapes against n others and work pair by pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
GOLD = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Ellipses:
    """n ellipses: centre, angle of the first axis in radians, and half axes; arrays of length n."""

    x: Floats
    y: Floats
    angle: Floats
    a: Floats
    b: Floats

    def take(self, rows: NDArray[np.intp] | Bools) -> Ellipses:
        return Ellipses(self.x[rows], self.y[rows], self.angle[rows], self.a[rows], self.b[rows])

    def rim(self, t: Floats) -> Floats:
        """Points of the rim at eccentric angles t of shape (n, m): an array (n, m, 2)."""
        return self._table(self.a[:, None] * np.cos(t), self.b[:, None] * np.sin(t))

    def _table(self, u: Floats, v: Floats) -> Floats:
        c, s = np.cos(self.angle)[:, None], np.sin(self.angle)[:, None]
        return np.stack((self.x[:, None] + c * u - s * v, self.y[:, None] + s * u + c * v), axis=-1)

    def local(self, points: Floats) -> tuple[Floats, Floats]:
        c, s = np.cos(self.angle)[:, None], np.sin(self.angle)[:, None]
        dx, dy = points[..., 0] - self.x[:, None], points[..., 1] - self.y[:, None]
        return c * dx + s * dy, c * dy - s * dx

    def level(self, points: Floats) -> Floats:
        """Below 1 inside, 1 on the rim, above 1 outside; points (n, m, 2) give (n, m)."""
        u, v = self.local(points)
        return np.hypot(u / self.a[:, None], v / self.b[:, None])

    def support(self, heading: Floats) -> Floats:
        """The greatest coordinate along headings (n, m), measured from the origin of the table."""
        c, s = np.cos(heading), np.sin(heading)
        along, across = np.cos(heading - self.angle[:, None]), np.sin(heading - self.angle[:, None])
        own = np.sqrt((self.a[:, None] * along) ** 2 + (self.b[:, None] * across) ** 2)
        return self.x[:, None] * c + self.y[:, None] * s + own


@dataclass(frozen=True)
class Polygons:
    """n simple polygons as corners (n, k, 2); fewer than k corners are filled up by repeating the last."""

    corners: Floats

    def take(self, rows: NDArray[np.intp] | Bools) -> Polygons:
        return Polygons(self.corners[rows])

    @property
    def ends(self) -> tuple[Floats, Floats]:
        return self.corners, np.roll(self.corners, -1, axis=1)

    def support(self, heading: Floats) -> Floats:
        c, s = np.cos(heading)[:, :, None], np.sin(heading)[:, :, None]
        return np.max(self.corners[:, None, :, 0] * c + self.corners[:, None, :, 1] * s, axis=-1)

    def holds(self, points: Floats) -> Bools:
        """Whether points (n, m, 2) lie inside, by counting the edges to the right of each."""
        ax, ay, bx, by = _edge_columns(self)
        px, py = points[..., 0][..., None], points[..., 1][..., None]
        straddles = (ay > py) != (by > py)
        rise = np.where(ay == by, 1.0, by - ay)
        crossing = ax + (py - ay) / rise * (bx - ax)
        return np.asarray(np.sum(straddles & (px < crossing), axis=-1) % 2 == 1)

    def rim_distance(self, points: Floats) -> Floats:
        """The distance of points (n, m, 2) from the nearest edge, inside or outside."""
        ax, ay, bx, by = _edge_columns(self)
        px, py = points[..., 0][..., None], points[..., 1][..., None]
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        t = np.clip(((px - ax) * dx + (py - ay) * dy) / np.where(square == 0, 1.0, square), 0.0, 1.0)
        return np.asarray(np.min(np.hypot(px - ax - t * dx, py - ay - t * dy), axis=-1))

    def distance(self, points: Floats) -> Floats:
        """The distance of points (n, m, 2) from the filled polygon."""
        return np.where(self.holds(points), 0.0, self.rim_distance(points))


def _edge_columns(shape: Polygons) -> tuple[Floats, Floats, Floats, Floats]:
    """The ends of all edges as four arrays (n, 1, k), ready to meet points (n, m, 1)."""
    start, end = shape.ends
    return (
        start[:, None, :, 0],
        start[:, None, :, 1],
        end[:, None, :, 0],
        end[:, None, :, 1],
    )


Shapes = Ellipses | Polygons


def outline_on_table(outline: Sequence[tuple[float, float]], x: float, y: float, degrees: float) -> Floats:
    """An outline turned and moved: corners (k, 2)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([(x + c * u - s * v, y + s * u + c * v) for u, v in outline])


def polygons(corners: Sequence[Floats]) -> Polygons:
    """Polygons of differing numbers of corners as one array."""
    k = max(len(c) for c in corners)
    return Polygons(np.stack([np.concatenate((c, np.repeat(c[-1:], k - len(c), axis=0))) for c in corners]))


def chunked(ask: Callable[..., tuple[Floats, ...]], *shapes: Shapes, size: int = 500) -> tuple[Floats, ...]:
    """A question asked of few pairs at a time, so that its arrays stay in the cache."""
    count = len(shapes[0].x) if isinstance(shapes[0], Ellipses) else len(shapes[0].corners)
    pieces = [
        ask(*(shape.take(np.arange(low, min(low + size, count))) for shape in shapes)) for low in range(0, count, size)
    ]
    return tuple(np.concatenate(column) for column in zip(*pieces, strict=True))


def bounds_of_gap(one: Shapes, other: Shapes, looks: int = 120) -> tuple[Floats, Floats]:
    """The gap of each pair from below and from above; (0, 0) for a pair with a point in common.

    Above is the distance of two points of the shapes. Below is an empty strip between two convex shapes; where a
    polygon takes part, all its edges were looked at and the two numbers are one. ``looks`` is how many points of an
    ellipse are tried against a polygon at first: more for an ellipse with sides that are long beside the polygon.
    """
    if isinstance(one, Ellipses) and isinstance(other, Ellipses):
        return chunked(_gap_of_ellipses, one, other)  # type: ignore[return-value]
    if isinstance(one, Polygons) and isinstance(other, Polygons):
        return chunked(_gap_of_polygons, one, other, size=2000)  # type: ignore[return-value]
    if isinstance(one, Polygons):
        return bounds_of_gap(other, one, looks)
    assert isinstance(other, Polygons)
    return chunked(lambda a, b: _gap_of_ellipse_and_polygon(a, b, looks), one, other)  # type: ignore[return-value]


def depth_of_convex(one: Shapes, other: Shapes, looks: int = 360) -> Floats:
    """The least push that parts two convex shapes which overlap: tried in every direction, then refined."""
    return chunked(lambda a, b: (_depth_of_convex(a, b, looks),), one, other)[0]


def signed_to_rim(discs: Ellipses, other: Shapes) -> Floats:
    """Round against anything: how far the centre is from the other's rim, counted negative inside, less the radius."""
    centre = np.stack((discs.x, discs.y), axis=-1)[:, None, :]
    if isinstance(other, Polygons):
        away = other.rim_distance(centre)[:, 0]
        return np.where(other.holds(centre)[:, 0], -away, away) - discs.a
    away = rim_distance(other, centre[:, 0])
    return np.where(other.level(centre)[:, 0] < 1.0, -away, away) - discs.a


def rim_distance(ellipses: Ellipses, points: Floats) -> Floats:
    """The distance of points (n, 2) from the rims of ellipses, by walking along the rim."""

    def ask(t: Floats) -> Floats:
        found = ellipses.rim(t)
        return np.hypot(found[..., 0] - points[:, :1], found[..., 1] - points[:, 1:])

    return least_around(ask, len(points), looks=180, keep=2, rounds=46)  # sharp where the point is on the rim


def least_around(ask: Callable[[Floats], Floats], count: int, looks: int, keep: int, rounds: int = 30) -> Floats:
    """The least values (n,) of functions of an angle: an even look, then golden sections round the best dips."""
    step = 2 * math.pi / looks
    t = np.broadcast_to(np.arange(looks) * step, (count, looks))
    seen = ask(t)
    return np.minimum(seen.min(axis=1), _refined(ask, t, seen, step, keep, rounds))


def _refined(ask: Callable[[Floats], Floats], t: Floats, seen: Floats, step: float, keep: int, rounds: int) -> Floats:
    dips = (seen <= np.roll(seen, 1, axis=1)) & (seen <= np.roll(seen, -1, axis=1))
    ranked = np.argsort(np.where(dips, seen, np.inf), axis=1)[:, :keep]
    middle = np.take_along_axis(t, ranked, axis=1)
    return golden(ask, middle - step, middle + step, rounds).min(axis=1)


def golden(ask: Callable[[Floats], Floats], low: Floats, high: Floats, rounds: int) -> Floats:
    """The least values of functions that hold one dip between low and high, all at once."""
    c, d = high - GOLD * (high - low), low + GOLD * (high - low)
    at_c, at_d = ask(c), ask(d)
    for _ in range(rounds):
        left = at_c < at_d
        low, high = np.where(left, low, c), np.where(left, d, high)
        kept, at_kept = np.where(left, c, d), np.where(left, at_c, at_d)
        fresh = np.where(left, high - GOLD * (high - low), low + GOLD * (high - low))
        at_fresh = ask(fresh)
        c, at_c = np.where(left, fresh, kept), np.where(left, at_fresh, at_kept)
        d, at_d = np.where(left, kept, fresh), np.where(left, at_kept, at_fresh)
    return np.minimum(at_c, at_d)


def _gap_of_polygons(one: Polygons, other: Polygons) -> tuple[Floats, Floats]:
    found = np.minimum(other.rim_distance(one.corners).min(axis=1), one.rim_distance(other.corners).min(axis=1))
    inside = other.holds(one.corners).any(axis=1) | one.holds(other.corners).any(axis=1)
    gap = np.where(inside | _edges_cross(one, other), 0.0, found)
    return gap, gap


def _edges_cross(one: Polygons, other: Polygons) -> Bools:
    def side(a: Floats, b: Floats, p: Floats) -> Floats:
        turn = (b[..., 0] - a[..., 0]) * (p[..., 1] - a[..., 1])
        return np.sign(turn - (b[..., 1] - a[..., 1]) * (p[..., 0] - a[..., 0]))

    (a, b), (c, d) = one.ends, other.ends
    a, b, c, d = a[:, :, None], b[:, :, None], c[:, None], d[:, None]
    return np.asarray(((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)).any(axis=(1, 2)))


def _gap_of_ellipse_and_polygon(ellipses: Ellipses, other: Polygons, looks: int) -> tuple[Floats, Floats]:
    gap = least_around(lambda t: other.distance(ellipses.rim(t)), len(ellipses.x), looks, keep=2)
    inside = (ellipses.level(other.corners) <= 1.0).any(axis=1)
    gap = np.where(inside, 0.0, gap)
    return gap, gap


def _gap_of_ellipses(one: Ellipses, other: Ellipses) -> tuple[Floats, Floats]:
    count, looks = len(one.x), 48
    t = np.broadcast_to(np.arange(looks) * (2 * math.pi / looks), (count, looks))
    p, q = one.rim(t), other.rim(t)
    square = (p[:, :, None, 0] - q[:, None, :, 0]) ** 2 + (p[:, :, None, 1] - q[:, None, :, 1]) ** 2
    best = square.reshape(count, -1).argmin(axis=1)
    s, r = t[0, best // looks], t[0, best % looks]
    s, r = _walk_together(one, other, s, r)
    p, q = one.rim(s[:, None])[:, 0], other.rim(r[:, None])[:, 0]
    above = np.hypot(*(q - p).T)
    below = np.maximum(_strip(one, other, s), _strip(other, one, r))
    common = _share_a_point(one, other)
    return np.where(common, 0.0, below), np.where(common, 0.0, above)


def _walk_together(one: Ellipses, other: Ellipses, s: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Damped Newton steps of both ends at once, towards the shortest line between two rims."""

    def parts(e: Ellipses, t: Floats) -> tuple[Floats, Floats, Floats]:
        u = np.stack((e.a * np.cos(t), e.b * np.sin(t)))
        v = np.stack((-e.a * np.sin(t), e.b * np.cos(t)))
        c, n = np.cos(e.angle), np.sin(e.angle)
        turn = [np.stack((c * w[0] - n * w[1], n * w[0] + c * w[1])) for w in (u, v)]
        return turn[0] + np.stack((e.x, e.y)), turn[1], -turn[0]

    damping = np.full_like(s, 1e-3)
    for _ in range(60):
        (p, p1, p2), (q, q1, q2) = parts(one, s), parts(other, r)
        d = p - q
        value = np.sum(d * d, axis=0)
        gs, gr = np.sum(d * p1, axis=0), -np.sum(d * q1, axis=0)
        hss = np.sum(p1 * p1 + d * p2, axis=0)
        hrr = np.sum(q1 * q1 - d * q2, axis=0)
        hsr = -np.sum(p1 * q1, axis=0)
        # Lift the matrix until it is positive, so that every step leads down.
        least = (hss + hrr) / 2 - np.hypot((hss - hrr) / 2, hsr)
        lift = np.maximum(0.0, 1e-9 * (np.abs(hss) + np.abs(hrr)) - least) + damping * (np.abs(hss) + np.abs(hrr))
        hss, hrr = hss + lift, hrr + lift
        det = hss * hrr - hsr * hsr
        det = np.where(det == 0, 1.0, det)
        ds, dr = -(hrr * gs - hsr * gr) / det, -(hss * gr - hsr * gs) / det
        far = np.maximum(1.0, np.maximum(np.abs(ds), np.abs(dr)) / 0.3)
        ds, dr = ds / far, dr / far
        fresh = np.sum((parts(one, s + ds)[0] - parts(other, r + dr)[0]) ** 2, axis=0)
        better = fresh <= value
        s, r = np.where(better, s + ds, s), np.where(better, r + dr, r)
        damping = np.where(better, damping * 0.1, np.maximum(damping, 1e-12) * 10)
    return s, r


def _strip(one: Ellipses, other: Ellipses, t: Floats) -> Floats:
    """The width of the empty strip along the tangent of ``one`` at the eccentric angle t (negative: none)."""
    heading = np.arctan2(one.a * np.sin(t), one.b * np.cos(t)) + one.angle
    return (-other.support(heading[:, None] + math.pi) - one.support(heading[:, None]))[:, 0]


def _share_a_point(one: Ellipses, other: Ellipses) -> Bools:
    def reaches(a: Ellipses, b: Ellipses) -> Bools:
        least = least_around(lambda t: b.level(a.rim(t)), len(a.x), looks=48, keep=2)
        centre = np.stack((b.x, b.y), axis=-1)[:, None]
        return np.asarray((least <= 1.0) | (a.level(centre)[:, 0] <= 1.0))

    return reaches(one, other) | reaches(other, one)


def _depth_of_convex(one: Shapes, other: Shapes, looks: int) -> Floats:
    def push(heading: Floats) -> Floats:
        return one.support(heading) + other.support(heading + math.pi)

    count = len(one.x) if isinstance(one, Ellipses) else len(one.corners)
    headings = [np.broadcast_to(np.arange(looks) * (2 * math.pi / looks), (count, looks))]
    for shape in (one, other):
        if isinstance(shape, Polygons):
            start, end = shape.ends
            along = np.arctan2(end[..., 1] - start[..., 1], end[..., 0] - start[..., 0])
            headings += [along + math.pi / 2, along - math.pi / 2]
        else:
            t = headings[0]
            a, b, angle = (v[:, None] for v in (shape.a, shape.b, shape.angle))
            headings.append(np.arctan2(a * np.sin(t), b * np.cos(t)) + angle)
    t = np.sort(np.mod(np.concatenate(headings, axis=1), 2 * math.pi), axis=1)
    seen = push(t)
    return np.minimum(seen.min(axis=1), _refined(push, t, seen, 2 * math.pi / looks, keep=3, rounds=34))


@dataclass(frozen=True)
class Walk:
    """n paths of one base kind each, as legs: which path, from and to (x, y, radians), in arrays over all legs."""

    path: NDArray[np.intp]
    start: Floats
    end: Floats


def bounds_of_swept_gap(
    bases: Shapes, walk: Walk, obstacles: Shapes, looks: int = 32, surely: float = 2e-4
) -> tuple[Floats, Floats, Floats]:
    """The least gap along each path, from below and from above, and how many of the even poses overlap.

    Each leg is looked at in ``looks`` poses. No point of a base moves faster than its centre or, on a pivot, than its
    farthest point; so a stretch between two poses holds no gap below the mean of both less half the way. Stretches
    that could still hold less than what was seen are split in four, until the bounds differ by ``surely``.
    The bases are given at the origin with no facing.
    """
    count = int(walk.path.max()) + 1
    radius = _radius(bases)
    turn = np.abs(walk.end[:, 2] - walk.start[:, 2])
    way = np.hypot(*(walk.end - walk.start)[:, :2].T) + radius[walk.path] * turn

    def gap(leg: NDArray[np.intp], share: Floats) -> Floats:
        path = walk.path[leg]
        pose = walk.start[leg] + share[:, None] * (walk.end - walk.start)[leg]
        return _plain_gap(_posed(bases, path, pose), obstacles.take(path))

    above, best_leg, best_share = np.full(count, np.inf), np.zeros(count, dtype=np.intp), np.zeros(count)

    def note(leg: NDArray[np.intp], share: Floats, value: Floats) -> None:
        for k in range(count):
            mine = np.flatnonzero(walk.path[leg] == k)
            if len(mine) and value[mine].min() < above[k]:
                at = mine[value[mine].argmin()]
                above[k], best_leg[k], best_share[k] = value[at], leg[at], share[at]

    step = 1 / (looks - 1)
    leg = np.repeat(np.arange(len(walk.path)), looks)
    share = np.tile(np.linspace(0.0, 1.0, looks), len(walk.path))
    seen = gap(leg, share)
    note(leg, share, seen)
    overlapping = np.zeros(count)
    np.add.at(overlapping, walk.path[leg], seen == 0)
    seen = seen.reshape(-1, looks)
    leg = np.repeat(np.arange(len(walk.path)), looks - 1)
    low = np.tile(np.arange(looks - 1) * step, len(walk.path))
    high = low + step
    at_low, at_high = seen[:, :-1].ravel(), seen[:, 1:].ravel()
    for _ in range(9):
        floor = (at_low + at_high) / 2 - way[leg] * (high - low) / 2
        rest = floor < above[walk.path[leg]] - surely
        if not rest.any() or rest.sum() > 5_000:
            break
        leg, low, high = leg[rest], low[rest], high[rest]
        edges = [low + (high - low) * k / 4 for k in range(5)]
        values = [at_low[rest], *(gap(leg, edge) for edge in edges[1:4]), at_high[rest]]
        for edge, value in zip(edges[1:4], values[1:4], strict=True):
            note(leg, edge, value)
        low, high = np.concatenate(edges[:4]), np.concatenate(edges[1:])
        at_low, at_high = np.concatenate(values[:4]), np.concatenate(values[1:])
        leg = np.tile(leg, 4)
    for width in step / 8 / 6.0 ** np.arange(7):  # and ever nearer to the best of all
        fan = np.clip(best_share[:, None] + np.linspace(-width, width, 15), 0.0, 1.0).ravel()
        leg_of_fan = np.repeat(best_leg, 15)
        note(leg_of_fan, fan, gap(leg_of_fan, fan))
    below = above - surely
    floor = (at_low + at_high) / 2 - way[leg] * (high - low) / 2
    np.minimum.at(below, walk.path[leg], floor)  # where the search was cut short
    return np.maximum(below, 0.0), above, overlapping


def _radius(shape: Shapes) -> Floats:
    if isinstance(shape, Ellipses):
        return np.where(shape.a == shape.b, 0.0, np.maximum(shape.a, shape.b))  # a disc turns unseen
    return np.asarray(np.hypot(shape.corners[..., 0], shape.corners[..., 1]).max(axis=1))


def _posed(shape: Shapes, which: NDArray[np.intp], pose: Floats) -> Shapes:
    x, y, angle = pose.T
    if isinstance(shape, Ellipses):
        return Ellipses(x, y, angle, shape.a[which], shape.b[which])
    u, v = np.moveaxis(shape.corners[which], -1, 0)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return Polygons(np.stack((x[:, None] + c * u - s * v, y[:, None] + s * u + c * v), axis=-1))


def _plain_gap(one: Shapes, other: Shapes) -> Floats:
    for a, b in ((one, other), (other, one)):
        if isinstance(a, Ellipses) and np.array_equal(a.a, a.b):
            return np.maximum(signed_to_rim(a, b), 0.0)
    return bounds_of_gap(one, other, looks=64)[1]
