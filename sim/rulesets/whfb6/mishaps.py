"""What becomes of a team whose tunnel goes wrong."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from sim.battle import Battle, Marker, MarkerCleared, MarkerSet, ModelsRemoved, ScoreChanged, Unit
from sim.rules import NeedRoll, Told
from sim.rulesets.whfb6.markers import MARKER

RULE = "Tunnelling Mishap"
CAVE_IN = (1, 2)  # on a D6; Tunnelling Mishap
LOST = (3, 4)  # on a D6; Tunnelling Mishap
WRONG_TURN = (5, 6)  # on a D6; Tunnelling Mishap
LOST_PLACE = "lost"  # where a team is that takes no part in the battle

FATE = "emerged"  # what came of digging, until the end of the turn
ASTRAY = "astray"  # the opponent is to lay the marker
SURFACING = "surfacing"  # the marker lies where the team comes up; the models are still to be set up

Onward = Generator[Told, Any, Battle]  # a part of a procedure that hands back the battle after it


def mishap(battle: Battle, unit: Unit) -> Onward:
    """Roll on the table and suffer it: killed, lost, or laid elsewhere by the opponent."""
    (face,) = yield NeedRoll(1, 6, f"tunnelling mishap of {unit.name}: 1-2 cave in, 3-4 lost, 5-6 astray", unit.player)
    if face in CAVE_IN:
        return (yield from killed(battle, unit))
    if face in LOST:
        return (yield from lost(unit))
    yield MarkerSet(unit.id, Marker(ASTRAY, opponent_of(battle, unit.player)))
    battle = yield fate("displaced", unit)
    return battle


def killed(battle: Battle, unit: Unit) -> Onward:
    """The team is destroyed, and the enemy scores its points."""
    yield fate("killed", unit)
    yield MarkerCleared(unit.id, MARKER)
    enemy = opponent_of(battle, unit.player)
    battle = yield ModelsRemoved(unit.id, tuple(model.id for model in unit.models))
    if enemy and unit.points:
        battle = yield ScoreChanged(enemy, unit.points)
    return battle


def lost(unit: Unit) -> Onward:
    """The team takes no part in the battle, and nobody scores for it."""
    yield fate("lost", unit)
    yield MarkerCleared(unit.id, MARKER)
    battle: Battle = yield ModelsRemoved(unit.id, tuple(model.id for model in unit.models), LOST_PLACE)
    return battle


def fate(word: str, unit: Unit, at: tuple[float, float] | None = None) -> MarkerSet:
    """What came of digging this turn, in one word, and where."""
    return MarkerSet(unit.id, Marker(FATE, word, until="end-of-turn", at=at))


def opponent_of(battle: Battle, player: str) -> str:
    """The other player; nobody when there is none."""
    return next((name for name in battle.players if name != player), "")
