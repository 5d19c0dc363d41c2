"""The bar over the table: the program's name, whose time it is, and the phases with the one that is on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from sim.app.window import style
from sim.battle import Clock
from sim.render.fonts import shortened, width_of, words
from sim.rules import Ruleset

BRAND, HEADING, PHASE = 21, 14, 13  # pixels of the words
GAP = 6  # pixels between phases
INSIDE = 20  # pixels of a phase beside its title
APART = 20  # pixels between the name, the heading and the phases
PHASES_FROM = 480  # pixels from the left at which the phases begin where there is room for all
HIGH = 28


def draw(surface: pygame.Surface, area: pygame.Rect, heading: str, ruleset: Ruleset, clock: Clock) -> list[str]:
    """Draw the bar in an area; gives the titles of the phases that had room, the current one always among them."""
    phases = [phase for phase in ruleset.phases if not phase.setup or clock.phase == phase.name]
    now = next((k for k, phase in enumerate(phases) if phase.name == clock.phase), None)
    titles = [phase.title for phase in phases]
    brand, said = width_of("inchwise", BRAND, True), width_of(heading, HEADING)
    shown = _kept(titles, now, area.width - min(said, area.width // 2) - APART)
    needed = _width([titles[k] for k in shown])
    room = area.width - needed - APART
    x = area.left
    if brand + APART + said <= room:
        surface.blit(words("inchwise", BRAND, (*style.TEXT, 255), bold=True), (x, area.top))
        x += brand + APART
    text = words(shortened(heading, HEADING, False, area.left + room - x), HEADING, (*style.SOFT, 255))
    surface.blit(text, (x, area.top + 6))
    x = max(x + text.get_width() + APART, min(area.left + PHASES_FROM, area.right - needed))
    for k in shown:
        label = words(titles[k], PHASE, (*(style.TEXT if k == now else style.FAINT), 255), bold=k == now)
        box = pygame.Rect(x, area.top + 1, label.get_width() + INSIDE, HIGH)
        pygame.draw.rect(surface, style.ORANGE if k == now else style.RAISED, box, border_radius=6)
        surface.blit(label, label.get_rect(center=box.center))
        x = box.right + GAP
    return [titles[k] for k in shown]


def _kept(titles: Sequence[str], now: int | None, room: int) -> list[int]:
    """The phases that have room: those nearest to the current one, which is never left out."""
    kept = list(range(len(titles)))
    while kept and _width([titles[k] for k in kept]) > room:
        if now is None or len(kept) == 1:
            return kept if now is not None else []
        farther = max((kept[0], kept[-1]), key=lambda k: abs(k - now))
        kept.remove(farther)
    return kept


def _width(titles: Sequence[str]) -> int:
    return round(math.fsum(width_of(title, PHASE, True) + INSIDE + GAP for title in titles))
