"""What did the dice say, and what will they say? Dice are asked from outside; distributions are exact."""

from sim.chance.dice import HIT, MISFIRE, Dice, DiceError, Faces, ScriptedDice, SeededDice
from sim.chance.pmf import Pmf

__all__ = ["HIT", "MISFIRE", "Dice", "DiceError", "Faces", "Pmf", "ScriptedDice", "SeededDice"]
