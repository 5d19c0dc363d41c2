"""Ambush: who rolls, who arrives, where a unit may be put, and what becomes of one that never comes."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from sim.battle import (
    Battle,
    BattleError,
    DiceRolled,
    Event,
    Marker,
    MarkerCleared,
    MarkerSet,
    ModelsPlaced,
    ModelsRemoved,
    Unit,
)
from sim.battle.state import RESERVES
from sim.geometry import Base, Placed, PlacedSet, Point, Pose, Rules
from sim.geometry.between import NothingBetween
from sim.geometry.corners import CornersNear
from sim.rules import NeedRoll, Procedure, Told, Violation
from sim.rulesets.t9a import formation, points, spacing
from sim.rulesets.t9a.commands import Ambush, Join
from sim.rulesets.t9a.eligibility import (
    AMBUSH,
    AMBUSH_ROLLS,
    AMBUSHED,
    ARRIVING,
    FIRST_TURN,
    MOVED,
    STAYING,
    may_act,
    waits,
)

RULE = "Ambush"
JOINING = "Ambush, joined models"
NEEDED = 3  # on a D6; the arrival roll
AUTOMATIC_FROM = 5  # the owner's Player Turn; from here on the roll succeeds
CORNERS_NEEDED = 3  # of four; placement
LAST_SCORING_TURN = 5  # Game Turn; a unit that arrives later loses Scoring
NO_SCORING = "scoring-lost"


# --- placing


def placed(battle: Battle, command: Ambush) -> Placed:
    """The boundary of the unit, with those that join it, where the command puts it."""
    unit = battle.unit(command.unit)
    if not unit.models:
        raise BattleError(f"{unit.name} has no models left")
    whole = formation.boundary(formation.block(battle, unit, command.at, command.facing))
    return Placed(whole.base, Pose(*command.at, command.facing))


def figure(battle: Battle, command: Ambush) -> tuple[Base, float]:
    """What the region of legal spots is about: the boundary, at the facing of the command."""
    return placed(battle, command).base, command.facing


def stands(battle: Battle, command: Ambush) -> tuple[Pose, ...]:
    """Where each model of the unit would stand."""
    unit = battle.unit(command.unit)
    whole = formation.block(battle, unit, command.at, command.facing)
    return tuple(member.pose for member in whole[len(whole) - len(unit.models) :])


def rules(battle: Battle, command: Ambush) -> Rules:
    """Three corners near the point, nothing between, on the table, apart from everything."""
    unit = battle.unit(command.unit)
    field = battle.battlefield
    place = points.place_of(unit)
    reach = points.CORNER_REACH if place is None else place.reach
    hosts = frozenset[str]()
    if place is not None and battle.option("ambush_friend", "blocks") == "ignored":
        hosts = frozenset(friend.id for friend in points.friends(battle, unit, place))
    touching = battle.option("ambush_between", "shared area") == "any touch"
    point, here = command.point, placed(battle, command)
    units = spacing.other_units(battle, unit, hosts)
    blocks = spacing.impassable(field)
    edge = () if battle.option("ambush_overhang", "no") == "yes" else (spacing.on_table(field),)
    apart = spacing.apart(battle, unit)
    if battle.option("ambush_spacing", "kept") == "free":
        apart = tuple(rule for rule in apart if rule.code != "unit-spacing")
    return Rules(
        standing=(
            *edge,
            *apart,
            CornersNear("corner-too-far", RULE, point, reach, CORNERS_NEEDED),
            NothingBetween("corridor-blocked", RULE, point, units, touching, here),
            NothingBetween("corridor-blocked", RULE, point, blocks, touching),
        )
    )


def judge(battle: Battle, command: Ambush) -> Iterator[Violation]:
    """All that is wrong with arriving like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement")
    yield from _may_arrive(battle, unit)
    place = points.place_of(unit)
    if place is not None:
        yield from points.wrong_point(battle, unit, place, command.point)
    if unit.models:
        here = PlacedSet((placed(battle, command),))
        yield from spacing.violations(unit, rules(battle, command), here)


