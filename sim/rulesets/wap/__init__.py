"""Warhammer Armies Project."""

from sim.rulesets.wap.ruleset import RULESET

__all__ = ["RULESET"]
