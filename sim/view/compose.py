"""From a battle and a verdict to a picture: what lies on the table, what is held over it, and the reason.

Nothing is decided here: the zones, rulers and ghosts are the constraints and breaches of the judge, drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import shapely
from shapely import Polygon as Area
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Model, Unit
from sim.battle.state import LIES
from sim.geometry import (
    MM_PER_INCH,
    Base,
    Path,
    Placed,
    Point,
    Pose,
    Round,
    Witness,
    gaps,
    witness,
)
from sim.geometry import Oval as OvalBase
from sim.geometry.lengths import compared, plain
from sim.rules import Play, Ruleset, Verdict, Violation
from sim.rules.sequence import OVER
from sim.view.scene import (
    Caption,
    Disc,
    Ghost,
    Item,
    Label,
    Line,
    Mark,
    Oval,
    Polygon,
    Ruler,
    Scene,
    Shape,
    Tone,
    Zone,
)

LABELLED = 60.0  # square inches from which on a zone bears its rule's name
MOST_RULERS = 3  # the worst breaches are drawn; the panel lists them all
SIDES = ("first", "second")
BELOW = 0.55  # inches from an objective marker down to the middle of its levels
LEVELS = "label.level"
ASIDE = (0.0, 0.7, 1.4, 2.1)  # inches farther off that are tried where models stand there
REACH = (1.8, 0.45)  # inches that these words reach from their middle, across and up, on a whole table
LEVEL_SIZE = 13  # points of them
COIN = 12 / MM_PER_INCH  # inches; the radius of a marker that lies on the table
LOOKS = {"forest": "woods"}  # kinds of terrain that look like another kind
AROUND = 4.0  # inches shown around what a close-up is about
NEAREST_VIEW = (20.0, 14.0)  # inches that a close-up shows at least


def side(battle: Battle, player: str) -> str:
    """The look of a player's side: ``first`` or ``second``; a player called blue is always the blue one."""
    players = battle.players
    if player not in players:
        return "neutral"
    at = players.index(player)
    if any(name.lower() == "blue" for name in players[:2]):
        return "second" if player.lower() == "blue" else "first"
    return SIDES[at] if at < len(SIDES) else "neutral"


def ground(battle: Battle) -> tuple[Item, ...]:
    """What lies under the models: terrain with its floors, deployment zones, objective markers."""
    field = battle.battlefield
    items: list[Item] = []
    for piece in sorted(field.terrain, key=lambda t: t.height):
        label = f'{piece.kind.replace("-", " ")} {plain(piece.height)}"' if piece.height else piece.kind
        shown = "" if piece.kind == "ruin-wall" or piece.floors else label
        look = LOOKS.get(piece.kind, piece.kind)
        items.append(Polygon(piece.outline, f"terrain.{look}", piece.height, shown))
        items.extend(Polygon(f.outline, "terrain.floor", f.z, f'{piece.kind} {plain(f.z)}"') for f in piece.floors)
    for zone in field.zones:
        area: BaseGeometry = Area(zone.outline)
        for disc in zone.minus:
            area = area.difference(shapely.Point(disc.at).buffer(disc.radius, quad_segs=32))
        name = f"zone.deployment.{side(battle, zone.player)}"
        items.append(Zone(pieces(area), name, f"{zone.player} deployment"))
    return tuple(items)


def objectives(battle: Battle, ruleset: Ruleset) -> tuple[Item, ...]:
    """Every objective marker in the look of who holds it."""
    held = {h.objective: f"objective.{side(battle, h.owner)}" for h in ruleset.holdings(battle) if h.owner}
    markers = battle.battlefield.objectives
    return tuple(Disc(o.at, o.radius, held.get(o.id, "objective"), Mark(o.id)) for o in markers)


