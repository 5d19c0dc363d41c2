"""Shooting: who may shoot at whom with what, and how a unit's attacks come about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sim.battle import Battle, Marker, MarkerCleared, MarkerSet, Model, RollAbout, Unit, name_key, same_name
from sim.battle.state import ON_TABLE
from sim.geometry import EPS, Limit, Placed, PlacedSet, Witness, beyond, within, witness
from sim.geometry.distance import straight_gap, straight_gaps
from sim.geometry.lengths import inches
from sim.geometry.tolerance import Bools
from sim.rules import Modifier, NeedChoice, Procedure, ReactionWindow, Violation
from sim.rulesets.wh40k10 import (
    abilities,
    engagement,
    leaders,
    losses,
    once,
    own_rolls,
    parting,
    quantifiers,
    rolls,
    visibility,
    volleys,
)
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from sim.rulesets.wh40k10.datasheets import Weapon, arms_of, carried
from sim.rulesets.wh40k10.eligibility import may_act
from sim.rulesets.wh40k10.noticing import answered
from sim.rulesets.wh40k10.parting import HAZARD_WAITS
from sim.rulesets.wh40k10.resources import Resolving
from sim.rulesets.wh40k10.volleys import Circumstances, Volley, title_of

RULE = "Shooting"
LONE_OPERATIVE_REACH = 12.0  # inches; Lone Operative
HAZARD_ON = 1  # a face up to this; Hazardous
HAZARD_WOUNDS = 3  # mortal wounds; Hazardous
BIG_GUNS = "Big Guns Never Tire"
TARGETS_CHOSEN = "targets-chosen"
HAS_SHOT = "has-shot"
CLEARANCE = "explosive-clearance"  # the marker of a model whose Blast weapons reach whom it does not see


@dataclass(frozen=True)
class Shot:
    """One attack of a command, looked up: the model, what stands for it when measuring, its weapon and its target."""

    attack: AttackWith
    model: Model
    gunner: Placed
    weapon: Weapon
    target: Unit
    passenger: Unit | None = None


def judge(battle: Battle, command: Shoot) -> Iterator[Violation]:
    """All that is wrong with shooting like this."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "shooting", "shoot")
    yield from why_not(battle, unit)
    if not unit.on_table:
        return
    yield from judge_attacks(battle, unit, command.attacks)


def judge_attacks(battle: Battle, unit: Unit, attacks: Sequence[AttackWith]) -> Iterator[Violation]:
    """What is wrong with the attacks themselves, whenever they are made."""
    shots: list[Shot] = []
    for attack in attacks:
        found = _looked_up(battle, unit, attack)
        if isinstance(found, Violation):
            yield found
        else:
            shots.append(found)
    yield from _too_many(unit, shots)
    yield from _pistols_or_others(unit, shots)
    yield from _firing_deck(battle, unit, shots)
    for shot in shots:
        yield from may_target(battle, unit, shot)


def why_not(battle: Battle, unit: Unit) -> Iterator[Violation]:
    """Why a unit is not eligible to shoot at all."""
    reason = None
    if not unit.on_table:
        reason = "is not on the table"
    elif unit.marked("shot"):
        reason = "has already shot"
    elif unit.marked("cannot-shoot"):
        reason = "cannot shoot this turn"
    elif unit.marked("fell-back") and quantifiers.some(unit, "shoot-after-fall-back") is None:
        reason = "has Fallen Back"
    elif unit.marked("advanced") and not any(_assault(battle, unit, w) for w in _ranged(unit)):
        reason = "has Advanced and has no Assault weapon"
    elif not unit.has("MONSTER", "VEHICLE") and _no_pistols(unit) and engagement.engaged_with(battle, unit):
        reason = "is within Engagement Range and has no Pistol"
    if reason is not None:
        yield Violation("not-eligible", RULE, f"{unit.name} {reason}", (unit.id,))


def eligible(battle: Battle, unit: Unit) -> bool:
    """Whether a unit could be selected to shoot now, if it has weapons and it is its phase."""
    if any(why_not(battle, unit)):
        return False
    return bool(_ranged(unit)) or any(_passengers(battle, unit))


