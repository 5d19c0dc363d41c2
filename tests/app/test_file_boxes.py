"""Every file box of a real window, its OK pressed with the mouse: the file is there, or the battle is another."""

from __future__ import annotations

from pathlib import Path

import av
import pygame
import pytest

from app.person import Person
from sim.record import read_record
from sim.resources import data_path

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]
LEGAL = (36.0, 32.0)  # inches on the demo table


def play_one(somebody: Person) -> None:
    """Set the storm team down where it may stand."""
    somebody.press(*somebody.look()["buttons"]["storm-team"])
    somebody.until(lambda s: s["held"])
    somebody.press(*somebody.at(LEGAL))
    somebody.until(lambda s: s["entries"] == 1)


def test_ok_saves_the_battle_and_replaces_it_after_a_question(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    somebody.tool("save")
    somebody.box("ok")
    somebody.until(lambda s: "Saved: battle.jsonl" in s["note"])
    assert read_record(tmp_path / "battle.jsonl").entries == ()
    play_one(somebody)
    somebody.tool("save")
    somebody.box("cancel")
    somebody.until(lambda s: s["boxes"]["ok"] is None)
    assert read_record(tmp_path / "battle.jsonl").entries == (), "Cancel writes nothing"
    somebody.tool("save")
    somebody.box("ok")
    somebody.box("ok")  # Replace
    somebody.until(lambda s: "Saved: battle.jsonl" in s["note"] and s["boxes"]["ok"] is None)
    assert len(read_record(tmp_path / "battle.jsonl").entries) == 1


def test_ok_opens_what_was_typed(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    record = tmp_path / "b.jsonl"
    record.write_bytes(data_path("assets/records/demo.jsonl").read_bytes())
    somebody.tool("open")
    somebody.until(lambda s: s["boxes"]["cancel"] is not None)
    somebody.key("End")
    somebody.write("/b.jsonl")
    somebody.box("ok")
    somebody.until(lambda s: s["entries"] == 12 and s["boxes"]["ok"] is None)


def test_ok_saves_a_picture_without_widgets(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    somebody.tool("picture")
    somebody.box("ok")
    somebody.until(lambda s: "Picture saved" in s["note"] and s["boxes"]["ok"] is None)
    first = pygame.image.load(tmp_path / "table.png")
    assert first.get_size() == (1920, 1080)
    somebody.tool("save")  # a box over the table
    somebody.until(lambda s: s["boxes"]["ok"] is not None)
    somebody.box("cancel")
    somebody.key("F12")
    somebody.until(lambda s: "pictures" in s["note"])
    (saved,) = (tmp_path / "pictures" / "inchwise").iterdir()
    assert pygame.image.load(saved).get_size() == (1920, 1080)


def test_ok_films_the_battle_and_the_count_is_what_the_file_holds(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    play_one(somebody)
    somebody.tool("clip")
    somebody.box("ok")
    somebody.until(lambda s: s["note"].startswith("Clip written"))
    with av.open(str(tmp_path / "battle.mp4")) as clip:
        stream = clip.streams.video[0]
        frames = sum(1 for _ in clip.decode(video=0))
    assert frames == stream.frames
    assert stream.average_rate == 30
