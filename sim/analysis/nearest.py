"""Where instead? The legal spot nearest to where a unit is held, its formation kept."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import shapely
from msgspec.structs import replace

from sim.battle import Battle
from sim.engine import judge
from sim.geometry import Pose
from sim.geometry.formation import nearest_spot
from sim.rules import Command, Play, Ruleset

TURNS = tuple(15.0 * k for k in (1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 8, -8, 10, -10, 12))  # tried in this order


def nearest_legal(ruleset: Ruleset, battle: Battle, command: Command) -> tuple[Pose, ...] | None:
    """The poses nearest to those of a placing command that the judge calls legal; None when none is found.

    The spot lies on the border of the region of the command's own constraints, a hair inside. Only shifts of the whole
    formation are looked at, on every surface on which it might stand.
    """
    found = nearest_command(ruleset, battle, command)
    poses: tuple[Pose, ...] = getattr(found, "models", ())
    return poses or None


def nearest_command(ruleset: Ruleset, battle: Battle, command: Command) -> Command | None:
    """The legal command nearest to a placing command that is not; None when none is found.

    Of a command that names the spots of its models they are shifted together; one that names the middle and the facing
    of a block has that middle shifted, as it is turned where that can be, or else turned.
    """
    play = ruleset.play(command)
    if play.rules is None or not battle.has_unit(getattr(command, "unit", "")):
        return None
    if getattr(command, "models", ()):
        tried = _shifted(battle, play, command)
    elif play.figure is not None and hasattr(command, "at"):
        tried = _led(ruleset, battle, play, command)
    else:
        return None
    legal = [found for found in tried if judge(ruleset, battle, found).legal]
    return min(legal, key=lambda found: _off(command, found), default=None)


def _shifted(battle: Battle, play: Play, command: Any) -> Iterator[Command]:
    """The whole formation at the nearest spot for it as high as it is, and on each other surface."""
    unit = battle.unit(command.unit)
    if len(command.models) != len(unit.models):
        return
    bases = [model.base for model in unit.models]
    for poses in _heights(battle, command.models):
        there = replace(command, models=poses)
        assert play.rules is not None
        found = nearest_spot(play.rules(battle, there).standing, bases, poses, _table(battle))
        if found is not None:
            yield replace(there, models=found)


def _heights(battle: Battle, poses: tuple[Pose, ...]) -> Iterator[tuple[Pose, ...]]:
    """The poses as high as they are, on the ground, and on every surface above it."""
    yield poses
    field = battle.battlefield
    surfaces = {0.0, *(floor.z for piece in field.terrain for floor in piece.floors)}
    surfaces |= {piece.height for piece in field.terrain if piece.height > 0}
    for z in sorted(surfaces):
        if any(pose.z != z for pose in poses):
            yield tuple(_at_height(pose, z) for pose in poses)


def _at_height(pose: Pose, z: float) -> Pose:
    """The same pose at another height."""
    return Pose(pose.x, pose.y, pose.facing, z)


def _led(ruleset: Ruleset, battle: Battle, play: Play, command: Any) -> Iterator[Command]:
    """The middle of a block at the nearest spot, by the point that it names or the nearest that is allowed.

    Turned otherwise only where there is no legal spot for it as it is turned.
    """
    starts = [command]
    if play.point is not None:
        allowed = play.point(battle, battle.unit(command.unit), command.point)
        starts += [replace(command, point=allowed)] if allowed != command.point else []
    for turn in (0.0, *TURNS):
        found = False
        for start in starts:
            turned = replace(start, facing=start.facing + turn)
            there = _nearer(battle, play, turned)
            if there is not None and judge(ruleset, battle, there).legal:
                found = True
                yield there
        if found:
            return


def _nearer(battle: Battle, play: Play, command: Any) -> Command | None:
    assert play.rules is not None
    assert play.figure is not None
    base, facing = play.figure(battle, command)
    spot = nearest_spot(
        play.rules(battle, command).standing, [base], [Pose(command.at[0], command.at[1], facing)], _table(battle)
    )
    return None if spot is None else replace(command, at=spot[0].at)


def _table(battle: Battle) -> shapely.Polygon:
    field = battle.battlefield
    return shapely.box(0, 0, field.width, field.depth)


def _off(before: Any, after: Any) -> float:
    """How far a command leads from another one, in inches; up and down counts as well."""
    if getattr(before, "models", ()):
        one, other = before.models[0], after.models[0]
        return math.hypot(math.dist(one.at, other.at), one.z - other.z)
    return math.dist(before.at, after.at)


def shift(before: tuple[Pose, ...], after: tuple[Pose, ...]) -> float:
    """How far the model is shifted that is shifted farthest, in inches."""
    return max(math.dist(a.at, b.at) for a, b in zip(before, after, strict=True))
