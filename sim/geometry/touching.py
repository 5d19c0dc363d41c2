"""Does a base touch a line? All members of a set have to touch the same one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from sim.geometry.constraints import Breach, Ground, Limit, Witness
from sim.geometry.distance import clearance, reach
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Pose
from sim.geometry.tolerance import beyond


@dataclass(frozen=True)
class Touch:
    """Every member touches one straight line out of several, the same line for all."""

    code: str
    rule: str
    lines: tuple[tuple[str, LineString], ...]

    @property
    def required(self) -> Limit:
        """No gap at all."""
        return Limit("at_most", 0.0)

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """The breaches against the line that suits the members best; none when all touch one."""
        best: list[Breach] | None = None
        for name, line in self.lines:
            found = []
            for i, member in enumerate(members):
                apart = clearance(member, line)
                if beyond(apart, 0.0):
                    shown = Witness(line=_shortest(member, line))
                    found.append(Breach(self.code, self.rule, i, name, apart, self.required, shown))
            if best is None or _misses(found) < _misses(best):
                best = found
        yield from best or ()

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The centres at which the base touches a line from either side: lines, without any area."""
        parts = []
        for _, line in self.lines:
            (ax, ay), (bx, by) = shapely.get_coordinates(line)
            for side in (math.pi / 2, -math.pi / 2):
                normal = math.atan2(by - ay, bx - ax) + side
                r = reach(Placed(base, Pose(0.0, 0.0, facing)), normal + math.pi)
                dx, dy = math.cos(normal) * r, math.sin(normal) * r
                parts.append(LineString([(ax + dx, ay + dy), (bx + dx, by + dy)]))
        return region.intersection(shapely.union_all(parts))

    def ground(self) -> Iterator[Ground]:
        """Nothing to draw: a line has no ground."""
        yield from ()


def _misses(found: list[Breach]) -> tuple[int, float]:
    return len(found), math.fsum(b.measured for b in found)


def _shortest(member: Placed, line: LineString) -> tuple[tuple[float, float], tuple[float, float]]:
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(member.polygon, line))
    return (float(ax), float(ay)), (float(bx), float(by))
