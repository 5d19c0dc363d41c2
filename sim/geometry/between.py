"""Does anything lie between a point and any point of a base?

What lies between is the convex hull of base and point less the base itself. It falls apart into triangles: one over
each edge of the base that the point sees, with its tip at the point. An obstacle lies between when it shares ground
with one of them; along their sides it only touches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import Border, Curves, Mover
from sim.geometry.constraints import Breach, Ground, Limit, Obstacles, Witness
from sim.geometry.distance import Segment, separations
from sim.geometry.growing import FINE_RIM, convex_parts, support_rim
from sim.geometry.rims import FULL, HIGH, LOW, NO_OVAL, full_rims
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose, ellipse_points
from sim.geometry.tolerance import EPS, Bools, Floats, within

LEAST_AREA = 1e-9  # square inches; a triangle below this has nothing inside
FAR = 300.0  # inches; lines are drawn out past any table
MOST_EDGES = 24  # of a base whose border is followed edge by edge
SHADOW_REACH = 1e6  # inches; how far a shadow is drawn before it is cut to the region
Edge = tuple[Point, Point]


@dataclass(frozen=True)
class NothingBetween:
    """No obstacle shares ground with what lies between a point and a member's boundary.

    With ``touching`` an obstacle that only touches that ground is between as well. ``figure`` is the base whose
    corridor is drawn. A round or oval base counts by a polygon of 360 corners on its edge.
    """

    code: str
    rule: str
    point: Point
    obstacles: Obstacles
    touching: bool = False
    figure: Placed | None = None

    @property
    def required(self) -> Limit:
        """How deep an obstacle may reach in: not at all."""
        return Limit("at_most", 0.0)

    def corridor(self, member: Placed) -> tuple[Placed, ...]:
        """What lies between: a triangle over each edge that the point sees; none from inside or on the edge.

        Over the many edges of a round or oval base it is one piece.
        """
        edges = tuple(_edges(_ring(member)))
        seen = [_height(self.point, *edge) > EPS for edge in edges]
        if member.kind == "ellipse":
            outlines = [(self.point, *_chain(edges, seen))]
        else:
            outlines = [(self.point, end, start) for (start, end), is_seen in zip(edges, seen, strict=True) if is_seen]
        enough = [ring for ring in outlines if len(ring) > 2 and Polygon(ring).area > LEAST_AREA]
        return tuple(Placed(Hull(ring), Pose(0.0, 0.0)) for ring in enough)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each obstacle between a member and the point, with how deep it reaches in."""
        if not len(self.obstacles):
            return
        for i, member in enumerate(members):
            corridor = self.corridor(member)
            if corridor:
                yield from self._breaches(i, member, corridor)

    def _breaches(self, i: int, member: Placed, corridor: tuple[Placed, ...]) -> Iterator[Breach]:
        found = separations(PlacedSet(corridor), self.obstacles.bases)
        for j in np.flatnonzero(self._blocks(found).any(axis=0)):
            k = int(np.argmin(found[:, j]))
            depth = max(0.0, -float(found[k, j]))
            shown = self._witness(member, corridor, self.obstacles.bases[int(j)], corridor[k])
            yield Breach(self.code, self.rule, i, self.obstacles.names[int(j)], depth, self.required, shown)

    def _blocks(self, found: Floats) -> Bools:
        return within(found, 0.0) if self.touching else np.asarray(found < -EPS)

    def _witness(self, member: Placed, corridor: tuple[Placed, ...], obstacle: Placed, worst: Placed) -> Witness:
        """A line from the point through the obstacle to the base, the corridor, and the part of it that is taken."""
        whole = shapely.union_all([part.polygon for part in corridor])
        outlines = [_outline(part) for part in shapely.get_parts(whole) if isinstance(part, Polygon)]
        shared = shapely.intersection(worst.polygon, obstacle.polygon)
        pieces = [p for p in shapely.get_parts(shared) if isinstance(p, Polygon) and p.area > 0]
        outlines += [_outline(piece) for piece in pieces]
        if pieces:
            through = max(pieces, key=lambda piece: float(piece.area)).representative_point()
        else:
            through = shapely.Point(shapely.get_coordinates(shapely.shortest_line(worst.polygon, obstacle.polygon))[0])
        return Witness(self._line(member, (float(through.x), float(through.y))), tuple(outlines))

    def _line(self, member: Placed, through: Point) -> Segment:
        """From the point through another to where that ray meets the base."""
        x, y = self.point
        dx, dy = through[0] - x, through[1] - y
        length = math.hypot(dx, dy)
        if length <= EPS:
            return self.point, through
        far = (math.dist(self.point, member.pose.at) + 2 * member.radius) / length
        ray = shapely.LineString([self.point, (x + dx * far, y + dy * far)])
        met = shapely.get_coordinates(shapely.intersection(ray, member.polygon))
        if not len(met):
            return self.point, through
        end = met[int(np.argmin(np.hypot(met[:, 0] - x, met[:, 1] - y)))]
        return self.point, (float(end[0]), float(end[1]))

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where nothing lies between."""
        if region.is_empty or not len(self.obstacles):
            return region
        return region.difference(self.forbidden(base, facing, region))

    def forbidden(self, base: Base, facing: float, region: BaseGeometry) -> BaseGeometry:
        """Where the centre of a base at a facing may not be, within the box of a region.

        For each edge: where the point sees it, and some point of it lies in the shadow that an obstacle throws from
        the point. Exact for obstacles with corners; curves have 360 corners on the true border.
        """
        x0, y0, x1, y1 = region.bounds
        frame = shapely.box(x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0)
        shadows = [
            self._shadow(Placed(part, obstacle.pose))
            for obstacle in self.obstacles.bases
            for part in convex_parts(obstacle.base)
        ]
        pieces = []
        for start, end in _edges(_ring(Placed(base, Pose(0.0, 0.0, facing)))):
            seen = frame.intersection(self._seeing(start, end, frame))
            if not seen.is_empty:
                pieces += [seen.intersection(_reversed_sum(shadow, start, end)) for shadow in shadows]
        return shapely.union_all(pieces)

    def border(self, mover: Mover) -> Border | None:
        """Where an edge comes into the point's sight, and where one that is seen reaches a shadow of an obstacle.

        The shadows of round and oval obstacles are bounded by their own edges and by lines that touch them. None for
        a base of very many edges.
        """
        edges = list(_edges(_ring(Placed(mover.base, Pose(0.0, 0.0, mover.facing)))))
        if len(edges) > MOST_EDGES:
            return None
        obstacles = [Placed(part, o.pose) for o in self.obstacles.bases for part in convex_parts(o.base)]
        curves = []
        for start, end in edges:
            along = (np.array(end) - np.array(start)) * FAR / math.dist(start, end)
            line = np.array(self.point) - np.array(start)
            curves.append(Curves.of((), [np.hstack((line - along, line + along))[None, :]]))
            curves += [_shadow_curves(self.point, obstacle, (start, end)) for obstacle in obstacles]
        walls = [Placed(Hull(_ring(o)), Pose(0.0, 0.0)) if o.kind == "polygon" else o for o in obstacles]

        def allows(points: Floats) -> Bools:
            good = np.ones(len(points), dtype=np.bool_)
            for start, end in edges:
                seen = _heights(self.point, start, end, points) > 0
                for wall in walls:
                    left = np.flatnonzero(good & seen)
                    if len(left):
                        good[left] = ~_cut_off(self.point, (start, end), points[left], wall)
            return good

        return Border(Curves.together(curves), allows)

    def _shadow(self, obstacle: Placed) -> BaseGeometry:
        """An obstacle and everything behind it as seen from the point, a convex polygon that ends far off the table."""
        if obstacle.kind == "polygon":
            rim = np.array(obstacle.corners)
        else:
            rim = support_rim(obstacle, np.linspace(0.0, 2 * np.pi, FINE_RIM, endpoint=False))
        away = rim - np.array(self.point)
        extent = float(np.max(np.hypot(away[:, 0], away[:, 1])))
        far = np.array(self.point) + away * max(1.0, SHADOW_REACH / extent)
        return shapely.convex_hull(shapely.multipoints(np.vstack((rim, far))))

    def _seeing(self, start: Point, end: Point, frame: BaseGeometry) -> BaseGeometry:
        """The centres from which the point lies outside an edge: the half of the plane beyond a line."""
        length = math.dist(start, end)
        along = np.array([(end[0] - start[0]) / length, (end[1] - start[1]) / length])
        outward = np.array([along[1], -along[0]])
        on_line = np.array(self.point) - np.array(start)
        x0, y0, x1, y1 = frame.bounds
        far = math.hypot(x1 - x0, y1 - y0) + math.dist(tuple(on_line), ((x0 + x1) / 2, (y0 + y1) / 2))
        a, b = on_line - along * far, on_line + along * far
        return Polygon([tuple(p) for p in (a, b, b - outward * far, a - outward * far)])

    def ground(self) -> Iterator[Ground]:
        """What has to be empty between the point and the figure."""
        if self.figure is not None:
            corridor = self.corridor(self.figure)
            if corridor:
                yield Ground("corridor", shapely.union_all([part.polygon for part in corridor]), self.rule)


def _ring(placed: Placed) -> tuple[Point, ...]:
    """The corners of a base's convex hull, counter-clockwise; of a round or oval one 360 points of its edge."""
    if placed.kind == "ellipse":
        points = ellipse_points(placed.pose, *placed.semi_axes, count=FINE_RIM)
        return tuple((float(x), float(y)) for x, y in points)
    hull = shapely.convex_hull(placed.polygon)
    ring = _outline(hull)
    return ring if hull.exterior.is_ccw else ring[::-1]


