"""A unit in hand: the corner about which it wheels, and the straight line to which a hand keeps its ranks."""

from __future__ import annotations

import math
from typing import TypeVar

from msgspec.structs import replace

from sim.battle import Battle, Ranked, Unit
from sim.geometry import EPS, Path, Placed, Point, Pose
from sim.geometry.blocks import wheel_corner
from sim.rulesets.wap import blocks
from sim.rulesets.wap.commands import March, NormalMove

Walk = TypeVar("Walk", NormalMove, March)


def wheels_about(battle: Battle, unit: Unit, poses: tuple[Pose, ...], degrees: float) -> Point | None:
    """The front corner on the side to which a block wheels; models that keep no ranks turn each on its spot."""
    if not blocks.in_block(unit):
        return None
    return wheel_corner([Placed(model.base, pose) for model, pose in zip(unit.models, poses, strict=True)], degrees)


def settle(battle: Battle, command: Walk) -> Walk:
    """Ranks led straight: to the front in a march and beside wheels, else to the front, a side or the rear.

    No hand holds a direction to a millionth of a degree; so the way goes as far as the hand has led it that way.
    """
    if not isinstance(battle.unit(command.unit).formation, Ranked) or not command.paths:
        return command
    steps = [_last_step(path) for path in command.paths]
    dx, dy = steps[0]
    if (dx, dy) == (0.0, 0.0) or any(math.dist(step, (dx, dy)) > EPS for step in steps):
        return command
    first = command.paths[0]
    c, s = math.cos(math.radians(first.end.facing)), math.sin(math.radians(first.end.facing))
    ahead, aside = dx * c + dy * s, dy * c - dx * s
    if isinstance(command, March) or (first.pivots and len(command.paths) > 1):
        ahead, aside = max(ahead, 0.0), 0.0
    elif abs(ahead) >= abs(aside):
        aside = 0.0
    else:
        ahead = 0.0
    by = (ahead * c - aside * s, ahead * s + aside * c)
    return replace(command, paths=tuple(_ending(path, by) for path in command.paths))


def _last_step(path: Path) -> Point:
    """How far the last leg goes straight; nothing where it pivots."""
    legs = tuple(path.legs)
    if not legs or legs[-1].turn:
        return (0.0, 0.0)
    return legs[-1].end.x - legs[-1].start.x, legs[-1].end.y - legs[-1].start.y


def _ending(path: Path, by: Point) -> Path:
    """The path with another last leg, or without one where that goes nowhere."""
    start = path.stops[-2] if len(path.stops) > 1 else path.start
    if by == (0.0, 0.0):
        return Path(path.start, path.stops[:-1])
    return Path(path.start, (*path.stops[:-1], Pose(start.x + by[0], start.y + by[1], start.facing, path.end.z)))
