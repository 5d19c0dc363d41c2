"""Wounds lost and models destroyed: who suffers next, mortal wounds, Feel No Pain, Deadly Demise, and who is aboard."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Literal

from sim.battle import (
    Battle,
    Marker,
    MarkerCleared,
    MarkerSet,
    Model,
    ModelsPlaced,
    RollAbout,
    Unit,
    WoundsChanged,
)
from sim.chance.amounts import Amount
from sim.geometry import PlacedSet, within
from sim.geometry.distance import straight_gaps
from sim.rules import NeedChoice, NeedRoll, Told
from sim.rulesets.wh40k10 import coherency, datasheets, leaders, parting, quantifiers, transports
from sim.rulesets.wh40k10.commands import Disembark
from sim.rulesets.wh40k10.resources import Resolving
from sim.rulesets.wh40k10.strength import starting_strength

DEMISE = "Deadly Demise"
DEMISE_ON = 6  # the face; Deadly Demise
DEMISE_REACH = 6.0  # in inches; Deadly Demise; what follows a shot no case can ask for
NOBODY = frozenset[str]()  # ``dying``: models whose Deadly Demise is under way are out of reach of what it sets off
CRASH_HURTS_UP_TO = 1  # a face up to this costs a passenger's unit a mortal wound; a destroyed Transport
EMERGENCY_HURTS_UP_TO = 3  # the same for who has to get out farther off
ALLOCATED = "allocated"  # the model to which attacks have been allocated in this phase
Cause = Literal["damage", "mortal"]


def wounds_of(unit: Unit, model: Model) -> int:
    """How many wounds a model has when it is whole; one where nobody says."""
    return max(1, datasheets.wounds_of(unit, model) or 1)


def wounds_left(unit: Unit, among: frozenset[str] | None = None) -> tuple[int, ...]:
    """The wounds that models have left, in the order in which they would suffer."""
    return tuple(wounds_of(unit, m) - m.wounds_lost for m in suffering_order(unit, among))


def suffering_order(unit: Unit, among: frozenset[str] | None = None) -> tuple[Model, ...]:
    """The models in the order in which attacks are allocated: who is wounded already, then from the last on.

    Characters that lead the unit come after all others. ``among`` holds the ids of those that can be reached, None for
    all.
    """
    reached = [m for m in unit.models if among is None or m.id in among]
    later = {m.id for m in leaders.characters(unit)}
    hurt = [m for m in reached if m.wounds_lost]
    whole = [m for m in reversed(reached) if not m.wounds_lost]
    return tuple(sorted((*hurt, *whole), key=lambda m: m.id in later))


def next_to_suffer(battle: Battle, unit: Unit, among: frozenset[str] | None = None) -> Model:
    """The model to which the next attack is allocated; of whole ones the last that coherency can spare."""
    order = suffering_order(unit, among)
    if order[0].wounds_lost or len(order) == 1 or coherency.broken(unit):
        return order[0]
    for model in _first_in_line(unit, order):
        left = tuple(m for m in unit.models if m.id != model.id)
        if not coherency.broken_without(unit, left):
            return model
    return order[0]


def _first_in_line(unit: Unit, order: tuple[Model, ...]) -> tuple[Model, ...]:
    """Those that may suffer next: Characters that lead the unit only where nobody else is left."""
    later = {m.id for m in leaders.characters(unit)}
    return tuple(m for m in order if m.id not in later) or order


def chosen_to_suffer(
    battle: Battle, unit: Unit, among: frozenset[str] | None = None
) -> Generator[Told, Any, tuple[Battle, Model]]:
    """As ``next_to_suffer``; where the owner allocates and no model is wounded, the owner picks, once a phase."""
    first = next_to_suffer(battle, unit, among)
    reached = _first_in_line(unit, suffering_order(unit, among))
    if first.wounds_lost or len(reached) == 1 or not owner_allocates(battle):
        return battle, first
    allocated = next((m.subject for m in unit.markers if m.kind == ALLOCATED), None)
    if allocated in {m.id for m in reached}:
        return battle, battle.model(allocated)
    options = (first, *(m for m in unit.models if m.id != first.id and m in reached))
    battle, model = yield from chosen_among(battle, unit, options)
    if allocated is not None:
        yield MarkerCleared(unit.id, ALLOCATED)
    battle = yield MarkerSet(unit.id, Marker(ALLOCATED, model.id, until="end-of-phase"))
    return battle, model


def owner_allocates(battle: Battle) -> bool:
    """Whether the owner of a unit says which of its models suffers."""
    return battle.option("allocation", "automatic") == "owner"


def chosen_among(battle: Battle, unit: Unit, options: Sequence[Model]) -> Generator[Told, Any, tuple[Battle, Model]]:
    """The first of some models of a unit, or whom its owner picks of them where owners allocate."""
    if len(options) == 1 or not owner_allocates(battle):
        return battle, options[0]
    picked: str = yield NeedChoice(unit.player, f"{unit.name}: which model suffers", tuple(m.id for m in options))
    return battle, battle.model(picked)


def damage(
    battle: Battle,
    unit_id: str,
    model_id: str,
    points: int,
    cause: Cause = "damage",
    by: str = "",
    dying: frozenset[str] = NOBODY,
    psychic: bool = False,
) -> Resolving:
    """One model loses wounds, less those that it ignores; what it has too much is lost."""
    unit = battle.unit(unit_id)
    model = battle.model(model_id)
    ignores = feel_no_pain(unit, cause, model, psychic)
    if ignores is not None and points > 0:
        told = RollAbout("feel-no-pain", unit_id, by, model_id, needs=ignores)
        faces = yield NeedRoll(points, 6, f"{unit.name} ignores wounds on {ignores}+", unit.player, about=told)
        points -= sum(face >= ignores for face in faces)
    if points <= 0:
        return battle
    lost = model.wounds_lost + points
    if lost < wounds_of(unit, model):
        battle = yield WoundsChanged(model_id, lost)
        return battle
    return (yield from destroy(battle, unit_id, (model_id,), by, dying))


def mortal_wounds(battle: Battle, unit_id: str, points: int, by: str = "", dying: frozenset[str] = NOBODY) -> Resolving:
    """So many mortal wounds, one after another, on whichever model is next and not dying already."""

    def suffered(battle: Battle) -> Resolving:
        for _ in range(points):
            unit = battle.unit(unit_id)
            living = frozenset(m.id for m in unit.models) - dying
            if not living or not unit.on_table:
                break
            battle, model = yield from chosen_to_suffer(battle, unit, living)
            battle = yield from damage(battle, unit_id, model.id, 1, "mortal", by, dying)
        return battle

    return (yield from parting.as_one(battle, by, (unit_id,) if points else (), suffered))


def feel_no_pain(unit: Unit, cause: Cause, model: Model | None = None, psychic: bool = False) -> int | None:
    """The face on which a model ignores a lost wound, None without such an ability.

    Without a model it is one of the unit's own. Some ignore only mortal wounds, or those of Psychic Attacks.
    """
    tokens = ["feel-no-pain"]
    tokens += ["feel-no-pain-mortal"] if cause == "mortal" else []
    tokens += ["feel-no-pain-psychic"] if psychic else []
    known = (unit.ability(token) if model is None else quantifiers.of_model(unit, model, token) for token in tokens)
    found = [value.rstrip("+") for value in known if value]
    return min((int(value) for value in found if value.isdigit()), default=None)


def destroy(
    battle: Battle, unit_id: str, models: tuple[str, ...], by: str = "", dying: frozenset[str] = NOBODY
) -> Resolving:
    """Models are destroyed: a Deadly Demise and its wounds, then whoever is aboard gets out, then they are removed."""
    unit = battle.unit(unit_id)
    dying |= frozenset(models)
    for name in models:
        worth = quantifiers.of_model(unit, battle.model(name), "deadly-demise")
        if worth and unit.on_table:
            battle = yield from _demise(battle, unit, Amount.of(worth), name, dying)
            unit = battle.unit(unit_id)
    unit = battle.unit(battle.model(models[0]).unit)  # what a Deadly Demise has left of it may be another one
    if unit.on_table and all(m.id in models for m in unit.own_models):
        battle = yield from _abandon(battle, unit.id)
    return (yield from parting.removed(battle, unit.id, models, by))


def _demise(battle: Battle, unit: Unit, worth: Amount, model: str, dying: frozenset[str]) -> Resolving:
    """A D6 for a model that dies: on a 6 each unit within reach suffers, its own among them, as they stand now."""
    told = RollAbout("deadly-demise", unit.id, model=model, needs=DEMISE_ON)
    (face,) = yield NeedRoll(1, 6, f"{DEMISE} of {unit.name}", unit.player, about=told)
    if face < DEMISE_ON:
        return battle
    harmed: list[tuple[str, int]] = []
    for other in within_demise(battle, battle.model(model), dying):
        points = worth.plus
        if worth.dice:
            told = RollAbout("deadly-demise-wounds", unit.id, other, model)
            purpose = f"{DEMISE} on {battle.unit(other).name}"
            faces = yield NeedRoll(worth.dice, worth.sides, purpose, unit.player, about=told)
            points += sum(faces)
        harmed.append((other, points))
    for other, points in harmed:
        battle = yield from mortal_wounds(battle, other, points, unit.id, dying)
    return battle


def below_half(unit: Unit) -> bool:
    """Whether a unit is Below Half-strength: by its models, or a single model by its wounds."""
    strength = starting_strength(unit)
    if strength == 1 and unit.models:
        whole = wounds_of(unit, unit.models[0])
        return 2 * (whole - unit.models[0].wounds_lost) < whole
    return 2 * len(unit.models) < strength


def within_demise(battle: Battle, model: Model, dying: frozenset[str]) -> list[str]:
    """The units on the table with a model within reach that is not dying itself, by the straight line."""
    one = PlacedSet((model.placed,))
    found = []
    for other in battle.units:
        living = [m.placed for m in other.models if m.id not in dying] if other.on_table else []
        if living and within(float(straight_gaps(one, PlacedSet.of(living)).min()), DEMISE_REACH):
            found.append(other.id)
    return found


def _abandon(battle: Battle, carrier_id: str) -> Resolving:
    """Whoever is aboard a Transport that is destroyed gets out, in the owner's order; then the dice for all of them."""
    waiting = [u.id for u in battle.units if u.whereabouts == f"{transports.ABOARD}{carrier_id}"]
    hurt_up_to: dict[str, int] = {}
    while waiting:
        name = waiting[0]
        if len(waiting) > 1:
            wreck = battle.unit(carrier_id)
            purpose = f"Who gets out of {wreck.name} next"
            name = yield NeedChoice(wreck.player, purpose, tuple(waiting), when="wreck", subject=carrier_id)
        waiting.remove(name)
        unit = battle.unit(name)
        battle, limit = yield from _out_of_the_wreck(battle, name, carrier_id)
        hurt_up_to |= {part.id: limit for part in parting.what_is_left(battle, unit)}
    for name, limit in hurt_up_to.items():
        unit = battle.unit(name)
        told = RollAbout("wreck", name, carrier_id, needs=limit + 1)
        purpose = f"{unit.name} gets out of the wreck"
        faces = yield NeedRoll(len(unit.models), 6, purpose, unit.player, about=told)
        battle = yield MarkerSet(name, Marker("battle-shocked", "wreck", until="next-command-phase"))
        for kind in ("moved", "cannot-charge"):
            battle = yield MarkerSet(name, Marker(kind, "wreck", until="end-of-turn"))
        battle = yield from mortal_wounds(battle, name, sum(face <= limit for face in faces))
    return battle


