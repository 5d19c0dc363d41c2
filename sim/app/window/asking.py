"""A command that stops for a person: tried anew with every answer, its dice kept, until nothing more is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Raw

from sim.battle import Battle, encode
from sim.chance import Dice, Faces
from sim.chance.dice import Kind, can_show
from sim.record import Asked
from sim.rules import Command, NeedChoice

Decides = Callable[[NeedChoice], str | None]  # an answer that needs no person, None to ask


class Waiting(Exception):
    """A choice that only a person can make."""

    def __init__(self, need: NeedChoice) -> None:
        super().__init__(need.purpose)
        self.need = need


@dataclass(frozen=True)
class Question:
    """What is being asked, in the middle of which command, with the answers and the dice so far."""

    command: Command
    need: NeedChoice
    answers: tuple[str, ...] = ()
    faces: tuple[Faces, ...] = ()
    ahead: tuple[Faces, ...] = ()  # dice that were seen when it was tried before, and are still to fall
    re_rolls: bool = False  # whether a person is asked after every roll that could be bought anew

    @property
    def line(self) -> Asked:
        """As a journal has it."""
        return Asked(Raw(encode(self.command)), self.seen, self.answers, self.re_rolls)

    @property
    def seen(self) -> tuple[Faces, ...]:
        """All dice of the command that a person has seen."""
        return (*self.faces, *self.ahead)


@dataclass
class KeptDice:
    """Dice that fall as they fell before, and then as they will."""

    source: Dice
    kept: Sequence[Faces] = ()
    rolled: list[Faces] = field(default_factory=list)

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        """The faces of an earlier try, or new ones, also where those of a file are none of such dice."""
        at = len(self.rolled)
        if at < len(self.kept) and can_show(self.kept[at], count, sides, kind):
            faces = self.kept[at]
        else:
            self.kept = self.kept[:at]
            faces = tuple(self.source.roll(count, sides, purpose, kind))
        self.rolled.append(faces)
        return faces

    @property
    def left(self) -> tuple[Faces, ...]:
        """The kept dice that have not fallen yet."""
        return tuple(self.kept[len(self.rolled) :])


@dataclass
class TakenBack:
    """Questions that were stepped out of while a battle stood: their dice have been seen, and fall that way again."""

    battle: Battle | None = None
    questions: list[Question] = field(default_factory=list)

    def keep(self, battle: Battle, question: Question) -> None:
        """Keep a question that is stepped out of."""
        if self.battle is not battle:
            self.battle, self.questions = battle, []
        self.questions = [kept for kept in self.questions if kept.command != question.command]
        self.questions.append(question)

    def last(self, battle: Battle) -> Question | None:
        """The question that was stepped out of last, None when there is none in this battle."""
        return self.questions[-1] if self.battle is battle and self.questions else None

    def faces_of(self, battle: Battle, command: Command) -> tuple[Faces, ...]:
        """The dice that were seen when this very command was tried before."""
        kept = self.questions if self.battle is battle else []
        return next((question.seen for question in kept if question.command == command), ())


@dataclass
class Answers:
    """Gives the answers that a person has given so far, and asks for the next one."""

    given: Sequence[str]
    decides: Decides
    used: int = 0

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """The next answer; raises ``Waiting`` when a person has to give it."""
        settled = need.options[0] if len(need.options) == 1 else self.decides(need)
        if settled is not None:
            return settled
        if self.used == len(self.given):
            raise Waiting(need)
        self.used += 1
        return self.given[self.used - 1]
