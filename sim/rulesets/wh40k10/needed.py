"""Which numbers do attacks need that nothing says? Told by unit and number, for play and for the odds alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle import Battle, Unit
from sim.rules import Command, Violation
from sim.rulesets.wh40k10 import leaders, shooting
from sim.rulesets.wh40k10.commands import Fight, Shoot
from sim.rulesets.wh40k10.datasheets import arms_of

RULE = "Profile"
OF_TARGETS = ("T", "SV", "W")
OF_BEARERS = ("W",)  # of Hazardous weapons


def missing(unit: Unit, numbers: Sequence[str] = OF_TARGETS) -> Iterator[str]:
    """Those of the numbers that some model of a unit lacks, in a sentence each."""
    for number in numbers:
        if any(leaders.number(unit, model, number) is None for model in unit.models):
            yield f"unit {unit.id}: profile: attacks need its {number}, and neither the file nor a datasheet says it"


def lacking(battle: Battle, command: Command) -> tuple[Violation, ...]:
    """What is missing for the dice of an attack to be read; a command that is legal may still lack it."""
    if not isinstance(command, (Shoot, Fight)):
        return ()
    found = []
    for name in dict.fromkeys(attack.target for attack in command.attacks):
        found += [(name, what) for what in missing(battle.unit(name))]
    if _is_hazardous(battle, command):
        found += [(command.unit, what) for what in missing(battle.unit(command.unit), OF_BEARERS)]
    return tuple(Violation("number-missing", RULE, what, (name,)) for name, what in found)


def _is_hazardous(battle: Battle, command: Shoot | Fight) -> bool:
    unit = battle.unit(command.unit)
    if isinstance(command, Shoot):
        return bool(shooting.hazarded(unit, shooting.shots_of(battle, unit, command.attacks)))
    names = {(attack.model, attack.weapon) for attack in command.attacks}
    return any(
        weapon.has("hazardous") and not weapon.ranged and any(model.id == name for name, _ in names)
        for model in unit.models
        for weapon in arms_of(unit, model)
    )
