"""The verb for a first file of one's own: new."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from sim.app.common import InputError, one_line, place_for, write_bytes

FOLDER = "templates"
OF_ANY_GAME = "files"  # the folder of what is no case
CASE = "case"  # a case of any command: the first that a person would try
FIRST: Mapping[str, str] = {"wh40k10": "deep-strike", "t9a": "ambush", "whfb6": "emerge", "wap": "random-move"}


@click.command("new")
@click.argument("kind", required=False)
@click.option("--game", help="Of which game a case is: wh40k10, t9a, whfb6 or wap.")
@click.option("-o", "--output", help="Write the file here; it is printed otherwise.")
@one_line
def new(kind: str | None, game: str | None, output: str | None) -> int:
    """Print a file that works as it stands, to be changed: KIND is map, scenario, roster, storyboard or a command.

    A command gives a case of it, with everything that the command needs. Without KIND all kinds are named.

    Example: inchwise new deep-strike -o my-case.toml
    """
    if game is not None and game not in FIRST:
        raise InputError(f"--game: expected {', '.join(FIRST)}, got {game!r}")
    if kind is None:
        for owner, names in _kinds(game).items():
            click.echo(f"{owner}: {', '.join(names)}")
        return 0
    text = _template(kind, game).read_text(encoding="utf-8")
    if output is None:
        click.echo(text, nl=False)
        return 0
    if output != "-" and place_for(output).exists():
        raise InputError(f"{output}: file: expected a new name, there is such a file already")
    write_bytes(output, text.encode())
    return 0


def _folder() -> Path:
    from sim.resources import data_path

    return data_path("assets") / FOLDER


def _kinds(game: str | None) -> dict[str, list[str]]:
    """All kinds of files: those of any game, and the commands of each game, or of one."""
    games = FIRST if game is None else (game,)
    found = {"files": [CASE, *(path.stem for path in sorted((_folder() / OF_ANY_GAME).glob("*.toml")))]}
    return found | {name: [path.stem for path in sorted((_folder() / name).glob("*.toml"))] for name in games}


def _template(kind: str, game: str | None) -> Path:
    """The template of a kind: of the game that is asked for, or of the first that has it; raises ``InputError``."""
    from sim.battle.names import did_you_mean

    kinds = _kinds(game)
    if kind == CASE:
        owner = game or next(iter(FIRST))
        return _folder() / owner / f"{FIRST[owner]}.toml"
    if kind in kinds["files"]:
        return _folder() / OF_ANY_GAME / f"{kind}.toml"
    for owner, names in kinds.items():
        if kind in names:
            return _folder() / owner / f"{kind}.toml"
    known = list(dict.fromkeys(name for names in kinds.values() for name in names))
    raise InputError(f"{kind}: expected a kind of file, such as {', '.join(known[:5])}{did_you_mean(kind, known)}")


VERBS = {"new": new}
