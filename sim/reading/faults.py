"""What is wrong with a file: for each fault one line with the file, the place, and what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from sim.reading.printable import printable, shortened

MOST_TOLD = 20  # faults of a file that a person is shown at once


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: where (a line and a key), what was expected, and what was probably meant."""

    file: str
    where: str
    what: str
    line: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", printable(self.file))
        object.__setattr__(self, "where", shortened(printable(self.where)))
        object.__setattr__(self, "what", shortened(printable(" ".join(self.what.split()))))

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: {self.what}"


class FileError(ValueError):
    """A file that is not what it should be; its text is one line a fault."""

    def __init__(self, file: str, where: str, what: str, line: int = 0) -> None:
        self._take((Fault(file, where, what, line),))

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> Self:
        """All that is wrong, file by file from the top, each fault once."""
        error = cls.__new__(cls)
        error._take(tuple(sorted(dict.fromkeys(faults), key=lambda fault: (fault.file, fault.line))))
        return error

    def _take(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        first = faults[0]
        self.file, self.where, self.what = first.file, first.where, first.what
        told = [str(fault) for fault in faults[:MOST_TOLD]]
        if len(faults) > MOST_TOLD:
            told.append(f"{first.file}: file: {len(faults) - MOST_TOLD} more faults")
        ValueError.__init__(self, "\n".join(told))
