"""Are the odds of a case those that its file expects? ``[expect.odds]`` against what ``inchwise odds`` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.battle import BattleError
from sim.rules import Odds
from sim.scenario import Case
from sim.scenario.schema import ExpectedOdds

AVERAGES = {"models": "models destroyed", "damage": "wounds lost"}  # a key of the file and the distribution it is of
CHANCES = {"destroyed": "all_destroyed_chance", "chance": "chance"}  # a key of the file and the number that it is


def odds_misses(case: Case, expected: ExpectedOdds) -> Iterator[str]:
    """Everything in which the odds are not as expected, one line each."""
    if case.ruleset.odds is None:
        yield f"expected odds, and {case.ruleset.title} has none"
        return
    try:
        rows = case.ruleset.odds(case.battle, case.command)
    except BattleError as error:
        yield f"expected odds, but {error}"
        return
    row = _row(rows, expected)
    if row is None:
        targets = ", ".join(dict.fromkeys(str(r.numbers["target"]) for r in rows if "target" in r.numbers))
        yield f"expected odds of one target; the command has {targets or 'none'}"
        return
    said = _said(row)
    for name in (*CHANCES, *AVERAGES):
        value = getattr(expected, name)
        if value is None:
            continue
        if name not in said:
            yield f"expected odds.{name} {value!r}, and the odds of this command have none"
        elif abs(said[name] - value) > expected.tolerance:
            yield f"expected odds.{name} {value!r} within {expected.tolerance:g}, got {said[name]!r}"
    left_out = list(row.numbers.get("left_out", ()))
    if expected.left_out is not None and sorted(expected.left_out) != sorted(left_out):
        yield f"expected odds.left_out {expected.left_out!r}, got {left_out!r}"


def _row(rows: Sequence[Odds], expected: ExpectedOdds) -> Odds | None:
    """The odds of all attacks together at the target that is meant, None where it is not said which."""
    attacks = [row for row in rows if "volleys" in row.numbers or not rows[0].numbers.get("target")]
    named = [row for row in rows if row.numbers.get("target") == expected.target] if expected.target else attacks
    if expected.picked_out is not None:
        named = [row for row in named if row.numbers.get("picked_out", False) == expected.picked_out]
    if len({row.numbers.get("target") for row in named}) != 1:
        return None
    return max(named, key=lambda row: row.numbers.get("volleys", 0))


def _said(row: Odds) -> Mapping[str, Any]:
    """What the odds say, by the keys of the file."""
    distributions = dict(row.distributions)
    averages = {name: distributions[what].mean for name, what in AVERAGES.items() if what in distributions}
    return averages | {name: row.numbers[what] for name, what in CHANCES.items() if what in row.numbers}
