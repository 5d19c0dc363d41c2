"""Everywhere a unit could stand: exact area, pockets, the whole unit in a pocket, and any facing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

from sim.app.common import load
from sim.app.regions import any_facing, closings_of, holding, region_json, region_of
from sim.engine import judge
from sim.resources import data_path

NOT_HERE = str(data_path("assets/scenarios/not-here.toml"))


def test_pockets_of_the_demo_hold_the_unit_or_not() -> None:
    case = load(NOT_HERE)
    region = region_of(case)
    assert region.exact
    assert region.area == pytest.approx(sum(pocket.area for pocket in region.pockets), rel=1e-3)
    holds = holding(case, region)
    assert {pocket.number for pocket in region.pockets if pocket.fits >= 20} <= holds
    assert all(pocket.number not in holds for pocket in region.pockets if pocket.fits < 3)
    form = region_json(region, closings_of(case, region), holds)
    assert json.loads(json.dumps(form))["pockets"][0]["holds_unit"] is True
    assert form["closings"], "the demo's smallest pocket can be closed by one model"


def test_a_base_that_may_turn_has_more_room(inchwise: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    case = load("tests/cases/wh40k10/extra-deep-strike-oval-against-oval.toml")
    fixed = region_of(case)
    free = any_facing(case, fixed, step=30.0)
    assert fixed.exact
    assert free.area > fixed.area
    assert any_facing(load(NOT_HERE), region_of(load(NOT_HERE))) == region_of(load(NOT_HERE)), "a round base is free"


def test_the_nearest_spot_is_given_and_is_legal(inchwise: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    from msgspec.structs import replace

    from sim.geometry import Pose

    done = inchwise("check", NOT_HERE, "--nearest", "--json")
    assert done.returncode == 1
    spots = json.loads(done.stdout)["nearest"]
    case = load(NOT_HERE)
    assert case.command is not None
    assert len(spots) == 5
    poses = tuple(Pose(x, y, facing) for x, y, facing in spots)
    assert judge(case.ruleset, case.battle, replace(case.command, models=poses)).legal
