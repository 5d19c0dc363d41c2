"""Constraints that several chapters share, and the sentences that explain their breaches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Battlefield, Model, Unit
from sim.geometry import (
    Breach,
    Constraint,
    KeepApart,
    KeepClear,
    KeepTogether,
    Limit,
    Obstacles,
    Placed,
    PlacedSet,
    Pose,
    Round,
    Rules,
    StayInside,
    Sweep,
)
from sim.geometry.lengths import inches
from sim.rules import Violation, from_breach
from sim.rulesets.wh40k10 import quantifiers, terrain

ENGAGEMENT_REACH = 1.0  # inches across; Engagement Range
ENGAGEMENT_HEIGHT = 5.0  # inches up; Engagement Range
COHERENCY_REACH = 2.0  # inches across; Unit Coherency
COHERENCY_HEIGHT = 5.0  # inches up; Unit Coherency
AIRCRAFT = "AIRCRAFT"
LARGE_UNIT = 7  # models; from here on two neighbours are needed


@lru_cache(maxsize=64)
def table(field: Battlefield) -> BaseGeometry:
    """The table as a rectangle."""
    return shapely.box(0, 0, field.width, field.depth)


@lru_cache(maxsize=64)
def on_table(field: Battlefield) -> StayInside:
    """No base may lie over the edge of the table, at any instant."""
    return StayInside("off-table", "Battlefield Edge", "the table", table(field))


def clear_of_others(battle: Battle, unit: Unit) -> KeepClear:
    """No base overlaps a base of another unit at the same height."""
    others = battle.index.others_than(unit.id)
    return KeepClear("overlaps-model", "Models Never Overlap", others, 0.0, strict=False, vertical=0.0)


def apart() -> KeepApart:
    """No two bases of a unit overlap."""
    return KeepApart("overlaps-model", "Models Never Overlap")


@lru_cache(maxsize=64)
def _markers(field: Battlefield) -> Obstacles:
    discs = PlacedSet.of(Placed(Round(2 * o.radius), Pose(*o.at)) for o in field.objectives)
    return Obstacles(discs, tuple(o.id for o in field.objectives))


def off_markers(battle: Battle) -> Iterator[KeepClear]:
    """No model ends on an objective marker, unless the markers are flat by an option."""
    if battle.battlefield.objectives and not battle.option("objectives_flat", False):
        markers = _markers(battle.battlefield)
        yield KeepClear("on-objective", "Objective Markers", markers, 0.0, strict=False, vertical=0.0)


def enemies_on_the_ground(battle: Battle, player: str) -> Obstacles:
    """The enemy models that are not Aircraft: those are moved over, and past, as if they were not there."""
    every = battle.index.enemies_of(player)
    aircraft = {m.id for u in battle.units if u.on_table and u.has(AIRCRAFT) for m in u.models}
    if not aircraft:
        return every
    rows = [k for k, name in enumerate(every.names) if name not in aircraft]
    return Obstacles(PlacedSet.of(every.bases[k] for k in rows), tuple(every.names[k] for k in rows))


def enemies_closed_with(battle: Battle, unit: Unit, model: Model) -> Obstacles:
    """The enemy models that a model piles in and consolidates towards: Aircraft for what can FLY alone."""
    if quantifiers.model_bears(unit, model, "FLY"):
        return battle.index.enemies_of(unit.player)
    return enemies_on_the_ground(battle, unit.player)


def out_of_engagement(battle: Battle, unit: Unit, code: str, poses: tuple[Pose, ...]) -> Iterator[KeepClear]:
    """More than one inch across, or more than five inches up, from every enemy."""
    return out_of_reach(battle, battle.index.enemies_of(unit.player), code, poses)


def out_of_reach(
    battle: Battle, others: Obstacles, code: str, poses: tuple[Pose, ...], reach: float = ENGAGEMENT_REACH
) -> Iterator[KeepClear]:
    """Members at poses stay out of Engagement Range of some bases.

    Height counts through floors, unless an event's rules have every storey of a ruin by itself: who stands on an
    upper floor is then engaged on that floor only.
    """
    rule = "Engagement Range"
    if battle.option("vertical_engagement_through_floors", True):
        yield KeepClear(code, rule, others, reach, vertical=ENGAGEMENT_HEIGHT)
        return
    field = battle.battlefield
    upstairs = frozenset(i for i, pose in enumerate(poses) if terrain.on_upper_floor(field, pose))
    if upstairs:
        yield KeepClear(code, rule, others, reach, vertical=0.0, only=upstairs)
    rest = frozenset(range(len(poses))) - upstairs if upstairs else None
    above = [terrain.on_upper_floor(field, other.pose) for other in others.bases]
    for up, height in ((True, 0.0), (False, ENGAGEMENT_HEIGHT)):
        rows = [i for i, is_up in enumerate(above) if is_up is up]
        some = Obstacles(PlacedSet.of(others.bases[i] for i in rows), tuple(others.names[i] for i in rows))
        yield KeepClear(code, rule, some, reach, vertical=height, only=rest)


def coherency(count: int) -> KeepTogether:
    """One group of neighbours: one each up to six models, two each from seven."""
    needed = 2 if count >= LARGE_UNIT else 1
    return KeepTogether("incoherent", "Unit Coherency", COHERENCY_REACH, COHERENCY_HEIGHT, needed)


def standing(battle: Battle, unit: Unit, poses: tuple[Pose, ...]) -> tuple[Constraint, ...]:
    """What every model obeys wherever and however it comes to stand."""
    field = battle.battlefield
    return (
        on_table(field),
        clear_of_others(battle, unit),
        apart(),
        terrain.clear_of_solids(field),
        *terrain.on_floors(field, unit, poses),
        *off_markers(battle),
        coherency(len(unit.models)),
    )


def least_width(base: Placed) -> float:
    """The width in inches of the narrowest gate that a base fits through, however it is turned."""
    if base.kind == "ellipse":
        return 2 * min(base.semi_axes)
    corners = shapely.get_coordinates(shapely.convex_hull(base.polygon))
    sides = np.diff(corners, axis=0)
    normals = np.column_stack((-sides[:, 1], sides[:, 0])) / np.hypot(*sides.T)[:, None]
    return float(np.min(np.ptp(corners @ normals.T, axis=0)))


def placed(unit: Unit, poses: tuple[Pose, ...]) -> PlacedSet:
    """The unit's bases at the given poses, in model order."""
    return PlacedSet.of(Placed(m.base, p) for m, p in zip(unit.models, poses, strict=True))


