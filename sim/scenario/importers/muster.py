"""How do the lines of a list become units with ids, bases and numbers? The step that all styles share."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

from sim.battle import same_name
from sim.rules import Listing
from sim.scenario.importers.army import (
    Draft,
    DraftModels,
    DraftUnit,
    ImportedArmy,
    ImportedModel,
    ImportedUnit,
    ImporterError,
    Unread,
)
from sim.scenario.importers.bases import BaseTable, Datasheet, model_base
from sim.scenario.importers.loadout import Carried, read_carried
from sim.scenario.importers.sense import doubts

MOST_MODELS = 5_000  # models in an army; more is no army list

# Sections of a list that are keywords of the units in them.
_SECTION_KEYWORDS = {
    "battleline": ("BATTLELINE",),
    "beast": ("BEASTS",),
    "beasts": ("BEASTS",),
    "character": ("CHARACTER",),
    "dedicated transport": ("TRANSPORT", "DEDICATED TRANSPORT"),
    "epic hero": ("CHARACTER", "EPIC HERO"),
    "fortification": ("FORTIFICATION",),
    "infantry": ("INFANTRY",),
    "monster": ("MONSTER",),
    "mounted": ("MOUNTED",),
    "swarm": ("SWARM",),
    "vehicle": ("VEHICLE",),
}
_SUFFIX = " w/"
Knows = Callable[[str], Listing | None]  # what a game's datasheet of a name allows, None without one


def muster(draft: Draft, bases: BaseTable, source: str, style: str, knows: Knows | None = None) -> ImportedArmy:
    """The army of a draft; raises ``ImporterError`` when it has no unit or far too many models."""
    if not draft.units:
        raise ImporterError(source, "list", f"expected units, got a {style} list without any")
    _check_size(draft, source)
    work = _Muster(draft, bases, knows)
    units = tuple(map(work.unit, draft.units))
    summed = sum(unit.points for unit in units)
    points = summed if draft.points is None else draft.points
    if points != summed:
        work.notes.append(f"the list says {points} points, its units add up to {summed}")
    return ImportedArmy(
        title=draft.title,
        faction=draft.faction,
        points=points,
        units=units,
        unread=tuple(sorted(work.unread, key=lambda unread: unread.line)),
        notes=tuple(work.notes),
        source=source,
        style=style,
        settings=tuple(draft.settings),
        unbound=None if knows is None else tuple(unit.id for unit in units if knows(unit.datasheet) is None),
    )


def _check_size(draft: Draft, source: str) -> None:
    models = 0
    for unit in draft.units:
        models += sum(line.count for line in unit.models) or unit.count or 1
        if models > MOST_MODELS:
            raise ImporterError(source, f"line {unit.line}", f"expected at most {MOST_MODELS:,} models, got more")


class _Muster:
    """Turns the units of one draft into imported ones and gathers what is worth saying on the way."""

    def __init__(self, draft: Draft, bases: BaseTable, knows: Knows | None) -> None:
        self.notes = list(draft.notes)
        self.unread = list(draft.unread)
        self._bases, self._knows = bases, knows
        self._taken: set[str] = set()
        self._copies: Counter[str] = Counter()

    def unit(self, draft: DraftUnit) -> ImportedUnit:
        """One unit, with the next free id."""
        found = self._bases.find(draft.name)
        name, sheet = found if found is not None else (self._known(draft.name), self._unlisted(draft))
        own = self._carried(draft.line, draft.text, draft.carried)
        lines = [(line, self._carried(line.line, line.text, line.carried)) for line in draft.models]
        everything = [own, *(carried for _, carried in lines)]
        warlord = draft.warlord or any(carried.warlord for carried in everything)
        character = "CHARACTER" in sheet.keywords
        unit_id = self._new_id(draft.name)
        if sheet.estimate and found is not None:
            self.notes.append(f"{unit_id}: nobody has published its outline; {sheet.base} is an estimate")
        models = tuple(_models(draft, sheet, own, lines, character))
        listing = None if self._knows is None else self._knows(name)
        if listing is not None:
            self.notes += doubts(unit_id, models, listing)
        if lines and draft.count is not None and draft.count != sum(line.count for line, _ in lines):
            self.notes.append(f"{unit_id}: {draft.count} models announced, other numbers listed")
        return ImportedUnit(
            id=unit_id,
            name=draft.name,
            points=draft.points,
            models=models,
            base=sheet.base,
            base_source=sheet.source,
            assumed=sheet.estimate,
            datasheet=name,
            keywords=(*sheet.keywords, *(("WARLORD",) if warlord else ())),
            profile=tuple(sheet.profile.items()),
            abilities=sheet.abilities,
            warlord=warlord,
            enhancements=tuple(_enhancements(everything, character)),
        )

    def _known(self, name: str) -> str:
        """The name of a datasheet that the game knows, else nothing."""
        return name if self._knows is not None and self._knows(name) is not None else ""

    def _unlisted(self, draft: DraftUnit) -> Datasheet:
        """What is assumed of a unit that the table does not know."""
        base = self._bases.assume(draft.section)
        self.notes.append(f"{draft.name}: no such datasheet in the table of bases; {base} is assumed")
        return Datasheet(base, "assumed", True, _SECTION_KEYWORDS.get(draft.section.casefold(), ()))

    def _carried(self, line: int, text: str, carried: str) -> Carried:
        try:
            return read_carried(carried)
        except ValueError as error:
            self.unread.append(Unread(line, text, str(error)))
            return Carried()

    def _new_id(self, name: str) -> str:
        """The name as an id: ``kroot-carnivores``, the next one ``kroot-carnivores-b``.

        Numbers are those of models: ``kroot-carnivores-2`` is the second model of the first unit.
        """
        slug = slugged(name)
        while True:
            self._copies[slug] += 1
            copy = self._copies[slug]
            candidate = slug if copy == 1 else f"{slug}-{_letters(copy)}"
            if candidate not in self._taken:
                self._taken.add(candidate)
                return candidate


def _letters(number: int) -> str:
    """A number from 1 on as letters: a, b, c, and after z aa."""
    letters = ""
    while number > 0:
        number, left = divmod(number - 1, 26)
        letters = chr(ord("a") + left) + letters
    return letters


def slugged(name: str) -> str:
    """A name in small letters, digits and hyphens; ``unit`` when nothing of it is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-") or "unit"


