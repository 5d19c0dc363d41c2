"""Who may do something now: the clock, the owner, who flees, who is engaged, and who never does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle import Battle, Unit
from sim.battle.state import DESTROYED
from sim.geometry import within
from sim.geometry.distance import gaps
from sim.rules import Violation
from sim.rules.abilities import AbilityError
from sim.rulesets.wap.abilities import RANDOM_MOVEMENT, random_dice

WAR_MACHINE = "WAR MACHINE"  # the keyword
SPEED_DICE = 4  # D6; Doomwheel Mishap Chart, Burst of Speed


def may_act(battle: Battle, unit: Unit, rule: str, phase: str, step: str) -> Iterator[Violation]:
    """Not on the table, wrong phase or step, or the other player's turn; a clock that is not set forbids nothing."""
    clock = battle.clock
    if unit.whereabouts == DESTROYED:
        yield Violation("not-eligible", rule, f"{unit.name} is destroyed", (unit.id,))
    if not clock.phase:
        return
    if (clock.phase, clock.step) != (phase, step):
        now = f"{_words(clock.phase)}, {_words(clock.step)}"
        what = f"{rule} belongs to the {_words(phase)} phase, {_words(step)}; now it is {now}"
        yield Violation("wrong-phase", rule, what, (unit.id,))
    elif clock.player and clock.player != unit.player:
        what = f"{unit.name} belongs to {unit.player}; it is the turn of {clock.player}"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def one_pose_each(unit: Unit, given: Sequence[object], rule: str) -> Iterator[Violation]:
    """Not exactly one pose or path a model."""
    if len(given) != len(unit.models):
        what = f"{unit.name} has {len(unit.models)} models; {len(given)} were given a place"
        yield Violation("wrong-model-count", rule, what, (unit.id,))


def is_war_machine(unit: Unit) -> bool:
    """Whether a unit is a war machine: its crew neither charges nor marches with it."""
    return unit.has(WAR_MACHINE)


def no_war_machine(unit: Unit, rule: str, what: str) -> Iterator[Violation]:
    """What a war machine never does."""
    if is_war_machine(unit):
        yield Violation("not-eligible", rule, f"{unit.name} is a war machine: it does not {what}", (unit.id,))


def no_random_movement(unit: Unit, rule: str, what: str) -> Iterator[Violation]:
    """What a unit with Random Movement never does: it has no Movement of its own to do it with."""
    if unit.ability(RANDOM_MOVEMENT) is not None:
        text = f"{unit.name} has Random Movement: it moves in the Compulsory Moves sub-phase and may not {what}"
        yield Violation("random-movement-only", rule, text, (unit.id,))


def movement_dice(unit: Unit) -> int:
    """How many dice a unit with Random Movement rolls now: what its rule says, more by a burst, less by disasters."""
    try:
        dice = random_dice((unit.ability(RANDOM_MOVEMENT) or "").strip("() ")).dice
    except AbilityError:
        return 0
    if unit.marked("burst-of-speed"):
        dice = SPEED_DICE
    return max(0, dice - sum(m.amount for m in unit.markers if m.kind == "lost-die"))


def is_fleeing(unit: Unit) -> bool:
    """Whether a unit flees: by a marker of the game, or a keyword of a scenario that begins with it."""
    return unit.marked("fleeing") or unit.has("FLEEING")


def has_rallied(unit: Unit) -> bool:
    """Whether a unit rallied this turn."""
    return unit.marked("rallied") or unit.has("RALLIED")


def engaged_with(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The enemy units in base contact with a unit, in the order of the battle."""
    if not unit.on_table:
        return ()
    mine = battle.index.of_unit(unit.id).bases
    return tuple(
        enemy.id
        for enemy in battle.units
        if enemy.player != unit.player
        and enemy.on_table
        and bool(within(gaps(mine, battle.index.of_unit(enemy.id).bases), 0.0).any())
    )


def _words(name: str) -> str:
    return name.replace("-", " ")
