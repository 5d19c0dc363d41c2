"""What one weapon's attack on a unit amounts to, and how a volley of them is resolved: the one place for dice and odds.

A volley is any number of the same weapon profile against the same unit under the same circumstances.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sim.battle import Battle, Marker, MarkerSet, Model, RollAbout, Unit
from sim.chance.amounts import Amount
from sim.rules import Ledger, Modifier, NeedChoice, NeedRoll, Told
from sim.rulesets.wh40k10 import (
    abilities,
    again,
    leaders,
    losses,
    parting,
    rolls,
)
from sim.rulesets.wh40k10.attacks import (
    ALWAYS_FAILS,
    CRITICAL,
    LEAST_DAMAGE,
    NOTHING,
    Attack,
    ReRoll,
    Share,
    hit_ledger,
    save_ledger,
    wound_ledger,
)
from sim.rulesets.wh40k10.datasheets import Weapon
from sim.rulesets.wh40k10.resources import Resolving

BLAST_EVERY = 5  # models of the target unit that add an attack; Blast
INDIRECT_MISSES_UP_TO = 3  # unmodified faces that miss what nobody sees; Indirect Fire
PRECISION = "Precision"
AS_EVER = "as-ever"  # the answer that leaves the allocation to the target's owner; Precision
UNKNOWN_TOUGHNESS = 4  # of records from before such a number was demanded, and for a computer's guess
COVER_NOT_FOR = 3  # a Save this good or better has no cover against attacks without Armour Penetration
UNKNOWN_SAVE = 7


@dataclass(frozen=True)
class Circumstances:
    """What matters to an attack besides the weapon and the two units."""

    models_at_selection: int
    half_range: bool = False
    stationary: bool = False
    charged: bool = False
    unseen: bool = False
    cover: bool = False
    hit_modifiers: tuple[Modifier, ...] = ()
    skill_modifiers: tuple[Modifier, ...] = ()
    wound_modifiers: tuple[Modifier, ...] = ()
    ap_modifiers: tuple[Modifier, ...] = ()
    damage_modifiers: tuple[Modifier, ...] = ()
    extra: tuple[str, ...] = ()  # weapon abilities granted for now
    hit_again: ReRoll = "none"
    wound_again: ReRoll = "none"
    only_sixes: bool = False
    steady: bool = False  # what worsens Hit rolls is left out
    reached: frozenset[str] | None = None  # the models to which attacks can be allocated, None for all
    characters: frozenset[str] = frozenset()  # leaders of the target in sight that Precision can pick out
    more_attacks: int = 0  # of each weapon, by abilities of its bearer
    more_strength: int = 0
    share: Share | None = None  # the part of each weapon's attacks that is made here
    damage_again: bool = False
    one_again: bool = False


def attack_of(weapon: Weapon, target: Unit, about: Circumstances, model: Model | None = None) -> Attack:
    """The attack of a weapon on a unit as the rules have it now, with a reason for every number.

    ``model`` is the one that it is allocated to, where that is a leader with a Save of its own.
    """
    hits = list(about.hit_modifiers)
    if weapon.has("heavy") and about.stationary:
        hits.append(Modifier(1, "Heavy, Remained Stationary", "Heavy"))
    if about.unseen:
        hits.append(Modifier(-1, "no target in sight", "Indirect Fire"))
    if about.steady:
        hits = [modifier for modifier in hits if modifier.value > 0]
    wounds = list(about.wound_modifiers)
    strength = weapon.strength + about.more_strength
    if strength > (leaders.toughness(target) or 0) and leaders.is_tougher_led(target):
        wounds.append(Modifier(-1, "led by a Warboss", target.name))
    if about.charged and _has(weapon, about, "lance"):
        wounds.append(Modifier(1, "Lance, charged this turn", "Lance"))
    ap = weapon.ap - sum(m.value for m in about.ap_modifiers)
    rapid = _amount_of(weapon, about, "rapid-fire") if about.half_range else NOTHING
    melta = _amount_of(weapon, about, "melta") if about.half_range else NOTHING
    more = 0 if rapid.dice else rapid.plus
    if weapon.has("blast"):
        more += about.models_at_selection // BLAST_EVERY
    damage = sum(m.value for m in (*about.damage_modifiers, *abilities.damage_reductions(target, model)))
    damage += 0 if melta.dice else melta.plus
    toughness = leaders.toughness(target)
    save = target.value("SV") if model is None else leaders.number(target, model, "SV")
    invulnerable = leaders.invulnerable(target, model)
    psychic = weapon.has("psychic")
    cover = about.cover and not _has(weapon, about, "ignores-cover")
    cover = cover and not (save is not None and save <= COVER_NOT_FOR and ap == 0 and weapon.range > 0)
    torrent = weapon.has("torrent") or weapon.skill is None
    attack = Attack(
        name=title_of(weapon),
        attacks=amount(weapon.attacks),
        more_attacks=more + about.more_attacks,
        hit=None if torrent else hit_ledger(weapon.skill or 0, about.skill_modifiers, tuple(hits)),
        wound=wound_ledger(strength, int(toughness or UNKNOWN_TOUGHNESS), tuple(wounds)),
        save=save_ledger(int(save or UNKNOWN_SAVE), ap, cover),
        invulnerable=None if invulnerable is None else int(invulnerable),
        damage=amount(weapon.damage),
        more_damage=damage,
        extra_attacks=rapid if rapid.dice else NOTHING,
        extra_damage=melta if melta.dice else NOTHING,
        only_sixes=about.only_sixes,
        fails_up_to=INDIRECT_MISSES_UP_TO if about.unseen else ALWAYS_FAILS,
        hit_again=about.hit_again,
        wound_again="failed" if weapon.has("twin-linked") else about.wound_again,
        critical_wound=min([CRITICAL, *_anti(weapon, target)]),
        sustained=_amount_of(weapon, about, "sustained-hits"),
        lethal=_has(weapon, about, "lethal-hits"),
        devastating=_has(weapon, about, "devastating-wounds"),
        ignores_wounds=losses.feel_no_pain(target, "damage", model, psychic),
        ignores_mortal=losses.feel_no_pain(target, "mortal", model, psychic),
        ap=ap,
        share=about.share,
        damage_again=about.damage_again,
        one_again=about.one_again,
    )
    return attack.decided()


def title_of(weapon: Weapon) -> str:
    """A weapon's name, with its profile where it has several."""
    return f"{weapon.name} ({weapon.profile})" if weapon.profile else weapon.name


