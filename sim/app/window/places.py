"""Where the window puts what is saved without a question."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path

from platformdirs import user_pictures_path


def next_picture() -> Path:
    """A file for the next picture among the person's own pictures, its name the time; its folder is there."""
    folder = user_pictures_path() / "inchwise"
    folder.mkdir(parents=True, exist_ok=True)
    name = time.strftime("%Y-%m-%d-%H%M%S")
    names = (f"{name}.png" if k == 1 else f"{name}-{k}.png" for k in count(1))
    return next(path for path in map(folder.joinpath, names) if not path.exists())
