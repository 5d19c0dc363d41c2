"""How do edges become smooth? A transparent sheet, drawn larger than it is shown and scaled down.

Sheets and sprites hold premultiplied colours; they go onto a picture with ``BLEND``. On one sheet a later shape takes
the place of an earlier one, also where it is half transparent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import pygame

from sim.geometry import Point
from sim.render.strokes import Bounds, dashes, hatching, inset, spots
from sim.view.theme import Colour, Pattern

BLEND = pygame.BLEND_PREMULTIPLIED
MOST_PIXELS = 1_600_000  # of an enlarged sheet; a larger one is drawn less finely, at last with plain smooth lines


class Layer:
    """A sheet over a box of the picture, ``factor`` times as fine as the picture. Points in picture units."""

    def __init__(self, box: pygame.Rect, factor: int = 4) -> None:
        while factor > 1 and box.w * box.h * factor * factor > MOST_PIXELS:
            factor -= 1
        self.box = box
        self.factor = factor
        size = (max(box.w, 1) * factor, max(box.h, 1) * factor)
        self.sheet = pygame.Surface(size, pygame.SRCALPHA, 32)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Fill an outline."""
        if colour[3]:
            fine = self._fine(points)
            pygame.draw.polygon(self.sheet, premultiplied(colour), fine)
            if self.factor == 1:
                pygame.draw.aalines(self.sheet, premultiplied(colour), True, fine)

    def disc(self, at: Point, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        if colour[3]:
            circle = pygame.draw.aacircle if self.factor == 1 else pygame.draw.circle
            circle(self.sheet, premultiplied(colour), self._fine((at,))[0], radius * self.factor)

    def clear_disc(self, at: Point, radius: float) -> None:
        """Make a round hole in what is drawn so far."""
        pygame.draw.circle(self.sheet, (0, 0, 0, 0), self._fine((at,))[0], radius * self.factor)

    def stroke(self, points: Sequence[Point], colour: Colour, width: float, closed: bool = False) -> None:
        """Draw a line of a width, round at its joints."""
        if not colour[3]:
            return
        ink, fine = premultiplied(colour), self._fine(points)
        half = max(width * self.factor / 2, 0.5)
        if closed:
            fine.append(fine[0])
        for one, other in pairwise(fine):
            if self.factor == 1 and half <= 2:
                pygame.draw.aaline(self.sheet, ink, one, other, max(round(half * 2), 1))
            else:
                _bar(self.sheet, ink, one, other, half)
        if half > 1.2:
            for point in fine if closed else fine[1:-1]:
                pygame.draw.circle(self.sheet, ink, point, half)

    def outline(self, points: Sequence[Point], colour: Colour, width: float, pattern: Pattern) -> None:
        """Draw a closed line: solid, dashed or dotted."""
        if pattern == "none" or not colour[3]:
            return
        if pattern == "solid":
            self.stroke(points, colour, width, closed=True)
        elif pattern == "dashed":
            for dash in dashes(points, 4.0 + width, 2.5 + width, closed=True):
                self.stroke(dash, colour, width)
        else:
            for spot in spots(points, 2.2 * width + 1.5, closed=True):
                self.disc(spot, width * 0.6, colour)

    def hatch(self, outline: Sequence[Point], colour: Colour, step: float, width: float, angle: float = 45.0) -> None:
        """Draw parallel lines over what is inside an outline, and clear the sheet outside it."""
        if not colour[3]:
            return
        box: Bounds = (self.box.left, self.box.top, self.box.right, self.box.bottom)
        for one, other in hatching(box, step, angle):
            self.stroke((one, other), colour, width)
        self.cut(outline)

    def cut(self, outline: Sequence[Point]) -> None:
        """Clear what is outside an outline."""
        mask = pygame.Surface(self.sheet.get_size(), pygame.SRCALPHA, 32)
        pygame.draw.polygon(mask, (255, 255, 255, 255), self._fine(outline))
        self.sheet.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)

    def merge(self, other: Layer) -> None:
        """Lay another sheet of the same box over this one."""
        self.sheet.blit(other.sheet, (0, 0), special_flags=BLEND)

    def finished(self) -> pygame.Surface:
        """The sheet at the size of its box."""
        if self.factor == 1:
            return self.sheet
        return pygame.transform.smoothscale(self.sheet, self.box.size)

    def onto(self, surface: pygame.Surface, opacity: float = 1.0) -> None:
        """Lay the sheet on a picture, at the place of its box."""
        image = self.finished()
        if opacity < 1:
            image.fill((round(255 * opacity),) * 4, special_flags=pygame.BLEND_RGBA_MULT)
        surface.blit(image, self.box, special_flags=BLEND)

    def _fine(self, points: Sequence[Point]) -> list[Point]:
        left, top, factor = self.box.left, self.box.top, self.factor
        return [((x - left) * factor, (y - top) * factor) for x, y in points]


