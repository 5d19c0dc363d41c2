"""A moment at which the enemy may answer: a unit starts or ends a move, or is set up."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal

from sim.battle import Battle, Unit
from sim.rules import ReactionWindow, Told

Moment = Literal["enemy-starts-a-move", "enemy-has-moved", "enemy-is-set-up"]
STARTS: Moment = "enemy-starts-a-move"
ENDS: Moment = "enemy-has-moved"
SET_UP: Moment = "enemy-is-set-up"


def seen_moving(battle: Battle, unit: Unit, when: Moment) -> Generator[Told, Any, Battle]:
    """The enemies of a unit may answer, where command points are kept; gives the battle after that."""
    if battle.resources and battle.unit(unit.id).models:
        enemies = tuple(player for player in battle.players if player != unit.player)
        battle = yield ReactionWindow(when, unit.id, enemies)
    return battle
