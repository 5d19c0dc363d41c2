"""Is whatever is wrong with a file said on one line, with the file and the place?"""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.scenario import ScenarioError, load_case
from tests.scenario.writing import BLOCK, GAMES, HEAD, STANDING, TABLE, WAITING, check_form, refusal

ZONE = '[[zone]]\nplayer = "red"\noutline = [[0, 0], [9, 0], [9, 9]]\n'
CLOCK = '[clock]\nround = 1\nplayer = "red"\nphase = "go"\nstep = "walk"\n'
MARKER = '[[marker]]\nid = "hole"\nunit = "newts"\nat = [3, 3]\n'
RANKS = '[[unit]]\nid = "ranks"\nplayer = "red"\nbase = { rect = [25, 25] }\n'
FORMED = "formation = { files = 2, models = 4, at = [9, 9], facing = 90 }\n"
COMMAND = '[command]\ntype = "deploy"\nunit = "newts"\nmodels = [[1, 2], [3, 4]]\n'
WALK = '[command]\ntype = "walk"\nunit = "ants"\npaths = [[[4, 5]], [[5, 5]]]\n'
BASIC = HEAD + TABLE


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


# A text, then where and what, as they stand after the name of the file.
WRONG: dict[str, tuple[str, str, str]] = {
    # unknown keys
    "key": ("colour = 3\n" + BASIC, "line 1", "unknown key 'colour'"),
    "key of the table": (BASIC + "height = 3\n", "line 5 (table.height)", "unknown key 'height'; known: depth, width"),
    "key of a unit": (
        BASIC + STANDING + WAITING + "size = 3\n",
        "line 16 (unit[1].size)",
        "unknown key 'size'; known: abilities",
    ),
    "key of a base": (
        BASIC + changed(STANDING, "round = 25", "round = 25, depth = 3"),
        "line 8 (unit[0].base.depth)",
        "unknown key 'depth'; known: assumed",
    ),
    "table": (BASIC + "[weather]\nrain = true\n", "line 5", "unknown key 'weather'"),
    "key of a command": (
        BASIC + WAITING + COMMAND + "speed = 3\n",
        "line 15 (command.speed)",
        "unknown key 'speed'; known: models, type, unit",
    ),
    # wrong types
    "text for a number": (
        HEAD + '[table]\nwidth = "wide"\ndepth = 3\n',
        "line 3 (table.width)",
        "expected a number, got 'wide'",
    ),
    "number for a text": ("title = 3\n" + BASIC, "line 1 (title)", "expected text in quotes, got 3"),
    "number for a table": ('ruleset = "toy"\ntable = 3\n', "line 2 (table)", "expected a table, got 3"),
    "table for tables": (
        BASIC + "[unit]\nid = 3\n",
        "line 5 (unit)",
        "expected tables, each with its own header in [[ ]], got a table",
    ),
    "date": ("title = 2020-01-01\n" + BASIC, "line 1 (title)", "expected text in quotes, got 2020-01-01"),
    "true for a coordinate": (
        BASIC + changed(STANDING, "[4, 4]", "[true, 4]"),
        "line 9 (unit[0].models[0][0])",
        "expected a number, got true",
    ),
    "three for two": (
        BASIC + changed(BLOCK, "[10, 8]", "[10, 8, 3]"),
        "line 8 (terrain[0].outline[0])",
        "expected a list of 2 numbers, got [10, 8, 3]",
    ),
    "a source nobody knows": (
        'source = "dream"\n' + BASIC,
        "line 1 (source)",
        "expected one of ambiguous, derived, public, seed, got 'dream'",
    ),
    # missing keys
    "no ruleset": (TABLE, "top level", "expected a ruleset, one of toy"),
    "no table": (HEAD, "top level", "expected a [table] with width and depth, or a map"),
    "half a table": (HEAD + "[table]\nwidth = 3\n", "line 2 (table)", "expected the key 'depth', a number"),
    "no id": (
        BASIC + changed(STANDING, 'id = "ants"\n', ""),
        "line 5 (unit[0])",
        "expected the key 'id', text in quotes",
    ),
    "no player": (BASIC + changed(STANDING, 'player = "blue"\n', ""), "line 5 (unit[0])", "unit ants has no player"),
    "no base": (
        BASIC + changed(STANDING, "base = { round = 25 }\n", ""),
        "line 8 (unit[0].models[0])",
        "unit ants has no base, and neither has this model",
    ),
    # unknown words
    "ruleset": ('ruleset = "chess"\n' + TABLE, "line 1 (ruleset)", "no ruleset is called 'chess'; known: toy"),
    "terrain": (
        BASIC + BLOCK + changed(changed(BLOCK, 'kind = "block"', 'kind = "castle"'), '"block"', '"other"'),
        "line 11 (terrain[1].kind)",
        "toy knows no terrain 'castle'; known: block",
    ),
    "option": (BASIC + "[options]\nsnow = true\n", "line 6 (options.snow)", "no option is called 'snow'; known: dod"),
    "value of an option": (
        BASIC + "[options]\nthrow_range = 13.0\n",
        "line 6 (options.throw_range)",
        "expected one of 12.0, 18.0, got 13.0",
    ),
    "number for an option": (
        BASIC + "[options]\ndodges = 1\n",
        "line 6 (options.dodges)",
        "expected one of true, false",
    ),
    "phase": (
        BASIC + changed(CLOCK, '"go"', '"run"'),
        "line 8 (clock.phase)",
        "no phase is called 'run'; known: setup",
    ),
    "step": (BASIC + changed(CLOCK, '"walk"', '"fly"'), "line 9 (clock.step)", "no step of go is called 'fly'"),
    "step of no phase": (BASIC + changed(CLOCK, 'phase = "go"\n', ""), "line 8 (clock.step)", "a step needs its phase"),
    "player of the clock": (
        'players = ["red"]\n' + BASIC + changed(CLOCK, '"red"', '"green"'),
        "line 1 (players)",
        "player 'green' is not among red",
    ),
    "player of a unit": (
        'players = ["red"]\n' + BASIC + STANDING,
        "line 1 (players)",
        "player 'blue' is not among red",
    ),
    "place": (
        BASIC + changed(WAITING, "reserves", "reserve"),
        "line 8 (unit[0].where)",
        "expected one of table, reserves, underground, destroyed or embarked:UNIT, got 'reserve'",
    ),
    "carrier": (BASIC + changed(WAITING, "reserves", "embarked:x"), "line 8 (unit[0].where)", "got 'embarked:x'"),
    "unit of a marker": (
        BASIC + WAITING + changed(MARKER, '"newts"', '"mole"'),
        "line 13 (marker[0].unit)",
        "no unit is called 'mole'",
    ),
    "command": (
        BASIC + WAITING + changed(COMMAND, "deploy", "teleport"),
        "line 12 (command.type)",
        "toy has no command 'teleport'; known: deploy, drop, end-step, recall, throw, walk",
    ),
    "unit of a command": (
        BASIC + STANDING + changed(WALK, '"ants"', '"wasps"'),
        "line 12 (command.unit)",
        "no unit is called 'wasps'",
    ),
    # ids
    "two units": (BASIC + WAITING + WAITING, "line 12 (unit[1].id)", "a second unit is called 'newts'"),
    "two terrain pieces": (BASIC + BLOCK + BLOCK, "line 10 (terrain[1].id)", "a second terrain is called 'block'"),
    "two objectives": (
        BASIC + '[[objective]]\nid = "A"\nat = [1, 1]\n' * 2,
        "line 9 (objective[1].id)",
        "a second objective is called 'A'",
    ),
    "two models": (
        BASIC + changed(STANDING, "[[4, 4], [5.5, 4]]", '[{ id = "a", at = [4, 4] }, { id = "a", at = [6, 4] }]'),
        "line 9 (unit[0].models)",
        "a second model or unit is called 'a'",
    ),
    "a model called like a unit": (
        BASIC + WAITING + changed(STANDING, "[[4, 4], [5.5, 4]]", '[{ id = "newts", at = [4, 4] }]'),
        "line 15 (unit[1].models)",
        "a second model or unit is called 'newts'",
    ),
    "an id with a blank": (
        BASIC + changed(WAITING, '"newts"', '"the newts"'),
        "line 6 (unit[0].id)",
        "got 'the newts'",
    ),
    "no id at all": (BASIC + changed(WAITING, '"newts"', '""'), "line 6 (unit[0].id)", "got ''"),
    "an id that divides a line": (BASIC + changed(WAITING, '"newts"', '"a|b"'), "line 6 (unit[0].id)", "got 'a|b'"),
    # shapes
    "outline crosses itself": (
        BASIC + changed(BLOCK, "[12, 8], [12, 10]", "[12, 10], [12, 8]"),
        "line 8 (terrain[0].outline)",
        "block: outline crosses itself near (11, 9)",
    ),
    "outline of two corners": (
        BASIC + changed(BLOCK, ", [12, 10], [10, 10]", ""),
        "line 8 (terrain[0].outline)",
        "block: an outline needs at least 3 corners, got 2",
    ),
    "outline without area": (
        BASIC + changed(BLOCK, "[12, 10], [10, 10]", "[14, 8]"),
        "line 8 (terrain[0].outline)",
        "block: outline encloses no area",
    ),
    "floor crosses itself": (
        BASIC + BLOCK + "floors = [{ z = 3, outline = [[0, 0], [2, 2], [2, 0], [0, 2]] }]\n",
        "line 9 (terrain[0].floors[0].outline)",
        "block floor: outline crosses itself near (1, 1)",
    ),
    "zone crosses itself": (
        BASIC + changed(ZONE, "[[0, 0], [9, 0], [9, 9]]", "[[0, 0], [9, 9], [9, 0], [0, 9]]"),
        "line 7 (zone[0].outline)",
        "red zone: outline crosses itself",
    ),
    "hull crosses itself": (
        BASIC + changed(STANDING, "round = 25", "hull = [[0, 0], [2, 2], [2, 0], [0, 2]]"),
        "line 8 (unit[0].base)",
        "hull: outline crosses itself near (1, 1)",
    ),
    "zone of neither kind": (
        BASIC + '[[zone]]\nplayer = "red"\n',
        "line 5 (zone[0])",
        "expected an outline or a circle, and not both",
    ),
    "zone of both kinds": (
        BASIC + ZONE + "circle = { at = [1, 1], radius = 1 }\n",
        "line 5 (zone[0])",
        "expected an outline or a circle, and not both",
    ),
    # bases
    "base of no kind": (
        BASIC + changed(STANDING, "round = 25", ""),
        "line 8 (unit[0].base)",
        "expected exactly one of round, oval, rect, hull, got none",
    ),
    "base of two kinds": (
        BASIC + changed(STANDING, "round = 25", "round = 25, oval = [60, 35]"),
        "line 8 (unit[0].base)",
        "expected exactly one of round, oval, rect, hull, got round, oval",
    ),
    "base of nothing": (
        BASIC + changed(STANDING, "25", "0"),
        "line 8 (unit[0].base)",
        "expected a base of 0.1 to 1000 mm, got 0 mm",
    ),
    "base less than nothing": (
        BASIC + changed(STANDING, "25", "-25"),
        "line 8 (unit[0].base)",
        "expected a base of 0.1 to 1000 mm, got -25 mm",
    ),
    "endless base": (
        BASIC + changed(STANDING, "25", "inf"),
        "line 8 (unit[0].base)",
        "expected a base of 0.1 to 1000 mm, got inf mm",
    ),
    "flat oval": (
        BASIC + changed(STANDING, "round = 25", "oval = [60, 0]"),
        "line 8 (unit[0].base)",
        "expected a base of 0.1 to 1000 mm, got 0 mm",
    ),
    "round bases in ranks": (
        BASIC + changed(RANKS, "rect = [25, 25]", "round = 25") + FORMED,
        "line 8 (unit[0].base)",
        "expected rectangular bases for a unit in ranks",
    ),
    # models
    "no models": (
        BASIC + changed(WAITING, "models = 2", "models = []"),
        "line 10 (unit[0].models)",
        "unit newts has no models",
    ),
    "nought models": (BASIC + changed(WAITING, "models = 2", "models = 0"), "line 10 (unit[0].models)", "got 0"),
    "too many models": (
        BASIC + changed(WAITING, "models = 2", "models = 20000"),
        "line 10 (unit[0].models)",
        "expected 1 to 10000 models, got 20000",
    ),
    "one coordinate": (BASIC + changed(STANDING, "[4, 4]", "[4]"), "line 9 (unit[0].models[0])", "expected [x, y]"),
    "model without a place": (
        BASIC + changed(WAITING, 'where = "reserves"\n', ""),
        "line 9 (unit[0].models)",
        "unit newts is on the table: every model needs a position",
    ),
    "waiting model with a place": (
        BASIC + STANDING + 'where = "reserves"\n',
        "line 10 (unit[0].where)",
        "unit ants is 'reserves': its models have no position",
    ),
    "off the table": (
        BASIC + changed(STANDING, "[4, 4]", "[4, 17.8]"),
        "line 9 (unit[0].models)",
        "model ants-1 is off the 24×18 table by 0.29 inches",
    ),
    "oval off the table": (
        BASIC + changed(changed(STANDING, "round = 25", "oval = [60, 35]"), "[4, 4]", "[1, 4]"),
        "line 9 (unit[0].models)",
        "model ants-1 is off the 24×18 table by 0.18 inches",
    ),
    "ranks off the table": (
        BASIC + RANKS + changed(FORMED, "[9, 9]", "[0.5, 9]"),
        "line 5 (unit[0]",
        "model ranks-1 is off the 24×18 table by 0.",
    ),
    "less than no wounds": (
        BASIC + changed(STANDING, "[4, 4]", "{ at = [4, 4], wounds = -1 }"),
        "line 9 (unit[0].models[0].wounds)",
        "expected a whole number from 0 to 1000000, got -1",
    ),
    # ranks
    "no files": (
        BASIC + RANKS + changed(FORMED, "files = 2", "files = 0"),
        "line 9 (unit[0].formation)",
        "at least one file",
    ),
    "too many in ranks": (
        BASIC + RANKS + changed(FORMED, "models = 4", "models = 1000000"),
        "line 9 (unit[0].formation)",
        "10000",
    ),
    "ranks nowhere": (BASIC + RANKS + changed(FORMED, "[9, 9]", "[nan, 9]"), "line 9 (unit[0].formation)", "finite"),
    "ranks far away": (BASIC + RANKS + changed(FORMED, "[9, 9]", "[1e300, 9]"), "line 9 (unit[0].formation)", "e+"),
    # numbers
    "no width": (HEAD + changed(TABLE, "24", "0"), "line 3 (table.width)", "expected inches from 0 to 400, got 0"),
    "width of nothing": (HEAD + changed(TABLE, "24", "nan"), "line 3 (table.width)", "got nan"),
    "endless depth": (HEAD + changed(TABLE, "18.0", "inf"), "line 4 (table.depth)", "got inf"),
    "too long a table": (HEAD + changed(TABLE, "24", "401"), "line 3 (table.width)", "got 401"),
    "corner nowhere": (BASIC + changed(BLOCK, "[10, 8]", "[nan, 8]"), "line 8 (terrain[0].outline)", "got nan"),
    "height nowhere": (
        BASIC + BLOCK + "height = nan\n",
        "line 9 (terrain[0].height)",
        "expected a height of 0 or more",
    ),
    "height below": (BASIC + BLOCK + "height = -1\n", "line 9 (terrain[0].height)", "got -1"),
    "floor below": (BASIC + BLOCK + "floors = [{ z = -1, outline = [[0, 0], [1, 0], [1, 1]] }]\n", "line 9", "got -1"),
    "model nowhere": (BASIC + changed(STANDING, "[4, 4]", "[nan, 4]"), "line 9 (unit[0].models[0])", "got nan"),
    "model far away": (BASIC + changed(STANDING, "[4, 4]", "[1e300, 4]"), "line 9 (unit[0].models[0])", "1e+300"),
    "facing nowhere": (BASIC + changed(STANDING, "[4, 4]", "[4, 4, inf]"), "line 9 (unit[0].models[0])", "got inf"),
    "profile of nothing": (BASIC + STANDING + "profile = { M = nan }\n", "line 10 (unit[0].profile.M)", "got nan"),
    "profile below nothing": (
        BASIC + STANDING + "profile = { M = -6 }\n",
        "line 10 (unit[0].profile.M)",
        "expected M from 0 to 1000, got -6",
    ),
    "profile beyond all": (BASIC + STANDING + "profile = { M = 1e9 }\n", "line 10 (unit[0].profile.M)", "got 1e+09"),
    "objective nowhere": (BASIC + '[[objective]]\nid = "A"\nat = [nan, 1]\n', "line 7 (objective[0].at)", "got nan, 1"),
    "objective off the table": (
        BASIC + '[[objective]]\nid = "A"\nat = [25, 1]\n',
        "line 7 (objective[0].at)",
        "expected a point of the 24×18 table, got 25, 1",
    ),
    "objective of nothing": (
        BASIC + '[[objective]]\nid = "A"\nat = [1, 1]\ndiameter = 0\n',
        "line 8 (objective[0].diameter)",
        "expected more than 0 mm and at most 1000 mm, got 0",
    ),
    "circle of nothing": (
        BASIC + '[[zone]]\nplayer = "red"\ncircle = { at = [1, 1], radius = 0 }\n',
        "line 7 (zone[0].circle)",
        "more than 0 inches",
    ),
    "circle nowhere": (
        BASIC + '[[zone]]\nplayer = "red"\ncircle = { at = [nan, 1], radius = 2 }\n',
        "line 7 (zone[0].circle)",
        "expected a circle",
    ),
    "cut nowhere": (
        BASIC + ZONE + "minus = [{ circle = { at = [1, inf], radius = 2 } }]\n",
        "line 8 (zone[0].minus[0].circle)",
        "circle",
    ),
    "marker nowhere": (BASIC + WAITING + changed(MARKER, "[3, 3]", "[nan, 3]"), "line 14 (marker[0].at)", "nan"),
    "round below": (
        BASIC + changed(CLOCK, "1", "-1"),
        "line 6 (clock.round)",
        "expected a whole number from 1 to 1000000, got -1",
    ),
    "endless round": (BASIC + changed(CLOCK, "1", "9" * 30), "line 6 (clock.round)", ""),
    "too many digits": (HEAD + changed(TABLE, "24", "9" * 5000), "", "a number with too many digits"),
    "no float": (HEAD + changed(TABLE, "24", "9" * 400), "line 3 (table.width)", "a number with too many digits"),
    # commands
    "no type": (BASIC + WAITING + changed(COMMAND, 'type = "deploy"\n', ""), "line 11 (command.type)", "known: deploy"),
    "no unit": (
        BASIC + WAITING + changed(COMMAND, 'unit = "newts"\n', ""),
        "line 11 (command)",
        "expected the key 'unit', text in quotes",
    ),
    "pose of text": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", '["1", 2]'),
        "line 14 (command.models[0])",
        "expected [x, y]",
    ),
    "pose of one": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", "[1]"),
        "line 14 (command.models[0])",
        "expected [x, y]",
    ),
    "pose of truth": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", "[true, 2]"),
        "line 14 (command.models[0])",
        "expected [x, y]",
    ),
    "pose nowhere": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", "[nan, 2]"),
        "line 14 (command.models[0])",
        "got nan",
    ),
    "pose too big": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", f"[{'9' * 400}, 2]"),
        "line 14 (command.models[0][0])",
        "",
    ),
    "pose of no table": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", "{ at = 3 }"),
        "line 14 (command.models[0])",
        "expected a list of 2 numbers, got 3",
    ),
    "pose with more": (
        BASIC + WAITING + changed(COMMAND, "[1, 2]", "{ at = [1, 2], speed = 3 }"),
        "line 14 (command.models[0])",
        "unknown key 'speed'; known: at, facing, z",
    ),
    "models of text": (
        BASIC + WAITING + changed(COMMAND, "[[1, 2], [3, 4]]", '"here"'),
        "line 14 (command.models)",
        "expected a list, got 'here'",
    ),
    "a path too few": (
        BASIC + STANDING + changed(WALK, ", [[5, 5]]", ""),
        "line 13 (command.paths)",
        "expected 2 paths for unit ants, got 1",
    ),
    "path of a number": (
        BASIC + STANDING + changed(WALK, "[[4, 5]]", "4"),
        "line 13 (command.paths[0])",
        "list of waypoints",
    ),
    "waypoint of a number": (BASIC + STANDING + changed(WALK, "[4, 5]", "4"), "line 13 (command.paths[0])", "got 4"),
    "waypoint of text": (BASIC + STANDING + changed(WALK, "[4, 5]", '"45"'), "line 13 (command.paths[0])", "got '45'"),
    "waypoint of one": (BASIC + STANDING + changed(WALK, "[4, 5]", "[4]"), "line 13 (command.paths[0])", "got [4]"),
    "waypoint nowhere": (
        BASIC + STANDING + changed(WALK, "[4, 5]", "[nan, 5]"),
        "line 13 (command.paths[0])",
        "got nan",
    ),
    "path of who waits": (
        BASIC + WAITING + changed(changed(WALK, '"ants"', '"newts"'), "type", "type"),
        "line 14 (command.paths[0])",
        "model newts-1 is not on the table and cannot follow a path",
    ),
    # text
    "no TOML": (BASIC + "a = = 3\n", "line 5, column 5", "Invalid value"),
    "a table twice": (BASIC + TABLE, "line 5, column 7", "Cannot declare"),
    "a key twice": (HEAD + HEAD + TABLE, "line 2", "Cannot overwrite a value"),
    "open text": (BASIC + 'title = "open\n', "line 5", "Illegal character"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_where_it_stands(tmp_path: Path, name: str) -> None:
    text, where, what = WRONG[name]
    said = refusal(tmp_path, text)
    assert said.startswith(f"case.toml: {where}")
    assert what in said


def test_names_with_line_breaks_stay_on_one_line(tmp_path: Path) -> None:
    for text in (
        '"fo\\no" = 3\n' + BASIC,
        'ruleset = "a\\nb"\n' + TABLE,
        BASIC + '[[zone]]\nplayer = "a\\nb"\noutline = [[0, 0], [1, 0]]\n',
        BASIC + changed(WAITING, '"newts"', '"a\\nb"'),
        'players = ["red\\n"]\n' + BASIC + STANDING,
        BASIC + WAITING + changed(COMMAND, "deploy", "a\\u2028b"),
    ):
        assert len(refusal(tmp_path, text).splitlines()) == 1


def test_text_that_is_none(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"\x89PNG\r\n\x1a\n\0\0") == "case.toml: byte 0: expected text in UTF-8"
    assert refusal(tmp_path, (BASIC).encode("utf-16")) == "case.toml: byte 0: expected text in UTF-8"
    assert refusal(tmp_path, b"\0\0\0\0").startswith("case.toml: ")
    assert refusal(tmp_path, b"").startswith("case.toml: top level: expected a ruleset")
    assert refusal(tmp_path, b"[" * 100_000).startswith("case.toml: ")
    assert refusal(tmp_path, (BASIC + "x = " + "[" * 5000 + "]" * 5000).encode()).startswith("case.toml: ")


def file_refusal(path: Path) -> str:
    with pytest.raises(ScenarioError) as caught:
        load_case(path, GAMES)
    check_form(caught.value)
    return str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "case.toml").write_text(BASIC)
    assert file_refusal(tmp_path / "none.toml") == f"{tmp_path}/none.toml: file: no such file"
    assert file_refusal(tmp_path) == f"{tmp_path}: file: expected a file, this is a folder"
    assert file_refusal(tmp_path / "case.toml" / "x.toml") == f"{tmp_path}/case.toml/x.toml: file: not a directory"
    assert "file name too long" in file_refusal(tmp_path / ("x" * 300))


