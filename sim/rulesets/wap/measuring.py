"""Constraints that several chapters share, their sentences, and the questions about a table as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, BattleError, Battlefield, Model, Unit
from sim.geometry import (
    Base,
    Breach,
    KeepApart,
    KeepClear,
    Oval,
    Placed,
    PlacedSet,
    Pose,
    Rules,
    StayInside,
    Sweep,
    gaps,
)
from sim.geometry.lengths import inches
from sim.geometry.ranking import NearestFirst
from sim.rules import Answer, QuestionError, Violation, from_breach
from sim.rulesets.wap.abilities import RANDOM_MOVEMENT
from sim.rulesets.wap.eligibility import engaged_with

SPACING = 1.0  # inches; 1" Apart: no closer to any other unit or impassable terrain, unless charging
OVAL_BASE = (105.0, 70.0)  # mm; the base that the machine is sold with, by the option wheel_base


@lru_cache(maxsize=64)
def table(field: Battlefield) -> BaseGeometry:
    """The table as a rectangle."""
    return shapely.box(0, 0, field.width, field.depth)


def on_table(field: Battlefield) -> StayInside:
    """No base may lie over the edge of the table."""
    return StayInside("off-table", "Table Edge", "the table", table(field))


def clear_of_others(battle: Battle, unit: Unit, code: str = "overlaps-model") -> KeepClear:
    """No base overlaps a base of another unit."""
    return KeepClear(code, "Models Never Overlap", battle.index.others_than(unit.id), 0.0, strict=False)


def apart() -> KeepApart:
    """No two bases of a unit overlap."""
    return KeepApart("overlaps-model", "Models Never Overlap")


def spaced(battle: Battle, unit: Unit) -> KeepClear:
    """No closer than 1" to any other unit, friend or foe."""
    return KeepClear("unit-spacing", '1" Apart', battle.index.others_than(unit.id), SPACING, strict=False)


def base_of(battle: Battle, unit: Unit, model: Model) -> Base:
    """The base that a model is measured by: its own, or by an option the oval that a wheel is sold on."""
    if battle.option("wheel_base", "as-placed") == "oval-105x70" and unit.ability(RANDOM_MOVEMENT) is not None:
        return Oval.mm(*OVAL_BASE)
    return model.base


def bases(battle: Battle, unit: Unit) -> PlacedSet:
    """A unit's bases on the table, in model order."""
    return PlacedSet.of(Placed(base_of(battle, unit, m), m.pose) for m in unit.models if m.pose is not None)


def ranking(battle: Battle, unit: Unit, limit: float) -> NearestFirst:
    """Every other unit on the table by its gap from a unit's first base, enemies before friends among equals."""
    others = [u for u in battle.units if u.id != unit.id and u.on_table]
    others.sort(key=lambda other: other.player == unit.player)
    groups = tuple((other.id, bases(battle, other)) for other in others)
    return NearestFirst("not-nearest", "Zzzzap!", bases(battle, unit)[0], groups, limit)


def placed(unit: Unit, poses: tuple[Pose, ...]) -> PlacedSet:
    """The unit's bases at the given poses, in model order."""
    return PlacedSet.of(Placed(m.base, p) for m, p in zip(unit.models, poses, strict=True))


def violations(unit: Unit, rules: Rules, members: PlacedSet, sweeps: tuple[Sweep, ...] = ()) -> Iterator[Violation]:
    """The breaches of a unit as violations, in words."""
    ids = tuple(model.id for model in unit.models)
    for breach in rules.breaches(members, sweeps):
        other = breach.other
        if other is not None and other.startswith("#"):
            other = ids[int(other[1:])]
        subject = ids[breach.member]
        yield from_breach(breach, subject, _sentence(breach, subject, other), other)


def _sentence(breach: Breach, who: str, other: str | None) -> str:
    length = inches(abs(breach.measured), breach.required.value or None)
    match breach.code:
        case "crosses-model" | "crosses-terrain":
            return f"{who} passes through {other} on its way"
        case "overlaps-model" | "overlaps-terrain":
            return f"{who} overlaps {other} by {length}"
        case "off-table":
            return f"{who} sticks out {length} over the edge of the table"
        case "not-wholly-within":
            return f"{who} sticks out {length} beyond {other}"
        case _:
            return f"{who} is {length} from {other}; it must be {breach.required}"


# --- questions


def ask_gap(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The shortest gap in inches between two models or units."""
    if len(of) != 2:
        raise QuestionError(f"gap is asked of two ids, got {len(of)}")
    mine, theirs = (_members(battle, name) for name in of)
    return float(gaps(mine, theirs).min())


def ask_nearest(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The unit nearest to a unit, friend or foe; more than one where they are equally near, none beyond a limit."""
    if len(of) != 1:
        raise QuestionError(f"nearest is asked of one unit, got {len(of)}")
    unit = _unit(battle, of[0])
    if not unit.on_table:
        raise QuestionError(f"{unit.id} is not on the table")
    ranks = ranking(battle, unit, float(details.get("limit", float("inf"))))
    return tuple(sorted(rank.name for rank in ranks.nearest))


def ask_engaged(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit is in base contact with an enemy; of two: with one another."""
    if len(of) == 1:
        return bool(engaged_with(battle, _unit(battle, of[0])))
    if len(of) != 2:
        raise QuestionError(f"engaged is asked of one or two units, got {len(of)}")
    return _unit(battle, of[1]).id in engaged_with(battle, _unit(battle, of[0]))


def _unit(battle: Battle, name: str) -> Unit:
    try:
        return battle.unit(name) if battle.has_unit(name) else battle.unit(battle.model(name).unit)
    except BattleError:
        raise QuestionError(f"no model or unit is called {name!r}") from None


def _members(battle: Battle, name: str) -> PlacedSet:
    unit = _unit(battle, name)
    chosen = unit.models if battle.has_unit(name) else (battle.model(name),)
    standing = [Placed(base_of(battle, unit, m), m.pose) for m in chosen if m.pose is not None]
    if not standing:
        raise QuestionError(f"{name} is not on the table")
    return PlacedSet.of(standing)
