"""Dice that an attack rolls again by itself, and what some units may do when they shoot: asked of their player."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from sim.battle import Battle, DiceRolled, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices
from sim.geometry import Round
from sim.rules import Command
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.chances import odds
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from tests.rulesets.wh40k10.stage import SHOOTING, battle, squad


def shoot(model: str, weapon: str, target: str) -> Shoot:
    return Shoot(model.rpartition("-")[0], (AttackWith(model, weapon, target),))


def told(
    start: Battle, command: Command, faces: tuple[int, ...], choices: tuple[str, ...] = ()
) -> tuple[Battle, list[str]]:
    """The battle after a command, and the purposes of its rolls; every face and every choice has to be used."""
    game, dice, chooser = Game(RULESET, start), ScriptedDice(list(faces)), ScriptedChoices(list(choices))
    entry = game.play(command, dice, chooser)
    assert dice.left == 0
    assert entry.choices == choices
    return game.battle, [event.purpose for event in entry.events if isinstance(event, DiceRolled)]


def lost(after: Battle, unit: str = "foe") -> int:
    return after.unit(unit).models[0].wounds_lost


def rig() -> Battle:
    """A Gunrig: one shot on 5+, S20, AP -5, D6+6, Devastating Wounds and Twin-linked, at a Rhino of ten wounds."""
    return battle(
        SHOOTING,
        squad("rig", "red", "Tidewall Gunrig", (10, 10), base=Round.mm(60)),
        squad("foe", "blue", "Riptide Battlesuit", (40, 10), base=Round.mm(90)),
    )


RAIL = shoot("rig-1", "supremacy railgun", "foe")


def test_twin_linked_failures_are_rolled_again_without_a_question() -> None:
    after, rolls = told(rig(), RAIL, (5, 1, 3, 1, 6))
    assert [text.endswith("again") for text in rolls] == [False, False, True, False, False]
    assert lost(after) == 12


@pytest.mark.parametrize(
    ("answer", "faces", "again"),
    [("failed", (5, 3, 2, 1), False), ("none", (5, 3, 2, 1), False), ("all-but-criticals", (5, 3, 6, 1), True)],
)
def test_a_wound_that_is_not_critical_is_its_players_to_roll_again(
    answer: str, faces: tuple[int, ...], again: bool
) -> None:
    """As a Critical Wound it cannot be saved on 4+."""
    after, rolls = told(rig(), RAIL, faces, (answer,))
    assert any(text.endswith("again") for text in rolls) == again
    assert any("saves" in text for text in rolls) != again
    assert lost(after) == 7


def test_a_critical_wound_is_not_asked_about() -> None:
    told(rig(), RAIL, (5, 6, 2))


def test_the_odds_take_whichever_dice_do_better() -> None:
    """Wounds on 2+ against an invulnerable save of 4+: of a plain wound half is saved, so that is kept."""
    (row,) = odds(rig(), RAIL)
    assert "Wound rolls: failures rolled again" in row.lines
    # 2/6 to hit; 7/36 critical, 28/36 plain after failures again, half of those saved; D6 and 6 each
    assert dict(row.distributions)["wounds lost"].mean == pytest.approx(2 / 6 * (7 + 14) / 36 * 9.5)


def sunforge(target: str, count: int) -> Battle:
    return battle(
        SHOOTING,
        squad("suit", "red", "Crisis Sunforge Battlesuits", (10, 10), base=Round.mm(50), loadout=["fusion blaster"]),
        squad("foe", "blue", target, (20, 10), count, base=Round.mm(60)),
    )


FUSION = shoot("suit-1", "fusion blaster", "foe")


@pytest.mark.parametrize(("answer", "faces", "points"), [("keep", (2,), 2), ("again", (2, 5), 5)])
def test_damage_at_armour_may_be_rolled_again(answer: str, faces: tuple[int, ...], points: int) -> None:
    """S9 against T9 wounds on 4+, and a 3 is rolled again by itself."""
    after, _ = told(sunforge("Riptide Battlesuit", 1), FUSION, (4, 3, 4, 1, *faces), (answer,))
    assert lost(after) == points


def test_the_highest_damage_is_kept_and_soldiers_are_no_armour() -> None:
    told(sunforge("Riptide Battlesuit", 1), FUSION, (4, 4, 1, 6))
    told(sunforge("Nobz", 2), FUSION, (4, 4, 2))


def test_the_odds_roll_damage_again_below_its_average() -> None:
    (row,) = odds(sunforge("Riptide Battlesuit", 1), FUSION)
    again = [face if face >= 4 else other for face, other in itertools.product(range(1, 7), repeat=2)]
    # hits on 4+; wounds on 4+ with failures again; an invulnerable save of 4+
    assert dict(row.distributions)["wounds lost"].mean == pytest.approx(1 / 2 * 3 / 4 * 1 / 2 * sum(again) / 36)
    assert "Damage rolled again where it is below its average" in row.lines


def tank(*loadout: str) -> Battle:
    return battle(
        SHOOTING,
        squad("tank", "red", "Hammerhead Gunship", (10, 10), base=Round.mm(60), loadout=loadout),
        squad("foe", "blue", "Redemptor Dreadnought", (40, 10), base=Round.mm(90)),
        squad("mob", "blue", "Boyz", (28, 10), 3),
    )


def test_one_hit_or_wound_roll_of_a_hammerhead_again_and_no_second() -> None:
    """Heavy and its aim at armour: 3+; S20 wounds T10 on 2+; Damage D6+6 less one."""
    start, shot = tank("railgun"), shoot("tank-1", "railgun", "foe")
    assert lost(told(start, shot, (2, 4, 2, 1), ("2",))[0]) == 6
    assert lost(told(start, shot, (2, 5, 1), ("2",))[0]) == 0  # a wound that fails then is not rolled again
    assert lost(told(start, shot, (5, 1, 3, 2), ("1",))[0]) == 7  # kept for the wound
    assert lost(told(start, shot, (2,), ("keep",))[0]) == 0


def test_a_wound_roll_that_could_be_a_critical_one_may_be_the_die() -> None:
    start, shot = tank("railgun"), shoot("tank-1", "railgun", "foe")
    _, rolls = told(start, shot, (5, 4, 6, 1), ("4",))
    assert rolls[2].endswith("again")
    told(start, shot, (5, 4, 1), ("keep",))


def test_the_one_die_again_is_one_for_all_the_units_weapons() -> None:
    start = tank("railgun", "accelerator burst cannon")
    command = Shoot(
        "tank", (AttackWith("tank-1", "accelerator burst cannon", "mob"), AttackWith("tank-1", "railgun", "foe"))
    )
    told(start, command, (1, 2, 3, 3, 1, 1), ("2",))


@pytest.mark.parametrize(("targets", "shots"), [(("foe", "foe"), 4), (("foe", "mob"), 2)])
def test_bolt_rifles_fire_more_often_at_one_target_alone(targets: tuple[str, str], shots: int) -> None:
    start = battle(
        SHOOTING,
        squad("men", "red", "Intercessor Squad", (10, 10), 2, loadout=["bolt rifle"]),
        squad("foe", "blue", "Redemptor Dreadnought", (10, 28), base=Round.mm(90)),
        squad("mob", "blue", "Deff Dread", (20, 28), base=Round.mm(60)),
    )
    command = Shoot("men", tuple(AttackWith(f"men-{k + 1}", "bolt rifle", name) for k, name in enumerate(targets)))
    told(start, command, (1,) * 2 * shots)
    row, *_ = odds(start, command)
    # 3+ and Heavy: 5/6; S4 against T10: 1/6; Sv 2+ at AP -1 saves on 3+
    many = shots * targets.count("foe")
    assert dict(row.distributions)["wounds lost"].mean == pytest.approx(many * 5 / 6 * 1 / 6 * 1 / 3)


def test_a_nova_charge_is_asked_for_until_it_is_used_and_no_more() -> None:
    start = battle(
        SHOOTING,
        squad("suit", "red", "Riptide Battlesuit", (10, 10), base=Round.mm(100), loadout=["heavy burst cannon"]),
        squad("foe", "blue", "Redemptor Dreadnought", (40, 10), base=Round.mm(90)),
    )
    shot, misses = shoot("suit-1", "heavy burst cannon", "foe"), (1,) * 11
    after, rolls = told(start, shot, (*misses, 4, 6), ("heavy burst cannon",))
    assert lost(after) == 1  # a Critical Wound: no save, two mortal wounds less one
    assert after.unit("suit").marked("spent nova")
    assert not any("saves" in text for text in rolls)
    told(start, shot, (*misses, 4, 6, 3), ("not-now",))
    told(battle(SHOOTING, *map(_next_turn, after.units)), shot, (*misses, 4, 6, 3))


def _next_turn(unit: Unit) -> Unit:
    return replace(unit, markers=tuple(m for m in unit.markers if m.until == "end-of-battle"))


def test_which_profile_of_a_weapon_is_used_is_its_players_to_say() -> None:
    start = battle(
        SHOOTING,
        squad("men", "red", "Hellblaster Squad", (10, 10), loadout=["plasma incinerator"]),
        squad("foe", "blue", "Boyz", (10, 28), 3),
    )
    shot = shoot("men-1", "plasma incinerator", "foe")
    verdict = Game(RULESET, start).judge(shot)
    assert verdict.codes == ("profile-needed",)
    assert "standard or supercharge" in verdict.violations[0].message
    (attack,) = shot.attacks
    for profile in ("standard", "supercharge"):
        assert Game(RULESET, start).judge(Shoot("men", (replace(attack, profile=profile),))).legal
