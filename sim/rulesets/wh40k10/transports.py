"""Getting out of a Transport, in good order or in an emergency, and getting aboard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed

import numpy as np
import shapely
from msgspec import structs
from shapely.geometry.base import BaseGeometry

from sim.battle import Battle, Marker, MarkerSet, ModelsPlaced, ModelsRemoved, Unit
from sim.battle.state import ON_TABLE
from sim.geometry import (
    EPS,
    Base,
    Breach,
    Constraint,
    Ground,
    Hull,
    KeepApart,
    Limit,
    Obstacles,
    Placed,
    PlacedSet,
    Pose,
    Rules,
    Witness,
    beyond,
    judge,
    witness,
)
from sim.geometry.distance import is_convex, straight_gap
from sim.geometry.lengths import inches
from sim.geometry.wholly_near import StayWithin
from sim.rules import Procedure, Violation
from sim.rulesets.wh40k10 import datasheets, engagement, measuring, parting, quantifiers, reserves, terrain
from sim.rulesets.wh40k10.commands import Disembark, Embark
from sim.rulesets.wh40k10.eligibility import may_act, one_pose_each
from sim.rulesets.wh40k10.noticing import SET_UP, seen_moving

DISEMBARK_REACH = 3.0  # inches, wholly within this of the Transport; Disembark
EMERGENCY_REACH = 6.0  # inches, wholly within this of the Transport; Emergency Disembarkation
DISEMBARK_HEIGHT = 5.0  # inches up or down; Disembark
EMBARK_REACH = 3.0  # inches, every model within this of the Transport; Embark
EMBARK_HEIGHT = 5.0  # inches up or down, to a Transport with a base; Embark
WRECK = "wreck"  # marks a Transport that is destroyed and not yet removed

DISEMBARK = "Disembark"
EMERGENCY = "Emergency Disembarkation"
EMBARK = "Embark"
SPARE = 0.05  # a house value: inches between those who get out of a wreck
ABOARD = "embarked:"
AFTER_ADVANCE = "disembark-after-advance"  # the ability of a Transport; it counts as its Normal move


@dataclass(frozen=True)
class Spared:
    """A constraint of an emergency: who breaks it is lost instead, so that it is drawn but never broken."""

    inner: Constraint

    @property
    def code(self) -> str:
        """The code of what it is drawn for."""
        return self.inner.code

    @property
    def rule(self) -> str:
        """The rule of what it is drawn for."""
        return self.inner.rule

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """Nothing: nobody is at fault."""
        yield from ()

    def bare(self) -> Constraint:
        """The inner constraint, of the room that is left."""
        return self.inner

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The part of the region where a base finds room."""
        return self.inner.carve(region, base, facing)

    def ground(self) -> Iterator[Ground]:
        """The areas to draw."""
        return self.inner.ground()


@dataclass(frozen=True)
class OfThoseLeft:
    """A constraint on the group of those that break none of some other constraints."""

    inner: Constraint
    room: tuple[Constraint, ...]

    @property
    def code(self) -> str:
        """The code of the fault."""
        return self.inner.code

    @property
    def rule(self) -> str:
        """The rule of the constraint."""
        return self.inner.rule

    def judge(self, members: PlacedSet) -> Iterator[Breach]:
        """The breaches of the group that is left, numbered as in the whole."""
        left = fitting(self.room, members)
        for breach in self.inner.judge(PlacedSet.of(members[i] for i in left)):
            other = breach.other
            if other is not None and other.startswith("#"):
                other = f"#{left[int(other[1:])]}"
            yield changed(breach, member=left[breach.member], other=other)

    def carve(self, region: BaseGeometry, base: Base, facing: float) -> BaseGeometry:
        """The region as it is: the group is concerned."""
        return region

    def ground(self) -> Iterator[Ground]:
        """Nothing to draw."""
        yield from ()


