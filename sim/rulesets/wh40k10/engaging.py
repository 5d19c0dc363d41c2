"""How low a roll brings a model within Engagement Range of what it charges? The least Charge roll follows from it.

Where a lone model may end is a region: within reach of every target and wherever it may stand. The shortest way into
that region is looked for round all that is in the way, as the model looks and turned about its centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from functools import cached_property

import numpy as np
import shapely
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Model, Unit
from sim.geometry import (
    EPS,
    Base,
    Constraint,
    KeepClear,
    Obstacles,
    Oval,
    Path,
    Placed,
    PlacedSet,
    Point,
    Pose,
    Rect,
    Round,
    StayInside,
    Sweep,
    asked_of_one,
    gaps,
    judge,
)
from sim.geometry.arcs import ArcRegion, exact_region
from sim.geometry.coming_near import ComeNear
from sim.geometry.distance import separations, witness
from sim.geometry.routes import path_length
from sim.geometry.tolerance import Floats
from sim.rulesets.wh40k10 import engagement, measuring, movement, reaching, terrain

TURN_STEP, FINE_STEP = 5.0, 0.5  # degrees between the facings that a base is turned to
CLOSER_LOOKS, MOST_TURNS = 3, 8  # facings about which finer ones are looked for, and how many of those are taken
AFTER_ALL = 12  # ways that cost more than they are long, and are looked at
ASIDE = 20 * EPS  # inches into the region, where its very border does not do
NEARLY = 0.02  # inches above a whole number of them, within which bends are drawn in as far as can be
WHOLE = 1e-6  # inches by which a way may be longer than the roll that suffices for it
DRAWN = 0.005  # inches by which a drawn region may lie within the true one
SPARE = 0.1  # inches about the ground that is looked at


@dataclass(frozen=True)
class Room:
    """Where a charge may end, roughly: drawn, with the box that holds it and what is asked of it exactly."""

    drawn: BaseGeometry
    box: BaseGeometry
    asked: tuple[Constraint, ...]


@dataclass(frozen=True)
class Charger:
    """One model that is to come within Engagement Range of every one of some units, past all the targets."""

    battle: Battle
    unit: Unit
    model: Model
    targets: tuple[str, ...]
    reached: tuple[str, ...]
    enough: int = 0  # a roll; ways for which it suffices are not told apart

    @property
    def pose(self) -> Pose:
        """Where the model stands."""
        assert self.model.pose is not None
        return self.model.pose

    @cached_property
    def enemies(self) -> tuple[Obstacles, ...]:
        """The models of each unit that is to be reached."""
        return tuple(self.battle.index.of_unit(name) for name in self.reached)

    def least(self, most: float) -> float:
        """What a still better way would have to undercut, in inches: the roll below the least that suffices.

        ``most`` where no fewer inches suffice.
        """
        best = self._from(self.model, most)
        for facing, bound in self._turns():
            if bound >= best:
                break
            best = self._turned(facing, best)
        if self.reach > measuring.ENGAGEMENT_REACH:
            best = self._less(
                best,
                reaching.across_a_barricade(self.battle, self.unit, self.model, self.targets, self.reached, best),
            )
        return best

    def _less(self, best: float, inches: float) -> float:
        """What has to be undercut once a way of so many inches is known: only a lower roll is of any use."""
        if inches >= best:
            return best
        return 0.0 if inches <= self.enough + WHOLE else math.ceil(inches - WHOLE) - 1 + WHOLE

    # --- turning

    def _turns(self) -> Iterator[tuple[float, float]]:
        """Facings with what a charge by them costs at least, the lowest first; none for round bases."""
        if isinstance(self.model.base, Round):
            return
        pose, half = self.pose, isinstance(self.model.base, (Oval, Rect))
        turns = np.arange(TURN_STEP, 180.0 if half else 360.0, TURN_STEP)
        best = turns[np.argsort(self._bounds(turns), kind="stable")[:CLOSER_LOOKS]]
        near = np.arange(-TURN_STEP + FINE_STEP, TURN_STEP, FINE_STEP) if len(self.reached) == 1 else np.zeros(1)
        fine = np.unique(np.concatenate([turn + near for turn in best]))
        fine = fine[np.argsort(self._bounds(fine), kind="stable")[:MOST_TURNS]]
        turns = np.unique(np.concatenate((turns, fine)))
        found = self._bounds(turns)
        for k in np.argsort(found, kind="stable").tolist():
            turn = float(turns[k])
            yield pose.facing + (turn if turn <= 180.0 else turn - 360.0), float(found[k])

    def _bounds(self, turns: Floats) -> Floats:
        """What a charge costs at least that turns by so many degrees: the pivot, and the gap that is then left."""
        pose = self.pose
        poses = [Pose(pose.x, pose.y, pose.facing + float(turn), pose.z) for turn in turns]
        members = PlacedSet.of(Placed(self.model.base, p) for p in poses)
        apart = [gaps(members, others.bases).min(axis=1) for others in self.enemies]
        left = np.maximum(np.max(apart, axis=0) - self.reach, 0.0)
        return np.asarray(left + np.array([self._price(p.facing) for p in poses]))

    def _price(self, facing: float) -> float:
        pose = self.pose
        path = Path(pose, (Pose(pose.x, pose.y, facing, pose.z),))
        return movement.cost(self.battle, self.unit, self._number, path)

    @cached_property
    def _known(self) -> dict[tuple[float, float], tuple[ArcRegion, Point] | None]:
        """The regions that are known, by facing and height, and the point of each that is nearest to the start."""
        return {}

    @cached_property
    def _rooms(self) -> dict[tuple[float, float], Room | None]:
        """The rooms in which they lie."""
        return {}

    @cached_property
    def _pivots(self) -> dict[float, bool]:
        """The facings that the model can turn to where it stands, as far as is known."""
        return {}

    @cached_property
    def _number(self) -> int:
        return next(k for k, model in enumerate(self.unit.models) if model.id == self.model.id)

    @property
    def reach(self) -> float:
        """The widest gap at which a model can be engaged."""
        return engagement.widest_reach(self.battle)

    def _turned(self, facing: float, best: float) -> float:
        """The least inches of a charge that turns to a facing: before it goes, or where it ends."""
        pose, price = self.pose, self._price(facing)
        turned = replace(self.model, pose=Pose(pose.x, pose.y, facing, pose.z))
        leads = any(True for _ in self._direct(turned, best - price))
        if not leads and not any(True for _ in self._regions(facing, best - price)):
            return best
        if self._may_pivot(facing):
            best = self._from(turned, best)
        for length, way, z in self._ways(self.model, facing, best - price):
            if length + price < best:
                best = self._less(best, self._cost([*_points(way[:-1]), [*way[-1], facing, z]]))
        return best

    # --- going

    def _from(self, model: Model, most: float) -> float:
        """The least inches where the facing of a model is kept, the turn to it paid; at most ``most``."""
        pose, best, tried = model.pose, most, 0
        assert pose is not None
        turn = [[*pose.at, pose.facing]] if pose.facing != self.pose.facing else []
        price = self._price(pose.facing) if turn else 0.0
        for end in self._direct(model, best - price):
            best = self._less(best, self._cost([*turn, [*end]]))
        for length, way, z in self._ways(model, pose.facing, best - price):
            if length + price >= best or tried > AFTER_ALL:
                continue
            tried += 1
            best = self._less(best, self._cost([*turn, *_points(way[:-1]), [*way[-1], pose.facing, z]]))
        return best

    def _cost(self, waypoints: Sequence[Sequence[float]]) -> float:
        """What a way costs, infinite where something is in it."""
        path = Path.through(self.pose, waypoints)
        return movement.cost(self.battle, self.unit, self._number, path) if self._free(path) else math.inf

    def _direct(self, model: Model, most: float) -> Iterator[Point]:
        """The spots straight ahead of some base from which it is just reached, where there may be no room to spare.

        They do as ends of a charge.
        """
        assert model.pose is not None
        own = Placed(model.base, model.pose)
        for others in self.enemies:
            for base in others.bases:
                (ax, ay), (bx, by) = witness(own, base)
                far = math.hypot(bx - ax, by - ay)
                step = far - measuring.ENGAGEMENT_REACH
                if not 0 < step < most:
                    continue
                end = model.pose.x + (bx - ax) * step / far, model.pose.y + (by - ay) * step / far
                if self._ends(model, model.pose.facing, end, model.pose.z):
                    yield end

    def _ways(self, model: Model, facing: float, most: float) -> Iterator[tuple[float, tuple[Point, ...], float]]:
        """Ways into the region of a facing, with how long they are at least, and the height where they end."""
        start = self.pose.at
        for z, region, straight in self._regions(facing, most):
            for end in (straight, region.beside(straight, ASIDE)):
                if self._ends(model, facing, end, z) and self._straight(model, end, z):
                    yield math.dist(start, end), (end,), z
                    break
            else:
                yield from self._round(model, facing, region, z, most)
                continue
            if self._climbs(model, end, z):
                yield from self._round(model, facing, region, z, most)

    def _regions(self, facing: float, most: float) -> Iterator[tuple[float, ArcRegion, Point]]:
        """The heights at which a charge may end, with the region and its nearest point, fewer than ``most`` away."""
        start = self.pose.at
        for z in sorted({0.0, self.pose.z, *(float(h) for o in self.enemies for h in o.bases.z)}):
            if most <= 0:
                return
            key = (facing, z)
            if key not in self._rooms:
                self._rooms[key] = self._room(self.model.base, facing, z, most)
            room = self._rooms[key]
            if room is None or shapely.distance(room.drawn, shapely.Point(start)) >= most:
                continue
            if key not in self._known:
                region = self._region(room, self.model.base, facing, z)
                inside = bool(region.contains(np.array([start]))[0])
                nearest = start if inside else region.nearest(start)
                self._known[key] = None if nearest is None else (region, nearest)
            known = self._known[key]
            if known is not None and math.dist(known[1], start) < most:
                yield z, *known

    def _round(
        self, model: Model, facing: float, region: ArcRegion, z: float, most: float
    ) -> Iterator[tuple[float, tuple[Point, ...], float]]:
        """Ways round what is in the way, and round or over what would have to be climbed."""
        start = self.pose.at
        climbed = bool(len(terrain.climbed(self.battle.battlefield))) and not self.unit.has("FLY")
        for around in (True, False) if climbed else (True,):
            chart = reaching.ground_map(self.battle, self.unit, model, self.targets, around, z == self.pose.z)
            found = 0
            for length, way in chart.ways_into(start, region, most):
                end = way[-1]
                if not self._ends(model, facing, end, z):
                    end = region.beside(end, ASIDE)
                    if not self._ends(model, facing, end, z):
                        continue
                taken = (*way[:-1], end)
                if 0 < length - math.floor(length) < NEARLY:
                    taken = chart.tightened(start, taken)
                yield min(length, path_length(start, taken)), taken, z
                found += 1
                if found > AFTER_ALL or not climbed:
                    break

    # --- what is asked

    def _room(self, base: Base, facing: float, z: float, most: float) -> Room | None:
        """Where the centre may be at a height to be within reach of all, roughly.

        None where it may be nowhere, or nowhere fewer than ``most`` inches away.
        """
        pose = Pose(self.pose.x, self.pose.y, facing, z)
        if z > 0 and terrain.surface_at(self.battle.battlefield, z) is None:
            return None
        radius = Placed(base, pose).radius
        box: BaseGeometry = measuring.table(self.battle.battlefield)
        near: list[Constraint] = []
        for others in self.enemies:
            rules = measuring.out_of_reach(self.battle, others, "engaged", (pose,))
            asked = tuple(c for c in asked_of_one(tuple(rules), z, 0) if isinstance(c, KeepClear))
            if not asked:
                return None
            near.append(ComeNear("engaged", "Engagement Range", asked))
            x0, y0, x1, y1 = shapely.total_bounds(shapely.box(*np.vstack([c.obstacles.bases.bounds for c in asked]).T))
            far = measuring.ENGAGEMENT_REACH + 2 * radius + SPARE
            box = box.intersection(shapely.box(x0 - far, y0 - far, x1 + far, y1 + far))
        if box.is_empty or box.area <= EPS:
            return None
        room = box
        for asked_near in near:
            room = asked_near.carve(room, base, facing).buffer(DRAWN)
        start = shapely.Point(self.pose.at)
        if room.is_empty or shapely.distance(room, start) >= most:
            return None
        standing = tuple(_close_to(box, c) for c in asked_of_one(self._standing(base, pose), z, 0))
        reach = shapely.box(*room.bounds).buffer(radius)
        room = room.difference(_surely_barred([_close_to(reach, c) for c in standing], base, facing))
        return None if room.is_empty else Room(room, box, (*near, *standing))

    def _region(self, room: Room, base: Base, facing: float, z: float) -> ArcRegion:
        """Where the centre may be at a height: within reach of all, and wherever such a base may stand."""
        return exact_region(room.asked, base, facing, room.box, z, 0)

    def _standing(self, base: Base, pose: Pose) -> list[Constraint]:
        alone = reaching.standing_alone(self.battle, self.unit, replace(self.model, base=base, pose=pose), self.targets)
        return [*alone, *terrain.on_floors(self.battle.battlefield, self.unit, (pose,))]

    def _ends(self, model: Model, facing: float, at: Point, z: float) -> bool:
        """Whether a charge may end at a spot, by the judge."""
        pose = Pose(at[0], at[1], facing, z)
        placed = PlacedSet((Placed(model.base, pose),))
        if any(judge(self._standing(model.base, pose), placed)):
            return False
        return all(engagement.reaches(self.battle, placed, name) for name in self.reached)

    def _straight(self, model: Model, end: Point, z: float) -> bool:
        assert model.pose is not None
        return self._free(Path.through(model.pose, [[*end]]))

    def _climbs(self, model: Model, end: Point, z: float) -> bool:
        """Whether a straight way costs more than it is long and than its end lies higher."""
        assert model.pose is not None
        path = Path.through(model.pose, [[*end]])
        least = math.hypot(path.length, z - self.pose.z) - path.length if self.unit.has("FLY") else 0.0
        return movement.climbing(self.battle, self.unit, model, path, z) > least + EPS

    def _free(self, path: Path) -> bool:
        """Whether nothing is in the way; a turn at the start is looked at once."""
        first = path.stops[0] if path.stops else path.start
        if first.at == path.start.at and path.start == self.pose:
            if first.facing != path.start.facing and not self._may_pivot(first.facing):
                return False
            path = Path(first, path.stops[1:])
        return self._clear(path)

    def _may_pivot(self, facing: float) -> bool:
        """Whether the model can turn to a facing where it stands."""
        if facing not in self._pivots:
            pose = self.pose
            self._pivots[facing] = self._clear(Path(pose, (Pose(pose.x, pose.y, facing, pose.z),)))
        return self._pivots[facing]

    def _clear(self, path: Path) -> bool:
        sweep = Sweep(self.model.base, path)
        return not any(c.blocks(sweep) for c in self._way)

    @cached_property
    def _way(self) -> tuple[KeepClear | StayInside, ...]:
        return reaching.charge_way(self.battle, self.unit, self.targets, (self.pose,))


def roll_to_engage(
    battle: Battle, unit: Unit, targets: Sequence[str], most: float = math.inf, enough: int = 0
) -> float:
    """The least whole inches that bring some model within Engagement Range of each target.

    Infinite when there is no way of fewer than ``most`` inches; with ``enough``, no numbers up to it are told apart.
    The others are taken to be able to follow.
    """
    groups = [tuple(targets)] if len(unit.models) == 1 else [(name,) for name in targets]
    worst = 0.0
    for group in groups:
        worst = max(worst, _to_engage(battle, unit, tuple(targets), group, most, enough))
        if math.isinf(worst):
            break
    return worst if groups else math.inf


def _to_engage(
    battle: Battle, unit: Unit, targets: tuple[str, ...], reached: tuple[str, ...], most: float, enough: int
) -> float:
    """The least whole inches that bring one model of a unit within Engagement Range of all of some units."""
    theirs = [reaching.bases_of(battle, (name,)) for name in reached]
    if not all(len(bases) for bases in theirs):
        return math.inf
    mine = PlacedSet.of(m.placed for m in unit.models)
    apart = np.max([separations(mine, bases).min(axis=1) for bases in theirs], axis=0)
    best = most
    for k in apart.argsort(kind="stable").tolist():
        model = unit.models[k]
        charger = Charger(battle, unit, model, targets, reached, enough)
        turning = 0.0 if isinstance(model.base, Round) else Placed(model.base, charger.pose).radius
        if best <= 0 or apart[k] - charger.reach - turning >= best:
            continue
        if all(engagement.reaches(battle, PlacedSet((model.placed,)), name) for name in reached):
            return 0.0
        best = min(best, charger.least(best))
    return math.floor(best) + 1.0 if best < most else math.inf


def _close_to(box: BaseGeometry, constraint: Constraint) -> Constraint:
    """A constraint without the obstacles that are of no matter to a base that stands in a box."""
    if not isinstance(constraint, KeepClear):
        return constraint
    x0, y0, x1, y1 = box.bounds
    bounds, far = constraint.obstacles.bases.bounds, constraint.distance + SPARE
    near = (bounds[:, 0] <= x1 + far) & (bounds[:, 2] >= x0 - far) & (bounds[:, 1] <= y1 + far)
    return changed(constraint, obstacles=constraint.obstacles.take(near & (bounds[:, 3] >= y0 - far)))


def _surely_barred(standing: Sequence[Constraint], base: Base, facing: float) -> BaseGeometry:
    """Where the centre may not be for what stands there, each thing's ground drawn so much too small."""
    barred = [
        c.alone(k).forbidden(base, facing).buffer(-DRAWN, quad_segs=2)
        for c in standing
        if isinstance(c, KeepClear)
        for k in range(len(c.obstacles))
    ]
    return shapely.union_all(barred)


def _points(way: Sequence[Point]) -> list[list[float]]:
    return [list(point) for point in way]
