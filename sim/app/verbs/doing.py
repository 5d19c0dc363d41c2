"""The verb that carries a command out: do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sim.app.common import InputError, json_option, load, one_line, place_for, print_json, seed_option

if TYPE_CHECKING:
    from sim.chance import Dice
    from sim.engine import Entry, Game
    from sim.scenario import Case


@click.command(name="do")
@click.argument("case")
@click.option("-o", "--output", help="Write the record of what was done here.")
@seed_option
@json_option
@one_line
def do(case: str, output: str | None, seed: int, as_json: bool) -> int:
    """Carry out the [command] of CASE and say what came of it.

    The dice are those of the file where it holds some, else those of the seed; whoever has to choose takes the first
    choice. A command that is not legal is not carried out: its violations are printed, and the exit status is 1.

    Example: inchwise do doomwheel.toml --seed 7 -o turn.jsonl
    """
    from sim.app.verbs.judging import print_verdict
    from sim.chance import DiceError
    from sim.engine import Game, Refused
    from sim.record import record_of, write_record
    from sim.rules import verdict_json

    loaded = load(case)
    if loaded.command is None:
        raise InputError(f"{case}: command: the file has no [command] to carry out")
    if output is not None:
        place_for(output)
    game = Game(loaded.ruleset, loaded.battle)
    dice = _dice(loaded, seed)
    try:
        entry = game.play(loaded.command, dice)
    except DiceError as error:
        raise InputError(f"{case}: dice: {error}") from None
    except Refused as refused:
        if as_json:
            print_json({"done": False, "verdict": verdict_json(refused.verdict)})
        else:
            print_verdict(loaded, refused.verdict)
        return 1
    if output is not None:
        write_record(output, record_of(game, loaded.assumed))
    told = _told(loaded, game, entry)
    spare = getattr(dice, "left", 0)
    if as_json:
        print_json({"done": True, "seed": None if loaded.dice else seed, "dice_left": spare} | told)
    else:
        _print(loaded, told, seed, spare)
    return 0


def _dice(case: Case, seed: int) -> Dice:
    from sim.chance import ScriptedDice, SeededDice

    return ScriptedDice(case.dice) if case.dice else SeededDice(seed)


def _told(case: Case, game: Game, entry: Entry) -> dict[str, Any]:
    """What came of it: in sentences, in the named values that cases expect, in choices and faces."""
    from sim.battle import DiceRolled
    from sim.view.story import story

    outcome = case.ruleset.play(entry.command).outcome
    found = {} if outcome is None else outcome(case.battle, entry.command, entry.events, game.battle)
    return {
        "story": list(story(case.ruleset, case.battle, entry.command, entry.events)),
        "outcome": {name: value for name, value in found.items() if value is not None},
        "choices": list(entry.choices),
        "dice": [{"for": e.purpose, "faces": list(e.faces)} for e in entry.events if isinstance(e, DiceRolled)],
    }


def _print(case: Case, told: dict[str, Any], seed: int, spare: int) -> None:
    from sim.view.story import face_words

    click.echo(f"done: {case.title}")
    for sentence in told["story"]:
        click.echo(f"  {sentence}")
    for name, value in told["outcome"].items():
        click.echo(f"  {name}: {_shown(value)}")
    if told["choices"]:
        click.echo(f"  choices taken: {', '.join(told['choices'])}")
    if told["dice"]:
        click.echo(f"  dice {'from the file' if case.dice else f'of seed {seed}'}:")
    for roll in told["dice"]:
        click.echo(f"    {roll['for']}: {' '.join(map(face_words, roll['faces']))}")
    if spare:
        click.echo(f"  note: {spare} of the file's dice are left")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value)


VERBS = {"do": do}
