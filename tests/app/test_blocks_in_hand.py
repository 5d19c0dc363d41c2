"""A block in hand is one thing: it wheels about a front corner, and turns in a Reform about its centre."""

from __future__ import annotations

import math

import pygame
import pytest
from msgspec.structs import replace

from app.hand import Hand
from sim.battle import Battle, Battlefield, Clock, Model, Ranked, Unit, Zone
from sim.battle.state import RESERVES
from sim.geometry import Point, Pose, Rect
from sim.geometry.blocks import boundary, wheel_corner
from sim.geometry.corners import boundary_corners
from sim.view.scene import Ghost
from tests.rulesets.t9a import table as t9a
from tests.rulesets.wap import table as wap
from tests.rulesets.wap import test_wheels as wheels
from tests.rulesets.whfb6 import test_ranks as ranks

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


def test_a_reform_by_hand_has_other_ranks_about_the_same_centre() -> None:
    hand = Hand(t9a_block())
    before = hand.battle
    hand.press("reform", "herd")
    hand.key(pygame.K_w, pygame.K_w)
    assert hand.text.split("\n")[2].startswith("Yes"), hand.text
    hand.key(pygame.K_RETURN)
    assert "herd stands anew, 13 models" in hand.text
    assert centre(hand.battle, "herd").at == pytest.approx(centre(before, "herd").at, abs=1e-9)
    front = [m.placed.pose.y for m in hand.battle.unit("herd").models]
    assert [sum(y == pytest.approx(row) for y in front) for row in sorted({round(y, 6) for y in front})] == [6, 7]


def test_a_reform_is_at_most_one_rank_and_at_least_one_file() -> None:
    hand = Hand(t9a_block())
    hand.press("reform", "herd")
    hand.key(*[pygame.K_w] * 8)
    assert len({round(pose.y, 6) for pose in hand.held.poses}) == 1
    hand.key(pygame.K_w)
    assert "no wider or narrower" in hand.text
    hand.key(*[pygame.K_n] * 12)
    assert len({round(pose.x, 6) for pose in hand.held.poses}) == 1
    hand.key(pygame.K_n)
    assert "no wider or narrower" in hand.text


def test_a_march_keeps_its_ranks_and_says_so() -> None:
    hand = Hand(t9a_block())
    hand.press("march", "herd")
    start = hand.held.poses
    hand.key(pygame.K_w)
    assert hand.held.poses == start
    assert "the ranks stay as they are" in hand.text
    hand.key(LEFT)
    assert "the ranks stay as they are" not in hand.text, "that was about another pose"
    assert "P: pockets" not in hand.text
    hand.key(pygame.K_p)
    assert "no pockets" in hand.text


def test_what_is_in_hand_shows_which_way_it_faces() -> None:
    hand = Hand(t9a_block())
    hand.press("march", "herd")
    hand.key(LEFT, LEFT)
    ghosts = [item.shape for item in hand.window.scene.items if isinstance(item, Ghost)]
    assert {shape.mark.facing for shape in ghosts if shape.mark} == {120.0}
    zone = Zone("z", "red", ((0, 0), (72, 0), (72, 12), (0, 12)))
    start = t9a.battle(t9a.block("new", "red", None), turn=1, phase="deployment", step="deploy-units")
    hand = Hand(replace(start, battlefield=replace(start.battlefield, zones=(zone,))))
    hand.press("deploy", "new")
    ghosts = [item.shape for item in hand.window.scene.items if isinstance(item, Ghost)]
    assert {shape.mark.facing for shape in ghosts if shape.mark} == {90.0}


def test_a_single_model_turns_on_its_spot() -> None:
    hand = Hand(t9a.battle(t9a.block("hero", "red", (30.0, 20.0), 1, 1), step="moves"))
    hand.press("advance-move", "hero")
    hand.key(LEFT)
    hand.key(pygame.K_RETURN)
    pose = hand.battle.unit("hero").models[0].pose
    assert pose is not None
    assert (pose.at, pose.facing) == ((30.0, 20.0), 105.0)


# --- wap


def wap_block() -> Battle:
    clock = Clock(2, "red", "movement", "remaining-moves")
    return wap.battle(clock, wheels.ranks(), wap.unit("far", "blue", (5, 5)))


