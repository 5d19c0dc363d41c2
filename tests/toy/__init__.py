"""A game with invented rules, small enough to read at once, that uses the whole contract."""

from tests.toy.commands import Drop, Recall, Throw, Walk
from tests.toy.ruleset import RULESET
from tests.toy.tables import skirmish, waiting

__all__ = ["RULESET", "Drop", "Recall", "Throw", "Walk", "skirmish", "waiting"]
