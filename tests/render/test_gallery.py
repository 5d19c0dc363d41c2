"""Are the pictures that come with the project those that it draws?"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from sim.resources import data_root

GALLERY = data_root() / "assets" / "gallery"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gallery", data_root() / "tools" / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["deep-strike", "ambush-corners", "tunnelling-drift", "doomwheel-stops"])
def test_a_picture_of_the_gallery_is_the_same_when_it_is_made_anew(tool: ModuleType, tmp_path: Path, name: str) -> None:
    case_file, what = next(row[1:] for row in tool.PICTURES if row[0] == name)
    tool.draw(case_file, what, tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == (GALLERY / f"{name}.png").read_bytes(), "run tools/make_gallery.py"


def test_every_picture_of_the_gallery_is_made_by_it(tool: ModuleType) -> None:
    assert {row[0] for row in tool.PICTURES} == {file.stem for file in GALLERY.glob("*.png")}
