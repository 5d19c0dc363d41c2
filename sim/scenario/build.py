"""From tables to a battle: ids checked, millimetres turned into inches, poses given to models."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

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
    meant_by,
    same_name,
)
from sim.battle.state import ON_TABLE
from sim.geometry import (
    MM_PER_INCH,
    Base,
    Hull,
    Oval,
    Path,
    Pose,
    Rect,
    Round,
    ShapeError,
    check_outline,
    within,
)
from sim.rules import Command, Ruleset
from sim.rules.abilities import AbilityError
from sim.scenario.errors import ScenarioError, line_of
from sim.scenario.schema import (
    AskTable,
    BaseTable,
    Document,
    ExpectTable,
    ModelTable,
    TerrainTable,
    UnitTable,
    WeaponTable,
    ZoneTable,
)

Ask = AskTable
Expect = ExpectTable
Origins = dict[str, list[tuple[str, str, int]]]  # for every table of a merged document: file, text, place in it
PLACES = ("table", "reserves", "underground", "destroyed")
LEAST_BASE, LARGEST_BASE = 0.1, 1000.0  # millimetres
LARGEST_HULL = 40.0  # inches from the model's own position
MOST_PLAYERS = 2  # unless a file names more
MOST_OF_A_PROFILE = 1000  # no number of a unit is greater
MOST_MODELS = 10_000  # of one unit
LARGEST_TABLE = 400.0  # inches; no table is longer than this


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
        self, file: str, document: Document, rulesets: Mapping[str, Ruleset], text: str, origins: Origins
    ) -> None:
        self.file, self.document, self.text, self.origins = file, document, text, origins
        self.ruleset = self._ruleset(rulesets)
        self.assumed: set[str] = set()

    def fail(self, path: str, what: str) -> NoReturn:
        file, text, path = self.origin(path)
        line = line_of(text, path)
        shown = path.removeprefix("$").removeprefix(".")
        raise ScenarioError(file, f"line {line} ({shown})" if line else shown, what)

    def origin(self, path: str) -> tuple[str, str, str]:
        """The file that a value of the merged document stands in, its text, and the value's path there."""
        if path.startswith("$.table") and self.origins.get("table"):
            file, text, _ = self.origins["table"][0]
            return file, text, path
        match = re.match(r"\$\.(\w+)\[(\d+)\](.*)", path)
        rows = self.origins.get(match[1], []) if match else []
        if match is None or int(match[2]) >= len(rows):
            return self.file, self.text, path
        file, text, own = rows[int(match[2])]
        return file, text, f"$.{match[1]}[{own}]{match[3]}"

    def _ruleset(self, rulesets: Mapping[str, Ruleset]) -> Ruleset:
        name = self.document.ruleset
        if not name:
            raise ScenarioError(self.file, "top level", f"expected a ruleset, one of {', '.join(sorted(rulesets))}")
        if name not in rulesets:
            self.fail("$.ruleset", f"no ruleset is called {name!r}; known: {', '.join(sorted(rulesets))}")
        return rulesets[name]

    def battle(self) -> Battle:
        document = self.document
        field = self.battlefield()
        units = tuple(self.units(field))
        self.markers(field)
        players = self.players()
        clock = document.clock
        return Battle(
            ruleset=self.ruleset.id,
            battlefield=field,
            clock=Clock() if clock is None else self.clock(),
            units=units,
            players=players,
            options=self.options(),
            title=document.title,
        )

    def clock(self) -> Clock:
        table = self.document.clock
        assert table is not None
        known = {phase.name: phase for phase in self.ruleset.phases}
        if table.phase and table.phase not in known:
            self.fail("$.clock.phase", f"no phase is called {table.phase!r}; known: {', '.join(known)}")
        if table.step and not table.phase:
            self.fail("$.clock.step", "a step needs its phase")
        if table.step and table.step not in known[table.phase].steps:
            steps = ", ".join(known[table.phase].steps)
            self.fail("$.clock.step", f"no step of {table.phase} is called {table.step!r}; known: {steps}")
        last = self.ruleset.rounds
        number = table.turn if table.turn is not None else table.round
        if number > last:
            self.fail("$.clock.round", f"expected {self.ruleset.counts.lower()} 1 to {last}, got {number}")
        step = table.step
        if table.phase and not step:
            step = known[table.phase].steps[0]
        return Clock(number, table.player, table.phase, step)

    def options(self) -> tuple[tuple[str, str | bool | float], ...]:
        for name, value in self.document.options.items():
            if name not in self.ruleset.options:
                known = ", ".join(sorted(self.ruleset.options)) or "none"
                self.fail(f"$.options.{name}", f"no option is called {name!r}; known: {known}")
            choices = self.ruleset.options[name]
            if not any(value is c if isinstance(c, bool) else value == c for c in choices):
                self.fail(
                    f"$.options.{name}",
                    f"expected one of {', '.join(map(_toml, choices))}, got {_toml(value)}",
                )
        return tuple(sorted(self.document.options.items()))

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
        table = document.table
        if table is None:
            raise ScenarioError(self.file, "top level", "expected a [table] with width and depth, or a map")
        for name, value in (("width", table.width), ("depth", table.depth)):
            if not (math.isfinite(value) and 0 < value <= LARGEST_TABLE):
                self.fail(f"$.table.{name}", f"expected inches from 0 to {LARGEST_TABLE:g}, got {value:g}")
        self.unique("terrain", [t.id for t in document.terrain])
        self.unique("objective", [o.id for o in document.objective])
        return Battlefield(
            table.width,
            table.depth,
            tuple(self.terrain(i, t) for i, t in enumerate(document.terrain)),
            tuple(self.objectives(table.width, table.depth)),
            tuple(self.zone(i, z) for i, z in enumerate(document.zone)),
        )

    def unique(self, what: str, ids: Sequence[str]) -> None:
        seen: set[str] = set()
        for i, name in enumerate(ids):
            if not _is_id(name):
                self.fail(f"$.{what}[{i}].id", f"expected an id without blanks or any of {FORBIDDEN}, got {name!r}")
            if name in seen:
                self.fail(f"$.{what}[{i}].id", f"a second {what} is called {name!r}")
            seen.add(name)

    def outline(self, path: str, name: str, outline: Sequence[tuple[float, float]]) -> tuple[Any, ...]:
        try:
            check_outline(name, outline)
        except ShapeError as error:
            self.fail(path, str(error))
        return tuple((float(x), float(y)) for x, y in outline)

    def terrain(self, i: int, table: TerrainTable) -> Terrain:
        path = f"$.terrain[{i}]"
        if table.kind not in self.ruleset.terrain_kinds:
            known = ", ".join(sorted(self.ruleset.terrain_kinds))
            self.fail(f"{path}.kind", f"{self.ruleset.id} knows no terrain {table.kind!r}; known: {known}")
        if not (math.isfinite(table.height) and table.height >= 0):
            self.fail(f"{path}.height", f"expected a height of 0 or more inches, got {table.height:g}")
        floors = []
        for floor in table.floors:
            if not (math.isfinite(floor.z) and floor.z >= 0):
                self.fail(f"{path}.floors", f"expected a floor at 0 or more inches, got {floor.z:g}")
            floors.append(Floor(floor.z, self.outline(f"{path}.floors", f"{table.id} floor", floor.outline)))
        outline = self.outline(f"{path}.outline", table.id, table.outline)
        return Terrain(table.id, table.kind, outline, table.height, tuple(floors), tuple(table.traits))

    def objectives(self, width: float, depth: float) -> Iterator[Objective]:
        for i, table in enumerate(self.document.objective):
            x, y = table.at
            if not (math.isfinite(table.diameter) and table.diameter > 0):
                self.fail(f"$.objective[{i}].diameter", f"expected more than 0 mm, got {table.diameter:g}")
            if not (0 <= x <= width and 0 <= y <= depth):
                self.fail(
                    f"$.objective[{i}].at",
                    f"expected a point of the {width:g}×{depth:g} table, got {x:g}, {y:g}",
                )
            yield Objective(table.id, (float(x), float(y)), table.diameter / MM_PER_INCH / 2)

    def zone(self, i: int, table: ZoneTable) -> Zone:
        path = f"$.zone[{i}]"
        if (table.outline is None) == (table.circle is None):
            self.fail(path, "expected an outline or a circle, and not both")
        discs = [m.circle for m in table.minus]
        for disc in [*discs, *([table.circle] if table.circle else [])]:
            if not (all(map(math.isfinite, (*disc.at, disc.radius))) and disc.radius > 0):
                self.fail(
                    path, f"expected a circle with a centre and more than 0 inches, got {disc.at}, {disc.radius:g}"
                )
        name = table.id or f"{table.player} zone"
        if table.circle is not None:
            (x, y), r = table.circle.at, table.circle.radius
            turns = [2 * math.pi * k / 720 for k in range(720)]
            outline = tuple((x + r * math.cos(t), y + r * math.sin(t)) for t in turns)
        else:
            outline = self.outline(f"{path}.outline", name, table.outline or [])
        minus = tuple(Circle((float(d.at[0]), float(d.at[1])), d.radius) for d in discs)
        return Zone(name, table.player, outline, minus)

    def base(self, path: str, table: BaseTable) -> Base:
        given = [name for name in ("round", "oval", "rect", "hull") if getattr(table, name) is not None]
        if len(given) != 1:
            self.fail(path, f"expected exactly one of round, oval, rect, hull, got {', '.join(given) or 'none'}")
        for size in (table.round, *(table.oval or ()), *(table.rect or ())):
            if size is not None and not LEAST_BASE <= size <= LARGEST_BASE:
                self.fail(path, f"expected a base of {LEAST_BASE:g} to {LARGEST_BASE:g} mm, got {size:g} mm")
        if any(abs(value) > LARGEST_HULL for corner in table.hull or () for value in corner):
            self.fail(path, f"expected a hull within {LARGEST_HULL:g} inches of its model")
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
        self.unique("unit", [t.id for t in tables])
        seen: set[str] = {t.id for t in tables}
        found: dict[str, Unit] = {}
        for i, table in enumerate(tables):
            unit = self.unit(i, table)
            for model in unit.models:
                if model.id in seen:
                    self.fail(f"$.unit[{i}].models", f"a second model or unit is called {model.id!r}")
                seen.add(model.id)
                self.on_table(i, field, model)
            found[unit.id] = unit
        for i, table in enumerate(tables):
            if table.leads:
                found[table.leads] = self.joined(f"$.unit[{i}].leads", found[table.id], found.get(table.leads))
                del found[table.id]
        self.room_aboard(found)
        yield from found.values()

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
            self.fail(path, f"expected the id of another unit that leads none itself, for {leader.id}")
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
        if not within(out, 0.0):
            size = f"{field.width:g}×{field.depth:g}"
            self.fail(f"$.unit[{i}].models", f"model {model.id} is off the {size} table by {out:.2f} inches")

    def unit(self, i: int, table: UnitTable) -> Unit:
        path = f"$.unit[{i}]"
        if not table.player:
            self.fail(path, f"unit {table.id} has no player")
        profile = {self.number_of(path, name): value for name, value in table.profile.items()}
        for name, value in profile.items():
            if not (math.isfinite(value) and 0 <= value <= MOST_OF_A_PROFILE):
                self.fail(f"{path}.profile", f"expected {name} from 0 to {MOST_OF_A_PROFILE}, got {value:g}")
        if table.datasheet and self.ruleset.datasheets is not None:
            known = self.ruleset.datasheets()
            if not any(same_name(table.datasheet, name) for name in known) and meant_by(table.datasheet, known):
                guess = did_you_mean(table.datasheet, known)
                self.fail(f"{path}.datasheet", f"no datasheet is called {table.datasheet!r}{guess}")
        self.own_rolls(path, table)
        base = self.base_of(path, table)
        models = tuple(self.models(path, table, base))
        if not models:
            self.fail(f"{path}.models", f"unit {table.id} has no models")
        self.place_known(path, table.where)
        placed = any(m.pose is not None for m in models)
        if table.where == ON_TABLE and not all(m.pose is not None for m in models):
            self.fail(f"{path}.models", f"unit {table.id} is on the table: every model needs a position")
        if table.where != ON_TABLE and placed:
            self.fail(f"{path}.where", f"unit {table.id} is {table.where!r}: its models have no position")
        unit = Unit(
            id=table.id,
            player=table.player,
            models=models,
            name=table.name or table.id,
            datasheet=table.datasheet,
            formation=Loose() if table.formation is None else Ranked(table.formation.files),
            whereabouts=table.where,
            keywords=tuple(table.keywords),
            abilities=tuple(self.ability(f"{path}.abilities[{k}]", text) for k, text in enumerate(table.abilities)),
            profile=tuple(sorted(profile.items())),
            points=table.points,
            weapons=tuple(self.weapon(f"{path}.weapon", row) for row in table.weapon),
            rerolls=table.rerolls,
            modifiers=tuple(table.modifier),
            markers=(
                *(Marker(kind, until="end-of-turn") for kind in table.markers),
                *(
                    Marker("marker", marker.id, at=(float(marker.at[0]), float(marker.at[1])))
                    for marker in self.document.marker
                    if marker.unit == table.id
                ),
            ),
        )
        return unit if self.ruleset.bind is None else self.ruleset.bind(unit)

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
            self.fail(f"{path}.profile", f"a profile has no {name!r}; known: {', '.join(known)}")
        return found or name

    def own_rolls(self, path: str, table: UnitTable) -> None:
        """Fails for re-rolls, modifiers and keywords of a unit's own that the game does not know, or not so."""
        if (table.rerolls is not None or table.modifier) and not self.ruleset.own_rolls:
            key = "modifier" if table.rerolls is None else "rerolls"
            self.fail(f"{path}.{key}", f"{self.ruleset.title} has no re-rolls and modifiers that files describe")
        for k, row in enumerate(table.modifier):
            if (why := row.nonsense) is not None:
                self.fail(f"{path}.modifier[{k}].{why[0]}", why[1])
        for k, text in enumerate(table.keywords):
            meant = None if self.ruleset.keyword is None else self.ruleset.keyword(text)
            if meant is not None:
                self.fail(f"{path}.keywords[{k}]", f"no keyword is called {text!r}; did you mean {meant!r}?")

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
        ids = {unit.id for unit in self.document.unit}
        if where not in PLACES and not (kind == "embarked" and carrier in ids):
            known = ", ".join(PLACES)
            self.fail(f"{path}.where", f"expected one of {known} or embarked:UNIT, got {where!r}")

    def markers(self, field: Battlefield) -> None:
        ids = {unit.id for unit in self.document.unit}
        self.unique("marker", [m.id for m in self.document.marker])
        for i, marker in enumerate(self.document.marker):
            if marker.unit not in ids:
                self.fail(f"$.marker[{i}].unit", f"no unit is called {marker.unit!r}")
            if not (0 <= marker.at[0] <= field.width and 0 <= marker.at[1] <= field.depth):
                self.fail(f"$.marker[{i}].at", f"expected a point of the table, got {marker.at}")

    def models(self, path: str, table: UnitTable, base: Base | None) -> Iterator[Model]:
        if table.formation is not None:
            yield from self.ranked(path, table, base)
            return
        if isinstance(table.models, int):
            if not 0 < table.models <= MOST_MODELS:
                self.fail(f"{path}.models", f"expected 1 to {MOST_MODELS} models, got {table.models}")
            rows: list[ModelTable | list[float]] = [ModelTable()] * table.models
        else:
            rows = table.models
        for k, row in enumerate(rows, 1):
            yield self.model(f"{path}.models[{k - 1}]", table, k, row, base)

    def model(self, path: str, unit: UnitTable, k: int, row: ModelTable | list[float], base: Base | None) -> Model:
        if isinstance(row, list):
            if len(row) not in (2, 3):
                self.fail(path, f"expected [x, y] or [x, y, facing], got {row}")
            row = ModelTable(at=(row[0], row[1]), facing=row[2] if len(row) == 3 else 0.0)
        own = self.base(path, row.base) if row.base is not None else base
        if own is None:
            unknown = f", and no datasheet is called {unit.datasheet!r}" if unit.datasheet else ""
            self.fail(path, f"unit {unit.id} has no base, and neither has this model{unknown}")
        pose = None
        if row.at is not None:
            try:
                pose = Pose(float(row.at[0]), float(row.at[1]), float(row.facing), float(row.z))
            except ShapeError as error:
                self.fail(path, str(error))
        name = row.id or f"{unit.id}-{k}"
        if not _is_id(name):
            self.fail(path, f"expected a model id without blanks or any of {FORBIDDEN}, got {name!r}")
        return Model(name, unit.id, own, pose, row.wounds, tuple(row.loadout), row.name)

    def ranked(self, path: str, table: UnitTable, base: Base | None) -> Iterator[Model]:
        formation = table.formation
        assert formation is not None
        if not isinstance(base, Rect):
            self.fail(f"{path}.base", "expected rectangular bases for a unit in ranks")
        if formation.files < 1 or not 0 < formation.models <= MOST_MODELS:
            self.fail(f"{path}.formation", f"expected at least one file, and 1 to {MOST_MODELS} models")
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


