"""Transports: who may get in, how many, from how near; nobody moves further when its Transport has moved."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee import ground
from tests.referee.report import Finding, check
from tests.referee.sheets import sheet_of
from tests.referee.story import Entry, Step, Story
from tests.referee.table import Table, Unit

REACH = 3.0


@check("embarks")
def embarks(story: Story) -> Iterator[Finding]:
    """After a move, every model within three inches, in a Transport of the own side that has room for it."""
    walked: set[tuple[int, str]] = set()
    left: set[tuple[int, str]] = set()
    for entry in story.entries:
        for step in entry.steps:
            if step.kind == "moved":
                walked.add((step.before.phase, step.event["unit"]))
            if step.kind == "placed" and step.before.units[step.event["unit"]].where.startswith("embarked:"):
                left.add((step.before.phase, step.event["unit"]))
            if step.kind == "removed" and step.event.get("to", "").startswith("embarked:"):
                unit = step.before.units[step.event["unit"]]
                carrier = step.before.units[step.event["to"].partition(":")[2]]
                yield from _embarks(entry, step, unit, carrier)
                if (step.before.phase, unit.id) not in walked:
                    yield entry.number, f"{unit.id} embarks without a move", "after a Normal, Advance or Fall Back move"
                if (step.before.phase, unit.id) in left:
                    yield entry.number, f"{unit.id} embarks after it got out", "not both in one phase"


def _embarks(entry: Entry, step: Step, unit: Unit, carrier: Unit) -> Iterator[Finding]:
    if carrier.player != unit.player or not carrier.has("TRANSPORT") or not carrier.on_table:
        yield entry.number, f"{unit.id} embarks in {carrier.id}", "a Transport of the own side on the table"
        return
    hull = ground.standing(carrier)[0]
    for model in ground.standing(unit):
        if hull.base[0] == "outline":
            far = ground.apart(model, hull)
        else:
            assert hull.pose is not None
            assert model.pose is not None
            far = ground.wholly_within(model.base, model.pose, ground.shape(hull.base, hull.pose))
        if far > REACH + ground.SLACK:
            yield entry.number, f'{model.id} embarks from {far:.3f}"', f'within {REACH:g}" of {carrier.id}'
    yield from _room(entry, step.after, carrier)
    sheet = sheet_of(carrier, carrier.models[0])
    lacks = [word for word in sheet.get("carries", ()) if not unit.has(word)]
    barred = [word for word in sheet.get("excludes", ()) if unit.has(word)]
    if lacks or barred:
        yield entry.number, f"{unit.id} rides in {carrier.id}", f"it lacks {lacks}, it is {barred}"


def _room(entry: Entry, table: Table, carrier: Unit) -> Iterator[Finding]:
    room = carrier.ability("capacity")
    large = sheet_of(carrier, carrier.models[0]).get("doubles", ())
    riding = [u for u in table.units.values() if u.where == f"embarked:{carrier.id}"]
    aboard = sum(len(u.models) * (2 if any(u.has(word) for word in large) else 1) for u in riding)
    if room and aboard > int(room):
        yield entry.number, f"{aboard} models are aboard {carrier.id}", f"{room} find room"


@check("wreck")
def wreck(story: Story) -> Iterator[Finding]:
    """Nobody stays aboard a Transport that is no more."""
    for entry in story.entries:
        for unit in entry.after.units.values():
            if not unit.models or not unit.where.startswith("embarked:"):
                continue
            carrier = entry.after.units.get(unit.where.partition(":")[2])
            if carrier is None or not carrier.models:
                yield entry.number, f"{unit.id} is aboard {unit.where.partition(':')[2]}, which is gone", "it gets out"
