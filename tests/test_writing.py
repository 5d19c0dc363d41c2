"""Is a file written whole or not at all, and does what was there before stay what it was until then?"""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from sim.writing import written


def test_a_file_is_there_when_the_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    with written(target) as beside:
        beside.write_text("new")
        assert not target.exists()
        assert beside.suffix == ".txt"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_what_goes_wrong_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail_halfway() -> None:
        with written(target) as beside:
            beside.write_text("ne")
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_files_of_the_person_beside_it_are_left_alone(tmp_path: Path) -> None:
    mine = [tmp_path / name for name in ("a.txt.part", ".a.txt", f".a.{os.getpid()}-0.txt")]
    for path in mine:
        path.write_text("mine")
    with written(tmp_path / "a.txt") as beside:
        beside.write_text("new")
    assert [path.read_text() for path in mine] == ["mine"] * 3


def test_rights_are_kept_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    plain = tmp_path / "plain.txt"
    plain.write_text("")
    with written(target) as beside:
        beside.write_text("1")
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    target.chmod(0o640)
    with written(target) as beside:
        beside.write_text("2")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with written(link) as beside:
        beside.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    with written(pipe) as beside:
        beside.write_bytes(b"through the pipe")
    reader.join(10)
    assert heard == [b"through the pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device() -> None:
    with written("/dev/null") as beside:
        beside.write_text("gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("name", ["no/such/folder.txt", "."])
def test_a_refusal_names_the_file_that_was_asked_for(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    with pytest.raises((FileNotFoundError, IsADirectoryError)) as refused, written(target):
        raise AssertionError("nothing can be written there")
    assert refused.value.filename == str(target)
