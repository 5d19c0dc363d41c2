"""The hot loops: plain arrays in, plain arrays out, so that a compiled body can replace any of them.

Every function works element by element on float64 arrays that broadcast together. Lengths are inches, angles are
radians. Nothing here knows what a base is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.geometry.tolerance import Bools, Floats

NEWTON_STEPS = 64  # monotone Newton for the nearest point of an ellipse; it stops early, usually after six
SAMPLES = 64  # directions of each kind looked at before the largest separation of two ellipses is refined
PEAKS = 3  # how many of the best directions are refined
REFINEMENTS = 60  # safeguarded Newton steps inside one bracket of two samples
FLUSH = 1e-9  # inches; a segment that lies less deep in an ellipse than this touches it
TINY = 1e-300


def to_local(x: Floats, y: Floats, cx: Floats, cy: Floats, angle: Floats) -> tuple[Floats, Floats]:
    """Points as seen from a centre that looks along ``angle``."""
    cos, sin = np.cos(angle), np.sin(angle)
    dx, dy = x - cx, y - cy
    return cos * dx + sin * dy, cos * dy - sin * dx


def to_table(u: Floats, v: Floats, cx: Floats, cy: Floats, angle: Floats) -> tuple[Floats, Floats]:
    """The inverse of ``to_local``."""
    cos, sin = np.cos(angle), np.sin(angle)
    return cx + cos * u - sin * v, cy + sin * u + cos * v


def point_segment(
    px: Floats, py: Floats, ax: Floats, ay: Floats, bx: Floats, by: Floats
) -> tuple[Floats, Floats, Floats]:
    """Distance from points to segments, and the nearest point of each segment; a segment may have no length."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = ((px - ax) * dx + (py - ay) * dy) / np.where(square > 0, square, 1.0)
    t = np.clip(np.where(square > 0, t, 0.0), 0.0, 1.0)
    qx, qy = ax + t * dx, ay + t * dy
    return np.hypot(px - qx, py - qy), qx, qy


