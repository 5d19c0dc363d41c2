"""Setting up unit by unit, in turn: who is next, and when a player is through without the others being so.

A player who ends the step while others still have units to set up is through: what is left of that player's own units
is kept back, and the others go on. The step itself ends when nobody is left.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from sim.battle import Battle, Clock, ClockAdvanced, Marker, MarkerCleared, MarkerSet, Unit
from sim.battle.state import RESERVES
from sim.rules.procedure import Told

KEPT_BACK = "kept-back"  # its player has ended setting up, and the step goes on for others

Setting = Generator[Told, Any, Battle]


def waiting(battle: Battle, player: str) -> tuple[Unit, ...]:
    """The units of a player that can still be set up in this step."""
    return tuple(
        unit
        for unit in battle.units
        if unit.player == player and unit.whereabouts == RESERVES and unit.models and not unit.marked(KEPT_BACK)
    )


def next_player(battle: Battle) -> str | None:
    """The player after the one whose turn it is who has units to set up, None when no other has."""
    players = battle.players
    at = players.index(battle.clock.player) + 1 if battle.clock.player in players else 0
    others = (*players[at:], *players[:at])
    return next((name for name in others if name != battle.clock.player and waiting(battle, name)), None)


def turn_passes(battle: Battle) -> Setting:
    """After a unit has been set up: the next player with anything to set up is to act."""
    player = next_player(battle)
    if player is not None:
        battle = yield ClockAdvanced(_of(battle, player))
    return battle


def hands_over(battle: Battle, player: str) -> Setting:
    """The player whose turn it is is through and keeps back what is left; another goes on in the same step."""
    for unit in waiting(battle, battle.clock.player):
        battle = yield MarkerSet(unit.id, Marker(KEPT_BACK))
    battle = yield ClockAdvanced(_of(battle, player))
    return battle


def all_through(battle: Battle) -> Setting:
    """Nobody is left: nothing is kept back any longer."""
    for unit in battle.units:
        if unit.marked(KEPT_BACK):
            battle = yield MarkerCleared(unit.id, KEPT_BACK)
    return battle


def _of(battle: Battle, player: str) -> Clock:
    clock = battle.clock
    return Clock(clock.round, player, clock.phase, clock.step)
