"""A block of bases as one: the rectangle around it, the corner that it wheels about, and the block turned.

A block faces where its first base faces. An incomplete rear rank does not cut the rectangle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sim.geometry.corners import boundary_corners
from sim.geometry.shapes import Placed, Point, Pose, Rect

ARC = 5.0  # degrees of an arc that are gone in one straight step, at most


def boundary(members: Sequence[Placed]) -> Placed:
    """The rectangle around bases in the facing of the first; of a single base the base itself."""
    first = members[0]
    if len(members) == 1:
        return first
    angle = math.radians(first.pose.facing)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.array([corner for member in members for corner in boundary_corners(member)]) - first.pose.at
    local = corners @ turn.T
    (rear, right), (front, left) = local.min(axis=0), local.max(axis=0)
    x, y = np.array([(rear + front) / 2, (right + left) / 2]) @ turn
    centre = Pose(first.pose.x + float(x), first.pose.y + float(y), first.pose.facing, first.pose.z)
    return Placed(Rect(float(left - right), float(front - rear)), centre)


def wheel_corner(members: Sequence[Placed], degrees: float) -> Point:
    """The corner about which a block wheels: the front left one to the left (degrees above 0), else the front right."""
    left, right, _, _ = boundary_corners(boundary(members))
    return left if degrees > 0 else right


def turned(poses: Sequence[Pose], about: Point, degrees: float) -> tuple[Pose, ...]:
    """Poses turned as one about a point, to the left where the degrees are more than 0."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = about
    return tuple(
        Pose(
            x + c * (pose.x - x) - s * (pose.y - y),
            y + s * (pose.x - x) + c * (pose.y - y),
            pose.facing + degrees,
            pose.z,
        )
        for pose in poses
    )


def arc(poses: Sequence[Pose], about: Point, degrees: float) -> tuple[tuple[Pose, ...], ...]:
    """A block turned as one about a point, little by little: its poses at the end of each step."""
    count = max(1, math.ceil(abs(degrees) / ARC))
    return tuple(turned(poses, about, degrees * k / count) for k in range(1, count + 1))
