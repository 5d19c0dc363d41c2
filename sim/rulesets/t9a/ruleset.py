"""The table of contents: phases, commands, questions and options of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sim.battle import Battle, ClockAdvanced, Event, Unit, Until
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
    alternating,
    lasting,
    next_clock,
    read_rows,
)
from sim.rulesets.t9a import (
    abilities,
    ambush,
    charging,
    deployment,
    formation,
    in_hand,
    moves,
    proposals,
    questions,
    random_movement,
    spacing,
)
from sim.rulesets.t9a.commands import AdvanceMove, Ambush, Charge, Join, MagicMove, March, RandomMove, Reform
from sim.rulesets.t9a.eligibility import (
    AMBUSH,
    AMBUSH_ROLLS,
    ARRIVING,
    FIRST_TURN,
    MOVES,
    RANDOM,
    is_war_machine,
    may_manoeuvre,
)

TURNS = 6  # game turns, each of one Player Turn a player
END = "end-of-turn"

PHASES = (
    Phase("deployment", "Deployment", ("deploy-units",), setup=True),
    Phase("charge", "Charge", ("charges",)),
    Phase("movement", "Movement", (AMBUSH_ROLLS, AMBUSH, RANDOM, MOVES)),
    Phase("magic", "Magic", ("magic",)),
    Phase("shooting", "Shooting", ("shoot",)),
    Phase("melee", "Melee", ("combats", END)),
)

OPTIONS: dict[str, tuple[str | bool | float, ...]] = {
    "ambush_between": ("shared area", "any touch"),
    "ambush_spacing": ("kept", "free"),
    "ambush_overhang": ("no", "yes"),
    "ambush_friend": ("blocks", "ignored"),
}


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    """The clock must stand on a step of the sequence, and the battle must not be over."""
    try:
        following = next_clock(PHASES, battle.players, TURNS, battle.clock)
    except ValueError as error:
        yield Violation("wrong-phase", "Game Turn", f"the clock cannot move on: {error}")
        return
    if following is None:
        yield Violation("battle-over", "Game Turn", f"the battle ends with Game Turn {TURNS}")


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    """What the step leaves to do is done, the clock moves on, and what lasted until now is taken off."""
    before = battle.clock
    after = next_clock(PHASES, battle.players, TURNS, before)
    assert after is not None
    if before.phase == "deployment":
        others = alternating.next_player(battle)
        if others is not None:
            yield from alternating.hands_over(battle, others)
            return
        battle = yield from alternating.all_through(battle)
    if (before.phase, before.step) == ("movement", AMBUSH_ROLLS):
        yield from ambush.roll_all(battle)
    reached: set[Until] = set()
    if after.phase != before.phase:
        reached.add("end-of-phase")
    if (after.round, after.player) != (before.round, before.player) or before.phase == "deployment":
        reached.update(("end-of-phase", "end-of-turn"))
        yield from ambush.part(battle)
    yield from lasting.over(battle, frozenset(reached), before)
    if (after.round, after.player, after.step) == (TURNS, battle.players[-1], END):
        yield from ambush.lost(battle)
    yield ClockAdvanced(after)


def left_behind(battle: Battle) -> tuple[str, ...]:
    """What ending the step now leaves undone, in sentences."""
    clock = battle.clock
    if clock.phase == "deployment":
        waits = alternating.waiting(battle, clock.player)
        return tuple(
            f"{unit.name} stays in ambush."
            if unit.ability("ambush") is not None
            else f"{unit.name} is not set up and takes no part in the battle."
            for unit in waits
        )
    undone = {
        "ambush": "has been rolled for and is not placed: it rolls again in the next own Player Turn.",
        "random-move": "does not make its Random Movement.",
    }
    offers = [offer for offer in available(battle) if offer.command in undone]
    return tuple(f"{battle.unit(offer.unit).name} {undone[offer.command]}" for offer in offers)


def end_outcome(battle: Battle, command: EndStep, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What came of arrival rolls, or who is lost because the battle ends."""
    gone = [unit.id for unit in battle.units if unit.whereabouts == RESERVES and not after.unit(unit.id).models]
    if gone:
        return {"outcome": "lost", "target": gone[0]}
    return ambush.rolled(battle, events, after)


def available(battle: Battle) -> tuple[Offer, ...]:
    """What the player whose turn it is can do in this step."""
    offers: list[Offer] = []
    for unit in battle.units:
        if unit.player == battle.clock.player:
            offers.extend(_offers(battle, unit))
    return (*offers, Offer("end-step", "", "End this step"))


