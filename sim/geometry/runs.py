"""Where can a base end that turns once about its centre and then runs straight on until something stops it?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from sim.geometry.constraints import Breach, Ground, Limit, Witness
from sim.geometry.contact import Contact, first_nearing
from sim.geometry.distance import Segment
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Base, Placed, Point, Pose
from sim.geometry.sweep import Path, Sweep
from sim.geometry.tolerance import beyond

RAYS = 180  # headings that are looked along first; …
JUMP = 0.05  # … where two neighbours end this many inches apart, the headings between are looked along too, …
BEND = 0.002  # … and where the one halfway ends so many inches beside the line between them, …
FINEST_TURN = 0.25  # … down to so many degrees


@dataclass(frozen=True)
class Halt:
    """Something that stops a run where the base first comes within a reach of it, in inches."""

    name: str
    bases: PlacedSet
    reach: float


@dataclass(frozen=True)
class StayOnRun:
    """A member ends no farther from a start than a straight run towards it may go: its length, and what stops it.

    The base faces where it runs; a member is judged by where its centre lies, whatever its own facing.
    """

    code: str
    rule: str
    base: Base
    start: Pose
    most: float
    halts: tuple[Halt, ...]

    def stop(self, heading: float) -> tuple[float, Halt | None, Contact | None]:
        """How far a run along a heading goes, and what ends it: None when its length does."""
        facing = PlacedSet((Placed(self.base, Pose(self.start.x, self.start.y, heading, self.start.z)),))
        best: tuple[float, Halt | None, Contact | None] = (self.most, None, None)
        for halt in self.halts:
            found = first_nearing(facing, heading, halt.bases, halt.reach, best[0])
            if found is not None and found.distance < best[0]:
                best = (found.distance, halt, found)
        return best

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """A breach for each member whose centre lies beyond where a run towards it ends."""
        for i, member in enumerate(members):
            gone = math.dist(self.start.at, member.pose.at)
            heading = math.degrees(math.atan2(member.pose.y - self.start.y, member.pose.x - self.start.x))
            far, halt, _ = self.stop(heading)
            if beyond(gone, far):
                shown = Witness(line=(self.point_at(heading, far), member.pose.at))
                name = None if halt is None else halt.name
                yield Breach(self.code, self.rule, i, name, gone, Limit("at_most", far), shown)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region that some run reaches; the facing is free, since the base turns first."""
        return region.intersection(self.reached)

    @cached_property
    def reached(self) -> BaseGeometry:
        """Every centre that a run can reach, over all headings; its corners lie on the true border."""
        step = 360.0 / RAYS
        ends = [(k * step, self.stop(k * step)[0]) for k in range(RAYS)]
        ends.append((360.0, ends[0][1]))
        border = [self.point_at(*ends[0])]
        for low, high in pairwise(ends):
            border.extend(self.point_at(*end) for end in self._between(low, high))
        outline = Polygon(border)
        return outline if outline.is_valid else shapely.make_valid(outline)

    def _between(self, low: tuple[float, float], high: tuple[float, float]) -> Iterator[tuple[float, float]]:
        if high[0] - low[0] <= FINEST_TURN:
            yield high
            return
        turn = (low[0] + high[0]) / 2
        middle = (turn, self.stop(turn)[0])
        if abs(low[1] - high[1]) > JUMP or abs(middle[1] - (low[1] + high[1]) / 2) > BEND:
            yield from self._between(low, middle)
            yield from self._between(middle, high)
        else:
            yield from (middle, high)

    def point_at(self, heading: float, distance: float) -> Point:
        """The centre after a run."""
        angle = math.radians(heading)
        return self.start.x + distance * math.cos(angle), self.start.y + distance * math.sin(angle)

    def ground(self) -> Iterator[Ground]:
        """What the base covers if it runs as far as it can along the facing of the start."""
        far, halt, contact = self.stop(self.start.facing)
        end = Pose(*self.point_at(self.start.facing, far), self.start.facing, self.start.z)
        lines: list[tuple[Segment, str]] = [((self.start.at, end.at), f'{far:.2f}"')]
        if halt is not None and contact is not None and halt.reach > 0:
            lines.append(((contact.own, contact.other), f'{halt.reach:g}" from {halt.name}'))
        yield Ground("corridor", Sweep(self.base, Path(self.start, (end,))).area(), self.rule, tuple(lines))
