"""What a player of this game may ask for."""

from __future__ import annotations

from sim.geometry import Path, Point, Pose
from sim.rules import Command
from sim.rules.commands import UnitId


class LayMarker(Command, frozen=True, tag="lay-marker"):
    """Lay the tunnel marker of a team on the table, once both armies have set up."""

    unit: UnitId
    at: Point


class Emerge(Command, frozen=True, tag="emerge"):
    """Dig for the surface, or set a team up that has broken through: one pose a model, the first by the marker.

    The poses say how the team would stand about the marker where it lies now; when it drifts they are carried along.
    Without poses the dice come first, and a second command sets the team up where the marker ended.
    """

    unit: UnitId
    models: tuple[Pose, ...] = ()


class Misplace(Command, frozen=True, tag="misplace"):
    """The opponent lays the marker of a team that went astray, and sets the team up about it.

    Without a point the marker goes under the first model.
    """

    unit: UnitId
    models: tuple[Pose, ...] = ()
    at: Point | None = None


class Move(Command, frozen=True, tag="move"):
    """Move a unit: one path a model, in model order; a path without stops stays."""

    unit: UnitId
    paths: tuple[Path, ...]
