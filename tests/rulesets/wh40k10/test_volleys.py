"""Is a volley on the table what the rule says, die by die, and do its odds come true?

Small battles are played through the engine with dice that somebody wrote down, with the weapons of the datasheets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest
from msgspec.structs import replace as changed

from sim.battle import (
    Battle,
    Battlefield,
    Clock,
    DiceRolled,
    Event,
    Marker,
    Model,
    ModelsPlaced,
    ModelsRemoved,
    Terrain,
    Unit,
    WoundsChanged,
)
from sim.chance import DiceError, ScriptedDice, SeededDice
from sim.chance.casualties import Toll
from sim.chance.dice import Faces, Kind
from sim.engine import Entry, FirstChoice, Game, Resolution, ScriptedChoices, judge, resolve
from sim.geometry import Placed, Pose
from sim.rules import Procedure
from sim.rulesets.wh40k10 import RULESET, losses, volleys
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from sim.rulesets.wh40k10.datasheets import Weapon, base_of
from sim.rulesets.wh40k10.volleys import Circumstances, Volley

SHOOTING = Clock(2, "red", "shooting", "shoot")
RADIUS_25, RADIUS_32 = 12.5 / 25.4, 16 / 25.4  # inches


def team(
    name: str, datasheet: str, count: int, at: tuple[float, float], *guns: str, player: str = "blue", **fields: object
) -> Unit:
    """A unit of a datasheet in a column up from a point, a tenth of an inch between its models; ``guns`` for all."""
    found = base_of(datasheet)
    assert found is not None
    base = found[0]
    pitch = 2 * max(map(abs, Placed(base, Pose(0.0, 0.0)).bounds)) + 0.1
    models = tuple(Model(f"{name}-{k}", name, base, Pose(at[0], at[1] + k * pitch), 0, guns) for k in range(count))
    unit = Unit(name, player, models, name=name, datasheet=datasheet, **fields)  # type: ignore[arg-type]
    assert RULESET.bind is not None
    return RULESET.bind(unit)


def battle(*units: Unit, terrain: tuple[Terrain, ...] = (), **fields: object) -> Battle:
    start = Battle("wh40k10", Battlefield(60.0, 44.0, terrain=terrain), SHOOTING, units, ("red", "blue"))
    return changed(start, **fields)


def hurt(unit: Unit, **lost: int) -> Unit:
    """The unit with some models wounded, by their numbers: ``m1=1``."""
    models = tuple(changed(m, wounds_lost=lost.get(f"m{k}", 0)) for k, m in enumerate(unit.models))
    return changed(unit, models=models)


def shoot(
    start: Battle, attacks: Sequence[tuple[str, str, str]], faces: Sequence[int], choices: Sequence[str] = ()
) -> tuple[Entry, Battle]:
    """What comes of shooting with (model, weapon[/profile], target); all faces must be used."""
    orders = []
    for model, weapon, target in attacks:
        name, _, profile = weapon.partition("/")
        orders.append(AttackWith(model, name, target, profile))
    command = Shoot(start.model(orders[0].model).unit, tuple(orders))
    assert judge(RULESET, start, command).violations == ()
    dice = ScriptedDice(faces)
    game = Game(RULESET, start)
    entry = game.play(command, dice, ScriptedChoices(choices) if choices else FirstChoice())
    assert dice.left == 0, "more faces were written down than rolled"
    return entry, game.battle


def purposes(events: Sequence[Event]) -> list[str]:
    return [event.purpose for event in events if isinstance(event, DiceRolled)]


def rolls(entry: Entry, word: str) -> list[tuple[int | float, ...]]:
    """The faces of all rolls with a word in their purpose."""
    return [e.faces for e in entry.events if isinstance(e, DiceRolled) and word in e.purpose]


def lost(after: Battle, unit: str) -> dict[str, int]:
    return {m.id: m.wounds_lost for m in after.unit(unit).models}


# --- the number of attacks


@pytest.mark.parametrize(("models", "attacks"), [(4, 3), (5, 4), (9, 4), (10, 5), (11, 5), (14, 5), (15, 6)])
def test_f18_blast_counts_fives_of_the_target(models: int, attacks: int) -> None:
    dread = team("dread", "Redemptor Dreadnought", 1, (20, 10), "twin fragstorm grenade launcher", player="red")
    start = battle(dread, team("boyz", "Boyz", models, (30, 5)))
    weapon = ("dread-0", "twin fragstorm grenade launcher", "boyz")
    entry, _ = shoot(start, [weapon], [3, *[1] * attacks])
    assert entry.faces[0] == (3,)
    assert rolls(entry, "hit on") == [(1,) * attacks]


def test_blast_counts_the_models_at_selection() -> None:
    """The flamer kills one of five, and the launcher still has the attack that five of them add."""
    dread = team("dread", "Redemptor Dreadnought", 1, (20, 10), player="red")
    start = battle(dread, team("boyz", "Boyz", 5, (24, 5)))
    weapons = [("dread-0", name, "boyz") for name in ("heavy flamer", "twin fragstorm grenade launcher")]
    entry, after = shoot(start, weapons, [1, 6, 1, 1, 1, 1])
    assert len(after.unit("boyz").models) == 4
    assert rolls(entry, "hit on") == [(1, 1)]


@pytest.mark.parametrize(("short", "attacks"), [(0.0, 2), (0.001, 2), (-0.001, 1)])
def test_f22_rapid_fire_at_exactly_half_range(short: float, attacks: int) -> None:
    fire = team("fire", "Strike Team", 1, (10, 10), "pulse rifle", player="red")
    start = battle(fire, team("boyz", "Boyz", 1, (10 + 15 + RADIUS_25 + RADIUS_32 - short, 10)))
    entry, _ = shoot(start, [("fire-0", "pulse rifle", "boyz")], [1] * attacks)
    assert entry.faces == ((1,) * attacks,)


def test_every_weapon_has_its_own_more_attacks() -> None:
    fire = team("fire", "Strike Team", 3, (10, 10), "pulse rifle", player="red")
    start = battle(fire, team("boyz", "Boyz", 10, (20, 8)))
    entry, _ = shoot(start, [(f"fire-{k}", "pulse rifle", "boyz") for k in range(3)], [1] * 6)
    assert entry.faces == ((1,) * 6,)
    kroot = armed(team("k", "Kroot Carnivores", 2, (10, 10), player="red"), "tanglebomb launcher")
    start = battle(kroot, team("boyz", "Boyz", 10, (20, 8)))
    entry, _ = shoot(start, [(f"k-{k}", "tanglebomb launcher", "boyz") for k in (0, 1)], [1, 3, *[1] * (1 + 2 + 3 + 2)])
    assert list(map(len, entry.faces)) == [2, 8]


def test_those_near_and_those_far_are_two_volleys() -> None:
    fire = team("fire", "Strike Team", 2, (10, 10), "pulse rifle", player="red")
    far = changed(fire.models[0], pose=Pose(8.5, 10))
    fire = changed(fire, models=(far, fire.models[1]))
    start = battle(fire, team("boyz", "Boyz", 1, (10 + 15 + RADIUS_25, 11)))
    entry, _ = shoot(start, [(f"fire-{k}", "pulse rifle", "boyz") for k in (0, 1)], [1, 1, 1])
    assert sorted(map(len, entry.faces)) == [1, 2]


# --- hits


def test_hits_wounds_and_saves_in_their_order() -> None:
    marines = team("marines", "Intercessor Squad", 2, (10, 10), "bolt rifle", player="red")
    start = battle(changed(marines, markers=(Marker("moved"),)), team("boyz", "Boyz", 3, (25, 10)))
    # two shots each and two more at one target alone; S4 wounds T5 on 5+; Sv 5+ at AP -1 saves on 6+
    faces = [5, 2, 3, 6, 1, 1, 2, 2, 4, 5, 6, 5, 6]
    entry, after = shoot(start, [(f"marines-{k}", "bolt rifle", "boyz") for k in (0, 1)], faces)
    assert entry.faces == ((5, 2, 3, 6, 1, 1, 2, 2), (4, 5, 6), (5,), (6,))
    assert purposes(entry.events) == [
        "bolt rifle at boyz: hit on 3+",
        "bolt rifle at boyz: wound on 5+",
        "boyz saves against bolt rifle on 6+ (-1 Armour Penetration)",
        "boyz saves against bolt rifle on 6+ (-1 Armour Penetration)",
    ]
    assert len(after.unit("boyz").models) == 2


@pytest.mark.parametrize(("face", "hits"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_indirect_fire_unseen_misses_on_threes(face: int, hits: int) -> None:
    """A Ballistic Skill of 3+, Guided to 2+ and at -1, is a 3+: a three misses all the same."""
    commander = team("c", "Commander in Coldstar Battlesuit", 1, (14, 13), player="red")
    commander = armed(commander, "airbursting fragmentation projector")
    commander = changed(commander, markers=(Marker("guided", "boyz"),))
    ruin = Terrain("ruin", "ruin", ((20, 10), (26, 10), (26, 16), (20, 16)), height=6.0)
    boyz = team("boyz", "Boyz", 1, (32, 13))
    weapon = [("c-0", "airbursting fragmentation projector", "boyz")]
    entry, _ = shoot(battle(commander, boyz, terrain=(ruin,)), weapon, [1, face, *[1] * hits])
    assert "hit on 3+ (+1 Guided" in purposes(entry.events)[1]
    assert len(entry.faces) == 2 + hits
    seen, _ = shoot(battle(commander, boyz), weapon, [1, face, *[1] * (face > 1)])
    assert len(seen.faces) == 2 + (face > 1)


def test_indirect_fire_unseen_meets_cover() -> None:
    commander = armed(
        team("c", "Commander in Coldstar Battlesuit", 1, (14, 13), player="red"), "airbursting fragmentation projector"
    )
    ruin = Terrain("ruin", "ruin", ((20, 10), (26, 10), (26, 16), (20, 16)), height=6.0)
    boyz = team("boyz", "Boyz", 2, (32, 13))
    weapon = [("c-0", "airbursting fragmentation projector", "boyz")]
    unseen, after = shoot(battle(commander, boyz, terrain=(ruin,)), weapon, [1, 4, 6, 4])
    assert "saves against airbursting fragmentation projector on 4+" in purposes(unseen.events)[-1]
    assert len(after.unit("boyz").models) == 2
    seen, after = shoot(battle(commander, boyz), weapon, [1, 4, 6, 4])
    assert "on 5+" in purposes(seen.events)[-1]
    assert len(after.unit("boyz").models) == 1


def armed(unit: Unit, *guns: str) -> Unit:
    return changed(unit, models=tuple(changed(m, loadout=guns) for m in unit.models))


# --- volleys of weapons that stand on no datasheet


def gun(
    attacks: str = "1", damage: str = "1", *abilities: str, skill: int | None = 3, strength: int = 4, ap: int = 0
) -> Weapon:
    return Weapon("gun", 24.0, attacks, strength, ap, damage, skill, abilities=abilities)


def gunners(count: int = 1) -> Unit:
    return team("red", "Intercessor Squad", count, (10, 10), player="red")


def firing(start: Battle, *fired: Volley) -> Procedure:
    """Volleys of the unit called red, and what waits until after them."""
    yield from volleys.resolve_all(start, "red", fired)


def fire(start: Battle, faces: Sequence[int], *fired: Volley, choices: Sequence[str] = ()) -> Resolution:
    dice = ScriptedDice(faces)
    chooser = ScriptedChoices(choices) if choices else FirstChoice()
    result = resolve(RULESET, start, firing(start, *fired), dice, chooser)
    assert dice.left == 0, "more faces were written down than rolled"
    return result


def volley(weapon: Weapon, target: Unit, weapons: int = 1, **about: object) -> Volley:
    models = tuple(f"red-{k}" for k in range(weapons))
    return Volley(weapon, models, target.id, Circumstances(len(target.models), **about))  # type: ignore[arg-type]


def foes(wounds: int, count: int, save: int = 4, *abilities: str, toughness: int = 4, inv: int | None = None) -> Unit:
    """Models that stand on no datasheet, with some wounds each."""
    unit = team("foes", "Intercessor Squad", count, (20, 10))
    numbers = {"T": toughness, "SV": save, "W": wounds} | ({} if inv is None else {"INV": inv})
    profile = tuple((name, float(value)) for name, value in numbers.items())
    models = tuple(changed(m, name="", loadout=()) for m in unit.models)
    return changed(unit, models=models, datasheet="", profile=profile, abilities=abilities)


def test_f21_a_six_with_lethal_and_sustained_hits() -> None:
    """One wound without a roll, and one hit that rolls to wound."""
    target = foes(1, 3)
    weapon = gun("1", "1", "lethal-hits", "sustained-hits 1")
    start = battle(gunners(), target)
    both = fire(start, [6, 6, 1, 1], volley(weapon, target))
    assert both.faces == ((6,), (6,), (1,), (1,))
    assert len(both.battle.unit("foes").models) == 1
    lethal_alone = fire(start, [6, 1, 1], volley(weapon, target))
    assert lethal_alone.faces == ((6,), (1,), (1,))
    assert len(lethal_alone.battle.unit("foes").models) == 2


def test_sustained_hits_alone_all_roll_to_wound() -> None:
    target = foes(1, 5)
    result = fire(battle(gunners(), target), [6, 5, 1, 1, 1, 1], volley(gun("2", "1", "sustained-hits 2"), target))
    assert list(map(len, result.faces)) == [2, 4]


def test_torrent_has_no_criticals() -> None:
    target = foes(1, 5)
    weapon = gun("2", "1", "torrent", "lethal-hits", "sustained-hits 2", skill=None)
    assert fire(battle(gunners(), target), [1, 1], volley(weapon, target)).faces == ((1, 1),)


def test_a_lethal_hit_is_no_critical_wound() -> None:
    target = foes(3, 1, 2)
    result = fire(battle(gunners(), target), [6, 2], volley(gun("1", "3", "lethal-hits", "devastating-wounds"), target))
    assert result.faces == ((6,), (2,)), "it may be saved"
    assert lost(result.battle, "foes") == {"foes-0": 0}


@pytest.mark.parametrize(("face", "wounds"), [(3, False), (4, True), (1, False)])
def test_anti_wounds_on_its_number(face: int, wounds: bool) -> None:
    target = changed(foes(1, 1, 7, toughness=12), keywords=("VEHICLE",))
    result = fire(battle(gunners(), target), [3, face], volley(gun("1", "1", "anti-vehicle 4"), target))
    assert bool(result.battle.unit("foes").models) != wounds


# --- twin-linked


def test_twin_linked_rolls_failed_wounds_once_more() -> None:
    """T5 against S5 wounds on 4+: one of two hits fails, is rolled again, fails again and stays failed."""
    hammer = team("h", "Hammerhead Gunship", 1, (10, 10), "twin pulse carbine", player="red")
    start = battle(hammer, team("boyz", "Boyz", 3, (25, 10)))
    entry, after = shoot(start, [("h-0", "twin pulse carbine", "boyz")], [4, 5, 4, 3, 1, 1])
    assert entry.faces == ((4, 5), (4, 3), (1,), (1,))
    assert purposes(entry.events)[2].endswith("wound on 4+, again")
    assert len(after.unit("boyz").models) == 2


def test_twin_linked_leaves_what_wounds_alone() -> None:
    hammer = team("h", "Hammerhead Gunship", 1, (10, 10), "twin pulse carbine", player="red")
    start = battle(hammer, team("boyz", "Boyz", 3, (25, 10)))
    entry, _ = shoot(start, [("h-0", "twin pulse carbine", "boyz")], [4, 5, 4, 6, 5, 5])
    assert entry.faces == ((4, 5), (4, 6), (5,), (5,))


def test_hits_that_failed_are_rolled_again_once() -> None:
    target = foes(1, 3)
    result = fire(battle(gunners(), target), [1, 2, 3, 1, 1], volley(gun("3"), target, hit_again="ones"))
    assert result.faces == ((1, 2, 3), (1,), (1,)), "the one alone, and its new one is not rolled a third time"
    result = fire(battle(gunners(), target), [1, 2, 3, 4, 2, 1, 1], volley(gun("3"), target, hit_again="failed"))
    assert result.faces == ((1, 2, 3), (4, 2), (1, 1))


# --- devastating wounds


def test_devastating_wounds_come_last_and_do_not_spill() -> None:
    """A rail rifle's three wounds wait until the carbine has hurt somebody, who dies of one of them."""
    scouts = armed(team("p", "Pathfinder Team", 2, (10, 10), player="red"), "rail rifle", "pulse carbine")
    marines = team("marines", "Intercessor Squad", 3, (25, 10))
    start = battle(changed(scouts, markers=(Marker("moved"),)), marines)
    weapons = [("p-0", "rail rifle", "marines"), ("p-1", "pulse carbine", "marines")]
    faces = [
        6,
        6,
        4,
        1,
        3,
        2,
    ]  # the rail rifle's critical wound; then one of two carbine shots hits, wounds, is not saved
    entry, after = shoot(start, weapons, faces)
    assert [event for event in entry.events if isinstance(event, (WoundsChanged, ModelsRemoved))] == [
        WoundsChanged("marines-2", 1),
        ModelsRemoved("marines", ("marines-2",)),
    ]
    assert lost(after, "marines") == {"marines-0": 0, "marines-1": 0}


