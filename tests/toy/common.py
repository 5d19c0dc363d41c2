"""Checks that several commands of the toy game share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import shapely

from sim.battle import Battle, Unit
from sim.geometry import (
    Constraint,
    KeepApart,
    KeepClear,
    KeepTogether,
    Obstacles,
    Placed,
    PlacedSet,
    Pose,
    Rules,
    StayInside,
    Sweep,
)
from sim.rules import Violation, from_breach


def may_act(battle: Battle, unit: Unit, rule: str, phase: str, step: str) -> Iterator[Violation]:
    """The wrong moment, or somebody else's turn."""
    clock = battle.clock
    if (clock.phase, clock.step) != (phase, step):
        yield Violation("wrong-phase", rule, f"{rule} belongs to {phase}, {step}", (unit.id,))
    elif clock.player != unit.player:
        yield Violation("wrong-phase", rule, f"it is the turn of {clock.player}", (unit.id,))


def one_each(unit: Unit, given: Sequence[object], rule: str) -> Iterator[Violation]:
    """Not exactly one pose or path a model."""
    if len(given) != len(unit.models):
        what = f"{unit.id} has {len(unit.models)} models, {len(given)} were given"
        yield Violation("wrong-model-count", rule, what, (unit.id,))


def on_table(battle: Battle) -> StayInside:
    """No base sticks out over the edge."""
    field = battle.battlefield
    return StayInside("off-table", "Edge", "the table", shapely.box(0, 0, field.width, field.depth))


def standing(battle: Battle, unit: Unit) -> tuple[Constraint, ...]:
    """What holds wherever a unit comes to stand."""
    others = battle.index.others_than(unit.id)
    blocks = Obstacles.of_outlines([(t.id, t.outline, t.height) for t in battle.battlefield.terrain])
    return (
        on_table(battle),
        KeepApart("overlaps-model", "Bases"),
        KeepClear("overlaps-model", "Bases", others, 0.0, strict=False),
        KeepClear("overlaps-terrain", "Blocks", blocks, 0.0, strict=False),
        KeepTogether("incoherent", "Flock", 2.0, 5.0, 1),
    )


def breaches(unit: Unit, rules: Rules, poses: Sequence[Pose], sweeps: Sequence[Sweep] = ()) -> Iterator[Violation]:
    """The breaches of a unit at poses as violations."""
    members = PlacedSet.of(Placed(m.base, p) for m, p in zip(unit.models, poses, strict=True))
    ids = [model.id for model in unit.models]
    for breach in rules.breaches(members, sweeps):
        other = breach.other
        if other is not None and other.startswith("#"):
            other = ids[int(other[1:])]
        who = ids[breach.member]
        text = f"{who}: {breach.code} {other}, {breach.measured:.3f} instead of {breach.required}"
        yield from_breach(breach, who, text, other)
