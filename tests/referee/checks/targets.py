"""Shooting: who may shoot, with what, at whom, and from how far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.referee import ground
from tests.referee.report import Finding, check
from tests.referee.sheets import Weapon, carries, weapon
from tests.referee.story import Entry, Story
from tests.referee.table import Json, Model, Table, Unit


@dataclass(frozen=True)
class Shot:
    """One weapon of one model at one target, as the table was when the unit was selected."""

    unit: Unit  # who was selected to shoot
    owner: Unit  # whose the model is: another one for passengers
    model: Model
    gunner: Model  # from where it is measured
    weapon: Weapon
    target: Unit

    @property
    def far(self) -> float:
        """Inches to the nearest model of the target."""
        return min((ground.straight(self.gunner, m) for m in ground.standing(self.target)), default=1e9)


def shot(table: Table, unit: Unit, attack: Json) -> Shot | str:
    """What an attack of a command means; in words why it means nothing."""
    target = table.units.get(attack["target"])
    owner = table.unit_of(attack["model"])
    if target is None or owner is None:
        return f"{attack['model']} at {attack['target']}: nobody is called so"
    model = owner.model(attack["model"])
    assert model is not None
    if owner.id != unit.id and owner.where != f"embarked:{unit.id}":
        return f"{model.id} is neither of {unit.id} nor aboard"
    arm = weapon(owner, model, attack["weapon"], attack.get("profile", ""))
    if arm is None or attack["weapon"] not in carries(owner, model):
        return f"{model.id} carries no {attack['weapon']}"
    gunner = model if owner.id == unit.id else ground.standing(unit)[0]
    return Shot(unit, owner, model, gunner, arm, target)


@check("shooting")
def shooting(story: Story) -> Iterator[Finding]:
    """Ranges, targets, Pistols, One Shot, Blast, Advances, who is engaged, and Lone Operatives."""
    spent: set[tuple[str, str, int]] = set()
    advanced: set[tuple[int, str]] = set()
    focus: dict[tuple[int, str], str] = {}
    for entry in story.entries:
        if entry.type == "advance":
            advanced.add((entry.before.turn, entry.unit))
        for step in entry.steps:
            if step.sets("focused-fire"):
                focus[step.before.phase, step.event["unit"]] = step.event["marker"].get("subject", "")
        if entry.type != "shoot":
            continue
        unit = entry.before.units[entry.unit]
        shots = []
        for attack in entry.command.get("attacks", ()):
            found = shot(entry.before, unit, attack)
            if isinstance(found, str):
                yield entry.number, found, "a weapon that the model carries"
            else:
                shots.append(found)
                yield from _one(entry, found, (entry.before.turn, unit.id) in advanced)
                aim = focus.get((entry.before.phase, unit.id))
                if aim and found.target.id != aim:
                    yield entry.number, f"{unit.id} shoots at {found.target.id}", f"Focused Fire: only at {aim}"
        yield from _together(entry, unit, shots)
        yield from _once(entry, shots, spent)


def _one(entry: Entry, shot: Shot, advanced: bool) -> Iterator[Finding]:
    table, unit, target, arm = entry.before, shot.unit, shot.target, shot.weapon
    who = f"{shot.model.id} with {arm.name}"
    if target.player == unit.player or not target.on_table:
        yield entry.number, f"{who} at {target.id}", "an enemy unit on the table"
        return
    if arm.range == 0:
        yield entry.number, f"{who} shoots", "a ranged weapon"
    if shot.far > reach_of(shot) + ground.SLACK:
        yield entry.number, f'{who} at {target.id}, {shot.far:.3f}" away', f'within {arm.range:g}"'
    if advanced and not arm.has("assault") and not _assault(table, shot):
        yield entry.number, f"{who} after an Advance", "Assault weapons only"
    lone = all(target.ability_of(m, "lone-operative") is not None for m in target.models) and not target.leading
    if lone and ground.units_apart(unit, target) > 12.0 + ground.SLACK:
        yield entry.number, f"{who} at Lone Operative {target.id}", 'within 12"'
    yield from _close(entry, shot)


def reach_of(shot: Shot) -> float:
    """A weapon's range."""
    return shot.weapon.range


def _assault(table: Table, shot: Shot) -> bool:
    unit = shot.unit
    lent = any(dict(part.abilities).get("leads-swiftly") for part in unit.leading)
    killing = unit.ability("detachment") == "montka" and table.clock.round <= 3
    return lent or killing


