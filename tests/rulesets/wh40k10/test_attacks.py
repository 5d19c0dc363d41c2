"""Are the odds of an attack those of its dice? Every profile is rolled out by a library that knows nothing of ours.

The oracle below plays one attack after another, one die after another, in the words of the rule: nothing is batched,
and no needed number is taken from the code under test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icepool import Die

from sim.battle import Unit
from sim.chance import Pmf
from sim.rules import Modifier
from sim.rulesets.wh40k10.attacks import Attack, ReRoll, hit_ledger, save_ledger, wound_base, wound_ledger
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.volleys import Circumstances, attack_of

EXACT = 1e-12
D6 = icepool.d6
DICE: dict[str, Die[int]] = {
    "1": Die([1]),
    "2": Die([2]),
    "3": Die([3]),
    "4": Die([4]),
    "6": Die([6]),
    "20": Die([20]),
    "D3": icepool.d3,
    "D6": D6,
    "2D6": 2 @ D6,
    "D6+1": D6 + 1,
    "D6+3": D6 + 3,
}


@dataclass(frozen=True)
class Fire:
    """A weapon and what it fires at, in players' terms."""

    skill: int | None = 4
    attacks: str = "2"
    weapons: int = 1
    strength: int = 4
    toughness: int = 4
    ap: int = 0
    save: int = 4
    invulnerable: int | None = None
    damage: str = "1"
    abilities: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    models: tuple[int, ...] = (2, 2, 2)  # wounds, in the order in which they suffer
    selected: int = 3  # models when the target was selected
    to_hit: tuple[int, ...] = ()
    to_wound: tuple[int, ...] = ()
    better_skill: int = 0
    damage_change: int = 0
    half_range: bool = False
    stationary: bool = False
    charged: bool = False
    unseen: bool = False
    cover: bool = False
    overwatch: bool = False
    hit_again: ReRoll = "none"
    wound_again: ReRoll = "none"
    ignores: int | None = None  # Feel No Pain

    def has(self, token: str) -> bool:
        return token in self.abilities

    def number(self, token: str) -> int:
        return next((int(a.split()[1]) for a in self.abilities if a.split()[0] == token), 0)


def reasons(values: tuple[int, ...]) -> tuple[Modifier, ...]:
    return tuple(Modifier(value, "some reason", "some rule") for value in values)


def ours(fire: Fire) -> Attack:
    weapon = Weapon(
        "gun", 24.0, fire.attacks, fire.strength, fire.ap, fire.damage, fire.skill, abilities=fire.abilities
    )
    profile = {"T": fire.toughness, "SV": fire.save, "INV": fire.invulnerable}
    target = Unit(
        "target",
        "red",
        (),
        keywords=fire.keywords,
        profile=tuple((name, float(value)) for name, value in profile.items() if value is not None),
        abilities=() if fire.ignores is None else (f"feel-no-pain {fire.ignores}",),
    )
    about = Circumstances(
        models_at_selection=fire.selected,
        half_range=fire.half_range,
        stationary=fire.stationary,
        charged=fire.charged,
        unseen=fire.unseen,
        cover=fire.cover,
        hit_modifiers=reasons(fire.to_hit),
        skill_modifiers=reasons((fire.better_skill,)) if fire.better_skill else (),
        wound_modifiers=reasons(fire.to_wound),
        damage_modifiers=reasons((fire.damage_change,)) if fire.damage_change else (),
        hit_again=fire.hit_again,
        wound_again=fire.wound_again,
        only_sixes=fire.overwatch,
    )
    return attack_of(weapon, target, about)


# --- the oracle


def one_either_way(total: int) -> int:
    return max(-1, min(1, total))


def printed_wound_number(strength: int, toughness: int) -> int:
    if strength >= toughness * 2:
        return 2
    if strength * 2 <= toughness:
        return 6
    return {True: 3, False: 5}[strength > toughness] if strength != toughness else 4


def rolled(fine: Callable[[int], bool], again: ReRoll, critical: Callable[[int], bool]) -> Die[int]:
    """A die, rolled once more where that is allowed; of all but criticals where the player fishes for those."""
    if again == "all-but-criticals":
        weak = [face for face in range(1, 7) if not critical(face)]
    else:
        weak = [f for f in range(1, 7) if not fine(f) and (again == "failed" or (again == "ones" and f == 1))]
    return D6.reroll(weak, depth=1) if weak else D6


