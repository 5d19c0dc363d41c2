"""A moment at which the enemy may answer: a unit starts or ends a move, or is set up."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from sim.battle import Battle, Unit
from sim.rules import ReactionWindow, Told

ENEMY_MOVED = "enemy-moved"


def seen_moving(battle: Battle, unit: Unit) -> Generator[Told, Any, Battle]:
    """The enemies of a unit may answer, where command points are kept; gives the battle after that."""
    if battle.resources and battle.unit(unit.id).models:
        enemies = tuple(player for player in battle.players if player != unit.player)
        battle = yield ReactionWindow(ENEMY_MOVED, unit.id, enemies)
    return battle
