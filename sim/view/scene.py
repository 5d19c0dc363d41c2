"""A picture as a value: what is on it, in inches and style names. Colours live in ``Theme``, pixels in ``render``.

Items are painted in the order of ``Scene.items``. A style is a dotted name: ``base.blue``, ``terrain.ruin``,
``zone.exclusion``; a theme gives every part of it that it knows a look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.geometry import Point

Tone = Literal["plain", "good", "bad", "note"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is written on a base: a label, wounds left of all (``9/10``), and the facing to notch (None: no notch).

    ``height`` is how high it stands above the table, in words (``3"``), where it does.
    """

    label: str = ""
    wounds: str = ""
    facing: float | None = None
    selected: bool = False
    assumed: bool = False  # the size of the base is not known for certain
    height: str = ""


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc: a round base (``base.SIDE``) or an objective marker (``objective``, held: ``objective.SIDE``)."""

    at: Point
    radius: float
    style: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Oval:
    """An elliptical base, its length along the facing in degrees."""

    at: Point
    length: float
    width: float
    facing: float
    style: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled outline: terrain (``terrain.KIND``), a floor, a base with corners; height in inches makes a shadow."""

    outline: tuple[Point, ...]
    style: str
    height: float = 0.0
    label: str = ""
    mark: Mark | None = None


Shape = Disc | Oval | Polygon


@dataclass(frozen=True, slots=True)
class Ghost:
    """A base that is not set down yet, at the spot it is held over, with whether it may stand there."""

    shape: Shape
    legal: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """Ground that means something: pieces, each an outline followed by its holes; and a label for its border.

    Styles: ``zone.exclusion`` (keep out: bright thin outline, faint fill and hatching), ``zone.centre`` (where the
    centre of the dragged base may go: dotted teal border, lighter fill), ``zone.deployment.SIDE``, ``zone.reach``.
    """

    pieces: tuple[tuple[tuple[Point, ...], ...], ...]
    style: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line along points: ``line.path``, ``line.link``, ``line.edge``."""

    points: tuple[Point, ...]
    style: str


@dataclass(frozen=True, slots=True)
class Ruler:
    """A tape from edge to edge with a tick every inch and one label: what was measured, and what it needs."""

    start: Point
    end: Point
    label: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Label:
    """Text at a point, ``size`` in points at 100 %, with a halo so that it reads on anything."""

    at: Point
    text: str
    style: str = "label"
    size: int = 13


@dataclass(frozen=True, slots=True)
class Die:
    """A die that was rolled, shown with its face."""

    at: Point
    face: int
    tone: Tone = "plain"


Item = Disc | Oval | Polygon | Ghost | Zone | Line | Ruler | Label | Die


@dataclass(frozen=True, slots=True)
class Caption:
    """The words of a picture: a headline with its tone, and lines under it, each with its own tone."""

    headline: str = ""
    tone: Tone = "plain"
    lines: tuple[tuple[str, Tone], ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A table of ``width`` by ``depth`` inches with everything on it.

    ``ground`` changes rarely and may be cached by its equality (mat, zones, terrain); ``items`` lie on
    top of it. ``heading`` says whose time it is, ``caption`` what is to be seen.
    """

    width: float
    depth: float
    ground: tuple[Item, ...] = ()
    items: tuple[Item, ...] = ()
    heading: str = ""
    caption: Caption = Caption()
    focus: tuple[Point, Point] | None = None  # the lower left and upper right of what a picture is to show; all if None
    turned: bool = False  # whether the table lies a quarter turn to the left, so that its lower numbers run leftwards
