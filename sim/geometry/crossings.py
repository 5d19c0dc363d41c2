"""Where do the rims of grown ovals cross one another, arcs and straight pieces?

Rims are looked at in short chords. Those that lie in ground that is closed anyway are left out; where two chords come
as near as their curves may bulge, Newton finds the crossing to rounding. Curves that only touch do not cross.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from sim.geometry.borders import in_discs
from sim.geometry.rims import (
    FULL,
    HIGH,
    LOW,
    SEAM,
    all_round,
    bluntest,
    chords,
    curvature_radius,
    normals,
    points_of,
    tangents,
)
from sim.geometry.tolerance import Floats, Ints

STEP = FULL / 32  # radians of one chord
NEWTON_STEPS = 10
HALVINGS = 60  # a heading between two others is found at the latest
OVERLAP = 1e-7  # radians of neighbouring chords
CLOSE = 1e-12  # radians; a last step of Newton that is shorter leaves rounding only
FLAT = 2e-5  # radians; curves that meet at less touch and come no deeper into one another than 1e-9 inches
MET = 1e-9  # inches between two curves that count as crossing
NEAREST = 8  # discs that cover most of a rim in a crowd
SHARES = 2  # into which a chord is cut once it is known to be open
NONE = np.empty((0, 2))
Chords = tuple[Ints, Floats, Floats]  # of which rims, from and to which heading
Ends = tuple[Floats, Floats]  # of each chord the first and the last of something
Curve = Callable[[Ints, Floats], tuple[Floats, Floats]]  # of some rows at headings a value, and how fast it changes


@dataclass(frozen=True)
class Closed:
    """Ground on which no centre is legal: discs (n, 3), and all that lies beyond a box (least and greatest x and y)."""

    discs: Floats
    box: Floats


def open_chords(rims: Floats, closed: Closed) -> Chords:
    """The chords of rims that do not lie wholly in closed ground: of which rim, from where, to where.

    Long chords are looked at first, and those that are left in halves.
    """
    found = _not_closed(rims, chords(rims, STEP * SHARES), closed, thorough=True)
    which, low = np.repeat(found[0], SHARES), np.repeat(found[1], SHARES)
    width = np.repeat(found[2] - found[1], SHARES) / SHARES
    low = low + np.tile(np.arange(SHARES), len(found[0])) * width
    return _not_closed(rims, (which, low, low + width), closed, thorough=False)


def _not_closed(rims: Floats, found: Chords, closed: Closed, thorough: bool) -> Chords:
    """The chords that lie neither beyond the box nor wholly within one disc; discs next to a rim are asked first.

    Unless it is to be thorough no others are asked in a crowd.
    """
    which, low, high = found
    if not len(which):
        return found
    some = rims[which]
    bulge = float(np.max(bluntest(rims)[which] * (high - low) ** 2)) / 8
    shrunk = closed.discs - np.array([0.0, 0.0, bulge + 1e-6])
    shrunk = shrunk[shrunk[:, 2] > 0]
    starts, ends = points_of(some, low), points_of(some, high)
    out = np.maximum(starts, ends) < closed.box[:2] - bulge - 1e-6
    out |= np.minimum(starts, ends) > closed.box[2:] + bulge + 1e-6
    left = np.flatnonzero(~out.any(axis=1))
    if len(shrunk) > 2 * NEAREST:
        apart = np.hypot(rims[:, 0:1] - shrunk[:, 0], rims[:, 1:2] - shrunk[:, 1]) - shrunk[:, 2]
        near = shrunk[np.argpartition(apart, NEAREST, axis=1)[:, :NEAREST]][which[left]]
        covered = np.ones(near.shape[:2], dtype=np.bool_)
        for points in (starts[left], ends[left]):
            dx, dy = points[:, 0:1] - near[:, :, 0], points[:, 1:2] - near[:, :, 1]
            covered &= dx * dx + dy * dy <= near[:, :, 2] ** 2
        left = left[~covered.any(axis=1)]
    if thorough or len(shrunk) <= 2 * NEAREST:
        left = left[~in_discs(starts[left], ends[left], shrunk)]
    return which[left], low[left], high[left]


def rim_crossings(rims: Floats, arcs: Floats, segments: Floats, closed: Closed) -> tuple[Floats, Floats, Floats]:
    """Where rims that bend one way cross: rows of (rim, heading), of (arc, angle) and of (piece, share of its length).

    What lies in closed ground is not looked for. Arcs count as whole circles.
    """
    if not len(rims):
        return NONE, NONE, NONE
    which, low, high = open_chords(rims, closed)
    some = rims[which]
    # Chords overlap a little, so that no crossing is lost between two of them.
    whole = all_round(some)
    low = np.where(whole, low - OVERLAP, np.maximum(low - OVERLAP, some[:, LOW]))
    high = np.where(whole, high + OVERLAP, np.minimum(high + OVERLAP, some[:, HIGH]))
    ends = points_of(some, low), points_of(some, high)
    bulge = bluntest(some) * (high - low) ** 2 / 8 + MET
    pair, t, u = _curves_meet(some, which, (low, high), ends, bulge)
    on_rims = [np.column_stack((which[one], at)) for one, at in zip(pair.T, (t, u), strict=True)]
    row, heading = _ends_meet(some, (low, high), ends, bulge, ends_of(rims, segments))
    on_rims.append(np.column_stack((which[row], heading)))
    row, arc, heading = _circles_meet(some, (low, high), ends, bulge, arcs[:, :3])
    on_rims.append(np.column_stack((which[row], heading)))
    away = points_of(some[row], heading) - arcs[arc, :2]
    on_arcs = np.column_stack((arc, np.arctan2(away[:, 1], away[:, 0])))
    row, piece, heading = _lines_meet(some, (low, high), ends, bulge, segments)
    step = segments[piece, 2:] - segments[piece, :2]
    along = np.sum((points_of(some[row], heading) - segments[piece, :2]) * step, axis=1)
    share = along / np.sum(step * step, axis=1)
    on = (share >= 0) & (share <= 1)
    on_rims.append(np.column_stack((which[row], heading))[on])
    inner = (share > 0) & (share < 1)
    on_segments = np.vstack((np.column_stack((piece, share))[inner], points_on(segments, ends_of(rims, segments[:0]))))
    return np.vstack(on_rims), on_arcs, on_segments


def points_on(segments: Floats, points: Floats) -> Floats:
    """Where points lie on straight pieces: rows of (piece, share of its length)."""
    if not len(segments) or not len(points):
        return NONE
    lines = shapely.linestrings(segments.reshape(-1, 2, 2))
    k, piece = shapely.STRtree(lines).query(shapely.points(points), predicate="dwithin", distance=MET)
    step = segments[piece, 2:] - segments[piece, :2]
    square = np.maximum(np.sum(step * step, axis=1), 1e-300)
    share = np.sum((points[k] - segments[piece, :2]) * step, axis=1) / square
    return np.asarray(np.column_stack((piece, share))[(share > 0) & (share < 1)])


def merged(rims: Floats) -> tuple[Floats, Floats]:
    """Rims on one and the same curve as one where they overlap, and where they began and ended: (rim, heading)."""
    _, curve, counts = np.unique(np.round(rims[:, :LOW], 9), axis=0, return_inverse=True, return_counts=True)
    alone = counts[curve] == 1
    kept, cuts, number = [rims[alone]], [NONE], int(alone.sum())
    for group in np.flatnonzero(counts > 1):
        same = rims[curve == group]
        whole = all_round(same)
        headings = same[~whole][:, [LOW, HIGH]].ravel()
        parts = same[whole][:1] if whole.any() else _joined_ranges(same)
        for part in parts:
            inside = (headings - part[LOW]) % FULL < part[HIGH] - part[LOW]
            cuts.append(np.column_stack((np.full(int(inside.sum()), number), headings[inside])))
            number += 1
        kept.append(parts)
    return np.vstack(kept), np.vstack(cuts)


def _joined_ranges(rims: Floats) -> Floats:
    """Rims on one curve, none of them whole, with those that overlap made one."""
    low = SEAM + (rims[:, LOW] - SEAM) % FULL
    out: list[Floats] = []
    for k in np.argsort(low):
        rim = rims[k].copy()
        rim[HIGH] += low[k] - rim[LOW]
        rim[LOW] = low[k]
        if out and rim[LOW] <= out[-1][HIGH] + CLOSE:
            out[-1][HIGH] = max(out[-1][HIGH], rim[HIGH])
        else:
            out.append(rim)
    return np.array(out)


def _curves_meet(
    rims: Floats, which: Ints, headings: Ends, ends: Ends, bulge: Floats
) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Where the curves of two chords cross: pairs of chords (n, 2), and the headings on the first and on the second.

    Newton begins where the chords cross, or at both ends of the first where they do not; it leaves a pair alone once it
    has gone a chord's length beyond it.
    """
    lines = shapely.linestrings(np.stack(ends, axis=1))
    reach = bulge + bulge.max(initial=0.0)
    i, j = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=reach) if len(lines) else (which, which)
    different = (which[i] != which[j]) & (i < j)
    i, j = i[different], j[different]
    a, b, (t0, t1), (u0, u1) = rims[i], rims[j], (v[i] for v in headings), (v[j] for v in headings)
    (p0, p1), (q0, q1) = (v[i] for v in ends), (v[j] for v in ends)
    r, s, gap = p1 - p0, q1 - q0, q0 - p0
    cross = _cross(r, s)
    safe = np.where(np.abs(cross) > 1e-15, cross, np.inf)
    share_t, share_u = _cross(gap, s) / safe, _cross(gap, r) / safe
    through = (share_t > 0) & (share_t < 1) & (share_u > 0) & (share_u < 1)
    every = np.arange(len(a))
    pair = np.concatenate((every[through], every[~through], every[~through]))
    t = np.concatenate(((t0 + share_t * (t1 - t0))[through], t0[~through], t1[~through]))
    shares = (share_u[through], _share_near(p0, q0, s)[~through], _share_near(p1, q0, s)[~through])
    u = u0[pair] + np.concatenate(shares) * (u1 - u0)[pair]
    span_t, span_u = (t1 - t0)[pair], (u1 - u0)[pair]
    low_t, high_t, low_u, high_u = t0[pair] - span_t, t1[pair] + span_t, u0[pair] - span_u, u1[pair] + span_u
    left = np.arange(len(pair))
    for _ in range(NEWTON_STEPS):
        rim_t, rim_u, at_t, at_u = a[pair[left]], b[pair[left]], t[left], u[left]
        away = points_of(rim_t, at_t) - points_of(rim_u, at_u)
        sine = np.sin(at_u - at_t)
        dt = -_cross(away, tangents(at_u)) / _safe(curvature_radius(rim_t, at_t) * sine)
        du = -_cross(away, tangents(at_t)) / _safe(curvature_radius(rim_u, at_u) * sine)
        dt, du = np.clip(dt, -span_t[left], span_t[left]), np.clip(du, -span_u[left], span_u[left])
        at_t, at_u = at_t + dt, at_u + du
        t[left], u[left] = at_t, at_u
        moving = np.maximum(np.abs(dt), np.abs(du)) > CLOSE
        moving &= (at_t >= low_t[left]) & (at_t <= high_t[left]) & (at_u >= low_u[left]) & (at_u <= high_u[left])
        left = left[moving]
        if not len(left):
            break
    rim_t, rim_u = a[pair], b[pair]
    away = points_of(rim_t, t) - points_of(rim_u, u)
    met = (np.hypot(away[:, 0], away[:, 1]) < MET) & (np.abs(np.sin(u - t)) > FLAT)
    for rim, heading in ((rim_t, t), (rim_u, u)):
        met &= all_round(rim) | ((heading >= rim[:, LOW] - CLOSE) & (heading <= rim[:, HIGH] + CLOSE))
    return np.column_stack((i, j))[pair[met]], t[met], u[met]


