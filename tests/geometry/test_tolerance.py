"""Is a distance within a limit or beyond it? One of the two, always."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.geometry import EPS, Placed, Pose, Round, beyond, gap, within

LENGTHS = st.floats(-1e3, 1e3)


@settings(derandomize=True, deadline=None, max_examples=500)
@given(LENGTHS, LENGTHS)
def test_within_and_beyond_are_exact_complements(distance: float, limit: float) -> None:
    assert within(distance, limit) is not beyond(distance, limit)


@settings(derandomize=True, deadline=None, max_examples=500)
@given(LENGTHS, st.floats(-3e-6, 3e-6))
def test_only_the_tolerance_decides_near_a_limit(limit: float, off: float) -> None:
    if abs(off - EPS) > 1e-12:
        assert within(limit + off, limit) == (off < EPS)


def test_the_tolerance_is_a_millionth_of_an_inch() -> None:
    assert EPS == 1e-6


def test_arrays_answer_element_by_element() -> None:
    distances = np.array([0.0, 8.999999, 9.0, 9.0000009, 9.0000011, 10.0, math.inf])
    assert within(distances, 9.0).tolist() == [True, True, True, True, False, False, False]
    assert np.array_equal(beyond(distances, 9.0), ~within(distances, 9.0))
    assert within(np.float64(9.0), 9.0) is True
    assert beyond(np.array([[9.0, 9.1]]), 9.0).tolist() == [[False, True]]


def test_infinity_is_beyond_every_limit() -> None:
    assert beyond(math.inf, 1e9)
    assert not within(math.inf, 1e9)
    assert within(-math.inf, 0.0)


def test_no_number_is_neither() -> None:
    assert within(math.nan, 1.0) is False
    assert beyond(math.nan, 1.0) is False


@pytest.mark.parametrize("limit", [1.0, 2.0, 3.0, 6.0, 9.0, 12.0])
@pytest.mark.parametrize(("one", "other"), [(25, 25), (32, 32), (40, 32), (60, 25), (28.5, 160)])
@pytest.mark.parametrize("degrees", [0.0, 30.0, 45.0, 71.3, 180.0, 299.0])
def test_a_gap_set_exactly_counts_as_within(limit: float, one: float, other: float, degrees: float) -> None:
    """Exactly 9" is within 9" and not more than 9", whichever way the two bases lie."""
    a = Placed(Round.mm(one), Pose(41.37, 17.91))
    for off, expected in ((0.0, True), (-1e-5, True), (1e-5, False)):
        reach = limit + off + (one + other) / 50.8
        x = a.pose.x + reach * math.cos(math.radians(degrees))
        y = a.pose.y + reach * math.sin(math.radians(degrees))
        b = Placed(Round.mm(other), Pose(x, y))
        assert within(gap(a, b), limit) is expected
        assert beyond(gap(a, b), limit) is not expected
