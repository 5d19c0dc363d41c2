"""What arriving, infiltrating, scouting, falling back and riding leave behind, step after step."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Clock, Marker, Unit
from sim.chance import ScriptedDice, SeededDice
from sim.engine import Game, ScriptedChoices, judge, resolve
from sim.geometry import Hull, Path, PlacedSet, Pose
from sim.rules import Deploy, EndStep
from sim.rulesets.wh40k10 import RULESET, coherency, measuring
from sim.rulesets.wh40k10.commands import (
    Advance,
    Disembark,
    Embark,
    FallBack,
    Infiltrate,
    NormalMove,
    RapidIngress,
    ScoutMove,
    StrategicReserves,
)
from tests.rulesets.wh40k10.test_play import battle, row, squad

DICE = SeededDice(1)
MOVE = Clock(2, "red", "movement", "move-units")
REINFORCE = Clock(2, "red", "movement", "reinforcements")
DEPLOY = Clock(1, "red", "deployment", "deploy-armies")


def walk(game: Game, name: str, dx: float, dy: float = 0.0) -> tuple[Path, ...]:
    poses = [m.pose for m in game.battle.unit(name).models]
    return tuple(Path.through(p, [[p.x + dx, p.y + dy]]) for p in poses if p is not None)


def boat(**fields: object) -> Unit:
    hull = Hull(((-2, -1.5), (2, -1.5), (2, 1.5), (-2, 1.5)))
    one = squad("boat", "red", 1, (30.0, 20.0), keywords=("VEHICLE", "TRANSPORT"))
    return replace(one, models=(replace(one.models[0], base=hull),), **fields)


def riding(*more: Unit, clock: Clock = MOVE, carrier: Unit | None = None) -> Game:
    crew = squad("crew", "red", 2, whereabouts="embarked:boat")
    return Game(RULESET, battle(clock, carrier or boat(), crew, squad("b", "blue", 1, (5.0, 5.0)), *more))


def wreck() -> Unit:
    return boat(markers=(Marker("wreck", until="end-of-turn"),))


BESIDE = (Pose(33.0, 20.0), Pose(33.0, 21.5))


@pytest.mark.parametrize("rolled", [True, False])
def test_who_gets_out_of_a_transport_that_has_rolled_to_advance_has_left_a_moved_one(rolled: bool) -> None:
    able = boat(abilities=("disembark-after-advance",), profile=(("M", 10.0),))
    game = riding(carrier=able)
    if rolled:
        game.play(Advance("boat", walk(game, "boat", -15.0, 0.0)), ScriptedDice((3,)))
        assert not game.battle.unit("boat").marked("moved")
    game.play(Disembark("crew", BESIDE), DICE)
    assert [game.battle.unit("crew").marked(kind) for kind in ("moved", "cannot-charge")] == [rolled, rolled]
    assert (
        "not-eligible" in judge(RULESET, game.battle, Advance("crew", walk(game, "crew", 1.0, 0.0))).codes
    ) is rolled


def test_a_model_too_large_for_the_strip_does_nothing_more_this_turn() -> None:
    titan = squad("t", "red", 1)
    hull = Hull(((-4, -3.05), (4, -3.05), (4, 3.05), (-4, 3.05)))
    titan = replace(titan, models=(replace(titan.models[0], base=hull),), keywords=("VEHICLE",))
    game = Game(RULESET, battle(REINFORCE, titan, squad("s", "red", 1), squad("b", "blue", 1, (5.0, 5.0))))
    game.play(StrategicReserves("t", (Pose(30, 40.95),)), DICE)
    for kind in ("moved", "cannot-shoot", "cannot-charge"):
        assert game.battle.unit("t").marked(kind)
    game.play(StrategicReserves("s", (Pose(5.3, 30.0),)), DICE)
    assert not game.battle.unit("s").marked("cannot-charge"), "an ordinary arrival may charge"


def test_the_own_edge_is_the_one_along_which_the_zone_lies() -> None:
    titan = squad("t", "blue", 1)
    hull = Hull(((-4, -3.05), (4, -3.05), (4, 3.05), (-4, 3.05)))
    titan = replace(titan, models=(replace(titan.models[0], base=hull),))
    start = battle(replace(REINFORCE, player="blue", round=3), titan, squad("r", "red", 1, (5.0, 40.0)))
    assert judge(RULESET, start, StrategicReserves("t", (Pose(30, 3.05),))).legal
    assert judge(RULESET, start, StrategicReserves("t", (Pose(30, 40.95),))).codes == ("must-touch",)
    bare = replace(start, battlefield=replace(start.battlefield, zones=()))
    assert judge(RULESET, bare, StrategicReserves("t", (Pose(30, 40.95),))).legal, "without a zone any edge will do"


def test_rapid_ingress_is_over_with_the_opponents_turn() -> None:
    start = battle(replace(REINFORCE, player="blue"), squad("s", "red", 1), squad("b", "blue", 1, (50.0, 5.0)))
    game = Game(RULESET, start)
    game.play(RapidIngress("s", (Pose(5.3, 30.0),)), DICE)
    assert game.battle.unit("s").marked("moved")
    while game.battle.clock.player == "blue":
        game.play(EndStep(), DICE)
    assert not game.battle.unit("s").marked("moved"), "it may move in its own turn"


def test_rapid_ingress_of_a_fortification() -> None:
    rig = squad("s", "red", 1, keywords=("FORTIFICATION",))
    start = battle(replace(REINFORCE, player="blue"), rig, squad("b", "blue", 1, (50.0, 5.0)))
    assert judge(RULESET, start, RapidIngress("s", (Pose(5.3, 30.0),))).codes == ("not-eligible",)


def test_infiltrators_take_their_turn_like_everybody_else() -> None:
    start = battle(DEPLOY, squad("i", "red", 2, abilities=("infiltrators",)), squad("b", "blue", 2))
    game = Game(RULESET, start)
    assert {o.command for o in RULESET.available(start)} == {"deploy", "infiltrate", "end-step"}
    game.play(Infiltrate("i", row(28, 26, 2)), DICE)
    assert game.battle.clock.player == "blue"


def test_each_player_with_scouts_has_a_step_for_them() -> None:
    red = squad("r", "red", 1, (30.0, 40.0), abilities=("scouts 6",))
    blue = squad("b", "blue", 1, (30.0, 5.0), abilities=('scouts 9"',))
    game = Game(RULESET, battle(DEPLOY, red, blue))
    game.play(EndStep(), DICE)
    assert game.battle.clock == Clock(1, "red", "deployment", "scouts")
    game.play(ScoutMove("r", walk(game, "r", 0, -6)), DICE)
    assert {o.command for o in RULESET.available(game.battle)} == {"end-step"}
    game.play(EndStep(), DICE)
    assert game.battle.clock == Clock(1, "blue", "deployment", "scouts")
    assert judge(RULESET, game.battle, ScoutMove("b", walk(game, "b", 0, 9))).legal
    assert judge(RULESET, game.battle, ScoutMove("b", walk(game, "b", 9.1, 0))).codes == ("too-far",)
    game.play(EndStep(), DICE)
    assert game.battle.clock == Clock(1, "red", "command", "command")
    assert not game.battle.unit("r").marked("moved")


def test_a_unit_embarks_after_its_scout_move_and_only_after_one() -> None:
    red = squad("r", "red", 1, (30.0, 30.0), abilities=("scouts 6",))
    idle = squad("idle", "red", 1, (26.0, 20.0))
    start = battle(Clock(1, "red", "deployment", "scouts"), red, idle, boat(), squad("b", "blue", 1, (5.0, 5.0)))
    game = Game(RULESET, start)
    assert judge(RULESET, start, Embark("idle", "boat")).codes == ("not-eligible",)
    game.play(ScoutMove("r", walk(game, "r", 0, -6)), DICE)
    assert ("embark", "r") in {(offer.command, offer.unit) for offer in RULESET.available(game.battle)}
    game.play(Embark("r", "boat"), DICE)
    assert game.battle.unit("r").whereabouts == "embarked:boat"


@pytest.mark.parametrize("hovers", [False, True])
def test_aircraft_start_in_reserves_unless_they_hover(hovers: bool) -> None:
    plane = squad("p", "red", 1, keywords=("AIRCRAFT", "VEHICLE"), abilities=("hover",) if hovers else ())
    start = battle(DEPLOY, plane, squad("b", "blue", 2))
    verdict = judge(RULESET, start, Deploy("p", row(30, 40, 1)))
    assert verdict.codes == (() if hovers else ("not-eligible",))
    assert ("deploy" in {offer.command for offer in RULESET.available(start)}) is hovers


def test_out_before_the_transport_moves_and_on_by_foot() -> None:
    game = riding()
    assert "disembark" in {o.command for o in RULESET.available(game.battle)}
    game.play(Disembark("crew", BESIDE), DICE)
    assert judge(RULESET, game.battle, NormalMove("crew", walk(game, "crew", 3))).legal
    assert judge(RULESET, game.battle, Embark("crew", "boat")).codes == ("not-eligible",), "not in the same phase"
    game.play(EndStep(), DICE)
    game.play(EndStep(), DICE)
    assert game.battle.unit("crew").marked("disembarked")  # all turn: it has not Remained Stationary


def test_out_after_the_transport_has_moved_and_no_farther() -> None:
    game = riding()
    game.play(NormalMove("boat", walk(game, "boat", -1)), DICE)
    game.play(Disembark("crew", tuple(replace_x(p, -1) for p in BESIDE)), DICE)
    assert judge(RULESET, game.battle, NormalMove("crew", walk(game, "crew", 3))).codes == ("not-eligible",)
    assert game.battle.unit("crew").marked("cannot-charge")


def replace_x(pose: Pose, dx: float) -> Pose:
    return Pose(pose.x + dx, pose.y, pose.facing, pose.z)


def test_nobody_gets_out_of_a_transport_that_advanced() -> None:
    game = riding()
    game.play(Advance("boat", walk(game, "boat", -7)), ScriptedDice((3,)))
    assert game.battle.unit("boat").marked("advanced")
    after = tuple(replace_x(p, -7) for p in BESIDE)
    assert judge(RULESET, game.battle, Disembark("crew", after)).codes == ("not-eligible",)


def test_aboard_and_not_out_again_in_the_phase() -> None:
    near = squad("foot", "red", 2, (33.0, 20.0))
    game = riding(near)
    game.play(NormalMove("foot", walk(game, "foot", 0, 0.5)), DICE)
    game.play(Embark("foot", "boat"), DICE)
    assert game.battle.unit("foot").whereabouts == "embarked:boat"
    assert all(model.pose is None for model in game.battle.unit("foot").models)
    assert judge(RULESET, game.battle, Disembark("foot", BESIDE)).codes == ("not-eligible",)


def test_in_an_emergency_two_that_overlap_do_not_both_find_room() -> None:
    out = Disembark("crew", (Pose(33.0, 20.0), Pose(33.2, 20.0)), emergency=True)
    assert judge(RULESET, riding().battle, out).codes == ("not-eligible",)
    game = riding(carrier=wreck())
    game.play(out, DICE)
    assert [m.id for m in game.battle.unit("crew").models] == ["crew-0"]


def test_in_an_emergency_those_left_still_hold_together() -> None:
    crew = squad("crew", "red", 3, whereabouts="embarked:boat")
    start = battle(MOVE, wreck(), crew, squad("b", "blue", 1, (5.0, 5.0)))
    apart = Disembark("crew", (Pose(34.0, 20.0), Pose(50.0, 20.0), Pose(26.0, 20.0)), emergency=True)
    verdict = judge(RULESET, start, apart)
    assert verdict.codes == ("incoherent",)
    assert {v.subjects[0] for v in verdict.violations} <= {"crew-0", "crew-2"}


def test_an_advance_that_rolls_too_low_is_walked_shorter() -> None:
    game = Game(RULESET, battle(MOVE, squad("s", "red", 2, (10.0, 20.0)), squad("b", "blue", 1, (50, 5))))
    game.play(Advance("s", walk(game, "s", 11)), ScriptedDice((4,)))
    assert not game.battle.unit("s").marked("moved")
    assert judge(RULESET, game.battle, NormalMove("s", walk(game, "s", 3))).codes == ("not-eligible",)
    assert judge(RULESET, game.battle, Advance("s", walk(game, "s", 10.5))).codes == ("too-far",)
    game.play(Advance("s", walk(game, "s", 10)), ScriptedDice(()))
    assert game.battle.unit("s").marked("advanced")
    assert judge(RULESET, game.battle, Advance("s", walk(game, "s", 1))).codes == ("not-eligible",)


def engaged(*enemies: Unit, **fields: object) -> Battle:
    return battle(MOVE, squad("s", "red", 2, (10.0, 20.0), **fields), *enemies)


SHOCKED = {"markers": (Marker("battle-shocked"),)}


def test_the_owner_picks_who_is_lost_in_a_desperate_escape() -> None:
    game = Game(RULESET, engaged(squad("b", "blue", 1, (8.5, 20.0)), **SHOCKED))
    game.play(FallBack("s", walk(game, "s", 6)), ScriptedDice((2, 6)), ScriptedChoices(["s-1"]))
    assert [m.id for m in game.battle.unit("s").models] == ["s-0"]
    assert game.battle.unit("s").marked("fell-back")
    assert game.entries[-1].faces == ((2, 6),)


def test_who_would_be_scattered_by_a_loss_chooses_another_way_untested() -> None:
    three = squad("s", "red", 3, (10.0, 20.0), **SHOCKED)
    game = Game(RULESET, battle(MOVE, three, squad("b", "blue", 1, (8.5, 20.0))))
    poses = [m.pose for m in game.battle.unit("s").models]
    chain = tuple(Path.through(p, [[x, 24.0]]) for p, x in zip(poses, (10.0, 13.2, 16.4), strict=True) if p is not None)
    assert judge(RULESET, game.battle, FallBack("s", chain)).legal
    game.play(FallBack("s", chain), ScriptedDice((6, 1, 6)), ScriptedChoices(["s-1"]))
    left = game.battle.unit("s")
    assert [m.id for m in left.models] == ["s-0", "s-2"]
    assert [m.pose for m in left.models] == [poses[0], poses[2]], "nobody moves out of coherency"
    assert not left.marked("moved")
    assert not left.marked("fell-back")
    together = tuple(
        Path.through(p, [[x, 24.0]]) for p, x in zip((poses[0], poses[2]), (10.0, 12.0), strict=True) if p is not None
    )
    game.play(FallBack("s", together), ScriptedDice(()))
    assert game.battle.unit("s").marked("fell-back")


def test_who_is_engaged_embarks_after_falling_back_only() -> None:
    near = squad("foot", "red", 2, (33.0, 20.0))
    game = riding(near, squad("foe", "blue", 1, (33.0, 18.4)))
    assert judge(RULESET, game.battle, Embark("foot", "boat")).codes == ("not-eligible",)
    assert "embark" not in {offer.command for offer in RULESET.available(game.battle) if offer.unit == "foot"}
    game.play(FallBack("foot", walk(game, "foot", 0, 1.7)), DICE)
    game.play(Embark("foot", "boat"), DICE)
    assert game.battle.unit("foot").whereabouts == "embarked:boat"


@pytest.mark.parametrize(("option", "tests"), [("unit", 2), ("model", 1)])
def test_fortifications_alone_frighten_nobody(option: str, tests: int) -> None:
    rig = squad("rig", "blue", 1, (8.5, 20.0), keywords=("FORTIFICATION",))
    alone = engaged(rig, **SHOCKED)
    result = resolve(RULESET, alone, fall_back(alone), ScriptedDice(()), ScriptedChoices([]))
    assert result.faces == ()
    both = engaged(rig, squad("b", "blue", 1, (13.1, 20.0)), **SHOCKED)
    both = replace(both, options=(("only_fortifications", option),))
    dice = ScriptedDice((6,) * 2)
    assert len(resolve(RULESET, both, fall_back(both), dice, ScriptedChoices([])).faces[0]) == tests


def fall_back(start: Battle):  # type: ignore[no-untyped-def]
    poses = [m.pose for m in start.unit("s").models]
    paths = tuple(Path.through(p, [[p.x, p.y + 6]]) for p in poses if p is not None)
    return RULESET.play("fall-back").resolve(start, FallBack("s", paths))


def members(*at: tuple[float, float]) -> PlacedSet:
    unit = squad("u", "red", len(at), (0.0, 0.0))
    return measuring.placed(unit, tuple(Pose(*p) for p in at))


def brute(group: PlacedSet) -> int:
    """The size of the largest part in coherency, by trying them all."""
    for size in range(len(group), 0, -1):
        for pick in itertools.combinations(range(len(group)), size):
            some = PlacedSet.of(group[i] for i in pick)
            if not list(measuring.coherency(size).judge(some)):
                return size
    return 0


def test_as_many_stay_as_can() -> None:
    import random

    rnd = random.Random(6)
    sizes = set()
    for _ in range(40):
        group = members(*[(rnd.uniform(0, 14), rnd.uniform(0, 7)) for _ in range(rnd.randint(2, 10))])
        assert coherency.most_left(group) == brute(group)
        sizes.add(coherency.most_left(group))
    assert len(sizes) > 3


def test_at_the_end_of_the_turn_stragglers_go_one_at_a_time() -> None:
    start = battle(
        Clock(2, "red", "fight", "remaining-combats"),
        squad("s", "red", 3, (10.0, 20.0)),
        squad("b", "blue", 1, (50, 5)),
    )
    unit = start.unit("s")
    broken = start.with_unit(replace(unit, models=(*unit.models[:2], replace(unit.models[2], pose=Pose(30, 20)))))
    game = Game(RULESET, broken)
    game.play(EndStep(), DICE, ScriptedChoices(["s-0", "s-1"]))
    assert [m.id for m in game.battle.unit("s").models] == ["s-2"], "the owner may go the long way"
    game.undo()
    minimal = Game(RULESET, replace(broken, options=(("coherency_removal", "minimal"),)))
    minimal.play(EndStep(), DICE)
    assert [m.id for m in minimal.battle.unit("s").models] == ["s-0", "s-1"]
