"""What a file says of a unit's attacks besides its weapons: which rolls fall again, and what is added to them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Again = Literal["none", "ones", "failed"]
Roll = Literal["hit", "wound", "ap", "damage", "attacks"]
Side = Literal["own", "enemy"]
Attacks = Literal["all", "ranged", "melee"]
MOST = 10  # that a modifier adds or takes away
By = Annotated[int, Meta(ge=-MOST, le=MOST)]


class ReRolls(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which rolls of a unit's own attacks are rolled again; ``attacks`` says of which of its attacks."""

    hit: Again = "none"
    wound: Again = "none"
    damage: bool = False
    attacks: Attacks = "all"


class RollModifier(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is added to a number of attacks that a unit makes (``own``), or that are made at it (``enemy``).

    A positive ``by`` helps the attacker: easier to hit or to wound, better Armour Penetration, more damage or attacks.
    """

    to: Roll
    by: By
    side: Side = "own"
    attacks: Attacks = "all"
    reason: str = ""

    @property
    def nonsense(self) -> tuple[str, str] | None:
        """The key that makes no sense, and what was expected of it; None where all is well."""
        if self.by == 0:
            return "by", f"expected a number from -{MOST} to {MOST} that is not 0, got 0"
        if self.to == "attacks" and self.by < 0:
            return "by", f"expected more attacks, a number from 1 to {MOST}, got {self.by}"
        if self.to == "attacks" and self.side == "enemy":
            return "side", 'expected "own": a unit adds attacks to its own weapons only'
        return None
