"""What may happen to a battle: a closed list of events, each something that a camera above the table could see."""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from sim.battle.state import DESTROYED, ON_TABLE, Battle, BattleError, Clock, Marker, Unit
from sim.geometry import Path, Pose


class _Event(Struct, frozen=True, omit_defaults=True, tag_field="event"):
    """Common form of all events."""


class ModelsPlaced(_Event, frozen=True, tag="placed"):
    """Models of one unit are set up: each model's id and pose."""

    unit: str
    models: tuple[tuple[str, Pose], ...]


class ModelsMoved(_Event, frozen=True, tag="moved"):
    """Models of one unit follow their paths."""

    unit: str
    paths: tuple[tuple[str, Path], ...]


class ModelsRemoved(_Event, frozen=True, tag="removed"):
    """Models leave the table: destroyed, or to another place such as ``reserves``."""

    unit: str
    models: tuple[str, ...]
    to: str = DESTROYED


class UnitParted(_Event, frozen=True, tag="parted"):
    """A unit that was led falls apart into the units that it was made of, each as it is from now on."""

    unit: str
    into: tuple[Unit, ...]


class WoundsChanged(_Event, frozen=True, tag="wounds"):
    """A model has now lost this many wounds."""

    model: str
    lost: int


class MarkerSet(_Event, frozen=True, tag="marker-set"):
    """A marker is laid on a unit."""

    unit: str
    marker: Marker


class MarkerCleared(_Event, frozen=True, tag="marker-cleared"):
    """One marker is taken off a unit, or all of its kind where none is named."""

    unit: str
    kind: str
    marker: Marker | None = None


class RollAbout(Struct, frozen=True, omit_defaults=True):
    """What a roll is about, for whoever reads a record: its kind, whose it is, and what it needs."""

    kind: str  # a word of the ruleset: hit, wound, save, advance, ...
    unit: str = ""  # whose roll it is
    against: str = ""  # the other unit, of attacks the target or, of a save, who attacks
    model: str = ""  # the one model that it is about: who saves, who ignores wounds
    weapon: str = ""
    profile: str = ""
    bearers: tuple[str, ...] = ()  # who fires or strikes, one entry a weapon
    needs: int = 0  # the face or the sum that suffices; 0 where nothing is needed
    again: bool = False  # dice that fell before


class DiceRolled(_Event, frozen=True, tag="dice"):
    """Dice fell: what for, of how many sides, their faces, and what the roll is about where the rules say so."""

    purpose: str
    sides: int
    faces: tuple[int | float, ...]
    about: RollAbout | None = None


class ChoiceMade(_Event, frozen=True, tag="choice"):
    """A player chose; ``when`` and ``subject`` name the moment and what it is about, where it has a name."""

    player: str
    purpose: str
    choice: str
    when: str = ""
    subject: str = ""


class ScoreChanged(_Event, frozen=True, tag="score"):
    """A player's score, or a resource such as command points, changes by an amount."""

    player: str
    amount: int
    resource: str = "points"


class ClockAdvanced(_Event, frozen=True, tag="clock"):
    """The clock moves on."""

    clock: Clock


Event = (
    ModelsPlaced
    | ModelsMoved
    | ModelsRemoved
    | UnitParted
    | WoundsChanged
    | MarkerSet
    | MarkerCleared
    | DiceRolled
    | ChoiceMade
    | ScoreChanged
    | ClockAdvanced
)


def evolve(battle: Battle, event: Event) -> Battle:
    """The battle after an event; raises ``BattleError`` for an event about something that is not there."""
    return _evolved(battle, event).following(battle)


