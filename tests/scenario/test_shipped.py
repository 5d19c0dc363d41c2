"""Are the maps fair, and are the scenarios legal as they stand?"""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest
from shapely import Polygon, affinity

from sim.app.games import rulesets
from sim.battle import Battle, Terrain
from sim.chance import SeededDice
from sim.engine import Game
from sim.geometry import Path as Way
from sim.geometry import PlacedSet, Sweep, separation
from sim.resources import data_root
from sim.rules import EndStep
from sim.scenario import Case, load_case, read_document

MAPS = sorted((data_root() / "maps").glob("*.toml"))
SCENARIOS = [
    path
    for path in sorted((data_root() / "assets" / "scenarios").glob("*.toml"))
    if "ruleset" in tomllib.loads(path.read_text("utf-8"))
]
TOUCH = 1e-6  # inches


def name_of(path: Path) -> str:
    return path.stem


@pytest.fixture(params=SCENARIOS, ids=name_of)
def case(request: pytest.FixtureRequest) -> Case:
    return load_case(request.param, rulesets())


def on(path: Path) -> Battle:
    """A map as a battle without units."""
    import msgspec

    from sim.scenario import build_case

    kinds = {piece.kind for piece in read_document(path).terrain}
    game = min(name for name, ruleset in rulesets().items() if kinds <= ruleset.terrain_kinds)
    document = msgspec.structs.replace(read_document(path), ruleset=game)
    return build_case(str(path), document, rulesets(), path.read_text("utf-8")).battle


def test_maps_and_scenarios_ship() -> None:
    assert len(MAPS) >= 3
    assert "demo" in [path.stem for path in SCENARIOS]
    assert len(SCENARIOS) >= 2


@pytest.mark.parametrize("path", MAPS, ids=name_of)
def test_a_map_is_the_same_seen_from_the_other_side(path: Path) -> None:
    field = on(path).battlefield
    width, depth = field.width, field.depth
    assert path.stem.endswith(f"-{width:g}x{depth:g}")

    def turned(outline: tuple[tuple[float, float], ...]) -> Polygon:
        return affinity.rotate(Polygon(outline), 180, origin=(width / 2, depth / 2))

    def twins(piece: Terrain) -> list[Terrain]:
        return [
            other
            for other in field.terrain
            if (other.kind, other.height, other.traits) == (piece.kind, piece.height, piece.traits)
            and Polygon(other.outline).symmetric_difference(turned(piece.outline)).area < 1e-6
            and len(other.floors) == len(piece.floors)
            and all(
                a.z == b.z and Polygon(a.outline).symmetric_difference(turned(b.outline)).area < 1e-6
                for a, b in zip(other.floors, piece.floors, strict=True)
            )
        ]

    assert field.terrain
    assert [piece.id for piece in field.terrain if len(twins(piece)) != 1] == []
    spots = {(round(o.at[0], 6), round(o.at[1], 6), round(o.radius, 6)) for o in field.objectives}
    assert spots == {(round(width - x, 6), round(depth - y, 6), r) for x, y, r in spots}
    one, two = field.zones
    assert {one.player, two.player} == {"blue", "red"}
    assert Polygon(two.outline).symmetric_difference(turned(one.outline)).area < 1e-6
    cuts = {(c.at[0], c.at[1], c.radius) for c in one.minus}
    assert {(width - x, depth - y, r) for x, y, r in cuts} == {(c.at[0], c.at[1], c.radius) for c in two.minus}


@pytest.mark.parametrize("path", MAPS, ids=name_of)
def test_what_stands_on_a_map_is_on_it_and_solid_pieces_do_not_lie_in_one_another(path: Path) -> None:
    field = on(path).battlefield
    table = Polygon(((0, 0), (field.width, 0), (field.width, field.depth), (0, field.depth)))
    outlines = [(t.id, Polygon(t.outline)) for t in field.terrain] + [(z.id, Polygon(z.outline)) for z in field.zones]
    assert [name for name, outline in outlines if not table.buffer(TOUCH).covers(outline)] == []
    for piece in field.terrain:
        for floor in piece.floors:
            assert Polygon(piece.outline).buffer(TOUCH).covers(Polygon(floor.outline)), piece.id
    solid = [(t.id, Polygon(t.outline)) for t in field.terrain if t.height > 0]
    clashes = [(a, b) for (a, p), (b, q) in itertools.combinations(solid, 2) if p.intersection(q).area > 1e-6]
    assert clashes == []


@pytest.mark.parametrize("path", MAPS, ids=name_of)
def test_zones_do_not_overlap(path: Path) -> None:
    one, two = on(path).battlefield.zones
    assert Polygon(one.outline).intersection(Polygon(two.outline)).area < 1e-6


def test_no_bases_overlap(case: Case) -> None:
    standing = [m for m in case.battle.models() if m.pose is not None]
    clashes = [
        (a.id, b.id)
        for a, b in itertools.combinations(standing, 2)
        if a.pose.z == b.pose.z and separation(a.placed, b.placed) < -TOUCH  # type: ignore[union-attr]
    ]
    assert clashes == []


def test_units_are_coherent_and_out_of_engagement(case: Case) -> None:
    units = [unit.id for unit in case.battle.units if unit.on_table]
    asked = case.ruleset.questions
    if "coherent" in asked:
        assert [u for u in units if not case.ruleset.ask(case.battle, "coherent", (u,))] == []
    if "engaged" in asked:
        assert [u for u in units if case.ruleset.ask(case.battle, "engaged", (u,))] == []


def test_standing_still_breaks_no_rule(case: Case) -> None:
    moves = [p for p in case.ruleset.plays if set(p.command.__struct_fields__) == {"unit", "paths"}]
    assert moves, "the game moves nobody"
    wrong = []
    for unit in case.battle.units:
        if not unit.on_table:
            continue
        placed = [m.placed for m in unit.models]
        still = tuple(Way(p.pose, ()) for p in placed)
        sweeps = [Sweep(p.base, way) for p, way in zip(placed, still, strict=True)]
        for play in moves:
            assert play.rules is not None
            rules = play.rules(case.battle, play.command(unit=unit.id, paths=still))  # type: ignore[call-arg]
            wrong += [(unit.id, b.code, b.other) for b in rules.breaches(PlacedSet.of(placed), sweeps)]
    assert wrong == []


def test_two_sides_and_something_to_do(case: Case) -> None:
    battle = case.battle
    assert len(battle.players) == 2
    assert battle.clock.player in battle.players
    assert battle.title
    game, turn = Game(case.ruleset, battle), (battle.clock.round, battle.clock.player)
    while not any(offer.unit for offer in case.ruleset.available(game.battle)):
        game.play(EndStep(), SeededDice(0))
        assert (game.battle.clock.round, game.battle.clock.player) == turn, "nothing to do in the first turn"
    armies = {player: sum(u.points for u in battle.units if u.player == player) for player in battle.players}
    assert all(points > 0 for points in armies.values())


@pytest.mark.parametrize("path", [p for p in SCENARIOS if any(w.isdigit() for w in p.stem.split("-"))], ids=name_of)
def test_a_size_in_the_name_is_the_size_of_both_armies(path: Path) -> None:
    battle = load_case(path, rulesets()).battle
    size = next(int(word) for word in path.stem.split("-") if word.isdigit())
    assert path.stem.startswith(battle.ruleset)
    for player in battle.players:
        points = sum(u.points for u in battle.units if u.player == player)
        assert 0.95 * size <= points <= size
