"""The Command phase and the score: command points, Battle-shock, and who controls which objective marker."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sim.battle import (
    Battle,
    Clock,
    Marker,
    MarkerCleared,
    MarkerSet,
    Objective,
    RollAbout,
    Unit,
    WoundsChanged,
)
from sim.battle.events import ScoreChanged
from sim.battle.state import RESERVES
from sim.rules import Answer, Holding, NeedChoice, QuestionError, ReactionWindow, lasting
from sim.rulesets.wh40k10 import abilities, leaders, losses, parting, quantifiers, rolls, transports, waaagh
from sim.rulesets.wh40k10.noticing import answered
from sim.rulesets.wh40k10.resources import POINTS, Resolving

SHOCK = "Battle-shock"
TESTED_ON = (2, 6)  # two dice of six sides
GAIN = 1  # command points for both players at the start of each Command phase
CONTESTED = "contested"
STICKY = "sticky-objective"  # the ability
KEPT = "kept"  # the marker on a unit whose player keeps an objective marker, with its id
HOLDS = 5  # victory points for each marker controlled at the end of the own Command phase; a simple mission
MOST_A_TURN = 15  # victory points
SCORED_FROM = 2  # battle round
BEGUN = "command-phase-begun"  # the marker of a Command phase whose start is over
BEFORE_SHOCK = "battle-shock-test"
SHOCK_FAILED = "battle-shock-failed"
BRAVE = "insane-bravery"  # the marker of a unit that passes its Battle-shock tests
Control = tuple[tuple[str, str], ...]


def begin(battle: Battle, clock: Clock) -> Resolving:
    """A Command phase begins: what lasted until it is over, both players gain a command point."""
    for event in lasting.over(battle, frozenset(("next-command-phase",)), clock):
        battle = yield event
    for name in battle.players:
        battle = yield ScoreChanged(name, GAIN, POINTS)
    if battle.units:
        battle = yield MarkerSet(battle.units[0].id, Marker(BEGUN, until="end-of-phase"))
    battle = yield from _repaired(battle, clock.player)
    battle = yield from _sworn(battle, clock.player)
    return (yield from waaagh.called(battle, clock.player))


def has_begun(battle: Battle) -> bool:
    """Whether what happens at the start of this Command phase has happened; not where a battle starts within it."""
    return any(unit.marked(BEGUN) for unit in battle.units)


def _repaired(battle: Battle, player: str) -> Resolving:
    """Models that repair themselves regain wounds."""
    for unit in battle.units:
        value = unit.ability("self-repair")
        if value is None or unit.player != player:
            continue
        for model in unit.models:
            if model.wounds_lost:
                battle = yield WoundsChanged(model.id, max(0, model.wounds_lost - int(value)))
    return battle


def _sworn(battle: Battle, player: str) -> Resolving:
    """An Oath of Moment is sworn against one enemy unit."""
    if not any(u.player == player and u.models and u.ability("oath-of-moment") is not None for u in battle.units):
        return battle
    foes = tuple(u.id for u in battle.units if u.player != player and u.models and u.on_table)
    if not foes:
        return battle
    picked: str = foes[0]
    if len(foes) > 1:
        picked = yield NeedChoice(player, "Oath of Moment: which enemy unit", foes)
    until_next = Marker(abilities.OATH, player, until="next-command-phase", player=player, round=battle.clock.round + 1)
    battle = yield MarkerSet(picked, until_next)
    return battle


def shock_tests(battle: Battle, player: str) -> Resolving:
    """A Battle-shock test for each unit on the table that is Below Half-strength."""
    for name in [u.id for u in battle.units if u.player == player]:
        unit = battle.unit(name)
        if not unit.on_table or not unit.models or not losses.below_half(unit):
            continue
        battle = yield from shock_test(battle, name)
    return battle


def shock_test(battle: Battle, name: str) -> Resolving:
    """One Battle-shock test: two dice against the best Leadership; bravery may be bought before or after."""
    unit = battle.unit(name)
    leadership = int(leaders.leadership(unit) or 7)
    battle = yield from answered(battle, ReactionWindow(BEFORE_SHOCK, name, (unit.player,)))
    if battle.unit(name).marked(BRAVE):
        return battle
    count, sides = TESTED_ON
    purpose = f"{SHOCK} of {unit.name} on {leadership}+"
    told = RollAbout("battle-shock", name, needs=leadership)
    battle, faces = yield from rolls.roll(battle, name, count, sides, purpose, count, told)
    if sum(faces) >= leadership:
        return battle
    battle = yield from answered(battle, ReactionWindow(SHOCK_FAILED, name, (unit.player,)))
    if battle.unit(name).marked(BRAVE):
        return battle
    battle = yield MarkerSet(name, Marker("battle-shocked", SHOCK, until="next-command-phase"))
    return battle


def level(battle: Battle, player: str, objective: Objective) -> float:
    """A player's Level of Control over a marker: the OC of all its models within range; none while Battle-shocked."""
    total = 0.0
    for unit in battle.units:
        if unit.player == player and unit.on_table and not unit.marked("battle-shocked"):
            near = abilities.models_near(unit, objective)
            counted = [m for m, is_near in zip(unit.models, near, strict=True) if is_near]
            total += math.fsum(leaders.number(unit, m, "OC") or 0.0 for m in counted)
    return total


