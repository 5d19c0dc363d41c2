"""Every button of the three older games does what it says: pressed, pointed and set down with the mouse."""

from __future__ import annotations

import pygame
import pytest
from msgspec.structs import replace

from app.hand import Hand
from sim.battle import Clock, Marker, Zone
from sim.geometry import Point
from sim.view.scene import Disc
from tests.rulesets.t9a import table as t9a
from tests.rulesets.wap import table as wap
from tests.rulesets.whfb6.test_tunnelling import battle as tunnels
from tests.rulesets.whfb6.test_tunnelling import block, team

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]


# --- t9a


def test_an_ambush_is_a_point_and_then_the_block() -> None:
    hand = Hand(t9a.battle(t9a.herd(), step="ambush-rolls"), 4)
    hand.press("end-step")
    hand.press("ambush", "herd")
    assert "choose the point" in hand.text
    hand.point((30.2, 0.3))
    held = hand.session.held
    assert held is not None
    point = held.command.point  # type: ignore[attr-defined]
    assert point[1] == 0.0, "led to the edge exactly"
    assert point[0] == pytest.approx(30.2, abs=0.1)
    hand.point((40.0, 20.0))
    assert not hand.battle.unit("herd").on_table, "too far from the point"
    assert "6" in hand.text
    hand.point((30.0, 2.5))
    assert hand.battle.unit("herd").on_table
    pose = hand.battle.unit("herd").models[0].pose
    assert pose is not None
    assert pose.facing == 90.0
    assert pose.y == pytest.approx(3.0, abs=0.1)


def test_a_random_move_of_a_block_is_pointed() -> None:
    engine = t9a.block("engine", "red", (30.0, 20.0), models=1, abilities=("random-movement 2D6",))
    hand = Hand(t9a.battle(engine, step="random-movement"), 3, 4)
    hand.press("random-move", "engine")
    hand.point((50.0, 20.0))
    pose = hand.battle.unit("engine").models[0].pose
    assert pose is not None
    assert pose.at == pytest.approx((37.0, 20.0), abs=0.1)


def test_a_model_joins_a_unit_of_the_list() -> None:
    hand = Hand(t9a.battle(t9a.herd(), t9a.hero()))
    hand.press("join", "hero")
    assert hand.buttons[0] == "Join herd"
    hand.press("option", "0")
    assert [m.subject for m in hand.battle.unit("hero").markers] == ["herd"]
    lonely = Hand(t9a.battle(t9a.hero()))
    assert not [b for b in lonely.buttons if "join" in b.lower()], "there is nobody to join"


def test_no_charge_is_offered_while_nobody_would_move_by_it() -> None:
    start = t9a.battle(
        t9a.block("a", "red", (30.0, 10.0)), t9a.block("b", "blue", (30.0, 22.0)), phase="charge", step="charges"
    )
    assert Hand(start).buttons == []


def test_an_arrival_is_not_forgotten_without_a_question() -> None:
    hand = Hand(t9a.battle(t9a.herd(), step="ambush-rolls"), 4)
    hand.press("end-step")
    hand.press("end-step")
    assert hand.battle.clock.step == "ambush"
    assert "herd has been rolled for and is not placed" in hand.text
    hand.press("back")
    assert hand.battle.clock.step == "ambush"
    hand.press("end-step")
    hand.press("option", "0")
    assert hand.battle.clock.step == "random-movement"


def test_skirmishers_are_set_up_as_they_stand() -> None:
    zone = Zone("z", "red", ((0, 0), (72, 0), (72, 12), (0, 12)))
    loose = t9a.block("loose", "red", None, keywords=("SKIRMISHERS",))
    start = t9a.battle(loose, turn=1, phase="deployment", step="deploy-units")
    hand = Hand(replace(start, battlefield=replace(start.battlefield, zones=(zone,))))
    hand.press("deploy", "loose")
    hand.point((30.0, 6.0))
    assert hand.battle.unit("loose").on_table


