"""Writing a file so that no reader ever sees half of it, and nothing is lost that was there before.

What is written lies beside its place, under a name that nobody else uses, and is moved there at the end. A link is
followed, a file that is replaced keeps its rights, and what is no plain file (a device, a pipe) is written into.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

OPEN_TO = 0o666  # the rights of a new file, less those that the person's system takes away


@contextmanager
def written(path: Path | str) -> Iterator[Path]:
    """A file to write into, which takes the place of ``path`` when the block ends well and is gone when it does not.

    Raises
    ------
    OSError
        When the disk refuses; it names ``path``, and what was there before still is.
    """
    named = Path(path)
    target = Path(os.path.realpath(named))
    try:
        if target.exists() and not target.is_file():
            with _into(target) as beside:
                yield beside
        else:
            with _beside(target) as beside:
                yield beside
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror or str(error), str(named)) from error


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A new file in the same folder that becomes the target."""
    part = _new(target)
    try:
        yield part
        _on_disk(part)
        if target.exists():
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _new(target: Path) -> Path:
    """An empty file in the target's folder under a name that nobody has."""
    for number in count():
        part = target.with_name(f".{target.stem[:80]}.{os.getpid()}-{number}{target.suffix}")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OPEN_TO))
        except FileExistsError:
            continue
        return part
    raise AssertionError("there is always another number")


@contextmanager
def _into(target: Path) -> Iterator[Path]:
    """A file of its own whose bytes go into a device or a pipe at the end; raises ``OSError`` for a folder."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(target))
    with tempfile.TemporaryDirectory(prefix="inchwise-") as folder:
        part = Path(folder) / f"part{target.suffix}"
        part.touch()
        yield part
        with part.open("rb") as source, target.open("wb", buffering=0) as device:
            shutil.copyfileobj(source, device)


def _on_disk(part: Path) -> None:
    """Wait until the bytes lie on the disk; raises ``OSError`` when it is full."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
