"""Which colours and line patterns does a style have? Four looks for the same scene; no pygame.

A style is a dotted name (``terrain.ruin-wall``). A theme knows a look for some of the names and gives every other
name the look of the part before its last dot; the empty name, which every theme has, ends the search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

Colour = tuple[int, int, int, int]
Pattern = Literal["solid", "dashed", "dotted", "none"]
Part = Literal["fill", "edge", "ink", "hatch"]

CLEAR: Colour = (0, 0, 0, 0)
DEFAULT = "table"


class ThemeError(ValueError):
    """A theme that does not exist, or a colour that cannot be read; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a style is painted: the area, its outline, the text on it, the lines across it. Alpha 0: not painted."""

    fill: Colour = CLEAR
    edge: Colour = CLEAR
    ink: Colour = CLEAR
    hatch: Colour = CLEAR
    pattern: Pattern = "solid"


@dataclass(frozen=True)
class Theme:
    """A look for every style name; ``grain`` and ``shadow`` from 0 to 1 say how much texture and depth there is."""

    name: str
    looks: Mapping[str, Look] = field(hash=False)
    grain: float = 1.0
    shadow: float = 1.0

    def look(self, style: str) -> Look:
        """The look of a style, or of the nearest part of its dotted name that the theme knows."""
        while style not in self.looks:
            style = style.rpartition(".")[0]
        return self.looks[style]

    def colour(self, style: str, part: Part = "fill") -> Colour:
        """One colour of a style as red, green, blue and opacity, each from 0 to 255."""
        look = self.look(style)
        match part:
            case "fill":
                return look.fill
            case "edge":
                return look.edge
            case "ink":
                return look.ink
            case "hatch":
                return look.hatch

    def knows(self, style: str) -> bool:
        """Whether the style has a look of its own."""
        return style in self.looks


def themes() -> tuple[str, ...]:
    """The names of all themes, the default one first."""
    return tuple(_THEMES)


def theme(name: str = DEFAULT) -> Theme:
    """The theme of a name.

    Raises
    ------
    ThemeError
        When there is none of that name.
    """
    try:
        return _THEMES[name]
    except KeyError:
        raise ThemeError(f"no theme {name!r}: expected one of {', '.join(_THEMES)}") from None


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two: ``share`` 0 is the first, 1 the second."""
    r, g, b, a = (round(p + (q - p) * share) for p, q in zip(one, other, strict=True))
    return (r, g, b, a)


def faded(colour: Colour, share: float) -> Colour:
    """The same colour with its opacity multiplied by ``share``."""
    return (*colour[:3], round(min(max(colour[3] * share, 0), 255)))


