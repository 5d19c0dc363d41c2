"""Numbers of weapons and of odd models, read from the tables of datasheets as data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.referee.table import Model, Unit

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "datasheets" / "wh40k10"
DICE = re.compile(r"^(?:(\d*)D(\d+))?\+?(\d*)$")


@dataclass(frozen=True)
class Number:
    """So many dice of so many sides and something besides."""

    dice: int
    sides: int
    plus: int


@dataclass(frozen=True)
class Weapon:
    """One profile of a weapon."""

    name: str
    profile: str
    range: float
    attacks: Number
    skill: int | None
    strength: int
    ap: int
    damage: Number
    abilities: tuple[tuple[str, str], ...]

    def has(self, token: str) -> bool:
        """Whether it has an ability."""
        return token in dict(self.abilities)

    def value(self, token: str) -> int:
        """The number behind an ability, 0 without it."""
        text = dict(self.abilities).get(token, "").rstrip("+")
        return int(text) if text.isdigit() else 0


def key(name: str) -> str:
    """A name without case, punctuation and a plural s."""
    words = re.sub(r"[^a-z0-9]+", " ", name.lower().replace("'", "").replace("’", "")).split()
    return " ".join(word.removesuffix("s") for word in words)


def number(text: Any) -> Number:
    """A number as datasheets write it: 3, D6, 2D6, D3+3."""
    found = DICE.match(str(text).upper().replace(" ", ""))
    if found is None:
        raise ValueError(f"no number: {text!r}")
    dice, sides, plus = found.groups()
    if sides is None:
        return Number(0, 0, int(plus))
    return Number(int(dice or 1), int(sides), int(plus or 0))


@cache
def sheets() -> dict[str, dict[str, Any]]:
    """Every datasheet by its name."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for sheet in tomllib.loads(path.read_text(encoding="utf-8"))["datasheet"]:
            found[key(sheet["name"])] = found[key(sheet["id"])] = sheet
    return found


def sheet_of(unit: Unit, model: Model) -> dict[str, Any]:
    """The datasheet of a model, an empty one where it has none."""
    part = unit.part_of(model.id)
    return sheets().get(key(unit.datasheet if part is None else part.datasheet), {})


def weapons(unit: Unit, model: Model, name: str) -> tuple[Weapon, ...]:
    """The profiles of a weapon that a model carries under this name."""
    return _weapons(unit.datasheet if (part := unit.part_of(model.id)) is None else part.datasheet, key(name))


@cache
def _weapons(datasheet: str, name: str) -> tuple[Weapon, ...]:
    own = sheets().get(key(datasheet))
    for sheet in (*([own] if own else []), *sheets().values()):
        found = tuple(_read(w) for w in sheet.get("weapon", ()) if key(w["name"]) == name)
        if found:
            return found
    return ()


def weapon(unit: Unit, model: Model, name: str, profile: str = "") -> Weapon | None:
    """One profile of a weapon of a model, None where it has no such weapon."""
    found = weapons(unit, model, name)
    fitting = [w for w in found if key(w.profile) == key(profile)] if profile else list(found[:1])
    return fitting[0] if fitting else None


def arms(unit: Unit, model: Model) -> Iterator[Weapon]:
    """Every profile of all that a model carries."""
    for name in carries(unit, model):
        yield from weapons(unit, model, name)


def carries(unit: Unit, model: Model) -> tuple[str, ...]:
    """What a model carries, with the turret that stands beside it for now."""
    return (*model.loadout, *("support turret",) * unit.marked("ds8-turret", model.id))


def wounds(unit: Unit, model: Model) -> int:
    """How many wounds a model has when it is whole."""
    if unit.part_of(model.id) is None:
        leader = sheet_of(unit, model).get("leader", {})
        if leader.get("wounds") and key(model.name) == key(leader["name"]):
            return int(leader["wounds"])
    return max(1, int(unit.number(model, "W") or 1))


def _read(weapon: dict[str, Any]) -> Weapon:
    return Weapon(
        weapon["name"],
        weapon.get("profile", ""),
        float(weapon.get("range", 0)),
        number(weapon["attacks"]),
        weapon.get("skill"),
        int(weapon["strength"]),
        int(weapon.get("ap", 0)),
        number(weapon["damage"]),
        tuple((a.partition(" ")[0], a.partition(" ")[2]) for a in weapon.get("abilities", ())),
    )
