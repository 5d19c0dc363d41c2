"""Re-rolls and modifiers that a file gives a unit: played through a game, in the odds, refused where they are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.games import rulesets
from sim.battle import Battle, decode, encode
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.rulesets.wh40k10 import RULESET
from sim.scenario import Case, ScenarioError, load_case

CASE = """
title   = "A squad with dice of its own"
ruleset = "wh40k10"
source  = "derived"
table   = { width = 60, depth = 44 }
clock   = { round = 2, player = "red", phase = "shooting", step = "shoot" }

[[unit]]
id      = "crew"
player  = "red"
base    = { round = 32 }
models  = [{ at = [10, 10], loadout = ["gun"] }]
weapon  = [{ name = "gun", range = 30, attacks = 1, skill = 3, strength = 4, ap = 0, damage = "D3" }]
OWN
[[unit]]
id      = "mob"
player  = "blue"
base    = { round = 32 }
profile = { M = 6, T = 4, SV = 4, W = 3, LD = 7, OC = 1 }
models  = [[10, 30], [11.5, 30]]
ENEMY
[command]
type    = "shoot"
unit    = "crew"
attacks = [{ model = "crew-1", weapon = "gun", target = "mob" }]
"""
PLAIN = 2 / 3 * 1 / 2 * 1 / 2 * 2.0  # wounds lost on the average: hit, wound, no save, D3


def case_of(tmp_path: Path, own: str = "", enemy: str = "") -> Case:
    path = tmp_path / "case.toml"
    path.write_text(CASE.replace("OWN\n", f"{own}\n").replace("ENEMY\n", f"{enemy}\n"))
    return load_case(path, rulesets())


def expected_loss(case: Case) -> float:
    assert RULESET.odds is not None
    return dict(RULESET.odds(case.battle, case.command)[0].distributions)["wounds lost"].mean


def modifier(to: str, by: int, more: str = "") -> str:
    return f'[[unit.modifier]]\nto = "{to}"\nby = {by}\n{more}\n'


ENEMY = 'side = "enemy"'
# what the file says, the dice that are asked for, the wounds lost, and the average of the odds against the plain one
PLAYED = [
    ("", "", (3, 4, 3, 2), 2, 1.0),
    ('[unit.rerolls]\nhit = "ones"', "", (1, 3, 4, 3, 2), 2, 7 / 6),
    ('[unit.rerolls]\nwound = "failed"', "", (3, 3, 4, 3, 2), 2, 3 / 2),
    ('[unit.rerolls]\nhit = "failed"\nattacks = "melee"', "", (2,), 0, 1.0),
    ("[unit.rerolls]\ndamage = true", "", (3, 4, 3, 1, 3), 3, (1 / 3 * 2 + 2 / 3 * 2.5) / 2),
    (modifier("hit", 1), "", (2, 4, 3, 2), 2, 5 / 4),
    (modifier("hit", 1, 'attacks = "melee"'), "", (2,), 0, 1.0),
    (modifier("wound", 1), "", (3, 3, 3, 2), 2, 4 / 3),
    (modifier("ap", 1), "", (3, 4, 4, 2), 2, 4 / 3),
    (modifier("damage", 1), "", (3, 4, 3, 2), 3, 8 / 3 / 2),
    (modifier("attacks", 1), "", (3, 2, 4, 3, 2), 2, None),
    ("", modifier("hit", -1, ENEMY), (3,), 0, 3 / 4),
    ("", modifier("wound", -1, ENEMY), (3, 4), 0, 2 / 3),
    ("", modifier("damage", -1, ENEMY), (3, 4, 3, 3), 2, 4 / 3 / 2),
    (modifier("hit", -1, ENEMY), modifier("hit", 1), (2,), 0, 1.0),
]


@pytest.mark.parametrize(("own", "enemy", "faces", "lost", "more"), PLAYED)
def test_they_are_played_and_counted(
    own: str, enemy: str, faces: tuple[int, ...], lost: int, more: float | None, tmp_path: Path
) -> None:
    case = case_of(tmp_path, own, enemy)
    assert case.command is not None
    dice, game = ScriptedDice(faces), Game(case.ruleset, case.battle)
    game.play(case.command, dice)
    assert dice.left == 0
    models = game.battle.unit("mob").models
    assert sum(m.wounds_lost for m in models) + 3 * (2 - len(models)) == lost
    if more is None:  # of two attacks a little is lost on who dies
        assert PLAIN * 1.9 < expected_loss(case) < PLAIN * 2
    else:
        assert expected_loss(case) == pytest.approx(PLAIN * more, abs=1e-9)


def test_a_battle_with_them_is_written_and_read_back(tmp_path: Path) -> None:
    battle = case_of(tmp_path, '[unit.rerolls]\nhit = "ones"', modifier("wound", 1, 'reason = "hate"')).battle
    again = decode(encode(battle), Battle)
    assert again == battle
    assert again.unit("crew").rerolls is not None
    assert [m.reason for m in again.unit("mob").modifiers] == ["hate"]


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ('[unit.rerolls]\nhit = "once"', "rerolls.hit"),
        ('[unit.rerolls]\nhits = "ones"', "rerolls"),
        (modifier("hits", 1), "modifier"),
        (modifier("hit", 0), "modifier[0].by"),
        (modifier("hit", 11), "modifier[0].by"),
        (modifier("attacks", -1), "modifier[0].by"),
        (modifier("attacks", 1, ENEMY), "modifier[0].side"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(own: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as told:
        case_of(tmp_path, own)
    assert words in str(told.value)
    assert "expected" in str(told.value) or "nvalid" in str(told.value) or "unknown" in str(told.value)
    assert "\n" not in str(told.value)
