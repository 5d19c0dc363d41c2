"""DS8 support turrets: a Shas'ui of a unit that Remains Stationary has one more weapon until its next turn begins."""

from __future__ import annotations

from sim.battle import Battle, Marker, MarkerSet, Unit, same_name
from sim.rulesets.wh40k10 import datasheets
from sim.rulesets.wh40k10.datasheets import TURRET as STANDS
from sim.rulesets.wh40k10.resources import Resolving

TURRET = "ds8-turret"  # the ability
MOVED = ("moved", "advanced", "fell-back", "disembarked", "arrived")


def set_up(battle: Battle, player: str) -> Resolving:
    """At the end of a player's Movement phase: the turrets of all its units that have Remained Stationary."""
    for name in [u.id for u in battle.units if u.player == player]:
        unit = battle.unit(name)
        bearer = _bearer(unit)
        stays = unit.on_table and not any(map(unit.marked, MOVED))
        if stays and bearer is not None and unit.ability(TURRET) is not None:
            until = Marker(STANDS, bearer, until="next-command-phase", player=player, round=battle.clock.round + 1)
            battle = yield MarkerSet(name, until)
    return battle


def _bearer(unit: Unit) -> str | None:
    """The model that leads a unit by its datasheet, None where it is gone."""
    sheet = datasheets.find(unit.datasheet)
    if sheet is None or sheet.leader is None:
        return None
    return next((m.id for m in unit.own_models if same_name(m.name, sheet.leader.name)), None)
