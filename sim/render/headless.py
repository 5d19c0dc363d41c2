"""Is there a screen? Pictures and clips need none."""

from __future__ import annotations

import os
import sys


def ensure_headless() -> bool:
    """Whether everything from here on is painted without a window and without sound.

    Call it before pygame is first imported by whoever wants pictures and no window. A driver that the person chose in
    the environment stays; the answer is then whether that one shows nothing.
    """
    hide_greeting()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    return os.environ["SDL_VIDEODRIVER"] in ("dummy", "offscreen")


def has_display() -> bool:
    """Whether a window could open: a display is named, or the system always has one."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def display_answers() -> bool:
    """Whether a window would be seen: without a server the library paints unseen, and nobody could ever close it."""
    import pygame

    chosen = os.environ.get("SDL_VIDEODRIVER", "")
    try:
        pygame.display.init()
    except pygame.error:
        return False
    return bool(chosen) or pygame.display.get_driver() not in ("dummy", "offscreen")


def hide_greeting() -> None:
    """Keep pygame from printing its version to standard output, where answers belong."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")  # there is no sound, and no card to ask for one