amount = lru_cache(maxsize=256)(Amount.of)


def _has(weapon: Weapon, about: Circumstances, token: str) -> bool:
    return weapon.has(token) or any(ability.split()[0] == token for ability in about.extra)


def _amount_of(weapon: Weapon, about: Circumstances, token: str) -> Amount:
    """What follows a weapon's ability, or the same one that is granted for now, whichever is more."""
    values = [weapon.ability(token), *(a.split()[1] for a in about.extra if a.split()[0] == token and " " in a)]
    return max((amount(value) for value in values if value), key=lambda found: found.mean, default=NOTHING)


def _anti(weapon: Weapon, target: Unit) -> Iterator[int]:
    for ability in weapon.abilities:
        name, _, value = ability.partition(" ")
        if name.startswith("anti-") and target.has(name.removeprefix("anti-").replace("-", " ")):
            yield int(value.rstrip("+"))


@dataclass(frozen=True)
class Volley:
    """So many of the same weapon, of these models, against one unit."""

    weapon: Weapon
    models: tuple[str, ...]
    target: str
    about: Circumstances
    covered: frozenset[str] = frozenset()  # models of the target with the Benefit of Cover
    made: int | None = None  # the number of attacks of all its weapons, where that was rolled beforehand

    def attack(self, battle: Battle, model: str | None = None) -> Attack:
        """The attack of each weapon of the volley, as it is against one model or against the next to suffer."""
        target = battle.unit(self.target)
        if model is None and target.models:
            reached = self.reached(target)
            model = losses.next_to_suffer(battle, target, reached).id if reached != frozenset() else None
        against = next((m for m in target.models if m.id == model), None)
        return attack_of(self.weapon, target, replace(self.about, cover=model in self.covered), against)

    def about_roll(
        self, kind: str, roller: str, needs: int = 0, against: str | None = None, model: str = ""
    ) -> RollAbout:
        """What a roll for these attacks is about; ``against`` is the target where nobody else is named."""
        other = self.target if against is None else against
        weapon = self.weapon
        return RollAbout(kind, roller, other, model, weapon.name, weapon.profile, self.models, needs)

    def picks(self, target: Unit) -> tuple[str, ...]:
        """The Characters to which a Precision attack can be allocated as the target is now."""
        if not self.weapon.has("precision") and "precision" not in self.about.extra:
            return ()
        return tuple(m.id for m in leaders.characters(target) if m.id in self.about.characters)

    def reached(self, target: Unit) -> frozenset[str] | None:
        """Which of the target's models the attacks can be allocated to as it is now, None for all."""
        among = self.about.reached
        return None if among is None else among & {m.id for m in target.models}