def test_devastating_wounds_are_not_saved() -> None:
    target = foes(2, 2, 2, inv=2)
    result = fire(battle(gunners(), target), [3, 6], volley(gun("1", "2", "devastating-wounds"), target))
    assert result.faces == ((3,), (6,))
    assert len(result.battle.unit("foes").models) == 1


def test_two_devastating_blows_fall_on_two_models() -> None:
    target = foes(2, 3)
    result = fire(battle(gunners(), target), [3, 3, 6, 6], volley(gun("2", "3", "devastating-wounds"), target))
    assert list(lost(result.battle, "foes").values()) == [0]


def test_anti_makes_devastating_wounds() -> None:
    """An EMP grenade wounds a Vehicle critically on 4+: its damage is not saved."""
    scouts = armed(team("p", "Pathfinder Team", 1, (10, 10), player="red"), "semi-automatic grenade launcher")
    start = battle(scouts, team("rhino", "Rhino", 1, (20, 10)))
    weapon = [("p-0", "semi-automatic grenade launcher/EMP", "rhino")]
    entry, after = shoot(start, weapon, [4, 4])
    assert lost(after, "rhino") == {"rhino-0": 1}
    entry, after = shoot(start, weapon, [4, 3])
    assert len(entry.faces) == 2
    assert lost(after, "rhino") == {"rhino-0": 0}


