"""A record as a story: entry after entry, event after event, with the table before and after each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.referee.table import Clock, Json, Table, after, start_of


@dataclass(frozen=True)
class Step:
    """One event with the table before and after it."""

    entry: int
    place: int
    event: Json
    before: Table
    after: Table

    @property
    def kind(self) -> str:
        """What kind of event it is."""
        return str(self.event["event"])

    @property
    def about(self) -> Json:
        """What a roll is about, empty for everything else."""
        found: Json = self.event.get("about") or {}
        return found

    def rolls(self, *kinds: str) -> bool:
        """Whether it is a roll of one of these kinds."""
        return self.about.get("kind") in kinds

    def sets(self, *kinds: str) -> bool:
        """Whether it lays a marker of one of these kinds."""
        return self.kind == "marker-set" and self.event["marker"]["kind"] in kinds


@dataclass(frozen=True)
class Entry:
    """One command with all that came of it."""

    number: int
    command: Json
    steps: tuple[Step, ...]
    before: Table
    after: Table

    @property
    def type(self) -> str:
        """The command's word."""
        return str(self.command.get("type", ""))

    @property
    def unit(self) -> str:
        """The unit that the command names."""
        return str(self.command.get("unit", ""))

    @property
    def clock(self) -> Clock:
        """The clock when it was given."""
        return self.before.clock


@dataclass(frozen=True)
class Story:
    """A whole record."""

    start: Table
    entries: tuple[Entry, ...]
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # what checks have worked out

    @property
    def steps(self) -> Iterator[Step]:
        """All events in their order."""
        return (step for entry in self.entries for step in entry.steps)


def read_story(path: Path | str) -> Story:
    """The story in a record's file."""
    with Path(path).open(encoding="utf-8") as file:
        return story_of(json.loads(line) for line in file if line.strip())


def story_of(lines: Iterable[Json]) -> Story:
    """The story that a record's lines tell, without what was undone."""
    kept: list[Json] = []
    start: Table | None = None
    for line in lines:
        match line["line"]:
            case "header":
                start = start_of(line["start"])
            case "entry":
                kept.append(line)
            case "rewind":
                kept = kept[: line["to"]]
            case _:
                pass  # snapshots say nothing that the events do not
    if start is None:
        raise ValueError("a record begins with a header")
    table, entries = start, []
    for line in kept:
        before, steps = table, []
        for place, event in enumerate(line.get("events", ())):
            following = after(table, event)
            steps.append(Step(line["number"], place, event, table, following))
            table = following
        entries.append(Entry(line["number"], line["command"], tuple(steps), before, table))
    return Story(start, tuple(entries))
