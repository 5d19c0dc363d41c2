"""Which abilities does this game know? One registry of the tokens of units and of weapons.

Each token says what must follow it, which modules read it, and in words what it does. A token without readers is known
by name alone: files may hold it, nothing is played, and RULES.md says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sim.rules.abilities import AbilityError, Reader, amount, bare, number, read_ability, words

ANTI = "anti-"  # and a keyword: the lowest Wound roll that is critical against it
KEYWORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
MODULES = "sim.rulesets.wh40k10"


@dataclass(frozen=True)
class Token:
    """What an ability of this name does, what follows the name, and the modules that read it; none of them plays it."""

    means: str
    value: Reader = bare
    readers: tuple[str, ...] = ()

    @property
    def played(self) -> bool:
        """Whether anything reads it."""
        return bool(self.readers)


def face(value: str) -> int:
    """The lowest face that suffices, with or without a plus behind it."""
    if re.fullmatch(r"[2-6]\+?", value) is None:
        raise AbilityError(f"expected a face from 2+ to 6+, got {value!r}")
    return int(value[0])


def inches(value: str) -> float | None:
    """A distance, or nothing for the usual one."""
    if value and re.fullmatch(r"\d+(\.\d+)?", value) is None:
        raise AbilityError(f"expected inches or nothing, got {value!r}")
    return float(value) if value else None


WEAPON: Mapping[str, Token] = {
    "assault": Token("fired after an Advance", readers=("shooting",)),
    "blast": Token("an attack more for every five models of the target", readers=("volleys", "shooting")),
    "dead-choppy": Token("an attack more for each further such weapon of its bearer", readers=("abilities",)),
    "devastating-wounds": Token("Critical Wounds are mortal ones", readers=("volleys",)),
    "extra-attacks": Token("struck besides another melee weapon", readers=("striking", "planning")),
    "hazardous": Token("a test for its bearer afterwards", readers=("shooting", "striking")),
    "heavy": Token("+1 to hit where its unit has Remained Stationary", readers=("volleys",)),
    "ignores-cover": Token("the target has no Benefit of Cover", readers=("volleys",)),
    "indirect-fire": Token("fired at what nobody sees", readers=("shooting", "firing")),
    "lance": Token("+1 to wound after a Charge move", readers=("volleys",)),
    "lethal-hits": Token("Critical Hits wound by themselves", readers=("volleys",)),
    "melta": Token("more Damage within half range", amount, ("volleys",)),
    "one-shot": Token("fired once in a battle", readers=("shooting",)),
    "pistol": Token("fired within Engagement Range, or instead of other weapons", readers=("shooting",)),
    "precision": Token("picks out a Character that leads the target", readers=("volleys", "shooting")),
    "psychic": Token("whoever ignores wounds of Psychic Attacks ignores its wounds", readers=("volleys",)),
    "rapid-fire": Token("more attacks within half range", amount, ("volleys",)),
    "sustained-hits": Token("more hits of each Critical Hit", amount, ("volleys",)),
    "torrent": Token("hits by itself", readers=("volleys",)),
    "twin-linked": Token("Wound rolls may be rolled again", readers=("volleys",)),
}

UNIT: Mapping[str, Token] = {
    "aims-at-own-spotted": Token("an Observer that shoots better at its own Spotted unit", readers=("abilities",)),
    "benefit-of-cover": Token("has the Benefit of Cover wherever it stands", readers=("visibility",)),
    "better-ap-except-against-armour": Token(
        "better Armour Penetration but at Monsters and Vehicles", number, ("abilities",)
    ),
    "capacity": Token("so many models aboard", number, ("transports",)),
    "charge-after-advance": Token("charges after an Advance", readers=("charging",)),
    "charge-after-fall-back": Token("charges after a Fall Back", readers=("charging",)),
    "charge-crush": Token("a Charge move hurts one enemy unit by one die", readers=("charging",)),
    "charge-mortal-wounds": Token("a Charge move hurts one enemy unit by a die a model", face, ("charging",)),
    "damage-reduction": Token("less Damage of each attack", number, ("abilities",)),
    "damaged": Token("-1 to hit with so many wounds left or fewer", number, ("abilities",)),
    "deadly-demise": Token("hurts all near it when it dies", amount, ("losses",)),
    "deep-strike": Token("arrives anywhere far from enemies", readers=("reserves",)),
    "denial-aura": Token("enemies do not arrive from reserves near it", inches, ("auras",)),
    "detachment": Token("the detachment of its army", words("kauyon", "montka"), ("abilities",)),
    "disembark-after-advance": Token("units disembark from it after it has Advanced", readers=("transports",)),
    "feel-no-pain": Token("ignores lost wounds", face, ("losses",)),
    "feel-no-pain-mortal": Token("ignores mortal wounds", face, ("losses",)),
    "feel-no-pain-psychic": Token("ignores wounds of Psychic Attacks", face, ("losses",)),
    "ds8-turret": Token("a support turret once it has Remained Stationary", readers=("turrets", "datasheets")),
    "fights-first": Token("fights in the first step", readers=("fighting",)),
    "firing-deck": Token("so many models aboard lend it a weapon each", number, ("shooting", "planning")),
    "flying-stem": Token("a flying stem: pivots are paid for", readers=("movement",)),
    "for-the-greater-good": Token("Observer, Guided and Spotted units", readers=("guided", "abilities")),
    "hazardous-passed": Token("Hazardous tests pass by themselves", readers=("shooting",)),
    "hit-against-armour": Token("better to hit at Monsters and Vehicles", number, ("abilities",)),
    "hit-against-oath": Token("better to hit at the target of its Oath", number, ("abilities",)),
    "hover": Token("hovers: pivots are paid for", readers=("movement", "deployment")),
    "ignore-hit-modifiers": Token("what worsens Hit rolls is left out", words("ranged"), ("abilities",)),
    "infiltrators": Token("set up far forward", readers=("deployment", "offers")),
    "invulnerable": Token("an invulnerable save of its own or lent", face, ("leaders",)),
    "leads-swiftly": Token("lends the unit that it leads its Move, and Assault", number, ("leaders",)),
    "lone-operative": Token("targeted from close by only", readers=("quantifiers",)),
    "more-bolt-rifle-attacks": Token(
        "more attacks of bolt rifles where their unit has one target alone", number, ("abilities",)
    ),
    "more-melee-attacks-once": Token(
        "more melee attacks, with Devastating Wounds, in one Fight phase of a battle", number, ("once",)
    ),
    "nova": Token("Devastating Wounds for one weapon, once in a battle", readers=("once",)),
    "oath-of-moment": Token("swears an Oath against one enemy unit", readers=("abilities", "command_phase")),
    "observer-re-rolls-ones": Token(
        "an Observer whose Guided units roll ones again at their Spotted unit", readers=("abilities",)
    ),
    "one-re-roll": Token("one Hit or Wound roll of its shooting again", words("hit-or-wound"), ("shooting",)),
    "re-roll-against-armour": Token(
        "rolls again at Monsters and Vehicles", words("hit", "wound", "damage"), ("abilities",)
    ),
    "re-roll-hits-near-objective": Token(
        "rolls Hit rolls of 1 again, all failures at who is near a marker", readers=("abilities",)
    ),
    "re-roll-wounds-near-objective": Token("rolls Wound rolls again at who is near a marker", readers=("abilities",)),
    "scouts": Token("moves before the battle", number, ("movement",)),
    "self-repair": Token("regains wounds in its Command phase", number, ("command_phase",)),
    "shoot-after-fall-back": Token("shoots after a Fall Back", readers=("shooting",)),
    "stealth": Token("-1 to be hit from afar", readers=("shooting",)),
    "sticky-objective": Token("keeps a marker that it leaves", readers=("command_phase",)),
    "strategic-reserves": Token("waits in Strategic Reserves", readers=("reserves",)),
    "stratagem-discount": Token("a Stratagem on it costs less, once in a battle round", number, ("once",)),
    "suppression": Token("whom it hits shoots worse", readers=("shooting",)),
    "tidewall-cover": Token("gives the Benefit of Cover to whom it hides in part", readers=("visibility",)),
    "tough-while-led": Token("harder to wound while a Warboss leads it", readers=("leaders",)),
    "two-leaders": Token("two leaders may join a unit of so many models", number, ("leaders",)),
    "waaagh": Token("calls a Waaagh! once in a battle", readers=("leaders",)),
    # known by name alone
    "fortification": Token("as its keyword says"),
    "leader": Token("leads units that its datasheet names"),
    "shoot-when-destroyed": Token("models shoot as they die", face),
    "teleport-homer": Token("Rapid Ingress near a token for nothing"),
}

SAID = ("fortification", "leader")  # known by name alone, and said by a keyword or by ``leads`` besides
UNKNOWN = Token("an ability of which the game knows nothing")

UNIT_VALUES: Mapping[str, Reader] = {name: token.value for name, token in UNIT.items()}


def read_unit(text: str) -> str:
    """An ability of a unit as the game keeps it; raises ``AbilityError`` where it is not understood."""
    return _plain(UNIT_VALUES, read_ability(UNIT_VALUES, text))


def read_weapon(text: str) -> str:
    """An ability of a weapon as the game keeps it; raises ``AbilityError`` where it is not understood."""
    known: dict[str, Reader] = {name: token.value for name, token in WEAPON.items()}
    if (anti := re.fullmatch(rf"\s*{ANTI}([a-z -]+?)[ :(]+([^\s():]*)[)\s]*", text.lower())) is not None:
        keyword = "-".join(anti[1].split())
        known[f"{ANTI}{keyword}"] = face
    read = _plain(known, read_ability(known, text))
    if read.partition(" ")[0] not in known:
        raise AbilityError(f"no ability of a weapon is called {text!r}")
    return read


def _plain(known: Mapping[str, Reader], read: str) -> str:
    """A face without its plus, other words in small letters."""
    name, _, value = read.replace(":", " ", 1).partition(" ")
    kind = known.get(name)
    if kind is face:
        return f"{name} {value.strip().rstrip('+')}"
    return read if kind in (None, amount) else f"{name} {value.strip().lower()}".strip()


def unread(abilities: Iterable[str]) -> tuple[str, ...]:
    """Those of a unit's abilities that nothing plays: names that the game does not know, or knows by name alone."""
    names = {text: text.partition(" ")[0] for text in abilities}
    return tuple(text for text, name in names.items() if name not in SAID and not UNIT.get(name, UNKNOWN).played)


def unknown_unit_ability(text: str) -> str | None:
    """What is wrong with an ability of a datasheet, where every name has to be known; None for nothing."""
    try:
        read = read_unit(text)
    except AbilityError as error:
        return str(error)
    return None if read == text and read.partition(" ")[0] in UNIT else f"no ability of a unit is called {text!r}"


def unknown_weapon_ability(text: str) -> str | None:
    """What is wrong with an ability of a weapon of a datasheet; None for nothing."""
    try:
        read = read_weapon(text)
    except AbilityError as error:
        return str(error)
    return None if read == text else f"expected {read!r}, got {text!r}"