def six(face: int) -> bool:
    return face == 6


@dataclass(frozen=True)
class Oracle:
    """Plays a fire on a row of models; a state is how many wounds have been lost, always by the first that stands."""

    fire: Fire

    def hits(self, face: int) -> bool:
        fire = self.fire
        assert fire.skill is not None
        if face == 6:
            return True
        if face == 1 or fire.overwatch or (fire.unseen and face <= 3):
            return False
        total = sum(fire.to_hit) + (fire.has("heavy") and fire.stationary) - fire.unseen
        return face + one_either_way(total) >= fire.skill - fire.better_skill

    def critically_wounds(self, face: int) -> bool:
        anti = [
            int(a.split()[1])
            for a in self.fire.abilities
            if a.startswith("anti-") and a.split()[0].removeprefix("anti-").upper() in self.fire.keywords
        ]
        return face == 6 or any(face >= value for value in anti)

    def wounds(self, face: int) -> bool:
        fire = self.fire
        if face == 1:
            return False
        total = sum(fire.to_wound) + (fire.has("lance") and fire.charged)
        needed = printed_wound_number(fire.strength, fire.toughness)
        return self.critically_wounds(face) or face + one_either_way(total) >= needed

    def saves(self, face: int) -> bool:
        fire = self.fire
        cover = (fire.cover and not fire.has("ignores-cover")) and not (fire.save <= 3 and fire.ap == 0)
        armour = face + fire.ap + cover >= fire.save
        return face > 1 and (armour or (fire.invulnerable is not None and face >= fire.invulnerable))

    def damaged(self, lost: int) -> Die[int]:
        fire = self.fire
        more = fire.damage_change + (fire.number("melta") if fire.half_range else 0)
        points = DICE[fire.damage].map(lambda rolled: max(1, rolled + more))
        if fire.ignores is not None:
            points = points @ D6.map(lambda face: int(face < (fire.ignores or 7)))
        end = 0
        for wounds in fire.models:
            end += wounds
            if lost < end:
                return points.map(lambda many, end=end: min(end, lost + many))
        return Die([lost])

    def saved_or_not(self, lost: int) -> Die[int]:
        hurt = self.damaged(lost)
        return D6.map(lambda face: lost if self.saves(face) else hurt)

    def again(self) -> tuple[ReRoll, ReRoll]:
        """What a player rolls again who counts the blows that get through: failures, or all but criticals."""
        fire = self.fire
        wound: ReRoll = "failed" if fire.has("twin-linked") else fire.wound_again
        hits: list[ReRoll] = [fire.hit_again]
        wounds: list[ReRoll] = [wound]
        criticals = fire.has("lethal-hits") or bool(fire.number("sustained-hits"))
        if fire.hit_again == "failed" and fire.skill is not None and criticals:
            hits.append("all-but-criticals")
        if wound == "failed" and fire.has("devastating-wounds"):
            wounds.append("all-but-criticals")
        return max(((h, w) for h in hits for w in wounds), key=lambda pair: self.through(*pair))

    def through(self, hit: ReRoll, wound: ReRoll) -> Fraction:
        """How many blows of one attack get through on the average."""
        fire = self.fire
        open_to = Fraction(sum(not self.saves(face) for face in range(1, 7)), 6)

        def worth(face: int) -> Fraction:
            if fire.has("devastating-wounds") and self.critically_wounds(face):
                return Fraction(1)
            return open_to if self.wounds(face) else Fraction(0)

        one = rolled(self.wounds, wound, self.critically_wounds).map(worth).mean()
        if fire.skill is None:
            return Fraction(one)
        critical = (open_to if fire.has("lethal-hits") else one) + fire.number("sustained-hits") * one
        faces = rolled(self.hits, hit, six)
        return Fraction(faces.map(lambda f: critical if f == 6 else one if self.hits(f) else Fraction(0)).mean())

    def wounding(self, lost: int) -> Die[int]:
        fire = self.fire
        hurt, tried = self.damaged(lost), self.saved_or_not(lost)

        def outcome(face: int) -> int | Die[int]:
            if fire.has("devastating-wounds") and self.critically_wounds(face):
                return hurt
            return tried if self.wounds(face) else lost

        return rolled(self.wounds, self.again()[1], self.critically_wounds).map(outcome)

    def attacking(self, lost: int) -> Die[int]:
        fire = self.fire
        plain = self.wounding(lost)
        if fire.skill is None:
            return plain
        critical = self.saved_or_not(lost) if fire.has("lethal-hits") else plain
        for _ in range(fire.number("sustained-hits")):
            critical = critical.map(self.wounding)

        def outcome(face: int) -> int | Die[int]:
            if face == 6:
                return critical
            return plain if self.hits(face) else lost

        return rolled(self.hits, self.again()[0], six).map(outcome)

    def number(self) -> Die[int]:
        fire = self.fire
        more = fire.number("rapid-fire") if fire.half_range else 0
        if fire.has("blast"):
            more += fire.selected // 5
        return fire.weapons @ (DICE[fire.attacks] + more)

    def lost(self) -> Die[int]:
        steps = {lost: self.attacking(lost) for lost in range(sum(self.fire.models) + 1)}
        number = self.number()
        after = [Die([0])]
        for _ in range(number.outcomes()[-1]):
            after.append(after[-1].map(steps))
        return number.map(lambda count: after[count])

    def fallen(self, lost: Die[int]) -> Die[int]:
        models = self.fire.models
        return lost.map(lambda points: sum(sum(models[: k + 1]) <= points for k in range(len(models))))


