"""Whose phase an act belongs to, that nobody acts who is not there, and that nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator

from tests.referee.checks import fights
from tests.referee.report import Finding, check
from tests.referee.story import Entry, Story
from tests.referee.table import Table, Unit

OWN, ANY, OTHER = "own", "any", "other"
WHEN = {
    "deploy": (OWN, "deployment", ("deploy-armies",)),
    "infiltrate": (OWN, "deployment", ("deploy-armies",)),
    "scout-move": (OWN, "deployment", ("scouts",)),
    "normal-move": (OWN, "movement", ("move-units",)),
    "advance": (OWN, "movement", ("move-units",)),
    "fall-back": (OWN, "movement", ("move-units",)),
    "embark": (OWN, "movement", ("move-units",)),
    "disembark": (OWN, "movement", ("move-units", "reinforcements")),
    "deep-strike": (OWN, "movement", ("reinforcements",)),
    "strategic-reserves": (OWN, "movement", ("reinforcements",)),
    "rapid-ingress": (OTHER, "movement", ("reinforcements",)),
    "guide": (OWN, "shooting", ("shoot",)),
    "shoot": (OWN, "shooting", ("shoot",)),
    "charge": (OWN, "charge", ("charge",)),
    "charge-move": (OWN, "charge", ("charge",)),
    "pile-in": (ANY, "fight", ("fights-first", "remaining-combats")),
    "fight": (ANY, "fight", ("fights-first", "remaining-combats")),
    "consolidate": (ANY, "fight", ("fights-first", "remaining-combats")),
}
ARRIVES = ("deep-strike", "strategic-reserves", "rapid-ingress")
SETS_UP = (*ARRIVES, "deploy", "infiltrate", "disembark")
WALKS = ("normal-move", "advance", "fall-back")
EACH_ROUND = ("stratagem-discount",)
ONCE = ("shoot", "charge", "charge-move", "pile-in", "fight", "consolidate", "guide")


@check("whose phase")
def whose_phase(story: Story) -> Iterator[Finding]:
    """Every command is given in the phase that it belongs to, by the player whose it is."""
    for entry in story.entries:
        if entry.type not in WHEN or not entry.clock.phase:
            continue
        whose, phase, steps = WHEN[entry.type]
        unit = entry.before.units.get(entry.unit)
        clock = entry.clock
        if unit is None:
            yield entry.number, f"{entry.type} with {entry.unit}, which is nobody", "a unit of the battle"
            continue
        if clock.phase != phase or clock.step not in steps:
            yield entry.number, f"{entry.type} in {clock.phase}/{clock.step}", f"only in {phase}: {', '.join(steps)}"
        mine = clock.player == unit.player
        if (whose == OWN and not mine) or (whose == OTHER and mine):
            right = "in the own turn" if whose == OWN else "in the opponent's turn"
            yield entry.number, f"{entry.type} with {unit.id} of {unit.player} in the turn of {clock.player}", right


@check("who is there")
def who_is_there(story: Story) -> Iterator[Finding]:
    """Only who is on the table acts; who arrives comes from reserves, who gets out is aboard."""
    for entry in story.entries:
        unit = entry.before.units.get(entry.unit)
        if unit is None or entry.type not in WHEN:
            continue
        if entry.type == "disembark":
            fine = unit.where.startswith("embarked:")
        elif entry.type in SETS_UP:
            fine = unit.where == "reserves"
        else:
            fine = unit.on_table
        if not fine or not unit.models:
            yield entry.number, f"{entry.type} with {unit.id}, which is {unit.where}", "a unit that is there to do it"


@check("once a phase")
def once(story: Story) -> Iterator[Finding]:
    """Each unit is moved, shoots, charges, piles in, fights and consolidates once in a phase."""
    done: set[tuple[int, str, str]] = set()
    for entry in story.entries:
        kind = "move" if entry.type in WALKS and has_moved(entry) else entry.type if entry.type in ONCE else ""
        if not kind or (kind in ("pile-in", "fight") and not fights.selects(entry)):
            continue
        key = (entry.before.phase, entry.unit, kind)
        if key in done:
            yield entry.number, f"{entry.unit} is selected to {kind} again in the same phase", "once a phase"
        done.add(key)


def has_moved(entry: Entry) -> bool:
    """Whether the command's unit made its move: an Advance may only have been rolled."""
    return any(s.kind == "moved" and s.event["unit"] == entry.unit for s in entry.steps)


