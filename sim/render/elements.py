"""How is paint written in SVG? Colours, strokes, numbers and words as the attributes and elements of a drawing.

Lengths in inches, text sizes in points of which POINT inches make one; text is escaped here and nowhere else.
"""

from __future__ import annotations

import textwrap
from xml.sax.saxutils import escape, quoteattr

from sim.geometry import Point
from sim.view.scene import Tone
from sim.view.theme import Colour, Look

POINT = 0.043  # inches of the drawing for a point of text


def num(number: float) -> str:
    """A number in as few signs as four decimals need."""
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def painted(part: str, colour: Colour) -> str:
    """The attributes that give a part, ``fill`` or ``stroke``, its colour and opacity."""
    if not colour[3]:
        return f' {part}="none"'
    r, g, b, a = colour
    opacity = f' {part}-opacity="{a / 255:.2f}"' if a < 255 else ""
    return f' {part}="#{r:02x}{g:02x}{b:02x}"{opacity}'


def stroked(look: Look, width: float) -> str:
    """The attributes of an outline with the edge colour and the pattern of a look."""
    if look.pattern == "none":
        return ""
    return f' stroke-width="{width}"{painted("stroke", look.edge)}{dashing(look, width)}'


def dashing(look: Look, width: float) -> str:
    """The attributes that make a stroke of a width dashed or dotted."""
    match look.pattern:
        case "dashed":
            return f' stroke-dasharray="{num(0.2 + width)} {num(0.12 + width)}"'
        case "dotted":
            return f' stroke-linecap="round" stroke-dasharray="0.001 {num(width * 2.6)}"'
        case _:
            return ""


def broken(text: str, width: float, size: float) -> list[str]:
    """The text in lines that fit a width in inches, by the usual width of a letter."""
    return textwrap.wrap(text, max(int(width / (size * POINT * 0.58)), 8)) or [""]


def tone_sign(tone: Tone, at: Point, colour: Colour, half: float) -> list[str]:
    """A tick or a cross, drawn, since not every font has them."""
    x, y = at
    if tone == "bad":
        side = num(2 * half)
        path = f"M{num(x - half)} {num(y - half)}l{side} {side}m0 -{side}l-{side} {side}"
    elif tone == "good":
        short, long = f"{num(half * 0.8)} {num(half * 0.9)}", f"{num(half * 1.5)} {num(-half * 1.8)}"
        path = f"M{num(x - half * 1.2)} {num(y)}l{short}l{long}"
    else:
        return []
    return [f'<path d="{path}" fill="none" stroke-width="{num(half * 0.5)}"{painted("stroke", colour)}/>']


def text_at(
    text: str,
    at: Point,
    size: float,
    ink: Colour,
    halo: Colour = (0, 0, 0, 0),
    anchor: str = "middle",
    bold: bool = False,
) -> str:
    """A piece of text at a point of the drawing, its middle there or, with ``anchor``, its start or end."""
    edge = ""
    if halo[3]:
        edge = f' paint-order="stroke" stroke-width="{num(size * POINT * 0.2)}" stroke-linejoin="round"'
        edge += painted("stroke", halo)
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{num(at[0])}" y="{num(at[1])}" font-size="{num(size * POINT)}" text-anchor={quoteattr(anchor)}'
    return f"<text {place}{weight}{painted('fill', ink)}{edge}>{escape(printable(text))}</text>"


def printable(text: str) -> str:
    """The text without the signs that XML forbids."""
    return "".join(sign if sign >= " " and sign not in "\ufffe\uffff" else " " for sign in text)
