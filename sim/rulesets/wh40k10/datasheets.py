"""What does a unit's datasheet say of it? Looking datasheets up, binding units to them, and what a model carries.

A unit names its datasheet; ``bind`` gives it what it does not say itself, ``weapons_of`` tells what a model carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from msgspec.structs import replace

from sim.battle import Attached, Battle, BattleError, Model, Unit, Weapon, name_key, same_name
from sim.geometry import Base
from sim.resources import data_root
from sim.rules import Listing
from sim.rulesets.wh40k10 import tokens
from sim.rulesets.wh40k10.datasheet_tables import Datasheet, DatasheetError, read_sheets, wrong_weapon

__all__ = [
    "Datasheet",
    "DatasheetError",
    "Weapon",
    "arms_of",
    "base_of",
    "bind",
    "carried",
    "find",
    "names",
    "own_weapon",
    "profile_names",
    "read_sheets",
    "sheets",
    "weapon_names",
    "weapons_of",
    "wounds_of",
]

FOLDER = "assets/datasheets/wh40k10"
TURRET = "ds8-turret"  # the marker of a unit with the model that has a support turret for now
SUPPORT_TURRET = "support turret"
NAMES_KEPT = 4096  # names that have been looked for and are remembered


@cache
def sheets() -> Mapping[str, Datasheet]:
    """Every datasheet by its id; raises ``DatasheetError`` when the tables are wrong."""
    return MappingProxyType({sheet.id: sheet for sheet in read_sheets(data_root() / FOLDER)})


@cache
def names() -> tuple[str, ...]:
    """The ids and names of all datasheets."""
    return tuple(dict.fromkeys(name for sheet in sheets().values() for name in (sheet.name, sheet.id)))


@lru_cache(NAMES_KEPT)
def find(name: str) -> Datasheet | None:
    """The datasheet with an id or a name, without regard to case, punctuation and a plural s; None without one."""
    return _by_key().get(name_key(name))


def base_of(name: str) -> tuple[Base, bool] | None:
    """The base of a datasheet by its name, and whether it is an estimate; None without such a datasheet."""
    sheet = find(name)
    return None if sheet is None else (sheet.base.base(), sheet.base.estimate)


def listing_of(name: str) -> Listing | None:
    """What a list may say of a unit of a datasheet, by its name; None without such a datasheet."""
    sheet = find(name)
    if sheet is None:
        return None
    weapons = tuple(dict.fromkeys(weapon.name for weapon in sheet.weapon))
    return Listing(tuple(size.models for size in sheet.sizes), weapons, (*sheet.wargear, *sheet.carries))


def weapons_of(unit: Unit, model: Model) -> tuple[Weapon, ...]:
    """All profiles of what a model carries, in its order; a weapon carried twice stands there twice.

    A name is looked for on the unit's own datasheet, then on all others; raises ``BattleError`` when it is on none.
    Wargear that is no weapon adds nothing.
    """
    found: list[Weapon] = []
    for name in _loadout(unit, model):
        profiles = _own(_bearer(unit, model).weapons, name) or _profiles(_sheet_of(unit, model), name)
        if profiles is None:
            who = f"{model.id} of {unit.name or unit.id}"
            raise BattleError(f"{who} carries {name!r}, and no datasheet has such a weapon")
        found += profiles
    return tuple(found)


def arms_of(unit: Unit, model: Model) -> tuple[Weapon, ...]:
    """As ``weapons_of``, but what no datasheet knows adds nothing: a unit may carry more than can be played."""
    return _arms(_sheet_of(unit, model), _bearer(unit, model).weapons, _loadout(unit, model))


def _loadout(unit: Unit, model: Model) -> tuple[str, ...]:
    """What a model carries, and what it has for now."""
    if unit.markers and any(m.kind == TURRET and m.subject == model.id for m in unit.markers):
        return (*model.loadout, SUPPORT_TURRET)
    return model.loadout


def carried(model: Model, weapon: str) -> int:
    """How many of a weapon a model carries, at least one: its name may be typed in any way."""
    return max(1, sum(same_name(name, weapon) for name in model.loadout))


def own_weapon(weapon: Weapon) -> Weapon:
    """A weapon that a file gives a unit, abilities as the game keeps them; raises ``ValueError``."""
    read = replace(weapon, abilities=tuple(map(tokens.read_weapon, weapon.abilities)))
    for fault in wrong_weapon(read):
        raise DatasheetError(f"{weapon.name}: {fault}")
    return read


def _bearer(unit: Unit, model: Model) -> Unit | Attached:
    """The leader that a model belongs to, else the unit."""
    return (unit.leader_of(model.id) if unit.attached else None) or unit


def _own(weapons: tuple[Weapon, ...], name: str) -> tuple[Weapon, ...]:
    return tuple(weapon for weapon in weapons if same_name(weapon.name, name))


@lru_cache(NAMES_KEPT)
def _arms(datasheet: str, own: tuple[Weapon, ...], loadout: tuple[str, ...]) -> tuple[Weapon, ...]:
    return tuple(weapon for name in loadout for weapon in _own(own, name) or _profiles(datasheet, name) or ())


def weapon_names(battle: Battle) -> Iterator[str]:
    """The names of all weapons: those that models of a battle carry, then those of every datasheet."""
    for unit in battle.units:
        for model in unit.models:
            yield from model.loadout
        yield from (weapon.name for weapon in unit.weapons)
    yield from (weapon.name for sheet in sheets().values() for weapon in sheet.weapon)


def profile_names(battle: Battle) -> Iterator[str]:
    """The names of all profiles of weapons that have several."""
    for unit in battle.units:
        yield from (weapon.profile for weapon in unit.weapons if weapon.profile)
    yield from (weapon.profile for sheet in sheets().values() for weapon in sheet.weapon if weapon.profile)


def wounds_of(unit: Unit, model: Model) -> int | None:
    """The wounds that a model has when it is whole: its leader's own, else those of the profile, None when unknown."""
    part = unit.leader_of(model.id)
    if part is not None:
        own = part.value("W")
        return None if own is None else int(own)
    sheet = find(unit.datasheet)
    leader = sheet.leader if sheet else None
    if leader is not None and leader.wounds and name_key(model.name) == name_key(leader.name):
        return leader.wounds
    wounds = unit.value("W")
    return None if wounds is None else int(wounds)


