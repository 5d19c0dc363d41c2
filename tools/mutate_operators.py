"""Do the tests notice when an operator of the program is another one?

    python tools/mutate_operators.py [rules|plans|picture] [--sample 200] [--seed 1] [--only PART] [--list]

The mutants are those of cosmic-ray: a ``<`` for a ``<=``, an ``or`` for an ``and``, a number and one more, a loop that
never runs. A sample is drawn from all mutants of a group of modules by a seed. Which tests run which line is measured
first, by the coverage of each test; a mutant is given to the tests that run its line, the quick ones first, in a
process of its own, until one fails. Prints the mutants that survive and how many were killed; exit status 1 when less
than the wanted share was. Takes a while: run it by hand, niced. Needs the packages of the extra ``mutation``.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WANTED = 0.85  # the share of mutants that is to be killed
PATIENCE = 60.0  # seconds of tests for one mutant, by the time that they take without it
LOOPING = 5  # who takes this many times its time has been caught in a loop
UNTOUCHED = ("numpy", "pytest", "shapely", "icepool", "msgspec", "pygame")  # loaded before the forks

RULES, PLANS = (
    tuple(f"sim/rulesets/wh40k10/{name}.py" for name in names)
    for names in (
        ("fighting", "striking", "stratagems", "core_stratagems", "shooting", "losses"),
        ("planning", "tactics"),  # where a unit goes is a matter of taste: the right answer is any legal one
    )
)
OF_RULES = ("tests/rulesets/wh40k10", "tests/players", "tests/engine", "tests/architecture/test_cases.py")
OPERATORS = (
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Is_IsNot", "IsNot_Is", "Lt_Gt", "Gt_Lt")),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul")),
    *("ReplaceAndWithOr", "ReplaceOrWithAnd", "AddNot", "ReplaceUnaryOperator_Delete_Not", "NumberReplacer"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    "ZeroIterationForLoop",
)


@dataclass(frozen=True)
class Group:
    """Modules whose operators are changed, by patterns, and the tests that are asked."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self) -> list[Path]:
        """The modules, as files of the checkout."""
        return sorted({file for pattern in self.modules for file in ROOT.glob(pattern)})


