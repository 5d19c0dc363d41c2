"""Stratagems: offered when they may be used, paid, once only, with their effect."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Objective, RollAbout, Terrain, Unit
from sim.engine import ChoiceError
from sim.geometry import Path, Pose, Round
from sim.rules import EndStep, ReactionWindow
from sim.rulesets.wh40k10 import RULESET, command_phase, fighting, movement, noticing, rolls, shooting, stratagems
from sim.rulesets.wh40k10.commands import (
    AttackWith,
    Charge,
    ChargeMove,
    Consolidate,
    Fight,
    NormalMove,
    Shoot,
    Stratagem,
)
from sim.rulesets.wh40k10.resources import command_points
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, judged, now, played, squad

B32 = 32 / 25.4
MOVE = now("movement", "move-units")
KAUYON = ("detachment kauyon",)
MONTKA = ("detachment montka",)


def cp(after: Battle, player: str) -> int | None:
    return command_points(after, player)


def names(start: Battle, when: str, subject: str, player: str, **more: Any) -> list[str]:
    window = ReactionWindow(when, subject, (player,), **more)
    return [offer.name for offer in RULESET.reactions(start, window, player)]


CHARGED = RollAbout("charge", "men")


def test_a_charge_roll_is_bought_anew_once_a_phase() -> None:
    men = squad("men", "red", "Intercessor Squad", (10, 10), 1)
    more = squad("more", "red", "Intercessor Squad", (30, 10), 1)
    foe, other = squad("foe", "blue", "Boyz", (10, 20), 1), squad("other", "blue", "Boyz", (30, 20), 1)
    start = battle(CHARGE, men, more, foe, other, cp=2)
    decline = "decline"
    first = played(start, (Charge("men", ("foe",)), (1, 1, 5, 5), (decline, "command-re-roll")))
    assert cp(first, "red") == 1
    assert any(m.kind == "charge-roll" and m.amount == 10 for m in first.unit("men").markers)
    second = played(first, (Charge("more", ("other",)), (1, 1), (decline,)))
    assert cp(second, "red") == 1


def test_no_stratagem_without_points_or_on_the_shocked() -> None:
    men = squad("men", "red", "Intercessor Squad", (10, 10), 1)
    assert names(battle(CHARGE, men, cp=0), rolls.AFTER_ROLL, "men", "red", roll=CHARGED) == []
    assert names(battle(CHARGE, men, cp=1), rolls.AFTER_ROLL, "men", "red", roll=CHARGED) == ["command-re-roll"]
    shocked = replace(men, markers=(Marker("battle-shocked"),))
    assert names(battle(CHARGE, shocked, cp=1), rolls.AFTER_ROLL, "men", "red", roll=CHARGED) == []


def test_a_captain_takes_a_point_off_once_a_battle_round() -> None:
    men = squad("men", "red", "Captain", (10, 10), 1)
    more = squad("more", "red", "Captain", (30, 10), 1)
    foe, other = squad("foe", "blue", "Boyz", (10, 20), 1), squad("other", "blue", "Boyz", (30, 20), 1)
    start = battle(CHARGE, men, more, foe, other, cp=0)
    after = played(start, (Charge("men", ("foe",)), (1, 1, 5, 5), ("command-re-roll",)))
    assert cp(after, "red") == 0  # one point, less one
    about = RollAbout("charge", "more")
    fresh = replace(after, clock=now("fight", "remaining-combats"))  # another phase of the same round: the full price
    fresh = replace(fresh, units=tuple(replace(u, markers=tuple(_lasting(u))) for u in fresh.units))
    assert names(fresh, rolls.AFTER_ROLL, "more", "red", roll=about) == []
    assert names(
        replace(fresh, clock=now("fight", "remaining-combats", number=3)), rolls.AFTER_ROLL, "more", "red", roll=about
    )


def _lasting(unit: Unit) -> list[Marker]:
    return [m for m in unit.markers if m.until == "end-of-battle"]


def test_insane_bravery_before_the_test_in_the_core_set_and_after_it_in_the_boarding_set() -> None:
    weak = squad("boyz", "red", "Boyz", (5, 5), 4, markers=[Marker("starting-strength", amount=10)])
    start = battle(now("command", "command"), weak, cp=1)
    brave = played(start, (EndStep(), (), ("not-now", "insane-bravery")))
    assert not brave.unit("boyz").marked("battle-shocked")
    assert cp(brave, "red") == 1  # two, less one
    boarding = battle(now("command", "command"), weak, cp=1, options={"stratagems": "boarding"})
    after = played(boarding, (EndStep(), (1, 1), ("not-now", "insane-bravery")))
    assert not after.unit("boyz").marked("battle-shocked")
    again = replace(brave, clock=now("command", "command", number=3))
    again = replace(again, clock=now("command", "battle-shock", number=3))
    assert names(again, command_phase.BEFORE_SHOCK, "boyz", "red") == [], "once a battle"


def test_fire_overwatch_hits_on_sixes_alone() -> None:
    mover = squad("men", "red", "Intercessor Squad", (10, 10), 1)
    guard = squad("guard", "blue", "Strike Team", (10, 25), 1, loadout=["pulse rifle"])
    start = battle(MOVE, mover, guard, cp=1)
    pose = start.unit("men").models[0].pose
    assert pose is not None
    step = NormalMove("men", (Path.through(pose, [[10.0, 12.0]]),))
    # rapid fire at half range: two shots; 5 misses, 6 hits; wound on 3+; save 3+
    after = played(start, (step, (5, 6, 3, 2), ("fire-overwatch: guard", "decline")))
    assert cp(after, "blue") == 0
    assert after.unit("men").models[0].wounds_lost == 1
    far = battle(MOVE, mover, squad("guard", "blue", "Strike Team", (10, 36.3), 1), cp=1)
    assert names(far, noticing.ENDS, "men", "blue") == []


def test_tank_shock_rolls_the_toughness() -> None:
    dread = squad(
        "dread",
        "red",
        "Deff Dread",
        (10, 10),
        base=Round.mm(60),
        markers=[Marker("charge-declared"), Marker("charge-target", "foe"), Marker("charge-roll", amount=8)],
    )
    foe = squad("foe", "blue", "Boyz", (10, 18), 10)
    start = battle(CHARGE, dread, foe, cp=1)
    gap = 8 - 30 / 25.4 - B32 / 2
    move = ChargeMove("dread", ("foe",), (Path.through(Pose(10, 10), [[10.0, 10 + gap]]),))
    after = played(start, (move, (1, 5, 6, 1, 1, 1, 1, 1, 1, 4), ("tank-shock",)))  # the charge crushes nobody
    assert len(after.unit("foe").models) == 8
    assert cp(after, "red") == 0


def test_heroic_intervention_charges_at_once_without_a_bonus() -> None:
    charger = squad(
        "men",
        "red",
        "Intercessor Squad",
        (10, 10),
        1,
        markers=[Marker("charge-declared"), Marker("charge-target", "foe"), Marker("charge-roll", amount=9)],
    )
    foe = squad("foe", "blue", "Boyz", (10, 18), 1)
    hero = squad("hero", "blue", "Nobz", (15, 17), 1, base=Round.mm(32))
    start = battle(CHARGE, charger, foe, hero, cp=1)
    move = ChargeMove("men", ("foe",), (Path.through(Pose(10, 10), [[10.0, 18 - B32]]),))
    decline = ("decline",) * 2  # Overwatch against the hero, and a roll bought anew
    after = played(start, (move, (5, 5), ("heroic-intervention: hero", *decline)))
    assert after.unit("hero").marked("charged")
    assert not after.unit("hero").marked("charge-bonus")
    assert cp(after, "blue") == 0


def two_combats(step: str = "remaining-combats", *first: str) -> Battle:
    """Red and blue face each other twice: r1 and b1, r2 and b2; red may pay for Counter-Offensive once."""
    units = []
    for name, player, x in (("r1", "red", 10.0), ("b1", "blue", 10.0), ("r2", "red", 20.0), ("b2", "blue", 20.0)):
        y = 10.0 if player == "red" else 10.0 + B32 + 0.5
        markers = [Marker("charge-bonus")] if name in first else []
        units.append(squad(name, player, "Boyz", (x, y), 1, loadout=["shoota"], markers=markers))
    return battle(now("fight", step), *units, cp=2)


def stays(start: Battle, unit: str) -> Consolidate:
    return Consolidate(unit, tuple(Path(m.pose, ()) for m in start.unit(unit).models if m.pose is not None))


def test_counter_offensive_fights_next() -> None:
    start = two_combats()
    after = played(start, (Fight("b1", ()), ()), (stays(start, "b1"), (), ("counter-offensive: r2",)))
    assert judged(after, Fight("r1", ())).codes == ("not-your-turn",)
    assert judged(after, Fight("r2", ())).legal
    assert cp(after, "red") == 0


def test_who_has_fought_does_not_fight_next_once_more() -> None:
    start = two_combats()
    after = played(start, (Fight("b1", ()), ()), (stays(start, "b1"), (), ("decline",)))
    after = played(after, (Fight("r2", ()), ()), (stays(start, "r2"), (), ("decline",)), (Fight("b2", ()), ()))
    with pytest.raises(ChoiceError, match=r"only decline, counter-offensive: r1$"):
        played(after, (stays(start, "b2"), (), ("counter-offensive: r2",)))
    after = played(after, (stays(start, "b2"), (), ("counter-offensive: r1",)))
    assert judged(after, Fight("r1", ())).legal


def test_a_unit_has_fought_when_it_has_consolidated() -> None:
    start = two_combats()
    after = played(start, (Fight("b1", ()), (), ()))  # nobody is asked: b1 may still consolidate
    assert cp(after, "red") == 2
    moved = Consolidate("b1", (Path.through(Pose(10.0, 10.0 + B32 + 0.5), [[10.0, 10.0 + B32]]),))
    after = played(after, (moved, (), ("counter-offensive: r2",)))
    assert after.unit("b1").models[0].pose == Pose(10.0, 10.0 + B32)
    assert [unit.id for unit in fighting.candidates(after)] == ["r2"]


def test_who_does_not_consolidate_has_fought_when_its_owner_goes_on() -> None:
    start = two_combats("fights-first", "b1", "b2")
    after = played(start, (Fight("b1", ()), (), ()), (Fight("b2", ()), (), ("counter-offensive: r2",)))
    assert not after.unit("b2").marked("fought"), "r2 was called on before b2 was selected"
    assert [unit.id for unit in fighting.candidates(after)] == ["r2"]
    moved = Consolidate("b1", (Path.through(Pose(10.0, 10.0 + B32 + 0.5), [[10.0, 10.0 + B32]]),))
    assert judged(after, moved).codes == ("not-eligible",), "b1 went on without it, and red has answered that"
    assert "consolidate" not in {offer.command for offer in RULESET.available(after)}
    after = played(after, (Fight("r2", ()), ()), (stays(start, "r2"), ()))
    assert [unit.id for unit in fighting.candidates(after)] == ["b2"]


def test_a_step_does_not_end_when_somebody_is_called_on() -> None:
    start = two_combats("fights-first", "b1")
    after = played(start, (Fight("b1", ()), (), ()), (EndStep(), (), ("counter-offensive: r2",)))
    assert after.clock.step == "fights-first"
    assert judged(after, EndStep()).codes == ("must-fight",)
    after = played(after, (Fight("r2", ()), ()), (EndStep(), ()))
    assert after.clock.step == "remaining-combats"


def test_counterfire_lessens_damage() -> None:
    shooter = squad("men", "red", "Hellblaster Squad", (10, 10), 1, loadout=["plasma incinerator"])
    foe = squad("foe", "blue", "Broadside Battlesuits", (10, 20), 1, base=Round.mm(60), abilities=MONTKA)
    start = battle(SHOOTING, shooter, foe, cp=2)
    shot = Shoot("men", (AttackWith("men-1", "plasma incinerator", "foe", "supercharge"),))
    # two shots, Heavy: 2+; S8 against T6 on 3+; Sv 2+ with AP -3 on 5+; damage 2 less one; then the Hazardous test
    after = played(start, (shot, (1, 6, 3, 4, 6), ("counterfire", *("decline",) * 4)))
    assert after.unit("foe").models[0].wounds_lost == 1


def test_montka_stratagems_by_command() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"], abilities=MONTKA)
    mate = squad("mate", "red", "Strike Team", (14, 10), 1, loadout=["pulse rifle"], abilities=MONTKA)
    foe, other = squad("foe", "blue", "Nobz", (10, 35), 5), squad("other", "blue", "Nobz", (30, 30), 5)
    start = battle(SHOOTING, team, mate, foe, other, cp=1)
    use = Stratagem("focused-fire", "team", "mate foe")
    assert judged(start, use).legal
    after = played(start, (use, ()))
    assert cp(after, "red") == 0
    wrong = Shoot("team", (AttackWith("team-1", "pulse rifle", "other"),))
    assert judged(after, wrong).codes == ("not-eligible",)
    # 4+, S5 against T5 on 4+, Sv 4+ with AP -1: a 4 fails, where it would have saved
    shot = Shoot("team", (AttackWith("team-1", "pulse rifle", "foe"),))
    hurt = played(after, (shot, (4, 4, 4)))
    assert sum(m.wounds_lost for m in hurt.unit("foe").models) == 1
    for number, codes in ((1, ()), (3, ()), (4, ("not-eligible",))):
        assert judged(replace(start, clock=now("shooting", "shoot", number=number)), use).codes == codes
    swift = Stratagem("aggressive-mobility", "team")
    assert judged(start, swift).codes == ("wrong-phase",)
    moved = played(battle(MOVE, team, mate, foe, cp=1), (swift, ()))
    assert movement.most_advance(moved.unit("team")) == 6


def test_kauyon_stratagems_wait_for_the_third_round() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"], abilities=KAUYON)
    foe = squad("foe", "blue", "Nobz", (10, 16), 5)
    marker = Objective("A", (10.0, 18.0), 40 / 25.4 / 2)
    trap = Stratagem("tempting-trap", "team", "A")
    for number, found in ((2, ("not-eligible",)), (3, ())):
        start = battle(now("shooting", "shoot", number=number), team, foe, objectives=[marker], cp=1)
        assert judged(start, trap).codes == found
        assert judged(start, Stratagem("point-blank-ambush", "team")).codes == found
    start = battle(now("shooting", "shoot", number=3), team, foe, objectives=[marker], cp=1)
    shot = Shoot("team", (AttackWith("team-1", "pulse rifle", "foe"),))
    # rapid fire: two shots; Patient Hunter: a 6 hits once more; +1 to wound: 3s wound; saves on 4+
    after = played(start, (trap, ()), (shot, (6, 1, 3, 2, 4)))
    assert sum(m.wounds_lost for m in after.unit("foe").models) == 0
    # without the trap a 3 does not wound
    unaided = played(start, (shot, (6, 1, 3, 3)))
    assert unaided.unit("foe").models == start.unit("foe").models


def test_pulse_onslaught_shakes_until_the_end_of_the_opponents_next_turn() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"], abilities=MONTKA)
    foe = squad("foe", "blue", "Nobz", (10, 35), 5)
    start = battle(SHOOTING, team, foe, cp=2)
    shot = Shoot("team", (AttackWith("team-1", "pulse rifle", "foe"),))
    after = played(start, (shot, (4, 1), ("decline", "decline", "decline", "pulse-onslaught: foe")))
    assert movement.distance_of(after.unit("foe")) == 4.0
    assert cp(after, "red") == 0


def test_pinpoint_counter_offensive_hunts_the_killer() -> None:
    foe = squad("foe", "blue", "Nobz", (10, 20), 1)
    lone = squad("lone", "red", "Strike Team", (10, 10), 1, abilities=MONTKA)
    mate = squad("mate", "red", "Strike Team", (20, 10), 1, abilities=MONTKA)
    start = battle(SHOOTING, foe, lone, mate, cp=1)
    assert names(start, "unit-destroyed", "lone", "red", other="foe") == ["pinpoint-counter-offensive"]


def corner(**options: str) -> Battle:
    """A marine with a grenade launcher on one side of a wall's end; of eleven Boyz in a row he sees six."""
    wall = Terrain("wall", "ruin-wall", ((16.0, 15.0), (60.0, 15.0), (60.0, 15.2), (16.0, 15.2)), 5.0)
    man = squad("men", "red", "Intercessor Squad", (6.0, 4.0), 1, loadout=["bolt rifle", "astartes grenade launcher"])
    return battle(
        SHOOTING, man, squad("boyz", "blue", "Boyz", (10, 22), 11, gap=2.5), cp=3, terrain=(wall,), options=options
    )


