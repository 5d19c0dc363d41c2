"""Impact Hits on the charge, and the grinding of a wheel in every later round of combat: model by model."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerSet, Unit
from sim.chance.amounts import Amount
from sim.geometry import Placed, PlacedSet, within
from sim.geometry.distance import gaps
from sim.rules import NeedRoll, Procedure, Told, Violation
from sim.rulesets.wap import measuring
from sim.rulesets.wap.abilities import amount_of
from sim.rulesets.wap.attacks import Resolving, hits
from sim.rulesets.wap.commands import ImpactHits
from sim.rulesets.wap.eligibility import engaged_with

RULE = "Impact Hits"
GRIND = "Grind Attack"
TOKENS = {RULE: "impact-hits", GRIND: "grind-attack"}

Striker = tuple[str, Amount, tuple[str, ...]]  # a model, its hits, and the units that it strikes


def judge(battle: Battle, command: ImpactHits) -> Iterator[Violation]:
    """Only in base contact, at the beginning of a round, and only by who inflicts anything."""
    unit = battle.unit(command.unit)
    clock = battle.clock
    if clock.phase and clock.phase != "close-combat":
        what = f"{RULE} belong to the close combat phase; now it is {clock.phase.replace('-', ' ')}"
        yield Violation("wrong-phase", RULE, what, (unit.id,))
    enemies = engaged_with(battle, unit)
    if not enemies:
        yield Violation("must-touch", RULE, f"{unit.name} is not in base contact with an enemy", (unit.id,))
    if unit.marked("impact-done"):
        what = f"{unit.name} has inflicted its hits in this round of combat"
        yield Violation("not-eligible", RULE, what, (unit.id,))
    if unit.value("S") is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Strength (S) in its profile", (unit.id,))
    if charged(unit, enemies) and amount_of(unit, TOKENS[RULE]) is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Impact Hits", (unit.id,))
    if enemies and not charged(unit, enemies) and amount_of(unit, TOKENS[GRIND]) is None:
        what = f"{unit.name} did not charge this turn: Impact Hits are made on the charge alone"
        yield Violation("not-eligible", RULE, what, (unit.id,))


def resolve(battle: Battle, command: ImpactHits) -> Procedure:
    """Roll the number for every model in contact, spread it over the units that it touches, and wound."""
    yield from strike(battle, command.unit)


def due(battle: Battle, unit: Unit) -> bool:
    """Whether a unit still has such hits to inflict in this round of combat."""
    return unit.on_table and not any(judge(battle, ImpactHits(unit.id)))


def charged(unit: Unit, enemies: tuple[str, ...]) -> tuple[str, ...]:
    """Which of the enemies in contact the unit charged this turn."""
    aimed = {marker.subject for marker in unit.markers if marker.kind == "charged"}
    return tuple(enemy for enemy in enemies if enemy in aimed)


def inflicted(unit: Unit, rule: str) -> Amount | None:
    """What each model of a unit inflicts by a rule: the number in its bracket, Scythes added on the charge."""
    found = amount_of(unit, TOKENS[rule])
    scythes = amount_of(unit, "scythes") if rule == RULE else None
    if found is None or scythes is None:
        return found
    return Amount(found.dice, found.sides, found.plus + scythes.plus)


def strikers(battle: Battle, unit: Unit) -> tuple[str, tuple[Striker, ...]]:
    """The rule of this round, and every model that strikes by it, with whom it touches of those that it may strike."""
    enemies = engaged_with(battle, unit)
    aimed = charged(unit, enemies)
    rule, targets = (RULE, aimed) if aimed else (GRIND, enemies)
    each = inflicted(unit, rule)
    assert each is not None
    found = []
    for model in unit.models:
        if model.pose is None:
            continue
        mine = PlacedSet((Placed(measuring.base_of(battle, unit, model), model.pose),))
        touched = tuple(name for name in targets if _touch(mine, measuring.bases(battle, battle.unit(name))))
        if touched:
            found.append((model.id, each, touched))
    return rule, tuple(found)


def _touch(mine: PlacedSet, theirs: PlacedSet) -> bool:
    return bool(within(gaps(mine, theirs), 0.0).any())


def strike(battle: Battle, unit_id: str) -> Resolving:
    """The hits of this round, rolled and spread model by model, then struck unit by unit."""
    unit = battle.unit(unit_id)
    rule, models = strikers(battle, unit)
    shares: dict[str, int] = {}
    for model, each, touched in models:
        count = yield from rolled(unit, each, rule if len(models) == 1 else f"{rule} of {model}")
        for target, share in (yield from _shared(touched, count, unit.player)):
            shares[target] = shares.get(target, 0) + share
    battle = yield MarkerSet(unit_id, Marker("impact-done", rule, sum(shares.values()), "end-of-phase"))
    return (yield from land(battle, unit, shares, rule))


def rolled(unit: Unit, each: Amount, purpose: str) -> Generator[Told, Any, int]:
    """How many hits one model inflicts; a plain number needs no die."""
    if not each.dice:
        return each.plus
    faces = yield NeedRoll(each.dice, each.sides, purpose, unit.player)
    return int(sum(faces)) + each.plus


def land(battle: Battle, unit: Unit, shares: Mapping[str, int], rule: str) -> Resolving:
    """Hits at the Strength of who makes them; armour saves, but no parry."""
    strength = unit.value("S")
    if strength is None:
        return battle
    for target, share in shares.items():
        if share:
            battle = yield MarkerSet(target, Marker("struck", unit.id, share, "end-of-phase"))
            battle = yield from hits(battle, target, share, int(strength), rule)
    return battle


def _shared(targets: tuple[str, ...], count: int, player: str) -> Generator[Told, Any, tuple[tuple[str, int], ...]]:
    """Who takes how many; what does not divide falls one by one on targets that a die picks, each once."""
    each, over = divmod(count, len(targets))
    shares = dict.fromkeys(targets, each)
    left = list(targets)
    for _ in range(over if len(targets) > 1 else 0):
        (face,) = yield NeedRoll(1, len(left), f"one hit more: 1 is {left[0]}", player)
        shares[left.pop(int(face) - 1)] += 1
    return tuple(shares.items())


def outcome(battle: Battle, command: ImpactHits, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """Impact or grind, how many hits, and on whom."""
    done = next(e.marker for e in events if isinstance(e, MarkerSet) and e.marker.kind == "impact-done")
    struck = [e.unit for e in events if isinstance(e, MarkerSet) and e.marker.kind == "struck"]
    return {
        "outcome": "impact" if done.subject == RULE else "grind",
        "distance": done.amount,
        "target": " ".join(struck),
    }
