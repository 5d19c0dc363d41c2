"""Remaining moves: forward with wheels, sideways or back, and marching. Reforms are not known yet."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerSet, ModelsMoved, Unit
from sim.battle.state import Ranked
from sim.geometry import Limit, Path, Rules, Sweep, Witness
from sim.geometry.lengths import compared
from sim.geometry.sweep import Leg
from sim.rules import Going, Procedure, Violation, blocks
from sim.rulesets.wap import measuring, terrain
from sim.rulesets.wap.charging import spends_its_move
from sim.rulesets.wap.commands import March, NormalMove
from sim.rulesets.wap.eligibility import (
    engaged_with,
    is_fleeing,
    may_act,
    no_random_movement,
    no_war_machine,
    one_pose_each,
)

RULE = "Remaining Moves"
MARCHING = "March"
MARCH_FACTOR = 2  # times the Movement; March
SLOW_FACTOR = 2  # sideways and backwards every inch counts double
STRAIGHT = 1e-6  # degrees by which a direction may miss the front, the sides or the rear


def rules(battle: Battle, command: NormalMove | March) -> Rules:
    """Through nobody and nothing impassable, and an inch from everybody at the end."""
    unit = battle.unit(command.unit)
    return Rules(
        moving=(
            measuring.on_table(battle.battlefield),
            measuring.clear_of_others(battle, unit, "crosses-model"),
            terrain.clear_of_impassable(battle.battlefield, "crosses-terrain"),
        ),
        standing=(measuring.apart(), measuring.spaced(battle, unit)),
    )


def judge_normal(battle: Battle, command: NormalMove) -> Iterator[Violation]:
    """All that is wrong with moving the unit like this."""
    yield from _judge(battle, command, RULE, 1, "make an ordinary move")


def judge_march(battle: Battle, command: March) -> Iterator[Violation]:
    """All that is wrong with marching like this."""
    yield from _judge(battle, command, MARCHING, MARCH_FACTOR, "march")


def _judge(battle: Battle, command: NormalMove | March, rule: str, factor: int, what: str) -> Iterator[Violation]:
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, rule, "movement", "remaining-moves")
    yield from no_random_movement(unit, rule, what)
    if factor > 1:
        yield from no_war_machine(unit, rule, what)
    if not unit.on_table:
        yield Violation("not-eligible", rule, f"{unit.name} is not on the table", (unit.id,))
        return
    if unit.marked("moved"):
        yield Violation("already-moved", rule, f"{unit.name} has already moved", (unit.id,))
    if spends_its_move(unit):
        text = f"{unit.name} has declared a charge this turn: that is its move, even if it fails"
        yield Violation("already-moved", rule, text, (unit.id,))
    if is_fleeing(unit):
        yield Violation("not-eligible", rule, f"{unit.name} flees", (unit.id,))
    if enemies := engaged_with(battle, unit):
        text = f"{unit.name} is in close combat with {', '.join(enemies)}"
        yield Violation("not-eligible", rule, text, (unit.id, *enemies))
    wrong = (*one_pose_each(unit, command.paths, rule), *_starts(unit, command.paths, rule))
    yield from wrong
    if wrong:
        return
    ways, parts = command.paths, blocks.parts(unit, command.paths)
    for k in blocks.out_of_ranks(unit, ways, parts):
        model = unit.models[k]
        yield Violation("formation-broken", rule, f"{model.id} leaves its place in the ranks", (model.id,))
    wheels = blocks.wheels_of(unit, ways)
    yield from _distances(unit, ways, rule, factor, wheels)
    ends = measuring.placed(unit, tuple(path.end for path in ways))
    along = blocks.round_corners(ways, parts) if wheels else ways
    sweeps = tuple(Sweep(m.base, path) for m, path in zip(unit.models, along, strict=True))
    yield from measuring.violations(unit, rules(battle, command), ends, sweeps)


def resolve(battle: Battle, command: NormalMove | March) -> Procedure:
    """The models follow their paths; the unit has moved."""
    unit = battle.unit(command.unit)
    kind = "march" if isinstance(command, March) else "normal"
    yield ModelsMoved(unit.id, tuple((m.id, path) for m, path in zip(unit.models, command.paths, strict=True)))
    yield MarkerSet(unit.id, Marker("moved", kind, until="end-of-turn"))


def _starts(unit: Unit, paths: tuple[Path, ...], rule: str) -> Iterator[Violation]:
    for model, path in zip(unit.models, paths, strict=False):
        if path.start != model.pose:
            what = f"the path of {model.id} does not start where the model stands"
            yield Violation("wrong-start", rule, what, (model.id,))


def _distances(
    unit: Unit, paths: tuple[Path, ...], rule: str, factor: int, wheels: tuple[blocks.Part, ...]
) -> Iterator[Violation]:
    """No model goes too far: to its front inch by inch, elsewhere at half rate, and a wheel by its outer corner."""
    move = unit.value("M")
    if move is None:
        what = f"{unit.name} has no Movement (M) in its profile"
        yield Violation("not-eligible", rule, what, (unit.id,))
        return
    goings = _goings(unit, paths, move * factor, wheels)
    for k, (going, path) in enumerate(zip(goings, paths, strict=True)):
        legs = blocks.straight_legs(path, k, wheels)
        if (factor > 1 or wheels) and _walked(unit, legs) > math.fsum(leg.length for leg in legs) + 1e-9:
            what = f"{going.model} {'marches' if factor > 1 else 'wheels and moves'} to its front only"
            yield Violation("not-forward", rule, what, (going.model,))
        if going.too_far:
            line = Witness(outlines=(tuple(pose.at for pose in (path.start, *path.stops)),))
            most = going.most
            gone, allowed = compared(going.gone, most)
            what = f"{going.model} moves {gone}; it may move at most {allowed}"
            yield Violation("too-far", rule, what, (going.model,), going.gone, Limit("at_most", most), line)


def goes(battle: Battle, command: NormalMove | March) -> tuple[Going, ...]:
    """How far each model goes, and how far it may."""
    unit = battle.unit(command.unit)
    move, factor = unit.value("M"), MARCH_FACTOR if isinstance(command, March) else 1
    return () if move is None else _goings(unit, command.paths, move * factor, blocks.wheels_of(unit, command.paths))


def _goings(unit: Unit, paths: tuple[Path, ...], most: float, wheels: tuple[blocks.Part, ...]) -> tuple[Going, ...]:
    """Each model pays for what it walks, and for the wheels of its block what the outer corner goes round."""
    turning = math.fsum(part.cost for part in wheels)
    costs = [_walked(unit, blocks.straight_legs(path, k, wheels)) + turning for k, path in enumerate(paths)]
    return tuple(Going(model.id, cost, most) for model, cost in zip(unit.models, costs, strict=True))


def _walked(unit: Unit, legs: tuple[Leg, ...]) -> float:
    """What some legs cost, those of ranks that lead elsewhere than to their front twice."""
    return math.fsum(leg.length * _factor(unit, leg.start.facing, leg.start.at, leg.end.at) for leg in legs)


def _factor(unit: Unit, facing: float, start: tuple[float, float], end: tuple[float, float]) -> int:
    """What an inch in a direction costs: loose models turn as they go, ranks pay double unless to their front."""
    if not isinstance(unit.formation, Ranked) or start == end:
        return 1
    heading = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    off = abs((heading - facing + 180.0) % 360.0 - 180.0)
    return 1 if off <= STRAIGHT else SLOW_FACTOR
