"""For the Greater Good: whom an Observer helps, as on the page and in the last form of the edition."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Unit
from sim.engine import Game
from sim.rulesets.wh40k10 import RULESET, abilities
from sim.rulesets.wh40k10.commands import AttackWith, Guide, Shoot
from tests.rulesets.wh40k10.stage import battle, judged, now, played, squad

LAST = {"greater_good": "last"}


def table(round_number: int = 2, detachment: str = "", options: dict[str, str | bool | float] | None = None) -> Battle:
    """Fire Warriors, Pathfinders (MARKERLIGHT) and a Hammerhead against two mobs of Orks, all in sight."""
    own = [f"detachment {detachment}"] if detachment else []
    return battle(
        now("shooting", "shoot", number=round_number),
        squad("team", "red", "Strike Team", (10, 10), 1, loadout=["pulse rifle"], abilities=own),
        squad("eyes", "red", "Pathfinder Team", (20, 10), 1, loadout=["pulse carbine"], abilities=own),
        squad("tank", "red", "Hammerhead Gunship", (30, 10), 1, loadout=["railgun"], abilities=own),
        squad("foe", "blue", "Boyz", (10, 28), 3),
        squad("other", "blue", "Nobz", (24, 28), 3),
        options=options,
    )


def skill(start: Battle, shooter: str, target: str) -> int:
    return sum(m.value for m in abilities.skill_modifiers(start, start.unit(shooter), start.unit(target)))


def granted(start: Battle, shooter: str, target: str) -> set[str]:
    return set(abilities.granted(start, start.unit(shooter), start.unit(target)))


def rifle(target: str) -> Shoot:
    return Shoot("team", (AttackWith("team-1", "pulse rifle", target),))


def test_as_on_the_page_one_unit_is_guided_at_one_enemy() -> None:
    after = played(table(), (Guide("team", "eyes", "foe"), ()))
    assert (skill(after, "team", "foe"), skill(after, "team", "other")) == (1, -1)
    assert (skill(after, "tank", "foe"), skill(after, "tank", "other")) == (0, 0)
    assert granted(after, "team", "foe") == {"ignores-cover"}
    assert not granted(after, "team", "other")


def test_as_on_the_page_an_enemy_may_be_spotted_by_two_pairs() -> None:
    second = squad("more", "red", "Stealth Battlesuits", (40, 10), 1)
    after = played(_with(table(), second), (Guide("team", "eyes", "foe"), ()))
    assert judged(after, Guide("tank", "more", "foe")).legal


def _with(start: Battle, unit: Unit) -> Battle:
    return replace(start, units=(*start.units, unit))


@pytest.mark.parametrize(("number", "at_spotted", "elsewhere"), [(2, None, None), (3, 2, 1), (5, 2, 1)])
def test_patient_hunters_observer_shares_the_spotted_unit(
    number: int, at_spotted: int | None, elsewhere: int | None
) -> None:
    after = played(table(number, "kauyon"), (Guide("team", "eyes", "foe"), ()))
    for shooter in ("team", "eyes"):  # their Spotted unit is that of both
        found = {a for a in granted(after, shooter, "foe") if a.startswith("sustained")}
        assert found == (set() if at_spotted is None else {f"sustained-hits {at_spotted}"})
    for shooter, target in (("team", "other"), ("eyes", "other"), ("tank", "foe")):
        found = {a for a in granted(after, shooter, target) if a.startswith("sustained")}
        assert found == (set() if elsewhere is None else {f"sustained-hits {elsewhere}"})


def test_in_the_last_form_everybody_is_guided_at_what_an_observer_has_marked() -> None:
    mark = Guide("eyes", "eyes", "foe")
    after = played(table(options=LAST), (mark, ()))
    assert (skill(after, "team", "foe"), skill(after, "tank", "foe")) == (1, 1)
    assert (skill(after, "team", "other"), skill(after, "tank", "other")) == (0, 0)  # no price elsewhere
    assert granted(after, "team", "foe") == {"ignores-cover"}
    assert not after.unit("team").marked("guided")
    # the rifle hits on 4+ less one, the wound on 4+ (S5 against T5) and the save on 5+ fails
    assert len(played(after, (rifle("foe"), (3, 4, 4))).unit("foe").models) == 2
    played(after, (rifle("other"), (3,)))


def test_in_the_last_form_an_enemy_is_marked_once_and_at_the_start_of_the_phase() -> None:
    start = table(options=LAST)
    after = played(start, (Guide("eyes", "eyes", "foe"), ()))
    assert judged(after, Guide("tank", "tank", "foe")).codes == ("not-eligible",)
    assert judged(after, Guide("tank", "tank", "other")).legal
    assert judged(after, Guide("eyes", "eyes", "other")).codes == ("not-eligible",)  # an Observer already
    shot = played(start, (rifle("foe"), (1,)))
    assert judged(shot, Guide("eyes", "eyes", "foe")).codes == ("not-eligible",)


def test_in_the_last_form_who_marks_is_fit_to_and_friendly() -> None:
    start = table(options=LAST)
    kroot = squad("kroot", "red", "Kroot Carnivores", (40, 10), 1)
    assert judged(_with(start, kroot), Guide("kroot", "kroot", "foe")).codes == ("not-eligible",)
    assert "wrong-phase" in judged(start, Guide("foe", "foe", "team")).codes
    assert judged(start, Guide("eyes", "eyes", "team")).codes == ("not-eligible",)


def test_killing_blow_is_for_the_guided_alone_and_in_the_last_form_at_the_spotted_alone() -> None:
    page = played(table(3, "montka"), (Guide("team", "eyes", "foe"), ()))
    assert "lethal-hits" in granted(page, "team", "foe") & granted(page, "team", "other")
    assert "lethal-hits" not in granted(page, "eyes", "foe") | granted(page, "tank", "foe")
    last = played(table(3, "montka", LAST), (Guide("eyes", "eyes", "foe"), ()))
    assert "lethal-hits" in granted(last, "team", "foe") & granted(last, "tank", "foe")
    assert "lethal-hits" not in granted(last, "team", "other") | granted(last, "eyes", "foe")


def test_what_may_be_done_is_offered_in_both_forms() -> None:
    for options, first in ((None, "team"), (LAST, "eyes")):
        start = table(options=options)
        offers = [offer for offer in RULESET.available(start) if offer.command == "guide" and offer.unit == first]
        assert len(offers) == 1
        proposals = [c for c in RULESET.proposals(start, offers[0]) if isinstance(c, Guide)]
        assert proposals
        assert any(Game(RULESET, start).judge(proposal).legal for proposal in proposals)
