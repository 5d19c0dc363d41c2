"""Who sees whom, and who has the Benefit of Cover: sight lines on the plan past ruins, woods, walls and barricades.

A footprint of a ruin closes the view from one side to the other, however high; one can look into it, and out of it from
wholly within. Other high terrain is opaque up to its top. Models are taken as wide as their bases; where a file says
how tall they are, they look over what is lower, and close the view between other units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from sim.battle import Battle, Battlefield, Model, Terrain, Unit
from sim.geometry import EPS, Placed, PlacedSet, Point, within
from sim.geometry.distance import Segment, farthest, overhang
from sim.geometry.hidden import hidden_part
from sim.geometry.shapes import ellipse_points
from sim.geometry.sight import Blockers, blocking, sees
from sim.geometry.sight import visible as lines_between
from sim.geometry.tolerance import Bools, Floats
from sim.rulesets.wh40k10 import leaders

RULE = "Visibility"
COVER = "Benefit of Cover"
COVERED = "benefit-of-cover"  # the ability of who has it wherever it stands
OPAQUE_FROM = 2.0  # inches; lower pieces hide parts of a model and never all of it
BARRICADE_COVER = 3.0  # inches, wholly within this of a barricade; Benefit of Cover
PLUNGING_FROM = 6.0  # inches up, wholly within a ruin; Plunging Fire
OPAQUE = frozenset({"ruin", "ruin-wall", "hill", "container", "crate"})
SCREENS = frozenset({"woods"})  # never in the way, but nothing behind or within is fully visible
LOW = frozenset({"barricade"})
MODEL = "model"  # the kind of a model that stands in the way
HEIGHT = "H"  # inches in a profile: how tall a model is
RIM_CORNERS = 72
TIDEWALL = "tidewall-cover"  # the ability of a platform that hides models in part


@dataclass(frozen=True)
class Pieces:
    """The terrain that matters to sight, as blockers with the piece of each."""

    blockers: Blockers
    terrain: tuple[Terrain, ...]

    @classmethod
    def of(cls, pieces: Sequence[Terrain]) -> Pieces:
        """The pieces in their order."""
        return cls(Blockers(tuple(t.id for t in pieces), tuple(t.outline for t in pieces)), tuple(pieces))

    @cached_property
    def _outlines(self) -> NDArray[np.object_]:
        return np.array([_outline(t.outline) for t in self.terrain], dtype=object)

    @cached_property
    def bounds(self) -> Floats:
        """The boxes about the pieces, an array (n, 4)."""
        return np.asarray(shapely.bounds(self._outlines)).reshape(-1, 4)

    def aside(self, a: Placed, b: Placed) -> tuple[int, ...]:
        """The pieces that lie nowhere between two bases."""
        if not self.terrain:
            return ()
        apart = shapely.distance(self._outlines, shapely.LineString([a.pose.at, b.pose.at]))
        return tuple(int(k) for k in np.flatnonzero(apart > max(a.radius, b.radius)))


@lru_cache(maxsize=64)
def opaque(field: Battlefield) -> Pieces:
    """What can close the view."""
    return Pieces.of([t for t in field.terrain if t.kind in OPAQUE and _closes(t)])


def in_the_way(battle: Battle, observers: Unit, targets: Unit) -> Pieces:
    """What can close the view between two units: terrain, and models of other units whose height is known.

    A round or oval base closes it by a polygon of 72 corners on its edge.
    """
    others = [u for u in battle.units if u.id not in (observers.id, targets.id) and u.on_table and u.value(HEIGHT)]
    if not others:
        return opaque(battle.battlefield)
    memo = battle.index.memo
    key = ("in-the-way", observers.id, targets.id)
    if key not in memo:
        models = [Terrain(m.id, MODEL, _rim(m.placed), top(u, m) or 0.0) for u in others for m in u.models]
        memo[key] = Pieces.of([*opaque(battle.battlefield).terrain, *models])
    found: Pieces = memo[key]
    return found


def top(unit: Unit, model: Model) -> float | None:
    """How high a model reaches above the table, None where nobody says how tall it is."""
    height = leaders.number(unit, model, HEIGHT)
    return None if height is None or model.pose is None else model.pose.z + height


def _rim(placed: Placed) -> tuple[Point, ...]:
    if placed.kind == "polygon":
        return placed.corners
    found = ellipse_points(placed.pose, *placed.semi_axes, count=RIM_CORNERS)
    return tuple((float(x), float(y)) for x, y in found)


def _seen_over(piece: Terrain, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> bool:
    """Whether the line from the top of one model to the top of another passes over a piece all the way.

    Only where it is known how tall both are. The piece counts from where its outline begins along that line, seen from
    the centres, to where it ends.
    """
    mine, theirs = top(*observer), top(*target)
    if mine is None or theirs is None:
        return False
    start, end = np.array(observer[1].placed.pose.at), np.array(target[1].placed.pose.at)
    way = end - start
    square = float(way @ way)
    if square <= 0:
        return min(mine, theirs) > piece.height + EPS
    shares = np.clip((np.array(piece.outline) - start) @ way / square, 0.0, 1.0)
    lowest = min(mine + (theirs - mine) * float(share) for share in (shares.min(), shares.max()))
    return lowest > piece.height + EPS


@lru_cache(maxsize=64)
def hiding(field: Battlefield) -> Pieces:
    """What can hide a part of a model: all that is opaque, low pieces, and woods."""
    return Pieces.of([t for t in field.terrain if t.kind in OPAQUE | SCREENS])


@lru_cache(maxsize=64)
def _low(field: Battlefield) -> Pieces:
    return Pieces.of([t for t in field.terrain if t.kind in LOW])


def _closes(piece: Terrain) -> bool:
    return piece.kind == "ruin" or piece.height <= 0 or piece.height >= OPAQUE_FROM


def model_sees(battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> Segment | None:
    """A clear line from one model to another, None when there is none."""
    pieces = in_the_way(battle, observer[0], target[0])
    return sees(
        observer[1].placed, target[1].placed, pieces.blockers, _ignored(battle, pieces.terrain, observer, target)
    )


def what_hides(battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> tuple[str, ...]:
    """The pieces that lie between two models, for a proof that one does not see the other."""
    pieces = in_the_way(battle, observer[0], target[0])
    ignored = _ignored(battle, pieces.terrain, observer, target)
    return blocking(observer[1].placed, target[1].placed, pieces.blockers, ignored)


def fully_visible(battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> bool:
    """Whether every part of a model that faces another one is visible to it."""
    return model_sees(battle, observer, target) is not None and _hidden_behind(battle, observer, target) is None


def seen(battle: Battle, observers: Unit, targets: Unit) -> Bools:
    """Which models of a unit see which models of another: an array (n, m)."""
    memo = battle.index.memo
    key = ("seen", observers.id, targets.id)
    if key not in memo:
        memo[key] = _seen(battle, observers, targets)
    found: Bools = memo[key]
    return found


def seeing(battle: Battle, observers: Unit, targets: Unit) -> Bools:
    """Which models of a unit see any model of another: an array (n,)."""
    return np.asarray(seen(battle, observers, targets).any(axis=1))


def _seen(battle: Battle, observers: Unit, targets: Unit) -> Bools:
    pieces = in_the_way(battle, observers, targets)
    mine = PlacedSet.of(m.placed for m in observers.models)
    theirs = PlacedSet.of(m.placed for m in targets.models)
    if not pieces.terrain:
        return np.ones((len(mine), len(theirs)), dtype=np.bool_)
    ignoring = np.zeros((len(mine), len(theirs), len(pieces.terrain)), dtype=np.bool_)
    over = _sees_over(battle, observers, targets)
    heights = any(top(unit, m) is not None for unit in (observers, targets) for m in unit.models[:1])
    for k, piece in enumerate(pieces.terrain):
        if piece.kind == "ruin":
            ignoring[:, :, k] = over
        elif piece.height > 0:
            above = (mine.z >= piece.height - EPS)[:, None] | (theirs.z >= piece.height - EPS)[None, :]
            ignoring[:, :, k] = above
            for i, j in np.argwhere(~above) if heights else ():
                one, other = (observers, observers.models[int(i)]), (targets, targets.models[int(j)])
                ignoring[i, j, k] = _seen_over(piece, one, other)
    ruins = np.array([piece.kind == "ruin" for piece in pieces.terrain])
    for group, holds, axis in ((mine, _wholly_in, 0), (theirs, _touches, 1)):
        for i, k in np.argwhere(_boxes_meet(group.bounds, pieces.bounds) & ruins):
            if holds(group[int(i)], _outline(pieces.terrain[k].outline)):
                ignoring[(i, slice(None), k) if axis == 0 else (slice(None), i, k)] = True
    return lines_between(mine, theirs, pieces.blockers, ignoring)


def _boxes_meet(a: Floats, b: Floats) -> Bools:
    """Which boxes (n, 4) and (m, 4) have a point in common, to the tolerance."""
    low = (a[:, None, :2] <= b[None, :, 2:] + EPS).all(axis=2)
    return np.asarray(low & (b[None, :, :2] <= a[:, None, 2:] + EPS).all(axis=2))


def unit_visible(battle: Battle, observers: Unit, targets: Unit) -> bool:
    """Whether any model of a unit sees any model of another."""
    if not observers.on_table or not targets.on_table:
        return False
    return bool(seen(battle, observers, targets).any())


def has_cover(battle: Battle, attackers: Unit, target: Unit, model: Model) -> str | None:
    """Why a model has the Benefit of Cover against attackers' ranged attacks; None when it has none."""
    if target.ability(COVERED) is not None:
        return COVER
    field = battle.battlefield
    placed = model.placed
    for piece in field.terrain:
        if piece.kind in ("ruin", "woods") and _wholly_in(placed, _outline(piece.outline)):
            return f"wholly within {piece.id}"
        if piece.kind == "crater" and target.has("INFANTRY") and _wholly_in(placed, _outline(piece.outline)):
            return f"wholly on {piece.id}"
    first = None
    if field.terrain:
        hidden = (_hidden_behind(battle, (attackers, m), (target, model)) for m in attackers.models)
        if battle.option("cover_when", "any") == "any":
            first = next((name for name in hidden if name is not None), None)
        else:
            every = list(hidden)
            first = every[0] if every and all(name is not None for name in every) else None
    first = first or _platform(battle, attackers, target, model)
    return None if first is None else f"not fully visible past {first}"


