"""The ground under what is held over the table: where it may be set down, how far it may get, what is too near.

Ground on which something may be set is the region of the command's own constraints, the same that the judge asks. Of a
move no such ground is shown, since what lies in its way counts as well: only how far it gets at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from sim.analysis.pockets import region_of
from sim.battle import Battle, Unit
from sim.geometry import Base, Constraint, Pose, Rules, asked_of_one
from sim.geometry.lengths import plain
from sim.rules import Command, Play
from sim.view.compose import pieces
from sim.view.scene import Item, Ruler, Zone

LABELLED = 60.0  # square inches from which on a zone bears its rule's name


@dataclass(frozen=True)
class Overlay:
    """The ground that matters while something is held over the table: worked out once, at the start of a drag."""

    items: tuple[Item, ...] = ()
    region: BaseGeometry | None = None  # where the centre of what is held may be; None where no such ground is shown


def of_command(
    battle: Battle, play: Play, command: Command, unit: Unit, poses: Sequence[Pose], member: int | None = None
) -> Overlay:
    """The ground for one model of a command, or for whatever its region is about: its first model, or its figure."""
    if play.rules is None:
        return Overlay()
    k = member or 0
    rules, z = play.rules(battle, command), poses[k].z
    if "paths" in command.__struct_fields__ or play.on_the_spot:
        return Overlay((*_within_reach(battle, play, command, unit, k), *_zones(battle, rules, z, k)))
    if play.figure is None or (member and play.figure_is == "further model"):
        return of_rules(battle, rules, unit.models[k].base, poses[k].facing, z, k)
    if member is None:
        return of_rules(battle, rules, *play.figure(battle, command), z)
    return Overlay(tuple(_zones(battle, rules, z, k)))


def of_rules(battle: Battle, rules: Rules, base: Base, facing: float, z: float = 0.0, member: int = 0) -> Overlay:
    """The zones of the rules for a base of a unit at a height: what is too near, where its centre may be.

    Constraints of distance are drawn as one merged zone; a region to stay in by its border.
    """
    standing = tuple(asked_of_one(rules.standing, z, member))
    region = region_of(standing, base, facing, _table(battle), z, member)
    centre = () if region.is_empty else (Zone(pieces(region), "zone.centre"),)
    return Overlay((*centre, *_zones(battle, rules, z, member)), region)


def _table(battle: Battle) -> BaseGeometry:
    return shapely.box(0, 0, battle.battlefield.width, battle.battlefield.depth)


def _zones(battle: Battle, rules: Rules, z: float, member: int) -> Iterator[Item]:
    """What the rules speak of: what is too near to something, and what to be near to."""
    table = _table(battle)
    standing: tuple[Constraint, ...] = tuple(asked_of_one(rules.standing, z, member))
    for constraint in standing:
        for area in constraint.ground():
            label = area.label if area.kind == "exclusion" and area.area.area > LABELLED else ""
            yield Zone(pieces(area.area.intersection(table)), f"zone.{area.kind}", label)
            yield from (Ruler(start, end, text, "plain") for (start, end), text in area.rulers)


def _within_reach(battle: Battle, play: Play, command: Command, unit: Unit, member: int) -> Iterator[Item]:
    """A circle about where a model stands: it gets no farther by the command."""
    model = unit.models[member]
    if play.goes is None or model.pose is None or play.on_the_spot:
        return
    for going in play.goes(battle, command):
        if going.model == model.id and going.most > 0:
            disc = shapely.Point(model.pose.at).buffer(going.most, quad_segs=64)
            whose = f" for model {member + 1}" if len(unit.models) > 1 else ""
            label = f'at most {plain(going.most)}"{whose}'
            yield Zone(pieces(disc.intersection(_table(battle))), "zone.reach", label)
