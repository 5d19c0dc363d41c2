"""Setting a team up where its marker ended: the first model by the marker, the others about it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import shapely

from sim.battle import Battle, Model, Unit
from sim.geometry import (
    Base,
    Constraint,
    Hull,
    KeepApart,
    KeepClear,
    KeepTogether,
    Placed,
    PlacedSet,
    Point,
    Pose,
    Rect,
    Rules,
    StayInside,
    beyond,
    gap,
    legal_region,
    separations,
    within,
)
from sim.geometry import judge as breaches
from sim.geometry.muster import FollowFirst, StandAt
from sim.geometry.sides import Side
from sim.rulesets.whfb6 import spacing, terrain
from sim.rulesets.whfb6.markers import Spot

RULE = "Tunnelling"
FIRST_MODEL_REACH = 2.0  # inches from the first model; Tunnelling
NUDGE = 2.0  # inches; no first model is set up farther than this from where it belongs
ARC_SLACK = 0.002  # for searching: more inches than a drawn region may miss its true border by
FAR = 500.0  # for drawing: inches beyond every table
CODES = {"open": "off-marker", "edge": "not-at-edge", "enemy": "must-touch"}
FINER = 4  # steps to a base's width when a team looks for room


def rules_at(battle: Battle, unit: Unit, spot: Spot, poses: Sequence[Pose]) -> Rules:
    """Everything that a team obeys when it is set up at a spot; without poses, about where its first model would go."""
    side = spot.side_near(poses[0].at if poses else spot.at)
    singles = tuple(_singles(battle, unit, spot, side))
    first = poses[0] if poses else _first_pose(unit, spot, side, singles)
    belongs = (_belongs(unit, spot, side, singles, poses[0]),) if poses and spot.kind != "off" else ()
    reference = Placed(unit.models[0].base, first) if first is not None and unit.models else None
    wholly = battle.option("within_two", "base-to-base") == "wholly"
    follow = FollowFirst("too-far", RULE, FIRST_MODEL_REACH, wholly, reference)
    return Rules(standing=(*belongs, *singles, spacing.apart(), follow, *spacing.loose_group(unit)))


def fits(battle: Battle, unit: Unit, spot: Spot, poses: Sequence[Pose]) -> bool:
    """Whether a whole team stands legally at a spot."""
    if len(poses) != len(unit.models):
        return False
    return not any(rules_at(battle, unit, spot, poses).breaches(spacing.placed(unit, poses)))


def proposed(battle: Battle, unit: Unit, spot: Spot) -> tuple[Pose, ...]:
    """A set-up of as many models as a search finds room for, the first by the marker; empty without room for it.

    Against an enemy the models that can touch its side come first, then ranks behind them. The search looks over
    the places on a lattice of a quarter of a base about the first model.
    """
    best: tuple[Pose, ...] = ()
    side = spot.sides[0] if spot.sides else None
    singles = tuple(_singles(battle, unit, spot, side))
    for first in _first_poses(unit, spot, side, singles):
        found = _gathered(battle, unit, spot, first)
        if len(found) > len(best):
            best = found
        if len(best) == len(unit.models):
            break
    return best


def home_of(battle: Battle, unit: Unit, spot: Spot, first: Pose) -> Point | None:
    """Where the first model belongs at the facing that it has, as near to the marker as it can stand; None nowhere."""
    if not unit.models or spot.kind == "off":
        return None
    side = spot.side_near(first.at)
    return nearest_spot(unit.models[0].base, first.facing, spot.anchor(side), tuple(_singles(battle, unit, spot, side)))


def cluster(unit: Unit) -> tuple[Pose, ...]:
    """The whole team round its first model at the origin, base to base, as it would stand on open ground."""
    first = Pose(0.0, 0.0, 0.0)
    about = sorted(_lattice(unit.models, first, 1), key=lambda pose: round(math.dist(pose.at, first.at), 6))
    return (first, *about[: len(unit.models) - 1])


def nearest_spot(base: Base, facing: float, point: Point, singles: Sequence[Constraint]) -> Point | None:
    """The legal centre that is nearest to a point, the point itself where it is legal; None without one near by."""
    if _legal(base, Pose(*point, facing), singles):
        return point
    x, y = point
    reach = NUDGE + ARC_SLACK
    region = legal_region(singles, base, facing, shapely.box(x - reach, y - reach, x + reach, y + reach))
    for inset in (0.0, ARC_SLACK / 2):
        ground = region if inset == 0 else region.buffer(-inset)
        if ground.is_empty:
            return None
        near = shapely.get_coordinates(shapely.shortest_line(ground, shapely.Point(point)))[0]
        at = (float(near[0]), float(near[1]))
        if _legal(base, Pose(*at, facing), singles):
            return at
    return None


def _legal(base: Base, pose: Pose, singles: Sequence[Constraint]) -> bool:
    return not any(breaches(singles, PlacedSet((Placed(base, pose),))))


def _singles(battle: Battle, unit: Unit, spot: Spot, side: Side | None) -> Iterator[Constraint]:
    """What every model obeys by itself at a spot."""
    charged = spot.covered_by if spot.kind == "enemy" else ""
    yield spacing.on_table(battle.battlefield)
    yield spacing.clear_of_others(battle, unit)
    yield terrain.clear_of_impassable(battle.battlefield)
    if battle.option("one_inch", "keep") == "keep":
        yield spacing.clear_of_enemies(battle, unit, charged)
    if charged and side is not None:
        yield StayInside("wrong-side", RULE, f"the {side.name} side of {charged}", side.beyond(FAR))


def _belongs(unit: Unit, spot: Spot, side: Side | None, singles: Sequence[Constraint], first: Pose) -> StandAt:
    """The first model stands on the marker or against the closest side; where it cannot, as near to it as it can."""
    anchor = spot.anchor(side)
    at = nearest_spot(unit.models[0].base, first.facing, anchor, singles) if unit.models else None
    limit = NUDGE if at is None else math.dist(at, anchor)
    if 0.0 < limit < NUDGE:
        limit += ARC_SLACK
    name = "the marker" if side is None else f"the {side.name} side of {spot.covered_by}"
    return StandAt(CODES[spot.kind], RULE, name, anchor, min(limit, NUDGE))


def _first_pose(unit: Unit, spot: Spot, side: Side | None, singles: Sequence[Constraint]) -> Pose | None:
    """Where the first model would go by itself, None without a place for it."""
    return None if spot.kind == "off" else next(_first_poses(unit, spot, side, singles), None)


def _first_poses(unit: Unit, spot: Spot, side: Side | None, singles: Sequence[Constraint]) -> Iterator[Pose]:
    """The first model as near to where it belongs as it can be, at each facing worth a try."""
    for facing in _facings(spot, side) if unit.models else ():
        at = nearest_spot(unit.models[0].base, facing, spot.anchor(side), singles)
        if at is not None and within(math.dist(at, spot.anchor(side)), NUDGE):
            yield Pose(*at, facing)


def _facings(spot: Spot, side: Side | None) -> tuple[float, ...]:
    """The facings to try for a team: square to the side it stands at, otherwise along the table's edges and between."""
    if side is None:
        return (0.0, 45.0, 22.5, 67.5)
    away = side.heading
    return ((away + 180.0) % 360.0,) if spot.kind == "enemy" else (away, (away + 45.0) % 360.0)