def levels(battle: Battle, ruleset: Ruleset) -> tuple[Item, ...]:
    """The level of control of both players at every objective marker that anybody is near, on no base if possible."""
    places = {o.id: o for o in battle.battlefield.objectives}
    discs = [(m.pose.at, max(m.base.semi_axes, default=0.0)) for m in battle.models() if m.pose is not None]
    found: list[Item] = []
    for holding in ruleset.holdings(battle):
        if any(level > 0 for _, level in holding.levels):
            marker = places[holding.objective]
            words = " · ".join(f"{player.capitalize()} {level:g}" for player, level in holding.levels)
            found.append(Label(_beside(marker.at, marker.radius, discs), words, LEVELS, LEVEL_SIZE))
    return tuple(found)


def _beside(at: Point, radius: float, discs: Sequence[tuple[Point, float]]) -> Point:
    """The spot for words below or above a marker that covers the fewest models."""
    spots = [(at[0], at[1] + way * (radius + BELOW + step)) for step in ASIDE for way in (-1, 1)]

    def covered(spot: Point) -> int:
        apart = [(abs(x - spot[0]) - reach, abs(y - spot[1]) - reach) for (x, y), reach in discs]
        return len([1 for across, up in apart if across < REACH[0] and up < REACH[1]])

    return min(spots, key=covered)


def bases(battle: Battle, assumed: frozenset[str] = frozenset()) -> tuple[Item, ...]:
    """Every base on the table, with its side, label, wounds and facing; units with assumed bases are marked."""
    items: list[Item] = []
    for unit in battle.units:
        if not unit.on_table:
            continue
        style = f"base.{side(battle, unit.player)}"
        for k, model in enumerate(unit.models, 1):
            if model.pose is not None:
                mark = _mark(unit, model, k, model.pose, assumed=unit.id in assumed)
                items.append(shape(model.base, model.pose, style, mark))
    for unit in battle.units:  # what lies on the table for a unit, whether the unit does or not
        initial = (unit.name or unit.id)[:1].upper()
        lying = (marker.at for marker in unit.markers if marker.kind == LIES and marker.at is not None)
        items.extend(Disc(at, COIN, "objective", Mark(initial)) for at in lying)
    return tuple(items)


def shape(base: Base, pose: Pose, style: str, mark: Mark | None = None) -> Shape:
    """A base at a pose as an item of a scene."""
    if isinstance(base, Round):
        return Disc(pose.at, base.d / 2, style, mark)
    if isinstance(base, OvalBase):
        return Oval(pose.at, base.length, base.width, pose.facing, style, mark)
    return Polygon(Placed(base, pose).corners, style, 0.0, "", mark)


def held(battle: Battle, unit: Unit, poses: Sequence[Pose], verdict: Verdict) -> tuple[Item, ...]:
    """The unit as ghosts at poses, each legal or not, with a ruler for each of the worst breaches."""
    bad = {subject for v in verdict.violations for subject in v.subjects[:1]}
    whole = unit.id in bad
    style = f"base.{side(battle, unit.player)}"
    items: list[Item] = []
    for k, (model, pose) in enumerate(zip(unit.models, poses, strict=True), 1):
        mark = _mark(unit, model, k, pose)
        ghost = shape(model.base, pose, style, mark)
        items.append(Ghost(ghost, not whole and model.id not in bad))
    items.extend(rulers(verdict.violations))
    return tuple(items)


def rulers(violations: Sequence[Violation]) -> Iterator[Ruler]:
    """A ruler for each of the worst measured violations, the worst last so that it lies on top."""
    drawn = [v for v in violations if v.witness is not None and _has_line(v.witness)]
    drawn.sort(key=lambda v: v.shortfall or 0.0)
    points = [v for v in drawn if _is_point(v)]
    drawn = [v for v in drawn if v not in points[:-1]]  # of many overlaps one label is enough to see
    for violation in drawn[-MOST_RULERS:]:
        assert violation.witness is not None
        start, end = violation.witness.line or violation.witness.outlines[0][-2:]
        yield Ruler(start, end, ruler_label(violation), "bad")


