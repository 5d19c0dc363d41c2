"""The panel beside the table: the answer in words, what can be done, and the tools."""

from __future__ import annotations

from collections.abc import Sequence

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UIScrollingContainer

from sim.app.window import style
from sim.app.window.answer import Row, plain
from sim.engine.resolve import DECLINE
from sim.render.fonts import words, wrapped
from sim.rules import Offer

WIDTH = 372
PAD = 5 * style.STEP
TOOLS = (
    ("undo", "Undo", "Step back over the last thing done (Ctrl+Z)"),
    ("redo", "Redo", "Do it again (Ctrl+Y)"),
    ("replay", "Replay", "Watch the battle so far"),
    ("save", "Save", "Write the battle as a record (Ctrl+S)"),
    ("open", "Open", "Open a scenario, a record, a storyboard or an army list (Ctrl+O)"),
    ("picture", "Picture", "Save what is seen as a PNG (F12)"),
    ("clip", "Clip", "Film the battle so far"),
    ("end-step", "End step", "Nothing more in this step"),
)
TOOL_ROWS = 2
OFFER_HEIGHT = 40
BUTTON_EDGE = 14  # pixels that a title keeps from the edges of its button
ANSWER, OPTION, BACK = "answer", "option", "back"  # buttons that are no offers of the game
SIDE_COLOURS = {"first": style.ORANGE, "second": style.BLUE}
WORDS_ROOM = 290  # pixels that the words above the list may need
ROW_ROOM = 44  # pixels that the next row may need


