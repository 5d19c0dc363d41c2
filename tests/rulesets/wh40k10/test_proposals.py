"""What does a sensible player consider? Each proposal is of the kind that is offered, and worth doing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Objective, Terrain, Unit
from sim.battle.state import Zone
from sim.geometry import Pose, gap
from sim.rules import Command, Deploy, Offer
from sim.rulesets.wh40k10 import RULESET, charging, planning, tactics
from sim.rulesets.wh40k10.commands import (
    Advance,
    Charge,
    Consolidate,
    DeepStrike,
    Disembark,
    Embark,
    FallBack,
    Fight,
    Guide,
    NormalMove,
    PileIn,
    ScoutMove,
    Shoot,
    StrategicReserves,
)
from tests.rulesets.wh40k10.stage import CHARGE, SHOOTING, battle, judged, now, squad

B32 = 32 / 25.4
MOVE = now("movement", "move-units")
FIGHT = now("fight", "remaining-combats", "blue")  # red fights first in it


def marker(name: str, at: tuple[float, float]) -> Objective:
    return Objective(name, at, 20 / 25.4)


MARKER = marker("hill", (30.0, 22.0))


def men(at: tuple[float, float], count: int = 1, name: str = "men", **more: object) -> Unit:
    """Intercessors: rifles of 24 inches, a move of 6, OC 2."""
    return squad(name, "red", "Intercessor Squad", at, count, loadout=["bolt rifle"], **more)  # type: ignore[arg-type]


def choppers(at: tuple[float, float], player: str = "red", count: int = 1, name: str = "nobz", **more: object) -> Unit:
    """Boyz with choppas: they fight by hand."""
    return squad(name, player, "Boyz", at, count, loadout=["choppa"], **more)  # type: ignore[arg-type]


def foe(at: tuple[float, float], count: int = 1, name: str = "foe") -> Unit:
    return squad(name, "blue", "Boyz", at, count, loadout=["shoota"])


def proposed(start: Battle, command: str, unit: str = "men", wild: bool = False) -> list[Command]:
    return list(RULESET.proposals(start, Offer(command, unit, ""), wild))


def ends(command: Command) -> list[tuple[float, float]]:
    return [path.end.at for path in command.paths]  # type: ignore[attr-defined]


# --- moving


@pytest.mark.parametrize(("command", "kind"), [("normal-move", NormalMove), ("advance", Advance)])
def test_a_unit_goes_straight_to_a_marker_as_far_as_it_can(command: str, kind: type[Command]) -> None:
    rolled = [Marker("advance-roll", amount=4)] if kind is Advance else []
    start = battle(MOVE, men((10, 22), markers=rolled), foe((58, 42)), objectives=[MARKER])
    found = proposed(start, command)
    assert {type(command) for command in found} == {kind}
    assert [judged(start, command).legal for command in found] == [True] * len(found)
    reach = 6.0 + (4.0 if kind is Advance else 0.0)
    assert ends(found[0]) == [pytest.approx((10 + reach, 22), abs=1e-6)]
    far = [math.dist(ends(command)[0], (10, 22)) for command in found]
    assert far == pytest.approx([reach, 0.75 * reach, 0.5 * reach, 0.25 * reach], abs=1e-6), "then shorter ways"


@pytest.mark.parametrize(("command", "kind"), [("normal-move", NormalMove), ("advance", Advance)])
def test_by_chance_a_unit_goes_anywhere_with_the_command_that_is_offered(command: str, kind: type[Command]) -> None:
    rolled = [Marker("advance-roll", amount=3)] if kind is Advance else []
    start = battle(MOVE, men((10, 22), markers=rolled), foe((10, 40)), objectives=[MARKER])
    found = proposed(start, command, wild=True)
    assert {type(command) for command in found} == {kind}
    reach = 6.0 + (3.0 if kind is Advance else 0.0)
    assert ends(found[0]) == [pytest.approx((10 + reach, 22), abs=1e-6)], "to the marker"
    assert math.dist(ends(found[1])[0], (10, 40)) == pytest.approx(18 - reach, abs=0.2), "to the enemy"
    assert len(found) == 2


def test_an_advance_whose_die_is_not_rolled_counts_on_a_one() -> None:
    start = battle(MOVE, men((2, 2)), foe((58, 42)), objectives=[MARKER])
    for wild in (False, True):
        first = proposed(start, "advance", wild=wild)[0]
        assert math.dist(ends(first)[0], (2, 2)) == pytest.approx(7.0, abs=1e-6)


def test_who_shoots_holds_a_marker_and_who_fights_by_hand_does_not() -> None:
    at = (30.0, 20.0)
    assert not proposed(battle(MOVE, men(at), foe((30, 40)), objectives=[MARKER]), "normal-move")
    assert not proposed(battle(MOVE, men(at), foe((30, 40)), objectives=[MARKER]), "advance")
    start = battle(MOVE, choppers(at), foe((30, 40)), objectives=[MARKER])
    first = ends(proposed(start, "normal-move", "nobz")[0])[0]
    assert math.dist(first, (30, 40)) == pytest.approx(14, abs=0.1), "at the enemy"


def test_a_unit_stops_two_inches_from_the_edge_of_a_marker() -> None:
    start = battle(MOVE, men((24.5, 22)), foe((58, 42)), objectives=[MARKER])
    (x, y), *_ = ends(proposed(start, "normal-move")[0])
    assert (x, y) == pytest.approx((30 - MARKER.radius - tactics.MARKER_EDGE, 22), abs=1e-3)


def test_of_two_markers_the_one_without_friends_about_it() -> None:
    east, west = marker("east", (26.0, 22.0)), marker("west", (4.0, 22.0))
    alone = battle(MOVE, men((14, 22)), foe((58, 2)), objectives=[east, west])
    assert ends(proposed(alone, "normal-move")[0])[0][0] < 14, "the nearer one"
    for friend, goes_west in (((4.0, 24.0), False), ((4.0, 29.0), True)):
        start = battle(MOVE, men((14, 22)), men(friend, name="mates"), foe((58, 2)), objectives=[east, west])
        assert (ends(proposed(start, "normal-move")[0])[0][0] < 14) is goes_west


def test_who_holds_nothing_stands_off_at_four_fifths_of_its_range() -> None:
    """No OC, no marker: 24 inches of range, so it stops at 19.2 from the enemy's middle."""
    unit = replace(men((10, 22)), profile=tuple((k, v if k != "OC" else 0.0) for k, v in men((10, 22)).profile))
    start = battle(MOVE, unit, foe((34, 22)), objectives=[MARKER])
    assert ends(proposed(start, "normal-move")[0]) == [pytest.approx((34 - 0.8 * 24, 22), abs=1e-6)]
    near = battle(MOVE, unit, foe((28, 22)), objectives=[MARKER])
    assert not proposed(near, "normal-move"), "near enough"


