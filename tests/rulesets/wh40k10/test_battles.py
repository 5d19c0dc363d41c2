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


@pytest.mark.parametrize("kinds", [("greedy", "random"), ("random", "greedy")])
@pytest.mark.parametrize("seed", range(2))
def test_greedy_beats_random_with_either_army(kinds: tuple[str, str], seed: int) -> None:
    _, wrong, score, _ = play(SCENARIO, kinds, seed)
    assert not wrong
    players = dict(zip(("red", "blue"), kinds, strict=True))
    best = max(score, key=lambda player: score[player])
    assert players[best] == "greedy"


def test_two_greedy_players_fight_it_out() -> None:
    _, wrong, score, _ = play(SCENARIO, ("greedy", "greedy"), 7)
    assert not wrong
    assert sum(score.values()) > 0