def violations(
    battle: Battle, unit: Unit, rules: Rules, poses: tuple[Pose, ...], sweeps: tuple[Sweep, ...] = ()
) -> Iterator[Violation]:
    """The breaches of a unit at poses as violations, in words."""
    ids = tuple(model.id for model in unit.models)
    for breach in rules.breaches(placed(unit, poses), sweeps):
        other = breach.other
        if other is not None and other.startswith("#"):
            other = ids[int(other[1:])]
        subject = ids[breach.member]
        if breach.code == terrain.WRONG_FLOOR:
            pose = poses[breach.member]
            why = terrain.wrong_floor(battle.battlefield, unit.models[breach.member], pose)
            yield Violation(breach.code, breach.rule, why, (subject,), pose.z)
            continue
        yield from_breach(breach, subject, _sentence(breach, subject, other), other)


def _sentence(breach: Breach, who: str, other: str | None) -> str:
    length = inches(abs(breach.measured), breach.required.value or None)
    match breach.code:
        case "overlaps-model" | "overlaps-terrain" | "crosses-model" | "crosses-terrain":
            if breach.rule == terrain.UNMEASURED:
                return f"{who} passes through {other} on its way: give {other} a height if it can be climbed"
            if breach.code.startswith("crosses"):
                return f"{who} passes through {other} on its way"
            return f"{who} overlaps {other} by {length}"
        case "on-objective":
            return f"{who} stands on objective marker {other} by {length}"
        case "off-table":
            return f"{who} sticks out {length} over the edge of the table"
        case "overhangs-floor":
            return f"{who} sticks out {length} beyond {other}"
        case "not-wholly-within" if breach.required in (Limit("at_most", 0.0), Limit("at_least", 0.0)):
            return f"{who} sticks out {length} beyond {other}"
        case "not-wholly-within":
            return f"the far side of {who} is {length} from {other}; it must be {breach.required}"
        case "in-enemy-zone":
            return f"{who} stands {length} inside {other}"
        case "must-touch":
            return f"{who} is too large for the strip and {length} from {other}; it must touch that edge"
        case "incoherent":
            return f"{who} is {length} from {other}, its nearest possible neighbour; it must be {breach.required}"
        case "enters-engagement":
            return f"{who} comes within {length} of {other} on its way; it must stay {breach.required} away"
        case _:
            return f"{who} is {length} from {other}; it must be {breach.required}"
