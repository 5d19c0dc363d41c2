"""The Fight phase: who fights next, piling in and consolidating. The blows themselves are in ``striking``."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from sim.battle import Battle, Marker, MarkerSet, ModelsMoved, Objective, Unit
from sim.geometry import (
    Limit,
    Path,
    Placed,
    PlacedSet,
    Pose,
    Round,
    Rules,
    Witness,
    beyond,
    gap,
    within,
    witness,
)
from sim.geometry.distance import straight_gap, straight_gaps
from sim.geometry.lengths import inches
from sim.rules import Procedure, ReactionWindow, Told, Violation
from sim.rulesets.wh40k10 import (
    abilities,
    contacts,
    engagement,
    measuring,
    movement,
    quantifiers,
    reaching,
)
from sim.rulesets.wh40k10.commands import Consolidate, PileIn
from sim.rulesets.wh40k10.eligibility import one_pose_each
from sim.rulesets.wh40k10.noticing import answered, enemies_of
from sim.rulesets.wh40k10.resources import Resolving, opponent_of

PILE_IN = "Pile In"
CONSOLIDATE = "Consolidate"
MOVE = 3.0  # inches; Pile In and Consolidate
SELECTED_TO_FIGHT = "selected-to-fight"
HAS_FOUGHT = "has-fought"
NEXT = "fights-next"  # the marker of a unit that was called on
EPIC = "epic-challenge"  # the marker of a model whose blows have Precision
FIRST, REMAINING = "fights-first", "remaining-combats"


# --- who is next


def fights_first(unit: Unit) -> bool:
    """Whether a unit fights in the first step: by the Charge bonus, an ability, or because it was called on."""
    return unit.marked("charge-bonus") or quantifiers.every(unit, "fights-first")


def eligible(battle: Battle, unit: Unit) -> bool:
    """Whether a unit can be selected to fight in this step."""
    if not unit.on_table or not unit.models or unit.marked("fought"):
        return False
    if battle.clock.step == FIRST and not fights_first(unit) and not unit.marked(NEXT):
        return False
    return unit.marked("charged") or bool(engagement.engaged_with(battle, unit))


def eligible_in_phase(battle: Battle, unit: Unit) -> bool:
    """Whether a unit is engaged and has not been selected to fight in this phase."""
    if not unit.on_table or not unit.models or unit.marked("fought"):
        return False
    return bool(engagement.engaged_with(battle, unit))


def next_player(battle: Battle) -> str | None:
    """Who selects the next unit to fight; None when no unit is left in this step."""
    waiting = {u.player for u in battle.units if eligible(battle, u)}
    if not waiting:
        return None
    active = battle.clock.player
    called = next((u.player for u in battle.units if u.marked(NEXT) and eligible(battle, u)), None)
    if called is not None:
        return called
    started = next((u for u in battle.units if u.marked("piled-in") and eligible(battle, u)), None)
    if started is not None:
        return started.player
    last = _last(battle)
    turn = opponent_of(battle, active) if last is None else opponent_of(battle, last.player)
    return turn if turn in waiting else next(iter(waiting))


def candidates(battle: Battle) -> tuple[Unit, ...]:
    """The units of which one is selected to fight next."""
    player = next_player(battle)
    if player is None:
        return ()
    mine = [u for u in battle.units if u.player == player and eligible(battle, u)]
    called = [u for u in mine if u.marked(NEXT)]
    started = [u for u in mine if u.marked("piled-in")]
    return tuple(started or called or mine)


def _last(battle: Battle) -> Unit | None:
    """The unit that fought last in this step, the first of them where it has fallen apart since."""
    fought = [(number, u) for u in battle.units if (number := _fought(battle, u)) is not None]
    return max(fought, key=lambda pair: pair[0])[1] if fought else None


def _fought(battle: Battle, unit: Unit) -> int | None:
    """As which one a unit has fought in this step, None when it has not."""
    found = (m.amount for m in unit.markers if m.kind == "fought" and m.subject == battle.clock.step)
    return next(found, None)


def may_fight(battle: Battle, unit: Unit, rule: str) -> Iterator[Violation]:
    """Wrong phase, not eligible, or not this unit's time."""
    clock = battle.clock
    if not clock.phase:
        return
    if clock.phase != "fight":
        what = f"{rule} belongs to the fight phase; now it is {clock.phase}"
        yield Violation("wrong-phase", rule, what, (unit.id,))
        return
    if not eligible(battle, unit):
        what = f"{unit.name} cannot be selected to fight now"
        yield Violation("not-eligible", rule, what, (unit.id,))
        return
    names = candidates(battle)
    if unit.id not in {u.id for u in names}:
        others = " or ".join(u.name for u in names)
        what = f"{others} of {names[0].player} fights next"
        yield Violation("not-your-turn", rule, what, (unit.id,))


