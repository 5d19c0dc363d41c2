"""Ready-made commands for what is offered, and commands in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from numpy.random import Generator

from sim.battle import Battle, Unit
from sim.rules import Command, Deploy, EndStep, Offer
from sim.rules.proposing import block, facing_the_middle, files_of, headings, spots, strides
from sim.rules.ruleset import plainly
from sim.rulesets.wap import impact, shooting
from sim.rulesets.wap.commands import ImpactHits, March, NormalMove, RandomMove, Zzzzap
from sim.rulesets.wap.moving import MARCH_FACTOR


def propose(battle: Battle, offer: Offer, wild: bool = False, chance: Generator | None = None) -> Iterator[Command]:
    """What could be done of an offer: spots in the own zone, ways, and everything that a unit may choose."""
    if not offer.unit:
        return
    unit = battle.unit(offer.unit)
    match offer.command:
        case "deploy":
            bases, files = [model.base for model in unit.models], files_of(unit)
            for at in spots(battle, chance, unit.player):
                yield Deploy(unit.id, block(bases, files, at, facing_the_middle(battle, at)))
        case "random-move":
            for facing in headings(battle, unit, chance):
                yield RandomMove(unit.id, facing)
        case "zzzzap":
            yield from _bolts(battle, unit, wild)
        case "impact-hits":
            yield ImpactHits(unit.id)
        case "normal-move":
            for paths in strides(unit, unit.value("M") or 0.0, chance):
                yield NormalMove(unit.id, paths)
        case "march":
            for paths in strides(unit, MARCH_FACTOR * (unit.value("M") or 0.0), chance):
                yield March(unit.id, paths)
        case _:
            return


def _bolts(battle: Battle, unit: Unit, wild: bool) -> Iterator[Command]:
    """Fire, at any of the equally near; or try to hold fire."""
    equals = shooting.ranks(battle, unit).nearest
    if len(equals) > 1:
        for rank in equals:
            yield Zzzzap(unit.id, rank.name)
    else:
        yield Zzzzap(unit.id)
    if wild:
        yield Zzzzap(unit.id, hold=True)


def describe(battle: Battle, command: Command) -> str:
    """A command in a few words, for a button."""
    match command:
        case Zzzzap(hold=True):
            return "Try to hold fire first"
        case Zzzzap(choose=choice) if choice:
            return f"Loose the bolts at {battle.unit(choice).name}"
        case Zzzzap():
            return "Loose the bolts"
        case ImpactHits(unit=name):
            unit = battle.unit(name)
            rule, models = impact.strikers(battle, unit)
            each = impact.inflicted(unit, rule)
            many = "1 model" if len(models) == 1 else f"{len(models)} models"
            return f"{rule}: {many}, {each} each"
        case EndStep():
            return "End the step"
        case _:
            return plainly(battle, command)
