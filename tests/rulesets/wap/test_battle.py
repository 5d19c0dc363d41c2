"""What happens when the rules of this game are played: bolts by themselves, mishaps, impact, control lost, moves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Clock, Marker, Unit
from sim.battle.state import Ranked
from sim.chance import ScriptedDice
from sim.engine import Game, Refused, judge
from sim.geometry import Path, Pose
from sim.rules import Command, Deploy, EndStep
from sim.rulesets.wap import RULESET
from sim.rulesets.wap.commands import ImpactHits, March, NormalMove, RandomMove, Zzzzap
from tests.rulesets.wap.table import COMPULSORY, FIGHTING, SHOOTING, D, W, battle, played, unit, wheel

HALF = 12.5 / 25.4
FAR = unit("far", "blue", (5, 5))
TOUCHING = unit("enemy", "blue", (36, 24 + D + HALF))
CHARGED = Marker("charged", "enemy", until="end-of-turn")
HURT = Marker("hurt", amount=2, until="end-of-phase")


def marked(unit_: Unit, kind: str) -> list[str]:
    return [m.subject for m in unit_.markers if m.kind == kind]


def test_the_owner_is_asked_between_equals() -> None:
    ends = (36 + W + 4 + HALF, 24), (36 - W - 4 - HALF, 24)
    start = battle(SHOOTING, wheel(), unit("enemy", "blue", ends[0]), unit("friend", "red", ends[1]))
    for choice in ("enemy", "friend"):
        after = played(start, Zzzzap("wheel"), 4, 1, 6, 3, choices=(choice,))
        assert not after.unit(choice).models


def test_bolts_fly_by_themselves_when_the_phase_ends() -> None:
    start = battle(SHOOTING, wheel(), unit("enemy", "blue", (36 + W + 4 + HALF, 24)))
    after = played(start, EndStep(), 4, 1, 6, 2)
    assert not after.unit("enemy").models
    fired = played(start, Zzzzap("wheel"), 4, 1, 1)
    assert judge(RULESET, fired, Zzzzap("wheel")).codes == ("not-eligible",)
    assert played(fired, EndStep()).unit("enemy").models


def test_a_die_for_every_wound_of_the_phase() -> None:
    start = battle(Clock(2, "blue", "shooting", "shoot"), wheel(HURT), FAR)
    kept = played(start, EndStep(), 2, 6)
    assert kept.model("wheel-1").pose == Pose(36, 24, 90)
    lost = played(start, EndStep(), 1, 6, 0.0, 1, 1, 1)
    assert lost.model("wheel-1").pose == Pose(39, 24, 0)
    assert not lost.unit("wheel").marked("hurt")


@pytest.mark.parametrize(("reading", "x"), [("one-event", 39.0), ("each", 42.0)])
def test_two_ones_are_one_event_or_two(reading: str, x: float) -> None:
    start = battle(Clock(2, "blue", "shooting", "shoot"), wheel(HURT), FAR, loss_of_control=reading)
    rolls = (1, 1, 0.0, 1, 1, 1) if reading == "one-event" else (1, 1, 0.0, 1, 1, 1, 0.0, 1, 1, 1)
    pose = played(start, EndStep(), *rolls).model("wheel-1").pose
    assert pose is not None
    assert pose.x == x


def test_no_control_is_lost_in_close_combat_or_in_flight() -> None:
    clock = Clock(2, "blue", "shooting", "shoot")
    played(battle(clock, wheel(HURT), TOUCHING), EndStep())
    played(battle(clock, wheel(HURT, Marker("fleeing")), FAR), EndStep())


@pytest.mark.parametrize(
    ("marks", "dice"), [((), 3), (("lost-die",), 2), (("burst-of-speed",), 4), (("burst-of-speed", "lost-die"), 3)]
)
def test_disasters_take_dice_of_the_run_and_bursts_give_four(marks: tuple[str, ...], dice: int) -> None:
    start = battle(COMPULSORY, wheel(*[Marker(kind, amount=1) for kind in marks]), FAR)
    pose = played(start, RandomMove("wheel", 0.0), *[2] * dice).model("wheel-1").pose
    assert pose is not None
    assert pose.x == 36 + 2 * dice


def test_a_burst_of_speed_lasts_and_the_last_disaster_destroys() -> None:
    burst = played(battle(SHOOTING, wheel(), FAR), Zzzzap("wheel"), "misfire", 6)
    ran = played(replace(burst, clock=COMPULSORY), RandomMove("wheel", 0.0), 1, 1, 1, 1).model("wheel-1").pose
    assert ran is not None
    assert ran.x == 40
    last = wheel(Marker("lost-die", amount=2))
    after = played(battle(SHOOTING, last, FAR), Zzzzap("wheel"), "misfire", 1, 1, 1)
    assert after.unit("wheel").whereabouts == "destroyed"


def test_out_of_control_into_an_enemy_is_a_charge() -> None:
    start = battle(SHOOTING, wheel(), unit("enemy", "blue", (36, 24 + D + 4 + HALF)))
    after = played(start, Zzzzap("wheel"), "misfire", 3, 90.0, 2, 2, 2)
    assert marked(after.unit("wheel"), "charged") == ["enemy"]


@pytest.mark.parametrize(("strength", "toughness", "needed"), [(1, 4, 6), (3, 4, 5), (4, 4, 4), (5, 4, 3), (9, 4, 2)])
@pytest.mark.parametrize("short", [0, 1])
def test_strength_against_toughness_wounds(strength: int, toughness: int, needed: int, short: int) -> None:
    hammer = wheel(CHARGED, abilities=("impact-hits 1",), profile=(("S", float(strength)), ("T", 6.0), ("W", 5.0)))
    foe = replace(TOUCHING, profile=(("T", float(toughness)), ("W", 1.0)))
    if needed - short < 1:
        return
    after = played(battle(FIGHTING, hammer, foe), ImpactHits("wheel"), needed - short)
    assert bool(after.unit("enemy").models) is bool(short)


@pytest.mark.parametrize(("strength", "save"), [(3, 4), (4, 5), (5, 6), (6, None)])
def test_armour_suffers_from_strength_four_on(strength: int, save: int | None) -> None:
    hammer = wheel(CHARGED, abilities=("impact-hits 1",), profile=(("S", float(strength)), ("T", 6.0), ("W", 5.0)))
    clad = replace(TOUCHING, profile=(("AS", 4.0), ("T", 3.0), ("W", 1.0)))
    start = battle(FIGHTING, hammer, clad)
    if save is None:
        assert not played(start, ImpactHits("wheel"), 6).unit("enemy").models
        return
    assert played(start, ImpactHits("wheel"), 6, save).unit("enemy").models
    assert not played(start, ImpactHits("wheel"), 6, save - 1).unit("enemy").models


def walk(u: Unit, dx: float, dy: float) -> tuple[Path, ...]:
    return tuple(Path.through(m.pose, [[m.pose.x + dx, m.pose.y + dy]]) for m in u.models if m.pose is not None)


def test_ordinary_moves_and_marches() -> None:
    clock = Clock(2, "red", "movement", "remaining-moves")
    block = unit("block", "red", (20, 20), (21, 20), formation=Ranked(2))
    start = battle(clock, block, unit("enemy", "blue", (20, 30)))

    def codes(command: Command) -> tuple[str, ...]:
        return judge(RULESET, start, command).codes

    assert codes(NormalMove("block", walk(block, 0, 4))) == ()
    assert codes(NormalMove("block", walk(block, 0, 4.01))) == ("too-far",)
    assert codes(NormalMove("block", walk(block, 2, 0))) == ()
    assert codes(NormalMove("block", walk(block, 2.01, 0))) == ("too-far",)
    assert codes(NormalMove("block", (*walk(block, 0, 2)[:1], *walk(block, 0, 3)[1:]))) == ("formation-broken",)
    assert codes(March("block", walk(block, 0, 8))) == ()
    assert codes(March("block", walk(block, 0, 8.1))) == ("too-far", "unit-spacing")
    assert codes(March("block", walk(block, 2, 0))) == ("not-forward",)
    moved = played(start, NormalMove("block", walk(block, 0, 4)))
    assert [m.pose for m in moved.unit("block").models] == [Pose(20, 24, 90), Pose(21, 24, 90)]
    assert "already-moved" in judge(RULESET, moved, March("block", walk(moved.unit("block"), 0, 1))).codes


def test_no_move_ends_nearer_than_an_inch() -> None:
    clock = Clock(2, "red", "movement", "remaining-moves")
    mover, friend = unit("mover", "red", (20, 20)), unit("friend", "red", (20, 26))
    start = battle(clock, mover, friend)
    nearest = 6 - 2 * HALF - 1.0
    assert played(start, NormalMove("mover", walk(mover, 0, min(4.0, nearest)))).unit("mover").marked("moved")
    with pytest.raises(Refused):
        played(start, March("mover", walk(mover, 0, nearest + 0.01)))
    played(start, March("mover", walk(mover, 0, nearest)))


def test_players_set_up_in_turn_in_their_own_zones() -> None:
    clock = Clock(1, "red", "deployment", "deploy-armies")
    ours, theirs = (
        replace(u, whereabouts="reserves", models=tuple(replace(m, pose=None) for m in u.models))
        for u in (unit("ours", "red", (1, 1)), unit("theirs", "blue", (1, 1)))
    )
    start = battle(clock, ours, theirs)
    assert judge(RULESET, start, Deploy("ours", (Pose(20, 35),))).codes == ("not-wholly-within",)
    assert played(start, Deploy("ours", (Pose(20, 40),))).clock.player == "blue"


def test_the_turn_has_its_sub_phases() -> None:
    game = Game(RULESET, battle(Clock(1, "red", "deployment", "deploy-armies"), FAR))
    seen = []
    for _ in range(7):
        game.play(EndStep(), ScriptedDice(()))
        seen.append((game.battle.clock.player, game.battle.clock.step))
    steps = ["charges", "compulsory-moves", "remaining-moves", "magic", "shoot", "fight"]
    assert seen == [*[("red", step) for step in steps], ("blue", "charges")]
