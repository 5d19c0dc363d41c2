"""A record while it is being written: every entry is on the disk before anybody sees it."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from types import TracebackType

from msgspec import Raw

from sim.battle import Battle, encode
from sim.engine import Entry
from sim.record.log import (
    SNAPSHOT_EVERY,
    Asked,
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

    def __init__(self, path: Path, file: FileIO, fresh: Header | None) -> None:
        self.path = path
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        if fresh is not None:
            self._write(fresh)

    @classmethod
    def create(
        cls, path: Path | str, ruleset: str, version: str, start: Battle, assumed: Iterable[str] = ()
    ) -> Journal:
        """A new journal; where a file is there already, or comes to be there just now, by the next free name."""
        wanted = Path(path)
        wanted.parent.mkdir(parents=True, exist_ok=True)
        for number in itertools.count():
            target = wanted if number == 0 else wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
            try:
                file = target.open("xb", buffering=0)
            except FileExistsError:
                continue
            try:
                return cls(target, file, header_of(ruleset, version, start, assumed))
            except OSError:
                file.close()
                target.unlink()
                raise
        raise AssertionError("counting has no end")

    @classmethod
    def resume(cls, path: Path | str) -> tuple[Journal, Record]:
        """Go on with a journal: what was written, and the journal to write on; a torn last line is cut off."""
        target = Path(path)
        record = read_record(target)
        if record.torn:
            os.truncate(target, record.whole)
        return cls(target, target.open("ab", buffering=0), None), record

    def append(self, entry: Entry, after: Battle | None = None) -> None:
        """Write one entry, and a snapshot after it when one is due and the battle is given.

        Raises
        ------
        OSError
            When the disk refuses the entry; the journal is as before. A snapshot only makes seeking faster: a disk that
            refuses it has what happened.
        """
        command = Raw(encode(entry.command))
        self._write(LoggedEntry(entry.number, command, entry.faces, entry.choices, entry.events, entry.digest))
        if after is not None and entry.number % SNAPSHOT_EVERY == 0:
            with contextlib.suppress(OSError):
                self._write(Snapshot(entry.number, after))

    def ask(self, asked: Asked) -> None:
        """Write what a command has rolled and been answered when it stops for the next answer.

        Raises ``OSError`` when the disk refuses it; the journal is as before.
        """
        self._write(asked)

    def rewind(self, to: int) -> None:
        """Write that the entries after a number were undone, and that nothing is asked any more."""
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
        if os.fstat(self._file.fileno()).st_size != self._size:
            self._take_back()  # what could not be taken back when it was refused
        try:
            self._pass_on(text)
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._take_back()
            raise
        self._size += len(text)

    def _pass_on(self, text: bytes) -> None:
        """Hand all of a line to the disk; nothing waits in the program, where it would be written later on."""
        rest = memoryview(text)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _take_back(self) -> None:
        """Cut off what was written of a line that the disk refused, so that the next one does not follow half of it."""
        os.ftruncate(self._file.fileno(), self._size)
        self._file.seek(self._size)
