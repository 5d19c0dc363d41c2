"""What a person is told of files that are none, that steer a terminal, or that nothing can be written to."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.app.cli import main
from sim.resources import data_path
from tests.conformance.kit import ROOT

Told = tuple[int, str, str]
Run = Callable[..., Told]

OVAL = """title = "An oval turned, too near"
ruleset = "wh40k10"
table = { width = 60, depth = 44 }
clock = { round = 2, player = "red", phase = "movement", step = "reinforcements" }
[[terrain]]
id = "hall"
kind = "ruin"
outline = [[0, 30], [20, 30], [20, 44], [0, 44]]
floors = [{ z = 3, outline = [[0, 30], [20, 30], [20, 44], [0, 44]] }]
[[unit]]
id = "guard"
player = "blue"
base = { round = 32 }
models = [[20.261, 10]]
[[unit]]
id = "strikers"
player = "red"
where = "reserves"
abilities = ["deep-strike"]
base = { oval = [170, 105] }
models = 1
[command]
type = "deep-strike"
unit = "strikers"
models = [[9, 10, 75]]
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*words: str) -> Told:
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", sys.stdout)
            patched.setattr(sys, "stderr", sys.stderr)
            with pytest.raises(SystemExit) as left:
                main(list(words))
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return go


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    name = str(tmp_path / "pipe.toml")
    os.mkfifo(name)
    return name


@pytest.mark.parametrize("verb", ["check", "ask", "odds", "where", "render", "record", "import", "simulate"])
def test_pipes_and_devices_are_not_read(run: Run, pipe: str, tmp_path: Path, verb: str) -> None:
    more = {"render": ("-o", str(tmp_path / "x.svg")), "record": ("-o", str(tmp_path / "x.gif"))}.get(verb, ())
    status, out, err = run(verb, pipe, *more)
    assert (status, out) == (2, "")
    assert err == f"inchwise: {pipe}: file: expected a file, this is a pipe\n"
    status, out, err = run(verb, "/dev/zero", *more)
    assert (status, out, err) == (2, "", "inchwise: /dev/zero: file: expected a file, this is a device\n")


def test_a_map_that_is_a_device_is_not_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text('ruleset = "wh40k10"\nmap = "/dev/zero"\n')
    status, _, err = run("check", str(file))
    assert status == 2
    assert "/dev/zero" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("size", ["²x²", "1280", "axb", "99999999x2", "-1x5", "١٢٨٠x٧٢٠"])
def test_a_size_that_is_none(run: Run, tmp_path: Path, size: str) -> None:
    status, _, err = run("render", "assets/scenarios/demo.toml", "-o", str(tmp_path / "x.svg"), "--size", size)
    assert status == 2
    assert err.count("\n") == 1


def test_what_a_file_says_does_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(OVAL.replace("An oval turned", "A\\u001b[2J\\u009b31m\\u202eb"))
    for words in (("check", str(file)), ("check", str(file), "--json"), ("check", str(file), "--nearest")):
        _, out, err = run(*words)
        assert all(line.isprintable() for line in (out + err).split("\n"))
    assert "\\u009b31m\\u202eb, too near" in run("check", str(file))[1]
    file.write_text(OVAL.replace('unit = "strikers"', 'unit = "\\u001b[2J"'))
    status, _, err = run("check", str(file), "--json")
    assert status == 2
    assert err.count("\n") == 1
    assert err.rstrip("\n").isprintable()


def test_a_name_of_a_file_with_a_line_break_is_one_line(run: Run) -> None:
    status, _, err = run("check", "none\nat all.toml")
    assert (status, err) == (2, "inchwise: none\\u000aat all.toml: file: no such file\n")


def nearest_of(run: Run, file: Path) -> str:
    status, out, _ = run("check", str(file), "--nearest")
    assert status == 1
    return out.partition("nearest legal spot: ")[2].strip()


def test_the_nearest_spot_can_be_pasted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(OVAL)
    spot = nearest_of(run, file)
    assert spot.endswith(", 75]")
    file.write_text(OVAL.replace("[9, 10, 75]", spot))
    assert run("check", str(file))[0] == 0
    held = "{ at = [14, 37], facing = 75, z = 3 }"
    up = OVAL.replace("[9, 10, 75]", held).replace("[20.261, 10]", "[20.261, 31]")
    up = up.replace('where = "reserves"', 'where = "reserves"\nkeywords = ["INFANTRY"]')
    file.write_text(up)
    spot = nearest_of(run, file)
    assert spot.endswith("facing = 75, z = 3 }")
    file.write_text(up.replace(held, spot))
    assert run("check", str(file))[0] == 0