def _offers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    clock = battle.clock
    free = unit.on_table and not formation.host_of(unit) and not any(may_manoeuvre(unit, ""))
    at_random = unit.ability("random-movement") is not None
    match clock.phase, clock.step:
        case "deployment", _ if unit.whereabouts == RESERVES:
            yield Offer("deploy", unit.id, f"Set up {unit.name}")
        case "movement", "ambush-rolls" if _may_join(battle, unit):
            yield Offer("join", unit.id, f"{unit.name} joins a unit in ambush")
        case "movement", "ambush" if unit.marked(ARRIVING):
            yield Offer("ambush", unit.id, f"Ambush: {unit.name}")
        case "movement", "random-movement" if free and at_random:
            yield Offer("random-move", unit.id, f"Random Movement of {unit.name}")
        case "movement", "moves" if free and not at_random:
            yield Offer("advance-move", unit.id, f"Advance {unit.name}")
            if not is_war_machine(unit):
                yield Offer("march", unit.id, f"March {unit.name}")
            if not moves.is_joined(battle, unit):
                yield Offer("reform", unit.id, f"Reform {unit.name}")
        case _:
            return


def _may_join(battle: Battle, unit: Unit) -> bool:
    waits = unit.whereabouts == RESERVES and unit.ability("ambush") is not None and not formation.host_of(unit)
    return waits and battle.clock.round >= FIRST_TURN and bool(ambush.hosts(battle, unit))


def _rows() -> tuple[RuleRow, ...]:
    return read_rows((Path(__file__).parent / "RULES.md").read_text(encoding="utf-8"))


PLAYS = (
    Play(
        Deploy,
        deployment.RULE,
        deployment.judge,
        deployment.resolve,
        deployment.rules,
        'Every model in its ranks inside the own zone, the boundary more than 1" from every other unit.',
        block=in_hand.block,
        figure=deployment.figure,
    ),
    Play(
        Ambush,
        ambush.RULE,
        ambush.judge,
        ambush.resolve,
        ambush.rules,
        'Three of four corners of the boundary within 6", or the inches in (X), of the chosen point; nothing between.',
        readings=tuple(OPTIONS),
        outcome=ambush.outcome,
        figure=ambush.figure,
        stands=ambush.stands,
        point=ambush.nearest_point,
    ),
    Play(Join, ambush.JOINING, ambush.judge_join, ambush.resolve_join, summary="Same (X), said before the roll."),
    Play(
        RandomMove,
        random_movement.RULE,
        random_movement.judge,
        random_movement.resolve,
        summary='A direction, then the roll, then straight on until 1" from anything.',
        outcome=random_movement.outcome,
        stands=random_movement.stands,
    ),
    Play(
        AdvanceMove,
        moves.ADVANCE,
        moves.judge_advance,
        moves.resolve,
        moves.rules,
        'No model ends farther off than the Advance Rate; 0.5" from others on the way, more than 1" at the end.',
        turns_about=in_hand.wheels_about,
        goes=moves.goes,
    ),
    Play(
        March,
        moves.MARCH,
        moves.judge_march,
        moves.resolve,
        moves.rules,
        "As an Advance Move, up to the March Rate.",
        turns_about=in_hand.wheels_about,
        goes=moves.goes,
    ),
    Play(
        Reform,
        moves.REFORM,
        moves.judge_reform,
        moves.resolve_reform,
        moves.reform_rules,
        "New ranks about the same centre.",
        turns_about=in_hand.reforms_about,
        other_ranks=in_hand.other_ranks,
        settle=in_hand.settle_reform,
        on_the_spot=True,
        goes=moves.goes,
    ),
    Play(
        MagicMove,
        moves.MAGIC,
        moves.judge_magic,
        moves.resolve,
        moves.rules,
        "A move in the Magic Phase, open to units that have just arrived.",
        turns_about=in_hand.wheels_about,
        goes=moves.goes,
    ),
    Play(
        Charge,
        charging.RULE,
        charging.judge,
        charging.resolve,
        summary="Advance Rate and 2D6 must cover the gap between the boundaries.",
        outcome=charging.outcome,
    ),
    Play(EndStep, "End of Step", judge_end, resolve_end, outcome=end_outcome),
)

RULESET = Ruleset(
    id="t9a",
    title="The 9th Age",
    edition="2nd edition",
    version="0.1.0",
    phases=PHASES,
    counts="Turn",
    rounds=TURNS,
    flat=True,
    plays=PLAYS,
    available=available,
    left_behind=left_behind,
    proposals=proposals.propose,
    describe=proposals.describe,
    ability=abilities.read,
    abilities=tuple(abilities.KNOWN),
    questions={
        "gap": questions.gap_between,
        "corners": questions.corners,
        "wholly-within": questions.wholly_within,
        "charge-needs": questions.charge_needs,
        "scores": questions.scores,
    },
    options=OPTIONS,
    terrain_kinds=spacing.KINDS,
    rows=_rows,
)