# --- damage


@pytest.mark.parametrize(("short", "damage"), [(0.0, 4), (0.001, 4), (-0.001, 2)])
def test_melta_at_exactly_half_range(short: float, damage: int) -> None:
    suits = armed(team("s", "Crisis Sunforge Battlesuits", 1, (10, 10), player="red"), "fusion blaster")
    radius = 25 / 25.4
    target = team("r", "Riptide Battlesuit", 1, (10 + radius + 6 + 60 / 25.4 - short, 10))
    entry, after = shoot(battle(suits, target), [("s-0", "fusion blaster", "r")], [4, 4, 1, 2], ["keep"])
    assert rolls(entry, "damage") == [(2,)]
    assert lost(after, "r") == {"r-0": damage}


def test_damage_that_one_model_has_too_much_is_lost() -> None:
    suits = armed(team("s", "Crisis Sunforge Battlesuits", 1, (10, 10), player="red"), "fusion blaster")
    start = battle(suits, team("marines", "Intercessor Squad", 3, (20, 10)))
    entry, after = shoot(start, [("s-0", "fusion blaster", "marines")], [4, 2, 6])
    assert entry.faces == ((4,), (2,), (6,)), "no armour is left against AP -4"
    assert lost(after, "marines") == {"marines-0": 0, "marines-1": 0}


