"""What a player of this game may ask for."""

from __future__ import annotations

from sim.geometry import Path, Pose
from sim.rules import Command


class DeepStrike(Command, frozen=True, tag="deep-strike"):
    """Set a unit with Deep Strike up from reserves: one pose a model, in model order."""

    unit: str
    models: tuple[Pose, ...]


class StrategicReserves(Command, frozen=True, tag="strategic-reserves"):
    """Set a unit up from Strategic Reserves, near one edge of the table."""

    unit: str
    models: tuple[Pose, ...]


class NormalMove(Command, frozen=True, tag="normal-move"):
    """Move a unit by a Normal move: one path a model, in model order; a path without stops stays."""

    unit: str
    paths: tuple[Path, ...]
