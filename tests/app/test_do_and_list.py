"""The verbs that say what a command does and what files may name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sim.app.cli import cli
from sim.app.games import rulesets

CASES = Path(__file__).parents[1] / "cases"


def _do(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, list(words), standalone_mode=False)
    return int(result.return_value or 0), result.output


@pytest.mark.parametrize("case", ["wap/i12-a-two-is-out-of-control.toml", "t9a/g23-two-in-turn-four.toml"])
def test_the_outcome_is_that_which_the_case_expects(case: str) -> None:
    from sim.app.common import load

    expected = load(str(CASES / case)).expect.outcome
    status, said = _do("do", str(CASES / case), "--json")
    told = json.loads(said)
    assert (status, told["done"], told["format"]) == (0, True, 1)
    assert told["outcome"].get("outcome") == expected


def test_an_illegal_command_is_not_done_and_says_why() -> None:
    status, said = _do("do", str(CASES / "t9a/g05-corners-five-thousandths-too-far.toml"))
    assert status == 1
    assert said.startswith("illegal:")


@pytest.mark.parametrize("game", sorted(rulesets()))
def test_the_list_of_commands_names_all_of_a_game_with_their_keys(game: str) -> None:
    _, said = _do("list", "commands", "--game", game, "--json")
    found = {row["name"]: set(row["keys"]) for row in json.loads(said)["rows"]}
    assert found == {play.name: set(play.command.__struct_fields__) for play in rulesets()[game].plays}


def test_every_map_that_is_listed_is_found_by_its_name() -> None:
    from sim.app.common import found_file

    _, said = _do("list", "maps", "--json")
    rows = json.loads(said)["rows"]
    assert rows
    assert all(found_file(row["file"]).is_file() for row in rows)


def test_options_are_printed_as_files_take_them() -> None:
    _, said = _do("list", "options", "--game", "wap")
    assert 'bolts = "D3", or "3"' in said


def test_what_can_be_listed_is_named_and_what_cannot_is_one_line() -> None:
    _, said = _do("list")
    assert said.split() == [
        "maps", "scenarios", "armies", "datasheets", "abilities", "terrain", "steps", "commands", "questions",
        "options", "games",
    ]  # fmt: skip
    wrong = CliRunner().invoke(cli, ["list", "mapps"], standalone_mode=False).exception
    assert str(wrong).endswith("did you mean 'maps'?")
    assert "\n" not in str(wrong)
