"""Files to begin with, and moments of a record as cases: does what is printed work as it stands?"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sim.app.cli import cli
from sim.app.common import load
from sim.app.games import rulesets
from sim.chance import SeededDice
from sim.engine import Game, judge
from sim.record import record_of, write_record
from sim.resources import data_path
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from sim.scenario import load_case
from sim.scenario.storyboard import read_storyboard
from tests.rulesets.wh40k10.stage import SHOOTING, battle, squad

EVERY = [(game.id, play.name) for game in rulesets().values() for play in game.plays]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, standalone_mode=False)


@pytest.mark.parametrize(("game", "command"), EVERY)
def test_a_case_of_every_command_of_every_game_is_legal_and_can_be_done(
    game: str, command: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    assert run("new", command, "--game", game, "-o", str(file)).return_value == 0
    case = load_case(file, rulesets())
    assert case.command is not None
    assert (case.ruleset.id, case.ruleset.play(case.command).name) == (game, command)
    assert judge(case.ruleset, case.battle, case.command).violations == ()
    assert Game(case.ruleset, case.battle).play(case.command, SeededDice(1)).events


@pytest.mark.parametrize("kind", ["map", "scenario", "roster"])
def test_a_table_to_begin_with_opens_and_is_drawn(kind: str, tmp_path: Path) -> None:
    file, picture = tmp_path / "mine.toml", tmp_path / "mine.png"
    assert run("new", kind, "-o", str(file)).return_value == 0
    assert load(str(file)).battle.battlefield.width == 60
    assert run("render", str(file), "-o", str(picture), "--size", "320x240").return_value == 0
    assert picture.stat().st_size > 1000


def test_a_storyboard_to_begin_with_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(run("new", "storyboard").stdout, "utf-8")
    assert len(read_storyboard(file, rulesets()).shots) == 2


def test_a_case_without_a_command_is_what_people_try_first() -> None:
    assert run("new", "case").stdout == run("new", "deep-strike").stdout
    assert run("new", "case", "--game", "wap").stdout == run("new", "random-move", "--game", "wap").stdout
    assert 'type = "ambush"' in run("new", "ambush").stdout, "a command of one game alone needs no game"


def test_the_kinds_are_named() -> None:
    lines = run("new").stdout.splitlines()
    assert lines[0] == "files: case, map, roster, scenario, storyboard"
    assert [line.partition(":")[0] for line in lines[1:]] == ["wh40k10", "t9a", "whfb6", "wap"]
    assert run("new", "--game", "t9a").stdout.splitlines()[1].startswith("t9a: advance-move, ambush, ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("deep-strke",), "did you mean 'deep-strike'?"),
        (("shoot", "--game", "t9a"), "shoot: expected a kind of file"),
        (("map", "--game", "40k"), "--game: expected wh40k10, t9a, whfb6, wap, got '40k'"),
    ],
)
def test_what_there_is_not_is_said_with_what_was_meant(arguments: tuple[str, ...], says: str) -> None:
    failed = run("new", *arguments)
    assert failed.exception is not None
    assert says in failed.exception.format_message()  # type: ignore[attr-defined]


def test_nothing_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine", "utf-8")
    failed = run("new", "map", "-o", str(file))
    assert "there is such a file already" in failed.exception.format_message()  # type: ignore[union-attr]
    assert file.read_text("utf-8") == "mine"


def test_every_template_is_of_a_command_or_a_kind() -> None:
    folder = data_path("assets") / "templates"
    cases = {(path.parent.name, path.stem) for path in folder.glob("*/*.toml") if path.parent.name != "files"}
    assert cases == set(EVERY)


# --- moments of a record


@pytest.fixture
def fought(tmp_path: Path) -> str:
    """A record in which a unit fires twice, first at one and then at the other."""
    men = [squad(f"men{k}", "red", "Intercessor Squad", (10, 10 + 3 * k), 1, loadout=["bolt rifle"]) for k in (1, 2)]
    start = battle(SHOOTING, *men, squad("foe", "blue", "Boyz", (10, 30), 5))
    game = Game(rulesets()["wh40k10"], start)
    for k in (1, 2):
        game.play(Shoot(f"men{k}", (AttackWith(f"men{k}-1", "bolt rifle", "foe"),)), SeededDice(k))
    path = tmp_path / "fought.jsonl"
    write_record(str(path), record_of(game))
    return str(path)


def test_a_moment_is_the_battle_before_an_entry_and_its_command(fought: str) -> None:
    first, second, end = load(f"{fought}@1"), load(f"{fought}@2"), load(fought)
    assert isinstance(first.command, Shoot)
    assert first.command.unit == "men1"
    assert not first.battle.unit("men1").marked("shot")
    assert isinstance(second.command, Shoot)
    assert second.command.unit == "men2"
    assert second.battle.unit("men1").marked("shot")
    assert judge(second.ruleset, second.battle, second.command).legal
    assert end.command is None
    assert end.battle.unit("men2").marked("shot")
    assert load(f"{fought}@3").battle == end.battle


def test_verbs_take_moments(fought: str) -> None:
    assert run("check", f"{fought}@2").return_value == 0
    assert "at foe" in run("odds", f"{fought}@2").stdout


@pytest.mark.parametrize("number", ["0", "4", "x", "", "-1", "1e3", "9" * 40, "²"])
def test_a_moment_that_there_is_not_is_named(fought: str, number: str) -> None:
    failed = run("check", f"{fought}@{number}")
    assert failed.exception is not None
    said = failed.exception.format_message()  # type: ignore[attr-defined]
    assert said.endswith(f"entry: expected a number from 1 to 3, got {number!r}")
