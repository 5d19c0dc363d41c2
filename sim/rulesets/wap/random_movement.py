"""Random Movement: one pivot, then the roll, then straight on, until a friend, a wall or an enemy ends it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.battle import (
    Battle,
    DiceRolled,
    Event,
    Marker,
    MarkerSet,
    ModelsMoved,
    ModelsRemoved,
    Unit,
)
from sim.geometry import Base, Hull, Path, Placed, PlacedSet, Point, Pose, Rules, Sweep, beyond, within
from sim.geometry.contact import Contact, first_nearing, first_of, is_front, moved
from sim.geometry.distance import gaps
from sim.geometry.runs import Halt, StayOnRun
from sim.geometry.shapes import FARTHEST_CHOICE
from sim.rules import NeedRoll, Procedure, Violation
from sim.rulesets.wap import measuring, terrain
from sim.rulesets.wap.abilities import RANDOM_MOVEMENT
from sim.rulesets.wap.attacks import Resolving, lose_wounds
from sim.rulesets.wap.commands import RandomMove
from sim.rulesets.wap.eligibility import (
    engaged_with,
    has_rallied,
    is_fleeing,
    may_act,
    movement_dice,
)

RULE = "Random Movement"
STOPS_WITHIN = 1.0  # inches; of friendly units and impassable terrain
FAR = 1000.0  # for drawing: how many inches the ground beyond the table is taken to reach
EDGE = "table-edge"
SIDES = 6  # of the dice that are rolled for the distance
DANGEROUS_FAILS = 1  # the face; Dangerous Terrain


@dataclass(frozen=True)
class Run:
    """How a run ends: after how many inches, how, by whom, and where they meet."""

    distance: float
    outcome: str  # moves, stops, charges, destroyed
    met: tuple[str, ...] = ()
    contact: Contact | None = None


def rules(battle: Battle, command: RandomMove) -> Rules:
    """Room to turn on the spot, and as far as the highest roll could take it."""
    unit = battle.unit(command.unit)
    start = turned(battle, unit, command.facing)
    run = StayOnRun(
        "passes-stop",
        RULE,
        start[0].base,
        start[0].pose,
        float(SIDES * movement_dice(unit)),
        (*_halts(battle, unit), *_enemies(battle, unit, 0.0)),
    )
    return Rules(standing=(*_room(battle, unit), run))


def figure(battle: Battle, command: RandomMove) -> tuple[Base, float]:
    """The base that runs, and where it looks."""
    unit = battle.unit(command.unit)
    return measuring.base_of(battle, unit, unit.models[0]), command.facing


def stands(battle: Battle, command: RandomMove) -> tuple[Pose, ...]:
    """Where the longest possible roll would take it."""
    unit = battle.unit(command.unit)
    members = turned(battle, unit, command.facing)
    ended = run(battle, unit, members, command.facing, float(SIDES * movement_dice(unit)))
    return tuple(m.pose for m in moved(members, command.facing, ended.distance))


def judge(battle: Battle, command: RandomMove) -> Iterator[Violation]:
    """All that forbids the move; where it ends nobody chooses."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement", "compulsory-moves")
    yield from _able(battle, unit)
    if command.then is not None:
        what = f"{unit.name} pivots once, before the roll; it may not turn to {command.then:g}° afterwards"
        yield Violation("second-pivot", RULE, what, (unit.id,))
    if not (math.isfinite(command.facing) and abs(command.facing) <= FARTHEST_CHOICE):
        yield Violation("no-facing", RULE, f"{command.facing} is no facing in degrees", (unit.id,))
    elif unit.on_table and unit.models:
        members = turned(battle, unit, command.facing)
        yield from measuring.violations(unit, Rules(standing=_room(battle, unit)), members)


def _able(battle: Battle, unit: Unit) -> Iterator[Violation]:
    def no(code: str, what: str, *others: str) -> Violation:
        return Violation(code, RULE, f"{unit.name} {what}", (unit.id, *others))

    if unit.ability(RANDOM_MOVEMENT) is None:
        yield no("not-eligible", "has no Random Movement")
    elif not movement_dice(unit):
        yield no("not-eligible", "has no dice of Random Movement to roll")
    if not unit.on_table:
        yield no("not-eligible", "is not on the table")
    if unit.marked("moved"):
        yield no("already-moved", "has already moved: no other pivot and no other move is made")
    if is_fleeing(unit):
        yield no("not-eligible", "flees: it runs from its enemies, not where it likes")
    if has_rallied(unit) and not battle.option("rallied_moves", False):
        yield no("not-eligible", "rallied this turn and stays where it is")
    if enemies := engaged_with(battle, unit):
        yield no("not-eligible", f"is in close combat with {', '.join(enemies)}", *enemies)


def resolve(battle: Battle, command: RandomMove) -> Procedure:
    """Pivot, roll, run; there are no reactions to it."""
    yield from perform(battle, command.unit, command.facing)


