"""Do the two commands set up, hand over, and say what is missing?"""

import ast
import importlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "tools"
SET_UP_TOOLS = ("_environment", "play", "test")

Fake = Callable[..., Any]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Loads a tool by its path, for `test` is also a module of the standard library."""
    monkeypatch.syspath_prepend(str(TOOLS))

    def by_path(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"tool_{name}", TOOLS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return by_path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n', "utf-8")
    (tmp_path / "constraints.txt").write_text("click==8.5.1\n", "utf-8")
    return tmp_path


@pytest.fixture
def installed(load: Callable[[str], ModuleType], checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An environment of a small checkout whose installation, a pretended one, has been done once."""
    environment = load("_environment").Environment(checkout)

    def make() -> None:
        for program in (environment.python, environment.program("inchwise")):
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch()

    monkeypatch.setattr(environment, "_make", make)
    monkeypatch.setattr(environment, "_install", lambda extra: None)
    environment.prepare()
    return environment


# --- when is something to be done


def test_a_second_run_installs_nothing(
    installed: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    for step in ("_make", "_install", "_is_usable"):
        monkeypatch.setattr(installed, step, lambda *_: pytest.fail("the environment was current"))
    installed.prepare()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_file_asks_for_another_installation(installed: Any, name: str) -> None:
    assert installed.is_current()
    with (installed.root / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert not installed.is_current()


def test_the_test_tools_are_asked_for_once_and_serve_play_too(installed: Any) -> None:
    assert not installed.is_current("test")
    installed.prepare("test")
    assert installed.is_current("test")
    assert installed.is_current()


@pytest.mark.parametrize("program", ["python", "inchwise"])
def test_a_lost_program_asks_for_another_installation(installed: Any, program: str) -> None:
    installed.program(program).unlink()
    assert not installed.is_current()


def test_an_interrupted_installation_leaves_no_stamp(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(extra: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(installed, "_install", interrupted)
    with pytest.raises(KeyboardInterrupt):
        installed.prepare("test")
    assert not installed.is_current()


def test_what_an_interrupted_installation_left_is_not_built_upon(installed: Any) -> None:
    installed.log.touch()
    (installed.folder / "stamp.json").unlink()
    assert not installed._is_usable()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"key": 1}'])
def test_a_damaged_stamp_counts_as_none(installed: Any, content: bytes) -> None:
    (installed.folder / "stamp.json").write_bytes(content)
    assert not installed.is_current()


def test_a_moved_checkout_gets_a_new_environment(
    installed: Any, load: Callable[[str], ModuleType], tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("moved") / "checkout"
    installed.root.rename(elsewhere)
    moved = load("_environment").Environment(elsewhere)
    assert not moved.is_current()
    assert not moved._is_usable()


# --- the real thing, up to the point where packages are needed


def test_without_a_package_source_it_says_so_in_one_line(
    load: Callable[[str], ModuleType],
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    broken = checkout / ".venv" / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.write_text("not a program", "utf-8")
    environment = load("_environment").Environment(checkout)

    with pytest.raises(SystemExit) as ended:
        environment.prepare()

    assert ended.value.code == 2
    preparing, complaint = capsys.readouterr().err.splitlines()
    assert preparing.startswith("Preparing ")
    assert complaint.startswith("inchwise: cannot go on: no package source could be reached")
    assert str(environment.log) in complaint
    assert "hatchling" in environment.log.read_text("utf-8")
    version = subprocess.run([environment.python, "-m", "pip", "--version"], capture_output=True, check=False)
    assert version.returncode == 0  # the broken environment was replaced by one that works
    assert not environment.is_current()  # and the next run tries again


@pytest.mark.parametrize("name", ["venv", "ensurepip"])
def test_without_the_venv_module_it_says_so_in_one_line(
    name: str,
    load: Callable[[str], ModuleType],
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    find = importlib.util.find_spec
    environment = load("_environment").Environment(checkout)
    monkeypatch.setattr(importlib.util, "find_spec", lambda wanted: None if wanted == name else find(wanted))
    with pytest.raises(SystemExit) as ended:
        environment.prepare()
    assert ended.value.code == 2
    assert f"no module {name} " in capsys.readouterr().err.splitlines()[-1]
    assert not environment.folder.exists()


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (
            "ERROR: Could not find x (from versions: none)\nERROR: No match",
            "no package source could be reached",
        ),
        ("WARNING: Retrying after NewConnectionError('…')", "no package source could be reached"),
        ("Looking\nERROR: One\nERROR: Disk full\n", "pip could not install the project (Disk full)"),
        ("", "pip could not install the project"),
    ],
)
def test_pip_is_explained(load: Callable[[str], ModuleType], log: str, reason: str) -> None:
    assert load("_environment").explain_pip(log).startswith(reason)


@pytest.mark.parametrize("tool", ["play", "test"])
def test_an_old_python_is_told_which_one_is_needed(tool: str) -> None:
    pretend = (
        "import runpy, sys; sys.version_info = (3, 9, 2, 'final', 0);"
        f" sys.path.insert(0, {str(TOOLS)!r});"
        f" runpy.run_path({str(TOOLS / f'{tool}.py')!r}, run_name='__main__')"
    )
    ended = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == (
        f"inchwise: cannot go on: Python 3.11 or newer is needed; this is Python 3.9 ({sys.executable})\n"
    )


@pytest.mark.parametrize("name", SET_UP_TOOLS)
def test_the_set_up_tools_can_be_read_by_an_old_python(name: str) -> None:
    ast.parse((TOOLS / f"{name}.py").read_text("utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize("name", SET_UP_TOOLS)
def test_the_set_up_tools_need_the_standard_library_only(name: str) -> None:
    tree = ast.parse((TOOLS / f"{name}.py").read_text("utf-8"))
    imported = {
        module.partition(".")[0]
        for node in ast.walk(tree)
        for module in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names | {"_environment"}


# --- play


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_a_display_is_recognised(
    load: Callable[[str], ModuleType], platform: str, variables: dict[str, str], expected: bool
) -> None:
    assert load("play").has_display(platform, variables) is expected


@pytest.fixture
def play(load: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, with an environment that is always ready and a hand-over that only tells."""
    module = load("play")
    monkeypatch.setattr(module.Environment, "prepare", lambda self, extra="": None)
    monkeypatch.setattr(module, "hand_over", lambda program, arguments: (program.stem, arguments))
    return module


def test_arguments_are_passed_on_as_they_are(play: ModuleType) -> None:
    assert play.main(["check", "my case.toml", "--json"]) == ("inchwise", ["check", "my case.toml", "--json"])


def test_with_a_display_the_table_is_opened(play: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    assert play.main([]) == ("inchwise", ["play"])


@pytest.fixture
def called(play: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What inchwise is called with on a machine without a display; a verb named `fails` does."""
    commands: list[list[str]] = []

    def run(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 3 if command[1] == "fails" else 0)

    monkeypatch.setattr(play.subprocess, "run", run)
    monkeypatch.setattr(play, "has_display", lambda platform, variables: False)
    return commands


def test_without_a_display_the_demo_is_written(
    play: ModuleType,
    called: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert play.main([]) == 0
    picture, clip = tmp_path / "demo.png", tmp_path / "demo.mp4"
    assert [command[1:] for command in called] == [
        ["render", str(ROOT / "assets/scenarios/not-here.toml"), "-o", str(picture)],
        ["record", str(ROOT / "assets/records/demo.jsonl"), "-o", str(clip)],
    ]
    said = capsys.readouterr().out
    assert str(picture) in said
    assert str(clip) in said


def test_a_demo_that_fails_is_not_announced(
    play: ModuleType,
    called: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(play, "DEMO", (("fails", "a", "b"), ("record", "c", "d")))
    assert play.main([]) == 3
    assert len(called) == 1
    assert capsys.readouterr().out == ""


def test_the_demo_files_are_there(load: Callable[[str], ModuleType]) -> None:
    assert [source for _, source, _ in load("play").DEMO if not (ROOT / source).is_file()] == []


# --- test


@pytest.fixture
def suite(
    load: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> tuple[ModuleType, list[tuple[str, ...]]]:
    """The tool, with an environment that is always ready, and the programs that it runs; mypy finds fault."""
    module = load("test")
    commands: list[tuple[str, ...]] = []

    def run(environment: object, command: tuple[str, ...], folder: Path) -> int:
        commands.append(command)
        return 5 if command[0] == "mypy" else 0

    monkeypatch.setattr(module.Environment, "prepare", lambda self, extra: None)
    monkeypatch.setattr(module, "run", run)
    return module, commands


def test_one_failing_step_stops_no_other(
    suite: tuple[ModuleType, list[tuple[str, ...]]], capsys: pytest.CaptureFixture[str]
) -> None:
    module, commands = suite
    assert module.main([]) == 1
    assert [command[0] for command in commands] == ["ruff", "ruff", "mypy", "lint-imports", "pytest"]
    summary = capsys.readouterr().out.partition("=== summary\n")[2].splitlines()
    assert [line.split()[0] for line in summary] == ["ok", "ok", "FAILED", "ok", "ok"]


def test_all_steps_passing_is_success(
    suite: tuple[ModuleType, list[tuple[str, ...]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _ = suite
    monkeypatch.setattr(module, "run", lambda *_: 0)
    assert module.main([]) == 0


def test_arguments_go_to_pytest_alone(suite: tuple[ModuleType, list[tuple[str, ...]]]) -> None:
    module, commands = suite
    assert module.main(["tests/test_x.py", "-k", "a or b"]) == 0
    assert commands == [("pytest", "tests/test_x.py", "-k", "a or b")]


def test_pytest_reads_paths_from_where_the_person_stands(load: Callable[[str], ModuleType], tmp_path: Path) -> None:
    module = load("test")
    assert module.inside(ROOT, ROOT / "tests") == ROOT / "tests"
    assert module.inside(ROOT, tmp_path) == ROOT


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_the_ci_script_ends_in_the_suite() -> None:
    script = ROOT / ".ci" / "run"
    if not script.exists():
        pytest.skip("a source distribution has no .ci")
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    assert script.read_text("utf-8").rstrip().endswith("exec python3 tools/test.py")


def test_the_stamp_names_what_it_depends_on(installed: Any) -> None:
    stamp = json.loads((installed.folder / "stamp.json").read_text("utf-8"))
    assert stamp["root"] == str(installed.root)
    assert sys.implementation.cache_tag in stamp["key"]


# --- mutants of operators


@pytest.fixture
def mutating(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module("mutate_operators")


def test_every_group_of_mutants_has_modules_and_tests(mutating: ModuleType) -> None:
    for group in mutating.GROUPS.values():
        assert all(list(ROOT.glob(pattern)) for pattern in group.modules)
        assert all((ROOT / test).exists() for test in group.tests)


def test_what_guards_only_those_who_change_the_code_is_left_alone(mutating: ModuleType) -> None:
    line = "    for a, b in zip(x, y, strict=True):"
    assert mutating._only_guards(line, line.index("True"))
    assert mutating._only_guards("@dataclass(frozen=True)", 18)
    assert not mutating._only_guards("    return seen(strictly=1, lines=2)", 33)


def test_a_mutant_is_given_to_the_quick_tests_of_its_line(
    mutating: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ROOT / "sim" / "battle" / "names.py"
    known = mutating.Knowledge(
        {"slow": 50.0, "quick": 1.0, "middling": 20.0, "elsewhere": 2.0},
        {(str(file), 7): {"slow", "quick", "middling"}},
        {str(file): {"slow", "quick", "middling", "elsewhere"}},
    )
    assert known.tests_for(mutating.Mutant(file, 7, "AddNot", 0)) == ["quick", "middling"]
    assert known.tests_for(mutating.Mutant(file, 3, "AddNot", 0)) == ["quick", "elsewhere", "middling"]
    assert known.tests_for(mutating.Mutant(ROOT / "nowhere.py", 3, "AddNot", 0)) == []


@pytest.mark.parametrize(("text", "expected"), [("value = 1\n", False), ("value = 2\n", True)])
def test_a_mutant_is_killed_by_a_test_that_fails_with_it(
    mutating: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, expected: bool
) -> None:
    class Written(mutating.Mutant):  # type: ignore[misc, name-defined]
        def text(self) -> str:
            return text

    (tmp_path / "counted_things.py").write_text("value = 1\n", "utf-8")
    test = tmp_path / "test_counted_things.py"
    test.write_text("import counted_things\n\ndef test_one():\n    assert counted_things.value == 1\n", "utf-8")
    monkeypatch.setattr(mutating, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert (
        mutating.killed(Written(tmp_path / "counted_things.py", 1, "NumberReplacer", 0), [str(test)], 1.0) is expected
    )
    assert "counted_things" not in sys.modules
