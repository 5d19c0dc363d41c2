"""One attack described once: its needed numbers with their reasons, for the dice and for the odds alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sim.chance import Pmf
from sim.chance.amounts import Amount
from sim.chance.casualties import Toll, both, ignored, repeated, repeated_pairs, toll, toll_of_two
from sim.rules import Ledger, Modifier

ReRoll = Literal["none", "ones", "failed", "all-but-criticals"]

SIDES = 6
CRITICAL = 6  # an unmodified face that is critical and always succeeds; Hit Roll, Wound Roll
ALWAYS_FAILS = 1  # an unmodified face; Hit Roll, Wound Roll, Saving Throw
MODIFIER_CAP = 1  # of Hit and Wound rolls, either way
NEVER = 7  # no face
LEAST_DAMAGE = 1
EXACT = 9  # decimals to which two ways to roll again are compared; of equal ones failures are rolled again
NOTHING = Amount(0, 0)
NEGLIGIBLE = 1e-18  # chances of so many blows or more that no number of the odds could show

HIT, WOUND, SAVE = "Hit Roll", "Wound Roll", "Saving Throw"


@dataclass(frozen=True)
class Share:
    """What part of one weapon's attacks goes at one of several targets.

    ``asked`` is how many the player wants at each of them, None for what is left, and ``place`` is which of them this
    is. What is left is shared out evenly between those that are not counted, the first of them having one more.
    """

    asked: tuple[int | None, ...]
    place: int

    def of(self, attacks: int) -> int:
        """How many of so many attacks this is; the counted ones come first as long as there are any."""
        left, given = attacks, []
        for count in self.asked:
            given.append(0 if count is None else min(count, left))
            left -= given[-1]
        rest = [k for k, count in enumerate(self.asked) if count is None] or [len(self.asked) - 1]
        for j, k in enumerate(rest):
            given[k] += left // len(rest) + (j < left % len(rest))
        return given[self.place]


@dataclass(frozen=True)
class Attack:
    """A weapon's attack on a unit: everything that the dice and the odds need to know.

    ``hit`` is None for attacks that hit by themselves. Needed faces of more than 6 cannot be rolled; a critical still
    succeeds. ``save`` and ``exposed_save`` are what models with and without the Benefit of Cover need.
    """

    name: str
    attacks: Amount
    more_attacks: int  # added to each weapon's number: Rapid Fire, Blast
    hit: Ledger | None
    wound: Ledger
    save: Ledger
    invulnerable: int | None
    damage: Amount
    more_damage: int = 0  # Melta, and what lessens Damage
    extra_attacks: Amount = NOTHING  # the same with dice of its own: Rapid Fire D6
    extra_damage: Amount = NOTHING  # Melta D3
    only_sixes: bool = False  # nothing but an unmodified 6 hits: Fire Overwatch
    fails_up_to: int = ALWAYS_FAILS  # unmodified faces up to this miss: Indirect Fire
    hit_again: ReRoll = "none"
    wound_again: ReRoll = "none"
    critical_wound: int = CRITICAL  # Anti lowers it
    sustained: Amount = NOTHING  # more hits of each critical one
    lethal: bool = False
    devastating: bool = False
    ignores_wounds: int | None = None  # Feel No Pain: this face or more, for each wound
    ignores_mortal: int | None = None  # the same for mortal wounds, where it is better
    ap: int = 0
    damage_again: bool = False  # Damage rolls may be rolled again
    one_again: bool = False  # one Hit or Wound roll of all the unit's attacks may be rolled again
    share: Share | None = None  # where one weapon's attacks go at several targets

    @property
    def saves_on(self) -> int:
        """The lowest face that saves, by armour or by an invulnerable save, whichever is better."""
        armour = self.save.needed
        if self.invulnerable is None:
            return armour
        return min(armour, max(ALWAYS_FAILS + 1, self.invulnerable))

    def hits(self, face: int) -> bool:
        """Whether an unmodified face hits."""
        if self.hit is None or face == CRITICAL:
            return True
        return not self.only_sixes and face > self.fails_up_to and face >= self.hit.needed

    def wounds(self, face: int) -> bool:
        """Whether an unmodified face wounds."""
        return face >= self.critical_wound or (face > ALWAYS_FAILS and face >= self.wound.needed)

    def saves(self, face: int) -> bool:
        """Whether an unmodified face saves."""
        return face > ALWAYS_FAILS and face >= self.saves_on

    def is_critical(self, which: Literal["hit", "wound"], face: int) -> bool:
        """Whether an unmodified face is a Critical Hit or a Critical Wound."""
        return face >= (CRITICAL if which == "hit" else self.critical_wound)

    def gains_by_criticals(self, which: Literal["hit", "wound"]) -> bool:
        """Whether a critical die does more than another that succeeds."""
        if which == "hit":
            return self.hit is not None and (self.lethal or self.sustained.most > 0)
        return self.devastating

    def falls_again(self, which: Literal["hit", "wound"], how: ReRoll, face: int) -> bool:
        """Whether a die is rolled once more."""
        if how == "all-but-criticals":
            return not self.is_critical(which, face)
        fine = self.hits(face) if which == "hit" else self.wounds(face)
        return not fine and (how == "failed" or (how == "ones" and face == ALWAYS_FAILS))

    def decided(self) -> Attack:
        """As the attack is when its player always rolls again whichever dice are best on the average."""
        ways: list[list[ReRoll]] = []
        for which, how in (("hit", self.hit_again), ("wound", self.wound_again)):
            fishes = how == "failed" and self.gains_by_criticals("hit" if which == "hit" else "wound")
            ways.append(["failed", "all-but-criticals"] if fishes else [how])
        if len(ways[0]) == len(ways[1]) == 1:
            return self
        found = [replace(self, hit_again=hit, wound_again=wound) for hit in ways[0] for wound in ways[1]]
        return max(found, key=lambda attack: round(float(attack.through @ np.arange(len(attack.through))), EXACT))

    def number(self, weapons: int = 1) -> Pmf:
        """The distribution of the number of attacks of so many weapons."""
        one = self._number_of_one()
        weights = np.array([1.0])
        for _ in range(weapons):
            weights = np.convolve(weights, one.weights)
        return Pmf(weapons * one.start, weights)

    def _number_of_one(self) -> Pmf:
        """The distribution of the number of attacks that one weapon makes at this target."""
        whole = _sum(self.attacks.pmf(), self.extra_attacks.pmf())
        start = whole.start + self.more_attacks
        if self.share is None:
            return Pmf(start, whole.weights)
        weights = np.zeros(start + len(whole.weights))
        for k, chance in enumerate(whole.weights):
            weights[self.share.of(start + k)] += chance
        return Pmf(0, weights)

    @property
    def damage_pmf(self) -> Pmf:
        """The distribution of the Damage of one attack, before wounds are ignored."""
        rolled = _sum(_best_of_two(self.damage) if self.damage_again else self.damage.pmf(), self.extra_damage.pmf())
        low = rolled.start + self.more_damage
        if low >= LEAST_DAMAGE:
            return Pmf(low, rolled.weights)
        short = min(len(rolled.weights) - 1, LEAST_DAMAGE - low)
        weights = np.concatenate(([rolled.weights[: short + 1].sum()], rolled.weights[short + 1 :]))
        return Pmf(LEAST_DAMAGE, weights)

    def felt(self, ignores: int | None) -> Pmf:
        """The wounds that one blow costs a model that ignores each of them on a face, or none with None."""
        damage = self.damage_pmf
        return damage if ignores is None else ignored(damage, (NEVER - ignores) / SIDES)

    @property
    def mortal_ignored_on(self) -> int | None:
        """The face on which a wound of a mortal blow is ignored."""
        return self.ignores_wounds if self.ignores_mortal is None else self.ignores_mortal

    def odds(self, weapons: int, wounds: tuple[int, ...]) -> Toll:
        """The exact toll of so many weapons on models alike, with so many wounds left, in the order they suffer in."""
        damage = self.felt(self.ignores_wounds)
        if not self.devastating or self.mortal_ignored_on == self.ignores_wounds:
            return toll(repeated(self.through, self.number(weapons)), damage, wounds)
        blows = repeated_pairs(self.landing(self.save_chance), self.number(weapons))
        return toll_of_two(blows, (damage, self.felt(self.mortal_ignored_on)), wounds)

    @property
    def through(self) -> NDArray[np.float64]:
        """The chance that 0, 1, 2 … blows of one attack get through to the models' wounds."""
        kinds = self.landing(self.save_chance)
        out = np.zeros(kinds.shape[0] + kinds.shape[1] - 1)
        for (damage, mortal), chance in np.ndenumerate(kinds):
            out[damage + mortal] += chance
        last = max(1, int(np.flatnonzero(out)[-1]))
        return out[: last + 1]

    def landing(self, saved: float) -> NDArray[np.float64]:
        """The chances that so many wounds (rows) and blows of mortal wounds (columns) come of one attack.

        Each wound but mortal ones is stopped with the chance ``saved``, 0 for those that are yet to be saved.
        """
        critical, plain = self._hit_chances()
        normal, mortal = self._wound_chances(saved)
        stopped = np.array([[1.0 - normal - mortal, mortal], [normal, 0.0]])
        first = np.array([[saved, 0.0], [1.0 - saved, 0.0]]) if self.lethal else stopped
        most = 1 + self.sustained.most
        whole = np.zeros((most + 1, most + 1))
        more = np.array([[1.0]])
        for extra, chance in enumerate((0.0,) * self.sustained.least + tuple(self.sustained.pmf().weights)):
            out = both(first, more)
            whole[: out.shape[0], : out.shape[1]] += critical * chance * out
            more = both(more, stopped) if extra < self.sustained.most else more
        whole[:2, :2] += plain * stopped
        whole[0, 0] += 1.0 - critical - plain
        return whole

    def blows(self, weapons: int) -> NDArray[np.float64]:
        """The chances of so many wounds to be saved (rows) and blows of mortal wounds (columns) of so many weapons."""
        fresh = save_ledger(NEVER, 0, cover=False)
        only_rolls = replace(
            self, name="", save=fresh, invulnerable=None, damage=NOTHING, more_damage=0, extra_damage=NOTHING, ap=0
        )
        return _blows(replace(only_rolls, ignores_wounds=None, ignores_mortal=None), weapons)

    @property
    def rolls(self) -> tuple[object, ...]:
        """What the number of wounds and mortal blows depends on: alike for attacks that wound alike."""
        fine = [tuple(test(face) for face in range(1, SIDES + 1)) for test in (self.hits, self.wounds)]
        number = (self.attacks, self.more_attacks, self.extra_attacks, self.share)
        again = (self.hit_again, self.wound_again)
        effects = (self.sustained, self.lethal, self.devastating, self.critical_wound if self.devastating else 0)
        return (self.hit is None, *fine, *number, *again, *effects)

    def _hit_chances(self) -> tuple[float, float]:
        """The chances of a critical hit and of a plain one."""
        if self.hit is None:
            return 0.0, 1.0
        faces = self._faces("hit", self.hit_again)
        fine = math.fsum(faces[f - 1] for f in range(1, SIDES) if self.hits(f))
        return float(faces[CRITICAL - 1]), float(fine)

    def _faces(self, which: Literal["hit", "wound"], how: ReRoll) -> tuple[float, ...]:
        """The chances of the faces 1 to 6 of a Hit or Wound roll, those that are rolled again included."""
        return _faces(tuple(self.falls_again(which, how, face) for face in range(1, SIDES + 1)))

    def _wound_chances(self, saved: float) -> tuple[float, float]:
        """The chances that a hit wounds and is not stopped, and that it does mortal wounds."""
        faces = self._faces("wound", self.wound_again)
        mortal = math.fsum(faces[f - 1] for f in range(self.critical_wound, SIDES + 1)) if self.devastating else 0.0
        wounds = math.fsum(faces[f - 1] for f in range(1, SIDES + 1) if self.wounds(f))
        return float((wounds - mortal) * (1.0 - saved)), float(mortal)

    @property
    def save_chance(self) -> float:
        """The chance that a wound is saved."""
        return sum(self.saves(face) for face in range(1, SIDES + 1)) / SIDES

    def lines(self) -> Iterator[str]:
        """The needed numbers with their reasons, a line each."""
        yield from self.lines_of_attacker()
        yield from self.lines_of_target()

    def lines_of_attacker(self) -> Iterator[str]:
        """What hits and what wounds."""
        yield _line("hits", self.hit) if self.hit is not None else "hits by itself"
        wound = _line("wounds", self.wound)
        yield wound if self.critical_wound == CRITICAL else f"{wound}; critical on {self.critical_wound}+"
        yield from self._lines_of_rolls_again()

    def lines_of_target(self) -> Iterator[str]:
        """What saves and what ignores wounds."""
        yield _line("saved", self.save)
        if self.invulnerable is not None:
            yield f"invulnerable save {self.invulnerable}+"
        if self.ignores_wounds is not None:
            yield f"each wound ignored on {self.ignores_wounds}+"

    def _lines_of_rolls_again(self) -> Iterator[str]:
        """Which dice are rolled again, as the odds take it."""
        words = {"ones": "ones", "failed": "failures", "all-but-criticals": "all but criticals"}
        for what, how in (("Hit", self.hit_again), ("Wound", self.wound_again)):
            if how in words:
                yield f"{what} rolls: {words[how]} rolled again"
        if self.damage_again:
            yield "Damage rolled again where it is below its average"

    @property
    def hit_chance(self) -> float:
        """The chance that one attack hits, with its re-rolls."""
        return math.fsum(self._hit_chances())

    @property
    def wound_chance(self) -> float:
        """The chance that one hit wounds, with its re-rolls, whatever saves the target has."""
        return math.fsum(self._wound_chances(saved=0.0))


