"""Does a journal hold exactly what was shown, and play go on, whenever the disk refuses?"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.chance import ScriptedDice
from sim.engine import Game
from sim.record import Journal, read_record
from sim.record.log import SNAPSHOT_EVERY
from tests.record.table import comings_and_goings
from tests.toy import RULESET, skirmish

PAGE = 4096  # bytes in which a small file system is filled


class _Small:
    """A file on a disk with room for so many bytes more: takes what fits, then refuses."""

    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def write(self, text: memoryview) -> int:
        size = os.fstat(self.file.fileno()).st_size
        fits = min(len(text), self.room - size)
        if fits <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return int(self.file.write(text[:fits]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def play_on(game: Game, count: int, start: int) -> int:
    """Play commands until the disk refuses or so many were played; how many were."""
    commands = list(comings_and_goings_from(start, count))
    for done, command in enumerate(commands):
        try:
            game.play(command, ScriptedDice(()))
        except OSError:
            return done
    return count


def comings_and_goings_from(start: int, count: int) -> Iterator[Any]:
    for number, command in zip(range(start + count), comings_and_goings(), strict=False):
        if number >= start:
            yield command


def shown_is_written(path: Path, game: Game) -> None:
    """What the game shows is what a reader finds, to the last digest."""
    record = read_record(path)
    assert not record.torn
    assert [entry.digest for entry in record.entries] == [entry.digest for entry in game.entries]
    assert record.battle_at(len(record.entries)) == game.battle


def test_at_every_fill_level_the_journal_holds_what_was_shown(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    with Journal.create(whole, RULESET.id, RULESET.version, skirmish()) as journal:
        play_on(Game(RULESET, skirmish(), journal.append), 3, 0)
    sizes = [len(line) + 1 for line in whole.read_bytes().split(b"\n")[:-1]]
    for room in range(sizes[0], sum(sizes) + 1, 29):
        path = tmp_path / f"{room}.jsonl"
        with Journal.create(path, RULESET.id, RULESET.version, skirmish()) as journal:
            file = journal._file
            journal._file = _Small(file, room)  # type: ignore[assignment]
            game = Game(RULESET, skirmish(), journal.append)
            done = play_on(game, 3, 0)
            assert done == sum(sum(sizes[: k + 2]) <= room for k in range(3))
            shown_is_written(path, game)
            journal._file = file  # room was made
            play_on(game, 2, done)
            shown_is_written(path, game)
        shown_is_written(path, game)


def test_a_refused_snapshot_refuses_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    with Journal.create(path, RULESET.id, RULESET.version, skirmish()) as journal:
        game = Game(RULESET, skirmish(), journal.append)
        play_on(game, SNAPSHOT_EVERY - 1, 0)
        file, size = journal._file, path.stat().st_size
        journal._file = _Small(file, size + 700)  # type: ignore[assignment]  # for the entry, and some of the snapshot
        assert play_on(game, 1, SNAPSHOT_EVERY - 1) == 1
        shown_is_written(path, game)
        assert SNAPSHOT_EVERY not in read_record(path).snapshots
        journal._file = file
        play_on(game, 3, SNAPSHOT_EVERY)
    shown_is_written(path, game)


def test_what_cannot_be_taken_back_at_once_is_taken_back_before_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.jsonl"
    with Journal.create(path, RULESET.id, RULESET.version, skirmish()) as journal:
        game = Game(RULESET, skirmish(), journal.append)
        play_on(game, 1, 0)
        file = journal._file
        journal._file = _Small(file, path.stat().st_size + 40)  # type: ignore[assignment]
        with monkeypatch.context() as patched:
            patched.setattr("os.ftruncate", lambda *_: (_ for _ in ()).throw(OSError(errno.EIO, "no")))
            assert play_on(game, 1, 1) == 0
        assert read_record(path).torn
        journal._file = file
        assert play_on(game, 2, 1) == 2
    shown_is_written(path, game)


def test_a_journal_that_cannot_begin_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        Journal.create(tmp_path / "b.jsonl", RULESET.id, RULESET.version, skirmish())
    assert not list(tmp_path.iterdir())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of sixteen pages."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={16 * PAGE}", "tmpfs", str(disk)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small file system, and not everywhere")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=False)


def test_a_small_file_system_filled_to_every_page(small_disk: Path) -> None:
    for pages in range(1, 14, 3):
        path, filler = small_disk / "b.jsonl", small_disk / "filler"
        with Journal.create(path, RULESET.id, RULESET.version, skirmish()) as journal:
            filler.write_bytes(b"x" * (pages * PAGE))
            game = Game(RULESET, skirmish(), journal.append)
            done = play_on(game, 400, 0)
            assert done < 400
            shown_is_written(path, game)
            filler.unlink()
            assert play_on(game, 1, done) == 1
            shown_is_written(path, game)
        shown_is_written(path, game)
        path.unlink()
