"""Units in hand, of every command that leads one over the table, in battles played at random from what ships."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import structs

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
from tests.conformance.kit import playthroughs, subject

MOST = 3  # units of each kind of command
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
