"""Setting armies up before the battle."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, ModelsPlaced, Unit
from sim.battle.state import RESERVES
from sim.geometry import Rules, StayInside
from sim.geometry.cut_ground import CutGround, inside_of
from sim.rules import Deploy, Procedure, Violation, alternating
from sim.rulesets.wap import measuring, terrain
from sim.rulesets.wap.eligibility import may_act, one_pose_each

RULE = "Deployment"


def rules(battle: Battle, command: Deploy) -> Rules:
    """Wholly within the player's own zone, clear of everybody and of impassable terrain."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            *own_zone(battle, unit),
            measuring.on_table(battle.battlefield),
            measuring.clear_of_others(battle, unit),
            measuring.apart(),
            terrain.clear_of_impassable(battle.battlefield),
            measuring.spaced(battle, unit),
        )
    )


def judge(battle: Battle, command: Deploy) -> Iterator[Violation]:
    """All that is wrong with setting this unit up here."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "deployment", "deploy-armies")
    if unit.whereabouts != RESERVES:
        yield Violation("not-eligible", RULE, f"{unit.name} is already {unit.whereabouts}", (unit.id,))
    if not any(zone.player == unit.player for zone in battle.battlefield.zones):
        yield Violation("not-eligible", RULE, f"{unit.player} has no deployment zone", (unit.id,))
    wrong = tuple(one_pose_each(unit, command.models, RULE))
    yield from wrong
    if not wrong:
        members = measuring.placed(unit, command.models)
        yield from measuring.violations(unit, rules(battle, command), members)


def resolve(battle: Battle, command: Deploy) -> Procedure:
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
