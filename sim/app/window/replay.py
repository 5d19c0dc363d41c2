"""Watching a battle: a line of time with a dot for every entry, and a handle to pull."""

from __future__ import annotations

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UIHorizontalSlider

from sim.app.window import style
from sim.render.fonts import words
from sim.view import Scene
from sim.view.timeline import Timeline

HEIGHT = 84


class Replay:
    """A timeline at a second, playing or still, with its widgets at the bottom of the window."""

    def __init__(self, timeline: Timeline, manager: pygame_gui.UIManager, area: pygame.Rect) -> None:
        self.timeline = timeline
        self.seconds = 0.0
        self.playing = True
        self.manager = manager
        self.place(area)

    def place(self, area: pygame.Rect) -> None:
        """Lay the widgets out anew."""
        if hasattr(self, "slider"):
            self.kill()
        self.area = area
        top = area.top + 40
        self.toggle = UIButton(pygame.Rect(area.left + 12, top, 90, 34), "Pause", self.manager)
        self.back = UIButton(pygame.Rect(area.right - 112, top, 100, 34), "Close", self.manager)
        self.take = UIButton(pygame.Rect(area.right - 262, top, 140, 34), "Play on from here", self.manager)
        track = pygame.Rect(area.left + 114, top, area.width - 114 - 274, 34)
        self.slider = UIHorizontalSlider(track, self.seconds, (0.0, self.timeline.duration), self.manager)

    def kill(self) -> None:
        """Take the widgets away."""
        for button in (self.toggle, self.back, self.take):
            button.kill()
        self.slider.kill()

    @property
    def entry(self) -> int:
        """The number of the entry that is on."""
        return self.timeline.entry_at(self.seconds)

    def seek(self, seconds: float) -> None:
        """Go to a second."""
        self.seconds = min(max(seconds, 0.0), self.timeline.duration)
        self.slider.set_current_value(self.seconds)

    def pulled(self, seconds: float) -> None:
        """The handle was pulled by hand: stand still there."""
        if abs(seconds - self.seconds) > 1e-6:
            self.seconds = min(max(seconds, 0.0), self.timeline.duration)
            self.play(False)

    def play(self, on: bool) -> None:
        """Run, or stand still; from the end it runs from the beginning."""
        if on and self.seconds >= self.timeline.duration:
            self.seek(0.0)
        self.playing = on
        self.toggle.set_text("Pause" if on else "Play")

    def advance(self, elapsed: float) -> None:
        """Time goes by."""
        if self.playing:
            self.seek(self.seconds + elapsed)
            if self.seconds >= self.timeline.duration:
                self.play(False)

    @property
    def scene(self) -> Scene:
        """The picture now."""
        return self.timeline.scene_at(self.seconds)

    def draw(self, surface: pygame.Surface) -> None:
        """The ground, the line of time with its dots, and where we are in words."""
        pygame.draw.rect(surface, style.PANEL, self.area, border_radius=style.RADIUS)
        left, width = self.area.left + 120, self.area.width - 120 - 286
        y = self.area.top + 22
        pygame.draw.line(surface, style.RAISED, (left, y), (left + width, y), 3)
        share = self.seconds / self.timeline.duration
        pygame.draw.line(surface, style.ORANGE, (left, y), (left + width * share, y), 3)
        for entry in range(1, len(self.timeline.record.entries) + 1):
            at = self.timeline.time_of(entry) / self.timeline.duration
            done = at <= share
            pygame.draw.circle(surface, style.ORANGE if done else style.FAINT, (left + width * at, y), 5)
        pygame.draw.circle(surface, style.TEXT, (left + width * share, y), 8)
        text = f"{self.seconds:5.1f} / {self.timeline.duration:.1f} s"
        surface.blit(words(text, 12, (*style.DIM, 255)), (self.area.left + 14, y - 8))
        count = len(self.timeline.record.entries)
        where = words(f"entry {self.entry} of {count}", 12, (*style.DIM, 255))
        surface.blit(where, where.get_rect(midright=(self.area.right - 14, y)))
