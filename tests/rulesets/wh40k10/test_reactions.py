"""Who may answer when: what is offered at each moment of a game as it is played, and what is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, MarkerSet, Objective, Unit, Zone
from sim.battle.state import Circle
from sim.chance import ScriptedDice, SeededDice
from sim.engine import Game, resolve
from sim.geometry import Path, Pose, Round
from sim.players.match import next_command
from sim.rules import Command, EndStep, NeedChoice, Procedure, ReactionWindow, Ruleset
from sim.rulesets.wh40k10 import (
    RULESET,
    chances,
    charging,
    fighting,
    leaders,
    losses,
    movement,
    noticing,
    parting,
    shooting,
)
from sim.rulesets.wh40k10.commands import (
    Advance,
    AttackWith,
    Charge,
    ChargeMove,
    DeepStrike,
    FallBack,
    Fight,
    Guide,
    RapidIngress,
    Shoot,
    Stratagem,
)
from sim.rulesets.wh40k10.resources import command_points
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, SHOOTING, battle, judged, now, squad
from tests.rulesets.wh40k10.test_whose_moment import (
    B32,
    KAUYON,
    MONTKA,
    MOVE,
    POINTS,
    REINFORCE,
    charged,
    ended,
    led,
    walk,
    with_markers,
    without,
)

FIRE = "fire-overwatch"


class Listening:
    """Takes what is wanted as soon as it is offered, else the first option; remembers who was offered what."""

    def __init__(self, *wanted: str) -> None:
        self._wanted = list(wanted)
        self.heard: list[tuple[str, str]] = []
        self.told: list[str] = []
        self.asked: list[str] = []

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """What is wanted, or the first option."""
        self.heard += [(need.player, option.split(":")[0]) for option in need.options[1:]]
        self.told += need.options[1:]
        self.asked.append(need.purpose)
        for name in self._wanted:
            if name in need.options:
                self._wanted.remove(name)
                return name
        return need.options[0]


def resolved(start: Battle, procedure: Procedure, faces: Sequence[int], ears: Listening) -> Battle:
    """The battle after a procedure."""
    return resolve(RULESET, start, procedure, ScriptedDice(list(faces)), ears).battle


def play(start: Battle, command: Command, faces: Sequence[int] = (), *wanted: str) -> tuple[Battle, Listening]:
    """The battle after a command, and what was offered on the way."""
    game, ears = Game(RULESET, start), Listening(*wanted)
    dice = ScriptedDice(list(faces)) if faces else SeededDice(3)
    game.play(command, dice, ears)
    if isinstance(dice, ScriptedDice):
        assert dice.left == 0
    return game.battle, ears


def offered(start: Battle, when: str, subject: str, player: str, other: str = "") -> set[str]:
    """The Stratagems that a player may use at a moment."""
    window = ReactionWindow(when, subject, (player,), other=other)
    return {offer.name.split(":")[0] for offer in RULESET.reactions(start, window, player)}


def rifle(name: str, player: str, at: tuple[float, float], **more: object) -> Unit:
    """One pulse rifle."""
    return squad(name, player, "Strike Team", at, loadout=["pulse rifle"], **more)  # type: ignore[arg-type]


# --- whose turn it is


def test_nobody_fires_overwatch_in_the_own_turn() -> None:
    guard = rifle("guard", "blue", (20, 30))
    hidden = squad("s", "red", "Stealth Battlesuits", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    start = battle(now("movement", "reinforcements", "blue"), hidden, guard, cp=POINTS)
    arrived, ears = play(start, RapidIngress("s", (Pose(5.3, 30.0),)))
    assert arrived.unit("s").on_table
    assert (("blue", FIRE)) not in ears.heard
    own = replace(start, clock=REINFORCE)
    _, ears = play(own, DeepStrike("s", (Pose(5.3, 30.0),)))
    assert ("blue", FIRE) in ears.heard, "in the opponent's Movement phase it is"


def heroes_charge() -> Battle:
    """Red's men charge blue's foe; a Dreadnought of blue's stands near, and a rifle of red's looks on."""
    return battle(
        CHARGE,
        squad("men", "red", "Intercessor Squad", (10, 10), markers=charged("men", "foe", 9)),
        rifle("eyes", "red", (18, 5)),
        squad("foe", "blue", "Boyz", (10, 18)),
        squad("hero", "blue", "Deff Dread", (15, 17), base=Round.mm(60)),
        squad("mob", "red", "Nobz", (18, 20)),
        cp=POINTS,
    )


def test_a_heroic_intervention_opens_neither_overwatch_nor_another_nor_tank_shock() -> None:
    into = Path.through(Pose(10, 10), [[10.0, 18 - B32]])
    after, ears = play(heroes_charge(), ChargeMove("men", ("foe",), (into,)), (), "heroic-intervention: hero")
    assert after.unit("hero").marked("charged")
    assert ("blue", "heroic-intervention") in ears.heard
    assert ("red", FIRE) not in ears.heard
    assert ("red", "heroic-intervention") not in ears.heard
    assert ("blue", "tank-shock") not in ears.heard


def test_nothing_of_the_shooting_phase_answers_overwatch() -> None:
    mover = squad("men", "red", "Boyz", (10, 10), abilities=MONTKA)
    start = battle(MOVE, mover, rifle("guard", "blue", (10, 25)), cp=POINTS)
    _, ears = play(start, walk(start, "men", (10, 12)), (), "fire-overwatch: guard")
    assert ("blue", FIRE) in ears.heard
    assert not {name for player, name in ears.heard if player == "red"} & {"counterfire", "go-to-ground"}


# --- Fire Overwatch


def engaged_pair(extra: Unit) -> Battle:
    """Red's Deff Dread beside a blue mob, and somebody who looks on."""
    walker = squad("walker", "red", "Deff Dread", (10, 10), base=Round.mm(60))
    mob = squad("mob", "blue", "Boyz", (10, 12.6))
    return battle(MOVE, walker, mob, extra, cp=POINTS)


