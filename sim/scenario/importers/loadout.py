"""What does a model carry? Wargear as army lists write it: ``2x Drone (Pod), Rifle (Relic upgrade)``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST_THINGS = 200  # things that one model may carry before its line counts as not understood
MOST_NESTED = 3  # brackets within brackets

_COUNTED = re.compile(r"([0-9]{1,3})\s?[x×X]\s+(?=\S)")
_PRICE = re.compile(r"[\[(]\+?([0-9]{1,5}) ?(?:pts?|points?)[\])]$", re.IGNORECASE)
_UPGRADE = " upgrade"
_REMARKS = frozenset({"aura", "psychic"})  # words in brackets that belong to the name before them


@dataclass(frozen=True, slots=True)
class Carried:
    """What a list of wargear says: the things, one entry each, and what is no thing but an honour.

    ``priced`` are the things that have points of their own, which for a character are its enhancements.
    """

    things: tuple[str, ...] = ()
    enhancements: tuple[str, ...] = ()
    priced: tuple[str, ...] = ()
    warlord: bool = False


@dataclass(slots=True)
class _Found:
    things: list[str] = field(default_factory=list)
    upgrades: list[str] = field(default_factory=list)
    priced: list[str] = field(default_factory=list)
    warlord: bool = False

    def add(self, name: str, count: int) -> None:
        if len(self.things) + count > MOST_THINGS:
            raise ValueError(f"expected at most {MOST_THINGS} things carried by a model, got more")
        self.things += [name] * count


def read_carried(text: str) -> Carried:
    """What a list of wargear says; raises ``ValueError`` when it is more than a model can carry."""
    found = _Found()
    for item in _items(text):
        _read_item(item, 1, 0, found)
    return _without_enhancements(found)


def _without_enhancements(found: _Found) -> Carried:
    """An enhancement stands in the list by its own name and again, as an upgrade, behind what it changes."""
    names = {name.casefold() for name in found.upgrades}
    priced = [name for name in found.priced if name.casefold() not in names]
    things = tuple(name for name in found.things if name.casefold() not in names)
    return Carried(things, tuple(dict.fromkeys(found.upgrades)), tuple(priced), found.warlord)


def _read_item(item: str, times: int, depth: int, found: _Found) -> None:
    counted = _COUNTED.match(item)
    if counted is not None and int(counted[1]) > 0:
        times *= int(counted[1])
        item = item[counted.end() :]
    price = _PRICE.search(item)
    if price is not None:
        item = item[: price.start()].strip()
        found.priced.append(item)
    name, inner = _split_bracket(item)
    if item.casefold() == "warlord":
        found.warlord = True
    elif not inner or depth >= MOST_NESTED or inner.casefold() in _REMARKS:
        found.add(item, times)
    else:
        found.add(name, times)
        for part in _items(inner):
            if part.casefold().endswith(_UPGRADE):
                found.upgrades.append(part[: -len(_UPGRADE)].strip())
            else:
                _read_item(part, times, depth + 1, found)


def _items(text: str) -> list[str]:
    """The parts of a list between the commas that stand outside brackets, without empty ones."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part for part in (part.strip() for part in parts) if part]


def _split_bracket(item: str) -> tuple[str, str]:
    """``Name (inner)`` as its two parts; an empty second part when there is no bracket at the end."""
    opened = item.find("(")
    if opened <= 0 or not item.endswith(")"):
        return item, ""
    return item[:opened].strip(), item[opened + 1 : -1].strip()
