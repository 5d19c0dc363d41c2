"""Does the clock go through setup, phases, players and rounds, and stop?"""

from __future__ import annotations

import pytest

from sim.battle import Clock
from sim.rules import Phase, next_clock

PHASES = (
    Phase("scout", "Scouting", ("look",), setup=True),
    Phase("array", "Array", ("first", "second"), setup=True),
    Phase("move", "Move", ("march", "rest")),
    Phase("fight", "Fight", ("blows",)),
)
PLAYERS = ("red", "blue")


def after(clock: Clock) -> Clock | None:
    return next_clock(PHASES, PLAYERS, 2, clock)


def test_the_whole_sequence() -> None:
    clock: Clock | None = Clock(1, "blue", "scout", "look")
    seen = []
    while clock is not None:
        seen.append((clock.round, clock.player, clock.phase, clock.step))
        clock = after(clock)
    turn = [("move", "march"), ("move", "rest"), ("fight", "blows")]
    setup = [(1, "blue", "scout", "look"), (1, "blue", "array", "first"), (1, "blue", "array", "second")]
    assert seen == setup + [(r, p, *step) for r in (1, 2) for p in PLAYERS for step in turn]


def test_setup_begins_the_first_round_with_the_first_player() -> None:
    assert after(Clock(7, "blue", "array", "second")) == Clock(1, "red", "move", "march")


def test_the_second_player_follows_in_the_same_round() -> None:
    assert after(Clock(1, "red", "fight", "blows")) == Clock(1, "blue", "move", "march")
    assert after(Clock(1, "blue", "fight", "blows")) == Clock(2, "red", "move", "march")
    assert after(Clock(2, "blue", "fight", "blows")) is None
    assert after(Clock(3, "blue", "fight", "blows")) is None


def test_a_game_without_setup() -> None:
    assert next_clock(PHASES[2:], ("red",), 1, Clock(1, "red", "move", "march")) == Clock(1, "red", "move", "rest")


@pytest.mark.parametrize(
    ("clock", "what"),
    [
        (Clock(1, "red", "", ""), "no phase '' with a step ''"),
        (Clock(1, "red", "move", "blows"), "no phase 'move' with a step 'blows'"),
        (Clock(1, "green", "move", "march"), "green"),
        (Clock(1, "green", "fight", "blows"), "green"),
    ],
)
def test_a_clock_off_the_sequence_is_an_error(clock: Clock, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        after(clock)


@pytest.mark.parametrize("clock", [Clock(1, "", "array", "second"), Clock(1, "", "move", "march")])
def test_nobody_to_play_is_an_error(clock: Clock) -> None:
    with pytest.raises(ValueError, match="nobody plays"):
        next_clock(PHASES, (), 2, clock)
