"""Throwing pebbles: dice, a choice, a reaction, wounds and points."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import (
    Battle,
    Marker,
    MarkerSet,
    ModelsRemoved,
    ScoreChanged,
    Unit,
    WoundsChanged,
)
from sim.geometry import PlacedSet, gaps, within
from sim.rules import Ledger, Modifier, NeedChoice, NeedRoll, Procedure, Reaction, ReactionWindow, Violation
from tests.toy import common
from tests.toy.commands import Throw

HITS_ON = 4  # on a die with six sides
PLUCK = "pluck"  # what a dodge costs


def targets(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """The enemy units within range, in the order of the battle."""
    mine = PlacedSet.of(m.placed for m in unit.models if m.pose is not None)
    reach = float(battle.option("throw_range", 12.0))
    found = []
    for other in battle.units:
        theirs = PlacedSet.of(m.placed for m in other.models if m.pose is not None)
        if other.player == unit.player or not (len(mine) and len(theirs)):
            continue
        if within(float(gaps(mine, theirs).min()), reach):
            found.append(other.id)
    return tuple(found)


def judge(battle: Battle, command: Throw) -> Iterator[Violation]:
    unit = battle.unit(command.unit)
    yield from common.may_act(battle, unit, "Throw", "throws", "pebbles")
    if not unit.on_table or unit.marked("thrown"):
        yield Violation("not-eligible", "Throw", f"{unit.id} cannot throw now", (unit.id,))
    if unit.on_table and not targets(battle, unit):
        yield Violation("target-too-far", "Throw", f"nobody is in reach of {unit.id}", (unit.id,))


def resolve(battle: Battle, command: Throw) -> Procedure:
    unit = battle.unit(command.unit)
    options = targets(battle, unit)
    target = options[0]
    if len(options) > 1:
        target = yield NeedChoice(unit.player, "whom to throw at", options)
    battle = yield ReactionWindow("thrown-at", target, (battle.unit(target).player,))
    ledger = needed(battle.unit(target))
    faces = yield NeedRoll(len(unit.models), 6, f"{unit.id} throws at {target}", unit.player)
    for _ in [face for face in faces if face >= ledger.needed]:
        victim = next(iter(battle.unit(target).models), None)
        if victim is None:
            break
        battle = yield WoundsChanged(victim.id, victim.wounds_lost + 1)
        if victim.wounds_lost + 1 >= (battle.unit(target).value("W") or 1):
            battle = yield ModelsRemoved(target, (victim.id,))
            battle = yield ScoreChanged(unit.player, 1)
    yield MarkerSet(unit.id, Marker("thrown", target, until="end-of-turn"))


def needed(target: Unit) -> Ledger:
    """The face that hits, with its reasons."""
    dodging = (Modifier(-1, "the target dodges", "Dodge"),) if target.marked("dodging") else ()
    return Ledger(HITS_ON, dodging, cap=1)


def reactions(battle: Battle, window: ReactionWindow, player: str) -> tuple[Reaction, ...]:
    """A dodge for whoever has pluck left."""
    if window.when != "thrown-at" or not battle.option("dodges", True) or pluck(battle, player) < 1:
        return ()

    def dodge(now: Battle) -> Procedure:
        yield ScoreChanged(player, -1, PLUCK)
        yield MarkerSet(window.subject, Marker("dodging", until="end-of-phase"))

    return (Reaction("dodge", f"costs one {PLUCK}", dodge),)


def pluck(battle: Battle, player: str) -> int:
    """How much pluck a player has left."""
    return next((n for who, what, n in battle.resources if (who, what) == (player, PLUCK)), 0)
