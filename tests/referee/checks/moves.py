"""Moves: how far, along what, over whom, and how the unit stands when it has ended."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from shapely.geometry import LineString, Point, Polygon

from tests.referee import ground
from tests.referee.report import Finding, check
from tests.referee.story import Entry, Step, Story
from tests.referee.table import Model, Pose, Table, Unit, path_of

FREE = 2.0  # inches of terrain that cost nothing to move over
HOVERS_FROM = 32 / 25.4
CLIMBED = ("container", "hill", "crate")


@dataclass(frozen=True)
class Walk:
    """One unit's move: what kind, whose, how far each may go, and the ways of its models."""

    entry: Entry
    step: Step
    kind: str
    unit: Unit
    more: float | None  # added to each model's own Move; None where only ``flat`` counts
    flat: float
    ways: dict[str, list[Pose]]

    def allowed(self, model: Model) -> float:
        """How far a model may go."""
        if self.more is None:
            return self.flat
        return max(0.0, move_of(self.unit, model) + self.more)

    @property
    def moves(self) -> bool:
        """Whether anybody leaves its spot."""
        return any(len(way) > 1 and way[0] != way[-1] for way in self.ways.values())


def move_of(unit: Unit, model: Model) -> float:
    """A model's Move, with what a leader lends to the unit that it leads."""
    own = unit.number(model, "M")
    if unit.own:
        lent = [float(v) for part in unit.leading for k, v in part.abilities if k == "leads-swiftly" and v]
        if lent and unit.part_of(model.id) is None:
            return max(lent)
    return own


def walks(story: Story) -> Iterator[Walk]:
    """Every move of the record, with what it allows."""
    rolled: dict[tuple[int, str, str], int] = {}
    shaken: dict[str, int] = {}
    for entry in story.entries:
        for step in entry.steps:
            if step.rolls("advance", "charge"):
                rolled[step.before.phase, step.about["unit"], step.about["kind"]] = sum(step.event["faces"])
            if step.sets("shaken"):
                shaken[step.event["unit"]] = step.before.turn
            if step.kind == "moved":
                unit = step.before.units[step.event["unit"]]
                less = 2 if step.before.turn <= shaken.get(unit.id, -9) + 1 else 0
                yield _walk(entry, step, unit, rolled, less)


def _walk(entry: Entry, step: Step, unit: Unit, rolled: dict[tuple[int, str, str], int], less: int) -> Walk:
    ways = {name: path_of(path) for name, path in step.event["paths"]}
    kind = entry.type if entry.unit == unit.id else "charge-move"
    more: float | None = None
    flat = 0.0
    match kind:
        case "normal-move" | "fall-back":
            more = -less
        case "advance":
            swift = unit.marked("aggressive-mobility")
            roll = 6 if swift else max(0, rolled.get((step.before.phase, unit.id, "advance"), 0) - less)
            more = roll - less
        case "charge-move":
            flat = max(0, rolled.get((step.before.phase, unit.id, "charge"), 0) - less)
        case "pile-in" | "consolidate":
            flat = 3.0
        case "scout-move":
            scouts = [float(v) for m in unit.models if (v := unit.ability_of(m, "scouts"))]
            flat = min(scouts) if len(scouts) == len(unit.models) else 0.0
        case _:
            pass
    return Walk(entry, step, kind, unit, more, flat, ways)


@check("move too far")
def too_far(story: Story) -> Iterator[Finding]:
    """The straight legs, a pivot once, and what is climbed, are no more than the move allows."""
    for walk in walks(story):
        for model in walk.unit.models:
            way = walk.ways.get(model.id)
            if way is None or model.pose is None:
                continue
            if math.dist(way[0][:2], model.pose[:2]) > 1e-6:
                yield walk.entry.number, f"the way of {model.id} does not begin where it stands", "it begins there"
            cost, allowed = cost_of(walk.step.before, walk.unit, model, way), walk.allowed(model)
            if cost > allowed + ground.SLACK:
                yield walk.entry.number, f'{model.id} moves {cost:.3f}" ({walk.kind})', f'at most {allowed:g}"'


