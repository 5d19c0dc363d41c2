"""Do as many fall as must? Every blow by itself, counted out and held against an independent library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icepool import Die

from sim.chance import Pmf
from sim.chance.casualties import ignored, repeated, toll

EXACT = 1e-12
D3, D6 = icepool.d3, icepool.d6
Chances = Mapping[int, Fraction]


def chances(die: Die[int]) -> Chances:
    return {int(value): Fraction(die.probability("==", value)) for value in die.outcomes()}


def pmf(die: Die[int]) -> Pmf:
    """A die as a distribution, with zeros where it has gaps."""
    low, high = die.outcomes()[0], die.outcomes()[-1]
    return Pmf(low, np.array([float(die.probability("==", value)) for value in range(low, high + 1)]))


def weights(die: Die[int]) -> np.ndarray:
    """A die as weights from 0 on."""
    return np.array([float(die.probability("==", value)) for value in range(die.outcomes()[-1] + 1)])


def agrees(ours: Pmf, theirs: Chances) -> None:
    assert sum(theirs.values()) == 1
    found = dict(ours.items())
    assert set(theirs) <= set(found)
    for value, chance in found.items():
        assert chance == pytest.approx(float(theirs.get(value, Fraction(0))), abs=EXACT), value
    assert ours.mean == pytest.approx(float(sum(value * chance for value, chance in theirs.items())), abs=1e-10)


# --- one blow after another, in words of the rule


def struck(left: list[int], points: int) -> list[int]:
    """The row of models after a blow: the first one that stands loses points, what it has too much is lost."""
    for k, wounds in enumerate(left):
        if wounds > 0:
            return [*left[:k], max(0, wounds - points), *left[k + 1 :]]
    return left


def counted_out(blows: Chances, damage: Chances, wounds: Sequence[int]) -> tuple[Chances, Chances]:
    """The fallen and the wounds lost, by all sequences of damage there are."""
    fallen: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    for count, chance in blows.items():
        for points in product(damage, repeat=count):
            left = list(wounds)
            weight = chance
            for point in points:
                left = struck(left, point)
                weight *= damage[point]
            fallen[left.count(0)] += weight
            lost[sum(wounds) - sum(left)] += weight
    return fallen, lost


def rolled_out(blows: Die[int], damage: Die[int], wounds: Sequence[int]) -> tuple[Chances, Chances]:
    """The same by the library, blow by blow, for more of them than can be counted out."""

    def after(lost: int) -> Die[int]:
        left, rest = [], lost
        for each in wounds:
            left.append(each - min(each, rest))
            rest -= min(each, rest)
        return damage.map(lambda points: sum(wounds) - sum(struck(left, points)))

    step = {lost: after(lost) for lost in range(sum(wounds) + 1)}
    states = [Die([0])]
    for _ in range(blows.outcomes()[-1]):
        states.append(states[-1].map(step))
    lost = blows.map(lambda count: states[count])
    ends = [sum(wounds[: k + 1]) for k in range(len(wounds))]
    fallen = lost.map(lambda points: sum(end <= points for end in ends))
    return chances(fallen), chances(lost)


SMALL = {
    "one blow on one model": (Die([1]), Die([1]), (1,)),
    "too few": (Die([0, 1, 1, 2]), Die([1]), (2, 2)),
    "too many": (Die([5]), D3, (2, 1)),
    "damage 2 on 3 wounds": (Die([0, 1, 2, 3, 4]), Die([2]), (3, 3)),
    "D3 on 2 wounds": (Die([0, 1, 2, 3, 4, 5]), D3, (2, 2, 2)),
    "D6 on 4 wounds": (Die([1, 3]), D6, (4, 4)),
    "D6+1 on a wounded one first": (Die([0, 2, 4]), D6 + 1, (1, 5, 5)),
    "none or two": (Die([3, 4]), Die([0, 2, 2]), (2, 3)),
    "mostly nothing": (Die([0, 5]), Die([0, 0, 0, 1]), (1, 1, 1)),
    "uneven models": (Die([1, 2, 3, 4]), D3, (1, 4, 2)),
    "nothing ever": (Die([0]), D3, (2, 2)),
}


@pytest.mark.parametrize(("blows", "damage", "wounds"), SMALL.values(), ids=list(SMALL))
def test_small_tolls_counted_out(blows: Die[int], damage: Die[int], wounds: tuple[int, ...]) -> None:
    found = toll(weights(blows), pmf(damage), wounds)
    fallen, lost = counted_out(chances(blows), chances(damage), wounds)
    agrees(found.fallen, fallen)
    agrees(found.lost, lost)
    assert found.all_fallen == pytest.approx(float(fallen.get(len(wounds), 0)), abs=EXACT)


LARGE = {
    "twenty bolts at ten": (20 @ Die([0, 0, 1]), Die([1]), (1,) * 10),
    "twenty at ten of two": (20 @ Die([0, 0, 1]), Die([2]), (2,) * 10),
    "D3 at ten of two": (20 @ Die([0, 0, 0, 0, 1]), D3, (2,) * 10),
    "2D6 of D6+1": (2 @ D6, D6 + 1, (1, 8, 8)),
    "D6+3 of D6, half of it ignored": (D6 + 3, D6 @ Die([0, 1]), (4,) * 5),
    "up to forty": (40 @ Die([0, 1, 0]), Die([0, 1, 2]), (3,) * 6),
}


@pytest.mark.parametrize(("blows", "damage", "wounds"), LARGE.values(), ids=list(LARGE))
def test_large_tolls_agree_with_icepool(blows: Die[int], damage: Die[int], wounds: tuple[int, ...]) -> None:
    found = toll(weights(blows), pmf(damage), wounds)
    fallen, lost = rolled_out(blows, damage, wounds)
    agrees(found.fallen, fallen)
    agrees(found.lost, lost)
    assert found.all_fallen == pytest.approx(float(fallen.get(len(wounds), 0)), abs=EXACT)


dice = st.lists(st.integers(0, 4), min_size=1, max_size=5).map(Die)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(dice, dice, st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_any_toll_agrees_with_both(blows: Die[int], damage: Die[int], wounds: list[int]) -> None:
    found = toll(weights(blows), pmf(damage), wounds)
    counted = counted_out(chances(blows), chances(damage), wounds)
    assert rolled_out(blows, damage, wounds) == counted
    agrees(found.fallen, counted[0])
    agrees(found.lost, counted[1])


def test_a_toll_asked_twice_is_the_same() -> None:
    first = toll(weights(3 @ D3), pmf(D3), (2, 2, 2))
    again = toll(weights(3 @ D3), pmf(D3), [2, 2, 2])
    assert np.array_equal(first.lost.weights, again.lost.weights)
    assert np.array_equal(first.fallen.weights, again.fallen.weights)


def test_what_one_model_has_too_much_hurts_no_other() -> None:
    found = toll(np.array([0.0, 1.0]), Pmf(9, np.ones(1)), (2, 2, 2))
    assert found.fallen.items() == [(0, 0.0), (1, 1.0), (2, 0.0), (3, 0.0)]
    assert found.lost.mean == 2.0
    assert found.all_fallen == 0.0


# --- how many blows get through


REPEATED = {
    "three coins": (Die([0, 1]), Die([3])),
    "never": (Die([0]), D6),
    "D6 of up to three": (Die([0, 0, 1, 3]), D6),
    "none to two": (Die([0, 1, 1]), Die([0, 1, 2])),
    "2D6 rare ones": (Die([0, 0, 0, 0, 0, 1, 2]), 2 @ D6),
    "from nine on": (Die([0, 1]), D6 + 9),
}


@pytest.mark.parametrize(("each", "count"), REPEATED.values(), ids=list(REPEATED))
def test_sums_of_so_many_agree_with_icepool(each: Die[int], count: Die[int]) -> None:
    ours = repeated(weights(each), pmf(count))
    theirs = count @ each
    assert float(ours.sum()) == pytest.approx(1.0, abs=EXACT)
    for value, chance in enumerate(ours):
        assert chance == pytest.approx(float(theirs.probability("==", value)), abs=EXACT)


def test_two_of_a_kind_counted_out() -> None:
    each = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    wanted: Counter[int] = Counter()
    for a, b in product(range(3), repeat=2):
        wanted[a + b] += each[a] * each[b]
    ours = repeated(np.array([float(w) for w in each]), Pmf(2, np.ones(1)))
    assert ours == pytest.approx([float(wanted[k]) for k in range(5)], abs=EXACT)


def test_none_of_anything_is_nothing() -> None:
    assert repeated(np.array([0.25, 0.75]), Pmf(0, np.ones(1))).tolist() == [1.0]


# --- wounds that are ignored

DAMAGE = {
    "1": Die([1]),
    "2": Die([2]),
    "3": Die([3]),
    "D3": D3,
    "D6": D6,
    "D6+2": D6 + 2,
    "0, 1 or 3": Die([0, 1, 3]),
}


@pytest.mark.parametrize("good", [1, 2, 3, 4, 5, 6], ids=lambda good: f"{7 - good}+")
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=list(DAMAGE))
def test_every_point_is_ignored_by_itself(good: int, damage: Die[int]) -> None:
    found = ignored(pmf(damage), good / 6)
    left = damage @ Die([0] * good + [1] * (6 - good))
    agrees(found, chances(left))
    wanted: Counter[int] = Counter()
    for points, chance in chances(damage).items():
        for kept in product((False, True), repeat=points):
            each = [Fraction(6 - good, 6) if keep else Fraction(good, 6) for keep in kept]
            weight = chance
            for part in each:
                weight *= part
            wanted[sum(kept)] += weight
    agrees(found, wanted)


def test_nothing_is_ignored_without_a_chance() -> None:
    damage = pmf(D3)
    assert ignored(damage, 0.0) is damage
    assert ignored(damage, -1 / 6) is damage


def test_the_mean_shrinks_by_what_is_ignored() -> None:
    assert ignored(pmf(D6 + 1), 1 / 3).mean == pytest.approx(4.5 * 2 / 3, abs=EXACT)
