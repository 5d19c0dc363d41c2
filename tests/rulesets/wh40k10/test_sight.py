"""What bears on a shot besides the weapon: towers, heights, abilities and armies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, ModelsPlaced, ModelsRemoved, Terrain, Unit, WoundsChanged, evolve_all
from sim.engine import Game
from sim.geometry import PlacedSet, Pose
from sim.rules import Modifier
from sim.rulesets.wh40k10 import RULESET, abilities, chances, engagement, firing, planning, shooting, visibility
from sim.rulesets.wh40k10.commands import AttackWith, Guide, Shoot
from sim.rulesets.wh40k10.datasheets import Weapon
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


def lines_laid(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """How many models are looked from and at, one entry for each time that lines of sight are laid."""
    laid: list[tuple[int, int]] = []
    true = visibility.lines_between

    def counted(mine: PlacedSet, theirs: PlacedSet, *rest: Any) -> Any:
        laid.append((len(mine), len(theirs)))
        return true(mine, theirs, *rest)

    monkeypatch.setattr(visibility, "lines_between", counted)
    return laid


def test_sight_is_looked_for_once_while_nobody_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    men = squad("men", "red", "Intercessor Squad", (10.0, 14.0), 3)
    foe = squad("foe", "blue", "Boyz", (22.0, 4.0), 8)
    start = battle(SHOOTING, men, foe, terrain=[RUIN])
    whole = visibility.seen(start, start.unit("men"), start.unit("foe"))
    assert whole.any(axis=1).all()
    assert not whole[:, 7].any()
    laid = lines_laid(monkeypatch)
    gone = evolve_all(start, (WoundsChanged("foe-1", 1), ModelsRemoved("foe", ("foe-3", "foe-6"))))
    left = visibility.seen(gone, gone.unit("men"), gone.unit("foe"))
    assert not laid
    assert left.tolist() == whole[:, [0, 1, 3, 4, 6, 7]].tolist()
    moved = evolve_all(gone, (ModelsPlaced("foe", (("foe-8", Pose(20.0, 4.0)),)),))
    assert visibility.seen(moved, moved.unit("men"), moved.unit("foe"))[:, 5].all()
    assert laid == [(3, 6)]
    assert visibility.seen(gone, gone.unit("men"), gone.unit("foe")).tolist() == left.tolist()


def test_sight_of_several_units_together_is_that_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    men = squad("men", "red", "Intercessor Squad", (10.0, 14.0), 3)
    up = squad("up", "red", "Intercessor Squad", (23.0, 13.0), 2)
    foe = squad("foe", "blue", "Boyz", (22.0, 4.0), 8)
    flyer = replace(squad("flyer", "blue", "Boyz", (36.0, 20.0), 1), keywords=("AIRCRAFT",))
    start = battle(SHOOTING, men, up, foe, flyer, terrain=[RUIN])
    pairs = [(start.unit(a), start.unit(b)) for a in ("men", "up") for b in ("foe", "flyer")]
    laid = lines_laid(monkeypatch)
    visibility.look(start, pairs)
    assert laid == [(5, 9)]
    for one, other in pairs:
        alone = battle(SHOOTING, one, other, terrain=[RUIN])
        assert visibility.seen(start, one, other).tolist() == visibility.seen(alone, one, other).tolist()
    assert len(laid) == 1 + len(pairs)


def test_a_phase_of_shooting_looks_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    units = [squad(f"men-{k}", "red", "Intercessor Squad", (10.0, 5.0 + 10 * k), 3) for k in range(3)]
    foes = [squad(f"foe-{k}", "blue", "Boyz", (32.0, 5.0 + 10 * k), 3) for k in range(3)]
    start = battle(SHOOTING, *units, *foes, terrain=[RUIN])
    laid = lines_laid(monkeypatch)
    shoots = [offer.unit for offer in RULESET.available(start) if offer.command == "shoot"]
    assert shoots == ["men-0", "men-1", "men-2"]
    assert len(laid) == 1


@pytest.mark.parametrize(("option", "hidden"), [("any", [3, 4, 5, 6, 7]), ("all", [5, 6, 7])])
def test_who_is_not_seen_at_all_has_cover_without_a_closer_look(option: str, hidden: list[int]) -> None:
    men, foe = squad("men", "red", "Intercessor Squad", (10.0, 14.0), 3), squad("foe", "blue", "Boyz", (22.0, 4.0), 8)
    start = battle(SHOOTING, men, foe, terrain=[RUIN], options={"cover_when": option})
    found = visibility.hidden_from(start, start.unit("men"), start.unit("foe"))
    assert np.flatnonzero(found).tolist() == hidden
    for k in hidden:
        assert visibility.has_cover(start, start.unit("men"), start.unit("foe"), foe.models[k]) is not None


def test_who_fires_does_not_hang_on_what_the_first_model_sees() -> None:
    """Of the Boyz the first Terminator sees only those out of range; the others see one within it."""
    far, near = 24.0 + 40 / 25.4 / 2 + 32 / 25.4 / 2 + 0.5, 20.0
    men = squad("men", "red", "Terminator Squad", (10.0, 6.0), 3, gap=3.0, loadout=["storm bolter"])
    foe = squad("foe", "blue", "Boyz", (10.0, 6.0 + near), 2)
    hidden = replace(foe.models[0], pose=Pose(10.0, 6.0 + near))
    open_one = replace(foe.models[1], pose=Pose(10.0 - 4.0, 6.0 + far))
    foe = replace(foe, models=(hidden, open_one))
    wall = Terrain("wall", "ruin", ((9.0, 18.0), (11.6, 18.0), (11.6, 19.0), (9.0, 19.0)), 0.0)
    start = battle(SHOOTING, men, foe, terrain=[wall])
    assert visibility.seen(start, start.unit("men"), start.unit("foe")).tolist()[0] == [False, True]
    assert firing.clear_shots(start, start.unit("men"), start.unit("foe"), bolter(start)).tolist() == [
        False,
        True,
        True,
    ]
    shot = planning.shots(start, start.unit("men"))
    assert shot is not None
    assert {attack.model for attack in shot.attacks} == {"men-2", "men-3"}
    assert judged(start, shot).legal
    assert [offer.command for offer in RULESET.available(start)] == ["shoot", "end-step"]


def bolter(start: Battle) -> Weapon:
    return next(weapon for _, _, weapon in shooting.guns(start, start.unit("men")))


def test_distances_are_kept_for_who_is_left_and_not_for_who_is_aboard() -> None:
    men, foe = squad("men", "red", "Intercessor Squad", (10.0, 10.0), 2), squad("foe", "blue", "Boyz", (20.0, 10.0), 3)
    aboard = squad("aboard", "blue", "Boyz", (0, 0), 2, where="embarked:truck")
    start = battle(SHOOTING, men, foe, aboard)
    whole = engagement.spans(start, start.unit("men"), start.unit("foe"))
    assert engagement.spans(start, start.unit("men"), start.unit("aboard")).shape == (2, 0)
    gone = evolve_all(start, (ModelsRemoved("foe", ("foe-1",)), ModelsRemoved("men", ("men-2",))))
    left = engagement.spans(gone, gone.unit("men"), gone.unit("foe"))
    assert left.tolist() == whole[:1, 1:].tolist()
    assert engagement.spans(gone, gone.unit("men"), gone.unit("aboard")).shape == (1, 0)
    out = evolve_all(gone, (ModelsPlaced("aboard", (("aboard-1", Pose(10, 20)), ("aboard-2", Pose(12, 20)))),))
    assert engagement.spans(out, out.unit("men"), out.unit("aboard"))[0, 0] == pytest.approx(10 - 32 / 25.4)
