"""Does the table of a game's rules speak of modules, tests and options that are there?"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from sim.rules import RuleRow, Ruleset
from tests.conformance.kit import GAMES, ROOT, subject

PLAYING = {"play", "played"}  # ``Game.play``, and what stages a battle and plays its commands
NO_RULE = "house"  # the source of what the program does besides the rules


def home(ruleset: Ruleset) -> Path:
    """The folder of a game."""
    file = sys.modules[ruleset.available.__module__].__file__
    assert file is not None
    return Path(file).parent


def module_exists(ruleset: Ruleset, name: str) -> bool:
    candidates = [name, f"{name}.py", name.replace(".", "/") + ".py"]
    return any((folder / c).is_file() for folder in (home(ruleset), ROOT) for c in candidates)


def has_tests(name: str) -> bool:
    """Whether a name is a test file, a folder with tests or cases, a glob that finds some, or one test in a file."""
    path, _, test = name.partition("::")
    for folder in (ROOT, ROOT / "tests"):
        target = folder / path
        if test and target.is_file():
            return re.search(rf"def {re.escape(test.partition('[')[0])}\b", target.read_text("utf-8")) is not None
        if target.is_file():
            return target.suffix == ".toml" or target.name.startswith("test_")
        if target.is_dir():
            return any(target.rglob("test_*.py")) or any(target.rglob("*.toml"))
        if any(c in path for c in "*?[") and any(folder.glob(path)):
            return True
    return False


def faults(ruleset: Ruleset, row: RuleRow) -> list[str]:
    found = []
    here = row.module.strip(" –-") != ""
    if row.status == "absent":
        return ["absent, but names a module"] if here and not module_exists(ruleset, row.module) else []
    if not here or not module_exists(ruleset, row.module):
        found.append(f"no module {row.module!r}")
    if not row.tests:
        found.append("no test")
    found += [f"no test {name!r}" for name in row.tests if not has_tests(name)]
    found += [f"no option {name!r}" for name in row.options if name not in ruleset.options]
    if not row.source.strip(" –-"):
        found.append("no source")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_rows_name_what_is_there(game: str) -> None:
    ruleset = subject(game).ruleset
    rows = ruleset.rows()
    assert len(rows) >= 3
    assert len({row.rule for row in rows}) == len(rows)
    assert [f"{row.rule}: {fault}" for row in rows for fault in faults(ruleset, row)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game_stands_in_a_row(game: str) -> None:
    ruleset = subject(game).ruleset
    told = {option for row in ruleset.rows() for option in row.options}
    assert told == set(ruleset.options)


def test_a_row_about_nothing_is_found() -> None:
    ruleset = subject("toy").ruleset
    row = RuleRow("Flying", "implemented", "invented", "flying.py", ("tests/toy/test_flying.py",), ("wings",))
    assert faults(ruleset, row) == [
        "no module 'flying.py'",
        "no test 'tests/toy/test_flying.py'",
        "no option 'wings'",
    ]
    assert faults(ruleset, RuleRow("Flying", "partial", "", "placing.py", (), ())) == ["no test", "no source"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_complete(game: str) -> None:
    ruleset = subject(game).ruleset
    for word in (ruleset.id, ruleset.title, ruleset.edition, ruleset.version):
        assert word.strip()
    assert ruleset.rounds >= 1
    names = [phase.name for phase in ruleset.phases]
    assert len(set(names)) == len(names)
    assert any(not phase.setup for phase in ruleset.phases)
    for phase in ruleset.phases:
        assert phase.steps
        assert phase.title.strip()
    for name, values in ruleset.options.items():
        assert name
        assert len(values) >= 2, "an option is a choice between at least two values, the default first"


def files_of(name: str) -> list[Path]:
    """The test files that a row's word about its tests names."""
    path = name.partition("::")[0]
    for folder in (ROOT, ROOT / "tests"):
        target = folder / path
        if target.is_file():
            return [target]
        if target.is_dir():
            return [*target.rglob("test_*.py"), *target.rglob("*.toml")]
        if any(c in path for c in "*?[") and (found := sorted(folder.glob(path))):
            return found
    return []


@cache
def is_played(file: Path) -> bool:
    """Whether a case has a command, which the suite plays, or a test file does what ``Game`` plays."""
    text = file.read_text("utf-8")
    if file.suffix == ".toml":
        return "command" in tomllib.loads(text)
    calls = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    return bool(names & PLAYING)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_implemented_is_played_by_a_test(game: str) -> None:
    rows = [r for r in subject(game).ruleset.rows() if r.status == "implemented" and r.source != NO_RULE]
    helped = [row.rule for row in rows if not any(is_played(file) for name in row.tests for file in files_of(name))]
    assert helped == [], "implemented, but its tests ask helpers only"
