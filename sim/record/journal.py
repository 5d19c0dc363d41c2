"""A record while it is being written: every entry is on the disk before anybody sees it."""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

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

    def __init__(self, path: Path, file: BinaryIO, fresh: Header | None) -> None:
        self.path = path
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        if fresh is not None:
            self._write(fresh)

    @classmethod
    def create(cls, path: Path | str, ruleset: str, version: str, start: Battle) -> Journal:
        """A new journal; where a file is there already, or comes to be there just now, by the next free name."""
        wanted = Path(path)
        wanted.parent.mkdir(parents=True, exist_ok=True)
        for number in itertools.count():
            target = wanted if number == 0 else wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
            try:
                file = target.open("xb")
            except FileExistsError:
                continue
            return cls(target, file, header_of(ruleset, version, start))
        raise AssertionError("counting has no end")

    @classmethod
    def resume(cls, path: Path | str) -> tuple[Journal, Record]:
        """Go on with a journal: what was written, and the journal to write on; a torn last line is cut off."""
        target = Path(path)
        record = read_record(target)
        if record.torn:
            os.truncate(target, record.whole)
        return cls(target, target.open("ab"), None), record

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
        text = encode(line) + b"\n"
        try:
            self._file.write(text)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError:
            self._take_back()
            raise
        self._size += len(text)

    def _take_back(self) -> None:
        """Cut off what was written of a line that the disk refused, so that the next one does not follow half of it."""
        os.truncate(self.path, self._size)
        with contextlib.suppress(OSError):
            self._file.close()
        self._file = self.path.open("ab")
