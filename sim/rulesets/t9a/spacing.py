"""Keeping apart: Unit Spacing, the edge of the battlefield, Impassable Terrain, and what is said of breaches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Battlefield, Unit
from sim.geometry import (
    Breach,
    Constraint,
    KeepClear,
    Limit,
    Obstacles,
    Placed,
    PlacedSet,
    Rules,
    StayInside,
    Sweep,
)
from sim.geometry.lengths import inches
from sim.rules import Violation, from_breach
from sim.rulesets.t9a import formation

RULE = "Unit Spacing"
EDGE = "Battlefield Edge"
OVERLAP = "Units Never Overlap"
TERRAIN = "Impassable Terrain"
UNIT_SPACING = 1.0  # inches, more than this; where a unit comes to stand
MOVING_SPACING = 0.5  # inches, more than this; during a move
IMPASSABLE = frozenset({"impassable", "building"})
KINDS = IMPASSABLE | {"field", "forest", "hill", "ruins", "wall", "water"}
WORDS_OF_MODELS = frozenset({"off-table", "not-wholly-within", "broken-ranks", "too-far"})  # told model by model


@lru_cache(maxsize=64)
def table(field: Battlefield) -> BaseGeometry:
    """The battlefield as a rectangle."""
    return shapely.box(0, 0, field.width, field.depth)


def on_table(field: Battlefield) -> StayInside:
    """Wholly on the battlefield where it comes to stand; during a move a unit may hang over the edge."""
    return StayInside("off-table", EDGE, "the battlefield", table(field))


@lru_cache(maxsize=64)
def impassable(field: Battlefield) -> Obstacles:
    """All Impassable Terrain, by kind or by trait."""
    return Obstacles.of_outlines(
        [(t.id, t.outline, math.inf) for t in field.terrain if t.kind in IMPASSABLE or "impassable" in t.traits]
    )


def other_units(battle: Battle, unit: Unit, but: frozenset[str] = frozenset()) -> Obstacles:
    """The boundaries of all other units on the table, friend and foe; models that joined a unit are part of it."""
    own = {unit.id, formation.host_of(unit)}
    found: list[tuple[str, Placed]] = []
    for other in battle.units:
        if other.id in own | but or not other.on_table or formation.host_of(other):
            continue
        members = formation.standing(battle, other)
        if members:
            found.append((other.id, formation.boundary(members)))
    return Obstacles(PlacedSet.of(placed for _, placed in found), tuple(name for name, _ in found))


def apart(battle: Battle, unit: Unit) -> tuple[KeepClear, ...]:
    """More than one inch from every other unit and from Impassable Terrain, and never on top of either."""
    units, blocks = other_units(battle, unit), impassable(battle.battlefield)
    return (
        KeepClear("unit-spacing", RULE, units, UNIT_SPACING),
        KeepClear("unit-spacing", RULE, blocks, UNIT_SPACING),
        KeepClear("overlaps-model", OVERLAP, units, 0.0, strict=False),
        KeepClear("overlaps-terrain", TERRAIN, blocks, 0.0, strict=False),
    )


def passing(battle: Battle, unit: Unit) -> tuple[KeepClear, ...]:
    """More than half an inch from every other unit and from Impassable Terrain at every instant of a move."""
    return (
        KeepClear("unit-spacing", RULE, other_units(battle, unit), MOVING_SPACING),
        KeepClear("unit-spacing", RULE, impassable(battle.battlefield), MOVING_SPACING),
    )


def block_standing(battle: Battle, unit: Unit) -> tuple[Constraint, ...]:
    """What a block of models obeys where it comes to stand: its boundary on the table and apart from others."""
    start = unit.models[0].pose if unit.models else None
    joined = tuple(m.placed for m in formation.crew(battle, unit) if m.unit != unit.id and m.pose is not None)
    whole = (formation.AsOne(rule, start, joined) for rule in apart(battle, unit))
    return (formation.AsOne(on_table(battle.battlefield), start, joined, member_by_member=True), *whole)


def violations(unit: Unit, rules: Rules, members: PlacedSet, sweeps: tuple[Sweep, ...] = ()) -> Iterator[Violation]:
    """The breaches of a unit as violations, in words: of single models where models are at fault, else of the unit."""
    whole = len(members) != len(unit.models)
    for breach in rules.breaches(members, sweeps):
        alone = breach.code in WORDS_OF_MODELS and not whole and breach.member != formation.NOBODY
        subject = unit.models[breach.member].id if alone else unit.id
        yield from_breach(breach, subject, _sentence(breach, subject if alone else unit.name), breach.other)


def _sentence(breach: Breach, who: str) -> str:
    length = inches(abs(breach.measured), breach.required.value or None)
    match breach.code:
        case "overlaps-model" | "overlaps-terrain":
            return f"{who} overlaps {breach.other} by {length}"
        case "off-table":
            return f"{who} sticks out {length} over the edge of the battlefield"
        case "not-wholly-within":
            return f"{who} sticks out {length} beyond {breach.other}"
        case "broken-ranks":
            return f"{who} stands {length} from its place in the ranks, or faces another way"
        case "too-far":
            return f"{who} ends {length} from where it started; it must be {breach.required}"
        case "corner-too-far":
            return (
                f"too few corners of {who} are near the point: the next is {length} away, {breach.required} is needed"
            )
        case "corridor-blocked" if breach.required == Limit("at_most", 0.0):
            return f"{breach.other} stands between {who} and the point, {length} deep"
        case _:
            return f"{who} comes within {length} of {breach.other}; it must be {breach.required} away"
