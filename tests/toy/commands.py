"""What a player of the toy game may ask for, besides deploying and ending a step."""

from __future__ import annotations

from sim.geometry import Path, Pose
from sim.rules import Command


class Drop(Command, frozen=True, tag="drop"):
    """Set a waiting unit up anywhere, but not close to enemies: one pose a model, in model order."""

    unit: str
    models: tuple[Pose, ...]


class Walk(Command, frozen=True, tag="walk"):
    """Move a unit: one path a model, in model order."""

    unit: str
    paths: tuple[Path, ...]


class Throw(Command, frozen=True, tag="throw"):
    """Throw pebbles at an enemy unit that is chosen on the way."""

    unit: str


class Recall(Command, frozen=True, tag="recall"):
    """Take a unit off the table; it waits again."""

    unit: str
