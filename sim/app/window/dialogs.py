"""Boxes over the table: which file, may it be replaced, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.windows import UIConfirmationDialog, UIFileDialog, UIMessageWindow

ENDINGS = {
    "save": (".jsonl",),
    "clip": (".mp4", ".webm", ".gif", ".webp", ".apng"),
    "picture": (".png",),
    "open": (".toml", ".jsonl"),
}
TITLES = {"save": "Save battle", "open": "Open", "clip": "Save clip", "picture": "Save picture"}
PROPOSED = {"save": "battle.jsonl", "clip": "battle.mp4", "picture": "table.png", "open": ""}
SIZE = (760, 560)
ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)


class Dialogs:
    """At most one box at a time; ``finish`` is called with a tool and the file that was settled for it."""

    def __init__(self, manager: pygame_gui.UIManager, area: pygame.Rect, finish: Callable[[str, Path], None]) -> None:
        self.manager, self.area, self.finish = manager, area, finish
        self._file: tuple[str, UIFileDialog] | None = None
        self._question: tuple[str, Path, UIConfirmationDialog] | None = None
        self._box: UIMessageWindow | None = None

    @property
    def open(self) -> bool:
        """Whether a box waits for an answer."""
        if self._file is not None and not self._file[1].alive():
            self._file = None
        if self._question is not None and not self._question[2].alive():
            self._question = None
        if self._box is not None and not self._box.alive():
            self._box = None
        return self._file is not None or self._question is not None or self._box is not None

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
        self._file = (tool, dialog)

    def say(self, what: str) -> None:
        """Say what went wrong."""
        self._box = UIMessageWindow(self._centred(480, 220), what, self.manager, window_title="That did not work")
        self._box.set_blocking(True)

    def handle(self, event: pygame.event.Event) -> bool:
        """Let an event take effect on the box that is open; True when it is no business of anybody else."""
        if event.type == pygame_gui.UI_FILE_DIALOG_PATH_PICKED and self._file is not None:
            tool, _ = self._file
            self._file = None
            self.choose(tool, event.text)
        elif event.type == pygame_gui.UI_CONFIRMATION_DIALOG_CONFIRMED and self._question is not None:
            tool, path, _ = self._question
            self._question = None
            self.finish(tool, path)
        elif event.type == pygame_gui.UI_WINDOW_CLOSE:
            self._closed(event.ui_element)
        elif event.type == pygame.KEYDOWN and self.open:
            self._key(event.key)
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

    def _closed(self, element: object) -> None:
        if self._file is not None and element is self._file[1]:
            self._file = None
        if self._question is not None and element is self._question[2]:
            self._question = None
        if element is self._box:
            self._box = None

    def _key(self, key: int) -> None:
        """Enter accepts, Escape closes."""
        if key not in (pygame.K_ESCAPE, *ENTER):
            return
        if self._box is not None:
            self._box.kill()
            self._box = None
        elif self._question is not None:
            tool, path, box = self._question
            self._question = None
            box.kill()
            if key in ENTER:
                self.finish(tool, path)
        elif self._file is not None:
            tool, dialog = self._file
            typed = dialog.file_path_text_line.get_text().strip()
            self._file = None
            dialog.kill()
            if key in ENTER:
                self.choose(tool, typed)

    def _centred(self, width: int, height: int) -> pygame.Rect:
        box = pygame.Rect(0, 0, width, height)
        box.center = self.area.center
        return box
