"""Watching a battle: a line of time that is pressed or pulled at, with a dot for every entry, told under the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pygame
import pygame_gui
from pygame_gui.elements import UIButton

from sim.app.window import style
from sim.battle import Clock
from sim.render.fonts import shortened, words
from sim.view import Scene
from sim.view.timeline import Timeline

HEIGHT = 84
LINE = 24  # pixels from the top of the area to the line of time
REACH = 14  # pixels beside the line at which it is still meant
DOT = 6  # pixels beside a dot at which it is meant
LEFT, RIGHT = 120, 120  # pixels beside the line, for the time and the number of the entry
SIZE = 12  # of words


class Watched(Protocol):
    """A film with entries: a record's, or a storyboard's shots."""

    noun: str  # what one of them is called

    @property
    def duration(self) -> float:
        """Seconds from the first picture to the last."""
        ...

    @property
    def times(self) -> Sequence[float]:
        """The second of each entry's dot, in order."""
        ...

    def scene_at(self, seconds: float) -> Scene:
        """The picture at a time."""
        ...

    def entry_at(self, seconds: float) -> int:
        """The number of the entry that is on at a time, from 1; 0 before the first."""
        ...

    def clock_at(self, seconds: float) -> Clock:
        """The battle's clock at a time."""
        ...

    def told(self, entry: int) -> str:
        """What an entry came to, in words."""
        ...


class Replay:
    """A film at a second, playing or still, with its line of time and buttons at the bottom of the window."""

    def __init__(self, film: Watched, manager: pygame_gui.UIManager, area: pygame.Rect) -> None:
        self.film = film
        self.seconds = 0.0
        self.playing = True
        self.manager = manager
        self.told = ""  # the sentence of the entry under the mouse
        self._pulling = False
        self._buttons: list[UIButton] = []
        self.place(area)

    def place(self, area: pygame.Rect) -> None:
        """Lay the widgets out anew."""
        self.kill()
        self.area = area
        top = area.top + 42
        self.toggle = UIButton(pygame.Rect(area.left + 12, top, 90, 34), "", self.manager)
        self.back = UIButton(pygame.Rect(area.right - 92, top, 80, 34), "Close", self.manager)
        self.take: UIButton | None = None
        if isinstance(self.film, Timeline):  # a storyboard is no battle to go on from
            self.take = UIButton(pygame.Rect(area.right - 242, top, 140, 34), "Play on from here", self.manager)
        self._buttons = [button for button in (self.toggle, self.back, self.take) if button is not None]
        self.play(self.playing)

    def kill(self) -> None:
        """Take the widgets away."""
        for button in self._buttons:
            button.kill()
        self._buttons = []

    @property
    def line(self) -> pygame.Rect:
        """Where in the window the line of time is."""
        return pygame.Rect(self.area.left + LEFT, self.area.top + LINE - 1, self.area.width - LEFT - RIGHT, 3)

    @property
    def entry(self) -> int:
        """The number of the entry that is on."""
        return self.film.entry_at(self.seconds)

    @property
    def where(self) -> str:
        """Which entry is on, of how many."""
        return f"{self.film.noun} {self.entry} of {len(self.film.times)}"

    def seek(self, seconds: float) -> None:
        """Go to a second."""
        self.seconds = min(max(seconds, 0.0), self.film.duration)

    def play(self, on: bool) -> None:
        """Run, or stand still; from the end it runs from the beginning."""
        if on and self.seconds >= self.film.duration:
            self.seek(0.0)
        self.playing = on
        self.toggle.set_text("Pause" if on else "Play")

    def advance(self, elapsed: float) -> None:
        """Time goes by."""
        if self.playing:
            self.seek(self.seconds + elapsed)
            if self.seconds >= self.film.duration:
                self.play(False)

    @property
    def scene(self) -> Scene:
        """The picture now."""
        return self.film.scene_at(self.seconds)

    # ---- the mouse

    def handle(self, event: pygame.event.Event) -> bool:
        """Let the mouse take effect on the line of time: pressed or pulled at, it stands still there."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and self._meant(event.pos):
                self._pulling = True
                self._pulled(event.pos[0])
            case pygame.MOUSEMOTION if self._pulling:
                self._pulled(event.pos[0])
            case pygame.MOUSEMOTION:
                before = self.told
                self.told = self._words_at(event.pos[0]) if self._meant(event.pos) else ""
                return self.told != before
            case pygame.MOUSEBUTTONUP if event.button == 1 and self._pulling:
                self._pulling = False
            case _:
                return False
        return True

    def _meant(self, at: tuple[int, int]) -> bool:
        return bool(self.line.inflate(2 * DOT, 2 * REACH).collidepoint(at))

    def _pulled(self, x: int) -> None:
        near = self._dot_at(x)
        self.seek(self._second(x) if near is None else self.film.times[near - 1])
        self.play(False)
        self.told = self._words_at(x)

    def _second(self, x: int) -> float:
        return (x - self.line.left) / max(1, self.line.width) * self.film.duration

    def _x(self, seconds: float) -> float:
        return self.line.left + self.line.width * seconds / self.film.duration

    def _dot_at(self, x: int) -> int | None:
        """The number of the entry whose dot is under the mouse."""
        if not self.film.times:
            return None
        at, entry = min((abs(self._x(second) - x), entry) for entry, second in enumerate(self.film.times, 1))
        return entry if at <= DOT else None

    def _words_at(self, x: int) -> str:
        entry = self._dot_at(x) or self.film.entry_at(self._second(x))
        return f"{self.film.noun} {entry}: {self.film.told(entry)}" if entry else ""

    # ---- what is seen

    def draw(self, surface: pygame.Surface) -> None:
        """The ground, the line of time with its dots, where we are in words, and what is under the mouse."""
        pygame.draw.rect(surface, style.PANEL, self.area, border_radius=style.RADIUS)
        line, y = self.line, self.area.top + LINE
        now = self._x(self.seconds)
        pygame.draw.line(surface, style.RAISED, (line.left, y), (line.right, y), 3)
        pygame.draw.line(surface, style.ORANGE, (line.left, y), (now, y), 3)
        for second in self.film.times:
            at = self._x(second)
            pygame.draw.circle(surface, style.ORANGE if at <= now else style.FAINT, (at, y), 5)
        pygame.draw.circle(surface, style.TEXT, (now, y), 8)
        text = words(f"{self.seconds:5.1f} / {self.film.duration:.1f} s", SIZE, (*style.DIM, 255))
        surface.blit(text, text.get_rect(midleft=(self.area.left + 14, y)))
        where = words(self.where, SIZE, (*style.DIM, 255))
        surface.blit(where, where.get_rect(midright=(self.area.right - 14, y)))
        if self.told:
            left, right = self.toggle.rect.right + 12, min(button.rect.left for button in self._buttons[1:]) - 12
            told = words(shortened(self.told, SIZE, False, right - left), SIZE, (*style.TEXT, 255))
            surface.blit(told, told.get_rect(midleft=(left, self.toggle.rect.centery)))
