"""What lies on the table at one moment, as plain values, and how an event of a record changes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

Json = dict[str, Any]
Pose = tuple[float, float, float, float]  # x, y, facing in degrees, height
NOWHERE_YET = -1  # the phase of a marker that lay there when the record began


@dataclass(frozen=True)
class Clock:
    """Whose time it is."""

    round: int = 1
    player: str = ""
    phase: str = ""
    step: str = ""


@dataclass(frozen=True)
class Marker:
    """What lies on a unit, and in which phase and turn of the record it was laid there."""

    kind: str
    subject: str = ""
    amount: int = 0
    until: str = "end-of-battle"
    player: str = ""  # in whose turn it ends, of whoever's turn it is where nobody is named
    round: int = 0  # it does not end before
    phase: int = NOWHERE_YET
    turn: int = NOWHERE_YET


@dataclass(frozen=True)
class Model:
    """One model: where it stands, what it has lost, what it carries."""

    id: str
    base: tuple[Any, ...]
    pose: Pose | None
    lost: int
    loadout: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Part:
    """A leader that has joined a unit."""

    id: str
    models: frozenset[str]
    datasheet: str
    keywords: frozenset[str]
    abilities: tuple[tuple[str, str], ...]
    profile: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Unit:
    """One unit as it is now."""

    id: str
    player: str
    models: tuple[Model, ...]
    where: str
    datasheet: str
    keywords: frozenset[str]
    abilities: tuple[tuple[str, str], ...]
    profile: tuple[tuple[str, float], ...]
    markers: tuple[Marker, ...]
    parts: tuple[Part, ...]
    own_weapons: tuple[Any, ...] = ()

    @property
    def on_table(self) -> bool:
        """Whether it stands on the battlefield with somebody left."""
        return self.where == "table" and bool(self.models)

    @property
    def leading(self) -> tuple[Part, ...]:
        """The leaders of whom somebody is left."""
        ids = {m.id for m in self.models}
        return tuple(part for part in self.parts if part.models & ids)

    @property
    def own(self) -> tuple[Model, ...]:
        """The models that belong to no leader."""
        return tuple(m for m in self.models if self.part_of(m.id) is None)

    def part_of(self, model: str) -> Part | None:
        """The leader that a model belongs to."""
        return next((part for part in self.parts if model in part.models), None)

    def model(self, name: str) -> Model | None:
        """The model with an id, None where it is gone."""
        return next((m for m in self.models if m.id == name), None)

    def has(self, *words: str) -> bool:
        """Whether it, or a leader that is left, bears one of the keywords."""
        mine = set(self.keywords) if self.own or not self.leading else set[str]()
        for part in self.leading:
            mine |= part.keywords
        return any(word in mine for word in words)

    def ability(self, token: str) -> str | None:
        """What follows an ability of the unit's own, None without it."""
        return dict(self.abilities).get(token)

    def number(self, model: Model, name: str) -> float:
        """A number of a model's own profile, 0 where nobody says."""
        part = self.part_of(model.id)
        return dict(self.profile if part is None else part.profile).get(name, 0.0)

    def ability_of(self, model: Model, token: str) -> str | None:
        """What follows an ability that a model has by itself."""
        part = self.part_of(model.id)
        return dict(self.abilities if part is None else part.abilities).get(token)

    def marked(self, kind: str, subject: str | None = None) -> bool:
        """Whether a marker of a kind lies on it."""
        return any(m.kind == kind and subject in (None, m.subject) for m in self.markers)

    def marker(self, kind: str) -> Marker | None:
        """The first marker of a kind."""
        return next((m for m in self.markers if m.kind == kind), None)


@dataclass(frozen=True)
class Table:
    """Everything at one moment."""

    clock: Clock
    units: dict[str, Unit]
    purse: dict[tuple[str, str], int]
    players: tuple[str, ...]
    field: Json
    options: dict[str, Any]
    phase: int = 0  # how many phases have begun before this one in the record
    turn: int = 0

    def unit_of(self, model: str) -> Unit | None:
        """The unit that a model belongs to."""
        return next((u for u in self.units.values() if any(m.id == model for m in u.models)), None)

    def enemies(self, player: str) -> Iterator[Unit]:
        """The other side's units on the table."""
        return (u for u in self.units.values() if u.player != player and u.on_table)

    def friends(self, player: str) -> Iterator[Unit]:
        """A player's units on the table."""
        return (u for u in self.units.values() if u.player == player and u.on_table)

    def cp(self, player: str) -> int:
        """A player's command points."""
        return self.purse.get((player, "cp"), 0)


class UnknownEvent(ValueError):
    """An event that this reader has never heard of."""


def pose_of(value: Json | None) -> Pose | None:
    """A pose as numbers."""
    if value is None:
        return None
    return (float(value["x"]), float(value["y"]), float(value.get("facing", 0.0)), float(value.get("z", 0.0)))


def start_of(battle: Json) -> Table:
    """The table at the beginning of a record."""
    units = {unit["id"]: _unit(unit) for unit in battle.get("units", ())}
    purse = {(p, r): n for p, r, n in battle.get("resources", ())}
    purse |= {(p, "points"): n for p, n in battle.get("score", ())}
    clock = Clock(**battle.get("clock", {}))
    options = dict(battle.get("options", ()))
    return Table(clock, units, purse, tuple(battle.get("players", ())), battle["battlefield"], options)


