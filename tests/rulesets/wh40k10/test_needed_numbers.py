"""A number that attacks need and nothing says is refused, never made up; what was played before is played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.games import rulesets
from sim.battle import digest
from sim.chance import ScriptedDice
from sim.engine import Entry, FirstChoice, Game, Refused, resolve
from sim.record import rebuild, record_of, verify
from sim.rulesets.wh40k10 import RULESET, keywords, tokens
from sim.scenario import Case, ScenarioError, load_case

CASE = """
title   = "Shots at a unit of which little is known"
ruleset = "wh40k10"
source  = "derived"
table   = { width = 60, depth = 44 }
clock   = { round = 2, player = "red", phase = "shooting", step = "shoot" }

[[unit]]
id       = "crew"
player   = "red"
base     = { round = 32 }
keywords = ["Infantry", "Sons of Nowhere"]
models   = [{ at = [10, 10], loadout = ["gun"] }]
weapon   = [{ name = "gun", range = 30, attacks = 1, skill = 3, strength = 4, damage = 1, abilities = [ABILITIES] }]
profile  = { M = 6, T = 4, SV = 4, LD = 7, OC = 1 }

[[unit]]
id      = "mob"
player  = "blue"
base    = { round = 32 }
profile = { M = 6, NUMBERS, LD = 7, OC = 1 }
models  = [[10, 30], [11.5, 30]]
abilities = [OTHERS]

[command]
type    = "shoot"
unit    = "crew"
attacks = [{ model = "crew-1", weapon = "gun", target = "mob" }]
"""
WHOLE = "T = 4, SV = 4, W = 1"


def case_of(tmp_path: Path, numbers: str = WHOLE, abilities: str = "", others: str = "") -> Case:
    path = tmp_path / "case.toml"
    text = CASE.replace("NUMBERS", numbers).replace("ABILITIES", abilities).replace("OTHERS", others)
    path.write_text(text)
    return load_case(path, rulesets())


@pytest.mark.parametrize(
    ("numbers", "abilities", "unit", "lacks"),
    [
        ("SV = 4, W = 1", "", "mob", "T"),
        ("T = 4, W = 1", "", "mob", "SV"),
        ("T = 4, SV = 4", "", "mob", "W"),
        (WHOLE, '"Hazardous"', "crew", "W"),
    ],
)
def test_a_missing_number_is_refused_and_named(
    numbers: str, abilities: str, unit: str, lacks: str, tmp_path: Path
) -> None:
    case = case_of(tmp_path, numbers, abilities)
    assert case.command is not None
    game = Game(case.ruleset, case.battle)
    assert game.judge(case.command).legal
    with pytest.raises(Refused) as refused:
        game.play(case.command, ScriptedDice((6, 6, 6)))
    assert refused.value.verdict.codes == ("number-missing",)
    assert str(refused.value).startswith(f"unit {unit}: profile: attacks need its {lacks}, ")
    assert game.battle is case.battle
    assert game.entries == ()
    with pytest.raises(ValueError, match=f"unit {unit}: profile: attacks need its {lacks}, "):
        RULESET.odds(case.battle, case.command)  # type: ignore[misc]


def test_with_its_numbers_it_is_played(tmp_path: Path) -> None:
    case = case_of(tmp_path)
    game = Game(case.ruleset, case.battle)
    game.play(case.command, ScriptedDice((3, 4, 3)))
    assert len(game.battle.unit("mob").models) == 1


def test_a_record_from_before_happens_again(tmp_path: Path) -> None:
    case = case_of(tmp_path, "W = 1")
    command = case.command
    assert command is not None
    then = resolve(
        RULESET, case.battle, RULESET.play(command).resolve(case.battle, command), ScriptedDice((3, 4)), FirstChoice()
    )
    game = Game(RULESET, case.battle)
    entry = Entry(1, command, then.faces, then.choices, then.events, digest(then.battle))
    game.restore(entry, then.battle)
    record = record_of(game)
    assert verify(record, RULESET) is None
    assert digest(rebuild(record, RULESET).battle) == digest(then.battle)
    assert len(then.battle.unit("mob").models) == 1


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("INFANTY", "INFANTRY"),
        ("vehicel", "VEHICLE"),
        ("Charcter", "CHARACTER"),
        ("Infantry", None),
        ("epic  hero", None),
        ("GRENADE", None),
        ("Ultramarines", None),
        ("Sons of Nowhere", None),
        ("Orks", None),
    ],
)
def test_a_misspelt_keyword_is_refused_and_a_free_one_is_not(word: str, meant: str | None, tmp_path: Path) -> None:
    assert keywords.meant(word) == meant
    path = tmp_path / "case.toml"
    case_of(tmp_path)
    path.write_text(path.read_text().replace("Sons of Nowhere", word))
    if meant is None:
        load_case(path, rulesets())
        return
    with pytest.raises(ScenarioError, match=f"did you mean '{meant}'"):
        load_case(path, rulesets())


def test_abilities_that_nothing_plays_are_named_beside_the_odds(tmp_path: Path) -> None:
    case = case_of(tmp_path, others='"Deep Strike", "Song of Their Fathers", "teleport-homer", "leader"')
    assert RULESET.odds is not None
    (row,) = RULESET.odds(case.battle, case.command)
    assert row.numbers["unread_abilities"] == {"mob": ["Song of Their Fathers", "teleport-homer"]}
    assert row.numbers["left_out"] == []
    assert any("Song of Their Fathers, teleport-homer of mob" in line for line in row.notes)
    assert tokens.unread(("deep-strike", "scouts 6")) == ()
