"""How much is it, when dice say so? ``D6+3`` as a value: dice of so many sides, and a number added."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from sim.chance.pmf import Pmf

MOST_DICE, MOST_SIDES, MOST_PLUS = 100, 100, 10_000

_TEXT = re.compile(
    r"(?:(?P<dice>[1-9][0-9]{0,2})?[dD](?P<sides>[1-9][0-9]{0,2})(?:\+(?P<plus>[0-9]{1,5}))?)|(?P<flat>[0-9]{1,5})"
)


class AmountError(ValueError):
    """A text that is no amount; says what was expected."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The sum of ``dice`` fair dice of ``sides`` sides, and ``plus``; no dice are written with no sides."""

    dice: int
    sides: int
    plus: int = 0

    def __post_init__(self) -> None:
        whole = 0 <= self.dice <= MOST_DICE and 0 <= self.sides <= MOST_SIDES and 0 <= self.plus <= MOST_PLUS
        if not whole or (self.dice == 0) != (self.sides == 0):
            raise AmountError(
                f"expected dice with sides, or neither, got {self.dice} dice of {self.sides}, +{self.plus}"
            )

    @classmethod
    def of(cls, text: str) -> Amount:
        """The amount that a text says: ``3``, ``D6``, ``2D6``, ``D6+3``; raises ``AmountError``."""
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            raise AmountError(f"expected an amount such as 3, D6 or 2D6+1, got {text!r}")
        if found["flat"] is not None:
            return cls(0, 0, int(found["flat"]))
        return cls(int(found["dice"] or 1), int(found["sides"]), int(found["plus"] or 0))

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.dice * (self.sides + 1) / 2 + self.plus

    @property
    def least(self) -> int:
        """The lowest value that it can have."""
        return self.dice + self.plus

    @property
    def most(self) -> int:
        """The highest value that it can have."""
        return self.dice * self.sides + self.plus

    def pmf(self) -> Pmf:
        """The exact distribution."""
        if self.dice == 0:
            return Pmf(self.plus, np.ones(1))
        rolled = Pmf.die(self.sides, self.dice)
        return Pmf(rolled.start + self.plus, rolled.weights)

    def __str__(self) -> str:
        """The text that ``of`` reads back: ``3``, ``D6``, ``2D6+1``."""
        if self.dice == 0:
            return str(self.plus)
        many = "" if self.dice == 1 else str(self.dice)
        return f"{many}D{self.sides}{f'+{self.plus}' if self.plus else ''}"
