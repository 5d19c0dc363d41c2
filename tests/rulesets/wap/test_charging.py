"""Declared charges, played: Terror on either side, redirecting, the range, and what a charge leaves to do."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Clock, Marker, Unit
from sim.chance import ScriptedDice
from sim.engine import Game, Refused, judge
from sim.geometry import Path
from sim.rules import Command, EndStep
from sim.rulesets.wap import RULESET
from sim.rulesets.wap.commands import DeclareCharge, March, NormalMove
from tests.rulesets.wap.table import battle, unit

CHARGES = Clock(2, "red", "movement", "charges")
HALF = 12.5 / 25.4


def body(name: str, player: str, at: tuple[float, float], move: float = 6.0, **fields: Any) -> Unit:
    profile = (("Ld", 7.0), ("M", move), ("T", 3.0), ("W", 1.0))
    return unit(name, player, at, profile=profile, **fields)


def begun(*units: Unit) -> Game:
    return Game(RULESET, battle(CHARGES, *units))


def play(game: Game, command: Command, *faces: int) -> Battle:
    dice = ScriptedDice(faces)
    game.play(command, dice)
    assert dice.left == 0, "dice were left over: a test was not taken"
    return game.battle


def told(after: Battle, name: str = "a") -> str:
    return next(m.subject for m in reversed(after.unit(name).markers) if m.kind == "charge")


def straight(battle_: Battle, name: str, up: float) -> tuple[Path, ...]:
    return tuple(
        Path.through(m.pose, [[m.pose.x, m.pose.y + up]]) for m in battle_.unit(name).models if m.pose is not None
    )


# --- the range


@pytest.mark.parametrize(
    ("movement", "abilities", "faces", "reach"),
    [
        (6.0, (), (2, 5), 11),
        (7.0, ("swiftstride",), (2, 5, 6), 18),
        (6.0, ("swiftstride",), (2, 5), 13),
        (3.0, ("swiftstride",), (2, 5), 8),
    ],
)
@pytest.mark.parametrize("short", [0.0, 0.01])
def test_the_range_that_is_rolled(
    movement: float, abilities: tuple[str, ...], faces: tuple[int, ...], reach: int, short: float
) -> None:
    target = body("b", "blue", (36.0, 10.0 + reach + short + 2 * HALF))
    after = play(
        begun(body("a", "red", (36.0, 10.0), movement, abilities=abilities), target), DeclareCharge("a", "b"), *faces
    )
    assert told(after) == ("fails" if short else "in-range")


@pytest.mark.parametrize(
    ("movement", "abilities", "most"),
    [(6.0, (), 12), (7.0, ("swiftstride",), 19), (6.0, ("swiftstride",), 18), (3.0, ("swiftstride",), 9)],
)
def test_what_no_roll_reaches_is_not_declared(movement: float, abilities: tuple[str, ...], most: int) -> None:
    def codes(off: float) -> tuple[str, ...]:
        target = body("b", "blue", (36.0, 10.0 + off + 2 * HALF))
        start = battle(CHARGES, body("a", "red", (36.0, 10.0), movement, abilities=abilities), target)
        return judge(RULESET, start, DeclareCharge("a", "b")).codes

    assert codes(most) == ()
    assert codes(most + 0.01) == ("target-too-far",)


# --- Terror

BY_TERROR = {"abilities": ("terror",)}
NO_TEST: list[dict[str, Any]] = [
    {"abilities": ("fear",)},
    {"abilities": ("terror",)},
    {"abilities": ("immunity fear",)},
    {"abilities": ("immunity fear/terror",)},
    {"abilities": ("immunity terror",)},
    {"abilities": ("immunity psychology",)},
    {"abilities": ("immunity panic",)},
    {"keywords": ("FLEEING",)},
    {"markers": (Marker("fleeing"),)},
]


def test_a_terror_that_declares_calls_for_a_panic_test() -> None:
    def charged(*faces: int) -> Battle:
        target = body("b", "blue", (36.0, 16.0))
        return play(begun(body("a", "red", (36.0, 10.0), **BY_TERROR), target), DeclareCharge("a", "b"), *faces)

    stands = charged(3, 4, 1, 1)
    assert (told(stands), stands.unit("b").marked("fleeing")) == ("in-range", False)
    flees = charged(4, 4)
    assert (told(flees), flees.unit("b").marked("fleeing")) == ("target-flees", True)


@pytest.mark.parametrize("fields", NO_TEST)
def test_who_takes_no_panic_test(fields: dict[str, Any]) -> None:
    target = body("b", "blue", (36.0, 16.0), **fields)
    after = play(begun(body("a", "red", (36.0, 10.0), **BY_TERROR), target), DeclareCharge("a", "b"), 1, 1)
    assert told(after) == "in-range"


def test_a_unit_in_close_combat_takes_no_panic_test() -> None:
    fought, friend = body("b", "blue", (36.0, 16.0)), body("f", "red", (36.0, 16.0 + 2 * HALF))
    after = play(begun(body("a", "red", (36.0, 10.0), **BY_TERROR), fought, friend), DeclareCharge("a", "b"), 1, 1)
    assert told(after) == "in-range"


def test_who_would_charge_a_terror_masters_it_first() -> None:
    def charging(*faces: int, **fields: Any) -> Battle:
        target = body("b", "blue", (36.0, 16.0), **BY_TERROR)
        return play(begun(body("a", "red", (36.0, 10.0), **fields), target), DeclareCharge("a", "b"), *faces)

    assert told(charging(3, 4, 1, 1)) == "in-range"
    assert told(charging(4, 4)) == "refuses"
    for ability in ("fear", "terror", "immunity fear", "immunity terror", "immunity psychology"):
        assert told(charging(1, 1, abilities=(ability,))) == "in-range"
    assert told(charging(4, 4, abilities=("immunity panic",))) == "refuses"


def test_a_test_needs_a_leadership() -> None:
    nobody = unit("a", "red", (36.0, 10.0), profile=(("M", 6.0),))
    start = battle(CHARGES, nobody, body("b", "blue", (36.0, 16.0), **BY_TERROR))
    verdict = judge(RULESET, start, DeclareCharge("a", "b"))
    assert verdict.codes == ("not-eligible",)
    assert "Leadership" in verdict.violations[0].message


# --- one declaration


def test_a_charge_is_declared_once() -> None:
    game = begun(body("a", "red", (36.0, 10.0)), body("b", "blue", (36.0, 16.0)), body("c", "blue", (40.0, 16.0)))
    play(game, DeclareCharge("a", "b"), 1, 2)
    for target in ("b", "c"):
        assert judge(RULESET, game.battle, DeclareCharge("a", target)).codes == ("already-declared",)


def test_after_a_failed_terror_test_the_charge_is_redirected_once_and_not_at_the_same_target() -> None:
    beast, other, third = (
        body("b", "blue", (36.0, 16.0), **BY_TERROR),
        body("c", "blue", (40.0, 16.0)),
        body("d", "blue", (32.0, 16.0)),
    )
    game = begun(body("a", "red", (36.0, 10.0)), beast, other, third)
    assert told(play(game, DeclareCharge("a", "b"), 6, 6)) == "refuses"
    with pytest.raises(Refused):
        play(game, DeclareCharge("a", "b"), 1, 1)
    failed = game.branch()
    assert told(play(failed, DeclareCharge("a", "c"), 6, 6)) == "not-redirected"
    assert told(play(game, DeclareCharge("a", "c"), 3, 4, 1, 2)) == "in-range"
    for after in (failed, game):
        assert judge(RULESET, after.battle, DeclareCharge("a", "d")).codes == ("already-declared",)


def test_when_the_target_flees_the_charge_may_be_redirected() -> None:
    game = begun(
        body("a", "red", (36.0, 10.0), **BY_TERROR), body("b", "blue", (36.0, 16.0)), body("c", "blue", (40.0, 16.0))
    )
    assert told(play(game, DeclareCharge("a", "b"), 6, 6)) == "target-flees"
    assert told(play(game, DeclareCharge("a", "c"), 1, 1, 1, 1, 2, 3)) == "in-range"


def test_next_turn_it_may_declare_again() -> None:
    game = begun(body("a", "red", (36.0, 10.0)), body("b", "blue", (36.0, 20.5)))
    play(game, DeclareCharge("a", "b"), 1, 2)
    for _ in range(12):
        play(game, EndStep())
    assert game.battle.clock == replace(CHARGES, round=3)
    assert judge(RULESET, game.battle, DeclareCharge("a", "b")).legal


# --- what is left to do


@pytest.mark.parametrize(("faces", "word"), [((1, 2), "fails"), ((6, 6), "in-range")])
def test_a_charge_is_the_units_move_even_when_it_fails(faces: tuple[int, int], word: str) -> None:
    game = begun(body("a", "red", (36.0, 10.0)), body("b", "blue", (36.0, 20.5)))
    assert told(play(game, DeclareCharge("a", "b"), *faces)) == word
    play(game, EndStep())
    play(game, EndStep())
    assert game.battle.clock.step == "remaining-moves"
    for command in (NormalMove("a", straight(game.battle, "a", 3.0)), March("a", straight(game.battle, "a", 3.0))):
        assert judge(RULESET, game.battle, command).codes == ("already-moved",)
    assert [offer.command for offer in RULESET.available(game.battle)] == ["end-step"]


def test_a_charge_that_terror_forbade_is_no_move() -> None:
    game = begun(body("a", "red", (36.0, 10.0)), body("b", "blue", (36.0, 16.0), **BY_TERROR))
    assert told(play(game, DeclareCharge("a", "b"), 6, 6)) == "refuses"
    play(game, EndStep())
    play(game, EndStep())
    assert judge(RULESET, game.battle, NormalMove("a", straight(game.battle, "a", 3.0))).legal
