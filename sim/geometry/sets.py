"""Many placed bases as columns, so that one set is measured against another in a handful of array operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from sim.geometry.shapes import Base, Placed, Pose
from sim.geometry.tolerance import Bools, Floats

Objects = NDArray[np.object_]


@dataclass(frozen=True)
class PlacedSet:
    """A fixed sequence of placed bases with their numbers as arrays of length n (inches, radians)."""

    members: tuple[Placed, ...]

    @classmethod
    def of(cls, members: Iterable[Placed]) -> PlacedSet:
        """The set of the given bases, in their order."""
        return cls(tuple(members))

    @classmethod
    def turned(cls, base: Base, at: Pose, facings: Floats) -> PlacedSet:
        """One base at one spot at many facings in degrees."""
        found = cls(tuple([Placed(base, Pose(at.x, at.y, float(f), at.z)) for f in facings]))
        outline = base.local_outline
        if outline:
            (u, v), angles = np.array(outline).T, np.radians(facings)[:, None]
            cos, sin = np.cos(angles), np.sin(angles)
            corners = np.stack((at.x + cos * u - sin * v, at.y + sin * u + cos * v), axis=-1)
            polygons: Objects = np.asarray(shapely.polygons(corners), dtype=object)
            shapely.prepare(polygons)
            found.__dict__["polygons"] = polygons
            found.__dict__["bounds"] = np.hstack((corners.min(axis=1), corners.max(axis=1)))
        return found

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[Placed]:
        return iter(self.members)

    def __getitem__(self, at: int) -> Placed:
        return self.members[at]

    @cached_property
    def _columns(self) -> tuple[Floats, ...]:
        rows = [(p.pose.x, p.pose.y, p.pose.z, p.pose.facing, *p.semi_axes) for p in self.members]
        table: Floats = np.array(rows, dtype=np.float64).reshape(-1, 6)
        return tuple(np.ascontiguousarray(column) for column in table.T)

    @property
    def x(self) -> Floats:
        """Centres along x."""
        return self._columns[0]

    @property
    def y(self) -> Floats:
        """Centres along y."""
        return self._columns[1]

    @property
    def z(self) -> Floats:
        """Heights of the surfaces stood on."""
        return self._columns[2]

    @cached_property
    def facing(self) -> Floats:
        """Facings in radians."""
        return np.asarray(np.radians(self._columns[3]))

    @property
    def a(self) -> Floats:
        """Half lengths along the facing; 0 for bases with corners."""
        return self._columns[4]

    @property
    def b(self) -> Floats:
        """Half widths across the facing; 0 for bases with corners."""
        return self._columns[5]

    @cached_property
    def is_round(self) -> Bools:
        """Which members are round."""
        return np.asarray((self.a == self.b) & (self.a > 0))

    @cached_property
    def is_polygon(self) -> Bools:
        """Which members have corners."""
        return np.asarray(self.a == 0)

    @cached_property
    def polygons(self) -> Objects:
        """The exact footprint of each member with corners, None for the others; prepared for repeated questions."""
        out: Objects = np.empty(len(self.members), dtype=object)
        for i, member in enumerate(self.members):
            out[i] = member.polygon if member.kind == "polygon" else None
        shapely.prepare(out)
        return out

    @cached_property
    def bounds(self) -> Floats:
        """The exact boxes, an array (n, 4): least x, least y, greatest x, greatest y."""
        return np.array([p.bounds for p in self.members], dtype=np.float64).reshape(-1, 4)

    def take(self, where: Bools | NDArray[np.intp]) -> PlacedSet:
        """The members selected by a mask or by positions, with what is already known of them."""
        picks: NDArray[np.intp] = np.flatnonzero(where) if where.dtype == np.bool_ else where.astype(np.intp)
        taken = PlacedSet(tuple([self.members[k] for k in picks.tolist()]))
        known = self.__dict__
        if "_columns" in known:
            taken.__dict__["_columns"] = tuple(column[picks] for column in self._columns)
        for name in ("facing", "is_round", "is_polygon", "polygons", "bounds"):
            if name in known:
                taken.__dict__[name] = known[name][picks]
        return taken
