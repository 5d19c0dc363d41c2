"""Who is a unit once some of it are gone? The one place where destroyed models leave, and where led units fall apart.

When the last of its own models is gone, whoever led the unit is a unit again, each by itself; when the last leader is
gone, the unit is what it was before. That is so at once, but after all attacks or mortal wounds of one source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from sim.battle import Attached, Battle, Marker, MarkerCleared, MarkerSet, ModelsRemoved, Unit, UnitParted
from sim.battle.state import DESTROYED
from sim.rules import ReactionWindow
from sim.rulesets.wh40k10.noticing import answered
from sim.rulesets.wh40k10.resources import Resolving
from sim.rulesets.wh40k10.strength import OWN_STRENGTH, STARTING_STRENGTH, own_strength, remembered

UNIT_DESTROYED = "unit-destroyed"
AS_ONE = "suffers-as-one"  # the marker on an Attached unit until its attacker has resolved all attacks
HAZARD_WAITS = "hazard-waits"  # the marker of failed tests of an Overwatch; its subject is the charging unit
ABOUT_UNITS = ("guided", "observer", "observer-of", "focused-fire", "charge-target", HAZARD_WAITS)  # the subject is one
LASTS_ON_THE_DEAD = ("battle-shocked",)  # asked of units when they are destroyed
STAYS = ("used ", "kept:", "trap-objective", STARTING_STRENGTH, OWN_STRENGTH, AS_ONE)
OF_MODELS = ("spent ", "allocated")  # about a model, in the kind or as the subject


def removed(battle: Battle, unit_id: str, models: tuple[str, ...], by: str = "") -> Resolving:
    """Models of one unit are destroyed and gone; what is left of it may be another unit from now on.

    ``by`` is the unit that has destroyed them, if one has.
    """
    for event in remembered(battle.unit(unit_id)):
        battle = yield event
    battle = yield ModelsRemoved(unit_id, models)
    if battle.unit(unit_id).marked(AS_ONE):
        return battle
    return (yield from settled(battle, unit_id, by))


def as_one(battle: Battle, by: str, names: Iterable[str], suffering: Callable[[Battle], Resolving]) -> Resolving:
    """Whatever is suffered until its end is suffered by the units as they are; only then do they fall apart."""
    held = [name for name in names if battle.unit(name).attached and not battle.unit(name).marked(AS_ONE)]
    for name in held:
        battle = yield MarkerSet(name, Marker(AS_ONE, by, until="end-of-phase"))
    battle = yield from suffering(battle)
    for name in held:
        battle = yield MarkerCleared(name, AS_ONE)
        battle = yield from settled(battle, name, by)
    return battle


def settled(battle: Battle, unit_id: str, by: str = "") -> Resolving:
    """A unit falls apart if it has to, and its owner may answer for each unit that is destroyed."""
    unit = battle.unit(unit_id)
    into = tuple(falls_into(unit))
    if into:
        battle = yield UnitParted(unit_id, into)
        battle = yield from _named_anew(battle, unit_id, [part.id for part in into if part.models])
    gone = [part.id for part in into or (unit,) if not part.models]
    for name in gone if by else ():
        words = f"{battle.unit(by).name} has destroyed {battle.unit(name).name}"
        window = ReactionWindow(UNIT_DESTROYED, name, (unit.player,), other=by, words=words)
        battle = yield from answered(battle, window)
    return battle


def all_settled(battle: Battle) -> Resolving:
    """Every unit that has to falls apart: also those of a record from before units did."""
    for unit in battle.units:
        if any(True for _ in falls_into(unit)):
            battle = yield from settled(battle, unit.id)
    return battle


def what_is_left(battle: Battle, before: Unit) -> tuple[Unit, ...]:
    """The units of now to which the models of an earlier one belong that are left."""
    names = dict.fromkeys(battle.model(m.id).unit for m in before.models if battle.has_model(m.id))
    return tuple(battle.unit(name) for name in names)


def falls_into(unit: Unit) -> Iterator[Unit]:
    """The units that an Attached unit is from now on, itself first; none while it stays one."""
    left = {model.id for model in unit.models}
    parted = [part for part in unit.attached if not unit.own_models or left.isdisjoint(part.models)]
    if parted:
        yield _without(unit, parted)
        yield from (_alone(unit, part) for part in parted)


def _without(unit: Unit, parted: list[Attached]) -> Unit:
    """What a unit is without some of those that led it: by itself again when nobody leads it."""
    gone = {name for part in parted for name in part.models}
    models = tuple(model for model in unit.models if model.id not in gone)
    staying = tuple(part for part in unit.attached if part not in parted)
    markers = unit.markers
    if not staying:
        own = Marker(STARTING_STRENGTH, amount=own_strength(unit))
        markers = (own, *(m for m in markers if m.kind not in (STARTING_STRENGTH, OWN_STRENGTH)))
    if not models:
        markers = tuple(m for m in markers if m.kind.startswith((*STAYS, *LASTS_ON_THE_DEAD)))
    return replace(
        unit,
        models=models,
        attached=staying,
        markers=markers,
        points=unit.points - sum(part.points for part in parted),
        whereabouts=unit.whereabouts if models else DESTROYED,
    )


def _alone(unit: Unit, part: Attached) -> Unit:
    """A leader as the unit that it is by itself, under everything that lasts on the unit which it led."""
    models = tuple(replace(model, unit=part.id) for model in unit.models if model.id in part.models)
    lasting = tuple(m for m in unit.markers if (_goes_with(m, part) if models else m.kind in LASTS_ON_THE_DEAD))
    return Unit(
        id=part.id,
        player=unit.player,
        models=models,
        name=part.name,
        datasheet=part.datasheet,
        formation=unit.formation,
        whereabouts=unit.whereabouts if models else DESTROYED,
        markers=(Marker(STARTING_STRENGTH, amount=len(part.models)), *lasting),
        keywords=part.keywords,
        abilities=part.abilities,
        profile=part.profile,
        points=part.points,
        weapons=part.weapons,
        rerolls=part.rerolls,
        modifiers=part.modifiers,
    )


def _goes_with(marker: Marker, part: Attached) -> bool:
    """Whether what lies on an Attached unit lies on one that has led it too."""
    if marker.kind.startswith(OF_MODELS):
        named = {*marker.kind.split(" "), marker.subject}
        return not named.isdisjoint(part.models)
    return not marker.kind.startswith(STAYS)


def _named_anew(battle: Battle, before: str, names: list[str]) -> Resolving:
    """What other units' markers say of a unit that is gone they say of each unit that is left of it."""
    for unit in battle.units if names and before not in names else ():
        for marker in unit.markers:
            if marker.kind in ABOUT_UNITS and marker.subject == before:
                battle = yield MarkerCleared(unit.id, marker.kind, marker)
                for name in names[:1] if marker.kind == HAZARD_WAITS else names:
                    battle = yield MarkerSet(unit.id, replace(marker, subject=name))
    return battle
