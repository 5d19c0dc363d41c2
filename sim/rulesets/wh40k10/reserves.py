"""Arriving from reserves: Deep Strike, and Strategic Reserves."""

from __future__ import annotations

from collections.abc import Iterator

import shapely
from shapely import LineString, Polygon

from sim.battle import Battle, Marker, MarkerSet, ModelsPlaced, Unit
from sim.battle.state import RESERVES
from sim.geometry import KeepClear, Obstacles, Pose, Rules, StayNear
from sim.rules import Procedure, Violation
from sim.rulesets.wh40k10 import measuring, terrain
from sim.rulesets.wh40k10.commands import DeepStrike, StrategicReserves
from sim.rulesets.wh40k10.eligibility import may_act, one_pose_each

ENEMY_CLEARANCE = 9.0  # inches on the flat, more than this; Deep Strike and Strategic Reserves
EDGE_STRIP = 6.0  # inches, wholly within this of one edge; Strategic Reserves
FIRST_STRATEGIC_ROUND = 2  # battle round; Strategic Reserves
ROUND_OF_ZONE_BAN = 2  # battle round in which the enemy's zone is closed; Strategic Reserves

DEEP_STRIKE = "Deep Strike"
STRATEGIC = "Strategic Reserves"


def clear_of_enemies(battle: Battle, unit: Unit, rule: str) -> KeepClear:
    """More than nine inches on the flat from every enemy, whatever the heights."""
    return KeepClear("enemy-too-close", rule, battle.index.enemies_of(unit.player), ENEMY_CLEARANCE)


def deep_strike_rules(battle: Battle, command: DeepStrike) -> Rules:
    """Anywhere on the table more than nine inches from all enemies."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            clear_of_enemies(battle, unit, DEEP_STRIKE),
            *measuring.standing(battle, unit, command.models),
        )
    )


def judge_deep_strike(battle: Battle, command: DeepStrike) -> Iterator[Violation]:
    """All that is wrong with this Deep Strike."""
    unit = battle.unit(command.unit)
    yield from _arriving(battle, unit, DEEP_STRIKE)
    if unit.ability("deep-strike") is None:
        what = f"{unit.name} does not have Deep Strike"
        yield Violation("not-eligible", DEEP_STRIKE, what, (unit.id,))
    banned = battle.option("deep_strike_round_one", "allowed") == "banned"
    if banned and battle.clock.round < FIRST_STRATEGIC_ROUND:
        yield Violation("too-early", DEEP_STRIKE, "no unit may arrive in the first battle round", (unit.id,))
    yield from _standing(battle, unit, command.models, deep_strike_rules(battle, command), DEEP_STRIKE)


def strategic_rules(battle: Battle, command: StrategicReserves) -> Rules:
    """Wholly within six inches of one edge, more than nine from enemies, out of their zone in round two."""
    unit = battle.unit(command.unit)
    return Rules(
        standing=(
            StayNear("not-wholly-within", STRATEGIC, _edges(battle), EDGE_STRIP),
            clear_of_enemies(battle, unit, STRATEGIC),
            *_enemy_zones(battle, unit),
            *measuring.standing(battle, unit, command.models),
        )
    )


def judge_strategic(battle: Battle, command: StrategicReserves) -> Iterator[Violation]:
    """All that is wrong with arriving like this from Strategic Reserves."""
    unit = battle.unit(command.unit)
    yield from _arriving(battle, unit, STRATEGIC)
    if unit.has("FORTIFICATION"):
        what = f"{unit.name} is a Fortification and cannot be in Strategic Reserves"
        yield Violation("not-eligible", STRATEGIC, what, (unit.id,))
    if battle.clock.phase and battle.clock.round < FIRST_STRATEGIC_ROUND:
        what = f"Strategic Reserves arrive from battle round {FIRST_STRATEGIC_ROUND} on"
        yield Violation("too-early", STRATEGIC, what, (unit.id,))
    yield from _standing(battle, unit, command.models, strategic_rules(battle, command), STRATEGIC)


def resolve(battle: Battle, command: DeepStrike | StrategicReserves) -> Procedure:
    """The unit stands, and counts as having made a Normal move this turn."""
    unit = battle.unit(command.unit)
    poses = tuple((m.id, p) for m, p in zip(unit.models, command.models, strict=True))
    yield ModelsPlaced(unit.id, poses)
    yield MarkerSet(unit.id, Marker("moved", "arrived", until="end-of-turn"))


def _arriving(battle: Battle, unit: Unit, rule: str) -> Iterator[Violation]:
    yield from may_act(battle, unit, rule, "movement", "reinforcements")
    if unit.whereabouts != RESERVES:
        what = f"{unit.name} is not in reserves: it is {_place(unit)}"
        yield Violation("not-eligible", rule, what, (unit.id,))


def _place(unit: Unit) -> str:
    return "on the table" if unit.on_table else unit.whereabouts


def _standing(battle: Battle, unit: Unit, poses: tuple[Pose, ...], rules: Rules, rule: str) -> Iterator[Violation]:
    wrong = tuple(one_pose_each(unit, poses, rule))
    yield from wrong
    if not wrong:
        ids = tuple(m.id for m in unit.models)
        yield from terrain.wrong_floors(battle.battlefield, unit, ids, poses)
        yield from measuring.violations(unit, rules, poses)


def _edges(battle: Battle) -> tuple[tuple[str, LineString], ...]:
    w, d = battle.battlefield.width, battle.battlefield.depth
    return (
        ("the left edge", LineString([(0, 0), (0, d)])),
        ("the right edge", LineString([(w, 0), (w, d)])),
        ("the lower edge", LineString([(0, 0), (w, 0)])),
        ("the upper edge", LineString([(0, d), (w, d)])),
    )


def _enemy_zones(battle: Battle, unit: Unit) -> Iterator[KeepClear]:
    if battle.clock.round != ROUND_OF_ZONE_BAN:
        return
    for zone in battle.battlefield.zones:
        if zone.player == unit.player:
            continue
        ground = Polygon(zone.outline)
        for disc in zone.minus:
            ground = ground.difference(shapely.Point(disc.at).buffer(disc.radius, quad_segs=128))
        outlines = [
            (zone.id, tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1]), float("inf"))
            for part in shapely.get_parts(ground)
        ]
        yield KeepClear("in-enemy-zone", STRATEGIC, Obstacles.of_outlines(outlines), 0.0, strict=False)
