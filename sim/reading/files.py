"""The bytes and the text of a file that a person names."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sim.reading.faults import FileError

MOST_TEXT = 2_000_000  # bytes of a text that people write; more than this is a mistake
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def read_bytes(path: Path | str, most: int, error: type[FileError] = FileError) -> bytes:
    """All bytes of a plain file that has at most so many; raises the error."""
    name = str(path)
    try:
        with os.fdopen(_opened(name, error), "rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise error(name, "file", "no such file") from None
    except OSError as refused:
        raise error(name, "file", (refused.strerror or "cannot be read").lower()) from None
    except ValueError as refused:
        if isinstance(refused, FileError):
            raise
        raise error(name, "file", "no such file") from None  # a name that no file can have
    if len(data) > most:
        raise error(name, "file", _too_large(most))
    return data


def read_text(path: Path | str, most: int = MOST_TEXT, error: type[FileError] = FileError) -> str:
    """The text of a file that a person wrote, in UTF-8; raises the error."""
    data = read_bytes(path, most, error)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise error(str(path), f"byte {wrong.start}", "expected text in UTF-8") from None


def _opened(name: str, error: type[FileError]) -> int:
    """A handle of a plain file. Nothing else is opened: a device may do something, and a pipe may wait for ever."""
    _plain(name, os.stat(name), error)  # noqa: PTH116 - a name with a NUL has to be refused as well
    handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        _plain(name, os.fstat(handle), error)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _plain(name: str, found: os.stat_result, error: type[FileError]) -> None:
    kind = stat.S_IFMT(found.st_mode)
    if kind != stat.S_IFREG:
        raise error(name, "file", f"expected a file, this is {_KINDS.get(kind, 'a device')}")


def _too_large(most: int) -> str:
    return f"expected at most {most // 1_000_000} MB" if most >= 1_000_000 else f"expected at most {most:,} bytes"
