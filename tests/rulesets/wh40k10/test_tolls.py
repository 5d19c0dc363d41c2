"""Are the odds of whole sequences of volleys those of every play? Counted out over all faces, through the procedure.

Units whose models differ: in saves, cover, wounds, lessened Damage, Feel No Pain; led ones; ones that explode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from msgspec.structs import replace as changed

from rulesets.wh40k10.test_volleys import battle, team
from sim.battle import Battle, Model, RollAbout, Unit
from sim.chance import Pmf
from sim.chance.dice import Faces, Kind
from sim.engine import FirstChoice, resolve
from sim.geometry import Pose, Round
from sim.rules import NeedChoice, NeedRoll, Procedure
from sim.rulesets.wh40k10 import RULESET, leaders, losses, tolls, volleys
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.volleys import AS_EVER, Circumstances, Volley


class _NeverPicks:
    """Leaves the allocation of Precision attacks to the target's owner; else the first option."""

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        return AS_EVER if AS_EVER in need.options else need.options[0]


def some(name: str, *wounds: int, sv: int = 7, **fields: object) -> Unit:
    """Models close together that have lost nothing, all with the greatest of the wounds; fewer are lost already."""
    most = max(wounds)
    models = tuple(
        Model(f"{name}-{k}", name, Round.mm(25), Pose(30.0, 5.0 + 1.2 * k), most - left)
        for k, left in enumerate(wounds)
    )
    own = {"M": 6.0, "T": 4.0, "SV": float(sv), "W": float(most), "LD": 7.0, "OC": 1.0} | dict(
        fields.pop("profile", {})  # type: ignore[call-overload]
    )
    return Unit(name, "blue", models, name=name, profile=tuple(sorted(own.items())), **fields)  # type: ignore[arg-type]


def led(unit: Unit, leader: Unit) -> Unit:
    both = leaders.joined(unit, changed(leader, keywords=("CHARACTER",)))
    assert isinstance(both, Unit)
    return both


def gun(attacks: str = "1", damage: str = "1", *abilities: str, ap: int = 0, skill: int | None = None) -> Weapon:
    """A weapon that wounds on 2+, and hits by itself unless it has a skill."""
    return Weapon(
        name=f"gun {attacks}/{damage}", range=24, attacks=attacks, strength=8, ap=ap, damage=damage, skill=skill,
        abilities=abilities,
    )  # fmt: skip


def fired(weapon: Weapon, target: Unit, weapons: int = 1, covered: Sequence[str] = (), **about: object) -> Volley:
    them = tuple(f"g-{k}" for k in range(weapons))
    return Volley(weapon, them, target.id, Circumstances(len(target.models), **about), frozenset(covered))  # type: ignore[arg-type]


def firing(start: Battle, all_of_them: Sequence[Volley], dice: _Alike) -> Procedure:
    """The volleys one after another; the dice hear what each roll is about."""

    def whole(now: Battle) -> Procedure:
        yield from volleys.resolve_all(now, "g", all_of_them)

    procedure, answer = whole(start), None
    while True:
        try:
            told = procedure.send(answer)
        except StopIteration:
            return
        if isinstance(told, NeedRoll):
            dice.about = told.about
        answer = yield told


class _More(Exception):
    """The written faces are used up at a die whose faces do these things, so many of them each."""