def _has_line(witness: Witness) -> bool:
    return witness.line is not None or (len(witness.outlines) == 1 and len(witness.outlines[0]) >= 2)


def _is_point(violation: Violation) -> bool:
    line = violation.witness.line if violation.witness is not None else None
    return line is not None and line[0] == line[1]


def ruler_label(violation: Violation) -> str:
    """What was measured, and what it needs."""
    if violation.measured is None or violation.required is None:
        return violation.rule
    if violation.required.value == 0.0:
        words = violation.code.replace("-", " ")
        return f'{abs(violation.measured):.2f}" {words}'
    measured, needed = compared(violation.measured, violation.required.value)
    return f"{measured}  needs {violation.required.kind.replace('_', ' ')} {needed}"


def trails(paths: Sequence[Path]) -> Iterator[Line]:
    """The way that each model goes."""
    for path in paths:
        if path.stops:
            yield Line(tuple(pose.at for pose in (path.start, *path.stops)), "line.path")


def aims(battle: Battle, commands: Sequence[Any]) -> tuple[Ruler, ...]:
    """A ruler from a unit to every unit that some commands aim at, from base to base; of those that stand there."""
    found: dict[tuple[str, str], Ruler] = {}
    for command in commands:
        unit = getattr(command, "unit", "")
        attacks = [attack.target for attack in getattr(command, "attacks", ())]
        named = [getattr(command, "target", ""), *getattr(command, "targets", ()), *attacks]
        for target in named:
            if (unit, target) not in found and _standing(battle, unit) and _standing(battle, target):
                mine, theirs = battle.index.of_unit(unit).bases, battle.index.of_unit(target).bases
                apart = gaps(mine, theirs)
                i, j = divmod(int(apart.argmin()), len(theirs))
                start, end = witness(mine[i], theirs[j])
                found[unit, target] = Ruler(start, end, f'{float(apart[i, j]):.2f}"', "note")
    return tuple(found.values())


def _standing(battle: Battle, unit: str) -> bool:
    return battle.has_unit(unit) and len(battle.index.of_unit(unit)) > 0


def standings(battle: Battle) -> str:
    """The score and what else the players hold, on one line; nothing while there is nothing."""
    score = dict(battle.score)
    if not score and not battle.resources:
        return ""
    parts = []
    for player in battle.players:
        held = [f"{n} {name.upper()}" for who, name, n in battle.resources if who == player]
        parts.append(", ".join([f"{player.capitalize()} {score.get(player, 0)}", *held]))
    return " · ".join(parts)


def outcome(battle: Battle) -> str:
    """Who has won by the score, in words; nothing while the battle goes on, or where nobody has scored."""
    if battle.clock.phase != OVER:
        return ""
    ranked = sorted(((points, player) for player, points in battle.score), reverse=True)
    if not ranked:
        return ""
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return f"A draw, {ranked[0][0]} each"
    others = " to ".join(str(points) for points, _ in ranked[1:]) or "0"
    return f"{ranked[0][1].capitalize()} wins, {ranked[0][0]} to {others}"


def heading(battle: Battle, ruleset: Ruleset) -> str:
    """Whose time it is, in words."""
    clock = battle.clock
    phase = next((p for p in ruleset.phases if p.name == clock.phase), None)
    if phase is None:
        return battle.title
    step = clock.step.replace("-", " ").capitalize()
    parts = [phase.title] if step.lower() == phase.title.lower() or phase.setup else [phase.title, step]
    when = "" if phase.setup else f"{ruleset.counts} {clock.round} · "
    return f"{when}{clock.player.capitalize()} · {' › '.join(parts)}"


