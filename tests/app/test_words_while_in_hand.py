"""With a unit in hand nothing is silent: Alt says what it found and goes there, Enter on an illegal spot says why."""

from __future__ import annotations

import time

import pygame
import pytest
from msgspec.structs import replace

from app.hand import Hand
from sim.battle import Battle, Clock, Model, Unit
from sim.geometry import Point, Pose, Rect
from sim.geometry.blocks import boundary
from tests.app.test_blocks_in_hand import LEFT, RIGHT, assert_rigid, t9a_block, wap_block
from tests.rulesets.t9a import table as t9a
from tests.rulesets.wh40k10.stage import battle as stage
from tests.rulesets.wh40k10.stage import now, squad
from tests.rulesets.whfb6.test_tunnelling import battle as tunnels
from tests.rulesets.whfb6.test_tunnelling import block, team

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]
PATIENCE = 20.0  # seconds


def alt(hand: Hand) -> None:
    """Press Alt, and wait for what it says."""
    hand.key(pygame.K_LALT)
    end = time.monotonic() + PATIENCE
    while "Looking for" in hand.text and time.monotonic() < end:
        hand.window.step()
        time.sleep(0.005)  # a window rests between two pictures; what is looked for beside it needs that
    assert "Looking for" not in hand.text


def loose() -> Battle:
    """Skirmishers of the third game, who may move."""
    models = tuple(Model(f"men-{k}", "men", Rect.mm(20, 20), Pose(50.0 + 1.0 * k, 20.0, 90.0)) for k in range(4))
    men = Unit("men", "red", models, name="men", profile=(("M", 4.0),))
    return replace(tunnels(men, block()), clock=Clock(2, "red", "movement", "remaining-moves"))


def boyz() -> Battle:
    return stage(now("movement", "move-units"), squad("men", "red", "Boyz", (10.0, 10.0)))


def stands(battle: Battle, unit: str) -> Point:
    models = [model.placed for model in battle.unit(unit).models]
    return sum(m.pose.x for m in models) / len(models), sum(m.pose.y for m in models) / len(models)


MOVES = {
    "t9a": (t9a_block, "march", "herd", (29.6, 45.0), 10.0),
    "wap": (wap_block, "march", "block", (32.0, 45.0), 8.0),
    "whfb6": (loose, "move", "men", (51.5, 45.0), 4.0),
    "wh40k10": (boyz, "normal-move", "men", (10.0, 40.0), 6.0),
}


@pytest.mark.parametrize("game", sorted(MOVES))
def test_alt_stops_a_move_as_far_as_it_gets_and_says_so(game: str) -> None:
    start, command, unit, far, reach = MOVES[game]
    hand = Hand(start())
    before = stands(hand.battle, unit)
    hand.press(command, unit)
    hand.move(far)
    assert "Yes" not in hand.text
    alt(hand)
    assert "Snapped" in hand.text
    assert "Yes" in hand.text
    hand.key(pygame.K_RETURN)
    now_at = stands(hand.battle, unit)
    assert now_at[1] - before[1] == pytest.approx(reach, abs=0.02), "as far as it gets, towards the cursor"


def test_alt_after_a_wheel_keeps_the_ranks_and_the_wheel() -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press("march", "herd")
    hand.key(LEFT)
    hand.move((30.0, 45.0))
    alt(hand)
    hand.key(pygame.K_RETURN)
    assert hand.battle.unit("herd").marked("moved"), hand.text
    assert_rigid(before, hand.battle, "herd")
    assert boundary([m.placed for m in hand.battle.unit("herd").models]).pose.facing == pytest.approx(105.0)


