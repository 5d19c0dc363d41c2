"""What every test here needs: the games, battles to begin with, commands of any kind, and a recorded playthrough."""

from __future__ import annotations

import math
import tomllib
import types
import typing
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from hypothesis import strategies as st
from msgspec import UNSET, Raw, Struct, UnsetType

from sim.app.games import rulesets
from sim.battle import Battle, Unit, encode
from sim.chance import SeededDice
from sim.engine import Entry, Game, judge
from sim.geometry import Path, Placed, PlacedSet, Pose, Rules, Sweep
from sim.geometry.shapes import FARTHEST_CHOICE
from sim.players import RandomPlayer
from sim.record import LoggedEntry, Record
from sim.record.log import SNAPSHOT_EVERY, header_of
from sim.resources import data_root
from sim.rules import Command, EndStep, Ruleset
from sim.rules.sequence import OVER
from sim.scenario import load_case
from tests import toy

MOST_ENTRIES = 120  # of one playthrough
ROOT = FilePath(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Subject:
    """A game under test, with battles to begin with."""

    ruleset: Ruleset
    starts: tuple[Battle, ...]


@cache
def subject(game: str) -> Subject:
    """The game with every scenario that ships for it."""
    if game == "toy":
        return Subject(toy.RULESET, (toy.skirmish(), toy.waiting()))
    files = sorted((data_root() / "assets" / "scenarios").glob("*.toml"))
    mine = [file for file in files if tomllib.loads(file.read_text("utf-8")).get("ruleset") == game]
    starts = tuple(load_case(file, rulesets()).battle for file in mine)
    assert starts, f"no scenario under assets/scenarios is of {game}"
    return Subject(rulesets()[game], starts)


GAMES = ("toy", *sorted(rulesets()))


# --- playing


@dataclass(frozen=True)
class Playthrough:
    """One battle played at random, with the battle before and after every entry."""

    ruleset: Ruleset
    battles: tuple[Battle, ...]
    entries: tuple[Entry, ...]

    @property
    def record(self) -> Record:
        """The playthrough as a file would hold it."""
        logged = tuple(
            LoggedEntry(e.number, Raw(encode(e.command)), e.faces, e.choices, e.events, e.digest) for e in self.entries
        )
        due = range(SNAPSHOT_EVERY, len(logged) + 1, SNAPSHOT_EVERY)
        start = self.battles[0]
        header = header_of(self.ruleset.id, self.ruleset.version, start)
        return Record(header, logged, {k: self.battles[k] for k in due})


@cache
def playthrough(game: str, start: int = 0, seed: int = 7) -> Playthrough:
    """What a player who does any legal thing made of a battle."""
    about = subject(game)
    begun = Game(about.ruleset, about.starts[start])
    player, dice = RandomPlayer(seed), SeededDice(seed)
    battles = [begun.battle]
    while len(battles) <= MOST_ENTRIES:
        command = player.next(about.ruleset, begun.battle)
        if command is None:
            break
        begun.play(command, dice, player)
        battles.append(begun.battle)
    return Playthrough(about.ruleset, tuple(battles), begun.entries)


def playthroughs(game: str) -> tuple[Playthrough, ...]:
    """One playthrough from every start."""
    return tuple(playthrough(game, k) for k in range(len(subject(game).starts)))


def clocks_to_the_end(ruleset: Ruleset, battle: Battle) -> list[Battle]:
    """The battles that come of ending step after step until that is no longer legal, as long as they are fought.

    Of a step that is not over when it is first ended, the last battle.
    """
    game = Game(ruleset, battle)
    found = [battle]
    most = (ruleset.rounds * len(battle.players) + 1) * sum(len(p.steps) for p in ruleset.phases)
    while judge(ruleset, game.battle, EndStep()).legal:
        game.play(EndStep(), SeededDice(0))
        if game.battle.clock == found[-1].clock:
            assert game.battle != found[-1], "ending the step did nothing"
            found.pop()
        found.append(game.battle)
        assert len(found) <= most + 1, "the clock never comes to an end"
    return found[:-1] if found[-1].clock.phase == OVER else found


# --- commands of any kind, from the types of their fields


def commands(ruleset: Ruleset, battle: Battle) -> st.SearchStrategy[Command]:
    """Commands of every kind: well typed, mostly nonsense, often nearly right."""
    return st.one_of([_built(play.command, battle) for play in ruleset.plays])


def well_formed(ruleset: Ruleset, battle: Battle) -> st.SearchStrategy[Command]:
    """Commands with a geometry that are offered now, with one pose or path a model, somewhere about the table."""
    spots = {"models", "paths", "at"}
    plays = {offer.command: ruleset.play(offer.command) for offer in ruleset.available(battle)}
    usable = {
        name for name, play in plays.items() if play.rules is not None and spots & set(play.command.__struct_fields__)
    }
    offers = [o for o in ruleset.available(battle) if o.command in usable]
    if not offers:
        return st.nothing()
    return st.sampled_from(offers).flatmap(
        lambda offer: _placing(ruleset.play(offer.command).command, battle, battle.unit(offer.unit))
    )


def _placing(kind: type[Command], battle: Battle, unit: Unit) -> st.SearchStrategy[Command]:
    field = battle.battlefield
    x, y = st.floats(-2.0, field.width + 2.0), st.floats(-2.0, field.depth + 2.0)
    spread = st.floats(-3.0, 3.0)
    fields: dict[str, st.SearchStrategy[Any]] = {"unit": st.just(unit.id)}
    if "models" in kind.__struct_fields__:
        offsets = st.tuples(*[st.tuples(spread, spread, st.floats(-360, 360)) for _ in unit.models])
        fields["models"] = st.builds(_poses, x, y, offsets)
    if "paths" in kind.__struct_fields__:
        standing = [m.pose for m in unit.models if m.pose is not None]
        fields["paths"] = st.one_of(st.tuples(*map(_path, standing)), _as_one(battle, unit), _as_one(battle, unit))
    for name, hint in typing.get_type_hints(kind).items():
        if name in kind.__struct_fields__ and name not in fields:
            fields[name] = _typed(hint, battle)
    return st.builds(kind, **fields)


def _poses(x: float, y: float, offsets: tuple[tuple[float, float, float], ...]) -> tuple[Pose, ...]:
    return tuple(Pose(x + dx, y + dy, facing) for dx, dy, facing in offsets)


def _as_one(battle: Battle, unit: Unit) -> st.SearchStrategy[tuple[Path, ...]]:
    """A path a model, all by the same step: some of the way to a model of another unit."""
    starts = [m.pose for m in unit.models if m.pose is not None]
    others = [m.pose for m in battle.models() if m.pose is not None and m.unit != unit.id]
    if not starts:
        return st.just(())

    def walk(way: tuple[Pose, float]) -> tuple[Path, ...]:
        dx, dy = (way[1] * (there - here) for here, there in zip(starts[0].at, way[0].at, strict=True))
        return tuple(Path.through(p, [[p.x + dx, p.y + dy]]) for p in starts)

    near = sorted(others or starts, key=lambda pose: math.dist(pose.at, starts[0].at))[:12]
    return st.tuples(st.sampled_from(near), st.floats(0.3, 1.0)).map(walk)


def _path(pose: Pose) -> st.SearchStrategy[Path]:
    step = st.floats(-9.0, 9.0) | st.floats(-2.0, 2.0)
    straight = st.tuples(step, step).map(lambda d: [pose.x + d[0], pose.y + d[1]])
    turning = st.tuples(step, step, st.floats(-180, 180)).map(
        lambda d: [pose.x + d[0], pose.y + d[1], pose.facing + d[2]]
    )
    return st.lists(straight | turning, max_size=2).map(lambda stops: Path.through(pose, stops))


def _built(kind: type[Command], battle: Battle) -> st.SearchStrategy[Command]:
    hints = typing.get_type_hints(kind)
    return st.builds(kind, **{name: _typed(hints[name], battle) for name in kind.__struct_fields__})


def _typed(hint: Any, battle: Battle) -> st.SearchStrategy[Any]:
    """Values of a type, such as a command may hold."""
    arguments = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if hint is str:
        return st.sampled_from(_ids(battle)) | st.text(max_size=4)
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(-3, 20)
    if hint is float:
        return st.floats(-FARTHEST_CHOICE, FARTHEST_CHOICE)
    if hint is type(None):
        return st.none()
    if hint is UnsetType:
        return st.just(UNSET)
    if hint is Pose:
        return _any_pose(battle)
    if hint is Path:
        starts = [m.pose for m in battle.models() if m.pose is not None]
        return (st.sampled_from(starts) | _any_pose(battle) if starts else _any_pose(battle)).flatmap(_path)
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([_typed(argument, battle) for argument in arguments])
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(_typed(arguments[0], battle), max_size=6).map(tuple)
    if origin is tuple:
        return st.tuples(*[_typed(argument, battle) for argument in arguments])
    if isinstance(hint, type) and issubclass(hint, Struct):
        inner = typing.get_type_hints(hint)
        return st.builds(hint, **{name: _typed(inner[name], battle) for name in hint.__struct_fields__})
    raise TypeError(f"the kit knows no way to make a {hint!r}; teach it one")


def _any_pose(battle: Battle) -> st.SearchStrategy[Pose]:
    field = battle.battlefield
    near = st.builds(Pose, st.floats(-5, field.width + 5), st.floats(-5, field.depth + 5))
    tall = st.builds(Pose, st.floats(0, field.width), st.floats(0, field.depth), st.floats(-720, 720), st.floats(-1, 9))
    far = st.floats(-9e5, 9e5)
    return near | tall | st.builds(Pose, far, far, far, far)


def _ids(battle: Battle) -> list[str]:
    models = [model.id for model in battle.models()][:5]
    return ["", "nobody", *[unit.id for unit in battle.units], *models, *battle.players]


# --- what the constraints of a command say


def breach_codes(ruleset: Ruleset, battle: Battle, command: Any) -> tuple[set[str], set[str]]:
    """The codes that the constraints of a command can name, and those that they name now."""
    rules_of = ruleset.play(command).rules
    assert rules_of is not None
    rules: Rules = rules_of(battle, command)
    unit = battle.unit(command.unit)
    play = ruleset.play(command)
    paths = getattr(command, "paths", None)
    if play.figure is not None and paths is None and not hasattr(command, "models"):
        base, facing = play.figure(battle, command)
        members = PlacedSet.of([Placed(base, Pose(*command.at, facing))])
    else:
        poses = command.models if paths is None else tuple(path.end for path in paths)
        members = PlacedSet.of(Placed(m.base, p) for m, p in zip(unit.models, poses, strict=True))
    sweeps = [Sweep(m.base, path) for m, path in zip(unit.models, paths or (), strict=False)]
    known = {constraint.code for constraint in (*rules.standing, *rules.moving)}
    return known, {breach.code for breach in rules.breaches(members, sweeps)}
