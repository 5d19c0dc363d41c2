import math
from dataclasses import replace

import pytest

from sim.view.camera import Camera
from sim.view.scene import (
    Caption,
    Die,
    Disc,
    Ghost,
    Label,
    Line,
    Mark,
    Oval,
    Polygon,
    Ruler,
    Scene,
    Zone,
)


def rect(x, y, w, h):
    return ((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))


def ring(x, y, radius, count=48):
    return tuple(
        (x + radius * math.cos(math.tau * k / count), y + radius * math.sin(math.tau * k / count)) for k in range(count)
    )


GROUND = (
    Zone(((rect(12, 3, 24, 6),),), "zone.deployment.second", "Blue deployment"),
    Polygon(rect(6, 12, 6, 4), "terrain.ruin", 5.0, "Ruin"),
    Polygon(rect(6, 13.8, 6, 0.3), "terrain.ruin-wall", 5.0),
    Polygon(rect(5, 12, 2, 2), "terrain.floor", 3.0),
    Polygon(ring(18, 14, 2.2), "terrain.woods", 4.0, "Woods"),
    Polygon(ring(4, 5, 1.4), "terrain.crater"),
    Polygon(ring(20, 5, 2.0), "terrain.hill", 3.0),
    Polygon(rect(13, 15.5, 3, 1.2), "terrain.container", 2.5),
    Polygon(rect(9, 5, 1.4, 1.4), "terrain.crate", 1.5),
    Polygon(rect(12, 8, 3, 0.4), "terrain.barricade", 1.0),
    Disc((12, 11), 0.79, "objective", Mark("A")),
)
ITEMS = (
    Zone(((ring(12, 7, 9.6)[::-1],),), "zone.centre"),
    Zone(((ring(12, 7, 5), ring(12, 7, 1.5)),), "zone.exclusion", "Keep out"),
    Disc((12, 7), 0.63, "base.second", Mark("1", facing=90)),
    Oval((15, 6), 4.7, 3.6, 30, "base.second", Mark("R", "14/14", facing=30, assumed=True)),
    Disc((3, 16), 0.63, "base.first", Mark("2", "1/2", facing=-45, selected=True)),
    Polygon(rect(21, 10, 1, 2), "base.first", mark=Mark("K", facing=180)),
    Disc((22, 16), 0.6, "base.neutral", Mark("N")),
    Line(((3, 16), (5, 17), (8, 16)), "line.path"),
    Ghost(Disc((12, 12.9), 0.63, "base.first", Mark("1")), False),
    Ghost(Disc((14, 13.3), 0.63, "base.first", Mark("2")), True),
    Ruler((12, 12.3), (12, 7.63), '4.67"  needs more than 5"', "bad"),
    Label((12, 1), "A label"),
    Die((22, 2), 5, "good"),
)
CAPTION = Caption(
    "Not here: 1 of 2 models too close",
    "bad",
    (
        ('1  4.67"  0.33" short of more than 5"', "bad"),
        ('2  5.91"  from the nearest enemy base', "good"),
        ("Every model more than 5 inches from all enemy models, measured from base to base on the flat.", "plain"),
        ("toy · Arrival", "note"),
    ),
)


@pytest.fixture
def scene():
    return Scene(24.0, 18.0, GROUND, ITEMS, "Round 2 · Red · Movement", CAPTION)


@pytest.fixture
def dragged(scene):
    """The scene with its ghosts moved by some inches."""

    def moved(dx, dy=0.0):
        def ghost(item):
            x, y = item.shape.at
            return replace(item, shape=replace(item.shape, at=(x + dx, y + dy)))

        items = tuple(ghost(item) if isinstance(item, Ghost) else item for item in scene.items)
        return replace(scene, items=items)

    return moved


@pytest.fixture
def camera():
    return Camera.fitting(24, 18, (640, 480))
