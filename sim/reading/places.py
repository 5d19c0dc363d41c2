"""On which line of a text in TOML does a value stand?

A light reader beside the parser of the standard library, which tells no lines: it goes through a text that is known to
be right and notes where every table, key and entry of a list begins.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate

Steps = tuple[str | int, ...]  # where a value is: keys of tables and places in lists

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(["\\bfnrt]))')
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def line_of(text: str, steps: Steps) -> int | None:
    """The line on which a value of a right text stands, else that of the table or list around it; None if unknown."""
    lines = _lines_of(text)
    for end in range(len(steps), 0, -1):
        if steps[:end] in lines:
            return lines[steps[:end]]
    return None


def key_of(steps: Steps) -> str:
    """A place as complaints name it: ``unit[0].base``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def steps_of(path: str) -> Steps:
    """The steps of a path such as ``$.unit[0].base``, in which keys have no dots or brackets."""
    found = re.findall(r"[^.\[\]]+|\[\d+\]", path.removeprefix("$"))
    return tuple(int(step[1:-1]) if step.startswith("[") else step for step in found)


@lru_cache(maxsize=4)
def _lines_of(text: str) -> Mapping[Steps, int]:
    return _Places(text).all()


class _Places:
    """Goes through a text and notes the line of everything in it."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._ends = list(accumulate(len(line) + 1 for line in text.split("\n")))
        self.lines: dict[Steps, int] = {}
        self._rows: dict[Steps, int] = {}  # how many tables of an array of tables were met

    def all(self) -> dict[Steps, int]:
        """The line of every table, key and entry."""
        table: Steps = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            before = self.at
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
            if self.at == before:
                break  # no TOML: what was found so far has to do
        return self.lines

    def _skip(self, what: re.Pattern[str]) -> str:
        found = what.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def _note(self, steps: Steps, at: int) -> None:
        self.lines.setdefault(steps, bisect_right(self._ends, at) + 1)

    def _header(self) -> Steps:
        start, array = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if array else 1
        keys = self._key()
        self.at += 2 if array else 1
        steps: Steps = ()
        for number, key in enumerate(keys, 1):
            steps = (*steps, key)
            self._note(steps, start)
            if array and number == len(keys):
                self._rows[steps] = self._rows.get(steps, 0) + 1
            if steps in self._rows:
                steps = (*steps, self._rows[steps] - 1)
        self._note(steps, start)
        return steps

    def _key(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            found = self._skip(_TEXT)
            keys.append(_unquoted(found) if found else self._skip(_BARE))
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _pair(self, table: Steps) -> None:
        start = self.at
        steps = table
        for key in self._key():
            steps = (*steps, key)
            self._note(steps, start)
        if self.text.startswith("=", self.at):
            self.at += 1
            self._skip(_SPACE)
            self._value(steps)

    def _value(self, steps: Steps) -> None:
        match self.text[self.at : self.at + 1]:
            case "[":
                self._list(steps)
            case "{":
                self._inline(steps)
            case _:
                if not self._skip(_TEXT):
                    self._skip(_SCALAR)

    def _list(self, steps: Steps) -> None:
        self.at += 1
        place = 0
        while self._more("]"):
            self._note((*steps, place), self.at)
            self._value((*steps, place))
            place += 1

    def _inline(self, steps: Steps) -> None:
        self.at += 1
        while self._more("}"):
            self._pair(steps)

    def _more(self, end: str) -> bool:
        """Whether another entry follows; goes to it, or behind the end."""
        self._skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_BLANK)
        if self.text.startswith(end, self.at):
            self.at += 1
            return False
        return self.at < len(self.text)


def _unquoted(text: str) -> str:
    if text.startswith("'"):
        return text[1:-1]
    return _ESCAPE.sub(lambda found: _PLAIN[found[3]] if found[3] else chr(int(found[1] or found[2], 16)), text[1:-1])
