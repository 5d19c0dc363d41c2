"""Charging and fighting: declarations, moves, who fights next, piling in, blows, consolidating."""

from __future__ import annotations

import math

import pytest

from sim.battle import Battle, Marker, Objective
from sim.engine import Game
from sim.geometry import Path, Pose, Round
from sim.rules import EndStep
from sim.rulesets.wh40k10 import RULESET, fighting, losses, planning, striking
from sim.rulesets.wh40k10.commands import AttackWith, Charge, ChargeMove, Consolidate, Fight, PileIn
from tests.rulesets.wh40k10.stage import CHARGE, FIGHT, FIRST, battle, judged, now, played, squad

B32 = 32 / 25.4
ROLLED = (Marker("charge-declared"), Marker("charge-target", "foe"))


def rolled(amount: int, *more: str) -> tuple[Marker, ...]:
    return (*ROLLED, *(Marker("charge-target", n) for n in more), Marker("charge-roll", amount=amount))


def men(*markers: Marker, count: int = 1, at: tuple[float, float] = (10.0, 10.0)) -> object:
    return squad("men", "red", "Intercessor Squad", at, count, markers=markers)


def foe(x: float = 10.0, y: float = 20.0, count: int = 1, name: str = "foe") -> object:
    return squad(name, "blue", "Boyz", (x, y), count)


def move(
    start: Battle, *steps: tuple[float, float], targets: tuple[str, ...] = ("foe",), unit: str = "men"
) -> ChargeMove:
    paths = []
    for model, (dx, dy) in zip(start.unit(unit).models, steps, strict=True):
        assert model.pose is not None
        stops = [[model.pose.x + dx, model.pose.y + dy]] if (dx, dy) != (0, 0) else []
        paths.append(Path.through(model.pose, stops))
    return ChargeMove(unit, targets, tuple(paths))


@pytest.mark.parametrize(("gap", "fine"), [(12.0, True), (12.01, False)])
def test_a_charge_is_declared_within_twelve_inches(gap: float, fine: bool) -> None:
    start = battle(CHARGE, men(), foe(y=10 + B32 + gap))
    assert judged(start, Charge("men", ("foe",))).codes == (() if fine else ("target-too-far",))


@pytest.mark.parametrize("marker", ["advanced", "fell-back", "cannot-charge", "charge-declared"])
def test_who_may_not_charge(marker: str) -> None:
    assert judged(battle(CHARGE, men(Marker(marker)), foe()), Charge("men", ("foe",))).codes == ("not-eligible",)


def test_nobody_charges_from_within_engagement_range() -> None:
    start = battle(CHARGE, men(), foe(y=10 + B32 + 1), foe(y=18, name="other"))
    assert judged(start, Charge("men", ("other",))).codes == ("not-eligible",)


def test_a_charge_is_rolled_and_then_moved_into_contact() -> None:
    start = battle(CHARGE, men(), foe())
    after = played(start, (Charge("men", ("foe",)), (4, 4)))
    gap = 10 - B32
    short = move(after, (0.0, gap - 0.9))
    assert judged(after, short).codes == ("too-far",) if gap - 0.9 > 8 else ("not-in-contact",)
    assert judged(after, move(after, (0.0, 8.0))).legal  # 0.74" short of contact, no inch left
    assert judged(after, move(after, (0.0, 7.0))).codes == ("target-not-reached",)
    strong = battle(CHARGE, men(*rolled(10)), foe())
    assert judged(strong, move(strong, (0.0, 8.0))).codes == ("not-in-contact",)
    assert judged(strong, move(strong, (0.0, gap))).legal
    done = played(strong, (move(strong, (0.0, gap)), ()))
    assert done.unit("men").marked("charged")
    assert done.unit("men").marked("charge-bonus")


def test_every_target_is_reached_and_nobody_else() -> None:
    start = battle(CHARGE, men(*rolled(12, "other")), foe(), foe(x=14.0, name="other"))
    both = ("foe", "other")
    assert "target-not-reached" in judged(start, move(start, (0.0, 10 - B32), targets=both)).codes
    between = battle(CHARGE, men(*rolled(12)), foe(), foe(x=12.4, name="other"))
    assert "engages-non-target" in judged(between, move(between, (0.8, 10 - B32 + 0.1))).codes


def test_a_charger_that_moves_ends_closer() -> None:
    start = battle(CHARGE, men(*rolled(9), count=2), foe())
    gap = 10 - B32
    assert "not-closer" in judged(start, move(start, (0.0, gap), (1.0, -1.0))).codes


