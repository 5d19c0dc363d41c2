"""The referee's own measuring: bases as shapes, gaps between them, Engagement Range, coherency, what a path sweeps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import shapely
from shapely import affinity
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from tests.referee.table import Model, Pose, Table, Unit

SLACK = 2e-3  # inches that the referee lets pass: outlines of ovals are polygons
ENGAGED, ENGAGED_UP = 1.0, 5.0
COHERENT, COHERENT_UP = 2.0, 5.0
MARKER_REACH, MARKER_UP = 3.0, 5.0
QUARTER = 90  # sides of a quarter of a circle


@lru_cache(maxsize=100_000)
def shape(base: tuple[Any, ...], pose: Pose) -> Polygon:
    """A base where it stands, on the plan."""
    x, y, facing, _ = pose
    match base:
        case ("round", d):
            return Point(x, y).buffer(d / 2, quad_segs=QUARTER)
        case ("oval", length, width):
            flat = affinity.scale(Point(0, 0).buffer(0.5, quad_segs=2 * QUARTER), length, width)
        case ("rect", width, depth):
            flat = box(-depth / 2, -width / 2, depth / 2, width / 2)
        case _:
            flat = Polygon(base[1])
    return affinity.translate(affinity.rotate(flat, facing, origin=(0, 0)), x, y)


def gap(one: tuple[Any, ...], at: Pose, other: tuple[Any, ...], there: Pose) -> float:
    """Inches between two bases on the plan, exact for round ones."""
    if one[0] == "round" and other[0] == "round":
        apart = math.hypot(at[0] - there[0], at[1] - there[1])
        return float(max(0.0, apart - one[1] / 2 - other[1] / 2))
    far = math.hypot(at[0] - there[0], at[1] - there[1]) - reach_of(one) - reach_of(other)
    if far > 30:
        return far
    if one[0] == "round" or other[0] == "round":
        disc, centre, hull, place = (one, at, other, there) if one[0] == "round" else (other, there, one, at)
        outline = shape(hull, place)
        point = Point(centre[0], centre[1])
        return float(max(0.0, outline.distance(point) - disc[1] / 2))
    return float(shape(one, at).distance(shape(other, there)))


@lru_cache(maxsize=1000)
def reach_of(base: tuple[Any, ...]) -> float:
    """How far a base reaches from the model's own position."""
    match base:
        case ("round", d):
            return float(d / 2)
        case ("oval", length, width):
            return float(max(length, width) / 2)
        case ("rect", width, depth):
            return math.hypot(width, depth) / 2
        case _:
            return max(math.hypot(x, y) for x, y in base[1])


def apart(one: Model, other: Model) -> float:
    """Inches between two models on the plan."""
    assert one.pose is not None
    assert other.pose is not None
    return gap(one.base, one.pose, other.base, other.pose)


def rise(one: Model, other: Model) -> float:
    """Inches up between two models."""
    assert one.pose is not None
    assert other.pose is not None
    return abs(one.pose[3] - other.pose[3])


def straight(one: Model, other: Model) -> float:
    """The straight line between two models, up included."""
    return math.hypot(apart(one, other), rise(one, other))


def standing(unit: Unit) -> tuple[Model, ...]:
    """The models of a unit that stand on the table."""
    return tuple(m for m in unit.models if m.pose is not None)


def units_apart(one: Unit, other: Unit, up: bool = True) -> float:
    """The least distance between two units, on the straight line or on the plan."""
    measure = straight if up else apart
    return min((measure(a, b) for a in standing(one) for b in standing(other)), default=math.inf)


def engaged(one: Model, other: Model, slack: float = 0.0, reach: float = ENGAGED) -> bool:
    """Whether two models are within Engagement Range."""
    return rise(one, other) <= ENGAGED_UP + slack and apart(one, other) <= reach + slack


def units_engaged(table: Table, one: Unit, other: Unit, slack: float = SLACK) -> bool:
    """Whether two units are within Engagement Range of one another, across a barricade too."""
    for a in standing(one):
        for b in standing(other):
            if math.hypot(a.pose[0] - b.pose[0], a.pose[1] - b.pose[1]) > reach_of(a.base) + reach_of(b.base) + 2.1:  # type: ignore[index]
                continue
            if engaged(a, b, slack) or (engaged(a, b, slack, 2.0) and barricaded(table, a, b)):
                return True
    return False


def barricaded(table: Table, one: Model, other: Model) -> bool:
    """Whether a barricade lies between two models, across which they fight at two inches."""
    assert one.pose is not None
    assert other.pose is not None
    line = shapely.shortest_line(shape(one.base, one.pose), shape(other.base, other.pose))
    return any(piece.intersects(line) for piece in pieces(table, "barricade", "pipes"))


