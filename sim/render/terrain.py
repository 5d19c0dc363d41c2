"""What does a piece of terrain look like? One painter a kind; the outline that the rules measure stays visible."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pygame

from sim.geometry import Point
from sim.render.easel import Easel, seed_of
from sim.render.fonts import width_of, words
from sim.render.layer import BLEND, Layer, box_round, soft_shadow
from sim.render.strokes import bounds, inset, inside, middle, shrunk
from sim.view.scene import Polygon
from sim.view.theme import Colour, Look, faded, mixed

WHITE: Colour = (255, 255, 255, 255)
BLACK: Colour = (0, 0, 0, 255)
FINE = 3
SHADOW_SHARE = {
    "ruin": 0.12,
    "woods": 0.3,
    "crater": 0.0,
    "hill": 0.25,
}  # of the full shadow; others cast it all


@dataclass(frozen=True)
class Site:
    """A piece of terrain on its way onto the picture, its outline in picture units."""

    surface: pygame.Surface
    easel: Easel
    look: Look
    outline: list[Point]
    box: pygame.Rect
    seed: int
    height: float

    @property
    def painted(self) -> bool:
        """Whether the theme fills areas; a print only draws lines."""
        return self.look.fill[3] > 0 and self.easel.theme.shadow > 0

    @contextmanager
    def sheet(self, opacity: float = 1.0) -> Iterator[Layer]:
        """A new sheet that is laid on the picture at the end."""
        layer = Layer(self.box, FINE)
        yield layer
        layer.onto(self.surface, opacity)

    def inches(self, length: float) -> float:
        return self.easel.inches(length)

    def line(self, width: float) -> float:
        return self.easel.line(width)


def paint_terrain(surface: pygame.Surface, easel: Easel, piece: Polygon) -> None:
    """Lay a piece of terrain with its shadow and its label on the picture."""
    outline = easel.all(piece.outline)
    box = box_round(outline, 4, surface.get_rect())
    if box.w <= 0 or box.h <= 0:
        return
    site = Site(surface, easel, easel.look(piece.style), outline, box, seed_of(piece.outline), piece.height)
    kind = piece.style.split(".")[1] if "." in piece.style else ""
    _shadow(site, SHADOW_SHARE.get(kind, 1.0))
    KINDS.get(kind, _plain)(site)
    if piece.label:
        _label(site, piece.label)


def _shadow(site: Site, share: float) -> None:
    strength = site.easel.theme.shadow * (0.75 if share == 1 else 0.5)
    if site.height <= 0 or share <= 0 or strength <= 0:
        return
    x, y = site.easel.shade(min(site.height, 9.0))
    colour = faded(site.easel.theme.colour("shadow"), strength)
    soft_shadow(site.surface, site.outline, (x * share, y * share), colour, max(site.inches(0.16), 2.0))


def _plain(site: Site) -> None:
    with site.sheet() as layer:
        layer.polygon(site.outline, site.look.fill)
    _hatch(site, 8, 0.9)
    with site.sheet() as layer:
        layer.outline(site.outline, site.look.edge, site.line(1.2), site.look.pattern)


def _ruin(site: Site) -> None:
    """A footprint: hatched and dashed, with a little rubble."""
    with site.sheet() as layer:
        layer.polygon(site.outline, site.look.fill)
    _hatch(site, 7, 0.9)
    if site.painted:
        dice = random.Random(site.seed)
        with site.sheet(0.55) as layer:
            for at in _scattered(site, dice, 26, 0.3):
                size = site.inches(dice.uniform(0.06, 0.17))
                stone = mixed(site.look.edge, BLACK, dice.uniform(0.1, 0.5))
                layer.polygon([(x + size * 0.4, y + size * 0.5) for x, y in _stone(at, size, dice)], (0, 0, 0, 90))
                layer.polygon(_stone(at, size, dice), stone)
    with site.sheet() as layer:
        layer.outline(site.outline, site.look.edge, site.line(1.2), site.look.pattern)


def _wall(site: Site) -> None:
    """Something solid: light on top, a lit edge towards the light, a dark one away from it."""
    with site.sheet() as layer:
        _block(site, layer)


def _floor(site: Site) -> None:
    with site.sheet() as layer:
        layer.polygon(site.outline, site.look.fill)
    with site.sheet() as layer:
        for line in _ribs(site, 0.75, along=True):
            layer.stroke(line, site.look.hatch, site.line(1.0))
        layer.outline(site.outline, site.look.edge, site.line(1.2), "solid")


def _woods(site: Site) -> None:
    """Ground with a dashed border, and round tops of trees that leave the border visible."""
    with site.sheet() as layer:
        layer.polygon(site.outline, site.look.fill)
        if site.painted:
            layer.polygon(shrunk(site.outline, 0.9), mixed(site.look.fill, site.look.hatch, 0.25))
    dice = random.Random(site.seed)
    trees = _trees(site, dice)
    with site.sheet(0.92 if site.painted else 1.0) as layer:
        if site.painted:
            for (x, y), radius in trees:
                layer.disc((x + radius * 0.28, y + radius * 0.38), radius * 1.02, (0, 0, 0, 84))
        for at, radius in trees:
            _tree(site, layer, at, radius, dice)
    with site.sheet() as layer:
        layer.outline(site.outline, site.look.edge, site.line(1.2), site.look.pattern)


def _tree(site: Site, layer: Layer, at: Point, radius: float, dice: random.Random) -> None:
    leaf = site.look.hatch
    if not site.painted:
        layer.disc(at, radius, leaf)
        layer.disc(at, radius - site.line(1.0), WHITE)
        layer.disc(at, radius * 0.14, leaf)
        return
    x, y = at
    leaf = mixed(leaf, site.look.edge, dice.uniform(0.0, 0.35))
    layer.disc(at, radius, mixed(leaf, BLACK, 0.38))
    for share, drift, light in (
        (0.93, 0.03, 0.16),
        (0.74, 0.13, 0.0),
        (0.48, 0.22, -0.10),
        (0.24, 0.3, -0.18),
    ):
        tint = mixed(leaf, BLACK, light) if light >= 0 else mixed(leaf, WHITE, -light)
        layer.disc((x - radius * drift, y - radius * drift), radius * share, tint)


def _trees(site: Site, dice: random.Random) -> list[tuple[Point, float]]:
    left, top, right, bottom = bounds(site.outline)
    inch = site.inches(1)
    area = (right - left) * (bottom - top) / inch**2
    trees: list[tuple[Point, float]] = []
    for _ in range(min(int(area * 6), 400)):
        at = (dice.uniform(left, right), dice.uniform(top, bottom))
        radius = dice.uniform(0.45, 1.05) * inch
        reach = [
            (at[0] + radius * 1.1 * math.cos(t), at[1] + radius * 1.1 * math.sin(t))
            for t in (k * math.pi / 4 for k in range(8))
        ]
        apart = all(math.dist(at, spot) > 0.8 * (radius + size) for spot, size in trees)
        if apart and all(inside(site.outline, point) for point in reach):
            trees.append((at, radius))
    return trees


def _crater(site: Site) -> None:
    """A rim, lit on the far side, that falls to a dark bottom."""
    if not site.painted:
        with site.sheet() as layer:
            layer.outline(site.outline, site.look.edge, site.line(1.2), "dashed")
            for share in (0.72, 0.42):
                layer.outline(shrunk(site.outline, share), site.look.hatch, site.line(0.9), "solid")
        return
    cx, cy = middle(site.outline)
    left, _, right, _ = bounds(site.outline)
    drift = (right - left) * 0.03
    with site.sheet() as layer:
        layer.polygon(site.outline, site.look.fill)
        layer.polygon(shrunk(site.outline, 0.88), mixed(site.look.fill, site.look.edge, 0.55))
        for k in range(7):
            share = 0.80 - 0.10 * k
            tint = mixed(mixed(site.look.fill, site.look.hatch, 0.25), site.look.hatch, k / 6)
            layer.polygon(shrunk(site.outline, share, (cx - drift * k, cy - drift * k)), (*tint[:3], 205))
    with site.sheet() as layer:
        layer.outline(site.outline, site.look.edge, site.line(1.1), "dashed")


def _hill(site: Site) -> None:
    """Rising ground in steps, each lighter, with a line at its foot."""
    levels = min(max(round(site.height / 1.5), 2), 5) + 1
    for k in range(levels):
        step = shrunk(site.outline, 1 - 0.72 * k / levels, _summit(site))
        with site.sheet() as layer:
            if site.painted:
                tint = mixed(site.look.fill, WHITE, 0.10 * k)
                layer.polygon(step, faded(tint, 1.0 if k == 0 else 0.7))
            elif k == 0:
                layer.polygon(step, site.look.fill)
        with site.sheet() as layer:
            colour, width = (site.look.edge, 1.4) if k == 0 else (site.look.hatch, 1.1)
            layer.outline(step, colour, site.line(width), "solid")


def _barricade(site: Site) -> None:
    with site.sheet() as layer:
        _block(site, layer)
        for line in _ribs(site, 0.55):
            layer.stroke(line, site.look.edge, site.line(1.1))


def _container(site: Site) -> None:
    """A steel box with ribs across it."""
    with site.sheet() as layer:
        _block(site, layer)
        for line in _ribs(site, 0.32, margin=0.16):
            layer.stroke(line, site.look.hatch, site.line(1.0))


def _crate(site: Site) -> None:
    """A box of planks with a frame and a brace."""
    with site.sheet() as layer:
        _block(site, layer)
        for line in _ribs(site, 0.45, along=True):
            layer.stroke(line, faded(site.look.edge, 1.0), site.line(0.8))
        frame = inset(site.outline, site.inches(0.14))
        if len(frame) == 4:
            layer.stroke((frame[0], frame[2]), site.look.hatch, max(site.inches(0.13), 1.4))
            layer.stroke((frame[1], frame[3]), site.look.hatch, max(site.inches(0.13), 1.4))
        layer.outline(frame, site.look.hatch, max(site.inches(0.13), 1.4), "solid")
        layer.outline(site.outline, site.look.edge, site.line(1.2), "solid")


def _block(site: Site, layer: Layer) -> None:
    """A solid piece: its colour, edges lit from the upper left."""
    layer.polygon(site.outline, site.look.fill)
    if site.painted:
        width = max(min(site.inches(0.09), 3.0), 1.0)
        for one, other in _edges(inset(site.outline, width / 2)):
            layer.stroke((one, other), _edge_light(site, one, other), width)
    layer.outline(site.outline, site.look.edge, site.line(1.0), "solid")


def _edge_light(site: Site, one: Point, other: Point) -> Colour:
    cx, cy = middle(site.outline)
    towards = (one[0] + other[0]) / 2 - cx + (one[1] + other[1]) / 2 - cy
    if towards < 0:
        return mixed(site.look.fill, WHITE, 0.34)
    return mixed(site.look.fill, site.look.edge, 0.55)


def _hatch(site: Site, step: float, width: float) -> None:
    if site.look.hatch[3]:
        with site.sheet() as layer:
            layer.hatch(site.outline, site.look.hatch, step * max(site.easel.ui, 0.6), site.line(width))


def _ribs(site: Site, step: float, along: bool = False, margin: float = 0.0) -> list[tuple[Point, Point]]:
    """Lines across the long side of a box, ``step`` inches apart; ``along``: along the long side."""
    one, other = max(_edges(site.outline), key=lambda edge: math.dist(*edge))
    length = math.dist(one, other) or 1.0
    ux, uy = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    cx, cy = middle(site.outline)
    far = max(abs((x - cx) * ux + (y - cy) * uy) for x, y in site.outline)
    wide = max(abs((y - cy) * ux - (x - cx) * uy) for x, y in site.outline)
    if along:
        ux, uy, far, wide = -uy, ux, wide, far
    count = max(round(2 * far / site.inches(step)), 1)
    reach = max(wide - site.inches(margin), wide * 0.3)
    places = (-far + 2 * far * k / count for k in range(1, count))
    return [
        (
            (cx + ux * d - uy * reach, cy + uy * d + ux * reach),
            (cx + ux * d + uy * reach, cy + uy * d - ux * reach),
        )
        for d in places
    ]


def _edges(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(points, (*points[1:], points[0]), strict=True))


def _summit(site: Site) -> Point:
    cx, cy = middle(site.outline)
    left, top, right, bottom = bounds(site.outline)
    return (cx - (right - left) * 0.05, cy - (bottom - top) * 0.05)


def _scattered(site: Site, dice: random.Random, count: int, margin: float) -> list[Point]:
    left, top, right, bottom = bounds(site.outline)
    inner = inset(site.outline, site.inches(margin))
    spots = [(dice.uniform(left, right), dice.uniform(top, bottom)) for _ in range(count)]
    return [spot for spot in spots if inside(inner, spot)]


def _stone(at: Point, size: float, dice: random.Random) -> list[Point]:
    turn = dice.uniform(0, math.tau)
    return [
        (
            at[0] + size * dice.uniform(0.6, 1.1) * math.cos(t),
            at[1] + size * dice.uniform(0.6, 1.1) * math.sin(t),
        )
        for t in (turn + k * math.tau / 5 for k in range(5))
    ]


def _label(site: Site, text: str) -> None:
    """Small capitals in the middle, left out where they would not fit the piece."""
    size = site.easel.small_text(10)
    left, top, right, bottom = bounds(site.outline)
    text = text.upper()
    if width_of(text, size, True) > (right - left) * 0.9 or size * 1.6 > bottom - top:
        return
    halo = site.easel.theme.colour("label.muted")
    sprite = words(text, size, site.look.ink, True, faded(halo, 0.55))
    x, y = middle(site.outline)
    site.surface.blit(sprite, sprite.get_rect(center=(round(x), round(y))), special_flags=BLEND)


KINDS: dict[str, Callable[[Site], None]] = {
    "ruin": _ruin,
    "ruin-wall": _wall,
    "woods": _woods,
    "crater": _crater,
    "barricade": _barricade,
    "hill": _hill,
    "container": _container,
    "crate": _crate,
    "debris": _crate,
    "floor": _floor,
}
