"""Could a model touch an enemy base by a straight move? All the spots in touch with it are looked at, all around."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sim.battle import Battle, Model, Unit
from sim.geometry import (
    EPS,
    Constraint,
    KeepApart,
    KeepClear,
    Obstacles,
    Path,
    Placed,
    PlacedSet,
    Point,
    Pose,
    Round,
    StayInside,
    Sweep,
    asked_of_one,
    judge,
)
from sim.geometry.distance import separations, witness
from sim.geometry.tolerance import Bools, Floats, within
from sim.rulesets.wh40k10 import measuring, movement, reaching

TURNS_ROUND, TURNS = 720, 120  # spots about an enemy base for a round base beside a round one, and for others
ORDER = 7  # spots are tried in strides, so that neighbours, which fail for like reasons, do not come one after another
NUDGE = 1e-7  # radians past where two borders cross


@dataclass(frozen=True)
class Attempt:
    """One model that would go straight to some spot while the others end where their paths do.

    It has ``reach`` inches for the nearest spot in touch with a base, and ``aside`` for those all around it.
    ``moving`` and ``standing`` hold on its way and where the unit ends; ``fine`` says what else the spot must do,
    and ``near`` of which bases it must come within how many inches for that.
    """

    battle: Battle
    unit: Unit
    number: int
    ends: tuple[Pose, ...]
    reach: float
    aside: float
    moving: Sequence[KeepClear | StayInside]
    standing: Sequence[Constraint]
    fine: Callable[[PlacedSet], bool]
    near: tuple[tuple[PlacedSet, float], ...] = ()

    @property
    def model(self) -> Model:
        """The model that goes."""
        return self.unit.models[self.number]

    @property
    def start(self) -> Pose:
        """Where it stands."""
        pose = self.model.pose
        assert pose is not None
        return pose

    def could_do(self, x: float, y: float) -> bool:
        """Whether it comes near enough there to what it must come near to."""
        placed = PlacedSet((Placed(self.model.base, Pose(x, y, self.start.facing, self.start.z)),))
        return all(within(float(separations(placed, bases).min()), most) for bases, most in self.near)

    def may_end(self, x: float, y: float) -> bool:
        """Whether it may go straight to a point, by everything that is asked."""
        end = Pose(x, y, self.start.facing, self.start.z)
        path = Path(self.start, (end,))
        sweep = Sweep(self.model.base, path)
        if path.length + movement.climbing(self.battle, self.unit, self.model, path) > self.reach + EPS:
            return False
        if any(constraint.blocks(sweep) for constraint in self.moving):
            return False
        members = measuring.placed(self.unit, tuple(end if k == self.number else p for k, p in enumerate(self.ends)))
        return not any(judge(self.standing, members)) and self.fine(members)


@dataclass(frozen=True)
class Touch:
    """An enemy model that could be touched, and where the model's centre would then be."""

    name: str
    at: Point


def could_touch(attempt: Attempt, enemies: Obstacles) -> Touch | None:
    """The enemy base that a model could touch by a straight move, the nearest first; None when there is none.

    Bases touch at one height only.
    """
    start = attempt.start
    if attempt.ends[attempt.number].facing != start.facing:
        return None
    own = Placed(attempt.model.base, start)
    near = []
    for name, enemy in zip(enemies.names, enemies.bases, strict=True):
        (ax, ay), (bx, by) = witness(own, enemy)
        far = math.hypot(bx - ax, by - ay)
        if 0 < far <= attempt.reach + EPS and abs(enemy.pose.z - start.z) < EPS:
            near.append((far, name, enemy, (start.x + bx - ax, start.y + by - ay)))
    near.sort(key=lambda row: (row[0], row[1]))
    for _, name, _, spot in near:
        if attempt.could_do(*spot) and attempt.may_end(*spot):
            return Touch(name, spot)
    asked = list(_alone(attempt))
    for far, name, enemy, _ in near:
        if far > attempt.aside + EPS:
            break
        for x, y in _in_touch(attempt, enemy, asked).tolist():
            if attempt.may_end(x, y):
                return Touch(name, (x, y))
    return None


