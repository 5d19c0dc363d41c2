"""A record while it is being written: every entry is on the disk before anybody sees it."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from msgspec import Raw

from sim.battle import Battle, encode
from sim.engine import Entry
from sim.record.log import (
    SNAPSHOT_EVERY,
    Header,
    Line,
    LoggedEntry,
    Record,
    Rewind,
    Snapshot,
    header_of,
    read_record,
)


class Journal:
    """Appends entries to a file, each flushed to the disk; a context manager that closes the file."""

    def __init__(self, path: Path, fresh: Header | None) -> None:
        self.path = path
        self._file = path.open("ab")
        if fresh is not None:
            self._write(fresh)

    @classmethod
    def create(cls, path: Path | str, ruleset: str, version: str, start: Battle) -> Journal:
        """A new journal; a file that is already there is kept beside it with a number."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            target.replace(_free_name(target))
        return cls(target, header_of(ruleset, version, start))

    @classmethod
    def resume(cls, path: Path | str) -> tuple[Journal, Record]:
        """Go on with a journal: what was written, and the journal to write on; a torn last line is cut off."""
        target = Path(path)
        record = read_record(target)
        if record.torn:
            os.truncate(target, record.whole)
        return cls(target, None), record

    def append(self, entry: Entry, after: Battle | None = None) -> None:
        """Write one entry, and a snapshot after it when one is due and the battle is given."""
        command = Raw(encode(entry.command))
        self._write(LoggedEntry(entry.number, command, entry.faces, entry.choices, entry.events, entry.digest))
        if after is not None and entry.number % SNAPSHOT_EVERY == 0:
            self._write(Snapshot(entry.number, after))

    def rewind(self, to: int) -> None:
        """Write that the entries after a number were undone."""
        self._write(Rewind(to))

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, line: Line) -> None:
        self._file.write(encode(line) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _free_name(path: Path) -> Path:
    number = 1
    while True:
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not candidate.exists():
            return candidate
        number += 1
