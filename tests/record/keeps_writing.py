"""A program for the tests to kill: plays, writes every entry down, then prints its number."""

from __future__ import annotations

import sys

from sim.chance import ScriptedDice
from sim.engine import Game
from sim.record import Journal
from tests.record.table import comings_and_goings
from tests.toy import RULESET, skirmish


def main(path: str) -> None:
    start = skirmish()
    with Journal.create(path, RULESET.id, RULESET.version, start) as journal:
        game = Game(RULESET, start, journal.append)
        for command in comings_and_goings():
            print(game.play(command, ScriptedDice(())).number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
