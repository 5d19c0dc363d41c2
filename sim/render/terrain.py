"""What does a piece of terrain look like? One painter a kind; the outline that the rules measure stays visible."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from sim.geometry import Point
from sim.render.easel import Easel
from sim.render.layer import Layer, box_round
from sim.view.scene import Polygon
from sim.view.theme import Colour, Look

WHITE: Colour = (255, 255, 255, 255)
BLACK: Colour = (0, 0, 0, 255)
FINE = 3

Outline = Sequence[Point]
Paint = Callable[[Layer, Easel, Look, Outline, Polygon], None]


def paint_terrain(surface: pygame.Surface, easel: Easel, piece: Polygon) -> None:
    """Lay a piece of terrain with its shadow and its label on the picture."""
    outline = easel.all(piece.outline)
    box = box_round(outline, 4, surface.get_rect())
    if box.w <= 0 or box.h <= 0:
        return
    look = easel.look(piece.style)
    _shadow(surface, easel, outline, piece)
    kind = piece.style.split(".")[1] if "." in piece.style else ""
    KINDS.get(kind, _plain)(_sheet(surface, box), easel, look, outline, piece)
    if piece.label:
        _label(surface, easel, look, outline, piece.label)


class _Pasted(Layer):
    """A sheet that knows the picture it will lie on."""

    def __init__(self, surface: pygame.Surface, box: pygame.Rect) -> None:
        super().__init__(box, FINE)
        self.surface = surface

    def next(self) -> _Pasted:
        """Lay this sheet down and take a new one, so that what follows is seen through."""
        self.onto(self.surface)
        return _Pasted(self.surface, self.box)


def _sheet(surface: pygame.Surface, box: pygame.Rect) -> _Pasted:
    return _Pasted(surface, box)
