"""How is a length written for people? In hundredths of an inch, and in more digits only where those decide."""

from __future__ import annotations

from sim.geometry.tolerance import EPS

FEWEST, MOST = 2, 6  # digits behind the point


def plain(value: float) -> str:
    """Inches in hundredths, without noughts at the end."""
    return _cut(f"{value:.{FEWEST}f}")


def compared(value: float, limit: float) -> tuple[str, str]:
    """A length and its limit, with as few digits as show on which side of the limit it lies."""
    one, other = "", ""
    for digits in range(FEWEST, MOST + 1):
        one, other = f"{value:.{digits}f}", f"{limit:.{digits}f}"
        if one != other or abs(value - limit) < EPS:
            break
    return f'{one}"', f'{_cut(other)}"'


def inches(value: float, limit: float | None = None) -> str:
    """A length in hundredths, with more digits where hundredths would hide on which side of a limit it lies."""
    return f'{value:.{FEWEST}f}"' if limit is None else compared(value, limit)[0]


def _cut(number: str) -> str:
    short = number.rstrip("0").rstrip(".") if "." in number else number
    return "0" if short == "-0" else short
