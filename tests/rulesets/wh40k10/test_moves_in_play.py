"""Moves that are answered, fall short or are not made: what the unit has done then, and what it may still do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Objective
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.geometry import Path, Pose
from sim.rules import NeedChoice
from sim.rulesets.wh40k10 import RULESET, movement
from sim.rulesets.wh40k10.commands import Advance, Charge, Consolidate, NormalMove
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, battle, judged, now, played, squad

MOVE = now("movement", "move-units")


def up(unit: str, at: tuple[float, float], inches: float, count: int = 1, gap: float = 1.6) -> tuple[Path, ...]:
    return tuple(Path.through(Pose(at[0] + gap * k, at[1]), [[at[0] + gap * k, at[1] + inches]]) for k in range(count))


def test_who_rolled_for_an_advance_has_advanced_though_nobody_moved() -> None:
    men = squad("men", "red", "Intercessor Squad", (10, 10))
    start = battle(MOVE, men, squad("foe", "blue", "Boyz", (10, 30)))
    game = Game(RULESET, start)
    game.play(Advance("men", up("men", (10, 10), 11.0)), ScriptedDice((2,)))
    unit = game.battle.unit("men")
    assert unit.models[0].pose == Pose(10, 10)
    assert unit.marked("advanced")
    assert not unit.marked("moved")
    later = replace(game.battle, clock=CHARGE)
    near = later.with_unit(squad("foe", "blue", "Boyz", (10, 18)))
    assert "not-eligible" in judged(near, Charge("men", ("foe",))).codes
    game.play(Advance("men", up("men", (10, 10), 8.0)), ScriptedDice(()))
    assert game.battle.unit("men").models[0].pose == Pose(10, 18)


@pytest.mark.parametrize("kind", [NormalMove, Advance])
def test_who_would_be_scattered_by_overwatch_stays_and_chooses_another_way(kind: type[NormalMove | Advance]) -> None:
    spots = ((13.0, 10.0), (10.0, 10.0), (16.0, 10.0))  # the wounded one, who suffers first, stands between the others
    men = squad("men", "red", "Intercessor Squad", (13, 10), 3, wounds=1)
    men = replace(men, models=tuple(replace(m, pose=Pose(*at)) for m, at in zip(men.models, spots, strict=True)))
    foe = squad("foe", "blue", "Strike Team", (13, 28), 1, loadout=["pulse rifle"])
    game = Game(RULESET, battle(MOVE, men, foe, cp=1))
    ahead = tuple(Path.through(Pose(*at), [[at[0], 12.0]]) for at in spots)
    rolled = (3,) if kind is Advance else ()
    entry = game.play(kind("men", ahead), ScriptedDice((6, 6, 1, *rolled)), Answering("fire-overwatch: foe"))
    left = game.battle.unit("men")
    assert [m.pose for m in left.models] == [Pose(10, 10), Pose(16, 10)], entry.choices
    assert not left.marked("moved")
    together = (Path.through(Pose(10, 10), [[12.0, 10.0]]), Path.through(Pose(16, 10), [[14.0, 10.0]]))
    game.play(kind("men", together), ScriptedDice(()))
    assert [m.pose for m in game.battle.unit("men").models] == [Pose(12, 10), Pose(14, 10)]
    assert game.battle.unit("men").marked("moved")


class Answering:
    """Gives one answer where it is offered, and elsewhere the first."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        return self.answer if self.answer in need.options else need.options[0]


def test_who_is_engaged_does_not_consolidate_away_to_a_marker() -> None:
    men = squad("men", "red", "Intercessor Squad", (10, 10), markers=[Marker("fought", until="end-of-phase")])
    foe = squad("foe", "blue", "Boyz", (10, 12.2))
    start = battle(FIGHT, men, foe, objectives=[Objective("A", (10.0, 4.0), 20 / 25.4)])
    away = Consolidate("men", (Path.through(Pose(10, 10), [[10, 7.0]]),))
    assert "target-not-reached" in judged(start, away).codes


def test_an_advance_in_which_nobody_moves_is_the_roll_alone() -> None:
    start = battle(now("movement", "move-units"), squad("men", "red", "Intercessor Squad", (10, 10), 1))
    rolled = played(start, (Advance("men", (Path(Pose(10, 10), ()),)), (4,)))
    assert movement.advance_roll(rolled.unit("men")) == 4
    assert rolled.unit("men").marked("advanced")
    assert judged(rolled, Advance("men", (Path.through(Pose(10, 10), [[10.0, 20.01]]),))).codes == ("too-far",)
    moved = played(rolled, (Advance("men", (Path.through(Pose(10, 10), [[10.0, 20.0]]),)), ()))
    assert moved.unit("men").models[0].pose == Pose(10.0, 20.0)
    assert movement.advance_roll(moved.unit("men")) is None
    assert movement.rolls_first(moved, rolled.unit("men")) is None
