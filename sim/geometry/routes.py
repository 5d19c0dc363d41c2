"""Which is the shortest way round what stands in the way?

Every obstacle, grown by its clearance and by the base that goes, becomes a convex *zone* whose straight sides lie just
outside the true border. A shortest way runs straight from corner to corner of the zones, and only along lines that
touch the zones at both ends. Such lines are kept as a graph; a start and a goal are tied to it when they are asked for.

The base keeps its facing all the way. What is found is a proposal: the constraints' ``judge_paths`` has the last word.
"""

from __future__ import annotations

import heapq
import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry.arcs import ArcRegion
from sim.geometry.constraints import KeepClear, StayInside
from sim.geometry.distance import is_convex
from sim.geometry.growing import convex_parts, convex_pieces, ring_of, support_rim
from sim.geometry.sets import Objects
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose, Round
from sim.geometry.sweep import Path, Sweep
from sim.geometry.tolerance import Bools, Floats, Ints

MARGIN = 0.002  # inches that the sides of a zone lie outside the true border
CORE = 0.001  # inches outside the true border that a line may come; less than MARGIN, so that touching is passing
SLACK = 0.008  # inches that the corners of a zone may lie farther out than its sides
WIDEST_TURN = math.radians(100)  # from one side of a zone to the next
SAME_TURN = 1e-5  # radians; two sides that differ by less are one
STRAIGHT = 1e-5  # sine of a turn below which a corner of the ground bends no way
ON_BORDER = 1e-6  # inches outside the ground that still count as on it
ARC_STEP = math.radians(2)  # between two corners of a drawn arc
OVERLAP = 1e-3  # radians by which fans reach beyond one another, so that no cracks show
TOUCH = 1e-4  # inches that a line may cut into the corner of a zone and still touch it
ALONG = (0.0, 0.003, 0.01, 0.04)  # inches along the border of a region from the ends of its pieces, where a way may end
HIDDEN = 0.3  # inches before the end of a way within which the map may see what is no obstacle to it
MOST_LEGS = 400  # last legs that the map does not see free and that are looked at all the same
PULLS, PULL_HALVINGS = 2, 8  # rounds in which bends are drawn in, and halvings of each
ROWS = 4096  # lines that are looked at in one go

Way = tuple[Point, ...]


