"""Can this be meant? An imported unit against the datasheet that it names: its models and what they carry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.battle.names import meant_by, name_key
from sim.rules import Listing
from sim.scenario.importers.army import ImportedModel


def doubts(name: str, models: Sequence[ImportedModel], listing: Listing) -> Iterator[str]:
    """What is odd about a unit, a sentence each: other numbers of models, misspelt weapons, models without any."""
    if listing.sizes and not min(listing.sizes) <= len(models) <= max(listing.sizes):
        yield f"{name}: {len(models)} models; its datasheet has {_sizes(listing.sizes)}"
    known = {name_key(thing) for thing in (*listing.weapons, *listing.wargear)}
    for thing in dict.fromkeys(thing for model in models for thing in model.loadout):
        meant = None if name_key(thing) in known else meant_by(thing, listing.weapons)
        if meant is not None:
            yield f"{name}: its datasheet has no {thing!r}; did the list mean {meant!r}?"
    weapons = {name_key(weapon) for weapon in listing.weapons}
    bare = sum(not weapons.intersection(map(name_key, model.loadout)) for model in models)
    if weapons and bare:
        who = "its model carries" if len(models) == 1 else f"{bare} of {len(models)} models carry"
        yield f"{name}: {who} no weapon of its datasheet"


def _sizes(sizes: Sequence[int]) -> str:
    least, most = min(sizes), max(sizes)
    return f"{least} to {most}" if least != most else str(least)
