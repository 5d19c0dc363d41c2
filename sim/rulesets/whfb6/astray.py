"""The team that took a wrong turn: the opponent lays its marker and sets it up."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerCleared, MarkerSet, Unit
from sim.geometry import Point, Rules
from sim.rules import Procedure, Violation
from sim.rulesets.whfb6 import setting_up, spacing, tunnelling
from sim.rulesets.whfb6.commands import Misplace
from sim.rulesets.whfb6.eligibility import may_act
from sim.rulesets.whfb6.markers import Spot, laid, on_battlefield, spot_at
from sim.rulesets.whfb6.mishaps import ASTRAY, FATE, RULE, Onward


def rules(battle: Battle, command: Misplace) -> Rules:
    """What the team obeys where the opponent lays its marker."""
    unit = battle.unit(command.unit)
    at = _point(command)
    spot = Spot("off", (0.0, 0.0)) if at is None else spot_at(battle, unit, at)
    return setting_up.rules_at(battle, unit, spot, command.models)


def judge(battle: Battle, command: Misplace) -> Iterator[Violation]:
    """All that is wrong with laying the marker here and setting the team up like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "start", "emergence")
    if not unit.marked(ASTRAY):
        yield Violation("not-eligible", RULE, f"{unit.name} has not gone astray", (unit.id,))
    yield from _place(battle, unit, command)
    if command.models:
        wrong = tuple(spacing.one_each(unit, command.models, RULE))
        yield from wrong
        if not wrong:
            yield from spacing.violations(unit, rules(battle, command), command.models)


def _place(battle: Battle, unit: Unit, command: Misplace) -> Iterator[Violation]:
    at = _point(command)
    if at is None:
        yield Violation("point-not-allowed", RULE, f"no place is given for the marker of {unit.name}", (unit.id,))
        return
    if command.at is not None and not on_battlefield(battle, at):
        what = f"the marker of {unit.name} must lie on the battlefield, not at {at[0]:g}, {at[1]:g}"
        yield Violation("point-not-allowed", RULE, what, (unit.id,))
        return
    spot = spot_at(battle, unit, at)
    if spot.covered_by and battle.option("astray_cover", "allowed") == "forbidden":
        what = f"the marker of {unit.name} may not lie under {spot.covered_by}"
        yield Violation("point-not-allowed", RULE, what, (unit.id, spot.covered_by))


def resolve(battle: Battle, command: Misplace) -> Procedure:
    """The marker lies there without a roll; the team comes up, and does not move in this Movement phase."""
    at = _point(command)
    assert at is not None
    yield from _come_up_at(battle, command.unit, at, command)


def left_behind(battle: Battle, unit: Unit) -> Onward:
    """The opponent let the chance pass: the team comes up where its marker lies."""
    marker = laid(unit)
    if marker is not None and marker.at is not None:
        battle = yield from _come_up_at(battle, unit.id, marker.at, Misplace(unit.id, (), marker.at))
    return battle


def _come_up_at(battle: Battle, unit_id: str, at: Point, command: Misplace) -> Onward:
    battle = yield MarkerCleared(unit_id, ASTRAY)
    battle = yield MarkerCleared(unit_id, FATE)
    battle = yield MarkerSet(unit_id, Marker(tunnelling.DISORIENTED, until="end-of-turn"))
    unit = battle.unit(unit_id)
    return (yield from tunnelling.come_up(battle, unit, at, command.models, stayed=True, at_once=True))


def _point(command: Misplace) -> Point | None:
    if command.at is not None:
        return command.at
    return command.models[0].at if command.models else None
