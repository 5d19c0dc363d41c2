"""From inches to the picture and back: what is where, and what stays where it is."""

from __future__ import annotations

import pytest

from sim.view.camera import Camera


def test_a_whole_table_fits_with_its_margin_on_the_narrower_side() -> None:
    camera = Camera.fitting(60, 44, (632, 1000), margin=1.6)
    assert camera.scale == pytest.approx(10.0)
    assert camera.centre == (30.0, 22.0)
    assert (camera.width, camera.height) == (632, 1000)
    assert Camera.fitting(60, 44, (2000, 472)).scale == pytest.approx(10.0), "1.6 inches unless it is said"


def test_inches_run_right_and_up_and_the_picture_right_and_down() -> None:
    camera = Camera((30.0, 22.0), 10.0, 400, 200)
    assert camera.to_picture((30.0, 22.0)) == (200.0, 100.0)
    assert camera.to_picture((32.0, 25.0)) == (220.0, 70.0)
    assert camera.to_table((220.0, 70.0)) == (32.0, 25.0)
    assert camera.to_table((0.0, 0.0)) == (10.0, 32.0)


@pytest.mark.parametrize(("factor", "scale"), [(2.0, 20.0), (0.5, 6.0), (100.0, 240.0)])
def test_what_is_under_the_cursor_stays_there_when_it_comes_closer(factor: float, scale: float) -> None:
    camera = Camera((30.0, 22.0), 10.0, 400, 200)
    closer = camera.zoomed(factor, (350.0, 20.0))
    assert closer.scale == scale
    assert closer.to_table((350.0, 20.0)) == pytest.approx(camera.to_table((350.0, 20.0)))
    assert (closer.width, closer.height) == (400, 200)


def test_what_is_pulled_goes_with_the_hand() -> None:
    camera = Camera((30.0, 22.0), 10.0, 400, 200)
    at = camera.to_picture((5.0, 5.0))
    moved = camera.panned(30.0, -40.0)
    assert moved.to_picture((5.0, 5.0)) == pytest.approx((at[0] + 30.0, at[1] - 40.0))
    assert moved.scale == 10.0


def test_another_size_shows_the_same_middle_at_the_same_scale() -> None:
    assert Camera((30.0, 22.0), 10.0, 400, 200).sized(640, 360) == Camera((30.0, 22.0), 10.0, 640, 360)
