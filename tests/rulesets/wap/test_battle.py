"""What happens when the rules of this game are played: bolts by themselves, mishaps, impact, control lost, moves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Clock, Marker, Unit
from sim.battle.state import Ranked
from sim.chance import ScriptedDice
from sim.engine import Game, ScriptedChoices, judge
from sim.geometry import Path, Pose
from sim.rules import Command, Deploy, EndStep
from sim.rulesets.wap import RULESET, charging
from sim.rulesets.wap.attacks import armour_save, to_wound
from sim.rulesets.wap.commands import ImpactHits, March, NormalMove, Zzzzap
from sim.rulesets.wap.eligibility import movement_dice
from tests.rulesets.wap.table import FIGHTING, SHOOTING, D, W, battle, unit, wheel

HALF = 12.5 / 25.4
FAR = unit("far", "blue", (5, 5))
TOUCHING = unit("enemy", "blue", (36, 24 + D + HALF))
HURT = Marker("hurt", amount=2, until="end-of-phase")


def played(start: Battle, command: Command, *faces: int | float | str, choices: tuple[str, ...] = ()) -> Battle:
    """The battle after a command whose dice are used up."""
    dice = ScriptedDice(faces)
    game = Game(RULESET, start)
    game.play(command, dice, ScriptedChoices(choices))
    assert dice.left == 0
    return game.battle


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


@pytest.mark.parametrize(("charged", "faces", "left"), [(True, (3, 6, 6, 1, 1), 0), (False, (3, 6, 6, 1, 1), 0)])
def test_impact_on_the_charge_grinding_otherwise(charged: bool, faces: tuple[int, ...], left: int) -> None:
    markers = (Marker("charged", "enemy", until="end-of-turn"),) if charged else ()
    enemy = replace(TOUCHING, models=(*TOUCHING.models, *unit("enemy", "blue", (36, 30), (37, 30)).models[1:]))
    after = played(battle(FIGHTING, wheel(*markers), enemy), ImpactHits("wheel"), *faces)
    done = next(m for m in after.unit("wheel").markers if m.kind == "impact-done")
    assert (done.subject, done.amount) == (("Impact Hits", 4) if charged else ("Grind Attack", 4))
    assert len(after.unit("enemy").models) == left
    assert "not-eligible" in judge(RULESET, after, ImpactHits("wheel")).codes


def test_hits_are_spread_as_evenly_as_can_be() -> None:
    markers = (Marker("charged", "a"), Marker("charged", "b"))
    y = 24 + D + HALF
    tough = (("T", 9.0), ("W", 9.0))
    enemies = (unit("a", "blue", (35.4, y), profile=tough), unit("b", "blue", (36.6, y), profile=tough))
    after = played(battle(FIGHTING, wheel(*markers), *enemies), ImpactHits("wheel"), 4, 2, 1, 1, 1, 1, 1)
    shares = {u: next(m.amount for m in after.unit(u).markers if m.kind == "struck") for u in ("a", "b")}
    assert shares == {"a": 2, "b": 3}


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


def test_disasters_take_dice_and_bursts_give_four() -> None:
    assert [movement_dice(wheel(*[Marker("lost-die", amount=1)] * k)) for k in range(4)] == [3, 2, 1, 0]
    assert movement_dice(wheel(Marker("burst-of-speed"), Marker("lost-die", amount=1))) == 3
    last = wheel(Marker("lost-die", amount=2))
    after = played(battle(SHOOTING, last, FAR), Zzzzap("wheel"), "misfire", 1, 1, 1)
    assert after.unit("wheel").whereabouts == "destroyed"


def test_out_of_control_into_an_enemy_is_a_charge() -> None:
    start = battle(SHOOTING, wheel(), unit("enemy", "blue", (36, 24 + D + 4 + HALF)))
    after = played(start, Zzzzap("wheel"), "misfire", 3, 90.0, 2, 2, 2)
    assert marked(after.unit("wheel"), "charged") == ["enemy"]


def test_to_wound_and_armour() -> None:
    assert [to_wound(s, 4) for s in (1, 2, 3, 4, 5, 6, 10)] == [6, 6, 5, 4, 3, 2, 2]
    clad = unit("clad", "blue", (1, 1), profile=(("AS", 4.0), ("NA", 5.0)))
    assert [armour_save(clad, s, "all") for s in (3, 4, 5, 6)] == [4, 5, 6, None]
    assert [armour_save(clad, s, "natural") for s in (3, 4, 5)] == [5, 6, None]
    assert armour_save(clad, 3, "none") is None


def test_swiftstride_serves_others() -> None:
    fast, slow, slower = (
        unit("u", "red", (1, 1), abilities=("swiftstride",), profile=(("M", m),)) for m in (7.0, 6.0, 3.0)
    )
    assert (charging.charge_dice(fast), charging.charge_range(fast, (2, 5, 6))) == (3, 18)
    assert (charging.charge_dice(slow), charging.charge_range(slow, (2, 5))) == (2, 13)
    assert charging.charge_range(slower, (2, 5)) == 8
    assert (charging.flight(fast, (2, 5, 6)), charging.flight(slow, (2, 5, 6))) == (13, 11)
    assert charging.flight(wheel(abilities=("random-movement 3D6", "swiftstride")), (2, 5, 6)) == 13


def test_terror_is_tested_on_a_declared_charge_alone() -> None:
    plain, terror = unit("plain", "blue", (1, 1)), wheel()
    assert charging.panics_before_reacting(plain, terror, "declared")
    assert not charging.panics_before_reacting(plain, terror, "random-move")
    assert not charging.panics_before_reacting(terror, wheel(), "declared")
    assert charging.immune(unit("calm", "blue", (1, 1), abilities=("immunity psychology",)))


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
