"""How many inches up and down does a way cost: on foot over what is high, or through the air above it?

Pieces of two inches or less are moved over, onto and off as if they were not there. On foot a model goes up and down
what is higher, and passes from floor to floor of a ruin. What can FLY takes the shortest way through the air.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sim.battle import Battlefield, Model, Terrain, Unit
from sim.geometry import EPS, Base, Path, Placed, Pose, Sweep
from sim.geometry.stretches import Stretch, lies_over, stretches
from sim.rulesets.wh40k10 import quantifiers, terrain


@dataclass(frozen=True)
class Over:
    """A stretch of a way, in inches from its start, on which a base lies over a surface at a height."""

    low: float
    high: float
    height: float
    solid: bool  # what is passed over, and never through


def climb(field: Battlefield, unit: Unit, model: Model, path: Path, end: float | None = None) -> float:
    """Inches that a path costs beyond its length on the plan; ``end`` is the height of its end where it does not say.

    Raises nothing for ways through what cannot be climbed: the constraints forbid those.
    """
    start, to = path.start.z, path.end.z if end is None else end
    if not field.terrain or (not path.stops and start == to):
        return 0.0 if start == to else abs(to - start)
    base, flies = model.base, quantifiers.model_bears(unit, model, "FLY")
    pieces = terrain.flown_over(field, terrain.passes_walls(unit, model)) if flies else terrain.climbed_over(field)
    near = _near(pieces, base, path)
    if not near and path.is_level and to == start:
        return 0.0
    low_start, low_end = (_is_low(field, base, p, z) for p, z in ((path.start, start), (path.end, to)))
    if flies:
        ground = (0.0, 0.0) if low_start and low_end else (start, to)
        return _flight(_passed(base, path, near, (start, to)), path.length, *ground) - path.length
    over = [Over(a, b, t.height, True) for t in near for a, b in stretches(base, path, t.outline)]
    if start > EPS or to > EPS or not path.is_level:
        over += _floors(field, base, path)
    stops = _stops(path, to)
    low = {0.0, *(z for z, is_low in ((start, low_start), (to, low_end)) if is_low)}
    return _least_climb(over, stops, low)


def _near(pieces: Sequence[Terrain], base: Base, path: Path) -> list[Terrain]:
    """The pieces that the box about a way meets."""
    if not pieces:
        return []
    x0, y0, x1, y1 = Sweep(base, path).bounds
    boxes = ((piece, terrain.box_of(piece)) for piece in pieces)
    return [piece for piece, (a, b, c, d) in boxes if a < x1 and b < y1 and c > x0 and d > y0]


def _is_low(field: Battlefield, base: Base, pose: Pose, z: float) -> bool:
    """Whether a height is that of the ground, or of the low piece that a base stands on."""
    if z <= EPS:
        return True
    if z > terrain.FREE_HEIGHT + EPS:
        return False
    placed = Placed(base, pose)
    tops = (t for t in field.terrain if t.kind in terrain.STOOD_ON and abs(t.height - z) <= EPS)
    return any(lies_over(placed, t.outline) for t in tops)


# --- on foot


def _floors(field: Battlefield, base: Base, path: Path) -> list[Over]:
    """The floors of ruins, which may be walked on and passed through."""
    floors = [floor for piece in field.terrain for floor in piece.floors]
    return [Over(a, b, floor.z, False) for floor in floors for a, b in stretches(base, path, floor.outline)]


def _stops(path: Path, to: float) -> list[tuple[float, float]]:
    """The heights that a path names, each with the inches to there; pivots on the spot name nothing new."""
    out, gone = [(0.0, path.start.z)], 0.0
    for leg in path.legs:
        gone += leg.length
        out.append((gone, leg.end.z))
    if len(out) == 1:
        out.append((0.0, to))
    out[-1] = (out[-1][0], to)
    return out


def _least_climb(over: Sequence[Over], stops: Sequence[tuple[float, float]], low: set[float]) -> float:
    """The least inches up and down of a way along surfaces, which is where it says at its stops if it can be there.

    Between two ends of stretches a model is at one height: on the highest solid piece under it, or on a floor above
    that. From one low height to another costs nothing.
    """
    cost = {stops[0][1]: 0.0}
    marks = sorted({s for o in over for s in (o.low, o.high)})
    for (begin, _), (end, z) in pairwise(stops):
        inner = [s for s in marks if begin < s < end]
        for a, b in pairwise([begin, *inner, end]):
            for at in (a, (a + b) / 2):
                cost = _step(cost, _levels(over, at), low)
        levels = _levels(over, end) | ({z} if z in low else set())
        cost = _step(cost, {level for level in levels if abs(level - z) <= EPS} or levels, low)
    return min(cost.values())


def _levels(over: Sequence[Over], at: float) -> set[float]:
    """The heights at which a model may be at some inches of its way."""
    here = [o for o in over if o.low - EPS <= at <= o.high + EPS]
    forced = max((o.height for o in here if o.solid), default=0.0)
    return {forced, *(o.height for o in here if not o.solid and o.height > forced)}


def _step(cost: dict[float, float], levels: set[float], low: set[float]) -> dict[float, float]:
    return {
        to: min(spent + (0.0 if z in low and to in low else abs(to - z)) for z, spent in cost.items()) for to in levels
    }


# --- through the air


def _passed(
    base: Base, path: Path, pieces: Sequence[Terrain], ends: tuple[float, float]
) -> list[tuple[Stretch, float]]:
    """The stretches over high pieces; those on which a way begins or ends are flown from and to, not over."""
    out = []
    for piece in pieces:
        stood_on = any(
            abs(piece.height - z) <= EPS and lies_over(Placed(base, pose), piece.outline)
            for pose, z in zip((path.start, path.end), ends, strict=True)
        )
        if not stood_on:
            out += [(stretch, piece.height) for stretch in stretches(base, path, piece.outline)]
    return out


def _flight(over: Sequence[tuple[Stretch, float]], length: float, start: float, end: float) -> float:
    """The length of the shortest line above all that is passed over, from a height to a height."""
    points = sorted({(0.0, start), (length, end), *((s, h) for stretch, h in over for s in stretch)})
    points = [p for p in points if p == (0.0, start) or p[0] > 0.0 or p[1] > start]
    chain: list[tuple[float, float]] = []
    first, last = (0.0, start), (length, end)
    for point in [first, *(p for p in points if p not in (first, last)), last]:
        while len(chain) >= 2 and _bends_up(chain[-2], chain[-1], point):
            chain.pop()
        chain.append(point)
    return math.fsum(math.dist(a, b) for a, b in pairwise(chain))


def _bends_up(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether a line drawn tight from a to c passes at or above b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) >= 0