GROUPS = {
    "rules": Group((*RULES, "sim/players/*.py"), OF_RULES),
    "plans": Group(PLANS, OF_RULES),
    "picture": Group(
        ("sim/view/*.py", "sim/record/*.py", "sim/scenario/**/*.py", "sim/app/window/session.py"),
        ("tests/view", "tests/record", "tests/scenario", "tests/render", "tests/analysis", "tests/app"),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """One operator of a module, changed: where it stands, and which change of the tool's it is."""

    file: Path
    line: int
    operator: str
    occurrence: int

    def text(self) -> str | None:
        """The module's whole text with the change; None where there is none to be made."""
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator

        operator = get_operator(f"core/{self.operator}")()
        changed: str | None = mutate_code(self.file.read_text(encoding="utf-8"), operator, self.occurrence)
        return changed

    def __str__(self) -> str:
        before, after = self.file.read_text(encoding="utf-8").splitlines(), (self.text() or "").splitlines()
        differs = [f"\n  - {b.strip()}\n  + {a.strip()}" for b, a in zip(before, after, strict=False) if a != b]
        return f"{self.file.relative_to(ROOT)}:{self.line}  {self.operator}{''.join(differs[:1])}"


def mutants(file: Path) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of the operators."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator

    text = file.read_text(encoding="utf-8")
    lines, nodes = text.splitlines(), list(ast_nodes(get_ast(text)))
    for name in OPERATORS:
        operator = get_operator(f"core/{name}")()
        places = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for occurrence, (row, column) in enumerate(places):
            if not _only_guards(lines[row - 1], column):
                yield Mutant(file, row, name, occurrence)


def _only_guards(line: str, column: int) -> bool:
    """Whether what stands there guards those who change the code, and no player can see it: ``zip``'s ``strict``."""
    return line.lstrip().startswith("@") or line[:column].endswith("strict=")


@dataclass
class Knowledge:
    """Which tests run which line of which file, and how long each test takes."""

    seconds: dict[str, float] = field(default_factory=dict)
    by_line: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    by_file: dict[str, set[str]] = field(default_factory=dict)

    def tests_for(self, mutant: Mutant) -> list[str]:
        """The tests of a mutant, quick ones first, as many as patience allows."""
        name = str(mutant.file)
        asked = self.by_line.get((name, mutant.line)) or self.by_file.get(name, set())
        chosen: list[str] = []
        left = PATIENCE
        for test in sorted(asked, key=lambda test: (self.seconds.get(test, 0.0), test)):
            left -= self.seconds.get(test, 0.0)
            if left < 0.0 and chosen:
                break
            chosen.append(test)
        return chosen


class Unchanged(Mutant):
    """A module as it is: what no test may notice."""

    def text(self) -> str:
        """The module's own text."""
        return self.file.read_text(encoding="utf-8")


class _Clock:
    """A plugin of pytest that keeps how long each test took, and whether one failed."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add a phase of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration


def measured(group: Group, folder: Path) -> Knowledge:
    """Run the tests of a group once, without a change, and see what each of them runs."""
    data, times, settings = folder / "coverage", folder / "seconds.json", folder / "coveragerc"
    settings.write_text(f"[run]\ndata_file = {data}\nsource = sim\ncore = ctrace\n", encoding="utf-8")
    options = ["-q", "-n", "2", "--cov=sim", "--cov-context=test", "--cov-report=", f"--cov-config={settings}"]
    if _apart(lambda: _timed([*options, *group.tests], times)):
        raise SystemExit("tests fail without any change")
    return known_from(group, data, json.loads(times.read_text(encoding="utf-8")))


def _timed(arguments: list[str], times: Path) -> int:
    clock = _Clock()
    status = int(importlib.import_module("pytest").main(arguments, plugins=[clock]))
    times.write_text(json.dumps(clock.seconds), encoding="utf-8")
    return status


def known_from(group: Group, data: Path, seconds: dict[str, float]) -> Knowledge:
    """What a run with the coverage of each test has found out."""
    found = importlib.import_module("coverage").CoverageData(str(data))
    found.read()
    known = Knowledge(seconds)
    for file in map(str, group.files()):
        for line, contexts in found.contexts_by_lineno(file).items():
            here = {context.rsplit("|", 1)[0] for context in contexts if context}
            known.by_line.setdefault((file, line), set()).update(here)
            known.by_file.setdefault(file, set()).update(here)
    return known


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module in its changed text, and no other."""

    def __init__(self, file: Path, text: str) -> None:
        self.name, self.text, self.path = ".".join(file.relative_to(ROOT).with_suffix("").parts), text, str(file)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Its place, where it is the one that is asked for."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text."""
        exec(compile(self.text, self.path, "exec"), module.__dict__)  # noqa: S102 - the project's own text


def killed(mutant: Mutant, tests: Sequence[str], seconds: float) -> bool:
    """Whether one of the tests fails with the mutant, in a process of its own, or takes far longer than it should."""
    text = mutant.text()
    if not tests or text is None:
        return False

    def tried() -> int:
        signal.alarm(int(30 + LOOPING * seconds))
        sys.meta_path.insert(0, _Changed(mutant.file, text))
        pytest = importlib.import_module("pytest")
        return int(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:cov", *tests]))

    return _apart(tried) != 0


def _apart(work: Callable[[], int]) -> int:
    """Do it in a process of its own, unheard; its status."""
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        status = 3
        try:
            status = work()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return status


def survivors(drawn: Iterable[Mutant], known: Knowledge, jobs: int) -> Iterator[Mutant]:
    """The mutants that no test notices."""

    def survives(mutant: Mutant) -> Mutant | None:
        tests = known.tests_for(mutant)
        return None if killed(mutant, tests, sum(known.seconds.get(test, 0.0) for test in tests)) else mutant

    with ThreadPoolExecutor(jobs) as pool:
        for mutant in pool.map(survives, drawn):
            if mutant is not None:
                yield mutant


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sample of the mutants; 1 when too many survive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group", nargs="?", choices=list(GROUPS), default="rules", help="%(default)s by default")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants; %(default)s by default")
    parser.add_argument("--seed", type=int, default=1, help="which of them; %(default)s by default")
    parser.add_argument("--only", default="", metavar="PART", help="only modules whose path holds this")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="only these tests; those of the group by default")
    parser.add_argument("--jobs", type=int, default=1, help="mutants side by side; %(default)s by default")
    parser.add_argument("--list", action="store_true", help="only name the mutants")
    given = parser.parse_args(arguments)
    group = GROUPS[given.group]
    if given.tests:
        group = Group(group.modules, tuple(given.tests))
    every = [mutant for file in group.files() if given.only in str(file) for mutant in mutants(file)]
    drawn = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    drawn.sort(key=lambda mutant: (mutant.file, mutant.line))
    if given.list:
        print(*drawn, sep="\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        known = measured(group, Path(folder))
    for name in UNTOUCHED:
        importlib.import_module(name)
    for file in {mutant.file for mutant in drawn}:
        if known.by_file.get(str(file)) and list(survivors([Unchanged(file, 0, "", 0)], known, 1)) == []:
            raise SystemExit(f"tests fail without any change: those of {file.relative_to(ROOT)}")
    lost = 0
    for mutant in survivors(drawn, known, given.jobs):
        lost += 1
        untested = "" if known.tests_for(mutant) else "  (no test comes here)"
        print(f"SURVIVED  {mutant}{untested}", flush=True)
    share = 1 - lost / max(1, len(drawn))
    print(f"{len(drawn) - lost} of {len(drawn)} mutants were killed ({share:.0%}), of {len(every)} that there are")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
