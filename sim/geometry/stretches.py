"""Where along its path does a base lie over a piece of ground? As stretches of inches from the start.

Along a straight leg a base without a notch lies over a piece without one on one stretch, and its ends are exact, for
ovals too: seen from an oval that is drawn out to a disc, the piece is a polygon still and the leg a line. Shapes with
notches are taken as convex parts. A pivot takes no inches: what it sweeps over is a stretch of no length.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import shapely
from shapely import MultiPoint, Polygon

from sim.geometry.growing import convex_parts, convex_pieces
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose, Round
from sim.geometry.sweep import Leg, Path, Sweep
from sim.geometry.tolerance import EPS, Floats

Stretch = tuple[float, float]


def stretches(base: Base, path: Path, outline: tuple[Point, ...]) -> list[Stretch]:
    """The stretches of a path, in inches from its start, on which a base lies over an outline, in order and apart."""
    found: list[Stretch] = []
    gone = 0.0
    for leg in path.legs if path.stops else (Leg(path.start, path.start),):
        found.extend((gone + low, gone + high) for low, high in _on_leg(base, leg, outline))
        gone += leg.length
    return _joined(found)


def lies_over(placed: Placed, outline: tuple[Point, ...]) -> bool:
    """Whether a base shares ground with an outline, by more than a touch."""
    return any(_on_leg(placed.base, Leg(placed.pose, placed.pose), outline))


def _on_leg(base: Base, leg: Leg, outline: tuple[Point, ...]) -> Iterator[Stretch]:
    if leg.turn and not isinstance(base, Round):
        piece = Placed(Hull(outline), Pose(0.0, 0.0))
        if Sweep(base, Path(leg.start, (leg.end,))).separations(PlacedSet((piece,)))[0] < -EPS:
            yield 0.0, 0.0
        return
    start, step = np.array(leg.start.at), np.subtract(leg.end.at, leg.start.at)
    for part in convex_parts(base):
        seen = Placed(part, Pose(0.0, 0.0, leg.start.facing))
        for ring in _convex(outline):
            shares = _over(seen, ring, start, step)
            if shares is not None:
                yield shares[0] * leg.length, shares[1] * leg.length


@lru_cache(maxsize=4096)
def _convex(outline: tuple[Point, ...]) -> tuple[Floats, ...]:
    """An outline as rings (n, 2) of convex pieces, counter-clockwise and not closed."""
    pieces = (piece.polygon for piece in convex_pieces(Placed(Hull(outline), Pose(0.0, 0.0))))
    return tuple(_ring(piece) for piece in pieces)


def _ring(polygon: Polygon) -> Floats:
    ring = shapely.get_coordinates(polygon.exterior)[:-1]
    return np.asarray(ring if polygon.exterior.is_ccw else ring[::-1])


def _over(base: Placed, ring: Floats, start: Floats, step: Floats) -> Stretch | None:
    """The shares of a step on which a convex base about the origin lies over a convex ring; None where it never does.

    An oval is measured in its own half axes, where it is a disc of radius 1.
    """
    if base.kind == "ellipse":
        (a, b), angle = base.semi_axes, math.radians(base.pose.facing)
        cos, sin = math.cos(angle), math.sin(angle)
        own = np.array([[cos / a, -sin / b], [sin / a, cos / b]])
        return _within_disc(ring @ own, start @ own, step @ own, 1.0 - EPS / min(a, b))
    sums = (ring[:, None] - np.array(base.corners)[None]).reshape(-1, 2)
    hull = shapely.convex_hull(MultiPoint(sums))
    return _inside(_ring(hull), start, step, EPS)


def _inside(ring: Floats, start: Floats, step: Floats, depth: float) -> Stretch | None:
    """The shares of a step that lie deeper than so much inside a convex ring."""
    edges = np.roll(ring, -1, axis=0) - ring
    normals = np.column_stack((edges[:, 1], -edges[:, 0])) / np.hypot(edges[:, 0], edges[:, 1])[:, None]
    out, pace = np.sum((start - ring) * normals, axis=1) + depth, normals @ step
    if np.any(out[pace == 0] > 0):
        return None
    leaving, entering = pace > 0, pace < 0
    low = max(0.0, float(np.max(-out[entering] / pace[entering], initial=0.0)))
    high = min(1.0, float(np.min(-out[leaving] / pace[leaving], initial=1.0)))
    return (low, high) if low <= high else None


def _within_disc(ring: Floats, start: Floats, step: Floats, radius: float) -> Stretch | None:
    """The shares of a step at which a disc lies over a convex ring: over a corner, along an edge, or within."""
    inner = _inside(ring, start, step, 0.0)
    found = [] if inner is None else [inner]
    away, square = start - ring, float(step @ step)
    if square == 0:
        edges = np.roll(ring, -1, axis=0) - ring
        along = np.clip(np.sum(away * edges, axis=1) / np.sum(edges * edges, axis=1), 0.0, 1.0)
        near = np.linalg.norm(away - along[:, None] * edges, axis=1).min() <= radius
        return (0.0, 0.0) if inner is not None or near else None
    middle = -(away @ step) / square
    spare = middle**2 - (np.sum(away * away, axis=1) - radius**2) / square
    half = np.sqrt(spare[spare >= 0])
    found += list(zip((middle[spare >= 0] - half).tolist(), (middle[spare >= 0] + half).tolist(), strict=True))
    edges = np.roll(ring, -1, axis=0) - ring
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    ways = edges / lengths[:, None]
    across = np.column_stack((ways[:, 1], -ways[:, 0]))
    low, high = _between(np.sum(away * across, axis=1), across @ step, -radius, radius)
    first, last = _between(np.sum(away * ways, axis=1), ways @ step, 0.0, lengths)
    low, high = np.maximum(low, first), np.minimum(high, last)
    found += list(zip(low[low <= high].tolist(), high[low <= high].tolist(), strict=True))
    if not found:
        return None
    begin, end = max(0.0, min(low for low, _ in found)), min(1.0, max(high for _, high in found))
    return (begin, end) if begin <= end else None


def _between(at: Floats, pace: Floats, low: float, high: float | Floats) -> tuple[Floats, Floats]:
    """From when to when numbers that change at a pace lie between two limits."""
    still = pace == 0
    safe = np.where(still, 1.0, pace)
    one, other = (low - at) / safe, (high - at) / safe
    first, last = np.minimum(one, other), np.maximum(one, other)
    never = still & ((at < low) | (at > high))
    return np.where(still, np.where(never, np.inf, -np.inf), first), np.where(still, np.inf, last)


def _joined(found: list[Stretch]) -> list[Stretch]:
    out: list[Stretch] = []
    for low, high in sorted(found):
        if out and low <= out[-1][1] + EPS:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return out
