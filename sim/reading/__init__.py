"""How is anything read that a person names, and what may be shown of it? One gate for all files.

Only plain files, only so much of them, only text where text is expected, nothing nested without end and no number
without end. Whatever is wrong is a ``FileError`` with a ``Fault`` for everything that was found.
"""

from sim.reading.faults import Fault, FileError
from sim.reading.files import MOST_TEXT, read_bytes, read_text
from sim.reading.places import Steps, key_of, line_of, steps_of
from sim.reading.printable import printable, quoted, shortened
from sim.reading.tables import parse_toml, placed

__all__ = [
    "MOST_TEXT",
    "Fault",
    "FileError",
    "Steps",
    "key_of",
    "line_of",
    "parse_toml",
    "placed",
    "printable",
    "quoted",
    "read_bytes",
    "read_text",
    "shortened",
    "steps_of",
]