def fitting(room: tuple[Constraint, ...], members: PlacedSet) -> tuple[int, ...]:
    """The members that break none of the constraints; of two that overlap the later one finds no room."""
    out = {breach.member for constraint in room for breach in constraint.judge(members)}
    return tuple(i for i in range(len(members)) if i not in out)


def disembark_rules(battle: Battle, command: Disembark) -> Rules:
    """Wholly within three inches of the Transport and out of Engagement Range; in an emergency six."""
    unit = battle.unit(command.unit)
    if not command.emergency:
        return Rules(standing=(*_room(battle, command), *_group(unit)))
    room = _room(battle, command)
    left = tuple(OfThoseLeft(constraint, room) for constraint in _group(unit))
    return Rules(standing=(*(Spared(constraint) for constraint in room), *left))


def judge_disembark(battle: Battle, command: Disembark) -> Iterator[Violation]:
    """All that is wrong with getting out like this."""
    unit = battle.unit(command.unit)
    rule = EMERGENCY if command.emergency else DISEMBARK
    carrier = transport_of(battle, unit)
    if carrier is None:
        yield Violation("not-eligible", rule, f"{unit.name} is not aboard a Transport on the table", (unit.id,))
    if not command.emergency:
        yield from may_act(battle, unit, DISEMBARK, "movement", "move-units", "reinforcements")
        yield from _may_leave(battle, unit, carrier)
    elif carrier is not None and not carrier.marked(WRECK):
        what = f"{carrier.name} is not destroyed: only out of a wreck do units disembark in an emergency"
        yield Violation("not-eligible", EMERGENCY, what, (unit.id, carrier.id))
    wrong = tuple(one_pose_each(unit, command.models, rule))
    yield from wrong
    if not wrong:
        floors = tuple(terrain.wrong_floors(battle.battlefield, unit, command.models))
        yield from () if command.emergency else floors
        yield from measuring.violations(battle, unit, disembark_rules(battle, command), command.models)


def resolve_disembark(battle: Battle, command: Disembark) -> Procedure:
    """Who finds room stands; who finds none in an emergency is lost."""
    unit = battle.unit(command.unit)
    carrier = transport_of(battle, unit)
    has_gone = carrier is not None and any(map(carrier.marked, ("moved", "advanced")))  # also who has only rolled
    stand = _stand(battle, command)
    lost = tuple(m.id for k, m in enumerate(unit.models) if k not in stand)
    if lost:
        battle = yield from parting.removed(battle, unit.id, lost)
    spots = {m.id: pose for m, pose in zip(unit.models, command.models, strict=True)}
    for part in parting.what_is_left(battle, unit):
        battle = yield ModelsPlaced(part.id, tuple((m.id, spots[m.id]) for m in part.models))
        yield MarkerSet(part.id, Marker("disembarked", carrier.id if carrier else "", until="end-of-turn"))
        if command.emergency or has_gone:
            yield MarkerSet(part.id, Marker("moved", "disembarked", until="end-of-turn"))
            battle = yield MarkerSet(part.id, Marker("cannot-charge", DISEMBARK, until="end-of-turn"))
    if not command.emergency:
        yield from seen_moving(battle, unit, SET_UP)


def disembark_outcome(battle: Battle, command: Disembark, events: object, after: Battle) -> dict[str, object]:
    """Whether all got out, or how the unit fared in an emergency."""
    models = battle.unit(command.unit).models
    before, left = len(models), sum(after.has_model(model.id) for model in models)
    return {"outcome": "disembarks" if left == before else "loses-models" if left else "lost"}


