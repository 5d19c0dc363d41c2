"""Is a record read as it was written, and refused with its line where it is none?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from sim.app.games import rulesets
from sim.battle import ScoreChanged, WoundsChanged, encode
from sim.record import FORMAT, LoggedEntry, Record, RecordError, read_record, rebuild, verify, write_record
from sim.record.log import SNAPSHOT_EVERY, header_of, parse_record
from sim.resources import data_root
from tests.record.table import played
from tests.toy import RULESET, skirmish


def record_of(count: int) -> Record:
    game = played(count)
    entries = tuple(
        LoggedEntry(e.number, Raw(encode(e.command)), e.faces, e.choices, e.events, e.digest) for e in game.entries
    )
    return Record(header_of(RULESET.id, RULESET.version, game.start), entries)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A record of four entries as bytes."""
    path = tmp_path_factory.mktemp("record") / "b.jsonl"
    write_record(path, record_of(4))
    return path.read_bytes()


def refusal(raw: bytes) -> str:
    with pytest.raises(RecordError) as caught:
        parse_record("b.jsonl", raw)
    assert "\n" not in str(caught.value)
    assert str(caught.value) == f"{caught.value.file}: {caught.value.where}: {caught.value.what}"
    return str(caught.value)


def with_line(raw: bytes, number: int, line: bytes) -> bytes:
    lines = raw.split(b"\n")
    return b"\n".join([*lines[: number - 1], line, *lines[number:]])


def with_header(raw: bytes, **fields: Any) -> bytes:
    header = json.loads(raw.split(b"\n")[0]) | fields
    return with_line(raw, 1, json.dumps(header).encode())


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = record_of(SNAPSHOT_EVERY * 2 + 3)
    write_record(tmp_path / "b.jsonl", record)
    again = read_record(tmp_path / "b.jsonl")
    assert encode(again.entries) == encode(record.entries)
    assert again.header == record.header
    assert sorted(again.snapshots) == [SNAPSHOT_EVERY, 2 * SNAPSHOT_EVERY]
    assert not again.torn
    write_record(tmp_path / "c.jsonl", again)
    assert (tmp_path / "c.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_seeking_from_a_snapshot_is_playing_from_the_start(tmp_path: Path) -> None:
    record = record_of(SNAPSHOT_EVERY + 20)
    write_record(tmp_path / "b.jsonl", record)
    with_snapshots = read_record(tmp_path / "b.jsonl")
    assert with_snapshots.snapshots
    for k in (0, 1, SNAPSHOT_EVERY - 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 1, SNAPSHOT_EVERY + 20):
        assert with_snapshots.battle_at(k) == record.battle_at(k)
    for wrong in (-1, SNAPSHOT_EVERY + 21):
        with pytest.raises(IndexError, match="expected an entry from 0 to"):
            record.battle_at(wrong)


def test_seeking_begins_at_the_nearest_snapshot() -> None:
    record = record_of(6)
    other = replace(record.battle_at(4), title="snapshot")
    seen = replace(record, snapshots={4: other, 2: replace(other, title="earlier")})
    titles = [seen.battle_at(k).title for k in range(7)]
    assert titles == ["Pebbles", "Pebbles", "earlier", "earlier", "snapshot", "snapshot", "snapshot"]


def test_two_thousand_entries(tmp_path: Path) -> None:
    few = record_of(4)
    many = tuple(replace(few.entries[k % 4], number=k + 1) for k in range(2000))
    record = replace(few, entries=many)
    write_record(tmp_path / "b.jsonl", record)
    again = read_record(tmp_path / "b.jsonl")
    assert len(again.entries) == 2000
    assert sorted(again.snapshots) == list(range(SNAPSHOT_EVERY, 2001, SNAPSHOT_EVERY))
    assert again.battle_at(1999) == record.battle_at(1999)
    assert rebuild(again, RULESET).battle == again.battle_at(2000)


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    write_record(path, record_of(2))
    before = path.read_bytes()
    good = record_of(SNAPSHOT_EVERY)
    nonsense = replace(good.entries[3], events=(WoundsChanged("nobody", 1),))
    broken = replace(good, entries=(*good.entries[:3], nonsense, *good.entries[4:]))
    with pytest.raises(RecordError, match="entry 4: no model is called 'nobody'"):
        write_record(path, broken)
    assert path.read_bytes() == before
    write_record(path, record_of(3))
    assert len(read_record(path).entries) == 3
    assert [f.name for f in tmp_path.glob("*.jsonl")] == ["b.jsonl"]
    assert list(tmp_path.glob("b.jsonl.*")) == []


def test_playing_back_needs_no_command() -> None:
    record = record_of(4)
    unknown = tuple(replace(e, command=Raw(b'{"type":"spell-of-old"}')) for e in record.entries)
    old = replace(record, entries=unknown)
    assert old.battle_at(4) == record.battle_at(4)
    difference = verify(old, RULESET)
    assert difference is not None
    assert difference.number == 1
    assert "not known any more" in difference.what


def test_an_event_about_nobody_is_named_by_its_entry() -> None:
    record = record_of(3)
    wrong = replace(record.entries[1], events=(ScoreChanged("green", 1),))
    broken = replace(record, entries=(record.entries[0], wrong, record.entries[2]))
    assert broken.battle_at(1) == record.battle_at(1)
    with pytest.raises(RecordError, match="entry 2: no player is called 'green'"):
        broken.battle_at(3)
    with pytest.raises(RecordError, match="entry 2: no player is called 'green'"):
        rebuild(broken, RULESET)


def test_a_command_that_cannot_be_read_is_named_when_a_game_should_go_on() -> None:
    record = record_of(3)
    wrong = replace(record.entries[1], command=Raw(b'{"type":"spell-of-old"}'))
    with pytest.raises(RecordError, match=r"entry 2: .*spell-of-old"):
        rebuild(replace(record, entries=(record.entries[0], wrong, record.entries[2])), RULESET)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"format": FORMAT + 1}, f"b.jsonl: line 1: format {FORMAT + 1} is newer than this program knows ({FORMAT})"),
        ({"format": 0}, "b.jsonl: line 1: no way to read format 0"),
        ({"format": None}, "b.jsonl: line 1: expected the header of a battle record"),
        ({"format": "1"}, "b.jsonl: line 1: expected the header of a battle record"),
        ({"line": "entry"}, "b.jsonl: line 1: expected the header of a battle record"),
        ({"start": {}}, "b.jsonl: line 1: Object missing required field `ruleset` - at `$.start`"),
        ({"digest": 3}, "b.jsonl: line 1: Expected `str`, got `int` - at `$.digest`"),
    ],
)
def test_a_wrong_header_is_refused(raw: bytes, fields: dict[str, Any], what: str) -> None:
    assert refusal(with_header(raw, **fields)).startswith(what)


