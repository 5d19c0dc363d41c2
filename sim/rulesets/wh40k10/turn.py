"""The battle round: what happens between steps, and when the battle is over."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, Clock, ClockAdvanced, Unit, Until
from sim.rules import EndStep, Phase, Procedure, Violation, alternating, lasting, next_clock
from sim.rules.sequence import OVER
from sim.rulesets.wh40k10 import (
    charging,
    coherency,
    command_phase,
    fighting,
    ingress,
    movement,
    once,
    parting,
    shooting,
    striking,
    turrets,
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


def judge_end(battle: Battle, command: EndStep) -> Iterator[Violation]:
    """The clock must stand on a step of the sequence, and nobody may be left who has to fight."""
    if battle.clock.phase == OVER:
        yield Violation("battle-over", "Battle Round", f"the battle ended with battle round {battle.clock.round}")
        return
    try:
        following(battle)
    except ValueError as error:
        yield Violation("wrong-phase", "Battle Round", f"the clock cannot move on: {error}")
        return
    if battle.clock.phase == "fight":
        waiting = fighting.candidates(battle)
        if waiting:
            names = ", ".join(unit.name for unit in waiting)
            what = f"{waiting[0].player} still has to fight with {names}"
            yield Violation("must-fight", striking.RULE, what, tuple(unit.id for unit in waiting))


def following(battle: Battle) -> Clock | None:
    """The clock after this step, None at the end of the battle; each player with Scouts has a step for them."""
    before = battle.clock
    after = next_clock(PHASES, battle.players, ROUNDS, before)
    if after is None or "scouts" not in (before.step, after.step):
        return after
    players = battle.players
    waiting = players if before.step != "scouts" else players[players.index(before.player) + 1 :]
    for player in waiting:
        if any(scouts(unit) for unit in battle.units if unit.player == player):
            return Clock(before.round, player, "deployment", "scouts")
    return after if before.step == "scouts" else next_clock(PHASES, players, ROUNDS, after)


def resolve_end(battle: Battle, command: EndStep) -> Procedure:
    """The clock moves on; what belongs to the end of the step or to the start of the next one happens."""
    before = battle.clock
    battle = yield from parting.all_settled(battle)
    if before.step == "deploy-armies":
        others = alternating.next_player(battle)
        if others is not None:
            yield from alternating.hands_over(battle, others)
            return
        battle = yield from alternating.all_through(battle)
    if before.step == "reinforcements":
        ended = yield from ingress.ends_phase(battle)
        if ended is not battle:
            return
    if before.phase == "fight":
        answered = yield from fighting.before_the_next(battle)
        if answered is not battle:
            return
    after = following(battle)
    if before.step == "command" and not command_phase.has_begun(battle):
        battle = yield from command_phase.begin(battle, before)
    if before.step == "battle-shock":
        battle = yield from command_phase.score(battle, before.player)
    if before.phase == "movement" and (after is None or after.phase != "movement"):
        battle = yield from turrets.set_up(battle, before.player)
    reached = _reached(before, after)
    if reached:
        battle = yield from shooting.hazards_owed(battle)
    if "end-of-turn" in reached and before.phase == "fight":
        for unit in battle.units:
            if coherency.broken(unit):
                battle = yield from coherency.remove_stragglers(battle, unit.id)
    if reached:
        battle = yield from command_phase.lose(battle)
    if before.step == "battle-shock":
        battle = yield from command_phase.keep(battle, before.player)
    for event in lasting.over(battle, reached, before):
        battle = yield event
    if after is None:
        yield from command_phase.last_score(battle)
        yield ClockAdvanced(Clock(before.round, before.player, OVER, OVER))
        return
    battle = yield ClockAdvanced(after)
    if after.step == "command":
        battle = yield from command_phase.begin(battle, after)
    if after.step == "reinforcements":
        yield from ingress.opens_phase(battle)
    if after.phase == "fight" and before.phase != "fight":
        yield from once.finest_hours(battle)
    if after.step == "battle-shock":
        yield from command_phase.shock_tests(battle, after.player)


def left_behind(battle: Battle) -> tuple[str, ...]:
    """What ending the step now leaves undone, in sentences."""
    player = battle.clock.player
    match battle.clock.step:
        case "deploy-armies":
            return tuple(f"{unit.name} stays in Reserves." for unit in alternating.waiting(battle, player))
        case "charge":
            arriving = [u for u in battle.units if u.player == player and charging.can_arrive(battle, u)]
            return tuple(
                f"{unit.name} has rolled {charging.charge_roll(unit)}, which suffices: its Charge move would be lost."
                for unit in arriving
            )
        case _:
            return ()


def _reached(before: Clock, after: Clock | None) -> frozenset[Until]:
    """Which points the clock reaches between a step and the next one."""
    if after is not None and after.phase == before.phase:
        return frozenset()
    if before.phase == "fight" or (after is not None and after.phase == "command"):
        return frozenset(("end-of-phase", "end-of-turn"))
    return frozenset(("end-of-phase",))


def scouts(unit: Unit) -> bool:
    """Whether a unit can still make its Scout move."""
    return unit.on_table and movement.scout_distance(unit) is not None and not unit.marked("moved")
