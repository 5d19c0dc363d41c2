"""Bases of every kind at random poses, as the package sees them and as the oracle does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from geometry.oracle import Ellipses, Polygons, outline_on_table, polygons
from sim.geometry import Base, Hull, Oval, Placed, PlacedSet, Pose, Rect, Round

Kind = Literal["round", "oval", "rect", "convex hull", "notched hull"]
KINDS: tuple[Kind, ...] = ("round", "oval", "rect", "convex hull", "notched hull")
CONVEX: tuple[Kind, ...] = ("round", "oval", "rect", "convex hull")
PAIRS = [(a, b) for i, a in enumerate(KINDS) for b in KINDS[i:]]

Rng = np.random.Generator


def base_of(kind: Kind, rng: Rng) -> Base:
    """A base as games use them: 20 mm to 170 mm, and hulls up to about six inches."""
    match kind:
        case "round":
            return Round.mm(float(rng.choice([20, 25, 25.4, 28.5, 32, 40, 50, 60, 65, 80, 90, 100, 130, 160])))
        case "oval":
            length = float(rng.uniform(25, 170))
            return Oval.mm(length, length * float(rng.uniform(0.2, 1.0)))
        case "rect":
            return Rect(float(rng.uniform(0.5, 6)), float(rng.uniform(0.5, 6)))
        case "convex hull":
            return Hull(_convex(rng))
        case "notched hull":
            return Hull(_notched(rng))


def _convex(rng: Rng) -> tuple[tuple[float, float], ...]:
    count = int(rng.integers(3, 8))
    turns = np.cumsum(rng.uniform(0.4, 1.0, count))
    turns *= 2 * math.pi / (turns[-1] + rng.uniform(0.4, 1.0))
    a, b = rng.uniform(0.5, 3, 2)
    x, y = rng.uniform(-0.5, 0.5, 2)
    return tuple((float(x + a * math.cos(t)), float(y + b * math.sin(t))) for t in turns)


def _notched(rng: Rng) -> tuple[tuple[float, float], ...]:
    w, d, k = (float(v) for v in rng.uniform(1.5, 5, 3))
    match int(rng.integers(3)):
        case 0:  # an L
            return ((-1, -1), (w, -1), (w, -0.3), (0.2, -0.3), (0.2, d), (-1, d))
        case 1:  # a U
            return ((-1, -1), (w, -1), (w, d), (w - 0.7, d), (w - 0.7, 0.1), (-0.4, 0.1), (-0.4, k), (-1, k))
        case _:  # a star
            turns = np.arange(8) * math.pi / 4 + rng.uniform(0, 0.5, 8)
            reach = np.where(np.arange(8) % 2 == 0, rng.uniform(1.5, 3, 8), rng.uniform(0.4, 0.8, 8))
            return tuple((float(r * math.cos(t)), float(r * math.sin(t))) for r, t in zip(reach, turns, strict=True))


def placed(kind: Kind, rng: Rng, spread: float = 9.0) -> Placed:
    """A base of a kind, anywhere within ``spread`` inches of the origin."""
    x, y = rng.uniform(-spread, spread, 2)
    return Placed(base_of(kind, rng), Pose(float(x), float(y), float(rng.uniform(-360, 360))))


def crowd(kind: Kind, count: int, rng: Rng, spread: float = 9.0) -> PlacedSet:
    return PlacedSet.of(placed(kind, rng, spread) for _ in range(count))


def for_oracle(members: Sequence[Placed]) -> Ellipses | Polygons:
    """The same bases in the oracle's own terms; all round and oval, or all with corners."""
    if isinstance(members[0].base, (Round, Oval)):
        rows = []
        for member in members:
            base, pose = member.base, member.pose
            assert isinstance(base, (Round, Oval))
            a, b = (base.d, base.d) if isinstance(base, Round) else (base.length, base.width)
            rows.append((pose.x, pose.y, math.radians(pose.facing), a / 2, b / 2))
        return Ellipses(*np.array(rows).T)
    return polygons([_corners(member) for member in members])


def _corners(member: Placed) -> np.ndarray:
    base, pose = member.base, member.pose
    if isinstance(base, Rect):
        d, w = base.depth / 2, base.width / 2
        outline: tuple[tuple[float, float], ...] = ((-d, -w), (d, -w), (d, w), (-d, w))
    else:
        assert isinstance(base, Hull)
        outline = base.outline
    return outline_on_table(outline, pose.x, pose.y, pose.facing)
