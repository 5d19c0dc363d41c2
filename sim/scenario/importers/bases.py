"""Which base does a datasheet stand on, and what are its numbers? The table under ``assets/bases``.

Bases are named in millimetres as on the box; a hull, which has no base, is an outline in inches about the
model's own position with its front along +x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import msgspec
from msgspec import Struct

from sim.battle import name_key, same_name
from sim.reading import parse_toml, read_text
from sim.resources import data_path

TABLE = "assets/bases/wh40k10.toml"
FORMAT = 1


class BaseSize(Struct, frozen=True, forbid_unknown_fields=True):
    """A base as it is named on the box: exactly one of round, oval, rect (mm) and hull (inches)."""

    round: float | None = None
    oval: tuple[float, float] | None = None
    rect: tuple[float, float] | None = None
    hull: tuple[tuple[float, float], ...] | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.round, self.oval, self.rect, self.hull) if value is not None]
        if len(given) != 1:
            raise ValueError(f"expected one of round, oval, rect and hull, got {len(given)}")
        sizes = [self.round] if self.round is not None else [*(self.oval or ()), *(self.rect or ())]
        if not all(size > 0 and math.isfinite(size) for size in sizes):
            raise ValueError(f"expected sizes above 0 mm, got {sizes}")
        if self.hull is not None and len(self.hull) < 3:
            raise ValueError(f"expected at least 3 corners, got {len(self.hull)}")

    def __str__(self) -> str:
        if self.round is not None:
            return f"round {self.round:g} mm"
        if self.oval is not None:
            return f"oval {self.oval[0]:g} × {self.oval[1]:g} mm"
        if self.rect is not None:
            return f"rect {self.rect[0]:g} × {self.rect[1]:g} mm"
        xs, ys = zip(*(self.hull or ()), strict=True)
        return f"hull {max(xs) - min(xs):g} × {max(ys) - min(ys):g} inches"


class ModelBase(Struct, frozen=True, forbid_unknown_fields=True):
    """A model whose base differs from its datasheet's."""

    name: str
    base: BaseSize


class Datasheet(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table knows of a datasheet; ``estimate`` marks a base that nobody has published."""

    base: BaseSize
    source: str
    estimate: bool = False
    keywords: tuple[str, ...] = ()
    profile: dict[str, float] = {}
    abilities: tuple[str, ...] = ()
    models: tuple[ModelBase, ...] = ()


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    sources: dict[str, str]
    assumed: dict[str, BaseSize]
    datasheet: dict[str, Datasheet]


@dataclass(frozen=True, slots=True)
class BaseTable:
    """The datasheets by name, the meaning of each source, and the bases to assume for what is not listed."""

    datasheets: dict[str, Datasheet]
    sources: dict[str, str]
    assumed: dict[str, BaseSize]
    _by_key: dict[str, str]

    def find(self, name: str) -> tuple[str, Datasheet] | None:
        """A datasheet by its name as players type it, with its proper name; None when it is not listed."""
        proper = self._by_key.get(name_key(name))
        return None if proper is None else (proper, self.datasheets[proper])

    def assume(self, section: str) -> BaseSize:
        """The base to assume for a unit that is not listed, by the section of the list in which it stands."""
        return next((base for name, base in self.assumed.items() if same_name(name, section)), self.assumed["any"])


def model_base(sheet: Datasheet, name: str) -> BaseSize | None:
    """The base of one model of a datasheet where it differs from the others', else None."""
    return next((one.base for one in sheet.models if same_name(one.name, name)), None)


@cache
def load_bases(relative: str = TABLE) -> BaseTable:
    """The table of bases that comes with the project; raises ``ValueError`` naming what is wrong in it."""
    raw = parse_toml(relative, read_text(data_path(relative)))
    try:
        table = msgspec.convert(raw, _Table)
    except msgspec.ValidationError as error:
        raise ValueError(f"{relative}: {error}") from None
    if table.format != FORMAT:
        raise ValueError(f"{relative}: expected format {FORMAT}, got {table.format}")
    for name, sheet in table.datasheet.items():
        if sheet.source not in table.sources:
            raise ValueError(f"{relative}: {name}: source {sheet.source!r} is not one of [sources]")
    if "any" not in table.assumed:
        raise ValueError(f"{relative}: [assumed] has no base for 'any'")
    by_key = {name_key(name): name for name in table.datasheet}
    return BaseTable(table.datasheet, table.sources, table.assumed, by_key)
