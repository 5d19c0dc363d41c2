"""The arithmetic of attacks: how many dice, what they need, and how many of them come through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.referee import ground
from tests.referee.checks.targets import Shot
from tests.referee.report import Finding, check
from tests.referee.sheets import Weapon, weapon
from tests.referee.story import Entry, Story
from tests.referee.table import Marker, Model, Table, Unit
from tests.referee.throws import Throw, throws

NEVER = 7


@dataclass
class Volley:
    """The attacks of one kind of weapon of some models at one unit, with their rolls."""

    entry: Entry
    table: Table  # as it was when the unit was selected
    unit: Unit
    target: Unit
    weapon: Weapon
    bearers: tuple[str, ...]
    overwatch: bool
    force: dict[tuple[int, str], set[str]]  # the Stratagems used on a unit in a phase
    attacks: Throw | None = None
    hit: Throw | None = None
    wound: Throw | None = None
    saves: list[Throw] = field(default_factory=list)

    @property
    def melee(self) -> bool:
        """Whether blows are struck."""
        return self.weapon.range == 0

    @property
    def shared(self) -> bool:
        """Whether a weapon of it strikes at several targets."""
        attacks = self.entry.command.get("attacks", ())
        mine = [a for a in attacks if self.melee and a["model"] in self.bearers and a["weapon"] == self.weapon.name]
        return any(a["model"] == b["model"] and a["target"] != b["target"] for a in mine for b in mine)

    def effects(self, unit: str) -> set[str]:
        """The Stratagems in force on a unit in this phase."""
        return self.force.get((self.table.phase, unit), set())


def volleys(story: Story) -> list[Volley]:
    """Every volley of the record."""
    found: list[Volley] | None = story.memo.get("volleys")
    if found is None:
        found, force = [], dict[tuple[int, str], set[str]]()
        for entry in story.entries:
            for step in entry.steps:
                if step.kind == "choice" and step.event.get("when") == "stratagem":
                    key = (step.before.phase, step.event.get("subject", ""))
                    force.setdefault(key, set()).add(step.event["choice"])
            found += _of(entry, force)
        story.memo["volleys"] = found
    return found


def selections(entry: Entry) -> dict[str, tuple[Table, bool]]:
    """The table at which each unit of an entry was selected, and whether it fires Overwatch."""
    found = {entry.unit: (entry.before, False)}
    for step in entry.steps:
        if step.kind == "choice" and step.event["choice"] == "Fire Overwatch":
            found[step.event.get("subject", "")] = (step.before, True)
    return found


def _of(entry: Entry, force: dict[tuple[int, str], set[str]]) -> Iterator[Volley]:
    chosen = selections(entry)
    current: Volley | None = None
    for throw in throws(entry):
        about = throw.about
        if throw.kind not in ("attacks", "hit", "wound", "save") or not about.get("against"):
            continue  # attacks rolled for several targets at once are no volley yet
        if throw.kind == "save":
            if current is not None and about["unit"] == current.target.id:
                current.saves.append(throw)
            continue
        slot = throw.kind
        same = (
            current is not None
            and current.unit.id == about["unit"]
            and current.target.id == about["against"]
            and current.weapon.name == about["weapon"]
            and current.weapon.profile == about.get("profile", "")
            and current.bearers == tuple(about["bearers"])
            and getattr(current, slot) is None
            and not current.saves
            and (slot == "wound" or (slot == "hit" and current.wound is None))
        )
        if not same:
            if current is not None:
                yield current
            current = _new(entry, throw, chosen, force)
        if current is not None:
            setattr(current, slot, throw)
    if current is not None:
        yield current


def _new(
    entry: Entry, throw: Throw, chosen: dict[str, tuple[Table, bool]], force: dict[tuple[int, str], set[str]]
) -> Volley | None:
    about = throw.about
    table, overwatch = chosen.get(about["unit"], (throw.table, False))
    unit, target = table.units[about["unit"]], table.units[about["against"]]
    owner = table.unit_of(about["bearers"][0])
    model = owner.model(about["bearers"][0]) if owner is not None else None
    if owner is None or model is None:
        return None
    arm = weapon(owner, model, about["weapon"], about.get("profile", ""))
    if arm is None:
        return None
    return Volley(entry, table, unit, target, arm, tuple(about["bearers"]), overwatch, force)


def shots(volley: Volley) -> Iterator[Shot]:
    """The single weapons of a volley."""
    for name in volley.bearers:
        owner = volley.table.unit_of(name)
        if owner is None:
            continue
        model = owner.model(name)
        assert model is not None
        gunner = model if owner.id == volley.unit.id else ground.standing(volley.unit)[0]
        yield Shot(volley.unit, owner, model, gunner, volley.weapon, volley.target)


# --- how many


def counts(volley: Volley) -> set[int]:
    """How many attacks it may be."""
    arm = volley.weapon
    rolled = {0}
    if volley.attacks is not None:
        ends = volley.attacks.ends(lambda face: False)
        rolled = {sum(state) for state in ends} if ends is not None else set()
    sums = {0}
    for one in shots(volley):
        sums = {total + more for total in sums for more in _each(volley, one, arm)}
    return {total + faces for total in sums for faces in rolled}


def _each(volley: Volley, one: Shot, arm: Weapon) -> set[int]:
    """Attacks of one weapon besides what is rolled."""
    base = arm.attacks.plus
    if arm.has("blast"):
        base += len(volley.target.models) // 5
    owner, model = one.owner, one.model
    if arm.has("dead-choppy"):
        base += model.loadout.count(arm.name) - 1
    found = {base}
    if arm.has("rapid-fire"):
        half = arm.range / 2
        if one.far <= half - ground.SLACK:
            found = {base + arm.value("rapid-fire")}
        elif one.far <= half + ground.SLACK:
            found.add(base + arm.value("rapid-fire"))
    bolts = owner.ability_of(model, "more-bolt-rifle-attacks")
    if bolts and arm.name == "bolt rifle":
        found |= {n + int(bolts) for n in found}
    if volley.melee and not arm.has("extra-attacks"):
        more = sum(m.amount for m in _finest(volley) if m.subject == model.id) + wild(volley)
        found = {n + more for n in found}
    return found


def wild(volley: Volley) -> int:
    """By how much a Waaagh! makes Strength and Attacks of melee weapons better."""
    return int(volley.melee and volley.unit.marked("waaagh"))


def _finest(volley: Volley) -> list[Marker]:
    return [m for m in volley.unit.markers if m.kind == "more-melee-attacks-once"]


@check("number of attacks")
def number(story: Story) -> Iterator[Finding]:
    """As many dice as the weapons have attacks, with Rapid Fire, Blast and what abilities add."""
    for volley in volleys(story):
        dice = len(volley.bearers) * volley.weapon.attacks.dice
        if volley.shared:
            most = max(counts(volley)) + dice * volley.weapon.attacks.sides
            thrown = len(volley.hit.first) if volley.hit is not None else 0
            if thrown > most:
                yield volley.entry.number, f"{thrown} attacks of {_name(volley)}", f"a share of {most}"
            continue
        if (len(volley.attacks.first) if volley.attacks else 0) != dice:
            thrown = len(volley.attacks.first) if volley.attacks else 0
            yield volley.entry.number, f"{thrown} dice for the attacks of {_name(volley)}", f"{dice}"
            continue
        due = counts(volley)
        thrown_at = volley.hit or (volley.wound if _hits_alone(volley.weapon) else None)
        if due and thrown_at is not None and len(thrown_at.first) not in due:
            yield volley.entry.number, f"{len(thrown_at.first)} attacks of {_name(volley)}", _either(due)


def _hits_alone(arm: Weapon) -> bool:
    return arm.has("torrent") or arm.skill is None


def _name(volley: Volley) -> str:
    return f"{volley.weapon.name} of {volley.unit.id} at {volley.target.id}"


def _either(values: set[int]) -> str:
    return " or ".join(str(v) for v in sorted(values))


# --- to hit


def hit_needs(volley: Volley) -> set[int]:
    """What a Hit roll may need."""
    arm, unit = volley.weapon, volley.unit
    if volley.overwatch:
        return {6}
    skill = (arm.skill or 0) - _better_skill(volley)
    found = set()
    steady = unit.ability("ignore-hit-modifiers")
    for slack in (ground.SLACK, -ground.SLACK):
        for extra in _optional(volley):
            values = [*_hit_modifiers(volley, slack), *extra]
            if steady is not None and (not volley.melee or not steady):
                values = [v for v in values if v > 0]
            found.add(max(2, skill - max(-1, min(1, sum(values)))))
    return found


def _optional(volley: Volley) -> list[list[int]]:
    """What the referee cannot see for itself: whether the target of Indirect Fire is in sight."""
    return [[], [-1]] if volley.weapon.has("indirect-fire") else [[]]


def _better_skill(volley: Volley) -> int:
    """What improves or worsens Ballistic Skill: For the Greater Good and who coordinates it."""
    if volley.melee:
        return 0
    unit, target = volley.unit, volley.target
    more = 0
    guided, observing = unit.marker("guided"), unit.marker("observer")
    if guided is not None:
        more += 1 if guided.subject == target.id else -1
    if observing is not None and observing.subject == target.id:
        coordinates = "Coordinate to Engage" in volley.effects(unit.id)
        if coordinates or unit.ability("aims-at-own-spotted") is not None:
            more += 1
    return more


def _hit_modifiers(volley: Volley, slack: float) -> Iterator[int]:
    arm, unit, target, table = volley.weapon, volley.unit, volley.target, volley.table
    band = unit.ability("damaged")
    if band and len(unit.models) == 1:
        whole = unit.number(unit.models[0], "W")
        if whole - unit.models[0].lost <= int(band):
            yield -1
    if unit.marked("suppressed"):
        yield -1
    armour = target.has("MONSTER", "VEHICLE")
    if unit.ability("hit-against-armour") and armour:
        yield int(unit.ability("hit-against-armour") or 0)
    if unit.ability("hit-against-oath") and target.marked("oath", unit.player):
        yield int(unit.ability("hit-against-oath") or 0)
    if volley.melee:
        return
    if arm.has("heavy") and not unit.marked("moved") and not unit.marked("disembarked"):
        yield 1
    stealth = all(target.ability_of(m, "stealth") is not None for m in target.models)
    if stealth or "Smokescreen" in volley.effects(target.id):
        yield -1
    if arm.has("pistol"):
        return
    if unit.has("MONSTER", "VEHICLE") and ground.engaged_with(table, unit, slack):
        yield -1
    held = ground.engaged_with(table, target, slack)
    if held and (armour or all(u.has("FORTIFICATION") for u in held)):
        yield -1


@check("hit rolls")
def hits(story: Story) -> Iterator[Finding]:
    """What a Hit roll needs, and how many Wound rolls follow it."""
    for volley in volleys(story):
        throw = volley.hit
        if throw is None:
            continue
        needs, said = hit_needs(volley), throw.about["needs"]
        if min(said, 6) not in {min(n, 6) for n in needs}:
            yield volley.entry.number, f"{_name(volley)} hits on {said}+", f"{_either(needs)}+"
            continue
        due = wounds_due(volley, said)
        thrown = len(volley.wound.first) if volley.wound is not None else 0
        if due is not None and thrown not in due and not _gone(volley):
            seen = f"{thrown} Wound rolls after {throw.first} of {_name(volley)}"
            yield volley.entry.number, seen, _either(due)


def _gone(volley: Volley) -> bool:
    """Whether the target was destroyed before this volley could wound it."""
    return volley.wound is None and not volley.entry.after.units[volley.target.id].models


def wounds_due(volley: Volley, needs: int) -> set[int] | None:
    """How many Wound rolls may follow the Hit roll; None where that cannot be told."""
    assert volley.hit is not None
    found: set[int] = set()
    for least in (1, 3) if volley.weapon.has("indirect-fire") else (1,):
        fine = _hitting(needs, volley.overwatch, least)
        ends = volley.hit.ends(fine)
        if ends is None:
            return None
        for state in ends:
            criticals = sum(face == 6 for face in state)
            count = sum(map(fine, state)) + sustained(volley) * criticals
            found.add(count - (criticals if lethal(volley) else 0))
    return found


def _hitting(needs: int, overwatch: bool, fails_to: int) -> Callable[[int], bool]:
    def fine(face: int) -> bool:
        return face == 6 or (not overwatch and face > fails_to and face >= needs)

    return fine


def sustained(volley: Volley) -> int:
    """How many hits a Critical Hit adds."""
    most = volley.weapon.value("sustained-hits")
    unit = volley.unit
    if not volley.melee and unit.ability("detachment") == "kauyon" and volley.table.clock.round >= 3:
        spotted = any(
            marker.kind in ("guided", "observer") and marker.subject == volley.target.id for marker in unit.markers
        )
        most = max(most, 2 if spotted else 1)
    return most


def lethal(volley: Volley) -> bool:
    """Whether a Critical Hit wounds by itself."""
    unit = volley.unit
    killing = not volley.melee and unit.ability("detachment") == "montka" and volley.table.clock.round <= 3
    return volley.weapon.has("lethal-hits") or (killing and unit.marked("guided"))


# --- to wound


def wound_needs(volley: Volley) -> set[int]:
    """What a Wound roll needs."""
    arm, target = volley.weapon, volley.target
    if target.own:
        toughness = target.number(target.own[0], "T")
    else:
        toughness = max(target.number(m, "T") for m in target.models)
    strength = arm.strength + wild(volley)
    base = 4 if strength == toughness else 3 if strength > toughness else 5
    base = 2 if strength >= 2 * toughness else 6 if 2 * strength <= toughness else base
    total = 0
    if arm.has("lance") and volley.unit.marked("charged"):
        total += 1
    if strength > toughness and target.ability("tough-while-led") is not None:
        total -= any("WARBOSS" in part.keywords for part in target.leading)
    if not volley.melee and "A Tempting Trap" in volley.effects(volley.unit.id):
        total += _trapped(volley)
    return {max(2, base - max(-1, min(1, total)))}


def _trapped(volley: Volley) -> int:
    trap = volley.unit.marker("tempting-trap")
    for objective in volley.table.field.get("objectives", ()):
        if trap is not None and objective["id"] == trap.subject:
            return int(any(ground.in_range(m, objective, 1e-6) for m in ground.standing(volley.target)))
    return 0


def critical(volley: Volley) -> int:
    """The face from which a wound is critical."""
    best = 6
    for token, value in volley.weapon.abilities:
        if token.startswith("anti-") and volley.target.has(token.removeprefix("anti-").replace("-", " ").upper()):
            best = min(best, int(value.rstrip("+")))
    return best


def devastating(volley: Volley) -> bool:
    """Whether a Critical Wound costs mortal wounds: by the weapon, or because it is charged for the phase."""
    thrown = volley.wound or volley.hit
    charge = thrown.table.units[volley.unit.id].marker("nova") if thrown is not None else None
    charged = charge is not None and charge.subject == volley.weapon.name
    finest = {m.subject for m in _finest(volley)}
    struck = volley.melee and any(bearer in finest for bearer in volley.bearers)
    return volley.weapon.has("devastating-wounds") or charged or struck


@check("wound rolls")
def wounds(story: Story) -> Iterator[Finding]:
    """What a Wound roll needs, and how many saves follow it."""
    for volley in volleys(story):
        throw = volley.wound
        if throw is None:
            continue
        needs, said = wound_needs(volley), throw.about["needs"]
        if said not in needs:
            yield volley.entry.number, f"{_name(volley)} wounds on {said}+", f"{_either(needs)}+"
            continue
        due = saves_due(volley, said)
        if due is None or not volley.saves:
            continue
        if len(volley.saves) > max(due):
            yield volley.entry.number, f"{len(volley.saves)} saves after {throw.first} of {_name(volley)}", _either(due)
        alive = volley.saves[-1].table.units[volley.target.id].models
        survived = volley.entry.after.units[volley.target.id].models
        if len(volley.saves) < min(due) and survived and len(alive) > 1 and _all_save(volley):
            yield volley.entry.number, f"{len(volley.saves)} saves after {throw.first} of {_name(volley)}", _either(due)


def saves_due(volley: Volley, needs: int) -> set[int] | None:
    """How many wounds may be saved; None where that cannot be told."""
    assert volley.wound is not None
    least = critical(volley)

    def fine(face: int) -> bool:
        return face >= least or (face > 1 and face >= needs)

    ends = volley.wound.ends(fine, least)
    if ends is None:
        return None
    counted = set()
    for state in ends:
        wounded = sum(map(fine, state))
        if devastating(volley):
            wounded -= sum(face >= least for face in state)
        counted.add(wounded)
    if not lethal(volley) or volley.hit is None:
        return counted
    hits = volley.hit.ends(_hitting(volley.hit.about["needs"], volley.overwatch, 1))
    if hits is None:
        return None
    return {n + sum(face == 6 for face in state) for n in counted for state in hits}


def _all_save(volley: Volley) -> bool:
    return all(max(save_needs(volley, m)) <= 6 for m in volley.target.models)


# --- to save


def save_needs(volley: Volley, model: Model) -> set[int]:
    """What a save may need: by armour with or without cover, or by an invulnerable save."""
    target, arm = volley.target, volley.weapon
    save = int(target.number(model, "SV") or NEVER)
    invulnerable = int(target.number(model, "INV") or NEVER)
    if "Go to Ground" in volley.effects(target.id):
        invulnerable = min(invulnerable, 6)
    if target.marked("waaagh"):
        invulnerable = min(invulnerable, 5)
    found = set()
    for better in _better_ap(volley):
        ap = arm.ap - better
        armour = {max(2, save - ap)}
        if not volley.melee and not arm.has("ignores-cover") and not (save <= 3 and ap == 0):
            covered = max(2, save - ap - 1)
            sheltered = {"Smokescreen", "Go to Ground"} & volley.effects(target.id)
            armour = {covered} if sheltered and not _ignores(volley) else armour | {covered}
        found |= {min(n, max(2, invulnerable)) for n in armour}
    return found


def _ignores(volley: Volley) -> bool:
    unit = volley.unit
    return unit.marked("guided") or unit.marked("observer")


def _better_ap(volley: Volley) -> set[int]:
    if volley.melee:
        return {0}
    unit, target = volley.unit, volley.target
    better = 0
    if unit.ability("better-ap-except-against-armour") and not target.has("MONSTER", "VEHICLE"):
        better += int(unit.ability("better-ap-except-against-armour") or 0)
    focus = unit.marker("focused-fire")
    if focus is not None and focus.subject == target.id:
        better += 1
    found = {better}
    if "Point-Blank Ambush" in volley.effects(unit.id):
        near = ground.units_apart(unit, target)
        found = (
            {better + 1} if near <= 9.0 - ground.SLACK else found if near > 9.0 + ground.SLACK else {better, better + 1}
        )
    high = [s.gunner.pose[3] for s in shots(volley) if s.gunner.pose is not None]
    if high and min(high) >= 6.0:
        found |= {n + 1 for n in found}
    return found


@check("saves")
def saves(story: Story) -> Iterator[Finding]:
    """What a save needs, and that it stops what it stops and nothing else."""
    for volley in volleys(story):
        for throw in volley.saves:
            model = volley.target.model(throw.about.get("model", ""))
            if model is None:
                continue
            needs, said = save_needs(volley, model), throw.about["needs"]
            if said not in needs:
                yield volley.entry.number, f"{model.id} saves against {_name(volley)} on {said}+", f"{_either(needs)}+"
                continue
            ends = throw.ends(lambda face, said=said: face >= said)  # type: ignore[misc]
            (face,) = next(iter(ends)) if ends else (0,)
            suffers = _suffers(volley.entry, throw, model.id)
            passed = face > 1 and face >= said
            if passed and suffers and not _devastated(story, volley, throw):
                yield volley.entry.number, f"{model.id} suffers after a save of {face} on {said}+", "it is saved"
            if not passed and not suffers:
                yield volley.entry.number, f"{model.id} suffers nothing after a save of {face} on {said}+", "it suffers"


def _suffers(entry: Entry, throw: Throw, model: str) -> bool:
    """Whether a model loses wounds, or ignores them, before anything else is rolled."""
    for step in entry.steps[throw.last + 1 :]:
        if step.rolls("save", "hit", "wound", "attacks", "hazardous"):
            return False
        if step.rolls("damage", "feel-no-pain"):
            return bool(step.about.get("model") == model)
        if step.rolls("deadly-demise") and step.about.get("model") == model:
            return True
        if step.kind == "wounds":
            return bool(step.event["model"] == model)
        if step.kind == "removed":
            return model in step.event["models"]
    return False


def _devastated(story: Story, volley: Volley, throw: Throw) -> bool:
    """Whether mortal wounds of Devastating Wounds come next: after the last save of the unit's attacks."""
    mine = [v for v in volleys(story) if v.entry is volley.entry and v.unit.id == volley.unit.id]
    last = max(t.step.place for v in mine for t in v.saves)
    return throw.step.place == last and any(_may_devastate(v) for v in mine)


def _may_devastate(volley: Volley) -> bool:
    if volley.wound is None or not devastating(volley):
        return False
    faces = [*volley.wound.first, *(f for again in volley.wound.again for f in again.faces)]
    return max(faces, default=0) >= critical(volley)
