"""What does every painting function need to know? The theme, the camera and how large things are drawn."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from sim.geometry import Point
from sim.view.camera import Camera
from sim.view.theme import Look, Theme

LIGHT = (0.42, 0.62)  # where a shadow falls, right and down, for each inch of height; inches before SHADE
SHADE = 0.22


@dataclass(frozen=True)
class Easel:
    """A theme, a camera, and the scale of text and lines, 1.0 being 100 %."""

    theme: Theme
    camera: Camera
    ui: float = 1.0

    def at(self, point: Point) -> Point:
        """Where a point of the table is on the picture."""
        return self.camera.to_picture(point)

    def all(self, points: Sequence[Point]) -> list[Point]:
        """Where the points of the table are on the picture."""
        camera = self.camera
        scale = camera.scale
        left = camera.width / 2 - camera.centre[0] * scale
        top = camera.height / 2 + camera.centre[1] * scale
        return [(left + x * scale, top - y * scale) for x, y in points]

    def inches(self, length: float) -> float:
        """A length of the table in picture units."""
        return length * self.camera.scale

    def line(self, width: float) -> float:
        """The width of a line that is ``width`` at 100 %, thinner when the whole table is small."""
        return max(width * self.ui * min(max(self.camera.scale / 18, 0.6), 1.6), 0.7)

    def text(self, size: float, least: int = 9) -> int:
        """The size in pixels of text that has ``size`` at 100 %."""
        return max(round(size * self.ui), least)

    def small_text(self, size: float) -> int:
        """The same for words that lie on the table: not out of proportion to it when all of it is shown small."""
        return max(min(round(size * self.ui), round(4 + 0.55 * self.camera.scale)), 8)

    def look(self, style: str) -> Look:
        """The theme's look of a style."""
        return self.theme.look(style)

    def shade(self, height: float) -> Point:
        """How far the shadow of something so high reaches on the picture."""
        reach = self.inches(height * SHADE)
        return (LIGHT[0] * reach, LIGHT[1] * reach)

    def table(self, width: float, depth: float) -> pygame.Rect:
        """The table on the picture."""
        left, top = self.at((0, depth))
        right, bottom = self.at((width, 0))
        return pygame.Rect(round(left), round(top), round(right) - round(left), round(bottom) - round(top))


def seed_of(points: Sequence[Point], word: str = "") -> int:
    """A number that is always the same for the same outline: details drawn by chance stay where they are."""
    text = word + ";".join(f"{x:.3f},{y:.3f}" for x, y in points)
    return zlib.crc32(text.encode())
