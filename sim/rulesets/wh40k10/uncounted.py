"""What do the odds of an attack leave out? Named one by one: what people decide, and what befalls others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from sim.battle import Battle, Unit
from sim.rulesets.wh40k10 import losses, once, quantifiers, tokens, transports
from sim.rulesets.wh40k10.volleys import Volley

WORDS = MappingProxyType(
    {
        "stratagems": "Stratagems, a Command Re-roll among them",
        "one-re-roll": "one Hit or Wound roll of the unit again",
        "nova": "a Nova Charge that is not declared yet",
        "allocation": "whom else the owner of the target could let suffer",
        "deadly-demise": "what others suffer from the target's Deadly Demise",
        "passengers": "what befalls those aboard the target",
    }
)


def of_volleys(battle: Battle, unit: Unit, volleys: Sequence[Volley]) -> tuple[str, ...]:
    """The names of what the odds of volleys of a unit do not count, in the order of ``WORDS``."""
    found = set(_decided(battle, unit, volleys))
    for name in dict.fromkeys(volley.target for volley in volleys):
        found |= set(_befalls_others(battle, battle.unit(name)))
    return tuple(name for name in WORDS if name in found)


def unread(battle: Battle, names: Iterable[str]) -> dict[str, list[str]]:
    """By units those of their abilities that nothing plays, of which the odds know nothing either."""
    found = {}
    for name in names:
        unit = battle.unit(name)
        every = [*unit.abilities, *(text for part in unit.attached for text in part.abilities)]
        if left := list(dict.fromkeys(tokens.unread(every))):
            found[name] = left
    return found


def told(names: Sequence[str], abilities: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The same in words, a line each, or none where nothing is left out."""
    if names:
        yield f"not counted: {'; '.join(WORDS[name] for name in names)}"
    for unit, left in abilities.items():
        yield f"not counted: {', '.join(left)} of {unit}, which nothing plays yet"


def _decided(battle: Battle, unit: Unit, volleys: Sequence[Volley]) -> Iterator[str]:
    """What depends on what a player decides in the middle of it."""
    if battle.resources:
        yield "stratagems"
    if any(volley.about.one_again for volley in volleys):
        yield "one-re-roll"
    shoots = any(volley.weapon.ranged for volley in volleys)
    if shoots and unit.ability(once.NOVA) is not None and not unit.marked(once.spent(once.NOVA)):
        yield "nova"
    targets = (battle.unit(volley.target) for volley in volleys)
    if losses.owner_allocates(battle) and any(len(target.models) > 1 for target in targets):
        yield "allocation"


def _befalls_others(battle: Battle, target: Unit) -> Iterator[str]:
    if any(quantifiers.of_model(target, model, "deadly-demise") for model in target.models):
        yield "deadly-demise"
    if any(other.whereabouts == f"{transports.ABOARD}{target.id}" for other in battle.units):
        yield "passengers"
