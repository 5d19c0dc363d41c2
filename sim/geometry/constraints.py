"""What a base or a unit must obey, as values: judged exactly pose by pose, or grown into the region of all legal poses.

A constraint is the one source of verdict, region, overlay and ruler. It names its fault (``code``) and its source
(``rule``) but knows no game. Judging yields a ``Breach`` for every member at fault, with what was measured, what was
required and a line to draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from sim.geometry.distance import (
    Segment,
    all_farthest,
    all_overhang,
    overhang,
    separation,
    separations,
    witness,
)
from sim.geometry.growing import convex_parts, convex_pieces, grown, grown_pieces, rims, ring_of
from sim.geometry.lengths import plain
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Hull, Placed, Point, Pose, Round
from sim.geometry.sweep import Sweep, _pivot_least
from sim.geometry.tolerance import EPS, Floats, beyond, within

LimitKind = Literal["more_than", "at_least", "at_most"]
DRAWN = 1e-3  # inches that a drawn border of very many corners may differ from the true one
MANY = 400  # members from which on each obstacle is measured against those near it only
MOST_LINES = 200  # breaches of one constraint that get a line to draw; the others are told without


@dataclass(frozen=True, slots=True)
class Limit:
    """What a measured number must be: more than, at least or at most a value in inches."""

    kind: LimitKind
    value: float

    def __str__(self) -> str:
        return f'{self.kind.replace("_", " ")} {plain(self.value)}"'

    @property
    def shortfall(self) -> Callable[[float], float]:
        """How far a measured value misses the limit, in inches (0 when it sits exactly on a strict limit)."""
        if self.kind == "at_most":
            return lambda measured: measured - self.value
        return lambda measured: self.value - measured


@dataclass(frozen=True, slots=True)
class Witness:
    """Geometry to draw for a breach: a line from edge to edge, outlines, or a point."""

    line: Segment | None = None
    outlines: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Breach:
    """One member that breaks one constraint: positions in the judged set and among the obstacles, and the numbers."""

    code: str
    rule: str
    member: int
    other: str | None
    measured: float
    required: Limit
    witness: Witness


@dataclass(frozen=True, slots=True)
class Ground:
    """An area that a constraint speaks of, for drawing: to be kept out of, to be stayed in, or to be left empty."""

    kind: Literal["exclusion", "reach", "corridor"]
    area: BaseGeometry
    label: str = ""
    rulers: tuple[tuple[Segment, str], ...] = ()  # measured lines that explain the area, each with its words


@runtime_checkable
class Wrapping(Protocol):
    """A constraint that, asked for a region, amounts to another one."""

    def bare(self) -> Constraint:
        """That other one."""
        ...


@runtime_checkable
class Personal(Protocol):
    """A constraint that asks different things of different members, or at different heights."""

    def for_one(self, z: float, member: int | None = None) -> Constraint | None:
        """What it asks of one member at a height; None for nothing."""
        ...


class Constraint(Protocol):
    """Something that placed bases obey: judged exactly pose by pose, carved out of a region, or drawn."""

    @property
    def code(self) -> str:
        """The kebab-case name of the fault."""
        ...

    @property
    def rule(self) -> str:
        """The name of the rule."""
        ...

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member at fault."""
        ...

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """What is left of a region of centres of one base at a facing; untouched where the group is concerned."""
        ...

    def ground(self) -> Iterator[Ground]:
        """The areas to draw."""
        ...


