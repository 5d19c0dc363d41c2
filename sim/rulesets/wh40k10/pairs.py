"""What is known about two units stays known from battle to battle, as long as their models stand as they stood.

Answers are arrays with a row for each model of the one and a column for each of the other; who is gone is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.battle import Battle, Unit

Array = TypeVar("Array", bound=NDArray[Any])


@dataclass(frozen=True)
class Pairing:
    """An answer about two units, and both as they stood."""

    one: Unit
    other: Unit
    found: NDArray[Any]

    def of(self, one: Unit, other: Unit) -> NDArray[Any] | None:
        """The same of what is left of both, None where somebody stands otherwise."""
        rows, columns = _where_left(self.one, one), _where_left(self.other, other)
        return None if rows is None or columns is None else np.asarray(self.found[np.ix_(rows, columns)])


def known(battle: Battle, what: str, one: Unit, other: Unit) -> NDArray[Any] | None:
    """What is known of two units as they stand now."""
    memo, key = battle.index.memo, (what, one.id, other.id)
    if key not in memo:
        pairing: Pairing | None = battle.looked_up.get(key)
        found = None if pairing is None else pairing.of(one, other)
        if found is None:
            return None
        memo[key] = found
    answer: NDArray[Any] = memo[key]
    return answer


def learn(battle: Battle, what: str, one: Unit, other: Unit, found: NDArray[Any]) -> None:
    """Keep an answer about two units; one that leaves out who is not on the table is kept for this battle only."""
    key = (what, one.id, other.id)
    battle.index.memo[key] = found
    if found.shape == (len(one.models), len(other.models)):
        battle.looked_up[key] = Pairing(one, other, found)


def kept(battle: Battle, what: str, one: Unit, other: Unit, work: Callable[[], Array]) -> Array:
    """The answer about two units as they stand now, worked out where it is not known."""
    found: Any = known(battle, what, one, other)
    if found is None:
        found = work()
        learn(battle, what, one, other, found)
    answer: Array = found
    return answer


def _where_left(before: Unit, now: Unit) -> list[int] | None:
    """Where the models that a unit has now stood in it before, None where one stands or is otherwise."""
    if now.keywords != before.keywords or now.attached != before.attached:
        return None
    if now.models is before.models:
        return list(range(len(now.models)))
    stood = {(m.id, m.base, m.pose): k for k, m in enumerate(before.models)}
    rows = [stood.get((m.id, m.base, m.pose), -1) for m in now.models]
    return None if -1 in rows else rows
