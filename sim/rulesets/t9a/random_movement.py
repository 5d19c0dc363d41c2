"""Random Movement: a direction, then the roll, then straight on until something comes too near.

The edge of the battlefield and Impassable Terrain stop the unit as other units do, one inch short; the edge where the
boundary reaches it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerSet, ModelsMoved, Unit
from sim.geometry import EPS, KeepClear, Path, Placed, PlacedSet, Pose, beyond, separations
from sim.rules import NeedRoll, Procedure, Violation
from sim.rules.abilities import AbilityError
from sim.rulesets.t9a import formation, spacing
from sim.rulesets.t9a.abilities import dice
from sim.rulesets.t9a.commands import RandomMove
from sim.rulesets.t9a.eligibility import MOVED, ambushers_first, may_act, may_manoeuvre, standing_free
from sim.rulesets.t9a.moves import companions_follow

RULE = "Random Movement"
HALVINGS = 60  # of a stretch in which the gap falls below the spacing: far below a billionth of an inch


def dice_of(unit: Unit) -> tuple[int, int] | None:
    """The number of dice and their sides, such as 2 and 6 for 2D6; None without Random Movement."""
    value = unit.ability("random-movement")
    try:
        return None if value is None else dice(value)
    except AbilityError:
        return None


def judge(battle: Battle, command: RandomMove) -> Iterator[Violation]:
    """All that is wrong with moving this unit at random now."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement")
    yield from ambushers_first(battle, unit, RULE)
    yield from standing_free(unit, RULE)
    yield from may_manoeuvre(unit, RULE)
    if dice_of(unit) is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Random Movement", (unit.id,))


def stands(battle: Battle, command: RandomMove) -> tuple[Pose, ...]:
    """Where the longest possible roll would take each model."""
    unit = battle.unit(command.unit)
    rolled = dice_of(unit)
    start = formation.boundary(formation.standing(battle, unit))
    turned = Placed(start.base, Pose(*start.pose.at, command.facing, start.pose.z))
    distance = free_way(battle, unit, turned, float(rolled[0] * rolled[1])) if rolled is not None else 0.0
    angle = math.radians(command.facing)
    end = Pose(
        start.pose.x + distance * math.cos(angle),
        start.pose.y + distance * math.sin(angle),
        command.facing,
        start.pose.z,
    )
    poses = (start.pose, *(model.pose for model in unit.models if model.pose is not None))
    return formation.moved(poses, end)[1:]


def resolve(battle: Battle, command: RandomMove) -> Procedure:
    """The block turns about its centre, rolls, and moves straight on until the distance or the way ends."""
    unit = battle.unit(command.unit)
    rolled = dice_of(unit)
    assert rolled is not None
    faces = yield NeedRoll(rolled[0], rolled[1], f"Random Movement of {unit.name}", unit.player)
    start = formation.boundary(formation.standing(battle, unit))
    turned = Placed(start.base, Pose(*start.pose.at, command.facing, start.pose.z))
    distance = min(float(sum(faces)), free_way(battle, unit, turned, float(sum(faces))))
    yield from _moved(battle, unit, start.pose, turned.pose, distance)
    yield MarkerSet(unit.id, Marker(MOVED, "random", until="end-of-turn"))


def _moved(battle: Battle, unit: Unit, start: Pose, turned: Pose, distance: float) -> Procedure:
    angle = math.radians(turned.facing)
    dx, dy = distance * math.cos(angle), distance * math.sin(angle)
    paths = []
    for model in unit.models:
        assert model.pose is not None
        _, place = formation.moved((start, model.pose), turned)
        path = Path.through(model.pose, [[place.x, place.y, place.facing], [place.x + dx, place.y + dy]])
        paths.append((model.id, path))
    yield ModelsMoved(unit.id, tuple(paths))
    yield from companions_follow(battle, unit, paths[0][1].end)


def free_way(battle: Battle, unit: Unit, block: Placed, most: float) -> float:
    """How far a block can go straight ahead, up to ``most`` inches, before it would be too near to anything."""
    walls = [rule for rule in spacing.apart(battle, unit) if rule.code == "unit-spacing"]
    free = min(most, _way_to_edge(battle, block))
    for wall in walls:
        for k in range(len(wall.obstacles)):
            free = min(free, _way_to(wall, k, block, free))
    return free


def _way_to_edge(battle: Battle, block: Placed) -> float:
    field, angle = battle.battlefield, math.radians(block.pose.facing)
    c, s = math.cos(angle), math.sin(angle)
    x0, y0, x1, y1 = block.bounds
    ways = [math.inf]
    if abs(c) > 1e-12:
        ways.append((field.width - x1) / c if c > 0 else -x0 / c)
    if abs(s) > 1e-12:
        ways.append((field.depth - y1) / s if s > 0 else -y0 / s)
    return max(0.0, min(ways))


def _way_to(wall: KeepClear, k: int, block: Placed, most: float) -> float:
    """The first distance at which the gap to one obstacle falls to the spacing; convex in it, so two searches do."""
    angle = math.radians(block.pose.facing)
    c, s = math.cos(angle), math.sin(angle)
    others = PlacedSet((wall.obstacles.bases[k],))

    def gap(way: float) -> float:
        there = Placed(block.base, Pose(block.pose.x + c * way, block.pose.y + s * way, block.pose.facing))
        return float(separations(PlacedSet((there,)), others)[0, 0])

    def free(way: float) -> bool:
        return beyond(gap(way), wall.distance - EPS)  # it stops at exactly the spacing, not a tolerance before it

    if not free(0.0):
        return 0.0
    low, high = 0.0, most
    for _ in range(HALVINGS * 2):
        third = (high - low) / 3
        low, high = (low, high - third) if gap(low + third) <= gap(high - third) else (low + third, high)
    if free(high):
        return most
    low = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if free(middle) else (low, middle)
    return low


def outcome(battle: Battle, command: RandomMove, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """How far the block went and where its centre is."""
    unit = after.unit(command.unit)
    start = formation.boundary(formation.standing(battle, battle.unit(command.unit))).pose
    end = formation.boundary(formation.standing(after, unit)).pose
    return {"outcome": "moves", "at": end.at, "distance": math.dist(start.at, end.at)}
