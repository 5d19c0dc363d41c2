"""Shooting, charging and fighting in the window: every button pressed with the mouse, every question answered."""

from __future__ import annotations

import os
import time

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from sim.app.games import rulesets
from sim.app.window.session import Session
from sim.app.window.window import Window
from sim.battle import Battle, Terrain
from sim.chance import ScriptedDice, SeededDice
from sim.engine import judge
from sim.geometry import Path, Pose, separation
from sim.players import GreedyPlayer
from sim.record import record_of, verify
from sim.rules import EndStep
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import Fight, NormalMove
from sim.scenario import load_case
from tests.conformance.kit import ROOT
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, now, squad

B32 = 32 / 25.4

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]


class Hand:
    """A person at a window of this process: presses with the mouse, and nothing else."""

    def __init__(self, start: Battle, faces: list[int] | None = None) -> None:
        dice = SeededDice(5) if faces is None else ScriptedDice(faces)
        self.session = Session(RULESET, start, dice)
        self.window = Window(self.session, (1600, 1000))
        self.window.step()

    def click(self, at: tuple[int, int]) -> None:
        pygame.mouse.set_pos(at)
        for kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            extra = {"rel": (1, 1), "buttons": (0, 0, 0)} if kind == pygame.MOUSEMOTION else {"button": 1}
            pygame.event.post(pygame.event.Event(kind, pos=at, **extra))
            self.window.step()
        self.window.step()

    def press(self, command: str, unit: str = "") -> None:
        """Press the button of an offer, an option or an answer."""
        for offer, at in self.window.panel.in_sight:
            if offer.command == command and unit in (offer.unit, ""):
                self.click(at)
                return
        raise AssertionError(f"no button for {command} {unit}; there are {self.window.panel.in_sight}")

    @property
    def text(self) -> str:
        return self.window.panel.text

    def wait_for_search(self) -> None:
        """Go on until the nearest legal spot has been looked for."""
        end = time.monotonic() + 30
        while self.window._search is not None:
            assert time.monotonic() < end
            self.window.step()
            time.sleep(0.005)  # a window rests between two pictures; what is looked for beside it needs that


def men(count: int = 5) -> object:
    return squad("men", "red", "Intercessor Squad", (10, 10), count)


def test_a_volley_by_two_presses_and_its_dice_are_seen() -> None:
    foe, other = squad("foe", "blue", "Boyz", (10, 20), 10), squad("other", "blue", "Nobz", (30, 20), 5)
    hand = Hand(battle(SHOOTING, men(), foe, other))
    hand.press("shoot", "men")
    assert "hits on 3+ (+1 Heavy" in hand.text.replace("2+", "3+"), "the needed numbers with their reasons"
    assert len([o for o, _ in hand.window.panel.in_sight if o.command == "option"]) >= 2
    hand.press("option", "0")
    assert hand.session.battle.unit("men").marked("shot")
    assert "men: Shooting" in hand.text, "what was done last"
    assert " hit, " in hand.text, "what came of it"
    assert hand.window.tool("undo") is None
    assert not hand.session.battle.unit("men").marked("shot")


def near_contact(off: float) -> tuple[float, float]:
    """A spot of the table off the contact of one of the men with the foe, beside the straight line."""
    touch = 2 * 32 / 25.4 / 2 + off
    return (10.0 + touch * 0.28, 18.0 - touch * 0.96)


@pytest.mark.parametrize("off", [0.05, -0.05, 0.3, -0.3])
def test_a_charge_is_set_down_by_hand_in_exact_contact(off: float) -> None:
    hand = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1)), [6, 4])
    hand.press("charge", "men")
    hand.press("option", "0")
    hand.press("charge-move", "men")
    assert hand.session.held is not None
    grip = hand.session.held.grip
    assert hand.session.held.poses[0].at == pytest.approx(grip, abs=0.6)
    hand.click(hand.window.pixel(near_contact(off)))
    assert hand.session.held is None, hand.text
    after = hand.session.battle
    (ours,), (theirs,) = (after.index.of_unit(name).bases for name in ("men", "foe"))
    assert separation(ours, theirs) == pytest.approx(0.0, abs=1e-7)
    at = near_contact(0.0)
    assert (ours.pose.x, ours.pose.y) == pytest.approx(at, abs=0.08)