def test_a_file_too_big_for_a_person_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "big.toml").open("wb") as file:
        file.truncate(30_000_000)
    assert file_refusal(tmp_path / "big.toml") == f"{tmp_path}/big.toml: file: expected at most 2 MB"


@pytest.mark.parametrize("key", ["map", "roster"])
def test_a_map_or_roster_that_is_not_there_is_named_by_the_file_that_wants_it(tmp_path: Path, key: str) -> None:
    for name in ("none.toml", "x" * 300, "maps/none.toml", "../none.toml", "maps/a\\u0000"):
        said = refusal(tmp_path, f'title = "x"\n{key} = "{name}"\n' + BASIC)
        assert said.startswith(f"case.toml: line 2 ({key}): no {key} file called ")


def test_what_is_wrong_in_a_map_is_said_of_the_map(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(TABLE + changed(BLOCK, "[12, 8], [12, 10]", "[12, 10], [12, 8]"))
    said = refusal(tmp_path, 'map = "map.toml"\n' + HEAD + BLOCK.replace('"block"', '"own"', 1))
    assert said == "map.toml: line 7 (terrain[0].outline): block: outline crosses itself near (11, 9)"
    (tmp_path / "map.toml").write_text(TABLE.replace("24", "nan") + BLOCK)
    assert refusal(tmp_path, 'map = "map.toml"\n' + HEAD).startswith("map.toml: line 2 (table.width): ")
    (tmp_path / "map.toml").write_text(TABLE + "colour = 3\n")
    assert (
        refusal(tmp_path, 'map = "map.toml"\n' + HEAD)
        == "map.toml: line 4 (table.colour): unknown key 'colour'; known: depth, width"
    )


def test_what_is_wrong_in_a_roster_is_said_of_the_roster(tmp_path: Path) -> None:
    (tmp_path / "army.toml").write_text("\n\n" + changed(WAITING, "reserves", "reserve"))
    said = refusal(tmp_path, 'roster = "army.toml"\n' + BASIC + STANDING)
    assert said.startswith("army.toml: line 6 (unit[0].where): ")


def test_the_own_tables_of_a_file_are_counted_in_that_file(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(TABLE + BLOCK)
    (tmp_path / "army.toml").write_text(STANDING)
    head = 'map = "map.toml"\nroster = "army.toml"\n' + HEAD
    said = refusal(tmp_path, head + changed(BLOCK, 'kind = "block"', 'kind = "castle"').replace('"block"', '"own"', 1))
    assert said.startswith("case.toml: line 6 (terrain[0].kind): toy knows no terrain 'castle'")
    said = refusal(tmp_path, head + STANDING)
    assert said == "case.toml: line 5 (unit[0].id): a second unit is called 'ants'"
