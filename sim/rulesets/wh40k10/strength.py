"""How many models a unit began with: remembered before the first one is lost."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Marker, MarkerSet, Unit

STARTING_STRENGTH = "starting-strength"


def remembered(unit: Unit) -> Iterator[MarkerSet]:
    """The marker that keeps a unit's Starting Strength, where it lies on the unit not yet."""
    if not unit.marked(STARTING_STRENGTH):
        yield MarkerSet(unit.id, Marker(STARTING_STRENGTH, amount=len(unit.models)))


def starting_strength(unit: Unit) -> int:
    """How many models the unit began with."""
    return next((m.amount for m in unit.markers if m.kind == STARTING_STRENGTH), len(unit.models))
