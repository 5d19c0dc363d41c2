"""A unit that is held over the table, model by model: the command that setting it down here would be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from msgspec import structs

from sim.battle import Battle, Unit
from sim.geometry import EPS, Placed, Point, Pose
from sim.geometry import Path as Way
from sim.geometry.snapping import contact_near
from sim.rules import Command, Play
from sim.view import Item, compose

SNAP = 0.4  # inches from contact at which a base snaps into it
HOME = 0.1  # inches from where it stood at which a unit that moves stands there again


@dataclass(frozen=True)
class Held:
    """A unit that is held over the table: by which command, and where each model would stand."""

    play: Play
    unit: Unit
    battle: Battle
    poses: tuple[Pose, ...]
    grip: Point  # the point of the table that is under the cursor
    pinned: bool = False  # laid down to be put right, model by model
    model: int | None = None  # the one model that is being moved while pinned
    template: Command | None = None  # what else the command says, such as the targets of a charge
    loose: tuple[Pose, ...] | None = None  # where the cursor holds the models that have snapped into contact
    zones: compose.Overlay = field(default_factory=compose.Overlay)

    @property
    def moves(self) -> bool:
        """Whether the models walk there, rather than being set up."""
        return "paths" in self.play.command.__struct_fields__

    @property
    def marks(self) -> tuple[Item, ...]:
        """What else is shown while it is held."""
        return ()

    @property
    def shows_ground(self) -> bool:
        """Whether the ground is shown on which it may be set down."""
        return True

    @cached_property
    def command(self) -> Command:
        """The command that setting the unit down here would be."""
        if self.moves:
            paths = []
            for model, pose in zip(self.unit.models, self.poses, strict=True):
                assert model.pose is not None
                turn = [] if pose.facing == model.pose.facing else [[*model.pose.at, pose.facing]]
                stays = pose.at == model.pose.at and pose.z == model.pose.z
                stops = [] if stays else [[*pose.at, pose.facing, pose.z]]
                paths.append(Way.through(model.pose, [*turn, *stops]))
            if self.template is not None:
                told: Command = structs.replace(self.template, paths=tuple(paths))
                return told
            return self.play.command(unit=self.unit.id, paths=tuple(paths))
        fields = self.play.command.__struct_fields__
        count = len(self.poses)
        middle = (sum(p.x for p in self.poses) / count, sum(p.y for p in self.poses) / count)
        known = {"unit": self.unit.id, "models": self.poses, "facing": self.poses[0].facing, "at": middle}
        return self.play.command(**{name: value for name, value in known.items() if name in fields})

    def shifted(self, to: Point) -> Held:
        """Everything, or the one model, moved with the cursor."""
        dx, dy = to[0] - self.grip[0], to[1] - self.grip[1]
        free = self.poses if self.loose is None else self.loose
        return replace(self.by(dx, dy, free), grip=to, loose=None)

    def by(self, dx: float, dy: float, poses: tuple[Pose, ...]) -> Held:
        """Everything, or the one model, so many inches from some poses."""
        moved = tuple(
            Pose(p.x + dx, p.y + dy, p.facing, p.z) if self.model in (None, k) else p for k, p in enumerate(poses)
        )
        return replace(self, poses=moved)

    def snapped(self) -> Held:
        """Standing again where it stood, if it is as good as there, or else in contact with what it should touch."""
        home = tuple(model.pose for model in self.unit.models if model.pose is not None)
        if self.moves and len(home) == len(self.poses):
            pairs = zip(home, self.poses, strict=True)
            if all(math.dist(a.at, b.at) < HOME and (a.facing, a.z) == (b.facing, b.z) for a, b in pairs):
                return replace(self, poses=home, loose=self.poses)
        return self.in_contact()

    def in_contact(self) -> Held:
        """Snapped into contact with the nearest of what it should touch, where some model is as good as there."""
        if self.play.touches is None:
            return self
        others = self.play.touches(self.battle, self.command)
        shifts = [
            shift
            for k, (model, pose) in enumerate(zip(self.unit.models, self.poses, strict=True))
            if self.model in (None, k) and (shift := contact_near(Placed(model.base, pose), others, SNAP)) is not None
        ]
        if not shifts:
            return self
        nearest = min(shifts, key=lambda shift: math.hypot(*shift))
        return replace(self.by(*nearest, self.poses), loose=self.poses)

    def turned(self, degrees: float) -> Held:
        """Every model turned on its spot, or a unit that is being set up turned about the cursor as one."""
        if self.moves or self.model is not None:
            poses = tuple(
                Pose(p.x, p.y, p.facing + degrees, p.z) if self.model in (None, k) else p
                for k, p in enumerate(self.poses)
            )
            return replace(self, poses=poses, loose=None)
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        gx, gy = self.grip
        return replace(
            self,
            loose=None,
            poses=tuple(
                Pose(
                    gx + cos * (p.x - gx) - sin * (p.y - gy),
                    gy + sin * (p.x - gx) + cos * (p.y - gy),
                    p.facing + degrees,
                    p.z,
                )
                for p in self.poses
            ),
        )

    def raised(self, heights: Sequence[float], up: bool) -> Held:
        """Every model, or the one, on the next of some heights above or below the one it has."""
        poses = []
        for k, p in enumerate(self.poses):
            further = [z for z in heights if (z > p.z + EPS if up else z < p.z - EPS)]
            moves = further and self.model in (None, k)
            poses.append(Pose(p.x, p.y, p.facing, min(further, key=lambda z: abs(z - p.z))) if moves else p)
        return replace(self, poses=tuple(poses), loose=None)
