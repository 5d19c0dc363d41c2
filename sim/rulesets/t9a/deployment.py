"""Setting armies up before the battle: whole blocks inside the own zone; units with Ambush may be kept back."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, ModelsPlaced, Unit
from sim.battle.state import RESERVES
from sim.geometry import Base, Placed, PlacedSet, Rules
from sim.geometry.cut_ground import CutGround, inside_of
from sim.rules import Deploy, Procedure, Violation, alternating
from sim.rulesets.t9a import formation, moves, spacing
from sim.rulesets.t9a.eligibility import may_act, one_each

RULE = "Deployment"


def rules(battle: Battle, command: Deploy) -> Rules:
    """In ranks, wholly within the player's own zone, and one inch from everybody."""
    unit = battle.unit(command.unit)
    files = formation.files_of(unit, len(unit.models))
    return Rules(
        standing=(
            *_own_zone(battle, unit),
            *moves.in_ranks(unit, command.models, files),
            *spacing.block_standing(battle, unit),
        )
    )


def figure(battle: Battle, command: Deploy) -> tuple[Base, float]:
    """What the region of legal spots is about: the boundary of the unit in its ranks."""
    unit = battle.unit(command.unit)
    whole = formation.boundary([Placed(m.base, pose) for m, pose in zip(unit.models, command.models, strict=True)])
    return whole.base, whole.pose.facing


def judge(battle: Battle, command: Deploy) -> Iterator[Violation]:
    """All that is wrong with setting this unit up here."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "deployment")
    if unit.whereabouts != RESERVES:
        yield Violation("not-eligible", RULE, f"{unit.name} is already {unit.whereabouts}", (unit.id,))
    if not any(zone.player == unit.player for zone in battle.battlefield.zones):
        yield Violation("not-eligible", RULE, f"{unit.player} has no deployment zone", (unit.id,))
    wrong = tuple(one_each(unit, command.models, RULE))
    yield from wrong
    if not wrong and unit.models:
        members = PlacedSet.of(Placed(m.base, pose) for m, pose in zip(unit.models, command.models, strict=True))
        yield from spacing.violations(unit, rules(battle, command), members)


def resolve(battle: Battle, command: Deploy) -> Procedure:
    """The unit stands; the opponent sets up next as long as anything of theirs is left that cannot ambush."""
    unit = battle.unit(command.unit)
    battle = yield ModelsPlaced(unit.id, tuple((m.id, p) for m, p in zip(unit.models, command.models, strict=True)))
    yield from alternating.turn_passes(battle)


def _own_zone(battle: Battle, unit: Unit) -> Iterator[formation.AsOne]:
    zones = [zone for zone in battle.battlefield.zones if zone.player == unit.player]
    if zones:
        grounds = [CutGround(zone.outline, tuple((disc.at, disc.radius) for disc in zone.minus)) for zone in zones]
        zone = inside_of("not-wholly-within", RULE, f"the deployment zone of {unit.player}", grounds)
        yield formation.AsOne(zone, member_by_member=True)
