"""An army list as it was written, without what copying it brings: quote marks, bold type, odd blanks, pictures.

Lines stay lines, so that a complaint names the line that the person sees.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

BULLETS = "•◦·▪"
QUOTED = 0.5  # the share of the lines with a quote mark from which on the whole list is a quotation

_QUOTE = re.compile(r"^\s*>\s?")
_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$")
_TYPE = re.compile(r"\*\*|__|`+|~~")
_ITALIC = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])")
_DASH = re.compile(r"(?<=\S)\s+[–—]\s+")
_NUMBER = re.compile(r"^(\s*)[0-9]{1,2}[.)]\s+(?=\D)")


def cleaned(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without what does not belong to them, as many as before."""
    plain = [_plain(line) for line in lines]
    written = [line for line in plain if line.strip()]
    if written and sum(_QUOTE.match(line) is not None for line in written) > QUOTED * len(written):
        plain = [_QUOTE.sub("", line) for line in plain]
    return tuple(_untyped(line) for line in plain)


def _plain(line: str) -> str:
    """Blanks of every kind are blanks; what has no width and what is a picture goes."""
    kept = []
    for letter in line:
        kind = unicodedata.category(letter)
        if kind == "Zs":
            kept.append(" ")
        elif letter in BULLETS or not (kind in ("So", "Cf", "Cs", "Co") or letter in "\ufe0e\ufe0f"):
            kept.append(letter)
    return "".join(kept)


def _untyped(line: str) -> str:
    """Without bold and slanted type and code marks, numbers of a list, and long dashes between words."""
    if _FENCE.match(line):
        return ""
    line = _ITALIC.sub(r"\2", _TYPE.sub("", line))
    return _DASH.sub(" - ", _NUMBER.sub(r"\1", line)).rstrip()
