"""What do the words in the brackets of Ambush (X) mean?"""

from __future__ import annotations

import pytest

from rulesets.t9a.table import battle, block, herd
from sim.battle import Terrain
from sim.engine import judge
from sim.geometry import Point
from sim.rulesets.t9a import RULESET
from sim.rulesets.t9a.commands import Ambush
from sim.rulesets.t9a.points import Place, place_of, same


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("ambush", Place("", 6.0)),
        ("ambush: table-edge", Place("table-edge", 6.0)),
        ("ambush (Table Edge)", Place("table-edge", 6.0)),
        ("ambush: 8, table-edge", Place("table-edge", 8.0)),
        ('ambush (8", Table Edge)', Place("table-edge", 8.0)),
        ("ambush: open-terrain, 7.5", Place("open-terrain", 7.5)),
        ("ambush: Great Beast", Place("great-beast", 6.0)),
    ],
)
def test_reading_the_brackets(words: str, place: Place) -> None:
    found = place_of(block("herd", "red", None, abilities=(words,)))
    assert found == place
    assert found.is_edge is (place.words in ("", "table-edge"))


def test_without_ambush_there_is_no_place() -> None:
    assert place_of(block("herd", "red", None)) is None


def test_the_same_x() -> None:
    assert same(Place("", 6.0), Place("table-edge", 6.0))
    assert not same(Place("table-edge", 8.0), Place("table-edge", 6.0))
    assert not same(Place("titan", 6.0), Place("beast", 6.0))
    assert same(Place("titan", 6.0), Place("titan", 6.0))


def verdict(x: str, point: Point, **more: object) -> tuple[str, ...]:
    start = battle(herd(x=x), block("beast", "red", (36.0, 20.0), 4, 16), **more)  # type: ignore[arg-type]
    return judge(RULESET, start, Ambush("herd", point, (point[0], point[1] + 3.0), 90.0)).codes


def test_points() -> None:
    wood = Terrain("wood", "forest", ((10, 10), (20, 10), (20, 15), (10, 15)))
    meadow = Terrain("meadow", "field", ((50, 10), (60, 10), (60, 15), (50, 15)), traits=("open",))
    assert verdict("open-terrain", (15.0, 20.0), terrain=(wood, meadow)) == ()
    assert verdict("open-terrain", (15.0, 12.0), terrain=(wood, meadow)) == ("point-not-allowed",)
    assert verdict("open-terrain", (15.0, 15.0), terrain=(wood, meadow)) == ("point-not-allowed",)
    assert verdict("open-terrain", (55.0, 12.0), terrain=(wood, meadow)) == ()
    assert verdict("open-terrain", (15.0, -0.5)) == ("point-not-allowed",)
    assert verdict("beast", (36.0, 22.0)) == ()
    assert verdict("beast", (36.0, 22.1)) == ("point-not-allowed",)
    assert verdict("titan", (36.0, 22.0)) == ("point-not-allowed",)


def test_a_point_that_is_no_point_is_refused() -> None:
    with pytest.raises(ValueError, match="point: expected finite"):
        Ambush("herd", (float("nan"), 0.0), (0.0, 0.0), 0.0)
    with pytest.raises(ValueError, match="facing: expected finite"):
        Ambush("herd", (0.0, 0.0), (0.0, 0.0), float("inf"))
