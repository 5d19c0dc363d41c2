"""Can those be shot at, in play, of whom the cases say that they are visible, and those not who are hidden?"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from sim.app.games import rulesets
from sim.battle import Battle, Clock, DiceRolled
from sim.chance import SeededDice
from sim.engine import Game, Refused
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from sim.scenario import Ask, load_case

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "wh40k10"
FILES = [path for path in sorted(FOLDER.rglob("*.toml")) if 'question = "visible"' in path.read_text("utf-8")]
GUN = "supremacy railgun"  # reaches over any of these tables


def armed(start: Battle, ask: Ask) -> Game:
    """The battle of a case in the attacker's Shooting phase, every model of the attacker with a long gun.

    The target has numbers, where its file needs none to tell who is seen.
    """
    unit = start.unit(ask.of[0])
    models = tuple(replace(model, loadout=(GUN,)) for model in unit.models)
    clock = Clock(2, unit.player, "shooting", "shoot")
    target = start.unit(ask.of[1])
    numbers = tuple(sorted(({"T": 4.0, "SV": 4.0, "W": 2.0} | dict(target.profile)).items()))
    ready = start.with_unit(replace(unit, models=models)).with_unit(replace(target, profile=numbers))
    return Game(RULESET, replace(ready, clock=clock))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_whom_a_case_calls_visible_can_be_shot_at(path: Path) -> None:
    case = load_case(path, rulesets())
    for ask in (ask for ask in case.asks if ask.question == "visible"):
        if not case.battle.has_unit(ask.of[0]):
            continue
        game = armed(case.battle, ask)
        unit, target = game.battle.unit(ask.of[0]), game.battle.unit(ask.of[1])
        shots = [Shoot(unit.id, (AttackWith(model.id, GUN, target.id),)) for model in unit.models]
        seen = [shot for shot in shots if "not-visible" not in game.judge(shot).codes]
        assert bool(seen) is ask.answer
        if ask.answer:
            entry = game.play(seen[0], SeededDice(1))
            assert any(isinstance(event, DiceRolled) for event in entry.events)
        else:
            with pytest.raises(Refused):
                game.play(shots[0], SeededDice(1))
