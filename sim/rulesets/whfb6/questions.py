"""Questions about a table as it stands: gaps, loose groups, who fights, and what a unit may do this turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.battle import Battle, BattleError, Unit
from sim.geometry import PlacedSet, gap
from sim.rules import Answer, QuestionError
from sim.rulesets.whfb6 import movement, spacing
from sim.rulesets.whfb6.markers import spot_at
from sim.rulesets.whfb6.tunnelling import CHARGING, DISORIENTED, ENGAGED, FIRST_TURN, needed, spot_of


def ask_gap(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The shortest gap in inches between two models or units."""
    if len(of) != 2:
        raise QuestionError(f"gap is asked of two, got {len(of)}")
    return min(gap(a, b) for a in _members(battle, of[0]) for b in _members(battle, of[1]))


def ask_coherent(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether skirmishers form one loose group."""
    unit = _unit(battle, of)
    members = _members(battle, unit.id)
    return not any(breach for rule in spacing.loose_group(unit) for breach in rule.judge(members))


def ask_engaged(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit is in close combat."""
    return _unit(battle, of).marked(ENGAGED)


def ask_may_move(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit may move in the Movement phase of this turn, in whatever formation."""
    unit = _unit(battle, of)
    return unit.on_table and not any(unit.marked(kind) for kind in (movement.MOVED, ENGAGED, DISORIENTED))


def ask_may_charge(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit may declare a charge this turn: a team that has just emerged may, one that came up astray not."""
    return ask_may_move(battle, of, details)


def ask_may_shoot(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether nothing keeps a unit from shooting this turn: coming up astray does not."""
    unit = _unit(battle, of)
    return unit.on_table and not unit.marked(ENGAGED)


def ask_may_flee(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit may flee, which it may even in the turn in which it came up astray."""
    return _unit(battle, of).on_table


def ask_counts_as_charging(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit counts as charging this turn."""
    return _unit(battle, of).marked(CHARGING)


def ask_needs(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The D6 that a team needs to emerge this turn: a face, "automatic" or "never"."""
    _unit(battle, of)
    if battle.clock.round < FIRST_TURN:
        return "never"
    least = needed(battle)
    return "automatic" if least is None else float(least)


def ask_under(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """What a team's marker lies under, and the closest sides of that; "open" when it lies in the open."""
    unit = _unit(battle, of)
    spot = spot_of(battle, unit)
    if spot is None:
        raise QuestionError(f"{unit.id} has no marker on the table")
    found = spot_at(battle, unit, spot.at)
    return (found.covered_by, *(side.name for side in found.sides)) if found.sides else found.kind


def _unit(battle: Battle, of: tuple[str, ...]) -> Unit:
    if len(of) != 1:
        raise QuestionError(f"expected one unit, got {len(of)}")
    try:
        return battle.unit(of[0])
    except BattleError:
        raise QuestionError(f"no unit is called {of[0]!r}") from None


def _members(battle: Battle, name: str) -> PlacedSet:
    models = (battle.model(name),) if battle.has_model(name) else _unit(battle, (name,)).models
    standing = [model.placed for model in models if model.pose is not None]
    if not standing:
        raise QuestionError(f"{name} is not on the table")
    return PlacedSet.of(standing)
