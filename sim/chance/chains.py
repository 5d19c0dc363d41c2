"""Where does it end, one step after another? Exact chances of states that lead to one another by chance.

A step is a function from a state to the chances of the states that it leads to. A chain finds every state that can be
reached and keeps each step as a matrix, so that a step taken a thousand times costs no more thought than one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State", bound=Hashable)
Spread = Mapping[State, float]
Step = Callable[[State], Spread[State]]
Weights = NDArray[np.float64]


class Chain(Generic[State]):
    """All states that can be reached from ``start`` by ``steps``, with the matrix of every step."""

    def __init__(self, start: State, steps: Sequence[Step[State]]) -> None:
        self.states: list[State] = [start]
        known = {start: 0}
        rows: list[list[tuple[int, float]]] = []
        for state in self.states:  # grows while it is walked
            for step in steps:
                row = []
                for after, chance in step(state).items():
                    if after not in known:
                        known[after] = len(self.states)
                        self.states.append(after)
                    row.append((known[after], chance))
                rows.append(row)
        self.matrices = np.zeros((len(steps), len(self.states), len(self.states)))
        for k, row in enumerate(rows):
            place, which = divmod(k, len(steps))
            for end, chance in row:
                self.matrices[which, place, end] += chance

    def start(self) -> Weights:
        """All the chance at the start."""
        weights = np.zeros(len(self.states))
        weights[0] = 1.0
        return weights

    def powers(self, weights: Weights, which: int, most: int) -> Weights:
        """The chances after 0, 1, … ``most`` of a step, a row each."""
        out = np.empty((most + 1, len(self.states)))
        out[0] = weights
        for k in range(most):
            out[k + 1] = out[k] @ self.matrices[which]
        return out

    def items(self, weights: Weights) -> Iterator[tuple[State, float]]:
        """Every state with its chance."""
        return zip(self.states, map(float, weights), strict=True)


def mixed(parts: Sequence[tuple[float, Spread[State]]]) -> dict[State, float]:
    """The chances of states when one of several spreads holds, each with a chance of its own."""
    out: dict[State, float] = {}
    for chance, spread in parts:
        for state, weight in spread.items():
            out[state] = out.get(state, 0.0) + chance * weight
    return out
