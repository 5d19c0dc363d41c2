"""Do the dice of a played attack need what the cases say: that face suffices in every roll, one less fails?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from sim.app.games import rulesets
from sim.battle import Battle, Clock, ModelsRemoved, WoundsChanged
from sim.chance.dice import Faces, Kind
from sim.engine import Game, judge
from sim.rules import Command
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import AttackWith, Fight, Shoot
from sim.scenario import Ask, load_case

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "wh40k10"
FILES = [path for path in sorted(FOLDER.rglob("*.toml")) if 'question = "needs"' in path.read_text("utf-8")]
STAGES = {"hit": ": hit on", "wound": ": wound on", "save": " saves against "}
CRITICAL = 6
NEVER = 7  # what no face of a die reaches


@dataclass
class Staged:
    """Dice that show one face in each stage of an attack, and ones in every other roll."""

    faces: dict[str, int]
    seen: set[str] = field(default_factory=set)

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        stage = next((name for name, words in STAGES.items() if words in purpose), None)
        if stage is None:
            return (1,) * count
        self.seen.add(stage)
        return (self.faces[stage],) * count


def attack(start: Battle, ask: Ask) -> tuple[Battle, Command] | None:
    """The battle at the right moment, and the command that makes the asked attack; None where it is not legal."""
    attacker, weapon, target = ask.of
    if not start.has_model(attacker):
        return None
    unit = start.unit(start.model(attacker).unit)
    orders = (AttackWith(attacker, weapon, target),)
    shoot = replace(start, clock=Clock(3, unit.player, "shooting", "shoot"))
    fight = replace(start, clock=Clock(3, unit.player, "fight", "remaining-combats"))
    moments: list[tuple[Battle, Command]] = [(shoot, Shoot(unit.id, orders)), (fight, Fight(unit.id, orders))]
    return next((moment for moment in moments if judge(RULESET, *moment).legal), None)


def hurts(start: Battle, command: Command, target: str, faces: dict[str, int]) -> tuple[bool, set[str]]:
    """Whether the target suffers with these faces, and what was rolled for."""
    dice = Staged(faces)
    entry = Game(RULESET, start).play(command, dice)
    models = {m.id for m in start.unit(target).models}
    suffered = any(
        (isinstance(e, WoundsChanged) and e.model in models) or (isinstance(e, ModelsRemoved) and e.unit == target)
        for e in entry.events
    )
    return suffered, dice.seen


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_case_says_is_needed_is_what_the_dice_need(path: Path) -> None:
    case = load_case(path, rulesets())
    asks = [ask for ask in case.asks if ask.question == "needs"]
    assert asks
    for ask in asks:
        found = attack(case.battle, ask)
        if found is None:
            continue
        start, command = found
        hit, wound, save = ask.answer
        assert hurts(start, command, ask.of[2], {"hit": hit, "wound": wound, "save": 1})[0], "all suffices"
        if hit > 2:
            missed, rolled = hurts(start, command, ask.of[2], {"hit": hit - 1, "wound": 6, "save": 1})
            assert not missed, "a miss"
            assert rolled == {"hit"}
        if wound > 2:
            bounced, rolled = hurts(start, command, ask.of[2], {"hit": hit, "wound": wound - 1, "save": 1})
            assert not bounced, "no wound"
            assert "save" not in rolled
        if save < NEVER and wound < CRITICAL:  # a Critical Wound may leave no save
            assert not hurts(start, command, ask.of[2], {"hit": hit, "wound": wound, "save": save})[0], "saved"
            assert hurts(start, command, ask.of[2], {"hit": hit, "wound": wound, "save": save - 1})[0], "not saved"


def test_nearly_every_case_of_that_kind_is_played() -> None:
    asked = [(load_case(path, rulesets()), path) for path in FILES]
    plays = [attack(case.battle, ask) for case, _ in asked for ask in case.asks if ask.question == "needs"]
    assert len(plays) >= 28
    assert plays.count(None) <= 2
