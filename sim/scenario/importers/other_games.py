"""Of which other game is this list? Told by words that stand in titles, headings and settings of its lists alone."""

from __future__ import annotations

from collections.abc import Sequence

# Words in small letters that lists of Warhammer 40,000 do not have where a list speaks of itself.
WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Age of Sigmar",
        (
            "age of sigmar",
            "pitched battle ghb",
            "general's handbook",
            "grand strategy",
            "battle tactics",
            "regiment of",
        ),
    ),
    ("The Old World", ("the old world", "old world:")),
    ("The Horus Heresy", ("horus heresy", "rite of war", "legiones astartes")),
    ("The 9th Age", ("9th age", "t9a")),
    ("Warhammer Fantasy", ("warhammer fantasy", "warhammer armies project")),
    ("Warcry", ("warcry",)),
    ("Necromunda", ("necromunda",)),
    ("Blood Bowl", ("blood bowl",)),
    ("the Middle-earth game", ("middle-earth", "middle earth")),
    ("One Page Rules", ("one page rules", "onepagerules", "grimdark future")),
    ("Bolt Action", ("bolt action",)),
)


def other_game(lines: Sequence[str]) -> str | None:
    """The other game whose list this is; None where nothing says so."""
    spoken = [line.casefold().replace("’", "'") for line in _about_itself(lines)]
    for game, words in WORDS:
        if any(word in line for word in words for line in spoken):
            return game
    return None


def _about_itself(lines: Sequence[str]) -> list[str]:
    """The first line, headings, and lines that are neither a unit nor carried by one."""
    written = [line.strip() for line in lines if line.strip()]
    return [line for k, line in enumerate(written) if k == 0 or line[0] in "#+" or _is_plain(line)]


def _is_plain(line: str) -> bool:
    return line[0].isalpha() and "[" not in line
