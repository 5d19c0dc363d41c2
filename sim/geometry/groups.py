"""What a group of bases obeys as a whole: to stay together, and not to stand on one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from shapely.geometry.base import BaseGeometry

from sim.geometry.constraints import MOST_LINES, Breach, Ground, Limit, Witness
from sim.geometry.distance import separations, witness
from sim.geometry.neighbours import Pairs
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base
from sim.geometry.tolerance import EPS, within


@dataclass(frozen=True)
class KeepTogether:
    """The members form one group: each near enough to some others, and all of them connected.

    Two members are neighbours within ``reach`` on the plan and ``vertical`` in height, measured apart from each other.
    """

    code: str
    rule: str
    reach: float
    vertical: float
    needed: int

    @property
    def required(self) -> Limit:
        """The greatest gap between neighbours."""
        return Limit("at_most", self.reach)

    def links(self, members: PlacedSet) -> Pairs:
        """The pairs of neighbours."""
        pairs = Pairs.within(members, self.reach)
        near = within(np.maximum(pairs.separation, 0.0), self.reach)
        level = within(np.abs(members.z[pairs.first] - members.z[pairs.second]), self.vertical)
        return pairs.where(near & level)

    def groups(self, members: PlacedSet) -> list[list[int]]:
        """The connected groups, largest first."""
        return self.links(members).groups(len(members))

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that lacks neighbours or stands apart from the largest group.

        What is measured is the gap to the nearest member that could be its neighbour and is not.
        """
        count = len(members)
        if count < 2:
            return
        links = self.links(members)
        groups = links.groups(count)
        own = {member: group for group in groups for member in group}
        lacking = links.degrees(count) < min(self.needed, count - 1)
        for i in range(count):
            outside = own[i] is not groups[0]
            if not outside and not lacking[i]:
                continue
            gaps = np.maximum(separations(PlacedSet((members[i],)), members)[0], 0.0)
            gaps[[i, *(own[i] if outside else links.neighbours(i))]] = np.inf
            j = int(np.argmin(gaps))
            line = witness(members[i], members[j])
            yield Breach(self.code, self.rule, i, f"#{j}", float(gaps[j]), self.required, Witness(line=line))

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region as it is: the group is concerned, no single base."""
        return region

    def ground(self) -> Iterator[Ground]:
        """Nothing to draw."""
        yield from ()


@dataclass(frozen=True)
class KeepApart:
    """No two members overlap; a touch is allowed, and so is standing at different heights."""

    code: str
    rule: str

    @property
    def required(self) -> Limit:
        """The least signed distance of two members."""
        return Limit("at_least", 0.0)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that overlaps an earlier one, naming the one it overlaps most."""
        pairs = Pairs.within(members, 0.0)
        level = within(np.abs(members.z[pairs.first] - members.z[pairs.second]), 0.0)
        bad = pairs.where((pairs.separation < -EPS) & level)
        order = np.lexsort((bad.separation, bad.second))
        told: set[int] = set()
        for k in order:
            i, j = int(bad.second[k]), int(bad.first[k])
            if i in told:
                continue
            told.add(i)
            shown = Witness(line=witness(members[i], members[j])) if len(told) <= MOST_LINES else Witness()
            yield Breach(self.code, self.rule, i, f"#{j}", float(bad.separation[k]), self.required, shown)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region as it is: the group is concerned, no single base."""
        return region

    def ground(self) -> Iterator[Ground]:
        """Nothing to draw."""
        yield from ()