@pytest.mark.parametrize(
    "text",
    [b"hello\n", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\0\n", b"\x89PNG\r\n\x1a\n", b'title = "x"\n[table]\n', b"3\n"],
)
def test_what_is_no_record_is_refused(text: bytes) -> None:
    assert refusal(text) == "b.jsonl: line 1: expected the header of a battle record"


@pytest.mark.parametrize("text", [b"", b"no line break"])
def test_less_than_a_line_is_refused(text: bytes) -> None:
    assert refusal(text) == "b.jsonl: line 1: expected a complete header"


@pytest.mark.parametrize(
    ("number", "line", "what"),
    [
        (3, b"garbage", "b.jsonl: line 3: no line of a record: "),
        (3, b"", "b.jsonl: line 3: no line of a record: "),
        (2, b"\0\0\0", "b.jsonl: line 2: no line of a record: "),
        (2, b'{"line":"dream"}', "b.jsonl: line 2: no line of a record: Invalid value 'dream'"),
        (2, b'{"line":"entry"}', "b.jsonl: line 2: no line of a record: Object missing required field `number`"),
        (2, b'{"line":"entry","number":2,"command":{}}', "b.jsonl: line 2: expected entry 1, got 2"),
        (3, b'{"line":"rewind","to":2}', "b.jsonl: line 3: cannot step back to entry 2 of 1"),
        (3, b'{"line":"rewind","to":-1}', "b.jsonl: line 3: cannot step back to entry -1 of 1"),
        (2, b"[" * 100_000, "b.jsonl: line 2: no line of a record: "),
        (2, b'{"line":"entry","number":1,"command":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "b.jsonl: line 2: "),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_wrong_line_is_named(raw: bytes, number: int, line: bytes, what: str) -> None:
    assert refusal(with_line(raw, number, line)).startswith(what)


def test_a_second_header_is_refused(raw: bytes) -> None:
    assert refusal(with_line(raw, 3, raw.split(b"\n")[0])) == "b.jsonl: line 3: a second header"


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path, what in ((tmp_path / "none.jsonl", "no such file"), (tmp_path, "expected a file, this is a folder")):
        with pytest.raises(RecordError) as caught:
            read_record(path)
        assert str(caught.value) == f"{path}: file: {what}"


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data())
def test_a_damaged_record_is_read_or_refused(data: st.DataObject) -> None:
    whole = DAMAGED_FROM
    start = data.draw(st.integers(0, len(whole) - 1))
    end = data.draw(st.integers(start, min(len(whole), start + 30)))
    bits = st.binary(max_size=8) | st.sampled_from([b"\n", b"{}", b"null", b'"', b"}", b"9" * 25, b"-1", b"\\u0000"])
    damaged = whole[:start] + data.draw(bits) + whole[end:]
    try:
        record = parse_record("b.jsonl", damaged)
        for k in range(len(record.entries) + 1):
            record.battle_at(k)
        verify(record, RULESET)
    except RecordError as error:
        text = str(error)
    else:
        text = ""
    assert "\n" not in text


def _bytes_of(record: Record) -> bytes:
    return b"".join(encode(line) + b"\n" for line in (record.header, *record.entries))


DAMAGED_FROM = _bytes_of(record_of(4))


def test_the_start_of_a_header_is_the_scenario() -> None:
    header = header_of("toy", "1", skirmish())
    assert (header.format, header.scenario, header.start) == (FORMAT, "Pebbles", skirmish())


SHIPPED = sorted((data_root() / "assets" / "records").glob("*.jsonl"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_records_verify(path: Path) -> None:
    record = read_record(path)
    assert record.entries
    assert not record.torn
    assert verify(record, rulesets()[record.header.ruleset]) is None


def test_a_demo_record_ships() -> None:
    assert "demo.jsonl" in [path.name for path in SHIPPED]
