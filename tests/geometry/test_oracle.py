"""Can the judge of the code be trusted? The oracle against answers known on paper and against long arithmetic."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from geometry.oracle import Ellipses, Polygons, bounds_of_gap, depth_of_convex, rim_distance, signed_to_rim
from geometry.shapes_at_random import CONVEX, crowd, for_oracle


def ellipse(x: float, y: float, degrees: float, a: float, b: float) -> Ellipses:
    return Ellipses(*(np.array([v]) for v in (x, y, math.radians(degrees), a, b)))


def square(x: float, y: float, half: float) -> Polygons:
    return Polygons(
        np.array([[(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]])
    )


def test_known_gaps() -> None:
    pairs = [
        (ellipse(0, 0, 0, 2, 1), ellipse(9, 0, 90, 3, 1), 9 - 2 - 1),
        (ellipse(0, 0, 0, 1, 1), square(5, 5, 1), math.hypot(4, 4) - 1),
        (square(0, 0, 1), square(4, 0, 1), 2.0),
        (square(0, 0, 1), square(1.5, 0, 1), 0.0),
        (ellipse(0, 0, 30, 4, 3), ellipse(0.1, 0, 60, 1, 0.5), 0.0),
        (square(0, 0, 9), ellipse(1, 2, 60, 1, 0.5), 0.0),
    ]
    for one, other, gap in pairs:
        low, high = bounds_of_gap(one, other)
        assert low[0] == pytest.approx(gap, abs=1e-12)
        assert high[0] == pytest.approx(gap, abs=1e-12)


def test_known_depths() -> None:
    assert depth_of_convex(square(0, 0, 1), square(1.5, 0.2, 1))[0] == pytest.approx(0.5, abs=1e-12)
    assert depth_of_convex(ellipse(0, 0, 0, 2, 1), ellipse(0, 0, 90, 2, 1))[0] == pytest.approx(3.0, abs=1e-12)
    assert signed_to_rim(ellipse(0.5, 0, 0, 1, 1), square(0, 0, 3))[0] == pytest.approx(-3.5, abs=1e-12)


def test_distance_from_a_rim_agrees_with_fifty_digits() -> None:
    rng = np.random.default_rng(11)
    with mpmath.workdps(50):
        for _ in range(25):
            a, b = (float(v) for v in rng.uniform(0.2, 4, 2))
            x, y = (float(v) for v in rng.uniform(-4, 4, 2))
            found = rim_distance(ellipse(0, 0, 0, a, b), np.array([[x, y]]))[0]
            assert found == pytest.approx(float(_rim_distance_mp(a, b, x, y)), abs=1e-12)


def _rim_distance_mp(a: float, b: float, x: float, y: float) -> mpmath.mpf:
    """The least distance among all feet of normals, each found by bisection between two of 400 angles."""
    a, b, x, y = (mpmath.mpf(v) for v in (a, b, x, y))

    def slope(t: mpmath.mpf) -> mpmath.mpf:
        c, s = mpmath.cos(t), mpmath.sin(t)
        return a * x * s - b * y * c - (a * a - b * b) * s * c

    turns = [2 * mpmath.pi * k / 400 + mpmath.mpf("0.001") for k in range(401)]
    feet = []
    for low, high in itertools.pairwise(turns):
        if slope(low) * slope(high) <= 0:
            feet.append(mpmath.findroot(slope, (low, high), solver="anderson"))
    return min(mpmath.hypot(a * mpmath.cos(t) - x, b * mpmath.sin(t) - y) for t in feet)


@pytest.mark.parametrize("kind", CONVEX)
def test_pushing_by_the_depth_parts_two_shapes_and_by_less_does_not(kind: str) -> None:
    rng = np.random.default_rng(12)
    one = for_oracle(crowd("oval", 80, rng, 1.0).members)
    members = crowd(kind, 80, rng, 1.0)  # type: ignore[arg-type]
    other = for_oracle(members.members)
    together = np.flatnonzero(bounds_of_gap(one, other)[1] == 0)
    one, other = one.take(together), other.take(together)
    depth = depth_of_convex(one, other)
    assert (depth > 0).all()
    parted = np.zeros(len(depth), dtype=bool)
    for heading in np.linspace(0, 2 * math.pi, 24, endpoint=False):
        step = np.column_stack((math.cos(heading) * depth, math.sin(heading) * depth))
        assert not (bounds_of_gap(one, _moved(other, step * 0.999))[1] > 1e-9).any()
        parted |= bounds_of_gap(one, _moved(other, step * 1.01))[1] > 0
    assert parted.mean() > 0.6  # the rest would need a heading between the 24


def _moved(shape: Ellipses | Polygons, step: np.ndarray) -> Ellipses | Polygons:
    if isinstance(shape, Ellipses):
        return Ellipses(shape.x + step[:, 0], shape.y + step[:, 1], shape.angle, shape.a, shape.b)
    return Polygons(shape.corners + step[:, None, :])
