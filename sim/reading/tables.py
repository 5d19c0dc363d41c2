"""The tables of a text in TOML, not too deep and without endless numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from sim.reading.faults import Fault, FileError
from sim.reading.places import Steps, key_of, line_of

MOST_NESTED = 32  # lists and tables within one another
LARGEST_INTEGER = 2**63 - 1  # as TOML has it
_LONG = re.compile(r"[0-9_]{4000,}")  # more digits than Python turns into a number
_DOTTED = re.compile(r"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){200}""")  # a key of more parts than anybody means
_TOO_DEEP = f"nested too deeply: expected at most {MOST_NESTED} lists and tables within one another"
_TOO_LONG = "a number with too many digits: expected at most 18"


def parse_toml(name: str, text: str, error: type[FileError] = FileError) -> dict[str, Any]:
    """The tables of a text; the name is for complaints. Raises the error with every fault that it has."""
    dotted = _DOTTED.search(text)
    if dotted is not None:
        number = text.count("\n", 0, dotted.start()) + 1
        raise error(name, f"line {number}", _TOO_DEEP, number)
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        what, _, where = str(wrong).rpartition(" (at ")
        line = re.match(r"line (\d+)", where)
        number = int(line[1]) if line else text.count("\n") + (not text.endswith("\n"))
        raise error(name, where.rstrip(")") if line else f"line {number}", what or str(wrong), number) from None
    except ValueError:
        found = _LONG.search(text)
        number = text.count("\n", 0, found.start()) + 1 if found else 1
        raise error(name, f"line {number}", _TOO_LONG, number) from None
    except RecursionError:
        raise error(name, "TOML", _TOO_DEEP) from None
    faults = [placed(name, text, steps, what) for steps, what in _beyond(raw)]
    if faults:
        raise error.of(faults)
    return raw


def placed(name: str, text: str, steps: Steps, what: str) -> Fault:
    """A fault of a value, with the line on which it stands and its key."""
    line, key = line_of(text, steps), key_of(steps)
    if line is None:
        return Fault(name, key or "top level", what)
    return Fault(name, f"line {line} ({key})" if key else f"line {line}", what, line)


def _beyond(raw: dict[str, Any]) -> Iterator[tuple[Steps, str]]:
    """Where something is nested too deeply, or a number is too long."""
    waiting: list[tuple[Steps, Any]] = [((), raw)]
    while waiting:
        steps, value = waiting.pop()
        if isinstance(value, (dict, list)):
            if len(steps) > MOST_NESTED:
                yield steps[:1], _TOO_DEEP
                continue
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            waiting.extend(((*steps, step), each) for step, each in inner if isinstance(each, (dict, list, int)))
        elif abs(value) > LARGEST_INTEGER:
            yield steps, _TOO_LONG
