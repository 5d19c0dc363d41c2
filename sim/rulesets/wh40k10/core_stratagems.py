"""The Stratagems of every army: the Core set and the Boarding Actions set, one record each."""

from __future__ import annotations

from collections.abc import Iterator

from sim.battle import Battle, MarkerSet, Model, RollAbout, Unit
from sim.geometry import within
from sim.rules import NeedChoice, NeedRoll, Procedure, ReactionWindow
from sim.rulesets.wh40k10 import (
    charging,
    command_phase,
    engagement,
    fighting,
    firing,
    leaders,
    losses,
    needed,
    noticing,
    planning,
    reserves,
    rolls,
    shooting,
    striking,
    visibility,
)
from sim.rulesets.wh40k10.cards import ARRIVAL, OWN_TIME, Card, Lasts, Use, lasting, marks
from sim.rulesets.wh40k10.datasheets import arms_of
from sim.rulesets.wh40k10.eligibility import PHASE_ENDS

OVERWATCH_REACH = 24.0  # inches; Fire Overwatch
INTERVENTION_REACH = 6.0  # inches; Heroic Intervention
SHOCK_ON = 5  # the face that costs a mortal wound; Tank Shock
MOST_SHOCK = 6  # mortal wounds; Tank Shock
GRENADE_REACH = 8.0  # inches; Grenade
GRENADE_DICE, GRENADE_ON = 6, 4  # dice, and the face that costs a mortal wound; Grenade
RE_ROLLED = ("hit", "wound", "damage", "save", "advance", "charge", "desperate-escape", "hazardous", "attacks")


# --- Command Re-roll