def cost_of(table: Table, unit: Unit, model: Model, way: list[Pose]) -> float:
    """The least that a way can cost: legs, the pivot value, and the heights that the centre crosses."""
    if len(way) < 2:
        return 0.0
    turns = any(abs((a[2] - b[2] + 180) % 360 - 180) > 1e-6 for a, b in itertools.pairwise(way))
    total = pivot_value(unit, model) if turns else 0.0
    for a, b in itertools.pairwise(way):
        total += _leg(table, unit, a, b)
    return total


def _leg(table: Table, unit: Unit, a: Pose, b: Pose) -> float:
    flat, rise = math.dist(a[:2], b[:2]), abs(a[3] - b[3])
    if unit.has("FLY"):
        return math.hypot(flat, rise)
    if flat < 1e-9:
        return rise
    line = LineString([a[:2], b[:2]])
    climbs = rise
    for piece in table.field.get("terrain", ()):
        high = piece.get("height", 0.0)
        if piece["kind"] not in CLIMBED or high <= FREE:
            continue
        inner = Polygon(piece["outline"]).buffer(-1e-6)
        if inner.intersects(line):
            climbs = max(climbs, max(0.0, high - a[3]) + max(0.0, high - b[3]))
    return flat + climbs


def pivot_value(unit: Unit, model: Model) -> float:
    """What the first pivot of a move costs a model."""
    big = unit.has("MONSTER", "VEHICLE")
    if model.base[0] != "round":
        return 2.0 if big else 1.0
    stem = unit.ability("flying-stem") is not None or unit.ability("hover") is not None
    return 2.0 if unit.has("VEHICLE") and stem and model.base[1] > HOVERS_FROM else 0.0


@check("move passes")
def passes(story: Story) -> Iterator[Finding]:
    """On its way nobody leaves the table, passes through enemies, or through Engagement Range where that is barred."""
    for walk in walks(story):
        flies = walk.unit.has("FLY")
        table = walk.step.before
        foes = [m for enemy in table.enemies(walk.unit.player) for m in ground.standing(enemy)]
        targets = set(walk.entry.command.get("targets", ())) if walk.kind == "charge-move" else set()
        others = [
            m
            for enemy in table.enemies(walk.unit.player)
            if walk.kind in ("normal-move", "advance", "scout-move")
            or (walk.kind == "charge-move" and targets and enemy.id not in targets)
            for m in ground.standing(enemy)
        ]
        for model in walk.unit.models:
            way = walk.ways.get(model.id, [])
            for a, b in itertools.pairwise(way):
                if a[:2] == b[:2]:
                    continue
                yield from _along(
                    walk, table, model, a, b, () if flies else tuple(foes), () if flies else tuple(others)
                )


def _along(
    walk: Walk, table: Table, model: Model, a: Pose, b: Pose, foes: tuple[Model, ...], barred: tuple[Model, ...]
) -> Iterator[Finding]:
    number = walk.entry.number
    long = math.dist(a[:2], b[:2]) / 2 + ground.reach_of(model.base) + 1.0
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    area = ground.swept(model.base, a, b)
    x0, y0, x1, y1 = area.bounds
    over = max(-x0, -y0, x1 - table.field["width"], y1 - table.field["depth"])
    if over > ground.SLACK:
        yield number, f'{model.id} passes {over:.3f}" over the edge', "no base over the edge at any instant"
    low, high = sorted((a[3], b[3]))
    for foe in (*foes, *barred):
        pose = foe.pose
        assert pose is not None
        if math.dist(middle, pose[:2]) > long + ground.reach_of(foe.base):
            continue
        through = foe in foes and low - 1.0 < pose[3] < high + 1.0
        apart = area.distance(ground.shape(foe.base, pose))
        if through and walk.kind != "fall-back" and apart < 1e-9:
            deep = area.intersection(ground.shape(foe.base, pose)).area
            if deep > 0.01:
                yield number, f"{model.id} passes through {foe.id}", "not through enemy models"
        if foe in barred and pose[3] <= high + ground.ENGAGED_UP and apart < ground.ENGAGED - ground.SLACK:
            near = ground.gap(model.base, a, foe.base, pose)
            if near > ground.ENGAGED - ground.SLACK or walk.kind != "charge-move":
                seen = f'{model.id} passes within {apart:.3f}" of {foe.id} ({walk.kind})'
                yield number, seen, "not within Engagement Range on the way"


