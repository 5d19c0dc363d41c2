"""Stratagems: what each costs, when it may be used, on whom, and what it does.

Those of a player's own choosing are commands; the others are offered in a reaction window, with the reason. A Stratagem
is used once a phase by a player, on no Battle-shocked unit, and paid when it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from shapely import Point, Polygon

from sim.battle import Battle, ChoiceMade, Marker, MarkerSet, RollAbout, Unit
from sim.geometry import PlacedSet, within
from sim.geometry.distance import straight_gaps
from sim.rules import NeedChoice, NeedRoll, Procedure, Reaction, ReactionWindow, Violation
from sim.rulesets.wh40k10 import (
    abilities,
    charging,
    command_phase,
    engagement,
    fighting,
    guided,
    losses,
    noticing,
    planning,
    rolls,
    shooting,
    striking,
    visibility,
)
from sim.rulesets.wh40k10.commands import Stratagem
from sim.rulesets.wh40k10.datasheets import arms_of
from sim.rulesets.wh40k10.resources import can_pay, gain

RULE = "Stratagems"
OVERWATCH_REACH = 24.0  # in inches; Fire Overwatch; a reaction, which no case can ask for
INTERVENTION_REACH = 6.0  # in inches; Heroic Intervention; a reaction, which no case can ask for
SHOCK_ON = 5  # the face that costs a mortal wound; Tank Shock
MOST_SHOCK = 6  # mortal wounds; Tank Shock
SHAKEN_BY = 2  # of inches and pips; Pulse Onslaught
Set = Literal["core", "boarding", "kauyon", "montka"]


@dataclass(frozen=True)
class Card:
    """A Stratagem: its cost, its set, and whether it is used by command."""

    name: str
    title: str
    cost: int
    of: tuple[Set, ...]
    by_command: bool = False
    once: Literal["phase", "turn", "battle"] = "phase"


CARDS = {
    card.name: card
    for card in (
        Card("command-re-roll", "Command Re-roll", 1, ("core", "boarding")),
        Card("insane-bravery", "Insane Bravery", 1, ("core", "boarding"), once="battle"),
        Card(shooting.CLEARANCE, "Explosive Clearance", 1, ("boarding",), by_command=True),
        Card("counter-offensive", "Counter-Offensive", 2, ("core", "boarding")),
        Card("fire-overwatch", "Fire Overwatch", 1, ("core",), once="turn"),
        Card("rapid-ingress", "Rapid Ingress", 1, ("core",)),
        Card("tank-shock", "Tank Shock", 1, ("core",)),
        Card("heroic-intervention", "Heroic Intervention", 1, ("core",)),
        Card("tempting-trap", "A Tempting Trap", 1, ("kauyon",), by_command=True),
        Card("coordinate-to-engage", "Coordinate to Engage", 1, ("kauyon",)),
        Card("point-blank-ambush", "Point-Blank Ambush", 1, ("kauyon",), by_command=True),
        Card("pinpoint-counter-offensive", "Pinpoint Counter-Offensive", 1, ("montka",)),
        Card("aggressive-mobility", "Aggressive Mobility", 1, ("montka",), by_command=True),
        Card("focused-fire", "Focused Fire", 1, ("montka",), by_command=True),
        Card("pulse-onslaught", "Pulse Onslaught", 2, ("montka",)),
        Card("counterfire", "Counterfire Defence Systems", 2, ("montka",)),
    )
}


def usable(battle: Battle, player: str, unit: Unit, name: str, shocked: bool = False) -> Iterator[Violation]:
    """Why a player cannot use a Stratagem on a unit at all: its set, its cost, once only, Battle-shocked."""
    card = CARDS[name]
    reason = None
    sets = in_play(battle, player)
    if not set(card.of) & sets:
        reason = f"{card.title} is none of the Stratagems of {player}"
    elif not can_pay(battle, player, card.cost):
        reason = f"{card.title} costs {card.cost} command points"
    elif unit.marked("battle-shocked") and not shocked:
        reason = f"{unit.name} is Battle-shocked"
    elif _used(battle, player, card):
        reason = f"{player} has used {card.title} in this {card.once}"
    if reason is not None:
        yield Violation("not-eligible", card.title, reason, (unit.id,))


def in_play(battle: Battle, player: str) -> set[Set]:
    """The sets of Stratagems that a player may use: Core or Boarding Actions by option, and those of its detachment."""
    sets: set[Set] = {"boarding" if battle.option("stratagems", "core") == "boarding" else "core"}
    mine = [u for u in battle.units if u.player == player]
    names: tuple[Set, ...] = ("kauyon", "montka")
    for name in names:
        if any(abilities.has_detachment(u, name) for u in mine):
            sets.add(name)
    return sets


def _used(battle: Battle, player: str, card: Card) -> bool:
    kind = f"used {card.name}"
    return any(u.player == player and u.marked(kind) for u in battle.units)


def pay(battle: Battle, player: str, unit_id: str, name: str) -> Procedure:
    """The points are spent, and it is remembered for as long as it may not be used again."""
    card = CARDS[name]
    lasts: dict[str, command_phase.Until] = {
        "phase": "end-of-phase",
        "turn": "end-of-turn",
        "battle": "end-of-battle",
    }
    until = lasts[card.once]
    yield ChoiceMade(player, f"Stratagem on {battle.unit(unit_id).name}", card.title, "stratagem", unit_id)
    if battle.resources:
        yield from gain(battle, player, -card.cost)
    yield MarkerSet(unit_id, Marker(f"used {name}", until=until))


# --- by command


def judge(battle: Battle, command: Stratagem) -> Iterator[Violation]:
    """All that is wrong with using a Stratagem now."""
    card = CARDS.get(command.name)
    if card is None or not card.by_command:
        known = ", ".join(c.name for c in CARDS.values() if c.by_command)
        what = f"no Stratagem for a command is called {command.name!r}; there are {known}"
        yield Violation("not-eligible", RULE, what)
        return
    unit = battle.unit(command.unit)
    clock = battle.clock
    yield from usable(battle, unit.player, unit, card.name)
    phase = "movement" if card.name == "aggressive-mobility" else "shooting"
    if clock.phase and (clock.phase != phase or clock.player != unit.player):
        what = f"{card.title} is for the own {phase} phase of {unit.player}"
        yield Violation("wrong-phase", card.title, what, (unit.id,))
    done = "moved" if phase == "movement" else "shot"
    if unit.marked(done):
        yield Violation("not-eligible", card.title, f"{unit.name} has been selected already", (unit.id,))
    yield from _fitting(battle, command, unit, card)


def _fitting(battle: Battle, command: Stratagem, unit: Unit, card: Card) -> Iterator[Violation]:
    early, late = battle.clock.round < 3, battle.clock.round > 3
    reason = None
    match card.name:
        case "tempting-trap":
            marker = _trap(battle, unit.player)
            objectives = {o.id for o in battle.battlefield.objectives}
            if early:
                reason = "it cannot be used in the first two battle rounds"
            elif marker is None and command.target not in objectives:
                reason = f"it needs an objective marker: {', '.join(sorted(objectives))}"
            elif marker is None and _in_enemy_zone(battle, unit.player, command.target):
                reason = f"{command.target} is in the opponent's deployment zone"
        case "point-blank-ambush" if early:
            reason = "it cannot be used in the first two battle rounds"
        case "focused-fire":
            names = command.target.split()
            if late:
                reason = "it cannot be used in the fourth or fifth battle round"
            elif any(u.marked("shot") for u in battle.units if u.player == unit.player):
                reason = "it is for the start of the Shooting phase"
            elif len(names) != 2 or not all(battle.has_unit(n) for n in names):
                reason = "it needs a second unit and an enemy unit as its target"
            elif battle.unit(names[0]).player != unit.player or battle.unit(names[1]).player == unit.player:
                reason = "it needs a second unit of the same army and an enemy unit"
            elif names[0] == unit.id:
                reason = "it needs two units"
        case shooting.CLEARANCE:
            bearers = _with_blast(unit)
            if not bearers:
                reason = f"{unit.name} has no Blast weapon"
            elif command.target not in ("" if len(bearers) == 1 else bearers[0], *bearers):
                reason = f"it needs a model with a Blast weapon: {', '.join(bearers)}"
        case _:
            pass
    if reason is not None:
        yield Violation("not-eligible", card.title, reason, (unit.id,))


def resolve(battle: Battle, command: Stratagem) -> Procedure:
    """It is paid and takes effect."""
    unit = battle.unit(command.unit)
    yield from pay(battle, unit.player, unit.id, command.name)
    end: Literal["end-of-phase"] = "end-of-phase"
    match command.name:
        case "tempting-trap":
            trap = _trap(battle, unit.player)
            place = trap.subject if trap is not None else command.target
            if trap is None:
                yield MarkerSet(unit.id, Marker("trap-objective", place))
            yield MarkerSet(unit.id, Marker("tempting-trap", place, until=end))
        case "focused-fire":
            second, enemy = command.target.split()
            yield MarkerSet(unit.id, Marker("focused-fire", enemy, until=end))
            yield MarkerSet(second, Marker("focused-fire", enemy, until=end))
        case shooting.CLEARANCE:
            yield MarkerSet(unit.id, Marker(command.name, command.target or _with_blast(unit)[0], until=end))
        case _:
            yield MarkerSet(unit.id, Marker(command.name, until=end))


def offers(battle: Battle, unit: Unit) -> Iterator[Stratagem]:
    """Stratagems that could be used on a unit by a command now."""
    sets = in_play(battle, unit.player)
    cards = [c for c in CARDS.values() if c.by_command and set(c.of) & sets and can_pay(battle, unit.player, c.cost)]
    if not cards or unit.marked("battle-shocked"):
        return
    foes = [u.id for u in battle.units if u.player != unit.player and u.on_table and u.models]
    friends = [u.id for u in battle.units if u.player == unit.player and u.on_table and u.id != unit.id]
    for card in cards:
        name = card.name
        targets = [""]
        if name == "tempting-trap":
            targets = ["", *(o.id for o in battle.battlefield.objectives)]
        elif name == shooting.CLEARANCE:
            targets = _with_blast(unit)
        elif name == "focused-fire":
            targets = [f"{friend} {foe}" for friend in friends for foe in foes]
        for target in targets:
            command = Stratagem(name, unit.id, target)
            if not any(judge(battle, command)):
                yield command


def _with_blast(unit: Unit) -> list[str]:
    return [m.id for m in unit.models if any(w.has("blast") for w in arms_of(unit, m))]


def _trap(battle: Battle, player: str) -> Marker | None:
    found = [abilities.marker(u, "trap-objective") for u in battle.units if u.player == player]
    return next((m for m in found if m is not None), None)


def _in_enemy_zone(battle: Battle, player: str, objective: str) -> bool:
    at = next(o.at for o in battle.battlefield.objectives if o.id == objective)
    zones = [z for z in battle.battlefield.zones if z.player and z.player != player]
    return any(Polygon(z.outline).covers(Point(at)) for z in zones)


# --- in reaction windows


def reactions(battle: Battle, window: ReactionWindow, player: str) -> tuple[Reaction, ...]:
    """What a player may answer at a moment, each with the reason why it is offered."""
    return tuple(_reactions(battle, window, player))


def _reactions(battle: Battle, window: ReactionWindow, player: str) -> Iterator[Reaction]:
    subject = window.subject
    match window.when:
        case rolls.AFTER_ROLL:
            name, _, rest = subject.partition(":")
            if not any(usable(battle, player, battle.unit(name), "command-re-roll")):
                yield _simple("command-re-roll", f"{rest.strip()}", player, name, rolls.RE_ROLL_MARKER)
        case command_phase.BEFORE_SHOCK | command_phase.SHOCK_FAILED:
            boarding = "boarding" in in_play(battle, player)
            if boarding is (window.when == command_phase.SHOCK_FAILED):
                unit = battle.unit(subject)
                if not any(usable(battle, player, unit, "insane-bravery", shocked=True)):
                    yield _simple("insane-bravery", f"Battle-shock of {unit.name}", player, subject, "insane-bravery")
        case noticing.STARTS | noticing.ENDS | noticing.SET_UP | charging.CHARGE_DECLARED:
            yield from _overwatch(battle, subject, player)
        case charging.CHARGE_ENDED:
            yield from _after_charge(battle, subject, player)
        case striking.HAS_FOUGHT:
            for unit in battle.units:
                waits = unit.player == player and fighting.eligible_in_phase(battle, unit)
                if waits and not any(usable(battle, player, unit, "counter-offensive")):
                    why = f"{unit.name} is engaged and has not fought"
                    yield _on("counter-offensive", why, player, unit, "fights-next")
        case shooting.TARGETS_CHOSEN:
            name = subject.split(" by ")[0]
            unit = battle.unit(name)
            if not any(usable(battle, player, unit, "counterfire")):
                yield _simple("counterfire", f"{unit.name} is shot at", player, name, "counterfire")
        case guided.OBSERVER_CHOSEN:
            unit = battle.unit(subject)
            if not any(usable(battle, player, unit, "coordinate-to-engage")):
                why = f"{unit.name} is an Observer"
                yield _simple("coordinate-to-engage", why, player, subject, "coordinate-to-engage")
        case shooting.HAS_SHOT:
            yield from _onslaught(battle, subject, player)
        case losses.UNIT_DESTROYED:
            name, killer = subject.split(" by ")
            unit = battle.unit(name)
            if not unit.has("KROOT") and not any(usable(battle, player, unit, "pinpoint-counter-offensive", True)):
                why = f"{battle.unit(killer).name} has destroyed {unit.name}"
                yield Reaction(
                    "pinpoint-counter-offensive", why, partial(_pinpoint, player=player, unit=name, killer=killer)
                )
        case _:
            return


def _simple(name: str, why: str, player: str, unit: str, marker: str) -> Reaction:
    return Reaction(name, why, partial(_marked, player=player, unit=unit, name=name, kind=marker))


def _on(name: str, why: str, player: str, unit: Unit, marker: str) -> Reaction:
    resolve_it = partial(_marked, player=player, unit=unit.id, name=name, kind=marker)
    return Reaction(f"{name}: {unit.id}", why, resolve_it)


def _marked(battle: Battle, player: str, unit: str, name: str, kind: str) -> Procedure:
    yield from pay(battle, player, unit, name)
    yield MarkerSet(unit, Marker(kind, until="end-of-phase"))


def _pinpoint(battle: Battle, player: str, unit: str, killer: str) -> Procedure:
    yield from pay(battle, player, unit, "pinpoint-counter-offensive")
    yield MarkerSet(killer, Marker("pinpoint", player))


def _overwatch(battle: Battle, subject: str, player: str) -> Iterator[Reaction]:
    """Units that see the enemy within the Stratagem's range, by the straight line, up and down included."""
    enemy = battle.unit(subject)
    if not enemy.on_table or not enemy.models:
        return
    theirs = PlacedSet.of(m.placed for m in enemy.models)
    for unit in shooting.on_table(battle, player):
        if unit.has("TITANIC") or any(usable(battle, player, unit, "fire-overwatch")):
            continue
        near = straight_gaps(PlacedSet.of(m.placed for m in unit.models), theirs)
        if not within(float(near.min()), OVERWATCH_REACH) or not shooting.eligible(battle, unit):
            continue
        if not visibility.unit_visible(battle, unit, enemy):
            continue
        why = f'{enemy.name} is in sight within {OVERWATCH_REACH:g}" of {unit.name}'
        yield Reaction(f"fire-overwatch: {unit.id}", why, partial(_fire, player=player, unit=unit.id, enemy=enemy.id))


