"""Who suffers, how much, and that wounds do not come or go by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.referee import ground
from tests.referee.checks.blows import Volley, shots, volleys
from tests.referee.report import Finding, check
from tests.referee.sheets import wounds
from tests.referee.story import Step, Story
from tests.referee.table import Model, Table, Unit
from tests.referee.throws import Throw, throws


@check("wounds")
def whole(story: Story) -> Iterator[Finding]:
    """Nobody stands with as many wounds lost as it has, or with fewer than none."""
    for step in story.steps:
        if step.kind != "wounds":
            continue
        unit = step.after.unit_of(step.event["model"])
        model = unit.model(step.event["model"]) if unit is not None else None
        if unit is None or model is None:
            continue
        if not 0 <= model.lost < wounds(unit, model):
            yield step.entry, f"{model.id} has lost {model.lost} wounds and stands", f"it has {wounds(unit, model)}"


@check("who suffers first")
def first(story: Story) -> Iterator[Finding]:
    """The wounded model, then others; Characters that lead the unit last, unless Precision picks them out."""
    for entry in story.entries:
        precise = ""
        for step in entry.steps:
            if step.kind == "choice":
                precise = step.event["choice"]
            name = _allocated(step)
            if not name or name == precise:
                continue
            unit = step.before.unit_of(name)
            model = unit.model(name) if unit is not None else None
            if unit is not None and model is not None:
                yield from _first(entry.number, unit, model)


def _allocated(step: Step) -> str:
    """The model to which an attack or a mortal wound is allocated in this event."""
    if step.rolls("save") and not step.about.get("again"):
        return str(step.about.get("model", ""))
    return ""


def _first(number: int, unit: Unit, model: Model) -> Iterator[Finding]:
    leads = unit.part_of(model.id) is not None
    if leads and unit.own:
        yield number, f"{model.id} suffers while its unit lives", "the Character last"
    group = unit.own or unit.models
    hurt = [m.id for m in group if m.lost and m.id != model.id]
    if not leads and hurt and not model.lost:
        yield number, f"{model.id} suffers while {', '.join(hurt)} is wounded", "who is wounded already first"


@dataclass
class Blow:
    """One attack that got through to a model, until it has suffered."""

    volley: Volley
    model: str
    lost: int
    points: set[int]


@check("damage")
def damage(story: Story) -> Iterator[Finding]:
    """A model that fails its save loses the Damage of the weapon, less what it ignores; what is too much is lost."""
    for volley in volleys(story):
        for throw in volley.saves:
            model = volley.target.model(throw.about.get("model", ""))
            before = throw.table.units[volley.target.id].model(throw.about.get("model", ""))
            if model is None or before is None:
                continue
            ends = throw.ends(lambda face: False)
            (face,) = next(iter(ends)) if ends else (0,)
            if face > 1 and face >= throw.about["needs"]:
                continue
            yield from _suffered(volley, throw, before)


def _suffered(volley: Volley, throw: Throw, model: Model) -> Iterator[Finding]:
    until = next((s.place for s in volley.entry.steps[throw.last + 1 :] if _suffers(s, model.id)), throw.last)
    later = [t for t in throws(volley.entry) if throw.last < t.step.place < until]
    rolled: set[int] = {0}
    ignored = 0
    arm = volley.weapon
    for following in later:
        if following.kind == "damage" and following.about.get("model") == model.id:
            ends = following.ends(lambda face: False)
            if len(following.first) != arm.damage.dice:
                seen = f"{len(following.first)} dice for the Damage of {arm.name}"
                yield volley.entry.number, seen, f"{arm.damage.dice}"
            rolled = {sum(state) for state in ends} if ends else set()
        elif following.kind == "feel-no-pain" and following.about.get("model") == model.id:
            ignored = sum(face >= following.about["needs"] for face in following.first)
        else:
            break
    due = {max(1, n + arm.damage.plus + more) for n in rolled for more in _more(volley)}
    points = {max(0, n - ignored) for n in due}
    whole = wounds(volley.target, model)
    for step in volley.entry.steps[throw.last + 1 :]:
        if step.kind == "wounds" and step.event["model"] == model.id:
            lost = step.event["lost"] - model.lost
            if lost not in points:
                yield volley.entry.number, f"{model.id} loses {lost} wounds to {arm.name}", _either(points)
            return
        if step.kind == "removed" and model.id in step.event["models"]:
            if model.lost + max(points, default=99) < whole:
                yield volley.entry.number, f"{model.id} is removed by {arm.name}", f"it loses {_either(points)}"
            return
        if step.rolls("save", "hit", "wound", "attacks"):
            return


def _suffers(step: Step, model: str) -> bool:
    """Whether a model loses wounds in this event, or is removed; what is rolled after that is for other wounds."""
    removed = step.kind == "removed" and model in step.event["models"]
    return removed or (step.kind == "wounds" and step.event["model"] == model)


def _more(volley: Volley) -> set[int]:
    """What is added to the Damage, or taken from it."""
    more = {0}
    if volley.weapon.has("melta"):
        half = volley.weapon.range / 2
        far = [s.far for s in shots(volley)]
        melta = volley.weapon.value("melta")
        if all(f <= half - ground.SLACK for f in far):
            more = {melta}
        elif any(f <= half + ground.SLACK for f in far):
            more = {0, melta}
    less = int(volley.target.ability("damage-reduction") or 0)
    if "Counterfire Defence Systems" in volley.effects(volley.target.id):
        less += 1
    return {n - less for n in more}


def _either(values: set[int]) -> str:
    return " or ".join(str(v) for v in sorted(values))


# --- wounds without a reason


SOURCES = (
    "attacks",
    "hit",
    "wound",
    "save",
    "damage",
    "feel-no-pain",
    "hazardous",
    "tank-shock",
    "impact",
    "crush",
    "crush-wounds",
    "deadly-demise",
    "deadly-demise-wounds",
    "wreck",
    "grenade",
    "desperate-escape",
)


@check("unreasoned losses")
def unreasoned(story: Story) -> Iterator[Finding]:
    """Models lose wounds and are removed after a roll that says so, or when coherency or the end demands it."""
    for entry in story.entries:
        rolled = False
        for step in entry.steps:
            rolled = rolled or step.rolls(*SOURCES)
            if rolled or entry.type == "end-step":
                continue
            if step.kind == "wounds" and _more_lost(step):
                yield entry.number, f"{step.event['model']} loses wounds by nothing", "a roll that says so"
            if step.kind == "removed" and step.event.get("to", "destroyed") == "destroyed":
                yield entry.number, f"{', '.join(step.event['models'])} are removed by nothing", "a roll that says so"


def _more_lost(step: Step) -> bool:
    unit = step.before.unit_of(step.event["model"])
    model = unit.model(step.event["model"]) if unit is not None else None
    return model is not None and step.event["lost"] > model.lost


@check("healing")
def healing(story: Story) -> Iterator[Finding]:
    """Wounds come back only to who repairs itself, one a Command phase."""
    for step in story.steps:
        if step.kind != "wounds":
            continue
        unit = step.before.unit_of(step.event["model"])
        model = unit.model(step.event["model"]) if unit is not None else None
        if unit is None or model is None or step.event["lost"] >= model.lost:
            continue
        gained = model.lost - step.event["lost"]
        most = int(unit.ability("self-repair") or 0)
        if gained > most or step.before.clock.phase not in ("command", "fight"):
            yield step.entry, f"{model.id} regains {gained} wounds", f"{most} in its Command phase"


def lost_in(table: Table, later: Table, unit: str) -> int:
    """The wounds that a unit has lost between two moments."""
    before = table.units[unit]
    left = {m.id: m.lost for other in later.units.values() for m in other.models}
    return sum(left.get(m.id, wounds(before, m)) - m.lost for m in before.models)
