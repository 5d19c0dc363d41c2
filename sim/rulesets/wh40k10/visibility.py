"""Who sees whom, and who has the Benefit of Cover: sight lines past ruins, woods, walls, containers and barricades.

A footprint of a ruin closes the view from one side to the other, however high; one can look into it, and out of it from
wholly within, who is TOWERING from any part within. Woods close no view, but nothing behind or within them is fully
visible. Aircraft are seen, and see, past both as if they were not there, and what is TOWERING past woods.

Models are as wide as their bases. Where a file says how tall two models are (``H``), they are bodies from their feet
up, and sight goes from any part of the one to any part of the other in height too: a line is hindered where it runs
below the top of a piece or of a model of another unit. Where it does not, all is seen on the plan: a high piece is
opaque from the ground to its top, and who stands as high looks over it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
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
from sim.geometry.sight_over import Solids, Span, hidden_at_the_foot, sees_over, visible_over
from sim.geometry.tolerance import Bools, Floats
from sim.rulesets.wh40k10 import leaders, pairs, quantifiers

RULE = "Visibility"
COVER = "Benefit of Cover"
SEEN = "seen"  # under which it is kept who sees whom
COVERED = "benefit-of-cover"  # the ability of who has it wherever it stands
OPAQUE_FROM = 2.0  # inches; lower pieces hide parts of a model and never all of it
BARRICADE_COVER = 3.0  # inches, wholly within this of a barricade; Benefit of Cover
PLUNGING_FROM = 6.0  # inches up, wholly within a ruin; Plunging Fire
OPAQUE = frozenset({"ruin", "ruin-wall", "hill", "container", "crate", "debris"})
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
    bottoms: tuple[float, ...] = ()  # inches; where a model stands that is in the way, none for terrain alone

    @classmethod
    def of(cls, pieces: Sequence[Terrain], models: Sequence[tuple[Terrain, float]] = ()) -> Pieces:
        """The pieces in their order, and models that are in the way, each with the height on which it stands."""
        every = (*pieces, *(model for model, _ in models))
        bottoms = (*(-math.inf for _ in pieces), *(z if z > EPS else -math.inf for _, z in models))
        return cls(Blockers(tuple(t.id for t in every), tuple(t.outline for t in every)), every, bottoms)

    @cached_property
    def solids(self) -> Solids:
        """The same with the heights between which each lies; ruins and woods, and what has no height, have no top."""
        endless = {"ruin", *SCREENS}
        tops = [math.inf if t.kind in endless or t.height <= 0 else t.height for t in self.terrain]
        return Solids(self.blockers, np.array(tops, dtype=np.float64), np.array(self.bottoms, dtype=np.float64))

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
    """What can close the view between models of which nobody says how tall they are."""
    return Pieces.of([t for t in field.terrain if t.kind in OPAQUE and _closes(t)])


@lru_cache(maxsize=64)
def bodily(field: Battlefield) -> Pieces:
    """What can close the view between models that are so many inches tall: low pieces too."""
    low = (t for t in field.terrain if t.kind in LOW and t.height > 0)
    return Pieces.of([*(t for t in field.terrain if t.kind in OPAQUE), *low])


def in_the_way(battle: Battle, observers: Unit, targets: Unit) -> Pieces:
    """What can close the view between two units: terrain, and models of other units whose height is known.

    A round or oval base closes it by a polygon of 72 corners on its edge.
    """
    ground = bodily if tall(observers, targets) else opaque
    return _with_models(battle, ground, observers, targets)


def _with_models(battle: Battle, ground: Callable[[Battlefield], Pieces], observers: Unit, targets: Unit) -> Pieces:
    """Some of the terrain, and the models of other units than two whose height is known."""
    others = [u for u in battle.units if u.id not in (observers.id, targets.id) and u.on_table and u.value(HEIGHT)]
    if not others:
        return ground(battle.battlefield)
    memo = battle.index.memo
    key = ("in-the-way", observers.id, targets.id, ground.__name__)
    if key not in memo:
        models = [(Terrain(m.id, MODEL, _rim(m.placed), top(u, m) or 0.0), _z(m)) for u in others for m in u.models]
        memo[key] = Pieces.of(ground(battle.battlefield).terrain, models)
    found: Pieces = memo[key]
    return found


def tall(*units: Unit) -> bool:
    """Whether it is known of all models of some units how tall they are, so that they are seen as bodies."""
    return all(top(unit, model) is not None for unit in units for model in unit.models)


def _span(unit: Unit, model: Model) -> Span:
    """The lowest and the highest point of a model that is so many inches tall, above the table."""
    return _z(model), top(unit, model) or 0.0


def top(unit: Unit, model: Model) -> float | None:
    """How high a model reaches above the table, None where nobody says how tall it is."""
    height = leaders.number(unit, model, HEIGHT)
    return None if height is None or model.pose is None else model.pose.z + height


def _rim(placed: Placed) -> tuple[Point, ...]:
    if placed.kind == "polygon":
        return placed.corners
    found = ellipse_points(placed.pose, *placed.semi_axes, count=RIM_CORNERS)
    return tuple((float(x), float(y)) for x, y in found)


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
    """A clear line on the plan from one model to another, None when there is none."""
    pieces = in_the_way(battle, observer[0], target[0])
    ignored = _ignored(battle, pieces.terrain, observer, target)
    one, other = observer[1].placed, target[1].placed
    if tall(observer[0], target[0]):
        return sees_over(one, other, _span(*observer), _span(*target), pieces.solids, ignored)
    return sees(one, other, pieces.blockers, ignored)


def what_hides(battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> tuple[str, ...]:
    """The pieces that lie between two models, for a proof that one does not see the other."""
    pieces = in_the_way(battle, observer[0], target[0])
    ignored = _ignored(battle, pieces.terrain, observer, target)
    if tall(observer[0], target[0]):
        low, high = sorted((_span(*observer)[1], _span(*target)[1]))
        never, _ = pieces.solids.sorted_out(low, high, EPS)
        ignored = tuple({*ignored, *np.flatnonzero(never).tolist()})
    return blocking(observer[1].placed, target[1].placed, pieces.blockers, ignored)


def fully_visible(battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model]) -> bool:
    """Whether every part of a model that faces another one is visible to it, past terrain and past other models."""
    if model_sees(battle, observer, target) is None:
        return False
    pieces = _with_models(battle, hiding, observer[0], target[0])
    return _hidden_behind(battle, observer, target, pieces) is None


def seen(battle: Battle, observers: Unit, targets: Unit) -> Bools:
    """Which models of a unit see which models of another: an array (n, m)."""
    found = _known(battle, observers, targets)
    if found is None:
        look(battle, [(observers, targets)])
        found = _known(battle, observers, targets)
        assert found is not None
    return found


def seeing(battle: Battle, observers: Unit, targets: Unit) -> Bools:
    """Which models of a unit see any model of another: an array (n,)."""
    return np.asarray(seen(battle, observers, targets).any(axis=1))


def look(battle: Battle, asked_of: Collection[tuple[Unit, Unit]]) -> None:
    """Find out together what ``seen`` will be asked of units and those that they look at."""
    fresh = [pair for pair in asked_of if _known(battle, *pair) is None]
    if not fresh:
        return
    if not _is_flat(battle):
        for observers, targets in fresh:
            battle.index.memo[SEEN, observers.id, targets.id] = _seen(battle, [observers], [targets], None)
        return
    rows, columns = ({pair[k].id: pair[k] for pair in fresh} for k in (0, 1))
    (first, height), (then, width) = _slices(rows.values()), _slices(columns.values())
    asked = np.zeros((height, width), dtype=np.bool_)
    for observers, targets in fresh:
        asked[first[observers.id], then[targets.id]] = True
    found = _seen(battle, list(rows.values()), list(columns.values()), asked)
    for observers, targets in fresh:
        part = found[first[observers.id], then[targets.id]]
        pairs.learn(battle, SEEN, observers, targets, part)


def _known(battle: Battle, observers: Unit, targets: Unit) -> Bools | None:
    """What is known of who sees whom. Where models have heights, those of others are in the way, and all is new."""
    if _is_flat(battle):
        return pairs.known(battle, SEEN, observers, targets)
    answer: Bools | None = battle.index.memo.get((SEEN, observers.id, targets.id))
    return answer


def _is_flat(battle: Battle) -> bool:
    """Whether of no unit it is known how tall it is: nobody is in the way, and all is seen on the plan."""
    memo, key = battle.index.memo, ("flat",)
    if key not in memo:
        memo[key] = not any(u.value(HEIGHT) or any(a.value(HEIGHT) for a in u.attached) for u in battle.units)
    return bool(memo[key])


def _slices(units: Collection[Unit]) -> tuple[dict[str, slice], int]:
    """Where the models of each unit are among those of all, and how many there are."""
    ends = np.cumsum([len(unit.models) for unit in units]).tolist()
    found = {unit.id: slice(end - len(unit.models), end) for unit, end in zip(units, ends, strict=True)}
    return found, ends[-1]


def _seen(battle: Battle, observers: Sequence[Unit], targets: Sequence[Unit], asked: Bools | None) -> Bools:
    """Which models of some units see which of others; the pairs that are not asked about are left out.

    There is one unit of each where it is known how tall models are.
    """
    pieces = in_the_way(battle, observers[0], targets[0])
    mine = PlacedSet.of(m.placed for unit in observers for m in unit.models)
    theirs = PlacedSet.of(m.placed for unit in targets for m in unit.models)
    if not pieces.terrain:
        return np.ones((len(mine), len(theirs)), dtype=np.bool_)
    bodies = tall(observers[0], targets[0])
    ignoring = np.zeros((len(mine), len(theirs), len(pieces.terrain)), dtype=np.bool_)
    ruins = np.array([piece.kind == "ruin" for piece in pieces.terrain])
    ignoring[:, :, ruins] = (_exempt(battle, observers)[:, None] | _exempt(battle, targets)[None, :])[..., None]
    for k, piece in enumerate(pieces.terrain):
        if piece.kind != "ruin" and piece.height > 0 and not bodies:
            above = (mine.z >= piece.height - EPS)[:, None] | (theirs.z >= piece.height - EPS)[None, :]
            ignoring[:, :, k] = above
    looks = [_looks_out_of(unit, model) for unit in observers for model in unit.models]
    for group, holds, axis in ((mine, looks, 0), (theirs, [_touches] * len(theirs), 1)):
        for i, k in np.argwhere(_boxes_meet(group.bounds, pieces.bounds) & ruins):
            if holds[i](group[int(i)], _outline(pieces.terrain[k].outline)):
                ignoring[(i, slice(None), k) if axis == 0 else (slice(None), i, k)] = True
    if not bodies:
        return lines_between(mine, theirs, pieces.blockers, ignoring, asked)
    eyes, aims = (np.array([_span(u, m) for u in units for m in u.models]) for units in (observers, targets))
    return visible_over(mine, theirs, eyes, aims, pieces.solids, ignoring)


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
    placed, is_infantry = model.placed, quantifiers.model_bears(target, model, "INFANTRY")
    for piece in field.terrain:
        if piece.kind in ("ruin", "woods") and _wholly_in(placed, _outline(piece.outline)):
            return f"wholly within {piece.id}"
        if piece.kind == "crater" and is_infantry and _wholly_in(placed, _outline(piece.outline)):
            return f"wholly on {piece.id}"
    first = None
    if field.terrain:
        pieces = hiding(field)  # terrain alone gives cover, never models
        hidden = (_hidden_behind(battle, (attackers, m), (target, model), pieces) for m in attackers.models)
        if battle.option("cover_when", "any") == "any":
            first = next((name for name in hidden if name is not None), None)
        else:
            every = list(hidden)
            first = every[0] if every and all(name is not None for name in every) else None
    first = first or _platform(battle, attackers, target, model)
    return None if first is None else f"not fully visible past {first}"


def hidden_from(battle: Battle, attackers: Unit, target: Unit) -> Bools:
    """Which models have the Benefit of Cover because attackers do not see them at all: any of those, or all: (n,).

    Only terrain hides a model for that; where heights are known other models are in the way of sight as well.
    """
    if not _is_flat(battle) or not attackers.models:
        return np.zeros(len(target.models), dtype=np.bool_)
    blind = ~seen(battle, attackers, target)
    return np.asarray(blind.any(axis=0) if battle.option("cover_when", "any") == "any" else blind.all(axis=0))


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


def _hidden_behind(
    battle: Battle, observer: tuple[Unit, Model], target: tuple[Unit, Model], pieces: Pieces
) -> str | None:
    """The piece past which a model is not fully visible to another, None where it is.

    Of models that are so many inches tall all is seen but what is hidden from the top of the observer, the feet
    included.
    """
    field = battle.battlefield
    if not _past_woods(observer, target):
        woods = (t for t in field.terrain if t.kind in SCREENS and _wholly_in(target[1].placed, _outline(t.outline)))
        if within_one := next(woods, None):
            return within_one.id
    ignored = pieces.aside(observer[1].placed, target[1].placed)
    if len(ignored) < len(pieces.terrain):
        ignored = tuple({*ignored, *_ignored(battle, pieces.terrain, observer, target)})
    if _hides_a_part(pieces, observer, target, ignored):
        names = blocking(observer[1].placed, target[1].placed, pieces.blockers, ignored)
        return names[0] if names else next(t.id for k, t in enumerate(pieces.terrain) if k not in ignored)
    low = _low(field)
    if not low.terrain or not quantifiers.model_bears(*target, "INFANTRY"):
        return None
    far = list(low.aside(observer[1].placed, target[1].placed))
    far += [k for k, piece in enumerate(low.terrain) if k not in far and not _behind(target[1].placed, piece)]
    if _hides_a_part(low, observer, target, far):
        return next(piece.id for k, piece in enumerate(low.terrain) if k not in far)
    return None


def _hides_a_part(
    pieces: Pieces, observer: tuple[Unit, Model], target: tuple[Unit, Model], ignored: Collection[int]
) -> bool:
    """Whether pieces hide some part of a model that faces another."""
    if len(ignored) == len(pieces.terrain):
        return False
    one, other = observer[1].placed, target[1].placed
    if not tall(observer[0], target[0]):
        return hidden_part(one, other, pieces.blockers, ignored) is not None
    (_, eye), (foot, _) = _span(*observer), _span(*target)
    return hidden_at_the_foot(one, other, eye, foot, pieces.solids, ignored) is not None


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
    """The pieces that do not hinder one model's view of another, whatever lines lead past them."""
    out, bodies = [], tall(observer[0], target[0])
    looks_out_of = _looks_out_of(*observer)
    for k, piece in enumerate(pieces):
        outline = _outline(piece.outline)
        if piece.kind == "ruin":
            past = looks_out_of(observer[1].placed, outline) or _touches(target[1].placed, outline)
            if past or _sees_over(battle, observer, target):
                out.append(k)
        elif piece.kind in SCREENS:
            if _past_woods(observer, target) or _wholly_in(observer[1].placed, outline):
                out.append(k)
        elif piece.height > 0 and not bodies and max(_z(observer[1]), _z(target[1])) >= piece.height - EPS:
            out.append(k)
    return tuple(out)