@dataclass(frozen=True)
class Pending:
    """Mortal wounds that wait until all normal damage of the unit is done: one blow of Devastating Wounds."""

    volley: Volley


def resolve_all(battle: Battle, attacker: str, planned: Sequence[Volley]) -> Resolving:
    """All attacks of a unit, and after them the mortal wounds that have waited; then its targets are what is left."""

    def suffered(battle: Battle) -> Resolving:
        pending: list[Pending] = []
        for volley in planned:
            battle = yield from resolve_volley(battle, attacker, volley, pending)
        return (yield from resolve_pending(battle, attacker, pending))

    targets = dict.fromkeys(volley.target for volley in planned)
    return (yield from parting.as_one(battle, attacker, targets, suffered))


def resolve_volley(battle: Battle, attacker: str, volley: Volley, pending: list[Pending]) -> Resolving:
    """Number of attacks, hits, wounds, then one wound after another saved or suffered."""
    attack = volley.attack(battle)
    target = battle.unit(volley.target)
    if not target.models:
        return battle
    title = f"{attack.name} at {target.name}"
    battle, count = yield from _attacks_made(battle, attacker, volley, attack, title)
    hits, wounded = count, 0
    if attack.hit is not None:
        needed = _told(attack.hit) if not attack.only_sixes else "6"
        battle, faces = yield from _rolled(battle, attacker, count, f"{title}: hit on {needed}", attack, volley, "hit")
        criticals = sum(face == CRITICAL for face in faces)
        hits = sum(attack.hits(face) for face in faces) + criticals * attack.sustained.plus
        dice = criticals * attack.sustained.dice
        on = f"{title}: sustained hits"
        told = volley.about_roll("sustained-hits", attacker)
        battle, faces = yield from rolls.roll(battle, attacker, dice, attack.sustained.sides, on, about=told)
        hits += sum(faces)
        if attack.lethal:
            hits -= criticals
            wounded += criticals
    if hits or wounded:
        battle = yield MarkerSet(target.id, Marker("hit", attacker, hits + wounded, until="end-of-phase"))
    on = f"{title}: wound on {_told(attack.wound)}"
    battle, faces = yield from _rolled(battle, attacker, hits, on, attack, volley, "wound")
    for face in faces:
        if attack.devastating and face >= attack.critical_wound:
            pending.append(Pending(volley))
        elif attack.wounds(face):
            wounded += 1
    for _ in range(wounded):
        target = battle.unit(volley.target)
        reached = volley.reached(target)
        if not target.models or reached == frozenset():
            break
        battle, model = yield from _allocated(battle, attacker, volley, reached)
        attack = volley.attack(battle, model.id)
        if attack.saves_on <= CRITICAL:
            by = "" if attack.saves_on == attack.invulnerable else _reasons(attack.save)
            purpose = f"{target.name} saves against {attack.name} on {attack.saves_on}+{by}"
            told = volley.about_roll("save", target.id, attack.saves_on, attacker, model.id)
            battle, (face,) = yield from rolls.roll(battle, target.id, 1, 6, purpose, about=told)
            if attack.saves(face):
                continue
        told = volley.about_roll("damage", attacker, model=model.id)
        battle, points = yield from _damage(battle, attacker, attack, title, told)
        if battle.has_model(model.id):
            psychic = volley.weapon.has("psychic")
            battle = yield from losses.damage(battle, target.id, model.id, points, by=attacker, psychic=psychic)
    return battle


def _attacks_made(
    battle: Battle, attacker: str, volley: Volley, attack: Attack, title: str
) -> Generator[Told, Any, tuple[Battle, int]]:
    """How many attacks the weapons of a volley make together."""
    if volley.made is not None:
        return battle, volley.made
    each = attack.attacks.plus + attack.extra_attacks.plus + attack.more_attacks
    count = len(volley.models) * (each if attack.share is None else attack.share.of(each))
    for part in (attack.attacks, attack.extra_attacks):
        dice, on = len(volley.models) * part.dice, f"{title}: attacks"
        told = volley.about_roll("attacks", attacker)
        battle, faces = yield from rolls.roll(battle, attacker, dice, part.sides, on, part.dice, told)
        count += sum(faces)
    return battle, count