def _may_arrive(battle: Battle, unit: Unit) -> Iterator[Violation]:
    """Not in ambush, too early, the roll failed, or the moment has passed."""
    clock = battle.clock
    if unit.ability("ambush") is None:
        yield Violation("not-eligible", RULE, f"{unit.name} does not have Ambush", (unit.id,))
    if unit.whereabouts != RESERVES:
        what = f"{unit.name} is not in ambush: it is {'on the table' if unit.on_table else unit.whereabouts}"
        yield Violation("not-eligible", RULE, what, (unit.id,))
    if host := formation.host_of(unit):
        yield Violation("not-eligible", RULE, f"{unit.name} arrives together with {host}", (unit.id, host))
    if (clock.phase or clock.player) and clock.round < FIRST_TURN:
        what = f"ambushing units arrive from Player Turn {FIRST_TURN} on; it is Player Turn {clock.round}"
        yield Violation("too-early", RULE, what, (unit.id,))
    elif unit.marked(STAYING):
        yield Violation("not-eligible", RULE, f"{unit.name} failed its arrival roll this turn", (unit.id,))
    elif clock.step == AMBUSH and not unit.marked(ARRIVING):
        yield Violation("not-eligible", RULE, f"{unit.name} has not made its arrival roll", (unit.id,))
    if clock.phase == "movement" and clock.step not in (AMBUSH_ROLLS, AMBUSH):
        what = "ambushing units arrive before anything else moves"
        yield Violation("wrong-phase", RULE, what, (unit.id,))


def resolve(battle: Battle, command: Ambush) -> Procedure:
    """The roll if it has not been made, then the whole unit stands, and counts as having made an Advance Move."""
    unit = battle.unit(command.unit)
    if battle.clock.step == AMBUSH_ROLLS and not unit.marked(ARRIVING):
        battle = yield from roll(battle, unit)
        if battle.unit(unit.id).marked(STAYING):
            return
    whole = formation.block(battle, unit, command.at, command.facing)
    poses = {m.id: p.pose for m, p in zip(formation.crew(battle, unit), whole, strict=True)}
    for member in (unit, *_joining(battle, unit)):
        yield ModelsPlaced(member.id, tuple((m.id, poses[m.id]) for m in member.models))
        if battle.unit(member.id).marked(ARRIVING):
            yield MarkerCleared(member.id, ARRIVING)
        yield MarkerSet(member.id, Marker(AMBUSHED, until="end-of-phase"))
        yield MarkerSet(member.id, Marker(MOVED, "advance", until="end-of-turn"))
        if battle.clock.round > LAST_SCORING_TURN:
            yield MarkerSet(member.id, Marker(NO_SCORING))


