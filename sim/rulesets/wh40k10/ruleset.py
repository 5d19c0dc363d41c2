"""The table of contents: phases, commands, questions and options of this game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sim.battle import Battle, Clock, ClockAdvanced, MarkerCleared, Unit
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
from sim.rulesets.wh40k10 import (
    coherency,
    deployment,
    engagement,
    falling_back,
    movement,
    reserves,
    terrain,
    transports,
)
from sim.rulesets.wh40k10.commands import (
    Advance,
    DeepStrike,
    Disembark,
    Embark,
    FallBack,
    Infiltrate,
    NormalMove,
    RapidIngress,
    ScoutMove,
    StrategicReserves,
)

ROUNDS = 5  # battle rounds

PHASES = (
    Phase("deployment", "Deployment", ("deploy-armies", "scouts"), setup=True),
    Phase("command", "Command", ("command", "battle-shock")),
    Phase("movement", "Movement", ("move-units", "reinforcements")),
    Phase("shooting", "Shooting", ("shoot",)),
    Phase("charge", "Charge", ("charge",)),
    Phase("fight", "Fight", ("fights-first", "remaining-combats")),
)

OPTIONS: dict[str, tuple[str | bool | float, ...]] = {
    "objectives_flat": (False, True),
    "deep_strike_round_one": ("allowed", "banned"),
    "strategic_edges": ("one", "either"),
    "leg_distance": ("same-point", "farthest-part"),
    "vertical_engagement_through_floors": (True, False),
    "walls_as_barricades": (False, True),
    "coherency_removal": ("owner", "minimal"),
    "only_fortifications": ("unit", "model"),
}
STANDING = ("objectives_flat",)  # what may turn the verdict on where a model stands
MOVING = (*STANDING, "leg_distance", "vertical_engagement_through_floors")


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    """The clock must stand on a step of the sequence, and the battle must not be over."""
    try:
        after = following(battle)
    except ValueError as error:
        yield Violation("wrong-phase", "Battle Round", f"the clock cannot move on: {error}")
        return
    if after is None:
        yield Violation("battle-over", "Battle Round", f"the battle ends with battle round {ROUNDS}")


def following(battle: Battle) -> Clock | None:
    """The clock after this step, None at the end of the battle; each player with Scouts has a step for them."""
    before = battle.clock
    after = next_clock(PHASES, battle.players, ROUNDS, before)
    if after is None or "scouts" not in (before.step, after.step):
        return after
    players = battle.players
    waiting = players if before.step != "scouts" else players[players.index(before.player) + 1 :]
    for player in waiting:
        if any(_scouts(unit) for unit in battle.units if unit.player == player):
            return Clock(before.round, player, "deployment", "scouts")
    return after if before.step == "scouts" else next_clock(PHASES, players, ROUNDS, after)


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    """The clock moves on; units out of coherency lose models; what lasted until now is taken off."""
    before = battle.clock
    after = following(battle)
    assert after is not None
    over = set()
    if after.phase != before.phase:
        over.add("end-of-phase")
    if (after.round, after.player) != (before.round, before.player) or before.phase != after.phase == "command":
        over.update(("end-of-phase", "end-of-turn"))
    if before.phase == "fight" and "end-of-turn" in over:
        for unit in battle.units:
            if coherency.broken(unit):
                yield from coherency.remove_stragglers(battle, unit.id)
    for unit in battle.units:
        for kind in dict.fromkeys(m.kind for m in unit.markers if m.until in over):
            yield MarkerCleared(unit.id, kind)
    yield ClockAdvanced(after)


def _scouts(unit: Unit) -> bool:
    return unit.on_table and movement.scout_distance(unit) is not None and not unit.marked("moved")


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
        case "deployment", "scouts" if _scouts(unit):
            yield Offer("scout-move", unit.id, f"Scout with {unit.name}")
        case "deployment", "deploy-armies" if unit.whereabouts == RESERVES:
            yield Offer("deploy", unit.id, f"Set up {unit.name}")
            if unit.ability("infiltrators") is not None:
                yield Offer("infiltrate", unit.id, f"Infiltrate {unit.name}")
        case "movement", "move-units":
            yield from _moves(battle, unit)
            yield from _landings(battle, unit)
        case "movement", "reinforcements":
            yield from _arrivals(battle, unit)
            yield from _landings(battle, unit)
        case _:
            return


def _moves(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if not unit.on_table or unit.marked("moved"):
        return
    if engagement.engaged_with(battle, unit):
        yield Offer("fall-back", unit.id, f"Fall back with {unit.name}")
        return
    if not unit.marked("advance-roll"):
        yield Offer("normal-move", unit.id, f"Move {unit.name}")
    yield Offer("advance", unit.id, f"Advance {unit.name}")


def _arrivals(battle: Battle, unit: Unit) -> Iterator[Offer]:
    if unit.whereabouts != RESERVES:
        return
    if reserves.may_come_from_above(battle, unit):
        yield Offer("deep-strike", unit.id, f"Deep Strike {unit.name}")
    if reserves.may_come_by_strip(battle, unit):
        yield Offer("strategic-reserves", unit.id, f"Strategic Reserves: {unit.name}")


def _landings(battle: Battle, unit: Unit) -> Iterator[Offer]:
    carrier = transports.transport_of(battle, unit)
    if carrier is not None and not unit.marked("embarked"):
        yield Offer("disembark", unit.id, f"Disembark {unit.name}")


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
            readings=(*STANDING, "vertical_engagement_through_floors"),
        ),
        Play(
            Infiltrate,
            deployment.INFILTRATORS,
            deployment.judge_infiltrate,
            deployment.resolve,
            deployment.infiltrate_rules,
            'Every model more than 9" from all enemy models and from the enemy deployment zone.',
            readings=STANDING,
        ),
        Play(
            ScoutMove,
            movement.SCOUTS,
            movement.judge_scouts,
            movement.resolve_scouts,
            movement.scout_rules,
            'A Normal move of the printed inches before the first turn, ending more than 9" from all enemies.',
            readings=MOVING,
        ),
        Play(
            DeepStrike,
            reserves.DEEP_STRIKE,
            reserves.judge_deep_strike,
            reserves.resolve,
            reserves.deep_strike_rules,
            'Every model more than 9" from all enemy models, base to base on the flat, whatever the heights.',
            readings=("deep_strike_round_one", *STANDING),
        ),
        Play(
            StrategicReserves,
            reserves.STRATEGIC,
            reserves.judge_strategic,
            reserves.resolve,
            reserves.strategic_rules,
            'Every model wholly within 6" of one table edge and more than 9" from all enemies.',
            readings=("strategic_edges", *STANDING),
        ),
        Play(
            RapidIngress,
            reserves.RAPID_INGRESS,
            reserves.judge_ingress,
            reserves.resolve,
            reserves.ingress_rules,
            "At the end of the opponent's Movement phase, as in your own Reinforcements step.",
            readings=("deep_strike_round_one", "strategic_edges", *STANDING),
        ),
        Play(
            Disembark,
            transports.DISEMBARK,
            transports.judge_disembark,
            transports.resolve_disembark,
            transports.disembark_rules,
            'Every model wholly within 3" of the Transport, out of Engagement Range; in an emergency 6".',
            readings=(*STANDING, "vertical_engagement_through_floors"),
            outcome=transports.disembark_outcome,
        ),
        Play(
            Embark,
            transports.EMBARK,
            transports.judge_embark,
            transports.resolve_embark,
            summary='Every model within 3" of a friendly Transport, and not in the phase in which it disembarked.',
        ),
        Play(
            NormalMove,
            movement.RULE,
            movement.judge,
            movement.resolve,
            movement.rules,
            "Up to M inches along the way; never within Engagement Range of an enemy, never over the edge.",
            readings=MOVING,
        ),
        Play(
            Advance,
            movement.ADVANCE,
            movement.judge_advance,
            movement.resolve_advance,
            movement.rules,
            "As a Normal move, with a D6 added to M.",
            readings=MOVING,
            outcome=movement.advance_outcome,
        ),
        Play(
            FallBack,
            falling_back.RULE,
            falling_back.judge,
            falling_back.resolve,
            falling_back.rules,
            "Up to M inches through and out of Engagement Range; who passes over enemies takes a test.",
            readings=MOVING,
            outcome=falling_back.outcome,
        ),
        Play(EndStep, "End of Step", judge_end, resolve_end),
    ),
    available=available,
    questions={
        "gap": engagement.ask_gap,
        "engaged": engagement.ask_engaged,
        "coherent": engagement.ask_coherent,
        "coherency-removal": engagement.ask_removal,
        "can-fight": engagement.ask_can_fight,
    },
    options=OPTIONS,
    terrain_kinds=terrain.KINDS,
    rows=_rows,
)
