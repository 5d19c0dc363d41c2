"""Ambush (X): what the words in the brackets allow as the chosen point, and how near the corners must be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Unit
from sim.geometry import Limit, Point, Witness, clearance, within
from sim.geometry.lengths import inches
from sim.rules import Violation
from sim.rules.abilities import AbilityError
from sim.rulesets.t9a import formation, spacing
from sim.rulesets.t9a.abilities import EDGE_WORDS, OPEN_WORDS, place

RULE = "Ambush (X)"
CORNER_REACH = 6.0  # inches; replaced by a number in (X)


OFF_TERRAIN = 0.01  # inches by which a point that is led to Open Terrain stays off a piece


@dataclass(frozen=True)
class Place:
    """What (X) says: a kind of place or the name of a friend, and how near the corners must be, in inches."""

    words: str
    reach: float

    @property
    def is_edge(self) -> bool:
        """Whether the point lies on an edge of the table."""
        return self.words in EDGE_WORDS

    @property
    def is_open(self) -> bool:
        """Whether the point lies in Open Terrain."""
        return self.words in OPEN_WORDS


def place_of(unit: Unit) -> Place | None:
    """The (X) of a unit, None without Ambush. A bare Ambush is taken as Table Edge."""
    value = unit.ability("ambush")
    if value is None:
        return None
    try:
        words, reach = place(value)
    except AbilityError:
        words, reach = value, None
    return Place(words, CORNER_REACH if reach is None else reach)


def friends(battle: Battle, unit: Unit, place: Place) -> tuple[Unit, ...]:
    """The units of the same player on the table that (X) names by id, name or keyword."""
    if place.is_edge or place.is_open:
        return ()
    return tuple(
        other
        for other in battle.units
        if other.id != unit.id and other.player == unit.player and other.on_table and place.words in _names(other)
    )


def _names(unit: Unit) -> set[str]:
    return {re.sub(r"[\s_]+", "-", name.lower()) for name in (unit.id, unit.name, unit.datasheet, *unit.keywords)}


def wrong_point(battle: Battle, unit: Unit, place: Place, point: Point) -> Iterator[Violation]:
    """The chosen point is not where (X) allows it."""
    at = shapely.Point(point)
    table = spacing.table(battle.battlefield)
    if place.is_edge:
        yield from _off(unit, "an edge of the table", shapely.boundary(table), point)
    elif place.is_open:
        yield from _off(unit, "the battlefield", table, point)
        for piece in battle.battlefield.terrain:
            if "open" not in piece.traits and shapely.intersects(Polygon(piece.outline), at):
                what = f"the point lies in {piece.id}, which is no Open Terrain"
                shown = Witness(line=(point, point), outlines=(piece.outline,))
                yield Violation("point-not-allowed", RULE, what, (unit.id, piece.id), witness=shown)
    else:
        yield from _off_friends(battle, unit, place, point)


def _off(unit: Unit, name: str, allowed: BaseGeometry, point: Point) -> Iterator[Violation]:
    at = shapely.Point(point)
    off = float(shapely.distance(allowed, at))
    if not within(off, 0.0):
        (x, y), _ = shapely.get_coordinates(shapely.shortest_line(allowed, at))
        what = f"the point lies {inches(off)} from {name}; it must lie on it"
        shown = Witness(line=((float(x), float(y)), point))
        yield Violation("point-not-allowed", RULE, what, (unit.id,), off, Limit("at_most", 0.0), shown)


def _off_friends(battle: Battle, unit: Unit, place: Place, point: Point) -> Iterator[Violation]:
    found = friends(battle, unit, place)
    if not found:
        what = f"no friend called {place.words} stands on the table"
        yield Violation("point-not-allowed", RULE, what, (unit.id,))
        return
    at = shapely.Point(point)
    blocks = [(friend, formation.boundary(formation.standing(battle, friend))) for friend in found]
    off, friend = min(((clearance(placed, at), friend) for friend, placed in blocks), key=lambda row: row[0])
    if not within(off, 0.0):
        what = f"the point lies {inches(off)} from {friend.name}; it must lie on its boundary or inside"
        limit = Limit("at_most", 0.0)
        yield Violation("point-not-allowed", RULE, what, (unit.id, friend.id), off, limit, Witness((point, point)))


def nearest_point(battle: Battle, unit: Unit, place: Place, at: Point) -> Point:
    """The point that (X) allows nearest to one that is pointed at; that one itself where nothing is allowed."""
    table = spacing.table(battle.battlefield)
    if place.is_edge:
        allowed: BaseGeometry = shapely.boundary(table)
    elif place.is_open:
        closed = [Polygon(p.outline) for p in battle.battlefield.terrain if "open" not in p.traits]
        allowed = shapely.difference(table, shapely.union_all([shapely.buffer(p, OFF_TERRAIN) for p in closed]))
    else:
        found = friends(battle, unit, place)
        blocks = [formation.boundary(formation.standing(battle, friend)).polygon for friend in found]
        allowed = shapely.boundary(shapely.union_all(blocks))
    if allowed.is_empty or (place.is_open and shapely.contains_xy(allowed, *at)):
        return at
    (x, y), _ = shapely.get_coordinates(shapely.shortest_line(allowed, shapely.Point(at)))
    return float(x), float(y)


def same(one: Place, other: Place) -> bool:
    """Whether two units have the same (X)."""
    kinds = (one.is_edge, one.is_open) == (other.is_edge, other.is_open)
    named = one.is_edge or one.is_open or one.words == other.words
    return kinds and named and math.isclose(one.reach, other.reach)
