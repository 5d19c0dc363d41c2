"""How large may a picture be? The same for pictures, windows and clips, whoever asks."""

from __future__ import annotations

LEAST = (160, 120)  # pixels, wide and high
MOST = 8192  # pixels a side


def refused(width: int, height: int) -> str:
    """What is wrong with a size in pixels, nothing where it will do."""
    if LEAST[0] <= width <= MOST and LEAST[1] <= height <= MOST:
        return ""
    return f"size {width}x{height}: expected from {LEAST[0]}x{LEAST[1]} to {MOST}x{MOST} pixels"