def may_target(battle: Battle, unit: Unit, shot: Shot) -> Iterator[Violation]:
    """What is wrong with one weapon firing at its target."""
    weapon, target, who = shot.weapon, shot.target, (shot.attack.model, shot.target.id)
    if target.player == unit.player or not target.on_table:
        what = f"{target.name} is not an enemy unit on the table"
        yield Violation("not-eligible", RULE, what, who)
        return
    if unit.marked("advanced") and not _assault(battle, unit, weapon):
        yield Violation("not-eligible", RULE, f"{unit.name} has Advanced: {title_of(weapon)} has not Assault", who)
    if weapon.has("one-shot") and not copies_left(unit, shot.model, shot.attack):
        yield Violation("not-eligible", "One Shot", f"{title_of(weapon)} of {shot.model.id} has been fired", who)
    if unit.marked("focused-fire") and not abilities.aims_at(unit, "focused-fire", target):
        named = [battle.unit(m.subject).name for m in unit.markers if m.kind == "focused-fire"]
        what = f"{unit.name} can only target {' or '.join(named)}"
        yield Violation("not-eligible", "Focused Fire", what, who)
    yield from _close_quarters(battle, unit, shot)
    apart, line = nearest(shot.gunner, target)
    bodies = PlacedSet.of(m.placed for m in target.models)
    reached = straight_gaps(PlacedSet((shot.gunner,)), bodies)[0] <= weapon.range + EPS
    if beyond(apart, weapon.range):
        text = inches(apart, weapon.range)
        what = f'{target.name} is {text} from {shot.model.id}; {title_of(weapon)} reaches {weapon.range:g}"'
        yield Violation("target-too-far", RULE, what, who, apart, Limit("at_most", weapon.range), line)
    if quantifiers.lone_operative(target) and beyond(apart, LONE_OPERATIVE_REACH):
        what = f'{target.name} can be targeted within {LONE_OPERATIVE_REACH:g}" only'
        limit = Limit("at_most", LONE_OPERATIVE_REACH)
        yield Violation("target-too-far", "Lone Operative", what, who, apart, limit, line)
    sight = _sight(battle, unit, shot)
    if weapon.has("indirect-fire") or bool((sight & reached).any()):
        return
    if not sight.any():
        hides = _hides(battle, unit, shot)
        behind = f" past {', '.join(hides)}" if hides else ""
        what = f"{shot.model.id} does not see {target.name}{behind}"
        yield Violation("not-visible", visibility.RULE, what, who, witness=line)
    elif reached.any():
        what = f"what {shot.model.id} sees of {target.name} is out of range, and what is in range it does not see"
        yield Violation("not-visible", visibility.RULE, what, who, witness=line)


def spent(attack: AttackWith) -> str:
    """The marker of a weapon that fires once in a battle."""
    return f"spent {attack.model} {attack.weapon}"


def copies_left(unit: Unit, model: Model, attack: AttackWith) -> int:
    """How many copies of a weapon that fires once in a battle a model has not fired."""
    fired = sum(marker.kind == spent(attack) for marker in unit.markers)
    return carried(model, attack.weapon) - fired


def nearest(gunner: Placed, target: Unit) -> tuple[float, Witness]:
    """The straight line to the nearest model of a unit, up and down included, as long as it is and to draw."""
    others = PlacedSet.of(m.placed for m in target.models)
    found = straight_gaps(PlacedSet((gunner,)), others)[0]
    k = int(found.argmin())
    return float(found[k]), Witness(line=witness(gunner, others[k]))


def resolve(battle: Battle, command: Shoot) -> Procedure:
    """The targets are chosen; the enemy may react; then volley after volley, and the price of what is hazardous."""
    yield from fire(battle, command.unit, command.attacks)


