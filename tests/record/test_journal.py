"""Does a journal lose nothing that was shown, wherever it is cut?"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Raw

from sim.battle import encode
from sim.chance import ScriptedDice
from sim.engine import Game
from sim.record import Journal, LoggedEntry, Record, RecordError, read_record, rebuild, verify
from sim.record.log import SNAPSHOT_EVERY, parse_record
from sim.rules import EndStep
from tests.record.table import comings_and_goings, played
from tests.toy import RULESET, skirmish

ROOT = Path(__file__).resolve().parents[2]


def written(path: Path, count: int) -> Game:
    """A game whose entries were all written to a journal."""
    game = played(count)
    with Journal.create(path, RULESET.id, RULESET.version, game.start) as journal:
        for entry in game.entries:
            journal.append(entry, game.branch(entry.number).battle)
    return game


def as_logged(game: Game) -> tuple[LoggedEntry, ...]:
    return tuple(
        LoggedEntry(e.number, Raw(encode(e.command)), e.faces, e.choices, e.events, e.digest) for e in game.entries
    )


def same(record: Record, game: Game) -> bool:
    """Whether a record holds exactly the entries of a game, with their commands."""
    return encode(record.entries) == encode(as_logged(game))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    game = written(tmp_path / "b.jsonl", 8)
    record = read_record(tmp_path / "b.jsonl")
    assert same(record, game)
    assert record.header.start == game.start
    assert (record.header.ruleset, record.header.version, record.header.scenario) == ("toy", "1", "Pebbles")
    assert not record.torn
    assert verify(record, RULESET) is None
    again = rebuild(record, RULESET)
    assert again.battle == game.battle
    assert again.entries == game.entries


def test_every_entry_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    game = played(3)
    journal = Journal.create(path, RULESET.id, RULESET.version, game.start)
    assert read_record(path).entries == ()
    for entry in game.entries:
        journal.append(entry)
        assert len(read_record(path).entries) == entry.number
    journal.close()


def test_every_entry_is_pressed_through_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that loses its power keeps what was shown, not only one whose program was killed."""
    sizes: list[int] = []
    monkeypatch.setattr("os.fsync", lambda number: sizes.append(os.fstat(number).st_size))
    path = tmp_path / "b.jsonl"
    game = played(2)
    with Journal.create(path, RULESET.id, RULESET.version, game.start) as journal:
        for entry in game.entries:
            journal.append(entry)
            assert sizes[-1] == path.stat().st_size
    assert len(set(sizes)) == 3