FRAG = Shoot("men", (AttackWith("men-1", "astartes grenade launcher", "boyz", "frag"),))


def volley_of(start: Battle, shot: Shoot) -> tuple[int, frozenset[str] | None]:
    """What Blast adds, and whom the attacks reach."""
    unit = start.unit("men")
    (volley,) = shooting.plan_volleys(start, unit, shooting.shots_of(start, unit, shot.attacks))
    return volley.attack(start).more_attacks, volley.reached(start.unit("boyz"))


def test_explosive_clearance_reaches_whom_a_blast_weapon_does_not_see() -> None:
    sees = frozenset(f"boyz-{k}" for k in range(1, 7))
    assert volley_of(corner(), FRAG) == (2, None)
    boarding = corner(stratagems="boarding")
    assert volley_of(boarding, FRAG) == (1, sees)
    cleared = played(boarding, (Stratagem("explosive-clearance", "men", "men-1"), ()))
    assert cp(cleared, "red") == 2
    assert volley_of(cleared, FRAG) == (2, None)
    rifle = Shoot("men", (AttackWith("men-1", "bolt rifle", "boyz"),))
    assert volley_of(cleared, rifle)[1] == sees, "its other weapons reach no farther"
    other = boarding.with_unit(
        replace(boarding.unit("men"), markers=(Marker("explosive-clearance", "somebody-else"), Marker("x", "men-1")))
    )
    assert volley_of(other, FRAG) == (1, sees), "it is for the one model that it names"
    assert judged(boarding, Stratagem("explosive-clearance", "men", "men-2")).codes == ("not-eligible",)
    assert Stratagem("explosive-clearance", "men", "men-1") in list(stratagems.offers(boarding, boarding.unit("men")))


def test_in_boarding_actions_attacks_that_reach_nobody_more_are_lost() -> None:
    rifle = Shoot("men", (AttackWith("men-1", "bolt rifle", "boyz"),))
    start = corner(stratagems="boarding")
    boyz = start.unit("boyz")
    one_in_view = replace(boyz, models=boyz.models[5:])
    start = replace(start, units=(start.unit("men"), one_in_view))
    # four shots at one unit alone, Heavy: two hit and wound; the first is not saved; the second finds nobody in sight
    after = played(start, (rifle, (6, 6, 1, 1, 6, 6, 1), ("decline",) * 5))
    assert [m.id for m in after.unit("boyz").models] == [f"boyz-{k}" for k in range(7, 12)]


def test_a_stratagem_that_is_none_is_refused() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1)
    start = battle(SHOOTING, team, cp=9)
    assert judged(start, Stratagem("victory", "team")).codes == ("not-eligible",)
    assert judged(start, Stratagem("command-re-roll", "team")).codes == ("not-eligible",)
    assert judged(start, Stratagem("focused-fire", "team", "x y")).codes == ("not-eligible",)
    assert {card.name for card in stratagems.CARDS} >= {"rapid-ingress", "fire-overwatch", "explosive-clearance"}
