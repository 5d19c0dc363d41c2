"""Who is within Engagement Range of whom, and which units hold together: questions about a table as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from shapely import LineString, Polygon

from sim.battle import Battle, BattleError, Unit
from sim.geometry import Obstacles, Placed, PlacedSet, gaps, within, witness
from sim.geometry.distance import clearance, straight_gaps
from sim.geometry.tolerance import Floats
from sim.rules import Answer, QuestionError
from sim.rulesets.wh40k10 import coherency, measuring, pairs, terrain

BARRICADE_STAND = 1.0  # inches from a barricade within which an enemy stands at it
NEARLY = 1e-3  # inches by which boxes may be farther apart than what they hold could be
BARRICADE_REACH = 2.0  # inches across; fighting over a barricade


def engaged_with(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The enemy units that have a model within one inch across and five up of a model of the unit, sorted."""
    memo, key = battle.index.memo, ("engaged", unit.id)
    known = battle.has_unit(unit.id) and battle.unit(unit.id).models is unit.models
    if known and key in memo:
        found: tuple[str, ...] = memo[key]
        return found
    members = PlacedSet.of(m.placed for m in unit.models if m.pose is not None)
    answer: tuple[str, ...] = ()
    if _could_reach(members, battle.index.enemies_of(unit.player).bases):
        answer = tuple(
            enemy.id
            for enemy in sorted(battle.units, key=lambda other: other.id)
            if enemy.player != unit.player
            and enemy.on_table
            and _reached(battle, members, battle.index.of_unit(enemy.id))
        )
    if known:
        memo[key] = answer
    return answer


