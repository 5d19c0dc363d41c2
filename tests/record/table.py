"""A battle of the toy game that goes on for as long as somebody wants to write it down."""

from __future__ import annotations

from collections.abc import Iterator

from sim.chance import ScriptedDice
from sim.engine import Game
from sim.geometry import Pose
from sim.rules import Command
from tests.toy import RULESET, Drop, Recall, skirmish


def comings_and_goings() -> Iterator[Command]:
    """One unit leaves and comes back, a little farther along every time."""
    k = 0
    while True:
        yield Recall("ants")
        x = 4.0 + (k % 100) * 0.03
        yield Drop("ants", (Pose(x, 3.0), Pose(x + 1.3, 3.0), Pose(x + 2.6, 3.0)))
        k += 1


def played(count: int) -> Game:
    """A game with a number of entries."""
    game = Game(RULESET, skirmish())
    for _, command in zip(range(count), comings_and_goings(), strict=False):
        game.play(command, ScriptedDice(()))
    return game
