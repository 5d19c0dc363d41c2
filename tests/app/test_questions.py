"""What a question in the window says, and what becomes of it: its numbers, its dice, its answers, whatever comes."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

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


def test_a_step_with_a_fight_that_has_to_be_fought_says_so() -> None:
    hand = Hand(battle(FIGHT, men(1), squad("foe", "blue", "Boyz", (10, 12), 1)))
    assert "Nothing is left to do" not in hand.text
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
