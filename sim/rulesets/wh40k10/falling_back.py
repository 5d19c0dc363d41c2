"""Falling Back: out of Engagement Range, past and over enemies, at the price of Desperate Escape tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sim.battle import Battle, Event, Marker, MarkerSet, ModelsMoved, RollAbout, Unit
from sim.geometry import Path, Placed, PlacedSet, Rules, Sweep
from sim.rules import NeedChoice, Procedure, Violation
from sim.rulesets.wh40k10 import engagement, losses, measuring, movement, rolls
from sim.rulesets.wh40k10.commands import FallBack
from sim.rulesets.wh40k10.eligibility import may_act
from sim.rulesets.wh40k10.noticing import ENDS, STARTS, seen_moving

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
    unit = battle.unit(before.id)
    command = replace(command, paths=movement.of_those_left(before, unit, command.paths))
    tested = tests(battle, unit, command) if unit.models else ()
    told = RollAbout("desperate-escape", unit.id, needs=LOST_ON + 1)
    battle, faces = yield from rolls.roll(battle, unit.id, len(tested), 6, f"{ESCAPE} of {unit.name}", about=told)
    for _ in (face for face in faces if face <= LOST_ON):
        left = tuple(model.id for model in battle.unit(unit.id).models)
        lost = yield NeedChoice(unit.player, f"{ESCAPE}: which model is lost", left)
        battle = yield from losses.destroy(battle, unit.id, (lost,))
    left = tuple(model.id for model in battle.unit(unit.id).models)
    if not left:
        return
    paths = tuple((m.id, p) for m, p in zip(unit.models, command.paths, strict=True) if m.id in left)
    if len(left) < len(unit.models) and _scattered(unit, paths):
        for name in tested:
            yield MarkerSet(unit.id, Marker(TESTED, name, until="end-of-phase"))
        return
    yield ModelsMoved(unit.id, paths)
    yield MarkerSet(unit.id, Marker("moved", "fell-back", until="end-of-turn"))
    battle = yield MarkerSet(unit.id, Marker("fell-back", RULE, until="end-of-turn"))
    yield from seen_moving(battle, unit, ENDS)


def _scattered(unit: Unit, paths: Sequence[tuple[str, Path]]) -> bool:
    """Whether the models that are left would end out of Unit Coherency."""
    bases = {model.id: model.base for model in unit.models}
    ends = PlacedSet.of(Placed(bases[name], path.end) for name, path in paths)
    return any(measuring.coherency(len(paths)).judge(ends))


def outcome(battle: Battle, command: FallBack, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Whether the unit got away whole, lost models to its tests, or was lost."""
    lost = len(battle.unit(command.unit).models) - len(after.unit(command.unit).models)
    if not after.unit(command.unit).models:
        return {"outcome": "lost"}
    return {"outcome": "loses-models" if lost else "falls-back"}


def tests(battle: Battle, unit: Unit, command: FallBack) -> tuple[str, ...]:
    """The models that take a Desperate Escape test: who passes over enemies, or all of a Battle-shocked unit.

    A Battle-shocked unit that is engaged with Fortifications alone is tested only where it passes over enemies. Nobody
    is tested twice.
    """
    shocked = unit.marked("battle-shocked")
    spared = only_with_fortifications(battle, unit) if shocked else frozenset()
    over = movement.over_no_enemy(battle, unit)
    sweeps = tuple(Sweep(m.base, path) for m, path in zip(unit.models, command.paths, strict=True))
    crossing = {breach.member for breach in over.judge_paths(sweeps)}
    if unit.has("TITANIC", "FLY"):
        crossing = set()
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
