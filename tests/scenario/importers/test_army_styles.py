"""Is a text told apart by its style, and refused on one line where it cannot be read?"""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.scenario.importers import (
    ImportedArmy,
    ImporterError,
    decode_army,
    read_army,
    read_army_file,
    report,
    to_toml,
)

FIXTURES = Path(__file__).parent / "fixtures"
SIMPLE = (FIXTURES / "simple.txt").read_text("utf-8")
LINES = (SIMPLE + (FIXTURES / "odd.txt").read_text("utf-8")).splitlines()

KEYWORD_HEADER = "+++++++\n+ FACTION KEYWORD: Xenos - Marsh Choir\n+ TOTAL ARMY POINTS: 70pts\n+++++++\n"


def refusal(text: str) -> str:
    with pytest.raises(ImporterError) as caught:
        read_army(text, "list.txt")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            f"{KEYWORD_HEADER}Char1: 1x Mother Sedge (70 pts)\n1 with Reed crook",
            'New Recruit "WTC full"',
        ),
        (f"{KEYWORD_HEADER}1x Mother Sedge (70 pts)\n• 1x Reed crook", 'New Recruit "GW style"'),
        (
            "Mother Sedge (70pts): Reed crook\n\n10x Reed Singers (70pts)",
            'New Recruit "short"',
        ),
        (
            "Dusk (140 Points)\n\nMarsh Choir\n\nMother Sedge (70 Points)\n  • 1x Reed crook",
            "the publisher's app",
        ),
        (
            '<?xml version="1.0"?>\n<roster xmlns="http://example.org/rosterSchema">',
            "a BattleScribe roster",
        ),
        ("<html><body>Mother Sedge</body></html>", "a file in XML or HTML"),
        ('{"SaveName": "", "ObjectStates": []}', "a Tabletop Simulator save"),
        ('{"roster": {"forces": []}}', "a roster in JSON"),
        ('{"units": []}', "a file in JSON"),
        (
            "++ Marsh Choir (Xenos) [70pts] ++\n\n+ HQ +\n\nMother Sedge [70pts]: Reed crook",
            "BattleScribe's plain text",
        ),
    ],
)
def test_a_style_that_is_not_read_yet_is_named(text: str, title: str) -> None:
    said = refusal(text)
    assert said.startswith(f"list.txt: text: this looks like {title}")
    assert "which is not read yet" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "got an empty text"),
        (" \n\t\n\ufeff", "expected an army list"),
        ("Dear friend,\nsee you on Sunday.", "got 'Dear friend,'"),
        ("\x00\x01\x02\xff" * 50, "got binary data"),
        ("Reed Singers [70 pts]\x00", "control character"),
        ("Xenos - Marsh Choir - Dusk - [70 pts]\n## Infantry", "without any"),
        ("x" * 5_000_001, "expected at most 5,000,000 letters, got 5,000,001"),
    ],
)
def test_what_cannot_be_read_is_refused_on_one_line(text: str, said: str) -> None:
    refused = refusal(text)
    assert said in refused
    assert "\n" not in refused
    assert len(refused) < 200


def test_a_file_is_read_with_any_mark(tmp_path: Path) -> None:
    plain = read_army(SIMPLE)
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        file = tmp_path / f"{encoding}.txt"
        file.write_bytes(SIMPLE.encode(encoding))
        assert read_army_file(file).units == plain.units


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04\x14\x00", "zipped BattleScribe roster"),
        (b"Reed Singers [70 pts]\xff\xfe", "expected text in UTF-8, got byte 0xff at 21"),
        (b"\xff\xfe\x00", "expected text in UTF-8"),
        (b" " * 5_000_001, "expected at most 5,000,000 bytes"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(ImporterError, match=said):
        decode_army(data, "list.txt")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.txt"
    with file.open("wb") as stream:
        stream.truncate(6_000_000)
    with pytest.raises(ImporterError, match="expected at most 5 MB"):
        read_army_file(file)


# --- whatever comes: an army of which everything is written and reported, or an ImporterError


def imported(text: str) -> ImportedArmy | None:
    said, army = "", None
    try:
        army = read_army(text)
    except ImporterError as error:
        said = str(error)
    if army is None:
        assert "\n" not in said
        return None
    assert army.units
    assert len({unit.id for unit in army.units}) == len(army.units)
    assert all("\n" not in line for line in report(army))
    to_toml(army, "red")
    return army


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    imported(text)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.lists(st.sampled_from([*"[]()#•-*:x, \n\t\"\\'’1905", " pts]", "[70 pts]", "2x ", "Horn", "## ", " w/ "])))
def test_any_text_of_the_lists_own_letters(parts: list[str]) -> None:
    imported("Horn [5 pts]" + "".join(parts))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.integers(0, len(SIMPLE)), st.integers(0, len(SIMPLE)))
def test_a_piece_of_a_list(start: int, end: int) -> None:
    imported(SIMPLE[start:end])


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.permutations(LINES))
def test_the_lines_in_any_order(lines: list[str]) -> None:
    """Whatever the order, models are counted under a unit or their line is reported."""
    army = imported("\n".join(lines))
    assert army is not None
    unread = {entry.line for entry in army.unread}
    understood = [line for number, line in enumerate(lines, 1) if number not in unread]
    counts = [int(found[1]) for line in understood if (found := re.match(r"\s*[•*-] ([0-9]+)x ", line))]
    bare = [unit for unit in army.units if {model.name for model in unit.models} == {unit.name}]
    assert sum(counts) <= army.model_count <= sum(counts) + 4 * len(bare) + 4
    units = [line for line in understood if " pts]" in line and not line.startswith(("#", "Xenos", "Imperium"))]
    named = [unit.name for unit in army.units]
    assert len(named) >= len(units)
    assert all(any(name in line for line in understood) for name in named)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.data())
def test_a_broken_letter_anywhere(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SIMPLE)))
    letter = data.draw(st.characters())
    imported(SIMPLE[:at] + letter + SIMPLE[at + 1 :])
