"""Does a battle answer about its units and models, and keep its index to itself?"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, BattleError, ModelsPlaced, Unit, digest, evolve
from sim.geometry import Pose
from tests.toy import skirmish


def test_units_and_models_are_found_by_id() -> None:
    battle = skirmish()
    assert battle.unit("toad").models[0] is battle.model("toad-1")
    assert battle.has_unit("toad")
    assert battle.has_model("toad-1")
    assert not battle.has_unit("toad-1")
    assert not battle.has_model("toad")
    with pytest.raises(BattleError, match="no unit is called 'x'"):
        battle.unit("x")
    with pytest.raises(BattleError, match="no model is called 'x'"):
        battle.model("x")
    assert len(list(battle.models())) == 12


def test_a_battle_cannot_be_changed_in_place() -> None:
    battle = skirmish()
    with pytest.raises(AttributeError):
        battle.title = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        battle.units[0].models[0].pose.x = 3.0  # type: ignore[misc, union-attr]


def test_a_model_that_waits_has_no_place() -> None:
    with pytest.raises(BattleError, match="model newts-1 is not on the table"):
        _ = skirmish().model("newts-1").placed
    assert skirmish().model("ants-1").placed.pose == Pose(4.0, 4.0)


def test_one_unit_is_replaced_and_the_others_stay() -> None:
    battle = skirmish()
    renamed = replace(battle.unit("toad"), name="Old Toad")
    after = battle.with_unit(renamed)
    assert after.unit("toad").name == "Old Toad"
    assert [u.id for u in after.units] == [u.id for u in battle.units]
    assert all(a is b for a, b in zip(after.units, battle.units, strict=True) if a.id != "toad")


@pytest.mark.parametrize(
    ("ability", "token", "value"),
    [
        ("deep-strike", "deep-strike", ""),
        ("ambush: table-edge", "ambush", "table-edge"),
        ("ambush: 8, table-edge", "ambush", "8, table-edge"),
        ("random-movement 3D6", "random-movement", "3D6"),
        ("firing-deck 11", "firing-deck", "11"),
        ("firing-deck 11", "firing", None),
        ("deep-striker", "deep-strike", None),
    ],
)
def test_abilities_are_tokens_with_a_value(ability: str, token: str, value: str | None) -> None:
    assert Unit("a", "red", (), abilities=("other", ability)).ability(token) == value


def test_keywords_in_any_case_and_profiles_by_name() -> None:
    unit = Unit("a", "red", (), keywords=("Infantry", "FLY"), profile=(("M", 6.0), ("OC", 0.0)))
    assert unit.has("INFANTRY")
    assert unit.has("x", "fly")
    assert not unit.has()
    assert not unit.has("MONSTER")
    assert (unit.value("M"), unit.value("OC"), unit.value("T")) == (6.0, 0.0, None)


def test_options_have_a_default() -> None:
    battle = replace(skirmish(), options=(("dodges", False),))
    assert battle.option("dodges", True) is False
    assert battle.option("throw_range", 12.0) == 12.0


def test_the_index_holds_who_stands_on_the_table() -> None:
    battle = skirmish()
    index = battle.index
    assert battle.index is index
    assert [m.id for m in index.models] == [
        "ants-1", "ants-2", "ants-3", "beetle-1", "mice-1", "mice-2", "toad-1"
    ]  # fmt: skip
    assert index.enemies_of("blue").names == ("mice-1", "mice-2", "toad-1")
    assert index.enemies_of("red").names == ("ants-1", "ants-2", "ants-3", "beetle-1")
    assert index.others_than("ants").names == ("beetle-1", "mice-1", "mice-2", "toad-1")
    assert index.of_unit("mice").names == ("mice-1", "mice-2")
    assert index.of_unit("newts").names == ()
    assert index.enemies_of("blue") is index.enemies_of("blue")
    assert [p.pose for p in index.of_unit("mice").bases] == [m.pose for m in battle.unit("mice").models]


def test_models_without_a_place_are_not_in_the_index() -> None:
    battle = evolve(skirmish(), ModelsPlaced("newts", (("newts-1", Pose(20.0, 15.0)),)))
    assert battle.index.of_unit("newts").names == ("newts-1",)


def test_the_index_is_no_part_of_the_value() -> None:
    looked, untouched = skirmish(), skirmish()
    _ = looked.index.enemies_of("blue")
    _ = looked.unit("ants")
    assert looked == untouched
    assert digest(looked) == digest(untouched)
    moved = evolve(looked, ModelsPlaced("newts", (("newts-1", Pose(20.0, 15.0)), ("newts-2", Pose(18.0, 15.0)))))
    assert moved.index is not looked.index
    assert moved.index.enemies_of("blue").names[-2:] == ("newts-1", "newts-2")
    assert moved.unit("newts").on_table


def test_an_empty_table_has_an_empty_index() -> None:
    empty = Battle("toy", skirmish().battlefield)
    assert empty.index.models == ()
    assert len(empty.index.enemies_of("blue")) == 0
