"""Scenario files for the tests, as people would write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.reading import printable
from sim.reading.faults import MOST_TOLD
from sim.scenario import Case, ScenarioError, load_case
from tests import toy

GAMES = {"toy": toy.RULESET}

HEAD = 'ruleset = "toy"\n'
TABLE = "[table]\nwidth = 24\ndepth = 18.0\n"
WAITING = """[[unit]]
id = "newts"
player = "red"
where = "reserves"
base = { round = 32 }
models = 2
"""
STANDING = """[[unit]]
id = "ants"
player = "blue"
base = { round = 25 }
models = [[4, 4], [5.5, 4]]
"""
BLOCK = """[[terrain]]
id = "block"
kind = "block"
outline = [[10, 8], [12, 8], [12, 10], [10, 10]]
"""

FULL = """title   = "Everything that a file can say"
ruleset = "toy"
source  = "derived"
description = "for the tests"
players = ["red", "blue"]
dice = [4, 6, 1, "misfire", 37.5]

[table]
width = 24.0                # inches
depth = 18

[[terrain]]
id = "block"
kind = "block"
outline = [[8, 8], [12, 8], [12, 12], [8, 12]]
height = 5.0
floors = [{ z = 3.0, outline = [[8, 8], [12, 8], [12, 12], [8, 12]] }]
traits = ["dense"]

[[objective]]
id = "A"
at = [15, 15]
diameter = 40               # mm

[[objective]]
id = "B"
at = [3, 3]

[[zone]]
player = "blue"
outline = [[0, 0], [24, 0], [24, 6], [0, 6]]
minus = [{ circle = { at = [12, 6], radius = 2 } }]

[[zone]]
id = "far"
player = "red"
circle = { at = [12, 18], radius = 5.0 }

[clock]
round = 2
player = "red"
phase = "go"
step = "walk"

[options]
throw_range = 18.0
dodges = false

[[unit]]
id = "guard"
name = "Old Guard"
player = "blue"
markers = ["moved"]
datasheet = "Guards"
points = 70
base = { round = 32 }                   # mm
models = [
    [20.25984252, 10],
    [18, 10, 45],
    { id = "sergeant", at = [16, 10], facing = 90, z = 3.0, wounds = 1, loadout = ["whip"], \
name = "Sam", base = { oval = [60, 35] } },
]
keywords = ["INFANTRY"]
abilities = ["deep-strike", "ambush: table-edge"]
profile = { M = 6, T = 4, W = 2.5 }

[[unit]]
id = "cart"
player = "red"
base = { hull = [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]] }
models = [{ at = [4, 12] }]

[[unit]]
id = "crew"
player = "red"
where = "embarked:cart"
base = { rect = [25, 50], assumed = true }
models = 2

[[unit]]
id = "ranks"
player = "red"
base = { rect = [25, 25] }
formation = { files = 3, models = 5, at = [18, 15], facing = 270 }

[[unit]]
id = "moles"
player = "red"
where = "underground"
base = { oval = [60, 35] }
models = 1

[[marker]]
id = "hole"
unit = "moles"
at = [6, 6]

[[unit]]
id = "ghosts"
player = "red"
where = "destroyed"
base = { round = 25 }
models = 1

[command]
type = "walk"
unit = "guard"
paths = [[[20, 9]], [[17, 10], [17, 9, 90]], []]

[[ask]]
question = "gap"
of = ["guard-1", "guard-2"]
answer = 1.0

[[ask]]
question = "in-range"
of = ["guard-1", "cart-1"]
limit = 9
answer = false

[expect]
legal = false
codes = ["wrong-phase"]
measured = { wrong-phase = 1.0 }
outcome = "stays"
at = [1, 2]
distance = 3.5
target = "guard"
side = "front"
needs = 7
"""


def load(folder: Path, text: str | bytes, name: str = "case.toml") -> Case:
    """The case that a text is."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_case(path, GAMES)


def refusal(folder: Path, text: str | bytes, name: str = "case.toml") -> str:
    """What is said of a text that is no case, after the name of its folder."""
    with pytest.raises(ScenarioError) as caught:
        load(folder, text, name)
    check_form(caught.value)
    return str(caught.value).removeprefix(f"{folder}/")


def check_form(error: ScenarioError) -> None:
    """FILE: WHERE: WHAT, each said, one line a fault."""
    told = str(error).split("\n")
    assert told == str(error).splitlines()
    for line, fault in zip(told, error.faults, strict=len(error.faults) <= MOST_TOLD):
        if fault in error.faults[:MOST_TOLD]:
            assert line == f"{fault.file}: {fault.where}: {fault.what}"
        assert all(part.strip() for part in (fault.file, fault.where, fault.what))
        assert printable(line) == line
