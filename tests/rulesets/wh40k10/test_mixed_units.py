"""A unit of models that are not alike: flying, large or tall is a model by itself, not whoever is in its unit."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sim.battle import Battle, Floor, Terrain, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices
from sim.geometry import Path
from sim.rulesets.wh40k10 import RULESET, falling_back, leaders, movement, visibility
from sim.rulesets.wh40k10.commands import FallBack, NormalMove
from tests.rulesets.wh40k10.stage import battle, judged, now, squad

MOVE = now("movement", "move-units")
WALL = Terrain("wall", "ruin-wall", ((8.0, 13.0), (20.0, 13.0), (20.0, 13.2), (8.0, 13.2)), 5.0)
RUIN = Terrain("ruin", "ruin", ((5.0, 13.0), (30.0, 13.0), (30.0, 17.0), (5.0, 17.0)))


def mixed(own: Sequence[str], leading: Sequence[str]) -> Unit:
    """A model at (10, 10) with a Character at (12, 10), each with keywords of its own."""
    men = squad("men", "red", "", (10, 10), keywords=own)
    chief = squad("chief", "red", "", (12, 10), keywords=("CHARACTER", *leading))
    unit = leaders.joined(men, chief)
    assert isinstance(unit, Unit), unit
    return replace(unit, profile=(("M", 6.0),))


def up(start: Battle, by: float) -> tuple[Path, ...]:
    return tuple(Path.through(m.pose, [[m.pose.x, m.pose.y + by]]) for m in start.unit("men").models if m.pose)


def blamed(start: Battle, by: float, code: str) -> set[str]:
    """The models at fault in a move straight up."""
    verdict = judged(start, NormalMove("men", up(start, by)))
    return {v.subjects[0] for v in verdict.violations if v.code == code}


def test_only_the_model_that_can_fly_flies_over_an_enemy() -> None:
    foes = squad("foe", "blue", "Boyz", (10, 13), 2, gap=2.0)
    start = battle(MOVE, mixed(("INFANTRY",), ("INFANTRY", "FLY")), foes)
    assert blamed(start, 5.9, "crosses-model") == {"men-1"}
    assert blamed(start, 5.9, "enters-engagement") == {"men-1"}


def test_only_infantry_goes_through_a_wall() -> None:
    start = battle(MOVE, mixed(("INFANTRY",), ("MONSTER",)), terrain=[WALL])
    assert blamed(start, 5.9, "crosses-terrain") == {"chief-1"}
    after = battle(MOVE, mixed(("INFANTRY",), ("INFANTRY",)), terrain=[WALL])
    game = Game(RULESET, after)
    game.play(NormalMove("men", up(after, 5.9)), ScriptedDice([]), ScriptedChoices([]))
    assert game.battle.unit("men").marked("moved")


def test_only_the_large_model_is_stopped_by_a_large_friend_and_pays_for_its_pivot() -> None:
    tanks = squad("tank", "red", "", (10, 13), 2, gap=2.0, keywords=("VEHICLE",))
    unit = mixed(("INFANTRY",), ("MONSTER",))
    assert blamed(battle(MOVE, unit, tanks), 5.9, "crosses-model") == {"chief-1"}
    assert [movement.pivot_value(unit, m, False, 2.0) for m in unit.models] == [1.0, 2.0]


def test_only_who_cannot_fly_takes_a_desperate_escape_test() -> None:
    foes = squad("foe", "blue", "Boyz", (10, 11.5), 2, gap=2.0)
    start = battle(MOVE, mixed(("INFANTRY",), ("INFANTRY", "FLY")), foes)
    command = FallBack("men", up(start, 5.0))
    assert falling_back.tests(start, start.unit("men"), command) == ("men-1",)


def test_only_the_towering_model_looks_out_of_a_ruin_that_it_stands_in_with_a_toe() -> None:
    """Both stand over the near edge; the target is on the far side."""
    unit = mixed(("INFANTRY",), ("MONSTER", "TOWERING"))
    ruin = Terrain("ruin", "ruin", ((5.0, 10.2), (30.0, 10.2), (30.0, 17.0), (5.0, 17.0)))
    start = battle(now("shooting", "shoot"), unit, squad("foe", "blue", "Boyz", (11, 25)), terrain=[ruin])
    assert visibility.seen(start, start.unit("men"), start.unit("foe"))[:, 0].tolist() == [False, True]
    pairs = [(start.unit("men"), model) for model in start.unit("men").models]
    foe = (start.unit("foe"), start.unit("foe").models[0])
    assert [visibility.model_sees(start, pair, foe) is not None for pair in pairs] == [False, True]


def test_only_infantry_has_cover_in_a_crater() -> None:
    crater = Terrain("crater", "crater", ((5.0, 5.0), (20.0, 5.0), (20.0, 15.0), (5.0, 15.0)))
    unit = mixed(("INFANTRY",), ("MONSTER",))
    start = battle(now("shooting", "shoot", "blue"), unit, squad("foe", "blue", "Boyz", (11, 30)), terrain=[crater])
    covered = [visibility.has_cover(start, start.unit("foe"), start.unit("men"), m) for m in unit.models]
    assert [why is not None for why in covered] == [True, False]


def test_only_infantry_stands_upstairs() -> None:
    floor = Terrain("ruin", "ruin", ((5.0, 5.0), (20.0, 5.0), (20.0, 20.0), (5.0, 20.0)))

    floor = Terrain("ruin", "ruin", floor.outline, floors=(Floor(3.0, floor.outline),))
    start = battle(MOVE, mixed(("INFANTRY",), ("MONSTER",)), terrain=[floor])
    paths = tuple(
        Path.through(m.pose, [[m.pose.x, m.pose.y + 1, 0.0, 3.0]]) for m in start.unit("men").models if m.pose
    )
    verdict = judged(start, NormalMove("men", paths))
    assert {v.subjects[0] for v in verdict.violations if v.code == "wrong-floor"} == {"chief-1"}
