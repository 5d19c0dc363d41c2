"""Somebody at a real window: looks at what is told of it, moves the mouse, presses buttons and keys."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.py")
SECONDS = 40.0


class Person:
    """Somebody at the window: looks at its state, moves the mouse, presses."""

    def __init__(self, process: subprocess.Popen[bytes], state: Path, mouse: Callable[..., None] | None) -> None:
        self.process, self.state, self.mouse = process, state, mouse

    def look(self) -> dict[str, Any]:
        return json.loads(self.state.read_text()) if self.state.exists() else {}

    def until(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        seen: dict[str, Any] = {}
        while time.monotonic() < end:
            assert self.process.poll() is None, "the window is gone"
            seen = self.look()
            if seen and what(seen):
                return seen
            time.sleep(0.03)
        raise AssertionError(f"never seen; last: {seen}")

    def at(self, inches: tuple[float, float]) -> tuple[int, int]:
        seen = self.look()
        x, y = seen["corner"]
        return (round(x + inches[0] * seen["scale"]), round(y - inches[1] * seen["scale"]))

    def _post(self, *words: object) -> None:
        with self.state.with_suffix(".events").open("a") as file:
            file.write(" ".join(map(str, words)) + "\n")

    def move(self, x: int, y: int) -> None:
        if self.mouse is not None:
            self.mouse("mousemove", x, y)
        else:
            self._post("move", x, y)

    def press(self, x: int, y: int) -> None:
        self.move(x, y)
        time.sleep(0.1)
        if self.mouse is not None:
            self.mouse("mousedown", 1)
            time.sleep(0.05)
            self.mouse("mouseup", 1)
        else:
            self._post("down", x, y)
            self._post("up", x, y)

    def key(self, name: str) -> None:
        if self.mouse is not None:
            self.mouse("key", name)
        else:
            self._post("key", name.lower())

    def write(self, text: str) -> None:
        """Type words on the keyboard."""
        if self.mouse is not None:
            self.mouse("type", "--delay", 20, text)
        else:
            self._post("type", text)

    def tool(self, name: str) -> None:
        """Press a tool of the panel."""
        self.press(*self.until(lambda seen: seen["buttons"][name] is not None)["buttons"][name])

    def box(self, name: str) -> None:
        """Press a button of the box that is open, which then is gone."""
        before = self.until(lambda seen: seen["boxes"][name] is not None)["boxes"]
        self.press(*before[name])
        self.until(lambda seen: seen["boxes"] != before)
