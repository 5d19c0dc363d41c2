"""Who may do something now: the clock, the owner, and one pose or path for every model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle import Battle, Unit
from sim.battle.state import DESTROYED
from sim.rules import Violation


def may_act(battle: Battle, unit: Unit, rule: str, phase: str, step: str) -> Iterator[Violation]:
    """Wrong phase, wrong step, or the other player's turn; a clock that is not set forbids nothing."""
    clock = battle.clock
    if unit.whereabouts == DESTROYED:
        yield Violation("not-eligible", rule, f"{unit.name} is destroyed", (unit.id,))
    if not clock.phase:
        return
    if (clock.phase, clock.step) != (phase, step):
        now = f"{_words(clock.phase)}, {_words(clock.step)}"
        what = f"{rule} belongs to the {_words(phase)} phase, {_words(step)}; now it is {now}"
        yield Violation("wrong-phase", rule, what, (unit.id,))
    elif clock.player and clock.player != unit.player:
        what = f"{unit.name} belongs to {unit.player}; it is the turn of {clock.player}"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def one_pose_each(unit: Unit, given: Sequence[object], rule: str) -> Iterator[Violation]:
    """Not exactly one pose or path a model: the whole unit or nothing."""
    if len(given) != len(unit.models):
        what = f"{unit.name} has {len(unit.models)} models; {len(given)} were given a place"
        yield Violation("wrong-model-count", rule, what, (unit.id,))


def _words(name: str) -> str:
    return name.replace("-", " ")