def _out_of_the_wreck(battle: Battle, name: str, carrier_id: str) -> Generator[Any, Any, tuple[Battle, int]]:
    """A unit is set up beside a wreck; with the face up to which its dice hurt it.

    Where there is no room within three inches it is an emergency: within six, and who finds no room is lost.
    """
    unit = battle.unit(name)
    poses = transports.room_around(battle, unit, battle.unit(carrier_id), emergency=False)
    emergency = poses is None
    if poses is None:
        poses = transports.room_around(battle, unit, battle.unit(carrier_id), emergency=True)
    hurt_up_to = EMERGENCY_HURTS_UP_TO if emergency else CRASH_HURTS_UP_TO
    if poses is None:
        return (yield from parting.removed(battle, name, tuple(m.id for m in unit.models))), hurt_up_to
    stand = transports.who_stands(battle, Disembark(name, poses, emergency=True)) if emergency else None
    lost = () if stand is None else tuple(m.id for k, m in enumerate(unit.models) if k not in stand)
    if lost:
        battle = yield from parting.removed(battle, name, lost)
    spots = {m.id: pose for m, pose in zip(unit.models, poses, strict=True)}
    for part in parting.what_is_left(battle, unit):
        battle = yield ModelsPlaced(part.id, tuple((m.id, spots[m.id]) for m in part.models))
    return battle, hurt_up_to
