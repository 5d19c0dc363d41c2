"""Verbs about whole battles and their odds: simulate, odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sim.app.common import (
    InputError,
    json_option,
    load,
    one_line,
    place_for,
    print_json,
    progress,
    seed_option,
    write_bytes,
)

if TYPE_CHECKING:
    from sim.battle import Battle
    from sim.players import Player
    from sim.record import Record

KINDS = ("greedy", "random")
MOST_BATTLES = 10_000
INTERRUPTED = 130  # exit status, as shells give it to who was interrupted


@click.command()
@click.argument("scenario")
@click.option("-o", "--output", help="Write the record here (-: standard output); of several battles the last.")
@click.option("--players", default="greedy,greedy", show_default=True, help="Who plays, in the order of the players.")
@click.option("--battles", default=1, show_default=True, type=click.IntRange(1, MOST_BATTLES), help="How many.")
@seed_option
@json_option
@one_line
def simulate(scenario: str, output: str | None, players: str, battles: int, seed: int, as_json: bool) -> int:
    """Let two players play SCENARIO to its end, and write a record that verifies.

    Of many battles that are interrupted, those that are finished count.

    Example: inchwise simulate assets/scenarios/wh40k10-500-battle.toml --seed 7 -o battle.jsonl
    """
    from sim.record import record_bytes

    kinds = _kinds(scenario, players)
    if output not in (None, "-"):
        place_for(str(output))
    results: list[dict[str, Any]] = []
    last: Record | None = None
    try:
        with progress("battles") as report:
            for k in range(battles):
                result, last = _played(scenario, kinds, seed + k)
                results.append(result)
                if report is not None:
                    report(len(results), battles)
    except KeyboardInterrupt:
        click.echo(f"interrupted: {len(results)} of {battles} battles are finished", err=True)
    if output is not None and last is not None:
        write_bytes(output, record_bytes(last))
    if output == "-":
        return 0 if len(results) == battles else INTERRUPTED
    if as_json:
        print_json(results if battles > 1 or not results else results[0])
    else:
        _tell(results)
    return 0 if len(results) == battles else INTERRUPTED


def _kinds(scenario: str, players: str) -> list[str]:
    """The kinds of the players, as many as the battle has; raises ``InputError``."""
    case = load(scenario)
    if not case.ruleset.plays_itself:
        raise InputError(f"{scenario}: {case.ruleset.title} has no players that play by themselves yet")
    kinds = [kind.strip() for kind in players.split(",")]
    if len(kinds) != len(case.battle.players) or set(kinds) - set(KINDS):
        many = len(case.battle.players)
        raise InputError(f"--players: expected {many} of {' and '.join(KINDS)} with commas, got {players!r}")
    return kinds


def _played(scenario: str, kinds: list[str], seed: int) -> tuple[dict[str, Any], Record]:
    """A battle from a scenario to its end: what came of it, and its record."""
    from sim.chance import SeededDice
    from sim.engine import Game, Refused
    from sim.players import StallError, play_out
    from sim.record import record_of

    case = load(scenario)
    game = Game(case.ruleset, case.battle)
    try:
        for _ in play_out(game, _players(case.battle, kinds, seed), SeededDice(seed)):
            pass
    except (StallError, Refused) as error:
        raise InputError(f"{scenario}: the battle of seed {seed}: {error}") from None
    return _result(game.battle, len(game.entries), seed), record_of(game, case.assumed)


def _players(battle: Battle, kinds: list[str], seed: int) -> dict[str, Player]:
    from sim.players import GreedyPlayer, RandomPlayer

    return {
        name: GreedyPlayer(name) if kind == "greedy" else RandomPlayer(1000 * seed + place, name)
        for place, (name, kind) in enumerate(zip(battle.players, kinds, strict=True))
    }


def _result(battle: Battle, entries: int, seed: int) -> dict[str, Any]:
    score = {player: dict(battle.score).get(player, 0) for player in battle.players}
    best = max(score.values(), default=0)
    leaders = [player for player, points in score.items() if points == best]
    left = {
        player: sum(unit.points for unit in battle.units if unit.player == player and unit.models)
        for player in battle.players
    }
    return {
        "seed": seed,
        "score": score,
        "winner": leaders[0] if len(leaders) == 1 else None,
        "points_left": left,
        "entries": entries,
    }


def _tell(results: list[dict[str, Any]]) -> None:
    for result in results if len(results) <= 10 else ():
        score = ", ".join(f"{player} {points}" for player, points in result["score"].items())
        won = f"{result['winner']} wins" if result["winner"] else "a draw"
        click.echo(f"seed {result['seed']}: {won}, {score}; {result['entries']} entries")
    if len(results) > 1:
        for player in results[0]["score"]:
            wins = sum(result["winner"] == player for result in results)
            click.echo(f"{player} wins {wins} of {len(results)}")


@click.command()
@click.argument("case")
@json_option
@one_line
def odds(case: str, as_json: bool) -> int:
    """Give the exact odds of the attacks or the charge that CASE commands.

    What is not legal now has odds all the same, with a note of what is wrong and exit status 1.

    Example: inchwise odds volley.toml
    """
    loaded = load(case)
    if loaded.command is None:
        raise InputError(f"{case}: command: the file has no [command] to look at")
    from sim.engine import judge

    tell = loaded.ruleset.odds
    rows = () if tell is None else tell(loaded.battle, loaded.command)
    broken = judge(loaded.ruleset, loaded.battle, loaded.command).violations if tell is not None else ()
    if not rows:
        if broken:
            raise InputError(f"{case}: command: {broken[0].message}")
        name = loaded.ruleset.play(loaded.command).name
        raise InputError(f"{case}: command: {loaded.ruleset.title} has no odds for {name}")
    for violation in broken:
        click.echo(f"note: not legal now: {violation.message}", err=True)
    if as_json:
        print_json([row.as_json() for row in rows])
        return 1 if broken else 0
    for row in rows:
        click.echo(row.title)
        for line in (*row.lines, *row.notes):
            click.echo(f"  {line}")
        for name, pmf in row.distributions:
            click.echo(f"  {name}: {pmf.mean:.4f} on the average")
            for value, chance in pmf.items():
                if chance >= 5e-5:
                    click.echo(f"    {value:>3} {chance:8.2%}   at least {pmf.at_least(value):8.2%}")
    return 1 if broken else 0


VERBS = {"simulate": simulate, "odds": odds}
