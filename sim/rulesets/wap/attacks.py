"""From a hit to a casualty: to wound, armour and ward saves, multiple wounds, and who falls."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal

from sim.battle import Battle, Marker, MarkerSet, Model, ModelsRemoved, Unit, WoundsChanged
from sim.rules import Ledger, Modifier, NeedRoll, Told
from sim.rulesets.wap.abilities import RANDOM_MOVEMENT

Resolving = Generator[Told, Any, Battle]  # a procedure that gives back the battle after it
Armour = Literal["all", "natural", "none"]

EVEN = 4  # the face that wounds when Strength equals Toughness
BEST, WORST = 2, 6  # a natural 1 always fails, a natural 6 always wounds
UNMODIFIED_STRENGTH = 3  # armour saves suffer one for every point of Strength above this


def wound_ledger(strength: int, toughness: int) -> Ledger:
    """What wounds: 4+ between equals, one better or worse a point of difference, never better than 2+."""
    difference = Modifier(strength - toughness, f"Strength {strength} against Toughness {toughness}", "To Wound")
    return Ledger(EVEN, (difference,), least=BEST)


def to_wound(strength: int, toughness: int) -> int:
    """The face that wounds; a 6 always does."""
    return min(WORST, wound_ledger(strength, toughness).needed)


def armour_save(unit: Unit, strength: int, armour: Armour) -> int | None:
    """The face that saves by armour against a Strength, None when no face does.

    Against lightning only natural armour (``NA`` of the profile) counts.
    """
    names = {"all": ("AS", "NA"), "natural": ("NA",), "none": ()}[armour]
    worn = [value for value in map(unit.value, names) if value is not None]
    if not worn:
        return None
    needed = int(min(worn)) + max(0, strength - UNMODIFIED_STRENGTH)
    return max(BEST, needed) if needed <= WORST else None


def hits(
    battle: Battle, target: str, count: int, strength: int, purpose: str, armour: Armour = "all", each: int = 0
) -> Resolving:
    """Automatic hits on a unit; each unsaved wound is one, or a die of ``each`` sides where that is given.

    Multiple wounds stay on the model that they fall on. A unit whose Toughness is not known is hit, and no more.
    """
    toughness = battle.unit(target).value("T")
    if toughness is None or count <= 0:
        return battle
    needed = to_wound(strength, int(toughness))
    faces = yield NeedRoll(count, 6, f"{purpose}: to wound {target} on {needed}+", _owner(battle, target))
    for _ in range(sum(1 for face in faces if face >= needed)):
        if not battle.unit(target).models:
            break
        saved = yield from _saved(battle, target, strength, purpose, armour)
        if saved:
            continue
        amount = 1
        if each:
            (amount,) = yield NeedRoll(1, each, f"{purpose}: wounds on {target}", _owner(battle, target))
        battle = yield from lose_wounds(battle, target, amount)
    return battle


def lose_wounds(battle: Battle, target: str, amount: int) -> Resolving:
    """One model of a unit loses wounds, as many as it has at most; at the last one it falls, from the rear."""
    unit = battle.unit(target)
    model = _next_to_suffer(unit)
    total = int(unit.value("W") or 1)
    lost = min(total, model.wounds_lost + amount)
    suffered = lost - model.wounds_lost
    if unit.ability(RANDOM_MOVEMENT) is not None:
        battle = yield MarkerSet(target, Marker("hurt", amount=suffered, until="end-of-phase"))
    if lost >= total:
        battle = yield ModelsRemoved(target, (model.id,))
        return battle
    battle = yield WoundsChanged(model.id, lost)
    return battle


def _saved(battle: Battle, target: str, strength: int, purpose: str, armour: Armour) -> Generator[Told, Any, bool]:
    unit = battle.unit(target)
    save = armour_save(unit, strength, armour)
    if save is not None:
        (face,) = yield NeedRoll(1, 6, f"{purpose}: {target} saves by armour on {save}+", unit.player)
        if face >= save:
            return True
    ward = unit.value("WARD")
    if ward is not None:
        (face,) = yield NeedRoll(1, 6, f"{purpose}: {target} wards on {ward:g}+", unit.player)
        return bool(face >= max(BEST, ward))
    return False


def _next_to_suffer(unit: Unit) -> Model:
    """The model that is wounded already, otherwise the last: casualties come from the rear rank."""
    wounded = [model for model in unit.models if model.wounds_lost]
    return wounded[0] if wounded else unit.models[-1]


def _owner(battle: Battle, target: str) -> str:
    return next((p for p in battle.players if p != battle.unit(target).player), "")
