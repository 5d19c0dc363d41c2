"""A real window, real mouse events: a unit goes from an illegal spot to a legal one, and the panel says so."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.record import read_record
from sim.resources import data_path

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]

DRIVER = Path(__file__).with_name("driver.py")
ILLEGAL, LEGAL = (30.5, 26.5), (36.0, 32.0)  # inches on the demo table
SECONDS = 40.0


class Person:
    """Somebody at the window: looks at its state, moves the mouse, presses."""

    def __init__(self, process: subprocess.Popen[bytes], state: Path, mouse: Callable[..., None] | None) -> None:
        self.process, self.state, self.mouse = process, state, mouse

    def look(self) -> dict[str, Any]:
        return json.loads(self.state.read_text()) if self.state.exists() else {}

    def until(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        seen: dict[str, Any] = {}
        while time.monotonic() < end:
            assert self.process.poll() is None, "the window is gone"
            seen = self.look()
            if seen and what(seen):
                return seen
            time.sleep(0.03)
        raise AssertionError(f"never seen; last: {seen}")

    def at(self, inches: tuple[float, float]) -> tuple[int, int]:
        seen = self.look()
        x, y = seen["corner"]
        return (round(x + inches[0] * seen["scale"]), round(y - inches[1] * seen["scale"]))

    def _post(self, *words: object) -> None:
        with self.state.with_suffix(".events").open("a") as file:
            file.write(" ".join(map(str, words)) + "\n")

    def move(self, x: int, y: int) -> None:
        if self.mouse is not None:
            self.mouse("mousemove", x, y)
        else:
            self._post("move", x, y)

    def press(self, x: int, y: int) -> None:
        self.move(x, y)
        time.sleep(0.1)
        if self.mouse is not None:
            self.mouse("mousedown", 1)
            time.sleep(0.05)
            self.mouse("mouseup", 1)
        else:
            self._post("down", x, y)
            self._post("up", x, y)

    def key(self, name: str) -> None:
        if self.mouse is not None:
            self.mouse("key", name)
        else:
            self._post("key", name.lower())


@pytest.fixture
def person(
    screen: dict[str, str], real_mouse: Callable[..., None] | None, tmp_path: Path
) -> Iterator[tuple[Person, Path]]:
    journal = tmp_path / "journal.jsonl"
    state = tmp_path / "state.json"
    demo = data_path("assets/scenarios/demo.toml")
    words = [sys.executable, str(DRIVER), str(demo), str(state), str(journal)]
    log = (tmp_path / "window.log").open("wb")
    process = subprocess.Popen(words, env=screen, stdout=log, stderr=log)
    somebody = Person(process, state, real_mouse)
    try:
        somebody.until(lambda seen: "text" in seen)
        yield somebody, journal
    finally:
        process.kill()
        process.wait(timeout=20)
        log.close()


def test_a_unit_is_dragged_from_an_illegal_spot_to_a_legal_one(person: tuple[Person, Path]) -> None:
    somebody, journal = person
    seen = somebody.look()
    assert "Take a unit from the list" in seen["text"]
    somebody.press(*seen["buttons"]["storm-team"])
    somebody.until(lambda s: s["held"])

    somebody.move(*somebody.at(ILLEGAL))
    seen = somebody.until(lambda s: "short of more than 9" in s["text"])
    assert "Not here: " in seen["text"]
    assert "it must be more than 9" in seen["text"]

    somebody.press(*somebody.at(ILLEGAL))
    seen = somebody.until(lambda s: "Laid down" in s["text"])
    assert seen["entries"] == 0, "a refused drop changed something"

    somebody.press(*somebody.at((ILLEGAL[0], ILLEGAL[1] + 6.0)))
    somebody.until(lambda s: "Laid down" not in s["text"])
    somebody.move(*somebody.at(LEGAL))
    seen = somebody.until(lambda s: "Yes: Storm Team may stand here" in s["text"])
    assert "Not here" not in seen["text"]
    somebody.press(*somebody.at(LEGAL))
    somebody.until(lambda s: s["entries"] == 1 and not s["held"])

    record = read_record(journal)
    assert len(record.entries) == 1
    assert record.battle_at(1).unit("storm-team").on_table


def test_undo_and_redo_by_their_buttons_and_escape_puts_back(person: tuple[Person, Path]) -> None:
    somebody, _ = person
    somebody.press(*somebody.look()["buttons"]["storm-team"])
    somebody.until(lambda s: s["held"])
    somebody.key("Escape")
    somebody.until(lambda s: not s["held"])
    somebody.press(*somebody.look()["buttons"]["storm-team"])
    somebody.until(lambda s: s["held"])
    somebody.press(*somebody.at(LEGAL))
    seen = somebody.until(lambda s: s["entries"] == 1)
    somebody.press(*seen["buttons"]["undo"])
    somebody.until(lambda s: s["entries"] == 0)
    somebody.press(*seen["buttons"]["redo"])
    somebody.until(lambda s: s["entries"] == 1)
    somebody.press(*seen["buttons"]["replay"])
    somebody.until(lambda s: s["replay"] and s["seconds"] > 0.2)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright")
def test_killing_the_window_loses_nothing_that_was_shown(person: tuple[Person, Path]) -> None:
    somebody, journal = person
    somebody.press(*somebody.look()["buttons"]["storm-team"])
    somebody.until(lambda s: s["held"])
    somebody.press(*somebody.at(LEGAL))
    seen = somebody.until(lambda s: s["entries"] == 1)
    somebody.press(*seen["buttons"]["end-step"])
    shown = somebody.until(lambda s: s["entries"] == 2)["entries"]
    somebody.process.send_signal(signal.SIGKILL)
    somebody.process.wait(timeout=20)
    assert len(read_record(journal).entries) >= shown
