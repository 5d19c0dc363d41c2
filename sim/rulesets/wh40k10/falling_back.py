"""Falling Back: out of Engagement Range, past and over enemies, at the price of Desperate Escape tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from sim.battle import Battle, Event, Marker, MarkerSet, RollAbout, Unit
from sim.geometry import Rules, Sweep
from sim.rules import NeedChoice, Procedure, Violation
from sim.rulesets.wh40k10 import engagement, losses, measuring, movement, parting, quantifiers, rolls
from sim.rulesets.wh40k10.commands import FallBack
from sim.rulesets.wh40k10.eligibility import may_act
from sim.rulesets.wh40k10.noticing import ENDS, STARTS, seen_moving
from sim.rulesets.wh40k10.resources import Resolving

RULE = "Fall Back"
ESCAPE = "Desperate Escape"
TESTED = "escape-tested"  # marks a model of a unit whose way was to be chosen anew
LOST_ON = 2  # a face up to this costs a model; Desperate Escape


def rules(battle: Battle, command: FallBack) -> Rules:
    """Along the way only the table's edge, big friends and walls hinder; at the end nobody is engaged."""
    unit = battle.unit(command.unit)
    return Rules(
        moving=(measuring.on_table(battle.battlefield), *movement.past_friends_and_walls(battle, unit)),
        standing=movement.at_the_end(battle, unit, command.paths),
    )


def judge(battle: Battle, command: FallBack) -> Iterator[Violation]:
    """All that is wrong with falling back like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement", "move-units")
    yield from movement.no_aircraft(unit, RULE)
    yield from movement.may_move(unit, command, RULE)
    if not movement.can_follow(unit, command):
        return
    if not engagement.engaged_with(battle, unit):
        what = f"{unit.name} is not within Engagement Range of anybody"
        yield Violation("not-eligible", RULE, what, (unit.id,))
    yield from movement.distances(battle, unit, command.paths, RULE, movement.move_of(unit))
    yield from movement.where_it_leads(battle, unit, command, rules(battle, command))


def resolve(battle: Battle, command: FallBack) -> Procedure:
    """The enemy may answer its start; then the tests, the owner picks who is lost, and who is left is moved.

    Where they would end out of Unit Coherency nobody moves, and other paths are to be chosen: who has been tested is
    not tested again.
    """
    before = battle.unit(command.unit)
    if not before.marked(TESTED):
        battle = yield from seen_moving(battle, before, STARTS)
    for unit in parting.what_is_left(battle, before):
        paths = movement.of_those_left(before, unit, command.paths)
        battle = yield from _tested_and_away(battle, FallBack(unit.id, paths))


def _tested_and_away(battle: Battle, command: FallBack) -> Resolving:
    """A unit takes its tests, and what is left of it moves, unless that would end out of Unit Coherency."""
    unit = battle.unit(command.unit)
    tested = tests(battle, unit, command)
    told = RollAbout("desperate-escape", unit.id, needs=LOST_ON + 1)
    battle, faces = yield from rolls.roll(battle, unit.id, len(tested), 6, f"{ESCAPE} of {unit.name}", about=told)
    for _ in (face for face in faces if face <= LOST_ON):
        left = tuple(model.id for model in unit.models if battle.has_model(model.id))
        if not left:
            break
        lost = yield NeedChoice(unit.player, f"{ESCAPE}: which model is lost", left)
        battle = yield from losses.destroy(battle, battle.model(lost).unit, (lost,))
    for part in parting.what_is_left(battle, unit):
        paths = movement.of_those_left(unit, part, command.paths)
        if movement.is_scattered(unit, part, paths):
            for name in tested:
                battle = yield MarkerSet(part.id, Marker(TESTED, name, until="end-of-phase"))
            continue
        battle = yield from movement.follow(part, paths, "fell-back")
        battle = yield MarkerSet(part.id, Marker("fell-back", RULE, until="end-of-turn"))
        battle = yield from seen_moving(battle, part, ENDS)
    return battle


def outcome(battle: Battle, command: FallBack, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Whether the unit got away whole, lost models to its tests, or was lost."""
    before = battle.unit(command.unit).models
    left = [model for model in before if after.has_model(model.id)]
    if not left:
        return {"outcome": "lost"}
    return {"outcome": "loses-models" if len(left) < len(before) else "falls-back"}


def tests(battle: Battle, unit: Unit, command: FallBack) -> tuple[str, ...]:
    """The models that take a Desperate Escape test: who passes over enemies, or all of a Battle-shocked unit.

    A Battle-shocked unit that is engaged with Fortifications alone is tested only where it passes over enemies. Nobody
    is tested twice.
    """
    shocked = unit.marked("battle-shocked")
    spared = only_with_fortifications(battle, unit) if shocked else frozenset()
    over = movement.over_no_enemy(battle, unit)
    sweeps = tuple(Sweep(m.base, path) for m, path in zip(unit.models, command.paths, strict=True))
    crossing = {breach.member for breach in over.judge_paths(sweeps)} - quantifiers.bearing(unit, "TITANIC", "FLY")
    before = {marker.subject for marker in unit.markers if marker.kind == TESTED}
    facing = (m.id for k, m in enumerate(unit.models) if k in crossing or (shocked and m.id not in spared))
    return tuple(name for name in facing if name not in before)


def only_with_fortifications(battle: Battle, unit: Unit) -> frozenset[str]:
    """The models that are spared: all when every engaged enemy is a Fortification, or each model by itself."""
    groups = [unit]
    if battle.option("only_fortifications", "unit") == "model":
        groups = [replace(unit, models=(model,)) for model in unit.models]
    spared: set[str] = set()
    for group in groups:
        enemies = engagement.engaged_with(battle, group)
        if enemies and all(battle.unit(name).has("FORTIFICATION") for name in enemies):
            spared.update(model.id for model in group.models)
    return frozenset(spared)
