"""Does what people install hold everything, and work away from the checkout?"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sim import resources

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# One worker builds and installs once for all tests here.
pytestmark = pytest.mark.xdist_group("packaging")


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program that knows neither the checkout nor a display."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        command,
        cwd=cwd,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def must(ended: subprocess.CompletedProcess[str]) -> str:
    """Standard output of a program that succeeded."""
    assert ended.returncode == 0, f"{ended.args}\n{ended.stdout[-3000:]}\n{ended.stderr[-3000:]}"
    return ended.stdout


# --- what was built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a source distribution and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    must(run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder))
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("inchwise-*-py3-none-any.whl")
    return path


@pytest.fixture(scope="module")
def packed(wheel: Path) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(wheel) as archive:
        yield archive


def shipped(folder: str) -> list[Path]:
    """Files of one of the checkout's folders, without what Python and editors leave there."""
    return [
        path
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and not path.name.startswith(".")
    ]


@pytest.mark.parametrize("folder", resources.DATA_FOLDERS)
def test_the_wheel_carries_every_data_file(packed: zipfile.ZipFile, folder: str) -> None:
    files = shipped(folder)
    assert files
    for path in files:
        inside = f"sim/_data/{path.relative_to(ROOT).as_posix()}"
        assert packed.read(inside) == path.read_bytes(), inside


def test_the_wheel_carries_the_whole_package_and_nothing_beside_it(packed: zipfile.ZipFile) -> None:
    names = packed.namelist()
    assert {path.relative_to(ROOT).as_posix() for path in shipped("sim")} <= set(names)
    assert "sim/py.typed" in names
    assert {name.partition("/")[0] for name in names} == {"sim", f"inchwise-{PROJECT['version']}.dist-info"}


def test_license_and_notice_travel(packed: zipfile.ZipFile) -> None:
    about = f"inchwise-{PROJECT['version']}.dist-info"
    for name in ("LICENSE", "NOTICE"):
        assert packed.read(f"{about}/licenses/{name}") == (ROOT / name).read_bytes()
    assert "License-Expression: MIT\n" in packed.read(f"{about}/METADATA").decode()


