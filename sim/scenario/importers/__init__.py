"""How does an army list that a player has become units with bases? One module a style of text.

``read_army`` tells the style by its content, ``to_toml`` writes the roster, ``report`` says what was assumed
and what was not understood. A line of the list is either understood or reported, never dropped.
"""

from sim.scenario.importers.army import (
    ImportedArmy,
    ImportedModel,
    ImportedUnit,
    ImporterError,
    Unread,
)
from sim.scenario.importers.bases import BaseSize, BaseTable, Datasheet, load_bases
from sim.scenario.importers.reader import decode_army, read_army, read_army_file
from sim.scenario.importers.report import report
from sim.scenario.importers.roster import to_toml

__all__ = [
    "BaseSize",
    "BaseTable",
    "Datasheet",
    "ImportedArmy",
    "ImportedModel",
    "ImportedUnit",
    "ImporterError",
    "Unread",
    "decode_army",
    "load_bases",
    "read_army",
    "read_army_file",
    "report",
    "to_toml",
]
