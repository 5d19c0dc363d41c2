"""What abilities, Guided fire and Stratagems in force do to an attack: every change with its reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from sim.battle import Battle, Marker, Model, Objective, Unit, name_key
from sim.geometry import Placed, PlacedSet, Pose, Round, gaps, within
from sim.rules import Modifier
from sim.rulesets.wh40k10 import (
    datasheets,
    leaders,
    quantifiers,
)
from sim.rulesets.wh40k10.attacks import ReRoll
from sim.rulesets.wh40k10.datasheets import Weapon

GREATER_GOOD = "For the Greater Good"
POINT_BLANK_REACH = 9.0  # inches; Point-Blank Ambush
OBJECTIVE_REACH = 3.0  # inches across from the edge of a marker
OBJECTIVE_HEIGHT = 5.0  # inches up
PATIENT_FROM = 3  # battle round; Patient Hunter
KILLING_UNTIL = 3  # battle round; Killing Blow
ARMOUR = ("MONSTER", "VEHICLE")
BOLT_RIFLE = "bolt rifle"
SUPPRESSED = "suppressed"  # the marker on a unit that shoots worse; its subject is the player who has done it
OATH = "oath"  # the marker on the target of an Oath of Moment; its subject is the player who has sworn it


def marker(unit: Unit, kind: str) -> Marker | None:
    """The first marker of a kind on a unit, None without one."""
    return next((m for m in unit.markers if m.kind == kind), None)


def aims_at(unit: Unit, kind: str, target: Unit) -> bool:
    """Whether a unit has a marker of a kind about another; about each of those into which that has fallen apart."""
    return any(m.kind == kind and m.subject == target.id for m in unit.markers)


def hit_modifiers(battle: Battle, unit: Unit, target: Unit) -> Iterator[Modifier]:
    """What adds to or takes from a Hit roll, whatever the weapon."""
    band = unit.ability("damaged")
    if band and len(unit.models) == 1:
        left = (unit.value("W") or 0) - unit.models[0].wounds_lost
        if left <= int(band):
            yield Modifier(-1, f"damaged, {left:g} wounds left", "Damaged")
    if unit.marked(SUPPRESSED):
        yield Modifier(-1, "suppressed", "Suppression")
    bonus = unit.ability("hit-against-armour")
    if bonus and target.has(*ARMOUR):
        yield Modifier(int(bonus), "against a Monster or Vehicle", unit.name)
    bonus = unit.ability("hit-against-oath")
    if bonus and is_oath(unit, target):
        yield Modifier(int(bonus), "against the target of the Oath", unit.name)


def ignores_hit_modifiers(unit: Unit) -> bool:
    """Whether what worsens a ranged Hit roll of a unit is left out."""
    return unit.ability("ignore-hit-modifiers") is not None


def is_oath(unit: Unit, target: Unit) -> bool:
    """Whether a unit has sworn an Oath of Moment against a target."""
    sworn = any(m.kind == OATH and m.subject == unit.player for m in target.markers)
    return sworn and unit.ability("oath-of-moment") is not None


def skill_modifiers(battle: Battle, unit: Unit, target: Unit) -> Iterator[Modifier]:
    """What improves or worsens Ballistic Skill: Guided fire and who coordinates it."""
    if guided_by(battle, unit, target) is not None or aims_at(unit, "guided", target):
        yield Modifier(1, "Guided at its Spotted unit", GREATER_GOOD)
    elif unit.marked("guided"):
        yield Modifier(-1, "Guided at another unit", GREATER_GOOD)
    if observes(unit, target):
        if unit.marked("coordinate-to-engage"):
            yield Modifier(1, "Coordinate to Engage", "Coordinate to Engage")
        elif unit.ability("aims-at-own-spotted") is not None:
            yield Modifier(1, "at its own Spotted unit", unit.name)


def wound_modifiers(battle: Battle, unit: Unit, target: Unit) -> Iterator[Modifier]:
    """What adds to or takes from a Wound roll, whatever the weapon."""
    trap = marker(unit, "tempting-trap")
    if trap is not None:
        objective = next((o for o in battle.battlefield.objectives if o.id == trap.subject), None)
        if objective is not None and near_objective(target, objective):
            yield Modifier(1, f"within range of the Trap {objective.id}", "A Tempting Trap")


def ap_modifiers(battle: Battle, unit: Unit, target: Unit, apart: float, plunging: bool) -> Iterator[Modifier]:
    """What improves Armour Penetration: positive is better."""
    if plunging:
        yield Modifier(1, "from above", "Plunging Fire")
    if unit.marked("point-blank-ambush") and within(apart, POINT_BLANK_REACH):
        yield Modifier(1, "within nine inches", "Point-Blank Ambush")
    if aims_at(unit, "focused-fire", target):
        yield Modifier(1, "Focused Fire", "Focused Fire")
    better = unit.ability("better-ap-except-against-armour")
    if better and not target.has(*ARMOUR):
        yield Modifier(int(better), "not at a Monster or Vehicle", unit.name)


def damage_modifiers(target: Unit) -> Iterator[Modifier]:
    """What lessens the Damage of attacks allocated to a unit."""
    if target.marked("counterfire"):
        yield Modifier(-1, "Counterfire Defence Systems", "Counterfire Defence Systems")


def damage_reductions(target: Unit, model: Model | None) -> Iterator[Modifier]:
    """What a model by itself lessens the Damage of attacks allocated to it by; without one the unit's own."""
    less = (
        target.ability("damage-reduction") if model is None else quantifiers.of_model(target, model, "damage-reduction")
    )
    if less:
        yield Modifier(-int(less), "tough", target.name)


