"""Moving: the Normal move, the Advance and the Scout move, each with its whole path."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerCleared, MarkerSet, Model, ModelsMoved, RollAbout, Unit
from sim.geometry import (
    Constraint,
    KeepClear,
    Limit,
    Obstacles,
    Path,
    Placed,
    PlacedSet,
    Pose,
    Round,
    Rules,
    StayInside,
    Sweep,
    Witness,
    beyond,
    within,
)
from sim.geometry.lengths import compared, inches, plain
from sim.rules import Going, Procedure, Told, Violation
from sim.rulesets.wh40k10 import (
    engagement,
    leaders,
    measuring,
    parting,
    quantifiers,
    rolls,
    terrain,
)
from sim.rulesets.wh40k10.climbing import climb
from sim.rulesets.wh40k10.commands import (
    Advance,
    ChargeMove,
    Consolidate,
    FallBack,
    NormalMove,
    PileIn,
    ScoutMove,
)
from sim.rulesets.wh40k10.eligibility import may_act, one_pose_each
from sim.rulesets.wh40k10.noticing import ENDS, STARTS, seen_moving

RULE = "Normal Move"
ADVANCE = "Advance"
SCOUTS = "Scouts"
PIVOTS = "Pivots"
PIVOT_SMALL = 1.0  # inches; any base that is not round
PIVOT_LARGE = 2.0  # inches; Monsters and Vehicles on bases that are not round, and hovering Vehicles
HOVERING_FROM = 32 / 25.4  # inches; a Vehicle on a flying stem pays for a round base wider than this
AIRCRAFT_LEAST = 20.0  # inches, straight on; Aircraft
SHAKEN = "shaken"  # the marker of a unit that moves and charges less far
SWIFTLY = "aggressive-mobility"
SWIFT = 6  # inches that it adds to M in place of the Advance roll; Aggressive Mobility
SCOUT_CLEARANCE = 9.0  # inches, more than this from all enemies at the end; Scouts
ADVANCE_DIE = 6  # sides of the die whose face is added to M; Advance
FARTHEST_PART = "farthest-part"  # the reading that measures the part of the base that moves farthest

Walk = NormalMove | Advance | FallBack | ScoutMove | ChargeMove | PileIn | Consolidate


def rules(battle: Battle, command: NormalMove | Advance) -> Rules:
    """What holds along the paths, and what holds where they end."""
    unit = battle.unit(command.unit)
    return Rules(
        moving=along(battle, unit, command.paths),
        standing=at_the_end(battle, unit, command.paths),
    )


def judge(battle: Battle, command: NormalMove) -> Iterator[Violation]:
    """All that is wrong with moving the unit like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "movement", "move-units")
    if unit.has(measuring.AIRCRAFT):
        yield from _straight_on(unit, command.paths)
    if unit.marked("advance-roll"):
        what = f"{unit.name} has rolled for its Advance and cannot make a Normal move"
        yield Violation("not-eligible", RULE, what, (unit.id,))
    yield from _walked(battle, unit, command, RULE, rules(battle, command), move_of(unit))


def no_aircraft(unit: Unit, rule: str) -> Iterator[Violation]:
    """Aircraft make Normal moves only."""
    if unit.has(measuring.AIRCRAFT):
        yield Violation("not-eligible", rule, f"{unit.name} is an Aircraft: it makes Normal moves only", (unit.id,))


def _straight_on(unit: Unit, paths: Sequence[Path]) -> Iterator[Violation]:
    """Aircraft that fly less than twenty inches."""
    for model, path in zip(unit.models, paths, strict=False):
        if not within(AIRCRAFT_LEAST, path.length):
            what = f'{model.id} flies {inches(path.length)}; Aircraft fly at least {AIRCRAFT_LEAST:g}"'
            yield Violation("too-short", "Aircraft", what, (model.id,), path.length, Limit("at_least", AIRCRAFT_LEAST))


def resolve(battle: Battle, command: NormalMove) -> Procedure:
    """The enemy may answer; then the models follow their paths, and the unit has moved.

    Where those that are left would end out of Unit Coherency nobody moves, and other paths are to be chosen.
    """
    before = battle.unit(command.unit)
    battle = yield from seen_moving(battle, before, STARTS)
    for unit in parting.what_is_left(battle, before):
        paths = of_those_left(before, unit, command.paths)
        if not is_scattered(before, unit, paths):
            battle = yield from follow(unit, paths, "normal")
    for unit in parting.what_is_left(battle, before):
        if unit.marked("moved"):
            battle = yield from seen_moving(battle, unit, ENDS)


