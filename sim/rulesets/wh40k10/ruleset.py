"""The table of contents: phases, commands, questions and options of this game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sim.battle import Battle, ClockAdvanced, MarkerCleared, Unit
from sim.battle.state import RESERVES
from sim.rules import (
    Deploy,
    EndStep,
    Offer,
    Phase,
    Play,
    Procedure,
    RuleRow,
    Ruleset,
    Violation,
    next_clock,
    read_rows,
)
from sim.rulesets.wh40k10 import deployment, engagement, movement, reserves, terrain
from sim.rulesets.wh40k10.commands import DeepStrike, NormalMove, StrategicReserves

ROUNDS = 5  # battle rounds

PHASES = (
    Phase("deployment", "Deployment", ("deploy-armies",), setup=True),
    Phase("command", "Command", ("command", "battle-shock")),
    Phase("movement", "Movement", ("move-units", "reinforcements")),
    Phase("shooting", "Shooting", ("shoot",)),
    Phase("charge", "Charge", ("charge",)),
    Phase("fight", "Fight", ("fights-first", "remaining-combats")),
)

OPTIONS: dict[str, tuple[str | bool | float, ...]] = {
    "objectives_flat": (False, True),
    "deep_strike_round_one": ("allowed", "banned"),
}


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    """The clock must stand on a step of the sequence, and the battle must not be over."""
    try:
        following = next_clock(PHASES, battle.players, ROUNDS, battle.clock)
    except ValueError as error:
        yield Violation("wrong-phase", "Battle Round", f"the clock cannot move on: {error}")
        return
    if following is None:
        yield Violation("battle-over", "Battle Round", f"the battle ends with battle round {ROUNDS}")


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    """The clock moves on; what lasted until the end of the phase or turn is taken off."""
    before = battle.clock
    after = next_clock(PHASES, battle.players, ROUNDS, before)
    assert after is not None
    over = set()
    if after.phase != before.phase:
        over.add("end-of-phase")
    if (after.round, after.player) != (before.round, before.player) or before.phase == "deployment":
        over.update(("end-of-phase", "end-of-turn"))
    for unit in battle.units:
        for kind in dict.fromkeys(m.kind for m in unit.markers if m.until in over):
            yield MarkerCleared(unit.id, kind)
    yield ClockAdvanced(after)


def available(battle: Battle) -> tuple[Offer, ...]:
    """What the player whose turn it is can do in this step."""
    offers: list[Offer] = []
    for unit in battle.units:
        if unit.player == battle.clock.player:
            offers.extend(_offers(battle, unit))
    return (*offers, Offer("end-step", "", "End this step"))


def _offers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    clock = battle.clock
    match clock.phase, clock.step:
        case "deployment", _ if unit.whereabouts == RESERVES:
            yield Offer("deploy", unit.id, f"Set up {unit.name}")
        case "movement", "move-units" if unit.on_table and not unit.marked("moved"):
            if not engagement.engaged_with(battle, unit):
                yield Offer("normal-move", unit.id, f"Move {unit.name}")
        case "movement", "reinforcements" if unit.whereabouts == RESERVES:
            if unit.ability("deep-strike") is not None:
                yield Offer("deep-strike", unit.id, f"Deep Strike {unit.name}")
            if clock.round >= reserves.FIRST_STRATEGIC_ROUND and not unit.has("FORTIFICATION"):
                yield Offer("strategic-reserves", unit.id, f"Strategic Reserves: {unit.name}")
        case _:
            return


def _rows() -> tuple[RuleRow, ...]:
    return read_rows((Path(__file__).parent / "RULES.md").read_text(encoding="utf-8"))


RULESET = Ruleset(
    id="wh40k10",
    title="Warhammer 40,000",
    edition="10th edition",
    version="0.1.0",
    phases=PHASES,
    rounds=ROUNDS,
    plays=(
        Play(
            Deploy,
            deployment.RULE,
            deployment.judge,
            deployment.resolve,
            deployment.rules,
            "Every model wholly inside its own deployment zone, out of Engagement Range, in Unit Coherency.",
        ),
        Play(
            DeepStrike,
            reserves.DEEP_STRIKE,
            reserves.judge_deep_strike,
            reserves.resolve,
            reserves.deep_strike_rules,
            'Every model more than 9" from all enemy models, base to base on the flat, whatever the heights.',
            readings=("deep_strike_round_one", "objectives_flat"),
        ),
        Play(
            StrategicReserves,
            reserves.STRATEGIC,
            reserves.judge_strategic,
            reserves.resolve,
            reserves.strategic_rules,
            'Every model wholly within 6" of one table edge and more than 9" from all enemies.',
        ),
        Play(
            NormalMove,
            movement.RULE,
            movement.judge,
            movement.resolve,
            movement.rules,
            "Up to M inches along the way; never within Engagement Range of an enemy, never over the edge.",
        ),
        Play(EndStep, "End of Step", judge_end, resolve_end),
    ),
    available=available,
    questions={
        "gap": engagement.ask_gap,
        "engaged": engagement.ask_engaged,
        "coherent": engagement.ask_coherent,
    },
    options=OPTIONS,
    terrain_kinds=terrain.KINDS,
    rows=_rows,
)
