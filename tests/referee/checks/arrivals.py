"""Setting up: deployment, reserves, and getting out of Transports."""

from __future__ import annotations

from collections.abc import Iterator

from shapely.geometry import LineString

from tests.referee import ground
from tests.referee.checks.moves import standing_faults
from tests.referee.report import Finding, check
from tests.referee.story import Entry, Step, Story
from tests.referee.table import Table, Unit

FAR = 9.0
STRIP = 6.0
NEAR, EMERGENCY, UP = 3.0, 6.0, 5.0


def set_up(story: Story) -> Iterator[tuple[Entry, Step, Unit, Unit]]:
    """Every setting up: its entry, its event, the unit before and after it."""
    for entry in story.entries:
        for step in entry.steps:
            if step.kind == "placed":
                name = step.event["unit"]
                yield entry, step, step.before.units[name], step.after.units[name]


@check("set up")
def stands(story: Story) -> Iterator[Finding]:
    """Who is set up stands in coherency, on the table, upon nobody, and out of Engagement Range."""
    for entry, step, _, unit in set_up(story):
        yield from standing_faults(entry.number, step.after, unit, None)
        for enemy in ground.engaged_with(step.after, unit, -ground.SLACK):
            yield entry.number, f"{unit.id} is set up engaged with {enemy.id}", "out of Engagement Range"


@check("arrives")
def arrives(story: Story) -> Iterator[Finding]:
    """From reserves: more than nine inches from all enemies, by Deep Strike or near one edge, in the rounds for it."""
    for entry, step, before, unit in set_up(story):
        if before.where != "reserves" or step.before.clock.phase == "deployment":
            continue
        for enemy in step.after.enemies(unit.player):
            far = ground.units_apart(unit, enemy, up=False)
            if far <= FAR - ground.SLACK:
                yield entry.number, f'{unit.id} arrives {far:.3f}" from {enemy.id}', 'more than 9" on the flat'
        deep = all(unit.ability_of(m, "deep-strike") is not None for m in unit.models)
        if entry.type == "deep-strike" and not deep:
            yield entry.number, f"{unit.id} deep strikes without the ability", "every model has it"
        if entry.type == "strategic-reserves" or (entry.type == "rapid-ingress" and not deep):
            yield from _strip(entry, step.after, unit)


def _strip(entry: Entry, table: Table, unit: Unit) -> Iterator[Finding]:
    if entry.clock.round < 2:
        yield entry.number, f"{unit.id} arrives from Strategic Reserves in round 1", "from round two on"
    w, d = table.field["width"], table.field["depth"]
    edges = [((0, 0), (w, 0)), ((w, 0), (w, d)), ((w, d), (0, d)), ((0, d), (0, 0))]
    models = ground.standing(unit)
    lines = [LineString(edge) for edge in edges]
    deepest = min(max(ground.wholly_within(m.base, m.pose, line) for m in models) for line in lines if models)  # type: ignore[arg-type]
    large = any(min(m.base[1:]) > STRIP for m in models if m.base[0] in ("round", "oval", "rect"))
    if deepest > STRIP + ground.SLACK and not large:
        yield entry.number, f'{unit.id} reaches {deepest:.3f}" from its edge', 'wholly within 6" of one edge'
    if entry.clock.round == 2:
        zones = ground.zones_of(table, [p for p in table.players if p != unit.player])
        if any(ground.shape(m.base, m.pose).intersection(zones).area > 1e-3 for m in models):
            yield entry.number, f"{unit.id} arrives in the enemy's zone", "not in round two"


