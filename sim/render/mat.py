"""What lies under everything? A quiet mat with a fine grain, a line every six inches, a frame with inch marks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.render.easel import Easel
from sim.render.fonts import words
from sim.view.theme import Colour, Theme, mixed

SEED = 20260
CELLS_PER_INCH = 4
GRAIN_SIZE = 256
INCH_LINES_FROM = 56  # pixels an inch
MAJOR = 6  # inches between the lines and numbers of the frame

Grey = NDArray[np.float32]


def paint_mat(surface: pygame.Surface, easel: Easel, width: float, depth: float) -> None:
    """Cover the table with its mat and the line every six inches."""
    table = easel.table(width, depth)
    seen = table.clip(surface.get_rect())
    if seen.w <= 0 or seen.h <= 0:
        return
    look = easel.look("mat")
    if easel.theme.grain <= 0:
        surface.fill(look.fill, seen)
    else:
        _cloth(surface, easel, table, seen, (width, depth))
    _lines(surface, easel, table, seen, look.edge)


def paint_frame(surface: pygame.Surface, easel: Easel, width: float, depth: float, turned: bool = False) -> None:
    """Draw the frame round the table, its inch marks, and a number every six inches; they stay in sight."""
    look = easel.look("frame")
    table = easel.table(width, depth)
    pygame.draw.rect(surface, look.edge, table.inflate(4, 4), 2)
    pygame.draw.rect(surface, mixed(look.fill, look.edge, 0.25), table.inflate(8, 8), 2)
    left, top = _edges(easel, table)
    sticky = (left > table.left - 4, top > table.top - 4)
    _strips(surface, easel, (left, top), sticky)
    across, up = (range(math.floor(side + 1e-9) + 1) for side in (width, depth))
    spots = {inch: easel.at((width - inch if turned else inch, 0))[0] for inch in across}
    _marks(surface, easel, spots, left if sticky[0] else 0, top, upright=False)
    _marks(surface, easel, {inch: easel.at((0, inch))[1] for inch in up}, top if sticky[1] else 0, left, upright=True)


def free_area(easel: Easel, area: pygame.Rect, width: float, depth: float) -> pygame.Rect:
    """The part of the picture that the frame leaves to what lies on the table."""
    table = easel.table(width, depth)
    left, top = _edges(easel, table)
    left, top = (left if left > table.left - 4 else 0), (top if top > table.top - 4 else 0)
    return pygame.Rect(left, top, max(area.w - left, 0), max(area.h - top, 0))


def _edges(easel: Easel, table: pygame.Rect) -> tuple[int, int]:
    """Where the marks of the frame end: at the table, or where they stay in sight when that is out of it."""
    room = easel.text(11) + 12
    return max(table.left - 4, room + 4), max(table.top - 4, room)


def _strips(surface: pygame.Surface, easel: Easel, at: tuple[int, int], sticky: tuple[bool, bool]) -> None:
    look = easel.look("frame")
    if sticky[1]:
        surface.fill(look.fill, (0, 0, surface.get_width(), at[1]))
        pygame.draw.line(surface, look.edge, (0, at[1]), (surface.get_width(), at[1]))
    if sticky[0]:
        surface.fill(look.fill, (0, 0, at[0], surface.get_height()))
        pygame.draw.line(surface, look.edge, (at[0], 0), (at[0], surface.get_height()))


def _marks(
    surface: pygame.Surface, easel: Easel, spots: Mapping[int, float], first: float, edge: int, upright: bool
) -> None:
    """A mark for each inch at its pixel along an edge, some of them with their number."""
    look = easel.look("frame")
    scale = easel.camera.scale
    size = easel.text(11)
    end = surface.get_height() if upright else surface.get_width()
    every = next(n for n in (1, 2, 3, 6, 12, 24, 48) if n * scale >= 5 or n == 48)
    number = next(
        n for n in (1, 2, 3, 6, 12, 24, 48) if (n * scale >= 2.6 * size and (n >= 6 or scale > 60)) or n == 48
    )
    for inch in range(0, len(spots), every):
        spot = round(spots[inch])
        if not first <= spot <= end:
            continue
        reach = 7 if inch % number == 0 else 5 if inch % MAJOR == 0 else 3
        tick = ((edge - reach, spot), (edge, spot)) if upright else ((spot, edge - reach), (spot, edge))
        pygame.draw.line(surface, look.ink if reach == 7 else look.edge, *tick)
        if inch % number == 0:
            text = words(str(inch), size, look.ink)
            w, h = text.get_size()
            place = (edge - 10 - w, spot - h // 2) if upright else (spot - w // 2, edge - 7 - h)
            surface.blit(text, place, special_flags=pygame.BLEND_PREMULTIPLIED)


def _lines(surface: pygame.Surface, easel: Easel, table: pygame.Rect, seen: pygame.Rect, colour: Colour) -> None:
    veil = pygame.Surface((max(seen.w, seen.h), 1), pygame.SRCALPHA, 32)
    veil.fill(colour)
    upright = pygame.transform.rotate(veil, 90)
    if easel.camera.scale >= INCH_LINES_FROM:
        _every(surface, (veil, upright), table, seen, easel.inches(1))
    _every(surface, (veil, upright), table, seen, easel.inches(MAJOR))


def _every(
    surface: pygame.Surface,
    veils: tuple[pygame.Surface, pygame.Surface],
    table: pygame.Rect,
    seen: pygame.Rect,
    step: float,
) -> None:
    veil, upright = veils
    for k in range(1, math.ceil(max(table.w, table.h) / step)):
        x, y = round(table.left + k * step), round(table.bottom - k * step)
        if seen.left <= x < seen.right and x < table.right - 2:
            surface.blit(upright, (x, seen.top), (0, 0, 1, seen.h))
        if seen.top <= y < seen.bottom and y > table.top + 2:
            surface.blit(veil, (seen.left, y), (0, 0, seen.w, 1))


def _cloth(
    surface: pygame.Surface, easel: Easel, table: pygame.Rect, seen: pygame.Rect, size: tuple[float, float]
) -> None:
    clouds = _clouds(easel.theme, size)
    cell = table.w / clouds.get_width()
    left, top = int((seen.left - table.left) / cell), int((seen.top - table.top) / cell)
    right = min(math.ceil((seen.right - table.left) / cell) + 1, clouds.get_width())
    bottom = min(math.ceil((seen.bottom - table.top) / cell) + 1, clouds.get_height())
    part = clouds.subsurface((left, top, max(right - left, 1), max(bottom - top, 1)))
    grown = pygame.transform.smoothscale(part, (round(part.get_width() * cell), round(part.get_height() * cell)))
    surface.set_clip(seen)
    surface.blit(grown, (table.left + round(left * cell), table.top + round(top * cell)))
    grain = _grain(easel.theme)
    for x in range(seen.left - (seen.left - table.left) % GRAIN_SIZE, seen.right, GRAIN_SIZE):
        for y in range(seen.top - (seen.top - table.top) % GRAIN_SIZE, seen.bottom, GRAIN_SIZE):
            surface.blit(grain, (x, y), special_flags=pygame.BLEND_RGB_MULT)
    surface.set_clip(None)


@lru_cache(maxsize=8)
def _clouds(theme: Theme, size: tuple[float, float]) -> pygame.Surface:
    """The broad light and dark of the mat, darker towards the edge of the table."""
    look = theme.look("mat")
    columns, rows = (max(round(side * CELLS_PER_INCH), 4) for side in size)
    light = 0.55 * _noise(columns, rows, 26) + 0.3 * _noise(columns, rows, 11) + 0.15 * _noise(columns, rows, 4)
    light = np.clip((light - 0.5) * 1.7 * theme.grain + 0.42, 0, 1)
    low, high = np.array(look.fill[:3], np.float32), np.array(look.hatch[:3], np.float32)
    colours = low + (high - low) * light[..., None]
    colours *= (1 - 0.22 * theme.shadow * _rim(columns, rows))[..., None]
    clouds = pygame.Surface((columns, rows), depth=32)
    pygame.surfarray.blit_array(clouds, np.clip(colours, 0, 255).astype(np.uint8))
    return clouds


@lru_cache(maxsize=8)
def _grain(theme: Theme) -> pygame.Surface:
    """The fine weave of the mat, a tile that darkens a little here and there and joins on all sides."""
    dice = np.random.default_rng(SEED)
    size = GRAIN_SIZE
    speck = dice.random((size, size), np.float32)
    along, across = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    weave = np.sin(2 * np.pi * (along + across) / 4) * 0.5 + np.sin(2 * np.pi * (along - across) / 8) * 0.25
    fibre = (speck + np.roll(speck, 1, 0) + np.roll(speck, 1, 1) + np.roll(speck, (1, 1), (0, 1))) / 4
    dark = 0.055 * speck + 0.16 * fibre + 0.018 * (weave + 0.75)
    grey = np.clip(255 * (1.06 - theme.grain * dark), 0, 255).astype(np.uint8)
    tile = pygame.Surface((size, size), depth=32)
    pygame.surfarray.blit_array(tile, np.repeat(grey[..., None], 3, axis=2))
    return tile


def _noise(columns: int, rows: int, step: int) -> Grey:
    """Smooth noise between 0 and 1 with bumps about ``step`` cells wide, always the same for the same size."""
    dice = np.random.default_rng(SEED + step)
    knots = dice.random((columns // step + 3, rows // step + 3), np.float32)
    x, y = np.arange(columns) / step, np.arange(rows) / step
    i, j = x.astype(int), y.astype(int)
    u, v = _eased(x - i)[:, None], _eased(y - j)[None, :]
    near = knots[np.ix_(i, j)] * (1 - v) + knots[np.ix_(i, j + 1)] * v
    far = knots[np.ix_(i + 1, j)] * (1 - v) + knots[np.ix_(i + 1, j + 1)] * v
    return np.asarray(near * (1 - u) + far * u, np.float32)


def _eased(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return share * share * (3 - 2 * share)


def _rim(columns: int, rows: int) -> Grey:
    """1 on the edge of the table, 0 three inches inside it."""
    reach = 3.0 * CELLS_PER_INCH
    x, y = np.arange(columns) + 0.5, np.arange(rows) + 0.5
    edge = np.minimum(np.minimum(x, columns - x)[:, None], np.minimum(y, rows - y)[None, :])
    return np.asarray(np.clip(1 - edge / reach, 0, 1) ** 2, np.float32)
