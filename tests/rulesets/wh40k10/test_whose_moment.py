"""Every Stratagem played: in whose phase, at what price, how often, on whom, with what effect, and until when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Clock, Marker, Objective, RollAbout, Terrain, Unit
from sim.chance import ScriptedDice, SeededDice
from sim.engine import Game
from sim.geometry import Path, Pose, Round
from sim.rules import Command, EndStep, NeedChoice, ReactionWindow
from sim.rulesets.wh40k10 import (
    RULESET,
    charging,
    command_phase,
    fighting,
    guided,
    leaders,
    movement,
    noticing,
    parting,
    rolls,
    shooting,
    stratagems,
)
from sim.rulesets.wh40k10.cards import ARRIVAL, OWN_TIME, Card
from sim.rulesets.wh40k10.commands import (
    AttackWith,
    Charge,
    ChargeMove,
    Consolidate,
    Fight,
    Guide,
    NormalMove,
    RapidIngress,
    Shoot,
    Stratagem,
)
from sim.rulesets.wh40k10.resources import command_points
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, SHOOTING, battle, now, squad

B32 = 32 / 25.4
MOVE = now("movement", "move-units")
REINFORCE = now("movement", "reinforcements")
SHOCK = now("command", "command")
THIRD = now("shooting", "shoot", number=3)
KAUYON, MONTKA = ("detachment kauyon",), ("detachment montka",)
BOARDING: dict[str, str | bool | float] = {"stratagems": "boarding"}
POINTS = 6
PHASES = ("command", "movement", "shooting", "charge", "fight")
Step = tuple[Command, Sequence[int], Sequence[str]]


@dataclass(frozen=True)
class Row:
    """How one Stratagem is used: the battle, the command that opens its moment, and what comes of it."""

    title: str
    of: str  # its set
    start: Battle
    step: Step  # the command, its faces, and what is chosen, the Stratagem among them
    player: str
    unit: str
    moment: ReactionWindow
    holds: Callable[[Battle], bool]  # the effect
    cost: int = 1
    phases: tuple[str, ...] = PHASES
    turn: str = "either"
    once: str = "phase"
    on_shocked: bool = False
    aboard: bool = True  # whether it makes sense to ask for the unit aboard a Transport
    until: str = "at-once"
    before: Callable[[Battle], Battle] = field(default=lambda start: start)  # the battle at the moment


def step(command: Command, faces: Sequence[int] = (), *choices: str) -> Step:
    """A command with its faces and choices."""
    return command, faces, choices


def walk(start: Battle, unit: str, to: tuple[float, float]) -> NormalMove:
    """A straight move of the first model; the others stay."""
    first, *rest = start.unit(unit).models
    assert first.pose is not None
    paths = [Path.through(first.pose, [list(to)]), *(Path(m.pose, ()) for m in rest if m.pose is not None)]
    return NormalMove(unit, tuple(paths))


def marked(unit: str, kind: str, subject: str | None = None) -> Callable[[Battle], bool]:
    """Whether a marker lies on a unit."""
    return lambda after: any(
        m.kind == kind and subject in (None, m.subject) for m in after.unit(unit).markers if after.has_unit(unit)
    )


def lent(unit: str, *abilities: str) -> Callable[[Battle], bool]:
    """Whether a unit has abilities for now."""
    return lambda after: all(after.unit(unit).ability(name) is not None for name in abilities)


def lost(unit: str, wounds: int) -> Callable[[Battle], bool]:
    """Whether a unit of single wounds has lost so many."""
    return lambda after: sum(m.wounds_lost for m in after.unit(unit).models) >= wounds or not after.unit(unit).models


def fewer(unit: str, models: int) -> Callable[[Battle], bool]:
    """Whether a unit has no more than so many models left."""
    return lambda after: len(after.unit(unit).models) <= models


def led(name: str, player: str, at: tuple[float, float], count: int = 2, **more: Any) -> Unit:
    """Intercessors with their Captain beside them."""
    unit = squad(name, player, "Intercessor Squad", at, count, **more)
    captain = squad(f"{name}-lead", player, "Captain", (at[0] + 1.6 * count, at[1]))
    captain = replace(captain, abilities=tuple(a for a in captain.abilities if "discount" not in a))  # at full price
    both = leaders.joined(unit, captain)
    assert isinstance(both, Unit)
    return both


def charged(name: str, target: str, roll: int) -> list[Marker]:
    """The markers of a unit that has declared a charge and rolled."""
    kinds = (("charge-declared", "", 0), ("charge-target", target, 0), ("charge-roll", "", roll))
    return [Marker(kind, subject, amount, "end-of-phase") for kind, subject, amount in kinds]


def re_roll() -> Row:
    men, foe = squad("men", "red", "Intercessor Squad", (10, 10)), squad("foe", "blue", "Boyz", (10, 20))
    return Row(
        "Command Re-roll",
        "core",
        battle(CHARGE, men, foe, cp=POINTS),
        step(Charge("men", ("foe",)), (1, 1, 5, 5), "command-re-roll"),
        "red",
        "men",
        ReactionWindow(rolls.AFTER_ROLL, "men", ("red",), roll=RollAbout("charge", "men")),
        lambda after: any(m.kind == "charge-roll" and m.amount == 10 for m in after.unit("men").markers),
        aboard=False,
    )


def weak() -> Unit:
    return squad("boyz", "red", "Boyz", (5, 5), 4, markers=[Marker("starting-strength", amount=10)])


def bravery(of: str) -> Row:
    boarding = of == "boarding"
    start = battle(
        SHOCK, weak(), squad("foe", "blue", "Boyz", (5, 35)), cp=POINTS, options=BOARDING if boarding else {}
    )
    when = command_phase.SHOCK_FAILED if boarding else command_phase.BEFORE_SHOCK
    return Row(
        "Insane Bravery",
        of,
        start,
        step(EndStep(), (1, 1) if boarding else (), "insane-bravery"),
        "red",
        "boyz",
        ReactionWindow(when, "boyz", ("red",)),
        lambda after: not after.unit("boyz").marked("battle-shocked") and after.unit("boyz").marked("insane-bravery"),
        cost=0,  # one that is gained at the start of the phase is spent
        phases=("command",),
        turn="own",
        once="phase" if boarding else "battle",
        on_shocked=boarding,
        aboard=False,
    )


def clearance() -> Row:
    wall = Terrain("wall", "ruin-wall", ((16.0, 15.0), (60.0, 15.0), (60.0, 15.2), (16.0, 15.2)), 5.0)
    man = squad("men", "red", "Intercessor Squad", (6.0, 4.0), 1, loadout=["bolt rifle", "astartes grenade launcher"])
    foes = squad("boyz", "blue", "Boyz", (10, 22), 11, gap=2.5)
    return Row(
        "Explosive Clearance",
        "boarding",
        battle(SHOOTING, man, foes, cp=POINTS, terrain=(wall,), options=BOARDING),
        step(Stratagem("explosive-clearance", "men", "men-1")),
        "red",
        "men",
        OWN_TIME,
        marked("men", "explosive-clearance", "men-1"),
        phases=("shooting",),
        turn="own",
        until="end-of-phase",
    )


def counter_offensive() -> Row:
    units = []
    for name, player, x in (("r1", "red", 10.0), ("b1", "blue", 10.0), ("r2", "red", 20.0), ("b2", "blue", 20.0)):
        y = 10.0 if player == "red" else 10.0 + B32 + 0.5
        fought = [Marker("fought", "remaining-combats", 1, "end-of-phase")] if name == "b1" else []
        units.append(squad(name, player, "Boyz", (x, y), loadout=["choppa"], markers=fought))
    stays = Consolidate("b1", (Path(Pose(10.0, 10.0 + B32 + 0.5), ()),))
    return Row(
        "Counter-Offensive",
        "core",
        battle(FIGHT, *units, cp=POINTS),
        step(stays, (), "counter-offensive: r2"),
        "red",
        "r2",
        ReactionWindow(fighting.HAS_FOUGHT, "b1", ("red",)),
        lambda after: [u.id for u in fighting.candidates(after)] == ["r2"],
        cost=2,
        phases=("fight",),
        aboard=False,
    )


def overwatch() -> Row:
    mover = squad("men", "red", "Intercessor Squad", (10, 10))
    guard = squad("guard", "blue", "Strike Team", (10, 25), loadout=["pulse rifle"])
    start = battle(MOVE, mover, guard, cp=POINTS)
    return Row(
        "Fire Overwatch",
        "core",
        start,
        step(walk(start, "men", (10, 12)), (5, 6, 3, 2), "fire-overwatch: guard"),
        "blue",
        "guard",
        ReactionWindow(noticing.ENDS, "men", ("blue",)),
        lost("men", 1),
        phases=("movement", "charge"),
        turn="opponent",
        once="turn",
    )


def ingress() -> Row:
    start = battle(
        now("movement", "reinforcements", "blue"),
        squad("s", "red", "Stealth Battlesuits", (0, 0), 1, where="reserves"),
        squad("b", "blue", "Boyz", (50, 5)),
        cp=POINTS,
    )
    return Row(
        "Rapid Ingress",
        "core",
        start,
        step(RapidIngress("s", (Pose(5.3, 30.0),)), ()),
        "red",
        "s",
        ARRIVAL,
        lambda after: after.unit("s").on_table,
        phases=("movement",),
        turn="opponent",
        aboard=False,
    )


def tank_shock() -> Row:
    dread = squad("dread", "red", "Deff Dread", (10, 10), base=Round.mm(60), markers=charged("dread", "foe", 8))
    start = battle(CHARGE, dread, squad("foe", "blue", "Boyz", (10, 18), 10), cp=POINTS)
    into = Path.through(Pose(10, 10), [[10.0, 18 - 30 / 25.4 - B32 / 2]])
    return Row(
        "Tank Shock",
        "core",
        start,
        step(ChargeMove("dread", ("foe",), (into,)), (1, 5, 6, 1, 1, 1, 1, 1, 1, 4), "tank-shock"),
        "red",
        "dread",
        ReactionWindow(charging.CHARGE_ENDED, "dread", ("red",)),
        fewer("foe", 8),
        phases=("charge",),
        turn="own",
        aboard=False,
        before=lambda battle: with_pose(battle, "dread", Pose(10.0, 18 - 30 / 25.4 - B32 / 2)),
    )


def intervention() -> Row:
    charger = squad("men", "red", "Intercessor Squad", (10, 10), markers=charged("men", "foe", 9))
    start = battle(
        CHARGE, charger, squad("foe", "blue", "Boyz", (10, 18)), squad("hero", "blue", "Nobz", (15, 17)), cp=POINTS
    )
    into = Path.through(Pose(10, 10), [[10.0, 18 - B32]])
    return Row(
        "Heroic Intervention",
        "core",
        start,
        step(ChargeMove("men", ("foe",), (into,)), (5, 5), "heroic-intervention: hero"),
        "blue",
        "hero",
        ReactionWindow(charging.CHARGE_ENDED, "men", ("blue",)),
        marked("hero", "charged"),
        phases=("charge",),
        turn="opponent",
        before=lambda battle: with_pose(battle, "men", Pose(10.0, 18 - B32)),
    )


def grenade() -> Row:
    team, foe = squad("team", "red", "Strike Team", (10, 10)), squad("foe", "blue", "Boyz", (10, 17), 10)
    return Row(
        "Grenade",
        "core",
        battle(SHOOTING, team, foe, cp=POINTS),
        step(Stratagem("grenade", "team", "foe"), (3, 4, 5, 6, 1, 2)),
        "red",
        "team",
        OWN_TIME,
        fewer("foe", 7),
        phases=("shooting",),
        turn="own",
    )


def shot_at(title: str, name: str, sheet: str, **more: Any) -> Row:
    """A Stratagem of the unit at which somebody shoots."""
    gun = squad("gun", "red", "Strike Team", (10, 10), loadout=["pulse rifle"])
    target = squad("target", "blue", sheet, (10, 34), abilities=more.pop("abilities", ()))
    fire = Shoot("gun", (AttackWith("gun-1", "pulse rifle", "target"),))
    return Row(
        title,
        more.pop("of", "core"),
        battle(SHOOTING, gun, target, cp=POINTS),
        step(fire, (1,), name),
        "blue",
        "target",
        ReactionWindow(shooting.TARGETS_CHOSEN, "target", ("blue",), other="gun"),
        phases=("shooting",),
        turn="opponent",
        until="end-of-phase",
        aboard=False,
        **more,
    )


def challenge() -> Row:
    mine, theirs = led("mine", "red", (10, 10)), led("theirs", "blue", (10, 10 + B32 + 0.5))
    blows = tuple(AttackWith(m.id, "close combat weapon", "theirs") for m in mine.models)
    return Row(
        "Epic Challenge",
        "core",
        battle(now("fight", "remaining-combats", "blue"), mine, theirs, cp=POINTS),
        step(Fight("mine", blows), (), "epic-challenge: mine-lead-1"),
        "red",
        "mine",
        ReactionWindow(fighting.SELECTED_TO_FIGHT, "mine", ("red",)),
        marked("mine", "epic-challenge", "mine-lead-1"),
        phases=("fight",),
        until="end-of-phase",
        aboard=False,
    )


def trap() -> Row:
    team = squad("team", "red", "Strike Team", (10, 10), loadout=["pulse rifle"], abilities=KAUYON)
    marker = Objective("A", (10.0, 18.0), 40 / 25.4 / 2)
    return Row(
        "A Tempting Trap",
        "kauyon",
        battle(THIRD, team, squad("foe", "blue", "Nobz", (10, 16), 5), objectives=[marker], cp=POINTS),
        step(Stratagem("tempting-trap", "team", "A")),
        "red",
        "team",
        OWN_TIME,
        marked("team", "tempting-trap", "A"),
        phases=("shooting",),
        turn="own",
        until="end-of-phase",
    )


def coordinate() -> Row:
    team = squad("team", "red", "Strike Team", (10, 10), loadout=["pulse rifle"], abilities=KAUYON)
    eyes = squad("eyes", "red", "Pathfinder Team", (14, 10), loadout=["pulse carbine"], abilities=KAUYON)
    return Row(
        "Coordinate to Engage",
        "kauyon",
        battle(SHOOTING, team, eyes, squad("foe", "blue", "Nobz", (10, 25), 5), cp=POINTS),
        step(Guide("team", "eyes", "foe"), (), "coordinate-to-engage"),
        "red",
        "eyes",
        ReactionWindow(guided.OBSERVER_CHOSEN, "eyes", ("red",), other="foe"),
        marked("eyes", "coordinate-to-engage"),
        phases=("shooting",),
        turn="own",
        until="end-of-phase",
        aboard=False,
    )


def ambush() -> Row:
    team = squad("team", "red", "Strike Team", (10, 10), loadout=["pulse rifle"], abilities=KAUYON)
    return Row(
        "Point-Blank Ambush",
        "kauyon",
        battle(THIRD, team, squad("foe", "blue", "Nobz", (10, 16), 5), cp=POINTS),
        step(Stratagem("point-blank-ambush", "team")),
        "red",
        "team",
        OWN_TIME,
        marked("team", "point-blank-ambush"),
        phases=("shooting",),
        turn="own",
        until="end-of-phase",
    )


def pinpoint() -> Row:
    gun = squad("gun", "red", "Hellblaster Squad", (10, 10), loadout=["plasma incinerator"])
    lone = squad("lone", "blue", "Strike Team", (10, 33), abilities=MONTKA)
    mate = squad("mate", "blue", "Strike Team", (40, 40), abilities=MONTKA)
    fire = Shoot("gun", (AttackWith("gun-1", "plasma incinerator", "lone", "standard"),))
    start = battle(SHOOTING, gun, lone, mate, cp=POINTS)
    return Row(
        "Pinpoint Counter-Offensive",
        "montka",
        start,
        step(fire, (6, 6, 6, 6, 1), "pinpoint-counter-offensive"),
        "blue",
        "lone",
        ReactionWindow(parting.UNIT_DESTROYED, "lone", ("blue",), other="gun"),
        marked("gun", "pinpoint", "blue"),
        aboard=False,
        until="end-of-battle",
        before=lambda battle: without(battle, "lone"),
    )


def mobility() -> Row:
    team = squad("team", "red", "Strike Team", (10, 10), abilities=MONTKA)
    return Row(
        "Aggressive Mobility",
        "montka",
        battle(MOVE, team, squad("foe", "blue", "Nobz", (10, 40), 5), cp=POINTS),
        step(Stratagem("aggressive-mobility", "team")),
        "red",
        "team",
        OWN_TIME,
        lambda after: movement.most_advance(after.unit("team")) == 6 and marked("team", movement.SWIFTLY)(after),
        phases=("movement",),
        turn="own",
        until="end-of-phase",
    )


def focused() -> Row:
    team = squad("team", "red", "Strike Team", (10, 10), loadout=["pulse rifle"], abilities=MONTKA)
    mate = squad("mate", "red", "Strike Team", (14, 10), loadout=["pulse rifle"], abilities=MONTKA)
    return Row(
        "Focused Fire",
        "montka",
        battle(SHOOTING, team, mate, squad("foe", "blue", "Nobz", (10, 35), 5), cp=POINTS),
        step(Stratagem("focused-fire", "team", "mate foe")),
        "red",
        "team",
        OWN_TIME,
        lambda after: marked("team", "focused-fire", "foe")(after) and marked("mate", "focused-fire", "foe")(after),
        phases=("shooting",),
        turn="own",
        until="end-of-phase",
    )


def onslaught() -> Row:
    team = squad("team", "red", "Strike Team", (10, 10), loadout=["pulse rifle"], abilities=MONTKA)
    fire = Shoot("team", (AttackWith("team-1", "pulse rifle", "foe"),))
    start = battle(SHOOTING, team, squad("foe", "blue", "Nobz", (10, 35), 5), cp=POINTS)
    return Row(
        "Pulse Onslaught",
        "montka",
        start,
        step(fire, (4, 1), "pulse-onslaught: foe"),
        "red",
        "team",
        ReactionWindow(shooting.HAS_SHOT, "team", ("red",)),
        lambda after: movement.distance_of(after.unit("foe")) == 4.0,
        cost=2,
        phases=("shooting",),
        turn="own",
        until="end-of-opponents-next-turn",
        aboard=False,
        before=lambda battle: with_markers(battle, "foe", Marker("hit", "team", 1, "end-of-phase")),
    )


ROWS = (
    re_roll(),
    bravery("core"),
    bravery("boarding"),
    clearance(),
    counter_offensive(),
    overwatch(),
    ingress(),
    tank_shock(),
    intervention(),
    grenade(),
    shot_at("Smokescreen", "smokescreen", "Rhino", holds=lent("target", "stealth", "benefit-of-cover")),
    shot_at("Go to Ground", "go-to-ground", "Boyz", holds=lent("target", "invulnerable", "benefit-of-cover")),
    challenge(),
    trap(),
    coordinate(),
    ambush(),
    pinpoint(),
    mobility(),
    focused(),
    onslaught(),
    shot_at(
        "Counterfire Defence Systems",
        "counterfire",
        "Broadside Battlesuits",
        abilities=MONTKA,
        of="montka",
        cost=2,
        holds=marked("target", "counterfire"),
    ),
)
EVERY = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.title}, {row.of}")


def with_pose(battle: Battle, unit: str, pose: Pose) -> Battle:
    """The first model of a unit stands somewhere else."""
    found = battle.unit(unit)
    return battle.with_unit(replace(found, models=(replace(found.models[0], pose=pose), *found.models[1:])))


def with_markers(battle: Battle, unit: str, *markers: Marker) -> Battle:
    """A unit with more markers."""
    found = battle.unit(unit)
    return battle.with_unit(replace(found, markers=(*found.markers, *markers)))


def without(battle: Battle, unit: str) -> Battle:
    """A unit is destroyed."""
    return battle.with_unit(replace(battle.unit(unit), models=(), whereabouts="destroyed"))


def card_of(row: Row) -> Card:
    """The record that a row is about."""
    (found,) = (c for c in stratagems.CARDS if c.title == row.title and row.of in c.of)
    return found


def is_open(row: Row, at: Battle) -> bool:
    """Whether the Stratagem of a row could be used on its unit in a battle, as its moment or its command has it."""
    name, command = card_of(row).name, row.step[0]
    if isinstance(command, Stratagem | RapidIngress):
        return Game(RULESET, at).judge(command).legal
    offers = RULESET.reactions(at, row.moment, row.player)
    return any(offer.name.split(":")[0] == name and offer.subjects[0] == row.unit for offer in offers)


def use(row: Row) -> Battle:
    """The battle after the Stratagem, played through a game; what else is offered is declined."""
    game = Game(RULESET, row.start)
    command, faces, wanted = row.step
    game.play(command, ScriptedDice(list(faces)) if faces else SeededDice(1), Choosing(wanted))
    return game.battle


class Choosing:
    """Takes what is wanted, each once, as soon as it is offered; of everything else the first option."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = list(wanted)

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """What is wanted, or the first option."""
        for name in self._wanted:
            if name in need.options:
                self._wanted.remove(name)
                return name
        return need.options[0]


