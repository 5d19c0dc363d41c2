"""What can be used once in a battle: its player is asked each time that it could be, until it is spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle import Battle, Marker, MarkerSet, Model, Unit
from sim.rules import NeedChoice
from sim.rulesets.wh40k10 import engagement, leaders, quantifiers
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.resources import Resolving

NOVA = "nova"  # the ability, and the marker of the weapon that has Devastating Wounds in this phase
NOT_NOW = "not-now"  # the answer that keeps it for later
NOW = "now"
FINEST = "more-melee-attacks-once"  # the ability, and the marker of a unit with the model and how many more
DISCOUNT = "stratagem-discount"  # the ability: so many command points less, once in a battle round
DISCOUNTED = "stratagem-discounted"  # the marker of a unit that has used it, with the battle round
DEVASTATING = "devastating-wounds"


def spent(ability: str) -> str:
    """The marker of a unit that has used an ability up."""
    return f"spent {ability}"


def nova_charge(battle: Battle, unit: Unit, weapons: Sequence[Weapon]) -> Resolving:
    """One weapon of a unit that is selected to shoot gains Devastating Wounds for the phase, if its player likes."""
    if unit.ability(NOVA) is None or unit.marked(spent(NOVA)):
        return battle
    names = dict.fromkeys(weapon.name for weapon in weapons if not weapon.has(DEVASTATING))
    if not names:
        return battle
    picked = yield NeedChoice(unit.player, f"Nova Charge of {unit.name}: which weapon", (NOT_NOW, *names))
    if picked == NOT_NOW:
        return battle
    yield MarkerSet(unit.id, Marker(spent(NOVA)))
    battle = yield MarkerSet(unit.id, Marker(NOVA, picked, until="end-of-phase"))
    return battle


def finest_hours(battle: Battle) -> Resolving:
    """At the start of the Fight phase: who can make more melee attacks, with Devastating Wounds, once in a battle.

    Its player is asked where its unit will fight, the one whose turn it is first.
    """
    players = sorted(battle.players, key=lambda name: name != battle.clock.player)
    for unit_id in [u.id for name in players for u in battle.units if u.player == name and u.on_table]:
        unit = battle.unit(unit_id)
        if not unit.marked("charged") and not engagement.engaged_with(battle, unit):
            continue
        for model in unit.models:
            more = quantifiers.of_model(unit, model, FINEST)
            if more is not None and not _is_spent(unit, model):
                battle = yield from _finest_hour(battle, unit, model, int(more))
    return battle


def _finest_hour(battle: Battle, unit: Unit, model: Model, more: int) -> Resolving:
    who = model.name or model.id
    purpose = f"{who} of {unit.name}: {more} more melee attacks, with Devastating Wounds, in this phase"
    picked = yield NeedChoice(unit.player, purpose, (NOW, NOT_NOW))
    if picked == NOT_NOW:
        return battle
    yield MarkerSet(unit.id, Marker(spent(FINEST), model.id))
    battle = yield MarkerSet(unit.id, Marker(FINEST, model.id, more, "end-of-phase"))
    return battle


def finest_of(unit: Unit, model: Model) -> int:
    """How many more melee attacks a model makes in this phase, which have Devastating Wounds."""
    return sum(m.amount for m in unit.markers if m.kind == FINEST and m.subject == model.id)


def _is_spent(unit: Unit, model: Model) -> bool:
    return any(m.kind == spent(FINEST) and m.subject == model.id for m in unit.markers)


def charged(unit: Unit, weapon: Weapon) -> Iterator[str]:
    """What a weapon has by a Nova Charge in this phase."""
    if any(marker.kind == NOVA and marker.subject == weapon.name for marker in unit.markers):
        yield DEVASTATING


def discount(battle: Battle, unit: Unit) -> int:
    """How many command points less a Stratagem costs on a unit now, by its own ability or that of who leads it."""
    values = [unit.ability(DISCOUNT), *(part.ability(DISCOUNT) for part in leaders.leading(unit))]
    most = max((int(value) for value in values if value), default=0)
    used = (m for u in battle.units if u.player == unit.player for m in u.markers if m.kind == DISCOUNTED)
    return 0 if most and any(m.amount == battle.clock.round for m in used) else most


def discounted(battle: Battle, unit: Unit, points: int) -> Resolving:
    """It is remembered that points were taken off in this battle round; later is never better than now."""
    if points:
        battle = yield MarkerSet(unit.id, Marker(DISCOUNTED, amount=battle.clock.round))
    return battle
