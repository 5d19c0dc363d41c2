"""A table with a wheel in the middle, for the tests of this game."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sim.battle import Battle, Battlefield, Clock, Marker, Model, Terrain, Unit, Zone
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices
from sim.geometry import Base, Pose, Rect
from sim.rules import Command
from sim.rulesets.wap import RULESET

W, D = 25 / 25.4, 50 / 25.4  # half the width and half the depth of the wheel
ABILITIES = (
    "random-movement 3D6",
    "zzzzap",
    "impact-hits D6",
    "scythes +1",
    "grind-attack D3+1",
    "loss-of-control",
    "terror",
)
PROFILE = (("AS", 4.0), ("Ld", 7.0), ("S", 5.0), ("T", 6.0), ("W", 5.0))
COMPULSORY = Clock(2, "red", "movement", "compulsory-moves")
SHOOTING = Clock(2, "red", "shooting", "shoot")
FIGHTING = Clock(2, "red", "close-combat", "fight")


def wheel(*markers: Marker, x: float = 36.0, y: float = 24.0, **fields: Any) -> Unit:
    """The wheel, looking up the table."""
    model = Model("wheel-1", "wheel", Rect.mm(50, 100), Pose(x, y, 90.0))
    unit = Unit("wheel", "red", (model,), name="wheel", abilities=ABILITIES, profile=PROFILE, markers=markers)
    return replace(unit, **fields)


def unit(name: str, player: str, *spots: tuple[float, float], base: Base | None = None, **fields: Any) -> Unit:
    """A unit of 25 mm squares at some spots."""
    models = tuple(
        Model(f"{name}-{k}", name, base or Rect.mm(25, 25), Pose(*spot, 90.0)) for k, spot in enumerate(spots, 1)
    )
    profile = (("Ld", 7.0), ("M", 4.0), ("T", 3.0), ("W", 1.0))
    return replace(Unit(name, player, models, name=name, profile=profile), **fields)


def battle(clock: Clock, *units: Unit, terrain: tuple[Terrain, ...] = (), **options: Any) -> Battle:
    """A table of six feet by four."""
    zones = (
        Zone("b", "blue", ((0.0, 0.0), (72.0, 0.0), (72.0, 12.0), (0.0, 12.0))),
        Zone("r", "red", ((0.0, 36.0), (72.0, 36.0), (72.0, 48.0), (0.0, 48.0))),
    )
    field = Battlefield(72.0, 48.0, terrain, zones=zones)
    return Battle("wap", field, clock, units, ("red", "blue"), options=tuple(sorted(options.items())))


def played(start: Battle, command: Command, *faces: int | float | str, choices: tuple[str, ...] = ()) -> Battle:
    """The battle after a command whose dice are used up."""
    dice = ScriptedDice(faces)
    game = Game(RULESET, start)
    game.play(command, dice, ScriptedChoices(choices))
    assert dice.left == 0
    return game.battle
