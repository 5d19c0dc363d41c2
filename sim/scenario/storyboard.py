"""A storyboard: a scenario and the shots of a film of it, as TOML.

A ``[[shot]]`` shows the table for some seconds; with ``command``, ``unit`` and ``path`` it holds the unit over the
table along the path, judged at every picture, and with ``drop = true`` sets it down at the end.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from sim.rules import Ruleset
from sim.scenario.build import Case
from sim.scenario.errors import ScenarioError
from sim.scenario.files import find_file, load_case, located, read_text


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
    file = Path(path)
    text = read_text(file)
    try:
        raw = tomllib.loads(text)
        if "shot" not in raw:
            what = "expected a record (.jsonl), or a storyboard with [[shot]]; render draws a scenario"
            raise ScenarioError(str(path), "top level", what)
        board = msgspec.convert(raw, _Board)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(str(path), "TOML", str(error)) from None
    except msgspec.ValidationError as error:
        raise located(str(path), text, str(error)) from None
    if not board.shot:
        raise ScenarioError(str(path), "shot", "expected at least one [[shot]]")
    try:
        scenario = find_file(board.scenario, beside=file)
    except FileNotFoundError:
        raise ScenarioError(str(path), "scenario", f"no file called {board.scenario!r}") from None
    case = load_case(scenario, rulesets)
    for number, shot in enumerate(board.shot, 1):
        _check(str(path), number, shot, case)
    return Storyboard(str(path), board.title or case.title, case, tuple(board.shot))


def _check(file: str, number: int, shot: Shot, case: Case) -> None:
    where = f"shot {number}"
    if not 0 < shot.seconds <= 600:
        raise ScenarioError(file, where, f"expected seconds from 0 to 600, got {shot.seconds:g}")
    if bool(shot.command) != bool(shot.path) or bool(shot.command) != bool(shot.unit):
        raise ScenarioError(file, where, "a shot that holds a unit needs command, unit and path")
    if not shot.command:
        return
    try:
        case.ruleset.play(shot.command)
    except KeyError:
        known = ", ".join(sorted(play.name for play in case.ruleset.plays))
        raise ScenarioError(file, where, f"no command {shot.command!r}; known: {known}") from None
    if not case.battle.has_unit(shot.unit):
        raise ScenarioError(file, where, f"no unit is called {shot.unit!r}")
