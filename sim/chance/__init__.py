"""What did the dice say, and what will they say? Dice are asked from outside; distributions are exact."""

from sim.chance.dice import Dice, DiceError, ScriptedDice, SeededDice
from sim.chance.pmf import Pmf

__all__ = ["Dice", "DiceError", "Pmf", "ScriptedDice", "SeededDice"]