def test_damage_is_lessened_to_one_at_least() -> None:
    suits = armed(team("s", "Crisis Starscythe Battlesuits", 1, (10, 10), player="red"), "burst cannon")
    start = battle(suits, team("d", "Redemptor Dreadnought", 1, (20, 10)))
    _, after = shoot(start, [("s-0", "burst cannon", "d")], [4, 1, 1, 1, 6, 1])
    assert lost(after, "d") == {"d-0": 1}
    railgun = team("h", "Hammerhead Gunship", 1, (10, 30), "railgun", player="red")
    start = battle(railgun, team("d", "Redemptor Dreadnought", 1, (20, 10)))
    _, after = shoot(start, [("h-0", "railgun", "d")], [4, 3, 1])
    assert lost(after, "d") == {"d-0": 1 + 6 - 1}


@pytest.mark.parametrize("wounded", [0, 1, 2])
def test_who_is_wounded_suffers_first(wounded: int) -> None:
    suits = armed(team("s", "Crisis Starscythe Battlesuits", 1, (10, 10), player="red"), "burst cannon")
    marines = hurt(team("marines", "Intercessor Squad", 3, (20, 10)), **{f"m{wounded}": 1})
    faces = [4, 4, 1, 1, 3, 3, 2, 2]  # two wounds, neither saved: the wounded one falls, the next one is hurt
    _, after = shoot(battle(suits, marines), [("s-0", "burst cannon", "marines")], faces)
    left = lost(after, "marines")
    assert f"marines-{wounded}" not in left
    assert sorted(left.values()) == [0, 1]


def test_nobody_is_hurt_while_another_is_wounded() -> None:
    target = foes(3, 4, 7)
    result = fire(battle(gunners(), target), [3] * 5 + [4] * 5, volley(gun("5"), target))
    assert sorted(lost(result.battle, "foes").values()) == [0, 0, 2]


def test_an_overkilled_unit_rolls_no_more() -> None:
    target = foes(1, 1, 4)
    result = fire(battle(gunners(), target), [3, 3, 3, 4, 4, 4, 1], volley(gun("3"), target), volley(gun("3"), target))
    assert result.faces == ((3, 3, 3), (4, 4, 4), (1,))
    assert result.battle.unit("foes").whereabouts == "destroyed"


def test_every_model_saves_with_its_own_cover() -> None:
    target = foes(1, 2, 5)
    fired = volley(gun("2"), target)
    half = replace(fired, covered=frozenset({"foes-1"}))
    result = fire(battle(gunners(), target), [3, 3, 4, 4, 3, 4], half)
    told = [text.partition(" on ")[2] for text in purposes(result.events)[-2:]]
    assert told == ["4+ (+1 Benefit of Cover)", "5+"]
    assert result.battle.unit("foes").models == ()


# --- wounds ignored


def test_feel_no_pain_for_every_wound() -> None:
    target = foes(3, 1, 7, "feel-no-pain 5")
    result = fire(battle(gunners(), target), [3, 4, 5, 4, 6], volley(gun("1", "3"), target))
    assert result.faces == ((3,), (4,), (5, 4, 6))
    assert lost(result.battle, "foes") == {"foes-0": 1}


def test_feel_no_pain_of_more_damage_than_wounds() -> None:
    """Three wounds at a model of one: it lives if all three are ignored."""
    target = foes(1, 2, 7, "feel-no-pain 4")
    start = battle(gunners(), target)
    assert len(fire(start, [3, 4, 4, 5, 6], volley(gun("1", "3"), target)).battle.unit("foes").models) == 2
    assert len(fire(start, [3, 4, 4, 3, 6], volley(gun("1", "3"), target)).battle.unit("foes").models) == 1


