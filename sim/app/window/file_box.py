"""A box that asks for a file: what stands in its line is what OK and Enter take, typed or picked."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.elements import UISelectionList
from pygame_gui.windows import UIFileDialog


class FileBox(UIFileDialog):
    """The file box of pygame_gui, led by its line of text alone: what is pressed in the list is written there."""

    def __init__(
        self, area: pygame.Rect, manager: pygame_gui.UIManager, title: str, endings: Collection[str], name: str
    ) -> None:
        """Ask for a file with one of the endings; ``name`` is proposed, empty for a file that is there already."""
        super().__init__(
            area,
            manager,
            window_title=title,
            allowed_suffixes=set(endings),
            initial_file_path=str(Path.cwd() / name),
            allow_existing_files_only=False,
            allow_picking_directories=False,
        )
        self.delete_button.hide()  # a box that asks for a name takes no files away
        if not name:
            self._show_folder(Path.cwd())
        manager.set_focus_set(self.file_path_text_line)

    @property
    def folder(self) -> Path:
        """The folder whose files are listed."""
        return Path(self.current_directory_path)

    def settled(self) -> Path | None:
        """The file that stands in the line; None for a folder, which then is shown, and where nothing is named."""
        typed = self.file_path_text_line.get_text().strip()
        path = named(typed, self.folder)
        if path is None or path.is_dir():
            self._change_directory_path(self.folder if path is None else path)
            return None
        return path

    def process_event(self, event: pygame.event.Event) -> bool:
        """Let an event take effect; a name that is typed has neither to be there nor to be in the list."""
        handled = bool(super().process_event(event))
        if not self.ok_button.is_enabled:
            self.ok_button.enable()
        return handled

    def _process_ok_cancel_events(self, event: pygame.event.Event) -> None:
        if event.type != pygame_gui.UI_BUTTON_PRESSED:
            return
        if event.ui_element == self.cancel_button:
            self.kill()  # type: ignore[no-untyped-call]
        elif event.ui_element == self.ok_button and (path := self.settled()) is not None:
            self.kill()  # type: ignore[no-untyped-call]
            told = {"text": str(path), "ui_element": self, "ui_object_id": self.most_specific_combined_id}
            pygame.event.post(pygame.event.Event(pygame_gui.UI_FILE_DIALOG_PATH_PICKED, told))

    def _process_file_path_entry_events(self, event: pygame.event.Event) -> None:
        """Typing changes the line and nothing else."""

    def _process_file_list_events(self, event: pygame.event.Event) -> None:
        kinds = (pygame_gui.UI_SELECTION_LIST_NEW_SELECTION, pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION)
        if event.type not in kinds or event.ui_element is not self.file_selection_list:
            return
        picked = self.folder / event.text
        if not picked.is_dir():
            self.file_path_text_line.set_text(str(picked))
        elif event.type == pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION:
            self._change_directory_path(picked)
        else:
            self._write_folder(picked)

    def _change_directory_path(self, new_directory_path: Path) -> None:
        """Show another folder; a name that was proposed goes along."""
        kept = None if self.current_file_path is None else self.current_file_path.name
        if not new_directory_path.is_dir():
            return
        self.current_directory_path = str(new_directory_path.resolve())
        self.update_current_file_list()  # which goes back to the folder before, where this one cannot be read
        lists: UISelectionList = self.file_selection_list
        lists.set_item_list(self.current_file_list)
        if kept is None:
            self._write_folder(self.folder)
        else:
            self.file_path_text_line.set_text(str(self.folder / kept))

    def _show_folder(self, folder: Path) -> None:
        self.current_file_path = None
        self._change_directory_path(folder)

    def _write_folder(self, folder: Path) -> None:
        """A folder in the line, so that a name can be typed behind it."""
        text = str(folder)
        self.file_path_text_line.set_text(text if text.endswith("/") else f"{text}/")


def named(typed: str, folder: Path) -> Path | None:
    """The file that is meant by what stands in the line, None where none is named.

    A bare name is looked for in the folder that is shown; a whole path may be typed behind the folder that stood there.
    """
    for whole in ("//", "/~/"):
        before, found, behind = typed.rpartition(whole)
        if found and before:
            later = Path(whole[1:] + behind).expanduser()
            if later.exists() or (later.parent != Path(later.anchor) and later.parent.is_dir()):
                return later
    if not typed:
        return None
    return folder / Path(typed).expanduser()
