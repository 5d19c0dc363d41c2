"""Every file box of a real window, its OK pressed with the mouse: the file is there, or the battle is another."""

from __future__ import annotations

import time
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


LIST = """Xenos - Orks - Goods yard - [215 pts]

## Infantry [85 pts]
Boyz [85 pts]:
• 1x Boss Nob: Slugga, Big choppa
• 9x Boy: Slugga, Choppa

## Vehicle [130 pts]
Deff Dread [130 pts]: 2x Big shoota, 2x Dread klaw
"""


def open_by_typing(somebody: Person, words: str, enter: bool = False) -> None:
    """Type a name into the Open box, and take it with OK or Enter."""
    somebody.tool("open")
    somebody.until(lambda s: s["boxes"]["cancel"] is not None)
    somebody.write(words)
    time.sleep(0.2)
    if enter:
        somebody.key("Return")
    else:
        somebody.box("ok")


@pytest.mark.parametrize("enter", [False, True], ids=["ok", "enter"])
@pytest.mark.parametrize("where", ["bare", "behind"])
def test_a_typed_name_opens(person: tuple[Person, Path], tmp_path: Path, enter: bool, where: str) -> None:
    somebody, _ = person
    record = tmp_path / "b.jsonl"
    record.write_bytes(data_path("assets/records/demo.jsonl").read_bytes())
    open_by_typing(somebody, "b.jsonl" if where == "bare" else str(record), enter)
    somebody.until(lambda s: s["entries"] == 12 and s["boxes"]["ok"] is None)


def test_a_journal_and_a_storyboard_open(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    (tmp_path / "mine.journal").write_bytes(data_path("assets/records/demo.jsonl").read_bytes())
    open_by_typing(somebody, "mine.journal")
    somebody.until(lambda s: s["entries"] == 12 and s["boxes"]["ok"] is None)
    (tmp_path / "demo.toml").write_bytes(data_path("assets/scenarios/demo.toml").read_bytes())
    (tmp_path / "film.toml").write_bytes(data_path("assets/scenarios/demo-storyboard.toml").read_bytes())
    open_by_typing(somebody, "film.toml")
    somebody.until(lambda s: s["replay"] and s["seconds"] > 0.1 and "shot 1 of" in s["text"] and s["entries"] == 0)


def test_army_lists_open_as_a_battle(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    (tmp_path / "orks.txt").write_text(LIST + "What is this?\n")
    (tmp_path / "others.txt").write_text(LIST.replace("Goods yard", "Others"))
    open_by_typing(somebody, "orks.txt")
    seen = somebody.until(lambda s: s["units"] == 2 and s["boxes"]["ok"] is None)
    assert seen["clock"] == [1, "red", "deployment", "deploy-armies"]
    assert "2 units, 11 models, 215 points" in seen["note"]
    assert "Lines not read: 1" in seen["note"]
    assert "no opponent yet" in seen["note"]
    open_by_typing(somebody, "others.txt")
    seen = somebody.until(lambda s: s["units"] == 4 and s["boxes"]["ok"] is None)
    assert "no opponent yet" not in seen["note"]
    assert "against" in seen["title"]
    assert [row[1] for row in seen["list"]]


BAD = {
    "map.toml": data_path("maps/abbey-wood-60x44.toml").read_bytes(),
    "roster.toml": data_path("assets/armies/wh40k10-orks-500.toml").read_bytes(),
    "words.txt": b"Dear <b>Anna</b>, how are you? x < y\n",
    "noise.toml": bytes(range(256)),
    "torn.jsonl": b'{"format": 1, "kind": "hea',
    "empty.txt": b"",
    "board.toml": b"scenario = 'assets/scenarios/demo.toml'\n[[shot]]\ncommand = 'fly'\nunit = 'x'\n",
}


@pytest.mark.parametrize("name", [*BAD, "absent.toml", "absent/also.txt"])
def test_what_cannot_be_opened_is_refused_in_one_line(person: tuple[Person, Path], tmp_path: Path, name: str) -> None:
    somebody, journal = person
    play_one(somebody)
    before = journal.read_bytes()
    if name in BAD:
        (tmp_path / name).write_bytes(BAD[name])
    open_by_typing(somebody, name)
    seen = somebody.until(lambda s: s["message"] and s["boxes"]["ok"] is not None)
    assert "\n" not in seen["message"]
    assert name in seen["message"]
    somebody.box("ok")
    seen = somebody.until(lambda s: s["boxes"]["ok"] is None)
    assert seen["entries"] == 1, "the battle goes on"
    assert journal.read_bytes() == before
    somebody.press(*seen["buttons"]["undo"])
    somebody.until(lambda s: s["entries"] == 0)


def test_a_folder_that_is_typed_is_shown(person: tuple[Person, Path], tmp_path: Path) -> None:
    somebody, _ = person
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "orks.txt").write_text(LIST)
    somebody.tool("open")
    somebody.until(lambda s: s["boxes"]["cancel"] is not None)
    somebody.write("lists")
    somebody.key("Return")
    time.sleep(0.3)
    assert somebody.look()["boxes"]["ok"] is not None, "the box stays"
    somebody.write("orks.txt")
    somebody.box("ok")
    somebody.until(lambda s: s["units"] == 2 and s["boxes"]["ok"] is None)


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
