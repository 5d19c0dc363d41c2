"""A screen for the window tests: Xvfb where it is installed, SDL's dummy driver elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.person import DRIVER, Person
from sim.resources import data_path

SCREEN = (1600, 1000)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def screen() -> Iterator[dict[str, str]]:
    """The environment of a program that is to open a window: on a screen of its own, or on the dummy driver."""
    base = {
        **os.environ,
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "SDL_VIDEO_WINDOW_POS": "0,0",
        "PYTHONUNBUFFERED": "1",
    }
    if shutil.which("Xvfb") is None:
        yield {**base, "SDL_VIDEODRIVER": "dummy"}
        return
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    base.pop("SDL_VIDEODRIVER", None)
    yield {**base, "DISPLAY": f":{number}"}
    server.terminate()
    server.wait(timeout=10)


@pytest.fixture
def real_mouse(screen: dict[str, str]) -> Callable[..., None] | None:
    """xdotool on that screen, None where there is no such screen or tool."""
    if "DISPLAY" not in screen or shutil.which("xdotool") is None:
        return None

    def send(*words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=screen, check=True, timeout=20)

    return send


@pytest.fixture
def inchwise(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line as a program of its own, without a display, in an empty folder."""

    def call(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "SDL_AUDIODRIVER": "dummy", "XDG_DATA_HOME": str(tmp_path / "data")}
        environment.pop("DISPLAY", None)
        environment.pop("SDL_VIDEODRIVER", None)
        return subprocess.run(
            [sys.executable, "-m", "sim", *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            **options,  # type: ignore[call-overload]
        )

    return call


@pytest.fixture
def person(
    screen: dict[str, str], real_mouse: Callable[..., None] | None, tmp_path: Path
) -> Iterator[tuple[Person, Path]]:
    journal = tmp_path / "journal.jsonl"
    state = tmp_path / "state.json"
    demo = data_path("assets/scenarios/demo.toml")
    words = [sys.executable, str(DRIVER), str(demo), str(state), str(journal)]
    log = (tmp_path / "window.log").open("wb")
    home = {"XDG_PICTURES_DIR": str(tmp_path / "pictures"), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(words, env=screen | home, stdout=log, stderr=log, cwd=tmp_path)
    somebody = Person(process, state, real_mouse)
    try:
        somebody.until(lambda seen: "text" in seen)
        yield somebody, journal
    finally:
        process.kill()
        process.wait(timeout=20)
        log.close()


def wait_for(path: Path, word: str, seconds: float = 30.0) -> str:
    """The text of a file once it holds a word; fails when that takes too long."""
    end = time.monotonic() + seconds
    text = ""
    while time.monotonic() < end:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if word in text:
            return text
        time.sleep(0.05)
    raise AssertionError(f"{word!r} never came; last seen:\n{text}")