def controller(battle: Battle, objective: Objective) -> str:
    """Who controls a marker now: the player with the highest Level of Control, or who has kept it, or nobody."""
    ranked = sorted(((level(battle, p, objective), p) for p in battle.players), reverse=True)
    tied = len(ranked) > 1 and ranked[0][0] <= ranked[1][0]
    if ranked and not tied and ranked[0][0] > 0:
        return ranked[0][1]
    return keeper(battle, objective) or CONTESTED


def keeper(battle: Battle, objective: Objective) -> str | None:
    """The player that keeps a marker though nobody of it stands there; None without one."""
    kind = f"{KEPT}:{objective.id}"
    return next((unit.player for unit in battle.units if unit.marked(kind)), None)


def keep(battle: Battle, player: str) -> Resolving:
    """At the end of its Command phase a player keeps the markers that it controls and that such units stand at."""
    for objective in battle.battlefield.objectives:
        if controller(battle, objective) != player or keeper(battle, objective) == player:
            continue
        for unit in battle.units:
            keeps = unit.player == player and quantifiers.some(unit, STICKY) is not None
            if keeps and abilities.near_objective(unit, objective):
                battle = yield MarkerSet(unit.id, Marker(f"{KEPT}:{objective.id}", player))
                break
    return battle


def lose(battle: Battle) -> Resolving:
    """At the end of a phase a marker is kept no longer by who has the lower Level of Control."""
    for objective in battle.battlefield.objectives:
        kind, owner = f"{KEPT}:{objective.id}", controller(battle, objective)
        for unit in battle.units if owner != CONTESTED else ():
            if unit.player != owner and unit.marked(kind):
                battle = yield MarkerCleared(unit.id, kind)
    return battle


def holdings(battle: Battle) -> tuple[Holding, ...]:
    """Who holds each marker now, and the Level of Control of each player over it."""
    found = []
    for objective in battle.battlefield.objectives:
        owner = controller(battle, objective)
        levels = tuple((player, level(battle, player, objective)) for player in battle.players)
        found.append(Holding(objective.id, "" if owner == CONTESTED else owner, levels))
    return tuple(found)


def controlled(battle: Battle) -> Control:
    """Who controls each marker."""
    return tuple((o.id, controller(battle, o)) for o in battle.battlefield.objectives)


def score(battle: Battle, player: str) -> Resolving:
    """Victory points at the end of a player's Command phase, for every marker that it controls then."""
    if battle.clock.round < SCORED_FROM:
        return battle
    held = sum(owner == player for _, owner in controlled(battle))
    points = min(MOST_A_TURN, HOLDS * held)
    if points:
        battle = yield ScoreChanged(player, points)
    return battle


def last_score(battle: Battle) -> Resolving:
    """At the end of the battle the markers count once more, for both players; what never arrived is destroyed."""
    for player in battle.players:
        battle = yield from score(battle, player)
    away = {RESERVES, *(f"{transports.ABOARD}{unit.id}" for unit in battle.units if unit.whereabouts == RESERVES)}
    for unit in battle.units:
        if unit.whereabouts in away and unit.models:
            battle = yield from parting.removed(battle, unit.id, tuple(m.id for m in unit.models))
    return battle


def ask_controls(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Who controls an objective marker: a player or "contested"."""
    return controller(battle, _objective(battle, of))


def ask_in_range(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether a model or a unit is within range of an objective marker."""
    if len(of) != 2:
        raise QuestionError(f"in-range is asked of a model or unit and a marker, got {len(of)}")
    objective = _objective(battle, of[1:])
    if battle.has_model(of[0]):
        model = battle.model(of[0])
        unit = battle.unit(model.unit)
        return abilities.models_near(unit, objective)[[m.id for m in unit.models].index(model.id)]
    return abilities.near_objective(_unit(battle, of[0]), objective)


def _objective(battle: Battle, of: tuple[str, ...]) -> Objective:
    found = next((o for o in battle.battlefield.objectives if of and o.id == of[0]), None)
    if found is None:
        raise QuestionError(f"no objective marker is called {of[0]!r}" if of else "expected an objective marker")
    return found


def _unit(battle: Battle, name: str) -> Unit:
    if not battle.has_unit(name):
        raise QuestionError(f"no model or unit is called {name!r}")
    return battle.unit(name)
