"""Which blows does a unit strike in the Fight phase: who fights, whom with what, and how the attacks are shared out?"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from sim.battle import Battle, Marker, MarkerCleared, MarkerSet, Model, RollAbout, Unit, same_name
from sim.geometry import Limit, Placed, PlacedSet, gaps, within
from sim.geometry.distance import straight_gaps
from sim.rules import Procedure, Told, Violation
from sim.rulesets.wh40k10 import (
    abilities,
    engagement,
    fighting,
    leaders,
    measuring,
    once,
    own_rolls,
    parting,
    reaching,
    rolls,
    shooting,
    volleys,
    waaagh,
)
from sim.rulesets.wh40k10.attacks import Share
from sim.rulesets.wh40k10.commands import AttackWith, Fight
from sim.rulesets.wh40k10.datasheets import Weapon, arms_of
from sim.rulesets.wh40k10.volleys import Circumstances, Volley

RULE = "Fight"


@dataclass(frozen=True)
class Blow:
    """One line of a command, looked up: the attack with its weapon, and what part of the weapon's attacks it is."""

    attack: AttackWith
    weapon: Weapon
    share: Share | None = None


# --- whom


def targets_of(battle: Battle, unit: Unit) -> tuple[tuple[str, ...], ...]:
    """For each model the enemy units that it can make attacks against, none for who does not fight."""
    memo = battle.index.memo
    key = ("melee", unit.id)
    known = battle.has_unit(unit.id) and battle.unit(unit.id).models is unit.models
    if known and key in memo:
        found: tuple[tuple[str, ...], ...] = memo[key]
        return found
    answer = _targets(battle, unit)
    if known:
        memo[key] = answer
    return answer


def _targets(battle: Battle, unit: Unit) -> tuple[tuple[str, ...], ...]:
    """Who is within Engagement Range of a model, and whom a comrade touches that it touches itself."""
    members = PlacedSet.of(m.placed for m in unit.models)
    foes = [
        u.id
        for u in battle.units
        if u.player != unit.player
        and u.on_table
        and u.models
        and engagement.can_strike(unit, u)
        and within(float(gaps(members, battle.index.of_unit(u.id).bases).min()), engagement.BARRICADE_REACH)
    ]
    touch = within(straight_gaps(members, members), 0.0)
    np.fill_diagonal(touch, False)
    touched = [_touched(battle, member, foes) for member in members]
    out = []
    for k, member in enumerate(members):
        direct = [name for name in foes if engagement.reaches(battle, PlacedSet((member,)), name)]
        through = [name for i in np.flatnonzero(touch[k]) for name in touched[int(i)]]
        out.append(tuple(dict.fromkeys((*direct, *through))))
    return tuple(out)


def _touched(battle: Battle, member: Placed, foes: Sequence[str]) -> tuple[str, ...]:
    """The enemies that a model is in base contact with: bases touch at one height only."""
    apart = {name: straight_gaps(PlacedSet((member,)), battle.index.of_unit(name).bases).min() for name in foes}
    return tuple(name for name in foes if within(float(apart[name]), 0.0))


# --- judging


def judge(battle: Battle, command: Fight) -> Iterator[Violation]:
    """All that is wrong with fighting like this."""
    unit = battle.unit(command.unit)
    yield from fighting.may_fight(battle, unit, RULE)
    if not unit.on_table:
        return
    reach = dict(zip((m.id for m in unit.models), targets_of(battle, unit), strict=True))
    found: list[tuple[AttackWith, Weapon]] = []
    for attack in command.attacks:
        weapon = _looked_up(battle, unit, attack)
        if isinstance(weapon, Violation):
            yield weapon
            continue
        if attack.target not in reach[attack.model]:
            yield _out_of_reach(battle, attack)
        found.append((attack, weapon))
    yield from _one_weapon_each(unit, found)
    yield from _shares_that_fit(unit, found)
    yield from _all_who_can(unit, command, reach)


def _out_of_reach(battle: Battle, attack: AttackWith) -> Violation:
    target = battle.unit(attack.target)
    near = gaps(PlacedSet((battle.model(attack.model).placed,)), reaching.bases_of(battle, (target.id,)))
    apart = float(near.min()) if near.size else float("inf")
    what = f"{attack.model} cannot reach {target.name} with a blow"
    limit = Limit("at_most", measuring.ENGAGEMENT_REACH)
    return Violation("not-in-reach", RULE, what, (attack.model, target.id), apart, limit)


