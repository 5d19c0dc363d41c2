"""Make the README's pictures: the demo's unit dragged from where it may not stand to where it may.

``python tools/make_pictures.py`` writes ``assets/pictures/window.png`` and ``assets/pictures/not-here.gif``. The still
is the window itself, painted without a screen; the film is the demo storyboard.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from sim.app.films import film, film_of
from sim.app.opening import session_of
from sim.app.window.window import Window

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "assets" / "pictures"
SPOT = (30.5, 27.5)  # inches; not legal for the demo's storm team
GIF_SIZE, GIF_RATE = (720, 405), 15


def main() -> None:
    """Write both pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    session = session_of(str(ROOT / "assets/scenarios/demo.toml"), 1, journal=False)
    window = Window(session, (1360, 850))
    window.step()
    offer = next(o for o in session.offers if o.unit == "storm-team")
    session.pick(offer, SPOT)
    where = window.pixel(SPOT)
    pygame.mouse.set_pos(where)
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=where, rel=(1, 1), buttons=(0, 0, 0)))
    for _ in range(3):
        window.step()
    pygame.image.save(window.surface, str(PICTURES / "window.png"))
    story = film_of(str(ROOT / "assets/scenarios/demo-storyboard.toml"))
    film(story, str(PICTURES / "not-here.gif"), GIF_SIZE, GIF_RATE, "table", 0.0, 9.0)
    for name in ("window.png", "not-here.gif"):
        print(f"assets/pictures/{name}: {(PICTURES / name).stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