def target_by_target(
    groups: Mapping[tuple[Weapon, str, Circumstances], list[str]],
) -> list[tuple[tuple[Weapon, str, Circumstances], list[str]]]:
    """Groups of attacks in the order in which they are resolved: all at one target, all of one weapon among them."""
    targets = list(dict.fromkeys(target for _, target, _ in groups))
    weapons = list(dict.fromkeys(weapon for weapon, _, _ in groups))
    return sorted(groups.items(), key=lambda group: (targets.index(group[0][1]), weapons.index(group[0][0])))


def _allocated(
    battle: Battle, attacker: str, volley: Volley, reached: frozenset[str] | None
) -> Generator[Told, Any, tuple[Battle, Model]]:
    """The model that a wound is allocated to: with Precision a Character whom the attacker picks out, or nobody."""
    target = battle.unit(volley.target)
    picks = volley.picks(target)
    if picks:
        purpose = f"{PRECISION}: {volley.weapon.name} at {target.name}"
        picked: str = yield NeedChoice(battle.unit(attacker).player, purpose, (*picks, AS_EVER))
        if picked != AS_EVER:
            return battle, battle.model(picked)
    return (yield from losses.chosen_to_suffer(battle, target, reached))


def resolve_pending(battle: Battle, attacker: str, pending: Sequence[Pending]) -> Resolving:
    """The mortal wounds of Devastating Wounds, each blow on one model, what it has too much lost."""
    for blow in pending:
        volley = blow.volley
        target = battle.unit(volley.target)
        reached = volley.reached(target)
        if not target.models or reached == frozenset():
            continue
        battle, model = yield from _allocated(battle, attacker, volley, reached)
        attack = volley.attack(battle, model.id)
        told = volley.about_roll("damage", attacker)
        battle, points = yield from _damage(battle, attacker, attack, f"{attack.name} at {target.name}", told)
        if battle.has_model(model.id):
            psychic = volley.weapon.has("psychic")
            battle = yield from losses.damage(battle, target.id, model.id, points, "mortal", attacker, psychic=psychic)
    return battle


def _damage(
    battle: Battle, attacker: str, attack: Attack, title: str, told: RollAbout | None
) -> Generator[Told, Any, tuple[Battle, int]]:
    points = attack.more_damage
    for own, part in ((True, attack.damage), (False, attack.extra_damage)):
        on = f"{title}: damage"
        points += part.plus
        if not part.dice:
            continue
        player = battle.unit(attacker).player
        found, fell = list((yield NeedRoll(part.dice, part.sides, on, player, about=told))), frozenset[int]()
        if own:
            battle, found, fell = yield from again.damage(battle, attacker, found, attack, on, told)
        battle, faces = yield from rolls.bought_again(battle, attacker, found, part.sides, on, part.dice, told, fell)
        points += sum(faces)
    return battle, max(LEAST_DAMAGE, points)


def _rolled(
    battle: Battle, attacker: str, count: int, purpose: str, attack: Attack, volley: Volley, which: again.Which
) -> rolls.Rolled:
    """Dice with what the attack rolls again by itself; those cannot be rolled a third time."""
    ledger = attack.hit if which == "hit" else attack.wound
    needs = CRITICAL if ledger is None or (which == "hit" and attack.only_sixes) else ledger.needed
    told = volley.about_roll(which, attacker, needs)
    if count <= 0:
        return battle, ()
    faces = yield NeedRoll(count, 6, purpose, battle.unit(attacker).player, about=told)
    battle, found, fell = yield from again.own(battle, attacker, faces, attack, which, purpose, told)
    return (yield from rolls.bought_again(battle, attacker, found, 6, purpose, about=told, spent=fell))


def _told(ledger: Ledger) -> str:
    needed = f"{ledger.needed}+" if ledger.needed <= CRITICAL else "6"
    return f"{needed}{_reasons(ledger)}"


def _reasons(ledger: Ledger) -> str:
    reasons = ", ".join(f"{m.value:+d} {m.reason}" for m in ledger.modifiers)
    return f" ({reasons})" if reasons else ""
