"""Does a group stand about its first member, and that member by the point where it belongs?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import Border, Curves, Mover, apart_from, near_any
from sim.geometry.constraints import Breach, Ground, KeepClear, Limit, Obstacles, Witness
from sim.geometry.distance import farthest, gap, gaps, is_convex, witness
from sim.geometry.growing import convex_parts, grown
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Point, Pose, Round
from sim.geometry.tolerance import beyond

QUARTER = 90  # segments in a drawn quarter of a circle


@dataclass(frozen=True)
class StandAt:
    """The first member's centre is within a distance of a point; the others are not concerned."""

    code: str
    rule: str
    name: str
    point: Point
    distance: float = 0.0

    @property
    def required(self) -> Limit:
        """The greatest distance of the centre."""
        return Limit("at_most", self.distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach when the first member's centre is too far off."""
        if not len(members):
            return
        centre = members[0].pose.at
        away = math.dist(centre, self.point)
        if beyond(away, self.distance):
            line = Witness(line=(self.point, centre))
            yield Breach(self.code, self.rule, 0, self.name, away, self.required, line)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region as it is: it is asked for a further member."""
        return region

    def ground(self) -> Iterator[Ground]:
        """Nothing to draw."""
        yield from ()


@dataclass(frozen=True)
class FollowFirst:
    """Every further member is within a distance of the first: some part of its base, or ``wholly`` all of it.

    ``first`` is where the first member stands; regions, which are those of a further member, are carved about it.
    """

    code: str
    rule: str
    distance: float
    wholly: bool = False
    first: Placed | None = None

    @property
    def required(self) -> Limit:
        """The greatest distance from the first member."""
        return Limit("at_most", self.distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each further member that is too far from the first."""
        if len(members) < 2:
            return
        first, others = members[0], PlacedSet(members.members[1:])
        if self.wholly:
            reaches = [self.measured(member, first) for member in others]
        else:
            reaches = gaps(others, PlacedSet((first,)))[:, 0].tolist()
        for i, away in enumerate(reaches, 1):
            if beyond(away, self.distance):
                line = Witness(line=witness(members[0], members[i]))
                yield Breach(self.code, self.rule, i, "#0", away, self.required, line)

    def measured(self, member: Placed, first: Placed) -> float:
        """From the first base to the nearest point of a member, or to its farthest point when all of it counts."""
        if not self.wholly:
            return gap(member, first)
        if isinstance(first.base, Round):
            return farthest(member, shapely.Point(first.pose.at)) - first.radius
        return farthest(member, first.polygon)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where one more base is near enough to the first and does not lie over it."""
        if self.first is None:
            return region
        off = KeepClear(self.code, self.rule, Obstacles(PlacedSet((self.first,)), ("#0",)), 0.0, strict=False)
        return region.intersection(self.allowed(self.first, base, facing)).difference(off.forbidden(base, facing))

    def border(self, mover: Mover) -> Border | None:
        """The border of being near enough to the first and not lying over it; None where that has a notch."""
        if self.first is None or (self.first.kind == "polygon" and not is_convex(self.first.polygon)):
            return None
        clear = apart_from(self.first, mover, 0.0)
        if not self.wholly:
            far = apart_from(self.first, mover, self.distance)
            near = Border(far.curves, lambda points: ~far.allows(points))
        elif isinstance(self.first.base, Round):
            reach = self.first.radius + self.distance
            near = near_any([(shapely.Point(self.first.pose.at), reach)], mover)
        else:
            target = self.first if self.first.kind == "ellipse" else self.first.polygon
            near = near_any([(target, self.distance)], mover)
        curves = Curves.together([near.curves, clear.curves])
        return Border(curves, lambda points: near.allows(points) & clear.allows(points))

    def allowed(self, first: Placed, base: Base, facing: float) -> BaseGeometry:
        """Where the centre of a base may be to be near enough to the first."""
        if not self.wholly:
            return shapely.union_all([grown(first, (part, facing), self.distance) for part in convex_parts(base)])
        around: BaseGeometry = shapely.buffer(first.polygon, self.distance, quad_segs=QUARTER)
        if isinstance(base, Round):
            return around.buffer(-base.d / 2, quad_segs=QUARTER)
        rim = shapely.get_coordinates(Placed(base, Pose(0.0, 0.0, facing)).polygon)
        return shapely.intersection_all([translate(around, -x, -y) for x, y in rim])

    def ground(self) -> Iterator[Ground]:
        """The ground about the first member."""
        if self.first is not None:
            yield Ground("reach", shapely.buffer(self.first.polygon, self.distance, quad_segs=QUARTER), self.rule)
