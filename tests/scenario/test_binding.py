"""Does a unit of a file become what its datasheet says, as far as the file does not say it?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from sim.battle import Unit
from sim.geometry import Base, Oval, Rect, Round
from sim.scenario import Case, ScenarioError, load_case
from tests import toy

LISTED: dict[str, tuple[Base, bool]] = {"Fiends": (Oval.mm(60, 35), False), "Barge": (Round.mm(100), True)}
TABLE = 'ruleset = "toy"\n[table]\nwidth = 40.0\ndepth = 30.0\n'


def bind(unit: Unit) -> Unit:
    return msgspec.structs.replace(unit, points=unit.points or 7) if unit.datasheet in LISTED else unit


BOUND = replace(toy.RULESET, bind=bind, datasheet_base=LISTED.get)


def load(folder: Path, unit: str, ruleset: object = BOUND) -> Case:
    file = folder / "case.toml"
    file.write_text(f"{TABLE}\n[[unit]]\nid = 'u'\nplayer = 'red'\nwhere = 'reserves'\n{unit}\n", "utf-8")
    return load_case(file, {"toy": ruleset})  # type: ignore[dict-item]


def test_the_base_and_the_rest_come_from_the_datasheet(tmp_path: Path) -> None:
    case = load(tmp_path, 'datasheet = "Fiends"\nmodels = 3')
    (unit,) = case.battle.units
    assert [m.base for m in unit.models] == [Oval.mm(60, 35)] * 3
    assert unit.points == 7
    assert case.assumed == frozenset()


def test_the_file_wins(tmp_path: Path) -> None:
    case = load(
        tmp_path, 'datasheet = "Barge"\npoints = 3\nbase = { round = 32 }\nmodels = [{ base = { rect = [9, 9] } }, {}]'
    )
    (unit,) = case.battle.units
    assert [m.base for m in unit.models] == [Rect.mm(9, 9), Round.mm(32)]
    assert unit.points == 3
    assert case.assumed == frozenset()


def test_an_estimated_base_is_assumed(tmp_path: Path) -> None:
    assert load(tmp_path, 'datasheet = "Barge"').assumed == {"u"}


def test_an_unknown_datasheet_is_no_error_where_the_file_has_the_base(tmp_path: Path) -> None:
    (unit,) = load(tmp_path, 'datasheet = "Nobody"\nbase = { round = 32 }').battle.units
    assert (unit.datasheet, unit.points) == ("Nobody", 0)


def test_without_any_base_the_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"unit u has no base.* and no datasheet is called 'Nobody'"):
        load(tmp_path, 'datasheet = "Nobody"')
    with pytest.raises(ScenarioError, match=r"neither has this model$"):
        load(tmp_path, "models = 2")


def test_a_game_without_datasheets_takes_what_the_file_says(tmp_path: Path) -> None:
    (unit,) = load(tmp_path, 'datasheet = "Fiends"\nbase = { round = 32 }', toy.RULESET).battle.units
    assert unit.points == 0
    with pytest.raises(ScenarioError, match="no datasheet is called 'Fiends'"):
        load(tmp_path, 'datasheet = "Fiends"', toy.RULESET)
