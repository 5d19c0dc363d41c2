"""Work that takes longer than a frame: done beside the window, looked at each round, given up when nobody waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Work(Generic[T]):
    """One question being worked out by a thread of its own; its answer, or its fault, is taken by ``answer``."""

    def __init__(self, question: Callable[[], T]) -> None:
        self._question = question
        self._found: list[T] = []
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is still being worked out."""
        return self._thread.is_alive()

    @property
    def answer(self) -> T:
        """What was found; waits for it, and raises what went wrong on the way."""
        self._thread.join()
        if self._fault is not None:
            raise self._fault
        return self._found[0]

    def _run(self) -> None:
        try:
            self._found.append(self._question())
        except Exception as fault:
            self._fault = fault  # raised again where the answer is taken
