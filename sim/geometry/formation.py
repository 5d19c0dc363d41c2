"""Where can a whole formation go without changing its shape? The nearest spot, exactly on the border of the region.

Moving a unit as one is moving one point: every obstacle is met by each of its models, so for that point each obstacle
stands once for every model, shifted by how far the model stands from the point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import shapely
import shapely.affinity
from shapely.geometry.base import BaseGeometry

from sim.geometry.arcs import exact_region
from sim.geometry.constraints import Constraint, KeepClear, Obstacles, StayInside
from sim.geometry.groups import KeepApart, KeepTogether
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose, Round
from sim.geometry.tolerance import EPS

BEYOND = 20 * EPS  # inches past the border, so that a strict limit is kept even in a sharp corner
GREATEST = 1500  # shifted obstacles; more would take longer than a person waits


def nearest_spot(
    constraints: Sequence[Constraint], bases: Sequence[Base], poses: Sequence[Pose], table: BaseGeometry
) -> tuple[Pose, ...] | None:
    """The poses of the same formation, moved as little as possible so that no base breaks a constraint.

    None when there is no such place, and for formations that this cannot answer: bases that are not round and alike,
    models above the ground, and constraints of other kinds. The result is past the border by a few times the tolerance.
    """
    first = bases[0]
    if not isinstance(first, Round) or any(base != first for base in bases) or any(pose.z for pose in poses):
        return None
    offsets = [(pose.x - poses[0].x, pose.y - poses[0].y) for pose in poses]
    shifted = for_formation(constraints, offsets)
    if shifted is None:
        return None
    region = exact_region(shifted, first.d / 2, _shared(table, offsets))
    if region is None:
        return None
    at = region.nearest(poses[0].at)
    if at is None:
        return None
    if at != poses[0].at:
        at = region.beside(at, BEYOND)
    dx, dy = at[0] - poses[0].x, at[1] - poses[0].y
    return tuple(Pose(pose.x + dx, pose.y + dy, pose.facing, pose.z) for pose in poses)


def for_formation(constraints: Sequence[Constraint], offsets: Sequence[Point]) -> list[Constraint] | None:
    """The constraints on the first model of a formation that amount to those on all of it; None if not known how."""
    found: list[Constraint] = []
    for constraint in constraints:
        match constraint:
            case KeepTogether() | KeepApart():
                continue
            case KeepClear(only=None):
                if len(constraint.obstacles) * len(offsets) > GREATEST:
                    return None
                found.append(replace(constraint, obstacles=_for_each(constraint.obstacles, offsets)))
            case StayInside(only=None):
                region = _shared(constraint.region, offsets)
                discs = [((x - dx, y - dy), r) for (x, y), r in constraint.discs for dx, dy in offsets]
                found.append(replace(constraint, region=region, discs=tuple(discs)))
            case _:
                return None
    return found


def _for_each(obstacles: Obstacles, offsets: Sequence[Point]) -> Obstacles:
    bases = [_moved(placed, dx, dy) for placed in obstacles.bases for dx, dy in offsets]
    names = tuple(name for name in obstacles.names for _ in offsets)
    return Obstacles(PlacedSet.of(bases), names)


def _moved(placed: Placed, dx: float, dy: float) -> Placed:
    pose = placed.pose
    if isinstance(placed.base, Hull) and pose == Pose(0.0, 0.0):  # terrain: keep its corners exact in its own frame
        return Placed(Hull(tuple((x - dx, y - dy) for x, y in placed.base.outline)), pose)
    return Placed(placed.base, Pose(pose.x - dx, pose.y - dy, pose.facing, pose.z))


def _shared(region: BaseGeometry, offsets: Sequence[Point]) -> BaseGeometry:
    """Where the first model may be so that every model of the formation is in the region, seen from its centre."""
    shared = region
    for dx, dy in offsets:
        if dx or dy:
            shared = shared.intersection(shapely.affinity.translate(region, -dx, -dy))
    return shared
