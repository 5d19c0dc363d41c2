"""Ready-made spots and steps for games whose units stand in blocks; they are judged before anybody gives them.

In order where nothing is left to chance, drawn by it otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

import shapely
from numpy.random import Generator
from shapely import Polygon

from sim.battle import Battle, Loose, Unit
from sim.geometry import Base, Path, Placed, Point, Pose

STEP = 2.0  # inches between the spots that are tried
SHARES = (1.0, 0.5, 0.25)  # of the longest way
TURNS = (0.0, 90.0, 270.0, 180.0)  # degrees from a unit's facing, the front first
DRAWN = 24  # of the spots or steps that chance draws
LOOSE_FILES = 5  # of a group that stands in no ranks


T = TypeVar("T")


def in_order(found: Sequence[T], chance: Generator | None) -> Iterator[T]:
    """All of them, or some that chance draws."""
    if chance is None:
        yield from found
    else:
        yield from (found[int(k)] for k in chance.permutation(len(found))[:DRAWN])


def spots(battle: Battle, chance: Generator | None, player: str | None = None) -> Iterator[Point]:
    """Points of a player's deployment zones, or of the whole table."""
    field = battle.battlefield
    zones = [zone for zone in field.zones if zone.player == player]
    ground = shapely.union_all([Polygon(zone.outline) for zone in zones]) if zones else None
    across, up = int(field.width / STEP), int(field.depth / STEP)
    lattice = [((i + 0.5) * STEP, (k + 0.5) * STEP) for k in range(up) for i in range(across)]
    found = [at for at in lattice if ground is None or shapely.contains_xy(ground, *at)]
    yield from in_order(found, chance)


def facing_the_middle(battle: Battle, at: Point) -> float:
    """The quarter turn that looks from a point towards the middle of the table."""
    field = battle.battlefield
    return math.degrees(math.atan2(field.depth / 2 - at[1], 0.0)) % 360.0 if at[1] != field.depth / 2 else 0.0


def files_of(unit: Unit) -> int:
    """How many models stand beside one another in a block of a unit."""
    files = LOOSE_FILES if isinstance(unit.formation, Loose) else unit.formation.files
    return max(1, min(files, len(unit.models)))


def block(bases: Sequence[Base], files: int, at: Point, facing: float) -> tuple[Pose, ...]:
    """Ranks in contact whose middle lies on a point, the front rank first."""
    sizes = [Placed(base, Pose(0.0, 0.0)).bounds for base in bases]
    depth = max(x1 - x0 for x0, _, x1, _ in sizes)
    width = max(y1 - y0 for _, y0, _, y1 in sizes)
    rows = math.ceil(len(bases) / files)
    c, s = math.cos(math.radians(facing)), math.sin(math.radians(facing))
    poses = []
    for k in range(len(bases)):
        row, file = divmod(k, files)
        u, v = ((rows - 1) / 2 - row) * depth, ((files - 1) / 2 - file) * width
        poses.append(Pose(at[0] + c * u - s * v, at[1] + s * u + c * v, facing))
    return tuple(poses)


def strides(unit: Unit, reach: float, chance: Generator | None) -> Iterator[tuple[Path, ...]]:
    """The whole unit straight on, to the sides or back, as far as it may or a share of that."""
    if not unit.models or unit.models[0].pose is None or reach <= 0:
        return
    facing = unit.models[0].pose.facing
    ways = [(share * reach, facing + turn) for share in SHARES for turn in TURNS]
    for length, heading in in_order(ways, chance):
        angle = math.radians(heading)
        dx, dy = length * math.cos(angle), length * math.sin(angle)
        yield tuple(Path.through(m.pose, [[m.pose.x + dx, m.pose.y + dy]]) for m in unit.models if m.pose is not None)


def headings(battle: Battle, unit: Unit, chance: Generator | None) -> Iterator[float]:
    """Directions in degrees from the middle of a unit: to its enemies, the nearest first, then all round."""
    mine = battle.index.of_unit(unit.id).bases
    if not len(mine):
        return
    x, y = float(mine.x.mean()), float(mine.y.mean())
    foes = [battle.index.of_unit(other.id).bases for other in battle.units if other.player != unit.player]
    middles = [(float(foe.x.mean()), float(foe.y.mean())) for foe in foes if len(foe)]
    middles.sort(key=lambda at: math.dist(at, (x, y)))
    aims = [math.degrees(math.atan2(b - y, a - x)) for a, b in middles]
    yield from in_order([*aims, *(30.0 * k for k in range(12))], chance)
