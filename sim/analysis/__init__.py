"""What if? Margins, odds and maps over a battle that is only looked at."""

from sim.analysis.census import Census, census
from sim.analysis.margins import Margin, margins

__all__ = ["Census", "Margin", "census", "margins"]
