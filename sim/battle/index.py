"""The table as columns, tied to one frozen battle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.geometry import Obstacles, PlacedSet
from sim.geometry.tolerance import Bools

if TYPE_CHECKING:
    from sim.battle.state import Battle, Model


@dataclass(frozen=True)
class BattleIndex:
    """Every model on the table: its base, its id, and the ids of its unit and player, in one order."""

    models: tuple[Model, ...]
    owners: tuple[str, ...]
    units: tuple[str, ...]

    @classmethod
    def of(cls, battle: Battle) -> BattleIndex:
        """The index of a battle; models without a pose are not part of it."""
        rows = [
            (model, unit.player, unit.id)
            for unit in battle.units
            if unit.on_table
            for model in unit.models
            if model.pose is not None
        ]
        return cls(tuple(r[0] for r in rows), tuple(r[1] for r in rows), tuple(r[2] for r in rows))

    @cached_property
    def memo(self) -> dict[tuple[str, ...], Any]:
        """Answers about where the models stand that somebody has worked out, kept by what was asked and of whom."""
        return {}

    @cached_property
    def bases(self) -> PlacedSet:
        """The placed bases of all rows."""
        return PlacedSet.of(model.placed for model in self.models)

    @cached_property
    def _owner_column(self) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        return np.array(self.owners, dtype=np.str_)

    @cached_property
    def _unit_column(self) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        return np.array(self.units, dtype=np.str_)

    @cached_property
    def _obstacles(self) -> dict[tuple[str, str], Obstacles]:
        return {}

    def enemies_of(self, player: str) -> Obstacles:
        """All models of other players as obstacles, named by their ids."""
        return self._kept("enemies", player, self._owner_column != player)

    def others_than(self, unit: str) -> Obstacles:
        """All models but those of one unit as obstacles, named by their ids."""
        return self._kept("others", unit, self._unit_column != unit)

    def of_unit(self, unit: str) -> Obstacles:
        """The models of one unit on the table."""
        return self._kept("unit", unit, self._unit_column == unit)

    def _kept(self, what: str, whose: str, mask: Bools) -> Obstacles:
        key = (what, whose)
        if key not in self._obstacles:
            rows = np.flatnonzero(mask)
            bases = self.bases.take(rows)
            self._obstacles[key] = Obstacles(bases, tuple(self.models[int(i)].id for i in rows))
        return self._obstacles[key]
