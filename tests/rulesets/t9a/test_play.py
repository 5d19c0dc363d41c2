"""Does an ambush run as the rule says, from the roll to the last turn?"""

from __future__ import annotations

import numpy as np
import pytest

from rulesets.t9a.table import battle, begin, block, ends, herd, hero, play
from sim.battle import ModelsPlaced, Unit
from sim.engine import judge
from sim.geometry import Path, Pose
from sim.geometry.shapes import FARTHEST, FARTHEST_CHOICE
from sim.rules import Deploy, EndStep
from sim.rulesets.t9a import RULESET, questions
from sim.rulesets.t9a.commands import AdvanceMove, Ambush, Join, MagicMove, March, RandomMove, Reform

SPOT = Ambush("herd", (20.0, 0.0), (20.0, 3.0), 90.0)
STEPS_OF_A_TURN = sum(len(phase.steps) for phase in RULESET.phases if not phase.setup)


def codes(start: object, command: object) -> tuple[str, ...]:
    return judge(RULESET, start, command).codes  # type: ignore[arg-type]


def on(unit: Unit, dx: float = 0.0, dy: float = 1.0) -> tuple[Path, ...]:
    """The whole block straight on."""
    return tuple(Path.through(m.pose, [[m.pose.x + dx, m.pose.y + dy]]) for m in unit.models if m.pose is not None)


@pytest.mark.parametrize(("turn", "face", "comes"), [(2, 2, False), (2, 3, True), (4, 1, False), (4, 6, True)])
def test_the_roll(turn: int, face: int, comes: bool) -> None:
    game = begin(battle(herd(), turn=turn))
    after = ends(game, 1, faces=[face])
    assert after.unit("herd").marked("arriving") is comes
    assert (codes(after, SPOT) == ()) is comes
    if not comes:
        assert codes(after, SPOT) == ("not-eligible",)


@pytest.mark.parametrize("turn", [5, 6])
def test_no_roll_is_needed_from_the_fifth_turn_on(turn: int) -> None:
    assert ends(begin(battle(herd(), turn=turn)), 1).unit("herd").marked("arriving")


def test_nobody_rolls_in_the_first_turn() -> None:
    assert not ends(begin(battle(herd(), turn=1)), 1).unit("herd").markers


def test_only_the_player_whose_turn_it_is_rolls() -> None:
    mine, theirs = herd(), block("wolves", "blue", None, abilities=("ambush: table-edge",))
    after = ends(begin(battle(mine, theirs)), 1, faces=[3])
    assert (after.unit("herd").marked("arriving"), after.unit("wolves").markers) == (True, ())


def test_a_failed_roll_is_made_again_next_turn() -> None:
    game = begin(battle(herd()))
    after = ends(game, STEPS_OF_A_TURN * 2, faces=[2])
    assert (after.clock.round, after.clock.player) == (3, "red")
    assert after.unit("herd").markers == ()
    assert ends(game, 1, faces=[4]).unit("herd").marked("arriving")


def test_who_finds_no_room_rolls_again() -> None:
    game = begin(battle(herd()))
    ends(game, STEPS_OF_A_TURN * 2, faces=[6])
    assert not game.battle.unit("herd").marked("arriving")
    ends(game, 1, faces=[2])
    assert codes(game.battle, SPOT) == ("not-eligible",)


def test_the_unit_stands_in_ranks_about_its_centre() -> None:
    after = play(begin(battle(herd(models=7))), SPOT, faces=[3])
    unit = after.unit("herd")
    stands = np.array([(m.pose.x, m.pose.y) for m in unit.models if m.pose is not None])
    expected = [(18, 3.5), (19, 3.5), (20, 3.5), (21, 3.5), (22, 3.5), (18, 2.5), (19, 2.5)]
    assert np.allclose(stands, expected, atol=1e-12)
    corners = np.array(RULESET.ask(after, "corners", ("herd",)))
    assert np.allclose(corners, [(17.5, 4), (22.5, 4), (22.5, 2), (17.5, 2)], atol=1e-12)


def test_after_arriving_nothing_but_magic_moves_it() -> None:
    game = begin(battle(herd(x="table-edge")))
    ends(game, 1, faces=[3])
    arrived = play(game, SPOT).unit("herd")
    ends(game, 2)
    assert game.battle.clock.step == "moves"
    poses = tuple(m.pose for m in arrived.models if m.pose is not None)
    assert codes(game.battle, March("herd", on(arrived))) == ("not-eligible",)
    assert codes(game.battle, AdvanceMove("herd", on(arrived))) == ("not-eligible",)
    assert codes(game.battle, Reform("herd", poses)) == ("not-eligible",)
    assert codes(game.battle, RandomMove("herd", 90.0)) == ("not-eligible",)
    ends(game, 1)
    assert game.battle.clock.phase == "magic"
    magic = MagicMove("herd", 4.0, on(arrived, dy=4.0))
    assert codes(game.battle, magic) == ()
    moved = play(game, magic).unit("herd").models[0].pose
    assert moved is not None
    assert moved.y == pytest.approx(7.5)
    assert codes(game.battle, MagicMove("herd", 4.0, on(game.battle.unit("herd"), dy=4.1))) == ("too-far",)


