"""Who may shoot at whom, and what becomes of it."""

from __future__ import annotations

import pytest

from sim.battle import Marker, Terrain
from sim.geometry import Hull, Round
from sim.rulesets.wh40k10.commands import AttackWith, Guide, Shoot
from tests.rulesets.wh40k10.stage import SHOOTING, battle, judged, played, squad

WALL = Terrain("wall", "ruin-wall", ((15.0, 0.0), (15.2, 0.0), (15.2, 44.0), (15.0, 44.0)), 5.0)


def rifles(unit: str, count: int, target: str, weapon: str = "bolt rifle") -> Shoot:
    return Shoot(unit, tuple(AttackWith(f"{unit}-{k + 1}", weapon, target) for k in range(count)))


def marines(*markers: str, at: tuple[float, float] = (10.0, 10.0), count: int = 5) -> object:
    return squad("men", "red", "Intercessor Squad", at, count, markers=[Marker(kind) for kind in markers])


def codes(*units: object, shot: Shoot, terrain: tuple[Terrain, ...] = ()) -> tuple[str, ...]:
    return judged(battle(SHOOTING, *units, terrain=terrain), shot).codes  # type: ignore[arg-type]


def test_a_volley_from_beginning_to_end() -> None:
    start = battle(SHOOTING, marines(count=2), squad("foe", "blue", "Boyz", (10, 20), 10))
    # 2 x 4 shots at one unit alone, Heavy: 3+ with +1; S4 against T5 wounds on 5+; Sv 5+ with AP -1 saves on a 6
    after = played(start, (rifles("men", 2, "foe"), (1, 2, 5, 6, 1, 1, 1, 1, 5, 5, 4, 6, 2)))
    assert len(after.unit("foe").models) == 9
    assert after.unit("men").marked("shot")
    assert judged(after, rifles("men", 2, "foe")).codes == ("not-eligible",)


@pytest.mark.parametrize(("y", "fine"), [(10 + 24 + 32 / 25.4, True), (10 + 24 + 32 / 25.4 + 0.01, False)])
def test_range_is_measured_from_base_to_base(y: float, fine: bool) -> None:
    foe = squad("foe", "blue", "Boyz", (10.0, y), 1)
    found = codes(marines(count=1), foe, shot=rifles("men", 1, "foe"))
    assert found == (() if fine else ("target-too-far",))


def test_nobody_sees_through_a_wall() -> None:
    foe = squad("foe", "blue", "Boyz", (20.0, 10.0), 1)
    assert codes(marines(count=1), foe, shot=rifles("men", 1, "foe"), terrain=(WALL,)) == ("not-visible",)


def test_indirect_fire_needs_no_sight_and_misses_up_to_three() -> None:
    tank = squad("tank", "red", "Hammerhead Gunship", (5, 10), base=Round.mm(60), loadout=["smart missile system"])
    foe = squad("foe", "blue", "Boyz", (20.0, 10.0), 10)
    shot = Shoot("tank", (AttackWith("tank-1", "smart missile system", "foe"),))
    start = battle(SHOOTING, tank, foe, terrain=(WALL,))
    assert judged(start, shot).legal
    after = played(start, (shot, (3, 3, 4)))  # 4+ with -1: 5s hit, and a 3 never does
    assert len(after.unit("foe").models) == 10
    # a 5 hits; S5 against T5 on 4+; cover makes the save 4+ at AP 0
    after = played(start, (shot, (5, 1, 1, 4, 4)))
    assert len(after.unit("foe").models) == 10
    after = played(start, (shot, (5, 1, 1, 4, 3)))
    assert len(after.unit("foe").models) == 9


@pytest.mark.parametrize("marker", ["fell-back", "shot", "cannot-shoot"])
def test_who_may_not_shoot(marker: str) -> None:
    foe = squad("foe", "blue", "Boyz", (10, 20), 5)
    assert codes(marines(marker), foe, shot=rifles("men", 5, "foe")) == ("not-eligible",)


def test_after_an_advance_only_assault_weapons_shoot() -> None:
    foe = squad("foe", "blue", "Boyz", (10, 20), 5)
    assert codes(marines("advanced"), foe, shot=rifles("men", 5, "foe")) == ()
    fire = squad("fire", "red", "Strike Team", (10, 10), 10)
    advanced = squad("fire", "red", "Strike Team", (10, 10), 10, markers=[Marker("advanced")])
    shot = rifles("fire", 1, "foe", "pulse rifle")
    assert codes(fire, foe, shot=shot) == ()
    assert codes(advanced, foe, shot=shot) == ("not-eligible",)


def test_pistols_or_other_weapons() -> None:
    foe = squad("foe", "blue", "Boyz", (10, 20), 5)
    both = Shoot("men", (AttackWith("men-1", "bolt rifle", "foe"), AttackWith("men-1", "bolt pistol", "foe")))
    assert codes(marines(), foe, shot=both) == ("pistols-or-others",)


def test_an_engaged_unit_shoots_its_pistols_at_whom_it_is_engaged_with() -> None:
    near, far = squad("near", "blue", "Boyz", (10.0, 12.0), 1), squad("far", "blue", "Boyz", (10.0, 20.0), 5)
    pistol = rifles("men", 1, "near", "bolt pistol")
    assert codes(marines(count=1), near, far, shot=pistol) == ()
    assert codes(marines(count=1), near, far, shot=rifles("men", 1, "far", "bolt pistol")) == ("not-eligible",)
    assert codes(marines(count=1), near, far, shot=rifles("men", 1, "near")) == ("not-eligible",)


