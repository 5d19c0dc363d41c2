"""Which of several groups is nearest to a base, measured from edge to edge, and which are equally near?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.geometry.borders import Border, Mover, apart_from
from sim.geometry.constraints import Breach, Ground, Limit, Witness
from sim.geometry.distance import Segment, gaps, witness
from sim.geometry.growing import grown
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed
from sim.geometry.tolerance import beyond, within


@dataclass(frozen=True)
class Rank:
    """One group and its gap from the origin: that of its nearest base, with the line that shows it."""

    name: str
    gap: float
    line: Segment


@dataclass(frozen=True)
class NearestFirst:
    """Every member belongs to what is nearest to an origin, and that is within a limit."""

    code: str
    rule: str
    origin: Placed
    groups: tuple[tuple[str, PlacedSet], ...]
    limit: float

    @cached_property
    def ranking(self) -> tuple[Rank, ...]:
        """The groups by their gaps, nearest first; equals stay in the order in which they were given."""
        ranks = []
        for name, bases in self.groups:
            apart = gaps(PlacedSet((self.origin,)), bases)[0]
            k = int(np.argmin(apart))
            ranks.append(Rank(name, float(apart[k]), witness(self.origin, bases[k])))
        return tuple(sorted(ranks, key=lambda rank: rank.gap))

    @cached_property
    def nearest(self) -> tuple[Rank, ...]:
        """The nearest group within the limit, with all that are equally near; empty when none is."""
        least = self.ranking[0].gap if self.ranking else self.limit
        if not within(least, self.limit):
            return ()
        return tuple(rank for rank in self.ranking if within(rank.gap, least))

    @property
    def required(self) -> Limit:
        """The greatest gap that the nearest may have."""
        return Limit("at_most", self.nearest[0].gap if self.nearest else self.limit)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for the members, named by their nearest, when something else is nearer or all is too far."""
        if not len(members):
            return
        apart = gaps(PlacedSet((self.origin,)), members)[0]
        k = int(np.argmin(apart))
        if beyond(float(apart[k]), self.required.value):
            other = self.nearest[0].name if self.nearest else None
            shown = Witness(line=witness(self.origin, members[k]))
            yield Breach(self.code, self.rule, k, other, float(apart[k]), self.required, shown)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where a base would be the nearest, or as near as it."""
        return region.intersection(grown(self.origin, (base, facing), self.required.value))

    def border(self, mover: Mover) -> Border:
        """The border of lying no farther off than the nearest."""
        far = apart_from(self.origin, mover, self.required.value)
        return Border(far.curves, lambda points: ~far.allows(points))

    def ground(self) -> Iterator[Ground]:
        """The ground within the limit, with a ruler to each group: its place in the ranking, its name and its gap."""
        rulers = tuple(
            (
                rank.line,
                f'{1 + sum(beyond(rank.gap, other.gap) for other in self.ranking)}. {rank.name} {rank.gap:.2f}"',
            )
            for rank in self.ranking
        )
        area = shapely.union_all([grown(self.origin, None, self.limit)])
        yield Ground("reach", area, self.rule, rulers)
