"""How does a scene become pixels? One painter a theme, that keeps what it has drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

import pygame

from sim.render.easel import Easel
from sim.render.layer import BLEND, Layer, box_round
from sim.render.mat import free_area, paint_frame, paint_mat
from sim.render.rulers import box_of, is_base, paint_die, paint_label, paint_line, paint_tag, paint_tape
from sim.render.terrain import paint_terrain
from sim.render.tokens import Sprite, body_of, centre_of, marker, token
from sim.render.zones import paint_ring, paint_zone
from sim.view.camera import Camera
from sim.view.scene import Die, Disc, Ghost, Item, Label, Line, Oval, Polygon, Ruler, Scene, Shape, Zone
from sim.view.theme import Theme

SPRITES_KEPT = 24_000_000  # pixels, about 100 MB
WORTH_KEEPING = 24  # bases in a row that are kept as one sheet
Sort = Literal["ruler", "ghost", "sprite", "other"]


class Painter:
    """Paints scenes in one theme. The ground is drawn again only when it, the camera or the place changes."""

    def __init__(self, theme: Theme, ui_scale: float = 1.0) -> None:
        self.theme = theme
        self.ui_scale = ui_scale
        self.grounds_drawn = 0  # how often the ground had to be drawn
        self._ground: pygame.Surface | None = None
        self._ground_key: tuple[object, ...] = ()
        self._camera: Camera | None = None  # of the ground
        self._share = 1.0  # how large sprites are beside those of the ground's camera, while that is on the move
        self._sprites: dict[tuple[object, ...], Sprite] = {}
        self._kept = 0  # pixels of all sprites
        self._still = _Still()
        self._run: list[Item] = []
        self._run_key: tuple[object, ...] = ()
        self._run_sheet: tuple[pygame.Surface, pygame.Rect] | None = None

    def paint(
        self,
        scene: Scene,
        camera: Camera,
        surface: pygame.Surface,
        area: pygame.Rect | None = None,
        frame: bool = True,
        quick: bool = False,
    ) -> None:
        """Paint the scene as the camera sees it into an area of the surface, which the camera's size should equal.

        ``quick`` is for a camera that is on the move: ground and bases are those of the last full picture, shifted and
        scaled. Paint once without it when the camera rests.
        """
        target = surface if area is None else surface.subsurface(area.clip(surface.get_rect()))
        easel = Easel(self.theme, camera, self.ui_scale)
        key = _ground_key(scene, easel, target.get_size(), frame)
        if quick and self._ground is not None and key[1:] == self._ground_key[1:] and camera != self._camera:
            self._paint_quick(scene, easel, target)
            return
        ground = self._ground_layer(scene, easel, target.get_size(), frame)
        free = free_area(easel, target.get_rect(), scene.width, scene.depth) if frame else target.get_rect()
        self._still.prepare(scene.items, ground)
        if self._still.wanted:
            self._items(self._still.begun(free), easel, self._still.items)
        sheet, count = self._still.current()
        target.blit(sheet, (0, 0))
        clip = target.get_clip()
        target.set_clip(free)
        self._items(target, easel, scene.items[count:])
        self._rulers(target, easel, scene.items)
        target.set_clip(clip)

    def _paint_quick(self, scene: Scene, easel: Easel, target: pygame.Surface) -> None:
        assert self._ground is not None
        assert self._camera is not None
        target.fill(self.theme.colour("frame")[:3])
        _moved(target, self._ground, self._camera, easel.camera)
        self._share = easel.camera.scale / self._camera.scale
        self._items(target, easel, scene.items, keep=False)
        self._rulers(target, easel, scene.items)
        self._share = 1.0

    def _ground_layer(self, scene: Scene, easel: Easel, size: tuple[int, int], frame: bool) -> pygame.Surface:
        key = _ground_key(scene, easel, size, frame)
        if self._ground is None or key != self._ground_key:
            self._ground = self._drawn_ground(scene, easel, size, frame)
            self._ground_key, self._camera = key, easel.camera
            self.grounds_drawn += 1
        return self._ground

    def _drawn_ground(self, scene: Scene, easel: Easel, size: tuple[int, int], frame: bool) -> pygame.Surface:
        layer = pygame.Surface(size, depth=32)
        layer.fill(self.theme.colour("frame")[:3])
        paint_mat(layer, easel, scene.width, scene.depth)
        layer.set_clip(easel.table(scene.width, scene.depth))
        self._items(layer, easel, scene.ground, keep=False)
        layer.set_clip(None)
        if frame:
            paint_frame(layer, easel, scene.width, scene.depth, scene.turned)
        return layer

    def _items(self, surface: pygame.Surface, easel: Easel, items: Iterable[Item], keep: bool = True) -> None:
        """Paint items in their order, but for the rulers, which lie over everything."""
        for sort, run in groupby(items, _sort):
            match sort:
                case "sprite" if keep:
                    self._bases(surface, easel, list(run))
                case "other":
                    for item in run:
                        _paint(surface, easel, item)
                case "ghost" | "sprite":
                    surface.fblits([self._placed(item, easel) for item in run], BLEND)
                case "ruler":
                    pass  # they come last

    def _rulers(self, surface: pygame.Surface, easel: Easel, items: Sequence[Item]) -> None:
        """Lay the rulers over everything, and their labels beside them: on no base, where there is room."""
        rulers = [item for item in items if isinstance(item, Ruler)]
        if not rulers:
            return
        for ruler in rulers:
            paint_tape(surface, easel, ruler)
        taken = [box_of(item, easel.all) for item in items if is_base(item)]
        for ruler in rulers:
            paint_tag(surface, easel, ruler, taken)

    def _bases(self, surface: pygame.Surface, easel: Easel, run: list[Item]) -> None:
        """Paint many bases in a row: when they are the same as in the picture before, as one sheet."""
        key = (easel.camera, surface.get_size(), self.ui_scale)
        if len(run) < WORTH_KEEPING or self._run != run or self._run_key != key:
            surface.fblits([self._placed(item, easel) for item in run], BLEND)
            if len(run) >= WORTH_KEEPING:
                self._run, self._run_key, self._run_sheet = run, key, None
            return
        if self._run_sheet is None:
            self._run_sheet = _sheet([self._placed(item, easel) for item in run], surface.get_rect())
        sheet, box = self._run_sheet
        surface.blit(sheet, box, special_flags=BLEND)

    def _placed(self, item: Item, easel: Easel) -> tuple[pygame.Surface, tuple[int, int]]:
        """The sprite of a base, ghost or objective and where it goes."""
        shape, legal = (item.shape, item.legal) if isinstance(item, Ghost) else (item, None)
        assert isinstance(shape, Disc | Oval | Polygon)
        sprite = self._sprite(shape, legal, easel.camera.scale / self._share)
        if self._share != 1.0:
            sprite = _scaled(sprite, self._share)
        x, y = easel.camera.to_picture(centre_of(shape))
        return sprite.image, (round(x) + sprite.left, round(y) + sprite.top)

    def _sprite(self, shape: Shape, legal: bool | None, scale: float) -> Sprite:
        key = (_likeness(shape), legal, scale)
        sprite = self._sprites.get(key)
        if sprite is None:
            if self._kept > SPRITES_KEPT:
                self._sprites.clear()
                self._kept = 0
            if isinstance(shape, Disc) and shape.style.startswith("objective"):
                sprite = marker(shape, self.theme, scale, self.ui_scale)
            else:
                sprite = token(shape, self.theme, scale, self.ui_scale, legal)
            self._sprites[key] = sprite
            self._kept += sprite.image.get_width() * sprite.image.get_height()
        return sprite


def _ground_key(scene: Scene, easel: Easel, size: tuple[int, int], frame: bool) -> tuple[object, ...]:
    """What the ground depends on, the camera first."""
    return (easel.camera, scene.ground, scene.width, scene.depth, size, frame, easel.ui, scene.turned)


def _moved(target: pygame.Surface, ground: pygame.Surface, old: Camera, new: Camera) -> None:
    """Lay a ground that one camera saw where another one sees it, roughly."""
    left, top = old.to_picture(new.to_table((0, 0)))
    right, bottom = old.to_picture(new.to_table(target.get_size()))
    seen = pygame.Rect(round(left), round(top), max(round(right - left), 1), max(round(bottom - top), 1))
    part = seen.clip(ground.get_rect())
    if part.w <= 0 or part.h <= 0:
        return
    share = new.scale / old.scale
    size = (max(round(part.w * share), 1), max(round(part.h * share), 1))
    place = (round((part.left - left) * share), round((part.top - top) * share))
    target.blit(pygame.transform.scale(ground.subsurface(part), size), place)


def _scaled(sprite: Sprite, share: float) -> Sprite:
    size = [max(round(side * share), 1) for side in sprite.image.get_size()]
    image = pygame.transform.scale(sprite.image, size)
    return Sprite(image, round(sprite.left * share), round(sprite.top * share))


class _Still:
    """The ground with the first items on it, as many as have been the same for three pictures in a row."""

    def __init__(self) -> None:
        self.items: tuple[Item, ...] = ()  # on the sheet
        self.wanted = False  # whether the sheet has to be painted anew
        self._ground: pygame.Surface | None = None
        self._sheet: pygame.Surface | None = None
        self._before: tuple[Item, ...] = ()
        self._steady = 0

    def prepare(self, items: tuple[Item, ...], ground: pygame.Surface) -> None:
        """Compare the items with those of the picture before, and settle how many of them stand on the sheet."""
        count = _same_at_first(self._before, items)
        if ground is not self._ground:
            count, self._ground, self._sheet, self.items = 0, ground, None, ()
        kept = len(self.items)
        if count < kept:
            self._sheet, self.items, kept = None, (), 0
        steady = min(count, self._steady)
        self.wanted = steady > kept
        if self.wanted:
            self.items = items[:steady]
        self._before, self._steady = items, count

    def begun(self, free: pygame.Rect) -> pygame.Surface:
        """A new sheet with the ground on it, to paint the items on."""
        assert self._ground is not None
        self._sheet = self._ground.copy()
        self._sheet.set_clip(free)
        return self._sheet

    def current(self) -> tuple[pygame.Surface, int]:
        """What to begin the picture with, and how many items are on it."""
        sheet = self._sheet or self._ground
        assert sheet is not None
        return sheet, len(self.items)


def _same_at_first(one: tuple[Item, ...], other: tuple[Item, ...]) -> int:
    """How many items two pictures have in common at their beginnings, up to the first ruler."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if (mine is not theirs and mine != theirs) or isinstance(mine, Ruler):
            break
        count += 1
    return count