def ends_of(rims: Floats, segments: Floats) -> Floats:
    """Where straight pieces end, and rims that do not run all the way round: an array (n, 2)."""
    parts = rims[~all_round(rims)]
    return np.vstack((segments.reshape(-1, 2), points_of(parts, parts[:, LOW]), points_of(parts, parts[:, HIGH])))


def _ends_meet(rims: Floats, headings: Ends, ends: Ends, bulge: Floats, points: Floats) -> tuple[Ints, Floats]:
    """Where chords' curves lead through points: of which chord, and the heading.

    There one curve may pass over into another one without crossing it.
    """
    lines, spots = shapely.linestrings(np.stack(ends, axis=1)), shapely.points(points)
    if not len(lines) or not len(points):
        return np.empty(0, dtype=np.intp), np.empty(0)
    row, spot = shapely.STRtree(spots).query(lines, predicate="dwithin", distance=bulge)
    some, at = rims[row], points[spot]
    heading = (headings[0][row] + headings[1][row]) / 2
    for _ in range(NEWTON_STEPS):
        away = points_of(some, heading) - at
        slope = curvature_radius(some, heading) - np.sum(away * normals(heading), axis=1)
        step = np.sum(away * tangents(heading), axis=1) / _safe(slope)
        heading = heading - np.clip(step, -STEP, STEP)
        if not np.any(np.abs(step) > CLOSE):
            break
    away = points_of(some, heading) - at
    met = np.hypot(away[:, 0], away[:, 1]) < MET
    return np.asarray(row[met]), heading[met]


