"""When the machine gets out of hand: the mishap chart, and the loss of control after wounds."""

from __future__ import annotations

from sim.battle import Battle, Marker, MarkerSet, ModelsRemoved
from sim.chance.dice import HIT
from sim.geometry import PlacedSet, within
from sim.geometry.contact import Contact, first_of
from sim.rules import NeedRoll
from sim.rulesets.wap import impact, random_movement
from sim.rulesets.wap.abilities import RANDOM_MOVEMENT
from sim.rulesets.wap.attacks import Resolving, hits
from sim.rulesets.wap.eligibility import engaged_with, is_fleeing, movement_dice

RULE = "Doomwheel Mishap Chart"
LOSS = "Loss of Control"
DISASTER_UPTO = {"1/2-5/6": 1, "1-2/3-5/6": 2}  # the highest face that is a disaster, by the printing
BURST = 6  # the face; Burst of Speed
DISASTER_STRENGTH = 6  # of the D6 hits
LOSES_CONTROL = 1  # the face; Loss of Control


def mishap(battle: Battle, unit_id: str) -> Resolving:
    """Roll on the chart and suffer the result."""
    player = battle.unit(unit_id).player
    (face,) = yield NeedRoll(1, 6, RULE, player)
    split = str(battle.option("mishap_split", "1/2-5/6"))
    if face <= DISASTER_UPTO[split]:
        return (yield from disaster(battle, unit_id))
    if face >= BURST:
        battle = yield MarkerSet(unit_id, Marker("mishap", "burst-of-speed", until="end-of-phase"))
        battle = yield MarkerSet(unit_id, Marker("burst-of-speed"))
        return battle
    return (yield from out_of_control(battle, unit_id))


def disaster(battle: Battle, unit_id: str) -> Resolving:
    """D6 hits of Strength 6, and one die less for its movement from now on; without dice it is lost."""
    battle = yield MarkerSet(unit_id, Marker("mishap", "disaster", until="end-of-phase"))
    (count,) = yield NeedRoll(1, 6, "Disaster: hits", battle.unit(unit_id).player)
    battle = yield from hits(battle, unit_id, int(count), DISASTER_STRENGTH, "Disaster")
    if not battle.unit(unit_id).models:
        return battle
    battle = yield MarkerSet(unit_id, Marker("lost-die", amount=1))
    unit = battle.unit(unit_id)
    if movement_dice(unit) == 0:
        battle = yield ModelsRemoved(unit_id, tuple(m.id for m in unit.models))
    return battle


def out_of_control(battle: Battle, unit_id: str) -> Resolving:
    """Unless engaged it runs in a random direction, and its weight falls on whoever it hits, friend or foe."""
    battle = yield MarkerSet(unit_id, Marker("mishap", "out-of-control", until="end-of-phase"))
    unit = battle.unit(unit_id)
    if engaged_with(battle, unit):
        return battle
    heading: float | None = None
    reading = battle.option("arrow_on_hit", "small-arrow")
    if reading == "small-arrow":
        (heading,) = yield NeedRoll(1, 360, "Out of Control: direction", unit.player, "direction")
    else:
        while heading is None:
            (face,) = yield NeedRoll(1, 6, "Out of Control: direction", unit.player, "scatter")
            if face != HIT:
                heading = float(face)
            elif reading == "no-move":
                return battle
    assert heading is not None
    return (yield from _career(battle, unit_id, float(heading)))


def _career(battle: Battle, unit_id: str, heading: float) -> Resolving:
    """The random move of a machine out of control; a friend that it hits suffers, then it is set back an inch away."""
    unit = battle.unit(unit_id)
    members = random_movement.turned(battle, unit, heading)
    if not random_movement.has_room(battle, unit, members):
        return battle  # it is jammed where it stands
    friend = _friend_ahead(battle, unit_id, members, heading)
    battle = yield from random_movement.perform(battle, unit_id, heading)
    unit = battle.unit(unit_id)
    if friend is None or not unit.models:
        return battle
    name, contact = friend
    last = next(m for m in reversed(unit.markers) if m.kind == "moved")
    stopped = any(m.kind == "stopped-by" and m.subject == name for m in unit.markers)
    if last.subject == "stops" and stopped and within(contact.distance, last.amount):
        battle = yield from _weight(battle, unit_id, name)
    return battle


def _friend_ahead(battle: Battle, unit_id: str, members: PlacedSet, heading: float) -> tuple[str, Contact] | None:
    """The friendly unit that it would touch first."""
    player = battle.unit(unit_id).player
    best: tuple[str, Contact] | None = None
    for other in battle.units:
        if other.player != player or other.id == unit_id or not other.on_table:
            continue
        contact = first_of(members, heading, battle.index.of_unit(other.id).bases)
        if contact is not None and (best is None or contact.distance < best[1].distance):
            best = (other.id, contact)
    return best


def _weight(battle: Battle, unit_id: str, friend: str) -> Resolving:
    """The Impact Hits on a friend, at once; those on an enemy come in close combat, since it has charged."""
    unit = battle.unit(unit_id)
    each = impact.inflicted(unit, impact.RULE)
    if each is None:
        return battle
    count = yield from impact.rolled(unit, each, impact.RULE)
    return (yield from impact.land(battle, unit, {friend: count}, impact.RULE))


def loses_control(battle: Battle, unit_id: str) -> int:
    """For how many wounds a machine tests at the end of this phase: none while it flees or is in close combat."""
    unit = battle.unit(unit_id)
    if unit.ability(RANDOM_MOVEMENT) is None or unit.ability("loss-of-control") is None or not unit.on_table:
        return 0
    if is_fleeing(unit) or engaged_with(battle, unit):
        return 0
    return sum(marker.amount for marker in unit.markers if marker.kind == "hurt")


def end_of_phase(battle: Battle, unit_id: str) -> Resolving:
    """A die for every wound suffered in the phase; any 1 and the machine is out of control."""
    count = loses_control(battle, unit_id)
    if not count:
        return battle
    faces = yield NeedRoll(count, 6, f"{LOSS}: on a 1", battle.unit(unit_id).player)
    ones = sum(1 for face in faces if face <= LOSES_CONTROL)
    events = ones if battle.option("loss_of_control", "one-event") == "each" else min(1, ones)
    for _ in range(events):
        if battle.unit(unit_id).models:
            battle = yield from out_of_control(battle, unit_id)
    return battle
