"""How is a line cut into dashes, dots and hatching? Points in picture units; numbers only, no pixels yet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sim.geometry import Point

Floats = NDArray[np.float64]
Stretch = list[Point]
Bounds = tuple[float, float, float, float]


def bounds(points: Sequence[Point]) -> Bounds:
    """Left, top, right and bottom of the smallest upright box round the points."""
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys))


def middle(points: Sequence[Point]) -> Point:
    """The middle of the corners."""
    return (math.fsum(x for x, _ in points) / len(points), math.fsum(y for _, y in points) / len(points))


def ellipse(at: Point, a: float, b: float, angle: float, count: int = 72) -> Stretch:
    """Corners on an ellipse with half axes ``a`` along ``angle`` (degrees, y running down) and ``b`` across."""
    turn = math.radians(angle)
    c, s = math.cos(turn), math.sin(turn)
    steps = (2 * math.pi * k / count for k in range(count))
    return [
        (at[0] + a * math.cos(t) * c - b * math.sin(t) * s, at[1] + a * math.cos(t) * s + b * math.sin(t) * c)
        for t in steps
    ]


def shrunk(points: Sequence[Point], share: float, towards: Point | None = None) -> Stretch:
    """The outline scaled by ``share`` about its middle or another point."""
    cx, cy = towards or middle(points)
    return [(cx + (x - cx) * share, cy + (y - cy) * share) for x, y in points]


def inset(points: Sequence[Point], distance: float) -> Stretch:
    """The outline with every edge moved inwards by ``distance``, outwards when that is negative."""
    turn = 1.0 if _signed_area(points) > 0 else -1.0
    moved = []
    for before, here, after in zip(_rolled(points, -1), points, _rolled(points, 1), strict=True):
        ax, ay = _normal(before, here, turn)
        bx, by = _normal(here, after, turn)
        bend = max(1 + ax * bx + ay * by, 0.25)
        moved.append((here[0] + (ax + bx) / bend * distance, here[1] + (ay + by) / bend * distance))
    return moved


def thinned(points: Sequence[Point], least: float = 0.8) -> Stretch:
    """The same line without the points that are closer than ``least`` to the last one kept."""
    kept = [points[0]]
    for point in points[1:]:
        last = kept[-1]
        if abs(point[0] - last[0]) + abs(point[1] - last[1]) >= least:
            kept.append(point)
    return kept


def dashes(points: Sequence[Point], on: float, off: float, closed: bool = False) -> list[Stretch]:
    """The line cut into dashes; a closed one carries a whole number of them, so that no seam shows."""
    line, along = _measured(points, closed)
    total = float(along[-1])
    if total <= on:
        return [[(float(x), float(y)) for x, y in line]]
    if closed:
        stretch = total / max(round(total / (on + off)), 1) / (on + off)
        on, off = on * stretch, off * stretch
    starts = np.arange(0.0, total - 1e-9, on + off)
    ends = np.minimum(starts + on, total)
    return [_between(line, along, s, e) for s, e in zip(starts, ends, strict=True)]


def spots(points: Sequence[Point], step: float, closed: bool = False) -> list[Point]:
    """Points along the line, about ``step`` apart; on a closed one evenly, so that no seam shows."""
    line, along = _measured(points, closed)
    total = float(along[-1])
    count = max(round(total / step), 1)
    at = np.arange(count) * (total / count) if closed else np.arange(0.0, total + 1e-9, step)
    xs, ys = np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def hatching(box: Bounds, step: float, angle: float = 45.0) -> list[tuple[Point, Point]]:
    """Parallel lines ``step`` apart that cover a box; they keep their places when the box moves."""
    turn = math.radians(angle)
    ux, uy = math.cos(turn), math.sin(turn)
    corners = [(box[i], box[j]) for i in (0, 2) for j in (1, 3)]
    across = [-uy * x + ux * y for x, y in corners]
    along = [ux * x + uy * y for x, y in corners]
    first, last = math.floor(min(across) / step), math.ceil(max(across) / step)
    near, far = min(along), max(along)
    return [
        ((ux * near - uy * d, uy * near + ux * d), (ux * far - uy * d, uy * far + ux * d))
        for d in (k * step for k in range(first, last + 1))
    ]


def within_box(stretches: Iterable[Stretch], box: Bounds) -> list[Stretch]:
    """The stretches that touch a box, as far as their ends tell."""
    left, top, right, bottom = box
    return [
        s
        for s in stretches
        if max(s[0][0], s[-1][0]) >= left
        and min(s[0][0], s[-1][0]) <= right
        and max(s[0][1], s[-1][1]) >= top
        and min(s[0][1], s[-1][1]) <= bottom
    ]


def crossings(points: Sequence[Point], y: float) -> list[tuple[float, float]]:
    """The stretches of the level line ``y`` that are inside the outline, as left and right ends."""
    xs = []
    for (x1, y1), (x2, y2) in zip(points, _rolled(points, 1), strict=True):
        if (y1 > y) != (y2 > y):
            xs.append(x1 + (y - y1) / (y2 - y1) * (x2 - x1))
    xs.sort()
    return list(zip(xs[::2], xs[1::2], strict=False))


def inside(points: Sequence[Point], at: Point) -> bool:
    """Whether a point is inside the outline."""
    return any(left < at[0] < right for left, right in crossings(points, at[1]))


def _rolled(points: Sequence[Point], by: int) -> list[Point]:
    return [*points[by:], *points[:by]]


def _signed_area(points: Sequence[Point]) -> float:
    pairs = zip(points, _rolled(points, 1), strict=True)
    return math.fsum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


def _normal(one: Point, other: Point, turn: float) -> Point:
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = math.hypot(dx, dy) or 1.0
    return (-dy / length * turn, dx / length * turn)


def _measured(points: Sequence[Point], closed: bool) -> tuple[Floats, Floats]:
    line = np.asarray([*points, points[0]] if closed else points, dtype=np.float64)
    steps = np.hypot(*np.diff(line, axis=0).T)
    return line, np.concatenate(([0.0], np.cumsum(steps)))


def _between(line: Floats, along: Floats, start: float, end: float) -> Stretch:
    first, last = np.searchsorted(along, (start, end), side="right")
    ends = np.interp((start, end), along, line[:, 0]), np.interp((start, end), along, line[:, 1])
    inner = [(float(x), float(y)) for x, y in line[first:last] if (x, y) != (ends[0][1], ends[1][1])]
    return [(float(ends[0][0]), float(ends[1][0])), *inner, (float(ends[0][1]), float(ends[1][1]))]
