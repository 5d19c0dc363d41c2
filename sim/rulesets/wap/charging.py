"""Declaring a charge: who may, the tests of Terror, and whether the target is in range."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerSet, Unit
from sim.geometry import within
from sim.geometry.distance import gaps
from sim.rules import NeedRoll, Procedure, Told, Violation
from sim.rulesets.wap import measuring
from sim.rulesets.wap.commands import DeclareCharge
from sim.rulesets.wap.eligibility import (
    RANDOM_MOVEMENT,
    engaged_with,
    has_rallied,
    is_fleeing,
    may_act,
    no_random_movement,
)

RULE = "Declare Charge"
TERROR = "Terror"
SWIFTSTRIDE = "swiftstride"
SWIFT_FROM = 7  # Movement; from here on Swiftstride rolls a third die and drops the lowest
SLOWEST_SWIFT = 4  # Movement; below it Swiftstride has no effect


def judge(battle: Battle, command: DeclareCharge) -> Iterator[Violation]:
    """All that forbids the declaration."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    yield from may_act(battle, unit, RULE, "movement", "charges")
    yield from no_random_movement(unit, RULE, "declare a charge")
    if target.player == unit.player:
        yield Violation("not-eligible", RULE, f"{target.name} is no enemy", (unit.id, target.id))
    for one in (unit, target):
        if not one.on_table:
            yield Violation("not-eligible", RULE, f"{one.name} is not on the table", (one.id,))
    if is_fleeing(unit) or has_rallied(unit) or unit.marked("moved"):
        yield Violation("not-eligible", RULE, f"{unit.name} may not charge this turn", (unit.id,))
    if enemies := engaged_with(battle, unit):
        yield Violation("not-eligible", RULE, f"{unit.name} is in close combat", (unit.id, *enemies))
    if unit.value("M") is None and unit.ability(RANDOM_MOVEMENT) is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Movement (M) in its profile", (unit.id,))


def resolve(battle: Battle, command: DeclareCharge) -> Procedure:
    """Terror first, on either side; then the range is rolled."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    if terror_of_target(unit, target):
        passed = yield from _test(unit, f"{TERROR}: Psychology test of {unit.id}")
        if not passed:
            yield MarkerSet(unit.id, Marker("charge", "refuses", until="end-of-turn"))
            return
    if panics_before_reacting(target, unit, "declared"):
        passed = yield from _test(target, f"{TERROR}: Panic test of {target.id}")
        if not passed:
            yield MarkerSet(target.id, Marker("fleeing"))
            yield MarkerSet(unit.id, Marker("charge", "target-flees", until="end-of-turn"))
            return
    count = charge_dice(unit)
    faces = yield NeedRoll(count, 6, "charge range", unit.player)
    reach = charge_range(unit, faces)
    found = "in-range" if within(_gap(battle, unit, target), reach) else "fails"
    yield MarkerSet(unit.id, Marker("charge", found, int(reach), "end-of-turn"))


def charge_dice(unit: Unit) -> int:
    """How many dice a charge rolls: two, or three with Swiftstride at a Movement of seven or more."""
    return 3 if _swift(unit) and (unit.value("M") or 0) >= SWIFT_FROM else 2


def charge_range(unit: Unit, faces: tuple[int | float, ...]) -> float:
    """The range of a charge: Movement and the highest die; with Swiftstride both dice, or the best two of three."""
    move = unit.value("M") or 0.0
    if not _swift(unit):
        return move + max(faces)
    return move + sum(sorted(faces)[-2:])


def flight(unit: Unit, faces: tuple[int | float, ...]) -> float:
    """The distance of a flight or pursuit: with Random Movement all its dice, and Swiftstride is not used."""
    if unit.ability(RANDOM_MOVEMENT) is not None or not _swift(unit):
        return float(sum(faces))
    return float(sum(faces)) if (unit.value("M") or 0) >= SWIFT_FROM else float(sum(sorted(faces)[-2:]))


def _swift(unit: Unit) -> bool:
    move = unit.value("M")
    return (
        unit.ability(SWIFTSTRIDE) is not None
        and unit.ability(RANDOM_MOVEMENT) is None
        and move is not None
        and move >= SLOWEST_SWIFT
    )


def terror_of_target(charger: Unit, target: Unit) -> bool:
    """Whether a unit must master its terror before it may declare a charge against a target."""
    return target.ability("terror") is not None and not immune(charger)


def panics_before_reacting(target: Unit, charger: Unit, how: str) -> bool:
    """Whether a unit that is charged tests for panic first: only a *declared* charge lets it react, and so lets it run.

    A random move or a pursuit that ends in contact gives no reaction, and no test.
    """
    return how == "declared" and charger.ability("terror") is not None and not immune(target)


def immune(unit: Unit) -> bool:
    """Whether Terror leaves a unit cold: who causes it, and who has Immunity to it or to all psychology."""
    value = (unit.ability("immunity") or "").lower()
    return unit.ability("terror") is not None or any(word in value for word in ("psychology", "terror"))


def _test(unit: Unit, purpose: str) -> Generator[Told, Any, bool]:
    leadership = unit.value("Ld") or unit.value("LD") or 0
    faces = yield NeedRoll(2, 6, f"{purpose} on {leadership:g} or less", unit.player)
    return bool(sum(faces) <= leadership)


def _gap(battle: Battle, unit: Unit, target: Unit) -> float:
    return float(gaps(measuring.bases(battle, unit), measuring.bases(battle, target)).min())


def outcome(battle: Battle, command: DeclareCharge, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What came of the declaration, and the range that was rolled."""
    marker = next(e.marker for e in events if isinstance(e, MarkerSet) and e.marker.kind == "charge")
    return {"outcome": marker.subject, "distance": marker.amount, "target": command.target}
