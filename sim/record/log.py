"""A battle record as JSON lines: a header, entries, snapshots for seeking, and rewinds where somebody stepped back.

Playing a record back needs its events only. A torn last line, as a crash leaves it, is dropped and reported; anything
else that cannot be read is an error with its line.
"""

from __future__ import annotations

import gc
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Raw, Struct, field

from sim.battle import (
    Battle,
    BattleError,
    CodecError,
    Event,
    UnitParted,
    decode,
    digest,
    encode,
    evolve_all,
    limits,
)
from sim.battle.codec import decode_hook
from sim.engine import Game
from sim.reading import Fault, FileError, key_of, read_bytes
from sim.writing import written

FORMAT = 1
SNAPSHOT_EVERY = 50  # entries between snapshots
MOST_BYTES = 100_000_000


class RecordError(FileError):
    """A file that is no record: which file, which line, what was expected."""


class Line(Struct, frozen=True, tag_field="line", omit_defaults=True):
    """The common form of all lines of a record."""


class Header(Line, frozen=True, tag="header"):
    """The first line: the format, the ruleset and its version, the scenario, the start and its digest.

    ``assumed`` are the units of whose bases the size is not known for certain.
    """

    format: int
    ruleset: str
    version: str
    scenario: str
    start: Battle
    digest: str
    assumed: tuple[str, ...] = ()


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


class Asked(Line, frozen=True, tag="asked"):
    """A command that has stopped for an answer, with the dice and the answers so far: they have been seen.

    It holds until the next entry or rewind; nothing of it has happened. ``re_rolls`` is whether its player is asked
    about each roll that could be bought anew.
    """

    command: Raw
    faces: tuple[tuple[int | float, ...], ...] = ()
    choices: tuple[str, ...] = ()
    re_rolls: bool = False


AnyLine = Header | LoggedEntry | Snapshot | Rewind | Asked
_MIGRATIONS: dict[int, Callable[[list[bytes]], list[bytes]]] = {}


class Record(Struct, frozen=True, dict=True):
    """A whole record: its header, the entries that were not undone, and snapshots by entry number.

    ``asked`` is what was open when it was written: a command that waits for an answer.
    """

    header: Header
    entries: tuple[LoggedEntry, ...]
    snapshots: dict[int, Battle] = field(default_factory=dict)
    torn: bool = False
    whole: int = 0  # bytes of the file up to the end of its last complete line
    asked: Asked | None = None

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
    return parse_record(str(path), read_bytes(path, MOST_BYTES, RecordError))


def parse_record(name: str, raw: bytes) -> Record:
    """The record in a text of JSON lines; the name is for messages."""
    whole = raw.find(b"\n") + 1
    if not whole:
        raise RecordError(name, "line 1", "expected a complete header")
    header = _header(name, raw[: whole - 1])
    taken = _Taken(name, header.start)
    with _no_collecting():
        number = 1
        while end := raw.find(b"\n", whole) + 1:
            number += 1
            try:
                value = _decoded(raw[whole : end - 1])
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                if end == len(raw):
                    break  # the last line was not finished
                raise RecordError(name, f"line {number}", f"no line of a record: {error}") from None
            taken.take(number, value)
            whole = end
    return Record(header, tuple(taken.entries), taken.snapshots, whole < len(raw), whole, taken.asked)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Nothing that is read here refers to itself; looking for that takes a quarter of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


_DECODER = msgspec.json.Decoder(AnyLine, dec_hook=decode_hook)
_ENDLESS = re.compile(rb"[:,\[]\s*-?[0-9]{30,}")


def _decoded(line: bytes) -> AnyLine:
    if _ENDLESS.search(line):
        raise ValueError("a number with too many digits")
    value: AnyLine = _DECODER.decode(line)
    return value


def write_record(path: Path | str, record: Record) -> None:
    """Write a record in one step, so that no half of it is ever seen; raises ``OSError`` when the disk refuses."""
    with written(path) as beside:
        beside.write_bytes(record_bytes(record))


def record_bytes(record: Record) -> bytes:
    """A record as its file has it, with a snapshot after every so many entries."""
    lines = [encode(record.header)]
    for entry in record.entries:
        lines.append(encode(entry))
        if entry.number % SNAPSHOT_EVERY == 0:
            lines.append(encode(Snapshot(entry.number, record.battle_at(entry.number))))
    if record.asked is not None:
        lines.append(encode(record.asked))
    return b"\n".join(lines) + b"\n"


