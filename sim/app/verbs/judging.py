"""Verbs that answer: check, ask, cases, where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.app.common import InputError, ends_in, json_option, load, one_line, print_json, size_option, write_bytes

if TYPE_CHECKING:
    from sim.geometry import Pose
    from sim.rules import Verdict
    from sim.scenario import Case

JUST = 0.005  # inches; less than this is nothing in hundredths


@click.command()
@click.argument("case")
@click.option("--nearest", is_flag=True, help="Give the nearest legal spot as well.")
@json_option
@one_line
def check(case: str, nearest: bool, as_json: bool) -> int:
    """Judge the [command] of CASE and print each violation with its rule, measured and required inches.

    Example: inchwise check deep-strike.toml --json
    """
    from sim.engine import judge
    from sim.rules import verdict_json

    loaded = load(case)
    if loaded.command is None:
        raise InputError(f"{case}: command: the file has no [command] to judge")
    verdict = judge(loaded.ruleset, loaded.battle, loaded.command, readings=True)
    found: Any = None
    if nearest and not verdict.legal:
        from msgspec.structs import replace

        from sim.analysis import nearest_command

        found = nearest_command(loaded.ruleset, loaded.battle, loaded.command)
        if found is not None:
            play = loaded.ruleset.play(found)
            stands = getattr(found, "models", ()) or (() if play.stands is None else play.stands(loaded.battle, found))
            verdict = replace(verdict, nearest=stands)
    if as_json:
        print_json(verdict_json(verdict))
    else:
        print_verdict(loaded, verdict)
        if nearest and not verdict.legal:
            click.echo(f"  nearest legal spot: {_spot(loaded.command, found)}")
    return 0 if verdict.legal else 1


def print_verdict(case: Case, verdict: Verdict) -> None:
    """A verdict in words, every violation with its rule and what is missing in inches."""
    click.echo(f"{'legal' if verdict.legal else 'illegal'}: {case.title}")
    for violation in verdict.violations:
        click.echo(f"  {violation.code}: {violation.message} [{violation.rule}]")
        short = violation.shortfall
        if short is not None and violation.measured is not None:
            off = f'off by {short:.2f}"' if short >= JUST else "which just misses it"
            click.echo(f'      measured {violation.measured:.6g}", required {violation.required}, {off}')
    for note in verdict.notes:
        click.echo(f"  note: {note}")


def _spot(wrong: Any, found: Any) -> str:
    """A command that is legal as its file takes it: the spots of its models, or the middle of a block."""
    if found is None:
        return "none found for the unit as it stands together"
    if getattr(found, "models", ()):
        return ", ".join(map(_pasted, found.models))
    told = [] if found.point == wrong.point else [f"point = [{found.point[0]:.6f}, {found.point[1]:.6f}]"]
    told.append(f"at = [{found.at[0]:.6f}, {found.at[1]:.6f}]")
    return ", ".join([*told, f"facing = {found.facing:.6g}"])


def _pasted(pose: Pose) -> str:
    """A pose as a command of a file takes it, with a facing and a height where they matter."""
    at = f"[{pose.x:.6f}, {pose.y:.6f}"
    if pose.z:
        return f"{{ at = {at}], facing = {pose.facing:g}, z = {pose.z:g} }}"
    return f"{at}, {pose.facing:.6g}]" if pose.facing else f"{at}]"


@click.command()
@click.argument("case")
@json_option
@one_line
def ask(case: str, as_json: bool) -> int:
    """Answer the [[ask]] questions of CASE; where the file gives an answer, say whether it holds.

    Example: inchwise ask engagement.toml
    """
    from sim.app.expectations import answer, ask_misses
    from sim.rules import QuestionError

    loaded = load(case)
    if not loaded.asks:
        raise InputError(f"{case}: ask: the file has no [[ask]] to answer")
    rows: list[dict[str, Any]] = []
    for number, question in enumerate(loaded.asks):
        try:
            said = answer(loaded, question)
        except QuestionError as error:
            raise InputError(f"{case}: ask[{number}]: {error}") from None
        right = None if question.answer is None else not tuple(ask_misses(loaded, question))
        rows.append({"question": question.question, "of": question.of, "answer": said, "as_expected": right})
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            note = {None: "", True: "", False: "   (not what the file expects)"}[row["as_expected"]]
            click.echo(f"{row['question']} {' '.join(row['of'])}: {_shown(row['answer'])}{note}")
    return 1 if any(row["as_expected"] is False for row in rows) else 0


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f'{value:.6f}"'
    return str(value)


@click.command()
@click.argument("paths", nargs=-1, required=True)
@json_option
@one_line
def cases(paths: tuple[str, ...], as_json: bool) -> int:
    """Run every case file under PATHS against its expectation; print those that miss, and a count.

    Example: inchwise cases tests/cases
    """
    from sim.app.expectations import misses
    from sim.scenario import ScenarioError

    files = _case_files(paths)
    found: dict[str, tuple[str, ...]] = {}
    unread = 0
    for file in files:
        try:
            missing = misses(load(str(file)))
        except ScenarioError as error:
            unread += 1
            missing = tuple(f"cannot be read: {fault.where}: {fault.what}" for fault in error.faults)
        if missing:
            found[str(file)] = missing
    if as_json:
        print_json({"cases": len(files), "missed": {name: list(what) for name, what in found.items()}})
    else:
        for name, what in found.items():
            click.echo(f"{name}")
            for line in what:
                click.echo(f"    {line}")
        click.echo(f"{len(files) - len(found)} of {len(files)} cases come out as expected")
    return 2 if unread else (1 if found else 0)


def _case_files(paths: tuple[str, ...]) -> list[Path]:
    files: list[Path] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            files.extend(sorted(path.rglob("*.toml")))
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"{name}: file: no such file or folder")
    if not files:
        raise InputError(f"{' '.join(paths)}: no case files (*.toml) there")
    return files


@click.command()
@click.argument("case")
@click.option("-o", "--output", help="Write the region as .png, .svg or .json (- for standard output).")
@click.option("--theme", default="table", show_default=True, help="table, night, parchment or print.")
@size_option("1600x1000")
@click.option("--height", type=click.FloatRange(0, 1000), default=None, help="Inches above the ground.")
@click.option("--any-facing", is_flag=True, help="Let the base turn freely: the union over facings 5 degrees apart.")
@click.option("--screen", is_flag=True, help="Say which model closes each pocket with the least move.")
@json_option
@one_line
def where(
    case: str,
    output: str | None,
    theme: str,
    size: tuple[int, int],
    height: float | None,
    any_facing: bool,
    screen: bool,
    as_json: bool,
) -> int:
    """Show the whole region in which a model of the command's unit may be put, as the rules of the command have it.

    The region is that of the centre of one base at the facing that the command gives; coherency and the other models
    of the unit are not part of it. Its pockets are numbered, with how many such bases each holds at least. Exit status
    1 when there is no such place.

    Example: inchwise where deep-strike.toml --screen -o where.png
    """
    from sim.app import regions

    if output and output != "-" and not ends_in(output, ".png", ".svg", ".json"):
        raise InputError(f"{output}: file: expected a name ending in .png, .svg or .json")
    loaded = load(case)
    found = regions.region_of(loaded, height)
    if any_facing:
        found = regions.any_facing(loaded, found)
    closing = regions.closings_of(loaded, found) if screen else ()
    holds = regions.holding(loaded, found)
    if as_json:
        print_json(regions.region_json(found, closing, holds))
    else:
        err = output == "-"
        pieces = regions.pieces_in_words(found)
        click.echo(f"{found.area:.4f} square inches of {found.table_area:g} in {pieces}", err=err)
        base = regions.base_name(found.base)
        facing = "any facing" if any_facing else f"a facing of {found.facing:g}°"
        click.echo(f"for the centre of a {base} base at {facing}: {found.rule}", err=err)
        for pocket in found.pockets:
            click.echo(f"  {regions.pocket_in_words(pocket, pocket.number in holds)}", err=err)
        for each in closing:
            click.echo(f"  {regions.closing_in_words(loaded, each)}", err=err)
    if output and ends_in(output, ".json"):
        import json

        write_bytes(output, json.dumps(regions.region_json(found, closing, holds)).encode())
    elif output:
        from sim.app.stills import write_still

        write_still(regions.region_scene(loaded, found, closing, holds), output, theme, size)
    return 0 if found.area > 0 else 1


VERBS = {"check": check, "ask": ask, "cases": cases, "where": where}
