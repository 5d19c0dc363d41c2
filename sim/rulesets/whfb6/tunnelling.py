"""Tunnelling: when a team emerges, where its marker goes, and what happens there.

The dice of ``emerge`` fall in this order: the emergence roll where the turn needs one, the scatter die, the artillery
die, and after a misfire the D6 of the mishap table; a roll-off over equally close sides, where an option asks for it,
comes last.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerCleared, MarkerSet, ModelsPlaced, ModelsRemoved, Unit
from sim.chance import HIT, MISFIRE
from sim.geometry import Point, Pose, Rules
from sim.rules import NeedRoll, Procedure, Violation
from sim.rulesets.whfb6 import setting_up, spacing
from sim.rulesets.whfb6.closest_side import one_side
from sim.rulesets.whfb6.commands import Emerge, Misplace
from sim.rulesets.whfb6.eligibility import is_set, may_act
from sim.rulesets.whfb6.markers import MARKER, UNDERGROUND, Spot, laid, spot_at
from sim.rulesets.whfb6.mishaps import FATE, SURFACING, Onward, fate, lost, mishap

RULE = "Tunnelling"
FIRST_TURN = 2  # own turn; no team emerges before it
EMERGENCE = {2: 4, 3: 3, 4: 2}  # the D6 that a team needs, by its own turn; from the next turn on none
DISORIENTED = "disoriented"  # no move in the Movement phase of this turn
CHARGING = "charging"  # counts as charging this turn
ENGAGED = "engaged"  # in close combat with a unit


def needed(battle: Battle) -> int | None:
    """The D6 that lets a team emerge this turn, None where no die is rolled: from turn five on, or without a clock."""
    return EMERGENCE.get(battle.clock.round) if is_set(battle.clock) else None


def spot_of(battle: Battle, unit: Unit) -> Spot | None:
    """What the marker of a team lies on, None without a marker."""
    marker = laid(unit)
    return None if marker is None or marker.at is None else spot_at(battle, unit, marker.at)


def to_dig(battle: Battle) -> tuple[Unit, ...]:
    """The teams of the player whose turn it is for whom the dice have not fallen yet in this emergence step."""
    clock = battle.clock
    if (clock.phase, clock.step) != ("start", "emergence"):
        return ()
    mine = (unit for unit in battle.units if unit.player == clock.player)
    return tuple(unit for unit in mine if not unit.marked(FATE) and not any(_may_dig(battle, unit)))


def digs(battle: Battle, unit: Unit) -> Onward:
    """The dice fall for a team that nobody has ordered to dig."""
    spot = spot_of(battle, unit)
    assert spot is not None
    return (yield from _dig(battle, unit, spot, ()))


def rules(battle: Battle, command: Emerge) -> Rules:
    """The first model by the marker, all others within two inches of it, an inch from enemies, off everything else."""
    unit = battle.unit(command.unit)
    spot = spot_of(battle, unit) or Spot("off", (0.0, 0.0))
    return setting_up.rules_at(battle, unit, spot, command.models)


def judge(battle: Battle, command: Emerge) -> Iterator[Violation]:
    """All that is wrong with emerging now and like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "start", "emergence")
    yield from _may_dig(battle, unit)
    if not command.models and not unit.marked(SURFACING):
        return  # the dice come first
    wrong = tuple(spacing.one_each(unit, command.models, RULE))
    yield from wrong
    if not wrong:
        yield from spacing.violations(unit, rules(battle, command), command.models)


def _may_dig(battle: Battle, unit: Unit) -> Iterator[Violation]:
    if unit.whereabouts != UNDERGROUND:
        where = "on the table" if unit.on_table else unit.whereabouts
        yield Violation("not-eligible", RULE, f"{unit.name} is not underground: it is {where}", (unit.id,))
    elif laid(unit) is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no tunnel marker on the table", (unit.id,))
    if is_set(battle.clock) and battle.clock.round < FIRST_TURN:
        what = f"no team emerges before its player's turn {FIRST_TURN}"
        yield Violation("too-early", RULE, what, (unit.id,))
    if unit.marked(FATE) and not unit.marked(SURFACING):
        yield Violation("not-eligible", RULE, f"{unit.name} has already dug this turn", (unit.id,))


def resolve(battle: Battle, command: Emerge) -> Procedure:
    """Roll, drift and come up; or, where the dice have fallen already, stand where the models are put."""
    unit = battle.unit(command.unit)
    spot = spot_of(battle, unit)
    assert spot is not None
    if unit.marked(SURFACING):
        word = next(marker.subject for marker in unit.markers if marker.kind == SURFACING)
        yield from stand(battle, unit, spot, command.models, word)
        return
    yield from _dig(battle, unit, spot, command.models)


def _dig(battle: Battle, unit: Unit, spot: Spot, poses: Sequence[Pose]) -> Onward:
    """The emergence roll where the turn needs one, then where the marker goes and what happens there."""
    least = needed(battle)
    if least is not None:
        (face,) = yield NeedRoll(1, 6, f"{unit.name} emerges on {least}+", unit.player)
        if face < least:
            battle = yield fate("underground", unit, spot.at)
            return battle
    (scatter,) = yield NeedRoll(1, 6, f"scatter die for the marker of {unit.name}", unit.player, "scatter")
    (distance,) = yield NeedRoll(1, 6, f"artillery die for the marker of {unit.name}", unit.player, "artillery")
    if distance == MISFIRE and not _hit_saves(battle, scatter):
        return (yield from mishap(battle, unit))
    end = drifted(spot.at, scatter, distance)
    return (yield from come_up(battle, unit, end, _carried(poses, spot.at, end), end == spot.at))


