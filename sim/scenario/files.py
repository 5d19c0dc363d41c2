"""Reading scenario files: text to tables, with the line of whatever is wrong; maps and rosters are merged in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from sim.battle import did_you_mean
from sim.reading import Fault, parse_toml, placed, quoted, read_text
from sim.resources import DATA_FOLDERS, data_path, data_root
from sim.rules import Ruleset
from sim.scenario.build import Case, Origins, Told, build_case, words_in
from sim.scenario.errors import ScenarioError
from sim.scenario.schema import Document
from sim.scenario.shape import GONE, Shape

ROWS = ("terrain", "objective", "zone", "unit", "marker", "ask")  # tables of which a file may have many
T = TypeVar("T")


@dataclass(frozen=True)
class Parsed:
    """What a file says as far as it is right, and everything that is wrong with its shape.

    ``rows`` are the places in the file of the tables that are left, ``spoiled`` what had to be left out.
    """

    name: str
    text: str
    document: Document
    faults: tuple[Fault, ...]
    rows: Mapping[str, tuple[int, ...]]
    spoiled: tuple[tuple[tuple[str | int, ...], Any], ...]


def load_case(path: Path | str, rulesets: Mapping[str, Ruleset]) -> Case:
    """The battle of a file, with its command, questions and expectation; raises ``ScenarioError``."""
    return case_of(path, read_text(str(path), error=ScenarioError), rulesets)


def case_of(path: Path | str, text: str, rulesets: Mapping[str, Ruleset]) -> Case:
    """The battle of a text that is, or will be, the file at a path; raises ``ScenarioError``."""
    own = parsed(str(path), text)
    document, origins, told = _merged(Path(path), own)
    return build_case(str(path), document, rulesets, text, origins, told)


def read_document(path: Path | str) -> Document:
    """The tables of one file as they stand, without what it refers to; raises ``ScenarioError``."""
    return parse_document(str(path), read_text(path, error=ScenarioError))


def parse_document(name: str, text: str) -> Document:
    """The tables of a text; raises ``ScenarioError`` with everything that is wrong with their shape."""
    found = parsed(name, text)
    if found.faults:
        raise ScenarioError.of(found.faults)
    return found.document


def parsed(name: str, text: str) -> Parsed:
    """The tables of a text, and what is wrong with them; raises ``ScenarioError`` for what is no TOML."""
    raw = parse_toml(name, text, ScenarioError)
    shape = Shape()
    left = shape.table(raw, Document)
    lost = {steps for steps, _ in shape.spoiled}
    rows = {key: tuple(k for k in range(_count(raw.get(key))) if (key, k) not in lost) for key in ROWS}
    faults = tuple(placed(name, text, steps, what) for steps, what in shape.faults)
    return Parsed(name, text, converted(name, left, Document), faults, rows, tuple(shape.spoiled))


def parse_as(name: str, text: str, kind: type[T]) -> T:
    """The tables of a text as a kind of file; raises ``ScenarioError`` with everything that is wrong."""
    raw = parse_toml(name, text, ScenarioError)
    shape = Shape()
    left = shape.table(raw, kind)
    if shape.faults or left is GONE:
        raise ScenarioError.of(placed(name, text, steps, what) for steps, what in shape.faults)
    return converted(name, left, kind)


def converted(name: str, raw: Any, kind: type[T]) -> T:
    """The value of a kind, of tables whose shape has been looked at."""
    try:
        return msgspec.convert(raw, kind, strict=True)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `")
        raise ScenarioError(name, where.strip("`$.") or "top level", what) from None


def _count(rows: Any) -> int:
    return len(rows) if isinstance(rows, list) else 0


def find_file(name: str, beside: Path | None = None) -> Path:
    """A file by a name that a person typed: beside the file that names it, as it stands, or among what is shipped."""
    candidates = [Path(name)]
    if beside is not None:
        candidates.insert(0, beside.parent / name)
    for candidate in candidates:
        if _is_there(candidate):
            return candidate
    return data_path(name)


def _is_there(candidate: Path) -> bool:
    """Whether there is anything but a folder; the gate says what is no file."""
    try:
        return candidate.exists() and not candidate.is_dir()
    except (OSError, ValueError):  # a name too long for the file system
        return False


def _merged(file: Path, own: Parsed) -> tuple[Document, Origins, Told]:
    """The document with its map and rosters drawn in, where every table stands, and what is wrong so far.

    The tables of the document itself come after those of its map and rosters.
    """
    origins: Origins = {name: [] for name in ROWS}
    document = own.document
    parts: list[tuple[Parsed, tuple[str, ...]]] = []
    told = _Telling(own)
    if document.map:
        base = told.referred(file, document.map, "map")
        if base is not None:
            if document.table is None and base.document.table is not None:
                document = replace(document, table=base.document.table)
                origins["table"] = [(base.name, base.text, 0)]
            parts.append((base, ("terrain", "objective", "zone")))
    rosters = [document.roster] if isinstance(document.roster, str) else document.roster
    for roster in filter(None, rosters):
        army = told.referred(file, roster, "roster")
        if army is not None:
            parts.append((army, ("unit",)))
    parts.append((own, ROWS))
    merged: dict[str, list[Any]] = {name: [] for name in ROWS}
    for part, keys in parts:
        for key in keys:
            origins[key].extend((part.name, part.text, row) for row in part.rows[key])
            merged[key].extend(getattr(part.document, key))
    return replace(document, **merged), origins, told.all()


class _Telling:
    """Collects what is wrong with a file and with those that it refers to."""

    def __init__(self, own: Parsed) -> None:
        self.own = own
        self.faults: list[Fault] = []
        self.keys: set[str] = set()
        self.ids: set[str] = set()
        self.words: set[str] = set()
        self._take(own)

    def _take(self, part: Parsed) -> None:
        self.faults.extend(part.faults)
        for (key, *row), value in part.spoiled:
            if not row:
                self.keys.add(str(key))
            if key == "unit":
                name = value.get("id") if row and isinstance(value, dict) else None
                self.ids.add(name if isinstance(name, str) else "")
                self.words.update(words_in(value))

    def referred(self, file: Path, name: str, key: str) -> Parsed | None:
        """A map or a roster that the file names; None where it cannot be read."""
        try:
            try:
                found = find_file(name, beside=file)
            except (OSError, ValueError):
                guess = did_you_mean(name, _beside(file))
                raise ScenarioError.of(
                    [placed(self.own.name, self.own.text, (key,), f"no {key} file called {quoted(name)}{guess}")]
                ) from None
            part = parsed(str(found), read_text(found, error=ScenarioError))
        except ScenarioError as error:
            self.faults.extend(error.faults)
            self.keys.add("table")
            self.ids.add("")
            return None
        self._take(part)
        return part

    def all(self) -> Told:
        """Everything that was found."""
        return Told(tuple(self.faults), frozenset(self.keys), frozenset(self.ids), frozenset(self.words))


def _beside(file: Path) -> list[str]:
    """The names of files that could have been meant: beside a file, and of what is shipped."""
    try:
        near = [each.name for each in file.parent.iterdir() if each.suffix.lower() == ".toml"]
    except OSError:
        near = []
    shipped = (each for folder in DATA_FOLDERS for each in (data_root() / folder).rglob("*.toml"))
    return [*near, *(str(each.relative_to(data_root())) for each in shipped)]
