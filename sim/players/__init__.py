"""Who decides? People, scripts, and players that need no person."""

from sim.players.players import Player, RandomPlayer, ScriptedPlayer

__all__ = ["Player", "RandomPlayer", "ScriptedPlayer"]
