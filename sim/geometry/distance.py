"""How far apart are two bases, where are they nearest, and how far does one reach?

Exact for round bases against anything with corners (up to rounding), and to 1e-9" wherever an ellipse takes part.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from shapely import Geometry, Polygon

from sim.geometry import kernels
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Placed, Point, Round, ShapeError, ellipse_points
from sim.geometry.tolerance import EPS, Bools, Floats, Ints

Segment = tuple[Point, Point]
CHORDS_DEEP = 1e-3  # inches; less deep overlaps are not taken from chords of an oval
ON_RIM = 1e-9  # of the square of a radius; a point this far outside an ellipse is on its edge


def separation(a: Placed, b: Placed) -> float:
    """The signed distance of two bases in inches: the gap between them, or minus the depth of their overlap.

    The depth is the shortest push that would part them. Where a hull with a notch takes part only its sign is exact:
    against a round base it is the depth of the centre plus the radius, otherwise the width of the widest disc that
    fits into what they share.
    """
    return float(separations(PlacedSet((a,)), PlacedSet((b,)))[0, 0])


def gap(a: Placed, b: Placed) -> float:
    """The shortest distance from edge to edge on the plan in inches, 0 when they touch or overlap."""
    return max(0.0, separation(a, b))


def gaps(a: PlacedSet, b: PlacedSet) -> Floats:
    """All gaps of one set against another: an array (len(a), len(b)) of inches."""
    return np.maximum(separations(a, b), 0.0)


def straight_gap(a: Placed, b: Placed) -> float:
    """The length in inches of the straight line between the closest points of two bases, up and down included."""
    return math.hypot(gap(a, b), a.pose.z - b.pose.z)


def straight_gaps(a: PlacedSet, b: PlacedSet) -> Floats:
    """All of them, of one set against another: an array (len(a), len(b)) of inches."""
    return np.asarray(np.hypot(gaps(a, b), a.z[:, None] - b.z[None, :]))


def overlaps(a: Placed, b: Placed) -> bool:
    """Whether two bases share more than a touch: their overlap is deeper than the tolerance."""
    return separation(a, b) < -EPS


def separations(a: PlacedSet, b: PlacedSet) -> Floats:
    """All signed distances of one set against another: an array (len(a), len(b)); see ``separation``."""
    out = np.full((len(a), len(b)), np.inf)
    if not out.size:
        return out
    both_round = a.is_round.all() and b.is_round.all()
    if both_round:
        distance = np.hypot(a.x[:, None] - b.x[None, :], a.y[:, None] - b.y[None, :])
        return np.asarray(distance - (a.a[:, None] + b.a[None, :]))
    for rows, row_kind in _kinds(a):
        for columns, column_kind in _kinds(b):
            block = np.ix_(rows, columns)
            left, right = a.take(rows), b.take(columns)
            match row_kind, column_kind:
                case "polygon", "polygon":
                    out[block] = _polygons(left, right)
                case "polygon", _:
                    out[block] = _ellipses_polygons(right, left).T
                case _, "polygon":
                    out[block] = _ellipses_polygons(left, right)
                case "round", "round":
                    out[block] = separations(left, right)
                case "round", _:
                    out[block] = _rounds_ellipses(left, right)
                case _, "round":
                    out[block] = _rounds_ellipses(right, left).T
                case _:
                    out[block] = _ellipses(left, right)[0]
    return out


def witness(a: Placed, b: Placed) -> Segment:
    """The shortest line between two bases, from the edge of ``a`` to the edge of ``b``.

    Where they overlap there is no such line; both ends are then one point that they share.
    """
    if a.kind == "polygon" and b.kind == "polygon":
        return _line(a.polygon, b.polygon)
    if a.kind == "polygon":
        start, end = witness(b, a)
        return end, start
    if b.kind == "polygon":
        return _witness_ellipse_polygon(a, b.polygon)
    return _witness_ellipses(a, b)


def clearance(base: Placed, shape: Geometry) -> float:
    """The gap in inches between a base and any shapely geometry, 0 when they touch or overlap.

    Curves of the geometry are taken as the straight pieces that it holds. Nothing is infinitely far away.
    """
    if shape.is_empty:
        return math.inf
    if base.kind == "polygon":
        return float(shapely.distance(base.polygon, shape))
    a, b = base.semi_axes
    if a == b:
        return max(0.0, float(shapely.distance(shapely.Point(base.pose.at), shape)) - a)
    if shapely.intersects(shape, shapely.Point(base.pose.at)):
        return 0.0
    segments = edges_of(shape)
    distance, _ = _ellipse_segments(base, segments)
    return float(np.min(distance)) if len(distance) else math.inf


def farthest(base: Placed, target: Geometry) -> float:
    """How far the farthest point of a base lies from a convex geometry: at most x inches means *wholly within* x.

    Exact for bases with corners, and for round ones whose centre lies outside the target; otherwise the edge of the
    base is searched and refined to 1e-9". Raises ``ShapeError`` for a target that is empty or has a notch: the
    farthest point may then lie anywhere inside the base. Take such a target apart.
    """
    if target.is_empty or not is_convex(target):
        raise ShapeError("farthest: expected a convex target that is not empty")
    if base.kind == "polygon":
        return float(np.max(shapely.distance(shapely.points(np.array(base.corners)), target)))
    a, b = base.semi_axes
    centre = float(shapely.distance(shapely.Point(base.pose.at), target))
    if a == b and centre > 0:
        return centre + a
    return _search_edge(base, target)


def all_farthest(members: PlacedSet, target: Geometry) -> Floats:
    """How far the farthest point of each of many bases lies from one convex geometry; see ``farthest``."""
    if target.is_empty or not is_convex(target):
        raise ShapeError("farthest: expected a convex target that is not empty")
    out = np.empty(len(members))
    whole = shapely.distance(shapely.points(members.x, members.y), target) if len(members) else np.empty(0)
    plain = members.is_round & (whole > 0)
    out[plain] = whole[plain] + members.a[plain]
    cornered = np.flatnonzero(members.is_polygon)
    if len(cornered):
        corners, starts = _stacked_corners(members, cornered)
        out[cornered] = np.maximum.reduceat(shapely.distance(shapely.points(corners), target), starts)
    for k in np.flatnonzero(~plain & ~members.is_polygon):
        out[k] = _search_edge(members[int(k)], target)
    return out


def _stacked_corners(members: PlacedSet, which: Ints) -> tuple[Floats, Ints]:
    """The corners of some members with corners one after another, and where each one's begin."""
    each = [members[int(k)].corners for k in which]
    return np.array([point for corners in each for point in corners]), np.cumsum([0, *(len(c) for c in each[:-1])])


