"""Who may do something now: the phase, the order of things within it, the owner, and what was done before.

Within the Movement Phase nothing waits for a fixed step: what comes first has to be done first. Ambushing units roll
and arrive, then units with Random Movement move, then all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle import Battle, Unit
from sim.battle.state import DESTROYED, RESERVES
from sim.geometry import Path
from sim.rules import Violation
from sim.rulesets.t9a import formation

AMBUSH_ROLLS, AMBUSH, RANDOM, MOVES = "ambush-rolls", "ambush", "random-movement", "moves"  # steps of the phase
WAR_MACHINE = "WAR MACHINE"  # the keyword
FIRST_TURN = 2  # the owner's Player Turn; Ambush
ARRIVING = "arriving"  # its roll succeeded this turn
STAYING = "staying"  # its roll failed this turn
AMBUSHED = "ambushed"  # it arrived in this phase
MOVED = "moved"  # it has moved in this turn
CHARGING = "charging"  # it has declared a charge in this turn that reaches
SHAKEN = "shaken"  # it does nothing of its own will; after a failed charge until the end of the turn


def may_act(battle: Battle, unit: Unit, rule: str, phase: str) -> Iterator[Violation]:
    """Wrong phase or the other player's turn; a clock that is not set forbids nothing."""
    clock = battle.clock
    if unit.whereabouts == DESTROYED:
        yield Violation("not-eligible", rule, f"{unit.name} is destroyed", (unit.id,))
    if not clock.phase:
        return
    if clock.phase != phase:
        what = f"{rule} belongs to the {phase} phase; now it is the {clock.phase} phase"
        yield Violation("wrong-phase", rule, what, (unit.id,))
    elif clock.player and clock.player != unit.player:
        what = f"{unit.name} belongs to {unit.player}; it is the turn of {clock.player}"
        yield Violation("wrong-phase", rule, what, (unit.id,))


def standing_free(unit: Unit, rule: str) -> Iterator[Violation]:
    """Not on the table, or standing in the ranks of another unit."""
    if not unit.on_table:
        yield Violation("not-eligible", rule, f"{unit.name} is not on the table", (unit.id,))
    elif formation.host_of(unit):
        what = f"{unit.name} stands in the ranks of {formation.host_of(unit)} and moves with it"
        yield Violation("not-eligible", rule, what, (unit.id,))


def is_war_machine(unit: Unit) -> bool:
    """Whether a unit is a War Machine: it neither charges nor marches."""
    return unit.has(WAR_MACHINE)


def no_war_machine(unit: Unit, rule: str, what: str) -> Iterator[Violation]:
    """What a War Machine never does."""
    if is_war_machine(unit):
        yield Violation("not-eligible", rule, f"{unit.name} is a War Machine: it does not {what}", (unit.id,))


def may_manoeuvre(unit: Unit, rule: str) -> Iterator[Violation]:
    """A unit that arrived in this phase counts as having made an Advance Move; nobody moves twice in a phase.

    Whoever has attempted a charge in this turn, whether it reaches or not, makes no Move Manoeuvre, nor do the Shaken.
    """
    if unit.marked(SHAKEN):
        yield Violation("not-eligible", rule, f"{unit.name} is Shaken and moves no more of its own will", (unit.id,))
    elif unit.marked(CHARGING):
        yield Violation("not-eligible", rule, f"{unit.name} has charged in this turn", (unit.id,))
    if unit.marked(AMBUSHED):
        what = f"{unit.name} arrived from ambush in this phase and counts as having made an Advance Move"
        yield Violation("not-eligible", rule, what, (unit.id,))
    elif unit.marked(MOVED):
        yield Violation("not-eligible", rule, f"{unit.name} has already moved", (unit.id,))


def waits(battle: Battle, unit: Unit) -> bool:
    """Whether a unit in ambush still has to roll, or has rolled and still has to arrive, in this turn."""
    clock = battle.clock
    if unit.whereabouts != RESERVES or unit.ability("ambush") is None or formation.host_of(unit):
        return False
    if clock.round < FIRST_TURN or unit.marked(STAYING) or clock.step not in (AMBUSH_ROLLS, AMBUSH):
        return False
    return clock.step == AMBUSH_ROLLS or unit.marked(ARRIVING)


def ambushers_first(battle: Battle, unit: Unit, rule: str) -> Iterator[Violation]:
    """A unit of the same player that may still arrive from ambush goes before."""
    if battle.clock.phase != "movement":
        return
    waiting = [other for other in battle.units if other.player == unit.player and waits(battle, other)]
    if waiting:
        what = f"{rule} comes after ambushing units have arrived; {waiting[0].name} has not"
        yield Violation("wrong-phase", rule, what, (unit.id, waiting[0].id))


def random_movers_first(battle: Battle, unit: Unit, rule: str) -> Iterator[Violation]:
    """A unit of the same player with Random Movement goes before."""
    if battle.clock.phase != "movement" or battle.clock.step == MOVES:
        return
    for other in battle.units:
        mine = other.player == unit.player and other.on_table and other.ability("random-movement") is not None
        if mine and not formation.host_of(other) and not any(may_manoeuvre(other, rule)):
            what = f"{rule} comes after Random Movement; {other.name} has not moved"
            yield Violation("wrong-phase", rule, what, (unit.id, other.id))
            return


def one_each(unit: Unit, given: Sequence[object], rule: str) -> Iterator[Violation]:
    """Not exactly one pose or path a model: the whole unit or nothing."""
    if len(given) != len(unit.models):
        what = f"{unit.name} has {len(unit.models)} models; {len(given)} were given a place"
        yield Violation("wrong-model-count", rule, what, (unit.id,))


def starts(unit: Unit, paths: Sequence[Path], rule: str) -> Iterator[Violation]:
    """A path that does not begin where its model stands."""
    for model, path in zip(unit.models, paths, strict=False):
        if path.start != model.pose:
            what = f"the path of {model.id} does not start where the model stands"
            yield Violation("wrong-start", rule, what, (model.id,))
