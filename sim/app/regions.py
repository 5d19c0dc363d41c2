"""Everywhere that one base may stand under the rules of a command: the region, its numbers and its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import shapely
from shapely.geometry.base import BaseGeometry

from sim.app.common import InputError
from sim.geometry import Base, Oval, Rect, Round, legal_region

if TYPE_CHECKING:
    from sim.scenario import Case
    from sim.view import Scene

BORDER_NOTE = (
    "corners lie on the true border; where the border is an arc of radius R, the drawn line is off it by at most "
    "R (1 - cos 0.5°), under 0.001 inches at 12"
)


@dataclass(frozen=True)
class Region:
    """Where the centre of a base may be, in square inches and as polygons with their holes."""

    shape: BaseGeometry
    area: float
    table_area: float
    pieces: tuple[Any, ...]
    base_name: str
    facing: float
    rule: str


def region_of(case: Case) -> Region:
    """The region of a case's command for the first model of its unit; raises ``InputError`` without such a command."""
    from sim.view.compose import pieces

    if case.command is None:
        raise InputError(f"{case.file}: command: the file has no [command] to look at")
    play = case.ruleset.play(case.command)
    poses = getattr(case.command, "models", ())
    if play.rules is None or (not poses and play.figure is None):
        raise InputError(f"{case.file}: command: {play.name} places no models; there is no region to show")
    unit = case.battle.unit(case.command.unit)  # type: ignore[attr-defined]
    rules = play.rules(case.battle, case.command)
    field = case.battle.battlefield
    table = shapely.box(0, 0, field.width, field.depth)
    base, facing = unit.models[0].base, poses[0].facing if poses else 0.0
    if play.figure is not None:
        base, facing = play.figure(case.battle, case.command)
    shape = legal_region(rules.standing, base, facing, table)
    found = pieces(shape)
    return Region(shape, float(shape.area), float(table.area), found, base_name(base), facing, play.title)


def pieces_in_words(region: Region) -> str:
    """How many separate pieces of ground the region has."""
    count = len(region.pieces)
    return "one piece" if count == 1 else f"{count} pieces"


def base_name(base: Base) -> str:
    """A base by its millimetres, as it is named on the box."""
    match base:
        case Round(d):
            return f"{d * 25.4:g} mm round"
        case Oval(length, width):
            return f"{length * 25.4:g}×{width * 25.4:g} mm oval"
        case Rect(width, depth):
            return f"{width * 25.4:g}×{depth * 25.4:g} mm"
        case _:
            return "hull"


def region_json(region: Region) -> dict[str, Any]:
    """The region as ``--json`` prints it: area, base, and polygons, each its outline followed by its holes."""
    return {
        "rule": region.rule,
        "base": region.base_name,
        "facing": region.facing,
        "area": region.area,
        "table_area": region.table_area,
        "polygons": [[[list(p) for p in ring] for ring in piece] for piece in region.pieces],
        "note": BORDER_NOTE,
    }


def region_scene(case: Case, region: Region) -> Scene:
    """The table with the region on it."""
    from sim.view import Caption, compose

    assert case.command is not None
    play = case.ruleset.play(case.command)
    unit = case.battle.unit(case.command.unit)  # type: ignore[attr-defined]
    assert play.rules is not None
    rules = play.rules(case.battle, case.command)
    overlay = compose.overlay(case.battle, rules, unit.models[0].base, region.facing)
    share = 100 * region.area / region.table_area
    caption = Caption(
        f"{region.area:.1f} square inches",
        "good" if region.area > 0 else "bad",
        (
            (region.rule, "note"),
            (f"{share:.1f} % of the table, in {pieces_in_words(region)}", "plain"),
            (f"for the centre of a {region.base_name} base", "plain"),
        ),
    )
    return compose.table_scene(case.battle, case.ruleset, overlay.items, caption, assumed=case.assumed)