@pytest.mark.parametrize("command", ["normal-move", "march"])
def test_a_block_of_wap_wheels_and_goes_straight_on_however_the_hand_shakes(command: str) -> None:
    hand = Hand(wap_block())
    before = hand.battle
    hand.press(command, "block")
    hand.key(LEFT)
    assert front_left(before, "block") == pytest.approx(wheel_corner(hand.placed, 15.0), abs=1e-9)
    hand.point((32.3, 22.0))
    assert hand.battle.unit("block").marked("moved"), hand.text
    assert_rigid(before, hand.battle, "block")
    now, corner = centre(hand.battle, "block"), front_left(hand.battle, "block")
    assert now.facing == pytest.approx(105.0)
    way = math.degrees(
        math.atan2(corner[1] - front_left(before, "block")[1], corner[0] - front_left(before, "block")[0])
    )
    assert way == pytest.approx(105.0, abs=1e-6), "straight to its new front"


@pytest.mark.parametrize(("to", "way"), [((32.4, 23.0), (0, 1)), ((33.5, 20.4), (1, 0)), ((31.8, 18.9), (0, -1))])
def test_ranks_of_wap_are_led_straight(to: Point, way: Point) -> None:
    hand = Hand(wap_block())
    hand.press("normal-move", "block")
    hand.point(to)
    now = centre(hand.battle, "block")
    assert hand.battle.unit("block").marked("moved"), hand.text
    gone = (now.x - 32.0, now.y - 20.0)
    assert gone[0] * way[1] - gone[1] * way[0] == pytest.approx(0.0, abs=1e-9)
    # a pixel of the hand is about 0.06 of an inch
    assert math.hypot(*gone) == pytest.approx(abs((to[0] - 32.0) * way[0] + (to[1] - 20.0) * way[1]), abs=0.15)


def test_a_march_of_wap_goes_to_the_front_alone() -> None:
    hand = Hand(wap_block())
    hand.press("march", "block")
    hand.point((29.0, 26.0))
    now = centre(hand.battle, "block")
    assert hand.battle.unit("block").marked("moved"), hand.text
    assert now.x == pytest.approx(32.0, abs=1e-9)
    assert now.y == pytest.approx(26.0, abs=0.1)


# --- whfb6


@pytest.mark.parametrize("key", [LEFT, RIGHT])
def test_a_block_of_whfb6_wheels_and_goes_straight_on(key: int) -> None:
    start = ranks.table(ranks.ranks())
    hand = Hand(start)
    hand.press("move", "men")
    hand.key(key)
    hand.point((36.5, 21.5))
    assert hand.battle.unit("men").marked("moved"), hand.text
    assert_rigid(start, hand.battle, "men")
    corner = front_left if key == LEFT else front_right
    before, after = corner(start, "men"), corner(hand.battle, "men")
    facing = centre(hand.battle, "men").facing
    assert facing == pytest.approx(105.0 if key == LEFT else 75.0)
    way = math.degrees(math.atan2(after[1] - before[1], after[0] - before[0]))
    assert way == pytest.approx(facing, abs=1e-6), "straight to its new front"


# --- setting up, in all three


def test_a_block_is_set_up_as_one_about_the_hand() -> None:
    bases, zone = [Rect.mm(20, 20)] * 13, Zone("z", "red", ((0, 0), (72, 0), (72, 12), (0, 12)))
    for ruleset, clock in (
        ("t9a", Clock(1, "red", "deployment", "deploy-units")),
        ("wap", Clock(1, "red", "deployment", "deploy-armies")),
        ("whfb6", Clock(1, "red", "deployment", "deploy-armies")),
    ):
        models = tuple(Model(f"block-{k}", "block", base) for k, base in enumerate(bases, 1))
        unit = Unit("block", "red", models, name="block", formation=Ranked(5), whereabouts=RESERVES)
        start = Battle(ruleset, Battlefield(72.0, 48.0, zones=(zone,)), clock, (unit,), ("red", "blue"))
        hand = Hand(start)
        hand.press("deploy", "block")
        hand.move((30.0, 6.0))
        ranks = hand.held.poses
        hand.key(LEFT, LEFT)
        assert [p.facing - q.facing for p, q in zip(hand.held.poses, ranks, strict=True)] == [30.0] * 13
        for p, q in zip(hand.held.poses, ranks, strict=True):
            assert math.dist(p.at, hand.held.grip) == pytest.approx(math.dist(q.at, hand.held.grip), abs=1e-9)
        hand.point((30.0, 6.0))
        assert hand.battle.unit("block").on_table, f"{ruleset}: {hand.text}"
