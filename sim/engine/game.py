"""One game in progress: judge, play, undo, redo and branch over frozen battles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sim.battle import Battle, BattleError, Event, digest
from sim.chance import Dice
from sim.engine.resolve import Chooser, FirstChoice, resolve
from sim.geometry import Limit, Path, Pose
from sim.geometry.lengths import plain
from sim.rules import Command, EndStep, Ruleset, Verdict, Violation, command_name


class Refused(Exception):
    """A command that is not legal; carries the verdict, and nothing has changed."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("; ".join(v.message for v in verdict.violations))
        self.verdict = verdict


class Entry(Struct, frozen=True):
    """One thing that was done: the command, what the dice and the players said, and what came of it."""

    number: int
    command: Any
    faces: tuple[tuple[int | float, ...], ...]
    choices: tuple[str, ...]
    events: tuple[Event, ...]
    digest: str


def judge(ruleset: Ruleset, battle: Battle, command: Command, readings: bool = False) -> Verdict:
    """All that is wrong with a command now; changes nothing and rolls nothing.

    With ``readings`` the notes say which other reading of a disputed rule would turn the answer, and what ending a step
    leaves undone.
    """
    if not readings:
        known = battle.__dict__.get("_judged")
        if known is not None and known[0] is ruleset and known[1] is command:
            kept: Verdict = known[2]
            return kept
        verdict = _judged(ruleset, battle, command)
        battle.__dict__["_judged"] = (ruleset, command, verdict)  # the same command is often judged, then played
        return verdict
    verdict = _judged(ruleset, battle, command)
    left = ruleset.left_behind(battle) if isinstance(command, EndStep) and verdict.legal else ()
    return Verdict(verdict.violations, (*left, *_turned(ruleset, battle, command, verdict)))


def _turned(ruleset: Ruleset, battle: Battle, command: Command, verdict: Verdict) -> Iterator[str]:
    try:
        names = ruleset.play(command).readings
    except KeyError:
        return
    for name in names:
        values = ruleset.options[name]
        now = battle.option(name, values[0])
        for value in values:
            if value == now:
                continue
            options = dict(battle.options) | {name: value}
            other = replace(battle, options=tuple(sorted(options.items())))
            if _judged(ruleset, other, command).legal != verdict.legal:
                said, turned = ("legal", "illegal") if verdict.legal else ("illegal", "legal")
                yield f"{said}; {turned} if {name} is {str(value).lower()}"


def _judged(ruleset: Ruleset, battle: Battle, command: Command) -> Verdict:
    try:
        play = ruleset.play(command)
    except KeyError:
        name = command_name(type(command))
        message = f"{ruleset.title} has no command called {name}"
        return Verdict((Violation("unknown-command", ruleset.title, message),))
    try:
        return Verdict((*_in_the_air(ruleset, command), *play.judge(battle, command)))
    except BattleError as error:
        return Verdict((Violation("no-such-unit", play.title, str(error)),))


def _in_the_air(ruleset: Ruleset, command: Command) -> Iterator[Violation]:
    """A command that leads somebody off the table, upwards or downwards, in a game that is played on the plan."""
    if not ruleset.flat:
        return
    ways: tuple[Path, ...] = getattr(command, "paths", ())
    poses: tuple[Pose, ...] = getattr(command, "models", ())
    heights = [pose.z for pose in (*poses, *(stop for way in ways for stop in way.stops)) if pose.z]
    if heights:
        what = f'{ruleset.title} is played on the plan; nobody stands {plain(heights[0])}" up'
        yield Violation("wrong-floor", ruleset.title, what, measured=heights[0], required=Limit("at_most", 0.0))


Listener = Callable[[Entry, Battle], None]  # hears of an entry and of the battle after it


class Game:
    """A ruleset, a battle, and everything done so far; a refused command leaves it equal."""

    def __init__(self, ruleset: Ruleset, start: Battle, listener: Listener | None = None) -> None:
        self.ruleset = ruleset
        self._battles: list[Battle] = [start]
        self._entries: list[Entry] = []
        self._at = 0
        self._listener = listener

    @property
    def battle(self) -> Battle:
        """The battle as it stands now."""
        return self._battles[self._at]

    @property
    def start(self) -> Battle:
        """The battle before the first entry."""
        return self._battles[0]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What has been done and not undone."""
        return tuple(self._entries[: self._at])

    @property
    def history(self) -> Iterator[tuple[Entry, Battle]]:
        """What has been done and not undone, each with the battle after it."""
        return zip(self._entries[: self._at], self._battles[1 : self._at + 1], strict=True)

    def judge(self, command: Command) -> Verdict:
        """All that is wrong with a command now."""
        return judge(self.ruleset, self.battle, command)

    def play(self, command: Command, dice: Dice, chooser: Chooser | None = None) -> Entry:
        """Do it: judge, resolve, evolve and remember; raises ``Refused`` and changes nothing when it is not legal.

        A number that the dice need and nothing says is refused as well, never made up.
        The listener hears of the entry before the game shows it, so that what is seen has been written.
        """
        verdict = self.judge(command)
        if not verdict.legal:
            raise Refused(verdict)
        if lacking := self.ruleset.lacking(self.battle, command):
            raise Refused(Verdict(lacking))
        procedure = self.ruleset.play(command).resolve(self.battle, command)
        result = resolve(self.ruleset, self.battle, procedure, dice, chooser or FirstChoice())
        entry = Entry(self._at + 1, command, result.faces, result.choices, result.events, digest(result.battle))
        if self._listener is not None:
            self._listener(entry, result.battle)
        self._keep(entry, result.battle)
        return entry

    def restore(self, entry: Entry, battle: Battle) -> None:
        """Take over an entry that was written earlier, with the battle after it."""
        self._keep(entry, battle)

    def _keep(self, entry: Entry, battle: Battle) -> None:
        del self._entries[self._at :], self._battles[self._at + 1 :]
        self._entries.append(entry)
        self._battles.append(battle)
        self._at += 1

    @property
    def can_undo(self) -> bool:
        """Whether there is something to step back over."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was undone and not replaced."""
        return self._at < len(self._entries)

    def undo(self) -> Entry:
        """Step back over the last entry and return it; raises ``IndexError`` at the start."""
        if not self.can_undo:
            raise IndexError("nothing to undo")
        self._at -= 1
        return self._entries[self._at]

    def redo(self) -> Entry:
        """Do again what was undone last and return it; raises ``IndexError`` when there is nothing."""
        if not self.can_redo:
            raise IndexError("nothing to redo")
        self._at += 1
        return self._entries[self._at - 1]

    def branch(self, at: int | None = None) -> Game:
        """A game of its own that shares everything up to an entry (by default: up to now)."""
        upto = self._at if at is None else at
        if not 0 <= upto <= len(self._entries):
            raise IndexError(f"expected an entry from 0 to {len(self._entries)}, got {upto}")
        other = Game(self.ruleset, self.start)
        for entry, battle in zip(self._entries[:upto], self._battles[1 : upto + 1], strict=True):
            other.restore(entry, battle)
        return other