def judge_embark(battle: Battle, command: Embark) -> Iterator[Violation]:
    """All that is wrong with going aboard."""
    unit, carrier = battle.unit(command.unit), battle.unit(command.transport)
    if battle.clock.phase == "deployment":
        yield from may_act(battle, unit, EMBARK, "deployment", "scouts")
        if not unit.marked("moved"):
            what = f"{unit.name} has made no Scout move; before the battle a unit embarks after one only"
            yield Violation("not-eligible", EMBARK, what, (unit.id,))
    else:
        yield from may_act(battle, unit, EMBARK, "movement", "move-units")
    if not unit.on_table or not carrier.on_table:
        away = carrier if unit.on_table else unit
        yield Violation("not-eligible", EMBARK, f"{away.name} is not on the table", (away.id,))
        return
    if not carrier.has("TRANSPORT") or carrier.player != unit.player or carrier.id == unit.id:
        what = f"{carrier.name} is not a Transport of {unit.player}"
        yield Violation("not-eligible", EMBARK, what, (unit.id, carrier.id))
    if unit.marked("disembarked"):
        what = f"{unit.name} has disembarked in this phase and cannot embark again"
        yield Violation("not-eligible", EMBARK, what, (unit.id,))
    if enemies := engagement.engaged_with(battle, unit):
        what = f"{unit.name} is within Engagement Range of {', '.join(enemies)}: it has to Fall Back before it embarks"
        yield Violation("not-eligible", EMBARK, what, (unit.id, *enemies))
    yield from _capacity(battle, unit, carrier)
    yield from _too_far(unit, carrier)


def resolve_embark(battle: Battle, command: Embark) -> Procedure:
    """The unit leaves the table and is aboard."""
    unit = battle.unit(command.unit)
    yield ModelsRemoved(unit.id, tuple(m.id for m in unit.models), f"{ABOARD}{command.transport}")
    yield MarkerSet(unit.id, Marker("embarked", command.transport, until="end-of-phase"))


def transport_of(battle: Battle, unit: Unit) -> Unit | None:
    """The Transport on the table that the unit is aboard of, None when there is none."""
    name = unit.whereabouts.removeprefix(ABOARD)
    if name == unit.whereabouts or not battle.has_unit(name):
        return None
    carrier = battle.unit(name)
    return carrier if carrier.whereabouts == ON_TABLE else None


def who_stands(battle: Battle, command: Disembark) -> tuple[int, ...]:
    """The models that find room where they are to stand, by their numbers."""
    return _stand(battle, command)


def room_around(battle: Battle, unit: Unit, carrier: Unit, emergency: bool) -> tuple[Pose, ...] | None:
    """Spots for a unit about the Transport that it is aboard of, close together; None when there are too few.

    In an emergency the spots of those that find no room are where their comrades stand, so that they are lost.
    """
    hull = carrier.models[0].placed
    reach = EMERGENCY_REACH if emergency else DISEMBARK_REACH
    widest = max(Placed(m.base, Pose(0.0, 0.0)).radius for m in unit.models)
    x0, y0, x1, y1 = hull.bounds
    pitch = 2 * widest + SPARE
    rows = np.arange(y0 - reach, y1 + reach, pitch * math.sqrt(3) / 2)
    spots = [
        (float(x), float(y))
        for k, y in enumerate(rows)
        for x in np.arange(x0 - reach + (k % 2) * pitch / 2, x1 + reach, pitch)
    ]
    away = shapely.distance(shapely.points(spots), hull.polygon) if spots else np.empty(0)
    plain = hull.kind == "ellipse" or is_convex(hull.polygon)
    least = min(min(m.base.semi_axes) for m in unit.models) if plain else 0.0
    spots = [spot for spot, far in zip(spots, away, strict=True) if 0 < far <= reach - least + EPS]
    z = hull.pose.z if hull.pose.z <= DISEMBARK_HEIGHT else 0.0
    one = structs.replace(unit, models=(max(unit.models, key=lambda m: Placed(m.base, Pose(0.0, 0.0)).radius),))
    trial = battle.with_unit(one)
    every = tuple(Pose(x, y, 0.0, z) for x, y in spots)
    room = _room(trial, Disembark(unit.id, every, emergency))
    members = PlacedSet.of(Placed(one.models[0].base, pose) for pose in every)
    bad = {b.member for c in room if not isinstance(c, KeepApart) for b in c.judge(members)}
    good = [pose for k, pose in enumerate(every) if k not in bad]
    for first in good:
        near = sorted(good, key=lambda pose: math.dist(pose.at, first.at))[: len(unit.models)]
        if len(near) < len(unit.models):
            if not emergency:
                return None
            near += [near[-1]] * (len(unit.models) - len(near))
        if emergency or not any(judge(_group(unit), measuring.placed(unit, tuple(near)))):
            return tuple(near)
    return None