def _circles_meet(
    rims: Floats, headings: Ends, ends: Ends, bulge: Floats, circles: Floats
) -> tuple[Ints, Ints, Floats]:
    """Where chords' curves cross circles: of which chord, which circle, and the heading."""
    off = [np.hypot(p[:, 0:1] - circles[:, 0], p[:, 1:2] - circles[:, 1]) - circles[:, 2] for p in ends]
    row, circle = np.nonzero((off[0] * off[1] < 0) | (np.minimum(np.abs(off[0]), np.abs(off[1])) <= _long(ends, bulge)))
    rims, (low, high), centre = rims[row], (v[row] for v in headings), circles[circle]

    def towards(rows: Ints, heading: Floats) -> tuple[Floats, Floats]:
        """How fast a curve goes away from a centre as it is walked, and how fast that changes."""
        away = points_of(rims[rows], heading) - centre[rows, :2]
        across = np.sum(away * normals(heading), axis=1)
        return np.sum(away * tangents(heading), axis=1), curvature_radius(rims[rows], heading) - across

    def beyond(rows: Ints, heading: Floats) -> tuple[Floats, Floats]:
        """How far a curve lies outside a circle, and how fast that changes."""
        away = points_of(rims[rows], heading) - centre[rows, :2]
        far = np.hypot(away[:, 0], away[:, 1])
        speed = np.sum(away * tangents(heading), axis=1) * curvature_radius(rims[rows], heading)
        return far - centre[rows, 2], speed / np.where(far > 0, far, 1.0)

    turn = np.full(len(row), np.nan)
    turning, found = roots(towards, low, high)
    turn[turning] = found
    rows, found = _roots_on_both_sides(beyond, low, turn, high)
    return np.asarray(row[rows]), np.asarray(circle[rows]), found


