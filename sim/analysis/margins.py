"""How much room does each model have? The nearest thing that a rule speaks of, for every model, legal or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.geometry import KeepClear, Limit, PlacedSet, Rules, separations


@dataclass(frozen=True)
class Margin:
    """One model's distance from the nearest thing it must keep clear of, and what is required."""

    member: int
    other: str
    measured: float
    required: Limit

    @property
    def short(self) -> float:
        """Inches missing to the limit; negative where there is room to spare."""
        return self.required.shortfall(self.measured)


def margins(rules: Rules, members: PlacedSet) -> tuple[Margin, ...]:
    """For each member the margin to the widest clearance that the rules ask for; empty when they ask for none."""
    wide = [c for c in rules.standing if isinstance(c, KeepClear) and c.distance > 0 and len(c.obstacles)]
    if not wide or not len(members):
        return ()
    constraint = max(wide, key=lambda c: c.distance)
    found = np.maximum(separations(members, constraint.obstacles.bases), 0.0)
    nearest = np.argmin(found, axis=1)
    return tuple(
        Margin(i, constraint.obstacles.names[int(j)], float(found[i, j]), constraint.required)
        for i, j in enumerate(nearest)
    )
