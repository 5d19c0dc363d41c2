"""The abilities that this game reads, and what may follow their names."""

from __future__ import annotations

from sim.rules.abilities import Reader, bare, read_ability

TUNNELLING = "tunnelling"
KNOWN: dict[str, Reader] = {TUNNELLING: bare}


def read(text: str) -> str:
    """An ability as the game keeps it; raises ``AbilityError``."""
    return read_ability(KNOWN, text)