def _models(
    draft: DraftUnit,
    sheet: Datasheet,
    own: Carried,
    lines: list[tuple[DraftModels, Carried]],
    character: bool,
) -> Iterator[ImportedModel]:
    """The models of a unit; what is listed for the unit itself every model carries.

    A Character with followers is a model beside them, and carries it alone.
    """
    extra = _things(own, character)
    if not lines:
        name = _singular(draft.name) if (draft.count or 1) > 1 else draft.name
        yield from [ImportedModel(name, extra, model_base(sheet, name))] * (draft.count or 1)
    if lines and character and extra and not any(same_name(_split_suffix(line)[0], draft.name) for line, _ in lines):
        yield ImportedModel(draft.name, extra, model_base(sheet, draft.name))
        extra = ()
    for line, carried in lines:
        name, suffix = _split_suffix(line)
        things = _things(carried, character) or suffix
        yield from [ImportedModel(name, extra + things, model_base(sheet, name))] * line.count


def _things(carried: Carried, character: bool) -> tuple[str, ...]:
    if not character:
        return carried.things
    return tuple(thing for thing in carried.things if thing not in carried.priced)


def _enhancements(everything: list[Carried], character: bool) -> Iterator[str]:
    for carried in everything:
        yield from carried.enhancements
        if character:
            yield from carried.priced


def _split_suffix(line: DraftModels) -> tuple[str, tuple[str, ...]]:
    """``Pathfinders w/ pulse carbine`` as the model's name in the singular and what the suffix names."""
    written = " ".join(line.name.split())
    name, _, suffix = (part.strip() for part in written.partition(_SUFFIX))
    name = name or written
    carried = (suffix[0].upper() + suffix[1:],) if suffix else ()
    return (_singular(name) if line.count > 1 else name), carried


def _singular(name: str) -> str:
    """The name of one of several models; left alone where the ending is no plain plural."""
    for plural, one in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if name.endswith(plural) and len(name) > len(plural) + 1:
            return name.removesuffix(plural) + one
    if len(name) > 3 and name.endswith("s") and not name.endswith(("ss", "us", "is", "'s", "’s", "ves")):
        return name[:-1]
    return name
