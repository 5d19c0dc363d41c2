"""Warhammer 40,000, 10th edition."""

from sim.rulesets.wh40k10.ruleset import RULESET

__all__ = ["RULESET"]
