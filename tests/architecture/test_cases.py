"""Does every case file come out as it expects, and does a wrong expectation not?"""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sim.app.expectations import misses
from sim.app.games import rulesets
from sim.battle import evolve
from sim.chance import ScriptedDice, SeededDice
from sim.engine import Game, Refused, judge
from sim.scenario import Ask, Case, load_case

FOLDER = Path(__file__).resolve().parents[1] / "cases"
FILES = sorted(FOLDER.rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_case_comes_out_as_it_expects(path: Path) -> None:
    case = load_case(path, rulesets())
    assert case.ruleset.id == path.relative_to(FOLDER).parts[0]
    assert case.title
    assert case.source in ("seed", "derived", "public", "ambiguous")
    assert misses(case) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_the_command_of_a_case_is_played_or_refused(path: Path) -> None:
    case = load_case(path, rulesets())
    if case.command is None:
        return
    game = Game(case.ruleset, case.battle)
    legal = judge(case.ruleset, case.battle, case.command).legal
    dice = ScriptedDice(case.dice) if case.dice else SeededDice(1)
    if not legal:
        with pytest.raises(Refused):
            game.play(case.command, dice)
        assert game.battle == case.battle
        return
    entry = game.play(case.command, dice)
    assert entry.events, "a legal command changes nothing"
    assert game.battle == reduce(evolve, entry.events, case.battle)
    game.undo()
    assert game.battle == case.battle


@pytest.mark.parametrize("game", sorted(rulesets()))
def test_a_move_that_is_too_long_is_as_long_as_its_models_go(game: str) -> None:
    """What a person is told while a unit is in hand is what the verdict measures."""
    told = 0
    for path in (path for path in FILES if path.relative_to(FOLDER).parts[0] == game):
        case = load_case(path, rulesets())
        goes = None if case.command is None else case.ruleset.play(case.command).goes
        verdict = judge(case.ruleset, case.battle, case.command)
        if goes is None or any(v.code in ("wrong-models", "wrong-count") for v in verdict.violations):
            continue
        found = {going.model: going for going in goes(case.battle, case.command)}
        far = {v.subjects[0]: v for v in verdict.violations if v.code == "too-far" and v.subjects[0] in found}
        assert all(found[name].gone == v.measured and found[name].most == v.required.value for name, v in far.items())
        assert verdict.legal <= (not any(going.too_far for going in found.values()))
        told += len(far)
    assert told, f"no case of {game} goes too far"


def test_every_ruleset_has_cases() -> None:
    assert {path.relative_to(FOLDER).parts[0] for path in FILES} == set(rulesets())


def test_every_title_is_said_once() -> None:
    titles = [load_case(path, rulesets()).title for path in FILES]
    assert sorted(titles) == sorted(set(titles))


def expecting(**changes: Any) -> Case:
    """An illegal case with a measured code, with other expectations."""
    case = load_case(FOLDER / "wh40k10" / "a01-exactly-nine-is-not-more.toml", rulesets())
    return _with(case, expect=msgspec.structs.replace(case.expect, **changes))


def _with(case: Case, **changes: Any) -> Case:
    fields = {name: getattr(case, name) for name in case.__dataclass_fields__}
    return Case(**(fields | changes))


def test_what_misses_is_told_in_words() -> None:
    assert misses(expecting()) == ()
    assert misses(expecting(legal=True)) == ("expected legal, got illegal (enemy-too-close)",)
    assert misses(expecting(codes=["off-table"])) == ("expected codes off-table, got enemy-too-close",)
    assert misses(expecting(codes=[])) == ("expected codes none, got enemy-too-close",)
    (said,) = misses(expecting(measured={"enemy-too-close": 9.00001}))
    assert said.startswith("expected enemy-too-close to measure 9.00001, got 9.0")
    assert misses(expecting(measured={"too-far": 1.0})) == ("expected a measured too-far, got none",)
    assert misses(expecting(legal=None, codes=None)) == ("the case has a command but expects nothing of it",)
    assert len(misses(expecting(legal=True, codes=[]))) == 2


def test_expectations_that_nobody_answers_are_misses() -> None:
    assert misses(expecting(outcome="stays")) == ("expected outcome, but the command is not legal",)
    nothing = _with(expecting(), command=None)
    assert misses(nothing) == ("the case has neither a command nor a question",)


def test_wrong_answers_are_misses() -> None:
    def asking(ask: Ask) -> tuple[str, ...]:
        return misses(_with(expecting(), command=None, asks=(ask,)))

    assert asking(Ask("coherent", ["guard"], True)) == ()
    assert asking(Ask("coherent", ["guard"], False)) == ("coherent of guard: expected False, got True",)
    (said,) = asking(Ask("coherent", ["guard"]))
    assert "gives no answer to hold against True" in said
    (said,) = asking(Ask("coherent", ["guard"], 1))
    assert said == "coherent of guard: expected 1, got True"
    (said,) = asking(Ask("gap", ["guard-1", "nobody"], 3.0))
    assert "nobody" in said
    (said,) = asking(Ask("weight", ["guard"], 3.0))
    assert "no question is called 'weight'" in said
