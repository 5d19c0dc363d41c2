"""Does every key of a file arrive in the battle?"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sim.battle import Circle, Clock, Floor, Loose, Objective, Ranked, Zone
from sim.geometry import Hull, Oval, Pose, Rect, Round
from sim.geometry import Path as Way
from sim.rules import Deploy, EndStep
from sim.scenario import Ask, ScenarioError, load_case, read_document
from tests.scenario.writing import BLOCK, FULL, GAMES, HEAD, STANDING, TABLE, WAITING, load
from tests.toy import RULESET, Recall, Walk


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    return load(tmp_path_factory.mktemp("scenario"), FULL)


def test_the_case_itself(full) -> None:  # type: ignore[no-untyped-def]
    assert (full.title, full.source, full.ruleset) == ("Everything that a file can say", "derived", RULESET)
    assert full.dice == (4, 6, 1, "misfire", 37.5)
    assert full.asks == (
        Ask("gap", ["guard-1", "guard-2"], 1.0),
        Ask("in-range", ["guard-1", "cart-1"], False, 9.0),
    )
    assert full.assumed == {"crew"}
    expect = full.expect
    assert (expect.legal, expect.codes, expect.measured) == (False, ["wrong-phase"], {"wrong-phase": 1.0})
    assert (expect.outcome, expect.at, expect.distance) == ("stays", (1.0, 2.0), 3.5)
    assert (expect.target, expect.side, expect.needs) == ("guard", "front", 7)


def test_the_table(full) -> None:  # type: ignore[no-untyped-def]
    battle = full.battle
    field = battle.battlefield
    assert (battle.title, battle.ruleset, battle.players) == (full.title, "toy", ("red", "blue"))
    assert battle.clock == Clock(2, "red", "go", "walk")
    assert battle.options == (("dodges", False), ("throw_range", 18.0))
    assert (field.width, field.depth) == (24.0, 18.0)
    (block,) = field.terrain
    square = ((8.0, 8.0), (12.0, 8.0), (12.0, 12.0), (8.0, 12.0))
    assert (block.outline, block.height, block.traits) == (square, 5.0, ("dense",))
    assert block.floors == (Floor(3.0, square),)
    radius = 40 / 25.4 / 2
    assert field.objectives == (Objective("A", (15.0, 15.0), radius), Objective("B", (3.0, 3.0), radius))
    near, far = field.zones
    corners = ((0.0, 0.0), (24.0, 0.0), (24.0, 6.0), (0.0, 6.0))
    assert near == Zone("blue zone", "blue", corners, (Circle((12.0, 6.0), 2.0),))
    assert (far.id, far.player) == ("far", "red")
    assert len(far.outline) >= 90
    for x, y in far.outline:
        assert ((x - 12) ** 2 + (y - 18) ** 2) ** 0.5 == pytest.approx(5.0, abs=1e-9)


def test_the_units(full) -> None:  # type: ignore[no-untyped-def]
    guard = full.battle.unit("guard")
    assert (guard.name, guard.datasheet, guard.points, guard.player) == ("Old Guard", "Guards", 70, "blue")
    assert guard.keywords == ("INFANTRY",)
    assert guard.abilities == ("deep-strike", "ambush: table-edge")
    assert guard.profile == (("M", 6.0), ("T", 4.0), ("W", 2.5))
    assert guard.formation == Loose()
    one, two, three = guard.models
    assert (one.id, one.base, one.pose) == ("guard-1", Round.mm(32), Pose(20.25984252, 10.0))
    assert two.pose == Pose(18.0, 10.0, 45.0)
    assert (three.id, three.name, three.loadout, three.wounds_lost) == ("sergeant", "Sam", ("whip",), 1)
    assert (three.base, three.pose) == (Oval.mm(60, 35), Pose(16.0, 10.0, 90.0, 3.0))
    outline = ((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5))
    assert full.battle.model("cart-1").base == Hull(outline)
    places = {unit.id: unit.whereabouts for unit in full.battle.units}
    assert places == {
        "guard": "table",
        "cart": "table",
        "crew": "embarked:cart",
        "ranks": "table",
        "moles": "underground",
        "ghosts": "destroyed",
    }
    assert [m.pose for m in full.battle.unit("crew").models] == [None, None]
    assert full.battle.model("crew-2").base == Rect.mm(25, 50)
    assert full.battle.unit("cart").name == "cart"


def test_ranks_stand_about_the_centre_of_their_boundary(full) -> None:  # type: ignore[no-untyped-def]
    unit = full.battle.unit("ranks")
    assert unit.formation == Ranked(3)
    side = 25 / 25.4
    found = [(m.pose.x, m.pose.y, m.pose.facing) for m in unit.models]
    # Looking down, the front rank is the lower one and its left file stands at the right.
    expected = [
        (18 + side, 15 - side / 2, 270),
        (18, 15 - side / 2, 270),
        (18 - side, 15 - side / 2, 270),
        (18 + side, 15 + side / 2, 270),
        (18, 15 + side / 2, 270),
    ]
    for mine, theirs in zip(found, expected, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-9)


def test_the_command(full) -> None:  # type: ignore[no-untyped-def]
    command = full.command
    assert isinstance(command, Walk)
    assert command.paths[0] == Way(Pose(20.25984252, 10.0), (Pose(20.0, 9.0),))
    assert command.paths[1].stops == (
        Pose(17.0, 10.0, 45.0),
        Pose(17.0, 9.0, 45.0),
        Pose(17.0, 9.0, 90.0),
    )
    assert command.paths[2] == Way(Pose(16.0, 10.0, 90.0, 3.0), ())


def test_poses_of_a_command_in_every_form(tmp_path: Path) -> None:
    command = '[command]\ntype = "deploy"\nunit = "newts"\nmodels = [[1, 2], { at = [3, 4], facing = 90, z = 3 }]\n'
    assert load(tmp_path, HEAD + TABLE + WAITING + command).command == Deploy(
        "newts", (Pose(1.0, 2.0), Pose(3.0, 4.0, 90.0, 3.0))
    )
    command = '[command]\ntype = "deploy"\nunit = "newts"\nmodels = [[1, 2, 30]]\n'
    assert load(tmp_path, HEAD + TABLE + WAITING + command).command == Deploy("newts", (Pose(1.0, 2.0, 30.0),))
    for text, kind in (('type = "end-step"', EndStep), ('type = "recall"\nunit = "newts"', Recall)):
        assert type(load(tmp_path, f"{HEAD}{TABLE}{WAITING}[command]\n{text}\n").command) is kind


def test_little_is_needed(tmp_path: Path) -> None:
    case = load(tmp_path, HEAD + TABLE)
    assert (case.battle.units, case.battle.players, case.battle.clock) == ((), (), Clock())
    assert (case.command, case.asks, case.title, case.source) == (None, (), "", None)


def test_players_are_named_by_the_clock_then_the_zones_then_the_units(tmp_path: Path) -> None:
    zone = '[[zone]]\nplayer = "green"\noutline = [[0, 0], [1, 0], [1, 1]]\n'
    clock = '[clock]\nplayer = "red"\n'
    assert load(tmp_path, HEAD + TABLE + STANDING + WAITING).battle.players == ("blue", "red")
    assert load(tmp_path, HEAD + TABLE + STANDING + zone).battle.players == ("green", "blue")
    assert load(tmp_path, HEAD + TABLE + STANDING + clock).battle.players == ("red", "blue")
    with pytest.raises(ScenarioError, match="expected 2 players, found red, green, blue"):
        load(tmp_path, HEAD + TABLE + STANDING + zone + clock)
    three = 'players = ["blue", "red", "green"]\n'
    assert load(tmp_path, three + HEAD + TABLE + STANDING + zone + clock).battle.players == ("blue", "red", "green")


def test_a_turn_may_stand_for_a_round_and_a_phase_begins_with_its_first_step(tmp_path: Path) -> None:
    assert load(tmp_path, HEAD + TABLE + "[clock]\nturn = 2\n").battle.clock == Clock(2)
    clock = '[clock]\nround = 2\nplayer = "red"\nphase = "go"\n'
    assert load(tmp_path, HEAD + TABLE + clock).battle.clock == Clock(2, "red", "go", "drop")


def test_crlf_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    plain = load(tmp_path, FULL).battle
    assert load(tmp_path, FULL.replace("\n", "\r\n")).battle == plain
    assert load(tmp_path, b"\xef\xbb\xbf" + FULL.encode()).battle == plain


def test_maps_and_rosters_come_before_the_files_own_tables(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(TABLE + BLOCK + '[[objective]]\nid = "A"\nat = [1, 1]\n')
    (tmp_path / "army.toml").write_text(STANDING)
    (tmp_path / "more.toml").write_text(WAITING)
    own = BLOCK.replace('id = "block"', 'id = "own"') + WAITING.replace("newts", "toads")
    text = 'map = "map.toml"\nroster = ["army.toml", "more.toml"]\n' + HEAD + own
    battle = load(tmp_path, text).battle
    assert [t.id for t in battle.battlefield.terrain] == ["block", "own"]
    assert [o.id for o in battle.battlefield.objectives] == ["A"]
    assert [u.id for u in battle.units] == ["ants", "newts", "toads"]
    assert (battle.battlefield.width, battle.battlefield.depth) == (24.0, 18.0)
    one = load(tmp_path, 'map = "map.toml"\nroster = "army.toml"\n' + HEAD + TABLE.replace("24", "30")).battle
    assert [u.id for u in one.units] == ["ants"]
    assert one.battlefield.width == 30.0


def test_a_file_is_read_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "army.toml").write_text(STANDING)
    document = read_document(tmp_path / "army.toml")
    assert [unit.id for unit in document.unit] == ["ants"]
    assert document.ruleset == ""
    with pytest.raises(ScenarioError):
        load_case(tmp_path / "army.toml", GAMES)


def test_the_full_file_uses_every_key_that_there_is() -> None:
    """Whoever adds a key to the schema adds it to the file above."""
    from sim.scenario import schema

    words = set(FULL.replace("=", " ").replace("[", " ").replace("]", " ").replace("{", " ").split())
    documented = {
        "map",
        "roster",
        "turn",
        "estimate",
        "leads",
        "weapon",
        "rerolls",
        "modifier",
        "odds",
    }  # held by tests of their own
    for table in vars(schema).values():
        if table in (schema.WeaponTable, schema.ExpectedOdds):  # the toy game has neither: tests/scenario/test_names.py
            continue
        if isinstance(table, type) and issubclass(table, msgspec.Struct) and table.__module__ == schema.__name__:
            assert set(table.__struct_fields__) <= words | documented, table.__name__
