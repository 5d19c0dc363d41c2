"""What did the army list say? The values that every style of text ends in.

A *draft* is what a style's own module makes of the lines: names, counts and the text of what is carried, with
the number of each line. An *imported army* is the draft with bases, keywords and ids.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.reading import FileError
from sim.scenario.importers.bases import BaseSize


class ImporterError(FileError):
    """A text that is no army list, or none that can be read: which, where in it, what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that was not understood: its number from 1, its text and the reason."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """One model: its name in the singular, what it carries, and its base where it is not the unit's."""

    name: str
    loadout: tuple[str, ...] = ()
    base: BaseSize | None = None


@dataclass(frozen=True, slots=True)
class ImportedUnit:
    """One unit of the list, with an id that no other unit of the army has.

    ``datasheet`` is its name in the table of bases or, where only the game knows it, in the list, else empty;
    ``assumed`` says that the base is a guess, and ``base_source`` where the base comes from.
    """

    id: str
    name: str
    points: int
    models: tuple[ImportedModel, ...]
    base: BaseSize
    base_source: str
    assumed: bool = False
    datasheet: str = ""
    keywords: tuple[str, ...] = ()
    profile: tuple[tuple[str, float], ...] = ()
    abilities: tuple[str, ...] = ()
    warlord: bool = False
    enhancements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedArmy:
    """An army list as units; ``unread`` holds every line that was not understood, ``notes`` what is odd.

    ``source`` is the name of the text, ``style`` how it was written, ``settings`` its own (name, value)
    pairs such as its detachment. ``points`` is what the list says of itself, else the units' sum. ``unbound`` are the
    ids of the units whose datasheet the game does not know, None where nobody asked the game.
    """

    title: str
    faction: str
    points: int
    units: tuple[ImportedUnit, ...]
    unread: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""
    style: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    unbound: tuple[str, ...] | None = None

    @property
    def model_count(self) -> int:
        """How many models the army has."""
        return sum(len(unit.models) for unit in self.units)


@dataclass(frozen=True, slots=True)
class DraftModels:
    """A line of models: how many, their name as written, and the text of what each carries."""

    line: int
    text: str
    count: int
    name: str
    carried: str = ""


@dataclass(slots=True)
class DraftUnit:
    """A unit as its lines say; ``count`` is a number before its name, None without one."""

    line: int
    text: str
    name: str
    points: int
    section: str = ""
    count: int | None = None
    carried: str = ""
    warlord: bool = False
    models: list[DraftModels] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """A list as its lines say, before any base is known; ``points`` is None when the list says none."""

    title: str = ""
    faction: str = ""
    points: int | None = None
    settings: list[tuple[str, str]] = field(default_factory=list)
    units: list[DraftUnit] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