def _evolved(battle: Battle, event: Event) -> Battle:
    match event:
        case ModelsPlaced(unit, models):
            return battle.with_unit(_posed(battle.unit(unit), dict(models)))
        case ModelsMoved(unit, paths):
            return battle.with_unit(_posed(battle.unit(unit), {i: path.end for i, path in paths}))
        case ModelsRemoved(unit, models, to):
            return battle.with_unit(_removed(battle.unit(unit), frozenset(models), to))
        case UnitParted(unit, into):
            return _parted(battle, battle.unit(unit), into)
        case WoundsChanged(model, lost):
            owner = battle.unit(battle.model(model).unit)
            changed = tuple(replace(m, wounds_lost=lost) if m.id == model else m for m in owner.models)
            return battle.with_unit(replace(owner, models=changed))
        case MarkerSet(unit, marker):
            marked = battle.unit(unit)
            after = battle.with_unit(replace(marked, markers=(*marked.markers, marker)))
            return after.standing_as(battle)
        case MarkerCleared(unit, kind, marker):
            marked = battle.unit(unit)
            left = tuple(m for m in marked.markers if m.kind != kind)
            if marker is not None:
                at = _index_of(marker, marked)
                left = (*marked.markers[:at], *marked.markers[at + 1 :])
            return battle.with_unit(replace(marked, markers=left)).standing_as(battle)
        case DiceRolled() | ChoiceMade():
            return battle
        case ScoreChanged():
            return _scored(battle, event).standing_as(battle)
        case ClockAdvanced(clock):
            return replace(battle, clock=clock).standing_as(battle)
    assert_never(event)


def evolve_all(battle: Battle, events: tuple[Event, ...]) -> Battle:
    """The battle after events in their order."""
    for event in events:
        battle = evolve(battle, event)
    return battle


def _index_of(marker: Marker, unit: Unit) -> int:
    try:
        return unit.markers.index(marker)
    except ValueError:
        raise BattleError(f"no such marker lies on unit {unit.id}: {marker.kind}") from None


def _posed(unit: Unit, poses: dict[str, Pose]) -> Unit:
    unknown = set(poses) - {m.id for m in unit.models}
    if unknown:
        raise BattleError(f"unit {unit.id} has no model called {', '.join(sorted(unknown))}")
    models = tuple(replace(m, pose=poses[m.id]) if m.id in poses else m for m in unit.models)
    return replace(unit, models=models, whereabouts=ON_TABLE)


def _removed(unit: Unit, gone: frozenset[str], to: str) -> Unit:
    unknown = gone - {m.id for m in unit.models}
    if unknown:
        raise BattleError(f"unit {unit.id} has no model called {', '.join(sorted(unknown))}")
    if to == DESTROYED:
        left = tuple(m for m in unit.models if m.id not in gone)
        return replace(unit, models=left, whereabouts=unit.whereabouts if left else DESTROYED)
    models = tuple(replace(m, pose=None) if m.id in gone else m for m in unit.models)
    away = all(m.pose is None for m in models)
    return replace(unit, models=models, whereabouts=to if away else unit.whereabouts)


def _parted(battle: Battle, unit: Unit, into: tuple[Unit, ...]) -> Battle:
    before, after = sorted(m.id for m in unit.models), sorted(m.id for part in into for m in part.models)
    if before != after:
        raise BattleError(f"unit {unit.id} has other models than what it falls apart into")
    known = [part.id for part in into if part.id != unit.id and battle.has_unit(part.id)]
    if known or unit.id not in {part.id for part in into}:
        what = f"there is a unit {known[0]} already" if known else f"nothing keeps the name {unit.id}"
        raise BattleError(f"unit {unit.id} cannot fall apart like this: {what}")
    units = (other for u in battle.units for other in (into if u.id == unit.id else (u,)))
    return replace(battle, units=tuple(units))


def _scored(battle: Battle, event: ScoreChanged) -> Battle:
    if event.player not in battle.players:
        raise BattleError(f"no player is called {event.player!r}")
    if event.resource == "points":
        score = dict(battle.score)
        score[event.player] = score.get(event.player, 0) + event.amount
        return replace(battle, score=tuple(sorted(score.items())))
    held = {(p, r): n for p, r, n in battle.resources}
    key = (event.player, event.resource)
    held[key] = held.get(key, 0) + event.amount
    return replace(battle, resources=tuple(sorted((p, r, n) for (p, r), n in held.items())))