def back(start: Battle, unit: str, dy: float) -> FallBack:
    """A unit falls back straight down the table."""
    paths = [Path.through(m.pose, [[m.pose.x, m.pose.y + dy]]) for m in start.unit(unit).models if m.pose]
    return FallBack(unit, tuple(paths))


def test_overwatch_when_a_fall_back_starts_and_when_it_ends() -> None:
    start = engaged_pair(rifle("guard", "blue", (10, 25)))
    assert FIRE in offered(start, noticing.STARTS, "walker", "blue")
    _, ears = play(start, back(start, "walker", -4))
    assert ears.told.count("fire-overwatch: guard") == 2
    assert ears.told.count("fire-overwatch: mob") == 1, "once it is no longer engaged"
    fired, _ = play(start, back(start, "walker", -4), (), "fire-overwatch: guard")
    assert fired.unit("guard").marked("used fire-overwatch")
    assert fired.unit("walker").marked("fell-back")


def test_who_is_engaged_fires_no_overwatch() -> None:
    tank = squad("tank", "blue", "Deff Dread", (30, 10), base=Round.mm(60), loadout=["big shoota"])
    pistols = squad("pistols", "blue", "Boyz", (40, 10), loadout=["slugga"])
    near = [squad("a", "red", "Boyz", (30, 12.6)), squad("b", "red", "Boyz", (40, 10 + B32 + 0.5))]
    mover = squad("men", "red", "Boyz", (35, 18))
    held = battle(MOVE, tank, pistols, *near, mover, cp=POINTS)
    assert FIRE not in offered(held, noticing.ENDS, "men", "blue")
    free = battle(MOVE, tank, pistols, mover, cp=POINTS)
    assert FIRE in offered(free, noticing.ENDS, "men", "blue")