FORBIDDEN = '| : , "'


def _is_id(name: str) -> bool:
    return bool(name) and not any(c.isspace() or not c.isprintable() or c in FORBIDDEN for c in name)


def build_case(
    file: str,
    document: Document,
    rulesets: Mapping[str, Ruleset],
    text: str = "",
    origins: Origins | None = None,
) -> Case:
    """The battle and questions of a document; raises ``ScenarioError`` with the line of what is wrong."""
    builder = _Builder(file, document, rulesets, text, origins or {})
    battle = builder.battle()
    command = None
    if document.command is not None:
        try:
            command = build_command(builder.ruleset, battle, document.command)
        except (ValueError, TypeError, OverflowError) as error:
            builder.fail("$.command", str(error))
        acts = document.command.get("unit")
        if isinstance(acts, str) and not battle.has_unit(acts):
            everyone = [unit.id for unit in battle.units]
            builder.fail("$.command.unit", f"no unit is called {acts!r}{did_you_mean(acts, everyone)}")
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


def build_command(ruleset: Ruleset, battle: Battle, raw: Mapping[str, Any]) -> Command:
    """A command from a table: poses and waypoints as people write them; raises ``ValueError`` saying what is wrong."""
    fields = dict(raw)
    name = fields.get("type")
    try:
        kind = ruleset.play(str(name)).command
    except KeyError:
        known = ", ".join(sorted(p.name for p in ruleset.plays))
        raise ValueError(f"{ruleset.id} has no command {name!r}; known: {known}") from None
    if isinstance(fields.get("models"), list):
        fields["models"] = [_pose(row) for row in fields["models"]]
    if isinstance(fields.get("paths"), list):
        fields["paths"] = _paths(battle, str(fields.get("unit", "")), fields["paths"])
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from None


