"""Ready-made commands for what is offered, and commands in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from numpy.random import Generator

from sim.battle import Battle
from sim.rules import Command, Deploy, EndStep, Offer
from sim.rules.proposing import block, facing_the_middle, files_of, spots, strides
from sim.rules.ruleset import plainly
from sim.rulesets.whfb6 import setting_up, tunnelling
from sim.rulesets.whfb6.commands import Emerge, LayMarker, Misplace, Move
from sim.rulesets.whfb6.mishaps import SURFACING


def propose(battle: Battle, offer: Offer, wild: bool = False, chance: Generator | None = None) -> Iterator[Command]:
    """What could be done of an offer: spots, ways, and for a team the dice first and then a set-up with room for it."""
    if not offer.unit:
        return
    unit = battle.unit(offer.unit)
    match offer.command:
        case "deploy":
            bases, files = [model.base for model in unit.models], files_of(unit)
            for at in spots(battle, chance, unit.player):
                yield Deploy(unit.id, block(bases, files, at, facing_the_middle(battle, at)))
        case "lay-marker":
            for at in spots(battle, chance):
                yield LayMarker(unit.id, at)
        case "emerge":
            spot = tunnelling.spot_of(battle, unit)
            if not unit.marked(SURFACING):
                yield Emerge(unit.id)
            elif spot is not None:
                yield Emerge(unit.id, setting_up.proposed(battle, unit, spot))
        case "misplace":
            for at in spots(battle, chance):
                yield Misplace(unit.id, (), at)
        case "move":
            for paths in strides(unit, unit.value("M") or 0.0, chance):
                yield Move(unit.id, paths)
        case _:
            return


def describe(battle: Battle, command: Command) -> str:
    """A command in a few words, for a button."""
    match command:
        case Emerge(models=()):
            least = tunnelling.needed(battle)
            return "The team emerges: roll the dice" if least is None else f"Roll to emerge, on {least}+"
        case EndStep():
            return "End the step"
        case _:
            return plainly(battle, command)