@check("stands wrongly")
def stands(story: Story) -> Iterator[Finding]:
    """After a move the unit is coherent, on the table, upon nobody, in no wall and on no marker."""
    for walk in walks(story):
        if walk.moves:
            after = walk.step.after
            yield from standing_faults(walk.entry.number, after, after.units[walk.unit.id], walk.ways.keys())


def standing_faults(number: int, table: Table, unit: Unit, moved: object) -> Iterator[Finding]:
    """What is wrong with how a unit stands."""
    models = ground.standing(unit)
    if not ground.coherent(models):
        yield number, f"{unit.id} is out of coherency", 'each within 2" of another, of two from seven models on'
    flat = bool(table.options.get("objectives_flat", False))
    others = [m for u in table.units.values() if u.on_table for m in ground.standing(u)]
    for model in models:
        pose = model.pose
        assert pose is not None
        over = ground.off_table(table, model.base, pose)
        if over > ground.SLACK:
            yield number, f'{model.id} lies {over:.3f}" over the edge', "wholly on the table"
        for other in others:
            if other.id == model.id or (other in models and other.id < model.id):
                continue
            assert other.pose is not None
            if math.dist(pose[:2], other.pose[:2]) > ground.reach_of(model.base) + ground.reach_of(other.base):
                continue
            deep = ground.overlap(model, other)
            if deep > ground.SLACK:
                yield number, f'{model.id} overlaps {other.id} by {deep:.3f}"', "bases never overlap"
        for objective in () if flat else table.field.get("objectives", ()):
            near = ground.marker_apart(model, objective)
            if pose[3] < 1.0 and near <= 0.0 and _deep(model, objective) > ground.SLACK:
                yield number, f"{model.id} ends on objective marker {objective['id']}", "never on top of one"
        yield from _terrain(number, table, unit, model, pose)


def _deep(model: Model, objective: dict) -> float:  # type: ignore[type-arg]
    assert model.pose is not None
    disc = Point(objective["at"]).buffer(objective["radius"])
    return float(ground.shape(model.base, model.pose).intersection(disc).area)


def _terrain(number: int, table: Table, unit: Unit, model: Model, pose: Pose) -> Iterator[Finding]:
    base = ground.shape(model.base, pose)
    for piece in table.field.get("terrain", ()):
        high = piece.get("height", 0.0)
        solid = piece["kind"] in ("ruin-wall", "barricade", "container")
        if solid and pose[3] < high - 1e-6 and base.intersection(Polygon(piece["outline"])).area > 1e-3:
            yield number, f"{model.id} stands in {piece['id']}", f"not in or upon a {piece['kind']}"
    if pose[3] > 0.05:
        held = [
            Polygon(spot["outline"])
            for piece in table.field.get("terrain", ())
            for spot in (*piece.get("floors", ()), {"z": piece.get("height", 0.0), "outline": piece["outline"]})
            if abs(spot["z"] - pose[3]) < 0.02
        ]
        if not any(area.buffer(ground.SLACK).covers(base) for area in held):
            yield number, f'{model.id} stands at {pose[3]:g}" with nothing under it', "a floor or a top wholly under it"


