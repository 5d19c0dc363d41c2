"""Verbs that open the window: play, replay."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.app.common import InputError, is_record, load, load_record, one_line, size_option

if TYPE_CHECKING:
    from sim.app.window.session import Session
    from sim.battle import Battle
    from sim.rules import Ruleset

DEMO = "assets/scenarios/demo.toml"
theme_option = click.option("--theme", default="table", show_default=True, help="table, night, parchment or print.")


@click.command()
@click.argument("source", default=DEMO)
@click.option(
    "--seed", type=click.IntRange(min=0), default=None, help="Where the dice begin (default: a new seed each time)."
)
@click.option("--computer", multiple=True, metavar="PLAYER", help="A player whom the computer plays, greedily.")
@theme_option
@size_option("1600x1000")
@one_line
def play(source: str, seed: int | None, computer: tuple[str, ...], theme: str, size: tuple[int, int]) -> int:
    """Open the table with SOURCE: a scenario, or a record to go on from. Without it the demo.

    Everything done is written to a journal before it is shown; its path is printed, and it opens like any record.

    Example: inchwise play maps/../my-battle.toml
    """
    return _open(source, seed, theme, size, watch=False, computers=computer)


@click.command()
@click.argument("record")
@theme_option
@size_option("1600x1000")
@one_line
def replay(record: str, theme: str, size: tuple[int, int]) -> int:
    """Play RECORD back in the window, with a line of time to pull at.

    Example: inchwise replay battle.jsonl
    """
    if not is_record(record):
        raise InputError(f"{record}: file: expected a record ending in .jsonl")
    return _open(record, None, theme, size, watch=True)


def _open(
    source: str, seed: int | None, theme: str, size: tuple[int, int], watch: bool, computers: tuple[str, ...] = ()
) -> int:
    from sim.render.headless import display_answers, has_display, hide_greeting
    from sim.view.theme import theme as theme_called

    hide_greeting()
    theme_called(theme)
    if not has_display():
        raise InputError("display: no screen to open a window on; render and record work without one")
    if not display_answers():
        name = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY", "")
        raise InputError(f"display: no screen answers at {name}; render and record work without one")
    session = session_of(source, seed, journal=True, computers=computers)
    from sim.app.window.window import Window

    def load_another(path: str) -> Session:
        try:
            return session_of(path, seed, journal=True, computers=computers)
        except click.ClickException as error:
            raise ValueError(error.format_message()) from None

    window = Window(session, size, theme, load_another)
    if watch:
        window.watch()
    window.run()
    return 0


@one_line
def session_of(source: str, seed: int | None, journal: bool, computers: tuple[str, ...] = ()) -> Session:
    """A session with the battle of a file; its journal lies among the person's own data.

    Raises ``InputError`` for a player that the computer cannot play.
    """
    import secrets

    from sim.app.games import rulesets
    from sim.app.window.session import Session
    from sim.chance import SeededDice

    dice = SeededDice(secrets.randbits(48) if seed is None else seed)
    path = _journal() if journal else None
    if is_record(source):
        record = load_record(source)
        if record.header.ruleset not in rulesets():
            raise InputError(f"{source}: header: no ruleset is called {record.header.ruleset!r}")
        _can_be_played(computers, rulesets()[record.header.ruleset], record.header.start)
        session = _written(path, lambda: Session.of_record(rulesets()[record.header.ruleset], record, dice, path))
        _set_computers(session, computers)
        if why := session.ask_again(record):
            click.echo(f"inchwise: {source}: what was asked last is not asked again: {why}", err=True)
    else:
        case = load(source)
        _can_be_played(computers, case.ruleset, case.battle)
        session = _written(path, lambda: Session(case.ruleset, case.battle, dice, path, case.assumed))
        _set_computers(session, computers)
    if session.journal is not None:
        click.echo(f"journal: {session.journal.path}")
    return session


def _set_computers(session: Session, computers: tuple[str, ...]) -> None:
    from sim.players import GreedyPlayer

    session.computers = {name: GreedyPlayer(name) for name in computers}


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


def _journal() -> Path:
    import time

    from platformdirs import user_data_path

    folder = user_data_path("inchwise") / "battles"
    return folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"


VERBS = {"play": play, "replay": replay}
