"""Runs a procedure: answers what it asks, evolves the battle by what it tells, and keeps what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sim.battle import Battle, ChoiceMade, DiceRolled, Event, evolve
from sim.chance import Dice
from sim.rules import NeedChoice, NeedRoll, Option, Procedure, ReactionWindow, Ruleset, Told

DECLINE = "decline"


class ChoiceError(ValueError):
    """A choice that was not offered, or a list of choices that ran out."""


class Chooser(Protocol):
    """Whoever decides when a procedure asks for a choice."""

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """One of the options that are offered."""
        ...


class FirstChoice:
    """Takes the first option every time; declines every reaction."""

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """The first option."""
        return need.options[0]


class ScriptedChoices:
    """Choices that are read from a list, in order; running out is an error."""

    def __init__(self, choices: Sequence[str]) -> None:
        self._choices = list(choices)

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """The next choice of the list."""
        if not self._choices:
            raise ChoiceError(f"the list of choices ran out at {need.purpose!r}")
        return self._choices.pop(0)


@dataclass(frozen=True)
class Resolution:
    """What came of a command: the battle after it, its events, the faces rolled and the choices made."""

    battle: Battle
    events: tuple[Event, ...]
    faces: tuple[tuple[int | float, ...], ...]
    choices: tuple[str, ...]


class _Run:
    def __init__(self, ruleset: Ruleset, battle: Battle, dice: Dice, chooser: Chooser) -> None:
        self.ruleset, self.dice, self.chooser = ruleset, dice, chooser
        self.battle = battle
        self.events: list[Event] = []
        self.faces: list[tuple[int | float, ...]] = []
        self.choices: list[str] = []

    def tell(self, event: Event) -> Battle:
        self.battle = evolve(self.battle, event)
        self.events.append(event)
        return self.battle

    def drive(self, procedure: Procedure) -> None:
        answer: Any = None
        while True:
            try:
                told = procedure.send(answer)
            except StopIteration:
                return
            answer = self.answer(told)

    def answer(self, told: Told) -> Any:
        match told:
            case NeedRoll():
                return self.roll(told)
            case NeedChoice():
                return self.choose(told)
            case ReactionWindow():
                self.react(told)
                return self.battle
            case _:
                return self.tell(told)

    def roll(self, need: NeedRoll) -> tuple[int | float, ...]:
        faces = tuple(self.dice.roll(need.count, need.sides, need.purpose, need.kind))
        self.faces.append(faces)
        self.tell(DiceRolled(need.purpose, need.sides, faces, need.about))
        return faces

    def choose(self, need: NeedChoice) -> str:
        choice = self.chooser.choose(self.battle, need)
        if choice not in need.options:
            raise ChoiceError(f"{need.purpose}: {choice!r} was not offered, only {', '.join(need.options)}")
        self.choices.append(choice)
        self.tell(ChoiceMade(need.player, need.purpose, choice, need.when, need.subject))
        return choice

    def react(self, window: ReactionWindow) -> None:
        for player in window.who:
            offers = self.ruleset.reactions(self.battle, window, player)
            if not offers:
                continue
            names = (DECLINE, *(offer.name for offer in offers))
            reasons = "; ".join(f"{offer.name}: {offer.why}" for offer in offers)
            purpose = f"{window.when} ({reasons})"
            about = tuple(Option(o.name, o.title, o.cost, o.why, o.subjects) for o in offers)
            when, words = window.when, window.words
            need = NeedChoice(player, purpose, names, when, window.subject, about, words, window.chance)
            choice = self.choose(need)
            for offer in offers:
                if offer.name == choice:
                    self.drive(offer.resolve(self.battle))


def resolve(ruleset: Ruleset, battle: Battle, procedure: Procedure, dice: Dice, chooser: Chooser) -> Resolution:
    """Run a procedure to its end; an error of dice or choices leaves the given battle as it was."""
    run = _Run(ruleset, battle, dice, chooser)
    run.drive(procedure)
    return Resolution(run.battle, tuple(run.events), tuple(run.faces), tuple(run.choices))
