"""Colours and sizes of the window's frame, and the same for the widgets of pygame_gui."""

from __future__ import annotations

from typing import Any

Colour = tuple[int, int, int]

BACK: Colour = (0x15, 0x18, 0x1D)
PANEL: Colour = (0x1C, 0x20, 0x26)
RAISED: Colour = (0x23, 0x28, 0x30)
TEXT: Colour = (0xF4, 0xF1, 0xE8)
SOFT: Colour = (0xCF, 0xCA, 0xBD)
DIM: Colour = (0xA9, 0xAE, 0xB6)
FAINT: Colour = (0x7F, 0x85, 0x8D)
ORANGE: Colour = (0xE0, 0x7A, 0x2A)
BLUE: Colour = (0x3A, 0x8F, 0xC7)
TEAL: Colour = (0x38, 0xD9, 0xA9)
DARK_ORANGE: Colour = (0x5C, 0x26, 0x0C)
DARK_TEAL: Colour = (0x12, 0x3A, 0x2D)

STEP = 4  # pixels; all spacing is a multiple of it
RADIUS = 8


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def widgets() -> dict[str, Any]:
    """The look of the widgets, as pygame_gui reads it."""
    button = {
        "colours": {
            "normal_bg": _hex(RAISED),
            "hovered_bg": "#2e3540",
            "active_bg": "#38414d",
            "selected_bg": "#38414d",
            "disabled_bg": _hex(PANEL),
            "normal_border": "#2e3540",
            "hovered_border": _hex(TEAL),
            "active_border": _hex(TEAL),
            "disabled_border": _hex(RAISED),
            "normal_text": _hex(TEXT),
            "hovered_text": _hex(TEXT),
            "active_text": _hex(TEXT),
            "disabled_text": "#596069",
        },
        "misc": {
            "shape": "rounded_rectangle",
            "shape_corner_radius": "6",
            "border_width": "1",
            "shadow_width": "0",
        },
    }
    offer = {
        "prototype": "button",
        "misc": {"text_horiz_alignment": "left", "text_horiz_alignment_padding": "12"},
    }
    bars = {
        "dark_bg": _hex(BACK),
        "normal_bg": _hex(RAISED),
        "normal_border": "#2e3540",
        "normal_text": _hex(TEXT),
        "link_text": _hex(TEAL),
    }
    return {
        "defaults": {"colours": bars},
        "button": button,
        "#offer": offer,
        "#sliding_button": {
            "colours": {
                "normal_bg": _hex(TEAL),
                "hovered_bg": _hex(TEXT),
                "active_bg": _hex(TEXT),
                "disabled_bg": _hex(FAINT),
                "normal_border": _hex(TEAL),
            },
            "misc": {"shape": "rounded_rectangle", "shape_corner_radius": "6", "shadow_width": "0"},
        },
        "horizontal_slider": {
            "colours": {"dark_bg": _hex(RAISED), "normal_border": "#2e3540"},
            "misc": {"shape": "rounded_rectangle", "shape_corner_radius": "6", "enable_arrow_buttons": "0"},
        },
    }
