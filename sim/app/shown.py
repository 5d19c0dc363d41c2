"""What reaches a terminal: text that prints, whatever the files say that it comes from."""

from __future__ import annotations

from typing import Any, TextIO

from sim.reading import printable


class Shown:
    """A stream of text that writes an escape for whatever would steer a terminal; lines stay lines."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; raises ``TypeError`` for bytes, as streams of text do."""
        if not isinstance(text, str):
            raise TypeError(f"expected text, got {type(text).__name__}")
        self.stream.write("\n".join(map(printable, text.split("\n"))))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def unfiltered(stream: Any) -> TextIO:
    """The stream itself, for bars and tables that steer the terminal on purpose."""
    found: TextIO = stream.stream if isinstance(stream, Shown) else stream
    return found
