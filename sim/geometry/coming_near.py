"""Who comes near? Each member within a distance of some base out of several: keeping clear of them, turned round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import Border, Curves, Mover, apart_from
from sim.geometry.constraints import Breach, Ground, KeepClear, Limit, Witness
from sim.geometry.distance import separations, witness
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base
from sim.geometry.tolerance import Bools, Floats


@dataclass(frozen=True)
class ComeNear:
    """Every member stands within a distance of some obstacle of some clearance: it breaks one of them.

    The clearances are those ``asked_of_one`` gives, on the plan.
    """

    code: str
    rule: str
    clearances: tuple[KeepClear, ...]

    @property
    def required(self) -> Limit:
        """The greatest distance of the nearest point."""
        return Limit("at_most", max((c.distance for c in self.clearances), default=0.0))

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that is near none of them, measured to the nearest."""
        near = {breach.member for clearance in self.clearances for breach in clearance.judge(members)}
        for i, member in enumerate(members):
            if i in near:
                continue
            one = PlacedSet((member,))
            found = [
                (float(gaps.min()), c.obstacles.names[int(gaps.argmin())], c.obstacles.bases[int(gaps.argmin())])
                for c in self.clearances
                for gaps in (separations(one, c.obstacles.bases)[0],)
            ]
            if found:
                apart, name, other = min(found, key=lambda row: row[0])
                line = Witness(line=witness(member, other))
                yield Breach(self.code, self.rule, i, name, apart, self.required, line)
            else:
                yield Breach(self.code, self.rule, i, None, np.inf, self.required, Witness())

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where the base is near enough to some obstacle."""
        return region.intersection(shapely.union_all([c.forbidden(base, facing) for c in self.clearances]))

    def border(self, mover: Mover) -> Border:
        """The border about every obstacle, for the whole base of which the mover may be a part."""
        parts = Mover.of(mover.base, mover.facing)
        each = [apart_from(o, part, c.distance) for c in self.clearances for o in c.obstacles.bases for part in parts]

        def allows(points: Floats) -> Bools:
            good = np.zeros(len(points), dtype=np.bool_)
            for border in each:
                left = np.flatnonzero(~good)
                if not len(left):
                    break
                good[left] = ~border.allows(points[left])
            return good

        return Border(Curves.together([border.curves for border in each]), allows)

    def ground(self) -> Iterator[Ground]:
        """The ground near to any of them."""
        for clearance in self.clearances:
            for ground in clearance.ground():
                yield Ground("reach", ground.area, self.rule)
