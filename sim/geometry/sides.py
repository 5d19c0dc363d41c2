"""Which side of a boundary is a point closest to, and where on that side?

A boundary is an outline run through counter-clockwise; its sides are its edges, in that order. A point exactly as near
to two sides is closest to both: whoever asks decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from sim.geometry.distance import reach
from sim.geometry.shapes import Placed, Point
from sim.geometry.tolerance import within

FACED = ("right", "front", "left", "rear")  # the sides of a faced rectangle, in the order of its corners
COMPASS = ("east", "north", "west", "south")


@dataclass(frozen=True, slots=True)
class Side:
    """One edge of a boundary, with what lies inside on its left."""

    name: str
    start: Point
    end: Point

    @property
    def length(self) -> float:
        """The length of the side in inches."""
        return math.dist(self.start, self.end)

    @property
    def normal(self) -> Point:
        """The unit vector that points straight out of the boundary."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        return dy / self.length, -dx / self.length

    @property
    def heading(self) -> float:
        """The direction of the normal in degrees, from 0 up to 360."""
        return math.degrees(math.atan2(self.normal[1], self.normal[0])) % 360.0

    @property
    def middle(self) -> Point:
        """The point halfway along the side."""
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2

    def nearest(self, point: Point) -> Point:
        """The point of the side that is closest to a point."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        along = ((point[0] - self.start[0]) * dx + (point[1] - self.start[1]) * dy) / (dx * dx + dy * dy)
        share = min(1.0, max(0.0, along))
        return self.start[0] + share * dx, self.start[1] + share * dy

    def distance(self, point: Point) -> float:
        """How far a point is from the side, in inches; the same from within as from without."""
        return math.dist(point, self.nearest(point))

    def beyond(self, far: float) -> Polygon:
        """The ground beyond the line through the side, out to ``far`` inches each way."""
        (nx, ny), (mx, my) = self.normal, self.middle
        ax, ay = mx + ny * far, my - nx * far
        bx, by = mx - ny * far, my + nx * far
        return Polygon([(ax, ay), (ax + nx * far, ay + ny * far), (bx + nx * far, by + ny * far), (bx, by)])


def sides_of(outline: Sequence[Point], names: Sequence[str] = ()) -> tuple[Side, ...]:
    """The sides of an outline, counter-clockwise; without names they are called by where they look."""
    ring = shapely.get_coordinates(shapely.orient_polygons(Polygon(outline)).exterior)[:-1]
    corners = [(float(x), float(y)) for x, y in ring]
    if names:
        at = min(range(len(corners)), key=lambda k: math.dist(corners[k], outline[0]))
        corners = corners[at:] + corners[:at]
    found = []
    for k, start in enumerate(corners):
        end = corners[(k + 1) % len(corners)]
        if start != end:
            side = Side("", start, end)
            found.append(Side(names[k] if names else compass(side.heading), start, end))
    return tuple(found)


def compass(heading: float) -> str:
    """The quarter of the table that a heading looks to: east is along +x, north along +y."""
    return COMPASS[round(heading / 90.0) % 4]


def faced_boundary(members: Iterable[Placed], facing: float) -> tuple[Point, ...]:
    """The corners of the least rectangle along a facing that holds all the bases; counter-clockwise from rear right."""
    angle = math.radians(facing)
    ahead, left = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    spans = []
    for axis, turn in ((ahead, 0.0), (left, 90.0)):
        ends = [_span(member, axis, facing + turn) for member in members]
        spans.append((min(low for low, _ in ends), max(high for _, high in ends)))
    (u0, u1), (v0, v1) = spans
    corners = np.array([(u0, v0), (u1, v0), (u1, v1), (u0, v1)]) @ np.array([ahead, left])
    return tuple((float(x), float(y)) for x, y in corners)


def closest_sides(sides: Sequence[Side], point: Point) -> tuple[Side, ...]:
    """The side that a point is closest to, or all of those that are equally close, in their order."""
    least = min(side.distance(point) for side in sides)
    return tuple(side for side in sides if within(side.distance(point), least))


def _span(member: Placed, axis: Point, heading: float) -> tuple[float, float]:
    """From where to where a base reaches along an axis through the origin."""
    angle = math.radians(heading)
    centre = member.pose.x * axis[0] + member.pose.y * axis[1]
    return centre - reach(member, angle + math.pi), centre + reach(member, angle)