def outcome(battle: Battle, command: Ambush, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Whether the unit arrives or stays, and where its centre is."""
    if not after.unit(command.unit).on_table:
        return {"outcome": "stays"}
    return {"outcome": "arrives", "at": command.at}


# --- the roll


def needs_no_roll(battle: Battle) -> bool:
    """Whether arrival rolls succeed by themselves in this Player Turn."""
    return battle.clock.round >= AUTOMATIC_FROM


def roll(battle: Battle, unit: Unit) -> Generator[Told, Any, Battle]:
    """One D6 for a unit and all that join it, unless it succeeds by itself; marked as arriving or staying."""
    arrives = needs_no_roll(battle)
    if not arrives:
        (face,) = yield NeedRoll(1, 6, f"arrival of {unit.name}", unit.player)
        arrives = face >= NEEDED
    kind = ARRIVING if arrives else STAYING
    marked: Battle = yield MarkerSet(unit.id, Marker(kind, until="end-of-phase"))
    return marked


def roll_all(battle: Battle) -> Procedure:
    """The rolls of all ambushing units of the player whose turn it is, one after another."""
    for unit in waiting(battle):
        if not unit.marked(ARRIVING):
            battle = yield from roll(battle, unit)


def waiting(battle: Battle) -> tuple[Unit, ...]:
    """The units of the player whose turn it is that still have to roll, or to arrive."""
    return tuple(unit for unit in battle.units if unit.player == battle.clock.player and waits(battle, unit))


def rolled(battle: Battle, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What came of the rolls: whether anybody arrives, and who is the first."""
    arriving = [unit.id for unit in after.units if unit.marked(ARRIVING)]
    if arriving:
        return {"outcome": "arrives", "target": arriving[0]}
    tried = any(isinstance(event, DiceRolled) for event in events)
    return {"outcome": "stays"} if tried else {}


def lost(battle: Battle) -> Procedure:
    """At the end of the battle: whoever is still in ambush is destroyed."""
    for unit in battle.units:
        if unit.whereabouts == RESERVES and unit.ability("ambush") is not None and unit.models:
            yield ModelsRemoved(unit.id, tuple(model.id for model in unit.models))


# --- joined models


def judge_join(battle: Battle, command: Join) -> Iterator[Violation]:
    """Both in ambush, with the same (X), before the rolls, and the joining model fits into the ranks."""
    unit, host = battle.unit(command.unit), battle.unit(command.host)
    yield from may_act(battle, unit, JOINING, "movement")
    if battle.clock.phase == "movement" and battle.clock.step != AMBUSH_ROLLS:
        yield Violation("wrong-phase", JOINING, "joining is declared before the arrival rolls", (unit.id,))
    for one in (unit, host):
        if one.whereabouts != RESERVES or one.ability("ambush") is None:
            yield Violation("not-eligible", JOINING, f"{one.name} is not in ambush", (one.id,))
        elif one.marked(ARRIVING) or one.marked(STAYING):
            yield Violation("not-eligible", JOINING, f"{one.name} has already rolled", (one.id,))
    yield from _cannot_join(battle, unit, host)
    mine, theirs = points.place_of(unit), points.place_of(host)
    if mine is not None and theirs is not None and not points.same(mine, theirs):
        what = f"{unit.name} and {host.name} do not have the same (X)"
        yield Violation("not-eligible", JOINING, what, (unit.id, host.id))


def hosts(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """The units that a model could declare that it joins now."""
    return tuple(host for host in battle.units if not any(judge_join(battle, Join(unit.id, host.id))))


def nearest_point(battle: Battle, unit: Unit, at: Point) -> Point:
    """The point that the unit's (X) allows nearest to one that is pointed at."""
    place = points.place_of(unit)
    return at if place is None else points.nearest_point(battle, unit, place, at)


def _cannot_join(battle: Battle, unit: Unit, host: Unit) -> Iterator[Violation]:
    if unit.id == host.id or unit.player != host.player:
        yield Violation("not-eligible", JOINING, f"{unit.name} cannot join {host.name}", (unit.id, host.id))
    elif not unit.has("CHARACTER", "ATTACHABLE") or len(unit.models) != 1:
        yield Violation("not-eligible", JOINING, f"{unit.name} is no single Attachable Model", (unit.id,))
    elif host.has("CHARACTER", "ATTACHABLE") or formation.host_of(host) or formation.host_of(unit):
        yield Violation("not-eligible", JOINING, f"{unit.name} or {host.name} has already joined", (unit.id, host.id))
    elif any(model.base != unit.models[0].base for model in host.models):
        what = f"the base of {unit.name} does not fit into the ranks of {host.name}"
        yield Violation("not-eligible", JOINING, what, (unit.id, host.id))


def resolve_join(battle: Battle, command: Join) -> Procedure:
    """The model belongs to the unit until it is known that the unit does not arrive this turn."""
    yield MarkerSet(command.unit, Marker(formation.JOINED, command.host))


def part(battle: Battle) -> Procedure:
    """At the end of the turn models whose unit did not arrive are free to choose again."""
    for unit in battle.units:
        if unit.whereabouts == RESERVES and formation.host_of(unit):
            yield MarkerCleared(unit.id, formation.JOINED)


def _joining(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    return tuple(other for other in battle.units if formation.host_of(other) == unit.id)
