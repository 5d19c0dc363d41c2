"""What does a base look like? Side colour, border pattern, a notch for the front, a label, wounds; ghosts too.

Each different base is drawn once, four times as large, and kept as a sprite with the place of its upper left corner
relative to the middle of the base.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import pygame

from sim.geometry import Point
from sim.render.fonts import fitting_size, words
from sim.render.layer import BLEND, Layer, box_round
from sim.render.strokes import bounds, ellipse, inset
from sim.view.scene import Disc, Mark, Oval, Polygon, Shape
from sim.view.theme import Colour, Look, Theme, faded, luminance, mixed

FINE = 4
WHITE: Colour = (255, 255, 255, 255)
LABEL_LEAST = 8  # pixels; smaller numbers on a base are left out


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture with premultiplied colours, and its upper left corner relative to the spot it belongs to."""

    image: pygame.Surface
    left: int
    top: int


@dataclass(frozen=True, slots=True)
class Body:
    """The outline of a base about its own middle on the picture, and how far it reaches to its nearest edge."""

    points: tuple[Point, ...]
    reach: float
    ellipse: tuple[float, float, float] | None = None  # half length, half width, angle on the picture

    def inset(self, distance: float) -> list[Point]:
        """The outline moved inwards by a distance, outwards when that is negative."""
        if self.ellipse is None:
            return inset(self.points, distance)
        a, b, angle = self.ellipse
        return ellipse((0, 0), max(a - distance, 0.1), max(b - distance, 0.1), angle, _count(a))


def centre_of(shape: Shape) -> Point:
    """The middle of a base, in inches."""
    if isinstance(shape, Polygon):
        left, low, right, high = bounds(shape.outline)
        return ((left + right) / 2, (low + high) / 2)
    return shape.at


def body_of(shape: Shape, scale: float) -> Body:
    """The outline of a base on the picture, about its middle."""
    match shape:
        case Disc(radius=radius):
            return _round_body(radius * scale, radius * scale, 0.0)
        case Oval(length=length, width=width, facing=facing):
            return _round_body(length * scale / 2, width * scale / 2, -facing)
        case Polygon(outline=outline):
            x0, y0 = centre_of(shape)
            points = tuple(((x - x0) * scale, (y0 - y) * scale) for x, y in outline)
            return Body(points, min(_distance_to_edges(points), _half_width(points)))


def token(shape: Shape, theme: Theme, scale: float, ui: float, legal: bool | None = None) -> Sprite:
    """The sprite of a base; ``legal`` makes it a ghost, that may or may not stand where it is held."""
    mark = shape.mark or Mark()
    kept = _unlettered(_bare(shape), theme, scale, ui, legal)
    look = theme.look(_style(shape, legal))
    body = body_of(shape, scale)
    return _lettered(Sprite(kept.image.copy(), kept.left, kept.top), body, mark, look, theme, ui)


def _bare(shape: Shape) -> Shape:
    """The base in the middle of nowhere and without words, so that bases that only differ in them share a picture."""
    mark = shape.mark or Mark()
    mark = Mark(facing=mark.facing, selected=mark.selected)
    if isinstance(shape, Polygon):
        x0, y0 = centre_of(shape)
        moved = tuple((round(x - x0, 4), round(y - y0, 4)) for x, y in shape.outline)
        return Polygon(moved, shape.style, mark=mark)
    return replace(shape, at=(0.0, 0.0), mark=mark)


def _style(shape: Shape, legal: bool | None) -> str:
    return shape.style if legal is None else "ghost.legal" if legal else "ghost.illegal"


@lru_cache(maxsize=256)
def _unlettered(shape: Shape, theme: Theme, scale: float, ui: float, legal: bool | None) -> Sprite:
    body = body_of(shape, scale)
    mark = shape.mark or Mark()
    margin = 4 + 0.25 * min(body.reach, 40) + (6 * ui if mark.selected else 0)
    layer = Layer(box_round(body.points, margin), FINE)
    look = theme.look(_style(shape, legal))
    if mark.selected:
        _selection(layer, body, theme.look("selection"), ui)
    if legal is None:
        _solid(layer, body, look, theme, ui)
    else:
        _ghost(layer, body, look, ui, plain=not theme.shadow)
    if mark.facing is not None:
        _notch(layer, body, math.radians(mark.facing), look, ghost=legal is not None)
    return Sprite(layer.finished(), layer.box.left, layer.box.top)


