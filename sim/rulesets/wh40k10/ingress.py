"""Rapid Ingress: arriving from reserves at the end of the opponent's Movement phase."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerSet, Unit
from sim.battle.state import RESERVES
from sim.geometry import Rules
from sim.rules import Procedure, Violation
from sim.rulesets.wh40k10 import (
    quantifiers,
    reserves,
    stratagems,
)
from sim.rulesets.wh40k10.cards import ARRIVAL, Card, Use
from sim.rulesets.wh40k10.commands import RapidIngress
from sim.rulesets.wh40k10.eligibility import PHASE_ENDS, PHASE_OPEN, is_at_its_end, is_open, may_react
from sim.rulesets.wh40k10.resources import Resolving

RULE = "Rapid Ingress"
NAME = "rapid-ingress"


def rules(battle: Battle, command: RapidIngress) -> Rules:
    """Those of Deep Strike for a unit that has it, otherwise those of Strategic Reserves."""
    if _from_above(battle.unit(command.unit)):
        return reserves.deep_strike_rules(battle, command)
    return reserves.strategic_rules(battle, command)


def judge(battle: Battle, command: RapidIngress) -> Iterator[Violation]:
    """All that is wrong with arriving like this at the end of the opponent's Movement phase."""
    unit = battle.unit(command.unit)
    wrong_time = (*may_react(battle, unit, RULE, "movement", "reinforcements"), *_too_soon(battle, unit))
    yield from wrong_time or stratagems.why_not(battle, _card(battle, unit), ARRIVAL, Use(unit.player, unit.id))
    if not _from_above(unit):
        yield from reserves.no_fortification(unit)
    yield from reserves.too_early(battle, unit, RULE)
    yield from reserves.arriving(battle, unit, command.models, rules(battle, command), RULE)


def resolve(battle: Battle, command: RapidIngress) -> Procedure:
    """It is paid, the unit stands, and nothing more of this phase happens."""
    unit = battle.unit(command.unit)
    use = Use(unit.player, unit.id)
    yield from stratagems.used(battle, _card(battle, unit), ARRIVAL, use)
    yield from reserves.arrive(battle, unit, command.models, by_strip=not _from_above(unit))


def opens_phase(battle: Battle) -> Resolving:
    """The last step of the Movement phase begins; somebody in reserves may answer its end, and not before."""
    waiting = (u for u in battle.units if u.player != battle.clock.player and u.whereabouts == RESERVES and u.models)
    first = next(waiting, None) if battle.resources else None
    if first is not None:
        battle = yield MarkerSet(first.id, Marker(PHASE_OPEN, until="end-of-phase"))
    return battle


def _too_soon(battle: Battle, unit: Unit) -> Iterator[Violation]:
    if is_open(battle):
        what = f"{RULE} comes at the end of the Movement phase; {battle.clock.player} has not ended it"
        yield Violation("wrong-phase", RULE, what, (unit.id,))


def ends_phase(battle: Battle) -> Resolving:
    """The active player is done with the Movement phase: it is at its end, where somebody may answer that."""
    if not is_at_its_end(battle):
        first = next((unit for unit in battle.units if may_answer(battle, unit)), None)
        if first is not None:
            battle = yield MarkerSet(first.id, Marker(PHASE_ENDS, until="end-of-phase"))
    return battle


def may_answer(battle: Battle, unit: Unit) -> bool:
    """Whether the owner of a unit in reserves could use it at the end of this phase, where command points are kept."""
    card = _card(battle, unit)
    return bool(battle.resources) and any(True for _ in stratagems.uses(battle, card, ARRIVAL, unit.player, unit.id))


def _card(battle: Battle, unit: Unit) -> Card:
    found = stratagems.named(battle, unit.player, NAME)
    assert found is not None
    return found


def _from_above(unit: Unit) -> bool:
    return quantifiers.every(unit, "deep-strike")
