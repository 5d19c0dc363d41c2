"""Zzzzap!: bolts that leap to whatever is nearest, friend or foe, and what happens when they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from sim.battle import Battle, Event, Marker, MarkerSet, Unit
from sim.chance.dice import MISFIRE
from sim.geometry import Base, Limit, Pose, Rules, Witness
from sim.geometry.lengths import compared, inches
from sim.geometry.ranking import NearestFirst, Rank
from sim.rules import NeedChoice, NeedRoll, Procedure, Violation
from sim.rulesets.wap import measuring, mishaps
from sim.rulesets.wap.attacks import Resolving, hits, to_wound
from sim.rulesets.wap.commands import Zzzzap
from sim.rulesets.wap.eligibility import may_act

RULE = "Zzzzap!"
BOLTS_SIDES = 3  # D3 bolts in the data of the seed's time
BOLTS = 3  # bolts in later printings, by option
SHORT_RANGE = 12.0  # inches, in the data of the seed's time; 18" in later ones, by option
WOUNDS_SIDES = {"D3": 3, "D6": 6}  # wounds of each bolt that is not saved
HOLDS_ON = 7.0  # Leadership of the crew, where a profile names none


def rules(battle: Battle, command: Zzzzap) -> Rules:
    """Whatever is struck is the nearest within range."""
    return Rules(standing=(ranks(battle, battle.unit(command.unit)),))


def figure(battle: Battle, command: Zzzzap) -> tuple[Base, float]:
    """The machine itself: the region is where something like it would be struck."""
    unit = battle.unit(command.unit)
    (first, *_) = measuring.bases(battle, unit)
    return first.base, first.pose.facing


def stands(battle: Battle, command: Zzzzap) -> tuple[Pose, ...]:
    """The machine stays where it is."""
    return tuple(member.pose for member in measuring.bases(battle, battle.unit(command.unit)))


def ranks(battle: Battle, unit: Unit) -> NearestFirst:
    """The ranking of targets: no line of sight, no arc, friend and foe alike."""
    return measuring.ranking(battle, unit, float(battle.option("bolt_range", SHORT_RANGE)))


def judge(battle: Battle, command: Zzzzap) -> Iterator[Violation]:
    """Wrong moment, no such machine, or a choice that is not the owner's to make."""
    unit = battle.unit(command.unit)
    yield from may_act(battle, unit, RULE, "shooting", "shoot")
    if unit.ability("zzzzap") is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no bolts to loose", (unit.id,))
    if unit.marked("fired"):
        yield Violation("not-eligible", RULE, f"{unit.name} has unleashed its bolts this turn", (unit.id,))
    if not unit.on_table:
        yield Violation("not-eligible", RULE, f"{unit.name} is not on the table", (unit.id,))
    elif command.choose:
        yield from _wrong_choice(battle, unit, command.choose)


def _wrong_choice(battle: Battle, unit: Unit, choice: str) -> Iterator[Violation]:
    wanted = battle.unit(choice)
    order = ranks(battle, unit)
    rank = next((rank for rank in order.ranking if rank.name == wanted.id), None)
    if rank is None:
        yield Violation("not-eligible", RULE, f"{wanted.name} cannot be struck", (wanted.id,))
    elif not order.nearest:
        away, reach = compared(rank.gap, order.limit)
        what = f"{wanted.name} is {away} away; the bolts reach {reach}"
        shown = Witness(line=rank.line)
        yield Violation(
            "target-too-far", RULE, what, (unit.id, wanted.id), rank.gap, Limit("at_most", order.limit), shown
        )
    elif rank not in order.nearest:
        first = order.nearest[0]
        what = (
            f"{wanted.name} is {inches(rank.gap, first.gap)} from {unit.name}, and {first.name} "
            f"is {inches(first.gap, rank.gap)}: the nearest is struck"
        )
        shown = Witness(line=rank.line)
        yield Violation("not-nearest", RULE, what, (unit.id, wanted.id), rank.gap, order.required, shown)


def resolve(battle: Battle, command: Zzzzap) -> Procedure:
    """Hold fire or not; the artillery die; then bolt by bolt at whatever is nearest by then."""
    yield from unleash(battle, command.unit, command.choose, command.hold)