def _gathered(battle: Battle, unit: Unit, spot: Spot, first: Pose) -> tuple[Pose, ...]:
    """The first model at its pose and as many others about it as the search finds room for."""
    standing = rules_at(battle, unit, spot, (first,)).standing
    alone = [c for c in standing if not isinstance(c, StandAt | KeepApart | KeepTogether)]
    joined = any(isinstance(c, KeepTogether) for c in standing)
    found = [Placed(unit.models[0].base, first)]
    for step in (1, FINER):
        if len(found) == len(unit.models):
            break
        for pose in _free(battle, unit, spot, first, tuple(_lattice(unit.models, first, step)), alone):
            if len(found) == len(unit.models):
                break
            more = Placed(unit.models[len(found)].base, pose)
            if _joins(more, found, joined):
                found.append(more)
    return tuple(placed.pose for placed in found)


def _joins(more: Placed, found: Sequence[Placed], joined: bool) -> bool:
    """Whether one more base overlaps none of a group and, where that is asked, is a neighbour of one of them."""
    disc = _inner_radius(more)
    if any(beyond(disc + _inner_radius(p), math.dist(more.pose.at, p.pose.at)) for p in found):
        return False  # the discs inside the bases overlap already
    apart = separations(PlacedSet((more,)), PlacedSet(tuple(found)))
    least = float(apart.min())
    return within(-least, 0.0) and not (joined and beyond(least, spacing.SKIRMISH_REACH))


def _inner_radius(placed: Placed) -> float:
    """The radius of a disc about the centre that certainly lies within a base."""
    match placed.base:
        case Rect(width, depth):
            return min(width, depth) / 2
        case Hull():
            return 0.0
        case _:
            return min(placed.semi_axes)


def _free(
    battle: Battle, unit: Unit, spot: Spot, first: Pose, poses: tuple[Pose, ...], alone: Sequence[Constraint]
) -> list[Pose]:
    """The poses at which one more model could stand, in the order in which they are filled."""
    free = list(poses)
    for constraint in sorted(alone, key=lambda c: isinstance(c, KeepClear)):  # what costs most to measure comes last
        members = PlacedSet.of(Placed(unit.models[0].base, pose) for pose in (first, *free))
        wrong = {breach.member for breach in constraint.judge(members)}
        free = [pose for i, pose in enumerate(free, 1) if i not in wrong]
    return sorted(free, key=lambda pose: _rank(battle, unit, spot, first, pose))


def _lattice(models: Sequence[Model], first: Pose, step: int) -> Iterator[Pose]:
    """Poses about the first, one base apart along its facing and across it, or a share of that."""
    x0, y0, x1, y1 = Placed(models[0].base, Pose(0.0, 0.0)).bounds
    depth, width = (x1 - x0) / step, (y1 - y0) / step
    angle = math.radians(first.facing)
    ranks, files = (math.ceil((FIRST_MODEL_REACH + size * step) / size) for size in (depth, width))
    for i in range(-ranks, ranks + 1):
        for k in range(-files, files + 1):
            if (i, k) != (0, 0):
                u, v = i * depth, k * width
                x = first.x + math.cos(angle) * u - math.sin(angle) * v
                y = first.y + math.sin(angle) * u + math.cos(angle) * v
                yield Pose(x, y, first.facing)


def _rank(battle: Battle, unit: Unit, spot: Spot, first: Pose, pose: Pose) -> tuple[bool, float, float, float]:
    """In which order places are filled: those that touch the charged enemy first, then the nearest to the first."""
    touching = False
    if spot.kind == "enemy":
        mine = Placed(unit.models[0].base, pose)
        others = battle.unit(spot.covered_by).models
        touching = any(within(gap(mine, m.placed), 0.0) for m in others if m.pose is not None)
    return (not touching, round(math.dist(first.at, pose.at), 6), pose.x, pose.y)
