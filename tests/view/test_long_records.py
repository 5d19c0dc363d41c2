"""Is a picture of a long record quick, and does a film of it keep little?"""

from __future__ import annotations

import tracemalloc

from msgspec import structs

from sim.record import Record, record_of
from sim.view.timeline import Timeline
from tests.record.table import played
from tests.toy import RULESET


def long_record(times: int) -> Record:
    """A unit that leaves and comes back so many times, without a single snapshot."""
    short = record_of(played(2))
    entries = (structs.replace(entry, number=2 * k + entry.number) for k in range(times) for entry in short.entries)
    return structs.replace(short, entries=tuple(entries), snapshots={})


def kept(record: Record, seconds: list[float]) -> int:
    """The bytes that a film of a record keeps after some of its pictures."""
    tracemalloc.start()
    film = Timeline(record, RULESET)
    for second in seconds:
        film.scene_at(second)
    found = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return found


def test_what_a_film_keeps_grows_with_its_entries_and_no_faster() -> None:
    small, large = (kept(long_record(times), [film_second(times)]) for times in (100, 1000))
    assert large < 10 * small
    assert large < 2_000_000


def film_second(times: int) -> float:
    return Timeline(long_record(times), RULESET).duration


def test_pictures_one_after_another_are_those_of_the_moments_alone() -> None:
    record = long_record(40)
    film = Timeline(record, RULESET)
    moments = [film.duration * k / 60 for k in range(61)]
    one_by_one = [film.scene_at(second) for second in moments]
    for second, scene in list(zip(moments, one_by_one, strict=True))[::7]:
        assert Timeline(record, RULESET).scene_at(second) == scene
    backwards = [film.scene_at(second) for second in reversed(moments)]
    assert backwards == one_by_one[::-1]
    assert len(film._seen) <= 4
