"""Is an amount what its text says? Means and distributions held against an independent library."""

from __future__ import annotations

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.chance.amounts import MOST_DICE, MOST_PLUS, MOST_SIDES, Amount, AmountError

amounts = st.builds(Amount, st.integers(1, 12), st.integers(1, 20), st.integers(0, 30)) | st.builds(
    Amount, st.just(0), st.just(0), st.integers(0, 99)
)


@pytest.mark.parametrize(
    ("text", "amount", "mean"),
    [
        ("0", Amount(0, 0, 0), 0.0),
        ("3", Amount(0, 0, 3), 3.0),
        ("D3", Amount(1, 3), 2.0),
        ("D6", Amount(1, 6), 3.5),
        ("2D6", Amount(2, 6), 7.0),
        ("D6+3", Amount(1, 6, 3), 6.5),
        (" 2d6+1 ", Amount(2, 6, 1), 8.0),
    ],
)
def test_what_a_text_says(text: str, amount: Amount, mean: float) -> None:
    assert Amount.of(text) == amount
    assert amount.mean == pytest.approx(mean, abs=1e-12)


@given(amounts)
def test_a_text_comes_back_as_it_was(amount: Amount) -> None:
    assert Amount.of(str(amount)) == amount


@given(amounts)
def test_the_distribution_has_the_mean_and_the_bounds(amount: Amount) -> None:
    values = [value for value, _ in amount.pmf().items()]
    assert (values[0], values[-1]) == (amount.least, amount.most)
    assert amount.pmf().mean == pytest.approx(amount.mean, abs=1e-9)


@pytest.mark.parametrize("text", ["D6+3", "2D6", "3D3+2"])
def test_the_distribution_agrees_with_icepool(text: str) -> None:
    amount = Amount.of(text)
    theirs = amount.dice @ icepool.d(amount.sides) + amount.plus
    assert [value for value, _ in amount.pmf().items()] == list(theirs.outcomes())
    for value, chance in amount.pmf().items():
        assert chance == pytest.approx(float(theirs.probability("==", value)), abs=1e-12)


@pytest.mark.parametrize(
    "text",
    ["", "D", "6D", "D0", "0D6", "D6-1", "D6+", "+3", "-1", "1.5", "six", "D6 + 1", "999D6", "D999", "99999", "٣"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(AmountError, match="expected"):
        Amount.of(text)


@pytest.mark.parametrize(
    "numbers", [(1, 0, 0), (0, 6, 0), (-1, 6, 0), (MOST_DICE + 1, 6, 0), (1, MOST_SIDES + 1, 0), (0, 0, MOST_PLUS + 1)]
)
def test_numbers_that_are_no_dice_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(AmountError):
        Amount(*numbers)
