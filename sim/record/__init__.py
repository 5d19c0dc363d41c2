"""What happened, and does it happen again? The log on disk, replay from events, verification from commands."""

from sim.record.journal import Journal
from sim.record.log import (
    FORMAT,
    Asked,
    Header,
    Line,
    LoggedEntry,
    Record,
    RecordError,
    read_record,
    record_bytes,
    record_of,
    write_record,
)
from sim.record.verify import Difference, decode_command, rebuild, verify

__all__ = [
    "FORMAT",
    "Asked",
    "Difference",
    "Header",
    "Journal",
    "Line",
    "LoggedEntry",
    "Record",
    "RecordError",
    "decode_command",
    "read_record",
    "rebuild",
    "record_bytes",
    "record_of",
    "verify",
    "write_record",
]
