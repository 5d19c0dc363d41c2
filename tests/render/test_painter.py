from dataclasses import replace

import pygame
import pytest

from sim.render.painter import Painter
from sim.render.rulers import free_spot
from sim.view.camera import Camera
from sim.view.scene import Disc, Ghost, Label, Mark, Oval, Polygon, Ruler, Scene, Zone
from sim.view.theme import luminance, theme, themes

SIZE = (640, 480)


def painted(scene, camera, name="table", painter=None):
    surface = pygame.Surface(SIZE, depth=32)
    (painter or Painter(theme(name))).paint(scene, camera, surface)
    return surface


def pixels(surface):
    return pygame.image.tobytes(surface, "RGB")


def grey(surface, at):
    return luminance(tuple(surface.get_at((round(at[0]), round(at[1])))))


def alone(item, name="table", scale=60):
    """One item on a small table, painted large, without the frame."""
    surface = pygame.Surface((240, 240), depth=32)
    camera = Camera((2, 2), scale, 240, 240)
    Painter(theme(name)).paint(Scene(4, 4, (), (item,)), camera, surface, frame=False)
    return surface


@pytest.mark.parametrize("name", themes())
def test_a_marker_shows_its_owner_and_a_base_its_height(name):
    markers = [Disc((2, 2), 1.0, style) for style in ("objective", "objective.first", "objective.second")]
    assert len({pixels(alone(marker, name)) for marker in markers}) == 3
    bases = [Disc((2, 2), 0.63, "base.first", Mark("1", height=height)) for height in ("", '3"', '6"')]
    assert len({pixels(alone(base, name)) for base in bases}) == 3


@pytest.mark.parametrize("name", themes())
def test_painting_is_the_same_every_time(scene, camera, name):
    assert pixels(painted(scene, camera, name)) == pixels(painted(scene, camera, name))


@pytest.mark.parametrize("name", themes())
def test_what_is_kept_changes_no_pixel(scene, dragged, camera, name):
    painter = Painter(theme(name))
    for dx in (0.0, 0.5, 1.0, 1.5, 1.5, 1.5, 1.5, 0.0):
        moved = dragged(dx)
        assert pixels(painted(moved, camera, painter=painter)) == pixels(painted(moved, camera, name))


