"""How far does each model go by a move, and how far may it? Measured as the rule of the move measures."""

from __future__ import annotations

from dataclasses import dataclass

from sim.geometry import beyond


@dataclass(frozen=True)
class Going:
    """Inches that a model goes by a move, as its rule counts them, and the most that it may go."""

    model: str
    gone: float
    most: float

    @property
    def too_far(self) -> bool:
        """Whether it goes farther than it may."""
        return beyond(self.gone, self.most)
