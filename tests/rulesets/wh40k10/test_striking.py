"""Blows: whom a model strikes, with how many of its attacks, and that nobody who can stands by."""

from __future__ import annotations

import itertools

import pytest

from sim.battle import Battle, Unit
from sim.geometry import Round
from sim.rulesets.wh40k10 import striking
from sim.rulesets.wh40k10.attacks import Share
from sim.rulesets.wh40k10.chances import odds
from sim.rulesets.wh40k10.commands import AttackWith, Fight
from sim.rulesets.wh40k10.datasheets import Weapon
from tests.rulesets.wh40k10.stage import battle, judged, now, played, squad

B32 = 32 / 25.4  # inches; two such bases touch
FIGHT = now("fight", "remaining-combats", "blue")
SWORD = "astartes chainsword"  # A5, 3+, S4, AP -1


def between_two(*loadout: str, sheet: str = "Intercessor Squad") -> Battle:
    """One model in base contact with two enemies, ``x`` above and ``y`` to the right."""
    return battle(
        FIGHT,
        squad("r", "red", sheet, (20, 20), base=Round.mm(32), loadout=loadout or [SWORD]),
        squad("x", "blue", "Boyz", (20, 20 + B32), loadout=["shoota"]),
        squad("y", "blue", "Strike Team", (20 + B32, 20), loadout=["pulse rifle"]),
    )


def wounds_lost(unit: Unit) -> int:
    return sum(m.wounds_lost for m in unit.models)


def test_attacks_are_split_between_targets_as_they_are_counted() -> None:
    split = Fight("r", (AttackWith("r-1", SWORD, "x", count=4), AttackWith("r-1", SWORD, "y", count=1)))
    # four at the Boss Nob: two hit, one wounds on 5+, not saved on 6+; then one at the Fire Warrior, on 3+ after a hit
    after = played(between_two(), (split, (3, 3, 2, 1, 5, 4, 5, 3, 3, 4)))
    assert wounds_lost(after.unit("x")) == 1
    assert not after.unit("y").models


def test_attacks_that_are_not_counted_are_shared_out_evenly_and_the_first_has_the_odd_one() -> None:
    split = Fight("r", (AttackWith("r-1", SWORD, "y"), AttackWith("r-1", SWORD, "x")))
    played(between_two(), (split, (1, 1, 1, 1, 1)))
    rows = odds(between_two(), split)
    assert [row.title.split(" at ")[1] for row in rows] == ["y", "x"]
    one, two = (dict(row.distributions)["wounds lost"].mean for row in rows)
    # three attacks on the Fire Warrior: hit 2/3, wound 2/3 (S4 v T3), save 5+ after AP -1 fails 2/3
    through = 2 / 3 * 2 / 3 * 2 / 3
    assert one == pytest.approx(1 - (1 - through) ** 3)
    # two attacks on the Boss Nob of two wounds: hit 2/3, wound 1/3 (S4 v T5), save 6+ fails 5/6
    assert two == pytest.approx(2 * (2 / 3 * 1 / 3 * 5 / 6))


@pytest.mark.parametrize(
    ("asked", "attacks", "shares"),
    [
        ((None, None), 5, [3, 2]),
        ((2, None), 5, [2, 3]),
        ((4, None), 3, [3, 0]),
        ((2, 2), 6, [2, 4]),
        ((None, 1, None), 6, [3, 1, 2]),
    ],
)
def test_a_share_is_what_is_asked_for_and_all_shares_together_are_all_attacks(
    asked: tuple[int | None, ...], attacks: int, shares: list[int]
) -> None:
    found = [Share(asked, k).of(attacks) for k in range(len(asked))]
    assert found == shares
    assert sum(found) == attacks


def test_nobody_strikes_more_or_less_often_than_the_weapon_does() -> None:
    start = between_two()
    for first, second in itertools.product(range(-1, 7), repeat=2):
        split = Fight("r", (AttackWith("r-1", SWORD, "x", count=first), AttackWith("r-1", SWORD, "y", count=second)))
        fine = first >= 1 and second >= 1 and first + second == 5
        assert judged(start, split).legal == fine, (first, second)


def test_each_model_that_can_fight_does_and_no_other() -> None:
    start = between_two()
    verdict = judged(start, Fight("r", ()))
    assert verdict.codes == ("must-fight",)
    assert verdict.violations[0].subjects == ("r-1", "x", "y")
    assert judged(between_two("bolt rifle"), Fight("r", ())).legal


