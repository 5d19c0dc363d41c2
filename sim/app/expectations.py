"""Does a case come out as its file expects? What ``inchwise cases`` and the test suite both run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim.app.expected_odds import odds_misses
from sim.chance import DiceError, ScriptedDice
from sim.engine import FirstChoice, Resolution, judge, resolve
from sim.geometry import EPS
from sim.rules import QuestionError, Verdict
from sim.scenario import Ask, Case

OUTCOMES = ("outcome", "at", "distance", "target", "side", "needs")


def misses(case: Case) -> tuple[str, ...]:
    """Everything in which a case does not come out as expected, in words; empty when it does."""
    found = list(_command_misses(case))
    for ask in case.asks:
        found.extend(ask_misses(case, ask))
    if case.command is None and not case.asks:
        found.append("the case has neither a command nor a question")
    return tuple(found)


def answer(case: Case, ask: Ask) -> Any:
    """The answer to one question of a case; raises ``QuestionError``."""
    details = {} if ask.limit is None else {"limit": ask.limit}
    return case.ruleset.ask(case.battle, ask.question, tuple(ask.of), **details)


def _command_misses(case: Case) -> Iterator[str]:
    if case.command is None:
        return
    expect = case.expect
    if expect.odds is not None:
        yield from odds_misses(case, expect.odds)
    elif expect.legal is None and expect.codes is None:
        yield "the case has a command but expects nothing of it"
        return
    verdict = judge(case.ruleset, case.battle, case.command)
    if expect.legal is not None and expect.legal != verdict.legal:
        said = "legal" if verdict.legal else f"illegal ({', '.join(verdict.codes)})"
        yield f"expected {'legal' if expect.legal else 'illegal'}, got {said}"
    if expect.codes is not None and tuple(sorted(expect.codes)) != verdict.codes:
        yield f"expected codes {', '.join(sorted(expect.codes)) or 'none'}, got {', '.join(verdict.codes) or 'none'}"
    for code, value in expect.measured.items():
        yield from _measured_misses(verdict, code, value)
    expected = {name: getattr(expect, name) for name in OUTCOMES if getattr(expect, name) is not None}
    if expected and verdict.legal:
        yield from _outcome_misses(case, expected)
    elif expected:
        yield f"expected {', '.join(expected)}, but the command is not legal"


def outcome(case: Case) -> tuple[Resolution, Mapping[str, Any]]:
    """What comes of a case's command with its dice, the owner taking the first choice; raises ``DiceError``."""
    assert case.command is not None
    play = case.ruleset.play(case.command)
    procedure = play.resolve(case.battle, case.command)
    result = resolve(case.ruleset, case.battle, procedure, ScriptedDice(case.dice), FirstChoice())
    if play.outcome is None:
        return result, {}
    return result, play.outcome(case.battle, case.command, result.events, result.battle)


def _outcome_misses(case: Case, expected: Mapping[str, Any]) -> Iterator[str]:
    """What is expected of the command's outcome and is not so."""
    try:
        _, found = outcome(case)
    except DiceError as error:
        yield str(error)
        return
    for name, value in expected.items():
        said = found.get(name)
        if not _same(said, list(value) if isinstance(value, tuple) else value):
            yield f"expected {name} {value!r}, got {said!r}"


def _measured_misses(verdict: Verdict, code: str, value: float) -> Iterator[str]:
    """The worst violation of a code is the one that is expected."""
    found = [v for v in verdict.violations if v.code == code and v.measured is not None]
    if not found:
        yield f"expected a measured {code}, got none"
        return
    worst = max(found, key=lambda v: v.shortfall if v.shortfall is not None else 0.0)
    assert worst.measured is not None
    if abs(worst.measured - value) > EPS:
        yield f"expected {code} to measure {value!r}, got {worst.measured!r}"


def ask_misses(case: Case, ask: Ask) -> Iterator[str]:
    """What is not as a question of a case expects it, one line each."""
    name = f"{ask.question} of {', '.join(ask.of)}"
    try:
        said = answer(case, ask)
    except QuestionError as error:
        yield f"{name}: {error}"
        return
    if ask.answer is None:
        yield f"{name}: the case gives no answer to hold against {said!r}"
    elif not _same(said, ask.answer):
        yield f"{name}: expected {ask.answer!r}, got {said!r}"


def _same(said: Any, expected: Any) -> bool:
    if isinstance(said, bool) or isinstance(expected, bool):
        return said is expected
    if isinstance(said, (int, float)) and isinstance(expected, (int, float)):
        return abs(said - expected) <= EPS
    if isinstance(said, tuple) and isinstance(expected, list):
        return len(said) == len(expected) and all(map(_same, said, expected))
    return bool(said == expected)
