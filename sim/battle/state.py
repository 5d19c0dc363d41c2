"""The battle as a value: the table, the clock, the units and the score, all frozen.

Ids are short strings, collections are tuples. Nothing here changes; ``sim.battle.events.evolve`` makes the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from sim.battle.names import name_key, name_keys
from sim.battle.own_rolls import ReRolls, RollModifier
from sim.geometry import Base, Placed, Point, Pose

if TYPE_CHECKING:
    from sim.battle.index import BattleIndex

ON_TABLE = "table"
LIES = "marker"  # the kind of a marker that is a token on the table; of other kinds a spot is only remembered
RESERVES = "reserves"
DESTROYED = "destroyed"
LENDS = "lends"  # the kind of a marker that gives its unit an ability while it lasts


class BattleError(ValueError):
    """A battle that cannot be: an unknown id, or an event about something that is not there."""


class Floor(Struct, frozen=True, omit_defaults=True):
    """A surface that models may stand on: its height and its outline, in inches."""

    z: float
    outline: tuple[Point, ...]


class Terrain(Struct, frozen=True, omit_defaults=True):
    """A piece of terrain; ``kind`` and ``traits`` are words that a ruleset interprets."""

    id: str
    kind: str
    outline: tuple[Point, ...]
    height: float = 0.0
    floors: tuple[Floor, ...] = ()
    traits: tuple[str, ...] = ()


class Objective(Struct, frozen=True, omit_defaults=True):
    """An objective marker: its centre and radius in inches."""

    id: str
    at: Point
    radius: float


class Circle(Struct, frozen=True, omit_defaults=True):
    """A disc on the table."""

    at: Point
    radius: float


class Zone(Struct, frozen=True, omit_defaults=True):
    """A player's deployment zone: an outline less some discs."""

    id: str
    player: str
    outline: tuple[Point, ...]
    minus: tuple[Circle, ...] = ()


class Battlefield(Struct, frozen=True, omit_defaults=True):
    """The table and what belongs to it: inches, origin at the lower left corner."""

    width: float
    depth: float
    terrain: tuple[Terrain, ...] = ()
    objectives: tuple[Objective, ...] = ()
    zones: tuple[Zone, ...] = ()


class Clock(Struct, frozen=True, omit_defaults=True):
    """Whose time it is: round, player, phase and step, as words of the ruleset."""

    round: int = 1
    player: str = ""
    phase: str = ""
    step: str = ""


Until = Literal["end-of-phase", "end-of-turn", "next-command-phase", "end-of-battle"]


class Marker(Struct, frozen=True, omit_defaults=True):
    """Anything that lasts on a unit: what, about whom, how much, and until which point of the clock.

    That point is the first one of its kind in a turn of ``player``, where one is named, and not before ``round``.
    Without a player the end of a phase or turn is that of whoever's turn it is, and the next Command phase that of the
    unit's owner.
    """

    kind: str
    subject: str = ""
    amount: int = 0
    until: Until = "end-of-battle"
    at: Point | None = None  # where it lies, if it lies on the table
    player: str = ""
    round: int = 0

    def is_over(self, owner: str, reached: frozenset[Until], clock: Clock) -> bool:
        """Whether it ends where the clock has reached these points; ``owner`` is the player of the unit it lies on."""
        if self.until not in reached or clock.round < self.round:
            return False
        whose = self.player or (owner if self.until == "next-command-phase" else clock.player)
        return whose == clock.player


class Loose(Struct, frozen=True, omit_defaults=True, tag="loose", tag_field="shape"):
    """Models that stand anywhere in coherency."""


class Ranked(Struct, frozen=True, omit_defaults=True, tag="ranked", tag_field="shape"):
    """Models in ranks and files."""

    files: int