def fire(battle: Battle, unit_id: str, attacks: Sequence[AttackWith], overwatch: bool = False) -> Resolving:
    """All attacks of a unit, in its own phase or in Overwatch."""
    unit = battle.unit(unit_id)
    own = [shot.weapon for shot in shots_of(battle, unit, attacks) if shot.passenger is None]
    battle = yield from once.nova_charge(battle, unit, own)
    for name in dict.fromkeys(attack.target for attack in attacks):
        window = ReactionWindow(TARGETS_CHOSEN, name, (battle.unit(name).player,), other=unit_id)
        battle = yield from answered(battle, window)
    unit = battle.unit(unit_id)
    shots = shots_of(battle, unit, attacks)
    planned = list(plan_volleys(battle, unit, shots, overwatch))
    for shot in shots:
        if shot.weapon.has("one-shot"):
            battle = yield MarkerSet(unit_id, Marker(spent(shot.attack)))
    battle = yield from volleys.resolve_all(battle, unit_id, planned)
    battle = yield from hazard(battle, unit_id, hazarded(unit, shots), _charger(battle, attacks) if overwatch else "")
    for part in parting.what_is_left(battle, unit):
        battle = yield MarkerSet(part.id, Marker("shot", until="end-of-phase"))
    for passenger in dict.fromkeys(s.passenger.id for s in shots if s.passenger is not None):
        battle = yield MarkerSet(passenger, Marker("shot", until="end-of-phase"))
    if not overwatch:
        battle = yield from _suppressed(battle, unit)
    for part in () if overwatch else parting.what_is_left(battle, unit):
        battle = yield from answered(battle, ReactionWindow(HAS_SHOT, part.id, (unit.player,)))
    return battle


def _charger(battle: Battle, attacks: Sequence[AttackWith]) -> str:
    """The charging unit at which Overwatch is fired, nobody outside the Charge phase."""
    return next((a.target for a in attacks if battle.clock.phase == "charge"), "")


def _suppressed(battle: Battle, unit: Unit) -> Resolving:
    """One enemy Infantry unit that was hit is suppressed until the shooters' next turn, where they can do that."""
    if quantifiers.some(unit, "suppression") is None:
        return battle
    hit = [u.id for u in battle.units if u.models and u.has("INFANTRY") and was_hit_by(u, unit.id)]
    if not hit:
        return battle
    picked: str = hit[0]
    if len(hit) > 1:
        picked = yield NeedChoice(unit.player, f"Suppression by {unit.name}: which unit", tuple(hit))
    marker = Marker(abilities.SUPPRESSED, unit.player, until="next-command-phase", player=unit.player)
    battle = yield MarkerSet(picked, marker)
    return battle


def was_hit_by(unit: Unit, attacker: str) -> bool:
    """Whether attacks of a unit have hit another one in this phase."""
    return any(m.kind == "hit" and m.subject == attacker for m in unit.markers)


def hazarded(unit: Unit, shots: Sequence[Shot]) -> list[str]:
    """The bearers of the hazardous weapons that are fired, one for each test; a Transport for who is aboard."""
    hazardous = [s for s in shots if s.weapon.has("hazardous")]
    return [unit.models[0].id if s.passenger is not None else s.model.id for s in hazardous]


def passes_hazards(unit: Unit) -> bool:
    """Whether Hazardous tests of a unit pass by themselves."""
    return quantifiers.some(unit, "hazardous-passed") is not None


def hazard(battle: Battle, unit_id: str, models: Sequence[str], charger: str = "") -> Resolving:
    """A test for each hazardous weapon; each that fails costs a bearer three mortal wounds and no one else.

    Of Overwatch at a ``charger`` the wounds wait until that unit has ended its Charge move.
    """
    if not models or not battle.unit(unit_id).models:
        return battle
    unit = battle.unit(unit_id)
    if passes_hazards(unit):
        return battle
    told = RollAbout("hazardous", unit_id, bearers=tuple(models), needs=HAZARD_ON + 1)
    purpose = f"Hazardous tests of {unit.name}"
    battle, faces = yield from rolls.roll(battle, unit_id, len(models), 6, purpose, about=told)
    failed = sum(face <= HAZARD_ON for face in faces)
    if charger and failed:
        battle = yield MarkerSet(unit_id, Marker(HAZARD_WAITS, charger, failed, until="end-of-phase"))
        return battle
    return (yield from _hazard_wounds(battle, unit_id, failed, models))


