"""Moments at which somebody may answer: each is asked about as long as somebody uses something."""

from __future__ import annotations

from typing import Literal

from sim.battle import Battle, Unit
from sim.rules import ReactionWindow
from sim.rulesets.wh40k10.resources import Resolving

Moment = Literal["enemy-starts-a-move", "enemy-has-moved", "enemy-is-set-up"]
STARTS: Moment = "enemy-starts-a-move"
ENDS: Moment = "enemy-has-moved"
SET_UP: Moment = "enemy-is-set-up"


def answered(battle: Battle, window: ReactionWindow) -> Resolving:
    """What players do at a moment, where command points are kept; ``battle`` is the one at that moment."""
    while battle.resources:
        after: Battle = yield window
        if after is battle:
            break
        battle = after
    return battle


def seen_moving(battle: Battle, unit: Unit, when: Moment) -> Resolving:
    """The enemies of a unit may answer what it does; gives the battle after that."""
    if not battle.unit(unit.id).models:
        return battle
    return (yield from answered(battle, ReactionWindow(when, unit.id, enemies_of(battle, unit.player))))


def enemies_of(battle: Battle, player: str) -> tuple[str, ...]:
    """The other players."""
    return tuple(name for name in battle.players if name != player)