def point_ellipse(px: Floats, py: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """Signed distance from points to an ellipse about the origin (negative inside), and its nearest point.

    ``a`` lies along x, ``b`` along y. The root of (e0 y0 / (t + e0^2 - e1^2))^2 + (e1 y1 / t)^2 = 1 is found by
    Newton from the left, where the function is convex and falling, so that every step is safe.
    """
    px, py, a, b = np.broadcast_arrays(px, py, a, b)
    tall = b > a
    e0, e1 = np.where(tall, b, a), np.where(tall, a, b)
    y0, y1 = np.abs(np.where(tall, py, px)), np.abs(np.where(tall, px, py))
    inside = (y0 / e0) ** 2 + (y1 / e1) ** 2 < 1.0
    spread = (e0 - e1) * (e0 + e1)
    t = np.maximum(np.maximum(e1 * y1, e0 * y0 - spread), TINY)
    for _ in range(NEWTON_STEPS):
        p, q = e0 * y0 / (t + spread), e1 * y1 / t
        value = p * p + q * q - 1.0
        slope = -2.0 * (p * p / (t + spread) + q * q / t)
        step = np.maximum(np.where(slope < 0, -value / np.where(slope < 0, slope, -1.0), 0.0), 0.0)
        t = t + step
        if not np.any(step > 1e-16 * t):
            break
    x0, x1 = e0 * e0 * y0 / (t + spread), e1 * e1 * y1 / t
    # On the long axis, between the centres of curvature, the nearest point leaves the axis.
    flat = (y1 == 0) & (e0 * y0 < spread)
    along = e0 * e0 * y0 / np.where(spread > 0, spread, 1.0)
    x0 = np.where(flat, along, x0)
    x1 = np.where(flat, e1 * np.sqrt(np.maximum(0.0, 1.0 - (along / e0) ** 2)), x1)
    distance = np.hypot(x0 - y0, x1 - y1)
    circle = e0 == e1
    length = np.hypot(y0, y1)
    scale = e0 / np.where(length > 0, length, 1.0)
    distance = np.where(circle, np.abs(length - e0), distance)
    x0 = np.where(circle, np.where(length > 0, y0 * scale, e0), x0)
    x1 = np.where(circle, np.where(length > 0, y1 * scale, 0.0), x1)
    inside = np.where(circle, length < e0, inside)
    qx, qy = np.where(tall, x1, x0), np.where(tall, x0, x1)
    qx, qy = np.where(px < 0, -qx, qx), np.where(py < 0, -qy, qy)
    return np.where(inside, -distance, distance), qx, qy


def segment_meets_ellipse(ax: Floats, ay: Floats, bx: Floats, by: Floats, a: Floats, b: Floats) -> Bools:
    """Whether segments reach into the open ellipse about the origin (touching does not count)."""
    zero = np.zeros(1)
    reach, _, _ = point_segment(zero, zero, ax / a, ay / b, bx / a, by / b)
    return np.asarray(reach < 1.0)


def segment_ellipse(
    ax: Floats, ay: Floats, bx: Floats, by: Floats, a: Floats, b: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Distance from segments to an ellipse about the origin (0 when they meet), with the nearest points.

    Returns distance, x and y on the ellipse, x and y on the segment. Along its line the distance to a convex body is
    convex, so the nearest point is either under the ellipse's own extreme point or at an end.
    """
    ax, ay, bx, by, a, b = np.broadcast_arrays(ax, ay, bx, by, a, b)
    meets = segment_meets_ellipse(ax, ay, bx, by, a, b)
    dx, dy = bx - ax, by - ay
    length = np.hypot(dx, dy)
    safe = np.where(length > 0, length, 1.0)
    nx, ny = -dy / safe, dx / safe
    offset = nx * ax + ny * ay
    flip = np.where(offset < 0, -1.0, 1.0)
    nx, ny, offset = nx * flip, ny * flip, offset * flip
    support = np.sqrt((a * nx) ** 2 + (b * ny) ** 2)
    near = np.where(support > 0, support, 1.0)
    ex, ey = a * a * nx / near, b * b * ny / near
    t = ((ex - ax) * dx + (ey - ay) * dy) / (safe * safe)
    under = (t >= 0) & (t <= 1) & (offset >= support - FLUSH) & (length > 0)
    start, sx, sy = point_ellipse(ax, ay, a, b)
    end, fx, fy = point_ellipse(bx, by, a, b)
    first = start <= end
    distance = np.maximum(0.0, np.where(under, offset - support, np.where(first, start, end)))
    qx = np.where(under, ex, np.where(first, sx, fx))
    qy = np.where(under, ey, np.where(first, sy, fy))
    rx = np.where(under, ex + nx * distance, np.where(first, ax, bx))
    ry = np.where(under, ey + ny * distance, np.where(first, ay, by))
    distance = np.where(meets, 0.0, distance)
    _, mx, my = point_segment(np.zeros(1), np.zeros(1), ax / a, ay / b, bx / a, by / b)
    mx, my = mx * a, my * b
    qx, qy = np.where(meets, mx, qx), np.where(meets, my, qy)
    rx, ry = np.where(meets, mx, rx), np.where(meets, my, ry)
    return distance, qx, qy, rx, ry


def support(angle: Floats, a: Floats, b: Floats, facing: Floats) -> Floats:
    """How far an ellipse about the origin reaches in a direction."""
    return np.hypot(a * np.cos(angle - facing), b * np.sin(angle - facing))


def support_point(angle: Floats, a: Floats, b: Floats, facing: Floats) -> tuple[Floats, Floats]:
    """The point of an ellipse about the origin that reaches farthest in a direction."""
    c, s = np.cos(angle - facing), np.sin(angle - facing)
    h = np.hypot(a * c, b * s)
    u, v = a * a * c / h, b * b * s / h
    return np.cos(facing) * u - np.sin(facing) * v, np.sin(facing) * u + np.cos(facing) * v


def ellipse_ellipse(
    dx: Floats, dy: Floats, a1: Floats, b1: Floats, f1: Floats, a2: Floats, b2: Floats, f2: Floats
) -> tuple[Floats, Floats]:
    """Signed separation of two ellipses whose centres differ by (dx, dy), and the direction that shows it.

    It is the greatest value over all directions of ``u.d - h1(u) - h2(u)``: the gap where it is positive, and minus
    the depth of the overlap where it is negative.
    """
    arrays = [np.ravel(v) for v in np.broadcast_arrays(dx, dy, a1, b1, f1, a2, b2, f2)]
    shape = np.broadcast_shapes(*(np.shape(v) for v in (dx, dy, a1, b1, f1, a2, b2, f2)))
    dx, dy, a1, b1, f1, a2, b2, f2 = arrays

    def value(angle: Floats, *p: Floats) -> Floats:
        x, y, pa, pb, pf, qa, qb, qf = p
        reach = support(angle, pa, pb, pf) + support(angle, qa, qb, qf)
        return np.cos(angle) * x + np.sin(angle) * y - reach

    # Peaks are as narrow as an ellipse is thin: look along the normals of both, and along even directions.
    t = np.linspace(0.0, 2 * np.pi, SAMPLES, endpoint=False)[None, :]
    # The three looks are set off against one another: two equal directions would shut a peak out of its bracket.
    normals = [
        f[:, None] + np.arctan2(a[:, None] * np.sin(t + shift), b[:, None] * np.cos(t + shift))
        for a, b, f, shift in ((a1, b1, f1, 0.011), (a2, b2, f2, 0.023))
    ]
    even = np.broadcast_to(t, (len(dx), SAMPLES))
    grid = np.sort(np.concatenate((even, *normals), axis=1) % (2 * np.pi), axis=1)
    found = value(grid, *(v[:, None] for v in arrays))
    before, after = np.roll(found, 1, axis=1), np.roll(found, -1, axis=1)
    peaks = np.where((found >= before) & (found >= after), found, -np.inf)
    order = np.argsort(-peaks, axis=1)[:, :PEAKS]
    rows = np.arange(len(dx))
    angles = _refined(grid, rows, order[:, 0], arrays)
    values = value(angles, *arrays)
    for k in range(1, order.shape[1]):  # a gap has one peak; only the depth of an overlap may hide behind another
        rest = np.flatnonzero((values <= 0) & np.isfinite(peaks[rows, order[:, k]]))
        if not len(rest):
            break
        picked = [v[rest] for v in arrays]
        other = _refined(grid[rest], np.arange(len(rest)), order[rest, k], picked)
        found_there = value(other, *picked)
        better = found_there > values[rest]
        angles[rest[better]], values[rest[better]] = other[better], found_there[better]
    return np.reshape(values, shape), np.reshape(angles, shape)


def _refined(grid: Floats, rows: NDArray[np.intp], at: NDArray[np.intp], arrays: list[Floats]) -> Floats:
    """The directions of the peaks next to grid[rows, at], by Newton kept between the neighbours on the grid."""
    dx, dy, a1, b1, f1, a2, b2, f2 = arrays
    angle = grid[rows, at]
    low = angle - (angle - grid[rows, at - 1]) % (2 * np.pi)
    high = angle + (grid[rows, (at + 1) % grid.shape[1]] - angle) % (2 * np.pi)
    for _ in range(REFINEMENTS):
        c, s = np.cos(angle), np.sin(angle)
        slope, bend = dy * c - dx * s, -(dx * c + dy * s)
        for a, b, f in ((a1, b1, f1), (a2, b2, f2)):
            u, v = np.cos(angle - f), np.sin(angle - f)
            h = np.hypot(a * u, b * v)
            slope = slope + (a * a - b * b) * u * v / h
            bend = bend - (a * a * b * b / h**3 - h)
        low, high = np.where(slope > 0, angle, low), np.where(slope > 0, high, angle)
        newton = angle - slope / np.where(bend < 0, bend, -1.0)
        usable = (bend < 0) & (newton >= low) & (newton <= high)
        following = np.where(usable, newton, (low + high) / 2)
        moved = np.abs(following - angle)
        angle = following
        if not np.any(moved > 1e-12):  # at a peak the value is flat: this leaves less than 1e-20 of it
            break
    return np.asarray(angle)
