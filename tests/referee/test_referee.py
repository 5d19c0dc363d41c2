"""The referee of our own: it sees what is wrong, it shares nothing with the judge, and battles pass under its eyes."""

from __future__ import annotations

import ast
import copy
import gzip
import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.referee import CHECKS, Report, referee
from tests.referee.spoiling import WAYS, Lines
from tests.referee.story import story_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDS = sorted((HERE / "records").glob("*.jsonl.gz"))


@cache
def record(path: Path) -> Lines:
    """The lines of a record of ours."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def reports(path: Path) -> frozenset[Report]:
    """What the referee says of a record as it is."""
    return frozenset(referee(story_of(record(path))))


@pytest.mark.parametrize(("check", "name"), WAYS, ids=lambda text: text.replace(" ", "-"))
def test_the_referee_is_not_blind(check: str, name: str) -> None:
    for path in RECORDS:
        lines = copy.deepcopy(record(path))
        if WAYS[check, name](lines, story_of(record(path))):
            seen = set(referee(story_of(lines), only=(check,))) - reports(path)
            assert seen, f"{name} in {path.name} passes unseen"
            return
    pytest.fail(f"no record of ours has a place for {name}")


def test_every_check_is_spoiled_somewhere() -> None:
    referee(story_of(record(RECORDS[0])))
    assert {check for check, _ in WAYS} == CHECKS.keys()


def test_the_referee_shares_nothing_with_the_judge() -> None:
    for path in HERE.rglob("*.py"):
        if path.name == Path(__file__).name:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.partition(".")[0] == "sim"], path


def _refereed() -> ModuleType:
    spec = importlib.util.spec_from_file_location("refereed", ROOT / "tools" / "refereed.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", [7, 12])
def test_a_battle_passes_under_its_eyes(seed: int) -> None:
    refereed = _refereed()
    found = referee(refereed.story(refereed.play(refereed.battle_of(seed))))
    assert [str(report) for report in found] == []
