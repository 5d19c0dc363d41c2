"""Command points: how many a player has, and what it has spent them on."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from sim.battle import Battle, ScoreChanged
from sim.rules import Told

Resolving = Generator[Told, Any, Battle]  # a procedure that gives back the battle after it
POINTS = "cp"


def command_points(battle: Battle, player: str) -> int | None:
    """The command points of a player; None where nobody keeps count."""
    return next((n for p, r, n in battle.resources if p == player and r == POINTS), None)


def can_pay(battle: Battle, player: str, cost: int) -> bool:
    """Whether a player can spend so many; where nobody keeps count everything can be paid."""
    held = command_points(battle, player)
    return held is None or held >= cost


def gain(battle: Battle, player: str, amount: int) -> Resolving:
    """A player's command points change."""
    battle = yield ScoreChanged(player, amount, POINTS)
    return battle


def opponent_of(battle: Battle, player: str) -> str:
    """The other player."""
    return next((p for p in battle.players if p != player), "")
