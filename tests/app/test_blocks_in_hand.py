"""A block in hand is one thing: it wheels about a front corner, and turns in a Reform about its centre."""

from __future__ import annotations

import math

import pygame
import pytest

from app.hand import Hand
from sim.battle import Battle
from sim.geometry import Point, Pose
from sim.geometry.blocks import boundary
from sim.geometry.corners import boundary_corners
from tests.rulesets.t9a import table as t9a

pytestmark = [pytest.mark.window, pytest.mark.xdist_group("window")]

LEFT, RIGHT = pygame.K_q, pygame.K_e


def front_left(battle: Battle, unit: str) -> Point:
    return boundary_corners(boundary([model.placed for model in battle.unit(unit).models]))[0]


def front_right(battle: Battle, unit: str) -> Point:
    return boundary_corners(boundary([model.placed for model in battle.unit(unit).models]))[1]


def centre(battle: Battle, unit: str) -> Pose:
    return boundary([model.placed for model in battle.unit(unit).models]).pose


def assert_rigid(before: Battle, after: Battle, unit: str) -> None:
    """Every model is as far from every other as it was, and all face one way."""
    old, new = ([m.placed.pose for m in battle.unit(unit).models] for battle in (before, after))
    for i, a in enumerate(old):
        for k, b in enumerate(old[:i]):
            assert math.dist(new[i].at, new[k].at) == pytest.approx(math.dist(a.at, b.at), abs=1e-9)
    assert len({round(pose.facing % 360.0, 9) for pose in new}) == 1


def t9a_block(files: int = 5, models: int = 13) -> Battle:
    """A block whose rear rank is not full, so that the mean of its models is not its centre."""
    return t9a.battle(t9a.block("herd", "red", (30.0, 20.0), files, models), step="moves")


@pytest.mark.parametrize(("key", "corner"), [(LEFT, front_left), (RIGHT, front_right)])
@pytest.mark.parametrize("command", ["advance-move", "march"])
def test_a_block_wheels_about_the_front_corner_on_the_side_it_turns_to(key: int, corner: object, command: str) -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press(command, "herd")
    hand.key(key, key)
    assert hand.text.split("\n")[2].startswith("Yes"), hand.text
    hand.key(pygame.K_RETURN)
    assert hand.battle.unit("herd").marked("moved")
    assert_rigid(before, hand.battle, "herd")
    assert callable(corner)
    assert corner(hand.battle, "herd") == pytest.approx(corner(before, "herd"), abs=1e-9)
    assert centre(hand.battle, "herd").facing == pytest.approx(120.0 if key == LEFT else 60.0)


def test_each_model_of_a_wheel_goes_round_the_corner() -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press("advance-move", "herd")
    hand.key(LEFT, LEFT)
    corner = front_left(before, "herd")
    for model, way in zip(before.unit("herd").models, hand.held.command.paths, strict=True):  # type: ignore[attr-defined]
        radius = math.dist(model.placed.pose.at, corner)
        for stop in way.stops:
            assert math.dist(stop.at, corner) == pytest.approx(radius, abs=1e-9)


def test_turning_back_undoes_the_wheel() -> None:
    hand = Hand(t9a_block())
    hand.press("march", "herd")
    start = hand.held.poses
    hand.key(LEFT, LEFT, RIGHT, RIGHT)
    assert hand.held.poses == start
    assert all(not way.stops for way in hand.held.command.paths)  # type: ignore[attr-defined]


def test_a_block_goes_on_after_its_wheel() -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press("march", "herd")
    hand.key(LEFT)
    hand.point((30.0, 24.0))
    assert hand.battle.unit("herd").marked("moved"), hand.text
    assert_rigid(before, hand.battle, "herd")
    assert centre(hand.battle, "herd").facing == pytest.approx(105.0)
    assert centre(hand.battle, "herd").y > 23.0


@pytest.mark.parametrize("turns", [1, 6, 12])
def test_a_reform_turns_about_the_centre_and_keeps_it(turns: int) -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press("reform", "herd")
    hand.move((33.0, 22.0))
    hand.key(*[RIGHT] * turns)
    assert hand.text.split("\n")[2].startswith("Yes"), hand.text
    hand.point((27.0, 19.0))
    assert hand.battle.unit("herd").marked("moved"), hand.text
    assert_rigid(before, hand.battle, "herd")
    assert centre(hand.battle, "herd").at == pytest.approx(centre(before, "herd").at, abs=1e-9)
    assert centre(hand.battle, "herd").facing == pytest.approx(90.0 - 15.0 * turns)


def test_a_single_model_turns_on_its_spot() -> None:
    hand = Hand(t9a.battle(t9a.block("hero", "red", (30.0, 20.0), 1, 1), step="moves"))
    hand.press("advance-move", "hero")
    hand.key(LEFT)
    hand.key(pygame.K_RETURN)
    pose = hand.battle.unit("hero").models[0].pose
    assert pose is not None
    assert (pose.at, pose.facing) == ((30.0, 20.0), 105.0)
