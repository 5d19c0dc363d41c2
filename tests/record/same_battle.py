"""Plays a battle of 500 points to its end and prints the digest of what is left, for any Python to be asked."""

from sim.app.games import rulesets
from sim.battle import digest
from sim.chance import SeededDice
from sim.engine import Game
from sim.players import GreedyPlayer, play_out
from sim.resources import data_path
from sim.scenario import load_case


def main() -> None:
    """Print the digest."""
    case = load_case(data_path("assets/scenarios/wh40k10-500-battle.toml"), rulesets())
    game = Game(case.ruleset, case.battle)
    for _ in play_out(game, {name: GreedyPlayer(name) for name in case.battle.players}, SeededDice(41)):
        pass
    print(digest(game.battle))


if __name__ == "__main__":
    main()
