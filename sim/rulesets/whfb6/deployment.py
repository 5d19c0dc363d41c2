"""Setting armies up before the battle, and laying the tunnel markers after that."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sim.battle import Battle, Clock, ClockAdvanced, Marker, MarkerSet, ModelsPlaced, Unit
from sim.battle.state import RESERVES
from sim.geometry import Rules, StayInside
from sim.geometry.cut_ground import CutGround, inside_of
from sim.rules import Deploy, Procedure, Violation, alternating
from sim.rulesets.whfb6 import spacing, terrain
from sim.rulesets.whfb6.abilities import TUNNELLING
from sim.rulesets.whfb6.commands import LayMarker
from sim.rulesets.whfb6.eligibility import may_act
from sim.rulesets.whfb6.markers import MARKER, UNDERGROUND, laid, on_battlefield

RULE = "Deployment"
MARKERS = "Tunnel Markers"


def rules(battle: Battle, command: Deploy) -> Rules:
    """Wholly within the player's own zone, off everything else."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            *_own_zone(battle, unit),
            spacing.on_table(battle.battlefield),
            spacing.clear_of_others(battle, unit),
            terrain.clear_of_impassable(battle.battlefield),
            spacing.clear_of_enemies(battle, unit),
            spacing.apart(),
            *spacing.loose_group(unit),
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
    wrong = tuple(spacing.one_each(unit, command.models, RULE))
    yield from wrong
    if not wrong:
        yield from spacing.violations(unit, rules(battle, command), command.models)


def resolve(battle: Battle, command: Deploy) -> Procedure:
    """The unit stands; the opponent sets up next as long as anything of theirs is left to set up."""
    unit = battle.unit(command.unit)
    poses = tuple((m.id, pose) for m, pose in zip(unit.models, command.models, strict=True))
    battle = yield ModelsPlaced(unit.id, poses)
    yield from alternating.turn_passes(battle)


def judge_marker(battle: Battle, command: LayMarker) -> Iterator[Violation]:
    """All that is wrong with laying a team's marker here."""
    unit = battle.unit(command.unit)
    clock = battle.clock
    if clock.phase and (clock.phase, clock.step) != ("deployment", "tunnel-markers"):
        what = "markers are laid once both armies and their scouts have set up"
        yield Violation("wrong-phase", MARKERS, what, (unit.id,))
    if unit.whereabouts != UNDERGROUND or unit.ability(TUNNELLING) is None:
        yield Violation("not-eligible", MARKERS, f"{unit.name} is no tunnelling team underground", (unit.id,))
    if laid(unit) is not None:
        yield Violation("not-eligible", MARKERS, f"the marker of {unit.name} is laid already", (unit.id,))
    if not on_battlefield(battle, command.at):
        x, y = command.at
        what = f"the marker of {unit.name} must lie on the battlefield, not at {x:g}, {y:g}"
        yield Violation("point-not-allowed", MARKERS, what, (unit.id,))


def resolve_marker(battle: Battle, command: LayMarker) -> Procedure:
    """The marker lies on the table."""
    yield MarkerSet(command.unit, Marker(MARKER, "tunnel", at=command.at))


def unmarked(battle: Battle, player: str) -> tuple[Unit, ...]:
    """The teams of a player whose markers are still to be laid, while it is the time for that."""
    if (battle.clock.phase, battle.clock.step) != ("deployment", "tunnel-markers"):
        return ()
    mine = (unit for unit in battle.units if unit.player == player and unit.whereabouts == UNDERGROUND)
    return tuple(unit for unit in mine if unit.ability(TUNNELLING) is not None and laid(unit) is None)


def next_player(battle: Battle) -> str | None:
    """Another player who still has units to set up or markers to lay in this step, None when all are through."""
    if battle.clock.step == "deploy-armies":
        return alternating.next_player(battle)
    return next((name for name in battle.players if unmarked(battle, name)), None)


def hands_over(battle: Battle, player: str) -> Procedure:
    """The step goes on with another player."""
    if battle.clock.step == "deploy-armies":
        yield from alternating.hands_over(battle, player)
    else:
        yield ClockAdvanced(replace(battle.clock, player=player))


def following(battle: Battle, after: Clock | None) -> Clock:
    """The next clock; where markers are to be laid, of a player who has one."""
    assert after is not None
    first = next_player(replace(battle, clock=after)) if after.step == "tunnel-markers" else None
    return after if first is None else replace(after, player=first)


def _own_zone(battle: Battle, unit: Unit) -> Iterator[StayInside]:
    zones = [zone for zone in battle.battlefield.zones if zone.player == unit.player]
    if zones:
        grounds = [CutGround(zone.outline, tuple((disc.at, disc.radius) for disc in zone.minus)) for zone in zones]
        yield inside_of("not-wholly-within", RULE, f"the deployment zone of {unit.player}", grounds)
