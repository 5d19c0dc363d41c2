"""A case may hold the odds of its command; what is not so is told by the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.expectations import misses
from sim.app.games import rulesets
from sim.scenario import load_case
from tests.conformance.kit import ROOT

CASES = ROOT / "tests" / "cases" / "wh40k10"
LED = "extra-odds-of-a-led-unit-with-mixed-saves.toml"
HAZARDOUS = "extra-odds-of-hazardous-tests.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (LED, "", "", None),
        (LED, "0.204956", "0.204959", "odds.destroyed"),
        (LED, "0.204956", "0.421", "odds.destroyed"),
        (LED, "destroyed = 0.204956", "chance = 0.2", "odds.chance"),
        (LED, "left_out  = []", 'left_out = ["stratagems"]', "odds.left_out"),
        (LED, "[expect.odds]", '[expect.odds]\ntarget = "fusiliers"', "one target"),
        (HAZARDOUS, "0.666667", "0.66", "odds.damage"),
        (HAZARDOUS, "0.333333", "0.34", "odds.models"),
        (HAZARDOUS, 'target    = "gunners"', "", "odds.models"),
        (HAZARDOUS, '"Hazardous"', "", "one target"),
    ],
)
def test_what_is_not_so_is_told(file: str, old: str, new: str, told: str | None, tmp_path: Path) -> None:
    text = (CASES / file).read_text()
    assert old in text
    path = tmp_path / "case.toml"
    path.write_text(text.replace(old, new))
    found = misses(load_case(path, rulesets()))
    assert (told is None and not found) or (told is not None and told in found[0])
