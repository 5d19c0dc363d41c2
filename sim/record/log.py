"""A battle record as JSON lines: a header, entries, snapshots for seeking, and rewinds where somebody stepped back.

Playing a record back needs its events only. A torn last line, as a crash leaves it, is dropped and reported; anything
else that cannot be read is an error with its line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Raw, Struct, field

from sim.battle import Battle, BattleError, CodecError, Event, decode, digest, encode, evolve_all
from sim.battle.codec import decode_hook
from sim.engine import Game
from sim.writing import written

FORMAT = 1
SNAPSHOT_EVERY = 50  # entries between snapshots
MOST_BYTES = 500_000_000


class RecordError(ValueError):
    """A file that is no record: which file, which line, what was expected."""

    def __init__(self, file: str, where: str, what: str) -> None:
        super().__init__(f"{file}: {where}: {what}")
        self.file, self.where, self.what = file, where, what


class Line(Struct, frozen=True, tag_field="line", omit_defaults=True):
    """The common form of all lines of a record."""


class Header(Line, frozen=True, tag="header"):
    """The first line: the format, the ruleset and its version, the scenario, the start and its digest."""

    format: int
    ruleset: str
    version: str
    scenario: str
    start: Battle
    digest: str


class LoggedEntry(Line, frozen=True, tag="entry"):
    """One thing that was done, with the command still as text: playing it back does not need it."""

    number: int
    command: Raw
    faces: tuple[tuple[int | float, ...], ...] = ()
    choices: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    digest: str = ""


class Snapshot(Line, frozen=True, tag="snapshot"):
    """The battle after an entry, so that seeking need not start at the beginning."""

    number: int
    battle: Battle


class Rewind(Line, frozen=True, tag="rewind"):
    """Entries after this number were undone."""

    to: int


AnyLine = Header | LoggedEntry | Snapshot | Rewind
_MIGRATIONS: dict[int, Callable[[list[bytes]], list[bytes]]] = {}


class Record(Struct, frozen=True, dict=True):
    """A whole record: its header, the entries that were not undone, and snapshots by entry number."""

    header: Header
    entries: tuple[LoggedEntry, ...]
    snapshots: dict[int, Battle] = field(default_factory=dict)
    torn: bool = False
    whole: int = 0  # bytes of the file up to the end of its last complete line

    def battle_at(self, number: int) -> Battle:
        """The battle after an entry (0: the start), by events from the nearest snapshot; raises ``IndexError``."""
        if not 0 <= number <= len(self.entries):
            raise IndexError(f"expected an entry from 0 to {len(self.entries)}, got {number}")
        known = sorted({0, *self.snapshots})
        nearest = known[bisect_right(known, number) - 1]
        battle = self.snapshots.get(nearest, self.header.start) if nearest else self.header.start
        for entry in self.entries[nearest:number]:
            try:
                battle = evolve_all(battle, entry.events)
            except BattleError as error:
                raise RecordError(self.header.scenario, f"entry {entry.number}", str(error)) from None
        return battle


def read_record(path: Path | str) -> Record:
    """The record in a file; raises ``RecordError`` with the line of what is wrong."""
    name = str(path)
    try:
        if Path(name).stat().st_size > MOST_BYTES:
            raise RecordError(name, "size", f"expected at most {MOST_BYTES // 1_000_000} MB")
        raw = Path(name).read_bytes()
    except FileNotFoundError:
        raise RecordError(name, "file", "no such file") from None
    except OSError as error:
        raise RecordError(name, "file", error.strerror or "cannot be read") from None
    return parse_record(name, raw)


def parse_record(name: str, raw: bytes) -> Record:
    """The record in a text of JSON lines; the name is for messages."""
    lines = raw.split(b"\n")
    torn = bool(lines.pop())  # what follows the last line break was not finished
    if not lines:
        raise RecordError(name, "line 1", "expected a complete header")
    header = _header(name, lines[0])
    decoder = msgspec.json.Decoder(AnyLine, dec_hook=decode_hook)
    entries: list[LoggedEntry] = []
    snapshots: dict[int, Battle] = {}
    whole = len(lines[0]) + 1
    for number, line in enumerate(lines[1:], 2):
        try:
            value = decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            if number == len(lines):
                torn = True
                break
            raise RecordError(name, f"line {number}", f"no line of a record: {error}") from None
        _take(name, number, value, entries, snapshots)
        whole += len(line) + 1
    return Record(header, tuple(entries), snapshots, torn, whole)


def write_record(path: Path | str, record: Record) -> None:
    """Write a record in one step, so that no half of it is ever seen; raises ``OSError`` when the disk refuses."""
    with written(path) as beside, beside.open("wb") as file:
        file.write(encode(record.header) + b"\n")
        for entry in record.entries:
            file.write(encode(entry) + b"\n")
            if entry.number % SNAPSHOT_EVERY == 0:
                file.write(encode(Snapshot(entry.number, record.battle_at(entry.number))) + b"\n")


def header_of(ruleset: str, version: str, start: Battle) -> Header:
    """The header of a record that begins with a battle."""
    return Header(FORMAT, ruleset, version, start.title, start, digest(start))


def record_of(game: Game) -> Record:
    """Everything that has been done in a game and not undone, with snapshots for seeking."""
    entries, snapshots = [], {}
    for entry, after in game.history:
        raw = Raw(encode(entry.command))
        entries.append(LoggedEntry(entry.number, raw, entry.faces, entry.choices, entry.events, entry.digest))
        if entry.number % SNAPSHOT_EVERY == 0:
            snapshots[entry.number] = after
    return Record(header_of(game.ruleset.id, game.ruleset.version, game.start), tuple(entries), snapshots)


class _Probe(Struct):
    line: str = ""
    format: int | None = None


def _header(name: str, line: bytes) -> Header:
    try:
        probe = msgspec.json.decode(line, type=_Probe)
    except (msgspec.DecodeError, RecursionError):
        raise RecordError(name, "line 1", "expected the header of a battle record") from None
    if probe.line != "header" or probe.format is None:
        raise RecordError(name, "line 1", "expected the header of a battle record")
    if probe.format > FORMAT:
        what = f"format {probe.format} is newer than this program knows ({FORMAT}); use a newer inchwise"
        raise RecordError(name, "line 1", what)
    if probe.format < FORMAT and probe.format not in _MIGRATIONS:
        raise RecordError(name, "line 1", f"no way to read format {probe.format}")
    try:
        return decode(line, Header)
    except CodecError as error:
        raise RecordError(name, "line 1", str(error)) from None


def _take(name: str, number: int, value: AnyLine, entries: list[LoggedEntry], snapshots: dict[int, Battle]) -> None:
    match value:
        case LoggedEntry():
            if value.number != len(entries) + 1:
                what = f"expected entry {len(entries) + 1}, got {value.number}"
                raise RecordError(name, f"line {number}", what)
            entries.append(value)
        case Snapshot():
            if value.number == len(entries):
                snapshots[value.number] = value.battle
        case Rewind(to):
            if not 0 <= to <= len(entries):
                raise RecordError(name, f"line {number}", f"cannot step back to entry {to} of {len(entries)}")
            del entries[to:]
            for key in [k for k in snapshots if k > to]:
                del snapshots[key]
        case Header():
            raise RecordError(name, f"line {number}", "a second header")
