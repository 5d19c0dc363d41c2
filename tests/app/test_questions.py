"""What a question in the window says, and what becomes of it: its numbers, its dice, its answers, whatever comes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import msgspec
from click.testing import CliRunner

from sim.app.cli import cli
from sim.app.opening import session_of
from sim.app.window.session import Session
from sim.chance import SeededDice
from sim.record import read_record, verify
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import Charge
from tests.app.test_fighting_in_the_window import Hand, men
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, SHOOTING, battle, squad

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]


def test_a_re_roll_tells_what_is_needed_its_price_and_its_chance() -> None:
    foe = squad("foe", "blue", "Boyz", (10, 20), 10)
    hand = Hand(battle(SHOOTING, men(5), foe, cp=1), [1, 2, 3, 4, 5, 6] * 4)
    hand.session.asks_re_rolls = True
    hand.press("shoot", "men")
    hand.press("option", "0")
    hand.press("answer", "decline")  # the foe's own question
    assert hand.session.question is not None
    assert "+ is needed: " in hand.text
    assert " fell short. Rolled again, one die would make it " in hand.text
    assert "Command Re-roll (1 CP)" in hand.text
    assert hand.text.count(hand.session.question.need.words) == 1, "what was rolled is said once"
    hand.press("answer", "command-re-roll")
    titles = [offer.title for offer, _ in hand.window.panel.in_sight if offer.command == "answer"]
    assert titles[:2] == ["Roll the 1 again", "Roll the 2 again"]


def test_a_charge_that_may_be_rolled_again_tells_its_chance() -> None:
    hand = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1), cp=1), [1, 2])
    hand.session.asks_re_rolls = True
    hand.press("charge", "men")
    hand.press("option", "0")
    hand.press("answer", "decline")  # the foe's own question
    assert hand.session.question is not None
    assert "needs 6" in hand.text
    assert "72.22% to arrive" in hand.text


def test_a_charge_that_no_roll_brings_home_says_why() -> None:
    far = squad("foe", "blue", "Boyz", (10, 10 + 11.9 + 32 / 25.4), 1)
    walled = battle(CHARGE, men(1), far, squad("screen", "blue", "Boyz", (6, 16), 9, gap=1.3))
    hand = Hand(walled)
    hand.press("charge", "men")
    titles = [offer.title for offer, _ in hand.window.panel.in_sight if offer.command == "option"]
    assert titles[-1] == "foe: no roll suffices", titles
    assert not titles[0].endswith("no roll suffices")


def test_a_title_without_room_is_cut_and_whole_in_its_tip() -> None:
    foes = [squad(f"a rather long name {k}", "blue", "Boyz", (9 + 2 * k, 15), 1) for k in range(3)]
    hand = Hand(battle(CHARGE, men(1), *foes))
    hand.press("charge", "men")
    long = [(b.text, offer.title) for b, offer in hand.window.panel._buttons.items() if b.text != offer.title]
    assert long
    assert all(text.endswith("…") and title.startswith(text[:-1]) for text, title in long)
    tips = [b.tool_tip_text for b, offer in hand.window.panel._buttons.items() if b.text != offer.title]
    assert tips == [title for _, title in long]


def test_a_step_with_a_fight_that_has_to_be_fought_says_so() -> None:
    hand = Hand(battle(FIGHT, men(1), squad("foe", "blue", "Boyz", (10, 12), 1)))
    assert "Nothing is left to choose" not in hand.text
    assert "The step cannot end yet: " in hand.text
    assert "still has to fight with" in hand.text


def test_ending_a_step_with_a_charge_that_arrives_is_asked_about() -> None:
    hand = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1)), [6, 4])
    hand.press("charge", "men")
    hand.press("option", "0")
    hand.window.tool("end-step")
    assert "men has rolled 10, which suffices: its Charge move would be lost." in hand.text
    assert hand.session.battle.clock.phase == "charge"
    hand.press("back")
    hand.press("charge-move", "men")
    hand.session.let_go()
    hand.window.tool("end-step")
    hand.press("option", "0")
    assert hand.session.battle.clock.phase == "fight"


def test_a_charge_that_failed_is_not_asked_about() -> None:
    hand = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1)), [1, 1])
    hand.press("charge", "men")
    hand.press("option", "0")
    hand.window.tool("end-step")
    assert hand.session.battle.clock.phase == "fight"


# --- dice that were shown are kept with their question


OPEN: list[Session] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Nobody closes the journals in these tests, as when the window is killed; only afterwards."""
    yield
    while OPEN:
        OPEN.pop().close()


