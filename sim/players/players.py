"""Players choose the next legal command; they see the battle and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

import numpy as np

from sim.battle import Battle, Clock, Unit
from sim.engine import judge
from sim.geometry import Path, Placed, Pose
from sim.rules import Command, EndStep, NeedChoice, Offer, Ruleset

MOST_PROPOSALS = 24  # of one offer that a random player tries before it leaves it
TRIES = 12  # spots that a random player tries for one unit before it leaves it


class Player(Protocol):
    """Anybody who can say what to do next."""

    def next(self, ruleset: Ruleset, battle: Battle) -> Command | None:
        """The next command, None when the player is done for good."""
        ...

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """One of the options that are offered."""
        ...


class ScriptedPlayer:
    """Says the commands of a list, in order, and takes the first option of every choice."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._left = list(commands)

    def next(self, ruleset: Ruleset, battle: Battle) -> Command | None:
        """The next command of the list."""
        return self._left.pop(0) if self._left else None

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """The first option."""
        return need.options[0]


class GreedyPlayer:
    """Does the first sensible thing that is offered, as the game itself proposes it; ends the step when there is none.

    Answers a reaction only where it is likely to pay: by a list of names.
    """

    WORTH_IT = (
        "fire-overwatch",
        "tank-shock",
        "coordinate-to-engage",
        "insane-bravery",
        "counter-offensive",
        "counterfire",
    )

    def __init__(self, player: str) -> None:
        self.player = player

    def next(self, ruleset: Ruleset, battle: Battle) -> Command | None:
        """The first legal proposal for anything that is offered to this player."""
        for offer in ruleset.available(battle):
            if not offer.unit or battle.unit(offer.unit).player != self.player:
                continue
            for command in ruleset.proposals(battle, offer, False):
                if judge(ruleset, battle, command).legal:
                    return command
        end = EndStep()
        return end if judge(ruleset, battle, end).legal else None

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """A reaction that is likely to pay, or the first option."""
        for option in need.options[1:]:
            if option.split(":")[0] in self.WORTH_IT:
                return option
        return need.options[0]


class RandomPlayer:
    """Does any legal thing that is offered; ends the step when it finds none.

    What it found no legal way to do it leaves alone for the rest of the step.
    """

    def __init__(self, seed: int, player: str | None = None) -> None:
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._player = player  # None acts for whoever may act
        self._clock: Clock | None = None
        self._left: set[tuple[str, str]] = set()

    def next(self, ruleset: Ruleset, battle: Battle) -> Command | None:
        """A legal command among those offered; ending the step counts as one of them."""
        if battle.clock != self._clock:
            self._clock, self._left = battle.clock, set()
        offers = [offer for offer in ruleset.available(battle) if self._mine(battle, offer)]
        for k in self._random.permutation(len(offers)):
            offer = offers[int(k)]
            if (offer.command, offer.unit) in self._left:
                continue
            for command in self._attempts(ruleset, battle, offer):
                if judge(ruleset, battle, command).legal:
                    return command
            self._left.add((offer.command, offer.unit))
        end = EndStep()
        return end if judge(ruleset, battle, end).legal else None

    def _attempts(self, ruleset: Ruleset, battle: Battle, offer: Offer) -> Iterator[Command]:
        """What the game proposes by chance, and where it proposes nothing, any spot."""
        proposed = 0
        for command in islice(ruleset.proposals(battle, offer, True, self._random), MOST_PROPOSALS):
            proposed += 1
            yield command
        takes_more = set(ruleset.play(offer.command).command.__struct_fields__) - {"unit", "models", "paths"}
        if not proposed and not takes_more:
            for _ in range(TRIES if offer.unit else 1):
                yield self._attempt(ruleset, battle, offer)

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """Any option."""
        return need.options[int(self._random.integers(len(need.options)))]

    def _mine(self, battle: Battle, offer: Offer) -> bool:
        return self._player is None or not offer.unit or battle.unit(offer.unit).player == self._player

    def _attempt(self, ruleset: Ruleset, battle: Battle, offer: Offer) -> Command:
        """A command of the offered kind at a random spot; commands name their fields alike in every game."""
        kind = ruleset.play(offer.command).command
        fields: dict[str, Any] = {}
        if "unit" in kind.__struct_fields__:
            fields["unit"] = offer.unit
        if "models" in kind.__struct_fields__:
            fields["models"] = self._spots(battle, battle.unit(offer.unit))
        if "paths" in kind.__struct_fields__:
            fields["paths"] = self._paths(battle.unit(offer.unit))
        return kind(**fields)

    def _spots(self, battle: Battle, unit: Unit) -> tuple[Pose, ...]:
        field = battle.battlefield
        x, y = self._random.uniform(0, field.width), self._random.uniform(0, field.depth)
        bases = [model.base for model in unit.models]
        radius = max(Placed(base, Pose(0, 0)).radius for base in bases)
        pitch, files = 2 * radius + 0.2, max(1, math.ceil(math.sqrt(len(bases))))
        return tuple(Pose(x + (k % files) * pitch, y + (k // files) * pitch) for k in range(len(bases)))

    def _paths(self, unit: Unit) -> tuple[Path, ...]:
        reach = (unit.value("M") or unit.value("Adv") or 0.0) * self._random.uniform(0.2, 1.0)
        heading = self._random.uniform(0, 2 * math.pi)
        dx, dy = reach * math.cos(heading), reach * math.sin(heading)
        return tuple(Path.through(m.pose, [[m.pose.x + dx, m.pose.y + dy]]) for m in unit.models if m.pose is not None)
