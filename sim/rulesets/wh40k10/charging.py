"""Charging: declared at twelve inches, rolled on two dice, and moved into every target or not at all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerCleared, MarkerSet, ModelsMoved, RollAbout, Unit
from sim.geometry import EPS, Limit, Obstacles, Placed, PlacedSet, Rules, Witness, beyond, gaps, within, witness
from sim.geometry.distance import straight_gaps
from sim.geometry.lengths import inches
from sim.rules import Answer, NeedChoice, NeedRoll, Procedure, QuestionError, ReactionWindow, Violation
from sim.rulesets.wh40k10 import (
    contacts,
    engagement,
    engaging,
    leaders,
    losses,
    measuring,
    movement,
    parting,
    quantifiers,
    reaching,
    rolls,
    shooting,
)
from sim.rulesets.wh40k10.commands import Charge, ChargeMove
from sim.rulesets.wh40k10.eligibility import may_act, one_pose_each
from sim.rulesets.wh40k10.noticing import answered, enemies_of
from sim.rulesets.wh40k10.resources import Resolving

RULE = "Charge"
MOVE = "Charge Move"
DECLARED_WITHIN = 12.0  # inches; Charging with a Unit
DICE, SIDES = 2, 6  # of a Charge roll
MOST = DICE * SIDES
CHARGE_DECLARED = "charge-declared"
CHARGE_ENDED = "charge-ended"
HEROIC = "heroic-intervention"  # the marker of a unit that charges in the opponent's turn
EACH_HURTS, CRUSHES = "charge-mortal-wounds", "charge-crush"  # abilities
CRUSH_FROM, CRUSH_DIE, CRUSH_MORE = 2, 3, 3  # a face, the sides of a die, mortal wounds besides on a six


def judge(battle: Battle, command: Charge) -> Iterator[Violation]:
    """All that is wrong with declaring this charge."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "charge", "charge")
    yield from why_not(battle, unit)
    if not command.targets:
        yield Violation("not-eligible", RULE, "a charge needs at least one target", (unit.id,))
    if unit.on_table:
        yield from _declarable(battle, unit, command.targets)


def why_not(battle: Battle, unit: Unit) -> Iterator[Violation]:
    """Why a unit is not eligible to declare a charge."""
    reason = None
    if not unit.on_table:
        reason = "is not on the table"
    elif unit.has("AIRCRAFT", "FORTIFICATION"):
        reason = "cannot charge"
    elif unit.marked("charge-declared"):
        reason = "has already declared a charge"
    elif unit.marked("advanced") and not _charges_after_advance(unit):
        reason = "has Advanced"
    elif unit.marked("fell-back") and quantifiers.some(unit, "charge-after-fall-back") is None:
        reason = "has Fallen Back"
    elif unit.marked("cannot-charge"):
        reason = "cannot charge this turn"
    elif engaged := engagement.held_by(battle, unit):
        reason = f"is within Engagement Range of {', '.join(engaged)}"
    if reason is not None:
        yield Violation("not-eligible", RULE, f"{unit.name} {reason}", (unit.id,))


def _charges_after_advance(unit: Unit) -> bool:
    return unit.marked(leaders.WAAAGH) or quantifiers.some(unit, "charge-after-advance") is not None


def _declarable(battle: Battle, unit: Unit, targets: Sequence[str]) -> Iterator[Violation]:
    """Targets farther than twelve inches by the straight line, up and down included."""
    mine = PlacedSet.of(m.placed for m in unit.models)
    for name in targets:
        target = battle.unit(name)
        if target.player == unit.player or not target.on_table:
            what = f"{target.name} is not an enemy unit on the table"
            yield Violation("not-eligible", RULE, what, (unit.id, name))
            continue
        if target.has(measuring.AIRCRAFT) and not unit.has("FLY"):
            what = f"{target.name} is an Aircraft: only what can FLY charges it"
            yield Violation("not-eligible", RULE, what, (unit.id, name))
        theirs = PlacedSet.of(m.placed for m in target.models)
        found = straight_gaps(mine, theirs)
        i, j = divmod(int(found.argmin()), len(theirs))
        apart = float(found[i, j])
        if beyond(apart, DECLARED_WITHIN):
            text = inches(apart, DECLARED_WITHIN)
            what = f'{target.name} is {text} from {unit.name}; a charge is declared within {DECLARED_WITHIN:g}"'
            line = Witness(line=witness(mine[i], theirs[j]))
            yield Violation(
                "target-too-far", RULE, what, (unit.id, name), apart, Limit("at_most", DECLARED_WITHIN), line
            )


