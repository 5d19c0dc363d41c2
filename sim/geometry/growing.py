"""What ground does an obstacle take when it is grown by a distance and by a base that keeps its facing?

Corners of what is drawn lie on the true border; between two of n corners it is short by at most R (1 - cos(pi / n)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry.distance import is_convex
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose
from sim.geometry.tolerance import Floats

RIM_POINTS = 180  # corners of a drawn zone around one obstacle
FINE_RIM = 360  # corners where a drawn region is held against the verdict to 0.002 inches


def ring_of(polygon: Polygon) -> tuple[Point, ...]:
    """The corners of a polygon's outline, each once."""
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(polygon)[:-1])


@lru_cache(maxsize=256)
def convex_parts(base: Base) -> tuple[Base, ...]:
    """A base as convex bases about the same position: itself, or the triangles of a hull with a notch."""
    if not isinstance(base, Hull) or is_convex(Polygon(base.outline)):
        return (base,)
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(Polygon(base.outline)))
    return tuple(Hull(ring_of(t)) for t in triangles)


def support_rim(placed: Placed, angles: Floats) -> Floats:
    """For each direction the point of a convex base that reaches farthest, an array (n, 2)."""
    if placed.kind == "polygon":
        corners = np.array(placed.corners)
        best = np.argmax(corners @ np.vstack((np.cos(angles), np.sin(angles))), axis=0)
        return np.asarray(corners[best])
    a, b = placed.semi_axes
    facing = math.radians(placed.pose.facing)
    c, s = np.cos(angles - facing), np.sin(angles - facing)
    h = np.hypot(a * c, b * s)
    u, v = a * a * c / h, b * b * s / h
    return np.column_stack(
        (
            placed.pose.x + math.cos(facing) * u - math.sin(facing) * v,
            placed.pose.y + math.sin(facing) * u + math.cos(facing) * v,
        )
    )


def rims(ellipses: PlacedSet, moving: Base, facing: float, distance: float) -> Floats:
    """The borders of round and oval obstacles grown by a distance and a moving base, an array (n, RIM_POINTS, 2)."""
    angles = np.linspace(0.0, 2 * np.pi, RIM_POINTS, endpoint=False)
    heading = angles[None, :] - ellipses.facing[:, None]
    c, s = np.cos(heading), np.sin(heading)
    a, b = ellipses.a[:, None], ellipses.b[:, None]
    h = np.hypot(a * c, b * s)
    u, v = a * a * c / h, b * b * s / h
    cos, sin = np.cos(ellipses.facing)[:, None], np.sin(ellipses.facing)[:, None]
    own = support_rim(Placed(moving, Pose(0.0, 0.0, facing)), angles + np.pi)
    x = ellipses.x[:, None] + cos * u - sin * v + distance * np.cos(angles) - own[:, 0]
    y = ellipses.y[:, None] + sin * u + cos * v + distance * np.sin(angles) - own[:, 1]
    return np.stack((x, y), axis=-1)


def convex_pieces(obstacle: Placed) -> list[Placed]:
    """An obstacle as convex ones: itself, or the triangles of an outline with a notch."""
    if obstacle.kind == "ellipse" or is_convex(obstacle.polygon):
        return [obstacle]
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(obstacle.polygon))
    return [Placed(Hull(ring_of(t)), Pose(0, 0)) for t in triangles]


def grown_pieces(pieces: Sequence[Placed], moving: tuple[Base, float] | None, distance: float) -> list[BaseGeometry]:
    """Convex obstacles, each grown by a distance and, when given, by the reach of a base that keeps its facing.

    The points that reach farthest one direction after another walk once around the grown shape.
    """
    angles = np.linspace(0.0, 2 * np.pi, RIM_POINTS, endpoint=False)
    reach = distance * np.column_stack((np.cos(angles), np.sin(angles)))
    if moving is not None:
        base, facing = moving
        reach = reach - support_rim(Placed(base, Pose(0.0, 0.0, facing)), angles + np.pi)
    grown = []
    for piece in pieces:
        rim = support_rim(piece, angles) + reach
        moved = np.any(rim != np.roll(rim, 1, axis=0), axis=1)
        grown.append(Polygon(rim[moved]))
    return grown


def grown(obstacle: Placed, moving: tuple[Base, float] | None, distance: float) -> BaseGeometry:
    """An obstacle grown by a distance and, when given, by the reach of a base that keeps its facing."""
    return shapely.union_all(grown_pieces(convex_pieces(obstacle), moving, distance))
