"""Shooting, charging and fighting in the window: every button pressed with the mouse, every question answered."""

from __future__ import annotations

import os

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
from sim.geometry import Path, Pose
from sim.players import GreedyPlayer
from sim.record import record_of, verify
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import NormalMove
from sim.scenario import load_case
from tests.conformance.kit import ROOT
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, now, squad

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
    assert "hit on" in hand.text, "the dice of what was done last"
    assert hand.window.tool("undo") is None
    assert not hand.session.battle.unit("men").marked("shot")


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
    assert "Fire overwatch: guard" in hand.text
    assert not hand.session.game.entries, "nothing has happened yet"
    hand.press("answer", "fire-overwatch: guard")
    assert hand.session.question is None
    assert hand.session.battle.unit("men").models[0].wounds_lost == 1
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
    for _ in range(400):
        hand.window.step(1.0)
        if hand.session.question is not None:
            hand.session.answer(hand.session.question.need.options[0])
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
    assert not hand.session.game.entries, "what the computer did goes back with it"
    assert verify(record_of(hand.session.game), RULESET) is None
