"""What all verbs share: wrong input as one line, results as text or JSON, progress on a terminal."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.app.shown import unfiltered
from sim.reading import FileError, printable, quoted
from sim.writing import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.record import Record
    from sim.scenario import Case

F = TypeVar("F", bound=Callable[..., Any])

FORMAT = 1  # of what ``--json`` prints; it grows when the meaning of a key changes
seed_option = click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the dice.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


class InputError(click.ClickException):
    """Input that is wrong, already in the form FILE: WHERE: WHAT, on one line."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class FaultyFile(click.ClickException):
    """A file that is wrong, with a line for each fault."""


def one_line(verb: F) -> F:
    """Turn every complaint about input into one line and exit status 2."""

    @functools.wraps(verb)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return verb(*args, **kwargs)
        except FileError as error:
            raise FaultyFile(str(error)) from None
        except ValueError as error:
            if _is_input_error(error):
                raise InputError(str(error)) from None
            raise
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(_refused(error)) from None

    return wrapped  # type: ignore[return-value]


def _is_input_error(error: ValueError) -> bool:
    """Whether an error is one of the project's own about what was given to it, and no fault of the program."""
    return type(error).__module__.partition(".")[0] == "sim"


def _refused(error: OSError) -> str:
    if error.filename is None and isinstance(error, FileNotFoundError):
        return str(error)
    name = "standard output" if error.filename is None else str(error.filename)
    return f"{name}: file: {(error.strerror or str(error)).lower()}"


def load(path: str) -> Case:
    """The case or scenario in a file, found where the person is or among what is shipped; or a moment of a record."""
    from sim.app.games import rulesets
    from sim.app.moments import moment, parted
    from sim.scenario import load_case

    if is_record(parted(path)[0]):
        return moment(path)
    return load_case(str(found_file(path)), rulesets())


def found_file(path: str) -> Path:
    """A file by the name that the person gave, where they are or among what is shipped; raises ``InputError``."""
    from sim.scenario import find_file

    if Path(path).is_dir():
        raise InputError(f"{path}: file: expected a file, this is a folder")
    try:
        return find_file(path)
    except FileNotFoundError:
        raise InputError(f"{path}: file: no such file") from None


def is_record(path: str) -> bool:
    """Whether a file is meant to be a battle record, by its ending."""
    return ends_in(path, ".jsonl", ".journal")


def ends_in(path: str, *endings: str) -> bool:
    """Whether a file's name has one of some endings, in small letters or not."""
    return path.lower().endswith(endings)


def load_record(path: str) -> Record:
    """The record in a file; a torn end is reported and left out."""
    from sim.battle import digest
    from sim.record import read_record

    record = read_record(found_file(path))
    if digest(record.header.start) != record.header.digest:
        click.echo(f"inchwise: {path}: line 1: the start is not the one that was written; verify says more", err=True)
    if record.torn:
        click.echo(f"inchwise: {path}: the last line was not finished and is left out", err=True)
    return record


def print_json(value: Any) -> None:
    """One JSON document on standard output, each table with its format; what does not print is an escape in it."""
    import json

    text = json.dumps(_numbered(value), ensure_ascii=False, allow_nan=False)
    click.echo("".join(each if printable(each) == each else json.dumps(each)[1:-1] for each in text))


def _numbered(value: Any) -> Any:
    if isinstance(value, dict):
        return {"format": FORMAT} | value
    return [_numbered(each) for each in value] if isinstance(value, list) else value


def place_for(path: str) -> Path:
    """Where a file is to be written, or the complaint that nothing can be; asked before long work, too."""
    target = Path(path)
    if not target.name or target.is_dir():
        raise InputError(f"{path or repr(path)}: file: expected the name of a file to write")
    if target.parent != Path() and not target.parent.is_dir():
        raise InputError(f"{path}: file: the folder {target.parent} does not exist")
    return target


def write_bytes(path: str, data: bytes) -> None:
    """Write a file in one step, or to standard output for ``-``."""
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    target = place_for(path)
    try:
        with written(target) as beside:
            beside.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path}: file: {(error.strerror or str(error)).lower()}") from None


def size_option(default: str) -> Callable[[F], F]:
    """``--size WIDTHxHEIGHT`` in pixels."""

    def parse(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
        found = re.fullmatch(r"([0-9]{1,5})[xX]([0-9]{1,5})", value)
        if found is None:
            raise click.BadParameter(f"expected WIDTHxHEIGHT such as 1280x720, got {quoted(value)}")
        size = (int(found[1]), int(found[2]))
        from sim.view.sizes import refused

        if why := refused(*size):
            raise click.BadParameter(why)
        return size

    return click.option("--size", default=default, show_default=True, callback=parse, help="Pixels, WIDTHxHEIGHT.")


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal, nothing in a pipe; gives a function of (done, total)."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=unfiltered(sys.stderr)), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report
