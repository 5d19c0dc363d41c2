"""What terrain means here: what nobody may enter, what is dangerous, and what is only in the way of sight."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sim.battle import Battlefield, Terrain
from sim.geometry import KeepClear, Obstacles, Placed, PlacedSet, Pose
from sim.geometry.shapes import Hull

RULE = "Terrain"
IMPASSABLE = frozenset({"impassable", "building", "wall", "rock"})
OPEN = frozenset({"hill", "woods", "marsh", "river", "field", "fence"})  # may be entered
KINDS = IMPASSABLE | OPEN
DANGEROUS = "dangerous"  # a trait; who passes takes a Dangerous Terrain test


def is_impassable(piece: Terrain) -> bool:
    """Whether nobody may enter a piece of terrain, by its kind or by its traits."""
    return piece.kind in IMPASSABLE or "impassable" in piece.traits


@lru_cache(maxsize=64)
def impassable(field: Battlefield) -> Obstacles:
    """Everything that no base may share ground with."""
    return Obstacles.of_outlines([(t.id, t.outline, float("inf")) for t in field.terrain if is_impassable(t)])


def clear_of_impassable(field: Battlefield, code: str = "overlaps-terrain") -> KeepClear:
    """No base overlaps impassable terrain."""
    return KeepClear(code, "Impassable Terrain", impassable(field), 0.0, strict=False)


def placed(piece: Terrain) -> PlacedSet:
    """A piece of terrain as something to be measured to."""
    return PlacedSet((Placed(Hull(piece.outline), Pose(0.0, 0.0)),))


def dangerous(field: Battlefield) -> Iterator[PlacedSet]:
    """Every piece that calls for Dangerous Terrain tests."""
    for piece in field.terrain:
        if DANGEROUS in piece.traits:
            yield placed(piece)
