"""Setting armies up before the battle."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, ModelsPlaced, Unit
from sim.battle.state import RESERVES
from sim.geometry import KeepClear, Rules, StayInside
from sim.geometry.cut_ground import CutGround, inside_of
from sim.rules import Deploy, Procedure, Violation, alternating
from sim.rulesets.wh40k10 import measuring, quantifiers, reserves
from sim.rulesets.wh40k10.commands import Infiltrate
from sim.rulesets.wh40k10.eligibility import in_reserves, may_act

INFILTRATE_CLEARANCE = 9.0  # inches, more than this from enemies and from their zone; Infiltrators

RULE = "Deployment"
INFILTRATORS = "Infiltrators"
HOVER = "hover"  # the ability of Aircraft that may be set up


def rules(battle: Battle, command: Deploy) -> Rules:
    """Wholly within the player's own zone, out of Engagement Range, and coherent."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            *own_zone(battle, unit),
            *measuring.out_of_engagement(battle, unit, "ends-engaged", command.models),
            *measuring.standing(battle, unit, command.models),
        )
    )


def judge(battle: Battle, command: Deploy) -> Iterator[Violation]:
    """All that is wrong with setting this unit up here."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "deployment", "deploy-armies")
    if unit.whereabouts != RESERVES:
        yield Violation("not-eligible", RULE, f"{unit.name} is already {unit.whereabouts}", (unit.id,))
    if starts_in_reserves(unit):
        what = f"{unit.name} is an Aircraft: it starts the battle in Reserves"
        yield Violation("not-eligible", RULE, what, (unit.id,))
    if not any(zone.player == unit.player for zone in battle.battlefield.zones):
        yield Violation("not-eligible", RULE, f"{unit.player} has no deployment zone", (unit.id,))
    yield from reserves.arriving(battle, unit, command.models, rules(battle, command), RULE)


def starts_in_reserves(unit: Unit) -> bool:
    """Whether a unit cannot be set up before the battle: Aircraft, but what may hover."""
    return unit.has(measuring.AIRCRAFT) and quantifiers.some(unit, HOVER) is None


def infiltrate_rules(battle: Battle, command: Infiltrate) -> Rules:
    """Anywhere on the table more than nine inches from all enemies and from their deployment zones."""
    unit = battle.unit(command.unit)
    enemies = battle.index.enemies_of(unit.player)
    return Rules(
        standing=(
            KeepClear("enemy-too-close", INFILTRATORS, enemies, INFILTRATE_CLEARANCE),
            *reserves.off_enemy_zones(
                battle, unit, "enemy-zone-too-close", INFILTRATORS, INFILTRATE_CLEARANCE, strict=True
            ),
            *measuring.standing(battle, unit, command.models),
        )
    )


def judge_infiltrate(battle: Battle, command: Infiltrate) -> Iterator[Violation]:
    """All that is wrong with setting these Infiltrators up here."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, INFILTRATORS, "deployment", "deploy-armies")
    yield from in_reserves(unit, INFILTRATORS)
    if not quantifiers.every(unit, "infiltrators"):
        yield Violation("not-eligible", INFILTRATORS, f"{unit.name} does not have Infiltrators", (unit.id,))
    yield from reserves.arriving(battle, unit, command.models, infiltrate_rules(battle, command), INFILTRATORS)


def resolve(battle: Battle, command: Deploy | Infiltrate) -> Procedure:
    """The unit stands; the opponent sets up next as long as anything of theirs is left to set up."""
    unit = battle.unit(command.unit)
    poses = tuple((m.id, p) for m, p in zip(unit.models, command.models, strict=True))
    battle = yield ModelsPlaced(unit.id, poses)
    yield from alternating.turn_passes(battle)


def own_zone(battle: Battle, unit: Unit) -> Iterator[StayInside]:
    """Wholly inside the deployment zone of the unit's player."""
    zones = [zone for zone in battle.battlefield.zones if zone.player == unit.player]
    if zones:
        grounds = [CutGround(zone.outline, tuple((disc.at, disc.radius) for disc in zone.minus)) for zone in zones]
        yield inside_of("not-wholly-within", RULE, f"the deployment zone of {unit.player}", grounds)
