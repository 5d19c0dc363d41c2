"""Who sees whom over and past blockers that have a height, from any part of a body to any part of another?

A base with a height is a body that stands on its base. Of two bodies the tops see most: where any line between two
plan points is clear of what stands on the table, the line from top to top is. And where a point of a body is seen at
its foot, all above it is seen. So the search stays on the plan: a line that climbs from one height to another is held
against each blocker on that part of its way on which it runs below the blocker's top.

Blockers that reach above both ends of a line, or above neither, are searched exactly, as in ``sim.geometry.sight``.
Between the two the lines are tried that join points all around both bases, at most ``STEP`` apart, the points of either
that lie farthest before or behind an edge, and those through corners: a view that is wider is never missed, and one
that is found is a clear line. Whatever floats above the table is passed beneath from top to top or from foot to foot.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from sim.geometry.bodies import TOUCH, Bodies, lane, unit
from sim.geometry.distance import Segment
from sim.geometry.hidden import Rim, facing_points, hidden_part, middle_of_longest
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Placed, Point
from sim.geometry.sight import Blockers, held_by_two, sees, visible
from sim.geometry.tolerance import EPS, Bools, Floats, Ints
from sim.geometry.walls import Walls

STEP = 0.15  # inches at most between neighbouring points that are tried around a base
FEWEST = 24  # points around a small base
MOST = 96  # points around a large one
Span = tuple[float, float]

LOOKS = 32  # points of the observer that one point of a target is looked at from, besides what holds a line


@dataclass(frozen=True)
class Solids:
    """Blockers with the heights between which each lies, arrays (k,) in inches; the lower is -inf for what stands."""

    blockers: Blockers
    tops: Floats
    bottoms: Floats

    def __len__(self) -> int:
        return len(self.blockers)

    def sorted_out(self, low: float, high: float, slack: float) -> tuple[Bools, Bools]:
        """Which never hinder lines between two heights, and which do on some part of them only."""
        tops = self.tops + slack
        never = (low >= tops) | (high <= self.bottoms)
        always = (high < tops) & np.isneginf(self.bottoms)
        return never, ~never & ~always


@dataclass(frozen=True)
class _Layers:
    """Walls, each with the part of a line, by shares from its start, on which they hinder."""

    parts: tuple[tuple[Walls, float, float], ...]

    @classmethod
    def of(cls, solids: Solids, kept: Bools, start: float, end: float, slack: float) -> _Layers:
        """The layers that lines from one height to another meet.

        To every top belong all that reach as high, so that no gap opens between neighbours.
        """
        parts = []
        for bottom, top in sorted(set(zip(solids.bottoms[kept].tolist(), solids.tops[kept].tolist(), strict=True))):
            begin, stop = _between_heights(start, end, bottom, top + slack)
            if begin < stop:
                same = kept & (solids.tops >= top) & (solids.bottoms <= bottom)
                parts.append((solids.blockers.walls.only(same), begin, stop))
        return cls(tuple(parts))

    def clear(self, lines: Floats) -> Bools:
        """Which lines (n, 4) meet nothing."""
        out = np.ones(len(lines), dtype=np.bool_)
        step = lines[:, 2:] - lines[:, :2]
        for walls, begin, end in self.parts:
            rows = np.flatnonzero(out)
            here = lines[rows, :2]
            part = np.hstack((here + begin * step[rows], here + end * step[rows]))
            out[rows] = walls.clear(part, None)
        return out


def sees_over(
    observer: Placed, target: Placed, eye: Span, aim: Span, solids: Solids, ignoring: Collection[int] = ()
) -> Segment | None:
    """A clear line on the plan from one body to another, None when there is none.

    ``eye`` and ``aim`` are the lowest and highest point of each in inches above the table.
    """
    skip = np.zeros(len(solids), dtype=np.bool_)
    skip[list(ignoring)] = True
    never, mixed = solids.sorted_out(min(eye[1], aim[1]), max(eye[1], aim[1]), EPS)
    skip |= never
    found = sees(observer, target, solids.blockers, np.flatnonzero(skip).tolist())
    mixed &= ~skip
    if found is not None or not mixed.any():
        return found
    if sees(observer, target, solids.blockers, np.flatnonzero(skip | mixed).tolist()) is None:
        return None
    return _search(observer, target, eye, aim, solids, ~skip)


def visible_over(
    observers: PlacedSet, targets: PlacedSet, eyes: Floats, aims: Floats, solids: Solids, ignoring: Bools
) -> Bools:
    """Which bodies see which others, an array (n, m); ``eyes`` (n, 2) and ``aims`` (m, 2) are their lowest and highest.

    ``ignoring[i, j, k]`` says that blocker k does not hinder observer i on target j.
    """
    low = np.minimum(eyes[:, None, 1], aims[None, :, 1])[..., None]
    high = np.maximum(eyes[:, None, 1], aims[None, :, 1])[..., None]
    tops = solids.tops + EPS
    skip = ignoring | (low >= tops) | (high <= solids.bottoms)
    mixed = ~skip & ~((high < tops) & np.isneginf(solids.bottoms))
    out = visible(observers, targets, solids.blockers, skip)
    doubt = ~out & mixed.any(axis=2)
    if not doubt.any():
        return out
    doubt &= visible(observers, targets, solids.blockers, skip | mixed)
    for i, j in np.argwhere(doubt).tolist():
        e, a = (float(eyes[i, 0]), float(eyes[i, 1])), (float(aims[j, 0]), float(aims[j, 1]))
        out[i, j] = _search(observers[i], targets[j], e, a, solids, ~skip[i, j]) is not None
    return out


def hidden_at_the_foot(
    observer: Placed, target: Placed, top: float, foot: float, solids: Solids, ignoring: Collection[int] = ()
) -> Point | None:
    """A point of the target's edge that faces the observer and whose foot no part of the observer sees, or None.

    ``top`` is how high the observer reaches, ``foot`` where the target stands. The edge is looked at every degree: a
    part that is wider is never missed where blockers reach between the two heights, and none at all elsewhere.
    """
    skip = np.zeros(len(solids), dtype=np.bool_)
    skip[list(ignoring)] = True
    never, mixed = solids.sorted_out(min(top, foot), max(top, foot), -EPS)
    skip |= never
    hidden = hidden_part(observer, target, solids.blockers, np.flatnonzero(skip).tolist())
    mixed &= ~skip
    if hidden is None or not mixed.any():
        return hidden
    always = hidden_part(observer, target, solids.blockers, np.flatnonzero(skip | mixed).tolist())
    if always is not None:
        return always
    return _dark_foot(observer, target, top, foot, solids, ~skip)


def _between_heights(start: float, end: float, bottom: float, top: float) -> tuple[float, float]:
    """The shares of a line from one height to another between which it runs above a bottom and below a top."""
    below, above = _share_below(start, end, top), _share_below(-start, -end, -bottom)
    return max(below[0], above[0]), min(below[1], above[1])


def _share_below(start: float, end: float, level: float) -> tuple[float, float]:
    if start < level and end < level:
        return 0.0, 1.0
    if start >= level and end >= level:
        return 0.0, 0.0
    share = (level - start) / (end - start)
    return (0.0, share) if start < level else (share, 1.0)


def _search(observer: Placed, target: Placed, eye: Span, aim: Span, solids: Solids, kept: Bools) -> Segment | None:
    """A clear line among those that are tried, from top to top, and beneath what floats from foot to foot."""
    left, right = (Bodies.of(PlacedSet((placed,))) for placed in (observer, target))
    near = kept & solids.blockers.walls.reaching(*lane(left, right))
    ways = [(eye[1], aim[1])]
    if not np.isneginf(solids.bottoms[near]).all():
        ways += [(eye[0], aim[0]), (eye[0], aim[1]), (eye[1], aim[0])]
    for start, end in dict.fromkeys(ways):
        layers = _Layers.of(solids, near, start, end, EPS)
        walls = solids.blockers.walls.only(near)
        for lines in _tried(observer, target, left, right, walls):
            clear = np.flatnonzero(layers.clear(lines))
            if len(clear):
                ax, ay, bx, by = lines[clear[0]].tolist()
                return (ax, ay), (bx, by)
    return None


def _tried(observer: Placed, target: Placed, left: Bodies, right: Bodies, walls: Walls) -> Iterator[Floats]:
    """The lines (n, 4) on the plan that are tried, from points of the one base to points of the other."""
    mine, theirs = (_around(placed, bodies, walls) for placed, bodies in ((observer, left), (target, right)))
    yield np.hstack((np.repeat(mine, len(theirs), axis=0), np.tile(theirs, (len(mine), 1))))
    normals, offsets = lane(left, right)
    corners = walls.corners[np.all(walls.corners @ normals.T <= offsets + EPS, axis=1)]
    if not len(corners):
        return
    for points in (mine, theirs):
        start, end = np.repeat(points, len(corners), axis=0), np.tile(corners, (len(points), 1))
        yield from _through(left, right, start, unit(end - start))
    for i in range(len(left)):
        for j in range(len(right)):
            at, to = np.array([i], dtype=np.intp), np.array([j], dtype=np.intp)
            _, start, way = held_by_two(left, right, at, to, np.zeros(len(corners), dtype=np.intp), corners)
            yield from _through(left, right, start, way)


def _through(left: Bodies, right: Bodies, start: Floats, way: Floats) -> Iterator[Floats]:
    """The parts of lines from where they enter or leave the one base to where they enter or leave the other."""
    for i in range(len(left)):
        for j in range(len(right)):
            one, other, met = _ends(left, right, i, j, start, way)
            for a in one:
                for b in other:
                    yield np.hstack((start[met] + a[:, None] * way[met], start[met] + b[:, None] * way[met]))


def _ends(
    left: Bodies, right: Bodies, i: int, j: int, start: Floats, way: Floats
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], Bools]:
    found = []
    met = np.ones(len(start), dtype=np.bool_)
    for bodies, k in ((left, i), (right, j)):
        low, high, meets = bodies.clip(np.full(len(start), k, dtype=np.intp), start, way)
        found.append((low, high))
        met &= meets
    one, other = ((low[met], high[met]) for low, high in found)
    return one, other, met


def _around(placed: Placed, bodies: Bodies, walls: Walls) -> Floats:
    """Points (n, 2) all around a base, and those that lie farthest before and behind the edges of walls."""
    rim = Rim.of(placed)
    count = min(MOST, max(FEWEST, math.ceil(placed.polygon.exterior.length / STEP)))
    points = [rim.points(np.arange(count) * rim.length / count)]
    if len(rim.corners):
        points.append(rim.corners[:-1])
    steps = walls.edges[:, 2:] - walls.edges[:, :2]
    normals = unit(np.column_stack((steps[:, 1], -steps[:, 0])))
    normals = np.unique(np.round(np.vstack((normals, -normals)), 12), axis=0)
    points += [bodies.farthest(np.full(len(normals), k, dtype=np.intp), normals) for k in range(len(bodies))]
    return np.unique(np.vstack(points), axis=0)


def _dark_foot(observer: Placed, target: Placed, top: float, foot: float, solids: Solids, kept: Bools) -> Point | None:
    """The middle of the longest stretch of a target's edge whose foot is hidden, among the points that are tried."""
    left, right = (Bodies.of(PlacedSet((placed,))) for placed in (observer, target))
    near = kept & solids.blockers.walls.reaching(*lane(left, right))
    layers = _Layers.of(solids, near, foot, top, -EPS)
    walls = solids.blockers.walls.only(near)
    if len(right) > 1:  # a hull with a notch may hide itself
        layers = _Layers((*layers.parts, (Walls.of((target.polygon,)), 0.0, 1.0)))
    points, normals, faces = facing_points(target, left, right, walls)
    hidden = np.zeros(len(points), dtype=np.bool_)
    hidden[faces] = ~_lit(points[faces], normals[faces], observer, left, walls, layers)
    if not hidden.any():
        return None
    x, y = middle_of_longest(points, hidden).tolist()
    return x, y


