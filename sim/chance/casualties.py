"""How many fall when blows land one after another on models that stand in a row? Exact, without a single die.

Each blow that gets through hurts one model, the one that is hurt already if there is one; what it has too much is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim.chance.pmf import Pmf

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Toll:
    """What a number of blows does to models with given wounds: chances of each count of fallen and of wounds lost."""

    fallen: Pmf
    lost: Pmf
    all_fallen: float


def ignored(damage: Pmf, chance: float) -> Pmf:
    """The distribution of a blow's damage when each point of it is ignored with a chance of its own."""
    if chance <= 0:
        return damage
    most = damage.start + len(damage.weights) - 1
    out = np.zeros(most + 1)
    kept = np.array([1.0])
    for points in range(most + 1):
        if points >= damage.start:
            out[: len(kept)] += damage.weights[points - damage.start] * kept
        kept = np.convolve(kept, (chance, 1.0 - chance))
    return Pmf(0, out)


def repeated(each: Weights, count: Pmf) -> Weights:
    """The distribution of the sum of ``count`` independent numbers, each from 0 on with the given weights."""
    most = count.start + len(count.weights) - 1
    out = np.zeros(most * (len(each) - 1) + 1)
    power = np.array([1.0])
    for k in range(most + 1):
        if k >= count.start:
            out[: len(power)] += count.weights[k - count.start] * power
        if k < most:
            power = np.convolve(power, each)
    return out


def both(a: Weights, b: Weights) -> Weights:
    """The distribution of two sums of pairs: a convolution in two dimensions."""
    out = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1))
    small, large = (a, b) if a.size <= b.size else (b, a)
    for i, j in np.argwhere(small):
        out[i : i + large.shape[0], j : j + large.shape[1]] += small[i, j] * large
    return out


def repeated_pairs(each: Weights, count: Pmf) -> Weights:
    """As ``repeated``, for pairs of numbers: weights (n, m)."""
    most = count.start + len(count.weights) - 1
    out = np.zeros((most * (each.shape[0] - 1) + 1, most * (each.shape[1] - 1) + 1))
    power = np.array([[1.0]])
    for k in range(most + 1):
        if k >= count.start:
            out[: power.shape[0], : power.shape[1]] += count.weights[k - count.start] * power
        if k < most:
            power = both(power, each)
    return out


def toll_of_two(blows: Weights, damages: tuple[Pmf, Pmf], wounds: Sequence[int]) -> Toll:
    """As ``toll``, for blows of two kinds, those of the first kind (rows of the weights) landing before the others."""
    first, second = (_steps(tuple(wounds), d.start, tuple(d.weights.tolist())) for d in damages)
    total = sum(wounds)
    out = np.zeros(total + 1)
    state = np.zeros(total + 1)
    state[0] = 1.0
    for row, weights in enumerate(blows):
        if row:
            state = state @ first
        later = state
        for column, weight in enumerate(weights):
            if column:
                later = later @ second
            out += weight * later
    return _told(out, wounds)


def toll(blows: Weights, damage: Pmf, wounds: Sequence[int]) -> Toll:
    """What so many blows (weights from 0 on), each of so much damage, do to models that have so many wounds left."""
    steps = _steps(tuple(wounds), damage.start, tuple(damage.weights.tolist()))
    total = sum(wounds)
    state = np.zeros(total + 1)
    state[0] = 1.0
    out = np.zeros(total + 1)
    for k, weight in enumerate(blows):
        if k:
            state = state @ steps
        out += weight * state
    return _told(out, wounds)


def _told(out: Weights, wounds: Sequence[int]) -> Toll:
    """What the chances of every number of wounds lost amount to."""
    ends = np.cumsum(wounds)
    fallen = np.zeros(len(wounds) + 1)
    np.add.at(fallen, np.searchsorted(ends, np.arange(len(out)), side="right"), out)
    return Toll(_pmf(fallen), _pmf(out), float(out[-1]))


@lru_cache(maxsize=256)
def _steps(wounds: tuple[int, ...], start: int, weights: tuple[float, ...]) -> Weights:
    """Where one blow leads from each number of wounds lost so far, a matrix (total + 1, total + 1)."""
    total = sum(wounds)
    ends = np.cumsum(wounds)
    steps = np.zeros((total + 1, total + 1))
    steps[total, total] = 1.0
    for lost in range(total):
        end = int(ends[np.searchsorted(ends, lost, side="right")])
        for k, weight in enumerate(weights):
            steps[lost, min(end, lost + start + k)] += weight
    steps.setflags(write=False)
    return steps


def _pmf(weights: Weights) -> Pmf:
    return Pmf(0, weights / weights.sum())
