"""The checks, a module for each kind; importing them fills the list."""

from tests.referee.checks import (
    aboard,
    acts,
    arrivals,
    blows,
    charges,
    clock,
    fights,
    lasting,
    losses,
    moves,
    nerves,
    purse,
    score,
    stratagems,
    targets,
    tests_due,
)

__all__ = [
    "aboard",
    "acts",
    "arrivals",
    "blows",
    "charges",
    "clock",
    "fights",
    "lasting",
    "losses",
    "moves",
    "nerves",
    "purse",
    "score",
    "stratagems",
    "targets",
    "tests_due",
]
