"""Verbs about files: verify, import, rules."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from sim.app.armies import battle_of, listing
from sim.app.common import InputError, json_option, load_record, one_line, print_json, progress, write_bytes
from sim.app.shown import unfiltered

if TYPE_CHECKING:
    from sim.rules import RuleRow

WIDE = 140  # columns of a terminal that hold the whole table of rules


@click.command()
@click.argument("record")
@json_option
@one_line
def verify(record: str, as_json: bool) -> int:
    """Judge and resolve RECORD anew, with its dice and choices, and name the first entry that differs.

    Example: inchwise verify battle.jsonl
    """
    from sim.app.games import rulesets
    from sim.record import verify as verify_record

    loaded = load_record(record)
    if loaded.header.ruleset not in rulesets():
        raise InputError(f"{record}: header: no ruleset is called {loaded.header.ruleset!r}")
    with progress("verifying") as report:
        found = verify_record(loaded, rulesets()[loaded.header.ruleset], report)
    if as_json:
        difference = None if found is None else {"entry": found.number, "what": found.what}
        print_json({"entries": len(loaded.entries), "difference": difference})
    elif found is None:
        click.echo(f"all {len(loaded.entries)} entries happen again")
    else:
        click.echo(f"entry {found.number} differs: {found.what}")
    return 0 if found is None else 1


@click.command(name="import")
@click.argument("file")
@click.option("-o", "--output", help="Write the roster here (- or nothing: standard output).")
@click.option("--player", default="red", show_default=True, help="Whose army it is.")
@click.option("--map", "field", help="Write a whole scenario on this map, ready to set the army up.")
@click.option("--against", help="The opponent's army list, for a scenario on a map.")
@json_option
@one_line
def import_(file: str, output: str | None, player: str, field: str | None, against: str | None, as_json: bool) -> int:
    """Turn an army list into a roster in TOML; every line that could not be read is reported.

    With --map it becomes a battle in which both armies wait to be set up.

    Example: inchwise import list.txt --map maps/crossroads-60x44.toml --against other.txt -o battle.toml
    """
    from sim.scenario.importers import read_army_file, report, to_toml

    if not player or any(c.isspace() or c in '|:,"' for c in player):
        raise InputError(f"--player: expected a name without blanks, got {player!r}")
    if against is not None and field is None:
        raise InputError("--against: a second army needs a table: give --map as well")
    army = read_army_file(Path(file), listing)
    text = to_toml(army, player)
    armies = [army]
    if field is not None:
        if against is not None:
            armies.append(read_army_file(Path(against), listing))
        text = battle_of(armies, player, field, output)
    if as_json:
        print_json(_army_json(army))
    elif output is None:
        click.echo(text, nl=False)
    if output is not None:
        write_bytes(output, text.encode())
    for each in armies:
        for line in report(each):
            click.echo(line, err=True)
    return 0


def _army_json(army: Any) -> dict[str, Any]:
    return {
        "title": army.title,
        "units": [
            {
                "id": u.id,
                "name": u.name,
                "datasheet": None if u.id in (army.unbound or ()) else u.datasheet,
                "points": u.points,
                "models": len(u.models),
                "assumed": u.assumed,
            }
            for u in army.units
        ],
        "models": sum(len(u.models) for u in army.units),
        "unread": [{"line": u.line, "text": u.text, "why": u.why} for u in army.unread],
    }


@click.command()
@click.argument("ruleset", required=False)
@json_option
@one_line
def rules(ruleset: str | None, as_json: bool) -> int:
    """List the games, or the rules that RULESET knows with their status.

    Example: inchwise rules wh40k10
    """
    from sim.app.games import rulesets
    from sim.app.verbs.listing import option_words

    known = rulesets()
    if ruleset is None:
        _list_games(as_json)
        return 0
    if ruleset not in known:
        raise InputError(f"{ruleset}: ruleset: no such game; known: {', '.join(sorted(known))}")
    rows = known[ruleset].rows()
    if as_json:
        print_json(
            [
                {
                    "rule": row.rule,
                    "status": row.status,
                    "source": row.source,
                    "module": row.module,
                    "tests": list(row.tests),
                    "options": list(row.options),
                }
                for row in rows
            ]
        )
        return 0
    _print_rules(known[ruleset].title, rows)
    click.echo(_in_words(counted(rows)))
    for name, values in known[ruleset].options.items():
        click.echo(f"option {name} = {option_words(values)}")
    return 0


def _list_games(as_json: bool) -> None:
    from sim.app.games import rulesets

    games = sorted(rulesets().values(), key=lambda game: game.id)
    if as_json:
        print_json(
            [
                {"id": g.id, "title": g.title, "edition": g.edition, "version": g.version, "rules": counted(g.rows())}
                for g in games
            ]
        )
        return
    for game in games:
        click.echo(f"{game.id:10} {game.title}, {game.edition}: {_in_words(counted(game.rows()))}")


def counted(rows: Iterable[RuleRow]) -> dict[str, int]:
    """How many rules have each status, in the order of the statuses."""
    from sim.rules.rows import Status

    counts = Counter(row.status for row in rows)
    return {status: counts[status] for status in get_args(Status) if counts[status]}


def _in_words(counts: dict[str, int]) -> str:
    return f"{sum(counts.values())} rules, " + ", ".join(f"{n} {status}" for status, n in counts.items())


def _print_rules(title: str, rows: tuple[RuleRow, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(file=unfiltered(sys.stdout))
    if not console.is_terminal or console.width < WIDE:
        for row in rows:
            click.echo(f"{row.status:<12} {row.rule}")
        return
    table = Table(title=title, title_justify="left")
    for column in ("Rule", "Status", "Source", "Module", "Options"):
        table.add_column(column, overflow="fold")
    marks = {"implemented": "green", "partial": "yellow", "different": "cyan", "absent": "red"}
    for row in rows:
        status = f"[{marks[row.status]}]{row.status}[/]"
        table.add_row(row.rule, status, row.source, row.module, ", ".join(row.options))
    console.print(table)


VERBS = {"verify": verify, "import": import_, "rules": rules}
