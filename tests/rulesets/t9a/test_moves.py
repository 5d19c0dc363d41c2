"""Do blocks move, reform, rush on at random and charge as whole blocks?"""

from __future__ import annotations

import math

import numpy as np
import pytest

from rulesets.t9a.table import battle, begin, block, ends, marked, play
from sim.battle import Terrain, Unit
from sim.engine import judge
from sim.geometry import Path, Pose
from sim.rules.abilities import AbilityError
from sim.rulesets.t9a import RULESET, abilities, formation
from sim.rulesets.t9a.commands import AdvanceMove, Charge, March, RandomMove, Reform


def codes(start: object, command: object) -> tuple[str, ...]:
    return judge(RULESET, start, command).codes  # type: ignore[arg-type]


def turned(unit: Unit, degrees: float, dy: float = 0.0) -> tuple[Path, ...]:
    """The whole block turned about its first model, and moved."""
    poses = tuple(m.pose for m in unit.models if m.pose is not None)
    first = Pose(poses[0].x, poses[0].y + dy, poses[0].facing + degrees)
    ends_ = formation.moved(poses, first)
    return tuple(Path.through(a, [[b.x, b.y, b.facing]]) for a, b in zip(poses, ends_, strict=True))


def test_a_block_turns_as_one() -> None:
    unit = block("block", "red", (30.0, 20.0))
    start = battle(unit, step="moves")
    assert codes(start, AdvanceMove("block", turned(unit, 30.0))) == ()
    paths = turned(unit, 30.0)
    pose = unit.models[4].pose
    assert pose is not None
    loose = (*paths[:4], Path(pose, ()), *paths[5:])
    assert codes(start, AdvanceMove("block", loose)) == ("broken-ranks",)


def test_rates() -> None:
    unit = block("block", "red", (30.0, 20.0))
    start = battle(unit, step="moves")
    assert codes(start, AdvanceMove("block", turned(unit, 0.0, 5.0))) == ()
    assert codes(start, AdvanceMove("block", turned(unit, 0.0, 5.001))) == ("too-far",)
    assert codes(start, March("block", turned(unit, 0.0, 10.0))) == ()
    assert codes(start, March("block", turned(unit, 0.0, 10.001))) == ("too-far",)
    walker = block("block", "red", (30.0, 20.0), profile=(("M", 4.0),))
    assert codes(battle(walker, step="moves"), March("block", turned(walker, 0.0, 8.0))) == ()
    nobody = block("block", "red", (30.0, 20.0), profile=())
    assert codes(battle(nobody, step="moves"), March("block", turned(nobody, 0.0, 1.0))) == ("not-eligible",)


def test_nobody_moves_twice() -> None:
    unit = marked(block("block", "red", (30.0, 20.0)), "moved")
    assert codes(battle(unit, step="moves"), March("block", turned(unit, 0.0, 1.0))) == ("not-eligible",)


def reformed(unit: Unit, files: int, at: tuple[float, float] = (30.0, 20.0), facing: float = 90.0) -> Reform:
    bases = [m.base for m in unit.models]
    return Reform(unit.id, formation.ranks(bases, files, 0.0, at, facing))


def test_reform_keeps_the_centre() -> None:
    unit = block("block", "red", (30.0, 20.0))
    start = battle(unit, step="moves")
    assert codes(start, reformed(unit, 3)) == ()
    assert codes(start, reformed(unit, 10, facing=45.0)) == ()
    assert codes(start, reformed(unit, 5, (30.0, 20.5))) == ("too-far",)
    assert codes(start, reformed(unit, 5, (30.0, 20.005))) == ("too-far",)
    poses = reformed(unit, 5).models
    assert codes(start, Reform("block", (*poses[:9], Pose(32.0, 19.4, 90.0)))) == ("broken-ranks", "too-far")
    after = play(begin(start), reformed(unit, 2))
    corners = np.array(RULESET.ask(after, "corners", ("block",)))
    assert np.allclose(corners, [(29, 22.5), (31, 22.5), (31, 17.5), (29, 17.5)], atol=1e-12)


def test_a_long_line_reforms_no_farther_than_it_marches() -> None:
    line = block("line", "red", (36.0, 20.0), 23, 23)
    assert codes(battle(line, step="moves"), reformed(line, 23, (36.0, 20.0), 180.0)) == ("too-far",)


# --- random movement


def engine(at: tuple[float, float]) -> Unit:
    return block("engine", "red", at, models=1, abilities=("random-movement 2D6",))


@pytest.mark.parametrize(
    ("facing", "faces", "end"),
    [
        (0.0, [3, 4], (37.0, 20.0)),
        (0.0, [6, 6], (40.0, 20.0)),
        (90.0, [6, 6], (30.0, 32.0)),
        (270.0, [6, 6], (30.0, 8.0)),
    ],
)
def test_random_movement_goes_straight_until_something_is_near(
    facing: float, faces: list[int], end: tuple[float, float]
) -> None:
    rock = Terrain("rock", "impassable", ((41.5, 15), (45, 15), (45, 25), (41.5, 25)))
    start = battle(engine((30.0, 20.0)), step="random-movement", terrain=(rock,))
    after = play(begin(start), RandomMove("engine", facing), faces=faces)
    pose = after.unit("engine").models[0].pose
    assert pose is not None
    assert pose.at == pytest.approx(end, abs=1e-9)
    assert after.unit("engine").marked("moved")


