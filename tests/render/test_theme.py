import re
import subprocess
import sys
from pathlib import Path

import pytest

import sim.view.scene
from sim.view.theme import ThemeError, luminance, mixed, read_colour, theme, themes

STYLES = (
    *(
        f"terrain.{kind}"
        for kind in ["ruin", "ruin-wall", "woods", "crater", "barricade", "hill", "container", "crate", "floor"]
    ),
    *("zone.exclusion", "zone.centre", "zone.deployment.first", "zone.deployment.second", "zone.reach"),
    *(
        "base.first",
        "base.second",
        "base.neutral",
        "line.path",
        "line.link",
        "line.edge",
    ),
    *("objective", "objective.first", "objective.second"),
    *("tone.plain", "tone.good", "tone.bad", "tone.note", "panel.good", "panel.bad", "label", "die"),
)


def test_the_default_theme_comes_first():
    assert themes() == ("table", "night", "parchment", "print")
    assert theme().name == "table"


@pytest.mark.parametrize("name", themes())
@pytest.mark.parametrize("style", STYLES)
def test_every_style_has_a_look_that_shows(name, style):
    look = theme(name).look(style)
    assert max(look.fill[3], look.edge[3], look.ink[3], look.hatch[3]) > 0


@pytest.mark.parametrize("name", themes())
def test_styles_that_scenes_speak_of_are_known(name):
    text = Path(sim.view.scene.__file__).read_text(encoding="utf-8")
    for style in re.findall(r"``((?:zone|line|base|terrain)\.[a-z.]+)``", text):
        assert theme(name).knows(style) or theme(name).knows(style.partition(".")[0])


def test_a_name_falls_back_along_its_dots():
    table = theme("table")
    assert table.look("terrain.ruin.upper.floor") == table.look("terrain.ruin")
    assert table.look("terrain.swamp") == table.look("terrain")
    assert table.look("base.red") == table.look("base")
    assert table.look("nothing.of.the.kind") == table.look("")


def test_an_unknown_theme_is_refused_with_the_names_there_are():
    with pytest.raises(ThemeError, match=r"no theme 'neon': expected one of table, night, parchment, print"):
        theme("neon")


@pytest.mark.parametrize("name", themes())
def test_sides_and_ghosts_differ_in_more_than_colour(name):
    looks = theme(name)
    sides = [looks.look(f"base.{side}").pattern for side in ("first", "second", "neutral")]
    assert len(set(sides)) == 3
    markers = [looks.look(style).pattern for style in ("objective.first", "objective.second", "objective")]
    assert len(set(markers)) == 3
    legal, illegal = looks.look("ghost.legal"), looks.look("ghost.illegal")
    assert (legal.pattern, illegal.pattern) == ("solid", "dashed")
    assert legal.hatch[3] == 0 < illegal.hatch[3]


@pytest.mark.parametrize("name", themes())
def test_words_stand_out_from_what_they_are_written_on(name):
    looks = theme(name)
    for style in ("panel", "panel.bad", "panel.good", "panel.note", "tone.bad", "tone.good", "tone.plain", "die"):
        look = looks.look(style)
        assert abs(luminance(look.ink) - luminance(look.fill)) > 110, style


def test_a_print_fills_nothing_on_the_table_but_walls():
    looks = theme("print")
    for style in STYLES:
        if style.startswith(("terrain", "zone")) and style != "terrain.ruin-wall":
            assert looks.look(style).fill[3] == 0, style


@pytest.mark.parametrize("word", ["", "12", "12345", "xyzxyz", "1234567890"])
def test_colours_are_read_strictly(word):
    with pytest.raises(ThemeError, match="hexadecimal"):
        read_colour(word)


def test_colours_are_read_and_mixed():
    assert read_colour("ff800040") == (255, 128, 0, 64)
    assert read_colour("ff8000") == (255, 128, 0, 255)
    assert read_colour("-")[3] == 0
    assert mixed((0, 0, 0, 0), (100, 200, 50, 255), 0.5) == (50, 100, 25, 128)


def test_neither_themes_nor_the_render_package_load_pygame_or_the_encoders():
    code = "import sim.view.theme, sim.render, sys; print(sorted({'pygame', 'av'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
