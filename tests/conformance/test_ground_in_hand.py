"""The ground that is shown while a unit is in hand is the verdict's own: inside it may be set down, outside it may not.

Every command that shows ground, of every game, in battles played at random from the scenarios that ship. The ground
speaks of the first model's centre, or of the base that the play names; what is held is led there and judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
import shapely
from msgspec import structs
from shapely.geometry.base import BaseGeometry

from sim.app.games import rulesets
from sim.app.window.held import Held
from sim.app.window.pointing import Pointed
from sim.app.window.session import Session
from sim.battle import Battle, Unit, Zone
from sim.battle.state import RESERVES
from sim.chance import SeededDice
from sim.geometry import Placed, Point
from sim.geometry.blocks import boundary
from sim.rules import Offer
from sim.view.scene import Zone as Ground
from tests.conformance.kit import GAMES, playthroughs, subject

SPOTS = 40  # thrown at each ground
MOST = 3  # units of each kind of command
NEAR = 0.02  # inches from the border in which nothing is thrown
Taken = tuple[Session, Held]


@cache
def taken(game: str) -> dict[str, list[Taken]]:
    """Units in hand in battles of a game, by their command."""
    about = subject(game)
    played = [b for one in playthroughs(game) for b in one.battles]
    found: dict[str, list[Taken]] = {}
    for battle in (*played, *(before_setting_up(start) for start in about.starts if game != "toy")):
        for offer in about.ruleset.available(battle):
            have = found.setdefault(offer.command, [])
            if len(have) < MOST and offer.unit and offer.unit not in {held.unit.id for _, held in have}:
                have.extend(_picked(game, battle, offer))
    return found


def before_setting_up(start: Battle) -> Battle:
    """A battle in which what stands on the table is still to be set up, in a third of the table for each player."""
    field, ruleset = start.battlefield, rulesets()[start.ruleset]
    third = field.depth / 3
    strips = zip(start.players, (0.0, 2 * third), strict=True)
    zones = tuple(
        Zone(player, player, ((0.0, y), (field.width, y), (field.width, y + third), (0.0, y + third)))
        for player, y in strips
    )
    first = next(phase for phase in ruleset.phases if phase.setup)
    clock = structs.replace(start.clock, phase=first.name, step=first.steps[0], player=start.players[0])
    units = tuple(_lifted(unit) if unit.on_table else unit for unit in start.units)
    return structs.replace(
        start, units=units, clock=clock, battlefield=structs.replace(field, zones=field.zones or zones)
    )


def _lifted(unit: Unit) -> Unit:
    models = tuple(structs.replace(model, pose=None) for model in unit.models)
    return structs.replace(unit, models=models, whereabouts=RESERVES, markers=())


def _picked(game: str, battle: Battle, offer: Offer) -> Iterator[Taken]:
    session = Session(subject(game).ruleset, battle, SeededDice(1))
    opened = session.open_with(offer)
    if (opened is not None and not opened.legal) or session.question is not None or offer not in session.offers:
        return
    if session.chooses(offer):
        return
    field = session.battle.battlefield
    held = session.pick(offer, session.middle_of(offer.unit) or (field.width / 2, field.depth / 2))
    if isinstance(held, Pointed) and not held.chosen:
        session.drop()  # the point is chosen
    if held.play.figure_is == "further model" and len(held.unit.models) > 1:
        session.pin()
        assert session.held is not None
        session.grab_model(session.held.poses[1].at)
    assert session.held is not None
    yield session, session.held


def led(held: Held, spot: Point) -> Held:
    """What is held, with that of which the ground speaks on a spot."""
    if isinstance(held, Pointed):
        return held.shifted((held.grip[0] + spot[0] - held.at[0], held.grip[1] + spot[1] - held.at[1]))
    here = held.poses[held.model or 0].at
    if held.play.figure is not None and held.model is None:
        here = boundary([Placed(m.base, pose) for m, pose in zip(held.unit.models, held.poses, strict=True)]).pose.at
    return held.by(spot[0] - here[0], spot[1] - here[1], held.poses)


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
