"""What stands in a table of datasheets? Its values, how a file of them is read, and what can be wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from sim.battle import Weapon, name_key
from sim.chance.amounts import Amount, AmountError
from sim.geometry import Base, Hull, Oval, Round, ShapeError
from sim.reading import FileError, parse_toml, read_text
from sim.rulesets.wh40k10 import tokens

NUMBERS = ("M", "T", "SV", "W", "LD", "OC")  # every profile has these; INV and H may stand besides
HEIGHT = "H"  # inches; how tall a model is
INVULNERABLE = "INV"
PROFILE = (*NUMBERS, INVULNERABLE, HEIGHT)  # all that a profile may hold


class DatasheetError(ValueError):
    """A table of datasheets that cannot be used, on one line: ``FILE: DATASHEET: WHAT``."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """Common form of all tables: unknown keys are refused."""


class Outline(_Table, frozen=True):
    """A base: exactly one of round and oval (mm) and hull (inches); ``estimate`` where nobody has published it."""

    round: float | None = None
    oval: tuple[float, float] | None = None
    hull: tuple[tuple[float, float], ...] | None = None
    estimate: bool = False

    def base(self) -> Base:
        """The base in inches; raises ``ShapeError`` for what is none."""
        if sum(value is not None for value in (self.round, self.oval, self.hull)) != 1:
            raise ShapeError("expected exactly one of round, oval and hull")
        if self.round is not None:
            return Round.mm(self.round)
        return Oval.mm(*self.oval) if self.oval is not None else Hull(self.hull or ())


class Size(_Table, frozen=True):
    """How many models the unit may have, and its points then."""

    models: int
    points: int


class Leader(_Table, frozen=True):
    """The first model of a unit, where it differs; no loadout is the default one, no wounds those of the profile.

    ``per`` is the number of models for each of which the unit has one such leader, 0 for a single leader.
    """

    name: str
    loadout: tuple[str, ...] = ()
    wounds: int = 0
    per: int = 0

    def count(self, models: int) -> int:
        """How many leaders a unit of so many models has."""
        return max(1, models // self.per) if self.per else 1


class Datasheet(_Table, frozen=True):
    """One datasheet: who may be bound to it, and what a unit bound to it is."""

    id: str
    name: str
    faction: str
    keywords: tuple[str, ...]
    profile: dict[str, float]
    base: Outline
    sizes: tuple[Size, ...]
    default: tuple[str, ...]
    abilities: tuple[str, ...] = ()
    leader: Leader | None = None
    leads: tuple[str, ...] = ()
    wargear: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    doubles: tuple[str, ...] = ()
    weapon: tuple[Weapon, ...] = ()

    def weapons(self, name: str) -> tuple[Weapon, ...]:
        """All profiles of a weapon by its name however it is typed, none when it is not on this datasheet."""
        key = name_key(name)
        return tuple(weapon for weapon in self.weapon if name_key(weapon.name) == key)

    def is_wargear(self, name: str) -> bool:
        """Whether something that may be carried is no weapon."""
        return name_key(name) in map(name_key, self.wargear)

    def points(self, models: int) -> int:
        """The points of a unit of so many models: those of the smallest size that holds them, 0 beyond the largest."""
        return min((size.points for size in self.sizes if size.models >= models), default=0)


def read_sheets(folder: Path) -> tuple[Datasheet, ...]:
    """The datasheets of every table in a folder; raises ``DatasheetError`` for the first fault in any of them."""
    found: dict[str, tuple[str, Datasheet]] = {}
    for path in sorted(folder.glob("*.toml")):
        for sheet in _read(path):
            for key in {name_key(sheet.id), name_key(sheet.name)}:
                if key in found:
                    raise DatasheetError(f"{path.name}: {sheet.id}: {found[key][1].id} of {found[key][0]} has its name")
            found |= dict.fromkeys((name_key(sheet.id), name_key(sheet.name)), (path.name, sheet))
    if not found:
        raise DatasheetError(f"{folder.name}: folder: expected tables of datasheets, got none")
    return tuple({sheet.id: sheet for _, sheet in found.values()}.values())


def _read(path: Path) -> Iterator[Datasheet]:
    try:
        document = parse_toml(path.name, read_text(path))
    except FileError as error:
        raise DatasheetError(f"{path.name}: file: {error.what}") from None
    rows = document.pop("datasheet", None)
    if document or not isinstance(rows, list):
        wrong = ", ".join(document) or "no such table"
        raise DatasheetError(f"{path.name}: file: expected [[datasheet]] tables alone, got {wrong}")
    for number, row in enumerate(rows, 1):
        name = str(row.get("id", f"datasheet {number}")) if isinstance(row, dict) else f"datasheet {number}"
        try:
            sheet = msgspec.convert(row, Datasheet)
        except msgspec.ValidationError as error:
            raise DatasheetError(f"{path.name}: {name}: {_lower(str(error))}") from None
        for fault in faults(sheet):
            raise DatasheetError(f"{path.name}: {name}: {fault}")
        yield sheet


def faults(sheet: Datasheet) -> Iterator[str]:
    """Everything that is wrong with a datasheet by itself, in words."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", sheet.id):
        yield "expected an id in small letters, digits and hyphens"
    if missing := [number for number in NUMBERS if number not in sheet.profile]:
        yield f"profile has no {', '.join(missing)}"
    if unknown := sorted(set(sheet.profile) - {*NUMBERS, INVULNERABLE, HEIGHT}):
        yield f"profile has an unknown {', '.join(unknown)}"
    yield from _wrong_names(sheet)
    try:
        sheet.base.base()
    except ShapeError as error:
        yield f"base: {error}"
    if not sheet.sizes:
        yield "expected at least one size, got none"
    if any(size.models < 1 or size.points < 1 for size in sheet.sizes):
        yield "expected sizes of at least one model and one point"
    yield from filter(None, map(tokens.unknown_unit_ability, sheet.abilities))
    yield from _wrong_loadout(sheet)
    for weapon in sheet.weapon:
        yield from (f"{weapon.name}: {fault}" for fault in wrong_weapon(weapon))
    profiles = [(name_key(weapon.name), weapon.profile) for weapon in sheet.weapon]
    for weapon in sheet.weapon:
        if profiles.count((name_key(weapon.name), weapon.profile)) > 1:
            yield f"{weapon.name}: a second profile {weapon.profile!r}"