def test_alt_keeps_all_wheels_of_a_way_that_is_too_long() -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press("march", "herd")
    hand.key(LEFT)
    hand.move((30.0, 38.0))
    hand.key(RIGHT, RIGHT)
    hand.move((31.0, 40.0))
    alt(hand)
    assert "Snapped" in hand.text
    hand.key(pygame.K_RETURN)
    assert hand.battle.unit("herd").marked("moved"), hand.text
    assert_rigid(before, hand.battle, "herd")
    assert boundary([m.placed for m in hand.battle.unit("herd").models]).pose.facing == pytest.approx(75.0)
    assert stands(hand.battle, "herd")[1] > 27.0, "as far as it gets"


def test_alt_takes_an_ambush_to_the_nearest_ground() -> None:
    hand = Hand(t9a.battle(t9a.herd(), step="ambush-rolls"), 4)
    hand.press("end-step")
    hand.press("ambush", "herd")
    hand.point((30.0, 0.3))
    hand.move((40.0, 20.0))
    assert "Yes" not in hand.text
    alt(hand)
    assert "Snapped" in hand.text
    hand.key(pygame.K_RETURN)
    assert hand.battle.unit("herd").on_table, hand.text


def test_alt_tells_the_way_of_the_model_that_goes_farthest() -> None:
    """The first model stays where it is, and another is put right."""
    start = tunnels(team(6), block())
    hand = Hand(start, 90, 10)
    hand.press("emerge", "team")
    hand.press("option", "0")
    hand.press("emerge", "team")
    hand.move((36.2, 34.2))
    hand.key(pygame.K_SPACE)
    at = hand.held.poses[3].at
    for kind, spot in (
        (pygame.MOUSEBUTTONDOWN, at),
        (pygame.MOUSEMOTION, (at[0] + 5.0, at[1])),
        (pygame.MOUSEBUTTONUP, (at[0] + 5.0, at[1])),
    ):
        extra = {"rel": (1, 1), "buttons": (1, 0, 0)} if kind == pygame.MOUSEMOTION else {"button": 1}
        pygame.event.post(pygame.event.Event(kind, pos=hand.window.pixel(spot), **extra))
        hand.window.step()
    assert "Yes" not in hand.text
    alt(hand)
    (note,) = [line for line in hand.text.split("\n") if line.startswith("Snapped")]
    assert float(note.split('"')[0].removeprefix("Snapped ")) == pytest.approx(5.0, abs=2.0)


def test_alt_says_when_there_is_nothing_to_do() -> None:
    hand = Hand(t9a_block())
    hand.key(pygame.K_LALT)
    assert "Nothing is in hand." in hand.text
    hand.press("march", "herd")
    hand.key(pygame.K_LALT)
    assert "It is legal where it is." in hand.text


def test_alt_says_when_it_found_nothing() -> None:
    """Nobody marches who has no Advance Rate, wherever he would go."""
    hand = Hand(t9a.battle(t9a.block("idle", "red", (30.0, 20.0), profile=(("Ld", 7.0),)), step="moves"))
    hand.press("march", "idle")
    hand.move((30.0, 30.0))
    alt(hand)
    assert "No legal spot was found" in hand.text


@pytest.mark.parametrize("game", sorted(MOVES))
def test_enter_on_an_illegal_spot_says_why(game: str) -> None:
    start, command, unit, far, _ = MOVES[game]
    hand = Hand(start())
    hand.press(command, unit)
    hand.move(far)
    hand.key(pygame.K_RETURN)
    (note,) = [line for line in hand.text.split("\n") if "It is laid down" in line]
    assert note.startswith("Not here: ")
    assert "at most" in note or "may" in note, note
    assert not hand.battle.unit(unit).marked("moved")


def test_enter_on_an_illegal_spot_of_what_is_pointed_says_why() -> None:
    hand = Hand(t9a.battle(t9a.herd(), step="ambush-rolls"), 4)
    hand.press("end-step")
    hand.press("ambush", "herd")
    hand.point((30.0, 0.3))
    hand.move((40.0, 20.0))
    hand.key(pygame.K_RETURN)
    assert "Not here: too few corners" in hand.text
    assert "laid down" not in hand.text.replace("Laid down", "")