@dataclass(frozen=True)
class Obstacles:
    """What must be kept clear of: bases (terrain is a hull about the origin), their names, and how high they reach."""

    bases: PlacedSet
    names: tuple[str, ...]
    tops: tuple[float, ...] | None = None  # inches; a member standing at or above the top is not in the way

    @classmethod
    def of_outlines(cls, outlines: Sequence[tuple[str, tuple[Point, ...], float]]) -> Obstacles:
        """Obstacles from (name, outline, height) on the table."""
        return cls(
            PlacedSet.of(Placed(Hull(outline), Pose(0.0, 0.0)) for _, outline, _ in outlines),
            tuple(name for name, _, _ in outlines),
            tuple(top for _, _, top in outlines),
        )

    def __len__(self) -> int:
        return len(self.names)

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Obstacles:
        """Some of them, by a mask or by their numbers."""
        rows = np.arange(len(self))[which].tolist()
        tops = None if self.tops is None else tuple(self.tops[k] for k in rows)
        return Obstacles(self.bases.take(which), tuple(self.names[k] for k in rows), tops)


@dataclass(frozen=True)
class KeepClear:
    """Every member stays more than (or at least) a distance from every obstacle on the plan.

    ``strict`` asks for more than ``distance``, otherwise at least; a distance of 0 that is not strict forbids overlaps
    and allows a touch. With ``vertical`` an obstacle counts only while it is within that height of the member.
    """

    code: str
    rule: str
    obstacles: Obstacles
    distance: float
    strict: bool = True
    vertical: float | None = None
    only: frozenset[int] | None = None

    @property
    def required(self) -> Limit:
        """The limit that every gap must keep."""
        return Limit("more_than" if self.strict else "at_least", self.distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that stands too close to something, naming the nearest such obstacle."""
        if not len(self.obstacles) or not len(members):
            return
        found = self._separations(members)
        heights = np.column_stack((members.z, members.z))
        yield from self._breaches(found, heights, lambda i, j: witness(members[i], self.obstacles.bases[j]))

    def judge_paths(self, sweeps: Sequence[Sweep]) -> Iterator[Breach]:
        """A breach for each path that comes too close to something at any instant."""
        if not len(self.obstacles) or not sweeps:
            return
        told: set[int] = set()
        rows = [(i, *storey) for i, sweep in enumerate(sweeps) for storey in sweep.storeys]
        found = np.array([self.along(part) for _, part, _, _ in rows])
        heights = np.array([(low, high) for _, _, low, high in rows])
        whose = [i for i, _, _, _ in rows]
        for breach in self._breaches(found, heights, lambda k, j: self._nearest_on_path(rows[k][1], j), whose):
            if breach.member not in told:
                told.add(breach.member)
                yield breach

    def _separations(self, members: PlacedSet) -> Floats:
        """Separations from what is near enough to matter; the rest keep a safe bound, more than ``distance``."""
        others = self.obstacles.bases
        if members.is_round.all() and others.is_round.all():
            return separations(members, others)
        found = _boxes_apart(members.bounds, others.bounds)
        near = np.asarray(found <= self.distance + 1e-3)
        columns = np.asarray(near.any(axis=0))
        if len(members) <= MANY:
            if columns.any():
                found[:, columns] = separations(members, others.take(columns))
            return found
        for j in np.flatnonzero(columns):
            rows = np.flatnonzero(near[:, j])
            found[rows, j] = separations(members.take(rows), others.take(np.array([j])))[:, 0]
        return found

    def alone(self, k: int) -> KeepClear:
        """The same about one of the obstacles alone."""
        return replace(self, obstacles=self.obstacles.take(np.array([k])))

    def along(self, sweep: Sweep) -> Floats:
        """The least separations along a path; obstacles that cannot come into question keep a safe bound."""
        apart = _boxes_apart(np.array([sweep.bounds]), self.obstacles.bases.bounds)[0]
        near = apart <= self.distance + 1e-3
        out = apart.copy()
        if near.any():
            out[near] = sweep.separations(self.obstacles.bases.take(near), self.distance + 1e-3)
        return np.asarray(out)

    def blocks(self, sweep: Sweep) -> bool:
        """Whether a path comes too close to something at any instant."""
        if not len(self.obstacles):
            return False
        return any(
            bool(self._bad(self.along(part)[None, :], np.array([(low, high)])).any())
            for part, low, high in sweep.storeys
        )

    def _bad(self, found: Floats, heights: Floats) -> NDArray[np.bool_]:
        """Which separations are too small, the least and greatest heights (n, 2) considered: an array (n, m)."""
        bad = self._too_close(found)
        low, high = heights[:, 0:1], heights[:, 1:2]
        if self.vertical is not None:
            z = self.obstacles.bases.z[None, :]
            bad &= within(np.maximum(np.maximum(low - z, z - high), 0.0), self.vertical)
        if self.obstacles.tops is not None:
            bad &= high < np.array(self.obstacles.tops)[None, :] - EPS
        return bad

    def _breaches(
        self,
        found: Floats,
        heights: Floats,
        line: Callable[[int, int], Segment],
        whose: Sequence[int] | None = None,
    ) -> Iterator[Breach]:
        """A breach for each row at fault; ``whose`` says to which member a row belongs."""
        bad = self._bad(found, heights)
        if not bad.any():
            return
        for told, i in enumerate(np.flatnonzero(bad.any(axis=1))):
            member = int(i) if whose is None else whose[int(i)]
            if self.only is not None and member not in self.only:
                continue
            j = int(np.argmin(np.where(bad[i], found[i], np.inf)))
            measured = float(found[i, j])
            if self.distance > 0:
                measured = max(0.0, measured)
            name = self.obstacles.names[j]
            shown = Witness(line=line(int(i), j)) if told < MOST_LINES else Witness()
            yield Breach(self.code, self.rule, member, name, measured, self.required, shown)

    def _too_close(self, found: Floats) -> NDArray[np.bool_]:
        if self.strict:
            return ~beyond(found, self.distance)
        return np.asarray(found < self.distance - EPS)

    def _nearest_on_path(self, sweep: Sweep, j: int) -> Segment:
        other = self.obstacles.bases[j]
        shares = np.linspace(0.0, 1.0, 33)
        placed = [Placed(sweep.base, sweep.path.at(float(s))) for s in shares]
        best = int(np.argmin(separations(PlacedSet.of(placed), PlacedSet((other,)))[:, 0]))
        return witness(placed[best], other)

    def ground(self) -> Iterator[Ground]:
        """The ground within ``distance`` of any obstacle as one shape; nothing where only overlaps are forbidden."""
        if self.distance > 0 and len(self.obstacles):
            area = shapely.union_all([grown(p, None, self.distance) for p in self.obstacles.bases])
            yield Ground("exclusion", area, self.rule)

    def for_one(self, z: float, member: int | None = None) -> KeepClear | None:
        """What is asked of one member at a height, as a constraint on the plan; None where nothing is asked of it.

        Without a member it is asked of anybody, so that what holds for some members only is left out.
        """
        if self.only is not None and member not in self.only:
            return None
        counts = np.ones(len(self.obstacles), dtype=np.bool_)
        if self.vertical is not None:
            counts &= within(np.abs(self.obstacles.bases.z - z), self.vertical)
        if self.obstacles.tops is not None:
            counts &= z < np.array(self.obstacles.tops) - EPS
        if not counts.any():
            return None
        left = self.obstacles if counts.all() else self.obstacles.take(counts)
        return replace(self, obstacles=replace(left, tops=None), vertical=None, only=None)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region less the ground where the base would come too close on the plan."""
        if self.only is not None or not len(self.obstacles) or region.is_empty:
            return region
        others = self.obstacles.bases
        low, high = others.bounds[:, :2], others.bounds[:, 2:]
        reach = np.hypot(*(high - low).T) / 2 + self.distance + Placed(base, Pose(0.0, 0.0)).radius
        shapely.prepare(region)
        near = shapely.dwithin(region, shapely.points((low + high) / 2), reach)
        return region.difference(self._forbidden(others.take(near), base, facing)) if near.any() else region

    def forbidden(self, base: Base, facing: float) -> BaseGeometry:
        """Where the centre of a base at a facing may not be, as one shape.

        Corners lie on the true border, so that between them the shape is short by at most R (1 - cos(pi / 180)).
        """
        return self._forbidden(self.obstacles.bases, base, facing)

    def _forbidden(self, others: PlacedSet, base: Base, facing: float) -> BaseGeometry:
        curved = others.take(~others.is_polygon)
        pieces = [piece for p in others if p.kind == "polygon" for piece in convex_pieces(p)]
        areas: list[BaseGeometry] = []
        for part in convex_parts(base):
            areas.extend(shapely.polygons(rims(curved, part, facing, self.distance)))
            areas.extend(grown_pieces(pieces, (part, facing), self.distance))
        return shapely.union_all(areas)


@dataclass(frozen=True)
class StayInside:
    """Every member stands wholly inside a region, less some discs.

    ``rounds`` are discs whose borders the region follows with very many corners.
    """

    code: str
    rule: str
    name: str
    region: BaseGeometry
    discs: tuple[tuple[Point, float], ...] = ()
    only: frozenset[int] | None = None
    rounds: tuple[tuple[Point, float], ...] = ()

    @property
    def required(self) -> Limit:
        """How far a base may stick out: not at all."""
        return Limit("at_most", 0.0)

    @cached_property
    def _straight_box(self) -> tuple[float, float, float, float] | None:
        box: tuple[float, float, float, float] = self.region.bounds
        return box if self.region.equals(shapely.box(*box)) else None

    def overhang(self, base: Placed) -> float:
        """How far a base sticks out of the region, in inches; 0 or less when it is wholly inside."""
        box = self._straight_box
        if box is not None:
            x0, y0, x1, y1 = base.bounds
            out = max(box[0] - x0, box[1] - y0, x1 - box[2], y1 - box[3])
        else:
            out = overhang(base, self.region)
        for disc in self._discs:
            out = max(out, -separation(base, disc))
        return out

    def _overhangs(self, members: PlacedSet) -> Floats:
        """How far each of many bases sticks out of the region; see ``overhang``."""
        box = self._straight_box
        if box is not None:
            x0, y0, x1, y1 = members.bounds.T
            out = np.max((box[0] - x0, box[1] - y0, x1 - box[2], y1 - box[3]), axis=0)
        else:
            out = all_overhang(members, self.region)
        if self._discs:
            out = np.maximum(out, np.max(-separations(members, PlacedSet(self._discs)), axis=1))
        return np.asarray(out)

    @cached_property
    def _discs(self) -> tuple[Placed, ...]:
        return tuple(Placed(Round(2 * radius), Pose(*centre)) for centre, radius in self.discs)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that sticks out, with how far."""
        told = 0
        asked = np.array([self.only is None or i in self.only for i in range(len(members))], dtype=np.bool_)
        who = np.flatnonzero(asked).tolist()
        for i, out in zip(who, self._overhangs(members.take(asked)).tolist(), strict=True):
            for breach in self._breach(i, members[i], out, told < MOST_LINES):
                told += 1
                yield breach

    def blocks(self, sweep: Sweep) -> bool:
        """Whether the base sticks out at some instant of a path."""
        return any(True for _ in self.judge_paths([sweep]))

    def judge_paths(self, sweeps: Sequence[Sweep]) -> Iterator[Breach]:
        """A breach for each path on which the base sticks out at some instant (the region must be convex)."""
        for i, sweep in enumerate(sweeps):
            if (self.only is not None and i not in self.only) or self._boxed(sweep):
                continue
            poses = (sweep.path.start, *sweep.path.stops)
            worst = max((Placed(sweep.base, pose) for pose in poses), key=self.overhang)
            out = self.overhang(worst)
            for leg in sweep.path.legs:
                if leg.turn and not isinstance(sweep.base, Round):
                    turning = -_pivot_least(sweep.base, leg, lambda placed: -self.overhang(placed))
                    if turning > out:
                        out, worst = turning, Placed(sweep.base, leg.end)
            for disc in self._discs:
                into = -float(sweep.separations(PlacedSet((disc,)))[0])
                if into > out:
                    out, worst = into, Placed(sweep.base, sweep.path.end)
            yield from self._breach(i, worst, out)

    def _boxed(self, sweep: Sweep) -> bool:
        """Whether the box about a path alone shows that it stays inside."""
        if self._straight_box is None or self.discs:
            return False
        (x0, y0, x1, y1), (left, low, right, high) = self._straight_box, sweep.bounds
        return bool(left >= x0 and low >= y0 and right <= x1 and high <= y1)

    def _breach(self, i: int, member: Placed, out: float, shown: bool = True) -> Iterator[Breach]:
        if within(out, 0.0):
            return
        line = self._line(member) if shown else None
        yield Breach(self.code, self.rule, i, self.name, out, self.required, Witness(line=line))

    def _line(self, member: Placed) -> Segment | None:
        """From the border to the point of the base that sticks out farthest."""
        rim = np.array(member.corners) if member.kind == "polygon" else shapely.get_coordinates(member.polygon)
        allowed = self.allowed_ground()
        distance = shapely.distance(shapely.points(rim), allowed)
        tip = rim[int(np.argmax(distance))]
        near = shapely.get_coordinates(shapely.shortest_line(allowed, shapely.Point(tip)))
        if len(near) < 2:
            return None
        return (float(near[0][0]), float(near[0][1])), (float(tip[0]), float(tip[1]))

    def for_one(self, z: float, member: int | None = None) -> StayInside | None:
        """What is asked of one member, whatever its height; None where nothing is asked of it."""
        if self.only is None:
            return self
        return replace(self, only=None) if member in self.only else None

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where the base stands wholly inside."""
        return region if self.only is not None else region.intersection(self.allowed(base, facing))

    def ground(self) -> Iterator[Ground]:
        """The ground to stay in, unless it is a plain box such as the table."""
        if self.only is None and (self._straight_box is None or self.code != "off-table"):
            yield Ground("reach", self.allowed_ground(), self.rule)

    def allowed_ground(self) -> BaseGeometry:
        """The region less its discs, for drawing."""
        ground = shapely.simplify(self.region, DRAWN) if self.rounds else self.region
        for centre, radius in self.discs:
            ground = ground.difference(shapely.Point(centre).buffer(radius, quad_segs=64))
        return ground

    def allowed(self, base: Base, facing: float) -> BaseGeometry:
        """Where the centre of a base at a facing may be: the region shrunk by the base."""
        if self.region.is_empty:
            return self.region
        if isinstance(base, Round):
            return self.allowed_ground().buffer(-base.d / 2, quad_segs=90)
        x0, y0, x1, y1 = self.region.bounds
        frame = shapely.box(x0 - 20, y0 - 20, x1 + 20, y1 + 20).difference(self.allowed_ground())
        triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(frame))
        outside = [Placed(Hull(ring_of(triangle)), Pose(0, 0)) for triangle in triangles]
        pieces = [area for part in convex_parts(base) for area in grown_pieces(outside, (part, facing), 0.0)]
        return self.region.difference(shapely.union_all(pieces))