def test_many_bases_that_stand_still_are_painted_as_one_sheet(camera):
    bases = tuple(Disc((1 + k % 20, 2 + k // 20 * 2), 0.5, "base.first", Mark(str(k))) for k in range(100))
    painter = Painter(theme())

    def drag(k):
        zone = Zone(((((5, 5), (15 + k / 10, 5), (10, 15)),),), "zone.exclusion")
        return Scene(24, 18, (), (zone, *bases, Ghost(Disc((3 + k, 3), 0.6, "base.first"), True)))

    def difference(one, other):
        return max(abs(a - b) for a, b in zip(pixels(one), pixels(other), strict=True))

    for k in range(5):
        fresh = painted(drag(k), camera)
        assert difference(painted(drag(k), camera, painter=painter), fresh) <= 2


def test_the_ground_is_drawn_again_only_when_it_or_the_camera_changes(scene, dragged, camera):
    painter = Painter(theme())
    for dx in (0, 1, 2):
        painted(dragged(dx), camera, painter=painter)
    assert painter.grounds_drawn == 1
    painted(replace(scene, ground=tuple(scene.ground)), camera, painter=painter)
    assert painter.grounds_drawn == 1
    painted(replace(scene, ground=scene.ground[:-1]), camera, painter=painter)
    assert painter.grounds_drawn == 2
    painted(replace(scene, ground=scene.ground[:-1]), camera.panned(5, 0), painter=painter)
    assert painter.grounds_drawn == 3


@pytest.mark.parametrize("name", ["table", "print"])
def test_a_camera_on_the_move_is_painted_quickly_and_about_right(scene, camera, name):
    painter = Painter(theme(name))
    painted(scene, camera, painter=painter)
    for moved in (camera.panned(30, -12), camera.zoomed(1.1, (200, 100)), camera.zoomed(0.8, (10, 400)).panned(4, 4)):
        quick = pygame.Surface(SIZE, depth=32)
        painter.paint(scene, moved, quick, quick=True)
        small = [pygame.transform.smoothscale(s, (32, 24)) for s in (quick, painted(scene, moved, name))]
        pairs = zip(*(pixels(surface) for surface in small), strict=True)
        differences = sorted(abs(a - b) for a, b in pairs)
        assert differences[len(differences) // 2] <= 3
        assert differences[int(len(differences) * 0.95)] <= 60
    assert painter.grounds_drawn == 1
    assert pixels(painted(scene, moved, painter=painter)) == pixels(painted(scene, moved, name))


def test_only_the_area_is_painted(scene, camera):
    surface = pygame.Surface((800, 600), depth=32)
    surface.fill((1, 2, 3))
    Painter(theme()).paint(scene, camera, surface, pygame.Rect(100, 60, *SIZE))
    inner = surface.subsurface((100, 60, *SIZE))
    assert pixels(inner) == pixels(painted(scene, camera))
    for spot in ((99, 300), (100 + SIZE[0], 300), (400, 59), (400, 60 + SIZE[1])):
        assert surface.get_at(spot)[:3] == (1, 2, 3)


@pytest.mark.parametrize("name", themes())
def test_legal_and_illegal_ghosts_differ_on_a_grey_picture(name):
    def spread(legal):
        surface = alone(Ghost(Disc((2, 2), 1.2, "base.first"), legal), name)
        inside = [grey(surface, (120 + dx, 120 + dy)) for dx in range(-36, 37, 2) for dy in range(-36, 37, 2)]
        return max(inside) - min(inside)

    assert spread(False) > spread(True) + 25


@pytest.mark.parametrize("name", themes())
def test_the_border_of_a_ghost_is_solid_or_dashed(name):
    def border(legal):
        item = Ghost(Disc((2, 2), 1.2, "base.first"), legal)
        clean, surface = alone(replace(item, shape=replace(item.shape, radius=0.01)), name), alone(item, name)
        ways = [pygame.Vector2(1, 0).rotate(angle) * (1.2 * 60 - 1.5) for angle in range(0, 360, 3)]
        spots = [(120 + way.x, 120 + way.y) for way in ways]
        return [abs(grey(surface, spot) - grey(clean, spot)) for spot in spots]

    solid, dashed = border(True), border(False)
    assert max(solid) - min(solid) < max(dashed) - min(dashed)


@pytest.mark.parametrize("name", themes())
@pytest.mark.parametrize("sides", [("first", "second"), ("second", "neutral"), ("first", "neutral")])
def test_sides_differ_on_a_grey_picture(name, sides):
    one, other = (alone(Disc((2, 2), 1.2, f"base.{side}"), name) for side in sides)
    differing = sum(abs(grey(one, (x, y)) - grey(other, (x, y))) > 40 for x in range(50, 190) for y in range(50, 190))
    assert differing > 60


def test_the_notch_is_at_the_front():
    plain = alone(Disc((2, 2), 1.0, "base.second", Mark()))
    for facing, spot in ((0, (180, 120)), (90, (120, 60)), (180, (60, 120)), (270, (120, 180))):
        marked = alone(Disc((2, 2), 1.0, "base.second", Mark(facing=facing)))
        assert grey(marked, spot) > 200 > grey(plain, spot)


def test_an_oval_lies_along_its_facing():
    upright = alone(Oval((2, 2), 3.0, 1.0, 90, "base.second"), "print")
    level = alone(Oval((2, 2), 3.0, 1.0, 0, "base.second"), "print")
    above, right = (120, 120 - 89), (120 + 89, 120)
    assert grey(upright, above) < 128 < grey(level, above)
    assert grey(level, right) < 128 < grey(upright, right)


def test_a_base_with_corners_keeps_its_outline():
    square = Polygon(((1, 1), (3, 1), (3, 3), (1, 3)), "base.first")
    surface = alone(square)
    middle, outside = surface.get_at((120, 120)), surface.get_at((40, 40))
    assert middle[0] > middle[2] + 60  # orange
    assert abs(outside[0] - outside[2]) < 40


def test_zones_are_hollow_where_they_have_holes():
    outline, hole = ((0.2, 0.2), (3.8, 0.2), (3.8, 3.8), (0.2, 3.8)), ((1, 1), (3, 1), (3, 3), (1, 3))
    bare = alone(Disc((9, 9), 0.1, "base.first"))
    full = alone(Zone(((outline,),), "zone.exclusion"))
    hollow = alone(Zone(((outline, hole),), "zone.exclusion"))
    block = pygame.Rect(80, 80, 80, 80)
    assert pixels(hollow.subsurface(block)) == pixels(bare.subsurface(block)) != pixels(full.subsurface(block))


def test_a_ruler_is_the_loudest_thing_on_the_table(scene, camera):
    surface = painted(scene, camera)
    x, y = camera.to_picture((12, 9.965))
    beside = surface.subsurface(pygame.Rect(0, 0, 400, 30).move(round(x) - 200, round(y) - 15))
    brightest = max(grey(beside, (i, j)) for i in range(400) for j in range(30))
    assert brightest > 240


def test_the_label_of_a_ruler_covers_neither_what_it_measures_nor_what_it_measures_from(camera):
    ruler = Ruler((12, 12), (12, 4), '8.00"  needs more than 9"', "bad")
    bases = (Disc((12, 13), 1.0, "base.first"), Disc((12, 3), 1.0, "base.second"), Disc((15, 8), 1.5, "base.first"))
    bare = painted(Scene(24, 18, (), (*bases, replace(ruler, label=""))), camera)
    told = painted(Scene(24, 18, (), (*bases, ruler)), camera)
    assert pixels(bare) != pixels(told), "there is a label"
    for at, reach in (((12, 8), 0.1), *((base.at, base.radius) for base in bases)):
        x, y = camera.to_picture(at)
        half = max(round(reach * camera.scale * 0.7), 1)
        spot = pygame.Rect(round(x) - half, round(y) - half, 2 * half, 2 * half)
        assert pixels(bare.subsurface(spot)) == pixels(told.subsurface(spot)), at


def test_ruler_labels_keep_apart_and_on_the_picture(camera):
    rulers = tuple(Ruler((12, 9), (12 + k / 10, 0.5), f'{k}.00"  needs more than 9"', "bad") for k in range(4))
    painter = Painter(theme())
    painted(Scene(24, 18, (), rulers), camera, painter=painter)
    taken = []
    for ruler in rulers:
        start, end = camera.to_picture(ruler.start), camera.to_picture(ruler.end)
        box = free_spot(pygame.Rect(0, 0, *SIZE), (170, 24), start, end, taken)
        assert box.collidelist(taken) < 0
        assert pygame.Rect(0, 0, *SIZE).contains(box)
        taken.append(box)


@pytest.mark.parametrize(
    "item",
    [
        Disc((2, 2), 0.0, "base.first", Mark("1", facing=0)),
        Oval((2, 2), 0.0, 0.0, 0, "base.first", Mark("1", facing=0, selected=True, assumed=True)),
        Polygon(((2, 2), (2, 2), (2, 2)), "terrain.woods", 3.0, "Woods"),
        Zone((), "zone.exclusion", "Nowhere"),
        Zone(((((0, 0), (1, 1)),),), "zone.centre"),
        Ruler((2, 2), (2, 2), "0.00″", "good"),
    ],
)
def test_what_has_no_size_is_no_trouble(item):
    alone(item)


@pytest.mark.parametrize("scale", [2, 6, 60, 240])
def test_every_zoom_paints(scene, scale):
    painted(scene, Camera((12, 9), scale, *SIZE))


def test_a_picture_of_nothing_but_the_table_around_it(scene):
    surface = painted(scene, Camera((500, 500), 20, *SIZE))
    assert surface.get_at((400, 300))[:3] == theme().colour("frame")[:3]


def inked(label):
    """How many pixels a label changes on an empty table."""
    empty, written = pixels(alone(Disc((-9, -9), 0.1, "base.first"))), pixels(alone(label))
    return sum(empty[k : k + 3] != written[k : k + 3] for k in range(0, len(empty), 3))


def test_a_label_at_the_edge_of_the_picture_is_read_as_a_whole():
    whole = inked(Label((2.0, 2.0), "choose a point"))
    for at in ((4.0, 2.0), (0.0, 2.0), (2.0, 4.0), (4.0, 0.0)):
        assert inked(Label(at, "choose a point")) == pytest.approx(whole, rel=0.02), at
    assert inked(Label((9.0, 2.0), "choose a point")) == 0, "what is not on the picture is not named"
