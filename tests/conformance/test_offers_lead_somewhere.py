"""Does everything that is offered lead somewhere: to a legal command that changes the battle?

In random playthroughs of every game offers are met, and for each some choice must be found that the judge allows and
that does more than roll dice: a model stands, moves or is gone, a marker lies, a score differs, the clock goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import pytest
from msgspec.structs import replace

from sim.analysis import nearest_legal
from sim.battle import Battle
from sim.chance import SeededDice
from sim.engine import Game, judge
from sim.players import RandomPlayer
from sim.rules import Command, Offer, Ruleset, command_name
from tests.conformance.kit import GAMES, subject

SEEDS = (7, 8)
MOST_ENTRIES = 90  # of one playthrough
MOST_CHOICES = 4000  # of one offer that are looked at
END = "end-step"


@cache
def met(game: str) -> tuple[Ruleset, tuple[tuple[Battle, Offer], ...]]:
    """Every kind of offer of every unit that random playthroughs meet, with a battle in which it is offered."""
    about = subject(game)
    found: dict[tuple[str, str, str], tuple[Battle, Offer]] = {}
    for start in about.starts:
        for seed in SEEDS:
            table, player, dice = Game(about.ruleset, start), RandomPlayer(seed), SeededDice(seed)
            for _ in range(MOST_ENTRIES):
                for offer in about.ruleset.available(table.battle):
                    found.setdefault((start.title, offer.command, offer.unit), (table.battle, offer))
                command = player.next(about.ruleset, table.battle)
                if command is None:
                    break
                table.play(command, dice, player)
    return about.ruleset, tuple(found.values())


def choices(ruleset: Ruleset, battle: Battle, offer: Offer) -> Iterator[Command]:
    """What the game proposes, then what a random player tries, moved to where it would be legal."""
    yield from ruleset.proposals(battle, offer, False)
    yield from ruleset.proposals(battle, offer, True)
    yield from ruleset.proposals(battle, offer, True, np.random.Generator(np.random.PCG64(1)))
    kind = ruleset.play(offer.command).command
    if set(kind.__struct_fields__) <= {"unit", "models", "paths"}:
        player = RandomPlayer(1)
        for _ in range(40):
            tried = player._attempt(ruleset, battle, offer)
            yield tried
            spot = nearest_legal(ruleset, battle, tried)
            if spot is not None:
                yield replace(tried, models=spot)  # type: ignore[call-arg]


def leads_somewhere(ruleset: Ruleset, battle: Battle, offer: Offer) -> bool:
    """Whether some choice of an offer is legal and leaves another battle behind."""
    for command in islice(choices(ruleset, battle, offer), MOST_CHOICES):
        if command_name(type(command)) != offer.command or not judge(ruleset, battle, command).legal:
            continue
        table = Game(ruleset, battle)
        table.play(command, SeededDice(1), RandomPlayer(1))
        if table.battle != battle:
            return True
    return False


@pytest.mark.parametrize("game", [game for game in GAMES if game != "wh40k10"])
def test_every_offer_leads_somewhere(game: str) -> None:
    ruleset, offered = met(game)
    nowhere = [
        f"{offer.command} of {offer.unit} at {battle.clock}"
        for battle, offer in offered
        if offer.command != END and not leads_somewhere(ruleset, battle, offer)
    ]
    assert len({offer.command for _, offer in offered}) > 2
    assert nowhere == []


@pytest.mark.parametrize("game", [game for game in GAMES if game != "wh40k10"])
def test_ending_a_step_that_is_offered_leads_on(game: str) -> None:
    ruleset, offered = met(game)
    for battle, offer in offered:
        command = ruleset.play(END).command()
        if offer.command != END or not judge(ruleset, battle, command).legal:
            continue
        table = Game(ruleset, battle)
        table.play(command, SeededDice(1), RandomPlayer(1))
        assert table.battle != battle
