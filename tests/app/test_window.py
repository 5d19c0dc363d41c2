"""A real window, real mouse events: a unit goes from an illegal spot to a legal one, and the panel says so."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from app.person import Person
from sim.record import read_record

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]

ILLEGAL, LEGAL = (30.5, 26.5), (36.0, 32.0)  # inches on the demo table


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
