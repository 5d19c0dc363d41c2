"""Which members of one set are near one another? Pairs by a spatial index, and the groups that they connect."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from sim.geometry.distance import separations
from sim.geometry.sets import PlacedSet
from sim.geometry.tolerance import Floats

Positions = NDArray[np.intp]
FEW = 64  # members of which every pair is simply measured
SLACK = 1e-3  # inches more than asked for, so that no pair at the limit is missed


@dataclass(frozen=True)
class Pairs:
    """Pairs of members, the first position always the smaller, with their signed separations in inches."""

    first: Positions
    second: Positions
    separation: Floats

    @classmethod
    def within(cls, members: PlacedSet, reach: float) -> Pairs:
        """All pairs that are at most ``reach`` apart, and perhaps some that are a little farther."""
        count = len(members)
        if count <= FEW:
            i, j = np.triu_indices(count, 1)
            return cls(i, j, separations(members, members)[i, j])
        spots = shapely.box(*(members.bounds.T + np.array([[-1], [-1], [1], [1]]) * (reach + SLACK) / 2))
        i, j = shapely.STRtree(spots).query(spots)
        i, j = i[i < j], j[i < j]
        if members.is_round.all():
            found = np.hypot(members.x[i] - members.x[j], members.y[i] - members.y[j]) - members.a[i] - members.a[j]
            return cls(i, j, found)
        order = np.argsort(i, kind="stable")
        i, j = i[order], j[order]
        found = np.empty(len(i))
        for start, end in _stretches(i):
            one = members.take(i[start : start + 1])
            found[start:end] = separations(one, members.take(j[start:end]))[0]
        return cls(i, j, found)

    def where(self, chosen: NDArray[np.bool_]) -> Pairs:
        """The pairs that a mask selects."""
        return Pairs(self.first[chosen], self.second[chosen], self.separation[chosen])

    def degrees(self, count: int) -> Positions:
        """For each of ``count`` members in how many pairs it is."""
        return np.bincount(np.concatenate((self.first, self.second)), minlength=count)

    @cached_property
    def _beside(self) -> tuple[Positions, Positions]:
        """For every member where its row of neighbours begins and ends, and all rows one after another."""
        every = np.concatenate((self.first, self.second))
        order = np.argsort(every, kind="stable")
        count = int(every.max()) + 1 if len(every) else 0
        starts = np.searchsorted(every[order], np.arange(count + 1))
        return starts, np.concatenate((self.second, self.first))[order]

    def neighbours(self, member: int) -> Positions:
        """The members that are in a pair with one."""
        starts, rows = self._beside
        if member + 1 >= len(starts):
            return rows[:0]
        return rows[starts[member] : starts[member + 1]]

    def matrix(self, count: int) -> NDArray[np.bool_]:
        """The pairs as a symmetric matrix of ``count`` by ``count``."""
        found = np.zeros((count, count), dtype=np.bool_)
        found[self.first, self.second] = found[self.second, self.first] = True
        return found

    def groups(self, count: int) -> list[list[int]]:
        """The groups of ``count`` members that the pairs connect, largest first, each in order."""
        seen = np.zeros(count, dtype=np.bool_)
        groups: list[list[int]] = []
        for start in range(count):
            if seen[start]:
                continue
            seen[start] = True
            stack, group = [start], []
            while stack:
                here = stack.pop()
                group.append(here)
                beside = self.neighbours(here)
                fresh = beside[~seen[beside]]
                seen[fresh] = True
                stack.extend(fresh.tolist())
            groups.append(sorted(group))
        return sorted(groups, key=lambda group: (-len(group), group))


def _stretches(values: Positions) -> list[tuple[int, int]]:
    """Where runs of equal values begin and end."""
    if not len(values):
        return []
    cuts = np.flatnonzero(np.diff(values)) + 1
    bounds = [0, *cuts.tolist(), len(values)]
    return list(itertools.pairwise(bounds))
