"""From tables to a battle: ids checked, millimetres turned into inches, poses given to models."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import msgspec

from sim.battle import (
    Battle,
    Battlefield,
    Circle,
    Clock,
    Floor,
    Loose,
    Marker,
    Model,
    Objective,
    Ranked,
    Terrain,
    Unit,
    Weapon,
    Zone,
    did_you_mean,
    limits,
    meant_by,
    same_name,
)
from sim.battle.state import LIES, ON_TABLE
from sim.geometry import (
    MM_PER_INCH,
    Base,
    Hull,
    Oval,
    Pose,
    Rect,
    Round,
    ShapeError,
    within,
)
from sim.reading import Fault, Steps, placed, quoted, steps_of
from sim.rules import Command, Ruleset
from sim.rules.abilities import AbilityError
from sim.scenario.commands import CommandFault, build_command
from sim.scenario.errors import ScenarioError
from sim.scenario.schema import (
    AskTable,
    BaseTable,
    ClockTable,
    Document,
    ExpectTable,
    ModelTable,
    ObjectiveTable,
    TerrainTable,
    UnitTable,
    WeaponTable,
    ZoneTable,
)

Ask = AskTable
Expect = ExpectTable
Origins = dict[str, list[tuple[str, str, int]]]  # for every table of a merged document: file, text, place in it
PLACES = ("table", "reserves", "underground", "destroyed")
MOST_PLAYERS = 2  # unless a file names more
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Told:
    """What was found wrong with the shape of a file before its battle was built.

    ``keys`` are the tables and ``ids`` the units that were left out for it; "" stands for a unit without a name.
    ``words`` are the texts in those units.
    """

    faults: tuple[Fault, ...] = ()
    keys: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Case:
    """A battle from a file, with what is asked of it and the right answers."""

    file: str
    title: str
    source: str | None
    ruleset: Ruleset
    battle: Battle
    command: Command | None
    dice: tuple[int | float | str, ...]
    asks: tuple[Ask, ...]
    expect: Expect
    assumed: frozenset[str] = frozenset()


class _Builder:
    """Turns one document into a battle; every complaint carries the file and the line."""

    def __init__(
        self, file: str, document: Document, rulesets: Mapping[str, Ruleset], text: str, origins: Origins, told: Told
    ) -> None:
        self.file, self.document, self.text, self.origins, self.told = file, document, text, origins, told
        self.faults = list(told.faults)
        self.spoiled = set(told.ids)  # units of which something is wrong: who names them is told nothing of it
        self.ruleset = self._ruleset(rulesets)
        self.assumed: set[str] = set()
        self.misnamed: set[int] = set()  # units with an id that is none, by place

    def fail(self, path: str | Steps, what: str) -> NoReturn:
        raise ScenarioError.of([self.fault(path, what)])

    def fault(self, path: str | Steps, what: str) -> Fault:
        """A fault of a value of the merged document, told of the file in which that stands."""
        file, text, steps = self.origin(steps_of(path) if isinstance(path, str) else path)
        return placed(file, text, steps, what)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What is wrong within is kept for the end, so that all faults are told at once."""
        try:
            yield
        except ScenarioError as error:
            self.faults.extend(error.faults)

    def origin(self, steps: Steps) -> tuple[str, str, Steps]:
        """The file that a value of the merged document stands in, its text, and where it is there."""
        if steps[:1] == ("table",) and self.origins.get("table"):
            file, text, _ = self.origins["table"][0]
            return file, text, steps
        rows = self.origins.get(str(steps[0]), []) if len(steps) > 1 else []
        number = steps[1] if len(steps) > 1 else None
        if not isinstance(number, int) or number >= len(rows):
            return self.file, self.text, steps
        file, text, own = rows[number]
        return file, text, (steps[0], own, *steps[2:])

    def _ruleset(self, rulesets: Mapping[str, Ruleset]) -> Ruleset:
        name = self.document.ruleset
        with self.telling():
            if not name:
                if "ruleset" not in self.told.keys:
                    what = f"expected a ruleset, one of {', '.join(sorted(rulesets))}"
                    raise ScenarioError(self.file, "top level", what)
            elif name not in rulesets:
                known = f"{did_you_mean(name, rulesets)}; known: {', '.join(sorted(rulesets))}"
                self.fail("$.ruleset", f"no ruleset is called {quoted(name)}{known}")
            else:
                return rulesets[name]
        raise ScenarioError.of(self.faults)  # without a game nothing else can be looked at

    def battle(self) -> Battle:
        """The battle, as far as the file says it; what is wrong is among the faults."""
        field = self.battlefield()
        units = tuple(self.units(field))
        self.markers(field)
        clock = Clock()
        players: tuple[str, ...] = ()
        with self.telling():
            players = self.players()
        if self.document.clock is not None:
            clock = self.clock(self.document.clock)
        return Battle(
            ruleset=self.ruleset.id,
            battlefield=field,
            clock=clock,
            units=units,
            players=players,
            options=tuple(self.options()),
            title=self.document.title,
        )

    def clock(self, table: ClockTable) -> Clock:
        known = {phase.name: phase for phase in self.ruleset.phases}
        with self.telling():
            if table.phase and table.phase not in known:
                guess = did_you_mean(table.phase, known)
                self.fail(
                    "$.clock.phase", f"no phase is called {quoted(table.phase)}{guess}; known: {', '.join(known)}"
                )
            if table.step and not table.phase:
                self.fail("$.clock.step", "a step needs its phase")
            if table.step and table.step not in known[table.phase].steps:
                names = known[table.phase].steps
                guess = did_you_mean(table.step, names)
                what = f"no step of {table.phase} is called {quoted(table.step)}{guess}; known: {', '.join(names)}"
                self.fail("$.clock.step", what)
        last = self.ruleset.rounds
        number = table.turn if table.turn is not None else table.round
        with self.telling():
            if number > last:
                key = "round" if table.turn is None else "turn"
                self.fail(f"$.clock.{key}", f"expected {self.ruleset.counts.lower()} 1 to {last}, got {number}")
        step = table.step
        if table.phase in known and not step:
            step = known[table.phase].steps[0]
        return Clock(number, table.player, table.phase, step)

    def options(self) -> Iterator[tuple[str, str | bool | float]]:
        for name, value in sorted(self.document.options.items()):
            path = ("options", name)
            with self.telling():
                if name not in self.ruleset.options:
                    known = ", ".join(sorted(self.ruleset.options)) or "none"
                    guess = did_you_mean(name, self.ruleset.options)
                    self.fail(path, f"no option is called {quoted(name)}{guess}; known: {known}")
                choices = self.ruleset.options[name]
                if not any(value is c if isinstance(c, bool) else value == c for c in choices):
                    self.fail(path, f"expected one of {', '.join(map(_toml, choices))}, got {quoted(value)}")
                yield name, value

    def players(self) -> tuple[str, ...]:
        document = self.document
        named = [document.clock.player] if document.clock and document.clock.player else []
        named += [zone.player for zone in document.zone] + [unit.player for unit in document.unit]
        players = tuple(dict.fromkeys(document.players or named))
        if not document.players and len(players) > MOST_PLAYERS:
            names = ", ".join(players)
            self.fail("$.players", f"expected {MOST_PLAYERS} players, found {names}; players = [...] names them all")
        for i, name in enumerate(dict.fromkeys(named)):
            if name not in players:
                self.fail("$.players", f"player {name!r} is not among {', '.join(players)} (name {i + 1})")
        return players

    def battlefield(self) -> Battlefield:
        document = self.document
        width, depth = self.size()
        self.unique("terrain", [t.id for t in document.terrain])
        self.unique("objective", [o.id for o in document.objective])
        return Battlefield(
            width,
            depth,
            tuple(self.each(self.terrain, document.terrain)),
            tuple(self.each(lambda i, row: self.objective(i, row, width, depth), document.objective)),
            tuple(self.each(self.zone, document.zone)),
        )

    def each(self, build: Callable[[int, T], R], tables: Sequence[T]) -> Iterator[R]:
        """What the tables of a kind stand for, without those that are wrong."""
        for i, table in enumerate(tables):
            with self.telling():
                yield build(i, table)

    def size(self) -> tuple[float, float]:
        """Width and depth of the table; without end where they are wrong, so that nothing lies off it."""
        table = self.document.table
        with self.telling():
            if table is None and "table" not in self.told.keys:
                raise ScenarioError(self.file, "top level", "expected a [table] with width and depth, or a map")
        if table is None:
            return math.inf, math.inf
        faults = dict(limits.of_size(table.width, table.depth))
        for where, what in faults.items():
            self.faults.append(self.fault(("table", *where), what))
        width, depth = (math.inf if (name,) in faults else getattr(table, name) for name in ("width", "depth"))
        return width, depth

    def unique(self, what: str, ids: Sequence[str]) -> set[int]:
        """Looks at the ids of a kind; gives the places of those that are wrong."""
        seen: set[str] = set()
        before = len(self.faults)
        wrong: set[int] = set()
        for i, name in enumerate(ids):
            with self.telling():
                if not _is_id(name):
                    found = quoted(name)
                    self.fail(f"$.{what}[{i}].id", f"expected an id without blanks or any of {FORBIDDEN}, got {found}")
                if name in seen:
                    self.fail(f"$.{what}[{i}].id", f"a second {what} is called {quoted(name)}")
            seen.add(name)
            if len(self.faults) > before:
                wrong.add(i)
                before = len(self.faults)
        return wrong

    def told_of(self, path: Steps, found: Iterable[limits.Fault]) -> None:
        """Fails when anything is beyond what a battle may hold, with all that is."""
        faults = [self.fault((*path, *where), what) for where, what in found]
        if faults:
            raise ScenarioError.of(faults)

    def terrain(self, i: int, table: TerrainTable) -> Terrain:
        path: Steps = ("terrain", i)
        known = sorted(self.ruleset.terrain_kinds)
        with self.telling():
            if table.kind not in known:
                what = f"{self.ruleset.id} knows no terrain {quoted(table.kind)}{did_you_mean(table.kind, known)}"
                self.fail((*path, "kind"), f"{what}; known: {', '.join(known)}")
        floors = tuple(Floor(floor.z, _points(floor.outline)) for floor in table.floors)
        piece = Terrain(table.id, table.kind, _points(table.outline), table.height, floors, tuple(table.traits))
        self.told_of(path, limits.of_terrain(piece))
        return piece

    def objective(self, i: int, table: ObjectiveTable, width: float, depth: float) -> Objective:
        marker = Objective(table.id, (float(table.at[0]), float(table.at[1])), table.diameter / MM_PER_INCH / 2)
        self.told_of(("objective", i), limits.of_objective(marker, width, depth))
        return marker

    def zone(self, i: int, table: ZoneTable) -> Zone:
        path: Steps = ("zone", i)
        if (table.outline is None) == (table.circle is None):
            self.fail(path, "expected an outline or a circle, and not both")
        name = table.id or f"{table.player} zone"
        outline = _points(table.outline or [])
        if table.circle is not None:
            self.told_of(path, limits.of_circle(("circle",), Circle(table.circle.at, table.circle.radius)))
            (x, y), r = table.circle.at, table.circle.radius
            turns = [2 * math.pi * k / 720 for k in range(720)]
            outline = tuple((x + r * math.cos(t), y + r * math.sin(t)) for t in turns)
        discs = (m.circle for m in table.minus)
        minus = tuple(Circle((float(d.at[0]), float(d.at[1])), d.radius) for d in discs)
        zone = Zone(name, table.player, outline, minus)
        self.told_of(path, limits.of_zone(zone))
        return zone

    def base(self, path: str, table: BaseTable) -> Base:
        given = [name for name in ("round", "oval", "rect", "hull") if getattr(table, name) is not None]
        if len(given) != 1:
            self.fail(path, f"expected exactly one of round, oval, rect, hull, got {', '.join(given) or 'none'}")
        for size in (table.round, *(table.oval or ()), *(table.rect or ())):
            if size is not None and not limits.LEAST_BASE <= size <= limits.LARGEST_BASE:
                expected = f"a base of {limits.LEAST_BASE:g} to {limits.LARGEST_BASE:g} mm"
                self.fail(path, f"expected {expected}, got {size:g} mm")
        for what in limits.of_hull(table.hull or ()):
            self.fail(path, what)
        try:
            if table.round is not None:
                return Round.mm(table.round)
            if table.oval is not None:
                return Oval.mm(*table.oval)
            if table.rect is not None:
                return Rect.mm(*table.rect)
            return Hull(tuple((float(x), float(y)) for x, y in table.hull or []))
        except ShapeError as error:
            self.fail(path, str(error))

    def units(self, field: Battlefield) -> Iterator[Unit]:
        tables = self.document.unit
        self.misnamed = self.unique("unit", [t.id for t in tables])
        seen: set[str] = {t.id for t in tables}
        found: dict[str, Unit] = {}
        for i, table in enumerate(tables):
            before = len(self.faults)
            with self.telling():
                unit = self.unit(i, table)
                for model in unit.models:
                    self.named_once(i, model, seen)
                    self.on_table(i, field, model)
                found[unit.id] = unit
            if len(self.faults) > before:
                self.spoiled.add(table.id)
        with self.telling():
            self.told_of((), limits.of_counts(tuple(found.values())))
        for i, table in enumerate(tables):
            if not table.leads or self.spoiled & {table.id, table.leads}:
                continue
            with self.telling():
                found[table.leads] = self.joined(f"$.unit[{i}].leads", found[table.id], found.get(table.leads))
                del found[table.id]
        with self.telling():
            self.room_aboard(found)
        yield from found.values()

    def named_once(self, i: int, model: Model, seen: set[str]) -> None:
        with self.telling():
            if model.id in seen and i not in self.misnamed:
                self.fail(f"$.unit[{i}].models", f"a second model or unit is called {quoted(model.id)}")
        seen.add(model.id)

    def room_aboard(self, units: Mapping[str, Unit]) -> None:
        """No unit holds more, or others, than it can; a fault is told at the last that is aboard."""
        if self.ruleset.crowded is None:
            return
        for carrier in units.values():
            aboard = [unit for unit in units.values() if unit.whereabouts == f"embarked:{carrier.id}"]
            why = self.ruleset.crowded(carrier, aboard) if aboard else None
            if why is not None:
                last = next(i for i, table in enumerate(self.document.unit) if table.id == aboard[-1].id)
                self.fail(f"$.unit[{last}].where", why)

    def joined(self, path: str, leader: Unit, unit: Unit | None) -> Unit:
        """A unit with the models of one that leads it; fails where it cannot."""
        if self.ruleset.joined is None:
            self.fail(path, f"{self.ruleset.title} knows no leaders that join units")
        if unit is None or unit.id == leader.id:
            what = f"expected the id of another unit that leads none itself, for {leader.id}"
            others = [each.id for each in self.document.unit if each.id != leader.id and not each.leads]
            table = next(each for each in self.document.unit if each.id == leader.id)
            self.fail(path, f"{what}{did_you_mean(table.leads, others)}")
        if unit.player != leader.player or unit.whereabouts != leader.whereabouts:
            self.fail(path, f"{leader.id} can only lead a unit of its player that is where it is, not {unit.id}")
        both = self.ruleset.joined(unit, leader)
        if isinstance(both, str):
            self.fail(path, both)
        return both

    def on_table(self, i: int, field: Battlefield, model: Model) -> None:
        if model.pose is None:
            return
        x0, y0, x1, y1 = model.placed.bounds
        out = max(-x0, -y0, x1 - field.width, y1 - field.depth)
        with self.telling():
            if not within(out, 0.0):
                size = f"{field.width:g}×{field.depth:g}"
                self.fail(f"$.unit[{i}].models", f"model {model.id} is off the {size} table by {out:.2f} inches")

    def unit(self, i: int, table: UnitTable) -> Unit:
        """A unit; fails with everything that is wrong with it."""
        path = f"$.unit[{i}]"
        before = len(self.faults)
        with self.telling():
            if not table.player:
                self.fail(path, f"unit {table.id} has no player")
        profile = self.profile_of(path, table)
        models: tuple[Model, ...] = ()
        with self.telling():
            models = tuple(self.models(path, table, self.base_of(path, table)))
            self.all_placed(path, table, models)
        with self.telling():
            self.place_known(path, table.where)
        self.own_rolls(path, table)
        abilities = tuple(self.each_of(f"{path}.abilities", table.abilities, self.ability))
        weapons = tuple(self.each_of(f"{path}.weapon", table.weapon, self.weapon))
        if len(self.faults) > before:
            told, self.faults[before:] = self.faults[before:], []
            raise ScenarioError.of(told)
        unit = Unit(
            id=table.id,
            player=table.player,
            models=models,
            name=table.name or table.id,
            datasheet=table.datasheet,
            formation=Loose() if table.formation is None else Ranked(table.formation.files),
            whereabouts=table.where,
            keywords=tuple(table.keywords),
            abilities=abilities,
            profile=tuple(sorted(profile.items())),
            points=table.points,
            weapons=weapons,
            rerolls=table.rerolls,
            modifiers=tuple(table.modifier),
            markers=(
                *(Marker(kind, until="end-of-turn") for kind in table.markers),
                *(
                    Marker(LIES, marker.id, at=(float(marker.at[0]), float(marker.at[1])))
                    for marker in self.document.marker
                    if marker.unit == table.id
                ),
            ),
        )
        return unit if self.ruleset.bind is None else self.ruleset.bind(unit)

    def each_of(self, path: str, rows: Sequence[T], build: Callable[[str, T], R]) -> Iterator[R]:
        """What the entries of a list of a unit stand for, without those that are wrong."""
        for k, row in enumerate(rows):
            with self.telling():
                yield build(f"{path}[{k}]", row)

    def profile_of(self, path: str, table: UnitTable) -> dict[str, float]:
        found: dict[str, float] = {}
        for written, value in table.profile.items():
            with self.telling():
                name = self.number_of(path, written)
                found[name] = value
                for (_, _), what in limits.of_profile([(name, value)]):
                    self.fail((*steps_of(path), "profile", written), what)
        return found

    def datasheet_known(self, path: str, table: UnitTable) -> None:
        if not table.datasheet or self.ruleset.datasheets is None:
            return
        known = self.ruleset.datasheets()
        if not any(same_name(table.datasheet, name) for name in known) and meant_by(table.datasheet, known):
            guess = did_you_mean(table.datasheet, known)
            self.fail(f"{path}.datasheet", f"no datasheet is called {quoted(table.datasheet)}{guess}")

    def all_placed(self, path: str, table: UnitTable, models: tuple[Model, ...]) -> None:
        """Every model has a place on the table exactly where its unit is there."""
        if not models:
            self.fail(f"{path}.models", f"unit {table.id} has no models")
        if table.where == ON_TABLE and not all(m.pose is not None for m in models):
            self.fail(f"{path}.models", f"unit {table.id} is on the table: every model needs a position")
        if table.where != ON_TABLE and any(m.pose is not None for m in models):
            self.fail(f"{path}.where", f"unit {table.id} is {quoted(table.where)}: its models have no position")

    def ability(self, path: str, text: str) -> str:
        """An ability as the game keeps it; fails for one that the game does not understand."""
        if self.ruleset.ability is None:
            return text
        try:
            return self.ruleset.ability(text)
        except AbilityError as error:
            self.fail(path, str(error))

    def number_of(self, path: str, name: str) -> str:
        """A number of a profile as the game names it, in any case of letters; fails for one that it does not know."""
        known = self.ruleset.profile
        found = next((each for each in known if each.casefold() == name.casefold()), None)
        if known and found is None:
            what = f"a profile has no {quoted(name)}{did_you_mean(name, known)}; known: {', '.join(known)}"
            self.fail((*steps_of(path), "profile", name), what)
        return found or name

    def own_rolls(self, path: str, table: UnitTable) -> None:
        """Tells of re-rolls, modifiers and keywords of a unit's own that the game does not know, or not so."""
        with self.telling():
            if (table.rerolls is not None or table.modifier) and not self.ruleset.own_rolls:
                key = "modifier" if table.rerolls is None else "rerolls"
                self.fail(f"{path}.{key}", f"{self.ruleset.title} has no re-rolls and modifiers that files describe")
        for k, row in enumerate(table.modifier):
            with self.telling():
                if (why := row.nonsense) is not None:
                    self.fail(f"{path}.modifier[{k}].{why[0]}", why[1])
        for k, text in enumerate(table.keywords):
            meant = None if self.ruleset.keyword is None else self.ruleset.keyword(text)
            with self.telling():
                if meant is not None:
                    what = f"no keyword is called {quoted(text)}; did you mean {meant!r}?"
                    self.fail(f"{path}.keywords[{k}]", what)

    def weapon(self, path: str, row: WeaponTable) -> Weapon:
        """A weapon of a unit's own; fails where the game knows none, or not such a one."""
        if self.ruleset.weapon is None:
            self.fail(path, f"{self.ruleset.title} has no weapons that files describe")
        given = Weapon(
            name=row.name,
            range=row.range,
            attacks=str(row.attacks),
            strength=row.strength,
            ap=row.ap,
            damage=str(row.damage),
            skill=row.skill,
            profile=row.profile,
            abilities=tuple(row.abilities),
        )
        try:
            return self.ruleset.weapon(given)
        except ValueError as error:
            self.fail(path, str(error))

    def base_of(self, path: str, table: UnitTable) -> Base | None:
        """The base that the file gives the unit, else its datasheet's; None without either."""
        self.datasheet_known(path, table)
        if table.base is not None:
            base, guessed = self.base(f"{path}.base", table.base), table.base.assumed
        else:
            found = self.ruleset.datasheet_base(table.datasheet) if self.ruleset.datasheet_base else None
            if found is None:
                return None
            base, guessed = found
        if guessed:
            self.assumed.add(table.id)
        return base

    def place_known(self, path: str, where: str) -> None:
        kind, _, carrier = where.partition(":")
        ids = [unit.id for unit in self.document.unit]
        if where in PLACES or (kind == "embarked" and carrier in {*ids, *self.spoiled}):
            return
        guess = did_you_mean(where, (*PLACES, *(f"embarked:{name}" for name in ids)))
        what = f"expected one of {', '.join(PLACES)} or embarked:UNIT, got {quoted(where)}{guess}"
        self.fail(f"{path}.where", what)

    def markers(self, field: Battlefield) -> None:
        ids = [unit.id for unit in self.document.unit]
        self.unique("marker", [m.id for m in self.document.marker])
        for i, marker in enumerate(self.document.marker):
            with self.telling():
                if marker.unit not in {*ids, *self.spoiled}:
                    what = f"no unit is called {quoted(marker.unit)}{did_you_mean(marker.unit, ids)}"
                    self.fail(f"$.marker[{i}].unit", what)
            with self.telling():
                self.told_of(("marker", i), limits.of_point(("at",), marker.at, field.width, field.depth))

    def models(self, path: str, table: UnitTable, base: Base | None) -> Iterator[Model]:
        if table.formation is not None:
            yield from self.ranked(path, table, base)
            return
        if isinstance(table.models, int):
            if not 0 < table.models <= limits.MOST_MODELS:
                self.fail(f"{path}.models", f"expected 1 to {limits.MOST_MODELS} models, got {table.models}")
            rows: list[ModelTable | list[float]] = [ModelTable()] * table.models
        else:
            rows = table.models
        told: list[Fault] = []
        for k, row in enumerate(rows, 1):
            try:
                yield self.model(f"{path}.models[{k - 1}]", table, k, row, base)
            except ScenarioError as error:
                told.extend(error.faults)
        if told:
            raise ScenarioError.of(told if base is not None else told[:1])

    def model(self, path: str, unit: UnitTable, k: int, row: ModelTable | list[float], base: Base | None) -> Model:
        if isinstance(row, list):
            if len(row) not in (2, 3):
                self.fail(path, f"expected [x, y] or [x, y, facing], got {quoted(row)}")
            row = ModelTable(at=(row[0], row[1]), facing=row[2] if len(row) == 3 else 0.0)
        own = self.base(path, row.base) if row.base is not None else base
        if own is None:
            unknown = f", and no datasheet is called {quoted(unit.datasheet)}" if unit.datasheet else ""
            self.fail(path, f"unit {unit.id} has no base, and neither has this model{unknown}")
        if row.z and self.ruleset.flat:
            self.fail(f"{path}.z", f"{self.ruleset.title} is played on the plan: expected no height, got {row.z:g}")
        pose = None
        if row.at is not None:
            try:
                pose = Pose(float(row.at[0]), float(row.at[1]), float(row.facing), float(row.z))
            except ShapeError as error:
                self.fail(path, str(error))
        name = row.id or f"{unit.id}-{k}"
        if not _is_id(name) and (row.id or _is_id(unit.id)):
            self.fail(path, f"expected a model id without blanks or any of {FORBIDDEN}, got {quoted(name)}")
        model = Model(name, unit.id, own, pose, row.wounds, tuple(row.loadout), row.name)
        for what in limits.of_height(model):
            self.fail(path, what)
        return model

    def ranked(self, path: str, table: UnitTable, base: Base | None) -> Iterator[Model]:
        formation = table.formation
        assert formation is not None
        if not isinstance(base, Rect):
            self.fail(f"{path}.base", "expected rectangular bases for a unit in ranks")
        if formation.files < 1 or not 0 < formation.models <= limits.MOST_MODELS:
            self.fail(f"{path}.formation", f"expected at least one file, and 1 to {limits.MOST_MODELS} models")
        if table.where != ON_TABLE:  # its ranks are kept for later; nothing stands anywhere
            for k in range(formation.models):
                yield Model(f"{table.id}-{k + 1}", table.id, base)
            return
        if formation.at is None:
            self.fail(f"{path}.formation", "a unit on the table needs at, the centre of its boundary")
        ranks = math.ceil(formation.models / formation.files)
        angle = math.radians(formation.facing)
        for k in range(formation.models):
            rank, file = divmod(k, formation.files)
            u = ((ranks - 1) / 2 - rank) * base.depth
            v = ((formation.files - 1) / 2 - file) * base.width
            x = formation.at[0] + math.cos(angle) * u - math.sin(angle) * v
            y = formation.at[1] + math.sin(angle) * u + math.cos(angle) * v
            try:
                pose = Pose(x, y, formation.facing)
            except ShapeError as error:
                self.fail(f"{path}.formation", str(error))
            yield Model(f"{table.id}-{k + 1}", table.id, base, pose)

    def command(self, battle: Battle) -> Command | None:
        """The command of the file; none where the units that it is about are wrong themselves."""
        raw = self.document.command
        if raw is None:
            return None
        try:
            return build_command(self.ruleset, battle, raw, self.words_of_spoiled())
        except CommandFault as error:
            for where, what in error.faults:
                if not self.is_about_spoiled(raw, where):
                    self.faults.append(self.fault(("command", *where), what))
        return None

    def words_of_spoiled(self) -> frozenset[str]:
        """Every text in units of which something is wrong: what they are called, and what they carry."""
        wrong = [msgspec.to_builtins(table) for table in self.document.unit if table.id in self.spoiled]
        return frozenset((*self.told.words, *words_in(wrong)))

    def is_about_spoiled(self, raw: Mapping[str, Any], where: Steps) -> bool:
        """Whether a fault of the command may come of a fault that has been told already."""
        if not self.spoiled:
            return False
        if "" in self.spoiled:  # a unit without a name is wrong
            return True
        value: Any = raw
        for step in where:
            try:
                value = value[step]
            except (LookupError, TypeError):
                value = None
        words = value.split() if isinstance(value, str) else []
        owners = {name.rpartition("-")[0] for name in words} | set(words)
        return bool(self.spoiled & owners) or (where[:1] == ("paths",) and raw.get("unit") in self.spoiled)

    def questions(self) -> None:
        """Only what the game can answer is asked."""
        known = sorted(self.ruleset.questions)
        for i, ask in enumerate(self.document.ask):
            with self.telling():
                if ask.question not in known:
                    guess = did_you_mean(ask.question, known)
                    what = f"no question is called {quoted(ask.question)}{guess}; {self.ruleset.id} answers"
                    self.fail(f"$.ask[{i}].question", f"{what} {', '.join(known)}")


FORBIDDEN = '| : , "'


def _is_id(name: str) -> bool:
    return bool(name) and not any(c.isspace() or not c.isprintable() or c in FORBIDDEN for c in name)


def _points(outline: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in outline)


def build_case(
    file: str,
    document: Document,
    rulesets: Mapping[str, Ruleset],
    text: str = "",
    origins: Origins | None = None,
    told: Told | None = None,
) -> Case:
    """The battle and questions of a document; raises ``ScenarioError`` with everything that is wrong."""
    builder = _Builder(file, document, rulesets, text, origins or {}, told or Told())
    battle = builder.battle()
    command = builder.command(battle)
    builder.questions()
    if builder.faults:
        raise ScenarioError.of(builder.faults)
    return Case(
        file=file,
        title=document.title,
        source=document.source,
        ruleset=builder.ruleset,
        battle=battle,
        command=command,
        dice=tuple(document.dice),
        asks=tuple(document.ask),
        expect=document.expect,
        assumed=frozenset(builder.assumed),
    )


def words_in(value: Any) -> Iterator[str]:
    """Every text within a value of tables and lists."""
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from words_in(each)
        case list() | tuple():
            for each in value:
                yield from words_in(each)
        case _:
            return


def _toml(value: str | bool | float) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