def selected(battle: Battle, unit_id: str) -> Generator[Told, Any, Battle | None]:
    """A unit is selected to fight, and its owner may answer; None when the enemy has called on another one before."""
    now = yield from before_the_next(battle)
    if now is not battle and unit_id not in {unit.id for unit in candidates(now)}:
        return None
    return (yield from answered(now, ReactionWindow(SELECTED_TO_FIGHT, unit_id, (now.unit(unit_id).player,))))


# --- piling in


def touches(battle: Battle, command: PileIn | Consolidate) -> PlacedSet:
    """What the models that pile in or consolidate should come into contact with: any enemy."""
    return battle.index.enemies_of(battle.unit(command.unit).player).bases


def pile_in_rules(battle: Battle, command: PileIn | Consolidate) -> Rules:
    """On the table, over nobody, and standing where a model may."""
    unit = battle.unit(command.unit)
    ends = tuple(path.end for path in command.paths)
    return Rules(
        moving=(
            measuring.on_table(battle.battlefield),
            movement.over_no_enemy(battle, unit),
            *movement.past_friends_and_walls(battle, unit),
        ),
        standing=tuple(c for c in measuring.standing(battle, unit, ends) if c.code != "off-table"),
    )


def judge_pile_in(battle: Battle, command: PileIn) -> Iterator[Violation]:
    """All that is wrong with piling in like this."""
    unit = battle.unit(command.unit)
    yield from may_fight(battle, unit, PILE_IN)
    if unit.marked("piled-in"):
        yield Violation("not-eligible", PILE_IN, f"{unit.name} has piled in", (unit.id,))
    yield from _moved(battle, unit, command, PILE_IN)
    if not movement.can_follow(unit, command) or not _moves(command.paths):
        return
    yield from _closer_to_nearest(battle, unit, command.paths, PILE_IN)
    ends = measuring.placed(unit, tuple(path.end for path in command.paths))
    foes = [u.id for u in battle.units if u.player != unit.player and u.on_table and u.models]
    if not any(engagement.reaches(battle, ends, name) for name in foes):
        what = f"{unit.name} would not end within Engagement Range of an enemy"
        yield Violation("target-not-reached", PILE_IN, what, (unit.id,))


def resolve_pile_in(battle: Battle, command: PileIn) -> Procedure:
    """The unit is selected to fight, the models move, and it is the one that fights now."""
    now = yield from selected(battle, command.unit)
    if now is None:
        return
    yield from _follow(now.unit(command.unit), command.paths)
    yield MarkerSet(command.unit, Marker("piled-in", until="end-of-phase"))


# --- consolidating


def may_consolidate(battle: Battle, unit: Unit) -> bool:
    """Whether a unit is the one that has just fought and has not consolidated."""
    last = _last(battle)
    started = any(u.marked("piled-in") and eligible(battle, u) for u in battle.units)
    if last is None or started or unit.marked("consolidated"):
        return False
    return unit.player == last.player and _fought(battle, unit) == _fought(battle, last)


