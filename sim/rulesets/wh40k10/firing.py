"""Whether anything that a unit carries can be fired at an enemy now."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

import numpy as np

from sim.battle import Battle, Unit
from sim.geometry import EPS, within
from sim.geometry.tolerance import Bools
from sim.rulesets.wh40k10 import engagement, quantifiers, shooting, visibility
from sim.rulesets.wh40k10.commands import AttackWith
from sim.rulesets.wh40k10.datasheets import Weapon


def can_fire_at(battle: Battle, unit: Unit, foe: Unit, aboard: bool = True) -> bool:
    """Whether some weapon of a unit, or with ``aboard`` of who shoots out of it, has this enemy as a legal target."""
    known = battle.__dict__.setdefault("_fired_at", {})  # asked for again and again while nothing has happened
    key = (unit.id, foe.id, aboard)
    if key not in known:
        known[key] = _finds_a_shot(battle, unit, foe, aboard)
    return bool(known[key])


def can_fire(battle: Battle, unit: Unit) -> bool:
    """Whether some weapon of a unit, or of who shoots out of it, has a legal target."""
    return any(can_fire_at(battle, unit, foe) for foe in foes_of(battle, unit))


def foes_of(battle: Battle, unit: Unit) -> list[Unit]:
    """The enemy units on the table."""
    return [u for u in battle.units if u.player != unit.player and u.on_table and u.models]


def is_within(battle: Battle, unit: Unit, other: Unit, reach: float) -> bool:
    """Whether two units on the table are so near one another."""
    return within(float(engagement.apart(battle, unit, other).min()), reach)


def clear_shots(battle: Battle, unit: Unit, foe: Unit, weapon: Weapon) -> Bools:
    """Which models of a unit have a target for a weapon as far as range and sight go, of which one model does: (n,)."""
    spans = engagement.spans(battle, unit, foe)
    near: Bools = spans <= weapon.range + EPS
    if quantifiers.lone_operative(foe):
        near &= (spans.min(axis=1, initial=np.inf) <= shooting.LONE_OPERATIVE_REACH + EPS)[:, None]
    if near.any() and not weapon.has("indirect-fire"):
        near &= visibility.seen(battle, unit, foe)
    return np.asarray(near.any(axis=1))


def look_about(battle: Battle, units: Iterable[Unit], far: Collection[str] = ()) -> None:
    """Find out together whom units see of the enemies that a weapon of theirs reaches; those of ``far`` of all."""
    pairs = []
    for unit in units:
        farthest = math.inf
        if unit.id not in far:
            farthest = max((weapon.range for _, _, weapon in shooting.guns(battle, unit)), default=0.0)
        pairs += [(unit, foe) for foe in foes_of(battle, unit) if is_within(battle, unit, foe, farthest)]
    visibility.look(battle, pairs)


def look_at(battle: Battle, unit: Unit, reach: float) -> None:
    """Find out together which of its enemies within so many inches see a unit."""
    near = (foe for foe in foes_of(battle, unit) if is_within(battle, foe, unit, reach))
    visibility.look(battle, [(foe, unit) for foe in near])


def _finds_a_shot(battle: Battle, unit: Unit, foe: Unit, aboard: bool) -> bool:
    if not unit.on_table or not unit.models or not foe.on_table or not foe.models:
        return False
    rows = {model.id: row for row, model in enumerate(unit.models)}
    clear: dict[Weapon, Bools] = {}
    for passenger, model, weapon in shooting.guns(battle, unit):
        if passenger is not None and not aboard:
            continue
        if weapon not in clear:
            clear[weapon] = clear_shots(battle, unit, foe, weapon)
        if not clear[weapon][rows.get(model.id, 0)]:
            continue
        shots = shooting.shots_of(battle, unit, (AttackWith(model.id, weapon.name, foe.id, weapon.profile),))
        if shots and not any(shooting.may_target(battle, unit, shots[0])):
            return True
    return False
