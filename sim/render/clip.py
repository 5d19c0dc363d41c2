"""How does a row of pictures become a clip? MP4, WebM, GIF and what else the installed video library can write.

A clip is written beside its place and moved there when it is whole: whatever goes wrong, nothing half stays behind. A
picture that stands still is given once with the number of frames it is held for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import pygame

from sim.render.encoders import FORMATS, ClipError, Sink, opened, supported
from sim.view import sizes
from sim.writing import written

Size = tuple[int, int]
Progress = Callable[[int, int], object]

FASTEST = 240  # frames a second


class ClipCancelledError(ClipError):
    """The one who watched the progress wanted no more of it; nothing was written."""


def endings() -> tuple[str, ...]:
    """The endings of file names that a clip can have here: what the project knows and the video library can write."""
    return tuple(ending for ending in FORMATS if supported(ending))


def write_clip(
    frames: Iterable[pygame.Surface | tuple[pygame.Surface, int]],
    path: Path | str,
    size: Size,
    fps: int,
    progress: Progress | None = None,
    total: int | None = None,
) -> int:
    """Write the pictures as a clip and return its length in frames.

    ``frames`` holds surfaces of ``size``, or pairs of a surface and the number of frames that it is held for; one
    surface may be painted and given again and again. ``progress`` is called with the frames done and the total (0 when
    nobody knows it) and cancels by answering False.

    Raises
    ------
    ClipError
        When the ending, size or rate cannot be written, there is no frame, or one has another size.
    ClipCancelledError
        When ``progress`` said so.
    """
    if total is None:
        total = len(frames) if isinstance(frames, Sized) else 0
    with ClipWriter(path, size, fps) as writer:
        for frame in frames:
            surface, held = frame if isinstance(frame, tuple) else (frame, 1)
            writer.write(surface, held)
            if progress is not None and progress(writer.length, max(total, writer.length) if total else 0) is False:
                raise ClipCancelledError(f"{path}: cancelled after {writer.length} frames")
    return writer.length


class ClipWriter:
    """A clip being written: use it in a ``with`` block, and the file is there when the block ends well.

    Raises
    ------
    ClipError
        On opening, when the ending, the size or the rate cannot be written.
    """

    def __init__(self, path: Path | str, size: Size, fps: int) -> None:
        self.path = Path(path)
        self.size = size
        self.fps = fps
        self.length = 0  # frames so far, held ones counted as long as they are held
        _check(self.path, size, fps)
        self._open = ExitStack()  # what ends with the clip: its sink, then the file beside its place
        self._sink: Sink | None = None

    def __enter__(self) -> ClipWriter:
        with ExitStack() as stack:
            beside = stack.enter_context(written(self.path))
            self._sink = opened(beside, self.path.suffix.lower(), self.size, self.fps)
            stack.callback(self._sink.abandon)
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sink, self._sink = self._sink, None
        assert sink is not None
        with self._open:
            if error is not None:
                raise error
            if self.length == 0:
                raise ClipError(f"{self.path}: a clip needs at least one frame")
            sink.finish()

    def write(self, surface: pygame.Surface, held: int = 1) -> None:
        """Add a picture that is seen for ``held`` frames."""
        if self._sink is None:
            raise ClipError(f"{self.path}: frames are written inside the with block of the clip")
        if surface.get_size() != self.size:
            w, h = surface.get_size()
            raise ClipError(
                f"{self.path}: frame {self.length} has {w}x{h} pixels, expected {self.size[0]}x{self.size[1]}"
            )
        if held < 1:
            raise ClipError(f"{self.path}: a picture is held for at least 1 frame, got {held}")
        self._sink.put(surface, range(self.length, self.length + held))
        self.length += held


def _check(path: Path, size: Size, fps: int) -> None:
    """Refuse what cannot become a clip before anything is painted."""
    ending = path.suffix.lower()
    if ending not in FORMATS or not supported(ending):
        here = ", ".join(endings())
        raise ClipError(f"{path}: no clip ends in {ending or 'nothing'!r}: expected one of {here}")
    w, h = size
    if why := sizes.refused(w, h):
        raise ClipError(why)
    form = FORMATS[ending]
    if form.even and (w % 2 or h % 2):
        raise ClipError(f"size {w}x{h}: {ending} needs even numbers of pixels, as {w + w % 2}x{h + h % 2} has")
    fastest = min(form.fastest, FASTEST)
    if not 1 <= fps <= fastest:
        raise ClipError(f"{fps} frames a second: expected from 1 to {fastest} for {ending}")
    if not path.parent.is_dir():
        raise ClipError(f"{path}: there is no folder {path.parent}")
