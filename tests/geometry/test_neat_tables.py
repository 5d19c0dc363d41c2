"""Regions on tables of whole inches and quarter turns, where borders touch one another and lie on one another.

A region is right when its border encloses its polygons, and both say the same of points thrown anywhere.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
import shapely

from sim.geometry import (
    Base,
    Constraint,
    Hull,
    KeepClear,
    Obstacles,
    Oval,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    StayInside,
)
from sim.geometry.arcs import exact_region
from sim.geometry.cut_ground import CutGround, KeepOff
from sim.geometry.wholly_near import StayWithin

TABLES = int(os.environ.get("INCHWISE_TABLES", "120"))
TABLE = shapely.box(0, 0, 30, 22)
BASES: tuple[Base, ...] = (
    Round(1.26),
    Round(2.0),
    Oval(4.0, 2.0),
    Oval(4.1, 2.8),
    Rect(2, 2),
    Rect(4, 2),
    Hull(((-2, -1), (2, -1), (2, 1), (0.5, 1), (0.5, 0), (-2, 0))),
)
NEAR: tuple[Base, ...] = (Round(6.0), Oval(8.0, 5.0), Rect(6, 4))
ZONE = shapely.Polygon([(0, 0), (30, 0), (30, 22), (14, 22), (14, 12), (0, 12)])
GROUND = CutGround(((18.0, 0.0), (30.0, 0.0), (30.0, 22.0), (18.0, 22.0)), (((18.0, 11.0), 6.0),))
# Tables on which a border was once lost: curves that touch, lie on one another, or end on one another.
KNOWN = (44, 48, 70, 78, 94, 132, 161, 173, 202, 216, 252, 279, 286, 312, 573, 661, 677, 1298, 1355, 1445)


class Table:
    """A table made up from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.neat = self.rng.random() < 0.6
        self.constraints = list(self._constraints())
        self.base = self._one_of(BASES)
        self.facing = 90.0 * int(self.rng.integers(4)) if self.neat else float(self.rng.uniform(0, 360))

    def _one_of(self, bases: tuple[Base, ...]) -> Base:
        return bases[int(self.rng.integers(len(bases)))]

    def _pose(self) -> Pose:
        x, y, facing = self.rng.uniform(0, 30), self.rng.uniform(0, 22), self.rng.uniform(0, 360)
        if self.neat:
            x, y, facing = round(x), round(y), 90 * int(self.rng.integers(4))
        return Pose(float(x), float(y), float(facing))

    def _constraints(self) -> list[Constraint]:
        found: list[Constraint] = []
        for _ in range(int(self.rng.integers(1, 4))):
            placed = [Placed(self._one_of(BASES), self._pose()) for _ in range(int(self.rng.integers(1, 9)))]
            distance = float(self.rng.choice([0.0, 1.0, 3.0]) if self.neat else self.rng.uniform(0, 4))
            names = tuple(map(str, range(len(placed))))
            found.append(KeepClear("c", "r", Obstacles(PlacedSet.of(placed), names), distance, strict=distance > 0))
        if self.rng.random() < 0.4:
            target = Placed(self._one_of(NEAR), self._pose())
            reach = float(self.rng.choice([3.0, 6.0, 8.0]))
            found.append(StayWithin("w", "r", Obstacles(PlacedSet((target,)), ("t",)), reach))
        if self.rng.random() < 0.3:
            found.append(StayInside("z", "r", "z", ZONE, (((22.0, 8.0), 4.0),)))
        if self.rng.random() < 0.25:
            found.append(KeepOff("o", "r", "z", GROUND, float(self.rng.choice([0.0, 1.0])), strict=False))
        return found


@pytest.mark.parametrize("seed", [*range(TABLES), *(seed for seed in KNOWN if seed >= TABLES)])
def test_a_border_encloses_its_region_however_neat_the_table_is(seed: int) -> None:
    table = Table(seed)
    region = exact_region(table.constraints, table.base, table.facing, TABLE)
    shape = region.polygons
    assert shape.is_valid
    length = float(shapely.length(shape))
    assert float(shape.area) == pytest.approx(region.area, abs=0.002 * length + 1e-3)
    points = table.rng.uniform((0, 0), (30, 22), (2000, 2))
    within = shapely.contains_xy(shape, points[:, 0], points[:, 1]) if length else np.zeros(len(points), dtype=bool)
    differ = points[region.contains(points) != within]
    assert not len(differ) or float(shapely.distance(shapely.points(differ), shapely.boundary(shape)).max()) < 0.003
