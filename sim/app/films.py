"""Films: anything that has a scene for every second, and the clip of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from sim.app.common import InputError, is_record, load_record

if TYPE_CHECKING:
    import pygame

    from sim.record import Record
    from sim.view import Scene
    from sim.view.theme import Theme
    from sim.view.timeline import Timeline


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
        return timeline_of(load_record(source))
    from sim.app.storyboard import load_storyboard

    return load_storyboard(source)


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
    write_clip(_frames(whole, look, size, fps, start, count), output, size, fps, report, total=count)
    return count


def _frames(
    whole: Film, look: Theme, size: tuple[int, int], fps: int, start: float, count: int
) -> Iterator[tuple[pygame.Surface, int]]:
    """Each picture with the number of frames that it stays."""
    from sim.render.picture import Pictures

    painter = Pictures(look, size)
    shown: Scene | None = None
    stays = 0
    for k in range(count):
        scene = whole.scene_at(start + k / fps)
        if shown is not None and scene == shown:
            stays += 1
            continue
        if shown is not None:
            yield painter.paint(shown), stays
        shown, stays = scene, 1
    if shown is not None:
        yield painter.paint(shown), stays
