"""Questions about a table as it stands: corners, gaps, and who is wholly within a distance of whom."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sim.battle import Battle, BattleError, Unit
from sim.geometry import Placed, farthest, gap, within
from sim.geometry.corners import boundary_corners
from sim.rules import Answer, QuestionError
from sim.rulesets.t9a import ambush, charging, formation
from sim.rulesets.t9a.moves import advance_rate


def corners(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The four corners of a boundary: front left, front right, rear right, rear left."""
    (name,) = _names(of, 1)
    return boundary_corners(block(battle, name))


def gap_between(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The shortest gap in inches between two boundaries, or between single models."""
    first, second = _names(of, 2)
    return gap(block(battle, first), block(battle, second))


def wholly_within(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether every point of the first boundary lies within ``limit`` inches of the second."""
    first, second = _names(of, 2)
    limit = details.get("limit")
    if not isinstance(limit, (int, float)) or not math.isfinite(limit):
        raise QuestionError("wholly-within needs a limit in inches")
    return within(farthest(block(battle, first), block(battle, second).polygon), float(limit))


def charge_needs(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The lowest 2D6 with which the first unit reaches the second, or ``never``."""
    first, second = _names(of, 2)
    unit, target = _unit(battle, first), _unit(battle, second)
    rate = advance_rate(unit)
    if rate is None:
        raise QuestionError(f"{first} has no Advance Rate (Adv) in its profile")
    lowest = charging.needed(rate, gap(block(battle, unit.id), block(battle, target.id)))
    return "never" if lowest is None else lowest


def scores(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit is Scoring and has not lost it."""
    (name,) = _names(of, 1)
    unit = _unit(battle, name)
    return (unit.has("SCORING") or unit.ability("scoring") is not None) and not unit.marked(ambush.NO_SCORING)


def block(battle: Battle, name: str) -> Placed:
    """The boundary of a unit, or the base of a model, by its id; raises ``QuestionError``."""
    if battle.has_model(name):
        members = tuple(model.placed for model in (battle.model(name),) if model.pose is not None)
    else:
        members = formation.standing(battle, _unit(battle, name))
    if not members:
        raise QuestionError(f"{name} is not on the table")
    return formation.boundary(members)


def _unit(battle: Battle, name: str) -> Unit:
    try:
        return battle.unit(name)
    except BattleError:
        raise QuestionError(f"no unit is called {name!r}") from None


def _names(of: tuple[str, ...], count: int) -> tuple[str, ...]:
    if len(of) != count:
        raise QuestionError(f"expected {count} ids, got {len(of)}")
    return of
