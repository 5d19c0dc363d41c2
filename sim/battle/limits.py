"""What a battle may hold, whoever wrote it down: a scenario and a record are held to the same.

Every limit is far beyond any game and near enough that nothing which keeps to it exhausts a machine. A fault is where
in the thing it stands, by the keys of a scenario, and what was expected.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import shapely

from sim.battle.state import Battle, Battlefield, Circle, Model, Objective, Terrain, Unit, Zone
from sim.geometry import MM_PER_INCH, Base, Hull, Oval, Point, Rect, Round, ShapeError, check_outline

LARGEST_TABLE = 400.0  # inches; no table is longer than this
FARTHEST_CORNER = 1000.0  # inches; no outline goes farther from the corner of the table
HIGHEST = 1000.0  # inches; of terrain, floors and who stands on them
MOST_CORNERS = 1000  # of an outline
MOST_PIECES = 1000  # of terrain, of markers, of zones, and of floors in a piece
LEAST_BASE, LARGEST_BASE = 0.1, 1000.0  # millimetres
LARGEST_MARKER = 1000.0  # millimetres across
LARGEST_HULL = 40.0  # inches from the model's own position
MOST_UNITS = 1000
MOST_MODELS = 10_000  # of a unit, and of a battle
MOST_OF_A_PROFILE = 1000  # no number of a unit is greater

Fault = tuple[tuple[str | int, ...], str]  # where in the thing, and what was expected
_EPS = 1e-9  # of a size that was turned from millimetres into inches and back


def of_size(width: float, depth: float) -> Iterator[Fault]:
    """What is wrong with the size of a table."""
    for name, value in (("width", width), ("depth", depth)):
        if not (math.isfinite(value) and 0 < value <= LARGEST_TABLE):
            yield (name,), f"expected inches from 0 to {LARGEST_TABLE:g}, got {value:g}"


def of_terrain(piece: Terrain) -> Iterator[Fault]:
    """What is wrong with the measures of a piece of terrain."""
    if not (math.isfinite(piece.height) and 0 <= piece.height <= HIGHEST):
        yield ("height",), f"expected a height of 0 or more inches, at most {HIGHEST:g}, got {piece.height:g}"
    if len(piece.floors) > MOST_PIECES:
        yield ("floors",), f"expected at most {MOST_PIECES} floors, got {len(piece.floors)}"
        return
    for number, floor in enumerate(piece.floors):
        if not (math.isfinite(floor.z) and 0 <= floor.z <= HIGHEST):
            what = f"expected a floor at 0 or more inches, at most {HIGHEST:g}, got {floor.z:g}"
            yield ("floors", number, "z"), what
        yield from _of_outline(("floors", number, "outline"), f"{piece.id} floor", floor.outline)
    yield from _of_outline(("outline",), piece.id, piece.outline)


def of_objective(marker: Objective, width: float, depth: float) -> Iterator[Fault]:
    """What is wrong with where an objective marker lies, and with its size."""
    across = marker.radius * 2 * MM_PER_INCH
    if not 0 < across <= LARGEST_MARKER + _EPS:
        yield ("diameter",), f"expected more than 0 mm and at most {LARGEST_MARKER:g} mm, got {across:g}"
    yield from of_point(("at",), marker.at, width, depth)


def of_point(where: tuple[str | int, ...], at: Point, width: float, depth: float) -> Iterator[Fault]:
    """What is wrong with a point that has to lie on the table."""
    x, y = at
    if not (0 <= x <= width and 0 <= y <= depth):
        yield where, f"expected a point of the {width:g}×{depth:g} table, got {x:g}, {y:g}"


def of_zone(zone: Zone) -> Iterator[Fault]:
    """What is wrong with the outline of a zone, and with what is cut out of it."""
    yield from _of_outline(("outline",), zone.id, zone.outline)
    if len(zone.minus) > MOST_PIECES:
        yield ("minus",), f"expected at most {MOST_PIECES} circles, got {len(zone.minus)}"
    for number, disc in enumerate(zone.minus):
        yield from of_circle(("minus", number, "circle"), disc)


def of_circle(where: tuple[str | int, ...], disc: Circle) -> Iterator[Fault]:
    """What is wrong with a disc."""
    if not (max(map(abs, disc.at)) <= FARTHEST_CORNER and 0 < disc.radius <= FARTHEST_CORNER):
        what = f"expected a circle with a centre and more than 0 inches, at most {FARTHEST_CORNER:g}"
        yield where, f"{what}, got {disc.at[0]:g}, {disc.at[1]:g} and {disc.radius:g}"


def of_base(base: Base) -> Iterator[str]:
    """What is wrong with the size of a base."""
    match base:
        case Round(d):
            sizes: tuple[float, ...] = (d,)
        case Oval(length, width):
            sizes = (length, width)
        case Rect(width, depth):
            sizes = (width, depth)
        case Hull(outline):
            yield from of_hull(outline)
            return
        case _:
            return
    for size in (size * MM_PER_INCH for size in sizes):
        if not LEAST_BASE - _EPS <= size <= LARGEST_BASE + _EPS:
            yield f"expected a base of {LEAST_BASE:g} to {LARGEST_BASE:g} mm, got {size:g} mm"


def of_hull(outline: Sequence[Point]) -> Iterator[str]:
    """What is wrong with the extent of a hull."""
    if len(outline) > MOST_CORNERS:
        yield f"expected at most {MOST_CORNERS} corners of a hull, got {len(outline)}"
    elif not all(abs(value) <= LARGEST_HULL for corner in outline for value in corner):
        yield f"expected a hull within {LARGEST_HULL:g} inches of its model"
    elif thin := _too_thin(outline):
        yield f"expected a hull {thin}"


def _too_thin(outline: Sequence[Point]) -> str:
    """What is wrong with how wide an outline is at its narrowest; nothing where it is no needle.

    What is thinner than the judge's own tolerance would be driven over unseen.
    """
    if len(outline) < 3 or not all(math.isfinite(value) for corner in outline for value in corner):
        return ""  # told of elsewhere
    corners = shapely.get_coordinates(shapely.convex_hull(shapely.MultiPoint(outline)))
    sides = np.diff(corners, axis=0)
    normals = np.column_stack((-sides[:, 1], sides[:, 0])) / np.hypot(*sides.T)[:, None]
    across = float(np.min(np.ptp(corners @ normals.T, axis=0))) * MM_PER_INCH
    return "" if across >= LEAST_BASE - _EPS else f"at least {LEAST_BASE:g} mm across, got {across:g} mm"


def of_profile(profile: Iterable[tuple[str, float]]) -> Iterator[Fault]:
    """What is wrong with the numbers of a unit."""
    for name, value in profile:
        if not (math.isfinite(value) and 0 <= value <= MOST_OF_A_PROFILE):
            yield ("profile", name), f"expected {name} from 0 to {MOST_OF_A_PROFILE}, got {value:g}"


def of_height(model: Model) -> Iterator[str]:
    """What is wrong with the height at which a model stands."""
    if model.pose is not None and not 0 <= model.pose.z <= HIGHEST:
        yield f"expected a height of 0 or more inches, at most {HIGHEST:g}, got {model.pose.z:g}"


def of_unit(unit: Unit) -> Iterator[Fault]:
    """What is wrong with the measures of a unit and its models."""
    yield from of_profile(unit.profile)
    for part in unit.attached:
        yield from of_profile(part.profile)
    for number, model in enumerate(unit.models):
        for what in (*of_base(model.base), *of_height(model)):
            yield ("models", number), what


def of_counts(units: Sequence[Unit]) -> Iterator[Fault]:
    """What is wrong with how many units and models there are."""
    if len(units) > MOST_UNITS:
        yield ("unit",), f"expected at most {MOST_UNITS} units, got {len(units)}"
    models = sum(len(unit.models) for unit in units)
    if models > MOST_MODELS:
        yield ("unit",), f"expected at most {MOST_MODELS} models, got {models}"
    twice = [name for name, count in Counter(unit.id for unit in units).items() if count > 1]
    if twice:
        yield ("unit",), f"a second unit is called {twice[0]!r}"


def of_battlefield(field: Battlefield) -> Iterator[Fault]:
    """What is wrong with a table and what lies on it."""
    yield from (((("table", *where)), what) for where, what in of_size(field.width, field.depth))
    for name, pieces in (("terrain", field.terrain), ("objective", field.objectives), ("zone", field.zones)):
        if len(pieces) > MOST_PIECES:
            yield (name,), f"expected at most {MOST_PIECES} of them, got {len(pieces)}"
            return
    for number, piece in enumerate(field.terrain):
        yield from (((("terrain", number, *where)), what) for where, what in of_terrain(piece))
    for number, marker in enumerate(field.objectives):
        found = of_objective(marker, field.width, field.depth)
        yield from (((("objective", number, *where)), what) for where, what in found)
    for number, zone in enumerate(field.zones):
        yield from (((("zone", number, *where)), what) for where, what in of_zone(zone))


def of_battle(battle: Battle) -> Iterator[Fault]:
    """What is wrong with the measures of a battle."""
    yield from of_battlefield(battle.battlefield)
    yield from of_counts(battle.units)
    for number, unit in enumerate(battle.units):
        yield from (((("unit", number, *where)), what) for where, what in of_unit(unit))


def _of_outline(where: tuple[str | int, ...], name: str, outline: Sequence[Point]) -> Iterator[Fault]:
    if len(outline) > MOST_CORNERS:
        yield where, f"{name}: expected an outline of at most {MOST_CORNERS} corners, got {len(outline)}"
        return
    far = next((c for c in outline if any(math.isfinite(v) and abs(v) > FARTHEST_CORNER for v in c)), None)
    if far is not None:
        what = f"expected corners within {FARTHEST_CORNER:g} inches of the table's own, got {far[0]:g}, {far[1]:g}"
        yield where, f"{name}: {what}"
        return
    try:
        check_outline(name, outline)
    except ShapeError as error:
        yield where, str(error)
        return
    if thin := _too_thin(outline):
        yield where, f"{name}: expected an outline {thin}"
