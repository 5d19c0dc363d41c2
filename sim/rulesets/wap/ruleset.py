"""The table of contents: phases, commands, questions and options of this game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sim.battle import Battle, ClockAdvanced, Unit, Until
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
    blocks,
    lasting,
    next_clock,
    read_rows,
)
from sim.rulesets.wap import (
    abilities,
    charging,
    deployment,
    impact,
    in_hand,
    measuring,
    mishaps,
    moving,
    proposals,
    random_movement,
    shooting,
    terrain,
)
from sim.rulesets.wap.attacks import Resolving
from sim.rulesets.wap.commands import DeclareCharge, ImpactHits, March, NormalMove, RandomMove, Zzzzap
from sim.rulesets.wap.eligibility import engaged_with, is_fleeing, is_war_machine

TURNS = 6  # game turns

PHASES = (
    Phase("deployment", "Deployment", ("deploy-armies",), setup=True),
    Phase("movement", "Movement", ("charges", "compulsory-moves", "remaining-moves")),
    Phase("magic", "Magic", ("magic",)),
    Phase("shooting", "Shooting", ("shoot",)),
    Phase("close-combat", "Close Combat", ("fight",)),
)

OPTIONS: dict[str, tuple[str | bool | float, ...]] = {
    "bolts": ("D3", "3"),
    "bolt_range": (12.0, 18.0),
    "bolt_wounds": ("D3", "D6"),
    "mishap_split": ("1/2-5/6", "1-2/3-5/6"),
    "arrow_on_hit": ("small-arrow", "re-roll", "no-move"),
    "close_start": ("away", "stuck"),
    "near_enemy": (1.0, 0.5),
    "side_contact": ("blocks", "charges"),
    "table_edge": ("impassable", "stop-at-edge", "destroyed"),
    "artillery_without_target": ("rolled", "skipped"),
    "loss_of_control": ("one-event", "each"),
    "wheel_base": ("as-placed", "oval-105x70"),
    "rallied_moves": (False, True),
}


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    """The clock must stand on a step of the sequence, and the battle must not be over."""
    try:
        following = next_clock(PHASES, battle.players, TURNS, battle.clock)
    except ValueError as error:
        yield Violation("wrong-phase", "Game Turn", f"the clock cannot move on: {error}")
        return
    if following is None:
        yield Violation("battle-over", "Game Turn", f"the battle ends with game turn {TURNS}")


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    """What must happen in the step happens; then the clock moves on, and what lasted until now is taken off."""
    before = battle.clock
    after = next_clock(PHASES, battle.players, TURNS, before)
    assert after is not None
    if before.phase == "deployment":
        others = alternating.next_player(battle)
        if others is not None:
            yield from alternating.hands_over(battle, others)
            return
        battle = yield from alternating.all_through(battle)
    battle = yield from _what_must_happen(battle)
    reached: set[Until] = set()
    if (after.phase, after.round, after.player) != (before.phase, before.round, before.player):
        reached.add("end-of-phase")
        for unit in battle.units:
            battle = yield from mishaps.end_of_phase(battle, unit.id)
    if (after.round, after.player) != (before.round, before.player) or before.phase == "deployment":
        reached.update(("end-of-phase", "end-of-turn"))
    yield from lasting.over(battle, frozenset(reached), before)
    yield ClockAdvanced(after)


def left_behind(battle: Battle) -> tuple[str, ...]:
    """What ending the step now leaves undone, or does by itself, in sentences."""
    clock = battle.clock
    if clock.phase == "deployment":
        left = alternating.waiting(battle, clock.player)
        return tuple(f"{unit.name} is not set up and takes no part in the battle." for unit in left)
    runs = [offer for offer in available(battle) if offer.command == "random-move"]
    return tuple(f"{battle.unit(offer.unit).name} runs straight ahead by itself." for offer in runs)


def _what_must_happen(battle: Battle) -> Resolving:
    """Compulsory moves, bolts and the weight of wheels come by themselves, if nobody has ordered them."""
    clock = battle.clock
    for unit_id in [unit.id for unit in battle.units]:
        unit = battle.unit(unit_id)
        mine = unit.on_table and unit.player == clock.player
        match clock.phase, clock.step:
            case "movement", "compulsory-moves" if mine:
                facing = measuring.bases(battle, unit)[0].pose.facing
                if not any(random_movement.judge(battle, RandomMove(unit_id, facing))):
                    battle = yield from random_movement.perform(battle, unit_id, facing)
            case "shooting", _ if mine:
                if not any(shooting.judge(battle, Zzzzap(unit_id))):
                    battle = yield from shooting.unleash(battle, unit_id)
            case "close-combat", _ if impact.due(battle, unit):
                battle = yield from impact.strike(battle, unit_id)
            case _:
                pass
    return battle


def available(battle: Battle) -> tuple[Offer, ...]:
    """What the player whose turn it is can do in this step."""
    offers: list[Offer] = []
    for unit in battle.units:
        if unit.player == battle.clock.player:
            offers.extend(_offers(battle, unit))
    return (*offers, Offer("end-step", "", "End this step"))


def _offers(battle: Battle, unit: Unit) -> Iterator[Offer]:
    clock = battle.clock
    if unit.whereabouts == RESERVES and clock.phase == "deployment":
        yield Offer("deploy", unit.id, f"Set up {unit.name}")
    if not unit.on_table or not unit.models:
        return
    facing = measuring.bases(battle, unit)[0].pose.facing
    match clock.phase, clock.step:
        case "movement", "compulsory-moves" if not any(random_movement.judge(battle, RandomMove(unit.id, facing))):
            yield Offer("random-move", unit.id, f"Random move: {unit.name}")
        case "movement", "remaining-moves" if _may_walk(battle, unit):
            yield Offer("normal-move", unit.id, f"Move {unit.name}")
            if not is_war_machine(unit):
                yield Offer("march", unit.id, f"March {unit.name}")
        case "shooting", _ if not any(shooting.judge(battle, Zzzzap(unit.id))):
            yield Offer("zzzzap", unit.id, f"Loose the bolts: {unit.name}")
        case "close-combat", _ if impact.due(battle, unit):
            yield Offer("impact-hits", unit.id, f"Impact Hits: {unit.name}")
        case _:
            return


def _may_walk(battle: Battle, unit: Unit) -> bool:
    walks = unit.ability("random-movement") is None and unit.value("M") is not None
    done = unit.marked("moved") or charging.spends_its_move(unit)
    return walks and not (done or is_fleeing(unit) or engaged_with(battle, unit))


def _rows() -> tuple[RuleRow, ...]:
    return read_rows((Path(__file__).parent / "RULES.md").read_text(encoding="utf-8"))


RULESET = Ruleset(
    id="wap",
    title="Warhammer Armies Project",
    edition="2022",
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
            "Every model wholly inside its own deployment zone, an inch from every other unit.",
        ),
        Play(
            RandomMove,
            random_movement.RULE,
            random_movement.judge,
            random_movement.resolve,
            random_movement.rules,
            'One pivot, then the roll, then straight on; friends and impassable terrain stop it 1" away.',
            readings=("rallied_moves", "wheel_base"),
            outcome=random_movement.outcome,
            figure=random_movement.figure,
            stands=random_movement.stands,
        ),
        Play(
            Zzzzap,
            shooting.RULE,
            shooting.judge,
            shooting.resolve,
            shooting.rules,
            "Every bolt strikes the unit nearest to the base, friend or foe, seen or not; ties are its owner's.",
            readings=("bolt_range", "wheel_base"),
            outcome=shooting.outcome,
            figure=shooting.figure,
            stands=shooting.stands,
        ),
        Play(
            NormalMove,
            moving.RULE,
            moving.judge_normal,
            moving.resolve,
            moving.rules,
            "Up to M inches, a wheel by its outer corner, to the side or back at half rate; an inch from everybody.",
            turns_about=blocks.wheels_about,
            settle=in_hand.settle,
            goes=moving.goes,
        ),
        Play(
            March,
            moving.MARCHING,
            moving.judge_march,
            moving.resolve,
            moving.rules,
            "Up to twice M, to the front and with wheels only.",
            turns_about=blocks.wheels_about,
            settle=in_hand.settle,
            goes=moving.goes,
        ),
        Play(
            DeclareCharge,
            charging.RULE,
            charging.judge,
            charging.resolve,
            summary="Terror is tested, then the range is rolled: Movement and the highest of two dice.",
            outcome=charging.outcome,
        ),
        Play(
            ImpactHits,
            impact.RULE,
            impact.judge,
            impact.resolve,
            summary="Model by model: the bracket and the Scythes on the charge, grinding in any other round.",
            outcome=impact.outcome,
        ),
        Play(EndStep, "End of Step", judge_end, resolve_end),
    ),
    available=available,
    left_behind=left_behind,
    proposals=proposals.propose,
    describe=proposals.describe,
    questions={
        "gap": measuring.ask_gap,
        "nearest": measuring.ask_nearest,
        "engaged": measuring.ask_engaged,
    },
    options=OPTIONS,
    terrain_kinds=terrain.KINDS,
    ability=abilities.read,
    abilities=tuple(abilities.KNOWN),
    rows=_rows,
)
