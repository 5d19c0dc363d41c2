"""The Fight phase: whose go it is, who must fight, and who of a unit can strike whom."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee import ground
from tests.referee.report import Finding, check
from tests.referee.sheets import arms, weapon
from tests.referee.story import Entry, Story
from tests.referee.table import Model, Table, Unit

FIRST = "fights-first"


def fights_first(unit: Unit) -> bool:
    """Whether a unit fights in the first step: by its charge, or because every model has the ability."""
    every = bool(unit.models) and all(unit.ability_of(m, FIRST) is not None for m in unit.models)
    return unit.marked("charge-bonus") or every


def can_fight(table: Table, unit: Unit, fought: set[str]) -> bool:
    """Whether a unit can be selected to fight in the step of the clock."""
    if not unit.on_table or unit.id in fought:
        return False
    if table.clock.step == FIRST and not fights_first(unit):
        return False
    return unit.marked("charged") or bool(ground.engaged_with(table, unit, -ground.SLACK))


@check("order of fights")
def order(story: Story) -> Iterator[Finding]:
    """Players pick a unit in turn, first the one whose turn it is not; nobody who can fight is passed over."""
    fought: set[str] = set()
    last = ""  # who picked last in this step
    busy = ""  # who has been selected and has not fought yet
    called = ""  # who fights next by Counter-Offensive
    place = (0, "")
    for entry in story.entries:
        clock = entry.clock
        if (entry.before.phase, clock.step) != place:
            if place[0] != entry.before.phase:
                fought = set()
            place, last, busy = (entry.before.phase, clock.step), "", ""
        if clock.phase == "fight":
            if selects(entry) and busy != entry.unit:
                yield from _selected(entry, fought, last, called)
                busy, called = entry.unit, ""
            if entry.type == "fight" and selects(entry):
                last, busy = entry.before.units[entry.unit].player, ""
                fought.add(entry.unit)
            if entry.type == "end-step":
                waiting = [u.id for u in entry.before.units.values() if can_fight(entry.before, u, fought)]
                if waiting:
                    yield entry.number, f"the step ends and {', '.join(waiting)} could fight", "nobody is passed over"
        for step in entry.steps:
            if step.kind == "parted" and step.event["unit"] in fought:
                fought |= {part["id"] for part in step.event["into"]}
            if step.kind == "choice" and step.event["choice"] == "Counter-Offensive":
                called = step.event.get("subject", "")


def selects(entry: Entry) -> bool:
    """Whether a unit is selected to fight by a command, and not another one called on before it gets to."""
    if entry.type not in ("pile-in", "fight"):
        return False
    asked = ""
    for step in entry.steps:
        if step.kind == "choice" and step.event["choice"] == "Counter-Offensive":
            return entry.unit in (asked, step.event.get("subject"))
        if step.kind == "choice":
            asked = step.event.get("subject", "")
    return True


def _selected(entry: Entry, fought: set[str], last: str, called: str) -> Iterator[Finding]:
    table = entry.before
    unit = table.units[entry.unit]
    if called and called != unit.id and table.units[called].on_table:
        yield entry.number, f"{unit.id} fights", f"{called} fights next, by Counter-Offensive"
    if called == unit.id:
        return
    sure = can_fight(table, unit, fought) or unit.marked("charged")
    if not sure and not ground.engaged_with(table, unit):
        yield entry.number, f"{unit.id} is selected to fight", "it is engaged, or has charged"
    if table.clock.step == FIRST and not fights_first(unit):
        yield entry.number, f"{unit.id} fights in the first step", "only who has Fights First"
    other = next((p for p in table.players if p != table.clock.player), "")
    turn = other if not last else next((p for p in table.players if p != last), "")
    if unit.player != turn:
        waiting = [u.id for u in table.units.values() if u.player == turn and can_fight(table, u, fought)]
        if waiting:
            seen = f"{unit.player} picks {unit.id} while {', '.join(waiting)} waits"
            yield entry.number, seen, f"it is the go of {turn}"


def reaches(table: Table, unit: Unit, model: Model) -> set[str]:
    """The enemy units that a model can strike: those it is engaged with, and those whom a comrade touches."""
    found = set()
    mates = [m for m in ground.standing(unit) if m.id != model.id and ground.apart(model, m) <= ground.SLACK]
    for enemy in table.enemies(unit.player):
        for foe in ground.standing(enemy):
            if (
                ground.engaged(model, foe, ground.SLACK)
                or (ground.engaged(model, foe, ground.SLACK, 2.0) and ground.barricaded(table, model, foe))
                or any(ground.apart(m, foe) <= ground.SLACK and ground.rise(m, foe) <= 5.0 for m in mates)
            ):
                found.add(enemy.id)
    return found


@check("who strikes")
def strikes(story: Story) -> Iterator[Finding]:
    """Each model that can fight does, with one melee weapon that it carries, at whom it can reach."""
    for entry in story.entries:
        if entry.type != "fight":
            continue
        table, unit = entry.before, entry.before.units[entry.unit]
        blows: dict[str, list[str]] = {}
        for attack in entry.command.get("attacks", ()):
            model = unit.model(attack["model"])
            if model is None:
                yield entry.number, f"{attack['model']} strikes", f"it is no model of {unit.id}"
                continue
            arm = weapon(unit, model, attack["weapon"], attack.get("profile", ""))
            if arm is None or arm.range > 0 or attack["weapon"] not in model.loadout:
                yield entry.number, f"{model.id} strikes with {attack['weapon']}", "a melee weapon that it carries"
                continue
            if attack["target"] not in reaches(table, unit, model):
                yield entry.number, f"{model.id} strikes {attack['target']}", "somebody within its reach"
            if not arm.has("extra-attacks"):
                blows.setdefault(model.id, []).append(arm.name)
        for name, used in blows.items():
            if len(set(used)) > 1:
                yield entry.number, f"{name} strikes with {', '.join(used)}", "one weapon"
        yield from _idle(entry, unit, set(blows))


def _idle(entry: Entry, unit: Unit, striking: set[str]) -> Iterator[Finding]:
    for model in ground.standing(unit):
        if model.id in striking or not any(w.range == 0 and not w.has("extra-attacks") for w in arms(unit, model)):
            continue
        foes = [m for enemy in entry.before.enemies(unit.player) for m in ground.standing(enemy)]
        if any(ground.engaged(model, foe, -ground.SLACK) for foe in foes):
            yield entry.number, f"{model.id} is engaged and does not strike", "each model that can fight does"
