"""What can be done now: the offers of a step, for the player whose turn it is and for who may answer."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Unit
from sim.battle.state import RESERVES
from sim.rules import Offer
from sim.rules.sequence import OVER
from sim.rulesets.wh40k10 import (
    charging,
    deployment,
    engagement,
    fighting,
    firing,
    guided,
    ingress,
    measuring,
    quantifiers,
    reserves,
    shooting,
    stratagems,
    transports,
    turn,
)
from sim.rulesets.wh40k10.commands import Embark
from sim.rulesets.wh40k10.eligibility import is_at_its_end


def available(battle: Battle) -> tuple[Offer, ...]:
    """What can be done in this step; at the end of a Movement phase also what the opponent may answer."""
    known = battle.__dict__.get("_offers")
    if known is None:  # players, windows and referees all ask, and the battle is frozen
        known = battle.__dict__["_offers"] = _available(battle)
    found: tuple[Offer, ...] = known
    return found


def _available(battle: Battle) -> tuple[Offer, ...]:
    if battle.clock.phase == OVER:
        return ()
    offers: list[Offer] = []
    is_over = is_at_its_end(battle)
    if battle.clock.phase == "shooting" and not is_over:
        shooters = [unit for unit in battle.units if _may_shoot(battle, unit)]
        firing.look_about(battle, shooters, [unit.id for unit in shooters if guided.takes_part(unit)])
    for unit in battle.units:
        if unit.player == battle.clock.player and not is_over:
            offers.extend(_offers(battle, unit))
        elif is_over:
            offers.extend(_answers(battle, unit))
    if battle.clock.phase == "fight":
        offers.extend(_fights(battle))
        if fighting.candidates(battle):
            return tuple(offers)
    return (*offers, Offer("end-step", "", "End this step"))


def _offers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    clock = battle.clock
    match clock.phase, clock.step:
        case "deployment", "scouts" if turn.scouts(unit):
            yield Offer("scout-move", unit.id, f"Scout with {unit.name}")
        case "deployment", "scouts" if unit.marked("moved"):
            yield from _boarding(battle, unit)
        case "deployment", "deploy-armies" if unit.whereabouts == RESERVES and not deployment.starts_in_reserves(unit):
            yield Offer("deploy", unit.id, f"Set up {unit.name}")
            if quantifiers.every(unit, "infiltrators"):
                yield Offer("infiltrate", unit.id, f"Infiltrate {unit.name}")
        case "movement", "move-units":
            yield from _moves(battle, unit)
            yield from _landings(battle, unit)
        case "movement", "reinforcements":
            yield from _arrivals(battle, unit)
            yield from _landings(battle, unit)
        case "shooting", _:
            yield from _shots(battle, unit)
        case "charge", _:
            yield from _charges(battle, unit)
        case _:
            return


def _moves(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if not unit.on_table or not unit.models:
        return
    if unit.marked("moved"):
        yield from _boarding(battle, unit)
        return
    if engagement.held_by(battle, unit):
        yield Offer("fall-back", unit.id, f"Fall back with {unit.name}")
        return
    if not unit.marked("advance-roll"):
        yield Offer("normal-move", unit.id, f"Move {unit.name}")
    if not unit.has(measuring.AIRCRAFT):
        yield Offer("advance", unit.id, f"Advance {unit.name}")
    yield from _stratagem(battle, unit)


def _boarding(battle: Battle, unit: Unit) -> Iterator[Offer]:
    for carrier in battle.units:
        if carrier.player == unit.player and carrier.has("TRANSPORT") and carrier.id != unit.id:
            command = Embark(unit.id, carrier.id)
            if not any(transports.judge_embark(battle, command)):
                yield Offer("embark", unit.id, f"Embark {unit.name}")
                return


def _arrivals(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if unit.whereabouts != RESERVES or not unit.models:
        return
    if reserves.may_come_from_above(battle, unit):
        yield Offer("deep-strike", unit.id, f"Deep Strike {unit.name}")
    if reserves.may_come_by_strip(battle, unit):
        yield Offer("strategic-reserves", unit.id, f"Strategic Reserves: {unit.name}")


def _answers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    """Rapid Ingress, at the end of the phase."""
    if ingress.may_answer(battle, unit):
        yield Offer("rapid-ingress", unit.id, f"Rapid Ingress: {unit.name}", reaction=True, lapses=True)


def _landings(battle: Battle, unit: Unit) -> Iterator[Offer]:
    carrier = transports.transport_of(battle, unit)
    if carrier is not None and transports.may_get_out(battle, unit, carrier):
        yield Offer("disembark", unit.id, f"Disembark {unit.name}")


def _shots(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if not _may_shoot(battle, unit):
        return
    yield from _stratagem(battle, unit)
    if guided.may_name_somebody(battle, unit):
        yield Offer("guide", unit.id, f"{'Spot with' if guided.marks(battle) else 'Guide'} {unit.name}")
    if firing.can_fire(battle, unit):
        yield Offer("shoot", unit.id, f"Shoot with {unit.name}")


def _may_shoot(battle: Battle, unit: Unit) -> bool:
    is_there = unit.player == battle.clock.player and unit.on_table and bool(unit.models)
    return is_there and shooting.eligible(battle, unit)


def _stratagem(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if battle.resources and next(stratagems.offers(battle, unit), None) is not None:
        yield Offer("stratagem", unit.id, f"Stratagem for {unit.name}")


def _charges(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if charging.can_arrive(battle, unit):
        yield Offer("charge-move", unit.id, f"Charge move of {unit.name}")
    elif unit.models and not any(charging.why_not(battle, unit)) and charging.targets_within(battle, unit):
        yield Offer("charge", unit.id, f"Charge with {unit.name}")


def _fights(battle: Battle) -> Iterator[Offer]:
    for unit in battle.units:
        if unit.models and unit.on_table and fighting.may_consolidate(battle, unit):
            yield Offer("consolidate", unit.id, f"Consolidate {unit.name}", lapses=True)
    for unit in fighting.candidates(battle):
        if not unit.marked("piled-in"):
            yield Offer("pile-in", unit.id, f"Pile in with {unit.name}")
        yield Offer("fight", unit.id, f"Fight with {unit.name}")
