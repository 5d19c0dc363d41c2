"""Impact Hits on the charge, and the grinding of a wheel in every later round of combat."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from sim.battle import Battle, Event, Marker, MarkerSet, Unit
from sim.rules import NeedRoll, Procedure, Told, Violation
from sim.rulesets.wap.attacks import Resolving, hits
from sim.rulesets.wap.commands import ImpactHits
from sim.rulesets.wap.eligibility import engaged_with

RULE = "Impact Hits"
GRIND = "Grind Attack"
IMPACT_SIDES = 6  # Impact Hits (D6)
GRIND_SIDES = 3  # D3; Grind Attack
GRIND_BONUS = 1  # hits; Grind Attack


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
    if charged(unit, enemies) and unit.ability("impact-hits") is None:
        yield Violation("not-eligible", RULE, f"{unit.name} has no Impact Hits", (unit.id,))
    if enemies and not charged(unit, enemies) and unit.ability("grind-attack") is None:
        what = f"{unit.name} did not charge this turn: Impact Hits are made on the charge alone"
        yield Violation("not-eligible", RULE, what, (unit.id,))


def resolve(battle: Battle, command: ImpactHits) -> Procedure:
    """Roll the number, spread it over the units in contact, and wound."""
    yield from strike(battle, command.unit)


def due(battle: Battle, unit: Unit) -> bool:
    """Whether a unit still has such hits to inflict in this round of combat."""
    return unit.on_table and not any(judge(battle, ImpactHits(unit.id)))


def charged(unit: Unit, enemies: tuple[str, ...]) -> tuple[str, ...]:
    """Which of the enemies in contact the unit charged this turn."""
    aimed = {marker.subject for marker in unit.markers if marker.kind == "charged"}
    return tuple(enemy for enemy in enemies if enemy in aimed)


def bonus(unit: Unit) -> int:
    """The hits that Scythes add on the charge: the number in their bracket."""
    value = re.search(r"\d+", unit.ability("scythes") or "")
    return int(value[0]) if value else 0


def strike(battle: Battle, unit_id: str) -> Resolving:
    """The hits of this round: a D6 and the Scythes on the charge, a D3 and one more by grinding otherwise."""
    unit = battle.unit(unit_id)
    enemies = engaged_with(battle, unit)
    targets = charged(unit, enemies)
    if targets:
        (face,) = yield NeedRoll(1, IMPACT_SIDES, RULE, unit.player)
        count, rule = int(face) + bonus(unit), RULE
    else:
        targets = enemies
        (face,) = yield NeedRoll(1, GRIND_SIDES, GRIND, unit.player)
        count, rule = int(face) + GRIND_BONUS, GRIND
    battle = yield MarkerSet(unit_id, Marker("impact-done", rule, count, "end-of-phase"))
    return (yield from land(battle, unit, targets, count, rule))


def land(battle: Battle, unit: Unit, targets: tuple[str, ...], count: int, rule: str) -> Resolving:
    """Hits spread as evenly as possible, at the Strength of who makes them; armour saves, but no parry."""
    strength = int(unit.value("S") or 0)
    shares = yield from _shared(targets, count, unit.player)
    for target, share in shares:
        if share:
            battle = yield MarkerSet(target, Marker("struck", unit.id, share, "end-of-phase"))
            battle = yield from hits(battle, target, share, strength, rule)
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