@dataclass(frozen=True)
class Map:
    """Where the centre of one base may pass, as polygons, with its visibility graph.

    ``moving`` are the constraints, taken for everybody and at height 0. ``ground`` is safe: no point of it breaks a
    constraint. It may lack what is legal less than 0.01" off an obstacle, and gates with less than 0.02" to spare.
    """

    moving: tuple[KeepClear | StayInside, ...]
    base: Base
    facing: float
    table: BaseGeometry
    ground: BaseGeometry
    blocked: Blocked

    @classmethod
    def of(cls, moving: Sequence[KeepClear | StayInside], base: Base, facing: float, table: BaseGeometry) -> Map:
        """The map for a base at a facing whose centre stays on the table.

        Constraints that hold for some members are taken as holding for all; ``vertical`` and ``tops`` are not asked.
        """
        parts = [Placed(part, Pose(0.0, 0.0, facing)) for part in convex_parts(base)]
        ground, zones = _inside(table, table, [None])
        for constraint in moving:
            if isinstance(constraint, KeepClear):
                zones += _zones(constraint.obstacles.bases, parts, constraint.distance)
            else:
                kept, more = _inside(constraint.region, table, parts)
                ground = ground.intersection(kept)
                zones += more
                discs = [Placed(Round(2 * radius), Pose(*centre)) for centre, radius in constraint.discs]
                zones += _zones(discs, parts, 0.0)
        if zones:
            ground = ground.difference(shapely.union_all(_polygons([zone.outer for zone in zones])))
        ground = _only_polygons(ground)
        shapely.prepare(ground)
        return cls(tuple(_for_all(c) for c in moving), base, facing, table, ground, Blocked.of(zones))

    def route(self, start: Point, goal: Point) -> Way | None:
        """The waypoints of the shortest way, without the start, the goal last; None when there is none.

        A start or a goal beside the ground, such as a base in touch with an obstacle, is tied to the nearest point of
        the ground by a straight step, if the constraints allow that step; waypoints that the exact judge can do
        without are then left out. A start that the constraints do not allow has no way.
        """
        first, last = self._foothold(start), self._foothold(goal)
        if first is None or last is None:
            return None
        aside = first != start or last != goal
        if aside and self._allows(start, goal):
            return (goal,)
        bends = self._bends(first, last)
        if bends is None:
            return None
        way = [first, *bends, last]
        if first != start:
            way = [start, *(way[1:] if self._allows(start, way[1]) else way)]
        if last != goal:
            way = [*(way[:-1] if self._allows(way[-2], goal) else way), goal]
        return tuple(way[1:])

    def distance(self, start: Point, goal: Point) -> float:
        """The length of the shortest way in inches; infinity when there is none."""
        way = self.route(start, goal)
        return math.inf if way is None else path_length(start, way)

    def ways_into(self, start: Point, region: ArcRegion, most: float) -> Iterator[tuple[float, Way]]:
        """Ways from a start to the border of a region, at most so long, with their lengths, the shortest first.

        From the start and from every corner that a way can bend round, straight to the border. What is to be expected
        of ``route`` holds: no way is too short, and one may be too long by what the map leaves beside obstacles.
        """
        first = self._foothold(start)
        if first is None:
            return
        lead = math.dist(start, first)
        nodes, parents, gone = [-1], {-1: -1}, [lead]
        if len(self.blocked.cores):
            spots = self._graph.spots
            for node, length, parent in _search(self._graph.links, self._seen(first), np.zeros(len(spots)).tolist()):
                if lead + length > most:
                    break
                parents[node] = parent
                nodes.append(node)
                gone.append(lead + length)
        for length, row, end in self._last_legs(first, nodes, gone, region, most):
            back = [nodes[row]]
            while back[-1] >= 0:
                back.append(parents[back[-1]])
            bends = [self._spot(node) for node in reversed(back) if node >= 0]
            way = [*([first] if first != start else []), *bends, end]
            yield length, tuple(way)

    def tightened(self, start: Point, way: Way) -> Way:
        """The same way with its bends drawn in as far as the exact judge lets them."""
        points = [start, *way]
        for _ in range(PULLS):
            for k in range(1, len(points) - 1):
                before, here, after = points[k - 1], points[k], points[k + 1]
                foot = _foot(here, before, after)
                low, high = 0.0, 1.0
                for _ in range(PULL_HALVINGS):
                    share = (low + high) / 2
                    there = (here[0] + (foot[0] - here[0]) * share, here[1] + (foot[1] - here[1]) * share)
                    free = self._allows(before, there) and self._allows(there, after)
                    low, high = (share, high) if free else (low, share)
                points[k] = (here[0] + (foot[0] - here[0]) * low, here[1] + (foot[1] - here[1]) * low)
        return tuple(points[1:])

    def _spot(self, node: int) -> Point:
        x, y = self._graph.spots[node].tolist()
        return x, y

    def _last_legs(
        self, first: Point, nodes: Sequence[int], gone: Sequence[float], region: ArcRegion, most: float
    ) -> Iterator[tuple[float, int, Point]]:
        """Whole lengths, rows of nodes and ends of ways whose last leg is free, the shortest first."""
        origins = [first if node < 0 else self._spot(node) for node in nodes]
        ends = [region.candidates(origin, ALONG) for origin in origins]
        rows = np.repeat(np.arange(len(nodes)), [len(some) for some in ends])
        points, here = np.vstack(ends), np.array(origins)[rows]
        lengths = np.array(gone)[rows] + np.hypot(*(points - here).T)
        kept = np.flatnonzero(lengths <= most)
        kept = kept[np.argsort(lengths[kept], kind="stable")]
        easy = np.zeros(len(lengths), dtype=np.bool_)
        easy[kept] = self.blocked.lets_pass(here[kept], points[kept])
        tried = 0
        for k in kept.tolist():
            end = (float(points[k, 0]), float(points[k, 1]))
            origin = (float(here[k, 0]), float(here[k, 1]))
            if not easy[k]:
                tried += 1
                if tried > MOST_LEGS or not self._opens(origin, end):
                    continue
            if self._allows(origin, end):
                yield float(lengths[k]), int(rows[k]), end

    def _opens(self, origin: Point, end: Point) -> bool:
        """Whether a leg is free up to a little before its end, where what it comes to may hide the ground."""
        length = math.dist(origin, end)
        if length <= HIDDEN:
            return True
        share = 1 - HIDDEN / length
        near = (origin[0] + (end[0] - origin[0]) * share, origin[1] + (end[1] - origin[1]) * share)
        return bool(self.blocked.lets_pass(np.array([origin]), np.array([near]))[0])

    def towards(self, start: Point, goal: Point, reach: float) -> Way | None:
        """The way to the goal, cut off after ``reach`` inches; None when the start cannot be left at all.

        When no way leads to the goal, the nearest point of the ground that the start is on takes its place.
        """
        way = self.route(start, goal)
        if way is None:
            first = self._foothold(start)
            if first is None:
                return None
            own = MultiPolygon([part for part in self.ground.geoms if _is_on(part, first)])
            way = self.route(start, _nearest(own, goal))
        return None if way is None else cut_off(start, way, reach)

    def within(self, start: Point, reach: float) -> BaseGeometry:
        """The ground that ways of at most ``reach`` inches lead to; never too large, its arcs are inscribed."""
        first = self._foothold(start)
        spare = reach - (math.dist(start, first) if first else 0.0)
        if first is None or spare <= 0:
            return MultiPolygon()
        fans = [(first, spare, 0.0, 2 * math.pi)]
        spots, came_from = self._graph.spots, {-1: first}
        for node, length, parent in _search(self._graph.links, self._seen(first), np.zeros(len(spots)).tolist()):
            if length >= spare:
                break
            came_from[node] = (float(spots[node, 0]), float(spots[node, 1]))
            fans.append((came_from[node], spare - length, *self._graph.turn(node, came_from[parent])))
        return _only_polygons(self.ground.intersection(shapely.union_all(self.blocked.seen_in(fans))))

    def _foothold(self, point: Point) -> Point | None:
        """The point itself when it lies on the ground, else the nearest point there that one step leads to."""
        if _is_on(self.ground, point):
            return point
        if self.ground.is_empty:
            return None
        near = _nearest(self.ground, point)
        return near if self._allows(point, near) else None

    def _allows(self, start: Point, end: Point) -> bool:
        """Whether the exact judge lets the base go straight from one point to another."""
        if not shapely.covers(shapely.buffer(self.table, ON_BORDER), LineString([start, end])):
            return False
        sweep = Sweep(self.base, Path.through(Pose(*start, self.facing), [end]))
        return not any(c.blocks(sweep) for c in self.moving)

    def _bends(self, start: Point, goal: Point) -> list[Point] | None:
        """The corners that the shortest way from one point of the ground to another turns round."""
        if self.blocked.lets_pass(np.array([start]), np.array([goal]))[0]:
            return []
        from_start, to_goal = self._seen(start), self._seen(goal)
        spots = self._graph.spots
        ahead = np.hypot(*(spots - np.array(goal)).T).tolist()
        best, last, parents = math.inf, -1, {-1: -1}
        for node, length, parent in _search(self._graph.links, from_start, ahead):
            if length + ahead[node] >= best:
                break
            parents[node] = parent
            if length + to_goal.get(node, math.inf) < best:
                best, last = length + to_goal[node], node
        if last < 0:
            return None
        back = [last]
        while parents[back[-1]] >= 0:
            back.append(parents[back[-1]])
        return [(float(x), float(y)) for x, y in spots[back[::-1]]]

    def _seen(self, point: Point) -> dict[int, float]:
        """The corners that a shortest way can lead straight to from a point, with their distances."""
        graph = self._graph
        nodes = np.flatnonzero(graph.touched_from(point))
        spots = graph.spots[nodes]
        clear = self.blocked.lets_pass(np.broadcast_to(np.array(point), spots.shape), spots)
        lengths = np.hypot(*(spots[clear] - np.array(point)).T)
        return dict(zip(nodes[clear].tolist(), lengths.tolist(), strict=True))

    @cached_property
    def _graph(self) -> _Graph:
        return _Graph.of(self.ground, self.blocked)


