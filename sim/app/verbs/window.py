"""Verbs that open the window: play, replay."""

from __future__ import annotations

import os

import click

from sim.app.common import InputError, is_record, one_line, size_option
from sim.app.opening import Opener

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
    """Open the table with SOURCE: a scenario, a record to go on from, a storyboard, an army list. Without it the demo.

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
    opener = Opener(seed, computers=computers)
    opened = opener.open(source)
    from sim.app.window.window import Window

    window = Window(opened.session, size, theme, opener)
    window.begin(opened)
    if watch:
        window.watch()
    window.run()
    return 0


VERBS = {"play": play, "replay": replay}
