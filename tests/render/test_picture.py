from dataclasses import replace

import pygame
import pytest

from sim.render.fonts import shortened, width_of, wrapped
from sim.render.picture import PictureError, Pictures, arranged, fitting, fullest, is_upright, picture
from sim.view.scene import Caption, Scene
from sim.view.theme import theme, themes
from sim.view.turning import turned

SIZES = [(1600, 1000), (1280, 720), (720, 1280), (1080, 1080), (480, 270)]


def pixels(surface):
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", themes())
def test_sizes_and_themes(scene, tmp_path, size, name):
    path = tmp_path / "picture.png"
    surface = picture(scene, theme(name), size, path)
    assert surface.get_size() == size
    assert pixels(pygame.image.load(path)) == pixels(surface)
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]


@pytest.mark.parametrize("size", [*SIZES, (480, 480), (480, 854), (320, 180)])
@pytest.mark.parametrize("layout", ["auto", "panel", "strip"])
def test_table_and_words_share_the_picture(scene, size, layout):
    sheet = arranged(scene, theme(), size, layout)
    whole = pygame.Rect(0, 0, *size)
    for part in (sheet.table, sheet.heading, sheet.words):
        assert whole.contains(part)
    assert not sheet.table.colliderect(sheet.words)
    assert not sheet.table.colliderect(sheet.heading)
    assert sheet.table.w * sheet.table.h > 0.25 * size[0] * size[1]


@pytest.mark.parametrize("size", [(720, 1280), (1080, 1920)])
def test_a_wide_table_fills_a_tall_picture(scene, size):
    wide = replace(scene, width=60.0, depth=44.0)
    assert is_upright(wide, size)
    assert not is_upright(wide, (1280, 720))
    assert not is_upright(wide, (1080, 1080))
    sheet = arranged(turned(wide), theme(), size, "auto")
    camera = fitting(turned(wide), sheet.table.size, sheet.ui)
    assert 44 * 60 * camera.scale**2 > 0.55 * size[0] * size[1], "it lay on less than two fifths before"
    shown = Pictures(theme(), size).paint(wide)
    again = Pictures(theme(), size).paint(turned(wide))
    assert pygame.image.tobytes(shown, "RGB") == pygame.image.tobytes(again, "RGB")


def test_the_numbers_of_a_turned_frame_run_the_other_way(scene):
    bare = Scene(60.0, 44.0)
    one, other = (Pictures(theme(), (720, 1280)).paint(s) for s in (turned(bare), replace(turned(bare), turned=False)))
    assert pygame.image.tobytes(one, "RGB") != pygame.image.tobytes(other, "RGB")


def test_wide_pictures_have_a_panel_and_the_others_a_strip(scene):
    panels = {size: arranged(scene, theme(), size, "auto").panel for size in SIZES}
    assert panels == {
        (1600, 1000): True,
        (1280, 720): True,
        (720, 1280): False,
        (1080, 1080): False,
        (480, 270): True,
    }


@pytest.mark.parametrize("size", SIZES)
def test_the_whole_table_is_on_the_picture(scene, size):
    sheet = arranged(scene, theme(), size, "auto")
    camera = fitting(scene, sheet.table.size, sheet.ui)
    left, top = camera.to_picture((0, scene.depth))
    right, bottom = camera.to_picture((scene.width, 0))
    assert 12 <= left < right <= sheet.table.w
    assert 12 <= top < bottom <= sheet.table.h


@pytest.mark.parametrize("size", SIZES)
def test_words_never_leave_their_place(scene, size):
    long = "An endless sentence about everything that has gone wrong here " * 6
    lines = tuple((f'{k}  {k}.00"  {long}', "bad") for k in range(40))
    crowded = replace(scene, heading=long, caption=Caption(long, "bad", lines))
    shown = turned(crowded) if is_upright(crowded, size) else crowded
    sheet = arranged(shown, theme(), size, "auto")
    surface = picture(crowded, theme(), size)
    ground = theme().colour("frame")[:3]
    places = (sheet.table, sheet.heading, sheet.words.inflate(4, 4))
    for x in range(0, size[0], 3):
        for y in range(0, size[1], 3):
            if not any(place.collidepoint(x, y) for place in places):
                assert surface.get_at((x, y))[:3] == ground


def test_frames_of_a_clip_are_the_same_as_stills(scene, dragged):
    pictures = Pictures(theme(), (640, 360))
    for dx in (0, 0.5, 1.0, 1.0, 1.0):
        moved = dragged(dx)
        assert pixels(pictures.paint(moved)) == pixels(picture(moved, theme(), (640, 360)))
    other = replace(scene, caption=Caption("Here it may stand", "good"))
    assert pixels(pictures.paint(other)) == pixels(picture(other, theme(), (640, 360)))


def test_in_a_clip_the_table_does_not_jump(scene):
    short, long = Caption("Here", "good"), replace(scene.caption, headline="An unusually long headline " * 3)
    pictures = Pictures(theme(), (720, 1280), fullest=fullest((short, scene.caption, long, Caption())))
    corners = set()
    for caption in (short, scene.caption, long, Caption()):
        surface = pictures.paint(replace(scene, caption=caption))
        ground = theme().colour("frame")[:3]
        column = [y for y in range(surface.get_height()) if surface.get_at((400, y))[:3] != ground]
        corners.add(next(y for y in column if y > 150))
    assert len(corners) == 1


def test_the_fullest_caption_has_all_that_is_long():
    few, many = Caption("A long headline", "bad", (("a", "plain"),)), Caption("Short", "good", (("b", "note"),) * 3)
    assert fullest((few, many)) == Caption("A long headline", "bad", (("b", "note"),) * 3)
    assert fullest(()) == Caption()


def test_without_words_the_table_takes_all(scene):
    bare = replace(scene, heading="", caption=Caption())
    sheet = arranged(bare, theme(), (800, 600), "auto")
    assert sheet.table.h > 580
    assert sheet.words.h == 0


@pytest.mark.parametrize("size", [(100, 100), (20_000, 600), (0, 0)])
def test_sizes_that_cannot_be_are_refused(scene, size):
    with pytest.raises(PictureError, match=r"expected from 160x120"):
        picture(scene, theme(), size)


def test_only_png_is_written(scene, tmp_path):
    with pytest.raises(PictureError, match=r"\.png"):
        picture(scene, theme(), (320, 200), tmp_path / "picture.jpg")
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_when_a_picture_cannot_be_written(scene, tmp_path):
    with pytest.raises((OSError, pygame.error)):
        picture(scene, theme(), (320, 200), tmp_path / "missing" / "picture.png")
    assert not list(tmp_path.iterdir())


def test_text_is_wrapped_and_shortened():
    text = "Every model more than nine inches from all enemy models"
    rows = wrapped(text, 15, False, 120, 10)
    assert " ".join(rows) == text
    assert all(width_of(row, 15) <= 120 for row in rows)
    cut = wrapped(text, 15, False, 120, 2)
    assert len(cut) == 2
    assert cut[-1].endswith("…")
    assert width_of(shortened("x" * 500, 15, False, 90), 15) <= 90
    assert wrapped("", 15, False, 120, 2) == ()


@pytest.mark.parametrize("text", ["≥ 9″", "漢字", "שלום", "\x00\x07 odd", "", "✓ → ✕"])
def test_any_text_can_be_measured(text):
    assert width_of(text, 15) >= 0