def hazards_owed(battle: Battle, charger: str | None = None) -> Resolving:
    """The wounds that waited for the end of a charge, or of every charge, are suffered."""
    for name in [u.id for u in battle.units if any(is_owed(m, charger) for m in u.markers)]:
        unit = battle.unit(name)
        bearers = [m.id for m in unit.models if any(w.has("hazardous") for w in arms_of(unit, m))]
        for marker in [m for m in unit.markers if is_owed(m, charger)]:
            battle = yield MarkerCleared(name, marker.kind, marker)
            battle = yield from _hazard_wounds(battle, name, marker.amount, bearers)
    return battle


def owes_hazards(battle: Battle) -> bool:
    """Whether wounds wait for the end of a charge."""
    return any(marker.kind == HAZARD_WAITS for unit in battle.units for marker in unit.markers)


def is_owed(marker: Marker, charger: str | None) -> bool:
    """Whether a marker stands for wounds that wait for the end of this charge, or of any."""
    return marker.kind == HAZARD_WAITS and charger in (None, marker.subject)


def _hazard_wounds(battle: Battle, unit_id: str, failed: int, models: Sequence[str]) -> Resolving:
    def suffered(battle: Battle) -> Resolving:
        for _ in range(failed):
            bearers = first_to_bear(battle.unit(unit_id), models)
            if not bearers:
                break
            battle, hurt = yield from losses.chosen_among(battle, battle.unit(unit_id), bearers)
            battle = yield from losses.damage(battle, unit_id, hurt.id, HAZARD_WOUNDS, "mortal")
        return battle

    return (yield from parting.as_one(battle, unit_id, (unit_id,) if failed else (), suffered))


def first_to_bear(unit: Unit, fired: Sequence[str]) -> tuple[Model, ...]:
    """The bearers of hazardous weapons of whom one suffers: who is wounded, else who is no Character, else anybody.

    Those that have fired theirs come first, from the last on.
    """
    bearers = [m for m in unit.models if m.id in fired or any(w.has("hazardous") for w in arms_of(unit, m))]
    bearers.reverse()
    bearers.sort(key=lambda m: m.id not in fired)
    hurt = [m for m in unit.models if m in bearers and m.wounds_lost]
    plain = [m for m in bearers if not quantifiers.model_bears(unit, m, leaders.CHARACTER)]
    return tuple(hurt or plain or bearers)


def plan_volleys(battle: Battle, unit: Unit, shots: Sequence[Shot], overwatch: bool = False) -> Iterator[Volley]:
    """The shots in volleys: the same weapon, the same target, the same circumstances."""
    groups: dict[tuple[Weapon, str, Circumstances], list[str]] = {}
    targets = {shot.target.id for shot in shots}
    for shot in shots:
        about = circumstances(battle, unit, shot, overwatch)
        if shot.passenger is None and (more := abilities.more_shots(unit, shot.weapon, targets)):
            about = replace(about, more_attacks=about.more_attacks + more)
        key = (shot.weapon, shot.target.id, about)
        groups.setdefault(key, []).append(shot.model.id)
    covers: dict[str, frozenset[str]] = {}
    for (weapon, target, about), models in volleys.target_by_target(groups):
        if target not in covers:
            covers[target] = covered(battle, unit, battle.unit(target))
        every = frozenset(m.id for m in battle.unit(target).models) if about.unseen else covers[target]
        yield Volley(weapon, tuple(models), target, about, every)


def covered(battle: Battle, unit: Unit, target: Unit) -> frozenset[str]:
    """The models of a unit that have the Benefit of Cover against another one's shooting."""
    if target.ability(visibility.COVERED) is not None:
        return frozenset(m.id for m in target.models)
    memo = battle.index.memo
    key = ("covered", unit.id, target.id)
    if key not in memo:
        out_of_sight = visibility.hidden_from(battle, unit, target)
        memo[key] = frozenset(
            model.id
            for model, is_hidden in zip(target.models, out_of_sight, strict=True)
            if is_hidden or visibility.has_cover(battle, unit, target, model) is not None
        )
    found: frozenset[str] = memo[key]
    return found


