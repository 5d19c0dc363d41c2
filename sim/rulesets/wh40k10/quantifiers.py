"""What holds for a whole unit when it is made of several: of every part, of some part, of one model.

An Attached unit is its own models and those of each unit that leads it. Each part keeps its keywords and abilities; a
rule says whether all parts must have something, one is enough, or the model itself counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Attached, Model, Unit, name_key
from sim.battle.names import name_keys

LONE_OPERATIVE = "lone-operative"
Part = Unit | Attached


def parts(unit: Unit) -> Iterator[Part]:
    """The units that an Attached unit is made of, as far as somebody of them is left; a unit that nobody leads itself.

    The unit stands for its own models.
    """
    if not unit.attached:
        yield unit
        return
    if unit.own_models:
        yield unit
    left = {model.id for model in unit.models}
    yield from (part for part in unit.attached if not left.isdisjoint(part.models))


def every(unit: Unit, token: str) -> bool:
    """Whether all models of a unit have an ability: Deep Strike, Infiltrators, Scouts, Stealth, Fights First."""
    if not unit.attached or unit.lent(token) is not None:
        return unit.ability(token) is not None
    return all(part.ability(token) is not None for part in parts(unit))


def some(unit: Unit, token: str) -> str | None:
    """What follows an ability that the unit or one that leads it has, the unit's own first; None without it."""
    own = unit.ability(token)
    if own is not None or not unit.attached:
        return own
    return next((value for part in parts(unit) if (value := part.ability(token)) is not None), None)


def least(unit: Unit, token: str) -> float | None:
    """The least number that follows an ability which all models have: the distance of Scouts; None without it."""
    values = [_number(part.ability(token)) for part in parts(unit)]
    found = [value for value in values if value is not None]
    return min(found) if found and len(found) == len(values) else None


def of_model(unit: Unit, model: Model, token: str) -> str | None:
    """What follows an ability that a model has from its own part of the unit, or that the unit is lent."""
    part = unit.leader_of(model.id) if unit.attached else None
    own = unit.ability(token) if part is None else part.ability(token)
    return unit.lent(token) if own is None else own


def every_bears(unit: Unit, keyword: str) -> bool:
    """Whether every model of a unit bears a keyword by itself."""
    return all(_bears(part, keyword) for part in parts(unit))


def model_bears(unit: Unit, model: Model, *keywords: str) -> bool:
    """Whether a model bears any of some keywords by itself, whoever else is in its unit."""
    part = unit.leader_of(model.id) if unit.attached else None
    return any(_bears(unit if part is None else part, keyword) for keyword in keywords)


def bearing(unit: Unit, *keywords: str) -> frozenset[int]:
    """Which models of a unit, by their number, bear any of some keywords by themselves."""
    if not unit.attached:
        return frozenset(range(len(unit.models))) if unit.has(*keywords) else frozenset()
    return frozenset(k for k, model in enumerate(unit.models) if model_bears(unit, model, *keywords))


def lone_operative(unit: Unit) -> bool:
    """Whether a unit can only be shot at from nearby: never as a part of an Attached unit."""
    return not unit.attached and unit.ability(LONE_OPERATIVE) is not None


def _bears(part: Part, keyword: str) -> bool:
    return name_key(keyword) in name_keys(part.keywords)


def _number(value: str | None) -> float | None:
    text = (value or "").rstrip('"')
    return float(text) if text.replace(".", "", 1).isdigit() else None