def _lines_meet(rims: Floats, headings: Ends, ends: Ends, bulge: Floats, segments: Floats) -> tuple[Ints, Ints, Floats]:
    """Where chords' curves cross the lines through straight pieces: of which chord, which piece, and the heading."""
    lines, straight = shapely.linestrings(np.stack(ends, axis=1)), shapely.linestrings(segments.reshape(-1, 2, 2))
    if not len(lines) or not len(straight):
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0)
    row, piece = shapely.STRtree(straight).query(lines, predicate="dwithin", distance=bulge)
    step = segments[piece, 2:] - segments[piece, :2]
    length = np.hypot(step[:, 0], step[:, 1])
    some = length > 0
    row, piece, step, length = row[some], piece[some], step[some], length[some]
    rims, (low, high), start = rims[row], (v[row] for v in headings), segments[piece, :2]
    normal = np.column_stack((-step[:, 1], step[:, 0])) / length[:, None]

    def beyond(rows: Ints, heading: Floats) -> tuple[Floats, Floats]:
        """How far a curve lies to the left of a line, and how fast that changes."""
        away = np.sum((points_of(rims[rows], heading) - start[rows]) * normal[rows], axis=1)
        return away, curvature_radius(rims[rows], heading) * np.sum(tangents(heading) * normal[rows], axis=1)

    across = np.arctan2(normal[:, 1], normal[:, 0])
    turn = low + (across - low + MET) % math.pi - MET
    turn[turn > high + MET] = np.nan
    rows, found = _roots_on_both_sides(beyond, low, turn, high)
    return row[rows], piece[rows], found


