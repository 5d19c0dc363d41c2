"""The verb that names what files may name: list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from sim.app.common import InputError, json_option, one_line, print_json

if TYPE_CHECKING:
    from sim.rules import Play, Ruleset
Row = dict[str, Any]
FOLDERS = {"maps": "maps", "scenarios": "assets/scenarios", "armies": "assets/armies"}
OF_A_GAME = ("datasheets", "abilities", "terrain", "steps", "commands", "questions", "options")

LISTS = (*FOLDERS, *OF_A_GAME, "games")


@click.command(name="list")
@click.argument("what", required=False)
@click.option("--game", help="Only what belongs to this game: wh40k10, t9a, whfb6 or wap.")
@json_option
@one_line
def list_(what: str | None, game: str | None, as_json: bool) -> int:
    """Name what files may name, each in the form in which files take it.

    Maps, scenarios and armies that come with inchwise; the datasheets, abilities, kinds of terrain, steps, commands
    with their keys, questions and options (readings of a rule, the first is the usual one) of each game. Without WHAT
    everything that can be listed is named.

    Example: inchwise list commands --game wap
    """
    if what is None:
        if as_json:
            print_json({"what": "lists", "rows": [{"line": name} for name in LISTS]})
        else:
            click.echo("\n".join(LISTS))
        return 0
    if what not in LISTS:
        from sim.battle import did_you_mean

        raise InputError(f"{what}: expected one of {', '.join(LISTS)}{did_you_mean(what, LISTS)}")
    rows = _files(what, game) if what in FOLDERS else _of_games(what, _games(game))
    if as_json:
        print_json({"what": what, "rows": rows})
        return 0
    several = what not in FOLDERS and game is None and what != "games"
    for row in rows:
        click.echo(f"{row['game']:8} {row['line']}" if several else row["line"])
    return 0


def _games(game: str | None) -> list[Ruleset]:
    """The games asked for; raises ``InputError`` for one that nobody knows."""
    from sim.app.games import rulesets
    from sim.battle import did_you_mean

    known = rulesets()
    if game is None:
        return list(known.values())
    if game not in known:
        raise InputError(f"--game: no game is called {game!r}{did_you_mean(game, known)}; known: {', '.join(known)}")
    return [known[game]]


def _files(what: str, game: str | None) -> list[Row]:
    """Files that come with the program, by the names under which every verb finds them."""
    import tomllib

    from sim.resources import data_path

    wanted = {each.id for each in _games(game)}
    rows = []
    for file in sorted(data_path(FOLDERS[what]).glob("*.toml")):
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        of, title = document.get("ruleset"), document.get("title", "")
        name = f"{FOLDERS[what]}/{file.name}"
        if of is None or of in wanted:
            line = f"{name:52} {of or 'any game':8} {title}".rstrip()
            rows.append({"file": name, "game": of, "title": title, "line": line})
    return rows


def _of_games(what: str, games: Iterable[Ruleset]) -> list[Row]:
    tell: Callable[[Ruleset], Iterable[Row]] = TELLERS[what]
    return [{"game": game.id} | row for game in games for row in tell(game)]


def _named(names: Iterable[str]) -> list[Row]:
    return [{"name": name, "line": name} for name in names]


def _steps(game: Ruleset) -> list[Row]:
    return [
        {"phase": phase.name, "step": step, "line": f'phase = "{phase.name}", step = "{step}"'}
        for phase in game.phases
        for step in phase.steps
    ]


def _commands(game: Ruleset) -> list[Row]:
    return [_command(play) for play in game.plays]


def _command(play: Play) -> Row:
    """A command with its keys; a key that may be left out stands in brackets."""
    from msgspec.structs import fields

    keys = {field.name: field.required for field in fields(play.command)}
    words = ", ".join(name if needed else f"[{name}]" for name, needed in keys.items())
    line = f"{play.name:20} {words or '-'}"
    return {"name": play.name, "title": play.title, "summary": play.summary, "keys": keys, "line": line}


def _options(game: Ruleset) -> list[Row]:
    return [
        {"name": name, "values": list(values), "line": f"{name} = {option_words(values)}"}
        for name, values in game.options.items()
    ]


def option_words(values: Iterable[str | bool | float]) -> str:
    """The values of an option as files write them, the usual one first."""
    first, *others = (f'"{value}"' if isinstance(value, str) else str(value).lower() for value in values)
    return f"{first}, or {', '.join(others)}" if others else first


TELLERS: dict[str, Callable[[Ruleset], Iterable[Row]]] = {
    "games": lambda game: [{"title": game.title, "line": f"{game.id:8} {game.title}, {game.edition}"}],
    "datasheets": lambda game: _named(sorted(() if game.datasheets is None else game.datasheets())),
    "abilities": lambda game: _named(sorted(game.abilities)),
    "terrain": lambda game: _named(sorted(game.terrain_kinds)),
    "steps": _steps,
    "commands": _commands,
    "questions": lambda game: _named(sorted(game.questions)),
    "options": _options,
}

VERBS = {"list": list_}
