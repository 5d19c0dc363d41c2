"""How do pictures reach the video library? One frame in memory, filled with each picture, and encoders by ending.

The bytes of a surface are copied plane by plane into one frame that is used again and again. A GIF needs a palette of
the whole clip before its first frame: the pictures wait in a lossless file meanwhile, so that a long clip does not fill
the memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import av.error
import av.filter
import numpy as np
import pygame
from av.container import OutputContainer
from av.video.format import VideoFormat
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange, Colorspace, VideoReformatter
from av.video.stream import VideoStream

Size = tuple[int, int]
Options = Mapping[str, str]

BT709 = 1  # the number of the colours of high definition in every codec
RAW = "bgr0"  # how the bytes of a surface lie


class ClipError(ValueError):
    """A clip that cannot be written; the text says what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Format:
    """How a clip with an ending is written: container, encoder, kind of pixels, and their options."""

    container: str
    codec: str
    pixels: str
    options: Options = field(default_factory=dict)
    muxing: Options = field(default_factory=dict)
    even: bool = False  # whether width and height must be even
    fastest: int = 240  # frames a second that the container can tell apart


FORMATS: Mapping[str, Format] = {
    ".mp4": Format(
        "mp4", "libx264", "yuv420p", {"preset": "veryfast", "crf": "20", "bf": "0"},
        {"movflags": "+faststart"}, even=True,
    ),
    ".webm": Format(
        "webm", "libvpx-vp9", "yuv420p",
        {"deadline": "realtime", "cpu-used": "8", "row-mt": "1", "tile-columns": "1", "crf": "30", "b": "0"}, even=True,
    ),
    ".gif": Format("gif", "gif", "pal8", fastest=50),
    ".webp": Format("webp", "libwebp_anim", "yuv420p", {"quality": "80"}, {"loop": "0"}, even=True, fastest=100),
    ".apng": Format("apng", "apng", "rgb24", {"pred": "mixed"}, {"plays": "0"}, fastest=100),
}  # fmt: skip


def supported(ending: str) -> bool:
    """Whether the installed video library can write clips with the ending."""
    form = FORMATS[ending]
    try:
        av.format.ContainerFormat(form.container, "w")
    except ValueError:
        return False
    return _has(form.codec)


def opened(path: Path, ending: str, size: Size, fps: int) -> Sink:
    """A file that takes pictures."""
    if ending == ".gif":
        return PaletteSink(path, size, fps)
    return VideoSink(path, FORMATS[ending], size, fps)


class Sink(ABC):
    """Takes pictures; one that is held comes once a frame, so that the rate is the same from the first to the last."""

    def __init__(self, size: Size) -> None:
        self._frame = VideoFrame(*size, RAW)

    def put(self, surface: pygame.Surface, frames: range) -> None:
        """Add a picture that is seen on these frames."""
        fill(self._frame, surface)
        self._take(self._frame, frames)

    @abstractmethod
    def finish(self) -> None:
        """End the clip: the file is whole."""

    @abstractmethod
    def abandon(self) -> None:
        """Let go of the files, whether they are whole or not."""

    @abstractmethod
    def _take(self, frame: VideoFrame, frames: range) -> None: ...


class VideoSink(Sink):
    """A clip whose frames are encoded as they come."""

    def __init__(self, path: Path, form: Format, size: Size, fps: int) -> None:
        super().__init__(size)
        self._form = form
        self._base = Fraction(1, fps)
        self._container = av.open(str(path), "w", format=form.container, options=dict(form.muxing))
        self._stream = _stream(self._container, form, size, fps)
        self._reformatter = VideoReformatter()

    def abandon(self) -> None:
        _let_go(self._container)

    def _take(self, frame: VideoFrame, frames: range) -> None:
        yuv = self._form.pixels.startswith("yuv")
        ready = self._reformatter.reformat(
            frame,
            format=self._form.pixels,
            dst_colorspace=Colorspace.ITU709 if yuv else None,
            dst_color_range=ColorRange.MPEG if yuv else None,
        )
        for at in frames:
            ready.pts, ready.time_base = at, self._base
            self._container.mux(self._stream.encode(ready))

    def finish(self) -> None:
        """End the clip: what the encoder holds back is written."""
        self._container.mux(self._stream.encode(None))
        self._container.close()