def _one_weapon_each(unit: Unit, found: Sequence[tuple[AttackWith, Weapon]]) -> Iterator[Violation]:
    """Who fights with two weapons that are no extra ones, or more often with one than it carries it."""
    for name in dict.fromkeys(attack.model for attack, _ in found):
        mine = [(attack, weapon) for attack, weapon in found if attack.model == name]
        main = dict.fromkeys(weapon for _, weapon in mine if not weapon.has("extra-attacks"))
        if len(main) > 1:
            what = f"{name} fights with one weapon, not with {' and '.join(sorted(map(volleys.title_of, main)))}"
            yield Violation("weapon-used-twice", RULE, what, (name,))
        for weapon in dict.fromkeys(weapon for _, weapon in mine):
            aims = [attack.target for attack, used in mine if used == weapon]
            carried = _copies(unit, name, weapon)
            often = len(aims) if carried > 1 else max(aims.count(target) for target in aims)
            if often > carried:
                what = f"{name} has {carried} {weapon.name} to fight with; it strikes more often"
                yield Violation("weapon-used-twice", RULE, what, (name,))


def _shares_that_fit(unit: Unit, found: Sequence[tuple[AttackWith, Weapon]]) -> Iterator[Violation]:
    """Attacks that are shared out between targets and are more, or fewer, than the weapon makes."""
    for name, weapon in dict.fromkeys((attack.model, weapon) for attack, weapon in found):
        asked = [a.asked for a, used in found if a.model == name and used == weapon]
        told = [count for count in asked if count is not None]
        if any(count < 1 for count in told):
            what = f"{name} strikes at least once where its attacks are counted"
            yield Violation("wrong-attack-count", RULE, what, (name,))
        if _copies(unit, name, weapon) > 1 and told:
            what = f"{name} has several {weapon.name}: each of them strikes at one target with all its attacks"
            yield Violation("wrong-attack-count", RULE, what, (name,))
        made = volleys.amount(weapon.attacks)
        if made.dice or _copies(unit, name, weapon) > 1:
            continue
        number = made.plus + _more_attacks(unit, name, weapon)
        rest = asked.count(None)
        if sum(told) + rest > number or (sum(told) < number and not rest):
            what = f"{name} makes {number} attacks with {weapon.name}, not {sum(told) + rest}"
            yield Violation("wrong-attack-count", RULE, what, (name,))


def _all_who_can(unit: Unit, command: Fight, reach: dict[str, tuple[str, ...]]) -> Iterator[Violation]:
    """Each model that can fight does."""
    fights = {attack.model for attack in command.attacks}
    for model in unit.models:
        if reach[model.id] and model.id not in fights and melee_of(unit, model):
            what = f"{model.id} can fight and has to"
            yield Violation("must-fight", RULE, what, (model.id, *reach[model.id]))


def melee_of(unit: Unit, model: Model) -> tuple[Weapon, ...]:
    """The melee weapons that a model carries, each profile by itself."""
    return tuple(weapon for weapon in arms_of(unit, model) if weapon.range == 0)


def _more_attacks(unit: Unit, name: str, weapon: Weapon) -> int:
    """How many attacks more than its profile says a model makes with a weapon."""
    more = _more_blows(unit, _bearer(unit, name), weapon)
    return more + own_rolls.more_attacks(own_rolls.bearer_of(unit, name), weapon)


def _bearer(unit: Unit, name: str) -> Model:
    return next(model for model in unit.models if model.id == name)


def _copies(unit: Unit, name: str, weapon: Weapon) -> int:
    """How many copies of a weapon a model strikes with: one, or of extra ones as many as it carries."""
    if not weapon.has("extra-attacks"):
        return 1
    return max(1, arms_of(unit, _bearer(unit, name)).count(weapon))


def _looked_up(battle: Battle, unit: Unit, attack: AttackWith) -> Weapon | Violation:
    if not battle.has_unit(attack.target):
        return Violation("no-such-unit", RULE, f"no unit is called {attack.target!r}", (attack.model,))
    if attack.model not in {m.id for m in unit.models}:
        what = f"{attack.model} is no model of {unit.name}"
        return Violation("not-eligible", RULE, what, (attack.model, unit.id))
    found = [w for w in melee_of(unit, battle.model(attack.model)) if same_name(w.name, attack.weapon)]
    fitting = [w for w in found if w.profile == attack.profile] or ([] if attack.profile else found)
    if len(set(fitting)) > 1:
        return shooting.profile_needed(RULE, attack, fitting)
    if not fitting:
        return Violation(
            "no-such-weapon", RULE, f"{attack.model} has no melee weapon {attack.weapon!r}", (attack.model,)
        )
    return fitting[0]


# --- striking


def resolve(battle: Battle, command: Fight) -> Procedure:
    """Volley after volley; then the price of what is hazardous.

    Who is left may consolidate; only after that has the unit fought, and the enemy may answer out of turn.
    """
    if not battle.unit(command.unit).marked("piled-in"):
        now = yield from fighting.selected(battle, command.unit)
        if now is None:
            return
        battle = now
    unit = battle.unit(command.unit)
    planned = plan_volleys(battle, unit, command.attacks)
    hazardous = hazarded(planned)
    battle, planned = yield from _numbers_rolled(battle, unit, planned)
    battle = yield from volleys.resolve_all(battle, unit.id, planned)
    battle = yield from shooting.hazard(battle, unit.id, hazardous)
    number = 1 + sum(u.marked("fought") for u in battle.units)
    for part in parting.what_is_left(battle, unit) or (battle.unit(unit.id),):
        if part.marked(fighting.NEXT):
            battle = yield MarkerCleared(part.id, fighting.NEXT)
        battle = yield MarkerSet(part.id, Marker("fought", battle.clock.step, number, "end-of-phase"))
    if not parting.what_is_left(battle, unit):
        yield from fighting.has_fought(battle, unit.id)