def reach(base: Placed, direction: float) -> float:
    """How far a base reaches from its own centre in a direction (radians), in inches."""
    if base.kind == "polygon":
        c, s = math.cos(direction), math.sin(direction)
        return max((x - base.pose.x) * c + (y - base.pose.y) * s for x, y in base.corners)
    a, b = base.semi_axes
    facing = math.radians(base.pose.facing)
    return math.hypot(a * math.cos(direction - facing), b * math.sin(direction - facing))


def overhang(base: Placed, region: Geometry) -> float:
    """How far a base sticks out of a region, in inches: 0 or less when it stands wholly inside.

    Inside, the value is minus the margin that is left. The region may be of several pieces and may have holes; its
    curves are the straight pieces that it holds.
    """
    if base.kind == "polygon":
        return _overhang_polygon(base.polygon, region)
    centre = shapely.Point(base.pose.at)
    boundary = shapely.boundary(region)
    inside = bool(shapely.intersects(region, centre))
    a, b = base.semi_axes
    if a == b:
        distance = float(shapely.distance(centre, boundary))
        return a - distance if inside else a + distance
    segments = edges_of(boundary)
    apart, crossed = _ellipse_segments(base, segments)
    if inside and not crossed.any():
        return -float(np.min(apart))
    tip = _search_edge(base, region)
    if is_convex(region):
        return tip
    return max([tip, *(_depth_behind(base, row) for row in segments[crossed])])


