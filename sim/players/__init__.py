"""Who decides? People, scripts, and players that need no person."""

from sim.players.match import StallError, next_command, play_out
from sim.players.players import GreedyPlayer, Player, RandomPlayer, ScriptedPlayer

__all__ = ["GreedyPlayer", "Player", "RandomPlayer", "ScriptedPlayer", "StallError", "next_command", "play_out"]
