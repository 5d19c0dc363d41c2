"""Remaining moves: skirmishers and single models any way they like, ranks to their front and round wheels."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerSet, ModelsMoved, Unit
from sim.geometry import Limit, Rules, Sweep, Witness
from sim.geometry.lengths import compared
from sim.rules import Going, Procedure, Violation, blocks
from sim.rulesets.whfb6 import spacing, terrain
from sim.rulesets.whfb6.commands import Move
from sim.rulesets.whfb6.eligibility import may_act
from sim.rulesets.whfb6.tunnelling import DISORIENTED, ENGAGED

RULE = "Remaining Moves"
MOVED = "moved"
STRAIGHT = 1e-6  # degrees by which a direction may miss the front


def rules(battle: Battle, command: Move) -> Rules:
    """An inch from enemies all the way, through nobody and nothing impassable, and one loose group at the end."""
    unit = battle.unit(command.unit)
    field = battle.battlefield
    return Rules(
        moving=(
            spacing.on_table(field),
            spacing.clear_of_enemies(battle, unit),
            spacing.clear_of_others(battle, unit, "crosses-model"),
            terrain.clear_of_impassable(field, "crosses-terrain"),
        ),
        standing=(spacing.apart(), *spacing.loose_group(unit)),
    )


def judge(battle: Battle, command: Move) -> Iterator[Violation]:
    """All that is wrong with moving the unit like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement", "remaining-moves")
    yield from may_move(unit)
    if not unit.on_table:
        return
    wrong = (*spacing.one_each(unit, command.paths, RULE), *_starts(unit, command))
    yield from wrong
    if wrong:
        return
    yield from _in_ranks(unit, command)
    yield from _distances(unit, command)
    wheels = blocks.wheels_of(unit, command.paths)
    along = blocks.round_corners(command.paths, blocks.parts(unit, command.paths)) if wheels else command.paths
    sweeps = tuple(Sweep(m.base, path) for m, path in zip(unit.models, along, strict=True))
    yield from spacing.violations(unit, rules(battle, command), tuple(p.end for p in command.paths), sweeps)


def may_move(unit: Unit) -> Iterator[Violation]:
    """Whoever is not on the table, has moved, fights, or does not know where it is stays put."""
    if not unit.on_table:
        yield Violation("not-eligible", RULE, f"{unit.name} is not on the table", (unit.id,))
    if unit.marked(MOVED):
        yield Violation("not-eligible", RULE, f"{unit.name} has already moved", (unit.id,))
    if unit.marked(ENGAGED):
        yield Violation("not-eligible", RULE, f"{unit.name} is in close combat", (unit.id,))
    if unit.marked(DISORIENTED):
        what = f"{unit.name} came up astray and does not move in the Movement phase of this turn"
        yield Violation("not-eligible", RULE, what, (unit.id,))


def resolve(battle: Battle, command: Move) -> Procedure:
    """The models follow their paths; the unit has moved."""
    unit = battle.unit(command.unit)
    yield ModelsMoved(unit.id, tuple((m.id, path) for m, path in zip(unit.models, command.paths, strict=True)))
    yield MarkerSet(unit.id, Marker(MOVED, until="end-of-turn"))


def _starts(unit: Unit, command: Move) -> Iterator[Violation]:
    for model, path in zip(unit.models, command.paths, strict=False):
        if path.start != model.pose:
            what = f"the path of {model.id} does not start where the model stands"
            yield Violation("wrong-start", RULE, what, (model.id,))


def _in_ranks(unit: Unit, command: Move) -> Iterator[Violation]:
    """A block keeps its ranks, and goes straight to its front or wheels, and no other way."""
    found = blocks.parts(unit, command.paths)
    for k in blocks.out_of_ranks(unit, command.paths, found):
        model = unit.models[k]
        yield Violation("formation-broken", RULE, f"{model.id} leaves its place in the ranks", (model.id,))
    if any(not part.degrees and not _is_ahead(part) for part in found):
        what = f"{unit.name} moves to its front only, straight and by wheels"
        yield Violation("not-forward", RULE, what, (unit.id,))


def _is_ahead(part: blocks.Part) -> bool:
    first, then = part.before[0], part.after[0]
    if first.at == then.at:
        return True
    heading = math.degrees(math.atan2(then.y - first.y, then.x - first.x))
    return abs((heading - first.facing + 180.0) % 360.0 - 180.0) <= STRAIGHT


def _distances(unit: Unit, command: Move) -> Iterator[Violation]:
    move = unit.value("M")
    if move is None:
        what = f"{unit.name} has no Move characteristic (M) in its profile"
        yield Violation("not-eligible", RULE, what, (unit.id,))
        return
    for going, path in zip(_goings(unit, command, move), command.paths, strict=True):
        if going.too_far:
            line = Witness(outlines=(tuple(pose.at for pose in (path.start, *path.stops)),))
            gone, allowed = compared(going.gone, move)
            what = f"{going.model} moves {gone}; it may move at most {allowed}"
            yield Violation("too-far", RULE, what, (going.model,), going.gone, Limit("at_most", move), line)


def goes(battle: Battle, command: Move) -> tuple[Going, ...]:
    """How far each model goes, and how far it may."""
    unit = battle.unit(command.unit)
    move = unit.value("M")
    return () if move is None else _goings(unit, command, move)


def _goings(unit: Unit, command: Move, move: float) -> tuple[Going, ...]:
    """Each model pays for what it walks, and for the wheels of its block what the outer corner goes round."""
    wheels = blocks.wheels_of(unit, command.paths)
    turning = math.fsum(part.cost for part in wheels)
    walked = [
        math.fsum(leg.length for leg in blocks.straight_legs(path, k, wheels)) for k, path in enumerate(command.paths)
    ]
    return tuple(Going(model.id, far + turning, move) for model, far in zip(unit.models, walked, strict=True))
