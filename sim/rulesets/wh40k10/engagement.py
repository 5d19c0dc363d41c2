"""Who is within Engagement Range of whom, and which units hold together: questions about a table as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.battle import Battle, BattleError, Unit
from sim.geometry import KeepClear, PlacedSet, gap
from sim.rules import Answer, QuestionError
from sim.rulesets.wh40k10 import measuring


def engaged_with(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The enemy units that have a model within one inch across and five up of a model of the unit, sorted."""
    members = PlacedSet.of(m.placed for m in unit.models if m.pose is not None)
    return tuple(
        enemy.id
        for enemy in sorted(battle.units, key=lambda other: other.id)
        if enemy.player != unit.player and enemy.on_table and any(_reach(battle, enemy).judge(members))
    )


def _reach(battle: Battle, enemy: Unit) -> KeepClear:
    theirs = battle.index.of_unit(enemy.id)
    reach, height = measuring.ENGAGEMENT_REACH, measuring.ENGAGEMENT_HEIGHT
    return KeepClear("engaged", "Engagement Range", theirs, reach, vertical=height)


def ask_gap(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The shortest gap in inches between two models or units."""
    first, second = _two(of)
    mine, theirs = _members(battle, first), _members(battle, second)
    return min(gap(a, b) for a in mine for b in theirs)


def ask_engaged(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether two units (or the units of two models) are within Engagement Range; of one: with anybody."""
    if len(of) == 1:
        return bool(engaged_with(battle, _unit(battle, of[0])))
    first, second = (_unit(battle, name) for name in _two(of))
    return second.id in engaged_with(battle, first)


def ask_coherent(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a unit is in Unit Coherency as it stands."""
    if len(of) != 1:
        raise QuestionError(f"coherent is asked of one unit, got {len(of)}")
    members = _members(battle, of[0])
    return not any(measuring.coherency(len(members)).judge(members))


def _two(of: tuple[str, ...]) -> tuple[str, str]:
    if len(of) != 2:
        raise QuestionError(f"expected two ids, got {len(of)}")
    return of[0], of[1]


def _unit(battle: Battle, name: str) -> Unit:
    try:
        return battle.unit(name) if battle.has_unit(name) else battle.unit(battle.model(name).unit)
    except BattleError:
        raise QuestionError(f"no model or unit is called {name!r}") from None


def _members(battle: Battle, name: str) -> PlacedSet:
    if battle.has_model(name):
        models = [battle.model(name)]
    else:
        models = list(_unit(battle, name).models)
    standing = [m.placed for m in models if m.pose is not None]
    if not standing:
        raise QuestionError(f"{name} is not on the table")
    return PlacedSet.of(standing)
