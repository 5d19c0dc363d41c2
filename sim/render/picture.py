"""How does a whole picture look, table and words together? Stills and the frames of clips are the same pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pygame

from sim.render.captions import Style, height_wanted, paint_panel, paint_words, words_in
from sim.render.fonts import font, shortened, width_of, words
from sim.render.layer import BLEND
from sim.render.painter import Painter
from sim.view import sizes
from sim.view.camera import Camera
from sim.view.scene import Caption, Item, Scene
from sim.view.theme import Theme, mixed
from sim.view.turning import turned, turned_items
from sim.writing import written

Layout = Literal["auto", "panel", "strip"]
Size = tuple[int, int]

BRAND = "inchwise"
TALL = 1.5  # times as high as wide: a picture on which a wide table stands upright
# How much larger or smaller words become to fill their room.
STRIP_SHARES = (1.5, 1.3, 1.15, 1.0, 0.85, 0.72)
PANEL_SHARES = (1.1, 1.0, 0.9, 0.8)


class PictureError(ValueError):
    """A picture that cannot be painted or written; the text says what was expected and what came."""


@dataclass(frozen=True)
class Sheet:
    """Where things go on a picture: the heading, the table, the words; ``ui`` is the scale of text on the table."""

    table: pygame.Rect
    heading: pygame.Rect
    words: pygame.Rect
    panel: bool
    ui: float
    style: Style


def picture(
    scene: Scene,
    theme: Theme,
    size: Size,
    path: Path | str | None = None,
    layout: Layout = "auto",
    text: float = 1.0,
) -> pygame.Surface:
    """The scene as a picture with its heading and caption, and written to ``path`` as PNG if that is given.

    ``text`` makes all words larger or smaller: 1.5 is good for a clip that will be watched on a telephone.

    Raises
    ------
    PictureError
        When the size is too small or too large, or the path does not end in .png.
    """
    surface = Pictures(theme, size, layout, text).paint(scene)
    if path is not None:
        save_png(surface, Path(path))
    return surface


def save_still(scene: Scene, path: Path, look: Theme, size: Size) -> None:
    """Write a scene as ``.svg`` or, by any other ending, as ``.png``; in one step, or not at all."""
    if path.suffix.lower() == ".svg":
        from sim.render.svg import svg

        with written(path) as beside:
            beside.write_text(svg(scene, look), "utf-8")
    else:
        save_png(picture(scene, look, size), path)


def save_png(surface: pygame.Surface, path: Path) -> None:
    """Write a picture in one step: a reader never sees half of one."""
    if path.suffix.lower() != ".png":
        raise PictureError(f"{path}: expected a name that ends in .png")
    with written(path) as beside:
        pygame.image.save(surface, beside, "picture.png")


class Pictures:
    """Paints scenes at one size and in one theme, and keeps what it has drawn: for many pictures, as in a clip.

    Words and table keep their places as long as the words fit. With ``fullest``, the longest caption that will come,
    they are settled by that once and for all, so that the table never jumps.
    """

    def __init__(
        self,
        theme: Theme,
        size: Size,
        layout: Layout = "auto",
        text: float = 1.0,
        fullest: Caption | None = None,
    ) -> None:
        if why := sizes.refused(*size):
            raise PictureError(why)
        self.theme = theme
        self.size = size
        self.layout = layout
        self.text = text
        self.fullest = fullest
        self._sheet: Sheet | None = None
        self._sheet_key: tuple[object, ...] = ()
        self._painters: dict[float, Painter] = {}
        self._beside: tuple[object, Sheet, pygame.Surface] | None = None
        self._standing: tuple[object, bool] = (None, False)
        self._turned: tuple[tuple[Item, ...], tuple[Item, ...]] | None = None  # the ground, and turned

    def paint(self, scene: Scene) -> pygame.Surface:
        """A new picture of the scene."""
        surface = pygame.Surface(self.size, depth=32)
        self.paint_on(surface, scene)
        return surface

    def paint_on(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the scene over a picture of the right size; a wide table stands upright on a tall one."""
        if self._stands(scene):
            if self._turned is None or self._turned[0] != scene.ground:
                self._turned = (scene.ground, turned_items(scene.ground, scene.depth))
            scene = replace(turned(replace(scene, ground=())), ground=self._turned[1])
        key = (scene.heading, scene.caption, scene.width, scene.depth)
        if self._beside is None or self._beside[0] != key:
            sheet = self._arranged(scene)
            self._beside = (key, sheet, self._words(scene, sheet))
        _, sheet, beside = self._beside
        surface.blit(beside, (0, 0))
        painter = self._painters.setdefault(sheet.ui, Painter(self.theme, sheet.ui))
        painter.paint(scene, fitting(scene, sheet.table.size, painter.ui_scale), surface, sheet.table)

    def _stands(self, scene: Scene) -> bool:
        """Whether the table stands upright: where it can, and is larger by that with the words that it has."""
        if self.layout == "panel" or not is_upright(scene, self.size):
            return False
        caption = scene.caption if self.fullest is None else self.fullest
        key = (scene.width, scene.depth, bool(scene.heading), caption)
        if self._standing[0] != key:
            lying = replace(scene, caption=caption, ground=(), items=())
            ways = [
                (way, arranged(way, self.theme, self.size, self.layout, self.text)) for way in (lying, turned(lying))
            ]
            flat, upright = (_scale(way, sheet) for way, sheet in ways)
            self._standing = (key, upright > flat)
        return self._standing[1]

    def _arranged(self, scene: Scene) -> Sheet:
        """Where things go: as in the picture before, unless the caption has another shape or does not fit there."""
        caption = scene.caption if self.fullest is None else self.fullest
        key = (scene.width, scene.depth, bool(scene.heading), bool(caption.headline), len(caption.lines))
        sheet = self._sheet
        if sheet is None or key != self._sheet_key or (self.fullest is None and not _fits(scene, sheet)):
            sheet = arranged(replace(scene, caption=caption), self.theme, self.size, self.layout, self.text)
            self._sheet, self._sheet_key = sheet, key
        return sheet

    def _words(self, scene: Scene, sheet: Sheet) -> pygame.Surface:
        surface = pygame.Surface(self.size, depth=32)
        surface.fill(self.theme.colour("frame")[:3])
        if sheet.heading.h:
            _heading(surface, sheet.heading, scene.heading, self.theme, sheet.ui)
        if sheet.panel:
            paint_panel(surface, sheet.words, scene.caption, sheet.style)
        elif sheet.words.h:
            paint_words(surface, sheet.words, scene.caption, sheet.style)
        return surface


