"""Does a base that is held close to another come to touch it exactly, wherever it is held?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.geometry import Base, Hull, Oval, Placed, PlacedSet, Pose, Rect, Round, separation
from sim.geometry.snapping import contact_near

SHAPES: tuple[Base, ...] = (
    Round.mm(32),
    Oval.mm(120, 92),
    Rect.mm(60, 100),
    Hull(((-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (0.0, 0.4), (-2.0, 1.0))),
)
shapes = st.sampled_from(SHAPES)
degrees = st.floats(0, 360)


@given(shapes, shapes, degrees, degrees, degrees, st.floats(-0.3, 0.3))
def test_it_touches_and_slides_round(
    own: Base, other: Base, turn: float, turned: float, around: float, off: float
) -> None:
    standing = Placed(other, Pose(20.0, 20.0, turned))
    heading = math.radians(around)
    far = Placed(own, Pose(20.0 + 12 * math.cos(heading), 20.0 + 12 * math.sin(heading), turn))
    touching = contact_near(far, PlacedSet((standing,)), 20.0)
    assert touching is not None
    spot = Pose(far.pose.x + touching[0], far.pose.y + touching[1], turn)
    assert separation(Placed(own, spot), standing) == pytest.approx(0.0, abs=1e-7)
    off_line = math.remainder(math.degrees(math.atan2(spot.y - 20.0, spot.x - 20.0)) - around, 360)
    assert off_line == pytest.approx(0.0, abs=1e-6)
    near = Pose(spot.x + off * math.cos(heading), spot.y + off * math.sin(heading), turn)
    again = contact_near(Placed(own, near), PlacedSet((standing,)), 0.6)
    assert again is not None
    assert (near.x + again[0], near.y + again[1]) == pytest.approx((spot.x, spot.y), abs=1e-7)


def test_what_is_far_is_left_where_it_is() -> None:
    base = Placed(Round.mm(32), Pose(10.0, 10.0))
    assert contact_near(base, PlacedSet((Placed(Round.mm(32), Pose(13.0, 10.0)),)), 0.4) is None
    assert contact_near(base, PlacedSet(()), 0.4) is None
    assert contact_near(base, PlacedSet((Placed(Round.mm(32), Pose(10.0, 10.0)),)), 5.0) is None