def charged(path: Path | None = None, seed: int = 3) -> Session:
    """A charge that stops at the question whether its roll is bought anew."""
    start = battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1), cp=1)
    session = Session(RULESET, start, SeededDice(seed), path)
    OPEN.append(session)
    session.asks_re_rolls = True
    session.do(Charge("men", ("foe",)))
    session.answer("decline")  # the foe's Overwatch
    assert session.question is not None
    assert session.question.need.when == "after-roll"
    return session


def reopened(path: Path) -> Session:
    """The battle of a journal that nobody closed, opened as the window opens it: with other dice."""
    return session_of(str(path), 99, journal=False)


def test_a_killed_window_asks_again_with_the_faces_that_were_seen(tmp_path: Path) -> None:
    session = charged(tmp_path / "battle.jsonl")
    seen = session.question
    again = reopened(tmp_path / "battle.jsonl")
    assert again.question == seen
    assert again.asks_re_rolls
    again.answer("decline")
    assert again.game.entries[0].faces == seen.faces
    assert verify(again.record(), RULESET) is None


def test_a_saved_battle_keeps_its_open_question(tmp_path: Path) -> None:
    session = charged()
    session.save(tmp_path / "saved.jsonl")
    assert read_record(tmp_path / "saved.jsonl").asked == session.question.line
    assert reopened(tmp_path / "saved.jsonl").question == session.question


def test_an_answered_question_is_not_asked_again(tmp_path: Path) -> None:
    session = charged(tmp_path / "battle.jsonl")
    session.answer("decline")
    assert read_record(tmp_path / "battle.jsonl").asked is None
    assert reopened(tmp_path / "battle.jsonl").question is None


def test_a_question_that_was_stepped_out_of_is_closed_on_the_disk_too(tmp_path: Path) -> None:
    session = charged(tmp_path / "battle.jsonl")
    session.undo()
    record = read_record(tmp_path / "battle.jsonl")
    assert record.asked is None
    assert not record.entries


@pytest.mark.parametrize("way", ["redo", "again"])
def test_who_steps_out_of_a_question_gets_the_same_faces_again(way: str) -> None:
    session = charged()
    seen = session.question
    assert session.can_undo
    session.undo()
    assert session.question is None
    assert session.can_redo
    if way == "redo":
        session.redo()
    else:
        session.do(Charge("men", ("foe",)))
        session.answer("decline")
    assert session.question is not None
    assert session.question.faces == seen.faces
    assert not session.can_redo


def test_a_question_keeps_to_what_it_was_asked_with() -> None:
    """Whoever stops asking for re-rolls meanwhile answers this command to its end as it began."""
    session = charged()
    session.asks_re_rolls = False
    session.answer("command-re-roll")
    assert session.question is None
    assert len(session.game.entries[0].faces) == 2
    assert session.game.entries[0].choices == ("decline", "command-re-roll")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"command": msgspec.Raw(b'{"type": "levitate"}')}, "levitate"),
        ({"choices": ("sing",)}, "was not offered"),
    ],
)
def test_what_cannot_be_asked_again_is_said_and_the_battle_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object], why: str
) -> None:
    path = tmp_path / "battle.jsonl"
    charged(path)
    lines = path.read_bytes().splitlines()
    asked = msgspec.structs.replace(read_record(path).asked, **change)
    path.write_bytes(b"\n".join([*lines[:-1], msgspec.json.encode(asked)]) + b"\n")
    session = reopened(path)
    assert session.question is None
    assert not session.game.entries
    said = capsys.readouterr().err
    assert "what was asked last is not asked again" in said
    assert why in said


def test_faces_that_no_die_shows_are_rolled_anew(tmp_path: Path) -> None:
    path = tmp_path / "battle.jsonl"
    charged(path)
    text = path.read_text()
    (faces,) = read_record(path).asked.faces
    path.write_text(text.replace(f'"faces":[[{faces[0]},{faces[1]}]]', '"faces":[[9,9]]'))
    assert read_record(path).asked.faces == ((9, 9),)
    session = reopened(path)
    assert session.question is not None
    assert all(1 <= face <= 6 for face in session.question.faces[0])


def test_verify_and_films_pass_over_what_was_only_asked(tmp_path: Path) -> None:
    path = tmp_path / "battle.jsonl"
    charged(path)
    result = CliRunner().invoke(cli, ["verify", str(path)], standalone_mode=False)
    assert result.return_value == 0, result.output