def marker(shape: Disc, theme: Theme, scale: float, ui: float) -> Sprite:
    """The sprite of an objective: a disc, a ring, a letter, and inside a second ring in the pattern of who holds it."""
    body = body_of(shape, scale)
    look = theme.look(shape.style)
    layer = Layer(box_round(body.points, 5 + 2 * ui), FINE)
    width = max(1.6 * ui, 0.1 * body.reach)
    if theme.shadow:
        layer.polygon(body.inset(-3), (0, 0, 0, 40))
    layer.polygon(body.inset(-1), faded(look.edge, 0.35))
    layer.polygon(body.points, look.edge)
    layer.polygon(body.inset(width), look.fill)
    inner = max(0.8 * ui, 0.6) if look.pattern == "dotted" else width
    if body.reach > 10:
        layer.outline(body.inset(width * 1.6 + inner), look.hatch, inner, look.pattern)
    image = layer.finished()
    mark = shape.mark or Mark()
    size = fitting_size(mark.label, body.reach * 1.5, body.reach * 1.3, True, LABEL_LEAST, round(1.4 * _most(body, ui)))
    if mark.label and size:
        _stamp(image, layer.box, words(mark.label, size, look.ink, True), (0, 0))
    return Sprite(image, layer.box.left, layer.box.top)


def _solid(layer: Layer, body: Body, look: Look, theme: Theme, ui: float) -> None:
    """A base that stands: shadow, rim, colour with a little light from the upper left, inner ring."""
    reach = body.reach
    if theme.shadow:
        for k in range(4, 0, -1):
            shade = faded(theme.colour("shadow"), 0.13 * (5 - k))
            layer.polygon([(x + 0.4 * k, y + 0.6 * k) for x, y in body.inset(1.2 - k * 0.9)], shade)
    rim = max(1.1, min(0.085 * reach, 3.0 * ui))
    layer.polygon(body.points, look.edge)
    layer.polygon(body.inset(rim), mixed(look.fill, look.edge, 0.28) if theme.shadow else look.fill)
    if theme.shadow:
        _domed(layer, body, rim, look)
    if look.hatch[3]:
        _hatched(layer, body, rim, look.hatch, max(3.0, reach / 4), 0.8 * ui)
    ring = faded(mixed(look.ink, look.fill, 0.1), 0.95)
    width = max(0.9, min(0.06 * reach, 2.2 * ui))
    layer.outline(body.inset(rim + max(1.4, 0.11 * reach)), ring, width, look.pattern)


def _domed(layer: Layer, body: Body, rim: float, look: Look) -> None:
    steps = 7
    for k in range(steps):
        share = k / (steps - 1)
        drift = -0.10 * body.reach * share
        lit = mixed(mixed(look.fill, look.edge, 0.12 * (1 - share)), WHITE, 0.10 * share)
        shape = body.inset(rim + (0.02 + 0.42 * share) * body.reach)
        layer.polygon([(x + drift, y + drift) for x, y in shape], lit)


def _ghost(layer: Layer, body: Body, look: Look, ui: float, plain: bool) -> None:
    """A base that is held: see-through, its border solid where it may stand, dashed and hatched where not.

    In a plain theme, without colours, a thick border tells it from a base that stands.
    """
    width = max(1.6, min(0.12 * body.reach, 3.0 * ui)) * (1.7 if plain else 1.0)
    layer.polygon(body.inset(-width * 0.9), (0, 0, 0, 70) if luminance(look.fill) < 140 else (255, 255, 255, 110))
    layer.polygon(body.points, look.fill)
    if look.hatch[3]:
        _hatched(layer, body, 0.0, look.hatch, max(4.2, min(body.reach / 2.6, 9 * ui)), max(1.0, 1.2 * ui))
    layer.outline(body.inset(width / 2), look.edge, width, look.pattern)
    if look.pattern == "solid" and not plain:
        layer.outline(body.inset(width * 2.1), faded(look.edge, 0.45), max(0.7, width * 0.35), "solid")


def _hatched(layer: Layer, body: Body, depth: float, colour: Colour, step: float, width: float) -> None:
    over = Layer(layer.box, layer.factor)
    over.hatch(body.inset(depth) if depth else body.points, colour, step, width)
    layer.merge(over)


