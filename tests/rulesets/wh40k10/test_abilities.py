"""What single datasheets can do: repairs, oaths, suppression, crushing charges, steady aim and good observers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from sim.battle import Attached, Battle, Marker, Unit
from sim.geometry import Path
from sim.rules import EndStep
from sim.rulesets.wh40k10 import abilities, volleys
from sim.rulesets.wh40k10.commands import AttackWith, ChargeMove, Shoot
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.volleys import Circumstances, attack_of
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, now, played, squad

END = EndStep()
GUN = Weapon("gun", 24, "1", 6, 0, "1", 3)


def test_a_transport_repairs_itself_in_its_command_phase() -> None:
    rhino = squad("rhino", "red", "Rhino", (10, 10), wounds=3)
    other = squad("other", "blue", "Rhino", (30, 10), wounds=3)
    after = played(battle(now("command", "command"), rhino, other), (END, ()))
    assert after.unit("rhino").models[0].wounds_lost == 2
    assert after.unit("other").models[0].wounds_lost == 3


def test_an_oath_is_sworn_anew_in_each_command_phase() -> None:
    men = squad("men", "red", "Intercessor Squad", (10, 10), 5)
    foes = [squad(name, "blue", "Boyz", (x, 30), 10) for name, x in (("one", 10), ("two", 20))]
    sworn = played(battle(now("command", "command"), men, *foes), (END, (), ("two",)))
    assert abilities.is_oath(sworn.unit("men"), sworn.unit("two"))
    assert not abilities.is_oath(sworn.unit("men"), sworn.unit("one"))
    assert abilities.hit_again(sworn, sworn.unit("men"), sworn.unit("two")) == "failed"
    before = replace(sworn, clock=now("fight", "remaining-combats", "blue", 2))
    changed = played(before, (END, (), ("one",)))
    assert changed.clock == now("command", "command", "red", 3)
    assert not abilities.is_oath(changed.unit("men"), changed.unit("two"))


def test_terminators_hit_the_target_of_the_oath_better() -> None:
    men = squad("men", "red", "Terminator Squad", (10, 10), 5)
    foe = squad("foe", "blue", "Boyz", (10, 30), 10, markers=[Marker(abilities.OATH, "red")])
    start = battle(SHOOTING, men, foe)
    assert [m.value for m in abilities.hit_modifiers(start, men, foe)] == [1]
    plain = replace(foe, markers=())
    assert not list(abilities.hit_modifiers(battle(SHOOTING, men, plain), men, plain))


def shot(start: Battle, faces: Sequence[int], choices: Sequence[str] = ()) -> Battle:
    """One pulse rifle at the foe."""
    order = Shoot("team", (AttackWith("team-1", "pulse rifle", "foe", ""),))
    return played(start, (order, faces, choices)) if choices else played(start, (order, faces))


def test_infantry_that_was_hit_is_suppressed_until_the_shooters_next_turn() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"])
    foe = squad("foe", "blue", "Boyz", (10, 35), 10)
    hit = shot(battle(SHOOTING, team, foe), (6, 1))
    assert hit.unit("foe").marked("suppressed")
    assert [m.value for m in abilities.hit_modifiers(hit, hit.unit("foe"), team)] == [-1]
    missed = shot(battle(SHOOTING, team, foe), (1,))
    assert not missed.unit("foe").marked("suppressed")
    theirs = played(replace(hit, clock=now("command", "command", "blue")), (END, ()))
    assert theirs.unit("foe").marked("suppressed")
    mine = played(replace(hit, clock=now("command", "command", "red", 3)), (END, ()))
    assert not mine.unit("foe").marked("suppressed")


def test_of_two_units_that_were_hit_the_player_says_which_is_suppressed() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 2, loadout=["pulse rifle"])
    foe, more = squad("foe", "blue", "Boyz", (10, 35), 10), squad("more", "blue", "Boyz", (30, 30), 10)
    shots = Shoot("team", tuple(AttackWith(f"team-{k}", "pulse rifle", name) for k, name in ((1, "foe"), (2, "more"))))
    after = played(battle(SHOOTING, team, foe, more), (shots, (6, 1, 6, 1), ("more",)))
    assert [name for name in ("foe", "more") if after.unit(name).marked("suppressed")] == ["more"]


def test_what_is_no_infantry_is_not_suppressed() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"])
    foe = squad("foe", "blue", "Deff Dread", (10, 35), 1)
    assert not shot(battle(SHOOTING, team, foe), (6, 1)).unit("foe").marked("suppressed")


def charged(sheet: str, faces: Sequence[int], count: int = 1) -> Battle:
    """A unit that has charged into ten Boyz."""
    markers = [Marker("charge-declared"), Marker("charge-target", "foe"), Marker("charge-roll", amount=9)]
    unit = squad("unit", "red", sheet, (10, 10), count, markers=markers)
    foe = squad("foe", "blue", "Boyz", (10, 18), 10)
    gap = 8 - unit.models[0].placed.radius - foe.models[0].placed.radius
    paths = tuple(Path.through(m.placed.pose, [[m.placed.pose.x, 10 + gap]]) for m in unit.models)
    return played(battle(CHARGE, unit, foe), (ChargeMove("unit", ("foe",), paths), faces))


@pytest.mark.parametrize(("faces", "left"), [((1,), 10), ((2, 1), 9), ((5, 3), 7), ((6, 3), 4)])
def test_a_dread_crushes_whom_it_charges(faces: tuple[int, ...], left: int) -> None:
    assert len(charged("Deff Dread", faces).unit("foe").models) == left


@pytest.mark.parametrize(("face", "left"), [(3, 10), (4, 9)])
def test_each_model_that_lands_on_an_enemy_may_hurt_it(face: int, left: int) -> None:
    assert len(charged("Assault Intercessors with Jump Packs", (face,)).unit("foe").models) == left


def test_steady_aim_leaves_out_what_makes_it_worse() -> None:
    riptide = squad("riptide", "red", "Riptide Battlesuit", (10, 10), 1)
    assert abilities.ignores_hit_modifiers(riptide)
    target = squad("foe", "blue", "Boyz", (10, 30), 10)
    worse = Circumstances(1, hit_modifiers=(volleys.Modifier(-1, "far", "Far"),), steady=True)
    assert attack_of(GUN, target, worse).hit == attack_of(GUN, target, Circumstances(1)).hit
    better = Circumstances(1, hit_modifiers=(volleys.Modifier(1, "near", "Near"),), steady=True)
    assert attack_of(GUN, target, better).hit != attack_of(GUN, target, Circumstances(1)).hit


def test_guided_by_stealth_suits_ones_are_rolled_again() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 5, markers=[Marker("guided", "foe")])
    foe = squad("foe", "blue", "Boyz", (10, 30), 10)
    for sheet, again in (("Stealth Battlesuits", "ones"), ("Pathfinder Team", "none")):
        eyes = squad("eyes", "red", sheet, (20, 10), 3, markers=[Marker("observer-of", "team")])
        start = battle(SHOOTING, team, eyes, foe)
        assert abilities.shot_again(start, team, foe) == again
        assert abilities.wound_again(start, team, foe) == again


def test_nobz_led_by_a_warboss_are_harder_to_wound_by_what_is_stronger() -> None:
    nobz = squad("nobz", "red", "Nobz", (10, 10), 5)
    boss = Attached("boss", (nobz.models[-1].id,), keywords=("WARBOSS", "CHARACTER"))
    led: Unit = replace(nobz, attached=(boss,))
    for strength, harder in ((6, True), (5, False)):
        gun = replace(GUN, strength=strength)
        needed = [attack_of(gun, unit, Circumstances(1)).wound.needed for unit in (led, nobz)]
        assert (needed[0] > needed[1]) is harder
