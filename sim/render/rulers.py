"""How is a reason shown? A tape from edge to edge with a tick every inch and one label; lines and dice besides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeGuard

import pygame

from sim.geometry import Point
from sim.render.easel import Easel
from sim.render.fonts import words
from sim.render.layer import BLEND, Layer, box_round, rounded
from sim.render.strokes import dashes, inset, spots, within_box
from sim.render.zones import smooth_line
from sim.view.scene import Die, Disc, Ghost, Item, Label, Line, Oval, Polygon, Ruler, Tone
from sim.view.theme import Look, Theme

Base = Disc | Oval | Polygon | Ghost
LABEL_SIZE = 14
RINGS = (16, 30, 46, 64, 84, 110, 140, 180)  # pixels beside a tape at which room for its label is looked for
DIE_INCHES = 0.63
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def paint_tape(surface: pygame.Surface, easel: Easel, ruler: Ruler) -> None:
    """Draw the tape of a ruler, without its label."""
    start, end = easel.at(ruler.start), easel.at(ruler.end)
    look = easel.look(f"tone.{ruler.tone}")
    width = max(round(2.2 * easel.ui), 2)
    length = math.dist(start, end)
    strokes = [(start, end, width)]
    if length > 1:
        strokes += _ticks(easel, ruler, start, end, width)
    for one, other, thick in strokes:
        pygame.draw.aaline(surface, look.fill[:3], one, other, thick + 3)
    for one, other, thick in strokes:
        pygame.draw.aaline(surface, look.edge[:3], one, other, thick)


def paint_tag(surface: pygame.Surface, easel: Easel, ruler: Ruler, taken: list[pygame.Rect]) -> None:
    """Lay the label of a ruler beside its tape, away from what is there already."""
    if not ruler.label:
        return
    sprite = _tag(ruler.label, ruler.tone, easel.theme, easel.text(LABEL_SIZE))
    start, end = easel.at(ruler.start), easel.at(ruler.end)
    area = surface.get_clip()
    if not area.inflate(2, 2).clipline(start, end):
        return
    box = free_spot(area, sprite.get_size(), start, end, taken)
    taken.append(box)
    surface.blit(sprite, box, special_flags=BLEND)


def paint_line(surface: pygame.Surface, easel: Easel, line: Line) -> None:
    """Draw a line along points: a path dashed with an arrow at its end, a link dotted, an edge solid."""
    if len(line.points) < 2:
        return
    look = easel.look(line.style)
    points = easel.all(line.points)
    width = easel.line(2.0)
    pieces = [points]
    if look.pattern == "dashed":
        pieces = dashes(points, 8 * easel.ui, 5 * easel.ui)
    elif look.pattern == "dotted":
        pieces = [[(x, y), (x + 1.2, y)] for x, y in spots(points, 5 * easel.ui)]
    area = surface.get_rect().inflate(40, 40)
    pieces = within_box(pieces, (area.left, area.top, area.right, area.bottom)) if len(pieces) > 1 else pieces
    for colour, thick in ((look.edge, width + 2), (look.fill, width)):
        for piece in pieces:
            smooth_line(surface, piece, colour, thick)
    if line.style.startswith("line.path"):
        _arrow(surface, points[-2], points[-1], look, 9 * easel.ui)


def paint_label(surface: pygame.Surface, easel: Easel, label: Label) -> None:
    """Write text at a point, with a halo so that it reads on anything; near an edge of the picture, beside it."""
    look = easel.look(label.style)
    sprite = words(label.text, easel.text(label.size), look.ink, True, look.fill)
    x, y = easel.at(label.at)
    box = sprite.get_rect(center=(round(x), round(y)))
    if surface.get_rect().inflate(2, 2).collidepoint(box.center):  # of what is not seen no label sticks to the edge
        box.clamp_ip(surface.get_rect())
    surface.blit(sprite, box, special_flags=BLEND)


def paint_die(surface: pygame.Surface, easel: Easel, die: Die) -> None:
    """Lay a die with its face up."""
    side = max(round(easel.inches(DIE_INCHES)), round(min(22 * easel.ui, max(easel.inches(1.2), 16))))
    sprite = _die(die.face, die.tone, easel.theme, side)
    x, y = easel.at(die.at)
    surface.blit(sprite, sprite.get_rect(center=(round(x), round(y))), special_flags=BLEND)


def _ticks(easel: Easel, ruler: Ruler, start: Point, end: Point, width: int) -> list[tuple[Point, Point, int]]:
    """A bar at both ends and a tick every inch, longer every third; none where they would run together."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    scale = easel.camera.scale
    every = 1 if scale >= 5 else 3
    marks = [(0.0, 6.5 * easel.ui, width), (length, 6.5 * easel.ui, width)]
    inches = math.dist(ruler.start, ruler.end)
    marks += [
        (k * scale, (4.5 if k % 3 == 0 else 3.0) * easel.ui, max(width - 1, 1))
        for k in range(every, math.ceil(inches - 1e-6), every)
    ]
    return [
        (
            (start[0] + ux * d - uy * half, start[1] + uy * d + ux * half),
            (start[0] + ux * d + uy * half, start[1] + uy * d - ux * half),
            thick,
        )
        for d, half, thick in marks
    ]


