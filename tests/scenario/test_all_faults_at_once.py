"""Is everything that is wrong with a file told at once, each fault on its line, with what was probably meant?"""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.app.games import rulesets
from sim.reading import line_of, printable, quoted, shortened
from sim.scenario import ScenarioError, load_case
from tests.scenario.writing import check_form

VOLLEY = """title = "A volley"
ruleset = "wh40k10"
table = { width = 60, depth = 44 }
clock = { round = 2, player = "red", phase = "shooting", step = "shoot" }

[[unit]]
id = "team"
player = "red"
datasheet = "Strike Team"
models = [
  { at = [10, 10], loadout = ["pulse rifle"] },
]

[[unit]]
id = "boyz"
player = "blue"
datasheet = "Boyz"
models = [[10, 30], [11.5, 30]]

[command]
type = "shoot"
unit = "team"
attacks = [
  { model = "team-1", weapon = "pulse rifle", target = "boyz" },
  { model = "team-1", weapon = "pulse rifle", target = "boyz" },
]
"""


def told(folder: Path, *changes: tuple[str, str], text: str = VOLLEY) -> list[str]:
    """What is said of a file with some words changed, a line each, without its name."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "case.toml"
    file.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load_case(file, rulesets())
    check_form(caught.value)
    return [line.removeprefix(f"{file}: ") for line in str(caught.value).split("\n")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('unit = "team"', 'unit = "taem"', "line 22 (command.unit): no unit is called 'taem'; did you mean 'team'?"),
        (
            '{ model = "team-1"',
            '{ model = "taem-1"',
            "line 24 (command.attacks[0].model): no model is called 'taem-1'; did you mean 'team-1'?",
        ),
        (
            'weapon = "pulse rifle"',
            'weapon = "pulse riffle"',
            "line 24 (command.attacks[0].weapon): no weapon is called 'pulse riffle'; did you mean 'pulse rifle'?",
        ),
        (
            'target = "boyz"',
            'target = "bozy"',
            "line 24 (command.attacks[0].target): no unit is called 'bozy'; did you mean 'boyz'?",
        ),
        (
            'target = "boyz"',
            'target = "boyz", profile = "sustainde"',
            "line 24 (command.attacks[0].profile): no weapon profile is called 'sustainde'",
        ),
        (
            'type = "shoot"',
            'type = "shoto"',
            "line 21 (command.type): wh40k10 has no command 'shoto'; did you mean 'shoot'?",
        ),
        ("attacks = [", "attakcs = [", "line 23 (command.attakcs): unknown key 'attakcs'; did you mean 'attacks'?"),
    ],
)
def test_a_misspelt_name_in_a_command_is_wrong_input(tmp_path: Path, old: str, new: str, said: str) -> None:
    (line,) = told(tmp_path, (old, new))
    assert line.startswith(said)


def test_a_weapon_that_a_model_does_not_carry_is_illegal_and_no_slip_of_the_pen(tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(VOLLEY.replace('weapon = "pulse rifle"', 'weapon = "slugga"'))
    case = load_case(file, rulesets())
    assert case.command is not None
    assert "no-such-weapon" in {v.code for v in case.ruleset.play("shoot").judge(case.battle, case.command)}


def test_everything_is_told_at_once_from_top_to_bottom(tmp_path: Path) -> None:
    lines = told(
        tmp_path,
        ("width = 60", "width = 6000"),
        ("round = 2", "round = 9"),
        ("Strike Team", "Strike Taem"),
        ('player = "blue"', 'plaeyr = "blue"'),
        ("[11.5, 30]", '["x", 30]'),
        ('weapon = "pulse rifle"', 'weapon = "pulse riffle"'),
    )
    places = [line.partition(": ")[0] for line in lines]
    assert places == [
        "line 3 (table.width)",
        "line 4 (clock.round)",
        "line 9 (unit[0].datasheet)",
        "line 16 (unit[1].plaeyr)",
        "line 18 (unit[1].models[1][0])",
        "line 24 (command.attacks[0].weapon)",
    ]
    assert "did you mean 'player'?" in lines[3]


def test_several_faults_of_one_unit_are_told(tmp_path: Path) -> None:
    lines = told(
        tmp_path,
        ('datasheet = "Boyz"', 'datasheet = "Bozy"\nprofile = { Qq = 3, T = 4000 }\nwhere = "tabel"'),
    )
    assert [line.partition(":")[0] for line in lines] == [
        "line 17 (unit[1].datasheet)",
        "line 18 (unit[1].profile.Qq)",
        "line 18 (unit[1].profile.T)",
        "line 19 (unit[1].where)",
    ]
    assert "did you mean 'table'?" in lines[3]


def test_what_only_follows_from_a_fault_is_not_told(tmp_path: Path) -> None:
    (line,) = told(tmp_path, ("[11.5, 30]", '["x", 30]'))
    assert line == "line 18 (unit[1].models[1][0]): expected a number, got 'x'"
    (line,) = told(tmp_path, ('id = "team"\n', ""))
    assert line == "line 6 (unit[0]): expected the key 'id', text in quotes"


def test_maps_and_rosters_tell_their_own_faults_with_those_of_the_case(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text("[table]\nwidth = 60\ndepth = 44\ncolour = 1\n")
    lines = told(tmp_path, ("table = { width = 60, depth = 44 }", 'map = "map.toml"'), ("Strike Team", "Strike Taem"))
    assert lines[0].startswith("line 9 (unit[0].datasheet)")
    assert lines[1].endswith("map.toml: line 4 (table.colour): unknown key 'colour'; known: depth, width")
    lines = told(tmp_path, ("table = { width = 60, depth = 44 }", 'map = "mpa.toml"'), ("Strike Team", "Strike Taem"))
    assert lines[0].startswith("line 3 (map): no map file called 'mpa.toml'")
    assert len(lines) == 2


def test_a_hundred_faults_are_counted(tmp_path: Path) -> None:
    lines = told(tmp_path, text=VOLLEY + "".join(f"x{k} = 1\n" for k in range(100)))
    assert len(lines) == 21
    assert lines[-1] == "file: 80 more faults"


def test_values_are_not_quoted_at_length(tmp_path: Path) -> None:
    (line,) = told(tmp_path, ('unit = "team"', f'unit = "{"x" * 200_000}"'))
    assert len(line) < 700


def test_lines_are_those_of_the_file_whatever_it_looks_like() -> None:
    text = (
        'title = "a # [b]"\nd = """\n[unit]\nx = 3"""\n[[unit]] # one\nid = \'a\'\nmodels = [ # two\n  [1, 2],\n'
        '  { at = [3, 4], loadout = ["x",\n    "y]"] },\n]\nbase.round = 3\n[unit.rerolls]\nhit = 1\n'
        '[[unit.modifier]]\n[[unit.modifier]]\n"quo\\"ted" = 1979-05-27 07:32:00\n[[unit]]\n"b" = [[], {}]\n'
    )
    for steps, line in (
        (("title",), 1),
        (("d",), 2),
        (("unit", 0), 5),
        (("unit", 0, "models", 1, "loadout", 1), 10),
        (("unit", 0, "base", "round"), 12),
        (("unit", 0, "rerolls", "hit"), 14),
        (("unit", 0, "modifier", 1), 16),
        (("unit", 0, "modifier", 1, 'quo"ted'), 17),
        (("unit", 1, "b", 1), 19),
        (("unit", 1, "nothing"), 18),
    ):
        assert line_of(text, steps) == line, steps
    assert line_of(text, ("nothing",)) is None


def test_what_is_shown_prints() -> None:
    assert printable("a\x1b[2Jb\u202ec\n\x9b") == "a\\u001b[2Jb\\u202ec\\u000a\\u009b"
    assert printable("Tau’s – ünit") == "Tau’s – ünit"
    assert len(shortened("x" * 5000)) == 600
    assert quoted({"a": 1}) == "a table"
    assert quoted([[1]]) == "a list"
    assert quoted("x" * 300).startswith("'xxx")