def circumstances(battle: Battle, unit: Unit, shot: Shot, overwatch: bool = False) -> Circumstances:
    """What bears on one weapon's attacks at its target now."""
    weapon, target = shot.weapon, shot.target
    row = 0 if shot.passenger is not None else [m.id for m in unit.models].index(shot.model.id)
    apart = float(engagement.apart(battle, unit, target)[row])
    bearer = own_rolls.bearer_of(unit, shot.model.id)  # who shoots from aboard shoots a Transport's weapon
    own = partial(own_rolls.modifiers, bearer, target, weapon=weapon)
    hits = [*abilities.hit_modifiers(battle, unit, target), *_from_close_by(battle, unit, shot), *own("hit")]
    if quantifiers.every(target, "stealth"):
        hits.append(Modifier(-1, "Stealth", "Stealth"))
    seen = _unit_sees(battle, unit, target)
    reached = _reached(battle, unit, shot, row) if seen else None
    above = shot.passenger is None and visibility.plunging(battle, shot.model, target)
    return Circumstances(
        models_at_selection=len(target.models if reached is None else reached),
        half_range=within(apart, weapon.range / 2),
        stationary=not any(map(unit.marked, ("moved", "advanced", "disembarked"))) and not overwatch,
        unseen=not seen,
        hit_modifiers=tuple(hits),
        skill_modifiers=tuple(abilities.skill_modifiers(battle, unit, target)),
        wound_modifiers=(*abilities.wound_modifiers(battle, unit, target), *own("wound")),
        ap_modifiers=(*abilities.ap_modifiers(battle, unit, target, apart, above), *own("ap")),
        damage_modifiers=(*abilities.damage_modifiers(target), *own("damage")),
        extra=(*abilities.granted(battle, unit, target), *once.charged(unit, shot.weapon)),
        hit_again=own_rolls.again(bearer, "hit", weapon, abilities.shot_again(battle, unit, target)),
        wound_again=own_rolls.again(bearer, "wound", weapon, abilities.wound_again(battle, unit, target)),
        damage_again=abilities.damage_again(unit, target) or own_rolls.damage_again(bearer, weapon),
        more_attacks=own_rolls.more_attacks(bearer, weapon),
        one_again=unit.ability("one-re-roll") is not None,
        only_sixes=overwatch,
        steady=abilities.ignores_hit_modifiers(unit),
        reached=reached,
        characters=_characters_in_sight(battle, unit, shot, row),
    )


def _characters_in_sight(battle: Battle, unit: Unit, shot: Shot, row: int) -> frozenset[str]:
    """The leaders of the target that the attacking model sees, where the weapon can pick them out."""
    picked = {m.id for m in leaders.characters(shot.target)} if shot.weapon.has("precision") else set[str]()
    if not picked:
        return frozenset()
    sees = visibility.seen(battle, unit, shot.target)[row]
    return frozenset(m.id for m, visible in zip(shot.target.models, sees, strict=True) if visible and m.id in picked)


def _reached(battle: Battle, unit: Unit, shot: Shot, row: int) -> frozenset[str] | None:
    """In Boarding Actions the models of the target that the attacking model sees, else None for all of them.

    Explosive Clearance lifts this from the Blast weapons of the model that it names.
    """
    if battle.option("stratagems", "core") != "boarding":
        return None
    if shot.weapon.has("blast") and any(m.kind == CLEARANCE and m.subject == shot.model.id for m in unit.markers):
        return None
    sees = visibility.seen(battle, unit, shot.target)[row]
    return frozenset(m.id for m, visible in zip(shot.target.models, sees, strict=True) if visible) or None


def shots_of(battle: Battle, unit: Unit, attacks: Sequence[AttackWith]) -> list[Shot]:
    """The attacks that can be looked up."""
    return [s for attack in attacks if isinstance(s := _looked_up(battle, unit, attack), Shot)]


def guns(battle: Battle, unit: Unit) -> Iterator[tuple[Unit | None, Model, Weapon]]:
    """Every ranged weapon profile that a unit could fire, with its model, and whose passenger that is."""
    for model in unit.models:
        for weapon in arms_of(unit, model):
            if weapon.range > 0:
                yield None, model, weapon
    for passenger in _passengers(battle, unit):
        for model in passenger.models:
            for weapon in arms_of(passenger, model):
                if weapon.range > 0 and not weapon.has("one-shot"):
                    yield passenger, model, weapon


