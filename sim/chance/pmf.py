"""Exact distributions of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Pmf:
    """The probability of each whole number from ``start`` on; the weights sum to 1 within 1e-9."""

    start: int
    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        total = float(np.sum(self.weights))
        if not abs(total - 1.0) < 1e-9 or np.any(self.weights < 0):
            raise ValueError(f"a distribution needs weights of 0 or more that sum to 1, got a sum of {total!r}")

    @classmethod
    def die(cls, sides: int, count: int = 1) -> Pmf:
        """The sum of ``count`` fair dice."""
        if count < 0 or sides < 1:
            raise ValueError(f"expected dice of at least one side, got {count} dice of {sides}")
        one = np.full(sides, 1.0 / sides)
        weights = np.ones(1)
        for _ in range(count):
            weights = np.convolve(weights, one)
        return cls(count, weights)

    def at_least(self, needed: float) -> float:
        """The chance of ``needed`` or more."""
        values = np.arange(self.start, self.start + len(self.weights))
        return float(np.sum(self.weights[values >= needed - 1e-12]))

    @property
    def mean(self) -> float:
        """The expected value."""
        return float(np.dot(np.arange(self.start, self.start + len(self.weights)), self.weights))

    def items(self) -> list[tuple[int, float]]:
        """Every value with its chance, in order."""
        return [(self.start + i, float(w)) for i, w in enumerate(self.weights)]
