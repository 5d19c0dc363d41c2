"""Ready-made commands for what is offered, and commands in a few words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from numpy.random import Generator

from sim.battle import Battle, Unit
from sim.geometry import Point, Pose
from sim.rules import Command, Deploy, EndStep, Offer
from sim.rules.proposing import STEP, TURNS, facing_the_middle, headings, in_order, spots, strides
from sim.rules.ruleset import plainly
from sim.rulesets.t9a import ambush, formation, moves, points
from sim.rulesets.t9a.commands import AdvanceMove, Ambush, Join, March, RandomMove, Reform

SPACE = 1.25  # inches; more than the Unit Spacing


def propose(battle: Battle, offer: Offer, wild: bool = False, chance: Generator | None = None) -> Iterator[Command]:
    """What could be done of an offer: spots, directions, ways, and whom a model may join."""
    if not offer.unit:
        return
    unit = battle.unit(offer.unit)
    match offer.command:
        case "deploy":
            for at in spots(battle, chance, unit.player):
                yield Deploy(unit.id, in_ranks(unit, at, facing_the_middle(battle, at)))
        case "ambush":
            yield from in_order(tuple(_arrivals(battle, unit)), chance)
        case "join":
            for host in ambush.hosts(battle, unit):
                yield Join(unit.id, host.id)
        case "random-move":
            for facing in headings(battle, unit, chance):
                yield RandomMove(unit.id, facing)
        case "advance-move":
            for paths in strides(unit, moves.advance_rate(unit) or 0.0, chance):
                yield AdvanceMove(unit.id, paths)
        case "march":
            for paths in strides(unit, moves.march_rate(unit) or 0.0, chance):
                yield March(unit.id, paths)
        case "reform":
            yield from in_order(tuple(_reforms(battle, unit)), chance)
        case _:
            return


def in_ranks(unit: Unit, at: Point, facing: float) -> tuple[Pose, ...]:
    """The unit in its ranks about a centre."""
    bases = [model.base for model in unit.models]
    return formation.ranks(bases, formation.files_of(unit, len(bases)), formation.gap_between_models(unit), at, facing)


def _arrivals(battle: Battle, unit: Unit) -> Iterator[Ambush]:
    """The unit beside every point of a lattice that its (X) allows, looking away from the point."""
    place = points.place_of(unit)
    if place is None:
        return
    block = formation.boundary(formation.block(battle, unit, (0.0, 0.0), 0.0))
    x0, _, x1, _ = block.bounds
    away = (x1 - x0) / 2 + (0.0 if place.is_edge else SPACE)
    allowed = dict.fromkeys(points.nearest_point(battle, unit, place, at) for at in _lattice(battle))
    for point in allowed:
        for facing in TURNS:
            c, s = round(math.cos(math.radians(facing))), round(math.sin(math.radians(facing)))
            yield Ambush(unit.id, point, (point[0] + c * away, point[1] + s * away), facing)


def _lattice(battle: Battle) -> Iterator[Point]:
    field = battle.battlefield
    for i in range(int(field.width / STEP) + 1):
        for k in range(int(field.depth / STEP) + 1):
            yield i * STEP, k * STEP


def _reforms(battle: Battle, unit: Unit) -> Iterator[Reform]:
    """The same ranks about turned, and other numbers of files."""
    standing = formation.standing(battle, unit)
    if not standing:
        return
    centre = formation.boundary(standing).pose
    bases, gap = [model.base for model in unit.models], formation.gap_between_models(unit)
    now = formation.files_of(unit, len(bases))
    for files in dict.fromkeys((now, now + 1, max(1, now - 1), len(bases))):
        for turn in (180.0, 90.0, 0.0):
            yield Reform(unit.id, formation.ranks(bases, files, gap, centre.at, centre.facing + turn))


def describe(battle: Battle, command: Command) -> str:
    """A command in a few words, for a button."""
    match command:
        case Join(host=host):
            return f"Join {battle.unit(host).name}"
        case EndStep():
            return "End the step"
        case _:
            return plainly(battle, command)