def test_nobody_fires_overwatch_out_of_a_firing_deck() -> None:
    boat = squad("boat", "blue", "Trukk", (20, 20), base=Round.mm(100), loadout=["spiked wheels"])
    riders = squad("riders", "blue", "Boyz", (0, 0), 5, where="embarked:boat", loadout=["shoota"])
    start = battle(MOVE, boat, riders, squad("men", "red", "Boyz", (20, 28)), cp=POINTS)
    assert shooting.eligible(start, start.unit("boat")), "in its own phase it could"
    assert FIRE not in offered(start, noticing.ENDS, "men", "blue")


@pytest.mark.parametrize(
    ("abilities", "loadout", "open_to"),
    [((), "pulse rifle", True), (("lone-operative",), "pulse rifle", False), ((), "pulse pistol", False)],
)
def test_overwatch_is_offered_only_where_a_shot_can_be_fired(
    abilities: tuple[str, ...], loadout: str, open_to: bool
) -> None:
    guard = squad("guard", "blue", "Strike Team", (10, 26), loadout=[loadout])
    start = battle(MOVE, squad("men", "red", "Boyz", (10, 10), abilities=abilities), guard, cp=POINTS)
    assert (FIRE in offered(start, noticing.ENDS, "men", "blue")) is open_to
    after, ears = play(start, walk(start, "men", (10, 11)), (), "fire-overwatch: guard")
    assert (("blue", FIRE) in ears.heard) is open_to
    assert command_points(after, "blue") == POINTS - open_to


def test_titanic_units_fire_no_overwatch() -> None:
    guard = rifle("guard", "blue", (10, 25), keywords=["TITANIC"])
    start = battle(MOVE, squad("men", "red", "Boyz", (10, 10)), guard, cp=POINTS)
    assert FIRE not in offered(start, noticing.ENDS, "men", "blue")


def test_hazardous_wounds_of_an_overwatch_wait_for_the_end_of_the_charge() -> None:
    guard = squad("guard", "blue", "Hellblaster Squad", (10, 20), 2, loadout=["plasma incinerator"])
    start = battle(CHARGE, squad("men", "red", "Nobz", (10, 10), wounds=0), guard, cp=POINTS)
    game = Game(RULESET, start)
    supercharged = Listening("fire-overwatch: guard")
    game.play(Charge("men", ("guard",)), SeededDice(3), supercharged)
    fired = [m for m in game.battle.unit("guard").markers if m.kind == shooting.HAZARD_WAITS]
    owed = with_markers(start, "guard", Marker(shooting.HAZARD_WAITS, "men", 1, "end-of-phase"))
    assert len(owed.unit("guard").models) == 2
    for marker in charged("men", "guard", 12):
        owed = with_markers(owed, "men", marker)
    into = Path.through(Pose(10, 10), [[10.0, 20 - B32]])
    after, _ = play(owed, ChargeMove("men", ("guard",), (into,)))
    assert len(after.unit("guard").models) == 1, "after the move"
    assert not after.unit("guard").marked(shooting.HAZARD_WAITS)
    assert all(m.subject == "men" for m in fired)


def test_hazardous_tests_of_an_overwatch_are_rolled_at_once_and_suffered_later() -> None:
    guard = squad("guard", "blue", "Hellblaster Squad", (10, 20), loadout=["plasma incinerator"])
    start = battle(CHARGE, squad("men", "red", "Nobz", (10, 10)), guard, cp=POINTS)

    def procedure() -> Procedure:
        shot = AttackWith("guard-1", "plasma incinerator", "men", "supercharge")
        yield from shooting.fire(start, "guard", (shot,), overwatch=True)

    after = resolved(start, procedure(), (1, 1, 1), Listening())
    assert [m.amount for m in after.unit("guard").markers if m.kind == shooting.HAZARD_WAITS] == [1]
    assert after.unit("guard").models, "nobody has suffered yet"
    over = ended(after)
    assert not over.unit("guard").models, "no Charge move came: at the end of the phase at the latest"


# --- the end and the start of a phase


