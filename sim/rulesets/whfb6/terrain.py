"""What terrain means here: what nobody may stand in."""

from __future__ import annotations

from functools import lru_cache

from sim.battle import Battlefield, Terrain
from sim.geometry import KeepClear, Obstacles

RULE = "Impassable Terrain"
IMPASSABLE_KINDS = frozenset({"impassable", "building", "cliff", "lake"})
OPEN_KINDS = frozenset({"hill", "woods", "ruin", "river", "marsh", "field", "wall", "hedge", "fence", "difficult"})
KINDS = IMPASSABLE_KINDS | OPEN_KINDS


def is_impassable(piece: Terrain) -> bool:
    """Whether nobody may enter a piece of terrain, by its kind or by a trait of its own."""
    return piece.kind in IMPASSABLE_KINDS or "impassable" in piece.traits


@lru_cache(maxsize=64)
def impassable(field: Battlefield) -> Obstacles:
    """All impassable terrain of a table."""
    return Obstacles.of_outlines([(t.id, t.outline, float("inf")) for t in field.terrain if is_impassable(t)])


def clear_of_impassable(field: Battlefield, code: str = "overlaps-terrain") -> KeepClear:
    """No base shares ground with impassable terrain; a touch is allowed."""
    return KeepClear(code, RULE, impassable(field), 0.0, strict=False)
