"""The ground that is shown while a unit is in hand is the verdict's own: inside it may be set down, outside it may not.

Every command that shows ground, of every game, in battles played at random from the scenarios that ship. The ground
speaks of the first model's centre, or of the base that the play names; what is held is led there and judged.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sim.app.games import rulesets
from sim.app.window.held import Held
from sim.app.window.session import Session
from sim.battle import Battle
from sim.geometry import Point
from sim.view.scene import Zone as Ground
from tests.conformance.in_hand import led, taken
from tests.conformance.kit import GAMES

SPOTS = 40  # thrown at each ground, and as many about it
NEAR = 0.02  # inches from the border in which nothing is thrown


def spots(battle: Battle, region: BaseGeometry, seed: int) -> list[Point]:
    """Spots all over the table and about a ground, none of them near its border."""
    rng, field = np.random.default_rng(seed), battle.battlefield
    x0, y0, x1, y1 = (0.0, 0.0, field.width, field.depth) if region.is_empty else region.bounds
    thrown = np.vstack(
        [
            rng.uniform((0.0, 0.0), (field.width, field.depth), (SPOTS, 2)),
            rng.uniform((x0 - 1.0, y0 - 1.0), (x1 + 1.0, y1 + 1.0), (SPOTS, 2)),
        ]
    )
    border = shapely.boundary(region)
    return [(float(x), float(y)) for x, y in thrown if not shapely.dwithin(border, shapely.Point(x, y), NEAR)]


def wrong_at(session: Session, held: Held, spot: Point) -> list[str]:
    """What the judge has against that of which the ground speaks on a spot."""
    verdict = session.game.judge(session.command_held(led(held, spot)))
    speaks_of = {held.unit.id, held.unit.models[held.model or 0].id}
    return [v.message for v in verdict.violations if set(v.subjects[:1]) & speaks_of]


@pytest.mark.parametrize("game", GAMES)
def test_where_ground_is_shown_the_judge_agrees(game: str) -> None:
    compared: Counter[tuple[str, bool]] = Counter()
    for command, units in taken(game).items():
        for k, (session, held) in enumerate(units):
            if held.zones.region is None:
                continue
            for spot in spots(session.battle, held.zones.region, k):
                inside, wrong = bool(shapely.contains_xy(held.zones.region, *spot)), wrong_at(session, held, spot)
                assert inside is not bool(wrong), f"{command} of {held.unit.id} at {spot}: {inside}, {wrong}"
                compared[command, inside] += 1
    commands = {command for command, _ in compared}
    assert commands, "no command shows ground"
    assert set(compared) == {(command, inside) for command in commands for inside in (True, False)}


@pytest.mark.parametrize("game", sorted(rulesets()))
def test_a_move_shows_no_ground_but_a_circle_that_it_never_leaves(game: str) -> None:
    left = 0
    for command, units in taken(game).items():
        for k, (session, held) in enumerate(units):
            if not held.moves:
                continue
            assert held.zones.region is None
            styles = {item.style for item in held.zones.items if isinstance(item, Ground)}
            assert "zone.centre" not in styles, command
            for item in held.zones.items:
                if not isinstance(item, Ground) or not item.label.startswith("at most"):
                    continue
                circle = shapely.union_all([shapely.Polygon(piece[0], piece[1:]) for piece in item.pieces])
                for spot in spots(session.battle, circle, k):
                    if not shapely.contains_xy(circle, *spot):
                        verdict = session.game.judge(led(held, spot).command)
                        assert {"too-far", "off-table"} & set(verdict.codes), f"{command} of {held.unit.id} at {spot}"
                        left += 1
    assert left, "no move shows how far it gets"
