"""Setting up, dropping in, and going back to wait."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from shapely import Polygon

from sim.battle import Battle, ClockAdvanced, ModelsPlaced, ModelsRemoved, Unit, UnitParted
from sim.battle.state import RESERVES
from sim.geometry import KeepClear, Rules, StayInside
from sim.rules import Deploy, Procedure, Violation
from tests.toy import common
from tests.toy.commands import Drop, Recall

CLEARANCE = 3.0  # inches, more than this; Drop


def deploy_rules(battle: Battle, command: Deploy) -> Rules:
    unit = battle.unit(command.unit)
    zones = [z for z in battle.battlefield.zones if z.player == unit.player]
    inside = [StayInside("not-wholly-within", "Zone", z.id, Polygon(z.outline)) for z in zones]
    return Rules(standing=(*inside, *common.standing(battle, unit)))


def judge_deploy(battle: Battle, command: Deploy) -> Iterator[Violation]:
    unit = battle.unit(command.unit)
    yield from common.may_act(battle, unit, "Setting up", "setup", "array")
    yield from _waiting(battle, command.unit)
    wrong = tuple(common.one_each(unit, command.models, "Setting up"))
    yield from wrong
    if not wrong:
        yield from common.breaches(unit, deploy_rules(battle, command), command.models)


def resolve_deploy(battle: Battle, command: Deploy) -> Procedure:
    unit = battle.unit(command.unit)
    battle = yield ModelsPlaced(unit.id, tuple(zip((m.id for m in unit.models), command.models, strict=True)))
    left = [u.player for u in battle.units if u.whereabouts == RESERVES]
    others = [p for p in battle.players if p != battle.clock.player and p in left]
    if others:
        clock = battle.clock
        yield ClockAdvanced(type(clock)(clock.round, others[0], clock.phase, clock.step))


def drop_rules(battle: Battle, command: Drop) -> Rules:
    unit = battle.unit(command.unit)
    enemies = battle.index.enemies_of(unit.player)
    clear = KeepClear("enemy-too-close", "Drop", enemies, CLEARANCE)
    return Rules(standing=(clear, *common.standing(battle, unit)))


def judge_drop(battle: Battle, command: Drop) -> Iterator[Violation]:
    unit = battle.unit(command.unit)
    yield from common.may_act(battle, unit, "Drop", "go", "drop")
    yield from _waiting(battle, command.unit)
    wrong = tuple(common.one_each(unit, command.models, "Drop"))
    yield from wrong
    if not wrong:
        yield from common.breaches(unit, drop_rules(battle, command), command.models)


def resolve_drop(battle: Battle, command: Drop) -> Procedure:
    unit = battle.unit(command.unit)
    yield ModelsPlaced(unit.id, tuple(zip((m.id for m in unit.models), command.models, strict=True)))


def judge_recall(battle: Battle, command: Recall) -> Iterator[Violation]:
    unit = battle.unit(command.unit)
    yield from common.may_act(battle, unit, "Recall", "go", "drop")
    if not unit.on_table:
        yield Violation("not-eligible", "Recall", f"{unit.id} is not on the table", (unit.id,))


def resolve_recall(battle: Battle, command: Recall) -> Procedure:
    """The unit waits again; from the second round on one of more than two models falls apart on the way, once."""
    unit = battle.unit(command.unit)
    battle = yield ModelsRemoved(unit.id, tuple(m.id for m in unit.models), RESERVES)
    rest = f"{unit.id}-rest"
    if battle.clock.round > 1 and len(unit.models) > 2 and not battle.has_unit(rest):
        yield UnitParted(unit.id, tuple(_halves(battle.unit(unit.id), rest)))


def _halves(unit: Unit, rest: str) -> Iterator[Unit]:
    """Two models keep the name, the others are a unit of their own."""
    yield replace(unit, models=unit.models[:2])
    others = tuple(replace(model, unit=rest) for model in unit.models[2:])
    yield replace(unit, id=rest, name=rest, models=others)


def _waiting(battle: Battle, unit: str) -> Iterator[Violation]:
    where = battle.unit(unit).whereabouts
    if where != RESERVES:
        yield Violation("not-eligible", "Waiting", f"{unit} does not wait: it is {where}", (unit,))
