"""What a unit forbids around itself: a prohibition beats every permission."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sim.battle import Battle, Unit
from sim.geometry import Obstacles, PlacedSet
from sim.geometry.straight import StraightClear
from sim.rulesets.wh40k10 import quantifiers

RULE = "Denial Aura"
TOKEN = "denial-aura"
DENIAL_RANGE = 12.0  # inches, more than this; what an aura denies when its ability names no other number


def denials(battle: Battle, unit: Unit) -> Iterator[StraightClear]:
    """More than its range from every enemy that denies arrivals from reserves, whatever else is allowed.

    The rule names no plan: it is the straight line, up and down included.
    """
    ranges: dict[float, set[str]] = {}
    for other in battle.units:
        value = quantifiers.some(other, TOKEN)
        if value is not None and other.on_table and other.player != unit.player:
            ranges.setdefault(_inches(value), set()).update(m.id for m in other.models)
    enemies = battle.index.enemies_of(unit.player) if ranges else None
    for reach, names in sorted(ranges.items()):
        assert enemies is not None
        rows = [i for i, name in enumerate(enemies.names) if name in names]
        source = Obstacles(PlacedSet.of(enemies.bases[i] for i in rows), tuple(enemies.names[i] for i in rows))
        yield from StraightClear.by_height("denied-by-aura", RULE, source, reach)


def _inches(value: str) -> float:
    number = re.match(r"\d+(\.\d+)?", value)
    return float(number[0]) if number else DENIAL_RANGE
