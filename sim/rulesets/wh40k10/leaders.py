"""Leaders: models of one datasheet that have joined a unit of another, and what that changes.

They are one unit as long as somebody of both is left. Its own models go first, and their Toughness counts for all; a
leader keeps its own moves, saves, wounds, weapons and Level of Control. What becomes of them when the others are gone
is the matter of ``parting``.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sim.battle import Attached, Model, Unit, name_key
from sim.rulesets.wh40k10 import datasheets, quantifiers

CHARACTER = "CHARACTER"
WARBOSS = "WARBOSS"
WAAAGH = "waaagh"  # the ability, and the marker of a unit while a Waaagh! lasts
WAAAGH_SAVE = 5.0  # the invulnerable save of its models then
SWIFTLY = "leads-swiftly"  # the Move of the unit that it leads, whose ranged weapons gain Assault


def joined(unit: Unit, leader: Unit) -> Unit | str:
    """A unit with the models of its leader; in words why that cannot be."""
    if not leader.has(CHARACTER):
        return f"{leader.name} is no CHARACTER and leads nobody"
    sheet = datasheets.find(leader.datasheet)
    own = datasheets.find(unit.datasheet)
    if sheet is not None and own is not None:
        if sheet.leads and name_key(own.name) not in map(name_key, sheet.leads):
            return f"{leader.name} leads {', '.join(sheet.leads)}, not {own.name}"
        most = int(unit.ability("two-leaders") or 0)
        if unit.attached and (not most or len(unit.own_models) < most):
            return f"{unit.name} has a leader already"
    part = Attached(
        id=leader.id,
        models=tuple(model.id for model in leader.models),
        name=leader.name,
        datasheet=leader.datasheet,
        keywords=leader.keywords,
        abilities=leader.abilities,
        profile=leader.profile,
        weapons=leader.weapons,
        rerolls=leader.rerolls,
        modifiers=leader.modifiers,
        points=leader.points,
    )
    models = tuple(replace(model, unit=unit.id, name=model.name or leader.name) for model in leader.models)
    return replace(
        unit,
        models=(*unit.models, *models),
        attached=(*unit.attached, part),
        points=unit.points + leader.points,
    )


def characters(unit: Unit) -> tuple[Model, ...]:
    """The Characters that lead a unit whose own models are not all gone."""
    if not unit.attached or not unit.own_models:
        return ()
    leading = {name for part in unit.attached if part.has(CHARACTER) for name in part.models}
    return tuple(model for model in unit.models if model.id in leading)


def heroes(unit: Unit) -> tuple[Model, ...]:
    """All Characters of a unit, whether they lead it or are all of it."""
    leading = {name for part in unit.attached if part.has(CHARACTER) for name in part.models}
    own = {m.id for m in unit.own_models} if CHARACTER in map(str.upper, unit.keywords) else set[str]()
    return tuple(model for model in unit.models if model.id in leading | own)


def number(unit: Unit, model: Model, name: str) -> float | None:
    """A number of a model's own profile, None when it is not known."""
    part = unit.leader_of(model.id)
    return unit.value(name) if part is None else part.value(name)


def invulnerable(unit: Unit, model: Model | None) -> float | None:
    """The invulnerable save of a model, or of the unit's own, by its profile or by an ability; None without one."""
    printed = unit.value("INV") if model is None else number(unit, model, "INV")
    own = unit.ability("invulnerable") if model is None else quantifiers.of_model(unit, model, "invulnerable")
    lent = unit.lent("invulnerable")
    has_waaagh = unit.ability(WAAAGH) if model is None else quantifiers.of_model(unit, model, WAAAGH)
    saves = [printed, *(float(value) for value in (own, lent) if value)]
    if unit.marked(WAAAGH) and has_waaagh is not None:
        saves.append(WAAAGH_SAVE)
    return min((value for value in saves if value is not None), default=None)


def toughness(unit: Unit) -> float | None:
    """The Toughness of a unit: that of its own models, until all attacks at it are resolved though they are gone."""
    return unit.value("T")


def move(unit: Unit) -> float | None:
    """The Move of a unit's own models: theirs, or what a leader that is left lends them."""
    lent = [float(value) for value in _lent(unit, SWIFTLY)]
    return max(lent) if lent else unit.value("M")


def lends_assault(unit: Unit) -> bool:
    """Whether a leader that is left lets the ranged weapons of its unit be fired after an Advance."""
    return any(True for _ in _lent(unit, SWIFTLY))


def leading(unit: Unit) -> Iterator[Attached]:
    """The leaders of a unit that are left."""
    return (part for part in unit.attached if any(model.id in part.models for model in unit.models))


def is_tougher_led(unit: Unit) -> bool:
    """Whether a unit is harder to wound because of who leads it."""
    if unit.ability("tough-while-led") is None:
        return False
    return any(part.has(WARBOSS) for part in leading(unit))


def _lent(unit: Unit, token: str) -> Iterator[str]:
    return (value for part in leading(unit) if (value := part.ability(token)) is not None)


def leadership(unit: Unit) -> float | None:
    """The best Leadership in a unit: the least number."""
    return min((value for m in unit.models if (value := number(unit, m, "LD")) is not None), default=unit.value("LD"))
