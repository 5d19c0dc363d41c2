"""New Recruit's "simple" text: a title, ``##`` sections, ``Unit [65 pts]: wargear``, ``• 8x Model: wargear``.

Every line becomes one of: blank, title, heading, setting, unit, models, footer; or it is reported as unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sim.scenario.importers.army import Draft, DraftModels, DraftUnit, Unread

TITLE = 'New Recruit "simple"'
LONGEST_LINE = 10_000  # letters; a longer line is no line of an army list
MOST_MODELS = 200  # models that one line may name

_POINTS = re.compile(r"\[([0-9][0-9,]{0,8}) ?(?:pts?|points?)\]", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[•◦·▪]|[-–*](?=[\s0-9]))\s*")
_HEADING = re.compile(r"\s*(#{1,6})\s+")
_COUNT = re.compile(r"([0-9]{1,6})\s?[x×X]\s+(?=\S)")
_DIVIDER = re.compile(r"\s*([-=+*_~#])\1{2,}\s*$")
_FOOTER = re.compile(r"\s*(?:created|exported|generated|made) (?:with|by) \S", re.IGNORECASE)

_ALLEGIANCES = frozenset({"xenos", "imperium", "chaos", "aeldari"})
_SETTINGS = frozenset({"battle size", "detachment", "detachments", "force disposition"})
_SWITCHES = frozenset({"show/hide options", "show legends", "show unaligned forces"})
_SECTIONS = frozenset(
    (
        *("allied unit", "battleline", "beast", "character", "dedicated transport", "epic hero", "fortification"),
        *("infantry", "monster", "mounted", "other datasheet", "swarm", "vehicle"),
    )
)  # without their plural s
_CONFIGURATION = "configuration"
_ROSTER = "army roster"


def recognises(lines: Sequence[str]) -> bool:
    """Whether a text looks like this style: some line holds points in square brackets."""
    return any(_POINTS.search(line[:LONGEST_LINE]) for line in lines)


def read(lines: Sequence[str]) -> Draft:
    """The list as its lines say; every line is understood or stands in ``unread``."""
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        reader.read_line(number, line)
    reader.close()
    return reader.draft


class _Reader:
    """Reads line by line; it remembers the section, the unit that models belong to, and their indentation."""

    def __init__(self) -> None:
        self.draft = Draft()
        self._section = ""
        self._section_points: int | None = None
        self._section_units: list[DraftUnit] = []
        self._unit: DraftUnit | None = None
        self._indent: int | None = None
        self._marked = -1  # how far in the bullets of units stand, below 0 where units have none
        self._begun = False

    def read_line(self, number: int, line: str) -> None:
        """Understands one line or reports it."""
        if len(line) > LONGEST_LINE:
            why: str | None = f"longer than {LONGEST_LINE} letters"
        elif not line.strip() or _DIVIDER.match(line) or _FOOTER.match(line):
            why = None
        elif (heading := _HEADING.match(line)) is not None:
            why = self._heading(len(heading[1]), line[heading.end() :].strip())
        elif (bullet := _BULLET.match(line)) is not None:
            why = self._models(number, line, bullet.end())
        else:
            why = self._plain(number, line.strip())
        if why is not None:
            self.draft.unread.append(Unread(number, line.strip()[:LONGEST_LINE], why))

    def close(self) -> None:
        """Ends the last section and takes the title's points for the army's."""
        self._end_section()

    # --- one method a kind of line; each says why the line is not understood, or None

    def _heading(self, level: int, text: str) -> str | None:
        name, points, rest = _split_points(text)
        name = name.strip("+ ")
        if not name or rest:
            return "a heading without a name" if not name else "a heading with text after its points"
        self._begun = True
        self._end_section()
        if level == 1 and name.casefold() == _ROSTER:
            self._total(points)
        else:
            self._section, self._section_points = name, points
        return None

    def _plain(self, number: int, text: str) -> str | None:
        """A line without bullet: a title, a setting, a heading without its mark, or a unit."""
        name, points, rest = _split_points(text)
        if name.casefold().rstrip("s") in _SECTIONS and not rest:
            return self._heading(2, text)
        key, colon, value = text.partition(":")
        if not self._begun and points is not None and " - " in f"{name} " and not rest:
            self._title(name, points)
            return None
        setting = key.strip().casefold()
        in_settings = self._section.casefold() == _CONFIGURATION
        if colon and (points is None or ":" in name) and (in_settings or setting in _SETTINGS):
            self.draft.settings.append((key.strip(), value.strip()))
            return None
        if setting in _SWITCHES:
            return None
        self._leave_unit()
        self._marked = -1
        if points is None:
            return "neither a heading, a setting, a unit with points in square brackets, nor a line of models"
        return self._new_unit(number, text, name, points, rest)

    def _new_unit(self, number: int, text: str, name: str, points: int, rest: str) -> str | None:
        remark, _, carried = rest.partition(":")
        count, name = _split_count(name)
        if not name:
            return "a unit without a name"
        if count is not None and not 1 <= count <= MOST_MODELS:
            return f"expected 1 to {MOST_MODELS} models, got {count}"
        self._begun = True
        section = "" if self._section.casefold() == _CONFIGURATION else self._section
        self._unit = DraftUnit(number, text, name, points, section, count, carried.strip())
        self.draft.units.append(self._unit)
        self._section_units.append(self._unit)
        if remark.strip():
            self.draft.notes.append(f"{name}: {remark.strip()!r} behind its points is not read")
        return None

    def _models(self, number: int, line: str, start: int) -> str | None:
        """A line with a bullet: models of the unit above it."""
        text = line[start:].strip()
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        name, points, rest = _split_points(text)
        if points is not None and (self._unit is None or indent <= self._marked):
            self._leave_unit()
            self._marked = indent
            return self._new_unit(number, text, name, points, rest)
        if self._unit is None:
            return "models that belong to no unit"
        if text.casefold() == "warlord":
            self._unit.warlord = True
            return None
        if self._indent is not None and indent > self._indent:
            return "deeper than the lines of models above it"
        head, _, carried = text.partition(":")
        count, name = _split_count(_split_points(head)[0])
        if not name:
            return "models without a name"
        if count is not None and not 1 <= count <= MOST_MODELS:
            return f"expected 1 to {MOST_MODELS} models, got {count}"
        self._indent = indent
        self._unit.models.append(DraftModels(number, text, count or 1, name, carried.strip()))
        return None

    # --- what the lines add up to

    def _title(self, name: str, points: int) -> None:
        self._begun = True
        self.draft.faction, self.draft.title = _faction_and_title(name)
        self._total(points)

    def _total(self, points: int | None) -> None:
        if points is None:
            return
        if self.draft.points is None:
            self.draft.points = points
        elif self.draft.points != points:
            self.draft.notes.append(f"the list says both {self.draft.points} and {points} points of itself")

    def _leave_unit(self) -> None:
        self._unit, self._indent = None, None

    def _end_section(self) -> None:
        summed = sum(unit.points for unit in self._section_units)
        if self._section_points is not None and summed != self._section_points:
            self.draft.notes.append(
                f"section {self._section}: the heading says {self._section_points} points, its units {summed}"
            )
        self._section, self._section_points, self._section_units = "", None, []
        self._leave_unit()


def _split_points(text: str) -> tuple[str, int | None, str]:
    """What stands before the first points in square brackets, the points, and what stands behind them."""
    found = _POINTS.search(text)
    if found is None:
        return text.strip(), None, ""
    return text[: found.start()].strip(), int(found[1].replace(",", "")), text[found.end() :].strip()


def _split_count(text: str) -> tuple[int | None, str]:
    """A number before a name (``8x``), None without one, and the name."""
    counted = _COUNT.match(text)
    if counted is None:
        return None, text.strip().strip(":").strip()
    return int(counted[1]), text[counted.end() :].strip().strip(":").strip()


def _faction_and_title(text: str) -> tuple[str, str]:
    """``Xenos - T'au Empire - My list -`` as faction and title; the faction is the title where none is."""
    parts = [part.strip() for part in f" {text} ".split(" - ") if part.strip()]
    if not parts:
        return "", ""
    if len(parts) > 1 and parts[0].casefold() in _ALLEGIANCES:
        parts = parts[1:]
    return parts[0], " - ".join(parts[1:]) or parts[0]
