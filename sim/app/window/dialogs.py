"""Boxes over the table: which file, may it be replaced, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.elements import UIWindow
from pygame_gui.windows import UIConfirmationDialog, UIFileDialog, UIMessageWindow

ENDINGS = {
    "save": (".jsonl",),
    "clip": (".mp4", ".webm", ".gif", ".webp", ".apng"),
    "picture": (".png", ".svg"),
    "open": (".toml", ".jsonl"),
}
TITLES = {"save": "Save battle", "open": "Open", "clip": "Save clip", "picture": "Save picture"}
PROPOSED = {"save": "battle.jsonl", "clip": "battle.mp4", "picture": "table.png", "open": ""}
SIZE = (760, 560)
ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)


class Dialogs:
    """At most one box at a time; ``finish`` is called with a tool and the file that was settled for it.

    A box tells its answer one round after it has gone, so it is remembered until the next one takes its place.
    """

    def __init__(self, manager: pygame_gui.UIManager, area: pygame.Rect, finish: Callable[[str, Path], None]) -> None:
        self.manager, self.area, self.finish = manager, area, finish
        self._file: tuple[str, UIFileDialog] | None = None
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
        name = PROPOSED[tool]
        dialog = UIFileDialog(
            self._centred(min(SIZE[0], self.area.width - 40), min(SIZE[1], self.area.height - 40)),
            self.manager,
            window_title=TITLES[tool],
            allowed_suffixes=set(ENDINGS[tool]),
            initial_file_path=str(Path.cwd() / name) if name else str(Path.cwd()),
            allow_existing_files_only=tool == "open",
            allow_picking_directories=False,
        )
        dialog.delete_button.hide()  # a box that asks for a name takes no files away
        self.manager.set_focus_set(dialog.file_path_text_line)
        self._file = (tool, dialog)

    def say(self, what: str) -> None:
        """Say what went wrong."""
        self._box = UIMessageWindow(self._centred(480, 220), what, self.manager, window_title="That did not work")
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
        cwd = str(Path.cwd())
        if typed.startswith(f"{cwd}//"):
            typed = typed[len(cwd) + 1 :]  # a whole path typed behind the folder that stood there
        if not typed or typed.endswith("/"):
            self.say("No file was named.")
            return
        path = Path(typed).expanduser()
        if tool != "open" and path.suffix.lower() not in ENDINGS[tool]:
            path = path.with_name(path.name + ENDINGS[tool][0])
        if tool == "open" or not path.exists():
            self.finish(tool, path)
            return
        what = f"{path.name} is there already. Put the new one in its place?"
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
            typed = dialog.file_path_text_line.get_text().strip()
            dialog.kill()
            if key in ENTER:
                self.choose(tool, typed)

    def _centred(self, width: int, height: int) -> pygame.Rect:
        box = pygame.Rect(0, 0, width, height)
        box.center = self.area.center
        return box


def _waits(box: UIWindow | None) -> bool:
    """Whether a box is still on the screen."""
    return box is not None and bool(box.alive())