def test_further_dread_klaws_add_an_attack_each() -> None:
    """A4 for one of them; the bearer fights with one weapon whose number rises by one for each other."""
    blow = Fight("r", (AttackWith("r-1", "dread klaw", "x"),))
    for copies, attacks in ((1, 4), (2, 5), (4, 7)):
        start = between_two(*["dread klaw"] * copies, sheet="Deff Dread")
        played(start, (blow, (1,) * attacks))
        (row,) = odds(start, blow)
        # one Boss Nob: hit 2/3, wound 5/6 (S12 v T5), save 8+ never; three damage destroy it
        missed = 1 - 2 / 3 * 5 / 6
        assert dict(row.distributions)["models destroyed"].mean == pytest.approx(1 - missed**attacks)


def test_copies_of_an_extra_weapon_strike_each_and_no_oftener() -> None:
    ball, wheels = "wreckin' ball", "spiked wheels"
    start = between_two(wheels, ball, ball, sheet="Trukk")
    blows = (AttackWith("r-1", wheels, "x"), AttackWith("r-1", ball, "x"), AttackWith("r-1", ball, "x"))
    assert judged(start, Fight("r", blows)).legal
    assert judged(start, Fight("r", (*blows, blows[-1]))).codes == ("weapon-used-twice",)
    counted = (blows[0], AttackWith("r-1", ball, "x", count=1))
    assert judged(start, Fight("r", counted)).codes == ("wrong-attack-count",)


def test_all_at_one_target_are_resolved_before_any_at_the_next() -> None:
    start = battle(
        FIGHT,
        squad("r", "red", "Boyz", (20, 20), 2, gap=2 * B32, loadout=["choppa"]),
        squad("x", "blue", "Strike Team", (20, 20 + B32), 2, gap=2 * B32, loadout=["pulse rifle"]),
        squad("y", "blue", "Pathfinder Team", (20 + B32, 20), loadout=["pulse carbine"]),
    )
    blows = (
        AttackWith("r-1", "choppa", "x", count=1),
        AttackWith("r-1", "choppa", "y", count=2),
        AttackWith("r-2", "choppa", "x"),
    )
    after = played(start, (Fight("r", blows), (1, 1, 1, 1, 3, 3, 3, 1, 1)))
    assert len(after.unit("x").models) == 2
    assert not after.unit("y").models


def test_two_copies_of_an_extra_weapon_make_all_their_attacks() -> None:
    wheels, ball = "spiked wheels", "wreckin' ball"
    start = between_two(wheels, ball, ball, sheet="Trukk")
    blows = (AttackWith("r-1", wheels, "x"), AttackWith("r-1", ball, "x"), AttackWith("r-1", ball, "y"))
    # three attacks of the wheels, then one of each ball
    played(start, (Fight("r", blows), (1, 1, 1, 1, 1)))


FLAIL = Weapon("flail", 0.0, "D3+1", 8, -2, "1", 3, profile="swing")
WHIRL = Weapon("flail", 0.0, "D3", 5, 0, "1", 4, profile="whirl")


@pytest.fixture
def flails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody carries a flail of two profiles: no datasheet has a melee weapon whose attacks are rolled."""
    monkeypatch.setattr(striking, "arms_of", lambda unit, model: (FLAIL, WHIRL))


@pytest.mark.usefixtures("flails")
def test_a_number_that_is_rolled_is_rolled_once_and_then_shared_out() -> None:
    start = between_two()
    split = Fight("r", (AttackWith("r-1", "flail", "x", "swing", count=3), AttackWith("r-1", "flail", "y", "swing")))
    # a three and one are four attacks: three at x, one at y
    played(start, (split, (3, 1, 1, 1, 1)))
    # a one and one are two: both at x, where three were asked for
    played(start, (split, (1, 1, 1)))
    rows = odds(start, split)
    # hits on 3+; S8 wounds T5 on 3+ and T3 on 2+; Sv 5+ and 4+ at AP -2: never, and on a 6
    number_at_x, number_at_y = (2 + 3 + 3) / 3, 1 / 3
    one = 2 / 3 * 5 / 6 * 5 / 6
    assert dict(rows[1].distributions)["wounds lost"].mean == pytest.approx(number_at_y * one)
    assert dict(rows[0].distributions)["wounds lost"].mean <= number_at_x * 2 / 3 * 2 / 3


@pytest.mark.usefixtures("flails")
def test_blows_are_struck_with_the_profile_that_is_named() -> None:
    start = between_two()
    assert judged(start, Fight("r", (AttackWith("r-1", "flail", "x"),))).codes == ("profile-needed",)
    # the whirl: D3 attacks on 4+
    played(start, (Fight("r", (AttackWith("r-1", "flail", "x", "whirl"),)), (2, 3, 3)))
    # the swing: D3 and one on 3+
    played(start, (Fight("r", (AttackWith("r-1", "flail", "x", "swing"),)), (1, 3, 2, 1)))
    both = (AttackWith("r-1", "flail", "x", "swing"), AttackWith("r-1", "flail", "y", "whirl"))
    assert judged(start, Fight("r", both)).codes == ("weapon-used-twice",)
