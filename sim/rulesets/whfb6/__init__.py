"""Warhammer Fantasy Battle, 6th edition."""

from sim.rulesets.whfb6.ruleset import RULESET

__all__ = ["RULESET"]
