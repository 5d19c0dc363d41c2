"""Does a run end at its length, or where something stops it, whichever way it goes?"""

from __future__ import annotations

import math

import pytest
import shapely

from sim.geometry import Placed, PlacedSet, Pose, Rect, Round
from sim.geometry.runs import Halt, StayOnRun

BASE = Rect(2, 4)
POST = Halt("post", PlacedSet((Placed(Round(2), Pose(20, 10)),)), 1.0)


def run(*halts: Halt, facing: float = 0.0) -> StayOnRun:
    return StayOnRun("passes-stop", "Run", BASE, Pose(10, 10, facing), 18.0, halts)


def member(x: float, y: float) -> PlacedSet:
    return PlacedSet((Placed(BASE, Pose(x, y)),))


def test_without_anything_in_the_way_it_is_a_disc() -> None:
    free = run()
    assert free.reached.area == pytest.approx(math.pi * 18**2, rel=1e-3)
    assert not list(free.judge(member(28, 10)))
    (breach,) = free.judge(member(28.01, 10))
    assert breach.measured == pytest.approx(18.01)


def test_what_stops_it_is_named_and_measured() -> None:
    stopped = run(POST)
    far, halt, contact = stopped.stop(0.0)
    assert (far, halt) == (pytest.approx(6.0), POST)  # ten to the centre, less radius, half the base and an inch
    assert contact is not None
    assert math.dist(contact.own, contact.other) == pytest.approx(1.0)
    (breach,) = stopped.judge(member(16.5, 10))
    assert (breach.other, breach.measured, breach.required.value) == ("post", pytest.approx(6.5), pytest.approx(6.0))
    assert not list(stopped.judge(member(10, 28)))
    assert not stopped.reached.contains(shapely.Point(25, 10))
    assert stopped.carve(shapely.box(0, 0, 12, 20), BASE, 0.0).bounds[2] == pytest.approx(12.0)


def test_the_track_is_drawn_as_far_as_it_goes() -> None:
    (ground,) = run(POST).ground()
    assert ground.kind == "corridor"
    assert ground.area.bounds == pytest.approx((8.0, 9.0, 18.0, 11.0))
    assert [words for _, words in ground.rulers] == ['6.00"', '1" from post']
