"""What a player of this game may ask for."""

from __future__ import annotations

import math

from sim.geometry import Path, Point, Pose
from sim.geometry.shapes import FARTHEST_CHOICE
from sim.rules import Command
from sim.rules.commands import UnitId


class Ambush(Command, frozen=True, tag="ambush"):
    """Bring an ambushing unit on: the chosen point, the centre of the unit's boundary, and its facing in degrees."""

    unit: UnitId
    point: Point
    at: Point
    facing: float

    def __post_init__(self) -> None:
        for name, value in (("point", self.point), ("at", self.at), ("facing", (self.facing,))):
            if not all(math.isfinite(v) and abs(v) <= FARTHEST_CHOICE for v in value):
                raise ValueError(f"{name}: expected finite numbers up to {FARTHEST_CHOICE:g}, got {value}")


class Join(Command, frozen=True, tag="join"):
    """Declare before the arrival rolls that a model in ambush arrives together with an ambushing unit."""

    unit: UnitId
    host: UnitId


class AdvanceMove(Command, frozen=True, tag="advance-move"):
    """Move a unit by an Advance Move: one path a model, in model order."""

    unit: UnitId
    paths: tuple[Path, ...]


class March(Command, frozen=True, tag="march"):
    """Move a unit by a March Move: one path a model, in model order."""

    unit: UnitId
    paths: tuple[Path, ...]


class MagicMove(Command, frozen=True, tag="magic-move"):
    """Move a unit by magic up to a distance in inches: one path a model, in model order."""

    unit: UnitId
    distance: float
    paths: tuple[Path, ...]


class Reform(Command, frozen=True, tag="reform"):
    """Re-arrange a unit about its centre: one pose a model, in model order."""

    unit: UnitId
    models: tuple[Pose, ...]


class RandomMove(Command, frozen=True, tag="random-move"):
    """Move a unit with Random Movement straight on in a direction chosen before the roll, in degrees."""

    unit: UnitId
    facing: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.facing) and abs(self.facing) <= FARTHEST_CHOICE):
            raise ValueError(f"facing: expected a finite number up to {FARTHEST_CHOICE:g}, got {self.facing}")


class Charge(Command, frozen=True, tag="charge"):
    """Declare a charge at an enemy unit and roll for its range."""

    unit: UnitId
    target: UnitId