@dataclass(frozen=True)
class StayNear:
    """Every member stands wholly within a distance of one target out of several, the same target for all."""

    code: str
    rule: str
    targets: tuple[tuple[str, BaseGeometry], ...]
    distance: float

    @property
    def required(self) -> Limit:
        """The greatest distance of a farthest point."""
        return Limit("at_most", self.distance)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """The breaches against the target that suits the members best; none when one target suits them all."""
        best: tuple[tuple[int, float], str, BaseGeometry, list[tuple[int, float]]] | None = None
        for name, target in self.targets:
            reaches = all_farthest(members, target).tolist()
            found = [(i, reach) for i, reach in enumerate(reaches) if beyond(reach, self.distance)]
            misses = len(found), math.fsum(reach for _, reach in found)
            if best is None or misses < best[0]:
                best = misses, name, target, found
        if best is None:
            return
        _, name, target, found = best
        for told, (i, reach) in enumerate(found):
            shown = Witness(line=_far_line(members[i], target)) if told < MOST_LINES else Witness()
            yield Breach(self.code, self.rule, i, name, reach, self.required, shown)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region that is near enough to any one of the targets."""
        return region.intersection(self.allowed(base, facing))

    def ground(self) -> Iterator[Ground]:
        """The ground near the targets."""
        strips = [shapely.buffer(target, self.distance, quad_segs=90) for _, target in self.targets]
        yield Ground("reach", shapely.union_all(strips), self.rule)

    def allowed(self, base: Base, facing: float) -> BaseGeometry:
        """Where the centre of a base at a facing may be, for any one of the targets (which are convex)."""
        if isinstance(base, Round):
            return shapely.union_all(
                [shapely.buffer(t, self.distance - base.d / 2, quad_segs=90) for _, t in self.targets]
            )
        strips = [shapely.buffer(target, self.distance, quad_segs=90) for _, target in self.targets]
        return shapely.union_all(
            [StayInside(self.code, self.rule, self.rule, strip).allowed(base, facing) for strip in strips]
        )


def judge(constraints: Sequence[Constraint], members: PlacedSet) -> Iterator[Breach]:
    """All breaches of all constraints by a set of placed bases, in the order of the constraints."""
    for constraint in constraints:
        yield from constraint.judge(members)


def asked_of_one(constraints: Sequence[Constraint], z: float, member: int | None = None) -> Iterator[Constraint]:
    """What constraints ask of one member of a group at a height, on the plan.

    Without a member it is asked of anybody: what holds for some members only is left out.
    """
    for constraint in constraints:
        bare = constraint.bare() if isinstance(constraint, Wrapping) else constraint
        asked = bare.for_one(z, member) if isinstance(bare, Personal) else bare
        if asked is not None:
            yield asked


def legal_region(
    constraints: Sequence[Constraint],
    base: Base,
    facing: float,
    table: BaseGeometry,
    z: float = 0.0,
    member: int | None = None,
) -> BaseGeometry:
    """Where the centre of one base at a facing and a height may be so that no constraint on a single base is broken.

    Constraints on the group are left out, and without a member those that hold for some members only.
    """
    region = table
    for constraint in asked_of_one(constraints, z, member):
        region = constraint.carve(region, base, facing)
    return region


def _boxes_apart(a: Floats, b: Floats) -> Floats:
    """How far boxes (n, 4) and (m, 4) lie apart at least: an array (n, m), 0 where they meet."""
    dx = np.maximum(np.maximum(b[None, :, 0] - a[:, None, 2], a[:, None, 0] - b[None, :, 2]), 0.0)
    dy = np.maximum(np.maximum(b[None, :, 1] - a[:, None, 3], a[:, None, 1] - b[None, :, 3]), 0.0)
    return np.asarray(np.hypot(dx, dy))


def _far_line(member: Placed, target: BaseGeometry) -> Segment:
    rim = np.array(member.corners) if member.kind == "polygon" else shapely.get_coordinates(member.polygon)
    tip = rim[int(np.argmax(shapely.distance(shapely.points(rim), target)))]
    near = shapely.get_coordinates(shapely.shortest_line(target, shapely.Point(tip)))[0]
    return (float(near[0]), float(near[1])), (float(tip[0]), float(tip[1]))


@dataclass(frozen=True)
class Rules:
    """Constraints on where members stand, and those that hold along their whole paths."""

    standing: tuple[Constraint, ...] = ()
    moving: tuple[KeepClear | StayInside, ...] = field(default=())

    def breaches(self, members: PlacedSet, sweeps: Sequence[Sweep] = ()) -> Iterator[Breach]:
        """All breaches, of the paths first."""
        for constraint in self.moving:
            yield from constraint.judge_paths(sweeps)
        yield from judge(self.standing, members)