def premultiplied(colour: Colour) -> Colour:
    """The colour with its red, green and blue weighed by its opacity, as sheets hold it."""
    r, g, b, a = colour
    return (r * a // 255, g * a // 255, b * a // 255, a)


def box_round(points: Sequence[Point], margin: float, within: pygame.Rect | None = None) -> pygame.Rect:
    """The upright box round the points with a margin, cut to ``within``."""
    left = math.floor(min(x for x, _ in points) - margin)
    top = math.floor(min(y for _, y in points) - margin)
    right = math.ceil(max(x for x, _ in points) + margin)
    bottom = math.ceil(max(y for _, y in points) + margin)
    box = pygame.Rect(left, top, right - left, bottom - top)
    return box if within is None else box.clip(within)


def soft_shadow(surface: pygame.Surface, outline: Sequence[Point], reach: Point, colour: Colour, blur: float) -> None:
    """Lay the shadow of a block on a picture: its outline swept along ``reach``, with soft edges."""
    tip = [(x + reach[0], y + reach[1]) for x, y in outline]
    box = box_round([*outline, *tip], blur * 2 + 2, surface.get_rect())
    if not colour[3] or box.w < 4 or box.h < 4:
        return
    coarse = max(round(blur / 2), 1)
    small = pygame.Surface((box.w // coarse + 1, box.h // coarse + 1), pygame.SRCALPHA, 32)
    ink = premultiplied(colour)
    near = [((x - box.left) / coarse, (y - box.top) / coarse) for x, y in outline]
    far = [((x - box.left) / coarse, (y - box.top) / coarse) for x, y in tip]
    pygame.draw.polygon(small, ink, far)
    for k in range(len(near)):
        j = (k + 1) % len(near)
        pygame.draw.polygon(small, ink, (near[k], near[j], far[j], far[k]))
    small = pygame.transform.box_blur(small, max(round(blur / coarse), 1))
    grown = pygame.transform.smoothscale(small, (small.get_width() * coarse, small.get_height() * coarse))
    surface.blit(grown, box, special_flags=BLEND)


def rounded(box: pygame.Rect, radius: float) -> list[Point]:
    """The outline of a box with rounded corners."""
    radius = min(radius, box.w / 2, box.h / 2)
    corners = (
        (box.right - radius, box.bottom - radius),
        (box.left + radius, box.bottom - radius),
        (box.left + radius, box.top + radius),
        (box.right - radius, box.top + radius),
    )
    turns = [math.pi / 2 * (k / 6) for k in range(7)]
    return [
        (x + radius * math.cos(q * math.pi / 2 + t), y + radius * math.sin(q * math.pi / 2 + t))
        for q, (x, y) in enumerate(corners)
        for t in turns
    ]


def card(
    surface: pygame.Surface,
    box: pygame.Rect,
    fill: Colour,
    edge: Colour,
    radius: float,
    width: float,
    pattern: Pattern = "solid",
) -> None:
    """Lay a box with rounded corners and an edge on a picture; boxes of one size and look are drawn once."""
    image = _card(box.size, fill, edge, radius, width, pattern)
    surface.blit(image, box.inflate(2, 2), special_flags=BLEND)


@lru_cache(maxsize=256)
def _card(
    size: tuple[int, int], fill: Colour, edge: Colour, radius: float, width: float, pattern: Pattern
) -> pygame.Surface:
    box = pygame.Rect((0, 0), size)
    layer = Layer(box.inflate(2, 2), 4)
    shape = rounded(box, radius)
    if edge[3] and pattern == "solid":
        layer.polygon(shape, edge)
        layer.polygon(inset(shape, width), fill if fill[3] else edge)
    else:
        layer.polygon(shape, fill)
        layer.outline(inset(shape, width / 2), edge, width, pattern)
    return layer.finished()


def _bar(sheet: pygame.Surface, ink: Colour, one: Point, other: Point, half: float) -> None:
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = math.hypot(dx, dy)
    if length == 0:
        return
    nx, ny = -dy / length * half, dx / length * half
    corners = (
        (one[0] + nx, one[1] + ny),
        (other[0] + nx, other[1] + ny),
        (other[0] - nx, other[1] - ny),
        (one[0] - nx, one[1] - ny),
    )
    pygame.draw.polygon(sheet, ink, corners)