@cache
def theirs(fire: Fire) -> tuple[Die[int], Die[int]]:
    """The fallen and the wounds lost."""
    oracle = Oracle(fire)
    lost = oracle.lost()
    return oracle.fallen(lost), lost


def same(found: Pmf, wanted: Die[int]) -> None:
    chances = dict(found.items())
    assert set(wanted.outcomes()) <= set(chances)
    for value, chance in chances.items():
        assert chance == pytest.approx(float(wanted.probability("==", value)), abs=EXACT), value
    assert found.mean == pytest.approx(float(wanted.mean()), abs=1e-10)


def agree(fire: Fire) -> None:
    toll = ours(fire).odds(fire.weapons, fire.models)
    fallen, lost = theirs(fire)
    same(toll.fallen, fallen)
    same(toll.lost, lost)
    assert toll.all_fallen == pytest.approx(float(fallen.probability("==", len(fire.models))), abs=EXACT)


# --- the profiles

PROFILES: dict[str, Fire] = {
    "hit 2+": Fire(skill=2, attacks="4"),
    "hit 3+": Fire(skill=3, attacks="4"),
    "hit 4+": Fire(skill=4, attacks="4"),
    "hit 5+": Fire(skill=5, attacks="4"),
    "hit 6+": Fire(skill=6, attacks="4"),
    "hit 6+ at -1": Fire(skill=6, attacks="4", to_hit=(-1,)),
    "hit 2+ at +1": Fire(skill=2, attacks="4", to_hit=(1,)),
    "skill worse and hit better": Fire(skill=4, better_skill=-1, to_hit=(1,), attacks="4"),
    "torrent": Fire(skill=None, attacks="D6", abilities=("torrent", "ignores-cover"), cover=True),
    "torrent without criticals": Fire(
        skill=None, attacks="3", abilities=("torrent", "lethal-hits", "sustained-hits 2")
    ),
    "torrent in overwatch": Fire(skill=None, attacks="D6", abilities=("torrent",), overwatch=True),
    "ones to hit again": Fire(skill=3, attacks="4", hit_again="ones"),
    "failed hits again": Fire(skill=4, attacks="4", hit_again="failed"),
    "failed hits again for lethal sixes": Fire(skill=5, hit_again="failed", abilities=("lethal-hits",)),
    "ones to wound again": Fire(strength=5, attacks="4", wound_again="ones"),
    "failed wounds again": Fire(strength=3, attacks="4", wound_again="failed"),
    "twin-linked": Fire(strength=4, toughness=9, attacks="4", abilities=("twin-linked",)),
    "twin-linked over ones": Fire(strength=4, attacks="4", abilities=("twin-linked",), wound_again="ones"),
    "both again": Fire(skill=4, strength=3, hit_again="ones", wound_again="failed", attacks="4"),
    "anti 4+": Fire(strength=3, toughness=10, attacks="4", abilities=("anti-vehicle 4",), keywords=("VEHICLE",)),
    "anti against somebody else": Fire(strength=3, toughness=10, attacks="4", abilities=("anti-fly 2",)),
    "anti 2+ devastating": Fire(
        strength=3,
        toughness=10,
        save=2,
        attacks="4",
        abilities=("anti-infantry 2", "devastating-wounds"),
        keywords=("INFANTRY",),
    ),
    "anti 4+ devastating, twin-linked": Fire(
        strength=4,
        toughness=8,
        save=3,
        damage="D3",
        abilities=("anti-vehicle 4", "devastating-wounds", "twin-linked"),
        keywords=("VEHICLE",),
        models=(10,),
    ),
    "anti never below the wound number": Fire(
        strength=8, toughness=4, attacks="4", abilities=("anti-infantry 4",), keywords=("INFANTRY",)
    ),
    "lethal": Fire(skill=4, strength=3, toughness=6, attacks="4", abilities=("lethal-hits",)),
    "lethal is no critical wound": Fire(attacks="4", save=2, abilities=("lethal-hits", "devastating-wounds")),
    "sustained 1": Fire(skill=3, attacks="4", abilities=("sustained-hits 1",)),
    "sustained 2": Fire(skill=5, attacks="4", abilities=("sustained-hits 2",)),
    "lethal and sustained 1": Fire(skill=3, attacks="4", toughness=5, abilities=("lethal-hits", "sustained-hits 1")),
    "lethal and sustained 2, hits again": Fire(
        skill=5, attacks="3", toughness=8, hit_again="failed", abilities=("lethal-hits", "sustained-hits 2")
    ),
    "devastating": Fire(skill=3, attacks="6", strength=6, abilities=("devastating-wounds",)),
    "devastating D6+1 at one big model": Fire(
        attacks="2",
        strength=12,
        toughness=10,
        ap=-4,
        save=2,
        damage="D6+1",
        abilities=("devastating-wounds",),
        models=(12,),
    ),
    "all at once": Fire(
        skill=4,
        attacks="D3",
        weapons=2,
        strength=5,
        toughness=6,
        ap=-1,
        save=3,
        invulnerable=5,
        damage="D3",
        ignores=5,
        hit_again="ones",
        abilities=("lethal-hits", "sustained-hits 2", "devastating-wounds", "twin-linked", "anti-monster 5"),
        keywords=("MONSTER",),
        models=(1, 4, 4),
    ),
    "only sixes": Fire(skill=2, attacks="6", overwatch=True, to_hit=(1,)),
    "only sixes, sustained": Fire(skill=2, attacks="6", overwatch=True, abilities=("sustained-hits 1",)),
    "only sixes, hits again": Fire(skill=2, attacks="4", overwatch=True, hit_again="ones"),
    "unseen": Fire(skill=4, attacks="4", unseen=True, cover=True, abilities=("indirect-fire",)),
    "unseen and guided": Fire(skill=3, better_skill=1, attacks="4", unseen=True, abilities=("indirect-fire",)),
    "unseen, hits again": Fire(skill=2, attacks="4", unseen=True, hit_again="failed", to_hit=(1,)),
    "unseen, ones again": Fire(
        skill=2, attacks="4", unseen=True, hit_again="ones", abilities=("heavy",), stationary=True
    ),
    "save 2+": Fire(save=2, ap=0, attacks="4"),
    "save 3+ at -1": Fire(save=3, ap=-1, attacks="4"),
    "save 6+": Fire(save=6, attacks="4"),
    "no save left": Fire(save=4, ap=-3, attacks="4"),
    "invulnerable better": Fire(save=3, ap=-3, invulnerable=4, attacks="4"),
    "armour better than invulnerable": Fire(save=2, ap=-1, invulnerable=4, attacks="4"),
    "cover": Fire(save=5, ap=-1, cover=True, attacks="4"),
    "cover does nothing for an invulnerable save": Fire(save=6, ap=-2, invulnerable=4, cover=True, attacks="4"),
    "cover never for 3+ against no AP": Fire(save=3, ap=0, cover=True, attacks="4"),
    "cover for 3+ against AP": Fire(save=3, ap=-1, cover=True, attacks="4"),
    "cover for 4+ against no AP": Fire(save=4, ap=0, cover=True, attacks="4"),
    "cover ignored": Fire(save=5, ap=-1, cover=True, attacks="4", abilities=("ignores-cover",)),
    "cover on 2+ is no 1+": Fire(save=2, ap=-1, cover=True, attacks="4"),
    "damage 2": Fire(damage="2", attacks="4", models=(1, 3, 3)),
    "damage 3 on two wounds": Fire(damage="3", attacks="4"),
    "damage D3": Fire(damage="D3", attacks="4", models=(2, 3, 3)),
    "damage D6": Fire(damage="D6", attacks="4", models=(4, 4)),
    "damage D6+1": Fire(damage="D6+1", attacks="3", models=(8, 8)),
    "melta": Fire(damage="D6", strength=9, ap=-4, abilities=("melta 2",), half_range=True, models=(4, 4)),
    "melta too far off": Fire(damage="D6", strength=9, ap=-4, abilities=("melta 2",), models=(4, 4)),
    "melta at a tough one": Fire(
        damage="D6", strength=9, abilities=("melta 2",), half_range=True, damage_change=-1, models=(12,)
    ),
    "damage 1 less 1 is 1": Fire(damage="1", damage_change=-1, attacks="4"),
    "damage D3 less 1": Fire(damage="D3", damage_change=-1, attacks="4", models=(3, 3)),
    "damage D6 more 2": Fire(damage="D6", damage_change=2, models=(5, 5)),
    "damage D6 less 1 with 5+ ignored": Fire(damage="D6", damage_change=-1, ignores=5, models=(5, 5)),
    "feel no pain 6+": Fire(ignores=6, attacks="4"),
    "feel no pain 5+ of damage 2": Fire(ignores=5, damage="2", attacks="4"),
    "feel no pain 4+ of D6+1": Fire(ignores=4, damage="D6+1", attacks="2", models=(8, 8)),
    "feel no pain 2+": Fire(ignores=2, damage="3", attacks="4"),
    "attacks D6": Fire(attacks="D6", skill=3),
    "attacks 2D6": Fire(attacks="2D6", skill=3, models=(1,) * 6),
    "attacks D6+3": Fire(attacks="D6+3", skill=3),
    "two times D6": Fire(attacks="D6", weapons=2, skill=3),
    "blast at eleven": Fire(attacks="D6", abilities=("blast",), selected=11, models=(1,) * 5),
    "blast at four": Fire(attacks="D6", abilities=("blast",), selected=4, models=(1,) * 4),
    "rapid fire near": Fire(attacks="1", weapons=5, abilities=("rapid-fire 2",), half_range=True, models=(1,) * 8),
    "rapid fire far": Fire(attacks="1", weapons=5, abilities=("rapid-fire 2",), models=(1,) * 8),
    "rapid fire and blast": Fire(
        attacks="D3", weapons=2, abilities=("rapid-fire 1", "blast"), half_range=True, selected=10, models=(1,) * 8
    ),
    "heavy and stationary": Fire(skill=4, attacks="4", abilities=("heavy",), stationary=True),
    "heavy at a stealthy one": Fire(skill=4, attacks="4", abilities=("heavy",), stationary=True, to_hit=(-1,)),
    "heavy that moved": Fire(skill=4, attacks="4", abilities=("heavy",)),
    "lance": Fire(strength=4, toughness=5, attacks="4", abilities=("lance",), charged=True),
    "lance that stood": Fire(strength=4, toughness=5, attacks="4", abilities=("lance",)),
    "+3 to hit": Fire(skill=5, attacks="4", to_hit=(1, 1, 1)),
    "-3 to hit": Fire(skill=3, attacks="4", to_hit=(-1, -2)),
    "+3 to wound": Fire(strength=4, toughness=8, attacks="4", to_wound=(3,)),
    "-3 to wound": Fire(strength=8, toughness=4, attacks="4", to_wound=(-1, -1, -1)),
    "one wound left on the first": Fire(attacks="4", damage="2", models=(1, 2, 2)),
    "more attacks than wounds": Fire(skill=2, attacks="20", strength=8, ap=-3, models=(1, 1)),
}


