"""Who may do something now: the clock and the owner."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Clock, Unit
from sim.rules import Violation


def is_set(clock: Clock) -> bool:
    """Whether a battle says when it is; a clock that is not set forbids nothing and asks for no roll by turn."""
    return clock != Clock()


def may_act(battle: Battle, unit: Unit, rule: str, phase: str, step: str) -> Iterator[Violation]:
    """Wrong phase, wrong step, or the other player's turn."""
    clock = battle.clock
    if clock.phase and (clock.phase, clock.step) != (phase, step):
        now = f"{_words(clock.phase)}, {_words(clock.step)}"
        what = f"{rule} belongs to the {_words(phase)} phase, {_words(step)}; now it is {now}"
        yield Violation("wrong-phase", rule, what, (unit.id,))
    elif clock.player and clock.player != unit.player:
        what = f"{unit.name} belongs to {unit.player}; it is the turn of {clock.player}"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def _words(name: str) -> str:
    return name.replace("-", " ")
