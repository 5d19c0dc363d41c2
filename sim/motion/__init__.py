"""Where could it go? Physics proposes spots for a unit; the judge decides."""

from sim.motion.packing import pack, rank_and_file, ranks

__all__ = ["pack", "rank_and_file", "ranks"]