def granted(battle: Battle, unit: Unit, target: Unit) -> Iterator[str]:
    """Weapon abilities that a unit's ranged weapons have for now against a target."""
    observer = guided_by(battle, unit, target)
    if observer is not None and observer.has("MARKERLIGHT"):
        yield "ignores-cover"
    if observes(unit, target):
        coordinates = unit.marked("coordinate-to-engage") and unit.has("MARKERLIGHT")
        if coordinates or unit.ability("aims-at-own-spotted") is not None:
            yield "ignores-cover"
    if has_detachment(unit, "kauyon") and battle.clock.round >= PATIENT_FROM:
        spotted = observer is not None or observes(unit, target)
        yield "sustained-hits 2" if spotted else "sustained-hits 1"
    guided = observer is not None or unit.marked("guided")
    if has_detachment(unit, "montka") and battle.clock.round <= KILLING_UNTIL and guided:
        yield "lethal-hits"


def has_assault(battle: Battle, unit: Unit) -> bool:
    """Whether all ranged weapons of a unit have Assault for now."""
    return leaders.lends_assault(unit) or (has_detachment(unit, "montka") and battle.clock.round <= KILLING_UNTIL)


def has_detachment(unit: Unit, name: str) -> bool:
    """Whether a unit belongs to an army of a detachment."""
    return unit.ability("detachment") == name


def hit_again(battle: Battle, unit: Unit, target: Unit) -> ReRoll:
    """Which Hit rolls of any attack are rolled again."""
    if not unit.has("KROOT") and any(m.kind == "pinpoint" and m.subject == unit.player for m in target.markers):
        return "failed"
    return "failed" if is_oath(unit, target) else "none"


def shot_again(battle: Battle, unit: Unit, target: Unit) -> ReRoll:
    """Which Hit rolls of ranged attacks are rolled again."""
    if hit_again(battle, unit, target) == "failed" or "hit" in _again_at_armour(unit, target):
        return "failed"
    if unit.ability("re-roll-hits-near-objective") is not None:
        return "failed" if _near_any_objective(battle, target) else "ones"
    return "ones" if _observed_well(battle, unit, target) else "none"


