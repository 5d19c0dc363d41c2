"""Filming in the background: the window goes on, shows how far it is, and can call it off."""

from __future__ import annotations

import threading
from pathlib import Path

from sim.app.films import film, timeline_of
from sim.record import Record


class Stopped(Exception):
    """Somebody called the export off."""


class Export:
    """A clip being written by a worker; ``progress`` runs from 0 to 1, ``message`` says how it ended."""

    def __init__(self, record: Record, output: Path, size: tuple[int, int], fps: int, theme: str) -> None:
        self.output = output
        self.progress = 0.0
        self.message = ""
        self._stop = threading.Event()
        self._arguments = (record, size, fps, theme)
        self._worker = threading.Thread(target=self._run, daemon=True)
        self._worker.start()

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self._worker.is_alive()

    def stop(self) -> None:
        """Call it off; nothing is left on the disk."""
        self._stop.set()

    def join(self, seconds: float | None = None) -> None:
        """Wait until it has ended."""
        self._worker.join(seconds)

    def _run(self) -> None:
        record, size, fps, theme = self._arguments
        try:
            whole = timeline_of(record)
            film(whole, str(self.output), size, fps, theme, 0.0, whole.duration, self._report)
        except Stopped:
            self.message = "The clip was called off; nothing was written."
        except OSError as error:
            self.message = f"The clip could not be written to {self.output}: {error.strerror or error}"
        except ValueError as error:
            self.message = f"The clip could not be written: {error}"
        else:
            self.message = f"Clip written: {self.output}"

    def _report(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise Stopped
        self.progress = done / total if total else 1.0
