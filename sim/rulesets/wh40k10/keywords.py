"""Which keyword was meant by one that is misspelt? Factions and names are free; what rules ask for is known."""

from __future__ import annotations

from functools import cache

from sim.battle.names import meant_by, name_key
from sim.rulesets.wh40k10 import datasheets

ALIKE = 0.85  # how much a misspelt keyword has in common with what was meant, from 0 to 1
RULES = (
    *("AIRCRAFT", "BATTLELINE", "BEAST", "CHARACTER", "EPIC HERO", "FLY", "FORTIFICATION", "GRENADES", "IMPERIUM"),
    *("INFANTRY", "KROOT", "MARKERLIGHT", "MONSTER", "MOUNTED", "PRIMARCH", "SMOKE", "SWARM", "TITANIC", "TOWERING"),
    *("TRANSPORT", "VEHICLE", "WALKER", "WARBOSS"),
)


def meant(keyword: str) -> str | None:
    """What was probably meant by a keyword that neither rules nor datasheets know; None for one that may be free."""
    return None if name_key(keyword) in _known() else meant_by(keyword, RULES, ALIKE)


@cache
def _known() -> frozenset[str]:
    sheets = datasheets.sheets().values()
    every = [*RULES, *(word for sheet in sheets for word in (*sheet.keywords, sheet.faction, sheet.name))]
    return frozenset(map(name_key, every))
