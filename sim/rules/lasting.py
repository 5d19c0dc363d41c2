"""What lasts and when it is over: the one way in which the clock takes markers off."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Clock, MarkerCleared, Until


def over(battle: Battle, reached: frozenset[Until], clock: Clock) -> Iterator[MarkerCleared]:
    """What is taken off all units where a clock has reached these points; what lasts longer stays, of any kind."""
    for unit in battle.units:
        left = unit.lasting(reached, clock)
        if len(left) == len(unit.markers):
            continue
        staying = {marker.kind for marker in left}
        whole = dict.fromkeys(m.kind for m in unit.markers if m.kind not in staying)
        yield from (MarkerCleared(unit.id, kind) for kind in whole)
        for marker in unit.markers:
            if marker.kind in staying and marker.is_over(unit.player, reached, clock):
                yield MarkerCleared(unit.id, marker.kind, marker)
