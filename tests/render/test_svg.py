import subprocess
import sys
from dataclasses import replace

import pytest
from defusedxml import ElementTree

from sim.render.svg import svg
from sim.view.scene import Caption, Disc, Label, Mark
from sim.view.theme import theme, themes

SVG = "{http://www.w3.org/2000/svg}"


def drawn(scene, name="table"):
    return ElementTree.fromstring(svg(scene, theme(name)).encode())


@pytest.mark.parametrize("name", themes())
def test_a_drawing_is_valid_and_measured_in_inches(scene, name):
    root = drawn(scene, name)
    left, top, width, height = map(float, root.get("viewBox").split())
    assert root.get("width") == f"{width:g}in"
    assert root.get("height") == f"{height:g}in"
    assert (left, width) == (-1.6, scene.width + 3.2)
    assert top <= -1.6
    assert root.find(f"{SVG}title").text == f"{scene.heading} – {scene.caption.headline}"


def test_bases_are_true_circles_and_ellipses_in_their_places(scene):
    root = drawn(scene)
    circles = {tuple(float(c.get(key)) for key in ("cx", "cy", "r")) for c in root.iter(f"{SVG}circle")}
    assert (12.0, 18 - 7.0, 0.63) in circles
    ellipse = next(root.iter(f"{SVG}ellipse"))
    assert [float(ellipse.get(key)) for key in ("cx", "cy", "rx", "ry")] == [15, 12, 2.35, 1.8]
    assert ellipse.get("transform") == "rotate(-30 15 12)"


def test_hatching_is_a_pattern_that_is_defined(scene):
    text = svg(scene, theme())
    root = ElementTree.fromstring(text.encode())
    names = {pattern.get("id") for pattern in root.iter(f"{SVG}pattern")}
    used = {e.get("fill")[5:-1] for e in root.iter() if (e.get("fill") or "").startswith("url(#")}
    assert used
    assert used <= names


def test_words_are_escaped(scene):
    odd = 'Æther <b>&"quoted"</b> \x07'
    items = (Label((1, 1), odd), Disc((2, 2), 1, "base.first", Mark(odd)))
    root = drawn(replace(scene, heading=odd, items=items, caption=Caption(odd, "good", ((odd, "note"),))))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert sum('<b>&"quoted"</b>' in (text or "") for text in texts) == 5
    assert not list(root.iter("b"))


def test_a_height_is_in_the_drawing(scene):
    item = Disc((2, 2), 1, "base.first", Mark("1", height='3"'))
    texts = [element.text for element in drawn(replace(scene, items=(item,))).iter(f"{SVG}text")]
    assert '3"' in texts


def test_the_caption_is_in_the_drawing(scene):
    texts = [element.text for element in drawn(scene).iter(f"{SVG}text")]
    assert scene.caption.headline in texts
    assert "toy · Arrival" in texts


def test_drawings_are_the_same_every_time_and_stand_alone(scene):
    text = svg(scene, theme())
    assert text == svg(scene, theme())
    assert "href" not in text
    assert "<script" not in text


def test_a_drawing_needs_no_pygame():
    code = "import sim.render.svg, sys; print('pygame' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
