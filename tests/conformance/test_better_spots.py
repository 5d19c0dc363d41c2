"""Wherever a unit is held a legal spot is found for it, by every command of every game, where it may be set down."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from sim.app.window.session import Session
from sim.geometry import Point
from tests.conformance.in_hand import led, taken
from tests.conformance.kit import GAMES

SPOTS, BESIDE = 2, 2  # thrown at the table, and about where a unit stands
ABOUT = 9.0  # inches


def thrown(session: Session, unit: str, seed: int) -> list[Point]:
    rng, field = np.random.default_rng(seed), session.battle.battlefield
    found = rng.uniform((0.0, 0.0), (field.width, field.depth), (SPOTS, 2))
    here = session.middle_of(unit)
    if here is not None:
        found = np.vstack([found, np.array(here) + rng.uniform(-ABOUT, ABOUT, (BESIDE, 2))])
    return [(float(x), float(y)) for x, y in found]


@pytest.mark.parametrize("game", GAMES)
def test_a_legal_spot_is_found_for_whatever_is_held_where_it_may_not_be(game: str) -> None:
    helped: Counter[str] = Counter()
    for command, units in taken(game).items():
        for k, (session, held) in enumerate(units):
            for spot in thrown(session, held.unit.id, k):
                session.held = led(held, spot)
                find = session.better()
                if find is None:
                    assert session.verdict is not None
                    assert session.verdict.legal
                    continue
                found = find()
                assert found is not None, f"{command} of {held.unit.id} at {spot}"
                session.snap(found)
                assert session.verdict is not None
                assert session.verdict.legal, f"{command} of {held.unit.id} at {spot}: {session.verdict.codes}"
                helped[command] += 1
    assert len(helped) > 1