def _room(battle: Battle, command: Disembark) -> tuple[Constraint, ...]:
    """What each model by itself must keep to find room."""
    unit = battle.unit(command.unit)
    carrier = transport_of(battle, unit)
    rule, reach = (EMERGENCY, EMERGENCY_REACH) if command.emergency else (DISEMBARK, DISEMBARK_REACH)
    near: list[Constraint] = []
    if carrier is not None:
        hull = battle.index.of_unit(carrier.id)
        near.append(StayWithin("not-wholly-within", rule, hull, reach, DISEMBARK_HEIGHT))
    if carrier is not None and carrier.marked("arrived") and not command.emergency:
        near.append(reserves.clear_of_enemies(battle, unit, DISEMBARK))
    return (
        *near,
        *measuring.out_of_engagement(battle, unit, "ends-engaged", command.models),
        *(c for c in measuring.standing(battle, unit, command.models) if c.code != "incoherent"),
    )


def _group(unit: Unit) -> tuple[Constraint, ...]:
    return (measuring.coherency(len(unit.models)),)


def _stand(battle: Battle, command: Disembark) -> tuple[int, ...]:
    unit = battle.unit(command.unit)
    ids = tuple(m.id for m in unit.models)
    badly = {v.subjects[0] for v in terrain.wrong_floors(battle.battlefield, unit, command.models)}
    members = measuring.placed(unit, command.models)
    return tuple(k for k in fitting(_room(battle, command), members) if ids[k] not in badly)


def may_get_out(battle: Battle, unit: Unit, carrier: Unit) -> bool:
    """Whether a unit can disembark in good order now: its Transport lets it, and there is room for all of it."""
    if any(_may_leave(battle, unit, carrier)):
        return False
    memo, key = battle.index.memo, ("gets-out", unit.id, carrier.id, str(carrier.marked("arrived")))
    if key not in memo:
        memo[key] = room_around(battle, unit, carrier, emergency=False) is not None
    return bool(memo[key])


def _may_leave(battle: Battle, unit: Unit, carrier: Unit | None) -> Iterator[Violation]:
    advanced = carrier is not None and carrier.marked("advanced") and carrier.ability(AFTER_ADVANCE) is None
    if carrier is not None and (advanced or carrier.marked("fell-back")):
        what = f"{carrier.name} has {'Advanced' if advanced else 'Fallen Back'}: nobody can disembark from it"
        yield Violation("not-eligible", DISEMBARK, what, (unit.id, carrier.id))
    if unit.marked("embarked"):
        what = f"{unit.name} has embarked in this phase and cannot disembark again"
        yield Violation("not-eligible", DISEMBARK, what, (unit.id,))


def crowded(carrier: Unit, aboard: Sequence[Unit]) -> str | None:
    """Why a Transport cannot hold all the units that a file puts aboard, None where it can."""
    if not carrier.has("TRANSPORT"):
        return f"{carrier.name} is not a Transport"
    for unit in aboard:
        if unit.player != carrier.player:
            return f"{unit.name} is not of the same player as {carrier.name}"
        if why := _barred(unit, carrier):
            return why
    held, models = _holds(carrier), sum(len(unit.models) for unit in aboard)
    taken = sum(_places(carrier, unit) for unit in aboard)
    if held is not None and taken > held:
        room = "" if taken == models else f" and take the room of {taken}"
        return f"{carrier.name} holds {held} models; {models} are aboard{room}"
    return None