def test_nothing_of_the_phase_comes_after_rapid_ingress() -> None:
    mine = squad("s", "red", "Stealth Battlesuits", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    theirs = squad("t", "blue", "Stealth Battlesuits", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    others = (squad("r", "red", "Boyz", (50, 40)), squad("b", "blue", "Boyz", (50, 5)))
    start = battle(now("movement", "reinforcements", "blue"), mine, theirs, *others, cp=POINTS)
    assert {o.command for o in RULESET.available(start)} == {"deep-strike", "strategic-reserves", "end-step"}
    done, _ = play(start, EndStep())
    assert done.clock == start.clock, "the opponent may answer first"
    assert {(o.command, o.unit) for o in RULESET.available(done)} == {("rapid-ingress", "s"), ("end-step", "")}
    late = DeepStrike("t", (Pose(30.0, 20.0),))
    assert judged(start, late).legal
    assert judged(done, late).codes == ("wrong-phase",)
    arrived, _ = play(done, RapidIngress("s", (Pose(5.3, 30.0),)))
    assert judged(arrived, late).codes == ("wrong-phase",)
    assert {o.command for o in RULESET.available(arrived)} == {"end-step"}
    over, _ = play(arrived, EndStep())
    assert over.clock.phase == "shooting"


def test_rapid_ingress_is_not_used_before_the_opponent_has_ended_the_phase() -> None:
    mine = squad("s", "red", "Stealth Battlesuits", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    start = battle(now("movement", "move-units", "blue"), mine, squad("b", "blue", "Boyz", (50, 5)), cp=POINTS)
    arrival = RapidIngress("s", (Pose(5.3, 30.0),))
    coming, _ = play(start, EndStep())
    assert coming.clock.step == "reinforcements"
    assert judged(coming, arrival).codes == ("wrong-phase",)
    ended, _ = play(coming, EndStep())
    assert ended.clock == coming.clock
    arrived, _ = play(ended, arrival)
    assert arrived.unit("s").on_table


@pytest.mark.parametrize("comes", [True, False])
def test_a_computer_answers_the_end_of_a_persons_phase_and_goes_on(comes: bool) -> None:
    """Red is played by a computer, blue by a person who has just ended the phase."""
    mine = squad("s", "red", "Stealth Battlesuits", (0, 0), 1, where="reserves", abilities=["deep-strike"])
    start = battle(now("movement", "move-units", "blue"), mine, squad("b", "blue", "Boyz", (50, 5)), cp=POINTS)
    computers = {"red": Comes(comes)}
    coming, _ = play(start, EndStep())
    assert next_command(RULESET, coming, computers) is None, "the person has not ended it"
    ended, _ = play(coming, EndStep())
    command = next_command(RULESET, ended, computers)
    assert isinstance(command, RapidIngress if comes else EndStep)
    after, _ = play(ended, command)
    if comes:
        assert after.unit("s").on_table
        assert next_command(RULESET, after, computers) is None, "the person goes on"
    else:
        assert after.clock.phase == "shooting"


class Comes:
    """Arrives at once where it may, if it ever does."""

    def __init__(self, comes: bool) -> None:
        self.comes = comes

    def next(self, ruleset: Ruleset, battle: Battle) -> Command | None:
        """What it does next."""
        return RapidIngress("s", (Pose(5.3, 30.0),)) if self.comes else EndStep()

    def choose(self, battle: Battle, need: NeedChoice) -> str:
        """The first answer."""
        return need.options[0]


def test_focused_fire_comes_before_everything_else_of_the_phase() -> None:
    team, mate = rifle("team", "red", (10, 10), abilities=MONTKA), rifle("mate", "red", (14, 10), abilities=MONTKA)
    third = rifle("third", "red", (18, 10), abilities=MONTKA)
    start = battle(SHOOTING, team, mate, third, squad("foe", "blue", "Nobz", (10, 35), 5), cp=POINTS)
    use = Stratagem("focused-fire", "team", "mate foe")
    assert judged(start, use).legal
    spotted, _ = play(start, Guide("third", "team", "foe"))
    assert judged(spotted, use).codes == ("wrong-phase",)
    shot, _ = play(start, Shoot("third", (AttackWith("third-1", "pulse rifle", "foe"),)))
    assert judged(shot, use).codes == ("wrong-phase",)


# --- on whom


def test_focused_fire_needs_two_units_that_can_be_helped() -> None:
    team, mate = rifle("team", "red", (10, 10), abilities=MONTKA), rifle("mate", "red", (14, 10), abilities=MONTKA)
    start = battle(SHOOTING, team, mate, squad("foe", "blue", "Nobz", (10, 35), 5), cp=POINTS)
    use = Stratagem("focused-fire", "team", "mate foe")
    assert judged(with_markers(start, "mate", Marker("battle-shocked")), use).codes == ("not-eligible",)
    aboard = start.with_unit(
        replace(start.unit("mate"), whereabouts="embarked:boat", models=(replace(mate.models[0], pose=None),))
    )
    assert judged(aboard, use).codes == ("not-eligible",)


def test_pinpoint_counter_offensive_is_for_enemies_and_not_on_the_shocked() -> None:
    gun, rig = squad("gun", "red", "Boyz", (10, 10)), squad("rig", "blue", "Tidewall Gunrig", (40, 20))
    lone, mate = rifle("lone", "blue", (10, 33), abilities=MONTKA), rifle("mate", "blue", (40, 40), abilities=MONTKA)
    start = without(battle(SHOOTING, gun, rig, lone, mate, cp=POINTS), "lone")
    name = {"pinpoint-counter-offensive"}
    assert offered(start, parting.UNIT_DESTROYED, "lone", "blue", "gun") == name
    assert offered(start, parting.UNIT_DESTROYED, "lone", "blue", "rig") == set(), "an own wreck is no enemy"
    shocked = with_markers(start, "lone", Marker("battle-shocked"))
    assert offered(shocked, parting.UNIT_DESTROYED, "lone", "blue", "gun") == set()


def destroyed_moments(start: Battle, models: Sequence[str]) -> list[str]:
    """What is said to have been destroyed when these models are, one after another."""

    def procedure() -> Procedure:
        at = start
        for name in models:
            at = yield from losses.destroy(at, "squad", (name,), "gun")

    ears = Listening()
    resolved(start, procedure(), (), ears)
    return [text.rpartition("has destroyed ")[2].rstrip(")") for text in ears.asked]


def test_a_unit_and_its_leader_are_destroyed_each_by_itself() -> None:
    both = led("squad", "blue", (10, 20), abilities=MONTKA)
    own, lead = (
        [m.id for m in both.own_models],
        [m.id for m in both.models if m.id not in {o.id for o in both.own_models}],
    )
    start = battle(SHOOTING, squad("gun", "red", "Boyz", (10, 10)), both, rifle("m", "blue", (40, 40)), cp=POINTS)
    assert destroyed_moments(start, own) == ["squad"]
    assert destroyed_moments(start, lead) == ["squad-lead"]
    assert len(destroyed_moments(start, [*own, *lead])) == 2
    assert destroyed_moments(start, own[:1]) == []


def test_rapid_ingress_not_of_the_shocked() -> None:
    hidden = squad(
        "s",
        "red",
        "Stealth Battlesuits",
        (0, 0),
        1,
        where="reserves",
        abilities=["deep-strike"],
        markers=[Marker("battle-shocked")],
    )
    start = battle(now("movement", "reinforcements", "blue"), hidden, squad("b", "blue", "Boyz", (50, 5)), cp=POINTS)
    assert judged(start, RapidIngress("s", (Pose(5.3, 30.0),))).codes == ("not-eligible",)
    assert {o.command for o in RULESET.available(ended_step(start))} == set() or ended_step(
        start
    ).clock.phase == "shooting"


def ended_step(start: Battle) -> Battle:
    """The battle after the step."""
    return play(start, EndStep())[0]


# --- Pulse Onslaught


def shaken_mob(distance: float) -> Battle:
    """A mob in its Charge phase, shaken since the opponent's turn."""
    mark = Marker(movement.SHAKEN, "red", 2, "end-of-turn", player="blue", round=2)
    mob = squad("foe", "blue", "Nobz", (10, 10 + distance), markers=[mark])
    return battle(now("charge", "charge", "blue"), squad("men", "red", "Boyz", (10, 10)), mob, cp=POINTS)


def test_the_shaken_need_more_to_charge_in_odds_in_words_and_in_play() -> None:
    start = shaken_mob(8.0)
    plain = start.with_unit(replace(start.unit("foe"), markers=()))
    charge = Charge("foe", ("men",))
    needs, eased = (charging.needed(at, at.unit("foe"), ("men",)) for at in (start, plain))
    assert (needs, eased) == (8, 6)
    (odds,) = chances.odds(start, charge)
    assert odds.lines[0].startswith("needs 8")
    assert any("-2" in line for line in odds.lines)
    assert "needs 8" in chances.describe(start, charge)
    play_of = RULESET.play("charge")
    assert play_of.outcome is not None
    for faces, word in (((3, 4), "fails"), ((4, 4), "reaches")):
        game = Game(RULESET, start)
        entry = game.play(charge, ScriptedDice(list(faces)), Listening())
        found = play_of.outcome(start, charge, entry.events, game.battle)
        assert found["outcome"] == word
        assert found["distance"] == sum(faces) - 2


def test_the_shaken_advance_less_far() -> None:
    start = replace(shaken_mob(30.0), clock=now("movement", "move-units", "blue"))
    assert movement.distance_of(start.unit("foe")) == 4.0
    told = Advance("foe", (Path.through(Pose(10, 40), [[10.0, 33.0]]),))
    entry = Game(RULESET, start).play(told, ScriptedDice([5]), Listening())
    rolled = [e.marker.amount for e in entry.events if isinstance(e, MarkerSet) and e.marker.kind == "advance-roll"]
    assert rolled == [3]


# --- Command Re-roll


def again(start: Battle, command: Command, faces: Sequence[int], *wanted: str) -> tuple[Battle, Listening]:
    """As ``play``, with a Command Re-roll as soon as one is offered."""
    return play(start, command, faces, "command-re-roll", *wanted)


def test_a_desperate_escape_may_be_rolled_again() -> None:
    boyz = squad("boyz", "red", "Boyz", (10, 10), 2, markers=[])
    start = battle(MOVE, boyz, squad("foe", "blue", "Boyz", (10, 11.8)), cp=POINTS)
    paths = tuple(Path.through(m.pose, [[m.pose.x, 15.5]]) for m in boyz.models if m.pose)
    after, ears = again(start, FallBack("boyz", paths), (1, 5))
    assert ("red", "command-re-roll") in ears.heard
    assert len(after.unit("boyz").models) == 2
    assert command_points(after, "red") == POINTS - 1


def test_a_battle_shock_test_may_not() -> None:
    weak = squad("boyz", "red", "Boyz", (5, 5), 4, markers=[Marker("starting-strength", amount=10)])
    start = battle(now("command", "command"), weak, cp=POINTS)
    after, ears = again(start, EndStep(), (1, 1))
    assert ("red", "command-re-roll") not in ears.heard
    assert after.unit("boyz").marked("battle-shocked")


def test_both_dice_of_a_number_of_attacks_fall_again() -> None:
    squad_of = squad("men", "red", "Terminator Squad", (10, 10), loadout=["cyclone missile launcher"])
    start = battle(SHOOTING, squad_of, squad("foe", "blue", "Boyz", (10, 30), 3), cp=POINTS)
    shot = Shoot("men", (AttackWith("men-1", "cyclone missile launcher", "foe", "frag"),))
    game = Game(RULESET, start)
    entry = game.play(shot, SeededDice(4), Listening("command-re-roll"))
    assert [len(faces) for faces in entry.faces[:2]] == [2, 2]


def test_who_rolls_again_by_itself_may_buy_what_has_not_fallen_twice() -> None:
    hunter = squad("hunter", "red", "Strike Team", (10, 10), loadout=["pulse rifle"])
    foe = squad("foe", "blue", "Nobz", (10, 30), markers=[Marker("pinpoint", "red")])
    start = battle(SHOOTING, hunter, foe, cp=POINTS)
    shot = Shoot("hunter", (AttackWith("hunter-1", "pulse rifle", "foe"),))
    _, ears = play(start, shot, (4, 1))  # a hit at once: that die may still be bought anew
    assert ears.heard.count(("red", "command-re-roll")) == 2
    _, ears = play(start, shot, (1, 2))  # failed, and again: it has fallen twice
    assert ears.heard.count(("red", "command-re-roll")) == 0


# --- Insane Bravery


def test_insane_bravery_of_boarding_actions_more_than_once_a_battle() -> None:
    weak = squad("boyz", "red", "Boyz", (5, 5), 4, markers=[Marker("starting-strength", amount=10)])
    start = battle(now("command", "command"), weak, cp=POINTS, options={"stratagems": "boarding"})
    brave, _ = play(start, EndStep(), (1, 1), "insane-bravery")
    assert not brave.unit("boyz").marked("battle-shocked")
    while (brave.clock.player, brave.clock.step) != ("red", "command"):
        brave = ended(brave)
    after, ears = play(brave, EndStep(), (1, 1), "insane-bravery")
    assert ("red", "insane-bravery") in ears.heard
    assert not after.unit("boyz").marked("battle-shocked")


# --- the rest of the Core set


def test_grenades_are_thrown_by_who_is_free_at_who_is_free() -> None:
    team, foe = squad("team", "red", "Strike Team", (10, 10)), squad("foe", "blue", "Boyz", (10, 17), 10)
    throw = Stratagem("grenade", "team", "foe")
    start = battle(SHOOTING, team, foe, cp=POINTS)
    assert judged(start, throw).legal
    for kind in ("shot", "advanced", "fell-back"):
        assert judged(with_markers(start, "team", Marker(kind)), throw).codes == ("not-eligible",)
    far = battle(SHOOTING, team, squad("foe", "blue", "Boyz", (10, 10 + 8 + B32 + 0.01)), cp=POINTS)
    assert judged(far, throw).codes == ("not-eligible",)
    held = battle(SHOOTING, team, foe, squad("mate", "red", "Boyz", (10, 17 + B32 + 0.5)), cp=POINTS)
    assert judged(held, throw).codes == ("not-eligible",)
    engaged = battle(SHOOTING, team, foe, squad("near", "blue", "Boyz", (10, 10 + B32 + 0.5)), cp=POINTS)
    assert judged(engaged, throw).codes == ("not-eligible",)
    bare = battle(SHOOTING, squad("team", "red", "Broadside Battlesuits", (10, 10)), foe, cp=POINTS)
    assert judged(bare, throw).codes == ("not-eligible",)
    after, _ = play(start, throw, (1, 2, 3, 4, 5, 6))
    assert len(after.unit("foe").models) == 7
    assert judged(after, Shoot("team", (AttackWith("team-1", "pulse pistol", "foe"),))).legal, "it may still shoot"


def saved_on(start: Battle, name: str, faces: Sequence[int]) -> Battle:
    """A shot at the target, which answers it."""
    shot = Shoot("gun", (AttackWith("gun-1", "pulse rifle", "target"),))
    return play(start, shot, faces, name)[0]


def test_go_to_ground_saves_on_a_six_and_in_cover() -> None:
    gun, boyz = rifle("gun", "red", (10, 10)), squad("target", "blue", "Boyz", (10, 34), 2)
    start = battle(SHOOTING, gun, boyz, cp=POINTS)
    assert len(saved_on(start, "", (4, 4, 4)).unit("target").models) == 1, "a Save of 5+ and no AP"
    assert len(saved_on(start, "go-to-ground", (4, 4, 4)).unit("target").models) == 2, "cover makes it 4+"


def test_smokescreen_hides() -> None:
    gun = rifle("gun", "red", (10, 10))
    start = battle(SHOOTING, gun, squad("target", "blue", "Rhino", (10, 34), base=Round.mm(80)), cp=POINTS)
    _, ears = play(start, Shoot("gun", (AttackWith("gun-1", "pulse rifle", "target"),)), (4,), "smokescreen")
    assert ("blue", "smokescreen") in ears.heard, "a 4 no longer hits"
    assert ("blue", "go-to-ground") not in ears.heard


def test_an_epic_challenge_picks_out_the_leader() -> None:
    mine, theirs = led("mine", "red", (10, 10), 1), led("theirs", "blue", (10, 10 + B32 + 0.5), 1)
    start = battle(now("fight", "remaining-combats", "blue"), mine, theirs, cp=POINTS)
    blows = tuple(AttackWith(m.id, "close combat weapon", "theirs") for m in mine.models)
    for wanted, picks in (("epic-challenge: mine-lead-1", True), ("", False)):
        game, ears = Game(RULESET, start), Listening(wanted)
        entry = game.play(Fight("mine", blows), SeededDice(5), ears)
        assert any(e.purpose.startswith("Precision") for e in entry.events if hasattr(e, "purpose")) is picks


# --- Counter-Offensive, A Tempting Trap


def test_counter_offensive_is_for_who_can_fight() -> None:
    units = []
    for name, player, x in (("r1", "red", 10.0), ("b1", "blue", 10.0), ("r2", "red", 20.0), ("b2", "blue", 20.0)):
        y = 10.0 if player == "red" else 10.0 + B32 + 0.5
        units.append(squad(name, player, "Boyz", (x, y), loadout=["choppa"]))
    start = battle(FIGHT, *units, squad("far", "red", "Boyz", (50, 5)), cp=POINTS)
    window = ReactionWindow(fighting.HAS_FOUGHT, "b1", ("red",))
    assert {o.name for o in RULESET.reactions(start, window, "red")} == {
        "counter-offensive: r1",
        "counter-offensive: r2",
    }
    assert offered(start, fighting.HAS_FOUGHT, "r1", "red") == set(), "just after an enemy has fought"


def test_a_marker_in_a_disc_cut_out_of_the_enemy_zone_may_be_the_trap() -> None:
    team = rifle("team", "red", (10, 10), abilities=KAUYON)
    foe = squad("foe", "blue", "Nobz", (10, 16), 5)
    at = now("shooting", "shoot", number=3)
    start = battle(at, team, foe, objectives=[Objective("A", (10.0, 18.0), 0.8)], cp=POINTS)
    outline = ((0.0, 15.0), (60.0, 15.0), (60.0, 44.0), (0.0, 44.0))
    for minus, codes in (((), ("not-eligible",)), ((Circle((10.0, 18.0), 3.0),), ())):
        field = replace(start.battlefield, zones=(Zone("z", "blue", outline, minus),))
        assert judged(replace(start, battlefield=field), Stratagem("tempting-trap", "team", "A")).codes == codes


# --- markers


def test_a_marker_that_ends_takes_no_other_with_it() -> None:
    both = [Marker("blessed", "a", until="end-of-phase"), Marker("blessed", "b", until="end-of-battle")]
    start = battle(now("charge", "charge"), squad("men", "red", "Boyz", (10, 10), markers=both))
    assert [m.subject for m in ended(start).unit("men").markers] == ["b"]


def test_several_answers_at_one_moment() -> None:
    gun = rifle("gun", "red", (10, 10))
    target = squad("target", "blue", "Boyz", (10, 34), 2, keywords=["SMOKE"], abilities=MONTKA)
    start = battle(SHOOTING, gun, replace(target, keywords=(*target.keywords, "SMOKE")), cp=POINTS)
    shot = Shoot("gun", (AttackWith("gun-1", "pulse rifle", "target"),))
    after, _ = play(start, shot, (1,), "go-to-ground", "smokescreen", "counterfire")
    assert command_points(after, "blue") == POINTS - 4
    assert all(after.unit("target").marked(f"used {name}") for name in ("go-to-ground", "smokescreen", "counterfire"))
    assert leaders.invulnerable(after.unit("target"), None) == 6
