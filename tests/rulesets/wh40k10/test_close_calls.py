"""Are the files of the oracle those that its script writes, and does a number that is a hair off fail one of them?"""

from __future__ import annotations

import importlib.util
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
ORACLE = ROOT / "tests" / "cases" / "wh40k10" / "oracle"


def tool(name: str) -> ModuleType:
    """A script of the tools folder as a module."""
    spec = importlib.util.spec_from_file_location(f"tool_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_oracle_shares_no_code_with_the_judge() -> None:
    text = (ROOT / "tools" / "make_oracle_cases.py").read_text("utf-8")
    assert "sim" not in {
        line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))
    }
    assert "shapely" not in text
    assert len(list(ORACLE.glob("*.toml"))) >= 60


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    import random

    oracle = tool("make_oracle_cases")
    oracle.deep_strikes(random.Random(oracle.SEED), oracle.Writer(tmp_path), 3)
    written = sorted(tmp_path.glob("*.toml"))
    assert len(written) == 3
    for file in written:
        assert file.read_text("utf-8") == (ORACLE / file.name).read_text("utf-8")


@pytest.mark.parametrize("by", [0.0, 0.001])
def test_only_a_changed_number_is_caught(by: float) -> None:
    mutate = tool("mutate")
    mutants = mutate.mutants(["wh40k10"])
    assert len({m.name for m in mutants}) >= 15
    nine = mutate.Mutant("wh40k10", "reserves.py", "ENEMY_CLEARANCE", by)
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as worker:
        found = worker.submit(caught, nine).result()
    assert (found is None) == (by == 0.0)


def caught(mutant: object) -> str | None:
    """To be run in a process of its own."""
    return tool("mutate").caught_by(mutant)  # type: ignore[no-any-return]