class Model(Struct, frozen=True, omit_defaults=True):
    """One model: its base, where it stands (None when it is not on the table), and what it carries."""

    id: str
    unit: str
    base: Base
    pose: Pose | None = None
    wounds_lost: int = 0
    loadout: tuple[str, ...] = ()
    name: str = ""

    @property
    def placed(self) -> Placed:
        """The base where it stands; raises ``BattleError`` for a model that is not on the table."""
        if self.pose is None:
            raise BattleError(f"model {self.id} is not on the table")
        return Placed(self.base, self.pose)


class Weapon(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One profile of a weapon; ``range`` in inches, 0 for melee, and ``skill`` None where it hits by itself."""

    name: str
    range: float
    attacks: str
    strength: int
    ap: int
    damage: str
    skill: int | None = None
    profile: str = ""
    abilities: tuple[str, ...] = ()

    @property
    def ranged(self) -> bool:
        """Whether it shoots."""
        return self.range > 0

    def ability(self, token: str) -> str | None:
        """What follows an ability's token (``"2"`` for ``melta 2``), None without the ability."""
        for ability in self.abilities:
            name, _, value = ability.partition(" ")
            if name == token:
                return value
        return None

    def has(self, token: str) -> bool:
        """Whether the weapon has an ability."""
        return self.ability(token) is not None


class Attached(Struct, frozen=True, omit_defaults=True):
    """What leads a unit: the unit that it is by itself, which of the models are its own, and what those have."""

    id: str
    models: tuple[str, ...]
    name: str = ""
    datasheet: str = ""
    keywords: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    profile: tuple[tuple[str, float], ...] = ()
    points: int = 0
    weapons: tuple[Weapon, ...] = ()  # of its own, besides what its datasheet has
    rerolls: ReRolls | None = None
    modifiers: tuple[RollModifier, ...] = ()

    def value(self, name: str) -> float | None:
        """A number of its profile, None when it is not known."""
        return next((value for key, value in self.profile if key == name), None)

    def ability(self, token: str) -> str | None:
        """What follows an ability's token, None without the ability."""
        return _tokens(self.abilities).get(token)

    def has(self, keyword: str) -> bool:
        """Whether it bears a keyword by itself, however it is typed."""
        return name_key(keyword) in name_keys(self.keywords)


class Unit(Struct, frozen=True, omit_defaults=True):
    """A unit: who owns it, what it is, where it is, and its models, those of its leaders among them."""

    id: str
    player: str
    models: tuple[Model, ...]
    name: str = ""
    datasheet: str = ""
    formation: Loose | Ranked = Loose()
    whereabouts: str = ON_TABLE
    markers: tuple[Marker, ...] = ()
    keywords: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    profile: tuple[tuple[str, float], ...] = ()
    points: int = 0
    attached: tuple[Attached, ...] = ()
    weapons: tuple[Weapon, ...] = ()  # of its own, besides what its datasheet has
    rerolls: ReRolls | None = None
    modifiers: tuple[RollModifier, ...] = ()

    @property
    def on_table(self) -> bool:
        """Whether the unit stands on the battlefield."""
        return self.whereabouts == ON_TABLE

    def value(self, name: str) -> float | None:
        """A number of the unit's profile, None when it is not known."""
        return next((value for key, value in self.profile if key == name), None)

    def has(self, *keywords: str) -> bool:
        """Whether the unit, or one that leads it, bears any of the keywords, however they are typed."""
        keys = [name_key(keyword) for keyword in keywords]
        mine = [name_keys(self.keywords), *(name_keys(leader.keywords) for leader in self.attached)]
        return any(key in known for key in keys for known in mine)

    def leader_of(self, model: str) -> Attached | None:
        """The leader that a model belongs to, None for the unit's own."""
        return next((leader for leader in self.attached if model in leader.models), None)

    @property
    def own_models(self) -> tuple[Model, ...]:
        """The models that belong to no leader."""
        if not self.attached:
            return self.models
        return tuple(model for model in self.models if self.leader_of(model.id) is None)

    def lasting(self, reached: frozenset[Until], clock: Clock) -> tuple[Marker, ...]:
        """The markers that are left on the unit where the clock has reached these points."""
        return tuple(m for m in self.markers if not m.is_over(self.player, reached, clock))

    def marked(self, kind: str) -> bool:
        """Whether a marker of a kind lies on the unit."""
        return any(marker.kind == kind for marker in self.markers)

    def ability(self, token: str) -> str | None:
        """What follows an ability's token (``"table-edge"`` for ``ambush: table-edge``), None without the ability.

        What the unit has not by itself a marker of the kind ``lends`` may lend it; its subject is the ability.
        """
        found = _tokens(self.abilities).get(token)
        return self.lent(token) if found is None else found

    def lent(self, token: str) -> str | None:
        """What follows an ability that a marker lends the whole unit, None without one."""
        if not self.markers:
            return None
        return _tokens(tuple(m.subject for m in self.markers if m.kind == LENDS)).get(token)


@lru_cache(maxsize=1024)
def _tokens(abilities: tuple[str, ...]) -> dict[str, str]:
    """Abilities by their tokens, with what follows each; of two alike the first counts."""
    parts = [ability.replace(":", " ", 1).partition(" ") for ability in reversed(abilities)]
    return {name: value.strip() for name, _, value in parts}


class Battle(Struct, frozen=True, dict=True, omit_defaults=True):
    """Everything that is so at one instant."""

    ruleset: str
    battlefield: Battlefield
    clock: Clock = Clock()
    units: tuple[Unit, ...] = ()
    players: tuple[str, ...] = ()
    score: tuple[tuple[str, int], ...] = ()
    resources: tuple[tuple[str, str, int], ...] = ()
    options: tuple[tuple[str, str | bool | float], ...] = ()
    title: str = ""

    @cached_property
    def index(self) -> BattleIndex:
        """Columns and arrays of what stands on the table, built on first use and kept with this snapshot."""
        from sim.battle.index import BattleIndex

        return BattleIndex.of(self)

    @cached_property
    def looked_up(self) -> dict[tuple[str, ...], Any]:
        """Answers about units as they stood, kept from battle to battle: who reads one checks that they still do."""
        return {}

    @cached_property
    def _units_by_id(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

    @cached_property
    def _models_by_id(self) -> dict[str, Model]:
        return {model.id: model for model in self.models()}

    def unit(self, unit_id: str) -> Unit:
        """The unit with an id; raises ``BattleError`` when there is none."""
        try:
            return self._units_by_id[unit_id]
        except KeyError:
            raise BattleError(f"no unit is called {unit_id!r}") from None

    def has_unit(self, unit_id: str) -> bool:
        """Whether a unit has this id."""
        return unit_id in self._units_by_id

    def model(self, model_id: str) -> Model:
        """The model with an id; raises ``BattleError`` when there is none."""
        try:
            return self._models_by_id[model_id]
        except KeyError:
            raise BattleError(f"no model is called {model_id!r}") from None

    def has_model(self, model_id: str) -> bool:
        """Whether a model has this id."""
        return model_id in self._models_by_id

    def models(self) -> Iterator[Model]:
        """Every model of every unit, on the table or not."""
        for unit in self.units:
            yield from unit.models

    def option(self, name: str, default: str | bool | float) -> str | bool | float:
        """The value of a named option of the ruleset."""
        return next((value for key, value in self.options if key == name), default)

    def following(self, before: Battle) -> Battle:
        """The same battle, which knows the answers of the one before it."""
        self.__dict__["looked_up"] = before.looked_up
        return self

    def standing_as(self, before: Battle) -> Battle:
        """The same battle with the index of an earlier one, in which every model stood where it stands now."""
        known = before.__dict__.get("index")
        if known is not None:
            self.__dict__["index"] = known
        return self

    def with_unit(self, unit: Unit) -> Battle:
        """The battle with one unit replaced by its next state."""
        return msgspec.structs.replace(self, units=tuple(unit if u.id == unit.id else u for u in self.units))
