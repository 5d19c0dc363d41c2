"""What stands on a table: a pose, a base, and a base placed at a pose.

Inches and degrees throughout. The origin is the lower left corner of the table, x runs right and y up; a facing of 0
looks along +x and grows counter-clockwise. An oval is a true ellipse with its length along the facing; the width of a
rectangle runs across its front; a hull is an outline about the model's own position with its front along +x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import shapely
from shapely import Polygon

from sim.geometry.tolerance import Floats

MM_PER_INCH = 25.4
FARTHEST = 1e6  # inches; nothing is placed farther away, so that no square of a distance overflows
FARTHEST_CHOICE = FARTHEST / 2  # a chosen point or facing; a block laid out around it is still within FARTHEST
Point = tuple[float, float]
Kind = Literal["ellipse", "polygon"]


class ShapeError(ValueError):
    """A base, outline or pose that no table can hold; the text says what was expected and what came."""


def _finite(what: str, *values: float) -> None:
    for value in values:
        if not math.isfinite(value):
            raise ShapeError(f"{what}: expected a finite number, got {value}")


def _positive(what: str, *values: float) -> None:
    _finite(what, *values)
    for value in values:
        if value <= 0:
            raise ShapeError(f"{what}: expected more than 0 inches, got {value:g}")


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a model stands: x, y and z in inches (z is the height of the surface under it), facing in degrees."""

    x: float
    y: float
    facing: float = 0.0
    z: float = 0.0

    def __post_init__(self) -> None:
        _finite("pose", self.x, self.y, self.facing, self.z)
        if max(abs(self.x), abs(self.y), abs(self.facing), abs(self.z)) > FARTHEST:
            raise ShapeError(f"pose: expected at most {FARTHEST:g} inches from the corner, got {self.x:g}, {self.y:g}")

    @property
    def at(self) -> Point:
        """The centre as a point on the plan."""
        return (self.x, self.y)


class Base:
    """The footprint of a model: one of ``Round``, ``Oval``, ``Rect`` and ``Hull``."""

    __slots__ = ()

    @property
    def semi_axes(self) -> Point:
        """Half length along the facing and half width across it, in inches; (0, 0) for bases with corners."""
        return (0.0, 0.0)

    @property
    def local_outline(self) -> tuple[Point, ...]:
        """The corners about the model's own position, front along +x; empty for round and oval bases."""
        return ()


@dataclass(frozen=True, slots=True)
class Round(Base):
    """A round base of diameter ``d`` inches."""

    d: float

    def __post_init__(self) -> None:
        _positive("round base", self.d)

    @classmethod
    def mm(cls, d: float) -> Round:
        """A round base by its diameter in millimetres, as bases are named on the box."""
        return cls(d / MM_PER_INCH)

    @property
    def semi_axes(self) -> Point:
        """The radius, twice."""
        return (self.d / 2, self.d / 2)


@dataclass(frozen=True, slots=True)
class Oval(Base):
    """An elliptical base: ``length`` along the facing and ``width`` across it, both in inches."""

    length: float
    width: float

    def __post_init__(self) -> None:
        _positive("oval base", self.length, self.width)

    @classmethod
    def mm(cls, length: float, width: float) -> Oval:
        """An oval base by its axes in millimetres."""
        return cls(length / MM_PER_INCH, width / MM_PER_INCH)

    @property
    def semi_axes(self) -> Point:
        """Half the length and half the width."""
        return (self.length / 2, self.width / 2)


@dataclass(frozen=True, slots=True)
class Rect(Base):
    """A rectangular base: ``width`` across its front and ``depth`` along the facing, both in inches."""

    width: float
    depth: float

    def __post_init__(self) -> None:
        _positive("rectangular base", self.width, self.depth)

    @classmethod
    def mm(cls, width: float, depth: float) -> Rect:
        """A rectangular base by its sides in millimetres."""
        return cls(width / MM_PER_INCH, depth / MM_PER_INCH)

    @property
    def local_outline(self) -> tuple[Point, ...]:
        """The four corners, counter-clockwise."""
        x, y = self.depth / 2, self.width / 2
        return ((-x, -y), (x, -y), (x, y), (-x, y))