def verdict_caption(battle: Battle, unit: Unit, play: Play, verdict: Verdict) -> Caption:
    """The answer in words: yes or no, and every reason."""
    tone: Tone = "good" if verdict.legal else "bad"
    models = {s for v in verdict.violations for s in v.subjects[:1]}
    if verdict.legal:
        fields = play.command.__struct_fields__
        what = "stand here" if "models" in fields or "at" in fields else "go there" if "paths" in fields else "do this"
        headline = f"Yes: {unit.name} may {what}"
    elif unit.id in models or not models:
        headline = f"No: {unit.name} may not do this"
    elif len(unit.models) == 1:
        headline = f"Not here: {unit.name}"
    else:
        headline = f"Not here: {len(models)} of {len(unit.models)} models at fault"
    lines: list[tuple[str, Tone]] = [(play.title, "note")]
    lines.extend((sentence(battle, v), "bad") for v in verdict.violations)
    lines.extend((note, "note") for note in verdict.notes)
    return Caption(headline, tone, tuple(lines))


def sentence(battle: Battle, violation: Violation) -> str:
    """A violation in one sentence with its rule, models called as they are on the table."""
    return f"{in_words(battle, violation)} ({violation.rule})"


def in_words(battle: Battle, violation: Violation) -> str:
    """The message of a violation with the ids of its subjects replaced by the names that the table shows."""
    text = violation.message
    for subject in sorted(violation.subjects, key=len, reverse=True):
        text = text.replace(subject, name_of(battle, subject))
    return text


def name_of(battle: Battle, subject: str) -> str:
    """What a unit, a model or a piece is called: the unit's name, the model's number in it, the piece in words."""
    if battle.has_model(subject):
        unit = battle.unit(battle.model(subject).unit)
        number = next(k for k, model in enumerate(unit.models, 1) if model.id == subject)
        return unit.name if len(unit.models) == 1 else f"{unit.name} {number}"
    if battle.has_unit(subject):
        return battle.unit(subject).name
    field = battle.battlefield
    pieces = {*(piece.id for piece in field.terrain), *(objective.id for objective in field.objectives)}
    return subject.replace("-", " ") if subject in pieces else subject


def option_words(battle: Battle, option: str) -> str:
    """An answer to a question in words: what it does, and which unit or model it names."""
    what, colon, who = option.partition(": ")
    if not colon:
        return (
            name_of(battle, option) if battle.has_unit(option) or battle.has_model(option) else _sentence_case(option)
        )
    return f"{_sentence_case(what)}: {name_of(battle, who)}"


def _sentence_case(token: str) -> str:
    words = token.replace("-", " ")
    return words[:1].upper() + words[1:]


def grouped(battle: Battle, violations: Sequence[Violation]) -> Iterator[str]:
    """One sentence for each kind of fault: the worst of them, and how many more there are."""
    kinds: dict[tuple[str, str], list[Violation]] = {}
    for violation in violations:
        kinds.setdefault((violation.code, violation.rule), []).append(violation)
    for found in kinds.values():
        worst = max(found, key=lambda v: v.shortfall or 0.0)
        more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
        yield in_words(battle, worst) + more


@dataclass(frozen=True, eq=False)
class Laid:
    """A battle as it lies on the table: what is the same in every picture of it is worked out once."""

    battle: Battle
    ruleset: Ruleset
    assumed: frozenset[str] = frozenset()
    before: Laid | None = None  # an earlier state of the same battle: the ground is the same

    @cached_property
    def ground(self) -> tuple[Item, ...]:
        """What lies under the models."""
        return ground(self.battle) if self.before is None else self.before.ground

    def after(self, battle: Battle) -> Laid:
        """A later state of the battle, on the same ground."""
        return Laid(battle, self.ruleset, self.assumed, self.before or self)

    @cached_property
    def bases(self) -> tuple[Item, ...]:
        """Every base on the table."""
        return bases(self.battle, assumed=self.assumed)

    @cached_property
    def objectives(self) -> tuple[Item, ...]:
        """Every objective marker in the look of who holds it."""
        return objectives(self.battle, self.ruleset)

    @cached_property
    def levels(self) -> tuple[Item, ...]:
        """How strongly the players hold the markers."""
        return levels(self.battle, self.ruleset)

    @cached_property
    def heading(self) -> str:
        """Whose time it is."""
        return heading(self.battle, self.ruleset)

    def scene(self, items: Sequence[Item] = (), caption: Caption | None = None) -> Scene:
        """The table with anything laid over it; zones lie under the markers and bases, everything else above."""
        field = self.battle.battlefield
        zones = [item for item in items if isinstance(item, Zone)]
        above = [item for item in items if not isinstance(item, Zone)]
        words = caption or Caption(self.battle.title)
        lying = (*zones, *self.objectives, *self.bases, *self.levels)
        return Scene(field.width, field.depth, self.ground, (*lying, *above), self.heading, words)


