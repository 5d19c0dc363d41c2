#!/usr/bin/env python3
"""Runs inchwise from a checkout: `python3 tools/play.py [VERB …]`.

Makes `.venv` when it is needed and hands its arguments to `inchwise`. Without arguments it opens the demo
table, or, on a machine that has no display, writes the demo as a picture and a clip into the current folder.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from _environment import Environment, hand_over

# Verb, file that comes with the project, file that is written.
DEMO = (
    ("render", "assets/scenarios/not-here.toml", "demo.png"),
    ("record", "assets/records/demo.jsonl", "demo.mp4"),
)


def main(arguments: list[str]) -> int:
    """Exit status of inchwise."""
    environment = Environment()
    environment.prepare()
    inchwise = environment.program("inchwise")
    if arguments:
        return hand_over(inchwise, arguments)
    if has_display(sys.platform, os.environ):
        return hand_over(inchwise, ["play"])
    return write_demo(inchwise, environment.root, Path.cwd())


def has_display(platform: str, variables: Mapping[str, str]) -> bool:
    """Whether a window can be opened here."""
    if platform in ("win32", "darwin"):
        return True
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))


def write_demo(inchwise: Path, root: Path, folder: Path) -> int:
    """Exit status of writing the demo's picture and clip into the folder; says where they are."""
    written = []
    for verb, source, target in DEMO:
        command = [str(inchwise), verb, str(root / source), "-o", str(folder / target)]
        status = subprocess.run(command, check=False).returncode
        if status != 0:
            return status
        written.append(folder / target)
    print("There is no display here, so the demo was written to files:")
    for path in written:
        print(f"  {path}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