class _Alike:
    """Faces from a list; of those that do the same to what is rolled for, one stands for all."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces, self.used = faces, 0
        self.about: RollAbout | None = None

    def roll(self, count: int, sides: int, purpose: str, kind: Kind = "plain") -> Faces:
        assert kind == "plain"
        if len(self.faces) - self.used < count:
            raise _More(self._kinds(sides))
        self.used += count
        return self.faces[self.used - count : self.used]

    def _kinds(self, sides: int) -> list[tuple[int, int]]:
        """A face of each kind, with how many there are: what fails, what succeeds, what is critical."""
        about = self.about
        if about is None or not about.needs:
            return [(face, 1) for face in range(1, sides + 1)]
        critical = (4, sides) if about.kind in ("hit", "wound") else ()
        starts = sorted({1, min(about.needs, sides + 1), *critical, sides + 1})
        return [(low, high - low) for low, high in pairwise(starts)]


def every_end(start: Battle, all_of_them: Sequence[Volley], precision: bool) -> Iterator[tuple[Fraction, Battle]]:
    waiting: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    chooser = FirstChoice() if precision else _NeverPicks()
    while waiting:
        chance, faces = waiting.pop()
        dice = _Alike(faces)
        try:
            result = resolve(RULESET, start, firing(start, all_of_them, dice), dice, chooser)
        except _More as more:
            kinds: list[tuple[int, int]] = more.args[0]
            sides = sum(many for _, many in kinds)
            waiting += [(chance * many / sides, (*faces, face)) for face, many in kinds]
        else:
            yield chance, result.battle


def left_of(unit: Unit) -> int:
    return sum(losses.wounds_of(unit, m) - m.wounds_lost for m in unit.models)


def come_true(target: Unit, *all_of_them: Volley, precision: bool = True) -> None:
    """The odds are those of every sequence of faces."""
    start = battle(team("g", "Pathfinder Team", 3, (10, 10), player="red"), target)
    fallen: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    characters: Counter[str] = Counter()
    for chance, after in every_end(start, all_of_them, precision):
        standing = changed(target, models=tuple(after.model(m.id) for m in target.models if after.has_model(m.id)))
        alive = {m.id for u in after.units for m in u.models}
        fallen[len(target.models) - len(standing.models)] += chance  # type: ignore[assignment]
        lost[left_of(target) - left_of(standing)] += chance  # type: ignore[assignment]
        for model in leaders.characters(target):
            characters[model.id] += chance * (model.id not in alive)  # type: ignore[assignment]
    toll = tolls.toll_of(start, target, all_of_them, precision)
    _same(toll.fallen, fallen)
    _same(toll.lost, lost)
    if all(volley.about.reached is None for volley in all_of_them):
        assert toll.all_fallen == pytest.approx(float(fallen[len(target.models)]), abs=1e-12)
    assert dict(toll.characters) == pytest.approx({name: float(chance) for name, chance in characters.items()})


def _same(found: Pmf, wanted: Counter[int]) -> None:
    assert sum(wanted.values()) == 1
    for value, chance in found.items():
        assert chance == pytest.approx(float(wanted[value]), abs=1e-12), value


CAPTAIN = some("cap", 3, sv=2, profile={"INV": 4.0})


def test_a_leader_saves_by_himself_once_the_others_are_gone() -> None:
    target = led(some("crowd", 2, sv=4), CAPTAIN)
    come_true(target, fired(gun("2", "D3", ap=-2), target))


def test_a_leader_ignores_wounds_that_his_unit_does_not() -> None:
    leader = changed(CAPTAIN, abilities=("feel-no-pain 5",))
    target = led(some("crowd", 1), leader)
    come_true(target, fired(gun("2", "2", ap=-6), target))


def test_damage_is_lessened_for_the_model_that_lessens_it() -> None:
    leader = changed(CAPTAIN, abilities=("damage-reduction 1",))
    target = led(some("crowd", 3, sv=7), leader)
    come_true(target, fired(gun("3", "2", ap=-6), target))


def test_cover_counts_for_the_models_that_have_it() -> None:
    target = some("crowd", 1, 1, 1, sv=4)
    come_true(target, fired(gun("3", ap=-1), target, covered=("crowd-2",)))


def test_a_wounded_model_goes_on_suffering_under_the_next_weapon() -> None:
    target = some("crowd", 3, 3, sv=5)
    come_true(target, fired(gun("1", "2"), target), fired(gun("2", "1", ap=-1), target))


def test_mortal_wounds_of_both_weapons_wait_for_all_damage() -> None:
    target = some("crowd", 2, 2, 2, sv=3, abilities=("feel-no-pain-mortal 4",))
    first, second = gun("1", "2", "devastating-wounds", ap=-1), gun("1", "1", "devastating-wounds", "anti-x 4")
    come_true(target, fired(first, target), fired(second, target))


@pytest.mark.parametrize("precision", [True, False])
def test_precision_where_the_attacker_uses_it_and_where_not(precision: bool) -> None:
    target = led(some("crowd", 2, sv=5), CAPTAIN)
    about = {"characters": frozenset({"cap-0"})}
    volley = fired(gun("2", "2", "precision", ap=-2), target, **about)
    come_true(target, volley, fired(gun("1", "1"), target), precision=precision)


def test_a_model_that_explodes_takes_its_own_unit_along() -> None:
    target = some("kans", 2, 1, 2, abilities=("deadly-demise D3",), keywords=("VEHICLE",))
    come_true(target, fired(gun("1", "2", ap=-6), target))


def test_only_those_in_sight_suffer_and_the_next_weapon_sees_others() -> None:
    target = some("crowd", 1, 1, 1)
    one = fired(gun("2"), target, reached=frozenset({"crowd-1"}))
    come_true(target, one, fired(gun("1"), target, reached=frozenset({"crowd-0", "crowd-1"})))


MORE_DICE = {
    "sustained D3": (gun("1", "1", "sustained-hits D3", skill=5), {}),
    "melta D3": (gun("1", "1", "melta D3"), {"half_range": True}),
    "rapid fire D3": (gun("1", "1", "rapid-fire D3"), {"half_range": True}),
    "damage D3+1": (gun("1", "D3+1"), {}),
    "attacks D3+1": (gun("D3+1", "1", ap=-6), {}),
    "sustained D3, devastating": (gun("1", "1", "sustained-hits D3", "devastating-wounds", skill=4, ap=-6), {}),
    "sustained D3, lethal": (gun("1", "1", "sustained-hits D3", "lethal-hits", skill=4, ap=-6), {}),
}


@pytest.mark.parametrize(("weapon", "about"), MORE_DICE.values(), ids=list(MORE_DICE))
def test_dice_stand_wherever_a_number_may(weapon: Weapon, about: dict[str, object]) -> None:
    target = some("crowd", 2, 3, 3, sv=5)
    come_true(target, fired(weapon, target, **about))


def test_twenty_of_everything_are_counted_in_a_moment() -> None:
    target = led(some("crowd", *[2] * 20, sv=5, abilities=("feel-no-pain 6",)), CAPTAIN)
    start = battle(team("g", "Pathfinder Team", 3, (10, 10), player="red"), target)
    kinds = [gun("4", "D3", "sustained-hits D3", "devastating-wounds", "precision", skill=4, ap=-1) for _ in range(3)]
    volleys_of_it = [fired(changed(kind, name=str(k)), target, 10) for k, kind in enumerate(kinds)]
    toll = tolls.toll_of(start, target, volleys_of_it)
    assert 20 < toll.lost.mean < 43
    assert 0 < toll.all_fallen < 1
