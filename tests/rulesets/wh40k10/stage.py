"""Small battles for tests: squads in rows, with datasheets, and a game whose dice are written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.battle import Battle, Battlefield, Clock, Marker, Model, Objective, Terrain, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices
from sim.geometry import Base, Pose, Round
from sim.rules import Command, NeedChoice, Verdict
from sim.rulesets.wh40k10 import RULESET, again
from sim.rulesets.wh40k10.datasheets import bind

PLAYERS = ("red", "blue")
Spot = tuple[float, float]


def squad(
    name: str,
    player: str,
    sheet: str,
    at: Spot,
    count: int = 1,
    *,
    gap: float = 1.6,
    base: Base | None = None,
    where: str = "table",
    markers: Sequence[Marker] = (),
    abilities: Sequence[str] = (),
    keywords: Sequence[str] = (),
    loadout: Sequence[str] = (),
    wounds: int = 0,
) -> Unit:
    """A unit of a datasheet in a row along x."""
    size = base or Round.mm(32)
    poses = [None if where != "table" else Pose(at[0] + gap * k, at[1]) for k in range(count)]
    models = tuple(
        Model(f"{name}-{k + 1}", name, size, pose, wounds if k == 0 else 0, loadout=tuple(loadout))
        for k, pose in enumerate(poses)
    )
    unit = Unit(
        name,
        player,
        models,
        name=name,
        datasheet=sheet,
        whereabouts=where,
        markers=tuple(markers),
        abilities=tuple(abilities),
        keywords=tuple(keywords),
    )
    return bind(unit)


def battle(
    clock: Clock,
    *units: Unit,
    cp: int | None = None,
    terrain: Sequence[Terrain] = (),
    objectives: Sequence[Objective] = (),
    options: dict[str, str | bool | float] | None = None,
) -> Battle:
    """A table of 60 by 44 with these units; with ``cp`` both players keep command points."""
    return Battle(
        ruleset="wh40k10",
        battlefield=Battlefield(60.0, 44.0, tuple(terrain), tuple(objectives)),
        clock=clock,
        units=units,
        players=PLAYERS,
        resources=() if cp is None else tuple((p, "cp", cp) for p in sorted(PLAYERS)),
        options=tuple((options or {}).items()),
    )


def now(phase: str, step: str, player: str = "red", number: int = 2) -> Clock:
    """A moment of the battle."""
    return Clock(number, player, phase, step)


SHOOTING = now("shooting", "shoot")
CHARGE = now("charge", "charge")
FIGHT = now("fight", "remaining-combats")
FIRST = now("fight", "fights-first")


class Steady:
    """Takes the first option of every question, but keeps the dice that fell where it may."""

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """An option of these."""
        return next((option for option in need.options if option in (again.KEEP, again.FAILED)), need.options[0])


def judged(start: Battle, command: Command) -> Verdict:
    """The verdict on a command."""
    return Game(RULESET, start).judge(command)


def played(
    start: Battle, *steps: tuple[Command, Sequence[int], Sequence[str]] | tuple[Command, Sequence[int]]
) -> Battle:
    """The battle after commands, each with its faces and its choices; every face has to be used."""
    game = Game(RULESET, start)
    for step in steps:
        command, faces = step[0], step[1]
        dice = ScriptedDice(list(faces))
        chooser: Any = ScriptedChoices(list(step[2])) if len(step) > 2 else Steady()
        game.play(command, dice, chooser)
        assert dice.left == 0, f"{dice.left} faces were not rolled"
    return game.battle