def _wrong_names(sheet: Datasheet) -> Iterator[str]:
    words = (sheet.faction, *sheet.keywords, *sheet.carries, *sheet.excludes, *sheet.doubles)
    if low := [word for word in words if not word or word != word.upper()]:
        yield f"expected keywords in capitals, got {', '.join(map(repr, low))}"
    if not sheet.name:
        yield "expected a name"


def _wrong_loadout(sheet: Datasheet) -> Iterator[str]:
    carried = (*sheet.default, *(sheet.leader.loadout if sheet.leader else ()))
    for name in dict.fromkeys(carried):
        if not sheet.weapons(name) and not sheet.is_wargear(name):
            yield f"{name!r} of the default loadout has no profile"


def wrong_weapon(weapon: Weapon) -> Iterator[str]:
    """Everything that is wrong with one profile of a weapon, in words."""
    for what, text in (("attacks", weapon.attacks), ("damage", weapon.damage)):
        try:
            Amount.of(text)
        except AmountError as error:
            yield f"{what}: {error}"
    if weapon.range < 0 or weapon.strength < 1 or weapon.ap > 0:
        yield "expected a range of 0 or more, a strength of 1 or more and an ap of 0 or less"
    if weapon.skill is not None and not 2 <= weapon.skill <= 6:
        yield f"expected a skill of 2 to 6, got {weapon.skill}"
    if (weapon.skill is None) != weapon.has("torrent"):
        yield "expected a skill, or torrent and none"
    yield from filter(None, map(tokens.unknown_weapon_ability, weapon.abilities))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