def judge_consolidate(battle: Battle, command: Consolidate) -> Iterator[Violation]:
    """All that is wrong with consolidating like this."""
    unit = battle.unit(command.unit)
    if battle.clock.phase and (battle.clock.phase != "fight" or not may_consolidate(battle, unit)):
        what = f"{unit.name} is not the unit that has just fought"
        yield Violation("not-eligible", CONSOLIDATE, what, (unit.id,))
    yield from _moved(battle, unit, command, CONSOLIDATE)
    if not movement.can_follow(unit, command) or not _moves(command.paths):
        return
    ends = measuring.placed(unit, tuple(path.end for path in command.paths))
    foes = [
        u.id
        for u in battle.units
        if u.player != unit.player and u.on_table and u.models and engagement.can_strike(unit, u)
    ]
    if any(engagement.reaches(battle, ends, name) for name in foes):
        yield from _closer_to_nearest(battle, unit, command.paths, CONSOLIDATE)
        return
    could = reaching.could_engage(battle, unit, MOVE)
    if could is not None:
        what = f"{unit.name} could end engaged: {could} could reach an enemy"
        yield Violation("target-not-reached", CONSOLIDATE, what, (unit.id, could))
    objectives = battle.battlefield.objectives
    if not objectives:
        what = f"{unit.name} would end neither engaged nor within range of an objective marker"
        yield Violation("target-not-reached", CONSOLIDATE, what, (unit.id,))
        return
    centres = [(m.placed, path) for m, path in zip(unit.models, command.paths, strict=True)]
    goal = min(objectives, key=lambda o: min(_to_marker(placed, o) for placed, _ in centres))
    yield from _short_of_marker(unit, ends, goal)
    for model, path in zip(unit.models, command.paths, strict=True):
        before, after = _to_marker(model.placed, goal), _to_marker(Placed(model.base, path.end), goal)
        if path.length and not after < before:
            what = f"{model.id} ends no closer to {goal.id}"
            yield Violation("not-closer", CONSOLIDATE, what, (model.id, goal.id), after, Limit("at_most", before))


def _short_of_marker(unit: Unit, ends: PlacedSet, goal: Objective) -> Iterator[Violation]:
    """No model ends within range of a marker: three inches across from its edge and five up."""
    what = f"{unit.name} would end neither engaged nor within range of {goal.id}"
    lowest = min(abs(end.pose.z) for end in ends)
    level = [end for end in ends if within(abs(end.pose.z), abilities.OBJECTIVE_HEIGHT)]
    if not level:
        limit = Limit("at_most", abilities.OBJECTIVE_HEIGHT)
        yield Violation("target-not-reached", CONSOLIDATE, f"{what}: too high", (unit.id, goal.id), lowest, limit)
        return
    nearest = min(_to_marker(end, goal) for end in level)
    if beyond(nearest, abilities.OBJECTIVE_REACH):
        limit = Limit("at_most", abilities.OBJECTIVE_REACH)
        yield Violation("target-not-reached", CONSOLIDATE, what, (unit.id, goal.id), nearest, limit)


def resolve_consolidate(battle: Battle, command: Consolidate) -> Procedure:
    """The models move, and the unit has fought: the enemy may answer."""
    yield from _follow(battle.unit(command.unit), command.paths)
    battle = yield MarkerSet(command.unit, Marker("consolidated", until="end-of-phase"))
    if not _can_consolidate(battle):
        yield from has_fought(battle, command.unit)


def has_fought(battle: Battle, unit_id: str) -> Resolving:
    """A unit has piled in, struck and consolidated, or is past that: its enemies may answer."""
    player = battle.unit(unit_id).player
    return (yield from answered(battle, ReactionWindow(HAS_FOUGHT, unit_id, enemies_of(battle, player))))


def before_the_next(battle: Battle) -> Resolving:
    """Somebody goes on: a unit that has struck and not consolidated stays where it is, and has fought.

    Once the enemy has answered, it does not consolidate any more.
    """
    through = _can_consolidate(battle)
    if not through:
        return battle
    after = yield from has_fought(battle, through[0].id)
    for unit in through if after is not battle else ():
        after = yield MarkerSet(unit.id, Marker("consolidated", until="end-of-phase"))
    return after


def _can_consolidate(battle: Battle) -> list[Unit]:
    return [u for u in battle.units if u.on_table and u.models and may_consolidate(battle, u)]