def test_a_charge_out_of_coherency_is_no_charge() -> None:
    start = battle(CHARGE, men(*rolled(9), count=2), foe())
    assert judged(start, move(start, (0.0, 10 - B32), (0.0, 0.0))).codes == ("incoherent",)


def test_the_proposed_charge_is_legal_and_reaches() -> None:
    start = battle(CHARGE, men(*rolled(10), count=5), foe(count=5))
    proposals = list(planning.charge_moves(start, start.unit("men")))
    assert proposals
    assert judged(start, proposals[0]).legal


# --- who fights next


def line(*units: tuple[str, str, float, tuple[Marker, ...]]) -> list[object]:
    found = []
    for name, player, x, markers in units:
        y = 10.0 if player == "red" else 10.0 + B32 + 0.5
        found.append(
            squad(name, player, "Boyz", (x, y), 1, markers=markers, loadout=["shoota"])
        )  # without a blow to strike
    return found


def test_the_player_whose_turn_it_is_not_begins_and_players_take_turns() -> None:
    pairs = [("r1", "red", 10.0, ()), ("b1", "blue", 10.0, ()), ("r2", "red", 20.0, ()), ("b2", "blue", 20.0, ())]
    start = battle(FIGHT, *line(*pairs))
    assert fighting.next_player(start) == "blue"
    (wrong,) = judged(start, PileIn("r1", (Path(Pose(10, 10), ()),))).violations
    assert (wrong.code, wrong.message) == ("not-your-turn", "b1 or b2 of blue fights next")
    assert judged(start, EndStep()).codes == ("must-fight",)
    after = played(start, (Fight("b1", ()), ()))
    assert fighting.next_player(after) == "red"
    after = played(after, (Fight("r2", ()), ()))
    assert fighting.next_player(after) == "blue"
    assert {u.id for u in fighting.candidates(after)} == {"b2"}
    after = played(after, (Fight("b2", ()), ()), (Fight("r1", ()), ()))
    assert fighting.next_player(after) is None
    assert judged(after, EndStep()).legal


def test_chargers_fight_first_with_those_who_always_do() -> None:
    bonus = (Marker("charged"), Marker("charge-bonus"))
    pairs = [("r1", "red", 10.0, bonus), ("b1", "blue", 10.0, ()), ("r2", "red", 20.0, ()), ("b2", "blue", 20.0, ())]
    start = battle(FIRST, *line(*pairs))
    assert {u.id for u in fighting.candidates(start)} == {"r1"}
    quick = squad("b1", "blue", "Boyz", (10, 10 + B32 + 0.5), 1, abilities=["fights-first"])
    start = battle(FIRST, *line(pairs[0], *pairs[2:]), quick)
    assert fighting.next_player(start) == "blue"


def test_a_unit_that_has_piled_in_fights_before_anybody_else() -> None:
    pairs = [("r1", "red", 10.0, ()), ("b1", "blue", 10.0, ()), ("r2", "red", 20.0, ()), ("b2", "blue", 20.0, ())]
    start = battle(FIGHT, *line(*pairs))
    pile = next(planning.pile_ins(start, start.unit("b1"), fighting.MOVE))
    after = played(start, (pile, ()))
    assert {u.id for u in fighting.candidates(after)} == {"b1"}
    assert judged(after, Fight("b2", ())).codes == ("not-your-turn",)


# --- piling in and blows


def test_piling_in_goes_towards_the_nearest_enemy_and_no_farther_than_three() -> None:
    start = battle(FIGHT, squad("men", "red", "Boyz", (10, 10), 2), foe(y=10 + B32 + 0.5))
    poses = [m.pose for m in start.unit("men").models]

    def pile(*ends: tuple[float, float]) -> PileIn:
        return PileIn(
            "men", tuple(Path.through(p, [list(e)] if e != p.at else []) for p, e in zip(poses, ends, strict=True))
        )

    away = pile((10.0, 10.0), (11.6, 9.0))
    assert "not-closer" in Game(RULESET, with_turn(start)).judge(away).codes
    short = pile((10.0, 10.5), (11.3, 10.1))  # the second could go straight into touch beside the first
    assert "not-in-contact" in Game(RULESET, with_turn(start)).judge(short).codes
    aside = math.radians(-20)
    closer = pile((10.0, 10.5), (10.0 + B32 * math.cos(aside), 10.5 + B32 + B32 * math.sin(aside)))
    assert Game(RULESET, with_turn(start)).judge(closer).legal


def with_turn(start: Battle) -> Battle:
    from msgspec.structs import replace

    return replace(start, clock=now("fight", "remaining-combats", "blue"))


