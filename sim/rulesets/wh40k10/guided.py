"""For the Greater Good: an Observer helps a Guided unit against their Spotted enemy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sim.battle import Battle, Marker, MarkerSet, Unit
from sim.rules import Procedure, ReactionWindow, Violation
from sim.rulesets.wh40k10 import (
    abilities,
    quantifiers,
    shooting,
    visibility,
)
from sim.rulesets.wh40k10.abilities import GREATER_GOOD
from sim.rulesets.wh40k10.commands import Guide
from sim.rulesets.wh40k10.eligibility import may_act
from sim.rulesets.wh40k10.noticing import answered

OBSERVER_CHOSEN = "observer-chosen"


def judge(battle: Battle, command: Guide) -> Iterator[Violation]:
    """All that is wrong with guiding like this; where Observers mark for everybody, whom it names first is nothing."""
    unit, observer, target = (battle.unit(n) for n in (command.unit, command.observer, command.target))
    actor = observer if marks(battle) else unit
    yield from may_act(battle, actor, GREATER_GOOD, "shooting", "shoot")
    if marks(battle):
        yield from _wrong_mark(battle, observer, target)
    else:
        yield from _wrong_guided(battle, unit)
        yield from _wrong_observer(battle, unit, observer)
    if target.player == actor.player or not target.on_table:
        yield _no(target, f"{target.name} is not an enemy unit on the table")
        return
    for eye in (observer,) if marks(battle) else (unit, observer):
        if eye.on_table and not visibility.unit_visible(battle, eye, target):
            what = f"{target.name} is not visible to {eye.name}"
            yield Violation("not-visible", GREATER_GOOD, what, (eye.id, target.id))


def marks(battle: Battle) -> bool:
    """Whether Observers mark enemies for everybody, as in the last form of the edition, and help nobody by name."""
    return battle.option("greater_good", "page") == "last"


def possible_observers(battle: Battle, unit: Unit) -> list[Unit]:
    """Who may be named as the Observer with a unit: another one, or, where enemies are marked, itself."""
    if marks(battle):
        return [unit]
    return [u for u in battle.units if u.player == unit.player and u.id != unit.id and takes_part(u)]


def takes_part(unit: Unit) -> bool:
    """Whether a unit can be Guided, or be an Observer, as far as its abilities go."""
    return quantifiers.some(unit, "for-the-greater-good") is not None


def may_name_somebody(battle: Battle, unit: Unit) -> bool:
    """Whether there is an Observer and an enemy with whom a unit could be Guided, or that it could mark."""
    if not takes_part(unit) or unit.marked("observer") or unit.marked("guided"):
        return False
    foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    fit = (u for u in possible_observers(battle, unit) if not any(_unfit(battle, u)))
    return any(not any(judge(battle, Guide(unit.id, o.id, foe.id))) for o in fit for foe in foes)


def _wrong_guided(battle: Battle, unit: Unit) -> Iterator[Violation]:
    if not takes_part(unit):
        yield _no(unit, f"{unit.name} does not have {GREATER_GOOD}")
    if unit.marked("guided"):
        yield _no(unit, f"{unit.name} is Guided already")
    if unit.marked("observer"):
        yield _no(unit, f"{unit.name} is an Observer")
    yield from shooting.why_not(battle, unit)


def _wrong_mark(battle: Battle, observer: Unit, target: Unit) -> Iterator[Violation]:
    """At the start of the phase, and no enemy for the second time."""
    shot = [u.name for u in battle.units if u.player == observer.player and u.marked("shot")]
    if shot:
        yield _no(observer, f"enemies are marked at the start of the phase; {shot[0]} has shot")
    marked = next((u for u in battle.units if abilities.observes(u, target)), None)
    if marked is not None:
        yield _no(target, f"{target.name} is Spotted already, by {marked.name}")
    yield from _unfit(battle, observer)


def _wrong_observer(battle: Battle, unit: Unit, observer: Unit) -> Iterator[Violation]:
    if observer.id == unit.id or observer.player != unit.player:
        yield _no(observer, f"{observer.name} is not another friendly unit")
        return
    yield from _unfit(battle, observer)


def _unfit(battle: Battle, observer: Unit) -> Iterator[Violation]:
    """Why a unit cannot be an Observer at all."""
    if not takes_part(observer):
        yield _no(observer, f"{observer.name} does not have {GREATER_GOOD}")
    if observer.has("FORTIFICATION"):
        yield _no(observer, f"{observer.name} is a Fortification")
    if observer.marked("battle-shocked"):
        yield _no(observer, f"{observer.name} is Battle-shocked")
    if observer.marked("observer"):
        yield _no(observer, f"{observer.name} is an Observer already")
    if not shooting.eligible(battle, observer):
        yield _no(observer, f"{observer.name} is not eligible to shoot")


def resolve(battle: Battle, command: Guide) -> Procedure:
    """The three are named; whoever coordinates may be helped by a Stratagem."""
    end: Literal["end-of-phase"] = "end-of-phase"
    marked = marks(battle)
    if not marked:
        battle = yield MarkerSet(command.unit, Marker("guided", command.target, until=end))
    battle = yield MarkerSet(command.observer, Marker("observer", command.target, until=end))
    if not marked:
        battle = yield MarkerSet(command.observer, Marker("observer-of", command.unit, until=end))
    player = battle.unit(command.unit).player
    window = ReactionWindow(OBSERVER_CHOSEN, command.observer, (player,), other=command.target)
    yield from answered(battle, window)


def _no(unit: Unit, why: str) -> Violation:
    return Violation("not-eligible", GREATER_GOOD, why, (unit.id,))
