"""Where do circles, straight pieces and rims cross, and what pieces are left between the crossings?

Arcs are rows (n, 5) of x, y, radius, from, to in radians, counter-clockwise; straight pieces rows (m, 4) of x, y, x, y;
rims rows (r, 11).
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from sim.geometry.crossings import Closed, ends_of, merged, points_on, rim_crossings
from sim.geometry.rims import FULL, bluntest, without_cusps
from sim.geometry.tolerance import Floats

TOUCH = 1e-9  # inches; curves that come no deeper into one another only touch
PARALLEL = 1e-12  # radians; pieces at a lesser angle run the same way
SHORTEST = 1e-9  # inches; shorter pieces are rounding


def cut(arcs: Floats, segments: Floats, joints: Floats, rims: Floats, closed: Closed) -> tuple[Floats, Floats, Floats]:
    """All curves in pieces that no other curve crosses: arcs (n, 5), straight pieces (m, 4) and rims (r, 11).

    What rims do in closed ground is not looked at.
    """
    circles = arcs[:, :3]
    if len(rims):
        rims, shared = merged(rims)
        rims = without_cusps(_turns_between(rims, shared, bluntest(rims)))
    on_rims, on_circles, on_segments = ([found] for found in rim_crossings(rims, arcs, segments, closed))
    on_circles += [_circles_cross(circles), _joined(circles, np.vstack((joints, ends_of(rims, segments))))]
    by_circle, by_segment = _circles_segments_cross(circles, segments)
    on_circles.append(by_circle)
    on_segments += [by_segment, _segments_cross(segments), points_on(segments, joints)]
    return (
        _turns_between(arcs, np.vstack(on_circles), np.abs(arcs[:, 2])),
        _pieces_between(segments, np.vstack(on_segments)),
        _turns_between(rims, np.vstack(on_rims), bluntest(rims)),
    )


def _circles_cross(circles: Floats) -> Floats:
    """Where circles cross: rows of (circle, angle), both circles of every crossing."""
    i, j = np.triu_indices(len(circles), 1)
    x, y, r = circles.T
    dx, dy = x[j] - x[i], y[j] - y[i]
    d = np.hypot(dx, dy)
    meet = (d < r[i] + r[j] - TOUCH) & (d > np.abs(r[i] - r[j]) + TOUCH)
    i, j, d, dx, dy = i[meet], j[meet], d[meet], dx[meet], dy[meet]
    heading = np.arctan2(dy, dx)
    at_i = np.arccos(np.clip((d * d + r[i] ** 2 - r[j] ** 2) / (2 * d * r[i]), -1, 1))
    at_j = np.arccos(np.clip((d * d + r[j] ** 2 - r[i] ** 2) / (2 * d * r[j]), -1, 1))
    rows = [(i, heading + at_i), (i, heading - at_i), (j, heading + np.pi + at_j), (j, heading + np.pi - at_j)]
    return np.vstack([np.column_stack((k, angle % FULL)) for k, angle in rows])


def _joined(circles: Floats, joints: Floats) -> Floats:
    """Where circles lead through points at which something ends: rows of (circle, angle)."""
    if not len(circles) or not len(joints):
        return np.empty((0, 2))
    dx, dy = joints[None, :, 0] - circles[:, None, 0], joints[None, :, 1] - circles[:, None, 1]
    r = circles[:, 2:3]
    c, k = np.nonzero(np.abs(dx * dx + dy * dy - r * r) < 2 * r * SHORTEST)
    return np.column_stack((c, np.arctan2(dy[c, k], dx[c, k]) % FULL))


def _circles_segments_cross(circles: Floats, segments: Floats) -> tuple[Floats, Floats]:
    """Where circles and straight pieces cross: rows of (circle, angle) and rows of (piece, share of its length)."""
    if not len(circles) or not len(segments):
        return np.empty((0, 2)), np.empty((0, 2))
    x, y, r = (column[:, None] for column in circles.T)
    ax, ay, bx, by = segments.T
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    square = np.where(square > 0, square, 1.0)
    reach = TOUCH / np.sqrt(square)  # a piece that ends on a circle cuts it
    t = ((x - ax) * dx + (y - ay) * dy) / square
    off = (ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2
    half = np.sqrt(np.maximum(r * r - off, 0.0) / square)
    on_circles, on_segments = [], []
    for sign in (1.0, -1.0):
        share = t + sign * half
        c, s = np.nonzero((off < (r - TOUCH) ** 2) & (r > TOUCH) & (share > -reach) & (share < 1 + reach))
        u = share[c, s]
        px, py = ax[s] + u * dx[s], ay[s] + u * dy[s]
        angle = np.arctan2(py - circles[c, 1], px - circles[c, 0]) % FULL
        on_circles.append(np.column_stack((c, angle)))
        on_segments.append(np.column_stack((s, u))[(u > 0) & (u < 1)])
    return np.vstack(on_circles), np.vstack(on_segments)


def _segments_cross(segments: Floats) -> Floats:
    """Where straight pieces cross: rows of (piece, share of its length)."""
    if len(segments) < 2:
        return np.empty((0, 2))
    lines = shapely.linestrings(segments.reshape(-1, 2, 2))
    i, j = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=TOUCH)
    i, j = i[i != j], j[i != j]
    p, r = segments[i, :2], segments[i, 2:] - segments[i, :2]
    q, s = segments[j, :2], segments[j, 2:] - segments[j, :2]
    cross = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    askew = np.abs(cross) > PARALLEL * np.hypot(r[:, 0], r[:, 1]) * np.hypot(s[:, 0], s[:, 1])
    safe = np.where(askew, cross, 1.0)
    gap = q - p
    t = (gap[:, 0] * s[:, 1] - gap[:, 1] * s[:, 0]) / safe
    u = (gap[:, 0] * r[:, 1] - gap[:, 1] * r[:, 0]) / safe
    reach = TOUCH / np.maximum(np.hypot(s[:, 0], s[:, 1]), TOUCH)  # a piece that ends on another one cuts it
    hit = askew & (t > 0) & (t < 1) & (u >= -reach) & (u <= 1 + reach)
    along = _along(segments, i[~askew], j[~askew])
    return np.vstack((np.column_stack((i[hit], t[hit])), along))


def _along(segments: Floats, i: NDArray[np.intp], j: NDArray[np.intp]) -> Floats:
    """Where the ends of a piece lie on another one that runs the same way."""
    rows = [np.empty((0, 2))]
    step = segments[i, 2:] - segments[i, :2]
    square = np.maximum(np.sum(step * step, axis=1), 1e-300)
    for end in (segments[j, :2], segments[j, 2:]):
        t = np.sum((end - segments[i, :2]) * step, axis=1) / square
        on = (t > 0) & (t < 1)
        rows.append(np.column_stack((i[on], t[on])))
    return np.vstack(rows)


def _turns_between(turns: Floats, cuts: Floats, radii: Floats) -> Floats:
    """The pieces of arcs or rims, whose last columns say from and to which angle, between neighbouring cuts.

    A cut outside of one does nothing.
    """
    count, last = len(turns), turns.shape[1] - 1
    which = cuts[:, 0].astype(np.intp)
    low, high = turns[which, last - 1], turns[which, last]
    angle = low + (cuts[:, 1] - low) % FULL
    inside = angle < high
    ends = np.vstack([np.column_stack((np.arange(count), turns[:, k])) for k in (last - 1, last)])
    every = np.vstack((ends, np.column_stack((which[inside], angle[inside]))))
    order = np.lexsort((every[:, 1], every[:, 0]))
    owner, at = every[order, 0].astype(np.intp), every[order, 1]
    same = owner[1:] == owner[:-1]
    mine, start, end = owner[:-1][same], at[:-1][same], at[1:][same]
    rows = np.column_stack((turns[mine, :-2], start, end))
    return np.asarray(rows[(end - start) * radii[mine] > SHORTEST])


def _pieces_between(segments: Floats, cuts: Floats) -> Floats:
    """The straight pieces between neighbouring cuts."""
    count = len(segments)
    ends = np.vstack(
        (np.column_stack((np.arange(count), np.zeros(count))), np.column_stack((np.arange(count), np.ones(count))))
    )
    every = np.vstack((ends, cuts))
    order = np.lexsort((every[:, 1], every[:, 0]))
    which, share = every[order, 0].astype(np.intp), every[order, 1]
    same = which[1:] == which[:-1]
    k, a, b = which[:-1][same], share[:-1][same], share[1:][same]
    start, step = segments[k, :2], segments[k, 2:] - segments[k, :2]
    rows = np.hstack((start + a[:, None] * step, start + b[:, None] * step))
    kept = np.hypot(rows[:, 2] - rows[:, 0], rows[:, 3] - rows[:, 1]) > SHORTEST
    rows = rows[kept]
    backwards = (rows[:, 0] > rows[:, 2]) | ((rows[:, 0] == rows[:, 2]) & (rows[:, 1] > rows[:, 3]))
    rows[backwards] = rows[backwards][:, [2, 3, 0, 1]]  # pieces that lie on one another run the same way
    return np.unique(rows, axis=0) if len(rows) else np.empty((0, 4))