def test_nobody_advances_who_could_shoot_or_charge() -> None:
    """Six inches and a rifle of 24: at 30 between the bases it could shoot, beyond it could not."""
    for apart, goes in ((30.0, False), (30.1, True)):
        start = battle(MOVE, men((10, 5)), foe((10 + B32 + apart, 5)), objectives=[marker("far", (30, 40))])
        assert bool(proposed(start, "advance")) is goes


def test_scouts_go_their_own_distance() -> None:
    start = battle(now("deployment", "scouts"), men((10, 22), abilities=("scouts 5",)), objectives=[MARKER])
    found = proposed(start, "scout-move")
    assert {type(command) for command in found} == {ScoutMove}
    assert ends(found[0]) == [pytest.approx((15, 22), abs=1e-6)]


def test_shooters_fall_back_from_the_enemy_and_who_fights_by_hand_stays() -> None:
    start = battle(MOVE, men((30, 20)), foe((30 + B32 + 0.5, 20)))
    found = proposed(start, "fall-back")
    assert {type(command) for command in found} == {FallBack}
    assert ends(found[0]) == [pytest.approx((24, 20), abs=1e-6)], "straight away"
    assert judged(start, found[0]).legal
    assert ends(found[1]) == [pytest.approx((30 - 0.7 * 6, 20), abs=1e-6)]
    stays = battle(MOVE, choppers((30, 20)), foe((30 + B32 + 0.5, 20)))
    assert not proposed(stays, "fall-back", "nobz")
    assert proposed(stays, "fall-back", "nobz", wild=True)


# --- setting up


def test_a_deployment_is_in_the_own_zone_and_away_from_friends() -> None:
    zone = Zone("red", "red", ((0.0, 0.0), (60.0, 0.0), (60.0, 10.0), (0.0, 10.0)))
    start = battle(now("deployment", "deploy-armies"), men((0, 0), 5, where="reserves"), men((5, 5), 5, name="mates"))
    start = replace(start, battlefield=replace(start.battlefield, zones=(zone,)))
    found = proposed(start, "deploy")
    assert {type(command) for command in found} == {Deploy}
    assert all(0 <= pose.y <= 10 for command in found for pose in command.models)  # type: ignore[attr-defined]
    assert judged(start, found[0]).legal
    first = found[0].models  # type: ignore[attr-defined]
    assert min(math.dist(p.at, m.pose.at) for p in first for m in start.unit("mates").models if m.pose) > 5