def targets_within(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The enemy units at which a unit could declare a charge."""
    enemies = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    enemies = [u for u in enemies if unit.has("FLY") or not u.has(measuring.AIRCRAFT)]
    return tuple(u.id for u in enemies if within(float(engagement.apart(battle, unit, u).min()), DECLARED_WITHIN))


def resolve(battle: Battle, command: Charge) -> Procedure:
    """The enemy may fire Overwatch; then the dice; the move is chosen by who sees them."""
    yield from declared(battle, command.unit, command.targets)


def declared(battle: Battle, unit_id: str, targets: Sequence[str]) -> Any:
    """A charge is declared and rolled."""
    unit = battle.unit(unit_id)
    battle = yield from shooting.hazards_owed(battle)
    battle = yield MarkerSet(unit_id, Marker("charge-declared", until="end-of-phase"))
    for name in targets:
        battle = yield MarkerSet(unit_id, Marker("charge-target", name, until="end-of-phase"))
    window = ReactionWindow(CHARGE_DECLARED, unit_id, enemies_of(battle, unit.player))
    battle = yield from answered(battle, window)
    for part in parting.what_is_left(battle, unit):
        told, purpose = RollAbout("charge", part.id), f"Charge of {part.name}"
        battle, faces = yield from rolls.roll(battle, part.id, DICE, SIDES, purpose, DICE, told)
        amount = max(0, sum(faces) - movement.shaken(battle.unit(part.id)))
        battle = yield MarkerSet(part.id, Marker("charge-roll", amount=amount, until="end-of-phase"))
    left = parting.what_is_left(battle, unit)
    if shooting.owes_hazards(battle) and not any(can_arrive(battle, part) for part in left):
        battle = yield from shooting.hazards_owed(battle)
    return battle


def can_arrive(battle: Battle, unit: Unit) -> bool:
    """Whether the Charge roll that a unit has made suffices for the targets that it has declared."""
    roll, targets = charge_roll(unit), charge_targets(unit)
    if roll is None:
        return False
    memo, key = battle.index.memo, ("can-arrive", unit.id, str(roll), *targets)
    if key not in memo:
        memo[key] = engaging.roll_to_engage(battle, unit, targets, roll + 1e-3, roll) <= roll
    return bool(memo[key])


def charge_roll(unit: Unit) -> int | None:
    """The Charge roll that a unit has made and not used, None without one."""
    return next((m.amount for m in unit.markers if m.kind == "charge-roll"), None)


def charge_targets(unit: Unit) -> tuple[str, ...]:
    """The targets of the charge that a unit has declared."""
    return tuple(m.subject for m in unit.markers if m.kind == "charge-target")


def outcome(battle: Battle, command: Charge, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What was rolled, and what is needed."""
    rolled = [e.marker.amount for e in events if isinstance(e, MarkerSet) and e.marker.kind == "charge-roll"]
    unit = battle.unit(command.unit)
    needs = needed(battle, unit, command.targets)
    found: dict[str, Any] = {"needs": needs}
    if rolled:
        enough = needs != "never" and rolled[-1] + movement.shaken(unit) >= int(needs)
        found |= {"distance": float(rolled[-1]), "outcome": "reaches" if enough else "fails"}
    return found


def rules(battle: Battle, command: ChargeMove) -> Rules:
    """Along the way out of Engagement Range of all but the targets; at the end where a model may stand.

    What can FLY passes over models and within their Engagement Range, and ends as everybody does.
    """
    unit = battle.unit(command.unit)
    ends = tuple(path.end for path in command.paths)
    return Rules(
        moving=reaching.charge_way(battle, unit, command.targets, ends),
        standing=reaching.charge_end(battle, unit, command.targets, ends),
    )


def touches(battle: Battle, command: ChargeMove) -> PlacedSet:
    """What the models of a Charge move should come into contact with: the models of the targets."""
    found = [battle.index.of_unit(name).bases for name in command.targets if battle.has_unit(name)]
    return PlacedSet(tuple(placed for bases in found for placed in bases))


def judge_move(battle: Battle, command: ChargeMove) -> Iterator[Violation]:
    """All that is wrong with this Charge move."""
    unit = battle.unit(command.unit)
    roll = charge_roll(unit)
    if not unit.marked(HEROIC):
        yield from may_act(battle, unit, MOVE, "charge", "charge")
    if battle.clock.phase and roll is None:
        yield Violation("not-eligible", MOVE, f"{unit.name} has no Charge roll", (unit.id,))
        return
    declared_at = charge_targets(unit)
    if declared_at and set(declared_at) != set(command.targets):
        what = f"{unit.name} has declared its charge at {', '.join(declared_at)}"
        yield Violation("not-eligible", MOVE, what, (unit.id,))
    yield from one_pose_each(unit, command.paths, MOVE)
    absent = [name for name in command.targets if not len(reaching.bases_of(battle, (name,)))]
    if absent or not command.targets:
        what = f"nothing called {', '.join(absent)} is there to be charged" if absent else "a charge needs a target"
        yield Violation("not-eligible", MOVE, what, (unit.id,))
    if not movement.can_follow(unit, command):
        return
    yield from (
        movement.distances(battle, unit, command.paths, MOVE, None if roll is None else float(roll))
        if (roll is not None)
        else ()
    )
    found = rules(battle, command)
    yield from movement.where_it_leads(battle, unit, command, found)
    if not absent and command.targets:
        yield from reached(battle, unit, command)
        yield from closer(battle, unit, command, float(roll) if roll is not None else math.inf)


def _least_roll(battle: Battle, unit: Unit, command: ChargeMove) -> float:
    """The lowest Charge roll that suffices for a move."""
    costs = [movement.cost(battle, unit, k, path) for k, path in enumerate(command.paths)]
    return float(max(DICE, math.ceil(max(costs, default=0.0) - EPS)))


def reached(battle: Battle, unit: Unit, command: ChargeMove) -> Iterator[Violation]:
    """Targets that no model ends within Engagement Range of."""
    members = measuring.placed(unit, tuple(path.end for path in command.paths))
    for name in command.targets:
        target = battle.unit(name)
        if not target.on_table or engagement.reaches(battle, members, name):
            continue
        theirs = battle.index.of_unit(name).bases
        found = gaps(members, theirs)
        i, j = divmod(int(found.argmin()), len(theirs))
        what = f"no model of {unit.name} ends within Engagement Range of {target.name}"
        limit = Limit("at_most", measuring.ENGAGEMENT_REACH)
        line = Witness(line=witness(members[i], theirs[j]))
        yield Violation("target-not-reached", MOVE, what, (unit.id, name), float(found[i, j]), limit, line)


def closer(battle: Battle, unit: Unit, command: ChargeMove, roll: float) -> Iterator[Violation]:
    """Models that move and do not end closer to a target, or stop short of a base that they could touch."""
    theirs = reaching.bases_of(battle, command.targets)
    strict = battle.option("charge_no_closer", "stays") == "fails"
    for k, (model, path) in enumerate(zip(unit.models, command.paths, strict=True)):
        before = _least(model.placed, theirs)
        after = _least(Placed(model.base, path.end), theirs)
        if path.length == 0 and not strict:
            yield from _stays(battle, unit, command, k, roll, after)
            continue
        if not after < before - 1e-9 and not within(before, 0.0):
            what = f"{model.id} ends {inches(after)} from its targets, no closer than it was"
            yield Violation("not-closer", MOVE, what, (model.id,), after, Limit("at_most", before))
            continue
        straight = could_touch(battle, unit, command, k, roll) if beyond(after, reaching.CONTACT) else None
        if straight is not None:
            what = f"{model.id} ends {inches(after)} short of {straight.name}, which it could touch"
            yield Violation("not-in-contact", MOVE, what, (model.id, straight.name), after, Limit("at_most", 0.0))
        yield from _short_of_a_barricade(battle, unit, command, k, roll)


def could_touch(battle: Battle, unit: Unit, command: ChargeMove, k: int, roll: float) -> contacts.Touch | None:
    """The base of a target that a charging model could have touched by a straight move, all else as it ends.

    Where no roll is told, the spots that lie aside are looked at as far as the roll leads that the move needs at least.
    """
    moving, standing = reaching.command_rules(battle, unit, command)
    ends = tuple(path.end for path in command.paths)

    def reaches_all(members: PlacedSet) -> bool:
        return all(engagement.reaches(battle, members, name) for name in command.targets)

    aside = roll if math.isfinite(roll) else _least_roll(battle, unit, command)
    near = tuple(_left_to_reach(battle, unit, command, k))
    attempt = contacts.Attempt(battle, unit, k, ends, roll, aside, moving, standing, reaches_all, near)
    named = [m for name in command.targets for m in battle.unit(name).models if m.pose is not None]
    enemies = Obstacles(PlacedSet.of(m.placed for m in named), tuple(m.id for m in named))
    return contacts.could_touch(attempt, enemies)


def _left_to_reach(battle: Battle, unit: Unit, command: ChargeMove, k: int) -> Iterator[tuple[PlacedSet, float]]:
    """The targets that no other model of a unit reaches where it ends, and from how far one could do so."""
    others = [Placed(m.base, p.end) for i, (m, p) in enumerate(zip(unit.models, command.paths, strict=True)) if i != k]
    reach = engagement.widest_reach(battle)
    for name in command.targets:
        if not others or not engagement.reaches(battle, PlacedSet.of(others), name):
            yield battle.index.of_unit(name).bases, reach


def _short_of_a_barricade(battle: Battle, unit: Unit, command: ChargeMove, k: int, roll: float) -> Iterator[Violation]:
    """Who charges across a barricade ends as close to it as it can."""
    end = Placed(unit.models[k].base, command.paths[k].end)
    for name in command.targets:
        across = engagement.charged_across(battle, end, battle.index.of_unit(name))
        short = None if across is None else reaching.could_close(battle, unit, command, k, roll, across[1])
        if across is not None and short is not None:
            who = unit.models[k].id
            what = f"{who} stops {inches(short)} short of {across[0]}, across which it charges"
            yield Violation("not-closer", "Barricades", what, (who, across[0]), short, Limit("at_most", 0.0))


def _stays(battle: Battle, unit: Unit, command: ChargeMove, k: int, roll: float, apart: float) -> Iterator[Violation]:
    """What is wrong with a model that stays where it is in a charge: it could touch a target, or come nearer."""
    if not beyond(apart, reaching.CONTACT):
        return
    who = unit.models[k].id
    touched = could_touch(battle, unit, command, k, roll)
    if touched is not None:
        what = f"{who} stays where it is, {inches(apart)} from {touched.name}, which it could touch"
        yield Violation("not-in-contact", MOVE, what, (who, touched.name), apart, Limit("at_most", 0.0))
        return
    nearer = reaching.could_approach(battle, unit, command, k, roll)
    if nearer is not None:
        what = f"{who} stays where it is, and could come nearer to {nearer}"
        yield Violation("not-closer", MOVE, what, (who, nearer), apart, Limit("at_most", apart))


def resolve_move(battle: Battle, command: ChargeMove) -> Procedure:
    """The models follow their paths; the unit has charged and fights first."""
    unit = battle.unit(command.unit)
    paths = tuple((m.id, path) for m, path in zip(unit.models, command.paths, strict=True))
    heroic = unit.marked(HEROIC)
    yield ModelsMoved(unit.id, paths)
    yield MarkerCleared(unit.id, "charge-roll")
    if unit.marked(HEROIC):
        yield MarkerCleared(unit.id, HEROIC)
    battle = yield MarkerSet(unit.id, Marker("charged", until="end-of-turn"))
    if not heroic:
        battle = yield MarkerSet(unit.id, Marker("charge-bonus", until="end-of-turn"))
    battle = yield from shooting.hazards_owed(battle, unit.id)
    battle = yield from _impact(battle, unit.id)
    order = (unit.player, *enemies_of(battle, unit.player))
    yield from answered(battle, ReactionWindow(CHARGE_ENDED, unit.id, order))


def _impact(battle: Battle, unit_id: str) -> Resolving:
    """Mortal wounds on one engaged enemy of a unit whose charge hurts by itself: a die for each model, or for all."""
    unit = battle.unit(unit_id)
    each, crush = quantifiers.some(unit, EACH_HURTS), quantifiers.some(unit, CRUSHES) is not None
    engaged = engagement.engaged_with(battle, unit)
    if not engaged or (each is None and not crush):
        return battle
    name: str = engaged[0]
    if len(engaged) > 1:
        name = yield NeedChoice(unit.player, f"{unit.name} charges into whom", tuple(engaged))
    if each is not None:
        near = sum(engagement.reaches(battle, PlacedSet((model.placed,)), name) for model in unit.models)
        purpose = f"{unit.name} crashes in on {each}+"
        told = RollAbout("impact", unit_id, name, needs=int(each))
        faces = yield NeedRoll(max(1, near), SIDES, purpose, unit.player, about=told)
        return (yield from losses.mortal_wounds(battle, name, sum(face >= int(each) for face in faces), unit_id))
    told = RollAbout("crush", unit_id, name, needs=CRUSH_FROM)
    (face,) = yield NeedRoll(1, SIDES, f"{unit.name} crushes", unit.player, about=told)
    if face < CRUSH_FROM:
        return battle
    told = RollAbout("crush-wounds", unit_id, name)
    (more,) = yield NeedRoll(1, CRUSH_DIE, f"{unit.name} crushes: mortal wounds", unit.player, about=told)
    return (yield from losses.mortal_wounds(battle, name, int(more) + (CRUSH_MORE if face == SIDES else 0), unit_id))


def _least(placed: Placed, theirs: PlacedSet) -> float:
    """The straight line to the nearest of some bases, up and down included: who climbs up to it comes closer."""
    return float(straight_gaps(PlacedSet((placed,)), theirs).min())


def needed(battle: Battle, unit: Unit, targets: Sequence[str], most: int = MOST) -> int | str:
    """The lowest Charge roll with which the unit can end within Engagement Range of every target, or ``never``.

    It is the sum of the dice, before what shakes the unit is taken from it. Rolls above ``most`` are not looked for.
    """
    less = movement.shaken(unit)
    least = engaging.roll_to_engage(battle, unit, targets, most - less + 1e-3)
    return "never" if least > most - less else max(DICE, int(least) + less)


def ask_needs(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    """The lowest 2D6 that suffices for a charge of the first unit at all the others, or "never"."""
    if len(of) < 2:
        raise QuestionError(f"charge-needs is asked of a charger and its targets, got {len(of)}")
    units = [battle.unit(name) if battle.has_unit(name) else battle.unit(battle.model(name).unit) for name in of]
    return needed(battle, units[0], [unit.id for unit in units[1:]])