def judge_advance(battle: Battle, command: Advance) -> Iterator[Violation]:
    """All that is wrong with advancing like this: before the roll, with the most that it could give."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, ADVANCE, "movement", "move-units")
    yield from no_aircraft(unit, ADVANCE)
    yield from _walked(battle, unit, command, ADVANCE, rules(battle, command), farthest_advance(unit))


def resolve_advance(battle: Battle, command: Advance) -> Procedure:
    """One die for the unit; where it falls short of the paths nobody moves yet, and other paths are to be chosen."""
    before = battle.unit(command.unit)
    if advance_roll(before) is None:
        battle = yield from seen_moving(battle, before, STARTS)
    for unit in parting.what_is_left(battle, before):
        battle = yield from _advance(battle, before, unit, of_those_left(before, unit, command.paths))


def rolls_first(battle: Battle, unit: Unit) -> Advance | None:
    """The Advance by which a unit only rolls; None where it has rolled, or needs no roll."""
    poses = [model.pose for model in unit.models if model.pose is not None]
    if advance_roll(unit) is not None or unit.marked(SWIFTLY) or not unit.on_table:
        return None
    return Advance(unit.id, tuple(Path(pose, ()) for pose in poses))


def _advance(battle: Battle, before: Unit, unit: Unit, paths: tuple[Path, ...]) -> Generator[Told, Any, Battle]:
    """A unit rolls, unless it has, and follows its paths where they are not too long and scatter nobody."""
    roll = SWIFT if unit.marked(SWIFTLY) else advance_roll(unit)
    if roll is None:
        purpose = f"Advance of {unit.name}"
        told = RollAbout("advance", unit.id)
        battle, (face,) = yield from rolls.roll(battle, unit.id, 1, ADVANCE_DIE, purpose, about=told)
        roll = max(0, int(face) - shaken(unit))
        battle = yield MarkerSet(unit.id, Marker("advance-roll", ADVANCE, roll, until="end-of-phase"))
        battle = yield MarkerSet(unit.id, Marker("advanced", ADVANCE, until="end-of-turn"))  # though nobody may move
        if not any(path.stops for path in paths):
            return battle  # only the roll: the paths are chosen by it
    reach = distance_of(unit) + roll
    short = all(within(cost(battle, unit, k, path), reach) for k, path in enumerate(paths))
    if short and not is_scattered(before, unit, paths):
        if advance_roll(unit) is not None or not unit.marked(SWIFTLY):
            yield MarkerCleared(unit.id, "advance-roll")
        battle = yield from follow(unit, paths, "advanced")
        if not battle.unit(unit.id).marked("advanced"):
            battle = yield MarkerSet(unit.id, Marker("advanced", ADVANCE, until="end-of-turn"))
        battle = yield from seen_moving(battle, unit, ENDS)
    return battle


def advance_outcome(battle: Battle, command: Advance, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Whether the unit advanced or only rolled, and how many inches it may move."""
    rolled = [e.marker.amount for e in events if isinstance(e, MarkerSet) and e.marker.kind == "advance-roll"]
    unit = battle.unit(command.unit)
    reach = distance_of(unit) + (rolled[-1] if rolled else advance_roll(unit) or 0)
    moved = any(isinstance(event, ModelsMoved) for event in events)
    return {"outcome": "advances" if moved else "rolled", "distance": reach}


def advance_roll(unit: Unit) -> int | None:
    """The face of the Advance roll that the unit has made in this phase, None before it."""
    return next((marker.amount for marker in unit.markers if marker.kind == "advance-roll"), None)


def move_of(unit: Unit) -> float | None:
    """The inches of a Normal move: M, less what shakes the unit; None where the profile does not say."""
    move = leaders.move(unit)
    return None if move is None else max(0.0, move - shaken(unit))


def more_of(unit: Unit, model: Model) -> float:
    """The inches that a leader's Move is more than that of its unit, or less."""
    own, whole = leaders.number(unit, model, "M"), leaders.move(unit)
    if unit.leader_of(model.id) is None:
        return 0.0
    return 0.0 if own is None or whole is None else own - whole