def test_feel_no_pain_against_mortal_wounds_alone() -> None:
    """Broadsides ignore mortal wounds on 4+, and no others."""
    suits = team("b", "Broadside Battlesuits", 1, (20, 10))
    start = battle(gunners(), suits)
    plain = fire(start, [3, 6, 1], volley(gun("1", "2"), suits))
    assert lost(plain.battle, "b") == {"b-0": 2}
    devastating = fire(start, [3, 6, 3, 4], volley(gun("1", "2", "devastating-wounds"), suits))
    assert lost(devastating.battle, "b") == {"b-0": 1}


# --- mortal wounds


def mortal(start: Battle, unit: str, points: int, faces: Sequence[int] = ()) -> Battle:
    def procedure() -> Procedure:
        yield from losses.mortal_wounds(start, unit, points)

    dice = ScriptedDice(faces)
    after = resolve(RULESET, start, procedure(), dice, FirstChoice()).battle
    assert dice.left == 0
    return after


@pytest.mark.parametrize(("points", "left"), [(1, [0, 0, 1]), (2, [0, 0]), (3, [0, 1]), (5, [1]), (6, []), (9, [])])
def test_mortal_wounds_spill(points: int, left: list[int]) -> None:
    assert sorted(lost(mortal(battle(foes(2, 3)), "foes", points), "foes").values()) == left


def test_mortal_wounds_begin_with_the_wounded() -> None:
    after = mortal(battle(hurt(foes(3, 3), m0=2)), "foes", 2)
    assert lost(after, "foes") == {"foes-1": 0, "foes-2": 1}


def test_each_mortal_wound_may_be_ignored() -> None:
    after = mortal(battle(foes(2, 2, 4, "feel-no-pain 5")), "foes", 3, [5, 4, 6])
    assert sorted(lost(after, "foes").values()) == [0, 1]


# --- hazardous


def test_a_hazardous_weapon_hurts_its_bearer() -> None:
    suit = armed(team("r", "Riptide Battlesuit", 1, (10, 10), player="red"), "ion accelerator")
    start = battle(suit, team("boyz", "Boyz", 2, (30, 10)))
    weapon = [("r-0", "ion accelerator/overcharge", "boyz")]
    entry, after = shoot(start, weapon, [1] * 6 + [1])
    assert "Hazardous" in purposes(entry.events)[-1]
    tests = [e.about for e in entry.events if isinstance(e, DiceRolled) and e.about and e.about.kind == "hazardous"]
    assert [(told.bearers, told.needs) for told in tests] == [(("r-0",), 2)], "a 1 fails"
    assert lost(after, "r") == {"r-0": 3}
    assert lost(shoot(start, weapon, [1] * 6 + [2])[1], "r") == {"r-0": 0}
    standard = [("r-0", "ion accelerator/standard", "boyz")]
    assert len(shoot(start, standard, [1] * 6)[0].faces) == 1, "the other profile is safe"


def test_hazardous_wounds_do_not_spill() -> None:
    """Three at a bearer of two wounds: comrades who fired no such weapon are safe, and so are those who did."""
    squad = armed(team("h", "Hellblaster Squad", 3, (10, 10), player="red"), "plasma incinerator")
    start = battle(squad, team("boyz", "Boyz", 2, (30, 10)))
    weapons = [(f"h-{k}", "plasma incinerator/supercharge", "boyz") for k in (0, 1)]
    entry, after = shoot(start, weapons, [1] * 4 + [1, 2])
    assert entry.faces[-1] == (1, 2), "a test for each weapon"
    assert lost(after, "h") == {"h-0": 0, "h-2": 0}
    _, after = shoot(start, weapons, [1] * 4 + [1, 1])
    assert lost(after, "h") == {"h-2": 0}


def test_hazardous_wounds_are_mortal() -> None:
    suit = team("r", "Riptide Battlesuit", 1, (10, 10), player="red", abilities=("feel-no-pain-mortal 4",))
    start = battle(armed(suit, "ion accelerator"), team("boyz", "Boyz", 2, (30, 10)))
    _, after = shoot(start, [("r-0", "ion accelerator/overcharge", "boyz")], [1] * 6 + [1, 3, 4, 6])
    assert lost(after, "r") == {"r-0": 1}


def test_hazardous_comes_after_all_attacks() -> None:
    squad = armed(team("h", "Hellblaster Squad", 1, (10, 10), player="red"), "plasma incinerator")
    start = battle(squad, team("boyz", "Boyz", 2, (30, 10)))
    entry, after = shoot(start, [("h-0", "plasma incinerator/supercharge", "boyz")], [3, 1, 3, 1])
    assert len(after.unit("boyz").models) == 1
    assert after.unit("h").whereabouts == "destroyed"
    assert isinstance(entry.events[-1], ModelsRemoved)


def test_a_wounded_bearer_pays_first() -> None:
    squad = hurt(armed(team("h", "Hellblaster Squad", 3, (10, 10), player="red"), "plasma incinerator"), m0=1)
    start = battle(squad, team("boyz", "Boyz", 2, (30, 10)))
    weapons = [(f"h-{k}", "plasma incinerator/supercharge", "boyz") for k in (0, 1)]
    _, after = shoot(start, weapons, [1] * 4 + [1, 2])
    assert lost(after, "h") == {"h-1": 0, "h-2": 0}


def test_a_wounded_bearer_pays_first_though_it_did_not_fire() -> None:
    squad = hurt(armed(team("h", "Hellblaster Squad", 3, (10, 10), player="red"), "plasma incinerator"), m0=1)
    start = battle(squad, team("boyz", "Boyz", 2, (30, 10)))
    _, after = shoot(start, [("h-1", "plasma incinerator/supercharge", "boyz")], [1, 1, 1])
    assert lost(after, "h") == {"h-1": 0, "h-2": 0}


