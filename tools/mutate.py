"""Does any case notice when a number of the rules is off by a hundredth of an inch?

    python tools/mutate.py [RULESET…] [--by 0.01] [--all]

Every constant of the rulesets that is measured in inches (a name in capitals with a comment that begins with
``# inches``) is changed up and down, one at a time, in a temporary copy of its ruleset, and the cases of the ruleset
are run until one misses. Prints a table; exit status 1 when a change goes unnoticed. ``--all`` takes every number in
capitals at the head of a module with a comment, ``--by 1`` for those that count.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULESETS = ROOT / "sim" / "rulesets"
CASES = ROOT / "tests" / "cases"
STEP = 0.01  # inches
INCHES = re.compile(r"^([A-Z][A-Z0-9_]*)(: \w+)? = ([-\d./* ()]+?)  # inches\b.*$", re.MULTILINE)
NUMBERS = re.compile(r"^([A-Z][A-Z0-9_]*)(: \w+)? = ([-\d./* ()]+?)  # .*$", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """One constant of one module of a ruleset, changed by an amount."""

    ruleset: str
    module: str
    name: str
    by: float

    def __str__(self) -> str:
        return f"{self.ruleset}/{self.module} {self.name} {self.by:+g}"

    def apply(self, text: str) -> str:
        """The module's text with the constant changed."""

        def change(match: re.Match[str]) -> str:
            if match[1] != self.name:
                return match[0]
            return match[0].replace(f" = {match[3]}  #", f" = ({match[3]}) + ({self.by!r})  #")

        return NUMBERS.sub(change, text)


def mutants(rulesets: Sequence[str], by: float = STEP, pattern: re.Pattern[str] = INCHES) -> list[Mutant]:
    """Every constant of the given rulesets, up and down."""
    found = []
    for ruleset in rulesets:
        for file in sorted((RULESETS / ruleset).glob("*.py")):
            for match in pattern.finditer(file.read_text(encoding="utf-8")):
                found += [Mutant(ruleset, file.name, match[1], sign * by) for sign in (1, -1)]
    return found


def caught_by(mutant: Mutant) -> str | None:
    """The first case that misses with the constant changed, None when all come out as ever.

    The calling process keeps the changed ruleset: give it one of its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / mutant.ruleset
        shutil.copytree(RULESETS / mutant.ruleset, copy, ignore=shutil.ignore_patterns("__pycache__"))
        file = copy / mutant.module
        text = file.read_text(encoding="utf-8")
        changed = mutant.apply(text)
        if mutant.by and changed == text:
            raise ValueError(f"{mutant}: there is no such constant")
        file.write_text(changed, encoding="utf-8")
        ruleset = _loaded(Path(folder), mutant.ruleset)
        return _first_miss(mutant.ruleset, ruleset)


def _loaded(folder: Path, name: str) -> object:
    """The ruleset of a copy, in place of the one that may be loaded already."""
    import importlib

    import sim.rulesets

    for module in [m for m in sys.modules if m.startswith(f"sim.rulesets.{name}")]:
        del sys.modules[module]
    sim.rulesets.__path__ = [str(folder), *sim.rulesets.__path__]
    found = importlib.import_module(f"sim.rulesets.{name}")
    if not str(found.__file__).startswith(str(folder)):
        raise ImportError(f"{name} came from {found.__file__}, not from its copy")
    return found.RULESET


def _first_miss(name: str, ruleset: object) -> str | None:
    from sim.app.expectations import misses
    from sim.scenario import load_case

    folder = CASES / name
    for file in _likely_first(folder):
        if misses(load_case(file, {name: ruleset})):  # type: ignore[dict-item]
            return file.relative_to(folder).as_posix()
    return None


def _likely_first(folder: Path) -> Iterator[Path]:
    """The case files, those of close calls first."""
    files = sorted(folder.rglob("*.toml"))
    yield from sorted(files, key=lambda file: ("oracle" not in file.parts, file))


def _run(mutant: Mutant) -> tuple[Mutant, str | None]:
    return mutant, caught_by(mutant)


def _preload() -> None:
    """Import what is heavy once, before the processes are forked."""
    import sim.app.expectations
    import sim.scenario  # noqa: F401


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all mutants; 1 when one of them goes unnoticed."""
    known = sorted(p.name for p in RULESETS.iterdir() if (p / "ruleset.py").is_file())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset", nargs="*", metavar="RULESET", help=f"one of {', '.join(known)}; all by default")
    parser.add_argument("--by", type=float, default=STEP, help="inches; %(default)s by default")
    parser.add_argument("--all", action="store_true", help="constants of any unit")
    given = parser.parse_args(arguments)
    if unknown := set(given.ruleset) - set(known):
        parser.error(f"no ruleset is called {', '.join(sorted(unknown))}")
    todo = mutants(given.ruleset or known, given.by, NUMBERS if given.all else INCHES)
    _preload()
    free = 0
    width = max((len(str(mutant)) for mutant in todo), default=0)
    workers = ProcessPoolExecutor(max_workers=min(4, os.cpu_count() or 1), mp_context=get_context("fork"))
    with workers:
        for mutant, case in workers.map(_run, todo):
            free += case is None
            print(f"{mutant!s:{width}}  {'NOT CAUGHT' if case is None else f'caught by {case}'}", flush=True)
    print(f"{len(todo) - free} of {len(todo)} changes are caught")
    return 1 if free else 0


if __name__ == "__main__":
    raise SystemExit(main())
