"""What if? Margins, odds and maps over a battle that is only looked at."""

from sim.analysis.census import Census, census
from sim.analysis.margins import Margin, margins
from sim.analysis.nearest import nearest_command, nearest_legal, shift
from sim.analysis.pockets import Closing, Pocket, closings, pockets

__all__ = [
    "Census",
    "Closing",
    "Margin",
    "Pocket",
    "census",
    "closings",
    "margins",
    "nearest_command",
    "nearest_legal",
    "pockets",
    "shift",
]
