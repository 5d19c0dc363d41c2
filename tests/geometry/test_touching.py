"""Is a touch a touch, and nothing else?"""

from __future__ import annotations

import pytest
import shapely
from shapely import LineString

from sim.geometry import Base, Hull, Oval, Placed, PlacedSet, Pose, Rect, Round
from sim.geometry.touching import Touch

LEFT = ("the left edge", LineString([(0, 0), (0, 44)]))
LOWER = ("the lower edge", LineString([(0, 0), (60, 0)]))
EDGES = Touch("must-touch", "Edge", (LEFT, LOWER))


def at(base: Base, *poses: tuple[float, float, float]) -> PlacedSet:
    return PlacedSet.of(Placed(base, Pose(*pose)) for pose in poses)


@pytest.mark.parametrize("base", [Round(2.0), Oval(6.0, 2.0), Rect(2.0, 6.0)])
@pytest.mark.parametrize("facing", [0.0, 90.0])
def test_a_base_touches_or_is_told_how_far_it_is(base: Base, facing: float) -> None:
    half = 1.0 if isinstance(base, Round) or facing == 90.0 else 3.0
    assert not list(EDGES.judge(at(base, (half, 20, facing))))
    (breach,) = EDGES.judge(at(base, (half + 0.25, 20, facing)))
    assert breach.measured == pytest.approx(0.25, abs=1e-9)
    assert breach.other == "the left edge"
    assert breach.witness.line is not None


def test_all_members_touch_the_same_line() -> None:
    assert not list(EDGES.judge(at(Round(2.0), (1, 20, 0), (1, 23, 0))))
    assert not list(EDGES.judge(at(Round(2.0), (1, 1, 0), (4, 1, 0)))), "both touch the lower edge"
    assert len(list(EDGES.judge(at(Round(2.0), (1, 20, 0), (20, 1, 0))))) == 1


def test_the_region_is_the_line_of_touching_centres() -> None:
    region = EDGES.carve(shapely.box(0, 0, 60, 44), Hull(((-3, -1), (3, -1), (3, 1), (-3, 1))), 90.0)
    assert region.area == 0
    assert region.distance(shapely.Point(1, 20)) < 1e-9
    assert region.distance(shapely.Point(20, 3)) < 1e-9
    assert region.distance(shapely.Point(20, 20)) > 1
    assert not list(EDGES.ground())