def test_a_unit_engaged_with_friends_is_no_target_but_a_monster_or_a_guest_of_fortifications_is() -> None:
    friend = squad("friend", "red", "Intercessor Squad", (30.0, 20.0), 1)
    foe = squad("foe", "blue", "Boyz", (30.0, 22.0), 1)
    assert codes(marines(), friend, foe, shot=rifles("men", 5, "foe")) == ("target-engaged",)
    dread = squad("foe", "blue", "Deff Dread", (30.0, 22.4), 1, base=Round.mm(60))
    assert codes(marines(at=(10, 30)), friend, dread, shot=rifles("men", 5, "foe")) == ()
    rig = squad("rig", "red", "Tidewall Gunrig", (30.0, 20.0), base=Hull(((-2, -1), (2, -1), (2, 1), (-2, 1))))
    guest = squad("foe", "blue", "Boyz", (30.0, 22.0), 1)
    shooter = marines(at=(14, 30))
    assert codes(shooter, rig, guest, shot=rifles("men", 5, "foe")) == ()
    # B17: at -1, which Heavy sets off again: 3+ for who has not moved, 4+ for who has
    moved = squad("men", "red", "Intercessor Squad", (14, 30), 1, markers=[Marker("moved")])
    start = battle(SHOOTING, moved, rig, guest)
    after = played(start, (rifles("men", 1, "foe"), (3, 3, 3, 3)))
    assert len(after.unit("foe").models) == 1


def test_blast_is_never_used_at_a_unit_engaged_with_its_own_side() -> None:
    friend = squad("friend", "red", "Intercessor Squad", (30.0, 20.0), 1)
    dread = squad("foe", "blue", "Deff Dread", (30.0, 22.4), 1, base=Round.mm(60))
    tank = squad("tank", "red", "Hammerhead Gunship", (5, 10), base=Round.mm(60), loadout=["ion cannon"])
    shot = Shoot("tank", (AttackWith("tank-1", "ion cannon", "foe", "standard"),))
    assert codes(tank, friend, dread, shot=shot) == ("target-engaged",)


def test_one_shot_is_fired_once_in_a_battle() -> None:
    tank = squad("tank", "red", "Hammerhead Gunship", (5, 10), base=Round.mm(60), loadout=["seeker missile"])
    foe = squad("foe", "blue", "Boyz", (20, 10), 5)
    shot = Shoot("tank", (AttackWith("tank-1", "seeker missile", "foe"),))
    twice = Shoot("tank", shot.attacks * 2)
    start = battle(SHOOTING, tank, foe)
    assert judged(start, twice).codes == ("weapon-used-twice",)
    after = played(start, (shot, (1,)))
    assert "not-eligible" in judged(after, shot).codes
    assert any("has been fired" in v.message for v in judged(after, shot).violations)


def test_firing_deck_lets_passengers_shoot_with_one_weapon_each() -> None:
    hull = Hull(((-2, -1), (2, -1), (2, 1), (-2, 1)))
    rig = squad("rig", "red", "Tidewall Gunrig", (20.0, 20.0), base=hull)
    crew = squad("crew", "red", "Strike Team", (0, 0), 10, where="embarked:rig")
    foe = squad("foe", "blue", "Boyz", (20, 30), 5)
    one = AttackWith("crew-1", "pulse rifle", "foe")
    start = battle(SHOOTING, rig, crew, foe)
    assert judged(start, Shoot("rig", (one,))).legal
    assert judged(start, Shoot("rig", (one, AttackWith("crew-1", "pulse pistol", "foe")))).codes == (
        "weapon-used-twice",
    )
    after = played(start, (Shoot("rig", (one,)), (1, 1)))
    assert after.unit("crew").marked("shot")
    assert "not-eligible" in judged(start, Shoot("crew", (one,))).codes


def test_for_the_greater_good() -> None:
    fire = squad("fire", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"])
    eyes = squad("eyes", "red", "Pathfinder Team", (20, 10), 1)
    foe = squad("foe", "blue", "Nobz", (10, 30), 5)
    other = squad("other", "blue", "Nobz", (20, 30), 5)
    start = battle(SHOOTING, fire, eyes, foe, other)
    guide = Guide("fire", "eyes", "foe")
    assert judged(start, guide).legal
    guided = played(start, (guide, ()))
    assert judged(guided, Guide("eyes", "fire", "foe")).codes == ("not-eligible",)
    assert judged(guided, guide).codes == ("not-eligible",)
    at_spotted, elsewhere = (rifles("fire", 1, name, "pulse rifle") for name in ("foe", "other"))
    assert len(played(guided, (at_spotted, (3, 1))).unit("foe").models) == 5  # BS 4+ better by one
    assert len(played(guided, (elsewhere, (4,))).unit("other").models) == 5  # worse by one: a 4 misses
    assert judged(start, Guide("fire", "eyes", "nobody")).codes == ("no-such-unit",)


def test_what_is_not_there_is_refused_with_a_reason() -> None:
    foe = squad("foe", "blue", "Boyz", (10, 20), 5)
    assert codes(marines(), foe, shot=rifles("men", 1, "nobody")) == ("no-such-unit",)
    assert codes(marines(), foe, shot=rifles("men", 1, "foe", "catapult")) == ("no-such-weapon",)
    assert codes(marines(), foe, shot=Shoot("men", (AttackWith("foe-1", "bolt rifle", "foe"),))) == ("not-eligible",)
    assert codes(marines(), foe, shot=rifles("men", 1, "men")) == ("not-eligible",)
