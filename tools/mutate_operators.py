"""Do the tests notice when an operator of the rules of Warhammer 40,000 is another one?

    python tools/mutate_operators.py [MODULE…] [--sample 200] [--seed 1] [--list]

Comparisons, ``and`` and ``or``, ``not``, plus and minus, whole numbers and truth values of the modules are changed one
at a time; of all these mutants a sample is drawn by a seed. For each the cases and the tests that belong to its module
are run in a process of their own until one of them fails. Prints the mutants that survive and how many were killed;
exit status 1 when less than the wanted share was. Takes some seconds a mutant: run it by hand, niced.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
RULESET = "sim.rulesets.wh40k10"
TESTS = ROOT / "tests" / "rulesets" / "wh40k10"
CASES = ROOT / "tests" / "cases" / "wh40k10"
PATIENCE = 300  # seconds for the tests of one mutant; who takes longer has been caught in a loop
WANTED = 0.85  # the share of mutants that is to be killed

SHOOTING_WORDS = (
    *("shoot", "pistol", "engaged", "range", "needs", "firing"),
    *("lone", "one-shot", "blast", "height-", "sight"),
)
# The tests of a module, those that are likely to fail first, and the cases of its chapter.
HELD_BY: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "fighting": (
        ("test_combat", "test_striking", "test_fights", "test_whose_moment"),
        ("f0*", "extra-fight*", "extra-pile-in*", "extra-consolidate*", "e16*", "b15*"),
    ),
    "striking": (("test_striking", "test_combat", "test_rolls_again", "test_leaders"), ("f0*", "extra-fight*", "b15*")),
    "stratagems": (("test_stratagems", "test_whose_moment", "test_reactions"), ("extra-stratagem*", "a35*")),
    "shooting": (
        ("test_shooting", "test_rolls_again", "test_sight", "test_greater_good", "test_volleys", "test_stratagems"),
        ("e15*", "b17*", "f17*", *(f"extra-{word}*" for word in SHOOTING_WORDS)),
    ),
    "losses": (("test_volleys", "test_leaders", "test_stratagems", "test_command_phase"), ("f14*",)),
    "planning": (("test_combat", "test_shooting", "test_heights", "test_play"), ()),
    "tactics": (("test_play", "test_greater_good", "test_heights"), ()),
}

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True)
class Mutant:
    """One expression of a module, written otherwise: where it begins and ends in the text, and what stands there."""

    module: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}  {self.before}  ->  {self.after}"

    def apply(self, text: str) -> str:
        """The module's text with the change."""
        return text[: self.start] + self.after + text[self.end :]


def mutants(module: str) -> list[Mutant]:
    """Every mutant of a module of the ruleset."""
    text = (ROOT / (RULESET.replace(".", "/")) / f"{module}.py").read_text(encoding="utf-8")
    return list(_mutants_of(module, text))


def _mutants_of(module: str, text: str) -> Iterator[Mutant]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode("utf-8")))
    raw = text.encode("utf-8")

    def place(row: int, column: int) -> int:
        return len(raw[: starts[row - 1] + column].decode("utf-8"))

    for node in _expressions(ast.parse(text)):
        start, end = place(node.lineno, node.col_offset), place(node.end_lineno or 0, node.end_col_offset or 0)
        before = text[start:end]
        for changed in _otherwise(node):
            after = ast.unparse(changed)
            if not isinstance(node, ast.Constant):
                after = f"({after})"
            yield Mutant(module, node.lineno, start, end, " ".join(before.split()), after)


def _expressions(tree: ast.AST) -> Iterator[ast.expr]:
    """Expressions that are run: no annotations, and nothing of what is only said in words."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.JoinedStr) or not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue  # a guard for whoever changes the code: nothing that a player does can break it
            if isinstance(child, ast.expr):
                yield child
            yield from _expressions(child)


def _otherwise(node: ast.expr) -> Iterator[ast.expr]:
    """The ways in which an expression may be wrong by one operator."""
    match node:
        case ast.Compare(left, ops, comparators):
            for k, op in enumerate(ops):
                other = [*ops[:k], _OPPOSITES[type(op)](), *ops[k + 1 :]]
                yield ast.Compare(left, other, comparators)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right):
            yield ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right)
        case ast.Constant(value) if isinstance(value, bool):
            yield ast.Constant(not value)
        case ast.Constant(value) if isinstance(value, int):
            yield ast.Constant(value + 1)
        case _:
            return


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module in its changed text, and no other."""

    def __init__(self, name: str, text: str, path: str) -> None:
        self.name, self.text, self.path = name, text, path

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


def killed(mutant: Mutant | None, module: str) -> bool:
    """Whether a case or a test fails with a mutant, or without one; run in a process of its own."""
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        status = 3
        try:
            status = _fails(mutant, module)
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return status != 0


def _fails(mutant: Mutant | None, module: str) -> int:
    """In the child: 0 when all tests of a module pass, else something else."""
    if mutant is not None:
        path = ROOT / RULESET.replace(".", "/") / f"{mutant.module}.py"
        text = mutant.apply(path.read_text(encoding="utf-8"))
        sys.meta_path.insert(0, _Changed(f"{RULESET}.{mutant.module}", text, str(path)))
    tests, globs = HELD_BY[module]
    from sim.app.expectations import misses
    from sim.scenario import load_case

    rules = importlib.import_module(RULESET).RULESET

    for glob in globs:
        for file in sorted(CASES.glob(f"{glob}.toml")):
            if misses(load_case(file, {"wh40k10": rules})):
                return 1
    import pytest

    files = [str(TESTS / f"{name}.py") for name in tests if (TESTS / f"{name}.py").is_file()]
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *files]))


def _preload() -> None:
    """What is heavy and is never changed, loaded once before the processes are forked."""
    for name in ("icepool", "numpy", "pytest", "shapely", "sim.battle", "sim.engine"):
        importlib.import_module(name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sample of the mutants; 1 when too many survive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="*", metavar="MODULE", help=f"of {', '.join(HELD_BY)}; all by default")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants; %(default)s by default")
    parser.add_argument("--seed", type=int, default=1, help="which of them; %(default)s by default")
    parser.add_argument("--list", action="store_true", help="only name the mutants")
    given = parser.parse_args(arguments)
    if unknown := set(given.module) - set(HELD_BY):
        parser.error(f"no module is called {', '.join(sorted(unknown))}; there are {', '.join(HELD_BY)}")
    modules = given.module or list(HELD_BY)
    every = [mutant for module in modules for mutant in mutants(module)]
    chance = random.Random(given.seed)
    drawn = sorted(chance.sample(every, min(given.sample, len(every))), key=lambda m: (m.module, m.start))
    if given.list:
        print(*drawn, sep="\n")
        return 0
    _preload()
    if broken := [module for module in dict.fromkeys(m.module for m in drawn) if killed(None, module)]:
        print(f"tests fail without any change: {', '.join(broken)}")
        return 2
    survivors = 0
    for mutant in drawn:
        if not killed(mutant, mutant.module):
            survivors += 1
            print(f"SURVIVED  {mutant}", flush=True)
    share = 1 - survivors / max(1, len(drawn))
    print(f"{len(drawn) - survivors} of {len(drawn)} mutants were killed ({share:.0%}), of {len(every)} that there are")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