def after(table: Table, event: Json) -> Table:
    """The table after an event; raises ``UnknownEvent`` for one that it cannot read."""
    kind = event["event"]
    if kind in ("dice", "choice"):
        return table
    if kind == "clock":
        return _clocked(table, Clock(**event["clock"]))
    if kind == "score":
        key = (event["player"], event.get("resource", "points"))
        return replace(table, purse={**table.purse, key: table.purse.get(key, 0) + event["amount"]})
    if kind == "wounds":
        unit = table.unit_of(event["model"])
        if unit is None:
            raise UnknownEvent(f"wounds of {event['model']}, who is not there")
        models = tuple(replace(m, lost=event["lost"]) if m.id == event["model"] else m for m in unit.models)
        return _with(table, replace(unit, models=models))
    unit = table.units.get(event.get("unit", ""))
    if unit is None:
        raise UnknownEvent(f"{kind} of {event.get('unit')!r}")
    if kind == "parted":
        return _parted(table, unit, event["into"])
    return _with(table, _changed(table, unit, event))


def _changed(table: Table, unit: Unit, event: Json) -> Unit:
    kind = event["event"]
    if kind == "placed":
        return _posed(unit, {name: pose_of(pose) for name, pose in event["models"]})
    if kind == "moved":
        return _posed(unit, {name: path_of(path)[-1] for name, path in event["paths"]})
    if kind == "removed":
        return _removed(unit, set(event["models"]), event.get("to", "destroyed"))
    if kind == "marker-set":
        marker = replace(_marker(event["marker"]), phase=table.phase, turn=table.turn)
        return replace(unit, markers=(*unit.markers, marker))
    if kind == "marker-cleared":
        if event.get("marker") is None:
            return replace(unit, markers=tuple(m for m in unit.markers if m.kind != event["kind"]))
        named = _marker(event["marker"])
        at = [replace(m, phase=NOWHERE_YET, turn=NOWHERE_YET) for m in unit.markers].index(named)
        return replace(unit, markers=(*unit.markers[:at], *unit.markers[at + 1 :]))
    raise UnknownEvent(f"an event called {kind!r}")


def path_of(path: Json) -> list[Pose]:
    """A path as poses, the start first."""
    poses = [pose_of(path["start"]), *(pose_of(stop) for stop in path.get("stops", ()))]
    return [pose for pose in poses if pose is not None]


def _parted(table: Table, unit: Unit, into: list[Json]) -> Table:
    """A led unit has become the units that it was made of; what lay on it lies there as long as before."""
    known = {(m.kind, m.subject): m for m in unit.markers}
    units = dict(table.units)
    for part in map(_unit, into):
        markers = tuple(
            replace(m, phase=old.phase, turn=old.turn) if (old := known.get((m.kind, m.subject))) else m
            for m in part.markers
        )
        units[part.id] = replace(part, markers=markers)
    return replace(table, units=units)


def _with(table: Table, unit: Unit) -> Table:
    return replace(table, units={**table.units, unit.id: unit})


def _clocked(table: Table, clock: Clock) -> Table:
    old = table.clock
    set_up = old.phase == "deployment" != clock.phase
    new_turn = set_up or clock.player != old.player or clock.round != old.round
    new_phase = new_turn or clock.phase != old.phase
    return replace(table, clock=clock, phase=table.phase + new_phase, turn=table.turn + new_turn)


def _posed(unit: Unit, poses: dict[str, Pose | None]) -> Unit:
    models = tuple(replace(m, pose=poses[m.id]) if m.id in poses else m for m in unit.models)
    return replace(unit, models=models, where="table")


def _removed(unit: Unit, gone: set[str], to: str) -> Unit:
    if to == "destroyed":
        left = tuple(m for m in unit.models if m.id not in gone)
        return replace(unit, models=left, where=unit.where if left else "destroyed")
    models = tuple(replace(m, pose=None) if m.id in gone else m for m in unit.models)
    return replace(unit, models=models, where=to if all(m.pose is None for m in models) else unit.where)


def _unit(unit: Json) -> Unit:
    parts = tuple(
        Part(
            part["id"],
            frozenset(part["models"]),
            part.get("datasheet", ""),
            frozenset(word.upper() for word in part.get("keywords", ())),
            _abilities(part),
            tuple((k, float(v)) for k, v in part.get("profile", ())),
        )
        for part in unit.get("attached", ())
    )
    return Unit(
        id=unit["id"],
        player=unit["player"],
        models=tuple(_model(m) for m in unit["models"]),
        where=unit.get("whereabouts", "table"),
        datasheet=unit.get("datasheet", ""),
        keywords=frozenset(word.upper() for word in unit.get("keywords", ())),
        abilities=_abilities(unit),
        profile=tuple((k, float(v)) for k, v in unit.get("profile", ())),
        markers=tuple(_marker(m) for m in unit.get("markers", ())),
        parts=parts,
        own_weapons=tuple(tuple(sorted(w.items(), key=str)) for w in unit.get("weapons", ()) if isinstance(w, dict)),
    )


def _marker(value: Json) -> Marker:
    known = ("kind", "subject", "amount", "until", "player", "round")
    return Marker(**{name: word for name, word in value.items() if name in known})


def _abilities(value: Json) -> tuple[tuple[str, str], ...]:
    split = (text.replace(":", " ", 1).partition(" ") for text in value.get("abilities", ()))
    return tuple((token, rest.strip()) for token, _, rest in split)


def _model(model: Json) -> Model:
    base = model["base"]
    if "outline" in base:
        shape: tuple[Any, ...] = ("outline", tuple((float(x), float(y)) for x, y in base["outline"]))
    elif "d" in base:
        shape = ("round", float(base["d"]))
    elif "length" in base:
        shape = ("oval", float(base["length"]), float(base["width"]))
    else:
        shape = ("rect", float(base["width"]), float(base["depth"]))
    return Model(
        model["id"],
        shape,
        pose_of(model.get("pose")),
        model.get("wounds_lost", 0),
        tuple(model.get("loadout", ())),
        model.get("name", ""),
    )