def free_spot(
    area: pygame.Rect, size: tuple[int, int], start: Point, end: Point, taken: list[pygame.Rect]
) -> pygame.Rect:
    """The nearest place for a label beside a tape that is on the picture and meets nothing that is there already.

    On a long tape where there is none beside it.
    """
    w, h = size
    length = math.dist(start, end)
    ux, uy = ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length > 1 else (1.0, 0.0)
    cover = abs(ux) * w + abs(uy) * h
    aside = (abs(uy) * w + abs(ux) * h) / 2 + 12
    on = [(share, 0.0) for share in (0.5, 0.36, 0.64, 0.25, 0.75)] if length > cover + 44 else []
    off = [(share, side * aside * n) for n in (1, 2.2, 3.4, 4.6, 5.8) for share in (0.5, 0.2, 0.8) for side in (1, -1)]
    middles = [
        (start[0] + ux * length * share - uy * across, start[1] + uy * length * share + ux * across)
        for share, across in on + off
    ]
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    turns = [math.radians(45 * k) for k in range(8)]
    middles += [
        (x + (w / 2 + far) * math.cos(turn), y + (h / 2 + far) * math.sin(turn)) for far in RINGS for turn in turns
    ]
    boxes = [pygame.Rect(round(x - w / 2), round(y - h / 2), w, h) for x, y in middles]
    free = [box for box in boxes if box.clamp(area) == box and box.collidelist(taken) < 0]
    if not free:
        return boxes[0].clamp(area)
    beside = [box for box in free if box in boxes[len(on) :]]
    return min(beside or free, key=lambda box: math.dist(box.center, (x, y)))


def is_base(item: Item) -> TypeGuard[Base]:
    """Whether an item is a base, a marker or a ghost: what no label should cover."""
    return isinstance(item, Ghost) or (
        isinstance(item, Disc | Oval | Polygon) and item.style.startswith(("base", "objective"))
    )


def box_of(item: Base, placed: Callable[[Sequence[Point]], Sequence[Point]]) -> pygame.Rect:
    """The box round a base on a picture; ``placed`` tells where points of the table are on it."""
    shape = item.shape if isinstance(item, Ghost) else item
    if isinstance(shape, Polygon):
        return box_round(placed(shape.outline), 1)
    reach = shape.radius if isinstance(shape, Disc) else max(shape.length, shape.width) / 2
    x, y = shape.at
    return box_round(placed(((x - reach, y - reach), (x + reach, y + reach))), 1)


@lru_cache(maxsize=1024)
def _tag(text: str, tone: Tone, theme: Theme, size: int) -> pygame.Surface:
    look = theme.look(f"tone.{tone}")
    body = words(text, size, look.ink, True)
    w, h = body.get_width() + round(size * 1.2), body.get_height() + round(size * 0.3)
    layer = Layer(pygame.Rect(0, 0, w + 6, h + 6), 4)
    box = pygame.Rect(3, 3, w, h)
    if theme.shadow:
        layer.polygon(rounded(box.move(0, 1).inflate(4, 4), size * 0.6), (0, 0, 0, 70))
    layer.polygon(rounded(box, size * 0.45), look.edge)
    layer.polygon(inset(rounded(box, size * 0.45), max(1.5, size * 0.11)), look.fill)
    image = layer.finished()
    image.blit(body, body.get_rect(center=box.center), special_flags=BLEND)
    return image


@lru_cache(maxsize=128)
def _die(face: int, tone: Tone, theme: Theme, side: int) -> pygame.Surface:
    look = theme.look("die")
    edge = look.edge if tone == "plain" else theme.look(f"panel.{tone}").hatch
    layer = Layer(pygame.Rect(0, 0, side + 6, side + 6), 4)
    box = pygame.Rect(3, 3, side, side)
    if theme.shadow:
        layer.polygon(rounded(box.move(1, 2), side * 0.24), (0, 0, 0, 90))
    layer.polygon(rounded(box, side * 0.22), edge)
    layer.polygon(inset(rounded(box, side * 0.22), side * (0.05 if tone == "plain" else 0.11)), look.fill)
    step = side * 0.24
    for x, y in PIPS.get(face, ()):
        layer.disc((box.centerx + x * step, box.centery + y * step), side * 0.092, look.ink)
    image = layer.finished()
    if face not in PIPS:
        text = words(str(face), max(round(side * 0.55), 8), look.ink, True)
        image.blit(text, text.get_rect(center=box.center), special_flags=BLEND)
    return image


def _arrow(surface: pygame.Surface, before: Point, tip: Point, look: Look, size: float) -> None:
    length = math.dist(before, tip)
    if length < 1:
        return
    ux, uy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    back = (tip[0] - ux * size, tip[1] - uy * size)
    head = [tip, (back[0] - uy * size * 0.5, back[1] + ux * size * 0.5)]
    head.append((back[0] + uy * size * 0.5, back[1] - ux * size * 0.5))
    pygame.draw.polygon(surface, look.fill[:3], head)
    pygame.draw.aalines(surface, look.fill[:3], True, head)
