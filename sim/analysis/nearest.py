"""Where instead? The legal spot nearest to where a unit is held, its formation kept."""

from __future__ import annotations

import math

import shapely
from msgspec.structs import replace

from sim.battle import Battle
from sim.engine import judge
from sim.geometry import Pose
from sim.geometry.formation import nearest_spot
from sim.rules import Command, Ruleset


def nearest_legal(ruleset: Ruleset, battle: Battle, command: Command) -> tuple[Pose, ...] | None:
    """The poses nearest to those of a placing command that the judge calls legal; None when none is found.

    The spot lies on the border of the region of the command's own constraints, a hair inside. Only
    shifts of the whole formation are looked at.
    """
    play = ruleset.play(command)
    poses = getattr(command, "models", ())
    if play.rules is None or not poses or not battle.has_unit(getattr(command, "unit", "")):
        return None
    unit = battle.unit(command.unit)  # type: ignore[attr-defined]
    if len(poses) != len(unit.models):
        return None
    field = battle.battlefield
    table = shapely.box(0, 0, field.width, field.depth)
    rules = play.rules(battle, command)
    found = nearest_spot(rules.standing, [model.base for model in unit.models], poses, table)
    if found is None or not judge(ruleset, battle, replace(command, models=found)).legal:
        return None
    return found


def shift(before: tuple[Pose, ...], after: tuple[Pose, ...]) -> float:
    """How far a formation is shifted, in inches."""
    return math.dist(before[0].at, after[0].at)