def _to_marker(placed: Placed, objective: Objective) -> float:
    return gap(placed, Placed(Round(2 * objective.radius), Pose(*objective.at)))


# --- what both moves share


def _moves(paths: Sequence[Path]) -> bool:
    return any(path.stops for path in paths)


def _follow(unit: Unit, paths: Sequence[Path]) -> Procedure:
    if _moves(paths):
        yield ModelsMoved(unit.id, tuple((m.id, path) for m, path in zip(unit.models, paths, strict=True)))


def _moved(battle: Battle, unit: Unit, command: PileIn | Consolidate, rule: str) -> Iterator[Violation]:
    yield from one_pose_each(unit, command.paths, rule)
    if not movement.can_follow(unit, command):
        if unit.on_table and len(command.paths) == len(unit.models):
            what = f"a path of {unit.name} does not start where its model stands"
            yield Violation("wrong-start", rule, what, (unit.id,))
        return
    yield from movement.distances(battle, unit, command.paths, rule, MOVE)
    if _moves(command.paths):
        yield from movement.where_it_leads(battle, unit, command, pile_in_rules(battle, command))


def _closer_to_nearest(battle: Battle, unit: Unit, paths: Sequence[Path], rule: str) -> Iterator[Violation]:
    """Models in contact that move, and models that end no closer to the enemy that was nearest to them.

    Near and close by the straight line, up and down included: who climbs up to an enemy comes closer. Aircraft count
    for what can FLY alone.
    """
    every = battle.index.enemies_of(unit.player)
    for k, (model, path) in enumerate(zip(unit.models, paths, strict=True)):
        enemies = measuring.enemies_closed_with(battle, unit, model)
        if not path.stops or not len(enemies):
            continue
        apart = straight_gaps(PlacedSet((model.placed,)), enemies.bases)[0]
        j = int(apart.argmin())
        before = float(apart[j])
        if within(before, 0.0):
            what = f"{model.id} is in base contact with {enemies.names[j]} and stays"
            yield Violation("not-closer", rule, what, (model.id, enemies.names[j]), 0.0)
            continue
        end = Placed(model.base, path.end)
        after = straight_gap(end, enemies.bases[j])
        if not after < before - 1e-9:
            what = f"{model.id} ends {inches(max(0.0, after))} from {enemies.names[j]}, no closer than it was"
            line = Witness(line=witness(end, enemies.bases[j]))
            limit = Limit("at_most", before)
            yield Violation("not-closer", rule, what, (model.id, enemies.names[j]), after, limit, line)
            continue
        least = float(straight_gaps(PlacedSet((end,)), every.bases).min())
        touched = could_touch(battle, unit, paths, k) if beyond(least, reaching.CONTACT) else None
        if touched is not None:
            short = straight_gap(end, every.bases[every.names.index(touched.name)])
            what = f"{model.id} ends {inches(short)} short of {touched.name}, which it could touch"
            yield Violation("not-in-contact", rule, what, (model.id, touched.name), short, Limit("at_most", 0.0))


def could_touch(battle: Battle, unit: Unit, paths: Sequence[Path], k: int) -> contacts.Touch | None:
    """The enemy base that a model that piles in could touch by a straight move, all else as it ends.

    It also comes closer to the enemy that is nearest to it now.
    """
    ends = tuple(path.end for path in paths)
    standing = [c for c in measuring.standing(battle, unit, ends) if c.code != "off-table"]
    every = battle.index.enemies_of(unit.player)
    near = measuring.enemies_closed_with(battle, unit, unit.models[k])
    if not len(near):
        return None
    now = straight_gaps(PlacedSet((unit.models[k].placed,)), near.bases)[0]
    nearest, before = near.bases[int(now.argmin())], float(now.min())

    def closer(members: PlacedSet) -> bool:
        return straight_gap(members[k], nearest) < before - 1e-9

    moving = reaching.close_by(battle, unit)
    needed = ((PlacedSet((nearest,)), before),)
    attempt = contacts.Attempt(battle, unit, k, ends, MOVE, MOVE, moving, standing, closer, needed)
    return contacts.could_touch(attempt, every)
