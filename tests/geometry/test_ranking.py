"""Is the nearest the nearest, and are equals told as equals?"""

from __future__ import annotations

import random

import pytest
import shapely

from sim.geometry import EPS, Placed, PlacedSet, Pose, Rect, Round, gap
from sim.geometry.ranking import NearestFirst

ORIGIN = Placed(Rect(2, 4), Pose(0, 0, 90))


def ranking(*gaps_: float, limit: float = 12.0) -> NearestFirst:
    groups = tuple((f"u{k}", PlacedSet((Placed(Round(1), Pose(1.5 + g, 0)),))) for k, g in enumerate(gaps_))
    return NearestFirst("not-nearest", "Bolt", ORIGIN, groups, limit)


def test_the_order_is_by_gaps_and_equals_share_the_first_place() -> None:
    order = ranking(5.0, 3.0, 3.0 + EPS / 2, 3.0 + 2 * EPS)
    assert [rank.name for rank in order.ranking] == ["u1", "u2", "u3", "u0"]
    assert [rank.name for rank in order.nearest] == ["u1", "u2"]
    (ground,) = order.ground()
    assert [words.split()[0] for _, words in ground.rulers] == ["1.", "1.", "3.", "4."]


@pytest.mark.parametrize(("far", "found"), [(12.0, 1), (12.0 + EPS / 2, 1), (12.01, 0)])
def test_the_limit_counts_as_within(far: float, found: int) -> None:
    assert len(ranking(far).nearest) == found
    assert ranking().nearest == ()


def test_verdict_and_region_agree() -> None:
    order = ranking(4.0, 6.0)
    base = Rect(1, 2)
    region = order.carve(shapely.box(-20, -20, 20, 20), base, 30.0)
    rng = random.Random(1)
    for _ in range(400):
        member = Placed(base, Pose(rng.uniform(-9, 9), rng.uniform(-9, 9), 30.0))
        apart = gap(ORIGIN, member)
        if abs(apart - 4.0) < 1e-3:
            continue
        assert (not list(order.judge(PlacedSet((member,))))) == (apart < 4.0)
        assert region.contains(shapely.Point(member.pose.at)) == (apart < 4.0)
