"""What does sight not pass? Outlines of terrain as columns, against which many lines are held at once.

Outlines are shrunk by ``EPS``, so that a line that only touches one passes. Outlines that share a border leave no gap
between them, unless one of them is ignored. Before lines are laid, walls that lie nowhere near are left away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely import Polygon

from sim.geometry.distance import is_convex
from sim.geometry.tolerance import EPS, Bools, Floats, Ints

NEAR = 1e-3  # inches; an outline that lies farther off holds no line, and nor does a border that it shares
SEAM = 1e-8  # square inches; two blockers whose union gains less by closing share no border
ROWS = 1024  # lines that are held against all outlines at a time, so that their numbers stay in the cache


@dataclass(frozen=True)
class Walls:
    """Blockers as columns: K shrunk outlines first, then one piece for each two that share a border.

    ``owners`` (P, 2) says whose a piece is. ``ring`` (V, 2) strings all shrunk rings together, each closed;
    ``edge_piece`` (V - 1,) is the piece of the edge from one of its points to the next, -1 from ring to ring.
    ``corners`` (C, 2) are the corners of the outlines as given that stick out, ``edges`` (E, 4) their edges,
    outline by outline. ``plates`` (T, M, 2) are convex parts of the shrunk pieces, filled up with their last corner.
    """

    outlines: tuple[Polygon, ...]
    owners: Ints
    ring: Floats
    edge_piece: Ints
    corners: Floats
    corner_owner: Ints
    edges: Floats
    edge_owner: Ints
    plates: Floats
    plate_piece: Ints

    @classmethod
    def of(cls, outlines: Sequence[Polygon]) -> Walls:
        """The columns of simple polygons."""
        pieces = [shapely.buffer(p, -EPS, join_style="mitre") for p in outlines]
        owners = [(k, k) for k in range(len(pieces))]
        for k, other, seam in _seams(outlines, pieces):
            pieces.append(seam)
            owners.append((k, other))
        rings = [(k, shapely.get_coordinates(r)) for k, piece in enumerate(pieces) for r in _rings(piece)]
        corners = [_outer_corners(p) for p in outlines]
        shells = [shapely.get_coordinates(p.exterior) for p in outlines]
        plates = [(k, shapely.get_coordinates(part)[:-1]) for k, p in enumerate(pieces) for part in convex_parts(p)]
        edge_piece = [np.append(np.full(len(ring) - 1, k), -1) for k, ring in rings]
        return cls(
            outlines=tuple(outlines),
            owners=np.array(owners, dtype=np.intp).reshape(-1, 2),
            ring=np.vstack([np.empty((0, 2)), *(ring for _, ring in rings)]),
            edge_piece=np.concatenate([np.empty(0, dtype=np.intp), *edge_piece])[:-1].astype(np.intp),
            corners=np.vstack([np.empty((0, 2)), *corners]),
            corner_owner=np.repeat(np.arange(len(outlines)), [len(c) for c in corners]).astype(np.intp),
            edges=np.vstack([np.empty((0, 4)), *(np.hstack((s[:-1], s[1:])) for s in shells)]),
            edge_owner=np.repeat(np.arange(len(outlines)), [len(s) - 1 for s in shells]).astype(np.intp),
            plates=padded([part for _, part in plates]),
            plate_piece=np.array([k for k, _ in plates], dtype=np.intp),
        )

    def __len__(self) -> int:
        return len(self.outlines)

    def spread(self, ignoring: Bools) -> Bools:
        """Rows over blockers as rows over pieces: a shared border hinders only while both its owners do."""
        return np.asarray(ignoring[:, self.owners[:, 0]] | ignoring[:, self.owners[:, 1]])

    def reaching(self, normals: Floats, offsets: Floats) -> Bools:
        """Which outlines may reach into a convex region, (K,); those that lie beyond one of its half planes do not.

        The region is given by ``normals`` (h, 2) and ``offsets`` (h,).
        """
        if not len(self.outlines):
            return np.zeros(0, dtype=np.bool_)
        least = np.minimum.reduceat(self.edges[:, :2] @ normals.T, self._firsts, axis=0)
        return np.asarray(np.all(least <= offsets + NEAR, axis=1))

    def only(self, kept: Bools) -> Walls:
        """The same without the outlines that are not kept (K,), nor the borders that they share."""
        if kept.all():
            return self
        pieces: Bools = np.asarray(kept[self.owners[:, 0]] & kept[self.owners[:, 1]])
        outline, piece = np.cumsum(kept) - 1, np.append(np.cumsum(pieces) - 1, -1)
        points, corners = pieces[self._ring_piece], kept[self.corner_owner]
        edges, plates = kept[self.edge_owner], pieces[self.plate_piece]
        return Walls(
            outlines=tuple(shape for shape, keep in zip(self.outlines, kept.tolist(), strict=True) if keep),
            owners=outline[self.owners[pieces]],
            ring=self.ring[points],
            edge_piece=piece[self._begun[points]][:-1],
            corners=self.corners[corners],
            corner_owner=outline[self.corner_owner[corners]],
            edges=self.edges[edges],
            edge_owner=outline[self.edge_owner[edges]],
            plates=self.plates[plates],
            plate_piece=piece[self.plate_piece[plates]],
        )

    def hits(self, lines: Floats) -> Bools:
        """Which lines (n, 4) meet which pieces, an array (n, P)."""
        out = np.zeros((len(lines), len(self.owners)), dtype=np.bool_)
        if out.size and len(self.ring):
            for start in range(0, len(lines), ROWS):
                self._hit(lines[start : start + ROWS], out[start : start + ROWS])
        return out

    def clear(self, lines: Floats, ignored: Bools | None) -> Bools:
        """Which lines meet no piece that is not ignored; ``ignored`` has a row for each line, or one for all."""
        hit = self.hits(lines)
        return np.asarray(~np.any(hit if ignored is None else hit & ~ignored, axis=1))

    @cached_property
    def _begun(self) -> Ints:
        """The piece of the edge that begins at each point of ``ring``, -1 at the last of each ring."""
        return np.append(self.edge_piece, -1)[: len(self.ring)]

    @cached_property
    def _ring_piece(self) -> Ints:
        """The piece of each point of ``ring``."""
        return np.where(self._begun >= 0, self._begun, np.roll(self._begun, 1))

    @cached_property
    def _middle(self) -> Floats:
        """The middle of all points of ``ring``; seen from here, products of coordinates stay small and exact."""
        return np.asarray(np.mean(self.ring, axis=0))

    @cached_property
    def _points(self) -> Floats:
        """The points of ``ring`` from its middle, and ones, (3, V): a line times this says on which side each lies."""
        return np.vstack(((self.ring - self._middle).T, np.ones(len(self.ring))))

    @cached_property
    def _firsts(self) -> Ints:
        """Where the edges of each outline begin."""
        return np.searchsorted(self.edge_owner, np.arange(len(self.outlines)))

    def _hit(self, lines: Floats, out: Bools) -> None:
        """A piece is met when one of its edges is crossed on the way, or an odd number of them before the start."""
        x, y = (lines[:, :2] - self._middle).T
        dx, dy = (lines[:, 2:] - lines[:, :2]).T
        side = np.column_stack((-dy, dx, dy * x - dx * y)) @ self._points
        left = side > 0
        crossed = np.flatnonzero((left[:, 1:] != left[:, :-1]) & (self.edge_piece >= 0))
        row, edge = np.divmod(crossed, len(self.edge_piece))
        here, there = (np.take(side, crossed + row + k) for k in (0, 1))  # a row has one side more than it has edges
        share, (px, py, _), (sx, sy, _) = here / (here - there), self._points, np.diff(self._points)
        square = dx * dx + dy * dy
        ux, uy = (d / np.where(square > 0, square, 1.0) for d in (dx, dy))
        t = (px[edge] + share * sx[edge]) * ux[row] + (py[edge] + share * sy[edge]) * uy[row] - (x * ux + y * uy)[row]
        slots = row * out.shape[1] + self.edge_piece[edge]
        met = np.bincount(slots[t < 0], minlength=out.size) % 2 == 1
        met[slots[(t >= 0) & (t <= 1)]] = True
        out |= np.reshape(met, out.shape)


def convex_parts(shape: Polygon) -> list[Polygon]:
    """A piece as convex parts."""
    parts = [part for part in shapely.get_parts(shape) if not part.is_empty]
    return [
        convex
        for part in parts
        for convex in ([part] if is_convex(part) else shapely.get_parts(shapely.constrained_delaunay_triangles(part)))
    ]


def padded(rings: Sequence[Floats]) -> Floats:
    """Rings of corners as one array (n, most corners, 2), each filled up with its last."""
    most = max((len(ring) for ring in rings), default=0)
    full = [np.vstack((ring, np.repeat(ring[-1:], most - len(ring), axis=0))) for ring in rings]
    return np.array(full, dtype=np.float64).reshape(len(rings), most, 2)


def _seams(outlines: Sequence[Polygon], shrunk: Sequence[Polygon]) -> Iterator[tuple[int, int, Polygon]]:
    """The shrunk union of each two outlines that share a border, which has no gap where they meet."""
    if len(outlines) < 2:
        return
    tree = shapely.STRtree(outlines)
    for k, other in sorted(tree.query(outlines, predicate="dwithin", distance=EPS).T.tolist()):
        if k < other:
            grown = shapely.buffer([outlines[k], outlines[other]], EPS, join_style="mitre")
            seam = shapely.buffer(shapely.union_all(grown), -2 * EPS, join_style="mitre")
            if seam.area - shapely.union(shrunk[k], shrunk[other]).area > SEAM:
                yield k, other, seam


def _rings(shape: Polygon) -> list[shapely.LinearRing]:
    return [ring for part in shapely.get_parts(shape) if not part.is_empty for ring in shapely.get_rings(part)]


def _outer_corners(polygon: Polygon) -> Floats:
    """The corners of an outline that stick out; a line can be held by no other."""
    ring = shapely.get_coordinates(polygon.exterior)[:-1]
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return np.asarray(ring[turn > 0] if polygon.exterior.is_ccw else ring[turn < 0])
