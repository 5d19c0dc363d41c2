"""Where faces come from: a seed, or a list that somebody wrote down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class DiceError(ValueError):
    """A roll that cannot be answered: the script ran out, or holds a face that the die does not have."""


class Dice(Protocol):
    """Anything that can be asked for faces."""

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """``count`` faces from 1 to ``sides``; the purpose is for people who roll by hand."""
        ...


class SeededDice:
    """Fair dice from a seed; the same seed gives the same faces in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.Generator(np.random.PCG64(seed))

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """``count`` independent uniform faces."""
        return tuple(int(face) for face in self._random.integers(1, sides + 1, size=count))


class ScriptedDice:
    """Faces that are read from a list, in order; running out is an error, never a guess."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    @property
    def left(self) -> int:
        """How many faces have not been read."""
        return len(self._faces) - self._used

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """The next ``count`` faces of the list; raises ``DiceError`` when it is too short or a face is wrong."""
        faces = self._faces[self._used : self._used + count]
        if len(faces) < count:
            raise DiceError(f"the roll script has {len(faces)} faces left, {purpose} needs {count}")
        for face in faces:
            if not 1 <= face <= sides:
                raise DiceError(f"the roll script says {face} for {purpose}, a die with {sides} sides was expected")
        self._used += count
        return faces