def _fire(battle: Battle, player: str, unit: str, enemy: str) -> Procedure:
    yield from pay(battle, player, unit, "fire-overwatch")
    shots = planning.shots(battle, battle.unit(unit), (enemy,))
    if shots is not None:
        yield from shooting.fire(battle, unit, shots.attacks, overwatch=True)


def _after_charge(battle: Battle, subject: str, player: str) -> Iterator[Reaction]:
    """What a Charge move opens; the range of an intervention is the straight line, up and down included."""
    charger = battle.unit(subject)
    if not charger.models:
        return
    if player == charger.player:
        engaged = engagement.engaged_with(battle, charger)
        if charger.has("VEHICLE") and engaged and not any(usable(battle, player, charger, "tank-shock")):
            why = f"{charger.name} has charged"
            yield Reaction("tank-shock", why, partial(_tank_shock, player=player, unit=subject))
        return
    theirs = PlacedSet.of(m.placed for m in charger.models)
    for unit in shooting.on_table(battle, player):
        if unit.has("VEHICLE") and not unit.has("WALKER"):
            continue
        if any(usable(battle, player, unit, "heroic-intervention")) or any(charging.why_not(battle, unit)):
            continue
        near = straight_gaps(PlacedSet.of(m.placed for m in unit.models), theirs)
        if within(float(near.min()), INTERVENTION_REACH):
            why = f'{charger.name} has charged within {INTERVENTION_REACH:g}" of {unit.name}'
            resolve_it = partial(_intervene, player=player, unit=unit.id, enemy=subject)
            yield Reaction(f"heroic-intervention: {unit.id}", why, resolve_it)


