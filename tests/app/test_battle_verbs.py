"""Whole battles and odds on the command line: results, records that verify, wrong input in one line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sim.app.verbs import battles
from sim.engine import Game
from sim.record import Record, read_record, record_of
from sim.resources import data_path

Run = Callable[..., "subprocess.CompletedProcess[str]"]

VOLLEY = """
title = "A volley"
ruleset = "wh40k10"
[table]
width = 60
depth = 44
[clock]
round = 2
player = "red"
phase = "shooting"
step = "shoot"
[[unit]]
id = "team"
player = "red"
datasheet = "Strike Team"
models = [{ at = [10, 10], loadout = ["pulse rifle"] }]
[[unit]]
id = "boyz"
player = "blue"
datasheet = "Boyz"
models = [[10, %s]]
[command]
type = "shoot"
unit = "team"
attacks = [{ model = "team-1", weapon = "%s", target = "boyz" }]
"""


def case(folder: Path, y: float = 30.0, weapon: str = "pulse rifle") -> str:
    path = folder / "volley.toml"
    path.write_text(VOLLEY % (y, weapon))
    return str(path)


def test_odds_of_a_volley(inchwise: Run, tmp_path: Path) -> None:
    done = inchwise("odds", case(tmp_path), "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    (row,) = json.loads(done.stdout)
    assert (row["format"], row["title"]) == (1, "pulse rifle at boyz")


def test_odds_of_what_is_not_legal_say_so(inchwise: Run, tmp_path: Path) -> None:
    done = inchwise("odds", case(tmp_path, y=42.0), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)
    assert done.stderr.startswith("note: not legal now: boyz is 30.88")


def test_odds_name_the_weapon_that_nobody_has(inchwise: Run, tmp_path: Path) -> None:
    done = inchwise("odds", case(tmp_path, weapon="pulse rifel"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no weapon is called 'pulse rifel'; did you mean 'pulse rifle'?" in done.stderr


def test_a_battle_is_played_and_its_record_verifies(inchwise: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "battle.jsonl")
    scenario = str(data_path("assets") / "scenarios" / "wh40k10-500-battle.toml")
    done = inchwise("simulate", scenario, "--seed", "3", "-o", out, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["seed"] == 3
    assert inchwise("verify", out).returncode == 0


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("-o", "nowhere/battle.jsonl"), "the folder nowhere does not exist"),
        (("--seed", "-1"), "-1"),
        (("--players", "greedy,gredy"), "expected 2 of greedy and random"),
    ],
)
def test_a_battle_with_wrong_options_is_not_begun(inchwise: Run, more: tuple[str, ...], says: str) -> None:
    scenario = str(data_path("assets") / "scenarios" / "wh40k10-500-battle.toml")
    done = inchwise("simulate", scenario, *more)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_of_interrupted_battles_those_that_are_finished_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scenario, out = str(data_path("assets") / "scenarios" / "wh40k10-500-battle.toml"), tmp_path / "last.jsonl"
    begun = battles.load(scenario)
    last = record_of(Game(begun.ruleset, begun.battle))

    def two_and_no_more(scenario: str, kinds: list[str], seed: int) -> tuple[dict[str, Any], Record]:
        if seed == 9:
            raise KeyboardInterrupt
        return {"seed": seed, "score": {"red": seed, "blue": 0}, "winner": "red", "entries": 0}, last

    monkeypatch.setattr(battles, "_played", two_and_no_more)
    command = [scenario, "--battles", "40", "--seed", "7", "-o", str(out)]
    done = CliRunner().invoke(battles.simulate, command, standalone_mode=False)
    assert done.return_value == 130
    assert done.stderr == "interrupted: 2 of 40 battles are finished\n"
    assert "red wins 2 of 2" in done.stdout
    assert read_record(out).header == last.header


@pytest.mark.parametrize("name", ["t9a-ambush", "wap-doomwheel", "whfb6-tunnelling"])
def test_a_game_without_players_is_not_simulated(inchwise: Run, tmp_path: Path, name: str) -> None:
    scenario = str(data_path("assets") / "scenarios" / f"{name}.toml")
    out = tmp_path / "battle.jsonl"
    done = inchwise("simulate", scenario, "-o", str(out))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "has no players that play by themselves yet" in done.stderr
    assert not out.exists()


def test_an_ability_that_is_not_understood_is_an_error_of_the_file(inchwise: Run, tmp_path: Path) -> None:
    file = tmp_path / "wheel.toml"
    text = (data_path("assets") / "scenarios" / "wap-doomwheel.toml").read_text("utf-8")
    file.write_text(
        text.replace("impact-hits D6", "impact-hits lots").replace("maps/", f"{data_path('maps')}/"), "utf-8"
    )
    done = inchwise("check", str(file))
    assert done.returncode == 2
    assert "impact-hits: expected an amount such as 3, D6 or 2D6+1, got 'lots'" in done.stderr


def test_a_seed_below_nothing_opens_no_window(inchwise: Run, tmp_path: Path) -> None:
    done = inchwise("play", case(tmp_path), "--seed", "-5")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
