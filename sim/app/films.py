"""Films: anything that has a scene for every second, and the clip of it."""

from __future__ import annotations

import contextlib
import itertools
import math
import queue
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from sim.app.common import InputError, is_record, load_record

if TYPE_CHECKING:
    import pygame

    from sim.record import Record
    from sim.view import Scene
    from sim.view.theme import Theme
    from sim.view.timeline import Timeline


T = TypeVar("T")
PICTURES_AHEAD = 3  # painted while one is encoded
CAPTIONS_SEEN = 12  # looked at before filming, so that the longest words settle the layout


class Film(Protocol):
    """Something to film: how long it is, and the picture at every second of it."""

    @property
    def duration(self) -> float:
        """Seconds from the first picture to the last."""
        ...

    def scene_at(self, seconds: float) -> Scene:
        """The picture at a time."""
        ...


def timeline_of(record: Record) -> Timeline:
    """A record as a film."""
    from sim.app.games import rulesets
    from sim.view.timeline import Timeline

    if record.header.ruleset not in rulesets():
        raise InputError(f"{record.header.scenario}: header: no ruleset is called {record.header.ruleset!r}")
    return Timeline(record, rulesets()[record.header.ruleset])


def film_of(source: str) -> Film:
    """The film in a file: a record by its ending, otherwise a storyboard."""
    if is_record(source):
        record = load_record(source)
        _holds(record, source)
        return timeline_of(record)
    from sim.app.storyboard import load_storyboard

    return load_storyboard(source)


def _holds(record: Record, source: str) -> None:
    """Raises ``InputError`` for the first entry of a record whose events cannot follow one another."""
    from sim.battle import BattleError, evolve_all

    battle = record.header.start
    for entry in record.entries:
        try:
            battle = evolve_all(battle, entry.events)
        except BattleError as error:
            raise InputError(f"{source}: entry {entry.number}: {error}") from None


def film(
    whole: Film,
    output: str,
    size: tuple[int, int],
    fps: int,
    theme: str,
    start: float,
    end: float,
    report: Callable[[int, int], None] | None = None,
) -> int:
    """Write a part of a film as a clip and return the number of frames; pictures that stay are drawn once."""
    from sim.render.headless import ensure_headless

    ensure_headless()
    from sim.render.clip import write_clip
    from sim.view.theme import theme as theme_called

    look = theme_called(theme)
    count = max(1, math.ceil((end - start) * fps - 1e-9))
    pictures = ahead(frames(whole, look, size, fps, start, count))
    with _stoppable(report) as progress:
        try:
            write_clip(pictures, output, size, fps, progress, total=count)
        finally:
            pictures.close()
    return count


@contextlib.contextmanager
def _stoppable(report: Callable[[int, int], None] | None) -> Iterator[Callable[[int, int], None]]:
    """A progress function that ends the work when the program is asked to stop, so that nothing half done is left.

    The encoder may swallow an interrupt that comes while it runs; it is kept here until the next picture.
    """
    asked: list[int] = []

    def progress(done: int, total: int) -> None:
        if asked:
            raise KeyboardInterrupt
        if report is not None:
            report(done, total)

    if threading.current_thread() is not threading.main_thread():
        yield progress
        return
    before = {number: signal.signal(number, lambda n, _: asked.append(n)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield progress
        if asked:
            raise KeyboardInterrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ahead(pictures: Iterator[T], most: int = PICTURES_AHEAD) -> Generator[T, None, None]:
    """The same pictures in the same order, made by a worker some steps ahead of whoever takes them.

    Encoding needs no interpreter, so that the next pictures are painted meanwhile. What goes wrong in the worker is
    raised here; closing the generator stops it.
    """
    made: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(most)
    stop = threading.Event()

    def hand_over(item: tuple[T | None, BaseException | None]) -> None:
        while not stop.is_set():
            try:
                made.put(item, timeout=0.1)
                return
            except queue.Full:
                continue

    def work() -> None:
        try:
            for picture in pictures:
                hand_over((picture, None))
                if stop.is_set():
                    return
        except BaseException as error:  # handed over whole, and raised where the pictures are taken
            hand_over((None, error))
        else:
            hand_over((None, None))

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while True:
            picture, error = made.get()
            if error is not None:
                raise error
            if picture is None:
                return
            yield picture
    finally:
        stop.set()
        worker.join()


def frames(
    whole: Film, look: Theme, size: tuple[int, int], fps: int, start: float, count: int
) -> Iterator[tuple[pygame.Surface, int]]:
    """Each picture with the number of frames that it stays.

    A few sheets are painted on in turn: a picture is good until as many more have been taken.
    """
    import pygame

    from sim.render.picture import Pictures, fullest

    words = fullest(whole.scene_at(start + k / fps).caption for k in range(0, count, max(1, count // CAPTIONS_SEEN)))
    painter = Pictures(look, size, text=_text_scale(size), fullest=words)
    sheets = itertools.cycle([pygame.Surface(size, depth=32) for _ in range(PICTURES_AHEAD + 3)])
    for scene, stays in _shots(whole, fps, start, count):
        sheet = next(sheets)
        painter.paint_on(sheet, scene)
        yield sheet, stays


def _shots(whole: Film, fps: int, start: float, count: int) -> Iterator[tuple[Scene, int]]:
    """Each scene that differs from the one before, with the number of frames that it stays."""
    shown: Scene | None = None
    stays = 0
    for k in range(count):
        scene = whole.scene_at(start + k / fps)
        if scene == shown:
            stays += 1
            continue
        if shown is not None:
            yield shown, stays
        shown, stays = scene, 1
    if shown is not None:
        yield shown, stays


def _text_scale(size: tuple[int, int]) -> float:
    """Larger words on a wide clip, so that they can be read when it is watched small."""
    return 1.25 if size[0] > size[1] else 1.0
