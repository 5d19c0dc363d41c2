"""Random moves beyond the case files: second moves, several models, starts within an inch, regions."""

from __future__ import annotations

import math
import random

import pytest
import shapely

from sim.battle import Terrain
from sim.chance import ScriptedDice
from sim.engine import Game, judge
from sim.geometry import Placed, PlacedSet, Pose, Rect
from sim.rulesets.wap import RULESET, random_movement
from sim.rulesets.wap.commands import RandomMove
from tests.rulesets.wap.table import COMPULSORY, D, W, battle, unit, wheel


def test_one_move_a_turn_and_no_pivot_after_it() -> None:
    game = Game(RULESET, battle(COMPULSORY, wheel(), unit("far", "blue", (5, 5))))
    game.play(RandomMove("wheel", 45.0), ScriptedDice((1, 1, 1)))
    assert judge(RULESET, game.battle, RandomMove("wheel", 90.0)).codes == ("already-moved",)


def test_a_unit_of_several_turns_about_its_middle_and_rolls_once() -> None:
    pack = wheel(models=unit("wheel", "red", (35, 24), (37, 24), base=Rect.mm(25, 50)).models)
    game = Game(RULESET, battle(COMPULSORY, pack, unit("far", "blue", (5, 5))))
    game.play(RandomMove("wheel", 0.0), ScriptedDice((2, 2, 2)))
    poses = [m.pose for m in game.battle.unit("wheel").models]
    assert [(p.x, p.y, p.facing) for p in poses if p] == [
        (pytest.approx(42.0), pytest.approx(25.0), 0.0),
        (pytest.approx(42.0), pytest.approx(23.0), 0.0),
    ]


def test_beside_a_friend_within_an_inch_it_runs_along_and_stops_at_the_next_that_comes_nearer() -> None:
    aside = 36 + W + 0.8 + 0.5 / 25.4 * 25
    along = battle(COMPULSORY, wheel(), unit("friend", "red", *[(aside, 20 + k) for k in range(9)]))
    members = random_movement.turned(along, along.unit("wheel"), 90.0)
    assert random_movement.run(along, along.unit("wheel"), members, 90.0, 9.0).outcome == "moves"
    nearer = battle(COMPULSORY, wheel(), unit("friend", "red", (aside, 24), (aside - 0.3, 28)))
    ended = random_movement.run(nearer, nearer.unit("wheel"), members, 90.0, 9.0)
    assert (ended.outcome, ended.met) == ("stops", ("friend",))
    assert 0 < ended.distance < 28 - (24 + D)


def test_the_nearest_of_friend_and_enemy_ends_the_run() -> None:
    enemy = unit("enemy", "blue", (36, 24 + D + 8 + 12.5 / 25.4))
    friend = unit("friend", "red", (36 + W + 0.5 + 12.5 / 25.4, 32))
    both = battle(COMPULSORY, wheel(), enemy, friend)
    members = random_movement.turned(both, both.unit("wheel"), 90.0)
    assert random_movement.run(both, both.unit("wheel"), members, 90.0, 12.0).met == ("friend",)
    alone = battle(COMPULSORY, wheel(), enemy)
    ended = random_movement.run(alone, alone.unit("wheel"), members, 90.0, 12.0)
    assert (ended.outcome, ended.met) == ("charges", ("enemy",))
    assert ended.distance == pytest.approx(8.0)


def test_two_enemies_in_line_are_charged_together() -> None:
    y = 24 + D + 5 + 12.5 / 25.4
    two = battle(COMPULSORY, wheel(), unit("a", "blue", (35.4, y)), unit("b", "blue", (36.6, y)))
    game = Game(RULESET, two)
    game.play(RandomMove("wheel", 90.0), ScriptedDice((3, 3, 3)))
    charged = {m.subject for m in game.battle.unit("wheel").markers if m.kind == "charged"}
    assert charged == {"a", "b"}


@pytest.mark.parametrize(("face", "lost"), [(1, 1), (2, 0)])
def test_dangerous_ground_wounds_on_a_one(face: int, lost: int) -> None:
    bog = Terrain("bog", "marsh", ((30, 28), (42, 28), (42, 30), (30, 30)), traits=("dangerous",))
    game = Game(RULESET, battle(COMPULSORY, wheel(), unit("far", "blue", (5, 5)), terrain=(bog,)))
    game.play(RandomMove("wheel", 90.0), ScriptedDice((3, 3, 3, face)))
    assert game.battle.model("wheel-1").wounds_lost == lost


def test_the_region_and_the_run_agree() -> None:
    rng = random.Random(2)
    table = battle(
        COMPULSORY, wheel(), unit("friend", "red", (43, 30), (44.2, 30)), unit("enemy", "blue", (28, 19), (29, 19))
    )
    rules = random_movement.rules(table, RandomMove("wheel", 90.0))
    run = rules.standing[-1]
    region = run.carve(shapely.box(0, 0, 72, 48), Rect.mm(50, 100), 90.0)
    seen = {True: 0, False: 0}
    for _ in range(150):
        at = (36 + rng.uniform(-19, 19), 24 + rng.uniform(-19, 19))
        legal = not list(run.judge(PlacedSet((Placed(Rect.mm(50, 100), Pose(*at)),))))
        if shapely.distance(shapely.boundary(region), shapely.Point(at)) < 0.1:
            continue  # between its rays the drawn border is a chord
        assert legal == region.contains(shapely.Point(at)), at
        seen[legal] += 1
    assert min(seen.values()) > 20


def test_a_facing_that_is_none_is_refused() -> None:
    for facing in (math.nan, math.inf, 1e9):
        verdict = judge(RULESET, battle(COMPULSORY, wheel()), RandomMove("wheel", facing))
        assert verdict.codes == ("no-facing",)
