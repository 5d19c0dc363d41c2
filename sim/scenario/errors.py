"""What is wrong with a file that should describe a battle."""

from __future__ import annotations

from sim.reading import FileError


class ScenarioError(FileError):
    """A file that does not describe a battle; one line a fault: which file, where in it, and what was expected."""
