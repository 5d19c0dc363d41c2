"""Charging: who may declare, how far it is, and whether the roll suffices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from sim.battle import Battle, DiceRolled, Event, Marker, MarkerSet, Unit
from sim.geometry import Limit, beyond, gap, witness
from sim.geometry import Witness as Shown
from sim.geometry.lengths import compared
from sim.rules import NeedRoll, Procedure, Violation
from sim.rulesets.t9a import formation
from sim.rulesets.t9a.commands import Charge
from sim.rulesets.t9a.eligibility import CHARGING, SHAKEN, may_act, may_manoeuvre, no_war_machine, standing_free
from sim.rulesets.t9a.moves import advance_rate

RULE = "Declare Charge"
DICE = 2  # D6 added to the Advance Rate; charge range
LEAST_ROLL, MOST_ROLL = DICE, 6 * DICE


def judge(battle: Battle, command: Charge) -> Iterator[Violation]:
    """All that is wrong with declaring this charge."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    yield from may_act(battle, unit, RULE, "charge")
    yield from standing_free(unit, RULE)
    yield from may_manoeuvre(unit, RULE)
    yield from no_war_machine(unit, RULE, "charge")
    if target.player == unit.player or not target.on_table:
        yield Violation("not-eligible", RULE, f"{target.name} is not an enemy unit on the table", (unit.id, target.id))
        return
    rate = advance_rate(unit)
    if rate is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Advance Rate (Adv) in its profile", (unit.id,))
    elif unit.on_table and beyond(distance(battle, unit, target), rate + MOST_ROLL):
        yield _too_far(battle, unit, target, rate + MOST_ROLL)


def _too_far(battle: Battle, unit: Unit, target: Unit, most: float) -> Violation:
    ours, theirs = (formation.boundary(formation.standing(battle, one)) for one in (unit, target))
    off = gap(ours, theirs)
    away, longest = compared(off, most)
    what = f"{target.name} is {away} away; the longest charge of {unit.name} is {longest}"
    shown = Shown(line=witness(ours, theirs))
    return Violation("target-too-far", RULE, what, (unit.id, target.id), off, Limit("at_most", most), shown)


def distance(battle: Battle, unit: Unit, target: Unit) -> float:
    """The gap between two boundaries in inches."""
    ours, theirs = (formation.boundary(formation.standing(battle, one)) for one in (unit, target))
    return gap(ours, theirs)


def needed(rate: float, apart: float) -> int | None:
    """The lowest 2D6 that covers a distance, None when none does."""
    lowest = max(LEAST_ROLL, math.ceil(apart - rate - 1e-6))
    return lowest if lowest <= MOST_ROLL else None


def resolve(battle: Battle, command: Charge) -> Procedure:
    """The charge range is rolled; the unit reaches its target, or is Shaken until the end of the turn."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    rate = advance_rate(unit)
    assert rate is not None
    faces = yield NeedRoll(DICE, 6, f"charge range of {unit.name}", unit.player)
    reaches = not beyond(distance(battle, unit, target), rate + sum(faces))
    if reaches:
        yield MarkerSet(unit.id, Marker(CHARGING, target.id, until="end-of-turn"))
    else:
        yield MarkerSet(unit.id, Marker(SHAKEN, until="end-of-turn"))


def outcome(battle: Battle, command: Charge, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Whether the roll suffices, what would have sufficed, and how far it reaches."""
    unit, target = battle.unit(command.unit), battle.unit(command.target)
    rate = advance_rate(unit) or 0.0
    rolled = sum(sum(event.faces) for event in events if isinstance(event, DiceRolled))
    lowest = needed(rate, distance(battle, unit, target))
    reached = after.unit(unit.id).marked(CHARGING)
    return {
        "outcome": "reaches" if reached else "fails",
        "needs": "never" if lowest is None else lowest,
        "distance": rate + rolled,
        "target": target.id,
    }
