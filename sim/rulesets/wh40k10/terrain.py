"""What terrain means here: what is solid, what may be stood on, and who may stand where.

A solid piece of which no height is given is taken as higher than anybody climbs, flies or sees over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.battle import Battlefield, Model, Terrain, Unit
from sim.geometry import EPS, KeepClear, Obstacles, Placed, Pose, StayInside, beyond
from sim.geometry.distance import overhang
from sim.geometry.lengths import plain
from sim.geometry.stretches import lies_over
from sim.rules import Violation
from sim.rulesets.wh40k10 import quantifiers

RULE = "Terrain"
WRONG_FLOOR = "wrong-floor"
BESIDE = 1000.0  # inches beside the table to which there is nothing to stand on
FREE_HEIGHT = 2.0  # inches; terrain up to this height is ignored while moving
FOOTPRINTS = frozenset({"ruin", "woods", "crater"})  # ground that a base may stand in
BARRICADES = frozenset({"barricade"})  # charged and fought across
DEBRIS = "debris"  # battlefield debris and statuary
NEVER_ON_TOP = BARRICADES | {DEBRIS}  # may be crossed, never stood on
STOOD_ON = frozenset({"hill", "container", "crate"})  # solid, with a top that may be stood on
WALLS = frozenset({"ruin-wall"})
KINDS = FOOTPRINTS | NEVER_ON_TOP | STOOD_ON | WALLS
LIGHT = ("INFANTRY", "BEASTS", "BEAST")
GREAT = ("IMPERIUM PRIMARCH", "BELISARIUS CAWL")  # pass through walls too; the first may be written as two keywords
UPSTAIRS = (*LIGHT, "FLY")  # may stand on the upper floors of ruins
NAMED_UPSTAIRS = ("INFANTRY", "BEASTS", "FLY")
UNMEASURED = "Terrain without a height"


def passes_walls(unit: Unit, model: Model) -> bool:
    """Whether a model passes through walls and floors of ruins as if they were not there."""
    if quantifiers.model_bears(unit, model, *LIGHT, *GREAT):
        return True
    return all(quantifiers.model_bears(unit, model, word) for word in ("IMPERIUM", "PRIMARCH"))


def through_walls(unit: Unit) -> frozenset[int]:
    """Which models of a unit, by their number, pass through walls and floors of ruins."""
    if not unit.attached:  # all are alike
        return frozenset(range(len(unit.models))) if unit.models and passes_walls(unit, unit.models[0]) else frozenset()
    return frozenset(k for k, model in enumerate(unit.models) if passes_walls(unit, model))


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
def unclimbable(field: Battlefield) -> Obstacles:
    """What nobody gets over, because nobody says how high it is: solid terrain but for walls and barricades."""
    kinds = FOOTPRINTS | WALLS | BARRICADES
    pieces = [t for t in field.terrain if t.kind not in kinds and t.height <= 0]
    return Obstacles.of_outlines([(t.id, t.outline, math.inf) for t in pieces])


@lru_cache(maxsize=64)
def climbed_over(field: Battlefield) -> tuple[Terrain, ...]:
    """What is climbed on the way, up and down: solid terrain higher than two inches that is no wall of a ruin."""
    return tuple(t for t in field.terrain if t.kind not in FOOTPRINTS | WALLS and t.height > FREE_HEIGHT + EPS)


@lru_cache(maxsize=64)
def flown_over(field: Battlefield, through_walls: bool) -> tuple[Terrain, ...]:
    """What is flown over: the same, and walls of ruins for who does not pass through them."""
    walls = () if through_walls else (t for t in field.terrain if t.kind in WALLS and t.height > FREE_HEIGHT + EPS)
    return (*climbed_over(field), *walls)


@lru_cache(maxsize=64)
def climbed(field: Battlefield) -> Obstacles:
    """What is climbed on the way, to be gone round."""
    return Obstacles.of_outlines([(t.id, t.outline, t.height) for t in climbed_over(field)])


@lru_cache(maxsize=1024)
def box_of(piece: Terrain) -> tuple[float, float, float, float]:
    """The box about a piece: left, low, right, high."""
    x0, y0, x1, y1 = Polygon(piece.outline).bounds
    return x0, y0, x1, y1


def clear_of_solids(field: Battlefield) -> KeepClear:
    """No base overlaps solid terrain."""
    return KeepClear("overlaps-terrain", RULE, solids(field), 0.0, strict=False)


def on_floors(field: Battlefield, unit: Unit, poses: tuple[Pose, ...]) -> Iterator[StayInside | KeepClear]:
    """Who stands above the ground stands wholly on a surface at that height: a roof, or a floor for those upstairs.

    Where there is none for such a unit nobody of it stands at that height.
    """
    for z in sorted({pose.z for pose in poses if pose.z > EPS}):
        surface = surface_at(field, z) if unit.has(*UPSTAIRS) else _tops_at(field, z)
        who = frozenset(i for i, pose in enumerate(poses) if pose.z == z)
        if surface is None:
            yield KeepClear(WRONG_FLOOR, RULE, _everywhere(field), 0.0, strict=False, only=who)
        else:
            yield StayInside("overhangs-floor", RULE, f'the floor at {plain(z)}"', surface, only=who)


def _everywhere(field: Battlefield) -> Obstacles:
    """All of the table and more than any base beside it, as something that nobody may stand on."""
    w, d = field.width + BESIDE, field.depth + BESIDE
    outline = ((-BESIDE, -BESIDE), (w, -BESIDE), (w, d), (-BESIDE, d))
    return Obstacles.of_outlines([("the air", outline, math.inf)])


def wrong_floor(field: Battlefield, model: Model, pose: Pose) -> str:
    """Why a model cannot stand at a height where there is no surface for its unit, in a sentence."""
    if _on_some_floor(field, Placed(model.base, pose)):
        return f"{model.id} may not stand on an upper floor: only {', '.join(NAMED_UPSTAIRS)} may"
    return f'there is no floor at {plain(pose.z)}" for {model.id} to stand on'


def wrong_floors(field: Battlefield, unit: Unit, poses: tuple[Pose, ...]) -> Iterator[Violation]:
    """Models below the ground, or on an upper floor of a ruin without the keywords that others of their unit have.

    What is under a model decides, not what stands elsewhere at the same height.
    """
    for model, pose in zip(unit.models, poses, strict=True):
        name = model.id
        if pose.z < -EPS:
            yield Violation(WRONG_FLOOR, RULE, f"{name} stands below the ground", (name,), pose.z)
        if pose.z <= EPS or quantifiers.model_bears(unit, model, *UPSTAIRS):
            continue
        held = unit.has(*UPSTAIRS) or _tops_at(field, pose.z) is not None  # else nobody stands at that height
        if held and _on_some_floor(field, Placed(model.base, pose)):
            yield Violation(WRONG_FLOOR, RULE, wrong_floor(field, model, pose), (name,), pose.z)


def _on_some_floor(field: Battlefield, placed: Placed) -> bool:
    """Whether a base rests on an upper floor of a ruin: on some part of it, and not wholly on roofs as high."""
    floors = [f for t in field.terrain for f in t.floors if abs(f.z - placed.pose.z) <= EPS]
    if not any(lies_over(placed, f.outline) for f in floors):
        return False
    tops = _tops_at(field, placed.pose.z)
    return tops is None or beyond(overhang(placed, tops), 0.0)


def on_upper_floor(field: Battlefield, pose: Pose) -> bool:
    """Whether a pose is on a floor of a ruin above the ground."""
    if pose.z <= EPS:
        return False
    floors = [f for t in field.terrain for f in t.floors if abs(f.z - pose.z) <= EPS]
    return any(Polygon(f.outline).covers(shapely.Point(pose.at)) for f in floors)


@lru_cache(maxsize=64)
def barricades(field: Battlefield, with_walls: bool) -> tuple[tuple[str, Polygon], ...]:
    """What is charged and fought across: barricades, and walls too where an event's rules say so."""
    kinds = BARRICADES | WALLS if with_walls else BARRICADES
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
