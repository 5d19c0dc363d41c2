"""A record as a film: which entry is on at which second, and what is on the picture then."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from sim.battle import (
    Battle,
    Clock,
    ClockAdvanced,
    CodecError,
    DiceRolled,
    Event,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    ScoreChanged,
    WoundsChanged,
    evolve,
)
from sim.battle.state import DESTROYED
from sim.geometry import Path
from sim.record import Record
from sim.record.verify import decode_command
from sim.rules import Command, Ruleset
from sim.view import compose
from sim.view.scene import Caption, Die, Ghost, Ruler, Scene, Tone
from sim.view.story import ATTACK, face_words, story, words_of

PLACING = 1.6  # seconds for a unit that is set up
MOVING = 0.7  # seconds for a move, and besides …
PER_INCH = 0.12  # … seconds for each inch of the longest path
CLOCK = 0.9  # seconds for a change of phase
ROLLING = 1.2  # seconds for dice
LOSS = 0.9  # seconds for models that are removed or wounded
SCORING = 1.4  # seconds for victory points
ROW = 10  # dice beside one another
DIE = 1.6  # inches from one to the next
ASIDE = 3.0  # inches that dice lie beside what they are rolled against
QUIET = 0.0  # seconds for what nobody sees
NEAR = 64  # cues that are gone through rather than beginning at a snapshot
MOST_SEEN = 4  # tables that are kept as they were laid
ENDING = 1.2  # seconds that the last picture stays


@dataclass(frozen=True, slots=True)
class Cue:
    """One event on the line of time: when it begins, how long it lasts, where it is in its entry, and the clock then.

    The battle before it is found when it is looked at: a film of ten thousand entries keeps no ten thousand battles.
    """

    start: float
    duration: float
    entry: int
    place: int
    event: Event
    clock: Clock


@dataclass(frozen=True)
class Timeline:
    """A record laid out in seconds; ``scene_at`` is a pure function of it and the time."""

    record: Record
    ruleset: Ruleset

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """Every event in order."""
        cues: list[Cue] = []
        clock, at = self.record.header.start.clock, 0.8
        for entry in self.record.entries:
            for place, event in enumerate(entry.events):
                length = _duration(event)
                clock = event.clock if isinstance(event, ClockAdvanced) else clock
                cues.append(Cue(at, length, entry.number, place, event, clock))
                at += length
        return tuple(cues)

    def battle_before(self, at: int) -> Battle:
        """The battle before a cue, by its place: from the one looked at last, else from the nearest snapshot."""
        cue = self.cues[at]
        last, battle = self._last_looked_at.get("at", (-1, self.record.header.start))
        if last < 0 or not last <= at <= last + NEAR:
            last, battle = at - cue.place, self.record.battle_at(cue.entry - 1)
        for passed in self.cues[last:at]:
            battle = evolve(battle, passed.event)
        self._last_looked_at["at"] = (at, battle)
        return battle

    @cached_property
    def _last_looked_at(self) -> dict[str, tuple[int, Battle]]:
        return {}

    def _command_of(self, number: int) -> Command | None:
        """The command of an entry, None where the ruleset does not know it any more: it is only drawn."""
        try:
            return decode_command(self.ruleset, self.record.entries[number - 1])
        except CodecError:
            return None

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

    def clock_at(self, seconds: float) -> Clock:
        """The battle's clock at a time."""
        at = bisect_right(self._starts, seconds) - 1
        if at < 0:
            return self.record.header.start.clock
        return self.cues[at].clock

    def time_of(self, entry: int) -> float:
        """The second at which an entry has just been done."""
        done = bisect_right(self.cues, entry, key=lambda cue: cue.entry)
        return self.cues[done - 1].start + self.cues[done - 1].duration if done else 0.0

    noun = "entry"

    @cached_property
    def times(self) -> tuple[float, ...]:
        """The second at which each entry has just been done, in order."""
        return tuple(self.time_of(entry.number) for entry in self.record.entries)

    def told(self, entry: int) -> str:
        """What an entry came to, in the sentences of the story on one line."""
        events = self.record.entries[entry - 1].events
        sentences = story(self.ruleset, self.record.battle_at(entry - 1), self._command_of(entry), events)
        return ". ".join(sentences) or "nothing that is seen"

    @cached_property
    def _laid(self) -> compose.Laid:
        return compose.Laid(self.record.header.start, self.ruleset, frozenset(self.record.header.assumed))

    @cached_property
    def _seen(self) -> dict[int, tuple[compose.Laid, compose.Laid]]:
        """The table before and after the cues that were looked at last."""
        return {}

    def _around(self, at: int) -> tuple[compose.Laid, compose.Laid]:
        found = self._seen.pop(at, None)
        if found is None:
            battle = self.battle_before(at)
            found = self._laid.after(battle), self._laid.after(evolve(battle, self.cues[at].event))
        self._seen[at] = found
        while len(self._seen) > MOST_SEEN:
            del self._seen[next(iter(self._seen))]
        return found

    def scene_at(self, seconds: float) -> Scene:
        """The picture at a time."""
        at = bisect_right(self._starts, seconds) - 1
        if at < 0:
            return self._laid.scene()
        cue = self.cues[at]
        share = 1.0 if cue.duration == 0 else min(1.0, (seconds - cue.start) / cue.duration)
        before, after = self._around(at)
        if cue is self.cues[-1] and share >= 1.0 and (said := compose.outcome(after.battle)):
            return after.scene((), Caption(said, "good", ((compose.standings(after.battle), "plain"),)))
        return _scene(cue, self.ruleset, self._command_of(cue.entry), before, after, share)


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
        case ModelsRemoved() | WoundsChanged():
            return LOSS
        case ScoreChanged(resource="points"):
            return SCORING
        case _:
            return QUIET


