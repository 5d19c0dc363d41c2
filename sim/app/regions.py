"""Everywhere that one base may stand under the rules of a command: the region, its numbers and its picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import shapely
from msgspec import structs

from sim.analysis import Closing, Pocket, closings
from sim.analysis.pockets import SPACING, laid_out, split
from sim.app.common import InputError
from sim.battle import Unit
from sim.engine import judge
from sim.geometry import Base, Constraint, KeepClear, Oval, Placed, Pose, Rect, Round, Rules, asked_of_one, legal_region
from sim.geometry.arcs import CHORD_ERROR, exact_region
from sim.geometry.distance import is_convex
from sim.motion import pack, ranks

if TYPE_CHECKING:
    from sim.scenario import Case
    from sim.view import Scene

OUTLINE_ERROR = 0.005  # inches at 12; outlines of other bases have a corner every two degrees
MOST_POCKETS = 6  # told in a picture
FACING_STEP = 5.0  # degrees between the facings of a base that may turn freely


@dataclass(frozen=True)
class Region:
    """Where the centre of a base may be: its area, its polygons with their holes, and its pockets.

    ``exact`` says that the area is that of its true border, and ``error`` by how many inches at most a drawn
    polygon differs from the true border.
    """

    area: float
    exact: bool
    error: float
    table_area: float
    pockets: tuple[Pocket, ...]
    base: Base
    facing: float
    rule: str
    rules: Rules
    z: float = 0.0  # the height of the base

    @property
    def pieces(self) -> tuple[Any, ...]:
        """Every piece as its outline followed by its holes."""
        from sim.view.compose import pieces

        return tuple(piece for pocket in self.pockets for piece in pieces(pocket.shape))


def region_of(case: Case, height: float | None = None) -> Region:
    """The region of a case's command for the first model of its unit; raises ``InputError`` without such a command.

    At the height that the command gives, or at another.
    """
    if case.command is None:
        raise InputError(f"{case.file}: command: the file has no [command] to look at")
    play = case.ruleset.play(case.command)
    poses = getattr(case.command, "models", ())
    if play.rules is None or (not poses and play.figure is None):
        raise InputError(f"{case.file}: command: {play.name} places no models; there is no region to show")
    unit = case.battle.unit(case.command.unit)  # type: ignore[attr-defined]
    command: Any = case.command
    if height is not None and poses:
        poses = tuple(Pose(pose.x, pose.y, pose.facing, height) for pose in poses)
        command = structs.replace(command, models=poses)
    rules = play.rules(case.battle, command)
    base, facing, z = unit.models[0].base, poses[0].facing if poses else 0.0, poses[0].z if poses else 0.0
    if play.figure is not None:
        base, facing = play.figure(case.battle, command)
    field = case.battle.battlefield
    table = shapely.box(0, 0, field.width, field.depth)
    exact = exact_region(rules.standing, base, facing, table, z, 0)
    found = split(exact.polygons, base)
    error = CHORD_ERROR if exact.exact else OUTLINE_ERROR
    return Region(exact.area, exact.exact, error, float(table.area), found, base, facing, play.title, rules, z)


def holding(case: Case, region: Region) -> frozenset[int]:
    """The numbers of the pockets in which the whole unit of the command stands legally somewhere, coherent and all.

    Physics and honeycombs propose where the models could stand about the widest place of a pocket; only what the judge
    calls legal counts, so that a pocket may hold a unit and not be named, but never the other way round.
    """
    command = case.command
    if command is None or "models" not in command.__struct_fields__:
        return frozenset()
    unit = case.battle.unit(command.unit)  # type: ignore[attr-defined]
    found = set()
    for pocket in region.pockets:
        for poses in _proposals(unit, region, pocket):
            if judge(case.ruleset, case.battle, structs.replace(command, models=poses)).legal:
                found.add(pocket.number)
                break
    return frozenset(found)


def _proposals(unit: Unit, region: Region, pocket: Pocket) -> Iterator[tuple[Pose, ...]]:
    """Places for a whole unit in a pocket: about its widest place, packed by physics, in ranks and in a honeycomb."""
    centre, _ = shapely.get_coordinates(shapely.maximum_inscribed_circle(pocket.shape))
    x, y = float(centre[0]), float(centre[1])
    bases = [model.base for model in unit.models]
    near = shapely.Point(x, y)
    walls = [
        placed
        for wall in asked_of_one(region.rules.standing, region.z, 0)
        for placed in _kept_off(wall)
        if near.distance(placed.polygon) < 12
    ]
    yield tuple(Pose(p.x, p.y, region.facing, region.z) for p in pack(bases, (x, y), walls))
    for facing in (region.facing, region.facing + 90):
        yield tuple(Pose(p.x + x, p.y + y, p.facing, region.z) for p in ranks(bases, facing, SPACING))
    spots = sorted(laid_out(pocket.shape, region.base), key=lambda spot: math.dist(spot, (x, y)))
    if len(spots) >= len(bases):
        yield tuple(Pose(*spot, region.facing, region.z) for spot in spots[: len(bases)])


def _kept_off(constraint: Constraint) -> Iterator[Placed]:
    """The obstacles of a clearance as bases that are grown by it, where that is a base; walls as they are."""
    if not isinstance(constraint, KeepClear):
        return
    for placed in constraint.obstacles.bases:
        if placed.kind == "ellipse":
            yield Placed(Round(2 * (placed.radius + constraint.distance)), placed.pose)
        elif is_convex(placed.polygon):
            yield placed


def any_facing(case: Case, region: Region, step: float = FACING_STEP) -> Region:
    """The region of a base that may turn freely: the union over facings a few degrees apart.

    It is never too large; between two facings that were looked at a sliver may be missing.
    """
    field = case.battle.battlefield
    table = shapely.box(0, 0, field.width, field.depth)
    if isinstance(region.base, Round):
        return region
    turn = 180.0 if isinstance(region.base, (Oval, Rect)) else 360.0
    facings = [region.facing + step * k for k in range(int(turn / step))]
    shapes = [legal_region(region.rules.standing, region.base, facing, table, region.z, 0) for facing in facings]
    found = split(shapely.union_all(shapes), region.base)
    return replace(region, area=math.fsum(pocket.area for pocket in found), exact=False, pockets=found)


def closings_of(case: Case, region: Region) -> tuple[Closing, ...]:
    """For each pocket the models that close it alone, by the least moves."""
    field = case.battle.battlefield
    table = shapely.box(0, 0, field.width, field.depth)
    standing = tuple(asked_of_one(region.rules.standing, region.z, 0))
    found: list[Closing] = []
    for pocket in region.pockets:
        found.extend(closings(standing, region.base, region.facing, table, pocket))
    return tuple(found)


def pieces_in_words(region: Region) -> str:
    """How many separate pieces of ground the region has."""
    count = len(region.pockets)
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


def region_json(region: Region, closing: Sequence[Closing] = (), holds: frozenset[int] = frozenset()) -> dict[str, Any]:
    """The region as ``--json`` prints it: area, base, pockets, and polygons, each its outline followed by its holes."""
    return {
        "rule": region.rule,
        "base": base_name(region.base),
        "facing": region.facing,
        "area": region.area,
        "exact": region.exact,
        "polygon_error": region.error,
        "table_area": region.table_area,
        "polygons": [[[list(p) for p in ring] for ring in piece] for piece in region.pieces],
        "pockets": [
            {"number": p.number, "area": p.area, "fits": p.fits, "holds_unit": p.number in holds}
            for p in region.pockets
        ],
        "closings": [{"pocket": c.pocket, "model": c.model, "to": list(c.to), "distance": c.distance} for c in closing],
    }


def region_scene(
    case: Case, region: Region, closing: Sequence[Closing] = (), holds: frozenset[int] = frozenset()
) -> Scene:
    """The table with the region on it, its pockets numbered."""
    from sim.view import Caption, Label, Line, compose
    from sim.view.overlay import of_rules
    from sim.view.scene import Tone

    ground = of_rules(case.battle, region.rules, region.base, region.facing, region.z)
    share = 100 * region.area / region.table_area
    lines: list[tuple[str, Tone]] = [
        (region.rule, "note"),
        (f"{share:.1f} % of the table, in {pieces_in_words(region)}", "plain"),
        (f"for the centre of a {base_name(region.base)} base", "plain"),
    ]
    lines += [(pocket_in_words(pocket, pocket.number in holds), "good") for pocket in region.pockets[:MOST_POCKETS]]
    best = {c.pocket: c for c in reversed(closing)}
    lines += [(closing_in_words(case, c), "note") for _, c in sorted(best.items())][:MOST_POCKETS]
    caption = Caption(f"{region.area:.1f} square inches", "good" if region.area > 0 else "bad", tuple(lines))
    spots = [pocket.shape.representative_point() for pocket in region.pockets]
    labels = [Label((spot.x, spot.y), str(k), size=22) for k, spot in enumerate(spots, 1)]
    moves = [Line((_stands(case, c.model), c.to), "line.path") for _, c in sorted(best.items())]
    return compose.table_scene(
        case.battle, case.ruleset, [*ground.items, *moves, *labels], caption, assumed=case.assumed
    )


def _stands(case: Case, model: str) -> tuple[float, float]:
    pose = case.battle.model(model).pose
    assert pose is not None
    return pose.at


def pocket_in_words(pocket: Pocket, whole: bool = False) -> str:
    """A pocket's size, how many bases it holds, and whether the whole unit was found to stand there."""
    most = "100 or more" if pocket.fits >= 100 else f"at least {pocket.fits}"
    unit = "; the whole unit stands here" if whole else ""
    return f"pocket {pocket.number}: {pocket.area:.1f} square inches, {most} fit{unit}"


def closing_in_words(case: Case, closing: Closing) -> str:
    """Which model closes a pocket, and how far it must go."""
    from sim.view.compose import name_of

    name, (x, y) = name_of(case.battle, closing.model), closing.to
    return f'pocket {closing.pocket} is closed by {name} moving {closing.distance:.2f}" to {x:.2f}, {y:.2f}'
