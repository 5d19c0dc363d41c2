"""The command line as a person meets it: exit status, one line for wrong input, results for other programs."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import av
import pytest
from defusedxml import ElementTree

from sim.resources import data_path

Run = Callable[..., "subprocess.CompletedProcess[str]"]

CASE = """
title = "t"
ruleset = "wh40k10"
[table]
width = 60
depth = 44
[clock]
round = 2
player = "red"
phase = "movement"
step = "reinforcements"
[[unit]]
id = "guard"
player = "blue"
base = { round = 32 }
models = [[%s, 10]]
[[unit]]
id = "strikers"
player = "red"
where = "reserves"
abilities = ["deep-strike"]
base = { round = 32 }
models = 1
[command]
type = "deep-strike"
unit = "strikers"
models = [[10, 10]]
[expect]
legal = %s
[[ask]]
question = "gap"
of = ["guard", "guard"]
answer = 0.0
"""
LIST = """Xenos - T'au Empire - Dawn Patrol - [170 pts]

# ++ Army Roster ++ [170 pts]
## Infantry [170 pts]
Kroot Carnivores [65 pts]:
• 1x Long-quill: Close combat weapon, Kroot pistol, Kroot rifle
• 9x Kroot Carnivores: Close combat weapon, Kroot rifle
Somebody Unheard Of [105 pts]:
• 3x Somebody: Long stick
"""


@pytest.fixture
def case(tmp_path: Path) -> Callable[[str, bool], Path]:
    def write(x: str, legal: bool) -> Path:
        file = tmp_path / f"case-{x}.toml"
        file.write_text(CASE % (x, str(legal).lower()))
        return file

    return write


def test_check_says_yes_or_every_reason_why_not(inchwise: Run, case: Callable[[str, bool], Path]) -> None:
    yes = inchwise("check", case("20.261", True))
    assert (yes.returncode, yes.stderr) == (0, "")
    no = inchwise("check", case("20.25984251968504", False))
    assert no.returncode == 1
    assert 'more than 9"' in no.stdout
    assert "Deep Strike" in no.stdout
    form = json.loads(inchwise("check", case("20.0", False), "--json").stdout)
    assert form["legal"] is False
    (violation,) = form["violations"]
    assert violation["code"] == "enemy-too-close"
    assert violation["required"] == {"more_than": 9.0}
    assert violation["measured"] == pytest.approx(10 - 32 / 25.4, abs=1e-9)
    assert len(violation["witness"]["line"]) == 2


def test_ask_and_cases(inchwise: Run, case: Callable[[str, bool], Path]) -> None:
    asked = inchwise("ask", case("20.261", True))
    assert asked.returncode == 0
    assert "gap guard guard: 0.000000" in asked.stdout
    right = inchwise("cases", case("20.261", True))
    assert right.returncode == 0
    wrong = inchwise("cases", case("20.1", True))
    assert wrong.returncode == 1
    assert "expected legal, got illegal (enemy-too-close)" in wrong.stdout


def test_where_gives_area_polygons_and_pictures(
    inchwise: Run, case: Callable[[str, bool], Path], tmp_path: Path
) -> None:
    found = inchwise("where", case("20.261", True), "--json")
    region = json.loads(found.stdout)
    radius = 9 + 32 / 25.4
    inner = (60 - 32 / 25.4) * (44 - 32 / 25.4)
    assert 0 < region["area"] < inner
    assert region["area"] == pytest.approx(inner - _disc_above(10 - 16 / 25.4, radius), abs=0.05)
    for name in ("region.png", "region.svg", "region.json"):
        assert inchwise("where", case("20.261", True), "-o", name).returncode == 0
        assert (tmp_path / name).stat().st_size > 200


def _disc_above(height: float, radius: float) -> float:
    """The area of a disc whose centre lies ``height`` above the edge that cuts it."""
    from math import acos, pi, sqrt

    if height >= radius:
        return pi * radius**2
    cut = radius**2 * acos(height / radius) - height * sqrt(radius**2 - height**2)
    return pi * radius**2 - cut


@pytest.mark.parametrize("source", ["assets/scenarios/demo.toml", "assets/records/demo.jsonl"])
def test_render_writes_png_and_svg(inchwise: Run, tmp_path: Path, source: str) -> None:
    assert inchwise("render", data_path(source), "-o", "a.png", "--size", "640x400").returncode == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert inchwise("render", data_path(source), "-o", "a.svg", "--theme", "print").returncode == 0
    assert ElementTree.fromstring((tmp_path / "a.svg").read_text()).tag.endswith("svg")


@pytest.mark.parametrize(("ending", "codec"), [("mp4", "h264"), ("gif", "gif"), ("webm", None)])
def test_a_clip_opens_in_another_program(inchwise: Run, tmp_path: Path, ending: str, codec: str | None) -> None:
    source = data_path("assets/scenarios/demo-storyboard.toml")
    done = inchwise("record", source, "-o", f"c.{ending}", "--size", "320x180", "--fps", 10, "--from", 1, "--to", 3)
    assert done.returncode == 0, done.stderr
    with av.open(str(tmp_path / f"c.{ending}")) as clip:
        stream = clip.streams.video[0]
        assert (stream.width, stream.height) == (320, 180)
        assert codec is None or stream.codec_context.name == codec
        assert clip.duration is not None
        assert clip.duration / av.time_base == pytest.approx(2.0, abs=0.15)
        if ending == "mp4":
            assert stream.pix_fmt == "yuv420p"
            assert float(stream.guessed_rate or 0) == pytest.approx(10.0, abs=0.1)


def test_verify_says_whether_it_happens_again(inchwise: Run, tmp_path: Path) -> None:
    demo = data_path("assets/records/demo.jsonl")
    assert inchwise("verify", demo).returncode == 0
    lines = demo.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if '"line":"entry"' in line)
    entry = json.loads(lines[first])
    entry["digest"] = "0" * 16
    lines[first] = json.dumps(entry)
    (tmp_path / "bent.jsonl").write_text("\n".join(lines) + "\n")
    bent = inchwise("verify", "bent.jsonl")
    assert bent.returncode == 1
    assert "entry 1 differs" in bent.stdout


def test_an_army_list_becomes_a_roster_and_a_battle(inchwise: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(LIST)
    roster = inchwise("import", "list.txt")
    units = tomllib.loads(roster.stdout)["unit"]
    assert [len(unit["models"]) for unit in units] == [10, 3]
    assert units[0]["base"] == {"round": 28.5}
    assert units[1]["base"]["assumed"] is True
    assert "assumed" in roster.stderr
    assert "units without a datasheet:" in roster.stderr
    battle = ("import", "list.txt", "--map", "maps/crossroads-60x44.toml", "--against", "list.txt", "-o", "b.toml")
    assert inchwise(*battle).returncode == 0
    assert inchwise("render", "b.toml", "-o", "b.svg").returncode == 0


def test_a_battle_in_another_folder_finds_the_map_from_wherever_it_is_opened(inchwise: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(LIST)
    (tmp_path / "mine.toml").write_text((data_path("maps") / "crossroads-60x44.toml").read_text())
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    battle = ("import", "list.txt", "--map", "mine.toml", "--against", "list.txt", "-o", "sub/deep/b.toml")
    assert inchwise(*battle).returncode == 0
    assert tomllib.loads((tmp_path / "sub" / "deep" / "b.toml").read_text())["map"] == "../../mine.toml"
    for name in ("sub/deep/b.toml", str(tmp_path / "sub" / "deep" / "b.toml")):
        assert inchwise("render", name, "-o", "b.svg").returncode == 0
    shipped = ("import", "list.txt", "--map", "maps/crossroads-60x44.toml", "-o", "sub/c.toml")
    assert inchwise(*shipped).returncode == 0
    assert tomllib.loads((tmp_path / "sub" / "c.toml").read_text())["map"] == "maps/crossroads-60x44.toml"


@pytest.mark.parametrize("field", ["two-barrows-72x48", "standing-stones-72x48", "undermountain-72x48"])
def test_an_army_on_the_map_of_another_game_is_refused(inchwise: Run, tmp_path: Path, field: str) -> None:
    (tmp_path / "list.txt").write_text(LIST)
    done = inchwise("import", "list.txt", "--map", f"maps/{field}.toml", "-o", "b.toml")
    assert done.returncode == 2
    assert "wh40k10 knows no terrain" in done.stderr
    assert not (tmp_path / "b.toml").exists()


def test_units_that_no_datasheet_is_near_enough_to_name_none(inchwise: Run, tmp_path: Path) -> None:
    """A datasheet that is only nearly the listed one would be taken for a slip of the pen when the battle opens."""
    (tmp_path / "list.txt").write_text(LIST.replace("Kroot Carnivores [", "Crisis Fireknife Battlesuits ["))
    battle = inchwise("import", "list.txt", "--map", "maps/crossroads-60x44.toml", "-o", "b.toml")
    assert battle.returncode == 0, battle.stderr
    assert "# no datasheet of this name is known" in (tmp_path / "b.toml").read_text()
    assert inchwise("render", "b.toml", "-o", "b.svg").returncode == 0


def test_rules_lists_games_and_rows(inchwise: Run) -> None:
    assert "wh40k10" in inchwise("rules").stdout
    rows = json.loads(inchwise("rules", "wh40k10", "--json").stdout)
    assert {"format", "rule", "status", "source", "module", "tests", "options"} == set(rows[0])
    assert {row["status"] for row in rows} <= {"implemented", "partial", "different", "absent"}


def test_rules_counts_the_rows_of_each_status(inchwise: Run) -> None:
    rows = json.loads(inchwise("rules", "wh40k10", "--json").stdout)
    counts = Counter(row["status"] for row in rows)
    (game,) = [game for game in json.loads(inchwise("rules", "--json").stdout) if game["id"] == "wh40k10"]
    assert game["rules"] == dict(counts)
    said = f"{len(rows)} rules, {counts['implemented']} implemented"
    assert said in inchwise("rules").stdout
    assert said in inchwise("rules", "wh40k10").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("check", "nowhere.toml"),
        ("check", "."),
        ("check", "broken.toml"),
        ("check", "binary.toml"),
        ("check", "command.toml"),
        ("render", "broken.toml", "-o", "x.png"),
        ("render", "good.toml", "-o", "x.bmp"),
        ("render", "good.toml", "-o", "no/such/folder/x.png"),
        ("render", "good.toml", "-o", "x.png", "--theme", "purple"),
        ("render", "good.toml", "-o", "x.png", "--size", "9x9"),
        ("render", "good.toml", "-o", "x.png", "--size", "big"),
        ("record", "good.toml", "-o", "x.mp4"),
        ("record", "nowhere.jsonl", "-o", "x.mp4"),
        ("record", "demo.jsonl", "-o", "x.avi"),
        ("record", "demo.jsonl", "-o", "x.mp4", "--size", "321x181"),
        ("record", "demo.jsonl", "-o", "x.mp4", "--from", "9", "--to", "3"),
        ("record", "demo.jsonl", "-o", "x.mp4", "--from", "nan"),
        ("verify", "good.toml"),
        ("verify", "binary.toml"),
        ("import", "nowhere.txt"),
        ("import", "binary.toml"),
        ("import", "good.toml"),
        ("rules", "chess"),
        ("where", "broken.toml"),
        ("cases", "nowhere"),
        ("replay", "good.toml"),
        ("play", "nowhere.toml"),
        ("dance",),
        ("check",),
        ("check", "good.toml", "--loud"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_nothing(inchwise: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "good.toml").write_text('ruleset = "wh40k10"\n[table]\nwidth = 60\ndepth = 44\n')
    (tmp_path / "broken.toml").write_text('ruleset = "wh40k10"\n[table]\nwidth = 60\ndepht = 44\n')
    (tmp_path / "command.toml").write_text(
        'ruleset = "wh40k10"\n[table]\nwidth = 60\ndepth = 44\n[command]\ntype = "fly"\n'
    )
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    (tmp_path / "demo.jsonl").write_bytes(data_path("assets/records/demo.jsonl").read_bytes())
    before = {path.name for path in tmp_path.iterdir()}
    done = inchwise(*words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("inchwise: ")
    assert "Traceback" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} - before <= {"data"}


@pytest.mark.parametrize(
    "verb", ["play", "check", "ask", "cases", "where", "render", "record", "replay", "verify", "import", "rules"]
)
def test_every_verb_helps_with_an_example(inchwise: Run, verb: str) -> None:
    done = inchwise(verb, "--help")
    assert done.returncode == 0
    assert "Example: inchwise " in done.stdout


def test_the_broken_line_is_named(inchwise: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text('ruleset = "wh40k10"\n[table]\nwidth = 60\ndepht = 44\n')
    said = inchwise("check", "broken.toml").stderr
    assert said == (
        "inchwise: broken.toml: line 4 (table.depht): unknown key 'depht'; did you mean 'depth'?; known: depth, width\n"
    )


def test_an_army_for_a_player_whom_the_map_does_not_know(inchwise: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(LIST)
    field = str(data_path("maps") / "crossroads-60x44.toml")
    done = inchwise("import", str(tmp_path / "list.txt"), "--player", "green", "--map", field)
    assert done.returncode == 2
    assert done.stderr.endswith("has deployment zones for blue and red, got 'green'\n")
