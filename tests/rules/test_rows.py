"""Is the table of rules read as it is written, and refused with its line where it is not?"""

from __future__ import annotations

import pytest

from sim.rules import RowError, RuleRow, read_rows

HEAD = "| Rule | Status | Source | Module | Tests | Options |\n| --- | :-- | --- | --- | --- | --- |\n"


def test_rows_of_all_tables_with_the_six_columns() -> None:
    text = (
        "# Rules\n\n"
        + HEAD
        + '| Move: up to M" | implemented | book 3 | `movement.py` | `tests/a.py`, `tests/b/*` | `fast`, `slow` |\n'
        + "| Fly | absent | book 4 | – | – | - |\n"
        + "\n| Word | Meaning |\n| --- | --- |\n| inch | 25.4 mm |\n\n"
        + HEAD.lower()
        + "| Swim | different on purpose | us | `water.py` | `tests/w.py` | – |\n"
        + "| Dig | partial | us | `earth.py` | `tests/e.py` | |\n"
    )
    assert read_rows(text) == (
        RuleRow(
            'Move: up to M"',
            "implemented",
            "book 3",
            "movement.py",
            ("tests/a.py", "tests/b/*"),
            ("fast", "slow"),
        ),
        RuleRow("Fly", "absent", "book 4", "–", (), ()),
        RuleRow("Swim", "different", "us", "water.py", ("tests/w.py",), ()),
        RuleRow("Dig", "partial", "us", "earth.py", ("tests/e.py",), ()),
    )


def test_a_text_without_a_table_has_no_rows() -> None:
    assert read_rows("# Rules\n\nNone yet.\n") == ()


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("| Fly | done | us | a.py | t.py | – |", "line 3: expected one of implemented, partial, "),
        ("| Fly | absent | us |", "line 3: expected 6 cells, got 3"),
        ("| Fly | different | us | a.py | t.py | – |", "got 'different'"),
    ],
)
def test_a_wrong_row_is_named_by_its_line(row: str, what: str) -> None:
    with pytest.raises(RowError) as caught:
        read_rows(HEAD + row)
    assert what in str(caught.value)