def at(start: Battle, clock: Clock) -> Battle:
    """The same battle at another moment."""
    return replace(start, clock=clock)


def test_every_stratagem_has_its_row() -> None:
    rows = {(row.title, of) for row in ROWS for of in card_of(row).of}
    assert rows == {(card.title, of) for card in stratagems.CARDS for of in card.of}


@EVERY
def test_it_is_paid_and_takes_effect(row: Row) -> None:
    assert not row.holds(row.start)
    after = use(row)
    assert row.holds(after)
    assert command_points(after, row.player) == POINTS - row.cost
    card = card_of(row)
    assert (card.cost, card.turn, card.once, card.lasts) == (max(1, row.cost), row.turn, row.once, row.until)


@EVERY
def test_whose_turn_and_which_phase(row: Row) -> None:
    start = row.before(row.start)
    clock = start.clock
    assert is_open(row, start)
    other = next(p for p in start.players if p != clock.player)
    assert is_open(row, at(start, replace(clock, player=other))) is (row.turn == "either")
    for phase in PHASES:
        there = at(start, Clock(clock.round, clock.player, phase, clock.step))
        if phase not in row.phases:
            assert not is_open(row, there), phase


@EVERY
def test_not_on_the_shocked_nor_aboard_nor_without_points_nor_for_others(row: Row) -> None:
    start = row.before(row.start)
    assert is_open(row, with_markers(start, row.unit, Marker("battle-shocked"))) is row.on_shocked
    poor = replace(start, resources=tuple((p, r, 0) for p, r, _ in start.resources))
    assert not is_open(row, poor)
    if row.aboard:
        unit = start.unit(row.unit)
        models = tuple(replace(m, pose=None) for m in unit.models)
        boat = squad("boat", row.player, "Rhino", (55, 40), base=Round.mm(60))
        gone = replace(start.with_unit(replace(unit, models=models, whereabouts="embarked:boat")))
        assert not is_open(row, replace(gone, units=(*gone.units, boat)))
    if isinstance(row.step[0], Stratagem | RapidIngress):
        return  # of these the owner of the unit is who uses them
    stolen = tuple(replace(u, player="green") if u.id == row.unit else u for u in start.units)
    three = replace(start, units=stolen, players=(*start.players, "green"))
    assert not is_open(row, three)