@pytest.mark.parametrize("fire", PROFILES.values(), ids=list(PROFILES))
def test_the_odds_are_those_of_the_dice(fire: Fire) -> None:
    agree(fire)


ABILITIES = st.lists(
    st.sampled_from(
        [
            "lethal-hits",
            "sustained-hits 1",
            "devastating-wounds",
            "twin-linked",
            "anti-vehicle 3",
            "ignores-cover",
            "melta 2",
            "rapid-fire 1",
            "blast",
            "heavy",
            "lance",
        ]
    ),
    unique=True,
    max_size=5,
).map(tuple)
RE_ROLLS: st.SearchStrategy[ReRoll] = st.sampled_from(("none", "ones", "failed"))
SOME = st.booleans()


@settings(derandomize=True, deadline=None, max_examples=150)
@given(
    st.builds(
        Fire,
        skill=st.integers(2, 6),
        attacks=st.sampled_from(("1", "3", "D3", "D6")),
        weapons=st.integers(1, 2),
        strength=st.integers(1, 12),
        toughness=st.integers(1, 12),
        ap=st.integers(-4, 0),
        save=st.integers(2, 7),
        invulnerable=st.none() | st.integers(2, 6),
        damage=st.sampled_from(("1", "2", "D3", "D6", "D6+1")),
        abilities=ABILITIES,
        keywords=st.sampled_from(((), ("VEHICLE",))),
        models=st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple),
        selected=st.integers(1, 20),
        to_hit=st.lists(st.integers(-1, 1), max_size=3).map(tuple),
        to_wound=st.lists(st.integers(-1, 1), max_size=3).map(tuple),
        better_skill=st.integers(-1, 1),
        damage_change=st.integers(-2, 2),
        half_range=SOME,
        stationary=SOME,
        charged=SOME,
        unseen=SOME,
        cover=SOME,
        overwatch=SOME,
        hit_again=RE_ROLLS,
        wound_again=RE_ROLLS,
        ignores=st.none() | st.integers(2, 6),
    )
)
def test_any_odds_are_those_of_the_dice(fire: Fire) -> None:
    agree(fire)