def _sort(item: Item) -> Sort:
    """How an item is painted."""
    match item:
        case Disc() | Oval() | Polygon():
            return "sprite" if is_base(item) else "other"
        case Ghost():
            return "ghost"
        case Ruler():
            return "ruler"
        case _:
            return "other"


def _sheet(
    placed: list[tuple[pygame.Surface, tuple[int, int]]], area: pygame.Rect
) -> tuple[pygame.Surface, pygame.Rect]:
    """Sprites on one transparent sheet, and where that goes."""
    boxes = [image.get_rect(topleft=at).clip(area) for image, at in placed]
    box = boxes[0].unionall([other for other in boxes if other.w and other.h])
    sheet = pygame.Surface(box.size, pygame.SRCALPHA, 32)
    sheet.fblits([(image, (x - box.left, y - box.top)) for image, (x, y) in placed], BLEND)
    return sheet, box


def _likeness(shape: Shape) -> tuple[object, ...]:
    """What two bases have in common that look the same, wherever they stand."""
    match shape:
        case Disc():
            return (shape.radius, shape.style, shape.mark)
        case Oval():
            return (shape.length, shape.width, shape.facing, shape.style, shape.mark)
        case Polygon():
            x0, y0 = centre_of(shape)
            outline = tuple((round(x - x0, 4), round(y - y0, 4)) for x, y in shape.outline)
            return (outline, shape.style, shape.mark)


def _paint(surface: pygame.Surface, easel: Easel, item: Item) -> None:
    match item:
        case Polygon() if item.style.startswith("terrain"):
            paint_terrain(surface, easel, item)
        case Zone():
            paint_zone(surface, easel, item)
        case Line():
            paint_line(surface, easel, item)
        case Label():
            paint_label(surface, easel, item)
        case Die():
            paint_die(surface, easel, item)
        case Disc() | Oval() | Polygon():
            _paint_flat(surface, easel, item)
        case Ghost() | Ruler():
            pass  # sprites and tapes: the painter itself paints them and keeps them


def _paint_flat(surface: pygame.Surface, easel: Easel, shape: Shape) -> None:
    """Paint a shape that is no base: its fill and its line."""
    x, y = easel.at(centre_of(shape))
    points = [(x + dx, y + dy) for dx, dy in body_of(shape, easel.camera.scale).points]
    look = easel.look(shape.style)
    box = box_round(points, 3, surface.get_rect())
    if box.w > 0 and box.h > 0:
        layer = Layer(box, 1)
        layer.polygon(points, look.fill)
        layer.onto(surface)
        paint_ring(surface, points, look, easel)
