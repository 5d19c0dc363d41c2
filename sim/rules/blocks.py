"""A unit in ranks on its way: what of it is straight on, what is a wheel, who leaves the ranks, how a hand leads it.

A block goes straight, all models by the same step, or wheels about a front corner. On the way of a model a step of a
wheel is a straight leg to where it then stands and a pivot there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sim.battle import Battle, Ranked, Unit
from sim.geometry import EPS, Path, Placed, Point, Pose
from sim.geometry.blocks import arc, boundary, turned, wheel_corner
from sim.geometry.corners import boundary_corners
from sim.geometry.sweep import Leg

AHEAD = (0.0,)  # degrees from the front to which a block is led
EVERY_WAY = (0.0, 90.0, 180.0, 270.0)
Poses = tuple[Pose, ...]


@dataclass(frozen=True)
class Part:
    """A straight stretch of a block, or a wheel by some degrees: from where to where, and what a wheel costs."""

    before: Poses
    after: Poses
    degrees: float = 0.0
    about: Point = (0.0, 0.0)
    cost: float = 0.0  # inches that the outer front corner goes round; of a wheel

    @property
    def poses(self) -> tuple[Poses, ...]:
        """Where the models stand at the end of each straight step of it."""
        return arc(self.before, self.about, self.degrees) if self.degrees else (self.after,)


def in_block(unit: Unit) -> bool:
    """Whether the models keep ranks."""
    return isinstance(unit.formation, Ranked) and len(unit.models) > 1


def parts(unit: Unit, paths: Sequence[Path]) -> tuple[Part, ...]:
    """What a block does one after another, told from the way of its first model; nothing for who keeps no ranks."""
    if not in_block(unit):
        return ()
    way = (paths[0].start, *paths[0].stops)
    found: list[Part] = []
    k = 0
    while k + 1 < len(way):
        wheels = k + 2 < len(way) and way[k + 1].at != way[k].at and way[k + 2].facing != way[k + 1].facing
        last = k + 2 if wheels else k + 1
        before, after = (tuple(_at(path, i) for path in paths) for i in (k, last))
        found.append(_wheel(unit, before, after) if wheels else Part(before, after))
        k = last
    return tuple(found)


def _wheel(unit: Unit, before: Poses, after: Poses) -> Part:
    members = tuple(Placed(model.base, pose) for model, pose in zip(unit.models, before, strict=True))
    degrees = after[0].facing - before[0].facing
    left, right, *_ = boundary_corners(boundary(members))
    cost = math.dist(left, right) * math.radians(abs(degrees))
    return Part(before, after, degrees, wheel_corner(members, degrees), cost)


def _at(path: Path, stop: int) -> Pose:
    """Where a model is at a stop, 0 for its start; at its end once it has no more."""
    return path.start if stop == 0 else path.stops[min(stop, len(path.stops)) - 1] if path.stops else path.start


def out_of_ranks(unit: Unit, paths: Sequence[Path], found: Sequence[Part]) -> tuple[int, ...]:
    """Which models of a block do something else than the first: by number, each once."""
    if not in_block(unit):
        return ()
    out = {k for k, path in enumerate(paths) if len(path.stops) != len(paths[0].stops)}
    for part in found:
        first = part.after[0].x - part.before[0].x, part.after[0].y - part.before[0].y
        straight = tuple(Pose(p.x + first[0], p.y + first[1], p.facing, p.z) for p in part.before)
        due = turned(part.before, part.about, part.degrees) if part.degrees else straight
        out.update(k for k, (is_at, to) in enumerate(zip(part.after, due, strict=True)) if not _same(is_at, to))
    return tuple(sorted(out))


def _same(a: Pose, b: Pose) -> bool:
    return math.dist(a.at, b.at) <= EPS and abs((a.facing - b.facing + 180.0) % 360.0 - 180.0) <= EPS


def wheels_of(unit: Unit, paths: Sequence[Path]) -> tuple[Part, ...]:
    """The wheels on the way of a block that keeps its ranks."""
    found = parts(unit, paths)
    return () if out_of_ranks(unit, paths, found) else tuple(part for part in found if part.degrees)


def straight_legs(path: Path, member: int, wheels: Sequence[Part]) -> tuple[Leg, ...]:
    """The legs of a member's way that are no part of a wheel."""
    chords = {(part.before[member], part.after[member].at) for part in wheels}
    return tuple(leg for leg in path.legs if (leg.start, leg.end.at) not in chords)


def round_corners(paths: Sequence[Path], found: Sequence[Part]) -> tuple[Path, ...]:
    """The ways of a block with every wheel gone little by little, however few steps they name."""
    stations = [poses for part in found for poses in part.poses]
    ways = []
    for k, path in enumerate(paths):
        ways.append(Path.through(path.start, [[p[k].x, p[k].y, p[k].facing, p[k].z] for p in stations]))
    return tuple(ways)


# --- in hand


def wheels_about(battle: Battle, unit: Unit, poses: Poses, degrees: float) -> Point | None:
    """The front corner on the side to which a block wheels; models that keep no ranks turn each on its spot."""
    if not in_block(unit):
        return None
    return wheel_corner([Placed(model.base, pose) for model, pose in zip(unit.models, poses, strict=True)], degrees)


def led_straight(paths: tuple[Path, ...], ways: Sequence[float]) -> tuple[Path, ...]:
    """Paths whose last leg, the same for all, leads one of some ways from the front, as far as it leads that way.

    No hand holds a direction to a millionth of a degree.
    """
    steps = [_last_step(path) for path in paths]
    if not steps or steps[0] == (0.0, 0.0) or any(math.dist(step, steps[0]) > EPS for step in steps):
        return paths
    dx, dy = steps[0]
    angles = [math.radians(paths[0].end.facing + way) for way in ways]
    best = max(angles, key=lambda angle: dx * math.cos(angle) + dy * math.sin(angle))
    far = max(0.0, dx * math.cos(best) + dy * math.sin(best))
    return tuple(_ending(path, (far * math.cos(best), far * math.sin(best))) for path in paths)


def _last_step(path: Path) -> Point:
    """How far the last leg goes straight; nothing where it pivots."""
    legs = tuple(path.legs)
    if not legs or legs[-1].turn:
        return (0.0, 0.0)
    return legs[-1].end.x - legs[-1].start.x, legs[-1].end.y - legs[-1].start.y


def _ending(path: Path, by: Point) -> Path:
    """The path with another last leg, or without one where that goes nowhere."""
    start = path.stops[-2] if len(path.stops) > 1 else path.start
    if by == (0.0, 0.0):
        return Path(path.start, path.stops[:-1])
    return Path(path.start, (*path.stops[:-1], Pose(start.x + by[0], start.y + by[1], start.facing, path.end.z)))