class Panel:
    """Draws rows of words and keeps the buttons of the offers and tools in step with the battle."""

    def __init__(self, manager: pygame_gui.UIManager, area: pygame.Rect) -> None:
        self.manager = manager
        self.rows: tuple[Row, ...] = ()
        self._offers: tuple[Offer, ...] = ()
        self._buttons: dict[UIButton, Offer] = {}
        self._tools: dict[UIButton, str] = {}
        self._list: UIScrollingContainer | None = None
        self.place(area)

    @property
    def text(self) -> str:
        """Everything that the panel says, as plain text."""
        return plain(self.rows)

    def place(self, area: pygame.Rect) -> None:
        """Lay the panel out anew in an area of the window."""
        self.area = area
        self._clear()
        tools_height = TOOL_ROWS * (32 + 2 * style.STEP)
        self._tool_top = area.bottom - PAD - tools_height
        self._list_top = self._tool_top
        self._make_tools()
        self._make_offers()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show a button for everything that a unit can do now."""
        wanted = tuple(offer for offer in offers if offer.unit)
        if wanted != self._offers:
            self._offers = wanted
            self._make_offers()

    def enable(self, tool: str, on: bool) -> None:
        """Let a tool be pressed, or not."""
        for button, name in self._tools.items():
            if name == tool and button.is_enabled != on:
                if on:
                    button.enable()
                else:
                    button.disable()

    def pressed(self, element: object) -> Offer | str | None:
        """What a pressed button stands for: an offer, the name of a tool, or nothing of the panel's."""
        for button, offer in self._buttons.items():
            if button is element:
                return offer
        return next((name for button, name in self._tools.items() if button is element), None)

    def button_of(self, what: str) -> pygame.Rect | None:
        """Where a tool's button, or the first button that offers something for a unit, is in the window."""
        for button, name in self._tools.items():
            if name == what:
                return pygame.Rect(button.rect)
        for button, offer in self._buttons.items():
            if what in (offer.unit, f"{offer.command} {offer.unit}"):
                return pygame.Rect(button.rect)
        return None

    @property
    def in_sight(self) -> list[tuple[Offer, tuple[int, int]]]:
        """The offers whose buttons can be pressed without scrolling, each with the middle of its button."""
        area = pygame.Rect(0, 0, 0, 0) if self._list is None else pygame.Rect(self._list.rect)
        found = [(offer, pygame.Rect(button.rect).center) for button, offer in self._buttons.items()]
        return [(offer, (int(x), int(y))) for offer, (x, y) in found if _leads_out(offer) or area.collidepoint(x, y)]

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel's ground and words; the widgets draw themselves."""
        pygame.draw.rect(surface, style.PANEL, self.area, border_radius=style.RADIUS)
        limit = self._list_top - 7 * style.STEP if self._offers else self._tool_top - 2 * style.STEP
        y = self.area.top + PAD
        for row in self.rows:
            if y + ROW_ROOM > limit:
                surface.blit(words("…", 16, _rgba(style.DIM), bold=True), (self.area.left + PAD, y))
                break
            y = self._row(surface, row, y)
        heading = words("CAN BE DONE NOW" if self._offers else "", 11, _rgba(style.FAINT), bold=True)
        surface.blit(heading, (self.area.left + PAD, self._list_top - 5 * style.STEP))

    def _row(self, surface: pygame.Surface, row: Row, y: int) -> int:
        left, width = self.area.left + PAD, self.area.width - 2 * PAD
        match row.kind:
            case "title":
                return self._text(surface, row.text, 20, style.TEXT, left, y, width, bold=True) + style.STEP
            case "sub":
                return self._text(surface, row.text, 13, style.DIM, left, y, width) + 2 * style.STEP
            case "turn":
                colour = SIDE_COLOURS.get(row.mark, style.DIM)
                pygame.draw.circle(surface, colour, (left + 7, y + 11), 7)
                return self._text(surface, row.text, 15, style.TEXT, left + 24, y, width - 24, bold=True) + style.STEP
            case "yes" | "no":
                return self._headline(surface, row, left, y, width)
            case "model":
                return self._model(surface, row, left, y)
            case "section":
                y += 3 * style.STEP
                return self._text(surface, row.text.upper(), 11, style.FAINT, left, y, width, bold=True) + style.STEP
            case "reason":
                pygame.draw.circle(surface, style.ORANGE, (left + 3, y + 9), 3)
                return self._text(surface, row.text, 13, style.SOFT, left + 14, y, width - 14) + style.STEP
            case "instead":
                box = pygame.Rect(left, y + 2 * style.STEP, width, 38)
                pygame.draw.rect(surface, style.DARK_TEAL, box, border_radius=style.RADIUS)
                pygame.draw.rect(surface, style.TEAL, box, 1, border_radius=style.RADIUS)
                surface.blit(words(row.text, 14, _rgba(style.TEXT), bold=True), (left + 14, y + 2 * style.STEP + 8))
                return box.bottom
            case "hint":
                return self._text(surface, row.text, 12, style.FAINT, left, y + 3 * style.STEP, width)
            case "fine":
                return self._text(surface, row.text, 12, style.FAINT, left, y, width) + style.STEP
            case "dice":
                return self._dice(surface, row.mark.split(), left, y, width)
            case "text":
                return self._text(surface, row.text, 13, style.SOFT, left, y, width) + style.STEP

    def _dice(self, surface: pygame.Surface, faces: Sequence[str], left: int, y: int, width: int) -> int:
        """A row of dice with their faces, wrapped where it is too long."""
        size, gap = 22, 4
        x = left
        for face in faces:
            if x + size > left + width:
                x, y = left, y + size + gap
            box = pygame.Rect(x, y, size, size)
            pygame.draw.rect(surface, style.TEXT, box, border_radius=5)
            mark = words(face, 14, (*style.PANEL, 255), bold=True)
            surface.blit(mark, mark.get_rect(center=box.center))
            x += size + gap
        return y + size + 2 * style.STEP

    def _text(
        self,
        surface: pygame.Surface,
        text: str,
        size: int,
        colour: style.Colour,
        left: int,
        top: int,
        width: int,
        bold: bool = False,
    ) -> int:
        for line in wrapped(text, size, bold, width, 6):
            image = words(line, size, _rgba(colour), bold)
            surface.blit(image, (left, top))
            top += max(image.get_height(), size + 4)
        return top

    def _headline(self, surface: pygame.Surface, row: Row, left: int, y: int, width: int) -> int:
        lines = wrapped(row.text, 15, True, width - 52, 3)
        box = pygame.Rect(left, y, width, 22 * len(lines) + 20)
        fill, edge = (style.DARK_TEAL, style.TEAL) if row.good else (style.DARK_ORANGE, style.ORANGE)
        pygame.draw.rect(surface, fill, box, border_radius=style.RADIUS)
        pygame.draw.rect(surface, edge, box, 2, border_radius=style.RADIUS)
        x, middle = left + 22, box.centery
        if row.good:
            pygame.draw.lines(surface, edge, False, [(x - 6, middle), (x - 2, middle + 5), (x + 7, middle - 6)], 3)
        else:
            pygame.draw.line(surface, edge, (x - 5, middle - 5), (x + 5, middle + 5), 3)
            pygame.draw.line(surface, edge, (x - 5, middle + 5), (x + 5, middle - 5), 3)
        for k, line in enumerate(lines):
            surface.blit(words(line, 15, _rgba(style.TEXT), bold=True), (left + 40, y + 10 + 22 * k))
        return box.bottom + 3 * style.STEP

    def _model(self, surface: pygame.Surface, row: Row, left: int, y: int) -> int:
        colour = style.TEAL if row.good else style.ORANGE
        pygame.draw.circle(surface, colour, (left + 12, y + 11), 10, 2)
        mark = words(row.mark, 11, _rgba(style.TEXT), bold=True)
        surface.blit(mark, mark.get_rect(center=(left + 12, y + 11)))
        surface.blit(words(row.measure, 14, _rgba(style.TEXT), bold=True), (left + 34, y + 1))
        shade = style.DIM if row.good else style.ORANGE
        surface.blit(words(row.text, 13, _rgba(shade)), (left + 98, y + 2))
        return y + 26

    def _make_tools(self) -> None:
        columns = -(-len(TOOLS) // TOOL_ROWS)
        gap = 2 * style.STEP
        width = (self.area.width - 2 * PAD - gap * (columns - 1)) // columns
        for k, (name, title, hint) in enumerate(TOOLS):
            row, column = divmod(k, columns)
            left = self.area.left + PAD + column * (width + gap)
            rect = pygame.Rect(left, self._tool_top + row * (32 + gap), width, 32)
            button = UIButton(rect, title, self.manager, tool_tip_text=hint)
            self._tools[button] = name

    def _make_offers(self) -> None:
        for button in self._buttons:
            button.kill()
        self._buttons.clear()
        if self._list is not None:
            self._list.kill()
            self._list = None
        if not self._offers:
            return
        self._make_way_out()
        listed = [offer for offer in self._offers if not _leads_out(offer)]
        high = len(listed) * (OFFER_HEIGHT + 4)
        low = self._tool_top - 2 * style.STEP
        if len(listed) < len(self._offers):
            low -= OFFER_HEIGHT + 2 * style.STEP
        self._list_height = min(high, max(self._tool_top - self.area.top - WORDS_ROOM, 2 * OFFER_HEIGHT))
        self._list_top = low - self._list_height
        if not listed:
            return
        rect = pygame.Rect(self.area.left + PAD, self._list_top, self.area.width - 2 * PAD, self._list_height)
        self._list = UIScrollingContainer(rect, self.manager, allow_scroll_x=False)
        scrolls = high > self._list_height
        width = rect.width - (20 if scrolls else 0)
        self._list.set_scrollable_area_dimensions((width, high))
        for k, offer in enumerate(listed):
            place = pygame.Rect(0, k * (OFFER_HEIGHT + 4), width, OFFER_HEIGHT)
            same = [other for other in listed if other.title == offer.title]
            title = offer.title if len(same) == 1 else f"{offer.title} ({same.index(offer) + 1})"
            button = self._button(place, title, self._list)
            self._buttons[button] = offer

    def _make_way_out(self) -> None:
        """The button by which nothing happens, always in the same place: right above the tools."""
        for offer in self._offers:
            if _leads_out(offer):
                top = self._tool_top - OFFER_HEIGHT - 2 * style.STEP
                place = pygame.Rect(self.area.left + PAD, top, self.area.width - 2 * PAD, OFFER_HEIGHT)
                self._buttons[self._button(place, offer.title)] = offer

    def _button(self, place: pygame.Rect, title: str, within: UIScrollingContainer | None = None) -> UIButton:
        """A button of the list; a title that has no room is cut, and whole where the mouse rests on it."""
        button = UIButton(place, title, self.manager, container=within, object_id="#offer")
        font, room = button.font, place.width - 2 * BUTTON_EDGE
        assert font is not None
        if font.size(title)[0] <= room:
            return button
        button.kill()
        cuts = (f"{title[:k].rstrip()}…" for k in range(len(title), 0, -1))
        cut = next(cut for cut in cuts if font.size(cut)[0] <= room)
        return UIButton(place, cut, self.manager, container=within, object_id="#offer", tool_tip_text=title)

    def _clear(self) -> None:
        for button in (*self._tools, *self._buttons):
            button.kill()
        self._tools.clear()
        self._buttons.clear()
        if self._list is not None:
            self._list.kill()
            self._list = None


def _rgba(colour: style.Colour) -> tuple[int, int, int, int]:
    return (*colour, 255)


def _leads_out(offer: Offer) -> bool:
    """Whether a button means that nothing happens: a reaction declined, or the options left."""
    return offer.command == BACK or (offer.command == ANSWER and offer.unit == DECLINE)
