"""Walking along a path."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerSet, ModelsMoved
from sim.geometry import KeepClear, Limit, Rules, Sweep, beyond
from sim.rules import Procedure, Violation
from tests.toy import common
from tests.toy.commands import Walk


def rules(battle: Battle, command: Walk) -> Rules:
    unit = battle.unit(command.unit)
    enemies = battle.index.enemies_of(unit.player)
    return Rules(
        moving=(KeepClear("crosses-model", "Walk", enemies, 0.0, strict=False),),
        standing=common.standing(battle, unit),
    )


def judge(battle: Battle, command: Walk) -> Iterator[Violation]:
    unit = battle.unit(command.unit)
    yield from common.may_act(battle, unit, "Walk", "go", "walk")
    if not unit.on_table or unit.marked("walked"):
        yield Violation("not-eligible", "Walk", f"{unit.id} cannot walk now", (unit.id,))
    wrong = tuple(common.one_each(unit, command.paths, "Walk"))
    wrong += tuple(
        Violation("wrong-start", "Walk", f"{model.id} does not stand there", (model.id,))
        for model, path in zip(unit.models, command.paths, strict=False)
        if path.start != model.pose
    )
    yield from wrong
    if wrong:
        return
    most = unit.value("M") or 0.0
    for model, path in zip(unit.models, command.paths, strict=True):
        if beyond(path.length, most):
            limit = Limit("at_most", most)
            what = f"{model.id} walks {path.length:.3f} of {most:g} inches"
            yield Violation("too-far", "Walk", what, (model.id,), path.length, limit)
    sweeps = [Sweep(m.base, path) for m, path in zip(unit.models, command.paths, strict=True)]
    ends = [path.end for path in command.paths]
    yield from common.breaches(unit, rules(battle, command), ends, sweeps)


def resolve(battle: Battle, command: Walk) -> Procedure:
    unit = battle.unit(command.unit)
    yield ModelsMoved(unit.id, tuple(zip((m.id for m in unit.models), command.paths, strict=True)))
    yield MarkerSet(unit.id, Marker("walked", amount=1, until="end-of-turn"))
