"""What happens when the rules of this game are played: deployment in turn, arrivals, moves, and the clock."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Battlefield, Clock, Model, Unit, Zone
from sim.chance import SeededDice
from sim.engine import Game, Refused, judge
from sim.geometry import Path, Pose, Round
from sim.rules import Deploy, EndStep
from sim.rulesets.wh40k10 import RULESET
from sim.rulesets.wh40k10.commands import DeepStrike, NormalMove, StrategicReserves

DICE = SeededDice(1)
LOWER = ((0.0, 0.0), (60.0, 0.0), (60.0, 12.0), (0.0, 12.0))
UPPER = ((0.0, 32.0), (60.0, 32.0), (60.0, 44.0), (0.0, 44.0))


def squad(name: str, player: str, count: int, at: tuple[float, float] | None = None, **fields: object) -> Unit:
    """A unit of 32 mm bases, in a row from a point or in reserves."""
    models = tuple(
        Model(f"{name}-{k}", name, Round.mm(32), None if at is None else Pose(at[0] + 1.5 * k, at[1]))
        for k in range(count)
    )
    profile = (("M", 6.0),)
    where = "reserves" if at is None else "table"
    unit = Unit(name, player, models, name=name, whereabouts=where, profile=profile, keywords=("INFANTRY",))
    return replace(unit, **fields)


def battle(clock: Clock, *units: Unit) -> Battle:
    """A table with two zones and some units."""
    field = Battlefield(60.0, 44.0, zones=(Zone("r", "red", UPPER), Zone("b", "blue", LOWER)))
    return Battle("wh40k10", field, clock, units, ("red", "blue"))


def row(x: float, y: float, count: int) -> tuple[Pose, ...]:
    """Poses in a row."""
    return tuple(Pose(x + 1.5 * k, y) for k in range(count))


def test_players_set_up_in_turn_as_long_as_both_have_something() -> None:
    start = battle(
        Clock(1, "red", "deployment", "deploy-armies"),
        squad("r1", "red", 2),
        squad("r2", "red", 2),
        squad("b1", "blue", 2),
    )
    game = Game(RULESET, start)
    game.play(Deploy("r1", row(10, 40, 2)), DICE)
    assert game.battle.clock.player == "blue"
    assert judge(RULESET, game.battle, Deploy("r2", row(20, 40, 2))).codes == ("wrong-phase",)
    game.play(Deploy("b1", row(10, 4, 2)), DICE)
    assert game.battle.clock.player == "red"
    game.play(Deploy("r2", row(20, 40, 2)), DICE)
    assert game.battle.clock.player == "red", "nobody else has anything left"
    game.play(EndStep(), DICE)
    assert game.battle.clock == Clock(1, "red", "command", "command")


def test_a_unit_that_arrived_has_moved() -> None:
    start = battle(
        Clock(2, "red", "movement", "reinforcements"),
        squad("s", "red", 2, abilities=("deep-strike",)),
        squad("b", "blue", 2, (5.0, 5.0)),
    )
    game = Game(RULESET, start)
    game.play(DeepStrike("s", row(30, 30, 2)), DICE)
    assert game.battle.unit("s").marked("moved")
    assert game.battle.unit("s").on_table
    while game.battle.clock.player == "red":
        game.play(EndStep(), DICE)
    assert not game.battle.unit("s").marked("moved")


def test_a_refused_command_changes_nothing() -> None:
    start = battle(
        Clock(2, "red", "movement", "move-units"), squad("s", "red", 2, (10.0, 10.0)), squad("b", "blue", 1, (40, 5))
    )
    game = Game(RULESET, start)
    poses = [m.pose for m in start.unit("s").models]
    far = tuple(Path.through(p, [[p.x + 7, p.y]]) for p in poses if p is not None)
    with pytest.raises(Refused) as refused:
        game.play(NormalMove("s", far), DICE)
    assert refused.value.verdict.codes == ("too-far",)
    assert game.battle == start
    assert game.entries == ()


def test_a_unit_moves_once_in_a_phase() -> None:
    start = battle(
        Clock(2, "red", "movement", "move-units"), squad("s", "red", 2, (10.0, 10.0)), squad("b", "blue", 1, (40, 5))
    )
    game = Game(RULESET, start)

    def move(dx: float) -> NormalMove:
        poses = [m.pose for m in game.battle.unit("s").models]
        return NormalMove("s", tuple(Path.through(p, [[p.x + dx, p.y]]) for p in poses if p is not None))

    game.play(move(3), DICE)
    assert judge(RULESET, game.battle, move(1)).codes == ("not-eligible",)
    game.undo()
    assert judge(RULESET, game.battle, move(1)).legal


def test_the_clock_walks_through_five_rounds_and_then_the_battle_is_over() -> None:
    game = Game(RULESET, battle(Clock(1, "red", "command", "command"), squad("s", "red", 1, (10.0, 10.0))))
    seen = []
    while judge(RULESET, game.battle, EndStep()).legal:
        seen.append(game.battle.clock)
        game.play(EndStep(), DICE)
    assert len(seen) == 5 * 2 * 8
    assert [clock.round for clock in seen] == sorted(clock.round for clock in seen)
    assert judge(RULESET, game.battle, EndStep()).codes == ("battle-over",)


@pytest.mark.parametrize(("battle_round", "codes"), [(1, ("too-early",)), (2, ("in-enemy-zone",)), (3, ())])
def test_strategic_reserves_and_the_enemys_zone(battle_round: int, codes: tuple[str, ...]) -> None:
    start = battle(
        Clock(battle_round, "red", "movement", "reinforcements"),
        squad("s", "red", 1),
        squad("b", "blue", 1, (50.0, 5.0)),
    )
    assert judge(RULESET, start, StrategicReserves("s", (Pose(3.0, 3.0),))).codes == codes


def test_strategic_reserves_stand_near_one_edge_all_of_them() -> None:
    start = battle(
        Clock(3, "red", "movement", "reinforcements"), squad("s", "red", 2), squad("b", "blue", 1, (50.0, 5.0))
    )
    assert judge(RULESET, start, StrategicReserves("s", (Pose(5.2, 20.0), Pose(3.0, 20.0)))).legal
    around_the_corner = StrategicReserves("s", (Pose(5.2, 41.0), Pose(7.0, 41.0)))
    assert judge(RULESET, start, around_the_corner).legal, "both are near the upper edge"
    far = StrategicReserves("s", (Pose(5.2, 37.0), Pose(7.0, 39.0)))
    assert judge(RULESET, start, far).codes == ("not-wholly-within",)


def test_a_fortification_cannot_be_in_strategic_reserves() -> None:
    start = battle(Clock(3, "red", "movement", "reinforcements"), squad("s", "red", 1, keywords=("FORTIFICATION",)))
    assert judge(RULESET, start, StrategicReserves("s", (Pose(3.0, 20.0),))).codes == ("not-eligible",)


def test_the_whole_unit_or_nothing() -> None:
    start = battle(
        Clock(2, "red", "movement", "reinforcements"),
        squad("s", "red", 3, abilities=("deep-strike",)),
        squad("b", "blue", 1, (5.0, 5.0)),
    )
    assert judge(RULESET, start, DeepStrike("s", row(30, 30, 2))).codes == ("wrong-model-count",)


def test_a_path_starts_where_the_model_stands() -> None:
    start = battle(
        Clock(2, "red", "movement", "move-units"), squad("s", "red", 1, (10.0, 10.0)), squad("b", "blue", 1, (40, 5))
    )
    wrong = Path.through(Pose(11.0, 10.0), [[12.0, 10.0]])
    assert judge(RULESET, start, NormalMove("s", (wrong,))).codes == ("wrong-start",)


def test_vehicles_do_not_walk_through_walls_and_infantry_does() -> None:
    from sim.battle import Terrain

    wall = Terrain("w", "ruin-wall", ((13.0, 0.0), (13.2, 0.0), (13.2, 30.0), (13.0, 30.0)), 5.0)
    clock = Clock(2, "red", "movement", "move-units")
    foot = battle(clock, squad("s", "red", 1, (10.0, 10.0)), squad("b", "blue", 1, (40, 5)))
    foot = replace(foot, battlefield=replace(foot.battlefield, terrain=(wall,)))
    move = NormalMove("s", (Path.through(Pose(10.0, 10.0), [[15.5, 10.0]]),))
    assert judge(RULESET, foot, move).legal
    tank = foot.with_unit(replace(foot.unit("s"), keywords=("VEHICLE",)))
    assert judge(RULESET, tank, move).codes == ("crosses-terrain",)


def test_big_models_do_not_pass_through_one_another_and_others_do() -> None:
    clock = Clock(2, "red", "movement", "move-units")
    friend = squad("f", "red", 1, (13.0, 10.0), keywords=("VEHICLE",))
    start = battle(clock, squad("s", "red", 1, (10.0, 10.0)), friend, squad("b", "blue", 1, (40, 5)))
    move = NormalMove("s", (Path.through(Pose(10.0, 10.0), [[16.0, 10.0]]),))
    assert judge(RULESET, start, move).legal
    big = start.with_unit(replace(start.unit("s"), keywords=("MONSTER",)))
    assert judge(RULESET, big, move).codes == ("crosses-model",)
    flying = start.with_unit(replace(start.unit("s"), keywords=("MONSTER", "FLY")))
    assert judge(RULESET, flying, move).legal
