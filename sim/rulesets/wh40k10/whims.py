"""Anything at all: commands for an offer drawn by chance, cheaply; the judge says which of them are legal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np
import shapely
from numpy.random import Generator
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Battlefield, Unit
from sim.geometry import Path, Placed, PlacedSet, Point, Pose, gaps
from sim.geometry.tolerance import Floats
from sim.rules import Command, Deploy, Offer
from sim.rulesets.wh40k10 import charging, guided, movement, planning, reserves, terrain
from sim.rulesets.wh40k10.commands import (
    Advance,
    Charge,
    DeepStrike,
    FallBack,
    Guide,
    Infiltrate,
    NormalMove,
    RapidIngress,
    ScoutMove,
    StrategicReserves,
)

DRAWS = 4  # moves that are drawn before one that is planned
PAIRS = 2  # of Observer and enemy
SPOTS = 8  # places that are drawn for a unit that is set up
SPACING = 0.15  # a guess: inches between bases that are set up side by side
FILES = 5  # of a block at most

ALL_DRAWN = frozenset({"charge", "shoot", "guide"})  # offers of which a chance draws all that there is to do
SET_UP: dict[str, type[Command]] = {
    "deploy": Deploy,
    "infiltrate": Infiltrate,
    "deep-strike": DeepStrike,
    "strategic-reserves": StrategicReserves,
    "rapid-ingress": RapidIngress,
}


def whims(battle: Battle, offer: Offer, chance: Generator) -> Iterator[Command] | None:
    """Commands drawn by chance; None for an offer of which every proposal is as good as another."""
    if not offer.unit:
        return iter(())
    unit = battle.unit(offer.unit)
    match offer.command:
        case "normal-move":
            return (NormalMove(unit.id, paths) for paths in _moves(battle, unit, movement.distance_of(unit), chance))
        case "advance":
            reach = movement.distance_of(unit) + (movement.advance_roll(unit) or 1)
            return (Advance(unit.id, paths) for paths in _moves(battle, unit, reach, chance))
        case "scout-move":
            return (
                ScoutMove(unit.id, paths)
                for paths in _moves(battle, unit, movement.scout_distance(unit) or 0.0, chance)
            )
        case "fall-back":
            return _falls_back(battle, unit, chance)
        case "charge":
            return (Charge(unit.id, (name,)) for name in _shuffled(charging.targets_within(battle, unit), chance))
        case "shoot":
            return _shots(battle, unit, chance)
        case "guide":
            return _pairs(battle, unit, chance)
        case _ if offer.command in SET_UP:
            kind = SET_UP[offer.command]
            return (kind(unit.id, poses) for poses in _places(battle, unit, offer.command, chance))
        case _:
            return None


def _shuffled(names: Sequence[str], chance: Generator) -> list[str]:
    return [names[int(k)] for k in chance.permutation(len(names))]


def _moves(battle: Battle, unit: Unit, reach: float, chance: Generator) -> Iterator[tuple[Path, ...]]:
    """All models of a unit straight on, side by side, anywhere and as far as chance has it.

    Of those that would end over something at first sight none; the judge sees to the others.
    """
    members = PlacedSet.of(m.placed for m in unit.models)
    closed = _closed(battle, unit, members)
    centres = np.column_stack((members.x, members.y))
    for _ in range(DRAWS):
        heading, far = chance.uniform(0, 2 * math.pi), reach * chance.uniform(0.1, 1.0) - planning.SHORT_OF
        step = (far * math.cos(heading), far * math.sin(heading))
        if not closed(centres + step):
            yield tuple(Path.through(m.pose, [(m.pose.x + step[0], m.pose.y + step[1])]) for m in members)


def _closed(battle: Battle, unit: Unit, members: PlacedSet) -> Callable[[Floats], bool]:
    """Whether some centre lies off the table, in something solid, or so near another base that they must overlap."""
    field = battle.battlefield
    others = battle.index.others_than(unit.id).bases
    inner = np.minimum(members.a, members.b)
    reach = inner[:, None] + np.minimum(others.a, others.b)[None, :]
    solid = _solid(field)

    def closed(centres: Floats) -> bool:
        low, high = (centres - inner[:, None]).min(axis=0), (centres + inner[:, None]).max(axis=0)
        if low.min() < 0 or high[0] > field.width or high[1] > field.depth:
            return True
        if bool(shapely.contains_xy(solid, centres[:, 0], centres[:, 1]).any()):
            return True
        dx, dy = centres[:, 0:1] - others.x[None, :], centres[:, 1:2] - others.y[None, :]
        return bool((dx * dx + dy * dy < reach * reach).any())

    return closed


@lru_cache(maxsize=64)
def _solid(field: Battlefield) -> BaseGeometry:
    """All ground under solid terrain, prepared for many questions."""
    solid = shapely.union_all([wall.polygon for wall in terrain.solids(field).bases])
    shapely.prepare(solid)
    return solid


def _falls_back(battle: Battle, unit: Unit, chance: Generator) -> Iterator[Command]:
    for paths in _moves(battle, unit, movement.distance_of(unit), chance):
        yield FallBack(unit.id, paths)
    yield from planning.away(battle, unit, movement.distance_of(unit))


def _shots(battle: Battle, unit: Unit, chance: Generator) -> Iterator[Command]:
    """All weapons that reach it at one enemy."""
    foes = [u.id for u in battle.units if u.player != unit.player and u.on_table and u.models]
    for name in _shuffled(foes, chance):
        found = planning.shots(battle, unit, (name,), weigh=False)
        if found is not None:
            yield found


def _pairs(battle: Battle, unit: Unit, chance: Generator) -> Iterator[Command]:
    """Some Observer with some enemy."""
    friends = [u.id for u in guided.possible_observers(battle, unit)]
    foes = [u.id for u in battle.units if u.player != unit.player and u.on_table and u.models]
    pairs = zip(_shuffled(friends, chance), _shuffled(foes, chance), strict=False)
    yield from (Guide(unit.id, friend, foe) for friend, foe in islice(pairs, PAIRS))


def _places(battle: Battle, unit: Unit, command: str, chance: Generator) -> Iterator[tuple[Pose, ...]]:
    """Blocks of a unit somewhere in the ground that is open to it; of those near an enemy none."""
    field = battle.battlefield
    boxes: list[tuple[float, float, float, float]] = [(0.0, 0.0, field.width, field.depth)]
    if command == "deploy":
        boxes = [Polygon(zone.outline).bounds for zone in field.zones if zone.player == unit.player] or boxes
    elif by_strip(unit, command):
        deep, w, d = reserves.EDGE_STRIP, field.width, field.depth
        boxes = [(0, 0, w, deep), (0, d - deep, w, d), (0, 0, deep, d), (w - deep, 0, w, d)]
    enemies = battle.index.enemies_of(unit.player).bases
    for _ in range(SPOTS):
        x0, y0, x1, y1 = boxes[int(chance.integers(len(boxes)))]
        poses = _block(unit, (x0, y0, x1, y1), chance)
        if command != "deploy" and len(enemies):
            mine = PlacedSet.of(Placed(m.base, p) for m, p in zip(unit.models, poses, strict=True))
            if float(gaps(mine, enemies).min()) <= reserves.ENEMY_CLEARANCE:
                continue
        yield poses


def by_strip(unit: Unit, command: str) -> bool:
    """Whether a command sets a unit up in the strip along an edge."""
    return command == "strategic-reserves" or (command == "rapid-ingress" and unit.ability("deep-strike") is None)


def _block(unit: Unit, box: tuple[float, float, float, float], chance: Generator) -> tuple[Pose, ...]:
    """Ranks of a unit somewhere in a box, the whole of it if it fits."""
    widest = max(Placed(m.base, Pose(0.0, 0.0)).radius for m in unit.models)
    pitch = 2 * widest + SPACING
    files = min(len(unit.models), int(chance.integers(1, FILES + 1)))
    rows = math.ceil(len(unit.models) / files)
    x = _within(box[0], box[2], (files - 1) * pitch + 2 * widest, chance)
    y = _within(box[1], box[3], (rows - 1) * pitch + 2 * widest, chance)
    start: Point = (x + widest, y + widest)
    return tuple(Pose(start[0] + (k % files) * pitch, start[1] + (k // files) * pitch) for k in range(len(unit.models)))


def _within(low: float, high: float, length: float, chance: Generator) -> float:
    """Where something of a length may begin between two limits; in the middle when it is too long."""
    room = high - low - length
    return low + (float(chance.uniform(0, room)) if room > 0 else room / 2)
