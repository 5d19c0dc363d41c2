"""Verdict and region never disagree: for each command of each game, 100,000 poses thrown at the tables of its cases.

The region is that of the command's own constraints; each pose is judged by the same constraints, one base at a time.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sim.app.games import rulesets
from sim.geometry import (
    Base,
    Constraint,
    KeepClear,
    Placed,
    PlacedSet,
    Pose,
    StayInside,
    StayNear,
)
from sim.geometry.arcs import exact_region
from sim.geometry.between import NothingBetween
from sim.geometry.constraints import Wrapping
from sim.geometry.corners import CornersNear
from sim.geometry.cut_ground import KeepOff
from sim.geometry.muster import FollowFirst
from sim.geometry.runs import StayOnRun
from sim.geometry.tolerance import Bools, Floats
from sim.geometry.wholly_near import StayWithin
from sim.scenario import Case, load_case
from tests.conformance.kit import ROOT
from tests.thoroughly import some

POSES = some(100_000)  # thrown at each command
MOST_CASES = 8  # tables of one command
AROUND = 1.5  # inches about the region in which poses are thrown
ONE_BY_ONE = (KeepClear, StayInside, StayWithin, KeepOff, NothingBetween, CornersNear)  # judged of many as of one
FAINT = 0.006  # inches; polygons and judge may differ by that much where a region has no exact border
FAINT_EXACT = 0.00001  # the tolerance of the judge


@cache
def tables() -> dict[tuple[str, str], list[Case]]:
    """The cases of each command that has a region, by game and command."""
    found: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for file in sorted((ROOT / "tests" / "cases").rglob("*.toml")):
        case = load_case(file, rulesets())
        if case.command is None:
            continue
        play = case.ruleset.play(case.command)
        if play.rules is not None and (getattr(case.command, "models", ()) or play.figure is not None):
            found[case.ruleset.id, play.name].append(case)
    return found


def moving(case: Case) -> tuple[Base, float]:
    """The base and the facing that the region is about."""
    assert case.command is not None
    play = case.ruleset.play(case.command)
    if play.figure is not None:
        return play.figure(case.battle, case.command)
    unit = case.battle.unit(case.command.unit)  # type: ignore[attr-defined]
    return unit.models[0].base, case.command.models[0].facing  # type: ignore[attr-defined]


def broken(constraint: Constraint, members: PlacedSet) -> Bools:
    """Which members break a constraint when each stands there alone."""
    out = np.zeros(len(members), dtype=np.bool_)
    match constraint:
        case StayNear() if len(constraint.targets) > 1:
            each = [broken(replace(constraint, targets=(target,)), members) for target in constraint.targets]
            return np.asarray(np.all(each, axis=0))
        case StayNear():
            out[[breach.member for breach in constraint.judge(members)]] = True
        case FollowFirst(first=Placed() as first):
            over = shapely.intersects(first.polygon, [m.polygon for m in members])
            for i, member in enumerate(members):
                out[i] = over[i] and first.polygon.intersection(member.polygon).area > 1e-6
                out[i] |= any(breach.member == 1 for breach in constraint.judge(PlacedSet((first, member))))
        case StayOnRun():
            ends: dict[float, float] = {}
            for i, member in enumerate(members):
                dx, dy = member.pose.x - constraint.start.x, member.pose.y - constraint.start.y
                heading = round(math.degrees(math.atan2(dy, dx)), 6)
                if heading not in ends:
                    ends[heading] = constraint.stop(heading)[0]
                out[i] = math.hypot(dx, dy) > ends[heading]
        case _ if isinstance(constraint, ONE_BY_ONE):
            out[[breach.member for breach in constraint.judge(members)]] = True
        case _:
            for i, member in enumerate(members):
                out[i] = any(True for _ in constraint.judge(PlacedSet((member,))))
    return out


def of_the_first(constraint: Constraint, z: float) -> Constraint | None:
    """A constraint with its heights; of one that holds for some members only, what it asks of the first."""
    if isinstance(constraint, (KeepClear, StayInside)) and constraint.only is not None:
        return constraint.for_one(z, 0)
    return constraint


def spots(shape: BaseGeometry, table: BaseGeometry, constraints: list[Constraint], count: int, seed: int) -> Floats:
    """Centres about a region; on a run's table along a hundred headings, since each heading is run down anew."""
    rng = np.random.default_rng(seed)
    for constraint in constraints:
        if isinstance(constraint, StayOnRun):
            headings = np.radians(np.round(rng.uniform(0, 360, max(1, count // 400)), 4))
            turn, far = rng.choice(headings, count), rng.uniform(0, constraint.most + AROUND, count)
            start = np.array(constraint.start.at)
            return np.asarray(start + far[:, None] * np.column_stack((np.cos(turn), np.sin(turn))))
    box = (table if shape.is_empty else shape).bounds
    return rng.uniform((box[0] - AROUND, box[1] - AROUND), (box[2] + AROUND, box[3] + AROUND), (count, 2))


def disagreements(case: Case, count: int, seed: int) -> list[tuple[float, float, bool]]:
    """Poses away from every border of which region and judge say different things; ``True`` where the judge agrees."""
    assert case.command is not None
    rules = case.ruleset.play(case.command).rules
    assert rules is not None
    base, facing = moving(case)
    field = case.battle.battlefield
    table = shapely.box(0, 0, field.width, field.depth)
    poses = getattr(case.command, "models", ())
    z = poses[0].z if poses else 0.0
    whole = [c.bare() if isinstance(c, Wrapping) else c for c in rules(case.battle, case.command).standing]
    exact = exact_region(whole, base, facing, table, z, 0)
    standing = [asked for c in whole if (asked := of_the_first(c, z)) is not None]
    edge = StayInside("edge", "edge", "table", table)
    shape = exact.polygons
    chords = 0.002 * float(shapely.length(shape)) + 1e-3
    assert abs(float(shape.area) - exact.area) < chords, f"{case.file}: the border does not enclose its polygons"
    points = spots(shape, table, standing, count, seed)
    members = PlacedSet.of(Placed(base, Pose(float(x), float(y), facing, z)) for x, y in points)
    bad = np.zeros(len(points), dtype=np.bool_)
    for constraint in (edge, *standing):
        if constraint.carve(table, base, facing) is not table:
            left = np.flatnonzero(~bad)
            bad[left] = broken(constraint, members.take(left))
    said = exact.contains(points)
    faint = FAINT_EXACT if exact.exact else FAINT
    border = shapely.boundary(shape)
    found = []
    for k in np.flatnonzero(said == bad):
        near = faint + 0.002  # a drawn arc lies that much beside the true one
        if shape.is_empty or shapely.distance(border, shapely.Point(points[k])) > near:
            found.append((float(points[k, 0]), float(points[k, 1]), bool(~bad[k])))
    return found


@pytest.mark.parametrize(("game", "command"), sorted(tables()), ids=str)
def test_region_and_verdict_agree(game: str, command: str) -> None:
    cases = tables()[game, command]
    some = cases[:: math.ceil(len(cases) / MOST_CASES)]
    for k, case in enumerate(some):
        found = disagreements(case, math.ceil(POSES / len(some)), k)
        assert not found, f"{case.file}: {len(found)} disagreements, such as {found[:3]}"
