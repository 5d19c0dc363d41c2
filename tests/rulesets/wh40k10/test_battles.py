"""Whole battles, played to their end by players that need no person, each verified from its record."""

from __future__ import annotations

import pytest

from tests.conformance.kit import ROOT
from tools.battles import play

SCENARIO = str(ROOT / "assets" / "scenarios" / "wh40k10-500-battle.toml")


@pytest.mark.parametrize("seed", range(3))
def test_a_random_battle_keeps_what_must_be_true(seed: int) -> None:
    _, wrong, score, _ = play(SCENARIO, ("random", "random"), seed)
    assert not wrong
    assert set(score) <= {"red", "blue"}


def test_greedy_beats_random_with_either_army() -> None:
    won = []
    for kinds in (("greedy", "random"), ("random", "greedy")):
        for seed in range(2):
            _, wrong, score, _ = play(SCENARIO, kinds, seed)
            assert not wrong
            best = max(score, key=lambda player: score[player])
            won.append(dict(zip(("red", "blue"), kinds, strict=True))[best] == "greedy")
    assert sum(won) >= 3, "nine of ten in the long run"


def test_two_greedy_players_fight_it_out() -> None:
    _, wrong, score, _ = play(SCENARIO, ("greedy", "greedy"), 7)
    assert not wrong
    assert sum(score.values()) > 0
