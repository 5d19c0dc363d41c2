"""Is every cell of two fixed tables judged as it was, and does the region of legal spots agree with the judge?"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import shapely

from sim.analysis import census
from sim.geometry import Pose, legal_region
from tests.analysis.atlas import NAMES, case, changes, picture, pinned, taken
from tests.toy import RULESET, Drop, skirmish

RIM = 0.02  # inches; a drawn region may be off by less than this


def test_the_tables_are_there() -> None:
    assert NAMES == ("crossroads", "hulls")


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_judged_as_it_was(name: str) -> None:
    """After a rule was changed on purpose: ``python -m tests.analysis.atlas``, and look at the difference."""
    found = changes(picture(taken(name)), pinned(name))
    assert found == "", f"\n{found}"


@pytest.mark.parametrize("name", NAMES)
def test_the_region_of_legal_spots_agrees_with_every_cell(name: str) -> None:
    about, kept = case(name), pinned(name)
    command: Any = about.command
    rules_of = about.ruleset.play(command).rules
    assert rules_of is not None
    field = about.battle.battlefield
    base = about.battle.unit(command.unit).models[0].base
    table = shapely.box(0, 0, field.width, field.depth)
    constraints = rules_of(about.battle, command).standing
    region = legal_region(constraints, base, command.models[0].facing, table)
    xs = np.arange(kept["step"] / 2, field.width, kept["step"])
    ys = np.arange(kept["step"] / 2, field.depth, kept["step"])
    points = shapely.points(*np.meshgrid(xs, ys))
    inside = shapely.contains(region, points)
    sure = shapely.distance(points, region.boundary) > RIM
    legal = np.array([list(row) for row in kept["rows"][::-1]]) == "."
    assert sure.mean() > 0.9
    assert 100 < legal.sum() < legal.size - 100
    wrong = np.argwhere(sure & (inside != legal))
    assert [(float(xs[x]), float(ys[y]), bool(legal[y, x])) for y, x in wrong] == []


def test_a_census_looks_at_the_middle_of_every_cell() -> None:
    asked: list[tuple[float, float]] = []

    def at(x: float, y: float) -> Drop:
        asked.append((x, y))
        return Drop("newts", (Pose(x, y), Pose(x + 1.3, y)))

    found = census(RULESET, skirmish(), at, step=6.0)
    assert asked == [(x, y) for y in (3.0, 9.0, 15.0) for x in (3.0, 9.0, 15.0, 21.0)]
    assert found.cells.shape == (3, 4)
    assert sum(count for _, count in found.counts) == 12
    assert "wrong-phase" in found.cells[2, 3]
    assert dict(found.counts) == {code: int((found.cells == code).sum()) for code, _ in found.counts}


def test_a_change_is_told_in_words_and_in_a_picture() -> None:
    then = {"step": 0.5, "counts": {"legal": 4, "off-table": 2}, "letters": {".": "legal", "a": "off-table"},
            "rows": ["..a", "..a"]}  # fmt: skip
    now = copy.deepcopy(then)
    now["rows"] = [".aa", "..a"]
    now["counts"] = {"legal": 3, "off-table": 3}
    assert changes(then, then) == ""
    assert changes(now, then).splitlines() == [
        "legal: 4 cells, now 3",
        "off-table: 2 cells, now 3",
        "1 × legal became off-table",
        "y= 0.75 from x=0.75 .#.",
    ]
