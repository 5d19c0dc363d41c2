"""How is a tone shown without colour? A cross, a tick, a dot in a ring: drawn, since not every font has them."""

from __future__ import annotations

from functools import lru_cache

import pygame

from sim.render.layer import Layer
from sim.view.scene import Tone
from sim.view.theme import Colour


@lru_cache(maxsize=128)
def icon(tone: Tone, size: int, colour: Colour) -> pygame.Surface:
    """The sign of a tone as a square sprite with premultiplied colours."""
    layer = Layer(pygame.Rect(0, 0, size, size), 4)
    width = max(size * 0.17, 1.5)
    near, far, half = size * 0.2, size * 0.8, size * 0.5
    match tone:
        case "bad":
            layer.stroke(((near, near), (half, half), (far, far)), colour, width)
            layer.stroke(((near, far), (half, half), (far, near)), colour, width)
        case "good":
            layer.stroke(((size * 0.12, size * 0.54), (size * 0.4, far), (size * 0.9, near)), colour, width)
        case "note":
            layer.disc((half, half), size * 0.46, colour)
            layer.clear_disc((half, half), size * 0.46 - width * 0.7)
            layer.disc((half, size * 0.29), width * 0.55, colour)
            layer.stroke(((half, size * 0.46), (half, size * 0.72)), colour, width * 0.8)
        case "plain":
            layer.disc((half, half), size * 0.14, colour)
    return layer.finished()
