"""What is wrong with a file, in one line: which file, where in it, and what was expected."""

from __future__ import annotations

import re


class ScenarioError(ValueError):
    """A file that does not describe a battle."""

    def __init__(self, file: str, where: str, what: str) -> None:
        what = " ".join(what.split())
        super().__init__(f"{file}: {where}: {what}")
        self.file, self.where, self.what = file, where, what


def line_of(text: str, path: str) -> int | None:
    """The line on which a value stands in a TOML text, by a path such as ``$.unit[1].base.round``; None if unknown.

    Tables are found by their headers; a value inside an inline table is found by the line of its outermost key.
    """
    steps = re.findall(r"[A-Za-z_][\w-]*|\[\d+\]", path.removeprefix("$"))
    if not steps:
        return None
    lines = text.splitlines()
    table, start, end = steps[0], 0, len(lines)
    rest = steps[1:]
    if rest and rest[0].startswith("["):
        headers = [i for i, line in enumerate(lines) if _header(line) == f"[[{table}]]"]
        at = int(rest[0][1:-1])
        if at >= len(headers):
            return _key_line(lines, table, 0, len(lines))
        start, end, rest = headers[at], _next_header(lines, headers[at]), rest[1:]
    elif any(_header(line) == f"[{table}]" for line in lines):
        start = next(i for i, line in enumerate(lines) if _header(line) == f"[{table}]")
        end = _next_header(lines, start)
    else:
        return _key_line(lines, table, 0, len(lines))
    keys = [step for step in rest if not step.startswith("[")]
    found = _key_line(lines, keys[0], start, end) if keys else None
    return found if found is not None else start + 1


def _header(line: str) -> str:
    return line.split("#")[0].strip().replace(" ", "")


def _next_header(lines: list[str], after: int) -> int:
    for i in range(after + 1, len(lines)):
        if _header(lines[i]).startswith("[") and _header(lines[i]).endswith("]") and "=" not in lines[i]:
            return i
    return len(lines)


def _key_line(lines: list[str], key: str, start: int, end: int) -> int | None:
    for i in range(start, end):
        if re.match(rf'\s*["\']?{re.escape(key)}["\']?\s*[=.]', lines[i]):
            return i + 1
    return None
