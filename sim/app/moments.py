"""A moment of a record as a case: the battle before an entry, and the command that was given then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.app.common import InputError, is_record, load_record

if TYPE_CHECKING:
    from sim.scenario import Case

AT = "@"


def parted(path: str) -> tuple[str, str | None]:
    """A file's name and the entry that is asked for behind it (``battle.jsonl@27``); None where none is."""
    name, at, entry = path.rpartition(AT)
    return (name, entry) if at and is_record(name) else (path, None)


def moment(path: str) -> Case:
    """The case of ``RECORD@ENTRY``: as it stood before that entry, which is its command; raises ``InputError``.

    Behind the last entry, and without a number, the battle stands as the record leaves it and has no command.
    """
    from sim.app.games import rulesets
    from sim.battle import BattleError, CodecError, evolve_all
    from sim.record.verify import decode_command
    from sim.scenario import Case, Expect

    name, asked = parted(path)
    record = load_record(name)
    ruleset = rulesets().get(record.header.ruleset)
    if ruleset is None:
        raise InputError(f"{name}: ruleset: no game is called {record.header.ruleset!r}")
    last = len(record.entries) + 1
    if asked is None:
        number = last
    elif asked.isascii() and asked.isdigit() and len(asked) < 10 and 1 <= int(asked) <= last:
        number = int(asked)
    else:
        raise InputError(f"{path}: entry: expected a number from 1 to {last}, got {asked!r}")
    battle, command = record.header.start, None
    faces: tuple[int | float, ...] = ()
    try:
        for entry in record.entries[: number - 1]:
            battle = evolve_all(battle, entry.events)
        if number < last:
            then = record.entries[number - 1]
            command = decode_command(ruleset, then)
            faces = tuple(face for roll in then.faces for face in roll)
    except (BattleError, CodecError) as error:
        raise InputError(f"{name}: entry {number}: {error}") from None
    title = f"{battle.title or record.header.scenario}, entry {number}"
    assumed = frozenset(record.header.assumed)
    return Case(path, title, None, ruleset, battle, command, faces, (), Expect(), assumed=assumed)
