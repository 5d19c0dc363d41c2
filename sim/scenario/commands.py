"""From the ``[command]`` table of a file to a command: poses and waypoints as people write them, and names that exist.

A name that nobody bears is a slip of the pen and no illegal command; it is refused with what was probably meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from sim.battle import Battle, did_you_mean, same_name
from sim.geometry import Path, Pose
from sim.reading import Steps, quoted
from sim.rules import Command, Ruleset
from sim.scenario.schema import PoseTable
from sim.scenario.shape import GONE, Shape


class CommandFault(ValueError):
    """What is wrong with a table that should be a command: places in the table, and what was expected there."""

    def __init__(self, faults: tuple[tuple[Steps, str], ...]) -> None:
        super().__init__("; ".join(what for _, what in faults))
        self.faults = faults


def build_command(
    ruleset: Ruleset, battle: Battle, raw: Mapping[str, Any], also: frozenset[str] = frozenset()
) -> Command:
    """A command from a table; raises ``CommandFault`` with everything that is wrong.

    ``also`` are names that something bears though it is not in the battle.
    """
    name = raw.get("type")
    try:
        kind = ruleset.play(str(name)).command
    except KeyError:
        names = sorted(play.name for play in ruleset.plays)
        guess = did_you_mean(str(name), names) if name is not None else ""
        what = (
            f"{ruleset.id} has no command {quoted(name)}" if name is not None else "expected the key 'type', a command"
        )
        raise CommandFault(((("type",), f"{what}{guess}; known: {', '.join(names)}"),)) from None
    names_of = _Names(ruleset, battle, also)
    shape = Shape({Pose: _pose, Path: _Ways(battle, raw.get("unit"))}, names_of)
    found = shape.table(dict(raw), kind)
    faults = [*shape.faults, *_miscounted(battle, raw)]
    if not faults and shape.spoiled:  # only ways are left out without a word, where nobody is there to go them
        faults.append((("unit",), f"no unit is called {quoted(raw.get('unit'))}"))
    if not faults and found is not GONE:
        try:
            return msgspec.convert(found, kind)
        except msgspec.ValidationError as error:
            faults.append(((), str(error)))
    raise CommandFault(tuple(faults))


@dataclass(frozen=True)
class _Names:
    """Whether anything bears a name of a kind that a command uses."""

    ruleset: Ruleset
    battle: Battle
    also: frozenset[str]

    def __call__(self, kind: str, name: str) -> str | None:
        if name in self.also:
            return None
        if kind == "subjects":  # several, with blanks between them
            wrong = (self._wrong("unit, model or objective marker", self._subjects(), each) for each in name.split())
            return next(filter(None, wrong), None)
        if kind == "unit":
            return self._wrong(kind, (unit.id for unit in self.battle.units), name)
        if kind == "model":
            return self._wrong(kind, (model.id for model in self.battle.models()), name)
        known = self.ruleset.names.get(kind)
        if known is None:
            return None
        names = tuple(known(self.battle))
        return None if any(same_name(name, each) for each in names) else self._wrong(kind, names, name)

    def _subjects(self) -> Iterable[str]:
        yield from (unit.id for unit in self.battle.units)
        yield from (model.id for model in self.battle.models())
        yield from (each.id for each in self.battle.battlefield.objectives)

    def _wrong(self, kind: str, known: Iterable[str], name: str) -> str | None:
        names = tuple(known)
        if name in names:
            return None
        return f"no {kind} is called {quoted(name)}{did_you_mean(name, names) or _one_of(names)}"


def _one_of(names: tuple[str, ...]) -> str:
    few = list(dict.fromkeys(names))
    return f"; known: {', '.join(few)}" if 0 < len(few) <= 12 else ""


def _miscounted(battle: Battle, raw: Mapping[str, Any]) -> Iterable[tuple[Steps, str]]:
    """One path a model, for a unit that is there."""
    unit_id, rows = raw.get("unit"), raw.get("paths")
    if isinstance(unit_id, str) and battle.has_unit(unit_id) and isinstance(rows, list):
        count = len(battle.unit(unit_id).models)
        if len(rows) != count:
            yield ("paths",), f"expected {count} paths for unit {unit_id}, got {len(rows)}"


@dataclass(frozen=True)
class _Ways:
    """Reads the path of a model: waypoints from where it stands."""

    battle: Battle
    unit: Any

    def __call__(self, row: Any, steps: Steps) -> Any:
        if not isinstance(row, list):
            raise ValueError(f"expected a list of waypoints, got {quoted(row)}")
        points = [_waypoint(each) for each in row]
        number = steps[-1]
        if not isinstance(self.unit, str) or not self.battle.has_unit(self.unit) or not isinstance(number, int):
            return GONE  # told where the unit is named
        models = self.battle.unit(self.unit).models
        if number >= len(models):
            return GONE  # told of the number of paths
        model = models[number]
        if model.pose is None:
            raise ValueError(f"model {model.id} is not on the table and cannot follow a path")
        return msgspec.to_builtins(Path.through(model.pose, points))


def _pose(row: Any, steps: Steps) -> Any:
    if isinstance(row, dict) and "at" in row:
        shape = Shape()
        left = shape.table(row, PoseTable, steps)
        if shape.faults:
            raise ValueError("; ".join(what for _, what in shape.faults))
        table = msgspec.convert(left, PoseTable)
        pose = Pose(float(table.at[0]), float(table.at[1]), float(table.facing), float(table.z))
    elif _is_point(row, (2, 3)):
        pose = Pose(*map(float, row))
    else:
        raise ValueError(f"expected [x, y], [x, y, facing] or a table with at, got {quoted(row)}")
    return msgspec.to_builtins(pose)


def _waypoint(row: Any) -> list[float]:
    if not _is_point(row, (2, 3, 4)):
        raise ValueError(f"expected [x, y], [x, y, facing] or [x, y, facing, z], got {quoted(row)}")
    return [float(value) for value in row]


def _is_point(row: Any, lengths: tuple[int, ...]) -> bool:
    return (
        isinstance(row, list)
        and len(row) in lengths
        and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in row)
    )
