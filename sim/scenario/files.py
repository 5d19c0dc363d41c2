"""Reading scenario files: text to tables, with the line of whatever is wrong; maps and rosters are merged in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from sim.resources import data_path
from sim.rules import Ruleset
from sim.scenario.build import Case, Origins, build_case
from sim.scenario.errors import ScenarioError, line_of
from sim.scenario.schema import Document

MOST_BYTES = 20_000_000  # a scenario is text written by people; more than this is a mistake


def load_case(path: Path | str, rulesets: Mapping[str, Ruleset]) -> Case:
    """The battle of a file, with its command, questions and expectation; raises ``ScenarioError``."""
    file = Path(path)
    text = read_text(file)
    document, origins = _merged(file, _parse(str(path), text), text)
    return build_case(str(path), document, rulesets, text, origins)


def read_document(path: Path | str) -> Document:
    """The tables of one file as they stand, without what it refers to; raises ``ScenarioError``."""
    return _parse(str(path), read_text(Path(path)))


def find_file(name: str, beside: Path | None = None) -> Path:
    """A file by a name that a person typed: as it stands, beside another file, or among what is shipped."""
    candidates = [Path(name)]
    if beside is not None:
        candidates.append(beside.parent / name)
    for candidate in candidates:
        if _is_file(candidate):
            return candidate
    return data_path(name)


def _is_file(candidate: Path) -> bool:
    try:
        return candidate.is_file()
    except OSError:  # a name too long for the file system
        return False


def read_text(file: Path) -> str:
    """The text of a file a person wrote; raises ``ScenarioError`` when there is none."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ScenarioError(str(file), "file", f"expected at most {MOST_BYTES // 1_000_000} MB of text")
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ScenarioError(str(file), "file", "no such file") from None
    except IsADirectoryError:
        raise ScenarioError(str(file), "file", "expected a file, this is a folder") from None
    except UnicodeDecodeError as error:
        raise ScenarioError(str(file), f"byte {error.start}", "expected text in UTF-8") from None
    except OSError as error:
        raise ScenarioError(str(file), "file", error.strerror or "cannot be read") from None


def _parse(name: str, text: str) -> Document:
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).rpartition(" (at ")
        raise ScenarioError(name, where.rstrip(")") or "TOML", what or str(error)) from None
    except ValueError:
        raise ScenarioError(name, "TOML", "a number with too many digits") from None
    except RecursionError:
        raise ScenarioError(name, "TOML", "nested too deeply") from None
    try:
        return msgspec.convert(raw, Document, strict=True)
    except msgspec.ValidationError as error:
        raise located(name, text, str(error)) from None


def located(name: str, text: str, message: str) -> ScenarioError:
    """The error for a complaint of msgspec, with the line that it is about."""
    match = re.match(r"(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?$", message, re.DOTALL)
    what, path = (match["what"], match["path"] or "$") if match else (message, "$")
    if key := re.search(r"unknown field `([^`]*)`", what):
        line = line_of(text, f"{path}.{key[1]}")
        what = f"unknown key {key[1]!r}"
    else:
        line = line_of(text, path)
        what = what[0].lower() + what[1:]
    shown = path.removeprefix("$").removeprefix(".")
    where = f"line {line}" if line else shown or "top level"
    if shown and line:
        where = f"line {line} ({shown})"
    return ScenarioError(name, where, what)


def _merged(file: Path, document: Document, text: str) -> tuple[Document, Origins]:
    """The document with its map and rosters drawn in, and for every table the file that it stands in.

    The tables of the document itself come after those of its map and rosters.
    """
    origins: Origins = {name: [] for name in ("terrain", "objective", "zone", "unit")}
    parts: list[tuple[str, str, Document]] = []
    if document.map:
        name, base_text, base = _referred(file, document.map, text, "map")
        if document.table is None and base.table is not None:
            document = replace(document, table=base.table)
            origins["table"] = [(name, base_text, 0)]
        parts.append((name, base_text, Document(terrain=base.terrain, objective=base.objective, zone=base.zone)))
    rosters = [document.roster] if isinstance(document.roster, str) else document.roster
    for roster in filter(None, rosters):
        name, army_text, army = _referred(file, roster, text, "roster")
        parts.append((name, army_text, Document(unit=army.unit)))
    parts.append((str(file), text, document))
    merged: dict[str, list[Any]] = {name: [] for name in origins if name != "table"}
    for name, own_text, part in parts:
        for key, found in merged.items():
            tables = getattr(part, key)
            origins[key].extend((name, own_text, k) for k in range(len(tables)))
            found.extend(tables)
    return replace(document, **merged), origins


def _referred(file: Path, name: str, text: str, key: str) -> tuple[str, str, Document]:
    where = f"line {line_of(text, f'$.{key}')}"
    try:
        found = find_file(name, beside=file)
    except OSError:
        raise ScenarioError(str(file), where, f"no {key} file called {name!r}") from None
    own = read_text(found)
    return str(found), own, _parse(str(found), own)
