"""What terrain means here: what is solid, what may be stood on, and who may stand where."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.battle import Battlefield, Terrain, Unit
from sim.geometry import EPS, KeepClear, Obstacles, Pose, StayInside
from sim.rules import Violation

RULE = "Terrain"
FREE_HEIGHT = 2.0  # inches; terrain up to this height is ignored while moving
FOOTPRINTS = frozenset({"ruin", "woods", "crater"})  # ground that a base may stand in
NEVER_ON_TOP = frozenset({"barricade"})  # may be crossed, never stood on
STOOD_ON = frozenset({"hill", "container", "crate"})  # solid, with a top that may be stood on
WALLS = frozenset({"ruin-wall"})
KINDS = FOOTPRINTS | NEVER_ON_TOP | STOOD_ON | WALLS
CLIMBERS = ("INFANTRY", "BEAST")  # pass through walls and floors of ruins
UPSTAIRS = (*CLIMBERS, "FLY")  # may stand on the upper floors of ruins


@lru_cache(maxsize=64)
def solids(field: Battlefield) -> Obstacles:
    """Everything that no base may share ground with while it stands below its top."""
    return Obstacles.of_outlines([(t.id, t.outline, _top(t)) for t in field.terrain if t.kind not in FOOTPRINTS])


@lru_cache(maxsize=64)
def barriers(field: Battlefield) -> Obstacles:
    """What stops everybody who cannot pass walls: walls of ruins higher than two inches."""
    pieces = [t for t in field.terrain if t.kind in WALLS and _top(t) > FREE_HEIGHT + EPS]
    return Obstacles.of_outlines([(t.id, t.outline, _top(t)) for t in pieces])


@lru_cache(maxsize=64)
def climbed(field: Battlefield) -> Obstacles:
    """What is climbed on the way, up and down: solid terrain higher than two inches that is no wall of a ruin."""
    kinds = FOOTPRINTS | WALLS
    pieces = [t for t in field.terrain if t.kind not in kinds and not 0 < t.height <= FREE_HEIGHT + EPS]
    return Obstacles.of_outlines([(t.id, t.outline, t.height) for t in pieces if t.height > 0])


def clear_of_solids(field: Battlefield) -> KeepClear:
    """No base overlaps solid terrain."""
    return KeepClear("overlaps-terrain", RULE, solids(field), 0.0, strict=False)


def on_floors(field: Battlefield, poses: tuple[Pose, ...]) -> Iterator[StayInside]:
    """Who stands above the ground stands wholly on the surface at that height."""
    for z in sorted({pose.z for pose in poses if pose.z > EPS}):
        surface = surface_at(field, z)
        if surface is not None:
            who = frozenset(i for i, pose in enumerate(poses) if pose.z == z)
            yield StayInside("overhangs-floor", RULE, f'the floor at {z:g}"', surface, only=who)


def wrong_floors(field: Battlefield, unit: Unit, ids: tuple[str, ...], poses: tuple[Pose, ...]) -> Iterator[Violation]:
    """Models at a height where there is no surface, or on an upper floor of a ruin without the right keywords."""
    for name, pose in zip(ids, poses, strict=True):
        if pose.z <= EPS:
            if pose.z < -EPS:
                yield Violation("wrong-floor", RULE, f"{name} stands below the ground", (name,), pose.z)
            continue
        if surface_at(field, pose.z) is None:
            what = f'there is no floor at {pose.z:g}" for {name} to stand on'
            yield Violation("wrong-floor", RULE, what, (name,), pose.z)
        elif _tops_at(field, pose.z) is None and not unit.has(*UPSTAIRS):
            what = f"{name} may not stand on an upper floor: only {', '.join(UPSTAIRS)} may"
            yield Violation("wrong-floor", RULE, what, (name,), pose.z)


def on_upper_floor(field: Battlefield, pose: Pose) -> bool:
    """Whether a pose is on a floor of a ruin above the ground."""
    if pose.z <= EPS:
        return False
    floors = [f for t in field.terrain for f in t.floors if abs(f.z - pose.z) <= EPS]
    return any(Polygon(f.outline).covers(shapely.Point(pose.at)) for f in floors)


@lru_cache(maxsize=64)
def barricades(field: Battlefield, with_walls: bool) -> tuple[tuple[str, Polygon], ...]:
    """What is charged and fought across: barricades, and walls too where an event's rules say so."""
    kinds = NEVER_ON_TOP | WALLS if with_walls else NEVER_ON_TOP
    return tuple((t.id, Polygon(t.outline)) for t in field.terrain if t.kind in kinds)


@lru_cache(maxsize=256)
def surface_at(field: Battlefield, z: float) -> BaseGeometry | None:
    """All ground at a height above the table, None where there is none."""
    pieces = [Polygon(f.outline) for t in field.terrain for f in t.floors if abs(f.z - z) <= EPS]
    tops = _tops_at(field, z)
    found = [*pieces, *([tops] if tops is not None else [])]
    return shapely.union_all(found) if found else None


def _tops_at(field: Battlefield, z: float) -> BaseGeometry | None:
    tops = [Polygon(t.outline) for t in field.terrain if t.kind in STOOD_ON and abs(t.height - z) <= EPS]
    return shapely.union_all(tops) if tops else None


def _top(piece: Terrain) -> float:
    if piece.kind in NEVER_ON_TOP or piece.height <= 0:
        return math.inf
    return piece.height