def _tank_shock(battle: Battle, player: str, unit: str) -> Procedure:
    yield from pay(battle, player, unit, "tank-shock")
    charger = battle.unit(unit)
    engaged = engagement.engaged_with(battle, charger)
    enemy = engaged[0]
    if len(engaged) > 1:
        enemy = yield NeedChoice(player, f"Tank Shock of {charger.name}: which enemy", engaged)
    toughness = int(charger.value("T") or 1)
    told = RollAbout("tank-shock", unit, enemy, needs=SHOCK_ON)
    faces = yield NeedRoll(toughness, 6, f"Tank Shock of {charger.name} on {SHOCK_ON}+", player, about=told)
    wounds = min(MOST_SHOCK, sum(face >= SHOCK_ON for face in faces))
    yield from losses.mortal_wounds(battle, enemy, wounds, unit)


def _intervene(battle: Battle, player: str, unit: str, enemy: str) -> Procedure:
    """The charge is declared, rolled, and moved at once, as far as it reaches."""
    yield from pay(battle, player, unit, "heroic-intervention")
    battle = yield MarkerSet(unit, Marker("heroic-intervention", enemy, until="end-of-phase"))
    battle = yield from charging.declared(battle, unit, (enemy,))
    for move in planning.charge_moves(battle, battle.unit(unit)):
        if not any(charging.judge_move(battle, move)):
            yield from charging.resolve_move(battle, move)
            return


def _onslaught(battle: Battle, subject: str, player: str) -> Iterator[Reaction]:
    unit = battle.unit(subject)
    if not unit.has("INFANTRY") or unit.has("KROOT"):
        return
    if any(usable(battle, player, unit, "pulse-onslaught")):
        return
    for enemy in battle.units:
        struck = any(m.kind == "hit" and m.subject == subject for m in enemy.markers)
        if enemy.models and struck and not enemy.has("MONSTER", "VEHICLE"):
            why = f"{unit.name} has hit {enemy.name}"
            resolve_it = partial(_shake, player=player, unit=subject, enemy=enemy.id)
            yield Reaction(f"pulse-onslaught: {enemy.id}", why, resolve_it)


def _shake(battle: Battle, player: str, unit: str, enemy: str) -> Procedure:
    yield from pay(battle, player, unit, "pulse-onslaught")
    yield MarkerSet(enemy, Marker("shaken", player, SHAKEN_BY, until="next-command-phase"))
