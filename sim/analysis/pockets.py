"""Where can a base still drop, which pockets hold a whole unit, and what closes a pocket with the least move?

The region is that of the judge's constraints; what is said to fit was laid out and looked at, so it is a safe count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry import Base, Constraint, KeepClear, Obstacles, Placed, PlacedSet, Point, Pose
from sim.geometry.arcs import exact_region
from sim.geometry.tolerance import Floats

ARC_SEGMENTS = 64  # of a quarter of a disc about a corner of a pocket
SMALLEST = 0.02  # square inches; smaller pieces are of no use to anybody
SPACING = 0.01  # inches between models that are laid out, so that they do not touch
MOST_ROWS = 60  # of a honeycomb, to each side of its middle
LAYOUTS = ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.5, 0.5, 0.0), (0.0, 0.0, 30.0), (0.5, 0.5, 15.0))


@dataclass(frozen=True)
class Pocket:
    """One connected piece of the region of legal centres: its number, its ground, and how many models fit at least."""

    number: int
    shape: Polygon
    fits: int

    @property
    def area(self) -> float:
        """Square inches of the drawn polygon."""
        return float(self.shape.area)


@dataclass(frozen=True)
class Closing:
    """A model that closes a pocket when it is moved: which, where to, and how far that is."""

    pocket: int
    model: str
    to: Point
    distance: float


def pockets(
    constraints: Sequence[Constraint],
    base: Base,
    facing: float,
    table: BaseGeometry,
    most: int = 100,
    z: float = 0.0,
    member: int | None = None,
) -> tuple[Pocket, ...]:
    """The pieces in which a base may stand, the largest first, numbered from 1; at most ``most`` models are counted.

    ``z`` is the height of the base, ``member`` which of its unit it is, where that matters to the constraints.
    """
    return split(region_of(constraints, base, facing, table, z, member), base, most)


def split(region: BaseGeometry, base: Base, most: int = 100) -> tuple[Pocket, ...]:
    """The pieces of a region of centres as pockets, the largest first."""
    parts = [p for p in shapely.get_parts(region) if isinstance(p, Polygon) and p.area > SMALLEST]
    parts.sort(key=lambda p: -p.area)
    return tuple(Pocket(k, part, _fitting(part, base, most)) for k, part in enumerate(parts, 1))


def region_of(
    constraints: Sequence[Constraint],
    base: Base,
    facing: float,
    table: BaseGeometry,
    z: float = 0.0,
    member: int | None = None,
) -> BaseGeometry:
    """The region of legal centres as polygons, every corner of which lies on the exact border."""
    return exact_region(constraints, base, facing, table, z, member).polygons


def closings(
    constraints: Sequence[Constraint], base: Base, facing: float, table: BaseGeometry, pocket: Pocket, most: int = 3
) -> tuple[Closing, ...]:
    """The models that close a pocket when one of them moves, by the least distances; empty when none alone can.

    Only the widest clearance is looked at: a moved model keeps the whole pocket within it, and the rest of the screen
    must not open: the region is worked out anew for every proposal, and must hold nothing where the pocket was.
    """
    wide = [c for c in constraints if isinstance(c, KeepClear) and c.distance > 0 and len(c.obstacles)]
    if not wide:
        return ()
    screen = max(wide, key=lambda c: c.distance)
    radius = Placed(base, Pose(0, 0, facing)).radius
    corners = shapely.get_coordinates(shapely.convex_hull(pocket.shape))[:-1]
    proposals = []
    grounds: dict[float, BaseGeometry] = {}
    for k, (placed, name) in enumerate(zip(screen.obstacles.bases, screen.obstacles.names, strict=True)):
        reach = screen.distance + radius + min(placed.base.semi_axes)
        if reach not in grounds:
            grounds[reach] = _shared_ground(corners, reach - 1e-3)
        to = _nearest_in(grounds[reach], placed.pose.at)
        if to is not None:
            proposals.append((math.dist(to, placed.pose.at), k, name, to))
    found: list[Closing] = []
    for distance, k, name, to in sorted(proposals):
        if len(found) == most:
            break
        others = [c for c in constraints if c is not screen]
        moved = _with_moved(screen, k, to)
        left = region_of([*others, moved], base, facing, table).intersection(pocket.shape.buffer(0.01))
        if left.area <= SMALLEST:
            found.append(Closing(pocket.number, name, to, distance))
    return tuple(found)


def _with_moved(screen: KeepClear, k: int, to: Point) -> KeepClear:
    members = list(screen.obstacles.bases)
    pose = members[k].pose
    members[k] = Placed(members[k].base, Pose(to[0], to[1], pose.facing, pose.z))
    return replace(screen, obstacles=Obstacles(PlacedSet.of(members), screen.obstacles.names, screen.obstacles.tops))


def _shared_ground(corners: Floats, reach: float) -> BaseGeometry:
    """The ground within ``reach`` of every corner, a little short of it along its arcs."""
    if shapely.minimum_bounding_radius(shapely.multipoints(corners)) > reach:
        return shapely.Point()
    return shapely.intersection_all(shapely.buffer(shapely.points(corners), reach, quad_segs=ARC_SEGMENTS))


def _nearest_in(ground: BaseGeometry, start: Point) -> Point | None:
    """The point of some ground nearest to a start; None where there is none."""
    if ground.is_empty:
        return None
    x, y = shapely.get_coordinates(shapely.shortest_line(ground, shapely.Point(start)))[0]
    return float(x), float(y)


def _fitting(piece: Polygon, base: Base, most: int) -> int:
    """How many bases fit into a piece at least, up to ``most``; one always does."""
    return min(most, max(1, len(laid_out(piece, base, most))))


def laid_out(piece: Polygon, base: Base, enough: int = 100) -> list[Point]:
    """Centres at which bases stand side by side in a piece: the best of a few honeycombs, of one connected group."""
    pitch = 2 * Placed(base, Pose(0, 0)).radius + SPACING
    best: list[Point] = []
    for shift_x, shift_y, turn in LAYOUTS:
        points = _honeycomb(piece, pitch, shift_x, shift_y, turn)
        group = _largest_group(points, pitch)
        if len(group) > len(best):
            best = [(float(points[k, 0]), float(points[k, 1])) for k in group]
        if len(best) >= enough:
            break
    return best


def _honeycomb(piece: Polygon, pitch: float, shift_x: float, shift_y: float, turn: float) -> Floats:
    x0, y0, x1, y1 = piece.bounds
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    half = math.hypot(x1 - x0, y1 - y0) / 2 + pitch
    if half > MOST_ROWS * pitch:  # far more than anybody counts: about the widest place are enough
        middle = shapely.get_coordinates(shapely.maximum_inscribed_circle(piece))[0]
        half = MOST_ROWS * pitch
    rows = np.arange(-math.ceil(half / pitch), math.ceil(half / pitch) + 1)
    columns, lines = np.meshgrid(rows, np.arange(-math.ceil(half / pitch * 1.2), math.ceil(half / pitch * 1.2) + 1))
    u = (columns + shift_x + 0.5 * (lines % 2)) * pitch
    v = (lines + shift_y) * pitch * math.sqrt(3) / 2
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = middle[0] + c * u - s * v, middle[1] + s * u + c * v
    inside = shapely.contains_xy(piece, x, y)
    return np.column_stack((x[inside], y[inside]))


def _largest_group(points: Floats, pitch: float) -> list[int]:
    """The positions of the largest connected group of neighbours in a honeycomb."""
    near = shapely.STRtree(shapely.points(points))
    one, other = near.query(shapely.points(points), predicate="dwithin", distance=pitch * 1.01)
    order = np.argsort(one, kind="stable")
    bounds = np.searchsorted(one[order], np.arange(len(points) + 1))
    beside = other[order]
    left, best = set(range(len(points))), list[int]()
    while left:
        stack, group = [left.pop()], []
        while stack:
            here = stack.pop()
            group.append(here)
            neighbours = [k for k in beside[bounds[here] : bounds[here + 1]].tolist() if k in left]
            left.difference_update(neighbours)
            stack.extend(neighbours)
        best = max(best, group, key=len)
    return best
