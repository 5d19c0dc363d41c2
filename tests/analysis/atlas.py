"""Legality censuses as pictures in letters: taken, kept in a file beside their table, and compared.

``python -m tests.analysis.atlas`` takes them anew, for whoever changed a rule on purpose.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from sim.analysis import Census, census
from sim.app.games import rulesets
from sim.geometry import Pose
from sim.rules import Command
from sim.scenario import Case, load_case

FOLDER = Path(__file__).resolve().parent / "tables"
NAMES = tuple(path.stem for path in sorted(FOLDER.glob("*.toml")))
MOST_SHOWN = 12  # rows of a picture of changes


@cache
def case(name: str) -> Case:
    return load_case(FOLDER / f"{name}.toml", rulesets())


def taken(name: str) -> Census:
    """The census of a table as the rules are now."""
    about = case(name)
    command: Any = about.command

    def at(x: float, y: float) -> Command:
        moved: Command = replace(command, models=(Pose(x, y, command.models[0].facing),))
        return moved

    return census(about.ruleset, about.battle, at, 0.5)


def picture(found: Census) -> dict[str, Any]:
    """A census with one letter a cell, the upper edge of the table first; ``.`` is legal."""
    codes = [code for code, _ in found.counts if code != "legal"]
    letters = {"legal": "."} | {code: chr(ord("a") + k) for k, code in enumerate(codes)}
    rows = ["".join(letters[cell] for cell in row) for row in found.cells.tolist()]
    return {
        "step": found.step,
        "counts": dict(found.counts),
        "letters": {letter: code for code, letter in letters.items()},
        "rows": rows[::-1],
    }


def pinned(name: str) -> dict[str, Any]:
    """The picture that was kept."""
    kept: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return kept


def changes(now: dict[str, Any], then: dict[str, Any]) -> str:
    """What is different, for people: counts, and the rows in which cells changed; empty when nothing is."""
    if now == then:
        return ""
    lines = []
    for code in sorted({*now["counts"], *then["counts"]}):
        before, after = then["counts"].get(code, 0), now["counts"].get(code, 0)
        if before != after:
            lines.append(f"{code}: {before} cells, now {after}")
    said = [[said_of[letter] for letter in row] for said_of, row in _cells(now)]
    meant = [[said_of[letter] for letter in row] for said_of, row in _cells(then)]
    moves: Counter[str] = Counter()
    rows = []
    for k, (a, b) in enumerate(zip(said, meant, strict=False)):
        changed = [x for x, (new, old) in enumerate(zip(a, b, strict=False)) if new != old]
        moves.update(f"{b[x]} became {a[x]}" for x in changed)
        if changed:
            y = (len(said) - k - 0.5) * now["step"]
            marks = "".join("#" if x in set(changed) else "." for x in range(len(a)))
            rows.append(f"y={y:5.2f} from x={(changed[0] + 0.5) * now['step']:.2f} {marks}")
    lines += [f"{count} × {move}" for move, count in moves.most_common()]
    return "\n".join([*lines, *rows[:MOST_SHOWN], *(["…"] if len(rows) > MOST_SHOWN else [])])


def _cells(kept: dict[str, Any]) -> list[tuple[dict[str, str], str]]:
    return [(kept["letters"], row) for row in kept["rows"]]


def main() -> None:
    for name in NAMES:
        text = json.dumps(picture(taken(name)), indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