def header_of(ruleset: str, version: str, start: Battle, assumed: Iterable[str] = ()) -> Header:
    """The header of a record that begins with a battle."""
    return Header(FORMAT, ruleset, version, start.title, start, digest(start), tuple(sorted(assumed)))


def record_of(game: Game, assumed: Iterable[str] = ()) -> Record:
    """Everything that has been done in a game and not undone, with snapshots for seeking."""
    entries, snapshots = [], {}
    for entry, after in game.history:
        raw = Raw(encode(entry.command))
        entries.append(LoggedEntry(entry.number, raw, entry.faces, entry.choices, entry.events, entry.digest))
        if entry.number % SNAPSHOT_EVERY == 0:
            snapshots[entry.number] = after
    return Record(header_of(game.ruleset.id, game.ruleset.version, game.start, assumed), tuple(entries), snapshots)


class _Probe(Struct):
    line: str = ""
    format: int | None = None


def _header(name: str, line: bytes) -> Header:
    try:
        probe = msgspec.json.decode(line, type=_Probe)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise RecordError(name, "line 1", "expected the header of a battle record") from None
    if probe.line != "header" or probe.format is None:
        raise RecordError(name, "line 1", "expected the header of a battle record")
    if probe.format > FORMAT:
        what = f"format {probe.format} is newer than this program knows ({FORMAT}); use a newer inchwise"
        raise RecordError(name, "line 1", what)
    if probe.format < FORMAT and probe.format not in _MIGRATIONS:
        raise RecordError(name, "line 1", f"no way to read format {probe.format}")
    if _ENDLESS.search(line):
        raise RecordError(name, "line 1", "a number with too many digits")
    try:
        header = decode(line, Header)
    except CodecError as error:
        raise RecordError(name, "line 1", str(error)) from None
    _held_to_limits(name, 1, "start", limits.of_battle(header.start))
    return header


def _held_to_limits(name: str, line: int, what: str, faults: Iterable[limits.Fault]) -> None:
    """Raises ``RecordError`` where a battle is beyond what a scenario may hold."""
    told = [Fault(name, f"line {line} ({what}.{key_of(where)})", why, line) for where, why in faults]
    if told:
        raise RecordError.of(told)


class _Taken:
    """The lines of a record that have been read so far, with what was undone taken out."""

    def __init__(self, name: str, start: Battle) -> None:
        self.name, self.start = name, start
        self.entries: list[LoggedEntry] = []
        self.snapshots: dict[int, Battle] = {}
        self.asked: Asked | None = None

    def take(self, number: int, value: AnyLine) -> None:
        """Take the value of a line; raises ``RecordError`` where it does not follow."""
        where = f"line {number}"
        if not isinstance(value, Snapshot):
            self.asked = None
        match value:
            case Asked():
                self.asked = value
            case LoggedEntry():
                if value.number != len(self.entries) + 1:
                    raise RecordError(self.name, where, f"expected entry {len(self.entries) + 1}, got {value.number}")
                for event in value.events:
                    if isinstance(event, UnitParted):
                        faults = (fault for unit in event.into for fault in limits.of_unit(unit))
                        _held_to_limits(self.name, number, "into", faults)
                self.entries.append(value)
            case Snapshot():
                if value.number == len(self.entries):
                    self._held(number, value.battle)
                    self.snapshots[value.number] = value.battle
            case Rewind(to):
                if not 0 <= to <= len(self.entries):
                    what = f"cannot step back to entry {to} of {len(self.entries)}"
                    raise RecordError(self.name, where, what)
                del self.entries[to:]
                for key in [k for k in self.snapshots if k > to]:
                    del self.snapshots[key]
            case Header():
                raise RecordError(self.name, where, "a second header")

    def _held(self, number: int, battle: Battle) -> None:
        """A snapshot is held to the same limits as the start; its ground is that of the start, as a rule."""
        if battle.battlefield != self.start.battlefield:
            _held_to_limits(self.name, number, "battle", limits.of_battlefield(battle.battlefield))
        for unit in battle.units:
            _held_to_limits(self.name, number, f"battle.{unit.id}", limits.of_unit(unit))
