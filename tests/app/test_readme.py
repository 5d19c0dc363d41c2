"""Does everything that the README prints work as it stands there, in the order in which a person meets it?"""

from __future__ import annotations

import itertools
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import sim.players
from sim.app.cli import cli
from sim.app.common import load
from sim.resources import data_path
from tests.conformance.kit import ROOT

README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^    (inchwise .+?)(?:\s{2,}#.*)?$", README, re.MULTILINE)
WINDOWS = ("play", "replay")  # what opens a window is looked at by opening its file
FEW = 3  # entries of a battle that is simulated


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the README shows, and some that stand for what a person would have."""
    case, volley = re.findall(r"```toml\n(title.*?)```", README, re.DOTALL)
    (tmp_path / "case.toml").write_text(case, "utf-8")
    (tmp_path / "volley.toml").write_text(volley, "utf-8")
    shown = README[README.index("    Xenos") :].split("\n\nEvery line")[0]
    army = "\n".join(line[4:] for line in shown.splitlines())
    for name in ("list.txt", "other.txt"):
        (tmp_path / name).write_text(army, "utf-8")
    shutil.copy(data_path("assets/records/demo.jsonl"), tmp_path / "battle.jsonl")
    (tmp_path / "tests" / "cases").mkdir(parents=True)
    shutil.copy(tmp_path / "volley.toml", tmp_path / "tests" / "cases")
    shutil.copy(tmp_path / "case.toml", tmp_path / "tests" / "cases")
    play_out = sim.players.play_out

    def begun(*arguments: Any) -> Iterator[Any]:
        return itertools.islice(play_out(*arguments), FEW)

    monkeypatch.setattr(sim.players, "play_out", begun)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_readme_prints_commands() -> None:
    assert len(COMMANDS) > 20
    assert {command.split()[1] for command in COMMANDS} >= {"check", "do", "where", "odds", "import", "simulate", "new"}


def test_every_command_runs_as_printed(home: Path) -> None:
    for command in COMMANDS:
        _, verb, *rest = shlex.split(command.replace("1920x1080", "320x180"))
        if verb in WINDOWS:
            assert load(rest[0]).battle.units, command
            continue
        done = CliRunner().invoke(cli, [verb, *rest], standalone_mode=False)
        assert done.exception is None, f"{command}: {done.exception!r}"
        assert done.return_value in (0, None), f"{command}: {done.output}"
        for name in re.findall(r"-o (\S+)", command):
            assert (home / name).stat().st_size > 100, command


def test_the_cases_that_it_shows_answer_to_every_verb(home: Path) -> None:
    for file, verbs in (
        ("case.toml", ("check", "ask", "cases", "where", "do")),
        ("volley.toml", ("check", "ask", "odds")),
    ):
        for verb in verbs:
            assert CliRunner().invoke(cli, [verb, file], standalone_mode=False).return_value == 0, (verb, file)


def test_the_unit_tables_that_it_shows_are_read(home: Path) -> None:
    shown = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tables,) = [text for text in shown if text.startswith("[[unit.weapon]]")]
    first, second = (home / "volley.toml").read_text("utf-8").split('[[unit]]\nid        = "boyz"')
    (home / "own.toml").write_text(f'{first}{tables}\n[[unit]]\nid        = "boyz"{second}', "utf-8")
    unit = load("own.toml").battle.unit("team")
    assert [weapon.name for weapon in unit.weapons] == ["scatter gun"]
