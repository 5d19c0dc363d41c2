"""Charge, pile-in and consolidation, each played: whose phase, who may, how far, into contact, and when it ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Marker, Objective, Unit
from sim.geometry import Path, Pose
from sim.rules import Command, EndStep
from sim.rulesets.wh40k10 import RULESET, fighting
from sim.rulesets.wh40k10.commands import AttackWith, Charge, ChargeMove, Consolidate, Fight, PileIn
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, FIRST, battle, judged, now, played, squad

B32 = 32 / 25.4  # inches between the centres of two such bases in contact
FOUGHT = Marker("fought", "remaining-combats", 1)
OTHER_PHASES = [now("command", "command"), now("movement", "move-units"), now("shooting", "shoot")]


def men(at: tuple[float, float], *markers: Marker, count: int = 1, name: str = "men") -> Unit:
    return squad(name, "red", "Intercessor Squad", at, count, markers=markers, loadout=["close combat weapon"])


def foe(at: tuple[float, float], name: str = "foe", count: int = 1) -> Unit:
    return squad(name, "blue", "Boyz", at, count, loadout=["choppa"])


def paths(start: Battle, unit: str, *ends: tuple[float, float]) -> tuple[Path, ...]:
    found = []
    for model, end in zip(start.unit(unit).models, ends, strict=True):
        assert model.pose is not None
        found.append(Path.through(model.pose, [list(end)] if end != model.pose.at else []))
    return tuple(found)


# --- whose phase


@pytest.mark.parametrize("clock", [*OTHER_PHASES, FIGHT])
def test_charges_belong_to_the_charge_phase(clock: object) -> None:
    start = battle(clock, men((10, 10)), foe((10, 18)))  # type: ignore[arg-type]
    assert judged(start, Charge("men", ("foe",))).codes == ("wrong-phase",)


def test_nobody_charges_in_the_opponents_turn() -> None:
    start = battle(now("charge", "charge", "blue"), men((10, 10)), foe((10, 18)))
    assert judged(start, Charge("men", ("foe",))).codes == ("wrong-phase",)
    assert judged(start, Charge("foe", ("men",))).legal


@pytest.mark.parametrize("clock", [*OTHER_PHASES, CHARGE])
def test_pile_in_blows_and_consolidation_belong_to_the_fight_phase(clock: object) -> None:
    start = battle(clock, men((10, 10), FOUGHT), foe((10, 10 + B32 + 1)))  # type: ignore[arg-type]
    stay = paths(start, "men", (10, 10))
    assert judged(start, PileIn("men", stay)).codes == ("wrong-phase",)
    assert "wrong-phase" in judged(start, Fight("men", ())).codes
    assert judged(start, Consolidate("men", stay)).codes == ("not-eligible",)


# --- charges


def test_a_charge_is_rolled_moved_into_contact_and_gives_its_bonus_until_the_turn_ends() -> None:
    start = battle(CHARGE, men((10, 10)), foe((10, 18)))
    rolled = played(start, (Charge("men", ("foe",)), (3, 4)))
    assert judged(rolled, Charge("men", ("foe",))).codes == ("not-eligible",)
    command = ChargeMove("men", ("foe",), paths(rolled, "men", (10, 18 - B32)))
    assert judged(start, command).codes == ("not-eligible",)  # no roll yet
    after = played(rolled, (command, ()))
    assert judged(after, command).codes[0] == "not-eligible"
    unit = after.unit("men")
    assert unit.marked("charged")
    assert unit.marked("charge-bonus")
    assert {m.until for m in unit.markers if m.kind in ("charged", "charge-bonus")} == {"end-of-turn"}
    fight = played(after, (EndStep(), ()))
    assert fight.clock.step == "fights-first"
    assert [u.id for u in fighting.candidates(fight)] == ["men"]


@pytest.mark.parametrize(("short", "codes"), [(0.0, ()), (0.005, ("not-in-contact",)), (1.01, ("target-not-reached",))])
def test_a_charge_that_could_touch_touches(short: float, codes: tuple[str, ...]) -> None:
    start = battle(CHARGE, men((10, 10), Marker("charge-roll", amount=8)), foe((10, 18)))
    command = ChargeMove("men", ("foe",), paths(start, "men", (10, 18 - B32 - short)))
    assert set(codes) <= set(judged(start, command).codes)
    assert judged(start, command).legal == (not codes)


def test_a_charge_goes_no_farther_than_it_rolled() -> None:
    for roll, fine in ((7, True), (6, False)):
        start = battle(CHARGE, men((10, 10), Marker("charge-roll", amount=roll)), foe((10, 18)))
        command = ChargeMove("men", ("foe",), paths(start, "men", (10, 18 - B32)))
        assert judged(start, command).legal == fine
        assert ("too-far" in judged(start, command).codes) == (not fine)


def test_a_charge_goes_where_it_was_declared() -> None:
    markers = (Marker("charge-roll", amount=12), Marker("charge-target", "other"))
    start = battle(CHARGE, men((10, 10), *markers), foe((10, 18)), foe((30, 18), "other"))
    command = ChargeMove("men", ("foe",), paths(start, "men", (10, 18 - B32)))
    assert judged(start, command).codes == ("not-eligible",)


# --- piling in


def test_who_is_not_engaged_and_has_not_charged_does_not_pile_in() -> None:
    def pile(start: Battle) -> Command:
        return PileIn("men", paths(start, "men", (10, 11.5)))

    apart = battle(now("fight", "remaining-combats", "blue"), men((10, 10)), foe((10, 10 + B32 + 2)))
    assert "not-eligible" in judged(apart, pile(apart)).codes
    charged = battle(
        now("fight", "remaining-combats", "blue"), men((10, 10), Marker("charged")), foe((10, 10 + B32 + 2))
    )
    assert judged(charged, pile(charged)).codes == ("not-in-contact",)
    near = PileIn("men", paths(charged, "men", (10, 12)))
    assert judged(charged, near).legal


@pytest.mark.parametrize(("inches", "fine"), [(3.0, True), (3.01, False)])
def test_a_pile_in_is_three_inches(inches: float, fine: bool) -> None:
    """The first model is engaged; the second comes along the front."""
    start = battle(
        now("fight", "remaining-combats", "blue"),
        men((10, 10), count=2),
        foe((10, 10 + B32), count=3),
    )
    start = battle(start.clock, _moved(start.unit("men"), 1, (10 + B32 + inches, 10)), start.unit("foe"))
    command = PileIn("men", paths(start, "men", (10, 10), (10 + B32, 10)))
    assert ("too-far" in judged(start, command).codes) == (not fine)


@pytest.mark.parametrize("friend", [(10.0, 14.5), (40.0, 30.0)])
def test_a_pile_in_ends_within_reach_of_an_enemy_and_a_friend_is_none(friend: tuple[float, float]) -> None:
    """Who has charged and lost its target comes three inches closer to another enemy, and that is not enough."""
    charged = (Marker("charged"), Marker("charge-bonus"))
    start = battle(FIRST, men((10, 10), *charged), men(friend, name="mates"), foe((10, 20)))
    verdict = judged(start, PileIn("men", paths(start, "men", (10, 13))))
    assert verdict.codes == ("target-not-reached",)
    assert "within Engagement Range of an enemy" in verdict.violations[0].message


def _moved(unit: Unit, k: int, at: tuple[float, float]) -> Unit:
    models = tuple(replace(m, pose=Pose(*at)) if j == k else m for j, m in enumerate(unit.models))
    return replace(unit, models=models)


def test_a_pile_in_goes_once_and_its_unit_fights_next() -> None:
    start = battle(
        now("fight", "remaining-combats", "blue"),
        men((10, 10)),
        foe((10, 10 + B32 + 0.5)),
        men((30, 10), name="more"),
        foe((30, 10 + B32), "other"),
    )
    command = PileIn("men", paths(start, "men", (10, 10.5)))
    after = played(start, (command, ()))
    assert after.unit("men").marked("piled-in")
    again = PileIn("men", paths(after, "men", (10, 10.5)))
    assert judged(after, again).codes == ("not-eligible",)
    assert [u.id for u in fighting.candidates(after)] == ["men"]
    blow = Fight("more", (AttackWith("more-1", "close combat weapon", "other"),))
    assert judged(after, blow).codes == ("not-your-turn",)
    assert judged(start, blow).legal


def test_who_touches_an_enemy_does_not_pile_in_and_nobody_away_from_the_nearest() -> None:
    clock = now("fight", "remaining-combats", "blue")
    touching = battle(clock, men((10, 10)), foe((10, 10 + B32)))
    assert "not-closer" in judged(touching, PileIn("men", paths(touching, "men", (10.3, 10)))).codes
    near = battle(clock, men((10, 10)), foe((10, 10 + B32 + 0.5)))
    assert "not-closer" in judged(near, PileIn("men", paths(near, "men", (10, 9.9)))).codes


# --- consolidating


def consolidation(y: float, *, fought: bool = True, objective: Objective | None = None) -> Battle:
    return battle(
        FIGHT,
        men((10, 10), *((FOUGHT,) if fought else ())),
        foe((10, y)),
        objectives=[] if objective is None else [objective],
    )


def test_who_has_fought_consolidates_once_into_contact() -> None:
    start = consolidation(10 + B32 + 2)
    command = Consolidate("men", paths(start, "men", (10, 12)))
    assert judged(start, command).legal
    short = Consolidate("men", paths(start, "men", (10, 11.9)))
    assert judged(start, short).codes == ("not-in-contact",)
    after = played(start, (command, ()))
    assert after.unit("men").marked("consolidated")
    stay = Consolidate("men", paths(after, "men", (10, 12)))
    assert judged(after, stay).codes == ("not-eligible",)
    assert judged(consolidation(10 + B32 + 2, fought=False), command).codes == ("not-eligible",)


@pytest.mark.parametrize(("inches", "fine"), [(3.0, True), (3.01, False)])
def test_a_consolidation_is_three_inches(inches: float, fine: bool) -> None:
    start = consolidation(10 + B32 + inches)
    command = Consolidate("men", paths(start, "men", (10, 10 + inches)))
    assert ("too-far" in judged(start, command).codes) == (not fine)


def test_towards_a_marker_only_where_no_enemy_can_be_reached() -> None:
    marker = Objective("A", (16.0, 10.0), 20 / 25.4)
    along = (13.0, 10.0)
    far = consolidation(40.0, objective=marker)
    assert judged(far, Consolidate("men", paths(far, "men", along))).legal
    away = Consolidate("men", paths(far, "men", (9.0, 10.0)))
    assert "not-closer" in judged(far, away).codes
    near = consolidation(10 + B32 + 2, objective=marker)
    verdict = judged(near, Consolidate("men", paths(near, "men", along)))
    assert "target-not-reached" in verdict.codes


def test_nobody_consolidates_with_nowhere_to_go() -> None:
    start = consolidation(40.0)
    assert judged(start, Consolidate("men", paths(start, "men", (11, 10)))).codes == ("target-not-reached",)
    assert judged(start, Consolidate("men", paths(start, "men", (10, 10)))).legal


# --- who is next


def test_the_step_of_those_who_fight_first_comes_first_and_then_the_others_turn() -> None:
    bonus = (Marker("charged"), Marker("charge-bonus"))
    units = [men((10, 10), *bonus), foe((10, 10 + B32)), men((30, 10), name="more"), foe((30, 10 + B32), "other")]
    start = battle(FIRST, *units)
    assert [u.id for u in fighting.candidates(start)] == ["men"]
    assert judged(start, EndStep()).codes == ("must-fight",)
    blow = Fight("men", (AttackWith("men-1", "close combat weapon", "foe"),))
    after = played(start, (blow, (1, 1, 1)), (EndStep(), ()))
    assert after.clock.step == "remaining-combats"
    assert {u.id for u in fighting.candidates(after)} == {"foe", "other"}
    assert judged(after, blow).codes == ("not-eligible",)


def test_a_player_whose_units_have_fought_waits_for_the_rest() -> None:
    units = [men((10, 10)), foe((10, 10 + B32), count=1), men((30, 10), name="more"), foe((30, 10 + B32), "other")]
    start = battle(FIGHT, *units)
    misses = (1, 1, 1)
    order = []
    for name, weapon, target, dice in (
        ("other", "choppa", "more", misses),
        ("men", "close combat weapon", "foe", misses),
        ("foe", "choppa", "men", misses),
        ("more", "close combat weapon", "other", misses),
    ):
        order.append(fighting.next_player(start))
        start = played(start, (Fight(name, (AttackWith(f"{name}-1", weapon, target),)), dice))
    assert order == ["blue", "red", "blue", "red"]
    assert fighting.next_player(start) is None
    assert [offer.command for offer in RULESET.available(start)].count("fight") == 0


def test_the_step_of_the_rest_begins_anew_with_who_does_not_take_the_turn() -> None:
    first = squad("foe", "blue", "Boyz", (10, 10 + B32), abilities=["fights-first"], loadout=["choppa"])
    units = [men((10, 10)), first, men((30, 10), name="more"), foe((30, 10 + B32), "other")]
    start = battle(FIRST, *units)
    blow = Fight("foe", (AttackWith("foe-1", "choppa", "men"),))
    after = played(start, (blow, (1, 1, 1)), (EndStep(), ()))
    assert fighting.next_player(after) == "blue"


def test_who_is_not_on_the_table_or_has_other_models_is_told_that_alone() -> None:
    start = battle(FIGHT, men((10, 10), FOUGHT), foe((10, 10 + B32 + 2)))
    two = Consolidate("men", (*paths(start, "men", (10, 12)), *paths(start, "men", (10, 12))))
    assert judged(start, two).codes == ("wrong-model-count",)
    away = battle(FIGHT, squad("men", "red", "Boyz", (10, 10), where="reserves"), foe((10, 20)))
    assert "wrong-start" not in judged(away, PileIn("men", (Path(Pose(10, 10), ()),))).codes


# --- Aircraft


def plane(at: tuple[float, float], player: str = "blue") -> Unit:
    return squad("plane", player, "Boyz", at, keywords=("AIRCRAFT", "FLY"), loadout=["choppa"])


def flyers(at: tuple[float, float]) -> Unit:
    return squad("men", "red", "Intercessor Squad", at, keywords=("FLY",), loadout=["close combat weapon"])


@pytest.mark.parametrize("flies", [True, False])
def test_aircraft_are_struck_by_what_can_fly_and_strike_only_that(flies: bool) -> None:
    fighters = (flyers if flies else men)((10, 10))
    start = battle(now("fight", "remaining-combats", "blue"), fighters, plane((10, 10 + B32 + 0.5)))
    blows = Fight("men", (AttackWith("men-1", "close combat weapon", "plane"),))
    assert judged(start, blows).codes == (() if flies else ("not-in-reach",))
    if flies:
        after = played(start, (blows, (1, 1, 1)))
        assert after.unit("men").marked("fought")
    theirs = battle(FIGHT, plane((10, 10 + B32 + 0.5)), fighters)
    back = Fight("plane", (AttackWith("plane-1", "choppa", "men"),))
    assert judged(theirs, back).codes == (() if flies else ("not-in-reach",))


@pytest.mark.parametrize("flies", [True, False])
def test_who_cannot_fly_piles_in_past_aircraft_towards_the_nearest_on_the_ground(flies: bool) -> None:
    """The Aircraft is nearer and behind; the mob stands an inch before."""
    fighters = (flyers if flies else men)((10, 10))
    mob = foe((10, 10 + B32 + 0.9))
    start = battle(now("fight", "remaining-combats", "blue"), fighters, mob, plane((10, 10 - B32 - 0.5)))
    to_the_mob, to_the_plane = (PileIn("men", paths(start, "men", (10, 10 + step))) for step in (0.9, -0.5))
    right, wrong = (to_the_plane, to_the_mob) if flies else (to_the_mob, to_the_plane)
    assert "not-closer" in judged(start, wrong).codes
    after = played(start, (right, ()))
    pose = after.unit("men").models[0].pose
    assert pose is not None
    assert pose.y == pytest.approx(9.5 if flies else 10.9)
