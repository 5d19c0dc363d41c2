"""Damage files in every way and hand them to every verb: an answer or one line a fault, and never anything else.

``python tools/fuzz.py [--count N] [--seed N] [--keep FOLDER]``: mutants of scenarios, cases, maps, rosters, lists,
storyboards and records. Each is a fault of the program when it ends in an exception, in another exit status than 0, 1
or 2, in wrong input without a line for it, takes more than ten seconds or more than 1.5 GB, or leaves a file behind.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sim.app.cli import cli  # noqa: E402 - found beside this file
from sim.app.films import film_of  # noqa: E402
from sim.reading import FileError  # noqa: E402

MOST_SECONDS = 10.0
MOST_MEMORY = 1.5e9  # bytes
VALUES = (
    "nan", "inf", "-inf", "-1", "0", "1e308", "1e-308", "9" * 25, "9" * 5000, "true", '""', '"x"', '"red"', "[]",
    "[[]]", "{}", "[1]", "[1, 2, 3]", "[[1, 2], [3]]", "1979-05-27",
    '"a\\nb"', '"\\u0000"', '"\\u001b[2J"', "{ at = [1, 1] }",
    "-0.0", "400", "1000", "[nan, 1]", '["a"]', "[" * 50 + "]" * 50, "[" * 3000 + "]" * 3000,
    '"' + "x" * 100_000 + '"',
    '"../../../etc/passwd"', '"/dev/zero"', "10000", "1e17", "-1e19", "0.1",
)  # fmt: skip
LETTERS = '[]{}=".,#\n 0123456789eE+-_naif\\"\x00\x1b\u202eé:'


class TooLong(Exception):
    """A mutant has had its time."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: examples of it, and what may be done with one that lies at a path."""

    name: str
    ending: str
    examples: tuple[bytes, ...]
    uses: tuple[Callable[[str], int], ...]


def verb(*words: str) -> Callable[[str], int]:
    """The command line with some words, ``{}`` for the file; gives the exit status."""

    def use(path: str) -> int:
        status = cli.main(
            args=[word.replace("{}", path) for word in words], prog_name="inchwise", standalone_mode=False
        )
        return status if isinstance(status, int) else 0

    return use


def film(path: str) -> int:
    """The first and the last picture of a film."""
    found = film_of(path)
    for second in (0.0, found.duration / 2, found.duration):
        found.scene_at(second)
    return 0


def through(key: str) -> Callable[[str], int]:
    """A scenario that refers to the file as its map or roster."""

    def use(path: str) -> int:
        outer = Path(path).with_name("outer.toml")
        table = "" if key == "map" else "table = { width = 60, depth = 44 }\n"
        outer.write_text(f'ruleset = "wh40k10"\n{key} = "{Path(path).name}"\n{table}', encoding="utf-8")
        try:
            return verb("render", "{}", "-o", str(Path(path).with_name("out.svg")))(str(outer))
        finally:
            outer.unlink()

    return use


def kinds() -> tuple[Kind, ...]:
    """Every kind of file, with what is shipped and what the tests read as its examples."""
    cases = _read(sorted((ROOT / "tests/cases").rglob("*.toml"))[::12])
    scenarios = _read(sorted((ROOT / "assets/scenarios").glob("*.toml")))
    lists = _read(sorted((ROOT / "tests/scenario/importers/fixtures").glob("*.txt")))
    records = _read(p for p in sorted(ROOT.glob("assets/**/*.jsonl")) if p.stat().st_size < 300_000)
    board = b'scenario = "assets/scenarios/demo.toml"\n[[shot]]\nseconds = 1\ncaption = "x"\n[[shot]]\nseconds = 2.5\n'
    draw = verb("render", "{}", "-o", "{}.svg")
    judging = tuple(
        verb(*words) for words in (("check", "{}"), ("check", "{}", "--json"), ("ask", "{}"), ("odds", "{}"))
    )
    found = (
        Kind("case", ".toml", cases, (*judging, verb("cases", "{}"), draw)),
        Kind("scenario", ".toml", scenarios, (draw, verb("check", "{}"))),
        Kind("map", ".toml", _read(sorted((ROOT / "maps").glob("*.toml"))), (through("map"),)),
        Kind("roster", ".toml", cases, (through("roster"),)),
        Kind("list", ".txt", lists, (verb("import", "{}"), verb("import", "{}", "--json"))),
        Kind("storyboard", ".toml", (board,), (film,)),
        Kind("record", ".jsonl", records, (verb("verify", "{}"), verb("render", "{}", "-o", "{}.svg"), film)),
    )
    return tuple(kind for kind in found if kind.examples)


