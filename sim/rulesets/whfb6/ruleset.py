"""The table of contents: phases, commands, questions and options of this game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sim.battle import Battle, Clock, ClockAdvanced, Event, MarkerCleared, Unit, Until
from sim.battle.state import RESERVES
from sim.geometry import Base
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
    blocks,
    lasting,
    next_clock,
    read_rows,
)
from sim.rulesets.whfb6 import (
    abilities,
    astray,
    deployment,
    in_hand,
    mishaps,
    movement,
    proposals,
    questions,
    setting_up,
    terrain,
    tunnelling,
)
from sim.rulesets.whfb6.commands import Emerge, LayMarker, Misplace, Move
from sim.rulesets.whfb6.markers import UNDERGROUND, laid
from sim.rulesets.whfb6.mishaps import ASTRAY, FATE, SURFACING, Onward

TURNS = 6  # turns of each player

PHASES = (
    Phase("deployment", "Deployment", ("deploy-armies", "scouts", "tunnel-markers"), setup=True),
    Phase("start", "Start of the Turn", ("emergence", "start")),
    Phase(
        "movement",
        "Movement",
        ("declare-charges", "rally", "compulsory-moves", "move-chargers", "remaining-moves"),
    ),
    Phase("magic", "Magic", ("magic",)),
    Phase("shooting", "Shooting", ("shooting",)),
    Phase("close-combat", "Close Combat", ("close-combat",)),
)

OPTIONS: dict[str, tuple[str | bool | float, ...]] = {
    "misfire_with_hit": ("misfire", "hit"),
    "edge_marker": ("on", "off"),
    "marker_under": ("point", "coin"),
    "side_tie": ("owner", "roll-off", "most-models"),
    "within_two": ("base-to-base", "wholly"),
    "no_room": ("underground", "excess-lost"),
    "astray_cover": ("allowed", "forbidden"),
    "one_inch": ("keep", "free"),
}
TURN = "Turn Sequence"


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    """The clock must stand on a step of the sequence, and the battle must not be over."""
    try:
        following = next_clock(PHASES, battle.players, TURNS, battle.clock)
    except ValueError as error:
        yield Violation("wrong-phase", TURN, f"the clock cannot move on: {error}")
        return
    if following is None:
        yield Violation("battle-over", TURN, f"the battle ends with turn {TURNS}")
    for unit in deployment.unmarked(battle, battle.clock.player):
        what = f"the marker of {unit.name} must be laid on the battlefield before the step ends"
        yield Violation("marker-unlaid", deployment.MARKERS, what, (unit.id,))


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    """What the step still asks for happens; the clock moves on; what lasted until now is taken off.

    Teams that have not dug do so now. Where one of them is still to be set up, by its player or by the opponent, the
    step goes on; ended once more, it is set up by itself.
    """
    before = battle.clock
    if before.phase == "deployment":
        others = deployment.next_player(battle)
        if others is not None:
            yield from deployment.hands_over(battle, others)
            return
        battle = yield from alternating.all_through(battle)
    diggers = tunnelling.to_dig(battle)
    for unit in diggers:
        battle = yield from tunnelling.digs(battle, unit)
    if any(battle.unit(unit.id).marked(SURFACING) or battle.unit(unit.id).marked(ASTRAY) for unit in diggers):
        return
    for unit in battle.units:
        battle = yield from _finished(battle, unit)
    after = deployment.following(battle, next_clock(PHASES, battle.players, TURNS, before))
    yield from lasting.over(battle, _reached(before, after), before)
    yield ClockAdvanced(after)


def end_outcome(battle: Battle, command: EndStep, events: tuple[Event, ...], after: Battle) -> Mapping[str, Any]:
    """What came of the first team for which the dice fell because the step was ended."""
    for unit in tunnelling.to_dig(battle):
        return {"target": unit.id} | dict(tunnelling.outcome(battle, Emerge(unit.id), events, after))
    return {}


def left_behind(battle: Battle) -> tuple[str, ...]:
    """What ending the step now leaves undone, or does by itself, in sentences."""
    clock = battle.clock
    if (clock.phase, clock.step) == ("deployment", "deploy-armies"):
        left = alternating.waiting(battle, clock.player)
        return tuple(f"{unit.name} is not set up and takes no part in the battle." for unit in left)
    told = [f"The dice fall now for {unit.name}." for unit in tunnelling.to_dig(battle)]
    for unit in battle.units:
        if unit.marked(SURFACING):
            told.append(f"{unit.name} is set up by itself where its marker lies.")
        elif unit.marked(ASTRAY):
            told.append(f"The opponent has not laid the marker of {unit.name}: it stays where it lies.")
    return tuple(told)


def _finished(battle: Battle, unit: Unit) -> Onward:
    """The battle once a team that has broken through, or gone astray, has been set up where its marker lies."""
    spot = tunnelling.spot_of(battle, unit)
    if unit.marked(SURFACING) and spot is not None:
        word = next(marker.subject for marker in unit.markers if marker.kind == SURFACING)
        poses = setting_up.proposed(battle, unit, spot)
        if len(poses) == len(unit.models):
            return (yield from tunnelling.stand(battle, unit, spot, poses, word))
        battle = yield MarkerCleared(unit.id, SURFACING)
        return battle
    if unit.marked(ASTRAY):
        return (yield from astray.left_behind(battle, unit))
    return battle


def _reached(before: Clock, after: Clock) -> frozenset[Until]:
    """What ends between two clocks."""
    if (after.round, after.player) != (before.round, before.player) or before.phase == "deployment":
        return frozenset(("end-of-phase", "end-of-turn"))
    return frozenset(("end-of-phase",)) if after.phase != before.phase else frozenset()


def available(battle: Battle) -> tuple[Offer, ...]:
    """What the player whose turn it is can do in this step; a team astray is laid by the opponent."""
    offers: list[Offer] = []
    for unit in battle.units:
        if unit.player == battle.clock.player:
            offers.extend(_offers(battle, unit))
    return (*offers, Offer("end-step", "", "End this step"))


def _offers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    clock = battle.clock
    match clock.phase, clock.step:
        case "deployment", "deploy-armies" if unit.whereabouts == RESERVES:
            yield Offer("deploy", unit.id, f"Set up {unit.name}")
        case "deployment", "tunnel-markers" if unit.whereabouts == UNDERGROUND and laid(unit) is None:
            yield Offer("lay-marker", unit.id, f"Lay the marker of {unit.name}")
        case "start", "emergence" if unit.whereabouts == UNDERGROUND and laid(unit) is not None:
            if unit.marked(ASTRAY):
                yield Offer("misplace", unit.id, f"The opponent places {unit.name}")
            elif clock.round >= tunnelling.FIRST_TURN and (unit.marked(SURFACING) or not unit.marked(FATE)):
                yield Offer("emerge", unit.id, f"{unit.name} emerges")
        case "movement", "remaining-moves" if unit.value("M") is not None:
            if not any(movement.may_move(unit)):
                yield Offer("move", unit.id, f"Move {unit.name}")
        case _:
            return


def _further_model(battle: Battle, command: Emerge | Misplace) -> tuple[Base, float]:
    """The region of a set-up is that of a further model about the first."""
    unit = battle.unit(command.unit)
    base = unit.models[1].base if len(unit.models) > 1 else unit.models[0].base
    facing = next((pose.facing for pose in (*command.models[1:2], *command.models[:1])), 0.0)
    return base, facing


def _rows() -> tuple[RuleRow, ...]:
    return read_rows((Path(__file__).parent / "RULES.md").read_text(encoding="utf-8"))


RULESET = Ruleset(
    id="whfb6",
    title="Warhammer Fantasy Battle",
    edition="6th edition",
    version="0.1.0",
    phases=PHASES,
    counts="Turn",
    rounds=TURNS,
    flat=True,
    plays=(
        Play(
            Deploy,
            deployment.RULE,
            deployment.judge,
            deployment.resolve,
            deployment.rules,
            "Every model wholly inside its own deployment zone, off impassable terrain and other bases.",
        ),
        Play(
            LayMarker,
            deployment.MARKERS,
            deployment.judge_marker,
            deployment.resolve_marker,
            summary="Once everybody has set up, the marker of a tunnelling team goes anywhere on the battlefield.",
            readings=("edge_marker",),
        ),
        Play(
            Emerge,
            tunnelling.RULE,
            tunnelling.judge,
            tunnelling.resolve,
            tunnelling.rules,
            'The first model by the marker, all others within 2" of it, an inch from enemies unless one is charged.',
            readings=("within_two", "one_inch", "marker_under", "edge_marker"),
            outcome=tunnelling.outcome,
            figure=_further_model,
            figure_is="further model",
            block=in_hand.block,
            settle=in_hand.settle_emerging,
        ),
        Play(
            Misplace,
            mishaps.RULE,
            astray.judge,
            astray.resolve,
            astray.rules,
            "The opponent lays the marker anywhere on the battlefield and sets the team up about it.",
            readings=("astray_cover", "within_two", "one_inch", "marker_under", "edge_marker"),
            outcome=tunnelling.outcome,
            figure=_further_model,
            figure_is="further model",
            block=in_hand.block,
            settle=in_hand.settle_misplaced,
        ),
        Play(
            Move,
            movement.RULE,
            movement.judge,
            movement.resolve,
            movement.rules,
            "Skirmishers go any way up to their Move, ranks to their front with wheels; an inch from enemies.",
            goes=movement.goes,
            turns_about=blocks.wheels_about,
            settle=in_hand.settle_move,
        ),
        Play(EndStep, "End of Step", judge_end, resolve_end, outcome=end_outcome),
    ),
    available=available,
    left_behind=left_behind,
    proposals=proposals.propose,
    describe=proposals.describe,
    ability=abilities.read,
    abilities=tuple(abilities.KNOWN),
    questions={
        "gap": questions.ask_gap,
        "coherent": questions.ask_coherent,
        "engaged": questions.ask_engaged,
        "may-move": questions.ask_may_move,
        "may-charge": questions.ask_may_charge,
        "may-shoot": questions.ask_may_shoot,
        "may-flee": questions.ask_may_flee,
        "counts-as-charging": questions.ask_counts_as_charging,
        "emergence-needs": questions.ask_needs,
        "under": questions.ask_under,
    },
    options=OPTIONS,
    terrain_kinds=terrain.KINDS,
    rows=_rows,
)