def _selection(layer: Layer, body: Body, look: Look, ui: float) -> None:
    layer.polygon(body.inset(-6 * ui), faded(look.edge, 0.16))
    layer.polygon(body.inset(-4.2 * ui), look.edge)
    layer.polygon(body.inset(-2.2 * ui), (0, 0, 0, 150) if luminance(look.edge) > 110 else (255, 255, 255, 200))


def _notch(layer: Layer, body: Body, facing: float, look: Look, ghost: bool) -> None:
    """A white bar across the border at the front, with a dark line round it."""
    ux, uy = math.cos(facing), -math.sin(facing)
    edge = _reach_towards(body, (ux, uy))
    long, half = max(3.6, 0.30 * body.reach), max(0.95, min(0.075 * body.reach, 3.2))
    start, end = edge - long * 0.72, edge + long * 0.34
    line = ((ux * start, uy * start), (ux * end, uy * end))
    ink = look.ink if not ghost else look.edge
    around: Colour = (*look.edge[:3], 255) if not ghost else (*look.fill[:3], 230)
    layer.stroke(line, around, half * 2 + 1.8)
    layer.stroke(line, ink, half * 2)


def _lettered(sprite: Sprite, body: Body, mark: Mark, look: Look, theme: Theme, ui: float) -> Sprite:
    """The sprite with label, wounds, and the signs for an assumed size and for standing above the table."""
    image, box = sprite.image, pygame.Rect(sprite.left, sprite.top, *sprite.image.get_size())
    halo = _halo(look, theme)
    big = body.reach >= 15 * max(ui, 0.7)
    lifted = bool(mark.wounds) and big
    room = body.reach * (1.25 if lifted else 1.5)
    size = fitting_size(mark.label, room, body.reach * 1.15, True, LABEL_LEAST, _most(body, ui))
    if mark.label and size:
        _stamp(image, box, words(mark.label, size, look.ink, True, halo), (0, -size * 0.5 if lifted else 0))
    if lifted:
        small = fitting_size(mark.wounds, body.reach * 1.3, body.reach * 0.8, True, 7, max(round(size * 0.8), 7))
        if small:
            _stamp(image, box, words(mark.wounds, small, look.ink, True, halo), (0, size * 0.52))
    if mark.wounds and not big:
        sprite = _hung(
            sprite,
            words(mark.wounds, max(round(min(9 * ui, body.reach)), 8), look.ink, True, halo),
            body.reach,
        )
    if mark.assumed:
        sprite = _badged(sprite, body, theme, ui)
    if mark.height:
        sprite = _raised(sprite, body, mark.height, theme, ui)
    return sprite


def _most(body: Body, ui: float) -> int:
    """The largest size of a label: it grows with a base that is looked at closely, but slowly."""
    return round(max(15 * max(ui, 0.7), min(body.reach * 0.42, 34 * max(ui, 0.7))))


def _halo(look: Look, theme: Theme) -> Colour:
    dark: Colour = (*mixed(look.edge, (0, 0, 0, 255), 0.55)[:3], 235)
    light: Colour = (*look.fill[:3], 235)
    return dark if luminance(look.ink) > 130 else light