def _outline(polygon: Polygon) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(polygon.exterior)[:-1])


def _edges(ring: tuple[Point, ...]) -> Iterator[Edge]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def _chain(edges: tuple[Edge, ...], seen: list[bool]) -> tuple[Point, ...]:
    """The corners along the edges that are seen, which lie side by side, from the last of them to the first."""
    if not any(seen):
        return ()
    first = next(k for k in range(len(edges)) if seen[k] and not seen[k - 1])
    count = sum(seen)
    run = [edges[(first + k) % len(edges)] for k in range(count)]
    return (*(end for _, end in reversed(run)), run[0][0])


def _height(point: Point, start: Point, end: Point) -> float:
    """How far a point lies outside an edge of a ring that runs counter-clockwise, in inches."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    cross = dy * (point[0] - start[0]) - dx * (point[1] - start[1])
    return cross / math.hypot(dx, dy)


def _shadow_curves(point: Point, obstacle: Placed, edge: Edge) -> Curves:
    """The border of all centres from which some point of an edge lies in the shadow of a convex obstacle."""
    start, end = (np.array(tip) for tip in edge)
    across = math.atan2(end[1] - start[1], end[0] - start[0]) + math.pi / 2
    rim = support_rim(obstacle, np.array([across, across + math.pi]))
    segments = [np.hstack((rim - start, rim - end))]  # along the edge, past the obstacle
    if obstacle.kind == "polygon":
        corners = np.array(_ring(obstacle))
        sides = np.hstack((corners, np.roll(corners, -1, axis=0)))
        segments += [sides - np.tile(tip, 2) for tip in (start, end)]
        rays, rims = corners, []
    else:
        axes = (*obstacle.semi_axes, math.radians(obstacle.pose.facing))
        rays = _touched(point, obstacle)
        away = rays - np.array(point)
        turns = np.concatenate((np.arctan2(away[:, 1], away[:, 0]) + math.pi / 2, [across]))
        turns = np.sort(np.concatenate((turns, turns + math.pi)) % FULL)  # where lines touch the rim, or across there
        whole = np.repeat(full_rims(np.array([obstacle.pose.at]), axes, NO_OVAL, 0.0), len(turns), axis=0)
        whole[:, LOW], whole[:, HIGH] = turns, np.append(turns[1:], turns[0] + FULL)
        rims = [whole - np.pad(tip, (0, len(whole[0]) - 2)) for tip in (start, end)]
    for tip in (start, end):
        away = rays - np.array(point)
        far = away * FAR / np.maximum(np.hypot(away[:, 0:1], away[:, 1:2]), EPS)
        segments.append(np.hstack((rays - tip, rays + far - tip)))
    return Curves.of((), segments, (), rims)


def _touched(point: Point, obstacle: Placed) -> Floats:
    """The points (n, 2) of a round or oval obstacle at which lines from a point touch it; none from inside."""
    a, b = obstacle.semi_axes
    turn = math.radians(obstacle.pose.facing)
    dx, dy = point[0] - obstacle.pose.x, point[1] - obstacle.pose.y
    u, v = (math.cos(turn) * dx + math.sin(turn) * dy) / a, (math.cos(turn) * dy - math.sin(turn) * dx) / b
    away = math.hypot(u, v)
    if away <= 1.0:
        return np.empty((0, 2))
    t = math.atan2(v, u) + np.array([1.0, -1.0]) * math.acos(1.0 / away)
    x, y = a * np.cos(t), b * np.sin(t)
    return np.column_stack(
        (
            obstacle.pose.x + math.cos(turn) * x - math.sin(turn) * y,
            obstacle.pose.y + math.sin(turn) * x + math.cos(turn) * y,
        )
    )


def _heights(point: Point, start: Point, end: Point, centres: Floats) -> Floats:
    """How far a point lies outside an edge that goes with each centre (n, 2)."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    x, y = point[0] - start[0] - centres[:, 0], point[1] - start[1] - centres[:, 1]
    return np.asarray((dy * x - dx * y) / math.hypot(dx, dy))


