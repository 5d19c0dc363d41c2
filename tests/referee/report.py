"""What the referee says, and the list of its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.referee.story import Story


@dataclass(frozen=True)
class Report:
    """One thing that went wrong at the table: where, which check, what was seen, what is right."""

    entry: int
    check: str
    seen: str
    right: str

    def __str__(self) -> str:
        """One line for a person."""
        return f"entry {self.entry} [{self.check}] {self.seen}; right is: {self.right}"


Finding = tuple[int, str, str]  # entry, what was seen, what is right
Check = Callable[[Story], Iterator[Finding]]
CHECKS: dict[str, Check] = {}


def check(name: str) -> Callable[[Check], Check]:
    """Puts a function on the list of checks."""

    def add(function: Check) -> Check:
        if name in CHECKS:
            raise ValueError(f"two checks are called {name}")
        CHECKS[name] = function
        return function

    return add


def referee(story: Story, only: tuple[str, ...] = ()) -> list[Report]:
    """Everything that is wrong with a battle, in its order."""
    from tests.referee import checks  # noqa: F401 - fills the list

    found = [
        Report(entry, name, seen, right)
        for name, function in CHECKS.items()
        if not only or name in only
        for entry, seen, right in function(story)
    ]
    return sorted(found, key=lambda report: (report.entry, report.check))
