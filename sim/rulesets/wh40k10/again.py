"""Which dice of an attack does its player roll again by the attack's own abilities? Asked where there is a decision.

Of dice that may all be rolled again the failures are, unless something is to be gained by Critical Hits or Wounds:
then the player says which. The option that does best on the average is named first.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Literal

from sim.battle import Battle, Marker, MarkerSet, RollAbout
from sim.rules import NeedChoice, NeedRoll, Option, Told
from sim.rulesets.wh40k10 import rolls
from sim.rulesets.wh40k10.attacks import Attack

Which = Literal["hit", "wound"]
FAILED, NO_CRITICALS, NONE = "failed", "all-but-criticals", "none"  # the answers of a player
AGAIN, KEEP = "again", "keep"
USED_UP = "re-rolled-one"  # the marker of a unit that has rolled its one die of this phase again
Fallen = Generator[Told, Any, tuple[Battle, list[int], frozenset[int]]]  # with the dice that fell twice


def own(
    battle: Battle, attacker: str, given: Sequence[int], attack: Attack, which: Which, purpose: str, told: RollAbout
) -> Fallen:
    """Hit or Wound rolls after everything that the attack itself rolls again."""
    battle, faces, fell = yield from _of_all(battle, attacker, list(given), attack, which, purpose, told)
    if attack.one_again and not battle.unit(attacker).marked(USED_UP):
        battle, faces, one = yield from _one(battle, attacker, faces, attack, which, purpose, told, fell)
        fell |= one
    return battle, faces, fell


def _of_all(
    battle: Battle, attacker: str, faces: list[int], attack: Attack, which: Which, purpose: str, told: RollAbout
) -> Fallen:
    how = attack.hit_again if which == "hit" else attack.wound_again
    answer = how
    if how in ("failed", "all-but-criticals") and _fishes(attack, which, faces):
        options = (FAILED, NO_CRITICALS, NONE) if how == "failed" else (NO_CRITICALS, FAILED, NONE)
        shown = " ".join(map(str, faces))
        answer = yield NeedChoice(_player(battle, attacker), f"{purpose}: {shown}: which are rolled again", options)
    elif how == "all-but-criticals":
        answer = "failed"
    weak = [k for k, face in enumerate(faces) if answer != NONE and attack.falls_again(which, answer, face)]
    battle, faces = yield from _rolled_anew(battle, attacker, faces, weak, purpose, told)
    return battle, faces, frozenset(weak)


def _fishes(attack: Attack, which: Which, faces: Sequence[int]) -> bool:
    """Whether some die that succeeds would be better as a Critical one."""
    if not attack.gains_by_criticals(which):
        return False
    succeeds = attack.hits if which == "hit" else attack.wounds
    return any(succeeds(face) and not attack.is_critical(which, face) for face in faces)


def _one(
    battle: Battle,
    attacker: str,
    faces: list[int],
    attack: Attack,
    which: Which,
    purpose: str,
    told: RollAbout,
    fell: frozenset[int],
) -> Fallen:
    """One die for all of the unit's attacks: its player says which, or keeps it for another roll."""
    succeeds = attack.hits if which == "hit" else attack.wounds
    better = attack.gains_by_criticals(which)
    open_to = [
        k
        for k, face in enumerate(faces)
        if k not in fell and not (attack.is_critical(which, face) if better else succeeds(face))
    ]
    if not open_to:
        return battle, faces, frozenset()
    options = tuple(str(face) for face in sorted({faces[k] for k in open_to}))
    fails = not succeeds(int(options[0]))
    names = (*options, KEEP) if fails else (KEEP, *options)
    about = (*(Option(face, f"Roll the {face} again") for face in options), Option(KEEP, "Keep the dice"))
    picked = yield NeedChoice(_player(battle, attacker), f"{purpose}: one die again", names, about=about)
    if picked == KEEP:
        return battle, faces, frozenset()
    battle = yield MarkerSet(attacker, Marker(USED_UP, until="end-of-phase"))
    at = next(k for k in open_to if faces[k] == int(picked))
    battle, faces = yield from _rolled_anew(battle, attacker, faces, [at], purpose, told)
    return battle, faces, frozenset((at,))


def damage(
    battle: Battle, attacker: str, given: Sequence[int], attack: Attack, purpose: str, told: RollAbout | None
) -> Fallen:
    """A Damage roll that may be rolled again, all its dice together: the player says whether it is."""
    faces, every = list(given), frozenset(range(len(given)))
    if not attack.damage_again or sum(faces) >= len(faces) * attack.damage.sides:
        return battle, faces, frozenset()
    options = (AGAIN, KEEP) if sum(faces) + attack.damage.plus < attack.damage.mean else (KEEP, AGAIN)
    shown = " ".join(map(str, faces))
    picked = yield NeedChoice(_player(battle, attacker), f"{purpose}: {shown}", options)
    if picked == KEEP:
        return battle, faces, frozenset()
    player, sides = _player(battle, attacker), attack.damage.sides
    new = yield NeedRoll(len(faces), sides, f"{purpose}, again", player, about=rolls.again_of(told))
    return battle, list(new), every


def _rolled_anew(
    battle: Battle, attacker: str, faces: list[int], which: Sequence[int], purpose: str, told: RollAbout
) -> Generator[Told, Any, tuple[Battle, list[int]]]:
    if not which:
        return battle, faces
    player = _player(battle, attacker)
    new = yield NeedRoll(len(which), 6, f"{purpose}, again", player, about=rolls.again_of(told))
    fallen = dict(zip(which, new, strict=True))
    return battle, [fallen.get(k, face) for k, face in enumerate(faces)]


def _player(battle: Battle, attacker: str) -> str:
    """The player whose dice they are."""
    return battle.unit(attacker).player
