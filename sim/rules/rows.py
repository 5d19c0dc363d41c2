"""The table of a ruleset's rules with their honest status, read from its RULES.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

Status = Literal["implemented", "partial", "different", "absent"]
_COLUMNS = ("rule", "status", "source", "module", "tests", "options")
_STATUSES = {
    "implemented": "implemented",
    "partial": "partial",
    "different on purpose": "different",
    "absent": "absent",
}


class RowError(ValueError):
    """A row that is no row; says its line and what was expected."""


@dataclass(frozen=True)
class RuleRow:
    """One rule: its name and meaning in our words, its status, where it comes from, and where it lives."""

    rule: str
    status: Status
    source: str
    module: str
    tests: tuple[str, ...]
    options: tuple[str, ...]


def read_rows(text: str) -> tuple[RuleRow, ...]:
    """The rows of every table with the six known columns in a Markdown text; raises ``RowError``."""
    rows = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if tuple(cell.lower() for cell in cells) == _COLUMNS:
            inside = True
        elif inside and not set(line) <= set("|-: "):
            rows.append(_row(number, cells))
    return tuple(rows)


def _row(number: int, cells: list[str]) -> RuleRow:
    if len(cells) != len(_COLUMNS):
        raise RowError(f"line {number}: expected {len(_COLUMNS)} cells, got {len(cells)}")
    rule, status, source, module, tests, options = cells
    if status not in _STATUSES:
        raise RowError(f"line {number}: expected one of {', '.join(_STATUSES)}, got {status!r}")
    return RuleRow(
        rule,
        cast("Status", _STATUSES[status]),
        source,
        module.strip("`"),
        _words(tests),
        _words(options),
    )


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip().strip("`") for word in cell.split(",") if word.strip() not in ("", "–", "-"))
