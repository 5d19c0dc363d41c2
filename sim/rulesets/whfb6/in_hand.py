"""A team in hand: how its models stand when it is taken up, and where the first one is drawn when it is held near.

A hand does not hit a marker to a thousandth of an inch: held near where it belongs the team lies exactly there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from sim.battle import Battle, Unit
from sim.geometry import Point, Pose
from sim.rules import blocks
from sim.rulesets.whfb6 import setting_up, tunnelling
from sim.rulesets.whfb6.commands import Emerge, Misplace, Move
from sim.rulesets.whfb6.markers import Spot, spot_at

NEAR = 1.5  # inches from where the first model belongs; within them it is drawn there


def block(battle: Battle, unit: Unit, at: Point) -> tuple[Pose, ...]:
    """The models round the first, who stands at the point; by its marker where the team has broken through."""
    spot = tunnelling.spot_of(battle, unit)
    found = () if spot is None else setting_up.proposed(battle, unit, spot)
    if len(found) < len(unit.models):
        found = setting_up.cluster(unit)
    dx, dy = at[0] - found[0].x, at[1] - found[0].y
    return _shifted(found, dx, dy)


def settle_move(battle: Battle, command: Move) -> Move:
    """Ranks led straight to their front."""
    if not blocks.in_block(battle.unit(command.unit)):
        return command
    return replace(command, paths=blocks.led_straight(command.paths, blocks.AHEAD))


def settle_emerging(battle: Battle, command: Emerge) -> Emerge:
    """The first model on its marker, or against the side by it, where it is held near."""
    unit = battle.unit(command.unit)
    spot = tunnelling.spot_of(battle, unit)
    if spot is None or not command.models:
        return command
    return replace(command, models=_settled(battle, unit, spot, command.models))


def settle_misplaced(battle: Battle, command: Misplace) -> Misplace:
    """The marker under the first model; under something else the marker alone, by which the team then comes up."""
    if not command.models:
        return command
    at = command.models[0].at
    spot = spot_at(battle, battle.unit(command.unit), at)
    if spot.kind == "open":
        return replace(command, at=None)
    return Misplace(command.unit, (), at)


def _settled(battle: Battle, unit: Unit, spot: Spot, poses: Sequence[Pose]) -> tuple[Pose, ...]:
    first = poses[0]
    home = setting_up.home_of(battle, unit, spot, first)
    if home is None or math.dist(home, first.at) > NEAR:
        return tuple(poses)
    return _shifted(poses, home[0] - first.x, home[1] - first.y)


def _shifted(poses: Sequence[Pose], dx: float, dy: float) -> tuple[Pose, ...]:
    return tuple(Pose(pose.x + dx, pose.y + dy, pose.facing, pose.z) for pose in poses)