def test_that_no_spot_was_found_is_said(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    crowd = ", ".join(f"[{x}, {y}]" for x in (2, 12, 22, 32, 42, 52) for y in (5, 20, 35))
    file.write_text(OVAL.replace("[20.261, 10]", crowd))
    assert nearest_of(run, file).startswith("none found")


def test_where_may_be_asked_at_a_height(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(OVAL)
    said = run("where", str(file), "--json", "--height", "3")
    file.write_text(OVAL.replace("[9, 10, 75]", "{ at = [9, 10], facing = 75, z = 3 }"))
    assert said == run("where", str(file), "--json")
    assert run("where", str(file), "--height", "-1")[0] == 2


def test_a_question_that_cannot_be_answered_is_told_of_the_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(OVAL + '[[ask]]\nquestion = "gap"\nof = ["guard", "nobody"]\n')
    status, _, err = run("ask", str(file))
    assert status == 2
    assert err.startswith(f"inchwise: {file}: ask[0]: ")


def test_the_faults_of_every_file_are_told_by_cases(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(OVAL.replace("width = 60", "width = 6000").replace("player = ", "plaeyr = ", 2))
    status, out, _ = run("cases", str(tmp_path))
    assert status == 2
    assert out.count("cannot be read") == 3


def test_a_display_that_nobody_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":987")
    for name in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    status, _, err = run("play")
    assert status == 2
    assert "display: no screen answers at :987" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_named_and_nothing_is_left(run: Run, tmp_path: Path) -> None:
    link = tmp_path / "full.svg"
    link.symlink_to("/dev/full")
    status, _, err = run("render", str(data_path("assets/scenarios/demo.toml")), "-o", str(link))
    assert status == 2
    assert err == f"inchwise: {link}: file: no space left on device\n"
    assert [each.name for each in tmp_path.iterdir()] == ["full.svg"]


def test_a_film_of_a_damaged_record_names_the_file_and_the_entry(run: Run, tmp_path: Path) -> None:
    head, first, *rest = data_path("assets/records/demo.jsonl").read_text("utf-8").splitlines(keepends=True)
    command, events = first.split('"events"')
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("".join((head, command, '"events"', events.replace("storm-team", "storm-teem"), *rest)), "utf-8")
    status, said, why = run("record", str(damaged), "-o", str(tmp_path / "x.mp4"))
    assert (status, said) == (2, "")
    assert why == f"inchwise: {damaged}: entry 1: no unit is called 'storm-teem'\n"
    assert not (tmp_path / "x.mp4").exists()


@pytest.mark.parametrize("verb", ["check", "render", "odds", "do", "verify", "import", "where"])
def test_a_file_name_with_a_line_break_makes_one_line_that_names_it(run: Run, tmp_path: Path, verb: str) -> None:
    file = tmp_path / "two\nlines.toml"
    file.write_text("nothing = 1\n")
    status, _, err = run(verb, str(file), *(("-o", str(tmp_path / "x.svg")) if verb == "render" else ()))
    assert status == 2
    told = err.strip().splitlines()
    assert all(line.startswith("inchwise: ") and r"two\u000alines.toml" in line for line in told), err


def test_a_size_that_no_clip_takes_is_refused_at_once(run: Run, tmp_path: Path) -> None:
    status, _, err = run("record", "assets/records/demo.jsonl", "-o", str(tmp_path / "x.mp4"), "--size", "160x90")
    assert status == 2
    assert err == "inchwise: Invalid value for '--size': size 160x90: expected from 160x120 to 8192x8192 pixels\n"


PASTED = (
    "wh40k10/a13-over-the-edge-of-a-floor",
    "wh40k10/a15-riders-stay-on-the-ground",
    "wh40k10/d15-half-way-up",
    "wh40k10/extra-a-floor-elsewhere-carries-nobody",
    "wh40k10/extra-aura-from-above-too-close",
    "wh40k10/extra-deep-strike-vehicle-onto-a-floor",
    "t9a/extra-busy-table",
    "t9a/extra-steep-table",
    "t9a/g06-two-corners-of-four",
    "t9a/g12-along-the-side-where-a-touch-counts",
    "t9a/g19-half-an-inch-off-the-edge",
    "t9a/point-open-terrain-in-a-wood",
)


@pytest.mark.parametrize("case", PASTED)
def test_the_nearest_spot_of_a_floor_or_a_block_can_be_pasted_too(run: Run, tmp_path: Path, case: str) -> None:
    text = (ROOT / "tests" / "cases" / f"{case}.toml").read_text()
    file = tmp_path / "case.toml"
    file.write_text(text)
    spot = nearest_of(run, file)
    if spot.startswith(("at =", "point =")):
        keys = [part.partition(" = ")[0] for part in re.split(r", (?=[a-z])", spot)]
        lines = re.split(r", (?=[a-z])", spot)
    else:
        keys, lines = ["models"], [f"models = [{spot}]"]
    head, _, rest = text.partition("[command]\n")
    command, _, expect = rest.partition("\n[")
    kept = [line for line in command.splitlines() if line.partition("=")[0].strip() not in keys]
    file.write_text("\n".join([f"{head}[command]", *kept, *lines, "", f"[{expect}"]))
    status, out, err = run("check", str(file))
    assert status == 0, out + err