def all_overhang(members: PlacedSet, region: Geometry) -> Floats:
    """How far each of many bases sticks out of one region; see ``overhang``."""
    out = np.empty(len(members))
    shapely.prepare(region)
    rounds = np.flatnonzero(members.is_round)
    if len(rounds):
        centres = shapely.points(members.x[rounds], members.y[rounds])
        boundary = shapely.boundary(region)
        apart, inside = shapely.distance(centres, boundary), shapely.intersects(region, centres)
        out[rounds] = members.a[rounds] + np.where(inside, -apart, apart)
    cornered = np.flatnonzero(members.is_polygon)
    shapes = members.take(cornered).polygons
    well_inside = np.asarray(shapely.contains_properly(region, shapes), dtype=np.bool_)
    out[cornered[well_inside]] = -np.asarray(shapely.distance(shapes[well_inside], shapely.boundary(region)))
    for k in (*cornered[~well_inside], *np.flatnonzero(~members.is_round & ~members.is_polygon)):
        out[k] = overhang(members[int(k)], region)
    return out


def is_convex(shape: Geometry) -> bool:
    """Whether a geometry has no notch, up to rounding of its corners."""
    hull = shapely.convex_hull(shape)
    if hull.area == 0:
        return bool(abs(float(shapely.length(hull)) - float(shapely.length(shape))) < 1e-12)
    return bool(hull.area - shape.area <= 1e-9 * hull.area)


def _kinds(group: PlacedSet) -> list[tuple[Bools, str]]:
    oval = ~group.is_round & ~group.is_polygon
    masks = [(group.is_round, "round"), (oval, "oval"), (group.is_polygon, "polygon")]
    return [(mask, kind) for mask, kind in masks if mask.any()]


def _rounds_ellipses(rounds: PlacedSet, ovals: PlacedSet) -> Floats:
    u, v = kernels.to_local(rounds.x[:, None], rounds.y[:, None], ovals.x, ovals.y, ovals.facing)
    distance, _, _ = kernels.point_ellipse(u, v, ovals.a, ovals.b)
    return np.asarray(distance - rounds.a[:, None])


def _ellipses(left: PlacedSet, right: PlacedSet) -> tuple[Floats, Floats]:
    return kernels.ellipse_ellipse(
        right.x[None, :] - left.x[:, None],
        right.y[None, :] - left.y[:, None],
        left.a[:, None],
        left.b[:, None],
        left.facing[:, None],
        right.a[None, :],
        right.b[None, :],
        right.facing[None, :],
    )


def _polygons(left: PlacedSet, right: PlacedSet) -> Floats:
    distance = np.asarray(shapely.distance(left.polygons[:, None], right.polygons[None, :]))
    for i, j in np.argwhere(distance <= 0):
        distance[i, j] = -_shared_depth(left[i].polygon, right[j].polygon)
    return distance


def _ellipses_polygons(ellipses: PlacedSet, polygons: PlacedSet) -> Floats:
    centres = shapely.points(np.column_stack((ellipses.x, ellipses.y)))
    distance = np.asarray(shapely.distance(centres[:, None], polygons.polygons[None, :]))
    rims = shapely.boundary(polygons.polygons)
    shapely.prepare(rims)
    inside = np.asarray(shapely.distance(centres[:, None], rims[None, :]))
    out = np.where(distance > 0, distance, -inside) - ellipses.a[:, None]
    ovals = np.flatnonzero(~ellipses.is_round)
    if not len(ovals):
        return np.asarray(out)
    edges = [edges_of(p) for p in polygons.polygons]
    starts = np.cumsum([0, *(len(e) for e in edges[:-1])])
    segments = np.vstack(edges)
    x, y, angle, a, b = (v[ovals][:, None] for v in (ellipses.x, ellipses.y, ellipses.facing, ellipses.a, ellipses.b))
    ax, ay = kernels.to_local(segments[:, 0], segments[:, 1], x, y, angle)
    bx, by = kernels.to_local(segments[:, 2], segments[:, 3], x, y, angle)
    found = kernels.segment_ellipse(ax, ay, bx, by, a, b)[0]
    out[ovals] = np.minimum.reduceat(found, starts, axis=1)
    for k, j in np.argwhere((out[ovals] <= 0) | (distance[ovals] <= 0)):
        out[ovals[k], j] = -_oval_depth(ellipses[int(ovals[k])], polygons[int(j)])
    return np.asarray(out)


