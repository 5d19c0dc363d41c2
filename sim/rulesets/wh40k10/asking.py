"""Questions about sight, cover and needed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.battle import Battle, Model, Unit, same_name
from sim.geometry import Placed, Pose, Round, within
from sim.geometry.wholly_near import farthest_from
from sim.rules import Answer, QuestionError
from sim.rulesets.wh40k10 import shooting, striking, visibility, volleys
from sim.rulesets.wh40k10.commands import AttackWith
from sim.rulesets.wh40k10.datasheets import arms_of


def ask_visible(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether any model of the second is visible to any model of the first."""
    first, second = _two(battle, of)
    return any(visibility.model_sees(battle, a, b) is not None for a in first for b in second)


def ask_fully_visible(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether all of the second is visible to every model of the first."""
    first, second = _two(battle, of)
    return all(visibility.fully_visible(battle, a, b) for a in first for b in second)


def ask_wholly_within(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether all of the first lies within a limit of the second, a model, a unit or an objective marker."""
    limit = details.get("limit")
    if len(of) != 2 or not isinstance(limit, (int, float)):
        raise QuestionError("wholly-within is asked of two, with a limit in inches")
    marker = next((o for o in battle.battlefield.objectives if o.id == of[1]), None)
    if marker is not None:
        targets = [Placed(Round(2 * marker.radius), Pose(*marker.at))]
    else:
        targets = [model.placed for _, model in _models(battle, of[1])]
    return all(
        any(within(farthest_from(model.placed, target), float(limit)) for target in targets)
        for _, model in _models(battle, of[0])
    )


def ask_cover(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """Whether the second has the Benefit of Cover against the first; of a unit, whether all its models have it."""
    first, second = _two(battle, of)
    return all(visibility.has_cover(battle, first[0][0], unit, model) is not None for unit, model in second)


def ask_needs(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """What a model needs with a weapon against a unit: the faces that hit, wound and save (0 where none is needed)."""
    if len(of) != 3:
        raise QuestionError(f"needs is asked of a model, a weapon and a unit, got {len(of)}")
    (unit, model), target = _models(battle, of[0])[0], battle.unit(of[2])
    weapon = next((w for w in arms_of(unit, model) if same_name(w.name, of[1])), None)
    if weapon is None:
        raise QuestionError(f"{model.id} has no weapon {of[1]!r}")
    if weapon.range > 0:
        shots = shooting.shots_of(battle, unit, (AttackWith(model.id, weapon.name, target.id, weapon.profile),))
        volley = next(shooting.plan_volleys(battle, unit, shots))
        attack = volley.attack(battle)
    else:
        attack = volleys.attack_of(weapon, target, striking.circumstances(battle, unit, target, weapon, model.id))
    return (0 if attack.hit is None else attack.hit.needed, attack.wound.needed, attack.saves_on)


def _two(battle: Battle, of: tuple[str, ...]) -> tuple[list[tuple[Unit, Model]], list[tuple[Unit, Model]]]:
    if len(of) != 2:
        raise QuestionError(f"expected two ids, got {len(of)}")
    return _models(battle, of[0]), _models(battle, of[1])


def _models(battle: Battle, name: str) -> list[tuple[Unit, Model]]:
    if battle.has_model(name):
        model = battle.model(name)
        found = [(battle.unit(model.unit), model)]
    elif battle.has_unit(name):
        found = [(battle.unit(name), model) for model in battle.unit(name).models]
    else:
        raise QuestionError(f"no model or unit is called {name!r}")
    found = [(unit, model) for unit, model in found if model.pose is not None]
    if not found:
        raise QuestionError(f"{name} is not on the table")
    return found
