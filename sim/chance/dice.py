"""Where faces come from: a seed, or a list that somebody wrote down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np


class DiceError(ValueError):
    """A roll that cannot be answered: the script ran out, or holds a face that the die does not have."""


Kind = Literal["plain", "artillery", "scatter", "direction"]
Faces = tuple[int | float, ...]
MISFIRE = 0  # the face of an artillery die that misfires; the others are 2, 4, 6, 8, 10
HIT = -1.0  # a scatter die that hits; otherwise its face is an angle in degrees, from 0 along +x, counter-clockwise
ARTILLERY = (MISFIRE, 2, 4, 6, 8, 10)


def can_show(faces: Faces, count: int, sides: int, kind: Kind = "plain") -> bool:
    """Whether so many dice of a kind can show these faces."""
    return len(faces) == count and all(_shows(face, sides, kind) for face in faces)


def _shows(face: float, sides: int, kind: Kind) -> bool:
    match kind:
        case "plain":
            return face in range(1, sides + 1)
        case "artillery":
            return face in ARTILLERY
        case "scatter":
            return face == HIT or 0.0 <= face < 360.0
        case "direction":
            return 0.0 <= face < 360.0


class Dice(Protocol):
    """Anything that can be asked for faces."""

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        """``count`` faces; the purpose is for people who roll by hand.

        A plain die shows 1 to ``sides``. An artillery die shows 2, 4, 6, 8, 10 or ``MISFIRE``, each one time in six. A
        scatter die shows ``HIT`` one time in three, otherwise an angle from [0, 360), all angles alike; a direction is
        such an angle every time.
        """
        ...


class SeededDice:
    """Fair dice from a seed; the same seed gives the same faces in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.Generator(np.random.PCG64(seed))

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        """``count`` independent faces."""
        match kind:
            case "plain":
                return tuple(int(face) for face in self._random.integers(1, sides + 1, size=count))
            case "artillery":
                return tuple(ARTILLERY[int(k)] for k in self._random.integers(0, 6, size=count))
            case "scatter":
                return tuple(HIT if self._random.integers(3) == 0 else self._angle() for _ in range(count))
            case "direction":
                return tuple(self._angle() for _ in range(count))

    def _angle(self) -> float:
        return float(self._random.uniform(0.0, 360.0))


class ScriptedDice:
    """Faces that are read from a list, in order; running out is an error, never a guess."""

    def __init__(self, faces: Sequence[int | float | str]) -> None:
        self._faces = tuple(_WORDS.get(face, face) if isinstance(face, str) else face for face in faces)
        self._used = 0

    @property
    def left(self) -> int:
        """How many faces have not been read."""
        return len(self._faces) - self._used

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        """The next ``count`` faces of the list; raises ``DiceError`` when it is too short or a face is wrong."""
        faces = self._faces[self._used : self._used + count]
        if len(faces) < count:
            raise DiceError(f"the roll script has {len(faces)} faces left, {purpose} needs {count}")
        checked = tuple(_checked(face, sides, purpose, kind) for face in faces)
        self._used += count
        return checked


_WORDS: dict[str, int | float] = {"misfire": MISFIRE, "hit": HIT}


def _checked(face: int | float | str, sides: int, purpose: str, kind: Kind) -> int | float:
    """A face as the die has it; raises ``DiceError``."""
    if isinstance(face, (str, bool)):
        raise DiceError(f"the roll script says {face!r} for {purpose}")
    good, wanted = {
        "plain": (float(face).is_integer() and 1 <= face <= sides, f"a die with {sides} sides"),
        "artillery": (face in ARTILLERY, 'an artillery die: 2, 4, 6, 8, 10 or "misfire"'),
        "scatter": (face == HIT or 0 <= face <= 360, 'a scatter die: "hit" or an angle in degrees'),
        "direction": (0 <= face <= 360, "a direction: an angle in degrees"),
    }[kind]
    if not good:
        raise DiceError(f"the roll script says {face:g} for {purpose}, {wanted} was expected")
    return int(face) if kind in ("plain", "artillery") else float(face)
