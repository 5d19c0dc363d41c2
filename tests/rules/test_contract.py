"""Do the words of the contract mean what they say: ledgers, verdicts, names of commands, questions?"""

from __future__ import annotations

from typing import Literal

import pytest

from sim.geometry import Breach, Limit, Pose, Witness
from sim.rules import (
    Command,
    Deploy,
    EndStep,
    Ledger,
    Modifier,
    QuestionError,
    Verdict,
    Violation,
    command_name,
    from_breach,
    verdict_json,
)
from tests.toy import RULESET, skirmish


def better(value: int) -> Modifier:
    return Modifier(value, "because", "Rule")


@pytest.mark.parametrize(
    ("ledger", "needed"),
    [
        (Ledger(4), 4),
        (Ledger(4, (better(1),)), 3),
        (Ledger(4, (better(-1),)), 5),
        (Ledger(4, (better(1), better(1), better(-1))), 3),
        (Ledger(4, (better(1), better(1)), cap=1), 3),
        (Ledger(4, (better(-3),), cap=1), 5),
        (Ledger(4, (better(3), better(-3)), cap=1), 4),
        (Ledger(3, (better(5),)), 2),
        (Ledger(3, (better(5),), least=1), 1),
        (Ledger(6, (better(-2),)), 8),
    ],
)
def test_a_ledger_adds_up_its_reasons_within_its_cap(ledger: Ledger, needed: int) -> None:
    assert ledger.needed == needed


@pytest.mark.parametrize(
    ("kind", "measured", "short"),
    [("more_than", 9.0, 0.0), ("more_than", 8.5, 0.5), ("at_least", 1.5, -0.5), ("at_most", 7.25, 1.25)],
)
def test_a_shortfall_is_how_far_a_limit_is_missed(
    kind: Literal["more_than", "at_least", "at_most"], measured: float, short: float
) -> None:
    limit = Limit(kind, 6.0 if kind == "at_most" else 1.0 if kind == "at_least" else 9.0)
    assert Violation("x", "R", "m", measured=measured, required=limit).shortfall == short


def test_nothing_measured_has_no_shortfall() -> None:
    assert Violation("x", "R", "m").shortfall is None
    assert Violation("x", "R", "m", measured=1.0).shortfall is None
    assert Violation("x", "R", "m", required=Limit("at_most", 1.0)).shortfall is None


def test_codes_are_sorted_and_said_once() -> None:
    verdict = Verdict(tuple(Violation(code, "R", "m") for code in ("too-far", "off-table", "too-far")))
    assert verdict.codes == ("off-table", "too-far")
    assert not verdict.legal
    assert Verdict().legal
    assert Verdict().codes == ()


def test_a_breach_becomes_a_violation_with_its_numbers() -> None:
    seen = Witness(line=((1.0, 2.0), (3.0, 4.0)))
    breach = Breach("enemy-too-close", "Drop", 1, "b", 2.5, Limit("more_than", 3.0), seen)
    violation = from_breach(breach, "a-2", "a-2 is too close", "b-1")
    assert violation == Violation(
        "enemy-too-close", "Drop", "a-2 is too close", ("a-2", "b-1"), 2.5, Limit("more_than", 3.0), seen
    )
    assert from_breach(breach, "a-2", "m").subjects == ("a-2",)


def test_a_verdict_in_json() -> None:
    outline = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    verdict = Verdict(
        (
            Violation(
                "enemy-too-close",
                "Deep Strike",
                's1 is 9.00" from g1; it must be more than 9"',
                ("s1", "g1"),
                9.0,
                Limit("more_than", 9.0),
                Witness(line=((10.63, 10.0), (19.63, 10.0))),
            ),
            Violation("wrong-phase", "Deep Strike", "not now", witness=Witness(outlines=(outline,))),
        ),
        ("a note",),
        (Pose(1.0, 2.0, 30.0),),
    )
    assert verdict_json(verdict) == {
        "legal": False,
        "violations": [
            {
                "code": "enemy-too-close",
                "rule": "Deep Strike",
                "message": 's1 is 9.00" from g1; it must be more than 9"',
                "subjects": ["s1", "g1"],
                "measured": 9.0,
                "required": {"more_than": 9.0},
                "witness": {"line": [[10.63, 10.0], [19.63, 10.0]]},
            },
            {
                "code": "wrong-phase",
                "rule": "Deep Strike",
                "message": "not now",
                "subjects": [],
                "measured": None,
                "required": None,
                "witness": {"outlines": [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]]},
            },
        ],
        "nearest": [[1.0, 2.0, 30.0]],
        "notes": ["a note"],
    }
    assert verdict_json(Verdict()) == {"legal": True, "violations": [], "nearest": None, "notes": []}


def test_commands_are_named_in_kebab_case() -> None:
    class FallBack2Walls(Command, frozen=True):
        unit: str

    assert command_name(FallBack2Walls) == "fall-back2-walls"
    assert (command_name(EndStep), command_name(Deploy)) == ("end-step", "deploy")
    assert FallBack2Walls.__struct_config__.tag == "fall-back2-walls"


def test_questions_are_answered_or_refused_with_what_is_known() -> None:
    battle = skirmish()
    assert RULESET.ask(battle, "in-range", ("ants-1", "mice-1"), limit=3.0) is False
    assert RULESET.ask(battle, "in-range", ("ants-1", "mice-1"), limit=8.0) is True
    assert RULESET.ask(battle, "targets", ("ants",)) == ("mice", "toad")
    with pytest.raises(QuestionError) as caught:
        RULESET.ask(battle, "weight", ("ants",))
    assert str(caught.value) == "no question is called 'weight'; toy answers gap, in-range, targets"
    with pytest.raises(QuestionError, match="expected two models"):
        RULESET.ask(battle, "gap", ("ants-1", "nobody"))