def _cut_off(point: Point, edge: Edge, centres: Floats, obstacle: Placed) -> Bools:
    """At which centres an obstacle shares ground with the triangle over an edge with its tip at the point."""
    start, end = (np.array(tip) + centres for tip in edge)
    tips = np.broadcast_to(np.array(point), start.shape)
    corners = np.stack((tips, end, start), axis=1)
    if obstacle.kind == "polygon":
        triangles = shapely.polygons(corners)
        return np.asarray(
            shapely.intersects(triangles, obstacle.polygon) & ~shapely.touches(triangles, obstacle.polygon)
        )
    a, b = obstacle.semi_axes
    turn = math.radians(obstacle.pose.facing)
    x, y = corners[:, :, 0] - obstacle.pose.x, corners[:, :, 1] - obstacle.pose.y
    u, v = (math.cos(turn) * x + math.sin(turn) * y) / a, (math.cos(turn) * y - math.sin(turn) * x) / b
    return np.asarray(shapely.distance(shapely.polygons(np.stack((u, v), axis=2)), shapely.Point(0.0, 0.0)) < 1.0)


def _reversed_sum(shadow: BaseGeometry, start: Point, end: Point) -> BaseGeometry:
    """All centres for which some point of an edge lies in a convex shadow."""
    rim = shapely.get_coordinates(shadow)
    both = np.vstack((rim - np.array(start), rim - np.array(end)))
    return shapely.convex_hull(shapely.multipoints(both))