def test_a_hazardous_weapon_fired_from_aboard_hurts_the_transport() -> None:
    trukk = armed(team("t", "Trukk", 1, (10, 10), player="red"), "big shoota")
    aboard = armed(team("l", "Lootas", 1, (10, 10), player="red"), "kustom mega-blasta")
    aboard = changed(aboard, whereabouts="embarked:t", models=tuple(changed(m, pose=None) for m in aboard.models))
    start = battle(trukk, aboard, team("marines", "Intercessor Squad", 2, (30, 10)))
    command = Shoot("t", (AttackWith("l-0", "kustom mega-blasta", "marines"),))
    assert judge(RULESET, start, command).legal
    game = Game(RULESET, start)
    entry = game.play(command, ScriptedDice([2, 2, 2, 1]))
    if purposes(entry.events)[-1] != "Hazardous tests of t" or entry.faces[-1] != (1,):
        raise RuntimeError("the test was not taken")
    assert lost(game.battle, "t") == {"t-0": 3}


# --- one shot


@pytest.mark.parametrize("together", [True, pytest.param(False)])
def test_each_copy_of_a_one_shot_weapon_fires_once(together: bool) -> None:
    hammer = armed(team("h", "Hammerhead Gunship", 1, (10, 10), player="red"), "seeker missile", "seeker missile")
    start = battle(hammer, team("boyz", "Boyz", 3, (30, 10)))
    missile = ("h-0", "seeker missile", "boyz")
    _, after = shoot(start, [missile] * (1 + together), [1] * (1 + together), ["keep"])
    next_turn = changed(after, units=tuple(_unmarked(u, "shot") for u in after.units))
    legal = judge(RULESET, next_turn, Shoot("h", (AttackWith(*missile),))).legal
    assert legal != together


def _unmarked(unit: Unit, kind: str) -> Unit:
    return changed(unit, markers=tuple(m for m in unit.markers if m.kind != kind))


# --- the owner allocates


def test_the_owner_may_allocate() -> None:
    target = foes(2, 3, 7)
    start = battle(gunners(), target, options=(("allocation", "owner"),))
    result = fire(start, [3, 4], volley(gun(), target), choices=["foes-0"])
    assert lost(result.battle, "foes") == {"foes-0": 1, "foes-1": 0, "foes-2": 0}


def test_the_owner_is_not_asked_while_somebody_is_wounded() -> None:
    target = foes(2, 3, 7)
    start = battle(gunners(), target, options=(("allocation", "owner"),))
    result = fire(start, [3, 3, 4, 4], volley(gun("2"), target), choices=["foes-1"])
    assert result.choices == ("foes-1",)
    assert lost(result.battle, "foes") == {"foes-0": 0, "foes-2": 0}


def test_who_saved_goes_on_being_allocated() -> None:
    target = foes(2, 3, 4)
    start = battle(gunners(), target, options=(("allocation", "owner"),))
    result = fire(start, [3, 3, 4, 4, 6, 1], volley(gun("2"), target), choices=["foes-0", "foes-1"])
    assert result.choices == ("foes-0",)
    assert lost(result.battle, "foes") == {"foes-0": 1, "foes-1": 0, "foes-2": 0}


# --- Deadly Demise and who is aboard


def wreck() -> Battle:
    """A Hammerhead's railgun at a Trukk of ten wounds with three Boyz aboard, and a unit of either side close by."""
    hammer = team("h", "Hammerhead Gunship", 1, (30, 40), "railgun", player="red")
    trukk = team("t", "Trukk", 1, (30, 20))
    aboard = team("boyz", "Boyz", 3, (0, 0))
    aboard = changed(aboard, whereabouts="embarked:t", models=tuple(changed(m, pose=None) for m in aboard.models))
    own = team("own", "Boyz", 4, (30 - 2.75 - 6 - RADIUS_32, 19))  # exactly six inches off
    foe = team("foe", "Intercessor Squad", 2, (30, 14), player="red")
    far = team("far", "Boyz", 2, (30 + 2.75 + 6.001 + RADIUS_32, 20))
    return battle(hammer, trukk, aboard, own, foe, far)


def test_deadly_demise_before_anybody_gets_out() -> None:
    # hit, wound, invulnerable save 6+, damage 4 + 6; Demise, a D3 for each of two units; three get out, one is hurt
    faces = [4, 2, 5, 4, 6, 2, 3, 1, 2, 3]
    entry, after = shoot(wreck(), [("h-0", "railgun", "t")], faces)
    told = purposes(entry.events)
    demise = next(k for k, text in enumerate(told) if text.startswith("Deadly Demise"))
    assert entry.faces[demise : demise + 3] == ((6,), (2,), (3,))
    assert sorted(told[demise + 1 : demise + 3]) == ["Deadly Demise on foe", "Deadly Demise on own"]
    assert told[demise + 3] == "boyz gets out of the wreck"
    placed = next(k for k, e in enumerate(entry.events) if isinstance(e, ModelsPlaced))
    rolled = next(k for k, e in enumerate(entry.events) if isinstance(e, DiceRolled) and "Demise on" in e.purpose)
    suffered = [k for k, e in enumerate(entry.events) if isinstance(e, ModelsRemoved) and e.unit == "own"]
    assert rolled < suffered[0] < suffered[-1] < placed
    assert after.unit("t").whereabouts == "destroyed"
    assert len(after.unit("boyz").models) == 2, "one of three rolled a one; the Demise did not touch them"
    assert len(after.unit("own").models) == 4 - 2, "two mortal wounds spill over models of one wound"
    assert lost(after, "foe") == {"foe-0": 1}, "three mortal wounds at models of two"
    assert len(after.unit("far").models) == 2
    assert after.unit("boyz").marked("battle-shocked")