def _platform(battle: Battle, attackers: Unit, target: Unit, model: Model) -> str | None:
    """The defence platform because of which a model is not fully visible to attackers, None without one."""
    for platform in battle.units:
        if platform.ability(TIDEWALL) is None or not platform.on_table or platform.id in (attackers.id, target.id):
            continue
        walls = Blockers(tuple(m.id for m in platform.models), tuple(_rim(m.placed) for m in platform.models))
        hidden = (hidden_part(m.placed, model.placed, walls) is not None for m in attackers.models)
        if any(hidden) if battle.option("cover_when", "any") == "any" else all(hidden):
            return platform.name or platform.id
    return None


def _hidden_behind(battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> str | None:
    field = battle.battlefield
    pieces = hiding(field)
    aside = pieces.aside(observer[1].placed, target[1].placed)
    if len(aside) < len(pieces.terrain):
        aside = tuple({*aside, *_ignored(battle, pieces.terrain, observer, target)})
    ignored = aside
    if len(ignored) < len(pieces.terrain):
        point = hidden_part(observer[1].placed, target[1].placed, pieces.blockers, ignored)
        if point is not None:
            names = blocking(observer[1].placed, target[1].placed, pieces.blockers, ignored)
            return names[0] if names else "terrain"
    low = _low(field)
    if not low.terrain or not target[0].has("INFANTRY"):
        return None
    far = list(low.aside(observer[1].placed, target[1].placed))
    far += [k for k, piece in enumerate(low.terrain) if k not in far and not _behind(target[1].placed, piece)]
    if len(far) < len(low.terrain) and hidden_part(observer[1].placed, target[1].placed, low.blockers, far) is not None:
        return next(piece.id for k, piece in enumerate(low.terrain) if k not in far)
    return None


def _wholly_in(placed: Placed, outline: Polygon) -> bool:
    """Whether a base lies wholly within an outline; most do not by their boxes alone."""
    x0, y0, x1, y1 = placed.bounds
    a0, b0, a1, b1 = outline.bounds
    if x0 < a0 - EPS or y0 < b0 - EPS or x1 > a1 + EPS or y1 > b1 + EPS:
        return False
    return within(overhang(placed, outline), 0.0)


def _behind(placed: Placed, piece: Terrain) -> bool:
    """Whether a base is wholly within three inches of a barricade."""
    return within(farthest(placed, _outline(piece.outline)), BARRICADE_COVER)


def _ignored(
    battle: Battle, pieces: Sequence[Terrain], observer: tuple[Unit, Model], target: tuple[Unit, Model]
) -> tuple[int, ...]:
    """The pieces that do not hinder one model's view of another."""
    out = []
    for k, piece in enumerate(pieces):
        outline = _outline(piece.outline)
        if piece.kind in ("ruin", "woods"):
            inside = _wholly_in(observer[1].placed, outline)
            touched = piece.kind == "ruin" and _touches(target[1].placed, outline)
            if inside or touched or (piece.kind == "ruin" and _sees_over(battle, observer[0], target[0])):
                out.append(k)
        elif piece.height > 0:
            higher = max(_z(observer[1]), _z(target[1])) >= piece.height - EPS
            if higher or _seen_over(piece, observer, target):
                out.append(k)
    return tuple(out)


def _sees_over(battle: Battle, observer: Unit, target: Unit) -> bool:
    """Aircraft, and by an older reading what is Towering, see past ruins and are seen past them."""
    if observer.has("AIRCRAFT") or target.has("AIRCRAFT"):
        return True
    towering = observer.has("TOWERING") or target.has("TOWERING")
    return towering and battle.option("towering", "wholly-within") == "exempt"


def _z(model: Model) -> float:
    return model.pose.z if model.pose is not None else 0.0


def _touches(placed: Placed, outline: Polygon) -> bool:
    x0, y0, x1, y1 = placed.bounds
    a0, b0, a1, b1 = outline.bounds
    if x1 < a0 or a1 < x0 or y1 < b0 or b1 < y0:
        return False
    if placed.kind == "ellipse" and placed.semi_axes[0] == placed.semi_axes[1]:
        return bool(shapely.distance(outline, shapely.Point(placed.pose.at)) < placed.semi_axes[0] - EPS)
    return bool(outline.intersection(placed.polygon).area > EPS)


@lru_cache(maxsize=1024)
def _outline(outline: tuple[tuple[float, float], ...]) -> Polygon:
    return Polygon(outline)


def plunging(battle: Battle, attacker: Model, target: Unit) -> bool:
    """Whether a model shoots down from six inches up in a ruin at models that are all on the ground."""
    if _z(attacker) < PLUNGING_FROM - EPS or any(_z(model) > EPS for model in target.models):
        return False
    return any(
        t.kind == "ruin" and _wholly_in(attacker.placed, _outline(t.outline)) for t in battle.battlefield.terrain
    )
