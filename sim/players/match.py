"""A battle between two players, from where it stands to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sim.battle import Battle
from sim.chance import Dice
from sim.engine import Entry, Game
from sim.players.players import Player
from sim.rules import Command, EndStep, NeedChoice, Ruleset

MOST_ENTRIES = 20_000  # of one battle; more is a battle that does not end


class StallError(RuntimeError):
    """A battle that cannot go on: nobody has a legal command, or it does not end."""


class _Table:
    """Answers every choice by asking the player who has to make it."""

    def __init__(self, players: Mapping[str, Player]) -> None:
        self._players = players

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """What the player says, or the first option where nobody is named."""
        player = self._players.get(need.player)
        return need.options[0] if player is None else player.choose(battle, need)


def play_out(game: Game, players: Mapping[str, Player], dice: Dice, most: int = MOST_ENTRIES) -> Iterator[Entry]:
    """Entry after entry until the battle is over; raises ``StallError`` when it cannot go on."""
    table = _Table(players)
    for _ in range(most):
        if not game.ruleset.available(game.battle):
            return
        command = next_command(game.ruleset, game.battle, players)
        if command is None:
            if game.judge(EndStep()).codes == ("battle-over",):
                return
            raise StallError(f"nobody can go on: {game.battle.clock}")
        yield game.play(command, dice, table)
    raise StallError(f"the battle is not over after {most} entries")


def next_command(ruleset: Ruleset, battle: Battle, players: Mapping[str, Player]) -> Command | None:
    """What is done next: by whoever has to act, and before a step ends by whoever may answer."""
    offers = ruleset.available(battle)
    acting = dict.fromkeys(battle.unit(offer.unit).player for offer in offers if offer.unit and not offer.reaction)
    command: Command | None = None
    for actor in (*acting, battle.clock.player):
        command = players[actor].next(ruleset, battle) if actor in players else None
        if command is not None and not isinstance(command, EndStep):
            return command
    answering = dict.fromkeys(battle.unit(offer.unit).player for offer in offers if offer.reaction)
    at_its_end = bool(answering) and not acting and battle.clock.player not in players  # a person has ended the step
    if command is None and not at_its_end:
        return None
    for name in answering:
        answer = players[name].next(ruleset, battle) if name in players else None
        if answer is not None and not isinstance(answer, EndStep):
            return answer
    if command is None and all(name in players for name in answering):
        return EndStep()
    return command
