"""How much is drawn by chance? A share of it in every run, all of it where ``INCHWISE_THOROUGH`` is set."""

from __future__ import annotations

import os

SHARE = 4  # a run does one of so many


def some(count: int) -> int:
    """As many of so many as this run is to try; at least one."""
    return count if os.environ.get("INCHWISE_THOROUGH") else max(1, count // SHARE)
