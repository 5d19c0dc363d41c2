"""Rolls with what was rolled again of them, and which faces they may have ended with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.referee.story import Entry, Step
from tests.referee.table import Json, Table

SUMS = ("advance", "charge", "battle-shock", "damage")
Faces = tuple[int, ...]


@dataclass
class Again:
    """Dice rolled once more: by a Command Re-roll with the face that was picked, or by an ability."""

    faces: Faces
    bought: bool
    picked: int | None


@dataclass
class Throw:
    """A roll with all that was rolled again of it."""

    step: Step
    again: list[Again] = field(default_factory=list)
    last: int = 0  # the place of its last event in the entry

    @property
    def about(self) -> Json:
        """What it is about."""
        return self.step.about

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.about.get("kind", ""))

    @property
    def table(self) -> Table:
        """The table when it was made."""
        return self.step.before

    @property
    def first(self) -> Faces:
        """The faces that fell first."""
        return tuple(int(face) for face in self.step.event["faces"])

    def ends(self, fine: Callable[[int], bool], critical: int = 6) -> set[Faces] | None:
        """The faces that it may have ended with, sorted; None where that cannot be told."""
        states = {tuple(sorted(self.first))}
        for again in self.again:
            following = set[Faces]()
            for state in states:
                following |= _after(state, again, self.kind in SUMS, fine, critical)
            if not following:
                return None
            states = following
        return states


def _after(state: Faces, again: Again, whole: bool, fine: Callable[[int], bool], critical: int) -> set[Faces]:
    new = list(again.faces)
    if whole or len(new) == len(state):
        return {tuple(sorted(new))}
    if again.bought or len(new) == 1:
        picks = {again.picked} if again.picked in state else set(state)
        return {_swapped(state, [pick], new) for pick in picks if pick is not None}
    kinds: tuple[Callable[[int], bool], ...] = (
        lambda f: f == 1,
        lambda f: not fine(f),
        lambda f: f < critical,
    )
    found = set[Faces]()
    for kind in kinds:
        chosen = [face for face in state if kind(face)]
        if len(chosen) == len(new):
            found.add(_swapped(state, chosen, new))
    return found


def _swapped(state: Faces, gone: list[int], new: list[int]) -> Faces:
    left = list(state)
    for face in gone:
        left.remove(face)
    return tuple(sorted([*left, *new]))


def throws(entry: Entry) -> Iterator[Throw]:
    """The rolls of an entry in their order."""
    current: Throw | None = None
    bought, picked = False, None
    for step in entry.steps:
        if step.kind == "choice":
            if step.event.get("when") == "stratagem" and step.event["choice"] == "Command Re-roll":
                bought, picked = True, None
            elif bought and str(step.event["choice"]).isdigit():
                picked = int(step.event["choice"])
        if step.kind != "dice":
            continue
        if step.about.get("again") and current is not None:
            faces = tuple(int(face) for face in step.event["faces"])
            current.again.append(Again(faces, bought, picked))
            current.last = step.place
            bought, picked = False, None
            continue
        if current is not None:
            yield current
        current = Throw(step, last=step.place)
        bought, picked = False, None
    if current is not None:
        yield current
