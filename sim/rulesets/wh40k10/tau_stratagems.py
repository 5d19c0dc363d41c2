"""The Stratagems of the Kauyon and the Mont'ka, one record each."""

from __future__ import annotations

from collections.abc import Iterator

from shapely import Point, Polygon

from sim.battle import Battle, Marker, MarkerSet, Objective, Unit
from sim.rules import Procedure, ReactionWindow
from sim.rulesets.wh40k10 import (
    abilities,
    engagement,
    firing,
    guided,
    movement,
    parting,
    shooting,
)
from sim.rulesets.wh40k10.cards import OWN_TIME, Card, Lasts, Use, lasting, marks
from sim.rulesets.wh40k10.core_stratagems import is_not_shot_at, is_shot_at

SHAKEN_BY = 2  # of inches and pips; Pulse Onslaught
FROM_THE_THIRD = (3, 5)  # battle rounds; Kauyon
UP_TO_THE_THIRD = (1, 3)  # battle rounds; Focused Fire
TRAP = "trap-objective"  # the marker of the unit by which a player has chosen its Trap


def _has_been_selected(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    if battle.unit(use.unit).marked("shot"):
        yield f"{battle.unit(use.unit).name} has been selected to shoot"


# --- A Tempting Trap


def trap_of(battle: Battle, player: str) -> str | None:
    """The Trap objective marker of a player, None before it has been chosen."""
    found = (abilities.marker(u, TRAP) for u in battle.units if u.player == player)
    return next((marker.subject for marker in found if marker is not None), None)


def _traps(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    chosen = trap_of(battle, use.player)
    yield from (o.id for o in battle.battlefield.objectives if chosen in (None, o.id))


def _no_trap(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    yield from _has_been_selected(battle, moment, use)
    chosen = trap_of(battle, use.player)
    objectives = {o.id: o for o in battle.battlefield.objectives}
    if chosen is not None:
        if use.target not in ("", chosen):
            yield f"the Trap of {use.player} is {chosen}"
    elif use.target not in objectives:
        yield f"it needs an objective marker: {', '.join(sorted(objectives))}"
    elif _in_enemy_zone(battle, use.player, objectives[use.target]):
        yield f"{use.target} is in the opponent's deployment zone"


def _in_enemy_zone(battle: Battle, player: str, objective: Objective) -> bool:
    """Whether the centre of a marker lies in an enemy zone; a disc that is cut out of one is no part of it."""
    at = Point(objective.at)
    return any(
        zone.player
        and zone.player != player
        and Polygon(zone.outline).covers(at)
        and not any(Point(disc.at).distance(at) <= disc.radius for disc in zone.minus)
        for zone in battle.battlefield.zones
    )


def _somebody_is_near(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    unit = battle.unit(use.unit)
    place = trap_of(battle, use.player) or use.target
    objective = next(o for o in battle.battlefield.objectives if o.id == place)
    return any(abilities.near_objective(foe, objective) for foe in _under_fire(battle, unit))


def _under_fire(battle: Battle, unit: Unit) -> Iterator[Unit]:
    """The enemies that a unit could shoot at now."""
    if shooting.eligible(battle, unit):
        yield from (foe for foe in firing.foes_of(battle, unit) if firing.can_fire_at(battle, unit, foe))


def _tempt(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    place = trap_of(battle, use.player)
    if place is None:
        place = use.target
        yield MarkerSet(use.unit, Marker(TRAP, place))
    yield MarkerSet(use.unit, lasting(battle, use.player, lasts, "tempting-trap", place))


# --- Coordinate to Engage, Point-Blank Ambush


def _can_fire_at_spotted(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    unit, spotted = battle.unit(use.unit), battle.unit(moment.other)
    return shooting.eligible(battle, unit) and firing.can_fire_at(battle, unit, spotted)


def _somebody_is_close(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    unit, reach = battle.unit(use.unit), abilities.POINT_BLANK_REACH
    return any(firing.is_within(battle, unit, foe, reach) for foe in _under_fire(battle, unit))


# --- Pinpoint Counter-Offensive


def _no_killer(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    killer = battle.unit(moment.other)
    if killer.player == use.player:
        yield f"{killer.name} is not an enemy unit"


def _killer_is_left(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    hunters = (u for u in battle.units if u.player == use.player and u.models and not u.has("KROOT"))
    return bool(battle.unit(moment.other).models) and any(True for _ in hunters)


def _hunt(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    yield MarkerSet(moment.other, lasting(battle, use.player, lasts, "pinpoint", use.player))


# --- Aggressive Mobility


def _has_moved(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    if unit.marked("moved") or movement.advance_roll(unit) is not None:
        yield f"{unit.name} has been selected to move"


def _can_advance(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    unit = battle.unit(use.unit)
    return movement.move_of(unit) is not None and not engagement.engaged_with(battle, unit)


# --- Focused Fire


def _pairs(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    friends = [u for u in shooting.on_table(battle, use.player) if u.id != unit.id]
    for foe in firing.foes_of(battle, unit):
        yield from (f"{friend.id} {foe.id}" for friend in friends)


def _not_a_pair(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    names = use.target.split()
    if len(names) != 2 or not all(battle.has_unit(n) for n in names):
        yield "it needs a second unit and an enemy unit as its target"
        return
    second, enemy = (battle.unit(n) for n in names)
    if second.player != use.player or enemy.player == use.player:
        yield "it needs a second unit of the same army and an enemy unit"
    elif second.id == use.unit:
        yield "it needs two units"
    for unit in (second, enemy):
        if not unit.on_table:
            yield f"{unit.name} is not on the table"
    if second.marked("battle-shocked"):
        yield f"{second.name} is Battle-shocked"
    yield from _has_been_selected(battle, moment, use)
    yield from _has_been_selected(battle, moment, Use(use.player, second.id))


def _both_can_fire(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    second, enemy = (battle.unit(name) for name in use.target.split())
    units = (battle.unit(use.unit), second)
    return all(shooting.eligible(battle, u) and firing.can_fire_at(battle, u, enemy) for u in units)


def _focus(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    second, enemy = use.target.split()
    for name in (use.unit, second):
        yield MarkerSet(name, lasting(battle, use.player, lasts, "focused-fire", enemy))


# --- Pulse Onslaught


def _struck(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    return (u.id for u in battle.units if u.models and shooting.was_hit_by(u, use.unit))


def _cannot_be_shaken(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    enemy = battle.unit(use.target)
    if enemy.player == use.player or not enemy.on_table:
        yield f"{enemy.name} is not an enemy unit on the table"
    if enemy.has("MONSTER", "VEHICLE"):
        yield f"{enemy.name} is a Monster or Vehicle"


def _was_hit(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    return f"{battle.unit(use.unit).name} has hit {battle.unit(use.target).name}"


def _shake(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    yield MarkerSet(use.target, lasting(battle, use.player, lasts, movement.SHAKEN, use.player, SHAKEN_BY))


KAUYON = (
    Card(
        "tempting-trap",
        "A Tempting Trap",
        cost=1,
        of=("kauyon",),
        when=(OWN_TIME.when,),
        turn="own",
        phases=("shooting",),
        rounds=FROM_THE_THIRD,
        subject=False,
        lasts="end-of-phase",
        targets=_traps,
        wrong=_no_trap,
        useful=_somebody_is_near,
        effect=_tempt,
    ),
    Card(
        "coordinate-to-engage",
        "Coordinate to Engage",
        cost=1,
        of=("kauyon",),
        when=(guided.OBSERVER_CHOSEN,),
        turn="own",
        phases=("shooting",),
        lasts="end-of-phase",
        useful=_can_fire_at_spotted,
        effect=marks(("coordinate-to-engage", "")),
        says=lambda battle, moment, use: f"{battle.unit(use.unit).name} is an Observer",
    ),
    Card(
        "point-blank-ambush",
        "Point-Blank Ambush",
        cost=1,
        of=("kauyon",),
        when=(OWN_TIME.when,),
        turn="own",
        phases=("shooting",),
        rounds=FROM_THE_THIRD,
        subject=False,
        lasts="end-of-phase",
        wrong=_has_been_selected,
        useful=_somebody_is_close,
        effect=marks(("point-blank-ambush", "")),
    ),
)

MONTKA = (
    Card(
        "pinpoint-counter-offensive",
        "Pinpoint Counter-Offensive",
        cost=1,
        of=("montka",),
        when=(parting.UNIT_DESTROYED,),
        turn="either",
        place="destroyed",
        without=("KROOT",),
        lasts="end-of-battle",
        wrong=_no_killer,
        useful=_killer_is_left,
        effect=_hunt,
    ),
    Card(
        movement.SWIFTLY,
        "Aggressive Mobility",
        cost=1,
        of=("montka",),
        when=(OWN_TIME.when,),
        turn="own",
        phases=("movement",),
        subject=False,
        lasts="end-of-phase",
        wrong=_has_moved,
        useful=_can_advance,
        effect=marks((movement.SWIFTLY, "")),
    ),
    Card(
        "focused-fire",
        "Focused Fire",
        cost=1,
        of=("montka",),
        when=(OWN_TIME.when,),
        turn="own",
        phases=("shooting",),
        point="start",
        rounds=UP_TO_THE_THIRD,
        subject=False,
        lasts="end-of-phase",
        targets=_pairs,
        wrong=_not_a_pair,
        useful=_both_can_fire,
        effect=_focus,
    ),
    Card(
        "pulse-onslaught",
        "Pulse Onslaught",
        cost=2,
        of=("montka",),
        when=(shooting.HAS_SHOT,),
        turn="own",
        phases=("shooting",),
        keywords=("INFANTRY",),
        without=("KROOT",),
        lasts="end-of-opponents-next-turn",
        targets=_struck,
        wrong=_cannot_be_shaken,
        effect=_shake,
        says=_was_hit,
    ),
    Card(
        "counterfire",
        "Counterfire Defence Systems",
        cost=2,
        of=("montka",),
        when=(shooting.TARGETS_CHOSEN,),
        turn="opponent",
        phases=("shooting",),
        lasts="end-of-phase",
        wrong=is_not_shot_at,
        effect=marks(("counterfire", "")),
        says=is_shot_at,
    ),
)