@dataclass(frozen=True, slots=True)
class Hull(Base):
    """The outline of a model without a base, in inches about its own position, front along +x."""

    outline: tuple[Point, ...]

    def __post_init__(self) -> None:
        check_outline("hull", self.outline)

    @property
    def local_outline(self) -> tuple[Point, ...]:
        """The outline as given."""
        return self.outline


def check_outline(name: str, outline: Sequence[Point]) -> None:
    """Raise ``ShapeError`` when an outline is no simple polygon; the text says where it goes wrong."""
    if len(outline) < 3:
        raise ShapeError(f"{name}: an outline needs at least 3 corners, got {len(outline)}")
    for corner in outline:
        if len(corner) != 2:
            raise ShapeError(f"{name}: an outline corner is x, y, got {corner!r}")
        _finite(f"{name}: outline corner", *corner)
    polygon = Polygon(outline)
    if shapely.convex_hull(polygon).area <= 1e-9:
        raise ShapeError(f"{name}: outline encloses no area")
    if not polygon.is_valid:
        reason = shapely.is_valid_reason(polygon)
        place = reason.partition("[")[2].rstrip("]").split()
        where = f" near ({float(place[0]):g}, {float(place[1]):g})" if len(place) == 2 else ""
        what = "crosses itself" if "ntersection" in reason else "is not a simple polygon"
        raise ShapeError(f"{name}: outline {what}{where}")
    if polygon.area <= 1e-9:
        raise ShapeError(f"{name}: outline encloses no area")


@dataclass(frozen=True)
class Placed:
    """A base at a pose: the thing that distances are measured between."""

    base: Base
    pose: Pose

    @property
    def kind(self) -> Kind:
        """``ellipse`` for round and oval bases, ``polygon`` for rectangles and hulls."""
        return "ellipse" if isinstance(self.base, (Round, Oval)) else "polygon"

    @property
    def semi_axes(self) -> Point:
        """Half length along the facing and half width across it, in inches; (0, 0) for bases with corners."""
        return self.base.semi_axes

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """The corners on the table, in inches; empty for round and oval bases."""
        if not self.base.local_outline:
            return ()
        angle = math.radians(self.pose.facing)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = self.pose.at
        return tuple((x + cos * u - sin * v, y + sin * u + cos * v) for u, v in self.base.local_outline)

    @cached_property
    def polygon(self) -> Polygon:
        """The footprint: exact for bases with corners, a 256-sided inscribed polygon for round and oval ones."""
        if self.kind == "polygon":
            return Polygon(self.corners)
        return Polygon(ellipse_points(self.pose, *self.semi_axes, count=256))

    @property
    def radius(self) -> float:
        """The distance from the centre to the farthest point of the base, in inches."""
        if self.kind == "ellipse":
            return max(self.semi_axes)
        return max(math.hypot(x - self.pose.x, y - self.pose.y) for x, y in self.corners)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The exact box around the base: least x, least y, greatest x, greatest y."""
        if self.kind == "polygon":
            xs, ys = zip(*self.corners, strict=True)
            return (min(xs), min(ys), max(xs), max(ys))
        a, b = self.semi_axes
        angle = math.radians(self.pose.facing)
        half_x = math.hypot(a * math.cos(angle), b * math.sin(angle)) if a != b else a
        half_y = math.hypot(a * math.sin(angle), b * math.cos(angle)) if a != b else a
        x, y = self.pose.at
        return (x - half_x, y - half_y, x + half_x, y + half_y)


def ellipse_points(pose: Pose, a: float, b: float, count: int) -> Floats:
    """``count`` points around an ellipse, an array (count, 2) of inches, counter-clockwise from its front."""
    t = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
    angle = math.radians(pose.facing)
    u, v = a * np.cos(t), b * np.sin(t)
    return np.column_stack(
        (
            pose.x + math.cos(angle) * u - math.sin(angle) * v,
            pose.y + math.sin(angle) * u + math.cos(angle) * v,
        )
    )
