"""The one place that lists the rulesets."""

from __future__ import annotations

from functools import cache

from sim.rules import Ruleset


@cache
def rulesets() -> dict[str, Ruleset]:
    """Every game that inchwise knows, by id."""
    from sim.rulesets.wh40k10 import RULESET as wh40k10

    return {ruleset.id: ruleset for ruleset in (wh40k10,)}