@EVERY
def test_how_often(row: Row) -> None:
    after = use(row)
    kind = f"used {card_of(row).name}"
    until = {"phase": "end-of-phase", "turn": "end-of-turn", "battle": "end-of-battle"}[row.once]
    assert [m.until for u in after.units for m in u.markers if m.kind == kind] == [until]
    elsewhere = (
        next(u.id for u in row.start.units if u.player == row.player and u.id != row.unit) if False else row.unit
    )
    again = with_markers(row.before(row.start), elsewhere, Marker(kind, until=until))
    assert not is_open(row, again)
    clock = again.clock
    over = apart(again)
    for _ in range(12):
        if over.clock.player != clock.player or (row.once == "phase" and over.clock.phase != clock.phase):
            break
        over = ended(over)
    still = any(m.kind == kind for u in over.units for m in u.markers)
    assert still is (row.once == "battle")


def apart(start: Battle) -> Battle:
    """The same with nobody near an enemy, so that steps can be ended."""
    units = []
    for k, unit in enumerate(start.units):
        y = 3.0 if unit.player == "red" else 41.0
        models = tuple(
            m if m.pose is None else replace(m, pose=Pose(4.0 + 9.0 * k + 1.6 * n, y))
            for n, m in enumerate(unit.models)
        )
        units.append(replace(unit, models=models))
    return replace(start, units=tuple(units))


def ended(start: Battle) -> Battle:
    """The battle after one step more."""
    game = Game(RULESET, start)
    game.play(EndStep(), SeededDice(1))
    return game.battle


@pytest.mark.parametrize("row", [r for r in ROWS if r.until != "at-once"], ids=lambda row: row.title)
def test_until_when(row: Row) -> None:
    over = apart(use(row))
    used_at = over.clock
    opponent = next(p for p in over.players if p != row.player)
    turns: list[tuple[int, str]] = []
    for _ in range(40):
        over = ended(over)
        clock = over.clock
        turns.append((clock.round, clock.player))
        same_phase = (clock.phase, clock.round, clock.player) == (used_at.phase, used_at.round, used_at.player)
        theirs = (used_at.round, opponent) if opponent == "blue" else (used_at.round + 1, opponent)
        last = {
            "end-of-phase": same_phase,
            "end-of-opponents-next-turn": turns[-1] in ((used_at.round, used_at.player), theirs),
            "end-of-battle": True,
        }[row.until]
        assert row.holds(over) is last, clock
        if not last or clock.round > used_at.round + 1:
            break