def test_next_turn_it_moves_like_any_other() -> None:
    game = begin(battle(herd()))
    play(game, SPOT, faces=[3])
    after = ends(game, STEPS_OF_A_TURN * 2)
    ends(game, 3)
    assert after.unit("herd").markers == ()
    assert codes(game.battle, March("herd", on(game.battle.unit("herd"), dy=8.0))) == ()


def test_one_with_random_movement_arrives_and_stays() -> None:
    beast = block("herd", "red", None, models=1, abilities=("ambush: table-edge", "random-movement 2D6"))
    game = begin(battle(beast))
    ends(game, 1, faces=[5])
    play(game, Ambush("herd", (20.0, 0.0), (20.0, 2.0), 90.0))
    ends(game, 1)
    assert game.battle.clock.step == "random-movement"
    assert codes(game.battle, RandomMove("herd", 90.0)) == ("not-eligible",)
    assert [o.command for o in RULESET.available(game.battle)] == ["end-step"]


def test_random_movement_waits_for_the_ambush() -> None:
    engine = block("engine", "red", (40.0, 20.0), models=1, abilities=("random-movement 2D6",))
    start = battle(herd(), engine)
    assert codes(start, RandomMove("engine", 0.0)) == ("wrong-phase",)
    game = begin(start)
    ends(game, 1, faces=[3])
    assert codes(game.battle, RandomMove("engine", 0.0)) == ("wrong-phase",)
    play(game, SPOT)
    assert codes(game.battle, RandomMove("engine", 0.0)) == ()


def test_an_ambush_is_too_late_once_others_move() -> None:
    assert codes(battle(herd(), step="moves"), SPOT) == ("wrong-phase",)
    assert codes(battle(herd(), phase="magic", step="magic"), SPOT) == ("wrong-phase",)
    assert codes(battle(herd(), player="blue"), SPOT) == ("wrong-phase",)


def test_who_is_not_in_ambush_does_not_arrive() -> None:
    assert codes(battle(block("herd", "red", (20.0, 30.0), abilities=("ambush: table-edge",))), SPOT) == (
        "not-eligible",
    )
    assert codes(battle(block("herd", "red", None)), SPOT) == ("not-eligible",)


@pytest.mark.parametrize(("turn", "keeps"), [(5, True), (6, False)])
def test_scoring_is_lost_in_game_turn_six(turn: int, keeps: bool) -> None:
    after = play(begin(battle(herd(keywords=("SCORING",)), turn=turn)), SPOT)
    assert RULESET.ask(after, "scores", ("herd",)) is keeps


def test_whoever_never_arrives_is_destroyed_at_the_end() -> None:
    waiting, reserve = herd(), block("late", "red", None)
    game = begin(battle(waiting, reserve, turn=6))
    steps = STEPS_OF_A_TURN
    before_end = ends(game, steps - 3)
    assert (before_end.clock.step, before_end.unit("herd").whereabouts) == ("combats", "reserves")
    after = ends(game, 1)
    assert after.unit("herd").whereabouts == "destroyed"
    assert after.unit("late").whereabouts == "reserves", "it does not have Ambush"
    assert codes(after, EndStep()) == ("battle-over",)
    assert codes(after, SPOT) != ()


# --- joined models


def test_a_joined_model_arrives_in_the_front_rank_by_one_roll() -> None:
    game = begin(battle(herd(models=9), hero()))
    play(game, Join("hero", "herd"))
    ends(game, 1, faces=[3])
    entry = game.play(SPOT, dice=None)  # type: ignore[arg-type]
    assert {e.unit for e in entry.events if isinstance(e, ModelsPlaced)} == {"herd", "hero"}
    after = game.battle
    stands = after.unit("hero").models[0].pose
    assert stands is not None
    assert stands.at == pytest.approx((18.0, 3.5))
    assert questions.block(after, "herd").polygon.area == pytest.approx(10.0)
    ends(game, STEPS_OF_A_TURN * 2 + 2)
    moved = play(game, AdvanceMove("herd", on(game.battle.unit("herd"), dy=3.0)))
    stands = moved.unit("hero").models[0].pose
    assert stands is not None
    assert stands.at == pytest.approx((18.0, 6.5))
    assert codes(moved, AdvanceMove("hero", on(moved.unit("hero")))) == ("not-eligible",)


