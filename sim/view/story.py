"""What an act came to, in sentences: the one place that tells it, for panel, log and caption.

Told from the events alone: who did what, what the dice said, who suffered, who scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.battle import (
    Battle,
    ChoiceMade,
    ClockAdvanced,
    DiceRolled,
    Event,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    RollAbout,
    ScoreChanged,
    UnitParted,
    WoundsChanged,
    evolve,
)
from sim.battle.state import DESTROYED
from sim.chance.dice import HIT, MISFIRE
from sim.geometry import Path
from sim.rules import Ruleset
from sim.view.compose import heading, name_of, option_words, outcome, standings

ATTACK = ("attacks", "hit", "wound", "save", "damage")  # kinds of rolls that belong to an attack
PAID = ("stratagem",)  # moments in which something is paid for and used
FAILS = "fails"  # the outcome of what was tried in vain
NOT_TOLD = ("decline", "no")  # answers by which nothing happens


def story(ruleset: Ruleset, before: Battle, command: Any, events: Sequence[Event]) -> tuple[str, ...]:
    """What a command did, a sentence each; the first says who did what."""
    teller = _Teller(ruleset, before, command)
    told = tuple(teller.tell(events))
    return (*_opening(ruleset, before, command), *told, *_failed(ruleset, before, command, events, teller.battle))


def words_of(ruleset: Ruleset, before: Battle, command: Any, event: Event) -> tuple[str, ...]:
    """One event of a command by itself, in the same sentences: the caption of its moment in a film."""
    return tuple(_Teller(ruleset, before, command).tell((event,)))


def _failed(ruleset: Ruleset, before: Battle, command: Any, events: Sequence[Event], after: Battle) -> Iterator[str]:
    """What did not come off though it was allowed, such as a charge that rolled too little, and what it needed."""
    outcome = None if command is None else ruleset.play(command).outcome
    came = {} if outcome is None else outcome(before, command, tuple(events), after)
    if came.get("outcome") == FAILS:
        needs = came.get("needs")
        yield f"It fails: it needed {needs}" if isinstance(needs, int) else "It fails: no roll was enough"


def face_words(face: int | float) -> str:
    """A face as people read it off the die: a number, an angle, a hit of a scatter die, a misfire."""
    if face == HIT:
        return "hit"
    return f"{face:.0f}°" if isinstance(face, float) else ("misfire" if face == MISFIRE else str(face))


def _opening(ruleset: Ruleset, battle: Battle, command: Any) -> Iterator[str]:
    """Who did what, where a unit did it."""
    unit = getattr(command, "unit", "")
    if command is not None and battle.has_unit(unit):
        yield f"{battle.unit(unit).name}: {ruleset.play(command).title}"


@dataclass
class _Volley:
    """The dice of one weapon against one unit, counted."""

    title: str
    rolled: dict[str, int] = field(default_factory=dict)
    fine: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)

    def add(self, about: RollAbout, faces: Sequence[int | float]) -> None:
        """Count a roll; dice that fell again stand for some that had failed, and for others once none is left."""
        kind = about.kind
        good = sum(face >= about.needs for face in faces)
        if not about.again:
            self.rolled[kind] = self.rolled.get(kind, 0) + len(faces)
            self.fine[kind] = self.fine.get(kind, 0) + good
            self.failed[kind] = len(faces) - good
        else:
            self.fine[kind] = self.fine.get(kind, 0) + good - max(0, len(faces) - self.failed.get(kind, 0))

    @property
    def sentence(self) -> str:
        """The whole volley on one line, in the order in which it was rolled."""
        parts = []
        if "hit" in self.rolled:
            parts.append(f"{self.fine['hit']} of {self.rolled['hit']} hit")
        if "wound" in self.rolled:
            parts.append(f"{self.fine['wound']} of {self.rolled['wound']} wound")
        if "save" in self.rolled:
            parts.append(f"{self.fine['save']} of {self.rolled['save']} saved")
        return f"{self.title}: {', '.join(parts)}" if parts else ""


class _Teller:
    """Goes through the events of one act and keeps what belongs together."""

    def __init__(self, ruleset: Ruleset, battle: Battle, command: Any = None) -> None:
        self.ruleset, self.battle, self.command = ruleset, battle, command
        self._volleys: dict[tuple[str, ...], _Volley] = {}
        self._lost: dict[str, int] = {}  # models destroyed, by the name of their unit
        self._gone: dict[str, int] = {}  # models that left the table and live, by the name of their unit
        self._wounded: dict[str, int] = {}  # wounds lost, by model

    def tell(self, events: Sequence[Event]) -> Iterator[str]:
        """The sentences, in the order in which things happened."""
        for event in events:
            yield from self._one(event)
            self.battle = evolve(self.battle, event)
        yield from self._settled()

    def _farthest(self, unit: str, paths: Sequence[tuple[str, Path]]) -> float:
        """The inches of the model that went farthest, counted as the rule of its move does where that says so."""
        ways, goes = tuple(path for _, path in paths), None
        if self.command is not None and getattr(self.command, "unit", "") == unit:
            goes = self.ruleset.play(self.command).goes
        if goes is not None and getattr(self.command, "paths", ()) == ways:
            return max((going.gone for going in goes(self.battle, self.command)), default=0.0)
        return max((way.flown for way in ways), default=0.0)

    def _one(self, event: Event) -> Iterator[str]:
        match event:
            case DiceRolled(_, _, faces, about) if about is not None and about.kind in ATTACK:
                self._counted(about, faces)
            case DiceRolled(purpose, _, faces, _):
                yield from self._settled()
                yield f"{purpose[:1].upper()}{purpose[1:]}: {' '.join(map(face_words, faces))}"
            case WoundsChanged(model, lost):
                self._wounded[model] = lost
            case ModelsRemoved(unit, models, to):
                self._removed(unit, models, to)
            case UnitParted(unit, into):
                yield from self._settled()
                yield from (f"{part.name} goes on alone" for part in into if part.id != unit and part.models)
            case ModelsMoved(unit, paths):
                yield from self._settled()
                yield f'{name_of(self.battle, unit)} moved {self._farthest(unit, paths):.2f}"'
            case ModelsPlaced(unit, models):
                yield from self._settled()
                how = "stands anew" if self.battle.unit(unit).on_table else "is set up"
                yield f"{name_of(self.battle, unit)} {how}" + ("" if len(models) == 1 else f", {len(models)} models")
            case ChoiceMade(player, _, choice, when, subject) if choice not in NOT_TOLD:
                yield from self._settled()
                yield from self._chosen(player, choice, when, subject)
            case ScoreChanged(player, amount, "points"):
                yield from self._settled()
                yield f"{player.capitalize()} scored {amount} ({standings(evolve(self.battle, event))})"
            case ClockAdvanced():
                yield from self._settled()
                after = evolve(self.battle, event)
                yield outcome(after) or heading(after, self.ruleset)
            case _:
                return

    def _chosen(self, player: str, choice: str, when: str, subject: str) -> Iterator[str]:
        """A choice; of a reaction that is paid for, the payment tells more than the answer to the question."""
        if (when and when not in PAID) or _is_dice(choice):
            return
        on = f" on {name_of(self.battle, subject)}" if when and subject else ""
        yield f"{player.capitalize()}: {option_words(self.battle, choice)}{on}"

    def _counted(self, about: RollAbout, faces: Sequence[int | float]) -> None:
        saves = about.kind == "save"
        attacker, target = (about.against, about.unit) if saves else (about.unit, about.against)
        key = (attacker, target, about.weapon, about.profile)
        if key not in self._volleys:
            at = f" at {name_of(self.battle, target)}" if target else ""
            self._volleys[key] = _Volley(f"{about.weapon[:1].upper()}{about.weapon[1:]}{at}")
        if about.kind in ("hit", "wound", "save"):
            self._volleys[key].add(about, faces)

    def _removed(self, unit: str, models: Sequence[str], to: str) -> None:
        for model in models:
            self._wounded.pop(model, None)
        if to == DESTROYED:
            self._lost[unit] = self._lost.get(unit, 0) + len(models)
        else:
            self._gone[unit] = self._gone.get(unit, 0) + len(models)

    def _settled(self) -> Iterator[str]:
        """What has been counted so far, told and forgotten."""
        yield from filter(None, (volley.sentence for volley in self._volleys.values()))
        for unit, count in self._lost.items():
            left = len(self.battle.unit(unit).models) if self.battle.has_unit(unit) else 0
            name = name_of(self.battle, unit)
            yield f"{name} lost {_many(count, 'model')}, {left} left" if left else f"{name}: destroyed"
        for unit, count in self._gone.items():
            yield f"{name_of(self.battle, unit)} left the table, {_many(count, 'model')}"
        for model, wounds in self._wounded.items():
            if self.battle.has_model(model):
                yield f"{name_of(self.battle, model)} has lost {_many(wounds, 'wound')}"
        self._volleys, self._lost, self._gone, self._wounded = {}, {}, {}, {}


def _is_dice(choice: str) -> bool:
    """Whether a choice picks dice by their faces: what they came to is told by their rolls."""
    return all(part.isdigit() for part in choice.split())


def _many(count: int, what: str) -> str:
    """A number of things: one model, two models."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
