"""Are two names the same, however people type them, and which one was meant by a name that is none?

Names come from lists, files and rulebooks: letters in any case, blanks of every kind, quotes, dashes, accents, and a
plural or not make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

ALIKE = 0.75  # how much of a misspelt name has to agree with what was meant, from 0 to 1
SHORTEST_PLURAL = 4  # letters; shorter words keep their s


@lru_cache(maxsize=16384)
def name_key(name: str) -> str:
    """A name as it is compared: plain letters and digits in words, without apostrophes and a plural s of a word."""
    plain = unicodedata.normalize("NFKD", re.sub(r"['’‘ʼ`´′]", "", name)).casefold()
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = re.split(r"[^\w]+|_", bare)
    return " ".join(_singular(word) for word in words if word)


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= SHORTEST_PLURAL and word.endswith("s") else word


@lru_cache(maxsize=4096)
def name_keys(names: tuple[str, ...]) -> frozenset[str]:
    """The keys of several names."""
    return frozenset(map(name_key, names))


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same, however they are typed."""
    return one == other or name_key(one) == name_key(other)


def meant_by(name: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """The known name that was probably meant by another, None where none has so much in common with it."""
    by_key = {name_key(each): each for each in known}
    found = get_close_matches(name_key(name), by_key, 1, alike)
    return by_key[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a complaint about an unknown name: what was probably meant, else nothing."""
    found = meant_by(name, known)
    return f"; did you mean {found!r}?" if found else ""