def _barred(unit: Unit, carrier: Unit) -> str | None:
    """Why a unit is of no kind that a Transport carries, None where it is."""
    sheet = datasheets.find(carrier.datasheet)
    if sheet is None or not sheet.carries:
        return None
    missing = [word for word in sheet.carries if not quantifiers.every_bears(unit, word)]
    barred = [word for word in sheet.excludes if unit.has(word)]
    if not missing and not barred:
        return None
    why = f"is not {' '.join(missing)}" if missing else f"is {' '.join(barred)}"
    return f"{unit.name} {why}: {carrier.name} cannot carry it"


def _holds(carrier: Unit) -> int | None:
    """How many models a Transport holds, None where nobody says."""
    value = carrier.ability("capacity")
    return int(value) if value is not None and value.isdigit() else None


def _capacity(battle: Battle, unit: Unit, carrier: Unit) -> Iterator[Violation]:
    if why := _barred(unit, carrier):
        yield Violation("not-eligible", EMBARK, why, (unit.id,))
    held = _holds(carrier)
    if held is None:
        return
    riding = [u for u in battle.units if u.whereabouts == f"{ABOARD}{carrier.id}"]
    taken, more = sum(_places(carrier, u) for u in riding), _places(carrier, unit)
    if taken + more > held:
        aboard = sum(len(u.models) for u in riding)
        room = "" if (taken, more) == (aboard, len(unit.models)) else f", which take the room of {taken} and {more}"
        many = f"{len(unit.models)} more find no room{room}"
        what = f"{carrier.name} holds {held} models and has {aboard} aboard; {many}"
        yield Violation("no-room", EMBARK, what, (unit.id, carrier.id))


def _places(carrier: Unit, unit: Unit) -> int:
    """How many places of a Transport the models of a unit take: some kinds two each."""
    sheet = datasheets.find(carrier.datasheet)
    large = () if sheet is None else sheet.doubles
    takes_two = (model for model in unit.models if large and quantifiers.model_bears(unit, model, *large))
    return len(unit.models) + sum(1 for _ in takes_two)


def _too_far(unit: Unit, carrier: Unit) -> Iterator[Violation]:
    """Models that end too far from the Transport.

    From one with a base wholly within three inches horizontally and five up; from a hull within three inches of any
    part of it, along the straight line.
    """
    if isinstance(carrier.models[0].base, Hull):
        yield from _far_from_hull(unit, carrier)
        return
    bases = Obstacles(PlacedSet.of(m.placed for m in carrier.models), tuple(carrier.id for _ in carrier.models))
    near = StayWithin("too-far", EMBARK, bases, EMBARK_REACH, EMBARK_HEIGHT)
    for breach in near.judge(PlacedSet.of(m.placed for m in unit.models)):
        who, text = unit.models[breach.member].id, inches(breach.measured, breach.required.value)
        what = f"{who} is {text} up or down from {carrier.name}; it must be {breach.required}"
        if breach.required.value == EMBARK_REACH:
            what = f"the far side of {who} is {text} from {carrier.name}; it must be {breach.required}"
        ids = (who, carrier.id)
        yield Violation("too-far", EMBARK, what, ids, breach.measured, breach.required, breach.witness)


def _far_from_hull(unit: Unit, carrier: Unit) -> Iterator[Violation]:
    for model in unit.models:
        hull = min((m.placed for m in carrier.models), key=lambda placed: straight_gap(model.placed, placed))
        apart = straight_gap(model.placed, hull)
        if beyond(apart, EMBARK_REACH):
            limit = Limit("at_most", EMBARK_REACH)
            far = inches(apart, EMBARK_REACH)
            what = f"{model.id} is {far} from {carrier.name}; it must be {limit}"
            line = Witness(line=witness(model.placed, hull))
            yield Violation("too-far", EMBARK, what, (model.id, carrier.id), apart, limit, line)