def edges_of(shape: Geometry) -> Floats:
    """Every straight piece of a geometry: an array (n, 4) of x, y, x, y."""
    pieces = []
    for part in shapely.get_parts(shapely.get_parts(shape)):
        lines = shapely.get_parts(shapely.boundary(part)) if isinstance(part, Polygon) else [part]
        for line in lines:
            points = shapely.get_coordinates(line)
            if len(points) == 1:  # a point is a piece of no length
                points = np.vstack((points, points))
            pieces.append(np.hstack((points[:-1], points[1:])))
    return np.vstack(pieces) if pieces else np.empty((0, 4))


def _ellipse_segments(base: Placed, segments: Floats) -> tuple[Floats, Bools]:
    a, b = (np.array([v]) for v in base.semi_axes)
    x, y, angle = (np.array([v]) for v in (*base.pose.at, math.radians(base.pose.facing)))
    ax, ay = kernels.to_local(segments[:, 0], segments[:, 1], x, y, angle)
    bx, by = kernels.to_local(segments[:, 2], segments[:, 3], x, y, angle)
    distance, *_ = kernels.segment_ellipse(ax, ay, bx, by, a, b)
    return distance, kernels.segment_meets_ellipse(ax, ay, bx, by, a, b)


def _depth_behind(base: Placed, edge: Floats) -> float:
    """How far an ellipse reaches past the line of an edge, seen from its own centre: more than 0 over a hole."""
    ax, ay, bx, by = (float(v) for v in edge)
    length = math.hypot(bx - ax, by - ay)
    nx, ny = (by - ay) / length, (ax - bx) / length
    offset = (ax - base.pose.x) * nx + (ay - base.pose.y) * ny
    if offset < 0:
        nx, ny, offset = -nx, -ny, -offset
    return reach(base, math.atan2(ny, nx)) - offset


def _shared_depth(a: Polygon, b: Polygon) -> float:
    """How deep two polygons with a point in common overlap; 0 when they only touch."""
    if is_convex(a) and is_convex(b):
        directions = np.concatenate((_normals(a), _normals(b)))
        return max(0.0, float(np.min(_shadow(a, directions) + _shadow(b, -directions))))
    shared = shapely.intersection(a, b)
    if shared.area == 0:
        return 0.0
    pieces = [p for p in shapely.get_parts(shared) if isinstance(p, Polygon) and p.area > 0]
    return max((_widest_disc(p) for p in pieces), default=0.0)


def _widest_disc(polygon: Polygon) -> float:
    """The diameter of the widest disc inside a polygon, to half a hundredth of it."""
    tolerance = max(1e-9, 1e-2 * polygon.area / polygon.length)
    return 2 * float(shapely.maximum_inscribed_circle(polygon, tolerance=tolerance).length)


