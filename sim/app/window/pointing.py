"""A unit that is led by a direction or a spot, with no pose a model: where it would stand follows from the command.

Random moves are pointed in a direction. An arrival that needs a chosen point has that pointed at first; the next click
sets the unit down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sim.app.window.held import Held
from sim.battle import Battle, Unit
from sim.geometry import Point
from sim.rules import Command, Play
from sim.view import Item, Label, Ruler

BELOW = 1.0  # inches from the chosen point to its name
SPACE = 3.0  # inches from the cursor, while the point is looked for, at which the unit is shown


def leads(play: Play) -> bool:
    """Whether a command is pointed with a facing, and says nothing of single models."""
    fields = set(play.command.__struct_fields__)
    return "facing" in fields and not fields & {"models", "paths"}


@dataclass(frozen=True, kw_only=True)
class Pointed(Held):
    """A unit that is pointed somewhere: its facing, its middle, and the chosen point where the command has one."""

    facing: float
    at: Point
    point: Point | None = None
    chosen: bool = True  # whether the point, if there is one, is no longer looked for

    @property
    def spot_matters(self) -> bool:
        """Whether the middle of the unit is pointed at, and not only a direction."""
        return "at" in self.play.command.__struct_fields__

    @property
    def shows_ground(self) -> bool:
        """Whether a spot is pointed at whose ground is known: after the point has been chosen."""
        return self.spot_matters and self.chosen

    @cached_property
    def command(self) -> Command:
        """The command that pointing here would be."""
        known = {"unit": self.unit.id, "facing": self.facing, "at": self.at, "point": self.point}
        fields = self.play.command.__struct_fields__
        return self.play.command(**{name: value for name, value in known.items() if name in fields})

    @property
    def marks(self) -> tuple[Item, ...]:
        """The chosen point, and a line from it to the unit."""
        if self.point is None:
            return ()
        below = (self.point[0], self.point[1] - BELOW)
        name = Label(below, "the chosen point" if self.chosen else "choose a point", size=15)
        return (name,) if not self.chosen else (Ruler(self.point, self.at, "", "note"), name)

    def shifted(self, to: Point) -> Pointed:
        """Pointed with the cursor: the direction, the chosen point, or the middle of the unit."""
        if not self.spot_matters:
            if to == self.at:
                return self
            heading = math.degrees(math.atan2(to[1] - self.at[1], to[0] - self.at[0]))
            return _led(replace(self, grip=to, facing=round(heading % 360.0, 1)))
        if self.chosen:
            dx, dy = to[0] - self.grip[0], to[1] - self.grip[1]
            return _led(replace(self, grip=to, at=(self.at[0] + dx, self.at[1] + dy)))
        assert self.play.point is not None
        point = self.play.point(self.battle, self.unit, to)
        at, facing = _beside(self.battle, point)
        return _led(replace(self, grip=to, point=point, at=at, facing=facing))

    def as_told(self, command: Any) -> Pointed:
        """The unit where a command of its kind has it, the cursor as far from its middle as it was."""
        grip = (self.grip[0] + command.at[0] - self.at[0], self.grip[1] + command.at[1] - self.at[1])
        return _led(replace(self, at=command.at, facing=command.facing, grip=grip))

    def turned(self, degrees: float) -> Pointed:
        """The unit turned about its middle."""
        return _led(replace(self, facing=(self.facing + degrees) % 360.0))

    def raised(self, heights: object, up: bool) -> Pointed:
        """It stays where it is: nothing is led to another floor."""
        return self

    def with_point(self) -> Pointed:
        """The point is chosen; the unit is in hand, its middle under the cursor."""
        return _led(replace(self, chosen=True, grip=self.at))


def taken(play: Play, battle: Battle, unit: Unit, at: Point) -> Pointed:
    """A unit taken in hand to be pointed somewhere, the cursor at a point."""
    standing = [model.pose for model in unit.models if model.pose is not None]
    if standing:
        at = (math.fsum(p.x for p in standing) / len(standing), math.fsum(p.y for p in standing) / len(standing))
    facing = standing[0].facing if standing else 90.0
    held = Pointed(play, unit, battle, (), at, facing=facing, at=at)
    if play.point is None:
        return _led(held)
    return replace(held, chosen=False).shifted(at)


def _beside(battle: Battle, point: Point) -> tuple[Point, float]:
    """The unit a little towards the middle of the table from a point, by quarter turns, looking away from it."""
    field = battle.battlefield
    dx, dy = (field.width / 2 - point[0]) / field.width, (field.depth / 2 - point[1]) / field.depth
    facing = (0.0 if dx > 0 else 180.0) if abs(dx) > abs(dy) else (90.0 if dy > 0 else 270.0)
    angle = math.radians(facing)
    return (point[0] + SPACE * math.cos(angle), point[1] + SPACE * math.sin(angle)), facing


def _led(held: Pointed) -> Pointed:
    """With the poses that its models would take."""
    assert held.play.stands is not None
    return replace(held, poses=held.play.stands(held.battle, held.command))
