"""Arriving from reserves: Deep Strike and Strategic Reserves."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely
from shapely import LineString

from sim.battle import Battle, Marker, MarkerSet, ModelsPlaced, Unit
from sim.geometry import Constraint, KeepClear, Obstacles, Placed, Pose, Rules, StayNear, beyond
from sim.geometry.cut_ground import CutGround, KeepOff
from sim.geometry.touching import Touch
from sim.rules import Procedure, Violation
from sim.rulesets.wh40k10 import (
    auras,
    measuring,
    quantifiers,
    terrain,
)
from sim.rulesets.wh40k10.commands import DeepStrike, RapidIngress, StrategicReserves
from sim.rulesets.wh40k10.eligibility import in_reserves, may_act, one_pose_each
from sim.rulesets.wh40k10.noticing import SET_UP, seen_moving

ENEMY_CLEARANCE = 9.0  # inches on the flat, more than this; Deep Strike and Strategic Reserves
EDGE_STRIP = 6.0  # inches, wholly within this of one edge; Strategic Reserves
FIRST_STRATEGIC_ROUND = 2  # battle round; Strategic Reserves
ROUND_OF_ZONE_BAN = 2  # battle round in which the enemy's zone is closed; Strategic Reserves

DEEP_STRIKE = "Deep Strike"
STRATEGIC = "Strategic Reserves"
EITHER_EDGE = "either"  # the reading in which every model may have an edge of its own


def clear_of_enemies(battle: Battle, unit: Unit, rule: str) -> KeepClear:
    """More than nine inches on the flat from every enemy, whatever the heights."""
    return KeepClear("enemy-too-close", rule, battle.index.enemies_of(unit.player), ENEMY_CLEARANCE)


def deep_strike_rules(battle: Battle, command: DeepStrike | RapidIngress) -> Rules:
    """Anywhere on the table more than nine inches from all enemies."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            clear_of_enemies(battle, unit, DEEP_STRIKE),
            *auras.denials(battle, unit),
            *measuring.standing(battle, unit, command.models),
        )
    )


def judge_deep_strike(battle: Battle, command: DeepStrike) -> Iterator[Violation]:
    """All that is wrong with this Deep Strike."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, DEEP_STRIKE, "movement", "reinforcements")
    yield from in_reserves(unit, DEEP_STRIKE)
    if not quantifiers.every(unit, "deep-strike"):
        what = f"{unit.name} does not have Deep Strike"
        yield Violation("not-eligible", DEEP_STRIKE, what, (unit.id,))
    yield from too_early(battle, unit, DEEP_STRIKE)
    yield from arriving(battle, unit, command.models, deep_strike_rules(battle, command), DEEP_STRIKE)


def strategic_rules(battle: Battle, command: StrategicReserves | RapidIngress) -> Rules:
    """Near one edge of the table, more than nine inches from enemies, out of their zone in round two."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            *_near_an_edge(battle, unit),
            clear_of_enemies(battle, unit, STRATEGIC),
            *_enemy_zones(battle, unit),
            *auras.denials(battle, unit),
            *measuring.standing(battle, unit, command.models),
        )
    )


