"""A legality census: what is said of one command at every point of a lattice over the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.battle import Battle
from sim.engine import judge
from sim.rules import Command, Ruleset


@dataclass(frozen=True)
class Census:
    """How often each set of codes was found, and the answer for each cell (row by row from the lower left)."""

    step: float
    counts: tuple[tuple[str, int], ...]
    cells: NDArray[np.str_]


def census(
    ruleset: Ruleset, battle: Battle, command_at: Callable[[float, float], Command], step: float = 0.5
) -> Census:
    """Judge a command at every lattice point, each half a step inside its cell; the answer is the codes joined by +."""
    field = battle.battlefield
    xs = np.arange(step / 2, field.width, step)
    ys = np.arange(step / 2, field.depth, step)
    rows = [["+".join(judge(ruleset, battle, command_at(float(x), float(y))).codes) or "legal" for x in xs] for y in ys]
    cells = np.array(rows)
    counts = Counter(cells.ravel().tolist())
    return Census(step, tuple(sorted(counts.items())), cells)
