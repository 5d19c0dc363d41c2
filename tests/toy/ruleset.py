"""The table of contents of the toy game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sim.battle import Battle, ClockAdvanced, MarkerCleared, Unit
from sim.battle.state import RESERVES
from sim.geometry import gap, within
from sim.rules import (
    Answer,
    Deploy,
    EndStep,
    Offer,
    Phase,
    Play,
    Procedure,
    QuestionError,
    RuleRow,
    Ruleset,
    Violation,
    next_clock,
    read_rows,
)
from tests.toy import placing, throwing, walking
from tests.toy.commands import Drop, Recall, Throw, Walk

ROUNDS = 2
PHASES = (
    Phase("setup", "Setting up", ("array",), setup=True),
    Phase("go", "Going", ("drop", "walk")),
    Phase("throws", "Throwing", ("pebbles",)),
)


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    try:
        following = next_clock(PHASES, battle.players, ROUNDS, battle.clock)
    except ValueError as error:
        yield Violation("wrong-phase", "Clock", str(error))
        return
    if following is None:
        yield Violation("battle-over", "Clock", f"the battle has {ROUNDS} rounds")


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    after = next_clock(PHASES, battle.players, ROUNDS, battle.clock)
    assert after is not None
    over = {"end-of-phase"} if after.phase != battle.clock.phase else set()
    if (after.round, after.player) != (battle.clock.round, battle.clock.player):
        over.add("end-of-turn")
    for unit in battle.units:
        for kind in dict.fromkeys(m.kind for m in unit.markers if m.until in over):
            yield MarkerCleared(unit.id, kind)
    yield ClockAdvanced(after)


def available(battle: Battle) -> tuple[Offer, ...]:
    mine = [unit for unit in battle.units if unit.player == battle.clock.player and unit.models]
    return (*(o for unit in mine for o in _offers(battle, unit)), Offer("end-step", "", "Go on"))


def _offers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    waits = unit.whereabouts == RESERVES
    match battle.clock.step:
        case "array" if waits:
            yield Offer("deploy", unit.id, f"Set up {unit.id}")
        case "drop" if waits:
            yield Offer("drop", unit.id, f"Drop {unit.id}")
        case "drop":
            yield Offer("recall", unit.id, f"Recall {unit.id}")
        case "walk" if not waits and not unit.marked("walked"):
            yield Offer("walk", unit.id, f"Walk {unit.id}")
        case "pebbles" if not waits and not unit.marked("thrown") and throwing.targets(battle, unit):
            yield Offer("throw", unit.id, f"Throw with {unit.id}")


def ask_gap(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    if len(of) != 2 or not all(map(battle.has_model, of)):
        raise QuestionError("expected two models")
    first, second = (battle.model(name) for name in of)
    return gap(first.placed, second.placed)


def ask_in_range(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    distance = ask_gap(battle, of, {})
    assert isinstance(distance, float)
    return within(distance, float(details.get("limit", 12.0)))


def ask_targets(battle: Battle, of: tuple[str, ...], details: Mapping[str, Any]) -> Answer:
    if len(of) != 1 or not battle.has_unit(of[0]):
        raise QuestionError("expected one unit")
    return throwing.targets(battle, battle.unit(of[0]))


def _rows() -> tuple[RuleRow, ...]:
    return read_rows((Path(__file__).parent / "RULES.md").read_text(encoding="utf-8"))


RULESET = Ruleset(
    id="toy",
    title="Toy",
    edition="only edition",
    version="1",
    phases=PHASES,
    rounds=ROUNDS,
    plays=(
        Play(Deploy, "Setting up", placing.judge_deploy, placing.resolve_deploy, placing.deploy_rules),
        Play(Drop, "Drop", placing.judge_drop, placing.resolve_drop, placing.drop_rules),
        Play(Recall, "Recall", placing.judge_recall, placing.resolve_recall),
        Play(Walk, "Walk", walking.judge, walking.resolve, walking.rules),
        Play(Throw, "Throw", throwing.judge, throwing.resolve),
        Play(EndStep, "Go on", judge_end, resolve_end),
    ),
    available=available,
    questions={"gap": ask_gap, "in-range": ask_in_range, "targets": ask_targets},
    options={"throw_range": (12.0, 18.0), "dodges": (True, False)},
    terrain_kinds=frozenset({"block"}),
    reactions=throwing.reactions,
    rows=_rows,
)