def _normals(polygon: Polygon) -> Floats:
    points = shapely.get_coordinates(polygon)
    steps = np.diff(points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    steps, lengths = steps[lengths > 0], lengths[lengths > 0]
    outward = -1.0 if polygon.exterior.is_ccw else 1.0
    normals = np.column_stack((-steps[:, 1], steps[:, 0])) * outward / lengths[:, None]
    return np.concatenate((normals, -normals))


def _shadow(polygon: Polygon, directions: Floats) -> Floats:
    return np.asarray(np.max(shapely.get_coordinates(polygon) @ directions.T, axis=0))


def _oval_depth(oval: Placed, other: Placed) -> float:
    """How deep an oval and a polygon that share a point overlap: the least push over all directions.

    In a polygon with a notch it is the widest disc that both hold, or, where they hardly overlap, the deepest of the
    pieces without notches.
    """
    polygon = other.polygon
    if not is_convex(polygon):
        rim = Polygon(ellipse_points(oval.pose, *oval.semi_axes, count=1024))
        shared = shapely.intersection(rim, polygon)
        pieces = [p for p in shapely.get_parts(shared) if isinstance(p, Polygon) and p.area > 0]
        widest = max((_widest_disc(p) for p in pieces), default=0.0)
        if widest > CHORDS_DEEP:
            return widest
        triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(polygon))
        return max(_depth_in_convex(oval, triangle) for triangle in triangles)
    return _depth_in_convex(oval, polygon)


def _depth_in_convex(oval: Placed, polygon: Polygon) -> float:
    corners = shapely.get_coordinates(polygon)[:-1] - np.array(oval.pose.at)
    (a, b), facing = oval.semi_axes, math.radians(oval.pose.facing)

    def push(heading: Floats) -> Floats:
        c, s = np.cos(heading), np.sin(heading)
        back = np.min(np.multiply.outer(c, corners[:, 0]) + np.multiply.outer(s, corners[:, 1]), axis=-1)
        return np.asarray(np.hypot(a * np.cos(heading - facing), b * np.sin(heading - facing)) - back)

    even = np.linspace(0.0, 2 * np.pi, 64, endpoint=False)
    normals = _normals(polygon)
    headings = np.concatenate(
        (
            even,
            facing + np.arctan2(a * np.sin(even), b * np.cos(even)),
            np.arctan2(normals[:, 1], normals[:, 0]),
        )
    )
    headings = np.sort(headings % (2 * np.pi))
    found = push(headings)
    before, after = np.roll(headings, 1), np.roll(headings, -1)
    before[0] -= 2 * np.pi
    after[-1] += 2 * np.pi
    dips = np.flatnonzero((found <= np.roll(found, 1)) & (found <= np.roll(found, -1)))
    dips = dips[np.argsort(found[dips])[:4]]
    low, high = before[dips], after[dips]
    for _ in range(40):  # thirds: (2/3)^40 of 6 degrees; the value is flat at its dip, so 1e-8 rad is plenty
        third = (high - low) / 3
        left = push(low + third) < push(high - third)
        low, high = np.where(left, low, low + third), np.where(left, high - third, high)
    return max(0.0, float(min(np.min(found), np.min(push((low + high) / 2)))))


def _overhang_polygon(polygon: Polygon, region: Geometry) -> float:
    outside = shapely.difference(polygon, region)
    boundary = shapely.boundary(region)
    corners = shapely.points(shapely.get_coordinates(polygon))
    if outside.is_empty or outside.area <= 1e-12:
        out = float(np.max(shapely.distance(corners, region)))
        inside = not shapely.intersects(polygon, boundary)
        return -float(shapely.distance(polygon, boundary)) if inside and not out else out
    tips = float(np.max(shapely.distance(shapely.points(shapely.get_coordinates(outside)), region)))
    pieces = [p for p in shapely.get_parts(outside) if isinstance(p, Polygon) and p.area > 1e-12]
    widest = [_widest_disc(p) / 2 for p in pieces]
    return max(tips, *widest, 0.0)


