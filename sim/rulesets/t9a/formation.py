"""A unit as a block: its boundary, its ranks, and who belongs to it.

The boundary is the rectangle around the outer edges of all models in the unit's facing, so that an incomplete rear
rank does not cut it. The boundary of a single model is its base.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Model, Ranked, Unit
from sim.geometry import (
    EPS,
    MM_PER_INCH,
    Base,
    Breach,
    Constraint,
    Ground,
    Limit,
    Placed,
    PlacedSet,
    Point,
    Pose,
    Witness,
)
from sim.geometry.blocks import boundary as boundary
from sim.geometry.corners import boundary_corners

RULE = "Unit Boundary"
SKIRMISH_GAP = 12.5 / MM_PER_INCH  # inches between models; Skirmishers
DEFAULT_FILES = 5  # files of a unit that names none
NOBODY = -1  # the member of a breach that is the boundary's and no single model's
JOINED = "joined"  # the marker of a model that stands in another unit's ranks


def gap_between_models(unit: Unit) -> float:
    """Inches between the models of a unit: a skirmishing unit stands loosely, every other base to base."""
    loose = unit.has("SKIRMISHERS", "SKIRMISHER") or unit.ability("skirmishers") is not None
    return SKIRMISH_GAP if loose else 0.0


def files_of(unit: Unit, models: int) -> int:
    """How many models stand in the unit's front rank."""
    files = unit.formation.files if isinstance(unit.formation, Ranked) else DEFAULT_FILES
    return max(1, min(files, models))


def ranks(bases: Sequence[Base], files: int, gap: float, at: Point, facing: float) -> tuple[Pose, ...]:
    """Poses in ranks whose boundary has its centre at a point: the front rank first, each from the left."""
    if len(bases) == 1:
        return (Pose(*at, facing),)
    depth, width = (max(sizes) + gap for sizes in zip(*map(_size, set(bases)), strict=True))
    deep = math.ceil(len(bases) / files)
    angle = math.radians(facing)
    c, s = math.cos(angle), math.sin(angle)
    poses = []
    for k in range(len(bases)):
        rank, file = divmod(k, files)
        u, v = ((deep - 1) / 2 - rank) * depth, ((files - 1) / 2 - file) * width
        poses.append(Pose(at[0] + c * u - s * v, at[1] + s * u + c * v, facing))
    return tuple(poses)


def block(battle: Battle, unit: Unit, at: Point, facing: float) -> tuple[Placed, ...]:
    """Every model of a unit, and of those that join it, in its ranks about a centre; who joins stands in front."""
    models = crew(battle, unit)
    bases = [model.base for model in models]
    poses = ranks(bases, files_of(unit, len(bases)), gap_between_models(unit), at, facing)
    return tuple(Placed(base, pose) for base, pose in zip(bases, poses, strict=True))


def crew(battle: Battle, unit: Unit) -> tuple[Model, ...]:
    """The models of a unit with those that join it before them."""
    joining = [model for other in battle.units if host_of(other) == unit.id for model in other.models]
    return (*joining, *unit.models)


def host_of(unit: Unit) -> str:
    """The unit that a model has joined, or has declared that it joins; empty when it is on its own."""
    return next((m.subject for m in unit.markers if m.kind == JOINED), "")


def standing(battle: Battle, unit: Unit) -> tuple[Placed, ...]:
    """The bases of a unit, and of those that joined it, as they stand on the table."""
    return tuple(model.placed for model in crew(battle, unit) if model.pose is not None)


def _size(base: Base) -> Point:
    """How deep and how wide a base is."""
    corners = boundary_corners(Placed(base, Pose(0.0, 0.0)))
    (front, left), _, (rear, right), _ = corners
    return front - rear, left - right


# --- constraints on a whole block


@dataclass(frozen=True)
class AsOne:
    """The boundary of all members together, and of companions that keep their places among them, obeys a constraint.

    A breach is told of the first member; or, ``member_by_member``, of each that breaks it by itself, and of nobody
    (``NOBODY``) where the boundary alone does, at the corner that an incomplete rear rank leaves empty.
    """

    inner: Constraint
    start: Pose | None = None  # where the first member stood when the companions stood where they are given
    companions: tuple[Placed, ...] = ()
    member_by_member: bool = False

    @property
    def code(self) -> str:
        """The fault of the inner constraint."""
        return self.inner.code

    @property
    def rule(self) -> str:
        """The rule of the inner constraint."""
        return self.inner.rule

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """The breaches of the boundary, or of the members by themselves."""
        if not len(members):
            return
        alone = tuple(self.inner.judge(members)) if self.member_by_member else ()
        yield from alone
        if alone:
            return
        whole = members.members
        if self.start is not None:
            places = moved((self.start, *(c.pose for c in self.companions)), members[0].pose)[1:]
            whole += tuple(Placed(c.base, place) for c, place in zip(self.companions, places, strict=True))
        for breach in self.inner.judge(PlacedSet((boundary(whole),))):
            yield replace(breach, member=NOBODY) if self.member_by_member else breach

    def bare(self) -> Constraint:
        """The inner constraint, of the boundary."""
        return self.inner

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """What the inner constraint leaves for the boundary."""
        return self.inner.carve(region, base, facing)

    def ground(self) -> Iterator[Ground]:
        """What the inner constraint speaks of."""
        yield from self.inner.ground()


@dataclass(frozen=True)
class KeepRanks:
    """Every member stands where it belongs, seen from the first: as in a pattern of poses, turned and moved as one."""

    code: str
    rule: str
    pattern: tuple[Pose, ...]

    @property
    def required(self) -> Limit:
        """How far a model may stand from its place."""
        return Limit("at_most", 0.0)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member that is not in its place, or does not face as the first does."""
        places = moved(self.pattern, members[0].pose) if len(members) else ()
        for i, (member, place) in enumerate(zip(members, places, strict=False)):
            off = math.dist(member.pose.at, place.at)
            turned = abs((member.pose.facing - place.facing + 180.0) % 360.0 - 180.0)
            if off > EPS or turned > EPS:
                shown = Witness(line=(place.at, member.pose.at))
                yield Breach(self.code, self.rule, i, None, max(off, EPS * 2), self.required, shown)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region as it is: the group is concerned, no single base."""
        return region

    def ground(self) -> Iterator[Ground]:
        """Nothing to draw."""
        yield from ()


def moved(pattern: Sequence[Pose], first: Pose) -> tuple[Pose, ...]:
    """A pattern turned and moved so that its first pose comes to lie on another."""
    start = pattern[0]
    turn = first.facing - start.facing
    angle = math.radians(turn)
    c, s = math.cos(angle), math.sin(angle)
    poses = []
    for pose in pattern:
        dx, dy = pose.x - start.x, pose.y - start.y
        poses.append(Pose(first.x + c * dx - s * dy, first.y + s * dx + c * dy, pose.facing + turn))
    return tuple(poses)