def _read(paths: Iterator[Path] | list[Path]) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in paths)


# --- damage


def mutant(chance: random.Random, kind: Kind) -> bytes:
    """A damaged example: one to three kinds of damage, one upon another."""
    data = chance.choice(kind.examples)
    for _ in range(chance.randint(1, 3)):
        data = chance.choice((_bytes, _lines, _values, _values, _values, _cut, _spliced))(chance, data, kind)
    return data


def _bytes(chance: random.Random, data: bytes, kind: Kind) -> bytes:
    at = chance.randrange(len(data) + 1)
    more = "".join(chance.choice(LETTERS) for _ in range(chance.randint(0, 4))).encode()
    more = chance.choice((more, bytes([chance.randrange(256)])))
    return data[:at] + more + data[at + chance.randint(0, 4) :]


def _lines(chance: random.Random, data: bytes, kind: Kind) -> bytes:
    lines = data.split(b"\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines.insert(to, lines.pop(at))
        case _:
            lines[at] = lines[at] * chance.choice((2, 50, 1000))
    return b"\n".join(lines)


def _values(chance: random.Random, data: bytes, kind: Kind) -> bytes:
    """Another value behind a key: of a table, or anywhere in a line of a record."""
    sign = rb'("\w+":\s*)([^,\]}\s]+)' if kind.ending == ".jsonl" else rb"(=\s*|\[\s*|,\s*)([^,\[\]{}\n]+)"
    found = list(re.finditer(sign, data[:60_000])) if chance.random() < 0.9 else list(re.finditer(sign, data))
    if not found:
        return data
    place = chance.choice(found)
    value = chance.choice(VALUES) if chance.random() < 0.8 else str(chance.uniform(-100, 100))
    return data[: place.start(2)] + value.encode() + data[place.end(2) :]


def _cut(chance: random.Random, data: bytes, kind: Kind) -> bytes:
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.3 else data


def _spliced(chance: random.Random, data: bytes, kind: Kind) -> bytes:
    other = chance.choice(kind.examples)
    at = chance.randrange(len(data) + 1)
    return data[:at] + other[chance.randrange(len(other) + 1) :][:2000]


# --- looking


def looked_at(kind: Kind, use: Callable[[str], int], path: Path) -> str:
    """What is wrong with how the program took a file; nothing when all is well."""
    before, most = set(path.parent.iterdir()), max(MOST_MEMORY, _memory())  # what ran before may have needed more
    said = io.StringIO()
    status = 0
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), _in_time():
            try:
                status = use(str(path))
            except click.ClickException as error:
                lines = error.format_message().split("\n")
                if not all(lines) or len(lines) > 30:
                    return f"wrong input without a line for it: {lines[:3]}"
                status = 2
            except FileError:
                status = 2
    except TooLong:
        return f"more than {MOST_SECONDS:g} s"
    except BaseException:  # whatever comes is what is looked for
        return traceback.format_exc()
    if status not in (0, 1, 2):
        return f"exit status {status}"
    if status == 2 and (left := set(path.parent.iterdir()) - before):
        return f"refused, and yet written: {', '.join(sorted(each.name for each in left))}"
    if _memory() > most:
        return f"more than {MOST_MEMORY / 1e9:g} GB"
    return ""


def _memory() -> float:
    """The most bytes that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def fuzz(count: int, seed: int, keep: Path | None = None, seconds: float = 1e9) -> list[str]:
    """Look at so many mutants, or at as many as there is time for; what is wrong, one text a fault."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    all_kinds = kinds()
    faults: list[str] = []
    seen: Counter[str] = Counter()
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            if time.monotonic() > until:
                break
            chance = random.Random(f"{seed}.{number}")
            kind = chance.choice(all_kinds)
            path = Path(folder) / f"mutant{kind.ending}"
            path.write_bytes(mutant(chance, kind))
            seen[kind.name] += 1
            wrong = looked_at(kind, chance.choice(kind.uses), path)
            if wrong:
                faults.append(f"mutant {number} of seed {seed} ({kind.name}): {wrong}")
                if keep is not None:
                    (keep / f"{seed}-{number}{kind.ending}").write_bytes(path.read_bytes())
            for left in Path(folder).iterdir():
                left.unlink()
    print(f"{sum(seen.values())} mutants ({', '.join(f'{n} {k}' for k, n in seen.items())}), {len(faults)} faults")
    return faults


def main() -> int:
    """Look, tell, and leave with 1 when anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="A folder for the files that something is wrong with.")
    given = parser.parse_args()
    os.chdir(ROOT)
    faults = fuzz(given.count, given.seed, given.keep)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
