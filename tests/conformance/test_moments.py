"""Warhammer 40,000: does every offer and every reaction lead somewhere, and is what the rules allow offered?

Seeded random playthroughs of the shipped scenarios are listened to: for each kind of offer of each unit some choice
must be legal and leave another battle behind, and each reaction must do more than take its price.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice

import numpy as np

from sim.battle import Battle, ChoiceMade, Event, MarkerSet, ScoreChanged
from sim.chance import SeededDice
from sim.engine import FirstChoice, Game, judge, resolve
from sim.players import RandomPlayer
from sim.rules import Command, Offer, Reaction, ReactionWindow, Ruleset, command_name
from sim.rulesets.wh40k10 import stratagems
from tests.conformance.kit import subject

SEEDS = (3,)
MOST_ENTRIES = 110  # of one playthrough
MOST_CHOICES = 150  # of one offer that are looked at
MOST_OF_A_KIND = 3  # offers of one command, and reactions of one name at one kind of moment
END = "end-step"


@dataclass
class Heard:
    """What was offered on the way: to units by commands, and to players at moments, each kind with a battle."""

    ruleset: Ruleset
    offers: dict[str, list[tuple[Battle, Offer]]] = field(default_factory=dict)
    reactions: dict[tuple[str, str], list[tuple[Battle, Reaction]]] = field(default_factory=dict)

    def note(self, battle: Battle) -> None:
        """What is offered in a battle, each unit once."""
        for offer in self.ruleset.available(battle):
            found = self.offers.setdefault(offer.command, [])
            if len(found) < MOST_OF_A_KIND and offer.unit not in {known.unit for _, known in found}:
                found.append((battle, offer))

    def listen(self, battle: Battle, window: ReactionWindow, player: str) -> tuple[Reaction, ...]:
        """The reactions of the game, remembered."""
        found = self.ruleset.reactions(battle, window, player)
        for reaction in found:
            known = self.reactions.setdefault((reaction.title, window.when), [])
            if len(known) < MOST_OF_A_KIND:
                known.append((battle, reaction))
        return found


@cache
def heard() -> Heard:
    """Random battles in the shipped scenarios, those with command points among them."""
    about = subject("wh40k10")
    ears = Heard(about.ruleset)
    listening = replace(about.ruleset, reactions=ears.listen)
    for start in about.starts:
        for seed in SEEDS:
            table, player, dice = Game(listening, start), RandomPlayer(seed), SeededDice(seed)
            for _ in range(MOST_ENTRIES):
                ears.note(table.battle)
                command = player.next(about.ruleset, table.battle)
                if command is None:
                    break
                table.play(command, dice, player)
    return ears


def choices(ruleset: Ruleset, battle: Battle, offer: Offer) -> Iterator[Command]:
    """What the game proposes, sensibly, wildly and by chance."""
    yield from ruleset.proposals(battle, offer, False)
    yield from ruleset.proposals(battle, offer, True)
    for seed in range(30):
        yield from ruleset.proposals(battle, offer, True, np.random.Generator(np.random.PCG64(seed)))


def leads_somewhere(ruleset: Ruleset, battle: Battle, offer: Offer) -> bool:
    """Whether some choice of an offer is legal and leaves another battle behind."""
    for command in islice(choices(ruleset, battle, offer), MOST_CHOICES):
        if command_name(type(command)) == offer.command and judge(ruleset, battle, command).legal:
            table = Game(ruleset, battle)
            table.play(command, SeededDice(1), FirstChoice())
            return table.battle != battle
    return False


def test_every_offer_leads_somewhere() -> None:
    ears = heard()
    assert set(ears.offers) >= {"normal-move", "advance", "shoot", "charge", "guide"}
    nowhere = [
        f"{offer.command} of {offer.unit} at {battle.clock}"
        for command, met in ears.offers.items()
        for battle, offer in met
        if command != END and not leads_somewhere(ears.ruleset, battle, offer)
    ]
    assert nowhere == []


def test_every_reaction_does_more_than_cost() -> None:
    ears = heard()
    assert {name for name, _ in ears.reactions} >= {"Command Re-roll", "Fire Overwatch"}
    for (name, when), met in ears.reactions.items():
        for battle, reaction in met:
            done = resolve(ears.ruleset, battle, reaction.resolve(battle), SeededDice(1), FirstChoice())
            assert any(changes(event) for event in done.events), f"{name} at {when}: {reaction.name}"
            spent = [e.amount for e in done.events if isinstance(e, ScoreChanged) and e.resource == "cp"]
            assert spent == [-reaction.cost]
            assert reaction.why
            assert battle.has_unit(reaction.subjects[0])


def changes(event: Event) -> bool:
    """Whether an event is more than the price of a Stratagem and the note of its use."""
    if isinstance(event, MarkerSet):
        return not event.marker.kind.startswith(stratagems.USED)
    return not isinstance(event, ChoiceMade | ScoreChanged)
