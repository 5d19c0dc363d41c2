"""Constraints that several chapters share: the table, bases, the inch from enemies, and the loose group."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import shapely

from sim.battle import Battle, Battlefield, Loose, Unit
from sim.geometry import (
    Breach,
    KeepApart,
    KeepClear,
    KeepTogether,
    Obstacles,
    Placed,
    PlacedSet,
    Pose,
    Rules,
    StayInside,
    Sweep,
)
from sim.geometry.lengths import inches
from sim.rules import Violation, from_breach

ENEMY_CLEARANCE = 1.0  # inches, at least; The 1" Rule
SKIRMISH_REACH = 1.0  # inches between neighbours, at most; Skirmishers

ONE_INCH = 'The 1" Rule'
SKIRMISHERS = "Skirmishers"
BASES = "Models Never Overlap"
EDGE = "Battlefield Edge"


def on_table(field: Battlefield) -> StayInside:
    """No base lies over the edge of the table."""
    return StayInside("off-table", EDGE, "the table", shapely.box(0, 0, field.width, field.depth))


def clear_of_others(battle: Battle, unit: Unit, code: str = "overlaps-model") -> KeepClear:
    """No base shares ground with a base of another unit; a touch is allowed."""
    return KeepClear(code, BASES, battle.index.others_than(unit.id), 0.0, strict=False)


def apart() -> KeepApart:
    """No two bases of a unit overlap."""
    return KeepApart("overlaps-model", BASES)


def clear_of_enemies(battle: Battle, unit: Unit, charged: str = "") -> KeepClear:
    """At least an inch from every enemy, save the unit that is charged."""
    enemies = battle.index.enemies_of(unit.player)
    if charged:
        own = {model.id for model in battle.unit(charged).models}
        rows = [i for i, name in enumerate(enemies.names) if name not in own]
        enemies = Obstacles(PlacedSet.of(enemies.bases[i] for i in rows), tuple(enemies.names[i] for i in rows))
    return KeepClear("enemy-too-close", ONE_INCH, enemies, ENEMY_CLEARANCE, strict=False)


def loose_group(unit: Unit) -> Iterator[KeepTogether]:
    """Skirmishers form one group, nobody more than an inch from a neighbour."""
    if isinstance(unit.formation, Loose):
        yield KeepTogether("incoherent", SKIRMISHERS, SKIRMISH_REACH, math.inf, 1)


def placed(unit: Unit, poses: Sequence[Pose]) -> PlacedSet:
    """The unit's bases at poses, in model order."""
    return PlacedSet.of(Placed(model.base, pose) for model, pose in zip(unit.models, poses, strict=True))


def one_each(unit: Unit, given: Sequence[object], rule: str) -> Iterator[Violation]:
    """Not exactly one pose or path a model."""
    if len(given) != len(unit.models):
        what = f"{unit.name} has {len(unit.models)} models; {len(given)} were given a place"
        yield Violation("wrong-model-count", rule, what, (unit.id,))


def violations(unit: Unit, rules: Rules, poses: Sequence[Pose], sweeps: Sequence[Sweep] = ()) -> Iterator[Violation]:
    """The breaches of a unit at poses as violations, in words."""
    ids = tuple(model.id for model in unit.models)
    for breach in rules.breaches(placed(unit, poses), sweeps):
        other = breach.other
        if other is not None and other.startswith("#"):
            other = ids[int(other[1:])]
        yield from_breach(breach, ids[breach.member], _sentence(breach, ids[breach.member], other), other)


def _sentence(breach: Breach, who: str, other: str | None) -> str:
    length = inches(abs(breach.measured), breach.required.value)
    match breach.code:
        case "overlaps-model" | "overlaps-terrain":
            return f"{who} overlaps {other} by {length}"
        case "crosses-model" | "crosses-terrain":
            return f"{who} passes through {other} on its way"
        case "off-table":
            return f"{who} sticks out {length} over the edge of the table"
        case "not-wholly-within" | "wrong-side":
            return f"{who} sticks out {length} beyond {other}"
        case "incoherent":
            return f"{who} is {length} from {other}, its nearest possible neighbour; it must be {breach.required}"
        case "off-marker" | "must-touch" | "not-at-edge":
            return f"the centre of {who} is {length} from {other}; it must be {breach.required}"
        case _:
            return f"{who} is {length} from {other}; it must be {breach.required}"
