"""Stratagems: whose phase, on whom, at which moment, for how much, how often, and that each has its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shapely.geometry import Point

from tests.referee import ground
from tests.referee.checks import fights
from tests.referee.report import Finding, check
from tests.referee.sheets import Weapon, weapon
from tests.referee.story import Entry, Step, Story
from tests.referee.table import Table, Unit

OWN, OTHER, ANY = "own", "opponent's", "any"


@dataclass(frozen=True)
class Card:
    """What a Stratagem asks for."""

    cost: int
    whose: str
    phases: tuple[str, ...]
    once: str = "phase"
    rounds: tuple[int, int] = (1, 5)
    where: str = "table"
    shocked: bool = False
    detachment: str = ""


CARDS = {
    "Command Re-roll": Card(1, ANY, ("deployment", "command", "movement", "shooting", "charge", "fight"), where="any"),
    "Insane Bravery": Card(1, OWN, ("command",), once="battle", shocked=True),
    "Fire Overwatch": Card(1, OTHER, ("movement", "charge"), once="turn"),
    "Rapid Ingress": Card(1, OTHER, ("movement",), where="reserves"),
    "Tank Shock": Card(1, OWN, ("charge",)),
    "Heroic Intervention": Card(1, OTHER, ("charge",)),
    "Counter-Offensive": Card(2, ANY, ("fight",)),
    "Grenade": Card(1, OWN, ("shooting",)),
    "Smokescreen": Card(1, OTHER, ("shooting",)),
    "Go to Ground": Card(1, OTHER, ("shooting",)),
    "Epic Challenge": Card(1, ANY, ("fight",)),
    "A Tempting Trap": Card(1, OWN, ("shooting",), rounds=(3, 5), detachment="kauyon"),
    "Coordinate to Engage": Card(1, OWN, ("shooting",), detachment="kauyon"),
    "Point-Blank Ambush": Card(1, OWN, ("shooting",), rounds=(3, 5), detachment="kauyon"),
    "Pinpoint Counter-Offensive": Card(
        1, ANY, ("command", "movement", "shooting", "charge", "fight"), where="gone", detachment="montka"
    ),
    "Aggressive Mobility": Card(1, OWN, ("movement",), detachment="montka"),
    "Focused Fire": Card(1, OWN, ("shooting",), rounds=(1, 3), detachment="montka"),
    "Pulse Onslaught": Card(2, OWN, ("shooting",), detachment="montka"),
    "Counterfire Defence Systems": Card(2, OTHER, ("shooting",), detachment="montka"),
}
RE_ROLLED = ("hit", "wound", "damage", "save", "advance", "charge", "desperate-escape", "hazardous", "attacks")
TOGETHER = ("advance", "charge", "damage")
OVERWATCH = 24.0
INTERVENES = 6.0
GRENADE = 8.0
DISCOUNT, BEACONS = "stratagem-discount", ("homing-beacon", "teleport-homer")


@dataclass(frozen=True)
class Use:
    """One use of a Stratagem: by whom, on what, and after which question."""

    entry: Entry
    step: Step
    card: str
    player: str
    unit: str
    asked: Step | None  # the question that was answered, None for one used by a command
    rest: tuple[Step, ...]  # what happens in the entry afterwards

    @property
    def table(self) -> Table:
        """The table when it was used."""
        return self.step.before

    @property
    def when(self) -> str:
        """The moment, as the record calls it."""
        return "" if self.asked is None else str(self.asked.event.get("when", ""))

    @property
    def subject(self) -> str:
        """What the moment is about."""
        return "" if self.asked is None else str(self.asked.event.get("subject", ""))


def uses(story: Story) -> Iterator[Use]:
    """Every use in the record."""
    for entry in story.entries:
        asked: Step | None = None
        for k, step in enumerate(entry.steps):
            if step.kind != "choice":
                continue
            if step.event.get("when") != "stratagem":
                asked = step
                continue
            event = step.event
            yield Use(entry, step, event["choice"], event["player"], event["subject"], asked, entry.steps[k + 1 :])


@check("stratagem's time")
def time(story: Story) -> Iterator[Finding]:
    """Every Stratagem in its phase, in its rounds, of the own sets."""
    for use in uses(story):
        card = CARDS.get(use.card)
        if card is None:
            yield use.entry.number, f"{use.player} uses {use.card}", "a Stratagem of the Core set or the detachment"
            continue
        clock = use.table.clock
        mine = clock.player == use.player
        if clock.phase not in card.phases:
            yield use.entry.number, f"{use.card} in the {clock.phase} phase", f"in {', '.join(card.phases)}"
        if (card.whose == OWN and not mine) or (card.whose == OTHER and mine):
            seen = f"{use.card} of {use.player} in the turn of {clock.player}"
            yield use.entry.number, seen, f"in the {card.whose} phase"
        if not card.rounds[0] <= clock.round <= card.rounds[1]:
            yield (
                use.entry.number,
                f"{use.card} in round {clock.round}",
                f"in rounds {card.rounds[0]} to {card.rounds[1]}",
            )
        if card.detachment:
            sworn = {u.ability("detachment") for u in story.start.units.values() if u.player == use.player}
            if card.detachment not in sworn:
                yield use.entry.number, f"{use.player} uses {use.card}", f"the detachment {card.detachment}"


@check("stratagem's cost")
def cost(story: Story) -> Iterator[Finding]:
    """Each is paid at once and in full, but for what an ability takes off."""
    for use in uses(story):
        card = CARDS.get(use.card)
        if card is None:
            continue
        following = next((s for s in use.rest if s.kind != "marker-set"), None)
        paid = 0
        if following is not None and following.kind == "score" and following.event.get("resource") == "cp":
            paid = -following.event["amount"]
        cheaper = _cheaper(use)
        if paid != card.cost and not (cheaper and paid == card.cost - 1):
            yield use.entry.number, f"{use.card} costs {paid}", f"{card.cost} command points"


def _cheaper(use: Use) -> bool:
    """Whether an ability takes a point off: of who is in the unit, or of a friend for who comes down beside it."""
    unit = use.table.units[use.unit]
    bearers = [dict(unit.abilities), *(dict(part.abilities) for part in unit.leading)]
    if any(DISCOUNT in abilities for abilities in bearers):
        return True
    friends = [*use.table.friends(use.player), unit]
    return use.card == "Rapid Ingress" and any(f.ability(token) is not None for f in friends for token in BEACONS)


@check("stratagem used again")
def again(story: Story) -> Iterator[Finding]:
    """Once a phase by a player, or once a turn, or once a battle."""
    done: set[tuple[str, str, object]] = set()
    for use in uses(story):
        card = CARDS.get(use.card)
        if card is None:
            continue
        span: object = {"phase": use.table.phase, "turn": ("turn", use.table.turn)}.get(card.once, "battle")
        key = (use.player, use.card, span)
        if key in done:
            yield use.entry.number, f"{use.player} uses {use.card} again", f"once a {card.once}"
        done.add(key)


@check("stratagem's unit")
def target(story: Story) -> Iterator[Finding]:
    """On an own unit that is there, is not Battle-shocked and not aboard anything."""
    for use in uses(story):
        card = CARDS.get(use.card)
        unit = use.table.units.get(use.unit)
        if card is None or unit is None:
            continue
        if unit.player != use.player:
            yield use.entry.number, f"{use.card} of {use.player} on {unit.id} of {unit.player}", "an own unit"
        if unit.marked("battle-shocked") and not card.shocked:
            yield use.entry.number, f"{use.card} on {unit.id}, which is Battle-shocked", "no Stratagem on it"
        fine = {
            "table": unit.on_table,
            "reserves": unit.where == "reserves",
            "gone": True,
            "any": unit.on_table or not unit.models or unit.where.startswith("embarked:"),
        }[card.where]
        if not fine:
            yield use.entry.number, f"{use.card} on {unit.id}, which is {unit.where}", f"a unit on the {card.where}"


# --- one after another


Rule = Callable[[Story, Use], Iterator[tuple[str, str]]]
RULES: dict[str, Rule] = {}


def rule(card: str) -> Callable[[Rule], Rule]:
    """The rule of one card."""

    def add(function: Rule) -> Rule:
        RULES[card] = function
        return function

    return add


@check("stratagem's rule")
def own_rules(story: Story) -> Iterator[Finding]:
    """What each asks for besides, and that it has its effect."""
    for use in uses(story):
        for seen, right in RULES.get(use.card, _nothing)(story, use):
            yield use.entry.number, f"{use.card}: {seen}", right


def _nothing(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    yield from ()


@rule("Command Re-roll")
def re_roll(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """Of a roll that may be rolled again, of the unit that made it; all dice of a sum, else one."""
    before = [s for s in use.entry.steps[: use.step.place] if s.kind == "dice"]
    after = [s for s in use.rest if s.kind == "dice"]
    if not before:
        yield "no roll before it", "just after a roll"
        return
    roll = before[-1]
    if roll.about.get("kind") not in RE_ROLLED:
        yield f"of a {roll.about.get('kind')} roll", f"of {', '.join(RE_ROLLED)}"
    if roll.about.get("unit") != use.unit and not _passenger(use, roll):
        yield f"on {use.unit} for a roll of {roll.about.get('unit')}", "on the unit that rolled"
    if not after or not after[0].about.get("again"):
        yield "nothing is rolled again", "that roll"
        return
    thrown = len(after[0].event["faces"])
    due = len(roll.event["faces"]) if roll.about.get("kind") in TOGETHER else 1
    several = roll.about.get("kind") == "attacks" and thrown <= len(roll.event["faces"])
    if thrown != due and not several:
        yield f"{thrown} dice again", f"{due}"


def _passenger(use: Use, roll: Step) -> bool:
    return use.table.units[use.unit].where == f"embarked:{roll.about.get('unit')}"


@rule("Insane Bravery")
def brave(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """For a test that is due, before it is rolled."""
    if any(s.rolls("battle-shock") and s.about["unit"] == use.unit for s in use.rest):
        yield f"{use.unit} tests all the same", "the test is passed"
    if use.table.clock.step != "battle-shock":
        yield f"in {use.table.clock.step}", "in the Battle-shock step"


@rule("Fire Overwatch")
def overwatch(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """At an enemy within 24", by who could shoot in its own phase, and something is fired, at that enemy alone."""
    unit, enemy = use.table.units[use.unit], use.table.units.get(use.subject)
    if enemy is None or enemy.player == use.player or not enemy.on_table:
        yield f"at {use.subject}", "at an enemy unit that is set up, moves or charges"
        return
    far = ground.units_apart(unit, enemy)
    if far > OVERWATCH + ground.SLACK:
        yield f'{enemy.id} is {far:.3f}" away', f'within {OVERWATCH:g}"'
    engaged = ground.engaged_with(use.table, unit, -ground.SLACK)
    if engaged:
        yield f"{unit.id} is engaged with {engaged[0].id}", "who would be eligible to shoot"
    if unit.has("TITANIC"):
        yield f"{unit.id} is TITANIC", "no TITANIC unit"
    shots = [s for s in use.rest if s.rolls("attacks", "hit", "wound") and s.about["unit"] == unit.id]
    if not shots:
        yield f"{unit.id} fires nothing at {enemy.id}", "no Stratagem without effect"
    for s in shots:
        if s.about["against"] != enemy.id:
            yield f"{unit.id} fires at {s.about['against']}", f"at {enemy.id} alone"
        if s.rolls("hit") and s.about["needs"] != 6:
            yield f"hits on {s.about['needs']}+", "an unmodified 6"
        for far, arm in _ranges(use, unit, enemy, s):
            if far > arm.range + ground.SLACK:
                yield f'{arm.name} fires {far:.3f}"', f'within {arm.range:g}"'
        if any(use.table.unit_of(name) is not unit for name in s.about["bearers"]):
            yield f"{', '.join(s.about['bearers'])} fire from aboard", "Firing Deck works in the own Shooting phase"


