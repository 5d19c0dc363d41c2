"""How many corners of a boundary lie near enough to a point?

The corners are those of the rectangle about a base in its own facing, clockwise from the front left: for a rectangle
its own corners, for a round or oval base those of the rectangle that just holds it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import Border, Mover, enough_near
from sim.geometry.constraints import Breach, Ground, Limit, Witness
from sim.geometry.growing import FINE_RIM
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Point, Pose
from sim.geometry.tolerance import within


def boundary_corners(placed: Placed) -> tuple[Point, Point, Point, Point]:
    """The corners of the rectangle about a base: front left, front right, rear right, rear left, in inches."""
    rear, right, front, left = _box(placed.base)
    angle = math.radians(placed.pose.facing)
    c, s = math.cos(angle), math.sin(angle)
    x, y = placed.pose.at
    return (
        (x + c * front - s * left, y + s * front + c * left),
        (x + c * front - s * right, y + s * front + c * right),
        (x + c * rear - s * right, y + s * rear + c * right),
        (x + c * rear - s * left, y + s * rear + c * left),
    )


def _box(base: Base) -> tuple[float, float, float, float]:
    """The rectangle about a base in its own frame: rear, right, front and left, along and across its facing."""
    if base.local_outline:
        along, across = zip(*base.local_outline, strict=True)
        return min(along), min(across), max(along), max(across)
    a, b = base.semi_axes
    return -a, -b, a, b


@dataclass(frozen=True)
class CornersNear:
    """Of every member at least ``needed`` corners lie within a distance of one point."""

    code: str
    rule: str
    point: Point
    distance: float
    needed: int

    @property
    def required(self) -> Limit:
        """The greatest distance of the corner that has to be near."""
        return Limit("at_most", self.distance)

    def distances(self, member: Placed) -> tuple[float, ...]:
        """How far each corner lies from the point, in the order of the corners."""
        return tuple(math.dist(self.point, corner) for corner in boundary_corners(member))

    def near(self, member: Placed) -> int:
        """How many corners lie within the distance."""
        return sum(within(found, self.distance) for found in self.distances(member))

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member with too few corners near; measured is the nearest of those that are missing."""
        for i, member in enumerate(members):
            ranked = sorted(zip(self.distances(member), boundary_corners(member), strict=True))
            reach, corner = ranked[self.needed - 1]
            if not within(reach, self.distance):
                line = Witness(line=(self.point, corner))
                yield Breach(self.code, self.rule, i, None, reach, self.required, line)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region from which enough corners are near."""
        return region.intersection(self.allowed(base, facing))

    def allowed(self, base: Base, facing: float) -> BaseGeometry:
        """Where the centre of a base may be: for each choice of corners, the ground that the discs about them share.

        The corners of the polygon lie on the true border, which is short of it by at most R (1 - cos(pi / 360)).
        """
        offsets = boundary_corners(Placed(base, Pose(0.0, 0.0, facing)))
        x, y = self.point
        discs = [shapely.Point(x - dx, y - dy).buffer(self.distance, quad_segs=FINE_RIM // 4) for dx, dy in offsets]
        choices = itertools.combinations(discs, self.needed)
        return shapely.union_all([shapely.intersection_all(choice) for choice in choices])

    def border(self, mover: Mover) -> Border | None:
        """The circles on which each corner comes near the point."""
        corners = np.array(boundary_corners(Placed(mover.base, Pose(0.0, 0.0, mover.facing))))
        return enough_near(corners, np.array(self.point), self.distance, self.needed)

    def ground(self) -> Iterator[Ground]:
        """The disc about the point."""
        disc = shapely.Point(self.point).buffer(self.distance, quad_segs=FINE_RIM // 4)
        yield Ground("reach", disc, self.rule)
