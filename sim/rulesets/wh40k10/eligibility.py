"""Who may do something now: the clock, the owner, and one pose or path for every model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle import Battle, Unit
from sim.battle.state import DESTROYED, RESERVES
from sim.rules import Violation

PHASE_OPEN = "phase-open"  # the marker of a phase that its player has not ended, on a unit that may answer the end
PHASE_ENDS = "phase-ends"  # the marker of a phase at its end, on a unit for which it may matter


def may_act(battle: Battle, unit: Unit, rule: str, phase: str, *steps: str) -> Iterator[Violation]:
    """Wrong phase, wrong step, or the other player's turn; a clock that is not set forbids nothing."""
    yield from _right_time(battle, unit, rule, phase, steps)
    clock = battle.clock
    if _is_time(battle, phase, steps) and clock.player and clock.player != unit.player:
        what = f"{unit.name} belongs to {unit.player}; it is the turn of {clock.player}"
        yield Violation("wrong-phase", rule, what, (unit.id,))
    if _is_time(battle, phase, steps) and is_at_its_end(battle):
        what = f"the {_words(phase)} phase is at its end; {rule} comes before that"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def is_at_its_end(battle: Battle) -> bool:
    """Whether this phase is at its end: only what belongs there may still happen."""
    return any(unit.marked(PHASE_ENDS) for unit in battle.units)


def is_open(battle: Battle) -> bool:
    """Whether the active player is not done with this phase; a battle that starts within a step does not say so."""
    return not is_at_its_end(battle) and any(unit.marked(PHASE_OPEN) for unit in battle.units)


def may_react(battle: Battle, unit: Unit, rule: str, phase: str, *steps: str) -> Iterator[Violation]:
    """As ``may_act``, in the turn of the opponent."""
    yield from _right_time(battle, unit, rule, phase, steps)
    if _is_time(battle, phase, steps) and battle.clock.player == unit.player:
        what = f"{rule} is for the opponent's turn; it is the turn of {unit.player}"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def in_reserves(unit: Unit, rule: str) -> Iterator[Violation]:
    """The unit is somewhere else."""
    if unit.whereabouts != RESERVES:
        where = "on the table" if unit.on_table else unit.whereabouts
        yield Violation("not-eligible", rule, f"{unit.name} is not in reserves: it is {where}", (unit.id,))


def one_pose_each(unit: Unit, given: Sequence[object], rule: str) -> Iterator[Violation]:
    """Not exactly one pose or path a model: the whole unit or nothing."""
    if len(given) != len(unit.models):
        what = f"{unit.name} has {len(unit.models)} models; {len(given)} were given a place"
        yield Violation("wrong-model-count", rule, what, (unit.id,))


def _right_time(battle: Battle, unit: Unit, rule: str, phase: str, steps: tuple[str, ...]) -> Iterator[Violation]:
    clock = battle.clock
    if unit.whereabouts == DESTROYED:
        yield Violation("not-eligible", rule, f"{unit.name} is destroyed", (unit.id,))
    if clock.phase and not _is_time(battle, phase, steps):
        now = f"{_words(clock.phase)}, {_words(clock.step)}"
        what = f"{rule} belongs to the {_words(phase)} phase, {_words(steps[0])}; now it is {now}"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def _is_time(battle: Battle, phase: str, steps: tuple[str, ...]) -> bool:
    return battle.clock.phase == phase and battle.clock.step in steps


def _words(name: str) -> str:
    return name.replace("-", " ")
