"""Re-rolls and modifiers that a file gives a unit: what they do to an attack, played and in the odds alike."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Attached, Unit
from sim.battle.own_rolls import Attacks, ReRolls, Roll, Side
from sim.rules import Modifier
from sim.rulesets.wh40k10.attacks import ReRoll
from sim.rulesets.wh40k10.datasheets import Weapon

RANK: tuple[ReRoll, ...] = ("none", "ones", "failed", "all-but-criticals")  # from the least to the most
Bearer = Unit | Attached
REASON = "of its own"


def bearer_of(unit: Unit, model: str) -> Bearer:
    """The leader to whom a model belongs, else the unit: whose re-rolls and modifiers its attacks have."""
    return (unit.leader_of(model) if unit.attached else None) or unit


def modifiers(bearer: Bearer, target: Unit, to: Roll, weapon: Weapon) -> Iterator[Modifier]:
    """What the attacker has and what the target has that bears on one number of an attack."""
    yield from _of(bearer, "own", to, weapon)
    yield from _of(target, "enemy", to, weapon)


def _of(part: Bearer, side: Side, to: Roll, weapon: Weapon) -> Iterator[Modifier]:
    for given in part.modifiers:
        if given.to == to and given.side == side and _is_of(weapon, given.attacks):
            yield Modifier(given.by, given.reason or REASON, part.name or part.id)


def more_attacks(bearer: Bearer, weapon: Weapon) -> int:
    """How many attacks more each weapon of a bearer makes."""
    return sum(modifier.value for modifier in _of(bearer, "own", "attacks", weapon))


def again(bearer: Bearer, which: Roll, weapon: Weapon, otherwise: ReRoll) -> ReRoll:
    """Which Hit or Wound rolls are rolled again: by the bearer's own re-rolls or by what else it has, the better."""
    given = _rerolls(bearer, weapon)
    own: ReRoll = "none" if given is None else given.hit if which == "hit" else given.wound
    return max(own, otherwise, key=RANK.index)


def damage_again(bearer: Bearer, weapon: Weapon) -> bool:
    """Whether Damage rolls of a bearer's attacks may be rolled again."""
    given = _rerolls(bearer, weapon)
    return given is not None and given.damage


def _rerolls(bearer: Bearer, weapon: Weapon) -> ReRolls | None:
    given = bearer.rerolls
    return given if given is not None and _is_of(weapon, given.attacks) else None


def _is_of(weapon: Weapon, attacks: Attacks) -> bool:
    return attacks == "all" or (attacks == "ranged") == weapon.ranged
