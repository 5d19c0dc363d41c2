"""Does each event change what it says, and nothing else?"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import (
    Battle,
    BattleError,
    ChoiceMade,
    Clock,
    ClockAdvanced,
    DiceRolled,
    Event,
    Marker,
    MarkerCleared,
    MarkerSet,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    ScoreChanged,
    WoundsChanged,
    digest,
    evolve,
    evolve_all,
)
from sim.battle.state import RESERVES
from sim.geometry import Path, Pose
from tests.toy import skirmish


@pytest.fixture
def battle() -> Battle:
    return skirmish()


def changed_units(before: Battle, after: Battle) -> set[str]:
    return {a.id for a, b in zip(before.units, after.units, strict=True) if a != b}


def test_models_are_placed(battle: Battle) -> None:
    poses = (("newts-1", Pose(20.0, 15.0)), ("newts-2", Pose(21.5, 15.0, 90.0, 1.0)))
    after = evolve(battle, ModelsPlaced("newts", poses))
    assert after.unit("newts").on_table
    assert [m.pose for m in after.unit("newts").models] == [pose for _, pose in poses]
    assert changed_units(battle, after) == {"newts"}
    assert battle == skirmish()


def test_models_end_where_their_paths_end(battle: Battle) -> None:
    start = battle.model("ants-2").pose
    assert start is not None
    path = Path.through(start, [[8.0, 4.0], [8.0, 5.0, 45.0]])
    after = evolve(battle, ModelsMoved("ants", (("ants-2", path),)))
    assert after.model("ants-2").pose == Pose(8.0, 5.0, 45.0)
    assert after.model("ants-1") == battle.model("ants-1")
    assert changed_units(battle, after) == {"ants"}


def test_the_fallen_are_gone_and_a_unit_without_models_is_destroyed(battle: Battle) -> None:
    after = evolve(battle, ModelsRemoved("mice", ("mice-1",)))
    assert [m.id for m in after.unit("mice").models] == ["mice-2"]
    assert after.unit("mice").on_table
    last = evolve(after, ModelsRemoved("mice", ("mice-2",)))
    assert last.unit("mice").models == ()
    assert last.unit("mice").whereabouts == "destroyed"
    assert not last.has_model("mice-2")


def test_who_leaves_for_another_place_keeps_its_models(battle: Battle) -> None:
    some = evolve(battle, ModelsRemoved("mice", ("mice-1",), RESERVES))
    assert some.unit("mice").on_table
    assert [m.pose is None for m in some.unit("mice").models] == [True, False]
    all_of_them = evolve(some, ModelsRemoved("mice", ("mice-2",), RESERVES))
    assert all_of_them.unit("mice").whereabouts == RESERVES
    assert len(all_of_them.unit("mice").models) == 2


def test_wounds_are_a_count_and_no_addition(battle: Battle) -> None:
    once = evolve(battle, WoundsChanged("toad-1", 2))
    assert evolve(once, WoundsChanged("toad-1", 2)) == once
    assert once.model("toad-1").wounds_lost == 2
    assert changed_units(battle, once) == {"toad"}


def test_markers_come_and_go_by_their_kind(battle: Battle) -> None:
    laid = evolve_all(
        battle,
        (
            MarkerSet("toad", Marker("wet", "rain", 1)),
            MarkerSet("toad", Marker("wet", "pond", 2)),
            MarkerSet("toad", Marker("angry")),
        ),
    )
    assert [m.kind for m in laid.unit("toad").markers] == ["wet", "wet", "angry"]
    assert laid.unit("toad").marked("wet")
    dried = evolve(laid, MarkerCleared("toad", "wet"))
    assert dried.unit("toad").markers == (Marker("angry"),)
    assert evolve(dried, MarkerCleared("toad", "wet")) == dried


def test_dice_and_choices_change_nothing(battle: Battle) -> None:
    assert evolve(battle, DiceRolled("hit", 6, (1, 2))) == battle
    assert evolve(battle, ChoiceMade("red", "who", "toad")) == battle


def test_scores_and_resources_add_up_apart(battle: Battle) -> None:
    after = evolve_all(
        battle,
        (ScoreChanged("red", 3), ScoreChanged("red", -1), ScoreChanged("red", -2, "pluck")),
    )
    assert dict(after.score) == {"blue": 0, "red": 2}
    assert set(after.resources) == {("blue", "pluck", 2), ("red", "pluck", 0)}
    fresh = evolve(replace(battle, score=(), resources=()), ScoreChanged("blue", 4, "mud"))
    assert fresh.resources == (("blue", "mud", 4),)


def test_the_order_of_scores_does_not_depend_on_who_scored_first(battle: Battle) -> None:
    empty = replace(battle, score=(), resources=())
    one, two = ScoreChanged("red", 1), ScoreChanged("blue", 1)
    assert digest(evolve_all(empty, (one, two))) == digest(evolve_all(empty, (two, one)))


def test_the_clock_is_replaced(battle: Battle) -> None:
    clock = Clock(2, "red", "throws", "pebbles")
    assert evolve(battle, ClockAdvanced(clock)) == replace(battle, clock=clock)


WRONG: list[tuple[Event, str]] = [
    (ModelsPlaced("nobody", ()), "no unit is called 'nobody'"),
    (ModelsPlaced("ants", (("toad-1", Pose(0.0, 0.0)),)), "unit ants has no model called toad-1"),
    (ModelsMoved("ants", (("x", Path(Pose(0.0, 0.0), ())),)), "unit ants has no model called x"),
    (ModelsRemoved("ants", ("x", "y")), "unit ants has no model called x, y"),
    (WoundsChanged("nobody-1", 1), "no model is called 'nobody-1'"),
    (MarkerSet("nobody", Marker("wet")), "no unit is called 'nobody'"),
    (MarkerCleared("nobody", "wet"), "no unit is called 'nobody'"),
    (ScoreChanged("green", 1), "no player is called 'green'"),
]


@pytest.mark.parametrize(("event", "what"), WRONG, ids=lambda value: type(value).__name__)
def test_events_about_nobody_are_errors(battle: Battle, event: Event, what: str) -> None:
    with pytest.raises(BattleError) as caught:
        evolve(battle, event)
    assert str(caught.value) == what
    assert battle == skirmish()
