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

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely import Polygon

from sim.geometry.bodies import TOUCH, Bodies, heights, lane, unit
from sim.geometry.distance import Segment, separations, witness
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Placed, Point, ShapeError, check_outline
from sim.geometry.tolerance import EPS, Bools, Floats, Ints
from sim.geometry.walls import Walls

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
    found = _search(left, right, i, j, in_the_way(blockers, left, right, ignoring), None)
    clear = np.flatnonzero(~np.isnan(found[:, 0]))
    if not len(clear):
        return None
    ax, ay, bx, by = found[clear[0]].tolist()
    return (ax, ay), (bx, by)


def visible(
    observers: PlacedSet,
    targets: PlacedSet,
    blockers: Blockers,
    ignoring: Bools | None = None,
    asked: Bools | None = None,
) -> Bools:
    """Which observers see which targets, an array (n, m).

    ``ignoring[i, j, k]`` says that blocker k does not hinder observer i on target j; any axis may have length 1.
    Only the pairs that are ``asked`` about (n, m) are looked at, all without it; of the others those count as seen
    that touch.
    """
    out = _touching(observers, targets)
    left, right = Bodies.of(observers), Bodies.of(targets)
    open_pairs = ~out if asked is None else ~out & asked
    hidden = open_pairs[np.ix_(left.owner, right.owner)]
    rows, columns = np.nonzero(hidden)
    if not len(rows):
        return out
    walls = blockers.walls
    near = walls.reaching(*lane(left, right))
    if ignoring is not None:
        near &= ~np.all(ignoring, axis=(0, 1))
        ignoring = np.broadcast_to(ignoring, (*out.shape, len(blockers)))[..., near]
    walls = walls.only(near)
    for start in range(0, len(rows), PAIRS):
        i, j = rows[start : start + PAIRS], columns[start : start + PAIRS]
        at, to = left.owner[i], right.owner[j]
        ignored = None if ignoring is None else walls.spread(ignoring[at, to])
        found = ~np.isnan(_search(left, right, i, j, walls, ignored)[:, 0])
        out[at[found], to[found]] = True
    return out


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
    walls = blockers.walls
    ignored = np.zeros((1, len(blockers)), dtype=np.bool_)
    ignored[0, list(ignoring)] = True
    met = (walls.hits(line) & ~walls.spread(ignored))[0]
    ax, ay, bx, by = line[0].tolist()
    start, drawn = shapely.Point(ax, ay), shapely.LineString([(ax, ay), (bx, by)])
    owners = np.unique(walls.owners[met]).tolist()
    away = {k: shapely.distance(start, drawn.intersection(Polygon(blockers.outlines[k]))) for k in owners}
    return tuple(blockers.names[k] for k in sorted(owners, key=lambda k: (away[k], k)))


def cut_off(left: Bodies, right: Bodies, walls: Walls) -> bool:
    """Whether walls certainly close every view between two groups of bodies: one of them cuts each lane in two."""
    i, j = (v.ravel() for v in np.indices((len(left), len(right))))
    return bool(_side_lines(left, right, i, j)[0].cut(walls, None).all())


def held_by_two(
    left: Bodies, right: Bodies, i: Ints, j: Ints, row: Ints, points: Floats
) -> tuple[Ints, Floats, Floats]:
    """The lines through two points of one row, and through a point along a round or oval base.

    ``row`` (p,), in order, says to which pair a point belongs. Returns the row, a point and the direction of each.
    """
    one, other = _couples(np.bincount(row, minlength=len(i)))
    step = points[other] - points[one]
    apart = np.hypot(step[:, 0], step[:, 1]) > TOUCH
    one, step = one[apart], step[apart]
    rows, starts, ways = [row[one]], [points[one]], [unit(step)]
    for bodies, at in ((left, i), (right, j)):
        smooth = np.flatnonzero(~bodies.sharp[at[row]])
        tangents = bodies.tangents(at[row[smooth]], points[smooth])
        for k in range(2):
            rows.append(row[smooth])
            starts.append(points[smooth])
            ways.append(tangents[:, k])
    return np.concatenate(rows), np.concatenate(starts), np.concatenate(ways)


