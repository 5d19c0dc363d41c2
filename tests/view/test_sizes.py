"""Which sizes of pictures are taken, and how bright a colour is."""

from __future__ import annotations

import pytest

from sim.view.sizes import refused
from sim.view.theme import luminance


@pytest.mark.parametrize("size", [(160, 120), (8192, 8192), (160, 8192), (1280, 720)])
def test_a_size_within_the_range_is_taken(size: tuple[int, int]) -> None:
    assert refused(*size) == ""


@pytest.mark.parametrize("size", [(159, 120), (160, 119), (8193, 720), (1280, 8193), (120, 160)])
def test_a_size_beyond_the_range_is_refused_with_it(size: tuple[int, int]) -> None:
    assert refused(*size) == f"size {size[0]}x{size[1]}: expected from 160x120 to 8192x8192 pixels"


@pytest.mark.parametrize(
    ("colour", "bright"), [((100, 0, 0), 29.9), ((0, 100, 0), 58.7), ((0, 0, 100), 11.4), ((255, 255, 255), 255.0)]
)
def test_green_is_brighter_than_red_and_red_than_blue(colour: tuple[int, int, int], bright: float) -> None:
    assert luminance((*colour, 255)) == pytest.approx(bright)
