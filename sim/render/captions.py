"""How do the words beside the table look? A panel or a strip: the verdict in its tone, and the lines under it.

Two or more spaces part a line into columns; lines with equally many of them, one after another, share their widths.
Nothing runs over: what is too long is wrapped, then shortened, and what finds no room is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import pygame

from sim.render.fonts import font, shortened, width_of, words, wrapped
from sim.render.icons import icon
from sim.render.layer import BLEND, card
from sim.view.scene import Caption, Tone
from sim.view.theme import Colour, Theme

MOST_ROWS = 4  # lines of wrapped text for one line of the caption


@dataclass(frozen=True)
class Style:
    """Theme and sizes in pixels of the words beside the table."""

    theme: Theme
    headline: int
    body: int
    small: int

    @classmethod
    def scaled(cls, theme: Theme, ui: float, share: float = 1.0) -> Style:
        """Sizes for a scale of text, none smaller than can be read; ``share`` makes all but the headline smaller."""
        body, small = max(round(15 * ui * share), 11), max(round(12.5 * ui * share), 10)
        return cls(theme, max(round(18 * ui), 12), body, small)

    @property
    def gap(self) -> int:
        """The room between two lines of the caption."""
        return max(round(self.body * 0.55), 4)

    def ink(self, tone: Tone) -> Colour:
        """The colour of a line of a tone."""
        return self.theme.colour("panel.muted" if tone == "note" else "panel.text", "ink")

    def size(self, tone: Tone) -> int:
        """The size of a line of a tone."""
        return self.small if tone == "note" else self.body


@dataclass(frozen=True)
class Block:
    """A line of the caption laid out: sprites with their places, and the height it takes."""

    height: int
    sprites: tuple[tuple[pygame.Surface, tuple[int, int]], ...]


def paint_panel(surface: pygame.Surface, box: pygame.Rect, caption: Caption, style: Style) -> None:
    """Lay the caption on the picture as a panel at the side."""
    look = style.theme.look("panel")
    ui = style.headline / 18
    card(surface, box, look.fill, look.edge, 10 * ui, max(1.0, ui))
    paint_words(surface, words_in(box, ui), caption, style)


def words_in(box: pygame.Rect, ui: float) -> pygame.Rect:
    """The part of a panel for the words."""
    pad = min(max(round(18 * ui), 6), box.w // 14)
    return box.inflate(-2 * pad, -2 * pad)


def paint_words(surface: pygame.Surface, box: pygame.Rect, caption: Caption, style: Style) -> None:
    """Write headline and lines into a box; lines that find no room are counted at its end."""
    y = box.top
    if caption.headline:
        y += _headline(surface, pygame.Rect(box.left, y, box.w, box.h), caption, style) + style.gap * 2
    blocks = list(_blocks(caption.lines, box.w, style))
    for k, block in enumerate(blocks):
        left = len(blocks) - k
        reserve = _line(style.small) if left > 1 else 0
        if y + block.height + reserve > box.bottom:
            _more(surface, box, y, left, style)
            return
        surface.fblits([(sprite, (box.left + dx, y + dy)) for sprite, (dx, dy) in block.sprites], BLEND)
        y += block.height + style.gap


def height_wanted(caption: Caption, width: int, style: Style) -> tuple[int, int]:
    """How high the caption is at a width: at least (headline and one line), and in full."""
    head = _laid_out(caption, width, style).height if caption.headline else 0
    blocks = [block.height for block in _blocks(caption.lines, width, style)]
    lead = head + (style.gap * 2 if head and blocks else 0)
    least = lead + (blocks[0] + (style.gap + _line(style.small) if len(blocks) > 1 else 0) if blocks else 0)
    return least, lead + sum(blocks) + style.gap * max(len(blocks) - 1, 0)


@dataclass(frozen=True)
class Verdict:
    """The headline laid out: its rows of text at a size, and the room for sign and border."""

    rows: tuple[str, ...]
    size: int
    sign: int
    border: int

    @property
    def height(self) -> int:
        """The height of the box round it."""
        return len(self.rows) * _line(self.size) + round(self.size * 0.9)


def _laid_out(caption: Caption, width: int, style: Style) -> Verdict:
    """The headline on one line if a little smaller will do, else on up to four, and never cut if that can be."""
    sizes = [style.headline, *range(style.headline - 1, max(round(style.headline * 0.8), 11) - 1, -1)]
    verdicts = [_at_size(caption, width, size, 1) for size in sizes]
    verdicts += [_at_size(caption, width, size, 4) for size in sizes]
    whole = (v for v in verdicts if " ".join(v.rows) == " ".join(caption.headline.split()))
    return next(whole, verdicts[-1])


def _at_size(caption: Caption, width: int, size: int, most: int) -> Verdict:
    border = min(round(size * 0.7), width // 16)
    sign = round(size * 1.4) if caption.tone != "plain" else 0
    return Verdict(wrapped(caption.headline, size, True, width - 2 * border - sign, most), size, sign, border)


def _headline(surface: pygame.Surface, box: pygame.Rect, caption: Caption, style: Style) -> int:
    """Paint the verdict in its box and return the height of that."""
    look = style.theme.look(f"panel.{caption.tone}")
    verdict = _laid_out(caption, box.w, style)
    size = verdict.size
    frame = pygame.Rect(box.left, box.top, box.w, verdict.height)
    card(surface, frame, look.fill, look.edge, size * 0.45, max(1.2, size / 12), look.pattern)
    x = frame.left + verdict.border
    if verdict.sign:
        sign = icon(caption.tone, round(size * 0.9), look.hatch)
        surface.blit(sign, sign.get_rect(midleft=(x, frame.centery)), special_flags=BLEND)
    y = frame.top + round(size * 0.45)
    for row in verdict.rows:
        surface.blit(words(row, size, look.ink, True), (x + verdict.sign, y), special_flags=BLEND)
        y += _line(size)
    return verdict.height


def _blocks(lines: Sequence[tuple[str, Tone]], width: int, style: Style) -> Iterator[Block]:
    split = [(re.split(r"\s{2,}|\t", text.strip()), tone) for text, tone in lines]
    for count, run in groupby(split, key=lambda line: len(line[0])):
        rows = list(run)
        widths = _column_widths(rows, style)
        lead = sum(widths[:-1]) + style.body * 2
        for columns, tone in rows:
            if count == 1 or width - lead < style.body * 7:
                yield _paragraph(" · ".join(columns), tone, width, style)
            else:
                yield _columns(columns, tone, widths, width, style)


def _paragraph(text: str, tone: Tone, width: int, style: Style) -> Block:
    size, ink = style.size(tone), style.ink(tone)
    sign, indent = _sign(tone, size, style)
    rows = wrapped(text, size, False, width - indent, MOST_ROWS)
    sprites = [(words(row, size, ink), (indent, k * _line(size))) for k, row in enumerate(rows)]
    return Block(max(len(rows), 1) * _line(size), (*sign, *sprites))


def _columns(columns: Sequence[str], tone: Tone, widths: Sequence[int], width: int, style: Style) -> Block:
    """A row of a table: the last but one column, the measure, is bold."""
    size, ink = style.size(tone), style.ink(tone)
    sign, x = _sign(tone, size, style)
    sprites = list(sign)
    for k, text in enumerate(columns[:-1]):
        strong = k == len(columns) - 2
        colour = style.theme.colour("panel", "ink") if strong else ink
        sprites.append((words(text, size, colour, strong), (x, 0)))
        x += widths[k] + size
    small = style.small
    rows = wrapped(columns[-1], small, False, width - x, 2)
    drop = font(size).get_ascent() - font(small).get_ascent()
    sprites += [(words(row, small, ink), (x, drop + k * _line(small))) for k, row in enumerate(rows)]
    return Block(max(_line(size), drop + len(rows) * _line(small)), tuple(sprites))


def _column_widths(rows: Sequence[tuple[list[str], Tone]], style: Style) -> list[int]:
    """The widest text of every column."""
    table = [[width_of(text, style.size(tone), True) for text in columns] for columns, tone in rows]
    return [max(column) for column in zip(*table, strict=True)]


def _sign(tone: Tone, size: int, style: Style) -> tuple[tuple[tuple[pygame.Surface, tuple[int, int]], ...], int]:
    """The sign before a line that is good or bad, and how far the text is moved for it."""
    if tone not in ("good", "bad"):
        return (), 0
    side = round(size * 0.85)
    sign = icon(tone, side, style.theme.colour(f"panel.{tone}", "hatch"))
    return ((sign, (0, (_line(size) - side) // 2)),), round(size * 1.35)


def _more(surface: pygame.Surface, box: pygame.Rect, y: int, count: int, style: Style) -> None:
    if y + _line(style.small) > box.bottom + style.small // 2:
        return
    text = shortened(f"and {count} more", style.small, False, box.w)
    ink = style.theme.colour("panel.muted", "ink")
    surface.blit(words(text, style.small, ink), (box.left, y), special_flags=BLEND)


def _line(size: int) -> int:
    return font(size).get_linesize()