def test_all_get_out_in_the_owners_order_before_any_die_is_rolled() -> None:
    start = wreck()
    more = changed(start.unit("own"), whereabouts="embarked:t")
    more = changed(more, models=tuple(changed(m, pose=None) for m in more.models))
    full = start.with_unit(more)
    faces = [4, 2, 5, 4, 5, 1, 2, 3, 4, 6, 2, 3]  # no Demise; four of the second unit roll first, one of them a one
    entry, after = shoot(full, [("h-0", "railgun", "t")], faces, ["keep", "own"])
    placed = [e.unit for e in entry.events if isinstance(e, ModelsPlaced)]
    assert placed == ["own", "boyz"]
    last = max(k for k, e in enumerate(entry.events) if isinstance(e, ModelsPlaced))
    told = [k for k, e in enumerate(entry.events) if isinstance(e, DiceRolled) and "wreck" in e.purpose]
    assert len(told) == 2
    assert last < told[0]
    assert (len(after.unit("own").models), len(after.unit("boyz").models)) == (3, 3)
    assert after.unit("own").marked("battle-shocked")
    assert after.unit("boyz").marked("cannot-charge")


def wreck_needs(entry: Entry) -> list[int]:
    """The face from which on a passenger gets out of a wreck unhurt, for each roll."""
    told = [e.about for e in entry.events if isinstance(e, DiceRolled) and e.about is not None]
    return [about.needs for about in told if about.kind == "wreck"]


def test_who_has_to_get_out_farther_off_is_hurt_up_to_a_three() -> None:
    quarter = ((4.55, 3.3), (1.5, 4.03))  # inches from the middle of the Trukk; nobody finds room within the ring
    spots = [Pose(30 + i * x, 20 + j * y) for i in (1, -1) for j in (1, -1) for x, y in quarter]
    spots += [Pose(30 + 5.28, 20), Pose(30 - 5.28, 20)]
    foes = team("foe", "Intercessor Squad", len(spots), (0, 0), player="red")
    ring = changed(foes, models=tuple(changed(m, pose=p) for m, p in zip(foes.models, spots, strict=True)))
    entry, after = shoot(wreck().with_unit(ring), [("h-0", "railgun", "t")], [4, 2, 5, 4, 5, 3, 4, 3])
    assert wreck_needs(entry) == [4]
    assert len(after.unit("boyz").models) == 1


def test_a_demise_that_fails() -> None:
    entry, after = shoot(wreck(), [("h-0", "railgun", "t")], [4, 2, 5, 4, 5, 6, 2, 3])
    assert wreck_needs(entry) == [2]
    assert not rolls(entry, "Demise on")
    assert len(after.unit("boyz").models) == 3
    assert len(after.unit("own").models) == 4


def test_a_demise_reaches_the_rest_of_its_own_unit() -> None:
    hammer = team("h", "Hammerhead Gunship", 1, (30, 40), "railgun", player="red")
    dreads = team("d", "Deff Dread", 2, (30, 15))
    entry, after = shoot(battle(hammer, dreads), [("h-0", "railgun", "d")], [4, 2, 5, 4, 6])
    assert len(rolls(entry, "Demise of")) == 1
    (left,) = after.unit("d").models
    assert left.wounds_lost == 1


def test_a_demise_that_sets_off_another_touches_nobody_twice_for_one() -> None:
    hammer = team("h", "Hammerhead Gunship", 1, (30, 40), "railgun", player="red")
    first = team("a", "Deff Dread", 1, (30, 15))
    second = hurt(team("b", "Deff Dread", 1, (33, 15)), m0=7)
    boyz = team("boyz", "Boyz", 4, (27, 14))
    entry, after = shoot(battle(hammer, first, second, boyz), [("h-0", "railgun", "a")], [4, 2, 5, 4, 6, 6])
    assert len(rolls(entry, "Demise of")) == 2
    assert after.unit("a").whereabouts == after.unit("b").whereabouts == "destroyed"
    assert len(after.unit("boyz").models) == 2, "one mortal wound of either; the one that dies is out of reach"


# --- dice that run out


@pytest.mark.parametrize("known", range(10))
def test_dice_that_run_out_change_nothing(known: int) -> None:
    start = wreck()
    game = Game(RULESET, start)
    faces = [4, 2, 5, 4, 6, 2, 3, 1, 2, 3][:known]
    with pytest.raises(DiceError, match="the roll script has"):
        game.play(Shoot("h", (AttackWith("h-0", "railgun", "t"),)), ScriptedDice(faces))
    assert game.battle is start
    assert game.battle == wreck()
    assert game.entries == ()


# --- the odds and the play are the same


class _More(Exception):
    """The written faces are used up at a die with so many sides."""


