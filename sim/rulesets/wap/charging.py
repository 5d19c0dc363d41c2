"""Declaring a charge: who may, the tests of Terror, redirecting, and whether the target is in range."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

import numpy as np

from sim.battle import Battle, Event, Marker, MarkerSet, Unit
from sim.geometry import Limit, Segment, Witness, beyond, within
from sim.geometry.distance import gaps, witness
from sim.geometry.lengths import compared
from sim.rules import NeedRoll, Procedure, Told, Violation
from sim.rulesets.wap import measuring
from sim.rulesets.wap.abilities import RANDOM_MOVEMENT, TERROR, fears_terror, may_panic
from sim.rulesets.wap.commands import DeclareCharge
from sim.rulesets.wap.eligibility import (
    engaged_with,
    has_rallied,
    is_fleeing,
    may_act,
    no_random_movement,
    no_war_machine,
)

RULE = "Declare Charge"
TESTING = "Terror"
REDIRECTING = "Redirecting a Charge"
SWIFTSTRIDE = "swiftstride"
SWIFT_FROM = 7  # Movement; from here on Swiftstride rolls a third die and drops the lowest
SLOWEST_SWIFT = 4  # Movement; below it Swiftstride has no effect
HIGHEST = 6  # of a die

DECLARED = "declared"  # a charge was declared this turn, or would have been but for Terror: at whom
CHARGE = "charge"  # what came of the last declaration
REFUSES, FLEES, STANDS = "refuses", "target-flees", "not-redirected"
MAY_REDIRECT = (REFUSES, FLEES)  # what lets a unit declare once more


def judge(battle: Battle, command: DeclareCharge) -> Iterator[Violation]:
    """All that forbids the declaration."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    yield from may_act(battle, unit, RULE, "movement", "charges")
    yield from no_random_movement(unit, RULE, "declare a charge")
    yield from no_war_machine(unit, RULE, "charge")
    if target.player == unit.player:
        yield Violation("not-eligible", RULE, f"{target.name} is not an enemy unit", (unit.id, target.id))
    for one in (unit, target):
        if not one.on_table:
            yield Violation("not-eligible", RULE, f"{one.name} is not on the table", (one.id,))
    if is_fleeing(unit) or has_rallied(unit) or unit.marked("moved"):
        yield Violation("not-eligible", RULE, f"{unit.name} may not charge this turn", (unit.id,))
    if enemies := engaged_with(battle, unit):
        yield Violation("not-eligible", RULE, f"{unit.name} is in close combat", (unit.id, *enemies))
    if unit.value("M") is None and unit.ability(RANDOM_MOVEMENT) is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Movement (M) in its profile", (unit.id,))
    yield from _once(unit, target)
    yield from _can_be_tested(battle, unit, target)
    yield from _within_reach(battle, unit, target)


def _once(unit: Unit, target: Unit) -> Iterator[Violation]:
    """One declaration a turn, and one more at somebody else where the rule lets the charge be redirected."""
    aimed = [marker.subject for marker in unit.markers if marker.kind == DECLARED]
    if not aimed:
        return
    if target.id in aimed:
        what = f"{unit.name} has declared a charge against {target.name} this turn"
        yield Violation("already-declared", RULE, what, (unit.id, target.id))
    elif not _may_redirect(unit):
        yield Violation("already-declared", RULE, f"{unit.name} has declared its charge this turn", (unit.id,))


def _may_redirect(unit: Unit) -> bool:
    """Whether Terror or a target that flees lets a unit try to charge somebody else, once a turn."""
    aimed = sum(1 for marker in unit.markers if marker.kind == DECLARED)
    last = next((marker.subject for marker in reversed(unit.markers) if marker.kind == CHARGE), "")
    return aimed == 1 and last in MAY_REDIRECT


def _can_be_tested(battle: Battle, unit: Unit, target: Unit) -> Iterator[Violation]:
    """Whoever has to take a test needs a Leadership to take it on."""
    redirects = unit.marked(DECLARED)
    tested = [unit] if redirects or must_master_terror(unit, target) else []
    tested += [target] if panics_before_reacting(battle, target, unit) else []
    for one in tested:
        if _leadership(one) is None:
            what = f"{one.name} has to take a test and has no Leadership (Ld) in its profile"
            yield Violation("not-eligible", RULE, what, (one.id,))


def _within_reach(battle: Battle, unit: Unit, target: Unit) -> Iterator[Violation]:
    """Distances may be measured beforehand: a charge that no roll can complete is not declared."""
    move = unit.value("M")
    if not (unit.on_table and target.on_table and unit.models and target.models) or move is None:
        return
    most = charge_range(unit, (HIGHEST,) * charge_dice(unit))
    off, line = _closest(battle, unit, target)
    if beyond(off, most):
        away, longest = compared(off, most)
        what = f"{target.name} is {away} away; the longest charge of {unit.name} is {longest}"
        limit = Limit("at_most", most)
        yield Violation("target-too-far", RULE, what, (unit.id, target.id), off, limit, Witness(line=line))