def test_shift_lets_go_of_contact() -> None:
    hand = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1)), [6, 4])
    hand.press("charge", "men")
    hand.press("option", "0")
    hand.press("charge-move", "men")
    at = near_contact(0.2)
    hand.session.hold_at(at, snap=False)
    assert hand.session.held is not None
    assert hand.session.held.poses[0].at == pytest.approx(at, abs=0.6)
    assert hand.session.held.loose is None
    hand.session.hold_at(at)
    assert hand.session.held.loose is not None, "without Shift it is in contact"


def test_a_charge_is_declared_rolled_and_led_into_contact() -> None:
    hand = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1)), [4, 4])
    hand.press("charge", "men")
    assert "needs 6" in hand.text
    hand.press("option", "0")
    hand.press("charge-move", "men")
    held = hand.session.held
    assert held is not None
    touch = hand.window.pixel((10.0, 18.0 - 32 / 25.4))
    hand.click(touch)
    unit = hand.session.battle.unit("men")
    assert unit.marked("charged") or not hand.session.game.judge(held.command).legal


def test_a_question_stops_the_command_until_it_is_answered() -> None:
    mover = squad("men", "red", "Intercessor Squad", (10, 10), 1)
    guard = squad("guard", "blue", "Strike Team", (10, 25), 1, loadout=["pulse rifle"])
    hand = Hand(battle(now("movement", "move-units"), mover, guard, cp=1), [5, 6, 3, 2])
    hand.press("normal-move", "men")
    hand.click(hand.window.pixel((10.0, 12.0)))
    question = hand.session.question
    assert question is not None
    assert "Fire Overwatch (1 CP): guard" in hand.text
    assert not hand.session.game.entries, "nothing has happened yet"
    hand.press("answer", "fire-overwatch: guard")
    assert hand.session.question is None
    assert hand.session.battle.unit("men").models[0].wounds_lost == 1
    assert verify(hand.session.record(), RULESET) is None


def test_an_advance_rolls_before_it_is_led() -> None:
    hand = Hand(battle(now("movement", "move-units"), men(1), squad("foe", "blue", "Boyz", (50, 40), 1)), [3])
    hand.press("advance", "men")
    assert [entry.faces for entry in hand.session.game.entries] == [((3,),)]
    assert hand.session.held is not None, "and is in hand"
    hand.session.hold_at((10.0, 19.01), snap=False)
    verdict = hand.session.verdict
    assert verdict is not None
    assert verdict.codes == ("too-far",)
    hand.click(hand.window.pixel((10.0, 18.9)))
    assert hand.session.held is None
    pose = hand.session.battle.unit("men").models[0].pose
    assert pose is not None
    assert abs(pose.y - 18.9) < 0.1
    assert hand.session.game.entries[-1].faces == (), "the die was rolled before"
    assert verify(hand.session.record(), RULESET) is None


def test_undo_takes_a_question_back() -> None:
    mover = squad("men", "red", "Intercessor Squad", (10, 10), 1)
    guard = squad("guard", "blue", "Strike Team", (10, 25), 1, loadout=["pulse rifle"])
    hand = Hand(battle(now("movement", "move-units"), mover, guard, cp=1))
    hand.press("normal-move", "men")
    hand.click(hand.window.pixel((10.0, 12.0)))
    assert hand.session.question is not None
    hand.window.tool("undo")
    assert hand.session.question is None
    assert hand.session.battle.unit("men").models[0].pose == Pose(10, 10)


def test_a_dragged_unit_walks_round_what_is_in_the_way() -> None:
    wall = Terrain("box", "container", ((9.0, 13.0), (11.0, 13.0), (11.0, 13.5), (9.0, 13.5)), 5.0)
    start = battle(now("movement", "move-units"), men(1), squad("foe", "blue", "Boyz", (50, 40), 1), terrain=[wall])
    straight = NormalMove("men", (Path.through(Pose(10, 10), [[10.0, 14.4]]),))
    assert judge(RULESET, start, straight).codes == ("too-far",)
    routed = RULESET.routed(start, straight)
    assert routed is not None
    assert judge(RULESET, start, routed).legal
    hand = Hand(start)
    hand.press("normal-move", "men")
    hand.click(hand.window.pixel((10.0, 14.4)))
    pose = hand.session.battle.unit("men").models[0].pose
    assert pose is not None
    assert abs(pose.y - 14.4) < 0.1
    assert hand.session.battle.unit("men").marked("moved")


