"""What may an army list say of a unit? What an importer asks a game, to find what cannot be meant."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Listing:
    """A datasheet as army lists speak of it: how many models there may be, and what they may carry, by name."""

    sizes: tuple[int, ...] = ()
    weapons: tuple[str, ...] = ()
    wargear: tuple[str, ...] = ()
