"""Leaders that have joined a unit: who suffers when, with which Save, what Precision picks out, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from rulesets.wh40k10.test_volleys import battle, lost, team
from sim.app.games import rulesets
from sim.battle import Battle, BattleError, DiceRolled, Objective, Unit
from sim.battle.state import DESTROYED
from sim.chance import ScriptedDice
from sim.engine import ScriptedChoices, resolve
from sim.rules import Procedure
from sim.rulesets.wh40k10 import (
    RULESET,
    command_phase,
    datasheets,
    leaders,
    losses,
    movement,
    parting,
    quantifiers,
    volleys,
)
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.strength import starting_strength
from sim.rulesets.wh40k10.volleys import Circumstances, Volley
from sim.scenario import ScenarioError, load_case

RIFLE = Weapon(
    name="long rifle", range=36, attacks="1", strength=8, ap=-2, damage="2", skill=2, abilities=("precision",)
)
MIND = Weapon(name="mind", range=36, attacks="1", strength=8, ap=-6, damage="2", skill=2, abilities=("psychic",))


def led(models: int = 5, **fields: object) -> Unit:
    """Intercessors with their Captain."""
    unit = team("squad", "Intercessor Squad", models, (30, 5))
    captain = team("captain", "Captain", 1, (32, 5))
    both = leaders.joined(changed(unit, **fields), captain)
    assert isinstance(both, Unit)
    return both


def hit(start: Battle, volley: Volley, faces: Sequence[int], choices: Sequence[str] = ()) -> tuple[list[str], Battle]:
    """What is rolled for, and the battle after a volley with these faces."""

    def procedure(battle: Battle) -> Procedure:
        yield from volleys.resolve_all(battle, "gun", [volley])

    dice = ScriptedDice(faces)
    found = resolve(RULESET, start, procedure(start), dice, ScriptedChoices(choices))
    assert dice.left == 0
    return [e.purpose for e in found.events if isinstance(e, DiceRolled)], found.battle


def table(unit: Unit) -> Battle:
    """A gun against a unit."""
    return battle(team("gun", "Pathfinder Team", 1, (10, 10), player="red"), unit)


def test_the_unit_is_one_and_has_the_keywords_of_both() -> None:
    unit = led()
    assert [m.id for m in unit.models] == [*(f"squad-{k}" for k in range(5)), "captain-0"]
    assert unit.has("CHARACTER")
    assert unit.has("INTERCESSOR SQUAD")
    assert {m.unit for m in unit.models} == {"squad"}
    assert unit.points == 160
    without, _ = parting.falls_into(changed(unit, models=unit.models[:-1]))
    assert not without.has("CHARACTER")
    assert without.points == 80


def test_a_leader_keeps_its_own_wounds_weapons_and_numbers() -> None:
    unit = led()
    captain = unit.models[-1]
    assert losses.wounds_of(unit, captain) == 5
    assert losses.wounds_of(unit, unit.models[1]) == 2
    assert leaders.number(unit, captain, "INV") == 4
    assert leaders.number(unit, unit.models[0], "INV") is None
    assert [w.skill for w in datasheets.arms_of(unit, captain) if w.name == "bolt pistol"] == [2]
    assert leaders.leadership(unit) == 6


def test_its_own_models_suffer_before_a_leader_even_one_that_is_wounded() -> None:
    unit = led()
    models = tuple(changed(m, wounds_lost=2 if m.id == "captain-0" else 0) for m in unit.models)
    unit = changed(unit, models=models)
    assert losses.next_to_suffer(table(unit), unit).id != "captain-0"
    assert losses.wounds_left(unit) == (2, 2, 2, 2, 2, 3)
    alone = changed(unit, models=unit.models[-1:])
    assert losses.next_to_suffer(table(alone), alone).id == "captain-0"


def test_precision_picks_out_a_character_with_its_own_save() -> None:
    unit = led()
    about = Circumstances(models_at_selection=6, characters=frozenset({"captain-0"}))
    volley = Volley(RIFLE, ("gun-0",), "squad", about)
    told, after = hit(table(unit), volley, [6, 6, 3], ["captain-0"])
    assert lost(after, "squad")["captain-0"] == 2
    assert any("saves against long rifle on 4+" in purpose for purpose in told), told
    told, after = hit(table(unit), volley, [6, 6, 4], ["as-ever"])
    assert any("saves against long rifle on 5+" in purpose for purpose in told), told
    assert len(after.unit("squad").models) == 5


def test_precision_does_not_reach_a_character_out_of_sight() -> None:
    volley = Volley(RIFLE, ("gun-0",), "squad", Circumstances(models_at_selection=6))
    _, after = hit(table(led()), volley, [6, 6, 1])
    assert lost(after, "squad")["captain-0"] == 0


def test_without_precision_nobody_is_asked() -> None:
    about = Circumstances(models_at_selection=6, characters=frozenset({"captain-0"}))
    plain = replace_abilities(RIFLE)
    _, after = hit(table(led()), Volley(plain, ("gun-0",), "squad", about), [6, 6, 1])
    assert lost(after, "squad")["captain-0"] == 0


def replace_abilities(weapon: Weapon) -> Weapon:
    return changed(weapon, abilities=())


def test_a_mind_that_shuts_out_psychic_attacks() -> None:
    shut = changed(team("squad", "Intercessor Squad", 5, (30, 5)), abilities=("feel-no-pain-psychic 4+",))
    about = Circumstances(models_at_selection=5)
    told, after = hit(table(shut), Volley(MIND, ("gun-0",), "squad", about), [6, 6, 4, 4])
    assert "squad ignores wounds on 4+" in told
    assert len(after.unit("squad").models) == 5
    plain = changed(MIND, abilities=())
    told, after = hit(table(shut), Volley(plain, ("gun-0",), "squad", about), [6, 6])
    assert len(after.unit("squad").models) == 4


def test_what_is_left_when_its_own_models_are_gone() -> None:
    unit = led(models=1)
    start = battle(team("dread", "Redemptor Dreadnought", 1, (10, 5), player="red"), unit)

    def procedure(battle: Battle) -> Procedure:
        yield from losses.damage(battle, "squad", "squad-0", 2)

    after = resolve(RULESET, start, procedure(start), ScriptedDice(()), ScriptedChoices(())).battle
    assert after.unit("squad").whereabouts == DESTROYED
    alone = after.unit("captain")
    assert [(m.id, m.unit) for m in alone.models] == [("captain-0", "captain")]
    assert starting_strength(alone) == 1
    assert leaders.toughness(alone) == 4
    assert not losses.below_half(alone)
    hurt = changed(alone, models=(changed(alone.models[0], wounds_lost=3),))
    assert losses.below_half(hurt)


def test_a_commander_lends_speed_and_assault() -> None:
    suits = team("suits", "Crisis Sunforge Battlesuits", 3, (30, 5))
    both = leaders.joined(suits, team("commander", "Commander in Coldstar Battlesuit", 1, (34, 5)))
    assert isinstance(both, Unit)
    assert suits.value("M") == 10
    assert movement.move_of(both) == 12
    assert [movement.more_of(both, m) for m in both.models] == [0.0] * 4
    assert leaders.lends_assault(both)
    assert not leaders.lends_assault(changed(both, models=both.models[:-1]))
    assert movement.move_of(changed(both, models=both.models[:-1])) == 10


def test_every_model_counts_for_what_every_model_must_have() -> None:
    suits = team("suits", "Crisis Sunforge Battlesuits", 3, (30, 5))
    assert quantifiers.every(suits, "deep-strike")
    both = leaders.joined(suits, team("commander", "Commander in Coldstar Battlesuit", 1, (34, 5)))
    assert isinstance(both, Unit)
    assert quantifiers.every(both, "deep-strike")
    walker = changed(team("commander", "Commander in Coldstar Battlesuit", 1, (34, 5)), abilities=())
    both = leaders.joined(suits, walker)
    assert isinstance(both, Unit)
    assert not quantifiers.every(both, "deep-strike")
    assert quantifiers.some(both, "deep-strike") is not None


def test_a_leader_counts_with_its_own_level_of_control() -> None:
    unit = led()
    near = Objective("m", unit.models[-1].placed.pose.at, 0.8)
    start = battle(team("gun", "Pathfinder Team", 1, (10, 40), player="red"), unit)
    start = changed(start, battlefield=changed(start.battlefield, objectives=(near,)))
    assert command_phase.level(start, "blue", near) == 2 + 2 + 2 + 1  # three of the squad are near, and the captain


@pytest.mark.parametrize(
    ("unit", "leader", "why"),
    [
        ("Boyz", "Captain", "Captain leads Intercessor Squad"),
        ("Intercessor Squad", "Boyz", "no CHARACTER"),
    ],
)
def test_who_cannot_lead_whom(unit: str, leader: str, why: str) -> None:
    said = leaders.joined(team("a", unit, 5, (30, 5)), changed(team("b", leader, 1, (34, 5)), name=leader))
    assert isinstance(said, str)
    assert why in said


def test_one_leader_a_unit() -> None:
    said = leaders.joined(led(), team("other", "Captain", 1, (36, 5)))
    assert said == "squad has a leader already"


FILE = """
title = "A led unit"
ruleset = "wh40k10"
[table]
width = 60.0
depth = 44.0
[[unit]]
id = "captain"
player = "red"
datasheet = "Captain"
leads = "{leads}"
models = [[10, 12]]
[[unit]]
id = "squad"
player = "red"
datasheet = "Intercessor Squad"
models = [[10, 10], [12, 10], [14, 10], [12, 12], [14, 12]]
"""


def test_a_file_says_who_leads_whom(tmp_path: Path) -> None:
    file = tmp_path / "led.toml"
    file.write_text(FILE.format(leads="squad"))
    case = load_case(file, rulesets())
    assert [u.id for u in case.battle.units] == ["squad"]
    assert case.battle.unit("squad").models[-1].name == "captain"
    with pytest.raises(BattleError):
        case.battle.unit("captain")
    for wrong, why in (("nobody", "expected the id of another unit"), ("captain", "expected the id of another unit")):
        file.write_text(FILE.format(leads=wrong))
        with pytest.raises(ScenarioError, match=why):
            load_case(file, rulesets())
