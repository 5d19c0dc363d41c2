"""Somebody at a window of this process, for tests: presses with the mouse and the keys, and nothing else."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from sim.app.games import rulesets
from sim.app.window.held import Held
from sim.app.window.session import Session
from sim.app.window.window import Window
from sim.battle import Battle
from sim.chance import ScriptedDice
from sim.geometry import Placed, Point


class Hand:
    """A person at a window of this process: presses with the mouse, and nothing else."""

    def __init__(self, start: Battle, *faces: int | float | str) -> None:
        self.dice = ScriptedDice(faces)
        self.session = Session(rulesets()[start.ruleset], start, self.dice)
        self.window = Window(self.session, (1600, 1000))
        self.window.step()

    def click(self, at: tuple[int, int]) -> None:
        pygame.mouse.set_pos(at)
        for kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            extra = {"rel": (1, 1), "buttons": (0, 0, 0)} if kind == pygame.MOUSEMOTION else {"button": 1}
            pygame.event.post(pygame.event.Event(kind, pos=at, **extra))
            self.window.step()
        self.window.step()

    def press(self, command: str, unit: str = "") -> None:
        """Press the button of an offer, an option, or a tool."""
        for offer, at in self.window.panel.in_sight:
            if offer.command == command and unit in (offer.unit, ""):
                self.click(at)
                return
        tool = self.window.panel.button_of(command)
        assert tool is not None, f"no button for {command} {unit}; there are {self.window.panel.in_sight}"
        self.click(tool.center)

    def point(self, at: Point) -> None:
        """Click on a spot of the table."""
        self.click(self.window.pixel(at))

    def move(self, at: Point) -> None:
        """Lead what is in hand over a spot of the table."""
        pixel = self.window.pixel(at)
        pygame.mouse.set_pos(pixel)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=(1, 1), buttons=(0, 0, 0)))
        self.window.step()

    def key(self, *codes: int) -> None:
        """Press keys, one after another."""
        for code in codes:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode="", scancode=0))
            self.window.step()

    @property
    def held(self) -> Held:
        """What is in hand."""
        assert self.session.held is not None, "nothing is in hand"
        return self.session.held

    @property
    def placed(self) -> tuple[Placed, ...]:
        """The bases of what is in hand, where they are shown."""
        poses = self.session.poses_held(self.held)
        return tuple(Placed(model.base, pose) for model, pose in zip(self.held.unit.models, poses, strict=True))

    @property
    def battle(self) -> Battle:
        return self.session.battle

    @property
    def buttons(self) -> list[str]:
        return [offer.title for offer, _ in self.window.panel.in_sight if offer.command != "back"]

    @property
    def text(self) -> str:
        return self.window.panel.text
