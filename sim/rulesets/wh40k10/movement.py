"""Moving: the Normal move with its whole path."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Marker, MarkerSet, ModelsMoved, Unit
from sim.geometry import KeepClear, Limit, Obstacles, Path, Round, Rules, Sweep, Witness, beyond
from sim.rules import Procedure, Violation
from sim.rulesets.wh40k10 import engagement, measuring, terrain
from sim.rulesets.wh40k10.commands import NormalMove
from sim.rulesets.wh40k10.eligibility import may_act, one_pose_each

RULE = "Normal Move"
PIVOTS = "Pivots"
PIVOT_SMALL = 1.0  # inches; any base that is not round
PIVOT_LARGE = 2.0  # inches; Monsters and Vehicles on bases that are not round, and hovering Vehicles
HOVERING_FROM = 32 / 25.4  # inches; a Vehicle on a flying stem pays for a round base wider than this


def rules(battle: Battle, command: NormalMove) -> Rules:
    """What holds along the paths, and what holds where they end."""
    unit = battle.unit(command.unit)
    ends = tuple(path.end for path in command.paths)
    return Rules(
        moving=(
            measuring.on_table(battle.battlefield),
            measuring.out_of_engagement(battle, unit, "enters-engagement"),
            *_in_the_way(battle, unit),
        ),
        standing=(
            measuring.out_of_engagement(battle, unit, "ends-engaged"),
            *(c for c in measuring.standing(battle, unit, ends) if c.code != "off-table"),
        ),
    )


def judge(battle: Battle, command: NormalMove) -> Iterator[Violation]:
    """All that is wrong with moving the unit like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement", "move-units")
    if not unit.on_table:
        yield Violation("not-eligible", RULE, f"{unit.name} is not on the table", (unit.id,))
        return
    if unit.marked("moved"):
        yield Violation("not-eligible", RULE, f"{unit.name} has already moved", (unit.id,))
    wrong = (*one_pose_each(unit, command.paths, RULE), *_starts(unit, command))
    yield from wrong
    if wrong:
        return
    if enemies := engagement.engaged_with(battle, unit):
        what = f"{unit.name} is within Engagement Range of {', '.join(enemies)}: it can only Fall Back"
        yield Violation("not-eligible", RULE, what, (unit.id, *enemies))
        return
    yield from _distances(unit, command)
    ends = tuple(path.end for path in command.paths)
    ids = tuple(m.id for m in unit.models)
    yield from terrain.wrong_floors(battle.battlefield, unit, ids, ends)
    sweeps = tuple(Sweep(m.base, path) for m, path in zip(unit.models, command.paths, strict=True))
    yield from measuring.violations(unit, rules(battle, command), ends, sweeps)


def resolve(battle: Battle, command: NormalMove) -> Procedure:
    """The models follow their paths; the unit has moved."""
    unit = battle.unit(command.unit)
    paths = tuple((m.id, path) for m, path in zip(unit.models, command.paths, strict=True))
    yield ModelsMoved(unit.id, paths)
    yield MarkerSet(unit.id, Marker("moved", "normal", until="end-of-turn"))


def pivot_value(unit: Unit, is_round: bool, width: float) -> float:
    """Inches that the first pivot of a move costs a model of this unit."""
    large = unit.has("MONSTER", "VEHICLE")
    if not is_round:
        return PIVOT_LARGE if large else PIVOT_SMALL
    hovers = unit.ability("hover") is not None or unit.ability("flying-stem") is not None
    return PIVOT_LARGE if unit.has("VEHICLE") and hovers and beyond(width, HOVERING_FROM) else 0.0


def cost(unit: Unit, model: int, path: Path) -> float:
    """Inches that a path costs: all straight legs, and the pivot value once if it turns."""
    base = unit.models[model].base
    value = pivot_value(unit, isinstance(base, Round), 2 * max(base.semi_axes))
    return path.length + (value if path.pivots else 0.0)


def _starts(unit: Unit, command: NormalMove) -> Iterator[Violation]:
    for model, path in zip(unit.models, command.paths, strict=False):
        if path.start != model.pose:
            what = f"the path of {model.id} does not start where the model stands"
            yield Violation("wrong-start", RULE, what, (model.id,))


def _distances(unit: Unit, command: NormalMove) -> Iterator[Violation]:
    move = unit.value("M")
    if move is None:
        what = f"{unit.name} has no Move characteristic (M) in its profile"
        yield Violation("not-eligible", RULE, what, (unit.id,))
        return
    for k, (model, path) in enumerate(zip(unit.models, command.paths, strict=True)):
        line = Witness(outlines=(tuple(pose.at for pose in (path.start, *path.stops)),))
        value = cost(unit, k, path) - path.length
        left = move - _before_first_pivot(path)
        if value and beyond(value, left):
            what = f'{model.id} has {measuring.inches(left)} left; its pivot costs {value:g}"'
            yield Violation("pivot-unaffordable", PIVOTS, what, (model.id,), left, Limit("at_least", value), line)
            continue
        total = path.length + value
        if beyond(total, move):
            pivot = f', {value:g}" of it for the pivot' if value else ""
            what = f'{model.id} moves {measuring.inches(total, move)}{pivot}; it may move at most {move:g}"'
            yield Violation("too-far", RULE, what, (model.id,), total, Limit("at_most", move), line)


def _before_first_pivot(path: Path) -> float:
    gone = 0.0
    for leg in path.legs:
        if leg.turn:
            return gone
        gone += leg.length
    return gone


def _in_the_way(battle: Battle, unit: Unit) -> Iterator[KeepClear]:
    """Enemies always; other big friends for a big model; high terrain for who cannot pass walls."""
    rule = "Moving Through Models"
    enemies = battle.index.enemies_of(unit.player)
    if not unit.has("FLY"):
        yield KeepClear("crosses-model", rule, enemies, 0.0, strict=False, vertical=0.0)
        if unit.has("MONSTER", "VEHICLE"):
            yield KeepClear("crosses-model", rule, _big_friends(battle, unit), 0.0, strict=False, vertical=0.0)
        if not unit.has(*terrain.CLIMBERS):
            walls = terrain.barriers(battle.battlefield)
            yield KeepClear("crosses-terrain", terrain.RULE, walls, 0.0, strict=False)


def _big_friends(battle: Battle, unit: Unit) -> Obstacles:
    others = battle.index.others_than(unit.id)
    big = {
        model.id
        for other in battle.units
        if other.player == unit.player and other.has("MONSTER", "VEHICLE")
        for model in other.models
    }
    rows = [i for i, name in enumerate(others.names) if name in big]
    return Obstacles(type(others.bases).of(others.bases[i] for i in rows), tuple(others.names[i] for i in rows))
