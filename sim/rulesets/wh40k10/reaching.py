"""How far is it into Engagement Range, and where would a model stand then? Ways round what is in the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import shapely
from shapely import Polygon

from sim.battle import Battle, Model, Unit
from sim.geometry import (
    Constraint,
    KeepClear,
    Obstacles,
    Path,
    Placed,
    PlacedSet,
    Pose,
    Round,
    StayInside,
    Sweep,
    asked_of_one,
    gaps,
    judge,
)
from sim.geometry.distance import clearance, separations, witness
from sim.geometry.routes import Map
from sim.geometry.tolerance import Floats
from sim.rulesets.wh40k10 import engagement, measuring, movement, terrain
from sim.rulesets.wh40k10.commands import ChargeMove

ANGLES = 24  # spots looked at around an enemy base
FINER, LOOKS = 4, 4  # spots on either side of the best one in each closer look, and how many looks
RINGS = (0.0, 0.4, 0.8)  # gaps in inches at which they lie, besides the farthest that still engages
APPROACHES = (1.0, 0.5, 0.25)  # shares of the way to an enemy by which a charging model could have come nearer
HALVINGS = 40  # of a distance, until it is one number
SECANTS = 24  # of a distance; fewer than ten are needed beside what has no notch
CONTACT = 1e-3  # inches; what stops this short of something touches it to the eye
CLOSE = 1e-10  # inches from a distance at which its secants end
HAIR = 1e-7  # inches by which a spot at the limit is taken nearer
NEAREST_BASES = 4  # enemy bases that a model is tried against


def enemies_but(battle: Battle, unit: Unit, targets: Sequence[str]) -> Obstacles:
    """The enemy models that belong to none of the targets."""
    every = battle.index.enemies_of(unit.player)
    spared = {m.id for name in targets if battle.has_unit(name) for m in battle.unit(name).models}
    rows = [k for k, name in enumerate(every.names) if name not in spared]
    return Obstacles(PlacedSet.of(every.bases[k] for k in rows), tuple(every.names[k] for k in rows))


def bases_of(battle: Battle, units: Sequence[str]) -> PlacedSet:
    """The bases of some units together."""
    standing = (battle.unit(name) for name in units if battle.has_unit(name))
    return PlacedSet.of(m.placed for unit in standing for m in unit.models if m.pose is not None)


def ground_map(
    battle: Battle,
    unit: Unit,
    model: Model,
    targets: Sequence[str] | None,
    around: bool = True,
    level: bool = False,
) -> Map:
    """Where a model's centre may pass: in a charge past all but its targets, else out of everybody's reach.

    ``around`` what would have to be climbed, or straight over it; ``level`` ways pass under and over what is not in
    the way at the height of the model.
    """
    pose = model.pose
    assert pose is not None
    memo = battle.index.memo
    past = "" if targets is None else " ".join(sorted(targets))
    key = ("map", unit.id, str(model.base), f"{pose.facing:g}", past, str(around), f"{pose.z:g}" if level else "")
    if key not in memo:
        moving: list[KeepClear] = list(movement.past_friends_and_walls(battle, unit))
        if not unit.has("FLY"):
            moving.append(movement.over_no_enemy(battle, unit))
            if targets is None:
                ground = measuring.enemies_on_the_ground(battle, unit.player)
                moving.extend(measuring.out_of_reach(battle, ground, "enters-engagement", (pose,)))
        if around and not unit.has("FLY"):
            moving.append(KeepClear("climbs", terrain.RULE, terrain.climbed(battle.battlefield), 0.0, strict=False))
        if targets is not None and not unit.has("FLY"):
            others = enemies_but(battle, unit, targets)
            moving.extend(measuring.out_of_reach(battle, others, "engages-non-target", (pose,)))
        if level:
            moving = [c for c in asked_of_one(moving, pose.z, 0) if isinstance(c, KeepClear)]
        edge = measuring.on_table(battle.battlefield)
        memo[key] = Map.of([edge, *moving], model.base, pose.facing, measuring.table(battle.battlefield))
    found: Map = memo[key]
    return found


def charge_way(
    battle: Battle, unit: Unit, targets: Sequence[str], ends: tuple[Pose, ...]
) -> tuple[KeepClear | StayInside, ...]:
    """What holds on the way of a charge."""
    others = enemies_but(battle, unit, targets)
    flies = unit.has("FLY")
    return (
        measuring.on_table(battle.battlefield),
        *(() if flies else measuring.out_of_reach(battle, others, "engages-non-target", ends)),
        *(() if flies else (movement.over_no_enemy(battle, unit),)),
        *movement.past_friends_and_walls(battle, unit),
    )


def charge_end(battle: Battle, unit: Unit, targets: Sequence[str], ends: tuple[Pose, ...]) -> tuple[Constraint, ...]:
    """What holds where a charge ends; out of reach of others is said of the way unless that leads through the air."""
    standing = tuple(c for c in measuring.standing(battle, unit, ends) if c.code != "off-table")
    if not unit.has("FLY"):
        return standing
    others = enemies_but(battle, unit, targets)
    return (*measuring.out_of_reach(battle, others, "engages-non-target", ends), *standing)


def across_a_barricade(
    battle: Battle, unit: Unit, model: Model, targets: Sequence[str], reached: Sequence[str], best: float
) -> float:
    """The least inches, fewer than the best known, to spots about enemy bases, across barricades too."""
    legal = standing_alone(battle, unit, model, targets)
    ways = tuple(ground_map(battle, unit, model, targets, around) for around in (True, False))
    theirs = bases_of(battle, reached)
    apart = gaps(PlacedSet((model.placed,)), theirs)[0]
    for j in apart.argsort(kind="stable").tolist():
        if apart[j] - 2 * measuring.ENGAGEMENT_REACH >= best:
            break
        best = min(best, _best_about(battle, unit, model, theirs[j], legal, ways, reached, best))
    return best


def _best_about(
    battle: Battle,
    unit: Unit,
    model: Model,
    enemy: Placed,
    legal: Sequence[Constraint],
    ways: Sequence[Map],
    all_of: Sequence[str],
    best: float,
) -> float:
    """The least inches to a spot about one enemy base: all around first, then closer about the best of them."""
    found: tuple[float, float] | None = None
    angles = [2 * math.pi * k / ANGLES for k in range(ANGLES)]
    for step in (2 * math.pi / ANGLES, *(2 * math.pi / ANGLES / FINER**k for k in range(1, LOOKS))):
        for pose, angle in sorted(spots(model, enemy, angles), key=lambda p: _straight(model, p[0])):
            climb = abs(pose.z - _pose(model).z)
            flown = unit.has("FLY")
            straight = math.hypot(_straight(model, pose), climb) if flown else _straight(model, pose) + climb
            if straight >= best:
                break
            placed = PlacedSet((Placed(model.base, pose),))
            if any(judge(legal, placed)) or not _on_ground(battle, unit, model, pose):
                continue
            if not all(engagement.reaches(battle, placed, name) for name in all_of):
                continue
            inches = min(_inches(battle, unit, model, way, pose) for way in ways)
            if inches < best:
                best, found = inches, (inches, angle)
        if found is None:
            break
        angles = [found[1] + step * k / FINER for k in range(-FINER + 1, FINER)]
    return best


def _inches(battle: Battle, unit: Unit, model: Model, way: Map, pose: Pose) -> float:
    """What a way to a spot costs, up and down and all."""
    start = _pose(model)
    route = way.route(start.at, pose.at)
    if route is None:
        return math.inf
    path = Path.through(start, [list(point) for point in route])
    return path.length + movement.climbing(battle, unit, model, path, pose.z)


def standing_alone(battle: Battle, unit: Unit, model: Model, targets: Sequence[str]) -> list[Constraint]:
    """What a model obeys where it ends a charge, its comrades left aside."""
    pose = _pose(model)
    field = battle.battlefield
    others = enemies_but(battle, unit, targets)
    return [
        measuring.on_table(field),
        measuring.clear_of_others(battle, unit),
        terrain.clear_of_solids(field),
        *measuring.off_markers(battle),
        *measuring.out_of_reach(battle, others, "engages-non-target", (pose,)),
    ]


def spots(model: Model, enemy: Placed, angles: Sequence[float]) -> Iterator[tuple[Pose, float]]:
    """Where a model could stand within Engagement Range of an enemy base, on its level and on the ground.

    About it at angles from where the model is now; each spot with its angle.
    """
    pose = _pose(model)
    heading = math.atan2(pose.y - enemy.pose.y, pose.x - enemy.pose.x)
    levels = {0.0, enemy.pose.z, pose.z}
    for gap in (*RINGS, measuring.ENGAGEMENT_REACH - HAIR, 2 * measuring.ENGAGEMENT_REACH - HAIR):
        distances = centre_distances(model, enemy, [heading + aside for aside in angles], gap)
        for aside, far in zip(angles, distances, strict=True):
            angle = heading + aside
            x, y = enemy.pose.x + far * math.cos(angle), enemy.pose.y + far * math.sin(angle)
            for z in levels:
                yield Pose(x, y, pose.facing, z), aside


def centre_distances(model: Model, enemy: Placed, angles: Sequence[float], gap: float) -> list[float]:
    """How far a model's centre lies from that of an enemy base along headings when their bases are a gap apart."""
    pose = _pose(model)
    if isinstance(enemy.base, Round) and isinstance(model.base, Round):
        return [(enemy.base.d + model.base.d) / 2 + gap] * len(angles)
    cos, sin, one = np.cos(angles), np.sin(angles), PlacedSet((enemy,))

    def apart(far: Floats) -> Floats:
        x, y = enemy.pose.x + far * cos, enemy.pose.y + far * sin
        spots = [Pose(a, b, pose.facing, pose.z) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
        return separations(PlacedSet.of(Placed(model.base, spot) for spot in spots), one)[:, 0] - gap

    # Beside what has no notch a gap falls ever slower on the way in: secants from beyond do not overshoot.
    most = np.full(len(angles), enemy.radius + Placed(model.base, pose).radius + gap)
    outer, before = most, apart(most)
    inner = outer - before  # no gap falls faster than the base comes
    known = apart(inner)
    for _ in range(SECANTS):
        if not np.any(known > CLOSE):
            break
        step = outer - inner
        slope = np.where(step > 0, (before - known) / np.where(step > 0, step, 1.0), 1.0)
        outer, before, inner = inner, known, inner - known / np.where(slope > 0, slope, 1.0)
        known = apart(inner)
    far: list[float] = inner.tolist() if np.all(np.abs(known) <= HAIR / 100) else _halved(apart, most).tolist()
    return far


def _halved(apart: Callable[[Floats], Floats], high: Floats) -> Floats:
    """Where something that is negative at nothing and not so at a number last becomes so, by halves."""
    low = np.zeros(len(high))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        close = apart(middle) < 0
        low, high = np.where(close, middle, low), np.where(close, high, middle)
    return high


def could_approach(battle: Battle, unit: Unit, command: ChargeMove, k: int, roll: float) -> str | None:
    """The target model that a charging model which stays could have come nearer to by a straight move."""
    model = unit.models[k]
    start = _pose(model)
    theirs = bases_of(battle, command.targets)
    names = [m.id for name in command.targets for m in battle.unit(name).models if m.pose is not None]
    j = int(gaps(PlacedSet((model.placed,)), theirs)[0].argmin())
    (ax, ay), (bx, by) = witness(model.placed, theirs[j])
    far = math.hypot(bx - ax, by - ay)
    if far <= 0:
        return None
    moving, standing = command_rules(battle, unit, command)
    ends = tuple(path.end for path in command.paths)
    for share in APPROACHES:
        step = min(roll, far) * share
        end = Pose(start.x + (bx - ax) * step / far, start.y + (by - ay) * step / far, start.facing, start.z)
        sweep = Sweep(model.base, Path(start, (end,)))
        if step + movement.climbing(battle, unit, model, sweep.path) > roll or any(c.blocks(sweep) for c in moving):
            continue
        members = measuring.placed(unit, tuple(end if i == k else pose for i, pose in enumerate(ends)))
        if not any(judge(standing, members)):
            return names[j]
    return None


def could_close(battle: Battle, unit: Unit, command: ChargeMove, k: int, roll: float, outline: Polygon) -> float | None:
    """How far a charging model stops short of an outline that it could touch by going straight on; None else."""
    model, path = unit.models[k], command.paths[k]
    end = Placed(model.base, path.end)
    near = shapely.get_coordinates(shapely.shortest_line(end.polygon, outline))
    far = clearance(end, outline)
    (ax, ay), (bx, by) = near[0], near[-1]
    length = math.hypot(bx - ax, by - ay)
    if far <= CONTACT or length <= 0 or movement.cost(battle, unit, k, path) + far > roll:
        return None
    there = Pose(
        end.pose.x + (bx - ax) * far / length, end.pose.y + (by - ay) * far / length, end.pose.facing, end.pose.z
    )
    moving, standing = command_rules(battle, unit, command)
    ends = tuple(there if i == k else p.end for i, p in enumerate(command.paths))
    blocked = any(c.blocks(Sweep(model.base, Path(path.end, (there,)))) for c in moving)
    return None if blocked or any(judge(standing, measuring.placed(unit, ends))) else far


def close_by(battle: Battle, unit: Unit) -> list[KeepClear | StayInside]:
    """What holds on the way of a pile-in or a consolidation."""
    edge = measuring.on_table(battle.battlefield)
    return [edge, movement.over_no_enemy(battle, unit), *movement.past_friends_and_walls(battle, unit)]


def could_engage(battle: Battle, unit: Unit, reach: float) -> str | None:
    """The model that could end within Engagement Range of an enemy by a straight move of so many inches, or by none.

    Aircraft count for what can FLY alone.
    """
    poses = tuple(_pose(m) for m in unit.models)
    moving = close_by(battle, unit)
    standing = [c for c in measuring.standing(battle, unit, poses) if c.code != "off-table"]
    for k, model in enumerate(unit.models):
        enemies = measuring.enemies_closed_with(battle, unit, model).bases
        if not len(enemies):
            continue
        j = int(gaps(PlacedSet((model.placed,)), enemies)[0].argmin())
        (ax, ay), (bx, by) = witness(model.placed, enemies[j])
        far = math.hypot(bx - ax, by - ay)
        step = far - measuring.ENGAGEMENT_REACH + HAIR
        if step > reach or abs(poses[k].z - enemies[j].pose.z) > measuring.ENGAGEMENT_HEIGHT:
            continue
        if step <= HAIR:  # it is there already, and need not move at all
            return model.id
        x, y = poses[k].x + (bx - ax) * step / far, poses[k].y + (by - ay) * step / far
        end = Pose(x, y, poses[k].facing, poses[k].z)
        sweep = Sweep(model.base, Path(poses[k], (end,)))
        members = measuring.placed(unit, tuple(end if i == k else pose for i, pose in enumerate(poses)))
        costly = step + movement.climbing(battle, unit, model, sweep.path) > reach
        if not costly and not any(c.blocks(sweep) for c in moving) and not any(judge(standing, members)):
            return model.id
    return None


def command_rules(
    battle: Battle, unit: Unit, command: ChargeMove
) -> tuple[Sequence[KeepClear | StayInside], list[Constraint]]:
    """The constraints on the way and at the end of a charge, for trying other ends."""
    ends = tuple(path.end for path in command.paths)
    moving = charge_way(battle, unit, command.targets, ends)
    return moving, list(charge_end(battle, unit, command.targets, ends))


def _on_ground(battle: Battle, unit: Unit, model: Model, pose: Pose) -> bool:
    """Whether there is something to stand on at a height, for the whole base."""
    if pose.z <= 0:
        return True
    if terrain.surface_at(battle.battlefield, pose.z) is None:
        return False
    placed = PlacedSet((Placed(model.base, pose),))
    return not any(judge(tuple(terrain.on_floors(battle.battlefield, unit, (pose,))), placed))


def _straight(model: Model, pose: Pose) -> float:
    return math.dist(_pose(model).at, pose.at)


def _pose(model: Model) -> Pose:
    assert model.pose is not None
    return model.pose