def _hung(sprite: Sprite, text: pygame.Surface, reach: float) -> Sprite:
    """The sprite with a text under the base, where there is no room on it."""
    w, h = text.get_size()
    top = round(reach - h * 0.22)
    box = pygame.Rect(sprite.left, sprite.top, *sprite.image.get_size())
    return _joined(sprite, box.union((-w // 2, top, w, h)), text, (-w // 2, top))


def _badged(sprite: Sprite, body: Body, theme: Theme, ui: float) -> Sprite:
    """The sprite with a small question mark at its upper right: the size of the base is assumed."""
    look = theme.look("badge")
    radius = max(min(5.5 * ui, body.reach * 0.45), 5)
    x, y = _reach_towards(body, (0.7071, -0.7071)) * 0.7071, -_reach_towards(body, (0.7071, -0.7071)) * 0.7071
    layer = Layer(pygame.Rect(0, 0, round(2 * radius) + 2, round(2 * radius) + 2), FINE)
    middle = (layer.box.w / 2, layer.box.h / 2)
    layer.disc(middle, radius, look.edge)
    layer.disc(middle, radius - 1.2, look.fill)
    image = layer.finished()
    text = words("?", max(round(radius * 1.5), 8), look.ink, True)
    place = ((image.get_width() - text.get_width()) // 2, (image.get_height() - text.get_height()) // 2)
    image.blit(text, place, special_flags=BLEND)
    spot = (round(x - middle[0]), round(y - middle[1]))
    box = pygame.Rect(sprite.left, sprite.top, *sprite.image.get_size())
    return _joined(sprite, box.union((*spot, *image.get_size())), image, spot)


def _raised(sprite: Sprite, body: Body, height: str, theme: Theme, ui: float) -> Sprite:
    """The sprite with a small sign at its upper left: an arrow up, and how high it stands above the table."""
    look = theme.look("badge")
    size = max(round(min(10 * ui, body.reach * 0.9)), 8)
    text = words(height, size, look.ink, True)
    arrow, high = round(size * 0.75), text.get_height()
    layer = Layer(pygame.Rect(0, 0, text.get_width() + arrow + 8, high), FINE)
    box = [(0, 1), (layer.box.w, 1), (layer.box.w, high - 1), (0, high - 1)]
    layer.polygon(box, look.edge)
    layer.polygon([(1, 2), (layer.box.w - 1, 2), (layer.box.w - 1, high - 2), (1, high - 2)], look.fill)
    low = high / 2 + arrow * 0.42
    layer.polygon([(3, low), (3 + arrow, low), (3 + arrow / 2, low - arrow * 0.85)], look.ink)
    image = layer.finished()
    image.blit(text, (arrow + 5, 0), special_flags=BLEND)
    far = _reach_towards(body, (-0.7071, -0.7071)) * 0.7071
    spot = (round(-far - image.get_width() * 0.6), round(-far - high * 0.6))
    own = pygame.Rect(sprite.left, sprite.top, *sprite.image.get_size())
    return _joined(sprite, own.union((*spot, *image.get_size())), image, spot)


def _joined(sprite: Sprite, box: pygame.Rect, more: pygame.Surface, at: tuple[int, int]) -> Sprite:
    image = pygame.Surface(box.size, pygame.SRCALPHA, 32)
    image.blit(sprite.image, (sprite.left - box.left, sprite.top - box.top), special_flags=BLEND)
    image.blit(more, (at[0] - box.left, at[1] - box.top), special_flags=BLEND)
    return Sprite(image, box.left, box.top)


def _stamp(image: pygame.Surface, box: pygame.Rect, text: pygame.Surface, at: Point) -> None:
    w, h = text.get_size()
    place = (round(at[0] - box.left - w / 2), round(at[1] - box.top - h / 2))
    image.blit(text, place, special_flags=BLEND)


def _round_body(a: float, b: float, angle: float) -> Body:
    a, b = max(a, 0.1), max(b, 0.1)
    points = tuple(ellipse((0, 0), a, b, angle, _count(max(a, b))))
    return Body(points, min(a, b), (a, b, angle))


def _count(radius: float) -> int:
    return min(max(int(radius * 3), 40), 200)


def _reach_towards(body: Body, way: Point) -> float:
    """How far the outline is from the middle in a direction."""
    if body.ellipse is not None:
        a, b, angle = body.ellipse
        turn = math.atan2(way[1], way[0]) - math.radians(angle)
        return a * b / math.hypot(b * math.cos(turn), a * math.sin(turn))
    far = 0.0
    for (x1, y1), (x2, y2) in zip(body.points, (*body.points[1:], body.points[0]), strict=True):
        ex, ey = x2 - x1, y2 - y1
        across = way[0] * ey - way[1] * ex
        if abs(across) < 1e-9:
            continue
        along, share = (x1 * ey - y1 * ex) / across, (x1 * way[1] - y1 * way[0]) / across
        if 0 <= share <= 1:
            far = max(far, along)
    return far or body.reach


def _distance_to_edges(points: Sequence[Point]) -> float:
    best = math.inf
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        length = math.hypot(x2 - x1, y2 - y1)
        if length:
            best = min(best, abs(x1 * (y2 - y1) - y1 * (x2 - x1)) / length)
    return max(best, 1.0)


def _half_width(points: Sequence[Point]) -> float:
    left, top, right, bottom = bounds(points)
    return min(right - left, bottom - top) / 2
