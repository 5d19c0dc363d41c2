"""Who is a unit once its bodyguard or its leader is gone, however that went? Played, with dice written down."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from rulesets.wh40k10.stage import FIRST, SHOOTING, battle, judged, now, played, squad
from sim.battle import (
    Battle,
    BattleError,
    ChoiceMade,
    DiceRolled,
    Marker,
    Objective,
    Unit,
    UnitParted,
    decode,
    encode,
    evolve,
    evolve_all,
)
from sim.battle.events import Event
from sim.battle.state import DESTROYED
from sim.chance import ScriptedDice
from sim.engine import Entry, FirstChoice, Game, resolve
from sim.geometry import Path, Pose
from sim.rules import EndStep, Procedure
from sim.rulesets.wh40k10 import RULESET, command_phase, leaders, losses, parting, quantifiers, volleys
from sim.rulesets.wh40k10.commands import AttackWith, FallBack, Fight, NormalMove, ScoutMove, Shoot
from sim.rulesets.wh40k10.datasheets import Weapon, sheets
from sim.rulesets.wh40k10.strength import starting_strength
from sim.rulesets.wh40k10.volleys import Circumstances, Volley

MOVEMENT = now("movement", "move-units", player="blue")
SHOCKED = Marker("battle-shocked", until="next-command-phase")


def joined(unit: Unit, *others: Unit) -> Unit:
    """A unit with those that lead it."""
    for leader in others:
        both = leaders.joined(unit, leader)
        assert isinstance(both, Unit), both
        unit = both
    return unit


def captain(name: str, at: tuple[float, float], toughness: float = 5.0, abilities: Sequence[str] = ()) -> Unit:
    """A Captain who is tougher than those that he leads."""
    unit = squad(name, "blue", "Captain", at, abilities=abilities)
    return replace(unit, profile=tuple(sorted((dict(unit.profile) | {"T": toughness}).items())))


def led(count: int = 1, abilities: Sequence[str] = (), of_captain: Sequence[str] = (), **fields: object) -> Unit:
    """Intercessors with a Captain, far up the table."""
    men = squad("men", "blue", "Intercessor Squad", (30, 34), count, abilities=abilities)
    return replace(joined(men, captain("captain", (30, 35.6), abilities=of_captain)), **fields)


def gunner(name: str = "gun", x: float = 30.0) -> Unit:
    """One model with a gun that kills an Intercessor, and one that hurts."""
    return squad(name, "red", "Lootas", (x, 2), loadout=("deffgun", "big shoota"))


def shot(unit: str, *pairs: tuple[str, str]) -> Shoot:
    """Shooting with one model: weapons and targets."""
    return Shoot(unit, tuple(AttackWith(f"{unit}-1", weapon, target) for weapon, target in pairs))


KILLED = (6, 2, 2, 1)  # one of two shots of the deffgun hits, wounds and is not saved


def alone(count: int = 1, of_captain: Sequence[str] = ()) -> Battle:
    """The battle after the last Intercessor was shot."""
    start = battle(SHOOTING, gunner(), gunner("next", 34.0), led(count, of_captain=of_captain))
    return played(start, (shot("gun", ("deffgun", "men")), KILLED))


def told(entries: Sequence[Entry]) -> list[str]:
    """What was rolled for."""
    return [e.purpose for entry in entries for e in entry.events if isinstance(e, DiceRolled)]


# --- by attacks


def test_toughness_stays_until_the_unit_has_resolved_all_of_its_attacks() -> None:
    start = battle(SHOOTING, gunner(), led())
    both = shot("gun", ("deffgun", "men"), ("big shoota", "men"))
    after = played(start, (both, (*KILLED, 6, 6, 2, 3, 2, 1)))  # the big shoota wounds on 3+, as an Intercessor's
    assert after.model("captain-1").wounds_lost == 1
    assert after.unit("captain").on_table


def test_who_led_is_a_unit_of_his_own_afterwards() -> None:
    after = alone()
    men, him = after.unit("men"), after.unit("captain")
    assert (men.whereabouts, men.models, men.attached) == (DESTROYED, (), ())
    assert [u.id for u in after.units] == ["gun", "next", "men", "captain"]
    assert him.name == "captain"
    assert him.datasheet == "Captain"
    assert after.model("captain-1").unit == "captain"
    assert him.has("CHARACTER")
    assert not him.has("INTERCESSOR SQUAD", "BATTLELINE")
    assert him.ability("sticky-objective") is None
    assert him.value("T") == 5
    assert starting_strength(him) == 1
    assert not him.marked(parting.AS_ONE)
    assert him.points + men.points == led().points


def test_the_next_unit_wounds_him_by_his_own_toughness() -> None:
    game = Game(RULESET, alone())
    game.play(shot("next", ("big shoota", "captain")), ScriptedDice((6, 6, 2, 3, 3)))  # S5 against T5: 4+
    assert any("wound on 4+" in purpose for purpose in told(game.entries))
    assert game.battle.model("captain-1").wounds_lost == 0


def test_his_own_lone_operative_counts_when_he_is_alone_and_not_before() -> None:
    at_the_unit = battle(SHOOTING, gunner(), led(of_captain=("lone-operative",)))
    assert judged(at_the_unit, shot("gun", ("deffgun", "men"))).legal
    verdict = judged(alone(of_captain=("lone-operative",)), shot("next", ("big shoota", "captain")))
    assert [v.rule for v in verdict.violations] == ["Lone Operative"]


@pytest.mark.parametrize("both", [True, False])
def test_stealth_is_for_units_of_which_every_model_has_it(both: bool) -> None:
    his = ("stealth",) if both else ()
    start = battle(SHOOTING, gunner(), led(2, abilities=("stealth",), of_captain=his))
    game = Game(RULESET, start)
    game.play(shot("gun", ("deffgun", "men")), ScriptedDice((2, 2)))
    assert ("Stealth" in told(game.entries)[0]) is both


def test_what_he_hindered_is_there_again_when_he_is_gone() -> None:
    tokens = ("stealth", "fights-first", "infiltrators", "deep-strike")
    start = engaged(3, abilities=tokens)
    assert not any(quantifiers.every(start.unit("men"), token) for token in tokens)
    after = played(start, (away(start), (6, 6, 6, 1), ["captain-1"]))
    men, him = after.unit("men"), after.unit("captain")
    assert all(quantifiers.every(men, token) for token in tokens)
    assert (him.whereabouts, him.models) == (DESTROYED, ())
    assert starting_strength(men) == 3


def test_two_leaders_part_and_each_is_himself() -> None:
    men = squad("men", "blue", "Intercessor Squad", (30, 34), abilities=("two-leaders 1",))
    one = captain("one", (30, 35.6), 5, ("stealth",))
    two = captain("two", (32, 35.6), 6)
    start = battle(SHOOTING, gunner(), gunner("next", 34.0), joined(men, one, two))
    assert starting_strength(start.unit("men")) == 3
    after = played(start, (shot("gun", ("deffgun", "men")), KILLED))
    assert [(u.id, len(u.models)) for u in after.units if u.player == "blue"] == [("men", 0), ("one", 1), ("two", 1)]
    assert [after.unit(name).value("T") for name in ("one", "two")] == [5, 6]
    assert [quantifiers.every(after.unit(name), "stealth") for name in ("one", "two")] == [True, False]
    game = Game(RULESET, after)
    game.play(shot("next", ("deffgun", "two")), ScriptedDice((6, 2, 3, 6)))
    assert not any("Stealth" in purpose for purpose in told(game.entries))


def test_one_of_two_leaders_goes_and_the_unit_stays_led() -> None:
    men = squad("men", "blue", "Intercessor Squad", (30, 34), 2, abilities=("two-leaders 1", "stealth"))
    unit = joined(men, captain("one", (30, 35.6)), captain("two", (32, 35.6), abilities=("stealth",)))
    left, gone = parting.falls_into(replace(unit, models=tuple(m for m in unit.models if m.id != "one-1")))
    assert [part.id for part in left.attached] == ["two"]
    assert quantifiers.every(left, "stealth")
    assert gone.id == "one"


def test_what_lasts_on_the_unit_lasts_on_him() -> None:
    lasting = (Marker("shaken", "red", 2), Marker("kept:m", "blue"), Marker("used counterfire", until="end-of-phase"))
    start = battle(SHOOTING, gunner(), led(markers=lasting))
    after = played(start, (shot("gun", ("deffgun", "men")), KILLED))
    kinds = {m.kind for m in after.unit("captain").markers}
    assert {"shaken", "hit"} <= kinds
    assert not {"kept:m", "used counterfire"} & kinds


def test_whoever_was_spotted_with_them_is_spotted_alone() -> None:
    marks = (Marker("guided", "men", until="end-of-phase"),)
    guided = replace(gunner(), markers=marks)
    after = played(battle(SHOOTING, guided, led()), (shot("gun", ("deffgun", "men")), KILLED))
    assert {m.subject for m in after.unit("gun").markers if m.kind == "guided"} == {"captain"}


@pytest.mark.parametrize("target", ["one", "two"])
def test_whoever_was_guided_at_them_is_guided_at_each_of_two_leaders(target: str) -> None:
    """Orks hit on 5, Guided ones on 4."""
    men = squad("men", "blue", "Intercessor Squad", (30, 34), abilities=("two-leaders 1",))
    unit = joined(men, captain("one", (30, 35.6)), captain("two", (32, 35.6)))
    guided = replace(gunner("next", 34.0), markers=(Marker("guided", "men", until="end-of-phase"),))
    after = played(battle(SHOOTING, gunner(), guided, unit), (shot("gun", ("deffgun", "men")), KILLED))
    played(after, (shot("next", ("deffgun", target)), (4, 3, 3, 6)))


@pytest.mark.parametrize("target", ["one", "two", "far"])
def test_focused_fire_at_them_is_at_each_of_two_leaders_and_at_nobody_else(target: str) -> None:
    men = squad("men", "blue", "Intercessor Squad", (30, 34), abilities=("two-leaders 1",))
    unit = joined(men, captain("one", (30, 35.6)), captain("two", (32, 35.6)))
    focused = replace(gunner("next", 34.0), markers=(Marker("focused-fire", "men", until="end-of-phase"),))
    far = squad("far", "blue", "Intercessor Squad", (45, 34))
    after = played(battle(SHOOTING, gunner(), focused, unit, far), (shot("gun", ("deffgun", "men")), KILLED))
    assert judged(after, shot("next", ("deffgun", target))).codes == (("not-eligible",) if target == "far" else ())


def test_a_character_destroyed_and_a_bodyguard_destroyed_are_destroyed_units() -> None:
    strike = squad("gun", "red", "Lootas", (30, 2), loadout=("deffgun", "big shoota"))
    army = squad("team", "blue", "Strike Team", (10, 40), abilities=("detachment montka",))
    start = battle(SHOOTING, strike, led(), army, cp=3)
    game = Game(RULESET, start)
    game.play(shot("gun", ("deffgun", "men")), ScriptedDice(KILLED))
    assert moments(game.entries[0].events) == ["men"]

    def precise(battle: Battle) -> Procedure:
        about = Circumstances(models_at_selection=2, characters=frozenset({"captain-1"}))
        yield from volleys.resolve_all(battle, "gun", [Volley(PRECISE, ("gun-1",), "men", about)])

    found = resolve(RULESET, start, precise(start), ScriptedDice((6, 6, 1)), FirstChoice())
    assert found.battle.unit("captain").whereabouts == DESTROYED
    assert not found.battle.unit("men").attached
    assert moments(found.events) == ["captain"]


PRECISE = Weapon("exact rifle", 48, "1", 9, -3, "6", 2, abilities=("precision",))


def moments(events: Sequence[Event]) -> list[str]:
    """The moments at which a unit was destroyed and its owner could answer."""
    return [e.subject for e in events if isinstance(e, ChoiceMade) and e.when == "unit-destroyed"]


# --- however else


def test_a_bodyguard_that_is_removed_out_of_coherency() -> None:
    unit = led()
    far = tuple(replace(m, pose=Pose(50, 40)) if m.id == "captain-1" else m for m in unit.models)
    start = battle(now("fight", "remaining-combats", player="blue"), gunner(), replace(unit, models=far))
    after = played(start, (EndStep(), (), ["men-1", "not-now"]))
    assert after.unit("men").whereabouts == DESTROYED
    assert after.unit("captain").on_table
    assert starting_strength(after.unit("captain")) == 1


def engaged(count: int, abilities: Sequence[str] = ()) -> Battle:
    """A Battle-shocked led squad with an enemy before it."""
    foe = squad("foe", "red", "Boyz", (30, 32.2))
    return battle(MOVEMENT, foe, led(count, abilities, markers=(SHOCKED,)))


def away(start: Battle, name: str = "men") -> FallBack:
    """Three inches up."""
    poses = [m.placed.pose for m in start.unit(name).models]
    return FallBack(name, tuple(Path.through(pose, [[pose.x, pose.y + 3]]) for pose in poses))


def test_a_bodyguard_lost_to_desperate_escape_leaves_him_to_fall_back_alone() -> None:
    start = engaged(1)
    after = played(start, (away(start), (1, 6), ["men-1"]))
    him = after.unit("captain")
    assert him.models[0].placed.pose.y == pytest.approx(38.6)
    assert him.marked("fell-back")
    assert him.marked("battle-shocked")
    assert not judged(after, NormalMove("captain", (Path(him.models[0].placed.pose, ()),))).legal
    assert after.unit("men").whereabouts == DESTROYED


def test_starting_strength_is_the_own_again_when_the_leader_is_gone() -> None:
    start = engaged(10)
    lost = ["captain-1", *(f"men-{k}" for k in range(1, 6))]
    after = played(start, (away(start), (1, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6), lost))
    men = after.unit("men")
    assert (len(men.models), starting_strength(men)) == (5, 10)
    assert not losses.below_half(men)
    assert after.unit("captain").whereabouts == DESTROYED
    game = Game(RULESET, after)
    while (game.battle.clock.player, game.battle.clock.phase) != ("blue", "command"):
        game.play(EndStep(), ScriptedDice(()))
    game.play(EndStep(), ScriptedDice(()))  # five of ten take no Battle-shock test
    game.play(EndStep(), ScriptedDice(()))


def test_a_transport_lost_to_desperate_escape_is_a_destroyed_transport() -> None:
    truck = squad("truck", "blue", "Trukk", (30, 30), base=TRUKK, markers=(SHOCKED,))
    aboard = squad("boyz", "blue", "Boyz", (0, 0), 2, where="embarked:truck")
    near = squad("foe", "red", "Boyz", (30, 27.6))
    start = battle(MOVEMENT, near, truck, aboard)
    # lost; Deadly Demise on a 6, D3 on the enemy; a die for each passenger
    after = played(start, (away(start, "truck"), (1, 6, 2, 4, 4), ["truck-1"]))
    assert after.unit("truck").whereabouts == DESTROYED
    assert after.unit("boyz").on_table
    assert after.unit("boyz").marked("battle-shocked")
    assert not after.unit("foe").models


@pytest.mark.parametrize(
    ("faces", "choices", "out"),
    [((1, 6, 1), ["truck-2"], False), ((1, 1, 1, 1, 4, 4), ["truck-2", "truck-1"], True)],
    ids=["one of two", "both"],
)
def test_passengers_get_out_when_the_last_model_of_their_transport_is_lost(
    faces: tuple[int, ...], choices: list[str], out: bool
) -> None:
    trucks = squad("truck", "blue", "Trukk", (30, 30), 2, base=TRUKK, gap=7.0, markers=(SHOCKED,))
    aboard = squad("boyz", "blue", "Boyz", (0, 0), 2, where="embarked:truck")
    start = battle(MOVEMENT, squad("foe", "red", "Boyz", (30, 27.6)), trucks, aboard)
    after = played(start, (away(start, "truck"), faces, choices))
    assert [m.id for m in after.unit("truck").models] == ([] if out else ["truck-1"])
    assert after.unit("boyz").whereabouts == ("table" if out else "embarked:truck")
    assert after.unit("boyz").marked("battle-shocked") is out
    assert len(after.unit("boyz").models) == 2


TRUKK = sheets()["trukk"].base.base()


def test_passengers_of_a_transport_that_never_arrived_are_destroyed() -> None:
    truck = squad("truck", "blue", "Trukk", (0, 0), where="reserves")
    aboard = squad("boyz", "blue", "Boyz", (0, 0), 2, where="embarked:truck")
    start = battle(now("fight", "remaining-combats", player="blue", number=5), gunner(), truck, aboard)
    after = played(start, (EndStep(), ()))
    assert [after.unit(name).whereabouts for name in ("truck", "boyz")] == [DESTROYED, DESTROYED]


# --- what every model must have


def test_fights_first_is_for_units_of_which_every_model_has_it() -> None:
    foe = squad("foe", "red", "Boyz", (30, 32.2))
    blow = Fight("men", (AttackWith("men-1", "close combat weapon", "foe"),))
    without = battle(FIRST, foe, led(2, abilities=("fights-first",)))
    assert [v.code for v in judged(without, blow).violations] == ["not-eligible"]
    with_both = battle(FIRST, foe, led(2, abilities=("fights-first",), of_captain=("fights-first",)))
    assert judged(with_both, blow).legal
    by_themselves = battle(
        FIRST, foe, squad("men", "blue", "Intercessor Squad", (30, 34), 2, abilities=("fights-first",))
    )
    assert judged(by_themselves, blow).legal


@pytest.mark.parametrize(("inches", "legal"), [(6.0, True), (6.1, False)])
def test_scouts_of_six_and_nine_scout_six(inches: float, legal: bool) -> None:
    start = battle(now("deployment", "scouts", player="blue", number=1), gunner(), led(2, ("scouts 9",), ("scouts 6",)))
    poses = [m.placed.pose for m in start.unit("men").models]
    move = ScoutMove("men", tuple(Path.through(pose, [[pose.x + inches, pose.y]]) for pose in poses))
    verdict = judged(start, move)
    assert verdict.legal is legal
    assert {v.code for v in verdict.violations} == (set() if legal else {"too-far"})


def test_who_does_not_scout_keeps_his_unit_from_scouting() -> None:
    start = battle(now("deployment", "scouts", player="blue", number=1), gunner(), led(2, ("scouts 9",)))
    poses = [m.placed.pose for m in start.unit("men").models]
    assert not judged(
        start, ScoutMove("men", tuple(Path.through(pose, [[pose.x + 1, pose.y]]) for pose in poses))
    ).legal


# --- markers that are kept, and the record


def test_a_marker_stays_kept_when_its_keeper_is_gone_and_he_keeps_no_other() -> None:
    objective = Objective("m", (30, 34), 0.8)
    other = Objective("n", (30, 35.6), 0.8)
    unit = led(markers=(Marker("kept:m", "blue"),))
    start = replace(
        battle(SHOOTING, gunner(), unit),
        battlefield=replace(battle(SHOOTING).battlefield, objectives=(objective, other)),
    )
    after = played(start, (shot("gun", ("deffgun", "men")), (6, 2, 2, 2, 1)))  # a miss is rolled again near a marker
    assert after.unit("men").whereabouts == DESTROYED
    assert command_phase.keeper(after, objective) == "blue"
    after = replace(after, clock=now("command", "battle-shock", player="blue"))
    after = played(after, (EndStep(), ()))
    assert command_phase.keeper(after, other) is None


def test_a_record_of_it_can_be_read_and_gives_the_same_battle() -> None:
    start = battle(SHOOTING, gunner(), led())
    game = Game(RULESET, start)
    game.play(shot("gun", ("deffgun", "men")), ScriptedDice(KILLED))
    events = game.entries[0].events
    read: tuple[Event, ...] = tuple(decode(encode(event), Event) for event in events)  # type: ignore[arg-type]
    assert read == events
    assert any(isinstance(event, UnitParted) for event in read)
    assert evolve_all(start, read) == game.battle


def test_a_unit_falls_apart_into_its_own_models_and_under_new_names() -> None:
    start = battle(SHOOTING, gunner(), led())
    unit = start.unit("men")
    for into, why in (
        ((unit, replace(unit, id="gun", models=())), "already"),
        ((replace(unit, id="captain"),), "keeps the name"),
        ((replace(unit, models=()),), "other models"),
    ):
        with pytest.raises(BattleError, match=why):
            evolve(start, UnitParted("men", into))
