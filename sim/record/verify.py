"""Does it happen again? Judges and resolves the commands of a record anew, with its faces and choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

from msgspec.structs import replace

from sim.battle import (
    Battle,
    BattleError,
    ChoiceMade,
    CodecError,
    DiceRolled,
    Event,
    decode,
    digest,
    evolve_all,
)
from sim.chance import DiceError, ScriptedDice
from sim.engine import ChoiceError, Entry, Game, Listener, ScriptedChoices, judge, resolve
from sim.record.log import Asked, LoggedEntry, Record, RecordError
from sim.rules import Command, Ruleset


@dataclass(frozen=True)
class Difference:
    """The first entry that does not happen again, and what is different about it."""

    number: int
    what: str


def verify(record: Record, ruleset: Ruleset, progress: Callable[[int, int], None] | None = None) -> Difference | None:
    """The first entry that differs when the commands are judged and resolved anew; None when none does."""
    if record.header.ruleset != ruleset.id:
        return Difference(0, f"the record is of {record.header.ruleset}, not of {ruleset.id}")
    battle = record.header.start
    if digest(battle) != record.header.digest:
        return Difference(0, "the start does not match its digest")
    for entry in record.entries:
        what, battle = _again(ruleset, battle, entry)
        if what:
            return Difference(entry.number, what)
        snapshot = record.snapshots.get(entry.number)
        if snapshot is not None and digest(snapshot) != entry.digest:
            return Difference(entry.number, "the snapshot after it is not the battle after it")
        if progress is not None:
            progress(entry.number, len(record.entries))
    return None


def rebuild(record: Record, ruleset: Ruleset, listener: Listener | None = None) -> Game:
    """A game with everything in a record already done, by its events."""
    game = Game(ruleset, record.header.start, listener)
    battle = record.header.start
    for logged in record.entries:
        try:
            battle = evolve_all(battle, logged.events)
            command = decode_command(ruleset, logged)
        except (BattleError, CodecError) as error:
            raise RecordError(record.header.scenario, f"entry {logged.number}", str(error)) from None
        game.restore(Entry(logged.number, command, logged.faces, logged.choices, logged.events, logged.digest), battle)
    return game


def decode_command(ruleset: Ruleset, entry: LoggedEntry | Asked) -> Command:
    """The command of an entry or of a question as the ruleset knows it; raises ``CodecError``."""
    kinds: Any = Union[ruleset.commands]  # noqa: UP007 - the kinds are known only now
    command: Command = decode(bytes(entry.command), kinds)
    return command


def _again(ruleset: Ruleset, battle: Battle, entry: LoggedEntry) -> tuple[str, Battle]:
    try:
        command = decode_command(ruleset, entry)
    except CodecError as error:
        return f"the command is not known any more: {error}", battle
    verdict = judge(ruleset, battle, command)
    if not verdict.legal:
        return f"no longer legal: {'; '.join(v.message for v in verdict.violations)}", battle
    dice = ScriptedDice([face for roll in entry.faces for face in roll])
    try:
        result = resolve(
            ruleset,
            battle,
            ruleset.play(command).resolve(battle, command),
            dice,
            ScriptedChoices(entry.choices),
        )
    except (DiceError, ChoiceError, BattleError) as error:
        return str(error), battle
    if dice.left:
        return f"{dice.left} recorded faces are no longer rolled", battle
    if result.choices != entry.choices:
        return "the recorded choices are no longer what is asked for", battle
    if result.faces != entry.faces:
        return "the dice are no longer rolled as recorded", battle
    happened = tuple(map(_as_told, result.events, entry.events))
    if len(result.events) != len(entry.events) or happened != entry.events:
        return _first_event(result.events, entry.events), battle
    if digest(result.battle) != entry.digest:
        return "the battle after it does not match its digest", battle
    return "", result.battle


def _as_told(now: Event, then: Event) -> Event:
    """An event as a record that did not yet say what rolls and choices are about would have told it."""
    match now, then:
        case DiceRolled(), DiceRolled(about=None):
            return replace(now, about=None)
        case ChoiceMade(), ChoiceMade(when="", subject=""):
            return replace(now, when="", subject="")
        case _:
            return now


def _first_event(now: tuple[Any, ...], then: tuple[Any, ...]) -> str:
    for k, (a, b) in enumerate(zip(now, then, strict=False), 1):
        if a != b:
            return f"event {k} was {type(b).__name__} and is now different ({type(a).__name__})"
    return f"{len(then)} events were recorded, {len(now)} happen now"