def _search_edge(base: Placed, target: Geometry) -> float:
    """The greatest distance from any point of an ellipse's edge to a geometry, by search and refinement."""
    a, b = base.semi_axes
    angle = math.radians(base.pose.facing)

    def at(t: Floats) -> Floats:
        u, v = a * np.cos(t), b * np.sin(t)
        x, y = kernels.to_table(u, v, np.array(base.pose.x), np.array(base.pose.y), np.array(angle))
        return np.asarray(shapely.distance(shapely.points(x, y), target))

    width = 2 * np.pi / 512
    centre = np.linspace(0.0, 2 * np.pi, 512, endpoint=False)
    values = at(centre)
    peaks = centre[(values >= np.roll(values, 1)) & (values >= np.roll(values, -1))]
    peaks = np.concatenate((peaks, _turns_at_edges(base, target)))
    peaks = peaks[np.argsort(at(peaks))[-8:]]
    for _ in range(7):
        fan = peaks[:, None] + np.linspace(-width, width, 33)[None, :]
        found = at(fan)
        peaks = fan[np.arange(len(peaks)), np.argmax(found, axis=1)]
        width /= 12
    return float(np.max(at(peaks)))


def _turns_at_edges(base: Placed, target: Geometry) -> Floats:
    """Where an ellipse may reach farthest past the straight edges of a geometry near to it, in radians along itself.

    However little it reaches past one: the points farthest across each edge, and those straight out from its ends.
    """
    edges = edges_of(target)
    if not len(edges):
        return np.empty(0)
    (a, b), (x, y, angle) = base.semi_axes, (np.array(v) for v in (*base.pose.at, math.radians(base.pose.facing)))
    near = np.asarray(shapely.distance(shapely.linestrings(edges.reshape(-1, 2, 2)), shapely.Point(base.pose.at)))
    edges = edges[near <= max(a, b) + EPS]
    ax, ay = kernels.to_local(edges[:, 0], edges[:, 1], x, y, angle)
    bx, by = kernels.to_local(edges[:, 2], edges[:, 3], x, y, angle)
    nx, ny = by - ay, ax - bx
    across = np.arctan2(b * ny, a * nx)
    found = [across, across + np.pi]
    for px, py in (
        (ax, ay),
        (bx, by),
    ):  # where a line through a point ends, the ellipse taken for the unit circle
        u, v, du, dv = px / a, py / b, nx / a, ny / b
        square, half, rest = du * du + dv * dv, u * du + v * dv, u * u + v * v - 1
        inside = np.asarray((rest <= 0) & (square > 0))
        root = np.sqrt(np.maximum(half * half - square * rest, 0.0))
        for sign in (1.0, -1.0):
            share = (sign * root - half) / np.where(square > 0, square, 1.0)
            found.append(np.arctan2(v + share * dv, u + share * du)[inside])
    return np.concatenate(found)


def _line(a: Geometry, b: Geometry) -> Segment:
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(a, b))
    return (float(ax), float(ay)), (float(bx), float(by))


def _witness_ellipse_polygon(base: Placed, polygon: Polygon) -> Segment:
    a, b = base.semi_axes
    centre, end = _line(shapely.Point(base.pose.at), polygon)
    if centre == end:
        return end, end
    if a == b:
        distance = math.dist(centre, end)
        if distance <= a:
            return end, end
        scale = a / distance
        return (centre[0] + (end[0] - centre[0]) * scale, centre[1] + (end[1] - centre[1]) * scale), end
    segments = edges_of(polygon)
    x, y, angle = (np.array([v]) for v in (*base.pose.at, math.radians(base.pose.facing)))
    ax, ay = kernels.to_local(segments[:, 0], segments[:, 1], x, y, angle)
    bx, by = kernels.to_local(segments[:, 2], segments[:, 3], x, y, angle)
    apart, qx, qy, rx, ry = kernels.segment_ellipse(ax, ay, bx, by, np.array([a]), np.array([b]))
    best = int(np.argmin(apart))
    on_oval = kernels.to_table(qx[best], qy[best], x[0], y[0], angle[0])
    on_edge = kernels.to_table(rx[best], ry[best], x[0], y[0], angle[0])
    return (float(on_oval[0]), float(on_oval[1])), (float(on_edge[0]), float(on_edge[1]))


