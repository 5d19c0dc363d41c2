"""The abilities that this game reads, and what may follow their names."""

from __future__ import annotations

import re
from difflib import get_close_matches

from sim.rules.abilities import ALIKE, AbilityError, Reader, bare, read_ability

EDGE_WORDS = frozenset({"table-edge", "board-edge", "battlefield-edge", ""})
OPEN_WORDS = frozenset({"open-terrain", "open"})
DICE = re.compile(r"([1-9]\d?)?[dD]([1-9]\d?)")


def place(value: str) -> tuple[str, float | None]:
    """The (X) of Ambush: the words of a kind of place or of a friend, and the inches that replace the six, if any."""
    words: list[str] = []
    reach: list[float] = []
    for part in (text.strip() for text in value.strip("() ").split(",")):
        number = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:\"|″|in|inches)?", part)
        if number:
            reach.append(float(number[1]))
        elif part:
            words.append(re.sub(r"[\s_]+", "-", part.lower()))
    if len(words) > 1 or len(reach) > 1:
        raise AbilityError(f"expected one place and at most one number of inches, got {value!r}")
    return (words[0] if words else ""), (reach[0] if reach else None)


def understood_place(value: str) -> str:
    """A place that is not a misspelt edge or open terrain; any other words may name a friend."""
    words, _ = place(value)
    known = EDGE_WORDS | OPEN_WORDS
    near = [] if words in known else get_close_matches(words, known, 1, ALIKE)
    if near:
        raise AbilityError(f"expected a place or a friend, got {value!r}; did you mean {near[0]}?")
    return words


def dice(value: str) -> tuple[int, int]:
    """A number of dice and their sides, such as 2 and 6 for 2D6."""
    found = DICE.fullmatch(value.strip("() "))
    if found is None:
        raise AbilityError(f"expected dice such as 2D6, got {value!r}")
    return int(found[1] or 1), int(found[2])


KNOWN: dict[str, Reader] = {
    "ambush": understood_place,
    "random-movement": dice,
    "scoring": bare,
    "skirmishers": bare,
}


def read(text: str) -> str:
    """An ability as the game keeps it; raises ``AbilityError``."""
    return read_ability(KNOWN, text)
