"""Who picks the side at which a team comes up when the marker is exactly as near to several."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from shapely import LineString

from sim.battle import Battle, Unit
from sim.geometry import Placed, clearance, within
from sim.geometry.sides import Side
from sim.rules import NeedChoice, NeedRoll, Told
from sim.rulesets.whfb6.markers import Spot
from sim.rulesets.whfb6.mishaps import opponent_of


def one_side(battle: Battle, unit: Unit, spot: Spot) -> Generator[Told, Any, Spot]:
    """The spot with one closest side: of several that are exactly as near, the one that the rule or a player picks."""
    names = tuple(side.name for side in spot.sides)
    if len(names) < 2:
        return spot
    chooser = unit.player
    match battle.option("side_tie", "owner"):
        case "roll-off":
            chooser = yield from _roll_off(battle, unit)
        case "most-models" if spot.kind == "enemy":
            names = _fullest(battle, spot)
    if len(names) == 1:
        return spot.chosen(names[0])
    name = yield NeedChoice(chooser, f"side of {spot.covered_by} at which {unit.name} emerges", names)
    return spot.chosen(name)


def _roll_off(battle: Battle, unit: Unit) -> Generator[Told, Any, str]:
    """Who rolls higher, and so picks; equal rolls are rolled again."""
    enemy = opponent_of(battle, unit.player)
    while True:
        own, other = yield NeedRoll(2, 6, f"roll-off over the side: {unit.player}, then {enemy}", unit.player)
        if own != other:
            return unit.player if own > other else enemy


def _fullest(battle: Battle, spot: Spot) -> tuple[str, ...]:
    """Of the closest sides those along which most models stand."""
    members = [m.placed for m in battle.unit(spot.covered_by).models if m.pose is not None]
    counts = {side.name: _along(side, members) for side in spot.sides}
    return tuple(name for name, count in counts.items() if count == max(counts.values()))


def _along(side: Side, members: Sequence[Placed]) -> int:
    line = LineString([side.start, side.end])
    return sum(within(clearance(member, line), 0.0) for member in members)
