"""A weapon of a file's own whose attacks are psychic, played: whom it wounds may have a defence against just that."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.games import rulesets
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.scenario import load_case

CASE = """
title   = "A mind against shut minds"
ruleset = "wh40k10"
source  = "derived"
table   = {{ width = 60, depth = 44 }}
clock   = {{ round = 2, player = "red", phase = "shooting", step = "shoot" }}

[[unit]]
id        = "seer"
player    = "red"
datasheet = "Pathfinder Team"
models    = [{{ at = [10, 10], loadout = ["mind lance"] }}]

[[unit.weapon]]
name      = "mind lance"
range     = 36
attacks   = 1
skill     = 2
strength  = 8
ap        = -6
damage    = 2
abilities = [{abilities}]

[[unit]]
id        = "squad"
player    = "blue"
datasheet = "Intercessor Squad"
abilities = ["feel-no-pain-psychic 4+"]
models    = [[30, 10], [31.5, 10]]

[command]
type    = "shoot"
unit    = "seer"
attacks = [{{ model = "seer-1", weapon = "mind lance", target = "squad" }}]

[expect]
legal = true
"""


@pytest.mark.parametrize(
    ("abilities", "ignored", "left"), [('"psychic"', (4, 4), 2), ('"psychic"', (3, 3), 1), ("", (), 1)]
)
def test_wounds_of_psychic_attacks_alone_are_ignored(
    abilities: str, ignored: tuple[int, ...], left: int, tmp_path: Path
) -> None:
    path = tmp_path / "case.toml"
    path.write_text(CASE.format(abilities=abilities))
    case = load_case(path, rulesets())
    assert case.command is not None
    dice = ScriptedDice((6, 6, *ignored))
    game = Game(case.ruleset, case.battle)
    game.play(case.command, dice)
    assert dice.left == 0
    assert len(game.battle.unit("squad").models) == left