@dataclass(frozen=True)
class _Zone:
    """A convex ring (k, 2) that no centre may enter, a smaller one that no line may meet, and a disc within both."""

    outer: Floats
    core: Floats
    heart: Floats  # x, y, radius

    def moved(self, x: float, y: float) -> _Zone:
        step = np.array([x, y])
        return _Zone(self.outer + step, self.core + step, self.heart + np.array([x, y, 0.0]))


@dataclass(frozen=True)
class Blocked:
    """The convex rings that no line may meet; in each of them a disc, rows (n, 3) as x, y, radius."""

    cores: tuple[Floats, ...]
    hearts: Floats

    @classmethod
    def of(cls, zones: Sequence[_Zone]) -> Blocked:
        """What the zones block."""
        hearts = np.array([zone.heart for zone in zones]).reshape(-1, 3)
        return cls(tuple(zone.core for zone in zones), hearts)

    def lets_pass(self, starts: Floats, ends: Floats) -> Bools:
        """Which straight lines from one point outside to another, arrays (n, 2), meet nothing on their way."""
        out = np.ones(len(starts), dtype=np.bool_)
        if not self.cores:
            return out
        for k in range(0, len(starts), ROWS):
            out[k : k + ROWS] = ~self._through_a_heart(starts[k : k + ROWS], ends[k : k + ROWS])
        left = np.flatnonzero(out)
        lines = shapely.linestrings(np.stack((starts[left], ends[left]), axis=1))
        out[left] = ~shapely.intersects(self._rims, lines)
        return out

    def seen_in(self, fans: Sequence[tuple[Point, float, float, float]]) -> list[BaseGeometry]:
        """What can be seen in fans: a point, a radius, and the angles from and to, in radians."""
        whole = np.array([_fan(*fan) for fan in fans])
        fan, core = self._tree.query(whole, predicate="intersects")
        if not len(fan):
            return list(whole)
        shadows = self._shadows(np.array([fans[k][0] for k in fan]), np.array([fans[k][1] for k in fan]), core)
        order = np.argsort(fan, kind="stable")
        fan, shadows = fan[order], shadows[order]
        seen = list(whole)
        for some in np.split(np.arange(len(fan)), np.flatnonzero(np.diff(fan)) + 1):
            k = int(fan[some[0]])
            seen[k] = whole[k].difference(shapely.union_all(shadows[some]))
        return seen

    def _through_a_heart(self, starts: Floats, ends: Floats) -> Bools:
        step = ends - starts
        length = np.hypot(step[:, 0], step[:, 1])
        unit = step / np.where(length > 0, length, 1.0)[:, None]
        x, y, radius = self.hearts.T
        along = _plane(np.column_stack((unit, -np.sum(unit * starts, axis=1))), x, y)
        beside = np.abs(_plane(_side_rows(starts, unit), x, y))
        return np.asarray(np.any((beside < radius) & (along > 0) & (along < length[:, None]), axis=1))

    def _shadows(self, lights: Floats, reach: Floats, cores: Ints) -> Objects:
        """What lies in or behind a core, seen from a point outside, as far as the reach: convex shapes."""
        rings = [self.cores[k] - light for k, light in zip(cores.tolist(), lights, strict=True)]
        sizes = np.array([len(ring) for ring in rings])
        which = np.repeat(np.arange(len(rings)), sizes)
        middle = np.array([math.atan2(y, x) for x, y in (ring.mean(axis=0) for ring in rings)])
        corners = np.vstack(rings)
        aside = np.arctan2(corners[:, 1], corners[:, 0]) - middle[which]
        aside = (aside + math.pi) % (2 * math.pi) - math.pi
        begins = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        low, high = np.minimum.reduceat(aside, begins), np.maximum.reduceat(aside, begins)
        far = [middle + turn for turn in (low, (low + high) / 2, high)]
        behind = [np.column_stack((np.cos(a), np.sin(a))) * 1.5 * reach[:, None] + lights for a in far]
        points = np.vstack((corners + lights[which], *behind))
        owner = np.concatenate((which, *[np.arange(len(rings))] * 3))
        order = np.argsort(owner, kind="stable")
        clouds = shapely.multipoints(points[order], indices=owner[order])
        return np.asarray(shapely.convex_hull(clouds))

    @cached_property
    def _rims(self) -> BaseGeometry:
        rims = shapely.multilinestrings(shapely.get_exterior_ring(_polygons(self.cores)))
        shapely.prepare(rims)
        return rims

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree(_polygons(self.cores))


