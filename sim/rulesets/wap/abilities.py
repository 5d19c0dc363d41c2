"""The abilities that this game reads, what may follow their names, and what they say of a unit."""

from __future__ import annotations

import re

from sim.battle import Unit
from sim.chance.amounts import Amount
from sim.rules.abilities import AbilityError, Reader, amount, bare, number, read_ability, words

RANDOM_MOVEMENT = "random-movement"
FEAR, TERROR, PANIC, PSYCHOLOGY = "fear", "terror", "panic", "psychology"
SIX_SIDED = re.compile(r"([1-9]\d?)?[dD]6")
UNIT_PAGE = Amount(3, 6)  # Random Movement (3D6), where no dice are written


def random_dice(value: str) -> Amount:
    """The dice of Random Movement, such as 3D6."""
    if not value:
        return UNIT_PAGE
    if SIX_SIDED.fullmatch(value) is None:
        raise AbilityError(f"expected dice such as 3D6, got {value!r}")
    return Amount.of(value)


KNOWN: dict[str, Reader] = {
    RANDOM_MOVEMENT: random_dice,
    "zzzzap": bare,
    "impact-hits": amount,
    "scythes": number,
    "grind-attack": amount,
    "loss-of-control": bare,
    "large-target": number,
    "swiftstride": bare,
    FEAR: bare,
    TERROR: bare,
    "immunity": words(FEAR, TERROR, PANIC, PSYCHOLOGY),
}


def read(text: str) -> str:
    """An ability as the game keeps it; raises ``AbilityError``."""
    return read_ability(KNOWN, text)


def amount_of(unit: Unit, token: str) -> Amount | None:
    """The number or dice of an ability; of two sets the higher, never their sum; None without a readable one."""
    found = []
    for ability in unit.abilities:
        name, _, value = ability.replace(":", " ", 1).partition(" ")
        try:
            if name == token:
                found.append(amount(value.strip(" ()+")))
        except AbilityError:
            continue
    return max(found, key=lambda one: (one.mean, one.most), default=None)


def immunities(unit: Unit) -> set[str]:
    """What a unit is immune to by name."""
    value = unit.ability("immunity")
    return set() if value is None else set(re.findall(r"[a-z]+", value.lower()))


def causes_fear(unit: Unit) -> bool:
    """Whether a unit causes Fear: whoever causes Terror does too."""
    return unit.ability(FEAR) is not None or unit.ability(TERROR) is not None


def fears_terror(unit: Unit) -> bool:
    """Whether Terror is Terror to a unit: who causes Fear or is immune to it takes it for Fear, others may not care."""
    return not causes_fear(unit) and not immunities(unit) & {FEAR, TERROR, PSYCHOLOGY}


def may_panic(unit: Unit) -> bool:
    """Whether a unit takes Panic tests at all."""
    return not immunities(unit) & {PANIC, PSYCHOLOGY}
