"""The region of a further model and the verdict on it come from the same constraints: do they ever disagree?"""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from sim.battle import Battle, Battlefield, Clock, Marker, Model, Terrain, Unit
from sim.geometry import (
    EPS,
    Base,
    KeepApart,
    KeepTogether,
    Placed,
    PlacedSet,
    Pose,
    Rect,
    Round,
    legal_region,
    separations,
)
from sim.rulesets.whfb6 import tunnelling
from sim.rulesets.whfb6.commands import Emerge

BASES: tuple[Base, ...] = (Rect.mm(20, 20), Rect.mm(25, 50), Round.mm(25))
POINTS = 9000  # random spots a table
NEAR_BORDER = 2e-3  # inches; closer to the drawn border than this nothing is compared


def random_table(seed: int) -> tuple[Battle, Emerge]:
    """A team on its marker with enemies, friends and crags near by, and sometimes the edge of the table."""
    random = np.random.default_rng(seed)
    base = BASES[seed % len(BASES)]
    at = (float(random.choice((1.5, 36.0))), 24.0)
    units = [
        Unit(
            "team",
            "red",
            tuple(Model(f"team-{k}", "team", base) for k in (1, 2)),
            "Team",
            whereabouts="underground",
            markers=(Marker("marker", "tunnel", at=at),),
        )
    ]
    crags = []
    for k in range(5):
        turn, away = random.uniform(0, 2 * math.pi), random.uniform(2.5, 4.0)
        x, y = max(1.0, at[0] + away * math.cos(turn)), at[1] + away * math.sin(turn)
        if k < 4:
            other = Model(f"o{k}-1", f"o{k}", BASES[k % 3], Pose(x, y, float(random.uniform(0, 360))))
            units.append(Unit(f"o{k}", "red" if k % 2 else "blue", (other,), f"O{k}"))
        else:
            crags.append(Terrain("crag", "impassable", ((x, y), (x + 1.2, y + 0.2), (x + 0.5, y + 1.1))))
    field = Battlefield(72.0, 48.0, tuple(crags))
    options = (("within_two", "wholly" if seed % 4 == 3 else "base-to-base"),)
    clock = Clock(5, "red", "start", "emergence")
    start = Battle("whfb6", field, clock, tuple(units), ("red", "blue"), options=options)
    facing = float(random.uniform(0, 90))
    return start, Emerge("team", (Pose(*at, facing), Pose(at[0] + 1.5, at[1], float(random.uniform(0, 90)))))


@pytest.mark.parametrize("seed", range(12))
def test_region_and_verdict_agree_on_random_spots(seed: int) -> None:
    start, command = random_table(seed)
    first, second = command.models
    rules = tunnelling.rules(start, command)
    base = start.unit("team").models[1].base
    region = legal_region(rules.standing, base, second.facing, shapely.box(0, 0, 72, 48))
    alone = [c for c in rules.standing if not isinstance(c, KeepTogether | KeepApart)]
    random = np.random.default_rng(1000 + seed)
    spots = random.uniform(-5, 5, (POINTS, 2)) + np.array(first.at)
    inside = shapely.contains_xy(region, spots[:, 0], spots[:, 1])
    border = shapely.distance(shapely.boundary(region), shapely.points(spots))
    further = PlacedSet.of(Placed(base, Pose(x, y, second.facing)) for x, y in spots.tolist())
    reference = Placed(base, first)
    wrong = {b.member for c in alone for b in c.judge(PlacedSet((reference, *further)))}
    over = separations(further, PlacedSet((reference,)))[:, 0] < -EPS
    seen = set()
    for k in np.flatnonzero(border >= NEAR_BORDER).tolist():
        legal = not over[k] and k + 1 not in wrong
        assert legal == bool(inside[k]), (seed, spots[k])
        seen.add(legal)
    assert seen == {True, False}