def distance_of(unit: Unit) -> float:
    """As ``move_of``, nothing where the profile does not say."""
    return move_of(unit) or 0.0


def shaken(unit: Unit) -> int:
    """What is taken from the moves and rolls of a unit that is shaken."""
    return max((m.amount for m in unit.markers if m.kind == SHAKEN), default=0)


def most_advance(unit: Unit) -> int:
    """The most inches that an Advance can add now."""
    if unit.marked(SWIFTLY):
        return SWIFT
    roll = advance_roll(unit)
    return ADVANCE_DIE if roll is None else roll


def farthest_advance(unit: Unit) -> float | None:
    """The most inches that a unit may Advance now; None where its profile does not say."""
    move = move_of(unit)
    return None if move is None else move + most_advance(unit)


def scout_rules(battle: Battle, command: ScoutMove) -> Rules:
    """As for a Normal move, and more than nine inches from all enemies at the end."""
    unit = battle.unit(command.unit)
    enemies = battle.index.enemies_of(unit.player)
    clear = KeepClear("enemy-too-close", SCOUTS, enemies, SCOUT_CLEARANCE)
    standing = (clear, *at_the_end(battle, unit, command.paths))
    return Rules(moving=along(battle, unit, command.paths), standing=standing)


def judge_scouts(battle: Battle, command: ScoutMove) -> Iterator[Violation]:
    """All that is wrong with moving these Scouts like this before the first turn."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, SCOUTS, "deployment", "scouts")
    yield from _walked(battle, unit, command, SCOUTS, scout_rules(battle, command), scout_distance(unit))


def resolve_scouts(battle: Battle, command: ScoutMove) -> Procedure:
    """The Scouts follow their paths, once."""
    yield from follow(battle.unit(command.unit), command.paths, "scouts")


def scout_distance(unit: Unit) -> float | None:
    """How far the unit may scout, None when it cannot."""
    return quantifiers.least(unit, "scouts")


def of_those_left(before: Unit, now: Unit, paths: Sequence[Path]) -> tuple[Path, ...]:
    """The paths of the models that a unit still has."""
    left = {model.id for model in now.models}
    return tuple(path for model, path in zip(before.models, paths, strict=True) if model.id in left)


def is_scattered(before: Unit, now: Unit, paths: Sequence[Path]) -> bool:
    """Whether a unit that has lost models since its move was judged would end out of Unit Coherency by it."""
    if len(now.models) == len(before.models):
        return False
    ends = PlacedSet.of(Placed(m.base, path.end) for m, path in zip(now.models, paths, strict=True))
    return any(measuring.coherency(len(paths)).judge(ends))


def follow(unit: Unit, paths: Sequence[Path], how: str) -> Generator[Told, Any, Battle]:
    """The models follow their paths; the unit has moved."""
    yield ModelsMoved(unit.id, tuple((m.id, path) for m, path in zip(unit.models, paths, strict=True)))
    battle: Battle = yield MarkerSet(unit.id, Marker("moved", how, until="end-of-turn"))
    return battle


def along(battle: Battle, unit: Unit, paths: tuple[Path, ...]) -> tuple[KeepClear | StayInside, ...]:
    """What holds along the way: on the table, out of Engagement Range unless it can FLY, past what is in the way.

    Aircraft are moved past by everybody.
    """
    ends = tuple(path.end for path in paths)
    ground, walkers = measuring.enemies_on_the_ground(battle, unit.player), on_foot(unit)
    held = (*measuring.out_of_reach(battle, ground, "enters-engagement", ends), over_no_enemy(battle, unit))
    return (
        measuring.on_table(battle.battlefield),
        *(for_some(clear, unit, walkers) for clear in held if walkers),
        *past_friends_and_walls(battle, unit),
    )


def on_foot(unit: Unit) -> frozenset[int]:
    """Which models of a unit, by their number, cannot FLY."""
    return frozenset(range(len(unit.models))) - quantifiers.bearing(unit, "FLY")


def for_some(clear: KeepClear, unit: Unit, members: frozenset[int]) -> KeepClear:
    """A clearance that is asked of some models of a unit only; of all it stays as it is."""
    if len(members) == len(unit.models):
        return clear
    return replace(clear, only=members if clear.only is None else clear.only & members)


def at_the_end(battle: Battle, unit: Unit, paths: tuple[Path, ...]) -> tuple[Constraint, ...]:
    """What holds where the paths end."""
    ends = tuple(path.end for path in paths)
    return (
        *measuring.out_of_engagement(battle, unit, "ends-engaged", ends),
        *(c for c in measuring.standing(battle, unit, ends) if c.code != "off-table"),
    )


def over_no_enemy(battle: Battle, unit: Unit) -> KeepClear:
    """No base passes over an enemy base, but for those of Aircraft."""
    enemies = measuring.enemies_on_the_ground(battle, unit.player)
    return KeepClear("crosses-model", "Moving Through Models", enemies, 0.0, strict=False, vertical=0.0)


def past_friends_and_walls(battle: Battle, unit: Unit) -> Iterator[KeepClear]:
    """Other big friends for a big model, walls for who cannot pass them, and what nobody gets over.

    What can FLY passes friends and walls.
    """
    rule = "Moving Through Models"
    if unclimbable := terrain.unclimbable(battle.battlefield):
        yield KeepClear("crosses-terrain", terrain.UNMEASURED, unclimbable, 0.0, strict=False)
    walkers = on_foot(unit)
    if big := walkers & quantifiers.bearing(unit, "MONSTER", "VEHICLE"):
        clear = KeepClear("crosses-model", rule, _big_friends(battle, unit), 0.0, strict=False, vertical=0.0)
        yield for_some(clear, unit, big)
    if stopped := walkers - terrain.through_walls(unit):
        walls = terrain.barriers(battle.battlefield)
        yield for_some(KeepClear("crosses-terrain", terrain.RULE, walls, 0.0, strict=False), unit, stopped)


def may_move(unit: Unit, command: Walk, rule: str) -> Iterator[Violation]:
    """Not on the table, moved already, or paths that are not one a model from where it stands."""
    if not unit.on_table:
        yield Violation("not-eligible", rule, f"{unit.name} is not on the table", (unit.id,))
        return
    if unit.marked("moved"):
        yield Violation("not-eligible", rule, f"{unit.name} has already moved", (unit.id,))
    yield from one_pose_each(unit, command.paths, rule)
    for model, path in zip(unit.models, command.paths, strict=False):
        if path.start != model.pose:
            what = f"the path of {model.id} does not start where the model stands"
            yield Violation("wrong-start", rule, what, (model.id,))


def can_follow(unit: Unit, command: Walk) -> bool:
    """Whether every model on the table has a path from where it stands, so that the geometry can be judged."""
    poses = tuple(model.pose for model in unit.models)
    return unit.on_table and poses == tuple(path.start for path in command.paths)


def where_it_leads(battle: Battle, unit: Unit, command: Walk, found: Rules) -> Iterator[Violation]:
    """What is wrong along the paths and at their ends."""
    ends = tuple(path.end for path in command.paths)
    yield from terrain.wrong_floors(battle.battlefield, unit, ends)
    sweeps = tuple(Sweep(m.base, path) for m, path in zip(unit.models, command.paths, strict=True))
    yield from measuring.violations(battle, unit, found, ends, sweeps)


def pivot_value(unit: Unit, model: Model, is_round: bool, width: float) -> float:
    """Inches that the first pivot of a move costs a model of a unit."""
    if not is_round:
        return PIVOT_LARGE if quantifiers.model_bears(unit, model, "MONSTER", "VEHICLE") else PIVOT_SMALL
    hovers = any(quantifiers.of_model(unit, model, token) is not None for token in ("hover", "flying-stem"))
    is_vehicle = quantifiers.model_bears(unit, model, "VEHICLE")
    return PIVOT_LARGE if is_vehicle and hovers and beyond(width, HOVERING_FROM) else 0.0


def cost(battle: Battle, unit: Unit, model: int, path: Path) -> float:
    """Inches that a path costs: all straight legs, and the pivot value once if it turns.

    By the reading that measures the farthest part there are no pivot values: every degree costs what the outermost
    point of a base that is not round travels.
    """
    return path.length + _turning(battle, unit, model, path) + climbing(battle, unit, unit.models[model], path)


def climbing(battle: Battle, unit: Unit, model: Model, path: Path, end: float | None = None) -> float:
    """Inches that a way costs beyond its length on the plan: up and down on foot, or what is flown farther.

    ``end`` is the height of the end where the path does not say.
    """
    return climb(battle.battlefield, unit, model, path, end)


def goings(battle: Battle, unit: Unit, paths: Sequence[Path], move: float) -> tuple[Going, ...]:
    """How far each model of a unit goes that may move so many inches, and how far it may: a leader by its own Move."""
    return tuple(
        Going(model.id, cost(battle, unit, k, path), move + more_of(unit, model))
        for k, (model, path) in enumerate(zip(unit.models, paths, strict=True))
    )


def goes(most: Callable[[Unit], float | None]) -> Callable[[Battle, Walk | ChargeMove], tuple[Going, ...]]:
    """What tells how far the models of a move go, by the inches that a unit may move."""

    def told(battle: Battle, command: Walk | ChargeMove) -> tuple[Going, ...]:
        unit = battle.unit(command.unit)
        move = most(unit)
        return () if move is None else goings(battle, unit, command.paths, move)

    return told


def distances(
    battle: Battle, unit: Unit, paths: tuple[Path, ...], rule: str, move: float | None
) -> Iterator[Violation]:
    """The models that go too far, or turn without the inches to do so."""
    if move is None:
        what = f"{unit.name} has no distance for this in its profile or abilities"
        yield Violation("not-eligible", rule, what, (unit.id,))
        return
    valued = battle.option("leg_distance", "same-point") != FARTHEST_PART
    for k, (going, model, path) in enumerate(zip(goings(battle, unit, paths, move), unit.models, paths, strict=True)):
        line = Witness(outlines=(tuple(pose.at for pose in (path.start, *path.stops)),))
        value, mine = _turning(battle, unit, k, path), going.most
        left = mine - _before_first_pivot(path)
        if valued and value and beyond(value, left):
            what = f'{model.id} has {inches(left)} left; its pivot costs {plain(value)}"'
            yield Violation("pivot-unaffordable", PIVOTS, what, (model.id,), left, Limit("at_least", value), line)
            continue
        if going.too_far:
            up = climbing(battle, unit, model, path)
            pivot = f", {inches(value)} of it for turning" if value else ""
            pivot += f", {inches(up)} of it up and down" if up else ""
            gone, allowed = compared(going.gone, mine)
            what = f"{model.id} moves {gone}{pivot}; it may move at most {allowed}"
            yield Violation("too-far", rule, what, (model.id,), going.gone, Limit("at_most", mine), line)


def _walked(
    battle: Battle, unit: Unit, command: Walk, rule: str, found: Rules, move: float | None
) -> Iterator[Violation]:
    """What a move that stays out of Engagement Range must keep."""
    yield from may_move(unit, command, rule)
    if not can_follow(unit, command):
        return
    if enemies := engagement.held_by(battle, unit):
        what = f"{unit.name} is within Engagement Range of {', '.join(enemies)}: it can only Fall Back"
        yield Violation("not-eligible", rule, what, (unit.id, *enemies))
        return
    yield from distances(battle, unit, command.paths, rule, move)
    yield from where_it_leads(battle, unit, command, found)


def _turning(battle: Battle, unit: Unit, model: int, path: Path) -> float:
    """Inches that a path costs for its pivots, nothing without any."""
    if not path.pivots:
        return 0.0
    base = unit.models[model].base
    if battle.option("leg_distance", "same-point") != FARTHEST_PART:
        return pivot_value(unit, unit.models[model], isinstance(base, Round), 2 * max(base.semi_axes))
    if isinstance(base, Round):
        return 0.0
    radius = Placed(base, Pose(0.0, 0.0)).radius
    return radius * math.fsum(abs(math.radians(leg.turn)) for leg in path.legs)


def _before_first_pivot(path: Path) -> float:
    gone = 0.0
    for leg in path.legs:
        if leg.turn:
            return gone
        gone += leg.length
    return gone


def _big_friends(battle: Battle, unit: Unit) -> Obstacles:
    others = battle.index.others_than(unit.id)
    big = {
        model.id
        for other in battle.units
        if other.player == unit.player
        for model in other.models
        if quantifiers.model_bears(other, model, "MONSTER", "VEHICLE")
    }
    rows = [i for i, name in enumerate(others.names) if name in big]
    return Obstacles(type(others.bases).of(others.bases[i] for i in rows), tuple(others.names[i] for i in rows))
