"""Does verifying say in words what is different?"""

from __future__ import annotations

import pytest
from msgspec import Raw
from msgspec.structs import replace

from sim.battle import ChoiceMade, Clock, encode
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices
from sim.record import Difference, LoggedEntry, Record, verify
from sim.record.log import header_of
from tests.toy import RULESET, Throw, skirmish

THROWING = Clock(1, "blue", "throws", "pebbles")


def thrown() -> Record:
    """One entry with a choice, a reaction and three dice."""
    game = Game(RULESET, replace(skirmish(), clock=THROWING))
    entry = game.play(Throw("ants"), ScriptedDice([6, 5, 1]), ScriptedChoices(["toad", "dodge"]))
    logged = LoggedEntry(1, Raw(encode(entry.command)), entry.faces, entry.choices, entry.events, entry.digest)
    return Record(header_of(RULESET.id, RULESET.version, game.start), (logged,))


def test_what_was_thrown_is_thrown_again() -> None:
    assert verify(thrown(), RULESET) is None


def test_a_record_that_does_not_say_what_its_choices_are_about_is_thrown_again() -> None:
    record = thrown()
    (entry,) = record.entries
    assert any(isinstance(event, ChoiceMade) and event.when == "thrown-at" for event in entry.events)
    silent = tuple(replace(e, when="", subject="") if isinstance(e, ChoiceMade) else e for e in entry.events)
    assert verify(replace(record, entries=(replace(entry, events=silent),)), RULESET) is None


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"faces": ((6, 5, 1), (2,))}, "1 recorded faces are no longer rolled"),
        ({"faces": ((6, 5),)}, "the roll script has 2 faces left, ants throws at toad needs 3"),
        ({"faces": ((6, 5), (1,))}, "the dice are no longer rolled as recorded"),
        ({"faces": ((6, 5, 9),)}, "the roll script says 9 for ants throws at toad, a die with 6 sides was expected"),
        ({"faces": ((6, 4, 1),)}, "event 5 was DiceRolled and is now different (DiceRolled)"),
        ({"choices": ("toad", "dodge", "dodge")}, "the recorded choices are no longer what is asked for"),
        ({"choices": ("toad",)}, "the list of choices ran out at 'thrown-at (dodge: costs one pluck)'"),
        ({"choices": ("newts", "dodge")}, "whom to throw at: 'newts' was not offered, only mice, toad"),
        ({"events": ()}, "0 events were recorded, 8 happen now"),
        ({"digest": "0"}, "the battle after it does not match its digest"),
        ({"command": Raw(b'{"type":"throw","unit":"mice"}')}, "no longer legal: it is the turn of blue"),
        ({"command": Raw(b'{"type":"hurl"}')}, "the command is not known any more: Invalid value 'hurl' - at `$.type`"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "-".join(value),
)
def test_a_difference_is_told(changes: dict[str, object], what: str) -> None:
    record = thrown()
    other = replace(record, entries=(replace(record.entries[0], **changes),))
    assert verify(other, RULESET) == Difference(1, what)