def _alone(attempt: Attempt) -> list[KeepClear | StayInside]:
    """What is asked of the model where it ends, one base at a time; its comrades are kept clear of too."""
    asked = asked_of_one(attempt.standing, attempt.start.z, attempt.number)
    found = [c for c in asked if isinstance(c, (KeepClear, StayInside))]
    for constraint in attempt.standing:
        if isinstance(constraint, KeepApart):
            mates = [k for k in range(len(attempt.ends)) if k != attempt.number]
            bases = PlacedSet.of(Placed(attempt.unit.models[k].base, attempt.ends[k]) for k in mates)
            others = Obstacles(bases, tuple(attempt.unit.models[k].id for k in mates))
            clear = KeepClear(constraint.code, constraint.rule, others, 0.0, strict=False, vertical=0.0)
            found += [c for c in (clear.for_one(attempt.start.z),) if c is not None]
    return found


def _in_touch(attempt: Attempt, enemy: Placed, asked: Sequence[KeepClear | StayInside]) -> Floats:
    """The spots in touch with an enemy base in reach where the base alone may end and to which it may go, (n, 2)."""
    model, start = attempt.model, attempt.start
    both_round = isinstance(model.base, Round) and isinstance(enemy.base, Round)
    heading = math.atan2(start.y - enemy.pose.y, start.x - enemy.pose.x)
    count = TURNS_ROUND if both_round else TURNS
    angles = heading + np.linspace(0.0, 2 * math.pi, count, endpoint=False)
    angles = np.concatenate([angles[k::ORDER] for k in range(ORDER)])
    if both_round:
        angles = np.concatenate((_corners(attempt, enemy, asked), angles))
    far = np.array(reaching.centre_distances(model, enemy, angles.tolist(), 0.0))
    spots = np.column_stack((enemy.pose.x + far * np.cos(angles), enemy.pose.y + far * np.sin(angles)))
    spots = spots[np.hypot(spots[:, 0] - start.x, spots[:, 1] - start.y) <= attempt.aside + EPS]
    for bases, most in attempt.near:
        spots = spots[within(separations(_placed(attempt, spots), bases).min(axis=1), most)] if len(spots) else spots
    for constraint in asked:
        if not len(spots):
            break
        bad = [breach.member for breach in constraint.judge(_placed(attempt, spots))]
        spots = np.delete(spots, bad, axis=0)
    if isinstance(model.base, Round) and len(spots):
        spots = spots[_ways_clear(attempt, model.base.d / 2, spots)]
    return spots


def _placed(attempt: Attempt, spots: Floats) -> PlacedSet:
    start = attempt.start
    return PlacedSet.of(Placed(attempt.model.base, Pose(x, y, start.facing, start.z)) for x, y in spots.tolist())


def _corners(attempt: Attempt, enemy: Placed, asked: Sequence[KeepClear | StayInside]) -> Floats:
    """The headings about a round enemy base at which a round base in touch with it comes up against something else."""
    own, (x, y) = attempt.model.placed.radius, enemy.pose.at
    r = own + enemy.radius
    circles = [np.array([[*attempt.start.at, attempt.aside]])]
    for constraint in asked:
        if isinstance(constraint, KeepClear):
            others = constraint.obstacles.bases
            rows = np.column_stack((others.x, others.y, others.a + own + constraint.distance))
            circles.append(rows[others.is_round])
    cx, cy, s = np.vstack(circles).T
    d = np.hypot(cx - x, cy - y)
    crossing = (d > np.abs(r - s)) & (d < r + s) & (d > 0)
    cx, cy, s, d = cx[crossing], cy[crossing], s[crossing], d[crossing]
    turn = np.arccos(np.clip((d * d + r * r - s * s) / (2 * d * r), -1, 1))
    towards = np.arctan2(cy - y, cx - x)
    return np.concatenate([towards + sign * (turn + nudge) for sign in (1, -1) for nudge in (0.0, NUDGE, -NUDGE)])


def _ways_clear(attempt: Attempt, radius: float, spots: Floats) -> Bools:
    """To which spots a round base can go straight, so far as single obstacles can tell it."""
    start = attempt.start
    lines = shapely.linestrings([[start.at, (x, y)] for x, y in spots.tolist()])
    good = np.ones(len(spots), dtype=np.bool_)
    for constraint in asked_of_one(attempt.moving, start.z, attempt.number):
        if not isinstance(constraint, KeepClear):
            continue
        others = constraint.obstacles.bases
        least = radius + constraint.distance - 2 * EPS
        rounds = others.take(others.is_round)
        if len(rounds):
            centres = shapely.points(np.column_stack((rounds.x, rounds.y)))
            apart = shapely.distance(lines[:, None], centres[None, :]) - rounds.a[None, :]
            good &= np.all(apart >= least, axis=1)
        walls = others.take(others.is_polygon)
        if len(walls):
            good &= np.all(shapely.distance(lines[:, None], walls.polygons[None, :]) >= least, axis=1)
    return good
