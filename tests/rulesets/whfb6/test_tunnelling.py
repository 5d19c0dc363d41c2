"""A team underground from its first roll to the close combat that it starts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Battlefield, Clock, Marker, Model, Ranked, Terrain, Unit
from sim.chance import HIT, MISFIRE, ScriptedDice, SeededDice
from sim.engine import Game, Refused, ScriptedChoices, judge
from sim.geometry import Path, PlacedSet, Pose, Rect, Round, gap, within
from sim.rules import EndStep, NeedRoll
from sim.rulesets.whfb6 import RULESET, tunnelling
from sim.rulesets.whfb6.commands import Emerge, LayMarker, Misplace, Move

SIDE = 20 / 25.4  # inches
BASE = Rect.mm(20, 20)
BIG = Rect.mm(25, 25)
Face = int | float | str


def team(count: int = 3, at: tuple[float, float] | None = (36.0, 24.0)) -> Unit:
    models = tuple(Model(f"team-{k}", "team", BASE) for k in range(1, count + 1))
    markers = () if at is None else (Marker("marker", "tunnel", at=at),)
    return Unit(
        "team",
        "red",
        models,
        "Team",
        whereabouts="underground",
        abilities=("tunnelling",),
        points=75,
        markers=markers,
        profile=(("M", 6.0),),
    )


def block(player: str = "blue", files: int = 5, ranks: int = 4, left: float = 30.0, low: float = 20.0) -> Unit:
    """A block facing +y whose lower left corner is given."""
    size = 25 / 25.4
    models = tuple(
        Model(f"block-{i}-{k}", "block", BIG, Pose(left + size * (i + 0.5), low + size * (k + 0.5), 90.0))
        for k in range(ranks)
        for i in range(files)
    )
    return Unit("block", player, models, "Block", formation=Ranked(files), points=120)


def battle(*units: Unit, turn: int = 5, terrain: Sequence[Terrain] = (), **options: str) -> Battle:
    return Battle(
        "whfb6",
        Battlefield(72.0, 48.0, tuple(terrain)),
        Clock(turn, "red", "start", "emergence"),
        units or (team(),),
        ("red", "blue"),
        options=tuple(sorted(options.items())),
    )


def played(start: Battle, command: object, faces: Sequence[Face] = (), choices: Sequence[str] = ()) -> Game:
    table = Game(RULESET, start)
    table.play(command, ScriptedDice(faces), ScriptedChoices(choices))  # type: ignore[arg-type]
    return table


def asks(table: Battle, *questions: str) -> list[object]:
    return [RULESET.ask(table, question, ("team",)) for question in questions]


def ring(x: float, y: float) -> tuple[Pose, ...]:
    return (Pose(x, y), Pose(x + SIDE, y), Pose(x, y + SIDE))


# --- the dice


def fate_of(dice: SeededDice, start: Battle) -> tuple[str, float]:
    """What the scatter and the artillery die of one emergence say, by running the procedure up to its first event."""
    procedure = tunnelling.resolve(start, Emerge("team"))
    told = next(procedure)
    faces = []
    while isinstance(told, NeedRoll):
        if told.kind == "plain":
            return "misfire", 0.0
        roll = dice.roll(told.count, told.sides, told.purpose, told.kind)
        faces.append(roll[0])
        told = procedure.send(roll)
    return ("stay" if faces[0] == HIT else "drift"), float(faces[0])


def test_h27_a_misfire_a_stay_and_a_drift_fall_as_often_as_they_should() -> None:
    start, dice = battle(), SeededDice(27)
    seen = Counter(fate_of(dice, start)[0] for _ in range(10_000))
    assert seen["misfire"] / 10_000 == pytest.approx(1 / 6, abs=0.015)
    assert seen["stay"] / 10_000 == pytest.approx(5 / 18, abs=0.015)
    assert seen["drift"] / 10_000 == pytest.approx(10 / 18, abs=0.015)


def test_h26_the_arrow_points_anywhere_and_not_along_the_compass() -> None:
    start, dice = battle(), SeededDice(26)
    angles = [angle for word, angle in (fate_of(dice, start) for _ in range(10_000)) if word == "drift"]
    sectors = Counter(int(angle // 30) for angle in angles)
    assert set(sectors) == set(range(12))
    assert all(count / len(angles) == pytest.approx(1 / 12, abs=0.02) for count in sectors.values())
    on_compass = [a for a in angles if min(a % 45, 45 - a % 45) < 1.0]
    assert len(on_compass) / len(angles) == pytest.approx(2 / 45, abs=0.02)
    assert len(set(angles)) > 0.99 * len(angles)


@pytest.mark.parametrize(("turn", "least"), [(2, 4), (3, 3), (4, 2)])
def test_every_face_of_the_emergence_roll(turn: int, least: int) -> None:
    for face in range(1, 7):
        table = played(
            battle(team(1), turn=turn), Emerge("team", (Pose(36, 24),)), (face, "hit", 2)[: 1 + 2 * (face >= least)]
        )
        assert table.battle.unit("team").on_table == (face >= least)


def test_a_team_that_stayed_below_digs_again_next_turn_and_not_before() -> None:
    table = played(battle(turn=2), Emerge("team"), (3,))
    assert judge(RULESET, table.battle, Emerge("team")).codes == ("not-eligible",)
    assert "emerge" not in {offer.command for offer in RULESET.available(table.battle)}
    while table.battle.clock != Clock(3, "red", "start", "emergence"):
        table.play(EndStep(), ScriptedDice(()))
    assert judge(RULESET, table.battle, Emerge("team")).legal


def test_every_team_digs_before_the_step_ends() -> None:
    second = team(1, (60.0, 24.0))
    models = tuple(replace(model, id="late-1", unit="late") for model in second.models)
    second = replace(second, id="late", name="Late", models=models)
    table = played(battle(team(1), second, turn=2), EndStep(), (3, 4, 90, 10))
    assert table.battle.clock == Clock(2, "red", "start", "emergence"), "Late is still to be set up"
    assert [m.subject for m in table.battle.unit("team").markers if m.kind == "emerged"] == ["underground"]
    assert not table.battle.unit("late").on_table
    table.play(Emerge("late", (Pose(60.0, 34.0),)), ScriptedDice(()))
    table.play(EndStep(), ScriptedDice(()))
    assert table.battle.clock.step == "start"


@pytest.mark.parametrize("turn", [5, 6])
def test_from_the_fifth_turn_on_nobody_stays_below(turn: int) -> None:
    table = played(battle(team(1), turn=turn), EndStep(), ("hit", 2))
    assert RULESET.left_behind(table.battle) == ("Team is set up by itself where its marker lies.",)
    table.play(EndStep(), ScriptedDice(()))
    assert table.battle.unit("team").on_table
    assert table.battle.clock.step == "start"


def test_the_opponent_is_given_his_chance_before_the_step_ends() -> None:
    table = played(battle(team(1)), EndStep(), ("hit", "misfire", 5))
    assert table.battle.clock.step == "emergence"
    table.play(Misplace("team", (Pose(5, 40),), (5.0, 40.0)), ScriptedDice(()))
    assert table.battle.unit("team").on_table
    assert [offer.command for offer in RULESET.available(table.battle)] == ["end-step"]


def test_nobody_digs_in_the_first_turn() -> None:
    table = played(battle(team(1), turn=1), EndStep())
    assert table.battle.clock.step == "start"
    assert not table.battle.unit("team").marked("emerged")


# --- setting up


def test_dice_first_then_the_models_where_the_marker_ended() -> None:
    table = played(battle(), Emerge("team"), (90, 10))
    assert table.battle.unit("team").whereabouts == "underground"
    assert judge(RULESET, table.battle, Emerge("team")).codes == ("wrong-model-count",)
    assert judge(RULESET, table.battle, Emerge("team", ring(36, 24))).codes == ("off-marker",)
    table.play(Emerge("team", ring(36, 34)), ScriptedDice(()))
    team_now = table.battle.unit("team")
    assert team_now.on_table
    assert [m.pose for m in team_now.models] == list(ring(36, 34))
    assert not any(marker.kind in ("marker", "surfacing") for marker in team_now.markers)


def test_models_are_carried_along_with_the_marker() -> None:
    table = played(battle(), Emerge("team", ring(36, 24)), (180, 6))
    places = [m.pose for m in table.battle.unit("team").models if m.pose is not None]
    for place, wanted in zip(places, ring(30, 24), strict=True):
        assert (place.x, place.y) == pytest.approx((wanted.x, wanted.y))


def test_whoever_ends_the_step_first_has_the_team_set_up_all_the_same() -> None:
    table = played(battle(), Emerge("team"), (90, 10))
    table.play(EndStep(), ScriptedDice(()))
    team_now = table.battle.unit("team")
    assert team_now.on_table
    assert team_now.models[0].pose is not None
    assert team_now.models[0].pose.at == pytest.approx((36.0, 34.0))


@pytest.mark.parametrize("reading", ["base-to-base", "wholly"])
@pytest.mark.parametrize("spot", [(36.0, 24.0), (0.0, 0.0), (72.0, 24.0), (29.5, 21.0), (36.4, 26.2)])
def test_what_the_program_proposes_is_legal(spot: tuple[float, float], reading: str) -> None:
    start = battle(team(5, spot), block(), within_two=reading)
    table = played(start, Emerge("team"), ("hit", 2))
    table.play(EndStep(), ScriptedDice(()))
    models = table.battle.unit("team").models
    poses = tuple(m.pose for m in models if m.pose is not None)
    assert len(poses) == 5
    assert judge(RULESET, start, Emerge("team", poses)).legal


def test_h24_a_team_that_emerged_may_move_and_charge_in_the_same_turn() -> None:
    table = played(battle(), Emerge("team", ring(36, 24)), ("hit", 2))
    assert asks(table.battle, "may-move", "may-charge", "may-shoot") == [True, True, True]
    while table.battle.clock.step != "remaining-moves":
        table.play(EndStep(), ScriptedDice(()))
    paths = tuple(Path.through(pose, [[pose.x + 6.0, pose.y]]) for pose in ring(36, 24))
    assert judge(RULESET, table.battle, Move("team", paths)).legal


# --- under something


def test_h25_under_an_enemy_it_lines_up_along_the_closest_side_and_counts_as_charging() -> None:
    table = played(battle(team(20, (31.0, 21.5)), block()), Emerge("team"), ("hit", 2))
    standing = [m.placed for m in table.battle.unit("team").models]
    enemies = [m.placed for m in table.battle.unit("block").models]
    touching = [a for a in standing if any(within(gap(a, b), 0.0) for b in enemies)]
    length = 4 * 25 / 25.4
    first = standing[0].pose
    slots = [first.y + k * SIDE for k in range(-7, 8)]
    reach = [y for y in slots if 20.0 - SIDE / 2 <= y <= 20.0 + length + SIDE / 2 and abs(y - first.y) - SIDE <= 2.0]
    assert len(standing) == 20
    assert len(touching) == len(reach)
    assert all(a.pose.facing == 0.0 and a.pose.x + SIDE / 2 <= 30.0 + 1e-6 for a in standing)
    assert asks(table.battle, "engaged", "counts-as-charging", "may-charge") == [True, True, False]
    assert RULESET.ask(table.battle, "engaged", ("block",)) is True
    assert not [o for o in RULESET.available(table.battle) if o.unit == "team"]


@pytest.mark.parametrize("side", ["left", "rear"])
def test_the_owner_picks_between_equally_near_sides(side: str) -> None:
    table = played(battle(team(2, (31.0, 21.0)), block()), Emerge("team"), ("hit", 2), (side,))
    charging = [m.subject for m in table.battle.unit("team").markers if m.kind == "charging"]
    assert charging == [side]


def test_models_given_at_one_of_equally_near_sides_pick_it() -> None:
    poses = (Pose(31.0, 20.0 - SIDE / 2), Pose(31.0 + SIDE, 20.0 - SIDE / 2))
    table = played(battle(team(2, (31.0, 21.0)), block()), Emerge("team", poses), ("hit", 2))
    assert [m.pose for m in table.battle.unit("team").models] == list(poses)


def test_the_opponent_picks_the_side_when_he_rolls_higher() -> None:
    start = battle(team(2, (31.0, 21.0)), block(), side_tie="roll-off")
    table = played(start, Emerge("team"), ("hit", 2, 4, 4, 1, 6), ("rear",))
    (chosen,) = [e for e in table.entries[-1].events if type(e).__name__ == "ChoiceMade"]
    assert (chosen.player, chosen.choice) == ("blue", "rear")  # type: ignore[union-attr]


def test_a_round_enemy_is_touched_where_its_side_bulges() -> None:
    beast = Unit("beast", "blue", (Model("beast-1", "beast", Round.mm(60), Pose(36, 24, 90.0)),), "Beast")
    table = played(battle(team(1, (36.3, 24.9)), beast), Emerge("team"), ("hit", 2))
    (one,) = [m.placed for m in table.battle.unit("team").models]
    assert gap(one, beast.models[0].placed) == pytest.approx(0.0, abs=1e-6)
    assert [m.subject for m in table.battle.unit("team").markers if m.kind == "charging"] == ["front"]


def test_between_two_skirmishers_is_not_under_them() -> None:
    models = tuple(Model(f"s-{k}", "s", BASE, Pose(x, 24.0)) for k, x in enumerate((34.5, 37.5)))
    start = battle(team(1), Unit("s", "blue", models, "S"))
    assert RULESET.ask(start, "under", ("team",)) == "open"
    on_one = battle(team(1, (34.6, 24.0)), Unit("s", "blue", models, "S"))
    assert RULESET.ask(on_one, "under", ("team",)) == ("s", "front")


def test_beside_a_crag_the_first_model_stands_flush_with_its_edge() -> None:
    crag = Terrain("crag", "impassable", ((10, 10), (16, 10), (16, 16), (10, 16)))
    table = played(battle(team(3, (11.0, 13.0)), terrain=[crag]), Emerge("team"), ("hit", 2))
    table.play(EndStep(), ScriptedDice(()))
    pose = table.battle.unit("team").models[0].pose
    assert pose is not None
    assert pose.at == pytest.approx((10 - SIDE / 2, 13.0))


# --- mishaps


@pytest.mark.parametrize(
    ("face", "where", "points"), [(1, "destroyed", 75), (2, "destroyed", 75), (3, "lost", 0), (4, "lost", 0)]
)
def test_killed_teams_score_for_the_enemy_and_lost_ones_for_nobody(face: int, where: str, points: int) -> None:
    table = played(battle(), Emerge("team"), ("hit", "misfire", face))
    assert table.battle.unit("team").whereabouts == where
    assert dict(table.battle.score).get("blue", 0) == points
    assert not table.battle.unit("team").marked("marker")


def test_a_team_that_drifts_off_the_table_scores_for_nobody() -> None:
    table = played(battle(team(2, (70.0, 24.0))), Emerge("team"), (0, 10))
    assert table.battle.unit("team").whereabouts == "lost"
    assert table.battle.score == ()


def test_h21_astray_the_team_stands_where_the_opponent_puts_it_and_does_not_move() -> None:
    table = played(battle(), Emerge("team", ring(36, 24)), ("hit", "misfire", 6))
    assert {o.command for o in RULESET.available(table.battle)} == {"misplace", "end-step"}
    with pytest.raises(Refused):
        table.play(Misplace("team", (), (72.5, 24.0)), ScriptedDice(()))
    table.play(Misplace("team", ring(5, 40), (5.0, 40.0)), ScriptedDice(()))
    assert [m.pose for m in table.battle.unit("team").models] == list(ring(5, 40))
    assert asks(table.battle, "may-move", "may-charge", "may-shoot", "may-flee") == [False, False, True, True]
    for _ in range(11):
        table.play(EndStep(), ScriptedDice(()))
    assert table.battle.clock.player == "blue"
    assert asks(table.battle, "may-move", "may-charge") == [True, True]


def test_h19_the_marker_goes_on_the_battlefield() -> None:
    table = played(battle(), Emerge("team"), ("hit", "misfire", 5))
    assert judge(RULESET, table.battle, Misplace("team", (), (72.5, 24.0))).codes == ("point-not-allowed",)
    assert judge(RULESET, table.battle, Misplace("team", (), (72.0, 24.0))).legal
    assert judge(RULESET, table.battle, Misplace("team")).codes == ("point-not-allowed",)


def test_astray_under_an_enemy_is_a_charge_or_forbidden() -> None:
    table = played(battle(team(2), block()), Emerge("team"), ("hit", "misfire", 5))
    command = Misplace("team", (), (31.0, 21.5))
    forbidden = replace(table.battle, options=(("astray_cover", "forbidden"),))
    assert judge(RULESET, forbidden, command).codes == ("point-not-allowed",)
    assert judge(RULESET, forbidden, command, readings=True).notes == ("illegal; legal if astray_cover is allowed",)
    table.play(command, ScriptedDice(()))
    assert asks(table.battle, "engaged", "counts-as-charging") == [True, True]


def test_an_opponent_who_places_nothing_leaves_the_team_by_its_marker() -> None:
    table = played(battle(), Emerge("team"), ("hit", "misfire", 5))
    table.play(EndStep(), ScriptedDice(()))
    assert table.battle.unit("team").on_table
    assert asks(table.battle, "may-move") == [False]


def test_no_room_by_either_reading() -> None:
    walls = [
        Terrain("w", "impassable", ((33, 22), (35.2, 22), (35.2, 26), (33, 26))),
        Terrain("e", "impassable", ((36.8, 22), (39, 22), (39, 26), (36.8, 26))),
        Terrain("s", "impassable", ((35.2, 22), (36.8, 22), (36.8, 23.2), (35.2, 23.2))),
        Terrain("n", "impassable", ((35.2, 24.8), (36.8, 24.8), (36.8, 26), (35.2, 26))),
    ]
    below = played(battle(team(10), terrain=walls), Emerge("team"), ("hit", 2)).battle.unit("team")
    assert (below.whereabouts, len(below.models), below.marked("marker")) == ("underground", 10, True)
    lost = played(battle(team(10), terrain=walls, no_room="excess-lost"), Emerge("team"), ("hit", 2))
    squeezed = lost.battle.unit("team")
    assert squeezed.on_table
    assert 1 <= len(squeezed.models) <= 4
    assert lost.battle.score == ()


# --- markers, readings


def test_the_marker_is_laid_once_after_deployment() -> None:
    start = replace(battle(team(at=None)), clock=Clock(1, "red", "deployment", "tunnel-markers"))
    assert judge(RULESET, start, LayMarker("team", (73.0, 24.0))).codes == ("point-not-allowed",)
    table = played(start, LayMarker("team", (31.0, 21.5)))
    assert judge(RULESET, table.battle, LayMarker("team", (30.0, 24.0))).codes == ("not-eligible",)
    early = replace(start, clock=Clock(1, "red", "deployment", "deploy-armies"))
    assert judge(RULESET, early, LayMarker("team", (30.0, 24.0))).codes == ("wrong-phase",)
    assert judge(RULESET, battle(team(at=None)), Emerge("team")).codes == ("not-eligible",)


def test_no_marker_is_left_unlaid_and_each_player_lays_his_own() -> None:
    theirs = team(1, None)
    models = tuple(replace(model, id="moles-1", unit="moles") for model in theirs.models)
    moles = replace(theirs, id="moles", name="Moles", player="blue", models=models)
    clock = Clock(1, "red", "deployment", "deploy-armies")
    table = Game(RULESET, replace(battle(team(at=None), moles), clock=clock))
    for _ in range(2):
        table.play(EndStep(), ScriptedDice(()))
    assert (table.battle.clock.step, table.battle.clock.player) == ("tunnel-markers", "red")
    verdict = table.judge(EndStep())
    assert verdict.codes == ("marker-unlaid",)
    assert "Team" in verdict.violations[0].message
    table.play(LayMarker("team", (31.0, 21.5)), ScriptedDice(()))
    table.play(EndStep(), ScriptedDice(()))
    assert (table.battle.clock.step, table.battle.clock.player) == ("tunnel-markers", "blue")
    assert [offer.unit for offer in RULESET.available(table.battle)] == ["moles", ""]
    table.play(LayMarker("moles", (36.0, 40.0)), ScriptedDice(()))
    table.play(EndStep(), ScriptedDice(()))
    assert table.battle.clock == Clock(1, "red", "start", "emergence")


def test_a_verdict_names_the_reading_that_would_turn_it() -> None:
    chain = (Pose(36, 24), Pose(37.2, 24), Pose(38.3, 24))
    notes = judge(RULESET, battle(team(3)), Emerge("team", chain), readings=True).notes
    assert notes == ("legal; illegal if within_two is wholly",)
    strict = battle(team(3), within_two="wholly")
    notes = judge(RULESET, strict, Emerge("team", chain), readings=True).notes
    assert notes == ("illegal; legal if within_two is base-to-base",)
    near = battle(team(1, (29.5, 22.0)), block())
    notes = judge(RULESET, near, Emerge("team", (Pose(29.5, 22.0),)), readings=True).notes
    assert "illegal; legal if one_inch is free" in notes


def test_the_inch_is_measured_from_every_other_enemy_while_one_is_charged() -> None:
    other = Unit("other", "blue", (Model("other-1", "other", BIG, Pose(28.5, 22.0)),), "Other")
    start = battle(team(1, (31.0, 21.5)), block(), other)
    verdict = judge(RULESET, start, Emerge("team", (Pose(30 - SIDE / 2, 21.5),)))
    assert "enemy-too-close" in verdict.codes
    assert {s for v in verdict.violations for s in v.subjects[1:] if v.code == "enemy-too-close"} == {"other-1"}


def test_every_set_up_of_a_random_playthrough_keeps_its_two_inches() -> None:
    for seed in range(12):
        start = battle(team(6, (33.0, 22.0)), block(), turn=5)
        table = Game(RULESET, start)
        dice = SeededDice(seed)
        table.play(Emerge("team"), dice)
        table.play(EndStep(), dice)
        unit = table.battle.unit("team")
        if unit.on_table:
            members = PlacedSet.of(m.placed for m in unit.models)
            assert all(within(gap(members[0], other), 2.0) for other in members)
            assert RULESET.ask(table.battle, "coherent", ("team",)) is True


def test_misfire_and_hit_are_faces_of_their_own() -> None:
    assert MISFIRE != HIT
    assert math.isclose(tunnelling.drifted((1.0, 1.0), 90.0, 4)[1], 5.0)
