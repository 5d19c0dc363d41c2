"""Charges: who may be charged, what is rolled, and where the charge must end."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee import ground
from tests.referee.checks.moves import Walk, walks
from tests.referee.report import Finding, check
from tests.referee.story import Entry, Step, Story
from tests.referee.table import Unit

REACH = 12.0


@check("charge declared")
def declared(story: Story) -> Iterator[Finding]:
    """At enemies within twelve inches, not from Engagement Range; two dice are rolled."""
    for entry in story.entries:
        if entry.type != "charge":
            continue
        unit = entry.before.units[entry.unit]
        for enemy in ground.engaged_with(entry.before, unit, -ground.SLACK):
            yield entry.number, f"{unit.id} charges while engaged with {enemy.id}", "not from Engagement Range"
        for name in entry.command.get("targets", ()):
            yield from _target(entry, unit, entry.before.units.get(name), name)
        rolls = [s for s in entry.steps if s.rolls("charge") and s.about["unit"] == unit.id]
        if not rolls and entry.after.units[unit.id].models:
            yield entry.number, f"{unit.id} charges and rolls nothing", "two dice"
        for step in rolls:
            if len(step.event["faces"]) != 2:
                yield entry.number, f"{len(step.event['faces'])} dice for a charge", "two dice"


def _target(entry: Entry, unit: Unit, target: Unit | None, name: str) -> Iterator[Finding]:
    if target is None or target.player == unit.player or not target.on_table:
        yield entry.number, f"{unit.id} charges {name}", "an enemy unit on the table"
        return
    far = ground.units_apart(unit, target)
    if far > REACH + ground.SLACK:
        yield entry.number, f'{unit.id} charges {name}, {far:.3f}" away', f'within {REACH:g}"'
    if target.has("AIRCRAFT") and not unit.has("FLY"):
        yield entry.number, f"{unit.id} charges Aircraft {name}", "only who can FLY does"


@check("charge ends")
def ends(story: Story) -> Iterator[Finding]:
    """In Engagement Range of every target and of nobody else, each mover closer to a target than it was."""
    aims: dict[tuple[int, str], set[str]] = {}
    for entry in story.entries:
        for step in entry.steps:
            if step.sets("charge-target"):
                key = (step.before.phase, step.event["unit"])
                aims.setdefault(key, set()).add(step.event["marker"].get("subject", ""))
    for walk in walks(story):
        if walk.kind != "charge-move" or not walk.step.event["paths"]:
            continue
        targets = aims.get((walk.step.before.phase, walk.unit.id), set())
        after = walk.step.after
        unit = after.units[walk.unit.id]
        near = {enemy.id for enemy in ground.engaged_with(after, unit)}
        sure = {enemy.id for enemy in ground.engaged_with(after, unit, -ground.SLACK)}
        alive = {name for name in targets if after.units[name].on_table}
        if alive - near:
            seen = f"{unit.id} does not reach {', '.join(sorted(alive - near))}"
            yield walk.entry.number, seen, "within Engagement Range of every target"
        if sure - targets:
            seen = f"{unit.id} charges into {', '.join(sorted(sure - targets))}"
            yield walk.entry.number, seen, "of nobody who is no target"
        yield from _closer(walk, unit, targets)


def _closer(walk: Walk, unit: Unit, targets: set[str]) -> Iterator[Finding]:
    foes = [m for name in targets for m in ground.standing(walk.step.before.units[name])]
    for model in unit.models:
        old = walk.unit.model(model.id)
        way = walk.ways.get(model.id)
        if old is None or way is None or way[0][:2] == way[-1][:2] or not foes:
            continue
        before = [ground.straight(old, foe) for foe in foes]
        now = [ground.straight(model, foe) for foe in foes]
        if not any(n < b + 1e-9 for n, b in zip(now, before, strict=True)):
            yield walk.entry.number, f"{model.id} charges away from its targets", "closer to a target"


@check("charge bonus")
def bonus(story: Story) -> Iterator[Finding]:
    """Who made a Charge move in its own turn has the bonus, who intervened has not."""
    for entry in story.entries:
        for step in entry.steps:
            if step.sets("charge-bonus"):
                unit = step.after.units[step.event["unit"]]
                if unit.player != step.before.clock.player:
                    yield entry.number, f"{unit.id} has a Charge bonus out of its turn", "none for who intervenes"
        if entry.type == "charge-move" and _made(entry):
            unit = entry.after.units[entry.unit]
            if unit.models and not unit.marked("charge-bonus"):
                yield entry.number, f"{unit.id} has charged without a Charge bonus", "it fights first"


def _made(entry: Entry) -> bool:
    def own(step: Step) -> bool:
        return step.kind == "moved" and step.event["unit"] == entry.unit

    return any(own(step) for step in entry.steps)
