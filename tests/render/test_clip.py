import av
import pygame
import pytest

from sim.render.clip import ClipCancelledError, ClipError, ClipWriter, endings, write_clip
from sim.render.picture import Pictures
from sim.view.theme import theme

SIZE, FPS, COUNT = (320, 180), 25, 12


@pytest.fixture
def frames(dragged):
    """Twelve pictures of ghosts that move, painted on one surface."""

    def painted(count=COUNT, size=SIZE):
        pictures, surface = Pictures(theme(), size), pygame.Surface(size, depth=32)
        for k in range(count):
            pictures.paint_on(surface, dragged(k / 4))
            yield surface

    return painted


def flat(colour, size=SIZE):
    surface = pygame.Surface(size, depth=32)
    surface.fill(colour)
    return surface


def opened(path):
    """What another program finds in the clip; streams are not asked once their file is closed."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        decoded = list(container.decode(video=0))
        context = stream.codec_context
        return {
            "codec": (context.name, context.pix_fmt),
            "rates": (stream.average_rate, stream.guessed_rate),
            "frames": decoded,
            "seconds": (container.duration or 0) / av.time_base,
        }


def test_what_this_machine_can_write():
    assert endings()[:3] == (".mp4", ".webm", ".gif")


@pytest.mark.parametrize("ending", [".mp4", ".webm", ".gif", ".apng"])
def test_a_clip_has_the_size_rate_and_length_that_were_asked_for(frames, tmp_path, ending):
    path = tmp_path / f"clip{ending}"
    assert write_clip(frames(), path, SIZE, FPS) == COUNT
    clip = opened(path)
    decoded = clip["frames"]
    assert (decoded[0].width, decoded[0].height) == SIZE
    assert clip["rates"] == (FPS, FPS)
    assert len(decoded) == COUNT
    assert [round(frame.time * FPS) for frame in decoded] == list(range(COUNT))
    if ending != ".apng":
        assert clip["seconds"] == pytest.approx(COUNT / FPS, abs=0.01)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_mp4_plays_everywhere(frames, tmp_path):
    path = tmp_path / "clip.mp4"
    write_clip(frames(), path, SIZE, FPS)
    assert opened(path)["codec"] == ("h264", "yuv420p")
    data = path.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


def test_webp_is_an_animation(frames, tmp_path):
    if ".webp" not in endings():
        pytest.fail("the pinned video library writes animated WebP")
    path = tmp_path / "clip.webp"
    write_clip(frames(), path, SIZE, FPS)
    data = path.read_bytes()
    assert data[:4] == b"RIFF"
    assert data.count(b"ANMF") == COUNT


@pytest.mark.parametrize("ending", [".mp4", ".webm", ".gif", ".apng"])
def test_a_held_picture_comes_once_a_frame(tmp_path, ending):
    path = tmp_path / f"clip{ending}"
    row = [(flat("red"), 5), flat("green"), (flat("blue"), 20)]
    assert write_clip(row, path, SIZE, 20) == 26
    clip = opened(path)
    decoded = clip["frames"]
    assert [round(frame.time * 20) for frame in decoded] == list(range(26))
    if ending != ".apng":  # which keeps no length of the whole
        assert clip["seconds"] == pytest.approx(26 / 20, abs=0.02)
    for at, strongest in ((0, 0), (5, 1), (6, 2), (25, 2)):
        shown = [frame for frame in decoded if round(frame.time * 20) <= at][-1]
        middle = shown.to_ndarray(format="rgb24")[90, 160]
        assert int(middle.argmax()) == strongest


@pytest.mark.parametrize("size", [(322, 182), (318, 178), (320, 180)])
@pytest.mark.parametrize("ending", [".mp4", ".gif"])
def test_rows_of_every_length_arrive_upright(tmp_path, size, ending):
    surface = flat("black", size)
    surface.fill("white", (0, 0, 20, size[1]))
    surface.fill("red", (0, 0, size[0], 20))
    path = tmp_path / f"clip{ending}"
    write_clip([surface] * 3, path, size, FPS)
    picture = opened(path)["frames"][-1].to_ndarray(format="rgb24")
    assert picture[10, size[0] - 10].argmax() == 0
    assert picture[10, size[0] - 10, 1] < 60
    assert picture[size[1] - 10, 10].min() > 200
    assert picture[size[1] - 10, size[0] - 10].max() < 40


def test_surfaces_of_another_make_are_taken_too(tmp_path):
    parent = pygame.Surface((400, 300), pygame.SRCALPHA, 32)
    parent.fill((0, 0, 255, 255))
    odd = pygame.Surface(SIZE, 0, 24)
    odd.fill((0, 0, 255))
    path = tmp_path / "clip.mp4"
    write_clip([parent.subsurface((20, 20, *SIZE)), odd], path, SIZE, FPS)
    for frame in opened(path)["frames"]:
        assert frame.to_ndarray(format="rgb24")[90, 160].argmax() == 2


def test_colours_of_a_gif_come_from_the_pictures(tmp_path):
    colours = [(0xCF, 0x7D, 0x2E), (0x3D, 0x8B, 0xC2), (0x38, 0xD9, 0xA9)]
    path = tmp_path / "clip.gif"
    write_clip([flat(colour) for colour in colours], path, SIZE, 10)
    for frame, colour in zip(opened(path)["frames"], colours, strict=True):
        middle = frame.to_ndarray(format="rgb24")[90, 160]
        assert max(abs(int(a) - b) for a, b in zip(middle, colour, strict=True)) <= 4


@pytest.mark.parametrize("ending", endings())
def test_an_error_on_the_way_leaves_nothing(frames, tmp_path, ending):
    def broken():
        yield from frames(3)
        raise RuntimeError("the painter fell over")

    with pytest.raises(RuntimeError, match="fell over"):
        write_clip(broken(), tmp_path / f"clip{ending}", SIZE, FPS)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", endings())
def test_cancelling_leaves_nothing_and_keeps_the_clip_that_was_there(frames, tmp_path, ending):
    path = tmp_path / f"clip{ending}"
    path.write_bytes(b"the clip before")
    with pytest.raises(ClipCancelledError, match="cancelled after 4 frames"):
        write_clip(frames(), path, SIZE, FPS, progress=lambda done, total: done < 4)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"the clip before"


def test_progress_counts_frames_and_knows_the_total(frames, tmp_path):
    seen = []
    write_clip(frames(), tmp_path / "a.mp4", SIZE, FPS, lambda done, total: seen.append((done, total)), COUNT)
    assert seen == [(k, COUNT) for k in range(1, COUNT + 1)]
    seen.clear()
    write_clip([flat("red")] * 3, tmp_path / "b.mp4", SIZE, FPS, lambda *step: seen.append(step))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    seen.clear()
    write_clip(frames(2), tmp_path / "c.mp4", SIZE, FPS, lambda *step: seen.append(step))
    assert seen == [(1, 0), (2, 0)]


@pytest.mark.parametrize(
    ("name", "size", "fps", "message"),
    [
        ("clip.avi", SIZE, FPS, r"no clip ends in '\.avi': expected one of \.mp4, \.webm, \.gif"),
        ("clip", SIZE, FPS, "no clip ends in 'nothing'"),
        ("clip.mp4", (321, 180), FPS, "even numbers of pixels, as 322x180 has"),
        ("clip.webm", (320, 181), FPS, "even numbers of pixels, as 320x182 has"),
        ("clip.mp4", (8, 8), FPS, "expected from 160x120 to 8192x8192"),
        ("clip.mp4", SIZE, 0, "0 frames a second: expected from 1 to 240"),
        ("clip.gif", SIZE, 60, "60 frames a second: expected from 1 to 50"),
        ("missing/clip.mp4", SIZE, FPS, "there is no folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_first_frame(tmp_path, name, size, fps, message):
    with pytest.raises(ClipError, match=message):
        write_clip([], tmp_path / name, size, fps)
    assert not list(tmp_path.iterdir())


def test_an_odd_size_is_fine_for_a_gif(tmp_path):
    write_clip([flat("red", (321, 181))] * 2, tmp_path / "clip.gif", (321, 181), FPS)
    assert opened(tmp_path / "clip.gif")["frames"][0].width == 321


def test_frames_are_checked(tmp_path):
    with pytest.raises(ClipError, match="at least one frame"):
        write_clip([], tmp_path / "clip.mp4", SIZE, FPS)
    with pytest.raises(ClipError, match="frame 1 has 100x100 pixels, expected 320x180"):
        write_clip([flat("red"), flat("red", (100, 100))], tmp_path / "clip.mp4", SIZE, FPS)
    with pytest.raises(ClipError, match="at least 1 frame, got 0"):
        write_clip([(flat("red"), 0)], tmp_path / "clip.mp4", SIZE, FPS)
    with pytest.raises(ClipError, match="inside the with block"):
        ClipWriter(tmp_path / "clip.mp4", SIZE, FPS).write(flat("red"))
    assert not list(tmp_path.iterdir())


def test_time_base_is_the_rate(tmp_path):
    write_clip([flat("red")] * 2, tmp_path / "clip.mp4", SIZE, 30)
    assert opened(tmp_path / "clip.mp4")["rates"] == (30, 30)
