"""Lengths as people read them: hundredths, and more digits only where those decide."""

from __future__ import annotations

import pytest

from sim.geometry import Limit
from sim.geometry.lengths import compared, inches, plain


@pytest.mark.parametrize(
    ("value", "text"), [(0.364975, "0.36"), (9.0, "9"), (4.5, "4.5"), (100.0, "100"), (0.0, "0"), (-0.001, "0")]
)
def test_hundredths_without_noughts(value: float, text: str) -> None:
    assert plain(value) == text
    assert str(Limit("at_most", value)) == f'at most {text}"'


@pytest.mark.parametrize(
    ("value", "limit", "texts"),
    [
        (8.6, 9.0, ('8.60"', '9"')),
        (9.0, 9.0, ('9.00"', '9"')),
        (9.001, 9.0, ('9.001"', '9"')),
        (8.99999, 9.0, ('8.99999"', '9"')),
        (0.5, 0.364975, ('0.50"', '0.36"')),
        (0.362, 0.364975, ('0.362"', '0.365"')),
        (0.3649745, 0.364975, ('0.36"', '0.36"')),  # as good as on it
    ],
)
def test_a_length_and_its_limit_tell_on_which_side_it_lies(value: float, limit: float, texts: tuple[str, str]) -> None:
    assert compared(value, limit) == texts
    assert inches(value, limit) == texts[0]


def test_a_length_alone_is_in_hundredths() -> None:
    assert inches(1 / 3) == '0.33"'
