"""What a player of the toy game may ask for, besides deploying and ending a step."""

from __future__ import annotations

from sim.geometry import Path, Pose
from sim.rules import Command
from sim.rules.commands import UnitId


class Drop(Command, frozen=True, tag="drop"):
    """Set a waiting unit up anywhere, but not close to enemies: one pose a model, in model order."""

    unit: UnitId
    models: tuple[Pose, ...]


class Walk(Command, frozen=True, tag="walk"):
    """Move a unit: one path a model, in model order."""

    unit: UnitId
    paths: tuple[Path, ...]


class Throw(Command, frozen=True, tag="throw"):
    """Throw pebbles at an enemy unit that is chosen on the way."""

    unit: UnitId


class Recall(Command, frozen=True, tag="recall"):
    """Take a unit off the table; it waits again."""

    unit: UnitId
