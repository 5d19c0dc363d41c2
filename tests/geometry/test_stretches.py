"""Do stretches of a path over a piece agree with a base that is looked at everywhere on its way?"""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import Polygon

from geometry.shapes_at_random import KINDS, Kind, base_of
from sim.geometry import Path, Placed, PlacedSet, Pose, Rect, Round
from sim.geometry.shapes import ellipse_points
from sim.geometry.stretches import lies_over, stretches

STEPS = 40
BLOCK = ((4.0, -3.0), (6.0, -3.0), (6.0, 3.0), (4.0, 3.0))
NOTCHED = ((3.0, -3.0), (8.0, -3.0), (8.0, 3.0), (7.0, 3.0), (7.0, -2.0), (4.0, -2.0), (4.0, 3.0), (3.0, 3.0))


def drawn(placed: Placed) -> Polygon:
    if placed.kind == "polygon":
        return placed.polygon
    return Polygon(ellipse_points(placed.pose, *placed.semi_axes, count=360))


def test_a_round_base_lies_over_a_block_from_touch_to_touch() -> None:
    path = Path.through(Pose(0, 0), [[10, 0]])
    assert stretches(Round(1.0), path, BLOCK) == [pytest.approx((3.5, 6.5), abs=1e-5)]
    assert stretches(Round(1.0), Path.through(Pose(0, 3.5), [[10, 3.5]]), BLOCK) == []
    assert stretches(Round(1.0), Path.through(Pose(5, 0), [[5, 0.5], [20, 0.5]]), BLOCK) == [
        pytest.approx((0.0, 2.0), abs=1e-5)
    ]


def test_a_corner_that_is_hardly_clipped_is_found() -> None:
    path = Path.through(Pose(0, 3.4999), [[10, 3.4999]])
    ((low, high),) = stretches(Round(1.0), path, BLOCK)
    assert (low, high) == pytest.approx((4 - 0.01, 6 + 0.01), abs=1e-3)
    slanted = Path.through(Pose(0, -0.2960), [[12, 11.7040]])  # past the corner (4, 3) at 0.4978
    ((low, high),) = stretches(Round(1.0), slanted, BLOCK)
    assert 0.05 < high - low < 0.2


def test_a_notch_is_left_between_two_stretches() -> None:
    found = stretches(Round(1.0), Path.through(Pose(0, 2), [[12, 2]]), NOTCHED)
    assert found == [pytest.approx((2.5, 4.5), abs=1e-5), pytest.approx((6.5, 8.5), abs=1e-5)]


def test_a_pivot_takes_no_inches() -> None:
    path = Path.through(Pose(0, 0), [[2.5, 0], [2.5, 0, 90], [2.5, 8]])
    assert stretches(Rect(1.0, 4.0), path, BLOCK) == [pytest.approx((2.0, 2.5), abs=1e-5)]


@pytest.mark.parametrize("kind", KINDS)
def test_stretches_agree_with_many_looks(kind: Kind) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(6):
        base = base_of(kind, rng)
        start, end = rng.uniform((-4, -6), (12, 6), (2, 2))
        facing = float(rng.uniform(0, 360))
        path = Path.through(Pose(float(start[0]), float(start[1]), facing), [end.tolist()])
        outline = BLOCK if rng.random() < 0.5 else NOTCHED
        found = stretches(base, path, outline)
        piece = Polygon(outline)
        for share in np.linspace(0, 1, STEPS):
            gone = float(share) * path.length
            if any(min(abs(gone - low), abs(gone - high)) < 2e-3 for low, high in found):
                continue
            there = Placed(base, path.at(float(share)))
            shared = float(shapely.intersection(drawn(there), piece).area)
            said = any(low <= gone <= high for low, high in found)
            assert said == (shared > 0) or shared < 1e-3, (kind, gone, found, shared)
            assert lies_over(there, outline) == said


def test_where_it_stands_decides_for_who_does_not_move() -> None:
    assert stretches(Round(1.0), Path(Pose(5, 0), ()), BLOCK) == [(0.0, 0.0)]
    assert stretches(Round(1.0), Path(Pose(0, 0), ()), BLOCK) == []
    assert not lies_over(PlacedSet.of([Placed(Round(1.0), Pose(3.5, 0))])[0], BLOCK)
