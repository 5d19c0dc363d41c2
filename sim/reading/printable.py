r"""Text from files as it may be shown: on one line, in letters that print, and no longer than a person reads.

What steers a terminal, turns the direction of writing or breaks a line is written as TOML would (``\u001b``).
"""

from __future__ import annotations

import unicodedata

LONGEST_QUOTE = 80  # letters of a value that are quoted
LONGEST_SENTENCE = 600  # letters of a whole complaint


def printable(text: str) -> str:
    """The text with an escape for every letter that does not print."""
    if text.isprintable():
        return text
    return "".join(letter if _prints(letter) else _escape(letter) for letter in text)


def shortened(text: str, most: int = LONGEST_SENTENCE) -> str:
    """The text, or its beginning and its end where it is longer."""
    if len(text) <= most:
        return text
    tail = most // 4
    return f"{text[: most - tail - 1]}…{text[len(text) - tail :]}"


def quoted(value: object) -> str:
    """A value as a complaint quotes it: as it would be written, and not at length."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return shortened(repr(value[: LONGEST_QUOTE + 1]), LONGEST_QUOTE)
        case dict():
            return "a table"
        case list() | tuple() if len(value) > 4 or any(isinstance(each, (dict, list, tuple)) for each in value):
            return "a list"
        case list() | tuple():
            return f"[{', '.join(map(quoted, value))}]"
        case int():
            return str(value) if abs(value) < 10**20 else "a number with too many digits"
        case _:
            return shortened(str(value), LONGEST_QUOTE)


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _prints(letter: str) -> bool:
    """Whether a letter prints; blanks of every width do."""
    return letter.isprintable() or unicodedata.category(letter) == "Zs"