@check("once a battle")
def once_a_battle(story: Story) -> Iterator[Finding]:
    """What is spent is spent: One Shot weapons copy by copy, and abilities that work once, or once a battle round."""
    spent: dict[tuple[str, str, int], int] = {}
    for step in story.steps:
        if step.kind != "marker-set" or not step.event["marker"]["kind"].startswith("spent "):
            continue
        name, what = step.event["unit"], step.event["marker"]["kind"].removeprefix("spent ")
        unit = step.before.units[name]
        copies = [m.loadout.count(what.removeprefix(f"{m.id} ")) for m in unit.models if what.startswith(f"{m.id} ")]
        span = step.before.clock.round if what in EACH_ROUND else 0
        spent[name, what, span] = spent.get((name, what, span), 0) + 1
        if spent[name, what, span] > max(copies, default=1):
            yield step.entry, f"{what} of {name} is spent again", f"once a battle{' round' if span else ''}"


@check("barred")
def barred(story: Story) -> Iterator[Finding]:
    """Who Advanced, Fell Back, arrived or got out of a moved Transport may not do everything in that turn."""
    did: dict[tuple[int, str], set[str]] = {}
    for entry in story.entries:
        turn = entry.before.turn
        mine = did.setdefault((turn, entry.unit), set())
        unit = entry.before.units.get(entry.unit)
        if unit is not None:
            yield from _barred(entry, unit, mine)
        for step in entry.steps:
            if step.kind == "placed":
                how = "disembarked" if was_aboard(step.before, step.event["unit"]) else "arrived"
                did.setdefault((turn, step.event["unit"]), set()).add(how)
                if how == "disembarked":
                    carrier = step.before.units[step.event["unit"]].where.partition(":")[2]
                    if did.get((turn, carrier), set()) & {"normal-move", "advance", "fall-back", "arrived"}:
                        did[turn, step.event["unit"]].add("left a moved Transport")
                    if entry.type != "disembark":
                        did[turn, step.event["unit"]].add("left a wreck")
            walked = step.kind == "moved" and step.event["unit"] == entry.unit and entry.type in WALKS
            if walked or (step.rolls("advance") and step.about["unit"] == entry.unit):
                mine.add(entry.type)


def _barred(entry: Entry, unit: Unit, mine: set[str]) -> Iterator[Finding]:
    kind = entry.type
    left = mine & {"left a moved Transport", "left a wreck"}
    if kind in WALKS and mine & {"arrived", *left}:
        yield entry.number, f"{unit.id} moves after it has {', '.join(sorted(mine))}", "no further move in that phase"
    if kind in ("normal-move", "fall-back") and "advance" in mine:
        yield entry.number, f"{unit.id} makes a {kind} after its Advance roll", "it Advances"
    if kind in ("charge", "charge-move") and left:
        yield entry.number, f"{unit.id} charges after it has {', '.join(left)}", "no charge in that turn"
    if kind in ("charge", "charge-move"):
        wild = unit.marked("waaagh") or unit.ability("charge-after-advance") is not None
        if "advance" in mine and not wild:
            yield entry.number, f"{unit.id} charges after an Advance", "no charge in that turn"
        if "fall-back" in mine and unit.ability("charge-after-fall-back") is None:
            yield entry.number, f"{unit.id} charges after a Fall Back", "no charge in that turn"
    if kind == "shoot" and "fall-back" in mine and unit.ability("shoot-after-fall-back") is None:
        yield entry.number, f"{unit.id} shoots after a Fall Back", "no shooting in that turn"


def was_aboard(table: Table, unit: str) -> bool:
    """Whether a unit was in a Transport."""
    return table.units[unit].where.startswith("embarked:")