def _looks_out_of(unit: Unit, observer: Model) -> Callable[[Placed, Polygon], bool]:
    """How a base has to stand in a ruin to look out of it: wholly within, or within for what is TOWERING."""
    return _touches if quantifiers.model_bears(unit, observer, "TOWERING") else _wholly_in


def _sees_over(battle: Battle, *models: tuple[Unit, Model]) -> bool:
    """Aircraft, and by an older reading what is Towering, see past ruins and are seen past them."""
    return any(quantifiers.model_bears(unit, model, *_exempt_kinds(battle)) for unit, model in models)


def _exempt(battle: Battle, units: Sequence[Unit]) -> Bools:
    """Which of all models of some units see past ruins and are seen past them."""
    kinds = _exempt_kinds(battle)
    return np.array([quantifiers.model_bears(unit, m, *kinds) for unit in units for m in unit.models], dtype=np.bool_)


def _exempt_kinds(battle: Battle) -> tuple[str, ...]:
    older = battle.option("towering", "wholly-within") == "exempt"
    return ("AIRCRAFT", "TOWERING") if older else ("AIRCRAFT",)


def _past_woods(*models: tuple[Unit, Model]) -> bool:
    """Whether the view between two models passes woods as if they were not there: to and from Aircraft and TOWERING."""
    return any(quantifiers.model_bears(unit, model, "AIRCRAFT", "TOWERING") for unit, model in models)


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
