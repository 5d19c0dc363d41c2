"""What a sensible player would consider: for each offer some commands, best first; none where it is better let be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice

from numpy.random import Generator
from shapely import Polygon

from sim.battle import Battle, Unit
from sim.geometry import Placed, PlacedSet, Point, Pose, gaps
from sim.rules import Command, Offer
from sim.rulesets.wh40k10 import (
    abilities,
    charging,
    command_phase,
    engagement,
    fighting,
    guided,
    movement,
    planning,
    stratagems,
    transports,
)
from sim.rulesets.wh40k10.commands import (
    Advance,
    Charge,
    Disembark,
    Embark,
    Guide,
    NormalMove,
    ScoutMove,
)
from sim.rulesets.wh40k10.datasheets import arms_of
from sim.rulesets.wh40k10.volleys import amount
from sim.rulesets.wh40k10.whims import ALL_DRAWN, SET_UP, SPACING, by_strip, whims

HOPE = 0.4  # the least chance of a Charge roll for which a charge is declared
NEAR = 6.0  # a guess: inches; friends about a marker for which another is better
GRID = 5.0  # a guess: inches between the spots that are tried all over the table
MOST_SPOTS = 60
MOST_PAIRED = 4  # enemies of which charges at two together are shown
STAND_OFF = 0.8  # of a weapon's range at which it is brought to bear
MARKER_EDGE = 2.0  # a guess: inches from a marker at which a unit stands about it


def proposals(battle: Battle, offer: Offer, wild: bool = False, chance: Generator | None = None) -> Iterator[Command]:
    """Commands for an offer, best first; they are to be judged before they are given.

    When ``wild`` also what no sensible player would do: moves to anywhere, charges that are not likely to arrive. With
    a ``chance`` what it draws comes first.
    """
    if not offer.unit:
        return
    drawn = None if chance is None else whims(battle, offer, chance)
    if drawn is not None:
        yield from drawn
        if offer.command in ALL_DRAWN:
            return
    unit = battle.unit(offer.unit)
    match offer.command:
        case "normal-move" | "advance" if wild:
            yield from islice(_anywhere(battle, unit, offer.command), None if chance is None else 1)
        case "charge" if wild:
            yield from _every_charge(battle, unit)
        case "embark" if wild:
            for other in battle.units:
                if other.player == unit.player and other.has("TRANSPORT"):
                    yield Embark(unit.id, other.id)
        case "shoot" if wild:
            yield from _each_target(battle, unit)
        case "guide" if wild:
            yield from _every_pair(battle, unit)
        case "stratagem" if wild:
            yield from stratagems.offers(battle, unit)
        case "fall-back" if wild:
            yield from planning.away(battle, unit, movement.distance_of(unit))
        case "normal-move":
            yield from _moves(battle, unit)
        case "advance":
            yield from _advances(battle, unit)
        case "scout-move":
            reach = movement.scout_distance(unit) or 0.0
            for paths in planning.towards(battle, unit, _goal(battle, unit), reach):
                yield ScoutMove(unit.id, paths)
        case "fall-back":
            if _wants_out(battle, unit):
                yield from planning.away(battle, unit, movement.distance_of(unit))
        case "deploy" | "infiltrate" | "deep-strike" | "strategic-reserves" | "rapid-ingress":
            kind = SET_UP[offer.command]
            for poses in islice(_blocks(battle, unit, offer.command), MOST_SPOTS):
                yield kind(unit.id, poses)
        case "disembark":
            carrier = transports.transport_of(battle, unit)
            if carrier is not None and (wild or not carrier.has("FORTIFICATION")):
                room = transports.room_around(battle, unit, carrier, emergency=False)
                if room is not None:
                    yield Disembark(unit.id, room)
        case "shoot":
            found = planning.shots(battle, unit)
            if found is not None:
                yield found
        case "guide":
            yield from _guides(battle, unit)
        case "charge":
            yield from _charges(battle, unit)
        case "charge-move":
            yield from planning.charge_moves(battle, unit)
        case "pile-in":
            yield from planning.pile_ins(battle, unit, fighting.MOVE)
        case "fight":
            yield planning.blows(battle, unit)
        case "consolidate":
            yield from planning.consolidations(battle, unit, fighting.MOVE)
        case "stratagem":
            yield from _stratagems(battle, unit)
        case _:
            return


def _each_target(battle: Battle, unit: Unit) -> Iterator[Command]:
    """The best mix of targets first, then everything at each enemy alone."""
    best = planning.shots(battle, unit)
    if best is None:
        return
    yield best
    for foe in battle.units:
        if foe.player != unit.player and foe.on_table and foe.models:
            alone = planning.shots(battle, unit, (foe.id,))
            if alone is not None and alone != best:
                yield alone


def _every_charge(battle: Battle, unit: Unit) -> Iterator[Charge]:
    """Charges at each enemy in reach and at two of them, what needs least first, what cannot arrive last."""
    names = charging.targets_within(battle, unit)
    alone = {name: charging.needed(battle, unit, (name,)) for name in names}
    possible = [name for name in names if alone[name] != "never"]
    found: list[tuple[int, tuple[str, ...]]] = [(int(alone[name]), (name,)) for name in possible]
    for pair in combinations(possible[:MOST_PAIRED], 2):
        both = charging.needed(battle, unit, pair)
        if both != "never":
            found.append((int(both), pair))
    for _, targets in sorted(found, key=lambda charge: (charge[0], len(charge[1]))):
        yield Charge(unit.id, targets)
    yield from (Charge(unit.id, (name,)) for name in names if alone[name] == "never")


def _every_pair(battle: Battle, unit: Unit) -> Iterator[Guide]:
    """Every Observer with every enemy."""
    foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    for friend in guided.possible_observers(battle, unit):
        for foe in foes:
            yield Guide(unit.id, friend.id, foe.id)


def _anywhere(battle: Battle, unit: Unit, command: str) -> Iterator[Command]:
    """Moves towards every marker and every enemy."""
    foes = [_centre(u) for u in battle.units if u.player != unit.player and u.on_table and u.models]
    reach = movement.distance_of(unit) + (0 if command == "normal-move" else movement.advance_roll(unit) or 1)
    for goal in (*(o.at for o in battle.battlefield.objectives), *foes):
        paths = next(planning.towards(battle, unit, goal, reach))
        if any(path.stops for path in paths):
            yield NormalMove(unit.id, paths) if command == "normal-move" else Advance(unit.id, paths)


def _moves(battle: Battle, unit: Unit) -> Iterator[Command]:
    goal = _goal(battle, unit)
    if _content(battle, unit, goal):
        return
    for paths in planning.towards(battle, unit, goal, movement.distance_of(unit)):
        if any(path.stops for path in paths):
            yield NormalMove(unit.id, paths)


def _advances(battle: Battle, unit: Unit) -> Iterator[Command]:
    """Only where nothing could be shot or charged afterwards anyway, or once the die has been rolled."""
    roll = movement.advance_roll(unit)
    goal = _goal(battle, unit)
    if roll is None and (_content(battle, unit, goal) or _in_reach(battle, unit)):
        return
    least = movement.distance_of(unit) + (roll or 1)
    for paths in planning.towards(battle, unit, goal, least):
        if any(path.stops for path in paths):
            yield Advance(unit.id, paths)


def _content(battle: Battle, unit: Unit, goal: Point) -> bool:
    """Whether a unit stands where it wants to be."""
    held = [o for o in battle.battlefield.objectives if abilities.near_objective(unit, o)]
    if held and (unit.value("OC") or 0) > 0 and not _fights_by_hand(unit):
        return True
    return math.dist(_centre(unit), goal) < 1.0


def _goal(battle: Battle, unit: Unit) -> Point:
    """Where a unit wants to go: to a marker that needs it, or where it can hurt somebody."""
    centre = _centre(unit)
    foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    near = sorted(foes, key=lambda u: _apart(battle, unit, u))
    if (
        near
        and _fights_by_hand(unit)
        and _apart(battle, unit, near[0]) < 2 * movement.distance_of(unit) + charging.MOST
    ):
        return _centre(near[0])
    if (unit.value("OC") or 0) > 0 and battle.battlefield.objectives:
        best = min(battle.battlefield.objectives, key=lambda o: _price(battle, unit, centre, o.at, o.id))
        x, y = best.at
        away = math.dist(centre, best.at)
        if away < 1e-6:
            return best.at
        short = min(away, best.radius + MARKER_EDGE)
        return x + (centre[0] - x) * short / away, y + (centre[1] - y) * short / away
    if not near:
        return centre
    reach = STAND_OFF * _longest(unit)
    away, (x, y) = math.dist(centre, _centre(near[0])), _centre(near[0])
    if away <= reach:
        return centre
    return x + (centre[0] - x) * reach / away, y + (centre[1] - y) * reach / away


def _price(battle: Battle, unit: Unit, centre: Point, at: Point, name: str) -> float:
    objective = next(o for o in battle.battlefield.objectives if o.id == name)
    friends = sum(
        1
        for u in battle.units
        if u.player == unit.player and u.id != unit.id and u.on_table and u.models and math.dist(_centre(u), at) < NEAR
    )
    held = command_phase.controller(battle, objective) == unit.player
    return (
        math.dist(centre, at)
        + 10.0 * friends
        + (8.0 if held and not abilities.near_objective(unit, objective) else 0.0)
    )


def _wants_out(battle: Battle, unit: Unit) -> bool:
    """Shooters leave a fight that they would lose; who fights by hand stays."""
    return not _fights_by_hand(unit) and not unit.has("MONSTER", "VEHICLE")


def _fights_by_hand(unit: Unit) -> bool:
    """Whether a unit does more by hand than by shooting, as far as its weapons say."""
    known = [w for m in unit.models for w in arms_of(unit, m)]
    by_hand = math.fsum(
        _strength(w.attacks, w.damage, w.strength) for w in known if w.range == 0 and not w.has("extra-attacks")
    )
    afar = math.fsum(_strength(w.attacks, w.damage, w.strength) for w in known if w.range > 12)
    return by_hand > 2 * afar and any(w.range == 0 and w.strength >= 4 for w in known)


def _strength(attacks: str, damage: str, strength: int) -> float:
    return amount(attacks).mean * amount(damage).mean * strength


def _in_reach(battle: Battle, unit: Unit) -> bool:
    """Whether a unit could shoot or charge after a Normal move."""
    foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    nearest = min((_apart(battle, unit, u) for u in foes), default=math.inf)
    reach = movement.distance_of(unit)
    if nearest <= reach + (8 if _fights_by_hand(unit) else 0):
        return True
    return nearest <= reach + _longest(unit)


def _longest(unit: Unit) -> float:
    return max((w.range for m in unit.models for w in arms_of(unit, m)), default=0.0)


def _guides(battle: Battle, unit: Unit) -> Iterator[Guide]:
    """Guided by whoever hurts least by itself, at what the unit hurts most."""
    plan = planning.shots(battle, unit)
    if plan is None:
        return
    target = max(dict.fromkeys(a.target for a in plan.attacks), key=lambda t: sum(a.target == t for a in plan.attacks))
    friends = [u for u in guided.possible_observers(battle, unit) if u.on_table and u.models]
    for friend in sorted(friends, key=lambda u: (not u.has("MARKERLIGHT"), u.points)):
        if not friend.marked("guided"):
            yield Guide(unit.id, friend.id, target)


def _charges(battle: Battle, unit: Unit) -> Iterator[Charge]:
    """Charges that are likely to arrive, the likeliest and most rewarding first."""
    if not _fights_by_hand(unit):
        return
    options = []
    highest = max(n for n, chance in CHANCES.items() if chance >= HOPE)
    farthest = highest + 1.0  # inches of the gap
    for name in charging.targets_within(battle, unit):
        if _apart(battle, unit, battle.unit(name)) > farthest:
            continue
        needs = charging.needed(battle, unit, (name,), highest)
        if needs == "never":
            continue
        chance = CHANCES[int(needs)]
        if chance >= HOPE:
            options.append((chance * (battle.unit(name).points or 50), name))
    for _, name in sorted(options, reverse=True):
        yield Charge(unit.id, (name,))


CHANCES = {n: sum(6 - abs(7 - total) for total in range(n, 13)) / 36 for n in range(2, 13)}


def _stratagems(battle: Battle, unit: Unit) -> Iterator[Command]:
    """Stratagems before a unit shoots, when somebody stands where they help."""
    for command in stratagems.offers(battle, unit):
        if command.name == "point-blank-ambush":
            foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
            if not any(_apart(battle, unit, u) <= abilities.POINT_BLANK_REACH for u in foes):
                continue
        elif command.name in ("aggressive-mobility", "tempting-trap", "explosive-clearance"):
            continue
        yield command


def _blocks(battle: Battle, unit: Unit, command: str) -> Iterator[tuple[Pose, ...]]:
    """Neat blocks of a unit: about the markers first, then all over the table."""
    field = battle.battlefield
    spots: list[Point] = []
    if command != "deploy":
        for objective in field.objectives:
            spots += [
                (objective.at[0] + far * math.cos(a), objective.at[1] + far * math.sin(a))
                for far in (3.5, 6.0)
                for a in (k * math.pi / 4 for k in range(8))
            ]
    if command == "deploy":
        zones = [Polygon(z.outline) for z in field.zones if z.player == unit.player]
        boxes = [zone.bounds for zone in zones]
    elif by_strip(unit, command):
        boxes = [(0, 0, field.width, 6), (0, field.depth - 6, field.width, field.depth)]
        boxes += [(0, 0, 6, field.depth), (field.width - 6, 0, field.width, field.depth)]
    else:
        boxes = [(0.0, 0.0, field.width, field.depth)]
    for x0, y0, x1, y1 in boxes:
        nx, ny = max(1, int((x1 - x0) / GRID)), max(1, int((y1 - y0) / GRID))
        spots += [
            (x0 + (i + 0.5) * (x1 - x0) / nx, y0 + (j + 0.5) * (y1 - y0) / ny) for i in range(nx) for j in range(ny)
        ]
    foes = [u for u in battle.units if u.player != unit.player and u.on_table and u.models]
    middle = (field.width / 2, field.depth / 2)
    if command != "deploy":
        spots.sort(key=lambda s: math.dist(s, middle))
    else:
        spots.sort(key=lambda s: _taken(battle, unit, s))
    enemies = battle.index.enemies_of(unit.player).bases
    for spot in spots:
        poses = _block(unit, spot)
        if foes and command != "deploy":
            apart = gaps(PlacedSet.of(Placed(m.base, p) for m, p in zip(unit.models, poses, strict=True)), enemies)
            if apart.size and float(apart.min()) <= 9.0:
                continue
        yield poses


def _taken(battle: Battle, unit: Unit, spot: Point) -> float:
    """How crowded a spot is, so that units spread out over their zone."""
    others = [m.pose for u in battle.units if u.on_table for m in u.models if m.pose is not None]
    near = min((math.dist(p.at, spot) for p in others), default=10.0)
    return -min(near, 8.0)


def _block(unit: Unit, spot: Point) -> tuple[Pose, ...]:
    count = len(unit.models)
    widest = max(Placed(m.base, Pose(0.0, 0.0)).radius for m in unit.models)
    pitch = 2 * widest + SPACING
    files = max(1, min(5, math.ceil(math.sqrt(count))))
    rows = math.ceil(count / files)
    x0, y0 = spot[0] - (files - 1) * pitch / 2, spot[1] - (rows - 1) * pitch / 2
    return tuple(Pose(x0 + (k % files) * pitch, y0 + (k // files) * pitch) for k in range(count))


def _centre(unit: Unit) -> Point:
    poses = [m.pose for m in unit.models if m.pose is not None]
    if not poses:
        return (0.0, 0.0)
    return math.fsum(p.x for p in poses) / len(poses), math.fsum(p.y for p in poses) / len(poses)


def _apart(battle: Battle, unit: Unit, other: Unit) -> float:
    if not unit.on_table or not other.on_table or not unit.models or not other.models:
        return math.inf
    return float(engagement.apart(battle, unit, other).min())
