"""Where does a base touch another that it is held close to? Exact contact, for a hand that cannot be exact."""

from __future__ import annotations

import math

from sim.geometry.contact import first_within
from sim.geometry.distance import separations
from sim.geometry.sets import PlacedSet
from sim.geometry.shapes import Placed, Point, Pose


def contact_near(base: Placed, others: PlacedSet, reach: float) -> Point | None:
    """The shift that brings a base into contact with the nearest of others within ``reach`` inches, gap or overlap.

    It comes to lie on the line from the other's position to its own, so that a base that is led along another slides
    round it. None where no other is that near, or where the two positions are the same.
    """
    if not len(others):
        return None
    apart = separations(PlacedSet((base,)), others)[0]
    nearest = int(abs(apart).argmin())
    if abs(float(apart[nearest])) > reach:
        return None
    return _onto(base, others[nearest])


def _onto(base: Placed, other: Placed) -> Point | None:
    """The shift of a base along the line through the other's position to where the two first touch from outside."""
    dx, dy = base.pose.x - other.pose.x, base.pose.y - other.pose.y
    length = math.hypot(dx, dy)
    if length == 0.0:
        return None
    ux, uy = dx / length, dy / length
    away = base.radius + other.radius + 1.0
    start = Pose(other.pose.x + away * ux, other.pose.y + away * uy, base.pose.facing, base.pose.z)
    met = first_within(Placed(base.base, start), math.degrees(math.atan2(-uy, -ux)), other)
    if met is None:
        return None
    back = away - met.distance - length
    return back * ux, back * uy