def test_who_comes_from_above_comes_near_markers_and_never_within_nine_inches() -> None:
    unit = men((0, 0), 5, where="reserves", abilities=("deep-strike",))
    start = battle(now("movement", "reinforcements"), unit, foe((36, 22)), objectives=[MARKER])
    found = proposed(start, "deep-strike")
    assert {type(command) for command in found} == {DeepStrike}
    enemy = start.unit("foe").models[0].placed
    for command in found:
        poses: Sequence[Pose] = command.models  # type: ignore[attr-defined]
        bases = [replace(m, pose=pose).placed for m, pose in zip(unit.models, poses, strict=True)]
        assert min(gap(base, enemy) for base in bases) > 9
    middle = [sum(p.x for p in found[0].models) / 5, sum(p.y for p in found[0].models) / 5]  # type: ignore[attr-defined]
    assert math.dist(middle, (30, 22)) < 7


def test_who_comes_from_the_edge_comes_within_six_inches_of_it() -> None:
    start = battle(now("movement", "reinforcements"), men((0, 0), 3, where="reserves"), foe((30, 22)))
    found = proposed(start, "strategic-reserves")
    assert {type(command) for command in found} == {StrategicReserves}
    legal = [command for command in found if judged(start, command).legal]
    assert legal
    for command in legal:
        for pose in command.models:  # type: ignore[attr-defined]
            assert min(pose.x, pose.y, 60 - pose.x, 44 - pose.y) <= 6


def aboard(keyword: str) -> Battle:
    ride = squad("ride", "red", "Devilfish", (20, 20), keywords=[keyword] if keyword else [])
    return battle(MOVE, ride, men((0, 0), 5, where="embarked:ride"), foe((50, 40)))


@pytest.mark.parametrize(
    ("keyword", "wild", "out"), [("", False, True), ("FORTIFICATION", False, False), ("FORTIFICATION", True, True)]
)
def test_nobody_leaves_a_fortification_unless_by_chance(keyword: str, wild: bool, out: bool) -> None:
    found = proposed(aboard(keyword), "disembark", wild=wild)
    assert [type(command) for command in found] == [Disembark] * out


def test_by_chance_a_unit_embarks_in_any_transport_of_its_own() -> None:
    rides = [squad("ride", "red", "Devilfish", (20, 20)), squad("theirs", "blue", "Trukk", (40, 20))]
    start = battle(MOVE, men((20, 24)), men((26, 24), name="mates"), *rides)
    assert proposed(start, "embark", wild=True) == [Embark("men", "ride")]


# --- shooting


def test_everything_is_fired_at_what_it_hurts_most() -> None:
    """A lone Boy of 10 points and five Nobz of 100 behind him: bolts do more harm to the Nobz."""
    nobz = replace(squad("nobz", "blue", "Nobz", (30, 12), 5, loadout=["choppa"]), points=100)
    start = battle(SHOOTING, men((30, 30), 3), replace(foe((20, 20)), points=10), nobz)
    (shoot,) = proposed(start, "shoot")
    assert isinstance(shoot, Shoot)
    assert {a.target for a in shoot.attacks} == {"nobz"}
    assert [a.model for a in shoot.attacks] == ["men-1", "men-2", "men-3"]
    by_chance = proposed(start, "shoot", wild=True)
    assert by_chance[0] == shoot
    assert [{a.target for a in c.attacks} for c in by_chance[1:] if isinstance(c, Shoot)] == [{"foe"}]


def test_who_is_out_of_range_or_sight_is_not_shot_at() -> None:
    for apart, seen in ((24.0, True), (24.1, False)):
        start = battle(SHOOTING, men((10, 20)), foe((10 + B32 + apart, 20)))
        assert bool(proposed(start, "shoot")) is seen


def test_a_spotter_helps_who_shoots_at_what_it_shoots_at() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 3, loadout=["pulse rifle"])
    other = squad("eyes", "red", "Pathfinder Team", (10, 16), 3, loadout=["pulse carbine"])
    start = battle(SHOOTING, team, other, replace(foe((25, 12)), points=200), foe((25, 20), name="lone"))
    found = proposed(start, "guide", "team")
    assert found == [Guide("team", "eyes", "foe")]
    assert {c.target for c in proposed(start, "guide", "team", wild=True) if isinstance(c, Guide)} == {"foe", "lone"}


# --- charging and fighting