def test_the_source_distribution_can_be_worked_on(built: Path) -> None:
    (path,) = built.glob("inchwise-*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ["constraints.txt", "pyproject.toml", "LICENSE", "NOTICE", "README.md", "CONTRIBUTING.md"]
    for folder in ("sim", "assets", "maps", "tests", "tools"):
        wanted += [path.relative_to(ROOT).as_posix() for path in shipped(folder)]
    assert sorted(set(wanted) - names) == []


# --- what was installed


class Installed:
    """An environment outside the checkout that holds the wheel and what it depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")

    def python(self, code: str, *arguments: str | Path) -> str:
        return must(run(self.programs / "python", "-c", code, *arguments, cwd=self.folder))

    def inchwise(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return run(self.programs / "inchwise", *arguments, cwd=self.folder)

    def data(self, name: str) -> Path:
        return Path(self.python("import sys, sim.resources as r; print(r.data_path(sys.argv[1]))", name).strip())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    there = Installed(tmp_path_factory.mktemp("elsewhere"))
    venv.create(there.folder / "venv", with_pip=True)
    pip = (there.programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    must(run(*pip, "--constraint", CONSTRAINTS, wheel, cwd=there.folder))
    return there


def case(striker_x: float) -> str:
    """A deep strike by one model on a 32 mm base; its enemy, on 40 mm, stands level with it at x = 30."""
    return f"""
title = "One model arrives beside a guard"
ruleset = "wh40k10"
source = "derived"

[table]
width = 44.0
depth = 30.0

[clock]
round = 2
player = "red"
phase = "movement"
step = "reinforcements"

[[unit]]
id = "guard"
player = "blue"
base = {{ round = 40 }}
models = [[30, 15]]

[[unit]]
id = "striker"
player = "red"
where = "reserves"
abilities = ["deep-strike"]
keywords = ["INFANTRY"]
profile = {{ M = 6, T = 4, SV = 3, W = 2, LD = 6, OC = 1 }}
base = {{ round = 32 }}
models = 1

[command]
type = "deep-strike"
unit = "striker"
models = [[{striker_x!r}, 15]]
"""


# Where the two edges are exactly 9" apart, which is not more than 9".
NINE_INCHES_APART = 30 - 9 - (32 + 40) / 2 / 25.4


def test_it_runs_from_the_wheel(installed: Installed) -> None:
    where = Path(installed.python("import sim; print(sim.__file__)").strip())
    assert where.is_relative_to(installed.folder / "venv")
    assert installed.data("maps").parent == where.parent / "_data"
    assert must(installed.inchwise("--help"))
    assert must(run(installed.programs / "python", "-m", "sim", "--help", cwd=installed.folder))


def test_it_answers_yes(installed: Installed) -> None:
    (installed.folder / "legal.toml").write_text(case(NINE_INCHES_APART - 0.01), "utf-8")
    verdict = json.loads(must(installed.inchwise("check", "legal.toml", "--json")))
    assert verdict["legal"] is True
    assert verdict["violations"] == []


def test_it_answers_no_with_the_reason(installed: Installed) -> None:
    (installed.folder / "illegal.toml").write_text(case(NINE_INCHES_APART), "utf-8")
    ended = installed.inchwise("check", "illegal.toml", "--json")
    assert ended.returncode == 1, ended.stderr
    (violation,) = json.loads(ended.stdout)["violations"]
    assert violation["code"] == "enemy-too-close"
    assert violation["measured"] == pytest.approx(9.0, abs=1e-6)


def test_it_renders_a_picture(installed: Installed) -> None:
    picture = installed.folder / "demo.png"
    must(installed.inchwise("render", installed.data("assets/scenarios/demo.toml"), "-o", picture))
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.endswith(b"IEND\xaeB`\x82")


def test_it_writes_a_clip(installed: Installed) -> None:
    clip = installed.folder / "demo.mp4"
    record = installed.data("assets/records/demo.jsonl")
    must(installed.inchwise("record", record, "-o", clip, "--size", "320x180"))
    frames = installed.python(
        "import av, sys\n"
        "with av.open(sys.argv[1]) as clip:\n"
        "    sizes = {(frame.width, frame.height) for frame in clip.decode(video=0)}\n"
        "    print(clip.streams.video[0].codec_context.name, *sizes)",
        clip,
    )
    assert frames.split(maxsplit=1) == ["h264", "(320, 180)\n"]


# --- what it depends on


def needed(name: str, seen: set[str]) -> set[str]:
    """Names of everything that a distribution installs here, directly or not."""
    for line in importlib.metadata.requires(name) or ():
        requirement = Requirement(line)
        other = canonicalize_name(requirement.name)
        if other not in seen and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            seen.add(other)
            needed(other, seen)
    return seen


def test_nothing_brings_pygame_beside_pygame_ce() -> None:
    names = needed("inchwise", set())
    assert "pygame-ce" in names
    assert "pygame" not in names
    assert set(importlib.metadata.packages_distributions()["pygame"]) == {"pygame-ce"}


def pins() -> dict[str, str]:
    """Pinned version of each distribution; the file may hold nothing but pins, markers and comments."""
    found = {}
    for line in CONSTRAINTS.read_text("utf-8").splitlines():
        if line.startswith("#"):
            assert ":/" not in line
            continue
        match = re.fullmatch(r'([\w.-]+)==([\w.]+)(?: ; sys_platform == "\w+")?', line)
        assert match is not None, line
        found[canonicalize_name(match[1])] = match[2]
    return found


def test_everything_that_is_needed_is_pinned() -> None:
    pinned = pins()
    assert sorted(needed("inchwise", set()) - pinned.keys()) == []
    for line in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        requirement = Requirement(line)
        if requirement.name == PROJECT["name"]:
            continue
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), line
        assert {bound.operator for bound in requirement.specifier} == {">="}, line


# --- where the data files are


def test_data_is_found_from_the_checkout() -> None:
    assert resources.data_root() == ROOT
    assert resources.data_path("maps") == ROOT / "maps"


def test_an_installed_package_prefers_its_own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "sim"
    for top in (package / "_data", tmp_path):
        (top / "maps").mkdir(parents=True)
        (top / "assets").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resources.data_path("assets") == package / "_data" / "assets"


def test_missing_data_folders_are_named_with_where_they_were_sought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "sim")
    with pytest.raises(FileNotFoundError, match="assets and maps") as error:
        resources.data_root()
    assert str(tmp_path / "sim" / "_data") in str(error.value)


def test_a_missing_data_file_is_named_with_where_it_was_sought() -> None:
    with pytest.raises(FileNotFoundError, match=r"'maps/no-such\.toml': looked in ") as error:
        resources.data_path("maps/no-such.toml")
    assert str(ROOT) in str(error.value)


@pytest.mark.parametrize("name", ["", "pyproject.toml", "../maps", "maps/../pyproject.toml", "/etc/hostname"])
def test_data_never_leaves_its_folders(name: str) -> None:
    with pytest.raises(FileNotFoundError, match="begins with assets/ or maps/"):
        resources.data_path(name)
