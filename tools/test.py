#!/usr/bin/env python3
"""Runs every check of the project: `python3 tools/test.py [PYTEST ARGUMENTS …]`.

Makes `.venv` when it is needed, with the test tools. Without arguments it runs the static checks and the
whole suite, all of them even when one fails; arguments go to pytest, which then runs alone.
"""

import subprocess
import sys
import time
from pathlib import Path

from _environment import Environment

# Name of a step, and its command inside the environment.
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruff check", ("ruff", "check", ".")),
    ("ruff format", ("ruff", "format", "--check", ".")),
    ("mypy --strict", ("mypy",)),
    ("lint-imports", ("lint-imports", "--no-logo", "--no-cache")),
    ("pytest", ("pytest", "-n", "auto", "--dist", "loadgroup")),
)


def main(arguments: list[str]) -> int:
    """Exit status: 0 when everything passed."""
    environment = Environment()
    environment.prepare("test")
    if arguments:
        return run(environment, ("pytest", *arguments), inside(environment.root, Path.cwd()))
    results = []
    for name, command in STEPS:
        print(f"=== {name}", flush=True)
        began = time.monotonic()
        status = run(environment, command, environment.root)
        results.append((name, status, time.monotonic() - began))
    print("=== summary")
    for name, status, seconds in results:
        print(f"{'ok' if status == 0 else 'FAILED':8}{name:16}{seconds:6.1f} s")
    return 0 if all(status == 0 for _, status, _ in results) else 1


def run(environment: Environment, command: tuple[str, ...], folder: Path) -> int:
    """Exit status of one of the environment's programs, run in the folder."""
    return subprocess.run([environment.program(command[0]), *command[1:]], cwd=folder, check=False).returncode


def inside(root: Path, folder: Path) -> Path:
    """Folder in which pytest runs: the current one when it lies in the checkout, else the checkout's top."""
    return folder if folder.is_relative_to(root) else root


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
