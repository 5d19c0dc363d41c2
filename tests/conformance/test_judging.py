"""Does every game judge as the contract says: everything, in words, and without changing anything?"""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sim.battle import Battle, digest
from sim.engine import judge
from sim.rules import Command, EndStep, Verdict, command_name, verdict_json
from tests.conformance.kit import GAMES, breach_codes, commands, playthroughs, subject, well_formed

KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
steady = settings(
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


IN_TURN = ("fight",)  # phases in which both players act, one unit after another


@cache
def reached(game: str) -> tuple[tuple[Battle, ...], tuple[Battle, ...]]:
    """All battles that were played through, and those in which something can be placed or moved."""
    ruleset = subject(game).ruleset
    every = tuple(battle for played in playthroughs(game) for battle in played.battles)
    return every, tuple(battle for battle in every if not well_formed(ruleset, battle).is_empty)


def drawn(data: st.DataObject, battles: tuple[Battle, ...]) -> Battle:
    """One of the battles, drawn by its number, so that a failure prints no whole battle."""
    return battles[data.draw(st.integers(0, len(battles) - 1), label="battle")]


def check_form(verdict: Verdict) -> None:
    assert verdict.legal == (not verdict.violations)
    for violation in verdict.violations:
        assert KEBAB.fullmatch(violation.code), violation.code
        assert violation.rule.strip()
        assert violation.message.strip()
        assert "\n" not in violation.message
        assert (violation.required is None) or (violation.measured is not None)


def check_json(verdict: Verdict) -> None:
    shown = json.loads(json.dumps(verdict_json(verdict), allow_nan=False))
    assert list(shown) == ["legal", "violations", "nearest", "notes"]
    assert shown["legal"] is (not shown["violations"])
    for violation in shown["violations"]:
        assert list(violation) == ["code", "rule", "message", "subjects", "measured", "required", "witness"]
        assert all(isinstance(subject, str) for subject in violation["subjects"])
        assert isinstance(violation["measured"], float | int | None)
        if violation["required"] is not None:
            ((kind, value),) = violation["required"].items()
            assert kind in ("more_than", "at_least", "at_most")
            assert isinstance(value, float | int)
        assert set(violation["witness"]) <= {"line", "outlines"}
        if "line" in violation["witness"]:
            (a, b), (c, d) = violation["witness"]["line"]
            assert all(isinstance(number, float | int) for number in (a, b, c, d))


@pytest.mark.parametrize("game", GAMES)
def test_judging_answers_for_any_typed_command_and_changes_nothing(game: str) -> None:
    ruleset = subject(game).ruleset

    @steady
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        battle = drawn(data, reached(game)[0])
        command = data.draw(commands(ruleset, battle))
        before = digest(battle)
        copy = replace(battle)
        verdict = judge(ruleset, battle, command)
        assert battle == copy
        assert digest(battle) == before
        assert judge(ruleset, battle, command) == verdict
        check_form(verdict)
        check_json(verdict)

    holds()


@pytest.mark.parametrize("game", GAMES)
def test_the_constraints_of_a_command_and_its_verdict_name_the_same_faults(game: str) -> None:
    ruleset = subject(game).ruleset
    compared = {True: 0, False: 0}

    @settings(steady, max_examples=300)
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        battle = drawn(data, reached(game)[1])
        command = data.draw(well_formed(ruleset, battle))
        verdict = judge(ruleset, battle, command)
        known, found = breach_codes(ruleset, battle, command)
        said = set(verdict.codes)
        assert said & known <= found
        if said <= known:  # nothing beside the geometry is wrong, so nothing stopped the judge early
            assert said == found
            compared[bool(found)] += 1

    holds()
    assert compared[True], "no command was wrong in its geometry alone"


@pytest.mark.parametrize("game", GAMES)
def test_the_wrong_moment_hides_no_other_fault(game: str) -> None:
    ruleset = subject(game).ruleset
    seen: set[str] = set()

    @steady
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        battle = drawn(data, reached(game)[1])
        command = data.draw(well_formed(ruleset, battle))
        phase = data.draw(st.sampled_from(ruleset.phases))
        clock = replace(battle.clock, phase=phase.name, step=phase.steps[0])
        later = replace(battle, clock=clock)
        known, _ = breach_codes(ruleset, battle, command)
        here = set(judge(ruleset, battle, command).codes) & known
        there = set(judge(ruleset, later, command).codes)
        assert here <= there
        seen.update(f"{len(there)}" for _ in here)

    holds()
    assert seen - {"1"}, "no command was wrong in two ways at once"


@pytest.mark.parametrize("game", GAMES)
def test_all_models_at_fault_are_named_and_not_the_first_alone(game: str) -> None:
    about = subject(game)
    most = 0
    for battle in about.starts:
        for play in about.ruleset.plays:
            if play.rules is None or "models" not in play.command.__struct_fields__:
                continue
            for unit in battle.units:
                far = tuple(_off_table(battle, k) for k in range(len(unit.models)))
                verdict = judge(about.ruleset, battle, play.command(unit=unit.id, models=far))  # type: ignore[call-arg]
                off = {v.subjects[0] for v in verdict.violations if v.code == "off-table"}
                assert off == {model.id for model in unit.models}
                most = max(most, len(off))
    assert most > 1


def _off_table(battle: Battle, k: int):  # type: ignore[no-untyped-def]
    from sim.geometry import Pose

    return Pose(battle.battlefield.width + 20.0 * (k + 1), -20.0)


@pytest.mark.parametrize("game", GAMES)
def test_a_command_of_another_game_is_an_unknown_command(game: str) -> None:
    class Teleport(Command, frozen=True, tag="teleport"):
        unit: str

    about = subject(game)
    verdict = judge(about.ruleset, about.starts[0], Teleport("nobody"))
    assert verdict.codes == ("unknown-command",)
    check_form(verdict)


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_unit_is_a_fault_and_no_error(game: str) -> None:
    about = subject(game)
    tried = 0
    for play in about.ruleset.plays:
        fields = play.command.__struct_fields__
        if "unit" not in fields:
            continue
        given_fields = {"unit": "nobody"} | {name: () for name in ("models", "paths") if name in fields}
        if set(fields) != set(given_fields):
            continue
        verdict = judge(about.ruleset, about.starts[0], play.command(**given_fields))
        assert verdict.codes == ("no-such-unit",), play.name
        assert "nobody" in verdict.violations[0].message
        tried += 1
    assert tried


@pytest.mark.parametrize("game", GAMES)
def test_every_offer_names_a_play_and_a_unit_of_the_player_whose_turn_it_is(game: str) -> None:
    ruleset = subject(game).ruleset
    names = {play.name for play in ruleset.plays}
    offered = set()
    for played in playthroughs(game):
        for battle in played.battles:
            offers = ruleset.available(battle)
            assert len({(o.command, o.unit) for o in offers}) == len(offers)
            for offer in offers:
                assert offer.command in names
                assert offer.title.strip()
                if offer.unit and not offer.reaction and battle.clock.phase not in IN_TURN:
                    assert battle.unit(offer.unit).player == battle.clock.player
                offered.add(offer.command)
            if judge(ruleset, battle, EndStep()).legal and not offers[0].reaction:
                assert command_name(EndStep) in {offer.command for offer in offers}
    assert len(offered) > 1


@pytest.mark.parametrize("game", GAMES)
def test_commands_have_names_of_their_own(game: str) -> None:
    ruleset = subject(game).ruleset
    names = [play.name for play in ruleset.plays]
    assert len(set(names)) == len(names)
    for play in ruleset.plays:
        assert KEBAB.fullmatch(play.name)
        assert play.command.__struct_config__.tag == play.name
        assert ruleset.play(play.name) is play
        assert play.title.strip()
    with pytest.raises(KeyError):
        ruleset.play("teleport")
    assert {"deploy", "end-step"} <= set(names)
