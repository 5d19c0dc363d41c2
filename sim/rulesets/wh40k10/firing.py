"""Whether anything that a unit carries can be fired at an enemy now."""

from __future__ import annotations

from sim.battle import Battle, Unit
from sim.geometry import beyond, within
from sim.rulesets.wh40k10 import engagement, shooting, visibility
from sim.rulesets.wh40k10.commands import AttackWith


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


def _finds_a_shot(battle: Battle, unit: Unit, foe: Unit, aboard: bool) -> bool:
    if not unit.on_table or not unit.models or not foe.on_table or not foe.models:
        return False
    rows = {model.id: row for row, model in enumerate(unit.models)}
    apart = engagement.apart(battle, unit, foe)
    sight = visibility.seeing(battle, unit, foe)
    for passenger, model, weapon in shooting.guns(battle, unit):
        row = rows.get(model.id, 0)
        if passenger is not None and not aboard:
            continue
        if beyond(float(apart[row]), weapon.range) or not (sight[row] or weapon.has("indirect-fire")):
            continue
        shots = shooting.shots_of(battle, unit, (AttackWith(model.id, weapon.name, foe.id, weapon.profile),))
        if shots and not any(shooting.may_target(battle, unit, shots[0])):
            return True
    return False