@check("ends engaged")
def ends_engaged(story: Story) -> Iterator[Finding]:
    """Normal, Advance, Scout and Fall Back moves end out of Engagement Range; piling in ends within it."""
    for walk in walks(story):
        after = walk.step.after
        unit = after.units[walk.unit.id]
        number = walk.entry.number
        if walk.kind in ("normal-move", "advance", "fall-back", "scout-move"):
            for enemy in ground.engaged_with(after, unit, -ground.SLACK):
                yield number, f"{unit.id} ends its {walk.kind} engaged with {enemy.id}", "out of Engagement Range"
        if walk.kind in ("normal-move", "advance") and ground.engaged_with(walk.step.before, walk.unit, -ground.SLACK):
            yield number, f"{unit.id} makes a {walk.kind} while it is engaged", "it can only Fall Back"
        if walk.kind == "fall-back" and not ground.engaged_with(walk.entry.before, walk.entry.before.units[unit.id]):
            yield number, f"{unit.id} falls back from nobody", "only who is engaged Falls Back"
        if walk.kind == "scout-move":
            for enemy in after.enemies(unit.player):
                if ground.units_apart(unit, enemy, up=False) <= 9.0 - ground.SLACK:
                    yield number, f'{unit.id} scouts to within 9" of {enemy.id}', 'more than 9" away'
        if walk.kind == "pile-in" and walk.moves and not ground.engaged_with(after, unit):
            yield number, f"{unit.id} piles in and is engaged with nobody", "within Engagement Range at the end"


@check("closer")
def closer(story: Story) -> Iterator[Finding]:
    """Who piles in ends closer to the nearest enemy model, and who is in contact stays."""
    for walk in walks(story):
        after = walk.step.after
        unit = after.units[walk.unit.id]
        engaging = bool(ground.engaged_with(after, unit))
        if walk.kind == "pile-in" or (walk.kind == "consolidate" and engaging):
            foes = [m for enemy in walk.step.before.enemies(unit.player) for m in ground.standing(enemy)]
            yield from _closer(walk, unit, foes)


@check("consolidates")
def consolidates(story: Story) -> Iterator[Finding]:
    """Who is engaged stays so; who cannot end engaged goes into range of an objective marker, or stays."""
    for walk in walks(story):
        after = walk.step.after
        unit = after.units[walk.unit.id]
        if walk.kind != "consolidate" or not walk.moves or ground.engaged_with(after, unit):
            continue
        for enemy in ground.engaged_with(walk.step.before, walk.unit, -ground.SLACK):
            yield walk.entry.number, f"{unit.id} leaves {enemy.id} as it consolidates", "engaged where it can be"
        markers = after.field.get("objectives", ())
        if not any(ground.in_range(m, o, ground.SLACK) for m in ground.standing(unit) for o in markers):
            seen = f"{unit.id} consolidates towards nobody and nothing"
            yield walk.entry.number, seen, "into Engagement Range or into range of a marker"


def _closer(walk: Walk, unit: Unit, foes: list[Model]) -> Iterator[Finding]:
    for model in unit.models:
        way = walk.ways.get(model.id)
        old = walk.unit.model(model.id)
        if way is None or old is None or not foes or way[0][:2] == way[-1][:2]:
            continue
        nearest = min(foes, key=lambda foe: ground.straight(old, foe))
        before, now = ground.straight(old, nearest), ground.straight(model, nearest)
        if before <= 1e-6:
            yield walk.entry.number, f"{model.id} leaves contact in its {walk.kind}", "who is in contact stays"
        elif now >= before - 1e-9 and not _as_near(old, model, foes, before):
            seen = f'{model.id} ends {now:.3f}" from {nearest.id}, before it was {before:.3f}"'
            yield walk.entry.number, seen, "closer to the nearest enemy model"


def _as_near(old: Model, model: Model, foes: list[Model], before: float) -> bool:
    """Whether another enemy was just as near, to which it came closer."""
    return any(
        ground.straight(old, foe) <= before + ground.SLACK and ground.straight(model, foe) < before for foe in foes
    )