def _passengers(battle: Battle, unit: Unit) -> Iterator[Unit]:
    if unit.ability("firing-deck") is None:
        return
    for other in battle.units:
        if other.whereabouts == f"embarked:{unit.id}" and not other.marked("shot"):
            yield other


def _looked_up(battle: Battle, unit: Unit, attack: AttackWith) -> Shot | Violation:
    if not battle.has_unit(attack.target):
        return Violation("no-such-unit", RULE, f"no unit is called {attack.target!r}", (attack.model,))
    if not battle.has_model(attack.model):
        return Violation("no-such-unit", RULE, f"no model is called {attack.model!r}", (attack.model,))
    model = battle.model(attack.model)
    owner = battle.unit(model.unit)
    passenger = None if owner.id == unit.id else owner
    if passenger is not None and passenger.whereabouts != f"embarked:{unit.id}":
        what = f"{attack.model} is no model of {unit.name}"
        return Violation("not-eligible", RULE, what, (attack.model, unit.id))
    found = [w for w in arms_of(owner, model) if same_name(w.name, attack.weapon) and w.range > 0]
    fitting = [w for w in found if w.profile == attack.profile] or ([] if attack.profile else found)
    if len(set(fitting)) > 1:
        return profile_needed(RULE, attack, fitting)
    if not fitting:
        which = f"{attack.weapon} ({attack.profile})" if attack.profile else attack.weapon
        return Violation("no-such-weapon", RULE, f"{attack.model} has no ranged weapon {which!r}", (attack.model,))
    gunner = unit.models[0].placed if passenger is not None else model.placed
    return Shot(attack, model, gunner, fitting[0], battle.unit(attack.target), passenger)


def profile_needed(rule: str, attack: AttackWith, found: Sequence[Weapon]) -> Violation:
    """A weapon with several profiles is used with one of them: its player says which."""
    names = " or ".join(dict.fromkeys(weapon.profile for weapon in found))
    what = f"{attack.weapon} of {attack.model} is used with one of its profiles: {names}"
    return Violation("profile-needed", rule, what, (attack.model,))


def _too_many(unit: Unit, shots: Sequence[Shot]) -> Iterator[Violation]:
    """A weapon that fires more often than its bearer carries it."""
    fired: dict[tuple[str, str], int] = {}
    for shot in shots:
        key = (shot.attack.model, name_key(shot.attack.weapon))
        fired[key] = fired.get(key, 0) + 1
        most = carried(shot.model, shot.attack.weapon)
        if fired[key] == most + 1:
            what = f"{shot.attack.model} has {most} {shot.attack.weapon}; it fires more often"
            yield Violation("weapon-used-twice", RULE, what, (shot.attack.model,))


def _pistols_or_others(unit: Unit, shots: Sequence[Shot]) -> Iterator[Violation]:
    if unit.has("MONSTER", "VEHICLE"):
        return
    for name in dict.fromkeys(shot.attack.model for shot in shots if shot.passenger is None):
        kinds = {shot.weapon.has("pistol") for shot in shots if shot.attack.model == name}
        if len(kinds) > 1:
            what = f"{name} shoots with its Pistols or with its other weapons, not with both"
            yield Violation("pistols-or-others", "Pistol", what, (name,))


def _firing_deck(battle: Battle, unit: Unit, shots: Sequence[Shot]) -> Iterator[Violation]:
    aboard = [shot for shot in shots if shot.passenger is not None]
    if not aboard:
        return
    value = unit.ability("firing-deck")
    most = int(value) if value and value.isdigit() else 0
    names = dict.fromkeys(shot.attack.model for shot in aboard)
    if len(names) > most:
        what = f"{unit.name} lets {most} models aboard shoot, not {len(names)}"
        yield Violation("not-eligible", "Firing Deck", what, (unit.id,))
    for shot in aboard:
        assert shot.passenger is not None
        if shot.weapon.has("one-shot"):
            what = f"{title_of(shot.weapon)} is a One Shot weapon and cannot be fired from aboard"
            yield Violation("not-eligible", "Firing Deck", what, (shot.attack.model,))
        if shot.passenger.marked("shot"):
            what = f"{shot.passenger.name} has already shot"
            yield Violation("not-eligible", "Firing Deck", what, (shot.attack.model,))
    for name in names:
        if sum(shot.attack.model == name for shot in aboard) > 1:
            what = f"{name} shoots from aboard with one weapon only"
            yield Violation("weapon-used-twice", "Firing Deck", what, (name,))


