"""Which style is this text, and what army does it say? The way into the importers.

A style is told by the text alone, never by the file's name. Styles that are known but not read yet are named,
so that a person learns what to export instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.reading import read_bytes
from sim.scenario.importers import new_recruit_simple
from sim.scenario.importers.army import Draft, ImportedArmy, ImporterError
from sim.scenario.importers.bases import load_bases
from sim.scenario.importers.cleaning import cleaned
from sim.scenario.importers.muster import Knows, muster
from sim.scenario.importers.other_games import other_game

LARGEST = 5_000_000  # bytes, or letters of a text; army lists have a few thousand

_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_BRACKETED_POINTS = re.compile(r"\([0-9,]{1,9} ?(?:pts?|points?)\)", re.IGNORECASE)
_APP_POINTS = re.compile(r"\([0-9,]{1,9} Points\)\s*$")
_BATTLESCRIBE_HEADING = re.compile(r"\+{1,2} [^+]{1,200} \+{1,2}\s*$")
_WTC_LINE = re.compile(r"(?:Char[0-9]{1,3}: |\s*[0-9]{1,3} with )")


@dataclass(frozen=True, slots=True)
class Style:
    """A way of writing an army list: its title, how it is told, and its reader where there is one."""

    title: str
    looks_like: Callable[[str, Sequence[str]], bool]
    read: Callable[[Sequence[str]], Draft] | None = None


def read_army(text: str, name: str = "<text>", knows: Knows | None = None) -> ImportedArmy:
    """The army that a text says, with a base for every unit and every line that was not understood.

    ``knows`` tells what the game's datasheet of a name allows, None without one; without it nobody is asked.
    Raises ``ImporterError``, on one line, for what is empty, too large, no text, or no known army list.
    """
    if len(text) > LARGEST:
        raise ImporterError(name, "text", f"expected at most {LARGEST:,} letters, got {len(text):,}")
    text = text.removeprefix("\ufeff").encode("utf-8", "replace").decode("utf-8")
    if not text.strip():
        raise ImporterError(name, "text", "expected an army list, got an empty text")
    lines = cleaned(_LINE_END.split(text))
    style = next((style for style in STYLES if style.looks_like(text, lines)), None)
    if style is None:
        raise ImporterError(name, "text", f"expected an army list ({_readable()}), got {_sample(lines)}")
    if style.read is None:
        raise _not_yet(name, style.title)
    if (game := other_game(lines)) is not None:
        raise ImporterError(name, "text", f"this looks like a list of {game}; lists of Warhammer 40,000 are read")
    if (junk := _CONTROL.search(text)) is not None:
        line = text.count("\n", 0, junk.start()) + 1
        raise ImporterError(name, f"line {line}", f"expected text, got the control character {junk[0]!r}", line)
    return muster(style.read(lines), load_bases(), name, style.title, knows)


def read_army_file(path: Path, knows: Knows | None = None) -> ImportedArmy:
    """The army of a file; raises ``ImporterError`` as ``read_army`` does."""
    data = read_bytes(path, LARGEST, ImporterError)
    return read_army(decode_army(data, str(path)), str(path), knows)


def decode_army(data: bytes, name: str = "<text>") -> str:
    """The bytes of a file as text (UTF-8, or UTF-16 with its mark); else raises ``ImporterError``."""
    if len(data) > LARGEST:
        raise ImporterError(name, "file", f"expected at most {LARGEST:,} bytes, got {len(data):,}")
    if data.startswith(b"PK\x03\x04"):
        raise _not_yet(name, "a zipped BattleScribe roster (.rosz)")
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        what = f"expected text in UTF-8, got byte 0x{data[error.start]:02x} at {error.start:,}"
        raise ImporterError(name, f"byte {error.start}", what) from None


def _is_battlescribe_xml(text: str, _: Sequence[str]) -> bool:
    return text.lstrip().startswith("<") and "rosterSchema" in text[:5_000]


def _is_table_save(text: str, _: Sequence[str]) -> bool:
    return text.lstrip().startswith("{") and '"ObjectStates"' in text


def _is_roster_json(text: str, _: Sequence[str]) -> bool:
    return text.lstrip().startswith("{") and '"roster"' in text


def _is_json(text: str, _: Sequence[str]) -> bool:
    return text.lstrip().startswith("{")


def _is_xml(text: str, _: Sequence[str]) -> bool:
    return text.lstrip().startswith("<")


def _is_app(_: str, lines: Sequence[str]) -> bool:
    if any(line.startswith("Exported with App Version") for line in lines):
        return True
    return sum(_APP_POINTS.search(line[-40:]) is not None for line in lines) > 1


def _is_wtc(text: str, lines: Sequence[str]) -> bool:
    return _has_keyword_header(text, lines) and any(_WTC_LINE.match(line) for line in lines)


def _has_keyword_header(_: str, lines: Sequence[str]) -> bool:
    return any(line.startswith("+ FACTION KEYWORD:") for line in lines)


def _is_battlescribe_text(_: str, lines: Sequence[str]) -> bool:
    return any(_BATTLESCRIBE_HEADING.match(line) for line in lines)


def _is_short(_: str, lines: Sequence[str]) -> bool:
    return any(_BRACKETED_POINTS.search(line[:400]) for line in lines)


# The first that fits is taken: a special mark before a general one.
STYLES: tuple[Style, ...] = (
    Style("a BattleScribe roster (.ros)", _is_battlescribe_xml),
    Style("a Tabletop Simulator save", _is_table_save),
    Style("a roster in JSON", _is_roster_json),
    Style("a file in JSON", _is_json),
    Style("a file in XML or HTML", _is_xml),
    Style('New Recruit "WTC full"', _is_wtc),
    Style('New Recruit "GW style"', _has_keyword_header),
    Style("BattleScribe's plain text", _is_battlescribe_text),
    Style(
        new_recruit_simple.TITLE,
        lambda _, lines: new_recruit_simple.recognises(lines),
        new_recruit_simple.read,
    ),
    Style("the publisher's app", _is_app),
    Style('New Recruit "short"', _is_short),
)


def _not_yet(name: str, title: str) -> ImporterError:
    return ImporterError(name, "text", f"this looks like {title}, which is not read yet; expected {_readable()}")


def _readable() -> str:
    return " or ".join(style.title for style in STYLES if style.read is not None)


def _sample(lines: Sequence[str]) -> str:
    """The first line with something on it, short enough to be quoted."""
    first = next((line.strip() for line in lines if line.strip()), "")
    if _CONTROL.search(first):
        return "binary data"
    return repr(first if len(first) <= 60 else f"{first[:57]}...")