class PaletteSink(Sink):
    """A GIF: the pictures wait in a lossless file while a filter finds the best 256 colours for all of them."""

    WAITING = Format("nut", "libx264rgb", "bgr24", {"preset": "ultrafast", "qp": "0"})
    WAITING_PLAIN = Format("nut", "ffvhuff", "bgr0")

    def __init__(self, path: Path, size: Size, fps: int) -> None:
        super().__init__(size)
        self._path, self._size, self._fps = path, size, fps
        self._waiting = path.with_name(path.name + ".nut")
        self._palette = _graph(size, fps, "palettegen", "stats_mode=full")
        form = self.WAITING if _has(self.WAITING.codec) else self.WAITING_PLAIN
        self._store = VideoSink(self._waiting, form, size, fps)

    def abandon(self) -> None:
        self._store.abandon()
        self._waiting.unlink(missing_ok=True)

    def _take(self, frame: VideoFrame, frames: range) -> None:
        frame.pts, frame.time_base = frames.start, Fraction(1, self._fps)
        self._palette.push(frame)
        with suppress(av.error.BlockingIOError):  # nothing comes out yet, but the frame is counted before it changes
            self._palette.pull()
        self._store._take(frame, frames)

    def finish(self) -> None:
        """End the clip: the waiting pictures are coloured and written."""
        self._store.finish()
        self._palette.push(None)
        palette = self._palette.pull()
        assert isinstance(palette, VideoFrame)
        with av.open(str(self._path), "w", format="gif", options={"loop": "0"}) as container:
            stream = _stream(container, FORMATS[".gif"], self._size, self._fps)
            for frame in _coloured(self._waiting, palette, self._size, self._fps):
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))


def fill(frame: VideoFrame, surface: pygame.Surface) -> None:
    """Copy the bytes of a surface into a frame of the same size, whatever the length of their rows."""
    surface = _plain(surface)
    plane = frame.planes[0]
    width, height = surface.get_size()
    if plane.line_size == surface.get_pitch() == width * 4:
        plane.update(surface.get_buffer())  # type: ignore[arg-type]  # any buffer will do
        return
    rows = np.frombuffer(surface.get_buffer().raw, np.uint8).reshape(height, surface.get_pitch())
    padded = np.zeros((height, plane.line_size), np.uint8)
    padded[:, : width * 4] = rows[:, : width * 4]
    plane.update(padded.tobytes())


def _plain(surface: pygame.Surface) -> pygame.Surface:
    """The surface itself if its bytes lie as the frame wants them, else a copy that does."""
    masks = (0xFF0000, 0xFF00, 0xFF)
    whole = surface.get_parent() is None
    if whole and surface.get_bitsize() == 32 and tuple(surface.get_masks()[:3]) == masks:
        return surface
    plain = pygame.Surface(surface.get_size(), 0, 32, (*masks, 0))
    plain.blit(surface, (0, 0))
    return plain


def _stream(container: OutputContainer, form: Format, size: Size, fps: int) -> VideoStream:
    stream = container.add_stream(form.codec, rate=fps, options=dict(form.options))
    assert isinstance(stream, VideoStream)
    stream.width, stream.height = size
    stream.pix_fmt = form.pixels
    context = stream.codec_context
    context.time_base = Fraction(1, fps)
    context.thread_type = "AUTO"  # whole frames side by side: encoding goes on while the next picture is painted
    if form.container in ("mp4", "webm"):
        context.gop_size = 2 * fps  # a place to jump to every two seconds
        context.colorspace = context.color_primaries = context.color_trc = BT709
        context.color_range = ColorRange.MPEG
    return stream


def _graph(size: Size, fps: int, name: str, options: str) -> av.filter.Graph:
    """A filter between a source of raw pictures and a sink."""
    graph = av.filter.Graph()
    source = graph.add_buffer(width=size[0], height=size[1], format=VideoFormat(RAW), time_base=Fraction(1, fps))
    step, sink = graph.add(name, options), graph.add("buffersink")
    source.link_to(step)
    step.link_to(sink)
    graph.configure()
    return graph


def _coloured(path: Path, palette: VideoFrame, size: Size, fps: int) -> Iterable[VideoFrame]:
    """The waiting pictures in the colours of the palette."""
    graph = av.filter.Graph()
    base = Fraction(1, fps)
    source = graph.add_buffer(width=size[0], height=size[1], format=VideoFormat(RAW), time_base=base)
    colours = graph.add_buffer(width=16, height=16, format=palette.format, time_base=base)
    use, sink = graph.add("paletteuse", "dither=bayer:bayer_scale=4:diff_mode=rectangle"), graph.add("buffersink")
    source.link_to(use, 0, 0)
    colours.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    palette.pts, palette.time_base = 0, base
    colours.push(palette)
    colours.push(None)
    with av.open(str(path)) as waiting:
        for frame in waiting.decode(video=0):
            at = round((frame.pts or 0) * (frame.time_base or base) * fps)
            raw = frame.reformat(format=RAW)
            raw.pts, raw.time_base = at, base
            source.push(raw)
            yield from _pulled(sink, base)
    source.push(None)
    yield from _pulled(sink, base)


def _pulled(sink: av.filter.context.FilterContext, base: Fraction) -> Iterable[VideoFrame]:
    while True:
        try:
            frame = sink.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            return
        assert isinstance(frame, VideoFrame)
        frame.time_base = base
        yield frame


def _let_go(container: OutputContainer) -> None:
    """Close the file; what is still missing in it no longer matters."""
    try:
        container.close()
    except (av.error.FFmpegError, ValueError):
        return


def _has(codec: str) -> bool:
    try:
        av.codec.Codec(codec, "w")
    except (av.codec.codec.UnknownCodecError, ValueError):
        return False
    return True