def _ranges(use: Use, unit: Unit, enemy: Unit, step: Step) -> Iterator[tuple[float, Weapon]]:
    """How far each weapon of a volley fires."""
    for name in step.about["bearers"]:
        model = unit.model(name)
        arm = weapon(unit, model, step.about["weapon"], step.about.get("profile", "")) if model is not None else None
        if model is not None and arm is not None:
            yield min(ground.straight(model, foe) for foe in ground.standing(enemy)), arm


@rule("Rapid Ingress")
def ingress(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """At the end of the phase: nothing else of the phase comes after it."""
    if not any(s.kind == "placed" and s.event["unit"] == use.unit for s in use.rest):
        yield f"{use.unit} does not arrive", "it arrives"
    number = use.entry.number
    for entry in story.entries[number:]:
        if entry.before.phase != use.table.phase:
            break
        if entry.type not in ("end-step", "rapid-ingress"):
            yield f"then {entry.type} with {entry.unit}", "the end of the phase"
    if use.table.clock.step != "reinforcements":
        yield f"in {use.table.clock.step}", "at the end of the phase"


@rule("Tank Shock")
def shock(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """By a Vehicle that has just ended a Charge move in its own turn."""
    unit = use.table.units[use.unit]
    moved = [s for s in use.entry.steps[: use.step.place] if s.kind == "moved"]
    if not unit.has("VEHICLE"):
        yield f"{unit.id} is no Vehicle", "a Vehicle"
    if not moved or moved[-1].event["unit"] != use.unit:
        yield f"{unit.id} has not just charged", "just after its Charge move"
    if not any(s.rolls("tank-shock") for s in use.rest):
        yield "nothing is rolled", "dice as many as its Toughness"


@rule("Heroic Intervention")
def intervention(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """At who has charged within six inches, by who could charge it."""
    unit, enemy = use.table.units[use.unit], use.table.units.get(use.subject)
    if enemy is None or enemy.player != use.table.clock.player:
        yield f"after the move of {use.subject}", "after the Charge move of an enemy in its turn"
        return
    far = ground.units_apart(unit, enemy)
    if far > INTERVENES + ground.SLACK:
        yield f'{enemy.id} is {far:.3f}" away', f'within {INTERVENES:g}"'
    if unit.has("VEHICLE") and not unit.has("WALKER"):
        yield f"{unit.id} is a Vehicle", "no Vehicle but Walkers"
    if ground.engaged_with(use.table, unit, -ground.SLACK):
        yield f"{unit.id} is engaged", "who could declare a charge"
    if unit.models and not any(s.rolls("charge") and s.about["unit"] == use.unit for s in use.rest):
        yield "no Charge roll", "two dice"


@rule("Counter-Offensive")
def counter(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """After an enemy has fought, by who is engaged and has not fought; it fights next."""
    unit = use.table.units[use.unit]
    yield from _just_fought(story, use)
    if not ground.engaged_with(use.table, unit):
        yield f"{unit.id} is engaged with nobody", "within Engagement Range of an enemy"
    for entry in story.entries[: use.entry.number]:
        if entry.before.phase == use.table.phase and entry.type == "fight" and entry.unit == use.unit:
            yield f"{unit.id} has fought", "not selected to fight yet"
    waiting = [e for e in story.entries[use.entry.number :] if e.before.phase == use.table.phase]
    acts = [use.entry] if fights.selects(use.entry) and use.entry.unit == use.unit else []
    following = next((e.unit for e in (*acts, *waiting) if e.type in ("pile-in", "fight")), "")
    alive = next((e.after.units[use.unit].on_table for e in waiting), False)
    if alive and following != use.unit:
        yield f"{following or 'nobody'} fights next", f"{use.unit} fights next"


def _just_fought(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """The last unit that fought is an enemy; it has consolidated, or somebody goes on, or nobody of it is left."""
    done = [e for e in story.entries[: use.entry.number] if e.before.phase == use.table.phase]
    falls = use.entry.type == "fight" and not use.table.units[use.entry.unit].on_table
    if use.entry.type != "consolidate" and not falls:
        done = done[:-1]
    fought = next((e.unit for e in reversed(done) if e.type == "fight" and fights.selects(e)), "")
    if not fought or use.table.units[fought].player == use.player:
        yield f"after {fought or 'nobody'} has fought", "just after an enemy unit has fought"
        return
    for entry in story.entries[use.entry.number :]:
        if entry.before.phase != use.table.phase or fights.selects(entry):
            return
        if entry.type == "consolidate" and entry.unit == fought:
            yield f"before {fought} consolidates", "just after an enemy unit has fought"


@rule("Grenade")
def grenade(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """By a Grenades unit that has not shot, at an unengaged enemy within eight inches; six dice."""
    unit = use.table.units[use.unit]
    if not unit.has("GRENADES"):
        yield f"{unit.id} has no Grenades", "a GRENADES unit"
    yield from _fresh(story, use)
    if unit.marked("advanced") or unit.marked("fell-back"):
        yield f"{unit.id} Advanced or Fell Back", "neither"
    if ground.engaged_with(use.table, unit, -ground.SLACK):
        yield f"{unit.id} is engaged", "out of Engagement Range"
    rolls = [s for s in use.rest if s.kind == "dice" and s.about.get("kind", "grenade") == "grenade"]
    if not rolls or len(rolls[0].event["faces"]) != 6:
        yield "not six dice", "six dice"
        return
    enemy = use.table.units.get(rolls[0].about.get("against", "") or str(use.entry.command.get("target", "")))
    if enemy is None or enemy.player == use.player:
        yield "at no enemy", "at an enemy unit"
        return
    if ground.units_apart(unit, enemy) > GRENADE + ground.SLACK:
        yield f'at {enemy.id}, {ground.units_apart(unit, enemy):.3f}" away', f'within {GRENADE:g}"'
    if ground.engaged_with(use.table, enemy, -ground.SLACK):
        yield f"at {enemy.id}, which is engaged", "at who is not engaged with the own side"


def _fresh(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """Not selected to shoot in this phase."""
    for entry in story.entries[: use.entry.number - 1]:
        if entry.before.phase == use.table.phase and entry.type == "shoot" and entry.unit == use.unit:
            yield f"{use.unit} has shot", "not selected to shoot yet"


@rule("Smokescreen")
def smoke(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On a Smoke unit that has been targeted."""
    if not use.table.units[use.unit].has("SMOKE"):
        yield f"{use.unit} has no Smoke", "a SMOKE unit"
    yield from _targeted(use)


@rule("Go to Ground")
def to_ground(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On an Infantry unit that has been targeted."""
    if not use.table.units[use.unit].has("INFANTRY"):
        yield f"{use.unit} is no Infantry", "an INFANTRY unit"
    yield from _targeted(use)


@rule("Counterfire Defence Systems")
def counterfire(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On a unit that has been targeted."""
    yield from _targeted(use)


def _targeted(use: Use) -> Iterator[tuple[str, str]]:
    targets = {attack["target"] for attack in use.entry.command.get("attacks", ())}
    if use.entry.type != "shoot" or use.unit not in targets:
        yield f"on {use.unit} when {', '.join(sorted(targets)) or 'nobody'} is targeted", "on a unit that is targeted"
    if any(s.kind == "dice" for s in use.entry.steps[: use.step.place]):
        yield "after dice have fallen", "just after the targets are selected"


@rule("Epic Challenge")
def challenge(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """By a Character's unit engaged with an Attached unit."""
    unit = use.table.units[use.unit]
    if not unit.has("CHARACTER"):
        yield f"{unit.id} has no Character", "a CHARACTER unit"
    if not any(enemy.leading and enemy.own for enemy in ground.engaged_with(use.table, unit)):
        yield f"{unit.id} is engaged with no Attached unit", "with an Attached unit"


@rule("A Tempting Trap")
def trap(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On who has not shot, with a marker out of the enemy's zone."""
    yield from _fresh(story, use)
    marker = next((s.event["marker"].get("subject", "") for s in use.rest if s.sets("tempting-trap")), "")
    for objective in use.table.field.get("objectives", ()):
        if objective["id"] == marker:
            zones = ground.zones_of(use.table, [p for p in use.table.players if p != use.player])
            if zones.contains(Point(objective["at"])):
                yield f"{marker} lies in the enemy's zone", "a marker out of it"


@rule("Point-Blank Ambush")
def ambush(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On who has not shot."""
    yield from _fresh(story, use)


@rule("Coordinate to Engage")
def coordinate(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On who has just been made an Observer."""
    if use.entry.type != "guide" or use.entry.command.get("observer") != use.unit:
        yield f"on {use.unit}", "on the Observer that has just been selected"


@rule("Focused Fire")
def focused(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """At the start of the phase, on two units that have not shot, are there and are not Battle-shocked."""
    names = {use.unit, *(s.event["unit"] for s in use.rest if s.sets("focused-fire"))}
    if len(names) != 2:
        yield f"on {', '.join(sorted(names))}", "on two units"
    for name in names:
        unit = use.table.units[name]
        if not unit.on_table or unit.marked("battle-shocked") or unit.player != use.player:
            yield f"on {name}", "own units on the table, not Battle-shocked"
    for entry in story.entries[: use.entry.number - 1]:
        if entry.before.phase == use.table.phase and entry.type in ("shoot", "guide"):
            yield f"after {entry.type} of {entry.unit}", "at the start of the phase"


@rule("Aggressive Mobility")
def mobility(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On who has not been selected to move."""
    for entry in story.entries[: use.entry.number - 1]:
        walked = entry.type in ("normal-move", "advance", "fall-back") and entry.unit == use.unit
        if walked and entry.before.phase == use.table.phase:
            yield f"{use.unit} has moved", "not selected to move yet"


@rule("Pulse Onslaught")
def onslaught(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """By Infantry that has just shot, no Kroot; on an enemy that it has hit, no Monster and no Vehicle."""
    unit = use.table.units[use.unit]
    if not unit.has("INFANTRY") or unit.has("KROOT"):
        yield f"by {unit.id}", "by INFANTRY, no KROOT"
    if use.entry.type != "shoot" or use.entry.unit != use.unit:
        yield f"after {use.entry.type} of {use.entry.unit}", "by who has just shot"
    shaken = [s.event["unit"] for s in use.rest if s.sets("shaken")]
    if not shaken:
        yield "nobody is shaken", "an enemy unit that was hit"
    for name in shaken:
        enemy = use.table.units[name]
        hit = any(s.sets("hit") and s.event["unit"] == name for s in use.entry.steps)
        if enemy.player == use.player or enemy.has("MONSTER", "VEHICLE") or not hit:
            yield f"on {name}", "an enemy unit that was hit, no MONSTER, no VEHICLE"


@rule("Pinpoint Counter-Offensive")
def pinpoint(story: Story, use: Use) -> Iterator[tuple[str, str]]:
    """On who has just been destroyed, no Kroot, by an enemy."""
    unit = use.table.units[use.unit]
    gone = [s for s in use.entry.steps[: use.step.place] if s.kind == "removed" and s.event["unit"] == use.unit]
    if not gone:
        yield f"{use.unit} has not been destroyed", "just after it was destroyed"
    elif gone[-1].before.units[use.unit].marked("battle-shocked"):
        yield f"{use.unit} was Battle-shocked", "no Stratagem on it"
    if "KROOT" in unit.keywords:
        yield f"{use.unit} is KROOT", "no KROOT"
    for step in use.rest:
        if step.sets("pinpoint") and step.after.units[step.event["unit"]].player == use.player:
            yield f"at {step.event['unit']}", "at the enemy unit that destroyed it"
