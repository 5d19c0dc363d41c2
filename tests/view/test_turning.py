"""A wide table on a tall picture: a quarter turn to the left, in which everything keeps its distances."""

from __future__ import annotations

import math

from sim.view.scene import Die, Disc, Ghost, Label, Line, Mark, Oval, Polygon, Ruler, Scene, Zone
from sim.view.turning import turned

DISC = Disc((10.0, 5.0), 1.0, "base.first", Mark("1", facing=90.0))
ITEMS = (
    DISC,
    Oval((20.0, 6.0), 4.0, 2.0, 30.0, "base.second", Mark("2", facing=30.0)),
    Ghost(DISC, True),
    Ruler((10.0, 5.0), (20.0, 6.0), "10", "note"),
    Line(((1.0, 2.0), (3.0, 4.0)), "line.path"),
    Label((30.0, 20.0), "words"),
    Die((7.0, 8.0), 3),
    Disc((30.0, 10.0), 0.8, "objective", Mark("A")),
    Label((30.0, 8.6), "Red 4", "label.level"),
)
GROUND = (
    Polygon(((0.0, 0.0), (4.0, 0.0), (4.0, 2.0)), "terrain.ruin"),
    Zone(((((0.0, 0.0), (60.0, 0.0), (60.0, 9.0)),),), "zone.reach"),
)
SCENE = Scene(60.0, 44.0, GROUND, ITEMS, "heading", focus=((1.0, 2.0), (5.0, 4.0)))


def test_everything_turns_with_the_table() -> None:
    after = turned(SCENE)
    assert (after.width, after.depth, after.turned, after.heading) == (44.0, 60.0, True, "heading")
    disc, oval, ghost, ruler, line, label, die, marker, level = after.items
    assert disc == Disc((39.0, 10.0), 1.0, "base.first", Mark("1", facing=180.0))
    assert oval == Oval((38.0, 20.0), 4.0, 2.0, 120.0, "base.second", Mark("2", facing=120.0))
    assert ghost == Ghost(disc, True)
    assert isinstance(ruler, Ruler)
    assert (ruler.start, ruler.end) == ((39.0, 10.0), (38.0, 20.0))
    assert math.dist(ruler.start, ruler.end) == math.dist((10.0, 5.0), (20.0, 6.0))
    assert line == Line(((42.0, 1.0), (40.0, 3.0)), "line.path")
    assert label == Label((24.0, 30.0), "words")
    assert die == Die((36.0, 7.0), 3)
    assert marker == Disc((34.0, 30.0), 0.8, "objective", Mark("A"))
    assert isinstance(level, Label)
    assert math.dist(level.at, (34.0, 28.6)) < 1e-9, "still below its marker"
    assert after.ground[0] == Polygon(((44.0, 0.0), (44.0, 4.0), (42.0, 4.0)), "terrain.ruin")
    zone = after.ground[1]
    assert isinstance(zone, Zone)
    assert zone.pieces == ((((44.0, 0.0), (44.0, 60.0), (35.0, 60.0)),),)
    assert after.focus == ((40.0, 1.0), (42.0, 5.0))
