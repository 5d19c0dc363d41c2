"""On which curves can the border of a constraint lie, and of which points does it approve?

Both are asked for the centre of a round base. Ovals among the obstacles are taken by fine chords from outside, so that
no legal centre is promised where there is none; everything else is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sim.geometry.constraints import Constraint, KeepClear, StayInside, StayNear
from sim.geometry.cutting import FULL
from sim.geometry.sets import PlacedSet
from sim.geometry.tolerance import Bools, Floats

PAIRS_AT_A_TIME = 16_384  # pairs of points and discs that fit a small cache
FIRST_DISCS = 4  # every so many discs are asked in a go
OVAL_CHORDS = 360  # straight pieces for one oval obstacle

Allows = Callable[[Floats], Bools]


@dataclass(frozen=True)
class Curves:
    """Circles (n, 3) as x, y, radius, straight pieces (m, 4) as x, y, x, y, and where the two kinds pass over.

    ``joints`` (k, 2) are the points at which a straight piece ends on a circle without crossing it.
    """

    circles: Floats
    segments: Floats
    joints: Floats

    @classmethod
    def of(
        cls, circles: Sequence[Floats] = (), segments: Sequence[Floats] = (), joints: Sequence[Floats] = ()
    ) -> Curves:
        """Curves put together from several arrays."""
        none2, none3, none4 = np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 4))
        return cls(np.vstack([none3, *circles]), np.vstack([none4, *segments]), np.vstack([none2, *joints]))

    @classmethod
    def together(cls, every: Sequence[Curves]) -> Curves:
        """All curves of several."""
        return cls.of([c.circles for c in every], [c.segments for c in every], [c.joints for c in every])


def border_of(constraint: Constraint, radius: float) -> tuple[Curves, Allows] | None:
    """The curves of a constraint on single bases and its word on points; None for a kind that is not known here."""
    match constraint:
        case KeepClear():
            bases = constraint.obstacles.bases
            rims = _oval_rims(bases.take(~bases.is_round & ~bases.is_polygon), constraint.distance + radius)
            return _clear_curves(constraint, radius, rims), _clear_test(constraint, radius, rims)
        case StayInside():
            return _inside_curves(constraint, radius), _inside_test(constraint, radius)
        case StayNear():
            return _near_curves(constraint, radius), _near_test(constraint, radius)
        case _:
            return None


def closed_discs(constraints: Sequence[Constraint], radius: float) -> Floats:
    """Discs (n, 3) in which no centre is legal: about every round or oval obstacle."""
    found = [np.empty((0, 3))]
    for constraint in constraints:
        if isinstance(constraint, KeepClear) and constraint.only is None:
            bases = constraint.obstacles.bases
            reach = np.minimum(bases.a, bases.b) + constraint.distance + radius
            found.append(np.column_stack((bases.x, bases.y, reach))[~bases.is_polygon])
    return np.vstack(found)


def in_discs(starts: Floats, ends: Floats, discs: Floats) -> Bools:
    """Which pairs of points (n, 2) lie both within one and the same disc.

    Some discs from all over the table come first, since in a crowd they hold most points already; and so few points
    are looked at in a go that their numbers stay in a small cache.
    """
    out = np.zeros(len(starts), dtype=np.bool_)
    for start in range(FIRST_DISCS if len(discs) > PAIRS_AT_A_TIME // 256 else 1):
        some = discs[start::FIRST_DISCS] if len(discs) > PAIRS_AT_A_TIME // 256 else discs
        left = np.flatnonzero(~out)
        for part in np.array_split(left, 1 + len(left) * len(some) // PAIRS_AT_A_TIME):
            inside = _within(starts[part], some)
            if starts is not ends:
                inside &= _within(ends[part], some)
            out[part] = inside.any(axis=1)
    return out


def _within(points: Floats, discs: Floats) -> Bools:
    """Which points lie in which discs, an array (n, m)."""
    dx, dy = points[:, 0:1] - discs[:, 0], points[:, 1:2] - discs[:, 1]
    return np.asarray(dx * dx + dy * dy <= discs[:, 2] ** 2)


def _clear_curves(constraint: KeepClear, radius: float, rims: Floats) -> Curves:
    """All curves but the circles about round obstacles, which are among the discs."""
    bases = constraint.obstacles.bases
    reach = constraint.distance + radius
    chords = np.concatenate((rims, np.roll(rims, -1, axis=1)), axis=2).reshape(-1, 4)
    walls = _offset_edges([np.array(member.corners) for member in bases.take(bases.is_polygon)], reach)
    return Curves.together([Curves.of((), [chords]), walls])


def _clear_test(constraint: KeepClear, radius: float, oval_rims: Floats) -> Allows:
    bases = constraint.obstacles.bases
    reach = constraint.distance + radius
    inner = closed_discs([constraint], radius)
    corners = bases.take(bases.is_polygon)
    walls = shapely.multipolygons([p.polygon for p in corners]) if len(corners) else None
    if walls is not None:
        shapely.prepare(walls)
    rims = shapely.polygons(oval_rims)
    shapely.prepare(rims)

    def allows(points: Floats) -> Bools:
        good = ~in_discs(points, points, inner)
        left = np.flatnonzero(good)
        if len(left) and walls is not None:
            good[left] = ~shapely.dwithin(shapely.points(points[left]), walls, reach)
        for rim in rims:
            left = np.flatnonzero(good)
            if not len(left):
                break
            good[left] = ~shapely.contains_xy(rim, points[left, 0], points[left, 1])
        return good

    return allows


def _inside_curves(constraint: StayInside, radius: float) -> Curves:
    discs = np.array([[*centre, r + radius] for centre, r in constraint.discs]).reshape(-1, 3)
    parts = shapely.get_parts(constraint.region)
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    edges = _offset_edges([shapely.get_coordinates(ring)[:-1] for ring in rings], radius)
    return Curves.together([Curves.of([discs]), edges])


def _inside_test(constraint: StayInside, radius: float) -> Allows:
    region, rim = constraint.region, shapely.boundary(constraint.region)
    box = region.bounds if region.equals(shapely.box(*region.bounds)) else None
    discs = np.array([[*centre, r + radius] for centre, r in constraint.discs]).reshape(-1, 3)
    shapely.prepare(region)
    shapely.prepare(rim)

    def allows(points: Floats) -> Bools:
        x, y = points[:, 0], points[:, 1]
        if box is not None:
            low_x, low_y, high_x, high_y = box
            good = (x >= low_x + radius) & (x <= high_x - radius)
            good &= (y >= low_y + radius) & (y <= high_y - radius)
        else:
            spots = shapely.points(points)
            good = np.asarray(shapely.contains_xy(region, x, y))
            good &= np.asarray(shapely.distance(spots, rim) >= radius)
        for cx, cy, r in discs:
            good &= np.hypot(x - cx, y - cy) >= r
        return np.asarray(good)

    return allows


def _near_curves(constraint: StayNear, radius: float) -> Curves:
    reach = constraint.distance - radius
    if reach < 0:
        return Curves.of()
    grown = []
    for _, target in constraint.targets:
        points = shapely.get_coordinates(target)
        grown.append(_offset_edges([points], reach, closed=target.geom_type not in ("LineString", "Point")))
    return Curves.together(grown)


def _near_test(constraint: StayNear, radius: float) -> Allows:
    reach = constraint.distance - radius

    def allows(points: Floats) -> Bools:
        spots = shapely.points(points)
        found = [shapely.distance(spots, target) <= reach for _, target in constraint.targets]
        return np.asarray(np.any(found, axis=0))

    return allows


def _offset_edges(outlines: Sequence[Floats], reach: float, closed: bool = True) -> Curves:
    """The circles about the corners of outlines and the lines beside their edges, at a distance; for 0 the edges."""
    lines = [_open(np.asarray(outline, dtype=np.float64)) if closed else outline for outline in outlines]
    if not lines:
        return Curves.of()
    points = np.vstack(lines)
    counts = np.array([len(line) for line in lines])
    ends = np.cumsum(counts)
    after = np.arange(1, len(points) + 1)
    after[ends - 1] = ends - counts if closed else ends - 1
    starts, following = points, points[after]
    if reach <= 0:
        edges = np.hstack((starts, following))
        return Curves.of((), [edges if closed else np.delete(edges, ends - 1, axis=0)])
    steps = following - starts
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    kept = lengths > 0
    starts, following, steps, lengths = starts[kept], following[kept], steps[kept], lengths[kept]
    aside = np.column_stack((-steps[:, 1], steps[:, 0])) / lengths[:, None] * reach
    beside = np.vstack([np.hstack((starts + s * aside, following + s * aside)) for s in (1.0, -1.0)])
    joints = beside.reshape(-1, 2)
    return Curves.of([np.column_stack((points, np.full(len(points), reach)))], [beside], [joints])


def _open(outline: Floats) -> Floats:
    """An outline without its first corner once more at its end."""
    return outline[:-1] if len(outline) > 1 and np.array_equal(outline[0], outline[-1]) else outline


def _oval_rims(ovals: PlacedSet, reach: float) -> Floats:
    """The curves beside ovals as corners (n, OVAL_CHORDS, 2) of straight pieces that touch them from outside, so that
    no legal centre is promised where there is none.
    """
    t = np.linspace(0.0, FULL, OVAL_CHORDS, endpoint=False)
    a, b, f = ovals.a[:, None], ovals.b[:, None], ovals.facing[:, None]
    turn = np.arctan2(a * np.sin(t), b * np.cos(t))
    x, y = np.cos(turn + f), np.sin(turn + f)
    far = np.hypot(a * np.cos(turn), b * np.sin(turn)) + reach
    x_next, y_next, far_next = (np.roll(column, -1, axis=1) for column in (x, y, far))
    cross = x * y_next - y * x_next
    corner_x = (far * y_next - far_next * y) / cross + ovals.x[:, None]
    corner_y = (far_next * x - far * x_next) / cross + ovals.y[:, None]
    return np.stack((corner_x, corner_y), axis=-1)
