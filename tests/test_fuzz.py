"""Do damaged files of every kind end in an answer or in lines about what is wrong, whatever is done with them?"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tools import fuzz

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def at_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_mutants_of_every_kind_are_taken_or_refused() -> None:
    assert fuzz.fuzz(count=400, seed=11, seconds=8.0) == []


def test_a_fault_of_the_program_is_found(tmp_path: Path) -> None:
    """The tool itself: an exception, another exit status and a file left behind are told."""
    path = tmp_path / "x.toml"
    path.write_text("")

    def fails(_: str) -> int:
        raise KeyError("what is looked for")

    def leaves(name: str) -> int:
        Path(name).with_name("left").touch()
        return 2

    kind = fuzz.kinds()[0]
    assert "KeyError" in fuzz.looked_at(kind, fails, path)
    assert fuzz.looked_at(kind, lambda _: 3, path) == "exit status 3"
    assert fuzz.looked_at(kind, leaves, path) == "refused, and yet written: left"
    assert fuzz.looked_at(kind, lambda _: 1, path) == ""


def test_a_seed_makes_the_same_mutants() -> None:
    kind = fuzz.kinds()[0]
    one, again = (fuzz.mutant(random.Random("3.7"), kind) for _ in range(2))
    assert one == again
