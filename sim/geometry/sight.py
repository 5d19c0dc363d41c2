"""Does a straight line exist from any point of one base to any point of another that no blocker cuts?

Lines that pass are a closed set. Unless it is everything, every part of it ends in a line that is held by two features
at once: corners of blockers, points where an outline crosses the edge of a base, and tangents of a base (for bases
with corners, lines through a corner). So it is enough to try those few lines. A line that only touches a blocker
passes: blockers are shrunk by ``EPS`` before anything is tried, and the lines go through the corners as given, so that
no rounding decides. Blockers that share a border leave no gap between them, unless one of them is ignored.

All is seen on the plan, in inches. Bases that overlap or touch see each other; a base that stands in a blocker looks
out of it only when that blocker is ignored. A hull with a notch is taken as triangles that see for one another.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely import Polygon

from sim.geometry.distance import Segment, is_convex, separations, witness
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Placed, Point, ShapeError, check_outline
from sim.geometry.tolerance import EPS, Bools, Floats, Ints

TOUCH = 1e-9  # inches; a line that misses a base by less still touches it
SEAM = 1e-8  # square inches; two blockers whose union gains less by closing share no border
RIM_STEP = 1.0  # degrees; a rim is looked at at least this often, and between all its critical points
LEAST_ARC = 1e-7  # of a rim (radians, or parts of an edge); nothing narrower is looked for
ROWS = 1024  # lines that are held against all outlines at a time, so that their numbers stay in the cache
PAIRS = 32_768  # pairs of bases that are searched at a time
CROSSINGS = 500_000  # lines through two features that are laid at a time
TURNS = 3  # refinements of a line along two bases; any number gives a valid line


@dataclass(frozen=True)
class Blockers:
    """What sight does not pass: simple outlines on the table, in inches, and their names.

    Raises ``ShapeError`` for an outline that is no simple polygon, and when names and outlines differ in number.
    """

    names: tuple[str, ...]
    outlines: tuple[tuple[Point, ...], ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.outlines):
            raise ShapeError(f"blockers: expected a name for each of {len(self.outlines)}, got {len(self.names)}")
        for name, outline in zip(self.names, self.outlines, strict=True):
            check_outline(name, outline)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def walls(self) -> Walls:
        """The same as columns, made once."""
        return Walls.of([Polygon(outline) for outline in self.outlines])


def sees(observer: Placed, target: Placed, blockers: Blockers, ignoring: Collection[int] = ()) -> Segment | None:
    """A clear line from the observer to the target, or None when there is none; ``ignoring`` lists positions.

    It leads from edge to edge. Where the two overlap or touch it is their shortest line, or a point that they share.
    """
    one, other = PlacedSet((observer,)), PlacedSet((target,))
    if _touching(one, other)[0, 0]:
        return _shortest(observer, target)
    left, right = Bodies.of(one), Bodies.of(other)
    i, j = (v.ravel() for v in np.indices((len(left), len(right))))
    found = _search(left, right, i, j, blockers.walls, _ignored(blockers, ignoring))
    clear = np.flatnonzero(~np.isnan(found[:, 0]))
    if not len(clear):
        return None
    ax, ay, bx, by = found[clear[0]].tolist()
    return (ax, ay), (bx, by)


def visible(observers: PlacedSet, targets: PlacedSet, blockers: Blockers, ignoring: Bools | None = None) -> Bools:
    """Which observers see which targets, an array (n, m).

    ``ignoring[i, j, k]`` says that blocker k does not hinder observer i on target j; any axis may have length 1.
    """
    out = _touching(observers, targets)
    left, right = Bodies.of(observers), Bodies.of(targets)
    hidden = ~out[np.ix_(left.owner, right.owner)]
    if ignoring is not None:
        ignoring = np.broadcast_to(ignoring, (*out.shape, len(blockers)))
    rows, columns = np.nonzero(hidden)
    for start in range(0, len(rows), PAIRS):
        i, j = rows[start : start + PAIRS], columns[start : start + PAIRS]
        at, to = left.owner[i], right.owner[j]
        ignored = None if ignoring is None else blockers.walls.spread(ignoring[at, to])
        found = ~np.isnan(_search(left, right, i, j, blockers.walls, ignored)[:, 0])
        out[at[found], to[found]] = True
    return out


def hidden_part(observer: Placed, target: Placed, blockers: Blockers, ignoring: Collection[int] = ()) -> Point | None:
    """A point of the target's edge that faces the observer and that no point of the observer sees, or None.

    An edge faces the observer where it would be seen without blockers, but past the target itself. Of what is hidden
    the middle of the longest stretch is given. The rim is looked at between all the points where lines through two
    features end on it, and every degree: nothing wider than ``LEAST_ARC`` is missed.
    """
    rim = Rim.of(target)
    body = Bodies.of(PlacedSet((observer,)))
    own = Blockers((), ())
    if target.kind == "polygon" and not is_convex(target.polygon):
        own = Blockers(("the target itself",), (target.corners,))
    both = Blockers((*blockers.names, *own.names), (*blockers.outlines, *own.outlines)) if len(own) else blockers
    view = _View.of(observer, target, both.walls, _ignored(both, ignoring))
    places = rim.places(np.concatenate((view.critical(rim), rim.turns(body))))
    points, normals = rim.points(places), rim.normals(places)
    faces = np.flatnonzero(_above(body, points, normals) > EPS)
    if len(own):
        faces = faces[_View.of(observer, target, own.walls, None).reached(points[faces], normals[faces])]
    hidden = np.zeros(len(points), dtype=np.bool_)
    hidden[faces] = ~view.reached(points[faces], normals[faces])
    if not hidden.any():
        return None
    x, y = _middle_of_longest(points, hidden).tolist()
    return x, y


def blocking(observer: Placed, target: Placed, blockers: Blockers, ignoring: Collection[int] = ()) -> tuple[str, ...]:
    """The names of the blockers on the line from centre to centre, in its order; some whenever nothing is seen.

    The line leads from edge to edge. For a hull with a notch it is the shortest between the centres of its triangles.
    """
    one, other = PlacedSet((observer,)), PlacedSet((target,))
    if _touching(one, other)[0, 0]:
        return ()
    left, right = Bodies.of(one), Bodies.of(other)
    i, j = (v.ravel() for v in np.indices((len(left), len(right))))
    best = np.argmin(np.hypot(left.x[i] - right.x[j], left.y[i] - right.y[j]))
    line = _centre_lines(left, right, i[best : best + 1], j[best : best + 1])
    walls, ignored = blockers.walls, _ignored(blockers, ignoring)
    met = walls.hits(line)[0] if ignored is None else (walls.hits(line) & ~ignored)[0]
    ax, ay, bx, by = line[0].tolist()
    start, drawn = shapely.Point(ax, ay), shapely.LineString([(ax, ay), (bx, by)])
    owners = np.unique(walls.owners[met]).tolist()
    away = {k: shapely.distance(start, drawn.intersection(Polygon(blockers.outlines[k]))) for k in owners}
    return tuple(blockers.names[k] for k in sorted(owners, key=lambda k: (away[k], k)))


def _ignored(blockers: Blockers, ignoring: Collection[int]) -> Bools | None:
    """The pieces that do not hinder, as one row."""
    if not len(ignoring):
        return None
    row = np.zeros((1, len(blockers)), dtype=np.bool_)
    row[0, list(ignoring)] = True
    return blockers.walls.spread(row)


def _touching(observers: PlacedSet, targets: PlacedSet) -> Bools:
    """Which bases overlap or touch, an array (n, m); measured only where their boxes do."""
    out = np.zeros((len(observers), len(targets)), dtype=np.bool_)
    if not out.size:
        return out
    a, b = observers.bounds[:, None, :], targets.bounds[None, :, :]
    near = np.all((a[..., :2] <= b[..., 2:] + EPS) & (b[..., :2] <= a[..., 2:] + EPS), axis=-1)
    for k in np.flatnonzero(near.any(axis=1)).tolist():
        out[k, near[k]] = separations(PlacedSet((observers[k],)), targets.take(near[k]))[0] <= EPS
    return out


def _shortest(one: Placed, other: Placed) -> Segment:
    """The shortest line between bases that overlap or touch: a point that they share, where they share ground."""
    shared = shapely.point_on_surface(shapely.intersection(one.polygon, other.polygon))
    if shared.is_empty:
        return witness(one, other)
    return (float(shared.x), float(shared.y)), (float(shared.x), float(shared.y))


@dataclass(frozen=True)
class Walls:
    """Blockers as columns: K shrunk outlines first, then one piece for each two that share a border.

    ``owners`` (P, 2) says whose a piece is. ``ring`` (V, 2) strings all shrunk rings together, each closed;
    ``edge_piece`` (V - 1,) is the piece of the edge from one of its points to the next, -1 from ring to ring.
    ``corners`` (C, 2) are the corners of the outlines as given that stick out, ``edges`` (E, 4) their edges.
    ``plates`` (T, M, 2) are convex parts of the shrunk pieces, filled up with their last corner.
    """

    outlines: tuple[Polygon, ...]
    owners: Ints
    ring: Floats
    edge_piece: Ints
    corners: Floats
    corner_owner: Ints
    edges: Floats
    plates: Floats
    plate_piece: Ints

    @classmethod
    def of(cls, outlines: Sequence[Polygon]) -> Walls:
        """The columns of simple polygons."""
        pieces = [shapely.buffer(p, -EPS, join_style="mitre") for p in outlines]
        owners = [(k, k) for k in range(len(pieces))]
        for k, other, seam in _seams(outlines, pieces):
            pieces.append(seam)
            owners.append((k, other))
        rings = [(k, shapely.get_coordinates(r)) for k, piece in enumerate(pieces) for r in _rings(piece)]
        corners = [_outer_corners(p) for p in outlines]
        shells = [shapely.get_coordinates(p.exterior) for p in outlines]
        plates = [(k, shapely.get_coordinates(part)[:-1]) for k, p in enumerate(pieces) for part in _convex(p)]
        edge_piece = [np.append(np.full(len(ring) - 1, k), -1) for k, ring in rings]
        return cls(
            outlines=tuple(outlines),
            owners=np.array(owners, dtype=np.intp).reshape(-1, 2),
            ring=np.vstack([np.empty((0, 2)), *(ring for _, ring in rings)]),
            edge_piece=np.concatenate([np.empty(0, dtype=np.intp), *edge_piece])[:-1].astype(np.intp),
            corners=np.vstack([np.empty((0, 2)), *corners]),
            corner_owner=np.repeat(np.arange(len(outlines)), [len(c) for c in corners]).astype(np.intp),
            edges=np.vstack([np.empty((0, 4)), *(np.hstack((s[:-1], s[1:])) for s in shells)]),
            plates=_padded([part for _, part in plates]),
            plate_piece=np.array([k for k, _ in plates], dtype=np.intp),
        )

    def spread(self, ignoring: Bools) -> Bools:
        """Rows over blockers as rows over pieces: a shared border hinders only while both its owners do."""
        return np.asarray(ignoring[:, self.owners[:, 0]] | ignoring[:, self.owners[:, 1]])

    def hits(self, lines: Floats) -> Bools:
        """Which lines (n, 4) meet which pieces, an array (n, P)."""
        out = np.zeros((len(lines), len(self.owners)), dtype=np.bool_)
        if out.size and len(self.ring):
            for start in range(0, len(lines), ROWS):
                self._hit(lines[start : start + ROWS], out[start : start + ROWS])
        return out

    def clear(self, lines: Floats, ignored: Bools | None) -> Bools:
        """Which lines meet no piece that is not ignored; ``ignored`` has a row for each line, or one for all."""
        hit = self.hits(lines)
        return np.asarray(~np.any(hit if ignored is None else hit & ~ignored, axis=1))

    def _hit(self, lines: Floats, out: Bools) -> None:
        """A piece is met when one of its edges is crossed on the way, or an odd number of them before the start."""
        x, y = lines[:, 0, None], lines[:, 1, None]
        dx, dy = lines[:, 2, None] - x, lines[:, 3, None] - y
        side = dx * (self.ring[:, 1] - y) - dy * (self.ring[:, 0] - x)
        left = side > 0
        row, edge = np.nonzero((left[:, 1:] != left[:, :-1]) & (self.edge_piece >= 0))
        here, there = side[row, edge], side[row, edge + 1]
        crossing = self.ring[edge] + (here / (here - there))[:, None] * (self.ring[edge + 1] - self.ring[edge])
        dx, dy = dx[row, 0], dy[row, 0]
        t = ((crossing[:, 0] - x[row, 0]) * dx + (crossing[:, 1] - y[row, 0]) * dy) / (dx * dx + dy * dy)
        piece = self.edge_piece[edge]
        on_way, before = (t >= 0) & (t <= 1), t < 0
        out[row[on_way], piece[on_way]] = True
        slots = row[before] * out.shape[1] + piece[before]
        out |= np.reshape(np.bincount(slots, minlength=out.size) % 2 == 1, out.shape)


def _seams(outlines: Sequence[Polygon], shrunk: Sequence[Polygon]) -> Iterator[tuple[int, int, Polygon]]:
    """The shrunk union of each two outlines that share a border, which has no gap where they meet."""
    if len(outlines) < 2:
        return
    tree = shapely.STRtree(outlines)
    for k, other in sorted(tree.query(outlines, predicate="dwithin", distance=EPS).T.tolist()):
        if k < other:
            grown = shapely.buffer([outlines[k], outlines[other]], EPS, join_style="mitre")
            seam = shapely.buffer(shapely.union_all(grown), -2 * EPS, join_style="mitre")
            if seam.area - shapely.union(shrunk[k], shrunk[other]).area > SEAM:
                yield k, other, seam


def _rings(shape: Polygon) -> list[shapely.LinearRing]:
    return [ring for part in shapely.get_parts(shape) if not part.is_empty for ring in shapely.get_rings(part)]


def _convex(shape: Polygon) -> list[Polygon]:
    """A piece as convex parts."""
    parts = [part for part in shapely.get_parts(shape) if not part.is_empty]
    return [
        convex
        for part in parts
        for convex in ([part] if is_convex(part) else shapely.get_parts(shapely.constrained_delaunay_triangles(part)))
    ]


def _outer_corners(polygon: Polygon) -> Floats:
    """The corners of an outline that stick out; a line can be held by no other."""
    ring = shapely.get_coordinates(polygon.exterior)[:-1]
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return np.asarray(ring[turn > 0] if polygon.exterior.is_ccw else ring[turn < 0])


def _padded(rings: Sequence[Floats]) -> Floats:
    """Rings of corners as one array (n, most corners, 2), each filled up with its last."""
    most = max((len(ring) for ring in rings), default=0)
    full = [np.vstack((ring, np.repeat(ring[-1:], most - len(ring), axis=0))) for ring in rings]
    return np.array(full, dtype=np.float64).reshape(len(rings), most, 2)


@dataclass(frozen=True)
class Bodies:
    """Convex bases, and convex parts of those with a notch, as columns of length n; ``owner`` is the base's position.

    ``corners`` (n, M, 2) is filled up with the last corner, and means nothing for round and oval bases.
    """

    owner: Ints
    x: Floats
    y: Floats
    cos: Floats
    sin: Floats
    a: Floats
    b: Floats
    corners: Floats
    sharp: Bools

    @classmethod
    def of(cls, group: PlacedSet) -> Bodies:
        """The columns of placed bases."""
        owner: list[int] = []
        rows: list[tuple[float, ...]] = []
        rings: list[Floats] = []
        for k, placed in enumerate(group):
            if placed.kind == "ellipse":
                owner.append(k)
                rows.append((*placed.pose.at, math.radians(placed.pose.facing), *placed.semi_axes))
                rings.append(np.array([placed.pose.at]))
                continue
            for part in _convex(placed.polygon):
                ring = shapely.get_coordinates(part)[:-1]
                x, y = np.mean(ring, axis=0).tolist()
                owner.append(k)
                rows.append((x, y, 0.0, 0.0, 0.0))
                rings.append(ring)
        x, y, angle, a, b = np.array(rows, dtype=np.float64).reshape(-1, 5).T
        corners = _padded(rings)
        if corners.shape[1] == 1:
            corners = corners[:, :0]
        return cls(np.array(owner, dtype=np.intp), x, y, np.cos(angle), np.sin(angle), a, b, corners, a == 0)

    def __len__(self) -> int:
        return len(self.owner)

    def farthest(self, at: Ints, direction: Floats) -> Floats:
        """The point of each body that reaches farthest in a direction, (n, 2) for unit vectors (n, 2)."""
        cos, sin, a, b = self.cos[at], self.sin[at], self.a[at], self.b[at]
        u = cos * direction[:, 0] + sin * direction[:, 1]
        v = cos * direction[:, 1] - sin * direction[:, 0]
        h = np.hypot(a * u, b * v)
        h[h == 0] = 1.0
        u, v = a * a * u / h, b * b * v / h
        out = np.column_stack((self.x[at] + cos * u - sin * v, self.y[at] + sin * u + cos * v))
        sharp = np.flatnonzero(self.sharp[at])
        if len(sharp):
            rings = self.corners[at[sharp]]
            best = np.argmax(np.einsum("nmk,nk->nm", rings, direction[sharp]), axis=1)
            out[sharp] = rings[np.arange(len(sharp)), best]
        return out

    def reach(self, directions: Floats) -> Floats:
        """How far all bodies together reach in directions (d, 2) from the origin."""
        found = []
        for k in range(len(self)):
            tips = self.farthest(np.full(len(directions), k), directions)
            found.append(np.sum(tips * directions, axis=1))
        return np.asarray(np.max(found, axis=0))

    def clip(self, at: Ints, start: Floats, along: Floats) -> tuple[Floats, Floats, Bools]:
        """Where each line enters and leaves its body, in inches along it, and whether it meets it at all.

        A line without a direction meets nothing.
        """
        dx, dy = start[:, 0] - self.x[at], start[:, 1] - self.y[at]
        cos, sin = self.cos[at], self.sin[at]
        a, b = np.where(self.sharp[at], 1.0, self.a[at]), np.where(self.sharp[at], 1.0, self.b[at])
        pu, pv = (cos * dx + sin * dy) / a, (cos * dy - sin * dx) / b
        du, dv = (cos * along[:, 0] + sin * along[:, 1]) / a, (cos * along[:, 1] - sin * along[:, 0]) / b
        leads = (du != 0) | (dv != 0)
        square = np.where(leads, du * du + dv * dv, 1.0)
        off = (pu * dv - pv * du) ** 2 / square
        middle, half = -(pu * du + pv * dv) / square, np.sqrt(np.maximum(1.0 - off, 0.0) / square)
        low, high, meets = middle - half, middle + half, off <= (1.0 + TOUCH) ** 2
        sharp = np.flatnonzero(self.sharp[at])
        if len(sharp):
            low[sharp], high[sharp], meets[sharp] = _clip_corners(self.corners[at[sharp]], start[sharp], along[sharp])
        return low, high, meets & leads

    def tangents(self, at: Ints, points: Floats) -> Floats:
        """The directions of the two tangents from each point, (n, 2, 2); from inside, along the edge."""
        dx, dy = points[:, 0] - self.x[at], points[:, 1] - self.y[at]
        cos, sin, a, b = self.cos[at], self.sin[at], self.a[at], self.b[at]
        u, v = (cos * dx + sin * dy) / a, (cos * dy - sin * dx) / b
        spread = np.arccos(1.0 / np.maximum(np.hypot(u, v), 1.0))
        turn = np.arctan2(v, u)[:, None] + np.stack((spread, -spread), axis=1)
        u, v = -a[:, None] * np.sin(turn), b[:, None] * np.cos(turn)
        out = np.stack((cos[:, None] * u - sin[:, None] * v, sin[:, None] * u + cos[:, None] * v), axis=-1)
        return np.asarray(out / np.linalg.norm(out, axis=-1, keepdims=True))

    def contacts(self, walls: Walls) -> tuple[Floats, Bools]:
        """Where outlines cross or touch the edge of each body: points (n, most, 2) and which of them are."""
        found: list[list[Point]] = [[] for _ in range(len(self))]
        starts, ends = walls.edges[:, :2], walls.edges[:, 2:]
        steps = ends - starts
        lengths = np.hypot(steps[:, 0], steps[:, 1])
        steps = steps / lengths[:, None]
        body, edge = (v.ravel() for v in np.indices((len(self), len(lengths))))
        low, high, meets = self.clip(body, starts[edge], steps[edge])
        for t in (low, high):
            on = np.flatnonzero(meets & ~self.sharp[body] & (t >= -TOUCH) & (t <= lengths[edge] + TOUCH))
            spots = starts[edge[on]] + t[on, None] * steps[edge[on]]
            for k, (x, y) in zip(body[on].tolist(), spots.tolist(), strict=True):
                found[k].append((x, y))
        tree = shapely.STRtree(walls.outlines)
        for k in np.flatnonzero(self.sharp).tolist():
            edge_of_body = shapely.LinearRing(self.corners[k])
            for other in tree.query(edge_of_body, predicate="intersects").tolist():
                shared = shapely.intersection(edge_of_body, walls.outlines[other].exterior)
                found[k] += [(x, y) for x, y in shapely.get_coordinates(shared).tolist()]
        most = max((len(spots) for spots in found), default=0)
        points, real = np.zeros((len(self), most, 2)), np.zeros((len(self), most), dtype=np.bool_)
        for k, met in enumerate(found):
            if met:
                points[k, : len(met)], real[k, : len(met)] = met, True
        return points, real


def _clip_corners(rings: Floats, start: Floats, along: Floats) -> tuple[Floats, Floats, Bools]:
    """Where lines enter and leave convex rings, and whether they meet them."""
    away = rings - start[:, None, :]
    side = along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0]
    at = along[:, None, 0] * away[..., 0] + along[:, None, 1] * away[..., 1]
    following, further = np.roll(side, -1, axis=1), np.roll(at, -1, axis=1)
    crossed = (side > 0) != (following > 0)
    part = side / np.where(crossed, side - following, 1.0)
    crossing = at + part * (further - at)
    touched = np.abs(side) <= TOUCH
    low = np.minimum(np.where(crossed, crossing, np.inf), np.where(touched, at, np.inf)).min(axis=1)
    high = np.maximum(np.where(crossed, crossing, -np.inf), np.where(touched, at, -np.inf)).max(axis=1)
    meets = np.asarray(low <= high)
    return np.where(meets, low, 0.0), np.where(meets, high, 0.0), meets


def _search(left: Bodies, right: Bodies, i: Ints, j: Ints, walls: Walls, ignored: Bools | None) -> Floats:
    """A clear line for each pair of bodies that are apart, (n, 4), NaN where there is none."""
    found = np.full((len(i), 4), np.nan)
    if ignored is not None:
        ignored = np.broadcast_to(ignored, (len(i), len(walls.owners)))

    def rows(picks: Ints) -> Bools | None:
        return None if ignored is None else ignored[picks]

    lines = _centre_lines(left, right, i, j)
    clear = walls.clear(lines, ignored)
    found[clear] = lines[clear]
    rest = np.flatnonzero(~clear)
    if not len(rest):
        return found
    hull, sides = _side_lines(left, right, i[rest], j[rest])
    for line in sides:
        still = np.flatnonzero(np.isnan(found[rest, 0]))
        clear = walls.clear(line[still], rows(rest[still]))
        found[rest[still[clear]]] = line[still[clear]]
    still = np.flatnonzero(np.isnan(found[rest, 0]))
    still = still[~hull.take(still).cut(walls, rows(rest[still]))]
    if len(still):
        rest, hull = rest[still], hull.take(still)
        found[rest] = _search_all(left, right, i[rest], j[rest], walls, rows(rest), hull)
    return found


def _unit(vectors: Floats) -> Floats:
    """Vectors (n, 2) at length 1."""
    length = np.hypot(vectors[:, 0], vectors[:, 1])
    return np.asarray(vectors / np.where(length > 0, length, 1.0)[:, None])


def _between(left: Bodies, right: Bodies, i: Ints, j: Ints, start: Floats, along: Floats) -> tuple[Floats, Ints]:
    """The parts of lines from body to body, (k, 4), and which of the lines have one."""
    low, high, meets = left.clip(i, start, along)
    keep = np.flatnonzero(meets)
    near, far, meets = right.clip(j[keep], start[keep], along[keep])
    keep, near, far = keep[meets], near[meets], far[meets]
    low, high, start, along = low[keep], high[keep], start[keep], along[keep]
    ahead = low + high <= near + far
    begin, end = np.where(ahead, high, low), np.where(ahead, near, far)
    shared = (begin > end) == ahead
    begin = np.where(shared, end, begin)
    return np.hstack((start + begin[:, None] * along, start + end[:, None] * along)), keep


def _centre_lines(left: Bodies, right: Bodies, i: Ints, j: Ints) -> Floats:
    """From edge to edge along the line of the centres, (n, 4)."""
    start, end = np.column_stack((left.x[i], left.y[i])), np.column_stack((right.x[j], right.y[j]))
    lines, kept = _between(left, right, i, j, start, _unit(end - start))
    out = np.hstack((start, end))
    out[kept] = lines
    return out


@dataclass(frozen=True)
class Hulls:
    """What lies between pairs of bodies, as ``normals`` (n, 4, 2) and ``offsets`` (n, 4) of half planes around it.

    The first two run along its sides. The last two are the same line between the ends: behind the observer and behind
    the target. ``fronts`` (n, 2, 2) are the centres of the two.
    """

    normals: Floats
    offsets: Floats
    left: Bodies
    right: Bodies
    i: Ints
    j: Ints

    def take(self, picks: Ints) -> Hulls:
        """Some of them."""
        return Hulls(self.normals[picks], self.offsets[picks], self.left, self.right, self.i[picks], self.j[picks])

    def holds(self, points: Floats) -> Bools:
        """Which points (p, 2) lie in which hull, an array (n, p)."""
        out = np.ones((len(self.i), len(points)), dtype=np.bool_)
        for k in range(4):
            out &= _heights(self.normals[:, k], self.offsets[:, k], points) <= TOUCH
        return out

    def cut(self, walls: Walls, ignored: Bools | None) -> Bools:
        """Which hulls one blocker certainly cuts in two: from beyond one side to beyond the other, between the ends."""
        out = np.zeros(len(self.i), dtype=np.bool_)
        count, most = walls.plates.shape[:2]
        if not count or not len(out):
            return out
        points = walls.plates.reshape(-1, 2)
        one, other = (
            _heights(self.normals[:, k], self.offsets[:, k], points).reshape(-1, count, most) for k in range(2)
        )
        first, second = np.argmax(one, axis=2)[..., None], np.argmax(other, axis=2)[..., None]
        spans = np.take_along_axis(one, first, 2) > 0
        spans &= np.take_along_axis(other, first, 2) < 0
        spans &= np.take_along_axis(other, second, 2) > 0
        spans &= np.take_along_axis(one, second, 2) < 0
        hull, plate = np.nonzero(spans[..., 0])
        if ignored is not None:
            counts = ~ignored[hull, walls.plate_piece[plate]]
            hull, plate = hull[counts], plate[counts]
        if len(hull):
            start, end = (walls.plates[plate, at[hull, plate, 0]] for at in (first, second))
            out[hull[self._parts(hull, start, end)]] = True
        return out

    def _parts(self, at: Ints, start: Floats, end: Floats) -> Bools:
        """Whether the line from start to end has the two bodies on different sides."""
        normal = np.column_stack((start[:, 1] - end[:, 1], end[:, 0] - start[:, 0]))
        middle = np.column_stack((self.left.x[self.i[at]], self.left.y[self.i[at]]))
        normal = normal * np.where(np.sum(normal * (middle - start), axis=1) > 0, 1.0, -1.0)[:, None]
        back = self.left.farthest(self.i[at], -normal)
        front = self.right.farthest(self.j[at], normal)
        here, there = (np.sum(normal * (tip - start), axis=1) for tip in (back, front))
        return np.asarray((here > 0) & (there < 0))


def _heights(normals: Floats, offsets: Floats, points: Floats) -> Floats:
    """How far points (p, 2) lie beyond half planes (n, 2), an array (n, p)."""
    return np.asarray(normals @ points.T - offsets[:, None])


def _side_lines(left: Bodies, right: Bodies, i: Ints, j: Ints) -> tuple[Hulls, list[Floats]]:
    """Half planes around each two bodies, and four lines: along both sides, and from either side to the other."""
    way = _unit(np.column_stack((right.x[j] - left.x[i], right.y[j] - left.y[i])))
    normals, lines = [], []
    for here, there in ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)):
        along, line = way, np.empty((len(i), 4))
        for _ in range(TURNS):
            across = np.column_stack((-along[:, 1], along[:, 0]))
            line = np.hstack((left.farthest(i, here * across), right.farthest(j, there * across)))
            along = _unit(line[:, 2:] - line[:, :2])
        lines.append(line)
        if here == there:
            normals.append(here * np.column_stack((-along[:, 1], along[:, 0])))
    normals += [-way, way]
    offsets = [
        np.maximum(np.sum(left.farthest(i, n) * n, axis=1), np.sum(right.farthest(j, n) * n, axis=1)) for n in normals
    ]
    return Hulls(np.stack(normals, axis=1), np.stack(offsets, axis=1), left, right, i, j), lines


def _search_all(
    left: Bodies, right: Bodies, i: Ints, j: Ints, walls: Walls, ignored: Bools | None, hull: Hulls
) -> Floats:
    """A clear line for each pair, (n, 4), out of all that two features hold; NaN where there is none."""
    found = np.full((len(i), 4), np.nan)
    inside = hull.holds(walls.corners)
    if ignored is not None:
        inside &= ~ignored[:, walls.corner_owner]
    features = [(np.broadcast_to(walls.corners, (len(i), *walls.corners.shape)), inside)]
    for bodies, at in ((left, i), (right, j)):
        spots, real = bodies.contacts(walls)
        features.append((spots[at], real[at]))
        fresh = np.ones(bodies.corners.shape[:2], dtype=np.bool_)
        fresh[:, 1:] = np.any(bodies.corners[:, 1:] != bodies.corners[:, :-1], axis=2)
        features.append((bodies.corners[at], (fresh & bodies.sharp[:, None])[at]))
    points = np.concatenate([spots for spots, _ in features], axis=1)
    real = np.concatenate([mask for _, mask in features], axis=1)
    count = np.sum(real, axis=1)
    batch = np.cumsum(count * count) // CROSSINGS
    for number in np.unique(batch).tolist():
        picks = np.flatnonzero(batch == number)
        row, column = np.nonzero(real[picks])
        rows, start, along = _held_by_two(left, right, i[picks], j[picks], row, points[picks[row], column])
        lines, kept = _between(left, right, i[picks[rows]], j[picks[rows]], start, along)
        rows = picks[rows[kept]]
        clear = np.flatnonzero(walls.clear(lines, None if ignored is None else ignored[rows]))[::-1]
        found[rows[clear]] = lines[clear]
    return found


def _held_by_two(
    left: Bodies, right: Bodies, i: Ints, j: Ints, row: Ints, points: Floats
) -> tuple[Ints, Floats, Floats]:
    """The lines through two points of one row, and through a point along a round or oval base.

    ``row`` (p,), in order, says to which pair a point belongs. Returns the row, a point and the direction of each.
    """
    one, other = _couples(np.bincount(row, minlength=len(i)))
    step = points[other] - points[one]
    apart = np.hypot(step[:, 0], step[:, 1]) > TOUCH
    one, step = one[apart], step[apart]
    rows, starts, ways = [row[one]], [points[one]], [_unit(step)]
    for bodies, at in ((left, i), (right, j)):
        smooth = np.flatnonzero(~bodies.sharp[at[row]])
        tangents = bodies.tangents(at[row[smooth]], points[smooth])
        for k in range(2):
            rows.append(row[smooth])
            starts.append(points[smooth])
            ways.append(tangents[:, k])
    return np.concatenate(rows), np.concatenate(starts), np.concatenate(ways)


def _couples(counts: Ints) -> tuple[Ints, Ints]:
    """All couples inside consecutive groups of the given sizes, as two columns of positions."""
    begins = np.cumsum(counts) - counts
    ones, others = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
    for size in np.unique(counts).tolist():
        first, second = np.triu_indices(size, 1)
        begin = begins[counts == size][:, None]
        ones.append((begin + first).ravel())
        others.append((begin + second).ravel())
    return np.concatenate(ones), np.concatenate(others)


@dataclass(frozen=True)
class Rim:
    """The edge of a base by one number: the angle round an ellipse (a turn is 2 pi), or corner number and fraction."""

    placed: Placed
    corners: Floats  # counter-clockwise, closed; none for an ellipse
    length: float

    @classmethod
    def of(cls, placed: Placed) -> Rim:
        """The edge of a placed base."""
        if placed.kind == "ellipse":
            return cls(placed, np.empty((0, 2)), 2 * math.pi)
        ring = shapely.get_coordinates(shapely.normalize(placed.polygon).exterior)
        if not shapely.is_ccw(shapely.LinearRing(ring)):
            ring = ring[::-1]
        return cls(placed, ring, float(len(ring) - 1))

    def places(self, critical: Floats) -> Floats:
        """The middles of all the stretches between critical places, cut so fine that none is longer than a degree."""
        count = 360.0 / RIM_STEP if not len(self.corners) else self.length * math.ceil(360.0 / RIM_STEP / self.length)
        even = np.arange(round(count)) * (self.length / round(count))
        marks = np.sort(np.concatenate((even, critical % self.length)))
        ends = np.append(marks[1:], self.length + marks[0])
        return np.asarray(((marks + ends) / 2)[ends - marks > LEAST_ARC])

    def points(self, places: Floats) -> Floats:
        """The points (n, 2) at places."""
        if len(self.corners):
            k, part = self._edge(places)
            return np.asarray(self.corners[k] + part[:, None] * (self.corners[k + 1] - self.corners[k]))
        a, b = self.placed.semi_axes
        return np.asarray(self.placed.pose.at) + self._turned(a * np.cos(places), b * np.sin(places))

    def normals(self, places: Floats) -> Floats:
        """The unit vectors (n, 2) that point outward at places."""
        if len(self.corners):
            k, _ = self._edge(places)
            step = self.corners[k + 1] - self.corners[k]
            return _unit(np.column_stack((step[:, 1], -step[:, 0])))
        a, b = self.placed.semi_axes
        return _unit(self._turned(b * np.cos(places), a * np.sin(places)))

    def turns(self, body: Bodies) -> Floats:
        """Where the edge of an ellipse turns away from a base; an edge with corners does so at them."""
        if len(self.corners):
            return np.arange(self.length)
        even = np.linspace(0.0, self.length, 721)
        towards = _above(body, self.points(even), self.normals(even)) > EPS
        flips = np.flatnonzero(towards[1:] != towards[:-1])
        low, high = even[flips], even[flips + 1]
        for _ in range(40):  # halves of half a degree: far below LEAST_ARC
            middle = (low + high) / 2
            same = (_above(body, self.points(middle), self.normals(middle)) > EPS) == towards[flips]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return low

    def crossings(self, start: Floats, along: Floats) -> Floats:
        """The places where lines meet the edge."""
        if len(self.corners):
            away = self.corners[None] - start[:, None]
            side = along[:, None, 0] * away[..., 1] - along[:, None, 1] * away[..., 0]
            line, k = np.nonzero((side[:, 1:] > 0) != (side[:, :-1] > 0))
            here, there = side[line, k], side[line, k + 1]
            return np.asarray(k + here / (here - there))
        body = Bodies.of(PlacedSet((self.placed,)))
        low, high, meets = body.clip(np.zeros(len(start), dtype=np.intp), start, along)
        away = np.concatenate([(start + t[:, None] * along)[meets] for t in (low, high)]) - self.placed.pose.at
        (a, b), (cos, sin) = self.placed.semi_axes, self._heading
        return np.arctan2((away @ (-sin, cos)) / b, (away @ (cos, sin)) / a)

    @property
    def _heading(self) -> Point:
        angle = math.radians(self.placed.pose.facing)
        return math.cos(angle), math.sin(angle)

    def _turned(self, u: Floats, v: Floats) -> Floats:
        """Steps along and across the facing as steps on the table."""
        cos, sin = self._heading
        return np.column_stack((cos * u - sin * v, sin * u + cos * v))

    def _edge(self, places: Floats) -> tuple[Ints, Floats]:
        k = np.minimum(np.floor(places % self.length).astype(np.intp), len(self.corners) - 2)
        return k, places % self.length - k


def _above(body: Bodies, points: Floats, normals: Floats) -> Floats:
    """How far a base reaches beyond the lines along an edge at points, in inches."""
    return np.asarray(body.reach(normals) - np.sum(normals * points, axis=1))


def _middle_of_longest(points: Floats, chosen: Bools) -> Floats:
    """Of points around a rim the one in the middle of the longest stretch of chosen ones."""
    begin = 0 if chosen.all() else int(np.argmin(chosen))
    order = np.roll(np.arange(len(points)), -begin)
    runs = np.split(order, np.flatnonzero(np.diff(chosen[order].astype(np.int8))) + 1)
    travels = []
    for run in (run for run in runs if chosen[run[0]]):
        steps = np.linalg.norm(np.diff(points[run], axis=0), axis=1)
        travels.append((float(np.sum(steps)), int(run[np.searchsorted(np.cumsum(steps), np.sum(steps) / 2)])))
    return np.asarray(points[max(travels)[1]])


@dataclass(frozen=True)
class _View:
    """What holds the lines from single points of a target to an observer: the ``features`` (f, 2) between the two."""

    observer: Bodies
    target: Bodies
    walls: Walls
    ignored: Bools | None
    features: Floats

    @classmethod
    def of(cls, observer: Placed, target: Placed, walls: Walls, ignored: Bools | None) -> _View:
        """The corners that lie between, the observer's own, and where outlines cross the edges of the two."""
        body, other = Bodies.of(PlacedSet((observer,))), Bodies.of(PlacedSet((target,)))
        area = shapely.convex_hull(shapely.union(observer.polygon, target.polygon))
        slack = 1e-3 * (observer.radius + target.radius) + EPS  # the polygons of ellipses lie inside them
        area = shapely.buffer(area, slack)
        shapely.prepare(area)
        inside = shapely.intersects_xy(area, walls.corners[:, 0], walls.corners[:, 1])
        spots = [walls.corners[inside], body.corners[body.sharp].reshape(-1, 2)]
        for bodies in (body, other):
            contacts, real = bodies.contacts(walls)
            spots.append(contacts[real])
        return cls(body, other, walls, ignored, np.unique(np.vstack(spots), axis=0))

    def critical(self, rim: Rim) -> Floats:
        """The places on the target's rim where what is seen may change."""
        row, none = np.zeros(len(self.features), dtype=np.intp), np.zeros(1, dtype=np.intp)
        found = []
        for k in range(len(self.observer)):
            at = np.array([k], dtype=np.intp)
            _, start, along = _held_by_two(self.observer, self.target, at, none, row, self.features)
            found.append(rim.crossings(start, along))
            centre = np.array([self.observer.x[k], self.observer.y[k]])
            found.append(rim.crossings(self.features, _unit(centre - self.features)))
        return np.concatenate(found)

    def reached(self, points: Floats, normals: Floats) -> Bools:
        """Which points of the rim some point of the observer sees, looking past the target itself."""
        out = np.zeros(len(points), dtype=np.bool_)
        for start in range(0, len(points), ROWS):
            part = slice(start, start + ROWS)
            out[part] = self._reached(points[part], normals[part])
        return out

    def _reached(self, points: Floats, normals: Floats) -> Bools:
        out = np.zeros(len(points), dtype=np.bool_)
        along_rim = np.column_stack((-normals[:, 1], normals[:, 0]))
        centres = np.column_stack((self.observer.x, self.observer.y))
        for k in range(len(self.observer)):
            at = np.full(len(points), k, dtype=np.intp)
            ways = [along_rim, -along_rim, *(_unit(spot - points) for spot in (*centres, *self.features))]
            if not self.observer.sharp[k]:
                both = self.observer.tangents(at, points)
                ways += [both[:, 0], both[:, 1], -both[:, 0], -both[:, 1]]
            row = np.tile(np.arange(len(points)), len(ways))
            way = np.concatenate(ways)
            low, high, meets = self.observer.clip(at[row], points[row], way)
            keep = meets & (high >= -TOUCH) & (np.sum(way * normals[row], axis=1) >= -TOUCH)
            row, way, far = row[keep], way[keep], np.maximum(low[keep], 0.0)
            lines = np.hstack((points[row], points[row] + far[:, None] * way))
            out[row[self.walls.clear(lines, self.ignored)]] = True
        return out