def _caption(ruleset: Ruleset, before: Battle, command: Command | None, event: Event) -> Caption:
    """What is said of an event: the sentences of the story, and of dice their faces."""
    told = words_of(ruleset, before, command, event)
    tone: Tone = "note"
    match event:
        case DiceRolled(purpose, _, faces):
            counted = told if event.about is not None and event.about.kind in ATTACK else ()
            told = (purpose[:1].upper() + purpose[1:], *counted, f"Rolled {' '.join(map(face_words, faces))}")
        case ModelsRemoved(to=to):
            tone = "bad" if to == DESTROYED else "note"
        case WoundsChanged():
            tone = "bad"
        case ModelsPlaced() | ScoreChanged():
            tone = "good"
        case ClockAdvanced():
            after = compose.standings(evolve(before, event))
            tone, told = "plain", (*told, after) if after else told
        case _:
            pass
    return Caption(told[0], tone, tuple((line, "plain") for line in told[1:])) if told else Caption()


def _scene(
    cue: Cue, ruleset: Ruleset, command: Command | None, before: compose.Laid, after: compose.Laid, share: float
) -> Scene:
    caption = _caption(ruleset, before.battle, command, cue.event)
    match cue.event:
        case ModelsPlaced(unit, models):
            return _placing(before, after, unit, frozenset(name for name, _ in models), share, caption)
        case ModelsMoved(unit, paths):
            return _moving(before, unit, dict(paths), share, caption)
        case DiceRolled(_, _, faces):
            aims = compose.aims(before.battle, (command,))
            return after.scene((*aims, *_dice(after.battle, aims, faces)), caption)
        case ModelsRemoved(unit, models):
            return _removed(command, before, after, unit, models, share, caption)
        case WoundsChanged():
            return after.scene(compose.aims(before.battle, (command,)), caption)
        case ScoreChanged(resource="points") | ClockAdvanced():
            return after.scene((), caption)
        case _:
            return (after if share > 0.5 else before).scene()


def _dice(battle: Battle, aims: Sequence[Ruler], faces: Sequence[float]) -> Iterator[Die]:
    """Dice in rows, beside what is aimed at or in the middle of the table, all of them on it."""
    field = battle.battlefield
    middle = (field.width / 2, field.depth / 2)
    if aims:
        (x0, y0), (x1, y1) = aims[-1].start, aims[-1].end
        turned = 1.0 if y1 < y0 else -1.0  # to the right of who is aimed at, out of the line
        middle = (x1 + ASIDE + min(len(faces), ROW) * DIE / 2, y1 + turned * ASIDE * (0.5 if abs(x1 - x0) > 1 else 0.0))
    rows = math.ceil(len(faces) / ROW)
    wide, high = (min(len(faces), ROW) - 1) * DIE / 2, (rows - 1) * DIE / 2
    x = min(max(middle[0], wide + DIE), max(field.width - wide - DIE, wide + DIE))
    y = min(max(middle[1], high + DIE), max(field.depth - high - DIE, high + DIE))
    for k, face in enumerate(faces):
        across = min(ROW, len(faces) - k // ROW * ROW)
        yield Die((x + (k % ROW - (across - 1) / 2) * DIE, y + high - k // ROW * DIE), int(face))


def _removed(
    command: Command | None,
    before: compose.Laid,
    after: compose.Laid,
    unit_id: str,
    models: tuple[str, ...],
    share: float,
    caption: Caption,
) -> Scene:
    """The models that go, marked while they still stand."""
    unit = before.battle.unit(unit_id)
    gone = [m for m in unit.models if m.id in models and m.pose is not None]
    style = f"base.{compose.side(before.battle, unit.player)}"
    if share > 0.6:
        return after.scene((), caption)
    ghosts = [Ghost(compose.shape(m.base, m.pose, style), False) for m in gone if m.pose is not None]
    return before.scene((*compose.aims(before.battle, (command,)), *ghosts), caption)


def _moving(before: compose.Laid, unit_id: str, paths: dict[str, Path], share: float, caption: Caption) -> Scene:
    unit = before.battle.unit(unit_id)
    eased = share * share * (3 - 2 * share)
    moved = tuple(replace(m, pose=paths[m.id].at(eased)) if m.id in paths else m for m in unit.models)
    now = before.after(before.battle.with_unit(replace(unit, models=moved)))
    return now.scene(tuple(compose.trails(list(paths.values()))), caption)


def _placing(
    before: compose.Laid, after: compose.Laid, unit_id: str, placed: frozenset[str], share: float, caption: Caption
) -> Scene:
    unit = after.battle.unit(unit_id)
    if share >= 0.6:
        return after.scene((), caption)
    style = f"base.{compose.side(after.battle, unit.player)}"
    count = max(1, round(len(unit.models) * share / 0.5))
    ghosts = [
        Ghost(compose.shape(m.base, m.pose, style), True)
        for m in unit.models[:count]
        if m.pose is not None and m.id in placed
    ]
    return before.scene(ghosts, caption)
