"""A command that stops for a person: tried anew with every answer, its dice kept, until nothing more is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sim.battle import Battle
from sim.chance import Dice, Faces
from sim.chance.dice import Kind
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


@dataclass
class KeptDice:
    """Dice that fall as they fell before, and then as they will."""

    source: Dice
    kept: Sequence[Faces] = ()
    rolled: list[Faces] = field(default_factory=list)

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        """The faces of an earlier try, or new ones."""
        at = len(self.rolled)
        faces = self.kept[at] if at < len(self.kept) else tuple(self.source.roll(count, sides, purpose, kind))
        self.rolled.append(faces)
        return faces


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
