"""The one place that lists the rulesets."""

from __future__ import annotations

from functools import cache

from sim.rules import Ruleset


@cache
def rulesets() -> dict[str, Ruleset]:
    """Every game that inchwise knows, by id."""
    from sim.rulesets import t9a, wap, wh40k10, whfb6

    return {package.RULESET.id: package.RULESET for package in (t9a, wap, wh40k10, whfb6)}
