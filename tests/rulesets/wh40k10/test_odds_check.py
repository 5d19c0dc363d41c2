"""Are the exact odds of three dozen attacks those of some plays? Many more are played by tools/odds_check.py."""

from __future__ import annotations

import importlib
from collections import Counter
from types import ModuleType

import numpy as np
import pytest

from sim.chance import Pmf
from sim.engine import judge
from sim.rulesets.wh40k10 import RULESET
from tests.conformance.kit import ROOT
from tests.rulesets.wh40k10.odds_setups import SET_UPS, SetUp

PLAYS = 20  # of each attack; enough for what is wrong at large


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("odds_check")


def test_there_are_three_dozen_and_each_is_legal() -> None:
    assert len({set_up.title for set_up in SET_UPS}) == len(SET_UPS) == 36
    for set_up in SET_UPS:
        assert judge(RULESET, set_up.battle, set_up.command).legal, set_up.title


@pytest.mark.parametrize("set_up", SET_UPS, ids=lambda set_up: set_up.title)
def test_the_odds_are_those_of_plays(tool: ModuleType, set_up: SetUp) -> None:
    for _, plays, shares in tool.checked(set_up, PLAYS, 7):
        assert plays >= PLAYS // 2
        assert [str(share) for share in shares if abs(share.errors) > tool.ERRORS] == []


def test_odds_that_are_off_by_a_sixth_are_seen(tool: ModuleType) -> None:
    """A wound that is lost on 3+ is none that is lost on 2+, and what cannot be is off by any number of errors."""
    right = Pmf(0, np.array([1 / 3, 2 / 3]))
    found: Counter[tuple[int, int]] = Counter({(0, 0): 333, (1, 1): 667})
    exact = {"models destroyed": right, "wounds lost": right}
    assert all(abs(share.errors) < 1 for share in tool.held(found, exact))
    wrong = {"models destroyed": Pmf(0, np.array([1 / 6, 5 / 6])), "wounds lost": right}
    assert {share.what for share in tool.held(found, wrong) if abs(share.errors) > tool.ERRORS} == {
        "models destroyed on the average",
        "0 models destroyed",
        "1 models destroyed",
    }
    never = {"models destroyed": Pmf(1, np.array([1.0])), "wounds lost": right}
    assert any(share.what == "0 models destroyed" and share.errors > 1e9 for share in tool.held(found, never))
