"""What bears on a shot besides the weapon: towers, heights, abilities and armies."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Terrain, Unit
from sim.engine import Game
from sim.geometry import Pose
from sim.rules import Modifier
from sim.rulesets.wh40k10 import RULESET, abilities, chances, shooting, visibility
from sim.rulesets.wh40k10.commands import AttackWith, Guide, Shoot
from tests.rulesets.wh40k10.stage import SHOOTING, battle, judged, now, played, squad

RUIN = Terrain("ruin", "ruin", ((20.0, 8.0), (26.0, 8.0), (26.0, 18.0), (20.0, 18.0)), 0.0)


def tower(at: tuple[float, float], *words: str) -> Unit:
    unit = squad("tower", "red", "Redemptor Dreadnought", at)
    return replace(unit, keywords=(*unit.keywords, *words))


@pytest.mark.parametrize(
    ("words", "option", "sees"),
    [((), "wholly-within", False), (("TOWERING",), "wholly-within", False), (("TOWERING",), "exempt", True)],
)
def test_who_sees_past_a_ruin(words: tuple[str, ...], option: str, sees: bool) -> None:
    foe = squad("foe", "blue", "Boyz", (36.0, 13.0), 1)
    start = battle(SHOOTING, tower((10.0, 13.0), *words), foe, terrain=[RUIN], options={"towering": option})
    assert visibility.unit_visible(start, start.unit("tower"), start.unit("foe")) is sees


def test_aircraft_are_seen_past_ruins() -> None:
    foe = squad("foe", "blue", "Boyz", (36.0, 13.0), 1)
    start = battle(SHOOTING, tower((10.0, 13.0), "AIRCRAFT"), foe, terrain=[RUIN])
    assert visibility.unit_visible(start, start.unit("foe"), start.unit("tower"))


def ledger(start: Battle, shot: Shoot) -> list[str]:
    return [line for odds in chances.odds(start, shot) for line in odds.lines]


def test_plunging_fire_from_six_inches_up() -> None:
    for z, better in ((6.0, True), (5.9, False)):
        unit = squad("men", "red", "Intercessor Squad", (23.0, 13.0), 1)
        up = replace(unit, models=(replace(unit.models[0], pose=Pose(23.0, 13.0, 0.0, z)),))
        foe = squad("foe", "blue", "Boyz", (36.0, 13.0), 1)
        start = battle(SHOOTING, up, foe, terrain=[RUIN])
        shot = Shoot("men", (AttackWith("men-1", "bolt rifle", "foe"),))
        assert any("-2 Armour Penetration" in line for line in ledger(start, shot)) is better


def test_lone_operatives_and_stealth() -> None:
    men = squad("men", "red", "Intercessor Squad", (10, 10), 1, markers=[Marker("moved")])
    shot = Shoot("men", (AttackWith("men-1", "bolt rifle", "foe"),))
    for y, fine in ((10 + 12 + 32 / 25.4, True), (10 + 12.01 + 32 / 25.4, False)):
        lone = squad("foe", "blue", "Captain", (10, y), 1, abilities=["lone-operative"])
        assert judged(battle(SHOOTING, men, lone), shot).codes == (() if fine else ("target-too-far",))
    kroot = squad("foe", "blue", "Kroot Carnivores", (10, 20), 5)
    assert any("Stealth" in line for line in ledger(battle(SHOOTING, men, kroot), shot))


def test_killing_blow_in_the_first_three_rounds() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"], abilities=["detachment montka"])
    eyes = squad("eyes", "red", "Pathfinder Team", (14, 10), 1, abilities=["detachment montka"])
    foe = squad("foe", "blue", "Boyz", (10, 30), 5)
    for number, granted in ((3, True), (4, False)):
        start = battle(now("shooting", "shoot", number=number), team, eyes, foe)
        assert abilities.has_assault(start, start.unit("team")) is granted
        guided = played(start, (Guide("team", "eyes", "foe"), ()))
        found = list(abilities.granted(guided, guided.unit("team"), guided.unit("foe")))
        assert ("lethal-hits" in found) is granted
        assert "ignores-cover" in found  # the Observer has the Markerlight


def test_the_last_form_of_the_greater_good_marks_for_everybody() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"])
    eyes = squad("eyes", "red", "Pathfinder Team", (14, 10), 1)
    foe = squad("foe", "blue", "Boyz", (10, 30), 5)
    start = battle(
        SHOOTING, team, replace(eyes, markers=(Marker("observer", "foe"),)), foe, options={"greater_good": "last"}
    )
    better = list(abilities.skill_modifiers(start, start.unit("team"), start.unit("foe")))
    assert better == [Modifier(1, "Guided at its Spotted unit", abilities.GREATER_GOOD)]


def test_coordinate_to_engage_helps_the_observer_itself() -> None:
    eyes = squad("eyes", "red", "Pathfinder Team", (14, 10), 1)
    marked = replace(eyes, abilities=(), markers=(Marker("observer", "foe"), Marker("coordinate-to-engage")))
    foe = squad("foe", "blue", "Boyz", (10, 30), 5)
    start = battle(SHOOTING, marked, foe)
    assert [m.value for m in abilities.skill_modifiers(start, start.unit("eyes"), start.unit("foe"))] == [1]


def test_point_blank_ambush_within_nine() -> None:
    team = squad("team", "red", "Strike Team", (10, 10), 1, markers=[Marker("point-blank-ambush")])
    foe = squad("foe", "blue", "Boyz", (10, 16), 5)
    start = battle(SHOOTING, team, foe)
    for apart, better in ((9.0, 1), (9.01, 0)):
        found = abilities.ap_modifiers(start, start.unit("team"), start.unit("foe"), apart, False)
        assert sum(m.value for m in found) == better


def test_a_wounded_machine_is_damaged() -> None:
    hurt = squad("riptide", "red", "Riptide Battlesuit", (10, 10), 1, wounds=10)
    foe = squad("foe", "blue", "Boyz", (10, 30), 5)
    start = battle(SHOOTING, hurt, foe)
    assert sum(m.value for m in abilities.hit_modifiers(start, start.unit("riptide"), start.unit("foe"))) == -1


def test_what_can_be_done_now_asks_nothing_of_unknown_gear() -> None:
    odd = squad("odd", "red", "Strike Team", (10, 10), 1, loadout=["a thing that nobody knows"])
    start = battle(SHOOTING, odd, squad("foe", "blue", "Boyz", (10, 30), 5))
    assert {offer.command for offer in RULESET.available(start)} == {"end-step"}
    assert not shooting.eligible(start, start.unit("odd"))
    assert Game(RULESET, start).judge(Shoot("odd", ())).codes == ()
