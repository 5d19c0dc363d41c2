"""Small tables for the tests here: blocks that stand or wait, and a game that runs on scripted dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.battle import Battle, Battlefield, Clock, Marker, Model, Ranked, Terrain, Unit
from sim.battle.state import RESERVES
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.geometry import Base, Pose, Rect
from sim.rules import Command, EndStep
from sim.rulesets.t9a import RULESET, formation

INCH = Rect(1.0, 1.0)


def block(
    name: str,
    player: str,
    at: tuple[float, float] | None,
    files: int = 5,
    models: int = 10,
    facing: float = 90.0,
    base: Base = INCH,
    **more: Any,
) -> Unit:
    """A unit in ranks about a centre, or in ambush without one."""
    poses: Sequence[Pose | None] = [None] * models
    if at is not None:
        poses = formation.ranks([base] * models, min(files, models), 0.0, at, facing)
    more.setdefault("profile", (("Adv", 5.0), ("Mar", 10.0)))
    made = tuple(Model(f"{name}-{k}", name, base, pose) for k, pose in enumerate(poses, 1))
    where = RESERVES if at is None else "table"
    return Unit(name, player, made, name=name, formation=Ranked(files), whereabouts=where, **more)


def herd(name: str = "herd", x: str = "table-edge", **more: Any) -> Unit:
    """A red block of five by two in ambush."""
    return block(name, "red", None, abilities=(f"ambush: {x}",), **more)


def hero(x: str = "table-edge", **more: Any) -> Unit:
    """A red character in ambush."""
    return block("hero", "red", None, models=1, abilities=(f"ambush: {x}",), keywords=("CHARACTER",), **more)


def battle(
    *units: Unit,
    turn: int = 2,
    player: str = "red",
    phase: str = "movement",
    step: str = "ambush-rolls",
    terrain: tuple[Terrain, ...] = (),
    **more: Any,
) -> Battle:
    """A table of 72 by 48 inches."""
    clock = Clock(turn, player, phase, step)
    return Battle("t9a", Battlefield(72.0, 48.0, terrain), clock, units, ("blue", "red"), **more)


def marked(unit: Unit, *kinds: str) -> Unit:
    """A unit on which markers lie."""
    import msgspec

    return msgspec.structs.replace(unit, markers=tuple(Marker(kind, until="end-of-turn") for kind in kinds))


def play(game: Game, *commands: Command, faces: Sequence[int] = ()) -> Battle:
    """The battle after some commands, their dice scripted and used up."""
    dice = ScriptedDice(faces)
    for command in commands:
        game.play(command, dice)
    assert dice.left == 0
    return game.battle


def ends(game: Game, count: int, faces: Sequence[int] = ()) -> Battle:
    """The battle after a number of steps."""
    return play(game, *[EndStep()] * count, faces=faces)


def begin(start: Battle) -> Game:
    """A game on a table."""
    return Game(RULESET, start)