def _pose(row: Any) -> dict[str, float]:
    if isinstance(row, dict) and "at" in row:
        table = msgspec.convert(row, ModelTable)
        if table.at is None:
            raise ValueError(f"expected a table with at, got {row!r}")
        return {"x": table.at[0], "y": table.at[1], "facing": table.facing, "z": table.z}
    if _is_point(row):
        return dict(zip(("x", "y", "facing"), map(float, row), strict=False))
    raise ValueError(f"expected [x, y], [x, y, facing] or a table with at, got {row!r}")


def _is_point(row: Any) -> bool:
    numbers = (int, float)
    return (
        isinstance(row, list)
        and len(row) in (2, 3)
        and all(isinstance(v, numbers) and not isinstance(v, bool) for v in row)
    )


def _waypoint(given: Any) -> list[float]:
    """A waypoint as numbers; raises ``ValueError`` for what is none."""
    numbers = (int, float)
    if not (
        isinstance(given, list)
        and len(given) in (2, 3, 4)
        and all(isinstance(v, numbers) and not isinstance(v, bool) for v in given)
    ):
        raise ValueError(f"expected [x, y], [x, y, facing] or [x, y, facing, z], got {given!r}")
    return [float(v) for v in given]


def _paths(battle: Battle, unit_id: str, rows: list[Any]) -> list[Any]:
    unit = battle.unit(unit_id)
    if len(rows) != len(unit.models):
        raise ValueError(f"expected {len(unit.models)} paths for unit {unit_id}, got {len(rows)}")
    paths = []
    for model, row in zip(unit.models, rows, strict=True):
        if model.pose is None:
            raise ValueError(f"model {model.id} is not on the table and cannot follow a path")
        if not isinstance(row, list):
            raise ValueError(f"expected a list of waypoints, got {row!r}")
        path = Path.through(model.pose, [_waypoint(waypoint) for waypoint in row])
        paths.append(msgspec.to_builtins(path))
    return paths


def _toml(value: str | bool | float) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
