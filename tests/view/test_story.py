"""What an act came to, in sentences: told from the events alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import (
    Battle,
    ChoiceMade,
    Clock,
    ClockAdvanced,
    DiceRolled,
    Event,
    Marker,
    MarkerSet,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    RollAbout,
    ScoreChanged,
    UnitParted,
    WoundsChanged,
)
from sim.battle.state import DESTROYED
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.geometry import Path, Pose
from sim.rules import EndStep
from sim.rules.sequence import OVER
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import Charge, Shoot
from sim.view.story import story
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, squad


def table() -> Battle:
    men = squad("men", "red", "Intercessor Squad", (10, 10), 3)
    return battle(SHOOTING, men, squad("foe", "blue", "Boyz", (10, 20), 3))


def told(*events: Event, start: Battle | None = None) -> list[str]:
    return list(story(RULESET, start or table(), None, events))


def rolled(
    kind: str, faces: tuple[int, ...], needs: int, again: bool = False, weapon: str = "bolt rifle"
) -> DiceRolled:
    mine = RollAbout(kind, "men", "foe", weapon=weapon, needs=needs, again=again)
    saves = RollAbout(kind, "foe", "men", weapon=weapon, needs=needs, again=again)
    return DiceRolled(kind, 6, faces, saves if kind == "save" else mine)


def test_who_did_what_comes_first() -> None:
    assert story(RULESET, table(), Shoot("men", ()), ()) == ("men: Shooting",)
    assert story(RULESET, table(), EndStep(), ()) == ()
    assert story(RULESET, table(), Shoot("nobody", ()), ()) == ()


def test_a_volley_is_one_line() -> None:
    volley = (rolled("hit", (1, 3, 4), 3), rolled("wound", (4, 3), 4), rolled("save", (5,), 5))
    assert told(*volley) == ["Bolt rifle at foe: 2 of 3 hit, 1 of 2 wound, 1 of 1 saved"]
    assert told(rolled("hit", (1,), 3)) == ["Bolt rifle at foe: 0 of 1 hit"]
    assert told(rolled("attacks", (4,), 1)) == []


def test_another_weapon_is_another_line() -> None:
    both = rolled("hit", (3,), 3), rolled("hit", (2, 6), 3, weapon="plasma pistol")
    assert told(*both) == ["Bolt rifle at foe: 1 of 1 hit", "Plasma pistol at foe: 1 of 2 hit"]


@pytest.mark.parametrize(
    ("first", "again", "hits"),
    [
        ((1, 2, 5), (3,), 2),  # one that had failed fell again and hit
        ((1, 2, 5), (3, 4), 3),  # both that had failed
        ((1, 2, 5), (1, 1), 1),
        ((5, 6), (1,), 1),  # none had failed: one that had hit fell again, and missed
        ((5, 6), (4,), 2),
    ],
)
def test_dice_that_fall_again_stand_for_those_that_had_failed(
    first: tuple[int, ...], again: tuple[int, ...], hits: int
) -> None:
    assert told(rolled("hit", first, 3), rolled("hit", again, 3, again=True)) == [
        f"Bolt rifle at foe: {hits} of {len(first)} hit"
    ]


def test_other_dice_are_said_with_their_faces() -> None:
    assert told(DiceRolled("charge of men", 6, (3, 4))) == ["Charge of men: 3 4"]
    about = RollAbout("advance", "men")
    assert told(rolled("hit", (6,), 3), DiceRolled("advance of men", 6, (5,), about)) == [
        "Bolt rifle at foe: 1 of 1 hit",
        "Advance of men: 5",
    ]


def test_losses_are_counted_for_each_unit() -> None:
    assert told(ModelsRemoved("foe", ("foe-3",), DESTROYED)) == ["foe lost 1 model, 2 left"]
    gone = ModelsRemoved("foe", ("foe-3",), DESTROYED), ModelsRemoved("foe", ("foe-2",), DESTROYED)
    assert told(*gone) == ["foe lost 2 models, 1 left"]
    assert told(ModelsRemoved("foe", ("foe-1", "foe-2", "foe-3"), DESTROYED)) == ["foe: destroyed"]
    assert told(ModelsRemoved("foe", ("foe-1", "foe-2", "foe-3"), "reserves")) == ["foe left the table, 3 models"]


def test_wounds_of_who_lives_are_said_and_of_who_died_are_not() -> None:
    assert told(WoundsChanged("men-1", 1)) == ["men 1 has lost 1 wound"]
    assert told(WoundsChanged("men-1", 2)) == ["men 1 has lost 2 wounds"]
    died = WoundsChanged("men-1", 1), ModelsRemoved("men", ("men-1",), DESTROYED)
    assert told(*died) == ["men lost 1 model, 2 left"]


def test_moves_and_arrivals() -> None:
    paths = (("men-1", Path.through(Pose(10, 10), [[10.0, 13.0]])), ("men-2", Path(Pose(11.6, 10), ())))
    assert told(ModelsMoved("men", paths)) == ['men moved 3.00"']
    assert told(ModelsMoved("men", ())) == ['men moved 0.00"']
    placed = tuple((f"men-{k}", Pose(30.0 + 2 * k, 30.0)) for k in (1, 2, 3))
    away = ModelsRemoved("men", ("men-1", "men-2", "men-3"), "reserves")
    assert told(away, ModelsPlaced("men", placed))[-1] == "men is set up, 3 models"
    assert told(away, ModelsPlaced("men", placed[:1]))[-1] == "men is set up"
    assert told(ModelsPlaced("men", placed)) == ["men stands anew, 3 models"]


def test_what_is_told_keeps_its_order() -> None:
    """A volley and its losses are settled before whatever comes after them."""
    after = (
        ModelsMoved("men", ()),
        ScoreChanged("red", 5, "points"),
        ChoiceMade("red", "which", "men-1"),
        ModelsPlaced("foe", (("foe-1", Pose(5, 5)),)),
        ClockAdvanced(Clock(2, "red", "charge", "charge")),
        UnitParted("men", (table().unit("men"),)),
    )
    for event in after:
        first, *rest = told(rolled("hit", (6,), 3), event)
        assert first == "Bolt rifle at foe: 1 of 1 hit"
        assert len(rest) == (0 if isinstance(event, UnitParted) else 1)


def test_choices_are_said_but_not_those_by_which_nothing_happens() -> None:
    assert told(ChoiceMade("red", "which", "men-2")) == ["Red: men 2"]
    assert told(ChoiceMade("red", "which", "decline")) == []
    assert told(ChoiceMade("red", "which", "no")) == []
    assert told(ChoiceMade("red", "which die", "1")) == [], "its roll tells it"
    assert told(ChoiceMade("red", "x", "fire-overwatch: men", "enemy-starts-a-move", "foe")) == []
    assert told(ChoiceMade("red", "x", "fire-overwatch: men", "stratagem", "foe")) == [
        "Red: Fire overwatch: men on foe"
    ]
    assert told(ChoiceMade("red", "x", "fire-overwatch: men", "stratagem")) == ["Red: Fire overwatch: men"]


def test_points_and_the_end() -> None:
    assert told(ScoreChanged("red", 5, "points")) == ["Red scored 5 (Red 5 · Blue 0)"]
    assert told(ScoreChanged("red", 1, "cp")) == []
    assert told(MarkerSet("men", Marker("moved"))) == []
    assert told(ClockAdvanced(Clock(2, "red", "charge", "charge"))) == ["Round 2 · Red · Charge"]
    over = ClockAdvanced(Clock(5, "red", OVER, OVER))
    assert told(over, start=replace(table(), score=(("red", 9), ("blue", 3)))) == ["Red wins, 9 to 3"]


def test_who_is_left_of_an_attached_unit_goes_on_alone() -> None:
    start = table()
    alone = replace(start.unit("men"), id="captain", name="Captain", models=start.unit("men").models[:1])
    gone = replace(start.unit("men"), models=start.unit("men").models[1:])
    empty = replace(alone, id="nobody", models=())
    assert told(UnitParted("men", (gone, alone, empty))) == ["Captain goes on alone"]


@pytest.mark.parametrize(("faces", "last"), [((2, 3), "It fails: it needed 8"), ((4, 5), "Charge of men: 4 5")])
def test_a_charge_that_rolled_too_little_is_called_failed(faces: tuple[int, int], last: str) -> None:
    start = battle(CHARGE, squad("men", "red", "Intercessor Squad", (10, 10)), squad("foe", "blue", "Boyz", (10, 20)))
    entry = Game(RULESET, start).play(Charge("men", ("foe",)), ScriptedDice(faces))
    said = story(RULESET, start, entry.command, entry.events)
    assert said[0] == "men: Charge"
    assert said[-1] == last