def _sum(a: Pmf, b: Pmf) -> Pmf:
    return Pmf(a.start + b.start, np.convolve(a.weights, b.weights))


@lru_cache(maxsize=256)
def _blows(attack: Attack, weapons: int) -> NDArray[np.float64]:
    found = repeated_pairs(attack.landing(0.0), attack.number(weapons))
    rows, columns = (np.flatnonzero(found.sum(axis=axis) > NEGLIGIBLE)[-1] for axis in (1, 0))
    found = found[: rows + 1, : columns + 1]
    found.setflags(write=False)
    return found


@lru_cache(maxsize=128)
def _faces(again: tuple[bool, ...]) -> tuple[float, ...]:
    """The chances of the faces 1 to 6 when those that are named are rolled once more."""
    one = 1.0 / SIDES
    extra = math.fsum(again) * one * one
    return tuple((0.0 if falls else one) + extra for falls in again)


@lru_cache(maxsize=128)
def _best_of_two(amount: Amount) -> Pmf:
    """The distribution of an amount that is rolled again where it is below its average."""
    once = amount.pmf()
    weights = np.array(once.weights)
    poor = np.arange(once.start, once.start + len(weights)) < amount.mean
    kept = np.where(poor, 0.0, weights)
    return Pmf(once.start, kept + weights[poor].sum() * weights)


