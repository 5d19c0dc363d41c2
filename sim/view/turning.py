"""The same table seen from its right side: a wide table stands upright on a tall picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sim.geometry import Point
from sim.view.scene import Die, Disc, Ghost, Item, Label, Line, Mark, Oval, Polygon, Ruler, Scene, Zone

QUARTER = 90.0  # degrees


def turned(scene: Scene) -> Scene:
    """The scene a quarter turn to the left: up on the table is left on the picture; numbers at the frame stay true."""
    markers = [item for item in scene.items if isinstance(item, Disc) and item.style.startswith("objective")]
    return replace(
        scene,
        width=scene.depth,
        depth=scene.width,
        ground=turned_items(scene.ground, scene.depth),
        items=turned_items(scene.items, scene.depth, markers),
        focus=None if scene.focus is None else _corners(*scene.focus, scene.depth),
        turned=True,
    )


def turned_items(items: Sequence[Item], depth: float, markers: Sequence[Disc] = ()) -> tuple[Item, ...]:
    """The items of a table so many inches deep; words at a marker keep their place beside it."""
    return tuple(_item(item, depth, markers) for item in items)


def _at(point: Point, depth: float) -> Point:
    return (depth - point[1], point[0])


def _corners(low: Point, high: Point, depth: float) -> tuple[Point, Point]:
    return (depth - high[1], low[0]), (depth - low[1], high[0])


def _mark(mark: Mark | None) -> Mark | None:
    return mark if mark is None or mark.facing is None else replace(mark, facing=mark.facing + QUARTER)


def _item(item: Item, depth: float, markers: Sequence[Disc]) -> Item:
    match item:
        case Disc(at=at, mark=mark):
            return replace(item, at=_at(at, depth), mark=_mark(mark))
        case Oval(at=at, facing=facing, mark=mark):
            return replace(item, at=_at(at, depth), facing=facing + QUARTER, mark=_mark(mark))
        case Polygon(outline=outline, mark=mark):
            return replace(item, outline=tuple(_at(p, depth) for p in outline), mark=_mark(mark))
        case Ghost(shape=shape):
            body = _item(shape, depth, ())
            assert isinstance(body, Disc | Oval | Polygon)
            return replace(item, shape=body)
        case Zone(pieces=pieces):
            rings = tuple(tuple(tuple(_at(p, depth) for p in ring) for ring in piece) for piece in pieces)
            return replace(item, pieces=rings)
        case Line(points=points):
            return replace(item, points=tuple(_at(p, depth) for p in points))
        case Ruler(start=start, end=end):
            return replace(item, start=_at(start, depth), end=_at(end, depth))
        case Label(at=at, style="label.level") if markers:
            near = min(markers, key=lambda marker: math.dist(marker.at, at))
            x, y = _at(near.at, depth)
            return replace(item, at=(x + at[0] - near.at[0], y + at[1] - near.at[1]))
        case Label(at=at) | Die(at=at):
            return replace(item, at=_at(at, depth))