# --- odds that were worked out by others

TWENTY = Fire(skill=3, attacks="20", strength=4, toughness=4, ap=-1, save=4, damage="2", models=(2,) * 10, selected=10)


@pytest.mark.parametrize(
    ("fire", "fallen", "lost"),
    [
        (TWENTY, 4.4427, None),
        (replace(TWENTY, damage="D3"), 3.2708, 6.7914),
        (replace(TWENTY, ignores=5), 2.5227, None),
    ],
    ids=["damage 2", "damage D3", "damage 2 with 5+ ignored"],
)
def test_worked_odds(fire: Fire, fallen: float, lost: float | None) -> None:
    toll = ours(fire).odds(1, fire.models)
    assert toll.fallen.mean == pytest.approx(fallen, abs=5e-5)
    if lost is not None:
        assert toll.lost.mean == pytest.approx(lost, abs=5e-5)
    agree(fire)


def test_worked_mean_of_unsaved_wounds() -> None:
    """20 × 2/3 × 1/2 × 2/3: nobody is left over when there are more models than attacks."""
    assert Fraction(20) * Fraction(2, 3) * Fraction(1, 2) * Fraction(2, 3) == Fraction(40, 9)
    toll = ours(TWENTY).odds(1, (2,) * 20)
    assert toll.fallen.mean == pytest.approx(4.4444, abs=5e-5)
    assert toll.fallen.mean == pytest.approx(40 / 9, abs=EXACT)


