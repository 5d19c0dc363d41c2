"""Do faces come from the seed or the list, and from nowhere else?"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.chance import DiceError, ScriptedDice, SeededDice


def test_a_seed_always_says_the_same() -> None:
    assert SeededDice(3).roll(50, 6, "a") == SeededDice(3).roll(50, 6, "b")
    assert SeededDice(3).roll(50, 6, "a") != SeededDice(4).roll(50, 6, "a")
    first, second = SeededDice(3), SeededDice(3)
    assert [first.roll(1, 6, "a")[0] for _ in range(20)] == [second.roll(1, 6, "a")[0] for _ in range(20)]


def test_two_hands_of_dice_do_not_share_a_cup() -> None:
    alone = [face for die in [SeededDice(3)] for _ in range(10) for face in die.roll(1, 6, "a")]
    mine, theirs = SeededDice(3), SeededDice(9)
    found = []
    for _ in range(10):
        found.extend(mine.roll(1, 6, "a"))
        theirs.roll(3, 20, "b")
    assert found == alone


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.integers(0, 2**32), st.integers(0, 30), st.integers(1, 100))
def test_faces_are_whole_numbers_of_the_die(seed: int, count: int, sides: int) -> None:
    faces = SeededDice(seed).roll(count, sides, "a")
    assert len(faces) == count
    assert all(type(face) is int and 1 <= face <= sides for face in faces)


def test_seeded_dice_are_fair() -> None:
    counts = Counter(SeededDice(11).roll(60_000, 6, "a"))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    chi_square = sum((n - 10_000) ** 2 / 10_000 for n in counts.values())
    assert chi_square < 20.5  # 99.9 % of fair dice with five degrees of freedom stay below


def test_a_script_is_read_in_order() -> None:
    dice = ScriptedDice([4, 6, 1])
    assert dice.left == 3
    assert dice.roll(2, 6, "a") == (4, 6)
    assert dice.roll(0, 6, "a") == ()
    assert dice.roll(1, 6, "a") == (1,)
    assert dice.left == 0


@pytest.mark.parametrize(
    ("faces", "count", "what"),
    [
        ([4], 2, "the roll script has 1 faces left, hits needs 2"),
        ([], 1, "the roll script has 0 faces left, hits needs 1"),
        ([7], 1, "the roll script says 7 for hits, a die with 6 sides was expected"),
        ([0], 1, "the roll script says 0 for hits"),
        ([3, -1], 2, "the roll script says -1 for hits"),
    ],
)
def test_a_script_that_does_not_fit_is_an_error(faces: list[int], count: int, what: str) -> None:
    dice = ScriptedDice(faces)
    with pytest.raises(DiceError) as caught:
        dice.roll(count, 6, "hits")
    assert what in str(caught.value)
    assert dice.left == len(faces)