def hazarded(planned: Sequence[Volley]) -> list[str]:
    """The bearers of the hazardous weapons that strike, one for each test."""
    return [name for volley in planned if volley.weapon.has("hazardous") for name in volley.models]


def _numbers_rolled(
    battle: Battle, unit: Unit, planned: Sequence[Volley]
) -> Generator[Told, Any, tuple[Battle, list[Volley]]]:
    """The volleys with their numbers of attacks, where such a number is rolled and shared out between targets.

    It is rolled once for each model; every share of it is taken from the same dice.
    """
    rolled: dict[tuple[str, Weapon], int] = {}
    out = []
    for volley in planned:
        share, made = volley.about.share, volley.attack(battle).attacks
        if share is None or not made.dice:
            out.append(volley)
            continue
        count = 0
        for name in volley.models:
            if (name, volley.weapon) not in rolled:
                purpose = f"{volley.weapon.name} of {name}: attacks"
                told = RollAbout("attacks", unit.id, weapon=volley.weapon.name, bearers=(name,))
                battle, faces = yield from rolls.roll(battle, unit.id, made.dice, made.sides, purpose, made.dice, told)
                rolled[name, volley.weapon] = sum(faces) + made.plus + volley.about.more_attacks
            count += share.of(rolled[name, volley.weapon])
        out.append(replace(volley, made=count))
    return battle, out


def plan_volleys(battle: Battle, unit: Unit, attacks: Sequence[AttackWith]) -> list[Volley]:
    """The attacks in volleys, one target after another: the same weapon, and the same part of its attacks."""
    groups: dict[tuple[Weapon, str, Circumstances], list[str]] = {}
    for blow in _shared_out(battle, unit, attacks):
        about = circumstances(battle, unit, battle.unit(blow.attack.target), blow.weapon, blow.attack.model)
        key = (blow.weapon, blow.attack.target, replace(about, share=blow.share))
        groups.setdefault(key, []).append(blow.attack.model)
    return [
        Volley(weapon, tuple(models), target, about)
        for (weapon, target, about), models in volleys.target_by_target(groups)
    ]


def _shared_out(battle: Battle, unit: Unit, attacks: Sequence[AttackWith]) -> Iterator[Blow]:
    """The attacks that can be looked up, each with its share where one weapon strikes at several targets."""
    found = [(a, w) for a in attacks if isinstance(w := _looked_up(battle, unit, a), Weapon)]
    for attack, weapon in found:
        aims = [a for a, used in found if a.model == attack.model and used == weapon]
        shared = len(aims) > 1 and _copies(unit, attack.model, weapon) == 1
        share = Share(tuple(a.asked for a in aims), aims.index(attack)) if shared else None
        yield Blow(attack, weapon, share)


def circumstances(battle: Battle, unit: Unit, target: Unit, weapon: Weapon, model: str) -> Circumstances:
    """What bears on a melee attack of a model now."""
    challenges = any(m.kind == fighting.EPIC and m.subject == model for m in unit.markers)
    struck_by = _bearer(unit, model)
    finest = once.finest_of(unit, struck_by) > 0
    bearer = own_rolls.bearer_of(unit, model)
    own = partial(own_rolls.modifiers, bearer, target, weapon=weapon)
    return Circumstances(
        models_at_selection=len(target.models),
        charged=unit.marked("charged"),
        hit_modifiers=(*abilities.hit_modifiers(battle, unit, target), *own("hit")),
        wound_modifiers=tuple(own("wound")),
        ap_modifiers=tuple(own("ap")),
        damage_modifiers=(*abilities.damage_modifiers(target), *own("damage")),
        hit_again=own_rolls.again(bearer, "hit", weapon, abilities.hit_again(battle, unit, target)),
        wound_again=own_rolls.again(bearer, "wound", weapon, "none"),
        damage_again=own_rolls.damage_again(bearer, weapon),
        extra=(*(("precision",) if challenges else ()), *((once.DEVASTATING,) if finest else ())),
        characters=frozenset(m.id for m in leaders.characters(target)),
        more_attacks=_more_attacks(unit, model, weapon),
        more_strength=waaagh.more_strength(unit, struck_by, weapon),
    )


def _more_blows(unit: Unit, model: Model, weapon: Weapon) -> int:
    """How many more attacks a model makes with a melee weapon; Extra Attacks are never more by what lasts on it."""
    more = abilities.more_blows(unit, model, weapon) + waaagh.more_blows(unit, model, weapon)
    return more if weapon.has("extra-attacks") else more + once.finest_of(unit, model)