# --- wap


def test_a_wheel_is_pointed_and_runs() -> None:
    hand = Hand(wap.battle(wap.COMPULSORY, wap.wheel(), wap.unit("far", "blue", (5, 5))), 2, 3, 4)
    hand.press("random-move", "wheel")
    hand.point((60.0, 24.0))
    pose = hand.battle.model("wheel-1").pose
    assert pose is not None
    assert pose.at == pytest.approx((45.0, 24.0), abs=0.1)


def test_the_bolts_are_loosed_or_held() -> None:
    start = wap.battle(wap.SHOOTING, wap.wheel(), wap.unit("foe", "blue", (36 + wap.W + 5, 24)))
    hand = Hand(start, 4, 1, 6, 3)
    hand.press("zzzzap", "wheel")
    assert hand.buttons[:2] == ["Loose the bolts", "Try to hold fire first"]
    hand.press("option", "0")
    assert not hand.battle.unit("foe").models
    holding = Hand(start, 3, 4)
    holding.press("zzzzap", "wheel")
    holding.press("option", "1")
    assert holding.battle.unit("wheel").marked("fired")
    assert holding.battle.unit("foe").models


def test_impact_hits_are_struck() -> None:
    aimed = Marker("charged", "foe", until="end-of-turn")
    foe = wap.unit("foe", "blue", (36, 24 + wap.D + 12.5 / 25.4))
    hand = Hand(wap.battle(wap.FIGHTING, wap.wheel(aimed), foe), 1, 6, 1)
    hand.press("impact-hits", "wheel")
    assert hand.buttons[0] == "Impact Hits: 1 model, D6+1 each"
    hand.press("option", "0")
    assert not hand.battle.unit("foe").models


# --- whfb6


def test_the_dice_of_a_team_come_first_and_then_it_is_set_up_by_its_marker() -> None:
    hand = Hand(tunnels(team(8), block()), 90, 10)
    hand.press("emerge", "team")
    assert hand.buttons[0] == "The team emerges: roll the dice"
    hand.press("option", "0")
    assert hand.dice.left == 0
    hand.press("emerge", "team")
    hand.point((50.0, 40.0))
    assert not hand.battle.unit("team").on_table, "that is not where the marker lies"
    hand.window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE, mod=0, unicode="", scancode=0))
    hand.press("emerge", "team")
    hand.point((36.6, 34.5))
    unit = hand.battle.unit("team")
    assert unit.on_table
    assert unit.models[0].pose is not None
    assert unit.models[0].pose.at == pytest.approx((36.0, 34.0)), "drawn to the marker exactly"
    coins = [item for item in hand.window.scene.items if isinstance(item, Disc) and item.style == "objective"]
    assert coins == [], "the marker is taken away"


@pytest.mark.parametrize("at", [(12.0, 40.0), (31.0, 21.5)])
def test_the_opponent_puts_a_team_that_went_astray_anywhere(at: Point) -> None:
    hand = Hand(tunnels(team(8), block()), "hit", "misfire", 6)
    hand.press("emerge", "team")
    hand.press("option", "0")
    hand.press("misplace", "team")
    hand.point(at)
    unit = hand.battle.unit("team")
    assert unit.on_table
    assert unit.marked("engaged") is (at[1] < 30)


def test_a_marker_is_laid_by_pointing_and_not_left_out() -> None:
    start = replace(tunnels(team(3, None)), clock=Clock(1, "red", "deployment", "tunnel-markers"))
    hand = Hand(start)
    hand.press("end-step")
    assert hand.battle.clock.step == "tunnel-markers"
    assert "must be laid" in hand.text
    hand.press("lay-marker", "team")
    hand.point((36.0, 24.0))
    (marker,) = hand.battle.unit("team").markers
    assert marker.at == pytest.approx((36.0, 24.0), abs=0.2)
