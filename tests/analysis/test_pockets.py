"""Pockets of the region, how many models they hold, and what closes them."""

from __future__ import annotations

import math

import pytest
import shapely

from sim.analysis import closings, pockets
from sim.geometry import KeepClear, Obstacles, Placed, PlacedSet, Pose, Round, StayInside

TABLE = shapely.box(0, 0, 60, 44)
BASE = Round.mm(32)


def screen(*at: tuple[float, float]) -> list[object]:
    """Enemies of 32 mm that keep everything nine inches away, and the table's edge."""
    foes = PlacedSet.of(Placed(BASE, Pose(x, y)) for x, y in at)
    names = tuple(f"m{k}" for k in range(len(at)))
    return [KeepClear("c", "r", Obstacles(foes, names), 9.0), StayInside("t", "r", "table", TABLE)]


def test_a_line_of_models_leaves_two_pockets_largest_first() -> None:
    found = pockets(screen(*((30.0, y) for y in range(2, 44, 5))), BASE, 0.0, TABLE)
    assert [p.number for p in found] == [1, 2]
    reach = 9 + 32 / 25.4
    side = (30 - reach - 16 / 25.4) * (44 - 32 / 25.4)
    assert found[0].area == pytest.approx(found[1].area, rel=1e-3)
    assert side < found[0].area < side * 1.05


def test_what_fits_can_be_laid_out() -> None:
    small = pockets([StayInside("t", "r", "t", shapely.box(0, 0, 4, 2))], BASE, 0.0, shapely.box(0, 0, 4, 2))
    assert len(small) == 1
    assert small[0].fits == 3, "three bases of 1.26 inches stand side by side in four inches"
    one = pockets([StayInside("t", "r", "t", shapely.box(0, 0, 2, 2))], BASE, 0.0, shapely.box(0, 0, 2, 2))
    assert one[0].fits == 1


def test_a_pocket_is_closed_by_the_model_that_moves_least() -> None:
    models = [(x, y) for x in (8.0, 22.0, 36.0, 50.0) for y in (8.0, 22.0)] + [(8.0, 34.0), (22.0, 34.0), (50.0, 34.0)]
    constraints = screen(*models)
    found = pockets(constraints, BASE, 0.0, TABLE)
    pocket = min(found, key=lambda p: p.shape.distance(shapely.Point(36, 40)))
    closing = closings(constraints, BASE, 0.0, TABLE, pocket)
    assert closing
    distances = [c.distance for c in closing]
    assert distances == sorted(distances)
    best = closing[0]
    number = int(best.model[1:])
    assert math.dist(models[number], best.to) == pytest.approx(best.distance, abs=1e-9)
    models[number] = best.to
    left = pockets(screen(*models), BASE, 0.0, TABLE)
    assert not any(p.shape.intersects(pocket.shape.buffer(-0.05)) for p in left)


def test_a_pocket_too_wide_for_one_model_is_not_closed() -> None:
    constraints = screen((5.0, 5.0))
    (whole,) = pockets(constraints, BASE, 0.0, TABLE)
    assert whole.fits == 100
    assert closings(constraints, BASE, 0.0, TABLE, whole) == ()