def drifted(at: Point, scatter: float, distance: float) -> Point:
    """Where a marker ends: in place on a hit, otherwise the distance along the arrow, whatever lies between."""
    if scatter == HIT:
        return at
    angle = math.radians(scatter)
    return at[0] + distance * math.cos(angle), at[1] + distance * math.sin(angle)


def _hit_saves(battle: Battle, scatter: float) -> bool:
    return scatter == HIT and battle.option("misfire_with_hit", "misfire") == "hit"


def _carried(poses: Sequence[Pose], start: Point, end: Point) -> tuple[Pose, ...]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return tuple(Pose(pose.x + dx, pose.y + dy, pose.facing, pose.z) for pose in poses)


def come_up(
    battle: Battle, unit: Unit, end: Point, poses: Sequence[Pose], stayed: bool, at_once: bool = False
) -> Onward:
    """What happens where the marker ended: lost off the table, otherwise the team is set up, or will be."""
    spot = spot_at(battle, unit, end)
    if spot.kind == "off":
        return (yield from lost(unit))
    battle = yield MarkerCleared(unit.id, MARKER)
    battle = yield MarkerSet(unit.id, Marker(MARKER, "tunnel", at=end))
    free = battle.option("side_tie", "owner") == "owner"
    if not (free and setting_up.fits(battle, unit, spot, poses)):
        spot = yield from one_side(battle, unit, spot)
    word = {"enemy": "engages", "edge": "edge"}.get(spot.kind, "stays" if stayed else "drifts")
    if setting_up.fits(battle, unit, spot, poses):
        return (yield from stand(battle, unit, spot, poses, word))
    proposal = setting_up.proposed(battle, unit, spot)
    if len(proposal) < len(unit.models):
        return (yield from _no_room(battle, unit, spot, proposal, word))
    if poses or at_once or spot.kind == "enemy":
        return (yield from stand(battle, unit, spot, proposal, word))
    yield MarkerSet(unit.id, Marker(SURFACING, word))
    battle = yield fate(word, unit, spot.anchor(spot.sides[0] if spot.kind == "edge" else None))
    return battle


def _no_room(battle: Battle, unit: Unit, spot: Spot, proposal: Sequence[Pose], word: str) -> Onward:
    """The team stays below and digs again next turn; or whoever finds no room is lost, by an option."""
    if battle.option("no_room", "underground") == "excess-lost" and proposal:
        excess = tuple(model.id for model in unit.models[len(proposal) :])
        battle = yield ModelsRemoved(unit.id, excess)
        return (yield from stand(battle, battle.unit(unit.id), spot, proposal, word))
    battle = yield fate("underground", unit, spot.at)
    return battle


def stand(battle: Battle, unit: Unit, spot: Spot, poses: Sequence[Pose], word: str) -> Onward:
    """The models stand; under an enemy they are in close combat and count as charging."""
    yield ModelsPlaced(unit.id, tuple((m.id, pose) for m, pose in zip(unit.models, poses, strict=True)))
    for kind in dict.fromkeys(m.kind for m in unit.markers if m.kind in (MARKER, SURFACING, FATE)):
        yield MarkerCleared(unit.id, kind)
    side = spot.side_near(poses[0].at)
    at = spot.anchor(side) if spot.kind == "edge" else spot.at
    battle = yield fate(word, unit, at)
    if spot.kind == "enemy" and side is not None:
        yield MarkerSet(unit.id, Marker(CHARGING, side.name, until="end-of-turn"))
        yield MarkerSet(unit.id, Marker(ENGAGED, spot.covered_by))
        battle = yield MarkerSet(spot.covered_by, Marker(ENGAGED, unit.id))
    return battle


def outcome(battle: Battle, command: Emerge | Misplace, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What came of digging: a word, where the marker ended or the edge at which the team stands, side and distance.

    The distance is that of the drift, or for a team against a side that of the marker from it.
    """
    told = [event.marker for event in events if isinstance(event, MarkerSet) and event.unit == command.unit]
    fates = [marker for marker in told if marker.kind == FATE]
    if not fates:
        return {}
    word, at = fates[-1].subject, fates[-1].at
    if at is None:
        return {"outcome": word}
    start = laid(battle.unit(command.unit))
    ends = [marker.at for marker in (start, *told) if marker is not None and marker.kind == MARKER]
    found: dict[str, Any] = {"outcome": word, "at": at}
    if word == "drifts" and start is not None and start.at is not None:
        found["distance"] = math.dist(start.at, ends[-1] or at)
    elif word != "underground":
        found |= _against(battle, after.unit(command.unit), ends[-1] or at, at)
    return found


def _against(battle: Battle, unit: Unit, end: Point, at: Point) -> dict[str, Any]:
    """Against what a team came up: its name, its side, and how far the marker is from that."""
    spot = spot_at(battle, unit, end)
    stood = unit.models[0].pose
    side = spot.side_near(at if stood is None else stood.at)
    return {} if side is None else {"side": side.name, "distance": spot.distance, "target": spot.covered_by}
