"""A support turret: whose it is, when it is set up, what it does, and until when it stands. Played through a game."""

from __future__ import annotations

import pytest

from sim.battle import Battle, Unit
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.geometry import Path
from sim.rules import EndStep
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import AttackWith, NormalMove, Shoot
from tests.rulesets.wh40k10.stage import Steady, battle, judged, now, squad

MOVE = now("movement", "move-units")


def team(**more: object) -> Unit:
    return squad("team", "red", "Strike Team", (10, 10), 3, loadout=["pulse rifle"], **more)  # type: ignore[arg-type]


def mob(at: tuple[float, float] = (10, 34)) -> Unit:
    return squad("mob", "blue", "Boyz", at, 2)


def ended(game: Game, phase: str, player: str) -> Battle:
    """The battle once a phase of a player has begun."""
    while (game.battle.clock.phase, game.battle.clock.player) != (phase, player):
        game.play(EndStep(), ScriptedDice([]), Steady())
    return game.battle


def shot(model: str) -> Shoot:
    return Shoot("team", (AttackWith(model, "support turret", "mob"),))


def test_a_turret_stands_beside_the_first_of_a_unit_that_stays_where_it_is_until_its_next_turn() -> None:
    game = Game(RULESET, battle(MOVE, team(), mob()))
    assert judged(game.battle, shot("team-1")).codes == ("no-such-weapon", "wrong-phase")
    shooting = ended(game, "shooting", "red")
    assert judged(shooting, shot("team-1")).legal
    assert judged(shooting, shot("team-2")).codes == ("no-such-weapon",), "it is the Shas'ui's"
    game.play(shot("team-1"), ScriptedDice([5, 5, 5, 5, 6, 6]), Steady())  # two shots, 5+, wound on 4+
    theirs = ended(game, "shooting", "blue")
    assert theirs.unit("team").marked("ds8-turret"), "until the start of its own next turn"
    assert not ended(game, "command", "red").unit("team").marked("ds8-turret")


@pytest.mark.parametrize("moves", [True, False])
def test_who_moves_has_no_turret(moves: bool) -> None:
    game = Game(RULESET, battle(MOVE, team(), mob()))
    if moves:
        paths = tuple(Path.through(m.pose, [[m.pose.x, 12.0]]) for m in game.battle.unit("team").models if m.pose)
        game.play(NormalMove("team", paths), ScriptedDice([]), Steady())
    assert ended(game, "shooting", "red").unit("team").marked("ds8-turret") is not moves


def test_others_and_who_is_not_on_the_table_have_none() -> None:
    away = squad("away", "red", "Breacher Team", (0, 0), 2, where="reserves")
    theirs = squad("theirs", "blue", "Strike Team", (40, 40), 2)
    game = Game(RULESET, battle(MOVE, team(), away, theirs, mob()))
    after = ended(game, "shooting", "red")
    assert [u.id for u in after.units if u.marked("ds8-turret")] == ["team"]
