"""A unit in hand: how its models stand when it is taken up, and the point about which it turns as one."""

from __future__ import annotations

import shapely
from msgspec.structs import replace

from sim.battle import Battle, Unit
from sim.geometry import Placed, Point, Pose
from sim.geometry.blocks import boundary, wheel_corner
from sim.rules.proposing import facing_the_middle
from sim.rulesets.t9a import formation, moves
from sim.rulesets.t9a.commands import Reform
from sim.rulesets.t9a.proposals import in_ranks


def block(battle: Battle, unit: Unit, at: Point) -> tuple[Pose, ...]:
    """The unit in its ranks about a point, looking towards the middle of the table from its own zone."""
    zones = [zone for zone in battle.battlefield.zones if zone.player == unit.player]
    middle = at if not zones else tuple(shapely.Polygon(zones[0].outline).centroid.coords[0])
    return in_ranks(unit, at, facing_the_middle(battle, (float(middle[0]), float(middle[1]))))


def wheels_about(battle: Battle, unit: Unit, poses: tuple[Pose, ...], degrees: float) -> Point | None:
    """The front corner on the side to which a block wheels; a single model turns on the spot."""
    members = _members(battle, unit, poses)
    return wheel_corner(members, degrees) if len(members) > 1 else None


def reforms_about(battle: Battle, unit: Unit, poses: tuple[Pose, ...], degrees: float) -> Point:
    """The centre of the boundary."""
    return boundary(_members(battle, unit, poses)).pose.at


def other_ranks(battle: Battle, unit: Unit, poses: tuple[Pose, ...], more: int) -> tuple[Pose, ...]:
    """The unit in so many more files, or fewer, about the centre and at the facing that it has."""
    files = max(1, min(len(poses), moves.beside_first(poses) + more))
    gap = formation.gap_between_models(unit)
    centre = reforms_about(battle, unit, poses, 0.0)
    return formation.ranks([model.base for model in unit.models], files, gap, centre, poses[0].facing)


def settle_reform(battle: Battle, command: Reform) -> Reform:
    """The new ranks about the centre that the unit has now, wherever they are held."""
    unit = battle.unit(command.unit)
    standing = tuple(model.pose for model in unit.models if model.pose is not None)
    if len(standing) != len(command.models) or not standing:
        return command
    home, held = (reforms_about(battle, unit, poses, 0.0) for poses in (standing, command.models))
    dx, dy = home[0] - held[0], home[1] - held[1]
    return replace(command, models=tuple(Pose(p.x + dx, p.y + dy, p.facing, p.z) for p in command.models))


def _members(battle: Battle, unit: Unit, poses: tuple[Pose, ...]) -> tuple[Placed, ...]:
    """The unit at some poses, with those that joined it in their places among its ranks."""
    own = tuple(Placed(model.base, pose) for model, pose in zip(unit.models, poses, strict=True))
    start = unit.models[0].pose
    joined = [m for m in formation.crew(battle, unit) if m.unit != unit.id and m.pose is not None]
    if start is None or not joined:
        return own
    places = formation.moved((start, *(m.placed.pose for m in joined)), poses[0])[1:]
    return own + tuple(Placed(m.base, place) for m, place in zip(joined, places, strict=True))
