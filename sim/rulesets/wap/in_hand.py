"""A unit in hand: the straight line to which a hand keeps its ranks."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from sim.battle import Battle, Ranked
from sim.rules import blocks
from sim.rulesets.wap.commands import March, NormalMove

Walk = TypeVar("Walk", NormalMove, March)


def settle(battle: Battle, command: Walk) -> Walk:
    """Ranks led to the front in a march and beside wheels, else to the front, a side or the rear."""
    unit = battle.unit(command.unit)
    if not isinstance(unit.formation, Ranked) or not command.paths:
        return command
    wheels = blocks.in_block(unit) and command.paths[0].pivots
    ways = blocks.AHEAD if isinstance(command, March) or wheels else blocks.EVERY_WAY
    return replace(command, paths=blocks.led_straight(command.paths, ways))