def judge_strategic(battle: Battle, command: StrategicReserves) -> Iterator[Violation]:
    """All that is wrong with arriving like this from Strategic Reserves."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, STRATEGIC, "movement", "reinforcements")
    yield from in_reserves(unit, STRATEGIC)
    yield from no_fortification(unit)
    if battle.clock.phase and battle.clock.round < FIRST_STRATEGIC_ROUND:
        yield _early_strategic(unit, STRATEGIC)
    yield from arriving(battle, unit, command.models, strategic_rules(battle, command), STRATEGIC)


def resolve(battle: Battle, command: DeepStrike | StrategicReserves) -> Procedure:
    """The unit stands, and counts as having made a Normal move this turn."""
    yield from arrive(battle, battle.unit(command.unit), command.models, isinstance(command, StrategicReserves))


def arrive(battle: Battle, unit: Unit, models: tuple[Pose, ...], by_strip: bool) -> Procedure:
    """The unit is set up and the enemy may answer; one that is too large for the strip does no more this turn."""
    yield ModelsPlaced(unit.id, tuple((m.id, p) for m, p in zip(unit.models, models, strict=True)))
    yield MarkerSet(unit.id, Marker("moved", "arrived", until="end-of-turn"))
    battle = yield MarkerSet(unit.id, Marker("arrived", until="end-of-turn"))
    if by_strip and too_large(unit):
        yield MarkerSet(unit.id, Marker("cannot-shoot", STRATEGIC, until="end-of-turn"))
        battle = yield MarkerSet(unit.id, Marker("cannot-charge", STRATEGIC, until="end-of-turn"))
    yield from seen_moving(battle, unit, SET_UP)


def arriving(battle: Battle, unit: Unit, poses: tuple[Pose, ...], rules: Rules, rule: str) -> Iterator[Violation]:
    """What is wrong with where the models would stand: all of them, or nobody arrives."""
    wrong = tuple(one_pose_each(unit, poses, rule))
    yield from wrong
    if not wrong:
        yield from terrain.wrong_floors(battle.battlefield, unit, poses)
        yield from measuring.violations(battle, unit, rules, poses)


def too_large(unit: Unit) -> bool:
    """Whether some model is wider than the strip however it is turned."""
    return any(beyond(measuring.least_width(Placed(m.base, Pose(0.0, 0.0))), EDGE_STRIP) for m in unit.models)


def may_come_by_strip(battle: Battle, unit: Unit) -> bool:
    """Whether a unit in reserves could arrive from Strategic Reserves in this round."""
    return battle.clock.round >= FIRST_STRATEGIC_ROUND and not unit.has("FORTIFICATION")


def may_come_from_above(battle: Battle, unit: Unit) -> bool:
    """Whether a unit in reserves could arrive by Deep Strike in this round."""
    return quantifiers.every(unit, "deep-strike") and not any(too_early(battle, unit, DEEP_STRIKE))


def off_enemy_zones(
    battle: Battle, unit: Unit, code: str, rule: str, distance: float, strict: bool
) -> Iterator[KeepClear | KeepOff]:
    """A distance from the deployment zones of the other players, whether discs are cut out of them or not."""
    for zone in battle.battlefield.zones:
        if zone.player == unit.player:
            continue
        if zone.minus:
            area = CutGround(zone.outline, tuple((disc.at, disc.radius) for disc in zone.minus))
            yield KeepOff(code, rule, zone.id, area, distance, strict)
        else:
            whole = Obstacles.of_outlines([(zone.id, zone.outline, float("inf"))])
            yield KeepClear(code, rule, whole, distance, strict)


def too_early(battle: Battle, unit: Unit, rule: str) -> Iterator[Violation]:
    """The round in which the unit could first arrive by itself has not begun."""
    if battle.clock.round >= FIRST_STRATEGIC_ROUND:
        return
    strategic = quantifiers.some(unit, "strategic-reserves") is not None or not quantifiers.every(unit, "deep-strike")
    if strategic and battle.clock.phase:
        yield _early_strategic(unit, rule)
    elif battle.option("deep_strike_round_one", "allowed") == "banned":
        yield Violation("too-early", rule, "no unit may arrive in the first battle round", (unit.id,))


def _early_strategic(unit: Unit, rule: str) -> Violation:
    what = f"units in Strategic Reserves arrive from battle round {FIRST_STRATEGIC_ROUND} on"
    return Violation("too-early", rule, what, (unit.id,))


def no_fortification(unit: Unit) -> Iterator[Violation]:
    """A Fortification, which cannot be in Strategic Reserves."""
    if unit.has("FORTIFICATION"):
        what = f"{unit.name} is a Fortification and cannot be in Strategic Reserves"
        yield Violation("not-eligible", STRATEGIC, what, (unit.id,))


def _near_an_edge(battle: Battle, unit: Unit) -> Iterator[Constraint]:
    """Wholly within the strip along one edge for the whole unit; what is too large touches its own edge."""
    field = battle.battlefield
    if too_large(unit):
        yield Touch("must-touch", STRATEGIC, _own_edges(battle, unit))
    elif battle.option("strategic_edges", "one") == EITHER_EDGE:
        w, d = field.width - EDGE_STRIP, field.depth - EDGE_STRIP
        if w > EDGE_STRIP and d > EDGE_STRIP:
            middle = ((EDGE_STRIP, EDGE_STRIP), (w, EDGE_STRIP), (w, d), (EDGE_STRIP, d))
            inner = Obstacles.of_outlines([("the strip along the edges", middle, float("inf"))])
            yield KeepClear("not-wholly-within", STRATEGIC, inner, 0.0, strict=False)
    else:
        yield StayNear("not-wholly-within", STRATEGIC, _edges(battle), EDGE_STRIP)


def _edges(battle: Battle) -> tuple[tuple[str, LineString], ...]:
    w, d = battle.battlefield.width, battle.battlefield.depth
    return (
        ("the left edge", LineString([(0, 0), (0, d)])),
        ("the right edge", LineString([(w, 0), (w, d)])),
        ("the lower edge", LineString([(0, 0), (w, 0)])),
        ("the upper edge", LineString([(0, d), (w, d)])),
    )


def _own_edges(battle: Battle, unit: Unit) -> tuple[tuple[str, LineString], ...]:
    """The edge along which most of the player's own zone lies; every edge where there is no such zone."""
    borders = [shapely.LinearRing(zone.outline) for zone in battle.battlefield.zones if zone.player == unit.player]
    lengths = [
        math.fsum(float(shapely.length(shapely.intersection(border, line))) for border in borders)
        for _, line in _edges(battle)
    ]
    most = max(lengths)
    return tuple(edge for edge, length in zip(_edges(battle), lengths, strict=True) if not beyond(most, length))


def _enemy_zones(battle: Battle, unit: Unit) -> Iterator[Constraint]:
    if battle.clock.round == ROUND_OF_ZONE_BAN:
        yield from off_enemy_zones(battle, unit, "in-enemy-zone", STRATEGIC, 0.0, strict=False)
