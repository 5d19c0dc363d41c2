"""Whose moment is it? The one place that reads the Stratagems: who may use which now, on what, and that it is paid.

Those of a player's own choosing are commands; the others are offered at the moments that the rules open. Whatever is
offered is allowed and changes something.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from sim.battle import Battle, ChoiceMade, Marker, MarkerSet, Unit, Until
from sim.battle.state import RESERVES
from sim.rules import Procedure, Reaction, ReactionWindow, Violation
from sim.rulesets.wh40k10 import abilities, once
from sim.rulesets.wh40k10.cards import OWN_TIME, Card, Once, Set, Use
from sim.rulesets.wh40k10.commands import Stratagem
from sim.rulesets.wh40k10.core_stratagems import CORE
from sim.rulesets.wh40k10.eligibility import is_at_its_end
from sim.rulesets.wh40k10.resources import can_pay, gain
from sim.rulesets.wh40k10.tau_stratagems import KAUYON, MONTKA

RULE = "Stratagems"
CARDS: tuple[Card, ...] = (*CORE, *KAUYON, *MONTKA)
DONE_IN = {"shooting": frozenset(("shot", "guided"))}  # markers of what was done in a phase
AGAIN_AFTER: dict[Once, Until] = {"phase": "end-of-phase", "turn": "end-of-turn", "battle": "end-of-battle"}
USED = "used "  # and the name: the marker of a unit on which a player has used a Stratagem


def in_play(battle: Battle, player: str) -> set[Set]:
    """The sets of Stratagems that a player may use: Core or Boarding Actions by option, and those of its detachment."""
    sets: set[Set] = {"boarding" if battle.option("stratagems", "core") == "boarding" else "core"}
    mine = [u for u in battle.units if u.player == player]
    names: tuple[Set, ...] = ("kauyon", "montka")
    for name in names:
        if any(abilities.has_detachment(u, name) for u in mine):
            sets.add(name)
    return sets


def named(battle: Battle, player: str, name: str) -> Card | None:
    """The Stratagem of a name, of the sets that a player may use if there are several; None without one."""
    found = [card for card in CARDS if card.name == name]
    sets = in_play(battle, player)
    return next((card for card in found if set(card.of) & sets), found[0] if found else None)


def title_of(battle: Battle, player: str, name: str) -> str:
    """What a Stratagem is called; its name where there is none."""
    card = named(battle, player, name)
    return name if card is None else card.title


# --- whether it may be used, and whether that would change anything


def why_not(battle: Battle, card: Card, moment: ReactionWindow, use: Use) -> Iterator[Violation]:
    """All that forbids a player a Stratagem at a moment, on a unit and on what it names besides."""
    unit = battle.unit(use.unit)
    for what in _wrong_time(battle, card, moment, use.player):
        yield Violation("wrong-phase", card.title, what, (unit.id,))
    reasons = (
        *_not_the_players(battle, card, use.player),
        *_too_dear(battle, card, use.player, unit),
        *_not_on(card, use.player, unit),
    )
    if not reasons:
        reasons = tuple(card.wrong(battle, moment, use))
    who = (unit.id, *(name for name in use.target.split() if battle.has_unit(name)))
    yield from (Violation("not-eligible", card.title, what, who) for what in reasons)


def _wrong_time(battle: Battle, card: Card, moment: ReactionWindow, player: str) -> Iterator[str]:
    """In words why it is not the time; a clock that is not set forbids nothing."""
    clock = battle.clock
    if moment.when not in card.when:
        yield f"{card.title} is not used at such a moment"
    if not clock.phase:
        return
    if card.phases and clock.phase not in card.phases:
        yield f"{card.title} is for the {' or '.join(p.capitalize() for p in card.phases)} phase"
    is_own = clock.player == player
    if card.turn != "either" and clock.player and is_own != (card.turn == "own"):
        whose = f"{player}'s own" if card.turn == "own" else "the opponent's"
        yield f"{card.title} is for {whose} turn; it is the turn of {clock.player}"
    if card.point == "start" and (first := _has_begun(battle)) is not None:
        yield f"{card.title} is for the start of the phase, and {first.name} has acted in it"
    if card.point != "end" and is_at_its_end(battle):
        yield f"the {clock.phase.capitalize()} phase is at its end"


def _has_begun(battle: Battle) -> Unit | None:
    """A unit that has done something in this phase, or on which a Stratagem was used that is not for its start."""
    phase = battle.clock.phase
    later = {f"{USED}{c.name}" for c in CARDS if c.point != "start" and c.once == "phase" and phase in c.phases}
    done = later | DONE_IN.get(phase, frozenset())
    return next((unit for unit in battle.units if any(m.kind in done for m in unit.markers)), None)


def _not_the_players(battle: Battle, card: Card, player: str) -> Iterator[str]:
    first, last = card.rounds
    if not set(card.of) & in_play(battle, player):
        yield f"{card.title} is not one of {player}'s Stratagems"
    if is_used(battle, player, card):
        yield f"{player} has used {card.title} in this {card.once}"
    if not first <= battle.clock.round <= last:
        yield f"{card.title} is for battle rounds {first} to {last}"


def price(battle: Battle, card: Card, unit: Unit) -> int:
    """The command points that a Stratagem costs on a unit, less what a leader of it takes off once a battle round."""
    return max(0, card.cost - once.discount(battle, unit))


def _too_dear(battle: Battle, card: Card, player: str, unit: Unit) -> Iterator[str]:
    costs = price(battle, card, unit)
    if not can_pay(battle, player, costs):
        yield f"{card.title} costs {costs} command point{'s' if costs > 1 else ''}"


def _not_on(card: Card, player: str, unit: Unit) -> Iterator[str]:
    """In words why it cannot be used on a unit, whoever else is concerned."""
    if unit.player != player:
        yield f"{unit.name} is not a unit of {player}"
    if card.place == "table" and not (unit.on_table and unit.models):
        yield f"{unit.name} is not on the table"
    if card.place == "reserves" and not (unit.whereabouts == RESERVES and unit.models):
        yield f"{unit.name} is not in reserves"
    if unit.marked("battle-shocked") and not card.on_shocked:
        yield f"{unit.name} is Battle-shocked"
    if card.keywords and not unit.has(*card.keywords):
        yield f"{unit.name} is not {' or '.join(card.keywords)}"
    if card.without and unit.has(*card.without):
        yield f"{unit.name} is {' or '.join(card.without)}"


def is_used(battle: Battle, player: str, card: Card) -> bool:
    """Whether a player may not use a Stratagem again yet."""
    kind = f"{USED}{card.name}"
    return any(u.player == player and u.marked(kind) for u in battle.units)


@lru_cache
def cards_at(when: str) -> tuple[Card, ...]:
    """The Stratagems that are used at a moment of a name."""
    return tuple(card for card in CARDS if when in card.when)


def uses(battle: Battle, card: Card, moment: ReactionWindow, player: str, only: str = "") -> Iterator[Use]:
    """Every way in which a player may use a Stratagem now so that it changes something; ``only`` on one unit."""
    if moment.when not in card.when or any(_not_the_players(battle, card, player)):
        return
    if any(_wrong_time(battle, card, moment, player)):
        return
    about = moment.subject if card.subject else only
    for unit in (battle.unit(about),) if about else battle.units:
        if any(_not_on(card, player, unit)) or any(_too_dear(battle, card, player, unit)):
            continue
        for target in card.targets(battle, moment, Use(player, unit.id)):
            use = Use(player, unit.id, target)
            if not any(card.wrong(battle, moment, use)) and card.useful(battle, moment, use):
                yield use


# --- at moments that the rules open


def reactions(battle: Battle, window: ReactionWindow, player: str) -> tuple[Reaction, ...]:
    """What a player may answer at a moment, each with the reason why it is offered."""
    return tuple(
        _reaction(battle, card, window, use)
        for card in cards_at(window.when)
        for use in uses(battle, card, window, player)
    )


def _reaction(battle: Battle, card: Card, window: ReactionWindow, use: Use) -> Reaction:
    which = use.target or ("" if card.subject else use.unit)
    return Reaction(
        name=f"{card.name}: {which}" if which else card.name,
        why=card.says(battle, window, use),
        resolve=partial(used, card=card, moment=window, use=use),
        title=card.title,
        cost=price(battle, card, battle.unit(use.unit)),
        subjects=tuple(dict.fromkeys(name for name in (use.unit, use.target, window.other) if name)),
    )


def used(battle: Battle, card: Card, moment: ReactionWindow, use: Use) -> Procedure:
    """It is paid and takes effect."""
    name = battle.unit(use.unit).name
    yield ChoiceMade(use.player, f"Stratagem on {name}", card.title, "stratagem", use.unit)
    if battle.resources:
        costs = price(battle, card, battle.unit(use.unit))
        battle = yield from once.discounted(battle, battle.unit(use.unit), card.cost - costs)
        battle = yield from gain(battle, use.player, -costs)
    battle = yield MarkerSet(use.unit, Marker(f"{USED}{card.name}", until=AGAIN_AFTER[card.once]))
    yield from card.effect(battle, moment, use, card.lasts)


# --- by a command of the player's own choosing


def judge(battle: Battle, command: Stratagem) -> Iterator[Violation]:
    """All that is wrong with using a Stratagem now."""
    unit = battle.unit(command.unit)
    card = named(battle, unit.player, command.name)
    if card is None or OWN_TIME.when not in card.when:
        known = ", ".join(c.name for c in CARDS if OWN_TIME.when in c.when)
        what = f"no Stratagem for a command is called {command.name!r}; there are {known}"
        yield Violation("not-eligible", RULE, what)
        return
    yield from why_not(battle, card, OWN_TIME, Use(unit.player, unit.id, command.target))


def resolve(battle: Battle, command: Stratagem) -> Procedure:
    """It is paid and takes effect."""
    unit = battle.unit(command.unit)
    card = named(battle, unit.player, command.name)
    assert card is not None
    yield from used(battle, card, OWN_TIME, Use(unit.player, unit.id, command.target))


def offers(battle: Battle, unit: Unit) -> Iterator[Stratagem]:
    """Stratagems that could be used on a unit by a command now."""
    for card in cards_at(OWN_TIME.when):
        for use in uses(battle, card, OWN_TIME, unit.player, unit.id):
            yield Stratagem(card.name, unit.id, use.target)