def unleash(battle: Battle, unit_id: str, choose: str = "", hold: bool = False) -> Resolving:
    """All that happens when the machine fires."""
    unit = battle.unit(unit_id)
    if hold:
        leadership = unit.value("Ld") or unit.value("LD") or HOLDS_ON
        faces = yield NeedRoll(2, 6, f"hold fire: Leadership test on {leadership:g} or less", unit.player)
        if sum(faces) <= leadership:
            battle = yield MarkerSet(unit_id, Marker("fired", "held", until="end-of-phase"))
            return battle
    if not ranks(battle, unit).nearest and battle.option("artillery_without_target", "rolled") == "skipped":
        battle = yield MarkerSet(unit_id, Marker("fired", "no-target", until="end-of-phase"))
        return battle
    (strength,) = yield NeedRoll(1, 6, f"{RULE} Strength", unit.player, "artillery")
    battle = yield MarkerSet(unit_id, Marker("fired", "", int(strength), "end-of-phase"))
    if strength == MISFIRE:
        return (yield from mishaps.mishap(battle, unit_id))
    return (yield from _bolts(battle, unit_id, int(strength), choose))


def _bolts(battle: Battle, unit_id: str, strength: int, choose: str) -> Resolving:
    unit = battle.unit(unit_id)
    if not ranks(battle, unit).nearest:
        return battle
    count = BOLTS
    if battle.option("bolts", "D3") == "D3":
        (face,) = yield NeedRoll(1, BOLTS_SIDES, "bolts", unit.player)
        count = int(face)
    each = WOUNDS_SIDES[str(battle.option("bolt_wounds", "D3"))]
    for number in range(1, count + 1):
        equals = ranks(battle, unit).nearest
        if not equals:
            break
        target = equals[0].name
        if len(equals) > 1:
            target = yield from _picked(battle, unit, equals, choose)
        battle = yield MarkerSet(target, Marker("struck", unit_id, strength, "end-of-phase"))
        battle = yield from hits(battle, target, 1, strength, f"bolt {number}", "natural", each)
    return battle


def _picked(battle: Battle, unit: Unit, equals: tuple[Rank, ...], choose: str) -> Any:
    """The owner picks between equals, by the command or when asked."""
    names = tuple(rank.name for rank in equals)
    if choose in names:
        return choose
    battle = yield NeedChoice(unit.player, f"{RULE}: which of the equally near is struck", names)
    return battle


def outcome(battle: Battle, command: Zzzzap, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Held, a mishap by its name, no target, or what the bolts did, with the first target's gap and wounding roll."""
    unit = battle.unit(command.unit)
    set_ = [e for e in events if isinstance(e, MarkerSet)]
    fired = next(e.marker for e in set_ if e.marker.kind == "fired")
    mishap = next((e.marker.subject for e in set_ if e.marker.kind == "mishap"), "")
    struck = [e.unit for e in set_ if e.marker.kind == "struck"]
    found: dict[str, Any] = {"target": " ".join(name for name, _ in groupby(struck))}
    poses = [m.pose for m in after.unit(unit.id).models if m.pose is not None]
    if poses:
        found["at"] = poses[0].at
    if fired.subject == "held" or mishap:
        return found | {"outcome": mishap or "held"}
    if not struck:
        return found | {"outcome": "no-target"}
    toughness = battle.unit(struck[0]).value("T")
    if toughness is not None:
        found["needs"] = to_wound(fired.amount, int(toughness))
    found["distance"] = next(r.gap for r in ranks(battle, unit).ranking if r.name == struck[0])
    killed = any(not after.unit(name).models for name in struck)
    hurt = any(after.unit(name) != _unmarked(battle, after, name) for name in struck)
    return found | {"outcome": "killed" if killed else "wounds" if hurt else "hits"}


def _unmarked(battle: Battle, after: Battle, name: str) -> Unit:
    """A unit as it was before, with the markers that it has now: differs only if models or wounds were lost."""
    return replace(battle.unit(name), markers=after.unit(name).markers)
