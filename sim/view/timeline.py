"""A record as a film: which entry is on at which second, and what is on the picture then."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from sim.battle import (
    Battle,
    ClockAdvanced,
    DiceRolled,
    Event,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    ScoreChanged,
    evolve,
    evolve_all,
)
from sim.record import Record
from sim.rules import Ruleset
from sim.view import compose
from sim.view.scene import Caption, Die, Ghost, Item, Line, Scene

PLACING = 1.6  # seconds for a unit that is set up
MOVING = 0.7  # seconds for a move, and besides …
PER_INCH = 0.12  # … seconds for each inch of the longest path
CLOCK = 0.9  # seconds for a change of phase
ROLLING = 1.2  # seconds for dice
OTHER = 0.6  # seconds for anything else
QUIET = 0.0  # seconds for what nobody sees
ENDING = 1.2  # seconds that the last picture stays


@dataclass(frozen=True)
class Cue:
    """One event on the line of time: when it begins, how long it lasts, and the battle before it."""

    start: float
    duration: float
    entry: int
    event: Event
    before: Battle


@dataclass(frozen=True)
class Timeline:
    """A record laid out in seconds; ``scene_at`` is a pure function of it and the time."""

    record: Record
    ruleset: Ruleset

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """Every event in order."""
        cues: list[Cue] = []
        battle, at = self.record.header.start, 0.8
        for entry in self.record.entries:
            for event in entry.events:
                length = _duration(event)
                cues.append(Cue(at, length, entry.number, event, battle))
                battle = evolve(battle, event)
                at += length
        return tuple(cues)

    @cached_property
    def _starts(self) -> list[float]:
        return [cue.start for cue in self.cues]

    @property
    def duration(self) -> float:
        """Seconds from the first picture to the last."""
        last = self.cues[-1] if self.cues else None
        return (last.start + last.duration if last else 0.8) + ENDING

    def entry_at(self, seconds: float) -> int:
        """The number of the entry that is on at a time; 0 before the first."""
        at = bisect_right(self._starts, seconds) - 1
        return self.cues[at].entry if at >= 0 else 0

    def time_of(self, entry: int) -> float:
        """The second at which an entry has just been done."""
        done = [cue.start + cue.duration for cue in self.cues if cue.entry <= entry]
        return max(done, default=0.0)

    def scene_at(self, seconds: float) -> Scene:
        """The picture at a time."""
        at = bisect_right(self._starts, seconds) - 1
        if at < 0:
            return compose.table_scene(self.record.header.start, self.ruleset)
        cue = self.cues[at]
        share = 1.0 if cue.duration == 0 else min(1.0, (seconds - cue.start) / cue.duration)
        return _scene(self.ruleset, cue, share)


def _duration(event: Event) -> float:
    match event:
        case ModelsPlaced():
            return PLACING
        case ModelsMoved(_, paths):
            return MOVING + PER_INCH * max((path.length for _, path in paths), default=0.0)
        case ClockAdvanced():
            return CLOCK
        case DiceRolled():
            return ROLLING
        case ModelsRemoved() | ScoreChanged():
            return OTHER
        case _:
            return QUIET


def _scene(ruleset: Ruleset, cue: Cue, share: float) -> Scene:
    battle, event = cue.before, cue.event
    after = evolve_all(battle, (event,))
    items: Sequence[Item] = ()
    match event:
        case ModelsPlaced(unit_id, models):
            return _placing(ruleset, battle, after, unit_id, dict(models), share)
        case ModelsMoved(unit_id, paths):
            unit = battle.unit(unit_id)
            where = dict(paths)
            eased = share * share * (3 - 2 * share)
            moved = tuple(replace(m, pose=where[m.id].at(eased)) if m.id in where else m for m in unit.models)
            battle = battle.with_unit(replace(unit, models=moved))
            longest = max((p.length for p in where.values()), default=0.0)
            caption = Caption(f"{unit.name} moves", "note", ((f'{longest:.2f}" at most', "plain"),))
            trails: list[Line] = list(compose.trails(list(where.values())))
            return compose.table_scene(battle, ruleset, trails, caption)
        case DiceRolled(purpose, _, faces):
            width, depth = battle.battlefield.width, battle.battlefield.depth
            items = [Die((width / 2 + (k - (len(faces) - 1) / 2) * 1.6, depth / 2), f) for k, f in enumerate(faces)]
            return compose.table_scene(after, ruleset, items, Caption(purpose, "note"))
        case ClockAdvanced():
            return compose.table_scene(after, ruleset, (), Caption(compose.heading(after, ruleset), "plain"))
        case _:
            shown = after if share > 0.5 else battle
            return compose.table_scene(shown, ruleset)


def _placing(
    ruleset: Ruleset, battle: Battle, after: Battle, unit_id: str, poses: dict[str, object], share: float
) -> Scene:
    unit = after.unit(unit_id)
    headline = f"{unit.name} is set up"
    caption = Caption(headline, "good", ((f"{len(unit.models)} models", "plain"),))
    if share >= 0.6:
        return compose.table_scene(after, ruleset, (), caption)
    style = f"base.{compose.side(after, unit.player)}"
    count = max(1, round(len(unit.models) * share / 0.5))
    ghosts = [
        Ghost(compose.shape(m.base, m.pose, style), True)
        for m in unit.models[:count]
        if m.pose is not None and m.id in poses
    ]
    return compose.table_scene(battle, ruleset, ghosts, caption)