class _Written:
    """Faces from a list, one die at a time; the first that is missing is asked for by an exception."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces, self.sides = faces, []  # type: ignore[var-annotated]

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        assert kind == "plain"
        used = len(self.sides)
        self.sides += [sides] * min(count, len(self.faces) - used)
        if len(self.faces) - used < count:
            raise _More(sides)
        return self.faces[used : used + count]


def every_end(start: Battle, fired: Volley) -> Iterator[tuple[Fraction, Battle]]:
    """All that can come of a volley, with its chance: the procedure is played for every sequence of faces."""
    waiting: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    while waiting:
        chance, faces = waiting.pop()
        try:
            result = resolve(RULESET, start, firing(start, fired), _Written(faces), FirstChoice())
        except _More as more:
            sides = int(more.args[0])
            waiting += [(chance / sides, (*faces, face)) for face in range(1, sides + 1)]
        else:
            yield chance, result.battle


def tolled(start: Battle, fired: Volley) -> tuple[Counter[int], Counter[int]]:
    """The chances of the fallen and of the wounds lost."""
    before = losses.wounds_left(start.unit(fired.target))
    fallen: Counter[int] = Counter()
    gone: Counter[int] = Counter()
    total = Fraction(0)
    for chance, after in every_end(start, fired):
        left = losses.wounds_left(after.unit(fired.target))
        fallen[len(before) - len(left)] += chance  # type: ignore[assignment]
        gone[sum(before) - sum(left)] += chance  # type: ignore[assignment]
        total += chance
    assert total == 1
    return fallen, gone


def come_true(toll: Toll, fallen: Counter[int], gone: Counter[int]) -> None:
    for found, wanted in ((toll.fallen, fallen), (toll.lost, gone)):
        for value, chance in found.items():
            assert chance == pytest.approx(float(wanted[value]), abs=1e-12), value


SMALL_VOLLEYS = {
    "two plain attacks": (gun("2", skill=5, strength=2), foes(1, 2), {}),
    "lethal, sustained, devastating": (
        gun("1", "D3", "lethal-hits", "sustained-hits 1", "devastating-wounds"),
        foes(2, 2),
        {},
    ),
    "sustained 2": (gun("1", "1", "sustained-hits 2", skill=6), foes(1, 3, 7), {}),
    "twin-linked at one that ignores wounds": (gun("1", "2", "twin-linked"), foes(2, 1, 4, "feel-no-pain 5"), {}),
    "hits again": (gun("2", skill=6), foes(1, 2, 7), {"hit_again": "failed"}),
    "ones again": (gun("1", "2", "lethal-hits"), foes(3, 1, 3), {"hit_again": "ones", "wound_again": "ones"}),
    "D3 attacks": (gun("D3", skill=None, strength=5), foes(1, 3, 7), {}),
    "unseen": (gun("2", "1", "indirect-fire", skill=2), foes(1, 2, 7), {"unseen": True}),
    "overwatch": (gun("2", "1", "sustained-hits 1", skill=2), foes(1, 2, 7), {"only_sixes": True}),
    "anti and devastating": (
        gun("1", "D3", "anti-vehicle 3", "devastating-wounds"),
        changed(foes(2, 2, 3, toughness=9, inv=5), keywords=("VEHICLE",)),
        {},
    ),
    "melta": (gun("1", "D3", "melta 2", ap=-4), foes(4, 2), {"half_range": True}),
    "one is wounded": (gun("2", "2", ap=-4), hurt(foes(3, 2), m0=2), {}),
}


@pytest.mark.parametrize(("weapon", "target", "about"), SMALL_VOLLEYS.values(), ids=list(SMALL_VOLLEYS))
def test_the_odds_are_those_of_every_play(weapon: Weapon, target: Unit, about: dict[str, object]) -> None:
    start = battle(gunners(), target)
    fired = volley(weapon, target, **about)
    come_true(fired.attack(start).odds(1, losses.wounds_left(target)), *tolled(start, fired))


def test_the_odds_of_devastating_wounds_at_broadsides() -> None:
    target = team("b", "Broadside Battlesuits", 1, (20, 10))
    start = battle(gunners(), target)
    fired = volley(gun("1", "2", "devastating-wounds", ap=-4), target)
    come_true(fired.attack(start).odds(1, losses.wounds_left(target)), *tolled(start, fired))


def test_seeded_play_meets_the_odds() -> None:
    target = foes(2, 5, 4, "feel-no-pain 6", toughness=5)
    start = battle(gunners(2), target)
    weapon = gun("D3", "D3", "lethal-hits", "sustained-hits 1", "devastating-wounds", "twin-linked", ap=-1)
    fired = volley(weapon, target, weapons=2, hit_again="ones")
    toll = fired.attack(start).odds(2, losses.wounds_left(target))
    dice, times = SeededDice(20_000), 4000
    samples: dict[str, list[int]] = {"fallen": [], "lost": []}
    for _ in range(times):
        after = resolve(RULESET, start, firing(start, fired), dice, FirstChoice()).battle.unit("foes")
        samples["fallen"].append(5 - len(after.models))
        samples["lost"].append(10 - sum(losses.wounds_left(after)))
    for name, pmf in (("fallen", toll.fallen), ("lost", toll.lost)):
        variance = sum(chance * (value - pmf.mean) ** 2 for value, chance in pmf.items())
        mean = sum(samples[name]) / times
        assert abs(mean - pmf.mean) <= 4 * sqrt(variance / times), name
        spread = sum((value - mean) ** 2 for value in samples[name]) / times
        assert spread == pytest.approx(variance, rel=0.15), name


def test_of_whole_models_the_last_that_coherency_can_spare_suffers() -> None:
    """Three in a line; the last of the file stands in the middle, and without it the others are no group."""
    line = team("foes", "Intercessor Squad", 3, (20, 10))
    places = (20.0, 26.0, 23.0)
    apart = tuple(changed(m, pose=Pose(x, 10.0)) for m, x in zip(line.models, places, strict=True))
    unit = changed(line, models=apart)
    start = battle(gunners(), unit)
    assert losses.next_to_suffer(start, unit).id == "foes-1"
    huddled = changed(
        line, models=tuple(changed(m, pose=Pose(x, 10.0)) for m, x in zip(apart, (20, 22, 21), strict=True))
    )
    assert losses.next_to_suffer(start, huddled).id == "foes-2"
    hurt_one = hurt(unit, m0=1)
    assert losses.next_to_suffer(start, hurt_one).id == "foes-0"
    alone = changed(unit, models=unit.models[:1])
    assert losses.next_to_suffer(start, alone).id == "foes-0"


@pytest.mark.parametrize("where", ["table", "reserves"])
def test_mortal_wounds_reach_nobody_who_is_away_or_dying_already(where: str) -> None:
    unit = foes(2, 3)
    start = battle(changed(unit, whereabouts=where))
    dying = frozenset(m.id for m in unit.models) if where == "table" else losses.NOBODY

    def procedure() -> Procedure:
        yield from losses.mortal_wounds(start, "foes", 3, dying=dying)

    after = resolve(RULESET, start, procedure(), ScriptedDice([]), FirstChoice()).battle
    assert lost(after, "foes") == {"foes-0": 0, "foes-1": 0, "foes-2": 0}
