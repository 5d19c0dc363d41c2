"""What a player of this game may ask for."""

from __future__ import annotations

from sim.geometry import Path, Pose
from sim.rules import Command


class Infiltrate(Command, frozen=True, tag="infiltrate"):
    """Set a unit of Infiltrators up far from the enemy: one pose a model, in model order."""

    unit: str
    models: tuple[Pose, ...]


class ScoutMove(Command, frozen=True, tag="scout-move"):
    """Move a unit of Scouts before the first turn: one path a model, in model order."""

    unit: str
    paths: tuple[Path, ...]


class DeepStrike(Command, frozen=True, tag="deep-strike"):
    """Set a unit with Deep Strike up from reserves: one pose a model, in model order."""

    unit: str
    models: tuple[Pose, ...]


class StrategicReserves(Command, frozen=True, tag="strategic-reserves"):
    """Set a unit up from Strategic Reserves, near one edge of the table."""

    unit: str
    models: tuple[Pose, ...]


class RapidIngress(Command, frozen=True, tag="rapid-ingress"):
    """Set a unit up from reserves at the end of the opponent's Movement phase."""

    unit: str
    models: tuple[Pose, ...]


class Disembark(Command, frozen=True, tag="disembark"):
    """Set a unit up beside its Transport; in an emergency farther off, and who finds no room is lost."""

    unit: str
    models: tuple[Pose, ...]
    emergency: bool = False


class Embark(Command, frozen=True, tag="embark"):
    """Take a unit aboard a Transport."""

    unit: str
    transport: str


class NormalMove(Command, frozen=True, tag="normal-move"):
    """Move a unit by a Normal move: one path a model, in model order; a path without stops stays."""

    unit: str
    paths: tuple[Path, ...]


class Advance(Command, frozen=True, tag="advance"):
    """Move a unit by an Advance move: M inches and a D6."""

    unit: str
    paths: tuple[Path, ...]


class FallBack(Command, frozen=True, tag="fall-back"):
    """Move a unit away from the enemies that it is engaged with."""

    unit: str
    paths: tuple[Path, ...]