def test_one_attack_by_hand() -> None:
    """Hit 3+, wound 4+, save 5+: 2/3 × 1/2 × 2/3 of one wound."""
    fire = Fire(skill=3, attacks="1", ap=-1, save=4, models=(1,))
    assert ours(fire).odds(1, (1,)).all_fallen == pytest.approx(2 / 9, abs=EXACT)


def test_lethal_and_sustained_by_hand() -> None:
    """Hits on sixes alone, wounds on sixes alone: 1/6 of one blow that needs no wound and 1/6 of another one."""
    fire = Fire(
        attacks="1", overwatch=True, strength=1, toughness=12, save=7, abilities=("lethal-hits", "sustained-hits 1")
    )
    through = ours(fire).through
    assert through == pytest.approx([5 / 6, 1 / 6 * 5 / 6, 1 / 36], abs=EXACT)


# --- wounding: Strength against Toughness


@pytest.mark.parametrize(
    ("strength", "toughness", "needed"),
    [
        (20, 10, 2),
        (20, 11, 3),
        (20, 20, 4),
        (20, 21, 5),
        (20, 40, 6),
        (20, 39, 5),
        (5, 4, 3),
        (5, 5, 4),
        (4, 5, 5),
        (4, 8, 6),
        (5, 9, 5),
        (5, 10, 6),
        (3, 5, 5),
        (8, 8, 4),
        (5, 8, 5),
        (1, 1, 4),
        (2, 1, 2),
        (1, 2, 6),
    ],
)
def test_what_wounds(strength: int, toughness: int, needed: int) -> None:
    assert wound_base(strength, toughness) == needed
    assert ours(Fire(strength=strength, toughness=toughness)).wound.needed == needed