def table_scene(
    battle: Battle,
    ruleset: Ruleset,
    items: Sequence[Item] = (),
    caption: Caption | None = None,
    assumed: frozenset[str] = frozenset(),
) -> Scene:
    """The whole table as it stands, with anything laid over it."""
    return Laid(battle, ruleset, assumed).scene(items, caption)


def close_up(scene: Scene) -> Scene:
    """The same scene, to be shown from near: what is held, measured and walked, with some inches around it."""
    xs: list[float] = []
    ys: list[float] = []
    for item in scene.items:
        for x0, y0, x1, y1 in _extents(item):
            xs += [x0, x1]
            ys += [y0, y1]
    if not xs:
        return scene
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    width = max(max(xs) - min(xs) + 2 * AROUND, NEAREST_VIEW[0])
    depth = max(max(ys) - min(ys) + 2 * AROUND, NEAREST_VIEW[1])
    width, depth = min(width, scene.width), min(depth, scene.depth)
    x0 = min(max(middle[0] - width / 2, 0.0), scene.width - width)
    y0 = min(max(middle[1] - depth / 2, 0.0), scene.depth - depth)
    return replace(scene, focus=((x0, y0), (x0 + width, y0 + depth)))


def _extents(item: Item) -> Iterator[tuple[float, float, float, float]]:
    match item:
        case Ghost(Disc(at, radius)):
            yield (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
        case Ghost(Oval(at, length)):
            yield (at[0] - length / 2, at[1] - length / 2, at[0] + length / 2, at[1] + length / 2)
        case Ghost(Polygon(outline)) | Line(outline):
            across, up = zip(*outline, strict=True)
            yield (min(across), min(up), max(across), max(up))
        case Label(at, _, style) if style != LEVELS:
            yield (at[0], at[1], at[0], at[1])
        case Ruler(start, end):
            yield (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
        case _:
            return


def pieces(area: BaseGeometry) -> tuple[tuple[tuple[Point, ...], ...], ...]:
    """The polygons of a geometry, each as its outline and its holes."""
    found = []
    for part in shapely.get_parts(area):
        if isinstance(part, Area) and part.area > 1e-9:
            rings = (part.exterior, *part.interiors)
            found.append(tuple(tuple((float(x), float(y)) for x, y in r.coords[:-1]) for r in rings))
    return tuple(found)


def _mark(unit: Unit, model: Model, number: int, pose: Pose, *, assumed: bool = False) -> Mark:
    total = unit.value("W") or 0
    wounds = f"{total - model.wounds_lost:g}/{total:g}" if total > 2 or model.wounds_lost else ""
    initial = (unit.name or unit.id)[:1].upper()
    small = max(model.base.semi_axes, default=0.0) < 0.6 and model.base.semi_axes != (0.0, 0.0)
    if len(unit.models) == 1:
        label = initial
    else:
        label = str(number) if small else f"{initial}{number}"
    return Mark(label, wounds, pose.facing, assumed=assumed, height=f'{plain(pose.z)}"' if pose.z > 0 else "")