def _close(entry: Entry, shot: Shot) -> Iterator[Finding]:
    """Engagement Range of the shooter and of the target."""
    table, unit, target, arm = entry.before, shot.unit, shot.target, shot.weapon
    big = unit.has("MONSTER", "VEHICLE")
    mine = {u.id for u in ground.engaged_with(table, unit, -ground.SLACK)}
    near = {u.id for u in ground.engaged_with(table, unit)}
    held = ground.engaged_with(table, target, -ground.SLACK)
    who = f"{shot.model.id} with {arm.name} at {target.id}"
    if arm.has("blast") and held:
        yield entry.number, who, "no Blast at whom the own side is engaged with"
    if mine and not big and not arm.has("pistol"):
        yield entry.number, who, f"{unit.id} is engaged with {', '.join(sorted(mine))}: Pistols only"
    if mine and not big and arm.has("pistol") and target.id not in near:
        yield entry.number, who, f"Pistols only at {', '.join(sorted(near))}"
    fortified = held and all(u.has("FORTIFICATION") for u in held)
    if held and not target.has("MONSTER", "VEHICLE") and not fortified and target.id not in near:
        yield entry.number, who, f"{target.id} is engaged with {', '.join(u.id for u in held)}"


def _together(entry: Entry, unit: Unit, shots: list[Shot]) -> Iterator[Finding]:
    """What a model fires together, and how often."""
    for name in dict.fromkeys(s.model.id for s in shots):
        mine = [s for s in shots if s.model.id == name]
        kinds = {s.weapon.has("pistol") for s in mine}
        if len(kinds) > 1 and not mine[0].owner.has("MONSTER", "VEHICLE"):
            yield entry.number, f"{name} fires Pistols and other weapons", "the ones or the others"
        for arm in dict.fromkeys(s.weapon.name for s in mine):
            fired = sum(s.weapon.name == arm for s in mine)
            copies = carries(mine[0].owner, mine[0].model).count(arm)
            if fired > copies:
                yield entry.number, f"{name} fires {arm} {fired} times", f"{copies}"
    aboard = [s for s in shots if s.owner.id != unit.id]
    if aboard:
        most = int(unit.ability("firing-deck") or 0)
        names = [s.model.id for s in aboard]
        if len(set(names)) > most or len(set(names)) < len(names):
            yield entry.number, f"{len(names)} weapons from aboard {unit.id}", f"one each of {most} models"
        if any(s.weapon.has("one-shot") for s in aboard):
            yield entry.number, f"a One Shot weapon from aboard {unit.id}", "never by Firing Deck"


def _once(entry: Entry, shots: list[Shot], spent: set[tuple[str, str, int]]) -> Iterator[Finding]:
    for shot in shots:
        if not shot.weapon.has("one-shot"):
            continue
        free = [k for k in range(shot.model.loadout.count(shot.weapon.name)) if _key(shot, k) not in spent]
        if not free:
            yield entry.number, f"{shot.model.id} fires {shot.weapon.name} again", "once in a battle"
        else:
            spent.add(_key(shot, free[0]))


def _key(shot: Shot, k: int) -> tuple[str, str, int]:
    return shot.model.id, shot.weapon.name, k


@check("guided")
def guided(story: Story) -> Iterator[Finding]:
    """For the Greater Good: who guides whom at which enemy."""
    shot_in: set[tuple[int, str]] = set()
    used: set[tuple[int, str]] = set()
    for entry in story.entries:
        phase = entry.before.phase
        if entry.type == "guide":
            unit, observer = entry.before.units[entry.unit], entry.before.units[entry.command["observer"]]
            target = entry.before.units[entry.command["target"]]
            fine = target.player != unit.player and target.on_table and observer.on_table
            if not fine or observer.player != unit.player or observer.id == unit.id:
                yield (
                    entry.number,
                    f"{observer.id} guides {unit.id} at {target.id}",
                    "a friend, and an enemy, on the table",
                )
            if observer.has("FORTIFICATION") or observer.marked("battle-shocked"):
                yield entry.number, f"{observer.id} is an Observer", "no Fortification, nobody Battle-shocked"
            for name in (unit.id, observer.id):
                if (phase, name) in shot_in:
                    yield entry.number, f"{name} has shot", "both are eligible to shoot"
            if (phase, observer.id) in used:
                yield entry.number, f"{observer.id} observes twice", "once a phase"
            used.add((phase, observer.id))
        if entry.type == "shoot":
            shot_in.add((phase, entry.unit))