def test_the_computer_plays_its_own_turn_and_a_person_the_other() -> None:
    case = load_case(ROOT / "assets" / "scenarios" / "wh40k10-500-battle.toml", rulesets())
    hand = Hand(case.battle)
    first, second = case.battle.clock.player, next(p for p in case.battle.players if p != case.battle.clock.player)
    hand.session.computers = {first: GreedyPlayer(first)}
    assert not hand.session.offers
    end = time.monotonic() + 120
    while time.monotonic() < end:
        hand.window.step(1.0)
        if hand.session.question is not None:
            hand.session.answer(hand.session.question.need.options[0])
        if hand.session.may_answer_the_end:
            hand.session.end_step()  # nobody comes by Rapid Ingress
        if hand.session.battle.clock.player == second:
            break
    assert hand.session.battle.clock.player == second
    assert hand.session.offers
    done = len(hand.session.game.entries)
    for _ in range(5):
        hand.window.step(1.0)
    assert len(hand.session.game.entries) == done, "the computer does nothing in the turn of the person"
    hand.session.end_step()
    assert hand.session.undo()
    assert len(hand.session.game.entries) == done
    hand.session.undo()
    assert hand.session.may_answer_the_end, "what the computer did goes back with it, as far as a person had a say"
    hand.session.undo()
    assert not hand.session.game.entries
    assert verify(record_of(hand.session.game), RULESET) is None


def test_a_computer_waits_until_a_person_has_consolidated_or_left_it() -> None:
    units = []
    for name, player, x in (("r1", "red", 10.0), ("b1", "blue", 10.0), ("r2", "red", 20.0), ("b2", "blue", 20.0)):
        y = 10.0 if player == "red" else 10.0 + B32 + 0.5
        units.append(squad(name, player, "Boyz", (x, y), 1, loadout=["shoota"]))
    hand = Hand(battle(now("fight", "remaining-combats", "red"), *units))
    hand.session.computers = {"red": GreedyPlayer("red")}
    hand.session.do(Fight("b1", ()))
    for _ in range(5):
        hand.window.step(1.0)
    assert len(hand.session.game.entries) == 1, "red fights next, and waits"
    hand.press("consolidate", "b1")
    hand.click(hand.window.pixel((10.0, 10.0 + B32 + 0.5)))
    assert hand.session.battle.unit("b1").marked("consolidated")
    end = time.monotonic() + 60
    while time.monotonic() < end and not hand.session.battle.unit("r1").marked("fought"):
        hand.window.step(1.0)
        if hand.session.battle.unit("r2").marked("fought"):
            break
    assert {u.id for u in hand.session.battle.units if u.marked("fought")} & {"r1", "r2"}
    while hand.session.battle.unit("b1").marked("consolidated"):
        assert hand.session.undo()
    assert hand.session.battle.unit("b1").marked("fought"), "what the person did before stays"


def test_a_computer_that_ends_its_movement_phase_waits_for_who_may_answer_that() -> None:
    """Red's phase is at its end; blue may arrive by Rapid Ingress, or ends the step to go on without."""
    waiting = squad("s", "blue", "Stealth Battlesuits", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    red = squad("r", "red", "Boyz", (50, 40), 1)
    hand = Hand(
        battle(now("movement", "reinforcements", "red"), red, waiting, squad("b", "blue", "Boyz", (5, 5)), cp=3)
    )
    hand.session.computers = {"red": GreedyPlayer("red")}
    hand.session.do(EndStep())
    for _ in range(5):
        hand.window.step(1.0)
    assert len(hand.session.game.entries) == 1, "the computer waits"
    assert [offer.command for offer in hand.session.offers if offer.unit] == ["rapid-ingress"]
    assert "red's Movement phase is at its end: s may answer that now" in hand.text
    button = hand.window.panel.button_of("end-step")
    assert button is not None
    hand.click(button.center)
    assert hand.session.battle.clock.phase == "shooting"


def test_alt_stops_a_move_short_and_takes_a_charge_into_contact() -> None:
    hand = Hand(battle(now("movement", "move-units"), men(1), squad("foe", "blue", "Boyz", (10, 30), 1)))
    hand.press("normal-move", "men")
    hand.session.hold_at((10.0, 18.0))  # eight inches of six
    hand.window.step()
    assert "Not here" in hand.text
    hand.window._snap()
    hand.wait_for_search()
    assert hand.session.held is not None
    assert hand.session.held.poses[0].at == pytest.approx((10.0, 16.0), abs=0.01)
    charger = Hand(battle(CHARGE, men(1), squad("foe", "blue", "Boyz", (10, 18), 1)), [6, 4])
    charger.press("charge", "men")
    charger.press("option", "0")
    charger.press("charge-move", "men")
    charger.session.hold_at((12.0, 14.0))
    charger.window.step()
    charger.window._snap()
    charger.wait_for_search()
    assert "Yes" in charger.text