def luminance(colour: Colour) -> float:
    """How bright a colour is on a grey picture, from 0 to 255 (Rec. 601 weights, as in video)."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def read_colour(text: str) -> Colour:
    """A colour from ``rrggbb`` or ``rrggbbaa``; ``-`` is clear.

    Raises
    ------
    ThemeError
        When the text is not that.
    """
    if text == "-":
        return CLEAR
    try:
        parts = bytes.fromhex(text)
    except ValueError:
        parts = b""
    if len(parts) not in (3, 4):
        raise ThemeError(f"colour {text!r}: expected rrggbb or rrggbbaa in hexadecimal digits, or -")
    r, g, b, a = *parts[:3], (parts[3] if len(parts) == 4 else 255)
    return (r, g, b, a)


def _pattern(word: str) -> Pattern:
    match word:
        case "solid" | "dashed" | "dotted" | "none":
            return word
        case _:
            raise ThemeError(f"pattern {word!r}: expected one of {', '.join(get_args(Pattern))}")


def _looks(table: str) -> Mapping[str, Look]:
    """Looks from lines of ``style fill edge ink hatch pattern``; a ``*`` stands for the empty style."""
    looks = {}
    for row in table.strip().splitlines():
        style, fill, edge, ink, hatch, pattern = row.split()
        looks["" if style == "*" else style] = Look(
            read_colour(fill), read_colour(edge), read_colour(ink), read_colour(hatch), _pattern(pattern)
        )
    return MappingProxyType(looks)


# style                fill       edge       ink        hatch      pattern
_TABLE = """
*                      3a404888   a9aeb6     f4f1e8     a9aeb633   solid
frame                  15181d     4a5059     a9aeb6     2a2f37     solid
mat                    39413d     e8efe612   a9aeb6     525b52     solid
terrain                6d675c8c   a39b8a     d8d2c4     cfc6b31c   solid
terrain.ruin           6f665899   b3a68fb0   e6dcc8b8   d8cbb216   dashed
terrain.ruin-wall      c2b295     6f6350     2a241a     e6d9c0     solid
terrain.woods          2f4a3399   5f8a5c90   cfe3c4b8   4d7a4c     dashed
terrain.crater         5a4f41b0   8f8068a0   e0d4c0b8   2c261e     dashed
terrain.barricade      8d8068     4d4536     f4f1e8     b8aa8c     solid
terrain.hill           6a6c4f80   a3a37a90   e4e2c4b8   b9b98c50   solid
terrain.container      5b6a70     313b40     e3eaecc8   7f9097     solid
terrain.crate          86704f     4a3c28     f4e8d2c8   b3986b     solid
terrain.floor          8a80709a   c2b69fb0   f4ead6b8   e8dcc41e   solid
objective              1c1b1a     c9c4b4     f4f1e8     c9c4b470   dotted
objective.first        3a1d08     ec8643     ffd9b8     ec8643     dashed
objective.second       0a2436     4f9fd6     d4ecfb     4f9fd6     solid
zone                   56b4e912   56b4e9b0   bfe2f7     56b4e920   solid
zone.exclusion         9a5a2424   ff9a5c     ffc9a3     ff9a5c26   solid
zone.centre            00a87a1c   34c79bb8   a8f0db     -          dotted
zone.deployment        a9aeb60c   a9aeb690   cfcabdc0   -          dashed
zone.deployment.first  d55e000e   e07a2aa8   f0b98fd0   -          dashed
zone.deployment.second 0072b20e   3a8fc7b0   a5cde8d0   -          dashed
zone.reach             56b4e914   56b4e9c0   bfe2f7     -          solid
base                   7b828c     2a2f37     ffffff     -          dotted
base.first             cf7d2e     5c2b06     ffffff     -          dashed
base.second            3d8bc2     0a3454     ffffff     -          solid
base.neutral           7b828c     2a2f37     ffffff     -          dotted
ghost.legal            0d5f4ab8   38d9a9     eafff8     -          solid
ghost.illegal          6e2f10b8   ff9a5c     fff1e6     ff9a5cb0   dashed
selection              fff6b030   f0e442     f0e442     -          solid
badge                  15181d     f0e442     f0e442     -          solid
shadow                 000000a0   -          -          -          none
line                   f4f1e8     15181dc0   f4f1e8     -          solid
line.path              f4f1e8e0   15181da0   f4f1e8     -          dashed
line.link              a9aeb6c0   15181d80   f4f1e8     -          dotted
line.edge              56b4e9e0   15181da0   f4f1e8     -          solid
tone                   14171c     cfcabd     fffdf6     -          solid
tone.plain             14171c     cfcabd     fffdf6     -          solid
tone.good              0b2a22     38d9a9     eafff8     -          solid
tone.bad               15110f     ff8a3d     ffffff     -          solid
tone.note              1b1a10     f0e442     fffbe0     -          solid
label                  0e1114d0   -          f4f1e8     -          none
label.muted            0e1114a0   -          cfcabdc0   -          none
die                    f4f1e8     15181d     15181d     -          solid
panel                  1c2026     2c323b     f4f1e8     232830     solid
panel.heading          1c2026     -          f4f1e8     -          none
panel.text             1c2026     -          dcd7ca     -          none
panel.muted            1c2026     -          8d939b     -          none
panel.good             103a2f     38b98f     eafff8     38d9a9     solid
panel.bad              5a230d     e8803c     fff4ea     ff9a5c     solid
panel.note             3a3510     d8cc3a     fffbe0     f0e442     solid
panel.plain            272d35     4a515b     f4f1e8     a9aeb6     solid
"""

_NIGHT = """
*                      1c202a88   6d7488     c9cdd8     6d748833   solid
frame                  07090e     2b3242     7d869b     141923     solid
mat                    10151f     8fb0ff0e   7d869b     1b2331     solid
terrain                2c303c8c   5a6276     a8b0c2     8e98b01c   solid
terrain.ruin           2e323f99   69728aa8   a9b2c6b0   98a4c012   dashed
terrain.ruin-wall      7b849a     2b3140     0b0e14     99a3ba     solid
terrain.woods          13281f99   39644e90   8fbba4a8   234536     dashed
terrain.crater         23222cb0   5a586aa0   a8a6b8b0   0d0d13     dashed
terrain.barricade      4f5568     20242f     d5d9e4     6c7388     solid
terrain.hill           26302f80   53685f90   a4bab0b0   5f786e48   solid
terrain.container      2e3a4a     11171f     a9b8c8b8   48596d     solid
terrain.crate          473f38     1c1813     d0c4b4b8   6a5e50     solid
terrain.floor          3b40509a   727b92b0   bcc4d6b0   a0acc81a   solid
objective              0a0b10     8d91a0     c9cdd8     8d91a070   dotted
objective.first        261103     c9733a     f0c8a4     c9733a     dashed
objective.second       061a2a     3a7fb8     bfdcf0     3a7fb8     solid
zone                   3f86b812   3f86b8b0   9cc6e4     3f86b820   solid
zone.exclusion         7a40202a   e8814a     f4b088     e8814a26   solid
zone.centre            00705824   2bb894d8   8fdcc6     -          dotted
zone.deployment        7d869b0c   7d869b90   a9b2c6b8   -          dashed
zone.deployment.first  b04e0010   b8642aa8   d89a70c8   -          dashed
zone.deployment.second 005a9010   2f78acb0   84b4d6c8   -          dashed
zone.reach             3f86b814   3f86b8c0   9cc6e4     -          solid
base                   525868     141821     f2f3f7     -          dotted
base.first             a65c20     3a1a04     fff4ea     -          dashed
base.second            2a6a9c     062038     eef7ff     -          solid
base.neutral           525868     141821     f2f3f7     -          dotted
ghost.legal            0a4034c0   2bb894     d4f7ec     -          solid
ghost.illegal          4c2010c0   e8814a     ffe6d6     e8814ab0   dashed
selection              d0c84028   d0c840     d0c840     -          solid
badge                  07090e     d0c840     d0c840     -          solid
shadow                 000000c0   -          -          -          none
line                   c9cdd8     07090ec0   c9cdd8     -          solid
line.path              c9cdd8e0   07090ea0   c9cdd8     -          dashed
line.link              7d869bc0   07090e80   c9cdd8     -          dotted
line.edge              3f86b8e0   07090ea0   c9cdd8     -          solid
tone                   0a0d14     9aa2b4     e8eaf0     -          solid
tone.plain             0a0d14     9aa2b4     e8eaf0     -          solid
tone.good              06201a     2bb894     d4f7ec     -          solid
tone.bad               160c08     f0803c     fff0e4     -          solid
tone.note              15140a     d0c840     f6f2cc     -          solid
label                  05070cd0   -          c9cdd8     -          none
label.muted            05070ca0   -          949db0c0   -          none
die                    c9cdd8     07090e     07090e     -          solid
panel                  0d1118     1d2430     d4d8e2     141a24     solid
panel.heading          0d1118     -          d4d8e2     -          none
panel.text             0d1118     -          b6bcca     -          none
panel.muted            0d1118     -          6f788c     -          none
panel.good             0a2a22     268a70     d4f7ec     2bb894     solid
panel.bad              3c180a     c06a34     ffe9da     e8814a     solid
panel.note             2a260c     a8a030     f6f2cc     d0c840     solid
panel.plain            171d28     323b4c     d4d8e2     7d869b     solid
"""

_PARCHMENT = """
*                      c8b48c88   7a6444     33261a     7a644433   solid
frame                  d9c7a0     7a6444     5a4730     c9b68c     solid
mat                    e6d7b4     5a40201c   5a4730     f0e4c8     solid
terrain                b8a07a80   7a6444     3a2c1c     6a543828   solid
terrain.ruin           bfa88390   86704ec0   4f3d28c0   6a543824   dashed
terrain.ruin-wall      6e5a40     3a2c1c     f6ecd4     8a7352     solid
terrain.woods          a4ae7a90   5f6d3cb0   38451fd0   7d8f55     dashed
terrain.crater         b79f78b0   6f5a3cb0   3a2c1cc0   806847     dashed
terrain.barricade      8a7048     4a3820     2a1e10     a98c5e     solid
terrain.hill           c9b27c90   7f693fb0   43351fc0   6f5a3460   solid
terrain.container      93826a     4c4030     f6ecd4d8   b3a085     solid
terrain.crate          a98a58     5c4524     2f210fd8   c9a974     solid
terrain.floor          d3bf9890   86704eb0   4f3d28c0   6a543820   solid
objective              f0dfb8     6b5a3e     33261a     6b5a3e80   dotted
objective.first        f8dcc0     a8501c     7a3208     a8501c     dashed
objective.second       dce8f0     2468a0     0a2c4c     2468a0     solid
zone                   2f6f9a14   2f6f9ac0   1c4a6a     2f6f9a20   solid
zone.exclusion         b0501418   b04a10     7a2f06     b04a102c   solid
zone.centre            00705a18   006a54e0   004a3a     -          dotted
zone.deployment        5a47300a   5a473098   4a3922d0   -          dashed
zone.deployment.first  b04a100c   b04a10a8   7a3208d8   -          dashed
zone.deployment.second 0b5a900c   0b5a90a8   0a4066d8   -          dashed
zone.reach             2f6f9a18   2f6f9ac0   1c4a6a     -          solid
base                   8a8070     3f382c     fffaf0     -          dotted
base.first             c0601c     5a2604     fffaf0     -          dashed
base.second            2468a0     0a2c4c     fffaf0     -          solid
base.neutral           8a8070     3f382c     fffaf0     -          dotted
ghost.legal            bfe4d4c8   00735a     00382b     -          solid
ghost.illegal          f2cfb4c8   a83c00     4a1a00     a83c00a0   dashed
selection              fff09040   7a5c00     7a5c00     -          solid
badge                  fff6dc     7a5c00     5a4200     -          solid
shadow                 3a260880   -          -          -          none
line                   33261a     f6ecd4b0   33261a     -          solid
line.path              33261ae0   f6ecd4a0   33261a     -          dashed
line.link              6f5a3cd0   f6ecd480   33261a     -          dotted
line.edge              2f6f9ae0   f6ecd4a0   33261a     -          solid
tone                   fbf3df     5a4730     2a1e10     -          solid
tone.plain             fbf3df     5a4730     2a1e10     -          solid
tone.good              e6f5ec     00735a     00382b     -          solid
tone.bad               fff4e6     b03a00     4a1400     -          solid
tone.note              fff8d6     8a6c00     3f3000     -          solid
label                  f8eed6d8   -          33261a     -          none
label.muted            f8eed6a8   -          5a4730d0   -          none
die                    fbf3df     33261a     33261a     -          solid
panel                  efe3c6     bfa97c     33261a     e4d5b2     solid
panel.heading          efe3c6     -          33261a     -          none
panel.text             efe3c6     -          463624     -          none
panel.muted            efe3c6     -          7d6a4c     -          none
panel.good             d2ead9     00735a     003a2c     00735a     solid
panel.bad              f6d3b6     b04a10     5a1e00     b03a00     solid
panel.note             f6ecb0     8a6c00     3f3000     8a6c00     solid
panel.plain            e4d5b2     a08a5e     33261a     5a4730     solid
"""

_PRINT = """
*                      -          000000     000000     00000040   solid
frame                  ffffff     000000     000000     ffffff     solid
mat                    ffffff     00000024   000000     ffffff     solid
terrain                -          303030     202020     00000038   solid
terrain.ruin           -          404040     303030     00000034   dashed
terrain.ruin-wall      303030     000000     ffffff     303030     solid
terrain.woods          -          404040     303030     707070     dashed
terrain.crater         -          505050     303030     808080     dashed
terrain.barricade      -          000000     000000     00000090   solid
terrain.hill           -          505050     303030     80808080   solid
terrain.container      -          000000     202020     00000070   solid
terrain.crate          -          000000     202020     00000090   solid
terrain.floor          -          606060     303030     00000020   solid
objective              ffffff     000000     000000     -          dotted
objective.first        ffffff     000000     000000     000000     dashed
objective.second       ffffff     000000     000000     000000     solid
zone                   -          404040     202020     00000020   solid
zone.exclusion         -          000000     000000     00000040   solid
zone.centre            -          000000     000000     -          dotted
zone.deployment        -          505050     202020     -          dashed
zone.deployment.first  -          505050     202020     -          dashed
zone.deployment.second -          505050     202020     -          dashed
zone.reach             -          404040     202020     -          solid
base                   ffffff     000000     000000     -          dotted
base.first             ffffff     000000     000000     00000058   dashed
base.second            ffffff     000000     000000     -          solid
base.neutral           ffffff     606060     000000     -          dotted
ghost.legal            ffffff     000000     000000     -          solid
ghost.illegal          ffffff     000000     000000     000000a0   dashed
selection              -          000000     000000     -          solid
badge                  ffffff     000000     000000     -          solid
shadow                 -          -          -          -          none
line                   000000     ffffffc0   000000     -          solid
line.path              000000     ffffffc0   000000     -          dashed
line.link              404040     ffffff80   000000     -          dotted
line.edge              000000     ffffffc0   000000     -          solid
tone                   ffffff     000000     000000     -          solid
label                  ffffffe0   -          000000     -          none
label.muted            ffffffc0   -          404040     -          none
die                    ffffff     000000     000000     -          solid
panel                  ffffff     000000     000000     ffffff     solid
panel.heading          ffffff     -          000000     -          none
panel.text             ffffff     -          000000     -          none
panel.muted            ffffff     -          505050     -          none
panel.good             ffffff     000000     000000     000000     solid
panel.bad              ffffff     000000     000000     000000     dashed
panel.note             ffffff     000000     000000     000000     dotted
panel.plain            ffffff     808080     000000     404040     solid
"""

_THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        "table": Theme("table", _looks(_TABLE)),
        "night": Theme("night", _looks(_NIGHT), grain=0.7, shadow=1.0),
        "parchment": Theme("parchment", _looks(_PARCHMENT), grain=0.8, shadow=0.5),
        "print": Theme("print", _looks(_PRINT), grain=0.0, shadow=0.0),
    }
)
