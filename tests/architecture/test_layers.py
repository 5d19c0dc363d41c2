"""Does each layer keep to itself: no game's name below the games, no clock, no chance, no files where none belong?"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys

import pytest

from tests.architecture.source import HOME, ROOT, calls, imported, modules_of, trees

BELOW_RULESETS = ("geometry", "chance", "battle", "rules")
NAMELESS = (
    *BELOW_RULESETS,
    "engine",
    "scenario",
    "record",
    "players",
    "motion",
    "analysis",
    "view",
    "render",
    "reading",
    "resources",
    "writing",
)
BELOW_RENDER = tuple(name for name in (*NAMELESS, "rulesets") if name != "render")
GAMES = re.compile(
    r"warhammer|40k|40,000|ninth ?age|\bt9a|9th age|whfb|\bwap\b|fantasy battle|games workshop|citadel"
    r"|(?<!math\.)\btau\b|t'au|doomwheel|skaven|space marine|necron|tyranid|aeldari|\bork",
    re.IGNORECASE,
)


def test_the_layers_are_all_that_there_is() -> None:
    packages = {p.name for p in HOME.iterdir() if p.is_dir() and p.name != "__pycache__" and p.name != "_data"}
    assert packages == {*NAMELESS, "rulesets", "app"} - {"resources", "writing"}


@pytest.mark.parametrize("package", NAMELESS)
def test_no_game_is_named_below_the_games_or_beside_them(package: str) -> None:
    named = []
    for name in modules_of(package):
        if name.startswith("scenario/importers/"):
            continue  # what other programs write names games, and importers read it
        for number, line in enumerate((HOME / name).read_text("utf-8").splitlines(), 1):
            if GAMES.search(line):
                named.append(f"sim/{name}:{number}: {line.strip()}")
    assert named == []


def test_the_search_for_names_finds_them() -> None:
    for text in ("wh40k10", "the T'au list", "TAU", "a Doomwheel", "T9A rules", "Warhammer"):
        assert GAMES.search(text), text
    for text in ("turn = math.tau * 2", "work", "a network", "taut"):
        assert not GAMES.search(text), text


CLOCKS = re.compile(r"(time\.(?!strftime)\w+|datetime\.(\w+\.)?(now|utcnow|today)|date\.today)$")
CHANCE = re.compile(r"(random|secrets|uuid|os\.urandom|numpy\.random)(\.|$)")
SEEDED = {"random.Random", "numpy.random.Generator", "numpy.random.PCG64", "numpy.random.default_rng"}


def wild(tree: ast.Module) -> list[str]:
    """Calls that ask a clock, or chance that nobody seeded."""
    found = []
    for name, call in calls(tree):
        seeded = name in SEEDED and bool(call.args or call.keywords)
        if CLOCKS.search(name) or (CHANCE.match(name) and not seeded):
            found.append(f"line {call.lineno}: {name}")
    return found


@pytest.mark.parametrize("package", [*BELOW_RENDER, "render"])
def test_chance_and_time_come_from_outside(package: str) -> None:
    assert {name: found for name, tree in modules_of(package).items() if (found := wild(tree))} == {}


@pytest.mark.parametrize("package", BELOW_RENDER)
def test_no_module_holds_chance_of_its_own(package: str) -> None:
    held = []
    for name, tree in modules_of(package).items():
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                part = ast.Module([node], [])
                known = imported(tree)
                for called, _ in calls(part):
                    head, dot, rest = called.partition(".")
                    if CHANCE.match(f"{known.get(head, head)}{dot}{rest}"):
                        held.append(f"sim/{name}:{node.lineno}")
    assert held == []


def test_the_search_for_chance_finds_it() -> None:
    text = """
import random, time, secrets
import numpy as np
from random import choice
from time import monotonic as now
random.random(); np.random.rand(3); np.random.default_rng(); choice([1]); now(); time.sleep(1); secrets.randbits(3)
random.Random(3); np.random.default_rng(4); np.random.Generator(np.random.PCG64(1)); self.time(); x.now()
"""
    names = [line.split(": ")[1] for line in wild(ast.parse(text))]
    assert sorted(names) == [
        "numpy.random.default_rng",
        "numpy.random.rand",
        "random.choice",
        "random.random",
        "secrets.randbits",
        "time.monotonic",
        "time.sleep",
    ]


FILES = re.compile(r"(^|\.)(open|read_text|write_text|read_bytes|write_bytes|unlink|mkdir|replace_file)$")


@pytest.mark.parametrize(
    "package",
    [p for p in BELOW_RENDER if p not in ("scenario", "record", "rulesets", "reading", "resources", "writing")],
)
def test_only_readers_and_writers_open_files(package: str) -> None:
    opened = [
        f"sim/{name}:{call.lineno}: {what}"
        for name, tree in modules_of(package).items()
        for what, call in calls(tree)
        if FILES.search(what)
    ]
    assert opened == []


@pytest.mark.parametrize("name", sorted(trees()))
def test_public_things_say_what_they_are(name: str) -> None:
    tree = trees()[name]
    silent = [] if ast.get_docstring(tree) else ["the module"]
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        marks = {ast.unparse(mark) for mark in node.decorator_list}
        if not ast.get_docstring(node) and not marks & {"overload", "typing.overload"}:
            silent.append(node.name)
    assert silent == []


def test_one_pygame_is_installed() -> None:
    names = {(d.metadata["Name"] or "").lower().replace("_", "-") for d in importlib.metadata.distributions()}
    assert "pygame-ce" in names
    assert "pygame" not in names


HEAVY = ("pygame", "pygame_gui", "av", "rich", "pymunk", "PIL", "joblib", "sim.render", "sim.view", "sim.motion")
OTHERS = ("sim.rulesets.t9a", "sim.rulesets.wap", "sim.rulesets.whfb6")  # games of which the case is none
CASE = "tests/cases/wh40k10/a01-exactly-nine-is-not-more.toml"
LOADED = """
import json, sys
from sim.app.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    print(json.dumps({"status": end.code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def modules_after(*arguments: str) -> tuple[int, set[str]]:
    """The exit status of a verb, and what it imported."""
    variables = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    command = [sys.executable, "-c", LOADED, *arguments]
    ended = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stderr.splitlines()[-1])
    return told["status"], set(told["modules"])


@pytest.mark.parametrize(
    ("arguments", "status", "needless"),
    [
        (("check", CASE), 1, (*HEAVY, *OTHERS, "sim.record", "defusedxml")),
        (("check", CASE, "--json"), 1, (*HEAVY, "sim.record", "defusedxml")),
        (("cases", CASE), 0, (*HEAVY, "sim.record", "defusedxml")),
        (("verify", "assets/records/demo.jsonl"), 0, (*HEAVY, *OTHERS)),
        (("rules",), 0, HEAVY),
        (("--help",), 0, (*HEAVY, "numpy", "shapely", "sim.battle", "sim.record")),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) and len(value) < 4 else None,
)
def test_a_verb_imports_what_it_needs_alone(arguments: tuple[str, ...], status: int, needless: tuple[str, ...]) -> None:
    ended, modules = modules_after(*arguments)
    assert ended == status
    assert [name for name in needless if name in modules] == []
