"""What is due by itself: Desperate Escape, Hazardous, Deadly Demise, coherency at the end of the turn."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.referee import ground
from tests.referee.checks.blows import volleys
from tests.referee.checks.losses import lost_in
from tests.referee.checks.moves import Walk, walks
from tests.referee.report import Finding, check
from tests.referee.sheets import number, weapon, wounds
from tests.referee.story import Entry, Story
from tests.referee.table import Model, Table, Unit
from tests.referee.throws import Throw, throws

DEMISE_REACH = 6.0
HAZARD = 3
MOST_SHOCK = 6
SUFFICES = {"tank-shock": 5, "grenade": 4, "impact": 0}  # the face that costs a wound; 0: what the ability says


@check("desperate escape")
def escapes(story: Story) -> Iterator[Finding]:
    """A die for every model of who is Battle-shocked, else for each that passes over an enemy; 1 and 2 cost one."""
    ways = {walk.entry.number: walk for walk in walks(story) if walk.kind == "fall-back"}
    for entry in story.entries:
        if entry.type != "fall-back":
            continue
        found = [t for t in throws(entry) if t.kind == "desperate-escape"]
        rolled = sum(len(t.first) for t in found)
        unit = entry.before.units[entry.unit]
        least, most = _escape_tests(entry, unit, ways.get(entry.number))
        if not least <= rolled <= most:
            yield entry.number, f"{rolled} Desperate Escape tests of {unit.id}", f"{least} to {most}"
        failed = _failures(found, 2)
        first_move = next((s for s in entry.steps if s.kind == "moved"), None)
        left = (first_move.before if first_move else entry.after).units[unit.id].models
        tested = found[0].table.units[unit.id] if found else unit
        lost = len(tested.models) - len(left) if found else 0  # before the tests it may have been fired at
        if failed is not None and lost not in {min(n, len(unit.models)) for n in failed}:
            yield entry.number, f"{unit.id} loses {lost} models to its escape", f"{sorted(failed)}"


def _failures(found: list[Throw], up_to: int) -> set[int] | None:
    counts = {0}
    for throw in found:
        ends = throw.ends(lambda face: face > up_to)
        if ends is None:
            return None
        counts = {n + sum(face <= up_to for face in state) for n in counts for state in ends}
    return counts


def _escape_tests(entry: Entry, unit: Unit, walk: Walk | None) -> tuple[int, int]:
    n = len(unit.models)
    held = ground.engaged_with(entry.before, unit)
    fortified = bool(held) and all(u.has("FORTIFICATION") for u in held)
    if unit.marked("battle-shocked") and not fortified:
        return n, n
    if unit.has("FLY", "TITANIC"):
        return 0, 0
    if walk is None:
        return 0, n
    crossing = [_crosses(entry.before, unit, m, walk) for m in unit.models]
    return sum(c == "yes" for c in crossing), sum(c != "no" for c in crossing)


def _crosses(table: Table, unit: Unit, model: Model, walk: Walk) -> str:
    """Whether a model passes over an enemy: yes, no, or perhaps for who is gone already or only brushes one."""
    way = walk.ways.get(model.id)
    if way is None:
        return "perhaps"
    answer = "no"
    for a, b in itertools.pairwise(way):
        area = ground.swept(model.base, a, b)
        for enemy in table.enemies(unit.player):
            for foe in ground.standing(enemy):
                assert foe.pose is not None
                common = area.intersection(ground.shape(foe.base, foe.pose)).area
                if common > 0.01:
                    return "yes"
                if common > 0:
                    answer = "perhaps"
    return answer


@check("hazardous")
def hazardous(story: Story) -> Iterator[Finding]:
    """A test for each Hazardous weapon that was used; a 1 costs a bearer three wounds."""
    for entry in story.entries:
        if entry.type not in ("shoot", "fight"):
            continue
        unit = entry.before.units[entry.unit]
        used = 0
        for attack in entry.command.get("attacks", ()):
            owner = entry.before.unit_of(attack["model"])
            model = owner.model(attack["model"]) if owner is not None else None
            arm = weapon(owner, model, attack["weapon"], attack.get("profile", "")) if owner and model else None
            used += arm is not None and arm.has("hazardous")
        passed = unit.ability("hazardous-passed") is not None
        due = 0 if passed else used
        found = [t for t in throws(entry) if t.kind == "hazardous" and t.about["unit"] == unit.id]
        tested = sum(len(t.first) for t in found)
        if tested != due and not (tested == 0 and not entry.after.units[unit.id].models):
            yield entry.number, f"{tested} Hazardous tests of {unit.id}", f"{due}"
        failed = _failures(found, 1)
        if found and failed == {1} and not any(s.rolls("feel-no-pain") for s in entry.steps):
            lost = lost_in(found[-1].table, entry.after, unit.id)
            whole = max(wounds(unit, m) - m.lost for m in unit.models)
            if not 0 < lost <= HAZARD or (lost < HAZARD and whole > HAZARD and len(unit.models) == 1):
                yield entry.number, f"{unit.id} loses {lost} wounds to a Hazardous test", f"{HAZARD}"


@check("hazardous overwatch")
def hazardous_overwatch(story: Story) -> Iterator[Finding]:
    """Overwatch with Hazardous weapons asks for their tests as well."""
    for volley in volleys(story):
        unit = volley.unit
        if not volley.overwatch or not volley.weapon.has("hazardous") or unit.ability("hazardous-passed") is not None:
            continue
        entry = volley.entry
        tested = any(s.rolls("hazardous") and s.about["unit"] == unit.id for s in entry.steps)
        if entry.before.clock.phase == "movement" and not tested and entry.after.units[unit.id].models:
            yield entry.number, f"no Hazardous test of {unit.id}", "one for each weapon that was fired"


@check("deadly demise")
def demise(story: Story) -> Iterator[Finding]:
    """A die for every such model that is destroyed; on a six every unit within six inches suffers."""
    for entry in story.entries:
        rolled = {t.about.get("model"): t for t in throws(entry) if t.kind == "deadly-demise"}
        for step in entry.steps:
            if step.kind != "removed" or step.event.get("to", "destroyed") != "destroyed":
                continue
            unit = step.before.units[step.event["unit"]]
            for name in step.event["models"]:
                model = unit.model(name)
                if model is None or unit.ability_of(model, "deadly-demise") is None or model.pose is None:
                    continue
                if name not in rolled:
                    yield entry.number, f"{name} is destroyed without a roll", "a die for its Deadly Demise"
                else:
                    yield from _blast(entry, rolled[name], unit, model)


def _blast(entry: Entry, throw: Throw, unit: Unit, model: Model) -> Iterator[Finding]:
    ends = throw.ends(lambda face: face == 6)
    (face,) = next(iter(ends)) if ends else (0,)
    worth = number(unit.ability_of(model, "deadly-demise") or "1")
    hurt = {
        str(t.about.get("against")): sum(t.first)
        for t in throws(entry)
        if t.kind == "deadly-demise-wounds" and t.about.get("model") == model.id
    }
    near, sure = set[str](), set[str]()
    for other in throw.table.units.values():
        alive = [m for m in ground.standing(other) if m.id != model.id] if other.on_table else []
        far = min((ground.straight(model, m) for m in alive), default=1e9)
        if far <= DEMISE_REACH + ground.SLACK:
            near.add(other.id)
        if far <= DEMISE_REACH - ground.SLACK:
            sure.add(other.id)
    if face != 6 and hurt:
        yield entry.number, f"a {face} for the Deadly Demise of {model.id} hurts", "a six"
    for name in sorted(sure) if face == 6 and not any(s.rolls("feel-no-pain") for s in entry.steps) else ():
        if lost_in(throw.table, entry.after, name) == 0:
            yield entry.number, f"{name} suffers nothing from {model.id}", f'every unit within {DEMISE_REACH:g}"'
    if face == 6 and worth.dice and (sure - hurt.keys() or hurt.keys() - near):
        dying = {s.event["unit"] for s in entry.steps if s.kind == "removed"}
        if (sure - hurt.keys()) - dying or hurt.keys() - near:
            yield entry.number, f"{sorted(hurt)} suffer from {model.id}", f"{sorted(near)}"


@check("mortal wounds")
def mortal(story: Story) -> Iterator[Finding]:
    """Tank Shock, Grenades and who crashes in: how many dice, and a wound for each that suffices."""
    for entry in story.entries:
        for throw in throws(entry):
            if throw.kind not in SUFFICES:
                continue
            unit, target = throw.table.units[throw.about["unit"]], throw.table.units[throw.about["against"]]
            tough = {int(unit.number(m, "T")) for m in unit.models}
            if throw.kind == "tank-shock" and len(throw.first) not in tough:
                yield entry.number, f"{len(throw.first)} dice for the Tank Shock of {unit.id}", f"{sorted(tough)}"
            least = SUFFICES[throw.kind] or int(unit.ability("charge-mortal-wounds") or 7)
            due = min(MOST_SHOCK if throw.kind == "tank-shock" else 99, sum(face >= least for face in throw.first))
            lost = lost_in(throw.table, entry.after, target.id)
            saved = any(s.rolls("feel-no-pain") for s in entry.steps)
            left = sum(wounds(target, m) - m.lost for m in target.models)
            if not saved and lost < min(due, left):
                yield entry.number, f"{target.id} loses {lost} wounds to a {throw.kind}", f"{min(due, left)}"


@check("coherency at the end of the turn")
def stragglers(story: Story) -> Iterator[Finding]:
    """At the end of every turn models are removed until each unit is one group."""
    for entry in story.entries:
        if entry.type != "end-step" or entry.after.turn == entry.before.turn:
            continue
        for unit in entry.after.units.values():
            if unit.on_table and not ground.coherent(ground.standing(unit)):
                yield entry.number, f"{unit.id} ends the turn out of coherency", "removed until it is one group"
        for step in entry.steps:
            if step.kind == "removed" and step.before.units[step.event["unit"]].on_table:
                before = step.before.units[step.event["unit"]]
                if ground.coherent(ground.standing(before)):
                    yield entry.number, f"{', '.join(step.event['models'])} of {before.id} go", "it was in coherency"
