"""Where can a whole formation go without changing its shape? The nearest spot on the border of its region.

Moving a unit as one is moving one point: each model's border is shifted by how far the model stands from that point.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapely.geometry.base import BaseGeometry

from sim.geometry.arcs import Member, region_of_members
from sim.geometry.borders import Mover
from sim.geometry.constraints import Constraint, KeepClear
from sim.geometry.shapes import Base, Pose
from sim.geometry.tolerance import EPS

BEYOND = 20 * EPS  # inches past the border, so that a strict limit is kept even in a sharp corner
SPARE = 1.5 * EPS  # inches about a spot that are legal too, so that no strict limit is missed by the tolerance
INSET = 0.01  # inches past the border of polygons, whose straight pieces lie beside the true one
GREATEST = 3000  # obstacles met by all models together; more would take longer than a person waits


def nearest_spot(
    constraints: Sequence[Constraint], bases: Sequence[Base], poses: Sequence[Pose], table: BaseGeometry
) -> tuple[Pose, ...] | None:
    """The poses of the same formation, moved as little as possible so that no base breaks a constraint.

    Past the border by a few times the tolerance, or by a hundredth of an inch where a constraint is known by polygons
    only. Every base keeps its height. None when there is no such place, and for crowds that would take long.
    """
    met = sum(len(c.obstacles) for c in constraints if isinstance(c, KeepClear)) * len(bases)
    if met > GREATEST:
        return None
    first = poses[0]
    offsets = [(pose.x - first.x, pose.y - first.y) for pose in poses]
    movers = [Mover.of(base, pose.facing) for base, pose in zip(bases, poses, strict=True)]
    members = [
        Member(part, at, pose.z, k)
        for k, (parts, at, pose) in enumerate(zip(movers, offsets, poses, strict=True))
        for part in parts
    ]
    region = region_of_members(constraints, members, table)
    at = region.nearest(first.at)
    if at is not None and at != first.at:
        at = region.beside(at, BEYOND, SPARE) if region.exact else region.beside(at, INSET)
    if at is None:
        return None
    dx, dy = at[0] - first.x, at[1] - first.y
    return tuple(Pose(pose.x + dx, pose.y + dy, pose.facing, pose.z) for pose in poses)
