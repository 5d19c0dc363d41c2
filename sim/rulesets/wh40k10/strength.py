"""How many models a unit began with: remembered before the first one is lost, its own apart where it is led."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Marker, MarkerSet, Unit

STARTING_STRENGTH = "starting-strength"
OWN_STRENGTH = "own-strength"  # of an Attached unit without those that lead it


def remembered(unit: Unit) -> Iterator[MarkerSet]:
    """The markers that keep a unit's Starting Strength, where they lie on the unit not yet."""
    if unit.marked(STARTING_STRENGTH):
        return
    yield MarkerSet(unit.id, Marker(STARTING_STRENGTH, amount=len(unit.models)))
    if unit.attached:
        yield MarkerSet(unit.id, Marker(OWN_STRENGTH, amount=len(unit.own_models)))


def starting_strength(unit: Unit) -> int:
    """How many models the unit began with, those that lead it among them as long as it is led."""
    return _kept(unit, STARTING_STRENGTH, len(unit.models))


def own_strength(unit: Unit) -> int:
    """How many models of its own an Attached unit began with."""
    led_by = sum(len(part.models) for part in unit.attached)
    return _kept(unit, OWN_STRENGTH, starting_strength(unit) - led_by)


def _kept(unit: Unit, kind: str, otherwise: int) -> int:
    return next((m.amount for m in unit.markers if m.kind == kind), otherwise)
