"""What may stand in a unit's list of abilities, and what must follow a name; written as players write it.

A game that knows its abilities gives a table of their names. A value that it does not understand, and a name that is
nearly one that it knows, are refused with what was meant; a name that is like none of them is kept and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from sim.chance.amounts import Amount, AmountError

Reader = Callable[[str], object]  # of what follows a name; raises ``AbilityError``
ALIKE = 0.8  # how much a misspelt name has in common with what was meant, from 0 to 1


class AbilityError(ValueError):
    """An ability that is not understood; says what was expected."""


def bare(value: str) -> str:
    """Nothing follows the name."""
    if value:
        raise AbilityError(f"expected nothing after it, got {value!r}")
    return value


def amount(value: str) -> Amount:
    """A number, or dice such as D6 or D3+1."""
    try:
        return Amount.of(value)
    except AmountError as error:
        raise AbilityError(str(error)) from None


def number(value: str) -> int:
    """A whole number, with or without a plus before it."""
    if re.fullmatch(r"\+?\d{1,4}", value) is None:
        raise AbilityError(f"expected a whole number, got {value!r}")
    return int(value)


def words(*known: str) -> Reader:
    """One or more of some words, set apart by commas, strokes or blanks."""

    def read(value: str) -> tuple[str, ...]:
        found = tuple(re.sub(r"[,/]|\band\b", " ", value.lower()).split())
        if not found or not set(found) <= set(known):
            raise AbilityError(f"expected one or more of {', '.join(known)}, got {value!r}")
        return found

    return read


def read_ability(known: Mapping[str, Reader], text: str) -> str:
    """An ability as the game keeps it, ``impact-hits D6+1`` for ``Impact Hits (D6+1)``; raises ``AbilityError``."""
    token, _, value = text.replace(":", " ", 1).partition(" ")
    if token in known and value.strip() == value.strip(" ()"):
        _understood(known, token, value.strip())
        return text
    found = re.fullmatch(r"\s*([^:(]+?)\s*(?:[:(]\s*(.*?)[)\s]*)?", text)
    parts = (found[1], found[2] or "") if found is not None else (text, "")
    names = parts[0].split()
    for count in range(len(names), 0, -1):
        name = "-".join(names[:count]).lower()
        if name in known:
            value = " ".join((*names[count:], *parts[1].split()))
            _understood(known, name, value)
            return f"{name} {value}".strip()
    slug = "-".join(names).lower()
    if near := get_close_matches(slug, known, 1, ALIKE):
        raise AbilityError(f"no ability is called {text!r}; did you mean {near[0]}?")
    return text


def _understood(known: Mapping[str, Reader], name: str, value: str) -> None:
    try:
        known[name](value)
    except AbilityError as error:
        raise AbilityError(f"{name}: {error}") from None
