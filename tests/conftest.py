"""In which order tests go to the workers: what takes longest first, one at a time, so that none is left for the end."""

from __future__ import annotations

import pytest

LONGEST = (
    "tests/conformance/test_judging.py",
    "tests/conformance/test_moments.py",
    "tests/conformance/test_regions.py",
    "tests/app/test_random_events.py",
    "tests/rulesets/wh40k10/test_charge_needs.py",
    "tests/conformance/",
    "tests/test_packaging.py",
    "tests/architecture/",
    "tests/geometry/",
    "tests/app/",
)


def pytest_configure(config: pytest.Config) -> None:
    """Hand one test at a time to each worker, where nothing else is asked for."""
    if getattr(config.option, "maxschedchunk", 0) is None:
        config.option.maxschedchunk = 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of the longest files first, in their order."""
    items.sort(key=lambda item: next((k for k, start in enumerate(LONGEST) if item.nodeid.startswith(start)), 99))