def test_who_is_in_base_contact_stays() -> None:
    start = with_turn(battle(FIGHT, squad("men", "red", "Boyz", (10, 10), 1), foe(y=10 + B32)))
    pose = start.unit("men").models[0].pose
    assert pose is not None
    command = PileIn("men", (Path.through(pose, [[10.2, 10.0]]),))
    assert "not-closer" in judged(start, command).codes


def test_blows_from_beginning_to_end_and_the_chain_of_one() -> None:
    units = [
        squad("men", "red", "Intercessor Squad", (20.0 - B32, 10.0), 1, loadout=["close combat weapon"]),
        squad("foe", "blue", "Boyz", (20.0, 10.0), 1, wounds=1),  # the Boss Nob has two
    ]
    start = with_turn(battle(FIGHT, *units))
    blow = AttackWith("men-1", "close combat weapon", "foe")
    # 3 attacks on 3+, S4 against T5 on 5+, Sv 5+ without AP
    after = played(start, (Fight("men", (blow,)), (3, 2, 6, 5, 4, 4)))
    assert not after.unit("foe").models
    chain = squad("men", "red", "Intercessor Squad", (0, 0), 3, loadout=["close combat weapon"])
    from msgspec.structs import replace

    spots = (20.0 - B32, 20.0 - 2 * B32, 20.0 - 3 * B32)
    models = tuple(replace(m, pose=Pose(x, 10.0)) for m, x in zip(chain.models, spots, strict=True))
    start = with_turn(battle(FIGHT, replace(chain, models=models), units[1]))
    assert [bool(t) for t in striking.targets_of(start, start.unit("men"))] == [True, True, False]
    blows = tuple(AttackWith(f"men-{k}", "close combat weapon", "foe") for k in (1, 2, 3))
    assert judged(start, Fight("men", blows[:2])).legal
    assert judged(start, Fight("men", blows)).codes == ("not-in-reach",)


def test_one_weapon_a_model_and_extra_attacks_besides() -> None:
    start = with_turn(battle(FIGHT, men(), foe(y=10 + B32)))
    two = (AttackWith("men-1", "close combat weapon", "foe"), AttackWith("men-1", "close combat weapon", "foe"))
    assert judged(start, Fight("men", two)).codes == ("weapon-used-twice",)
    trukk = squad("cart", "red", "Trukk", (10, 10), base=Round.mm(60), loadout=["spiked wheels", "wreckin' ball"])
    start = with_turn(battle(FIGHT, trukk, foe(y=10 + 30 / 25.4 + 16 / 25.4)))
    both = (AttackWith("cart-1", "spiked wheels", "foe"), AttackWith("cart-1", "wreckin' ball", "foe"))
    assert judged(start, Fight("cart", both)).legal


def test_consolidating_towards_a_marker_only_where_it_ends_in_range() -> None:
    marker = Objective("A", (20.0, 10.0), 40 / 25.4 / 2)
    fought = Marker("fought", "remaining-combats", 1)
    for x, fine in ((20 - 20 / 25.4 - 16 / 25.4 - 5.5, True), (20 - 20 / 25.4 - 16 / 25.4 - 6.5, False)):
        unit = squad("men", "red", "Intercessor Squad", (x, 10.0), 1, markers=[fought])
        start = battle(FIGHT, unit, foe(40, 40), objectives=[marker])
        command = Consolidate("men", (Path.through(Pose(x, 10.0), [[x + 3.0, 10.0]]),))
        assert judged(start, command).codes == (() if fine else ("target-not-reached",))
    assert math.isfinite(x)


def test_only_who_has_just_fought_consolidates() -> None:
    start = battle(FIGHT, men(), foe())
    assert judged(start, Consolidate("men", (Path(Pose(10, 10), ()),))).codes == ("not-eligible",)


def test_who_is_in_base_contact_stays_there() -> None:
    start = battle(FIGHT, *(squad(name, player, "Boyz", (10, y), 1) for name, player, y in
                            (("b1", "blue", 10.0), ("r1", "red", 10.0 + B32))))  # fmt: skip
    wrong = judged(start, PileIn("b1", (Path.through(Pose(10, 10), [[10.5, 10.0]]),))).violations[0]
    assert (wrong.code, wrong.measured) == ("not-closer", 0.0)
    assert wrong.message == "b1-1 is in base contact with r1-1 and stays"


def test_a_model_of_which_nobody_tells_has_one_wound() -> None:
    unknown = squad("who", "red", "", (10, 10), 1)
    assert losses.wounds_of(unknown, unknown.models[0]) == 1