def is_upright(scene: Scene, size: Size) -> bool:
    """Whether a scene may be shown a quarter turned on a picture: the whole of a wide table, on a tall one."""
    return size[1] >= TALL * size[0] and scene.width > scene.depth and scene.focus is None and not scene.turned


def fullest(captions: Iterable[Caption]) -> Caption:
    """A caption with the longest headline and the longest lines of many, to settle a clip by."""
    known = list(captions) or [Caption()]
    wordy = max(known, key=lambda caption: (len(caption.lines), sum(len(text) for text, _ in caption.lines)))
    loud = max(known, key=lambda caption: len(caption.headline))
    return replace(wordy, headline=loud.headline, tone=loud.tone)


def fitting(scene: Scene, size: Size, ui: float) -> Camera:
    """The camera that shows the whole table with room for the numbers of its frame, left and above."""
    near, far = round(max(11 * ui, 9)) + 20, max(round(10 * ui), 6)
    free = (max(size[0] - near - far, 16), max(size[1] - near - far, 16))
    (x0, y0), (x1, y1) = scene.focus or ((0.0, 0.0), (scene.width, scene.depth))
    scale = min(free[0] / (x1 - x0), free[1] / (y1 - y0))
    shift = (near - far) / 2 / scale
    return Camera(((x0 + x1) / 2 - shift, (y0 + y1) / 2 + shift), scale, *size)


def arranged(scene: Scene, theme: Theme, size: Size, layout: Layout, text: float = 1.0) -> Sheet:
    """Where heading, table and words go: the words at the side or below, wherever the table stays larger."""
    if layout == "panel" and _has_caption(scene):
        return _with_panel(scene, theme, size, text)
    if layout != "auto" or not _has_caption(scene) or size[0] < 1.3 * size[1]:
        return _with_strip(scene, theme, size, text)
    beside = _with_panel(scene, theme, size, text)
    if _scale(scene, beside) >= 0.9 * fitting(scene, size, beside.ui).scale:
        return beside
    below = _with_strip(scene, theme, size, text)
    return beside if _scale(scene, beside) >= 0.9 * _scale(scene, below) else below


