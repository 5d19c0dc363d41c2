"""Whose turn is next: a game's phases and steps as data."""

from __future__ import annotations

from dataclasses import dataclass

from sim.battle import Clock

OVER = "over"  # the phase of a clock when the battle has ended, where a game has something to do at the end


@dataclass(frozen=True)
class Phase:
    """A phase with its steps in order; a ``setup`` phase comes once, before the first round."""

    name: str
    title: str
    steps: tuple[str, ...]
    setup: bool = False


def next_clock(phases: tuple[Phase, ...], players: tuple[str, ...], rounds: int, clock: Clock) -> Clock | None:
    """The clock after the current step, None at the end of the battle; raises ``ValueError`` off the sequence."""
    turn = [(p, step) for p in phases if not p.setup for step in p.steps]
    setup = [(p, step) for p in phases if p.setup for step in p.steps]
    here = [(p.name, step) for p, step in (*setup, *turn)]
    at = (clock.phase, clock.step)
    if not players:
        raise ValueError("nobody plays")
    if at in [(p.name, step) for p, step in turn] and clock.player not in players:
        raise ValueError(f"no player is called {clock.player!r}")
    if at not in here:
        raise ValueError(f"no phase {clock.phase!r} with a step {clock.step!r}")
    position = here.index(at)
    if position < len(setup) - 1:
        phase, step = setup[position + 1]
        return Clock(clock.round, clock.player, phase.name, step)
    first_phase, first_step = turn[0]
    if position == len(setup) - 1:
        return Clock(1, players[0], first_phase.name, first_step)
    if position < len(here) - 1:
        phase, step = turn[position + 1 - len(setup)]
        return Clock(clock.round, clock.player, phase.name, step)
    following = players.index(clock.player) + 1
    if following < len(players):
        return Clock(clock.round, players[following], first_phase.name, first_step)
    if clock.round >= rounds:
        return None
    return Clock(clock.round + 1, players[0], first_phase.name, first_step)