def test_cut_at_any_byte_it_loses_the_torn_line_at_most(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    game = written(path, 5)
    with Journal.resume(path)[0] as journal:
        journal.rewind(3)
        journal.append(game.entries[3])
    raw = path.read_bytes()
    header = raw.index(b"\n") + 1
    lines_to_entries = [0, 1, 2, 3, 4, 5, 3, 4]
    for cut in range(header, len(raw) + 1):
        record = parse_record("b.jsonl", raw[:cut])
        whole = raw[:cut].count(b"\n") - 1
        assert len(record.entries) == lines_to_entries[whole]
        assert record.torn == (raw[cut - 1 : cut] != b"\n")
        assert record.whole == raw[:cut].rindex(b"\n") + 1


def test_cut_inside_the_header_it_says_that_there_is_none(tmp_path: Path) -> None:
    written(tmp_path / "b.jsonl", 1)
    raw = (tmp_path / "b.jsonl").read_bytes()
    for cut in range(raw.index(b"\n") + 1):
        with pytest.raises(RecordError) as caught:
            parse_record("b.jsonl", raw[:cut])
        assert str(caught.value) == "b.jsonl: line 1: expected a complete header"


def test_cut_at_any_byte_about_a_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    game = written(path, SNAPSHOT_EVERY + 1)
    raw = path.read_bytes()
    last_lines = raw.split(b"\n")[-4:]
    assert b'"line":"snapshot"' in last_lines[1]
    start = len(raw) - len(b"\n".join(last_lines))
    for cut in range(start, len(raw) + 1, 7):
        record = parse_record("b.jsonl", raw[:cut])
        assert len(record.entries) >= SNAPSHOT_EVERY - 1
        assert record.battle_at(len(record.entries)) == game.branch(len(record.entries)).battle


TORN = {
    "half a line": lambda line: line[: len(line) // 2],
    "all but its end": lambda line: line[:-1],
    "one letter": lambda line: line[:1],
    "holes": lambda line: b"\0" * 40,
    "half a line, ended": lambda line: line[: len(line) // 2] + b"\n",
    "looks whole, ended": lambda line: b'{"line":"entry","numb"}\n',
    "blank, ended": lambda line: b"\n",
    "holes, ended": lambda line: b"\0" * 40 + b"\n",
}


@pytest.mark.parametrize("torn", TORN)
def test_a_torn_journal_goes_on(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "b.jsonl"
    game = written(path, 6)
    raw = path.read_bytes()
    last = raw[raw.rindex(b"\n", 0, -1) + 1 :]
    path.write_bytes(raw[: -len(last)] + TORN[torn](last))
    journal, record = Journal.resume(path)
    with journal:
        assert record.torn
        assert len(record.entries) == 5
        resumed = rebuild(record, RULESET, journal.append)
        resumed.play(game.entries[5].command, ScriptedDice(()))
        resumed.play(EndStep(), ScriptedDice(()))
    again = read_record(path)
    assert not again.torn
    assert same(again, resumed)
    assert verify(again, RULESET) is None


def test_a_whole_journal_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    game = written(path, 4)
    before = path.read_bytes()
    journal, record = Journal.resume(path)
    journal.close()
    assert same(record, game)
    assert path.read_bytes() == before


def test_what_was_undone_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    game = written(path, SNAPSHOT_EVERY + 2)
    with Journal.resume(path)[0] as journal:
        for k in (SNAPSHOT_EVERY + 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY - 2):
            journal.rewind(k)
        while game.entries[-1].number > SNAPSHOT_EVERY - 2:
            game.undo()
        end = game.play(EndStep(), ScriptedDice(()))
        journal.append(end)
    record = read_record(path)
    assert same(record, game)
    assert record.snapshots == {}
    assert verify(record, RULESET) is None
    assert record.battle_at(len(record.entries)) == game.battle


def test_a_journal_may_be_rewound_to_its_start(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    game = written(path, 2)
    with Journal.resume(path)[0] as journal:
        journal.rewind(0)
        assert read_record(path).entries == ()
        journal.append(game.entries[0])
    assert len(read_record(path).entries) == 1


def test_a_new_journal_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "b.jsonl"
    for count in (1, 2, 3):
        written(path, count)
    lengths = {f.name: len(read_record(f).entries) for f in path.parent.iterdir()}
    assert lengths == {"b.jsonl": 1, "b-1.jsonl": 2, "b-2.jsonl": 3}


@pytest.mark.parametrize("shown", [1, 7, SNAPSHOT_EVERY + 11])
def test_killed_in_the_middle_it_loses_nothing_that_was_shown(tmp_path: Path, shown: int) -> None:
    path = tmp_path / "b.jsonl"
    program = [sys.executable, "-m", "tests.record.keeps_writing", str(path)]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        seen = [int(child.stdout.readline()) for _ in range(shown)]
        child.send_signal(signal.SIGKILL)
        seen += [int(line) for line in child.stdout.read().splitlines()]
    assert child.returncode == -signal.SIGKILL
    record = read_record(path)
    assert seen == list(range(1, len(seen) + 1))
    assert len(record.entries) >= len(seen)
    assert verify(record, RULESET) is None
    expected = [command for _, command in zip(seen, comings_and_goings(), strict=False)]
    assert [bytes(e.command) for e in record.entries[: len(seen)]] == [encode(c) for c in expected]
    journal, _ = Journal.resume(path)
    journal.close()
    assert read_record(path).header.start == skirmish()
