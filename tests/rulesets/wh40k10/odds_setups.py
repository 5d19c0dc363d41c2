"""Attacks to hold the exact odds against the procedure: abilities of weapons at targets of many kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace

from msgspec.structs import replace

from sim.battle import Battle, Battlefield, Marker, Model, Terrain, Unit, Weapon
from sim.battle.own_rolls import ReRolls, RollModifier
from sim.geometry import Pose, Round
from sim.rulesets.wh40k10 import leaders
from sim.rulesets.wh40k10.commands import AttackWith, Fight, Shoot
from tests.rulesets.wh40k10.stage import FIGHT, PLAYERS, SHOOTING

Profile = dict[str, float]


@dataclass(frozen=True)
class SetUp:
    """A battle and the one command whose odds are held against plays of it."""

    title: str
    battle: Battle
    command: Shoot | Fight
    suffers: str = "foe"  # the unit whose losses are counted


def gun(name: str = "gun", attacks: str = "2", s: int = 4, ap: int = 0, d: str = "1", *abilities: str) -> Weapon:
    """A gun of 24 inches that hits on 3+."""
    return Weapon(name, 24.0, attacks, s, ap, d, 3, abilities=abilities)


def blade(name: str = "blade", attacks: str = "3", s: int = 5, ap: int = -1, d: str = "1", *abilities: str) -> Weapon:
    """A melee weapon that hits on 3+."""
    return Weapon(name, 0.0, attacks, s, ap, d, 3, abilities=abilities)


def unit(
    name: str, player: str, count: int, y: float, t: int = 4, sv: int = 4, w: int = 1, x: float = 20.0, **more: object
) -> Unit:
    """Models in a row, two tenths of an inch apart, with these numbers."""
    numbers: Profile = {"M": 6, "T": t, "SV": sv, "W": w, "LD": 7, "OC": 1}
    models = tuple(Model(f"{name}-{k}", name, Round.mm(32), Pose(x + 1.46 * k, y)) for k in range(count))
    return Unit(name, player, models, name=name, profile=tuple(sorted(numbers.items())), **more)  # type: ignore[arg-type]


def armed(unit: Unit, *weapons: Weapon) -> Unit:
    """A unit each of whose models carries these weapons."""
    names = tuple(weapon.name for weapon in weapons)
    return replace(unit, models=tuple(replace(m, loadout=names) for m in unit.models), weapons=weapons)


def shot(
    title: str, count: int, weapons: Sequence[Weapon], target: Unit, *others: Unit, apart: float = 15.0, **more: object
) -> SetUp:
    """Everybody fires everything at one unit that stands so many inches away."""
    shooters = armed(unit("red", "red", count, 20.0 - 1.26 - apart, **more), *weapons)  # type: ignore[arg-type]
    attacks = tuple(AttackWith(m.id, w.name, target.id) for w in weapons for m in shooters.models)
    battle = Battle("wh40k10", Battlefield(60.0, 44.0), SHOOTING, (shooters, target, *others), PLAYERS)
    return SetUp(title, battle, Shoot("red", attacks))


def struck(title: str, count: int, weapon: Weapon, target: Unit, *markers: Marker) -> SetUp:
    """Everybody strikes at one unit half an inch away."""
    fighters = armed(unit("red", "red", count, 20.0 - 1.26 - 0.5, markers=markers), weapon)
    attacks = tuple(AttackWith(m.id, weapon.name, target.id) for m in fighters.models)
    clock = replace(FIGHT, player="blue")
    battle = Battle("wh40k10", Battlefield(60.0, 44.0), clock, (fighters, target), PLAYERS)
    return SetUp(title, battle, Fight("red", attacks))


def foe(count: int = 5, t: int = 4, sv: int = 4, w: int = 1, **more: object) -> Unit:
    """The target."""
    return unit("foe", "blue", count, 20.0, t, sv, w, **more)  # type: ignore[arg-type]


def led(target: Unit, **leader: int) -> Unit:
    """A target with a Character at its side."""
    hero = unit("hero", "blue", 1, 21.6, **leader, keywords=("CHARACTER",))
    both = leaders.joined(target, hero)
    assert isinstance(both, Unit)
    return both


def hurt(target: Unit, lost: int) -> Unit:
    """A target whose first model has lost some wounds."""
    return replace(target, models=(replace(target.models[0], wounds_lost=lost), *target.models[1:]))


def covered() -> SetUp:
    """Five models of which a wall hides two in part: other saves within one unit."""
    plain = shot("some in cover", 6, [gun(ap=-1, d="2")], foe(5, w=2))
    wall = Terrain("wall", "barricade", ((19.0, 18.4), (22.0, 18.4), (22.0, 18.8), (19.0, 18.8)), 2.0)
    field = replace(plain.battle.battlefield, terrain=(wall,))
    return replace_battle(plain, replace(plain.battle, battlefield=field))


def replace_battle(set_up: SetUp, battle: Battle) -> SetUp:
    """The same attack on another table."""
    return dataclass_replace(set_up, battle=battle)


def of_its_own(set_up: SetUp) -> SetUp:
    """The same attack, of which the losses of its own unit are counted."""
    return dataclass_replace(set_up, suffers="red")


SET_UPS = (
    shot("rifles at infantry", 5, [gun()], foe(10)),
    shot("two wounds, damage of two", 5, [gun(d="2")], foe(5, w=2)),
    shot("damage that is lost on who dies", 4, [gun(d="3", s=8, ap=-2)], foe(4, w=2)),
    shot("a wounded model goes first", 3, [gun(d="2")], hurt(foe(3, w=3), 2)),
    shot("a number of attacks that is rolled", 2, [gun(attacks="D6+1")], foe(8)),
    shot("damage that is rolled", 3, [gun(d="D6", s=9, ap=-3)], foe(2, t=9, sv=3, w=8)),
    shot("damage of two dice", 2, [gun(d="2D3", s=9, ap=-3)], foe(3, w=4)),
    shot("rapid fire within half range", 4, [gun("gun", "1", 4, 0, "1", "rapid-fire 1")], foe(6), apart=11.0),
    shot("melta within half range", 3, [gun("gun", "1", 9, -4, "D3", "melta 2")], foe(2, t=8, w=6), apart=11.0),
    shot("blast at eleven", 2, [gun("gun", "D3", 5, -1, "1", "blast")], foe(11)),
    shot("sustained hits", 5, [gun("gun", "2", 4, 0, "1", "sustained-hits 2")], foe(8)),
    shot("sustained hits that are rolled", 4, [gun("gun", "2", 4, 0, "1", "sustained-hits D3")], foe(8)),
    shot("lethal hits", 5, [gun("gun", "2", 3, -1, "1", "lethal-hits")], foe(6, t=8)),
    shot("lethal and sustained", 4, [gun("gun", "3", 4, -1, "1", "lethal-hits", "sustained-hits 1")], foe(7, t=6)),
    shot("devastating wounds", 4, [gun("gun", "2", 4, -1, "2", "devastating-wounds")], foe(6, sv=2, w=2)),
    shot("devastating wounds, and one ignores mortal ones", 4, [gun("gun", "2", 4, 0, "2", "devastating-wounds")],
         foe(5, sv=2, w=2, abilities=("feel-no-pain-mortal 4",))),
    shot("twin-linked", 4, [gun("gun", "2", 4, 0, "1", "twin-linked")], foe(6, t=5)),
    shot("torrent", 2, [gun("gun", "D6", 4, 0, "1", "torrent", "ignores-cover")], foe(8)),
    shot("heavy, and it has not moved", 4, [gun("gun", "1", 6, -1, "2", "heavy")], foe(4, w=2)),
    shot("anti-infantry 3+", 4, [gun("gun", "2", 3, 0, "1", "anti-infantry 3")], foe(6, t=8, keywords=("INFANTRY",))),
    shot("an invulnerable save", 4, [gun(ap=-4)], foe(5, abilities=("invulnerable 5",))),
    shot("a Feel No Pain", 4, [gun(d="2", ap=-2)], foe(5, w=2, abilities=("feel-no-pain 5",))),
    shot("lessened damage", 3, [gun(d="3", s=9, ap=-3)], foe(2, t=9, w=6, abilities=("damage-reduction 1",))),
    shot("stealth", 5, [gun()], foe(6, abilities=("stealth",))),
    covered(),
    shot("a leader behind his men", 6, [gun(ap=-2, s=6, d="2")], led(foe(2, w=2), t=5, sv=2, w=4)),
    shot("precision", 4, [gun("gun", "2", 5, -2, "2", "precision")], led(foe(3, w=1), t=4, sv=3, w=4)),
    shot("two weapons at one unit", 4, [gun(), gun("cannon", "1", 9, -3, "D6")], foe(4, w=3)),
    shot("devastating wounds and precision", 4, [gun("gun", "2", 5, -2, "2", "precision", "devastating-wounds")],
         led(foe(3, w=1), t=4, sv=2, w=4)),
    shot("re-rolls and modifiers of its own", 4, [gun(attacks="2", d="2")],
         foe(5, w=2, modifiers=(RollModifier("hit", -1, "enemy"), RollModifier("damage", 1, "enemy", "ranged"))),
         rerolls=ReRolls("ones", "failed"), modifiers=(RollModifier("ap", 1), RollModifier("attacks", 1))),
    shot("damage that is rolled again", 3, [gun(d="D6", s=9, ap=-3)], foe(2, t=9, sv=3, w=8),
         rerolls=ReRolls(damage=True)),
    of_its_own(shot("hazardous", 4, [gun("gun", "1", 7, -2, "2", "hazardous")], foe(20), w=2)),
    of_its_own(shot("hazardous, with a Feel No Pain", 3, [gun("gun", "1", 7, -2, "2", "hazardous")], foe(20), w=4,
                    abilities=("feel-no-pain-mortal 5",))),
    of_its_own(struck("hazardous blades", 3, blade("blade", "3", 5, -1, "1", "hazardous"), foe(12))),
    struck("blades", 3, blade(), foe(5)),
    struck("a lance after a charge", 3, blade("lance", "3", 4, -2, "2", "lance"), foe(4, t=5, w=2), Marker("charged"),
           Marker("charge-bonus")),
)  # fmt: skip