def _roots_on_both_sides(value: Curve, low: Floats, turn: Floats, high: Floats) -> tuple[Ints, Floats]:
    """Rows and headings at which a value is nothing that turns once on its way, or never; not where it only touches.

    A value that turns no farther than rounding from nothing touches there.
    """
    every = np.arange(len(low))
    middle = np.clip(np.where(np.isnan(turn), high, turn), low, high)
    crossing = every[np.isnan(turn) | (np.abs(value(every, middle)[0]) >= MET)]

    def there(rows: Ints, heading: Floats) -> tuple[Floats, Floats]:
        return value(crossing[rows], heading)

    before = roots(there, low[crossing], middle[crossing])
    after = roots(there, middle[crossing], high[crossing])
    return crossing[np.concatenate((before[0], after[0]))], np.concatenate((before[1], after[1]))


def roots(value: Curve, low: Floats, high: Floats) -> tuple[Ints, Floats]:
    """Which rows have a change of sign between two headings, and where: Newton, kept between the two."""
    every = np.arange(len(low))
    first, last = value(every, low)[0], value(every, high)[0]
    rows = every[(first * last < 0) & (low < high)]
    left, right, rising = low[rows], high[rows], last[rows] > 0
    heading = (left + right) / 2
    for _ in range(HALVINGS):
        here, slope = value(rows, heading)
        before = (here > 0) != rising
        left, right = np.where(before, heading, left), np.where(before, right, heading)
        newton = heading - here / _safe(slope)
        following = np.where((newton >= left) & (newton <= right), newton, (left + right) / 2)
        moved = np.abs(following - heading)
        heading = following
        if not np.any(moved > CLOSE):
            break
    return rows, heading


def _long(ends: Ends, bulge: Floats) -> Floats:
    """How near both ends of a chord must lie to a circle that its curve meets, when both lie on one side: (n, 1)."""
    step = ends[1] - ends[0]
    return (bulge + np.hypot(step[:, 0], step[:, 1]))[:, None]


def _share_near(points: Floats, start: Floats, step: Floats) -> Floats:
    """Which share of a straight step lies nearest to a point."""
    square = np.maximum(np.sum(step * step, axis=1), 1e-300)
    return np.asarray(np.clip(np.sum((points - start) * step, axis=1) / square, 0.0, 1.0))


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _safe(value: Floats) -> Floats:
    return np.where(np.abs(value) > 1e-12, value, np.where(value < 0, -1e-12, 1e-12))