def resolve(battle: Battle, command: DeclareCharge) -> Procedure:
    """A test to redirect where it is the second declaration; Terror on either side; then the range is rolled."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    if unit.marked(DECLARED):
        passed = yield from _test(unit, f"{REDIRECTING}: Leadership test of {unit.id}")
        if not passed:
            yield MarkerSet(unit.id, Marker(DECLARED, target.id, until="end-of-turn"))
            yield MarkerSet(unit.id, Marker(CHARGE, STANDS, until="end-of-turn"))
            return
    yield MarkerSet(unit.id, Marker(DECLARED, target.id, until="end-of-turn"))
    if must_master_terror(unit, target):
        passed = yield from _test(unit, f"{TESTING}: Psychology test of {unit.id}")
        if not passed:
            yield MarkerSet(unit.id, Marker(CHARGE, REFUSES, until="end-of-turn"))
            return
    if panics_before_reacting(battle, target, unit):
        passed = yield from _test(target, f"{TESTING}: Panic test of {target.id}")
        if not passed:
            yield MarkerSet(target.id, Marker("fleeing"))
            yield MarkerSet(unit.id, Marker(CHARGE, FLEES, until="end-of-turn"))
            return
    count = charge_dice(unit)
    faces = yield NeedRoll(count, 6, "charge range", unit.player)
    reach = charge_range(unit, faces)
    off, _ = _closest(battle, unit, target)
    found = "in-range" if within(off, reach) else "fails"
    yield MarkerSet(unit.id, Marker(CHARGE, found, int(reach), "end-of-turn"))


def spends_its_move(unit: Unit) -> bool:
    """Whether a unit has declared a charge this turn that stands: that is its move, whether it arrives or fails.

    A charge that Terror kept it from declaring is none.
    """
    told = [marker.subject for marker in unit.markers if marker.kind == CHARGE]
    return any(word not in (REFUSES, STANDS) for word in told)


def charge_dice(unit: Unit) -> int:
    """How many dice a charge rolls: two, or three with Swiftstride at a Movement of seven or more."""
    return 3 if _swift(unit) and (unit.value("M") or 0) >= SWIFT_FROM else 2


def charge_range(unit: Unit, faces: tuple[int | float, ...]) -> float:
    """The range of a charge: Movement and the highest die; with Swiftstride both dice, or the best two of three."""
    move = unit.value("M") or 0.0
    if not _swift(unit):
        return move + max(faces)
    return move + sum(sorted(faces)[-2:])


def _swift(unit: Unit) -> bool:
    move = unit.value("M")
    return (
        unit.ability(SWIFTSTRIDE) is not None
        and unit.ability(RANDOM_MOVEMENT) is None
        and move is not None
        and move >= SLOWEST_SWIFT
    )


def must_master_terror(charger: Unit, target: Unit) -> bool:
    """Whether a unit takes a Psychology test before it may declare a charge: the target is a Terror to it."""
    return target.ability(TERROR) is not None and fears_terror(charger)


def panics_before_reacting(battle: Battle, target: Unit, charger: Unit) -> bool:
    """Whether a unit that a Terror declares a charge against takes a Panic test before it reacts.

    Whoever takes Terror for Fear, or does not panic, takes none; nor does a unit that could not react anyway, because
    it flees already or is in close combat. A random move or a pursuit into contact is not declared and never gets here.
    """
    if charger.ability(TERROR) is None or not fears_terror(target) or not may_panic(target):
        return False
    return not is_fleeing(target) and not engaged_with(battle, target)


def _leadership(unit: Unit) -> float | None:
    known = unit.value("Ld")
    return unit.value("LD") if known is None else known


def _test(unit: Unit, purpose: str) -> Generator[Told, Any, bool]:
    leadership = _leadership(unit)
    assert leadership is not None
    faces = yield NeedRoll(2, 6, f"{purpose} on {leadership:g} or less", unit.player)
    return bool(sum(faces) <= leadership)


def _closest(battle: Battle, unit: Unit, target: Unit) -> tuple[float, Segment]:
    """The gap between two units in inches, and the line along which it is measured."""
    ours, theirs = measuring.bases(battle, unit), measuring.bases(battle, target)
    apart = gaps(ours, theirs)
    i, k = (int(n) for n in np.unravel_index(int(apart.argmin()), apart.shape))
    return float(apart[i, k]), witness(ours[i], theirs[k])


def outcome(battle: Battle, command: DeclareCharge, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What came of the declaration, and the range that was rolled."""
    marker = next(e.marker for e in events if isinstance(e, MarkerSet) and e.marker.kind == CHARGE)
    return {"outcome": marker.subject, "distance": marker.amount, "target": command.target}