def _witness_ellipses(a: Placed, b: Placed) -> Segment:
    if isinstance(b.base, Round):
        return _witness_round(b, a)[::-1]
    if isinstance(a.base, Round):
        return _witness_round(a, b)
    left, right = PlacedSet((a,)), PlacedSet((b,))
    separation_, angle = _ellipses(left, right)
    heading = angle[0, 0]
    ax, ay = kernels.support_point(heading, left.a[0], left.b[0], left.facing[0])
    start = (float(a.pose.x + ax), float(a.pose.y + ay))
    bx, by = kernels.support_point(heading + np.pi, right.a[0], right.b[0], right.facing[0])
    end = (float(b.pose.x + bx), float(b.pose.y + by))
    if separation_[0, 0] >= 0:
        return start, end
    if _holds(a, b.pose.at):
        return b.pose.at, b.pose.at
    if _holds(b, a.pose.at):
        return a.pose.at, a.pose.at
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    if not (_holds(a, middle, ON_RIM) and _holds(b, middle, ON_RIM)):
        middle = _towards(_nearest_as_measured_by(a, b), _nearest_as_measured_by(b, a), 0.5)
    return middle, middle


def _witness_round(disc: Placed, oval: Placed) -> Segment:
    """The shortest line from a round base to a round or oval one."""
    centre, radius = disc.pose.at, disc.semi_axes[0]
    a, b = oval.semi_axes
    if a == b:
        distance = math.dist(centre, oval.pose.at)
        on_oval = _towards(oval.pose.at, centre, a / distance) if distance > 0 else centre
        inside = distance < a
    else:
        x, y, angle = (np.array([v]) for v in (*oval.pose.at, math.radians(oval.pose.facing)))
        u, v = kernels.to_local(np.array([centre[0]]), np.array([centre[1]]), x, y, angle)
        signed, qu, qv = kernels.point_ellipse(u, v, np.array([a]), np.array([b]))
        qx, qy = kernels.to_table(qu, qv, x, y, angle)
        on_oval, distance, inside = (float(qx[0]), float(qy[0])), abs(float(signed[0])), bool(signed[0] < 0)
        if not inside and distance <= radius:
            return on_oval, on_oval
        if not inside:
            return _towards(centre, on_oval, radius / distance), on_oval
    if inside:
        return centre, centre
    if distance <= radius + a:
        return on_oval, on_oval
    return _towards(centre, oval.pose.at, radius / distance), on_oval


def _towards(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _nearest_as_measured_by(oval: Placed, other: Placed) -> Point:
    """The point of another ellipse that comes first as an ellipse grows from its own centre: both hold it if they
    overlap. Where the first ellipse is taken for the unit circle, the other one is an ellipse with other axes.
    """
    grown, turned = (_axes(p) for p in (oval, other))
    centre = np.linalg.solve(grown, np.subtract(other.pose.at, oval.pose.at))
    axes, (a, b), _ = np.linalg.svd(np.linalg.solve(grown, turned))
    u, v = -centre @ axes
    _, qu, qv = kernels.point_ellipse(*(np.array([value]) for value in (u, v, a, b)))
    x, y = grown @ (centre + axes @ np.concatenate((qu, qv)))
    return float(oval.pose.x + x), float(oval.pose.y + y)


def _axes(oval: Placed) -> Floats:
    """The two half axes of an ellipse as columns (2, 2), in inches."""
    (a, b), angle = oval.semi_axes, math.radians(oval.pose.facing)
    return np.array([[a * math.cos(angle), -b * math.sin(angle)], [a * math.sin(angle), b * math.cos(angle)]])


def _holds(oval: Placed, point: Point, slack: float = 0.0) -> bool:
    a, b = oval.semi_axes
    at = (np.array([v]) for v in (*point, *oval.pose.at, math.radians(oval.pose.facing)))
    u, v = kernels.to_local(*at)
    return bool((u[0] / a) ** 2 + (v[0] / b) ** 2 <= 1.0 + slack)