@check("deploys")
def deploys(story: Story) -> Iterator[Finding]:
    """Before the battle: wholly in the own zone, Infiltrators more than nine inches from enemies and their zone."""
    for entry, step, _, unit in set_up(story):
        table = step.after
        if step.before.clock.phase != "deployment":
            continue
        models = ground.standing(unit)
        if entry.type == "deploy":
            mine = ground.zones_of(table, [unit.player]).buffer(ground.SLACK)
            out = [m.id for m in models if not mine.covers(ground.shape(m.base, m.pose))]
            if out:
                yield entry.number, f"{', '.join(out)} stand out of the zone of {unit.player}", "wholly in it"
        if entry.type == "infiltrate":
            zones = ground.zones_of(table, [p for p in table.players if p != unit.player])
            for m in models:
                if ground.shape(m.base, m.pose).distance(zones) <= FAR - ground.SLACK:
                    yield entry.number, f"{m.id} infiltrates near the enemy's zone", 'more than 9" away'
            for enemy in table.enemies(unit.player):
                if ground.units_apart(unit, enemy, up=False) <= FAR - ground.SLACK:
                    yield entry.number, f"{unit.id} infiltrates near {enemy.id}", 'more than 9" away'


@check("disembarks")
def disembarks(story: Story) -> Iterator[Finding]:
    """Wholly within three inches of the Transport, six in an emergency; not from one that Advanced or Fell Back."""
    gone: dict[tuple[int, str], str] = {}
    for entry in story.entries:
        turn = entry.before.turn
        if entry.type in ("advance", "fall-back", "embark"):
            gone[turn, entry.unit] = entry.type
        for step in entry.steps:
            if step.kind != "placed":
                continue
            before, unit = step.before.units[step.event["unit"]], step.after.units[step.event["unit"]]
            if not before.where.startswith("embarked:"):
                continue
            carrier = step.before.units[before.where.partition(":")[2]]
            yield from _beside(entry, step, unit, carrier)
            if entry.type != "disembark" or entry.unit != unit.id:
                continue
            how = gone.get((turn, carrier.id), "")
            late = carrier.ability("disembark-after-advance") is not None and how == "advance"
            if how in ("advance", "fall-back") and not late:
                yield entry.number, f"{unit.id} disembarks after the {how} of {carrier.id}", "nobody gets out then"
            if gone.get((turn, unit.id)) == "embark":
                yield entry.number, f"{unit.id} embarks and disembarks in one phase", "not both"


def _beside(entry: Entry, step: Step, unit: Unit, carrier: Unit) -> Iterator[Finding]:
    hull = next((m for m in carrier.models if m.pose is not None), None)
    if hull is None or hull.pose is None:
        yield entry.number, f"{unit.id} leaves {carrier.id}, which stands nowhere", "beside the Transport"
        return
    rest = entry.steps[step.place :]
    needs = next((s.about["needs"] for s in rest if s.rolls("wreck") and s.about["unit"] == unit.id), 0)
    limit = EMERGENCY if needs == 4 else NEAR
    if needs and len(carrier.models) and not _dies(entry, step, carrier):
        yield entry.number, f"{unit.id} gets out of {carrier.id} as out of a wreck", "only when it is destroyed"
    outline = ground.shape(hull.base, hull.pose)
    for name, _ in step.event["models"]:
        model = unit.model(name)
        if model is None or model.pose is None:
            continue
        far = ground.wholly_within(model.base, model.pose, outline)
        if far > limit + ground.SLACK:
            yield entry.number, f'{name} reaches {far:.3f}" from {carrier.id}', f'wholly within {limit:g}"'
        if abs(model.pose[3] - hull.pose[3]) > UP + ground.SLACK:
            yield entry.number, f"{name} stands too far up or down from {carrier.id}", 'within 5" up and down'
    if carrier.marked("arrived") and not needs:
        for enemy in step.after.enemies(unit.player):
            if ground.units_apart(unit, enemy, up=False) <= FAR - ground.SLACK:
                yield entry.number, f"{unit.id} leaves an arrived Transport near {enemy.id}", 'more than 9" away'


def _dies(entry: Entry, step: Step, carrier: Unit) -> bool:
    return any(s.kind == "removed" and s.event["unit"] == carrier.id for s in entry.steps[step.place :])
