"""The 9th Age: Fantasy Battles, 2nd edition."""

from sim.rulesets.t9a.ruleset import RULESET

__all__ = ["RULESET"]
