"""What charging models inflict by their weight, played: model by model, by the bracket, on whom they touch."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, judge
from sim.geometry import Pose, Rect
from sim.rules import EndStep
from sim.rules.abilities import AbilityError
from sim.rulesets.wap import RULESET, abilities
from sim.rulesets.wap.commands import ImpactHits
from tests.rulesets.wap.table import FIGHTING, D, battle, played, unit, wheel

HALF = 12.5 / 25.4
TOUGH = (("T", 9.0), ("W", 9.0))
AIMED = Marker("charged", "foe", until="end-of-turn")


def knights(count: int, bracket: str, *markers: Marker, **fields: Any) -> Unit:
    """Mounted models side by side whose front edges lie on y = 24."""
    spots = [(30.0 + k * 25 / 25.4, 24.0 - 25 / 25.4) for k in range(count)]
    made = unit("k", "red", *spots, base=Rect.mm(50, 25), abilities=(f"impact-hits {bracket}",), **fields)
    models = tuple(replace(m, base=Rect.mm(25, 50)) for m in made.models)
    return replace(made, models=models, markers=markers, profile=(("S", 4.0), ("T", 3.0), ("W", 1.0)))


def foe(first: int, last: int, name: str = "foe") -> Unit:
    """Models in front of the knights of those numbers, touching them."""
    spots = [(30.0 + k * 25 / 25.4, 24.0 + HALF) for k in range(first, last + 1)]
    return unit(name, "blue", *spots, profile=TOUGH)


def struck(after: Battle, name: str = "foe") -> int:
    return sum(m.amount for m in after.unit(name).markers if m.kind == "struck")


@pytest.mark.parametrize(
    ("bracket", "faces", "each"),
    [("1", (), 1), ("D3", (2,), 2), ("D3+1", (3,), 4), ("D6", (5,), 5), ("D6+1", (5,), 6), ("2D6", (2, 6), 8)],
)
def test_the_bracket_is_the_rule(bracket: str, faces: tuple[int, ...], each: int) -> None:
    start = battle(FIGHTING, knights(1, bracket, AIMED), foe(0, 0))
    after = played(start, ImpactHits("k"), *faces, *[1] * each)
    assert struck(after) == each


def test_every_model_in_contact_rolls_and_no_other() -> None:
    start = battle(FIGHTING, knights(5, "D3", AIMED), foe(0, 1))
    after = played(start, ImpactHits("k"), 3, 1, 2, *[1] * 6)
    assert struck(after) == 6, "the third model touches the corner of the second enemy; two more touch nobody"
    plain = played(battle(FIGHTING, knights(5, "1", AIMED), foe(0, 4)), ImpactHits("k"), *[1] * 5)
    assert struck(plain) == 5


def test_of_two_sets_the_higher_counts_and_not_their_sum() -> None:
    both = replace(knights(1, "D3", AIMED), abilities=("impact-hits D3", "impact-hits D6"))
    assert struck(played(battle(FIGHTING, both, foe(0, 0)), ImpactHits("k"), 6, *[1] * 6)) == 6


def test_a_model_between_two_units_spreads_its_own_hits() -> None:
    aimed = (AIMED, Marker("charged", "other", until="end-of-turn"))
    pair = (foe(0, 0), foe(1, 1, "other"))
    start = battle(FIGHTING, knights(1, "3", *aimed), *pair)
    shifted = start.with_unit(unit_moved(start.unit("k"), HALF))
    after = played(shifted, ImpactHits("k"), 2, *[1] * 3)
    assert (struck(after), struck(after, "other")) == (1, 2)


def unit_moved(one: Unit, dx: float) -> Unit:
    models = tuple(
        replace(m, pose=Pose(m.pose.x + dx, m.pose.y, m.pose.facing)) for m in one.models if m.pose is not None
    )
    return replace(one, models=models)


def test_only_whom_it_charged_is_struck_and_only_in_that_turn() -> None:
    start = battle(FIGHTING, knights(2, "1", AIMED), foe(0, 0), foe(1, 1, "bystander"))
    game = Game(RULESET, start)
    game.play(ImpactHits("k"), ScriptedDice((1, 1)))
    assert (struck(game.battle), struck(game.battle, "bystander")) == (2, 0), "the second touches a corner of the foe"
    assert judge(RULESET, game.battle, ImpactHits("k")).codes == ("not-eligible",)
    for _ in range(6):
        game.play(EndStep(), ScriptedDice(()))
    assert judge(RULESET, replace(game.battle, clock=FIGHTING), ImpactHits("k")).codes == ("not-eligible",)


def test_without_a_strength_nothing_is_rolled() -> None:
    weak = replace(knights(1, "D6", AIMED), profile=(("T", 3.0),))
    start = battle(FIGHTING, weak, foe(0, 0))
    assert judge(RULESET, start, ImpactHits("k")).codes == ("not-eligible",)
    assert "Strength" in judge(RULESET, start, ImpactHits("k")).violations[0].message


@pytest.mark.parametrize("charged", [True, False])
def test_a_wheel_strikes_with_its_scythes_on_the_charge_and_grinds_otherwise(charged: bool) -> None:
    markers = (Marker("charged", "foe", until="end-of-turn"),) if charged else ()
    enemy = unit("foe", "blue", (36, 24 + D + HALF), (36, 30), (37, 30))
    after = played(battle(FIGHTING, wheel(*markers), enemy), ImpactHits("wheel"), 3, 6, 6, 6, 1)
    done = next(m for m in after.unit("wheel").markers if m.kind == "impact-done")
    assert (done.subject, done.amount) == (("Impact Hits" if charged else "Grind Attack"), 4)
    assert not after.unit("foe").models


def test_they_come_by_themselves_when_the_phase_ends() -> None:
    start = battle(FIGHTING, knights(1, "D3", AIMED), foe(0, 0))
    assert [o.command for o in RULESET.available(start)] == ["impact-hits", "end-step"]
    game = Game(RULESET, start)
    dice = ScriptedDice((2, 1, 6))
    game.play(EndStep(), dice)
    assert dice.left == 0
    assert game.battle.model("foe-1").wounds_lost == 1


# --- what may be written


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Impact Hits (D6+1)", "impact-hits D6+1"),
        ("impact-hits D3", "impact-hits D3"),
        ("Immunity (Fear/Terror)", "immunity Fear/Terror"),
        ("Random Movement (3D6)", "random-movement 3D6"),
        ("Swiftstride", "swiftstride"),
        ("scythes +1", "scythes +1"),
        ("strength-in-numbers", "strength-in-numbers"),
    ],
)
def test_abilities_as_players_write_them(text: str, kept: str) -> None:
    assert abilities.read(text) == kept


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("impact-hits lots", "impact-hits: expected an amount such as 3, D6 or 2D6+1, got 'lots'"),
        ("impact-hits", "impact-hits: expected an amount such as 3, D6 or 2D6+1, got ''"),
        ("random-movement 3D8", "random-movement: expected dice such as 3D6, got '3D8'"),
        ("immunity water", "immunity: expected one or more of fear, terror, panic, psychology, got 'water'"),
        ("Terror (2)", "terror: expected nothing after it, got '2'"),
        ("impat-hits D6", "did you mean impact-hits?"),
        ("swiftstrike", "did you mean swiftstride?"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, said: str) -> None:
    with pytest.raises(AbilityError) as caught:
        abilities.read(text)
    assert said in str(caught.value)