def _with_panel(scene: Scene, theme: Theme, size: Size, text: float) -> Sheet:
    """Words at the side: in the room that the table leaves, and never in less than they need."""
    w, h = size
    ui = max(min(w / 1600, h / 950), 0.5)
    margin = max(round(16 * ui), 4)
    top = _heading_height(scene, ui * text)
    idle = w - round((h - top) * (scene.width + 2.5) / (scene.depth + 2.5)) - 2 * margin
    least = max(round(w * 0.235), Style.scaled(theme, ui * text).body * 12)
    side = min(max(least, idle), round(w * 0.42))
    panel = pygame.Rect(w - side - margin, margin, side, h - 2 * margin)
    heading = pygame.Rect(margin, 0, panel.left - 2 * margin, top)
    table = pygame.Rect(0, top, panel.left - margin // 2, h - top)
    style = _roomy(scene, theme, words_in(panel, ui * text).size, ui * text, PANEL_SHARES)
    return Sheet(table, heading, panel, True, max(ui, 0.72) * text, style)


def _with_strip(scene: Scene, theme: Theme, size: Size, text: float) -> Sheet:
    """Words below the table, as large as the room that is left allows."""
    w, h = size
    ui = max(min(w / 640, h / 460), 0.6) * text
    margin = max(round(14 * ui), 6)
    top = _heading_height(scene, ui)
    wide = w - 2 * margin
    if not _has_caption(scene):
        table, none = pygame.Rect(0, top, w, h - top), pygame.Rect(0, h, w, 0)
        return Sheet(table, pygame.Rect(margin, 0, wide, top), none, False, ui, Style.scaled(theme, ui))
    least, _ = height_wanted(scene.caption, wide, Style.scaled(theme, ui))
    high = round(w * (scene.depth + 2.5) / (scene.width + 2.5)) + round(20 * ui)
    table_h = max(min(high, h - top - least - margin), h // 3)
    style = _roomy(scene, theme, (wide, h - top - table_h - margin), ui, STRIP_SHARES)
    full = height_wanted(scene.caption, wide, style)[1]
    spare = max(h - top - table_h - full - margin, 0)
    top += spare // 4
    table = pygame.Rect(0, top, w, table_h + spare // 8)
    heading = pygame.Rect(margin, spare // 4, wide, top - spare // 4)
    beneath = pygame.Rect(margin, table.bottom + margin // 4, wide, max(h - table.bottom - margin, 0))
    return Sheet(table, heading, beneath, False, ui, style)


def _roomy(scene: Scene, theme: Theme, room: Size, ui: float, shares: Sequence[float]) -> Style:
    """The largest words with which the whole caption fits; the smallest ones if it never does."""
    style = Style.scaled(theme, ui)
    for share in shares:
        style = Style.scaled(theme, ui * max(share, 1.0), min(share, 1.0))
        if height_wanted(scene.caption, room[0], style)[1] <= room[1]:
            return style
    return style


def _heading(surface: pygame.Surface, box: pygame.Rect, text: str, theme: Theme, ui: float) -> None:
    """Write the name of the program and whose time it is; the name gives way where there is no room for both."""
    large, size = max(round(21 * ui), 13), max(round(15 * ui), 11)
    ink = theme.colour("panel.heading", "ink")
    base = box.top + (box.h + font(large).get_ascent()) // 2 - round(2 * ui)
    x = box.left
    room = width_of(BRAND, large, True) + round(18 * ui)
    if width_of(text, size) + room <= box.w:
        surface.blit(words(BRAND, large, ink, True), (x, base - font(large).get_ascent()), special_flags=BLEND)
        x += room
    soft = mixed(ink, theme.colour("frame", "ink"), 0.35)
    line = words(shortened(text, size, False, box.right - x), size, soft)
    surface.blit(line, (x, base - font(size).get_ascent()), special_flags=BLEND)


def _heading_height(scene: Scene, ui: float) -> int:
    return max(round(46 * ui), 24) if scene.heading else max(round(8 * ui), 4)


def _fits(scene: Scene, sheet: Sheet) -> bool:
    box = words_in(sheet.words, sheet.style.headline / 18) if sheet.panel else sheet.words
    return height_wanted(scene.caption, box.w, sheet.style)[1] <= box.h


def _has_caption(scene: Scene) -> bool:
    return bool(scene.caption.headline or scene.caption.lines)


def _scale(scene: Scene, sheet: Sheet) -> float:
    return fitting(scene, sheet.table.size, sheet.ui).scale
