"""What else is played: deployment in turn, moves of skirmishers, and the questions about them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sim.battle import Battle, Battlefield, Clock, Marker, Model, Ranked, Terrain, Unit, Zone
from sim.chance import ScriptedDice
from sim.engine import Game, judge
from sim.geometry import Path, Pose, Rect
from sim.rules import Deploy, QuestionError
from sim.rulesets.whfb6 import RULESET
from sim.rulesets.whfb6.commands import Move

BASE = Rect.mm(20, 20)
CRAG = Terrain("crag", "hill", ((30, 20), (34, 20), (34, 24), (30, 24)), traits=("impassable",))
ZONES = (
    Zone("red zone", "red", ((0.0, 36.0), (72.0, 36.0), (72.0, 48.0), (0.0, 48.0))),
    Zone("blue zone", "blue", ((0.0, 0.0), (72.0, 0.0), (72.0, 12.0), (0.0, 12.0))),
)
FIELD = Battlefield(72.0, 48.0, (CRAG,), zones=ZONES)


def unit(name: str, player: str, *at: tuple[float, float], **fields: object) -> Unit:
    models = tuple(Model(f"{name}-{k}", name, BASE, Pose(*spot)) for k, spot in enumerate(at, 1))
    return replace(Unit(name, player, models, name, profile=(("M", 6.0),)), **fields)


def waiting(name: str, player: str, count: int = 2) -> Unit:
    models = tuple(Model(f"{name}-{k}", name, BASE) for k in range(1, count + 1))
    return Unit(name, player, models, name, whereabouts="reserves")


def moving(*units: Unit) -> Battle:
    return Battle("whfb6", FIELD, Clock(2, "red", "movement", "remaining-moves"), units, ("red", "blue"))


def deploying(*units: Unit) -> Battle:
    return Battle("whfb6", FIELD, Clock(1, "red", "deployment", "deploy-armies"), units, ("red", "blue"))


def codes(battle: Battle, name: str, *stops: list[list[float]]) -> tuple[str, ...]:
    starts = [m.pose for m in battle.unit(name).models if m.pose is not None]
    paths = tuple(Path.through(pose, way) for pose, way in zip(starts, stops, strict=True))
    return judge(RULESET, battle, Move(name, paths)).codes


def test_players_set_up_in_turn_inside_their_zones() -> None:
    table = Game(RULESET, deploying(waiting("a", "red"), waiting("b", "blue")))
    outside = Deploy("a", (Pose(20, 36.2), Pose(21, 38)))
    assert judge(RULESET, table.battle, outside).codes == ("incoherent", "not-wholly-within")
    table.play(Deploy("a", (Pose(20, 38), Pose(21, 38))), ScriptedDice(()))
    assert table.battle.clock.player == "blue"
    again = Deploy("a", (Pose(20, 38), Pose(21, 38)))
    assert judge(RULESET, table.battle, again).codes == ("not-eligible", "wrong-phase")
    zoneless = replace(table.battle, battlefield=Battlefield(72.0, 48.0))
    assert "not-eligible" in judge(RULESET, zoneless, Deploy("b", (Pose(20, 5), Pose(21, 5)))).codes


def test_a_skirmisher_goes_its_move_and_no_farther() -> None:
    table = moving(unit("a", "red", (10.0, 10.0)))
    assert codes(table, "a", [[16.0, 10.0]]) == ()
    assert codes(table, "a", [[16.01, 10.0]]) == ("too-far",)
    assert codes(table, "a", [[13.0, 10.0], [13.0, 13.1]]) == ("too-far",)


def test_the_way_keeps_an_inch_from_enemies_and_off_everything() -> None:
    friend, enemy = unit("f", "red", (13.0, 10.0)), unit("e", "blue", (10.0, 13.0))
    table = moving(unit("a", "red", (10.0, 10.0)), friend, enemy)
    assert codes(table, "a", [[15.0, 10.0]]) == ("crosses-model",)
    assert codes(table, "a", [[10.0, 11.3]]) == ("enemy-too-close",)
    assert codes(table, "a", [[10.0, 11.2]]) == ()
    crag = moving(unit("a", "red", (29.0, 22.0)))
    assert codes(crag, "a", [[34.9, 22.0]]) == ("crosses-terrain",)
    edge = moving(unit("a", "red", (1.0, 22.0)))
    assert codes(edge, "a", [[0.3, 22.0]]) == ("off-table",)


def test_the_group_stays_together() -> None:
    table = moving(unit("a", "red", (10.0, 10.0), (11.0, 10.0)))
    assert codes(table, "a", [[10.0, 12.0]], [[11.0, 12.0]]) == ()
    assert codes(table, "a", [[8.0, 10.0]], []) == ("incoherent",)


@pytest.mark.parametrize("kind", ["moved", "engaged", "disoriented"])
def test_some_stay_where_they_are(kind: str) -> None:
    table = moving(unit("a", "red", (10.0, 10.0), markers=(Marker(kind),)))
    assert codes(table, "a", [[12.0, 10.0]]) == ("not-eligible",)
    assert RULESET.ask(table, "may-move", ("a",)) is False
    assert RULESET.ask(table, "may-charge", ("a",)) is False


def test_a_single_model_moves_any_way_and_who_has_no_move_does_not() -> None:
    assert codes(moving(unit("a", "red", (10.0, 10.0), formation=Ranked(1))), "a", [[12.0, 10.0]]) == ()
    assert codes(moving(unit("a", "red", (10.0, 10.0), profile=())), "a", [[12.0, 10.0]]) == ("not-eligible",)


def test_a_unit_moves_once_and_is_offered_it_once() -> None:
    table = Game(RULESET, moving(unit("a", "red", (10.0, 10.0)), unit("b", "blue", (50.0, 10.0))))
    assert [offer.command for offer in RULESET.available(table.battle)] == ["move", "end-step"]
    table.play(Move("a", (Path.through(Pose(10.0, 10.0), [[12.0, 10.0]]),)), ScriptedDice(()))
    assert [offer.command for offer in RULESET.available(table.battle)] == ["end-step"]
    wrong = Move("a", (Path.through(Pose(10.0, 10.0), [[11.0, 10.0]]),))
    assert judge(RULESET, table.battle, wrong).codes == ("not-eligible", "wrong-start")


def test_questions() -> None:
    table = moving(unit("a", "red", (10.0, 10.0), (11.0, 10.0)), unit("b", "blue", (20.0, 10.0)))
    assert RULESET.ask(table, "gap", ("a", "b")) == pytest.approx(9.0 - 20 / 25.4)
    assert RULESET.ask(table, "gap", ("a-1", "b")) == pytest.approx(10.0 - 20 / 25.4)
    assert RULESET.ask(table, "coherent", ("a",)) is True
    assert RULESET.ask(table, "engaged", ("a",)) is False
    for name, of in (("gap", ("a",)), ("coherent", ("a", "b")), ("engaged", ("nobody",)), ("under", ("a",))):
        with pytest.raises(QuestionError):
            RULESET.ask(table, name, of)
    with pytest.raises(QuestionError):
        RULESET.ask(deploying(waiting("w", "red")), "gap", ("w", "w"))