def _close_quarters(battle: Battle, unit: Unit, shot: Shot) -> Iterator[Violation]:
    """Engagement Range on either side: Pistols, Big Guns Never Tire, Fortifications, Blast."""
    weapon, target, who = shot.weapon, shot.target, (shot.attack.model, shot.target.id)
    engaged = engagement.engaged_with(battle, unit)
    friends = engagement.engaged_with(battle, target)
    if weapon.has("blast") and friends:
        what = f"{target.name} is within Engagement Range of {', '.join(friends)}: {title_of(weapon)} has Blast"
        yield Violation("target-engaged", "Blast", what, who)
        return
    if weapon.has("pistol") and engaged:
        if target.id not in engaged:
            what = f"{unit.name} is engaged: its Pistols can only target {', '.join(engaged)}"
            yield Violation("not-eligible", "Pistol", what, who)
        return
    if engaged and not unit.has("MONSTER", "VEHICLE"):
        what = f"{unit.name} is engaged: only its Pistols can shoot"
        yield Violation("not-eligible", RULE, what, who)
        return
    held = [name for name in friends if name != unit.id]
    if not held or target.has("MONSTER", "VEHICLE") or target.id in engaged:
        return
    if _held_by_fortifications(battle, friends):
        return
    what = f"{target.name} is within Engagement Range of {', '.join(held)}"
    yield Violation("target-engaged", RULE, what, who)


def _held_by_fortifications(battle: Battle, friends: Sequence[str]) -> bool:
    """Whether all who hold a target within Engagement Range are Fortifications."""
    return bool(friends) and all(battle.unit(name).has("FORTIFICATION") for name in friends)


def _from_close_by(battle: Battle, unit: Unit, shot: Shot) -> Iterator[Modifier]:
    """What Engagement Range on either side takes from a Hit roll, but from a Pistol's: each reason by itself."""
    if shot.weapon.has("pistol"):
        return
    if unit.has("MONSTER", "VEHICLE") and engagement.engaged_with(battle, unit):
        yield Modifier(-1, "shooting while engaged", BIG_GUNS)
    friends = engagement.engaged_with(battle, shot.target)
    if friends and shot.target.has("MONSTER", "VEHICLE"):
        yield Modifier(-1, "at a target engaged with friends", BIG_GUNS)
    if _held_by_fortifications(battle, friends):
        yield Modifier(-1, "at a target engaged with Fortifications alone", "Fortification")


def _no_pistols(unit: Unit) -> bool:
    return not any(weapon.has("pistol") for weapon in _ranged(unit))


def _ranged(unit: Unit) -> list[Weapon]:
    return [w for model in unit.models for w in arms_of(unit, model) if w.range > 0]


def _assault(battle: Battle, unit: Unit, weapon: Weapon) -> bool:
    return weapon.has("assault") or abilities.has_assault(battle, unit)


def _unit_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    return visibility.unit_visible(battle, unit, target)


def _sight(battle: Battle, unit: Unit, shot: Shot) -> Bools:
    """Which models of its target a weapon's bearer sees."""
    row = 0 if shot.passenger is not None else next(k for k, m in enumerate(unit.models) if m.id == shot.model.id)
    return np.asarray(visibility.seen(battle, unit, shot.target)[row])


def _hides(battle: Battle, unit: Unit, shot: Shot) -> tuple[str, ...]:
    mine = unit.models[0] if shot.passenger is not None else shot.model
    near = min(shot.target.models, key=lambda m: _apart(shot.gunner, m))
    return visibility.what_hides(battle, (unit, mine), (shot.target, near))


def _apart(gunner: Placed, model: Model) -> float:
    return straight_gap(gunner, model.placed)


def on_table(battle: Battle, player: str) -> Iterator[Unit]:
    """A player's units that stand on the table."""
    for unit in battle.units:
        if unit.player == player and unit.whereabouts == ON_TABLE and unit.models:
            yield unit
