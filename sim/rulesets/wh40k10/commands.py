"""What a player of this game may ask for."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from sim.geometry import Path, Pose
from sim.rules import Command
from sim.rules.commands import ModelId, Subjects, UnitId

WeaponName = Annotated[str, Meta(extra={"names": "weapon"})]
ProfileName = Annotated[str, Meta(extra={"names": "weapon profile"})]
StratagemName = Annotated[str, Meta(extra={"names": "stratagem"})]


class Infiltrate(Command, frozen=True, tag="infiltrate"):
    """Set a unit of Infiltrators up far from the enemy: one pose a model, in model order."""

    unit: UnitId
    models: tuple[Pose, ...]


class ScoutMove(Command, frozen=True, tag="scout-move"):
    """Move a unit of Scouts before the first turn: one path a model, in model order."""

    unit: UnitId
    paths: tuple[Path, ...]


class DeepStrike(Command, frozen=True, tag="deep-strike"):
    """Set a unit with Deep Strike up from reserves: one pose a model, in model order."""

    unit: UnitId
    models: tuple[Pose, ...]


class StrategicReserves(Command, frozen=True, tag="strategic-reserves"):
    """Set a unit up from Strategic Reserves, near one edge of the table."""

    unit: UnitId
    models: tuple[Pose, ...]


class RapidIngress(Command, frozen=True, tag="rapid-ingress"):
    """Set a unit up from reserves at the end of the opponent's Movement phase."""

    unit: UnitId
    models: tuple[Pose, ...]


class Disembark(Command, frozen=True, tag="disembark"):
    """Set a unit up beside its Transport; in an emergency farther off, and who finds no room is lost."""

    unit: UnitId
    models: tuple[Pose, ...]
    emergency: bool = False


class Embark(Command, frozen=True, tag="embark"):
    """Take a unit aboard a Transport."""

    unit: UnitId
    transport: UnitId


class NormalMove(Command, frozen=True, tag="normal-move"):
    """Move a unit by a Normal move: one path a model, in model order; a path without stops stays."""

    unit: UnitId
    paths: tuple[Path, ...]


class Advance(Command, frozen=True, tag="advance"):
    """Move a unit by an Advance move: M inches and a D6."""

    unit: UnitId
    paths: tuple[Path, ...]


class FallBack(Command, frozen=True, tag="fall-back"):
    """Move a unit away from the enemies that it is engaged with."""

    unit: UnitId
    paths: tuple[Path, ...]


class Guide(Command, frozen=True, tag="guide"):
    """Make a unit Guided before it shoots: by which Observer, at which Spotted enemy unit."""

    unit: UnitId
    observer: UnitId
    target: UnitId


class AttackWith(Struct, frozen=True, forbid_unknown_fields=True):
    """One weapon of one model against one enemy unit; ``profile`` where the weapon has several.

    The attacks of a melee weapon may be split between targets, with a line for each: ``count`` says how many of them;
    those of lines without it are shared out evenly.
    """

    model: ModelId
    weapon: WeaponName
    target: UnitId
    profile: ProfileName = ""
    count: int | UnsetType = UNSET

    @property
    def asked(self) -> int | None:
        """How many of the weapon's attacks are meant, None where that is not said."""
        return None if isinstance(self.count, UnsetType) else self.count


class Shoot(Command, frozen=True, tag="shoot"):
    """Shoot with a unit: every weapon that fires, with its target."""

    unit: UnitId
    attacks: tuple[AttackWith, ...]


class Charge(Command, frozen=True, tag="charge"):
    """Declare a charge of a unit at one enemy unit or more, and roll."""

    unit: UnitId
    targets: tuple[UnitId, ...]


class ChargeMove(Command, frozen=True, tag="charge-move"):
    """Move a unit whose charge was rolled into its targets: one path a model, in model order."""

    unit: UnitId
    targets: tuple[UnitId, ...]
    paths: tuple[Path, ...]


class PileIn(Command, frozen=True, tag="pile-in"):
    """Move a unit that is to fight next up to three inches towards the nearest enemies."""

    unit: UnitId
    paths: tuple[Path, ...]


class Fight(Command, frozen=True, tag="fight"):
    """Fight with a unit: every model that fights, with its weapon and its target."""

    unit: UnitId
    attacks: tuple[AttackWith, ...]


class Consolidate(Command, frozen=True, tag="consolidate"):
    """Move a unit that has fought up to three inches, towards enemies or an objective marker."""

    unit: UnitId
    paths: tuple[Path, ...]


class Stratagem(Command, frozen=True, tag="stratagem"):
    """Use a Stratagem on a unit; ``target`` is the enemy unit, the marker or the second unit that it names."""

    name: StratagemName
    unit: UnitId
    target: Subjects = ""