def test_the_boundary_of_both_is_judged() -> None:
    wall = block("wall", "blue", (20.0, 6.6), models=5)
    alone = battle(herd(models=5), hero(), wall)
    there = Ambush("herd", (20.0, 0.0), (20.0, 4.2), 90.0)
    assert codes(alone, there) == ()
    game = begin(alone)
    play(game, Join("hero", "herd"))
    assert codes(game.battle, there) == ("unit-spacing",)
    assert codes(game.battle, Ambush("hero", (20.0, 0.0), (20.0, 2.0), 90.0)) == ("not-eligible",)


def test_when_the_roll_fails_the_model_may_choose_again() -> None:
    game = begin(battle(herd(), hero()))
    play(game, Join("hero", "herd"))
    ends(game, 1, faces=[1])
    assert game.battle.unit("hero").marked("joined")
    ends(game, STEPS_OF_A_TURN)
    assert not game.battle.unit("hero").marked("joined")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (hero("open-terrain"), herd()),
        (hero("8, table-edge"), herd()),
        (hero(), block("herd", "red", None)),
        (hero(), block("herd", "blue", None, abilities=("ambush: table-edge",))),
        (block("hero", "red", None, models=1, abilities=("ambush: table-edge",)), herd()),
    ],
)
def test_who_does_not_fit_does_not_join(one: Unit, other: Unit) -> None:
    assert codes(battle(one, other), Join("hero", "herd")) == ("not-eligible",)


def test_joining_is_declared_before_the_roll() -> None:
    game = begin(battle(herd(), hero()))
    assert codes(game.battle, Join("hero", "hero")) == ("not-eligible",)
    ends(game, 1, faces=[3, 3])
    assert codes(game.battle, Join("hero", "herd")) == ("not-eligible", "wrong-phase")


# --- setting up


def test_deploying_goes_to_and_fro_and_may_be_left_out() -> None:
    from msgspec.structs import replace

    from sim.battle import Zone

    one, two = block("one", "red", None, models=1), block("two", "blue", None, models=1)
    start = battle(one, two, herd(), turn=1, phase="deployment", step="deploy-units")
    zone = Zone("z", "red", ((0, 0), (72, 0), (72, 12), (0, 12)))
    game = begin(replace(start, battlefield=replace(start.battlefield, zones=(zone,))))
    assert codes(game.battle, Deploy("two", (Pose(5, 5),))) == ("not-eligible", "wrong-phase")
    assert codes(game.battle, Deploy("one", (Pose(5, 12.0),))) == ("not-wholly-within",)
    after = play(game, Deploy("one", (Pose(5, 5),)))
    assert after.clock.player == "blue"
    assert (ends(game, 1).clock.step, game.battle.clock.player) == ("deploy-units", "red"), "blue alone is through"
    assert game.judge(EndStep()).legal
    assert RULESET.left_behind(game.battle) == ("herd stays in ambush.",)
    assert ends(game, 1).unit("herd").whereabouts == "reserves"
    assert (game.battle.clock.phase, game.battle.clock.player) == ("charge", "blue")
    assert not any(unit.markers for unit in game.battle.units)


def test_ambushers_that_wait_lock_nobody_out() -> None:
    from msgspec.structs import replace

    from sim.battle import Zone

    units = (herd(), block("one", "blue", None, models=1), block("two", "blue", None, models=1))
    start = battle(*units, turn=1, phase="deployment", step="deploy-units")
    zone = Zone("z", "blue", ((0, 0), (72, 0), (72, 12), (0, 12)))
    game = begin(replace(start, battlefield=replace(start.battlefield, zones=(zone,))))
    assert ends(game, 1).clock.player == "blue", "red keeps its herd back and is through"
    play(game, Deploy("one", (Pose(5, 5),)), Deploy("two", (Pose(9, 5),)))
    assert (game.battle.clock.phase, game.battle.clock.player) == ("deployment", "blue"), "nobody is asked twice"
    assert ends(game, 1).clock.phase == "charge"


@pytest.mark.parametrize("facing", [90.0, FARTHEST_CHOICE, -FARTHEST_CHOICE])
@pytest.mark.parametrize("at", [(20.0, FARTHEST_CHOICE), (-FARTHEST_CHOICE, FARTHEST_CHOICE)])
def test_a_choice_far_off_the_table_is_a_no_and_not_a_crash(at: tuple[float, float], facing: float) -> None:
    start = battle(herd(models=5), hero())
    assert "off-table" in codes(start, Ambush("herd", (20.0, 0.0), at, facing))


@pytest.mark.parametrize("at", [(0.0, 999999.0), (FARTHEST, 0.0)])
def test_a_choice_so_far_away_that_a_block_about_it_has_no_place_is_not_read(at: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="at: expected finite numbers up to 500000"):
        Ambush("herd", (20.0, 0.0), at, 90.0)
    with pytest.raises(ValueError, match="facing: expected a finite number"):
        RandomMove("herd", FARTHEST)