def test_a_charge_is_declared_where_it_is_likely_to_arrive() -> None:
    """With 4 chances of 10 wanted, an eight (15 of 36) is tried and a nine is not."""
    for apart, goes in ((7.9, True), (8.9, False)):
        start = battle(CHARGE, choppers((10, 20)), foe((10 + B32 + apart + 1.0, 20)))
        assert bool(proposed(start, "charge", "nobz")) is goes
        assert proposed(start, "charge", "nobz", wild=True) == [Charge("nobz", ("foe",))]
    start = battle(CHARGE, men((10, 20)), foe((15, 20)))
    assert not proposed(start, "charge"), "rifles stay where they are"


def test_a_person_is_shown_every_charge_the_likeliest_first_and_the_impossible_last() -> None:
    """Four inches to one and five to another beside it; the third is behind a wall of containers."""
    one, two = foe((10, 20 + B32 + 5)), foe((13, 20 + B32 + 5.5), name="two")
    far = foe((18, 20), name="far")
    box = Terrain("box", "container", ((15.0, 10.0), (16.0, 10.0), (16.0, 44.0), (15.0, 44.0)), 5.0)
    start = battle(CHARGE, choppers((10, 20)), one, two, far, terrain=[box])
    found = [command.targets for command in proposed(start, "charge", "nobz", wild=True) if isinstance(command, Charge)]
    needs = {targets: charging.needed(start, start.unit("nobz"), targets) for targets in found}
    assert found[0] == ("foe",)
    assert ("foe", "two") in found
    assert needs[found[-1]] == "never"
    assert found[-1] == ("far",)
    likely = [int(needs[targets]) for targets in found[:-1]]
    assert likely == sorted(likely)
    told = RULESET.describe(start, Charge("nobz", ("foe", "two")))
    assert f"needs {needs['foe', 'two']}, " in told


def test_the_better_of_two_charges_comes_first() -> None:
    """Five inches to one of 50 points, four to one of 10."""
    near, dear = replace(foe((10, 20 + B32 + 4)), points=10), replace(foe((10, 20 - B32 - 5), name="dear"), points=50)
    start = battle(CHARGE, choppers((10, 20)), near, dear)
    assert proposed(start, "charge", "nobz") == [Charge("nobz", ("dear",)), Charge("nobz", ("foe",))]


def test_a_pile_in_ends_in_contact_and_a_unit_may_always_stay() -> None:
    start = battle(FIGHT, choppers((30, 20), count=3), foe((30, 20 + B32 + 0.9), 3))
    found = proposed(start, "pile-in", "nobz")
    assert {type(command) for command in found} == {PileIn}
    assert judged(start, found[0]).legal
    touching = [
        any(math.dist(end, m.pose.at) < B32 + 1e-3 for m in start.unit("foe").models if m.pose)
        for end in ends(found[0])
    ]
    assert touching == [True] * 3
    assert not any(path.stops for path in found[-1].paths)  # type: ignore[attr-defined]


def test_who_touches_stays_and_its_comrades_come_up() -> None:
    unit = choppers((30, 20), count=2, gap=3.0)
    start = battle(FIGHT, unit, foe((30, 20 + B32), 3))
    assert planning.in_contact(start, start.unit("nobz")) == {0}
    first = proposed(start, "pile-in", "nobz")[0]
    assert [bool(path.stops) for path in first.paths] == [False, True]  # type: ignore[attr-defined]


def test_a_consolidation_goes_into_the_enemy_or_to_the_nearest_marker() -> None:
    fought = [Marker("fought", "remaining-combats", 1)]
    there = [marker("near", (30.0, 26.0)), marker("far", (50.0, 20.0))]
    start = battle(FIGHT, choppers((30, 20), markers=fought), foe((50, 42)), objectives=there)
    found = proposed(start, "consolidate", "nobz")
    assert {type(command) for command in found} == {Consolidate}
    legal = [command for command in found if judged(start, command).legal]
    assert any(ends(command) == [pytest.approx((30, 23), abs=1e-6)] for command in legal)
    start = battle(FIGHT, choppers((30, 20), markers=fought), foe((30, 20 + B32 + 2)), objectives=there)
    assert ends(proposed(start, "consolidate", "nobz")[0]) == [pytest.approx((30, 22), abs=1e-3)]


def test_blows_are_struck_with_what_does_most_by_everybody_in_reach() -> None:
    unit = choppers((30, 20), count=2, gap=4.0)
    start = battle(FIGHT, unit, foe((30, 20 + B32), 1))
    (fight,) = proposed(start, "fight", "nobz")
    assert isinstance(fight, Fight)
    assert [(a.model, a.weapon, a.target) for a in fight.attacks] == [("nobz-1", "choppa", "foe")]
