"""How a command is resolved: a generator that reads like the rule, asks for dice and choices, and tells what happens.

``faces = yield NeedRoll(...)``, ``choice = yield NeedChoice(...)``, ``battle = yield ModelsPlaced(...)``: an event is
answered with the battle after it, a reaction window with the battle after all reactions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from sim.battle import Battle, Event, RollAbout


class NeedRoll(Struct, frozen=True):
    """Dice are to be rolled; answered with a tuple of faces."""

    count: int
    sides: int
    purpose: str
    player: str = ""
    kind: Literal["plain", "artillery", "scatter", "direction"] = "plain"
    about: RollAbout | None = None


class Option(Struct, frozen=True):
    """What one answer to a question means: its name, a title for a person, its price, why it is there, and on whom."""

    name: str
    title: str = ""
    cost: int = 0
    why: str = ""
    subjects: tuple[str, ...] = ()


class NeedChoice(Struct, frozen=True):
    """A player is to choose one of the options; answered with the option.

    ``about`` says more of those options of which there is more to say; ``words`` what has happened before, and
    ``chance`` what may be expected of answering it, for a person: no record holds that.
    """

    player: str
    purpose: str
    options: tuple[str, ...]
    when: str = ""
    subject: str = ""
    about: tuple[Option, ...] = ()
    words: str = ""
    chance: str = ""


class ReactionWindow(Struct, frozen=True):
    """A moment at which players may react: when, to what, and who may answer, in that order.

    ``other`` is the second unit or model that the moment is about, ``roll`` the roll that has just been made, and
    ``words`` say what has happened, where the moment alone does not. ``chance`` tells a person what may be expected of
    an answer; no record holds it.
    """

    when: str
    subject: str
    who: tuple[str, ...]
    other: str = ""
    roll: RollAbout | None = None
    words: str = ""
    chance: str = ""


class Modifier(Struct, frozen=True):
    """One reason why a needed number differs: the value, why, and by which rule."""

    value: int
    reason: str
    rule: str


class Ledger(Struct, frozen=True):
    """A needed number with its reasons, shown before the roll and kept in the log."""

    base: int
    modifiers: tuple[Modifier, ...] = ()
    least: int = 2
    cap: int | None = None

    @property
    def needed(self) -> int:
        """The face that suffices: modifiers help the roll, their sum held within ``cap`` either way."""
        total = sum(m.value for m in self.modifiers)
        if self.cap is not None:
            total = max(-self.cap, min(self.cap, total))
        return max(self.least, self.base - total)


Told = Event | NeedRoll | NeedChoice | ReactionWindow
Procedure = Generator[Told, Any, None]


@dataclass(frozen=True)
class Reaction:
    """Something a player may do in a reaction window: its name, why it is offered, and what it does.

    ``title`` names it for a person, ``cost`` is its price in the resource of the game, and ``subjects`` are the unit
    that does it and what it is done to.
    """

    name: str
    why: str
    resolve: Callable[[Battle], Procedure]
    title: str = ""
    cost: int = 0
    subjects: tuple[str, ...] = ()