def _line(what: str, ledger: Ledger) -> str:
    needed = ledger.needed
    word = f"{what} on {needed}+" if needed <= SIDES else f"not {what} by any plain face"
    reasons = ", ".join(f"{m.value:+d} {m.reason}" for m in ledger.modifiers)
    return f"{word} ({reasons})" if reasons else word


def wound_base(strength: int, toughness: int) -> int:
    """The face that wounds, by Strength against Toughness."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def wound_ledger(strength: int, toughness: int, modifiers: tuple[Modifier, ...] = ()) -> Ledger:
    """What wounds, with its reasons."""
    return Ledger(wound_base(strength, toughness), modifiers, cap=MODIFIER_CAP)


def hit_ledger(skill: int, better_skill: tuple[Modifier, ...], modifiers: tuple[Modifier, ...]) -> Ledger:
    """What hits: the characteristic with what improves or worsens it, and the capped modifiers of the roll.

    Both are told in one ledger, whose cap holds for the roll alone: modifiers that the cap cuts off are left out.
    """
    base = skill - sum(m.value for m in better_skill)
    total = sum(m.value for m in modifiers)
    capped = max(-MODIFIER_CAP, min(MODIFIER_CAP, total))
    cut = () if capped == total else (Modifier(capped - total, "never more than one either way", HIT),)
    shown = Ledger(skill, (*better_skill, *modifiers, *cut))
    assert shown.needed == max(2, base - capped)
    return shown


def save_ledger(save: int, ap: int, cover: bool) -> Ledger:
    """What saves by armour: the Save with the Armour Penetration and the Benefit of Cover."""
    modifiers = []
    if ap:
        modifiers.append(Modifier(ap, "Armour Penetration", SAVE))
    if cover:
        modifiers.append(Modifier(1, "Benefit of Cover", "Benefit of Cover"))
    return Ledger(save, tuple(modifiers))