def test_what_wounds_everywhere() -> None:
    for strength, toughness in product(range(1, 31), repeat=2):
        ratio = Fraction(strength, toughness)
        needed = 2 if ratio >= 2 else 3 if ratio > 1 else 4 if ratio == 1 else 6 if ratio <= Fraction(1, 2) else 5
        assert wound_base(strength, toughness) == needed


# --- modifiers and their clamps


@pytest.mark.parametrize(
    ("values", "capped"),
    [((), 0), ((1,), 1), ((-1,), -1), ((1, 1, 1), 1), ((3,), 1), ((-3,), -1), ((-2, 1), -1), ((2, -2), 0)],
)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_rolls_are_modified_by_one_at_most(number: int, values: tuple[int, ...], capped: int) -> None:
    hit = hit_ledger(number, (), reasons(values))
    assert hit.needed == max(2, number - capped)
    strength, toughness = {2: (8, 4), 3: (5, 4), 4: (4, 4), 5: (4, 5), 6: (4, 8)}[number]
    assert wound_ledger(strength, toughness, reasons(values)).needed == max(2, number - capped)


def test_a_ledger_tells_every_reason_and_the_cap() -> None:
    hit = hit_ledger(4, reasons((1,)), reasons((1, 1, 1)))
    assert hit.base == 4
    assert hit.needed == 2
    assert sum(m.value for m in hit.modifiers) == 2
    assert [m.value for m in hit.modifiers] == [1, 1, 1, 1, -2]


def test_ballistic_skill_is_not_capped_with_the_roll() -> None:
    assert hit_ledger(5, reasons((1,)), reasons((1,))).needed == 3
    assert hit_ledger(4, reasons((-1,)), reasons((-1,))).needed == 6


def test_three_better_is_one_better() -> None:
    for more in (1, 2, 3):
        hit, wound = Fire(attacks="4", to_hit=(more,)), Fire(attacks="4", toughness=8, to_wound=(more,))
        assert ours(hit).odds(1, (1,) * 4).fallen.mean == pytest.approx(4 * 4 / 6 / 2 / 2, abs=EXACT)
        assert ours(wound).odds(1, (1,) * 4).fallen.mean == pytest.approx(4 / 2 * 2 / 6 / 2, abs=EXACT)


@pytest.mark.parametrize("face", range(1, 7))
def test_unmodified_ones_and_sixes(face: int) -> None:
    easy = ours(Fire(skill=2, strength=8, save=2, to_hit=(1,), to_wound=(1,)))
    hard = ours(Fire(skill=6, strength=4, toughness=8, save=6, ap=-4, to_hit=(-1,), to_wound=(-1,)))
    assert (easy.hits(face), easy.wounds(face), easy.saves(face)) == (face > 1,) * 3
    assert (hard.hits(face), hard.wounds(face), hard.saves(face)) == (face == 6, face == 6, False)


# --- saves: Armour Penetration, invulnerable saves, cover


@pytest.mark.parametrize(
    ("save", "ap", "cover", "needed"),
    [
        (3, 0, False, 3),
        (3, -1, False, 4),
        (3, -4, False, 7),
        (2, -5, False, 7),
        (5, 0, True, 4),
        (5, -1, True, 5),
        (2, 0, True, 2),
        (2, -1, True, 2),
        (6, -2, True, 7),
    ],
)
def test_armour(save: int, ap: int, cover: bool, needed: int) -> None:
    assert save_ledger(save, ap, cover).needed == needed


@pytest.mark.parametrize(
    ("fire", "needed"),
    [
        (Fire(save=3, ap=0, cover=True), 3),
        (Fire(save=2, ap=0, cover=True), 2),
        (Fire(save=4, ap=0, cover=True), 3),
        (Fire(save=3, ap=-1, cover=True), 3),
        (Fire(save=3, ap=-1, cover=True, abilities=("ignores-cover",)), 4),
        (Fire(save=4, ap=-2, invulnerable=4, cover=True), 4),
        (Fire(save=6, ap=-2, invulnerable=4, cover=True), 4),
        (Fire(save=3, ap=-2, invulnerable=5), 5),
        (Fire(save=3, ap=-1, invulnerable=5), 4),
        (Fire(save=4, ap=-4), 8),
    ],
)
def test_cover_and_invulnerable_saves(fire: Fire, needed: int) -> None:
    assert ours(fire).saves_on == needed


# --- what a weapon's abilities may say
