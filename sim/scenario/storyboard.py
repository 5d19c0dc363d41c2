"""A storyboard: a scenario and the shots of a film of it, as TOML.

A ``[[shot]]`` shows the table for some seconds; with ``command``, ``unit`` and ``path`` it holds the unit over the
table along the path, judged at every picture, and with ``drop = true`` sets it down at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from sim.battle import did_you_mean
from sim.geometry.shapes import FARTHEST_CHOICE
from sim.reading import Steps, parse_toml, placed, quoted, read_text
from sim.rules import Ruleset
from sim.scenario.build import Case
from sim.scenario.errors import ScenarioError
from sim.scenario.files import find_file, load_case, parse_as

MOST_SECONDS = 600  # of a shot


class Shot(Struct, frozen=True, forbid_unknown_fields=True):
    """One shot: how long, which unit is held along which way by which command, and words for the caption."""

    seconds: float = 1.0
    command: str = ""
    unit: str = ""
    path: list[tuple[float, float]] = []
    facing: float | None = None
    drop: bool = False
    caption: str = ""


class _Board(Struct, frozen=True, forbid_unknown_fields=True):
    scenario: str
    title: str = ""
    shot: list[Shot] = []


class Storyboard(Struct, frozen=True):
    """A case and its shots."""

    file: str
    title: str
    case: Case
    shots: tuple[Shot, ...]


def read_storyboard(path: Path | str, rulesets: Mapping[str, Ruleset]) -> Storyboard:
    """The storyboard in a file; raises ``ScenarioError``."""
    name, file = str(path), Path(path)
    text = read_text(file, error=ScenarioError)
    if "shot" not in parse_toml(name, text, ScenarioError):
        what = "expected a record (.jsonl), or a storyboard with [[shot]]; render draws a scenario"
        raise ScenarioError(name, "top level", what)
    board = parse_as(name, text, _Board)
    if not board.shot:
        raise ScenarioError(name, "shot", "expected at least one [[shot]]")
    try:
        scenario = find_file(board.scenario, beside=file)
    except (OSError, ValueError):
        fault = placed(name, text, ("scenario",), f"no file called {quoted(board.scenario)}")
        raise ScenarioError.of([fault]) from None
    case = load_case(scenario, rulesets)
    faults = [
        placed(name, text, ("shot", number, *where), what)
        for number, shot in enumerate(board.shot)
        for where, what in _wrong(shot, case)
    ]
    if faults:
        raise ScenarioError.of(faults)
    return Storyboard(name, board.title or case.title, case, tuple(board.shot))


def _wrong(shot: Shot, case: Case) -> Iterator[tuple[Steps, str]]:
    """What is wrong with a shot: where in it, and what was expected."""
    if not 0 < shot.seconds <= MOST_SECONDS:
        yield ("seconds",), f"expected seconds from 0 to {MOST_SECONDS}, got {shot.seconds:g}"
    if bool(shot.command) != bool(shot.path) or bool(shot.command) != bool(shot.unit):
        yield (), "a shot that holds a unit needs command, unit and path"
    for number, point in enumerate(shot.path):
        if not all(abs(value) <= FARTHEST_CHOICE for value in point):
            yield ("path", number), f"expected [x, y] in inches, got {quoted(list(point))}"
    if shot.facing is not None and not abs(shot.facing) <= FARTHEST_CHOICE:
        yield ("facing",), f"expected degrees, got {shot.facing:g}"
    names = sorted(play.name for play in case.ruleset.plays)
    if shot.command and shot.command not in names:
        guess = did_you_mean(shot.command, names)
        yield ("command",), f"no command is called {quoted(shot.command)}{guess}; known: {', '.join(names)}"
    if shot.unit and not case.battle.has_unit(shot.unit):
        guess = did_you_mean(shot.unit, [unit.id for unit in case.battle.units])
        yield ("unit",), f"no unit is called {quoted(shot.unit)}{guess}"
