"""Unit Coherency at the end of the turn: who has to go until one group is left?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim.battle import Battle, Model, Unit
from sim.geometry import Placed, PlacedSet
from sim.rules import NeedChoice
from sim.rulesets.wh40k10 import measuring, parting
from sim.rulesets.wh40k10.resources import Resolving

RULE = "Unit Coherency"
MINIMAL = "minimal"  # the reading by which no more models go than have to


def remove_stragglers(battle: Battle, unit_id: str) -> Resolving:
    """The owner removes models one at a time until those left are in Unit Coherency; they count as destroyed."""
    while True:
        unit = battle.unit(unit_id)
        members = PlacedSet.of(m.placed for m in unit.models)
        if not broken(unit):
            return battle
        picks = tuple(model.id for model in unit.models)
        if battle.option("coherency_removal", "owner") == MINIMAL:
            most = most_left(members)
            picks = tuple(name for k, name in enumerate(picks) if most_left(_without(members, k)) == most)
        lost = yield NeedChoice(unit.player, f"{RULE} of {unit.name}: which model is removed", picks)
        battle = yield from parting.removed(battle, unit.id, (lost,))


def broken(unit: Unit) -> bool:
    """Whether a unit stands on the table out of Unit Coherency."""
    if not unit.on_table or not unit.models or any(m.pose is None for m in unit.models):
        return False
    return _scattered(tuple(m.placed for m in unit.models))


def broken_without(unit: Unit, left: Sequence[Model]) -> bool:
    """Whether only these models of a unit on the table would be out of Unit Coherency."""
    return _scattered(tuple(m.placed for m in left))


@lru_cache(maxsize=4096)
def _scattered(placed: tuple[Placed, ...]) -> bool:
    """Whether bases are not in coherency with one another; asked for each wound of a volley, while nobody moves."""
    members = PlacedSet(placed)
    return any(measuring.coherency(len(members)).judge(members))


def most_left(members: PlacedSet) -> int:
    """How many models can stay at most, so that those are one group with enough neighbours each.

    Up to six models any part of a connected group can be picked; from seven on the models with fewer than two
    neighbours drop out until none is left to drop, and the largest connected rest may stay.
    """
    links = measuring.coherency(measuring.LARGE_UNIT).links(members).matrix(len(members))
    small = min(measuring.LARGE_UNIT - 1, _largest(links, range(len(members))))
    kept = set(range(len(members)))
    while loose := {i for i in kept if sum(bool(links[i, j]) for j in kept) < 2}:
        kept -= loose
    large = _largest(links, kept)
    return large if large >= measuring.LARGE_UNIT else small


def _largest(links: NDArray[np.bool_], among: Iterable[int]) -> int:
    left, best = set(among), 0
    while left:
        stack, size = [left.pop()], 0
        while stack:
            here = stack.pop()
            size += 1
            near = {j for j in left if links[here, j]}
            left -= near
            stack.extend(near)
        best = max(best, size)
    return best


def _without(members: PlacedSet, k: int) -> PlacedSet:
    return PlacedSet.of(m for i, m in enumerate(members) if i != k)
