"""Is a pose of an ambushing block legal exactly where the region of legal centres says so?"""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from rulesets.t9a.table import battle, block, herd
from sim.battle import Battle, Terrain
from sim.engine import judge
from sim.geometry import legal_region
from sim.rulesets.t9a import RULESET
from sim.rulesets.t9a.commands import Ambush
from tests.thoroughly import some

TABLE = shapely.box(0, 0, 72, 48)
STATED = 2e-3  # inches by which a drawn arc may be off the true border
POSES = some(20_000)
WORDS = ("table-edge", "8, table-edge", "open-terrain")


def crowded(rng: np.random.Generator, x: str) -> Battle:
    """Four blocks and three rocks within reach of a point at the lower edge."""
    units = [
        block(f"u{k}", "blue" if k % 2 else "red", _spot(rng), 2, int(rng.integers(1, 5)), float(rng.uniform(0, 360)))
        for k in range(4)
    ]
    rocks = []
    for k in range(3):
        (a, b), size = _spot(rng), float(rng.uniform(0.4, 1.5))
        corners = ((a - size, b - size), (a + size, b - size), (a + 0.3, b + size))
        rocks.append(Terrain(f"rock{k}", ("impassable", "forest")[k % 2], corners))
    size = [(5, 10), (6, 12), (1, 1), (7, 7)][int(rng.integers(4))]
    return battle(herd(x=x, files=size[0], models=size[1]), *units, terrain=tuple(rocks))


def _spot(rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.uniform(26, 46)), float(rng.uniform(3, 14))


@pytest.mark.parametrize("seed", range(4))
def test_region_and_verdict_agree_on_many_poses(seed: int) -> None:
    rng = np.random.default_rng([9, seed])
    play = RULESET.play("ambush")
    assert play.rules is not None
    assert play.figure is not None
    compared = {True: 0, False: 0}
    tables, poses = 50, POSES // 4 // 50
    for k in range(tables):
        x = WORDS[k % 3]
        start = crowded(rng, x)
        point = (float(rng.uniform(33, 39)), 0.0)
        facing = float(rng.choice([90.0, 0.0, rng.uniform(0, 360)]))
        about = Ambush("herd", point, (36.0, 4.0), facing)
        base, turned = play.figure(start, about)
        region = legal_region(play.rules(start, about).standing, base, turned, TABLE)
        shapely.prepare(region)
        x_low, y_low, x_high, y_high = (28.0, -1.0, 44.0, 9.0)
        for cx, cy in rng.uniform((x_low, y_low), (x_high, y_high), (poses, 2)):
            centre = shapely.Point(cx, cy)
            if not region.is_empty and region.boundary.distance(centre) <= STATED:
                continue
            verdict = judge(RULESET, start, Ambush("herd", point, (float(cx), float(cy)), facing))
            said = set(verdict.codes) - {"point-not-allowed"}
            assert region.contains(centre) is (not said), (k, cx, cy, said)
            compared[not said] += 1
    assert compared[True] > 50
    assert sum(compared.values()) > 0.99 * POSES / 4
