"""May this be done? Do it, undo it, branch it. The only place that replaces a battle."""

from sim.engine.game import Entry, Game, Listener, Refused, judge
from sim.engine.resolve import ChoiceError, Chooser, FirstChoice, Resolution, ScriptedChoices, resolve

__all__ = [
    "ChoiceError",
    "Chooser",
    "Entry",
    "FirstChoice",
    "Game",
    "Listener",
    "Refused",
    "Resolution",
    "ScriptedChoices",
    "judge",
    "resolve",
]
