"""Is the least Charge roll the least? A search of its own, at random, looks for legal moves that need less.

The tables are small and crowded: one to three targets, other enemies beside them, a marker, friends. Ends are thrown
at random about the charger; those that a few lines of arithmetic do not rule out are held against the rules, straight
and by a bend.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
import shapely

from sim.battle import Battle, Marker, Model, Objective, Unit
from sim.geometry import Base, Hull, Oval, Path, Placed, PlacedSet, Pose, Rect, Round, Sweep
from sim.geometry.tolerance import Bools, Floats
from sim.rulesets.wh40k10 import charging, movement
from sim.rulesets.wh40k10.commands import ChargeMove
from tests.rulesets.wh40k10.stage import CHARGE, battle
from tests.thoroughly import some

TABLES = int(os.environ.get("INCHWISE_CHARGES", some(12)))  # how many, of each kind
FIRST = int(os.environ.get("INCHWISE_FIRST_CHARGE", "0"))  # the seed of the first
THROWN = 6000  # ends thrown at a table
JUDGED = 30  # of those that may do, the nearest
BENDS = 6  # ways with a bend that are tried to each
CHARGERS: dict[str, tuple[Base, tuple[str, ...]]] = {
    "man": (Round.mm(32), ("INFANTRY",)),
    "box": (Rect(3.0, 5.0), ("VEHICLE",)),
    "oval": (Oval.mm(120, 92), ("MONSTER",)),
    "wedge": (Hull(((-2.0, -1.5), (0.5, -1.0), (2.5, 0.0), (0.5, 1.0), (-2.0, 1.5), (-1.0, 0.0))), ("VEHICLE",)),
    "bike": (Oval.mm(75, 42), ("MOUNTED",)),
}


@dataclass(frozen=True)
class Charge:
    """A battle in which a unit has declared a charge."""

    start: Battle
    targets: tuple[str, ...]

    @property
    def unit(self) -> Unit:
        return self.start.unit("u")

    def rolled(self, roll: int) -> Battle:
        """The same battle when this was rolled."""
        from msgspec.structs import replace

        declared = [Marker("charge-target", name, until="end-of-phase") for name in self.targets]
        markers = (Marker("charge-declared"), Marker("charge-roll", amount=roll), *declared)
        units = tuple(replace(u, markers=markers) if u.id == "u" else u for u in self.start.units)
        return replace(self.start, units=units)


def a_charge(kind: str, seed: int) -> Charge | None:
    """A random table on which nothing overlaps and the charger is not engaged; None where the dice fell badly."""
    rng = np.random.default_rng((seed, len(kind)))
    base, keywords = CHARGERS[kind]
    charger = Placed(base, Pose(20.0, 15.0, float(rng.uniform(0, 360))))
    placed: list[Placed] = [charger]
    units: list[Unit] = []

    def spot(size: Base, low: float, high: float, about: tuple[float, float]) -> Pose | None:
        for _ in range(30):
            turn, far = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(low, high))
            pose = Pose(about[0] + far * math.cos(turn), about[1] + far * math.sin(turn))
            shape = Placed(size, pose).polygon
            if not (1 < pose.x < 39 and 1 < pose.y < 29):
                continue
            if charger.polygon.distance(shape) > 1.05 and all(p.polygon.distance(shape) > 0.02 for p in placed):
                return pose
        return None

    heading = float(rng.uniform(0, 2 * math.pi))
    middle = (20 + 5 * math.cos(heading), 15 + 5 * math.sin(heading))
    targets = tuple(f"t{k}" for k in range(int(rng.integers(1, 4))))
    others = tuple(f"o{k}" for k in range(int(rng.integers(0, 4))))
    for name in (*targets, *others, *(("friend",) if rng.random() < 0.5 else ())):
        size = Round.mm(float(rng.choice([25, 32, 40])))
        first = spot(size, 0.0, 4.0, middle)
        poses = [first] if first else []
        if first:
            placed.append(Placed(size, first))
            second = spot(size, 1.3, 2.6, first.at) if rng.random() < 0.4 else None
            if second:
                poses.append(second)
                placed.append(Placed(size, second))
        if not poses:
            return None
        models = tuple(Model(f"{name}-{k}", name, size, pose) for k, pose in enumerate(poses))
        words = ("VEHICLE",) if name == "friend" else ("INFANTRY",)
        units.append(Unit(name, "red" if name == "friend" else "blue", models, name=name, keywords=words))
    units.append(Unit("u", "red", (Model("u-1", "u", base, charger.pose),), name="u", keywords=keywords))
    marker = (Objective("A", (middle[0] + 1, middle[1]), 40 / 25.4 / 2),) if rng.random() < 0.4 else ()
    return Charge(battle(CHARGE, *units, objectives=marker), targets)


def less_than(charge: Charge, needs: int | str, seed: int) -> ChargeMove | None:
    """A legal move that is made with a roll less than the one that is said to be needed."""
    roll = 12 if needs == "never" else int(needs) - 1
    if roll < 2:
        return None
    rng = np.random.default_rng(seed)
    start = charge.rolled(roll)
    (model,) = charge.unit.models
    assert model.pose is not None
    pose = model.pose
    far, turn = roll * np.sqrt(rng.uniform(0, 1, THROWN)), rng.uniform(0, 2 * math.pi, THROWN)
    x, y = pose.x + far * np.cos(turn), pose.y + far * np.sin(turn)
    facing = np.full(THROWN, pose.facing)
    if not isinstance(model.base, Round):
        facing[: THROWN // 2] = rng.uniform(0, 360, THROWN // 2)
    keep = may_do(charge, model, x, y, facing)
    ends = sorted(zip(far[keep], x[keep], y[keep], facing[keep], strict=True))[:JUDGED]
    for _, ex, ey, ef in ends:
        turned = [] if ef == pose.facing else [[pose.x, pose.y, float(ef)]]
        ways = [[*turned, [float(ex), float(ey)]], [[float(ex), float(ey), float(ef)]]]
        for _ in range(BENDS):
            bx, by = rng.normal((pose.x + ex) / 2, 1.5), rng.normal((pose.y + ey) / 2, 1.5)
            ways.append([*turned, [float(bx), float(by)], [float(ex), float(ey)]])
        for way in ways:
            command = ChargeMove("u", charge.targets, (Path.through(pose, way),))
            if not any(wrong_with(start, command, roll)):
                return command
    return None


def wrong_with(start: Battle, command: ChargeMove, roll: int) -> Iterator[str]:
    """What keeps a charge from being made like this; that it stops short of contact keeps none from being made."""
    unit = start.unit("u")
    (path,) = command.paths
    if movement.cost(start, unit, 0, path) > roll + 1e-6:
        yield "too far"
    else:
        (model,) = unit.models
        rules = charging.rules(start, command)
        members = PlacedSet((Placed(model.base, path.end),))
        yield from (breach.code for breach in rules.breaches(members, [Sweep(model.base, path)]))
        yield from (violation.code for violation in charging.reached(start, unit, command))


def may_do(charge: Charge, model: Model, x: Floats, y: Floats, facing: Floats) -> Bools:
    """Which ends reach every target and nobody else, and overlap nothing, as far as rounds and polygons tell."""
    if isinstance(model.base, Round):
        shapes, radius = shapely.points(x, y), model.base.d / 2
    else:
        rim = np.array(Placed(model.base, Pose(0.0, 0.0)).polygon.exterior.coords)
        c, s = np.cos(np.radians(facing)), np.sin(np.radians(facing))
        px = x[:, None] + c[:, None] * rim[:, 0] - s[:, None] * rim[:, 1]
        py = y[:, None] + s[:, None] * rim[:, 0] + c[:, None] * rim[:, 1]
        shapes, radius = shapely.polygons(np.stack((px, py), axis=-1)), 0.0
    good = np.ones(len(x), dtype=np.bool_)
    for other in charge.start.units:
        if other.id == "u":
            continue
        gaps = np.full(len(x), np.inf)
        for m in other.models:
            assert m.pose is not None
            assert isinstance(m.base, Round)
            gaps = np.minimum(gaps, shapely.distance(shapes, shapely.Point(m.pose.at)) - m.base.d / 2 - radius)
        good &= gaps >= -1e-9
        if other.id in charge.targets:
            good &= gaps <= 1.0
        elif other.player == "blue":
            good &= gaps > 1.0
    return good


@pytest.mark.parametrize("kind", sorted(CHARGERS))
def test_no_charge_needs_less_than_is_said(kind: str) -> None:
    looked = 0
    for seed in range(FIRST, FIRST + TABLES):
        charge = a_charge(kind, seed)
        if charge is None:
            continue
        looked += 1
        needs = charging.needed(charge.start, charge.unit, charge.targets)
        found = less_than(charge, needs, seed)
        assert found is None, f"table {seed}: {needs} is said, {found}"
    assert looked > TABLES / 3
