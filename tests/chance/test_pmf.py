"""Are distributions of dice exact? Held against an independent library."""

from __future__ import annotations

from fractions import Fraction

import icepool
import numpy as np
import pytest

from sim.chance import Pmf


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 10, 20])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_sums_of_dice_agree_with_icepool(sides: int, count: int) -> None:
    ours = Pmf.die(sides, count)
    theirs = count @ icepool.d(sides)
    assert [value for value, _ in ours.items()] == list(theirs.outcomes())
    for value, chance in ours.items():
        assert chance == pytest.approx(float(theirs.probability("==", value)), abs=1e-12)
    for needed in (count, count + 1, sides * count, sides * count + 1):
        assert ours.at_least(needed) == pytest.approx(float(theirs.probability(">=", needed)), abs=1e-12)
    assert ours.mean == pytest.approx(float(Fraction(count * (sides + 1), 2)), abs=1e-9)


def test_a_nine_inch_charge() -> None:
    two = Pmf.die(6, 2)
    assert two.at_least(9) == pytest.approx(10 / 36, abs=1e-12)
    assert two.at_least(8.5) == pytest.approx(10 / 36, abs=1e-12)
    assert two.at_least(2) == pytest.approx(1.0, abs=1e-12)
    assert two.at_least(13) == 0.0


def test_no_dice_are_surely_nothing() -> None:
    assert Pmf.die(6, 0).items() == [(0, 1.0)]


@pytest.mark.parametrize("weights", [[0.5, 0.4], [1.5, -0.5], [float("nan")], [], [0.6, 0.6]])
def test_what_does_not_sum_to_one_is_no_distribution(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="a distribution needs weights of 0 or more that sum to 1"):
        Pmf(0, np.array(weights))


@pytest.mark.parametrize(("sides", "count"), [(0, 1), (6, -1)])
def test_dice_that_cannot_be(sides: int, count: int) -> None:
    with pytest.raises(ValueError, match="expected dice of at least one side"):
        Pmf.die(sides, count)
