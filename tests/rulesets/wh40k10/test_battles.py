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


def test_two_greedy_players_fight_it_out() -> None:
    _, wrong, score, _ = play(SCENARIO, ("greedy", "greedy"), 7)
    assert not wrong
    assert sum(score.values()) > 0
