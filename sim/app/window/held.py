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
from sim.geometry.blocks import arc, turned
from sim.geometry.snapping import contact_near
from sim.rules import Command, Play
from sim.view import Item
from sim.view.overlay import Overlay

SNAP = 0.4  # inches from contact at which a base snaps into it
HOME = 0.1  # inches from where it stood at which a unit that moves stands there again

Poses = tuple[Pose, ...]


@dataclass(frozen=True)
class Wheel:
    """A turn of a whole block on its way: about which point, and where the models stood before it."""

    degrees: float
    about: Point
    before: Poses

    @cached_property
    def steps(self) -> tuple[Poses, ...]:
        """Where the models stand at the end of each step of the arc."""
        return arc(self.before, self.about, self.degrees)

    def moved_to(self, before: Poses) -> Wheel:
        """The same wheel from where the block stands elsewhere, facing the same way."""
        dx, dy = before[0].x - self.before[0].x, before[0].y - self.before[0].y
        return Wheel(self.degrees, (self.about[0] + dx, self.about[1] + dy), before)


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
    wheels: tuple[Wheel, ...] = ()  # of a block that moves, on its way to where it is held
    zones: Overlay = field(default_factory=Overlay)

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
        """Whether the ground is shown on which it may be set down: not of others while they go with the first."""
        return self.play.figure_is != "further model" or bool(self.model)

    @property
    def chooses_ground(self) -> bool:
        """Whether it is set down on ground of its own choice, wherever that is."""
        return not self.moves and not self.play.on_the_spot and self.play.rules is not None

    @cached_property
    def command(self) -> Command:
        """The command that setting the unit down here would be."""
        if self.moves:
            if self.template is not None:
                told: Command = structs.replace(self.template, paths=self._ways)
                return told
            return self.play.command(unit=self.unit.id, paths=self._ways)
        fields = self.play.command.__struct_fields__
        count = len(self.poses)
        middle = (math.fsum(p.x for p in self.poses) / count, math.fsum(p.y for p in self.poses) / count)
        known = {"unit": self.unit.id, "models": self.poses, "facing": self.poses[0].facing, "at": middle}
        return self.play.command(**{name: value for name, value in known.items() if name in fields})

    @property
    def _ways(self) -> tuple[Way, ...]:
        """The way of each model: turned on the spot and straight on, or as one of a block round its wheels."""
        stations = [poses for wheel in self.wheels for poses in (wheel.before, *wheel.steps)]
        ways = []
        for k, (model, end) in enumerate(zip(self.unit.models, self.poses, strict=True)):
            start = model.pose
            assert start is not None
            round_about = [[*poses[k].at, poses[k].facing, poses[k].z] for poses in stations]
            if not round_about and end.facing != start.facing:
                round_about = [[*start.at, end.facing, start.z]]
            ways.append(Way.through(start, [*round_about, [*end.at, end.facing, end.z]]))
        return tuple(ways)

    @property
    def straight_from(self) -> Poses:
        """Where the last straight stretch begins: where the unit stood, or where its last wheel ended."""
        if self.wheels:
            return self.wheels[-1].steps[-1]
        return tuple(model.pose for model in self.unit.models if model.pose is not None)

    def shortened(self, share: float) -> Held:
        """On its way with every straight stretch cut to a share of it, its wheels as they are."""
        reached = told = tuple(model.pose for model in self.unit.models if model.pose is not None)
        wheels: list[Wheel] = []
        for wheel in self.wheels:
            wheels.append(wheel.moved_to(_towards(reached, told, wheel.before, share)))
            reached, told = wheels[-1].steps[-1], wheel.steps[-1]
        poses = _towards(reached, told, self.poses, share)
        return replace(self, poses=poses, wheels=tuple(wheels), loose=None)

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
        """Where its straight stretch began, if it is as good as there, or else in contact with what it should touch."""
        home = self.straight_from
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
        """As one about the point that the command names, or about the cursor where it is set up; else on the spot."""
        about = self._turns_about(degrees)
        if about is None:
            poses = tuple(
                Pose(p.x, p.y, p.facing + degrees, p.z) if self.model in (None, k) else p
                for k, p in enumerate(self.poses)
            )
            return replace(self, poses=poses, loose=None)
        if self.moves:
            return self._wheeled(about, degrees)
        return replace(self, poses=turned(self.poses, about, degrees), loose=None)

    def _turns_about(self, degrees: float) -> Point | None:
        if self.model is not None:
            return None
        tell = self.play.turns_about
        about = None if tell is None else tell(self.battle, self.unit, self.poses, degrees)
        return self.grip if about is None and not self.moves else about

    def _wheeled(self, about: Point, degrees: float) -> Held:
        """The block wheeled from where it is held; or back to before its last wheel, if that is what this undoes."""
        last = self.wheels[-1] if self.wheels else None
        if last is not None and last.steps[-1] == self.poses and last.degrees == -degrees:
            return replace(self, poses=last.before, wheels=self.wheels[:-1], loose=None)
        wheel = Wheel(degrees, about, self.poses)
        return replace(self, poses=wheel.steps[-1], wheels=(*self.wheels, wheel), loose=None)

    def widened(self, more: int) -> Held | None:
        """In so many more files, or fewer; None where the command keeps the ranks that there are."""
        if self.play.other_ranks is None or self.model is not None:
            return None
        poses = self.play.other_ranks(self.battle, self.unit, self.poses, more)
        return replace(self, poses=poses, loose=None)

    def raised(self, heights: Sequence[float], up: bool) -> Held:
        """Every model, or the one, on the next of some heights above or below the one it has."""
        poses = []
        for k, p in enumerate(self.poses):
            further = [z for z in heights if (z > p.z + EPS if up else z < p.z - EPS)]
            moves = further and self.model in (None, k)
            poses.append(Pose(p.x, p.y, p.facing, min(further, key=lambda z: abs(z - p.z))) if moves else p)
        return replace(self, poses=tuple(poses), loose=None)


def _towards(here: Poses, start: Poses, end: Poses, share: float) -> Poses:
    """From here by a share of what leads from a start to an end, facing as at the end."""
    steps = zip(here, start, end, strict=True)
    return tuple(Pose(h.x + share * (b.x - a.x), h.y + share * (b.y - a.y), b.facing, b.z) for h, a, b in steps)