def in_the_way(blockers: Blockers, left: Bodies, right: Bodies, ignoring: Collection[int]) -> Walls:
    """What may hinder a view between two groups of bodies: what is not ignored and reaches into the lane between."""
    near = blockers.walls.reaching(*lane(left, right))
    near[list(ignoring)] = False
    return blockers.walls.only(near)


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


def _search(left: Bodies, right: Bodies, i: Ints, j: Ints, walls: Walls, ignored: Bools | None) -> Floats:
    """A clear line for each pair of bodies that are apart, (n, 4), NaN where there is none."""
    found = np.full((len(i), 4), np.nan)
    if ignored is not None:
        ignored = np.broadcast_to(ignored, (len(i), len(walls.owners)))

    def rows(picks: Ints) -> Bools | None:
        return None if ignored is None else ignored[picks]

    lines = _centre_lines(left, right, i, j)
    if not len(walls):
        return lines
    clear = walls.clear(lines, ignored)
    found[clear] = lines[clear]
    rest = np.flatnonzero(~clear)
    if not len(rest):
        return found
    hull, sides = _side_lines(left, right, i[rest], j[rest])
    whole = np.flatnonzero(~hull.cut(walls, rows(rest)))
    rest, hull, sides = rest[whole], hull.take(whole), sides[:, whole]
    for line in sides:
        still = np.flatnonzero(np.isnan(found[rest, 0]))
        if not len(still):
            return found
        clear = walls.clear(line[still], rows(rest[still]))
        found[rest[still[clear]]] = line[still[clear]]
    still = np.flatnonzero(np.isnan(found[rest, 0]))
    if len(still):
        rest, hull = rest[still], hull.take(still)
        found[rest] = _search_all(left, right, i[rest], j[rest], walls, rows(rest), hull)
    return found


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
    lines, kept = _between(left, right, i, j, start, unit(end - start))
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
            out &= heights(self.normals[:, k], self.offsets[:, k], points) <= TOUCH
        return out

    def cut(self, walls: Walls, ignored: Bools | None) -> Bools:
        """Which hulls one blocker certainly cuts in two: from beyond one side to beyond the other, between the ends."""
        out = np.zeros(len(self.i), dtype=np.bool_)
        count, most = walls.plates.shape[:2]
        if not count or not len(out):
            return out
        points = walls.plates.reshape(-1, 2)
        one, other = (
            heights(self.normals[:, k], self.offsets[:, k], points).reshape(-1, count, most) for k in range(2)
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


def _side_lines(left: Bodies, right: Bodies, i: Ints, j: Ints) -> tuple[Hulls, Floats]:
    """Half planes around each two bodies, and four lines: along both sides, and from either side to the other."""
    way = unit(np.column_stack((right.x[j] - left.x[i], right.y[j] - left.y[i])))
    here, there = (np.repeat(side, len(i))[:, None] for side in ((1.0, -1.0, 1.0, -1.0), (1.0, -1.0, -1.0, 1.0)))
    four_i, four_j, along = np.tile(i, 4), np.tile(j, 4), np.tile(way, (4, 1))
    lines = np.empty((4 * len(i), 4))
    for _ in range(TURNS):
        across = np.column_stack((-along[:, 1], along[:, 0]))
        lines = np.hstack((left.farthest(four_i, here * across), right.farthest(four_j, there * across)))
        along = unit(lines[:, 2:] - lines[:, :2])
    both = slice(2 * len(i))
    sides = here[both] * np.column_stack((-along[both, 1], along[both, 0]))
    normals = np.vstack((sides, -way, way))
    tips = left.farthest(four_i, normals), right.farthest(four_j, normals)
    offsets = np.maximum(*(np.sum(tip * normals, axis=1) for tip in tips))
    hull = Hulls(normals.reshape(4, -1, 2).swapaxes(0, 1), offsets.reshape(4, -1).T, left, right, i, j)
    return hull, lines.reshape(4, -1, 4)


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
        rows, start, along = held_by_two(left, right, i[picks], j[picks], row, points[picks[row], column])
        lines, kept = _between(left, right, i[picks[rows]], j[picks[rows]], start, along)
        rows = picks[rows[kept]]
        clear = np.flatnonzero(walls.clear(lines, None if ignored is None else ignored[rows]))[::-1]
        found[rows[clear]] = lines[clear]
    return found


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