def test_random_movement_ends_at_the_edge() -> None:
    after = play(begin(battle(engine((4.0, 20.0)), step="random-movement")), RandomMove("engine", 180.0), faces=[6, 6])
    pose = after.unit("engine").models[0].pose
    assert pose is not None
    assert pose.x == pytest.approx(0.5)


def test_random_movement_past_a_corner() -> None:
    """A gap that never falls to an inch stops nothing; one that just does, where it first does."""
    for offset, end in ((2.0, 35.0), (2.01, 40.0), (1.6, 35.0 - math.sqrt(1.0 - 0.6**2))):
        guard = block("guard", "blue", (36.0, 20.0 + offset), models=1)
        start = battle(engine((30.0, 20.0)), guard, step="random-movement")
        after = play(begin(start), RandomMove("engine", 0.0), faces=[4, 6])
        pose = after.unit("engine").models[0].pose
        assert pose is not None
        assert pose.x == pytest.approx(end, abs=1e-6)


# --- charges


def test_charges() -> None:
    start = battle(block("a", "red", (30.0, 10.0)), block("b", "blue", (30.0, 22.0)), phase="charge", step="charges")
    assert RULESET.ask(start, "charge-needs", ("a", "b")) == 5
    assert codes(start, Charge("a", "a")) == ("not-eligible",)
    assert codes(start, Charge("b", "a")) == ("wrong-phase",)
    far = battle(block("a", "red", (30.0, 3.0)), block("b", "blue", (30.0, 30.0)), phase="charge", step="charges")
    assert codes(far, Charge("a", "b")) == ("target-too-far",)
    assert RULESET.ask(far, "charge-needs", ("a", "b")) == "never"
    reached = play(begin(start), Charge("a", "b"), faces=[2, 3])
    assert reached.unit("a").marked("charging")
    game = begin(start)
    failed = play(game, Charge("a", "b"), faces=[2, 2])
    assert failed.unit("a").marked("shaken")
    assert codes(failed, Charge("a", "b")) == ("not-eligible",)
    assert ends(game, 1).clock.phase == "movement"


@pytest.mark.parametrize(("faces", "mark"), [([2, 2], "shaken"), ([6, 6], "charging")])
def test_whoever_attempted_a_charge_makes_no_move_in_that_turn(faces: list[int], mark: str) -> None:
    ours, theirs = block("a", "red", (30.0, 10.0)), block("b", "blue", (30.0, 22.0))
    game = begin(battle(ours, theirs, phase="charge", step="charges"))
    assert play(game, Charge("a", "b"), faces=faces).unit("a").marked(mark)
    ends(game, 4)
    assert game.battle.clock.step == "moves"
    unit = game.battle.unit("a")
    for command in (AdvanceMove("a", turned(unit, 0.0, 2.0)), March("a", turned(unit, 0.0, 2.0))):
        assert codes(game.battle, command) == ("not-eligible",)
    reform = Reform("a", formation.ranks([m.base for m in unit.models], 2, 0.0, (30.0, 10.0), 90.0))
    assert codes(game.battle, reform) == ("not-eligible",)
    assert [offer.command for offer in RULESET.available(game.battle)] == ["end-step"]
    ends(game, 18)
    assert not game.battle.unit("a").markers
    assert codes(game.battle, AdvanceMove("a", turned(game.battle.unit("a"), 0.0, 2.0))) == ()


def test_a_shaken_engine_neither_rushes_on_nor_makes_the_others_wait() -> None:
    shaken = marked(engine((30.0, 20.0)), "shaken")
    start = battle(shaken, block("a", "red", (50.0, 20.0)), step="random-movement")
    assert codes(start, RandomMove("engine", 0.0)) == ("not-eligible",)
    assert codes(start, AdvanceMove("a", turned(start.unit("a"), 0.0, 2.0))) == ()
    assert RULESET.left_behind(start) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("random-movement fast", "random-movement: expected dice such as 2D6, got 'fast'"),
        ("ambush: tabel-edge", "did you mean table-edge?"),
        ("ambush: 6, 8", "expected one place and at most one number of inches"),
        ("ambsh: table-edge", "did you mean ambush?"),
    ],
)
def test_an_ability_that_is_not_understood_is_refused(text: str, said: str) -> None:
    with pytest.raises(AbilityError) as caught:
        abilities.read(text)
    assert said in str(caught.value)


def test_abilities_as_players_write_them() -> None:
    assert abilities.read("Ambush (Table Edge)") == "ambush Table Edge"
    assert abilities.read("Ambush (8, Table Edge)") == "ambush 8, Table Edge"
    assert abilities.read("ambush: wildhorns") == "ambush: wildhorns"
    assert abilities.read("Random Movement (2D6)") == "random-movement 2D6"
