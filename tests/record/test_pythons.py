"""Does the same seed play the same battle on every Python that is installed?"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.conformance.kit import ROOT

FROM = (3, 11)
NEEDED = ("msgspec", "numpy", "shapely")  # what a battle needs that is no part of Python
ASK = "import sys; print(sys.implementation.name, *sys.version_info[:2])"


@cache
def pythons() -> dict[tuple[int, int], Path]:
    """Another CPython of each version from 3.11 on, from the search path and from pyenv."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    found: dict[tuple[int, int], Path] = {}
    for folder in folders:
        for file in sorted(folder.glob("python3.*[0-9]")):
            if file.name.count(".") != 1 or "shims" in file.parts:
                continue
            asked = subprocess.run([file, "-c", ASK], capture_output=True, text=True, timeout=30, check=False)
            name, *version = asked.stdout.split() or ["none"]
            number = tuple(map(int, version))
            if name == "cpython" and len(number) == 2 and number >= FROM and number != sys.version_info[:2]:
                found.setdefault((number[0], number[1]), file)
    return found


def played_on(python: Path | str) -> str:
    """What is left of the battle, by a Python that has what it needs."""
    words = [str(python), "-m", "tests.record.same_battle"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("version", sorted(pythons()), ids=lambda version: ".".join(map(str, version)))
def test_the_same_seed_plays_the_same_battle_on_another_python(version: tuple[int, int], tmp_path: Path) -> None:
    subprocess.run([pythons()[version], "-m", "venv", tmp_path], capture_output=True, timeout=120, check=True)
    inside = tmp_path / "bin" / "python"
    pip = [inside, "-m", "pip", "install", "-q", "--only-binary", ":all:", "-c", ROOT / "constraints.txt", *NEEDED]
    installed = subprocess.run(pip, capture_output=True, text=True, timeout=300, check=False)
    if installed.returncode != 0:
        pytest.skip(f"nothing to install there: {installed.stderr.strip().splitlines()[-1]}")
    assert played_on(inside) == played_on(sys.executable)


def test_this_python_plays_the_battle_to_its_end() -> None:
    assert len(played_on(sys.executable)) == 16
