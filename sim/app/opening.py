"""How does a file become a battle in the window? The same way at the start and from its Open box, by what is in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.app.armies import battle_of, listing
from sim.app.common import InputError, found_file, is_record, load, load_record, one_line

if TYPE_CHECKING:
    from sim.app.storyboard import Story
    from sim.app.window.session import Session
    from sim.battle import Battle
    from sim.chance import SeededDice
    from sim.rules import Ruleset
    from sim.scenario import Case
    from sim.scenario.importers import ImportedArmy

FIELD = "maps/crossroads-60x44.toml"  # the table of an army list that is opened by itself
PLAYER = "red"  # whose the first list is


class CannotOpen(ValueError):
    """A file that is not opened, and why, on one line."""


@dataclass(frozen=True)
class Opened:
    """What came of a file: the battle, what has to be said about it, and the film of a storyboard."""

    session: Session
    note: str = ""
    story: Story | None = None


class Opener:
    """Opens one file after another: records, journals, storyboards, scenarios and army lists.

    An army list becomes a battle in which its army waits to be set up; the next one that is opened before anything was
    done there is its opponent's. Seeds of the dice, computers and whether journals are written are the same for all.
    """

    def __init__(self, seed: int | None = None, journal: bool = True, computers: tuple[str, ...] = ()) -> None:
        self.seed, self.journal, self.computers = seed, journal, computers
        self._waits: tuple[ImportedArmy, Session] | None = None  # a list without an opponent, and its battle

    def __call__(self, path: str) -> Opened:
        """What a file holds; raises ``CannotOpen``."""
        try:
            return self.open(path)
        except click.ClickException as error:
            first, *others = error.format_message().splitlines()
        raise CannotOpen(first + (f" ({len(others)} more)" if others else ""))

    @one_line
    def open(self, path: str) -> Opened:
        """What a file holds; raises what the command line shows of a file that is wrong."""
        if is_record(path):
            return self._record(path)
        kind = _kind(path)
        if kind == "list":
            return self._army_list(path)
        if kind == "storyboard":
            from sim.app.storyboard import load_storyboard

            story = load_storyboard(path)
            story.check()
            return Opened(self._began(story.board.case), story=story)
        return Opened(self._began(load(path)))

    def _record(self, path: str) -> Opened:
        from sim.app.games import rulesets
        from sim.app.window.session import Session

        record = load_record(path)
        ruleset = rulesets().get(record.header.ruleset)
        if ruleset is None:
            raise InputError(f"{path}: header: no ruleset is called {record.header.ruleset!r}")
        _can_be_played(self.computers, ruleset, record.header.start)
        file, dice = self._journal(), self._dice()
        session = _written(file, lambda: Session.of_record(ruleset, record, dice, file))
        self._set_computers(session)
        notes = ["The last line of the file was not finished and is left out."] if record.torn else []
        if why := session.ask_again(record):
            click.echo(f"inchwise: {path}: what was asked last is not asked again: {why}", err=True)
            notes.append(f"What was asked last is not asked again: {why}.")
        return Opened(_told(session), " ".join(notes))

    def _army_list(self, path: str) -> Opened:
        from sim.app.games import rulesets
        from sim.scenario import case_of
        from sim.scenario.importers import read_army_file, report

        army = read_army_file(found_file(path), listing)
        first = None if self._waits is None or self._waits[1].game.entries else self._waits[0]
        armies = [army] if first is None else [first, army]
        name = str(Path.cwd() / "battle.toml")  # no file, but the place from which its map is looked for
        case = case_of(name, battle_of(armies, PLAYER, FIELD, name), rulesets())
        session = self._began(case)
        self._waits = (army, session) if first is None else None
        for line in report(army):
            click.echo(line, err=True)
        return Opened(session, _words_of(army, first is None))

    def _began(self, case: Case) -> Session:
        from sim.app.window.session import Session

        _can_be_played(self.computers, case.ruleset, case.battle)
        file, dice = self._journal(), self._dice()
        session = _written(file, lambda: Session(case.ruleset, case.battle, dice, file, case.assumed))
        self._set_computers(session)
        return _told(session)

    def _journal(self) -> Path | None:
        """Where a new battle is written, among the person's own data."""
        import time

        from platformdirs import user_data_path

        folder = user_data_path("inchwise") / "battles"
        return folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl" if self.journal else None

    def _dice(self) -> SeededDice:
        import secrets

        from sim.chance import SeededDice

        return SeededDice(secrets.randbits(48) if self.seed is None else self.seed)

    def _set_computers(self, session: Session) -> None:
        from sim.players import GreedyPlayer

        session.computers = {name: GreedyPlayer(name) for name in self.computers}


def session_of(source: str, seed: int | None, journal: bool, computers: tuple[str, ...] = ()) -> Session:
    """The battle of a file, ready to be played; raises what the command line shows of a file that is wrong."""
    return Opener(seed, journal, computers).open(source).session


def _kind(path: str) -> str:
    """What is in a file that is no record: a ``list`` of an army, a ``storyboard``, or the tables of a ``scenario``."""
    from sim.app.moments import parted
    from sim.reading import FileError, parse_toml, read_text

    if is_record(parted(path)[0]):
        return "scenario"
    file = found_file(path)
    try:
        tables = parse_toml(path, read_text(file), FileError)
    except FileError:
        return "scenario" if file.suffix.lower() == ".toml" else "list"
    return "storyboard" if "shot" in tables else "scenario"


def _words_of(army: ImportedArmy, alone: bool) -> str:
    """What a person has to know about a list that became a battle: what was read, what was not, what is missing."""
    from sim.scenario.importers.report import headline

    words = [f"{headline(army)}."]
    if assumed := [unit for unit in army.units if unit.assumed]:
        words.append(f"Bases assumed: {len(assumed)}.")
    if army.unbound:
        words.append(f"Without a datasheet, and so without weapons: {', '.join(army.unbound)}.")
    if army.unread:
        first = army.unread[0]
        words.append(f"Lines not read: {len(army.unread)}, the first is line {first.line} ({first.why}).")
    if alone:
        words.append("There is no opponent yet: open a second list before anything is done here, and it is theirs.")
    return " ".join(words)


def _told(session: Session) -> Session:
    if session.journal is not None:
        click.echo(f"journal: {session.journal.path}")
    return session


def _can_be_played(computers: tuple[str, ...], ruleset: Ruleset, battle: Battle) -> None:
    for name in computers:
        if name not in battle.players:
            raise InputError(f"--computer: expected one of {', '.join(battle.players)}, got {name!r}")
        if not ruleset.plays_itself:
            raise InputError(f"--computer: the computer does not play {ruleset.title} yet")


def _written(path: Path | None, begin: Callable[[], Session]) -> Session:
    """A session with its journal begun; where that cannot be written, one line says what to do about it."""
    try:
        return begin()
    except OSError as error:
        what = f"the journal cannot be written ({error.strerror}); XDG_DATA_HOME names another folder for it"
        raise InputError(f"{path}: journal: {what}") from None
