"""Region and verdict agree: hulls with their origin outside, thin ones, notches, and every height."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import LineString

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
    StayNear,
    legal_region,
)
from sim.geometry.arcs import exact_region
from sim.geometry.cut_ground import CutGround, KeepOff, inside_of
from sim.geometry.distance import overhang
from sim.geometry.formation import nearest_spot
from sim.geometry.wholly_near import StayWithin

TABLE = shapely.box(0, 0, 30, 24)
FAINT = 2e-5  # inches
HALF_A_CROSS = ((-0.5, -1.5), (0.5, -1.5), (0.5, -0.5), (1.5, -0.5), (1.5, 0.5), (0.5, 0.5))
BASES: dict[str, Base] = {
    "dart": Hull(((-1.5, -0.5), (0.0, -1.5), (1.5, -0.5), (0.0, -0.25))),  # its origin lies outside
    "far": Hull(((2.0, 1.0), (4.0, 1.0), (3.5, 2.5))),
    "needle": Hull(((-2.0, 0.0), (2.0, 0.0), (2.0, 0.004), (-2.0, 0.004))),
    "cross": Hull(tuple((x * turn, y * turn) for turn in (1, -1) for x, y in HALF_A_CROSS)),
    "round": Round(1.26),
    "oval": Oval(3.5, 2.0),
}


def some_constraints(seed: int) -> list[Constraint]:
    rng = np.random.default_rng(seed)

    def spot(z: float = 0.0) -> Pose:
        return Pose(float(rng.uniform(2, 28)), float(rng.uniform(2, 22)), float(rng.uniform(0, 360)), z)

    bases = [Round(1.0), Oval(3.0, 1.5), Rect(1.0, 2.0), Round(2.0), BASES["dart"], Round(1.26)]
    heights = rng.choice([0.0, 3.0, 6.0, 9.0], len(bases))
    foes = PlacedSet.of(Placed(b, spot(float(z))) for b, z in zip(bases, heights, strict=True))
    names = tuple(f"foe-{k}" for k in range(len(bases)))
    x, y = spot().at
    crate = ((x, y), (x + 3, y + 0.5), (x + 2, y + 2))
    carrier = Obstacles(PlacedSet.of([Placed(Round(6.0), spot()), Placed(Round(6.0), spot(6.0))]), ("low", "high"))
    return [
        StayInside("t", "r", "table", TABLE),
        KeepClear("engaged", "r", Obstacles(foes, names), 1.0, vertical=5.0),
        KeepClear("overlaps", "r", Obstacles(foes, names), 0.0, strict=False, vertical=0.0),
        KeepClear("walls", "r", Obstacles.of_outlines([("crate", crate, 2.0)]), 0.0, strict=False),
        StayWithin("near", "r", carrier, 3.0, vertical=5.0) if seed % 2 else StayNear("strip", "r", edges(), 6.0),
    ]


def edges() -> tuple[tuple[str, LineString], ...]:
    x0, y0, x1, y1 = TABLE.bounds
    return (
        ("left", LineString([(x0, y0), (x0, y1)])),
        ("right", LineString([(x1, y0), (x1, y1)])),
        ("lower", LineString([(x0, y0), (x1, y0)])),
        ("upper", LineString([(x0, y1), (x1, y1)])),
    )


@pytest.mark.parametrize("name", sorted(BASES))
@pytest.mark.parametrize("seed", range(2))
def test_every_height_has_a_region_of_its_own(name: str, seed: int) -> None:
    base, constraints = BASES[name], some_constraints(seed)
    rng = np.random.default_rng(100 + seed)
    z, facing = float(rng.choice([0.0, 6.0])), float(rng.uniform(0, 360))
    region = exact_region(constraints, base, facing, TABLE, z)
    assert region.area >= -1e-9
    points = rng.uniform((-1, -1), (31, 25), (120, 2))
    said = region.contains(points)
    drawn = shapely.boundary(legal_region(constraints, base, facing, TABLE, z))
    for (x, y), legal in zip(points.tolist(), said.tolist(), strict=True):
        member = PlacedSet((Placed(base, Pose(x, y, facing, z)),))
        judged = not any(True for constraint in constraints for _ in constraint.judge(member))
        near = min(shapely.distance(drawn, shapely.Point(x, y)), shapely.distance(TABLE.boundary, shapely.Point(x, y)))
        assert judged == legal or near < FAINT, (x, y, facing, z)


def test_who_stands_upstairs_does_not_close_the_ground() -> None:
    foe = Obstacles(PlacedSet.of([Placed(Round(1.0), Pose(15, 12, 0, 6.0))]), ("foe",))
    clear = KeepClear("engaged", "r", foe, 1.0, vertical=5.0)
    assert exact_region([clear], Round(1.0), 0.0, TABLE).area == pytest.approx(29 * 23)
    upstairs = exact_region([clear], Round(1.0), 0.0, TABLE, 6.0)
    assert upstairs.area == pytest.approx(29 * 23 - math.pi * 4)
    found = nearest_spot([clear], [Round(1.0)], (Pose(15, 12.5, 0, 6.0),), TABLE)
    assert found is not None
    assert found[0].z == 6.0
    assert found[0].y == pytest.approx(14.0, abs=1e-3)


def test_what_holds_for_some_members_is_asked_of_those() -> None:
    floor = StayInside("floor", "r", "floor", shapely.box(5, 5, 9, 9), only=frozenset({1}))
    assert exact_region([floor], Round(1.0), 0.0, TABLE).area == pytest.approx(29 * 23)
    assert exact_region([floor], Round(1.0), 0.0, TABLE, 6.0, 1).area == pytest.approx(9.0)


def test_a_formation_chooses_one_edge_together() -> None:
    near = StayNear("strip", "r", edges(), 6.0)
    bases, poses = [Round(1.0), Round(1.0)], (Pose(4, 8), Pose(8, 4))
    members = PlacedSet.of(Placed(base, pose) for base, pose in zip(bases, poses, strict=True))
    assert any(near.judge(members))
    found = nearest_spot([near], bases, poses, TABLE)
    assert found is not None
    assert not any(near.judge(PlacedSet.of(Placed(base, pose) for base, pose in zip(bases, found, strict=True))))


@pytest.mark.parametrize("overlap", [0.1, 3e-3, 1e-4])
def test_the_nearest_spot_may_lie_in_a_corner_however_sharp(overlap: float) -> None:
    apart = 2 * (9 + 1.0) - overlap
    foes = PlacedSet.of([Placed(Round(1.0), Pose(5, 12)), Placed(Round(1.0), Pose(5 + apart, 12))])
    clear = KeepClear("c", "r", Obstacles(foes, ("a", "b")), 9.0)
    found = nearest_spot([clear], [Round(1.0)], (Pose(5 + apart / 2, 12.001),), TABLE)
    assert found is not None
    assert not any(clear.judge(PlacedSet((Placed(Round(1.0), found[0]),))))
    corner = math.sqrt(10**2 - (apart / 2) ** 2)
    assert found[0].y == pytest.approx(12 + corner, abs=0.02)


@pytest.mark.parametrize("seed", range(6))
def test_an_oval_over_a_border_by_a_hair_is_not_inside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    oval, facing = Oval(*sorted(rng.uniform(1, 7, 2), reverse=True)), float(rng.uniform(0, 360))
    corners = rng.uniform(-30, 30, (8, 2))
    zone = shapely.convex_hull(shapely.multipoints(corners))
    (ax, ay), (bx, by) = shapely.get_coordinates(zone)[:2].tolist()
    length = math.dist((ax, ay), (bx, by))
    nx, ny = (by - ay) / length, (ax - bx) / length  # outwards or inwards
    if shapely.contains(zone, shapely.Point((ax + bx) / 2 + nx * 1e-3, (ay + by) / 2 + ny * 1e-3)):
        nx, ny = -nx, -ny
    a, b = oval.length / 2, oval.width / 2
    heading = math.atan2(ny, nx) - math.radians(facing)
    reach = math.hypot(a * math.cos(heading), b * math.sin(heading))
    for out in (3e-6, 5e-5, 1e-3):
        x, y = (ax + bx) / 2 + nx * (out - reach), (ay + by) / 2 + ny * (out - reach)
        assert overhang(Placed(oval, Pose(x, y, facing)), zone) >= out - 1e-9


def test_a_sharp_tip_over_a_border_is_seen() -> None:
    spear = Hull(((0.0, -0.001), (2.0, 0.0), (0.0, 0.001)))
    assert overhang(Placed(spear, Pose(8.00002, 5)), shapely.box(0, 0, 10, 10)) == pytest.approx(2e-5)


@pytest.mark.parametrize("name", sorted(BASES))
def test_a_hole_is_that_of_its_own_ground(name: str) -> None:
    base = BASES[name]
    left = CutGround(((2, 2), (14, 2), (14, 12), (2, 12)), (((14.0, 12.0), 5.0),))
    above = CutGround(((2, 12), (20, 12), (20, 22), (2, 22)))
    inside = inside_of("c", "r", "zone", [left, above])
    region = exact_region([inside], base, 20.0, TABLE)
    rng = np.random.default_rng(5)
    ground = shapely.union(above.area, shapely.Polygon(left.outline).difference(shapely.Point(14, 12).buffer(5, 512)))
    for x, y in rng.uniform((0, 0), (22, 24), (80, 2)).tolist():
        member = Placed(base, Pose(x, y, 20.0))
        out = overhang(member, ground)
        if abs(out) > 1e-3:
            assert (out < 0) == bool(region.contains(np.array([(x, y)]))[0]), (x, y)
            assert (out < 0) == (not any(inside.judge(PlacedSet((member,))))), (x, y)


@pytest.mark.parametrize("name", sorted(BASES))
def test_ground_with_overlapping_discs_is_measured_to_its_tips(name: str) -> None:
    base = BASES[name]
    ground = CutGround(((0, 0), (30, 0), (30, 8), (0, 8)), (((12.0, 8.0), 5.0), ((18.0, 8.0), 5.0)))
    keep = KeepOff("c", "r", "zone", ground, 4.0)
    region = exact_region([keep], base, 35.0, TABLE)
    fine = shapely.Polygon(ground.outline).difference(
        shapely.union_all([shapely.Point(c).buffer(r, 2048) for c, r in ground.discs])
    )
    rng = np.random.default_rng(11)
    for x, y in rng.uniform((8, 3), (22, 20), (60, 2)).tolist():
        member = Placed(base, Pose(x, y, 35.0))
        true = shapely.distance(member.polygon, fine)
        assert max(ground.separation(member), 0.0) == pytest.approx(true, abs=2e-3)
        if abs(true - 4.0) > 2e-3 and TABLE.covers(member.polygon):
            assert bool(region.contains(np.array([(x, y)]))[0]) == (true > 4.0), (x, y)
