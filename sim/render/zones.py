"""How is ground shown that means something? Keep-out ground, ground to stand on, deployment, reach.

While a unit is dragged its zones change every frame, so they are drawn straight at the size of the picture: a mask of
the outline, a pattern of fill and hatching made once, and a smooth outline on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import pygame

from sim.geometry import Point
from sim.render.easel import Easel
from sim.render.fonts import words
from sim.render.layer import BLEND, Layer, box_round, premultiplied
from sim.render.strokes import (
    Bounds,
    Stretch,
    bounds,
    crossings,
    dashes,
    hatching,
    spots,
    thinned,
    within_box,
)
from sim.view.scene import Zone
from sim.view.theme import Colour, Look, faded

STEP = 9  # picture units between hatching lines at 100 %
LABEL_SIZE = 11
ODD = 24  # added to the width of a scratch surface: rows a round number of bytes apart fight over the same cache

Ring = Sequence[Point]


def paint_zone(surface: pygame.Surface, easel: Easel, zone: Zone) -> None:
    """Lay a zone on the picture: fill and hatching inside, its line round it, its label at its border."""
    look = easel.look(zone.style)
    pieces = [[thinned(easel.all(ring)) for ring in piece if ring] for piece in zone.pieces]
    pieces = [[ring for ring in piece if len(ring) > 2] for piece in pieces]
    pieces = [piece for piece in pieces if piece and _seen(piece[0], surface)]
    if look.fill[3] or look.hatch[3]:
        _fill(surface, easel, look, pieces)
    for piece in pieces:
        for ring in piece:
            paint_ring(surface, ring, look, easel)
    if zone.label and pieces:
        _label(surface, easel, zone, look, max(pieces, key=lambda piece: _extent(piece[0]))[0])


def paint_ring(surface: pygame.Surface, ring: Ring, look: Look, easel: Easel) -> None:
    """Draw the line of a zone: solid, dashed or dotted."""
    width = easel.line(1.7)
    match look.pattern:
        case "none":
            return
        case "solid":
            smooth_line(surface, [*ring, ring[0]], look.edge, width)
        case "dashed":
            cuts = dashes(ring, 7 * easel.ui, 5 * easel.ui, closed=True)
            for dash in within_box(cuts, _margins(surface)):
                smooth_line(surface, dash, look.edge, width)
        case "dotted":
            _dots(surface, ring, look.edge, width)


def smooth_line(surface: pygame.Surface, points: Sequence[Point], colour: Colour, width: float) -> None:
    """Draw an open line with smooth edges straight on the picture."""
    if not colour[3]:
        return
    thick = max(round(width), 1)
    ink = colour if colour[3] == 255 else _over(surface, points[0], colour)
    for one, other in pairwise(points):
        pygame.draw.aaline(surface, ink, one, other, thick)


def _over(surface: pygame.Surface, at: Point, colour: Colour) -> Colour:
    """The colour as it looks on the ground at a point: lines have no opacity of their own."""
    share = colour[3] / 255
    area = surface.get_rect()
    x = min(max(int(at[0]), 0), area.w - 1)
    y = min(max(int(at[1]), 0), area.h - 1)
    under = surface.get_at((x, y))
    r, g, b = (round(under[k] + (colour[k] - under[k]) * share) for k in range(3))
    return (r, g, b, 255)


def _dots(surface: pygame.Surface, ring: Ring, colour: Colour, width: float) -> None:
    radius = width * 0.62
    dot = _dot(round(radius, 1), colour)
    half = dot.get_width() / 2
    right, bottom = surface.get_width() + half, surface.get_height() + half
    places = [
        (dot, (x - half, y - half))
        for x, y in spots(ring, max(width * 2.6, 3.6), closed=True)
        if -half < x < right and -half < y < bottom
    ]
    surface.fblits(places, BLEND)


@lru_cache(maxsize=32)
def _dot(radius: float, colour: Colour) -> pygame.Surface:
    side = int(2 * radius) + 3
    layer = Layer(pygame.Rect(0, 0, side, side), 4)
    layer.disc((side / 2, side / 2), radius, colour)
    return layer.finished()


def _fill(surface: pygame.Surface, easel: Easel, look: Look, pieces: list[list[Stretch]]) -> None:
    if not pieces:
        return
    box = box_round([p for piece in pieces for p in piece[0]], 1, surface.get_rect())
    if box.w <= 0 or box.h <= 0:
        return
    mask = _scratch(_roomy(box.size, ODD)).subsurface((0, 0, *box.size))
    mask.fill((0, 0, 0, 0))
    ink = (255, 255, 255, 255) if look.hatch[3] else premultiplied(look.fill)
    for piece in sorted(pieces, key=lambda piece: -_extent(piece[0])):
        for k, ring in enumerate(piece):
            moved = [(x - box.left, y - box.top) for x, y in ring]
            pygame.draw.polygon(mask, (0, 0, 0, 0) if k else ink, moved)
    if look.hatch[3]:
        _hatch(mask, box, surface.get_size(), easel, look)
    surface.blit(mask, box, special_flags=BLEND)


def _hatch(mask: pygame.Surface, box: pygame.Rect, size: tuple[int, int], easel: Easel, look: Look) -> None:
    """Put fill and hatching where the mask is white; the lines stay where they are on the table."""
    step = max(round(STEP * max(easel.ui, 0.7)), 5)
    x0, y0 = easel.at((0, 0))
    period = step * 2
    shift = (round(box.left - x0) % period, round(box.top - y0) % period)
    sheet = _pattern(look.fill, look.hatch, step, _roomy(size, period))
    mask.blit(sheet, (0, 0), (*shift, *box.size), special_flags=pygame.BLEND_RGBA_MIN)


@lru_cache(maxsize=2)
def _scratch(size: tuple[int, int]) -> pygame.Surface:
    """A transparent surface to draw a mask on, used again and again: a new one a frame costs more than drawing."""
    return pygame.Surface(size, pygame.SRCALPHA, 32)


def _roomy(size: tuple[int, int], period: int) -> tuple[int, int]:
    """A size that is rounded up, so that windows of about the same size share a pattern."""
    return (-(-size[0] // 256) * 256 + period, -(-size[1] // 256) * 256 + period)


@lru_cache(maxsize=12)
def _pattern(fill: Colour, hatch: Colour, step: int, size: tuple[int, int]) -> pygame.Surface:
    """A sheet of fill and diagonal lines that repeats every two steps; made by tiling one period."""
    period = step * 2
    layer = Layer(pygame.Rect(0, 0, period, period), 4)
    layer.sheet.fill(premultiplied(fill))
    if hatch[3]:
        for one, other in hatching((0, 0, period, period), period / 2**0.5, 135.0):
            layer.stroke((one, other), _together(fill, hatch), 1.1)
    tile = layer.finished()
    sheet = pygame.Surface(size, pygame.SRCALPHA, 32)
    sheet.fblits([(tile, (x, y)) for x in range(0, size[0], period) for y in range(0, size[1], period)])
    return sheet


def _together(fill: Colour, hatch: Colour) -> Colour:
    """Hatching over the fill as one colour, since a sheet does not blend what is drawn on it."""
    over, under = hatch[3] / 255, fill[3] / 255 * (1 - hatch[3] / 255)
    whole = over + under or 1.0
    r, g, b = (round((hatch[k] * over + fill[k] * under) / whole) for k in range(3))
    return (r, g, b, round(whole * 255))


def _label(surface: pygame.Surface, easel: Easel, zone: Zone, look: Look, ring: Stretch) -> None:
    """Write the label just inside the border, on the side of the zone that looks to the middle of the table."""
    size = easel.small_text(LABEL_SIZE)
    sprite = words(zone.label.upper(), size, look.ink, True, faded(easel.theme.colour("label"), 0.6))
    w, h = sprite.get_size()
    left, top, right, bottom = bounds(ring)
    low = (top + bottom) / 2 > surface.get_height() / 2
    pad = 6 * easel.ui
    y = top + pad + h / 2 if low else bottom - pad - h / 2
    y = min(max(y, h), surface.get_height() - h)
    free = [(max(a, 0), min(b, surface.get_width())) for a, b in crossings(ring, y)]
    spans = [(b - a, a) for a, b in free if b - a > w + 2 * pad]
    x = max(spans)[1] + pad if spans else (left + right) / 2 - w / 2
    surface.blit(sprite, (round(x), round(y - h / 2)), special_flags=BLEND)


def _seen(ring: Ring, surface: pygame.Surface) -> bool:
    left, top, right, bottom = bounds(ring)
    return right >= 0 and bottom >= 0 and left <= surface.get_width() and top <= surface.get_height()


def _margins(surface: pygame.Surface) -> Bounds:
    return (-20.0, -20.0, surface.get_width() + 20.0, surface.get_height() + 20.0)


def _extent(ring: Ring) -> float:
    left, top, right, bottom = bounds(ring)
    return (right - left) * (bottom - top)