@dataclass(frozen=True)
class _Graph:
    """The corners that a way can bend round (n, 2), the steps to the corner before and after, and free lines."""

    spots: Floats
    before: Floats
    after: Floats
    links: list[list[tuple[int, float]]]

    @classmethod
    def of(cls, ground: BaseGeometry, blocked: Blocked) -> _Graph:
        """The graph of some ground; lines are free when nothing blocked is in their way."""
        spots, before, after = _reflex_corners(ground)
        bare = cls(spots, before, after, [[] for _ in spots])
        first, second = bare._touching_both()
        free = blocked.lets_pass(spots[first], spots[second])
        first, second = first[free], second[free]
        lengths = np.hypot(*(spots[first] - spots[second]).T).tolist()
        for i, j, length in zip(first.tolist(), second.tolist(), lengths, strict=True):
            bare.links[i].append((j, length))
            bare.links[j].append((i, length))
        return bare

    def touched_from(self, point: Point) -> Bools:
        """Which corners a line from a point passes without cutting into their zone."""
        step = np.array(point) - self.spots
        left = step[:, 0] * self.before[:, 1] - step[:, 1] * self.before[:, 0]
        right = step[:, 0] * self.after[:, 1] - step[:, 1] * self.after[:, 0]
        return _on_one_side(left, right)

    def turn(self, node: int, parent: Point) -> tuple[float, float]:
        """The angles between which a way that comes from a point goes on behind a corner, a little widened."""
        x, y = self.spots[node] - np.array(parent)
        (ax, ay), (bx, by) = self.before[node], self.after[node]
        to_the_right = (x * ay - y * ax) + (x * by - y * bx) < 0
        u, v = (bx, by) if to_the_right else (ax, ay)
        ahead = math.atan2(y, x)
        turned = math.atan2(x * v - y * u, x * u + y * v)
        return ahead + min(turned, 0.0) - OVERLAP, ahead + max(turned, 0.0) + OVERLAP

    def _touching_both(self) -> tuple[Ints, Ints]:
        """The pairs of corners whose line touches the zones at both ends."""
        count = len(self.spots)
        spots = self.spots - np.min(self.spots, axis=0, initial=math.inf)  # small numbers, to be exact in half the bits
        x, y = spots.T.astype(np.float32)
        touches = np.empty((count, count), dtype=np.bool_)
        sides = [_side_rows(spots, steps).astype(np.float32) for steps in (self.before, self.after)]
        for k in range(0, count, ROWS // 16):
            left, right = (_plane(rows[k : k + ROWS // 16], x, y) for rows in sides)
            touches[k : k + ROWS // 16] = _on_one_side(left, right)
        first, second = np.nonzero(touches & touches.T)
        once = first < second
        return first[once], second[once]


def _plane(rows: NDArray[Any], x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Rows (n, 3) times (x, y, 1), an array (n, m); without BLAS, whose threads cost more than they save here."""
    return np.asarray(rows[:, 0:1] * x + rows[:, 1:2] * y + rows[:, 2:3])


def _side_rows(spots: Floats, steps: Floats) -> Floats:
    """Rows that, times (x, y, 1), tell on which side of a step from its spot a point lies; unit steps."""
    return np.column_stack((steps[:, 1], -steps[:, 0], spots[:, 1] * steps[:, 0] - spots[:, 0] * steps[:, 1]))


def _on_one_side(left: NDArray[Any], right: NDArray[Any]) -> Bools:
    return np.asarray((np.minimum(left, right) >= -TOUCH) | (np.maximum(left, right) <= TOUCH))


def _reflex_corners(ground: BaseGeometry) -> tuple[Floats, Floats, Floats]:
    """The corners at which the ground gives a way something to turn round, and unit steps to their neighbours."""
    rings = shapely.get_rings(shapely.get_parts(shapely.orient_polygons(ground)))
    spots, ring = shapely.get_coordinates(rings, return_index=True)
    open_ended = np.append(ring[1:] == ring[:-1], False)
    spots, ring = spots[open_ended], ring[open_ended]
    count = len(spots)
    firsts = np.flatnonzero(np.append(True, ring[1:] != ring[:-1]))
    lasts = np.append(firsts[1:], count) - 1
    earlier, later = np.arange(count) - 1, np.arange(count) + 1
    earlier[firsts], later[lasts] = lasts, firsts
    before, after = _unit(spots[earlier] - spots), _unit(spots[later] - spots)
    bends = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] > STRAIGHT
    return spots[bends], before[bends], after[bends]


def _unit(steps: Floats) -> Floats:
    return np.asarray(steps / np.hypot(steps[:, 0], steps[:, 1])[:, None])


def _search(
    links: Sequence[Sequence[tuple[int, float]]], first: dict[int, float], ahead: Sequence[float]
) -> Iterator[tuple[int, float, int]]:
    """The corners, each with the length of the shortest way to it and the corner before (-1 for the start).

    They come in the order of that length and what is at least ``ahead`` together.
    """
    heap = [(length + ahead[node], length, node, -1) for node, length in first.items()]
    heapq.heapify(heap)
    known = dict(first)
    done: set[int] = set()
    while heap:
        _, length, node, parent = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        yield node, length, parent
        for other, step in links[node]:
            there = length + step
            if other not in done and there < known.get(other, math.inf):
                known[other] = there
                heapq.heappush(heap, (there + ahead[other], there, other, node))


def _inside(
    region: BaseGeometry, table: BaseGeometry, parts: Sequence[Placed | None]
) -> tuple[BaseGeometry, list[_Zone]]:
    """Where every part of a base stays inside a region: some ground, and the zones that are to be left out of it.

    A convex region needs no zones, since no straight line between two of its points leaves it.
    """
    if region.geom_type == "Polygon" and not region.interiors and is_convex(region):
        return shapely.intersection_all([_shrunk(region, part) for part in parts]), []
    spare = 1.0 + 2 * max((part.radius for part in parts if part), default=0.0)
    x0, y0, x1, y1 = shapely.union(region, table).bounds
    outside = shapely.box(x0 - spare, y0 - spare, x1 + spare, y1 + spare).difference(region)
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(outside))
    walls = [Placed(Hull(ring_of(triangle)), Pose(0.0, 0.0)) for triangle in triangles]
    return region, _zones(walls, parts, 0.0)


def _shrunk(region: Polygon, part: Placed | None) -> BaseGeometry:
    """Where the centre of a base may be that stands in a convex region with a margin; without a base, the region."""
    if part is None:
        return region
    rim = np.array(part.corners) if part.kind == "polygon" else _sides_of(part, None, 0.0)[2]
    corners = shapely.get_coordinates(region)
    moved = shapely.polygons(corners[None, :, :] - rim[:, None, :])
    return shapely.intersection_all(moved).buffer(-MARGIN, join_style="mitre")


def _zones(bases: Iterable[Placed], parts: Sequence[Placed | None], distance: float) -> list[_Zone]:
    """The zones of obstacles for every part of a base; like obstacles share theirs."""
    zones = []
    for base in bases:
        for piece in convex_pieces(base):
            facing = 0.0 if isinstance(piece.base, Round) else piece.pose.facing
            still = Placed(piece.base, Pose(0.0, 0.0, facing))
            zones += [_zone(still, part, distance).moved(*piece.pose.at) for part in parts]
    return zones


@lru_cache(maxsize=4096)
def _zone(still: Placed, part: Placed | None, distance: float) -> _Zone:
    angles, reach, core = _sides_of(still, part, distance + CORE)
    outer = _ring(angles, reach + MARGIN - CORE)
    middle = core.mean(axis=0)
    depth = reach - np.column_stack((np.cos(angles), np.sin(angles))) @ middle
    return _Zone(outer, core, np.append(middle, depth.min()))


def _sides_of(still: Placed, part: Placed | None, distance: float) -> tuple[Floats, Floats, Floats]:
    """Sides round an obstacle grown by a distance and a base: their directions, how far out they lie, the corners."""
    angles = _directions(still, part, distance + MARGIN)
    normals = np.column_stack((np.cos(angles), np.sin(angles)))
    reach = distance + np.sum(support_rim(still, angles) * normals, axis=1)
    if part is not None:
        reach -= np.sum(support_rim(part, angles + np.pi) * normals, axis=1)
    return angles, reach, _ring(angles, reach)


def _ring(angles: Floats, reach: Floats) -> Floats:
    """The corners at which neighbouring sides meet, an array (k, 2)."""
    then, out = np.roll(angles, -1), np.roll(reach, -1)
    x = reach * np.sin(then) - out * np.sin(angles)
    y = out * np.cos(angles) - reach * np.cos(then)
    return np.asarray(np.column_stack((x, y)) / np.sin(then - angles)[:, None])


def _directions(still: Placed, part: Placed | None, distance: float) -> Floats:
    """The directions of the sides of a zone: those of straight borders, and as many between as curves need."""
    fixed = _normals(still) if part is None else np.concatenate((_normals(still), _normals(part) + np.pi))
    fixed = np.sort(fixed % (2 * np.pi))
    if len(fixed):
        fixed = fixed[np.append(True, np.diff(fixed) > SAME_TURN)]
        if len(fixed) > 1 and fixed[0] + 2 * np.pi - fixed[-1] < SAME_TURN:
            fixed = fixed[:-1]
    else:
        fixed = np.zeros(1)
    turns = np.linspace(0.0, 4 * np.pi, 721)
    bends = [_bend(shape, turns) for shape in (still, part) if shape is not None]
    bent = distance + reduce(operator.add, bends, 0.0)
    density = np.sqrt(bent / (8 * SLACK))
    needed = np.append(0.0, np.cumsum((density[1:] + density[:-1]) / 2) * turns[1])
    found: list[Floats] = []
    for low, high in zip(fixed, np.append(fixed[1:], fixed[0] + 2 * np.pi), strict=True):
        a, b = np.interp((low, high), turns, needed)
        count = max(math.ceil(b - a), math.ceil((high - low) / WIDEST_TURN))
        between = np.interp(np.linspace(a, b, count, endpoint=False)[1:], needed, turns)
        found += [np.array([low]), between]
    return np.concatenate(found)


def _normals(shape: Placed) -> Floats:
    """The directions that the straight sides of a convex shape look in."""
    if shape.kind == "ellipse":
        return np.empty(0)
    corners = np.array(shape.corners)
    if not shapely.is_ccw(shapely.LinearRing(corners)):
        corners = corners[::-1]
    x, y = (np.roll(corners, -1, axis=0) - corners).T
    return np.asarray(np.arctan2(-x, y))


def _bend(shape: Placed, angles: Floats) -> Floats:
    """The radius of curvature where the border of a shape looks in a direction; 0 for shapes with corners."""
    a, b = shape.semi_axes
    if not a:
        return np.zeros(len(angles))
    turned = angles - math.radians(shape.pose.facing)
    return np.asarray((a * b) ** 2 / np.hypot(a * np.cos(turned), b * np.sin(turned)) ** 3)


def _polygons(rings: Sequence[Floats]) -> Objects:
    which = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    return np.asarray(shapely.polygons(shapely.linearrings(np.vstack(rings), indices=which)))


def _only_polygons(shape: BaseGeometry) -> BaseGeometry:
    return MultiPolygon([part for part in shapely.get_parts(shape) if isinstance(part, Polygon)])


def _fan(point: Point, radius: float, low: float, high: float) -> Polygon:
    angles = np.linspace(low, high, max(2, math.ceil((high - low) / ARC_STEP) + 1))
    arc = np.array(point) + radius * np.column_stack((np.cos(angles), np.sin(angles)))
    return Polygon(arc[1:]) if high - low >= 2 * math.pi else Polygon([point, *arc])


def _for_all(constraint: KeepClear | StayInside) -> KeepClear | StayInside:
    """The same constraint for every member at every height."""
    if isinstance(constraint, StayInside):
        return replace(constraint, only=None)
    obstacles = replace(constraint.obstacles, tops=None)
    return replace(constraint, only=None, vertical=None, obstacles=obstacles)


def _is_on(ground: BaseGeometry, point: Point) -> bool:
    return bool(shapely.dwithin(ground, shapely.Point(point), ON_BORDER))


def _nearest(ground: BaseGeometry, point: Point) -> Point:
    x, y = shapely.get_coordinates(shapely.shortest_line(ground, shapely.Point(point)))[0]
    return (float(x), float(y))


def path_length(start: Point, way: Way) -> float:
    """The length of a way from a start in inches."""
    return math.fsum(math.dist(a, b) for a, b in zip((start, *way), way, strict=False))


def _foot(point: Point, a: Point, b: Point) -> Point:
    """The point of a straight line from a to b that is nearest to another."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = min(1.0, max(0.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square)) if square else 0.0
    return a[0] + share * dx, a[1] + share * dy


def cut_off(start: Point, way: Way, reach: float) -> Way:
    """A way as far as it goes in so many inches."""
    kept: list[Point] = []
    here, left = start, max(reach, 0.0)
    for there in way:
        step = math.dist(here, there)
        if step > left:
            share = left / step
            kept.append((here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share))
            break
        kept.append(there)
        here, left = there, left - step
    return tuple(kept)
