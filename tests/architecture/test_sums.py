"""Since Python 3.12 ``sum`` rounds fractions otherwise than before; ``math.fsum`` gives the same on all of them."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.source import calls, trees

# Names of whole numbers, of rows of them, and of what answers yes or no. Whoever sums something else takes math.fsum.
WHOLE = {"amount", "value", "points", "count", "plus", "face", "seen", "width"}
ROWS = {"faces", "wounds", "told", "begin", "state", "left", "seen", "values", "widths", "blocks"}
ANSWERS = {
    "len",
    "bool",
    "int",
    "sum",
    "within",
    "beyond",
    "same_name",
    "reaches",
    "hits",
    "saves",
    "marked",
    "has_model",
    "abs",
    "_places",
}


def called(node: ast.expr) -> str:
    """The last name of what is called, looked up or named."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_whole(node: ast.expr) -> bool:
    """Whether an element of a sum is a whole number, or a yes or no, by its looks."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Call(func=func):
            return called(func) in ANSWERS
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub() | ast.Mult()):
            return is_whole(left) and is_whole(right)
        case _:
            return called(node) in WHOLE


def sums_of_fractions(tree: ast.Module) -> list[int]:
    """The lines on which ``sum`` adds up what may be no whole numbers."""
    found = []
    for name, call in calls(tree):
        if name != "sum":
            continue
        (row, *_) = call.args
        match row:
            case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element):
                fine = is_whole(element)
            case ast.Call(func=func):
                fine = called(func) in ROWS
            case ast.Subscript(value=ast.Call() | ast.Name() as inner):
                fine = called(inner.func if isinstance(inner, ast.Call) else inner) in ROWS | {"sorted", "found"}
            case _:
                fine = called(row) in ROWS
        if not fine:
            found.append(call.lineno)
    return found


@pytest.mark.parametrize("name", sorted(trees()))
def test_fractions_are_summed_by_one_function(name: str) -> None:
    assert sums_of_fractions(trees()[name]) == [], "math.fsum sums alike on every Python"


@pytest.mark.parametrize(
    "line", ["sum(p.x for p in poses)", "sum(lengths)", "sum(leg.length for leg in legs)", "sum(f(x) for x in y)"]
)
def test_the_search_for_sums_finds_them(line: str) -> None:
    assert sums_of_fractions(ast.parse(line)) == [1]
