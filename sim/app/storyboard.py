"""A storyboard as a film: the same session that a person plays with, led along the shots."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property

from sim.app.common import InputError, found_file
from sim.app.window.session import Session
from sim.battle import Clock
from sim.chance import SeededDice
from sim.geometry import Path, Pose
from sim.scenario.storyboard import Shot, Storyboard, read_storyboard
from sim.view import Caption, Scene

SETTLE = 0.25  # share of a shot that the unit rests at the end of its path, so that the answer can be read


@dataclass(frozen=True)
class Story:
    """A storyboard that can be filmed: the picture at every second of it."""

    board: Storyboard

    @cached_property
    def _starts(self) -> tuple[float, ...]:
        starts, at = [], 0.0
        for shot in self.board.shots:
            starts.append(at)
            at += shot.seconds
        return (*starts, at)

    @property
    def duration(self) -> float:
        """Seconds of all shots."""
        return self._starts[-1]

    @cached_property
    def _sessions(self) -> tuple[Session, ...]:
        """For each shot a session at its beginning, with its unit in hand; raises ``InputError`` for a bad shot."""
        case = self.board.case
        session = Session(case.ruleset, case.battle, SeededDice(0), assumed=case.assumed)
        sessions: list[Session] = []
        for number, shot in enumerate(self.board.shots, 1):
            here = Session(case.ruleset, session.battle, SeededDice(0), assumed=case.assumed)
            sessions.append(here)
            if not shot.command:
                continue
            _take(here, shot, self.board.file, number)
            if shot.drop:
                _take(session, shot, self.board.file, number)
                session.hold_at(shot.path[-1])
                verdict = session.drop()
                if verdict is None or not verdict.legal:
                    why = verdict.violations[0].message if verdict is not None else "nothing is held"
                    raise InputError(f"{self.board.file}: shot {number}: cannot be set down: {why}")
        return tuple(sessions)

    def check(self) -> None:
        """Raises ``InputError`` for a shot that cannot be shown."""
        assert self._sessions

    noun = "shot"

    @property
    def times(self) -> tuple[float, ...]:
        """The second at which each shot begins."""
        return self._starts[:-1]

    def told(self, entry: int) -> str:
        """What a shot, counted from 1, is about."""
        shot = self.board.shots[entry - 1]
        return shot.caption or f"shot {entry}"

    def entry_at(self, seconds: float) -> int:
        """The number of the shot that is on at a time."""
        return min(max(bisect_right(self._starts, seconds), 1), len(self.board.shots))

    def clock_at(self, seconds: float) -> Clock:
        """The battle's clock at a time."""
        return self._sessions[self.entry_at(seconds) - 1].battle.clock

    def scene_at(self, seconds: float) -> Scene:
        """The picture at a time."""
        at = self.entry_at(seconds) - 1
        shot, session = self.board.shots[at], self._sessions[at]
        caption = Caption(shot.caption, "plain") if shot.caption else None
        if session.held is None:
            return session.scene(None, (), caption)
        share = min(1.0, (seconds - self._starts[at]) / (shot.seconds * (1 - SETTLE)))
        eased = share * share * (3 - 2 * share)
        way = Path.through(Pose(*shot.path[0]), [list(p) for p in shot.path[1:]])
        session.hold_at(way.at(eased).at)
        scene = session.scene(session.verdict)
        return replace(scene, caption=replace(scene.caption, headline=shot.caption)) if shot.caption else scene


def load_storyboard(source: str) -> Story:
    """The story in a file; raises ``InputError`` or ``ScenarioError``."""
    from sim.app.games import rulesets

    return Story(read_storyboard(found_file(source), rulesets()))


def _take(session: Session, shot: Shot, file: str, number: int) -> None:
    offers = [o for o in session.offers_for(shot.unit) if o.command == shot.command]
    if not offers:
        raise InputError(f"{file}: shot {number}: {shot.unit} cannot do {shot.command} now")
    session.pick(offers[0], shot.path[0])
    held = session.held
    if held is not None and shot.facing is not None:
        session.turn(round((shot.facing - held.poses[0].facing) / 15.0))
