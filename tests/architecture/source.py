"""The source of the project as syntax trees, for tests that read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import sim

HOME = Path(sim.__file__).resolve().parent
ROOT = HOME.parent


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of the package by its path below it, such as ``battle/state.py``."""
    files = sorted(HOME.rglob("*.py"))
    return {f.relative_to(HOME).as_posix(): ast.parse(f.read_text("utf-8"), str(f)) for f in files}


def modules_of(*packages: str) -> dict[str, ast.Module]:
    """The modules of some packages."""
    return {name: tree for name, tree in trees().items() if name.partition("/")[0].removesuffix(".py") in packages}


def dotted(node: ast.expr) -> str:
    """``a.b.c`` for an attribute of an attribute of a name, ``?.c`` where it hangs on something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "?"


def imported(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for: ``np`` for ``numpy``, ``sleep`` for ``time.sleep``."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the full name of what is called, such as ``numpy.random.default_rng``."""
    names = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            head, dot, rest = dotted(node.func).partition(".")
            yield f"{names.get(head, head)}{dot}{rest}", node
