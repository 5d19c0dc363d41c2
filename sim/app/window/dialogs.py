"""Boxes over the table: which file, may it be replaced, and what went wrong."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.elements import UIWindow
from pygame_gui.windows import UIConfirmationDialog, UIMessageWindow

from sim.app.window.file_box import FileBox
from sim.render.fonts import broken

ENDINGS = {
    "save": (".jsonl",),
    "clip": (".mp4", ".webm", ".gif", ".webp", ".apng"),
    "picture": (".png", ".svg"),
    "open": (".toml", ".jsonl", ".journal", ".txt"),
}
TITLES = {"save": "Save battle", "open": "Open", "clip": "Save clip", "picture": "Save picture"}
PROPOSED = {"save": "battle.jsonl", "clip": "battle.mp4", "picture": "table.png", "open": ""}
SIZE = (760, 560)
WORDS = 14  # pixels of the words in a box
INSIDE = 90  # pixels of a box that are beside its words
ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)


class Dialogs:
    """At most one box at a time; ``finish`` is called with a tool and the file that was settled for it.

    A box tells its answer one round after it has gone, so it is remembered until the next one takes its place.
    """

    def __init__(self, manager: pygame_gui.UIManager, area: pygame.Rect, finish: Callable[[str, Path], None]) -> None:
        self.manager, self.area, self.finish = manager, area, finish
        self._file: tuple[str, FileBox] | None = None
        self._question: tuple[str, Path, UIConfirmationDialog] | None = None
        self._box: UIMessageWindow | None = None

    @property
    def open(self) -> bool:
        """Whether a box waits for an answer."""
        boxes = (self._file and self._file[1], self._question and self._question[2], self._box)
        return any(_waits(box) for box in boxes)

    def button_of(self, name: str) -> pygame.Rect | None:
        """Where the button that accepts (``ok``) or calls off (``cancel``) the open box is in the window."""
        if self._box is not None and _waits(self._box):
            button = self._box.dismiss_button
        elif self._question is not None and _waits(self._question[2]):
            box = self._question[2]
            button = box.confirm_button if name == "ok" else box.cancel_button
        elif self._file is not None and _waits(self._file[1]):
            dialog = self._file[1]
            button = dialog.ok_button if name == "ok" else dialog.cancel_button
        else:
            return None
        return None if button is None else pygame.Rect(button.rect)

    def ask(self, tool: str) -> None:
        """Ask for the file of a tool."""
        if self.open:
            return
        size = (min(SIZE[0], self.area.width - 40), min(SIZE[1], self.area.height - 40))
        dialog = FileBox(self._centred(*size), self.manager, TITLES[tool], ENDINGS[tool], PROPOSED[tool])
        self._file = (tool, dialog)

    def say(self, what: str) -> None:
        """Say what went wrong; the words stand as they are, whatever a file or its name has in them."""
        self._box = UIMessageWindow(
            self._centred(480, 220), _laid_out(what, 480), self.manager, window_title="That did not work"
        )
        self._box.set_blocking(True)

    def handle(self, event: pygame.event.Event) -> bool:
        """Let an event take effect on the box that is open; True when it is no business of anybody else."""
        if event.type == pygame_gui.UI_FILE_DIALOG_PATH_PICKED:
            if self._file is not None and event.ui_element is self._file[1]:
                self.choose(self._file[0], event.text)
        elif event.type == pygame_gui.UI_CONFIRMATION_DIALOG_CONFIRMED:
            if self._question is not None and event.ui_element is self._question[2]:
                self.finish(*self._question[:2])
        elif event.type == pygame.KEYDOWN and self.open:
            self._key(event.key)
            return True
        return self.open

    def choose(self, tool: str, typed: str) -> None:
        """A file was named for a tool: its ending is put right, and what is there is not lost without a question."""
        if not typed or typed.endswith("/"):
            self.say("No file was named.")
            return
        path = Path(typed).expanduser()
        if tool != "open" and path.suffix.lower() not in ENDINGS[tool]:
            path = path.with_name(path.name + ENDINGS[tool][0])
        if tool == "open" or not path.exists():
            self.finish(tool, path)
            return
        what = _laid_out(f"{path.name} is there already. Put the new one in its place?", 440)
        box = UIConfirmationDialog(
            self._centred(440, 210), what, self.manager, window_title="Replace?", action_short_name="Replace"
        )
        self._question = (tool, path, box)

    def _key(self, key: int) -> None:
        """Enter accepts, Escape closes."""
        if key not in (pygame.K_ESCAPE, *ENTER):
            return
        if self._box is not None and _waits(self._box):
            self._box.kill()
        elif self._question is not None and _waits(self._question[2]):
            tool, path, box = self._question
            box.kill()
            if key in ENTER:
                self.finish(tool, path)
        elif self._file is not None and _waits(self._file[1]):
            tool, dialog = self._file
            named = dialog.settled() if key in ENTER else None
            if key == pygame.K_ESCAPE or named is not None:
                dialog.kill()  # type: ignore[no-untyped-call]
            if named is not None:
                self.choose(tool, str(named))

    def _centred(self, width: int, height: int) -> pygame.Rect:
        box = pygame.Rect(0, 0, width, height)
        box.center = self.area.center
        return box


def _laid_out(what: str, wide: int) -> str:
    """Words for a box so many pixels wide, as they stand: nothing in them is markup, and no word is too long for it."""
    return "<br>".join(html.escape(line, quote=False) for line in broken(what, WORDS, wide - INSIDE))


def _waits(box: UIWindow | None) -> bool:
    """Whether a box is still on the screen."""
    return box is not None and bool(box.alive())
