"""Are names understood as people type them, and is nothing invented for what is misspelt or missing?"""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.games import rulesets
from sim.battle import did_you_mean, name_key, same_name
from sim.chance import SeededDice
from sim.engine import FirstChoice, Game
from sim.rulesets.wh40k10.chances import MissingNumber
from sim.scenario import Case, ScenarioError, load_case

OWN = Path(__file__).parents[1] / "cases/wh40k10/extra-own-weapon.toml"


def changed(folder: Path, old: str, new: str) -> Case:
    text = OWN.read_text(encoding="utf-8")
    assert old in text
    file = folder / "case.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return load_case(file, rulesets())


@pytest.mark.parametrize("typed", ["Big shoota", "BIG\u00a0SHOOTAS", "big-shoota", "“Big Shóota”", "big  shoota’s"])
def test_one_key_for_a_name_however_it_is_typed(typed: str) -> None:
    assert same_name(typed, "big shoota")
    assert not same_name(typed, "big shooter")


def test_what_was_meant_is_named() -> None:
    assert did_you_mean("Strike Taem", ["Strike Team", "Boyz"]) == "; did you mean 'Strike Team'?"
    assert did_you_mean("Xenos", ["Strike Team", "Boyz"]) == ""
    assert name_key("Gretchin") == "gretchin"


def test_a_weapon_of_ones_own_is_fired_in_play_and_has_odds() -> None:
    case = load_case(OWN, rulesets())
    assert case.command is not None
    assert case.ruleset.odds is not None
    told = case.ruleset.odds(case.battle, case.command)
    assert told[0].numbers["hits_on"] == 4
    assert told[0].numbers["wounds_on"] == 3
    assert told[0].numbers["saves"][0]["saved_on"] == 6
    game = Game(case.ruleset, case.battle)
    game.play(case.command, SeededDice(3), FirstChoice())
    assert game.battle.unit("crew").marked("shot")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('unit = "crew"', 'unit = "crow"', "did you mean 'crew'"),
        ("Sv = 5", "Save = 5", "a profile has no 'Save'; known: M, T, SV"),
        ('id = "mob"', 'id = "mob"\ndatasheet = "Boyzz"', "no datasheet is called 'Boyzz'; did you mean"),
        ("Sustained Hits D3", "Sustaned Hits D3", "sustained-hits"),
        ("skill = 4", "skill = 9", "expected a skill of 2 to 6"),
    ],
)
def test_what_is_misspelt_is_refused(tmp_path: Path, old: str, new: str, what: str) -> None:
    with pytest.raises(ScenarioError, match=r"case\.toml") as refused:
        changed(tmp_path, old, new)
    assert what in str(refused.value)


@pytest.mark.parametrize(("number", "missing"), [("t = 5, ", "T"), ("Sv = 5, ", "SV"), ("w = 2, ", "W")])
def test_no_odds_without_a_number_that_they_need(tmp_path: Path, number: str, missing: str) -> None:
    case = changed(tmp_path, number, "")
    assert case.ruleset.odds is not None
    with pytest.raises(MissingNumber, match=f"mob: profile: attacks need its {missing},"):
        case.ruleset.odds(case.battle, case.command)
