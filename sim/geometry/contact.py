"""How far may a base run straight on before it touches something, or comes within a distance, and with which part?

Corners, edges and round rims are solved in closed form: a corner against an edge, an edge against a corner, a corner
against the disc about a corner. Where a true ellipse takes part the way of the centre is met with the rim of what is
grown by it. Touching by less than ``EPS`` counts as touching.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import shapely

from sim.geometry.crossings import roots
from sim.geometry.distance import is_convex, separation, separations, witness
from sim.geometry.rims import (
    HIGH,
    LOW,
    NO_OVAL,
    beside,
    counter_clockwise,
    curvature_radius,
    full_rims,
    points_of,
    tangents,
)
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Hull, Oval, Placed, Point, Pose, Round
from sim.geometry.tolerance import EPS, Floats, Ints, within

Part = Literal["front", "front-corner", "side", "rear-corner", "rear"]
LOOK = 1 / 64  # inches; how often a gap that is within the reach from the start is looked at
FIRST_LOOKS, LOOKS = 4, 128  # looks in the first and in the longest go
GOLDEN = (math.sqrt(5) - 1) / 2
CREST = 1e-11  # inches about where a gap is greatest
FALLS = 1e-9  # inches; a gap that has lost less than this has not fallen


@dataclass(frozen=True, slots=True)
class Contact:
    """The instant at which a running base first is near enough: how far it has run, where, and with which part."""

    distance: float
    own: Point  # the point of the base, where it is at that instant
    other: Point  # the point of the other
    part: Part
    member: int = 0  # position among the running bases
    obstacle: int = 0  # position among the others


def first_within(base: Placed, heading: float, other: Placed, reach: float = 0.0) -> Contact | None:
    """The instant at which a base that runs along a heading (degrees) first is within ``reach`` inches of another.

    With a reach of 0 that is the first touch. None when it never comes that near, however far it runs.
    """
    if _near(base, other, reach):
        own, point = witness(base, other)
        return Contact(0.0, own, point, part_at(base, own))
    if isinstance(base.base, Oval) or isinstance(other.base, Oval):
        found = [_ellipse_within(base, heading, piece, reach) for piece in _convex_pieces(other)]
        return min((c for c in found if c is not None), key=lambda c: c.distance, default=None)
    return _cornered_within(base, heading, other, reach)


def first_of(
    members: PlacedSet, heading: float, others: PlacedSet, reach: float = 0.0, most: float = math.inf
) -> Contact | None:
    """The first instant at which any of several bases that run together is within reach of any other.

    What is only met beyond ``most`` inches need not be found.
    """
    best: Contact | None = None
    for least, i, j in _candidates(members, heading, others, reach):
        if least > most or (best is not None and least > best.distance):
            break
        found = first_within(members[i], heading, others[j], reach)
        if found is None:
            continue
        if best is None or (found.distance, i, j) < (best.distance, best.member, best.obstacle):
            best = Contact(found.distance, found.own, found.other, found.part, i, j)
    return best


def first_nearing(
    members: PlacedSet, heading: float, others: PlacedSet, reach: float, most: float = math.inf
) -> Contact | None:
    """The first instant at which bases that run together are within reach of a group *and* getting nearer to it.

    Bases that start farther away than ``reach`` stop where they first come within it. Bases that start within it may
    run as long as the gap to the group does not fall, which is looked at every ``LOOK`` inches; once it has grown
    beyond the reach they have left. What is only met beyond ``most`` inches need not be found.
    """
    if not _starts_within(members, heading, others, reach):
        return first_of(members, heading, others, reach, most)
    pieces = PlacedSet.of(piece for other in others for piece in _convex_pieces(other))
    gone, looks = 0.0, FIRST_LOOKS
    while True:
        steps = gone + LOOK * np.arange(looks + 2)
        least_at = np.array([_least_gap(moved(members, heading, float(t)), pieces) for t in steps])
        for k in range(looks + 1):
            if not within(float(least_at[k]), reach):
                found = first_of(moved(members, heading, float(steps[k])), heading, others, reach)
                return None if found is None else _later(found, float(steps[k]))
            if least_at[k + 1] < least_at[k] - FALLS:
                return _crest(members, heading, others, float(steps[max(0, k - 1)]), float(steps[k + 1]))
        gone, looks = float(steps[looks]), min(2 * looks, LOOKS)
        here = separations(moved(members, heading, gone), pieces)
        if not (separations(moved(members, heading, gone + LOOK), pieces) < here - FALLS).any():
            return None


def _starts_within(members: PlacedSet, heading: float, others: PlacedSet, reach: float) -> bool:
    near = (pair for least, *pair in _candidates(members, heading, others, reach) if least <= 0)
    return any(_near(members[i], others[j], reach) for i, j in near)


def _near(base: Placed, other: Placed, reach: float) -> bool:
    """Whether two bases are within a reach of each other; boxes that lie farther apart settle it."""
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = base.bounds, other.bounds
    apart = math.hypot(max(0.0, bx0 - ax1, ax0 - bx1), max(0.0, by0 - ay1, ay0 - by1))
    return apart <= reach + 2 * EPS and bool(within(separation(base, other), reach))


def _least_gap(members: PlacedSet, others: PlacedSet) -> float:
    return float(np.min(separations(members, others)))


def _crest(members: PlacedSet, heading: float, others: PlacedSet, low: float, high: float) -> Contact:
    """Where the gap to a group is greatest between two distances, the last such place: from there on it falls."""
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_a, at_b = (_least_gap(moved(members, heading, t), others) for t in (a, b))
    while high - low > CREST:
        if at_a <= at_b + 1e-12:
            low, a, at_a, b = a, b, at_b, a + GOLDEN * (high - a)
            at_b = _least_gap(moved(members, heading, b), others)
        else:
            high, b, at_b, a = b, a, at_a, b - GOLDEN * (b - low)
            at_a = _least_gap(moved(members, heading, a), others)
    there = moved(members, heading, low if low > FALLS else 0.0)
    apart = separations(there, others)
    i, j = (int(v) for v in np.unravel_index(int(np.argmin(apart)), apart.shape))
    later = separations(moved(members, heading, low + LOOK), others)
    nearing = np.where(later < apart, later, np.inf)
    if np.isfinite(nearing).any():
        i, j = (int(v) for v in np.unravel_index(int(np.argmin(nearing)), apart.shape))
    own, point = witness(there[i], others[j])
    return Contact(low if low > FALLS else 0.0, own, point, part_at(there[i], own), i, j)


def moved(members: PlacedSet, heading: float, distance: float) -> PlacedSet:
    """Bases after they have run a distance along a heading, keeping their facings."""
    dx, dy = _along(heading, distance)
    return PlacedSet.of(Placed(m.base, Pose(m.pose.x + dx, m.pose.y + dy, m.pose.facing, m.pose.z)) for m in members)


def part_at(base: Placed, point: Point) -> Part:
    """Which part of a base a point of its rim belongs to: its front, a side, its rear, or a corner between them.

    The quarters are parted by lines at 45° through the corners of the box about the base, along its facing.
    """
    x, y = _local(base, point)
    hx, hy = _half_box(base)
    if base.kind == "polygon" and abs(abs(x) - hx) <= EPS and abs(abs(y) - hy) <= EPS:
        return "front-corner" if x > 0 else "rear-corner"
    if abs(x) - hx < abs(y) - hy - EPS:
        return "side"
    return "front" if x > 0 else "rear"


def is_front(part: Part) -> bool:
    """Whether a part lies in the front arc; its corners belong to it."""
    return part in ("front", "front-corner")


# --- corners, edges and rounds


def _cornered_within(base: Placed, heading: float, other: Placed, reach: float) -> Contact | None:
    """Closed form for everything but true ellipses; a round base is its centre, grown by its radius."""
    run = np.array(_along(heading, 1.0))
    (mine, my_edges, ra), (theirs, their_edges, rb) = _core(base), _core(other)
    r = reach + ra + rb
    times, own, point = _points_meet(mine, their_edges, theirs, run, r)
    back, foot, corner = _points_meet(theirs, my_edges, mine, -run, r)
    times = np.concatenate((times, back))
    if not len(times) or not np.isfinite(times).any():
        return None
    first = max(0.0, float(np.min(times)))
    # What the others' corners meet lies on the base as it stands at that instant.
    own = np.concatenate((own, corner + run * first))
    point = np.concatenate((point, foot + run * first))
    there = moved(PlacedSet((base,)), heading, first)[0]
    tie = times <= first + 1e-9
    a, b = _representative(there, other, own[tie], point[tie], reach if ra == rb == 0 else None)
    span = math.dist(a, b)
    if span > 0:
        ux, uy = (b[0] - a[0]) / span, (b[1] - a[1]) / span
        a, b = (a[0] + ux * ra, a[1] + uy * ra), (b[0] - ux * rb, b[1] - uy * rb)
    return Contact(first, a, b, part_at(there, a))


def _core(placed: Placed) -> tuple[Floats, Floats, float]:
    """The corners (n, 2) and edges (n, 4) of a base, and by how much it is grown: a round one is its centre."""
    if isinstance(placed.base, Round):
        return np.array([placed.pose.at]), np.empty((0, 4)), placed.base.d / 2
    corners = np.array(placed.corners)
    return corners, np.hstack((corners, np.roll(corners, -1, axis=0))), 0.0


def _points_meet(
    points: Floats, edges: Floats, corners: Floats, run: Floats, r: float
) -> tuple[Floats, Floats, Floats]:
    """When points that run come within r of edges and corners: times, the points then, and what they are near to."""
    at, near = [], []
    if len(edges):
        p, along = edges[None, :, :2], edges[:, 2:] - edges[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        along = along / length[:, None]
        normal = np.column_stack((-along[:, 1], along[:, 0]))
        offset = np.sum((points[:, None, :] - p) * normal[None], axis=2)
        approach = -np.sign(offset) * (normal @ run)[None, :]
        ahead = approach > 1e-12
        times = np.where(ahead, (np.abs(offset) - r) / np.where(ahead, approach, 1.0), np.inf)
        hit = points[:, None, :] + run * np.where(np.isfinite(times), times, 0.0)[:, :, None]
        share = np.sum((hit - p) * along[None], axis=2)
        good = ahead & (times >= -1e-9) & (share >= -1e-9) & (share <= length[None, :] + 1e-9)
        feet = p + along[None] * np.clip(share, 0.0, length[None, :])[:, :, None]
        at.append(np.where(good, times, np.inf).ravel())
        near.append(np.broadcast_to(feet, hit.shape).reshape(-1, 2))
    gone = points[:, None, :] - corners[None]
    back = gone @ run
    aside = np.abs(gone[:, :, 0] * run[1] - gone[:, :, 1] * run[0])
    times = -back - np.sqrt(np.maximum(0.0, r * r - aside * aside))
    good = np.asarray(within(aside, r)) & (times >= -1e-9)
    at.append(np.where(good, times, np.inf).ravel())
    near.append(np.broadcast_to(corners[None], gone.shape).reshape(-1, 2))
    found = np.concatenate(at)
    rows = np.concatenate([np.repeat(points, len(some) // len(points), axis=0) for some in at])
    there = rows + run * np.where(np.isfinite(found), found, 0.0)[:, None]
    return found, there, np.concatenate(near)


def _representative(
    there: Placed, other: Placed, own: Floats, point: Floats, reach: float | None
) -> tuple[Point, Point]:
    """One pair of points out of those that are near at once: the middle of a flush contact, else next to the axis."""
    across = np.array([_local(there, (float(x), float(y)))[1] for x, y in own])
    low, high = int(np.argmin(across)), int(np.argmax(across))
    if reach is not None and across[high] - across[low] > EPS:
        a, b = (own[low] + own[high]) / 2, (point[low] + point[high]) / 2
        on_rim = shapely.distance(shapely.boundary(there.polygon), shapely.Point(a))
        if on_rim <= EPS and shapely.distance(shapely.boundary(other.polygon), shapely.Point(b)) <= EPS:
            return (float(a[0]), float(a[1])), (float(b[0]), float(b[1]))
    k = int(np.argmin(np.abs(across)))
    return (float(own[k][0]), float(own[k][1])), (float(point[k][0]), float(point[k][1]))


# --- ellipses


def _ellipse_within(base: Placed, heading: float, other: Placed, reach: float) -> Contact | None:
    """Where the way of the centre meets the border of the other base grown by the running one and by the reach.

    A way that passes that border by less than ``EPS`` touches it.
    """
    straight, rims = _grown(base, other, reach)
    start, run = np.array(base.pose.at), np.array(_along(heading, 1.0))
    across = np.array([-run[1], run[0]])
    gone = [*_along_straight(straight - np.tile(start, 2), run, across), *_along_rims(rims, start, run, across)]
    if not gone:
        return None
    first = max(0.0, min(gone))
    here = moved(PlacedSet((base,)), heading, first)[0]
    own, point = witness(here, other)
    return Contact(first, own, point, part_at(here, own))


def _grown(base: Placed, other: Placed, reach: float) -> tuple[Floats, Floats]:
    """The border of a base without a notch, grown by another one and a reach: straight pieces and rims."""
    oval, round_or_cornered = (base, other) if isinstance(base.base, Oval) else (other, base)
    axes = (*oval.semi_axes, math.radians(oval.pose.facing))
    if round_or_cornered.kind == "polygon":
        corners = np.array(round_or_cornered.corners)
        if round_or_cornered is base:  # seen from the oval, which stands still, the base is turned about its centre
            corners = np.array(base.pose.at) + np.array(other.pose.at) - corners
        return beside([counter_clockwise(corners)], axes, reach)
    a, b = round_or_cornered.semi_axes
    second, radius = (NO_OVAL, a + reach) if a == b else ((a, b, math.radians(round_or_cornered.pose.facing)), reach)
    return np.empty((0, 4)), full_rims(np.array([other.pose.at]), axes, second, radius)


def _along_straight(pieces: Floats, run: Floats, across: Floats) -> Iterator[float]:
    """How far along a way from the origin straight pieces are met; of one on the way itself, its ends."""
    for x0, y0, x1, y1 in pieces.tolist():
        off0, off1 = x0 * across[0] + y0 * across[1], x1 * across[0] + y1 * across[1]
        at0, at1 = x0 * run[0] + y0 * run[1], x1 * run[0] + y1 * run[1]
        if off0 * off1 < 0:
            met = at0 + (at1 - at0) * off0 / (off0 - off1)
            if met >= -EPS:
                yield met
        else:
            yield from (at for off, at in ((off0, at0), (off1, at1)) if abs(off) <= EPS and at >= -EPS)


def _along_rims(rims: Floats, start: Floats, run: Floats, across: Floats) -> Iterator[float]:
    """How far along a way from a start rims are met, or passed by less than ``EPS`` where they run along with it."""
    if not len(rims):
        return
    level = math.atan2(across[1], across[0])
    low, high = rims[:, LOW], rims[:, HIGH]
    turns = [low, high]
    for k in range(3):
        turn = low + (level - low) % math.pi + k * math.pi
        turns.append(np.where(turn < high, turn, high))
    turns_sorted = np.sort(np.stack(turns), axis=0)

    def off(rows: Ints, heading: Floats) -> tuple[Floats, Floats]:
        slope = curvature_radius(rims[rows], heading) * (tangents(heading) @ across)
        return (points_of(rims[rows], heading) - start) @ across, slope

    for left, right in pairwise(turns_sorted):
        rows, at = roots(off, left, right)
        yield from (float(t) for t in (points_of(rims[rows], at) - start) @ run if t >= -EPS)
        grazed = np.abs(off(np.arange(len(rims)), left)[0]) <= EPS
        yield from (float(t) for t in (points_of(rims[grazed], left[grazed]) - start) @ run if t >= -EPS)


def _convex_pieces(placed: Placed) -> Iterator[Placed]:
    """The base itself, or the triangles of a hull with a notch."""
    if placed.kind == "ellipse" or is_convex(placed.polygon):
        yield placed
        return
    for triangle in shapely.get_parts(shapely.constrained_delaunay_triangles(placed.polygon)):
        corners = shapely.get_coordinates(triangle)[:-1]
        yield Placed(Hull(tuple((float(x), float(y)) for x, y in corners)), Pose(0.0, 0.0))


# --- small geometry


def _candidates(members: PlacedSet, heading: float, others: PlacedSet, reach: float) -> list[tuple[float, int, int]]:
    """The pairs that could meet, not behind, and not farther aside than both radii and the reach.

    Each comes with how far the discs that hold the two run at least until they are that near; the nearest first.
    """
    if not len(members) or not len(others):
        return []
    dx, dy = _along(heading, 1.0)
    boxes = others.bounds
    cx, cy = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    radii = np.hypot(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) / 2
    found: list[tuple[float, int, int]] = []
    for i, member in enumerate(members):
        x, y = cx - member.pose.x, cy - member.pose.y
        room, aside, ahead = radii + member.radius + reach + 2 * EPS, np.abs(x * dy - y * dx), x * dx + y * dy
        picks = np.flatnonzero((aside <= room) & (ahead >= -room))
        least = ahead[picks] - np.sqrt(room[picks] ** 2 - aside[picks] ** 2) - EPS
        found.extend((max(0.0, bound), i, j) for bound, j in zip(least.tolist(), picks.tolist(), strict=True))
    return sorted(found)


def _later(contact: Contact, gone: float) -> Contact:
    return Contact(contact.distance + gone, contact.own, contact.other, contact.part, contact.member, contact.obstacle)


def _along(heading: float, distance: float) -> Point:
    """The step of a distance along a heading; quarter turns are exact, so that parallel stays parallel."""
    quarters = heading / 90.0
    if quarters == round(quarters):
        cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarters) % 4]
    else:
        cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return distance * cos, distance * sin


def _local(base: Placed, point: Point) -> Point:
    """A point as the base sees it: along its facing from the middle of its box, and to the left."""
    cos, sin = _along(base.pose.facing, 1.0)
    dx, dy = point[0] - base.pose.x, point[1] - base.pose.y
    x, y = cos * dx + sin * dy, -sin * dx + cos * dy
    mx, my = _middle(base)
    return x - mx, y - my


def _middle(base: Placed) -> Point:
    outline = base.base.local_outline
    if not outline:
        return 0.0, 0.0
    xs, ys = zip(*outline, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _half_box(base: Placed) -> Point:
    """Half the length and half the width of the box about a base along its facing."""
    outline = base.base.local_outline
    if not outline:
        return base.semi_axes
    xs, ys = zip(*outline, strict=True)
    return (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
