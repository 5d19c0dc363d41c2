"""A clearance that is measured along the straight line through the air, not on the plan.

Where a rule asks for more than so many inches and does not say *horizontally*, whoever is set up higher may stand
closer on the plan.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from sim.geometry.constraints import Breach, KeepClear, Obstacles, Witness
from sim.geometry.distance import straight_gaps, witness
from sim.geometry.sets import PlacedSet
from sim.geometry.tolerance import EPS


@dataclass(frozen=True)
class StraightClear(KeepClear):
    """Members stay more than a distance from obstacles that all stand at one height, measured straight."""

    @classmethod
    def by_height(cls, code: str, rule: str, obstacles: Obstacles, distance: float) -> Iterator[StraightClear]:
        """One clearance for each height at which obstacles stand."""
        for z in np.unique(obstacles.bases.z):
            yield cls(code, rule, obstacles.take(obstacles.bases.z == z), distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that stands too close to something, naming the nearest such obstacle."""
        if not len(self.obstacles) or not len(members):
            return
        found = straight_gaps(members, self.obstacles.bases)
        bad = self._too_close(found)
        for i in np.flatnonzero(bad.any(axis=1)).tolist():
            j = int(np.argmin(found[i]))
            line = witness(members[i], self.obstacles.bases[j])
            measured, name = float(found[i, j]), self.obstacles.names[j]
            yield Breach(self.code, self.rule, i, name, measured, self.required, Witness(line=line))

    def for_one(self, z: float, member: int | None = None) -> KeepClear | None:
        """What is asked of a member at a height: less on the plan the higher it stands, nothing from the distance on.

        At the very distance straight up or down a member may not stand over an obstacle, but anywhere beside it.
        """
        if not len(self.obstacles):
            return None
        up = abs(float(self.obstacles.bases.z[0]) - z)
        if up > self.distance + EPS:
            return None
        flat = math.sqrt(max(0.0, self.distance**2 - up**2))
        return KeepClear(self.code, self.rule, replace(self.obstacles, tops=None), flat, self.strict)