def engaged_with(table: Table, unit: Unit, slack: float = SLACK) -> list[Unit]:
    """The enemy units that a unit is engaged with."""
    return [enemy for enemy in table.enemies(unit.player) if units_engaged(table, unit, enemy, slack)]


def pieces(table: Table, *kinds: str) -> list[Polygon]:
    """The outlines of terrain of some kinds."""
    return [Polygon(t["outline"]) for t in table.field.get("terrain", ()) if t["kind"] in kinds]


def coherent(models: Sequence[Model]) -> bool:
    """Whether models are one group, each near enough to one other, or two from seven models on."""
    n = len(models)
    if n < 2:
        return True
    near = [
        [
            j
            for j in range(n)
            if j != i
            and rise(models[i], models[j]) <= COHERENT_UP + SLACK
            and apart(models[i], models[j]) <= COHERENT + SLACK
        ]
        for i in range(n)
    ]
    least = 2 if n >= 7 else 1
    if any(len(found) < least for found in near):
        return False
    seen, open_ = {0}, [0]
    while open_:
        for j in near[open_.pop()]:
            if j not in seen:
                seen.add(j)
                open_.append(j)
    return len(seen) == n


def floor(table: Table) -> Polygon:
    """The battlefield."""
    return box(0, 0, table.field["width"], table.field["depth"])


def off_table(table: Table, base: tuple[Any, ...], pose: Pose) -> float:
    """How far a base lies beyond the edge."""
    x0, y0, x1, y1 = shape(base, pose).bounds
    return float(max(-x0, -y0, x1 - table.field["width"], y1 - table.field["depth"], 0.0))


def wholly_within(base: tuple[Any, ...], pose: Pose, other: BaseGeometry) -> float:
    """How far the farthest point of a base is from a shape."""
    if base[0] == "round" and other.convex_hull.equals(other):
        return float(other.distance(Point(pose[0], pose[1])) + base[1] / 2)
    return float(max(other.distance(Point(p)) for p in shape(base, pose).exterior.coords))


def overlap(one: Model, other: Model) -> float:
    """How deep two bases at the same height lie in one another, roughly: 0 where they do not."""
    if rise(one, other) > 1.0:
        return 0.0
    assert one.pose is not None
    assert other.pose is not None
    if one.base[0] == "round" and other.base[0] == "round":
        d = math.hypot(one.pose[0] - other.pose[0], one.pose[1] - other.pose[1])
        return float(max(0.0, one.base[1] / 2 + other.base[1] / 2 - d))
    common = shape(one.base, one.pose).intersection(shape(other.base, other.pose))
    if common.is_empty or common.area < 1e-9:
        return 0.0
    x0, y0, x1, y1 = common.minimum_rotated_rectangle.bounds
    return float(min(x1 - x0, y1 - y0))


def swept(base: tuple[Any, ...], start: Pose, end: Pose) -> BaseGeometry:
    """What a base covers on one straight leg without turning; the whole of its ways when it turns."""
    if base[0] == "round":
        line = LineString([(start[0], start[1]), (end[0], end[1])]) if start[:2] != end[:2] else Point(start[:2])
        return line.buffer(base[1] / 2, quad_segs=QUARTER)
    turned = (end[0], end[1], start[2], end[3])
    points = [*shape(base, start).exterior.coords, *shape(base, turned).exterior.coords]
    return MultiPoint(points).convex_hull


def marker_apart(model: Model, objective: dict[str, Any]) -> float:
    """Inches between a model and the edge of an objective marker on the plan."""
    assert model.pose is not None
    x, y = objective["at"]
    disc = ("round", 2 * objective["radius"])
    return gap(model.base, model.pose, disc, (x, y, 0.0, 0.0))


def in_range(model: Model, objective: dict[str, Any], slack: float = 0.0) -> bool:
    """Whether a model is within range of an objective marker."""
    assert model.pose is not None
    return marker_apart(model, objective) <= MARKER_REACH + slack and abs(model.pose[3]) <= MARKER_UP


def zones_of(table: Table, players: Iterable[str]) -> BaseGeometry:
    """The deployment zones of some players."""
    found = []
    for zone in table.field.get("zones", ()):
        if zone["player"] in players:
            area: BaseGeometry = Polygon(zone["outline"])
            for disc in zone.get("minus", ()):
                area = area.difference(Point(disc["at"]).buffer(disc["radius"], quad_segs=QUARTER))
            found.append(area)
    return shapely.union_all(found) if found else Polygon()
