"""What a player of this game may ask for."""

from __future__ import annotations

from sim.geometry import Path
from sim.rules import Command
from sim.rules.commands import UnitId


class RandomMove(Command, frozen=True, tag="random-move"):
    """Turn a unit with Random Movement to a facing, roll, and run it straight on.

    ``then`` is a facing that it would turn to after the roll: no rule allows that, and the judge says so.
    """

    unit: UnitId
    facing: float
    then: float | None = None


class Zzzzap(Command, frozen=True, tag="zzzzap"):
    """Loose the bolts of a machine: the owner's pick between equals, and whether the crew tries to hold fire."""

    unit: UnitId
    choose: UnitId = ""
    hold: bool = False


class NormalMove(Command, frozen=True, tag="normal-move"):
    """Move a unit in the Remaining Moves sub-phase: one path a model, in model order."""

    unit: UnitId
    paths: tuple[Path, ...]


class March(Command, frozen=True, tag="march"):
    """Move a unit at up to twice its Movement, straight to its front."""

    unit: UnitId
    paths: tuple[Path, ...]


class DeclareCharge(Command, frozen=True, tag="declare-charge"):
    """Declare a charge against an enemy unit, and find out whether it is in range."""

    unit: UnitId
    target: UnitId


class ImpactHits(Command, frozen=True, tag="impact-hits"):
    """Resolve what a unit inflicts by its weight at the very beginning of a round of close combat."""

    unit: UnitId