def _no_such_roll(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    kind = "" if moment.roll is None else moment.roll.kind
    if kind not in RE_ROLLED:
        yield "that roll is none of those that can be rolled again"


# --- shooting out of turn


def _overwatch(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit, enemy = battle.unit(use.unit), battle.unit(moment.subject)
    if enemy.player == unit.player or not enemy.on_table or not enemy.models:
        yield f"{enemy.name} is not an enemy unit on the table"
        return
    yield from needed.missing(enemy)
    yield from (violation.message for violation in shooting.why_not(battle, unit))
    if engaged := engagement.engaged_with(battle, unit):
        yield f"{unit.name} is within Engagement Range of {', '.join(engaged)}"
    if not firing.is_within(battle, unit, enemy, OVERWATCH_REACH):
        yield f'{enemy.name} is not within {OVERWATCH_REACH:g}" of {unit.name}'
        return
    firing.look_at(battle, enemy, OVERWATCH_REACH)
    if not visibility.unit_visible(battle, unit, enemy):
        yield f"{unit.name} does not see {enemy.name}"


def _fires(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    """Firing Deck is of the own Shooting phase, so that nobody aboard counts."""
    return firing.can_fire_at(battle, battle.unit(use.unit), battle.unit(moment.subject), aboard=False)


def _in_sight(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    enemy, unit = battle.unit(moment.subject), battle.unit(use.unit)
    return f'{enemy.name} is in sight within {OVERWATCH_REACH:g}" of {unit.name}'


def _fire(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    unit = battle.unit(use.unit)
    shots = planning.shots(battle, unit, (moment.subject,), aboard=False)
    if shots is not None:
        yield from shooting.fire(battle, use.unit, shots.attacks, overwatch=True)


# --- arriving in the opponent's turn


def _may_arrive(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    unit = battle.unit(use.unit)
    return reserves.may_come_from_above(battle, unit) or reserves.may_come_by_strip(battle, unit)


def _arrives(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    """Nothing more of this phase happens after it; the unit is set up by the command itself."""
    yield MarkerSet(use.unit, lasting(battle, use.player, lasts, PHASE_ENDS))


# --- charging


def _engages_nobody(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    if not engagement.engaged_with(battle, battle.unit(use.unit)):
        yield f"{battle.unit(use.unit).name} is within Engagement Range of nobody"


def _has_charged(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    return f"{battle.unit(use.unit).name} has charged"


def _tank_shock(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    charger = battle.unit(use.unit)
    engaged = engagement.engaged_with(battle, charger)
    enemy: str = engaged[0]
    if len(engaged) > 1:
        enemy = yield NeedChoice(use.player, f"Tank Shock of {charger.name}: which enemy", engaged)
    toughness = int(charger.value("T") or 1)
    told = RollAbout("tank-shock", charger.id, enemy, needs=SHOCK_ON)
    faces = yield NeedRoll(toughness, 6, f"Tank Shock of {charger.name} on {SHOCK_ON}+", use.player, about=told)
    wounds = min(MOST_SHOCK, sum(face >= SHOCK_ON for face in faces))
    yield from losses.mortal_wounds(battle, enemy, wounds, charger.id)


def _cannot_intervene(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit, enemy = battle.unit(use.unit), battle.unit(moment.subject)
    if enemy.player == unit.player or not enemy.models:
        yield f"{enemy.name} is not an enemy unit"
        return
    if unit.has("VEHICLE") and not unit.has("WALKER"):
        yield f"{unit.name} is a Vehicle and not a Walker"
    if not firing.is_within(battle, unit, enemy, INTERVENTION_REACH):
        yield f'{enemy.name} is not within {INTERVENTION_REACH:g}" of {unit.name}'
    yield from (violation.message for violation in charging.why_not(battle, unit))


def _reaches(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    return charging.needed(battle, battle.unit(use.unit), (moment.subject,)) != "never"


def _charged_near(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    enemy, unit = battle.unit(moment.subject), battle.unit(use.unit)
    return f'{enemy.name} has charged within {INTERVENTION_REACH:g}" of {unit.name}'


def _intervene(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    """The charge is declared, rolled, and moved at once, as far as it reaches."""
    battle = yield MarkerSet(use.unit, lasting(battle, use.player, lasts, charging.HEROIC, moment.subject))
    battle = yield from charging.declared(battle, use.unit, (moment.subject,))
    for move in planning.charge_moves(battle, battle.unit(use.unit)):
        if not any(charging.judge_move(battle, move)):
            yield from charging.resolve_move(battle, move)
            return


# --- fighting


def _cannot_fight(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    if battle.unit(moment.subject).player == unit.player:
        yield f"{battle.unit(moment.subject).name} is not an enemy unit"
    if not fighting.eligible_in_phase(battle, unit):
        yield f"{unit.name} is not engaged, or has fought already"


def _is_waiting(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    return f"{battle.unit(use.unit).name} is engaged and has not fought"


def _heroes(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    """The Characters of a unit that strike with something that has not Precision by itself."""
    unit = battle.unit(use.unit)
    for model in leaders.heroes(unit):
        if any(weapon.range == 0 and not weapon.has("precision") for weapon in arms_of(unit, model)):
            yield model.id


def _no_hero(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    if use.target not in {model.id for model in leaders.heroes(unit)}:
        yield f"{use.target or 'nobody'} is not a Character of {unit.name}"
    if not any(leaders.characters(battle.unit(name)) for name in engagement.engaged_with(battle, unit)):
        yield f"{unit.name} is within Engagement Range of no Attached unit"


def _challenges(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    return f"{battle.unit(use.unit).name} is selected to fight"


# --- grenades, smoke, and keeping one's head down


def _thrown_at(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    return (foe.id for foe in firing.foes_of(battle, battle.unit(use.unit)))


def _cannot_throw(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    for kind, words in (("shot", "shot"), ("advanced", "Advanced"), ("fell-back", "Fallen Back")):
        if unit.marked(kind):
            yield f"{unit.name} has {words}"
    if engagement.engaged_with(battle, unit):
        yield f"{unit.name} is within Engagement Range of an enemy"
    target = battle.unit(use.target) if battle.has_unit(use.target) else None
    if target is None or target.player == unit.player or not target.on_table or not target.models:
        yield "it needs an enemy unit on the table"
        return
    if engagement.engaged_with(battle, target):
        yield f"{target.name} is within Engagement Range of a unit of {unit.player}"
    if not any(_in_a_throw(battle, unit, model, target) for model in unit.models):
        yield f'{target.name} is not within {GRENADE_REACH:g}" and in sight of one model of {unit.name}'


def _in_a_throw(battle: Battle, unit: Unit, model: Model, target: Unit) -> bool:
    """Whether a model has grenades, and an enemy within reach and in sight."""
    part = unit.leader_of(model.id)
    if not (unit.has("GRENADES") if part is None else part.has("GRENADES")):
        return False
    row = unit.models.index(model)
    apart = float(engagement.apart(battle, unit, target)[row])
    return within(apart, GRENADE_REACH) and bool(visibility.seen(battle, unit, target)[row].any())


def _grenade(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    unit, target = battle.unit(use.unit), battle.unit(use.target)
    told = RollAbout("grenade", unit.id, target.id, needs=GRENADE_ON)
    purpose = f"Grenade of {unit.name} at {target.name} on {GRENADE_ON}+"
    faces = yield NeedRoll(GRENADE_DICE, 6, purpose, use.player, about=told)
    yield from losses.mortal_wounds(battle, target.id, sum(face >= GRENADE_ON for face in faces), unit.id)


def is_not_shot_at(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    """Why a unit is not the target of an enemy that has just chosen its targets."""
    if battle.unit(moment.other).player == use.player:
        yield f"{battle.unit(moment.other).name} is not an enemy unit"


def is_shot_at(battle: Battle, moment: ReactionWindow, use: Use) -> str:
    """That an enemy has chosen the unit as its target."""
    return f"{battle.unit(moment.other).name} shoots at {battle.unit(use.unit).name}"


# --- Explosive Clearance


def _bombardiers(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    return (m.id for m in unit.models if any(w.has("blast") for w in arms_of(unit, m)))


def _no_bombardier(battle: Battle, moment: ReactionWindow, use: Use) -> Iterator[str]:
    unit = battle.unit(use.unit)
    bearers = tuple(_bombardiers(battle, moment, use))
    if unit.marked("shot"):
        yield f"{unit.name} has been selected to shoot"
    if not bearers:
        yield f"{unit.name} has no Blast weapon"
    elif use.target not in ("" if len(bearers) == 1 else bearers[0], *bearers):
        yield f"it needs a model with a Blast weapon: {', '.join(bearers)}"


def _is_hidden_from(battle: Battle, moment: ReactionWindow, use: Use) -> bool:
    """Whether some enemy that the unit can fire at has models that the bearer does not see."""
    unit = battle.unit(use.unit)
    row = [m.id for m in unit.models].index(use.target)
    foes = (foe for foe in firing.foes_of(battle, unit) if firing.can_fire_at(battle, unit, foe))
    return any(not visibility.seen(battle, unit, foe)[row].all() for foe in foes)


def _clearance(battle: Battle, moment: ReactionWindow, use: Use, lasts: Lasts) -> Procedure:
    bearer = use.target or next(_bombardiers(battle, moment, use))
    yield MarkerSet(use.unit, lasting(battle, use.player, lasts, shooting.CLEARANCE, bearer))


CORE = (
    Card(
        "command-re-roll",
        "Command Re-roll",
        cost=1,
        of=("core", "boarding"),
        when=(rolls.AFTER_ROLL,),
        turn="either",
        wrong=_no_such_roll,
        effect=marks((rolls.RE_ROLL_MARKER, "")),
    ),
    Card(
        "insane-bravery",
        "Insane Bravery",
        cost=1,
        of=("core",),
        when=(command_phase.BEFORE_SHOCK,),
        turn="own",
        phases=("command",),
        once="battle",
        effect=marks((command_phase.BRAVE, "")),
        says=lambda battle, moment, use: f"Battle-shock of {battle.unit(use.unit).name}",
    ),
    Card(
        "insane-bravery",
        "Insane Bravery",
        cost=1,
        of=("boarding",),
        when=(command_phase.SHOCK_FAILED,),
        turn="own",
        phases=("command",),
        on_shocked=True,
        effect=marks((command_phase.BRAVE, "")),
        says=lambda battle, moment, use: f"{battle.unit(use.unit).name} has failed its Battle-shock test",
    ),
    Card(
        shooting.CLEARANCE,
        "Explosive Clearance",
        cost=1,
        of=("boarding",),
        when=(OWN_TIME.when,),
        turn="own",
        phases=("shooting",),
        subject=False,
        lasts="end-of-phase",
        targets=_bombardiers,
        wrong=_no_bombardier,
        useful=_is_hidden_from,
        effect=_clearance,
    ),
    Card(
        "counter-offensive",
        "Counter-Offensive",
        cost=2,
        of=("core", "boarding"),
        when=(fighting.HAS_FOUGHT,),
        turn="either",
        phases=("fight",),
        subject=False,
        wrong=_cannot_fight,
        useful=lambda battle, moment, use: any(striking.targets_of(battle, battle.unit(use.unit))),
        effect=marks((fighting.NEXT, "")),
        says=_is_waiting,
    ),
    Card(
        "fire-overwatch",
        "Fire Overwatch",
        cost=1,
        of=("core",),
        when=(noticing.STARTS, noticing.ENDS, noticing.SET_UP, charging.CHARGE_DECLARED),
        turn="opponent",
        phases=("movement", "charge"),
        once="turn",
        subject=False,
        without=("TITANIC",),
        wrong=_overwatch,
        useful=_fires,
        effect=_fire,
        says=_in_sight,
    ),
    Card(
        "rapid-ingress",
        "Rapid Ingress",
        cost=1,
        of=("core",),
        when=(ARRIVAL.when,),
        turn="opponent",
        phases=("movement",),
        point="end",
        subject=False,
        place="reserves",
        useful=_may_arrive,
        effect=_arrives,
    ),
    Card(
        "tank-shock",
        "Tank Shock",
        cost=1,
        of=("core",),
        when=(charging.CHARGE_ENDED,),
        turn="own",
        phases=("charge",),
        keywords=("VEHICLE",),
        wrong=_engages_nobody,
        effect=_tank_shock,
        says=_has_charged,
    ),
    Card(
        "heroic-intervention",
        "Heroic Intervention",
        cost=1,
        of=("core",),
        when=(charging.CHARGE_ENDED,),
        turn="opponent",
        phases=("charge",),
        subject=False,
        wrong=_cannot_intervene,
        useful=_reaches,
        effect=_intervene,
        says=_charged_near,
    ),
    Card(
        "grenade",
        "Grenade",
        cost=1,
        of=("core",),
        when=(OWN_TIME.when,),
        turn="own",
        phases=("shooting",),
        subject=False,
        keywords=("GRENADES",),
        targets=_thrown_at,
        wrong=_cannot_throw,
        effect=_grenade,
    ),
    Card(
        "smokescreen",
        "Smokescreen",
        cost=1,
        of=("core",),
        when=(shooting.TARGETS_CHOSEN,),
        turn="opponent",
        phases=("shooting",),
        keywords=("SMOKE",),
        lasts="end-of-phase",
        wrong=is_not_shot_at,
        effect=marks(("lends", "benefit-of-cover"), ("lends", "stealth")),
        says=is_shot_at,
    ),
    Card(
        "go-to-ground",
        "Go to Ground",
        cost=1,
        of=("core",),
        when=(shooting.TARGETS_CHOSEN,),
        turn="opponent",
        phases=("shooting",),
        keywords=("INFANTRY",),
        lasts="end-of-phase",
        wrong=is_not_shot_at,
        effect=marks(("lends", "invulnerable 6"), ("lends", "benefit-of-cover")),
        says=is_shot_at,
    ),
    Card(
        "epic-challenge",
        "Epic Challenge",
        cost=1,
        of=("core",),
        when=(fighting.SELECTED_TO_FIGHT,),
        turn="either",
        phases=("fight",),
        keywords=("CHARACTER",),
        lasts="end-of-phase",
        targets=_heroes,
        wrong=_no_hero,
        effect=marks((fighting.EPIC, "*")),
        says=_challenges,
    ),
)