def wound_again(battle: Battle, unit: Unit, target: Unit) -> ReRoll:
    """Which Wound rolls of ranged attacks are rolled again."""
    if "wound" in _again_at_armour(unit, target):
        return "failed"
    if unit.ability("re-roll-wounds-near-objective") is not None and _near_any_objective(battle, target):
        return "failed"
    return "ones" if _observed_well(battle, unit, target) else "none"


def damage_again(unit: Unit, target: Unit) -> bool:
    """Whether Damage rolls of ranged attacks may be rolled again."""
    return "damage" in _again_at_armour(unit, target)


def _again_at_armour(unit: Unit, target: Unit) -> tuple[str, ...]:
    """Of which rolls a unit may roll dice again at a target that is a Monster or a Vehicle."""
    words = unit.ability("re-roll-against-armour")
    return tuple(words.replace(",", " ").split()) if words and target.has(*ARMOUR) else ()


def _observed_well(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit is Guided at its Spotted unit by an Observer that lets it roll ones again."""
    observer = guided_by(battle, unit, target)
    return observer is not None and observer.ability("observer-re-rolls-ones") is not None


def more_blows(unit: Unit, model: Model, weapon: Weapon) -> int:
    """How many more attacks a model makes with a melee weapon: one for each further copy of some that it carries."""
    if not weapon.has("dead-choppy"):
        return 0
    return max(0, datasheets.arms_of(unit, model).count(weapon) - 1)


def more_shots(unit: Unit, weapon: Weapon, targets: Collection[str]) -> int:
    """How many more attacks a ranged weapon makes: bolt rifles of some, where their unit has one target alone."""
    more = unit.ability("more-bolt-rifle-attacks")
    return int(more) if more and len(targets) == 1 and name_key(weapon.name) == BOLT_RIFLE else 0


def near_objective(unit: Unit, objective: Objective) -> bool:
    """Whether a unit has a model within range of an objective marker."""
    return any(models_near(unit, objective))


def models_near(unit: Unit, objective: Objective) -> list[bool]:
    """Which models are within range of an objective marker: three inches across from its edge, five up."""
    if not unit.models or not unit.on_table:
        return []
    return _models_near(unit.models, objective)


@lru_cache(maxsize=4096)
def _models_near(models: tuple[Model, ...], objective: Objective) -> list[bool]:
    disc = PlacedSet((Placed(Round(2 * objective.radius), Pose(*objective.at)),))
    members = PlacedSet.of(m.placed for m in models)
    apart = gaps(members, disc)[:, 0]
    return [
        within(float(d), OBJECTIVE_REACH) and within(abs(m.pose.z), OBJECTIVE_HEIGHT)
        for d, m in zip(apart, members, strict=True)
    ]


def _near_any_objective(battle: Battle, unit: Unit) -> bool:
    return any(near_objective(unit, objective) for objective in battle.battlefield.objectives)


def guided_by(battle: Battle, unit: Unit, target: Unit) -> Unit | None:
    """The Observer by which a unit is Guided while it targets an enemy unit, None where it is not.

    As on the page an Observer helps one unit; in the last form of the edition everybody who is no Observer is Guided
    while targeting a unit that an Observer has marked.
    """
    if battle.option("greater_good", "page") == "last":
        if quantifiers.some(unit, "for-the-greater-good") is None or unit.marked("observer"):
            return None
        return next((u for u in battle.units if u.player == unit.player and observes(u, target)), None)
    if not aims_at(unit, "guided", target):
        return None
    return next((u for u in battle.units if any(_helps(m, unit) for m in u.markers)), None)


def observes(unit: Unit, target: Unit) -> bool:
    """Whether a unit is the Observer that has made an enemy unit Spotted."""
    return aims_at(unit, "observer", target)


def _helps(mark: Marker, unit: Unit) -> bool:
    return mark.kind == "observer-of" and mark.subject == unit.id