def bind(unit: Unit) -> Unit:
    """The unit with what its datasheet adds: what it says itself wins, and an unknown datasheet adds nothing."""
    sheet = find(unit.datasheet)
    if sheet is None:
        return _armed(unit)
    given = dict(unit.profile)
    return replace(
        unit,
        models=tuple(_bound_models(unit, sheet)),
        keywords=tuple(_added(unit.keywords, (*sheet.keywords, sheet.faction), str.upper)),
        abilities=tuple(_added(unit.abilities, sheet.abilities, token_of)),
        profile=tuple(sorted((sheet.profile | given).items())),
        points=unit.points or sheet.points(len(unit.models)),
    )


def _armed(unit: Unit) -> Unit:
    """A unit without a datasheet: models of which nothing else is said carry every weapon that the file gives it."""
    names = tuple(dict.fromkeys(weapon.name for weapon in unit.weapons))
    if not names:
        return unit
    return replace(unit, models=tuple(replace(model, loadout=model.loadout or names) for model in unit.models))


@cache
def _by_key() -> Mapping[str, Datasheet]:
    return {name_key(text): sheet for sheet in sheets().values() for text in (sheet.id, sheet.name)}


def _sheet_of(unit: Unit, model: Model) -> str:
    """The datasheet that a model has its weapons from: its unit's, or that of the leader that it belongs to."""
    part = unit.leader_of(model.id) if unit.attached else None
    return unit.datasheet if part is None else part.datasheet


# --- binding


def _bound_models(unit: Unit, sheet: Datasheet) -> Iterator[Model]:
    leaders = _leaders(unit, sheet)
    for k, model in enumerate(unit.models):
        leads = sheet.leader if k in leaders else None
        loadout = (leads.loadout if leads else ()) or sheet.default
        name = model.name or (leads.name if leads else "")
        yield replace(model, loadout=model.loadout or loadout, name=name)


def _leaders(unit: Unit, sheet: Datasheet) -> set[int]:
    """Which models lead: those that bear the leader's name, else the first ones as long as they bear no other."""
    if sheet.leader is None:
        return set()
    key = name_key(sheet.leader.name)
    named = {k for k, model in enumerate(unit.models) if name_key(model.name) == key}
    return named or {k for k in range(sheet.leader.count(len(unit.models))) if not unit.models[k].name}


def _added(given: tuple[str, ...], more: Iterable[str], key: Callable[[str], str]) -> Iterator[str]:
    seen = {key(text) for text in given}
    yield from given
    yield from (text for text in more if key(text) not in seen)


def token_of(ability: str) -> str:
    """The name of an ability, without what follows it."""
    return ability.replace(":", " ", 1).partition(" ")[0]


@lru_cache(NAMES_KEPT)
def _profiles(datasheet: str, name: str) -> tuple[Weapon, ...] | None:
    """The profiles of a weapon, none of wargear, None of what no datasheet knows."""
    own = find(datasheet)
    for sheet in (*([own] if own else []), *sheets().values()):
        profiles = sheet.weapons(name)
        if profiles or sheet.is_wargear(name):
            return profiles
    return None
