"""The one place that lists the rulesets."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cache

from sim.rules import Ruleset

GAMES = ("t9a", "wap", "wh40k10", "whfb6")


class _Games(Mapping[str, Ruleset]):
    """Every game by its id; a game is imported when it is asked for, so that nobody waits for the others."""

    def __getitem__(self, game: str) -> Ruleset:
        if game not in GAMES:
            raise KeyError(game)
        ruleset: Ruleset = importlib.import_module(f"sim.rulesets.{game}").RULESET
        return ruleset

    def __contains__(self, game: object) -> bool:
        return game in GAMES

    def __iter__(self) -> Iterator[str]:
        return iter(GAMES)

    def __len__(self) -> int:
        return len(GAMES)


@cache
def rulesets() -> Mapping[str, Ruleset]:
    """Every game that inchwise knows, by id."""
    return _Games()
