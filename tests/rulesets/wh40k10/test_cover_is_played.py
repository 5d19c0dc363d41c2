"""Is the save of a played shot better by one for whom the cases give the Benefit of Cover, and for nobody else?"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from sim.app.games import rulesets
from sim.battle import Battle, Clock, DiceRolled, RollAbout
from sim.chance.dice import Faces, Kind
from sim.engine import Game
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import AttackWith, Shoot
from sim.scenario import Ask, load_case

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "wh40k10"
FILES = [path for path in sorted(FOLDER.rglob("*.toml")) if 'question = "cover"' in path.read_text("utf-8")]
GUN = "big shoota"  # without Armour Penetration
SAVE = 5


class Sixes:
    """Dice that always show a six."""

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        return (6,) * count


def saved(start: Battle, ask: Ask) -> int | None:
    """The face that saves when the whole unit of an ask shoots at the other; None where it cannot."""
    shooter, target = start.unit(ask.of[0]), start.unit(ask.of[1])
    armed = replace(shooter, models=tuple(replace(m, loadout=(GUN,)) for m in shooter.models))
    plain = {name: value for name, value in target.profile if name != "INV"} | {"SV": SAVE, "T": 4, "W": 9}
    there = start.with_unit(armed).with_unit(replace(target, profile=tuple(sorted(plain.items()))))
    game = Game(RULESET, replace(there, clock=Clock(2, shooter.player, "shooting", "shoot")))
    shot = Shoot(shooter.id, tuple(AttackWith(m.id, GUN, target.id) for m in shooter.models))
    if not game.judge(shot).legal:
        return None
    events = game.play(shot, Sixes()).events
    about = [e.about for e in events if isinstance(e, DiceRolled) and isinstance(e.about, RollAbout)]
    return next(a.needs for a in about if a.kind == "save")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cover_betters_the_save_by_one(path: Path) -> None:
    case = load_case(path, rulesets())
    for ask in (ask for ask in case.asks if ask.question == "cover"):
        if not all(case.battle.has_unit(name) for name in ask.of):
            continue
        if not ask.answer and len(case.battle.unit(ask.of[1]).models) > 1:
            continue  # some of them may have it
        needed = saved(case.battle, ask)
        assert needed in (None, SAVE - 1 if ask.answer else SAVE)


def test_nearly_every_case_of_cover_is_shot_at() -> None:
    cases = [load_case(path, rulesets()) for path in FILES]
    asked = [(case, ask) for case in cases for ask in case.asks if ask.question == "cover"]
    needed = [saved(case.battle, ask) for case, ask in asked if all(case.battle.has_unit(n) for n in ask.of)]
    assert len(needed) >= 20
    assert sum(value is None for value in needed) <= len(needed) // 5