def held_by(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The enemy units that keep a unit from Normal moves, Advances and charges; Aircraft neither hold nor are held."""
    if unit.has(measuring.AIRCRAFT):
        return ()
    return tuple(name for name in engaged_with(battle, unit) if not battle.unit(name).has(measuring.AIRCRAFT))


def can_strike(unit: Unit, enemy: Unit) -> bool:
    """Whether a unit could make melee attacks against another: with Aircraft only what can FLY fights."""
    return (unit.has("FLY") or not enemy.has(measuring.AIRCRAFT)) and (
        enemy.has("FLY") or not unit.has(measuring.AIRCRAFT)
    )


def _could_reach(members: PlacedSet, enemies: PlacedSet) -> bool:
    """Whether the boxes about some two bases are near enough for Engagement Range."""
    a, b, reach = members.bounds[:, None, :], enemies.bounds[None, :, :], measuring.ENGAGEMENT_REACH + NEARLY
    return bool(np.all((a[..., :2] <= b[..., 2:] + reach) & (b[..., :2] <= a[..., 2:] + reach), axis=2).any())


def apart(battle: Battle, unit: Unit, other: Unit) -> Floats:
    """The straight line in inches, up and down included, from each model of a unit to the nearest of another.

    This is what every range is held against: no weapon, charge or ability that says *within* says *horizontally*.
    """
    memo, key = battle.index.memo, ("apart", unit.id, other.id)
    if key not in memo:
        memo[key] = spans(battle, unit, other).min(axis=1, initial=np.inf)
    found: Floats = memo[key]
    return found


def spans(battle: Battle, unit: Unit, other: Unit) -> Floats:
    """The straight lines in inches, up and down included, from each model of a unit to each of another: (n, m)."""

    def measured() -> Floats:
        mine = PlacedSet.of(m.placed for m in unit.models)
        return straight_gaps(mine, battle.index.of_unit(other.id).bases)

    return pairs.kept(battle, "spans", unit, other, measured)


def fighters(battle: Battle, unit: Unit) -> tuple[bool, ...]:
    """Which models of a unit could fight as they stand, in model order.

    Those within Engagement Range of an enemy or within two inches of one across a barricade, and those in base contact
    with a comrade that is itself in base contact with an enemy. Bases touch at one height only.
    """
    enemies = battle.index.enemies_of(unit.player)
    members = PlacedSet.of(model.placed for model in unit.models)
    apart = straight_gaps(members, enemies.bases)
    near = [_fights(battle, members, k, enemies) for k in range(len(members))]
    touching = within(apart.min(axis=1), 0.0) if len(enemies) else np.zeros(len(members), dtype=bool)
    comrades = within(straight_gaps(members, members), 0.0)
    np.fill_diagonal(comrades, False)
    second = (comrades & touching[None, :]).any(axis=1)
    return tuple(bool(first or second[k]) for k, first in enumerate(near))


def widest_reach(battle: Battle) -> float:
    """The widest gap in inches at which a model can be engaged, across a barricade or not."""
    walls = bool(battle.option("walls_as_barricades", False))
    return BARRICADE_REACH if terrain.barricades(battle.battlefield, walls) else measuring.ENGAGEMENT_REACH


def reaches(battle: Battle, members: PlacedSet, enemy: str) -> bool:
    """Whether any of the members is within Engagement Range of a unit, or within two inches across a barricade."""
    others = battle.index.of_unit(enemy)
    if _reached(battle, members, others):
        return True
    return any(name for k in range(len(members)) for name in _across(battle, PlacedSet((members[k],)), others, True))


def charged_across(battle: Battle, member: Placed, enemies: Obstacles) -> tuple[str, Polygon] | None:
    """The barricade across which alone a model reaches some enemies in a charge, None where it needs none."""
    one = PlacedSet((member,))
    if _reached(battle, one, enemies):
        return None
    names = set(_across(battle, one, enemies, True))
    walls = bool(battle.option("walls_as_barricades", False))
    for name, enemy in zip(enemies.names, enemies.bases, strict=True):
        if name not in names:
            continue
        line = LineString(witness(member, enemy))
        for piece, outline in terrain.barricades(battle.battlefield, walls):
            if _between(line, outline, enemy, walls):
                return piece, outline
    return None


def _fights(battle: Battle, members: PlacedSet, k: int, enemies: Obstacles) -> bool:
    one = PlacedSet((members[k],))
    return _reached(battle, one, enemies) or any(_across(battle, one, enemies))


def _reached(battle: Battle, members: PlacedSet, others: Obstacles) -> bool:
    poses = tuple(member.pose for member in members)
    rules = measuring.out_of_reach(battle, others, "engaged", poses)
    return any(breach for rule in rules for breach in rule.judge(members))


def _across(battle: Battle, one: PlacedSet, enemies: Obstacles, standing_at: bool = False) -> Iterator[str]:
    """The enemy models within two inches of a member on the other side of a barricade.

    For a charge those that are ``standing_at`` it, within an inch of it.
    """
    walls = bool(battle.option("walls_as_barricades", False))
    pieces = terrain.barricades(battle.battlefield, walls)
    if not pieces:
        return
    for name, enemy in zip(enemies.names, enemies.bases, strict=True):
        single = Obstacles(PlacedSet((enemy,)), (name,))
        poses = (one[0].pose,)
        for rule in measuring.out_of_reach(battle, single, "engaged", poses, BARRICADE_REACH):
            line = LineString(witness(one[0], enemy))
            if any(rule.judge(one)) and any(
                _between(line, outline, enemy, walls or not standing_at) for _, outline in pieces
            ):
                yield name


def _between(line: LineString, outline: Polygon, enemy: Placed, anywhere: bool) -> bool:
    """Whether a line runs across a barricade behind which an enemy stands: anywhere, or within an inch of it."""
    crosses = bool(line.crosses(outline) or line.within(outline))
    return crosses and (anywhere or within(clearance(enemy, outline), BARRICADE_STAND))


def ask_gap(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The shortest distance in inches between two models or units on the plan: what a rule calls *horizontally*."""
    return float(gaps(*_two_groups(battle, of)).min())


def ask_distance(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The shortest straight line in inches between two models or units, up and down included: what ranges go by."""
    return float(straight_gaps(*_two_groups(battle, of)).min())


def _two_groups(battle: Battle, of: tuple[str, ...]) -> tuple[PlacedSet, PlacedSet]:
    first, second = _two(of)
    return _members(battle, first), _members(battle, second)


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


def ask_can_fight(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """For each model of a unit whether it could fight as it stands."""
    if len(of) != 1:
        raise QuestionError(f"can-fight is asked of one unit, got {len(of)}")
    unit = _unit(battle, of[0])
    _members(battle, unit.id)
    return fighters(battle, unit)


def ask_removal(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """How many models at least have to be removed until the rest is in Unit Coherency."""
    if len(of) != 1:
        raise QuestionError(f"coherency-removal is asked of one unit, got {len(of)}")
    members = _members(battle, _unit(battle, of[0]).id)
    return float(len(members) - coherency.most_left(members))


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
