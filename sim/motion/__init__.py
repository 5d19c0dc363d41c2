"""Where could it go? Physics proposes spots for a unit; the judge decides."""

from sim.motion.packing import pack, ranks

__all__ = ["pack", "ranks"]