def _lit(points: Floats, normals: Floats, observer: Placed, left: Bodies, walls: Walls, layers: _Layers) -> Bools:
    """Which points are seen at their foot from some point of the observer that is tried, looking outward."""
    out = np.zeros(len(points), dtype=np.bool_)
    around = _around(observer, left, walls)
    for spots in np.array_split(around, math.ceil(len(around) / LOOKS)):
        row, spot = _outward(points, normals, spots, ~out)
        out[row[layers.clear(np.hstack((points[row], spots[spot])))]] = True
    features = np.vstack((walls.corners, np.column_stack((left.x, left.y))))
    row, spot = _outward(points, normals, features, ~out)
    start, way = points[row], unit(features[spot] - points[row])
    for k in range(len(left)):
        low, high, meets = left.clip(np.full(len(row), k, dtype=np.intp), start, way)
        for far in (low, high):
            keep = np.flatnonzero(meets & (far >= 0))
            lines = np.hstack((start[keep], start[keep] + far[keep, None] * way[keep]))
            out[row[keep[layers.clear(lines)]]] = True
    return out


def _outward(points: Floats, normals: Floats, spots: Floats, wanted: Bools) -> tuple[Ints, Ints]:
    """The couples of a wanted point and a spot that lies on the outer side of the edge at that point."""
    side = np.sum(normals * points, axis=1)
    row, spot = np.nonzero((normals @ spots.T >= side[:, None] - TOUCH) & wanted[:, None])
    return row, spot
