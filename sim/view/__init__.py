"""What is on the picture? Scenes in inches, cameras, themes and timelines; no pygame."""

from sim.view.camera import Camera
from sim.view.scene import (
    Caption,
    Die,
    Disc,
    Ghost,
    Item,
    Label,
    Line,
    Mark,
    Oval,
    Polygon,
    Ruler,
    Scene,
    Shape,
    Tone,
    Zone,
)

__all__ = [
    "Camera",
    "Caption",
    "Die",
    "Disc",
    "Ghost",
    "Item",
    "Label",
    "Line",
    "Mark",
    "Oval",
    "Polygon",
    "Ruler",
    "Scene",
    "Shape",
    "Tone",
    "Zone",
]