def perform(battle: Battle, unit_id: str, facing: float) -> Resolving:
    """A random move of a unit to a facing: the roll, the run, and what it counts as."""
    unit = battle.unit(unit_id)
    members = turned(battle, unit, facing)
    faces = yield NeedRoll(movement_dice(unit), SIDES, RULE, unit.player)
    ended = run(battle, unit, members, facing, float(sum(faces)))
    battle = yield ModelsMoved(unit_id, paths(unit, members, facing, ended.distance))
    battle = yield MarkerSet(unit_id, Marker("moved", ended.outcome, int(sum(faces)), "end-of-turn"))
    if ended.outcome == "destroyed":
        battle = yield ModelsRemoved(unit_id, tuple(m.id for m in unit.models))
        return battle
    for other in ended.met:
        kind = "charged" if ended.outcome == "charges" else "stopped-by"
        battle = yield MarkerSet(unit_id, Marker(kind, other, until="end-of-turn"))
    return (yield from _dangerous_ground(battle, unit_id, members, facing, ended.distance))


def outcome(battle: Battle, command: RandomMove, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """How far it came, what ended it, which part touched, and the roll that reaches the enemy ahead."""
    unit = battle.unit(command.unit)
    members = turned(battle, unit, command.facing)
    rolled = next(sum(e.faces) for e in events if isinstance(e, DiceRolled) and e.purpose == RULE)
    ended = run(battle, unit, members, command.facing, float(rolled))
    found: dict[str, Any] = {
        "outcome": ended.outcome,
        "distance": ended.distance,
        "at": moved(members, command.facing, ended.distance)[0].pose.at,
        "needs": needs(battle, unit, members, command.facing),
    }
    if ended.met:
        found["target"] = " ".join(ended.met)
    if ended.contact is not None and ended.outcome == "charges":
        found["side"] = ended.contact.part
    return found


# --- geometry of the run


def turned(battle: Battle, unit: Unit, facing: float) -> PlacedSet:
    """A unit's bases after it has pivoted about its centre to a facing."""
    standing = measuring.bases(battle, unit)
    first = standing[0].pose.facing
    if len(standing) == 1:
        centre = standing[0].pose.at
    else:
        centre = _middle(standing, first)
    angle = math.radians(facing - first)
    cos, sin = math.cos(angle), math.sin(angle)
    poses = []
    for member in standing:
        dx, dy = member.pose.x - centre[0], member.pose.y - centre[1]
        at = (centre[0] + cos * dx - sin * dy, centre[1] + sin * dx + cos * dy) if angle else member.pose.at
        poses.append(Placed(member.base, Pose(*at, member.pose.facing + facing - first, member.pose.z)))
    return PlacedSet.of(poses)


def _middle(standing: PlacedSet, facing: float) -> Point:
    """The middle of the box about several bases, along a facing."""
    angle = math.radians(facing)
    cos, sin = math.cos(angle), math.sin(angle)
    rims = [point for member in standing for point in member.polygon.exterior.coords]
    along = [x * cos + y * sin for x, y in rims]
    across = [y * cos - x * sin for x, y in rims]
    u, v = (min(along) + max(along)) / 2, (min(across) + max(across)) / 2
    return cos * u - sin * v, sin * u + cos * v


def run(battle: Battle, unit: Unit, members: PlacedSet, facing: float, most: float) -> Run:
    """How a straight run of at most some inches ends: the first thing that stops it, or that its front arc meets.

    The first enemy in touch counts: behind one that is met by another part there is nobody to charge.
    """
    stopped = _first_halt(battle, members, facing, _halts(battle, unit), most)
    until = most if stopped is None else stopped[1].distance
    touched = [pair for pair in _touched(battle, unit, members, facing) if within(pair[1].distance, until)]
    if touched:
        until = touched[0][1].distance
        ahead = [pair for pair in touched if within(pair[1].distance, until) and _charges_with(battle, pair[1])]
        if ahead:
            return Run(until, "charges", tuple(name for name, _ in ahead), ahead[0][1])
    near = float(battle.option("near_enemy", STOPS_WITHIN))
    beside = _first_halt(battle, members, facing, _enemies(battle, unit, near), until)
    stopped = beside or stopped
    if stopped is None:
        return Run(most, "moves")
    name, contact = stopped
    if name == EDGE and battle.option("table_edge", "impassable") == "destroyed":
        return Run(contact.distance, "destroyed", (name,), contact)
    return Run(contact.distance, "stops", (name,), contact)


def needs(battle: Battle, unit: Unit, members: PlacedSet, facing: float) -> int | str:
    """The lowest roll that takes the front arc into contact with an enemy, or ``never``."""
    dice = movement_dice(unit)
    for roll in range(dice, SIDES * dice + 1):
        if run(battle, unit, members, facing, float(roll)).outcome == "charges":
            return roll
    return "never"


def _touched(battle: Battle, unit: Unit, members: PlacedSet, facing: float) -> list[tuple[str, Contact]]:
    """The enemies that it would run into with any part, each as if it were alone, the first first."""
    found = []
    for halt in _enemies(battle, unit, 0.0):
        contact = first_nearing(members, facing, halt.bases, 0.0)
        if contact is not None:
            found.append((halt.name, contact))
    return sorted(found, key=lambda pair: pair[1].distance)


def _charges_with(battle: Battle, contact: Contact) -> bool:
    """Whether a touch is a charge: one with the front arc, or by another reading with any part."""
    return battle.option("side_contact", "blocks") == "charges" or is_front(contact.part)


def _first_halt(
    battle: Battle, members: PlacedSet, facing: float, halts: tuple[Halt, ...], most: float
) -> tuple[str, Contact] | None:
    stuck = battle.option("close_start", "away") == "stuck"
    best: tuple[str, Contact] | None = None
    for halt in halts:
        if stuck and halt.name != EDGE and within(float(gaps(members, halt.bases).min()), halt.reach):
            contact = first_of(members, facing, halt.bases, halt.reach)
        else:
            contact = first_nearing(members, facing, halt.bases, halt.reach)
        if contact is None or beyond(contact.distance, most):
            continue
        if best is None or contact.distance < best[1].distance:
            best = (halt.name, contact)
    return best


def _halts(battle: Battle, unit: Unit) -> tuple[Halt, ...]:
    """Friendly units, impassable terrain, and the edge of the table."""
    friends = tuple(
        Halt(other.id, measuring.bases(battle, other), STOPS_WITHIN)
        for other in battle.units
        if other.player == unit.player and other.id != unit.id and other.on_table
    )
    solid = tuple(
        Halt(piece.id, terrain.placed(piece), STOPS_WITHIN)
        for piece in battle.battlefield.terrain
        if terrain.is_impassable(piece)
    )
    reach = STOPS_WITHIN if battle.option("table_edge", "impassable") == "impassable" else 0.0
    return (*friends, *solid, *(Halt(EDGE, beyond_edge, reach) for beyond_edge in _outside(battle)))


def _outside(battle: Battle) -> Iterator[PlacedSet]:
    """The ground beyond each edge of the table."""
    w, d = battle.battlefield.width, battle.battlefield.depth
    for x0, y0, x1, y1 in (
        (-FAR, -FAR, 0.0, d + FAR),
        (w, -FAR, w + FAR, d + FAR),
        (-FAR, -FAR, w + FAR, 0.0),
        (-FAR, d, w + FAR, d + FAR),
    ):
        yield PlacedSet((Placed(Hull(((x0, y0), (x1, y0), (x1, y1), (x0, y1))), Pose(0.0, 0.0)),))


def _enemies(battle: Battle, unit: Unit, reach: float) -> tuple[Halt, ...]:
    return tuple(
        Halt(other.id, measuring.bases(battle, other), reach)
        for other in battle.units
        if other.player != unit.player and other.on_table
    )


def _room(battle: Battle, unit: Unit) -> tuple[Any, ...]:
    """It turns only where it then overlaps nothing."""
    return (
        measuring.on_table(battle.battlefield),
        measuring.clear_of_others(battle, unit),
        terrain.clear_of_impassable(battle.battlefield),
    )


def has_room(battle: Battle, unit: Unit, members: PlacedSet) -> bool:
    """Whether a unit may stand like this: nothing overlapped, all of it on the table."""
    return not any(Rules(standing=_room(battle, unit)).breaches(members))


def paths(unit: Unit, members: PlacedSet, facing: float, distance: float) -> tuple[tuple[str, Path], ...]:
    """The way of every model: the pivot, then straight on."""
    found = []
    for model, there, end in zip(unit.models, members, moved(members, facing, distance), strict=True):
        assert model.pose is not None
        waypoints = [[*there.pose.at, there.pose.facing], [*end.pose.at]]
        found.append((model.id, Path.through(model.pose, waypoints)))
    return tuple(found)


def _dangerous_ground(battle: Battle, unit_id: str, members: PlacedSet, facing: float, distance: float) -> Resolving:
    """A Dangerous Terrain test for every model that passes dangerous ground: on a 1 it loses a wound."""
    legs = zip(members, moved(members, facing, distance), strict=True)
    sweeps = [Sweep(a.base, Path(a.pose, (b.pose,))) for a, b in legs]
    for piece in terrain.dangerous(battle.battlefield):
        passing = sum(1 for sweep in sweeps if float(sweep.separations(piece)[0]) < 0)
        if not passing or not battle.unit(unit_id).models:
            continue
        faces = yield NeedRoll(passing, 6, "Dangerous Terrain: a wound on 1", battle.unit(unit_id).player)
        for face in faces:
            if face <= DANGEROUS_FAILS and battle.unit(unit_id).models:
                battle = yield from lose_wounds(battle, unit_id, 1)
    return battle
