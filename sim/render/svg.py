"""How does a scene become a drawing? The same picture as SVG, in inches, with true circles and ellipses.

The drawing stands alone: no scripts, no links, no fonts inside. One unit of its view box is one inch, so a
table printed at its own size measures right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sim.geometry import Point
from sim.render.elements import POINT, broken, dashing, num, painted, printable, stroked, text_at, tone_sign
from sim.render.strokes import middle
from sim.view.scene import (
    Die,
    Disc,
    Ghost,
    Item,
    Label,
    Line,
    Mark,
    Oval,
    Polygon,
    Ruler,
    Scene,
    Shape,
    Zone,
)
from sim.view.theme import Colour, Look, Theme, luminance

if TYPE_CHECKING:
    from pygame import Rect

MARGIN = 1.6  # inches round the table
GRAIN = 24  # parts of an inch in which labels are laid
CAPTION_SIZE = 15
PIPS = {1: "c", 2: "ad", 3: "acd", 4: "abde", 5: "abcde", 6: "abdefg"}
SPOTS = {
    "a": (-1, -1),
    "b": (1, -1),
    "c": (0, 0),
    "d": (1, 1),
    "e": (-1, 1),
    "f": (-1, 0),
    "g": (1, 0),
}


def svg(scene: Scene, theme: Theme) -> str:
    """The scene as the text of an SVG file."""
    return "\n".join(_Drawing(scene, theme).lines()) + "\n"


class _Drawing:
    """A drawing on its way: y runs down, so every point is turned over once, here."""

    def __init__(self, scene: Scene, theme: Theme) -> None:
        self.scene = scene
        self.theme = theme
        self.patterns: dict[tuple[Colour, Colour, float], str] = {}
        self.taken: list[Rect] | None = None  # what no label may cover, once there is one

    def lines(self) -> Iterator[str]:
        scene = self.scene
        body = [line for item in scene.ground for line in self.item(item)]
        items = sorted(scene.items, key=lambda item: isinstance(item, Ruler))
        over = [line for item in items for line in self.item(item)]
        caption, height = self.caption()
        top = MARGIN + (1.4 if scene.heading else 0.0)
        width, depth = scene.width + 2 * MARGIN, scene.depth + top + MARGIN + height
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{num(width)}in" height="{num(depth)}in" '
            f'viewBox="{num(-MARGIN)} {num(-top)} {num(width)} {num(depth)}" role="img" '
            "font-family=\"'Noto Sans', 'DejaVu Sans', sans-serif\">"
        )
        yield f"<title>{escape(printable(self.title()))}</title>"
        yield from self.definitions()
        ground = f'x="{num(-MARGIN)}" y="{num(-top)}" width="{num(width)}" height="{num(depth)}"'
        yield f"<rect {ground}{self.fill('frame')}/>"
        yield from self.frame()
        yield '<g clip-path="url(#table)">'
        yield from body
        yield "</g>"
        yield from over
        yield from caption
        yield "</svg>"

    def title(self) -> str:
        words = (self.scene.heading, self.scene.caption.headline)
        return " – ".join(word for word in words if word) or "A table"

    def definitions(self) -> Iterator[str]:
        scene = self.scene
        yield "<defs>"
        yield (f'<clipPath id="table"><rect width="{num(scene.width)}" height="{num(scene.depth)}"/></clipPath>')
        for (fill, hatch, step), name in self.patterns.items():
            half = num(step / 2)
            yield (
                f'<pattern id="{name}" width="{step}" height="{step}" patternUnits="userSpaceOnUse" '
                f'patternTransform="rotate(45)"><rect width="{step}" height="{step}"{painted("fill", fill)}/>'
                f'<path d="M{half} 0V{step}" stroke-width="{num(step * 0.2)}"{painted("stroke", hatch)}/></pattern>'
            )
        yield "</defs>"

    def frame(self) -> Iterator[str]:
        """The mat with its lines, the border, the inch marks and a number every six inches."""
        scene, look = self.scene, self.theme.look("frame")
        mat = self.theme.look("mat")
        yield (
            f'<rect x="0" y="0" width="{num(scene.width)}" height="{num(scene.depth)}" stroke-width="0.08"'
            f"{painted('fill', mat.fill)}{painted('stroke', look.edge)}/>"
        )
        levels = range(6, math.ceil(scene.depth), 6)
        lines = "".join(f"M{x} 0V{num(scene.depth)}" for x in range(6, math.ceil(scene.width), 6))
        lines += "".join(f"M0 {num(scene.depth - y)}H{num(scene.width)}" for y in levels)
        yield f'<path d="{lines}" fill="none" stroke-width="0.04"{painted("stroke", mat.edge)}/>'
        ticks = "".join(f"M{x} -0.1v{-0.35 if x % 6 == 0 else -0.15}" for x in range(int(scene.width) + 1))
        for y in range(int(scene.depth) + 1):
            ticks += f"M-0.1 {num(scene.depth - y)}h{-0.35 if y % 6 == 0 else -0.15}"
        yield f'<path d="{ticks}" fill="none" stroke-width="0.04"{painted("stroke", look.ink)}/>'
        for x in range(0, int(scene.width) + 1, 6):
            yield text_at(str(x), (x, -0.6), 11, look.ink)
        for y in range(0, int(scene.depth) + 1, 6):
            yield text_at(str(y), (-0.6, scene.depth - y + 0.17), 11, look.ink, anchor="end")
        if scene.heading:
            ink = self.theme.colour("panel.heading", "ink")
            yield text_at(scene.heading, (0, -MARGIN - 0.2), 17, ink, anchor="start", bold=True)

    def item(self, item: Item) -> Iterator[str]:
        match item:
            case Zone():
                yield from self.zone(item)
            case Ghost():
                style = "ghost.legal" if item.legal else "ghost.illegal"
                yield from self.base(item.shape, self.theme.look(style), ring=False)
            case Disc() | Oval() | Polygon() if item.style.startswith(("base", "objective")):
                yield from self.base(item, self.theme.look(item.style), ring=item.style.startswith("base"))
            case Disc() | Oval() | Polygon():
                yield from self.flat(item)
            case Line():
                yield from self.line(item)
            case Ruler():
                yield from self.ruler(item)
            case Label():
                look = self.theme.look(item.style)
                yield text_at(item.text, self.at(item.at), item.size, look.ink, halo=look.fill, bold=True)
            case Die():
                yield from self.die(item)

    def flat(self, shape: Shape) -> Iterator[str]:
        """Terrain, and every shape that is no base."""
        look = self.theme.look(shape.style)
        yield self.outline(shape, f"{self.inside(look)}{stroked(look, 0.06)}")
        if isinstance(shape, Polygon) and shape.label:
            yield text_at(shape.label.upper(), self.at(middle(shape.outline)), 9, look.ink, bold=True)

    def base(self, shape: Shape, look: Look, ring: bool) -> Iterator[str]:
        """A base with its border, its inner ring, the notch at its front and its words, as one group."""
        mark = shape.mark or Mark()
        name = " ".join(word for word in (mark.label, mark.wounds) if word)
        yield "<g>" + (f"<title>{escape(printable(name))}</title>" if name else "")
        if mark.selected:
            halo = f' fill="none" stroke-width="0.36"{painted("stroke", self.theme.colour("selection", "edge"))}'
            yield self.outline(shape, halo)
        plain = shape.style.startswith("objective")
        inside = painted("fill", look.fill) if plain else self.inside(look, 0.26)
        if ring:
            yield self.outline(shape, f'{inside} stroke-width="0.07"{painted("stroke", look.edge)}')
            dash = dashing(look, 0.04)
            yield self.outline(shape, f' fill="none" stroke-width="0.04"{painted("stroke", look.ink)}{dash}', 0.16)
        else:
            yield self.outline(shape, f'{inside} stroke-width="0.1"{painted("stroke", look.edge)}')
            if plain and look.hatch[3]:
                line = f'stroke-width="0.08"{painted("stroke", look.hatch)}{dashing(look, 0.08)}'
                yield self.outline(shape, f' fill="none" {line}', 0.16)
        if mark.facing is not None:
            yield self.notch(shape, math.radians(mark.facing), look)
        halo_ink = look.edge if ring and luminance(look.ink) > 130 else look.fill
        yield from self.words(mark, self.at(_centre(shape)), _reach(shape), look, halo_ink)
        yield "</g>"

    def notch(self, shape: Shape, turn: float, look: Look) -> str:
        """The bar across the border at the front."""
        (x, y), far = self.at(_centre(shape)), _towards(shape, turn)
        ends = [(x + math.cos(turn) * d, y - math.sin(turn) * d) for d in (far * 0.8, far + 0.1)]
        path = "L".join(f"{num(px)} {num(py)}" for px, py in ends)
        return f'<path d="M{path}" stroke-width="0.1"{painted("stroke", look.ink)}/>'

    def words(self, mark: Mark, at: Point, reach: float, look: Look, halo: Colour) -> Iterator[str]:
        """Label, wounds, and the signs for an assumed size and for standing above the table."""
        x, y = at
        size = min(15.0, 1.1 * reach / POINT, 2.2 * reach / POINT / max(len(mark.label), 1))
        lift = size * POINT * 0.3 if mark.wounds and reach > 0.6 else 0.0
        if mark.label:
            yield text_at(mark.label, (x, y + size * POINT * 0.36 - lift), size, look.ink, halo, bold=True)
        if mark.wounds:
            down = size * POINT * 0.75 if lift else reach + 0.4
            yield text_at(mark.wounds, (x, y + down), max(size * 0.75, 7), look.ink, halo, bold=True)
        if mark.assumed:
            badge = self.theme.look("badge")
            spot = (x + reach * 0.72, y - reach * 0.72)
            yield (
                f'<circle cx="{num(spot[0])}" cy="{num(spot[1])}" r="0.26" stroke-width="0.05"'
                f"{painted('fill', badge.fill)}{painted('stroke', badge.edge)}/>"
            )
            yield text_at("?", (spot[0], spot[1] + 0.14), 9, badge.ink, bold=True)
        if mark.height:
            yield from self.raised(mark.height, (x - reach * 0.72, y - reach * 0.72))

    def raised(self, height: str, at: Point) -> Iterator[str]:
        """How high a base stands above the table, with an arrow up."""
        badge = self.theme.look("badge")
        w, h = len(height) * 9 * POINT * 0.62 + 0.55, 0.5
        left, top = at[0] - w * 0.6, at[1] - h * 0.6
        yield (
            f'<rect x="{num(left)}" y="{num(top)}" width="{num(w)}" height="{h}" stroke-width="0.05"'
            f"{painted('fill', badge.fill)}{painted('stroke', badge.edge)}/>"
        )
        yield f'<path d="M{num(left + 0.1)} {num(top + 0.37)}h0.26l-0.13 -0.24z"{painted("fill", badge.ink)}/>'
        yield text_at(height, (left + 0.42, top + 0.38), 9, badge.ink, anchor="start", bold=True)

    def zone(self, zone: Zone) -> Iterator[str]:
        look = self.theme.look(zone.style)
        rings = [ring for piece in zone.pieces for ring in piece if len(ring) > 2]
        if not rings:
            return
        path = "".join(self.path(ring) + "Z" for ring in rings)
        yield f'<path d="{path}" fill-rule="evenodd"{self.inside(look)}{stroked(look, 0.08)}/>'
        if zone.label:
            left = min(x for x, _ in rings[0])
            ys = [y for _, y in rings[0]]
            y = max(ys) - 0.7 if min(ys) + max(ys) < self.scene.depth else min(ys) + 0.4
            halo = self.theme.colour("label")
            place = self.at((left + 0.4, y))
            yield text_at(zone.label.upper(), place, 11, look.ink, halo, anchor="start", bold=True)

    def line(self, line: Line) -> Iterator[str]:
        if len(line.points) > 1:
            look = self.theme.look(line.style)
            path = self.path(line.points)
            yield f'<path d="{path}" fill="none" stroke-width="0.2"{painted("stroke", look.edge)}/>'
            dash = dashing(look, 0.1)
            yield f'<path d="{path}" fill="none" stroke-width="0.1"{painted("stroke", look.fill)}{dash}/>'

    def ruler(self, ruler: Ruler) -> Iterator[str]:
        look = self.theme.look(f"tone.{ruler.tone}")
        (x1, y1), (x2, y2) = self.at(ruler.start), self.at(ruler.end)
        length = math.dist(ruler.start, ruler.end) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        path = f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}"
        marks = [(0.0, 0.3), (length, 0.3), *((float(k), 0.16) for k in range(1, math.ceil(length - 1e-6)))]
        for d, half in marks:
            x, y = x1 + ux * d, y1 + uy * d
            path += f"M{num(x - uy * half)} {num(y + ux * half)}L{num(x + uy * half)} {num(y - ux * half)}"
        yield f'<path d="{path}" fill="none" stroke-width="0.22"{painted("stroke", look.fill)}/>'
        yield f'<path d="{path}" fill="none" stroke-width="0.1"{painted("stroke", look.edge)}/>'
        if ruler.label:
            w, h = len(ruler.label) * 14 * POINT * 0.62 + 0.6, 1.0
            x, y = self.beside((x1, y1), (x2, y2), (w, h))
            yield (
                f'<rect x="{num(x - w / 2)}" y="{num(y - h / 2)}" width="{num(w)}" height="{h}" rx="0.25" '
                f'stroke-width="0.08"{painted("fill", look.fill)}{painted("stroke", look.edge)}/>'
            )
            yield text_at(ruler.label, (x, y + 14 * POINT * 0.36), 14, look.ink, bold=True)

    def beside(self, start: Point, end: Point, size: tuple[float, float]) -> Point:
        """The middle of the label of a ruler: where it covers nothing, as in pictures of pixels."""
        from pygame import Rect

        from sim.render.rulers import box_of, free_spot, is_base

        if self.taken is None:
            self.taken = [box_of(item, self.grains) for item in self.scene.items if is_base(item)]
        table = Rect(0, 0, round(self.scene.width * GRAIN), round(self.scene.depth * GRAIN))
        wide, high = (math.ceil(side * GRAIN) for side in size)
        (x1, y1), (x2, y2) = ((x * GRAIN, y * GRAIN) for x, y in (start, end))
        box = free_spot(table, (wide, high), (x1, y1), (x2, y2), self.taken)
        self.taken.append(box)
        return box.centerx / GRAIN, box.centery / GRAIN

    def grains(self, points: Sequence[Point]) -> list[Point]:
        """Where points of the table are, in the whole numbers by which labels are laid."""
        return [(x * GRAIN, y * GRAIN) for x, y in map(self.at, points)]

    def die(self, die: Die) -> Iterator[str]:
        look = self.theme.look("die")
        edge = look.edge if die.tone == "plain" else self.theme.colour(f"panel.{die.tone}", "hatch")
        x, y = self.at(die.at)
        yield (
            f'<rect x="{num(x - 0.5)}" y="{num(y - 0.5)}" width="1" height="1" rx="0.2" stroke-width="0.1"'
            f"{painted('fill', look.fill)}{painted('stroke', edge)}/>"
        )
        for spot in PIPS.get(die.face, ""):
            dx, dy = SPOTS[spot]
            yield f'<circle cx="{num(x + dx * 0.25)}" cy="{num(y + dy * 0.25)}" r="0.09"{painted("fill", look.ink)}/>'

    def caption(self) -> tuple[list[str], float]:
        """The words under the table, and how high they are."""
        caption, wide = self.scene.caption, self.scene.width
        top = y = self.scene.depth + MARGIN * 0.6
        lines: list[str] = []
        if caption.headline:
            look = self.theme.look(f"panel.{caption.tone}")
            rows = broken(caption.headline, wide - 3, 18)
            high = (len(rows) + 0.7) * 18 * POINT * 1.4
            box = f'x="0" y="{num(y)}" width="{num(wide)}" height="{num(high)}" rx="0.3"'
            lines.append(f"<rect {box}{painted('fill', look.fill)}{stroked(look, 0.08)}/>")
            lines += tone_sign(caption.tone, (0.9, y + high / 2), look.hatch, 0.3)
            for k, row in enumerate(rows):
                place = (1.7, y + (k + 1.1) * 18 * POINT * 1.4)
                lines.append(text_at(row, place, 18, look.ink, anchor="start", bold=True))
            y += high + 0.5
        step = CAPTION_SIZE * POINT * 1.5
        for text, tone in caption.lines:
            ink = self.theme.colour("panel.muted" if tone == "note" else "panel.text", "ink")
            left = 0.9 if tone in ("good", "bad") else 0.2
            if left > 0.2:
                sign = self.theme.colour(f"panel.{tone}", "hatch")
                lines += tone_sign(tone, (0.45, y + step * 0.4), sign, 0.2)
            for row in broken(text, wide - 2, CAPTION_SIZE):
                lines.append(text_at(row, (left, y + step * 0.62), CAPTION_SIZE, ink, anchor="start"))
                y += step
        return lines, y - top

    def at(self, point: Point) -> Point:
        return (point[0], self.scene.depth - point[1])

    def path(self, points: Sequence[Point]) -> str:
        return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in (self.at(p) for p in points))

    def outline(self, shape: Shape, paint: str, inset: float = 0.0) -> str:
        """The element of a shape, made smaller by ``inset`` inches on every side where that is possible."""
        x, y = self.at(_centre(shape))
        match shape:
            case Disc(radius=radius):
                return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(max(radius - inset, radius / 2))}"{paint}/>'
            case Oval(length=length, width=width, facing=facing):
                a, b = (max(side / 2 - inset, side / 4) for side in (length, width))
                turn = f'transform="rotate({num(-facing)} {num(x)} {num(y)})"'
                return f'<ellipse cx="{num(x)}" cy="{num(y)}" rx="{num(a)}" ry="{num(b)}" {turn}{paint}/>'
            case Polygon(outline=outline):
                share = 1 - inset / max(_reach(shape), 0.3)
                cx, cy = _centre(shape)
                points = [(cx + (px - cx) * share, cy + (py - cy) * share) for px, py in outline]
                return f'<path d="{self.path(points)}Z"{paint}/>'

    def inside(self, look: Look, step: float = 0.4) -> str:
        """The paint inside a shape: a colour, or a pattern of colour and lines ``step`` inches apart."""
        if look.hatch[3] in (0, 255):  # none, or the colour of a detail that only the painter draws
            return painted("fill", look.fill)
        name = self.patterns.setdefault((look.fill, look.hatch, step), f"hatch-{len(self.patterns) + 1}")
        return f' fill="url(#{name})"'

    def fill(self, style: str) -> str:
        return painted("fill", self.theme.colour(style))


def _centre(shape: Shape) -> Point:
    if isinstance(shape, Polygon):
        xs, ys = [x for x, _ in shape.outline], [y for _, y in shape.outline]
        return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    return shape.at


def _reach(shape: Shape) -> float:
    """The distance from the middle of a shape to its nearest edge, about."""
    match shape:
        case Disc(radius=radius):
            return radius
        case Oval(length=length, width=width):
            return min(length, width) / 2
        case Polygon(outline=outline):
            xs, ys = [x for x, _ in outline], [y for _, y in outline]
            return min(max(xs) - min(xs), max(ys) - min(ys)) / 2


def _towards(shape: Shape, turn: float) -> float:
    """How far the edge is from the middle in a direction, in radians."""
    if isinstance(shape, Oval):
        a, b, t = shape.length / 2, shape.width / 2, turn - math.radians(shape.facing)
        return a * b / math.hypot(b * math.cos(t), a * math.sin(t))
    if isinstance(shape, Polygon):
        cx, cy = _centre(shape)
        return max((x - cx) * math.cos(turn) + (y - cy) * math.sin(turn) for x, y in shape.outline)
    return shape.radius
