"""How are words drawn? Noto Sans in two weights, with halos; every piece of text is drawn once and kept.

The files come with pygame_gui, which is looked up and not imported. Text in other alphabets takes the first of the
family's faces that has all of its letters; without the files pygame's own font serves.
"""

from __future__ import annotations

import importlib.util
import math
from functools import lru_cache
from pathlib import Path

import pygame

from sim.render.layer import BLEND
from sim.view.theme import CLEAR, Colour

FAMILY = "NotoSans"
OTHER_ALPHABETS = ("JP", "SC", "KR", "Arabic", "Hebrew", "Georgian")
STAND_INS = {
    "✓": "",
    "✔": "",
    "✕": "×",
    "✗": "×",
    "✘": "×",
    "→": "›",
    "←": "‹",
    "⇒": "›",
    "\t": "  ",
    "\n": " ",
}
NOWHERE = "\uf8ff"  # a private sign that no face of the family has
TEXTS_KEPT = 4096


@lru_cache(maxsize=1)
def font_folder() -> Path | None:
    """The folder with the font files, or None when there is none."""
    spec = importlib.util.find_spec("pygame_gui")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "data"
        if (folder / f"{FAMILY}-Regular.ttf").is_file():
            return folder
    return None


@lru_cache(maxsize=256)
def font(size: int, bold: bool = False, face: str = "") -> pygame.Font:
    """The font at a size in pixels; ``face`` names the alphabet, the Latin, Greek and Cyrillic one if empty."""
    if not pygame.font.get_init():
        pygame.font.init()
    folder = font_folder()
    weight = "Bold" if bold else "Regular"
    for ending in ("ttf", "otf"):
        if folder is not None and (path := folder / f"{FAMILY}{face}-{weight}.{ending}").is_file():
            return pygame.font.Font(path, size)
    plain = pygame.font.Font(None, size)
    plain.bold = bold
    return plain


@lru_cache(maxsize=TEXTS_KEPT)
def width_of(text: str, size: int, bold: bool = False) -> int:
    """How wide a piece of text is in pixels."""
    return _suited(text, size, bold)[0].size(_written(text, size, bold))[0]


@lru_cache(maxsize=TEXTS_KEPT)
def words(text: str, size: int, ink: Colour, bold: bool = False, halo: Colour = CLEAR) -> pygame.Surface:
    """A piece of text as a sprite, with a halo of another colour round it unless that is clear."""
    face, text = _suited(text, size, bold)
    body = face.render(text, True, ink[:3]).premul_alpha()
    if not halo[3]:
        return _dimmed(body, ink[3])
    reach = max(1, round(size / 9))
    shade = _dimmed(face.render(text, True, halo[:3]).premul_alpha(), halo[3])
    return _ringed(_dimmed(body, ink[3]), shade, reach)


@lru_cache(maxsize=1024)
def wrapped(text: str, size: int, bold: bool, width: int, most: int) -> tuple[str, ...]:
    """The text in at most ``most`` lines that are no wider than ``width``; what does not fit ends in an ellipsis."""
    lines: list[str] = []
    rest = text.split()
    while rest and len(lines) < most:
        count = 1
        while count < len(rest) and width_of(" ".join(rest[: count + 1]), size, bold) <= width:
            count += 1
        lines.append(" ".join(rest[:count]))
        rest = rest[count:]
    if lines and rest:
        lines[-1] = f"{lines[-1]} {' '.join(rest[:40])}…"
    return tuple(shortened(line, size, bold, width) for line in lines)


def broken(text: str, size: int, width: int) -> tuple[str, ...]:
    """The whole text in lines that are no wider than ``width``; a word that is wider itself goes on in the next."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        rest = word
        if line and width_of(f"{line} {word}", size) <= width:
            line, rest = f"{line} {word}", ""
        while rest:
            if line:
                lines.append(line)
            count = len(rest)
            while count > 1 and width_of(rest[:count], size) > width:
                count -= 1
            line, rest = rest[:count], rest[count:]
    return (*lines, line) if line else tuple(lines)


def shortened(text: str, size: int, bold: bool, width: int) -> str:
    """The text, or as much of its beginning as fits with an ellipsis."""
    if width_of(text, size, bold) <= width:
        return text
    text = text.rstrip("…")
    low, high = 0, len(text)
    while low < high:
        half = (low + high + 1) // 2
        if width_of(text[:half].rstrip() + "…", size, bold) <= width:
            low = half
        else:
            high = half - 1
    return text[:low].rstrip(" ,;:·") + "…" if low else "…"


@lru_cache(maxsize=TEXTS_KEPT)
def fitting_size(text: str, width: float, height: float, bold: bool, least: int, most: int) -> int:
    """The largest size at which the text fits, or 0 when it does not fit at the least."""
    for size in range(most, least - 1, -1):
        if size * 0.95 <= height and width_of(text, size, bold) <= width:
            return size
    return 0


def _ringed(body: pygame.Surface, shade: pygame.Surface, reach: int) -> pygame.Surface:
    w, h = body.get_size()
    sprite = pygame.Surface((w + 2 * reach, h + 2 * reach), pygame.SRCALPHA, 32)
    for k in range(12):
        turn = math.tau * k / 12
        spot = (reach + round(reach * math.cos(turn)), reach + round(reach * math.sin(turn)))
        sprite.blit(shade, spot, special_flags=BLEND)
    sprite.blit(body, (reach, reach), special_flags=BLEND)
    return sprite


def _dimmed(sprite: pygame.Surface, alpha: int) -> pygame.Surface:
    if alpha < 255:
        sprite.fill((alpha, alpha, alpha, alpha), special_flags=pygame.BLEND_RGBA_MULT)
    return sprite


@lru_cache(maxsize=4096)
def _has(sign: str, bold: bool, face: str) -> bool:
    """Whether a face has a sign of its own and not the box that stands for missing ones."""
    probe = font(16, bold, face)
    return _pixels(probe, sign) != _pixels(probe, NOWHERE) or not _pixels(probe, sign).strip(b"\0")


def _pixels(face: pygame.Font, sign: str) -> bytes:
    return pygame.image.tobytes(face.render(sign, True, (255, 255, 255)), "RGBA")


def _has_all(text: str, bold: bool, face: str = "") -> bool:
    return all(_has(sign, bold, face) for sign in text)


def _written(text: str, size: int, bold: bool) -> str:
    return _suited(text, size, bold)[1]


@lru_cache(maxsize=TEXTS_KEPT)
def _suited(text: str, size: int, bold: bool) -> tuple[pygame.Font, str]:
    """The font that has all letters of the text, and the text with stand-ins for signs that no font has."""
    plain = font(size, bold)
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    if _has_all(text, bold):
        return plain, text
    simpler = "".join(sign if _has(sign, bold, "") else STAND_INS.get(sign, sign) for sign in text)
    if _has_all(simpler, bold):
        return plain, simpler
    for name in OTHER_ALPHABETS:
        if font_folder() is not None and _has_all(simpler, bold, name):
            return font(size, bold, name), simpler
    return plain, simpler
