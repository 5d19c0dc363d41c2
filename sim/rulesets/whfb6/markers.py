"""What lies under a tunnel marker: open ground, an enemy, a friend or impassable terrain, or nothing at all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import shapely
from shapely import Polygon

from sim.battle import Battle, Loose, Marker, Unit
from sim.battle.state import LIES
from sim.geometry import EPS, MM_PER_INCH, Placed, Point, Rect, clearance, within
from sim.geometry.sides import FACED, Side, closest_sides, faced_boundary, sides_of
from sim.rulesets.whfb6 import terrain

UNDERGROUND = "underground"
MARKER = LIES  # the kind of a tunnel marker
COIN_RADIUS = 12 / MM_PER_INCH  # inches; the coin that stands for the marker, where all of it counts

Kind = Literal["open", "enemy", "edge", "off"]


@dataclass(frozen=True)
class Spot:
    """Where a marker lies: on what, and the sides of it that are closest (several when exactly as near)."""

    kind: Kind
    at: Point
    covered_by: str = ""
    sides: tuple[Side, ...] = ()
    rim: bool = False  # whether the thing is round or a hull, so that a side touches it in its middle only

    @property
    def distance(self) -> float:
        """How far the marker is from the closest side, in inches."""
        return self.sides[0].distance(self.at) if self.sides else 0.0

    def anchor(self, side: Side | None) -> Point:
        """The point by which the first model stands: the marker, or the closest point of a side."""
        if side is None:
            return self.at
        return side.middle if self.rim else side.nearest(self.at)

    def side_near(self, point: Point) -> Side | None:
        """Of the closest sides the one that a point is nearest to; None on open ground."""
        return min(self.sides, key=lambda side: math.dist(self.anchor(side), point), default=None)

    def chosen(self, name: str) -> Spot:
        """The same spot with one of its closest sides picked."""
        at = [side.name for side in self.sides].index(name)
        return Spot(self.kind, self.at, self.covered_by, self.sides[at : at + 1], self.rim)


def laid(unit: Unit) -> Marker | None:
    """The marker of a unit on the table, None without one."""
    return next((marker for marker in unit.markers if marker.kind == MARKER and marker.at is not None), None)


def spot_at(battle: Battle, unit: Unit, at: Point) -> Spot:
    """What a marker of a unit lies on at a point: the table's edge first, then enemies, friends, terrain."""
    if not on_battlefield(battle, at):
        return Spot("off", at)
    others = [other for other in battle.units if other.on_table and other.id != unit.id]
    others.sort(key=lambda other: other.player == unit.player)
    for other in others:
        kind: Kind = "edge" if other.player == unit.player else "enemy"
        for cover in _covers(other):
            if _is_under(battle, cover, at):
                return _closest(kind, at, other.id, cover)
    for piece in battle.battlefield.terrain:
        cover = _Cover(piece.outline)
        if terrain.is_impassable(piece) and _is_under(battle, cover, at):
            return _closest("edge", at, piece.id, cover)
    return Spot("open", at)


def on_battlefield(battle: Battle, at: Point) -> bool:
    """Whether a point lies on the table; a point exactly on the edge does unless an option says otherwise."""
    field = battle.battlefield
    out = max(-at[0], -at[1], at[0] - field.width, at[1] - field.depth)
    if battle.option("edge_marker", "on") == "off":
        return out < -EPS
    return within(out, 0.0)


def _closest(kind: Kind, at: Point, name: str, cover: _Cover) -> Spot:
    return Spot(kind, at, name, closest_sides(sides_of(cover.outline, cover.names), at), cover.rim)


@dataclass(frozen=True)
class _Cover:
    """Something that a marker may lie under: its boundary with names for the sides, and its base when that counts."""

    outline: tuple[Point, ...]
    names: tuple[str, ...] = ()
    base: Placed | None = None

    @property
    def rim(self) -> bool:
        """Whether its sides touch it in their middle only."""
        return self.base is not None and not isinstance(self.base.base, Rect)

    def away(self, at: Point) -> float:
        """How far a point is from it; 0 under it and on its border."""
        point = shapely.Point(at)
        if self.base is not None:
            return clearance(self.base, point)
        return float(shapely.distance(Polygon(self.outline), point))


def _covers(unit: Unit) -> Iterator[_Cover]:
    """A unit in ranks as its whole boundary, a loose one base by base."""
    members = [model.placed for model in unit.models if model.pose is not None]
    if members and not isinstance(unit.formation, Loose):
        yield _Cover(faced_boundary(members, members[0].pose.facing), FACED)
        return
    for member in members:
        yield _Cover(faced_boundary([member], member.pose.facing), FACED, member)


def _is_under(battle: Battle, cover: _Cover, at: Point) -> bool:
    radius = COIN_RADIUS if battle.option("marker_under", "point") == "coin" else 0.0
    return within(cover.away(at), radius)
